"""Families of irregularities, by what they hang on."""

from __future__ import annotations

from referee.events import Irregularity

DISORDER = (
    Irregularity.UPSET,
    Irregularity.PIECE_DISPLACED,
    Irregularity.PIECE_ADDED,
    Irregularity.PIECE_REMOVED,
)
"""What the board looks like, whoever has done it and why."""
UNFOLLOWED = (
    Irregularity.UPSET,
    Irregularity.PIECE_DISPLACED,
    Irregularity.PIECE_REMOVED,
    Irregularity.WRONG_TURN,
)
"""What moves that were not followed leave behind just as well: then the referee asks. They bring
no piece more to the board."""
LONELY = (
    Irregularity.PIECE_ADDED,
    Irregularity.PIECE_REMOVED,
    Irregularity.OWN_PIECE_REMOVED,
    Irregularity.WRONG_PIECE_REMOVED,
)
"""What hangs on a single square, the last of the deed's."""
SIMPLE = (Irregularity.UPSET, Irregularity.PIECE_ADDED, Irregularity.PIECE_REMOVED)
"""What may have been done without any move before it."""
BESIDE_A_MOVE = (*LONELY, Irregularity.JUMPED_PIECE_LEFT)
"""What may leave a lawful move standing but for squares beside it."""
NO_PLAY = (*BESIDE_A_MOVE, Irregularity.ILLEGAL_STEP)
"""What may look as several moves do that nobody has told of, though one player's hand did it."""
BY_ONE_PIECE = (
    Irregularity.WRONG_TURN,
    Irregularity.CAPTURE_MISSED,
    Irregularity.ILLEGAL_STEP,
    Irregularity.PIECE_DISPLACED,
)
"""What one piece alone has done."""
BY_ONE_DISC = (*BY_ONE_PIECE, Irregularity.PIECE_ADDED)
"""What is done once the offender's hand has left, though the other player points at it."""
TAKEN_OFF = (
    Irregularity.PIECE_REMOVED,
    Irregularity.OWN_PIECE_REMOVED,
    Irregularity.WRONG_PIECE_REMOVED,
)
"""What a man that lies beside his square has not been."""
UNDER_A_HAND = (
    Irregularity.PIECE_ADDED,
    Irregularity.OWN_PIECE_REMOVED,
    Irregularity.WRONG_PIECE_REMOVED,
)
"""What is believed only if a hand had hidden the last of the deed's squares until it changed, or if
that square is as plain as others: one beside a hand may look like anything for a while."""

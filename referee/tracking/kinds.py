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
STEPS = (
    Irregularity.WRONG_TURN,
    Irregularity.CAPTURE_MISSED,
    Irregularity.ILLEGAL_STEP,
    Irregularity.PIECE_DISPLACED,
)
"""What one piece alone has done: it is done once the offender's hand has left, though the other
player points at it."""

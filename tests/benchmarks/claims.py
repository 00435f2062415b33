"""Whether what the referee says of a player in a film is true of what he does there.

Films of every maker are counted alike. Who is told of what the other one has done, or of quite
other squares, is accused falsely; what names nobody is told of whoever did it.
"""

from __future__ import annotations

from referee.events import Irregular, Lingering, Touched
from referee.simulation.deeds import AROUND_MS, LATE_MS, Deed, concerns, lasts

SAME = {"piece_removed": "own_piece_removed"}
"""By WCDF 4.1 and 4.4 an own piece taken off by itself is missing: told so, it is told."""
ANY = "two_moves"
"""Told when anything is said of him who made them."""
STAYS = "lingering"
"""A hand that stays on the piece it has moved."""


def tells(claim: Irregular, offence: Deed) -> bool:
    """Whether a claim is of an offence, and calls it by its name."""
    name = SAME.get(offence.kind, offence.kind)
    return is_of(claim, offence) and (
        offence.kind == ANY or SAME.get(claim.kind.value, claim.kind.value) == name
    )


def is_of(claim: Irregular, offence: Deed) -> bool:
    """Whether a claim is made while an offence stands, of its squares, and of nobody else."""
    return lasts(offence, claim.time_ms, LATE_MS) and concerns(offence, claim.side, claim.squares)


def is_about(handled: Touched | Lingering, touch: Deed) -> bool:
    """Whether a touch that is told is this one, or a hand that stays."""
    if isinstance(handled, Lingering):
        since_ms, late_ms = handled.since_ms, LATE_MS
    else:
        # What was touched beside a move lies hidden until the hand goes.
        since_ms, late_ms = handled.touched_ms, AROUND_MS if handled.beside else LATE_MS
    return (
        isinstance(handled, Lingering) == (touch.kind == STAYS)
        and lasts(touch, since_ms, late_ms)
        and concerns(touch, handled.side, (handled.square,))
    )

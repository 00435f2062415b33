"""Which piece has to make the next move."""

from __future__ import annotations

from dataclasses import replace

from referee import announcements
from referee.arbiter import Arbiter
from referee.deeds import REMOVALS
from referee.events import Conduct, Irregular, Irregularity, Proposed
from referee.rules import Position, lawful_moves

MOVED = (
    Irregularity.ILLEGAL_STEP,
    Irregularity.CAPTURE_MISSED,
    Irregularity.CAPTURE_UNFINISHED,
)
"""What is an incorrect move, as `REMOVALS` may be part of one."""


def bound(arbiter: Arbiter, position: Position) -> int | None:
    """Where the piece stands that has to make the next move: that of the incorrect move that was
    taken back (US VII), or the one touched first (4.2); None where none has to, or can."""
    rules = arbiter.profile.conduct
    touch = arbiter.contact.event.square if arbiter.contact else None
    due = None
    if Conduct.TOUCHED_OTHER in rules:
        due = arbiter.retracted or touch
    elif Conduct.OTHER_PIECE_PLAYED in rules:
        due = arbiter.retracted
    return due if due and playable(position, due) else None


def playable(position: Position, square: int) -> bool:
    """Whether the piece there has a move."""
    return any(move.start == square for move in lawful_moves(position))


def bound_by_incorrect_move(arbiter: Arbiter, event: Irregular, position: Position) -> Arbiter:
    """Remember the piece of an incorrect move, if it has a correct one, or the one touched before
    it."""
    removing = event.kind in REMOVALS and announcements.is_moving(event, position)
    if not (removing or event.kind in MOVED):
        return arbiter
    due = bound(arbiter, position) or event.squares[0]
    return replace(arbiter, retracted=due) if playable(position, due) else arbiter


def bound_by_proposal(arbiter: Arbiter, event: Proposed) -> Arbiter:
    """The arbiter after the move was taken back that a confirmed proposal is about: the piece that
    it names has to be moved now (4.2, US VII). What else lies wrong has another board to go back
    to than its player was told."""
    return replace(arbiter, retracted=next(iter(event.squares), None), warned=None)

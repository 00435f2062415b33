"""What it means that a board was left irregularly."""

from __future__ import annotations

from dataclasses import replace

from referee import announcements
from referee.arbiter import Arbiter, Conviction, Judged, Warned, ruled
from referee.board import EMPTY, Side, at, is_king
from referee.events import Conduct, Irregular, Irregularity, Ruling, Verdict
from referee.profiles import Case, Offence
from referee.rules import JUMPS, Fault, Position, why_not
from referee.ruling.bound import bound, bound_by_incorrect_move
from referee.ruling.conduct import handled
from referee.ruling.convictions import convicted

_CROWNS = (Irregularity.CROWN_UNEARNED, Irregularity.CROWN_REMOVED)
UNTIDY = (
    Irregularity.PIECE_ADDED,
    Irregularity.PIECE_REMOVED,
    Irregularity.PIECE_DISPLACED,
    Irregularity.OFF_SQUARE,
    Irregularity.UPSET,
)
"""What is no move that somebody could refuse to retract (4.5)."""


def irregular(arbiter: Arbiter, event: Irregular, number: int, position: Position) -> Judged:
    """The ruling on an irregularity; `position` is the one that was irregularly left."""
    stands = announcements.move_stands(event)
    kind = Irregularity.PIECE_REMOVED if stands else event.kind
    offence = arbiter.profile.offences[kind]
    known = arbiter.warned is not None and arbiter.warned.side is event.side
    guided = arbiter.guided or event.side is position.turn
    arbiter = replace(arbiter, disorder=(*arbiter.disorder, number), guided=guided)
    arbiter, verdict = _verdict(arbiter, offence, event.side, number)
    arbiter = bound_by_incorrect_move(arbiter, event, position)
    said = announcements.irregular(event, position, bound(arbiter, position))
    rule = offence.section(_cases(event, position))
    ruling = ruled(event.time_ms, verdict, event.side, rule, said, number)
    arbiter = _warned(arbiter, event, ruling, position)
    arbiter, touched = (arbiter, ()) if known else handled(arbiter, event, number, position)
    return arbiter, (ruling, *touched)


def _cases(event: Irregular, position: Position) -> frozenset[Case]:
    """Of what a document may write elsewhere."""
    if event.kind is Irregularity.WRONG_TURN:
        return frozenset({Case.BEGINNING} if position == Position.start() else ())
    if event.kind is Irregularity.WRONG_PIECE_REMOVED:
        return frozenset({Case.PLAIN} if announcements.plain_move(event) else ())
    if event.kind is not Irregularity.ILLEGAL_STEP:
        return frozenset()
    if announcements.is_on_light(event):
        return frozenset({Case.LIGHT})
    start, end = event.squares[:2]
    if why_not(position, start, end) is Fault.KING_ROW:
        return frozenset({Case.CROWNING})
    king, jump = is_king(at(position.setup, start)), _jumps(event, position)
    holds = {Case.KINGS_JUMP: king and jump, Case.JUMP: jump, Case.KING: king}
    return frozenset(case for case, it_does in holds.items() if it_does)


def _jumps(event: Irregular, position: Position) -> bool:
    """Whether pieces were taken off, or the piece went over one that lies there still."""
    start, end, *removed = event.squares
    ways = JUMPS[position.turn.king][start]
    over = (over for over, to in ways if to == end)
    return bool(removed) or any(at(position.setup, square) != EMPTY for square in over)


def _verdict(
    arbiter: Arbiter, offence: Offence, side: Side | None, number: int
) -> tuple[Arbiter, Verdict]:
    if side is None:
        blameless = offence.verdict(1)
        return arbiter, Verdict.RESTORE if blameless is Verdict.WARNING else blameless
    again = any((c.side, c.group) == (side, offence.group) for c in arbiter.counted)
    act = Conviction(side, offence.group, number, number, again)
    arbiter, verdict = convicted(arbiter, offence, act, number)
    warned = again and verdict is Verdict.WARNING  # for the same act, which is one
    return arbiter, Verdict.RESTORE if warned else verdict


def _warned(arbiter: Arbiter, event: Irregular, ruling: Ruling, position: Position) -> Arbiter:
    """Remember who has to put the board right, and since when, where anything is said of that;
    nobody has where it lies otherwise by now than he was told, and nobody knows by whom. Of ranks
    the eye may be wrong for ever."""
    if event.side is None or event.kind in _CROWNS:
        return replace(arbiter, warned=None)
    profile = arbiter.profile
    if not (profile.lesson or Conduct.NOT_PUT_RIGHT in profile.conduct):
        return arbiter
    if event.kind in (Irregularity.CROWN_MISSING, Irregularity.JUMPED_PIECE_LEFT):
        return arbiter
    if _may_think(event, position):
        return arbiter
    former, side = arbiter.warned, event.side
    if former and former.side is side and not former.untidy:  # he refuses since then
        return replace(arbiter, warned=replace(former, number=ruling.cause, ruling=ruling))
    warned = Warned(side, event.time_ms, ruling.cause, ruling, event.kind in UNTIDY)
    return replace(arbiter, warned=warned)


def _may_think(event: Irregular, position: Position) -> bool:
    """Whether the player to move may have the missing man in his hand: that costs him his own time
    and is no refusal."""
    if event.kind is not Irregularity.PIECE_REMOVED or event.side is not position.turn:
        return False
    return all(position.turn.owns(at(position.setup, square)) for square in event.squares)

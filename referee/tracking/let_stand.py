"""The board as it lies: what a game goes on from when a person lets it stand."""

from __future__ import annotations

from collections.abc import Iterable

from referee.board import EMPTY, SQUARES, Side, cell_of, is_king, side_of
from referee.rules import Position
from referee.sight import EMPTY_GROUP, GROUP_OF, Glance
from referee.tracking.astray import MOST_BACK
from referee.tracking.memory import QUIET_MS, Tracker, contradictions, differing, wrong_squares

SET_UP = 9
"""Where so many squares differ from the record, somebody has set up pieces anew: what has left its
square says nothing any more of what has arrived on another."""
SET_UP_PLAINLY = 300
"""What a piece looks there, in centinats, whose look tells its rank better than the record, or than
those that have left their squares, if a hand has been at it."""


def is_unresolved(tracker: Tracker) -> bool:
    """Whether people have been told or asked of something that is to be put right, or have
    themselves taken back what lies on the board, or entered something else."""
    told = tracker.incident is not None or tracker.doubt.asked
    return told or bool(tracker.correction.taken_back) or bool(tracker.correction.differs)


def is_told_of(tracker: Tracker) -> bool:
    """The same in a game that is being played."""
    return tracker.is_under_way and is_unresolved(tracker)


def is_disputed(tracker: Tracker) -> bool:
    """Whether the board is not as the record has it, or has a crown or a loose disc that it should
    not have, and that is known."""
    lies = contradictions(tracker) or tracker.ranks.altered or tracker.loose
    return is_told_of(tracker) and bool(lies)


def is_in_plain_view(tracker: Tracker) -> bool:
    """Whether the whole board is seen, no hand being about."""
    sight, watched = tracker.sight, not (tracker.paused or tracker.dark.said)
    return watched and sight.hands_off_ms() >= QUIET_MS and sight.readable(tuple(SQUARES))


def as_it_lies(tracker: Tracker) -> Position:
    """The position on the board. Whose turn it is then is told by the pieces if only one player has
    moved any, else by the hand that was there last."""
    pairs = zip(SQUARES, tracker.sight.squares, strict=True)
    anew = len(contradictions(tracker)) >= SET_UP
    setup = "".join(_piece(tracker, square, glance, anew) for square, glance in pairs)
    return Position(setup, _turn(tracker, setup))


def lying_before(tracker: Tracker) -> int:
    """How many of the last moves have gone back, if the board shows the position before them, and
    they are no more than people show on it; else 0."""
    count = len(tracker.plies)
    undone = range(1, min(MOST_BACK, count) + 1)
    befores = ((back, tracker.position_after(count - back)) for back in undone)
    return next((back for back, it in befores if not differing(tracker.sight, it)), 0)


def _piece(tracker: Tracker, square: int, glance: Glance, anew: bool) -> str:
    """Who stands there: as the record has it where that fits, or where nothing is seen; but what is
    set up `anew` has the rank that it plainly looks."""
    known = tracker.piece(square)
    if not glance.visible:
        return known
    if glance.group == EMPTY_GROUP:
        return EMPTY
    side = next(side for side in Side if GROUP_OF[side.man] == glance.group)
    handled = glance.near_ms > tracker.settled_ms
    plain = anew and handled and abs(glance.rank(side)) >= SET_UP_PLAINLY
    if glance.group == GROUP_OF[known] and not plain:
        return known
    left = () if plain else (tracker.piece(wrong) for wrong in wrong_squares(tracker))
    return side.king if is_now_king(side, square, left, glance.rank(side) > 0) else side.man


def is_now_king(side: Side, square: int, left: Iterable[str], looks: bool) -> bool:
    """Whether a piece that has arrived on a square is a king: those of its side that have `left`
    their squares tell better than how it looks."""
    ranks = {is_king(piece) for piece in left if side.owns(piece)}
    if cell_of(square)[0] == side.king_row:
        return True
    return ranks.pop() if len(ranks) == 1 else looks


def _turn(tracker: Tracker, setup: str) -> Side:
    before, sight = tracker.position, tracker.sight
    movers = {
        side
        for new, old in zip(setup, before.setup, strict=True)
        if (side := side_of(new)) and side is not side_of(old)
    }
    if len(movers) == 1:
        return movers.pop().other
    last = max(Side, key=sight.hand_of_ms)
    told = movers and sight.hand_of_ms(last) > sight.hand_of_ms(last.other)
    return last.other if told else before.turn

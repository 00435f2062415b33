"""What may have been done to a board that is not a lawful move, or not yet one.

Every family of unlawful play names its deeds square by square: those at a square begin by taking
the piece that stands there off it, or put one on it where none stands. So only the deeds at
squares that look disturbed are ever made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from referee import board
from referee.board import SQUARES, Side, at, cell_of, side_of, square_at
from referee.events import Irregularity
from referee.rules import JUMPS, Move, Position, captures, plain_moves, unfinished
from referee.sight import EMPTY_GROUP, GROUP_OF

Groups = tuple[tuple[int, int], ...]
"""The squares that look otherwise than before, with their new occupant, ascending."""

COSTS = {
    Irregularity.CAPTURE_UNFINISHED: 150,
    Irregularity.JUMPED_PIECE_LEFT: 150,
    Irregularity.CAPTURE_MISSED: 250,
    Irregularity.WRONG_TURN: 280,
    Irregularity.PIECE_REMOVED: 250,
    Irregularity.OWN_PIECE_REMOVED: 380,
    Irregularity.WRONG_PIECE_REMOVED: 380,
    Irregularity.ILLEGAL_STEP: 400,
    Irregularity.PIECE_DISPLACED: 450,
    Irregularity.PIECE_ADDED: 280,
}

REMOVALS = (Irregularity.OWN_PIECE_REMOVED, Irregularity.WRONG_PIECE_REMOVED)
"""Pieces that come off wrongly, mostly beside a move (4.4)."""
HANDLED = (Irregularity.PIECE_DISPLACED, Irregularity.PIECE_REMOVED)
"""What nobody does to a piece without touching it. That a disc lies beside its square, or is upset,
an arm may have done."""
AT_ONCE_MS = 600
"""How long a finished deed must rest, hands off, before it is called an offence."""
MORE_MS = 1_100
"""The same of one after which more pieces may come off, fall or be put down."""
TIDY_MS = 1_500
"""Jumped pieces come off one by one, half-way too, and a lifted piece may be in a hand not seen:
who lays it aside is back sooner [of 684 offences in 76 films of others nine more are told so than
by 1,800; by 1,200 two captors are reminded who were about to come back, by 1,000 three, by 800
five]."""


class Deed(NamedTuple):
    """Something done to the board that is not a lawful move, or not yet one."""

    kind: Irregularity
    side: Side | None
    """Whose deed it must be; None where anyone may have done it."""
    squares: tuple[int, ...]
    """Start and end first, then what was removed."""
    changes: Groups
    patience_ms: int = AT_ONCE_MS

    @property
    def cost(self) -> int:
        return COSTS[self.kind]

    @property
    def changed(self) -> tuple[int, ...]:
        return squares_of(self.changes)

    @property
    def concerned(self) -> tuple[int, ...]:
        """The squares to tell people. Where a piece was taken off wrongly beside a move, those that
        the move takes off follow: with it they go back (4.4)."""
        emptied = tuple(square for square, group in self.changes if group == EMPTY_GROUP)
        if self.kind not in REMOVALS or len(self.squares) < 3 or self.squares[1] in emptied:
            return self.squares
        return *self.squares, *(square for square in emptied if square not in self.squares)


def squares_of(changes: Groups) -> tuple[int, ...]:
    """The squares that some changes are on."""
    return tuple([square for square, _ in changes])


def occupants(move: Move) -> dict[int, int]:
    """Who stands on the squares of a move after it."""
    changes = dict.fromkeys((*move.captured, move.start), EMPTY_GROUP)
    changes[move.end] = GROUP_OF[move.piece]
    return changes


def against(setup: str, changes: dict[int, int]) -> Groups:
    """Only those of the changes that a setup does not show already, ascending."""
    return tuple(
        [item for item in sorted(changes.items()) if GROUP_OF[setup[item[0] - 1]] != item[1]]
    )


def subsets(squares: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All but the empty one, small ones first."""
    for size in range(1, len(squares) + 1):
        yield from combinations(squares, size)


@dataclass(frozen=True)
class Choices:
    """What can be played in a position: looked up once, used by every family."""

    position: Position
    plain: tuple[Move, ...]
    captures: tuple[Move, ...]
    waiting: tuple[Move, ...]
    """What the player who has to wait could do, captures also half-way."""
    innocent: frozenset[Groups]
    """What lawful moves, or none, make of the board: never a deed."""
    returning: tuple[int, ...]
    """Where kings stand that may capture all around and come back: they look not to have moved."""

    @property
    def lawful(self) -> tuple[Move, ...]:
        return self.captures or self.plain


@lru_cache(maxsize=64)
def choices(position: Position) -> Choices:
    """The moves of both players in a position."""
    plain, taking = plain_moves(position), captures(position)
    turned = Position(position.setup, position.turn.other)
    waiting = (*plain_moves(turned), *captures(turned), *unfinished(turned))
    results = (against(position.setup, occupants(move)) for move in taking or plain)
    returning = tuple(dict.fromkeys(m.start for m in taking if m.start == m.end))
    return Choices(position, plain, taking, waiting, frozenset(((), *results)), returning)


def deeds_at(position: Position, square: int) -> Iterator[Deed]:
    """Everything unlawful that one hand may have begun at a square, with the kind it would be."""
    known = choices(position)
    side = side_of(at(position.setup, square))
    if side is None:
        found = _added(square)
    elif side is position.turn:
        found = _by_the_mover(known, square)
    else:
        found = _by_the_other(known, square)
    return (deed for deed in found if deed.changes not in known.innocent)


def _by_the_mover(known: Choices, square: int) -> Iterator[Deed]:
    yield from _captures_in_progress(known, square)
    yield from _moves_with_another_removed(known, square)
    yield from _impossible_jumps(known, square)
    yield from _long_jumps(known, square)
    yield from _jumps_over_own(known, square)
    yield from _leaps_with_another_removed(known, square)
    yield from _displaced(known, square)
    yield from _removed(square)


def _by_the_other(known: Choices, square: int) -> Iterator[Deed]:
    yield from _taken_beforehand(known, square)
    yield from _out_of_turn(known, square)
    yield from _displaced(known, square)
    yield from _removed(square)


def _taken(setup: str, start: int, end: int, removed: Iterable[int]) -> Groups:
    """A piece goes from `start` to `end` and some pieces leave the board."""
    changes = dict.fromkeys((*removed, start), EMPTY_GROUP)
    changes[end] = GROUP_OF[setup[start - 1]]
    return against(setup, changes)


def _captures_in_progress(known: Choices, start: int) -> Iterator[Deed]:
    """A capture on its way: each square of the path with any of the jumped pieces taken off."""
    for move in known.captures:
        if move.start == start:
            for place in move.path[1:]:
                for removed in ((), *subsets(move.captured)):
                    yield _stage(known.position, move, place, removed)


def _stage(position: Position, move: Move, place: int, removed: tuple[int, ...]) -> Deed:
    done = place == move.end
    kind = Irregularity.JUMPED_PIECE_LEFT if done else Irregularity.CAPTURE_UNFINISHED
    left = tuple(square for square in move.captured if square not in removed)
    squares = (move.start, place, *(left if done else removed))
    changes = _taken(position.setup, move.start, place, removed)
    return Deed(kind, position.turn, squares, changes, TIDY_MS)


def _taken_beforehand(known: Choices, square: int) -> Iterator[Deed]:
    """Pieces to be jumped taken off before the jump, the jumping one in place or in the hand."""
    for move in known.captures:
        for removed in subsets(move.captured):
            if removed[0] != square:
                continue
            for lifted in ((), (move.start,)):
                changes = tuple((s, EMPTY_GROUP) for s in sorted((*removed, *lifted)))
                kind = Irregularity.WRONG_PIECE_REMOVED
                yield Deed(kind, known.position.turn, removed, changes, TIDY_MS)


def removal_kind(side: Side, piece: str) -> Irregularity:
    """What it is when a player takes a piece off that was not jumped (4.4)."""
    own = side.owns(piece)
    return Irregularity.OWN_PIECE_REMOVED if own else Irregularity.WRONG_PIECE_REMOVED


def _moves_with_another_removed(known: Choices, start: int) -> Iterator[Deed]:
    """A whole move, but a piece leaves the board that was not jumped (4.4)."""
    setup, turn = known.position.setup, known.position.turn
    for move in (*known.captures, *known.plain):
        if move.start != start:
            continue
        patience = MORE_MS if move.is_capture else AT_ONCE_MS
        for other in _pieces(setup, move.squares):
            kind = removal_kind(turn, at(setup, other))
            squares = (move.start, move.end, other)
            for kept in ((), *subsets(move.captured)):
                removed = (*(s for s in move.captured if s not in kept), other)
                changes = _taken(setup, move.start, move.end, removed)
                yield Deed(kind, turn, squares, changes, patience)


def _impossible_jumps(known: Choices, start: int) -> Iterator[Deed]:
    """Jumps that only a king could make, with what they take."""
    position, turn = known.position, known.position.turn
    crowned = Position(board.replace(position.setup, {start: turn.king}), turn)
    for move in (*captures(crowned), *unfinished(crowned)):
        if move.start == start:
            changes = _taken(position.setup, start, move.end, move.captured)
            squares = (start, move.end, *move.captured)
            yield Deed(Irregularity.ILLEGAL_STEP, turn, squares, changes)


def _diagonal(square: int, down: int, right: int) -> tuple[int, ...]:
    """The squares from one to the edge of the board, the nearest first."""
    row, column = cell_of(square)
    cells = (square_at(row + n * down, column + n * right) for n in range(1, 8))
    return tuple(cell for cell in cells if cell is not None)


DIAGONALS = {
    square: tuple(_diagonal(square, *way) for way in product((-1, 1), repeat=2))
    for square in SQUARES
}


def _long_jumps(known: Choices, start: int) -> Iterator[Deed]:
    """Jumps along a whole diagonal, as in other kinds of draughts, with what they take."""
    setup, turn = known.position.setup, known.position.turn
    for diagonal in DIAGONALS[start]:
        taken: list[int] = []
        for distance, square in enumerate(diagonal, start=1):
            side = side_of(at(setup, square))
            if side is turn:
                break
            if side is not None:
                taken.append(square)
            elif taken and (distance, len(taken)) != (2, 1):
                changes = _taken(setup, start, square, taken)
                yield Deed(Irregularity.ILLEGAL_STEP, turn, (start, square, *taken), changes)


def _jumps_over_own(known: Choices, start: int) -> Iterator[Deed]:
    """Single jumps over an own piece, which leaves the board."""
    setup, side = known.position.setup, known.position.turn
    for over, end in JUMPS[side.king][start]:
        if side.owns(at(setup, over)) and side_of(at(setup, end)) is None:
            changes = _taken(setup, start, end, (over,))
            yield Deed(Irregularity.OWN_PIECE_REMOVED, side, (start, end, over), changes)


def _leaps_with_another_removed(known: Choices, start: int) -> Iterator[Deed]:
    """Jumps over nobody, or an own piece, for which one of the other player's leaves the board."""
    setup, side = known.position.setup, known.position.turn
    for over, end in JUMPS[side.king][start]:
        if side_of(at(setup, end)) is not None or side_of(at(setup, over)) is side.other:
            continue
        for other in _pieces(setup):
            if side.other.owns(at(setup, other)):
                changes = _taken(setup, start, end, (other,))
                yield Deed(Irregularity.ILLEGAL_STEP, side, (start, end, other), changes, MORE_MS)


def _out_of_turn(known: Choices, start: int) -> Iterator[Deed]:
    """Moves of the player who has to wait (4.7), captures also half-way."""
    setup, waiting = known.position.setup, known.position.turn.other
    for move in known.waiting:
        if move.start != start:
            continue
        for removed in ((), *subsets(move.captured)):
            changes = _taken(setup, start, move.end, removed)
            squares = (start, move.end, *removed)
            patience = AT_ONCE_MS if len(removed) == len(move.captured) else MORE_MS
            yield Deed(Irregularity.WRONG_TURN, waiting, squares, changes, patience)


def _displaced(known: Choices, start: int) -> Iterator[Deed]:
    """Any piece on any square that its own side does not hold."""
    setup, turn = known.position.setup, known.position.turn
    side = side_of(at(setup, start))
    assert side is not None
    plain = {move.end for move in known.plain if move.start == start}
    mine = side is turn
    kind = Irregularity.ILLEGAL_STEP if mine else Irregularity.PIECE_DISPLACED
    for end in SQUARES:
        if not side.owns(setup[end - 1]):
            missed = Irregularity.CAPTURE_MISSED if end in plain else kind
            yield Deed(missed, side if mine else None, (start, end), _taken(setup, start, end, ()))


def _removed(square: int) -> Iterator[Deed]:
    yield Deed(Irregularity.PIECE_REMOVED, None, (square,), ((square, EMPTY_GROUP),), TIDY_MS)


def _added(square: int) -> Iterator[Deed]:
    for side in Side:
        changes = ((square, GROUP_OF[side.man]),)
        yield Deed(Irregularity.PIECE_ADDED, None, (square,), changes, MORE_MS)


def _pieces(setup: str, without: Iterable[int] = ()) -> tuple[int, ...]:
    """The occupied squares but for some."""
    return tuple(s for s in SQUARES if setup[s - 1] != board.EMPTY and s not in without)

"""Every way in which the board may have changed since the last known position.

A hypothesis is a row of lawful moves and perhaps an unlawful deed after them. It claims who
stands on which squares now, and has a cost before anyone looks: the rarer, the dearer.
Ranks play no part here; the history carries them. Which of two hypotheses is right the
evidence decides, on the squares they change and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

from referee import board
from referee.board import SQUARES, Side, at, side_of
from referee.events import Irregularity
from referee.rules import Move, Position, after, captures, lawful_moves, plain_moves, unfinished
from referee.sight import EMPTY_GROUP, GROUP_OF

Groups = tuple[tuple[int, int], ...]
"""The squares that look otherwise than before, with their new occupant, ascending."""

MOVE_COST = 50
REPLY_COST = 120
"""Two moves between two looks are rarer than one."""
COSTS = {
    Irregularity.CAPTURE_UNFINISHED: 150,
    Irregularity.JUMPED_PIECE_LEFT: 150,
    Irregularity.CAPTURE_MISSED: 250,
    Irregularity.WRONG_TURN: 280,
    Irregularity.PIECE_REMOVED: 300,
    Irregularity.OWN_PIECE_REMOVED: 450,
    Irregularity.WRONG_PIECE_REMOVED: 450,
    Irregularity.ILLEGAL_STEP: 400,
    Irregularity.PIECE_DISPLACED: 450,
    Irregularity.PIECE_ADDED: 400,
}

AT_ONCE_MS = 600
"""How long a finished deed must rest, hands off, before it is called an offence."""
HALF_WAY_MS = 1_100
"""A capture that rests half-way with a jumped piece taken off: players do pause, but less."""
TIDY_MS = 2_400
"""Jumped pieces come off one by one, and a lifted piece may be in a hand not seen."""


@dataclass(frozen=True)
class Deed:
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


@dataclass(frozen=True)
class Hypothesis:
    """Lawful moves from a position, then perhaps a deed."""

    moves: tuple[Move, ...]
    deed: Deed | None
    changes: Groups
    """All of it together, against the setup before the first move."""
    cost: int

    @property
    def squares(self) -> tuple[int, ...]:
        """The squares it claims to have changed."""
        return tuple(square for square, _ in self.changes)

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from others: the setup it leaves, and for several lawful moves the way
        there, which the record must not guess. The order of jumps in a capture is no matter."""
        if self.deed or len(self.moves) < 2:
            return (self.changes,)
        return self.changes, *((m.start, m.end, frozenset(m.captured)) for m in self.moves)


NOTHING = Hypothesis((), None, (), 0)


def cells(changes: Groups) -> tuple[int, ...]:
    """Where the changes stand in a flat list of 32 x 3 weights, square 1 first."""
    return tuple((square - 1) * 3 + group for square, group in changes)


REMEMBERED = 8
"""Positions whose tables are kept: those around the present one. A table takes half a megabyte."""

Table = tuple[tuple[int, tuple[int, ...], Hypothesis], ...]
"""Cost, cells and hypothesis: what is needed to add up quickly, made once per position."""


@lru_cache(maxsize=REMEMBERED)
def first_table(position: Position) -> Table:
    """Nothing, one or two lawful moves, and every deed from the position itself."""
    return _table(_first(position))


@lru_cache(maxsize=REMEMBERED)
def deeper_table(position: Position, move: Move) -> Table:
    """Every deed of either player after one lawful move."""
    return _table(_after_move(position, move))


def _table(hypotheses: Iterable[Hypothesis]) -> Table:
    """The cheapest hypothesis for every key, the first of equals."""
    best: dict[tuple[object, ...], Hypothesis] = {}
    for hypothesis in hypotheses:
        known = best.get(hypothesis.key)
        if known is None or hypothesis.cost < known.cost:
            best[hypothesis.key] = hypothesis
    return tuple((h.cost, cells(h.changes), h) for h in best.values())


def _first(position: Position) -> Iterator[Hypothesis]:
    yield NOTHING
    for move in lawful_moves(position):
        middle = after(position, move)
        changes = group_changes(position.setup, middle.setup)
        yield Hypothesis((move,), None, changes, MOVE_COST)
        for reply in lawful_moves(middle):
            both = group_changes(position.setup, after(middle, reply).setup)
            yield Hypothesis((move, reply), None, both, MOVE_COST + REPLY_COST)
    for deed in deeds(position):
        yield Hypothesis((), deed, deed.changes, deed.cost)


def _after_move(position: Position, move: Move) -> Iterator[Hypothesis]:
    middle = after(position, move)
    done = dict(group_changes(position.setup, middle.setup))
    for deed in (*deeds(middle), *_left_and_answered(position, move)):
        changes = against(position.setup, done | dict(deed.changes))
        yield Hypothesis((move,), deed, changes, MOVE_COST + REPLY_COST + deed.cost)


def _left_and_answered(position: Position, move: Move) -> Iterator[Deed]:
    """The opponent answers while a jumped piece still stands there (3.7)."""
    middle = after(position, move)
    for left in _subsets(move.captured):
        standing = {square: GROUP_OF[at(position.setup, square)] for square in left}
        for reply in lawful_moves(middle):
            changes = dict(group_changes(middle.setup, after(middle, reply).setup)) | standing
            squares = (move.start, move.end, *left)
            yield Deed(
                Irregularity.JUMPED_PIECE_LEFT, position.turn, squares, tuple(changes.items())
            )


def group_changes(before: str, now: str) -> Groups:
    """The squares whose occupant differs between two setups, ranks aside."""
    return tuple(
        (square, GROUP_OF[new])
        for square, old, new in zip(SQUARES, before, now, strict=True)
        if GROUP_OF[old] != GROUP_OF[new]
    )


def against(setup: str, changes: dict[int, int]) -> Groups:
    """Only those of the changes that a setup does not show already, ascending."""
    return tuple(
        (square, group)
        for square, group in sorted(changes.items())
        if GROUP_OF[at(setup, square)] != group
    )


def _subsets(squares: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All but the empty one, small ones first."""
    for size in range(1, len(squares) + 1):
        yield from combinations(squares, size)


@lru_cache(maxsize=REMEMBERED)
def deeds(position: Position) -> tuple[Deed, ...]:
    """Everything unlawful that one hand may have done, each with the kind it would be."""
    families = (
        _captures_in_progress(position),
        _captures_with_another_removed(position),
        _moves_with_another_removed(position),
        _impossible_jumps(position),
        _out_of_turn(position),
        _displaced(position),
        _removed(position),
        _added(position),
    )
    setup = position.setup
    results = [after(position, move).setup for move in lawful_moves(position)]
    innocent = {(), *(group_changes(setup, result) for result in results)}
    return tuple(
        replace(deed, changes=changes)
        for family in families
        for deed in family
        if (changes := against(setup, dict(deed.changes))) not in innocent
    )


def _taken(setup: str, start: int, end: int, removed: Iterable[int]) -> Groups:
    """A piece goes from `start` to `end` and some pieces leave the board."""
    changes = dict.fromkeys((*removed, start), EMPTY_GROUP)
    return tuple((changes | {end: GROUP_OF[at(setup, start)]}).items())


def _captures_in_progress(position: Position) -> Iterator[Deed]:
    """A capture on its way: each square of the path with any of the jumped pieces taken off."""
    for move in captures(position):
        yield from _stages(position, move)
        yield from _taken_beforehand(position, move)


def _stages(position: Position, move: Move) -> Iterator[Deed]:
    for place in move.path[1:]:
        for removed in ((), *_subsets(move.captured)):
            done = place == move.end
            if done and len(removed) == len(move.captured):
                continue
            kind = Irregularity.JUMPED_PIECE_LEFT if done else Irregularity.CAPTURE_UNFINISHED
            left = tuple(square for square in move.captured if square not in removed)
            squares = (move.start, place, *(left if done else removed))
            patience = HALF_WAY_MS if removed and not done else TIDY_MS
            changes = _taken(position.setup, move.start, place, removed)
            yield Deed(kind, position.turn, squares, changes, patience)


def _taken_beforehand(position: Position, move: Move) -> Iterator[Deed]:
    """Pieces to be jumped taken off before the jump, the jumping one in place or in the hand."""
    for removed in _subsets(move.captured):
        for lifted in ((), (move.start,)):
            changes = tuple((square, EMPTY_GROUP) for square in (*removed, *lifted))
            yield Deed(Irregularity.WRONG_PIECE_REMOVED, position.turn, removed, changes, TIDY_MS)


def _removal_kind(side: Side, piece: str) -> Irregularity:
    own = side.owns(piece)
    return Irregularity.OWN_PIECE_REMOVED if own else Irregularity.WRONG_PIECE_REMOVED


def _captures_with_another_removed(position: Position) -> Iterator[Deed]:
    """A whole capture, but a piece leaves the board that was not jumped (4.4)."""
    for move in captures(position):
        for other in _pieces(position.setup, (*move.captured, *move.path)):
            kind = _removal_kind(position.turn, at(position.setup, other))
            for kept in ((), *_subsets(move.captured)):
                removed = (*(s for s in move.captured if s not in kept), other)
                changes = _taken(position.setup, move.start, move.end, removed)
                squares = (move.start, move.end, other)
                yield Deed(kind, position.turn, squares, changes, HALF_WAY_MS)


def _moves_with_another_removed(position: Position) -> Iterator[Deed]:
    for move in plain_moves(position):
        for other in _pieces(position.setup, move.path):
            kind = _removal_kind(position.turn, at(position.setup, other))
            changes = _taken(position.setup, move.start, move.end, (other,))
            yield Deed(kind, position.turn, (move.start, move.end, other), changes)


def _impossible_jumps(position: Position) -> Iterator[Deed]:
    """Jumps that only a king could make, and jumps over an own piece, with what they take."""
    for start in _pieces(position.setup):
        piece = at(position.setup, start)
        if not position.turn.owns(piece):
            continue
        turn = position.turn
        crowned = Position(board.replace(position.setup, {start: turn.king}), turn)
        for move in (*captures(crowned), *unfinished(crowned)):
            if move.start == start:
                changes = _taken(position.setup, start, move.end, move.captured)
                squares = (start, move.end, *move.captured)
                yield Deed(Irregularity.ILLEGAL_STEP, position.turn, squares, changes)
        yield from _jumps_over_own(position, start)


def _jumps_over_own(position: Position, start: int) -> Iterator[Deed]:
    """What would be captures if the neighbours were the enemy's."""
    side = position.turn
    own = {s: side.other.man for s in _pieces(position.setup) if s != start}
    own = {s: sign for s, sign in own.items() if side.owns(at(position.setup, s))}
    turned = Position(board.replace(position.setup, own | {start: side.king}), side)
    for move in (*captures(turned), *unfinished(turned)):
        if move.start == start and len(move.captured) == 1 and move.captured[0] in own:
            changes = _taken(position.setup, start, move.end, move.captured)
            squares = (start, move.end, *move.captured)
            yield Deed(Irregularity.OWN_PIECE_REMOVED, side, squares, changes)


def _out_of_turn(position: Position) -> Iterator[Deed]:
    """Moves of the player who has to wait (4.7), captures also half-way."""
    waiting = position.turn.other
    turned = Position(position.setup, waiting)
    for move in (*plain_moves(turned), *captures(turned), *unfinished(turned)):
        for removed in ((), *_subsets(move.captured)):
            changes = _taken(position.setup, move.start, move.end, removed)
            squares = (move.start, move.end, *removed)
            patience = AT_ONCE_MS if len(removed) == len(move.captured) else HALF_WAY_MS
            yield Deed(Irregularity.WRONG_TURN, waiting, squares, changes, patience)


def _displaced(position: Position) -> Iterator[Deed]:
    """Any piece on any square that its own side does not hold."""
    plain = {(move.start, move.end) for move in plain_moves(position)}
    for start in _pieces(position.setup):
        piece = at(position.setup, start)
        side = side_of(piece)
        assert side is not None
        kind = _displacement_kind(position, side)
        for end in SQUARES:
            if side.owns(at(position.setup, end)):
                continue
            missed = (start, end) in plain
            yield Deed(
                Irregularity.CAPTURE_MISSED if missed else kind,
                side if side is position.turn else None,
                (start, end),
                _taken(position.setup, start, end, ()),
            )


def _displacement_kind(position: Position, side: Side) -> Irregularity:
    """The player to move steps wrongly; a piece of the other one has merely changed place."""
    mine = side is position.turn
    return Irregularity.ILLEGAL_STEP if mine else Irregularity.PIECE_DISPLACED


def _removed(position: Position) -> Iterator[Deed]:
    for square in _pieces(position.setup):
        changes = ((square, EMPTY_GROUP),)
        yield Deed(Irregularity.PIECE_REMOVED, None, (square,), changes, TIDY_MS)


def _added(position: Position) -> Iterator[Deed]:
    for square in SQUARES:
        if side_of(at(position.setup, square)) is None:
            for side in Side:
                changes = ((square, GROUP_OF[side.man]),)
                yield Deed(Irregularity.PIECE_ADDED, None, (square,), changes, HALF_WAY_MS)


def _pieces(setup: str, without: Iterable[int] = ()) -> tuple[int, ...]:
    """The occupied squares but for some."""
    return tuple(s for s in SQUARES if side_of(at(setup, s)) is not None and s not in without)

"""Every way in which the board may have changed since the last known position.

A hypothesis is a row of lawful moves and perhaps an unlawful deed after them. It claims who
stands on which squares now, and has a cost before anyone looks: the rarer, the dearer.
Ranks play no part here; the history carries them. Which of two hypotheses is right the
evidence decides, on the squares they change and nowhere else.

Hypotheses come in tables, one for each square that loses its piece first (or gains one): only
the tables of squares that look disturbed are ever made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from referee.board import SQUARES, at
from referee.deeds import (
    TIDY_MS,
    Deed,
    Groups,
    against,
    choices,
    deeds_at,
    occupants,
    squares_of,
    subsets,
)
from referee.events import Irregularity
from referee.rules import Line, Move, Position, after
from referee.sight import GROUP_OF
from referee.weights import place

MOVE_COST, REPLY_COST = 50, 120
"""What a move costs, and each further one between two looks: two are rarer than one."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Lawful moves from a position, then perhaps a deed."""

    moves: Line
    deed: Deed | None
    changes: Groups
    """All of it together, against the setup before the first move."""
    cost: int

    @property
    def changed(self) -> tuple[int, ...]:
        """The squares it claims to have changed."""
        return squares_of(self.changes)

    @property
    def kind(self) -> Irregularity | None:
        """What kind of deed it has; None without one."""
        return self.deed.kind if self.deed else None

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from others: the setup it leaves, and for several lawful moves the way
        there, which the record must not guess. The order of jumps in a capture is no matter."""
        if self.deed or len(self.moves) < 2:
            return (self.changes,)
        return self.changes, *((m.start, m.end, frozenset(m.captured)) for m in self.moves)


NOTHING = Hypothesis((), None, (), 0)

REMEMBERED = 256
"""Tables kept: those of the squares in play around the present position, some 10 MB at most."""

Table = tuple[tuple[int, tuple[int, ...], Hypothesis], ...]
"""Cost, places of the weights and hypothesis: what is needed to add up quickly, made once per
position."""


@lru_cache(maxsize=REMEMBERED)
def moves_at(position: Position, square: int) -> Table:
    """One or two lawful moves, the first of them by the piece on the square."""
    return _table(_moves(position, square))


@lru_cache(maxsize=REMEMBERED)
def unlawful_at(position: Position, square: int) -> Table:
    """Every deed that begins at the square."""
    found = deeds_at(position, square)
    return _table(Hypothesis((), deed, deed.changes, deed.cost) for deed in found)


@lru_cache(maxsize=REMEMBERED)
def left_after(position: Position, move: Move) -> Table:
    """The opponent answers a capture while a jumped piece still stands there (3.7)."""
    return _table(_left_and_answered(position, move))


def _table(hypotheses: Iterable[Hypothesis]) -> Table:
    """The cheapest hypothesis for every key, the first of equals."""
    best: dict[tuple[object, ...], Hypothesis] = {}
    for hypothesis in hypotheses:
        known = best.get(hypothesis.key)
        if known is None or hypothesis.cost < known.cost:
            best[hypothesis.key] = hypothesis
    return tuple((h.cost, _places(h.changes), h) for h in best.values())


def _places(changes: Groups) -> tuple[int, ...]:
    return tuple([place(square, group) for square, group in changes])


def _moves(position: Position, square: int) -> Iterator[Hypothesis]:
    setup = position.setup
    for move in choices(position).lawful:
        if move.start != square:
            continue
        done = occupants(move)
        yield Hypothesis((move,), None, against(setup, done), MOVE_COST)
        for reply in choices(after(position, move)).lawful:
            both = against(setup, done | occupants(reply))
            yield Hypothesis((move, reply), None, both, MOVE_COST + REPLY_COST)


def _left_and_answered(position: Position, move: Move) -> Iterator[Hypothesis]:
    kind, setup = Irregularity.JUMPED_PIECE_LEFT, position.setup
    middle = after(position, move)
    for left in subsets(move.captured):
        standing = {square: GROUP_OF[at(setup, square)] for square in left}
        for reply in choices(middle).lawful:
            changed = occupants(reply) | standing
            squares = (move.start, move.end, *left)
            deed = Deed(kind, position.turn, squares, against(middle.setup, changed), TIDY_MS)
            changes = against(setup, occupants(move) | changed)
            yield Hypothesis((move,), deed, changes, MOVE_COST + REPLY_COST + deed.cost)


def group_changes(before: str, now: str) -> Groups:
    """The squares whose occupant differs between two setups, ranks aside."""
    return tuple(
        (square, GROUP_OF[new])
        for square, old, new in zip(SQUARES, before, now, strict=True)
        if GROUP_OF[old] != GROUP_OF[new]
    )

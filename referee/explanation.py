"""Which hypothesis the evidence bears out, by how much, and against what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest

from referee.board import SQUARES, Side
from referee.deeds import against, choices, occupants
from referee.disorder import free
from referee.events import Irregularity
from referee.hypotheses import (
    MOVE_COST,
    NOTHING,
    REPLY_COST,
    Hypothesis,
    Table,
    left_after,
    moves_at,
    unlawful_at,
)
from referee.order import lay_apart
from referee.prices import prices
from referee.rules import Line, Move, Position, after
from referee.sight import EMPTY_GROUP, Sight
from referee.weights import FULL, Weights, place, three_of, weigh

CONTRADICTED = 600
"""A piece whose square speaks so strongly for it that nothing about it is tried out: no
hypothesis that it left comes near the best one."""
IMPLAUSIBLE = 200
"""A first move that its own squares contradict by more is not followed further."""
KEPT = 25
"""Hypotheses kept of what may have begun, of what may follow each move, and each row of moves:
enough for a rival to any beginning among the likely ones."""
NAMELESS = (Irregularity.UPSET, Irregularity.PIECE_DISPLACED)
"""Names of what fits no rule."""
BY_TWO_MOVES = (Irregularity.JUMPED_PIECE_LEFT, Irregularity.WRONG_TURN)
"""What a capture and its answer leave behind, or two moves that one player has made."""
ONE_PIECE = 2
"""Squares that a piece changes which is elsewhere."""
LINE_COST = 60
"""A glimpsed row of moves is dearer than none, and cheaper than moves never glimpsed."""

Scored = tuple[int, Hypothesis]


@dataclass(frozen=True)
class Explanation:
    """All hypotheses that matter, best first."""

    ranking: tuple[Scored, ...]
    """Different setups only, each with its score in centinats."""
    weights: tuple[int, ...]

    @property
    def best(self) -> Hypothesis:
        return self.ranking[0][1]

    @property
    def score(self) -> int:
        return self.ranking[0][0]

    def margin(self, moves: int = 0) -> int:
        """The lead over the best hypothesis that does not begin with the same moves.

        With `moves` 0 over every other setup.
        """
        return self.score - max((score for score, _ in self.rivals(moves)), default=-FULL)

    def rivals(self, moves: int) -> Iterator[Scored]:
        """The hypotheses behind the best one that do not begin with the same moves, best first."""
        head = self.best.moves[:moves]
        return (rival for rival in self.ranking[1:] if not moves or rival[1].moves[:moves] != head)

    def says(self, square: int, group: int) -> int:
        """How much a square says for an occupant against the one that should be there."""
        return self.weights[place(square, group)]

    def denies(self, square: int) -> int:
        """How much a square says at most against the occupant that should be there."""
        return max(three_of(self.weights, square))

    def said(self, squares: tuple[int, ...]) -> tuple[int, ...]:
        """How much each of the changed ones among `squares` speaks for it, the least first."""
        return tuple(
            sorted(self.says(*change) for change in self.best.changes if change[0] in squares)
        )

    def weakest(self, squares: tuple[int, ...]) -> int:
        """How much the least convincing of the changed ones among `squares` speaks for it."""
        return min(self.said(squares), default=FULL)

    def clear_lead(self, score: int, other: Hypothesis, least: int) -> int:
        """The lead over another hypothesis of this score by the clear squares alone: those that
        look as the best one has it by `least` centinats against whatever else; where it has a piece
        too many, or one that was jumped, against what the other has, for whose that piece is does
        not matter."""
        added = self.best.kind is Irregularity.PIECE_ADDED
        left = self.best.kind is Irregularity.JUMPED_PIECE_LEFT
        mine, its = dict(self.best.changes), dict(other.changes)
        lead = self.score - score
        for square in mine.keys() | its.keys():
            three = three_of(self.weights, square)
            ours, theirs = (_said(three, groups.get(square)) for groups in (mine, its))
            anybody = added or (left and square not in mine)
            if ours > theirs and (theirs if anybody else sorted(three)[1]) > ours - least:
                lead -= ours - theirs
        return lead

    def lawful(self, within: int) -> tuple[Hypothesis, ...]:
        """Lawful explanations at most `within` centinats behind the best, best first."""
        return tuple(
            h for score, h in self.ranking if h.moves and not h.deed and score > self.score - within
        )


def explain(
    position: Position,
    sight: Sight,
    lines: Iterable[Line],
    hands: frozenset[Side],
    since_ms: int,
) -> Explanation:
    """Weigh every hypothesis against the sight.

    `lines` are rows of lawful moves that have been glimpsed: what may have followed each of
    them competes too. Deeds after a move that nobody has seen are tried only when nothing
    simpler is lawful. `hands` are the players who may have moved since the time `since_ms`, when
    the board was in order: two moves of which one was made by nobody's hand are unlikely.
    """
    weights = weigh(position, sight, since_ms)
    disturbed = _disturbed(weights)
    disturbed += tuple(s for s in choices(position).returning if s not in disturbed)
    scored = _best([(0, NOTHING), *_beginning(position, weights, disturbed)])
    best = scored[0][1]
    if best.deed is not None:
        for move in _plausible(position, weights, disturbed):
            scored += _after_move(position, move, weights)
    elif len(best.moves) > 1 and best.moves[0].captured:
        scored += _best(_scores(left_after(position, best.moves[0]), weights))
    for line in lines:
        scored += _after_line(position, line, weights)
    price = prices(position, sight, weights, hands, since_ms)
    scored = [(score - price.of(h), h) for score, h in scored]
    scored.append(free(position.setup, weights))
    return Explanation(tuple(_different(scored, sight)), tuple(weights))


def _said(three: Sequence[int], group: int | None) -> int:
    """What a square says for a new occupant, or (None) for the expected one."""
    return 0 if group is None else three[group]


def _disturbed(weights: Weights) -> tuple[int, ...]:
    """The squares that do not clearly show who is expected there."""
    return tuple(
        square for square in SQUARES if sorted(three_of(weights, square))[1] > -CONTRADICTED
    )


def _beginning(position: Position, weights: Weights, squares: Iterable[int]) -> list[Scored]:
    """Everything that may have begun at some squares."""
    scored: list[Scored] = []
    for square in squares:
        scored += _scores(moves_at(position, square), weights)
        scored += _scores(unlawful_at(position, square), weights)
    return scored


def _after_move(position: Position, move: Move, weights: Weights) -> Iterator[Scored]:
    """Every deed of either player after one lawful move that nobody has seen."""
    now, done = after(position, move), occupants(move)
    rebased, start = _rebased(done, weights)
    scored: list[Scored] = []
    for square in _disturbed(rebased):
        scored += _scores(unlawful_at(now, square), rebased)
    start -= MOVE_COST + REPLY_COST
    yield from _joined(position, (move,), done, start, _best(scored))
    yield from _best(_scores(left_after(position, move), weights))


def _after_line(position: Position, line: Line, weights: Weights) -> Iterator[Scored]:
    """What may have followed some moves, told as changes of the position before them."""
    now, done = position, dict[int, int]()
    for move in line:
        now, done = after(now, move), done | occupants(move)
    rebased, start = _rebased(done, weights)
    start -= LINE_COST + MOVE_COST * len(line)
    followed = [(0, NOTHING), *_beginning(now, rebased, _disturbed(rebased))]
    yield from _joined(position, line, done, start, _best(followed))


def _joined(
    position: Position, line: Line, done: dict[int, int], start: int, scored: Iterable[Scored]
) -> Iterator[Scored]:
    """Hypotheses about a later position, told from an earlier one with the moves between."""
    for score, later in scored:
        changes = against(position.setup, done | dict(later.changes))
        moves = (*line, *later.moves)
        yield start + score, Hypothesis(moves, later.deed, changes, later.cost)


def _rebased(done: dict[int, int], weights: Weights) -> tuple[Weights, int]:
    """The same weights against other occupants of some squares, and what these gain."""
    rebased, gained = list(weights), 0
    for square, group in done.items():
        base, start = weights[place(square, group)], place(square, EMPTY_GROUP)
        gained += base
        rebased[start : start + 3] = [w - base for w in three_of(weights, square)]
    return rebased, gained


def _score(scored: Scored) -> int:
    return scored[0]


def _scores(table: Table, weights: Weights) -> list[Scored]:
    scored = []
    for cost, places, hypothesis in table:
        score = -cost
        for each in places:
            score += weights[each]
        scored.append((score, hypothesis))
    return scored


def _best(scored: list[Scored]) -> list[Scored]:
    """The best few, best first; the first of equals stays first."""
    return nlargest(KEPT, scored, key=_score)


def _plausible(position: Position, weights: Weights, disturbed: tuple[int, ...]) -> Iterator[Move]:
    """The lawful moves that the evidence does not contradict by themselves."""
    for move in choices(position).lawful:
        if move.start in disturbed:
            changes = against(position.setup, occupants(move))
            if sum(weights[place(s, group)] for s, group in changes) > -IMPLAUSIBLE:
                yield move


def _different(scored: list[Scored], sight: Sight) -> Iterator[Scored]:
    """Best first; of several that leave the same setup only the simplest of the best."""
    kept: dict[tuple[object, ...], Scored] = {}
    for score, hypothesis in sorted(scored, key=_score, reverse=True):
        known = kept.get(hypothesis.key)
        if known is None or _simpler(hypothesis, known[1], sight):
            kept[hypothesis.key] = (known or (score, hypothesis))[0], hypothesis
    yield from kept.values()


def _simpler(one: Hypothesis, other: Hypothesis, sight: Sight) -> bool:
    """A deed alone explains the same setup better than a move nobody has seen and a deed; but
    pieces that are upset are so at once, disorder never looks like what two moves leave, nor one
    piece that is elsewhere like several, and a piece more than before was added, all else being a
    move."""
    if not one.deed or not other.deed:
        return False
    kinds = one.deed.kind, other.deed.kind
    if kinds == (Irregularity.PIECE_ADDED, Irregularity.PIECE_DISPLACED):
        return True
    if kinds == (Irregularity.PIECE_DISPLACED, Irregularity.PIECE_ADDED):
        return False
    if len(one.moves) >= len(other.moves):
        return False
    if one.deed.kind in NAMELESS and other.deed.kind in BY_TWO_MOVES:
        return False
    several = len(one.changes) > ONE_PIECE
    if one.deed.kind is Irregularity.PIECE_DISPLACED and several and other.deed.side:
        return False
    return one.deed.kind is not Irregularity.UPSET or not lay_apart(sight, other.moves, other.deed)

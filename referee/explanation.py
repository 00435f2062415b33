"""Which hypothesis the evidence bears out, by how much, and against what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.board import SQUARES, at, side_of
from referee.events import Irregularity
from referee.hypotheses import (
    HALF_WAY_MS,
    NOTHING,
    TIDY_MS,
    Deed,
    Groups,
    Hypothesis,
    Table,
    deeper_table,
    first_table,
    group_changes,
)
from referee.rules import Move, Position, after, lawful_moves
from referee.sight import EMPTY_GROUP, GROUP_OF, Glance, Sight

FULL = 900
"""The most that one square can say, in centinats: no single square decides everything."""
FAINT = 200
"""The most that a square can say for a change when no hand had been there."""
FAINT_MS = 4_000
"""A hand may have been missed: after this time even such a change counts..."""
LASTING = 500
"""...but for no more than this."""
FREE_COST = 300
FREE_SQUARE_COST = 350
"""The hypothesis that fits any board pays for every square: it wins only where nothing else
explains the board, and then nothing may be explained away."""
UPSET_SQUARES = 4
"""From so many unexplained squares on the pieces are upset."""

Weights = list[int]
"""32 x 3 centinats for empty, red and white, against the expected occupant; square 1 first."""
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
        head = self.best.moves[:moves]
        rivals = (
            score for score, other in self.ranking[1:] if not moves or other.moves[:moves] != head
        )
        return self.score - max(rivals, default=-FULL)

    def weakest(self) -> int:
        """How much the least convincing of the changed squares speaks for its change."""
        gains = (self.weights[(s - 1) * 3 + group] for s, group in self.best.changes)
        return min(gains, default=0)

    def lawful(self, within: int) -> tuple[Hypothesis, ...]:
        """Lawful explanations at most `within` centinats behind the best, best first."""
        return tuple(
            h for score, h in self.ranking if h.moves and not h.deed and score > self.score - within
        )


def weigh(position: Position, sight: Sight) -> Weights:
    """What each square says for each occupant against the one that should be there."""
    weights: Weights = []
    for glance, appearance in zip(sight.squares, position.setup, strict=True):
        weights += _square_weights(glance, GROUP_OF[appearance], sight.time_ms)
    return weights


def _square_weights(glance: Glance, expected: int, now: int) -> tuple[int, int, int]:
    if not glance.visible:
        return (0, 0, 0)
    most = _most(glance, now)
    empty, red, white = glance.weights()
    base = (empty, red, white)[expected]
    return (
        max(-FULL, min(most, empty - base)),
        max(-FULL, min(most, red - base)),
        max(-FULL, min(most, white - base)),
    )


def _most(glance: Glance, now: int) -> int:
    if glance.touched:
        return FULL
    return LASTING if now - glance.turned_ms > FAINT_MS else FAINT


def explain(position: Position, sight: Sight) -> Explanation:
    """Weigh every hypothesis against the sight.

    Deeds after a move that nobody has seen are tried only when nothing simpler is lawful.
    """
    weights = weigh(position, sight)
    scored = _scores(first_table(position), weights)
    if max(scored, key=_score)[1].deed is not None:
        for move in _plausible(position, weights):
            scored += _scores(deeper_table(position, move), weights)
    scored.append(_free(position, weights))
    return Explanation(tuple(_different(scored)), tuple(weights))


def _score(scored: Scored) -> int:
    return scored[0]


def _scores(table: Table, weights: Weights) -> list[Scored]:
    scored = []
    for cost, places, hypothesis in table:
        score = -cost
        for place in places:
            score += weights[place]
        scored.append((score, hypothesis))
    return scored


def _plausible(position: Position, weights: Weights) -> Iterator[Move]:
    """The lawful moves that the evidence does not contradict by themselves."""
    for move in lawful_moves(position):
        changes = group_changes(position.setup, after(position, move).setup)
        if sum(weights[(s - 1) * 3 + group] for s, group in changes) > -FAINT:
            yield move


def _different(scored: list[Scored]) -> Iterator[Scored]:
    """Best first; of several that leave the same setup only the best, all far behind dropped."""
    seen: set[Groups] = set()
    for score, hypothesis in sorted(scored, key=_score, reverse=True)[:KEPT]:
        if hypothesis.changes not in seen:
            seen.add(hypothesis.changes)
            yield score, hypothesis


KEPT = 60
"""Hypotheses remembered: enough for a rival to any beginning among the likely ones."""


def _free(position: Position, weights: Weights) -> Scored:
    """Every square as it looks best, at a price for each that changes."""
    score, changes = -FREE_COST, []
    for square in SQUARES:
        three = weights[3 * square - 3 : 3 * square]
        gain = max(three)
        if gain > FREE_SQUARE_COST:
            score += gain - FREE_SQUARE_COST
            changes.append((square, three.index(gain)))
    if not changes:
        return -FREE_COST, NOTHING
    return score, Hypothesis((), _unexplained(position.setup, tuple(changes)), tuple(changes), 0)


def _unexplained(setup: str, changes: Groups) -> Deed:
    """A name for changes that no family of deeds covers."""
    gone = [s for s, _ in changes if side_of(at(setup, s)) is not None]
    come = [s for s, group in changes if group != EMPTY_GROUP]
    squares = (*gone, *(s for s in come if s not in gone))
    kind, patience = _unexplained_kind(len(changes), bool(gone), bool(come))
    return Deed(kind, None, squares, changes, patience)


def _unexplained_kind(changed: int, gone: bool, come: bool) -> tuple[Irregularity, int]:
    if changed >= UPSET_SQUARES:
        return Irregularity.UPSET, TIDY_MS
    if gone and come:
        return Irregularity.PIECE_DISPLACED, HALF_WAY_MS
    return (Irregularity.PIECE_REMOVED if gone else Irregularity.PIECE_ADDED), TIDY_MS


def text_squares(changes: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """The squares of some changes, ascending."""
    return tuple(sorted(square for square, _ in changes))

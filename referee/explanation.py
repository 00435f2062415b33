"""Which hypothesis the evidence bears out, by how much, and against what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import nlargest

from referee.board import SQUARES, Side, at, side_of
from referee.deeds import HALF_WAY_MS, TIDY_MS, Deed, Groups, against, choices, occupants
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
from referee.rules import Move, Position, after
from referee.sight import EMPTY_GROUP, GROUP_OF, Glance, Sight

TYPICAL = 800
"""Evidence is scaled so that the median square speaks for its occupant with so many centinats:
how boldly an eye speaks differs from eye to eye and from light to light."""
FAINTEST, BOLDEST = 300, 1_600
"""The scaling is held within these medians: an eye that hardly sees must not shout."""
FEWEST_SQUARES = 12
"""With fewer squares in view their median says little; nothing is scaled."""
FULL = 900
"""The most that one square can say, in centinats: no single square decides everything."""
FAR = 250
"""The most that a square can say for a change when a hand was about, but not near it: fingers
reach further than an eye sees the hand."""
FAINT = 150
"""The most that a square can say for a change when no hand had been about."""
FAINT_MS = 4_000
"""A hand may have been missed: after this time even such a change counts..."""
LASTING = 500
"""...but for no more than this."""
FREE_COST = 300
FREE_SQUARE_COST = 350
"""The hypothesis that fits any board pays for every square: it wins only where nothing else
explains the board, and then nothing may be explained away."""
UPSET_SQUARES = 4
"""From so many unexplained squares on the pieces are upset; so many clear changes at once are
no slips of the eye, whether or not a hand was seen."""
CONTRADICTED = 600
"""A piece whose square speaks so strongly for it that nothing about it is tried out: no
hypothesis that it left comes near the best one."""
IMPLAUSIBLE = 200
"""A first move that its own squares contradict by more is not followed further."""
KEPT = 25
"""Hypotheses kept of each table: enough for a rival to any beginning among the likely ones."""
UNTOUCHED_COST = 150
"""What a deed pays for every square that no hand was near: it is done by a hand."""
UNHANDED_COST = 500
"""What a move pays whose player's hand has not been seen."""
LINE_COST = 60
"""A glimpsed row of moves is dearer than none, and cheaper than moves never glimpsed."""

Line = tuple[Move, ...]
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

    def said(self, squares: tuple[int, ...]) -> tuple[int, ...]:
        """How much each of the changed ones among `squares` speaks for it, the least first."""
        changes = ((s, group) for s, group in self.best.changes if s in squares)
        return tuple(sorted(self.weights[(s - 1) * 3 + group] for s, group in changes))

    def weakest(self, squares: tuple[int, ...]) -> int:
        """How much the least convincing of the changed ones among `squares` speaks for it."""
        return min(self.said(squares), default=FULL)

    def lawful(self, within: int) -> tuple[Hypothesis, ...]:
        """Lawful explanations at most `within` centinats behind the best, best first."""
        return tuple(
            h for score, h in self.ranking if h.moves and not h.deed and score > self.score - within
        )


def weigh(position: Position, sight: Sight) -> Weights:
    """What each square says for each occupant against the one that should be there."""
    weights: Weights = []
    typical = typical_gap(sight)
    expected = [GROUP_OF[appearance] for appearance in position.setup]
    changed = sum(
        glance.visible and glance.group != group and _gap(glance) >= typical // 2
        for glance, group in zip(sight.squares, expected, strict=True)
    )
    for glance, group in zip(sight.squares, expected, strict=True):
        most = FULL if changed >= UPSET_SQUARES else _most(glance, sight.time_ms)
        weights += _square_weights(glance, group, most, typical)
    return weights


def claims(
    position: Position, sight: Sight, most: Iterable[int]
) -> tuple[tuple[int, int, int], ...]:
    """What each square says against nobody's, Red's and White's standing there, in centinats.

    `most` is for each square the most that it may say, 0 for one that is not in view; it may say
    less if it looks otherwise than in the position and no hand was there.
    """
    typical, now = typical_gap(sight), sight.time_ms
    return tuple(
        [
            _against(
                glance,
                limit if glance.group == GROUP_OF[piece] else min(limit, _most(glance, now)),
                typical,
            )
            for glance, piece, limit in zip(sight.squares, position.setup, most, strict=True)
        ]
    )


def _against(glance: Glance, most: int, typical: int) -> tuple[int, int, int]:
    if not most:
        return (0, 0, 0)
    weights = glance.weights()
    shown = weights[glance.group]
    empty, red, white = (max(0, min(most, (shown - w) * TYPICAL // typical)) for w in weights)
    return empty, red, white


def typical_gap(sight: Sight) -> int:
    """How strongly the median square in view prefers its best occupant to the next."""
    gaps = sorted(_gap(glance) for glance in sight.squares if glance.visible)
    if len(gaps) < FEWEST_SQUARES:
        return TYPICAL
    return max(FAINTEST, min(BOLDEST, gaps[len(gaps) // 2]))


def _gap(glance: Glance) -> int:
    _, second, best = sorted(glance.weights())
    return best - second


def _square_weights(glance: Glance, expected: int, most: int, typical: int) -> Iterable[int]:
    if not glance.visible:
        return (0, 0, 0)
    weights = glance.weights()
    base = weights[expected]
    return (max(-FULL, min(most, (w - base) * TYPICAL // typical)) for w in weights)


def _most(glance: Glance, now: int) -> int:
    if glance.touched:
        return FULL
    if now - glance.turned_ms > FAINT_MS:
        return LASTING
    return FAR if glance.attended else FAINT


def explain(
    position: Position,
    sight: Sight,
    lines: Iterable[Line] = (),
    hands: frozenset[Side] = frozenset(Side),
) -> Explanation:
    """Weigh every hypothesis against the sight.

    `lines` are rows of lawful moves that have been glimpsed: what may have followed each of
    them competes too. Deeds after a move that nobody has seen are tried only when nothing
    simpler is lawful. `hands` are the players who may have moved: two moves of which one was
    made by nobody's hand are unlikely.
    """
    weights = weigh(position, sight)
    disturbed = _disturbed(weights)
    scored = _best([(0, NOTHING), *_beginning(position, weights, disturbed)])
    if scored[0][1].deed is not None:
        for move in _plausible(position, weights, disturbed):
            scored += _after_move(position, move, weights)
    for line in lines:
        scored += _after_line(position, line, weights)
    untouched = _untouched(position, sight)
    scored = [
        (score - _unhanded(position, h, hands) - _unreached(h, untouched), h) for score, h in scored
    ]
    scored.append(_free(position, weights))
    return Explanation(tuple(_different(scored)), tuple(weights))


def _disturbed(weights: Weights) -> tuple[int, ...]:
    """The squares that do not clearly show who is expected there."""
    return tuple(
        square
        for square in SQUARES
        if sorted(weights[3 * square - 3 : 3 * square])[1] > -CONTRADICTED
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


def _untouched(position: Position, sight: Sight) -> frozenset[int]:
    """The squares that have changed without a hand near them."""
    return frozenset(
        square
        for square, glance, piece in zip(SQUARES, sight.squares, position.setup, strict=True)
        if glance.visible and not glance.touched and glance.group != GROUP_OF[piece]
    )


def _unreached(hypothesis: Hypothesis, untouched: frozenset[int]) -> int:
    if not untouched or hypothesis.deed is None:
        return 0
    return UNTOUCHED_COST * len(untouched.intersection(hypothesis.squares))


def _unhanded(position: Position, hypothesis: Hypothesis, hands: frozenset[Side]) -> int:
    """The price of moves by a player whose hand has not been seen."""
    if len(hands) == 2 or len(hypothesis.moves) < 2:
        return 0
    turn, count = position.turn, len(hypothesis.moves)
    return UNHANDED_COST * (
        (turn not in hands) * ((count + 1) // 2) + (turn.other not in hands) * (count // 2)
    )


def _rebased(done: dict[int, int], weights: Weights) -> tuple[Weights, int]:
    """The same weights against other occupants of some squares, and what these gain."""
    rebased, gained = list(weights), 0
    for square, group in done.items():
        place = 3 * square - 3
        base = weights[place + group]
        gained += base
        rebased[place : place + 3] = [w - base for w in weights[place : place + 3]]
    return rebased, gained


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


def _best(scored: list[Scored]) -> list[Scored]:
    """The best few, best first; the first of equals stays first."""
    return nlargest(KEPT, scored, key=_score)


def _plausible(position: Position, weights: Weights, disturbed: tuple[int, ...]) -> Iterator[Move]:
    """The lawful moves that the evidence does not contradict by themselves."""
    for move in choices(position).lawful:
        if move.start in disturbed:
            changes = against(position.setup, occupants(move))
            if sum(weights[s * 3 - 3 + group] for s, group in changes) > -IMPLAUSIBLE:
                yield move


def _different(scored: list[Scored]) -> Iterator[Scored]:
    """Best first; of several that leave the same setup only the simplest of the best."""
    kept: dict[tuple[object, ...], Scored] = {}
    for score, hypothesis in sorted(scored, key=_score, reverse=True):
        known = kept.get(hypothesis.key)
        if known is None or _simpler(hypothesis, known[1]):
            kept[hypothesis.key] = (known or (score, hypothesis))[0], hypothesis
    yield from kept.values()


def _simpler(one: Hypothesis, other: Hypothesis) -> bool:
    """A deed alone explains the same setup better than a move nobody has seen and a deed."""
    return bool(one.deed and other.deed) and len(one.moves) < len(other.moves)


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

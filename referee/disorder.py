"""The hypothesis that fits any board: every square as it looks best."""

from __future__ import annotations

from referee.board import SQUARES, at, side_of
from referee.deeds import MORE_MS, TIDY_MS, Deed, Groups
from referee.events import Irregularity
from referee.hypotheses import NOTHING, Hypothesis
from referee.sight import EMPTY_GROUP
from referee.weights import UPSET_SQUARES, Weights, three_of

FREE_COST = 300
FREE_SQUARE_COST = 350
"""The hypothesis that fits any board pays for every square: it wins only where nothing else
explains the board, and then nothing may be explained away."""
FURTHER_SQUARE_COST = 150
"""What it pays for each from the fifth on: pieces that are upset are so by one accident."""
SCATTERED = 3
"""So many pieces that are gone without a reason have been upset."""


def free(setup: str, weights: Weights) -> tuple[int, Hypothesis]:
    """Every square as it looks best, at a price for each that changes."""
    gained, changes = 0, []
    for square in SQUARES:
        three = three_of(weights, square)
        gain = max(three)
        if gain > FREE_SQUARE_COST:
            gained += gain
            changes.append((square, three.index(gain)))
    if not changes:
        return -FREE_COST, NOTHING
    further = max(0, len(changes) - UPSET_SQUARES)
    few = len(changes) - further
    score = gained - FREE_COST - FREE_SQUARE_COST * few - FURTHER_SQUARE_COST * further
    return score, Hypothesis((), _unexplained(setup, tuple(changes)), tuple(changes), 0)


def _unexplained(setup: str, changes: Groups) -> Deed:
    """A name for changes that no family of deeds covers."""
    gone = [s for s, _ in changes if side_of(at(setup, s)) is not None]
    come = [s for s, group in changes if group != EMPTY_GROUP]
    squares = (*gone, *(s for s in come if s not in gone))
    kind, patience = _unexplained_kind(len(changes), bool(gone), bool(come))
    return Deed(kind, None, squares, changes, patience)


def _unexplained_kind(changed: int, gone: bool, come: bool) -> tuple[Irregularity, int]:
    if changed >= UPSET_SQUARES:
        return Irregularity.UPSET, MORE_MS
    if changed >= SCATTERED and not come:
        return Irregularity.UPSET, TIDY_MS
    if come:
        return (Irregularity.PIECE_DISPLACED if gone else Irregularity.PIECE_ADDED), MORE_MS
    return Irregularity.PIECE_REMOVED, TIDY_MS

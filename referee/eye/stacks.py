"""Man or king: one disc or two, of the thickness that the discs of this set have.

The ranker tells for each disc how likely a man, or a king, of each thickness would look so. All
discs of a set are equally thick: a king is told by that, and by no fixed height. What cannot be
seen, as from straight above, stays undecided by itself.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Levels
from calibration.model import View
from referee.board import is_king, side_of
from referee.eye.patches import CELLS, Floats
from referee.eye.reader import DOUBLING, LEVELS, THICKNESSES, THINNEST

LEARNT = float(np.log(11585 / 22873))
"""Log-odds of a king among the discs that the ranker learnt from, which its answers contain."""
RARE = float(np.log(0.07 / 0.93))
"""Log-odds of a king in a picture of which nothing is known: of the pieces in all positions of
sixty tournament games 7 in 100 are kings."""
TEMPER, UNKNOWN_TEMPER = 0.85, 0.7
"""Weight of the ranker's log-odds, which is surer than it should be: of a set whose thickness is
known, and of one that it sees for the first time."""
SUREST = 6.0
"""Nats that one look can say about a crown."""
PLAIN_PX, FAINT_PX = 4.0, 2.0
"""Height of a disc's wall in the picture: above the first a king is plain, below the second it
is hardly to be seen."""
SHARED = 0.25
"""Weight of one disc's word about the thickness: what errs for one errs for its neighbours."""
UNEVEN = 0.2
"""Doublings by which a side's discs look thicker or thinner than learnt, as a standard deviation:
another lamp shades other walls and edges."""


def walls_px(view: View, thickness: float) -> Levels:
    """(64,): by how many pixels a king is taller than a man in the picture, cell by cell."""
    tops = [
        view.project(np.array([[column + 0.5, row + 0.5, level] for row, column in CELLS]))
        for level in (thickness, 2 * thickness)
    ]
    return np.asarray(np.linalg.norm(tops[1] - tops[0], axis=1), np.float64)


def king_odds(ranks: Floats, thickness: float | Floats) -> Levels:
    """Log-odds (n,) for a king from `Cells.ranks` (n, 2, LEVELS), discs being so thick.

    `thickness` is one for all or (n,).
    """
    low, on = levels_of(thickness)
    odds = _odds_at_levels(ranks, TEMPER)
    cells = np.arange(len(ranks))
    between = odds[cells, low] + on * (odds[cells, low + 1] - odds[cells, low])
    return np.asarray(between, np.float64)


def levels_of(thickness: float | Floats) -> tuple[NDArray[np.intp], Levels]:
    """The level of `Cells.ranks` below each thickness, (n,) or one, and how far it is on the way
    from there to the next."""
    doublings = np.log2(np.asarray(thickness, np.float64) / THINNEST)
    level = np.clip(DOUBLING * doublings, 0, LEVELS - 1)
    low = np.minimum(level.astype(np.intp), LEVELS - 2)
    return np.asarray(low, np.intp), np.asarray(level - low, np.float64)


def king_chances(ranks: Floats, presence: Levels) -> Levels:
    """Probability (n,) that each disc is a king, in a picture of which nothing is known.

    `presence` (n,) is the probability that there is a disc at all.
    """
    odds = _odds_at_levels(ranks, UNKNOWN_TEMPER) + RARE
    return np.asarray((1.0 / (1.0 + np.exp(-odds))) @ _thickness_chances(ranks, presence))


def unknown_odds(ranks: Floats, presence: Levels) -> Levels:
    """The same as log-odds (n,), without those of a king in any picture."""
    chances = np.clip(king_chances(ranks, presence), 1e-9, 1 - 1e-9)
    return np.asarray(np.log(chances / (1.0 - chances)) - RARE, np.float64)


def man_chances(odds: Levels) -> Levels:
    """Probability (n,) that each disc is a man, by its log-odds for a king, in any picture."""
    return np.asarray(1.0 / (1.0 + np.exp(np.clip(odds + RARE, -30.0, 30.0))), np.float64)


def likely_thickness(ranks: Floats, presence: Levels) -> float:
    """The thickness of a disc, in squares, in a picture of which nothing is known."""
    return _mean_thickness(_thickness_chances(ranks, presence))


def thickness_in_picture(ranks: Floats, presence: Levels, learnt: float) -> float:
    """The thickness that discs look, in squares, in a picture (n, 2, LEVELS) of a known set: about
    the `learnt` one, nearer to what these discs tell.

    `presence` (n,) is the probability that there is one of these discs.
    """
    doublings = np.log2(np.asarray(THICKNESSES) / learnt)
    unlikely = (doublings / UNEVEN) ** 2 / 2
    return _mean_thickness(_chances(_thickness_logs(ranks, presence) - unlikely))


def _thickness_chances(ranks: Floats, presence: Levels) -> Levels:
    """Probability (LEVELS,) of each of `THICKNESSES`, from all discs of a picture at once."""
    return _chances(_thickness_logs(ranks, presence))


def _thickness_logs(ranks: Floats, presence: Levels) -> Levels:
    """The same as logarithms that need not sum to one."""
    man, king = (ranks[:, rank].astype(float) for rank in (0, 1))
    either = np.logaddexp(man, king + RARE - LEARNT)
    return np.asarray(SHARED * (presence[:, None] * either).sum(axis=0), np.float64)


def thickness_of(ranks: Floats, setup: str) -> float:
    """The thickness of a disc, from discs (n, 2, LEVELS) whose appearances are known."""
    known = [ranks[i, int(is_king(sign))] for i, sign in enumerate(setup) if side_of(sign)]
    if not known:
        return float(np.median(THICKNESSES))
    return _mean_thickness(_chances(SHARED * np.sum(known, axis=0)))


def _mean_thickness(chances: Levels) -> float:
    return float(np.exp(chances @ np.log(THICKNESSES)))


def _odds_at_levels(ranks: Floats, temper: float) -> Levels:
    """(n, LEVELS): log-odds for a king if discs are as thick as each of `THICKNESSES`."""
    odds = temper * (ranks[:, 1].astype(float) - ranks[:, 0] - LEARNT)
    return np.asarray(np.clip(odds, -SUREST, SUREST), np.float64)


def _chances(logs: Levels) -> Levels:
    """Probabilities from logarithms that need not sum to one."""
    chances = np.exp(logs - logs.max())
    return np.asarray(chances / chances.sum())

"""What the other discs of a picture say of each, where nothing is known of the set: are there kings
at all, and how plainly is a man seen to be one?"""

from __future__ import annotations

import numpy as np

from calibration.arrays import Levels, Mask
from referee.eye.comparer import SEEN
from referee.eye.stacks import man_chances

SHARES = np.array([0.004, 0.08, 0.35])
"""Of kings among the pieces: before anybody has crowned, when the first are, and in endgames."""
LATE = np.array([0.0, 0.3, 0.7])
"""How likely each of these is in an endgame."""
ENDGAME, PASSING = 11.0, 1.5
"""With fewer pieces than that it is likely an endgame, and how gradually: of the positions of sixty
tournament games with 8 pieces 39 in 100 pieces are kings, with 12 9, with 16 less than 1."""
SET_UP, SET_UP_PIECES = 0.05, 19.0
"""How likely a position with more pieces has kings all the same, as a lesson or a problem may, and
up to how many."""
RAREST = 1e-4
"""No position is impossible."""
PLAINEST = 8.0
"""Nats that a single disc may say of the whole picture."""
BESIDE = 0.3
"""Weight of how plainly the men beside a disc are men. All are seen as plainly in one light: where
they are certain to be men, what is doubtful is none of them. Men of real sets, on photographs,
speak against more."""
FEW = 3.0
"""So many men of a side speak for it without the other's."""


def beside(odds: Levels, lighter: Mask, presence: Levels) -> Levels:
    """What is to be added to log-odds (n,) that each disc is a king, in nats.

    `lighter` (n,) tells the sides, `presence` (n,) is the probability of a disc.
    """
    man = (presence > SEEN) * man_chances(odds)
    others = np.tile(man, (len(man), 1))
    np.fill_diagonal(others, 0.0)
    mates = others * (lighter[:, None] == lighter[None, :])
    own = np.minimum(1.0, mates.sum(axis=1) / FEW)
    any_side = np.minimum(1.0, others.sum(axis=1) / FEW)
    mean = own * _mean(mates, odds) + (1.0 - own) * _mean(others, odds)
    return np.asarray(-BESIDE * any_side * mean, np.float64)


def _mean(weights: Levels, odds: Levels) -> Levels:
    """(n,): the mean of odds (n,) by each row of weights (n, n)."""
    return np.asarray(weights @ odds / np.maximum(weights.sum(axis=1), 1e-6), np.float64)


def rarity(odds: Levels, presence: Levels) -> Levels:
    """Log-odds (n,) that a piece of this picture is a king before it is looked at itself, by how
    many there are and by what the others look, which log-odds (n,) tell."""
    seen = np.flatnonzero(presence > SEEN)
    plain = np.clip(odds[seen], -PLAINEST, PLAINEST)
    each = np.log(1.0 - SHARES[:, None] + SHARES[:, None] * np.exp(plain))
    others = np.log(_chances(len(seen)))[:, None] + each.sum(axis=1, keepdims=True) - each
    chances = np.exp(others - others.max(axis=0))
    share = SHARES @ (chances / chances.sum(axis=0))
    rare = np.full(len(odds), np.log(SHARES[0] / (1.0 - SHARES[0])))
    rare[seen] = np.log(share / (1.0 - share))
    return rare


def _chances(pieces: int) -> Levels:
    """Probability of each of `SHARES` with so many pieces on the board."""
    late = 1.0 / (1.0 + np.exp((pieces - ENDGAME) / PASSING))
    set_up = SET_UP / (1.0 + np.exp((pieces - SET_UP_PIECES) / PASSING))
    early = (1.0 - late) * np.array([1.0 - set_up, set_up / 2, set_up / 2])
    chances = early + late * LATE + RAREST
    return np.asarray(chances / chances.sum(), np.float64)

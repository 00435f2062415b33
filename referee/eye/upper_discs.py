"""The upper disc of a king, mistaken for a man on the square behind it.

Seen from low down, the top of a stack of thick discs lies over the next square, and may look like
a disc of its own there. But it lies just as far behind the king as two discs are high, and away
from the middle of the square on which it seems to stand. On a light cell, where no disc ought to
lie, it may seem to lie anywhere.
"""

from __future__ import annotations

import numpy as np

from calibration.arrays import Levels, Mask
from referee.eye.patches import Floats
from referee.eye.reader import KING, MAN

LIKELY = 0.3
"""Probability of a king who may look so, and of a man who may be one's upper disc."""
ASTRAY = 0.25
"""Squares from the middle of its own at which the upper disc seems to lie, at least, if that is a
dark one."""
ASIDE = 0.15
"""Squares by which it may miss the line behind the king."""
LEAST, MOST = 0.8, 1.6
"""How far behind him it is seen, in heights of two discs: they are rather higher than they look."""


def upper_discs(kinds: Floats, feet: Levels, centres: Levels, leans: Levels, is_dark: Mask) -> Mask:
    """Which of n cells show but the upper disc of a king on another one.

    `kinds` (n, 4) are log-probabilities, `feet` and `centres` (n, 2) where discs and cells lie on
    the board, `leans` (n, 2) how far behind its foot the top of a stack there is seen, in squares,
    `is_dark` (n,) which cells are squares to play on.
    """
    chance = np.exp(kinds)
    kings = np.flatnonzero((kinds[:, KING] > kinds[:, MAN]) & (chance[:, KING] > LIKELY))
    astray = (np.abs(feet - centres).max(axis=1) >= ASTRAY) | ~is_dark
    found = astray & (chance[:, [MAN, KING]].sum(axis=1) > LIKELY)
    away = feet[:, None] - feet[kings]
    length = np.hypot(*leans[kings].T)
    right, down = np.moveaxis(away, -1, 0)
    behind = (right * leans[kings, 0] + down * leans[kings, 1]) / length
    aside = (right * leans[kings, 1] - down * leans[kings, 0]) / length
    tops = (behind >= LEAST * length) & (behind <= MOST * length) & (np.abs(aside) <= ASIDE)
    return np.asarray(found & tops.any(axis=1))

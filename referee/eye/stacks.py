"""Man or king: how high a stack looks against the height of a man of the same set.

The reader tells the height of what lies on a cell. In one view and light it errs alike for all
discs, so a king is told by how much higher it looks than the men do, and by no fixed height.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.eye.patches import Floats

Levels = NDArray[np.float64]

SPREAD = 0.2
"""Standard deviation of a log height as the reader tells it, for men and kings alike."""
LEAST_RISE, MOST_RISE, RISE_PER_WALL = 0.15, 0.55, 3.1
"""By how much the log height of a king exceeds a man's as the reader tells it: the true 0.69 is
shrunk where the wall of a disc covers little of the picture. Measured on 60 drawn scenes."""
SUREST = 6.0
"""Nats that one look can say about a crown."""
RARE = 3.5
"""Nats against a king in a picture of which nothing is known: they are rare, and strange sets
look uneven."""
HEIGHTS = np.log(np.geomspace(0.07, 0.35, 33))
"""Log thickness of a disc in squares: official ones have 0.09 to 0.17, others up to 0.3."""


def king_odds(heights: Floats, man: float, lean: Floats) -> Levels:
    """Log-odds (n,) for a king from log heights (n,), the log height of a man, and the lean (n, 2).

    Near zero wherever the camera looks straight down on a stack.
    """
    wall = np.linalg.norm(lean, axis=1) * np.exp(man)
    rise = np.clip(LEAST_RISE + RISE_PER_WALL * wall, LEAST_RISE, MOST_RISE)
    odds: Levels = rise * (heights - man - rise / 2) / SPREAD**2
    return np.clip(odds, -SUREST, SUREST)


def height_of_man(heights: Floats) -> float:
    """The log height of a man of the set, from the log heights (n,) of all its stacks.

    The height that most stacks have once, and some twice; a usual one where there is no stack.
    """
    if len(heights) == 0:
        return float(np.median(HEIGHTS))
    single = np.abs(heights - HEIGHTS[:, None]) / SPREAD
    double = np.abs(heights - MOST_RISE - HEIGHTS[:, None]) / SPREAD
    return float(HEIGHTS[int(np.logaddexp(-single, -double - RARE).sum(axis=1).argmax())])

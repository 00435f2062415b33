"""The second look at a disc: how likely a man, or a king, of each thickness would look so, where
exactly it stands, and what it looks like beside others (see `comparer`).

A small network of its own, run by OpenCV's `dnn` on portraits, which show twice as many pixels of
a disc as the patches do that all cells are read from.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.eye.light import logarithm
from referee.eye.network import Network, log_sum
from referee.eye.patches import Floats
from referee.eye.portraits import HEIGHT, WIDTH, Portraits
from referee.eye.reader import IMPRESSION, LEVELS, PLACES

CHANNELS = 5
"""3 log colour relative to light squares there, 1 the lean, 1 the disc's radius."""
LEAN = 3
"""Which of them that is."""
OUTPUTS = PLACES + 2
"""Scores of men and kings of each thickness, then the miss; after these the network gives the
numbers of its last layer but one, from which it made them."""
FAINTEST, BRIGHTEST = -3.5, 1.5
"""Log colours are kept within these."""


@dataclass(frozen=True)
class Ranked:
    """What the ranker makes of n portraits."""

    ranks: Floats
    """(n, 2, LEVELS): log-probabilities, see `Cells.ranks`."""
    misses: Floats
    """(n, 2): by how many radii (right, up) each portrait misses its disc."""
    impressions: Floats
    """(n, IMPRESSION): the last layer but one, then the lean and the radius."""


class Ranker(Network):
    """The network."""

    FILE = "ranker.onnx"
    BATCH = 8
    """Portraits judged at once."""

    def look(self, portraits: Portraits, light: Floats) -> Ranked:
        """What is to be seen on portraits.

        `light` (n, 3) is the log colour that a bare light square would have at each disc.
        """
        if len(portraits.pixels) == 0:
            shapes = (0, 2, LEVELS), (0, 2), (0, IMPRESSION)
            return Ranked(*(np.zeros(shape, np.float32) for shape in shapes))
        scores = self.scores(likeness(portraits, light))
        seen = np.column_stack([scores[:, OUTPUTS:], portraits.lean, portraits.radius])
        return Ranked(normalised(scores[:, :PLACES]), scores[:, PLACES:OUTPUTS], seen)


def likeness(portraits: Portraits, light: Floats) -> Floats:
    """(n, CHANNELS, HEIGHT, WIDTH): what the network is given."""
    log = logarithm(portraits.pixels) - light[:, None, None, :]
    inputs = np.empty((len(log), CHANNELS, HEIGHT, WIDTH), np.float32)
    inputs[:, 0:3] = np.moveaxis(np.clip(log, FAINTEST, BRIGHTEST), -1, 1)
    inputs[:, LEAN] = portraits.lean[:, None, None]
    inputs[:, 4] = portraits.radius[:, None, None]
    return inputs


def normalised(scores: Floats) -> Floats:
    """(n, 2, LEVELS) log-probabilities from the network's scores (n, PLACES)."""
    return (scores - log_sum(scores)[:, None]).reshape(-1, 2, LEVELS)

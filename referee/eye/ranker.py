"""The second look at a disc: how likely a man, or a king, of each thickness would look so, and
where exactly it stands.

A small network of its own, run by OpenCV's `dnn` on portraits, which show twice as many pixels of
a disc as the patches do that all cells are read from.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from referee.eye.light import logarithm
from referee.eye.network import Network, log_sum, shipped
from referee.eye.patches import Floats
from referee.eye.portraits import HEIGHT, WIDTH, Portraits
from referee.eye.reader import LEVELS, PLACES

CHANNELS = 5
"""3 log colour relative to light squares there, 1 the lean, 1 the disc's radius."""
OUTPUTS = PLACES + 2
"""Scores of men and kings of each thickness, then the miss."""
FAINTEST, BRIGHTEST = -3.5, 1.5
"""Log colours are kept within these."""
BATCH = 8
"""Portraits judged at once."""


class Ranker:
    """The network."""

    def __init__(self, onnx: bytes) -> None:
        self._network = Network(onnx, BATCH)

    @staticmethod
    @cache
    def shipped() -> Ranker:
        """The ranker that comes with the project."""
        return Ranker(shipped("ranker.onnx"))

    def ranks(self, portraits: Portraits, light: Floats) -> tuple[Floats, Floats]:
        """Log-probabilities (n, 2, LEVELS), see `Cells.ranks`; and by how many radii
        (right, up) each portrait misses its disc, (n, 2).

        `light` (n, 3) is the log colour that a bare light square would have at each disc.
        """
        if len(portraits.pixels) == 0:
            return np.zeros((0, 2, LEVELS), np.float32), np.zeros((0, 2), np.float32)
        scores = self._network.scores(likeness(portraits, light))
        return normalised(scores[:, :PLACES]), scores[:, PLACES:]


def likeness(portraits: Portraits, light: Floats) -> Floats:
    """(n, CHANNELS, HEIGHT, WIDTH): what the network is given."""
    log = logarithm(portraits.pixels) - light[:, None, None, :]
    inputs = np.empty((len(log), CHANNELS, HEIGHT, WIDTH), np.float32)
    inputs[:, 0:3] = np.moveaxis(np.clip(log, FAINTEST, BRIGHTEST), -1, 1)
    inputs[:, 3] = portraits.lean[:, None, None]
    inputs[:, 4] = portraits.radius[:, None, None]
    return inputs


def normalised(scores: Floats) -> Floats:
    """(n, 2, LEVELS) log-probabilities from the network's scores (n, PLACES)."""
    return (scores - log_sum(scores)[:, None]).reshape(-1, 2, LEVELS)

"""The second look at a disc: how likely a man, or a king, of each thickness would look so.

A small network of its own, run by OpenCV's `dnn` on portraits, which show twice as many pixels of
a disc as the patches do that all cells are read from.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import cv2
import numpy as np

from referee.eye.light import logarithm
from referee.eye.patches import Floats
from referee.eye.portraits import HEIGHT, WIDTH, Portraits
from referee.eye.reader import LEVELS

CHANNELS = 5
"""3 log colour relative to light squares there, 1 the lean, 1 the disc's radius."""
FAINTEST, BRIGHTEST = -3.5, 1.5
"""Log colours are kept within these."""
BATCH = 8
"""Portraits judged at once, see `reader.BATCH`."""


class Ranker:
    """The network."""

    def __init__(self, onnx: bytes) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(onnx, dtype=np.uint8))

    @staticmethod
    @cache
    def shipped() -> Ranker:
        """The ranker that comes with the project."""
        return Ranker((files("referee.eye") / "ranker.onnx").read_bytes())

    def ranks(self, portraits: Portraits, light: Floats) -> Floats:
        """Log-probabilities (n, 2, LEVELS), see `Cells.ranks`.

        `light` (n, 3) is the log colour that a bare light square would have at each disc.
        """
        inputs = likeness(portraits, light)
        if len(inputs) == 0:
            return np.zeros((0, 2, LEVELS), np.float32)
        batches = [inputs[first : first + BATCH] for first in range(0, len(inputs), BATCH)]
        return normalised(np.concatenate([self._scores(batch) for batch in batches]))

    def _scores(self, batch: Floats) -> Floats:
        self._net.setInput(batch)
        return np.asarray(self._net.forward(), np.float32).reshape(len(batch), -1)


def likeness(portraits: Portraits, light: Floats) -> Floats:
    """(n, CHANNELS, HEIGHT, WIDTH): what the network is given."""
    log = logarithm(portraits.pixels) - light[:, None, None, :]
    inputs = np.empty((len(log), CHANNELS, HEIGHT, WIDTH), np.float32)
    inputs[:, 0:3] = np.moveaxis(np.clip(log, FAINTEST, BRIGHTEST), -1, 1)
    inputs[:, 3] = portraits.lean[:, None, None]
    inputs[:, 4] = portraits.radius[:, None, None]
    return inputs


def normalised(scores: Floats) -> Floats:
    """(n, 2, LEVELS) log-probabilities from the network's scores (n, 2 LEVELS)."""
    scores = scores - scores.max(axis=1, keepdims=True)
    logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return np.asarray(logs.reshape(-1, 2, LEVELS), np.float32)

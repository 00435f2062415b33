"""The learned reader: what lies on a cell, from its patch alone.

A small network, run by OpenCV's own `dnn`. It knows no set by its colours: it says whether a
disc lies there, one or two high, and where its centre is; whose disc that is, it only guesses,
and the picture as a whole decides (see `sides`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import cv2
import numpy as np

from referee.eye.patches import Floats

KINDS = ("empty", "man", "king", "hidden")
EMPTY, MAN, KING, HIDDEN = range(4)
BATCH = 16
"""Cells read at once: the network's memory grows with it, its speed hardly does."""


@dataclass(frozen=True)
class Cells:
    """What the reader makes of n cells."""

    kinds: Floats
    """(n, 4): log-probability of each of `KINDS`."""
    whiteness: Floats
    """(n,): log-odds that a disc there is of the lighter side, from its look alone."""
    centres: Floats
    """(n, 2): a disc's centre from the cell's, (right, down) in the patch, in squares."""
    heights: Floats
    """(n,): logarithm of the height of the stack on the cell, in squares."""

    @staticmethod
    def blank(count: int) -> Cells:
        """Room for the readings of `count` cells."""
        kinds, whiteness, centres, heights = (
            np.zeros(shape, np.float32) for shape in ((count, 4), count, (count, 2), count)
        )
        return Cells(kinds, whiteness, centres, heights)


class Reader:
    """The network and its calibration."""

    def __init__(self, onnx: bytes) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(onnx, dtype=np.uint8))

    @staticmethod
    @cache
    def shipped() -> Reader:
        """The reader that comes with the project."""
        return Reader((files("referee.eye") / "reader.onnx").read_bytes())

    def read(self, features: Floats) -> Cells:
        """Read (n, CHANNELS, SIZE, SIZE) features."""
        if len(features) == 0:
            return Cells.blank(0)
        batches = range(0, len(features), BATCH)
        out = np.concatenate([self._scores(features[first : first + BATCH]) for first in batches])
        return Cells(_log_softmax(out[:, :4]), out[:, 4], out[:, 5:7], out[:, 7])

    def _scores(self, features: Floats) -> Floats:
        self._net.setInput(features)
        return np.asarray(self._net.forward(), dtype=np.float32).reshape(len(features), -1)


def _log_softmax(scores: Floats) -> Floats:
    shifted = scores - scores.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)), np.float32)

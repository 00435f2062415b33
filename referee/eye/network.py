"""A small network, run by OpenCV's own `dnn`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import ClassVar, Self

import cv2
import numpy as np

from referee.eye.patches import Floats


class Network:
    """One from an ONNX file; of each kind, which is a class, one comes with the project."""

    FILE: ClassVar[str]
    BATCH: ClassVar[int]
    """Inputs read at once: the memory taken grows with that, the speed hardly does."""

    def __init__(self, onnx: bytes) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(onnx, dtype=np.uint8))

    @classmethod
    @cache
    def shipped(cls) -> Self:
        """The one that comes with the project."""
        return cls((files("referee.eye") / cls.FILE).read_bytes())

    def scores(self, inputs: Floats) -> Floats:
        """(n, outputs) of inputs (n, ...), n of one or more."""
        batches = range(0, len(inputs), self.BATCH)
        return np.concatenate([self._run(inputs[i : i + self.BATCH]) for i in batches])

    def _run(self, batch: Floats) -> Floats:
        self._net.setInput(batch)
        return np.asarray(self._net.forward(), np.float32).reshape(len(batch), -1)


def log_sum(logs: Floats) -> Floats:
    """(n,): logarithm of the sum of probabilities (n, k) given as logarithms."""
    most = logs.max(axis=1)
    total: Floats = most + np.log(np.exp(logs - most[:, None]).sum(axis=1))
    return total

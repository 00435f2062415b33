"""A small network, run by OpenCV's own `dnn`."""

from __future__ import annotations

from importlib.resources import files

import cv2
import numpy as np

from referee.eye.patches import Floats


class Network:
    """One from an ONNX file."""

    def __init__(self, onnx: bytes, batch: int) -> None:
        """It reads `batch` inputs at once: its memory grows with that, its speed hardly does."""
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(onnx, dtype=np.uint8))
        self._batch = batch

    def scores(self, inputs: Floats) -> Floats:
        """(n, outputs) of inputs (n, ...), n of one or more."""
        batches = range(0, len(inputs), self._batch)
        return np.concatenate([self._run(inputs[i : i + self._batch]) for i in batches])

    def _run(self, batch: Floats) -> Floats:
        self._net.setInput(batch)
        return np.asarray(self._net.forward(), np.float32).reshape(len(batch), -1)


def shipped(name: str) -> bytes:
    """An ONNX file that comes with the project."""
    return (files("referee.eye") / name).read_bytes()


def log_sum(logs: Floats) -> Floats:
    """(n,): logarithm of the sum of probabilities (n, k) given as logarithms."""
    most = logs.max(axis=1)
    total: Floats = most + np.log(np.exp(logs - most[:, None]).sum(axis=1))
    return total

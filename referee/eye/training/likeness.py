"""What the trainings of both networks have in common."""

from __future__ import annotations

import numpy as np
from torch import nn

from referee.eye.patches import Floats

GRAIN_SIGMA = 0.04
"""Log colour, at most: noise that cameras have and drawn ones may not."""
NOISE = np.random.default_rng(0).standard_normal(1 << 24, np.float32)


def convolution(inputs: int, outputs: int, size: int, stride: int = 1) -> tuple[nn.Module, ...]:
    """With its own normalising, which is folded into it when the network is written."""
    return (
        nn.Conv2d(inputs, outputs, size, stride=stride, padding=size // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


def grain(shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Noise of a strength drawn at random, cut from a long piece: making it anew is slow."""
    count = int(np.prod(shape))
    start = int(rng.integers(len(NOISE) - count))
    return NOISE[start : start + count].reshape(shape) * np.float32(GRAIN_SIGMA * rng.random())

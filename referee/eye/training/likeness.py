"""What the trainings of the networks have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from rich.progress import track
from torch import nn

from referee.eye.patches import Floats

Taught = TypeVar("Taught", bound=nn.Module)

GRAIN_SIGMA = 0.04
"""Log colour, at most: noise that cameras have and drawn ones may not."""
NOISE = np.random.default_rng(0).standard_normal(1 << 24, np.float32)


class Network(nn.Module):
    """Five convolutions and two layers."""

    def __init__(self, channels: int, height: int, width: int, outputs: int, spared: float) -> None:
        """`spared` is the share of the seen that is withheld, at random, while it learns."""
        super().__init__()
        self.settled = False
        self.look = nn.Sequential(
            *_convolution(channels, 16, 5, stride=2),
            *_convolution(16, 32, 3, stride=2),
            *_convolution(32, 48, 3),
            *_convolution(48, 64, 3, stride=2),
            *_convolution(64, 64, 3),
        )
        self.judge = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(spared),
            nn.Linear(64 * (width // 8) * (height // 8), 96),
            nn.ReLU(),
            nn.Linear(96, outputs),
        )

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        scores: torch.Tensor = self.judge(self.look(seen))
        return scores

    def taught(self, file: bytes) -> Network:
        """Itself with what a file of `export` knows, to learn further.

        In the file the normalising is part of the convolutions: it no longer follows what is seen.
        """
        graph = onnx.load_from_string(file).graph
        weights = {
            one.name: torch.tensor(onnx.numpy_helper.to_array(one)) for one in graph.initializer
        }
        filed = [n.input[1:3] for n in graph.node if n.op_type in ("Conv", "Gemm")]
        layers = [m for m in self.modules() if isinstance(m, nn.Conv2d | nn.Linear)]
        biased = [m for m in self.modules() if isinstance(m, nn.BatchNorm2d | nn.Linear)]
        with torch.no_grad():
            for (weight, bias), layer, offset in zip(filed, layers, biased, strict=True):
                layer.weight.copy_(weights[weight])
                offset.bias.copy_(weights[bias])
            for normal in self._normals():
                normal.weight.fill_(1.0)
                normal.running_mean.zero_()
                normal.running_var.fill_(1.0 - normal.eps)
        self.settled = True
        return self

    def train(self, mode: bool = True) -> Network:
        super().train(mode)
        for normal in self._normals() if self.settled else ():
            normal.eval()
        return self

    def _normals(self) -> list[Any]:
        return [module for module in self.modules() if isinstance(module, nn.BatchNorm2d)]


def _convolution(inputs: int, outputs: int, size: int, stride: int = 1) -> tuple[nn.Module, ...]:
    """With its own normalising, which is folded into it when the network is written."""
    return (
        nn.Conv2d(inputs, outputs, size, stride=stride, padding=size // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


@dataclass(frozen=True)
class Course:
    """How a network is taught."""

    name: str
    """Of what it learns from, for the progress bar."""
    epochs: int
    rate: float
    batch: int
    seed: int
    decay: float = 1e-3
    """By which weights that nothing is learnt from fade."""


def teach(
    network: Taught,
    course: Course,
    examples: NDArray[np.intp],
    loss: Callable[[NDArray[np.intp], np.random.Generator], torch.Tensor],
) -> Taught:
    """Improve a network by the loss of batches of the examples, each seen once an epoch."""
    steps = course.epochs * (len(examples) // course.batch)
    descent = torch.optim.AdamW(network.parameters(), lr=course.rate, weight_decay=course.decay)
    pace = torch.optim.lr_scheduler.OneCycleLR(descent, course.rate, total_steps=steps + 1)
    rng = np.random.default_rng(course.seed)
    for epoch in range(1, course.epochs + 1):
        network.train()
        losses = []
        batches = _batches(rng.permutation(examples), course.batch)
        for which in track(batches, f"{course.name}, epoch {epoch} of {course.epochs}"):
            doubt = loss(which, rng)
            descent.zero_grad()
            doubt.backward()
            descent.step()
            pace.step()
            losses.append(float(doubt.detach()))
        print(f"{course.name}, epoch {epoch}: loss {np.mean(losses):.4f}", flush=True)
    return network.eval()


def _batches(order: NDArray[np.intp], size: int) -> list[NDArray[np.intp]]:
    return [order[i : i + size] for i in range(0, len(order) - size + 1, size)]


def grain(shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Noise of a strength drawn at random, cut from a long piece: making it anew is slow."""
    count = int(np.prod(shape))
    start = int(rng.integers(len(NOISE) - count))
    return NOISE[start : start + count].reshape(shape) * np.float32(GRAIN_SIGMA * rng.random())

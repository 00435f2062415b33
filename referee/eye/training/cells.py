"""Training of the reader: from patches of drawn cells to what lies on each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from referee.eye.features import BRIGHTEST, CHANNELS, FAINTEST
from referee.eye.light import logarithm
from referee.eye.patches import SIZE, Floats
from referee.eye.reader import (
    EMPTY,
    HIDDEN,
    KING,
    LEVELS,
    MAN,
    PLACES,
    cells_of,
)
from referee.eye.stacks import king_odds, levels_of
from referee.eye.training.examples import UNCLEAR, Cells
from referee.eye.training.likeness import Course, Network, grain, teach

ANSWERS = 2 + PLACES
"""Bare, hidden, and discs by rank and thickness."""
OUTPUTS = ANSWERS + 4
"""Scores of the answers, whiteness, the centre (right, down) and the radius."""
BATCH = 256
RATE, FURTHER_RATE = 2e-3, 5e-4
COARSE_EPOCHS, COARSE_RATE, COARSE_SHARE = 3, 5e-4, 0.5
COARSENESS = (0.3, 0.9)
"""Pixels of a picture for each of a patch: a square of 640x360 has 25 pixels, a patch 40."""
PLACE_WEIGHT = 4.0
"""Squares of error in a disc's centre and radius against nats of doubt about its kind."""
DISC_WEIGHT = 1.5
"""Cells with discs against the others: man or king is the harder question."""
TONE_SIGMA = 0.06
"""Log colour by which the light on a cell may be misjudged."""

LOGARITHMS = logarithm(np.arange(256, dtype=np.uint8))


@dataclass(frozen=True)
class Batch:
    """Inputs and what a network should make of them."""

    inputs: torch.Tensor
    """(n, CHANNELS, SIZE, SIZE)."""
    answers: torch.Tensor
    """(n, ANSWERS): the true probabilities; a thickness between two levels is shared by them."""
    disc: torch.Tensor
    """(n,): 1 where a disc is to be seen."""
    white: torch.Tensor
    place: torch.Tensor
    """(n, 3): centre and radius."""


def fit(cells: Cells, epochs: int, seed: int, file: bytes | None = None) -> Network:
    """Train a network on the cells: first on fine pictures, then on coarse ones as well; or one
    that a file of it knows further, on both at once."""
    torch.manual_seed(seed)
    network = Network(CHANNELS, SIZE, SIZE, OUTPUTS, spared=0.2)
    network = network.to(memory_format=torch.channels_last)
    chosen = np.flatnonzero(cells.kind != UNCLEAR)

    def fine(which: NDArray[np.intp], rng: np.random.Generator) -> torch.Tensor:
        return _loss(network, _batch(cells, which, rng))

    def mixed(which: NDArray[np.intp], rng: np.random.Generator) -> torch.Tensor:
        fineness = rng.uniform(*COARSENESS) if rng.random() < COARSE_SHARE else 1.0
        return _loss(network, _batch(cells, which, rng, fineness))

    if file is not None:
        course = Course("cells", epochs, FURTHER_RATE, BATCH, seed)
        return teach(network.taught(file), course, chosen, mixed)
    teach(network, Course("cells", epochs, RATE, BATCH, seed), chosen, fine)
    coarse = Course("coarse cells", COARSE_EPOCHS, COARSE_RATE, BATCH, seed + 1)
    return teach(network, coarse, chosen, mixed)


def _batch(
    examples: Cells,
    which: NDArray[np.intp],
    rng: np.random.Generator | None = None,
    fineness: float = 1.0,
) -> Batch:
    """Some of the examples, varied by `rng` if one is given.

    With a fineness below 1 they are seen in a picture of so many pixels for each of a patch.
    """
    tone, lean = examples.tone[which].copy(), examples.lean[which].copy()
    pixels = examples.pixels[which]
    log = LOGARITHMS[pixels] if fineness == 1.0 else logarithm(_coarse(pixels, fineness))
    plan, centre = examples.plan[which].astype(np.float32), examples.centre[which].copy()
    if rng is not None:
        log += grain(log.shape, rng)
        tone[:, :3] += rng.normal(0, TONE_SIGMA, (len(which), 1))
        tone[:, :3] += rng.normal(0, TONE_SIGMA / 3, (len(which), 3))
        colours = rng.permutation(3)
        log = log[..., colours]
        tone = np.concatenate([tone[:, :3][:, colours], tone[:, 3:][:, colours]], 1)
        if rng.random() < 0.5:
            log, plan = log[:, :, ::-1], plan[:, :, ::-1]
            lean[:, 0] *= -1
            centre[:, 0] *= -1
    raw = np.clip(log - tone[:, None, None, :3], FAINTEST, BRIGHTEST)
    bare = np.maximum(plan, 0)[..., None] * tone[:, None, None, 3:]
    # The channels lie last in memory, as convolutions on a processor are quickest.
    inputs = np.empty((len(which), SIZE, SIZE, CHANNELS), np.float32)
    inputs[..., 0:3] = raw
    inputs[..., 3:6] = raw - bare
    inputs[..., 6] = plan
    inputs[..., 7:9] = lean[:, None, None, :]
    kind = examples.kind[which]
    return Batch(
        torch.from_numpy(inputs).permute(0, 3, 1, 2),
        torch.from_numpy(_answers(kind, examples.thickness[which])),
        torch.from_numpy(((kind == MAN) | (kind == KING)).astype(np.float32)),
        torch.from_numpy(examples.white[which]),
        torch.from_numpy(np.column_stack([centre, examples.radius[which]])),
    )


def _coarse(pixels: NDArray[np.uint8], fineness: float) -> Floats:
    """Patches (n, SIZE, SIZE, 3) as cut from a picture with fewer pixels than they have."""
    whole = torch.from_numpy(pixels).permute(0, 3, 1, 2).float()
    few = nn.functional.interpolate(whole, size=round(SIZE * fineness), mode="area")
    back = nn.functional.interpolate(few, size=SIZE, mode="bilinear", align_corners=False)
    return np.asarray(back.permute(0, 2, 3, 1).numpy(), np.float32)


def _answers(kind: NDArray[np.int64], thickness: Floats) -> Floats:
    """(n, ANSWERS), see `Batch`."""
    low, on = levels_of(thickness)
    rows = np.arange(len(kind))
    answers = np.zeros((len(kind), ANSWERS), np.float32)
    answers[:, 0], answers[:, 1] = kind == EMPTY, kind == HIDDEN
    for rank, name in enumerate((MAN, KING)):
        first = 2 + rank * LEVELS + low
        answers[rows, first] += (kind == name) * (1 - on)
        answers[rows, first + 1] += (kind == name) * on
    return answers


def _loss(network: Network, batch: Batch) -> torch.Tensor:
    scores = network(batch.inputs)
    disc, count = batch.disc, batch.disc.sum().clamp(min=1)
    side = nn.functional.binary_cross_entropy_with_logits(
        scores[:, ANSWERS], batch.white, reduction="none"
    )
    place = (scores[:, ANSWERS + 1 :] - batch.place).abs().sum(dim=1)
    doubt = nn.functional.cross_entropy(scores[:, :ANSWERS], batch.answers, reduction="none")
    extra: torch.Tensor = ((side + PLACE_WEIGHT * place) * disc).sum() / count
    return (doubt * (1 + (DISC_WEIGHT - 1) * disc)).mean() + 0.3 * extra


# --- Judging --------------------------------------------------------------------------------


def judge(network: Network, examples: Cells) -> dict[str, float]:
    """Errors on examples that training never saw, as shares; of kings, the thickness known."""
    chosen = np.flatnonzero(examples.kind != UNCLEAR)
    with torch.no_grad():
        scores = np.concatenate(
            [
                network(_batch(examples, chosen[i : i + 512]).inputs).numpy()
                for i in range(0, len(chosen), 512)
            ]
        )
    cells = cells_of(scores)
    kind, answer = examples.kind[chosen], cells.kinds.argmax(axis=1)
    disc = (kind == MAN) | (kind == KING)
    both = disc & ((answer == MAN) | (answer == KING))
    seen = (kind != HIDDEN) & (answer != HIDDEN)
    miss = np.linalg.norm(cells.centres[both] - examples.centre[chosen][both], axis=1)
    larger = cells.radii[both] - examples.radius[chosen][both]
    white = examples.white[chosen][both] > 0.5
    odds = king_odds(cells.ranks[both], examples.thickness[chosen][both])
    return {
        "cells": float(len(chosen)),
        "occupancy": float(((kind == EMPTY) != (answer == EMPTY))[seen].mean()),
        "king": float(((odds > 0) != (kind[both] == KING)).mean()),
        "hidden taken for seen": float((answer != HIDDEN)[kind == HIDDEN].mean()),
        "seen taken for hidden": float((answer == HIDDEN)[kind != HIDDEN].mean()),
        "side": float(((cells.whiteness[both] > 0) != white).mean()),
        "centre rms": float(np.sqrt((miss**2).mean())),
        "radius rms": float(np.sqrt((larger**2).mean())),
    }

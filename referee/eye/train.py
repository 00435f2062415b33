"""Train the reader on drawn scenes and write `reader.onnx`: one command, one seed.

    python -m referee.eye.train --scenes 600 --epochs 12 --seed 1

Needs the `train` extra (PyTorch and onnx; the CPU builds do). Nothing else in the project
imports this module. No photograph is used: all photographs are new to the reader.
"""

from __future__ import annotations

import argparse
import json
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from rich.progress import track
from torch import nn

from referee.eye.examples import UNCLEAR, Examples, examples_of
from referee.eye.features import BRIGHTEST, CHANNELS, FAINTEST
from referee.eye.light import logarithm
from referee.eye.patches import SIZE
from referee.eye.reader import HIDDEN, KINDS

OUTPUTS = len(KINDS) + 4
"""Scores of the kinds, whiteness, the centre (right, down) and the height of the stack."""
BATCH = 256
RATE = 2e-3
ASIDE = 10
"""Every tenth scene is never trained on; the printed errors are those of these scenes."""
CENTRE_WEIGHT = 4.0
"""Squares of error in a disc's centre against nats of doubt about its kind."""
DISC_WEIGHT = 1.5
"""Cells with discs against the others: man or king is the harder question."""
TONE_SIGMA = 0.06
"""Log colour by which the light on a cell may be misjudged."""
GRAIN_SIGMA = 0.04


LOGARITHMS = logarithm(np.arange(256, dtype=np.uint8))


class Network(nn.Module):
    """Five convolutions and two layers: about 7 million multiplications a cell."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            nn.Conv2d(CHANNELS, 24, 5, stride=2, padding=2),
            nn.ReLU(),
            nn.Conv2d(24, 32, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(32, 48, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(48, 64, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(64, 64, 3, padding=1),
            nn.ReLU(),
        )
        self.judge = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(64 * 36, 96),
            nn.ReLU(),
            nn.Linear(96, OUTPUTS),
        )

    def forward(self, cells: torch.Tensor) -> torch.Tensor:
        scores: torch.Tensor = self.judge(self.look(cells))
        return scores


# --- Examples -----------------------------------------------------------------------------


def gather(seeds: list[int], folder: Path) -> Examples:
    """The examples of these scenes; those made before are read from the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [seed for seed in seeds if not (folder / f"{seed:05d}.npz").exists()]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(_keep, seed, folder) for seed in missing]
        for job in track(jobs, "drawing scenes"):
            job.result()
    return Examples.joined([_kept(folder / f"{seed:05d}.npz") for seed in seeds])


def _keep(seed: int, folder: Path) -> None:
    cv2.setNumThreads(1)
    examples = examples_of(seed)
    half = folder / f"{seed:05d}.part.npz"
    np.savez(half, **{f.name: getattr(examples, f.name) for f in fields(Examples)})
    half.rename(folder / f"{seed:05d}.npz")


def _kept(path: Path) -> Examples:
    with np.load(path) as saved:
        return Examples(**{f.name: saved[f.name] for f in fields(Examples)})


# --- Training -----------------------------------------------------------------------------


def fit(examples: Examples, epochs: int, seed: int) -> Network:
    """Train a network on the examples."""
    torch.manual_seed(seed)
    network = Network()
    chosen = np.flatnonzero(examples.kind != UNCLEAR)
    steps = epochs * (len(chosen) // BATCH)
    descent = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-3)
    pace = torch.optim.lr_scheduler.OneCycleLR(descent, RATE, total_steps=steps + 1)
    rng = np.random.default_rng(seed)
    for epoch in range(epochs):
        network.train()
        order = rng.permutation(chosen)
        total = 0.0
        batches = [order[i : i + BATCH] for i in range(0, len(order) - BATCH + 1, BATCH)]
        for batch in track(batches, f"epoch {epoch + 1} of {epochs}"):
            loss = _loss(network, *_batch(examples, batch, rng))
            descent.zero_grad()
            loss.backward()
            descent.step()
            pace.step()
            total += float(loss.detach())
        print(f"epoch {epoch + 1}: loss {total / len(batches):.4f}", flush=True)
    return network.eval()


def _batch(
    examples: Examples, which: NDArray[np.intp], rng: np.random.Generator | None
) -> tuple[torch.Tensor, ...]:
    """Inputs, kinds, whiteness, centres and log heights, varied by `rng` if one is given."""
    tone, lean = examples.tone[which].copy(), examples.lean[which].copy()
    log = LOGARITHMS[examples.pixels[which]]
    plan, centre = examples.plan[which].astype(np.float32), examples.centre[which].copy()
    if rng is not None:
        log += rng.standard_normal(log.shape, np.float32) * np.float32(GRAIN_SIGMA * rng.random())
        tone[:, :3] += rng.normal(0, TONE_SIGMA, (len(which), 1)) + rng.normal(
            0, TONE_SIGMA / 3, (len(which), 3)
        )
        colours = rng.permutation(3)
        log, tone = (
            log[..., colours],
            np.concatenate([tone[:, :3][:, colours], tone[:, 3:][:, colours]], 1),
        )
        if rng.random() < 0.5:
            log, plan = log[:, :, ::-1], plan[:, :, ::-1]
            lean[:, 0] *= -1
            centre[:, 0] *= -1
    raw = np.clip(log - tone[:, None, None, :3], FAINTEST, BRIGHTEST)
    bare = np.maximum(plan, 0)[..., None] * tone[:, None, None, 3:]
    inputs = np.empty((len(which), CHANNELS, SIZE, SIZE), np.float32)
    inputs[:, 0:3] = np.moveaxis(raw, -1, 1)
    inputs[:, 3:6] = np.moveaxis(raw - bare, -1, 1)
    inputs[:, 6] = plan
    inputs[:, 7:9] = lean[:, :, None, None]
    height = np.log(examples.thickness[which] * np.maximum(examples.kind[which], 1))
    truth = (examples.kind[which], examples.white[which], centre, height.astype(np.float32))
    return torch.from_numpy(inputs), *(torch.from_numpy(part) for part in truth)


def _loss(
    network: Network,
    inputs: torch.Tensor,
    kind: torch.Tensor,
    white: torch.Tensor,
    centre: torch.Tensor,
    height: torch.Tensor,
) -> torch.Tensor:
    scores = network(inputs)
    disc = ((kind == 1) | (kind == 2)).float()
    count = disc.sum().clamp(min=1)
    side = nn.functional.binary_cross_entropy_with_logits(scores[:, 4], white, reduction="none")
    place = (scores[:, 5:7] - centre).abs().sum(dim=1)
    rise = (scores[:, 7] - height).abs()
    doubt = nn.functional.cross_entropy(
        scores[:, :4], kind, label_smoothing=0.002, reduction="none"
    )
    extra: torch.Tensor = ((side + CENTRE_WEIGHT * place + rise) * disc).sum() / count
    return (doubt * (1 + (DISC_WEIGHT - 1) * disc)).mean() + 0.3 * extra


# --- Judging and writing ------------------------------------------------------------------


def judge(network: Network, examples: Examples) -> dict[str, float]:
    """Errors on examples that training never saw, as shares."""
    chosen = np.flatnonzero(examples.kind != UNCLEAR)
    with torch.no_grad():
        scores = np.concatenate(
            [
                network(_batch(examples, chosen[i : i + 512], None)[0]).numpy()
                for i in range(0, len(chosen), 512)
            ]
        )
    kind, answer = examples.kind[chosen], scores[:, :4].argmax(axis=1)
    disc = (kind == 1) | (kind == 2)
    both = disc & ((answer == 1) | (answer == 2))
    seen = (kind != HIDDEN) & (answer != HIDDEN)
    miss = np.linalg.norm(scores[both, 5:7] - examples.centre[chosen][both], axis=1)
    return {
        "cells": float(len(chosen)),
        "occupancy": float(((kind == 0) != (answer == 0))[seen].mean()),
        "king": float((kind != answer)[both].mean()),
        "hidden taken for seen": float((answer != HIDDEN)[kind == HIDDEN].mean()),
        "seen taken for hidden": float((answer == HIDDEN)[kind != HIDDEN].mean()),
        "side": float(((scores[both, 4] > 0) != (examples.white[chosen][both] > 0.5)).mean()),
        "centre rms": float(np.sqrt((miss**2).mean())),
    }


def export(network: Network, path: Path, provenance: dict[str, object]) -> None:
    """Write the network as ONNX that OpenCV 4.6 reads, with where it comes from inside."""
    sample = torch.zeros(1, CHANNELS, SIZE, SIZE)
    names = {"input_names": ["cells"], "output_names": ["scores"]}
    axes = {"cells": {0: "n"}, "scores": {0: "n"}}
    torch.onnx.export(
        network, (sample,), path, opset_version=11, dynamic_axes=axes, dynamo=False, **names
    )
    model = onnx.load(path)
    onnx.helper.set_model_props(model, {"provenance": json.dumps(provenance)})
    onnx.save(model, path)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=600, help="boards drawn, four pictures each")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("sample_images/made/cells"))
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("reader.onnx"))
    asked = parser.parse_args()
    seeds = list(range(asked.scenes))
    learnt = gather([seed for seed in seeds if seed % ASIDE != ASIDE - 1], asked.folder)
    network = fit(learnt, asked.epochs, asked.seed)
    errors = judge(network, gather(seeds[ASIDE - 1 :: ASIDE], asked.folder))
    print(json.dumps(errors, indent=1))
    export(
        network,
        asked.out,
        {"scenes": asked.scenes, "epochs": asked.epochs, "seed": asked.seed, "aside": errors},
    )


if __name__ == "__main__":
    main()

"""The examples of many scenes, drawn on all cores and kept in a folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from pathlib import Path

import cv2
import numpy as np
from rich.progress import track

from referee.eye.training.examples import Kind, joined

ExamplesOf = Callable[[int], tuple[object, ...]]
"""Makes examples of one kind or several from a scene's seed."""


def draw(examples_of: ExamplesOf, seeds: list[int], folder: Path) -> None:
    """Draw these scenes, but for those that are in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [seed for seed in seeds if not _path(folder, seed).exists()]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(_keep, examples_of, seed, folder) for seed in missing]
        for job in track(jobs, "drawing scenes"):
            job.result()


def kept(kind: type[Kind], seeds: list[int], folder: Path) -> Kind:
    """The cells, or the discs, of scenes that were drawn."""
    return joined([_loaded(kind, _path(folder, seed)) for seed in seeds])


def _path(folder: Path, seed: int) -> Path:
    return folder / f"{seed:05d}.npz"


def _keep(examples_of: ExamplesOf, seed: int, folder: Path) -> None:
    cv2.setNumThreads(1)
    columns = {
        _name(type(part), field.name): getattr(part, field.name)
        for part in examples_of(seed)
        for field in fields(part)  # type: ignore[arg-type]
    }
    half = folder / f"{seed:05d}.part.npz"
    np.savez(half, **columns)
    half.rename(_path(folder, seed))


def _loaded(kind: type[Kind], path: Path) -> Kind:
    with np.load(path) as saved:
        return kind(*(saved[_name(kind, field.name)] for field in fields(kind)))


def _name(kind: type, field: str) -> str:
    return f"{kind.__name__[0].lower()}_{field}"

"""Path-traced pictures of boards at random: truer to life than drawn ones, and slower to make.

Each board is seen in two lights and with several sets, some of them unlike any that is drawn:
with dished or bulging faces, ribs, and walls that a groove parts in two. Needs the extra `render`.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from rich.progress import track

from calibration.arrays import Image
from calibration.model import View
from referee.eye.patches import Floats
from referee.eye.reader import THICKNESSES
from referee.eye.training import examples
from sample_images.draw import exposed
from sample_images.rays import Window
from sample_images.scene import Disc, DiscLook, Hand, Scene, in_light_of, scaled
from sample_images.sensor import jpeg, photograph
from sample_images.variety import random_scene

FIRST = 20_000_000
"""Seeds of these boards begin here: none of them is drawn elsewhere."""
STEP = 10_007
"""From a seed to the next one that is tried in its place."""
LEAST_TILT = 15.0
"""Degrees from straight above, where kings look like men: drawn pictures teach that."""
SETS, SETUPS = 2, 2
"""On each board, and in each light with each set."""
WITH_HAND = 0.2
"""Share of the pictures in which an arm is over the board."""
AROUND, ABOVE = 0.5, 0.6
"""Squares about the board, and above it, that are traced: more is not looked at."""
MOST_PX = 400_000
"""Of a picture in which the board is: more takes too long."""


@dataclass(frozen=True)
class Tracing:
    """One picture with its truth."""

    file: bytes
    """The picture as a JPEG; black further from the board than anything looks."""
    scene: Scene
    view: View
    """From which it is taken, as a locator would give it."""
    hidden: Floats
    """(64,): see `examples.hidden_shares`."""
    light: int
    set: int
    """Numbers of the light and of the set of discs: where both are the same, only the pieces have
    moved."""

    @property
    def image(self) -> Image:
        return np.asarray(cv2.imdecode(np.frombuffer(self.file, np.uint8), cv2.IMREAD_COLOR))


def traced_board(seed: int) -> list[Tracing]:
    """All pictures of one board, from a seed counted from `FIRST`."""
    rng = np.random.default_rng(FIRST + seed)
    base = affordable(tilted(FIRST + seed))
    base = examples.numbered(examples.recoloured(base, rng), rng)
    lights = (base, in_light_of(base, random_scene(FIRST + 500_009 + seed)))
    view = examples.nearly(base.view, rng)
    tracings = []
    for number in range(SETS):
        other = random_scene(FIRST + 1_000_003 * (number + 1) + seed, contents="middle")
        thickness = float(np.exp(rng.uniform(*np.log(THICKNESSES[[0, -1]]))))
        own = base.discs[0].radius
        measures = own if rng.random() < 0.5 else float(rng.uniform(*examples.RADII)), thickness
        look = shaped(examples.dressed(base.board, other.look, rng), rng)
        hands = next(s.hands for s in _scenes(FIRST + seed + 777 * number) if s.hands)
        for light, scene in enumerate(lights):
            dressed = replace(scene, look=look, sensor=other.sensor, captured=())
            for linear, shown, hidden in _traced(dressed, measures, hands, rng):
                file = _file(linear, shown, rng)
                tracings.append(Tracing(file, shown, view, hidden, light, number))
    return tracings


def tilted(seed: int) -> Scene:
    """A board that is seen from aside."""
    return next(s for s in _scenes(seed) if s.view.tilt_degrees() > LEAST_TILT)


def _scenes(seed: int) -> Iterator[Scene]:
    yield from (random_scene(seed + STEP * step, contents="middle") for step in range(1000))


def shaped(look: DiscLook, rng: np.random.Generator) -> DiscLook:
    """A set in a shape of no particular set."""

    def sometimes(share: float, low: float, high: float) -> float:
        value = float(rng.uniform(low, high))
        return value if rng.random() < share else 0.0

    edge, dish = sometimes(0.5, 0.05, 0.4), sometimes(0.4, -0.25, 0.5)
    waist, ribs = sometimes(0.25, 0.08, 0.3), int(sometimes(0.3, 16, 60))
    return replace(look, edge=edge, dish=dish, waist=waist, ribs=ribs)


def _traced(
    scene: Scene, measures: tuple[float, float], hands: tuple[Hand, ...], rng: np.random.Generator
) -> Iterator[tuple[Floats, Scene, Floats]]:
    """Linear light and scene of each setup, and what is hidden in it."""
    from sample_images.blender.tracer import Tracer  # few have Blender

    scene = replace(scene, hands=())
    tracer, window = Tracer(scene), window_of(scene.view)
    for _ in range(SETUPS):
        discs: tuple[Disc, ...] = examples.random_discs(measures, rng)
        there = hands if rng.random() < WITH_HAND else ()
        tracer.move(discs, there)
        shares = examples.shares_hidden_by((tracer.arms() / 255).astype(np.float32), scene.view)
        yield tracer.light(window), replace(scene, discs=discs, hands=there), shares


def affordable(scene: Scene) -> Scene:
    """The scene before a camera that shows the board on no more than `MOST_PX`."""
    scene = examples.reduced(scene)
    rows, columns = window_of(scene.view)
    pixels = (rows.stop - rows.start) * (columns.stop - columns.start)
    return replace(scene, view=scaled(scene.view, min(1.0, (MOST_PX / pixels) ** 0.5)))


def window_of(view: View) -> Window:
    """The part of the picture in which the board and what stands on it is."""
    ends = (-AROUND, 8 + AROUND)
    points = [(x, y, z) for x in ends for y in ends for z in (0.0, ABOVE)]
    pixels = view.project(np.array(points))
    size = np.array([view.lens.width, view.lens.height])
    low, high = np.clip([pixels.min(axis=0), pixels.max(axis=0)], 0, size).round().astype(int)
    return slice(low[1], high[1]), slice(low[0], high[0])


def _file(light: Floats, scene: Scene, rng: np.random.Generator) -> bytes:
    gain = exposed(light[window_of(scene.view)])
    return jpeg(photograph(light, scene.sensor, gain, rng), scene.sensor.jpeg_quality)


# --- On the disk ---------------------------------------------------------------------------


def trace(seeds: list[int], folder: Path) -> None:
    """Trace these boards on all cores, but for those that are in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [seed for seed in seeds if not _path(seed, folder).exists()]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(_keep, seed, folder) for seed in missing]
        for job in track(jobs, "tracing boards"):
            job.result()


def _keep(seed: int, folder: Path) -> None:
    half = folder / f"{seed:05d}.part"
    half.write_bytes(pickle.dumps(traced_board(seed)))
    half.rename(_path(seed, folder))


def kept(seed: int, folder: Path) -> list[Tracing]:
    """A board that was traced."""
    tracings: list[Tracing] = pickle.loads(_path(seed, folder).read_bytes())
    return tracings


def examples_of(folder: Path, seed: int) -> tuple[examples.Cells, examples.Discs]:
    """All cells of a board that was traced, and its discs closer."""
    seen = [examples.seen_on(t.image, t.view, t.scene, t.hidden) for t in kept(seed, folder)]
    return examples.joined([cells for cells, _ in seen]), examples.joined([d for _, d in seen])


def _path(seed: int, folder: Path) -> Path:
    return folder / f"{seed:05d}.pickle"

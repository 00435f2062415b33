"""What a frame costs, beside two calls of OpenCV that others make for every frame; one thread.

The ratio says more than milliseconds: it is nearly the same on any machine. Nothing else of the
benchmark runs meanwhile.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from calibration.drift import DriftMeter
from calibration.locate import Refusal
from calibration.saved import Calibration
from referee.board import START
from referee.board import replace as changed
from referee.eye.eye import Eye
from referee.eye.first_sight import calibrate
from referee.simulation.games import FORGET, MOST_PLIES
from referee.simulation.score import referee_game
from sample_images.draw import drawn, exposed
from sample_images.scene import Scene, laid_out
from sample_images.sensor import photograph
from sample_images.variety import random_scene
from tests.benchmarks.cases import FRESH, SAMPLES, Image
from tests.benchmarks.report import Row, Section, at_most, longest, middle
from tests.benchmarks.wanted import Wanted

TITLE = "times"
FIRST = FRESH + 500_000
WIDTH, HEIGHT = 1280, 720
FLAT_PX = 512
FRAME_MS = 100
SETTLED = 30
"""Frames after which an eye has seen all cells a few times."""
STILL, SECOND, MOVED, WHOLE = at_most(0.15), at_most(1.0), at_most(3.0), at_most(1.5)
"""The third is 8 ms where the two calls take 2.7 ms: some 60 ms on a Raspberry Pi 4. The last is
what a reader without a network would take."""
REFIT_MS = at_most(2.0)
"""To see that the board is where it was, and how far it has moved."""
GAMES, GAMES_SEED = 14, 77_000_231
TRACKED_MS, LONGEST_MS = at_most(2.0), at_most(10.0)
"""What tracker and arbiter may take of a frame, games with many kings among them."""
MEMORY_MB = at_most(200.0)
"""What may be taken of the smallest Raspberry Pi, with 512 MB, beside its system."""


@dataclass(frozen=True)
class Cost:
    """Of one kind of frame, at ten frames a second."""

    name: str
    ms: float
    times: float
    """... of what the two calls took in the same run."""


@dataclass(frozen=True)
class Costs:
    yardstick_ms: float
    frames: tuple[Cost, ...]
    refit_ms: float
    tracked_ms: list[float]
    """Of tracker and arbiter, for every frame of some games without pixels."""
    memory_mb: float | None


def jobs(wanted: Wanted) -> Sequence[int]:
    """How often each kind of frame is timed."""
    return [wanted.repeats]


def measure(repeats: int) -> Costs:
    """Time frames of one board, in turn with the yardstick."""
    known, still, after = _table()
    kinds = {
        "still board: the gate alone": _watching(known, still, still),
        "a piece has moved: gate, verify, changed cells": _watching(known, still, after),
        "all 64 cells": _anew(known, still),
    }
    meter = DriftMeter(known.view, known.axis)
    refits: list[float] = []
    yardstick: list[float] = []
    spent: dict[str, list[float]] = {name: [] for name in kinds}
    for number in range(repeats):
        image = still[number % len(still)]
        yardstick.append(_yardstick(image, known))
        refits.append(_timed(partial(meter.measure, image)))
        for name, kind in kinds.items():
            spent[name].append(kind(number))
    base = float(np.median(yardstick))
    gate, moved, whole = spent
    typical = {
        gate: float(np.median(spent[gate])),
        "... mean, with the careful looks between": float(np.mean(spent[gate])),
        moved: float(np.median(spent[moved])),
        whole: float(np.median(spent[whole])),
    }
    frames = tuple(Cost(name, ms, ms / base) for name, ms in typical.items())
    return Costs(base, frames, float(np.median(refits)), _tracked(), _memory_mb())


def _tracked() -> list[float]:
    games = (
        referee_game(GAMES_SEED + number, FORGET, False, MOST_PLIES, time.process_time)
        for number in range(GAMES)
    )
    return [spent for score in games for spent in score.frame_ms]


def _table() -> tuple[Calibration, list[Image], list[Image]]:
    """A calibration, pictures of the starting position, and of the board after 11-15."""
    for seed in range(FIRST, FIRST + 50):
        scene = _at_720p(seed)
        if scene is None:
            continue
        still = _shots(scene, seed)
        known = calibrate(still[0], START)
        if isinstance(known, Refusal):
            continue
        measures = (scene.discs[0].radius, scene.discs[0].thickness)
        setup = changed(START, {11: ".", 15: "r"})
        after = laid_out(setup, measures, np.random.default_rng(seed))
        stayed = [disc for disc in scene.discs if _cell(disc.x, disc.y) != (2, 5)]
        came = [disc for disc in after if _cell(disc.x, disc.y) == (3, 4)]
        return known, still, _shots(replace(scene, discs=(*stayed, *came)), seed)
    raise RuntimeError("no board of these seeds was found")


def _at_720p(seed: int) -> Scene | None:
    scene = replace(random_scene(seed, "official", "start", "lamp"), hands=())
    lens = scene.view.lens
    return scene if (lens.width, lens.height) == (WIDTH, HEIGHT) else None


def _cell(x: float, y: float) -> tuple[int, int]:
    return int(y), int(x)


def _shots(scene: Scene, seed: int) -> list[Image]:
    light = drawn(scene)
    gain, rng = exposed(light), np.random.default_rng(seed)
    return [photograph(light, scene.sensor, gain, rng) for _ in range(4)]


def _yardstick(image: Image, known: Calibration) -> float:
    corners = known.view.corners().astype(np.float32)
    flat = np.array([[0, 0], [FLAT_PX, 0], [FLAT_PX, FLAT_PX], [0, FLAT_PX]], np.float32)
    to_flat = cv2.getPerspectiveTransform(corners, flat)
    size = (FLAT_PX, FLAT_PX)
    return _timed(
        lambda: cv2.cvtColor(cv2.warpPerspective(image, to_flat, size), cv2.COLOR_BGR2LAB)
    )


def _timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000


def _watching(
    known: Calibration, first: list[Image], second: list[Image]
) -> Callable[[int], float]:
    """Frames of the one kind and the other, in turn, before an eye that has settled."""
    eye = Eye(known)
    for number in range(SETTLED):
        eye.observe(first[number % len(first)], number * FRAME_MS)

    def once(number: int) -> float:
        shots = first if number % 2 else second
        image = shots[number % len(shots)]
        return _timed(lambda: eye.observe(image, (SETTLED + number) * FRAME_MS))

    return once


def _anew(known: Calibration, shots: list[Image]) -> Callable[[int], float]:
    """The first frame of an eye, which knows where to look but has read nothing."""

    def once(number: int) -> float:
        eye = Eye(known)
        return _timed(lambda: eye.observe(shots[number % len(shots)], 0))

    return once


def _memory_mb() -> float | None:
    """The most memory that watching the demonstration film takes; None where it cannot be told."""
    film = SAMPLES / "demo.mp4"
    if not film.exists() or not hasattr(os, "wait4"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        watch = [sys.executable, "-m", "referee", "watch", str(film), "--json"]
        watch += ["--pdn", str(where / "game.pdn"), "--games", str(where / "games")]
        command = [sys.executable, "-c", MEASURED, *watch]
        told = subprocess.run(command, cwd=SAMPLES.parent, capture_output=True, text=True)
    status, kilobytes = map(int, told.stdout.split())
    return kilobytes / 1024 if status == 0 else None


MEASURED = """
import os, subprocess, sys
quiet = subprocess.DEVNULL
process = subprocess.Popen(sys.argv[1:], stdout=quiet, stderr=quiet)
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""
"""A process begins with the memory of the one that starts it, so a small one has to do that."""


def sections(results: Iterable[Costs]) -> list[Section]:
    """Ratios with their milliseconds, and memory."""
    (costs,) = results
    goals = (STILL, SECOND, MOVED, WHOLE)
    peer = f"warpPerspective {FLAT_PX}x{FLAT_PX} + cvtColor Lab: {costs.yardstick_ms:.2f} ms = 1"
    rows = [
        Row(cost.name, f"{WIDTH}x{HEIGHT}", cost.times, "times", goal, f"{cost.ms:.2f} ms", peer)
        for cost, goal in zip(costs.frames, goals, strict=True)
    ]
    where, games = f"{WIDTH}x{HEIGHT}", f"{GAMES} games without pixels"
    rows.append(Row("verify and refit at the known pose", where, costs.refit_ms, "ms", REFIT_MS))
    rows.append(middle("tracker and arbiter, a frame", games, costs.tracked_ms, "ms", TRACKED_MS))
    rows.append(longest("... the longest", games, costs.tracked_ms, "ms", LONGEST_MS))
    rows.append(Row("peak memory of `referee watch`", "demo.mp4", costs.memory_mb, "MB", MEMORY_MB))
    return [Section("What a frame costs, one thread", rows)]

"""Photographs of scenes by path tracing: slower and truer to life than the drawn ones.

    python -m sample_images.render --out DIRECTORY --count 40

Needs the extra `render` (Blender as a module).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from sample_images import truth
from sample_images.blender.tracer import traced
from sample_images.draw import exposed
from sample_images.scene import Scene
from sample_images.sensor import jpeg, photograph
from sample_images.variety import FAMILIES, LIGHTS, random_scene

ASIDE = 3
"""Every third picture is kept aside, for no one to tune on."""


def still(scene: Scene, threads: int = 1) -> tuple[bytes, truth.FrameTruth]:
    """The photograph of a scene as a JPEG file, and what is true in it."""
    light, arms = traced(scene, threads)
    random = np.random.default_rng(scene.seed)
    image = photograph(light, scene.sensor, exposed(light), random)
    frame = replace(truth.frame_truth(scene), covered=truth.covered_by(arms, scene.view))
    return jpeg(image, scene.sensor.jpeg_quality), frame


# --- A varied set --------------------------------------------------------------------------

SIZE = (1280, 720)
WITH_HAND = (2, 5, 8)
"""Of every ten pictures."""
CONTENTS = ("start", "middle", "endgame", "middle")
LIGHT_ORDER = ("lamp", "two lamps", "daylight", "hard", "dim", "glare", "player")
JPEG_QUALITY = 92
TILT_SLACK = 6.0
"""Degrees by which a picture may miss the tilt that it should have."""


def varied_scene(index: int, first: int) -> Scene:
    """The picture with this number: half are official sets; tilts, lights and hands take turns.

    The rest is drawn from seeds that begin at `first` + 1000 × `index`.
    """
    others = [name for name in FAMILIES if name != "official"]
    family = "official" if index % 2 == 0 else others[index // 2 % len(others)]
    tilt = 60 * (index * 17 % 40 + 0.5) / 40
    for seed in range(first + 1000 * index, first + 1000 * (index + 1)):
        scene = random_scene(
            seed,
            family,
            CONTENTS[index // 2 % len(CONTENTS)],
            LIGHT_ORDER[index % len(LIGHTS)],
        )
        lens = scene.view.lens
        if (
            (lens.width, lens.height) == SIZE
            and bool(scene.hands) == (index % 10 in WITH_HAND)
            and abs(scene.view.tilt_degrees() - tilt) < TILT_SLACK
        ):
            return _finely_filed(scene)
    raise ValueError(f"no seed gives picture {index}")


def _finely_filed(scene: Scene) -> Scene:
    return replace(scene, sensor=replace(scene.sensor, jpeg_quality=JPEG_QUALITY))


def main(arguments: Sequence[str] | None = None) -> None:
    """Renders a varied set; pictures that are already there are kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--first", type=int, default=100_000, help="seed of the first picture")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--truth", default="truth.json", help="name of the truth file")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    for index in range(options.count):
        name = f"rendered-{index:02d}.jpg"
        if not (options.out / name).exists():
            scene = varied_scene(index, options.first)
            data, frame = still(scene, options.threads)
            recording = truth.recording_of(scene, name, kept_aside=index % ASIDE == ASIDE - 1)
            _file(options.out / options.truth, data, replace(recording, frames=(frame,)))


def _file(path: Path, data: bytes, recording: truth.Recording) -> None:
    """Adds a picture to a truth file and its folder; a reader never sees a half of either."""
    before = truth.read(path) if path.exists() else ()
    kept = [other for other in before if other.file != recording.file]
    half = path.with_name("half-written")
    half.write_bytes(data)
    os.replace(half, path.with_name(recording.file))
    truth.write(half, sorted([*kept, recording], key=lambda r: r.file))
    os.replace(half, path)


if __name__ == "__main__":
    main()

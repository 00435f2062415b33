"""Photographs of scenes by path tracing: slower and truer to life than the drawn ones.

    python -m sample_images.render                  # the shipped stills, into standard/
    python -m sample_images.render --out DIRECTORY --first 200000 --count 100 --truth truth.json

Needs the extra `render` (Blender as a module). A run that was broken off goes on where it
stopped; each picture is in the truth file as soon as it is there.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from sample_images import truth
from sample_images.blender.tracer import traced
from sample_images.draw import exposed
from sample_images.pinhole import pinhole_size
from sample_images.scene import Point, Scene, scaled
from sample_images.sensor import jpeg, photograph
from sample_images.variety import FAMILIES, LIGHTS, random_scene

ASIDE = 3
"""Every third picture is kept aside, for no one to tune on."""
STANDARD = Path(__file__).parent / "standard"


def still(scene: Scene, threads: int = 1) -> tuple[bytes, truth.FrameTruth]:
    """The photograph of a scene as a JPEG file, and what is true in it."""
    light, arms = traced(scene, threads, sweep_of(scene))
    random = np.random.default_rng(scene.seed)
    image = photograph(light, scene.sensor, exposed(light), random)
    frame = replace(truth.frame_truth(scene), covered=truth.covered_by(arms, scene.view))
    return jpeg(image, scene.sensor.jpeg_quality), frame


SWEEP = 0.35
"""Most squares that a hand moves while the shutter is open: 0.5 m/s for a thirtieth."""


def sweep_of(scene: Scene) -> Point:
    """How far the hands move while the shutter is open; about half of them rest."""
    random = np.random.default_rng(scene.seed)
    if not scene.hands or random.random() < 0.5:
        return 0.0, 0.0, 0.0
    way = np.subtract(scene.hands[0].tip, scene.hands[0].wrist) + random.normal(0, 1.0, 3)
    x, y, z = way / np.linalg.norm(way) * random.uniform(0.05, SWEEP)
    return float(x), float(y), float(z)


# --- A varied set --------------------------------------------------------------------------

LONGER, SHORTER = 1280, 720
"""Sides that a picture may have at most."""
PINHOLE_PX = 1_050_000
"""What may be traced for one picture; more for wide lenses, which need larger pinhole pictures."""
WITH_HAND = (1, 4, 6)
"""Of every ten pictures."""
CONTENTS = ("start", "middle", "endgame", "middle")
LIGHT_ORDER = ("lamp", "two lamps", "daylight", "hard", "dim", "glare", "player")
JPEG_QUALITY = 90
MOST_TILT = 65.0
TILT_SLACK = 6.0
"""Degrees by which a picture may miss the tilt that it should have."""


def varied_scene(index: int, first: int) -> Scene:
    """The picture with this number: half are official sets; tilts, lights and hands take turns.

    The rest is drawn from seeds that begin at `first` + 1000 × `index`.
    """
    others = [name for name in FAMILIES if name != "official"]
    family = "official" if index % 2 == 0 else others[index // 2 % len(others)]
    tilt = MOST_TILT * (index * 17 % 40 + 0.5) / 40
    for seed in range(first + 1000 * index, first + 1000 * (index + 1)):
        scene = random_scene(
            seed,
            family,
            CONTENTS[index // 2 % len(CONTENTS)],
            LIGHT_ORDER[index % len(LIGHTS)],
        )
        if (
            bool(scene.hands) == (index % 10 in WITH_HAND)
            and abs(scene.view.tilt_degrees() - tilt) < TILT_SLACK
        ):
            return _affordable(scene)
    raise ValueError(f"no seed gives picture {index}")


def _affordable(scene: Scene) -> Scene:
    """The same scene at a size that can be traced in half a minute, finely filed."""
    lens = scene.view.lens
    sides = sorted((lens.width, lens.height))
    pinhole = np.prod(pinhole_size(lens))
    scale = min(1.0, SHORTER / sides[0], LONGER / sides[1], float(PINHOLE_PX / pinhole) ** 0.5)
    sensor = replace(scene.sensor, jpeg_quality=JPEG_QUALITY)
    return replace(scene, view=scaled(scene.view, scale), sensor=sensor)


def main(arguments: Sequence[str] | None = None) -> None:
    """Renders a varied set and tells each picture; those that are already there are kept."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=STANDARD)
    parser.add_argument("--first", type=int, default=100_000, help="seed of the first picture")
    parser.add_argument("--count", type=int, default=36)
    parser.add_argument("--truth", default="rendered.truth.json", help="name of the truth file")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    for index in range(options.count):
        name = f"rendered-{index:02d}.jpg"
        if (options.out / name).exists():
            continue
        began = time.monotonic()
        scene = varied_scene(index, options.first)
        data, frame = still(scene, options.threads)
        recording = truth.recording_of(scene, name, kept_aside=index % ASIDE == ASIDE - 1)
        _file(options.out / options.truth, data, replace(recording, frames=(frame,)))
        took = time.monotonic() - began
        print(f"{name} ({index + 1} of {options.count}) in {took:.0f} s", file=sys.stderr)


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

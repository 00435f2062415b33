"""A path-traced video of a script: only what changed between two frames is traced anew.

    python -m sample_images.render_film SCRIPT OUT.mp4

Needs the extra `render` (Blender as a module). Frames already traced are kept beside the video
in a folder, so that a run that was broken off goes on where it stopped.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.model import View
from sample_images import truth
from sample_images.blender.tracer import Mask, Tracer
from sample_images.draw import exposed
from sample_images.play import Play, film_writer, prepare, recording
from sample_images.rays import Floats, Window
from sample_images.scene import Disc, Lamp, Scene
from sample_images.script import load
from sample_images.sensor import Image, photograph

FEATHER_PX = 6
"""Width of the seam along which a new part is laid over the old picture."""
ROOM_PX = 24
"""What is traced round a moving thing and its shadow, for the shadow's soft edge."""


class Footage:
    """Light and arms of one scene after the other, from a camera that stands still."""

    def __init__(self, stage: Scene, threads: int = 1) -> None:
        self._tracer = Tracer(stage, threads)
        self._lying: frozenset[Disc] | None = None
        self._base: Floats = np.zeros((0, 0, 3), np.float32)

    def take(self, scene: Scene) -> tuple[Floats, Mask]:
        """Linear light of a scene, and 255 where an arm is in the way."""
        discs = (*scene.discs, *scene.captured)
        self._lie(scene, discs)
        self._tracer.move(discs, scene.hands)
        if not scene.hands:
            return self._base, self._tracer.arms()
        window = _reach(scene, self._tracer.arm_points())
        picture = _patched(self._base, self._tracer.light(window), window)
        return picture, self._tracer.arms()

    def _lie(self, scene: Scene, discs: tuple[Disc, ...]) -> None:
        """Brings the picture without hands up to date."""
        now = frozenset(discs)
        if now == self._lying:
            return
        self._tracer.move(discs, ())
        if self._lying is None:
            self._base = self._tracer.light()
        else:
            changed = np.concatenate([_rim(disc) for disc in now ^ self._lying])
            window = _reach(scene, changed)
            self._base = _patched(self._base, self._tracer.light(window), window)
        self._lying = now


def _rim(disc: Disc) -> NDArray[np.float64]:
    """Points round a disc's lower and upper edge, (n, 3)."""
    turns = np.linspace(0, 2 * np.pi, 12)
    ring = np.column_stack([np.cos(turns), np.sin(turns)]) * disc.radius + [disc.x, disc.y]
    return np.concatenate([np.insert(ring, 2, z, axis=1) for z in (disc.z, disc.top)])


def _reach(scene: Scene, points: NDArray[np.float64]) -> Window:
    """The part of the picture that these points and their shadows on the board can change."""
    places = [points, *(_thrown(lamp, points) for lamp in scene.lamps)]
    return _window(scene.view, np.concatenate(places))


def _thrown(lamp: Lamp, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the shadows of points fall on the board plane."""
    source = np.array(lamp.position)
    height = np.clip(points[:, 2:], 0.0, 0.9 * source[2])
    spots = source[:2] + (points[:, :2] - source[:2]) * source[2] / (source[2] - height)
    return np.insert(spots, 2, 0.0, axis=1)


def _window(view: View, points: NDArray[np.float64]) -> Window:
    pixels = view.project(points)
    size = np.array([view.lens.width, view.lens.height])
    low = np.clip(np.floor(pixels.min(axis=0)) - ROOM_PX, 0, size - 2).astype(int)
    high = np.clip(np.ceil(pixels.max(axis=0)) + ROOM_PX, low + 2, size).astype(int)
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def _patched(old: Floats, new: Floats, window: Window) -> Floats:
    """The old picture with a window of the new one laid over it, soft at its border."""
    share = np.zeros(old.shape[:2], np.float32)
    share[window] = 1.0
    inner = cv2.erode(share, np.ones((FEATHER_PX, FEATHER_PX), np.uint8))
    soft = np.minimum(cv2.blur(inner, (FEATHER_PX, FEATHER_PX)), share)[..., None]
    return np.asarray(old * (1 - soft) + new * soft, dtype=np.float32)


# --- The video -----------------------------------------------------------------------------


def frames(play: Play, kept: Path, threads: int = 1) -> Iterator[tuple[Image, truth.FrameTruth]]:
    """Each frame of a script and what is true in it; light is kept in a folder meanwhile."""
    footage: Footage | None = None
    random = np.random.default_rng(play.timeline.script.seed)
    gain = 0.0
    for time_ms in play.times_ms:
        scene = play.scene_at(time_ms)
        path = kept / f"{time_ms:06d}.npz"
        if not path.exists():
            footage = footage or Footage(scene, threads)
            light, arms = footage.take(scene)
            np.savez_compressed(path, light=light.astype(np.float16), arms=arms)
        stored = np.load(path)
        light, arms = stored["light"].astype(np.float32), stored["arms"]
        gain = gain or exposed(light)
        frame = truth.frame_truth(scene, time_ms)
        yield (
            photograph(light, scene.sensor, gain, random),
            replace(frame, covered=truth.covered_by(arms, scene.view)),
        )


def film(play: Play, path: Path, threads: int = 1) -> None:
    """Writes the video and its truth beside it."""
    kept = path.with_suffix(".kept")
    kept.mkdir(parents=True, exist_ok=True)
    half = path.with_stem(path.stem + ".part")
    told = []
    with film_writer(play, half) as writer:
        for image, frame in frames(play, kept, threads):
            writer.write(image)
            told.append(frame)
    half.replace(path)
    whole = replace(recording(play, path.name), frames=tuple(told))
    truth.write(path.with_suffix(".truth.json"), [whole])


def main(arguments: Sequence[str] | None = None) -> None:
    """Renders one script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("script", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    film(prepare(load(options.script)), options.out, options.threads)


if __name__ == "__main__":
    main()

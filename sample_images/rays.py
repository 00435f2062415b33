"""Where each pixel's ray meets the planes of a scene: the geometry under the drawn pictures."""

# NumPy's own types forget what mixed arithmetic returns.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.model import Lens, View
from sample_images.scene import camera_axes, eye_of

Floats = NDArray[Any]
"""Of float32, as a rule."""
Window = tuple[slice, slice]
"""Rows and columns of a picture."""

LOWEST_DIP = 0.06
"""Sine of the flattest ray that still meets the ground; the ones above the horizon are bent to
it, so that they meet it far beyond any table."""


RING_SLACK = 1.04
"""A ring of twelve points lies this much inside the circle between them."""


Circle = tuple[float, float, float]
"""Centre x, y and radius."""
Circles = Iterable[Circle]


@dataclass(frozen=True, eq=False)
class Rays:
    """The rays of a view's pixels, or of some of them."""

    eye: NDArray[np.float64]
    """Where they all start, (3,)."""
    ground: Floats
    """Where they meet the board plane, (height, width, 2)."""
    view: View
    corner: tuple[int, int] = (0, 0)
    """Column and row of the first one in the whole picture."""

    def at(self, height: float) -> Floats:
        """Where they pass this height above the board plane, (height, width, 2)."""
        share = np.float32(height / self.eye[2])
        centre = self.eye[:2].astype(np.float32)
        return self.ground * (1 - share) + centre * share

    def within(self, window: Window) -> Rays:
        """The rays of a part of the picture; the window counts from the first of these."""
        down, right = (part.start or 0 for part in window)
        corner = (self.corner[0] + right, self.corner[1] + down)
        return Rays(self.eye, self.ground[window], self.view, corner)

    def around(self, circles: Circles, z: float) -> Window | None:
        """The smallest window that holds these level circles at height z.

        None if no part of it is in the picture. Only for one ray in each pixel.
        """
        left, top, right, low = _box(self.view, tuple(circles), z)
        height, width = self.ground.shape[:2]
        columns = slice(max(left - self.corner[0], 0), min(right - self.corner[0], width))
        rows = slice(max(top - self.corner[1], 0), min(low - self.corner[1], height))
        if columns.start >= columns.stop or rows.start >= rows.stop:
            return None
        return rows, columns


@lru_cache(maxsize=1024)
def _box(view: View, circles: tuple[Circle, ...], z: float) -> tuple[int, int, int, int]:
    """The first column and row, and those after the last, of the pixels round level circles."""
    turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = np.column_stack([np.cos(turns), np.sin(turns)]) * RING_SLACK
    rims = np.concatenate([ring * radius + (x, y) for x, y, radius in circles])
    pixels = view.project(np.column_stack([rims, np.full(len(rims), z)]))
    left, top = np.floor(pixels.min(axis=0)) - 2
    right, low = np.ceil(pixels.max(axis=0)) + 3
    return int(left), int(top), int(right), int(low)


@lru_cache(maxsize=4)
def rays_of(view: View, fineness: int = 1) -> Rays:
    """The rays of every pixel, or of `fineness` × `fineness` points in each."""
    axes, eye = camera_axes(view), eye_of(view)
    directions = pixel_directions(view.lens, fineness) @ axes
    down = np.minimum(directions[..., 2], -LOWEST_DIP)
    ground = eye[:2] + directions[..., :2] * (eye[2] / -down)[..., None]
    return Rays(eye, ground.astype(np.float32), view)


def pixel_directions(lens: Lens, fineness: int) -> NDArray[np.float64]:
    """Unit-depth rays in the camera's frame, (height, width, 3): right, down, forward."""
    shape = lens.height * fineness, lens.width * fineness
    rows, columns = np.indices(shape, dtype=np.float64)
    # A pixel's centre has whole coordinates: its parts lie evenly round it.
    x = ((columns + 0.5) / fineness - 0.5 - (lens.width - 1) / 2) / lens.focal_px
    y = ((rows + 0.5) / fineness - 0.5 - (lens.height - 1) / 2) / lens.focal_px
    scale = 1 / _magnified(np.hypot(x, y), lens.k1)
    return np.dstack([x * scale, y * scale, np.ones(shape)])


def _magnified(distorted: NDArray[np.float64], k1: float) -> NDArray[np.float64]:
    """1 + k1 r² at the undistorted radius r whose image lies at `distorted`."""
    radii = np.linspace(0, float(distorted.max()) * 1.001, 4096)
    undistorted = radii.copy()
    for _ in range(20):  # Newton's rule
        error = undistorted * (1 + k1 * undistorted**2) - radii
        undistorted -= error / np.maximum(1 + 3 * k1 * undistorted**2, 0.05)
    table = 1 + k1 * undistorted**2
    magnified: NDArray[np.float64] = np.interp(distorted, radii, table)
    return magnified

"""Where the camera of a film stands, and where it sees a point."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]
Image = NDArray[np.uint8]

SIZES = ((800, 600), (960, 540), (960, 720))
TILTS = (35.0, 60.0)
"""Degrees from straight above."""
VIEWS = ((90, 270), (90, 270), (45, 135, 225, 315), (0, 180))
"""Degrees around the board from White's end: side (twice as often), corner or end."""
NEAREST = 0.3
"""Squares before the camera; what is nearer is drawn as if it were there."""
SPREAD_PX = 16
"""Sixteenths of a pixel, in which OpenCV takes corners."""


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole. What its lens bends is bent when the picture is drawn."""

    width: int
    height: int
    focal_px: float
    turn: Points
    """(3, 3), from the board's directions to right, up and ahead."""
    eye: Points
    middle: Points
    """In pixels."""

    def ahead(self, points: ArrayLike) -> Points:
        """The points as right, up and ahead of the camera."""
        return np.asarray((np.asarray(points, float) - self.eye) @ self.turn.T)

    def pixels(self, points: ArrayLike) -> Points:
        seen = self.ahead(points)
        slope = seen[..., :2] / np.maximum(seen[..., 2:], NEAREST)
        return np.asarray(self.middle + self.focal_px * slope * (1, -1))

    def outline(self, points: ArrayLike) -> Points:
        """The convex hull of the points in the picture."""
        hull = cv2.convexHull(self.pixels(points).astype(np.float32))
        return np.asarray(hull[:, 0], float)

    def of_plane(self, height: float = 0.0) -> Points:
        """The (3, 3) that takes (x, y) at this height to pixels."""
        square = np.array([[0, 0], [8, 0], [8, 8], [0, 8]], np.float32)
        seen = self.pixels(np.c_[square, np.full(4, height)]).astype(np.float32)
        return np.asarray(cv2.getPerspectiveTransform(square, seen), float)


def filled(
    image: NDArray[np.uint8 | np.float32], corners: Points, colour: ArrayLike, smooth: bool = True
) -> None:
    """Paint a convex shape."""
    fixed = np.round(np.clip(corners, -30_000, 30_000) * SPREAD_PX).astype(np.int32)
    tone = [float(part) for part in np.minimum(np.atleast_1d(np.asarray(colour, float)), 255)]
    cv2.fillConvexPoly(image, fixed, tone, cv2.LINE_AA if smooth else cv2.LINE_8, 4)


def aimed(rng: np.random.Generator) -> Camera:
    """Any camera that has the whole board in its picture."""
    width, height = SIZES[rng.integers(len(SIZES))]
    tilt = np.radians(rng.uniform(*TILTS))
    around = np.radians(rng.choice(VIEWS[rng.integers(len(VIEWS))]) + rng.uniform(-15, 15))
    towards = np.array([np.sin(around) * np.sin(tilt), np.cos(around) * np.sin(tilt), np.cos(tilt)])
    focal = width / 2 / np.tan(np.radians(rng.uniform(48, 68)) / 2)
    turn = _turned(-towards, np.radians(rng.uniform(-3, 3)))
    centre = np.array([width, height]) / 2
    camera = Camera(width, height, focal, turn, towards, centre)
    camera = _backed(camera, towards, rng.uniform(0.65, 0.8))
    low, high = _extent(camera)
    slack = (0.96 * centre - (high - low) / 2) * rng.uniform(-0.5, 0.5, 2)
    return replace(camera, middle=centre + centre - (low + high) / 2 + slack)


def _turned(ahead: Points, roll: float) -> Points:
    # The board's y points towards White: mirrored, the three are right-handed.
    mirror = np.array([1, -1, 1])
    ahead = ahead * mirror
    right = np.cross(ahead, [0, 0, 1])
    right /= np.linalg.norm(right)
    up = np.cross(right, ahead)
    rolled = np.cos(roll) * right + np.sin(roll) * up, np.cos(roll) * up - np.sin(roll) * right
    return np.asarray(np.array([*rolled, ahead]) * mirror)


def _backed(camera: Camera, towards: Points, fill: float) -> Camera:
    """The camera as far back as lets the board fill this much of the picture."""
    near, far = 5.0, 80.0
    for _ in range(30):
        middle = (near + far) / 2
        camera = replace(camera, eye=np.array([4, 4, 0]) + middle * towards)
        low, high = _extent(camera)
        small = max((high - low) / (camera.width, camera.height)) < fill
        near, far = (near, middle) if small else (middle, far)
    return camera


def _extent(camera: Camera) -> tuple[Points, Points]:
    corners = camera.pixels([[x, y, 0] for x in (-0.6, 8.6) for y in (-0.6, 8.6)])
    return corners.min(0), corners.max(0)

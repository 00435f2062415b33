"""From a flat grid to pixels: a homography followed by one radial term.

Looser than a `View`: it needs no focal length and allows any centre of projection, so a search
can use it before it knows the camera.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Array

DEFAULT_FIELD_DEGREES = 66.0
"""Across the longer side: webcams and phones lie between 60 and 75."""

NOWHERE = -1e6
"""The pixel of points that no lens shows: behind the horizon, or beyond the lens' fold."""

STEEPEST_FOLD = 0.2
"""Where the radial term has slowed the growth of the radius to this share, pictures end."""


def default_focal_px(width: int, height: int) -> float:
    """The focal length to assume where the picture does not tell it."""
    return float(max(width, height) / (2 * np.tan(np.radians(DEFAULT_FIELD_DEGREES / 2))))


@dataclass(frozen=True)
class Mapping:
    """Grid coordinates to pixels; one unit of the grid is one square."""

    homography: Array
    """(3, 3) from the grid to undistorted pixels from `centre`, in units of `radius`."""
    k1: float
    centre: Array
    """(2,) pixels."""
    radius: float
    """Pixels at which the radial term is `k1`; a usual focal length, so k1 is like a lens'."""

    @staticmethod
    def from_homography(homography: Array, width: int, height: int) -> Mapping:
        """The mapping without distortion that a homography from grid to pixels gives."""
        centre = np.array([(width - 1) / 2, (height - 1) / 2])
        radius = default_focal_px(width, height)
        to_units = np.array(
            [[1 / radius, 0, -centre[0] / radius], [0, 1 / radius, -centre[1] / radius], [0, 0, 1]]
        )
        return Mapping(to_units @ homography, 0.0, centre, radius)

    def project(self, points: Array) -> Array:
        """Pixels (n, 2) of grid points (n, 2)."""
        raised = points @ self.homography[:, :2].T + self.homography[:, 2]
        in_front = raised[:, 2] > 1e-6
        flat = raised[:, :2] / np.where(in_front, raised[:, 2], 1.0)[:, None]
        squared = (flat * flat).sum(axis=1)
        visible = in_front & (1 + 3 * self.k1 * squared > STEEPEST_FOLD)
        pixels = self.centre + self.radius * flat * (1 + self.k1 * squared)[:, None]
        return np.where(visible[:, None], pixels, NOWHERE)

    def from_origin(self, origin: tuple[int, int]) -> Mapping:
        """The same mapping for a grid that counts from `origin` of this one."""
        return self.reoriented(np.array([[1.0, 0, origin[0]], [0, 1, origin[1]], [0, 0, 1]]))

    def reoriented(self, turn: Array) -> Mapping:
        """The same mapping for a grid that `turn` (3, 3) takes to this one."""
        return Mapping(self.homography @ turn, self.k1, self.centre, self.radius)

    def facing(self, point: Array) -> Mapping:
        """The same mapping, signed so that a visible grid point (2,) is before the horizon."""
        depth = self.homography[2] @ np.array([point[0], point[1], 1.0])
        return Mapping(self.homography / depth, self.k1, self.centre, self.radius)

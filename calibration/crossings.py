"""Where four squares meet: points at which two dark and two light corners face each other.

A crossing is a saddle of the grey values, and on every small circle around it the brightness
swings light, dark, light, dark. The swing tells more than the place: the directions of the two
lines that cross there, and on which side of each the light squares lie.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Array, Mask

CANDIDATES = 2500
"""Saddles that are looked at closely; a cluttered room has thousands of weaker ones."""

RING_SAMPLES = 32
"""Around a ring: two pixels apart on the widest."""
RING_RADII = (4.0, 7.0, 11.0)
"""In pixels, for a plane smoothed as usual; larger smoothing scales them."""
USUAL_SIGMA = 1.5
"""Smoothing in pixels, as a standard deviation."""

EVEN_SHARE = 0.75
"""How much of a ring's variance must repeat after half a turn; at an edge or a dot little does."""

FLAT = 1e-3
"""Rings whose variance is below this (in squared grey levels) are blank paper."""


@dataclass(frozen=True)
class Crossings:
    """All crossings found in one plane, best first."""

    points: Array
    """(n, 2) pixels."""
    rising: Array
    """(n, 2) unit vectors along the line that has light on its clockwise side."""
    falling: Array
    """(n, 2) unit vectors along the line that has dark on its clockwise side."""

    def __len__(self) -> int:
        return len(self.points)

    def only(self, chosen: Mask) -> Crossings:
        """Those that are chosen (n,)."""
        return Crossings(self.points[chosen], self.rising[chosen], self.falling[chosen])


def find_crossings(plane: Array, sigma: float = USUAL_SIGMA) -> Crossings:
    """The crossings of a plane after smoothing it by `sigma` pixels."""
    smooth = cv2.GaussianBlur(plane, (0, 0), sigma)
    return _ring_test(smooth, _saddles(smooth), sigma / USUAL_SIGMA)


def _saddles(smooth: Array) -> Array:
    """Pixels (n, 2) where the surface is most like a saddle, by strength over its neighbourhood."""
    # A 3x3 Sobel multiplies every second derivative by the same 4; mixing kernels of different
    # gain would make boards at 45 degrees invisible.
    across = cv2.Sobel(smooth, cv2.CV_32F, 2, 0, ksize=3)
    down = cv2.Sobel(smooth, cv2.CV_32F, 0, 2, ksize=3)
    mixed = cv2.Sobel(smooth, cv2.CV_32F, 1, 1, ksize=3)
    squared = cv2.subtract(cv2.multiply(mixed, mixed), cv2.multiply(across, down))
    strength = cv2.sqrt(cv2.threshold(squared, 0, 0, cv2.THRESH_TOZERO)[1])
    strongest = cv2.dilate(strength, np.ones((5, 5), np.uint8))
    columns, rows = _positions((strength == strongest) & (strength > 0.1))
    # Relative to the surroundings, so that a shaded part of the board is not outvoted.
    around = cv2.blur(strength, (65, 65))[rows, columns] + 0.02
    order = np.argsort(-strength[rows, columns] / around, kind="stable")[:CANDIDATES]
    return np.column_stack([columns[order], rows[order]]).astype(float)


def _positions(marked: Mask) -> tuple[Array, Array]:
    """Columns and rows of the marked pixels."""
    found = cv2.findNonZero(marked.view(np.uint8))
    columns, rows = np.empty((0, 2), int).T if found is None else found.reshape(-1, 2).T
    return columns, rows


def _ring_test(smooth: Array, points: Array, scale: float) -> Crossings:
    """Keep the points around which some ring swings twice, and read the line directions there."""
    if len(points) == 0:
        return Crossings(points, points, points)
    radii = np.array(RING_RADII) * scale
    angles = np.arange(RING_SAMPLES) * 2 * np.pi / RING_SAMPLES
    rings = _sample_rings(smooth, points, radii, angles)
    even = (rings + np.roll(rings, RING_SAMPLES // 2, axis=2))[:, :, : RING_SAMPLES // 2] / 2
    even = even - even.mean(axis=2, keepdims=True)
    variance = rings.var(axis=2)
    share = (even * even).mean(axis=2) / np.maximum(variance, FLAT)
    # The sample after the last of a half turn is the first again.
    following = np.roll(even, -1, axis=2)
    rises = (even < 0) & (following >= 0)
    falls = (even >= 0) & (following < 0)
    swings_twice = (rises.sum(axis=2) == 1) & (falls.sum(axis=2) == 1)
    share = np.where(swings_twice, share, 0.0)
    best = share.argmax(axis=1)
    each = np.arange(len(points))
    kept = share[each, best] >= EVEN_SHARE
    pick = (each[kept], best[kept])
    return Crossings(
        points[kept],
        _zero_direction(even[pick], following[pick], rises[pick]),
        _zero_direction(even[pick], following[pick], falls[pick]),
    )


def _sample_rings(
    smooth: Array,
    points: Array,
    radii: Array,
    angles: Array,
) -> Array:
    """(n, radii, angles) values on circles around the points."""
    x = points[:, :1, None] + radii[:, None] * np.cos(angles)
    y = points[:, 1:, None] + radii[:, None] * np.sin(angles)
    flat = (len(points), len(radii) * len(angles))
    values = cv2.remap(
        smooth,
        x.reshape(flat).astype(np.float32),
        y.reshape(flat).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return values.reshape(len(points), len(radii), len(angles))


def _zero_direction(even: Array, following: Array, at: Mask) -> Array:
    """(n, 2) unit vectors to where each row of `even` passes zero at the sample marked `at`."""
    place = at.argmax(axis=1)
    each = np.arange(len(even))
    before, after = even[each, place], following[each, place]
    angle = (place + before / (before - after)) * (2 * np.pi / RING_SAMPLES)
    return np.column_stack([np.cos(angle), np.sin(angle)])

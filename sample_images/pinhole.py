"""The way from a pinhole's picture, which a renderer makes, to that of a real lens."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.model import Lens, View
from sample_images.rays import Window, pixel_directions
from sample_images.scene import camera_axes
from sample_images.sensor import Light

MARGIN_PX = 4
"""Room round the pinhole's picture for the interpolation at its border."""


def pinhole_size(lens: Lens) -> tuple[int, int]:
    """Width and height of a picture without distortion, same focal length, that holds all of it."""
    reach = np.abs(pixel_directions(lens, 1)[..., :2]).max(axis=(0, 1)) * lens.focal_px
    width, height = (2 * math.ceil(half + MARGIN_PX) for half in reach)
    return width, height


def distort(pinhole: Light, lens: Lens) -> Light:
    """The picture of `lens` from a pinhole's of the same focal length and axis."""
    height, width = pinhole.shape[:2]
    middle = [(width - 1) / 2, (height - 1) / 2]
    places = pixel_directions(lens, 1)[..., :2] * lens.focal_px + middle
    across, down = (places[..., axis].astype(np.float32) for axis in (0, 1))
    picture = cv2.remap(pinhole, across, down, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    # A cubic kernel dips below zero beside a bright edge; light does not.
    return np.maximum(picture, 0.0).astype(np.float32)


def pinhole_window(lens: Lens, window: Window) -> tuple[float, float, float, float]:
    """The part of the pinhole's picture that a window of the lens' picture needs.

    Left, right, lower and upper border as shares of its width and height, from the lower left.
    """
    width, height = pinhole_size(lens)
    places = pixel_directions(lens, 1)[window][..., :2] * lens.focal_px
    across, down = (places[..., axis] + side / 2 for axis, side in ((0, width), (1, height)))
    left, right = across.min() - MARGIN_PX, across.max() + MARGIN_PX
    upper, lower = down.min() - MARGIN_PX, down.max() + MARGIN_PX
    shares = left / width, right / width, 1 - lower / height, 1 - upper / height
    first, second, third, fourth = (float(min(max(share, 0.0), 1.0)) for share in shares)
    return first, second, third, fourth


def shown_by(view: View, points: NDArray[np.float64], nearest: float) -> NDArray[np.bool_]:
    """Which points (n, 3) of the board's frame the lens shows where they are.

    Not those within `nearest` squares before the camera or behind it, nor those so far aside
    that one radial term folds back: they would be projected somewhere over the board.
    """
    seen = points @ camera_axes(view).T + np.array(view.pose.translation)
    slant = np.hypot(seen[:, 0], seen[:, 1]) / np.maximum(seen[:, 2], nearest)
    unfolded = 1 + 3 * view.lens.k1 * slant**2 > 0
    return np.asarray((seen[:, 2] >= nearest) & unfolded, bool)

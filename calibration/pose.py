"""The camera behind a mapping: focal length, radial term and pose of the board.

Squares are square, so the way a tilted board shrinks tells the focal length. A board seen from
straight above tells nothing about it; there a usual lens is assumed, and little depends on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Array
from calibration.mapping import Mapping, default_focal_px
from calibration.model import OUTER_CORNERS, Lens, Pose, View, square_px
from calibration.refit import PRIOR_K1, EdgePoints, across_edges, corner_sigma, gauss_newton

PRIOR_LOG_FOCAL = 0.25
"""Spread of focal lengths among webcams, Pi cameras and phones, as a logarithm."""
KNOWN_LOG_FOCAL = 0.08
"""Below this spread after the fit the picture has told the focal length."""
CENTRED, OFF_CENTRE = 1e-6, 0.15
"""Spread of the optical axis from the picture's centre, in usual focal lengths: of a whole
picture, and of one that was cut."""
CUT = 0.06
"""Squares by which a centred view may miss the corners before the picture is taken to be cut."""
FOCAL_RANGE = (0.5, 3.0)
"""Focal lengths a first guess may have, in usual ones."""


@dataclass(frozen=True)
class Seen:
    """A view fitted to a picture."""

    view: View
    corner_sigma_px: float
    """Standard deviation of the least certain outer corner."""
    focal_known: bool
    """False when the focal length comes from the usual lens rather than from the picture."""


def view_of(mapping: Mapping, points: EdgePoints, width: int, height: int) -> Seen:
    """The view of a camera of `width` x `height` that fits edge points best.

    `mapping` is where the search starts, and what the view must agree with; the points are pixels
    of the full picture. The optical axis is taken to pass through the picture's centre unless
    the board contradicts that, as it does in pictures that were cut.
    """
    start = _values(_first_view(mapping, width, height))
    seen = _fit(start, points, width, height, centre_spread=CENTRED)
    corners = mapping.project(OUTER_CORNERS)
    scale = default_focal_px(width, height) / mapping.radius
    disagreement = np.abs(seen.view.corners() - ((corners + 0.5) * scale - 0.5)).max()
    if disagreement <= CUT * square_px(corners) * scale:
        return seen
    return _fit(start, points, width, height, centre_spread=OFF_CENTRE)


def _fit(start: Array, points: EdgePoints, width: int, height: int, centre_spread: float) -> Seen:
    spread = np.full(10, np.inf)
    spread[6:] = PRIOR_K1, PRIOR_LOG_FOCAL, centre_spread, centre_spread

    def linearise(values: Array) -> tuple[Array, Array]:
        return across_edges(*_project(values, points.places, width, height), points)

    solution = gauss_newton(linearise, start, spread, points.lines)
    _, slopes = _project(solution.values, OUTER_CORNERS, width, height)
    return Seen(
        _view(solution.values, width, height),
        corner_sigma(slopes, solution.covariance),
        bool(np.sqrt(solution.covariance[7, 7]) < KNOWN_LOG_FOCAL),
    )


def _first_view(mapping: Mapping, width: int, height: int) -> View:
    """The view nearest to a mapping; its focal length is a guess within the usual ones."""
    first, second, origin = mapping.homography.T
    relative = _relative_focal(first, second)
    scale = np.array([1 / relative, 1 / relative, 1.0])
    first, second, origin = first * scale, second * scale, origin * scale
    size = np.sqrt(np.linalg.norm(first) * np.linalg.norm(second))
    columns = np.column_stack([first, second, np.cross(first, second) / size]) / size
    left, _, right = np.linalg.svd(columns)
    rotation, _ = cv2.Rodrigues(left @ right)
    translation = origin / size
    focal_px = relative * default_focal_px(width, height)
    lens = Lens(width, height, focal_px, mapping.k1 * relative**2)
    return View(lens, Pose.of(np.concatenate([rotation.ravel(), translation])))


def _relative_focal(first: Array, second: Array) -> float:
    """Focal length in usual ones that makes a square's sides equal and upright to each other."""
    # Two equations, linear in the inverse square of the focal length.
    flat = np.array([first[:2] @ second[:2], first[:2] @ first[:2] - second[:2] @ second[:2]])
    deep = -np.array([first[2] * second[2], first[2] ** 2 - second[2] ** 2])
    squared = float(flat @ flat) / max(float(flat @ deep), 1e-12)
    return float(np.clip(np.sqrt(squared), *FOCAL_RANGE))


def _values(view: View) -> Array:
    """Rotation (3), translation (3) and k1 as for a usual lens, log of the focal length, axis (2).

    A longer lens further away gives nearly the same picture; counted so, the numbers other than
    the focal length hardly change along that valley, and the descent does not lose its way.
    """
    pose, lens = view.pose, view.lens
    usual = default_focal_px(lens.width, lens.height)
    relative = lens.focal_px / usual
    placed = np.array(pose.translation) * [1, 1, 1 / relative]
    axis = lens.offset_x / usual, lens.offset_y / usual
    return np.array([*pose.rotation, *placed, lens.k1 / relative**2, np.log(relative), *axis])


def _view(values: Array, width: int, height: int) -> View:
    relative, usual = float(np.exp(values[7])), default_focal_px(width, height)
    k1, offset_x, offset_y = (float(v) for v in values[[6, 8, 9]] * [relative**2, usual, usual])
    lens = Lens(width, height, relative * usual, k1, offset_x, offset_y)
    return View(lens, Pose.of(values[:6] * [1, 1, 1, 1, 1, relative]))


def _project(values: Array, points: Array, width: int, height: int) -> tuple[Array, Array]:
    """Pixels (n, 2) of points in the plane, and their derivatives (n, 2, 10) with the values."""
    view = _view(values, width, height)
    lens, placed = view.lens, np.array(view.pose.translation)
    relative, usual = float(np.exp(values[7])), default_focal_px(width, height)
    flat = np.column_stack([points, np.zeros(len(points))]).reshape(-1, 1, 3)
    pixels, full = cv2.projectPoints(flat, values[:3], placed, lens.matrix, lens.distortion)
    # OpenCV's columns: rotation, translation, focal x and y, centre x and y, k1, ...
    rotation, across, depth, k1 = full[:, :3], full[:, 3:5], full[:, 5], full[:, 10]
    focal = (full[:, 6] + full[:, 7]) * lens.focal_px + depth * placed[2] + 2 * k1 * lens.k1
    jacobian = np.column_stack(
        [rotation, across, depth * relative, k1 * relative**2, focal, full[:, 8:10] * usual]
    )
    return pixels.reshape(-1, 2), jacobian.reshape(-1, 2, 10)

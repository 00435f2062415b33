"""Place a known grid exactly: profiles across its edges, and a robust fit through them.

A board shows a thousand points of edge and only 49 crossings, many of them hidden. Only inner
edges are used: rims and printed lines pull at the border.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Array
from calibration.mapping import Mapping
from calibration.model import SIDE
from calibration.window import sample

REACH = 0.13
"""Half the length of a profile across an edge, in squares: a disc's rim is further away."""
PROFILE = np.linspace(-REACH, REACH, 23)
"""Places along a profile; finer than the pixels of any usual picture."""
ALONG = (np.arange(11) + 0.5) / 11
"""Where an edge is crossed by profiles."""
LEAST_STEP = 0.2
"""The step in a profile that counts as the edge, in units of the board's contrast."""

FEWEST_POINTS = 60
"""Edge points below which a fit says nothing."""
ROUNDS = 20
"""Steps of a descent at most; it comes to rest within six."""
CAUCHY = 2.0
"""Residual, in typical ones, at which a point's weight is halved."""
FIRST_DAMPING = 1e-4
"""Of Levenberg and Marquardt: nearly a full step, for the start is good."""
SETTLED_PX = 0.003
"""A step that moves no edge point by more than this is the last."""
PRIOR_K1 = 0.3
"""Spread of the radial term: wide, for lenses reach 0.2 and a narrow one pulls corners inwards."""
CORRELATION = 8.0
"""So many points count as one: those of one edge, and those of its neighbours on the same line,
err together, for no board is cut and printed exactly. With fewer, drawn boards are placed
hardly better, and the focal lengths that real ones tell scatter more."""
FLOOR_PX = 0.15
"""No fit is taken to be better than this: boards are not flat, lenses have further terms."""


@dataclass(frozen=True)
class EdgePoints:
    """Points of the grid's edges as found in a picture."""

    places: Array
    """(n, 2) grid points on the edges."""
    pixels: Array
    """(n, 2) where the edge was found across that place."""
    normals: Array
    """(n, 2) unit vectors across the edge in the picture; along the edge nothing is known."""

    def __len__(self) -> int:
        return len(self.places)

    @property
    def lines(self) -> Array:
        """(n,): on which of the grid's lines each point lies, upright ones below zero."""
        upright = self.places[:, 0] == np.rint(self.places[:, 0])
        return np.where(upright, -1 - self.places[:, 0], self.places[:, 1])

    def scaled(self, scale: Array) -> EdgePoints:
        """The same points in a picture `scale` (x, y) times as large."""
        return EdgePoints(self.places, (self.pixels + 0.5) * scale - 0.5, self.normals)

    def reoriented(self, turn: Array) -> EdgePoints:
        """The same points counted in the grid to which `turn` (3, 3) takes this one."""
        places = self.places @ turn[:2, :2].T + turn[:2, 2]
        return EdgePoints(places, self.pixels, self.normals)


def inner_edges() -> tuple[Array, Array]:
    """Profiles across the 112 inner edges of a board: places (n, 2), directions (n, 2)."""
    lines = np.arange(1, SIDE)
    along = (np.arange(SIDE)[:, None] + ALONG).ravel()
    line, t = (a.ravel() for a in np.meshgrid(lines, along, indexing="ij"))
    level = np.column_stack([t, line])
    upright = np.column_stack([line, t])
    across_level = np.tile([0.0, 1.0], (len(level), 1))
    across_upright = np.tile([1.0, 0.0], (len(upright), 1))
    return np.concatenate([level, upright]), np.concatenate([across_level, across_upright])


PLACES, ACROSS = inner_edges()


def edge_signs(origin: tuple[int, int]) -> Array:
    """+1 where the plane rises across a place of `inner_edges`, for a board at this grid origin."""
    cell = np.floor(PLACES + 1e-9).astype(int)
    return np.asarray(1.0 - 2.0 * ((cell.sum(axis=1) + sum(origin)) % 2))


def find_edges(plane: Array, mapping: Mapping, signs: Array, unit: float) -> EdgePoints:
    """The inner edges of the board that `mapping` counts from (0, 0) to (8, 8), where seen."""
    profiles = sample(plane, mapping, PLACES[:, None] + PROFILE[:, None] * ACROSS[:, None])
    slope = np.diff(profiles, axis=1) * signs[:, None]
    # Over three steps, so that a grain of noise is not taken for the edge.
    slope[:, 1:-1] = slope[:, :-2] + slope[:, 1:-1] + slope[:, 2:]
    slope[:, [0, -1]] = -np.inf
    peak = slope[:, 1:-1].argmax(axis=1) + 1
    each = np.arange(len(slope))
    inside = (peak > 1) & (peak < slope.shape[1] - 2)
    peak = np.clip(peak, 2, slope.shape[1] - 3)
    before, at, after = slope[each, peak - 1], slope[each, peak], slope[each, peak + 1]
    bend = before - 2 * at + after
    inside &= (bend < 0) & (at > LEAST_STEP * unit)
    offset = 0.5 * (before - after) / np.where(bend < 0, bend, -1.0)
    step = PROFILE[1] - PROFILE[0]
    across = (PROFILE[peak] + step * (0.5 + offset))[:, None] * ACROSS
    return _edge_points(mapping, PLACES[inside], across[inside], ACROSS[inside])


def _edge_points(mapping: Mapping, places: Array, offsets: Array, across: Array) -> EdgePoints:
    pixels = mapping.project(places + offsets)
    tangent = mapping.project(places + 0.05 * across[:, ::-1]) - mapping.project(places)
    length = np.hypot(*tangent.T)
    shown = length > 0  # what no lens shows is all in one place
    normals = np.column_stack([-tangent[:, 1], tangent[:, 0]])[shown] / length[shown, None]
    return EdgePoints(places[shown], pixels[shown], normals)


def fit_mapping(mapping: Mapping, points: EdgePoints) -> Mapping | None:
    """Homography and radial term through edge points; None when there are too few of them."""
    if len(points) < FEWEST_POINTS:
        return None
    frame = _Parameters(mapping)
    spread = np.append(np.full(8, np.inf), PRIOR_K1)

    def linearise(values: Array) -> tuple[Array, Array]:
        return across_edges(*frame.project(values, points.places), points)

    found = gauss_newton(linearise, frame.values(), spread, points.lines)
    return frame.mapping(found.values)


@dataclass(frozen=True)
class Solution:
    """Where a Gauss-Newton descent came to rest."""

    values: Array
    covariance: Array


def gauss_newton(
    linearise: Callable[[Array], tuple[Array, Array]],
    start: Array,
    spread: Array,
    lines: Array,
) -> Solution:
    """Robust least squares with independent normal priors about zero, of this spread (parameters,);
    an infinite one is no prior.

    `linearise(values)` gives residuals (n,) in pixels and their derivatives (n, parameters).
    Residuals of one of the `lines` (n,) err together.
    """
    values = start
    pull = 1 / spread**2
    residual, jacobian = linearise(values)
    damping = FIRST_DAMPING
    for _ in range(ROUNDS):
        scale = _scale(residual)
        weighted = jacobian.T * (_weights(residual, scale) / (CORRELATION * scale**2))
        normal = weighted @ jacobian + np.diag(pull)
        damped = normal + damping * np.diag(np.diag(normal))
        step = np.linalg.solve(damped, weighted @ residual + pull * values)
        tried, slopes = linearise(values - step)
        if _cost(tried, scale, values - step, pull) > _cost(residual, scale, values, pull):
            damping = damping * 10
            continue
        moved_px = float(np.abs(tried - residual).max())
        values, residual, jacobian, damping = values - step, tried, slopes, damping / 10
        if moved_px < SETTLED_PX:
            break
    return Solution(values, _covariance(residual, jacobian, lines, pull))


def _covariance(residual: Array, jacobian: Array, lines: Array, pull: Array) -> Array:
    """Of the values, from how far whole lines are off: the sandwich of White (1980) for clusters
    (Liang and Zeger 1986), which needs no opinion on how well boards are printed."""
    scale = _scale(residual)
    weighted = jacobian.T * (_weights(residual, scale) / (CORRELATION * scale**2))
    inverse = np.linalg.inv(weighted @ jacobian + np.diag(pull))
    which, index = np.unique(lines, return_inverse=True)
    off = np.zeros((len(which), len(pull)))
    np.add.at(off, index, weighted.T * residual[:, None])
    # As many lines as there are values to choose seem to err by nothing.
    few = len(which) / max(len(which) - len(pull), 1)
    return np.asarray(inverse @ (few * off.T @ off + np.diag(pull)) @ inverse)


def _scale(residual: Array) -> float:
    """Typical size of residuals, in pixels, outliers apart."""
    return max(1.48 * float(np.median(np.abs(residual))), FLOOR_PX)


def _weights(residual: Array, scale: float) -> Array:
    """Cauchy weights (n,)."""
    return 1 / (1 + (residual / (CAUCHY * scale)) ** 2)


def _cost(residual: Array, scale: float, values: Array, pull: Array) -> float:
    """What the descent makes small: the negative logarithm of the probability."""
    robust = CAUCHY**2 / 2 * np.log1p((residual / (CAUCHY * scale)) ** 2).sum() / CORRELATION
    return float(robust + (pull * values**2).sum() / 2)


def across_edges(pixels: Array, jacobian: Array, points: EdgePoints) -> tuple[Array, Array]:
    """The part of displacements (n, 2) and derivatives (n, 2, m) that lies across the edges."""
    residual = ((pixels - points.pixels) * points.normals).sum(axis=1)
    return residual, (jacobian * points.normals[:, :, None]).sum(axis=1)


def corner_sigma(jacobian: Array, covariance: Array) -> float:
    """Standard deviation, in pixels, of the worst of some points with derivatives (n, 2, m)."""
    spread = np.einsum("nij,jk,nik->n", jacobian, covariance, jacobian)
    return float(np.sqrt(spread.max()))


class _Parameters:
    """Nine numbers around a mapping, scaled so that they are of one size: eight and k1."""

    def __init__(self, mapping: Mapping) -> None:
        self._start = mapping
        # Counted from the middle of the board, in half boards.
        half = SIDE / 2
        self._grid = np.array([[1 / half, 0, -1], [0, 1 / half, -1], [0, 0, 1]])
        centred = mapping.homography @ np.linalg.inv(self._grid)
        self._first = centred / centred[2, 2]

    def values(self) -> Array:
        return np.append(self._first.ravel()[:8], self._start.k1)

    def mapping(self, values: Array) -> Mapping:
        centred = np.append(values[:8], 1.0).reshape(3, 3)
        start = self._start
        return Mapping(centred @ self._grid, float(values[8]), start.centre, start.radius)

    def project(self, values: Array, points: Array) -> tuple[Array, Array]:
        """Pixels (n, 2) of grid points, and their derivatives (n, 2, 9) with the numbers."""
        k1, radius = values[8], self._start.radius
        grid = np.column_stack([points, np.ones(len(points))]) @ self._grid.T
        raised = grid @ np.append(values[:8], 1.0).reshape(3, 3).T
        flat = raised[:, :2] / raised[:, 2:]
        squared = (flat * flat).sum(axis=1)
        stretch = radius * (1 + k1 * squared)
        moves = _flat_derivatives(grid / raised[:, 2:], flat)
        # The radial term scales a move, and pulls along the radius what changes the radius.
        outward = (flat[:, :, None] * moves).sum(axis=1, keepdims=True)
        moves = stretch[:, None, None] * moves + 2 * radius * k1 * flat[:, :, None] * outward
        by_k1 = radius * flat * squared[:, None]
        pixels = self._start.centre + flat * stretch[:, None]
        return pixels, np.concatenate([moves, by_k1[:, :, None]], axis=2)


def _flat_derivatives(grid: Array, flat: Array) -> Array:
    """(n, 2, 8) change of undistorted points (n, 2) with the homography's eight numbers."""
    moves = np.zeros((len(flat), 2, 8))
    moves[:, 0, 0:3] = moves[:, 1, 3:6] = grid
    moves[:, :, 6:8] = -flat[:, :, None] * grid[:, None, :2]
    return moves

"""Hold on to a board whose place is known: re-measure it in every frame, in about a millisecond.

All sample points are worked out beforehand. A frame costs one look-up of pixels across the edges
of the squares and a small least-squares problem. A bump beyond the reach of the profiles costs a
second look: the squares are compared with a chequered pattern at all shifts up to `FARTHEST`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from calibration.arrays import LUMINANCE, Array, Image, Mask
from calibration.model import SIDE, Pose, View, square_px

NEAR_CORNERS = ((0.08, 0.14, 0.20), (0.80, 0.86, 0.92))
"""Along an edge, the places over which one profile is averaged: a disc does not reach there."""
REACH = 0.16
"""Half the length of a profile, in squares."""
PROFILE = np.linspace(-REACH, REACH, 17)

STEP = 3
"""Samples of a profile over which an edge's step is measured: 0.06 of a square."""
ENDS = 4
"""Samples at either end of a profile that tell the contrast of the squares there."""
CLEAR_SHARE = 70
"""Percentile of the edges' contrasts that counts as the board's: hands hide others, and a lamp
makes some stronger."""
LEAST_STEP = 0.25
"""The share of the contrast of light and dark that an edge must show to count as seen."""
PLAINEST = 95
"""Percentile of the edges' steps that an arm over most of the board leaves as it was."""
LEAST_SEEN = 0.33
"""Share of edges below which the board is hidden, gone or further away than a profile reaches.

Squares that are off by more than a profile agree on a quarter of the edges by chance, never more;
of a board half covered by an arm two fifths are seen."""
MOST_SEEN = 0.6
"""Share of edges from which on the board is surely where they are: an arm seldom hides so many that
fewer are seen, and squares that are off by nearly a profile may show as many."""
BEYOND = 0.5
"""Share of edges seen outside one side, from which the squares go on there: it is another row."""
OUTER_ROW = 0.3
"""Share of edges that every outer row must show before a jump of the board is believed."""

FARTHEST = 0.6
"""Squares of a bump that can be healed; beyond it the chequered pattern repeats too soon."""
RASTER = 0.1
"""Squares between the samples of the second look."""
CORNER = 0.35
"""How far from its corners a square is compared: its middle may hold a disc."""

AGREEMENT = 0.04
"""Squares within which an edge agrees with the fit: a disc's rim or a shadow does not."""
LINEAR = 0.05
"""Squares of motion up to which one step of the fit is exact."""
FITS = 4
"""Rounds of reweighting; the weights have settled by then."""
FEWEST = 40
"""Edges that a fit needs."""


@dataclass(frozen=True)
class Drift:
    """Where the board is now."""

    view: View | None
    """The view of this frame, through the same lens; None when it cannot be told."""
    shift: float
    """How far the outer corner that moved most has moved, in squares; 0 when it cannot be told."""
    seen: float
    """Share of the inner edges that were seen at that place; 0 when they are other rows'."""
    sharpness: float
    """How much of the squares' contrast inner edges show within `STEP` of their place, 0-1:
    it falls when the camera loses its focus."""
    plainest: float
    """Grey levels along the axis that the plainest inner edges show there: where an arm leaves
    some of the board in view, as many as ever."""


class DriftMeter:
    """Measures how far a board has moved from a known view."""

    def __init__(self, view: View, axis: tuple[float, float, float] = LUMINANCE) -> None:
        """`axis`: blue, green, red from dark to light squares, as `locate` gives it."""
        self.view = view
        self._axis = np.array(axis, dtype=np.float32)
        self._edges = _Edges(view)

    def measure(self, image: Image) -> Drift:
        """Where the board is in a frame of the same camera.

        ValueError when the frame's size is not the lens'.
        """
        lens = self.view.lens
        if image.shape[:2] != (lens.height, lens.width):
            raise ValueError(f"the frame is {image.shape[:2]}, not {(lens.height, lens.width)}")
        near = self._edges.fit(image, self._axis)
        at_hand = near.seen >= LEAST_SEEN and self._is_within_reach(near)
        if not at_hand or near.seen < MOST_SEEN:
            found = self._after_a_bump(image)
            if found is not None and not (at_hand and found.seen <= near.seen):
                return self._drift(found)
        if near.view is None or not at_hand:
            return Drift(None, 0.0, near.seen, near.sharpness, near.plainest)
        if self.shift(near.view) > LINEAR:
            near = _Edges(near.view).fit(image, self._axis)
        return self._drift(near)

    def _is_within_reach(self, fit: _Fit) -> bool:
        """Whether a fit has not run away, as one to few edges of mostly one direction may."""
        return fit.view is not None and self.shift(fit.view) <= FARTHEST

    def _after_a_bump(self, image: Image) -> _Fit | None:
        """The fit from where the squares match best, if they are seen there."""
        found = _Edges(self._shifted_view(image)).fit(image, self._axis)
        if found.view is not None and found.seen >= LEAST_SEEN:
            found = _Edges(found.view).fit(image, self._axis)
        return None if found.seen < LEAST_SEEN or found.outer_row < OUTER_ROW else found

    def _drift(self, fit: _Fit) -> Drift:
        if fit.beyond > BEYOND and fit.outer_row < OUTER_ROW:
            return Drift(None, 0.0, 0.0, fit.sharpness, fit.plainest)
        if fit.view is None or fit.beyond > BEYOND:
            return Drift(None, 0.0, fit.seen, fit.sharpness, fit.plainest)
        shift = self.shift(fit.view)
        return Drift(fit.view, shift, fit.seen, fit.sharpness, fit.plainest)

    def shift(self, view: View) -> float:
        """How far the outer corners of a view are from their known places, in squares."""
        before, after = self.view.corners(), view.corners()
        return float(np.linalg.norm(after - before, axis=1).max() / square_px(before))

    def _shifted_view(self, image: Image) -> View:
        """The view whose squares match the frame best when the board has slid in its plane."""
        values = cv2.remap(image, *self._raster, cv2.INTER_LINEAR).astype(np.float32)
        plane = cv2.transform(values, self._axis[None])
        match = cv2.matchTemplate(plane, _CHEQUERED, cv2.TM_CCORR)
        row, column = divmod(int(match.argmax()), match.shape[1])
        return self.view.slid(column * RASTER - FARTHEST, row * RASTER - FARTHEST)

    @cached_property
    def _raster(self) -> tuple[Array, Array]:
        """Pixel maps of the board and `FARTHEST` around it."""
        steps = np.arange(-FARTHEST + RASTER / 2, SIDE + FARTHEST, RASTER)
        x, y = np.meshgrid(steps, steps)
        return _maps(self.view, np.dstack([x, y]))


@dataclass(frozen=True)
class _Fit:
    """A view fitted to the edges near a known one."""

    view: View | None
    seen: float
    """Share of the inner edges."""
    outer_row: float
    """Share of the edges between the squares of the outer row that shows fewest."""
    beyond: float
    """Share of the edges outside the side that shows most."""
    sharpness: float
    plainest: float
    """See `Drift`."""


class _Edges:
    """The edges of a board at a known view, ready to be looked up in a frame."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._maps = _maps(view, _SAMPLES.reshape(len(_PLACES), -1, 2))
        self._jacobian, self._px_per_square = _across_edges(view)

    def fit(self, image: Image, axis: Array) -> _Fit:
        """The view through the edges as the frame shows them."""
        offset, grey, contrast = self._offsets(image, axis)
        step = grey / max(contrast, 1e-6)
        seen = step > LEAST_STEP
        sharpness = float(np.percentile(step[~_IS_BEYOND], CLEAR_SHARE))
        plainest = float(np.percentile(grey[~_IS_BEYOND], PLAINEST))
        change = self._change(offset, seen & ~_IS_BEYOND)
        if change is None:
            return _Fit(None, 0.0, 0.0, 0.0, sharpness, plainest)
        agreed = np.abs(offset - self._jacobian @ change / self._px_per_square) < AGREEMENT
        seen &= agreed
        pose = self._view.pose
        values = np.array([*pose.rotation, *pose.translation])
        return _Fit(
            View(self._view.lens, Pose.of(values + change)),
            float(seen[~_IS_BEYOND].mean()),
            float(min(seen[row].mean() for row in _OUTER_ROWS)),
            float(max(seen[side].mean() for side in _BEYOND_SIDES)),
            sharpness,
            plainest,
        )

    def _offsets(self, image: Image, axis: Array) -> tuple[Array, Array, float]:
        """Squares (n,) by which each profile's edge is off its place, and its step in grey levels,
        0 where it lies at the end of the profile; and the contrast of light and dark."""
        values = cv2.remap(image, *self._maps, cv2.INTER_LINEAR)
        means = values.reshape(len(_PLACES), -1, len(PROFILE), 3).mean(axis=1, dtype=np.float32)
        profiles = (means @ axis) * _SIGNS[:, None]
        slope = profiles[:, STEP:] - profiles[:, :-STEP]
        peak = slope.argmax(axis=1)
        inside = (peak > 0) & (peak < slope.shape[1] - 1)
        peak = np.clip(peak, 1, slope.shape[1] - 2)
        before, at, after = (slope[_EACH, peak + k] for k in (-1, 0, 1))
        bend = np.minimum(before - 2 * at + after, -1e-6)
        place = peak + STEP / 2 + 0.5 * (after - before) / -bend
        inner = profiles[~_IS_BEYOND]
        rise = inner[:, -ENDS:].mean(axis=1) - inner[:, :ENDS].mean(axis=1)
        contrast = float(np.percentile(np.abs(rise), CLEAR_SHARE))
        offset = PROFILE[0] + place * (PROFILE[1] - PROFILE[0])
        return offset, np.where(inside, at, 0.0), contrast

    def _change(self, offset: Array, seen: Mask) -> Array | None:
        """Change (6,) of the pose that puts edges at the offsets seen, by reweighted squares; None
        where these do not tell it, as edges of one direction alone."""
        if seen.sum() < FEWEST:
            return None
        jacobian = self._jacobian[seen]
        residual = (offset * self._px_per_square)[seen]
        weight = np.ones(len(residual))
        for _ in range(FITS):
            weighted = jacobian.T * weight
            try:
                change = np.linalg.solve(weighted @ jacobian, weighted @ residual)
            except np.linalg.LinAlgError:
                return None
            left = np.abs(residual - jacobian @ change)
            weight = 1 / (1 + (left / (3 * np.median(left) + 1e-3)) ** 2)
        return np.asarray(change)


def _profile_places() -> tuple[Array, Array, Array]:
    """Places (n, k, 2) along the edges over which a profile is averaged, directions across
    (n, 2), and the side (n,) outside which the edge lies, -1 for inner edges."""
    lines, cells = np.arange(1, SIDE), np.arange(-1, SIDE + 1)
    line, cell, end = (a.ravel() for a in np.meshgrid(lines, cells, (0, 1), indexing="ij"))
    along = cell[:, None] + np.array(NEAR_CORNERS)[end]
    across = np.broadcast_to(line[:, None], along.shape)
    level = np.dstack([along, across])
    side = np.select([cell < 0, cell >= SIDE], [0, 1], -1)
    places = np.concatenate([level, level[..., ::-1]]).astype(float)
    directions = np.repeat([[0.0, 1.0], [1.0, 0.0]], len(level), axis=0)
    return places, directions, np.concatenate([side, np.where(side < 0, -1, side + 2)])


def _signs(places: Array) -> Array:
    """+1 where brightness rises across an edge: cells of odd row + column are the dark ones."""
    cell = np.floor(places[:, 0] + 1e-9).sum(axis=1)
    return np.asarray(1.0 - 2.0 * (cell % 2))


def _outer_rows() -> list[Mask]:
    """For each side: which profiles lie between the squares of its outer row."""
    upright = _ACROSS[:, 0] > 0
    middle = _PLACES.mean(axis=1)
    columns = [~upright & (np.floor(middle[:, 0]) == k) for k in (0, SIDE - 1)]
    rows = [upright & (np.floor(middle[:, 1]) == k) for k in (0, SIDE - 1)]
    return columns + rows


def _chequered() -> Array:
    """A board of ±1, light first, as a raster; 0 in the middles of the squares."""
    steps = np.arange(RASTER / 2, SIDE, RASTER)
    cell, within = np.divmod(steps, 1.0)
    sign = 1 - 2 * ((cell[:, None] + cell) % 2)
    from_edge = np.minimum(within, 1 - within)
    near = from_edge[:, None] + from_edge < CORNER
    return np.asarray(sign * near, dtype=np.float32)


_PLACES, _ACROSS, _SIDES = _profile_places()
_SIGNS = _signs(_PLACES).astype(np.float32)
_EACH = np.arange(len(_PLACES))
_IS_BEYOND = _SIDES >= 0
_BEYOND_SIDES = [side == _SIDES for side in range(4)]
_OUTER_ROWS = _outer_rows()
_SAMPLES = _PLACES[:, :, None] + PROFILE[:, None] * _ACROSS[:, None, None]
_CHEQUERED = _chequered()


def _maps(view: View, points: Array) -> tuple[Array, Array]:
    """Maps for `cv2.remap` to look up board points (height, width, 2)."""
    pixels = view.project(points.reshape(-1, 2)).astype(np.float32).reshape(points.shape)
    x, y = np.ascontiguousarray(pixels[..., 0]), np.ascontiguousarray(pixels[..., 1])
    return cv2.convertMaps(x, y, cv2.CV_16SC2)


def _across_edges(view: View) -> tuple[Array, Array]:
    """Pixels across each edge per unit of the six pose numbers (n, 6), and per square (n,)."""
    middle = _PLACES.mean(axis=1)
    flat = np.column_stack([middle, np.zeros(len(middle))]).reshape(-1, 1, 3)
    pose, lens = view.pose, view.lens
    pixels, full = cv2.projectPoints(
        flat, np.array(pose.rotation), np.array(pose.translation), lens.matrix, lens.distortion
    )
    small = 0.01
    tangent = view.project(middle + small * _ACROSS[:, ::-1]) - pixels.reshape(-1, 2)
    normal = np.column_stack([-tangent[:, 1], tangent[:, 0]])
    normal /= np.hypot(*normal.T)[:, None]
    step = (view.project(middle + small * _ACROSS) - pixels.reshape(-1, 2)) / small
    jacobian = full[:, :6].reshape(-1, 2, 6)
    return (jacobian * normal[:, :, None]).sum(axis=1), (step * normal).sum(axis=1)

"""Find the board in one picture, or say why not.

Crossings, lattices, windows, edges: each step lives in its own module; here they are put in order
and the outcome is judged. A wrong board is the worst outcome, so whatever is not proven is
refused with a reason that a person can act on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import LUMINANCE, Array, Image
from calibration.crossings import USUAL_SIGMA, Crossings, find_crossings
from calibration.lattice import Lattice, grow_lattices
from calibration.mapping import Mapping
from calibration.model import OUTER_CORNERS, SIDE, View, square_px
from calibration.pose import view_of
from calibration.refit import EdgePoints, edge_signs, find_edges, fit_mapping
from calibration.window import (
    OUTSIDE_TOLERANCE,
    Contrast,
    Window,
    best_window,
    look,
    measure_contrast,
    seen_crossings,
)

LONGEST_PX, SHORTEST_PX = 1280, 900
"""The longer side is brought between these: larger shows grain, smaller loses crossings."""

MARGIN, CLEAR_MARGIN = 5.0, 10.0
BORDER_CROSSINGS = 2
OUTSIDE = 0.5
WEAKEST_ROW = 0.3
FEWEST_CROSSINGS = 12
FEWEST_EDGES = 0.5
"""Tests of a window: measured on boards that are whole, cut, larger and smaller. Of 360 that were
not whole, or larger or smaller, 13 had no other fault than that squares went on, by both tests, one
by edges and two crossings. Of 178 whole ones on chequered cloths 18 seemed to go on by crossings
alone, with margins from 8.6 to 16, and one by both."""

ROUNDS = 3
"""Of window test and refit; the window usually stays put after two."""
LAYERS = 4
"""So often crossings that have found their places are set aside: a cloth has parts."""
SECOND_BOARD = 30
"""Nodes of another lattice at which it may be another board."""
RED_GREEN = np.array([0.0, -1.0, 1.0])
BLUE_YELLOW = np.array([1.0, -0.5, -0.5])
"""The opponent colours, in which squares differ that are equally bright."""
LEAST_CONTRAST = 1.0
"""Of light and dark squares in log colour, 2.5 percent; less is noise."""
LOG_SIGMA = 1.0
"""Smoothing in pixels before nodes and edges are looked up."""
DARK = 25
"""Mean brightness (of 255) below which darkness is the likely reason of a failure."""


NO_BOARD = "no board of 8 by 8 squares was found in the picture"
TOO_DARK = "the picture is too dark to see a board"
TWO_BOARDS = "there are two boards, or a chequered cloth, in the picture: leave only one in view"
TOO_LARGE = "the grid of squares is larger than 8 by 8: this is not a draughts board"
TOO_LITTLE = "too little of the board can be seen"
ROW_HIDDEN = "an outer row of the board cannot be seen"
AMBIGUOUS = "it is not certain which 8 by 8 squares are the board: a row is hidden"
RUNS_OUT = "the board runs out of the picture at the {side}"


@dataclass(frozen=True)
class Located:
    """The board in one picture.

    The numbering of the view is one of the two that put squares 1-32 on the darker squares; the
    other is `view.turned(2)`. Which of them is right, only the men can tell.
    """

    view: View
    corner_sigma: float
    """Standard deviation of the least certain outer corner, in squares."""
    axis: tuple[float, float, float]
    """Unit vector in blue, green, red from the dark squares to the light ones."""
    focal_known: bool
    """False when the picture is too flat to tell the focal length and a usual one is assumed."""

    def turned(self, quarters: int) -> Located:
        """The same board numbered anew; after odd quarters the lighter squares are played on.

        The axis keeps pointing from the squares that are played on to the others, as a
        `DriftMeter` of the view expects.
        """
        blue, green, red = (part * (-1) ** quarters for part in self.axis)
        return replace(self, view=self.view.turned(quarters), axis=(blue, green, red))


@dataclass(frozen=True)
class Refusal:
    """Why no board can be given."""

    reason: str
    """One sentence for people."""


@dataclass(frozen=True)
class _Picture:
    """A picture at working size, in the forms in which it is needed."""

    image: Image
    linear: Array
    """As floating numbers, for exact places of edges."""
    logs: Array
    """Log colour: there, a shadow is a mere offset."""
    scale: Array
    """(2,) working pixels per pixel of the full picture."""

    @staticmethod
    def of(image: Image) -> _Picture:
        scaled = _to_working_size(image)
        table = (40 * np.log(np.arange(256) + 8.0)).astype(np.float32)
        logs = cv2.GaussianBlur(np.asarray(cv2.LUT(scaled, table)), (0, 0), LOG_SIGMA)
        scale = np.array(scaled.shape[1::-1]) / np.array(image.shape[1::-1])
        return _Picture(scaled, scaled.astype(np.float32), logs, scale)

    def planes(self) -> Iterator[tuple[Array, float]]:
        """Planes in which crossings may show, each with its smoothing, the likeliest first."""
        luminance = cv2.transform(self.linear, np.array([LUMINANCE]))
        yield luminance, USUAL_SIGMA
        yield cv2.transform(self.linear, RED_GREEN[None]), USUAL_SIGMA
        yield cv2.transform(self.linear, BLUE_YELLOW[None]), USUAL_SIGMA
        yield luminance, 2 * USUAL_SIGMA


def _to_working_size(image: Image) -> Image:
    longer = max(image.shape[:2])
    scale = min(max(longer, SHORTEST_PX), LONGEST_PX) / longer
    if scale == 1:
        return image
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    height, width = (max(1, round(side * scale)) for side in image.shape[:2])
    return np.asarray(cv2.resize(image, (width, height), interpolation=method), dtype=np.uint8)


@dataclass(frozen=True)
class _Candidate:
    """A window settled on a lattice."""

    mapping: Mapping
    """Counts from (0, 0) to (8, 8)."""
    window: Window
    contrast: Contrast
    points: EdgePoints
    """In the picture at working size."""


def locate(image: Image) -> Located | Refusal:
    """Find the one whole board in a picture (height, width, 3) of 8-bit blue, green, red.

    ValueError for an array that is no such picture.
    """
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise ValueError(f"a picture is (height, width, 3) of uint8, not {image.shape}")
    picture = _Picture.of(image)
    failures: list[list[str]] = []
    for plane, sigma in picture.planes():
        crossings = find_crossings(plane, sigma)
        for candidate in _candidates(picture, crossings):
            faults = _faults(candidate, picture.image)
            if not faults and _second_board(picture, crossings, candidate):
                return Refusal(TWO_BOARDS)
            if not faults:
                return _located(candidate, image, picture.scale)
            if _is_boardlike(candidate.window):
                failures.append(faults)
        if failures:
            # Nodes and edges were looked up in full colour: another plane shows the same.
            return Refusal(min(failures, key=len)[0])
    return Refusal(TOO_DARK if image.mean() < DARK else NO_BOARD)


def _candidates(picture: _Picture, crossings: Crossings) -> Iterator[_Candidate]:
    """The windows of all lattices, and then of those beside these: the first may be a cloth's."""
    for _ in range(LAYERS):
        lattices = grow_lattices(crossings)
        yield from _settled(picture, lattices)
        if not lattices:
            break
        crossings = _beside(crossings, lattices)


def _settled(picture: _Picture, lattices: Iterable[Lattice]) -> Iterator[_Candidate]:
    for lattice in lattices:
        candidate = _settle(picture, lattice)
        if candidate is not None:
            yield candidate


def _beside(crossings: Crossings, lattices: Iterable[Lattice]) -> Crossings:
    """The crossings that belong to none of some lattices."""
    known = np.concatenate([lattice.points for lattice in lattices])
    apart = np.abs(crossings.points[:, None] - known).sum(axis=2).min(axis=1)
    return crossings.only(apart > 0)


def _is_boardlike(window: Window) -> bool:
    """Whether a window that failed is like enough to a board to speak of one."""
    return window.edges >= FEWEST_EDGES and window.crossings >= 2 * FEWEST_CROSSINGS


def _settle(picture: _Picture, lattice: Lattice) -> _Candidate | None:
    """The best window around a lattice, its mapping refitted until the window stays put."""
    height, width = picture.image.shape[:2]
    mapping = Mapping.from_homography(lattice.homography, width, height)
    mapping = mapping.facing(lattice.nodes.mean(axis=0))
    nodes = lattice.nodes
    candidate: _Candidate | None = None
    for _ in range(ROUNDS):
        contrast = measure_contrast(picture.logs, mapping, nodes)
        if contrast.unit < LEAST_CONTRAST:
            break
        grid = look(picture.logs, mapping, contrast)
        window = best_window(grid)
        if window.crossings < FEWEST_CROSSINGS:
            break
        refitted = _refit(picture.linear, mapping, window, nodes)
        if refitted is None:
            break
        settled = candidate is not None and candidate.window.origin == window.origin
        candidate = refitted
        if settled:
            break
        mapping = candidate.mapping.from_origin((-window.origin[0], -window.origin[1]))
        nodes = seen_crossings(grid, window)
    return candidate


def _refit(linear: Array, mapping: Mapping, window: Window, nodes: Array) -> _Candidate | None:
    """The window with its mapping drawn through its inner edges; None when too few are seen."""
    on_board = mapping.from_origin(window.origin)
    contrast = measure_contrast(linear, mapping, nodes)
    plane = cv2.transform(linear, contrast.axis[None])
    points = find_edges(plane, on_board, edge_signs(window.origin), contrast.unit)
    fitted = fit_mapping(on_board, points)
    return None if fitted is None else _Candidate(fitted, window, contrast, points)


def _faults(candidate: _Candidate, image: Image) -> list[str]:
    """What speaks against a candidate, the plainest reason first."""
    window = candidate.window
    tests = [
        (_side_outside(candidate.mapping, image), ""),
        (window.weakest_row < WEAKEST_ROW, ROW_HIDDEN),
        (_goes_on(window), TOO_LARGE),
        (window.edges < FEWEST_EDGES, TOO_LITTLE),
        (window.margin < MARGIN, AMBIGUOUS),
    ]
    return [text or str(failed) for failed, text in tests if failed]


def _goes_on(window: Window) -> bool:
    """Whether squares go on beyond a side: they meet on the border, and edges lead on from there.
    Where only one of both is seen, and no other window comes near, it is the pattern of a cloth,
    or discs that were taken off and stand in a row beside the squares."""
    edges, crossings = window.outside > OUTSIDE, window.border_crossings
    if edges and crossings:
        return True
    return (edges or crossings > BORDER_CROSSINGS) and window.margin < CLEAR_MARGIN


def _side_outside(mapping: Mapping, image: Image) -> str:
    """The reason when the board runs out of the picture, or nothing."""
    height, width = image.shape[:2]
    corners = mapping.project(OUTER_CORNERS)
    beyond = {
        "left": -corners[:, 0].min(),
        "right": corners[:, 0].max() - (width - 1),
        "top": -corners[:, 1].min(),
        "bottom": corners[:, 1].max() - (height - 1),
    }
    name = max(beyond, key=lambda key: beyond[key])
    if beyond[name] <= OUTSIDE_TOLERANCE * square_px(corners):
        return ""
    return RUNS_OUT.format(side=name)


def _second_board(picture: _Picture, crossings: Crossings, candidate: _Candidate) -> bool:
    """Whether another lattice remains when the board found is covered, unless it goes on beyond 8
    by 8 squares as a chequered cloth does."""
    corners = candidate.mapping.project(
        (OUTER_CORNERS - SIDE / 2) * (SIDE + 1) / SIDE + SIDE / 2
    ).astype(np.float32)
    outside = np.array(
        [
            cv2.pointPolygonTest(corners, (float(x), float(y)), False) < 0
            for x, y in crossings.points
        ],
        dtype=bool,
    )
    others = (each for each in grow_lattices(crossings.only(outside)) if len(each) >= SECOND_BOARD)
    return any(not _is_larger(picture, lattice) for lattice in others)


def _is_larger(picture: _Picture, lattice: Lattice) -> bool:
    """Whether a lattice is that of more than 8 by 8 squares."""
    candidate = _settle(picture, lattice)
    return candidate is not None and _goes_on(candidate.window)


def _located(candidate: _Candidate, image: Image, scale: Array) -> Located:
    """The answer in pixels of the full picture, numbered from a light corner, clockwise."""
    height, width = image.shape[:2]
    points, mapping = candidate.points.scaled(1 / scale), candidate.mapping
    turn = _numbering(candidate)
    seen = view_of(mapping.reoriented(turn), points.reoriented(np.linalg.inv(turn)), width, height)
    return Located(
        seen.view,
        seen.corner_sigma_px / square_px(seen.view.corners()),
        _light_axis(candidate),
        seen.focal_known,
    )


def _light_axis(candidate: _Candidate) -> tuple[float, float, float]:
    axis = candidate.contrast.axis
    blue, green, red = (float(a) for a in axis * np.sign(axis @ LUMINANCE))
    return blue, green, red


def _numbering(candidate: _Candidate) -> Array:
    """(3, 3) from the wanted grid to the candidate's: clockwise, cell (0, 0) light."""
    corners = candidate.mapping.project(OUTER_CORNERS)
    (ax, ay), (bx, by) = corners[1] - corners[0], corners[3] - corners[0]
    clockwise = (
        np.eye(3) if ax * by - ay * bx > 0 else np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 1]])
    )
    first_is_light = sum(candidate.window.origin) % 2 == 0
    if float(candidate.contrast.axis @ LUMINANCE) < 0:
        first_is_light = not first_is_light
    quarter = np.array([[0.0, -1, SIDE], [1, 0, 0], [0, 0, 1]])
    return clockwise if first_is_light else clockwise @ quarter

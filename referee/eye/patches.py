"""Small upright pictures of the 64 cells, as a reader wants to see them.

A patch shows one cell and a border of its neighbours in the plane of the board. It is turned
by quarter turns so that whatever stands up on the cell leans towards the patch's top: one
reader then serves cameras on every side of the board.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Levels
from calibration.model import View

Floats = NDArray[np.float32]

SIZE = 64
"""Of a patch, in pixels; 40 a square keep the wall of a thin disc four pixels high at 45°."""
LEFT, TOP, EXTENT = -0.8, -0.9, 1.6
"""What a patch shows, in squares from the cell's centre: more above, where discs lean to."""
PIXELS_A_SQUARE = SIZE / EXTENT
MARGIN = 1.0
"""Squares around the board that patches of its outer cells may show."""
COARSE = 4
"""Pixels of a patch between two that are projected."""
COARSEST = 1.6
"""A picture with more pixels a square than this times a patch's is halved first."""

CELLS = [(row, column) for row in range(8) for column in range(8)]
CENTRES = np.array([(column + 0.5, row + 0.5) for row, column in CELLS])
"""(64, 2) of the cells, on the board."""


ALL = np.arange(64)


@dataclass(frozen=True)
class Patches:
    """Some cells of one picture, n of them."""

    which: NDArray[np.intp]
    """(n,): which of the 64, counted row by row."""
    pixels: NDArray[np.uint8]
    """(n, SIZE, SIZE, 3), blue green red."""
    lean: Floats
    """(n, 2): where a point one square above the cell's centre appears, (right, up)."""
    points: Floats
    """(n, SIZE, SIZE, 2): the board-plane point under each pixel, (x, y)."""


@dataclass(frozen=True)
class Sampler:
    """Some pixels of every patch, for a look that is cheaper than cutting the patches."""

    columns: NDArray[np.int16]
    rows: NDArray[np.uint16]
    shape: tuple[int, ...]

    def look(self, reduced: Image) -> NDArray[np.uint8]:
        """Their colours (64, ..., 3) in a picture from `PatchMap.reduced`."""
        seen = _looked_up(reduced, self.columns, self.rows)
        return seen.reshape(64, *self.shape, 3)


@dataclass(frozen=True)
class PatchMap:
    """Where to look in pictures taken from one view: built once, used for every frame."""

    columns: NDArray[np.int16]
    rows: NDArray[np.uint16]
    """(64, SIZE, SIZE, 2) and (64, SIZE, SIZE): where in the (reduced) picture each pixel lies,
    in the whole numbers and fractions that `cv2.remap` is quickest with. Of other places than the
    64 cells there may be more or fewer."""
    lean: Floats
    points: Floats
    """Of all of them, as in `Patches`."""
    halvings: int

    @staticmethod
    def of(view: View, places: Levels = CENTRES) -> PatchMap:
        """For patches around these points (n, 2) of the board."""
        lean_plane = lean_in_plane(view, places)
        turns = [_quarter_turn(lean) for lean in lean_plane]
        offsets = _offsets()
        points = np.stack(
            [place + offsets @ turn for place, turn in zip(places, turns, strict=True)]
        )
        lean = np.stack([turn @ vector for turn, vector in zip(turns, lean_plane, strict=True)])
        lean[:, 1] *= -1.0
        across, down = np.moveaxis(np.rint((points + MARGIN) * PIXELS_A_SQUARE - 0.5), -1, 0)
        pixels = _whole_board(view)[down.astype(np.intp), across.astype(np.intp)]
        times = halvings(view, PIXELS_A_SQUARE)
        scale = 0.5**times
        reduced = (pixels + 0.5) * scale - 0.5
        x, y = (reduced.reshape(-1, SIZE, 2).astype(np.float32)[..., i] for i in (0, 1))
        whole, part = cv2.convertMaps(x, y, cv2.CV_16SC2)
        return PatchMap(
            columns=np.asarray(whole, np.int16).reshape(-1, SIZE, SIZE, 2),
            rows=np.asarray(part, np.uint16).reshape(-1, SIZE, SIZE),
            lean=lean.astype(np.float32),
            points=points.astype(np.float32),
            halvings=times,
        )

    def sampler(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Sampler:
        """For the patch pixels at these rows and columns, two arrays of one shape."""
        chosen = self.columns[:, rows, columns].reshape(64, -1, 2)
        return Sampler(chosen, self.rows[:, rows, columns].reshape(64, -1), rows.shape)

    def reduced(self, image: Image) -> Image:
        """A picture from this view, halved until it is no finer than patches need."""
        return halved(image, self.halvings)

    def cut(self, reduced: Image, which: NDArray[np.intp] = ALL) -> Patches:
        """The patches of these cells in a picture from `reduced`."""
        columns, rows = self.columns[which], self.rows[which]
        seen = _looked_up(reduced, columns.reshape(-1, SIZE, 2), rows.reshape(-1, SIZE))
        pixels = seen.reshape(len(which), SIZE, SIZE, 3)
        return Patches(which, pixels, self.lean[which], self.points[which])


def in_plane(points: Floats, steps: Floats) -> Levels:
    """The board-plane points (n, 2) so many squares (right, down) from the cells' centres.

    `points` (n, SIZE, SIZE, 2) are those of the patches, `steps` is (n, 2).
    """
    right, down = points[:, 0, 1] - points[:, 0, 0], points[:, 1, 0] - points[:, 0, 0]
    across, along = (np.asarray(steps, float) - [LEFT, TOP]).T * PIXELS_A_SQUARE - 0.5
    return np.asarray(points[:, 0, 0] + across[:, None] * right + along[:, None] * down, np.float64)


def in_patch(points: Floats, places: Levels) -> Floats:
    """The reverse of `in_plane`: how far board-plane points (n, 2) are from the cells' centres."""
    sides = points[:, [0, 1], [1, 0]] - points[:, :1, 0]
    along = np.einsum("nk,nsk->ns", places - points[:, 0, 0], sides) / (sides**2).sum(axis=2)
    return np.asarray((along + 0.5) / PIXELS_A_SQUARE + [LEFT, TOP], np.float32)


def _looked_up(
    image: Image, columns: NDArray[np.int16], rows: NDArray[np.uint16]
) -> NDArray[np.uint8]:
    if rows.size == 0:
        return np.zeros((*rows.shape, 3), np.uint8)
    found = cv2.remap(image, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.uint8)


def _whole_board(view: View) -> Floats:
    """The pixels (n, n, 2) of the board and its margin, `PIXELS_A_SQUARE` points a square.

    Points of all patches, however they are turned, are among them. Between every fourth of them,
    which are exact, a view is straight to a thirtieth of a pixel.
    """
    points = round((8 + 2 * MARGIN) * PIXELS_A_SQUARE)
    exact = (np.arange(points // COARSE) + 0.5) * COARSE / PIXELS_A_SQUARE - MARGIN
    x, y = np.meshgrid(exact, exact)
    pixels = view.project(np.column_stack([x.ravel(), y.ravel()])).reshape(*x.shape, 2)
    size = (points, points)
    return np.asarray(cv2.resize(pixels.astype(np.float32), size, interpolation=cv2.INTER_LINEAR))


def _offsets() -> Levels:
    """(SIZE, SIZE, 2): patch pixels as (right, down) squares from the cell's centre."""
    steps = (np.arange(SIZE) + 0.5) / PIXELS_A_SQUARE
    right, down = np.meshgrid(LEFT + steps, TOP + steps)
    return np.stack([right, down], axis=-1)


def lean_in_plane(view: View, places: Levels = CENTRES) -> Levels:
    """(n, 2): plane displacement of a point per square of height, at these points (n, 2)."""
    height = 0.2
    raised = np.column_stack([places, np.full(len(places), height)])
    lean: Levels = (view.to_plane(view.project(raised)) - places) / height
    return lean


def _quarter_turn(lean: Levels) -> Levels:
    """(2, 2) rotation by quarter turns that takes `lean` (x, y) nearest to up (0, -1)."""
    quarter = np.array([[0.0, -1.0], [1.0, 0.0]])
    turns = [np.linalg.matrix_power(quarter, k) for k in range(4)]
    return min(turns, key=lambda turn: float((turn @ lean)[1]))


def halvings(view: View, pixels_a_square: float) -> int:
    """How often pictures of this view are halved for somebody who needs so many pixels."""
    corners = view.corners()
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).max() / 8
    return max(0, int(np.floor(np.log2(max(longest / (COARSEST * pixels_a_square), 1.0)))))


def halved(image: Image, times: int) -> Image:
    """A picture at half its size, so many times."""
    for _ in range(times):
        half = ((image.shape[1] + 1) // 2, (image.shape[0] + 1) // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    return image

"""Drawing a reading over its picture, so that people can see what the referee saw."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.arrays import Image, Levels
from calibration.model import View
from calibration.saved import Calibration
from referee.board import EMPTY, SQUARES, UNSEEN, Cell, cell_of, is_king, side_of, square_at
from referee.eye.picture import Reading
from referee.eye.stacks import FAINT_PX, PLAIN_PX, walls_px

Colour = tuple[int, int, int]
"""Blue, green, red."""

GRID: Colour = (120, 220, 90)
UNSURE: Colour = (0, 200, 255)
INVISIBLE: Colour = (80, 80, 255)
RINGS: dict[str, Colour] = {"red": (70, 60, 255), "white": (255, 255, 255)}
HALO: Colour = (30, 30, 30)
"""Under every line, so that it shows on light and on dark squares."""
FONT = cv2.FONT_HERSHEY_SIMPLEX
DOUBTFUL = 0.9
"""Below this confidence a ring, or the number of an empty square, is drawn in yellow."""


def draw_reading(image: Image, reading: Reading) -> Image:
    """A copy of the picture with the squares, the discs and the reasons drawn over it."""
    drawn = image.copy()
    if reading.view is None:
        _write(drawn, reading.reason or "no board", (12, 12 + _text_px(image)), UNSURE)
        return drawn
    _draw_grid(drawn, reading.view)
    for place, sign in enumerate("".join(reading.cells)):
        row, column = divmod(place, 8)
        _draw_cell(drawn, reading, reading.view, (row, column), sign, reading.confidence[place])
    return drawn


def draw_calibration(image: Image, calibration: Calibration, setup: str) -> Image:
    """A copy of the picture with the discs of a setup where they must stand, as ghosts.

    Green where a king would be plain from here, yellow where faint, red where not to be seen.
    """
    drawn = image.copy()
    view, thickness = calibration.view, calibration.thickness
    _draw_grid(drawn, view)
    walls = walls_px(view, thickness)
    for square, sign in zip(SQUARES, setup, strict=True):
        row, column = cell_of(square)
        colour = _clearness(walls[8 * row + column])
        for level in _faces(sign):
            _draw_ring(drawn, view, (column, row), level * thickness, calibration.radius, colour)
        _label(drawn, view, (column, row), str(square), colour)
    return drawn


def _faces(sign: str) -> range:
    """The levels, in discs, at which a piece has an outline: its foot, its top, a king's seam."""
    if sign == EMPTY:
        return range(0)
    return range(3 if is_king(sign) else 2)


def _clearness(wall_px: float) -> Colour:
    """The colour of a square by how well a king on it can be told."""
    if wall_px >= PLAIN_PX:
        return GRID
    return UNSURE if wall_px >= FAINT_PX else INVISIBLE


def _draw_grid(drawn: Image, view: View) -> None:
    steps = np.linspace(0, 8, 33)
    for line in range(9):
        along = np.full_like(steps, line)
        width = 2 if line in (0, 8) else 1
        _trace(drawn, view.project(np.column_stack([steps, along])), GRID, width)
        _trace(drawn, view.project(np.column_stack([along, steps])), GRID, width)


def _draw_cell(
    drawn: Image, reading: Reading, view: View, cell: Cell, sign: str, confidence: float
) -> None:
    row, column = cell
    square = square_at(row, column)
    side, doubtful = side_of(sign), confidence < DOUBTFUL
    if side:
        height = reading.thickness * (2 if is_king(sign) else 1)
        colour = UNSURE if doubtful else RINGS[side.value]
        _draw_ring(drawn, view, (column, row), height, reading.radius, colour)
        if is_king(sign):
            _draw_ring(drawn, view, (column, row), height, reading.radius / 2, colour)
    elif sign == UNSEEN:
        _label(drawn, view, (column, row), "?", UNSURE)
    elif square and sign == EMPTY:
        _label(drawn, view, (column, row), str(square), UNSURE if doubtful else GRID)


def _draw_ring(
    drawn: Image, view: View, corner: tuple[int, int], height: float, radius: float, colour: Colour
) -> None:
    turn = np.linspace(0, 2 * np.pi, 49)
    x, y = corner[0] + 0.5 + radius * np.cos(turn), corner[1] + 0.5 + radius * np.sin(turn)
    _trace(drawn, view.project(np.column_stack([x, y, np.full_like(x, height)])), colour, 2)


def _trace(drawn: Image, points: Levels, colour: Colour, width: int) -> None:
    """A smooth line through points (n, 2), with its halo."""
    fine = (points * 16).round().astype(np.int32)
    scale = max(1, round(max(drawn.shape[:2]) / 900))
    for ink, extra in ((HALO, 2), (colour, 0)):
        cv2.polylines(drawn, [fine], False, ink, width * scale + extra, cv2.LINE_AA, 4)


def _label(drawn: Image, view: View, corner: tuple[int, int], text: str, colour: Colour) -> None:
    """Write in the middle of a cell."""
    x, y = view.project(np.array([corner]) + 0.5)[0]
    (width, height), _ = cv2.getTextSize(text, FONT, _text_px(drawn) / 30, 1)
    _write(drawn, text, (round(x - width / 2), round(y + height / 2)), colour)


def _write(drawn: Image, text: str, at: tuple[int, int], colour: Colour) -> None:
    for ink, width in ((HALO, 3), (colour, 1)):
        cv2.putText(drawn, text, at, FONT, _text_px(drawn) / 30, ink, width, cv2.LINE_AA)


def _text_px(image: Image) -> int:
    """The height of a line of text: legible in a picture of any size."""
    longer: int = max(image.shape[:2])
    return max(10, round(longer / 80))

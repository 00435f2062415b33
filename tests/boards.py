"""Pictures of boards with known corners, drawn in a few lines for the tests of `calibration`."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.arrays import Array, Image
from calibration.model import Lens, Pose, View

GREEN, BUFF = (70, 120, 60), (170, 215, 225)
"""Official squares, blue green red."""
RED, WHITE = (40, 40, 190), (230, 235, 235)
FINE = 32
"""Pixels per square of the drawing before it is seen through the lens."""


def view_from(
    tilt: float = 30.0,
    turn: float = 0.0,
    distance: float = 15.0,
    lens: Lens | None = None,
) -> View:
    """The board's centre in the middle, seen `tilt` degrees off its normal from `distance`.

    `turn` rotates the board on the table, in degrees.
    """
    lens = lens or Lens(960, 720, 800.0)
    away, spin = np.radians(tilt), np.radians(turn)
    level = np.array([[1, 0, 0], [0, np.cos(away), -np.sin(away)], [0, np.sin(away), np.cos(away)]])
    flat = np.array([[np.cos(spin), -np.sin(spin), 0], [np.sin(spin), np.cos(spin), 0], [0, 0, 1]])
    rotation = level @ flat
    translation = np.array([0, 0, distance]) - rotation @ np.array([4.0, 4.0, 0.0])
    x, y, z = (float(value) for value in translation)
    a, b, c = (float(value) for value in cv2.Rodrigues(rotation)[0].ravel())
    return View(lens, Pose((a, b, c), (x, y, z)))


def draw_board(
    view: View,
    discs: str = "",
    dark: tuple[int, int, int] = GREEN,
    light: tuple[int, int, int] = BUFF,
    squares: tuple[int, int] = (8, 8),
    noise: float = 3.0,
    seed: int = 1,
) -> Image:
    """A board of `squares` (columns, rows) counted from corner (0, 0), with flat discs.

    `discs`: 32 signs, square 1 first, `r` and `w`, anything else is empty.
    """
    flat = _flat_board(discs, dark, light, squares)
    x, y = _sources(view)
    soft = cv2.GaussianBlur(flat, (0, 0), FINE / 60)
    picture = cv2.remap(soft, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    grain = np.random.default_rng(seed).normal(0, noise, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


def _sources(view: View) -> tuple[Array, Array]:
    """For every pixel, where it lies in the drawing."""
    # Exact on every eighth pixel and linear between: the lens bends little over that.
    lens, coarse = view.lens, 8
    x = np.arange(0, lens.width + coarse, coarse)
    y = np.arange(0, lens.height + coarse, coarse)
    plane = view.to_plane(np.array([(a, b) for b in y for a in x], float))
    source = ((plane + MARGIN) * FINE - 0.5).astype(np.float32).reshape(len(y), len(x), 2)
    columns, rows = np.meshgrid(np.arange(lens.width), np.arange(lens.height))
    fine = cv2.remap(
        source,
        (columns / coarse).astype(np.float32),
        (rows / coarse).astype(np.float32),
        cv2.INTER_LINEAR,
    )
    return fine[..., 0], fine[..., 1]


MARGIN = 6
"""Squares of table drawn around the board."""


def _flat_board(
    discs: str,
    dark: tuple[int, int, int],
    light: tuple[int, int, int],
    squares: tuple[int, int],
) -> Array:
    columns, rows = squares
    flat = np.full(((rows + 2 * MARGIN) * FINE, (columns + 2 * MARGIN) * FINE, 3), 110, np.float32)
    for row, column in np.ndindex(rows, columns):
        top, left = (row + MARGIN) * FINE, (column + MARGIN) * FINE
        colour = light if (row + column) % 2 == 0 else dark
        flat[top : top + FINE, left : left + FINE] = colour
    for square, sign in enumerate(discs):
        row, place = divmod(square, 4)
        column = 2 * place + (row + 1) % 2
        centre = round((column + MARGIN + 0.5) * FINE), round((row + MARGIN + 0.5) * FINE)
        if sign in "rw":
            cv2.circle(flat, centre, round(0.38 * FINE), RED if sign == "r" else WHITE, -1)
    return flat

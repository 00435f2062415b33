"""The light on the board, measured on the squares themselves.

Colours are compared as logarithms: a shadow, a longer exposure or another white balance then
adds a number to a colour, and what two squares differ by stays the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Levels
from referee.eye.patches import CELLS, CENTRES, LEFT, PIXELS_A_SQUARE, SIZE, TOP, Floats, Patches

DARKEST = 6.0
"""Added to a grey value before its logarithm: below this a camera sees mostly noise."""

IS_DARK = np.array([(row + column) % 2 == 1 for row, column in CELLS])
DARK_CELLS, LIGHT_CELLS = np.flatnonzero(IS_DARK), np.flatnonzero(~IS_DARK)
"""Which of the 64 cells are the 32 squares, in the order of their numbers, and which are none."""

ROUNDS = 6
"""Of reweighting; in most pictures the light has settled after four."""
OUTLIER = 0.15
"""Log colour by which a covered or shaded cell may miss the smooth light before it counts less."""


def logarithm(pixels: NDArray[np.uint8] | Floats) -> Floats:
    """Log colour of grey values 0-255."""
    return np.asarray(np.log(pixels.astype(np.float32) + np.float32(DARKEST)))


@dataclass(frozen=True)
class Light:
    """How light and dark squares look where nothing covers them."""

    light: Floats
    """(64, 3): log colour that a bare light square would have at each cell."""
    contrast: Floats
    """(3,): log colour of bare dark squares less that of light ones in the same light."""


def corners_of(patches: Patches) -> NDArray[np.uint8]:
    """(64, 4, n, 3): the pixels in the four corners of each cell, where no disc on it reaches."""
    return patches.pixels[:, CORNER_ROWS, CORNER_COLUMNS]


def measure_light(corners: NDArray[np.uint8]) -> Light:
    """Fit the light on the board to `corners_of` it; discs, hands and glare are weighted down."""
    colours = np.median(np.median(logarithm(corners), axis=2), axis=1)
    light = _smooth_fit(CENTRES[~IS_DARK], colours[~IS_DARK])
    contrast = np.median(colours[IS_DARK] - light[IS_DARK], axis=0)
    return Light(light.astype(np.float32), contrast.astype(np.float32))


def _corner_pixels() -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Row and column indices (4, n) of the patch pixels in the four corners of the cell."""
    near, far = 0.34, 0.46
    squares = [
        np.round((np.arange(near, far, 1 / PIXELS_A_SQUARE) * sign - start) * PIXELS_A_SQUARE)
        for start in (TOP, LEFT)
        for sign in (-1, 1)
    ]
    up, down, left, right = (np.clip(s, 0, SIZE - 1).astype(int) for s in squares)
    pairs = [np.meshgrid(v, h, indexing="ij") for v in (up, down) for h in (left, right)]
    return (
        np.array([rows.ravel() for rows, _ in pairs]),
        np.array([columns.ravel() for _, columns in pairs]),
    )


CORNER_ROWS, CORNER_COLUMNS = _corner_pixels()


def _smooth_fit(points: Levels, colours: Floats) -> Levels:
    """(64, 3): a quadratic through colours (n, 3) at points (n, 2), evaluated at all cells."""
    terms, everywhere = _terms(points), _terms(CENTRES)
    fitted = np.empty((64, 3))
    weights = np.ones(len(points))
    level = np.median(colours, axis=0)
    errors = np.abs(colours - level).max(axis=1)
    for _ in range(ROUNDS):
        weights = 1.0 / (1.0 + (errors / OUTLIER) ** 2)
        root = np.sqrt(weights)[:, None]
        factors, *_ = np.linalg.lstsq(terms * root, colours * root, rcond=None)
        errors = np.abs(colours - terms @ factors).max(axis=1)
        fitted = everywhere @ factors
    return fitted


def _terms(points: Levels) -> Levels:
    x, y = (points.T - 4.0) / 4.0
    return np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])

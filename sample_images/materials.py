"""Surfaces: what colour a point of the table, of the board and of a disc's face has.

All colours are linear light reflected, (..., 3) red green blue, from 0 to 1. Every pattern comes
from a seed and is fixed to the thing itself, not to the picture.
"""

# NumPy's own types forget what mixed arithmetic returns.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from referee.board import SQUARES, cell_of
from sample_images.rays import Floats
from sample_images.scene import Board, Colour, Table

PATCH = 256
"""Side of the square of noise that all patterns sample; it joins up with itself."""


def linear(colour: Colour) -> Floats:
    """Reflectance (3,) of a screen colour, by the sRGB curve (IEC 61966-2-1)."""
    share = np.array(colour, dtype=np.float64) / 255
    curve = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return curve.astype(np.float32)


@lru_cache(maxsize=64)
def _patch(seed: int) -> Floats:
    """Noise of mean 0 and deviation about 1, equally strong at each scale, (PATCH, PATCH)."""
    rng = np.random.default_rng(seed)
    spectrum = np.fft.fft2(rng.standard_normal((PATCH, PATCH)))
    waves = np.hypot(*np.meshgrid(np.fft.fftfreq(PATCH), np.fft.fftfreq(PATCH)))
    waves[0, 0] = np.inf
    noise = np.real(np.fft.ifft2(spectrum / waves))
    return (noise / noise.std()).astype(np.float32)


def noise(x: Floats, y: Floats, scale: float, seed: int) -> Floats:
    """Smooth noise at these places; features from `scale` units down to `scale`/100."""
    columns = np.mod(x * (PATCH / 4 / scale), PATCH - 1).astype(np.float32)
    rows = np.mod(y * (PATCH / 4 / scale), PATCH - 1).astype(np.float32)
    found = cv2.remap(_patch(seed % 97), columns, rows, cv2.INTER_LINEAR)
    return np.asarray(found, dtype=np.float32)


def grain(along: Floats, across: Floats, seed: int) -> Floats:
    """The lines of planed wood, mean 0, about ±1."""
    bend = noise(along * 0.3, across, 6.0, seed)
    rings = np.sin(14 * (across + 0.35 * bend) + 4 * noise(along * 0.1, across, 2.0, seed + 1))
    pores = noise(along * 0.06, across, 0.6, seed + 2)
    return (0.5 * rings + 0.5 * pores).astype(np.float32)


def weave(x: Floats, y: Floats, seed: int) -> Floats:
    """Cloth, mean 0, about ±1."""
    threads = np.sin(x * 70) * np.sin(y * 70)
    return (0.5 * threads + 0.5 * noise(x, y, 3.0, seed)).astype(np.float32)


def table_colour(table: Table, points: Floats) -> Floats:
    """Of the table at points (h, w, 2) of its plane."""
    x, y = points[..., 0], points[..., 1]
    if table.texture == "wood":
        plank = np.floor(y / 5.3)
        pattern = 0.22 * grain(x + plank * 7.7, y * 1.3, table.seed)
        pattern = pattern + 0.05 * np.sin(plank * 12.9898 + table.seed % 7)
        pattern = pattern - 0.5 * (np.abs(np.mod(y, 5.3) - 0.03) < 0.03)
    elif table.texture == "cloth":
        pattern = 0.12 * weave(x, y, table.seed)
    else:
        pattern = 0.05 * noise(x, y, 8.0, table.seed)
    return _shaded(linear(table.colour), pattern)


def _shaded(colour: Floats, pattern: Floats) -> Floats:
    """A colour made lighter or darker by a pattern in natural logarithms."""
    return (colour * np.exp(pattern)[..., None]).astype(np.float32)


def board_colour(board: Board, points: Floats) -> Floats:
    """Of the flat part of the board at points (h, w, 2) of the board plane."""
    x, y = points[..., 0], points[..., 1]
    dark = (np.floor(x) + np.floor(y)) % 2 == 1
    outside = np.maximum(np.abs(x - 4), np.abs(y - 4)) - 4
    pattern = _board_pattern(board, x, y, dark, outside > 0)
    colour = np.where(dark[..., None], linear(board.dark), linear(board.light))
    colour = np.where((outside > 0)[..., None], linear(board.border_colour), colour)
    if board.line > 0:
        lined = np.abs(outside - board.line / 2) < board.line / 2
        colour = np.where(lined[..., None], linear(board.line_colour), colour)
    if board.numerals > 0:
        printed = _printed(board, x, y)[..., None]
        colour = colour * (1 - printed) + linear(board.light) * printed
    colour = colour * np.exp(pattern)[..., None]
    return _worn(board, colour, x, y).astype(np.float32)


NUMERAL_FONTS = cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX
NUMERAL_PX = 64
"""To a square, of the sheet that the numbers are printed from."""


def _printed(board: Board, x: Floats, y: Floats) -> Floats:
    """1 where a number is printed, 0 elsewhere."""
    font = NUMERAL_FONTS[board.seed % len(NUMERAL_FONTS)]
    sheet = _numerals(board.numerals, board.numerals_aside, font)
    columns, rows = ((w * NUMERAL_PX - 0.5).astype(np.float32) for w in (x, y))
    found = cv2.remap(sheet, columns, rows, cv2.INTER_LINEAR, borderValue=0)
    return np.asarray(found, dtype=np.float32)


@lru_cache(maxsize=8)
def _numerals(height: float, aside: bool, font: int) -> Floats:
    """The numbers 1 to 32 of the dark squares as White reads them, (8 NUMERAL_PX, 8 NUMERAL_PX)."""
    sheet = np.zeros((8 * NUMERAL_PX, 8 * NUMERAL_PX), np.uint8)
    stroke = max(1, round(0.12 * height * NUMERAL_PX))
    scale = float(cv2.getFontScaleFromHeight(font, round(height * NUMERAL_PX), stroke))
    for square in SQUARES:
        row, column = cell_of(square)
        (wide, high), _ = cv2.getTextSize(str(square), font, scale, stroke)
        x, y = numeral_place(wide / NUMERAL_PX, high / NUMERAL_PX, aside)
        left, foot = ((place + at) * NUMERAL_PX for place, at in ((column, x), (row, y)))
        at_px = round(left), round(foot)
        cv2.putText(sheet, str(square), at_px, font, scale, 255, stroke, cv2.LINE_AA)
    return (sheet / 255).astype(np.float32)


def numeral_place(wide: float, high: float, aside: bool) -> tuple[float, float]:
    """Lower left corner in a square (right, down) of a number of this size, in squares."""
    return (0.06, 0.06 + high) if aside else ((1 - wide) / 2, (1 + high) / 2)


def _board_pattern(board: Board, x: Floats, y: Floats, dark: Floats, outside: Floats) -> Floats:
    """How the material varies, in natural logarithms."""
    if board.texture == "wood":
        # Inlaid squares come from different planks, and their grain runs along the same way.
        plank = np.where(outside, 0, np.floor(x) * 3.1 + np.floor(y) * 7.3 + dark)
        lines = grain(y + plank * 5.7, x + plank * 1.9, board.seed)
        shade = np.sin(plank * 12.9898 + board.seed % 11)
        return (0.13 * lines + 0.06 * shade).astype(np.float32)
    if board.texture == "cloth":
        return 0.12 * weave(x, y, board.seed)
    strength = 0.03 if board.texture == "print" else 0.06
    return strength * noise(x, y, 2.0 if board.texture == "print" else 0.4, board.seed)


def _worn(board: Board, colour: Floats, x: Floats, y: Floats) -> Floats:
    """Rubbed patches, scratches and the groove of the fold."""
    if board.wear > 0.05:
        rubbed = np.clip(0.6 * noise(x, y, 5.0, board.seed + 5) + board.wear - 0.9, 0, 1)
        scratched = np.abs(noise(x * 0.3 + y, y * 0.3 - x, 5.0, board.seed + 6)) < 0.012
        share = (board.wear * (0.12 * rubbed + 0.12 * scratched))[..., None]
        colour = colour * (1 - share) + np.float32(0.3) * share
    if board.fold > 0:
        off = np.abs((y if board.fold_along_row else x) - 4)
        colour = colour * (1 - 0.75 * (off < board.fold / 2))[..., None]
    return colour


# --- Discs ---------------------------------------------------------------------------------

EMBLEM_SIDE = 96


@lru_cache(maxsize=1)
def emblem() -> Floats:
    """A crown with five points, 1 where it is raised, over [-1, 1]², (EMBLEM_SIDE, EMBLEM_SIDE)."""
    points = [(-0.45, 0.35), (-0.55, -0.25), (-0.28, 0.0), (-0.22, -0.4), (0.0, -0.05),
              (0.22, -0.4), (0.28, 0.0), (0.55, -0.25), (0.45, 0.35)]  # fmt: skip
    canvas = np.zeros((EMBLEM_SIDE, EMBLEM_SIDE), dtype=np.float32)
    pixels = (np.array(points) + 1) / 2 * (EMBLEM_SIDE - 1)
    cv2.fillPoly(canvas, [np.round(pixels).astype(np.int32)], 1.0)
    return np.asarray(cv2.GaussianBlur(canvas, (0, 0), 1.5), dtype=np.float32)


def emblem_slope(u: Floats, v: Floats) -> tuple[Floats, Floats]:
    """How the emblem rises towards u and v, at places in disc radii."""
    columns, rows = ((w + 1) / 2 * (EMBLEM_SIDE - 1) for w in (u, v))
    rise_v, rise_u = np.gradient(emblem())
    found = [
        cv2.remap(rise.astype(np.float32), columns, rows, cv2.INTER_LINEAR, borderValue=0)
        for rise in (rise_u, rise_v)
    ]
    return np.asarray(found[0], dtype=np.float32), np.asarray(found[1], dtype=np.float32)

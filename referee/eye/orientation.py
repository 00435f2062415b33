"""Which way round the game is: where squares 1 and 5 are, told by the pieces alone."""

from __future__ import annotations

from dataclasses import dataclass

from referee.board import EMPTY, START, UNSEEN, square_at

SURE_ROWS = 2.0
"""Rows by which White's men must on average lie further down than Red's to be sure."""
PLAYED_ON = 0.8
"""Share of the discs that lie on one colour of squares, when that colour is played on."""
FEW = 4
"""With fewer discs than this, where they lie says nothing."""


@dataclass(frozen=True)
class Orientation:
    """How a picture's numbering has to be turned, and how well that is known."""

    quarters: int
    """Quarter turns of the numbering, counted as `turned` does."""
    problem: str | None
    """What to tell people when the pieces do not decide it."""


def turned(signs: str, quarters: int) -> str:
    """64 cells, row by row, after the numbering has been turned by quarter turns.

    One quarter makes the old top right corner the new cell (0, 0).
    """
    for _ in range(quarters % 4):
        signs = "".join(signs[8 * column + (7 - row)] for row in range(8) for column in range(8))
    return signs


def orient(signs: str) -> Orientation:
    """The turn after which the dark cells are played on and Red sits at the top."""
    start = sum(_on_light(signs)) > PLAYED_ON * max(count_discs(signs), FEW)
    first = 1 if start else 0
    upright, flipped = (_rows_apart(turned(signs, first + half)) for half in (0, 2))
    quarters = first if upright >= flipped else first + 2
    return Orientation(quarters, _doubt(turned(signs, quarters), start))


def dark_cells(signs: str) -> str:
    """The 32 squares of 64 cells."""
    cells = ((square_at(*divmod(i, 8)), sign) for i, sign in enumerate(signs))
    return "".join(sign for square, sign in cells if square is not None)


def _doubt(signs: str, on_light: bool) -> str | None:
    if dark_cells(signs) == START:
        return None
    if not _men(signs, "r") or not _men(signs, "w"):
        return "the picture does not tell which way round the game is: it takes men of both sides"
    if _rows_apart(signs) < SURE_ROWS:
        return "the picture hardly tells which way round the game is: it may be the other one"
    if on_light:
        return "the discs lie on the lighter squares, which are taken to be the ones played on"
    return None


def count_discs(signs: str) -> int:
    """On how many of some cells discs are seen."""
    return sum(sign not in (EMPTY, UNSEEN) for sign in signs)


def _on_light(signs: str) -> list[bool]:
    """For every disc whether it lies on a light cell."""
    return [
        (i // 8 + i % 8) % 2 == 0 for i, sign in enumerate(signs) if sign not in (EMPTY, UNSEEN)
    ]


def _men(signs: str, sign: str) -> list[int]:
    """The rows in which men of one sign stand."""
    return [i // 8 for i, other in enumerate(signs) if other == sign]


def _rows_apart(signs: str) -> float:
    """Mean row of White's men less that of Red's; men on their own king-row count heavily."""
    red, white = _men(signs, "r"), _men(signs, "w")
    impossible = red.count(7) + white.count(0)
    mean_red = sum(red) / len(red) if red else 3.5
    mean_white = sum(white) / len(white) if white else 3.5
    return mean_white - mean_red - 2.0 * impossible

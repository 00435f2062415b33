"""The board: 32 squares, two sides, and what a square can look like.

Squares carry the standard numbers 1-32 (WCDF 1.4). Seen from White's side square 1 is the
second cell of the top row and square 29 White's left corner; Red starts on 1-12, White on
21-32. A *cell* is a (row, column) pair, 0-7, of the same view, and may be any of the 64.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum

Cell = tuple[int, int]

SQUARES = range(1, 33)

EMPTY = "."
UNSEEN = "?"
APPEARANCES = ".rRwW"
"""What a dark square can look like: empty, red man, red king, white man, white king."""

START = "r" * 12 + EMPTY * 8 + "w" * 12
"""The starting setup (WCDF 2.3). A setup is 32 appearances, square 1 first, lawful or not."""


class Side(Enum):
    """One of the two players; `RED` moves first (WCDF 3.2), with the darker discs as a rule."""

    RED = "red"
    WHITE = "white"

    @property
    def other(self) -> Side:
        return Side.WHITE if self is Side.RED else Side.RED

    @property
    def man(self) -> str:
        return self.value[0]

    @property
    def king(self) -> str:
        return self.value[0].upper()

    @property
    def forward(self) -> int:
        """The row step of this side's men."""
        return 1 if self is Side.RED else -1

    @property
    def king_row(self) -> int:
        return 7 if self is Side.RED else 0

    def owns(self, appearance: str) -> bool:
        return appearance in (self.man, self.king)


def cell_of(square: int) -> Cell:
    """The (row, column) of a square 1-32; ValueError for another number."""
    if square not in SQUARES:
        raise ValueError(f"squares are numbered 1 to 32, not {square}")
    row, place = divmod(square - 1, 4)
    return row, 2 * place + (row + 1) % 2


def square_at(row: int, column: int) -> int | None:
    """The square at a cell, or None for a light cell or one outside the board."""
    if not (0 <= row < 8 and 0 <= column < 8) or (row + column) % 2 == 0:
        return None
    return 4 * row + column // 2 + 1


_SIDES = {"r": Side.RED, "R": Side.RED, "w": Side.WHITE, "W": Side.WHITE}


def side_of(appearance: str) -> Side | None:
    """Whose piece this is; None for an empty or unseen square."""
    return _SIDES.get(appearance)


def only(sides: Collection[Side | None]) -> Side | None:
    """The one of some players that there is; None where there are both, or none."""
    return next(iter(sides)) if len(sides) == 1 else None


def is_king(appearance: str) -> bool:
    return appearance in "RW"


def exchanged(setup: str) -> str:
    """A setup in which each piece is the other side's, where it stands."""
    return setup.translate(str.maketrans("rRwW", "wWrR"))


def crowned(appearance: str) -> str:
    """The same piece with a crown."""
    return appearance.upper()


def at(setup: str, square: int) -> str:
    """The appearance on a square of a setup."""
    return setup[square - 1]


def replace(setup: str, changes: dict[int, str]) -> str:
    """A copy of a setup with some squares changed, `{square: appearance}`."""
    squares = list(setup)
    for square, appearance in changes.items():
        squares[square - 1] = appearance
    return "".join(squares)


def difference(before: str, after: str) -> tuple[int, ...]:
    """The squares on which two setups differ, ascending."""
    pairs = zip(SQUARES, before, after, strict=True)
    return tuple(square for square, old, new in pairs if old != new)

"""Hands over the board, from the cells that cannot be seen and the rims that arms cross."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board import Side, square_at
from referee.eye.patches import Floats
from referee.observation import Hand

HIDDEN = 0.5
"""Probability from which a cell counts as covered."""


def is_over(hidden: Floats) -> bool:
    """Whether a hand covers any cell, from the probability (64,) of each to be hidden."""
    return bool((hidden > HIDDEN).any())


def hands_over(hidden: Floats, arms: tuple[Side, ...] = ()) -> tuple[Hand, ...]:
    """The hands that cover cells, from the probability (64,) of each cell to be hidden.

    `arms` are the players whose rim an arm crosses; one that covers no cell yet is a hand too.
    Without an arm, a patch amid the board is no hand: discs that lie between cells look like it.
    """
    covered = (hidden > HIDDEN).reshape(8, 8).astype(np.uint8)
    count, labels = cv2.connectedComponents(covered, connectivity=8)
    if count == 1:
        return tuple(Hand(side, ()) for side in arms)
    patches = (labels == label for label in range(1, count))
    return tuple(_hand(cells, arms) for cells in patches if arms or _at_edge(cells))


def _at_edge(cells: NDArray[np.bool_]) -> bool:
    """Whether any of the cells (8, 8) lies where an arm comes over the board's edge."""
    return bool(cells[[0, -1]].any() or cells[:, [0, -1]].any())


def _hand(cells: NDArray[np.bool_], arms: tuple[Side, ...]) -> Hand:
    places = np.argwhere(cells)
    squares = (square_at(int(row), int(column)) for row, column in places)
    side = arms[0] if len(arms) == 1 else _side(cells)
    return Hand(side, tuple(sorted(s for s in squares if s is not None)))


def _side(cells: NDArray[np.bool_]) -> Side | None:
    """The player over whose edge the arm comes: Red sits behind row 0, White behind row 7."""
    at_red, at_white = int(cells[0].sum()), int(cells[7].sum())
    if at_red == at_white:
        return None
    return Side.RED if at_red > at_white else Side.WHITE

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
    """
    covered = (hidden > HIDDEN).reshape(8, 8).astype(np.uint8)
    count, labels = cv2.connectedComponents(covered, connectivity=8)
    if count == 1:
        return tuple(Hand(side, ()) for side in arms)
    return tuple(_hand(labels == label, arms) for label in range(1, count))


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

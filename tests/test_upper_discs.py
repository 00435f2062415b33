"""The upper disc of a king, seen on the square behind it."""

from __future__ import annotations

import numpy as np
import pytest

from referee.eye.reader import HIDDEN, KING, MAN
from referee.eye.upper_discs import upper_discs

CENTRES = np.array([[2.5, 3.5], [1.5, 2.5]])
LEANS = np.array([[-0.5, -0.6], [-0.5, -0.6]])
"""Two discs high, up the board and to the left."""


def _kinds(front: int) -> np.ndarray:
    """Some piece in front, and a man behind."""
    likely = np.where(np.arange(HIDDEN + 1) == np.array([[front], [MAN]]), 0.95, 0.02)
    return np.log(likely).astype(np.float32)


def _seen(front: int, behind: tuple[float, float], is_dark: bool = True) -> list[bool]:
    feet = np.array([CENTRES[0], behind])
    return upper_discs(_kinds(front), feet, CENTRES, LEANS, np.array([True, is_dark])).tolist()


def test_a_man_that_seems_to_stand_where_the_top_of_a_king_is_seen_is_none() -> None:
    assert _seen(KING, (1.9, 2.8)) == [False, True]


@pytest.mark.parametrize(
    "behind",
    [(1.7, 2.6), (2.15, 2.55), (1.2, 1.9)],
    ids=["in the middle of his square", "beside the line", "far behind"],
)
def test_a_man_elsewhere_is_one(behind: tuple[float, float]) -> None:
    assert _seen(KING, behind) == [False, False]


def test_on_a_light_cell_it_may_seem_to_lie_in_the_middle() -> None:
    assert _seen(KING, (1.7, 2.6), is_dark=False) == [False, True]
    assert _seen(KING, (2.15, 2.55), is_dark=False) == [False, False]


def test_a_man_has_no_upper_disc() -> None:
    assert _seen(MAN, (1.9, 2.8)) == [False, False]

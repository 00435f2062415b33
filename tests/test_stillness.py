"""Frames that show nothing new."""

from __future__ import annotations

import numpy as np
import pytest

from referee.board import START
from referee.eye.stillness import SOON_MS, STILL_MS, Stillness
from tests.boards import draw_board, view_from

VIEW = view_from(25)
FRAMES = [draw_board(VIEW, START, seed=seed) for seed in (1, 2)]
"""The same board, with fresh noise in each."""
MOVED = START[:10] + "." + START[11:14] + "r" + START[15:]
GONE = START[:10] + "." + START[11:]


def _watching() -> Stillness:
    stillness = Stillness(VIEW)
    assert not stillness.still(FRAMES[0], 0), "nothing was seen before"
    return stillness


def test_fresh_noise_is_nothing_new() -> None:
    stillness = _watching()
    assert stillness.still(FRAMES[1], 100)
    assert stillness.still(FRAMES[0], 150)


@pytest.mark.parametrize("setup", [MOVED, GONE], ids=["moved", "gone"])
def test_one_piece_elsewhere_is_new(setup: str) -> None:
    assert not _watching().still(draw_board(VIEW, setup, seed=2), 100)


def test_a_disc_as_green_as_its_square_is_new() -> None:
    other = FRAMES[1].copy()
    middle = VIEW.corners().mean(axis=0).astype(int)
    disc = other[middle[1] - 15 : middle[1] + 15, middle[0] - 20 : middle[0] + 20]
    disc[..., 2] = np.where(disc[..., 2] > 128, disc[..., 2] - 60, disc[..., 2] + 60)
    assert not _watching().still(other, 100)


@pytest.mark.parametrize("factor", [0.7, 1.3], ids=["darker", "brighter"])
def test_a_lamp_that_is_switched_is_new(factor: float) -> None:
    other = np.clip(FRAMES[1] * factor, 0, 255).astype(np.uint8)
    assert not _watching().still(other, 100)


def test_a_camera_that_was_pushed_is_new() -> None:
    pushed = np.roll(FRAMES[1], 3, axis=1)
    assert not _watching().still(pushed, 100)


def test_a_still_board_is_looked_at_with_care_every_so_often() -> None:
    stillness = _watching()
    looked = [t for t in range(100, 3200, 100) if not stillness.still(FRAMES[1], t)]
    assert looked == [SOON_MS, 600, 600 + STILL_MS, 600 + 2 * STILL_MS, 600 + 3 * STILL_MS]
    other = draw_board(VIEW, MOVED, seed=2)
    looked = [t for t in range(3200, 4000, 100) if not stillness.still(other, t)]
    assert looked == [3200, 3200 + SOON_MS, 3200 + 3 * SOON_MS]


def test_what_is_new_stays_known_as_seen() -> None:
    stillness = _watching()
    other = draw_board(VIEW, MOVED, seed=2)
    assert not stillness.still(other, 100)
    assert stillness.still(draw_board(VIEW, MOVED, seed=3), 200)

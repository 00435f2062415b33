"""Outlines: how high a disc stands, by where its colour ends."""

from __future__ import annotations

import numpy as np
import pytest

from referee.eye.outlines import outline_odds, outlines
from referee.eye.portraits import ABOVE, HEIGHT, PIXELS_A_RADIUS, WIDTH, Portraits

GREEN, RED, BLACK, NIGHT = (60, 110, 40), (40, 40, 190), (30, 28, 28), (38, 34, 34)
LEAN, THICKNESS, RADIUS = 0.8, 0.24, 0.36


def _portrait(discs: int, disc: tuple[int, ...], board: tuple[int, ...]) -> np.ndarray:
    """A man or a king upright, as thick as the set's discs are."""
    down, right = np.mgrid[0:HEIGHT, 0:WIDTH] + 0.5
    up, aside = ABOVE - down / PIXELS_A_RADIUS, (right - WIDTH / 2) / PIXELS_A_RADIUS
    top = discs * LEAN * THICKNESS / RADIUS
    within = aside**2 + (up - np.clip(up, 0.0, top)) ** 2 <= 1.0
    pixels = np.where(within[:, :, None], disc, board)
    noise = np.random.default_rng(1).normal(0, 4, pixels.shape)
    return np.clip(pixels + noise, 0, 255).astype(np.uint8)


def _told(*pixels: np.ndarray, lean: float = LEAN) -> np.ndarray:
    count = len(pixels)
    every = np.full(count, lean, np.float32), np.full(count, RADIUS, np.float32)
    return outlines(Portraits(np.stack(pixels), *every), THICKNESS)


@pytest.mark.parametrize(("disc", "board"), [(RED, GREEN), (GREEN, RED), (BLACK, GREEN)])
def test_a_king_reaches_higher_than_a_man(disc: tuple[int, ...], board: tuple[int, ...]) -> None:
    man, king = _told(_portrait(1, disc, board), _portrait(2, disc, board))
    assert man < -1.0
    assert king > 0.5


def test_where_disc_and_board_are_alike_little_is_told() -> None:
    man, king = _told(_portrait(1, BLACK, NIGHT), _portrait(2, BLACK, NIGHT))
    assert abs(king - man) < 0.6


def test_a_shadow_behind_a_man_is_no_disc() -> None:
    pixels = _portrait(1, RED, GREEN)
    shade = pixels[: HEIGHT // 2]
    shade[(shade[:, :, 1] > 80)] //= 2
    assert _told(pixels)[0] < -1.0


def test_seen_from_straight_above_nothing_is_told() -> None:
    assert np.isnan(_told(_portrait(1, RED, GREEN), lean=0.05)).all()


def test_men_of_the_picture_are_what_an_outline_is_set_beside() -> None:
    # A set whose men all look high, as where their edges shine like what lies behind.
    told = np.array([0.2, 0.2, 0.2, 0.2, 1.9, np.nan])
    odds, side, presence = np.full(6, -3.0), np.full(6, 2.0), np.ones(6)
    odds[4] = 0.5
    men, king, unseen = np.split(outline_odds(told, odds, side, presence), (4, 5))
    assert (men < 0).all()
    assert king[0] > 1.0
    assert unseen[0] == 0.0
    alone = outline_odds(told[:1], odds[:1], side[:1], presence[:1])
    assert alone[0] > 0.0  # one that nothing is known beside


def test_before_a_rim_of_its_colour_a_man_is_no_king_though_the_others_are_plainly_men() -> None:
    told = np.array([-1.9, -1.8, -2.0, -0.3, 0.6])
    odds, side, presence = np.full(5, -3.0), np.full(5, 2.0), np.ones(5)
    *_, before_rim, king = outline_odds(told, odds, side, presence)
    assert before_rim < 0.5
    assert king > 2.0

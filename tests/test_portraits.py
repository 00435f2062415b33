"""Close pictures of discs."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.model import View
from referee.eye.portraits import ABOVE, HEIGHT, PIXELS_A_RADIUS, WIDTH, Portraitist
from tests.boards import view_from

CELL = 42
FOOT = np.array([2.56, 5.41])
"""Not quite in the middle of the cell."""
RADIUS = 0.33


def _picture_of(view: View, height: float) -> np.ndarray:
    """Black, with a white spot where a point above the disc's foot is seen."""
    image = np.zeros((view.lens.height, view.lens.width, 3), np.uint8)
    x, y = view.project(np.array([[*FOOT, height]]))[0].round().astype(int)
    image[y - 1 : y + 2, x - 1 : x + 2] = 255
    return image


def _spot(view: View, height: float, border: int = 0) -> np.ndarray:
    """(right, down) of that spot in the portrait, in radii from the foot's due place."""
    portraits = Portraitist.of(view).draw(
        _picture_of(view, height), np.array([CELL]), FOOT[None], np.array([RADIUS]), border
    )
    rows, columns = np.nonzero(portraits.pixels[0, :, :, 0] > 60)
    found = np.array([columns.mean(), rows.mean()]) + 0.5 - border
    return (found - [WIDTH / 2, ABOVE * PIXELS_A_RADIUS]) / PIXELS_A_RADIUS


@pytest.mark.parametrize("turn", [0.0, 40.0, 130.0, 250.0])
@pytest.mark.parametrize("border", [0, 5])
def test_the_foot_of_a_disc_is_at_its_place(turn: float, border: int) -> None:
    assert np.abs(_spot(view_from(40, turn), 0.0, border)).max() < 0.06


@pytest.mark.parametrize("turn", [0.0, 40.0, 130.0, 250.0])
def test_what_stands_up_leans_straight_to_the_top(turn: float) -> None:
    view = view_from(40, turn)
    right, down = _spot(view, 0.3)
    lean = float(np.linalg.norm(Portraitist.of(view).lean[CELL]))
    assert abs(right) < 0.08
    assert down == pytest.approx(-0.3 * lean / RADIUS, abs=0.12)


def test_a_portrait_tells_lean_and_radius() -> None:
    view = view_from(40)
    portraits = Portraitist.of(view).draw(
        _picture_of(view, 0.0), np.array([CELL]), FOOT[None], np.array([RADIUS])
    )
    assert portraits.pixels.shape == (1, HEIGHT, WIDTH, 3)
    assert portraits.radius[0] == pytest.approx(RADIUS)
    assert portraits.lean[0] == pytest.approx(np.tan(np.radians(40)), rel=0.25)


def test_nothing_is_drawn_of_no_disc() -> None:
    view = view_from(40)
    none = np.zeros(0, np.intp)
    portraits = Portraitist.of(view).draw(_picture_of(view, 0.0), none, np.zeros((0, 2)), none)
    assert len(portraits.pixels) == len(portraits.lean) == 0

"""A known board is followed through bumps, and given up when it cannot be told where it is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.drift import DriftMeter
from calibration.model import Pose, View, square_px
from tests.boards import draw_board, view_from

START = "r" * 12 + "." * 8 + "w" * 12
VIEW = view_from(tilt=28, turn=12)
SQUARE_PX = square_px(VIEW.corners())


def bumped(x: float, y: float, degrees: float = 0.0) -> View:
    """The view of a camera that was turned so that its picture slid by (x, y) pixels."""
    focal = VIEW.lens.focal_px
    push, _ = cv2.Rodrigues(np.array([-y / focal, x / focal, np.radians(degrees)]))
    rotation = push @ VIEW.pose.rotation_matrix
    translation = push @ np.array(VIEW.pose.translation)
    turned, placed = cv2.Rodrigues(rotation)[0].ravel().tolist(), translation.tolist()
    return View(VIEW.lens, Pose(tuple(turned), tuple(placed)))


def distance_squares(view: View | None, other: View) -> float:
    """How far the outer corners of two views lie apart."""
    assert view is not None
    return float(np.linalg.norm(view.corners() - other.corners(), axis=1).max()) / SQUARE_PX


def test_sees_a_board_that_stays() -> None:
    drift = DriftMeter(VIEW).measure(draw_board(VIEW, START))
    assert drift.shift < 0.01
    assert drift.seen > 0.95


@pytest.mark.parametrize("pixels", [1, 2, 5, 10, 20, 30])
@pytest.mark.parametrize("direction", [10, 130, 250])
def test_follows_a_bump(pixels: int, direction: int) -> None:
    angle = np.radians(direction)
    truth = bumped(pixels * np.cos(angle), pixels * np.sin(angle), degrees=0.3)
    drift = DriftMeter(VIEW).measure(draw_board(truth, START))
    assert distance_squares(drift.view, truth) < 0.02
    assert drift.shift == pytest.approx(distance_squares(truth, VIEW), abs=0.02)


@pytest.mark.parametrize("squares", [0.13, 0.15, 0.17, 0.4])
@pytest.mark.parametrize("tilt", [25, 45, 55])
def test_follows_a_push_as_far_as_edges_are_looked_for(squares: float, tilt: int) -> None:
    """Of an edge that lies at the end of where it is looked for some are seen and some are not."""
    view = view_from(tilt, turn=7)
    meter = DriftMeter(view)
    for angle in np.arange(0, 2 * np.pi, np.pi / 4):
        truth = view.slid(squares * np.cos(angle), squares * np.sin(angle))
        drift = meter.measure(draw_board(truth, START))
        assert distance_squares(drift.view, truth) < 0.02


def test_a_board_that_slides_shows_each_square_where_another_was() -> None:
    places = np.array([[0.0, 0.0], [3.0, 5.0], [8.0, 2.0]])
    slid = VIEW.slid(1.0, -2.0).project(places)
    assert slid == pytest.approx(VIEW.project(places + np.array([1.0, -2.0])), abs=1e-6)


def test_is_not_moved_by_an_arm_across_the_board() -> None:
    image = draw_board(VIEW, START)
    arm = VIEW.project(np.array([[2.5, 9], [2.9, 3.2], [4.1, 3.2], [4.8, 9]], float))
    cv2.fillPoly(image, [arm.round().astype(np.int32)], (120, 150, 200))
    drift = DriftMeter(VIEW).measure(image)
    assert drift.view is not None
    assert drift.shift < 0.02
    assert 0.5 < drift.seen < 0.95


def test_gives_up_a_board_that_is_gone() -> None:
    empty = np.full((720, 960, 3), 120, np.uint8)
    assert DriftMeter(VIEW).measure(empty).view is None


@pytest.mark.parametrize("step", [(1, 1), (-1, 1), (1, -1), (2, 0), (0, -2)])
def test_does_not_take_the_next_squares_for_the_board(step: tuple[int, int]) -> None:
    assert DriftMeter(VIEW).measure(draw_board(VIEW.slid(*step))).view is None


def test_finds_the_shift_under_changed_light() -> None:
    truth = bumped(12, -7)
    dimmed = (draw_board(truth, START) * 0.4).astype(np.uint8)
    assert distance_squares(DriftMeter(VIEW).measure(dimmed).view, truth) < 0.03


def test_rejects_a_frame_of_another_size() -> None:
    with pytest.raises(ValueError, match="720"):
        DriftMeter(VIEW).measure(np.zeros((480, 640, 3), np.uint8))


def test_still_measures_a_board_that_is_half_covered() -> None:
    truth = bumped(3, 2)
    image = draw_board(truth, START)
    cover = truth.project(np.array([[-1, -1], [9, -1], [9, 4.3], [-1, 4.3]], float))
    cv2.fillPoly(image, [cover.round().astype(np.int32)], (120, 150, 200))
    drift = DriftMeter(VIEW).measure(image)
    assert distance_squares(drift.view, truth) < 0.03
    assert drift.seen < 0.6

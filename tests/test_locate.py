"""The board is found where it was drawn, and what is no whole board is refused with a reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.arrays import Array, Image
from calibration.drift import DriftMeter
from calibration.locate import Located, Refusal, locate
from calibration.mapping import Mapping
from calibration.model import Lens, View
from calibration.pose import view_of
from calibration.refit import ACROSS, PLACES, EdgePoints, _edge_points
from tests.boards import BUFF, GREEN, RED, draw_board, view_from

START = "r" * 12 + "." * 8 + "w" * 12


def found(image: Image) -> Located:
    answer = locate(image)
    assert isinstance(answer, Located), answer
    return answer


def refused(image: Image) -> str:
    answer = locate(image)
    assert isinstance(answer, Refusal)
    return answer.reason


def corner_error_px(located: Located, truth: View) -> float:
    """Of the worst corner, in the nearer of the two numberings that dark squares allow."""
    return min(
        float(np.linalg.norm(located.view.turned(turn).corners() - truth.corners(), axis=1).max())
        for turn in (0, 2)
    )


@pytest.mark.parametrize("turn", [0, 17, 45, 90, 133, 200, 271, 315])
def test_finds_the_starting_position_turned_any_way(turn: int) -> None:
    view = view_from(tilt=25, turn=turn)
    assert corner_error_px(found(draw_board(view, START)), view) < 0.6


@pytest.mark.parametrize("tilt", [0, 8, 20, 35, 50])
def test_finds_the_board_at_any_usual_tilt(tilt: int) -> None:
    view = view_from(tilt=tilt, turn=12)
    located = found(draw_board(view, START))
    assert corner_error_px(located, view) < 0.8
    assert located.view.tilt_degrees() == pytest.approx(tilt, abs=4)


def test_tells_the_focal_length_of_a_tilted_view_and_says_so() -> None:
    view = view_from(tilt=35, turn=10, lens=Lens(960, 720, 1100.0), distance=17)
    located = found(draw_board(view, START))
    assert located.focal_known
    assert located.view.lens.focal_px == pytest.approx(1100, rel=0.02)


def test_says_that_a_view_from_straight_above_does_not_tell_the_focal_length() -> None:
    located = found(draw_board(view_from(tilt=0), START))
    assert not located.focal_known
    assert 0.6 < located.view.lens.focal_px / 740 < 1.4


def test_measures_the_bend_of_a_wide_lens() -> None:
    view = view_from(tilt=25, lens=Lens(960, 720, 640.0, k1=-0.12), distance=10.5)
    located = found(draw_board(view, START))
    assert corner_error_px(located, view) < 1.0
    assert located.view.lens.k1 == pytest.approx(-0.12, abs=0.03)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda image: image // 6, id="dim"),
        pytest.param(lambda image: cv2.GaussianBlur(image, (0, 0), 3), id="blurred"),
        pytest.param(lambda image: half_in_shadow(image), id="hard shadow"),
        pytest.param(lambda image: cv2.resize(image, (480, 360)), id="small picture"),
        pytest.param(lambda image: cv2.resize(image, (1920, 1440)), id="large picture"),
    ],
)
def test_finds_the_board_in_poor_pictures(change: Callable[[Image], Image]) -> None:
    view = view_from(tilt=28, turn=20)
    image = change(draw_board(view, START))
    located = found(image)
    scale = image.shape[1] / view.lens.width
    truth = (view.corners() + 0.5) * scale - 0.5
    error = min(
        np.linalg.norm(located.view.turned(turn).corners() - truth, axis=1).max() for turn in (0, 2)
    )
    assert error < 1.2 * max(scale, 1)


def half_in_shadow(image: Image) -> Image:
    dimmed = image.copy()
    dimmed[:, : image.shape[1] // 2] = dimmed[:, : image.shape[1] // 2] * 0.4
    return dimmed


def test_tells_squares_apart_that_are_equally_bright() -> None:
    view = view_from(tilt=25, turn=30)
    image = draw_board(view, dark=(60, 70, 190), light=(60, 128, 90))
    assert corner_error_px(found(image), view) < 1.0


def test_numbers_the_darker_squares_as_the_playing_ones() -> None:
    view = view_from(tilt=20, turn=5)
    located = found(draw_board(view, dark=BUFF, light=GREEN))
    swapped = view.turned(1)
    assert corner_error_px(located, swapped) < 0.6


@pytest.mark.parametrize("quarters", range(4))
def test_a_board_numbered_anew_can_be_followed(quarters: int) -> None:
    image = draw_board(view_from(tilt=20, turn=5), START)
    located = found(image).turned(quarters)
    drift = DriftMeter(located.view, located.axis).measure(image)
    assert drift.view is not None
    assert drift.seen > 0.95


def test_numbers_the_corners_clockwise_in_the_picture() -> None:
    corners = found(draw_board(view_from(turn=160), START)).view.corners()
    assert cv2.contourArea(corners.astype(np.float32), oriented=True) > 0


def test_gives_the_same_answer_twice() -> None:
    image = draw_board(view_from(tilt=33, turn=77), START)
    assert locate(image) == locate(image)


def test_knows_its_corners_within_the_uncertainty_it_states() -> None:
    view = view_from(tilt=30, turn=8)
    located = found(draw_board(view, START))
    squares = corner_error_px(located, view) / 60
    assert squares < 4 * located.corner_sigma < 0.2


def test_is_less_certain_of_a_board_whose_lines_are_crooked() -> None:
    view = view_from(tilt=30, turn=8)
    crooked, rough = errors_and_sigmas(view, whole_lines=True), errors_and_sigmas(view, False)
    assert np.median(crooked[1]) > 2 * np.median(rough[1])
    for errors, sigmas in (crooked, rough):
        assert (errors <= 2 * sigmas).mean() > 0.92
        assert (errors > sigmas / 4).mean() > 0.7


def errors_and_sigmas(view: View, whole_lines: bool) -> tuple[Array, Array]:
    """Of all corners, in pixels, for boards whose edges are a pixel off: all points of one
    line alike, or each by itself."""
    rng = np.random.default_rng(3)
    width, height = view.lens.width, view.lens.height
    corners = view.corners()
    grid = np.array([[0, 0], [8, 0], [8, 8], [0, 8]], np.float32)
    plain = cv2.getPerspectiveTransform(grid, corners.astype(np.float32)).astype(float)
    mapping = Mapping.from_homography(plain, width, height)
    errors, sigmas = [], []
    for _ in range(40):
        ahead = np.column_stack([-ACROSS[:, 1], ACROSS[:, 0]])
        tangents = view.project(PLACES + 0.01 * ahead) - view.project(PLACES)
        normals = np.column_stack([-tangents[:, 1], tangents[:, 0]])
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        points = EdgePoints(PLACES, view.project(PLACES), normals)
        _, line = np.unique(points.lines, return_inverse=True)
        off = rng.normal(0, 1, 14)[line] if whole_lines else rng.normal(0, 1, len(PLACES))
        points = replace(points, pixels=points.pixels + off[:, None] * normals)
        seen = view_of(mapping, points, width, height)
        errors += np.linalg.norm(seen.view.corners() - corners, axis=1).tolist()
        sigmas += 4 * [seen.corner_sigma_px]
    return np.array(errors), np.array(sigmas)


def test_states_the_colour_direction_from_dark_to_light() -> None:
    axis = np.array(found(draw_board(view_from(), START)).axis)
    expected = np.array(BUFF, float) - np.array(GREEN, float)
    assert float(axis @ expected) / np.linalg.norm(expected) > 0.97


@pytest.mark.parametrize(
    "squares",
    [(10, 10), (12, 12), (9, 9), (9, 8), (8, 10), (7, 8), (8, 6)],
    ids=lambda squares: "{}x{}".format(*squares),
)
def test_refuses_boards_of_other_sizes(squares: tuple[int, int]) -> None:
    view = view_from(tilt=20, turn=15, distance=17)
    assert refused(draw_board(view, squares=squares))


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_refuses_a_board_that_runs_out_of_the_picture_and_says_where(side: str) -> None:
    image = draw_board(view_from(tilt=10, distance=11), START)
    height, width = image.shape[:2]
    corners = view_from(tilt=10, distance=11).corners()
    square = (corners[:, 0].max() - corners[:, 0].min()) / 8
    left, top = corners.min(axis=0) + 0.5 * square
    right, bottom = corners.max(axis=0) - 0.5 * square
    cut = {
        "left": image[:, int(left) :],
        "right": image[:, : int(right)],
        "top": image[int(top) :],
        "bottom": image[: int(bottom)],
    }[side]
    assert cut.shape[:2] != (height, width)
    assert side in refused(np.ascontiguousarray(cut))


@pytest.mark.parametrize(("shade", "found_there"), [(0.5, True), (1.0, False)])
def test_bars_beside_the_squares_are_no_more_of_them_unless_they_are_like_them(
    shade: float, found_there: bool
) -> None:
    """A cloth with bars as wide as the squares, or discs that were taken off, in a row."""
    view = view_from(tilt=20)
    image = draw_board(view, START)
    for row in range(8):
        bar = np.array([[-1, row], [-0.1, row], [-0.1, row + 1], [-1, row + 1]], float)
        colour = tuple(shade * value for value in ((70, 120, 60), (120, 170, 120))[row % 2])
        cv2.fillPoly(image, [view.project(bar).round().astype(np.int32)], colour)
    assert isinstance(locate(image), Located) == found_there


@pytest.mark.parametrize("checks", [0.5, 0.7])
def test_finds_the_board_on_a_chequered_cloth(checks: float) -> None:
    view = view_from(tilt=25, turn=8)
    rows, columns = np.mgrid[0:720, 0:960] // round(55 * checks)
    cloth = np.where(((rows + columns) % 2)[..., None], (60, 60, 60), (230, 230, 230))
    board = draw_board(view, START)
    there = np.zeros(board.shape[:2], np.uint8)
    edge = view.project(np.array([[-0.2, -0.2], [8.2, -0.2], [8.2, 8.2], [-0.2, 8.2]]))
    cv2.fillPoly(there, [edge.round().astype(np.int32)], 1)
    image = np.where(there[..., None] > 0, board, cloth).astype(np.uint8)
    assert corner_error_px(found(image), view) < 1.0


def test_an_edge_behind_the_horizon_is_no_edge() -> None:
    steep = np.array([[40.0, 0, 100], [0, 40, 100], [0, -0.2, 1]])
    mapping = Mapping.from_homography(steep, 960, 720)
    points = _edge_points(mapping, PLACES, np.zeros_like(PLACES), ACROSS)
    assert 0 < len(points) < len(PLACES)
    assert np.isfinite(points.normals).all()


def test_refuses_to_choose_between_two_boards() -> None:
    board = draw_board(view_from(tilt=5, distance=14, lens=Lens(640, 640, 700.0)), START)
    assert "two boards" in refused(np.hstack([board, board]))


def test_refuses_a_hidden_outer_row() -> None:
    view = view_from(tilt=10)
    image = draw_board(view, START)
    cover = view.project(np.array([[-1, -1], [9, -1], [9, 1.5], [-1, 1.5]], float))
    cv2.fillPoly(image, [cover.round().astype(np.int32)], (90, 90, 90))
    assert refused(image)


def noise() -> Array:
    return np.random.default_rng(4).integers(0, 255, (480, 640, 3)).astype(np.uint8)


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(np.full((480, 640, 3), 128, np.uint8), id="blank"),
        pytest.param(noise(), id="noise"),
        pytest.param(np.zeros((8, 8, 3), np.uint8), id="tiny"),
    ],
)
def test_finds_no_board_where_there_is_none(image: Image) -> None:
    assert "no board" in refused(image) or "dark" in refused(image)


def test_rejects_what_is_no_colour_picture() -> None:
    with pytest.raises(ValueError, match="uint8"):
        locate(np.zeros((480, 640), np.uint8))


def test_blames_the_dark() -> None:
    assert "dark" in refused(np.full((480, 640, 3), 3, np.uint8))


def test_red_discs_do_not_make_a_red_board() -> None:
    view = view_from(tilt=25, turn=40)
    located = found(draw_board(view, "r" * 32, dark=(30, 30, 30), light=RED))
    assert corner_error_px(located, view) < 1.0

"""What the small picture tells of the whole one."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from hardware.camera import CameraError, Image
from hardware.cameras.gate import KEPT_NS, SHARE, Gate, Plane
from referee.board import START
from referee.eye.stillness import Stillness
from tests.boards import draw_board, view_from
from tests.pi.stand_in import laid_out

STEP_NS = 33_000_000
LAYOUTS = [("NV12", 0), ("YUV420", 0), ("YUV420", 32)]
QUIET = 2.5
"""Levels of noise in each pixel."""
VIEW = view_from(25)
BOARD = draw_board(VIEW, START, noise=0)
GREEN, AS_BRIGHT = (60, 104, 30), (34, 39, 168)
"""A square and a red disc on it, blue green red; both have a brightness of 77."""


def small(image: Image, layout: str = "YUV420", padding: int = 0) -> Plane:
    height, width = image.shape[:2]
    size = width // SHARE, height // SHARE
    reduced = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return np.array(laid_out(reduced, layout, padding), np.uint8)


def opened(image: Image, layout: str = "YUV420", padding: int = 0) -> Gate:
    """A gate that has let one picture through."""
    height, width = image.shape[:2]
    gate = Gate(layout, (width // SHARE, height // SHARE))
    assert not gate.still(small(image, layout, padding), STEP_NS), "nothing was seen before"
    return gate


def noisy(image: Image, seed: int, level: float = QUIET) -> Image:
    grain = np.random.default_rng(seed).normal(0, level, image.shape)
    return np.clip(image + grain, 0, 255).astype(np.uint8)


def with_spot(image: Image, rng: np.random.Generator, levels: Sequence[float]) -> Image:
    """Somewhere on the board a disc, a fingertip or a shadow of any size is a little different."""
    corners = VIEW.corners()
    x, y = (int(each) for each in rng.uniform(corners.min(axis=0), corners.max(axis=0)))
    axes = (int(rng.integers(8, 40)), int(rng.integers(8, 40)))
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.ellipse(mask, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, 1, -1)
    spot = mask[..., None] * np.array(levels)
    return np.clip(image + spot, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("layout", "padding"), LAYOUTS)
class TestEveryLayout:
    def test_noise_is_nothing_new(self, layout: str, padding: int) -> None:
        gate = opened(noisy(BOARD, 1), layout, padding)
        for number in range(2, 10):
            pixels = small(noisy(BOARD, number), layout, padding)
            assert gate.still(pixels, number * STEP_NS)

    def test_any_piece_that_goes_is(self, layout: str, padding: int) -> None:
        for square in [square for square in range(32) if START[square] != "."][::3]:
            gate = opened(BOARD, layout, padding)
            left = START[:square] + "." + START[square + 1 :]
            gone = draw_board(VIEW, left, noise=0)
            assert not gate.still(small(gone, layout, padding), 2 * STEP_NS), square

    def test_colour_alone_is_seen_too(self, layout: str, padding: int) -> None:
        square = np.full((720, 960, 3), GREEN, np.uint8)
        disc = cv2.circle(square.copy(), (401, 303), 16, AS_BRIGHT, -1)
        grey = [cv2.cvtColor(each, cv2.COLOR_BGR2GRAY) for each in (square, disc)]
        assert cv2.norm(*grey, cv2.NORM_INF) <= 1, "there is no colour alone in this test"
        assert not opened(square, layout, padding).still(small(disc, layout, padding), 2 * STEP_NS)


def test_what_fills_the_rows_up_does_not_count() -> None:
    pixels = small(BOARD, "YUV420", 32)
    height, width = BOARD.shape[0] // SHARE, BOARD.shape[1] // SHARE
    pixels[:height, width:] = 99
    assert opened(BOARD, "YUV420", 32).still(pixels, 2 * STEP_NS)


@pytest.mark.parametrize("seed", range(20))
def test_it_misses_nothing_that_the_eye_sees_in_passing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for strength in (3, 6, 12, 25, 50):
        eye = Stillness(VIEW)
        eye.still(BOARD, 0)
        spotted = with_spot(BOARD, rng, strength * rng.uniform(-1, 1, 3))
        if not eye.still(spotted, 33):
            assert not opened(BOARD).still(small(spotted), 2 * STEP_NS), strength


def test_what_creeps_adds_up() -> None:
    gate = opened(BOARD)
    brighter = [np.clip(BOARD.astype(int) + more, 0, 255).astype(np.uint8) for more in range(1, 9)]
    seen = [gate.still(small(image), (2 + n) * STEP_NS) for n, image in enumerate(brighter)]
    assert seen[0]
    assert not all(seen)


def test_every_so_often_a_picture_is_taken_whatever_it_shows() -> None:
    gate, times = opened(BOARD), range(2 * STEP_NS, 4 * KEPT_NS, STEP_NS)
    taken = [time_ns for time_ns in times if not gate.still(small(BOARD), time_ns)]
    assert len(taken) == 3
    assert max(np.diff([STEP_NS, *taken])) < KEPT_NS + STEP_NS


@pytest.mark.parametrize("jump_ns", [0, -STEP_NS, -10 * KEPT_NS], ids=["stands", "back", "far"])
def test_a_clock_that_tells_no_time_lets_all_through(jump_ns: int) -> None:
    gate = opened(BOARD)
    assert not gate.still(small(BOARD), STEP_NS + jump_ns)


def test_more_noise_than_it_bears_lets_all_through() -> None:
    gate = opened(noisy(BOARD, 1, 25))
    assert not any(gate.still(small(noisy(BOARD, n, 25)), n * STEP_NS) for n in range(2, 9))


def test_a_layout_without_planes_is_told() -> None:
    with pytest.raises(CameraError, match="gives RGB888; only YUV420, NV12"):
        Gate("RGB888", (240, 180)).still(small(BOARD), STEP_NS)

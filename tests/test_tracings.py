"""What the traced boards of the trainings are made of; Blender itself is not needed here."""

from dataclasses import replace

import numpy as np
import pytest

from referee.board import SQUARES, cell_of
from referee.eye.training import examples, tracings
from sample_images import materials
from sample_images.scene import Board
from sample_images.variety import random_scene

SEEDS = range(tracings.FIRST, tracings.FIRST + 12)
PLAIN = Board((30, 95, 60), (230, 215, 170))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_traced_holds_the_board_and_all_that_stands_on_it(seed):
    scene = random_scene(seed, contents="middle")
    rows, columns = tracings.window_of(scene.view)
    lens, tops = scene.view.lens, [(disc.x, disc.y, disc.top) for disc in scene.discs]
    points = np.array([(x, y, 0.0) for x in (0, 8) for y in (0, 8)] + tops)
    for x, y in scene.view.project(points):
        if 0 <= x < lens.width and 0 <= y < lens.height:
            assert columns.start <= x <= columns.stop
            assert rows.start <= y <= rows.stop


@pytest.mark.parametrize("seed", SEEDS)
def test_no_more_is_traced_than_is_affordable(seed):
    scene = random_scene(seed)
    rows, columns = tracings.window_of(tracings.affordable(scene).view)
    area = (rows.stop - rows.start) * (columns.stop - columns.start)
    assert area <= 1.02 * tracings.MOST_PX


def test_some_sets_are_unlike_any_that_is_drawn_and_some_are_not():
    look, rng = random_scene(1).look, np.random.default_rng(1)
    shapes = [tracings.shaped(look, rng) for _ in range(60)]
    for measure in ("edge", "dish", "waist", "ribs"):
        values = [getattr(shape, measure) for shape in shapes]
        assert 0 in values
        assert any(values)
    assert {replace(shape, edge=0, dish=0, waist=0, ribs=0) for shape in shapes} == {
        replace(look, edge=0)
    }


def test_some_boards_are_numbered():
    rng = np.random.default_rng(2)
    boards = [examples.numbered(random_scene(3), rng).board for _ in range(40)]
    assert 0 < sum(board.numerals > 0 for board in boards) < 40
    assert max(board.numerals for board in boards) <= examples.HEIGHTS[1]


@pytest.mark.parametrize("aside", [False, True])
def test_numbers_are_printed_on_the_dark_squares_alone(aside):
    numbered = replace(PLAIN, numerals=0.3, numerals_aside=aside)
    steps = (np.arange(20) + 0.5) / 20
    inside = np.stack(np.meshgrid(steps, steps), axis=-1).astype(np.float32)
    dark = {cell_of(square) for square in SQUARES}
    for row in range(8):
        for column in range(8):
            points = inside + np.array([column, row], np.float32)
            bare, printed = (materials.board_colour(b, points) for b in (PLAIN, numbered))
            changed = np.abs(printed - bare).max(axis=-1) > 0.1
            assert changed.any() == ((row, column) in dark)
            if aside and changed.any():
                assert not changed[10:].any()

"""Patches of a picture, one for each cell, and which way round they lie."""

from __future__ import annotations

import numpy as np
import pytest

from referee.board import EMPTY, START
from referee.eye.light import IS_DARK
from referee.eye.orientation import dark_cells, orient, turned
from referee.eye.patches import CELLS, CENTRES, LEFT, PIXELS_A_SQUARE, SIZE, TOP, PatchMap
from tests.boards import draw_board, view_from
from tests.eyes import SIXTY_FOUR

# --- Patches --------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [0, 30, 90, 200])
def test_the_middle_of_a_patch_lies_over_its_cell(turn: float) -> None:
    chart = PatchMap.of(view_from(35, turn))
    column = round(-LEFT * PIXELS_A_SQUARE - 0.5)
    row = round(-TOP * PIXELS_A_SQUARE - 0.5)
    middles = chart.points[:, row, column]
    assert np.abs(middles - CENTRES).max() < 1 / PIXELS_A_SQUARE


@pytest.mark.parametrize("turn", [0, 45, 100, 180, 275])
def test_whatever_stands_up_leans_towards_the_top_of_a_patch(turn: float) -> None:
    view = view_from(40, turn)
    chart = PatchMap.of(view)
    for cell, (row, column) in enumerate(CELLS):
        raised = view.project(np.array([[column + 0.5, row + 0.5, 0.2]]))
        shadow = view.to_plane(raised)[0]
        steps = (chart.points[cell] - shadow).reshape(-1, 2)
        below = int(np.abs(steps).sum(axis=1).argmin()) // SIZE
        assert below <= -TOP * PIXELS_A_SQUARE


def test_a_patch_shows_the_colour_of_its_cell() -> None:
    view = view_from(20)
    patches = PatchMap.of(view).cut(draw_board(view))
    middle = patches.pixels[:, SIZE // 2, SIZE // 2].astype(float).mean(axis=1)
    assert middle[IS_DARK].max() < middle[~IS_DARK].min()


# --- Orientation ----------------------------------------------------------------------------


@pytest.mark.parametrize("quarters", range(4))
def test_the_start_is_turned_upright_whichever_way_it_is_seen(quarters: int) -> None:
    seen = turned(SIXTY_FOUR, -quarters % 4)
    way = orient(seen)
    assert turned(seen, way.quarters) == SIXTY_FOUR
    assert way.problem is None


def test_a_board_with_men_of_one_side_only_says_that_it_cannot_tell() -> None:
    problem = orient(SIXTY_FOUR.replace("w", EMPTY)).problem
    assert problem is not None
    assert "both sides" in problem


def test_men_that_would_stand_on_their_king_row_turn_the_board() -> None:
    board = [EMPTY] * 64
    board[62] = "r"  # (7, 6), where a red man would have been crowned
    board[33] = "w"
    assert orient("".join(board)).quarters == 2


def test_dark_cells_come_in_the_order_of_the_squares() -> None:
    assert dark_cells(SIXTY_FOUR) == START

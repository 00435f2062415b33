"""The board's geometry, setups and drawings."""

from __future__ import annotations

import pytest

from referee import board
from referee.board import SQUARES, START, Side


@pytest.mark.parametrize(
    ("square", "cell"),
    [
        pytest.param(1, (0, 1), id="top-row-second-cell"),
        pytest.param(4, (0, 7), id="red-left-corner"),
        pytest.param(5, (1, 0), id="second-row-begins-at-the-edge"),
        pytest.param(29, (7, 0), id="white-left-corner"),
        pytest.param(32, (7, 6), id="last"),
    ],
)
def test_squares_lie_where_the_rules_say(square: int, cell: board.Cell) -> None:
    assert board.cell_of(square) == cell


def test_squares_and_dark_cells_are_the_same_32() -> None:
    dark = [(row, column) for row in range(8) for column in range(8) if (row + column) % 2]
    assert [board.cell_of(square) for square in SQUARES] == dark
    assert [board.square_at(*cell) for cell in dark] == list(SQUARES)


@pytest.mark.parametrize("cell", [(0, 0), (7, 7), (-1, 0), (8, 1), (3, 8), (0, -1)])
def test_light_and_outer_cells_have_no_square(cell: board.Cell) -> None:
    assert board.square_at(*cell) is None


@pytest.mark.parametrize("square", [0, 33, -1])
def test_other_numbers_have_no_cell(square: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 32, not {square}"):
        board.cell_of(square)


def test_a_side_knows_its_pieces_and_its_way() -> None:
    assert (Side.RED.man, Side.RED.king, Side.WHITE.man, Side.WHITE.king) == tuple("rRwW")
    assert (Side.RED.forward, Side.RED.king_row) == (1, 7)
    assert (Side.WHITE.forward, Side.WHITE.king_row) == (-1, 0)
    assert Side.RED.other is Side.WHITE
    assert Side.WHITE.other is Side.RED
    assert Side.RED.owns("R")
    assert not Side.RED.owns("w")


@pytest.mark.parametrize(
    ("appearance", "side", "king"),
    [
        ("r", Side.RED, False),
        ("R", Side.RED, True),
        ("w", Side.WHITE, False),
        ("W", Side.WHITE, True),
        (board.EMPTY, None, False),
        (board.UNSEEN, None, False),
    ],
)
def test_appearances_tell_side_and_crown(appearance: str, side: Side | None, king: bool) -> None:
    assert board.side_of(appearance) is side
    assert board.is_king(appearance) is king
    assert not king or board.crowned(appearance.lower()) == appearance


def test_changes_show_as_the_difference() -> None:
    changed = board.replace(START, {32: ".", 11: ".", 15: "r"})
    assert board.difference(START, changed) == (11, 15, 32)
    assert board.at(changed, 15) == "r"
    assert board.replace(changed, {32: "w", 11: "r", 15: "."}) == START

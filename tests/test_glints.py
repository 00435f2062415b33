"""Light cells on which sun looks like a disc."""

from __future__ import annotations

import pytest

from referee.board import START, Cell, replace
from referee.observation import LooseDisc
from tests.table import RED, Table, kinds, ready

GLINT = LooseDisc((2, 4), RED)
"""Right beside the man on 11."""


def taken_off(table: Table) -> list[str]:
    """What is told when Red's man on 11 is gone, beside which something seems to lie then."""
    table.reach(RED, {11})
    table.setup = replace(START, {11: "."})
    table.loose = (GLINT,)
    return kinds(table.rest(4_000))


@pytest.mark.parametrize("shone", [False, True])
def test_what_came_with_no_hand_near_is_light_for_a_while(shone: bool) -> None:
    table = ready()
    table.rest(2_000)
    table.loose = (GLINT,) if shone else ()
    table.rest(1_000)
    table.loose = ()
    table.reach(RED, {11})
    table.rest(1_000)
    assert taken_off(table) == ["piece_removed" if shone else "off_square"]


@pytest.mark.parametrize("by_hand", [False, True])
def test_so_is_what_goes_with_no_hand_near(by_hand: bool) -> None:
    table = ready()
    table.reach(RED, {11})
    table.loose = (GLINT,)
    table.rest(2_000)
    if by_hand:
        table.reach(RED, {11})
    table.loose = ()
    table.rest(2_000)
    assert taken_off(table) == ["off_square" if by_hand else "piece_removed"]


def test_it_is_a_disc_again_after_some_minutes() -> None:
    table = ready()
    table.rest(2_000)
    table.loose = (GLINT,)
    table.rest(1_000)
    table.loose = ()
    table.rest(301_000)
    assert taken_off(table) == ["off_square"]


@pytest.mark.parametrize("cell", [(2, 4), (4, 4)], ids=["beside", "elsewhere"])
@pytest.mark.parametrize("gap_ms", [0, 1_500], ids=["at-once", "late"])
def test_what_lies_there_while_a_piece_is_missing_is_no_light(cell: Cell, gap_ms: int) -> None:
    """It may be lost from view, and come into view again, with no hand near."""
    table = ready()
    table.reach(RED, {11, 15})
    table.setup = replace(START, {11: "."})
    table.loose = (LooseDisc(cell, RED),)
    table.rest(300)
    table.loose = ()
    table.rest(gap_ms)
    table.loose = (LooseDisc(cell, RED),)
    assert {"off_square", "illegal_step"} & {*kinds(table.rest(4_000))}

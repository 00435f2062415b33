"""Discs that a hand has handled are put back a little beside where they lay."""

from __future__ import annotations

import pytest

from referee.board import SQUARES
from referee.events import Touch, Touched
from referee.notation import parse_fen
from referee.observation import Hand
from tests.table import RED, WHITE, Table, ready


def _watched(wavers: int = 0) -> Table:
    """A table at which hands have been that pushed nothing; discs seem to waver meanwhile."""
    table = ready()
    for time in range(4):
        table.reach(RED, {1})
        table.offsets = dict.fromkeys(SQUARES, (wavers * (time % 2), 0))
        table.rest(1_500)
    return table


def _handled(table: Table, off: int, ms: int = 900, further: tuple[int, ...] = ()) -> list[int]:
    """A hand is over the man on 23, who lies elsewhere afterwards; what was told to be touched."""
    table.rest(ms, Hand(WHITE, (23, *further)))
    x, y = table.offsets.get(23, (0, 0))
    table.offsets = {**table.offsets, 23: (x, y + off)}
    told = table.rest(2_000)
    touched = [event for event in told if isinstance(event, Touched)]
    assert all((event.side, event.how) == (WHITE, Touch.SHIFTED) for event in touched)
    return [event.square for event in touched]


@pytest.mark.parametrize(("off", "told"), [(36, [23]), (34, [])])
def test_a_disc_is_told_as_touched_that_lies_but_a_little_off(off: int, told: list[int]) -> None:
    assert _handled(_watched(), off) == told


@pytest.mark.parametrize(("ms", "told"), [(800, [23]), (600, [])])
def test_a_hand_that_only_passes_has_not_handled_it(ms: int, told: list[int]) -> None:
    assert _handled(_watched(), 60, ms) == told


@pytest.mark.parametrize(("further", "told"), [((18, 15), [23]), ((18, 15, 11), [])])
def test_nor_has_one_that_reached_farther(further: tuple[int, ...], told: list[int]) -> None:
    assert _handled(_watched(), 60, further=further) == told


@pytest.mark.parametrize(("off", "told"), [(62, [23]), (58, [])])
def test_where_discs_seem_to_waver_it_must_lie_twice_as_far_off(off: int, told: list[int]) -> None:
    assert _handled(_watched(30), off) == told


@pytest.mark.parametrize(("visits", "told"), [(0, []), (3, [23])])
def test_nor_is_it_told_before_it_is_known_how_they_waver(visits: int, told: list[int]) -> None:
    """With few discs on the board that takes some visits of hands."""
    table = ready(parse_fen("W:W23,32:B9,10,12"))
    for _ in range(visits):
        table.reach(RED, {1})
        table.rest(1_500)
    assert _handled(table, 60) == told


def test_discs_that_waver_much_must_lie_no_farther_off_than_those_of_which_nothing_is_known() -> (
    None
):
    assert _handled(_watched(90), 105) == [23]

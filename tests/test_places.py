"""Discs that a hand leaves beside where they lay: a little, or half off their squares."""

from __future__ import annotations

import pytest

from referee.board import SQUARES, replace
from referee.events import Touch, Touched
from referee.notation import parse_fen
from referee.observation import Hand, LooseDisc
from tests.table import RED, WHITE, Table, kinds, moves, names, ready


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


@pytest.mark.parametrize(("lies", "told"), [(50, []), (52, [23])])
def test_a_disc_that_comes_to_lie_in_the_middle_has_been_put_straight(
    lies: int, told: list[int]
) -> None:
    table = _watched()
    _handled(table, 115)
    assert _handled(table, lies - 115) == told


def test_but_not_one_that_lay_near_it() -> None:
    table = _watched()
    _handled(table, 85)
    assert _handled(table, 45 - 85) == [23]


@pytest.mark.parametrize(("lies", "told"), [(20, []), (80, [3])])
def test_nor_is_he_touched_whom_somebody_puts_straight_before_his_move(
    lies: int, told: list[int]
) -> None:
    table = ready()
    table.reach(RED, {3})
    table.offsets = {3: (150, -100)}
    table.rest(2_500)
    table.rest(800, Hand(RED, (3,)))
    table.offsets = {3: (lies, 0)}
    table.change(RED, {11: ".", 16: "r"})
    assert moves(table.events) == ["11-16"]
    later = [event for event in table.events if isinstance(event, Touched)][1:]
    assert [event.square for event in later] == told


@pytest.mark.parametrize(("ms", "told"), [(800, [23]), (600, [])])
def test_a_hand_that_only_passes_has_not_handled_it(ms: int, told: list[int]) -> None:
    assert _handled(_watched(), 60, ms) == told


@pytest.mark.parametrize(("further", "told"), [((18, 15), [23]), ((18, 15, 11), [])])
def test_nor_has_one_that_reached_farther(further: tuple[int, ...], told: list[int]) -> None:
    assert _handled(_watched(), 60, further=further) == told


@pytest.mark.parametrize(("ms", "told"), [(800, [3]), (600, [])])
def test_who_handles_a_disc_and_reaches_on_to_move_another_has_touched_it(
    ms: int, told: list[int]
) -> None:
    table = _watched()
    table.rest(ms, Hand(RED, (3,)))
    table.offsets = {**table.offsets, 3: (0, 60)}
    table.reach(RED, {7})
    table.reach(RED, {3, 7, 11, 16})
    table.setup = replace(table.setup, {11: ".", 16: "r"})
    table.reach(RED, {3, 7, 11, 16}, 600)
    events = table.rest(2_000)
    assert moves(events) == ["11-16"]
    assert [event.square for event in events if isinstance(event, Touched)] == told


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


@pytest.mark.parametrize(
    ("off", "told"),
    [
        ((-335, 20), ["off_square"]),
        ((-325, 20), []),
        ((-245, 235), []),
        ((-275, 260), ["off_square"]),
        ((225, 225), []),
    ],
)
def test_a_disc_that_a_hand_leaves_half_off_its_square_lies_off_it(
    off: tuple[int, int], told: list[str]
) -> None:
    table = ready()
    table.reach(WHITE, {23})
    table.offsets = {23: off}
    table.rest(3_000)
    assert kinds(table.events) == told
    table.reach(WHITE, {23})
    table.offsets = {}
    assert ("restored" in names(table.rest(1_000))) == bool(told)
    assert ("touched" in names(table.events)) != bool(told)


def test_so_does_one_that_was_moved_there() -> None:
    table = ready()
    table.offsets = {15: (0, 330)}
    table.change(RED, {11: ".", 15: "r"}, 3_000)
    assert moves(table.events) == ["11-15"]
    assert kinds(table.events) == ["off_square"]


def test_it_may_be_seen_late_where_it_lies() -> None:
    table = ready()
    table.unplaced = {15}
    table.change(RED, {11: ".", 15: "r"}, 3_000)
    table.unplaced, table.offsets = set(), {15: (0, 330)}
    table.rest(2_000)
    assert kinds(table.events) == ["off_square"]


def test_who_plays_on_has_let_it_lie() -> None:
    """It is told once; a hand beside it later does not have it told again."""
    table = ready()
    table.reach(WHITE, {23})
    table.offsets = {23: (340, 0)}
    table.rest(2_000)
    table.change(RED, {11: ".", 15: "r"}, 2_000)
    table.change(WHITE, {22: ".", 18: "w"}, 3_000)
    assert moves(table.events) == ["11-15", "22-18"]
    assert kinds(table.events) == ["off_square"]


def test_one_that_nobody_was_at_is_left_in_peace() -> None:
    table = Table()
    table.offsets = {23: (330, 0)}
    table.rest(3_000)
    table.reach(RED, {11, 15})
    table.rest(3_000)
    assert not kinds(table.events)


def test_it_is_not_right_again_because_it_seems_to_lie_astride_or_wavers() -> None:
    table = ready()
    table.reach(WHITE, {23})
    table.offsets = {23: (340, 0)}
    table.rest(2_000)
    table.offsets = {23: (310, 0)}
    table.rest(1_000)
    table.loose = (LooseDisc((5, 4), WHITE, astride=True),)
    table.misread = {23: (0, -600, -600, -600, -600)}
    table.rest(2_000)
    table.loose, table.misread = (), {}
    table.rest(2_000)
    assert kinds(table.events) == ["off_square"]
    assert "restored" not in names(table.events)

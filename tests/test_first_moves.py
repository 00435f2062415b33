"""The first moves of a game, made before it was certain that the pieces stood."""

from __future__ import annotations

import pytest

from referee.board import START, replace
from referee.observation import Hand
from tests.table import RED, WHITE, Table, kinds, moves, names

RED_LOOKING = (-700, 0, -100, -416, -500)
"""What the eye says of a white man whom it takes for a red one."""


@pytest.mark.parametrize(("stood_ms", "told"), [(1_300, ["11-16", "22-18"]), (300, [])])
def test_a_first_move_answered_before_it_was_told_begins_the_game(
    stood_ms: int, told: list[str]
) -> None:
    table = Table()
    table.misread = {23: RED_LOOKING}
    table.rest(stood_ms)
    table.reach(RED, {11, 16})
    table.setup = replace(START, {11: ".", 16: "r"})
    table.rest(150, Hand(RED, (11, 16)), Hand(WHITE, (18, 22)))
    table.reach(WHITE, {18, 22})
    table.setup = replace(table.setup, {22: ".", 18: "w"})
    table.misread = {}
    table.rest(3_000)
    assert "ready" in names(table.events) or not told
    assert moves(table.events) == told
    assert not kinds(table.events)

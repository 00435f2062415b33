"""`overrule` where no square differs from the record, but the board is not in order."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.announcer import announce
from referee.commands import Word
from referee.notation import parse_fen
from referee.observation import LooseDisc
from tests.table import RED, WHITE, Table, kinds, names, ready


def warned() -> Table:
    """White was warned, has put the board right, and is to move."""
    table = ready(parse_fen("B:W10,32,21:B22,25,1"), frame_ms=100)
    table.change(RED, {1: ".", 5: "r"})
    table.change(WHITE, {32: ".", 24: "w"}, 3_000)
    table.change(WHITE, {24: ".", 32: "w"}, 3_000)
    assert table.game.arbiter.count(WHITE, "impossible move") == 1
    return table


def crowned() -> Table:
    """A man seems to have a crown that he has not earned."""
    table = warned()
    table.change(RED, {22: "R"}, 5_000)
    assert kinds(table.events)[-1] == "crown_unearned"
    return table


def astray() -> Table:
    """A disc that is missing nowhere seems to lie on a light square."""
    table = warned()
    table.reach(WHITE, {14}, 500)
    table.loose = (LooseDisc((4, 4), WHITE),)
    assert kinds(table.rest(9_000)) == ["off_square"]
    return table


@pytest.mark.parametrize("disorder", [crowned, astray])
def test_what_the_eye_saw_wrongly_is_let_stand_and_no_warning_taken_back(
    disorder: Callable[[], Table],
) -> None:
    table = disorder()
    (corrected,) = table.say(Word.OVERRULE)
    said = announce(corrected)
    assert said is not None
    assert said.text == "The board stands as it is, it is White's turn"
    assert table.game.arbiter.count(WHITE, "impossible move") == 1
    assert len(table.game.records()) == 1
    assert names(table.change(WHITE, {32: ".", 28: "w"}, 8_000)) == ["played"]


@pytest.mark.parametrize("disorder", [crowned, astray])
def test_after_that_the_warning_may_be_taken_back(disorder: Callable[[], Table]) -> None:
    table = disorder()
    table.say(Word.OVERRULE)
    table.say(Word.OVERRULE)
    assert table.game.arbiter.count(WHITE, "impossible move") == 0


def test_a_game_that_is_played_out_stays_so() -> None:
    table = ready(parse_fen("B:W18:B14,1"), frame_ms=100)
    table.change(RED, {14: ".", 18: ".", 23: "r"})
    assert names(table.say(Word.OVERRULE, text="white")) == ["corrected", "result", "ruling"]
    assert len(table.game.records()) == 1


def test_a_board_that_is_as_recorded_parts_no_record() -> None:
    table = ready(frame_ms=100)
    table.change(RED, {11: ".", 15: "r"})
    assert names(table.say(Word.OVERRULE, text="white")) == ["corrected"]
    assert len(table.game.records()) == 1
    assert len(table.game.moves) == 1

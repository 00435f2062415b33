"""The pictures of a folder, turned over when they are understood."""

from __future__ import annotations

import json

import cv2
import numpy as np

from hardware.camera import Frame
from hardware.cameras.turning import AGAIN_MS, LONGEST_MS, Turning
from referee import cli
from referee.board import START, replace
from referee.watching import is_understood
from tests.boards import draw_board, view_from
from tests.table import RED, ready

PICTURE = np.zeros((2, 2, 3), np.uint8)


class TestTurning:
    def test_a_picture_comes_again_until_it_is_understood(self):
        answers = iter([False, True, True])
        turning = Turning(lambda: next(answers))
        frames = (Frame(PICTURE, ms, waits=True) for ms in (0, 500))
        seen = [(frame.time_ms, frame.still) for frame in turning.over(frames)]
        spent_ms = 2 * AGAIN_MS
        looks = [(0, False), (AGAIN_MS, True), (spent_ms, True)]
        assert seen == [*looks, (500 + spent_ms, False), (500 + spent_ms + AGAIN_MS, True)]
        assert turning.spent_ms == spent_ms + AGAIN_MS

    def test_it_does_not_wait_for_ever(self):
        frames = [Frame(PICTURE, ms, waits=True) for ms in (0, 500)]
        times = [frame.time_ms for frame in Turning(lambda: False).over(frames)]
        assert times.index(500 + LONGEST_MS) == 1 + LONGEST_MS // AGAIN_MS

    def test_a_film_goes_on_by_its_clock(self):
        frames = [Frame(PICTURE, ms) for ms in (0, 125, 250)]
        assert list(Turning(lambda: False).over(frames)) == frames


class TestUnderstood:
    def test_a_board_in_order(self):
        assert is_understood(ready().game)

    def test_a_move_that_is_not_certain_yet(self):
        table = ready()
        table.setup = replace(table.setup, {11: ".", 15: "r"})
        table.rest(300)
        assert not is_understood(table.game)

    def test_a_hand_will_leave(self):
        table = ready()
        table.reach(RED, {11, 15})
        assert is_understood(table.game)

    def test_what_stays_a_riddle(self):
        table = ready()
        table.setup = replace(table.setup, {1: ".", 32: ".", 14: "r"})
        table.rest(1_000)
        assert not is_understood(table.game)
        table.rest(15_000)
        assert is_understood(table.game)


def watched(folder, setups, capsys):
    """The events of photographs, one of each setup."""
    for number, setup in enumerate(setups):
        cv2.imwrite(str(folder / f"{number}.png"), draw_board(view_from(25), setup, seed=number))
    kept = ["--pdn", str(folder / "game.pdn"), "--games", str(folder / "games")]
    status = cli.main(["watch", str(folder), *kept, "--json"])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_what_photographs_show_that_is_unlawful_is_asked_about(tmp_path, capsys):
    """Nobody is accused by pictures that show no hand."""
    first = replace(START, {11: ".", 15: "r"})
    setups = [START, first, replace(first, {8: ".", 11: "r"}), first]
    setups.append(replace(first, {23: ".", 19: "w"}))
    status, events = watched(tmp_path, setups, capsys)
    told = [event["event"] for event in events]
    assert (status, told) == (0, ["clock_set", "ready", "played", "unsure", "restored", "played"])
    assert events[0]["limits"] == "off"
    assert events[3]["squares"] == [8, 11]


def test_a_game_of_photographs_is_watched_again_instead_of_gone_on_with(tmp_path, capsys):
    watched(tmp_path, [START, replace(START, {11: ".", 15: "r"})], capsys)
    assert cli.main(["resume", "last", "--games", str(tmp_path / "games")]) == 2
    assert f"referee watch {tmp_path}" in capsys.readouterr().err.replace("\n", "")

"""Moves that have to be taken back on the board."""

from __future__ import annotations

import dataclasses

import pytest

from referee.commands import Word
from referee.events import Corrected, Irregular, Otherwise, Refused, Unsure, Withdrawn
from referee.notation import fen, parse_fen
from referee.playing.judging import judged
from referee.tracking.let_stand import is_unresolved
from tests.table import RED, WHITE, Table, moves, names, ready, touch_moved


class TestTakingBack:
    def test_the_board_is_waited_for(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        assert names(table.say(Word.CORRECT)) == ["corrected"]
        assert not moves(table.rest(1_000)), "the same board is not the same move again"
        assert names(table.change(RED, {15: ".", 11: "r"})) == ["restored"]
        assert moves(table.change(RED, {9: ".", 14: "r"})) == ["9-14"]

    def test_where_the_board_is_back_already_the_game_goes_on(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(RED, {15: ".", 11: "r"}, 3_000)
        table.say(Word.CORRECT)
        assert names(table.rest(1_500)) == ["restored"]

    def test_another_move_is_made_in_one_go_however_late(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 20_000)
        table.say(Word.CORRECT)
        assert moves(table.change(RED, {15: ".", 11: "r", 9: ".", 14: "r"})) == ["9-14"]
        assert moves(table.change(WHITE, {22: ".", 18: "w"})) == ["22-18"]

    @pytest.mark.parametrize("think_ms", [500, 900])
    def test_it_is_also_followed_where_both_play_on_at_once(self, think_ms: int) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {23: ".", 19: "w"})
        table.say(Word.CORRECT)
        table.rest(500)
        table.change(WHITE, {19: ".", 23: "w"}, 400)
        for side, change in (
            (WHITE, {22: ".", 17: "w"}),
            (RED, {9: ".", 14: "r"}),
            (WHITE, {25: ".", 22: "w"}),
            (RED, {8: ".", 11: "r"}),
        ):
            table.change(side, change, think_ms)
        table.rest(3_000)
        assert list(map(str, table.game.moves)) == ["11-15", "22-17", "9-14", "25-22", "8-11"]

    def test_the_board_that_is_not_put_back_is_told_of_and_nothing_is_played(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.CORRECT)
        told = table.rest(5_000)
        assert names(told) == ["otherwise"]
        assert isinstance(told[0], Otherwise)
        assert told[0].squares == (11, 15)
        assert is_unresolved(table.game.tracker)
        assert not moves(table.change(WHITE, {22: ".", 18: "w"}))

    def test_the_same_move_is_let_stand_after_all(self) -> None:
        table = touch_moved()
        assert table.game.arbiter.count(RED, "touch-move") == 1
        assert names(table.say(Word.OVERRULE)) == ["corrected", "played"]
        assert list(map(str, table.game.moves)) == ["9-14"]
        assert table.game.arbiter.count(RED, "touch-move") == 0
        assert moves(table.change(WHITE, {22: ".", 18: "w"})) == ["22-18"]

    def test_an_earlier_warning_stays_with_it(self) -> None:
        table = ready()
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.change(WHITE, {18: ".", 22: "w"}, 3_000)
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.CORRECT)
        assert names(table.say(Word.OVERRULE)) == ["corrected", "played"]
        assert table.game.arbiter.count(WHITE, "out of turn") == 1

    def test_or_the_board_with_the_reply(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.CORRECT)
        table.change(WHITE, {22: ".", 18: "w"})
        assert moves(table.say(Word.OVERRULE)) == ["11-15", "22-18"]
        assert not table.game.former
        assert moves(table.change(RED, {15: ".", 18: ".", 22: "r"})) == ["15x22"]

    def test_a_piece_that_goes_on_from_where_it_was_moved_to_is_another_move(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 20_000)
        table.say(Word.CORRECT)
        assert moves(table.change(RED, {15: ".", 16: "r"}, 3_000)) == ["11-16"]

    def test_two_moves_are_taken_back_and_let_stand_after_all(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 18: "w"})
        table.say(Word.CORRECT)
        table.say(Word.CORRECT)
        assert isinstance(table.say(Word.CORRECT)[0], Refused), "there is no third"
        assert names(table.rest(4_000)) == ["otherwise"]
        assert moves(table.say(Word.OVERRULE)) == ["11-15", "22-18"]

    def test_a_long_line_that_was_shown_and_put_back_was_not_played(self) -> None:
        """A teacher shows how five moves would go, and takes back one after the other; then the
        game goes on, once its first moves have borne that out."""
        table = ready(parse_fen("B:W21,22,23,24,25,27,28,29,30,31,32:B1,2,3,4,5,7,8,11,12,14,15"))
        shown = (
            (RED, {15: ".", 19: "r"}),
            (WHITE, {23: ".", 19: ".", 16: "w"}),
            (RED, {11: ".", 16: ".", 20: "r"}),
            (WHITE, {31: ".", 26: "w"}),
            (RED, {14: ".", 17: "r"}),
        )
        befores = []
        for side, changes in shown:
            befores.append(table.setup)
            table.change(side, changes, 2_500)
        for (side, changes), before in zip(shown[::-1], befores[::-1], strict=True):
            table.change(side, {square: before[square - 1] for square in changes}, 2_000)
        table.rest(4_000)
        table.change(RED, {14: ".", 18: "r"}, 3_000)
        table.change(WHITE, {23: ".", 18: ".", 14: "w"}, 3_000)
        table.change(RED, {7: ".", 10: "r"}, 3_000)
        table.change(WHITE, {14: ".", 10: ".", 7: "w"}, 3_000)
        assert [str(m) for m in table.game.moves] == ["14-18", "23x14", "7-10", "14x7"]

    def test_under_a_hand_nothing_is_let_stand(self) -> None:
        table = touch_moved()
        table.reach(RED, {9, 14})
        assert isinstance(table.say(Word.OVERRULE)[0], Refused)
        assert table.game.arbiter.count(RED, "touch-move") == 1

    def test_who_was_told_to_look_away_does_so_still(self) -> None:
        for text in ("", "11-16", "W:W22:B15"):
            table = ready()
            table.change(RED, {11: ".", 15: "r"})
            table.say(Word.PAUSE)
            table.say(Word.CORRECT, text=text)
            assert table.game.tracker.paused
            table.frame_ms = 1_000
            table.rest(400_000)
            table.frame_ms = 50
            assert table.game.clock is not None
            assert table.game.clock.since_ms is None
            table.say(Word.RESUME)
            table.rest(6_000)
            assert not [e for e in table.events if isinstance(e, Irregular)]

    @pytest.mark.parametrize("text", ["1/1 button", "1+0"])
    def test_a_clock_set_meanwhile_waits_with_him(self, text: str) -> None:
        table = ready(frame_ms=500)
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.PAUSE)
        table.say(Word.CLOCK, text=text)
        table.rest(90_000)
        table.say(Word.RESUME)
        assert names(table.rest(30_000)) == ["watching"]
        assert names(table.rest(40_000))[:1] == ["time_over"]

    def test_who_adjusts_is_excused_still(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.ADJUSTING, RED)
        table.say(Word.CORRECT)
        assert table.game.tracker.is_excused(RED)
        assert not table.game.tracker.is_excused(WHITE)

    def test_a_doubt_is_answered_by_number(self) -> None:
        table = ready()
        table.change(RED, {9: ".", 14: "r"})
        assert isinstance(table.say(Word.CHOOSE, text="1")[0], Refused)
        table.game = dataclasses.replace(table.game, question=Unsure(0, ("22-18", "22-17")))
        assert moves(table.say(Word.CHOOSE, text="2")) == ["22-17"]
        assert list(map(str, table.game.moves)) == ["9-14", "22-17"]
        assert isinstance(table.say(Word.CHOOSE, text="1")[0], Refused)

    def test_not_when_the_move_has_been_put_back(self) -> None:
        table = ready(parse_fen("B:W15,19,25,30:B11,1,2"))
        table.change(RED, {11: ".", 15: ".", 18: "r"}, 5_000)
        asked = Unsure(table.time_ms, ("11x18", "1-6"), ply=0)
        table.game = dataclasses.replace(table.game, question=asked)
        assert names(table.change(RED, {11: "r", 15: "w", 18: "."}, 3_000)) == ["withdrawn"]
        (refused,) = table.say(Word.CHOOSE, text="2")
        assert isinstance(refused, Refused)
        assert refused.phrase == ("not_asked",)

    def asked_which_way(self) -> Table:
        table = ready(parse_fen("W:WK8,32:BK25,1"))
        for change in ({8: ".", 3: "W"}, {25: ".", 21: "R"}, {3: ".", 8: "W"}, {21: ".", 17: "R"}):
            table.change(WHITE if 8 in change else RED, change)
        asked = Unsure(table.time_ms, ("8-3 25-21 3-8", "8-12 25-21 12-8"), ply=0)
        table.game = dataclasses.replace(table.game, question=asked)
        return table

    def test_the_way_to_a_position_is_answered_when_more_has_been_played(self) -> None:
        table = self.asked_which_way()
        assert moves(table.change(WHITE, {32: ".", 27: "w"})) == ["32-27"]
        table.say(Word.CHOOSE, text="2")
        assert list(map(str, table.game.moves)) == ["8-12", "25-21", "12-8", "21-17", "32-27"]

    def test_the_end_of_the_game_stands_whichever_way_it_was(self) -> None:
        table = self.asked_which_way()
        table.say(Word.RESIGN, RED)
        end = table.game.result
        (corrected, *_) = table.say(Word.CHOOSE, text="2")
        assert isinstance(corrected, Corrected)
        assert not corrected.reopened
        assert list(map(str, table.game.moves)) == ["8-12", "25-21", "12-8", "21-17"]
        assert end is not None
        assert table.game.result == end
        assert not table.rest(5_000)

    def test_what_the_board_has_answered_is_asked_the_other_way_about(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(RED, {11: "r", 15: ".", 9: ".", 14: "r"}, 3_000)
        assert table.game.question is not None
        told = table.change(RED, {11: ".", 15: "r", 9: "r", 14: "."}, 4_000)
        assert names(told) == ["withdrawn", "played", "unsure"]
        assert names(table.say(Word.CHOOSE, text="1")) == ["corrected"]
        assert list(map(str, table.game.moves)) == ["11-15"]


def test_a_move_that_was_withdrawn_counts_for_nothing() -> None:
    """The record, the history of draws and the clock all forget it."""
    table = ready(parse_fen("B:WK32:BK1"))
    table.change(RED, {1: ".", 5: "R"})
    before = table.game.tracker
    undone = Withdrawn(table.time_ms, ("1-5",), fen(parse_fen("B:WK32:BK1")))
    back = dataclasses.replace(before, plies=(), position=parse_fen("B:WK32:BK1"))
    game = dataclasses.replace(table.game, tracker=back)
    game, _ = judged(game, before, (undone,))
    assert game.arbiter.history.plies == ()
    assert game.clock is not None
    assert game.clock.side is RED

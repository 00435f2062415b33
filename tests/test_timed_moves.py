"""Moves that the clock times: when each is complete, grace, and games lost on time."""

from __future__ import annotations

import pytest

from referee.board import Side
from referee.commands import Word
from referee.events import Corrected, Refused, Result, Ruling, TimeOver, Verdict
from referee.notation import parse_fen
from referee.observation import Hand
from referee.profiles import ONLINE25, PROFILES, US
from tests.table import RED, WHITE, Clocked, Table, moves, names, ready, results, rulings

SINGLE_OR_NOT = "B:W22,32:B15,9,10"
"""After 15-18 White has one capture, after 9-13 he may move as he likes."""


class TestOverruled(Clocked):
    """White's time is over, and Red may claim the game; people see that this is wrong."""

    def over(self) -> Table:
        table = self.table("5+1")
        table.change(RED, {11: ".", 15: "r"})
        table.rest(365_000)
        return table

    def test_it_is_taken_back_like_what_is_counted(self) -> None:
        table = self.over()
        (corrected,) = table.say(Word.OVERRULE)
        assert isinstance(corrected, Corrected)
        assert corrected.against is WHITE
        assert isinstance(table.say(Word.CLAIM, RED)[0], Refused)
        assert isinstance(table.say(Word.OVERRULE)[0], Refused)

    def test_so_is_the_end_of_the_game_that_was_claimed_for_it(self) -> None:
        table = self.over()
        assert names(table.say(Word.CLAIM, RED)) == ["result", "ruling"]
        (corrected,) = table.say(Word.OVERRULE)
        assert isinstance(corrected, Corrected)
        assert (corrected.reopened, table.game.result) == ("1-0", None)
        assert isinstance(table.say(Word.CLAIM, RED)[0], Refused)

    def test_so_is_that_of_one_that_is_lost_at_once(self) -> None:
        table = self.table("30/1", US)
        table.rest(61_000)
        assert results(table) == ["0-1"]
        table.say(Word.OVERRULE)
        assert table.game.result is None

    @pytest.mark.parametrize("limits", ["5+1", "30/60", "off"])
    def test_by_another_clock_it_is_not_over(self, limits: str) -> None:
        table = self.over()
        table.say(Word.CLOCK, text=limits)
        assert isinstance(table.say(Word.CLAIM, RED)[0], Refused)

    def test_nor_where_the_player_had_another_time_than_was_thought(self) -> None:
        table = ready(parse_fen(SINGLE_OR_NOT))
        table.change(RED, {15: ".", 18: "r"})
        table.frame_ms = 1_000
        assert names(table.rest(130_000)) == ["time_over", "ruling", "time_over", "ruling"]
        table.say(Word.CORRECT, text="9-13")
        assert isinstance(table.say(Word.CLAIM, RED)[0], Refused)

    def test_a_period_is_as_long_whatever_is_due(self) -> None:
        table = ready(parse_fen(SINGLE_OR_NOT))
        table.say(Word.CLOCK, text="30/1")
        table.change(RED, {15: ".", 18: "r"})
        table.frame_ms = 1_000
        assert names(table.rest(70_000)) == ["time_over", "ruling"]
        table.say(Word.CORRECT, text="9-13")
        assert names(table.say(Word.CLAIM, RED)) == ["result", "ruling"]

    def test_in_a_period_it_is_not_over_at_a_later_move_either(self) -> None:
        table = self.table("30/1")
        table.rest(61_000)
        table.say(Word.OVERRULE)
        table.frame_ms = 50
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 18: "w"})
        table.rest(2_000)
        assert len(table.game.moves) == 2
        assert isinstance(table.say(Word.CLAIM, WHITE)[0], Refused)


class TestTimedMoves(Clocked):
    def test_grace_and_then_a_claim(self) -> None:
        table = self.table("1+1")
        assert names(table.rest(61_000)) == ["time_over", "ruling"]
        assert isinstance(table.say(Word.CLAIM)[0], Refused)
        assert names(table.rest(60_000)) == ["time_over", "ruling"]
        assert results(table) == []
        assert [ruling.rule for ruling in rulings(table.events)] == ["WCDF 5.1", "WCDF 5.2"]
        result, _ = table.say(Word.CLAIM)
        assert isinstance(result, Result)
        assert result.reason == "Red has lost on time (WCDF 6.3). White wins."
        assert results(table) == ["0-1"]

    @pytest.mark.parametrize("name", ["wcdf", "club", "lessons"])
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                "1+1",
                [
                    "Red's time is over (WCDF 5.1). 1 minute more by grace.",
                    "Red's time and grace are over",
                ],
            ),
            ("1+0", ["Red's time is over"]),
            ("30/1", ["Red's time is over"]),
        ],
    )
    def test_the_end_of_grace_is_told_as_that(self, name: str, text: str, told: list[str]) -> None:
        table = self.table(text, PROFILES[name])
        found = rulings(table.rest(121_000))
        *before, last = told
        assert [ruling.text for ruling in found[:-1]] == before
        assert found[-1].text.startswith(f"{last} (WCDF 5.")

    def test_elsewhere_time_that_is_over_loses_at_once(self) -> None:
        table = self.table("30/1", US)
        assert names(table.rest(61_000)) == ["time_over", "result", "ruling"]
        assert results(table) == ["0-1"]
        (ruling,) = rulings(table.events)
        assert ruling.rule == "US VIII"
        assert table.events[ruling.cause].name == "result"

    def test_a_game_lost_on_time_and_taken_up_again_waits_for_the_clock_to_be_set(self) -> None:
        table = self.table("30/1", US)
        table.rest(61_000)
        assert names(table.say(Word.CORRECT)) == ["corrected"]
        assert not table.rest(5_000)
        table.say(Word.CLOCK, text="30/1")
        assert not table.rest(59_000)
        assert names(table.rest(2_000)) == ["time_over", "result", "ruling"]

    def test_at_the_next_move_of_the_same_period_it_is_lost_again(self) -> None:
        table = self.table("30/1", US)
        table.rest(61_000)
        table.say(Word.CORRECT)
        table.frame_ms = 50
        table.change(RED, {11: ".", 15: "r"})
        told = table.change(WHITE, {23: ".", 19: "w"})
        assert names(told) == ["played", "time_over", "result", "ruling"]

    def test_not_where_it_was_overruled_that_it_is_over(self) -> None:
        table = self.table("30/1", US)
        table.rest(61_000)
        table.say(Word.OVERRULE)
        table.frame_ms = 50
        table.change(RED, {11: ".", 15: "r"})
        assert names(table.change(WHITE, {23: ".", 19: "w"})) == ["played"]
        assert table.game.result is None

    def test_a_period_overrun_before_gives_no_claim_where_another_was_overruled(self) -> None:
        table = self.table("2/1")
        for wait_ms, side, changes in (
            (70_000, RED, {11: ".", 15: "r"}),
            (0, WHITE, {24: ".", 20: "w"}),
            (0, RED, {8: ".", 11: "r"}),
            (0, WHITE, {28: ".", 24: "w"}),
        ):
            table.frame_ms = 1_000
            table.rest(wait_ms)
            table.frame_ms = 50
            table.change(side, changes)
        table.frame_ms = 1_000
        assert "time_over" in names(table.rest(60_000))
        table.say(Word.OVERRULE)
        table.frame_ms = 50
        table.change(RED, {4: ".", 8: "r"})
        table.change(WHITE, {23: ".", 19: "w"})
        table.rest(2_000)
        assert names(table.say(Word.CLAIM, WHITE)) == ["refused"]

    def test_it_is_told_once_though_the_last_move_of_the_period_is_taken_back(self) -> None:
        table = self.table("2/1")
        assert "time_over" in names(table.rest(61_000))
        table.frame_ms = 50
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {24: ".", 20: "w"})
        table.change(RED, {8: ".", 11: "r"})
        table.say(Word.CORRECT)
        assert names(table.change(RED, {11: ".", 8: "r"}, 3_000)) == ["restored"]

    @pytest.mark.parametrize("name", ["club", "lessons", "wcdf"])
    def test_that_the_time_is_over_is_told_once_and_may_be_claimed_at_each_move(
        self, name: str
    ) -> None:
        table = self.table("30/1", PROFILES[name])
        assert "time_over" in names(table.rest(61_000))
        table.frame_ms = 50
        table.change(RED, {11: ".", 15: "r"})
        assert names(table.change(WHITE, {23: ".", 19: "w"})) == ["played"]
        claimed = names(table.say(Word.CLAIM, WHITE))
        assert claimed == (["result", "ruling"] if name == "wcdf" else ["refused"])

    def test_a_move_is_complete_when_the_hand_leaves(self) -> None:
        table = self.table("1+1")
        table.rest(40_000)
        table.frame_ms = 50
        table.change(RED, {11: ".", 15: "r"}, 1_000)
        clock = table.game.clock
        assert clock is not None
        assert clock.side is WHITE
        assert 59_000 - 100 <= clock.left_ms(WHITE, table.time_ms) <= 59_100

    def test_the_reply_to_a_move_that_was_taken_back_costs_nothing(self) -> None:
        table = self.table("5+1")
        table.frame_ms = 50
        table.change(RED, {11: ".", 15: "r"})
        table.frame_ms = 1_000
        table.rest(240_000)
        assert names(table.say(Word.CORRECT)) == ["corrected"]
        table.frame_ms = 50
        table.change(RED, {15: ".", 11: "r"})
        table.change(RED, {11: ".", 16: "r"})
        table.frame_ms = 1_000
        assert table.rest(290_000) == []
        assert names(table.rest(20_000)) == ["time_over", "ruling"]

    def test_a_move_that_is_taken_back_has_no_second_grace(self) -> None:
        table = self.table("5+1")
        assert names(table.rest(330_000)) == ["time_over", "ruling"]
        table.frame_ms = 50
        table.change(RED, {11: "."}, 800)
        table.change(RED, {11: "r"}, 1_500)
        table.change(RED, {9: ".", 14: "r"})
        table.say(Word.CONFIRM)
        table.change(RED, {14: ".", 9: "r"})
        table.frame_ms = 1_000
        (over, ruling) = table.rest(30_000)
        assert isinstance(over, TimeOver)
        assert over.grace_ms == 0
        assert isinstance(ruling, Ruling)
        assert ruling.verdict is Verdict.FORFEIT

    @pytest.mark.parametrize("over", [False, True])
    def test_who_is_to_move_gains_nothing_by_a_correction_of_the_last_move(
        self, over: bool
    ) -> None:
        """Also where the end of the game is taken back with it."""
        table = self.table("5+1")
        table.frame_ms = 50
        table.change(RED, {11: ".", 15: "r"})
        table.frame_ms = 1_000
        assert names(table.rest(330_000)) == ["time_over", "ruling"]
        clock = table.game.clock
        assert clock is not None
        used_ms = clock.spent_ms(WHITE, table.time_ms)
        if over:
            table.say(Word.RESIGN, RED)
            table.rest(60_000)
        table.say(Word.CORRECT, text="11-15")
        clock = table.game.clock
        assert clock is not None
        assert (clock.side, clock.spent_ms(WHITE, table.time_ms)) == (WHITE, used_ms)
        (told, _) = table.rest(31_000)
        assert isinstance(told, TimeOver)
        assert told.grace_ms == 0

    def test_but_a_correction_by_more_moves_gives_the_next_one_its_own_time(self) -> None:
        table = self.table("5+1")
        table.frame_ms = 50
        table.change(RED, {11: ".", 15: "r"})
        table.frame_ms = 1_000
        table.rest(200_000)
        table.say(Word.CORRECT, text="11-15 23-19")
        assert self.spent_ms(table) == 0

    @pytest.mark.parametrize(("left_ms", "told"), [(59_700, []), (60_300, ["time_over", "ruling"])])
    def test_a_move_that_is_told_after_the_time_was_complete_before(
        self, left_ms: int, told: list[str]
    ) -> None:
        table = self.table("1+1")
        table.rest(50_000)
        clock = table.game.clock
        assert clock is not None
        table.frame_ms = 50
        table.rest(left_ms - 500 - clock.spent_ms(RED, table.time_ms))
        assert names(table.change(RED, {11: ".", 15: "r"}, 1_000)) == [*told, "played"]

    def test_time_is_over_all_the_same_where_no_move_has_been_made(self) -> None:
        """As is known three seconds after the hand has left."""
        table = self.table("1+1")
        table.rest(58_000)
        table.frame_ms = 50
        table.change(RED, {11: "."}, 0)
        assert "time_over" not in names(table.rest(2_800))
        assert "time_over" in names(table.rest(400))

    def test_a_hand_that_has_changed_nothing_gains_its_player_nothing(self) -> None:
        table = self.table("1+1")
        table.rest(58_000)
        table.frame_ms = 50
        table.reach(RED, {11})
        assert "time_over" in names(table.rest(1_800))

    def test_nor_does_a_move_whose_button_is_not_pressed(self) -> None:
        table = self.table("1+1 button")
        table.rest(59_000)
        table.frame_ms = 50
        table.rest(300)
        told = table.change(RED, {11: ".", 15: "r"}, 400)
        assert names(told) == ["time_over", "ruling", "played"]

    def test_a_move_is_complete_when_it_is_told_where_it_is_not_seen_whose_hand_made_it(
        self,
    ) -> None:
        table = self.table("5+1")
        table.frame_ms = 50
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {23: ".", 18: "w"})
        table.rest(60_000)
        (played,) = table.change(None, {8: ".", 11: "r"})
        clock = table.game.clock
        assert clock is not None
        assert (clock.side, clock.since_ms) == (WHITE, played.time_ms)

    def test_a_move_that_players_put_back_is_not_counted(self) -> None:
        table = ready(parse_fen("B:W15,19,25,30:B11,1,2"))
        table.say(Word.CLOCK, text="2/10")
        table.change(RED, {11: ".", 15: ".", 18: "r"}, 5_000)
        assert names(table.change(RED, {11: "r", 15: "w", 18: "."}, 3_000)) == ["withdrawn"]
        clock = table.game.clock
        assert clock is not None
        assert (clock.side, clock.red.moves) == (RED, 0)

    def test_who_has_two_captures_has_as_long_as_for_any_move(self) -> None:
        table = ready(parse_fen("B:W18,32:B14,15"))
        table.say(Word.CLOCK, text="5+1")
        clock = table.game.clock
        assert clock is not None
        assert clock.limits_ms(RED) == (300_000, 360_000)

    def test_or_on_the_button(self) -> None:
        table = self.table("30/60 button")
        table.frame_ms = 50
        table.change(RED, {11: ".", 15: "r"}, 1_000)
        clock = table.game.clock
        assert clock is not None
        assert clock.side is RED
        assert isinstance(table.say(Word.PRESS, WHITE)[0], Refused)
        assert table.say(Word.PRESS, RED) == []
        clock = table.game.clock
        assert clock is not None
        assert clock.side is WHITE

    @pytest.mark.parametrize("early", [False, True])
    def test_a_capture_with_one_way_has_its_minute_whenever_the_button_is_pressed(
        self, early: bool
    ) -> None:
        table = ready(parse_fen("B:W18,32:B9,1"))
        table.say(Word.CLOCK, text="5+1 button")
        table.change(RED, {9: ".", 14: "r"}, 0)
        table.rest(0 if early else 1_000)
        table.say(Word.PRESS, RED)
        table.rest(1_000)
        assert moves(table.events) == ["9-14"]
        clock = table.game.clock
        assert clock is not None
        assert clock.limits_ms(WHITE) == (60_000, 120_000)

    @pytest.mark.parametrize("early", [False, True])
    def test_any_other_move_has_its_five_minutes_as_soon_as_it_is_pressed(
        self, early: bool
    ) -> None:
        table = ready(parse_fen("B:W18,32:B14,1"))
        table.say(Word.CLOCK, text="5+1 button")
        table.change(RED, {14: ".", 18: ".", 23: "r"}, 0)
        table.rest(0 if early else 1_000)
        table.say(Word.PRESS, RED)
        assert moves(table.events) == ([] if early else ["14x23"])
        clock = table.game.clock
        assert clock is not None
        assert clock.limits_ms(WHITE) == (300_000, 360_000)

    def test_before_the_game_no_button_is_pressed(self) -> None:
        table = Table()
        table.say(Word.CLOCK, text="30/60 button")
        for side in (None, RED, WHITE):
            assert isinstance(table.say(Word.PRESS, side)[0], Refused)

    def test_nor_when_it_is_over(self) -> None:
        table = self.table("30/60 button")
        table.say(Word.RESIGN, RED)
        before = table.game.clock
        assert isinstance(table.say(Word.PRESS, RED)[0], Refused)
        assert table.game.clock == before

    @pytest.mark.parametrize("name", ["us", "guide"])
    def test_a_document_without_grace_and_minutes_is_cited_for_neither(self, name: str) -> None:
        """One capture is due; two minutes and one of grace are what the arbiter has set."""
        table = ready(parse_fen("B:W18,K32:B14,1"), profile=PROFILES[name])
        table.say(Word.CLOCK, text="2+1")
        table.frame_ms = 1_000
        assert table.rest(119_000) == []
        (told,) = rulings(table.rest(2_000))
        assert told.text == "Red's time is over. 1 minute more by grace."
        *_, result, _ = table.rest(60_000)
        assert isinstance(result, Result)
        rule = {"us": "US VIII", "guide": "guide 7"}[name]
        assert (result.result, result.rule) == ("0-1", rule)

    @pytest.mark.parametrize("name", ["wcdf", "club", "lessons"])
    def test_the_federation_knows_both(self, name: str) -> None:
        table = ready(parse_fen("B:W18,K32:B14,1"), profile=PROFILES[name])
        table.say(Word.CLOCK, text="2+1")
        table.frame_ms = 1_000
        (told,) = rulings(table.rest(62_000))
        assert told.text == "Red's time is over (WCDF 5.1). 1 minute more by grace."

    def test_a_press_for_a_move_that_goes_back_is_no_move(self) -> None:
        table = ready(parse_fen("B:W18,32,12,31:B14,1,2"))
        table.say(Word.CLOCK, text="2/10 button")
        table.change(RED, {1: ".", 6: "r"}, 3_000)
        table.say(Word.PRESS, RED)
        table.say(Word.PRESS, WHITE)
        table.change(RED, {6: ".", 1: "r"}, 3_000)
        table.change(RED, {14: ".", 18: ".", 23: "r"})
        table.say(Word.PRESS, RED)
        clock = table.game.clock
        assert clock is not None
        assert (clock.red.moves, clock.white.moves) == (1, 0)
        assert clock.side is WHITE

    @pytest.mark.parametrize("name", ["us", "guide", "wcdf"])
    @pytest.mark.parametrize("hovers", [False, True])
    def test_nobodys_time_is_over_because_the_other_presses_and_makes_no_move(
        self, name: str, hovers: bool
    ) -> None:
        table = self.table("30/2 button", PROFILES[name])
        table.say(Word.PRESS, RED)
        told = table.rest(110_000, *[Hand(RED, (11, 15))] * hovers)
        assert not {"time_over", "result"}.intersection(names(told))
        table.frame_ms = 50
        table.change(RED, {11: ".", 15: "r"})
        clock = table.game.clock
        assert clock is not None
        assert (clock.side, clock.press) == (WHITE, None)
        assert clock.spent_ms(RED, table.time_ms) > 110_000
        assert clock.spent_ms(WHITE, table.time_ms) < 3_000

    def test_his_own_runs_on_and_may_be_over(self) -> None:
        table = self.table("30/1 button", PROFILES["us"])
        table.say(Word.PRESS, RED)
        *_, result, _ = table.rest(62_000)
        assert isinstance(result, Result)
        assert result.result == "0-1"

    def test_but_not_twice_for_one_move(self) -> None:
        table = self.table("30/2 button")
        table.say(Word.PRESS, RED)
        assert names(table.say(Word.PRESS, RED)) == ["refused"]
        clock = table.game.clock
        assert clock is not None
        assert clock.press is not None

    @pytest.mark.parametrize("back", [WHITE, RED])
    def test_it_may_be_pressed_again(self, back: Side) -> None:
        table = self.table("30/2 button")
        table.say(Word.PRESS, RED)
        table.rest(10_000)
        assert table.say(Word.PRESS, back) == []
        table.frame_ms = 50
        table.change(RED, {11: ".", 15: "r"})
        clock = table.game.clock
        assert clock is not None
        assert clock.side is (RED if back is WHITE else WHITE), "who has pressed back waits"

    def test_nor_while_he_who_has_pressed_has_to_take_his_move_back(self) -> None:
        table = ready(parse_fen("B:W14,15,30,32:B10,1,11"), profile=PROFILES["us"])
        table.say(Word.CLOCK, text="30/1 button")
        table.change(RED, {1: ".", 5: "r"}, 2_000)
        table.say(Word.PRESS, RED)
        table.frame_ms = 1_000
        *_, result, _ = table.rest(100_000)
        assert isinstance(result, Result)
        assert result.result == "0-1", "his own time is"

    def test_one_without_a_button_is_not_pressed(self) -> None:
        assert isinstance(self.table("30/60").say(Word.PRESS, RED)[0], Refused)

    def test_overruling_what_was_ruled_last_leaves_the_warning_before_it(self) -> None:
        table = self.table("1+0")
        table.frame_ms = 50
        table.change(RED, {11: ".", 18: "r"}, 3_000)
        table.change(RED, {18: ".", 11: "r"}, 3_000)
        table.frame_ms = 1_000
        table.rest(61_000)
        table.say(Word.CLAIM, WHITE)
        (corrected,) = table.say(Word.OVERRULE)
        assert isinstance(corrected, Corrected)
        assert corrected.reopened == "0-1"
        assert table.game.arbiter.count(RED, "impossible move") == 1

    def test_rules_without_clocks_refuse_one(self) -> None:
        assert isinstance(ready(profile=ONLINE25).say(Word.CLOCK, text="5+1")[0], Refused)

    def test_a_setting_that_is_none_is_refused(self) -> None:
        assert isinstance(ready().say(Word.CLOCK, text="soon")[0], Refused)

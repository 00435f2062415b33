"""When the clock stands, and when it goes on."""

from __future__ import annotations

import pytest

from referee.board import START, replace
from referee.commands import Word
from referee.events import Conduct, Corrected, Proposed, Verdict
from referee.notation import parse_fen
from referee.observation import Visibility
from referee.profiles import US, WCDF, Profile
from tests.table import RED, WHITE, Clocked, Table, names, ready, results, rulings


class TestClockHeld(Clocked):
    def asked(self, profile: Profile) -> Table:
        """Pieces have gone unseen, and the referee has asked about that."""
        table = ready(profile=profile)
        table.setup = replace(table.setup, dict.fromkeys((11, 10, 9), "."))
        table.rest(15_000)
        assert "unsure" in names(table.events)
        return table

    def test_a_pause_stops_it(self) -> None:
        table = self.table("1+1")
        table.say(Word.PAUSE)
        table.rest(120_000)
        table.say(Word.RESUME)
        assert names(table.rest(59_000)) == ["watching"]

    def test_with_a_button_it_goes_on_at_once_behind_the_pause(self) -> None:
        table = self.table("1+1 button")
        table.say(Word.PAUSE)
        table.rest(30_000)
        table.say(Word.RESUME)
        table.visibility = Visibility.COVERED
        table.rest(20_000)
        assert self.spent_ms(table) == 20_000

    @pytest.mark.parametrize("text", ["", "11-16", "W:W22:B15"])
    def test_no_correction_starts_it_before_that(self, text: str) -> None:
        table = self.table("1+1 button")
        table.frame_ms = 50
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.RESIGN, WHITE)
        table.say(Word.PAUSE)
        spent_ms = self.spent_ms(table)
        table.say(Word.CORRECT, text=text)
        table.rest(20_000)
        assert table.game.result is None
        assert self.spent_ms(table) == spent_ms
        table.say(Word.RESUME)
        table.rest(20_000)
        assert self.spent_ms(table) == spent_ms + 20_000

    def test_nor_a_move_that_is_entered_before_the_game(self) -> None:
        table = Table()
        table.say(Word.CLOCK, text="1+1 button")
        table.say(Word.PAUSE)
        table.say(Word.OVERRULE, text="11-15")
        table.rest(20_000)
        assert table.game.begun
        assert self.spent_ms(table) == 0

    def test_but_not_after_the_end(self) -> None:
        table = self.table("1+1 button")
        table.say(Word.RESIGN, RED)
        table.say(Word.PAUSE)
        table.say(Word.RESUME)
        table.rest(20_000)
        assert self.spent_ms(table) == 0

    @pytest.mark.parametrize(("profile", "text"), [(WCDF, "1+1"), (US, "30/1")])
    def test_while_nothing_is_seen_it_stands(self, profile: Profile, text: str) -> None:
        table = self.table(text, profile)
        table.rest(20_000)
        table.visibility = Visibility.COVERED
        assert names(table.rest(300_000)) == ["not_watching", "clock_held"]
        table.visibility = Visibility.CLEAR
        assert names(table.rest(39_000)) == ["watching"]
        assert names(table.rest(5_000))[:1] == ["time_over"]

    @pytest.mark.parametrize("begun", [False, True])
    def test_before_the_game_and_behind_it_nobody_is_told_that_it_stands(self, begun: bool) -> None:
        table = self.table("5+1") if begun else Table(frame_ms=1_000)
        table.say(Word.RESIGN if begun else Word.CLOCK, RED, "" if begun else "5+1")
        table.visibility = Visibility.COVERED
        assert names(table.rest(300_000)) == ["not_watching"]

    def test_it_stands_from_the_first_moment_without_sight(self) -> None:
        table = self.table("1+1")
        table.frame_ms = 50
        table.rest(10_000)
        spent_ms = self.spent_ms(table)
        table.visibility = Visibility.DARK
        table.rest(5_000)
        assert self.spent_ms(table) == spent_ms + 50
        table.visibility = Visibility.CLEAR
        table.rest(1_300)
        (watching,) = [event for event in table.events if event.name == "watching"]
        assert self.spent_ms(table) == spent_ms + 50 + table.time_ms - watching.time_ms

    def test_a_moment_without_sight_does_not_stop_it(self) -> None:
        table = self.table("1+1")
        table.frame_ms = 100
        table.visibility = Visibility.COVERED
        table.rest(500)
        table.visibility = Visibility.CLEAR
        table.rest(500)
        assert self.spent_ms(table) == 1_000

    @pytest.mark.parametrize(("profile", "text"), [(WCDF, "1+1"), (US, "30/1")])
    def test_while_a_question_is_open_it_stands(self, profile: Profile, text: str) -> None:
        table = self.asked(profile)
        assert names(table.say(Word.CLOCK, text=text)) == ["clock_set"]
        table.frame_ms = 1_000
        assert table.rest(300_000) == []
        table.frame_ms = 50
        table.change(RED, dict.fromkeys((11, 10, 9), "r"))
        table.frame_ms = 1_000
        assert "time_over" not in names(table.rest(55_000))
        assert "time_over" in names(table.rest(5_000))

    def test_nobody_refuses_while_a_question_is_open(self) -> None:
        table = ready(parse_fen("B:W18,32,12,31:B14,1,2"))
        table.change(RED, {1: ".", 6: "r"}, 4_000)
        table.change(WHITE, {32: ".", 28: "w"}, 9_000)
        table.change(RED, {2: ".", 7: "r"}, 6_000)
        assert "unsure" in names(table.events)
        table.frame_ms = 1_000
        assert table.rest(200_000) == []

    def test_it_stands_where_the_other_player_has_gone_on(self) -> None:
        """Red has not captured, and White has let that stand."""
        table = ready(parse_fen("B:W18,32,12,31:B14,1,2"))
        table.change(RED, {1: ".", 6: "r"}, 4_000)
        table.change(WHITE, {32: ".", 28: "w"}, 4_000)
        table.frame_ms = 1_000
        assert table.rest(200_000) == []

    @pytest.mark.parametrize(("square", "again"), [(11, False), (22, True)])
    def test_who_thinks_with_his_man_in_his_hand_is_not_told_again(
        self, square: int, again: bool
    ) -> None:
        table = ready()
        table.change(RED, {square: "."}, 6_000)
        table.frame_ms = 1_000
        found = rulings(table.rest(70_000))
        assert [ruling.verdict for ruling in found] == [Verdict.RESTORE] * again

    @pytest.mark.parametrize(
        "said",
        [
            pytest.param((Word.RESIGN, WHITE), id="the end of the game"),
            pytest.param((Word.OVERRULE, None, "red"), id="another position"),
        ],
    )
    def test_nobody_refuses_behind_what_is_taken_back_again(self, said: tuple[Word, ...]) -> None:
        """He has the time anew in which to put the board right."""
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {24: ".", 16: "w"}, 3_000)
        table.say(*said)
        table.frame_ms = 1_000
        table.rest(200_000)
        assert "corrected" in names(table.say(Word.CORRECT))
        assert "proposed" not in names(table.rest(59_000))
        (proposed,) = (e for e in table.rest(2_000) if isinstance(e, Proposed))
        assert proposed.conduct is Conduct.NOT_PUT_RIGHT

    def test_but_not_where_a_player_has_only_to_put_his_move_right(self) -> None:
        table = ready(parse_fen("B:W18,32,12,31:B14,1,2"))
        table.change(RED, {1: ".", 6: "r"}, 4_000)
        table.frame_ms = 1_000
        assert names(table.rest(70_000)) == ["time_over", "ruling", "proposed"]

    @pytest.mark.parametrize(
        ("profile", "wrong"),
        [
            pytest.param(US, {11: "."}, id="a man of his is missing"),
            pytest.param(WCDF, {22: ".", 18: "w"}, id="a move out of turn"),
        ],
    )
    def test_nobody_loses_by_the_time_in_which_the_other_has_to_put_the_board_right(
        self, profile: Profile, wrong: dict[int, str]
    ) -> None:
        table = ready(profile=profile)
        table.say(Word.CLOCK, text="30/1")
        assert names(table.change(WHITE, wrong, 3_000))[:2] == ["irregular", "ruling"]
        table.frame_ms = 1_000
        told = table.rest(200_000)
        assert [e.conduct for e in told if isinstance(e, Proposed)] == [
            Conduct.NOT_PUT_RIGHT
        ] * bool(profile.conduct.get(Conduct.NOT_PUT_RIGHT)), "he refuses all the same"
        assert "time_over" not in names(told)
        table.frame_ms = 50
        table.change(WHITE, {square: START[square - 1] for square in wrong})
        table.frame_ms = 1_000
        assert "time_over" not in names(table.rest(50_000))
        assert "time_over" in names(table.rest(10_000))

    def test_a_clock_with_a_button_goes_on_and_is_told_of_later(self) -> None:
        table = self.table("30/1 button", US)
        table.visibility = Visibility.COVERED
        assert names(table.rest(90_000)) == ["not_watching"]
        table.say(Word.PRESS, RED)
        clock = table.game.clock
        assert clock is not None
        assert clock.red.spent_ms == 90_000
        table.say(Word.PRESS, WHITE)
        table.visibility = Visibility.CLEAR
        assert names(table.rest(2_000)) == ["watching", "time_over", "result", "ruling"]

    def test_after_the_end_it_stands(self) -> None:
        table = self.table("1+1")
        table.say(Word.RESIGN, RED)
        assert table.rest(200_000) == []

    def test_a_game_that_is_corrected_after_its_end_goes_on(self) -> None:
        table = self.table("1+1")
        table.frame_ms = 50
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.RESIGN, WHITE)
        assert names(table.say(Word.CORRECT, text="11-15")) == ["corrected", "played"]
        table.frame_ms = 1_000
        assert names(table.rest(61_000)) == ["time_over", "ruling"]

    @pytest.mark.parametrize("text", ["30/2", "30/2 button"])
    def test_a_clock_set_after_the_end_runs_from_its_correction_on(self, text: str) -> None:
        table = self.table("30/1", US)
        table.rest(61_000)
        assert results(table) == ["0-1"]
        table.say(Word.CLOCK, text=text)
        assert table.rest(200_000) == []
        assert names(table.say(Word.CORRECT)) == ["corrected"]
        assert table.rest(119_000) == []
        assert names(table.rest(2_000)) == ["time_over", "result", "ruling"]

    def test_a_correction_after_the_end_says_what_it_takes_back(self) -> None:
        table = ready()
        table.say(Word.RESULT, text="1/2-1/2")
        table.setup = replace(START, {11: ".", 15: "r"})
        table.rest(1_000)
        corrected, _ = table.say(Word.CORRECT, text="11-15")
        assert isinstance(corrected, Corrected)
        assert corrected.reopened == "1/2-1/2"
        (corrected,) = table.say(Word.CORRECT)
        assert corrected.record()["reopened"] is None

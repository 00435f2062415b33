"""What a person confirms, dismisses or overrules."""

from __future__ import annotations

import dataclasses

import pytest

from referee.commands import Word
from referee.events import Conduct, Corrected, Proposed, Refused, Result, Ruling, Touch, Touched
from referee.rules import Position
from referee.ruling import conduct
from tests.table import RED, WHITE, moves, names, ready, results, rulings, touch_moved, wronged


class TestConfirming:
    def test_a_forfeit_is_claimed_not_automatic(self) -> None:
        table = ready()
        for _ in range(2):
            table.change(WHITE, {22: ".", 18: "w"}, 3_000)
            table.change(WHITE, {18: ".", 22: "w"}, 3_000)
        assert [r.verdict.value for r in rulings(table.events)] == ["warning", "forfeit"]
        assert table.game.result is None
        assert isinstance(table.say(Word.CLAIM, WHITE)[0], Refused)
        events = table.say(Word.CLAIM, RED)
        assert names(events) == ["result", "ruling"]
        assert results(table) == ["1-0"]
        assert isinstance(events[0], Result)
        assert events[0].reason == "White forfeits the game (WCDF 6.3). Red wins."

    def test_overruling_takes_the_warning_back(self) -> None:
        table = ready()
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.change(WHITE, {18: ".", 22: "w"}, 3_000)
        assert names(table.say(Word.OVERRULE)) == ["corrected"]
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        assert [r.verdict.value for r in rulings(table.events)] == ["warning", "warning"]
        assert isinstance(table.say(Word.CLAIM, RED)[0], Refused)

    def test_also_the_game_that_was_claimed_for_it(self) -> None:
        table = ready()
        for _ in range(2):
            table.change(WHITE, {22: ".", 18: "w"}, 3_000)
            table.change(WHITE, {18: ".", 22: "w"}, 3_000)
        table.say(Word.CLAIM, RED)
        (corrected,) = table.say(Word.OVERRULE)
        assert isinstance(corrected, Corrected)
        assert corrected.reopened == "1-0"
        assert table.game.result is None
        assert moves(table.change(RED, {11: ".", 15: "r"})) == ["11-15"]

    @pytest.mark.parametrize("text", ["", "red"])
    def test_with_the_board_as_it_lies_if_that_is_not_put_right(self, text: str) -> None:
        table = ready()
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.change(WHITE, {18: ".", 22: "w"}, 3_000)
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.say(Word.CLAIM, RED)
        assert names(table.say(Word.OVERRULE, text=text)) == ["corrected"]
        assert table.game.result is None
        assert table.game.arbiter.count(WHITE, "out of turn") == 1
        assert not names(table.rest(3_000))
        assert moves(table.change(RED, {11: ".", 15: "r"})) == ["11-15"]

    def test_or_with_another_board_if_it_is_put_right(self) -> None:
        table = wronged()
        table.say(Word.CLAIM, RED)
        table.change(WHITE, {22: ".", 17: "w"}, 3_000)
        assert names(table.say(Word.OVERRULE, text="red")) == ["corrected"]
        assert table.game.result is None
        assert table.game.arbiter.count(WHITE, "impossible move") == 1

    def test_its_moves_stay_on_record(self) -> None:
        table = wronged()
        table.say(Word.CLAIM, RED)
        (corrected,) = table.say(Word.OVERRULE)
        assert isinstance(corrected, Corrected)
        assert corrected.undone == ()
        assert list(map(str, table.game.moves)) == ["11-15"]

    def test_a_third_offence_that_is_overruled_leaves_the_claim_of_the_second(self) -> None:
        table = ready()
        for _ in range(3):
            table.change(WHITE, {22: ".", 18: "w"}, 3_000)
            table.change(WHITE, {18: ".", 22: "w"}, 3_000)
        table.say(Word.OVERRULE)
        assert names(table.say(Word.CLAIM, RED)) == ["result", "ruling"]

    def test_what_was_claimed_is_overruled_whoever_was_warned_since(self) -> None:
        table = ready()
        for end in (18, 17):
            table.change(RED, {11: ".", end: "r"}, 3_000)
            table.change(RED, {end: ".", 11: "r"}, 3_000)
        table.change(WHITE, {22: "."}, 900)
        table.change(WHITE, {22: "w"}, 3_000)
        table.say(Word.CONFIRM)
        table.say(Word.CLAIM, WHITE)
        table.say(Word.OVERRULE)
        assert table.game.result is None
        assert table.game.arbiter.count(RED, "impossible move") == 1
        assert table.game.arbiter.count(WHITE, "off-turn touch") == 1

    def test_an_act_is_one_players(self) -> None:
        """What Red was counted for while his board lay wrong, and not White's touch meanwhile."""
        table = ready()
        table.change(WHITE, {22: "."}, 900)
        table.change(WHITE, {22: "w"}, 3_000)
        table.change(RED, {11: ".", 18: "r"}, 3_000)
        table.say(Word.CONFIRM)
        table.frame_ms = 1_000
        table.rest(70_000)
        table.frame_ms = 50
        table.say(Word.CONFIRM)
        table.change(RED, {18: ".", 11: "r"}, 3_000)
        table.say(Word.OVERRULE)
        assert table.game.arbiter.count(RED, "impossible move") == 0
        assert table.game.arbiter.count(RED, "refusal") == 0
        assert table.game.arbiter.count(WHITE, "off-turn touch") == 1

    def test_but_not_one_that_was_given_up(self) -> None:
        table = ready()
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.say(Word.RESIGN, WHITE)
        (corrected,) = table.say(Word.OVERRULE)
        assert isinstance(corrected, Corrected)
        assert corrected.reopened is None
        assert table.game.result is not None

    def test_so_it_does_with_one_that_was_confirmed(self) -> None:
        table = ready()
        table.change(WHITE, {22: "."}, 800)
        table.change(WHITE, {22: "w"}, 3_000)
        table.say(Word.CONFIRM)
        assert table.game.arbiter.count(WHITE, "off-turn touch") == 1
        table.say(Word.OVERRULE)
        assert table.game.arbiter.count(WHITE, "off-turn touch") == 0

    def test_a_correction_takes_no_earlier_warning_back(self) -> None:
        table = ready()
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.change(WHITE, {18: ".", 22: "w"}, 3_000)
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.CORRECT, text="11-16")
        assert table.game.arbiter.count(WHITE, "out of turn") == 1

    def test_a_refusal_is_proposed_after_a_minute_and_confirmed_by_a_person(self) -> None:
        table = ready()
        table.frame_ms = 200
        table.change(WHITE, {22: ".", 18: "w"}, 90_000)
        (proposed,) = [event for event in table.events if isinstance(event, Proposed)]
        assert table.events[proposed.cause].name == "irregular"
        assert table.events[proposed.number] is proposed
        number = str(proposed.number)
        assert isinstance(table.say(Word.CONFIRM, text="999")[0], Refused)
        (ruling,) = rulings(table.say(Word.CONFIRM, text=number))
        assert (ruling.verdict.value, str(ruling.cause)) == ("forfeit", number)
        table.say(Word.CLAIM)
        assert results(table) == ["1-0"]

    def test_after_the_end_there_is_nothing_to_confirm(self) -> None:
        table = ready()
        table.frame_ms = 200
        table.change(WHITE, {22: ".", 18: "w"}, 90_000)
        table.say(Word.RESIGN, RED)
        assert isinstance(table.say(Word.CONFIRM)[0], Refused)

    def test_who_has_put_the_board_right_after_all_refuses_nothing(self) -> None:
        table = ready()
        table.frame_ms = 200
        table.change(WHITE, {22: ".", 18: "w"}, 90_000)
        assert table.game.arbiter.proposals
        table.change(WHITE, {18: ".", 22: "w"})
        assert isinstance(table.say(Word.CONFIRM)[0], Refused)

    def test_nobody_refuses_while_nobody_looks(self) -> None:
        table = ready()
        table.change(WHITE, {22: ".", 18: "w"}, 5_000)
        table.frame_ms = 500
        table.say(Word.PAUSE)
        assert table.rest(90_000) == []
        table.say(Word.RESUME)
        assert names(table.rest(50_000)) == ["watching"]
        assert names(table.rest(15_000)) == ["proposed"]

    def test_a_dismissed_proposal_is_gone(self) -> None:
        table = ready()
        table.frame_ms = 200
        table.change(WHITE, {22: ".", 18: "w"}, 90_000)
        assert names(table.say(Word.DISMISS)) == ["dismissed"]
        assert isinstance(table.say(Word.CONFIRM)[0], Refused)

    def test_a_confirmed_touch_takes_the_move_back(self) -> None:
        table = ready()
        touch = Touched(table.time_ms, RED, 11, Touch.LIFTED, table.time_ms)
        arbiter, _ = conduct.touched(table.game.arbiter, touch, 0, table.game.position)
        table.game = dataclasses.replace(table.game, arbiter=arbiter)
        assert names(table.change(RED, {9: ".", 14: "r"})) == ["played", "proposed"]
        assert names(table.say(Word.CONFIRM)) == ["ruling", "corrected"]
        assert table.game.position == Position.start()
        assert names(table.change(RED, {14: ".", 9: "r"})) == ["restored"]
        assert moves(table.change(RED, {11: ".", 15: "r"})) == ["11-15"]

    def test_answered_it_is_a_warning_alone(self) -> None:
        table = ready()
        table.change(RED, {11: "."}, 800)
        table.change(RED, {11: "r"})
        _, proposed = table.change(RED, {9: ".", 14: "r"})
        table.change(WHITE, {22: ".", 18: "w"})
        assert isinstance(proposed, Proposed)
        (ruling,) = table.say(Word.CONFIRM, text=str(proposed.number))
        assert isinstance(ruling, Ruling)
        assert ruling.text == "Red touched 11 first (WCDF 4.2, 4.9). Red is warned."
        assert len(table.game.moves) == 2

    def test_or_dismissed(self) -> None:
        table = ready()
        table.change(RED, {11: "."}, 800)
        table.change(RED, {11: "r"})
        table.change(RED, {9: ".", 14: "r"})
        table.change(WHITE, {22: ".", 18: "w"})
        assert names(table.say(Word.DISMISS)) == ["dismissed"]
        assert isinstance(table.say(Word.CONFIRM)[0], Refused)

    def test_what_would_have_forfeited_is_told_again_when_the_warning_is_overruled(self) -> None:
        table = ready()
        for confirms in (True, False):
            table.change(WHITE, {22: "."}, 800)
            table.change(WHITE, {22: "w"}, 3_000)
            if confirms:
                table.say(Word.CONFIRM)
        (proposed,) = table.game.arbiter.proposals
        assert "If confirmed: Red may claim the game." in proposed.text
        corrected, again = table.say(Word.OVERRULE)
        assert (corrected.name, again.name) == ("corrected", "proposed")
        assert isinstance(again, Proposed)
        assert again.number == proposed.number
        assert "If confirmed: White is warned." in again.text
        assert rulings(table.say(Word.CONFIRM))[0].verdict.value == "warning"

    def test_the_moves_before_it_stay(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {24: ".", 20: "w"})
        table.change(RED, {9: "."}, 800)
        table.change(RED, {9: "r"})
        table.change(RED, {8: ".", 11: "r"})
        _, corrected = table.say(Word.CONFIRM)
        assert isinstance(corrected, Corrected)
        assert corrected.undone == ("8-11",)

    def test_after_a_confirmed_touch_another_piece_is_proposed_again(self) -> None:
        table = touch_moved()
        table.change(RED, {14: ".", 9: "r"})
        found = table.change(RED, {10: ".", 14: "r"}, 3_000)
        assert names(found) == ["played", "proposed"]
        assert isinstance(found[1], Proposed)
        assert "Take 10-14 back and move 11." in found[1].text

    def test_a_piece_lifted_and_put_back_has_to_be_moved(self) -> None:
        table = ready()
        table.change(RED, {11: "."}, 800)
        assert names(table.change(RED, {11: "r"})) == ["touched"]
        events = table.change(RED, {9: ".", 14: "r"})
        assert names(events) == ["played", "proposed"]
        (proposed,) = [event for event in events if isinstance(event, Proposed)]
        assert proposed.conduct is Conduct.TOUCHED_OTHER

    def test_not_when_it_was_put_straight(self) -> None:
        table = ready()
        table.say(Word.ADJUSTING, RED)
        table.change(RED, {11: "."}, 800)
        table.change(RED, {11: "r"})
        assert names(table.change(RED, {9: ".", 14: "r"})) == ["played"]


def test_who_moves_the_other_players_man_is_warned_once_a_person_confirms_it() -> None:
    table = ready()
    for verdict in ("warning", "forfeit"):
        table.change(RED, {22: ".", 18: "w"}, 4_000)
        ruling = rulings(table.say(Word.CONFIRM))[-1]
        assert (ruling.side, ruling.rule, ruling.verdict.value) == (RED, "WCDF 4.3", verdict)
        table.change(RED, {18: ".", 22: "w"}, 4_000)
    table.say(Word.CLAIM, WHITE)
    assert results(table) == ["0-1"]

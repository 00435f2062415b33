"""The whole step: commands, results, the record, and that replays repeat."""

from __future__ import annotations

import dataclasses
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import game as games
from referee.announcements import LANGUAGES, in_words
from referee.announcer import announce
from referee.arbiter import Conviction
from referee.board import EMPTY, SQUARES, START, Side, replace
from referee.commands import Command, Word
from referee.events import (
    Conduct,
    Corrected,
    Event,
    Irregular,
    Otherwise,
    Proposed,
    Refused,
    Result,
    Ruling,
    TimeOver,
    Touch,
    Touched,
    Unsure,
    Verdict,
    Withdrawn,
)
from referee.notation import fen, parse_fen, parse_pdn, write_pdn
from referee.observation import Hand, LooseDisc, Observation, View, certain
from referee.playing.judging import judged
from referee.profiles import LESSONS, ONLINE25, PROFILES, US, WCDF, Profile
from referee.rules import Position, after, lawful_moves
from referee.ruling import conduct, convictions
from referee.watching import is_unresolved
from tests.table import RED, WHITE, Table, kinds, moves, names, ready, rulings

LAST = "B:W22:B18,1"
"""Red takes White's only man."""


def touch_moved() -> Table:
    """Red has touched 11 and played 9-14, which a person has had taken back."""
    table = ready()
    table.change(RED, {11: "."}, 800)
    table.change(RED, {11: "r"})
    table.change(RED, {9: ".", 14: "r"})
    table.say(Word.CONFIRM)
    return table


def results(table: Table) -> list[str]:
    return [event.result for event in table.events if isinstance(event, Result)]


def wronged() -> Table:
    """Red has made a move, and may claim the game: White has gone too far twice, and back."""
    table = ready()
    table.change(RED, {11: ".", 15: "r"})
    for _ in range(2):
        table.change(WHITE, {23: ".", 16: "w"}, 3_000)
        table.change(WHITE, {16: ".", 23: "w"}, 3_000)
    return table


class TestResults:
    def test_a_player_without_a_piece_has_lost(self) -> None:
        table = ready(parse_fen(LAST))
        table.change(RED, {18: ".", 22: ".", 25: "r"})
        assert results(table) == ["1-0"]
        (ruling,) = [r for r in rulings(table.events) if r.verdict.value == "win"]
        assert (ruling.side, ruling.rule) == (RED, "WCDF 6.2")
        assert isinstance(table.events[ruling.cause], Result)

    def test_after_the_end_nothing_is_ruled(self) -> None:
        table = ready(parse_fen(LAST))
        table.change(RED, {18: ".", 22: ".", 25: "r"})
        assert not table.change(WHITE, {1: "."}, 5_000)

    def test_resigning(self) -> None:
        table = ready()
        assert names(table.say(Word.RESIGN, WHITE)) == ["result", "ruling"]
        assert results(table) == ["1-0"]
        assert isinstance(table.say(Word.RESIGN, RED)[0], Refused)

    def test_a_draw_needs_both(self) -> None:
        table = ready()
        assert isinstance(table.say(Word.ACCEPT_DRAW, RED)[0], Refused)
        assert names(table.say(Word.OFFER_DRAW, RED)) == ["draw_offered"]
        assert isinstance(table.say(Word.ACCEPT_DRAW, RED)[0], Refused)
        assert names(table.say(Word.DECLINE_DRAW, WHITE)) == ["draw_declined"]
        table.say(Word.OFFER_DRAW, RED)
        table.say(Word.ACCEPT_DRAW, WHITE)
        assert results(table) == ["1/2-1/2"]

    def test_who_offers_what_was_offered_agrees(self) -> None:
        table = ready()
        table.say(Word.OFFER_DRAW, RED)
        assert names(table.say(Word.OFFER_DRAW, RED)) == ["draw_offered"]
        assert names(table.say(Word.OFFER_DRAW, WHITE)) == ["result", "ruling"]
        assert results(table) == ["1/2-1/2"]

    def test_nobody_declines_his_own_offer_nor_one_twice(self) -> None:
        table = ready()
        table.say(Word.OFFER_DRAW, RED)
        assert isinstance(table.say(Word.DECLINE_DRAW, RED)[0], Refused)
        assert names(table.say(Word.DECLINE_DRAW, WHITE)) == ["draw_declined"]
        assert isinstance(table.say(Word.DECLINE_DRAW, WHITE)[0], Refused)

    @pytest.mark.parametrize("side", Side)
    @pytest.mark.parametrize("word", [Word.RESIGN, Word.OFFER_DRAW, Word.RESULT])
    def test_no_game_ends_that_has_not_begun(self, word: Word, side: Side) -> None:
        table = Table()
        (refused,) = table.say(word, side, text="1-0" if word is Word.RESULT else "")
        assert isinstance(refused, Refused)
        assert refused.reason == "the game has not begun"
        table.rest(1_500)
        assert moves(table.change(RED, {11: ".", 15: "r"})) == ["11-15"]

    def test_a_result_that_is_none_is_refused(self) -> None:
        table = ready()
        (refused,) = table.say(Word.RESULT, text="2-0")
        assert isinstance(refused, Refused)
        assert refused.reason == "a result is one of 1-0, 0-1, 1/2-1/2 or *"
        table.say(Word.RESULT, text="0-1")
        assert results(table) == ["0-1"]


class TestCorrecting:
    def test_the_last_move_is_replaced(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        events = table.say(Word.CORRECT, text="11-16")
        assert names(events) == ["corrected", "played", "otherwise"]
        assert isinstance(events[0], Corrected)
        assert events[0].undone == ("11-15",)
        assert isinstance(events[2], Otherwise)
        assert events[2].squares == (15, 16), "the board shows another move"
        table.setup = replace(START, {11: ".", 16: "r"})
        table.rest(2_000)
        assert moves(table.change(WHITE, {22: ".", 18: "w"})) == ["22-18"]

    @pytest.mark.parametrize(
        "text",
        ["11x25", "11:25", "11 x 25", "11x18x25", "11x18 18x25", "1. 11:25!", "11 : 18 : 25"],
    )
    @pytest.mark.parametrize("word", [Word.CORRECT, Word.OVERRULE])
    def test_moves_are_typed_as_pdn_spells_them(self, word: Word, text: str) -> None:
        table = ready(parse_fen("B:W15,22,32:B11,1"))
        assert names(table.say(word, text=f"{text} 32-28"))[:3] == ["corrected", "played", "played"]
        assert list(map(str, table.game.moves)) == ["11x18x25", "32-28"]

    @pytest.mark.parametrize("text", ["1.", "!", "11", "1-0", "hello", "(11-15)", "11-15 {well}"])
    def test_what_is_no_move_is_refused_and_takes_none_back(self, text: str) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        assert names(table.say(Word.CORRECT, text=text)) == ["refused"]
        assert list(map(str, table.game.moves)) == ["11-15"]

    @pytest.mark.parametrize("text", ["B:W18:B14", "b : w18 : b14", '[FEN "B:W18:B14"]'])
    def test_a_position_is_told_from_moves_by_the_letters_of_its_sides(self, text: str) -> None:
        table = ready()
        assert names(table.say(Word.CORRECT, text=text))[:1] == ["corrected"]
        assert table.game.position == parse_fen("B:W18:B14")

    @pytest.mark.parametrize("side", Side)
    @pytest.mark.parametrize("under", [30, 15, 11])
    def test_under_a_hand_the_board_is_compared_when_it_lies_open(
        self, side: Side, under: int
    ) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.reach(side, [under], 1_000)
        assert names(table.say(Word.CORRECT, text="11-16")) == ["corrected", "played"]
        table.reach(side, [under], 500)
        (told,) = table.rest(6_000)
        assert isinstance(told, Otherwise)
        assert told.squares == (15, 16)
        assert names(table.change(RED, {15: ".", 16: "r"}, 6_000)) == ["restored"]
        assert list(map(str, table.game.moves)) == ["11-16"]
        assert moves(table.change(WHITE, {22: ".", 18: "w"})) == ["22-18"]

    def test_so_it_is_after_a_pause(self) -> None:
        table = ready()
        table.say(Word.PAUSE)
        assert names(table.say(Word.CORRECT, text="11-15")) == ["corrected", "played"]
        table.say(Word.RESUME)
        watching, told = table.rest(6_000)
        assert isinstance(told, Otherwise)
        assert (watching.name, told.squares) == ("watching", (11, 15))

    def test_a_move_made_meanwhile_is_told_all_the_same(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.setup = replace(table.setup, {15: ".", 16: "r"})
        table.reach(RED, [16, 20], 500)
        assert names(table.say(Word.CORRECT, text="11-16")) == ["corrected", "played"]
        assert names(table.change(WHITE, {22: ".", 18: "w"}, 8_000)) == ["played"]

    def test_one_that_waits_to_be_compared_holds_up_nothing_that_is_in_order(self) -> None:
        table = ready()
        table.reach(WHITE, [30], 500)
        table.say(Word.CORRECT, text=fen(Position.start()))
        assert table.game.tracker.unchecked
        assert names(table.rest(5_000)) == []
        assert not table.game.tracker.unchecked
        assert moves(table.change(RED, {11: ".", 15: "r"})) == ["11-15"]

    def test_a_capture_that_a_person_enters_stays_until_it_lies_on_the_board(self) -> None:
        table = ready(parse_fen("B:W18,32:B14,1"))
        table.say(Word.PAUSE)
        table.say(Word.OVERRULE, text="14x23")
        table.say(Word.RESUME)
        assert names(table.rest(6_000)) == ["watching", "otherwise"]
        assert names(table.change(RED, {14: ".", 18: ".", 23: "r"}, 4_000)) == ["restored"]
        assert list(map(str, table.game.moves)) == ["14x23"]

    @pytest.mark.parametrize("frame_ms", [50, 200])
    def test_who_sets_the_board_as_the_record_was_corrected_touches_nothing(
        self, frame_ms: int
    ) -> None:
        table = ready(frame_ms=frame_ms)
        table.say(Word.CORRECT, text="11-15 22-17")
        table.change(WHITE, {22: ".", 17: "w"}, 1_500)
        table.change(RED, {11: "."}, 1_500)
        told = table.change(RED, {15: "r"}, 4_000)
        assert names(told) == ["restored"]

    def test_a_board_that_is_not_as_a_position_that_was_set_is_told_of_once(self) -> None:
        table = ready()
        table.rest(3_000)
        setup = replace(START, {21: "."})
        told = table.say(Word.CORRECT, text=fen(Position(setup, RED)))
        assert names(told) == ["corrected", "otherwise"]
        assert table.rest(15_000) == []
        told = table.change(RED, {11: ".", 15: "r", 16: "r"}, 5_000)
        assert names(told) == ["unsure", "clock_held"], "that is something else"

    def test_what_is_put_right_after_a_correction_is_in_order(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.CORRECT, text="11-16")
        assert names(table.change(RED, {15: ".", 16: "r"})) == ["restored"]
        assert not names(table.rest(3_000))

    def test_nobody_is_accused_while_the_board_is_otherwise(self) -> None:
        """By the record White must take the man on 16, who stands on 15."""
        table = ready(parse_fen("B:W20,32,31:B11,1"))
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.CORRECT, text="11-16")
        table.change(WHITE, {32: ".", 28: "w"}, 6_000)
        assert not rulings(table.events)

    @pytest.mark.parametrize("text", ["11-15", "W:W22:B15"])
    def test_with_a_correction_the_game_has_begun(self, text: str) -> None:
        table = Table()
        table.say(Word.CORRECT, text=text)
        assert table.game.begun
        assert table.game.clock is not None
        assert table.game.clock.side is WHITE

    @pytest.mark.parametrize(("text", "typed"), [("", "back"), ("nonsense", "correct")])
    def test_a_refusal_names_what_was_typed(self, text: str, typed: str) -> None:
        (refused,) = ready().say(Word.CORRECT, text=text)
        said = announce(refused)
        assert said is not None
        assert said.text.startswith(f"{typed} is not possible: ")

    def test_where_nothing_was_played_nothing_is_taken_back(self) -> None:
        table = ready()
        (refused,) = table.say(Word.CORRECT)
        assert isinstance(refused, Refused)
        assert refused.reason == "no move has been played that could be taken back"
        table.say(Word.RESIGN, RED)
        assert names(table.say(Word.CORRECT)) == ["corrected"], "but the end is"

    @pytest.mark.parametrize("under", [False, True])
    def test_a_refusal_leaves_what_is_done_then_to_be_ruled_on(self, under: bool) -> None:
        table = ready()
        table.reach(RED, [11, 19] if under else [])
        before = table.game.tracker
        assert names(table.say(Word.CORRECT)) == ["refused"]
        assert table.game.tracker == before
        table.change(RED, {11: ".", 19: "r"}, 3_000)
        assert kinds(table.events) == ["illegal_step"]
        assert names(table.say(Word.CORRECT)) == ["refused"], "the offence has been told of"

    def test_the_last_move_is_taken_back(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.CORRECT)
        assert table.game.position == Position.start()

    def test_what_is_taken_back_is_called_what_it_was_when_it_was_played(self) -> None:
        table = ready(parse_fen("W:W21,22:B17,9,1"))
        played = moves(table.change(WHITE, {22: ".", 17: ".", 9: ".", 6: "w"}))
        (corrected,) = table.say(Word.CORRECT)
        assert isinstance(corrected, Corrected)
        assert corrected.undone == tuple(played) == ("22x6",)

    def test_an_irregular_board_is_let_stand_as_a_move(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r", 30: "."}, 3_000)
        table.say(Word.OVERRULE, text="11-15")
        assert moves(table.events)[-1] == "11-15"

    def test_nonsense_is_refused_and_changes_nothing(self) -> None:
        table = ready()
        before = table.game
        for text in ("12-30", "hello", "B:Wx:B"):
            assert isinstance(table.say(Word.CORRECT, text=text)[0], Refused)
        assert table.game.position == before.position
        assert table.game.count == before.count + 3

    def test_a_position_to_go_on_from_keeps_the_moves_before_it(self) -> None:
        table = ready()
        table.say(Word.SEATS, text="Anna, Ben")
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 18: "w"})
        table.setup = replace(table.setup, {15: ".", 19: "r"})
        table.say(Word.CORRECT, text=fen(Position(table.setup, WHITE)))
        table.rest(1_500)
        assert moves(table.change(WHITE, {24: ".", 19: ".", 15: "w"})) == ["24x15"]
        text = "\n".join(map(write_pdn, table.game.records({"Event": "Club"})))
        first, second = (record.game for record in parse_pdn(text))
        assert list(map(str, first.moves)) == ["11-15", "22-18"]
        assert first.comments == {2: games.CONTINUED}
        assert list(map(str, second.moves)) == ["24x15"]
        assert first.tags == second.tags
        assert second.tags["Black"] == "Anna"

    def test_a_new_game_has_nothing_before_it(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.CORRECT, text=fen(table.game.position))
        assert len(table.game.records()) == 2
        table.say(Word.START)
        assert len(table.game.records()) == 1

    def test_who_has_no_move_where_the_game_goes_on_has_lost(self) -> None:
        table = ready()
        told = table.say(Word.CORRECT, text="W:W13:B6,9")
        assert names(told)[:3] == ["corrected", "result", "ruling"]
        assert isinstance(told[1], Result)
        assert told[1].reason == "White cannot move (WCDF 6.2). Red wins."
        assert told[1].time_ms == table.time_ms
        (ruling,) = rulings(told)
        assert table.events[ruling.cause] is told[1]

    def test_no_game_begins_where_it_is_lost(self) -> None:
        (refused,) = ready().say(Word.SET_POSITION, text="W:W13:B6,9")
        assert isinstance(refused, Refused)
        assert refused.reason == "White, whose turn it is there, has no move"

    def test_a_position_is_set(self) -> None:
        table = ready()
        table.say(Word.SET_POSITION, text="W:W32:BK1")
        assert table.game.position == parse_fen("W:W32:BK1")
        table.setup = parse_fen("W:W32:BK1").setup
        assert names(table.rest(2_000)) == ["ready"]


class TestBothLetItStand:
    """An offence that nobody puts right, both players going on."""

    @pytest.mark.parametrize(
        "reply",
        [
            pytest.param({24: ".", 20: "w"}, id="24-20 9-13 22-18 was not the order"),
            pytest.param({18: ".", 14: "w"}, id="22-17 9-13 17-14 was not the way"),
        ],
    )
    def test_moves_that_were_seen_stay_on_record(self, reply: dict[int, str]) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 18: "w"})
        assert kinds(table.change(RED, {9: ".", 13: "r"})) == ["capture_missed"]
        table.change(WHITE, reply, 6_000)
        assert moves(table.events) == ["11-15", "22-18"]
        assert "withdrawn" not in names(table.events)

    def test_a_move_out_of_turn_that_stands_was_not_made_before(self) -> None:
        table = ready(parse_fen("W:W21,28,29,32:B1,2,19"))
        table.change(WHITE, {29: ".", 25: "w"})
        assert kinds(table.change(WHITE, {28: ".", 24: "w"})) == ["wrong_turn"]
        table.change(RED, {19: ".", 24: ".", 28: "r"}, 6_000)
        assert moves(table.events) == ["29-25"]


class TestLettingStand:
    """`overrule` while the board is not as the record has it."""

    MISSED = parse_fen("B:W18,32,12,31:B14,1,2")

    def let_stand(self, table: Table, text: str = "") -> Corrected:
        (corrected,) = table.say(Word.OVERRULE, text=text)
        assert isinstance(corrected, Corrected)
        return corrected

    def test_the_game_goes_on_from_the_board_as_it_lies(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 17: "w"})
        table.change(RED, {8: ".", 16: "r"}, 3_000)
        corrected = self.let_stand(table)
        assert corrected.turn is WHITE
        said = announce(corrected)
        assert said
        assert said.text == "The board stands as it is, it is White's turn"
        assert corrected.fen == fen(Position(table.setup, WHITE))
        assert table.rest(5_000) == []
        assert moves(table.change(WHITE, {24: ".", 20: "w"})) == ["24-20"]
        before, now = table.game.records()
        assert list(map(str, before.moves)) == ["11-15", "22-17"]
        assert list(map(str, now.moves)) == ["24-20"]

    def test_a_missed_capture_that_both_let_stand(self) -> None:
        table = ready(self.MISSED)
        table.change(RED, {1: ".", 6: "r"}, 4_000)
        table.change(WHITE, {32: ".", 28: "w"}, 9_000)
        corrected = self.let_stand(table)
        assert corrected.fen == "B:W12,18,28,31:B2,6,14"
        assert table.game.arbiter.count(RED, "impossible move") == 0
        assert moves(table.change(RED, {14: ".", 18: ".", 23: "r"}, 3_000)) == ["14x23"]

    def test_the_last_hand_tells_the_turn_where_both_have_played_on(self) -> None:
        table = ready(self.MISSED)
        table.change(RED, {1: ".", 6: "r"}, 4_000)
        table.change(WHITE, {32: ".", 28: "w"}, 9_000)
        table.change(RED, {2: ".", 7: "r"}, 15_000)
        assert self.let_stand(table).turn is WHITE

    def test_a_person_can_say_whose_turn_it_is(self) -> None:
        table = ready(self.MISSED)
        table.change(RED, {1: ".", 6: "r"}, 4_000)
        assert self.let_stand(table).turn is WHITE
        assert self.let_stand(table, "red").turn is RED
        assert table.game.position.turn is RED

    def test_a_piece_that_is_gone_leaves_the_turn_as_it_was(self) -> None:
        table = ready()
        table.change(WHITE, {22: "."}, 8_000)
        assert self.let_stand(table).turn is RED

    def test_a_king_stays_a_king(self) -> None:
        table = ready(parse_fen("B:W32,31:BK14,1"))
        table.change(RED, {14: ".", 22: "R"}, 4_000)
        assert self.let_stand(table).fen == "W:W31,32:B1,K22"

    def held(self, wrong: int | None = None) -> Table:
        """White has replied without crowning, perhaps after a move that was put right."""
        table = ready(parse_fen("B:W10,32:B22,25,1"))
        table.change(RED, {25: ".", 30: "r"})
        if wrong:
            table.change(WHITE, {32: ".", wrong: "w"}, 3_000)
            table.change(WHITE, {wrong: ".", 32: "w"}, 3_000)
        assert kinds(table.change(WHITE, {32: ".", 28: "w"}, 3_000)) == ["crown_missing"]
        return table

    def test_a_reply_that_was_held_for_a_crown_is_played(self) -> None:
        table = self.held()
        assert names(table.say(Word.OVERRULE)) == ["corrected", "played"]
        assert not table.game.former
        assert names(table.change(WHITE, {30: "R"})) == ["crowned"]
        assert moves(table.change(RED, {30: ".", 26: "R"})) == ["30-26"]
        assert list(map(str, table.game.moves)) == ["25-30", "32-28", "30-26"]

    def test_a_warning_before_that_reply_stays(self) -> None:
        table = self.held(wrong=24)
        table.say(Word.OVERRULE)
        assert list(map(str, table.game.moves)) == ["25-30", "32-28"]
        assert table.game.arbiter.count(WHITE, "impossible move") == 1

    def test_the_game_that_was_claimed_meanwhile_goes_on_with_that_reply(self) -> None:
        table = ready(parse_fen("B:W10,32:B22,25,1"))
        for _ in range(2):
            table.change(RED, {1: ".", 8: "r"}, 3_000)
            table.change(RED, {8: ".", 1: "r"}, 3_000)
        table.change(RED, {25: ".", 30: "r"})
        table.say(Word.DISMISS)
        table.change(WHITE, {32: ".", 28: "w"}, 3_000)
        table.say(Word.CLAIM, WHITE)
        assert names(table.say(Word.OVERRULE)) == ["corrected", "played"]
        assert table.game.result is None
        assert table.game.arbiter.count(RED, "impossible move") == 1
        assert isinstance(table.say(Word.CLAIM, WHITE)[0], Refused)

    def test_no_board_is_let_stand_with_more_men_than_there_are(self) -> None:
        table = ready()
        table.change(RED, {15: "r"}, 4_000)
        (refused,) = table.say(Word.OVERRULE, text="white")
        assert isinstance(refused, Refused)
        assert refused.reason == "red has 13 pieces, 12 at most are possible"
        assert table.game.position == Position.start()

    def test_a_board_under_a_hand_is_not_let_stand(self) -> None:
        table = ready()
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.reach(WHITE, [18])
        assert isinstance(table.say(Word.OVERRULE)[0], Refused)
        assert table.game.position == Position.start()

    def test_a_refusal_that_was_proposed_is_dropped(self) -> None:
        table = ready()
        table.frame_ms = 200
        table.change(WHITE, {22: ".", 18: "w"}, 90_000)
        assert table.game.arbiter.proposals
        self.let_stand(table)
        assert not table.game.arbiter.proposals

    def test_so_is_one_to_put_right_what_nobody_was_counted_for(self) -> None:
        table = ready()
        table.change(RED, {22: ".", 18: "w"}, 4_000)
        table.frame_ms = 1_000
        table.rest(62_000)
        table.say(Word.CONFIRM)
        assert table.game.arbiter.claims
        self.let_stand(table)
        assert not table.game.arbiter.claims
        assert table.game.arbiter.count(RED, "refusal") == 0
        assert not table.game.arbiter.proposals, "nor that White's man was touched"

    def test_a_touch_that_was_confirmed_goes_with_the_disorder_that_showed_it(self) -> None:
        table = ready()
        table.change(RED, {22: ".", 18: "w"}, 4_000)
        table.say(Word.CONFIRM)
        assert table.game.arbiter.count(RED, "impossible move") == 1
        self.let_stand(table)
        assert table.game.arbiter.count(RED, "impossible move") == 0

    def test_a_count_goes_on_anew(self) -> None:
        table = ready(parse_fen("B:WK32,12:BK1,21,K9"))
        table.say(Word.OFFER_DRAW, WHITE)
        table.say(Word.DECLINE_DRAW, RED)
        table.say(Word.REQUEST_COUNT, WHITE)
        table.change(RED, {1: ".", 5: "R"})
        table.change(WHITE, {12: ".", 7: "w"}, 3_000)
        self.let_stand(table)
        assert names(table.say(Word.STRENGTHENED)) == ["strengthened", "ruling"]

    def test_where_there_is_nothing_to_overrule_that_is_said(self) -> None:
        table = ready()
        (refused,) = table.say(Word.OVERRULE)
        assert isinstance(refused, Refused)
        assert refused.reason == "no warning has been given that could be taken back"
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.change(WHITE, {18: ".", 22: "w"}, 3_000)
        assert names(table.say(Word.OVERRULE)) == ["corrected"]
        assert isinstance(table.say(Word.OVERRULE)[0], Refused)

    def test_a_touch_move_that_is_confirmed_forgives_nobody_else(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {24: ".", 16: "w"}, 3_000)
        table.change(WHITE, {16: ".", 24: "w"}, 3_000)
        table.change(WHITE, {24: ".", 20: "w"})
        table.change(RED, {9: "."}, 800)
        table.change(RED, {9: "r"})
        table.change(RED, {8: ".", 11: "r"})
        table.change(WHITE, {23: ".", 14: "w"}, 3_000)
        assert names(table.say(Word.CONFIRM)) == ["ruling", "corrected"]
        assert table.game.arbiter.count(WHITE, "impossible move") == 2
        assert table.game.arbiter.warned is None
        table.change(RED, {11: ".", 8: "r"}, 3_000)
        assert not rulings(table.change(WHITE, {14: ".", 23: "w"}, 3_000))
        assert names(table.say(Word.CLAIM, RED)) == ["result", "ruling"]

    def test_only_the_last_warning_is_taken_back_and_that_is_said(self) -> None:
        table = ready()
        for end in (17, 18):
            table.change(WHITE, {22: ".", end: "w"}, 3_000)
            table.change(WHITE, {end: ".", 22: "w"}, 3_000)
        (corrected,) = table.say(Word.OVERRULE)
        assert isinstance(corrected, Corrected)
        assert corrected.against is WHITE
        (refused,) = table.say(Word.OVERRULE)
        assert isinstance(refused, Refused)
        assert refused.reason == "the last warning has been taken back already"
        assert table.game.arbiter.count(WHITE, "out of turn") == 1

    def test_what_the_other_player_has_done_since_stays(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 20: "r"}, 3_000)
        touch = WCDF.conduct[Conduct.TOUCHED_OFF_TURN]
        conviction = Conviction(WHITE, touch.group, table.game.count, table.game.count)
        arbiter, _ = convictions.convicted(table.game.arbiter, touch, conviction, table.game.count)
        table.game = dataclasses.replace(table.game, arbiter=arbiter)
        table.say(Word.OVERRULE)
        assert table.game.arbiter.count(RED, "impossible move") == 0
        assert table.game.arbiter.count(WHITE, "off-turn touch") == 1

    def test_who_can_do_nothing_then_has_lost(self) -> None:
        table = ready(parse_fen("B:W22:B9,1"))
        table.change(RED, {22: ".", 1: ".", 6: "r"}, 4_000)
        assert names(table.say(Word.OVERRULE, text="white")) == ["corrected", "result", "ruling"]
        assert results(table) == ["1-0"]

    def test_an_earlier_warning_stays(self) -> None:
        table = ready()
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.change(WHITE, {18: ".", 22: "w"}, 3_000)
        table.change(RED, {11: "."}, 9_000)
        self.let_stand(table)
        assert table.game.arbiter.count(WHITE, "out of turn") == 1


class TestReplyPutBack:
    """White has done something unlawful, and Red has answered it before he saw that."""

    @pytest.mark.parametrize("start", [19, 23])
    @pytest.mark.parametrize("rests", [True, False])
    def test_who_takes_his_reply_back_has_done_nothing(self, start: int, rests: bool) -> None:
        """White's man goes from 19 on out of turn, or from 23 too far. What lay there before the
        reply has not followed it, though a hand is over that."""
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        if start == 19:
            table.change(WHITE, {23: ".", 19: "w"})
        record = moves(table.events)
        told = table.change(WHITE, {start: ".", 16: "w"}, 3_000)
        told += table.change(RED, {9: ".", 14: "r"}, 2_000)
        if rests:
            table.reach(RED, {9, 14}, 1_000)
        told += table.change(RED, {9: "r", 14: "."}, 3_000)
        assert kinds(told) == ["wrong_turn" if start == 19 else "illegal_step"]
        assert moves(table.events) == record
        assert names(table.change(WHITE, {start: "w", 16: "."})) == ["restored"]


class TestAnotherMoveInstead:
    """White has played 22-18, takes it back and plays another move."""

    def replaced(self, gap_ms: int = 0, rest_ms: int = 3_000, **others: int) -> Table:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.change(WHITE, {18: ".", 22: "w"}, gap_ms)
        start, end = others.get("start", 23), others.get("end", 19)
        table.change(WHITE, {start: ".", end: "w"}, rest_ms)
        return table

    def record(self, table: Table) -> list[str]:
        assert not table.game.former
        return list(map(str, table.game.moves))

    @pytest.mark.parametrize("gap_ms", [0, 600])
    def test_it_is_asked_about(self, gap_ms: int) -> None:
        table = self.replaced(gap_ms)
        (asked,) = (e for e in table.events if isinstance(e, Unsure))
        assert (asked.candidates, asked.ply) == (("22-18", "23-19"), 1)
        assert asked.squares == (18, 19, 22, 23)
        assert names(table.events)[-2:] == ["unsure", "clock_held"]
        assert not rulings(table.events)
        assert not table.rest(20_000)
        assert self.record(table) == ["11-15", "22-18"], "it stands until somebody says otherwise"

    @pytest.mark.parametrize("other", [{"start": 23, "end": 19}, {"start": 22, "end": 17}])
    def test_with_the_reply_both_have_settled_it(self, other: dict[str, int]) -> None:
        table = self.replaced(2_000, **other)
        told = table.change(RED, {9: ".", 14: "r"})
        assert names(told) == ["withdrawn", "played", "played"]
        other_move = f"{other['start']}-{other['end']}"
        assert self.record(table) == ["11-15", other_move, "9-14"]
        assert not table.game.tracker.asked

    @pytest.mark.parametrize(("side", "settled"), [(RED, True), (WHITE, False)])
    def test_so_they_have_before_anybody_could_ask(self, side: Side, settled: bool) -> None:
        table = self.replaced(rest_ms=300)
        told = table.change(side, {9: ".", 14: "r"}, 3_000)
        assert ("withdrawn" in names(told)) is settled
        replied = ["11-15", "23-19", "9-14"]
        assert self.record(table) == (replied if settled else ["11-15", "22-18"])

    def test_a_capture_may_answer_it_though_a_longer_row_fits_but_for_a_square(self) -> None:
        """17-13, back, 17-14, 9x18 looks as 17-13 9-14 13-9 14-18 does, but for the bare 9."""
        table = ready(parse_fen("W:W17,20:B5,7,8,9,12,K19,28"))
        table.change(WHITE, {17: ".", 13: "w"}, 1_500)
        table.change(WHITE, {13: ".", 17: "w"}, 600)
        table.change(WHITE, {17: ".", 14: "w"}, 600)
        table.change(RED, {9: ".", 14: ".", 18: "r"}, 4_000)
        assert self.record(table) == ["17-14", "9x18"]

    @pytest.mark.parametrize("rest_ms", [300, 3_000])
    @pytest.mark.parametrize("undone", [2, 3, 4])
    def test_moves_of_both_players_go_back_until_another_has_been_answered(
        self, undone: int, rest_ms: int
    ) -> None:
        table, played = ready(), [Position.start()]
        for _ in range(5):
            played.append(after(played[-1], lawful_moves(played[-1])[0]))
            self.set_up(table, played[-1], 1_500)
        record = self.record(table)
        for former in played[-2 : -2 - undone : -1]:
            self.set_up(table, former, 800)
        other = after(played[-1 - undone], lawful_moves(played[-1 - undone])[-1])
        self.set_up(table, other, rest_ms)
        assert self.record(table) == record, "it stands until the other one has answered"
        answered = after(other, lawful_moves(other)[-1])
        self.set_up(table, answered, 3_000)
        assert len(self.record(table)) == len(record) - undone + 2
        assert table.game.position == answered

    def test_the_same_moves_in_another_order_do_not_explain_an_offence(self) -> None:
        """4-8 25-29 15-10 ends as 15-10 25-29 4-8 29-25 does, when Red goes back out of turn."""
        table = ready(parse_fen("W:WK2,K4,15,24:BK25"))
        table.change(WHITE, {15: ".", 10: "w"})
        table.change(RED, {25: ".", 29: "R"})
        table.change(WHITE, {4: ".", 8: "W"})
        table.change(RED, {29: ".", 25: "R"})
        table.reach(WHITE, {32})
        table.change(RED, {25: ".", 29: "R"}, 5_000)
        assert kinds(table.events) == ["wrong_turn"]
        assert self.record(table) == ["15-10", "25-29", "4-8", "29-25"]

    def set_up(self, table: Table, position: Position, ms: int) -> None:
        """The hand of whoever made or unmade the move sets the board up so."""
        changes = zip(SQUARES, table.setup, position.setup, strict=True)
        squares = {square: new for square, old, new in changes if old != new}
        side = next(s for s in Side if any(s.owns(new) for new in squares.values()))
        table.change(side, squares, ms)

    def test_moves_of_both_players_that_went_back_are_named(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 18: "w"}, 1_500)
        table.change(WHITE, {18: ".", 22: "w"}, 800)
        table.change(RED, {15: ".", 11: "r"}, 800)
        table.change(RED, {9: ".", 13: "r"}, 3_000)
        (asked,) = (e for e in table.events if isinstance(e, Unsure))
        assert (asked.candidates, asked.ply) == (("11-15 22-18", "9-13"), 0)
        table.say(Word.CHOOSE, None, "2")
        assert self.record(table) == ["9-13"]

    def test_a_record_that_was_corrected_against_the_board_is_told_of_once(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 18: "w"}, 1_500)
        table.say(Word.CORRECT, None, "22-17 15-19")
        told = table.rest(8_000)
        assert names(table.events[-1 - len(told) :]) == ["otherwise", *names(told)]
        assert not any(isinstance(event, Unsure) for event in told)

    def test_kings_that_went_back_in_the_dark_may_have_played_on(self) -> None:
        """30-25 and 2-6 need not have been taken back, where 12-16 and 21-17 are made later."""
        table = ready(parse_fen("B:WK2,21:BK30,12"))
        table.change(RED, {30: ".", 25: "R"})
        table.change(WHITE, {2: ".", 6: "W"})
        table.view = View.DARK
        table.rest(8_000)
        table.view = View.CLEAR
        lies = {25: ".", 30: "R", 6: ".", 2: "W", 12: ".", 16: "r", 21: ".", 17: "w"}
        table.setup = replace(table.setup, lies)
        told = table.rest(8_000)
        assert names(told) == ["watching", "unsure", "clock_held"]
        assert self.record(table) == ["30-25", "2-6"]

    def test_a_piece_that_was_still_in_the_hand_lies_elsewhere(self) -> None:
        """A lamp on 16 looks a man of Red's while his hand is over 11, before that leaves."""
        table = ready()
        table.reach(RED, {11}, 600)
        table.misread = {16: (-330, 0, -100, -800, -800)}
        table.reach(RED, {11}, 600)
        table.change(RED, {11: "."}, 3_500)
        assert self.record(table) == ["11-16"]
        told = table.change(RED, {15: "r"})
        assert names(told) == ["withdrawn", "played"]
        assert self.record(table) == ["11-15"]
        table.change(WHITE, {22: ".", 18: "w"})
        assert self.record(table) == ["11-15", "22-18"]
        assert not rulings(table.events)

    def test_a_piece_in_the_hand_is_not_where_a_lamp_looked_like_it_before(self) -> None:
        table = ready()
        table.misread = {16: (-330, 0, -100, -800, -800)}
        table.rest(3_000)
        assert not table.change(RED, {11: "."}, 3_500)
        assert names(table.change(RED, {15: "r"})) == ["played"]
        assert self.record(table) == ["11-15"]

    def test_a_piece_gone_before_a_hand_came_was_never_there(self) -> None:
        """What looked a man on 23 fades while White holds his own, who comes to stand on 24."""
        table = ready(parse_fen("W:W17,27,32:B1,4,5"))
        table.reach(WHITE, {27, 32}, 200)
        table.misread = {23: (-330, -800, -800, 0, -100)}
        table.setup = replace(table.setup, {27: "."})
        table.reach(WHITE, {27, 32}, 100)
        table.rest(500)
        assert self.record(table) == ["27-23"]
        table.misread = {}
        table.rest(300)
        table.reach(WHITE, {24, 28, 32}, 200)
        table.setup = replace(table.setup, {24: "w"})
        table.reach(WHITE, {24, 28, 32}, 200)
        table.rest(2_000)
        assert self.record(table) == ["27-24"]
        assert not kinds(table.events)

    @pytest.mark.parametrize("stays_ms", [1_000, 1_700, 3_000])
    @pytest.mark.parametrize("frame_ms", [50, 200])
    def test_a_finger_that_has_stayed_on_the_man_may_take_him_on(
        self, stays_ms: int, frame_ms: int
    ) -> None:
        """White's man stands on 20 in full view, but the hand has not left him; he goes to 19."""
        table = ready(Position("rrrrrrrrr.r...rrw...w.wwwwwwwwww", WHITE), frame_ms=frame_ms)
        table.reach(WHITE, {24, 28, 32}, 200)
        table.setup = replace(table.setup, {24: "."})
        table.reach(WHITE, {20, 28}, 200)
        table.setup = replace(table.setup, {20: "w"})
        table.reach(WHITE, {28}, stays_ms)
        table.reach(WHITE, {20, 28}, 200)
        table.setup = replace(table.setup, {20: "."})
        table.reach(WHITE, {19, 24, 27, 32}, 200)
        table.setup = replace(table.setup, {19: "w"})
        table.reach(WHITE, {19, 24, 27, 32}, 200)
        table.rest(1_500)
        assert self.record(table) == ["24-19"]
        assert not kinds(table.events)
        assert not rulings(table.events)

    def test_a_hand_that_rests_on_the_rim_has_let_the_man_go(self) -> None:
        rests = Hand(RED, ())
        table = ready()
        table.rest(1_000, rests)
        for change in ({11: ".", 15: "r"}, {15: ".", 18: "r"}):
            table.rest(300, Hand(RED, tuple(change)))
            table.setup = replace(table.setup, change)
            table.rest(200, Hand(RED, tuple(change)))
            table.rest(3_000, rests)
        table.rest(3_000)
        assert kinds(table.events) == ["wrong_turn"]
        assert self.record(table) == ["11-15"]

    def test_nothing_was_taken_off_where_all_men_stand_on_the_board(self) -> None:
        """Both players put their moves back, and Red makes another."""
        table = ready(frame_ms=100)
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 18: "w"})
        table.change(WHITE, {18: ".", 22: "w"}, 500)
        table.change(RED, {15: ".", 11: "r"}, 500)
        table.change(RED, {12: ".", 16: "r"}, 3_000)
        assert not kinds(table.change(WHITE, {22: ".", 18: "w"}, 6_000))

    def test_so_they_have_when_two_replies_were_seen_as_one(self) -> None:
        table = self.replaced()
        table.reach(RED, {9, 14})
        table.setup = replace(table.setup, {9: ".", 14: "r"})
        table.reach(RED, {9, 14}, 200)
        table.change(WHITE, {26: ".", 23: "w"})
        assert self.record(table) == ["11-15", "23-19", "9-14", "26-23"]

    def test_a_count_that_was_asked_for_behind_it_begins_there_still(self) -> None:
        table = self.replaced()
        for word, side in (
            (Word.OFFER_DRAW, RED),
            (Word.DECLINE_DRAW, WHITE),
            (Word.REQUEST_COUNT, RED),
        ):
            table.say(word, side)
        table.change(RED, {9: ".", 14: "r"})
        assert self.record(table) == ["11-15", "23-19", "9-14"]
        tally = table.game.arbiter.tally
        assert tally is not None
        assert tally.since == 2

    @pytest.mark.parametrize(
        ("word", "text"), [(Word.CHOOSE, "2"), (Word.OVERRULE, ""), (Word.CORRECT, "23-19")]
    )
    def test_a_person_may_let_it_stand(self, word: Word, text: str) -> None:
        table = self.replaced()
        assert names(table.say(word, text=text)) == ["corrected", "played"]
        assert moves(table.change(RED, {9: ".", 14: "r"})) == ["9-14"]
        assert self.record(table) == ["11-15", "23-19", "9-14"]

    def test_or_have_it_put_back(self) -> None:
        table = self.replaced()
        assert names(table.say(Word.CHOOSE, text="1")) == ["corrected", "played", "otherwise"]
        back = {22: ".", 18: "w", 19: ".", 23: "w"}
        assert names(table.change(WHITE, back)) == ["restored"]
        assert self.record(table) == ["11-15", "22-18"]

    def test_who_puts_it_back_himself_goes_on(self) -> None:
        table = self.replaced()
        told = table.change(WHITE, {22: ".", 18: "w", 19: ".", 23: "w"}, 400)
        assert names(told) == ["restored"]
        assert isinstance(table.say(Word.CHOOSE, text="3")[0], Refused)
        assert moves(table.change(RED, {15: ".", 18: ".", 22: "r"})) == ["15x22"]
        assert isinstance(table.say(Word.CHOOSE, text="2")[0], Refused), "that is over"

    def test_a_slip_of_the_eye_is_no_other_move(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.setup = replace(table.setup, {18: ".", 22: "w", 23: ".", 19: "w"})
        assert not [e for e in table.rest(3_000) if isinstance(e, Unsure) and e.ply is not None]


class TestTakingTheEndBack:
    """`back` when the game is over."""

    @pytest.mark.parametrize(
        ("word", "text"),
        [(Word.RESIGN, ""), (Word.RESULT, "1/2-1/2"), (Word.RESULT, "*")],
    )
    def test_no_move_goes_with_an_end_that_words_have_made(self, word: Word, text: str) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {23: ".", 19: "w"})
        table.say(word, RED, text)
        (corrected,) = table.say(Word.CORRECT)
        assert isinstance(corrected, Corrected)
        assert (corrected.undone, corrected.reopened) == ((), results(table)[-1])
        assert moves(table.change(RED, {8: ".", 11: "r"})) == ["8-11"]
        (corrected,) = table.say(Word.CORRECT)
        assert isinstance(corrected, Corrected)
        assert corrected.undone == ("8-11",), "the next one takes a move back"

    def test_nor_with_one_that_time_has_made(self) -> None:
        table = ready(profile=US)
        table.say(Word.CLOCK, text="30/1")
        table.change(RED, {11: ".", 15: "r"})
        table.frame_ms = 500
        table.rest(61_000)
        assert results(table) == ["1-0"]
        table.say(Word.CLOCK, text="30/60")
        table.say(Word.CORRECT)
        assert list(map(str, table.game.moves)) == ["11-15"]
        assert table.game.position.turn is WHITE

    @pytest.mark.parametrize("entered", [False, True])
    def test_the_move_that_has_made_the_end_goes_with_it(self, entered: bool) -> None:
        table = ready(parse_fen(LAST))
        table.change(RED, {18: ".", 22: ".", 25: "r"})
        if entered:
            table.say(Word.RESULT, text="1/2-1/2")
        (corrected,) = table.say(Word.CORRECT)
        assert isinstance(corrected, Corrected)
        assert corrected.undone == ("18x25",)
        assert table.game.result is None

    def test_who_was_warned_before_it_is_so_still_and_has_the_board_to_put_right(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 19: "r"}, 3_000)
        table.say(Word.RESIGN, RED)
        table.say(Word.CORRECT)
        assert table.game.arbiter.count(RED, "impossible move") == 1
        assert names(table.change(RED, {19: ".", 11: "r"}, 3_000)) == ["restored"]
        table.frame_ms = 1_000
        assert table.rest(100_000) == [], "nobody refuses to put it right"

    def test_a_move_that_was_being_put_back_is_still_waited_for(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.CORRECT)
        table.say(Word.RESIGN, RED)
        table.say(Word.CORRECT)
        assert not moves(table.rest(2_000))
        assert names(table.change(RED, {15: ".", 11: "r"})) == ["restored"]

    def test_pieces_that_were_put_together_meanwhile_accuse_nobody(self) -> None:
        table = ready()
        table.say(Word.RESIGN, RED)
        table.change(WHITE, {22: ".", 23: "."})
        (_, told) = table.say(Word.CORRECT)
        assert isinstance(told, Otherwise)
        assert names(table.rest(10_000)) == []
        assert names(table.change(WHITE, {22: "w", 23: "w"}, 3_000)) == ["restored"]


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
        assert is_unresolved(table.game)
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

    def test_the_way_to_a_position_is_answered_when_more_has_been_played(self) -> None:
        table = ready(parse_fen("W:WK8,32:BK25,1"))
        for change in ({8: ".", 3: "W"}, {25: ".", 21: "R"}, {3: ".", 8: "W"}, {21: ".", 17: "R"}):
            table.change(WHITE if 8 in change else RED, change)
        asked = Unsure(table.time_ms, ("8-3 25-21 3-8", "8-12 25-21 12-8"), ply=0)
        table.game = dataclasses.replace(table.game, question=asked)
        assert moves(table.change(WHITE, {32: ".", 27: "w"})) == ["32-27"]
        table.say(Word.CHOOSE, text="2")
        assert list(map(str, table.game.moves)) == ["8-12", "25-21", "12-8", "21-17", "32-27"]


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


class TestClaims:
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

    def test_after_the_end_no_progress_is_conceded(self) -> None:
        table = ready(parse_fen("B:WK32,12:BK1,21"))
        table.say(Word.OFFER_DRAW, WHITE)
        table.say(Word.DECLINE_DRAW, RED)
        table.say(Word.REQUEST_COUNT, WHITE)
        table.say(Word.RESIGN, RED)
        (refused,) = table.say(Word.STRENGTHENED)
        assert isinstance(refused, Refused)
        assert refused.reason == "the game is over"

    def test_a_count_is_asked_for(self) -> None:
        table = ready()
        assert isinstance(table.say(Word.REQUEST_COUNT, RED)[0], Refused)
        table.say(Word.OFFER_DRAW, RED)
        table.say(Word.DECLINE_DRAW)
        assert names(table.say(Word.REQUEST_COUNT, RED)) == ["count_requested", "ruling"]
        assert names(table.say(Word.STRENGTHENED)) == ["strengthened", "ruling"]

    @pytest.mark.parametrize(
        ("answer", "told"), [(Word.ACCEPT_DRAW, "result"), (Word.DECLINE_DRAW, "draw_declined")]
    )
    def test_an_offer_holds_when_who_made_it_has_moved(self, answer: Word, told: str) -> None:
        table = ready()
        table.say(Word.OFFER_DRAW, RED)
        assert moves(table.change(RED, {11: ".", 15: "r"})) == ["11-15"]
        assert names(table.say(answer, WHITE))[0] == told

    def test_whoever_plays_on_does_not_agree_to_a_draw(self) -> None:
        table = ready()
        table.say(Word.OFFER_DRAW, RED)
        table.change(RED, {11: ".", 15: "r"})
        assert isinstance(table.say(Word.REQUEST_COUNT, RED)[0], Refused)
        assert moves(table.change(WHITE, {22: ".", 18: "w"})) == ["22-18"]
        assert isinstance(table.say(Word.ACCEPT_DRAW, WHITE)[0], Refused)
        assert names(table.say(Word.REQUEST_COUNT, RED)) == ["count_requested", "ruling"]

    @pytest.mark.parametrize("before", [False, True], ids=["first", "again"])
    def test_a_move_that_is_taken_out_of_the_record_has_declined_nothing(
        self, before: bool
    ) -> None:
        table = ready(parse_fen("B:W15,19,25,30:B11,1,2"))
        if before:
            table.say(Word.OFFER_DRAW, WHITE)
            table.say(Word.DECLINE_DRAW)
        table.say(Word.OFFER_DRAW, WHITE)
        table.change(RED, {11: ".", 15: ".", 18: "r"}, 5_000)
        events = table.change(RED, {11: "r", 15: "w", 18: "."}, 3_000)
        assert names(events) == ["withdrawn"]
        assert isinstance(table.say(Word.REQUEST_COUNT, WHITE)[0], Refused) is not before
        assert names(table.say(Word.ACCEPT_DRAW, RED))[0] == "result"

    def test_a_move_that_follows_the_answer_does_not_take_it_back_with_it(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.OFFER_DRAW, RED)
        table.change(WHITE, {22: ".", 18: "w"})
        table.change(RED, {15: ".", 18: ".", 22: "r"})
        table.say(Word.CORRECT)
        assert isinstance(table.say(Word.ACCEPT_DRAW, WHITE)[0], Refused)

    def test_a_later_offer_outlasts_the_answer_to_the_one_before(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.OFFER_DRAW, RED)
        table.change(WHITE, {22: ".", 18: "w"})
        table.say(Word.OFFER_DRAW, WHITE)
        table.say(Word.CORRECT)
        assert names(table.say(Word.ACCEPT_DRAW, RED))[0] == "result"

    def test_a_claim_stands_again_when_the_move_that_waived_it_is_taken_back(self) -> None:
        table = ready()
        for end in (17, 18):
            table.change(WHITE, {22: ".", end: "w"}, 3_000)
            table.change(WHITE, {end: ".", 22: "w"}, 3_000)
        table.change(RED, {11: ".", 15: "r"})
        assert isinstance(table.say(Word.CLAIM, RED)[0], Refused)
        table.say(Word.CORRECT)
        assert names(table.say(Word.CLAIM, RED)) == ["result", "ruling"]

    @pytest.mark.parametrize(
        ("word", "text"), [(Word.CORRECT, "11-15"), (Word.CORRECT, "11-16"), (Word.CHOOSE, "2")]
    )
    def test_a_claim_stays_when_an_earlier_move_is_corrected(self, word: Word, text: str) -> None:
        table = wronged()
        asked = Unsure(table.time_ms, ("11-15", "11-16"), ply=0)
        table.game = dataclasses.replace(table.game, question=asked)
        assert names(table.say(word, text=text))[:2] == ["corrected", "played"]
        assert names(table.say(Word.CLAIM, RED)) == ["result", "ruling"]

    def test_but_not_when_a_later_one_is_made_with_it(self) -> None:
        table = wronged()
        table.say(Word.CORRECT, text="11-15 23-19 8-11")
        assert isinstance(table.say(Word.CLAIM, RED)[0], Refused)

    def test_nor_when_another_is_made_in_its_place_on_the_board(self) -> None:
        table = wronged()
        table.say(Word.CORRECT)
        assert moves(table.change(RED, {15: ".", 11: "r", 9: ".", 14: "r"})) == ["9-14"]
        assert isinstance(table.say(Word.CLAIM, RED)[0], Refused)

    def test_a_claim_on_time_stays_when_the_move_before_it_is_corrected(self) -> None:
        table = ready()
        table.say(Word.CLOCK, text="1+0")
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {23: ".", 19: "w"})
        table.frame_ms = 1_000
        table.rest(61_000)
        table.say(Word.CORRECT, text="23-18")
        assert names(table.say(Word.CLAIM, WHITE)) == ["result", "ruling"]

    def test_the_correction_of_an_earlier_move_declines_no_offer(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.OFFER_DRAW, WHITE)
        table.say(Word.CORRECT, text="11-16")
        assert isinstance(table.say(Word.REQUEST_COUNT, WHITE)[0], Refused)
        assert names(table.say(Word.ACCEPT_DRAW, RED))[0] == "result"

    def test_another_move_on_the_board_does(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.OFFER_DRAW, WHITE)
        table.say(Word.CORRECT)
        assert moves(table.change(RED, {15: ".", 11: "r", 9: ".", 14: "r"})) == ["9-14"]
        assert isinstance(table.say(Word.ACCEPT_DRAW, RED)[0], Refused)

    def test_so_does_one_from_a_position_that_a_person_has_set(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.OFFER_DRAW, WHITE)
        table.say(Word.CORRECT, text="B:W22,32:B11,1")
        table.setup = table.game.position.setup
        table.rest(2_000)
        assert moves(table.change(RED, {11: ".", 15: "r"})) == ["11-15"]
        assert isinstance(table.say(Word.ACCEPT_DRAW, RED)[0], Refused)

    def test_a_corrected_answer_is_one(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.OFFER_DRAW, RED)
        table.change(WHITE, {22: ".", 18: "w"})
        table.say(Word.CORRECT, text="22-17")
        assert isinstance(table.say(Word.ACCEPT_DRAW, WHITE)[0], Refused)
        assert names(table.say(Word.REQUEST_COUNT, RED)) == ["count_requested", "ruling"]

    def test_what_stood_open_does_so_again_when_the_end_is_taken_back(self) -> None:
        table = wronged()
        table.frame_ms = 1_000
        table.rest(361_000)
        table.say(Word.CLAIM, RED)
        table.say(Word.OVERRULE)
        assert table.game.result is None
        table.say(Word.CLAIM, RED)
        assert table.game.result is not None, "White's time is over too"
        assert isinstance(table.say(Word.CLAIM, RED)[0], Refused)

    def test_so_do_an_offer_and_what_was_proposed(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(RED, {4: "."}, 800)
        table.change(RED, {4: "r"}, 3_000)
        table.say(Word.OFFER_DRAW, RED)
        table.say(Word.RESIGN, WHITE)
        for word in (Word.ACCEPT_DRAW, Word.DECLINE_DRAW, Word.CONFIRM, Word.DISMISS):
            (refused,) = table.say(word)
            assert isinstance(refused, Refused)
            assert refused.reason == "the game is over"
        table.say(Word.CORRECT, text="11-15")
        assert names(table.say(Word.CONFIRM)) == ["ruling"]
        assert names(table.say(Word.ACCEPT_DRAW, WHITE))[0] == "result"

    def test_an_offer_stands_again_when_a_person_takes_the_answer_back(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.OFFER_DRAW, RED)
        table.change(WHITE, {22: ".", 18: "w"})
        table.say(Word.CORRECT)
        assert isinstance(table.say(Word.REQUEST_COUNT, RED)[0], Refused)
        assert names(table.say(Word.ACCEPT_DRAW, WHITE))[0] == "result"


class TestPlayedOut:
    """The last move does not undo what was done wrong with it, or before."""

    def forfeited(self) -> Table:
        table = ready(parse_fen(LAST))
        for _ in range(2):
            table.change(RED, {1: ".", 9: "r"}, 3_000)
            table.change(RED, {9: ".", 1: "r"}, 3_000)
        table.change(RED, {18: ".", 22: ".", 25: "r"}, 3_000)
        assert results(table) == ["1-0"]
        return table

    def test_a_forfeit_is_claimed_that_its_player_has_won_over(self) -> None:
        table = self.forfeited()
        assert isinstance(table.say(Word.CLAIM, RED)[0], Refused)
        assert names(table.say(Word.CLAIM, WHITE)) == ["result", "ruling"]
        assert results(table) == ["1-0", "0-1"]
        (refused,) = table.say(Word.CLAIM, WHITE)
        assert isinstance(refused, Refused)
        assert refused.reason == "the game is over"

    def test_overruled_it_is_won_again(self) -> None:
        table = self.forfeited()
        table.say(Word.CLAIM, WHITE)
        assert names(table.say(Word.OVERRULE)) == ["corrected", "result", "ruling"]
        assert results(table) == ["1-0", "0-1", "1-0"]
        assert isinstance(table.say(Word.CLAIM, WHITE)[0], Refused)

    def test_so_is_a_game_on_time(self) -> None:
        table = ready(parse_fen(LAST))
        table.frame_ms = 1_000
        table.rest(125_000)
        table.frame_ms = 50
        table.change(RED, {18: ".", 22: ".", 25: "r"}, 3_000)
        table.say(Word.CLAIM, WHITE)
        assert results(table) == ["1-0", "0-1"]

    def test_a_touch_move_takes_the_last_move_back_and_the_end(self) -> None:
        table = ready(parse_fen("B:W22:B18,17,1"))
        table.change(RED, {17: "."}, 800)
        table.change(RED, {17: "r"}, 1_500)
        table.change(RED, {18: ".", 22: ".", 25: "r"}, 3_000)
        _, corrected = table.say(Word.CONFIRM)
        assert isinstance(corrected, Corrected)
        assert (corrected.undone, corrected.reopened) == (("18x25",), "1-0")
        table.change(RED, {25: ".", 22: "w", 18: "r"}, 3_000)
        assert moves(table.change(RED, {17: ".", 22: ".", 26: "r"}, 3_000)) == ["17x26"]

    def test_its_ruling_is_about_the_result_whatever_was_proposed_before(self) -> None:
        table = ready(parse_fen("B:W22:B18,17,1"))
        table.change(RED, {17: "."}, 800)
        table.change(RED, {17: "r"}, 1_500)
        told = table.change(RED, {18: ".", 22: ".", 25: "r"}, 3_000)
        assert names(told) == ["played", "proposed", "result", "ruling"]
        (ruling,) = rulings(told)
        assert table.events[ruling.cause].name == "result"

    def test_it_may_be_dismissed_too(self) -> None:
        table = ready(parse_fen("B:W22:B18,17,1"))
        table.change(RED, {17: "."}, 800)
        table.change(RED, {17: "r"}, 1_500)
        table.change(RED, {18: ".", 22: ".", 25: "r"}, 3_000)
        assert names(table.say(Word.DISMISS)) == ["dismissed"]
        assert isinstance(table.say(Word.CONFIRM)[0], Refused)
        assert results(table) == ["1-0"]


class TestGames:
    def test_the_players_change_colours_after_a_game(self) -> None:
        table = ready()
        assert names(table.say(Word.SEATS, text="Anna, Ben")) == ["seated"]
        assert table.game.record().tags == {"Black": "Anna", "White": "Ben"}
        table.say(Word.RESIGN, RED)
        started, reminder = table.say(Word.START)
        assert started.name == "started"
        assert isinstance(reminder, Ruling)
        assert reminder.text == "The next game begins (WCDF 3.1). Ben has Red now and Anna White."
        assert table.game.record().tags == {"Black": "Ben", "White": "Anna"}
        assert names(table.rest(1_500)) == ["ready"]

    def test_a_game_begun_anew_is_no_next_game(self) -> None:
        table = ready()
        table.say(Word.SEATS, text="Anna, Ben")
        assert names(table.say(Word.START)) == ["started"]
        assert table.game.players == ("Anna", "Ben")

    @pytest.mark.parametrize(
        ("code", "said"),
        [
            ("en", "In the next game Ben has Red and Anna White"),
            ("de", "Im nächsten Spiel hat Ben Rot und Anna Weiß"),
        ],
    )
    def test_who_sits_where_after_the_end_is_said_of_the_next_game(
        self, code: str, said: str
    ) -> None:
        table = ready()
        table.say(Word.SEATS, text="Anna, Ben")
        table.say(Word.RESIGN, RED)
        (seated,) = table.say(Word.SEATS, text="Ben, Anna")
        announced = announce(seated, LANGUAGES[code])
        assert announced is not None
        assert announced.text == said

    def test_what_is_said_of_the_event_stands_in_the_record(self) -> None:
        table = ready()
        table.say(Word.SEATS, text="Anna, Ben")
        for word, text in ((Word.EVENT, "Club"), (Word.SITE, "Vienna"), (Word.ROUND, "2")):
            (headed,) = table.say(word, text=text)
            told = {"event": "headed", "tag": word.value.capitalize(), "text": text}
            assert headed.record() == {"time_ms": table.time_ms, **told}
        table.say(Word.EVENT, text="Club evening")
        said = {"Event": "Club evening", "Site": "Vienna", "Round": "2"}
        seats = {"Black": "Anna", "White": "Ben"}
        assert table.game.record({"Event": "?", "Site": "usb:0"}).tags == said | seats

    def test_the_record_says_nothing_of_a_round_that_nobody_named(self) -> None:
        tags = {"Event": "?", "Site": "usb:0"}
        assert ready().game.record(tags).tags == tags

    def test_it_may_be_said_after_the_end_and_stays_in_the_next_game(self) -> None:
        table = ready()
        table.say(Word.RESIGN, RED)
        for word, text in ((Word.EVENT, "Club"), (Word.SITE, "Vienna"), (Word.ROUND, "2")):
            assert names(table.say(word, text=text)) == ["headed"]
        said = {"Event": "Club", "Site": "Vienna", "Round": "2"}
        assert table.game.record().tags == said
        table.say(Word.START)
        assert table.game.record().tags == said
        table.say(Word.ROUND, text="3")
        assert table.game.record().tags == said | {"Round": "3"}

    @pytest.mark.parametrize("text", ["Anna", "Anna,", "Anna, Ben, Cleo"])
    def test_seats_need_two_names(self, text: str) -> None:
        assert isinstance(ready().say(Word.SEATS, text=text)[0], Refused)


class TestClock:
    def table(self, text: str, profile: Profile = WCDF) -> Table:
        table = ready(profile=profile)
        assert names(table.say(Word.CLOCK, text=text)) == ["clock_set"]
        table.frame_ms = 1_000
        return table

    def spent_ms(self, table: Table) -> int:
        clock = table.game.clock
        assert clock is not None
        return clock.spent_ms(RED, table.time_ms)

    def asked(self, profile: Profile) -> Table:
        """Pieces have gone unseen, and the referee has asked about that."""
        table = ready(profile=profile)
        table.setup = replace(table.setup, dict.fromkeys((11, 10, 9), "."))
        table.rest(15_000)
        assert "unsure" in names(table.events)
        return table

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

    def test_one_without_a_button_is_not_pressed(self) -> None:
        assert isinstance(self.table("30/60").say(Word.PRESS, RED)[0], Refused)

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
        table.view = View.COVERED
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
        table.view = View.COVERED
        assert names(table.rest(300_000)) == ["not_watching", "clock_held"]
        table.view = View.CLEAR
        assert names(table.rest(39_000)) == ["watching"]
        assert names(table.rest(5_000))[:1] == ["time_over"]

    @pytest.mark.parametrize("begun", [False, True])
    def test_before_the_game_and_behind_it_nobody_is_told_that_it_stands(self, begun: bool) -> None:
        table = self.table("5+1") if begun else Table(frame_ms=1_000)
        table.say(Word.RESIGN if begun else Word.CLOCK, RED, "" if begun else "5+1")
        table.view = View.COVERED
        assert names(table.rest(300_000)) == ["not_watching"]

    def test_it_stands_from_the_first_moment_without_sight(self) -> None:
        table = self.table("1+1")
        table.frame_ms = 50
        table.rest(10_000)
        spent_ms = self.spent_ms(table)
        table.view = View.DARK
        table.rest(5_000)
        assert self.spent_ms(table) == spent_ms + 50
        table.view = View.CLEAR
        table.rest(1_300)
        (watching,) = [event for event in table.events if event.name == "watching"]
        assert self.spent_ms(table) == spent_ms + 50 + table.time_ms - watching.time_ms

    def test_a_moment_without_sight_does_not_stop_it(self) -> None:
        table = self.table("1+1")
        table.frame_ms = 100
        table.view = View.COVERED
        table.rest(500)
        table.view = View.CLEAR
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

    @pytest.mark.parametrize(("square", "refuses"), [(11, False), (22, True)])
    def test_who_thinks_with_his_man_in_his_hand_refuses_nothing(
        self, square: int, refuses: bool
    ) -> None:
        table = ready()
        table.change(RED, {square: "."}, 6_000)
        table.frame_ms = 1_000
        found = [e for e in table.rest(70_000) if isinstance(e, Proposed)]
        assert [e.conduct for e in found] == [Conduct.NOT_PUT_RIGHT] * refuses

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
        table.view = View.COVERED
        assert names(table.rest(90_000)) == ["not_watching"]
        table.say(Word.PRESS, RED)
        clock = table.game.clock
        assert clock is not None
        assert clock.red.spent_ms == 90_000
        table.say(Word.PRESS, WHITE)
        table.view = View.CLEAR
        assert names(table.rest(2_000)) == ["watching", "time_over", "result", "ruling"]

    def test_overruling_a_warning_leaves_a_game_that_was_claimed_on_time(self) -> None:
        table = self.table("1+0")
        table.frame_ms = 50
        table.change(RED, {11: ".", 18: "r"}, 3_000)
        table.change(RED, {18: ".", 11: "r"}, 3_000)
        table.frame_ms = 1_000
        table.rest(61_000)
        table.say(Word.CLAIM, WHITE)
        (corrected,) = table.say(Word.OVERRULE)
        assert isinstance(corrected, Corrected)
        assert corrected.reopened is None

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

    def test_rules_without_clocks_refuse_one(self) -> None:
        assert isinstance(ready(profile=ONLINE25).say(Word.CLOCK, text="5+1")[0], Refused)

    def test_a_setting_that_is_none_is_refused(self) -> None:
        assert isinstance(ready().say(Word.CLOCK, text="soon")[0], Refused)


class TestHeld:
    """In a lesson a pupil is told where the piece in his hand may go."""

    def lift(self, square: int, ms: int, profile: Profile = LESSONS, fen: str = "") -> Table:
        table = ready(parse_fen(fen) if fen else None, profile=profile)
        table.events.clear()
        table.change(RED, {square: "."}, ms)
        return table

    def texts(self, table: Table) -> list[str]:
        return [ruling.text for ruling in rulings(table.events)]

    def test_while_he_holds_it(self) -> None:
        table = self.lift(11, 1_500)
        assert names(table.events) == ["held", "ruling"]
        assert self.texts(table) == ["11 may go to 15 or 16 (WCDF 3.4)."]

    def test_that_it_cannot_move_and_what_can(self) -> None:
        told = ["1 cannot move now (WCDF 3.4). Move 9, 10, 11 or 12 instead."]
        assert self.texts(self.lift(1, 1_500)) == told

    def test_over_the_board_as_well(self) -> None:
        table = ready(profile=LESSONS)
        table.reach(RED, {11, 15})
        table.setup = replace(table.setup, {11: "."})
        table.reach(RED, {11, 15}, 200)
        table.reach(RED, {18, 22}, 1_500)
        assert self.texts(table) == ["11 may go to 15 or 16 (WCDF 3.4)."]

    def test_but_not_over_where_it_may_stand_already(self) -> None:
        table = ready(profile=LESSONS)
        table.reach(RED, {11, 15})
        table.setup = replace(table.setup, {11: ".", 15: "r"})
        table.reach(RED, {11, 15}, 200)
        table.reach(RED, {15, 18}, 1_500)
        assert "held" not in names(table.events)

    def test_once_of_one_piece_and_anew_of_another(self) -> None:
        table = self.lift(11, 2_000)
        table.change(RED, {11: "r"})
        assert len(rulings(table.events)) == 1
        table.change(RED, {9: "."}, 1_500)
        assert self.texts(table)[1:] == ["9 may go to 13 or 14 (WCDF 3.4)."]
        table.change(RED, {9: "r"})
        table.change(RED, {11: "."}, 1_500)
        assert len(rulings(table.events)) == 3

    def test_the_cause_is_the_number_of_its_event(self) -> None:
        table = ready(profile=LESSONS)
        table.change(RED, {11: "."}, 1_500)
        (ruling,) = rulings(table.events)
        assert table.events[ruling.cause].name == "held"

    def test_nothing_is_said_of_who_plays_at_once(self) -> None:
        table = self.lift(11, 300)
        table.change(RED, {15: "r"})
        assert names(table.events) == ["played"]

    def test_nor_in_the_middle_of_a_capture(self) -> None:
        table = self.lift(14, 300, fen="B:W17,25,12:B14,1,5")
        table.change(RED, {17: "."}, 1_500)
        assert "held" not in names(table.events)

    def test_nor_of_a_hand_that_is_not_the_movers(self) -> None:
        table = ready(profile=LESSONS)
        table.change(WHITE, {22: "."}, 1_500)
        table.change(WHITE, {22: "w", 11: "."}, 1_500)
        assert "held" not in names(table.events)

    def test_nor_to_those_who_only_put_pieces_straight(self) -> None:
        table = ready(profile=LESSONS)
        table.say(Word.ADJUSTING, RED)
        table.change(RED, {11: "."}, 1_500)
        assert "held" not in names(table.events)

    def test_nor_while_nobody_sees_the_board(self) -> None:
        table = self.lift(11, 300)
        table.view = View.COVERED
        table.rest(3_000)
        assert "held" not in names(table.events)

    @pytest.mark.parametrize("profile", [p for p in PROFILES.values() if p is not LESSONS])
    def test_nor_where_no_lesson_is(self, profile: Profile) -> None:
        assert names(self.lift(11, 1_500, profile).events) == []


def test_a_lesson_that_begins_with_a_capture_says_so() -> None:
    for profile, texts in ((LESSONS, ["Red must capture: 14x23 (WCDF 3.7)."]), (WCDF, [])):
        table = ready(parse_fen("B:W18,32:B14,1"), profile=profile)
        assert [ruling.text for ruling in rulings(table.events)] == texts


def test_who_put_a_man_on_anothers_square_is_told_to_put_both_back_and_may_go_on() -> None:
    table = ready()
    table.change(RED, {11: ".", 16: "r"})
    table.change(WHITE, {24: ".", 20: "w"})
    (ruling,) = rulings(table.change(RED, {16: ".", 20: "r"}, 4_000))
    assert "Put the man back on 16, also the piece on 20." in ruling.text
    assert names(table.change(RED, {20: "w", 16: "."}, 300)) == []
    told = table.change(RED, {16: ".", 19: "r"}, 4_000)
    assert names(told) == ["restored", "played"]
    assert moves(told) == ["16-19"]


@pytest.mark.parametrize("profile", [LESSONS, WCDF])
@pytest.mark.parametrize(
    ("text", "due"),
    [
        pytest.param("", "White must capture: 25x18 or 26x17 (WCDF 3.7).", id="back"),
        pytest.param("B:W18,32:B14,1", "Red must capture: 14x23 (WCDF 3.7).", id="position"),
        pytest.param("25x18", "", id="other-move"),
    ],
)
def test_in_a_lesson_that_goes_on_with_a_capture_it_is_told_again(
    text: str, due: str, profile: Profile
) -> None:
    table = ready(profile=profile)
    table.say(Word.OVERRULE, text="11-15 22-18 15x22 26x17")
    events = table.say(Word.CORRECT, text=text)
    told = [ruling for ruling in rulings(events) if ruling.phrase[0] == "must_capture"]
    assert [ruling.text for ruling in told] == ([due] if due and profile is LESSONS else [])
    assert all(table.events[ruling.cause].name == "corrected" for ruling in told)


class TestAdvice:
    """In a lesson what must be captured is told behind what has happened, of where it has led."""

    def told(self, events: list[Event]) -> list[str]:
        return [r.text for r in rulings(events) if r.phrase[0] == "must_capture"]

    @pytest.mark.parametrize("profile", [LESSONS, WCDF])
    def test_after_a_move(self, profile: Profile) -> None:
        table = ready(parse_fen("B:W22,21:B1,14"), profile=profile)
        events = table.change(RED, {14: ".", 18: "r"})
        due = ["White must capture: 22x15 (WCDF 3.7)."] if profile is LESSONS else []
        assert self.told(events) == due
        numbers = [r.cause for r in rulings(events)]
        assert all(table.events[number].name == "played" for number in numbers)

    def test_after_one_that_is_taken_off_the_record(self) -> None:
        table = ready(parse_fen("W:W22,26,K23:B17,18,1"), profile=LESSONS)
        assert self.told(table.change(WHITE, {22: ".", 17: ".", 13: "w"}, 1_500)) == [
            "Red must capture: 18x27 (WCDF 3.7)."
        ]
        events = table.change(WHITE, {13: ".", 22: "w", 17: "r"}, 4_000)
        assert names(events) == ["withdrawn", "ruling"]
        assert self.told(events) == ["White must capture: 22x13, 22x15 or 23x21 (WCDF 3.7)."]
        (ruling,) = rulings(events)
        assert table.events[ruling.cause].name == "withdrawn"

    def test_not_of_a_move_that_has_been_made_already(self) -> None:
        """Red has answered 10-7, which was held until he takes up his new king."""
        table = ready(parse_fen("B:W32,10,20,K3:B22,26,2,12"), profile=LESSONS)
        table.change(RED, {26: ".", 31: "r"})
        table.change(WHITE, {10: ".", 7: "w"}, 3_000)
        events = table.change(RED, {2: ".", 7: ".", 11: "r"}, 2_500)
        assert moves(events) == ["10-7", "2x11"]
        assert self.told(events) == []

    def test_once_of_several_moves_that_a_person_enters(self) -> None:
        table = ready(profile=LESSONS)
        events = table.say(Word.OVERRULE, text="11-15 22-18 15x22")
        assert self.told(events) == ["White must capture: 25x18 or 26x17 (WCDF 3.7)."]
        (ruling,) = rulings(events)
        assert table.events[ruling.cause].record()["move"] == "15x22"

    @pytest.mark.parametrize(
        ("white", "english", "german"),
        [
            pytest.param(
                "32,10,20,K3",
                "32 may go to 27 or 28 (WCDF 3.4). First crown the man on 31.",
                "32 darf nach 27 oder 28 (WCDF 3.4). Kröne zuerst den Stein auf 31.",
                id="may",
            ),
            pytest.param(
                "32,10,27,28",
                "32 cannot move now (WCDF 3.4). First crown the man on 31, then move 10, 27 or 28.",
                "32 kann jetzt nicht ziehen (WCDF 3.4)."
                " Kröne zuerst den Stein auf 31 und ziehe dann mit 10, 27 oder 28.",
                id="cannot",
            ),
        ],
    )
    def test_what_to_do_first_where_a_crown_is_awaited(
        self, white: str, english: str, german: str
    ) -> None:
        table = ready(parse_fen(f"B:W{white}:B22,26,2,12"), profile=LESSONS)
        table.change(RED, {26: ".", 31: "r"})
        (ruling,) = rulings(table.change(WHITE, {32: "."}, 1_500))
        assert ruling.text == english
        assert in_words(ruling, LANGUAGES["de"]) == german
        table.change(WHITE, {32: "w"})
        table.change(WHITE, {31: "R"}, 2_500)
        table.change(WHITE, {10: "."}, 1_500)
        assert rulings(table.events)[-1].text == "10 may go to 6 or 7 (WCDF 3.4)."


def test_no_move_that_a_person_enters_is_praised() -> None:
    position = parse_fen("B:W18,26,17,5,32:B14")
    table = ready(position, profile=LESSONS)
    made = table.change(RED, {14: ".", 18: ".", 26: ".", 30: "r"}, 4_000)
    assert "praise" in [ruling.phrase[0] for ruling in rulings(made)]
    for entered in (
        table.say(Word.CORRECT, text="14x30"),
        ready(position, profile=LESSONS).say(Word.OVERRULE, text="14x30"),
    ):
        assert moves(entered) == ["14x30"]
        assert "praise" not in [ruling.phrase[0] for ruling in rulings(entered)]


class TestPlayingOn:
    """Beside discs that people were told to put right."""

    CROWNED = parse_fen("B:W10,32,21:B22,25,1")

    def test_a_crown_that_nobody_has_earned_is_not_in_order(self) -> None:
        table = ready(self.CROWNED)
        table.rest(3_000)
        assert kinds(table.change(WHITE, {22: "R"}, 5_000)) == ["crown_unearned"]
        assert names(table.change(RED, {1: ".", 5: "r"}, 4_000)) == ["played"]
        told = table.change(WHITE, {32: ".", 28: "w"}, 4_000)
        assert names(told) == ["played"]

    def test_who_put_it_on_is_named_and_refuses_nothing(self) -> None:
        """The eye may see the rank of a man wrongly for ever where he stands."""
        table = ready(self.CROWNED)
        table.rest(3_000)
        told = table.change(WHITE, {22: "R"}, 5_000)
        assert [ruling.side for ruling in rulings(told)] == [WHITE]
        assert not table.rest(70_000, Hand(RED, (22,)))

    def test_it_is_when_it_is_taken_off_first(self) -> None:
        table = ready(self.CROWNED)
        table.rest(3_000)
        table.change(WHITE, {22: "R"}, 5_000)
        assert names(table.change(WHITE, {22: "r"})) == ["restored"]
        assert names(table.change(RED, {1: ".", 5: "r"}, 4_000)) == ["played"]

    def test_nor_is_a_disc_beside_the_squares(self) -> None:
        table = ready()
        table.reach(WHITE, {22}, 500)
        table.loose = (LooseDisc((4, 4), WHITE),)
        assert kinds(table.rest(9_000)) == ["off_square"]
        told = names(table.change(RED, {11: ".", 15: "r"}, 4_000))
        assert "played" in told
        assert "restored" not in told


def test_whose_crown_nobody_has_earned_is_said_where_another_man_has_one() -> None:
    table = ready(TestPlayingOn.CROWNED)
    table.rest(3_000)
    table.change(RED, {25: ".", 30: "r"}, 3_000)
    (ruling,) = rulings(table.change(WHITE, {22: "R"}, 5_000))
    assert ruling.text == (
        "No man has earned a crown on 22 (WCDF 3.8). Take the upper disc off 22."
    )


def test_only_the_opponent_crowns() -> None:
    for side, told in ((RED, ["WCDF 3.9"]), (WHITE, [])):
        table = ready(parse_fen("B:W21:B27"))
        table.change(RED, {27: ".", 32: "r"})
        events = table.change(side, {32: "R"})
        assert "crowned" in names(events)
        assert [ruling.rule for ruling in rulings(events)] == told


def test_who_moves_the_other_players_man_is_warned_once_a_person_confirms_it() -> None:
    table = ready()
    for verdict in ("warning", "forfeit"):
        table.change(RED, {22: ".", 18: "w"}, 4_000)
        ruling = rulings(table.say(Word.CONFIRM))[-1]
        assert (ruling.side, ruling.rule, ruling.verdict.value) == (RED, "WCDF 4.3", verdict)
        table.change(RED, {18: ".", 22: "w"}, 4_000)
    table.say(Word.CLAIM, WHITE)
    assert results(table) == ["0-1"]


@pytest.mark.parametrize(
    ("word", "text"), [(Word.START, ""), (Word.SET_POSITION, fen(Position.start()))]
)
def test_a_pause_outlasts_the_beginning_of_a_game(word: Word, text: str) -> None:
    table = ready()
    table.say(Word.PAUSE)
    assert names(table.say(word, text=text)) == ["started"]
    assert table.rest(5_000) == []
    table.say(Word.RESUME)
    assert names(table.rest(2_000)) == ["watching", "ready"]


def test_pausing_looks_away() -> None:
    table = ready()
    assert names(table.say(Word.PAUSE)) == ["not_watching"]
    assert not table.change(WHITE, {22: ".", 18: "w"}, 4_000)
    table.setup = START
    table.say(Word.RESUME)
    assert names(table.rest(2_000)) == ["watching"]


def test_every_ruling_names_its_cause() -> None:
    table = ready()
    table.change(WHITE, {22: ".", 18: "w"}, 3_000)
    (ruling,) = rulings(table.events)
    assert table.events[ruling.cause].name == "irregular"
    assert "It is Red's turn" in ruling.text


def test_records_are_plain() -> None:
    table = ready()
    table.change(WHITE, {22: ".", 18: "w"}, 3_000)
    ruling = next(e for e in table.events if isinstance(e, Ruling)).record()
    assert ruling["verdict"] == "warning"
    assert ruling["side"] == "white"
    assert Command(5, Word.RESIGN, Side.RED).record() == {
        "time_ms": 5,
        "command": "resign",
        "side": "red",
        "text": "",
        "origin": "",
    }


def inputs(seed: int, plies: int) -> list[Observation]:
    """A random game under hands, frame by frame."""
    rng, position, time_ms, seen = random.Random(seed), Position.start(), 0, list[Observation]()

    def show(setup: str, frames: int, hands: tuple[Hand, ...] = ()) -> None:
        nonlocal time_ms
        for _ in range(frames):
            time_ms += rng.randint(70, 130)
            seen.append(Observation(time_ms, certain(setup), hands))

    show(START, 12)
    for _ in range(plies):
        if not (lawful := lawful_moves(position)):
            break
        move = rng.choice(lawful)
        covered = {*move.path, *move.captured}
        now = after(position, move)
        hidden = replace(position.setup, dict.fromkeys(covered, "?"))
        show(hidden, 4, (Hand(position.turn, tuple(sorted(covered))),))
        show(now.setup, 8)
        position = now
    return seen


@pytest.mark.parametrize("seed", range(3))
def test_a_random_game_is_recorded_whole(seed: int) -> None:
    game, frames = games.begin(), inputs(seed, 80)
    for frame in frames:
        game, _ = games.feed(game, frame)
    assert certain(game.position.setup) == frames[-1].evidence
    text = write_pdn(game.record({"Event": "Test"}))
    (record,) = parse_pdn(text)
    assert record.failure is None
    assert record.game.moves == game.moves


def test_the_same_inputs_give_the_same_events() -> None:
    frames = inputs(5, 30)
    runs = []
    for _ in range(2):
        game, events = games.begin(), list[object]()
        for frame in frames:
            game, more = games.feed(game, frame)
            events += [event.record() for event in more]
        runs.append(events)
    assert runs[0] == runs[1]
    assert len(runs[0]) > 20


TEXTS = (
    *("", "1", "3", "11-15", "9-14 22-18", "22x15", "B:W18,32:B14,1", "W:W32:BK1", "Anna, Ben"),
    *("1-0", "5+1", "1/1 button", "1+0", "off", "x", "11-15 99-1"),
)
said = st.builds(
    Command,
    st.just(0),
    st.sampled_from(Word),
    st.sampled_from([None, *Side]),
    st.sampled_from(TEXTS),
)


@given(st.lists(said, max_size=25), st.sampled_from(list(PROFILES.values())))
def test_whatever_people_say_the_game_goes_on(words: list[Command], profile: Profile) -> None:
    """Nothing breaks, events are counted, each can be said, and the same again gives the same."""
    runs = []
    for _ in range(2):
        game, events, time_ms = games.begin(profile=profile), list[Event](), 0
        for word in words:
            for given_input in (
                *(Observation(time_ms + 250 * n, certain(game.position.setup)) for n in (1, 2, 3)),
                dataclasses.replace(word, time_ms=time_ms + 900),
            ):
                game, more = games.feed(game, given_input)
                events += more
            time_ms += 40_000
        assert game.count == len(events)
        runs.append([event.record() for event in events])
    assert runs[0] == runs[1]
    assert json.loads(json.dumps(runs[0])) == runs[0]
    for event in events:
        for language in LANGUAGES.values():
            text = announce(event, language)
            assert text is None or "{" not in text.text


def test_feeding_leaves_the_old_game_as_it_was() -> None:
    old = games.begin()
    games.feed(old, Observation(100, certain(EMPTY * 32)))
    assert old == games.begin()


def test_nobody_is_accused_of_what_no_hand_was_seen_to_do() -> None:
    table = ready()
    table.strength = 1_200
    table.setup = replace(table.setup, {22: ".", 18: "w"})
    assert names(table.rest(15_000)) == ["unsure", "clock_held"]


class TestPlayGoesOn:
    """...although what was announced has not been put right."""

    def test_a_jumped_piece_that_both_let_lie_is_not_in_order(self) -> None:
        table = ready(parse_fen("W:W22,30,32,29:B18,11,1,3"))
        told = table.change(WHITE, {22: ".", 8: "w", 18: "."}, 4_000)
        assert kinds(told) == ["jumped_piece_left"]
        table.change(RED, {3: ".", 12: "r", 8: "."}, 4_000)
        went_on = table.change(WHITE, {30: ".", 26: "w"}, 4_000)
        assert moves(went_on) == ["22x8", "3x12", "30-26"]
        assert "restored" not in names(went_on)
        asked = [event for event in went_on if isinstance(event, Unsure)]
        assert [event.squares for event in asked] == [(11,)]
        assert not [each for each in table.rest(70_000) if isinstance(each, (Ruling, Proposed))]

    def test_a_crown_that_both_forget_is_called_for_again(self) -> None:
        table = ready(parse_fen("B:W32,21,20,K3:B26,12,5,6"))
        table.change(RED, {26: ".", 31: "r"}, 2_500)
        held = table.change(WHITE, {21: ".", 17: "w"}, 4_000)
        assert [(each.verdict, each.side) for each in rulings(held)] == [(Verdict.NOTICE, WHITE)]
        went_on = table.change(RED, {5: ".", 9: "r"}, 4_000)
        assert moves(went_on) == ["21-17", "5-9"]
        assert "restored" not in names(went_on)
        assert [each.phrase[0] for each in rulings(went_on)] == ["crown_wanted"]

    def test_who_obeys_refuses_nothing_though_the_other_takes_a_piece_off(self) -> None:
        table = ready()
        assert kinds(table.change(RED, {11: ".", 19: "r"}, 3_000)) == ["illegal_step"]
        table.change(WHITE, {9: "."}, 6_000)
        missing = table.change(RED, {19: ".", 11: "r"}, 70_000)
        removed = [event for event in missing if isinstance(event, Irregular)]
        assert [(e.kind.value, e.squares) for e in removed] == [("piece_removed", (9,))]
        assert not [event for event in missing if isinstance(event, Proposed)]

    def test_nor_while_another_square_cannot_be_read(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 19: "r"}, 3_000)
        table.misread[9] = (300, 0, 0, 0, 250)
        assert table.change(RED, {19: ".", 11: "r"}, 70_000) == []

    def test_a_disc_that_lies_about_still_is_not_put_right_by_another_on_its_square(self) -> None:
        table = ready()
        table.loose = (LooseDisc((3, 5), RED),)
        assert kinds(table.change(RED, {11: "."}, 5_000)) == ["off_square"]
        refused = table.change(RED, {11: "r"}, 70_000)
        assert [each.conduct for each in refused if isinstance(each, Proposed)] == [
            Conduct.NOT_PUT_RIGHT
        ]


class TestNobodyIsAccused:
    def test_who_puts_his_capture_back_beside_what_he_jumped_has_moved_no_piece(self) -> None:
        table = ready(parse_fen("B:W15,31:B11,1"))
        table.misread[15] = (-330, 0, -600, -330, -900)  # a lamp: as good as a red man
        played = table.change(RED, {11: ".", 18: "r"}, 6_000)
        assert moves(played) == ["11x18"]
        assert kinds(table.change(RED, {18: ".", 11: "r"}, 6_000)) == []

    def test_a_hand_has_not_crowned_who_looked_so_long_before_it_came(self) -> None:
        table = ready()
        table.reach(RED, (7, 10, 11), 200)
        table.misread[10] = certain("R", 800)[0]  # the arm's shadow, and then a lamp
        assert moves(table.change(RED, {11: ".", 15: "r"}, 8_000)) == ["11-15"]
        table.reach(WHITE, (10, 14, 18, 22), 400)
        assert kinds(table.rest(6_000)) == []

"""Claims, offers and counts, and what later moves make of them."""

from __future__ import annotations

import dataclasses

import pytest

from referee.commands import Word
from referee.events import Refused, Unsure
from referee.notation import parse_fen
from tests.table import RED, WHITE, moves, names, ready, wronged


class TestClaims:
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

"""How games end, by the board or by words, and ends that are taken back."""

from __future__ import annotations

import pytest

from referee.board import Side
from referee.commands import Word
from referee.events import Corrected, Otherwise, Refused, Result
from referee.notation import parse_fen, write_pdn
from referee.profiles import US
from tests.table import RED, WHITE, Table, moves, names, ready, results, rulings

LAST = "B:W22:B18,1"
"""Red takes White's only man."""


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

    def test_the_record_says_why_a_game_ended_whose_moves_do_not_tell(self) -> None:
        table = ready(parse_fen("B:W22:B18,1"))
        table.say(Word.RESIGN, WHITE)
        assert "{White resigns (WCDF 6.1). Red wins.} 1-0" in write_pdn(table.game.record())
        table.say(Word.CORRECT)
        assert "{" not in write_pdn(table.game.record())
        table.say(Word.RESULT, text="1/2-1/2")
        assert "{" not in write_pdn(table.game.record())

    def test_the_record_of_a_game_that_was_played_out_needs_no_word(self) -> None:
        table = ready(parse_fen(LAST))
        table.change(RED, {18: ".", 22: ".", 25: "r"})
        assert write_pdn(table.game.record()).endswith("1. 18x25 1-0\n")

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

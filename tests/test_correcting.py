"""The record, corrected by a person."""

from __future__ import annotations

import pytest

from referee import game as games
from referee.announcer import announce
from referee.arbiter import Tally
from referee.board import START, Side, replace
from referee.commands import Word
from referee.events import Corrected, Otherwise, Refused, Result
from referee.notation import fen, parse_fen, parse_pdn, write_pdn
from referee.rules import Position
from tests.table import RED, WHITE, Table, at_fen, kinds, moves, names, ready, rulings


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
        assert table.game.tracker.correction.unchecked
        assert names(table.rest(5_000)) == []
        assert not table.game.tracker.correction.unchecked
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

    def test_a_count_that_was_asked_for_behind_a_position_goes_on_without_it(self) -> None:
        table = at_fen("B:WK32,K31,K30:BK1,K2")
        table.change(RED, {1: ".", 5: "R"})
        table.say(Word.OFFER_DRAW, RED)
        table.say(Word.DECLINE_DRAW)
        table.say(Word.CORRECT, text="W:WK32,K31,K30:BK5,K2")
        table.say(Word.REQUEST_COUNT, RED)
        table.say(Word.CORRECT)
        assert moves(table.events) == ["1-5"]
        assert table.game.arbiter.tally == Tally(RED, since=1)

    def test_a_position_that_was_set_by_mistake_is_taken_back(self) -> None:
        """As if it had never been set: the record is one game, and warnings count as they did."""
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(RED, {9: ".", 14: "r"}, 4_000)
        table.change(RED, {9: "r", 14: "."}, 1_000)
        before = table.game
        assert before.arbiter.convictions
        table.say(Word.CORRECT, text="W:W13:B6,9")
        assert table.game.result is not None, "White has no move there"
        assert names(table.say(Word.CORRECT)) == ["corrected"]
        assert table.game.record() == before.record()
        assert (table.game.former, table.game.arbiter) == ((), before.arbiter)
        assert moves(table.change(WHITE, {22: ".", 18: "w"})) == ["22-18"]
        assert len(table.game.arbiter.history.plies) == len(table.game.moves) == 2

    def test_so_is_one_before_which_nothing_was_played(self) -> None:
        table = ready()
        table.say(Word.CORRECT, text="W:W:B14")
        assert table.game.result is not None, "White has no piece there"
        assert names(table.say(Word.CORRECT)) == ["corrected"]
        assert table.game.record() == ready().game.record()
        assert moves(table.change(RED, {11: ".", 15: "r"})) == ["11-15"]

    def test_of_several_that_were_set_in_a_row_each_is(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        for text in ("B:W18:B14", "W:W18:B15", "W:W22:B15"):
            table.say(Word.CORRECT, text=text)
        assert table.game.lengths == (1, 0), "what nothing was played from is no part of the record"
        led_to = [table.say(Word.CORRECT)[0] for _ in range(3)]
        fens = [event.fen for event in led_to if isinstance(event, Corrected)]
        assert fens[:2] == ["W:W18:B15", "B:W18:B14"]
        assert moves(table.change(WHITE, {22: ".", 18: "w"})) == ["22-18"]
        assert table.game.lengths == (2,)

    def test_what_was_counted_and_declined_behind_it_has_nothing_to_do_with_that(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.CORRECT, text=fen(table.game.position))
        table.say(Word.OFFER_DRAW, RED)
        table.say(Word.DECLINE_DRAW, WHITE)
        table.change(WHITE, {24: ".", 16: "w"}, 3_000)
        table.change(WHITE, {24: "w", 16: "."}, 3_000)
        counted = table.game.arbiter.convictions
        assert [each.side for each in counted] == [WHITE]
        (corrected,) = table.say(Word.CORRECT)
        assert isinstance(corrected, Corrected)
        assert not corrected.overruled
        assert table.game.arbiter.convictions == table.game.arbiter.lately == counted
        assert names(table.say(Word.REQUEST_COUNT, RED)) == ["count_requested", "ruling"]

    @pytest.mark.parametrize("text", ["", "again"])
    def test_nor_does_what_was_overruled_behind_it_come_back(self, text: str) -> None:
        """A warning of the part before, with another behind it that stands, or without."""
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {24: ".", 16: "w"}, 3_000)
        table.change(WHITE, {24: "w", 16: "."}, 3_000)
        (warned,) = table.game.arbiter.convictions
        table.say(Word.CORRECT, text=fen(table.game.position))
        table.say(Word.OVERRULE)
        if text:
            table.change(WHITE, {23: ".", 15: "w"}, 3_000)
            table.change(WHITE, {23: "w", 15: "r"}, 3_000)
        table.say(Word.CORRECT)
        assert warned not in table.game.arbiter.convictions
        assert len(table.game.arbiter.convictions) == bool(text)

    def test_behind_the_first_move_from_it_that_move_is_taken_back(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.CORRECT, text=fen(table.game.position))
        table.change(WHITE, {22: ".", 18: "w"})
        assert names(table.say(Word.CORRECT)) == ["corrected"]
        assert [len(game.moves) for game in table.game.records()] == [1, 0]

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

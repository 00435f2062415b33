"""Boards out of order that the players, or a person, let stand."""

from __future__ import annotations

import dataclasses

import pytest

from referee.announcer import announce
from referee.arbiter import Conviction
from referee.board import SQUARES, at
from referee.commands import Word
from referee.events import Conduct, Corrected, Refused
from referee.notation import fen, parse_fen
from referee.observation import Hand, Visibility
from referee.profiles import WCDF
from referee.rules import Position, lawful_moves
from referee.ruling import convictions
from tests.table import RED, WHITE, Table, kinds, moves, names, ready, results, rulings


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

    def test_in_a_problem_set_up_by_hand_the_look_tells_who_is_a_king(self) -> None:
        table = ready()
        problem = parse_fen("B:W18,27,31,K21:BK1,14,K10")
        for square in SQUARES:
            if at(table.setup, square) != at(problem.setup, square):
                table.change(WHITE, {square: at(problem.setup, square)}, 100)
        table.rest(4_000)
        assert self.let_stand(table, "red").fen == fen(problem)

    def test_moves_that_were_all_put_back_are_taken_off_the_record(self) -> None:
        table = ready(self.MISSED)
        table.change(RED, {14: ".", 18: ".", 23: "r"})
        table.change(WHITE, {32: ".", 28: "w"})
        table.change(RED, {1: ".", 6: "r"})
        table.setup = self.MISSED.setup
        table.rest(700, Hand(WHITE, (1, 6, 14, 18, 23, 28, 32)))
        table.rest(2_000)
        corrected = self.let_stand(table)
        assert corrected.undone == ("1-6", "32-28", "14x23")
        assert not table.game.moves
        assert table.game.position == self.MISSED
        assert len(table.game.records()) == 1

    def test_more_than_people_show_on_the_board_are_not(self) -> None:
        first = parse_fen("B:W21,22,23,24,25,27,28,29,30,31,32:B1,2,3,4,5,7,8,11,12,14,15")
        table = ready(first)
        for _ in range(12):
            table.say(Word.OVERRULE, text=str(lawful_moves(table.game.position)[0]))
        table.setup = table.game.position.setup
        table.rest(2_000)
        table.change(WHITE, dict(zip(SQUARES, first.setup, strict=True)), 15_000)
        assert not self.let_stand(table).undone

    @pytest.mark.parametrize(("king", "man", "stands"), [(0, 5, "K14"), (-400, 0, "14")])
    def test_a_king_stays_one_there_unless_he_plainly_looks_none(
        self, king: int, man: int, stands: str
    ) -> None:
        """Many squares differ, as where captures were not followed."""
        table = ready(parse_fen("B:WK18,32:B1,2,3,5,6,9,10,11,12"))
        gone = dict.fromkeys((18, 1, 2, 5, 6, 9, 10, 11, 12), ".")
        table.misread = {14: (-900, -900, -900, man, king)}
        table.change(WHITE, {**gone, 14: "W"}, 15_000)
        assert self.let_stand(table, "red").fen == f"B:W{stands},32:B3"

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

    @pytest.mark.parametrize("way", ["hand", "lost", "pause"])
    def test_where_what_is_wrong_cannot_be_seen_nothing_else_is_overruled(self, way: str) -> None:
        table = ready()
        table.change(RED, {11: ".", 17: "r"}, 3_000)
        if way == "hand":
            table.reach(WHITE, [11, 17])
        elif way == "lost":
            table.visibility = Visibility.LOST
            table.rest(5_000)
        else:
            table.say(Word.PAUSE)
        (refused,) = table.say(Word.OVERRULE)
        assert isinstance(refused, Refused)
        assert table.game.arbiter.count(RED, "impossible move") == 1

    def test_a_refusal_that_was_proposed_is_dropped(self) -> None:
        table = ready()
        table.frame_ms = 200
        table.change(WHITE, {22: ".", 18: "w"}, 90_000)
        assert table.game.arbiter.proposals
        self.let_stand(table)
        assert not table.game.arbiter.proposals

    def test_behind_a_wrong_correction_it_is_the_board_that_stands_and_no_ruling_goes(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 13: "w"}, 4_000)
        table.change(WHITE, {22: "w", 13: "."}, 4_000)
        assert table.game.arbiter.count(WHITE, "impossible move") == 1
        assert "otherwise" in names(table.say(Word.CORRECT, text="9-13"))
        table.rest(4_000)
        self.let_stand(table)
        assert table.game.position.setup == table.setup
        assert table.game.arbiter.count(WHITE, "impossible move") == 1

    def test_so_is_one_to_put_it_right(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 18: "r"}, 4_000)
        table.frame_ms = 1_000
        table.rest(62_000)
        table.say(Word.CONFIRM)
        assert table.game.arbiter.claims
        self.let_stand(table)
        assert not table.game.arbiter.claims
        assert table.game.arbiter.count(RED, "refusal") == 0
        assert not table.game.arbiter.proposals

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
        assert refused.reason == "nothing has been ruled that could be taken back"
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
        assert refused.reason == "the last ruling has been taken back already"
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

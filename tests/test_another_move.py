"""Moves that the players put back themselves to play others."""

from __future__ import annotations

import pytest

from referee.board import SQUARES, Side, replace
from referee.commands import Word
from referee.events import Irregular, Refused, Unsure
from referee.notation import parse_fen
from referee.observation import HIDDEN, Hand, LooseDisc, Visibility
from referee.rules import Position, after, lawful_moves
from referee.tracking import instead
from tests.looks import RED_CLEARLY
from tests.table import RED, WHITE, Table, at_fen, kinds, moves, names, ready, rulings


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


def test_what_nobody_saw_leave_and_come_back_was_played_in_place_of_nothing() -> None:
    """White's hand has moved the king that has just jumped his: 6-1 15-10 1-6 10x1 would look the
    same."""
    table = at_fen("W:WK3,K6,7:BK15", frame_ms=100)
    table.change(WHITE, {6: ".", 10: "W"})
    table.change(RED, {15: ".", 10: ".", 6: "R"})
    table.change(WHITE, {6: ".", 1: "R"}, 6_000)
    assert moves(table.events) == ["6-10", "15x6"]
    assert "withdrawn" not in names(table.events)
    assert len(kinds(table.events)) == 1


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
    def test_it_goes_on_record_and_is_asked_about(self, gap_ms: int) -> None:
        table = self.replaced(gap_ms)
        assert names(table.events)[-3:] == ["withdrawn", "played", "unsure"]
        (asked,) = (e for e in table.events if isinstance(e, Unsure))
        assert (asked.candidates, asked.ply) == (("23-19", "22-18"), 1)
        assert asked.instead
        assert asked.is_of_the_way, "the game goes on"
        assert not rulings(table.events)
        assert not table.rest(20_000)
        assert self.record(table) == ["11-15", "23-19"]

    def test_who_rests_his_hand_where_he_has_put_it_back_has_not_moved_out_of_turn(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 17: "w"}, 2_000)
        table.reach(WHITE, {22}, 200)
        table.setup = replace(table.setup, {17: "."})
        table.reach(WHITE, {22}, 400)
        table.reach(WHITE, {17, 22, 24, 20}, 300)
        table.setup = replace(table.setup, {22: "w", 24: ".", 20: "w"})
        assert not kinds(table.rest(5_000, Hand(WHITE, (17, 22))))
        assert not kinds(table.rest(2_000))
        assert moves(table.events)[-1] == "24-20"

    def test_while_a_square_elsewhere_cannot_be_seen_that_stays_so(self) -> None:
        table = self.replaced()
        table.misread = {1: HIDDEN}
        assert not table.rest(20_000)

    def test_an_unlawful_answer_is_told_behind_the_move_that_it_answers(self) -> None:
        table = self.replaced()
        told = table.change(RED, {9: ".", 17: "r"}, 6_000)
        assert kinds(told) == ["illegal_step"]
        assert self.record(table) == ["11-15", "23-19"]
        assert names(table.change(RED, {9: "r", 17: "."})) == ["restored"]

    def test_so_is_a_man_left_standing_that_was_jumped_from_where_it_had_come(self) -> None:
        """White plays 20-16 in place of 28-24; Red jumps him, to 20, and leaves him there."""
        table = at_fen("W:W20,28:B11,3")
        table.change(WHITE, {28: ".", 24: "w"}, 3_000)
        table.change(WHITE, {24: ".", 28: "w"}, 600)
        table.change(WHITE, {20: ".", 16: "w"}, 3_000)
        told = table.change(RED, {11: ".", 20: "r"}, 8_000)
        assert kinds(told) == ["jumped_piece_left"]
        table.change(RED, {16: "."})
        assert self.record(table) == ["20-16", "11x20"]

    def test_so_is_one_that_ends_where_the_move_was_that_went_back(self) -> None:
        """White plays 23-19 in place of 22-18, Red's man goes from 9 to 18."""
        table = self.replaced()
        told = table.change(RED, {9: ".", 18: "r"}, 6_000)
        assert kinds(told) == ["illegal_step"]
        assert self.record(table) == ["11-15", "23-19"]

    @pytest.mark.parametrize(
        ("side", "changes", "told"),
        [
            (RED, {32: ".", 18: "w"}, "piece_displaced"),
            (RED, {22: ".", 18: "w"}, "piece_displaced"),
            (WHITE, {22: ".", 18: "w"}, "wrong_turn"),
        ],
    )
    def test_so_is_what_makes_the_board_look_in_part_as_the_move_did_that_went_back(
        self, side: Side, changes: dict[int, str], told: str
    ) -> None:
        table = self.replaced()
        assert kinds(table.change(side, changes, 6_000)) == [told]

    @pytest.mark.parametrize("side", [RED, WHITE])
    def test_so_is_the_piece_in_question_when_a_player_has_taken_it_off(self, side: Side) -> None:
        """At first he may be about to put it back for the mover, who may think with it in hand."""
        table = self.replaced()
        assert not kinds(table.change(side, {22: "."}, 1_500))
        assert kinds(table.rest(3_000)) == ["piece_removed"]
        table.change(side, {22: "w"}, 1_500)
        assert self.record(table) == ["11-15", "23-19"]

    @pytest.mark.parametrize(
        ("side", "changes", "told"),
        [
            (WHITE, {14: "r"}, "piece_added"),
            (RED, {21: "."}, "piece_removed"),
            (RED, {9: ".", 17: "r"}, "illegal_step"),
        ],
    )
    def test_so_is_what_is_done_before_the_board_has_lain_still(
        self, side: Side, changes: dict[int, str], told: str
    ) -> None:
        table = self.replaced(rest_ms=300)
        assert kinds(table.change(side, changes, 4_000)) == [told]
        assert self.record(table) == ["11-15", "23-19"]

    def test_but_not_if_the_other_player_has_put_the_move_back(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.change(RED, {18: ".", 22: "w"}, 0)
        table.change(WHITE, {23: ".", 19: "w"}, 300)
        table.change(RED, {21: "."}, 4_000)
        assert self.record(table) == ["11-15", "22-18"]

    @pytest.mark.parametrize("side", [RED, WHITE])
    @pytest.mark.parametrize("bare", [True, False])
    def test_a_disc_knocked_off_its_square_meanwhile_is_told_of_once(
        self, side: Side, bare: bool
    ) -> None:
        """Red's man on 4 lies on the light cell beside it, or half over the edge."""
        table = self.replaced()
        table.reach(side, {4})
        if bare:
            table.setup = replace(table.setup, {4: "."})
            table.loose = (LooseDisc((0, 6), RED),)
        else:
            table.offsets = {4: (-420, 0)}
        told = table.rest(9_000)
        assert [(e.kind.value, e.squares) for e in told if isinstance(e, Irregular)] == [
            ("off_square", (4,))
        ]
        table.offsets, table.loose = {}, ()
        table.change(side, {4: "r"})
        assert self.record(table)[:1] == ["11-15"]
        table.change(RED, {9: ".", 14: "r"})
        assert self.record(table) == ["11-15", "23-19", "9-14"]

    @pytest.mark.parametrize(
        ("changes", "told"),
        [
            ({14: "r"}, "piece_added"),
            ({9: "."}, "piece_removed"),
            ({32: ".", 20: "w"}, "piece_displaced"),
        ],
    )
    def test_so_is_what_the_mover_himself_does_besides(
        self, changes: dict[int, str], told: str
    ) -> None:
        table = self.replaced()
        (event,) = (e for e in table.change(WHITE, changes, 6_000) if isinstance(e, Irregular))
        assert (event.kind.value, event.side) == (told, WHITE)
        assert self.record(table) == ["11-15", "23-19"]

    def test_who_puts_one_of_them_back_does_not_answer(self) -> None:
        table = self.replaced()
        told = table.change(RED, {19: ".", 23: "w"}, 6_000)
        assert "played" not in names(told)
        assert self.record(table) == ["11-15", "23-19"]

    @pytest.mark.parametrize("back_ms", [0, 400])
    def test_it_may_be_another_of_the_same_man(self, back_ms: int) -> None:
        """White takes the man up again from 18 and puts him on 17; he rests on 22 or does not."""
        table = self.replaced(back_ms, start=22, end=17)
        (asked,) = (e for e in table.events if isinstance(e, Unsure))
        assert asked.candidates == ("22-17", "22-18")
        assert not kinds(table.events)
        assert not rulings(table.events)
        table.change(RED, {9: ".", 14: "r"})
        assert self.record(table) == ["11-15", "22-17", "9-14"]

    def test_a_disc_seen_where_no_hand_was_does_not_keep_it_from_being_asked_about(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.misread = {13: RED_CLEARLY}
        table.rest(1_000)
        table.change(WHITE, {18: ".", 22: "w"}, 600)
        table.change(WHITE, {23: ".", 19: "w"}, 3_000)
        (asked,) = (e for e in table.events if isinstance(e, Unsure) and e.candidates)
        assert asked.candidates == ("23-19", "22-18")
        assert not kinds(table.events)
        table.change(RED, {9: ".", 14: "r"}, 3_000)
        assert self.record(table) == ["11-15", "23-19", "9-14"]

    def test_but_not_if_the_other_player_has_put_him_there(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        told = table.change(RED, {18: ".", 17: "w"}, 3_000)
        assert kinds(told) == ["piece_displaced"]
        assert self.record(table) == ["11-15", "22-18"]

    def test_so_they_have_where_the_board_never_lies_still_for_long(self) -> None:
        """Four moves follow, each within a moment of the one before."""
        table = self.replaced(2_000)
        steps = (RED, 9, 14), (WHITE, 26, 23), (RED, 8, 11), (WHITE, 30, 26)
        for side, start, end in steps:
            piece = table.setup[start - 1]
            table.reach(side, {start, end}, 600)
            table.setup = replace(table.setup, {start: ".", end: piece})
            table.reach(side, {start, end}, 600)
            table.rest(200)
        told = ["11-15", "23-19", "9-14", "26-23", "8-11"]
        assert self.record(table)[: len(told)] == told
        table.rest(1_000)
        assert self.record(table) == [*told, "30-26"]

    @pytest.mark.parametrize("other", [{"start": 23, "end": 19}, {"start": 22, "end": 17}])
    def test_with_the_reply_both_have_settled_it(self, other: dict[str, int]) -> None:
        table = self.replaced(300, 300, **other)
        told = table.change(RED, {9: ".", 14: "r"})
        assert names(told) == ["withdrawn", "played", "played"]
        other_move = f"{other['start']}-{other['end']}"
        assert self.record(table) == ["11-15", other_move, "9-14"]
        assert not table.game.tracker.doubt.asked

    def test_so_they_have_where_the_other_has_put_pieces_straight_before_he_replies(self) -> None:
        table = self.replaced()
        table.say(Word.ADJUSTING, RED)
        table.reach(RED, {3, 7}, 1_000)
        table.change(RED, {8: ".", 11: "r"})
        assert self.record(table) == ["11-15", "23-19", "8-11"]

    @pytest.mark.parametrize(("side", "settled"), [(RED, True), (WHITE, False)])
    def test_so_they_have_before_anybody_could_ask(self, side: Side, settled: bool) -> None:
        table = self.replaced(rest_ms=300)
        told = table.change(side, {9: ".", 14: "r"}, 3_000)
        assert ("withdrawn" in names(told)) is settled
        replied = ["11-15", "23-19", "9-14"]
        assert self.record(table) == (replied if settled else ["11-15", "22-18"])

    def test_nobody_has_come_by_another_way_to_where_the_board_lay_before(self) -> None:
        """Men on 7 and 25 have both gone on; the hand that takes the last move back is nobody's
        for sure. By 11 the man on 15 could have come there too."""
        table = at_fen("B:W26,25,30,32:B7,1,3")
        table.change(RED, {7: ".", 10: "r"})
        table.change(WHITE, {26: ".", 23: "w"})
        table.change(RED, {10: ".", 15: "r"})
        table.change(WHITE, {25: ".", 21: "w"})
        table.change(None, {21: ".", 25: "w"}, 5_000)
        assert self.record(table) == ["7-10", "26-23", "10-15", "25-21"]

    @pytest.mark.parametrize("back_ms", [300, 1_000])
    def test_quick_play_behind_it_is_followed(self, back_ms: int) -> None:
        """The board never lies still for long enough to be asked about."""
        table = self.replaced(back_ms, rest_ms=100)
        for side, changes in ((RED, {9: ".", 14: "r"}), (WHITE, {22: ".", 17: "w"})):
            table.change(side, changes, 100)
        table.change(RED, {5: ".", 9: "r"}, 100)
        table.change(WHITE, {25: ".", 22: "w"}, 3_000)
        assert self.record(table) == ["11-15", "23-19", "9-14", "22-17", "5-9", "25-22"]
        assert not table.game.tracker.doubt.asked

    def test_so_is_quick_play_that_makes_the_move_taken_back_later_on(self) -> None:
        """Under White's hand 22-18 goes back and 23-19 is played, and before the board lies still
        Red plays 9-14, and White 22-18."""
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.change(WHITE, {18: ".", 22: "w", 23: ".", 19: "w"}, 400)
        table.change(RED, {9: ".", 14: "r"}, 400)
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        assert self.record(table) == ["11-15", "23-19", "9-14", "22-18"]
        assert not rulings(table.events)

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
        table.change(RED, {25: ".", 29: "R"}, 5_000, over=(5, 13, 21))
        assert kinds(table.events) == ["wrong_turn"]
        assert self.record(table) == ["15-10", "25-29", "4-8", "29-25"]

    def set_up(self, table: Table, position: Position, ms: int) -> None:
        """The hand of whoever made or unmade the move sets the board up so."""
        changes = zip(SQUARES, table.setup, position.setup, strict=True)
        squares = {square: new for square, old, new in changes if old != new}
        side = next(s for s in Side if any(s.owns(new) for new in squares.values()))
        table.change(side, squares, ms)

    def both_put_back(self) -> Table:
        """Red has played 9-13 in place of his move, which White had answered."""
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 18: "w"}, 1_500)
        table.change(WHITE, {18: ".", 22: "w"}, 800)
        table.change(RED, {15: ".", 11: "r"}, 800)
        table.change(RED, {9: ".", 13: "r"}, 3_000)
        return table

    @pytest.mark.parametrize("waited", [True, False])
    def test_behind_them_an_offence_has_lain_there_as_long_as_it_was_seen_to(
        self, waited: bool
    ) -> None:
        """Which move it is has been waited for: not from then on once more for the offence."""
        table = self.both_put_back()
        told = table.change(RED, {14: "w"}, instead.WRONGED_MS + (300 if waited else -300))
        assert kinds(told) == (["piece_added"] if waited else [])
        assert self.record(table) == (["9-13"] if waited else ["11-15", "22-18"])

    @pytest.mark.parametrize(
        ("side", "told"), [(WHITE, ["piece_removed"]), (RED, [])], ids=["the other", "the mover"]
    )
    def test_and_the_other_player_has_taken_off_what_he_has_not_put_elsewhere_for_long(
        self, side: Side, told: list[str]
    ) -> None:
        """At first he may be about to put it back, and the mover may think with it in hand."""
        table = self.both_put_back()
        assert not kinds(table.change(side, {22: "."}, 2_500))
        assert self.record(table) == ["11-15", "22-18"]
        assert kinds(table.rest(3_000)) == told
        assert self.record(table) == (["9-13"] if told else ["11-15", "22-18"])

    def test_moves_of_both_players_that_went_back_are_named(self) -> None:
        table = self.both_put_back()
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
        table.visibility = Visibility.DARK
        table.rest(8_000)
        table.visibility = Visibility.CLEAR
        lies = {25: ".", 30: "R", 6: ".", 2: "W", 12: ".", 16: "r", 21: ".", 17: "w"}
        table.setup = replace(table.setup, lies)
        told = table.rest(8_000)
        assert names(told) == ["watching", "unsure", "clock_held"]
        assert self.record(table) == ["30-25", "2-6"]

    @pytest.mark.parametrize("between_ms", [0, 3_000])
    def test_who_has_moved_two_pieces_at_once_may_put_both_back(self, between_ms: int) -> None:
        """The first of them stands on record; that he takes it back as well is asked about."""
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 0)
        table.reach(RED, {5, 9}, between_ms)
        assert kinds(table.change(RED, {9: ".", 14: "r"}, 3_000)) == ["wrong_turn"]
        table.change(RED, {14: ".", 9: "r"}, 0)
        told = table.change(RED, {15: ".", 11: "r"}, 4_000)
        told += table.change(RED, {11: ".", 16: "r"}, 3_000)
        assert not kinds(told)
        assert names(told).count("unsure") == 2
        table.change(WHITE, {22: ".", 18: "w"})
        assert self.record(table) == ["11-16", "22-18"]

    def two_put_back(self) -> Table:
        """Red has moved two pieces at once, is told so, and puts the first of them back first."""
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 300)
        table.change(RED, {9: ".", 14: "r"}, 3_000)
        assert (moves(table.events), kinds(table.events)) == (["11-15"], ["wrong_turn"])
        table.change(RED, {15: ".", 11: "r"}, 3_000)
        table.change(RED, {14: ".", 9: "r"})
        return table

    def test_who_then_plays_a_third_move_has_played_that(self) -> None:
        table = self.two_put_back()
        table.change(RED, {12: ".", 16: "r"}, 3_000)
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        assert self.record(table) == ["12-16", "22-18"]
        assert kinds(table.events) == ["wrong_turn"]

    def quickly(self, table: Table, *hidden: int) -> list[str]:
        """The record when 11-16, 24-20, 16-19 follow quickly: where 11-15 would have led too."""
        for side, start, end in ((RED, 11, 16), (WHITE, 24, 20), (RED, 16, 19)):
            piece = table.setup[start - 1]
            table.reach(side, {start, end, *hidden}, 600)
            table.setup = replace(table.setup, {start: ".", end: piece})
            table.reach(side, {start, end}, 300)
            table.rest(250)
        table.rest(2_000)
        return self.record(table)

    @pytest.mark.parametrize("hidden", [(), (11, 15, 16)])
    def test_so_he_has_though_the_first_would_have_led_there_too(
        self, hidden: tuple[int, ...]
    ) -> None:
        table = self.two_put_back()
        assert self.quickly(table, *hidden) == ["11-16", "24-20", "16-19"]

    @pytest.mark.parametrize("rest_ms", [600, 1_500])
    def test_so_he_has_who_has_put_one_of_them_elsewhere_first(self, rest_ms: int) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 300)
        table.change(RED, {9: ".", 14: "r"}, 3_000)
        table.change(RED, {15: ".", 18: "r"}, 3_000)
        table.change(RED, {14: ".", 9: "r"}, 600)
        table.change(RED, {18: ".", 11: "r"}, rest_ms)
        assert kinds(table.events) == ["wrong_turn", "upset"]
        assert self.quickly(table) == ["11-16", "24-20", "16-19"]

    def test_three_quick_answers_may_follow_before_the_board_lies_still(self) -> None:
        """White moves his man on to another square; Red's hand comes before that has left him."""
        table = at_fen("W:W22,24:B4,15", frame_ms=100)
        table.change(WHITE, {22: ".", 18: "w"}, 900)
        table.reach(WHITE, {18, 26}, 100)
        table.setup = replace(table.setup, {18: "."})
        table.rest(200, Hand(WHITE, (17, 25)), Hand(RED, (4,)))
        table.setup = replace(table.setup, {17: "w"})
        for side, start, end, taken in ((RED, 4, 8, []), (WHITE, 24, 19, []), (RED, 15, 24, [19])):
            piece = table.setup[start - 1]
            table.reach(side, {start}, 200)
            table.setup = replace(table.setup, {start: "."})
            table.reach(side, {end, *taken}, 200)
            table.setup = replace(table.setup, dict.fromkeys(taken, ".") | {end: piece})
            table.rest(300)
        table.rest(6_000)
        assert self.record(table) == ["22-17", "4-8", "24-19", "15x24"]
        assert not kinds(table.events)

    def test_so_he_has_where_a_square_is_not_seen_until_play_has_borne_it_out(self) -> None:
        table = self.two_put_back()
        table.misread = {32: HIDDEN}
        for side, start, end in ((RED, 12, 16), (WHITE, 22, 18), (RED, 16, 20), (WHITE, 25, 22)):
            table.change(side, {start: ".", end: side.man}, 3_000)
        assert self.record(table) == ["12-16", "22-18", "16-20", "25-22"]

    @pytest.mark.parametrize(("first", "later"), [(11, 9), (9, 11)])
    def test_nor_is_he_told_of_either_who_goes_on_at_once_when_he_has_put_back_both(
        self, first: int, later: int
    ) -> None:
        """The board may have been in order between, and the piece that he was told of is on its way
        again."""
        ends = {11: 15, 9: 14}
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 300)
        table.change(RED, {9: ".", 14: "r"}, 3_000)
        table.change(RED, {ends[first]: ".", first: "r"}, 700)
        table.change(RED, {ends[later]: ".", later: "r"}, 1_000)
        table.reach(RED, {9, 14}, 2_500)
        table.setup = replace(table.setup, {9: ".", 14: "r"})
        table.reach(RED, {5, 9}, 600)
        table.rest(2_000)
        assert kinds(table.events) == ["wrong_turn"]
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        assert self.record(table) == ["9-14", "22-18"]

    def test_moves_that_lead_on_to_the_board_are_played_though_others_lead_there_too(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The king goes 11-8 and on to 3, where 11-7 and 7-3 lead as well; the rivals of the record
        have not made up their minds, a lamp having been mirrored beside it."""
        monkeypatch.setattr(instead, "overtaken", lambda _: False)
        table = ready(parse_fen("W:WK11:BK27,1"), frame_ms=200)
        table.change(WHITE, {11: ".", 8: "W"})
        table.misread = {23: (-460, 0, -100, -800, -800)}
        table.change(RED, {27: ".", 24: "R"}, 0)
        table.change(WHITE, {8: ".", 3: "W"}, 1_200)
        table.misread = {}
        table.rest(1_000)
        assert self.record(table) == ["11-8", "27-24", "8-3"]
        assert "withdrawn" not in names(table.events)

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

    def test_a_lamp_beside_a_move_is_not_told_in_its_place_and_the_move_again(self) -> None:
        """The hand has hidden the square that was left for longer than the one that was reached."""
        table = ready(parse_fen("W:W26,30,32:B1,5,12"))
        table.misread = {23: (-240, -350, -350, 0, -100)}
        table.reach(WHITE, {19, 23, 27})
        table.rest(4_000)
        table.reach(WHITE, {22, 26})
        table.setup = replace(table.setup, {26: ".", 22: "w"})
        table.reach(WHITE, {26, 30}, 800)
        assert names(table.rest(4_000)) == ["played"]
        assert self.record(table) == ["26-22"]

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

    @pytest.mark.parametrize("rest_ms", [0, 3_000])
    def test_a_person_may_let_it_stand(self, rest_ms: int) -> None:
        table = self.replaced()
        assert names(table.say(Word.CHOOSE, text="1")) == ["corrected"]
        assert not table.rest(rest_ms)
        assert moves(table.change(RED, {9: ".", 14: "r"})) == ["9-14"]
        assert self.record(table) == ["11-15", "23-19", "9-14"]

    def test_or_have_it_put_back(self) -> None:
        table = self.replaced()
        assert names(table.say(Word.CHOOSE, text="2")) == ["corrected", "played", "otherwise"]
        back = {22: ".", 18: "w", 19: ".", 23: "w"}
        assert names(table.change(WHITE, back)) == ["restored"]
        assert self.record(table) == ["11-15", "22-18"]

    def test_who_puts_it_back_himself_is_followed_again(self) -> None:
        table = self.replaced()
        told = table.change(WHITE, {22: ".", 18: "w", 19: ".", 23: "w"}, 3_000)
        assert names(told) == ["withdrawn", "played", "unsure"]
        assert not kinds(table.events)
        assert moves(table.change(RED, {15: ".", 18: ".", 22: "r"})) == ["15x22"]
        assert self.record(table) == ["11-15", "22-18", "15x22"]
        assert isinstance(table.say(Word.CHOOSE, text="3")[0], Refused)

    def test_a_slip_of_the_eye_is_no_other_move(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.setup = replace(table.setup, {18: ".", 22: "w", 23: ".", 19: "w"})
        assert not [e for e in table.rest(3_000) if isinstance(e, Unsure) and e.ply is not None]

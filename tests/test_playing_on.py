"""Play that goes on beside what people were told to put right."""

from __future__ import annotations

import pytest

from referee.board import replace
from referee.events import Irregular, Proposed, Ruling, Unsure, Verdict
from referee.notation import parse_fen, parse_move
from referee.observation import Hand, LooseDisc, certain
from referee.order import out_of_order
from referee.rules import after
from tests.table import RED, WHITE, at_fen, kinds, moves, names, ready, rulings


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


class TestPlayGoesOn:
    """...although what was announced has not been put right."""

    @pytest.mark.parametrize("frame_ms", [100, 150])
    def test_what_was_played_before_the_first_move_behind_it_was_told_is_not_forgotten(
        self, frame_ms: int
    ) -> None:
        """No hand waits for another, and none leaves."""
        table = at_fen("B:W8,12,23,26:B3,5,15,28,K29", frame_ms=frame_ms)
        assert kinds(table.change(RED, {12: ".", 9: "w"}, 4_000)) == ["piece_displaced"]
        handled = (
            (RED, {9: ".", 12: "w"}),
            (RED, {5: ".", 9: "r"}),
            (WHITE, {23: ".", 19: "w"}),
            (RED, {15: ".", 19: ".", 24: "r"}),
            (WHITE, {26: ".", 23: "w"}),
        )
        for side, changes in handled:
            table.reach(side, changes)
            table.setup = replace(table.setup, changes)
            table.reach(side, changes, 150)
        told = table.rest(3_000)
        assert moves(table.events) == ["5-9", "23-19", "15x24", "26-23"]
        assert not kinds(told)

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

    def test_what_was_never_told_of_as_people_played_on_is_asked_about_once(self) -> None:
        """The man on 15, whom Red has jumped and forgotten."""
        table = ready(parse_fen("B:W15,31,32:B11,1,2,12"))
        table.change(RED, {11: ".", 18: "r"}, 1_000)
        table.change(WHITE, {32: ".", 28: "w"}, 1_000)
        told = table.change(RED, {1: ".", 6: "r"}, 9_000)
        assert moves(table.events) == ["11x18", "32-28", "1-6"]
        asked = [event for event in told if isinstance(event, Unsure)]
        assert [(event.candidates, event.squares) for event in asked] == [((), (15,))]
        more = table.change(WHITE, {31: ".", 27: "w"}, 30_000)
        assert names(more) == ["played"]
        assert names(table.change(RED, {15: "."}, 2_000)) == []
        assert names(table.change(RED, {2: ".", 7: "r"}, 2_000)) == ["played"]

    def test_what_the_eye_sees_where_no_hand_has_been_is_not(self) -> None:
        table = ready(parse_fen("B:W31,32:B11,1,2,12"))
        table.misread[15] = certain("w")[0]
        table.rest(1_000)
        table.change(RED, {11: ".", 16: "r"}, 1_000)
        table.change(WHITE, {32: ".", 28: "w"}, 1_000)
        assert names(table.change(RED, {1: ".", 6: "r"}, 40_000)) == ["played"]

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
        (again,) = rulings(table.change(RED, {11: "r"}, 70_000))
        assert again.phrase[0] == "off_square"


def test_nobody_is_accused_of_what_no_hand_was_seen_to_do() -> None:
    table = ready()
    table.strength = 1_200
    table.setup = replace(table.setup, {22: ".", 18: "w"})
    assert names(table.rest(15_000)) == ["unsure", "clock_held"]


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


class TestNothingIsInvented:
    """A told offence is no part of lawful moves that nobody has made."""

    def test_a_king_who_answers_and_goes_back_has_not_let_it_be_two_moves(self) -> None:
        table = at_fen("B:WK18,32:B1,2,12")
        table.change(RED, {1: ".", 10: "r"}, 3_000)
        table.change(WHITE, {18: ".", 23: "W"}, 1_500)
        table.change(WHITE, {23: ".", 18: "W"}, 3_000)
        table.change(RED, {10: ".", 1: "r"}, 3_000)
        assert kinds(table.events) == ["illegal_step"]
        assert not moves(table.events)
        assert moves(table.change(RED, {2: ".", 7: "r"})) == ["2-7"]

    def test_nor_one_who_goes_out_of_turn_and_back(self) -> None:
        table = at_fen("B:WK18,32:B1,2,12")
        table.change(WHITE, {18: ".", 23: "W"}, 3_000)
        table.change(RED, {1: ".", 10: "r"}, 3_000)
        table.change(WHITE, {23: ".", 18: "W"}, 3_000)
        assert kinds(table.events) == ["wrong_turn"]
        assert not moves(table.events)

    @pytest.mark.parametrize("frame_ms", [50, 100, 200])
    def test_nor_is_what_lay_there_before_hidden_by_a_hand(self, frame_ms: int) -> None:
        table = at_fen("W:W28,32,27:B6,1", frame_ms=frame_ms)
        table.change(RED, {6: ".", 10: "r"}, 3_000)
        table.change(WHITE, {28: ".", 19: "w"}, 3_000)
        table.reach(WHITE, (10,), 1_000)
        table.rest(2_000)
        assert kinds(table.events) == ["wrong_turn"]
        assert not moves(table.events)

    def test_who_jumps_a_man_that_was_put_there_unlawfully_took_no_other_move(self) -> None:
        table = at_fen("W:W17,32:B7,1,2")
        table.change(WHITE, {17: ".", 10: "w"}, 3_000)
        table.change(RED, {7: ".", 14: "r"}, 300)
        table.change(RED, {10: "."}, 5_000)
        assert kinds(table.events) == ["illegal_step"]
        assert not moves(table.events)

    def test_nor_did_a_man_taken_off_go_where_another_came(self) -> None:
        table = at_fen("W:W17,32:B9,1,2")
        table.change(WHITE, {17: "."}, 5_000)
        table.change(RED, {9: ".", 14: "r"}, 6_000)
        assert kinds(table.events) == ["piece_removed"]
        assert not moves(table.events)

    def test_a_piece_that_has_stood_there_all_along_was_never_taken_up(self) -> None:
        """An eye that misses White's man leaving does not put his move before Red's."""
        table = ready()
        first = parse_move(table.game.position, "11-15")
        reply = parse_move(after(table.game.position, first), "22-18")
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {18: "w"}, 600)
        assert not out_of_order(table.game.tracker.sight, (first, reply))


def test_who_comes_to_the_square_that_a_told_move_has_left_has_not_stood_there_before() -> None:
    """Red's hand comes over 23 as soon as White's man has left it, and soon White's is there again:
    that the square was bare meanwhile was no arm's semblance."""
    table = at_fen("W:WK3,22,23,28,29,30,32:B13,K31")
    table.rest(400, Hand(WHITE, (18, 23, 26, 31)))
    table.setup = replace(table.setup, {23: ".", 18: "w"})
    table.rest(200, Hand(WHITE, (26, 31)))
    table.rest(200, Hand(RED, (3, 7, 11, 15, 19, 23, 27)))
    table.setup = replace(table.setup, {31: ".", 26: "R"})
    table.rest(400, Hand(RED, (2, 7, 10, 15, 18, 23, 26)))
    table.rest(200)
    table.rest(200, Hand(WHITE, (30,)))
    table.setup = replace(table.setup, {30: "."})
    table.rest(400, Hand(WHITE, (23, 27, 31)))
    table.rest(100, Hand(WHITE, (27, 31)))
    came_ms, table.setup = table.time_ms, replace(table.setup, {23: "w"})
    assert moves(table.events) == ["23-18", "31-26"]
    table.rest(600)
    assert table.game.tracker.sight.at(23).stood_ms >= came_ms

"""What the eye must say before a move or an offence is believed."""

from __future__ import annotations

import pytest

from referee.board import START, Side, replace
from referee.events import Irregular, Irregularity, Unsure, Verdict
from referee.observation import HIDDEN, Hand, Row
from referee.rules import Position
from tests.looks import RED_CLEARLY, WHITE_CLEARLY
from tests.table import RED, SINGLE, WHITE, Table, at_fen, kinds, moves, names, ready, rulings

LAMPS = {29: (-150, -700, -700, 0, -100), 30: (-150, 0, -100, -700, -700)}
"""Two empty squares in which lamps are mirrored."""


class TestCertainty:
    @pytest.mark.parametrize(("known", "side"), [(True, None), (False, WHITE)])
    def test_nobody_is_named_for_a_move_out_of_turn_whose_hand_alone_was_not_told(
        self, known: bool, side: Side | None
    ) -> None:
        """Where no hand is ever told apart it is whoever may move such a piece."""
        table = ready()
        table.rest(300, Hand(RED if known else None, (1, 5)))
        table.rest(3_000)
        table.rest(300, Hand(None, (18, 22)))
        table.setup = replace(START, {22: ".", 18: "w"})
        table.rest(200, Hand(None, (18, 22)))
        told = table.rest(3_000)
        assert [(e.kind, e.side) for e in told if isinstance(e, Irregular)] == [
            (Irregularity.WRONG_TURN, side)
        ]
        verdict = Verdict.WARNING if side else Verdict.RESTORE
        assert [ruling.verdict for ruling in rulings(told)] == [verdict]

    def test_a_jumped_man_who_seems_to_turn_into_one_of_the_captors_is_still_there(self) -> None:
        """The eye errs about 15 for some seconds, with nobody near it."""
        table = at_fen(SINGLE)
        table.change(RED, {11: ".", 18: "r"}, 2_300)
        table.misread = {15: (-330, 0, -100, -330, -330)}
        assert not moves(table.rest(4_500))
        table.misread = {}
        table.rest(1_000)
        assert moves(table.change(RED, {15: "."})) == ["11x18"]

    def test_a_move_that_was_held_back_hides_nobodys_hand(self) -> None:
        """The crown on 30 is not seen, so White's reply is believed late; meanwhile he has moved
        once more."""
        table = at_fen("B:W19,29,32:B25,1,2")
        table.change(RED, {25: ".", 30: "r"}, 1_000)
        table.misread = {30: (-900, 0, -120, -900, -900)}
        table.change(WHITE, {30: "R"}, 1_000)
        table.change(WHITE, {29: ".", 25: "w"}, 500)
        assert kinds(table.change(WHITE, {19: ".", 16: "w"}, 4_500)) == ["wrong_turn"]

    @pytest.mark.parametrize(("says", "told"), [(-700, ["own_piece_removed"]), (-500, [])])
    def test_an_own_man_taken_off_beside_a_move_is_told_of_if_his_square_is_plainly_bare(
        self, says: int, told: list[str]
    ) -> None:
        """As bare as other squares, which all say less than discs do."""
        table = Table()
        table.strength = 1_200
        table.misread = dict.fromkeys(range(13, 21), (0, -800, -800, -800, -800))
        table.rest(1_500)
        del table.misread[15]
        table.misread |= {11: (0, -800, -800, -800, -800), 2: (0, says, says, says, says)}
        table.change(RED, {11: ".", 15: "r", 2: "."}, 5_000)
        assert kinds(table.events) == told

    def test_two_names_for_what_one_player_did_acquit_nobody(self) -> None:
        """Where 15 says little, the man on 12 may also be one too many, after 11-15."""
        table = at_fen("B:W31,32:B11,1")
        table.misread = {15: (0, -150, -200, -700, -700)}
        assert kinds(table.change(RED, {11: ".", 12: "r"}, 5_000)) == ["illegal_step"]

    def test_what_no_hand_was_seen_to_do_acquits_nobody(self) -> None:
        """The disc on 15 might be White's, who was not there: then 24 would have stepped there."""
        table = at_fen("B:W22,32,24:B11,8,1")
        table.misread = {15: (-700, 0, -100, -150, -250)}
        events = table.change(RED, {11: ".", 15: "r", 24: "."}, 5_000)
        assert kinds(events) == ["wrong_piece_removed"]

    def test_an_offence_that_hangs_on_a_faint_square_is_none(self) -> None:
        table = at_fen("B:W15,32,24:B11,8,1")
        table.misread = {24: (0, -700, -700, -100, -250)}
        assert moves(table.change(RED, {11: ".", 15: ".", 18: "r"}, 5_000)) == ["11x18"]
        assert not kinds(table.events)

    def test_that_a_clear_disc_is_gone_tells_more_than_the_bare_square(self) -> None:
        """A lamp mirrored in square 24 shows where nobody stands, and hardly on a disc."""
        table = at_fen("B:W15,32,24:B11,8,1")
        table.rest(1_000)
        table.reach(RED, {24})
        table.setup = replace(table.setup, {24: "."})
        table.misread = {24: (0, -420, -420, -300, -320)}
        table.reach(RED, {24}, 200)
        assert kinds(table.rest(5_000)) == ["piece_removed"]

    def test_a_man_gone_and_one_of_the_other_side_come_are_no_piece_displaced(self) -> None:
        """White takes 22x13, and the eye goes on seeing a man on 22."""
        table = at_fen("W:W22,30,32:B17,1")
        table.misread = {22: WHITE_CLEARLY}
        assert not kinds(table.change(WHITE, {22: ".", 17: ".", 13: "w"}, 5_000))

    @pytest.mark.parametrize(
        "changes", [{9: "w"}, {9: "w", 22: "r"}], ids=["one square", "two squares"]
    )
    def test_nor_are_men_who_come_to_look_the_other_sides(self, changes: dict[int, str]) -> None:
        """Nobody carries one over the board for that: the eye may err, and so the referee asks."""
        table = ready()
        assert names(table.change(RED, changes, 6_000)) == ["unsure", "clock_held"]

    def test_a_piece_beside_that_looks_the_other_sides_hides_nothing_where_none_of_theirs_is_gone(
        self,
    ) -> None:
        table = at_fen("B:W12,28,32:B1,17,18")
        table.reach(RED, {12, 20, 28})
        table.setup = replace(table.setup, {28: ".", 20: "w"})
        table.misread = {12: RED_CLEARLY}
        table.reach(RED, {12, 20, 28}, 200)
        assert kinds(table.rest(2_500)) == ["piece_displaced"]

    def test_what_a_square_says_grows_after_a_hand(self) -> None:
        """At three pictures a second the first looks at 8, in the arm's shadow, say little."""
        table = at_fen("B:W24,32:B11,8,1", frame_ms=333)
        table.rest(2_000)
        table.reach(RED, {11, 15, 8}, 700)
        table.setup = replace(table.setup, {11: ".", 15: "r", 8: "."})
        table.misread = {8: (0, -180, -200, -400, -400)}
        table.rest(700)
        table.misread = {}
        assert kinds(table.rest(4_000)) == ["own_piece_removed"]

    @pytest.mark.parametrize(("says", "told"), [(-800, ["wrong_piece_removed"]), (-500, [])])
    def test_fingers_that_no_picture_showed_leave_their_square_plain(
        self, says: int, told: list[str]
    ) -> None:
        """No hand is seen over 24; it comes near, at 19."""
        table = at_fen("B:W15,32,24:B11,8,1")
        table.misread = {24: (0, says, says, says, says)}
        table.reach(RED, {11, 15, 18, 19})
        table.setup = replace(table.setup, {11: ".", 15: ".", 18: "r", 24: "."})
        table.reach(RED, {11, 15, 18, 19}, 200)
        assert kinds(table.rest(5_000)) == told

    @pytest.mark.parametrize("frame_ms", [50, 100, 200])
    def test_a_jump_over_two_men_in_a_line_is_no_row_of_moves(self, frame_ms: int) -> None:
        """15-11, 18-15, 11x18x25 leaves the same, but it was one hand, and one sweep."""
        table = at_fen("B:W18,22,29,30:B7,K15", frame_ms=frame_ms)
        table.rest(1_500)
        table.reach(RED, {15, 18, 22, 25}, 200)
        table.setup = replace(table.setup, {15: ".", 25: "R"})
        table.reach(RED, {15, 18, 22, 25}, 400)
        table.setup = replace(table.setup, {18: "."})
        table.reach(RED, {18, 22}, 400)
        table.setup = replace(table.setup, {22: "."})
        table.reach(RED, {22}, 200)
        assert names(table.rest(4_000)) == ["unsure", "clock_held"]
        assert not moves(table.events)

    def test_moves_seen_while_a_hand_hid_the_first_keep_their_order(self) -> None:
        """Red's hand stays over 11-15 while 23-19 and 9-14 are made in full view."""
        table = ready()
        stays = Hand(RED, (11, 15))
        for side, change in (
            (RED, {11: ".", 15: "r"}),
            (WHITE, {23: ".", 19: "w"}),
            (RED, {9: ".", 14: "r"}),
        ):
            table.rest(200, stays, Hand(side, tuple(change)))
            table.setup = replace(table.setup, change)
            table.rest(200, stays, Hand(side, tuple(change)))
            table.rest(900, stays)
        table.rest(3_000)
        assert moves(table.events) == ["11-15", "23-19", "9-14"]

    @pytest.mark.parametrize("gap_ms", [600, 1_500])
    @pytest.mark.parametrize("frame_ms", [50, 200])
    def test_a_move_told_late_makes_no_slips_of_the_moves_that_followed_it(
        self, frame_ms: int, gap_ms: int
    ) -> None:
        """Red's arm rests on half of the board; White plays 23-19 beneath it."""
        table = ready(Position("r...r.....rrw.......www.R.......", WHITE), frame_ms=frame_ms)
        right = (3, 4, 7, 8, 11, 12, 15, 16, 19, 20, 23, 24, 27, 28, 31, 32)
        arm = Hand(RED, right)
        table.rest(500)
        for side, change in (
            (WHITE, {23: ".", 19: "w"}),
            (RED, {25: ".", 22: ".", 18: "R"}),
            (WHITE, {13: ".", 9: "w"}),
        ):
            table.rest(300, arm, Hand(side, tuple(change)))
            table.setup = replace(table.setup, change)
            table.rest(300, arm, Hand(side, tuple(change)))
            table.rest(gap_ms, arm)
        table.change(RED, {5: ".", 9: ".", 14: "r"}, 3_000)
        assert moves(table.events) == ["23-19", "25x18", "13-9", "5x14"]
        assert not kinds(table.events)

    @pytest.mark.parametrize("says", [-330, -800])
    @pytest.mark.parametrize("rest_ms", [300, 1_500])
    def test_who_seems_to_stand_where_a_man_has_left_does_not_make_his_move_a_later_one(
        self, says: int, rest_ms: int
    ) -> None:
        """23 looks white from when Red's man has gone to 27 until he moves again."""
        table = at_fen("B:W29,20:B23,10,1", frame_ms=100)
        table.reach(RED, {23, 27})
        table.misread = {23: (says, -330, -330, 0, -100)}
        table.setup = replace(table.setup, {23: ".", 27: "r"})
        table.reach(RED, {23, 27}, 200)
        table.rest(rest_ms)
        table.change(WHITE, {29: ".", 25: "w"}, rest_ms)
        table.reach(RED, {10, 14}, 200)
        table.misread = {}
        table.change(RED, {10: ".", 14: "r"}, 6_000)
        assert moves(table.events) == ["23-27", "29-25", "10-14"]
        assert not any(isinstance(event, Unsure) for event in table.events)

    def test_a_king_that_plainly_stands_there_by_then_has_not_come_last(self) -> None:
        """28-32 8-12 25-30, but on 28 one seems to stand long after."""
        table = at_fen("B:WK8,5:BK28,25,1", frame_ms=100)
        table.reach(RED, {28, 32}, 200)
        table.misread = {28: (-400, 0, -100, -500, -500)}
        table.setup = replace(table.setup, {28: ".", 32: "R"})
        table.reach(RED, {28, 32}, 200)
        table.rest(400)
        table.change(WHITE, {8: ".", 12: "W"}, 0)
        table.change(RED, {25: ".", 30: "r"}, 1_500)
        table.change(WHITE, {30: "R"}, 400)
        table.misread = {}
        table.rest(5_000)
        assert moves(table.events) == ["28-32", "8-12", "25-30"]

    @pytest.mark.parametrize(("hand_ms", "gap_ms"), [(150, 50), (50, 200)])
    def test_where_a_row_of_moves_is_borne_out_a_likely_one_that_is_not_holds_it_up_no_longer(
        self, hand_ms: int, gap_ms: int
    ) -> None:
        """7-10 2-7 10x3, and not 7-3 2-7, after which 7 would not be bare."""
        table = at_fen("W:WK7,13:BK2,21")
        for changes, hands, ms in (
            ({}, [Hand(WHITE, (7, 11, 15))], 300),
            ({7: ".", 10: "W"}, [Hand(WHITE, (10, 14, 18))], hand_ms),
            ({}, [Hand(RED, (2,))], gap_ms),
            ({2: ".", 7: "R"}, [Hand(RED, (2, 7)), Hand(WHITE, (10, 15))], 100),
            ({}, [Hand(WHITE, (10, 15, 18))], 50),
            ({10: ".", 3: "W"}, [Hand(WHITE, (3, 8, 11))], 300),
            ({}, [], 50),
            ({}, [Hand(WHITE, (7, 11, 15))], 300),
            ({7: "."}, [Hand(WHITE, (10, 14))], 150),
            ({}, [], 8_000),
        ):
            table.setup = replace(table.setup, changes)
            table.rest(ms, *hands)
        assert moves(table.events) == ["7-10", "2-7", "10x3"]
        assert not any(isinstance(event, Unsure) for event in table.events)

    def test_a_man_that_stood_neither_here_nor_there_went_over_the_square_under_the_lamp(
        self,
    ) -> None:
        """19-24 17-13 24-27: 24 looks red all the time, but 23 was bare when White took his up."""
        table = at_fen("B:W17,29:B19,1", frame_ms=200)
        table.misread = {24: (-330, -100, 0, -330, -330)}
        table.rest(3_000)
        for changes, *hands in (
            ({}, Hand(RED, (3, 8, 11, 16, 19))),
            ({19: "."}, Hand(RED, (2, 7, 15, 24))),
            ({24: "r"}, Hand(RED, (8, 12, 16, 20, 24))),
            ({},),
            ({}, Hand(WHITE, (17, 22, 25, 30))),
            ({17: "."}, Hand(WHITE, (13,)), Hand(RED, (4, 12, 16, 20, 24))),
            ({13: "w", 24: "."}, Hand(RED, (2, 6, 15, 18, 23, 27))),
            ({27: "r"}, Hand(RED, (8, 11, 16, 19, 24, 27))),
        ):
            table.setup = replace(table.setup, changes)
            table.rest(200, *hands)
        table.rest(4_500)
        table.change(WHITE, {13: ".", 9: "w"})
        assert moves(table.events) == ["19-24", "17-13", "24-27", "13-9"]
        assert not any(isinstance(event, Unsure) for event in table.events)

    @pytest.mark.parametrize("lamp", [(-600, -100, 0, -600, -600), (-400, -600, -600, 0, -100)])
    def test_a_lamp_that_looks_like_a_man_does_not_keep_him_there(self, lamp: Row) -> None:
        """Whether 24 has looked red or white since long before Red came there, he goes on."""
        table = at_fen("B:W17,29:B19,1")
        table.misread = {24: lamp}
        table.rest(3_000)
        table.change(RED, {19: ".", 24: "r"}, 4_000)
        table.change(WHITE, {17: ".", 13: "w"})
        table.change(RED, {24: ".", 27: "r"})
        table.change(WHITE, {13: ".", 9: "w"})
        assert moves(table.events) == ["19-24", "17-13", "24-27", "13-9"]
        assert not any(isinstance(event, Unsure) for event in table.events)

    def test_a_man_went_where_he_is_plainly_seen_though_one_is_faintly_seen_beside(self) -> None:
        """A lamp is mirrored in 32 from just then on."""
        table = at_fen("B:W21,29:B27,1")
        table.reach(RED, {27, 31, 32})
        table.misread = {32: (-330, -100, 0, -330, -330)}
        table.setup = replace(table.setup, {27: ".", 31: "r"})
        table.reach(RED, {27, 31})
        table.rest(1_500)
        assert moves(table.events) == ["27-31"]

    @pytest.mark.parametrize("says", [-330, -240])
    def test_nobody_is_out_of_turn_after_a_move_under_two_lamps(self, says: int) -> None:
        """White's king has gone from 8, where one still seems to stand, to 11, which says nothing.
        Red has answered him. The way is clear when he goes on."""
        table = at_fen("B:WK8,12:BK30,K17")
        table.misread = {8: (says, says, says, 0, -100), 11: HIDDEN}
        table.rest(12_000)
        table.change(RED, {30: ".", 26: "R"}, 1_500)
        table.change(WHITE, {8: ".", 11: "W"}, 2_500)
        table.change(RED, {17: ".", 13: "R"}, 6_000)
        assert moves(table.events) == ["30-26"]
        assert isinstance(table.events[-2], Unsure)
        table.change(WHITE, {11: ".", 15: "W"}, 6_000)
        assert moves(table.events) == ["30-26", "8-11", "17-13", "11-15"]
        assert not kinds(table.events)

    def test_a_man_that_was_seen_in_place_while_another_had_not_left_came_first(self) -> None:
        """17-22 23-27 25-21, by hands that hardly leave the board, and not 25-22 23-27 17-21."""
        table = at_fen("B:WK23,12:B17,K25,1", frame_ms=125)
        for side, squares, changes, before_ms, after_ms in (
            (RED, (9, 13, 17), {17: ".", 22: "r"}, 125, 125),
            (WHITE, (27, 31), {23: ".", 27: "W"}, 250, 0),
            (RED, (1, 5, 9, 13, 17, 21), {25: ".", 21: "R"}, 125, 250),
        ):
            table.rest(before_ms, Hand(side, (*squares, *changes)))
            table.setup = replace(table.setup, changes)
            table.rest(after_ms, Hand(side, squares))
        table.rest(3_000)
        assert moves(table.events) == ["17-22", "23-27", "25-21"]
        assert not any(isinstance(event, Unsure) for event in table.events)

    @pytest.mark.parametrize(("hidden", "told"), [({30}, ["25-30"]), (set(), [])])
    def test_a_man_may_stand_where_the_eye_saw_one_before_if_a_hand_was_over_it(
        self, hidden: set[int], told: list[str]
    ) -> None:
        table = at_fen("B:W32,20:BK25,1")
        table.misread = {30: (-500, -100, 0, -700, -700)}
        table.rest(1_500)
        table.reach(RED, {25}, 200)
        table.setup = replace(table.setup, {25: ".", 30: "R"})
        table.reach(RED, {25, *hidden}, 300)
        table.misread = {}
        table.rest(3_000)
        assert moves(table.events) == told

    @pytest.mark.parametrize(("strength", "told"), [(-240, ["11x18"]), (-800, [])])
    def test_a_capture_that_ends_under_a_lamp_is_believed_when_nobody_can_hold_the_piece(
        self, strength: int, told: list[str]
    ) -> None:
        """The lamp on 18 looks a man of White's; if as plainly as others, the referee asks."""
        table = at_fen("B:W15:B11,1")
        table.misread = {18: (strength, strength, strength, 0, strength // 4)}
        table.rest(2_000)
        table.change(RED, {11: ".", 15: ".", 18: "r"}, 2_500)
        assert not moves(table.events)
        table.rest(3_000)
        assert moves(table.events) == told

    def test_a_man_is_not_where_the_eye_saw_one_before_he_was_taken_up(self) -> None:
        """A lamp in 9 looks a man; then White takes his man off 13."""
        table = at_fen("W:WK6,10,13,17,26:BK20")
        table.misread = {9: (-300, -700, -700, 0, -100)}
        table.rest(600)
        table.reach(WHITE, {13})
        table.setup = replace(table.setup, {13: "."})
        table.reach(WHITE, {13, 17, 21})
        table.rest(4_000)
        assert not moves(table.events)

    @pytest.mark.parametrize(
        ("bare", "white", "told"),
        [
            (-750, -750, ["illegal_step"]),
            (-350, -350, []),
            pytest.param(-750, -350, ["illegal_step"], id="a disc of a colour hardly seen"),
        ],
    )
    def test_a_man_in_the_hand_is_not_where_the_eye_faintly_sees_one(
        self, bare: int, white: int, told: list[str]
    ) -> None:
        table = at_fen("B:W32,24:B11,8,1")
        table.reach(RED, {11, 7})
        table.setup = replace(table.setup, {11: "."})
        table.misread = {7: (bare, 0, -100, white, white)}
        table.reach(RED, {11, 7}, 200)
        table.rest(2_400)
        table.misread = {}
        table.reach(RED, {16})
        table.setup = replace(table.setup, {16: "r"})
        table.reach(RED, {16}, 100)
        table.rest(1_500)
        assert kinds(table.events) == told
        assert moves(table.events) == ["11-16"]

    @pytest.mark.parametrize(("over", "told"), [({11, 7}, ["illegal_step"]), ({11}, [])])
    def test_a_faint_man_is_waited_for_less_long_where_a_hand_put_him_down(
        self, over: set[int], told: list[str]
    ) -> None:
        table = at_fen("B:W32,24:B11,8,1")
        table.reach(RED, over)
        table.setup = replace(table.setup, {11: "."})
        table.misread = {7: (-450, 0, -100, -700, -700)}
        table.reach(RED, over, 200)
        assert not kinds(table.rest(2_800))
        assert kinds(table.rest(700)) == told

    @pytest.mark.parametrize(("says", "told"), [(-700, ["illegal_step"]), (-550, [])])
    def test_and_for_less_long_still_where_he_is_clearly_seen(
        self, says: int, told: list[str]
    ) -> None:
        """If less so than the others."""
        red, white = (-1_200, 0, -600, -1_200, -1_200), (-1_200, -1_200, -1_200, 0, -600)
        table = ready()
        table.misread = dict.fromkeys(range(1, 13), red) | dict.fromkeys(range(21, 33), white)
        table.rest(2_000)
        table.reach(RED, {11, 18})
        table.setup = replace(table.setup, {11: "."})
        del table.misread[11]
        table.misread[18] = (says, 0, -100, -1_200, -1_200)
        table.reach(RED, {11, 18}, 200)
        assert not kinds(table.rest(1_300))
        assert kinds(table.rest(700)) == told

    def test_where_discs_are_seen_less_plainly_than_bare_squares_one_is_no_fainter(self) -> None:
        red, white = (-800, 0, -600, -450, -800), (-800, -450, -800, 0, -600)
        table = at_fen("B:W32,24,28:B11,8,1")
        table.misread = dict.fromkeys((11, 8, 1), red) | dict.fromkeys((32, 24, 28), white)
        table.rest(2_000)
        table.reach(RED, {11, 7})
        table.setup = replace(table.setup, {11: ".", 7: "r"})
        del table.misread[11]
        table.misread[7] = red
        table.reach(RED, {11, 7}, 200)
        assert kinds(table.rest(3_000)) == ["illegal_step"]

    @pytest.mark.parametrize(("says", "played"), [(-210, ["11x18"]), (-350, [])])
    def test_a_square_left_empty_may_deny_it_faintly_when_the_board_has_lain_open(
        self, says: int, played: list[str]
    ) -> None:
        table = at_fen("B:W15,32,24:B11,8,1")
        table.misread = LAMPS | {11: (says, 0, -100, -700, -700)}
        table.rest(1_000)
        changes = {11: ".", 15: ".", 18: "r"}
        assert not moves(table.change(RED, changes, 2_500))
        assert moves(table.rest(2_500)) == played

    @pytest.mark.parametrize(("says", "played"), [(-20, ["11x18"]), (-210, [])])
    def test_a_jumped_man_left_in_a_reflection_would_speak_up(
        self, says: int, played: list[str]
    ) -> None:
        table = at_fen("B:W15,32,24:B11,8,1")
        table.misread = LAMPS | {15: (says, -700, -700, 0, -100)}
        table.rest(1_000)
        changes = {11: ".", 15: ".", 18: "r"}
        assert not moves(table.change(RED, changes, 2_500))
        assert moves(table.rest(2_500)) == played

    @pytest.mark.parametrize("replies", [False, True])
    def test_when_people_play_on_after_an_offence_the_referee_asks(self, replies: bool) -> None:
        table = at_fen("B:W15,32,31:B11,8,1")
        assert kinds(table.change(RED, {1: ".", 5: "r"}, 4_000)) == ["capture_missed"]
        table.change(WHITE, {32: ".", 27: "w"}, 4_000)
        assert "unsure" not in names(table.events)
        if replies:
            table.change(RED, {8: ".", 12: "r"}, 5_000)
        assert names(table.events).count("unsure") == replies

    def test_a_faint_square_does_not_hide_what_others_tell(self) -> None:
        table = at_fen("B:W15,32,24:B11,8,1")
        table.misread = {11: (0, -100, -150, -700, -700)}
        events = table.change(RED, {11: ".", 15: ".", 24: ".", 18: "r"}, 5_000)
        assert kinds(events) == ["wrong_piece_removed"]

    @pytest.mark.parametrize(("says", "told"), [(-800, ["piece_added"]), (-550, [])])
    def test_a_man_too_many_that_a_hand_has_left_is_told_sooner_where_he_is_clearly_seen(
        self, says: int, told: list[str]
    ) -> None:
        """Though not as clearly as others are."""
        table = at_fen("B:WK2,14,21:B5,11,13,K15,24")
        table.strength = 1_200
        table.rest(1_000)
        table.misread = {29: (says, 0, -60, -900, -900)}
        table.change(WHITE, {29: "r"}, 0)
        assert kinds(table.rest(3_300)) == told

    @pytest.mark.parametrize(("square", "told"), [(14, ["piece_removed"]), (11, [])])
    def test_who_comes_again_does_not_hold_the_others_man_in_his_hand(
        self, square: int, told: list[str]
    ) -> None:
        """His own he may hold: he thinks."""
        table = at_fen("B:WK2,14,21:B5,11,13,K15,24")
        table.change(RED, {square: "."}, 700, over=(10,))
        table.rest(2_500, Hand(RED, (1, 5, 6, 9)))
        assert kinds(table.rest(1_000)) == told

    def test_a_man_from_a_square_that_an_arm_still_hides_is_none_too_many(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        for changes, squares in (({}, (19, 32)), ({32: ".", 19: "w"}, (19, 32)), ({}, (32,))):
            table.setup = replace(table.setup, changes)
            table.reach(WHITE, squares, 400)
        assert not kinds(table.rest(6_000, Hand(WHITE, (32,))))
        assert kinds(table.rest(3_000)) == ["illegal_step"]

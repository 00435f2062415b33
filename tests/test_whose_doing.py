"""Whose hand has done what, and where nobody is accused."""

from __future__ import annotations

import pytest

from referee.board import START, replace
from referee.events import Irregular
from referee.observation import Hand
from tests.looks import RED_LOOKING
from tests.table import (
    RED,
    SINGLE,
    WHITE,
    Table,
    at_fen,
    irregular,
    kinds,
    moves,
    names,
    ready,
)


class TestWhoseDoing:
    def test_a_piece_is_taken_off_by_a_hand_that_cannot_be_told(self) -> None:
        table = at_fen(SINGLE)
        table.reach(RED, {11, 15, 18})
        table.setup = replace(table.setup, {11: ".", 15: ".", 18: "r"})
        table.rest(800, Hand(None, (1, 5)))
        table.setup = replace(table.setup, {1: "."})
        table.rest(200, Hand(None, (1, 5)))
        table.rest(3_000)
        assert kinds(table.events) == ["own_piece_removed"]
        assert not moves(table.events)

    def test_no_arm_is_at_the_others_edge_that_is_over_no_other_row(self) -> None:
        """White takes his own man off under a hand that the eye names Red's."""
        table = at_fen("B:W31,30:B9,1")
        for changes in ({}, {31: "."}):
            table.setup = replace(table.setup, changes)
            table.reach(RED, {27, 31})
        (told,) = irregular(table.rest(4_000))
        assert (told.kind.value, told.side) == ("piece_removed", None)

    @pytest.mark.parametrize(("first", "then"), [(11, 10), (10, 11)])
    def test_of_two_that_have_left_the_one_that_was_taken_up_first_has_moved(
        self, first: int, then: int
    ) -> None:
        table = ready()
        table.reach(RED, {first})
        table.setup = replace(table.setup, {first: "."})
        table.reach(RED, {20}, 500)
        table.setup = replace(table.setup, {15: "r"})
        table.reach(RED, {15})
        table.reach(RED, {then})
        table.setup = replace(table.setup, {then: "."})
        table.reach(RED, {then}, 200)
        (told,) = irregular(table.rest(4_000))
        assert (told.kind.value, told.squares) == ("own_piece_removed", (first, 15, then))

    def test_a_hand_without_a_name_has_done_what_was_done_when_the_offenders_was_gone(self) -> None:
        table = at_fen("W:W21,32:B1,8,9,15")
        assert kinds(table.change(RED, {9: ".", 13: "r"}, 4_000)) == ["wrong_turn"]
        table.change(None, {8: "."}, 6_000)
        (told,) = irregular(table.change(RED, {13: ".", 9: "r"}, 6_000))
        assert (told.kind.value, told.side) == ("piece_removed", None)

    def test_a_hand_that_cannot_be_told_is_not_the_one_before(self) -> None:
        table = ready()
        table.reach(RED, {11})
        table.rest(2_000)
        table.rest(300, Hand(None, (11,)))
        table.setup = replace(START, {11: "."})
        table.rest(300, Hand(None, (11,)))
        table.rest(500)
        assert table.game.tracker.sight.at(11).changed_by is None

    def test_a_hand_that_slips_away_unseen_is_not_the_one_before(self) -> None:
        """At three pictures a second White's is seen only where it goes on to; Red's was there."""
        table = ready(frame_ms=333)
        table.reach(RED, {11}, 333)
        table.rest(1_332)
        table.setup = replace(START, {11: "."})
        table.reach(WHITE, {30}, 666)
        table.rest(999)
        assert table.game.tracker.sight.at(11).changed_by is None

    def test_nobody_is_named_for_a_king_that_may_have_gone_elsewhere(self) -> None:
        """A hand that cannot be told takes White's king off 16; a lamp in 12 looks a little like
        one."""
        table = at_fen("B:WK16,30:BK22,K29,K31")
        table.rest(2_000)
        table.rest(300, Hand(None, (16, 12)))
        table.setup = replace(table.setup, {16: "."})
        table.misread = {12: (-210, -99, -223, -160, 0)}
        table.rest(200, Hand(None, (16, 12)))
        table.rest(6_000)
        assert "wrong_turn" not in kinds(table.events)

    def test_no_move_out_of_turn_is_charged_while_both_have_played(self) -> None:
        """White's king may have gone and come back: 31-26, 9-14, 26-31."""
        table = at_fen("W:WK31:B9,1", frame_ms=300)
        table.reach(WHITE, {31, 26})
        assert kinds(table.change(RED, {9: ".", 14: "r"}, 3_000)) == []
        alone = at_fen("W:WK31:B9,1", frame_ms=300)
        assert kinds(alone.change(RED, {9: ".", 14: "r"}, 3_000)) == ["wrong_turn"]

    def test_nobody_is_charged_with_what_the_others_hand_did_to_his_man(self) -> None:
        """White moves Red's man; Red points at it before anything was said."""
        table = at_fen("W:W31:B9,1")
        table.reach(WHITE, {9, 14})
        table.setup = replace(table.setup, {9: ".", 14: "r"})
        table.reach(WHITE, {9, 14}, 300)
        table.rest(400)
        table.reach(RED, {9, 14, 5}, 600)
        table.rest(4_000)
        assert "wrong_turn" not in kinds(table.events)
        assert RED not in [e.side for e in table.events if isinstance(e, Irregular)]

    def test_nor_with_a_step_that_the_others_hand_has_made_with_his_king(self) -> None:
        """It is White's turn; he comes to put his king back."""
        table = at_fen("W:WK19,22:B1,4")
        table.change(RED, {19: ".", 12: "W"}, 3_000)
        table.rest(100, Hand(WHITE, (20, 28)))
        table.change(WHITE, {12: ".", 19: "W"})
        found = [(e.kind.value, e.side, e.squares) for e in irregular(table.events)]
        assert found == [("piece_displaced", RED, (19, 12))]

    def test_a_finger_that_points_at_once_at_an_offence_does_not_hide_it(self) -> None:
        table = at_fen("B:W22,30,31:B9,1")
        table.reach(WHITE, {18, 22})
        table.setup = replace(table.setup, {22: ".", 18: "w"})
        table.reach(WHITE, {22}, 200)
        table.rest(100)
        table.reach(RED, {4, 8, 12, 16, 20, 24, 27, 26}, 1_500)
        assert kinds(table.events) == ["wrong_turn"]

    def test_it_is_told_whose_it_was_where_the_finger_comes_before_it_is_told(self) -> None:
        """White's king goes back out of turn; what Red's finger covers looks bare for a moment."""
        table = at_fen("B:WK5:BK9,19,20")
        table.reach(WHITE, {1, 5})
        table.setup = replace(table.setup, {5: ".", 1: "W"})
        table.reach(WHITE, {1, 5}, 200)
        table.rest(500)
        table.reach(RED, {1, 5})
        table.misread = {1: RED_LOOKING}
        table.rest(200, Hand(RED, ()))
        table.reach(RED, {1, 5})
        table.misread = {}
        table.rest(3_000)
        (event,) = (e for e in table.events if isinstance(e, Irregular))
        assert (event.kind.value, event.side, event.squares) == ("wrong_turn", WHITE, (5, 1))

    def test_a_king_taken_up_by_fingers_beside_him_was_not_taken_by_the_hand_before(self) -> None:
        """White's arm has hidden 29 on its way to 10; Red then takes up his king there."""
        table = at_fen("W:WK7,5:BK29")
        table.reach(WHITE, {7, 11})
        table.setup = replace(table.setup, {7: "."})
        table.reach(WHITE, {10, 14, 17, 22, 25, 29}, 150)
        table.setup = replace(table.setup, {10: "W"})
        table.rest(200, Hand(RED, (17, 21, 25)))
        table.setup = replace(table.setup, {29: "."})
        table.rest(2_500)
        table.change(RED, {25: "R"})
        assert moves(table.events) == ["7-10", "29-25"]
        assert not kinds(table.events)

    def test_nor_is_who_points_at_his_man_charged_with_where_the_others_hand_has_put_him(
        self,
    ) -> None:
        """White has taken on Red's man from 14 before his move there was told."""
        table = ready()
        table.reach(RED, {9, 14})
        table.setup = replace(table.setup, {9: ".", 14: "r"})
        table.reach(RED, {5, 9}, 100)
        table.reach(WHITE, {14, 18, 22})
        table.setup = replace(table.setup, {14: ".", 18: "r"})
        table.reach(WHITE, {14, 18, 22}, 100)
        table.rest(600)
        table.reach(RED, {9, 14, 18}, 900)
        table.rest(2_000)
        assert not kinds(table.events)

    def test_nor_with_where_it_has_put_his_king_when_he_comes_to_look(self) -> None:
        """White's hand has left 10 with the king; whose put him on 1 was not told, as two were at
        it."""
        table = at_fen("B:WK3,K5:BK10,6")
        table.reach(WHITE, {5, 9, 10, 13})
        table.setup = replace(table.setup, {10: "."})
        table.reach(WHITE, {1, 5, 9, 13}, 400)
        table.reach(RED, {1, 5}, 200)
        table.setup = replace(table.setup, {1: "R"})
        table.rest(200, Hand(RED, ()))
        table.reach(WHITE, {5, 9}, 100)
        table.rest(5_000)
        table.rest(1_500, Hand(RED, ()))
        assert names(table.events) == ["ready", "unsure", "clock_held"]

    def test_nor_where_nobody_has_seen_the_piece_before_the_finger_came(self) -> None:
        table = at_fen(SINGLE, frame_ms=333)
        table.reach(RED, {8, 12}, 333)
        table.setup = replace(table.setup, {8: ".", 12: "r"})
        table.reach(RED, {8, 12}, 333)
        table.reach(WHITE, {12, 16, 20}, 1_332)
        table.rest(5_000)
        assert names(table.events) == ["ready", "irregular", "ruling"]
        assert kinds(table.events) == ["capture_missed"]

    def test_a_square_that_both_hide_at_once_may_be_eithers_doing(self) -> None:
        """5-9, 13x6, 2x9: White's hand is still over 2 when Red takes back with that man."""
        table = at_fen("B:W13,23,24,29,30,31:B1,2,5,10,11")
        late = Hand(WHITE, (2,))
        for side, changes in (
            (RED, ({5: "."}, {9: "r"})),
            (WHITE, ({13: "."}, {6: "w"}, {9: "."})),
            (RED, ({2: "."}, {9: "r"}, {6: "."})),
        ):
            others = (late,) if table.setup[5] == "w" else ()
            for change in changes:
                table.rest(200, Hand(side, tuple(change)), *others)
                table.setup = replace(table.setup, change)
            table.rest(100, Hand(side, tuple(changes[-1])), *others)
        table.rest(400, late)
        table.rest(4_000)
        assert moves(table.events) == ["5-9", "13x6", "2x9"]
        assert not kinds(table.events)

    @pytest.mark.parametrize(("frame_ms", "gap_ms"), [(50, 150), (100, 150), (200, 600)])
    def test_one_person_may_play_both_sides_quickly(self, frame_ms: int, gap_ms: int) -> None:
        table = ready(frame_ms=frame_ms)
        for change in (
            {11: ".", 15: "r"},
            {22: ".", 18: "w"},
            {15: ".", 18: ".", 22: "r"},
            {25: ".", 22: ".", 18: "w"},
            {12: ".", 16: "r"},
            {18: ".", 14: "w"},
            {9: ".", 14: ".", 18: "r"},
        ):
            table.change(WHITE, change, gap_ms)
        table.rest(4_000)
        assert len(table.game.moves) == 7
        assert not kinds(table.events)

    def test_what_two_players_have_done_is_not_charged_to_one(self) -> None:
        table = at_fen("B:W30,26:B9,1")
        table.reach(RED, {9, 14})
        table.setup = replace(table.setup, {9: ".", 14: "r"})
        table.reach(WHITE, {9, 14, 1})
        table.setup = replace(table.setup, {1: "."})
        table.reach(WHITE, {9, 14, 1}, 200)
        table.rest(4_000)
        assert "own_piece_removed" not in kinds(table.events)

    def test_what_was_changed_before_a_player_came_is_not_his_doing(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        assert moves(table.change(WHITE, {23: ".", 19: "w", 27: "w"}, 300))
        table.misread = {27: (0, -640, -640, -640, -640)}
        table.rest(1_500)
        table.change(RED, {10: ".", 14: "r"}, 4_000)
        assert not kinds(table.events)

    def test_a_king_that_the_offenders_arm_alone_was_near_excuses_nobody(self) -> None:
        """Red's hand is over 4 meanwhile; his king on 10 has not gone and come back."""
        table = at_fen("B:W22,32:BK10,1,2")
        hands = Hand(WHITE, (14, 17, 22)), Hand(RED, (4,))
        table.rest(300, *hands)
        table.setup = replace(table.setup, {22: ".", 17: "w"})
        table.rest(300, *hands)
        assert kinds(table.rest(6_000)) == ["wrong_turn"]

    def test_nobody_is_accused_while_the_board_lies_elsewhere_in_the_picture(self) -> None:
        table = ready()
        table.shift = 60
        assert names(table.rest(500)) == ["moved"]
        assert not kinds(table.change(RED, {11: ".", 19: "r"}, 6_000))

    def test_nor_while_a_hand_has_clearly_changed_another_square(self) -> None:
        table = at_fen("B:W15,32,31:B11,8,1")
        events = table.change(RED, {11: ".", 15: ".", 18: "r", 8: ".", 1: "w"}, 6_000)
        assert not kinds(events)
        assert "unsure" in names(events)

    def test_nor_under_an_arm_while_the_last_moves_are_not_sure(self) -> None:
        """White's king has gone to 6 and 9; one that Red had put on 7 was taken for it."""
        table = at_fen("W:WK2,K4,K16:B17,K22,K30", frame_ms=100)
        table.change(RED, {7: "W"}, 800)
        table.change(WHITE, {2: ".", 6: "W"}, 0)
        table.reach(RED, {5, 8, 28, 30}, 1_500)
        table.reach(RED, {2, 15, 26, 29, 30}, 800)
        table.setup = replace(table.setup, {30: ".", 26: "R"})
        table.reach(RED, {1}, 600)
        arm = {1, 5, 6, 7, 9, 23, 24, 25}
        table.reach(WHITE, arm, 100)
        table.setup = replace(table.setup, {6: ".", 9: "W"})
        table.reach(WHITE, arm, 800)
        table.rest(1_500)
        table.reach(RED, {7}, 100)
        table.setup = replace(table.setup, {7: "r"})
        table.reach(RED, {7}, 800)
        assert not kinds(table.rest(4_000, Hand(RED, (7, 13, 14, 16))))
        assert moves(table.rest(6_000)) == ["2-6", "30-26", "6-9"]

    def test_nor_of_what_two_hands_have_done(self) -> None:
        """Red has taken the man from 21; that White puts one on 24 is no step of his."""
        table = at_fen("W:W21,30,5:B1,2")
        table.change(RED, {21: "."}, 300)
        events = table.change(WHITE, {24: "w"}, 6_000)
        assert not kinds(events)
        assert "unsure" in names(events)

    def test_nor_of_a_man_missing_where_the_eye_has_just_slipped(self) -> None:
        """He looks gone for a moment without a hand, and so again when one has passed over him."""
        table = ready()
        for looks in ({12: (0, -400, -500, -700, -700)}, {}):
            table.misread = looks
            table.rest(1_000)
        table.reach(WHITE, {8, 12})
        table.misread = {12: (0, -400, -500, -700, -700)}
        table.reach(WHITE, {8, 12})
        events = table.rest(7_000)
        assert not kinds(events)
        assert "unsure" in names(events)

    @pytest.mark.parametrize(("end", "side"), [(16, None), (12, RED)], ids=["moved", "not moved"])
    def test_who_moved_a_man_has_not_taken_him_off(self, end: int, side) -> None:
        """White takes him off so soon after his move that this was not told."""
        table = at_fen("B:W21,22,24,27,30:B1,2,3,12")
        table.rest(2_000)
        if end == 16:
            table.change(RED, {12: ".", 16: "r"}, 100)
            table.change(WHITE, {16: "."}, 0)
        else:
            table.change(RED, {12: "."}, 0)
        (told,) = irregular(table.rest(6_000))
        assert (told.kind.value, told.side, told.squares) == ("piece_removed", side, (12,))


class TestAtOnce:
    """What is done so soon after a move that this was not told yet."""

    def after_a_move(self, changes: dict[int, str], over: tuple[int, ...], frame_ms: int) -> Table:
        table = ready(frame_ms=frame_ms)
        table.rest(2_000)
        table.change(RED, {11: ".", 15: "r"}, 200, over=(3, 7, 8))
        table.change(RED, changes, 6_000, over=over)
        return table

    @pytest.mark.parametrize("frame_ms", [50, 100, 200])
    def test_nobody_is_charged_with_where_the_other_has_put_his_man(self, frame_ms: int) -> None:
        over = (2, 7, 10, 14, 15, 18, 22, 25, 26)
        table = self.after_a_move({30: ".", 18: "w"}, over, frame_ms)
        (told,) = irregular(table.events)
        assert (told.kind.value, told.side) == ("piece_displaced", RED)

    def test_who_moves_another_piece_has_moved_out_of_turn(self) -> None:
        table = self.after_a_move({10: ".", 14: "r"}, (2, 6), 50)
        (told,) = irregular(table.events)
        assert (told.kind.value, told.side) == ("wrong_turn", RED)


def test_a_king_who_was_seen_until_he_lay_elsewhere_was_put_there() -> None:
    """White's arm rests on the board, and Red's own king may have gone and come back."""
    table = at_fen("W:WK15,16,19,21,24:BK3,5,10,12,22")
    table.change(WHITE, {15: ".", 10: ".", 6: "W"}, 1_000)
    arm = Hand(WHITE, (26, 30))
    table.rest(1_500, arm)
    for changes in ({}, {6: ".", 7: "W"}):
        table.setup = replace(table.setup, changes)
        table.rest(150, Hand(RED, (2, 3, 6, 7)), arm)
    (told,) = irregular(table.rest(4_000))
    assert (told.kind.value, told.squares) == ("piece_displaced", (6, 7))


def test_a_missing_man_is_told_though_both_were_about() -> None:
    table = at_fen("B:W13,17,21,22,25:B4,6,8,10,14,26,K27")
    table.reach(RED, {8}, 400)
    table.reach(WHITE, {22})
    table.setup = replace(table.setup, {22: "."})
    table.rest(200, Hand(WHITE, (22,)), Hand(RED, (4, 8)))
    (told,) = irregular(table.rest(5_000))
    assert (told.kind.value, told.squares) == ("piece_removed", (22,))

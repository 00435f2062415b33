"""Captures, and the jumped pieces that are left, come off late or are not alone."""

from __future__ import annotations

import pytest

from referee.board import Side, replace
from referee.events import Irregular, Verdict
from referee.observation import Hand, Row
from tests.looks import WHITE_CLEARLY, man_looking
from tests.table import MULTI, RED, SINGLE, WHITE, at_fen, irregular, kinds, moves, names, rulings


class TestJumpedPieces:
    def test_who_takes_the_jumped_men_off_first_has_his_own_in_his_hand(self) -> None:
        table = at_fen("W:W22,29,30:B11,18,1")
        for square in (18, 11):
            table.reach(WHITE, {square, 25}, 300)
            table.setup = replace(table.setup, {square: "."})
            table.rest(600)
        table.reach(WHITE, {22, 26}, 300)
        table.setup = replace(table.setup, {22: "."})
        table.reach(WHITE, {12, 16, 20, 28}, 5_000)
        table.setup = replace(table.setup, {8: "w"})
        table.reach(WHITE, {8, 12, 16, 20}, 200)
        assert moves(table.rest(2_000)) == ["22x8"]
        assert not kinds(table.events)

    def test_the_offender_goes_straight_on_to_the_lawful_capture(self) -> None:
        table = at_fen(SINGLE)
        table.change(RED, {8: ".", 12: "r"})
        events = table.change(RED, {12: ".", 8: "r", 11: ".", 15: ".", 18: "r"})
        assert names(events) == ["restored", "played"]

    def test_jumped_pieces_that_come_off_late_complete_the_move(self) -> None:
        table = at_fen(SINGLE)
        assert kinds(table.change(RED, {11: ".", 18: "r"}, 3_500)) == ["jumped_piece_left"]
        assert names(table.change(RED, {15: "."})) == ["restored", "played"]

    def test_a_jumped_man_is_left_though_it_is_not_seen_whether_another_is(self) -> None:
        table = at_fen("B:W15,22,32:B11")
        table.misread = {22: (60, -600, -600, 0, 0)}
        events = table.change(RED, {11: ".", 25: "r"}, 3_500)
        found = [(e.kind.value, e.squares) for e in events if isinstance(e, Irregular)]
        assert found == [("jumped_piece_left", (11, 25, 15))]

    @pytest.mark.parametrize(("lay_ms", "told"), [(1_200, ["jumped_piece_left"]), (300, [])])
    def test_who_points_at_a_jumped_man_that_was_left_does_not_put_off_what_is_told(
        self, lay_ms: int, told: list[str]
    ) -> None:
        table = at_fen(SINGLE)
        table.change(RED, {11: ".", 18: "r"}, lay_ms)
        table.reach(WHITE, {25, 29, 30}, 700)
        table.rest(700)
        assert kinds(table.events) == told
        assert kinds([*table.events, *table.rest(2_000)]) == ["jumped_piece_left"]

    def test_a_captor_who_comes_again_has_time_anew(self) -> None:
        """He takes off what he has jumped, one man after the other."""
        table = at_fen("B:W15,22,32:B11")
        table.change(RED, {11: ".", 25: "r"}, 600, over=(15, 22))
        table.change(RED, {15: "."}, 1_500)
        table.reach(RED, {22, 26}, 800)
        table.rest(1_200)
        assert not kinds(table.events)
        assert kinds(table.rest(2_000)) == ["jumped_piece_left"]

    @pytest.mark.parametrize(
        ("row", "told"),
        [
            ((-540, -800, -800, 0, -800), ["jumped_piece_left"]),
            ((-460, -800, -800, 0, -800), []),
            ((-700, -250, -800, 0, -800), ["jumped_piece_left"]),
        ],
        ids=["as-plainly-as-others", "too-faintly", "whosever-he-looks"],
    )
    def test_a_jumped_man_is_left_who_is_seen_as_plainly_as_others_of_his_side(
        self, row: Row, told: list[str]
    ) -> None:
        """On a board whose squares speak up more when they are bare."""
        table = at_fen("B:W15,28,29,30,31,32:B11,8,1")
        table.misread = dict.fromkeys((15, *range(28, 33)), (-650, -800, -800, 0, -800))
        table.rest(1_000)
        table.reach(RED, {11, 15, 18})
        table.setup = replace(table.setup, {11: ".", 18: "r"})
        table.misread[15] = row
        table.reach(RED, {11, 15, 18})
        table.rest(5_000)
        assert kinds(table.events) == told

    def test_a_capture_is_its_captors_whoever_was_last_seen_over_it(self) -> None:
        table = at_fen(SINGLE)
        table.reach(RED, {11, 18})
        table.setup = replace(table.setup, {11: ".", 18: "r"})
        table.reach(WHITE, {11, 18})
        table.rest(4_000)
        found = [(e.kind.value, e.side) for e in table.events if isinstance(e, Irregular)]
        assert found == [("jumped_piece_left", RED)]

    @pytest.mark.parametrize(("with_it", "told"), [((), []), ((30,), ["wrong_piece_removed"])])
    def test_a_hand_seen_beside_the_captors_that_takes_a_man_up_is_not_his(
        self, with_it: tuple[int, ...], told: list[str]
    ) -> None:
        """Whose it is was not told: the other player answers with this man. What the captor's own
        hand hides he has taken off."""
        table = at_fen("B:W17,30,32:B13,1,2")
        table.reach(RED, {13, 17, 22, *with_it})
        table.setup = replace(table.setup, {13: ".", 17: ".", 22: "r"})
        others = () if with_it else (Hand(None, (30,)),)
        table.rest(100, Hand(RED, (9, 13, *with_it)), *others)
        table.setup = replace(table.setup, {30: "."})
        table.rest(200, *(others or (Hand(RED, (30,)),)))
        table.rest(2_000)
        assert kinds(table.events) == told
        table.change(WHITE, {25: "w"})
        assert moves(table.events) == ["13x22", "30-25"]

    @pytest.mark.parametrize(("hand", "told"), [(RED, ["jumped_piece_left"]), (WHITE, [])])
    def test_who_answers_onto_the_square_of_a_jumped_man_that_was_taken_off_excuses_his_captor(
        self, hand: Side, told: list[str]
    ) -> None:
        """Though it cannot be seen where the answer came from; not if the captor lays him back."""
        table = at_fen("B:W15,19,32:B11,8,1")
        table.misread = {19: man_looking(0, WHITE)}
        table.change(RED, {11: ".", 18: "r", 15: "."}, 100)
        table.reach(hand, {15, 19}, 100)
        table.setup = replace(table.setup, {15: "w", 19: "."})
        table.reach(hand, {19}, 100)
        assert kinds(table.rest(5_000)) == told

    @pytest.mark.parametrize("waited_ms", [0, 400, 1_200])
    def test_a_capture_that_is_answered_while_the_jumped_man_stands(self, waited_ms: int) -> None:
        table = at_fen("B:W15,32:B11,8,1")
        table.change(RED, {11: ".", 18: "r"}, waited_ms)
        events = table.change(WHITE, {32: ".", 28: "w"}, 4_000)
        found = [(e.kind.value, e.side, e.squares) for e in events if isinstance(e, Irregular)]
        assert found == [("jumped_piece_left", RED, (11, 18, 15))]
        assert names(table.change(RED, {15: "."})) == ["restored", "played", "played"]
        assert moves(table.events) == ["11x18", "32-28"]

    def test_the_answer_may_take_the_piece_that_has_jumped(self) -> None:
        table = at_fen("W:W16,32:B11,3,1")
        table.change(WHITE, {16: ".", 7: "w"}, 1_200)
        table.change(RED, {3: ".", 7: ".", 10: "r"}, 4_000)
        assert kinds(table.events) == ["jumped_piece_left"]
        table.change(WHITE, {11: "."})
        assert moves(table.events) == ["16x7", "3x10"]

    def test_a_jumped_man_that_comes_off_while_the_reply_is_made_was_not_left(self) -> None:
        table = at_fen("B:W15,32:B11,8,1")
        table.change(RED, {11: ".", 18: "r"}, 400)
        table.change(WHITE, {32: ".", 28: "w"}, 600)
        table.change(RED, {15: "."}, 4_000)
        assert not kinds(table.events)
        assert moves(table.events) == ["11x18", "32-28"]

    @pytest.mark.parametrize(
        ("away_ms", "told"),
        [(1_200, ["played"]), (3_000, ["irregular", "ruling", "restored", "played"])],
    )
    def test_an_interrupted_capture_goes_on(self, away_ms: int, told: list[str]) -> None:
        """Who only lays the jumped man aside has not interrupted it."""
        table = at_fen(MULTI)
        events = table.change(RED, {9: ".", 14: ".", 18: "r"}, away_ms)
        assert names([*events, *table.change(RED, {18: ".", 22: ".", 25: "r"})]) == told

    def test_a_disc_that_is_carried_over_the_captors_first_square_has_not_stood_there(self) -> None:
        table = at_fen("B:W19,27,31,30:B15,1,2")
        table.reach(RED, {15, 19, 24}, 400)
        table.setup = replace(table.setup, {15: ".", 24: "r"})
        table.rest(600)
        table.reach(WHITE, {27, 24, 20}, 600)
        table.setup = replace(table.setup, {27: ".", 24: ".", 20: "w"})
        table.rest(700)
        table.reach(RED, {19})
        table.setup = replace(table.setup, {19: "."})
        table.misread = {15: WHITE_CLEARLY}
        table.reach(RED, {19}, 200)
        table.misread = {}
        table.reach(RED, {19}, 200)
        assert moves(table.rest(1_000)) == ["15x24", "27x20"]

    @pytest.mark.parametrize("later_ms", [0, 900])
    @pytest.mark.parametrize("frame_ms", [50, 200])
    def test_a_wrong_man_taken_off_is_no_reply_by_the_other_player(
        self, later_ms: int, frame_ms: int
    ) -> None:
        """He could have stepped to where the jumped man stood, who seems to be gone instead."""
        table = at_fen("B:W18,22,32,K8:B14,1,2", frame_ms=frame_ms)
        if later_ms:
            table.change(RED, {14: ".", 23: "r"}, 0)
            table.reach(RED, {22}, later_ms)
        table.change(RED, {14: ".", 23: "r", 22: "."}, 6_000)
        assert kinds(table.events) == ["wrong_piece_removed"]
        assert not moves(table.events)

    def test_a_reply_to_where_the_jumped_man_stood_is_one(self) -> None:
        table = at_fen("B:W18,22,32,K8:B14,1,2")
        table.change(RED, {14: ".", 23: "r", 18: "."}, 0)
        table.change(WHITE, {22: ".", 18: "w"}, 4_000)
        assert moves(table.events) == ["14x23", "22-18"]

    def test_a_reply_made_before_the_jumped_piece_came_off_is_one(self) -> None:
        table = at_fen(SINGLE)
        table.change(RED, {11: ".", 18: "r"}, 900)
        table.change(WHITE, {32: ".", 28: "w"}, 1_000)
        table.change(RED, {15: "."})
        assert moves(table.events) == ["11x18", "32-28"]

    def test_of_two_pieces_that_have_gone_the_one_that_was_seen_longer_has_not_moved(self) -> None:
        """7 to 14 over his own 10 would leave the same board; but 7 stood there still."""
        table = at_fen("B:W20,32:B1,7,10")
        table.reach(RED, {2, 7}, 200)
        table.reach(RED, {2, 7, 10}, 200)
        table.setup = replace(table.setup, {10: ".", 14: "r"})
        table.reach(RED, {2}, 500)
        table.setup = replace(table.setup, {7: "."})
        table.reach(RED, {3}, 400)
        (event,) = (e for e in table.rest(3_000) if isinstance(e, Irregular))
        assert (event.kind.value, event.squares) == ("own_piece_removed", (10, 14, 7))

    @pytest.mark.parametrize(
        ("square", "kind"), [(8, "own_piece_removed"), (32, "wrong_piece_removed")]
    )
    def test_what_the_captor_takes_off_in_a_second_visit_was_not_jumped(
        self, square: int, kind: str
    ) -> None:
        table = at_fen("B:WK7,15,32:B11,8,1")
        assert moves(table.change(RED, {11: ".", 15: ".", 18: "r"}, 700)) == ["11x18"]
        over = () if square == 8 else (4, 8, 12, 16, 20, 24, 28)
        (told,) = irregular(table.change(RED, {square: "."}, 4_000, over))
        assert (told.kind.value, told.side, told.squares) == (kind, RED, (square,))
        (ruling,) = rulings(table.events)
        assert ruling.text.endswith(f"Put back the piece on {square}; the capture stands.")

    def test_what_he_takes_up_long_after_has_nothing_to_do_with_his_capture(self) -> None:
        table = at_fen("B:WK7,15,32:B11,8,1")
        table.change(RED, {11: ".", 15: ".", 18: "r"}, 2_500)
        (told,) = irregular(table.change(RED, {8: "."}, 4_000))
        assert (told.kind.value, told.squares) == ("piece_removed", (8,))
        assert all(ruling.verdict is not Verdict.WARNING for ruling in rulings(table.events))

    def test_who_points_at_once_where_the_captor_took_a_man_off_has_not_taken_him(self) -> None:
        table = at_fen("B:WK7,15,32:B11,8,1")
        table.change(RED, {11: ".", 15: ".", 18: "r"}, 0)
        over = {4, 8, 12, 16, 20, 24, 28, 32}
        table.reach(RED, over, 200)
        table.setup = replace(table.setup, {32: "."})
        table.reach(RED, over, 200)
        table.reach(WHITE, {32}, 1_500)
        (told,) = (event for event in table.rest(4_000) if isinstance(event, Irregular))
        assert (told.kind.value, told.side) == ("piece_removed", None)

    def test_what_the_other_player_takes_off_after_a_capture_is_missing(self) -> None:
        table = at_fen("B:WK7,15,32:B11,8,1")
        table.change(RED, {11: ".", 15: ".", 18: "r"}, 700)
        assert kinds(table.change(WHITE, {1: "."}, 4_000)) == ["piece_removed"]

    @pytest.mark.parametrize("late_ms", [50, 100])
    def test_one_who_came_and_was_taken_by_moves_not_told_yet_is_no_piece_too_many(
        self, late_ms: int
    ) -> None:
        """3x10, 18x11 and 8x15 at once. The man on 11 is left, and seen faintly: he has looked so
        since before 3x10 was told, but by these moves, and not by an eye that errs."""
        table = at_fen("B:W7,18,24,32:B3,4,8,15,1")
        captures = (
            (RED, {3: ".", 7: ".", 10: "r"}),
            (WHITE, {18: ".", 15: ".", 11: "w"}),
            (RED, {8: ".", 15: "r"}),
        )
        for side, changes in captures:
            table.reach(side, changes, 150)
            table.setup = replace(table.setup, changes)
            if side is WHITE:
                table.misread = {11: (-560, -700, -700, 0, -100)}
            table.reach(side, changes, late_ms)
            table.rest(200 * (side is WHITE))
        table.rest(6_000)
        assert moves(table.events) == ["3x10"]
        assert names(table.events)[-2:] == ["unsure", "clock_held"]
        assert not kinds(table.events)

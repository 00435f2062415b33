"""Doubts about what lies on the board, and an eye that errs."""

from __future__ import annotations

import random

import pytest

from referee.board import SQUARES, START, replace
from referee.events import Unsure
from referee.notation import parse_fen
from referee.observation import HIDDEN, Hand, Observation, Visibility, certain
from referee.tracking import rivals
from tests.looks import EMPTY_LOOKING, RED_LOOKING
from tests.table import RED, SINGLE, WHITE, Table, at_fen, kinds, moves, names, ready


def first_asked(table: Table) -> tuple[int, ...]:
    """The squares of the first question, which there has been."""
    return next(event.squares for event in table.events if isinstance(event, Unsure))


def rows_weighed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Grows by one for each row of moves that is weighed from now on."""
    weighed: list[object] = []
    weigh = rivals._Look.gone_on

    def counted(*of: object) -> object:
        weighed.append(of)
        return weigh(*of)  # type: ignore[arg-type]

    monkeypatch.setattr(rivals._Look, "gone_on", counted)
    return weighed


class TestDoubt:
    def test_what_was_taken_off_between_moves_too_quick_to_see_is_not_passed_over(self) -> None:
        table = at_fen("B:WK10,19,22,24,26,28,30,32:B4,5,6,9,13,21", frame_ms=300)
        for changes, ms in (
            ({6: ".", 10: ".", 15: "r"}, 800),
            ({30: "."}, 200),
            ({10: "w", 15: ".", 19: "."}, 1_500),
            ({21: ".", 25: "r"}, 6_000),
        ):
            table.setup = replace(table.setup, changes)
            table.rest(ms)
        assert 30 in first_asked(table)

    def test_two_moves_under_a_wide_hand_hide_no_piece_that_came_before(self) -> None:
        table = at_fen("B:WK9,K12,20,24,29,32:B15,K30", frame_ms=100)
        table.change(RED, {16: "w"}, 800)
        table.change(RED, {25: "R", 30: "."}, 1_500)
        table.change(WHITE, {22: "w", 25: ".", 29: "."}, 200)
        table.reach(WHITE, (6, 8, 12, 14, 18, 23), 2_000)
        table.rest(5_000)
        assert 16 in first_asked(table)

    def test_moves_that_one_player_makes_for_both_beside_his_offence_are_not_followed(self) -> None:
        table = at_fen("B:W20,22,24,28:B1,4,11,12,21,23", frame_ms=100)
        table.change(RED, {2: "w"}, 3_000)
        assert kinds(table.events) == ["piece_added"]
        table.change(RED, {1: ".", 6: "r"}, 400)
        table.change(RED, {17: "w", 22: "."}, 800)
        table.change(RED, {21: ".", 25: "r"}, 400)
        table.reach(WHITE, (6, 12), 1_000)
        table.rest(5_000)
        assert not moves(table.events)
        assert any(isinstance(event, Unsure) for event in table.events)

    @pytest.mark.parametrize(
        ("strength", "told"), [(800, ["wrong_piece_removed"]), (400, [])], ids=["plain", "faint"]
    )
    def test_a_square_on_which_the_eye_has_slipped_says_enough_if_it_is_plain(
        self, strength: int, told: list[str]
    ) -> None:
        table = at_fen(SINGLE)
        table.misread = {32: (0, -700, -700, -300, -700)}  # no hand is about
        table.rest(600)
        table.misread = {}
        table.rest(2_000)
        table.change(RED, {11: ".", 15: ".", 18: "r", 32: "."}, 0)
        table.misread = {32: (0, *[-strength] * 4)}
        table.rest(3_000)
        assert kinds(table.events) == told

    def test_a_square_that_faintly_looks_taken_holds_no_piece_too_many(self) -> None:
        table = ready()
        table.reach(RED, {17})
        table.misread = {17: (-490, 0, -100, -700, -700)}
        table.reach(RED, {17})
        table.rest(6_000)
        assert not kinds(table.events)

    def test_a_piece_taken_off_has_not_gone_to_a_square_that_looks_faintly_empty(self) -> None:
        table = at_fen("W:W21,30:B1,2")
        table.misread = {17: (0, -300, -300, -110, -200)}
        table.change(WHITE, {21: "."}, 6_000)
        assert not moves(table.events)

    def test_a_square_misread_for_seconds_accuses_nobody(self) -> None:
        table = ready()
        wrong = certain(START)
        wrong = (*wrong[:29], (0, -700, -700, -300, -700), *wrong[30:])
        for _ in range(160):
            table.time_ms += 50
            table._feed(Observation(table.time_ms, wrong))
        assert not kinds(table.events)

    def test_a_doubt_names_its_squares(self) -> None:
        table = ready()
        table.strength = 120
        table.change(RED, {11: ".", 30: "."}, 8_000)
        assert [e.squares for e in table.events if isinstance(e, Unsure)] == [(11, 30)]

    def test_a_doubt_does_not_wait_for_ever_while_people_play_on(self) -> None:
        table = ready()
        table.strength = 120
        table.change(RED, {11: ".", 30: "."}, 1_000)
        for _ in range(6):
            assert not [e for e in table.events if isinstance(e, Unsure)]
            table.reach(WHITE, {31}, 600)
            table.rest(1_000)
        table.rest(1_000)
        assert len([e for e in table.events if isinstance(e, Unsure)]) == 1

    def test_a_square_that_looked_wrong_before_says_nothing_of_the_next_move(self) -> None:
        table = at_fen("B:W26,30:B1,2")
        table.misread = {23: (-320, -700, -700, 0, -100)}
        table.reach(WHITE, {23})
        table.rest(3_000)
        table.change(RED, {1: ".", 5: "r"})
        table.reach(WHITE, {26})
        table.setup = replace(table.setup, {26: ".", 22: "w"})
        table.reach(WHITE, {22, 25, 29}, 2_500)
        assert moves(table.events) == ["1-5"]
        table.rest(3_000)
        assert moves(table.events) == ["1-5", "26-22"]

    def test_what_is_put_right_after_a_question_was_not_played(self) -> None:
        """White has moved a king of Red's while a lamp hid his own, and puts it back: by three
        moves, his own there and back, it would have got there as well."""
        table = at_fen("W:WK8:B1,16,17,18,19,K21,K22")
        table.misread = {8: (0, -700, -700, -700, -330)}
        assert names(table.change(WHITE, {22: ".", 26: "R"}, 4_500)) == ["unsure", "clock_held"]
        table.misread = {}
        table.reach(WHITE, {26, 30}, 350)
        table.setup = replace(table.setup, {26: "."})
        table.reach(WHITE, {26, 22, 30})
        table.setup = replace(table.setup, {22: "R"})
        table.reach(WHITE, {26, 22, 30}, 200)
        table.rest(2_000)
        assert not moves(table.events)

    def test_a_weak_eye_is_silent_or_unsure(self) -> None:
        table = ready()
        table.strength = 70
        events = table.change(WHITE, {22: ".", 18: "w"}, 8_000)
        assert not kinds(events)
        assert len([e for e in events if isinstance(e, Unsure)]) <= 1

    def test_nor_are_two_beside_a_piece_too_many_that_both_let_lie(self) -> None:
        table = ready()
        assert kinds(table.change(WHITE, {16: "w"}, 6_000)) == ["piece_added"]
        table.change(RED, {9: ".", 13: "r"}, 500)
        table.change(WHITE, {22: ".", 18: "w"}, 6_000)
        assert not moves(table.events)
        (asked,) = (event for event in table.events if isinstance(event, Unsure))
        assert asked.candidates == ("9-13 22-18",)

    def test_nor_is_one_beside_a_square_that_the_hand_has_clearly_changed(self) -> None:
        table = ready()
        table.reach(RED, {11, 24})
        table.misread = {24: (-550, 0, -100, -450, -550)}
        table.change(RED, {11: ".", 15: "r", 24: "w"}, 3_000)
        assert not moves(table.events)

    def test_a_lawful_move_beside_a_removed_piece_is_not_snapped_to(self) -> None:
        table = ready()
        events = table.change(RED, {11: ".", 15: "r", 31: ".", 2: "."}, 8_000)
        assert not moves(events)

    def test_few_rows_are_weighed_for_a_board_that_is_being_cleared(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        weighed = rows_weighed(monkeypatch)
        table = ready(frame_ms=100)
        for square in random.Random(1).sample(SQUARES, 30):
            table.setup = replace(table.setup, {square: "."})
            table.reach(RED, {square}, 200)
        assert len(weighed) < 1_000

    def test_few_rows_are_weighed_in_any_frame_among_many_kings(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        weighed, most = rows_weighed(monkeypatch), 0
        table = ready(parse_fen("W:WK32,K31,K27,K28,K30,K29:BK1,K2,K5,K6,K3,K10"), frame_ms=100)
        for square in (32, 27, 31, 6, 10, 28):
            table.setup = replace(table.setup, {square: "."})
            for _ in range(6):
                weighed.clear()
                table.rest(100, Hand(WHITE, (square,)), Hand(RED, (1,)))
                most = max(most, len(weighed))
        assert 20 < most <= rivals.MOST_TRIED + rivals.MOST_TRIED_ANEW + 3 * rivals.KEPT


class TestErringEye:
    """An eye that goes on erring on one square loses no game and accuses nobody."""

    def test_a_square_misread_far_from_the_hand_holds_up_no_move(self) -> None:
        table = ready(frame_ms=125)
        table.reach(WHITE, {24})
        table.misread = {5: EMPTY_LOOKING}
        table.reach(WHITE, {24})
        assert moves(table.change(RED, {11: ".", 15: "r"}, 800)) == ["11-15"]
        assert not kinds(table.rest(3_000))

    def test_nor_one_that_is_misread_when_a_hand_comes_to_it_later(self) -> None:
        table = ready(frame_ms=100)
        table.reach(RED, {11})
        table.misread = {17: (-650, 0, -100, -700, -700)}
        table.reach(RED, {12})
        table.reach(WHITE, {22, 18, 17})
        assert not kinds(table.rest(5_000))

    def test_a_square_that_is_never_read(self) -> None:
        table = ready()
        table.misread = {15: HIDDEN}
        table.rest(1_000)
        assert moves(table.change(RED, {11: ".", 15: "r"}, 4_000)) == ["11-15"]
        assert moves(table.change(WHITE, {22: ".", 18: "w"}, 4_000)) == ["22-18"]

    def test_a_flicker_under_the_next_hand_holds_up_no_move(self) -> None:
        table = ready(frame_ms=200)
        table.misread = {24: (-240, 0, -700, -700, -700)}
        table.reach(RED, {11})
        table.misread = {24: HIDDEN}
        assert moves(table.change(RED, {11: ".", 15: "r"}, 2_000)) == ["11-15"]

    def test_which_man_has_moved_is_not_told_by_one_misread_for_a_second(self) -> None:
        """Three pictures a second: the hand has left when the move is seen. A lamp in 31 goes on
        showing a man there."""
        table = at_fen("W:W31,32,24:B1,3,8", frame_ms=333)
        lamp = {31: (-330, -700, -700, 0, -100)}
        table.reach(WHITE, {31, 27}, 333)
        table.misread = lamp
        table.setup = replace(table.setup, {31: ".", 27: "w"})
        table.rest(1_000)
        assert table.game.tracker.rivalry.rows[0].moves[0].path == (31, 27)
        table.misread = lamp | {32: (-435, 0, -100, -700, -700)}
        table.rest(1_000)
        table.misread = lamp
        table.change(RED, {8: ".", 11: "r"}, 2_500)
        assert "32-27" not in moves(table.events)
        assert table.game.tracker.rivalry.rows[0].moves[0].path == (31, 27)

    def test_moves_that_follow_bear_out_one_that_the_eye_denies(self) -> None:
        table = ready()
        table.misread = {11: RED_LOOKING}
        table.change(RED, {11: ".", 15: "r"}, 900)
        table.change(WHITE, {22: ".", 18: "w"}, 900)
        table.change(RED, {15: ".", 18: ".", 22: "r"}, 900)
        table.change(WHITE, {25: ".", 22: ".", 18: "w"}, 2_500)
        assert moves(table.events) == ["11-15", "22-18", "15x22", "25x18"]
        assert not kinds(table.events)

    def shuffle(self, table: Table) -> None:
        """A king goes and comes back, the other one moves between, and nobody waits."""
        table.change(WHITE, {24: ".", 19: "W"}, 0)
        table.rest(200, Hand(RED, (31, 27, 23)))
        table.setup = replace(table.setup, {31: ".", 26: "R"})
        table.rest(200, Hand(RED, (26, 31, 22)))
        table.rest(400, Hand(WHITE, (24, 28)))
        table.setup = replace(table.setup, {19: ".", 24: "W"})
        table.rest(200, Hand(WHITE, (24, 28)))
        table.rest(2_000)

    def test_a_king_that_goes_and_comes_back_between_quick_replies(self) -> None:
        table = at_fen("W:WK24,32:BK31,5", frame_ms=200)
        self.shuffle(table)
        assert moves(table.events) == ["24-19", "31-26", "19-24"]

    def test_nor_does_a_dark_before_it_lose_it(self) -> None:
        table = at_fen("W:WK24,32:BK31,5", frame_ms=200)
        table.visibility = Visibility.DARK
        table.rest(2_000)
        table.visibility = Visibility.CLEAR
        table.rest(600)
        self.shuffle(table)
        assert moves(table.events) == ["24-19", "31-26", "19-24"]

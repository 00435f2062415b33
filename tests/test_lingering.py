"""Hands that stay on the piece that has moved."""

from __future__ import annotations

import dataclasses

import pytest

from referee.board import START, replace
from referee.commands import Word
from referee.events import Lingering, Withdrawn
from referee.observation import HIDDEN, Hand, Visibility
from referee.profiles import WCDF
from referee.tracking.lingering import _over_ms as over_ms
from tests.table import RED, at_fen, moves, names, ready


class TestLingering:
    @pytest.mark.parametrize(("stays_ms", "times"), [(2_500, 1), (700, 0)])
    def test_a_hand_that_stays_on_the_moved_piece(self, stays_ms: int, times: int) -> None:
        table = ready()
        table.reach(RED, {11})
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {15}, stays_ms)
        table.rest(1_000)
        stayed = [e for e in table.events if isinstance(e, Lingering)]
        assert [(e.side, e.square) for e in stayed] == [(RED, 15)] * times

    def test_no_hand_stays_on_a_piece_that_it_has_taken_up_again(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 350)
        table.reach(RED, {15}, 200)
        table.setup = START
        table.rest(2_500, Hand(RED, (7, 10, 11)))
        assert moves(table.events) == ["11-15"]
        assert "lingering" not in names(table.events)

    @pytest.mark.parametrize(("stays_ms", "times"), [(3_500, 0), (5_000, 1)])
    def test_how_long_it_may_stay_the_rules_say(self, stays_ms: int, times: int) -> None:
        table = ready(profile=dataclasses.replace(WCDF, lingering_ms=4_000))
        table.say(Word.START)
        table.rest(1_500)
        table.reach(RED, {11})
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {15}, stays_ms)
        table.rest(1_000)
        assert names(table.events).count("lingering") == times

    def test_a_square_that_says_nothing_is_hidden_by_no_hand(self) -> None:
        table = ready()
        table.reach(RED, {11})
        table.setup = replace(START, {11: ".", 15: "r"})
        table.misread = {15: HIDDEN}
        table.reach(RED, {11, 15})
        left_ms = table.time_ms
        table.rest(2_000)
        assert over_ms(table.game.tracker.sight, 15) == left_ms

    def test_one_that_hovered_there_before_the_move_has_not_stayed(self) -> None:
        table = ready()
        table.reach(RED, {11, 15}, 2_500)
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {11, 15, 10}, 500)
        table.rest(1_000)
        assert moves(table.events) == ["11-15"]
        assert "lingering" not in names(table.events)

    @pytest.mark.parametrize(("farther", "times"), [({15, 18, 22}, 0), ({15, 18, 20}, 1)])
    def test_one_that_holds_the_piece_farther_out_meanwhile_thinks(
        self, farther: set[int], times: int
    ) -> None:
        """Red's hand, at 22 or beside, lies over 15, where his man comes to stand."""
        table = ready()
        table.reach(RED, {11})
        table.setup = replace(START, {11: "."})
        table.reach(RED, farther, 3_000)
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {15}, 300)
        table.rest(1_000)
        assert moves(table.events) == ["11-15"]
        assert names(table.events).count("lingering") == times

    @pytest.mark.parametrize(("between", "times"), [((15,), 0), ((11, 15), 1)])
    def test_one_between_whose_fingers_the_piece_was_seen_where_it_stood_has_not_stayed(
        self, between: tuple[int, ...], times: int
    ) -> None:
        table = ready()
        table.reach(RED, {11, 15}, 1_500)
        table.rest(100, Hand(RED, between))
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {11, 15}, 600)
        table.rest(1_000)
        assert moves(table.events) == ["11-15"]
        assert names(table.events).count("lingering") == times

    @pytest.mark.parametrize(("stays_ms", "times"), [(2_500, 1), (700, 0)])
    def test_one_that_hides_the_squares_beside_the_piece_and_not_its_own(
        self, stays_ms: int, times: int
    ) -> None:
        table = ready()
        table.reach(RED, {11})
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {11, 7, 10}, stays_ms)
        table.rest(1_000)
        stayed = [e for e in table.events if isinstance(e, Lingering)]
        assert [(e.side, e.square) for e in stayed] == [(RED, 15)] * times

    def test_one_that_rests_at_the_edge_has_left_the_piece_that_lies_there(self) -> None:
        table = at_fen("B:W31,32:B1,2")
        table.change(RED, {1: ".", 5: "r"}, 0)
        table.rest(4_000, Hand(RED, ()))
        assert not [e for e in table.events if isinstance(e, Lingering)]

    def test_nor_has_one_stayed_that_rests_beside_it(self) -> None:
        table = at_fen("B:W31,32:B1,2")
        table.reach(RED, {1, 5})
        table.setup = replace(table.setup, {1: ".", 5: "r"})
        table.reach(RED, {1, 5}, 200)
        table.reach(RED, {1}, 4_000)
        table.rest(1_000)
        assert moves(table.events) == ["1-5"]
        assert not [e for e in table.events if isinstance(e, Lingering)]

    def test_a_piece_that_was_seen_between_the_fingers_has_come_by_then(self) -> None:
        table = ready()
        table.reach(RED, {11})
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {11, 15}, 200)
        table.reach(RED, {11}, 50)  # for one frame the piece is seen where it stands now
        table.reach(RED, {11, 15}, 1_800)
        table.reach(RED, {15}, 50)  # only now its old square is, which is empty
        table.reach(RED, {11, 15}, 300)
        table.rest(1_000)
        stayed = [e for e in table.events if isinstance(e, Lingering)]
        assert [(e.side, e.square) for e in stayed] == [(RED, 15)]

    def test_a_hand_that_goes_and_comes_back_has_not_stayed(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 500)
        table.reach(RED, {15}, 2_500)
        table.rest(1_000)
        assert not [e for e in table.events if isinstance(e, Lingering)]

    def test_nor_does_one_stay_on_a_piece_that_lies_elsewhere(self) -> None:
        table = ready()
        assert moves(table.change(RED, {11: ".", 15: "r"}, 250)) == ["11-15"]
        table.change(RED, {15: ".", 16: "r"}, 0)
        events = table.rest(3_500, Hand(RED, (10, 18, 19)))
        assert [event.undone for event in events if isinstance(event, Withdrawn)] == [("11-15",)]
        assert "lingering" not in names(events)

    @pytest.mark.parametrize(("hidden", "said"), [(range(9, 24), 1), (range(9, 25), 0)])
    def test_nor_has_somebody_who_leans_over_the_board(self, hidden: range, said: int) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 250)
        table.reach(RED, hidden, 2_500)
        table.rest(1_000)
        assert len([e for e in table.events if isinstance(e, Lingering)]) == said

    def test_nor_has_who_moves_beneath_his_own_head(self) -> None:
        table = ready()
        table.reach(RED, range(9, 28), 1_500)
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, range(9, 28), 600)
        assert moves(table.rest(1_000)) == ["11-15"]
        assert not [e for e in table.events if isinstance(e, Lingering)]

    def test_nor_one_that_was_not_seen_to_leave_because_nothing_was(self) -> None:
        table = ready()
        table.reach(RED, {11})
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {11, 15}, 200)
        table.visibility = Visibility.COVERED
        table.rest(3_000)
        table.visibility = Visibility.CLEAR
        table.reach(RED, {15}, 200)
        assert moves(table.rest(2_000)) == ["11-15"]
        assert not [e for e in table.events if isinstance(e, Lingering)]

    def test_nor_one_that_puts_a_piece_back_beside_it(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r", 1: "."}, 3_000)
        table.reach(RED, {1, 15}, 2_500)
        table.setup = replace(table.setup, {1: "r"})
        table.reach(RED, {15}, 200)
        assert moves(table.rest(2_000)) == ["11-15"]
        assert not [e for e in table.events if isinstance(e, Lingering)]

"""Pieces that are put straight by players who have said so."""

from __future__ import annotations

import pytest

from referee.board import START, Side, replace
from referee.commands import Word
from referee.events import Touched, Verdict
from tests.table import RED, WHITE, Lifting, kinds, names, ready, rulings, touches


class TestAdjusting(Lifting):
    def test_adjusting_is_announced_and_suspends(self) -> None:
        table = ready()
        table.say(Word.ADJUSTING, RED)
        assert not kinds(table.change(RED, {30: "."}, 4_000))
        table.change(RED, {30: "w"}, 1_000)
        assert names(table.events[1:]) == ["adjusting"]

    @pytest.mark.parametrize(("apart_ms", "counts"), [(1_000, []), (2_500, [6])])
    def test_several_pieces_may_be_put_straight(self, apart_ms: int, counts: list[int]) -> None:
        table = ready()
        table.say(Word.ADJUSTING, RED)
        for square in (2, 6):
            table.change(RED, {square: "."}, 400)
            table.change(RED, {square: "r"}, apart_ms)
        assert [e.square for e in table.events if isinstance(e, Touched)] == counts

    def test_all_pieces_may_be_put_straight_however_long_that_takes(self) -> None:
        table = ready()
        table.say(Word.ADJUSTING, RED)
        for square in range(1, 13):
            table.change(RED, {square: "."}, 400)
            table.change(RED, {square: "r"}, 1_000)
        assert table.time_ms > 20_000
        assert not any(isinstance(event, Touched) for event in table.events)

    @pytest.mark.parametrize("says", [RED, WHITE, None])
    @pytest.mark.parametrize(
        ("side", "changes", "told"),
        [
            (RED, {11: ".", 20: "r"}, "illegal_step"),
            (WHITE, {22: ".", 18: "w"}, "wrong_turn"),
        ],
    )
    def test_to_put_pieces_straight_is_no_leave_to_move(
        self, says: Side | None, side: Side, changes: dict[int, str], told: str
    ) -> None:
        table = ready()
        table.say(Word.ADJUSTING, says)
        assert kinds(table.change(side, changes, 3_000)) == [told]

    def test_who_adjusts_may_touch(self) -> None:
        table = ready()
        table.say(Word.ADJUSTING, RED)
        self.lift(table, 9)
        table.rest(1_500)
        assert not touches(table)

    def test_who_adjusts_may_push_discs(self) -> None:
        table = ready()
        table.say(Word.ADJUSTING, WHITE)
        table.reach(WHITE, {23})
        table.offsets = {23: (180, -90)}
        table.rest(1_500)
        assert not touches(table)

    @pytest.mark.parametrize(("side", "told"), [(WHITE, 1), (RED, 0), (None, 0)])
    def test_who_adjusts_does_not_excuse_the_other_player(
        self, side: Side | None, told: int
    ) -> None:
        table = ready()
        table.say(Word.ADJUSTING, side)
        self.lift(table, 9)
        table.rest(1_500)
        assert len(touches(table)) == told

    @pytest.mark.parametrize(("side", "told"), [(WHITE, 1), (RED, 0), (None, 0)])
    def test_nor_where_he_pushes_a_disc(self, side: Side | None, told: int) -> None:
        table = ready()
        table.say(Word.ADJUSTING, side)
        table.reach(RED, {11})
        table.offsets = {11: (180, -90)}
        table.rest(1_500)
        assert len(touches(table)) == told

    @pytest.mark.parametrize(("first", "ends"), [(RED, False), (WHITE, True)])
    def test_it_is_over_when_the_other_player_has_changed_the_board_after_that(
        self, first: Side, ends: bool
    ) -> None:
        """Also where he cannot be followed."""
        table = ready()
        table.say(Word.ADJUSTING, WHITE)
        table.reach(first, {22 if first is WHITE else 12})
        table.rest(500)
        table.change(RED, {6: ".", 9: ".", 13: "r", 17: "r"}, 300)
        assert table.game.tracker.is_adjusting is not ends

    def test_nor_does_it_last_longer_than_a_minute_while_both_go_on(self) -> None:
        table = ready()
        table.say(Word.ADJUSTING)
        table.setup = replace(START, {6: ".", 9: ".", 13: "r", 17: "r"})
        lasted = []
        for _ in range(8):
            table.rest(7_200)
            table.reach(RED, {12})
            lasted.append(table.game.tracker.is_adjusting)
        assert lasted == [True] * 7 + [False]

    @pytest.mark.parametrize(("ms", "told"), [(14_000, []), (20_000, ["piece_removed"])])
    def test_a_board_that_is_left_wrong_does_not_wait_for_long(
        self, ms: int, told: list[str]
    ) -> None:
        table = ready()
        table.say(Word.ADJUSTING, RED)
        assert kinds(table.change(RED, {30: "."}, ms)) == told

    @pytest.mark.parametrize("changes", [{22: "."}, {9: ".", 17: "r"}], ids=["own", "the other's"])
    @pytest.mark.parametrize(("says", "proposals"), [(WHITE, 0), (RED, 1)])
    def test_nobody_is_charged_with_touching_what_he_has_left_wrong(
        self, says: Side, proposals: int, changes: dict[int, str]
    ) -> None:
        table = ready()
        table.say(Word.ADJUSTING, says)
        table.change(WHITE, changes, 25_000)
        assert [ruling.verdict for ruling in rulings(table.events)] == [Verdict.RESTORE]
        assert names(table.events).count("proposed") == proposals

    def test_the_hand_of_the_other_player_does_not_end_it(self) -> None:
        table = ready()
        table.say(Word.ADJUSTING, RED)
        table.reach(WHITE, {23})
        table.rest(1_500)
        self.lift(table, 9)
        table.rest(2_500)
        assert not touches(table)
        self.lift(table, 9)
        table.rest(1_500)
        assert len(touches(table)) == 1

    def test_both_may_say_so(self) -> None:
        table = ready()
        table.say(Word.ADJUSTING, RED)
        table.say(Word.ADJUSTING, WHITE)
        self.lift(table, 9)
        table.rest(1_500)
        assert not touches(table)

"""What happens while the board is not seen, or lies elsewhere in the picture."""

from __future__ import annotations

import dataclasses

import pytest

from referee.board import START, replace
from referee.commands import Word
from referee.events import Irregular, Moved, Unsure
from referee.notation import parse_move
from referee.observation import HIDDEN, Visibility
from referee.rules import Move
from referee.tracking.making import play
from referee.tracking.notes import Darkness
from referee.tracking.record import reached
from tests.looks import WHITE_CLEARLY
from tests.table import RED, WHITE, at_fen, kinds, moves, names, ready, touches


class TestView:
    def test_a_dark_view_is_told_and_rules_nothing(self) -> None:
        table = ready()
        table.visibility = Visibility.DARK
        events = table.rest(3_000)
        assert names(events) == ["not_watching", "clock_held"]
        assert events[0].time_ms - 1_500 <= 1_000
        table.visibility = Visibility.CLEAR
        assert names(table.rest(2_000)) == ["watching"]

    def test_a_flicker_is_not_told(self) -> None:
        table = ready()
        table.visibility = Visibility.BLURRED
        table.rest(400)
        table.visibility = Visibility.CLEAR
        assert not table.rest(2_000)

    def test_what_was_done_in_a_short_dark_is_played_when_the_light_is_back(self) -> None:
        table = ready()
        table.visibility = Visibility.DARK
        table.rest(2_000)
        table.setup = replace(START, {11: ".", 15: "r"})
        table.visibility = Visibility.CLEAR
        assert moves(table.rest(900)) == ["11-15"]

    def test_moves_made_in_the_dark_are_taken_when_they_explain_all(self) -> None:
        table = ready()
        table.visibility = Visibility.DARK
        table.change(RED, {11: ".", 15: "r", 22: ".", 18: "w"})
        table.visibility = Visibility.CLEAR
        assert moves(table.rest(3_000)) == ["11-15", "22-18"]

    @pytest.mark.parametrize(
        ("gap_ms", "texts", "asked"),
        [(2_400, "11-15 24-20 8-11", 1), (0, "11-15 24-20 8-11", 0), (2_400, "11-15 24-20", 0)],
    )
    def test_a_row_of_moves_some_of_which_were_made_in_the_dark_is_asked_about(
        self, gap_ms: int, texts: str, asked: int
    ) -> None:
        tracker = dataclasses.replace(ready().game.tracker, dark=Darkness(gap_ms=gap_ms))
        line: tuple[Move, ...] = ()
        for text in texts.split():
            line += (parse_move(reached(tracker.position, line), text),)
        _, events = play(tracker, line)
        assert moves(events) == texts.split()
        questions = [(e.candidates, e.ply) for e in events if isinstance(e, Unsure)]
        assert questions == [((texts,), 0)] * asked

    def test_many_moves_in_the_dark_are_not_guessed(self) -> None:
        table = ready()
        table.visibility = Visibility.DARK
        changes = {11: ".", 15: "r", 22: ".", 18: "w", 9: ".", 13: "r", 24: ".", 20: "w"}
        table.change(RED, changes, 4_000)
        table.visibility = Visibility.CLEAR
        events = table.rest(9_000)
        assert not moves(events)
        assert not kinds(events)
        assert names(events) == ["watching", "unsure", "clock_held"]

    @pytest.mark.parametrize(("ms", "told"), [(4_000, []), (8_000, ["piece_removed"])])
    def test_a_square_that_no_hand_was_near_may_look_bare_for_some_seconds(
        self, ms: int, told: list[str]
    ) -> None:
        table = ready()
        table.reach(WHITE, {25, 30}, 200)
        table.misread = {7: (0, -600, -600, -600, -600)}
        table.reach(WHITE, {25, 30}, 300)
        table.rest(ms)
        table.misread = {}
        table.rest(1_000)
        assert kinds(table.events) == told

    def test_nor_has_one_that_was_seen_with_its_man_when_the_hand_had_left(self) -> None:
        table = ready()
        table.reach(WHITE, {7, 11, 14, 18, 23, 27})
        table.rest(300)
        table.misread = {7: (0, -600, -600, -600, -600)}
        table.rest(4_000)
        table.misread = {}
        table.rest(1_000)
        assert not kinds(table.events)

    def test_nobody_took_off_what_is_gone_after_the_dark(self) -> None:
        """White has played 15-11; in the dark Red's king goes from 17; then White points there."""
        table = at_fen("W:WK12,K15:BK17")
        table.reach(WHITE, {15, 11})
        table.setup = replace(table.setup, {15: ".", 11: "W"})
        table.visibility = Visibility.DARK
        table.change(RED, {17: "."}, 2_500)
        table.visibility = Visibility.CLEAR
        table.reach(WHITE, {17, 22, 25, 30}, 1_500)
        table.rest(5_000)
        assert not kinds(table.events)

    def test_moves_made_in_the_dark_and_a_man_in_the_hand_are_no_upset_pieces(self) -> None:
        """Red plays 11-15 and White 24-20 in the dark; then Red holds his man from 8."""
        table = ready()
        table.visibility = Visibility.DARK
        table.rest(1_600)
        table.setup = replace(START, {11: ".", 15: "r", 24: ".", 20: "w", 8: "."})
        table.visibility = Visibility.CLEAR
        table.rest(2_000)
        table.change(RED, {11: "r"})
        assert moves(table.events) == ["11-15", "24-20", "8-11"]
        assert not kinds(table.events)

    def test_what_is_upset_in_view_after_the_dark_is_told(self) -> None:
        """White's hand is over the board before that is known to be in order again."""
        table = ready()
        table.visibility = Visibility.DARK
        table.rest(2_500)
        table.setup = replace(table.setup, {11: ".", 15: "r"})
        table.visibility = Visibility.CLEAR
        table.rest(400)
        table.reach(WHITE, {21, 25, 29}, 500)
        assert moves(table.events) == ["11-15"]
        table.reach(WHITE, {1, 5, 9, 13, 17, 21}, 300)
        upset = {1: ".", 5: ".", 9: ".", 17: "r", 21: ".", 13: "w"}
        table.setup = replace(table.setup, upset)
        table.reach(WHITE, set(upset), 200)
        table.rest(3_000)
        assert kinds(table.events) == ["upset"]

    def test_what_a_hand_hides_at_the_end_of_the_dark_may_be_two_moves(self) -> None:
        """27-31, 3-7 and back 31-27: when the view clears, the hand has only the last to make."""
        table = at_fen("B:WK3,28:BK27,13")
        table.visibility = Visibility.DARK
        table.rest(1_500)
        table.setup = replace(table.setup, {27: ".", 31: "R", 3: ".", 7: "W"})
        table.rest(1_500)
        table.visibility = Visibility.CLEAR
        table.reach(RED, {3, 7, 11, 15, 19, 23, 27, 31}, 500)
        table.setup = replace(table.setup, {27: "R", 31: "."})
        table.reach(RED, {3, 8, 11, 16, 19, 24, 27}, 200)
        table.rest(3_000)
        assert not kinds(table.events)

    def test_what_a_square_looked_like_while_the_board_was_bumped_holds_up_no_move(self) -> None:
        """Red's man on 2 is not seen after that: a lamp is mirrored there."""
        table = ready()
        table.shift, table.misread = 300, {2: WHITE_CLEARLY}
        table.rest(500)
        table.shift, table.misread = 0, {2: HIDDEN}
        table.rest(1_000)
        assert moves(table.change(RED, {11: ".", 15: "r"}, 1_000)) == ["11-15"]

    def test_whose_hand_was_seen_last_has_not_done_what_was_done_in_the_dark(self) -> None:
        """White, whom nobody sees, lets a capture go by; Red's hand has made the move before."""
        table = at_fen("B:W18,23,25,26,29,30,31:B1,2,3,15")
        table.change(RED, {15: ".", 18: ".", 22: "r"}, 900, over=(19, 23, 10, 11))
        table.visibility = Visibility.DARK
        table.rest(1_500)
        table.setup = replace(table.setup, {23: ".", 19: "w"})
        table.rest(1_000)
        table.visibility = Visibility.CLEAR
        events = table.rest(6_000)
        assert all(event.side is None for event in events if isinstance(event, Irregular))
        assert "proposed" not in names(events)

    @pytest.mark.parametrize("paused", [False, True], ids=["dark", "pause"])
    @pytest.mark.parametrize("offset", [(0, 0), (60, -140)])
    def test_what_was_done_unseen_and_is_put_right_in_view_was_no_touch(
        self, paused: bool, offset: tuple[int, int]
    ) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.rest(1_000)
        if paused:
            table.say(Word.PAUSE)
        else:
            table.visibility = Visibility.DARK
        table.rest(1_500)
        table.setup = replace(table.setup, {23: ".", 19: "w", 24: "."})
        table.rest(1_000)
        table.visibility = Visibility.CLEAR
        if paused:
            table.say(Word.RESUME)
        table.rest(2_000)
        table.offsets = {23: offset, 24: offset}
        table.change(WHITE, {23: "w", 19: ".", 24: "w"}, 3_000)
        assert not touches(table)
        assert "proposed" not in names(table.events)

    def test_a_bump_is_told_once(self) -> None:
        table = ready()
        table.shift = 90
        assert names(table.rest(2_000)) == ["moved"]
        table.shift = 0
        assert not table.rest(1_000)

    def test_a_stand_that_trembles_is_told_of_once(self) -> None:
        table = ready()
        for _ in range(20):
            table.shift = 70
            table.rest(500)
            table.shift = 0
            table.rest(2_000)
        assert [e.shift for e in table.events if isinstance(e, Moved)] == [70]

    @pytest.mark.parametrize(("shift", "calm_ms"), [(110, 1_000), (70, 61_000)])
    def test_one_that_is_bumped_farther_or_after_a_calm_is_told_of_again(
        self, shift: int, calm_ms: int
    ) -> None:
        table = ready()
        table.shift = 70
        table.rest(500)
        table.shift = 0
        table.rest(calm_ms)
        table.shift = shift
        assert names(table.rest(500)) == ["moved"]


def test_a_likely_beginning_behind_a_gap_is_dropped_when_the_board_contradicts_it() -> None:
    """Three moves were made meanwhile, and hands hid most of them; 20-24 28x19 looked as well."""
    table = at_fen("B:WK2,18,25,28,30:B8,12,20,21", frame_ms=100)
    table.visibility = Visibility.DARK
    table.rest(2_000)
    table.visibility = Visibility.CLEAR
    table.setup = replace(table.setup, {8: ".", 11: "r", 28: ".", 20: ".", 27: "r"})
    table.reach(WHITE, {8, 11, 19, 24, 27}, 500)
    table.rest(3_000)
    table.change(WHITE, {2: ".", 6: "W"})
    assert moves(table.events) == ["8-11", "28-24", "20x27", "2-6"]
    assert any(isinstance(event, Unsure) for event in table.events)

"""Pieces that were upset, and boards that are being set up again."""

from __future__ import annotations

import pytest

from referee.board import replace
from referee.events import Irregular
from referee.notation import parse_fen
from referee.observation import HIDDEN, Hand, LooseDisc
from referee.tracking.memory import is_left_of_doubt
from referee.tracking.moves import is_partly_put_right
from tests.looks import WHITE_CLEARLY
from tests.table import RED, WHITE, Table, at_fen, kinds, moves, names, ready


class TestRestoring:
    def test_what_is_left_of_a_board_asked_about_is_no_new_disorder(self) -> None:
        """Both had their hands in it, so nothing was said but that the board is to be looked at."""
        table = ready()
        table.reach(WHITE, {22, 21})
        gone = dict.fromkeys((3, 8, 11, 22), ".") | {16: "r"}
        assert not kinds(table.change(RED, gone, 8_000))
        assert names(table.events).count("unsure") == 1
        table.change(RED, {3: "r", 16: "."}, 100)
        table.reach(RED, {3}, 2_500)
        table.change(RED, {8: "r", 11: "r", 22: "w"}, 2_000)
        assert not kinds(table.events)

    def test_setting_up_upset_pieces_again_is_no_offence(self) -> None:
        """15 has rolled to 18 and 8 is still beside the board while 3 and 7 stand again."""
        table = at_fen("B:W19,31,32:B3,7,8,15")
        gone = {3: ".", 7: ".", 8: ".", 15: "."}
        table.misread = {18: HIDDEN}
        assert kinds(table.change(RED, gone | {18: "r"}, 4_000)) == ["upset"]
        table.misread = {}
        assert not kinds(table.change(RED, {3: "r", 7: "r"}, 4_000))
        assert "restored" in names(table.change(RED, {8: "r", 15: "r", 18: "."}, 3_000))


class TestUpset:
    def test_three_pieces_gone_are_upset(self) -> None:
        table = ready()
        events = table.change(RED, {9: ".", 6: ".", 30: "."}, 4_000)
        assert [(e.kind.value, e.side) for e in events if isinstance(e, Irregular)] == [
            ("upset", None)
        ]

    @pytest.mark.parametrize(("beside", "told"), [(True, ["upset"]), (False, [])])
    def test_they_are_though_faintly_seen_where_one_of_them_lies_beside_its_square(
        self, beside: bool, told: list[str]
    ) -> None:
        table = at_fen("B:W20,24,28,32:B1,2,3,11,15,19")
        table.rest(1_500)
        table.reach(WHITE, {15, 19, 24, 28}, 200)
        table.setup = replace(table.setup, {11: ".", 15: ".", 19: "."})
        half_on = (0, -200, -200, -700, -700)
        table.misread = {11: half_on, 15: half_on, 19: (0, -250, -300, -700, -700)}
        table.loose = (LooseDisc((4, 6), RED),) if beside else ()
        table.reach(WHITE, {24, 28}, 200)
        assert kinds(table.rest(2_000)) == told

    @pytest.mark.parametrize(("other_came", "told"), [(False, ["upset"]), (True, ["off_square"])])
    def test_so_are_pieces_that_might_have_moved_where_one_hand_has_done_it_all(
        self, other_came: bool, told: list[str]
    ) -> None:
        """24-27 and the answer 26-30 would be lawful moves, and a third piece lies about."""
        table = at_fen("W:W17,19,21,23,K24,28:B5,7,K10,12,K26,K32")
        table.reach(RED, {10}, 400)
        table.rest(1_500)
        table.reach(WHITE, {24, 27, 23}, 300)
        table.setup = replace(table.setup, {24: ".", 27: "W", 23: "."})
        table.loose = (LooseDisc((6, 4), WHITE),)
        table.reach(RED if other_came else WHITE, {26, 30}, 300)
        table.setup = replace(table.setup, {26: ".", 30: "R"})
        assert kinds(table.rest(2_000)) == told
        assert moves(table.events) == (["24-27", "26-30"] if other_came else [])

    @pytest.mark.parametrize(
        ("before_ms", "between_ms", "told"),
        [(500, 800, ["upset"]), (4_000, 0, ["upset"]), (4_000, 800, [])],
    )
    def test_so_much_at_a_time_is_no_play_though_both_were_there(
        self, before_ms: int, between_ms: int, told: list[str]
    ) -> None:
        table = ready()
        table.rest(before_ms, Hand(WHITE, (21,)), Hand(RED, (12,)))
        table.reach(RED, (1, 2, 9))
        table.setup = replace(table.setup, {1: ".", 2: ".", 9: "."})
        table.rest(between_ms, Hand(RED, (5, 6, 10)))
        table.change(RED, {22: ".", 30: ".", 18: "r"}, 2_500)
        assert kinds(table.events) == told

    def test_pieces_upset_are_not_taken_for_a_capture_with_some_squares_over(self) -> None:
        table = at_fen("W:W30,25,31:B5,6,8,10,15")
        changes = {6: ".", 10: ".", 30: ".", 25: ".", 22: "w"}
        assert kinds(table.change(WHITE, changes, 5_000)) == ["upset"]

    def test_a_capture_beside_a_square_that_is_misread_is_no_upset(self) -> None:
        table = at_fen("B:W15,32:B11,8,1")
        table.reach(RED, {11, 29})
        table.misread = {29: WHITE_CLEARLY}
        table.change(RED, {11: ".", 15: ".", 18: "r"}, 2_000)
        table.misread = {}
        table.rest(4_000)
        assert moves(table.events) == ["11x18"]
        assert not kinds(table.events)

    def test_a_finger_that_comes_afterwards_has_not_played(self) -> None:
        table = ready(frame_ms=100)
        table.change(RED, {1: ".", 9: ".", 11: ".", 22: ".", 30: "."}, 500)
        table.reach(WHITE, {22, 26}, 1_500)
        assert kinds(table.rest(2_000)) == ["upset"]

    def test_what_a_hand_has_upset_is_no_play_though_lamps_hide_half_of_it(self) -> None:
        """Red takes pieces off and moves White's man, lamps standing in 5, 10 and 27; then White's
        hand comes. 19-23, 17-13, 23-27 fits but for four squares, none of which says much."""
        table = ready(parse_fen("B:W17,29:B5,10,19,K31"), frame_ms=100)
        table.strength = 1_100
        table.misread = {27: (0, -385, -385, -385, -385)}
        table.rest(3_000)
        table.reach(RED, {1, 6, 9, 14, 17}, 600)
        table.setup = replace(table.setup, dict.fromkeys((5, 10, 17, 19, 29), ".") | {13: "w"})
        table.misread[5] = (0, -150, -170, -1_100, -1_100)
        table.misread[10] = (0, -110, -170, -1_100, -1_100)
        table.reach(RED, {2, 6, 9, 14, 17}, 200)
        table.rest(800)
        table.reach(WHITE, {5, 9, 13, 17, 22, 25, 30}, 1_000)
        table.rest(4_000)
        assert not moves(table.events)

    def test_nothing_is_played_by_upset_pieces(self) -> None:
        table = at_fen("W:WK10,5,13:BK28,20,1")
        table.misread = {14: (0, -300, -300, -150, -150)}
        pieces = {5: "w", 10: "W", 13: "w", 20: "r", 28: "R"}
        table.change(WHITE, dict.fromkeys(pieces, "."), 3_000)
        assert "upset" in kinds(table.events)
        assert [rival.moves for rival in table.game.tracker.rivalry.rows] == [()]
        table.change(WHITE, pieces, 3_000)
        assert not moves(table.events)

    def test_they_are_being_set_up_however_long_ago_they_were_upset(self) -> None:
        table = at_fen("B:W5,K12:BK19,23,K31")
        gone = dict.fromkeys((5, 12, 19, 23, 31), ".") | {13: "w", 28: "R"}
        assert kinds(table.change(RED, gone, 6_000)) == ["upset"]
        assert not is_partly_put_right(table.game.tracker)
        table.change(RED, {13: ".", 5: "w"}, 300)
        assert is_partly_put_right(table.game.tracker)


class TestUpsetByBoth:
    """Red has just played 11-15 when both players' hands upset some pieces: the referee asks."""

    def upset(self) -> Table:
        table = ready()
        table.rest(300, Hand(RED, (4, 8, 11, 15)))
        table.setup = replace(table.setup, {11: ".", 15: "r"})
        table.rest(200, Hand(RED, (4, 8, 11, 15)))
        table.rest(100)
        both = Hand(RED, (4, 8, 15)), Hand(WHITE, (22, 26, 31))
        table.rest(300, *both)
        upset = {4: ".", 8: ".", 15: ".", 17: "r", 22: ".", 26: "."}
        table.setup = replace(table.setup, upset)
        table.rest(200, *both)
        table.rest(6_000)
        assert names(table.events)[-2:] == ["unsure", "clock_held"]
        return table

    def put_right(self) -> Table:
        """All but the man moved last is put back, while a lamp on 16 looks a man."""
        table = self.upset()
        table.rest(300, Hand(RED, (4, 8, 17)), Hand(WHITE, (22, 26)))
        table.setup = replace(table.setup, {4: "r", 8: "r", 17: ".", 22: "w", 26: "w"})
        table.rest(200, Hand(RED, (4, 8, 17)))
        table.misread = {16: (-800, 0, -200, -800, -800)}
        table.rest(2_000, Hand(RED, (1, 5)))
        table.misread = {}
        return table

    def test_no_move_is_taken_down_before_it_is_put_right(self) -> None:
        table = self.put_right()
        assert not moves(table.events)
        table.change(RED, {15: "r"})
        assert moves(table.events) == ["11-15"]

    def test_nothing_is_put_right_while_most_looks_wrong_still(self) -> None:
        assert not is_left_of_doubt(self.upset().game.tracker, (11, 16))
        assert is_left_of_doubt(self.put_right().game.tracker, (11, 16))

    def test_nobody_has_touched_what_was_upset_before(self) -> None:
        table = self.put_right()
        table.change(RED, {15: "r"}, 4_000)
        assert not {"touched", "proposed"}.intersection(names(table.events))


@pytest.mark.parametrize(
    ("apart_ms", "moved", "told"), [(100, ["11-15"], "piece_displaced"), (0, [], "upset")]
)
def test_who_moves_and_then_moves_a_man_of_the_others_has_upset_nothing(
    apart_ms: int, moved: list[str], told: str
) -> None:
    """In one visit; what lies otherwise all at once was upset."""
    table = ready()
    table.reach(RED, {11, 15, 22, 14})
    table.setup = replace(table.setup, {11: ".", 15: "r"})
    if apart_ms:
        table.rest(apart_ms, Hand(RED, (4, 8)))
        table.reach(RED, {22, 14})
    table.setup = replace(table.setup, {22: ".", 14: "w"})
    table.reach(RED, {4, 8}, 200)
    events = table.rest(4_000)
    assert (moves(events), kinds(events)) == (moved, [told])

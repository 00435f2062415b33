"""Moves that are taken out of the record, and a record that has gone wrong."""

from __future__ import annotations

import dataclasses

import pytest

from referee.board import Side, replace
from referee.events import Event, Unsure, Withdrawn
from referee.notation import parse_fen
from referee.observation import HIDDEN, Hand, certain
from referee.rules import Move, Position, lawful_moves
from referee.tracking import moves as moves_room
from referee.tracking import offences, rivals, second_thoughts
from referee.tracking.notes import Charge, Rival, Rivalry
from referee.tracking.record import reached
from tests.looks import EMPTY_CLEARLY, RED_CLEARLY, RED_LOOKING, WHITE_CLEARLY
from tests.table import RED, SINGLE, WHITE, Table, at_fen, kinds, moves, names, ready


def asked(table: Table) -> tuple[str, ...]:
    """Which moves people have been asked about, once."""
    (event,) = (event for event in table.events if isinstance(event, Unsure))
    return event.candidates


def elsewhere(move: Move, end: int, start: int | None = None) -> Move:
    """The same piece's plain move to another square, perhaps from another one."""
    return dataclasses.replace(move, path=(start or move.start, end))


class TestSecondThoughts:
    def there_and_back(self, table: Table) -> list[Event]:
        """White's king leaves 8 and is back there after 25-21; where it was lay under his arm."""
        arm = Hand(WHITE, (3, 4, 11, 12))
        before = len(table.events)
        table.reach(WHITE, (8, *arm.squares))
        table.setup = replace(table.setup, {8: ".", 12: "W"})
        table.rest(600, arm)
        table.rest(300, arm, Hand(RED, (21, 25)))
        table.setup = replace(table.setup, {25: ".", 21: "R"})
        table.rest(600, arm)
        table.reach(WHITE, (8, *arm.squares))
        table.setup = replace(table.setup, {8: "W", 12: "."})
        table.reach(WHITE, (8, *arm.squares))
        table.rest(2_000)
        return table.events[before:]

    def test_where_only_the_way_is_not_known_one_is_taken_down_and_all_are_asked_about(
        self,
    ) -> None:
        events = self.there_and_back(at_fen("W:WK8,32:BK25,1"))
        assert moves(events) == ["8-3", "25-21", "3-8"]
        (asked,) = (event for event in events if isinstance(event, Unsure))
        ways = [f"8-{square} 25-21 {square}-8" for square in (3, 4, 11, 12)]
        assert (asked.ply, list(asked.candidates)) == (0, ways)

    def test_the_only_way_is_not_asked_about(self) -> None:
        events = self.there_and_back(at_fen("W:WK8,32,K3,K4,11:BK25,1"))
        assert moves(events) == ["8-12", "25-21", "12-8"]
        assert "unsure" not in names(events)

    def test_where_nobody_was_seen_after_the_hand_had_left_the_piece_has_not_gone(self) -> None:
        """What the king in the hand had looked like there is another matter."""
        table = at_fen("B:WK15,K3:BK28", frame_ms=100)
        table.reach(RED, (3, 7, 11, 16, 19, 24, 28))
        table.misread = {24: WHITE_CLEARLY}
        table.rest(100, Hand(RED, (28, 32)))
        table.misread = {}
        table.setup = replace(table.setup, {28: ".", 32: "R"})
        table.reach(RED, (8, 12, 16, 20, 24, 28, 32))
        table.reach(WHITE, (15, 19, 23, 27, 32), 200)
        table.setup = replace(table.setup, {15: ".", 11: "W"})
        table.reach(WHITE, (11, 16, 19, 24, 27, 32))
        table.reach(RED, (12, 20, 24, 28, 32), 200)
        table.setup = replace(table.setup, {32: ".", 27: "R"})
        table.reach(RED, (11, 16, 19, 24, 27))
        table.rest(2_000)
        assert moves(table.events) == ["28-32", "15-11", "32-27"]

    def test_nobody_is_believed_to_have_come_back_whom_nobody_has_seen_leave(self) -> None:
        """White moves twice; Red's king on 22 looks a white one for two frames meanwhile."""
        table = Table(parse_fen("W:WK10:BK22,K19,24,25,K28,K31"), frame_ms=300)
        table.strength = 1_200
        table.rest(1_500)
        table.change(WHITE, {10: ".", 6: "W"}, 1_000)
        table.setup = replace(table.setup, {6: "."})
        table.rest(600, Hand(WHITE, (9, 14, 17, 22, 25, 30)), Hand(RED, (1, 5)))
        table.setup = replace(table.setup, {9: "W"})
        table.misread = {22: (-900, -900, -900, 0, 0)}
        table.rest(600)
        table.misread = {}
        table.rest(8_000)
        assert moves(table.events) == ["10-6"]
        assert names(table.events)[-2:] == ["unsure", "clock_held"]

    def test_nor_is_one_who_is_put_back_where_his_unlawful_move_began(self) -> None:
        """Red has answered that, and White takes the answer back when his king is back."""
        table = at_fen("W:WK11,K18,K25:B4,K20,K24")
        table.change(WHITE, {11: ".", 12: "W"})
        table.change(RED, {24: ".", 28: "R"}, 4_000, over=(3, 7, 11, 16, 19))
        table.change(WHITE, {12: ".", 11: "W"}, 500)
        table.rest(1_500, Hand(WHITE, (20, 28)))
        assert kinds(table.events) == ["illegal_step"]
        assert not moves(table.events)
        table.change(WHITE, {28: ".", 24: "R"})
        assert moves(table.change(WHITE, {18: ".", 15: "W"})) == ["18-15"]

    @pytest.mark.parametrize("away_ms", [0, 300])
    def test_one_who_was_seen_where_he_went_has_left(self, away_ms: int) -> None:
        """Though a hand has hidden all the while where he stands again."""
        table = at_fen("W:WK7:BK17")
        table.reach(WHITE, {2, 7})
        if away_ms:
            table.setup = replace(table.setup, {2: "W", 7: "."})
            table.rest(away_ms, Hand(WHITE, (7,)))
        table.setup = replace(table.setup, {2: ".", 7: "W"})
        table.reach(WHITE, {2, 7}, 200)
        there, back = Move((7, 2), (), "W"), Move((2, 7), (), "W")
        row = (there, Move((17, 22), (), "R"), back)
        assert rivals.came_back_unseen(table.game.tracker, row) is not bool(away_ms)

    def test_one_whom_the_eye_took_for_the_others_has_not_left(self) -> None:
        """No hand has been near."""
        table = at_fen("W:WK7:BK17")
        table.misread = {7: RED_CLEARLY}
        table.rest(1_000)
        table.misread = {}
        table.rest(100)
        there, back = Move((7, 2), (), "W"), Move((2, 7), (), "W")
        row = (there, Move((17, 22), (), "R"), back)
        assert rivals.came_back_unseen(table.game.tracker, row)

    def test_of_two_ways_the_one_by_which_nobody_came_back_unseen_is_taken_down(self) -> None:
        table = at_fen("W:WK7:BK17,1")
        table.change(WHITE, {7: ".", 3: "W"}, 0)
        way = (Move((7, 3), (), "W"),)
        round_about = (
            Move((7, 2), (), "W"),
            Move((17, 22), (), "R"),
            Move((2, 7), (), "W"),
            Move((22, 17), (), "R"),
            *way,
        )
        rows = Rival(round_about), Rival(way, against=200)
        tracker = dataclasses.replace(table.game.tracker, rivalry=Rivalry(rows=rows))
        assert rivals.ways(tracker, way) == [way, round_about]

    def quickly_there_and_back(self) -> Table:
        """A king of Red's goes to 25 and back while White's go 2-6 and 3-7, and nobody waits."""
        table = at_fen("W:WK2,K7:BK30,16,K20", frame_ms=200)
        table.change(WHITE, {7: ".", 3: "W"}, 800)
        steps = (RED, {30: ".", 25: "R"}, 400), (WHITE, {2: ".", 6: "W"}, 400)
        for side, changes, away_ms in (*steps, (RED, {25: ".", 30: "R"}, 600)):
            table.rest(200, Hand(side, tuple(sorted(changes))))
            table.setup = replace(table.setup, changes)
            table.rest(away_ms - 200, Hand(side, tuple(sorted(changes))))
        table.rest(600)
        table.change(WHITE, {3: ".", 7: "W"}, 4_000)
        return table

    def test_kings_that_quickly_go_and_come_back_were_there(self) -> None:
        told = moves(self.quickly_there_and_back().events)
        assert told == ["7-3", "30-25", "2-6", "25-30", "3-7"]

    def test_what_may_be_play_is_no_move_taken_back(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nor where the squares do not tell what was there first."""
        for room in (moves_room, second_thoughts):
            monkeypatch.setattr(room, "out_of_order", lambda _, line: len(line) > 1)
        events = self.quickly_there_and_back().events
        assert moves(events) == ["7-3"]
        assert not [e for e in events if isinstance(e, Unsure) and e.ply is not None]

    def test_a_capture_that_is_put_back_is_taken_out_of_the_record(self) -> None:
        table = at_fen(SINGLE)
        assert moves(table.change(RED, {11: ".", 15: ".", 18: "r"}, 5_000)) == ["11x18"]
        events = table.change(RED, {11: "r", 15: "w", 18: "."}, 3_000)
        assert [e.undone for e in events if isinstance(e, Withdrawn)] == [("11x18",)]
        assert not kinds(events)
        assert moves(table.change(RED, {11: ".", 15: ".", 18: "r"})) == ["11x18"]

    def test_nobody_is_accused_while_a_capture_is_being_put_back(self) -> None:
        table = at_fen(SINGLE)
        table.change(RED, {11: ".", 15: ".", 18: "r"}, 3_000)
        table.misread = {15: (-450, -700, -700, 0, -150)}
        events = table.change(RED, {11: "r", 15: "w", 18: "."}, 3_000)
        assert names(events) == ["withdrawn"]

    @pytest.mark.parametrize(("bare", "told"), [(300, []), (800, ["piece_displaced"])])
    def test_nor_where_the_jumped_man_may_lie_there_in_the_light_of_a_lamp(
        self, bare: int, told: list[str]
    ) -> None:
        table = at_fen(SINGLE)
        table.misread = {15: (0, -bare, -bare, -bare, -bare)}
        assert moves(table.change(RED, {11: ".", 18: "r"}, 6_000)) == ["11x18"]
        assert kinds(table.change(RED, {11: "r", 18: "."}, 6_000)) == told

    def test_nor_is_it_asked_about_though_hands_have_been_about_for_long(self) -> None:
        table = at_fen(SINGLE)
        table.change(RED, {11: ".", 15: ".", 18: "r"})
        table.reach(RED, {18}, 11_000)
        for changes in ({15: "w"}, {18: ".", 11: "r"}):
            table.reach(RED, {11, 15, 18}, 500)
            table.setup = replace(table.setup, changes)
        table.reach(RED, (), 400)
        table.rest(3_000)
        assert names(table.events)[1:] == ["played", "withdrawn"]

    @pytest.mark.parametrize("more", [{}, {24: ".", 20: "w"}])
    def test_nor_while_another_square_is_misread_and_moves_are_put_back(
        self, more: dict[int, str]
    ) -> None:
        table = at_fen("B:W15,24,32:B11,8,1")
        table.change(RED, {11: ".", 15: ".", 18: "r"}, 3_000)
        if more:
            table.change(WHITE, more)
        table.reach(RED, (11, 15, 18, 20, 24, 28))
        table.misread = {28: WHITE_CLEARLY}
        table.change(RED, {11: "r", 15: "w", 18: ".", **dict.fromkeys(more, "."), 24: "w"}, 6_000)
        assert not kinds(table.events)
        assert "unsure" in names(table.events)

    def test_a_square_that_has_looked_wrong_since_before_it_holds_nothing_up(self) -> None:
        table = at_fen(SINGLE)
        table.misread = {24: RED_LOOKING}
        table.change(RED, {11: ".", 15: ".", 18: "r"}, 5_000)
        events = table.change(RED, {11: "r", 15: "w", 18: "."}, 3_000)
        assert [e.undone for e in events if isinstance(e, Withdrawn)] == [("11x18",)]

    def test_not_while_a_piece_of_it_is_still_missing(self) -> None:
        table = at_fen(SINGLE)
        table.change(RED, {11: ".", 15: ".", 18: "r"}, 5_000)
        events = table.change(RED, {11: "r", 18: "."}, 6_000)
        assert "withdrawn" not in names(events)

    def test_of_two_rows_as_likely_the_one_on_record_is_kept(self) -> None:
        first, other, last, mistaken = lawful_moves(Position.start())[:4]
        rows = [Rival((other, last)), Rival((first, last))]
        assert second_thoughts._nearest(rows, (first, mistaken)) == rows[1:]

    def test_nor_is_it_left_for_one_that_leads_to_the_same_position(self) -> None:
        table = at_fen("W:WK11,22:B14,1,2")
        for side, changes in (
            (WHITE, {11: ".", 15: "W"}),
            (RED, {14: ".", 18: "r"}),
            (WHITE, {15: ".", 10: "W"}),
        ):
            table.change(side, changes)
        record = table.game.moves
        assert [str(move) for move in record] == ["11-15", "14-18", "15-10"]
        other = (elsewhere(record[0], 7), record[1], elsewhere(record[2], 10, start=7))
        rows = Rival(other), Rival(record, against=700)
        rivalry = dataclasses.replace(table.game.tracker.rivalry, sure=0, rows=rows, led_ms=0)
        tracker = dataclasses.replace(table.game.tracker, rivalry=rivalry)
        assert rivals.overtaken(tracker)
        assert second_thoughts.reconsider(tracker) == (tracker, ())

    @pytest.mark.parametrize(("standing", "explained"), [(280, True), (320, False)])
    def test_moves_that_explain_the_board_no_worse_than_the_record(
        self, standing: int, explained: bool
    ) -> None:
        """Though the record is as good as likely still."""
        table = at_fen("B:W19,22,32:B12,1,2")
        table.change(RED, {12: ".", 16: "r"}, 0)
        (move,) = (m for m in lawful_moves(table.game.position) if m.path == (12, 16))
        wrong = Charge(12, 800, shows=0, early=False)
        played = Rival((move,), charges=(wrong._replace(square=19, cost=standing),))
        rows = played, Rival((), against=270, charges=(wrong,))
        rivalry = Rivalry(rows=rows, looked_ms=table.time_ms)
        tracker = dataclasses.replace(table.game.tracker, rivalry=rivalry)
        assert not rivals.overtaken(tracker, 600)
        assert rivals.explained_by_play(tracker) == explained

    @pytest.mark.parametrize(("against", "explained"), [(280, True), (320, False)])
    def test_so_does_the_board_before_a_move_that_was_hardly_seen(
        self, against: int, explained: bool
    ) -> None:
        table = at_fen("B:W19,22,32:B12,1,2")
        table.change(RED, {12: ".", 16: "r"})
        record = Rival(table.game.moves, charges=(Charge(16, 700, shows=0, early=False),))
        rows = record, Rival((), against=against)
        rivalry = dataclasses.replace(table.game.tracker.rivalry, sure=0, rows=rows)
        tracker = dataclasses.replace(table.game.tracker, rivalry=rivalry)
        assert rivals.explained_by_play(tracker) == explained

    def test_nobody_is_accused_of_what_such_moves_explain(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(offences, "explained_by_play", lambda _: True)
        assert not kinds(ready().change(WHITE, {22: ".", 18: "w"}, 4_000))

    def test_a_square_that_wavers_is_no_sign_of_play(self) -> None:
        table = at_fen("W:WK6,17:BK19,K31")
        row = ((6, 9), (19, 24), (9, 6), (24, 28))
        line, position = list[Move](), table.game.position
        for start, end in row:
            (move,) = (m for m in lawful_moves(position) if (m.start, m.end) == (start, end))
            line, position = [*line, move], reached(position, (move,))
        table.change(RED, {19: ".", 24: "W"}, 0)
        table.change(RED, {28: "R"}, 1_000)
        table.misread = {9: WHITE_CLEARLY}
        table.rest(1_000)
        assert not rivals._plays_on(table.game.tracker, Rival(tuple(line)), 24)

    def test_one_square_that_is_never_believed_does_not_stop_the_record(self) -> None:
        table = ready()
        table.reach(WHITE, {22, 18})
        table.misread = {18: RED_CLEARLY}
        table.rest(2_000)
        table.change(RED, {9: ".", 13: "r"})
        for start, end in ((22, 18), (12, 16), (25, 22), (8, 12)):
            side = RED if start < 20 else WHITE
            table.change(side, {start: ".", end: "r" if side is RED else "w"})
        assert moves(table.events) == ["9-13", "22-18", "12-16", "25-22", "8-12"]

    def test_a_move_that_turns_out_another_is_withdrawn(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 250)
        assert moves(table.events) == ["11-15"]
        events = table.change(RED, {15: ".", 16: "r"}, 4_000)
        assert [e.undone for e in events if isinstance(e, Withdrawn)] == [("11-15",)]
        assert moves(events) == ["11-16"]
        assert [str(move) for move in table.game.moves] == ["11-16"]
        assert not kinds(events)

    def test_nor_one_that_the_other_player_puts_back_for_another(self) -> None:
        """Nobody asks whether that is what the first one has played."""
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        events = table.change(WHITE, {15: ".", 11: "r", 10: ".", 14: "r"}, 6_000)
        assert kinds(events) == ["upset"]
        assert "unsure" not in names(events)

    def test_nor_one_whose_piece_alone_lies_elsewhere_by_now(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 2_000)
        table.reach(RED, {15, 16})
        table.misread = {16: (-350, 0, -100, -700, -700)}
        table.change(RED, {15: ".", 16: "r"}, 8_000)
        assert asked(table) == ("11-16", "11-15")

    def test_who_moves_on_behind_his_capture_has_made_that(self) -> None:
        """Red jumps from 7, and in the same visit puts the man on 3 there."""
        table = at_fen("B:W10,32:B7,3,1")
        table.reach(RED, {7, 10, 14})
        table.setup = replace(table.setup, {7: ".", 10: ".", 14: "r"})
        table.reach(RED, {10, 14}, 200)
        table.reach(RED, {3, 7})
        table.setup = replace(table.setup, {3: ".", 7: "r"})
        table.reach(RED, {3, 7}, 200)
        table.rest(5_000)
        assert moves(table.events) == ["7x14"]
        assert kinds(table.events) == ["wrong_turn"]

    def test_one_that_has_lain_open_is_asked_about(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 2_000)
        events = table.change(RED, {15: ".", 16: "r"}, 4_000)
        assert names(events) == ["withdrawn", "played", "unsure"]
        assert asked(table) == ("11-16", "11-15")
        assert not kinds(events)

    @pytest.mark.parametrize(("between_ms", "told"), [(900, True), (0, False)])
    def test_an_offence_after_a_move_not_yet_told_is_no_upset(
        self, between_ms: int, told: bool
    ) -> None:
        """Pieces that are upset are so at once."""
        table = at_fen("B:W14,22,24,25,32:B9,1")
        table.reach(RED, {9, 14, 18, 32})
        table.setup = replace(table.setup, {9: ".", 14: ".", 18: "r"})
        table.misread = {32: certain("." * 32, 800)[0]}
        table.reach(RED, {9, 14, 18, 32}, 100)
        table.rest(between_ms)
        table.misread = {}
        table.reach(WHITE, {24}, 100)
        table.setup = replace(table.setup, {24: ".", 19: "w"})
        table.reach(WHITE, {19, 24}, 100)
        table.rest(3_000)
        assert moves(table.events) == ["9x18"] * told
        assert kinds(table.events) == ["capture_missed"] * told

    def test_what_followed_a_move_that_was_told_late_is_still_to_be_explained(self) -> None:
        """No hand was seen when the man came to 19; Red has replied before that is believed."""
        table = at_fen("W:W24,18,32,21:B9,1,2")
        table.reach(WHITE, {24})
        table.setup = replace(table.setup, {24: "."})
        table.rest(600)
        table.setup = replace(table.setup, {19: "w"})
        table.rest(700)
        replied_ms = table.time_ms
        table.change(RED, {9: ".", 14: "r"}, 100)
        table.reach(WHITE, {18, 9, 14})
        table.setup = replace(table.setup, {18: ".", 14: ".", 9: "w"})
        while not moves(table.events):
            table.reach(WHITE, {14, 17, 21}, 50)
        assert moves(table.events) == ["24-19"]
        assert table.game.tracker.settled_ms < replied_ms
        table.rest(2_000)
        assert moves(table.events) == ["24-19", "9-14", "18x9"]

    def test_two_moves_seen_one_after_the_other_are_two_though_one_hand_was_seen(self) -> None:
        table = at_fen("B:WK31:BK22")
        table.rest(1_000)
        table.misread = dict.fromkeys((13, 17, 22, 26), HIDDEN)  # an arm that is not taken for one
        table.rest(300)
        table.setup = replace(table.setup, {22: ".", 26: "R"})
        table.rest(200)
        table.misread = {}
        table.rest(150)
        table.reach(WHITE, {31}, 150)
        table.setup = replace(table.setup, {31: "."})
        table.reach(WHITE, {22, 26, 30}, 300)
        table.setup = replace(table.setup, {22: "W"})
        table.reach(WHITE, {22, 25, 29}, 150)
        table.rest(700)
        table.reach(WHITE, {26, 31}, 200)
        table.setup = replace(table.setup, {26: "."})
        table.reach(WHITE, {26, 31}, 100)
        assert moves(table.rest(3_000)) == ["22-26", "31x22"]

    def test_a_finger_on_the_square_of_a_piece_taken_off_does_not_make_it_a_move(self) -> None:
        table = at_fen(SINGLE)
        table.reach(RED, {11, 15, 18})
        table.setup = replace(table.setup, {11: ".", 15: ".", 18: "r"})
        table.reach(RED, {1})
        table.setup = replace(table.setup, {1: "."})
        table.reach(RED, {1}, 100)
        table.rest(250)
        table.reach(WHITE, {1, 5, 13}, 1_800)
        assert not moves(table.events)
        assert kinds(table.rest(3_000)) == ["own_piece_removed"]

    def test_nothing_is_withdrawn_for_another_order_of_the_same_moves(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 250)
        table.change(WHITE, {24: ".", 20: "w"}, 250)
        table.change(RED, {9: ".", 13: "r"}, 250)
        table.change(WHITE, {28: ".", 24: "w"}, 4_000)
        assert "withdrawn" not in names(table.events)
        assert moves(table.events) == ["11-15", "24-20", "9-13", "28-24"]

    def test_a_capture_with_a_piece_too_many_taken_off_is_not_snapped_to(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 250)
        table.change(WHITE, {22: ".", 18: "w"}, 250)
        events = table.change(RED, {15: ".", 18: ".", 22: "r", 30: "."}, 5_000)
        assert not moves(events)
        assert kinds(events) == ["wrong_piece_removed"]

    def test_nothing_is_withdrawn_for_a_board_that_no_moves_lead_to(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 250)
        events = table.change(RED, {15: ".", 20: "r"}, 6_000)
        assert "withdrawn" not in names(events)
        assert not moves(events)

    @pytest.mark.parametrize("side", [RED, None])
    def test_what_one_hand_did_at_once_is_no_row_of_moves(self, side: Side | None) -> None:
        """Red jumps on out of the king-row, to where White and he might have gone in five moves."""
        table = at_fen("B:W26,27,12:B22,1")
        table.change(side, {22: ".", 26: ".", 27: ".", 24: "R"}, 6_000)
        assert kinds(table.events) == ["illegal_step"]
        assert not moves(table.events)


class TestAstray:
    """A record that has gone wrong, of which the referee has asked and nobody has answered."""

    def gone_wrong(self) -> Table:
        """Red's move was seen to end on 16; it ended on 15, and White's offence is put right."""
        table = ready()
        table.misread = {15: EMPTY_CLEARLY, 16: RED_CLEARLY}
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 19: "w"})
        table.change(WHITE, {22: "w", 19: "."})
        table.misread = {}
        assert "unsure" in names(table.rest(12_000))
        return table

    def test_three_boards_that_lawful_play_leads_to_show_what_was_played(self) -> None:
        table = self.gone_wrong()
        assert not table.change(WHITE, {22: ".", 18: "w"})
        events = table.change(RED, {15: ".", 18: ".", 22: "r"})
        assert [event.undone for event in events if isinstance(event, Withdrawn)] == [("11-16",)]
        assert moves(events) == ["11-15", "22-18", "15x22"]
        assert moves(table.change(WHITE, {25: ".", 22: ".", 18: "w"})) == ["25x18"]

    def test_one_that_is_out_of_order_meanwhile_is_passed_over(self) -> None:
        table = self.gone_wrong()
        table.change(WHITE, {22: ".", 18: "w"})
        assert not moves(table.change(RED, {15: ".", 18: ".", 22: "r", 26: "."}))
        assert moves(table.change(RED, {26: "w"})) == ["11-15", "22-18", "15x22"]

    def test_a_move_by_the_other_players_hand_bears_nothing_out(self) -> None:
        table = self.gone_wrong()
        table.change(WHITE, {22: ".", 18: "w"})
        table.change(WHITE, {15: ".", 18: ".", 22: "r"})
        table.change(WHITE, {25: ".", 22: ".", 18: "w"})
        assert moves(table.events) == ["11-16"]

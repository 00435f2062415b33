"""What the tracker makes of hands and pieces: moves, offences, and nothing at all."""

from __future__ import annotations

import dataclasses
import random

import pytest

from referee.board import SQUARES, START, Side, replace
from referee.commands import Word
from referee.events import (
    Crowned,
    Event,
    Irregular,
    Irregularity,
    Lingering,
    Played,
    Touch,
    Touched,
    Unsure,
    Verdict,
    Waiting,
    Withdrawn,
)
from referee.notation import parse_fen
from referee.observation import (
    HIDDEN,
    Hand,
    LooseDisc,
    Observation,
    Recalled,
    Row,
    View,
    certain,
)
from referee.profiles import GUIDE, ONLINE25, PLAIN, WCDF, Profile
from referee.rules import Move, Position, lawful_moves
from referee.tracker import Tracker, observe
from referee.tracking import moves as moves_room
from referee.tracking import offences, rivals, second_thoughts
from referee.tracking.lingering import _over_ms as over_ms
from referee.tracking.memory import is_left_of_doubt
from referee.tracking.moves import is_partly_put_right
from referee.tracking.notes import Charge, Rival
from referee.tracking.record import reached
from tests.table import RED, WHITE, Table, kinds, moves, names, ready, rulings

MULTI = "B:W14,22,32:B9,1"
"""Red must take 9x18x25, over 14 and 22."""
SINGLE = "B:W15,32:B11,8,1"
"""Red must take 11x18."""
CROWNING = "B:W12,21:B26,9"
"""Red goes 26-30 or 26-31; White answers with 12-8 or 21-17."""
EMPTY_LOOKING, RED_LOOKING = (0, -500, -500, -500, -500), (-240, 0, -100, -700, -700)
EMPTY_CLEARLY = (0, -700, -700, -700, -700)
RED_CLEARLY, WHITE_CLEARLY = (-700, 0, -100, -700, -700), (-700, -700, -700, 0, -100)
"""What the eye says of a square that it reads wrongly, clearly and under a reflection."""
LAMPS = {29: (-150, -700, -700, 0, -100), 30: (-150, 0, -100, -700, -700)}
"""Two empty squares in which lamps are mirrored."""


def at_fen(text: str, **options: object) -> Table:
    return ready(parse_fen(text), **options)


def elsewhere(move: Move, end: int, start: int | None = None) -> Move:
    """The same piece's plain move to another square, perhaps from another one."""
    return dataclasses.replace(move, path=(start or move.start, end))


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


class TestReady:
    def test_the_first_position_makes_ready(self) -> None:
        assert names(ready().events) == ["ready"]

    def test_a_missing_piece_is_waited_for_and_named(self) -> None:
        table = Table()
        table.setup = "." + START[1:]
        events = table.rest(6_000)
        assert [e.missing for e in events if isinstance(e, Waiting)] == [(1,)]
        table.setup = START
        assert names(table.rest(1_500)) == ["ready"]

    def test_a_square_that_is_never_read_is_not_waited_for(self) -> None:
        table = Table()
        table.misread = {30: HIDDEN}
        assert names(table.rest(1_500)) == ["ready"]

    @pytest.mark.parametrize(
        ("squares", "ms", "begins"), [((), 3_000, 1), ((), 1_500, 0), ((30,), 3_000, 0)]
    )
    def test_hands_that_cover_nothing_hold_up_the_beginning_for_a_while_only(
        self, squares: tuple[int, ...], ms: int, begins: int
    ) -> None:
        """They lie on the frame, or are none: a lamp that flickers looks like them."""
        table = Table()
        assert names(table.rest(ms, Hand(WHITE, squares))) == ["ready"] * begins

    @pytest.mark.parametrize(
        ("stood_ms", "first", "told"), [(900, 1, ["ready", "played"]), (300, 1, []), (900, 0, [])]
    )
    def test_a_first_move_that_comes_before_the_hands_have_left_for_long(
        self, stood_ms: int, first: int, told: list[str]
    ) -> None:
        rim = Hand(WHITE, ())
        table = Table()
        table.setup = replace(START, {21: "."})
        table.rest(2_000, rim)
        table.setup = START if first else table.setup
        table.rest(stood_ms, rim)
        table.reach(RED, {11, 15})
        table.setup = replace(table.setup, {11: ".", 15: "r"})
        table.reach(RED, {11, 15}, 100)
        assert names(table.rest(2_500)) == told
        assert moves(table.events) == ["11-15"] * bool(told)

    @pytest.mark.parametrize(("says", "begins"), [(-200, True), (-700, False)])
    def test_a_faint_reflection_does_not_hold_up_the_beginning(
        self, says: int, begins: bool
    ) -> None:
        table = Table()
        table.misread = {16: (says, -700, -700, 0, -100)}
        table.rest(4_000)
        assert ("ready" in names(table.events)) is begins

    @pytest.mark.parametrize(("looks", "begins"), [(3, True), (0, False)])
    def test_a_disc_more_than_a_set_has_may_be_seen_less_faintly(
        self, looks: int, begins: bool
    ) -> None:
        """Of White's, all of whom stand there, or where one of them should."""
        table = Table()
        says = [-400, -800, -800, -800, -800]
        says[0 if looks else 3], says[looks] = -400, 0
        table.misread = {16 if looks else 21: tuple(says)}  # type: ignore[dict-item]
        table.rest(4_000)
        assert ("ready" in names(table.events)) is begins

    @pytest.mark.parametrize(("says", "told"), [(-400, ["11-15", "22-18"]), (-700, [])])
    def test_a_lamp_on_a_piece_holds_up_the_beginning_until_the_first_move(
        self, says: int, told: list[str]
    ) -> None:
        """Where its square is plainly bare the piece is missing."""
        table = Table()
        table.misread = {21: (0, -800, -800, says, -800)}
        table.rest(4_000)
        assert "ready" not in names(table.events)
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 18: "w"}, 6_000)
        assert moves(table.events) == told
        assert not kinds(table.events)

    def test_nothing_is_ruled_before_ready(self) -> None:
        table = Table()
        table.setup = "." * 10 + START[10:]
        table.rest(4_000)
        assert not kinds(table.change(WHITE, {32: "."}, 5_000))


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


class TestLawfulMoves:
    @pytest.mark.parametrize("frame_ms", [17, 33, 100, 333])
    def test_a_plain_move_is_announced_once(self, frame_ms: int) -> None:
        table = ready(frame_ms=frame_ms)
        assert names(table.change(RED, {11: ".", 15: "r"}, 3_000)) == ["played"]
        assert moves(table.events) == ["11-15"]

    def test_soon_after_the_hand_has_left(self) -> None:
        table = ready(frame_ms=33)
        assert moves(table.change(RED, {11: ".", 15: "r"}, 400)) == ["11-15"]

    def test_not_while_the_hand_hides_it(self) -> None:
        table = ready()
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {11, 15}, 3_000)
        assert names(table.events) == ["ready"]

    def test_a_capture_with_its_piece_taken_off(self) -> None:
        table = at_fen(SINGLE)
        assert moves(table.change(RED, {11: ".", 15: ".", 18: "r"})) == ["11x18"]

    def test_two_moves_between_two_looks(self) -> None:
        table = ready()
        events = table.change(RED, {11: ".", 15: "r", 22: ".", 18: "w"})
        assert moves(events) == ["11-15", "22-18"]

    def test_capture_and_recapture_between_two_looks(self) -> None:
        table = at_fen("W:W22,32:B18,11,8,1")
        table.reach(WHITE, {22, 18, 15})
        assert moves(table.change(RED, {22: ".", 11: "."})) == ["22x15", "11x18"]

    def test_the_reply_is_there_before_the_other_hand_is_away(self) -> None:
        table = ready()
        table.reach(RED, {11, 15})
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(WHITE, {22, 18, 26}, 600)
        assert moves(table.events) == ["11-15"]

    def test_pieces_of_a_double_capture_come_off_one_by_one(self) -> None:
        table = at_fen(MULTI)
        assert not kinds(table.change(RED, {9: ".", 25: "r"}, 800))
        assert not kinds(table.change(RED, {14: "."}, 800))
        assert moves(table.change(RED, {22: "."})) == ["9x25"]
        assert not kinds(table.events)

    def test_a_hand_that_comes_and_goes_is_nothing(self) -> None:
        table = ready()
        for square in (9, 11, 22):
            table.reach(RED, {square, square + 4}, 700)
            table.rest(500)
        assert names(table.events) == ["ready"]

    def test_a_king_that_captures_all_around_and_comes_back(self) -> None:
        table = at_fen("W:WK3,32:B7,8,15,16,1")
        table.change(WHITE, {7: ".", 8: ".", 15: ".", 16: "."})
        (move,) = table.game.moves
        assert (move.start, move.end, len(move.captured)) == (3, 3, 4)


class TestCrowning:
    def test_a_man_that_arrives_is_a_king_at_once_and_crowned_later(self) -> None:
        table = at_fen(CROWNING)
        table.change(RED, {26: ".", 31: "r"})
        assert table.game.position.setup[30] == "R"
        assert names(table.change(WHITE, {31: "R"})) == ["crowned"]
        assert moves(table.change(WHITE, {12: ".", 8: "w"})) == ["12-8"]
        assert not kinds(table.events)

    def test_a_reply_before_the_crown_is_held_and_counts_after_it(self) -> None:
        table = at_fen(CROWNING)
        table.change(RED, {26: ".", 31: "r"})
        events = table.change(WHITE, {12: ".", 8: "w"}, 3_000)
        assert (kinds(events), moves(events)) == (["crown_missing"], [])
        assert names(table.change(WHITE, {31: "R"})) == ["crowned", "restored", "played"]
        assert moves(table.events) == ["26-31", "12-8"]

    @pytest.mark.parametrize(("looks", "said"), [(-180, ["crown_missing"]), (-120, [])])
    def test_a_man_must_look_one_plainly_before_he_lacks_a_crown(
        self, looks: int, said: list[str]
    ) -> None:
        table = at_fen(CROWNING)
        table.misread = {31: man_looking(looks)}
        table.change(RED, {26: ".", 31: "r"}, 3_000)
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 3_000)) == said

    @pytest.mark.parametrize(("looks", "said"), [(-400, ["crown_missing"]), (-250, [])])
    def test_between_slow_frames_a_hand_may_have_crowned_him(
        self, looks: int, said: list[str]
    ) -> None:
        table = at_fen(CROWNING, frame_ms=333)
        table.misread = {31: man_looking(looks)}
        for side, start, end in ((RED, 26, 31), (WHITE, 12, 8)):
            table.reach(side, {start, end}, 1_000)
            table.setup = replace(table.setup, {start: ".", end: side.man})
            table.reach(side, {start, end}, 1_000)
            table.rest(5_000)
        assert kinds(table.events) == said

    @pytest.mark.parametrize(("back", "said"), [(9, ["crown_missing"]), (31, [])])
    def test_who_comes_back_over_his_new_king_may_have_crowned_him_himself(
        self, back: int, said: list[str]
    ) -> None:
        """It is told when the jumped man is off; the eye takes the king for a man for ever."""
        table = at_fen("B:W27,12,21:B24,9,1")
        table.misread = {31: man_looking(-400)}
        table.change(RED, {24: ".", 31: "r"}, 500)
        table.change(RED, {27: "."}, 0)
        table.reach(RED, {back}, 400)
        assert moves(table.rest(1_500)) == ["24x31"]
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == said

    def test_a_crown_that_people_were_told_of_is_believed_once_a_hand_was_there(self) -> None:
        """The eye takes the king for a man for ever; the game goes on all the same."""
        table = at_fen(CROWNING)
        table.misread = {30: man_looking(-400)}
        table.change(RED, {26: ".", 30: "r"}, 3_000)
        assert kinds(table.change(WHITE, {21: ".", 17: "w"}, 6_000)) == ["crown_missing"]
        table.reach(WHITE, {32})
        assert not moves(table.rest(3_000))
        table.reach(WHITE, {30})
        assert moves(table.rest(3_000)) == ["21-17"]

    def test_who_only_points_at_a_man_that_plainly_is_one_has_not_crowned_him(self) -> None:
        table = at_fen(CROWNING)
        table.change(RED, {26: ".", 30: "r"}, 3_000)
        assert kinds(table.change(WHITE, {21: ".", 17: "w"}, 6_000)) == ["crown_missing"]
        table.reach(RED, {30})
        assert not table.rest(6_000)
        assert moves(table.change(RED, {9: ".", 13: "r"}, 3_000)) == ["21-17", "9-13"]

    @pytest.mark.parametrize(("after", "told"), [(-600, ["crown_missing"]), (-300, []), (300, [])])
    def test_a_crown_that_is_missing_when_the_arm_that_replied_has_left(
        self, after: int, told: list[str]
    ) -> None:
        """While it is there the man hardly looks one."""
        table = at_fen("B:W32,12,21:B26,9,1,2")
        table.change(RED, {26: ".", 31: "r"}, 2_000)
        table.misread = {31: man_looking(-90)}
        table.reach(WHITE, {31, 32, 27}, 1_000)
        table.setup = replace(table.setup, {32: ".", 27: "w"})
        table.reach(WHITE, {31, 32, 27}, 500)
        assert moves(table.rest(2_500, Hand(WHITE, (29,)))) == ["32-27"]
        table.misread = {31: man_looking(after)}
        table.rest(4_000)
        assert kinds(table.events) == told

    def test_a_reply_that_is_taken_back_was_not_made_before_the_crown(self) -> None:
        table = at_fen("B:W32,12,21:B26,27,9,1,2")
        table.misread = {31: man_looking(-500)}
        table.change(RED, {26: ".", 31: "r"}, 2_000)
        table.misread = {31: man_looking(-90)}
        table.reach(WHITE, {31, 32, 27, 23}, 1_000)
        table.setup = replace(table.setup, {32: ".", 27: ".", 23: "w"})
        table.reach(WHITE, {31, 32, 27, 23}, 500)
        assert moves(table.rest(2_500, Hand(WHITE, (29,)))) == ["32x23"]
        table.misread = {31: man_looking(-600)}
        assert names(table.change(WHITE, {32: "w", 27: "r", 23: "."}, 6_000)) == ["withdrawn"]

    @pytest.mark.parametrize("waits_ms", [1_000, 5_000])
    def test_a_reply_that_goes_back_until_the_king_is_crowned_is_not_displaced(
        self, waits_ms: int
    ) -> None:
        """The eye has not seen that the crown was missing."""
        table = at_fen("B:W32,12,21:B26,9,1,2")
        table.misread = {31: man_looking(-90)}
        table.change(RED, {26: ".", 31: "r"})
        table.change(WHITE, {12: ".", 8: "w"}, 6_000)
        table.change(WHITE, {8: ".", 12: "w"}, waits_ms)
        table.misread = {}
        table.change(WHITE, {31: "R"})
        table.change(WHITE, {12: ".", 8: "w"})
        table.change(RED, {9: ".", 13: "r"})
        assert not kinds(table.events)
        assert "touched" not in names(table.events)
        assert [str(move) for move in table.game.tracker.plies] == ["26-31", "12-8", "9-13"]

    @pytest.mark.parametrize(("looks", "told"), [(210, ["piece_displaced"]), (190, [])])
    def test_one_that_goes_back_though_the_king_was_crowned_before_is_out_of_turn(
        self, looks: int, told: list[str]
    ) -> None:
        """Not where he hardly looks it: then people perhaps know that he was not."""
        table = at_fen("B:W32,12,21:B26,9,1,2")
        table.change(RED, {26: ".", 31: "r"})
        table.change(WHITE, {31: "R"})
        table.misread = {31: man_looking(looks)}
        table.rest(2_000)
        table.change(WHITE, {12: ".", 8: "w"}, 6_000)
        table.change(WHITE, {8: ".", 12: "w"}, 6_000)
        assert kinds(table.events) == told

    def test_a_finger_over_a_man_long_in_view_is_no_crown(self) -> None:
        table = at_fen(CROWNING)
        table.change(RED, {26: ".", 31: "r"}, 3_000)
        table.misread = {31: man_looking(300)}
        table.rest(800, Hand(WHITE, (27,)))
        table.misread = {}
        table.rest(800, Hand(WHITE, (27,)))
        assert "crowned" not in names(table.events)

    @pytest.mark.parametrize(("leaps", "told"), [(-300, ["crown_missing"]), (270, [])])
    def test_a_look_that_leaps_is_a_hand_that_may_have_crowned_him(
        self, leaps: int, told: list[str]
    ) -> None:
        """The upper disc, a little nearer to the camera, hides its own wall."""
        table = at_fen(CROWNING)
        table.misread = {31: man_looking(-310)}
        table.change(RED, {26: ".", 31: "r"}, 3_000)
        table.misread = {31: man_looking(leaps)}
        table.rest(250, Hand(WHITE, ()))
        table.misread = {31: man_looking(-270)}
        table.rest(1_500)
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == told

    def test_a_look_that_leaps_while_nobody_is_about_is_no_hand(self) -> None:
        table = at_fen(CROWNING)
        table.misread = {31: man_looking(-310)}
        table.change(RED, {26: ".", 31: "r"}, 3_000)
        table.misread = {31: man_looking(270)}
        table.rest(250)
        table.misread = {31: man_looking(-270)}
        table.rest(1_500)
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == ["crown_missing"]

    @pytest.mark.parametrize(
        ("stays_ms", "looks", "told"),
        [
            (300, -250, ["crown_missing"]),
            (1_200, -250, []),
            (1_200, -400, ["crown_missing"]),
        ],
    )
    def test_a_hand_that_stays_over_him_as_he_arrives_may_have_crowned_him(
        self, stays_ms: int, looks: int, told: list[str]
    ) -> None:
        """His own player's: unless he plainly is a man still."""
        table = at_fen("B:W32,12,21:B26,9,1,2")
        table.misread = {31: man_looking(looks)}
        table.reach(RED, {26, 31})
        table.setup = replace(table.setup, {26: ".", 31: "r"})
        table.reach(RED, {26, 31}, stays_ms)
        table.rest(2_000)
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == told

    @pytest.mark.parametrize(("after", "told"), [(-400, ["crown_missing"]), (-200, [])])
    def test_fingers_that_do_not_hide_the_man_may_have_crowned_him(
        self, after: int, told: list[str]
    ) -> None:
        """Faintly seen a king looks a man still, but less than he did."""
        table = at_fen("B:W32,12,21:B26,9,1,2")
        table.misread = {31: man_looking(-420)}
        table.change(RED, {26: ".", 31: "r"}, 2_000)
        table.rest(500, Hand(WHITE, ()))
        table.misread = {31: man_looking(after)}
        table.rest(1_500)
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == told

    @pytest.mark.parametrize(("stays_ms", "told"), [(900, []), (2_000, ["crowned"])])
    def test_a_finger_beside_a_man_is_no_crown(self, stays_ms: int, told: list[str]) -> None:
        table = at_fen("B:W32,12,21:B26,9,1,2")
        table.change(RED, {26: ".", 31: "r"}, 2_000)
        table.reach(WHITE, {31})
        table.misread = {31: man_looking(400)}
        table.reach(WHITE, {27}, stays_ms)
        table.misread = {31: man_looking(-400)}
        table.rest(2_000)
        assert [name for name in names(table.events) if name == "crowned"] == told

    def test_a_crown_seen_late_was_put_on_by_nobody_in_particular(self) -> None:
        """The owner's hand is over the board just then, and far from his king."""
        table = at_fen("B:W32,12,21:B26,9,1,2")
        table.misread = {31: man_looking(-90)}
        table.change(RED, {26: ".", 31: "r"}, 2_000)
        table.reach(WHITE, {31})
        table.change(WHITE, {12: ".", 8: "w"}, 3_000)
        table.reach(RED, {2}, 600)
        table.misread = {31: man_looking(400)}
        table.reach(RED, {2}, 600)
        table.rest(1_500)
        assert [(e.square, e.by) for e in table.events if isinstance(e, Crowned)] == [(31, None)]
        assert not [r for r in rulings(table.events) if "crowned" in r.text]

    @pytest.mark.parametrize(("at", "by"), [({31}, WHITE), ({26}, None)])
    def test_a_hand_in_whose_shadow_a_crown_is_seen_has_not_put_it_on(
        self, at: set[int], by: Side | None
    ) -> None:
        table = at_fen("B:W32,12,21:B26,9,1,2")
        table.misread = {31: man_looking(150)}
        table.change(RED, {26: ".", 31: "r"}, 3_000)
        table.rest(1_000)
        table.misread = {31: man_looking(400)}
        table.reach(WHITE, at, 1_000)
        table.rest(500)
        assert [(e.square, e.by) for e in table.events if isinstance(e, Crowned)] == [(31, by)]

    def test_an_eye_that_cannot_tell_a_king_accuses_nobody(self) -> None:
        table = at_fen(CROWNING)
        table.change(RED, {26: ".", 31: "r"})
        table.reach(WHITE, {12, 8})
        table.setup = replace(table.setup, {12: ".", 8: "w"})
        blind_rank = tuple(
            (row[0], max(row[1:3]), max(row[1:3]), max(row[3:]), max(row[3:]))
            for row in certain(table.setup)
        )
        for _ in range(60):
            table.time_ms += 50
            table._feed(Observation(table.time_ms, blind_rank))
        assert moves(table.events) == ["26-31", "12-8"]
        assert not kinds(table.events)

    @pytest.mark.parametrize(
        ("before", "looks", "told"),
        [
            (-600, -300, []),
            (-600, -460, []),
            (-300, -600, []),
            (-600, -550, ["crown_missing"]),
        ],
    )
    def test_a_crown_put_on_before_the_move_was_announced_may_look_missing(
        self, before: int, looks: int, told: list[str]
    ) -> None:
        """Unless the man plainly is one, and looks as he did where he came from."""
        table = at_fen(CROWNING)
        table.misread = {26: man_looking(before), 31: man_looking(looks)}
        table.rest(2_000)
        table.reach(RED, {26, 31})
        table.setup = replace(table.setup, {26: ".", 31: "r"})
        table.misread = {31: man_looking(looks)}
        table.reach(RED, {31, 26})
        table.reach(WHITE, {31})
        table.rest(1_500)
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == told

    @pytest.mark.parametrize(("looks", "said"), [(-600, ["crown_missing"]), (-300, [])])
    def test_an_arm_that_passes_over_a_man_on_its_way_to_reply_has_not_crowned_him(
        self, looks: int, said: list[str]
    ) -> None:
        """He stands at the opponent's own edge, and looks plainly a man before and after."""
        table = at_fen(CROWNING)
        table.misread = {31: man_looking(looks)}
        table.change(RED, {26: ".", 31: "r"}, 3_000)
        table.reach(WHITE, {31}, 1_000)
        table.reach(WHITE, {12, 31}, 300)
        table.setup = replace(table.setup, {12: ".", 8: "w"})
        table.reach(WHITE, {12, 8}, 200)
        assert kinds(table.rest(4_000)) == said

    def test_a_hand_that_replies_beside_the_man_at_once_has_not_crowned_it(self) -> None:
        table = at_fen("B:W12,32:B26,9", frame_ms=300)
        assert moves(table.change(RED, {26: ".", 31: "r"}, 600)) == ["26-31"]
        table.setup = replace(table.setup, {32: ".", 27: "w"})
        table.reach(WHITE, {27, 32}, 300)
        assert kinds(table.rest(4_000)) == ["crown_missing"]

    @pytest.mark.parametrize(
        ("frame_ms", "looks", "told"),
        [(250, -250, ["crown_missing"]), (300, -250, []), (300, -350, ["crown_missing"])],
    )
    def test_a_hand_may_have_crowned_him_between_two_frames_that_come_late(
        self, frame_ms: int, looks: int, told: list[str]
    ) -> None:
        table = at_fen(CROWNING, frame_ms=frame_ms)
        table.misread = {31: man_looking(looks)}
        table.change(RED, {26: ".", 31: "r"}, 3_000)
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == told

    @pytest.mark.parametrize(
        ("came", "looks", "told"),
        [
            (-50, 60, ["crown_missing"]),
            (-50, 80, []),
            (90, 95, ["crown_missing"]),
            (90, 110, []),
        ],
    )
    def test_a_man_who_hardly_looks_one_lacks_his_crown_if_he_looks_as_where_he_came_from(
        self, came: int, looks: int, told: list[str]
    ) -> None:
        table = at_fen(CROWNING + ",K1,K2")
        table.misread = {26: man_looking(came)}
        table.rest(2_000)
        table.misread = {31: man_looking(looks)}
        table.change(RED, {26: ".", 31: "r"}, 3_000)
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == told

    @pytest.mark.parametrize(
        ("came", "looks", "told"),
        [(-250, -160, ["crown_missing"]), (-250, -130, []), (-350, -200, [])],
    )
    def test_between_late_frames_too(self, came: int, looks: int, told: list[str]) -> None:
        table = at_fen(CROWNING, frame_ms=300)
        table.misread = {26: man_looking(came)}
        table.rest(3_000)
        table.misread = {31: man_looking(looks)}
        table.change(RED, {26: ".", 31: "r"}, 3_000)
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == told

    @pytest.mark.parametrize(("kings", "told"), [(490, ["crown_missing"]), (470, [])])
    def test_where_all_men_look_half_kings_plain_kings_say_that_ranks_are_told(
        self, kings: int, told: list[str]
    ) -> None:
        table = at_fen("B:W12,21,32:B26,9,K1,K2")
        faint = {square: man_looking(30, WHITE) for square in (21, 32)} | {9: man_looking(30)}
        faint |= {square: man_looking(kings) for square in (1, 2)}
        table.misread = faint | {26: man_looking(30), 12: man_looking(30, WHITE)}
        table.rest(2_000)
        table.misread = faint | {31: man_looking(30), 12: man_looking(30, WHITE)}
        table.change(RED, {26: ".", 31: "r"}, 3_000)
        table.misread = faint | {31: man_looking(30)}
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == told

    @pytest.mark.parametrize("profile", [ONLINE25, PLAIN, GUIDE])
    def test_where_the_crown_need_not_come_first_it_is_called_for(self, profile: Profile) -> None:
        table = at_fen(CROWNING, profile=profile)
        table.change(RED, {26: ".", 31: "r"})
        events = table.change(WHITE, {12: ".", 8: "w"}, 4_000)
        (ruling,) = rulings(events)
        rule = profile.offences[Irregularity.CROWN_MISSING].rule
        where = f" ({rule})" if rule else ""  # one document knows no second discs
        assert ruling.text == f"The new king on 31 has no second disc{where}. Put one on."
        assert (moves(events), ruling.side) == (["12-8"], None)
        assert names(table.change(WHITE, {31: "R"})) == ["crowned"]

    def test_a_reply_before_the_crown_is_told_also_where_nobody_knows_whose_hands(self) -> None:
        table = at_fen("B:WK20,11,24:BK1,K2,25")
        for change in ({25: ".", 29: "r"}, {24: ".", 19: "w"}):
            table.rest(300, Hand(None, tuple(change)))
            table.setup = replace(table.setup, change)
            table.rest(200, Hand(None, tuple(change)))
            table.rest(4_000)
        assert kinds(table.events) == ["crown_missing"]

    def test_an_eye_that_tells_no_ranks_accuses_nobody(self) -> None:
        table = at_fen("B:W12,21:B26,9,K5,K1,K2,K3")
        table.misread = dict.fromkeys((1, 2, 3, 5), (-800, 0, -400, -800, -800))
        table.rest(1_000)
        table.change(RED, {26: ".", 31: "r"})
        assert not kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000))

    @pytest.mark.parametrize(("before", "after", "said"), [(-350, 100, 1), (-220, 100, 0)])
    def test_a_man_that_looks_much_more_a_king_than_before_is_crowned(
        self, before: int, after: int, said: int
    ) -> None:
        """Squares of low walls say little; what misleads the eye there misleads it both times."""
        table = ready()
        table.misread = {11: man_looking(before)}
        table.rest(2_000)
        table.reach(RED, {11})
        table.misread = {11: man_looking(after)}
        assert kinds(table.rest(4_000)) == ["crown_unearned"] * said

    @pytest.mark.parametrize("elsewhere", [{}, {18: WHITE_CLEARLY}])
    def test_a_man_looks_what_he_looked_last_before_the_hand(
        self, elsewhere: dict[int, Row]
    ) -> None:
        """The look of a man wavers; nor does it matter that another square is misread."""
        table = ready(frame_ms=300)
        table.misread = {11: man_looking(-350)}
        table.rest(2_000)
        table.misread = {11: man_looking(-130), **elsewhere}
        table.rest(2_000)
        table.reach(RED, {11})
        table.misread = {11: man_looking(100)}
        assert not kinds(table.rest(4_000))

    @pytest.mark.parametrize(
        ("hand", "after", "ms", "said"),
        [
            ({11}, 100, 4_000, 1),
            ({16}, 100, 6_000, 0),
            ({16}, 300, 4_000, 0),
            ({16}, 300, 6_000, 1),
            ({28}, 300, 6_000, 0),
        ],
    )
    def test_a_hand_beside_a_man_has_crowned_him_only_if_he_clearly_looks_it_for_long(
        self, hand: set[int], after: int, ms: int, said: int
    ) -> None:
        """Fingers disturb the light around them; a second disc is put on by a hand over the man."""
        table = ready(frame_ms=300)
        table.misread = {11: man_looking(-350)}
        table.rest(2_000)
        table.reach(RED, hand, 600)
        table.misread = {11: man_looking(after)}
        assert kinds(table.rest(ms)) == ["crown_unearned"] * said

    @pytest.mark.parametrize(("once", "said"), [(-40, 0), (-350, 1)])
    def test_a_man_whose_look_wavers_is_known_as_he_looked_least_a_man(
        self, once: int, said: int
    ) -> None:
        table = ready()
        for looks in (-350, once, -350):
            table.misread = {11: man_looking(looks)}
            table.rest(2_000)
        table.reach(RED, {11})
        table.misread = {11: man_looking(80)}
        assert kinds(table.rest(4_000)) == ["crown_unearned"] * said

    @pytest.mark.parametrize(("before", "said"), [(-500, 1), (-300, 0)])
    def test_a_man_clearly_seen_may_be_crowned_as_soon_as_he_has_moved(
        self, before: int, said: int
    ) -> None:
        table = ready()
        table.misread = {15: man_looking(before)}
        table.reach(RED, {11})
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {11, 15}, 100)
        assert moves(table.rest(750)) == ["11-15"]
        table.reach(RED, {15})
        table.misread = {15: man_looking(-before)}
        assert kinds(table.rest(4_000)) == ["crown_unearned"] * said

    def test_a_man_that_flickers_as_the_hand_leaves_is_still_the_man_he_was(self) -> None:
        table = ready()
        table.rest(1_500)
        table.reach(RED, {11})
        table.setup = replace(START, {11: "w"})
        table.rest(100)
        table.setup = replace(START, {11: "R"})
        assert kinds(table.rest(4_000)) == ["crown_unearned"]

    def test_a_man_put_back_that_looks_a_king_has_no_unearned_crown(self) -> None:
        table = ready()
        table.rest(1_500)
        table.change(RED, {11: "."}, 500)
        assert not kinds(table.change(RED, {11: "R"}, 4_000))

    def test_a_man_whom_fingers_made_look_the_other_sides_has_come_to_be_a_king(self) -> None:
        table = ready()
        table.misread = {11: man_looking(-710)}
        table.rest(1_500)
        table.misread = {11: WHITE_CLEARLY}
        table.rest(700, Hand(RED, (7, 16)))
        table.misread = {11: man_looking(1_060)}
        table.rest(300, Hand(RED, (7, 16)))
        assert kinds(table.rest(6_000)) == ["crown_unearned"]

    def test_a_king_who_leaps_to_a_mans_look_has_lost_his_disc_though_he_was_faint(self) -> None:
        table = Table(parse_fen("W:WK14,32:B1,2,3,4"))
        table.misread = {14: man_looking(145, WHITE)}
        table.rest(3_000)
        table.reach(WHITE, {14})
        table.misread = {14: man_looking(-740, WHITE)}
        table.reach(WHITE, {14})
        assert kinds(table.rest(6_000)) == ["crown_removed"]

    @pytest.mark.parametrize(("looks", "told"), [(750, ["crown_unearned"]), (500, [])])
    def test_a_man_who_is_crowned_as_he_moves(self, looks: int, told: list[str]) -> None:
        table = ready()
        table.rest(1_500)
        table.misread = {15: man_looking(looks)}
        table.change(RED, {11: ".", 15: "r"}, 4_000)
        assert moves(table.events) == ["11-15"]
        assert kinds(table.events) == told

    @pytest.mark.parametrize(("before", "told"), [(-529, ["crown_unearned"]), (-300, [])])
    def test_a_man_who_leaps_to_a_kings_look_is_crowned_though_it_be_faint(
        self, before: int, told: list[str]
    ) -> None:
        table = Table()
        table.misread = {11: man_looking(before)}
        table.rest(3_000)
        table.misread = {15: man_looking(620)}
        table.change(RED, {11: ".", 15: "r"}, 4_000)
        assert kinds(table.events) == told

    def test_a_look_that_wavers_while_hands_are_there_does_not_last(self) -> None:
        """15 looks a king, then hardly, then again: for that long it must look so."""
        table = ready()
        table.rest(1_500)
        table.misread = {15: man_looking(750)}
        table.change(RED, {11: ".", 15: "r"}, 900)
        table.misread = {15: man_looking(300)}
        table.reach(WHITE, {24, 28}, 1_500)
        table.misread = {15: man_looking(750)}
        assert not kinds(table.rest(800))
        assert kinds(table.rest(1_000)) == ["crown_unearned"]

    @pytest.mark.parametrize(
        ("before", "after", "told"),
        [
            ((-160,), 200, ["crown_unearned"]),
            ((-160,), 180, []),
            ((50,), 410, ["crown_unearned"]),
            ((50,), 390, []),
            ((-600,), -130, ["crown_unearned"]),
            ((-600,), -170, []),
            ((-250, -75), 260, []),
            ((-250, -75), 400, ["crown_unearned"]),
        ],
    )
    def test_a_man_who_hardly_looks_one_is_crowned_if_he_leaps_to_a_king_all_the_more(
        self, before: tuple[int, ...], after: int, told: list[str]
    ) -> None:
        """Or if he never looked one, as in an eye to which all men are half kings."""
        table = Table()
        for looks in before:
            table.misread = {11: man_looking(looks)}
            table.rest(4_000)
        table.reach(RED, {11}, 500)
        table.misread = {11: man_looking(after)}
        table.reach(RED, {11}, 200)
        assert kinds(table.rest(3_000)) == told

    def test_how_a_king_looks_while_a_hand_takes_its_crown_is_not_how_it_looked(self) -> None:
        """From 717 by way of 346 to -150."""
        table = Table(parse_fen("B:W32,21,22:BK15,1,2"))
        table.misread = {15: man_looking(717)}
        table.rest(3_000)
        table.misread = {15: man_looking(346)}
        table.reach(WHITE, {18}, 700)
        table.misread = {15: man_looking(-150)}
        table.reach(WHITE, {15, 18})
        assert kinds(table.rest(4_000)) == ["crown_removed"]

    @pytest.mark.parametrize(("at", "told"), [(31, []), (None, ["crown_missing"])])
    def test_the_opponent_at_his_own_edge_has_not_crowned_before_the_move_was_told(
        self, at: int | None, told: list[str]
    ) -> None:
        """But he may have, if his hand was over the man."""
        table = at_fen(CROWNING)
        table.misread = {31: man_looking(-460)}
        table.reach(RED, {26, 31})
        table.setup = replace(table.setup, {26: ".", 31: "r"})
        table.reach(RED, {31, 26})
        table.rest(200, Hand(WHITE, (at,) if at else ()))
        table.rest(1_500)
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == told

    def test_a_crown_nobody_has_earned_is_told_though_another_man_is_misread(self) -> None:
        table = ready()
        table.rest(1_500)
        table.misread = {7: (-700, -250, -350, 0, -100), 15: man_looking(750)}
        table.change(RED, {11: ".", 15: "r"}, 4_000)
        assert moves(table.events) == ["11-15"]
        assert kinds(table.events) == ["crown_unearned"]

    def test_a_crown_nobody_has_earned(self) -> None:
        table = ready()
        assert kinds(table.change(RED, {11: "R"}, 3_000)) == ["crown_unearned"]
        assert names(table.change(RED, {11: "r"})) == ["restored"]

    @pytest.mark.parametrize("side", [RED, WHITE])
    def test_whose_hand_alone_was_there_has_crowned_the_man(self, side: Side) -> None:
        table = ready()
        table.reach(side.other, {30})
        table.rest(2_000)
        (told,) = irregular(table.change(side, {11: "R"}, 3_000))
        assert (told.kind.value, told.side) == ("crown_unearned", side)

    def test_whose_hand_goes_and_comes_again_has_crowned_the_man_by_name(self) -> None:
        table = ready()
        table.rest(1_500)
        table.change(RED, {11: "R"}, 400)
        table.reach(RED, {12})
        (told,) = irregular(table.rest(3_000))
        assert (told.kind.value, told.side) == ("crown_unearned", RED)

    @pytest.mark.parametrize("after_ms", [100, 800])
    def test_nobody_has_crowned_a_man_by_name_where_both_were_there(self, after_ms: int) -> None:
        table = ready()
        table.reach(WHITE, {11}, 500)
        table.rest(after_ms)
        (told,) = irregular(table.change(RED, {11: "R"}, 3_000))
        assert (told.kind.value, told.side) == ("crown_unearned", None)

    def test_nor_has_he_who_looks_after_it(self) -> None:
        table = ready()
        table.change(WHITE, {11: "R"}, 500)
        table.reach(RED, {11}, 700)
        (told,) = irregular(table.rest(3_000))
        assert (told.kind.value, told.side) == ("crown_unearned", None)

    def test_nor_a_hand_of_which_it_is_not_told_whose_it_is(self) -> None:
        table = ready()
        table.rest(300, Hand(None, (11,)))
        table.setup = replace(START, {11: "R"})
        table.rest(200, Hand(None, (11,)))
        table.rest(200, Hand(RED, (11,)))
        (told,) = irregular(table.rest(3_000))
        assert (told.kind.value, told.side) == ("crown_unearned", None)

    @pytest.mark.parametrize(("for_ms", "told"), [(3_000, []), (6_000, [("crown_unearned", None)])])
    def test_nobody_has_crowned_a_man_by_name_in_the_dark_after_which_eyes_err(
        self, for_ms: int, told: list[tuple[str, Side | None]]
    ) -> None:
        table = ready()
        table.rest(1_500)
        table.reach(RED, {11})
        table.rest(1_500)
        table.view = View.DARK
        table.rest(1_000)
        table.view = View.CLEAR
        table.setup = replace(START, {11: "R"})
        table.rest(for_ms)
        table.setup = START
        table.rest(3_000)
        assert [(event.kind.value, event.side) for event in irregular(table.events)] == told

    def test_whose_hand_alone_was_there_has_taken_the_crown(self) -> None:
        table = Table(parse_fen("B:W32,21,22:BK15,1,2"))
        table.rest(3_000)
        (told,) = irregular(table.change(WHITE, {15: "r"}, 4_000))
        assert (told.kind.value, told.side) == ("crown_removed", WHITE)

    @pytest.mark.parametrize(("after_his_hand", "side"), [(False, WHITE), (True, None)])
    def test_nobody_by_name_where_it_was_kept_in_mind_after_his_hand_had_left(
        self, after_his_hand: bool, side: Side | None
    ) -> None:
        table = Table(parse_fen("B:W32,21,22:BK15,1,2"))
        table.rest(3_000)
        kept_ms = table.time_ms
        table.reach(WHITE, {15})
        table.rest(600)
        if after_his_hand:
            kept_ms = table.time_ms
        table.recalled = {15: Recalled(-700, 1_000, kept_ms)}
        table.setup = replace(table.setup, {15: "r"})
        (told,) = irregular(table.rest(4_000))
        assert (told.kind.value, told.side) == ("crown_removed", side)

    @pytest.mark.parametrize(
        ("before", "after", "said"),
        [
            (400, -10, 1),
            (400, 10, 0),
            (100, -260, 1),
            (100, -240, 0),
            (900, 440, 1),
            (900, 460, 0),
        ],
    )
    def test_a_king_that_has_lost_its_upper_disc(self, before: int, after: int, said: int) -> None:
        table = Table(parse_fen("B:W32,21,22:BK15,1,2"))
        table.misread = {15: man_looking(before)}
        table.rest(3_000)
        table.reach(WHITE, {15})
        table.misread = {15: man_looking(after)}
        assert kinds(table.rest(4_000)) == ["crown_removed"] * said
        table.reach(RED, {15})
        table.misread = {15: man_looking(before)}
        assert names(table.rest(2_000)) == ["restored"] * said

    @pytest.mark.parametrize(("after", "told"), [(-120, ["crown_removed"]), (60, [])])
    def test_where_the_hand_was_only_beside_a_king_it_must_leap_farther(
        self, after: int, told: list[str]
    ) -> None:
        """By 800: in a corner fingers need not hide the piece."""
        table = Table(parse_fen("B:W32,21,22:BK15,1,2"))
        table.misread = {15: man_looking(700)}
        table.rest(3_000)
        table.reach(WHITE, {18})
        table.misread = {15: man_looking(after)}
        table.reach(WHITE, {18}, 200)
        assert kinds(table.rest(6_000)) == told

    def test_a_leap_says_what_has_been_done_where_the_eye_takes_all_men_for_kings(self) -> None:
        faint = {square: man_looking(100) for square in range(1, 13)}
        faint |= {square: man_looking(100, WHITE) for square in range(21, 33)}
        table = Table()
        table.misread = faint
        table.rest(3_000)
        table.reach(WHITE, {11})
        table.misread = faint | {11: man_looking(700)}
        (told,) = irregular(table.rest(4_000))
        assert (told.kind.value, told.side) == ("crown_unearned", WHITE)

    @pytest.mark.parametrize(("after", "told"), [(-500, ["crown_removed"]), (-400, [])])
    def test_a_king_that_wavered_long_ago_must_leap_from_how_it_looked_then(
        self, after: int, told: list[str]
    ) -> None:
        table = Table(parse_fen("B:W32,21,22:BK15,1,2"))
        for looks, ms in ((150, 1_000), (-80, 1_500), (150, 8_000)):
            table.misread = {15: man_looking(looks)}
            table.rest(ms)
        table.reach(WHITE, {15})
        table.misread = {15: man_looking(after)}
        assert kinds(table.rest(4_000)) == told

    @pytest.mark.parametrize(("empty", "told"), [(-300, []), (-500, ["crown_unearned"])])
    def test_a_piece_that_is_hardly_seen_to_stand_there_looks_of_no_rank(
        self, empty: int, told: list[str]
    ) -> None:
        table = Table()
        table.misread = {11: man_looking(50)}
        table.rest(3_000)
        table.reach(WHITE, {11})
        table.misread = {11: (empty, -600, 0, -800, -800)}
        assert kinds(table.rest(6_000)) == told

    def test_a_look_that_leaps_with_the_light_tells_of_no_disc(self) -> None:
        """No hand is there: what comes over the king later finds it as it looks since."""
        table = Table(parse_fen("B:W32,21,22:BK15,1,2"))
        table.misread = {15: man_looking(900)}
        table.rest(3_000)
        table.misread = {15: man_looking(300)}
        table.rest(2_000)
        table.reach(WHITE, {15})
        assert not kinds(table.rest(4_000))

    def test_a_king_among_few_pieces_has_lost_its_upper_disc(self) -> None:
        """Whether the eye tells ranks at all the others say."""
        table = Table(parse_fen("B:W32:BK15,1"))
        faint = {1: man_looking(-100)}
        table.misread = faint | {15: man_looking(400)}
        table.rest(3_000)
        table.reach(WHITE, {15})
        table.misread = faint | {15: man_looking(-600)}
        assert kinds(table.rest(4_000)) == ["crown_removed"]

    @pytest.mark.parametrize(("other", "told"), [(True, ["crown_removed"]), (False, [])])
    def test_a_piece_whose_rank_has_wavered_is_not_trusted_but_others_are(
        self, other: bool, told: list[str]
    ) -> None:
        """It wavers where it stands; another king may come there."""
        table = at_fen("B:W32,30:BK15,K1,2")
        table.rest(2_000)
        table.misread = {15: man_looking(-400)}  # no hand is about
        table.rest(1_500)
        table.misread = {}
        table.rest(1_500)
        if other:
            table.change(RED, {15: ".", 18: "R"})
            table.change(WHITE, {32: ".", 28: "w"})
            table.change(RED, {18: ".", 15: "R"})
            assert moves(table.events) == ["15-18", "32-28", "18-15"]
            table.rest(2_000)
        before = len(table.events)
        table.reach(WHITE, {15})
        table.misread = {15: man_looking(-600)}
        table.rest(4_000)
        assert kinds(table.events[before:]) == told

    def test_a_king_that_is_misread_beside_a_hand_still_has_its_upper_disc(self) -> None:
        """The eye errs about a square for a few seconds."""
        table = at_fen("B:W32,21,22:BK15,1,2")
        table.rest(1_500)
        table.reach(WHITE, {23})
        table.misread = {15: man_looking(-400)}
        table.rest(4_000)
        table.misread = {}
        table.rest(1_000)
        assert not kinds(table.events)

    @pytest.mark.parametrize("hand", [(), (28,)])
    def test_a_king_that_no_hand_has_reached_still_has_its_upper_disc(
        self, hand: tuple[int, ...]
    ) -> None:
        table = at_fen("B:W32,21,22:BK15,1,2")
        table.rest(1_500)
        if hand:
            table.reach(WHITE, set(hand))
        table.misread = {15: man_looking(-400)}
        assert not kinds(table.rest(4_000))

    def test_a_king_put_back_that_looks_a_man_has_not_lost_its_disc(self) -> None:
        table = at_fen("B:W32,21,22:BK15,1,2")
        table.rest(1_500)
        table.change(RED, {15: "."}, 500)
        table.misread = {15: man_looking(-400)}
        assert not kinds(table.change(RED, {15: "R"}, 4_000))


OFFENCES = [
    pytest.param(None, WHITE, {22: ".", 18: "w"}, "wrong_turn", (22, 18), id="wrong-turn"),
    pytest.param(SINGLE, RED, {8: ".", 12: "r"}, "capture_missed", (8, 12), id="missed"),
    pytest.param(
        MULTI, RED, {9: ".", 14: ".", 18: "r"}, "capture_unfinished", (9, 18, 14), id="unfinished"
    ),
    pytest.param(SINGLE, RED, {11: ".", 18: "r"}, "jumped_piece_left", (11, 18, 15), id="left"),
    pytest.param("B:W32:B15,1", RED, {15: ".", 11: "r"}, "illegal_step", (15, 11), id="back"),
    pytest.param("B:W32:B15,1", RED, {15: ".", 23: "r"}, "illegal_step", (15, 23), id="too-far"),
    pytest.param(
        "B:W18,32:BK29,1",
        RED,
        {29: ".", 18: ".", 15: "R"},
        "illegal_step",
        (29, 15, 18),
        id="flying",
    ),
    pytest.param(
        "B:W14,18,32:B9,2",
        RED,
        {9: ".", 14: ".", 18: ".", 23: "r"},
        "illegal_step",
        (9, 23, 14, 18),
        id="two-in-one",
    ),
    pytest.param(
        "B:W26,25,32:B23,1",
        RED,
        {23: ".", 26: ".", 25: ".", 21: "r"},
        "illegal_step",
        (23, 21, 26, 25),
        id="through-the-king-row",
    ),
    pytest.param(
        SINGLE, RED, {11: ".", 15: ".", 18: "r", 1: "."}, "own_piece_removed", (11, 18, 1), id="own"
    ),
    pytest.param(
        SINGLE,
        RED,
        {11: ".", 15: ".", 18: "r", 32: "."},
        "wrong_piece_removed",
        (11, 18, 32),
        id="wrong-piece",
    ),
    pytest.param(None, RED, {17: "r"}, "piece_added", (17,), id="added"),
    pytest.param(None, RED, {30: "."}, "piece_removed", (30,), id="removed"),
    pytest.param(None, RED, {22: ".", 14: "w"}, "piece_displaced", (22, 14), id="displaced"),
    pytest.param(
        None, RED, dict.fromkeys((1, 6, 10, 23, 30), "."), "upset", (1, 6, 10, 23, 30), id="upset"
    ),
]


def irregular(events: list[Event]) -> list[Irregular]:
    return [event for event in events if isinstance(event, Irregular)]


def man_looking(king: int, side: Side = RED) -> Row:
    """A piece that looks so much more a king than a man, in centinats."""
    man, crowned = min(0, -king), min(0, king)
    return (-800, man, crowned, -800, -800) if side is RED else (-800, -800, -800, man, crowned)


class TestOffences:
    @pytest.mark.parametrize(("fen", "side", "changes", "kind", "squares"), OFFENCES)
    def test_is_found_and_restored(
        self,
        fen: str | None,
        side: Side,
        changes: dict[int, str],
        kind: str,
        squares: tuple[int, ...],
    ) -> None:
        table = at_fen(fen) if fen else ready()
        before = table.setup
        events = [e for e in table.change(side, changes, 3_500) if isinstance(e, Irregular)]
        assert [(e.kind.value, e.squares) for e in events] == [(kind, squares)]
        back = {square: before[square - 1] for square in changes}
        assert names(table.change(side, back)) == ["restored"]
        assert not moves(table.events)

    def test_at_once_but_not_before_the_hand_has_left(self) -> None:
        table = ready()
        table.setup = replace(START, {22: ".", 18: "w"})
        table.reach(WHITE, {18, 22}, 1_400)
        assert not kinds(table.events)
        assert kinds(table.rest(1_200)) == ["wrong_turn"]

    def test_three_pieces_gone_are_upset(self) -> None:
        table = ready()
        events = table.change(RED, {9: ".", 6: ".", 30: "."}, 4_000)
        assert [(e.kind.value, e.side) for e in events if isinstance(e, Irregular)] == [
            ("upset", None)
        ]

    def test_said_once(self) -> None:
        table = ready()
        table.change(WHITE, {22: ".", 18: "w"}, 20_000)
        assert kinds(table.events) == ["wrong_turn"]

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

    @pytest.mark.parametrize(("lay_ms", "told"), [(1_500, ["jumped_piece_left"]), (500, [])])
    def test_who_points_at_a_jumped_man_that_was_left_does_not_put_off_what_is_told(
        self, lay_ms: int, told: list[str]
    ) -> None:
        table = at_fen(SINGLE)
        table.change(RED, {11: ".", 18: "r"}, lay_ms)
        table.reach(WHITE, {25, 29, 30}, 1_000)
        table.rest(700)
        assert kinds(table.events) == told
        assert kinds([*table.events, *table.rest(2_000)]) == ["jumped_piece_left"]

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

    def test_an_interrupted_capture_goes_on(self) -> None:
        table = at_fen(MULTI)
        assert kinds(table.change(RED, {9: ".", 14: ".", 18: "r"})) == ["capture_unfinished"]
        assert names(table.change(RED, {18: ".", 22: ".", 25: "r"})) == ["restored", "played"]

    def test_an_offence_after_a_move_nobody_has_seen(self) -> None:
        table = ready()
        table.reach(RED, {11, 15})
        table.setup = replace(START, {11: ".", 15: "r"})
        events = table.change(WHITE, {22: ".", 14: "w"}, 3_000)
        assert moves(table.events) == ["11-15"]
        assert kinds(events) == ["illegal_step"]

    def test_a_disc_on_a_light_cell(self) -> None:
        table = ready()
        table.reach(RED, {11})
        table.setup = replace(START, {11: "."})
        table.loose = (LooseDisc((2, 4), RED),)
        events = [e for e in table.rest(3_000) if isinstance(e, Irregular)]
        assert [(e.kind.value, e.squares) for e in events] == [("off_square", (11,))]
        table.loose = ()
        assert names(table.change(RED, {11: "r"})) == ["restored"]

    @pytest.mark.parametrize(
        ("cell", "told"),
        [((2, 4), "off_square"), ((4, 4), "crown_unearned")],
        ids=["beside", "far"],
    )
    def test_a_man_that_is_seen_both_beside_his_square_and_as_a_king_on_it_has_no_crown(
        self, cell: tuple[int, int], told: str
    ) -> None:
        table = ready()
        table.reach(RED, {11})
        table.misread = {11: man_looking(600)}
        table.loose = (LooseDisc(cell, RED),)
        table.reach(RED, {7}, 100)
        events = [e for e in table.rest(3_000) if isinstance(e, Irregular)]
        assert [(e.kind.value, e.squares) for e in events] == [(told, (11,))]
        table.misread, table.loose = {}, ()
        assert names(table.change(RED, {11: "r"})) == ["restored"]

    def test_a_man_that_lies_half_on_each_of_two_squares_has_not_moved(self) -> None:
        table = ready()
        table.reach(RED, {11, 15})
        table.setup = replace(START, {11: "."})
        table.loose = (LooseDisc((2, 4), RED, astride=True),)
        told = [e for e in table.rest(3_000) if isinstance(e, Irregular)]
        assert [(e.kind.value, e.side, e.squares) for e in told] == [("off_square", RED, (11,))]
        table.loose = ()
        assert names(table.change(RED, {15: "r"})) == ["restored", "played"]

    @pytest.mark.parametrize(
        ("cell", "side"), [((3, 4), RED), ((2, 4), WHITE)], ids=["nobody", "the other's"]
    )
    def test_nothing_lies_there_where_no_piece_of_its_side_belongs(
        self, cell: tuple[int, int], side: Side
    ) -> None:
        table = ready()
        table.reach(RED, {15, 18})
        table.loose = (LooseDisc(cell, side, astride=True),)
        assert kinds(table.rest(9_000)) == []

    @pytest.mark.parametrize("hand", [RED, WHITE])
    def test_a_disc_off_its_square_is_the_doing_of_the_hand_not_of_its_owner(
        self, hand: Side
    ) -> None:
        table = ready()
        table.reach(hand, {11})
        table.setup = replace(START, {11: "."})
        table.loose = (LooseDisc((2, 4), RED),)
        table.reach(hand, {11}, 100)
        told = table.rest(3_000)
        assert [(e.kind.value, e.side) for e in told if isinstance(e, Irregular)] == [
            ("off_square", hand)
        ]

    @pytest.mark.parametrize(("brought", "told"), [(True, ["off_square"]), (False, [])])
    def test_a_disc_that_is_missing_nowhere_lies_loose_if_a_hand_has_brought_it(
        self, brought: bool, told: list[str]
    ) -> None:
        table = ready()
        table.reach(RED, {15} if brought else {4})
        table.loose = (LooseDisc((4, 4), RED),)
        table.rest(1_000)
        table.reach(RED, {18})
        assert kinds(table.rest(5_000)) == []
        assert kinds(table.rest(3_000)) == told

    def test_what_looks_like_a_disc_on_a_light_cell_holds_no_move_up_that_is_plainly_seen(
        self,
    ) -> None:
        table = ready()
        table.loose = (LooseDisc((4, 2), RED),)
        table.reach(RED, {11, 15})
        assert moves(table.change(RED, {11: ".", 15: "r"}, 1_000)) == ["11-15"]
        assert kinds(table.events) == []

    @pytest.mark.parametrize(
        ("cell", "stays_ms", "told"),
        [((0, 2), 1_500, []), ((0, 2), 300, ["off_square"]), ((2, 4), 1_500, ["off_square"])],
    )
    def test_a_man_held_over_the_rim_has_not_been_put_down(
        self, cell: tuple[int, int], stays_ms: int, told: list[str]
    ) -> None:
        table = ready()
        table.reach(RED, {11})
        table.setup = replace(START, {11: "."})
        table.loose = (LooseDisc(cell, RED),)
        table.rest(stays_ms, Hand(RED, ()))
        assert kinds(table.rest(6_000)) == told
        table.reach(RED, {11, 15})
        table.loose, table.setup = (), replace(START, {11: ".", 15: "r"})
        table.rest(2_000)
        assert moves(table.events) == ["11-15"]

    @pytest.mark.parametrize(("lifted", "told"), [(22, []), (30, ["wrong_piece_removed"])])
    def test_a_man_who_may_answer_at_once_is_perhaps_in_the_hand(
        self, lifted: int, told: list[str]
    ) -> None:
        table = ready()
        table.reach(RED, {11, 15, lifted})
        table.setup = replace(START, {11: ".", 15: "r", lifted: "."})
        assert kinds(table.rest(1_500)) == told
        table.rest(1_000)
        assert kinds(table.events) == ["wrong_piece_removed"]

    def test_for_longer_where_nobody_knows_whose_hand_took_him(self) -> None:
        table = ready()
        table.reach(RED, {11, 15})
        table.setup = replace(START, {11: ".", 15: "r"})
        table.rest(200, Hand(None, (22,)))
        table.setup = replace(table.setup, {22: "."})
        table.rest(100, Hand(None, (22,)))
        assert not kinds(table.rest(2_500))

    def test_what_was_asked_about_is_no_part_of_what_is_done_later(self) -> None:
        """The eye sees a man where he has gone from, and a hand takes him up where he is."""
        table = at_fen("B:W22,26,29:B1,12,11")
        table.change(RED, {1: ".", 6: "r"})
        table.misread = {1: (-800, -800, 0, -800, -800)}
        assert names(table.rest(6_500)) == ["unsure", "clock_held"]
        assert "piece_displaced" not in kinds(table.change(RED, {6: "."}, 6_000))

    def test_nothing_is_asked_about_what_will_be_told_in_a_moment(self) -> None:
        table = at_fen("B:W19,27,31,30:B15,1,2")
        table.setup = replace(table.setup, {15: ".", 27: "."})
        table.reach(RED, {15, 19}, 11_000)
        assert names(table.rest(4_000)) == ["irregular", "ruling"]

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

    def test_a_man_pushed_off_his_square_in_a_lawful_move_has_not_been_taken_off(self) -> None:
        table = ready()
        table.reach(RED, {11, 15, 7})
        table.setup = replace(START, {11: ".", 15: "r", 7: "."})
        table.loose = (LooseDisc((1, 3), RED),)
        events = [e for e in table.rest(4_000) if isinstance(e, Irregular)]
        assert [(e.kind.value, e.squares) for e in events] == [("off_square", (7,))]
        table.loose = ()
        assert names(table.change(RED, {7: "r"})) == ["restored", "played"]

    def test_a_disc_that_seemed_to_lie_loose_for_a_moment_holds_nothing_up(self) -> None:
        table = ready()
        table.loose = (LooseDisc((4, 4), RED),)
        table.reach(RED, {11, 15}, 100)
        table.loose = ()
        table.setup = replace(START, {11: ".", 15: "r"})
        assert moves(table.rest(2_000, Hand(RED, (1, 5)))) == ["11-15"]

    def test_two_discs_off_their_squares_have_been_knocked_by_somebody(self) -> None:
        table = ready()
        table.reach(RED, {11})
        table.setup = replace(START, {11: ".", 12: "."})
        table.loose = (LooseDisc((2, 4), RED), LooseDisc((2, 6), RED))
        table.rest(5_000)
        assert kinds(table.events) == ["upset"]
        table.loose = ()
        assert names(table.change(RED, {11: "r", 12: "r"})) == ["restored"]

    def test_a_disc_on_a_light_cell_is_said_once_though_its_square_be_misread(self) -> None:
        table = ready()
        table.reach(RED, {11})
        table.setup = replace(START, {11: "."})
        table.loose = (LooseDisc((2, 4), RED),)
        table.rest(3_000)
        table.misread = {11: RED_LOOKING}
        table.rest(5_000)
        assert kinds(table.events) == ["off_square"]

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

    def test_a_finger_that_points_at_once_at_an_offence_does_not_hide_it(self) -> None:
        table = ready()
        table.reach(WHITE, {18, 22})
        table.setup = replace(START, {22: ".", 18: "w"})
        table.reach(WHITE, {22}, 200)
        table.rest(100)
        table.reach(RED, {26, 30, 31}, 1_500)
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

    def test_nor_where_nobody_has_seen_the_piece_before_the_finger_came(self) -> None:
        table = at_fen(SINGLE, frame_ms=333)
        table.reach(RED, {8, 12}, 333)
        table.setup = replace(table.setup, {8: ".", 12: "r"})
        table.reach(RED, {8, 12}, 333)
        table.reach(WHITE, {12, 16, 20}, 1_332)
        table.rest(5_000)
        assert names(table.events) == ["ready", "irregular", "ruling"]
        assert kinds(table.events) == ["capture_missed"]

    @pytest.mark.parametrize(("held_ms", "told"), [(8_000, []), (22_000, ["piece_removed"])])
    def test_a_man_in_the_hand_of_one_who_thinks_is_not_missing(
        self, held_ms: int, told: list[str]
    ) -> None:
        table = ready()
        table.reach(RED, {1, 5}, 200)
        table.setup = replace(START, {11: "."})
        table.reach(RED, {1, 5}, held_ms)
        assert kinds(table.events) == told

    @pytest.mark.parametrize(("side", "told"), [(RED, []), (None, []), (WHITE, ["piece_removed"])])
    def test_he_may_hold_it_beside_the_board_for_a_moment(
        self, side: Side | None, told: list[str]
    ) -> None:
        table = ready()
        assert kinds(table.change(side, {11: "."}, 2_500)) == told
        assert kinds([*table.events, *table.rest(1_000)]) == ["piece_removed"]

    def test_it_is_missing_also_when_the_other_player_points_at_its_square(self) -> None:
        table = ready()
        table.change(RED, {1: "."}, 500)
        table.reach(WHITE, {1, 6, 10}, 300)
        assert kinds(table.rest(4_000)) == ["piece_removed"]

    def test_the_other_players_man_moved_is_displaced(self) -> None:
        table = at_fen("B:W31,27:B9,1")
        table.reach(WHITE, {27, 32})  # he hovers over his men
        table.rest(800)
        (event,) = (
            e for e in table.change(RED, {31: ".", 26: "w"}, 3_000) if isinstance(e, Irregular)
        )
        assert (event.kind.value, event.side, event.squares) == ("piece_displaced", RED, (31, 26))

    def test_but_it_is_where_the_other_could_not_have_moved_unseen(self) -> None:
        table = at_fen("W:W31:B9,1", frame_ms=300)
        table.reach(WHITE, {31, 26})
        assert kinds(table.change(RED, {9: ".", 14: "r"}, 3_000)) == ["wrong_turn"]

    @pytest.mark.parametrize("square", [14, 18, 19])
    def test_a_piece_added_in_one_reach_with_a_move_is_too_many(self, square: int) -> None:
        table = ready()
        table.reach(RED, {11, 15})
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {15}, 200)
        table.change(RED, {square: "r"}, 4_000)
        assert moves(table.events) == ["11-15"]
        assert [e.squares for e in table.events if isinstance(e, Irregular)] == [(square,)]
        assert kinds(table.events) == ["piece_added"]

    def test_a_piece_more_is_no_play_whoever_was_there(self) -> None:
        table = at_fen("W:WK13:BK24")
        table.reach(WHITE, {25, 30})
        table.setup = replace(table.setup, {25: "w"})
        table.reach(RED, {13, 17, 21, 25})
        assert kinds(table.rest(4_000)) == ["piece_added"]

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

    def test_a_reply_to_where_the_jumped_man_stood_is_one(self) -> None:
        table = at_fen("B:W18,22,32,K8:B14,1,2")
        table.change(RED, {14: ".", 23: "r", 18: "."}, 0)
        table.change(WHITE, {22: ".", 18: "w"}, 4_000)
        assert moves(table.events) == ["14x23", "22-18"]

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

    @pytest.mark.parametrize(("looks", "ms"), [((-560, 0, -100, -800, -800), 4_500), (None, 2_000)])
    def test_a_piece_too_many_that_is_faint_must_lie_there_for_long(
        self, looks: Row | None, ms: int
    ) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.reach(WHITE, {18, 22})
        table.setup = replace(table.setup, {18: "r"})
        table.misread = {18: looks} if looks else {}
        table.reach(WHITE, {22}, 100)
        assert not kinds(table.rest(ms))
        assert kinds(table.rest(2_500)) == ["piece_added"]

    def test_a_disc_lies_loose_though_no_hand_was_seen(self) -> None:
        table = ready(frame_ms=300)
        table.setup = replace(START, {9: "."})
        table.loose = (LooseDisc((3, 1), RED),)
        table.rest(4_000)
        assert kinds(table.events) == ["off_square"]

    @pytest.mark.parametrize(
        ("place", "more", "told"),
        [
            ((40, 260), 900, ["off_square"]),
            ((-260, 40), 900, ["off_square"]),
            ((40, 140), 900, ["crown_unearned"]),
            ((40, 260), 0, []),
        ],
        ids=["down", "aside", "not-so-far", "by-its-rank-alone"],
    )
    def test_a_man_who_looks_a_king_far_from_the_middle_of_his_square_lies_beside_it_too(
        self, place: tuple[int, int], more: int, told: list[str]
    ) -> None:
        table = ready()
        table.misread = {11: man_looking(-400)}
        table.rest(2_000)
        table.reach(RED, {11})
        table.offsets, table.misread = {11: place}, {11: man_looking(900)}
        table.recalled = {11: Recalled(more, -900, table.time_ms - 500)}
        table.rest(3_000)
        assert [(e.kind.value, e.squares) for e in table.events if isinstance(e, Irregular)] == [
            (kind, (11,)) for kind in told
        ]
        table.reach(RED, {11})
        table.offsets, table.misread = {}, {11: man_looking(-400)}
        table.recalled = {11: Recalled(-900, -900, 2_000)}
        assert ("restored" in names(table.rest(2_000))) == bool(told)

    def test_so_does_one_while_the_eye_errs_on_another_square(self) -> None:
        table = ready()
        table.misread = {11: man_looking(-400)}
        table.rest(2_000)
        slip: Row = (-90, -800, -800, 0, -500)
        table.misread[18] = slip
        table.rest(500)
        table.reach(RED, {11})
        table.offsets, table.misread = {11: (40, 260)}, {11: man_looking(900), 18: slip}
        table.recalled = {11: Recalled(900, -900, table.time_ms - 500)}
        table.rest(3_000)
        assert kinds(table.events) == ["off_square"]

    def test_a_piece_is_put_elsewhere_by_a_hand_seen_only_where_it_went(self) -> None:
        table = ready()
        table.setup = replace(START, {9: "."})
        table.rest(100)
        events = table.change(RED, {18: "r"}, 4_000)
        assert kinds(events) == ["illegal_step"]

    def test_what_was_done_to_put_the_board_right_was_no_play(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {30: "."}, 4_000)
        table.change(WHITE, {30: "w"})
        assert names(table.events)[-1] == "restored"
        assert table.game.tracker.sure == len(table.game.moves)

    @pytest.mark.parametrize(("pause_ms", "played"), [(700, []), (1_200, ["11-15"])])
    def test_a_move_left_over_while_the_board_is_put_right_is_no_move_yet(
        self, pause_ms: int, played: list[str]
    ) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r", 30: "."}, 4_000)
        table.change(RED, {30: "w"}, pause_ms)
        assert moves(table.events) == played
        table.change(RED, {15: ".", 11: "r"})
        assert names(table.events)[-1] == ("withdrawn" if played else "restored")
        assert len(kinds(table.events)) == 1
        assert not table.game.moves

    def test_what_lay_there_before_a_reply_does_not_answer_it(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 0)
        events = table.change(RED, {10: ".", 14: "r"}, 3_000)
        assert kinds(events) == ["upset"]
        assert not moves(table.change(WHITE, {24: ".", 20: "w"}, 4_000))
        assert moves(table.change(RED, {14: ".", 10: "r"})) == ["11-15", "24-20"]
        assert len(kinds(table.events)) == 1
        assert "withdrawn" not in names(table.change(WHITE, {20: ".", 24: "w"}, 4_000))

    def test_a_reply_made_before_the_jumped_piece_came_off_is_one(self) -> None:
        table = at_fen(SINGLE)
        table.change(RED, {11: ".", 18: "r"}, 900)
        table.change(WHITE, {32: ".", 28: "w"}, 1_000)
        table.change(RED, {15: "."})
        assert moves(table.events) == ["11x18", "32-28"]

    def test_a_finger_that_comes_afterwards_has_not_played(self) -> None:
        table = ready(frame_ms=100)
        table.change(RED, {1: ".", 9: ".", 11: ".", 22: ".", 30: "."}, 500)
        table.reach(WHITE, {22, 26}, 1_500)
        assert kinds(table.rest(2_000)) == ["upset"]

    @pytest.mark.parametrize(
        ("square", "kind"), [(8, "own_piece_removed"), (32, "wrong_piece_removed")]
    )
    def test_what_the_captor_takes_off_in_a_second_visit_was_not_jumped(
        self, square: int, kind: str
    ) -> None:
        table = at_fen("B:WK7,15,32:B11,8,1")
        assert moves(table.change(RED, {11: ".", 15: ".", 18: "r"}, 700)) == ["11x18"]
        table.change(RED, {square: "."}, 4_000)
        (told,) = (event for event in table.events if isinstance(event, Irregular))
        assert (told.kind.value, told.side, told.squares) == (kind, RED, (square,))
        (ruling,) = rulings(table.events)
        assert ruling.text.endswith(f"Put back the piece on {square}; the capture stands.")

    @pytest.mark.parametrize(("bare", "told"), [(-950, ["own_piece_removed"]), (-750, [])])
    def test_what_hangs_on_a_square_seen_less_than_plainly_waits_until_the_eye_has_not_erred(
        self, bare: int, told: list[str]
    ) -> None:
        """Where the moved piece stands may be seen less plainly."""
        table = ready()
        table.strength = 1_100
        table.rest(1_000)
        table.misread = {4: (0, bare, bare, bare, bare), 15: (-1_000, 0, -50, -600, -650)}
        table.change(RED, {11: ".", 15: "r", 4: "."}, 1_500)
        assert kinds(table.events) == told
        assert kinds(table.rest(3_000)) == ([] if told else ["own_piece_removed"])

    def test_a_piece_too_many_is_told_though_it_is_hardly_seen_whose_it_is(self) -> None:
        table = at_fen("B:W31,32:B1,2")
        table.misread = {15: (-1_000, 0, -50, -420, -470)}
        table.change(RED, {15: "r"}, 6_500)
        assert kinds(table.events) == ["piece_added"]
        assert "unsure" not in names(table.events)

    def test_who_points_at_once_where_the_captor_took_a_man_off_has_not_taken_him(self) -> None:
        table = at_fen("B:WK7,15,32:B11,8,1")
        table.change(RED, {11: ".", 15: ".", 18: "r"}, 0)
        table.reach(RED, {32}, 200)
        table.setup = replace(table.setup, {32: "."})
        table.reach(RED, {32}, 200)
        table.reach(WHITE, {32}, 1_500)
        (told,) = (event for event in table.rest(4_000) if isinstance(event, Irregular))
        assert (told.kind.value, told.side) == ("piece_removed", None)

    def test_what_the_other_player_takes_off_after_a_capture_is_missing(self) -> None:
        table = at_fen("B:WK7,15,32:B11,8,1")
        table.change(RED, {11: ".", 15: ".", 18: "r"}, 700)
        assert kinds(table.change(WHITE, {1: "."}, 4_000)) == ["piece_removed"]

    def test_a_man_lost_beside_a_lawful_move_goes_back_and_the_move_stands(self) -> None:
        table = ready()
        events = table.change(RED, {11: ".", 15: "r", 1: "."}, 4_000)
        (ruling,) = rulings(events)
        assert (kinds(events), ruling.verdict) == (["own_piece_removed"], Verdict.RESTORE)
        assert ruling.text.endswith("(WCDF 4.1). Put back the piece on 1; 11-15 stands.")
        assert moves(table.change(RED, {1: "r"})) == ["11-15"]

    def test_a_move_left_over_stands_once_it_has_been_answered(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r", 30: "."}, 4_000)
        table.change(RED, {30: "w"}, 1_600)
        table.change(WHITE, {22: ".", 18: "w"})
        assert moves(table.events) == ["11-15", "22-18"]
        assert "withdrawn" not in names(table.change(RED, {15: ".", 11: "r"}, 4_000))

    def test_nothing_is_thought_to_lie_on_a_square_that_no_hand_was_near(self) -> None:
        table = ready()
        table.misread = {18: HIDDEN[:1] * 5}  # type: ignore[dict-item]
        table.rest(12_000)
        assert kinds(table.change(WHITE, {30: "."}, 4_000)) == ["piece_removed"]

    @pytest.mark.parametrize(("before_ms", "told"), [(500, ["upset"]), (4_000, [])])
    def test_so_much_at_a_time_is_no_play_though_both_were_there(
        self, before_ms: int, told: list[str]
    ) -> None:
        table = ready()
        table.rest(before_ms, Hand(WHITE, (21,)), Hand(RED, (12,)))
        table.reach(RED, (4, 8, 12))
        upset = {1: ".", 2: ".", 9: ".", 22: ".", 30: ".", 18: "r"}
        assert kinds(table.change(RED, upset, 2_500)) == told

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
        table.change(RED, {7: "W"}, 1_500)
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
        table.change(RED, {16: "w"}, 1_500)
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
        assert 20 < most <= rivals.MOST_TRIED + 2 * rivals.KEPT

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


class TestTouches:
    def lift(self, table: Table, square: int) -> None:
        table.reach(RED, {square})
        table.setup = replace(table.setup, {square: "."})
        table.reach(RED, {20}, 500)
        table.reach(RED, {square})
        table.setup = replace(table.setup, {square: "r"})
        table.reach(RED, {square}, 200)

    def test_a_piece_lifted_and_put_back(self) -> None:
        table = ready()
        self.lift(table, 9)
        table.rest(1_500)
        assert [(e.side, e.square, e.how) for e in touches(table)] == [(RED, 9, Touch.LIFTED)]
        assert not kinds(table.events)

    def test_a_piece_lifted_before_another_is_moved(self) -> None:
        table = ready()
        self.lift(table, 9)
        table.change(RED, {11: ".", 15: "r"})
        assert [(e.square, e.how) for e in touches(table)] == [(9, Touch.LIFTED)]
        assert moves(table.events) == ["11-15"]

    def test_the_piece_that_is_moved_is_not_merely_touched(self) -> None:
        table = ready()
        self.lift(table, 11)
        table.change(RED, {11: ".", 15: "r"})
        assert not touches(table)

    def test_who_crowns_a_man_without_the_eye_seeing_it_has_not_pushed_him(self) -> None:
        table = at_fen(CROWNING)
        table.misread = {31: man_looking(-90)}
        table.change(RED, {26: ".", 31: "r"})
        table.reach(WHITE, {31})
        table.offsets = {31: (150, 0)}
        table.rest(2_000)
        assert not touches(table)

    def test_a_disc_pushed_on_its_square(self) -> None:
        table = ready()
        table.reach(WHITE, {23})
        table.offsets = {23: (180, -90)}
        table.rest(1_500)
        assert [(e.side, e.square, e.how) for e in touches(table)] == [(WHITE, 23, Touch.SHIFTED)]

    def test_a_disc_on_the_rim_is_pushed_by_a_hand_that_hides_no_square(self) -> None:
        table = ready()
        table.rest(300, Hand(RED, ()))
        table.offsets = {2: (180, -90)}
        table.rest(1_500)
        assert [(e.side, e.square, e.how) for e in touches(table)] == [(RED, 2, Touch.SHIFTED)]

    def test_a_disc_pushed_soon_after_the_other_player_has_moved(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 250)
        table.reach(WHITE, {23})
        table.offsets = {23: (180, -90)}
        table.rest(1_500)
        assert moves(table.events) == ["11-15"]
        assert [(e.side, e.square, e.how) for e in touches(table)] == [(WHITE, 23, Touch.SHIFTED)]

    def touched_first(
        self,
        pushed: tuple[int, int],
        later: tuple[int, int] | None = None,
        over: tuple[Side, ...] = (RED,),
        adjusts: bool = False,
    ) -> Table:
        """A hand is over 9, and goes on to play 11-15 without leaving the board."""
        table = ready()
        if adjusts:
            table.say(Word.ADJUSTING, RED)
        table.rest(800, *(Hand(side, (9,)) for side in over))
        table.offsets = {9: pushed}
        table.rest(300, Hand(RED, (11, 15)))
        table.offsets = {9: later or pushed}
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {11, 15}, 400)
        assert moves(table.rest(1_500)) == ["11-15"]
        return table

    def test_a_disc_pushed_by_the_hand_that_goes_on_to_play_another(self) -> None:
        table = self.touched_first((60, -140))
        assert [(e.side, e.square, e.how) for e in touches(table)] == [(RED, 9, Touch.SHIFTED)]

    def test_also_where_the_move_is_told_but_late(self) -> None:
        table = ready()
        table.rest(800, Hand(RED, (9,)))
        table.offsets = {9: (60, -140)}
        table.rest(300, Hand(RED, (11, 15)))
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {11, 15}, 400)
        table.misread = {15: HIDDEN}
        assert not moves(table.rest(500))
        table.misread = {}
        assert moves(table.rest(1_500)) == ["11-15"]
        assert [(e.side, e.square, e.how) for e in touches(table)] == [(RED, 9, Touch.SHIFTED)]

    def test_a_disc_that_lay_elsewhere_before_the_hand_came_was_not_pushed_by_it(self) -> None:
        table = ready()
        table.reach(WHITE, {9}, 500)
        table.offsets = {9: (60, -140)}
        table.rest(350)
        table.rest(800, Hand(RED, (4,)))
        table.rest(300, Hand(RED, (11, 15)))
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {11, 15}, 400)
        assert moves(table.rest(1_500)) == ["11-15"]
        assert not touches(table)

    def test_nor_one_over_which_both_hands_were(self) -> None:
        assert not touches(self.touched_first((60, -140), over=(RED, WHITE)))

    def test_nor_of_him_who_only_puts_pieces_straight(self) -> None:
        assert not touches(self.touched_first((60, -140), adjusts=True))

    def test_nor_the_new_king_by_the_hand_that_may_crown_it(self) -> None:
        table = at_fen(CROWNING)
        table.misread = {31: man_looking(-90)}
        table.change(RED, {26: ".", 31: "r"}, 2_000)
        table.reach(WHITE, {31}, 800)
        table.offsets = {31: (150, 0)}
        table.rest(400, Hand(WHITE, (12,)))
        table.setup = replace(table.setup, {12: ".", 8: "w"})
        table.reach(WHITE, {8, 12}, 400)
        assert moves(table.rest(2_000)) == ["12-8"]
        assert not touches(table)

    def test_also_where_the_arm_hides_the_piece_that_is_played_all_the_while(self) -> None:
        """But its end is seen to be free yet."""
        table = ready()
        table.reach(RED, {9, 11}, 800)
        table.offsets = {9: (60, -140)}
        table.reach(RED, {11}, 300)
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {11, 15}, 400)
        assert moves(table.rest(1_500)) == ["11-15"]
        assert [(e.side, e.square, e.how) for e in touches(table)] == [(RED, 9, Touch.SHIFTED)]

    @pytest.mark.parametrize(
        ("pushed", "later"),
        [((0, -95), None), ((60, -140), (0, 0)), ((60, -140), (60, -200)), ((0, 0), (60, -140))],
        ids=["hardly", "not-for-long", "not-where-it-stays", "only-after-the-move"],
    )
    def test_but_not_one_that_merely_seems_so_beside_it(
        self, pushed: tuple[int, int], later: tuple[int, int] | None
    ) -> None:
        assert not touches(self.touched_first(pushed, later))

    def test_a_disc_that_an_arm_made_look_elsewhere_was_not_pushed(self) -> None:
        table = ready()
        table.reach(RED, {11})
        table.setup = replace(START, {11: ".", 15: "r"})
        table.offsets = {30: (120, 90)}
        table.reach(RED, {11, 15}, 200)
        table.rest(200)
        table.offsets = {}
        table.reach(RED, {30})
        table.rest(1_500)
        assert moves(table.events) == ["11-15"]
        assert not touches(table)

    def test_a_disc_that_the_eye_sees_elsewhere_far_from_any_hand_was_not_pushed(self) -> None:
        table = ready()
        table.rest(1_000)
        table.reach(RED, {11})
        table.offsets = {1: (140, -60)}
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {11, 15}, 800)
        table.rest(1_500)
        assert moves(table.events) == ["11-15"]
        assert not touches(table)

    def test_a_disc_beside_a_hand_is_not_known_to_lie_where_it_seems_to(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 200)
        table.offsets = {15: (-140, 90)}
        table.reach(WHITE, {23, 18})
        table.setup = replace(table.setup, {23: ".", 18: "w"})
        table.reach(WHITE, {23, 18}, 200)
        table.rest(3_000, Hand(WHITE, (19,)))
        table.offsets = {}
        table.rest(2_000)
        assert moves(table.events) == ["11-15", "23-18"]
        assert not touches(table)

    def test_a_disc_lifted_and_put_back_beside_its_place_is_touched_once(self) -> None:
        table = ready()
        self.lift(table, 9)
        table.offsets = {9: (120, 90)}
        table.rest(1_500)
        assert [e.how for e in touches(table)] == [Touch.LIFTED]

    def test_nor_was_one_over_which_fingertips_come_for_a_moment(self) -> None:
        table = ready()
        table.reach(RED, {8})
        table.rest(1_500)
        table.offsets = {4: (-130, -45)}  # half hidden by the hand that is about to be noticed
        table.rest(100)
        table.offsets = {}
        table.reach(RED, {4, 8}, 400)
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {11, 15}, 200)
        assert moves(table.rest(1_500)) == ["11-15"]
        assert not touches(table)

    def test_a_disc_that_seemed_to_lie_elsewhere_for_a_moment_was_not_pushed_back(self) -> None:
        """A hand that comes is not recognised in its first picture."""
        table = ready()
        table.offsets = {9: (-140, 0)}
        table.rest(100)
        table.offsets = {}
        table.reach(RED, {9})
        table.rest(2_000)
        assert not touches(table)

    def test_a_disc_is_pushed_while_the_eye_errs_on_another_square(self) -> None:
        table = ready()
        table.misread = {16: WHITE_CLEARLY}
        table.rest(1_500)
        table.reach(WHITE, {23})
        table.offsets = {23: (180, -90)}
        table.rest(1_500)
        assert [(e.side, e.square, e.how) for e in touches(table)] == [(WHITE, 23, Touch.SHIFTED)]

    def test_a_disc_that_a_hands_shadow_shows_elsewhere_for_a_moment_was_not_pushed(self) -> None:
        table = ready()
        table.rest(1_000)
        table.offsets = {9: (80, 0)}
        table.rest(100)
        table.reach(RED, {5, 9})
        table.offsets = {9: (-30, 0)}
        table.rest(2_000)
        assert not touches(table)

    def test_a_piece_that_another_has_replaced_meanwhile_was_not_put_back(self) -> None:
        table = ready()
        table.reach(RED, {9})
        table.setup = replace(table.setup, {9: "."})
        table.reach(RED, {14}, 400)
        table.setup = replace(table.setup, {14: "r"})
        table.reach(RED, {14}, 60)
        table.reach(WHITE, {22, 18}, 400)
        table.setup = replace(table.setup, {22: ".", 18: "w"})
        table.reach(WHITE, {22, 18}, 60)
        table.reach(RED, {5, 9}, 400)
        table.setup = replace(table.setup, {5: ".", 9: "r"})
        table.reach(RED, {5, 9}, 60)
        table.rest(1_500)
        assert moves(table.events) == ["9-14", "22-18", "5-9"]
        assert not touches(table)

    def test_a_king_may_be_led_around_when_what_he_has_jumped_is_off(self) -> None:
        table = at_fen("B:W9,10,17,18,32:BK22,1")
        table.change(RED, dict.fromkeys((9, 10, 17, 18), "."), 2_500)
        assert len(moves(table.events)) == 1
        table.reach(RED, {22})
        table.setup = replace(table.setup, {22: "."})
        table.reach(RED, {15}, 500)
        table.rest(300)
        table.reach(RED, {22})
        table.setup = replace(table.setup, {22: "R"})
        table.reach(RED, {22}, 100)
        table.rest(2_500)
        assert not touches(table)

    @pytest.mark.parametrize(("looks", "told"), [(-350, 1), (350, 0)])
    def test_a_disc_that_comes_to_look_of_the_other_rank_may_be_a_finger(
        self, looks: int, told: int
    ) -> None:
        table = ready()
        table.reach(RED, {15})
        table.misread = {11: man_looking(looks)}
        table.offsets = {11: (-140, 90)}
        table.rest(2_500)
        assert len(touches(table)) == told

    @pytest.mark.parametrize("left", [(0, 0), (50, 40)])
    @pytest.mark.parametrize(("looks", "told"), [(-8, []), (-280, [(RED, 22, Touch.SHIFTED)])])
    def test_a_disc_laid_on_a_man_has_not_pushed_him(
        self, looks: int, told: list[tuple[Side, int, Touch]], left: tuple[int, int]
    ) -> None:
        """Too faint to be told of, it is none of another kind; nor is taking it off again."""
        table = ready()
        table.misread = {22: man_looking(-626, WHITE)}
        table.rest(2_000)
        table.reach(RED, {22})
        table.misread, table.offsets = {22: man_looking(looks, WHITE)}, {22: (-140, 90)}
        table.rest(6_000)
        assert [(e.side, e.square, e.how) for e in touches(table)] == told
        table.change(RED, {11: ".", 15: "r"})
        table.reach(RED, {22})
        table.misread, table.offsets = {22: man_looking(-626, WHITE)}, {22: left}
        table.rest(2_000)
        assert len(touches(table)) == 2 * len(told)

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

    def test_a_man_that_is_taken_and_taken_back_was_not_touched(self) -> None:
        """10-15, 17x10, 7x14, and nobody waits: on 14 stands a man of Red's before and after."""
        table = at_fen("B:W17,21,24,26,27,31:B1,2,3,7,10,14")
        for side, changes in (
            (RED, ((10, "."), (15, "r"))),
            (None, ((17, "."), (10, "w"), (14, "."))),
            (RED, ((7, "."), (14, "r"), (10, "."))),
            (WHITE, ((24, "."), (20, "w"))),
        ):
            for square, piece in changes:
                table.rest(200, Hand(side, (square,)))
                table.setup = replace(table.setup, {square: piece})
            table.rest(50, Hand(side, (changes[-1][0],)))
            table.rest(100)
        table.rest(3_000)
        assert moves(table.events) == ["10-15", "17x10", "7x14", "24-20"]
        assert not touches(table)

    @pytest.mark.parametrize(("beside", "told"), [((), []), ((30,), [29])])
    def test_a_sleeve_that_looks_like_a_bare_square_has_lifted_nothing(
        self, beside: tuple[int, ...], told: list[int]
    ) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.reach(WHITE, (21, 25, 29, 30))
        table.misread = {29: (0, -800, -800, -800, -800)}
        table.reach(WHITE, {21, 25, 30} - set(beside), 800)
        table.misread = {}
        table.reach(WHITE, (21, 25, 29, 30))
        table.offsets = {29: (40, 0)}
        table.change(WHITE, {23: ".", 19: "w"})
        assert [event.square for event in touches(table)] == told

    @pytest.mark.parametrize(("hand", "told"), [(18, []), (20, [9])])
    def test_an_arm_of_the_colour_of_the_board_has_not_lifted_whom_it_lies_over(
        self, hand: int, told: list[int]
    ) -> None:
        """Where its hand is farther out; and he lies just where he lay."""
        table = ready()
        table.reach(RED, {9}, 150)
        table.setup = replace(START, {9: "."})
        table.reach(RED, {hand}, 600)
        table.setup = START
        table.reach(RED, {hand}, 300)
        table.rest(1_500)
        assert [e.square for e in touches(table)] == told

    @pytest.mark.parametrize(("place", "told"), [((0, 0), []), ((6, -9), []), ((0, 40), [1])])
    def test_a_fist_over_a_man_who_lies_where_he_lay_has_not_lifted_him(
        self, place: tuple[int, int], told: list[int]
    ) -> None:
        """Red points at his man on 5, and his fist looks like the bare square of the man on 1."""
        table = ready()
        table.reach(RED, {1}, 150)
        table.misread = {1: (0, -1_181, -1_050, -806, -559)}
        table.rest(800, Hand(RED, ()))
        table.misread = {}
        table.offsets = {1: place}
        table.reach(RED, {1})
        table.change(RED, {11: ".", 15: "r"})
        assert moves(table.events) == ["11-15"]
        assert [event.square for event in touches(table)] == told

    def test_a_square_that_is_bare_far_from_any_hand_was_bare(self) -> None:
        table = ready()
        table.reach(RED, {1}, 150)
        table.misread = {1: (0, -1_181, -1_050, -806, -559)}
        table.rest(800, Hand(RED, (19,)))
        table.misread = {}
        table.reach(RED, {1})
        table.rest(1_500)
        assert [event.square for event in touches(table)] == [1]

    def test_an_eye_that_slips_without_a_hand_tells_of_no_touch(self) -> None:
        table = ready()
        table.setup = replace(START, {9: "."})
        table.rest(600)
        table.setup = START
        table.rest(1_500)
        assert not touches(table)

    def test_nor_does_one_that_slips_while_a_hand_is_elsewhere(self) -> None:
        table = ready()
        table.rest(300, Hand(WHITE, (29,)))
        table.setup = replace(START, {9: "."})
        table.rest(600, Hand(WHITE, (29,)))
        table.setup = START
        table.rest(1_500)
        assert not touches(table)


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
        table.view = View.COVERED
        table.rest(3_000)
        table.view = View.CLEAR
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
        assert second_thoughts._came_back_unseen(table.game.tracker, row) is not bool(away_ms)

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
        tracker = dataclasses.replace(table.game.tracker, sure=0, rivals=rows, led_ms=0)
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
        tracker = dataclasses.replace(table.game.tracker, rivals=rows, looked_ms=table.time_ms)
        assert not rivals.overtaken(tracker, 600)
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
        assert kinds(table.change(RED, {15: ".", 16: "r"}, 8_000)) == ["piece_displaced"]

    def test_a_move_that_has_lain_open_is_not(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 2_000)
        events = table.change(RED, {15: ".", 16: "r"}, 4_000)
        assert "withdrawn" not in names(events)
        assert kinds(events) == ["piece_displaced"]

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


def touches(table: Table) -> list[Touched]:
    return [event for event in table.events if isinstance(event, Touched)]


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
        assert table.game.tracker.rivals[0].moves[0].path == (31, 27)
        table.misread = lamp | {32: (-435, 0, -100, -700, -700)}
        table.rest(1_000)
        table.misread = lamp
        table.change(RED, {8: ".", 11: "r"}, 2_500)
        assert "32-27" not in moves(table.events)
        assert table.game.tracker.rivals[0].moves[0].path == (31, 27)

    def test_nothing_is_played_by_upset_pieces(self) -> None:
        table = at_fen("W:WK10,5,13:BK28,20,1")
        table.misread = {14: (0, -300, -300, -150, -150)}
        pieces = {5: "w", 10: "W", 13: "w", 20: "r", 28: "R"}
        table.change(WHITE, dict.fromkeys(pieces, "."), 3_000)
        assert "upset" in kinds(table.events)
        assert [rival.moves for rival in table.game.tracker.rivals] == [()]
        table.change(WHITE, pieces, 3_000)
        assert not moves(table.events)

    def test_they_are_being_set_up_however_long_ago_they_were_upset(self) -> None:
        table = at_fen("B:W5,K12:BK19,23,K31")
        gone = dict.fromkeys((5, 12, 19, 23, 31), ".") | {13: "w", 28: "R"}
        assert kinds(table.change(RED, gone, 6_000)) == ["upset"]
        assert not is_partly_put_right(table.game.tracker)
        table.change(RED, {13: ".", 5: "w"}, 300)
        assert is_partly_put_right(table.game.tracker)

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
        table.view = View.DARK
        table.rest(2_000)
        table.view = View.CLEAR
        table.rest(600)
        self.shuffle(table)
        assert moves(table.events) == ["24-19", "31-26", "19-24"]

    def test_what_was_done_in_a_short_dark_is_played_when_the_light_is_back(self) -> None:
        table = ready()
        table.view = View.DARK
        table.rest(2_000)
        table.setup = replace(START, {11: ".", 15: "r"})
        table.view = View.CLEAR
        assert moves(table.rest(900)) == ["11-15"]


class TestView:
    def test_a_dark_view_is_told_and_rules_nothing(self) -> None:
        table = ready()
        table.view = View.DARK
        events = table.rest(3_000)
        assert names(events) == ["not_watching", "clock_held"]
        assert events[0].time_ms - 1_500 <= 1_000
        table.view = View.CLEAR
        assert names(table.rest(2_000)) == ["watching"]

    def test_a_flicker_is_not_told(self) -> None:
        table = ready()
        table.view = View.BLURRED
        table.rest(400)
        table.view = View.CLEAR
        assert not table.rest(2_000)

    def test_moves_made_in_the_dark_are_taken_when_they_explain_all(self) -> None:
        table = ready()
        table.view = View.DARK
        table.change(RED, {11: ".", 15: "r", 22: ".", 18: "w"})
        table.view = View.CLEAR
        assert moves(table.rest(3_000)) == ["11-15", "22-18"]

    def test_many_moves_in_the_dark_are_not_guessed(self) -> None:
        table = ready()
        table.view = View.DARK
        changes = {11: ".", 15: "r", 22: ".", 18: "w", 9: ".", 13: "r", 24: ".", 20: "w"}
        table.change(RED, changes, 4_000)
        table.view = View.CLEAR
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
        table.view = View.DARK
        table.change(RED, {17: "."}, 2_500)
        table.view = View.CLEAR
        table.reach(WHITE, {17, 22, 25, 30}, 1_500)
        table.rest(5_000)
        assert not kinds(table.events)

    def test_what_is_upset_in_view_after_the_dark_is_told(self) -> None:
        """White's hand is over the board before that is known to be in order again."""
        table = ready()
        table.view = View.DARK
        table.rest(2_500)
        table.setup = replace(table.setup, {11: ".", 15: "r"})
        table.view = View.CLEAR
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
        table.view = View.DARK
        table.rest(1_500)
        table.setup = replace(table.setup, {27: ".", 31: "R", 3: ".", 7: "W"})
        table.rest(1_500)
        table.view = View.CLEAR
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

    def test_a_bump_is_told_once(self) -> None:
        table = ready()
        table.shift = 90
        assert names(table.rest(2_000)) == ["moved"]
        table.shift = 0
        assert not table.rest(1_000)
        table.shift = 90
        assert names(table.rest(1_000)) == ["moved"]


def test_a_frame_that_comes_twice_changes_nothing() -> None:
    seen = Observation(100, certain(START))
    tracker, _ = observe(Tracker(), seen)
    assert observe(tracker, seen) == (tracker, ())


def test_events_say_what_is_lawful() -> None:
    table = at_fen(SINGLE)
    events = table.change(RED, {8: ".", 12: "r"})
    assert next(e for e in events if isinstance(e, Irregular)).lawful == ("11x18",)


def test_the_record_of_a_move_has_its_keys() -> None:
    table = ready()
    table.change(RED, {11: ".", 15: "r"})
    record = next(e for e in table.events if isinstance(e, Played)).record()
    assert list(record) == ["time_ms", "event", "side", "move", "fen"]
    assert record["side"] == "red"


def test_a_record_however_long_is_walked_when_nothing_of_it_is_remembered() -> None:
    position = parse_fen("B:WK29:BK4")
    ways = [(4, 8), (29, 25), (8, 4), (25, 29)] * 150
    record = tuple(Move((start, end), (), "RW"[ply % 2]) for ply, (start, end) in enumerate(ways))
    reached.cache_clear()
    assert reached(position, record) == position


def test_a_frame_costs_no_more_when_the_record_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed, told = 0, Move.__hash__

    def counted(move: Move) -> int:
        nonlocal hashed
        hashed += 1
        return told(move)

    monkeypatch.setattr(Move, "__hash__", counted)
    counts = []
    for plies in (8, 80):
        table = at_fen("B:WK29,K32:BK4,K1,12")
        for ply in range(plies):
            table.say(Word.OVERRULE, text=("4-8", "29-25", "8-4", "25-29")[ply % 4])
        table.rest(1_500)
        before = hashed
        table.change(RED, {1: ".", 6: "R"}, 300)
        table.change(WHITE, {29: "."}, 5_000)
        counts.append(hashed - before)
        assert kinds(table.events) == ["piece_removed"]
    assert counts[1] <= counts[0]

"""Kings that have lost their upper discs, and whose hand has taken them."""

from __future__ import annotations

import dataclasses

import pytest

from referee.board import Side, replace
from referee.notation import parse_fen, parse_move
from referee.observation import Recalled
from referee.tracking.notes import Ranks
from referee.tracking.record import advance
from tests.looks import man_looking
from tests.table import RED, WHITE, Table, at_fen, irregular, kinds, moves, names, ready


class TestCrownsRemoved:
    def test_whose_hand_alone_was_there_has_taken_the_crown(self) -> None:
        table = Table(parse_fen("B:W32,21,22:BK15,1,2"))
        table.rest(3_000)
        (told,) = irregular(table.change(WHITE, {15: "r"}, 4_000))
        assert (told.kind.value, told.side) == ("crown_removed", WHITE)

    def test_who_moves_and_then_takes_one_off_at_once_has_taken_it(self) -> None:
        table = Table(parse_fen("W:W32,21,22:BK15,1,2"))
        table.rest(3_000)
        table.reach(WHITE, {32, 28})
        table.setup = replace(table.setup, {32: ".", 28: "w"})
        table.reach(WHITE, {24}, 150)
        table.reach(WHITE, {15}, 100)
        table.setup = replace(table.setup, {15: "r"})
        told = table.rest(6_000)
        assert moves(told) == ["32-28"]
        assert [(each.kind.value, each.squares) for each in irregular(told)] == [
            ("crown_removed", (15,))
        ]

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
            (900, 190, 1),
            (900, 210, 0),
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

    @pytest.mark.parametrize(
        ("lies", "less", "said"),
        [
            ((-95, 117), -365, 0),
            ((20, 64), -365, 1),
            ((-95, 117), 400, 0),
            ((-95, 117), 850, 0),
            ((20, 64), 850, 1),
            ((-95, 117), 1060, 1),
            ((-95, 117), None, 1),
        ],
        ids=[
            "askew",
            "where it lay",
            "askew, and looks changed",
            "askew, and throws another shadow",
            "where it lay, and throws another shadow",
            "surely changed",
            "no portrait",
        ],
    )
    def test_a_king_that_was_pushed_may_look_a_man_with_his_discs_askew(
        self, lies: tuple[int, int], less: int | None, said: int
    ) -> None:
        """Also when a hand beside him has made a move since."""
        table = Table(parse_fen("W:W32,21,22:BK15,1,2"))
        table.misread = {15: man_looking(760)}
        table.rest(3_000)
        kept_ms = table.time_ms
        table.reach(WHITE, {15})
        table.misread = {15: man_looking(-450)}
        if less is not None:
            table.recalled = {15: Recalled(-679, less, kept_ms)}
        table.offsets = {15: lies}
        assert kinds(table.rest(3_000)) == ["crown_removed"] * said
        if not said:
            table.change(WHITE, {22: ".", 18: "w"}, 4_000)
            assert names(table.events) == ["ready", "played"]

    @pytest.mark.parametrize(
        ("looks", "more", "told"),
        [(-900, -900, ["crown_removed"]), (-600, -900, []), (-900, -400, [])],
        ids=["as before in every way", "not by its rank", "not by its portrait"],
    )
    def test_one_that_lost_it_before_it_was_seen_at_peace(
        self, looks: int, more: int, told: list[str]
    ) -> None:
        """A disc that shows but faintly is off again soon after it was put on."""
        table = at_fen("B:WK31,12,21:B26,9")
        table.misread = {30: man_looking(-900)}
        table.change(RED, {26: ".", 30: "r"}, 3_000)
        kept_ms = table.time_ms
        table.reach(WHITE, {30})
        table.misread, table.recalled = {30: man_looking(-100)}, {30: Recalled(900, -900, kept_ms)}
        table.rest(400)
        assert names(table.change(WHITE, {12: ".", 8: "w"}, 400))[-1:] == ["played"]
        table.reach(WHITE, {30})
        table.misread = {30: man_looking(looks)}
        table.recalled = {30: Recalled(more, -900, kept_ms)}
        assert kinds(table.rest(4_000)) == told

    @pytest.mark.parametrize("turned_ms", [0, 1_300])
    def test_one_that_has_come_without_it_though_the_arm_is_slow_to_leave(
        self, turned_ms: int
    ) -> None:
        """It looks a man as soon as it is seen, or only long after the hand has left it."""
        table = at_fen("B:W32,21,22:BK15,1,2")
        kept_ms = table.time_ms
        table.reach(RED, {15, 18})
        table.setup = replace(table.setup, {15: ".", 18: "R" if turned_ms else "r"})
        table.reach(RED, {15, 18}, 200)
        table.recalled = {18: Recalled(-700, 1_000, kept_ms)}
        table.reach(RED, {11}, 1_300)
        table.setup = replace(table.setup, {18: "r"})
        assert kinds(table.rest(4_000)) == ([] if turned_ms else ["crown_removed"])

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

    @pytest.mark.parametrize(("beside", "told"), [("K18", []), ("K22", ["crown_removed"])])
    def test_one_who_has_come_to_stand_beside_another_may_stand_behind_that_one(
        self, beside: str, told: list[str]
    ) -> None:
        """A king next to him may hide his lower disc from the camera."""
        table = Table(parse_fen(f"W:WK10,{beside},30:B12,K29"))
        table.rest(3_000)
        kept_ms = table.time_ms
        table.reach(WHITE, {10, 15})
        table.setup = replace(table.setup, {10: ".", 15: "w"})
        table.reach(WHITE, {10}, 100)
        table.recalled = {15: Recalled(-700, 770, kept_ms)}
        table.rest(4_000)
        assert moves(table.events) == ["10-15"]
        assert kinds(table.events) == told

    @pytest.mark.parametrize(
        ("looked", "told"), [(400, ["crown_removed"]), (-400, [])], ids=["a king", "a man"]
    )
    def test_but_not_if_he_looked_a_king_beside_him_until_a_hand_came(
        self, looked: int, told: list[str]
    ) -> None:
        table = Table(parse_fen("B:W30,32:BK15,K23"))
        table.misread = {15: man_looking(400)}
        table.rest(3_000)
        kept_ms = table.time_ms
        table.misread = {15: man_looking(looked)}
        table.change(RED, {23: ".", 18: "R"}, 700)
        assert moves(table.events) == ["23-18"]
        table.reach(WHITE, {15})
        table.misread = {15: man_looking(-400)}
        table.recalled = {15: Recalled(-700, 1_000, kept_ms)}
        table.rest(4_000)
        assert kinds(table.events) == told

    @pytest.mark.parametrize(
        ("before", "after", "looks", "told"),
        [
            (-900, 400, -120, ["crown_removed"]),
            (-300, 400, -120, []),
            (-900, 200, -120, []),
            (-900, 400, 120, []),
            (-900, 700, 120, ["crown_removed"]),
        ],
    )
    def test_one_who_was_as_he_had_been_elsewhere_until_a_hand_came_has_lost_his_crown(
        self, before: int, after: int, looks: int, told: list[str]
    ) -> None:
        """Where he looked hardly more than half a king; and what is not quite plain is told if he
        looks a man since."""
        table = Table(parse_fen("B:W32,21,22:BK15,1,2"))
        table.misread = {15: man_looking(120)}
        table.rest(3_000)
        kept_ms = table.time_ms
        table.misread = {}
        table.change(RED, {15: ".", 18: "R"}, 0)
        table.misread = {18: man_looking(120)}
        table.recalled = {18: Recalled(-1_200, before, kept_ms)}
        table.rest(700)
        assert moves(table.events) == ["15-18"]
        table.recalled = {}
        table.reach(WHITE, {18})
        table.misread = {18: man_looking(looks)}
        table.recalled = {18: Recalled(-700, after, kept_ms)}
        table.rest(4_000)
        assert kinds(table.events) == told

    @pytest.mark.parametrize(
        ("answered", "less", "looks", "told"),
        [
            pytest.param(True, 1_000, -140, ["crown_removed"], id="by how he looked"),
            pytest.param(True, 900, -140, [], id="not so plainly"),
            pytest.param(True, -200, -960, ["crown_removed"], id="by his rank, which has leapt"),
            pytest.param(True, -200, -920, [], id="which has leapt less"),
            pytest.param(False, 1_000, -140, [], id="not before he was answered"),
        ],
    )
    def test_one_whose_crown_was_never_seen_may_lose_it_once_he_was_answered(
        self, answered: bool, less: int, looks: int, told: list[str]
    ) -> None:
        table = at_fen("B:W21,22:B26,9")
        table.misread = {30: man_looking(-140)}
        table.change(RED, {26: ".", 30: "r"})
        if answered:
            table.change(WHITE, {22: ".", 18: "w"}, 4_000)
            assert moves(table.events) == ["26-30", "22-18"]
        kept_ms = table.time_ms
        table.reach(WHITE, {30})
        table.misread = {30: man_looking(looks)}
        table.recalled = {30: Recalled(-1_200, less, kept_ms)}
        table.rest(4_000)
        assert kinds(table.events) == told

    def test_but_not_if_he_has_been_seen_there_beside_him_before(self) -> None:
        table = Table(parse_fen("B:WK18,30:BK15,12"))
        table.rest(3_000)
        kept_ms = table.time_ms
        table.reach(WHITE, {15})
        table.setup = replace(table.setup, {15: "r"})
        table.recalled = {15: Recalled(-700, 1_000, kept_ms)}
        assert kinds(table.rest(4_000)) == ["crown_removed"]

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

    def test_a_king_who_leaps_to_a_mans_look_has_lost_his_disc_though_he_was_faint(self) -> None:
        table = Table(parse_fen("W:WK14,32:B1,2,3,4"))
        table.misread = {14: man_looking(145, WHITE)}
        table.rest(3_000)
        table.reach(WHITE, {14})
        table.misread = {14: man_looking(-740, WHITE)}
        table.reach(WHITE, {14})
        assert kinds(table.rest(6_000)) == ["crown_removed"]

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


def test_where_a_piece_lay_that_looks_altered_is_known_behind_the_moves_of_others() -> None:
    lay = (9, (40, 0)), (11, (0, 40))
    tracker = dataclasses.replace(ready().game.tracker, ranks=Ranks(lay=lay))
    assert advance(tracker, parse_move(tracker.position, "11-15")).ranks.lay == lay[:1]

"""Discs that lie beside their squares."""

from __future__ import annotations

import pytest

from referee.announcements import in_words
from referee.board import START, Side, cell_of, replace
from referee.events import Irregular, Ruling
from referee.observation import HIDDEN, Hand, LooseDisc, Recalled, Row
from tests.looks import RED_LOOKING, man_looking
from tests.table import RED, WHITE, Table, at_fen, irregular, kinds, moves, names, ready


class TestLooseDiscs:
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
        ("start", "who", "place", "told"),
        [
            (11, RED, (130, -90), ("illegal_step", RED)),
            (11, RED, (20, -400), ("off_square", RED)),
            (11, WHITE, (0, 0), ("off_square", WHITE)),
            (22, WHITE, (0, 0), ("off_square", WHITE)),
            (11, None, (0, 0), ("off_square", None)),
        ],
        ids=["he moved it there", "pushed aside", "the other", "off turn", "nobody knows who"],
    )
    def test_who_puts_his_piece_in_the_middle_of_a_light_cell_has_moved_it(
        self, start: int, who: Side | None, place: tuple[int, int], told: tuple[str, Side | None]
    ) -> None:
        table = ready()
        table.reach(who, {start})
        row, column = cell_of(start)
        forward = 1 if start == 11 else -1
        side = RED if start == 11 else WHITE
        table.setup = replace(START, {start: "."})
        table.loose = (LooseDisc((row + forward, column), side, place=place),)
        table.reach(who, {start}, 100)
        (event,) = (e for e in table.rest(3_000) if isinstance(e, Irregular))
        assert (event.kind.value, event.side) == told
        assert event.squares == (start,)
        table.loose = ()
        assert names(table.change(side, {start: "r" if side is RED else "w"})) == ["restored"]

    @pytest.mark.parametrize(
        ("cell", "meant"),
        [
            pytest.param((3, 6), 16, id="half-on-16-and-20"),
            pytest.param((2, 5), 11, id="half-on-11-and-16"),
            pytest.param((3, 3), 15, id="half-on-15-and-18"),
        ],
    )
    def test_a_disc_that_was_carried_away_belongs_where_its_move_ends(
        self, cell: tuple[int, int], meant: int
    ) -> None:
        table = at_fen("B:W32:B11,20")
        table.reach(RED, {11, 16})
        table.setup = replace(table.setup, {11: "."})
        table.loose = (LooseDisc(cell, RED, astride=True),)
        told = [e for e in table.rest(3_000) if isinstance(e, Irregular)]
        assert [(e.kind.value, e.squares) for e in told] == [("off_square", (meant,))]
        table.loose = ()
        put = 15 if meant == 15 else 16
        assert moves(table.change(RED, {put: "r"}, 3_000)) == [f"11-{put}"]

    def test_who_was_there_last_is_named_behind_a_move_made_in_place_of_another(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {23: ".", 19: "w"})
        table.change(WHITE, {19: ".", 23: "w"})
        table.change(WHITE, {23: ".", 18: "w"})
        before = len(irregular(table.events))
        table.reach(RED, {4, 12, 20, 28})
        table.offsets = {28: (-450, 40)}
        table.reach(RED, {4, 12, 20, 28}, 200)
        table.rest(3_000)
        told = irregular(table.events)[before:]
        assert [(e.kind.value, e.side, e.squares) for e in told] == [("off_square", RED, (28,))]

    def test_he_is_warned_and_told_where_it_may_go(self) -> None:
        table = ready()
        table.reach(RED, {11})
        table.setup = replace(START, {11: "."})
        table.loose = (LooseDisc((3, 5), RED, place=(0, 0)),)
        table.reach(RED, {11}, 100)
        (ruling,) = (e for e in table.rest(3_000) if isinstance(e, Ruling))
        assert in_words(ruling) == (
            "No piece may stand on a light square (WCDF 3.3, 4.3). Red is warned. "
            "Put the man back on 11. The piece on 11 must move: play 11-15 or 11-16."
        )

    def test_nor_while_a_board_is_put_in_order(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 18: "r"}, 3_000)
        table.reach(RED, {11, 18})
        table.setup = replace(START, {11: "."})
        table.loose = (LooseDisc((3, 5), RED, place=(0, 0)),)
        table.reach(RED, {11}, 100)
        table.rest(9_000)
        assert kinds(table.events) == ["illegal_step", "off_square"]

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

    @pytest.mark.parametrize(
        ("lay", "lies", "told"),
        [
            ((-45, -286), (50, -395), "crown_unearned"),
            ((-45, -100), (50, -395), "off_square"),
        ],
    )
    def test_a_man_who_lay_far_from_the_middle_before_has_got_a_crown(
        self, lay: tuple[int, int], lies: tuple[int, int], told: str
    ) -> None:
        """Two discs seem to lie elsewhere than one."""
        table = Table()
        table.offsets = {11: lay}
        table.rest(1_500)
        table.reach(RED, {11})
        table.offsets, table.misread = {11: lies}, {11: man_looking(700)}
        table.recalled = {11: Recalled(900, -900, 1_000)}
        table.reach(RED, {10}, 100)
        assert kinds(table.rest(3_000)) == [told]

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

    @pytest.mark.parametrize(("off", "told"), [((-420, 0), []), ((420, 60), ["off_square"])])
    def test_nor_has_one_who_seems_to_lie_half_off_the_board_but_who_lies_inwards_has(
        self, off: tuple[int, int], told: list[str]
    ) -> None:
        """Red's man on 13, at the side of the board where a hand rests."""
        table = ready()
        table.change(RED, {9: ".", 13: "r"})
        table.change(WHITE, {22: ".", 18: "w"})
        table.reach(RED, {13})
        table.offsets = {13: off}
        table.rest(1_500, Hand(RED, ()))
        assert kinds(table.rest(6_000)) == told

    @pytest.mark.parametrize(
        ("square", "cell"),
        [
            pytest.param(7, (1, 3), id="no other may have moved"),
            pytest.param(10, (3, 3), id="he may have gone to 15 as well"),
            pytest.param(12, (2, 6), id="the man on 11 may lie there as well"),
        ],
    )
    def test_a_man_pushed_off_his_square_in_a_lawful_move_has_not_been_taken_off(
        self, square: int, cell: tuple[int, int]
    ) -> None:
        table = ready()
        table.reach(RED, {11, 15, square})
        table.setup = replace(START, {11: ".", 15: "r", square: "."})
        table.loose = (LooseDisc(cell, RED),)
        events = table.rest(4_000)
        assert moves(events) == ["11-15"]
        (told,) = (e for e in events if isinstance(e, Irregular))
        assert (told.kind.value, told.squares) == ("off_square", (square,))
        table.loose = ()
        assert names(table.change(RED, {square: "r"})) == ["restored"]

    def test_several_that_lie_beside_their_squares_are_upset_though_one_is_seen_twice(self) -> None:
        """Red's man on 11 lies half off it, and seems to stand on 16 too."""
        table = ready()
        table.reach(RED, {9, 10, 11, 16})
        table.setup = replace(START, {9: ".", 10: ".", 16: "r"})
        table.offsets = {11: (300, 300)}
        table.loose = (LooseDisc((2, 2), RED), LooseDisc((3, 3), RED))
        told = [e for e in table.rest(3_000) if isinstance(e, Irregular)]
        assert [(e.kind.value, e.squares) for e in told] == [("upset", (9, 10, 11))]

    @pytest.mark.parametrize(("after_ms", "told"), [(900, "off_square"), (1_100, "crown_unearned")])
    def test_a_man_who_comes_to_look_a_king_as_a_disc_comes_to_lie_beside_him_lies_there(
        self, after_ms: int, told: str
    ) -> None:
        table = ready()
        table.misread = {11: man_looking(-500)}
        table.rest(3_000)
        table.reach(RED, {11}, 500)
        table.misread = {11: man_looking(700)}
        table.reach(RED, {11}, 100)
        table.rest(after_ms, Hand(RED, (1, 2)))
        table.loose = (LooseDisc((2, 4), RED),)
        table.rest(200, Hand(RED, (1, 2)))
        assert kinds(table.rest(3_000)) == [told]

    @pytest.mark.parametrize(("after_ms", "told"), [(900, ["off_square"]), (1_100, [])])
    def test_what_comes_into_view_long_after_a_hand_nobody_has_brought(
        self, after_ms: int, told: list[str]
    ) -> None:
        """No piece is missing: it may be a shadow."""
        table = ready()
        table.rest(2_000)
        table.reach(RED, {11})
        table.rest(after_ms)
        table.loose = (LooseDisc((2, 4), RED),)
        assert kinds(table.rest(9_000)) == told

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

    def test_so_has_one_that_lies_half_off_its_square_beside_one_that_left_it(self) -> None:
        table = ready()
        table.reach(RED, {10, 11})
        table.setup = replace(START, {11: "."})
        table.loose, table.offsets = (LooseDisc((2, 4), RED),), {10: (40, -380)}
        (upset,) = (e for e in table.rest(3_000) if isinstance(e, Irregular))
        assert (upset.kind.value, upset.squares) == ("upset", (10, 11))
        table.loose, table.offsets = (), {}
        assert names(table.change(RED, {11: "r"})) == ["restored"]

    def test_so_have_they_though_one_seems_to_stand_on_another_square(self) -> None:
        """A third lies half on it."""
        table = at_fen("B:W19,32:B15,16,1")
        table.reach(RED, {15, 16, 19})
        table.setup = replace(table.setup, {15: "."})
        table.misread = {19: RED_LOOKING}
        table.loose, table.offsets = (LooseDisc((3, 5), RED),), {16: (40, 380)}
        (upset,) = (e for e in table.rest(3_000) if isinstance(e, Irregular))
        assert (upset.kind.value, upset.squares) == ("upset", (15, 16))

    def test_pieces_are_upset_though_one_might_have_moved_where_nothing_is_seen(self) -> None:
        """White's men on 28 and 32 have gone, one lies on a light cell, and 24 cannot be read."""
        table = at_fen("W:W27,28,32:B1,2,12")
        table.reach(RED, {24, 27, 28, 32})
        table.setup = replace(table.setup, {28: ".", 32: "."})
        table.misread = {24: HIDDEN}
        table.loose, table.offsets = (LooseDisc((6, 4), WHITE),), {27: (30, 455)}
        (upset,) = (e for e in table.rest(3_000) if isinstance(e, Irregular))
        assert (upset.kind.value, upset.squares) == ("upset", (27, 28, 32))

    @pytest.mark.parametrize(("over", "told"), [(-400, [("upset", (7, 10, 15, 19))]), (-100, [])])
    def test_so_are_they_though_one_lies_half_on_a_square_to_which_it_might_have_moved(
        self, over: int, told: list[tuple[str, tuple[int, ...]]]
    ) -> None:
        """Of four that have gone one lies beside its square, and two where nothing is seen."""
        table = at_fen("B:W19,32:B7,10,15,1")
        table.reach(RED, {7, 10, 15, 19, 11})
        table.setup = replace(table.setup, {7: ".", 10: ".", 15: ".", 19: ".", 11: "r"})
        table.loose, table.offsets = (LooseDisc((4, 4), RED),), {11: (over, 200)}
        upset = [e for e in table.rest(2_800) if isinstance(e, Irregular)]
        assert [(event.kind.value, event.squares) for event in upset] == told

    def test_so_are_they_though_two_lie_half_on_squares_to_which_they_might_have_moved(
        self,
    ) -> None:
        """White's hand has swept over 6, 9 and 14, whose squares are seen faintly."""
        table = at_fen("B:WK5,K6,7,9,27,29:B2,K4,13,14,K15,21")
        table.strength = 1_100
        table.reach(WHITE, {6, 9, 10, 14, 18})
        table.setup = replace(table.setup, {6: ".", 9: ".", 14: ".", 10: "W", 18: "r"})
        table.misread = {
            **dict.fromkeys((9, 14), (0, -600, -600, -600, -600)),
            10: (-1073, -1157, -1200, 0, -222),
            18: (-949, 0, -195, -1200, -1200),
        }
        table.loose = (LooseDisc((2, 1), WHITE),)
        table.offsets = {10: (-216, -449), 18: (58, -350)}
        assert kinds(table.rest(4_000)) == ["upset"]

    def test_so_are_they_though_one_was_pushed_to_the_place_of_another(self) -> None:
        """White's man on 28 lies on 24, whose own man lies beside; 18 lies half off its square."""
        table = at_fen("W:W18,28:B1,24")
        table.reach(RED, {18, 24, 28})
        table.setup = replace(table.setup, {28: ".", 24: "w"})
        table.loose, table.offsets = (LooseDisc((5, 5), RED),), {18: (-584, 18)}
        (upset,) = (e for e in table.rest(3_000) if isinstance(e, Irregular))
        assert (upset.kind.value, upset.squares) == ("upset", (18, 24))

    def test_nobody_holds_one_of_them_over_the_rim_who_has_left_the_other_lying(self) -> None:
        table = ready()
        table.reach(RED, {3, 11})
        table.setup = replace(START, {3: ".", 11: "."})
        table.loose = (LooseDisc((0, 4), RED), LooseDisc((2, 4), RED))
        table.reach(RED, {7}, 1_500)
        assert kinds(table.rest(2_000)) == ["upset"]

    def test_nobody_holds_two_over_the_rim(self) -> None:
        table = ready()
        table.reach(RED, {3, 4})
        table.setup = replace(START, {3: ".", 4: "."})
        table.loose = (LooseDisc((0, 4), RED), LooseDisc((0, 6), RED))
        table.reach(RED, set(), 1_500)
        assert kinds(table.rest(2_000)) == ["upset"]

    @pytest.mark.parametrize(("squares", "told"), [(set(), ["upset"]), ({21}, [])])
    def test_a_hand_that_rests_at_the_rim_puts_nothing_right(
        self, squares: set[int], told: list[str]
    ) -> None:
        table = ready()
        table.reach(RED, {14, 15, 11, 10})
        table.setup = replace(START, {11: ".", 10: "."})
        table.loose = (LooseDisc((2, 4), RED), LooseDisc((2, 2), RED))
        assert kinds(table.rest(2_200, Hand(WHITE, tuple(squares)))) == told

    def test_a_disc_on_a_light_cell_is_said_once_though_its_square_be_misread(self) -> None:
        table = ready()
        table.reach(RED, {11})
        table.setup = replace(START, {11: "."})
        table.loose = (LooseDisc((2, 4), RED),)
        table.rest(3_000)
        table.misread = {11: RED_LOOKING}
        table.rest(5_000)
        assert kinds(table.events) == ["off_square"]

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

    @pytest.mark.parametrize(("square", "told"), [(22, ["off_square"]), (30, [])])
    def test_but_what_rests_at_the_rim_may_hide_half_of_one_there(
        self, square: int, told: list[str]
    ) -> None:
        table = ready()
        table.misread = {square: man_looking(-400, WHITE)}
        table.rest(2_000)
        table.reach(WHITE, {square})
        table.offsets, table.misread = {square: (40, -260)}, {square: man_looking(900, WHITE)}
        table.recalled = {square: Recalled(900, -900, table.time_ms - 500)}
        table.rest(3_000, Hand(WHITE, ()))
        assert kinds(table.events) == told

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

"""Crowns that nobody has earned, and whose hand has put them on."""

from __future__ import annotations

import pytest

from referee.board import START, Side, replace
from referee.observation import Hand, Row, Visibility
from tests.looks import WHITE_CLEARLY, man_looking
from tests.table import RED, WHITE, Table, irregular, kinds, moves, names, ready


class TestCrownsUnearned:
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
        table.visibility = Visibility.DARK
        table.rest(1_000)
        table.visibility = Visibility.CLEAR
        table.setup = replace(START, {11: "R"})
        table.rest(for_ms)
        table.setup = START
        table.rest(3_000)
        assert [(event.kind.value, event.side) for event in irregular(table.events)] == told

"""Pieces that are touched, lifted and pushed, and what is no touch."""

from __future__ import annotations

import dataclasses

import pytest

from referee.board import START, Side, replace
from referee.commands import Word
from referee.events import Touch, Touched
from referee.observation import HIDDEN, Hand
from tests.looks import WHITE_CLEARLY, man_looking
from tests.table import (
    CROWNING,
    RED,
    WHITE,
    Lifting,
    Table,
    at_fen,
    kinds,
    moves,
    names,
    ready,
    touches,
)


class TestTouches(Lifting):
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

    def test_one_lifted_when_the_other_was_in_the_hand_was_not_touched_before_it(self) -> None:
        table = ready()
        table.reach(RED, {11})
        table.setup = replace(START, {11: "."})
        table.reach(RED, {16}, 500)
        self.lift(table, 9)
        table.setup = replace(table.setup, {15: "r"})
        table.reach(RED, {15}, 200)
        table.rest(2_000)
        assert moves(table.events) == ["11-15"]
        assert not touches(table)

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

    @pytest.mark.parametrize(("over", "told"), [(9, [(WHITE, 9)]), (5, [])])
    def test_a_disc_that_lay_elsewhere_before_the_hand_came_was_not_pushed_by_it(
        self, over: int, told: list[tuple[Side, int]]
    ) -> None:
        """It was by the one that had hidden it, or nobody knows."""
        table = ready()
        table.reach(WHITE, {over}, 500)
        table.offsets = {9: (60, -140)}
        table.rest(350)
        table.rest(800, Hand(RED, (4,)))
        table.rest(300, Hand(RED, (11, 15)))
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {11, 15}, 400)
        assert moves(table.rest(1_500)) == ["11-15"]
        assert [(e.side, e.square) for e in touches(table)] == told

    @pytest.mark.parametrize(("later", "told"), [((60, -140), [9]), ((0, 0), [])])
    def test_a_disc_that_the_hand_has_bared_elsewhere_is_told_though_it_is_back_at_once(
        self, later: tuple[int, int], told: list[int]
    ) -> None:
        """If it lies there still."""
        table = ready()
        table.reach(RED, {9}, 500)
        table.offsets = {9: (60, -140)}
        table.rest(400)
        table.offsets = {9: later}
        table.change(RED, {11: ".", 15: "r"})
        assert moves(table.events) == ["11-15"]
        assert [e.square for e in touches(table)] == told

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
        [((0, -95), None), ((60, -140), (0, 0)), ((0, 0), (60, -90))],
        ids=["hardly", "not-for-long", "only-after-the-move-and-hardly"],
    )
    def test_but_not_one_that_merely_seems_so_beside_it(
        self, pushed: tuple[int, int], later: tuple[int, int] | None
    ) -> None:
        assert not touches(self.touched_first(pushed, later))

    @pytest.mark.parametrize("pushed", [(60, -140), (0, 0)], ids=["more-than-before", "only-then"])
    def test_one_pushed_when_the_other_piece_had_left_is_told_of_beside_its_move(
        self, pushed: tuple[int, int]
    ) -> None:
        table = self.touched_first(pushed, (60, -200))
        assert [(e.side, e.square, e.beside) for e in touches(table)] == [(RED, 9, True)]
        assert "proposed" not in names(table.events)

    def under_the_arm(self) -> Table:
        """An arm lies over 4 while its hand plays 11-15; behind it the disc on 4 lies elsewhere."""
        table = ready()
        table.reach(RED, {4, 11}, 800)
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {4, 11, 15}, 400)
        table.offsets = {4: (60, -200)}
        while not moves(table.events):
            table.rest(100)
        return table

    def test_so_is_one_that_the_arm_hides_until_it_leaves(self) -> None:
        table = self.under_the_arm()
        table.rest(2_000)
        assert [(e.side, e.square, e.beside) for e in touches(table)] == [(RED, 4, True)]
        assert "proposed" not in names(table.events)

    def test_not_one_that_does_not_stay_there(self) -> None:
        table = self.under_the_arm()
        table.offsets = {}
        table.rest(2_000)
        assert not touches(table)

    def test_nor_any_where_most_discs_have_moved_alike(self) -> None:
        """The board was pushed with the move."""
        table = ready()
        table.reach(RED, {3, 4, 8, 11, 12}, 800)
        table.setup = replace(START, {11: ".", 15: "r"})
        table.reach(RED, {3, 4, 8, 11, 12, 15}, 400)
        table.offsets = dict.fromkeys(range(1, 33), (120, 0))
        table.rest(3_000)
        assert moves(table.events) == ["11-15"]
        assert not [touch for touch in touches(table) if touch.beside]

    def test_a_journal_holds_of_others_what_it_always_has(self) -> None:
        told = Touched(9, RED, 4, Touch.SHIFTED, 8)
        assert "beside" not in told.record()
        assert dataclasses.replace(told, beside=True).record()["beside"] is True

    def test_it_is_told_of_when_it_is_seen_again(self) -> None:
        table = self.under_the_arm()
        table.reach(WHITE, {4, 24}, 300)
        table.setup = replace(table.setup, {24: ".", 20: "w"})
        table.reach(WHITE, {4, 24, 20}, 300)
        table.rest(2_000)
        assert moves(table.events) == ["11-15", "24-20"]
        assert [(e.side, e.square, e.beside) for e in touches(table)] == [(RED, 4, True)]

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

    @pytest.mark.parametrize("left", [(60, -30), (-30, 100)])
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

    def test_fingers_before_a_king_that_seem_to_push_him_have_not_pushed_him_back(self) -> None:
        """They hide his lower disc for a moment after which no hand is noticed."""
        table = at_fen("W:WK3,14,32:B1,2,12")
        table.misread = {3: (-1200, -1200, -1200, -1000, 0)}
        table.rest(3_000)
        table.reach(RED, {7, 8}, 500)
        table.misread, table.offsets = {3: (-1200, -1200, -1200, -340, 0)}, {3: (70, 170)}
        table.reach(RED, {7, 8}, 500)
        table.rest(900)
        table.reach(RED, {7, 8}, 150)
        table.misread, table.offsets = {3: (-1200, -1200, -1200, -1000, 0)}, {}
        table.reach(RED, {7, 8}, 150)
        table.rest(3_000)
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

    @pytest.mark.parametrize(("white", "told"), [(-559, [1]), (-361, [])])
    def test_a_square_that_is_bare_far_from_any_hand_was_bare(
        self, white: int, told: list[int]
    ) -> None:
        """Unless it looks somewhat like the other side's man, as it does below a hand unseen."""
        table = ready()
        table.reach(RED, {1}, 150)
        table.misread = {1: (0, -1_181, -1_050, -806, white)}
        table.rest(800, Hand(RED, (19,)))
        table.misread = {}
        table.reach(RED, {1})
        table.rest(1_500)
        assert [event.square for event in touches(table)] == told

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


class TestUnderAHand:
    """Red's hand hides 9, and it is seen at the foot of the disc there that he takes it up."""

    def lifted(self, table: Table, ms: int, square: int = 9, side: Side = RED) -> None:
        table.rest(200, Hand(side, (square,)))
        table.lifted = (square,)
        table.rest(ms, Hand(side, (square,)))
        table.lifted = ()
        table.rest(200, Hand(side, (square,)))

    @pytest.mark.parametrize(("ms", "told"), [(250, []), (400, [(RED, 9, Touch.LIFTED)])])
    def test_what_he_puts_back_exactly_where_it_was_was_touched(
        self, ms: int, told: list[tuple[Side, int, Touch]]
    ) -> None:
        table = ready()
        self.lifted(table, ms)
        table.rest(1_500)
        assert [(e.side, e.square, e.how) for e in touches(table)] == told

    def test_for_a_moment_several_times_it_was_not_seen_for_sure(self) -> None:
        table = ready()
        for _ in range(4):
            self.lifted(table, 250)
        table.rest(1_500)
        assert not touches(table)

    def test_also_if_he_plays_another_afterwards(self) -> None:
        table = ready()
        self.lifted(table, 400)
        table.change(RED, {11: ".", 15: "r"})
        assert [(e.square, e.how) for e in touches(table)] == [(9, Touch.LIFTED)]
        assert moves(table.events) == ["11-15"]

    def test_what_he_plays_was_not_merely_touched(self) -> None:
        table = ready()
        self.lifted(table, 400)
        table.change(RED, {9: ".", 14: "r"})
        assert not touches(table)
        assert moves(table.events) == ["9-14"]

    def test_nor_is_the_square_that_he_has_left(self) -> None:
        table = ready()
        table.change(RED, {9: ".", 14: "r"})
        self.lifted(table, 400, side=WHITE)
        table.rest(1_500)
        assert not touches(table)

    def test_who_adjusts_may_take_it_up(self) -> None:
        table = ready()
        table.say(Word.ADJUSTING, RED)
        self.lifted(table, 400)
        table.rest(1_500)
        assert not touches(table)


class TestAHandSeenLate:
    @pytest.mark.parametrize(("still_ms", "told"), [(2_000, [(29, Touch.SHIFTED)]), (150, [])])
    def test_it_has_pushed_what_lay_where_it_lay_until_then(
        self, still_ms: int, told: list[tuple[int, Touch]]
    ) -> None:
        """Else the hand before it may have left the disc there."""
        table = ready()
        table.change(RED, {11: ".", 15: "r"}, 2_000)
        table.reach(WHITE, {25}, 1_000)
        table.rest(still_ms)
        table.offsets = {29: (40, -240)}
        table.rest(150)
        table.rest(500, Hand(WHITE, (29,)))
        table.rest(1_500)
        assert [(e.square, e.how) for e in touches(table)] == told


def test_a_king_that_is_pushed_may_look_otherwise_and_plainly_one_all_along() -> None:
    """So he looks where he stands now: no disc has come or gone."""
    table = at_fen("W:WK19,32:BK1,2,12")
    table.reach(RED, {19})
    table.misread, table.offsets = {19: (-1350, -1350, -1350, -1350, 0)}, {19: (149, 149)}
    table.rest(2_000)
    assert [(e.square, e.side) for e in touches(table)] == [(19, RED)]

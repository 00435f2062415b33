"""Men that have reached their king-row, and the crowns that they must have."""

from __future__ import annotations

import dataclasses

import pytest

from referee.board import Side, replace
from referee.english import ENGLISH
from referee.events import Crowned, Irregularity
from referee.notation import parse_fen
from referee.observation import Hand, Observation, Recalled, certain
from referee.profiles import GUIDE, ONLINE25, PLAIN, Profile
from tests.looks import man_looking
from tests.table import CROWNING, RED, WHITE, at_fen, kinds, moves, names, ready, rulings


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

    @pytest.mark.parametrize(
        ("alone_ms", "laying_ms", "said"),
        [(600, 500, []), (400, 500, ["crown_missing"]), (600, 300, ["crown_missing"])],
    )
    def test_who_fetches_a_disc_and_comes_back_for_long_has_crowned_him_himself(
        self, alone_ms: int, laying_ms: int, said: list[str]
    ) -> None:
        """Though he plainly looks a man still."""
        table = at_fen(CROWNING)
        table.misread = {31: man_looking(-600)}
        table.reach(RED, {26, 31})
        table.setup = replace(table.setup, {26: ".", 31: "r"})
        table.reach(RED, {26, 31}, 100)
        table.reach(RED, {4, 8}, alone_ms)
        table.reach(RED, {24, 27, 31}, laying_ms)
        assert moves(table.rest(1_000)) == ["26-31"]
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == said

    def test_but_who_comes_back_for_what_he_has_captured_has_not(self) -> None:
        table = at_fen("B:W27,12,21:B24,9,1")
        table.misread = {31: man_looking(-600)}
        table.reach(RED, {24, 27, 31})
        table.setup = replace(table.setup, {24: ".", 31: "r"})
        table.reach(RED, {24, 27, 31}, 100)
        table.reach(RED, {4, 8}, 600)
        table.setup = replace(table.setup, {27: "."})
        table.reach(RED, {24, 27, 31}, 500)
        assert moves(table.rest(1_000)) == ["24x31"]
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == ["crown_missing"]

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

    @pytest.mark.parametrize(("after", "told"), [(-210, ["crown_missing"]), (-190, [])])
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
            (-700, -460, []),
            (-300, -600, []),
            (-600, -460, ["crown_missing"]),
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

    @pytest.mark.parametrize(("came", "told"), [(-600, ["crown_missing"]), (-300, [])])
    def test_so_he_may_who_has_looked_a_man_but_where_he_came_from(
        self, came: int, told: list[str]
    ) -> None:
        """He has moved so quickly that his rank was never taken for known."""
        table = at_fen(CROWNING)
        table.misread = {26: man_looking(came), 31: man_looking(-600)}
        table.rest(1_000)
        tracker = table.game.tracker
        looked = tuple((square, seen) for square, seen in tracker.ranks.looked if square == 26)
        ranks = dataclasses.replace(tracker.ranks, ranked=(), looked=looked, came=())
        tracker = dataclasses.replace(tracker, ranks=ranks)
        table.game = dataclasses.replace(table.game, tracker=tracker)
        table.reach(RED, {26, 31})
        table.setup = replace(table.setup, {26: ".", 31: "r"})
        table.misread = {31: man_looking(-600)}
        table.reach(RED, {31, 26})
        table.reach(WHITE, {31})
        table.rest(1_500)
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == told

    @pytest.mark.parametrize(("more", "told"), [(-200, []), (-400, ["crown_missing"])])
    def test_who_looks_a_man_though_his_portrait_has_changed_under_a_hand_is_not_missed_one(
        self, more: int, told: list[str]
    ) -> None:
        """In dim light the ranks of this eye say nothing."""
        table = at_fen(CROWNING)
        table.misread = {26: man_looking(-700)}
        table.rest(2_000)
        since_ms = table.time_ms
        table.misread = {31: man_looking(-700)}
        table.change(RED, {26: ".", 31: "r"}, 0)
        table.recalled = {31: Recalled(-1_000, -300, since_ms)}
        table.rest(2_000)
        table.reach(WHITE, (31,))
        table.misread = {31: man_looking(-550)}
        table.recalled = {31: Recalled(more, -400, since_ms)}
        table.rest(800)
        table.change(WHITE, {12: ".", 8: "w"}, 5_000)
        assert kinds(table.events) == told

    @pytest.mark.parametrize(("looks", "told"), [(-500, 0), (-400, 1)])
    def test_a_portrait_puts_none_on_a_man_who_plainly_is_one_as_he_came(
        self, looks: int, told: int
    ) -> None:
        table = at_fen(CROWNING)
        table.misread = {26: man_looking(-600)}
        table.rest(2_000)
        since_ms = table.time_ms
        table.misread = {31: man_looking(looks)}
        table.change(RED, {26: ".", 31: "r"}, 0)
        table.rest(500)
        table.recalled = {31: Recalled(800, 500, since_ms)}
        assert names(table.rest(1_500)).count("crowned") == told

    @pytest.mark.parametrize(
        ("hidden", "told"), [((12,), ["crown_missing"]), ((12, 31), [])], ids=["beside", "over"]
    )
    def test_a_portrait_alone_puts_no_crown_on_a_man_whom_no_hand_has_hidden(
        self, hidden: tuple[int, ...], told: list[str]
    ) -> None:
        table = at_fen(CROWNING)
        table.misread = {26: man_looking(-400)}
        table.rest(2_000)
        since_ms = table.time_ms
        table.misread = {31: man_looking(-400)}
        table.change(RED, {26: ".", 31: "r"}, 0)
        table.recalled = {31: Recalled(-800, -300, since_ms)}
        table.rest(2_000)
        table.reach(WHITE, hidden)
        table.recalled = {31: Recalled(160, -400, since_ms)}
        table.setup = replace(table.setup, {12: ".", 8: "w"})
        table.reach(WHITE, hidden)
        assert kinds(table.rest(4_000)) == told

    @pytest.mark.parametrize(
        ("says", "before", "after", "told"),
        [
            (-600, -60, 20, []),
            (-600, -60, -40, ["crown_missing"]),
            (-600, 20, 40, ["crown_missing"]),
            (-600, -90, -50, []),
            (-600, -190, -150, ["crown_missing"]),
            (-1_000, -60, 20, []),
            (-1_000, -90, -50, ["crown_missing"]),
        ],
    )
    def test_who_looks_a_king_since_a_hand_was_there_is_not_missed_a_crown_for_his_portrait(
        self, says: int, before: int, after: int, told: list[str]
    ) -> None:
        """A thin disc changes it by little, and one seen from straight above its rank as well; but
        none by next to nothing."""
        table = at_fen(CROWNING)
        table.misread = {26: man_looking(-450)}
        table.rest(2_000)
        table.recalled = {31: Recalled(says, -600, table.time_ms)}
        table.misread = {31: man_looking(before)}
        table.change(RED, {26: ".", 31: "r"}, 2_000)
        table.reach(WHITE, {31}, 500)
        table.misread = {31: man_looking(after)}
        table.rest(1_500)
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == told

    @pytest.mark.parametrize(("between", "told"), [(-400, ["crown_missing"]), (-120, [])])
    def test_a_hand_after_which_he_is_found_bare_has_not_crowned_him(
        self, between: int, told: list[str]
    ) -> None:
        """White's hand hovers over him twice, and moves another man the second time; what it finds
        there is how he looked between."""
        table = at_fen(CROWNING)
        table.misread = {26: man_looking(-400)}
        table.rest(2_000)
        table.recalled = {31: Recalled(-1_000, -600, table.time_ms)}
        table.misread = {31: man_looking(-400)}
        table.change(RED, {26: ".", 31: "r"}, 2_000)
        stood_ms = table.time_ms
        table.reach(WHITE, {31}, 1_000)
        table.recalled = {31: Recalled(-1_000, -600, stood_ms)}
        table.misread = {31: man_looking(between)}
        table.rest(1_500)
        table.recalled = {31: Recalled(-1_000, -600, table.time_ms - 50)}
        table.misread = {31: man_looking(-400)}
        table.reach(WHITE, {31}, 1_500)
        assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000, over={31})) == told

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
        cited = ENGLISH.words.get(rule, rule)
        where = f" ({cited})" if rule else ""  # one document knows no second discs
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

    def test_so_it_is_where_the_reply_takes_half_the_board(self) -> None:
        """What has been taken off tells nothing of how men look."""
        table = at_fen("B:WK5:B9,10,11,28,1,12")
        table.change(RED, {28: ".", 32: "r"})
        changes = dict.fromkeys((5, 9, 10, 11), ".") | {16: "W"}
        assert kinds(table.change(WHITE, changes, 4_500)) == ["crown_missing"]

    def test_an_eye_that_tells_no_ranks_accuses_nobody(self) -> None:
        table = at_fen("B:W12,21:B26,9,K5,K1,K2,K3")
        table.misread = dict.fromkeys((1, 2, 3, 5), (-800, 0, -400, -800, -800))
        table.rest(1_000)
        table.change(RED, {26: ".", 31: "r"})
        assert not kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000))

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


def test_only_the_opponent_crowns() -> None:
    for side, told in ((RED, ["WCDF 3.9"]), (WHITE, [])):
        table = ready(parse_fen("B:W21:B27"))
        table.change(RED, {27: ".", 32: "r"})
        over = () if side is WHITE else (12, 16, 20, 24, 28)
        events = table.change(side, {32: "R"}, over=over)
        assert "crowned" in names(events)
        assert [ruling.rule for ruling in rulings(events)] == told

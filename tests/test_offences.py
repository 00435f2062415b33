"""Offences that the tracker finds, and what puts them right."""

from __future__ import annotations

import pytest

from referee.board import START, Side, replace
from referee.events import Irregular, Verdict
from referee.observation import HIDDEN, Hand, Row
from tests.looks import RED_CLEARLY
from tests.table import (
    MULTI,
    RED,
    SINGLE,
    WHITE,
    at_fen,
    irregular,
    kinds,
    moves,
    names,
    ready,
    rulings,
)

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
        SINGLE,
        RED,
        {11: ".", 15: ".", 18: "r", 1: "."},
        "own_piece_removed",
        (11, 18, 1, 15),
        id="own",
    ),
    pytest.param(
        SINGLE,
        RED,
        {11: ".", 15: ".", 18: "r", 32: "."},
        "wrong_piece_removed",
        (11, 18, 32, 15),
        id="wrong-piece",
    ),
    pytest.param(
        "B:W28,32:B11,15,1",
        RED,
        {11: ".", 18: "r", 28: "."},
        "illegal_step",
        (11, 18, 28),
        id="over-an-own-man-another-taken",
    ),
    pytest.param(None, RED, {17: "r"}, "piece_added", (17,), id="added"),
    pytest.param(None, RED, {30: "."}, "piece_removed", (30,), id="removed"),
    pytest.param(None, RED, {22: ".", 14: "w"}, "piece_displaced", (22, 14), id="displaced"),
    pytest.param(
        None, RED, dict.fromkeys((1, 6, 10, 23, 30), "."), "upset", (1, 6, 10, 23, 30), id="upset"
    ),
]


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

    def test_said_once(self) -> None:
        table = ready()
        table.change(WHITE, {22: ".", 18: "w"}, 20_000)
        assert kinds(table.events) == ["wrong_turn"]

    def test_an_offence_after_a_move_nobody_has_seen(self) -> None:
        table = ready()
        table.reach(RED, {11, 15})
        table.setup = replace(START, {11: ".", 15: "r"})
        events = table.change(WHITE, {22: ".", 14: "w"}, 3_000)
        assert moves(table.events) == ["11-15"]
        assert kinds(events) == ["illegal_step"]

    def test_an_offence_that_hides_the_move_before_it_tells_of_that(self) -> None:
        """Every square that the move has changed has been changed again since."""
        table = at_fen("B:WK4,23,28,32:B16,1")
        table.reach(RED, {16, 19})
        table.setup = replace(table.setup, {16: ".", 19: "r"})
        table.change(WHITE, {19: ".", 23: ".", 16: "w", 4: "."}, 3_000)
        assert moves(table.events) == ["16-19"]
        assert kinds(table.events) == ["own_piece_removed"]

    def test_the_other_players_man_moved_is_displaced(self) -> None:
        table = at_fen("B:W31,27:B9,1")
        table.reach(WHITE, {27, 32})  # he hovers over his men
        table.rest(800)
        over = (7, 10, 15, 18, 23)
        (event,) = irregular(table.change(RED, {31: ".", 26: "w"}, 3_000, over))
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

    @pytest.mark.parametrize(("side", "told"), [(RED, ["piece_added"]), (WHITE, [])])
    def test_a_piece_too_many_is_told_though_the_others_hand_rests_beside_the_board(
        self, side: Side, told: list[str]
    ) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {18: "w"}, 0)
        assert kinds(table.rest(1_800, Hand(side, ()))) == told

    @pytest.mark.parametrize(
        ("looks", "silent_ms", "then_ms"),
        [((-560, 0, -100, -800, -800), 4_500, 2_500), (None, 900, 400)],
        ids=["faint", "plain"],
    )
    def test_a_piece_too_many_is_told_soon_but_must_lie_there_for_long_where_it_is_faint(
        self, looks: Row | None, silent_ms: int, then_ms: int
    ) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.reach(WHITE, {18, 22})
        table.setup = replace(table.setup, {18: "r"})
        table.misread = {18: looks} if looks else {}
        table.reach(WHITE, {22}, 100)
        assert not kinds(table.rest(silent_ms))
        assert kinds(table.rest(then_ms)) == ["piece_added"]

    @pytest.mark.parametrize(
        ("start", "told"), [((-560, 0, -100, -800, -800), []), (None, ["piece_added"])]
    )
    def test_nor_is_one_told_soon_where_the_man_who_may_have_come_is_faintly_seen_to_have_stayed(
        self, start: Row | None, told: list[str]
    ) -> None:
        table = ready()
        table.reach(RED, {11, 15})
        table.setup = replace(START, {15: "r"})
        table.misread = {11: start} if start else {}
        table.reach(RED, {11, 15}, 200)
        assert kinds(table.rest(4_000)) == told

    def test_a_piece_is_put_elsewhere_by_a_hand_seen_only_where_it_went(self) -> None:
        table = ready()
        table.setup = replace(START, {9: "."})
        table.rest(100)
        events = table.change(RED, {18: "r"}, 4_000)
        assert kinds(events) == ["illegal_step"]

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

    def test_a_man_who_looks_still_there_under_an_arm_was_taken_up_all_the_same(self) -> None:
        """White takes on Red's man, who seems to stand where he was until the hand is elsewhere."""
        table = ready(frame_ms=100)
        table.change(RED, {11: ".", 15: "r"})
        table.reach(WHITE, {15, 18, 19})
        table.setup = replace(table.setup, {15: "."})
        table.misread = {15: RED_CLEARLY}
        table.reach(WHITE, {28, 32}, 400)
        table.misread = {}
        table.reach(WHITE, {28, 32}, 300)
        table.setup = replace(table.setup, {18: "r"})
        table.reach(WHITE, {22, 25, 30}, 100)
        assert kinds(table.rest(3_500)) == ["piece_displaced"]

    def test_so_was_one_who_lies_where_the_others_hand_has_been(self) -> None:
        """White's hand is seen only where he puts Red's king down."""
        table = at_fen("B:W31,32:BK30,1")
        table.change(RED, {30: ".", 25: "R"})
        table.setup = replace(table.setup, {25: "."})
        table.reach(WHITE, {16, 20, 24, 28})
        table.setup = replace(table.setup, {16: "R"})
        table.reach(WHITE, {24, 28}, 200)
        (told,) = (e for e in table.rest(3_500) if isinstance(e, Irregular))
        assert (told.kind.value, told.side, told.squares) == ("piece_displaced", WHITE, (25, 16))

    @pytest.mark.parametrize(("ms", "told"), [(150, ["piece_added"]), (600, []), (1_500, [])])
    def test_what_a_hand_brings_may_be_seen_before_the_hand(self, ms: int, told: list[str]) -> None:
        table = at_fen("B:W30,31:B9,10")
        table.setup = replace(table.setup, {3: "r"})
        table.rest(ms)
        table.reach(RED, {3})
        assert kinds(table.rest(4_000)) == told

    def test_nothing_is_thought_to_lie_on_a_square_that_no_hand_was_near(self) -> None:
        table = ready()
        table.misread = {18: HIDDEN[:1] * 5}  # type: ignore[dict-item]
        table.rest(12_000)
        assert kinds(table.change(WHITE, {30: "."}, 4_000)) == ["piece_removed"]


class TestInTheHand:
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


class TestPuttingRight:
    def test_what_was_done_to_put_the_board_right_was_no_play(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {30: "."}, 4_000)
        table.change(WHITE, {30: "w"})
        assert names(table.events)[-1] == "restored"
        assert table.game.tracker.rivalry.sure == len(table.game.moves)

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
        assert kinds(events) == ["wrong_turn"]
        assert not moves(table.change(WHITE, {24: ".", 20: "w"}, 4_000))
        assert moves(table.change(RED, {14: ".", 10: "r"})) == ["24-20"]
        assert moves(table.events) == ["11-15", "24-20"]
        assert len(kinds(table.events)) == 1

    def test_an_own_man_is_missed_though_the_jumped_one_seems_to_come_and_go(self) -> None:
        """The same is said of both."""
        table = at_fen("B:W15,32:B11,8,1")
        events = table.change(RED, {11: ".", 15: ".", 18: "r", 8: "."}, 400)
        for looks in 3 * [{}, {15: (-250, -500, -500, 0, -100)}]:
            table.misread = looks
            events += table.rest(500)
        assert [e.squares for e in events if isinstance(e, Irregular)] == [(11, 18, 8)]

    def test_another_own_man_taken_off_while_the_first_goes_back_is_told_of(self) -> None:
        table = at_fen("B:W15,32:B11,8,1")
        events = table.change(RED, {11: ".", 15: ".", 18: "r", 8: "."}, 4_000)
        events += table.change(RED, {8: "r", 1: "."}, 4_000)
        assert [e.squares for e in events if isinstance(e, Irregular)] == [
            (11, 18, 8, 15),
            (11, 18, 1, 15),
        ]

    def test_the_others_piece_taken_off_beside_a_plain_move_was_touched(self) -> None:
        """4.4 speaks of captures, 4.3 of the opponent's pieces."""
        (ruling,) = rulings(ready().change(RED, {9: ".", 13: "r", 32: "."}, 5_000))
        assert (ruling.rule, ruling.verdict) == ("WCDF 4.3", Verdict.WARNING)

    @pytest.mark.parametrize(
        ("taken", "pieces"), [(1, "pieces on 1, 14 and 22"), (32, "pieces on 14, 22 and 32")]
    )
    def test_with_a_capture_all_that_it_took_off_goes_back(self, taken: int, pieces: str) -> None:
        table = at_fen("B:W14,22,32:B9,1,2")
        changes = {9: ".", 14: ".", 22: ".", 25: "r", taken: "."}
        before = {square: table.setup[square - 1] for square in changes}
        (ruling,) = rulings(table.change(RED, changes, 5_000))
        order = f"Put the man back on 9, also the {pieces}, then play 9x18x25."
        assert ruling.text.endswith(order)
        assert names(table.change(RED, before)) == ["restored"]

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


class TestAsking:
    @pytest.mark.parametrize(("visited", "told"), [(False, ["piece_removed"]), (True, [])])
    def test_what_was_asked_about_may_be_right_when_somebody_has_been_there(
        self, visited: bool, told: list[str]
    ) -> None:
        """The man on 21 is taken off, and seen so but faintly at first."""
        table = ready()
        table.reach(RED, {21})
        table.misread = {21: (0, -200, -200, -100, -150)}
        table.reach(RED, {21}, 200)
        assert names(table.rest(4_500)) == ["unsure", "clock_held"]
        if visited:
            table.reach(RED, {21}, 600)
        table.misread = {}
        table.setup = replace(table.setup, {21: "."})
        assert kinds(table.rest(6_000)) == told

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

"""Play that is in order, followed from the first position on."""

from __future__ import annotations

import pytest

from referee.board import START, replace
from referee.commands import Word
from referee.events import Irregular, Played, Waiting
from referee.notation import parse_fen
from referee.observation import HIDDEN, Hand, Observation, certain
from referee.rules import Move
from referee.tracker import Tracker, observe
from referee.tracking.record import reached
from tests.table import MULTI, RED, SINGLE, WHITE, Table, at_fen, kinds, moves, names, ready


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

    @pytest.mark.parametrize(("stood_ms", "wait_ms"), [(1_300, 400), (300, 1_300)])
    def test_a_first_move_answered_before_it_was_told_begins_the_game(
        self, stood_ms: int, wait_ms: int
    ) -> None:
        """A man of White's has faintly looked a man of Red's until then. Where the first position
        has hardly been seen the board has to lie open for longer."""
        table = Table()
        table.misread = {23: (-700, 0, -100, -416, -500)}
        table.rest(stood_ms)
        table.reach(RED, {11, 16})
        table.setup = replace(START, {11: ".", 16: "r"})
        table.rest(150, Hand(RED, (11, 16)), Hand(WHITE, (18, 22)))
        table.reach(WHITE, {18, 22})
        table.setup = replace(table.setup, {22: ".", 18: "w"})
        table.misread = {}
        assert not moves(table.rest(wait_ms - 350))
        assert moves(table.rest(600)) == ["11-16", "22-18"]
        assert not kinds(table.events)

    def test_nothing_is_ruled_before_ready(self) -> None:
        table = Table()
        table.setup = "." * 10 + START[10:]
        table.rest(4_000)
        assert not kinds(table.change(WHITE, {32: "."}, 5_000))


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
    for plies in (12, 80):  # of the last ten some may have been put back
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

"""Kings that go to and fro before the board has lain still: none of it is lost without a word."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from referee.board import Side, replace, side_of
from referee.commands import Word
from referee.events import Unsure
from referee.observation import Hand
from tests.table import RED, WHITE, Table, at_fen, kinds, moves, touches

FRAME_MS = 180
"""A camera that sees each of so quick moves in two or three pictures."""


def kings(frame_ms: int = FRAME_MS) -> Table:
    """Red has gone 32-28, and it is White's turn."""
    table = at_fen("B:WK21:BK32", frame_ms=frame_ms)
    table.change(RED, {32: ".", 28: "R"})
    assert moves(table.events) == ["32-28"]
    return table


def goes(table: Table, side: Side, start: int, end: int) -> None:
    """A piece goes from one square to another, the other player's hand being next to come."""
    frame_ms, piece = table.frame_ms, table.setup[start - 1]
    table.reach(side, {start}, frame_ms)
    table.reach(side, {start, end}, frame_ms)
    table.setup = replace(table.setup, {start: ".", end: piece})
    table.reach(side, {end}, frame_ms)


def go(table: Table, moves: str, rests: Iterable[int]) -> None:
    """Such moves, all hands being off for so many pictures after each."""
    for text, rest in zip(moves.split(), rests, strict=True):
        start, end = map(int, text.split("-"))
        side = side_of(table.setup[start - 1])
        assert side is not None
        goes(table, side, start, end)
        table.rest(rest * table.frame_ms)
    table.rest(4_000)


def show(table: Table, film: Iterable[tuple[str, dict[int, str]]]) -> None:
    """Pictures, each with the squares below White's hand and below Red's, and what has changed."""
    for below, changes in film:
        table.setup = replace(table.setup, changes)
        hands = zip((WHITE, RED), below.split("/"), strict=True)
        over = ((side, tuple(map(int, squares.split()))) for side, squares in hands)
        table.rest(table.frame_ms, *(Hand(side, squares) for side, squares in over if squares))
    table.rest(4_000)


def asked(table: Table) -> list[Unsure]:
    return [event for event in table.events if isinstance(event, Unsure)]


TRIP = "21-17 28-32 17-21 32-28"


class TestToAndFro:
    @pytest.mark.parametrize(
        "rests", [(1, 1, 1, 1), (1, 0, 2, 1), (2, 0, 1, 0), (1, 1, 0, 0), (2, 2, 0, 0)]
    )
    def test_each_move_that_was_seen_to_lie_there_is_told(self, rests: tuple[int, ...]) -> None:
        table = kings()
        go(table, TRIP, rests)
        table.change(WHITE, {21: ".", 25: "W"})
        assert moves(table.events)[1:] == ["21-17", "28-32", "17-21", "32-28", "21-25"]
        assert not [*kinds(table.events), *touches(table), *asked(table)]

    def test_of_what_was_seen_under_hands_alone_it_is_asked(self) -> None:
        table = kings()
        go(table, TRIP, (0, 0, 0, 0))
        (question,) = asked(table)
        assert question.candidates == ("32-28 21-17 28-32 17-21 32-28", "32-28")
        table.change(WHITE, {21: ".", 25: "W"})
        assert moves(table.events)[1:] == ["21-17", "28-32", "17-21", "32-28", "21-25"]
        assert not [*kinds(table.events), *touches(table)]

    def test_nor_is_a_piece_said_to_have_been_touched_of_which_it_is_asked(self) -> None:
        table = kings(frame_ms=50)
        go(table, TRIP, (0, 2, 0, 0))
        assert len(asked(table)) == 1
        assert not touches(table)

    def test_a_person_may_choose_that_nobody_has_moved(self) -> None:
        table = kings()
        go(table, TRIP, (0, 0, 0, 0))
        table.say(Word.CHOOSE, text="2")
        table.change(WHITE, {21: ".", 25: "W"})
        assert list(map(str, table.game.moves)) == ["32-28", "21-25"]

    def test_so_it_is_where_nothing_is_on_record_yet(self) -> None:
        table = at_fen("W:WK21:BK28", frame_ms=FRAME_MS)
        go(table, TRIP, (0, 0, 0, 0))
        (question,) = asked(table)
        assert question.candidates == (TRIP,)
        assert moves(table.events) == TRIP.split()
        assert not touches(table)

    def test_who_has_been_crowned_meanwhile_has_gone_all_the_same(self) -> None:
        table = at_fen("B:WK8:B27", frame_ms=150)
        goes(table, RED, 27, 31)
        table.reach(WHITE, {31}, 150)
        table.setup = replace(table.setup, {31: "R"})
        go(table, "8-4 31-27 4-8", (0, 0, 0))
        table.change(RED, {27: ".", 24: "R"})
        assert moves(table.events) == ["27-31", "8-4", "31-27", "4-8", "27-24"]
        assert not kinds(table.events)

    def test_one_king_alone_that_comes_back_has_not_moved(self) -> None:
        table = kings()
        go(table, "21-17 17-21", (0, 0))
        assert moves(table.events) == ["32-28"]
        assert not [*kinds(table.events), *asked(table)]

    def test_nor_is_a_shorter_way_believed_that_was_out_of_the_question(self) -> None:
        """When the last of them lies there, one move alone would have led to it too."""
        table = at_fen("B:WK8,K13:BK27", frame_ms=100)
        go(table, "27-32 8-11 32-28 11-8 28-24", (2, 0, 2, 1, 0))
        assert moves(table.events) == ["27-32", "8-11", "32-28", "11-8", "28-24"]

    def test_nor_is_it_played_while_all_that_is_likely_begins_otherwise(self) -> None:
        table = at_fen("B:WK1,K6,K30:BK32,K19", frame_ms=150)
        game = "19-24 6-2 24-19 1-5 19-16 5-1"
        go(table, game, (2, 0, 0, 2, 1, 0))
        assert moves(table.events) == game.split()

    def test_squares_to_which_others_have_led_back_tell_of_no_move(self) -> None:
        table = at_fen("W:WK2,K3:BK27,K31", frame_ms=150)
        game = "2-6 27-23 6-2 23-18 2-6 18-23"
        go(table, game, (0, 0, 1, 0, 0, 0))
        assert moves(table.events) == game.split()
        assert not asked(table)

    def test_a_king_may_stop_below_hands_where_he_has_never_been_seen(self) -> None:
        table = at_fen("W:WK28:BK6,K31", frame_ms=100)
        show(
            table,
            [
                ("28/", {}),
                ("32/6", {28: ".", 32: "W"}),
                ("32/1", {6: "."}),
                ("32/1", {1: "R"}),
                ("32/", {}),
                ("27/", {32: "."}),
                ("27/", {27: "W"}),
                ("/", {}),
                ("/", {}),
                ("/2 3 7 10 11 15 18 19 23 26 27 31", {}),
                ("/2 3 7 10 11 15 18 19 23 26 27 31", {31: "."}),
                ("/3 4 8 11 12 16 19 20 24", {}),
                ("/3 4 8 11 12 16 19 20 24", {27: ".", 24: "R"}),
            ],
        )
        assert moves(table.events) == ["28-32", "6-1", "32-27", "31x24"]


@pytest.mark.parametrize(
    ("fen", "changes"),
    [
        pytest.param(
            "B:W14,18,32:BK9,1", ({9: "."}, {23: "R"}, {14: "."}, {18: "."}), id="two-men-in-a-row"
        ),
        pytest.param(
            "B:W17,21,32:BK14,1", ({17: "."}, {14: "."}, {17: "R"}), id="as-kings-take-at-chess"
        ),
    ],
)
def test_what_a_king_captures_unlawfully_is_no_row_of_moves(
    fen: str, changes: tuple[dict[int, str], ...]
) -> None:
    """Red's hand alone is there, though 9-5 14-9 5x23, or 14-10 17-14 10x17, leads there too."""
    table = at_fen(fen)
    table.reach(WHITE, {32})  # as nobody is accused where the other's hand is never seen
    table.rest(1_000)
    table.reach(RED, {*changes[0]})
    for change in changes:
        table.change(RED, change, 0)
    table.rest(8_000)
    assert kinds(table.events) == ["illegal_step"]
    assert not moves(table.events)
    assert not asked(table)


def test_one_person_who_plays_both_sides_is_accused_of_none() -> None:
    """All from Red's chair: 14-10 17-14 10x17, after two moves that were seen to be his as well."""
    table = at_fen("B:W22,21,32:BK14,1")
    table.change(RED, {1: ".", 6: "r"})
    table.change(RED, {22: ".", 17: "w"})
    assert moves(table.events) == ["1-6", "22-17"]
    table.reach(WHITE, {32})
    table.rest(1_000)
    for changes in ({17: "."}, {14: "."}, {17: "R"}):
        table.change(RED, changes, 0)
    table.rest(8_000)
    assert not kinds(table.events)


def test_nor_is_one_whose_pieces_were_seen_on_their_way() -> None:
    """8-11 20-16 11x20 leaves the king on the square of the man that he has taken."""
    table = at_fen("B:W20,31,32:BK8,1,2", frame_ms=200)
    table.reach(WHITE, {32})
    table.rest(1_000)
    for changes in ({8: ".", 11: "R"}, {20: ".", 16: "w"}, {11: ".", 16: ".", 20: "R"}):
        table.change(RED, changes, 0)
    table.rest(8_000)
    assert not kinds(table.events)


def test_where_both_hands_were_there_nobody_is_accused() -> None:
    table = at_fen("B:W17,21,32:BK14,1")
    for side, change in ((RED, {14: "."}), (WHITE, {17: "."}), (RED, {17: "R"})):
        table.change(side, change, 0)
    table.rest(8_000)
    assert not kinds(table.events)

"""Lawful moves, what they lead to, and why others are not lawful."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import draughts
import pytest
from hypothesis import given

from referee import rules
from referee.board import EMPTY, START, Side, at, difference, replace
from referee.errors import IllegalMove
from referee.notation import fen, parse_fen
from referee.rules import Fault, Move, Position, after, lawful_moves
from tests.strategies import placed_positions, played_positions, positions, setup


def texts(position: Position) -> list[str]:
    return [str(move) for move in lawful_moves(position)]


def lawful(position: Position, text: str) -> Move:
    (move,) = (move for move in lawful_moves(position) if str(move) == text)
    return move


# --- The tree and an independent generator --------------------------------------------------


def perft(position: Position, depth: int) -> int:
    """The number of ways to play `depth` moves, the usual measure of a move generator."""
    if depth == 0:
        return 1
    moves = lawful_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(after(position, move), depth - 1) for move in moves)


@pytest.mark.parametrize(
    ("depth", "nodes"),
    [(0, 1), (1, 7), (2, 49), (3, 302), (4, 1_469), (5, 7_361), (6, 36_768), (8, 845_931)],
)
def test_number_of_games_is_the_published_one(depth: int, nodes: int) -> None:
    """Counts of OEIS A133046, also published by Aart Bik."""
    assert perft(Position.start(), depth) == nodes


def peer_moves(position: Position) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    peer = draughts.Board(variant="english", fen=fen(position))
    return sorted((tuple(m.steps_move), tuple(m.captures)) for m in peer.legal_moves())


def our_moves(position: Position) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return sorted((move.path, move.captured) for move in lawful_moves(position))


@pytest.mark.parametrize(
    ("source", "seed"),
    [
        pytest.param(played_positions, 1, id="random-play"),
        pytest.param(placed_positions, 2, id="random-boards-with-many-kings"),
    ],
)
def test_an_independent_generator_agrees(
    source: Callable[[int], Iterator[Position]], seed: int
) -> None:
    for position in islice(source(seed), 1500):
        assert our_moves(position) == peer_moves(position), fen(position)


# --- Positions ------------------------------------------------------------------------------


def test_the_start_has_no_problem() -> None:
    assert Position.start() == Position(START, Side.RED)
    assert Position.start().problems() == ()


def test_every_problem_is_said() -> None:
    spoilt = replace("r" * 13 + EMPTY * 7 + "w" * 12, {1: "w", 20: "x", 30: "r"})
    problems = " / ".join(Position(spoilt, Side.RED).problems())
    assert "white man on 1 stands on its king-row" in problems
    assert "red man on 30 stands on its king-row" in problems
    assert "square 20 has the unknown sign 'x'" in problems
    assert "red has 13 pieces" in problems
    assert problems.count("/") == 3


@pytest.mark.parametrize("sign", ["?", " ", "b"])
def test_a_position_knows_every_square(sign: str) -> None:
    assert Position(replace(START, {16: sign}), Side.RED).problems() == (
        f"square 16 has the unknown sign {sign!r}",
    )


def test_a_board_without_a_piece_is_no_position() -> None:
    assert Position(EMPTY * 32, Side.RED).problems() == ("there is no piece on the board",)
    assert not Position(replace(EMPTY * 32, {18: "R"}), Side.RED).problems()


def test_a_setup_has_32_squares() -> None:
    assert Position("r", Side.RED).problems() == ("a setup has 32 squares, not 1",)


# --- Moves ----------------------------------------------------------------------------------


LAWFUL = [
    pytest.param("B:W32:B14", ["14-17", "14-18"], id="man-forward-only"),
    pytest.param("W:W14:B1", ["14-9", "14-10"], id="white-man-up-the-board"),
    pytest.param("B:W32:BK14", ["14-9", "14-10", "14-17", "14-18"], id="king-all-ways"),
    pytest.param("B:W32:B13", ["13-17"], id="man-at-the-edge"),
    pytest.param("B:W18:B14,1", ["14x23"], id="capture-is-compulsory"),
    pytest.param("B:W10,18:B14", ["14x23"], id="man-does-not-jump-backward"),
    pytest.param("B:W10,18:BK14", ["14x7", "14x23"], id="king-jumps-backward"),
    pytest.param("B:WK18:B14", ["14x23"], id="man-jumps-a-king"),
    pytest.param("B:W18,23:B14", ["14-17"], id="no-jump-onto-a-piece"),
    pytest.param("B:W32:B14,18", ["14-17", "18-22", "18-23"], id="no-jump-over-its-own"),
    pytest.param("B:W18,27:B14", ["14x23x32"], id="jump-must-be-finished"),
    pytest.param("B:W7,15,16,24:B3,12", ["3x10x19x28", "12x19x28"], id="free-choice-not-the-most"),
    pytest.param("B:W25,26:B21", ["21x30"], id="man-stops-on-crowning"),
    pytest.param("B:W25,26:BK21", ["21x30x23"], id="king-jumps-on-through-its-king-row"),
    pytest.param(
        "B:W6,7,14,15,32:BK2",
        ["2x9x18x11x2", "2x11x18x9x2"],
        id="king-round-a-diamond-to-its-own-square-both-ways",
    ),
    pytest.param("B:W6,7,14,15,32:B2", ["2x9x18", "2x11x18"], id="two-ways-to-one-square"),
    pytest.param("B:W9,10:B5,6", ["5x14", "6x13", "6x15"], id="to-either-side"),
    pytest.param("W:W5:B1", [], id="blocked"),
    pytest.param("W:W:B1", [], id="no-piece-left"),
]


@pytest.mark.parametrize(("text", "expected"), LAWFUL)
def test_lawful_moves(text: str, expected: list[str]) -> None:
    position = parse_fen(text)
    assert texts(position) == expected
    assert rules.has_no_move(position) is (not expected)


def test_plain_moves_and_captures_are_told_apart() -> None:
    position = parse_fen("B:W18:B14,1")
    assert [str(move) for move in rules.captures(position)] == ["14x23"]
    assert [str(move) for move in rules.plain_moves(position)] == ["1-5", "1-6", "14-17"]


def test_a_move_tells_what_it_does() -> None:
    move = lawful(parse_fen("B:W18,27:B14"), "14x23x32")
    assert move == Move((14, 23, 32), (18, 27), "r")
    assert (move.start, move.end, move.is_capture, move.crowns) == (14, 32, True, True)
    step = lawful(Position.start(), "11-15")
    assert (step.is_capture, step.crowns) == (False, False)
    assert not lawful(parse_fen("B:W21:BK28"), "28-32").crowns


# --- Playing --------------------------------------------------------------------------------


def test_a_capture_removes_crowns_and_passes_the_turn() -> None:
    before = Position(
        setup(
            """
 . . . .
. . . .
 . . . .
. r . .
 . w . .
. . . .
 . . w .
. . . .
"""
        ),
        Side.RED,
    )
    reached = rules.play(before, lawful(before, "14x23x32"))
    assert reached.setup == replace(EMPTY * 32, {32: "R"})
    assert reached.turn is Side.WHITE


def test_a_king_round_the_diamond_only_clears_it() -> None:
    before = parse_fen("B:W6,7,14,15,32:BK2")
    reached = {rules.play(before, move) for move in lawful_moves(before)}
    assert [fen(position) for position in reached] == ["W:W32:BK2"]


@pytest.mark.parametrize("seed", range(4))
def test_moves_change_what_they_say_and_nothing_else(seed: int) -> None:
    for source in (played_positions(seed), placed_positions(seed)):
        for position in islice(source, 150):
            assert not position.problems()
            for move in lawful_moves(position):
                reached = after(position, move)
                named = {move.start, move.end, *move.captured} - (
                    {move.start} if move.start == move.end else set()
                )
                assert set(difference(position.setup, reached.setup)) == named
                assert not reached.problems()
                assert all(position.turn.other.owns(at(position.setup, s)) for s in move.captured)


@given(positions())
def test_lawful_moves_of_any_position_can_be_played(position: Position) -> None:
    moves = lawful_moves(position)
    assert len(set(moves)) == len(moves)
    for move in moves:
        assert rules.play(position, move).turn is position.turn.other


def test_an_unlawful_move_is_refused_with_those_that_are_lawful() -> None:
    position = parse_fen("B:W18:B14,1")
    with pytest.raises(IllegalMove, match=r"1-5 .*compulsory; lawful moves: 14x23$"):
        rules.play(position, Move((1, 5), (), "r"))
    with pytest.raises(ValueError, match="lawful"):
        rules.play(position, Move((14, 23), (), "r"))


# --- What is not lawful ---------------------------------------------------------------------


def test_captures_broken_off_are_known() -> None:
    position = parse_fen("B:W7,15,16,24:B3,12")
    short = rules.unfinished(position)
    assert [str(move) for move in short] == ["3x10", "3x10x19", "12x19"]
    assert not set(short) & set(lawful_moves(position))


@pytest.mark.parametrize(
    ("text", "start", "end", "fault"),
    [
        pytest.param("B:W32:B14", 14, 18, None, id="lawful"),
        pytest.param("B:W18,27:B14", 14, 32, None, id="lawful-capture-by-its-ends"),
        pytest.param("B:W32:B14", 15, 18, Fault.NO_PIECE, id="nothing-there"),
        pytest.param("B:W22:B14", 22, 18, Fault.WRONG_TURN, id="wrong-turn"),
        pytest.param("B:W18:B14", 14, 18, Fault.OCCUPIED, id="onto-a-piece"),
        pytest.param("B:W18:B14,1", 1, 5, Fault.CAPTURE_MISSED, id="capture-missed"),
        pytest.param("B:W18,27:B14", 14, 23, Fault.CAPTURE_UNFINISHED, id="broken-off"),
        pytest.param("B:W32:B14", 14, 10, Fault.BACKWARD, id="man-backward"),
        pytest.param("B:W10:B14", 14, 7, Fault.BACKWARD, id="man-jumps-backward"),
        pytest.param("B:W26,25:B23", 23, 21, Fault.KING_ROW, id="on-from-the-king-row"),
        pytest.param("B:W10,25:B14", 14, 7, Fault.BACKWARD, id="man-jumps-backward-still"),
        pytest.param("B:W15,8,32:B18,1", 18, 11, Fault.BACKWARD, id="where-a-king-would-go-on"),
        pytest.param("B:W26,27,19,11:B22", 22, 24, Fault.KING_ROW, id="where-he-would-as-king"),
        pytest.param("B:W32:B14", 14, 22, Fault.DISTANCE, id="too-far"),
        pytest.param("B:W32:B14,18", 14, 23, Fault.OWN_BETWEEN, id="over-its-own"),
        pytest.param("B:W32:B14", 14, 23, Fault.NONE_BETWEEN, id="over-nobody"),
        pytest.param("B:W32:B14", 14, 14, Fault.DISTANCE, id="stays-where-it-is"),
    ],
)
def test_why_not(text: str, start: int, end: int, fault: Fault | None) -> None:
    assert rules.why_not(parse_fen(text), start, end) is fault


@given(positions())
def test_only_lawful_moves_have_no_fault(position: Position) -> None:
    lawful_ends = {(move.start, move.end) for move in lawful_moves(position)}
    for start in (1, 14, 18, 32):
        for end in range(1, 33):
            fault = rules.why_not(position, start, end)
            assert (fault is None) is ((start, end) in lawful_ends)

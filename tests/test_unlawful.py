"""Two promises, for any position: what is lawful is never accused, and what is not never counts
as a move."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import HealthCheck, assume, given, seed, settings
from hypothesis import strategies as st

from referee.board import EMPTY, SQUARES, Side, at, difference, replace, side_of
from referee.rules import Position, after, lawful_moves
from referee.sight import GROUP_OF
from tests.strategies import positions
from tests.table import kinds, moves, ready

FRAME_MS = 150
quick = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


def owners(setup: str) -> tuple[int, ...]:
    """Who stands where, ranks aside: the one thing that every eye can tell."""
    return tuple(GROUP_OF[piece] for piece in setup)


@seed(1)
@quick
@given(positions(), st.data())
def test_a_lawful_move_is_played_and_nobody_is_accused(
    position: Position, data: st.DataObject
) -> None:
    choice = lawful_moves(position)
    assume(choice)
    move = data.draw(st.sampled_from(choice))
    alike = [m for m in choice if owners(after(position, m).setup) == owners(position.setup)]
    assume(not alike)  # a king that runs a full circle and takes nothing cannot be seen to move
    table = ready(position, frame_ms=FRAME_MS)
    now = after(position, move).setup
    table.change(position.turn, {s: at(now, s) for s in difference(position.setup, now)}, 4_500)
    assert not kinds(table.events)
    assert len(moves(table.events)) == 1
    assert owners(table.game.position.setup) == owners(now)


@seed(2)
@quick
@given(positions(), st.data())
def test_a_move_on_its_way_is_neither_played_nor_accused_under_the_hand(
    position: Position, data: st.DataObject
) -> None:
    choice = lawful_moves(position)
    assume(choice)
    move = data.draw(st.sampled_from(choice))
    beside = next(square for square in SQUARES if square not in move.squares)
    table = ready(position, frame_ms=FRAME_MS)
    for place in move.path[1:]:
        table.setup = replace(position.setup, {move.start: EMPTY, place: move.piece})
        # What is jumped has yet to come off, so where the piece has gone may be seen.
        table.reach(position.turn, {beside if move.captured else place}, 3_000)
    assert not kinds(table.events)
    assert not moves(table.events)


@seed(3)
@quick
@given(positions(), st.data())
def test_an_unlawful_board_never_becomes_a_move(position: Position, data: st.DataObject) -> None:
    changes = data.draw(tamperings(position))
    now = replace(position.setup, changes)
    assume(owners(now) not in set(reachable(position)))
    table = ready(position, frame_ms=FRAME_MS)
    table.change(data.draw(st.sampled_from(list(Side))), changes, 6_000)
    assert not moves(table.events)
    assert table.game.position == position


@seed(4)
@quick
@given(positions(), st.data())
def test_nor_does_one_that_follows_a_move_too_quick_to_be_sure_of(
    position: Position, data: st.DataObject
) -> None:
    choice = lawful_moves(position)
    assume(choice)
    move = data.draw(st.sampled_from(choice))
    now = after(position, move)
    changes = data.draw(tamperings(now))
    assume(owners(replace(now.setup, changes)) not in set(reachable(position, 3)))
    table = ready(position, frame_ms=FRAME_MS)
    done = {s: at(now.setup, s) for s in difference(position.setup, now.setup)}
    table.change(position.turn, done, 2 * FRAME_MS)
    table.change(data.draw(st.sampled_from(list(Side))), changes, 6_000)
    assert len(table.game.moves) <= 1


@st.composite
def tamperings(draw: st.DrawFn, position: Position) -> dict[int, str]:
    """One to three pieces put elsewhere, taken off, or put on."""
    changes: dict[int, str] = {}
    for _ in range(draw(st.integers(1, 3))):
        setup = replace(position.setup, changes)
        pieces = [s for s in SQUARES if side_of(at(setup, s))]
        free = [s for s in SQUARES if at(setup, s) == EMPTY]
        deed = draw(st.sampled_from(["displace", "remove", "add"]))
        if deed == "add" and free:
            changes[draw(st.sampled_from(free))] = draw(st.sampled_from("RW"))
        elif pieces:
            start = draw(st.sampled_from(pieces))
            changes[start] = EMPTY
            if deed == "displace" and free:
                changes[draw(st.sampled_from(free))] = at(setup, start)
    return changes


def reachable(position: Position, moves: int = 2) -> Iterator[tuple[int, ...]]:
    """How the board can look after at most so many lawful moves: they may pass between two
    looks."""
    yield owners(position.setup)
    if moves:
        for move in lawful_moves(position):
            yield from reachable(after(position, move), moves - 1)

"""Players begin before the first position was seen: what has been played is taken down."""

from __future__ import annotations

import numpy as np
import pytest

from hardware.camera import Frame
from referee.board import START, Side, replace
from referee.commands import Word
from referee.events import Event, Played, Ready, Waiting
from referee.game import begin
from referee.watching import Step, follow
from tests.boards import draw_board, view_from
from tests.eyes import calibrated
from tests.table import RED, WHITE, Table, names, ready

MAN, OTHER = RED.man, WHITE.man
MOVED = {11: ".", 15: MAN}
ANSWERED = MOVED | {22: ".", 18: OTHER}
TAKEN = {11: ".", 16: MAN, 24: ".", 19: OTHER}
VIEW = view_from(25)


def after_rest(changes: dict[int, str], ms: int) -> list[Event]:
    """What is told of a board that lies open for some time, and nothing has stood on before."""
    table = Table()
    table.setup = replace(START, changes)
    return table.rest(ms)


def played(events: list[Event]) -> list[str]:
    return [str(event.move) for event in events if isinstance(event, Played)]


@pytest.mark.parametrize(
    ("changes", "moves"),
    [(MOVED, ["11-15"]), (ANSWERED, ["11-15", "22-18"]), (TAKEN, ["11-16", "24-19"])],
)
def test_a_game_that_began_before_anybody_looked_is_caught_up_with(
    changes: dict[int, str], moves: list[str]
) -> None:
    events = after_rest(changes, 3_500)
    assert isinstance(events[0], Ready)
    assert played(events) == moves


@pytest.mark.parametrize("starts", [1, 2])
@pytest.mark.parametrize("answered", [False, True])
def test_what_the_game_before_has_left_is_no_move_of_the_next(answered: bool, starts: int) -> None:
    """The players put the pieces up anew, nobody is accused, and they play what they like."""
    table = ready()
    table.change(RED, {11: ".", 15: MAN})
    if answered:
        table.change(WHITE, {22: ".", 18: OTHER})
    for _ in range(starts):
        table.say(Word.START)
    assert names(table.rest(6_000)) == ["waiting"]
    before = len(table.events)
    table.change(RED, {11: MAN, 15: "."})
    table.change(WHITE, {22: OTHER, 18: "."})
    table.rest(3_000)
    table.change(RED, {11: ".", 15: MAN})
    assert names(table.events[before:]) == ["ready", "played"]


@pytest.mark.parametrize(("changes", "turn"), [(MOVED, WHITE), (ANSWERED, RED)])
def test_the_clock_runs_for_the_player_to_move(changes: dict[int, str], turn: Side) -> None:
    table = Table()
    table.setup = replace(START, changes)
    table.rest(3_500)
    clock = table.game.clock
    assert clock is not None
    assert (table.game.position.turn, clock.side) == (turn, turn)


@pytest.mark.parametrize(("changes", "ms"), [(MOVED, 2_900), (ANSWERED, 900)])
def test_nothing_has_been_played_until_the_board_has_lain_open(
    changes: dict[int, str], ms: int
) -> None:
    assert not after_rest(changes, ms)


@pytest.mark.parametrize(
    "changes",
    [
        {11: "."},
        {11: ".", 18: MAN},
        {22: ".", 18: OTHER},
        ANSWERED | {9: ".", 14: MAN},
        ANSWERED | {1: "."},
    ],
)
def test_the_first_position_is_waited_for_where_no_move_and_answer_lead(
    changes: dict[int, str],
) -> None:
    assert [type(event) for event in after_rest(changes, 6_000)] == [Waiting]


def test_quick_play_since_is_followed_from_move_to_move() -> None:
    """The board never lies open for long, and what lies there in the end a move and its answer do
    not explain."""
    table = Table()
    table.setup = replace(START, MOVED)
    table.rest(900)
    table.change(WHITE, {22: ".", 18: OTHER}, 600)
    table.change(RED, {15: ".", 18: ".", 22: MAN}, 600)
    table.change(WHITE, {25: ".", 22: ".", 18: OTHER}, 3_000)
    assert played(table.events) == ["11-15", "22-18", "15x22", "25x18"]


@pytest.mark.parametrize(("found", "moves"), [(True, ["11-15", "22-18", "15x22"]), (False, [])])
def test_quick_play_from_a_position_that_was_found_standing_but_for_a_moment(
    found: bool, moves: list[str]
) -> None:
    """Where a hand has been seen before, it may not have stood."""
    table = Table()
    if not found:
        table.reach(WHITE, {22})
    table.rest(300)
    table.change(RED, MOVED, 400)
    table.change(WHITE, {22: ".", 18: OTHER}, 400)
    table.change(RED, {15: ".", 18: ".", 22: MAN}, 400)
    assert played(table.events) == moves


def test_hands_may_still_be_setting_up() -> None:
    table = Table()
    table.setup = replace(START, MOVED)
    for _ in range(4):
        table.rest(2_000)
        table.reach(RED, (11, 15))
    assert not table.events


def steps(setup: str, known: bool) -> list[Step]:
    """What comes of four seconds of drawn boards, with a kept calibration or without."""
    shots = [draw_board(VIEW, setup, seed=seed) for seed in range(3)]
    frames = [Frame(shots[ms // 100 % 3], ms) for ms in range(0, 4_000, 100)]
    return list(follow(frames, begin(), calibrated()[1] if known else None))


@pytest.mark.parametrize("known", [False, True])
def test_the_set_is_learnt_from_a_game_that_has_begun(known: bool) -> None:
    seen = steps(replace(START, ANSWERED), known)
    assert played([event for step in seen for event in step.events]) == ["11-15", "22-18"]
    assert seen[-1].calibrated


def test_of_a_board_without_that_the_first_position_is_waited_for() -> None:
    seen = steps(replace(START, ANSWERED | {1: ".", 2: ".", 3: "."}), known=False)
    assert not seen[-1].calibrated
    assert "1, 2, 3" in str(seen[0].events[0])


def test_a_kept_set_is_not_looked_for_once_the_game_has_gone_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def noted(image: np.ndarray, *_: object) -> None:
        asked.append(image.size)

    monkeypatch.setattr("referee.watching.find_again", noted)
    assert steps(replace(START, ANSWERED), known=True)[-1].game.tracker.plies
    assert len(asked) == 1

"""The whole step: commands, results, the record, and that replays repeat."""

from __future__ import annotations

import random

import pytest

from referee import game as games
from referee.board import EMPTY, START, Side, replace
from referee.commands import Command, Word
from referee.events import Corrected, Refused, Result, Ruling
from referee.notation import parse_fen, parse_pdn, write_pdn
from referee.observation import Hand, Observation, certain
from referee.rules import Position, after, lawful_moves
from tests.table import RED, WHITE, Table, moves, names, ready, rulings

LAST = "B:W22:B18,1"
"""Red takes White's only man."""


def results(table: Table) -> list[str]:
    return [event.result for event in table.events if isinstance(event, Result)]


class TestResults:
    def test_a_player_without_a_piece_has_lost(self) -> None:
        table = ready(parse_fen(LAST))
        table.change(RED, {18: ".", 22: ".", 25: "r"})
        assert results(table) == ["1-0"]
        (ruling,) = [r for r in rulings(table.events) if r.verdict.value == "win"]
        assert (ruling.side, ruling.rule) == (RED, "WCDF 6.2")
        assert isinstance(table.events[ruling.cause], Result)

    def test_after_the_end_nothing_is_ruled(self) -> None:
        table = ready(parse_fen(LAST))
        table.change(RED, {18: ".", 22: ".", 25: "r"})
        assert not table.change(WHITE, {1: "."}, 5_000)

    def test_resigning(self) -> None:
        table = ready()
        assert names(table.say(Word.RESIGN, WHITE)) == ["result", "ruling"]
        assert results(table) == ["1-0"]
        assert isinstance(table.say(Word.RESIGN, RED)[0], Refused)

    def test_a_draw_needs_both(self) -> None:
        table = ready()
        assert isinstance(table.say(Word.ACCEPT_DRAW, RED)[0], Refused)
        assert names(table.say(Word.OFFER_DRAW, RED)) == ["draw_offered"]
        assert isinstance(table.say(Word.ACCEPT_DRAW, RED)[0], Refused)
        assert names(table.say(Word.DECLINE_DRAW, WHITE)) == ["draw_declined"]
        table.say(Word.OFFER_DRAW, RED)
        table.say(Word.ACCEPT_DRAW, WHITE)
        assert results(table) == ["1/2-1/2"]

    def test_a_result_that_is_none_is_refused(self) -> None:
        table = ready()
        assert isinstance(table.say(Word.RESULT, text="2-0")[0], Refused)
        table.say(Word.RESULT, text="0-1")
        assert results(table) == ["0-1"]


class TestCorrecting:
    def test_the_last_move_is_replaced(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        events = table.say(Word.CORRECT, text="11-16")
        assert names(events) == ["corrected", "played"]
        assert isinstance(events[0], Corrected)
        assert events[0].undone == ("11-15",)
        table.setup = replace(START, {11: ".", 16: "r"})
        table.rest(2_000)
        assert moves(table.change(WHITE, {22: ".", 18: "w"})) == ["22-18"]

    def test_the_last_move_is_taken_back(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r"})
        table.say(Word.CORRECT)
        assert table.game.position == Position.start()

    def test_an_irregular_board_is_let_stand_as_a_move(self) -> None:
        table = ready()
        table.change(RED, {11: ".", 15: "r", 30: "."}, 3_000)
        table.say(Word.OVERRULE, text="11-15")
        assert moves(table.events)[-1] == "11-15"

    def test_nonsense_is_refused_and_changes_nothing(self) -> None:
        table = ready()
        before = table.game
        for text in ("12-30", "hello", "B:Wx:B"):
            assert isinstance(table.say(Word.CORRECT, text=text)[0], Refused)
        assert table.game.position == before.position
        assert table.game.count == before.count + 3

    def test_a_position_is_set(self) -> None:
        table = ready()
        table.say(Word.SET_POSITION, text="W:W32:BK1")
        assert table.game.position == parse_fen("W:W32:BK1")
        table.setup = parse_fen("W:W32:BK1").setup
        assert names(table.rest(2_000)) == ["ready"]


def test_pausing_looks_away() -> None:
    table = ready()
    assert names(table.say(Word.PAUSE)) == ["not_watching"]
    assert not table.change(WHITE, {22: ".", 18: "w"}, 4_000)
    table.setup = START
    table.say(Word.RESUME)
    assert names(table.rest(2_000)) == ["watching"]


def test_every_ruling_names_its_cause() -> None:
    table = ready()
    table.change(WHITE, {22: ".", 18: "w"}, 3_000)
    (ruling,) = rulings(table.events)
    assert table.events[ruling.cause].name == "irregular"
    assert "It is Red's turn" in ruling.text


def test_records_are_plain() -> None:
    table = ready()
    table.change(WHITE, {22: ".", 18: "w"}, 3_000)
    ruling = next(e for e in table.events if isinstance(e, Ruling)).record()
    assert ruling["verdict"] == "warning"
    assert ruling["side"] == "white"
    assert Command(5, Word.RESIGN, Side.RED).record() == {
        "time_ms": 5,
        "command": "resign",
        "side": "red",
        "text": "",
    }


def inputs(seed: int, plies: int) -> list[Observation]:
    """A random game under hands, frame by frame."""
    rng, position, time_ms, seen = random.Random(seed), Position.start(), 0, list[Observation]()

    def show(setup: str, frames: int, hands: tuple[Hand, ...] = ()) -> None:
        nonlocal time_ms
        for _ in range(frames):
            time_ms += rng.randint(70, 130)
            seen.append(Observation(time_ms, certain(setup), hands))

    show(START, 12)
    for _ in range(plies):
        if not (lawful := lawful_moves(position)):
            break
        move = rng.choice(lawful)
        covered = {*move.path, *move.captured}
        now = after(position, move)
        hidden = replace(position.setup, dict.fromkeys(covered, "?"))
        show(hidden, 4, (Hand(position.turn, tuple(sorted(covered))),))
        show(now.setup, 8)
        position = now
    return seen


@pytest.mark.parametrize("seed", range(3))
def test_a_random_game_is_recorded_whole(seed: int) -> None:
    game, frames = games.begin(), inputs(seed, 80)
    for frame in frames:
        game, _ = games.feed(game, frame)
    assert certain(game.position.setup) == frames[-1].evidence
    text = write_pdn(game.record({"Event": "Test"}))
    (record,) = parse_pdn(text)
    assert record.failure is None
    assert record.game.moves == game.moves


def test_the_same_inputs_give_the_same_events() -> None:
    frames = inputs(5, 30)
    runs = []
    for _ in range(2):
        game, events = games.begin(), list[object]()
        for frame in frames:
            game, more = games.feed(game, frame)
            events += [event.record() for event in more]
        runs.append(events)
    assert runs[0] == runs[1]
    assert len(runs[0]) > 20


def test_feeding_leaves_the_old_game_as_it_was() -> None:
    old = games.begin()
    games.feed(old, Observation(100, certain(EMPTY * 32)))
    assert old == games.begin()

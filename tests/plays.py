"""Games without pixels for tests of what is kept: hands, moves, now and then an offence."""

from __future__ import annotations

import random
from pathlib import Path

from referee import game as games
from referee.board import START, Side, replace
from referee.commands import Command, Word
from referee.events import Event
from referee.game import Game, Input
from referee.journal.journal import Journal, TimeSource
from referee.journal.recorder import Recorder, begun
from referee.observation import Hand, Observation, Row, certain
from referee.rules import Move, Position, after, lawful_moves

FRAME_MS = 100


class Play:
    """Two people who move at random under a camera; everything they do becomes inputs."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._time_ms = 0
        self.position = Position.start()
        self.inputs: list[Input] = []
        self._show(START, 1_500)

    def _show(self, setup: str, ms: int, *hands: Hand) -> None:
        for _ in range(ms // FRAME_MS):
            self._time_ms += FRAME_MS + self._rng.randint(-9, 9)
            self.inputs.append(Observation(self._time_ms, self._evidence(setup), hands))

    def _evidence(self, setup: str) -> tuple[Row, ...]:
        """A clear view; now and then a square looks a little different."""
        rows = list(certain(setup))
        if self._rng.random() < 0.5:
            square = self._rng.randrange(32)
            empty, *others = rows[square]
            rows[square] = (empty, *(value // 2 for value in others))  # type: ignore[assignment]
        return tuple(rows)

    def _carry(self, side: Side, before: str, squares: set[int], now: str, rest_ms: int) -> None:
        hidden = replace(before, dict.fromkeys(squares, "?"))
        hand = Hand(side, tuple(sorted(squares)))
        self._show(hidden, 400, hand)
        self._show(now, rest_ms)

    def move(self, move: Move) -> None:
        """The player whose turn it is plays and takes his hand away."""
        now = after(self.position, move)
        squares = {*move.path, *move.captured}
        self._carry(self.position.turn, self.position.setup, squares, now.setup, 800)
        self.position = now

    def rest(self, ms: int) -> None:
        """The board lies as it should, without hands."""
        self._show(self.position.setup, ms)

    def blunder(self, move: Move) -> None:
        """The other player plays out of turn, and after a while puts it right."""
        setup, side = self.position.setup, self.position.turn.other
        changes = {move.start: ".", move.end: setup[move.start - 1]}
        wrong = replace(setup, changes)
        self._carry(side, setup, set(changes), wrong, 2_500)
        self._carry(side, wrong, set(changes), setup, 2_000)

    def say(self, word: Word) -> None:
        """Somebody speaks."""
        self.inputs.append(Command(self._time_ms, word))

    def random_ply(self, blunders: float = 0.15) -> bool:
        """One more move, perhaps after an offence; False when there is none."""
        moves = lawful_moves(self.position)
        if not moves:
            return False
        other = Position(self.position.setup, self.position.turn.other)
        plain = [move for move in lawful_moves(other) if not move.is_capture]
        if plain and self._rng.random() < blunders:
            self.blunder(self._rng.choice(plain))
        self.move(self._rng.choice(moves))
        if self._rng.random() < 0.05:
            self.say(self._rng.choice([Word.ADJUSTING, Word.DECLINE_DRAW]))
            self.say(Word.PAUSE)
            self._show(self.position.setup, 500)
            self.say(Word.RESUME)
            self._show(self.position.setup, 1_500)
        return True


def played(seed: int, plies: int = 12) -> list[Input]:
    """A random game."""
    play = Play(seed)
    for _ in range(plies):
        if not play.random_ply():
            break
    return play.inputs


def recorded(
    folder: Path, given: list[Input], clock: TimeSource | None = None
) -> tuple[Game, list[Event]]:
    """The game after some inputs, with its journal in a folder, and what was let out of it."""
    game, told = games.begin(), list[Event]()
    journal = Journal.create(folder, clock)
    journal.append("begun", begun(game, folder.name))
    recorder = Recorder(journal)
    for each in given:
        game, more = recorder.feed(game, each)
        told += more
    return game, [*told, *recorder.close()]

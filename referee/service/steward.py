"""A keeper for boards without a keyboard: it begins the next game, and tells the supervisor."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from referee.announcements import name
from referee.board import SQUARES
from referee.commands import Command, Word
from referee.errors import RefereeError
from referee.game import Game, Input, Step
from referee.journal.folding import fold
from referee.journal.keeper import Keeper
from referee.journal.salvage import read
from referee.journal.shelf import Shelf
from referee.observation import Observation
from referee.rules import Position
from referee.service.supervisor import Supervisor
from referee.tracker import Phase, Tracker
from referee.tracking.memory import contradictions

WHOLE = tuple(SQUARES)
STANDING_MS = 4_000
"""How long the starting position must stand without hands to be a new game."""


class Steward(Keeper):
    """Keeps games as its parent does.

    The whole starting position can never come about in a game that has begun: men do not go back.
    Where it stands for a while, the players have begun anew, whatever became of the last game.
    """

    def __init__(self, shelf: Shelf, source: str, days: int, supervisor: Supervisor) -> None:
        super().__init__(shelf, source, days)
        self._supervisor = supervisor

    def feed(self, game: Game, given: Input) -> Step:
        game, events = super().feed(game, given)
        if isinstance(given, Observation) and is_set_up_anew(game):
            game, more = super().feed(game, Command(given.time_ms, Word.START))
            events += more
        self._supervisor.status(status_of(game))
        return game, events


def is_set_up_anew(game: Game) -> bool:
    """Whether the starting position stands on the board though the game is past it."""
    tracker = game.tracker
    if not game.begun or not (tracker.plies or game.result) or tracker.paused:
        return False
    sight = tracker.sight
    if tracker.blind_said or min(sight.hands_off_ms(), sight.clear_ms(WHOLE)) < STANDING_MS:
        return False
    fresh = replace(tracker, position=Position.start())
    turned_ms = max(sight.at(square).turned_ms for square in SQUARES)
    return sight.time_ms - turned_ms >= STANDING_MS and _shows(fresh)


def _shows(tracker: Tracker) -> bool:
    return tracker.sight.visible(WHOLE) and not contradictions(tracker)


def status_of(game: Game) -> str:
    """Where the game stands, in a few words."""
    moves = len(game.moves)
    if game.result:
        return f"the game is over: {game.result.result}; set up the next one"
    if game.tracker.blind_said:
        return "the board cannot be seen"
    if game.tracker.phase is not Phase.PLAYING:
        return "waiting for the position on the board"
    return f"{moves} move{'' if moves == 1 else 's'} played, {name(game.position.turn)} to move"


def unfinished(shelf: Shelf) -> Path | None:
    """The last game, if it was left in the middle and can be gone on with."""
    for folder in shelf.games()[-1:]:
        try:
            game = fold(read(folder).entries)
        except (RefereeError, LookupError):
            return None
        return folder if game.tracker.phase is Phase.PLAYING else None
    return None

"""The next game begins by itself when its pieces are set up.

The whole starting position can never come about in a game that has begun: men do not go back.
Where it stands, the players have begun anew, whatever became of the last game.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.board import SQUARES, START
from referee.commands import BOARD, Command, Word
from referee.game import TAKEN_BACK, Game, Input, Step
from referee.observation import Observation
from referee.rules import Position
from referee.tracking.memory import shows

WHOLE = tuple(SQUARES)
STANDING_MS = 4_000
"""How long the starting position must stand without hands, where another should, to be a new game:
a person who has corrected the record may still be about to set that up..."""
PLAIN_MS = 500
"""...and how long if the last one is over, or so far from it that nothing else leads back."""
FAR = 2 * TAKEN_BACK
"""Squares on which the last position is another: each move that may be taken back changes two."""

Feed = Callable[[Game, Input], Step]


def with_next_games(feed: Feed) -> Feed:
    """The same step, and after it the next game as soon as that is set up."""

    def step(game: Game, given: Input) -> Step:
        game, events = feed(game, given)
        if isinstance(given, Observation) and is_set_up(game):
            game, more = feed(game, Command(given.time_ms, Word.START, origin=BOARD))
            events += more
        return game, events

    return step


def is_set_up(game: Game) -> bool:
    """Whether the starting position stands on the board though the game is past it."""
    tracker = game.tracker
    is_past = tracker.plies or game.former or game.result or tracker.first.setup != START
    if not game.begun or not is_past or tracker.paused or tracker.dark.said:
        return False
    otherwise_ms = tracker.now - tracker.settled_ms
    if min(tracker.sight.still_ms(WHOLE), otherwise_ms) < _patience_ms(game):
        return False
    return shows(tracker, Position.start())


def _patience_ms(game: Game) -> int:
    pairs = zip(game.position.setup, START, strict=True)
    plain = game.result or sum(now != first for now, first in pairs) >= FAR
    return PLAIN_MS if plain else STANDING_MS

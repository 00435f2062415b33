"""Which discs begin, where nobody has said so: the darker ones, unless both players show otherwise.

The usual start looks the same from either side. There the game is followed the other way round as
well, until a move stands on the record. Where the first one was called off turn, and the other
player answers it as a game that the lighter discs begin would go on, they have agreed on that. In a
set that has no light discs beside dark ones, as red ones beside black, whoever moves first begins.
"""

from __future__ import annotations

from referee.commands import BOARD, Command, Word
from referee.events import Irregularity
from referee.game import Game, begin, feed
from referee.observation import Observation
from referee.rules import Line

AGREED = 2
"""A move, and the answer to it."""


class Beginners:
    """A game seen the other way round, for as long as it may be right."""

    def __init__(self, game: Game, known: bool) -> None:
        """Where it is `known` who begins, or the game has moves, nothing is to be found out."""
        self._otherwise = None if known or game.tracker.plies else begin(game.position)

    def set_right(self, game: Game, seen: Observation, light_and_dark: bool) -> Command | None:
        """What sets a game right in which the others have begun, as it stands after a frame:
        nothing, or its moves by their own numbers. From then on the board is to be read so.
        `light_and_dark` says whether the set has discs of both kinds."""
        if self._otherwise is None:
            return None
        if game.tracker.plies:
            self._otherwise = None
            return None
        self._otherwise, _ = feed(self._otherwise, seen.turned_about())
        plies = self._otherwise.tracker.plies
        if not (_is_agreed(game, plies) if light_and_dark else plies):
            return None
        self._otherwise = None
        moves = " ".join(map(str, plies))
        return Command(seen.time_ms, Word.CORRECT, text=moves, origin=BOARD)


def _is_agreed(game: Game, plies: Line) -> bool:
    """Whether a move was called off turn and was answered all the same."""
    incident = game.tracker.incident
    off_turn = incident is not None and incident.kind is Irregularity.WRONG_TURN
    return off_turn and len(plies) >= AGREED

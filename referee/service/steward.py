"""A keeper for boards without a keyboard: it tells the supervisor where the game stands."""

from __future__ import annotations

from pathlib import Path

from referee.announcements import name
from referee.english import ENGLISH
from referee.errors import RefereeError
from referee.game import Game, Input, Step
from referee.journal.folding import fold
from referee.journal.keeper import Keeper
from referee.journal.salvage import read
from referee.journal.shelf import Shelf
from referee.language import Language, called
from referee.service.supervisor import Supervisor
from referee.tracking.let_stand import is_unresolved


class Steward(Keeper):
    """Keeps games as its parent does."""

    def __init__(
        self,
        shelf: Shelf,
        source: str,
        days: int,
        supervisor: Supervisor,
        language: Language = ENGLISH,
    ) -> None:
        """In `language` the game is told; the supervisor is told in English."""
        super().__init__(shelf, source, days, language)
        self._supervisor, self._english = supervisor, called(ENGLISH, language.sides)

    def feed(self, game: Game, given: Input) -> Step:
        game, events = super().feed(game, given)
        self._supervisor.status(status_of(game, self._english))
        return game, events


def status_of(game: Game, language: Language = ENGLISH) -> str:
    """Where the game stands, in a few words."""
    moves = sum(game.lengths)
    if game.result:
        result = game.result.result
        return f"the game is over: {result}, {language.words[result]}; set up the next one"
    if game.tracker.dark.said:
        return "the board cannot be seen"
    if not game.tracker.is_under_way:
        return "waiting for the position on the board"
    turn = name(game.position.turn, language)
    waits = "; the board is not in order" if is_unresolved(game.tracker) else ""
    return f"{moves} move{'' if moves == 1 else 's'} played, {turn} to move{waits}"


def unfinished(shelf: Shelf) -> Path | None:
    """The last game, if it was left in the middle and can be gone on with."""
    for folder in shelf.games()[-1:]:
        try:
            game = fold(read(folder).entries)
        except (RefereeError, LookupError):
            return None
        return folder if game.tracker.is_under_way else None
    return None

"""Keeps a game while it is watched: its folder and its journal."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from referee.errors import InputError
from referee.events import Event
from referee.game import Game, Input, Step
from referee.journal.journal import Journal
from referee.journal.recorder import Recorder, begun
from referee.journal.shelf import Shelf, save_source


class Keeper:
    """Stands between the game and those who announce it. The folder is made when the board is
    first seen: where there was no game none is left behind."""

    def __init__(self, shelf: Shelf, source: str) -> None:
        """InputError at once, not after an hour, when nothing can be kept there."""
        shelf.prepare()
        self._shelf, self._source = shelf, source
        self._recorder: Recorder | None = None
        self.folder: Path | None = None

    def feed(self, game: Game, given: Input) -> Step:
        """`referee.game.feed`, with what it caused on the disk before it is returned."""
        if self._recorder is None:
            self._recorder = self._begun(game)
        return self._recorder.feed(game, given)

    def _begun(self, game: Game) -> Recorder:
        folder = self._shelf.new_folder()
        try:
            journal = Journal.create(folder)
            journal.append("begun", begun(game, folder.name))
            save_source(folder, self._source)
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"no game can be kept in {folder}: {error}") from None
        self.folder = folder
        return Recorder(journal, self._shelf.give_up_reserve)

    def close(self) -> tuple[Event, ...]:
        """Write the rest; what could not be announced before."""
        return self._recorder.close() if self._recorder else ()

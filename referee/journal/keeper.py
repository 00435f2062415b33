"""Keeps a game while it is watched: its folder, its journal, and pictures of what goes wrong."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from calibration.saved import Calibration
from hardware.camera import Frame, Image
from referee.colours import RED_AND_WHITE, Sides
from referee.errors import InputError
from referee.events import Event
from referee.game import Game, Input, Step
from referee.journal.condition import NotRecording, Recording
from referee.journal.evidence import Witness, tidy
from referee.journal.journal import Journal
from referee.journal.pictures import Ring
from referee.journal.recorder import Recorder, begun
from referee.journal.shelf import CALIBRATION, Shelf, save_source

SAVE_MS = 60_000
"""Between two times that the board's new place is written down, when it is moved a lot."""


class Keeper:
    """Stands between the game and those who announce it. The folder is made when the board is
    first seen: where there was no game none is left behind."""

    def __init__(self, shelf: Shelf, source: str, days: int, sides: Sides = RED_AND_WHITE) -> None:
        """`days` that pictures are kept; with 0 none are taken. `sides` is what the sides are
        called. InputError at once, not after an hour, when nothing can be kept there."""
        shelf.prepare()
        tidy(shelf.games(), days)
        self._shelf, self._source, self._sides = shelf, source, sides
        self._recorder: Recorder | None = None
        self._witness: Witness | None = None
        self._pictures = days > 0
        self._ring = Ring()
        self._image: Image | None = None
        self._saved: Calibration | None = None
        self._saved_ms = 0
        self.folder: Path | None = None

    def go_on(self, folder: Path, journal: Journal, resumed: bool = False) -> None:
        """Keep a game on that has a journal already."""
        self.folder = folder
        self._recorder = Recorder(journal, self._shelf.give_up_reserve, resumed)
        if self._pictures:
            self._witness = Witness(folder, self._recorder.note)

    def feed(self, game: Game, given: Input) -> Step:
        """`referee.game.feed`, with what it caused on the disk before it is returned."""
        if self._recorder is None:
            self._begin(game)
        assert self._recorder is not None
        return self._recorder.feed(game, given)

    def _begin(self, game: Game) -> None:
        folder = self._shelf.new_folder()
        try:
            journal = Journal.create(folder)
            journal.append("begun", begun(game, folder.name))
            save_source(folder, self._source, self._sides)
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"no game can be kept in {folder}: {error}; make room") from None
        self.go_on(folder, journal)

    def note(self, kind: str, body: dict[str, Any]) -> None:
        """Enter in the journal something that is no input."""
        if self._recorder:
            self._recorder.note(kind, body)

    def passing(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """The frames as they are, each remembered until the next."""
        for frame in frames:
            self._image = None if frame.blind else frame.image
            yield frame

    def look(
        self, time_ms: int, calibration: Calibration, game: Game, events: tuple[Event, ...]
    ) -> None:
        """The last frame and what it caused: for the pictures, and for going on later."""
        self._remember(calibration, time_ms)
        if self._witness is None or self._image is None:
            return
        self._ring.see(self._image, time_ms, calibration.view)
        caused = [each for each in events if not isinstance(each, (NotRecording, Recording))]
        self._witness.take(caused, game.count - len(caused), self._ring, time_ms)

    def _remember(self, calibration: Calibration, time_ms: int) -> None:
        """Write down where the board is, for `referee resume`."""
        known = self._saved is not None and self._saved.view is calibration.view
        if self.folder is None or known or (self._saved and time_ms - self._saved_ms < SAVE_MS):
            return
        with suppress(OSError):
            calibration.save(self.folder / CALIBRATION)
        self._saved, self._saved_ms = calibration, time_ms

    def close(self, tell: Callable[[Event], None] = lambda event: None) -> tuple[Event, ...]:
        """Write the rest; what could not be announced before. `tell` hears of it at once."""
        if self._recorder is None:
            return ()
        if self._witness:
            self._witness.finish(self._ring)
        return self._recorder.close(tell)

"""Keeps a game while it is watched: its folder, its journal, and pictures of what goes wrong."""

from __future__ import annotations

import shutil
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from calibration.saved import Calibration
from hardware.camera import Frame, Image
from referee.commands import Command
from referee.english import ENGLISH
from referee.errors import InputError
from referee.events import Event, Started
from referee.game import Game, Input, Step, feed
from referee.journal.condition import NotRecording, Recording
from referee.journal.evidence import Witness, tidy
from referee.journal.folding import first_game
from referee.journal.journal import Journal
from referee.journal.pictures import Ring
from referee.journal.recorder import Recorder, begun, following
from referee.journal.shelf import CALIBRATION, Shelf, save_source
from referee.language import Language
from referee.observation import Observation
from referee.watching import fitted

SAVE_MS = 60_000
"""Between two times that the board's new place is written down, when it is moved a lot."""
LATELY_MS = 2_000
"""So much of what was seen before a game opens its journal, too, where another was before it: the
pieces are set up already."""


class Keeper:
    """Stands between the game and those who announce it. The folder is made when the board is
    first seen: where there was no game none is left behind. The next game has another."""

    def __init__(self, shelf: Shelf, source: str, days: int, language: Language = ENGLISH) -> None:
        """`days` that pictures are kept; with 0 none are taken. `language` is in which the game is
        told, also when it is gone on with. InputError at once, not after an hour, when nothing can
        be kept there."""
        shelf.prepare()
        tidy(shelf.games(), days)
        self._shelf, self._source, self._language = shelf, source, language
        self._recorder: Recorder | None = None
        self._witness: Witness | None = None
        self._pictures = days > 0
        self._ring = Ring()
        self._image: Image | None = None
        self._saved: Calibration | None = None
        self._saved_ms = 0
        self._lately: deque[Observation] = deque()
        self.folder: Path | None = None

    def go_on(self, folder: Path, journal: Journal, resumed: bool = False) -> None:
        """Keep a game on that has a journal already."""
        self.folder, self._saved = folder, None
        self._recorder = Recorder(journal, self._shelf.give_up_reserve, resumed)
        if self._pictures:
            self._witness = Witness(folder, self._recorder.note)

    def feed(self, game: Game, given: Input) -> Step:
        """`referee.game.feed`, with what it caused on the disk before it is returned."""
        before: tuple[Event, ...] = ()
        if self._recorder is None:
            self.go_on(*self._created(game))
        elif fresh := _next_game(game, given):
            game, before = self._turned_over(game, fresh)
        assert self._recorder is not None
        game, events = self._recorder.feed(game, given)
        self._look_back(given)
        return game, before + events

    def _created(self, game: Game, former: Game | None = None) -> tuple[Path, Journal]:
        """A folder for a game, which may follow another, and its journal."""
        folder = self._shelf.new_folder()
        more = following(former) if former else {}
        try:
            journal = Journal.create(folder)
            try:
                journal.append("begun", begun(game, folder.name) | more)
                save_source(folder, self._source, self._language.sides, self._language.code)
            except BaseException:
                journal.close()
                raise
        except (OSError, sqlite3.Error) as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise InputError(
                f"no game can be kept in {folder}: {error};"
                " make room there, or give another folder with --games"
            ) from None
        return folder, journal

    def _turned_over(self, game: Game, fresh: Game) -> Step:
        """What the next game begins from, in a folder of its own, and what could not be announced
        before. On a disk that takes no folder the journal goes on: no game waits for it."""
        assert self._recorder is not None
        if self._witness:
            self._witness.finish(self._ring)
        if not self._recorder.settle():
            return game, ()
        try:
            folder, journal = self._created(fresh, former=game)
        except InputError:
            return game, ()
        events = self._recorder.close()
        self.go_on(folder, journal)
        assert journal.last is not None
        game = first_game([journal.last])
        if game.tracker.dark.said:
            return game, events  # what was seen before that need not lie there any more
        for seen in self._lately:
            game, more = self._recorder.feed(game, seen)
            events += more
        return game, events

    def _look_back(self, given: Input) -> None:
        """Remember what was seen lately."""
        if isinstance(given, Observation):
            self._lately.append(given)
        while self._lately and self._lately[0].time_ms < given.time_ms - LATELY_MS:
            self._lately.popleft()

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
        image = None if self._image is None else fitted(self._image, calibration)
        if self._witness is None or image is None:
            return
        self._ring.see(image, time_ms, calibration.view)
        caused = _of_last_game(events)
        self._witness.take(caused, game.count - len(caused), self._ring, time_ms)

    def _remember(self, calibration: Calibration, time_ms: int) -> None:
        """Write down where the board is, for `referee resume`."""
        saved = self._saved
        if self.folder is None or (saved and saved.view is calibration.view):
            return
        same = saved and saved.lighter_begins is calibration.lighter_begins
        if same and time_ms - self._saved_ms < SAVE_MS:
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


def _next_game(game: Game, given: Input) -> Game | None:
    """The game that an input begins behind another one; None where there is none, or where it only
    begins the same anew."""
    if not isinstance(given, Command) or not (game.begun and game.is_past):
        return None
    fresh, events = feed(game, given)
    return fresh if any(isinstance(event, Started) for event in events) else None


def _of_last_game(events: Iterable[Event]) -> list[Event]:
    """What an input caused that has a number in the journal, from the last beginning on."""
    caused = [each for each in events if not isinstance(each, (NotRecording, Recording))]
    starts = [place for place, event in enumerate(caused) if isinstance(event, Started)]
    return caused[starts[-1] if starts else 0 :]

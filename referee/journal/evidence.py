"""Pictures of incidents: taken while a game is watched, joined to its journal by their hashes.

A file can be erased and the chain still holds, for the chain knows its hash only.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from referee.events import Event, Irregular, Proposed, Unsure
from referee.journal.coding import JournalError
from referee.journal.journal import Journal
from referee.journal.pictures import Ring, Snapshot, marked
from referee.journal.salvage import read

FOLDER = "evidence"
PAGE = "game.html"
"""What `referee export` writes beside the journal holds the pictures too."""
AFTER_MS = 2_000
"""How much of what follows an incident is in its film."""
ORDERLY = {"ready", "played", "restored", "corrected"}
"""After these the board is as it should be: the picture before the next incident."""
MARKED = (Irregular, Proposed, Unsure)
"""The events that name squares, which their pictures mark."""
INCIDENTS = {"irregular", "proposed", "unsure", "withdrawn"}
"""The events of which pictures are written."""
ROOM_BYTES = 64 << 20
"""With less room than this on the disk no picture is written: what is left is the journal's."""
QUOTA_BYTES = 2 << 30
"""What the pictures of all games may take together."""
DAY_S = 86_400

Note = Callable[[str, dict[str, Any]], None]
"""Enters something in the journal, `Recorder.note`."""


@dataclass(frozen=True)
class Occasion:
    """What pictures are to be written of."""

    event: int
    """Its number."""
    time_ms: int
    squares: tuple[int, ...]
    before: Snapshot | None


class Witness:
    """Looks on while a game is watched, and writes pictures of what goes wrong."""

    def __init__(self, folder: Path, note: Note) -> None:
        self._folder, self._note = folder / FOLDER, note
        self._orderly: Snapshot | None = None
        self._open: Occasion | None = None

    def take(self, events: Sequence[Event], first_number: int, ring: Ring, now_ms: int) -> None:
        """What an input caused, and the pictures up to it."""
        for number, event in enumerate(events, start=first_number):
            if event.name in ORDERLY:
                self._orderly = ring.newest
            again = isinstance(event, Proposed) and event.number < number
            if event.name in INCIDENTS and not again and self._open is None:
                squares = event.squares if isinstance(event, MARKED) else ()
                self._open = Occasion(number, event.time_ms, squares, self._orderly)
        if self._open and now_ms - self._open.time_ms >= AFTER_MS:
            self.finish(ring)

    def finish(self, ring: Ring) -> None:
        """Write what is open; a disk that takes no pictures does not stop the game."""
        incident, self._open = self._open, None
        if incident is None or ring.newest is None:
            return
        body: dict[str, Any] = {"event": incident.event, "files": []}
        try:
            body["files"] = self._written(incident, ring)
        except OSError as error:
            body["problem"] = error.strerror or str(error)
        self._note("evidence", body)

    def _written(self, incident: Occasion, ring: Ring) -> list[dict[str, Any]]:
        if shutil.disk_usage(self._folder.parent).free < ROOM_BYTES:
            raise OSError("the disk is too full for pictures")
        self._folder.mkdir(exist_ok=True, mode=0o700)
        files = []
        for what, data in _pictures(incident, ring):
            ending = "avi" if what == "clip" else "jpg"
            name = f"{incident.event:05}-{what}.{ending}"
            _write(self._folder / name, data)
            digest = sha256(data).hexdigest()
            files.append({"name": name, "what": what, "bytes": len(data), "sha256": digest})
        return files


def _pictures(incident: Occasion, ring: Ring) -> Iterable[tuple[str, bytes]]:
    if incident.before:
        yield "before", marked(incident.before, incident.squares)
    after = ring.at(incident.time_ms)
    if after:
        yield "after", marked(after, incident.squares)
    yield "clip", ring.clip()


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


# --- erasing --------------------------------------------------------------------------------


def erase(folder: Path, files: Sequence[Path]) -> None:
    """Erase pictures of a game and say so in its journal; the page that shows them goes with them
    and can be made anew. JournalError when the game is in use."""
    journal, _ = Journal.reopen(folder)
    try:
        for file in (*files, folder / PAGE):
            file.unlink(missing_ok=True)
        journal.append("erased", {"files": [file.name for file in files]})
    finally:
        journal.close()


def kept_files(folder: Path) -> list[Path]:
    """The pictures of a game, oldest first."""
    with suppress(OSError):
        return sorted((folder / FOLDER).iterdir())
    return []


def tidy(games: Sequence[Path], days: int, quota_bytes: int = QUOTA_BYTES) -> list[Path]:
    """Erase pictures older than some days, and the oldest beyond the quota; what was erased.

    Games in use and damaged ones are left alone.
    """
    oldest_s = time.time() - days * DAY_S
    total = sum(_size(file) for game in games for file in kept_files(game))
    erased = []
    for game in games:
        files = [file for file in kept_files(game) if _time(file) < oldest_s]
        if total > quota_bytes:
            files = kept_files(game)
        size = sum(map(_size, files))
        if files and _erased(game, files):
            total -= size
            erased += files
    return erased


def _erased(game: Path, files: Sequence[Path]) -> bool:
    with suppress(JournalError, OSError, sqlite3.Error):
        if read(game).problems:
            return False
        erase(game, files)
        return True
    return False


def _size(file: Path) -> int:
    with suppress(OSError):
        return file.stat().st_size
    return 0


def _time(file: Path) -> float:
    with suppress(OSError):
        return file.stat().st_mtime
    return time.time()

"""One game's journal: written entry by entry, each on the disk before anybody hears of it."""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from referee.journal.chain import Entry, next_entry
from referee.journal.coding import JournalError
from referee.journal.copies import DATABASE, TEXT, Database, TextCopy, settle
from referee.journal.salvage import SHARED, WAL, Findings, read

LOCK = "lock"
NEW_DATABASE, NEW_TEXT = f"new-{DATABASE}", f"new-{TEXT}"
LAST_TRIES = 5
"""How often the text copy is tried to be brought up to the database at the end."""
JUMP_S = 5
"""By so much the wall clock may part from the steady one before the journal says so."""
CHECKPOINT_S = 600
"""So long at most does anything live in the write-ahead log only."""


@dataclass(frozen=True)
class TimeSource:
    """Where the time comes from: the wall clock as a label, the steady one for durations."""

    wall: Callable[[], float] = time.time
    steady: Callable[[], float] = time.monotonic

    def label(self) -> str:
        """`2026-11-21T15:26:36Z`; the beginning of the epoch where the clock is beyond reason."""
        try:
            return datetime.fromtimestamp(self.wall(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        except (OverflowError, ValueError, OSError):
            return "1970-01-01T00:00:00Z"


def zone_here() -> str:
    """`+01:00`: how far clocks here are ahead of universal time."""
    return datetime.now().astimezone().isoformat()[-6:]


def day_of(label: str, zone: str = "") -> str:
    """`2026-11-21`, the day of a label of the clock in a zone such as `+01:00`, else where this
    machine stands; nothing where it is no time."""
    try:
        there = datetime.fromisoformat(f"2000-01-01T00:00{zone}").tzinfo if zone else None
        return datetime.fromisoformat(label).astimezone(there).strftime("%Y-%m-%d")
    except (OverflowError, ValueError):
        return ""


class Text(Protocol):
    """What the journal wants of its text copy."""

    def add(self, *entries: Entry) -> None: ...

    def close(self) -> None: ...


class Journal:
    """The writer of one game. Use `Journal.create` or `Journal.reopen`."""

    def __init__(
        self,
        folder: Path,
        database: Database,
        text: Text,
        last: Entry | None,
        lock: int,
        clock: TimeSource,
    ) -> None:
        self.folder = folder
        self.last = last
        self.fault: str | None = None
        """What is wrong with the text copy; the game goes on without it meanwhile."""
        self._database, self._text, self._lock, self._clock = database, text, lock, clock
        self._told = last.number + 1 if last else 0
        self._closed = False
        self._unsettled: Entry | None = None
        """An entry of which it is not known whether the disk has it."""
        self._drift_s = self._wall_drift()
        self._folded_s = clock.steady()

    @staticmethod
    def create(folder: Path, clock: TimeSource | None = None) -> Journal:
        """A new journal in a new folder; OSError or sqlite3.Error when it cannot be written."""
        folder.mkdir(parents=True, mode=0o700)
        lock = _locked(folder)
        try:
            database, text = Database(folder / DATABASE), TextCopy(folder / TEXT, 0)
            journal = Journal(folder, database, text, None, lock, clock or TimeSource())
            settle(folder)
            settle(folder.parent)
        except BaseException:
            os.close(lock)
            raise
        return journal

    @staticmethod
    def reopen(folder: Path, clock: TimeSource | None = None) -> tuple[Journal, Findings]:
        """Go on with a journal. Damage is mended from what is sound, told, and entered.

        JournalError when nothing can be read, or another program is writing.
        """
        lock = _locked(folder)
        try:
            findings = read(folder)
            journal = _reopened(folder, findings, lock, clock or TimeSource())
        except BaseException:
            os.close(lock)
            raise
        if findings.problems:
            mended = {"problems": list(findings.problems), "lost": findings.lost}
            journal.append("mended", mended)
        return journal, findings

    def append(self, kind: str, body: dict[str, Any]) -> Entry:
        """Add an entry; it is on the disk when this returns.

        OSError or sqlite3.Error when it may not be: then the same call must be made again,
        before any other.
        """
        if self._unsettled is None:
            label = self._clock.label()
            self._unsettled = next_entry(self.last, kind, label, {**body, **self._jump()})
        entry = self._unsettled
        self._store(entry)
        self.last, self._unsettled = entry, None
        self._witness()
        self._fold()
        return entry

    def _store(self, entry: Entry) -> None:
        try:
            self._database.add(entry)
        except sqlite3.Error:
            # Whether it arrived all the same can only be told by looking again.
            self._database.reopen()
            if not self._database.holds(entry):
                raise

    def _witness(self) -> None:
        """Bring the text copy up to the database."""
        assert self.last is not None
        behind = self.last.number - self._told
        try:
            entries = [self.last] if behind == 0 else self._database.since(self._told)
            self._text.add(*entries)
        except (OSError, sqlite3.Error) as error:
            self.fault = f"the text copy of the game cannot be written: {error}"
            return
        self._told, self.fault = self.last.number + 1, None

    def _fold(self) -> None:
        if self._clock.steady() - self._folded_s >= CHECKPOINT_S:
            self._folded_s = self._clock.steady()
            self._database.checkpoint()

    def _jump(self) -> dict[str, int]:
        """That the wall clock was set: differences of labels across this entry mean nothing."""
        drift_s = self._wall_drift()
        jump_s = round(drift_s - self._drift_s)
        if abs(jump_s) < JUMP_S:
            return {}
        self._drift_s = drift_s
        return {"jump_s": jump_s}

    def _wall_drift(self) -> float:
        return self._clock.wall() - self._clock.steady()

    def close(self) -> None:
        """Fold the log into the database and let others write; a second time does nothing."""
        if self._closed:
            return
        self._closed = True
        for _ in range(LAST_TRIES if self.fault else 0):
            self._witness()
        with suppress(sqlite3.Error):
            self._database.close()
        self._text.close()
        os.close(self._lock)


def _locked(folder: Path) -> int:
    """A handle that keeps other writers away; the system drops it whatever ends the program."""
    handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise JournalError(
            f"{folder} is being written by another program; end that first"
        ) from None
    return handle


def is_in_use(folder: Path) -> bool:
    """Whether a program is writing the game."""
    try:
        os.close(_locked(folder))
    except JournalError:
        return True
    return False


def _reopened(folder: Path, findings: Findings, lock: int, clock: TimeSource) -> Journal:
    if not findings.entries:
        problems = "; ".join(findings.problems) or "it holds no entry"
        raise JournalError(f"nothing of the game in {folder} can be read: {problems}")
    if findings.problems:
        _mend(folder, findings)
    told = len(findings.entries) if findings.problems else findings.text_entries
    text = TextCopy(folder / TEXT, sum(len(entry.line()) for entry in findings.entries[:told]))
    text.add(*findings.entries[told:])
    return Journal(folder, Database(folder / DATABASE), text, findings.entries[-1], lock, clock)


def _mend(folder: Path, findings: Findings) -> None:
    """Write both copies anew from what is sound; a cut at any moment leaves one of them whole.

    The damaged files stay beside them, for those who want to look into them.
    """
    aside = next(path for n in count(1) if not (path := folder / f"damaged-{n}").exists())
    aside.mkdir(mode=0o700)
    for name in (DATABASE, WAL, TEXT):
        with suppress(FileNotFoundError):
            shutil.copyfile(folder / name, aside / name)
    for name in (NEW_DATABASE, NEW_TEXT):
        (folder / name).unlink(missing_ok=True)
    text = TextCopy(folder / NEW_TEXT, 0)
    text.add(*findings.entries)
    text.close()
    (folder / NEW_TEXT).replace(folder / TEXT)
    settle(folder)
    _renew_database(folder, findings.entries)


def _renew_database(folder: Path, entries: tuple[Entry, ...]) -> None:
    database = Database(folder / NEW_DATABASE)
    database.add(*entries)
    database.close()
    # First the old log: SQLite would lay it over the new database.
    for name in (WAL, SHARED):
        (folder / name).unlink(missing_ok=True)
    settle(folder)
    (folder / NEW_DATABASE).replace(folder / DATABASE)
    settle(folder)

"""The two copies of a journal on disk: a database, which decides, and a text file, its witness."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

from referee.journal.chain import Entry

DATABASE, TEXT = "journal.sqlite", "journal.txt"
SCHEMA = """
CREATE TABLE IF NOT EXISTS entry(
  number INTEGER PRIMARY KEY, text TEXT NOT NULL, hash TEXT NOT NULL UNIQUE);
CREATE TRIGGER IF NOT EXISTS entry_stays BEFORE UPDATE ON entry
  BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END;
CREATE TRIGGER IF NOT EXISTS entry_remains BEFORE DELETE ON entry
  BEGIN SELECT RAISE(ABORT, 'a journal is never shortened'); END;
"""
SYNCHRONOUS = "FULL"
"""NORMAL loses a whole young game in a power cut: nothing reaches the disk before a checkpoint."""
PATIENCE_S = 5.0
"""How long another reader of the database is waited for."""
CHECKPOINT_PAGES = 256
"""The write-ahead log is folded into the database at 1 MiB, whatever else it holds."""


class Database:
    """The journal as SQLite keeps it; every addition is on the disk when it returns."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = self._open()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=PATIENCE_S, isolation_level=None)
        try:
            connection.execute("PRAGMA trusted_schema=OFF")
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(f"PRAGMA synchronous={SYNCHRONOUS}")
            connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")
            connection.executescript(SCHEMA)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def add(self, *entries: Entry) -> None:
        """Add entries, all or none. sqlite3.Error when they may not have reached the disk."""
        rows = [(entry.number, entry.text, entry.hash) for entry in entries]
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT INTO entry VALUES (?, ?, ?)", rows)
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise

    def reopen(self) -> None:
        """Begin anew after a failure that leaves open what the file holds."""
        with suppress(sqlite3.Error):
            self._connection.close()
        self._connection = self._open()

    def holds(self, entry: Entry) -> bool:
        """Whether this very entry is there."""
        query = "SELECT 1 FROM entry WHERE number = ? AND hash = ? AND text = ?"
        row = self._connection.execute(query, (entry.number, entry.hash, entry.text))
        return row.fetchone() is not None

    def since(self, number: int) -> list[Entry]:
        """All entries from a number on."""
        query = "SELECT number, text, hash FROM entry WHERE number >= ? ORDER BY number"
        return [Entry(*row) for row in self._connection.execute(query, (number,))]

    def checkpoint(self) -> None:
        """Fold the write-ahead log into the file; a disk without room may refuse, harmlessly."""
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        self.checkpoint()
        self._connection.close()


class TextCopy:
    """The journal as lines of text; each is on the disk when `add` returns."""

    def __init__(self, path: Path, sound_bytes: int) -> None:
        """Goes on behind the first `sound_bytes`; what follows them is cut off."""
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._end = sound_bytes
        os.ftruncate(self._file, sound_bytes)

    def add(self, *entries: Entry) -> None:
        """Add entries, all or none; OSError when they could not be written."""
        data = b"".join(entry.line() for entry in entries)
        try:
            self._write(data)
            os.fdatasync(self._file)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._file, self._end)
            raise
        self._end += len(data)

    def _write(self, data: bytes) -> None:
        place = self._end
        while data:
            written = os.pwrite(self._file, data, place)
            place, data = place + written, data[written:]

    def close(self) -> None:
        os.close(self._file)


def settle(folder: Path) -> None:
    """Let the names in a folder survive a power cut."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

"""Whether the record is being kept: told to people, and the one thing no journal can hold."""

from __future__ import annotations

import errno
import sqlite3
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from referee.events import Event


class Hindrance(Enum):
    """What keeps the disk from taking anything, as far as people can do something about it."""

    FULL = "disk_full"
    READ_ONLY = "disk_read_only"
    FAILING = "disk_failing"
    OTHER = "disk_refuses"


_OF_SYSTEM = {
    errno.ENOSPC: Hindrance.FULL,
    errno.EDQUOT: Hindrance.FULL,
    errno.EROFS: Hindrance.READ_ONLY,
    errno.EIO: Hindrance.FAILING,
}
_OF_SQLITE = {
    sqlite3.SQLITE_FULL: Hindrance.FULL,
    sqlite3.SQLITE_READONLY: Hindrance.READ_ONLY,
    sqlite3.SQLITE_IOERR: Hindrance.FAILING,
}


def hindrance_of(error: OSError | sqlite3.Error) -> Hindrance:
    """What an error means. SQLite's codes are told apart by their last byte; those errors that its
    module raises itself have none."""
    if isinstance(error, OSError):
        return _OF_SYSTEM.get(error.errno or 0, Hindrance.OTHER)
    return _OF_SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, Hindrance.OTHER)


@dataclass(frozen=True)
class NotRecording(Event):
    """The disk takes nothing; nothing is announced until it does again."""

    name: ClassVar[str] = "not_recording"

    reason: str
    """As the system has it."""
    hindrance: Hindrance


@dataclass(frozen=True)
class Recording(Event):
    """The record is kept again."""

    name: ClassVar[str] = "recording"

    reason: str
    """What is still wrong, or empty."""


@dataclass(frozen=True)
class NotRecorded(Event):
    """The disk took nothing until the end: what happened last is in no journal."""

    name: ClassVar[str] = "not_recorded"

    reason: str
    hindrance: Hindrance
    held: int
    """Events that were never announced."""

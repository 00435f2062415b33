"""Whether the record is being kept: told to people, and the one thing no journal can hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from referee.events import Event


@dataclass(frozen=True)
class NotRecording(Event):
    """The disk takes nothing; nothing is announced until it does again."""

    name: ClassVar[str] = "not_recording"

    reason: str


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
    held: int
    """Events that were never announced."""

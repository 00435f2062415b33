"""What the verbs have in common: how they speak to programs and to people."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Any, cast

from rich.console import Console

from referee.verbs.lookalikes import is_unicode


def console() -> Console:
    """Where people read what is going on: the standard error, so that the standard output stays for
    programs."""
    return _Lasting(stderr=True, highlight=False)


def report() -> Console:
    """Where people read what they have asked for: the standard output, to be paged or kept."""
    return _Report(highlight=False)


class _Report(Console):
    """Ends as any program does that nobody reads any more."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


class _Lasting(Console):
    """Goes on when people have closed it, or the disk of their log is full: a game must not end
    for want of somebody who reads of it."""

    @property
    def file(self) -> IO[str]:
        return cast(IO[str], _Lossy(super().file))

    @file.setter
    def file(self, new_file: IO[str]) -> None:
        self._file = new_file


class _Lossy:
    """A stream that loses what it cannot take."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def emit(record: Mapping[str, object]) -> None:
    """One JSON object, one line, at once: a reader at the other end of a pipe should not wait."""
    every = is_unicode(sys.stdout.encoding)
    print(json.dumps(record, ensure_ascii=not every), flush=True)


def complain(sentence: str) -> None:
    """Say what went wrong and what to do about it."""
    with suppress(OSError):
        print(f"referee: {sentence}", file=sys.stderr, flush=True)


def reason(error: OSError) -> str:
    """A system error as a sentence: `game.pdn cannot be used: no such file or directory`."""
    cause = (error.strerror or str(error)).lower()
    return f"{error.filename} cannot be used: {cause}" if error.filename else cause

"""What the verbs have in common: how they speak to programs and to people."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Any, TextIO, cast

from rich.console import Console

from referee.verbs.lookalikes import is_unicode

USUAL_WIDTH = 80


def console() -> Console:
    """Where people read what is going on: the standard error, so that the standard output stays for
    programs."""
    return _Lasting(stderr=True, highlight=False, width=_width())


def report() -> Console:
    """Where people read what they have asked for: the standard output, to be paged or kept."""
    return _Report(highlight=False, width=_width())


def _width() -> int | None:
    """The columns that Rich does not find out by itself: of none, as some shells have it that do
    not know, it would print nothing."""
    return USUAL_WIDTH if os.environ.get("COLUMNS") == "0" else None


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


def emit_of_game(record: Mapping[str, object]) -> None:
    """The same of a game, which must not end because a disk is full: that is said once, and no
    more written. Programs that have gone end it, as those of a pipe do."""
    try:
        emit(record)
    except BrokenPipeError:
        raise
    except OSError as error:
        complain(f"the events cannot be written any more: {reason(error)}; the game goes on")
        forget(sys.stdout)


def forget(stream: TextIO) -> None:
    """Nobody reads a stream any more; let Python's last flush fail silently."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complain(sentence: str) -> None:
    """Say what went wrong and what to do about it."""
    with suppress(OSError):
        print(f"referee: {sentence}", file=sys.stderr, flush=True)


def reason(error: OSError) -> str:
    """A system error as a sentence: `game.pdn cannot be used: no such file or directory`."""
    cause = (error.strerror or str(error)).lower()
    return f"{error.filename} cannot be used: {cause}" if error.filename else cause

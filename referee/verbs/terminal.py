"""What the verbs have in common: how they speak to programs and to people."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

from rich.console import Console

from referee.verbs.lookalikes import is_unicode


def console() -> Console:
    """Where people read: the standard error, so that the standard output stays for programs."""
    return Console(stderr=True, highlight=False)


def emit(record: Mapping[str, object]) -> None:
    """One JSON object, one line, at once: a reader at the other end of a pipe should not wait."""
    every = is_unicode(sys.stdout.encoding)
    print(json.dumps(record, ensure_ascii=not every), flush=True)


def complain(sentence: str) -> None:
    """Say what went wrong and what to do about it."""
    print(f"referee: {sentence}", file=sys.stderr, flush=True)


def reason(error: OSError) -> str:
    """A system error as a sentence: `game.pdn cannot be used: no such file or directory`."""
    cause = (error.strerror or str(error)).lower()
    return f"{error.filename} cannot be used: {cause}" if error.filename else cause

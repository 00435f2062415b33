"""Inputs and events as plain values for JSON, and back: what a journal's entries hold.

Observations are written as changes from the one before, because a board that rests looks the same
for minutes; equal ones are one step with several times. Reading gives back exactly what was
written, so that a replay is fed what the game was fed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from referee.board import Side
from referee.commands import Command, Word
from referee.errors import RefereeError
from referee.events import Event
from referee.observation import ALL_HIDDEN, Hand, LooseDisc, Observation, Recalled, Row, Visibility

Plain = dict[str, Any]
BLANK = Observation(0, ALL_HIDDEN)
"""What the first observation is written as a change of."""


class JournalError(RefereeError, ValueError):
    """A journal that cannot be read or written; the message says what to do."""


def line_of(record: Mapping[str, object]) -> str:
    """The one text of a record: ASCII, keys in order, no spaces, one line."""
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


# --- observations ---------------------------------------------------------------------------


class StepWriter:
    """Collects observations as steps; keeps what it last wrote, to write changes only."""

    def __init__(self) -> None:
        self._last = BLANK
        self._steps: list[Plain] = []
        self._first_ms: int | None = None

    @property
    def span_ms(self) -> int:
        """How much time the collected steps cover."""
        return 0 if self._first_ms is None else self._last.time_ms - self._first_ms

    def __bool__(self) -> bool:
        return bool(self._steps)

    def add(self, seen: Observation) -> None:
        """Collect one more."""
        since_ms = seen.time_ms - self._last.time_ms
        changes = _changes(self._last, seen)
        if self._steps and not changes:
            self._steps[-1]["t"].append(since_ms)
        else:
            self._steps.append({"t": [since_ms], **changes})
        self._first_ms = seen.time_ms if self._first_ms is None else self._first_ms
        self._last = seen

    def take(self) -> list[Plain]:
        """The steps collected since the last taking."""
        steps, self._steps, self._first_ms = self._steps, [], None
        return steps


def _changes(before: Observation, seen: Observation) -> Plain:
    rows = _different(before.evidence, seen.evidence)
    offsets = _different(before.offsets, seen.offsets)
    recalled = _different(before.recalled, seen.recalled)
    changes: Plain = {
        "e": [[square, *row] for square, row in rows],
        "o": [[square, *(offset or ())] for square, offset in offsets],
        "r": [[square, *(odds or ())] for square, odds in recalled],
    }
    if seen.hands != before.hands:
        changes["h"] = [[_side_word(hand.side), *hand.squares] for hand in seen.hands]
    if seen.loose != before.loose:
        changes["l"] = [_loose_values(disc) for disc in seen.loose]
    if seen.lifted != before.lifted:
        changes["u"] = list(seen.lifted)
    if seen.visibility is not before.visibility:
        changes["v"] = seen.visibility.value
    if seen.shift != before.shift:
        changes["s"] = seen.shift
    return {key: value for key, value in changes.items() if value != [] or key in "hlu"}


def _loose_values(disc: LooseDisc) -> list[str | int]:
    """The values of a loose disc; those that say nothing are left out at the end."""
    more = [int(disc.astride), *disc.place] if disc.place else [1] * disc.astride
    return [disc.side.value, *disc.cell, *more]


def _different(before: tuple[Any, ...], now: tuple[Any, ...]) -> list[tuple[int, Any]]:
    """Squares, from 1, and what is new there."""
    pairs = enumerate(zip(before, now, strict=True), start=1)
    return [(square, new) for square, (old, new) in pairs if new != old]


def _side_word(side: Side | None) -> str | None:
    return side.value if side else None


class StepReader:
    """Gives back the observations that a `StepWriter` collected."""

    def __init__(self) -> None:
        self._last = BLANK

    def read(self, steps: Iterable[Plain]) -> Iterator[Observation]:
        """The observations of some steps, in order."""
        for step in steps:
            changed = _changed(self._last, step)
            for since_ms in step["t"]:
                self._last = replace(changed, time_ms=self._last.time_ms + since_ms)
                yield self._last


def _changed(before: Observation, step: Plain) -> Observation:
    rows: dict[int, Row] = {square: _row(*row) for square, *row in step.get("e", ())}
    offsets = {square: _offset(*offset) for square, *offset in step.get("o", ())}
    recalled = {square: Recalled(*odds) if odds else None for square, *odds in step.get("r", ())}
    return Observation(
        before.time_ms,
        _with(before.evidence, rows),
        _hands(step["h"]) if "h" in step else before.hands,
        _loose(step["l"]) if "l" in step else before.loose,
        _with(before.offsets, offsets),
        Visibility(step["v"]) if "v" in step else before.visibility,
        step.get("s", before.shift),
        _with(before.recalled, recalled),
        tuple(step["u"]) if "u" in step else before.lifted,
    )


def _with(values: tuple[Any, ...], new: Mapping[int, Any]) -> tuple[Any, ...]:
    return tuple(new.get(square, old) for square, old in enumerate(values, start=1))


def _row(empty: int, man: int, king: int, other_man: int, other_king: int) -> Row:
    return empty, man, king, other_man, other_king


def _offset(*offset: int) -> tuple[int, int] | None:
    if not offset:
        return None
    x, y = offset
    return x, y


def _hands(plain: list[Any]) -> tuple[Hand, ...]:
    return tuple(Hand(Side(side) if side else None, tuple(squares)) for side, *squares in plain)


def _loose(plain: list[Any]) -> tuple[LooseDisc, ...]:
    return tuple(
        LooseDisc((row, column), Side(side), any(more[:1]), _offset(*more[1:]))
        for side, row, column, *more in plain
    )


# --- commands and events --------------------------------------------------------------------


def command_of(record: Plain) -> Command:
    """The command that `Command.record` wrote."""
    side = Side(record["side"]) if record["side"] else None
    word, origin = Word(record["command"]), record.get("origin", "")
    afterwards = record.get("afterwards", False)
    return Command(record["time_ms"], word, side, record["text"], origin, afterwards)


def event_of(record: Plain) -> Event:
    """The event that `Event.record` wrote; JournalError for one this version does not know.

    A field that was added since, and has a default, may be missing.
    """
    kind = _kinds().get(record.get("event", ""))
    if kind is None:
        raise JournalError(
            f"the journal holds an event {record.get('event')!r} that this version does not know;"
            " read it with the version that wrote it"
        )
    hints = get_type_hints(kind)
    values = {
        field.name: value_of(hints[field.name], record[field.name])
        for field in fields(kind)
        if field.name in record or field.default is MISSING
    }
    return kind(**values)


@cache
def _kinds() -> dict[str, type[Event]]:
    return {kind.name: kind for kind in Event.__subclasses__()}


# --- whatever the core is made of -----------------------------------------------------------


def plain(value: Any) -> Any:
    """Dataclasses, tuples, sets, mappings and enums, nested, as lists for JSON."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, frozenset):
        return sorted(map(plain, value))
    if isinstance(value, Mapping):
        return [[plain(key), plain(each)] for key, each in value.items()]
    if is_dataclass(value):
        return [plain(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    raise TypeError(f"a journal cannot hold a {type(value).__name__}")


def value_of(hint: Any, given: Any) -> Any:
    """What `plain` wrote, as the type that is declared for it.

    ValueError or TypeError when it does not fit, as with another version's dataclass.
    """
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _one_of(parts, given)
    if origin is tuple:
        return _tuple(parts, given)
    if origin is frozenset:
        return frozenset(value_of(parts[0], each) for each in given)
    if origin is not None and issubclass(origin, Mapping):
        return {value_of(parts[0], key): value_of(parts[1], each) for key, each in given}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(given)
    if is_dataclass(hint) or hasattr(hint, "_fields"):
        return hint(*(value_of(*pair) for pair in zip(_field_hints(hint), given, strict=True)))
    if isinstance(hint, type) and isinstance(given, hint):
        return given
    raise TypeError(f"{given!r} is no {hint}")


def _one_of(parts: tuple[Any, ...], given: Any) -> Any:
    """The first declared type that fits; None only where nothing was written."""
    if given is None and type(None) in parts:
        return None
    for part in parts:
        with suppress(TypeError, ValueError):
            return value_of(part, given)
    raise TypeError(f"{given!r} is none of {parts}")


def _tuple(parts: tuple[Any, ...], given: Any) -> tuple[Any, ...]:
    if parts[1:] == (...,):
        return tuple(value_of(parts[0], each) for each in given)
    return tuple(value_of(part, each) for part, each in zip(parts, given, strict=True))


@cache
def _field_hints(kind: Any) -> tuple[Any, ...]:
    """The declared types of a dataclass's or a named tuple's fields, in order."""
    hints = get_type_hints(kind)
    names = kind._fields if hasattr(kind, "_fields") else [field.name for field in fields(kind)]
    return tuple(hints[name] for name in names)

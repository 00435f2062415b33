"""`referee.toml`: where it is looked for, what it says, and what is wrong with it."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

from hardware.folders import Base, base_folder
from referee.settings.knobs import KNOBS, SECTIONS, Knob, Value
from referee.settings.values import checked, shown

NAME = "referee.toml"
MACHINE = Path("/etc")
"""The folder of the settings that hold for every user."""
MOST_BYTES = 65_536
"""A file of settings is a page or two; anything longer is another file."""
TOLD = 3
"""So many problems are named in one sentence."""
SIMILAR = 60
"""Signs of an unknown name that are compared; the effort grows with their square."""
Check = Callable[[Knob, object], Value]
"""`checked`, which knows where paths begin."""


@dataclass(frozen=True)
class Given:
    """A value and where it was set."""

    value: Value
    origin: str


@dataclass(frozen=True)
class Reading:
    """What one file says."""

    path: Path
    given: Mapping[str, Given]
    """By `section.name`; what is wrong is left out."""
    problems: tuple[str, ...] = ()
    """A sentence each, with file and line."""
    data: bytes = b""
    """The file as it is, for a copy."""

    @property
    def complaint(self) -> str:
        """All problems in one sentence, or the first few."""
        more = len(self.problems) - TOLD
        rest = f"; and {more} more (`referee config` lists them)" if more > 0 else ""
        return "; ".join(self.problems[:TOLD]) + rest


def usual_places(home: Path | None = None) -> tuple[Path, ...]:
    """The file of the machine, then that of the user, whose values win.

    Not the current folder's: the file may name a program to run, and a folder that somebody
    else has filled must not choose it. `home` is that of another user.
    """
    return MACHINE / NAME, base_folder(Base.CONFIG, home) / "referee" / NAME


def read_all(chosen: Path | None, home: Path | None = None) -> tuple[Reading, ...]:
    """The files that count: the chosen one alone, or the usual ones that are there. `home` is that
    of another user, for whom they are read."""
    if chosen is not None:
        return (read(chosen, home),)
    return tuple(read(path, home) for path in usual_places(home) if os.path.lexists(path))


def read(path: Path, home: Path | None = None) -> Reading:
    """What a file says, as far as it is sound."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        return Reading(path, {}, (f"{path} cannot be read: {(error.strerror or '').lower()}",))
    except ValueError:
        return Reading(path, {}, (f"{shown(path)} is no name of a file",))
    return parse(data, path, home)


def parse(data: bytes, path: Path, home: Path | None = None) -> Reading:
    """What the content of a file says; paths in it begin in the file's folder."""
    if len(data) > MOST_BYTES:
        return Reading(path, {}, (f"{path} is longer than {MOST_BYTES} bytes",))
    try:
        text = data.decode("utf-8-sig")
        table = tomllib.loads(text)
    except RecursionError:
        return Reading(path, {}, (f"{path} is no file of settings: too many brackets",))
    except ValueError as error:
        return Reading(path, {}, (_unreadable(path, error),))
    given: dict[str, Given] = {}
    check = partial(checked, folder=path.absolute().parent, home=home)
    problems = tuple(_entries(table, path, _lines(text), check, given))
    return Reading(path, given, problems, data)


def _unreadable(path: Path, error: ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"{path} is no file of settings: it is not text in UTF-8"
    cause, _, place = str(error).partition(" (at line ")
    line = re.match(r"[0-9]+", place)
    if "integer string conversion" in cause:
        cause = "a number is too long"
    if twice := re.match(r"Cannot declare \('(.*)',\) twice", cause):
        cause = f"[{twice[1]}] stands there a second time; put its lines together"
    cause = cause[:1].lower() + cause[1:]
    return f"{path}{':' + line[0] if line else ''}: {cause}"


def _entries(
    table: Mapping[str, Any],
    path: Path,
    lines: Mapping[str, int],
    check: Check,
    given: dict[str, Given],
) -> Iterator[str]:
    """Fill `given` with what is right and name what is wrong."""
    for section, entries in table.items():
        if section not in SECTIONS:
            yield f"{_place(path, lines.get(section))}: there is no {_section(section, entries)}"
        elif not isinstance(entries, dict):
            yield f"{_place(path, lines.get(section))}: [{section}] must be a section"
        else:
            for name, raw in entries.items():
                key = f"{section}.{name}"
                place = _place(path, lines.get(key))
                try:
                    given[key] = Given(_known(section, name, raw, check), place)
                except ValueError as error:
                    yield f"{place}: {error}"


def _known(section: str, name: str, raw: object, check: Check) -> Value:
    knob = KNOBS.get(f"{section}.{name}")
    if knob is None:
        names = [each.name for each in KNOBS.values() if each.section == section]
        raise ValueError(f"[{section}] has no {shown(name)[1:-1]}{_meant(name, names)}")
    try:
        return check(knob, raw)
    except ValueError as error:
        raise ValueError(f"[{section}] {name}: {error}") from None


def _section(name: str, entries: object) -> str:
    """What is not known at the top of a file: a section, or a value that lacks its section."""
    if isinstance(entries, dict):
        return f"section [{shown(name)[1:-1]}]{_meant(name, list(SECTIONS), '[{}]')}"
    homes = [f"[{knob.section}]" for knob in KNOBS.values() if knob.name == name]
    hint = f"; {name} belongs into {' or '.join(homes)}" if homes else ""
    return f"{shown(name)[1:-1]} outside the sections{hint}"


def _meant(name: str, known: list[str], form: str = "{}") -> str:
    near = get_close_matches(name[:SIMILAR], known, n=1)
    if near:
        return f"; did you mean {form.format(near[0])}?"
    return f"; there is {', '.join(form.format(each) for each in known)}"


def _place(path: Path, line: int | None) -> str:
    return f"{path}:{line}" if line else str(path)


_HEADING = re.compile(r"\s*\[\s*([\w-]+)\s*\]")
_ENTRY = re.compile(r"\s*([\w-]+)\s*(?:\.\s*([\w-]+)\s*)?=")


def _lines(text: str) -> dict[str, int]:
    """The lines of sections and keys as people write them; rarer forms of TOML have none."""
    found: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if heading := _HEADING.match(line):
            section = heading[1]
            found.setdefault(section, number)
        elif entry := _ENTRY.match(line):
            parts = [part for part in (section, *entry.groups()) if part]
            found.setdefault(".".join(parts), number)
    return found

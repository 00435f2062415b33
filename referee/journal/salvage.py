"""Reading both copies of a journal, comparing them, and joining what is sound in either."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from referee.journal.chain import GENESIS, Entry, parse_line
from referee.journal.copies import DATABASE, TEXT

WAL, SHARED = f"{DATABASE}-wal", f"{DATABASE}-shm"
MOST_ENTRIES = 1_000_000
"""A day of play has a tenth of it: a file with more is not one of ours."""


@dataclass(frozen=True)
class Copy:
    """One copy as it was found."""

    name: str
    entries: dict[int, Entry]
    """By number; not checked against each other."""
    problems: tuple[str, ...] = ()
    torn: bool = False
    """Whether it ends in half a line, as a copy does whose writer was cut off."""

    @property
    def end(self) -> int:
        """How many entries there would be if all were there."""
        return max(self.entries, default=-1) + 1

    def chain(self, start: int, before: str) -> int:
        """How many entries from `start` on are joined to the hash before and to each other."""
        number = start
        while (entry := self.entries.get(number)) and entry.follows(before):
            number, before = number + 1, entry.hash
        return number - start


@dataclass(frozen=True)
class Findings:
    """What both copies together still tell."""

    entries: tuple[Entry, ...]
    """The longest row without a gap that begins at the first entry; each is sound."""
    problems: tuple[str, ...]
    """Every damage, a sentence each; empty when all is as it should be."""
    notes: tuple[str, ...] = ()
    """What a power cut leaves behind and no damage is: the text copy gets each entry second."""
    lost: int = 0
    """Entries that there must have been and that neither copy gives back."""
    text_entries: int = 0
    """How many of the entries the text copy holds at its beginning."""


def read(folder: Path) -> Findings:
    """Both copies compared. Nothing in the folder is touched."""
    database, text = read_database(folder), read_text(folder / TEXT)
    entries, forks = _joined(database, text)
    end = max(database.end, text.end)
    text_entries = text.chain(0, GENESIS)
    problems = [*database.problems, *text.problems, *forks]
    problems += _shorter(database, text, text_entries, len(entries))
    if end > len(entries):
        problems.append(f"{_entries(end - len(entries))} after {_number(len(entries))} are lost")
    notes = () if problems else _late(text, text_entries, len(entries))
    return Findings(tuple(entries), tuple(problems), notes, end - len(entries), text_entries)


def _late(text: Copy, text_entries: int, joined: int) -> tuple[str, ...]:
    if text_entries == joined and not text.torn:
        return ()
    return (f"{TEXT} lacks the last entry, as after a power cut",)


def _shorter(database: Copy, text: Copy, text_entries: int, joined: int) -> list[str]:
    """Differences of length, but for the last line, which the text copy gets second."""
    in_database, problems = database.chain(0, GENESIS), []
    if in_database < joined:
        problems.append(f"{DATABASE} is sound for {_entries(in_database)} of {joined} only")
    allowed = joined - 1 if not text.problems else joined
    if text_entries < allowed:
        problems.append(f"{TEXT} is sound for {_entries(text_entries)} of {joined} only")
    if text.torn and text_entries == joined:
        problems.append(f"{TEXT} has half a line behind its last entry")
    return problems


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def _number(number: int) -> str:
    return f"number {number - 1}" if number else "the beginning"


def _joined(first: Copy, second: Copy) -> tuple[list[Entry], list[str]]:
    """From each copy what is joined to the entries so far, the longer row where they differ."""
    entries: list[Entry] = []
    forks: list[str] = []
    before = GENESIS
    while len(entries) < MOST_ENTRIES:
        number = len(entries)
        one, two = first.entries.get(number), second.entries.get(number)
        sound = [entry for entry in (one, two) if entry and entry.follows(before)]
        if not sound:
            break
        best = sound[0]
        if len(sound) == 2 and sound[0].hash != sound[1].hash:
            forks.append(f"{first.name} and {second.name} differ from entry {number} on")
            longer = second.chain(number, before) > first.chain(number, before)
            best = sound[1] if longer else sound[0]
        entries.append(best)
        before = best.hash
    return entries, forks


# --- the text copy --------------------------------------------------------------------------


def read_text(path: Path) -> Copy:
    """The text copy, each line by itself."""
    try:
        if path.exists() and not path.is_file():  # a pipe keeps its reader waiting
            return Copy(TEXT, {}, (f"{TEXT} is no file",))
        data = path.read_bytes()
    except OSError as error:
        return Copy(TEXT, {}, (f"{TEXT} cannot be read: {_cause(error)}",))
    *lines, rest = data.split(b"\n")
    parsed = [parse_line(line) for line in lines]
    entries: dict[int, Entry] = {}
    for place, entry in enumerate(parsed):
        # A line whose number is damaged must not push out the one that stands in its place.
        if entry and (place == entry.number or entry.number not in entries):
            entries[entry.number] = entry
    bad = [place for place, entry in enumerate(parsed, start=1) if entry is None]
    problems = [f"{TEXT} is damaged in line {bad[0]}"] if bad else []
    # Half a line is what a writer leaves that was cut off; what could never be one is damage.
    if rest and not _could_begin_a_line(rest):
        problems.append(f"{TEXT} ends in something that is no entry")
    return Copy(TEXT, entries, tuple(problems), torn=bool(rest))


def _could_begin_a_line(rest: bytes) -> bool:
    digits, brace = rest[:64], rest[64:66]
    hexadecimal = all(byte in b"0123456789abcdef" for byte in digits)
    printable = all(0x20 <= byte < 0x7F for byte in rest)
    return hexadecimal and printable and b" {".startswith(brace)


def _cause(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


# --- the database ---------------------------------------------------------------------------


def read_database(folder: Path) -> Copy:
    """The database, read from a copy: opening it in place would change it."""
    try:
        with tempfile.TemporaryDirectory(prefix="referee-") as room:
            for name in (DATABASE, WAL):
                if name == DATABASE or (folder / name).exists():
                    shutil.copyfile(folder / name, Path(room, name))
            return _read_rows(Path(room, DATABASE))
    except OSError as error:
        return Copy(DATABASE, {}, (f"{DATABASE} cannot be read: {_cause(error)}",))


def _read_rows(path: Path) -> Copy:
    entries: dict[int, Entry] = {}
    problems: list[str] = []
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.text_factory = bytes
            _guarded(problems, lambda: _check(connection, problems))
            _guarded(problems, lambda: _fetch(connection, entries, problems))
    except sqlite3.Error as error:
        problems.append(str(error))
    told = dict.fromkeys(f"{DATABASE} is damaged: {problem}" for problem in problems)
    return Copy(DATABASE, entries, tuple(told))


def _guarded(problems: list[str], act: Callable[[], None]) -> None:
    """Do what can be done with a damaged file; what cannot is a problem, not an end."""
    try:
        act()
    except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
        problems.append(str(error))


def _check(connection: sqlite3.Connection, problems: list[str]) -> None:
    for (answer,) in connection.execute("PRAGMA integrity_check(3)"):
        if answer != b"ok":
            problems.append(answer.decode("utf-8", "replace").splitlines()[0])


def _fetch(connection: sqlite3.Connection, entries: dict[int, Entry], problems: list[str]) -> None:
    for number, text, digest in connection.execute("SELECT number, text, hash FROM entry"):
        if not (isinstance(number, int) and 0 <= number < MOST_ENTRIES):
            problems.append("there is an entry without a place")
            continue
        with suppress(UnicodeDecodeError, AttributeError):
            entries[number] = Entry(number, text.decode("ascii"), digest.decode("ascii"))

"""Disks without room: at every write of both copies, by a limit of the system, and for good."""

from __future__ import annotations

import errno
import os
import random
import resource
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from unittest import mock

from referee import game as games
from referee.errors import InputError
from referee.events import Event
from referee.game import Input
from referee.journal.chain import Entry
from referee.journal.condition import NotRecorded, NotRecording, Recording
from referee.journal.copies import Database, TextCopy
from referee.journal.folding import Replay, events
from referee.journal.keeper import Keeper
from referee.journal.salvage import read
from referee.journal.shelf import Shelf
from tests.plays import played
from tests.torture.tally import Tally, Tick

REFUSING = (Path("/proc/self/games"), Path("/dev/null/games"), Path("/sys/games"))
PLIES = 8
MOST_BYTES = 36_000
"""About what the database of the game comes to."""
FAILURES = 5
"""Writes that fail in a row."""
ROOM_AFTER = 60
"""Inputs after which somebody has made room."""
ROOM_LATE_S = 45
"""Seconds after the end of a game, in which somebody has made room."""
CONDITIONS = (NotRecorded, NotRecording, Recording)
Full = Callable[[], None]
"""Call it to make room."""


def run(tries: int, seed: int, room: Path, tick: Tick) -> Tally:
    """Let so many writes fail, each in a game of its own."""
    tally, rng, inputs = Tally("disk full"), random.Random(seed), played(seed, plies=PLIES)
    writes = _count_writes(inputs, room / "counted")
    for number in range(tries):
        full = FULL[number % len(FULL)]
        place = rng.randrange(MOST_BYTES) if full is _limit else number // len(FULL) % writes
        late = number // len(FULL) % 2 == 1
        _try(full(place), inputs, room / f"games-{number}", tally, late)
        shutil.rmtree(room / f"games-{number}", ignore_errors=True)
        tally.tries += 1
        tick()
    for folder in REFUSING:
        _refused(folder, tally)
    tally.remark = f"{writes} writes a game"
    return tally


def _count_writes(inputs: list[Input], folder: Path) -> int:
    with mock.patch.object(Database, "add", autospec=True, side_effect=Database.add) as adding:
        _try(_plenty(), inputs, folder, Tally("counted"))
    return int(adding.call_count)


@contextmanager
def _plenty() -> Iterator[Full]:
    yield lambda: None


# --- ways of being full ---------------------------------------------------------------------


@contextmanager
def _limit(size: int) -> Iterator[Full]:
    """No file can grow beyond so many bytes: what the system itself does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, before)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def _database(place: int) -> Iterator[Full]:
    """Some writes of the database fail, and nothing of them arrives."""
    add, calls = Database.add, count()

    def failing(self: Database, *entries: Entry) -> None:
        if place <= next(calls) < place + FAILURES:
            raise sqlite3.OperationalError("database or disk is full")
        add(self, *entries)

    with mock.patch.object(Database, "add", failing):
        yield lambda: None


@contextmanager
def _database_late(place: int) -> Iterator[Full]:
    """A write of the database is said to have failed and has arrived all the same."""
    add, calls = Database.add, count()

    def late(self: Database, *entries: Entry) -> None:
        add(self, *entries)
        if next(calls) == place:
            raise sqlite3.OperationalError("disk I/O error")

    with mock.patch.object(Database, "add", late):
        yield lambda: None


@contextmanager
def _text(place: int) -> Iterator[Full]:
    """Some writes of the text copy fail half way."""
    write, calls = TextCopy._write, count()

    def half(self: TextCopy, data: bytes) -> None:
        if place <= next(calls) < place + FAILURES:
            write(self, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(self, data)

    with mock.patch.object(TextCopy, "_write", half):
        yield lambda: None


FULL = (_limit, _database, _database_late, _text)


# --- what must hold -------------------------------------------------------------------------


def _refused(folder: Path, tally: Tally) -> None:
    """A folder in which nothing can be written is refused at once, with what to do."""
    tally.tries += 1
    tally.due += 1
    try:
        Keeper(Shelf(folder), "source", 14)
    except InputError as error:
        tally.given += "--games" in str(error)


def _try(full: object, inputs: list[Input], folder: Path, tally: Tally, late: bool = False) -> None:
    """Somebody makes room after `ROOM_AFTER` inputs, or not before the game has ended."""
    with full as make_room:  # type: ignore[attr-defined]
        keeper = Keeper(Shelf(folder), "source", 14)
        try:
            told, total = _play(keeper, inputs, make_room, tally, late)
        except InputError as error:
            tally.due += 1
            tally.given += "no game can be kept" in str(error)
            return
    assert keeper.folder is not None
    findings = read(keeper.folder)
    kept = list(events(findings.entries))
    tally.lost += total - len(told) + sum(each not in kept for each in told)
    tally.holes += findings.lost + len(list(Replay(findings.entries))) + len(findings.problems)


def _play(
    keeper: Keeper, inputs: list[Input], make_room: Full, tally: Tally, late: bool
) -> tuple[list[Event], int]:
    """What was announced of a game on a disk that is full for a while; how much there was. What
    changes in how it is kept must be told at once."""
    game, told, full_at = games.begin(), list[Event](), None
    before = _kept(keeper)
    for number, given in enumerate(inputs):
        game, more = keeper.feed(game, given)
        if any(isinstance(event, NotRecording) for event in more):
            full_at = number
        before, was = _kept(keeper), before
        tally.due += before != was
        tally.given += before != was and any(isinstance(event, CONDITIONS) for event in more)
        told += [event for event in more if not isinstance(event, CONDITIONS)]
        if more and full_at == number:
            _nothing_early(keeper, told, tally)
        if full_at is not None and number == full_at + ROOM_AFTER and not late:
            make_room()
    told += [event for event in _closed(keeper, make_room) if not isinstance(event, CONDITIONS)]
    return told, game.count


def _kept(keeper: Keeper) -> tuple[bool, str | None]:
    """Whether all is written, and what is wrong with the text copy."""
    recorder = keeper._recorder
    return (recorder.sound, recorder._journal.fault) if recorder else (True, None)


def _closed(keeper: Keeper, make_room: Full) -> tuple[Event, ...]:
    """What comes at the end, when somebody makes room after `ROOM_LATE_S`."""
    waited_s = 0.0

    def wait(wait_s: float) -> None:
        nonlocal waited_s
        waited_s += wait_s
        if waited_s >= ROOM_LATE_S:
            make_room()

    with mock.patch("referee.journal.recorder.time.sleep", wait):
        return keeper.close()


def _nothing_early(keeper: Keeper, told: list[Event], tally: Tally) -> None:
    """What has been announced is on the disk although the disk is full."""
    assert keeper.folder is not None
    kept = list(events(read(keeper.folder).entries))
    tally.lost += sum(event not in kept for event in told)

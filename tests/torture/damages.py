"""Damages of the database, its log and the text copy, one at a time and together."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from referee.journal.chain import Entry
from referee.journal.copies import DATABASE, TEXT
from referee.journal.folding import fold
from referee.journal.journal import Journal
from referee.journal.recorder import Recorder
from referee.journal.salvage import WAL, read, read_database
from tests.plays import played, recorded
from tests.torture.tally import Tally, Tick

PLACES = ((DATABASE,), (WAL,), (TEXT,), (DATABASE, WAL), (DATABASE, TEXT), (WAL, TEXT))
Entries = tuple[Entry, ...]
Damage = Callable[[bytes, random.Random], bytes | None]


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def _zeros(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data))
    return data[:place] + bytes(len(data) - place)


def _flip(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def _garbage(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data))
    return data[:place] + rng.randbytes(4096) + data[place + 4096 :]


def _remove(data: bytes, rng: random.Random) -> None:
    return None


DAMAGES: tuple[Damage, ...] = (_cut, _zeros, _flip, _garbage, _remove)


def run(tries: int, seed: int, room: Path, tick: Tick) -> Tally:
    """Damage a journal so many times, each time a sound one."""
    tally, rng = Tally("damages"), random.Random(seed)
    sound = prepare(room)
    whole = read(sound).entries
    for number in range(tries):
        folder = room / f"game-{number}"
        shutil.copytree(sound, folder)
        touched = [_damage(folder / name, rng) for name in PLACES[number % len(PLACES)]]
        tally.tries += 1
        _check(folder, whole, any(touched), tally)
        shutil.rmtree(folder)
        tick()
    return tally


def prepare(room: Path) -> Path:
    """A journal half of which is in the database and half in its log, as in a running game."""
    folder, copy = room / "game", room / "sound"
    inputs = played(1, plies=6)
    recorded(folder, inputs[: len(inputs) // 2])
    half = read(folder).entries
    game = fold(half)
    journal, _ = Journal.reopen(folder)
    recorder = Recorder(journal, resumed=True)
    recorder.note("resumed", {})
    for given in inputs[len(inputs) // 2 :]:
        game, _ = recorder.feed(game, given)
    recorder.note("note", {})
    shutil.copytree(folder, copy)
    recorder.close()
    assert (copy / WAL).stat().st_size > 0
    return copy


def _damage(path: Path, rng: random.Random) -> bool:
    """Whether the file is another now."""
    data = path.read_bytes()
    worse = rng.choice(DAMAGES)(data, rng)
    if worse is None:
        path.unlink()
    else:
        path.write_bytes(worse)
    return worse != data


def _check(folder: Path, whole: Entries, touched: bool, tally: Tally) -> None:
    text_changed = not (folder / TEXT).exists() or (folder / TEXT).read_bytes() != b"".join(
        entry.line() for entry in whole
    )
    rows = read_database(folder).entries
    rows_changed = [rows.get(entry.number) for entry in whole] != list(whole)
    findings = read(folder)
    if text_changed or rows_changed:
        tally.due += 1
        tally.given += bool(findings.problems or findings.notes)
    if findings.entries != whole[: len(findings.entries)]:
        tally.holes += 1
    tally.lost += max(0, _prefix(folder, rows, whole) - len(findings.entries))
    if not (text_changed and rows_changed):
        tally.lost += len(whole) - len(findings.entries)
    if findings.entries:
        _return(folder, findings.entries, tally)


def _prefix(folder: Path, rows: dict[int, Entry], whole: Entries) -> int:
    """How many of the first entries either copy still holds, read as simply as possible."""
    lines = set()
    if (folder / TEXT).exists():
        lines = set((folder / TEXT).read_bytes().split(b"\n")[:-1])
    count = 0
    for entry in whole:
        if rows.get(entry.number) != entry and entry.line()[:-1] not in lines:
            break
        count += 1
    return count


def _return(folder: Path, entries: Entries, tally: Tally) -> None:
    begin_s = time.process_time()
    journal, _ = Journal.reopen(folder)
    fold(entries)
    journal.append("note", {})
    journal.close()
    tally.resume_s = max(tally.resume_s, time.process_time() - begin_s)
    after = read(folder)
    if after.problems or after.entries[: len(entries)] != entries:
        tally.wrong.append(f"not mended: {after.problems}")

"""kill -9 at random moments, from the camera to the announcement, and back by `referee resume`."""

from __future__ import annotations

import json
import os
import random
import select
import shutil
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2

from calibration.saved import Calibration
from referee import cli
from referee.eye.eye import Eye
from referee.journal.chain import Entry
from referee.journal.folding import Replay, fold
from referee.journal.journal import Journal
from referee.journal.salvage import read
from referee.journal.shelf import CALIBRATION, NAME
from sample_images import play
from tests.torture.tally import Tally, Tick

SCRIPT = """set official
camera pi3 37 5
size 640 360
light two-lamps
rate 3
seed 7
wait 1
11-15
23-19
out-of-turn 22-18
restore
wait 1
8-11
wait 1
"""
MOST_LIVES = 40
"""A game that is killed so often never ends; then another one begins."""
Record = dict[str, Any]


@dataclass
class Stage:
    """What is watched again and again."""

    film: Path
    calibration: Path
    life_s: float
    """How long a game takes that nobody kills."""


@dataclass
class Life:
    """One game, however often it was killed."""

    games: Path
    heard: list[Record] = field(default_factory=list)
    """What was announced, in order."""
    lives: int = 0

    @property
    def folder(self) -> Path | None:
        """The game's own; None when it was killed before it had one."""
        found = [path for path in self.games.glob("*") if NAME.fullmatch(path.name)]
        return found[0] if found else None

    def hear(self, record: Record) -> None:
        """Something was announced; what is said again after a return may have been said before."""
        plain = {name: value for name, value in record.items() if name not in ("said", "aloud")}
        if plain.pop("again", False) and plain in self.heard[-10:]:
            return
        self.heard.append(plain)


def run(tries: int, seed: int, room: Path, tick: Tick) -> Tally:
    """Kill so many times."""
    tally, rng, stage = Tally("kill -9"), random.Random(seed), prepare(room)
    life = Life(room / "games-0")
    for number in range(tries):
        ended = _live(life, stage, rng.uniform(0, 1.1 * stage.life_s))
        tally.tries += 1
        _check(life, tally, stage, ended)
        if ended or life.lives >= MOST_LIVES:
            shutil.rmtree(life.games, ignore_errors=True)
            life = Life(room / f"games-{number + 1}")
        tick()
    return tally


def prepare(room: Path) -> Stage:
    """Draw the film, find its board and see how long it takes."""
    cv2.setNumThreads(1)
    script, film = room / "game.script", room / "game.avi"
    script.write_text(SCRIPT)
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 3, (640, 360))
    for _, picture in play.open_script(str(script))[0]:
        writer.write(picture)
    writer.release()
    stage = Stage(film, room / "board.json", 60.0)
    calibrated = ["calibrate", str(film), "-o", str(stage.calibration), "--json"]
    assert _in_child(lambda: cli.main(calibrated), 60, lambda record: None)
    begin_s = time.monotonic()
    life = Life(room / "unkilled")
    assert _live(life, stage, 120)
    stage.life_s = time.monotonic() - begin_s
    return stage


def _live(life: Life, stage: Stage, kill_s: float) -> bool:
    """Watch, or go on watching, until the end or the kill; whether it was the end."""
    life.lives += 1
    life.games.mkdir(exist_ok=True)
    common = ["--games", str(life.games), "--pdn", str(life.games / "game.pdn"), "--json"]
    if life.folder is None or not read(life.folder).entries:
        shutil.rmtree(life.games)
        life.games.mkdir()
        words = ["watch", str(stage.film), "--calibration", str(stage.calibration), *common]
    else:
        words = ["resume", "last", str(stage.film), *common]
    return _in_child(lambda: cli.main(words), kill_s, life.hear)


def _in_child(act: Callable[[], object], kill_s: float, hear: Callable[[Record], None]) -> bool:
    """Do something in another process, listen to what it says, and kill it after some time."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        _become_program(theirs, act)
    os.close(theirs)
    said, ended = _listen(ours, time.monotonic() + kill_s)
    os.kill(child, signal.SIGKILL)
    said += _rest(ours)
    os.waitpid(child, 0)
    *lines, _ = said.split(b"\n")
    for line in lines:
        hear(json.loads(line))
    return ended


def _become_program(out: int, act: Callable[[], object]) -> None:
    try:
        os.dup2(out, 1)
        quiet = os.open(os.devnull, os.O_RDWR)
        os.dup2(quiet, 0)
        os.dup2(quiet, 2)
        act()
    finally:
        os._exit(0)


def _listen(pipe: int, until_s: float) -> tuple[bytes, bool]:
    """What is said until then, and whether it ended by itself."""
    said = b""
    while (left_s := until_s - time.monotonic()) > 0:
        if select.select([pipe], [], [], left_s)[0]:
            new = os.read(pipe, 65536)
            if not new:
                return said, True
            said += new
    return said, False


def _rest(pipe: int) -> bytes:
    said = b""
    while new := os.read(pipe, 65536):
        said += new
    os.close(pipe)
    return said


def _check(life: Life, tally: Tally, stage: Stage, ended: bool) -> None:
    """What was announced must be in the journal, in order, and the game must go on soon."""
    folder = life.folder
    entries: Sequence[Entry] = ()
    if folder is not None:
        findings = read(folder)
        entries = findings.entries
        tally.holes += findings.lost
        if findings.problems and entries:
            tally.wrong.append("; ".join(findings.problems))
    told = [event for entry in entries for event in entry.body().get("events", ())]
    common = _common(told, life.heard)
    tally.lost += len(life.heard) - common
    if folder is None or not entries:
        return
    if ended:
        tally.holes += len(list(Replay(entries)))
        if common < len(told):
            tally.wrong.append(f"{len(told) - common} events were never announced")
        return
    begin_s = time.process_time()
    journal, findings = Journal.reopen(folder)
    fold(findings.entries)
    own = folder / CALIBRATION
    Eye(Calibration.load(own if own.exists() else stage.calibration))
    journal.close()
    tally.resume_s = max(tally.resume_s, time.process_time() - begin_s)


def _common(told: list[Record], heard: list[Record]) -> int:
    """How many of the first announced events are in the record, in order."""
    count = 0
    for one, other in zip(told, heard, strict=False):
        if one != other:
            break
        count += 1
    return count

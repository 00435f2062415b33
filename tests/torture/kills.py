"""kill -9 at random moments, from the camera to the announcement, and back by `referee resume`.

It is the program itself that dies, in a process of its own, with its files on the disk. Only what
costs much and keeps nothing is spared most lives: the process is forked from one that has imported
everything, and what the eye sees in each picture was read once before. One life in `REAL` has its
own eye, one in `COLD` is begun as people begin it. Half of the kills are aimed: they wait until a
certain file is being written, and come at most a few milliseconds later.
"""

from __future__ import annotations

import fcntl
import json
import mmap
import os
import random
import select
import shutil
import signal
import struct
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

import cv2

from calibration.saved import Calibration
from hardware.camera import Image
from referee import cli, watching
from referee.journal import evidence
from referee.journal.chain import Entry
from referee.journal.copies import Database, TextCopy
from referee.journal.folding import Replay, inputs
from referee.journal.recorder import Recorder
from referee.journal.salvage import read
from referee.journal.shelf import NAME
from referee.observation import Observation
from referee.scoresheet import Scoresheet
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
PROJECT = Path(__file__).parents[2]
REAL, COLD = 15, 50
"""One life in so many sees with its own eye; one in so many is a new program altogether."""
MOST_LIVES = 40
"""A game that is killed so often never ends; then another one begins."""
AIMED_S = 0.002
"""How long after the beginning of a write an aimed kill comes at most."""
STEP_S = 0.0002
"""Between two looks at where the program is."""
CRASHED = 70
"""Status of a process that ended by a fault which nobody caught."""
PATIENCE_S = 600.0
"""For what nobody kills; the machine may be shared."""
SHARE = 0.7
"""Of a game's length within which kills come: after a return there is less left of it."""
Record = dict[str, Any]


@dataclass
class Stage:
    """What is watched again and again."""

    film: Path
    calibration: Path
    seen: dict[int, Observation]
    """What an eye saw in each picture, by its time."""
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
    life = Life(room / "0")
    with Whereabouts.noted() as where:
        for number in count():
            if tally.tries == tries:
                break
            kind, after_s = _kind(number), rng.uniform(0, SHARE * stage.life_s)
            aim = rng.choice(Whereabouts.AIMS) if number % 2 == 0 else 0
            kill = Kill(after_s, kind == "cold", aim, rng.random())
            ended = _live(life, stage, kind, kill, where)
            if life.lives > 1:
                tally.resume_s = max(tally.resume_s, where.returned_s)
            _check(life, tally, ended)
            if ended or life.lives >= MOST_LIVES:
                shutil.rmtree(life.games, ignore_errors=True)
                life = Life(room / f"{number + 1}")
            if not ended:
                tally.tries += 1
                tally.met["of new programs" if kind == "cold" else where.place] += 1
                tick()
    return tally


# --- the stage ------------------------------------------------------------------------------


def prepare(room: Path) -> Stage:
    """Draw the film, find its board, watch it once: whoever comes first, for all who have rooms
    beside this one."""
    cv2.setNumThreads(1)
    folder = room.parent / "stage"
    with (room.parent / "stage.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "ready").exists():
            shutil.rmtree(folder, ignore_errors=True)
            _build(folder)
            (folder / "ready").touch()
    life = Life(folder / "unkilled")
    assert life.folder is not None
    seen = _observations(read(life.folder).entries)
    stage = Stage(folder / "game.avi", folder / "board.json", seen, 0.0)
    begin_s = time.monotonic()
    assert _live(Life(room / "timed"), stage, "warm", Kill(PATIENCE_S))
    stage.life_s = time.monotonic() - begin_s
    return stage


def _build(folder: Path) -> None:
    folder.mkdir()
    script, film = folder / "game.script", folder / "game.avi"
    script.write_text(SCRIPT)
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 3, (640, 360))
    for _, picture in play.open_script(str(script))[0]:
        writer.write(picture)
    writer.release()
    stage = Stage(film, folder / "board.json", {}, 0.0)
    calibrated = ["calibrate", str(film), "-o", str(stage.calibration), "--json"]
    assert _in_child(lambda: cli.main(calibrated), Kill(PATIENCE_S), lambda record: None)
    assert _live(Life(folder / "unkilled"), stage, "real", Kill(PATIENCE_S))


def _observations(entries: Sequence[Entry]) -> dict[int, Observation]:
    fed = (given for _, _, several in inputs(entries) for given in several)
    return {given.time_ms: given for given in fed if isinstance(given, Observation)}


@contextmanager
def remembering(seen: dict[int, Observation]) -> Iterator[None]:
    """With an eye that says of a picture what another said of it before."""

    class Remembered:
        def __init__(self, calibration: Calibration) -> None:
            self.view = calibration.view

        def observe(self, image: Image, time_ms: int, still: bool = False) -> Observation:
            return seen[time_ms]

    with mock.patch.object(watching, "Eye", Remembered):
        yield


# --- when and where it dies -----------------------------------------------------------------


@dataclass(frozen=True)
class Kill:
    """When a process is killed."""

    after_s: float
    of_words: bool = False
    """Whether the time counts from the first thing that is said, not from the beginning."""
    aim: int = 0
    """Where the process must be then, as a number of `Whereabouts`; 0 is anywhere."""
    late: float = 0.0
    """How late it comes after that, as a share of `AIMED_S`."""


class Whereabouts:
    """Where a child is and how it fares, in memory that outlives it."""

    PLACES = ("between writes", "in a commit", "in the text copy", "in a picture", "in the PDN")
    AIMS = (1, 1, 1, 2, 2, 2, 3, 4)
    """How often which is aimed at. Pictures are written seldom: most lives end before."""
    _FORMAT = "=Bd"

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, struct.calcsize(self._FORMAT))
        self.reset()

    @classmethod
    @contextmanager
    def noted(cls) -> Iterator[Whereabouts]:
        """With everything that writes noting it."""
        where = cls()
        writers = (Database, "add"), (TextCopy, "add"), (evidence, "_write"), (Scoresheet, "save")
        with ExitStack() as stack:
            for place, (owner, name) in enumerate(writers, start=1):
                noted = where._during(place, getattr(owner, name))
                stack.enter_context(mock.patch.object(owner, name, noted))
            feed = where._fed(Recorder.feed)
            stack.enter_context(mock.patch.object(Recorder, "feed", feed))
            yield where

    def reset(self) -> None:
        self._note(0, 0.0)

    @property
    def place(self) -> str:
        return self.PLACES[self._noted()[0]]

    def suits(self, kill: Kill) -> bool:
        """Whether the process is where it is to be killed."""
        return kill.aim in (0, self._noted()[0])

    @property
    def returned_s(self) -> float:
        """After how much computing the first picture was fed; 0 before."""
        return self._noted()[1]

    def note_return(self, computed_s: float) -> None:
        """It goes on with the game."""
        self._note(0, computed_s)

    def _note(self, place: int, returned_s: float) -> None:
        struct.pack_into(self._FORMAT, self._memory, 0, place, returned_s)

    def _noted(self) -> tuple[int, float]:
        place, returned_s = struct.unpack_from(self._FORMAT, self._memory)
        return int(place), float(returned_s)

    def _during(self, place: int, write: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*words: Any) -> Any:
            self._note(place, self.returned_s)
            try:
                return write(*words)
            finally:
                self._note(0, self.returned_s)

        return noted

    def _fed(self, feed: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*words: Any) -> Any:
            if not self.returned_s:
                self.note_return(time.process_time())
            return feed(*words)

        return noted


# --- a life ---------------------------------------------------------------------------------


def _kind(number: int) -> str:
    if number % COLD == COLD - 1:
        return "cold"
    return "real" if number % REAL == REAL - 1 else "warm"


def _live(
    life: Life, stage: Stage, kind: str, kill: Kill, where: Whereabouts | None = None
) -> bool:
    """Watch, or go on watching, until the end or the kill; whether it was the end."""
    life.lives += 1
    life.games.mkdir(parents=True, exist_ok=True)
    words = _words(life, stage)
    if kind == "cold":
        return _in_child(lambda: _become_new(words), kill, life.hear, where)
    if kind == "real":
        return _in_child(lambda: cli.main(words), kill, life.hear, where)
    with remembering(stage.seen):
        return _in_child(lambda: cli.main(words), kill, life.hear, where)


def _words(life: Life, stage: Stage) -> list[str]:
    """The arguments of the program."""
    common = ["--games", str(life.games), "--pdn", str(life.games / "game.pdn"), "--json"]
    if life.folder is None or not read(life.folder).entries:
        shutil.rmtree(life.games)
        life.games.mkdir()
        return ["watch", str(stage.film), "--calibration", str(stage.calibration), *common]
    return ["resume", "last", str(stage.film), *common]


def _become_new(words: list[str]) -> None:
    os.chdir(PROJECT)
    os.execv(sys.executable, [sys.executable, "-m", "referee", *words])


def _in_child(
    act: Callable[[], object],
    kill: Kill,
    hear: Callable[[Record], None],
    where: Whereabouts | None = None,
) -> bool:
    """Do something in another process, listen to what it says, and kill it after some time."""
    where = where or Whereabouts()
    where.reset()
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        _become_program(theirs, act)
    os.close(theirs)
    said, ended = _listen(ours, kill, where, child)
    os.kill(child, signal.SIGKILL)
    said += _rest(ours)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == CRASHED:
        raise RuntimeError("the program ended by itself, with a fault of its own")
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
    except BaseException:
        os._exit(CRASHED)
    finally:
        os._exit(0)


def _listen(pipe: int, kill: Kill, where: Whereabouts, child: int) -> tuple[bytes, bool]:
    """What is said until the moment has come, and whether it ended by itself."""
    said, from_s = b"", None if kill.of_words else time.monotonic()
    while True:
        left_s = PATIENCE_S if from_s is None else from_s + kill.after_s - time.monotonic()
        if left_s <= 0 and where.suits(kill):
            break
        if select.select([pipe], [], [], max(left_s, STEP_S))[0]:
            new = os.read(pipe, 65536)
            if not new:
                return said, True
            said += new
            if from_s is None:
                from_s = time.monotonic()
                where.note_return(_computed_s(child))
    if kill.aim:
        time.sleep(kill.late * AIMED_S)
    return said, False


def _computed_s(process: int) -> float:
    """What a process has computed so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _rest(pipe: int) -> bytes:
    said = b""
    while new := os.read(pipe, 65536):
        said += new
    os.close(pipe)
    return said


# --- what must hold -------------------------------------------------------------------------


def _check(life: Life, tally: Tally, ended: bool) -> None:
    """What was announced must be in the journal, in order."""
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
    if ended and entries:
        tally.holes += len(list(Replay(entries)))
        if common < len(told):
            tally.wrong.append(f"{len(told) - common} events were never announced")


def _common(told: list[Record], heard: list[Record]) -> int:
    """How many of the first announced events are in the record, in order."""
    count = 0
    for one, other in zip(told, heard, strict=False):
        if one != other:
            break
        count += 1
    return count

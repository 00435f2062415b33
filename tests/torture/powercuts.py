"""Power cuts: the disk as it is at a random moment, mounted anew, with what was announced by then.

A loop device is the disk: what the programs and the file system have not flushed is not in its
image. Needs root and loop devices, and is skipped aloud elsewhere. A card that lies about flushing
cannot be tested so.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

from referee import game as games
from referee.game import Input
from referee.journal.folding import fold
from referee.journal.journal import Journal
from referee.journal.recorder import Recorder, begun
from referee.journal.salvage import read
from tests.plays import played
from tests.torture.tally import Tally, Tick

DISK_BYTES = 48 << 20
LONGEST_S = 0.06
"""Between two cuts."""
GAMES = 12
"""After so many games the writer begins anew on an empty disk."""
MEMORY = Path("/dev/shm")


class NoLoop(Exception):
    """This machine cannot mount an image."""


def run(tries: int, seed: int, room: Path, tick: Tick) -> Tally:
    """Cut the power so many times."""
    tally, rng = Tally("power cuts"), random.Random(seed)
    try:
        with Disk(room) as disk:
            inputs = [played(seed + number, plies=5) for number in range(GAMES)]
            while tally.tries < tries:
                disk.empty()
                _cut_while_writing(disk, inputs, tries, rng, tally, tick)
    except NoLoop as reason:
        tally.skipped = str(reason)
    return tally


class Disk:
    """A small disk in a file."""

    def __init__(self, room: Path) -> None:
        place = MEMORY / f"referee-{os.getpid()}" if MEMORY.is_dir() else room
        place.mkdir(exist_ok=True)
        self._image, self._copy = place / "disk.img", place / "copy.img"
        self._place = place
        self.here, self.there = room / "disk", room / "after"
        self._mounted: list[Path] = []

    def __enter__(self) -> Disk:
        for folder in (self.here, self.there):
            folder.mkdir(exist_ok=True)
        return self

    def empty(self) -> None:
        """A fresh file system."""
        self._unmount()
        with self._image.open("wb") as file:
            file.truncate(DISK_BYTES)
        _do("mkfs.ext4", "-q", "-F", str(self._image))
        self._mount(self._image, self.here)

    def after_the_cut(self) -> Path:
        """What a machine finds that is started anew now."""
        self._unmount(self.there)
        _do("cp", "--sparse=always", str(self._image), str(self._copy))
        self._mount(self._copy, self.there)
        return self.there

    def _mount(self, image: Path, folder: Path) -> None:
        _do("mount", "-o", "loop", str(image), str(folder))
        self._mounted.append(folder)

    def _unmount(self, *folders: Path) -> None:
        for folder in folders or tuple(self._mounted):
            if folder in self._mounted:
                _do("umount", "-l", str(folder))
                self._mounted.remove(folder)

    def __exit__(self, *_: object) -> None:
        with suppress(NoLoop):
            self._unmount()
        for file in (self._image, self._copy):
            file.unlink(missing_ok=True)
        if self._place.name.startswith("referee-"):
            self._place.rmdir()


def _do(*words: str) -> None:
    try:
        done = subprocess.run(words, capture_output=True, text=True)
    except OSError as error:
        raise NoLoop(str(error)) from None
    if done.returncode:
        raise NoLoop(f"{words[0]}: {done.stderr.strip()}")


def _cut_while_writing(
    disk: Disk, inputs: list[list[Input]], tries: int, rng: random.Random, tally: Tally, tick: Tick
) -> None:
    """Stop the writer at random moments and look at the disk, until it has filled it."""
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    writer = os.fork()
    if writer == 0:
        _write(disk.here, inputs, lambda line: os.write(theirs, line))
    os.close(theirs)
    announced: dict[str, int] = {}
    try:
        while tally.tries < tries:
            time.sleep(rng.uniform(0, LONGEST_S))
            os.kill(writer, signal.SIGSTOP)
            if not _hear(ours, announced):
                break
            _check(disk.after_the_cut(), announced, tally)
            tally.tries += 1
            tick()
            os.kill(writer, signal.SIGCONT)
    finally:
        os.kill(writer, signal.SIGKILL)
        os.waitpid(writer, 0)
        os.close(ours)


def _write(folder: Path, inputs: list[list[Input]], say: Callable[[bytes], object]) -> None:
    """Play game after game at full speed and say how many events of each have been announced."""
    try:
        for number, given in zip(count(), inputs, strict=False):
            game = games.begin()
            journal = Journal.create(folder / f"game-{number}")
            journal.append("begun", begun(game, "game"))
            recorder, told = Recorder(journal), 0
            for each in given:
                game, events = recorder.feed(game, each)
                told += len(events)
                if events:
                    say(f"game-{number} {told}\n".encode())
            recorder.close()
    finally:
        os._exit(0)


def _hear(pipe: int, announced: dict[str, int]) -> bool:
    """Note what was announced; False when the writer has ended."""
    with suppress(BlockingIOError):
        while said := os.read(pipe, 1 << 16):
            for line in said.decode().splitlines():
                name, told = line.split()
                announced[name] = int(told)
        return False
    return True


def _check(disk: Path, announced: dict[str, int], tally: Tally) -> None:
    """The two newest games must hold all that was announced, and no cut has damaged them."""
    for name, told in list(announced.items())[-2:]:
        findings = read(disk / name)
        kept = sum(len(entry.body().get("events", ())) for entry in findings.entries)
        tally.lost += max(0, told - kept)
        tally.holes += findings.lost
        tally.wrong += findings.problems
    if announced and kept:
        begin_s = time.process_time()
        journal, findings = Journal.reopen(disk / name)
        fold(findings.entries)
        journal.close()
        tally.resume_s = max(tally.resume_s, time.process_time() - begin_s)

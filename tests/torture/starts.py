"""Starts at which nobody is there, with damaged settings and a damaged calibration."""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import time
from dataclasses import dataclass
from pathlib import Path

from calibration.saved import Calibration, CalibrationError, former
from referee.settings.files import parse
from referee.settings.knobs import Settings
from referee.verbs.calibrations import load_or_search
from referee.verbs.settings import recovered_settings
from tests.torture.damages import DAMAGES
from tests.torture.malformed import calibration_file, settings_file
from tests.torture.tally import Tally, Tick


@dataclass(frozen=True)
class Desk:
    """The files of one referee."""

    room: Path

    @property
    def config(self) -> Path:
        return self.room / "referee.toml"

    @property
    def board(self) -> Path:
        return self.room / "board.json"

    def lay(self, config: bytes, board: bytes) -> None:
        """Sound files, as after a good start."""
        self.config.write_bytes(config)
        self.board.write_bytes(board)
        former(self.board).write_bytes(board)


def run(tries: int, seed: int, room: Path, tick: Tick) -> Tally:
    """Start so many times, with one file or both damaged."""
    tally, rng, desk = Tally("starts"), random.Random(seed), Desk(room)
    config, board = settings_file(), calibration_file()
    desk.lay(config, board)
    sound, known, _ = _start(desk)
    for number in range(tries):
        desk.lay(config, board)
        hurt = [(desk.config,), (desk.board,), (desk.config, desk.board)][number % 3]
        for path in hurt:
            _damage(path, rng)
        tally.tries += 1
        _check(desk, sound, known, tally)
        # What was damaged must not have got into the copy.
        desk.lay(config, board)
        if _start(desk)[0] != sound:
            tally.wrong.append("the sound file no longer counts")
        tick()
    return tally


def _damage(path: Path, rng: random.Random) -> None:
    worse = rng.choice(DAMAGES)(path.read_bytes(), rng)
    if worse is None:
        path.unlink()
    else:
        path.write_bytes(worse)


def _start(desk: Desk) -> tuple[Settings, Calibration | None, str]:
    """What a start makes of the files, and what it tells people."""
    heard = io.StringIO()
    options = argparse.Namespace(config=desk.config)
    with contextlib.redirect_stderr(heard):
        settings = recovered_settings(options, desk.room / "copies")
        calibration = load_or_search(desk.board)
    return settings, calibration, heard.getvalue()


def _check(desk: Desk, sound: Settings, known: Calibration | None, tally: Tally) -> None:
    readable = desk.config.exists() and not parse(desk.config.read_bytes(), desk.config).problems
    emptied = readable and not desk.config.read_bytes().strip()
    moved = not _is_same(desk.board, known)
    due = (not readable or emptied) + moved
    tally.due += due
    begin_s = time.process_time()
    try:
        settings, calibration, said = _start(desk)
    except Exception as error:
        tally.wrong.append(f"the start failed: {type(error).__name__} {error}")
        return
    took_s = time.process_time() - begin_s
    tally.resume_s = max(tally.resume_s, took_s)
    tally.given += min(due, said.count("\n"))
    if said.count("\n") != due:
        tally.wrong.append(f"{due} sentences were due: {said!r}")
    if (not readable or emptied) and settings != sound:
        tally.lost += 1
    if calibration != known:
        tally.lost += 1


def _is_same(path: Path, known: Calibration | None) -> bool:
    try:
        return Calibration.load(path) == known
    except CalibrationError:
        return False

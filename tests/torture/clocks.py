"""Wall clocks that jump while a game is kept: an hour, ten years, out of all reason."""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass
from pathlib import Path

from referee.journal.folding import Replay
from referee.journal.journal import TimeSource
from referee.journal.salvage import read
from tests.plays import played, recorded
from tests.torture.tally import Tally, Tick

HOUR_S, YEAR_S = 3_600, 31_557_600
JUMPS_S = (HOUR_S, -HOUR_S, 10 * YEAR_S, -10 * YEAR_S, 1e12, -1e12)


@dataclass
class Jumping:
    """Clocks of a machine whose wall clock is set now and then."""

    rng: random.Random
    steady_s: float = 100.0
    ahead_s: float = 1.8e9
    jumps: int = 0
    calls: int = 0

    def steady(self) -> float:
        self.steady_s += 0.01
        return self.steady_s

    def wall(self) -> float:
        self.calls += 1
        if self.calls > 3 and self.rng.random() < 0.3:
            self.jumps += 1
            self.ahead_s = 1.8e9 + self.rng.choice(JUMPS_S)
        return self.steady_s + self.ahead_s


def run(tries: int, seed: int, room: Path, tick: Tick) -> Tally:
    """Keep so many games under jumping clocks."""
    tally, rng = Tally("clock jumps"), random.Random(seed)
    inputs = played(seed, plies=4)
    for number in range(tries):
        jumping = Jumping(random.Random(rng.random()))
        _, told = recorded(
            room / f"game-{number}", inputs, TimeSource(jumping.wall, jumping.steady)
        )
        _check(room / f"game-{number}", len(told), jumping, tally)
        shutil.rmtree(room / f"game-{number}")
        tally.tries += 1
        tick()
    return tally


def _check(folder: Path, told: int, jumping: Jumping, tally: Tally) -> None:
    findings = read(folder)
    bodies = [entry.body() for entry in findings.entries]
    times = [event["time_ms"] for body in bodies for event in body.get("events", ())]
    tally.lost += told - len(times)
    tally.holes += findings.lost + len(list(Replay(findings.entries)))
    if times != sorted(times) or findings.problems:
        tally.wrong.append("a clock has upset the order")
    if jumping.jumps:
        tally.due += 1
        tally.given += any("jump_s" in body for body in bodies)

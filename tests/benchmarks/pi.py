"""How many pictures a second come through the real picamera2, from libcamera's virtual camera."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.report import Row, Section, at_least
from tests.benchmarks.wanted import Wanted

TITLE = "the Pi's camera"
PROJECT = Path(__file__).parents[2]
SPEED = "tests/pi/test_real.py::test_speed"
RATE = at_least(30.0)
"""Of a camera module at 1280x720, on a computer a good deal quicker than a Pi."""
TOLD = re.compile(r"at (\d+x\d+).*: (\d+) frames a second, ([\d.]+) ms.* each, ([\d.]+) ms if")


@dataclass(frozen=True)
class Speed:
    """What the test prints; `reason` instead where it cannot run."""

    size: str = ""
    frames_a_second: float | None = None
    own_ms: float = 0.0
    """Of the reading thread's time, for each frame."""
    still_ms: float = 0.0
    """The same where nothing is new and the picture is not converted."""
    reason: str = ""


def jobs(wanted: Wanted) -> Sequence[int]:
    """One run."""
    return [1]


def measure(number: int) -> Speed:
    """Ask for pictures as fast as they come; the Debian system for it must have been made."""
    run = ["sh", str(PROJECT / "tests" / "pi" / "run.sh")]
    wishes = {"PI_TESTS": SPEED, "PI_AS_IS": "1"}
    done = subprocess.run(run, env=os.environ | wishes, capture_output=True, text=True)
    told = TOLD.search(done.stdout)
    if told is None:
        return Speed(reason=(done.stdout.strip() or done.stderr.strip()).splitlines()[-1])
    size, *numbers = told.groups()
    return Speed(size, *map(float, numbers))


def sections(results: Iterable[Speed]) -> list[Section]:
    """One row, or why there is none."""
    (speed,) = results
    title = "Pictures through the real picamera2, whose virtual camera waits for nothing"
    if speed.frames_a_second is None:
        return [Section(title, [Row("pictures", "–", None)], [speed.reason])]
    detail = f"{speed.own_ms:.2f} ms of the reading thread each, {speed.still_ms:.2f} if still"
    row = Row("pictures", speed.size, speed.frames_a_second, "a second", RATE, detail)
    return [Section(title, [row])]

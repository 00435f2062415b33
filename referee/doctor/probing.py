"""Finding out about this computer: files, programs, modules and cameras. Judges nothing."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from referee.doctor.machine import Camera, Device, Machine, Module
from referee.doctor.mounts import switches
from referee.journal.shelf import usual_folder
from referee.settings.clashes import clashes
from referee.settings.files import Reading
from referee.settings.knobs import Settings

PATIENCE_S = 60.0
"""For one program; importing picamera2 takes a small Raspberry Pi some seconds."""
LATE = "it does not load within a minute"
MODULES = ("numpy", "cv2", "simplejpeg", "picamera2", "gpiozero")
PROGRAMS = ("espeak-ng", "aplay", "pw-play")
DEVICES = ("video*", "media*", "gpiochip*", "snd/pcm*", "snd/control*")
NOT_INSTALLED = 3
IMPORT = f"""
import importlib.util, sys
if importlib.util.find_spec(sys.argv[1]) is None:
    sys.exit({NOT_INSTALLED})
print(getattr(__import__(sys.argv[1]), "__version__", ""))
"""


@dataclass(frozen=True)
class Answer:
    """What a program said."""

    status: int
    out: str = ""
    err: str = ""


class Computer:
    """Where to look: the root of the file system, and how to run a program."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    def run(self, *words: str) -> Answer | None:
        """What a program answers; None when there is no such program, or no answer in time."""
        environment = {**os.environ, "LC_ALL": "C"}
        try:
            done = subprocess.run(
                words, capture_output=True, text=True, timeout=PATIENCE_S,
                stdin=subprocess.DEVNULL, env=environment, errors="replace",
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return None
        return Answer(done.returncode, done.stdout, done.stderr)

    def has(self, program: str) -> bool:
        return shutil.which(program) is not None

    def text(self, path: str) -> str:
        """A small file of the system; empty when there is none."""
        with suppress(OSError):
            return (self.root / path).read_text(errors="replace").strip("\0\n ")
        return ""

    def found(self, pattern: str) -> list[Path]:
        return sorted((self.root / "dev").glob(pattern))


@dataclass(frozen=True)
class Looked:
    """What was looked at in other ways."""

    settings: Settings = field(default_factory=Settings)
    readings: Sequence[Reading] = ()
    cameras: tuple[Camera, ...] = ()
    tone: str | None = None
    calibration: str | None = None
    reading_ms: float | None = None
    modules: Mapping[str, Module] = field(default_factory=dict)


def probe(computer: Computer, looked: Looked) -> Machine:
    """All of it as one record."""
    games = looked.settings.games.folder or usual_folder()
    # `Path.exists` raises where a folder above may not be entered.
    place = next(path for path in (games, *games.absolute().parents) if os.path.exists(path))
    return Machine(
        python=sys.version_info[:3],
        architecture=platform.machine(),
        system=_system(computer.text("etc/os-release")),
        model=computer.text("proc/device-tree/model"),
        memory_mb=_memory_mb(computer.text("proc/meminfo")),
        modules=looked.modules,
        devices=devices(computer),
        cameras=looked.cameras,
        programs=frozenset(name for name in PROGRAMS if computer.has(name)),
        cards=_said(computer.run("aplay", "-l")),
        tone=looked.tone,
        throttled=_said(computer.run("vcgencmd", "get_throttled")),
        celsius=_celsius(computer.text("sys/class/thermal/thermal_zone0/temp")),
        free_mb=shutil.disk_usage(place).free >> 20,
        games=os.path.realpath(games),
        writable=os.access(place, os.W_OK | os.X_OK),
        mounts=computer.text("proc/mounts"),
        command_line=switches(computer.text("proc/cmdline")),
        synchronized=_synchronized(computer),
        settings=_problems(looked),
        calibration=looked.calibration,
        reading_ms=looked.reading_ms,
    )


def modules(computer: Computer) -> dict[str, Module]:
    """The modules that are installed. Each is imported by a Python of its own, for some that do
    not fit together take their program down."""
    found = {}
    for name in MODULES:
        answer = computer.run(sys.executable, "-c", IMPORT, name)
        if answer and answer.status == 0:
            found[name] = Module(answer.out.strip())
        elif answer is None or answer.status != NOT_INSTALLED:
            found[name] = Module(error=_last_line(answer.err) if answer else LATE)
    return found


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "it takes Python down with it"


def devices(computer: Computer) -> dict[str, Device]:
    """The cameras, sound and pins of the system by path below /dev."""
    dev = computer.root / "dev"
    return {
        str(path.relative_to(dev)): Device(os.access(path, os.R_OK | os.W_OK), _group(path))
        for pattern in DEVICES
        for path in computer.found(pattern)
    }


def _group(path: Path) -> str:
    with suppress(OSError, KeyError):
        return path.group()
    return ""


def sources(computer: Computer, settings: Settings, known: Mapping[str, Module]) -> Iterator[str]:
    """What to take a test frame of: the source that is set, else every camera that is there."""
    if settings.camera.source:
        yield settings.camera.source
        return
    picamera2 = known.get("picamera2")
    if picamera2 and not picamera2.error:
        yield "pi:0"
    named = computer.found("v4l/by-id/*-video-index0")
    # A Raspberry Pi has many video devices that are no cameras; those on USB have names.
    if named or (computer.found("video0") and not picamera2):
        yield "usb:0" if not named else f"usb:{_number(named[0])}"


def _number(link: Path) -> str:
    """The system's number of a camera that has a name."""
    return re.sub(r"\D", "", os.path.realpath(link).rpartition("/")[2]) or "0"


def _problems(looked: Looked) -> tuple[str, ...]:
    files = (problem for each in looked.readings for problem in each.problems)
    return (*files, *clashes(looked.settings))


def _said(answer: Answer | None) -> str | None:
    return answer.out if answer else None


def _system(release: str) -> str:
    found = re.search(r'^PRETTY_NAME="?([^"\n]*)', release, flags=re.MULTILINE)
    return found[1] if found else platform.system()


def _memory_mb(facts: str) -> int | None:
    found = re.search(r"MemTotal:\s*(\d+) kB", facts)
    return int(found[1]) >> 10 if found else None


def _celsius(text: str) -> float | None:
    return int(text) / 1000 if text.lstrip("-").isdecimal() else None


def _synchronized(computer: Computer) -> bool | None:
    answer = computer.run("timedatectl", "show", "-p", "NTPSynchronized", "--value")
    return {"yes": True, "no": False}.get(answer.out.strip()) if answer else None

"""What to make of a computer: a finding for each matter, with one sentence of what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from hardware.sources import NAMED
from referee.doctor.machine import Camera, Machine, Module, Picture
from referee.doctor.mounts import is_lost_at_power_off


class State(Enum):
    """How grave a finding is."""

    OK = "ok"
    ADVICE = "advice"
    """It works, but could be better."""
    WRONG = "wrong"
    ABSENT = "not here"
    """Something that a computer need not have."""


@dataclass(frozen=True)
class Finding:
    """One matter."""

    matter: str
    state: State
    found: str
    """What there is, in a few words."""
    advice: str = ""
    """What to do about it, one sentence; empty where nothing is to be done."""


Check = Callable[[Machine], Iterator[Finding]]
OLDEST_PYTHON = (3, 11, 0)
LEAST_MEMORY_MB = 400
"""A Zero 2 W shows 415 of its 512; watching takes some 150 and OpenCV's files in memory more."""
LITTLE_MB, TOO_LITTLE_MB = 1024, 64
"""Of disk: a game with pictures of incidents takes some megabytes, its journal one an hour."""
HOT_C = 80.0
"""From here on a Raspberry Pi slows down."""
DARK, BRIGHT, EVEN = 40.0, 215.0, 6.0
"""Mean grey and contrast of test frames that show little, 0 to 255."""
SLOW_RATE = 3.0
"""Frames a second; quick play needs more."""
CLASH = "numpy.dtype size changed"
THROTTLED = re.compile(r"throttled=0x([0-9a-fA-F]+)")
UNDER_VOLTAGE, CAPPED, SLOWED, WARM = 1, 2, 4, 8
HAPPENED = 16
"""By so many bits the same flags are shifted that have held since the start."""


def python(machine: Machine) -> Iterator[Finding]:
    found = f"{'.'.join(map(str, machine.python))} on {machine.system}, {machine.architecture}"
    if machine.python < OLDEST_PYTHON:
        yield Finding("Python", State.WRONG, found, "install Python 3.11 or newer")
    elif machine.architecture.startswith("armv"):
        advice = "install the 64-bit system: for this one there are no ready-made packages"
        yield Finding("Python", State.ADVICE, found, advice)
    else:
        yield Finding("Python", State.OK, found)


def opencv(machine: Machine) -> Iterator[Finding]:
    for matter, name in (("numpy", "numpy"), ("OpenCV", "cv2")):
        yield _module(matter, machine.modules.get(name), "make clean, then make demo")


def _module(matter: str, module: Module | None, cure: str) -> Finding:
    if module is None:
        return Finding(matter, State.WRONG, "not installed", cure)
    if not module.error:
        return Finding(matter, State.OK, module.version or "can be used")
    if "libGL" in module.error or "libgthread" in module.error:
        cure = "sudo apt install libgl1 libglib2.0-0"
    if CLASH in module.error:
        cure = "pip install 'numpy<2' 'opencv-python<4.12' in the environment of the referee"
    return Finding(matter, State.WRONG, module.error, cure)


def picamera2(machine: Machine) -> Iterator[Finding]:
    """picamera2 reads JPEG by simplejpeg, which the system has compiled for its own numpy."""
    simplejpeg = machine.modules.get("simplejpeg")
    if simplejpeg and CLASH in simplejpeg.error:
        found = "the numpy here is newer than the one that simplejpeg was made for"
        yield Finding("picamera2", State.WRONG, found, _module("", simplejpeg, "").advice)
        return
    module = machine.modules.get("picamera2")
    if module is not None:
        cure = "sudo apt install --reinstall python3-picamera2, then make clean and make demo"
        yield _module("picamera2", module, cure)
    elif machine.is_pi:
        advice = "for a camera on the ribbon: sudo apt install python3-picamera2, then make clean"
        yield Finding("picamera2", State.ADVICE, "not installed", advice)
    else:
        yield Finding("picamera2", State.ABSENT, "no Raspberry Pi")


def cameras(machine: Machine) -> Iterator[Finding]:
    if not machine.cameras:
        advice = "plug a camera in, or name another SOURCE" if machine.is_pi else ""
        state = State.ADVICE if machine.is_pi else State.ABSENT
        yield Finding("Camera", state, "none was found", advice)
    another = any(camera.picture for camera in machine.cameras)
    for camera in machine.cameras:
        matter = f"Camera {kind(camera.source)}"
        if camera.picture is None and another and not camera.asked:
            yield Finding(matter, State.ABSENT, "none was found")
        elif camera.picture is None:
            problem, _, advice = camera.error.partition("; ")
            yield Finding(matter, State.WRONG, problem, advice or _camera_advice(camera.source))
        else:
            yield _picture(matter, camera.picture, camera.told)


def _camera_advice(source: str) -> str:
    """What to do where a camera, or a file in its place, gives no picture and no reason."""
    if source.startswith(("pi:", "usb:")) or "://" in source:
        return "look at its cable and power, then try again"
    return "name another SOURCE"


def kind(source: str) -> str:
    """A source without what may be private in it: addresses may hold passwords, names of cameras
    their numbers."""
    if re.fullmatch(r"(pi|usb|fake):\w{1,20}", source):
        return source
    if "://" in source:
        return "at an address"
    prefix, colon, _ = source.partition(":")
    return f"{prefix}:…" if colon and prefix in NAMED else "of a file"


def _picture(matter: str, seen: Picture, told: tuple[str, ...]) -> Finding:
    rate = f", {seen.rate:.0f} a second" if seen.rate is not None else ""
    board = "it shows a board" if seen.board else "it shows no board"
    found = "; ".join((f"{seen.width}x{seen.height}{rate}", board, *told))
    advice = _picture_advice(seen)
    if seen.contrast < EVEN:
        return Finding(matter, State.WRONG, found, "take the cap off: the picture is one colour")
    return Finding(matter, State.ADVICE if advice else State.OK, found, advice)


def _picture_advice(seen: Picture) -> str:
    if seen.brightness < DARK:
        return "give it more light: the picture is dark"
    if seen.brightness > BRIGHT:
        return "give it less light: the picture is glaring"
    if seen.rate is not None and seen.rate < SLOW_RATE:
        return "try another cable or port, or a smaller picture: it is slow"
    return ""


def sound(machine: Machine) -> Iterator[Finding]:
    """The loudspeaker; and the voice, where there is one: a tone may be heard that no card plays,
    but something at the other end of the air."""
    cards, played = _cards(machine.cards or ""), machine.tone == ""
    yield _loudspeaker(machine, cards, played)
    if not cards and not played:
        return
    if "espeak-ng" in machine.programs:
        yield Finding("Voice", State.OK, "espeak-ng")
    else:
        advice = "for a voice: sudo apt install espeak-ng"
        yield Finding("Voice", State.ADVICE, "no espeak-ng", advice)


def _loudspeaker(machine: Machine, cards: list[str], played: bool) -> Finding:
    if machine.cards is None and not played:
        advice = "for a voice: sudo apt install alsa-utils espeak-ng"
        state = State.ADVICE if machine.is_pi else State.ABSENT
        return Finding("Sound", state, "no aplay", advice)
    if machine.tone:
        others = "choose another `device` under [voice]; `aplay -L` lists them"
        advice = others if cards else "plug a loudspeaker in, then try again"
        return Finding("Sound", State.WRONG, f"a tone was not played: {machine.tone}", advice)
    if not cards and not played:
        advice = "plug a USB loudspeaker in if it is to speak" if machine.is_pi else ""
        return Finding("Sound", State.ABSENT, "no loudspeaker", advice)
    listed = [", ".join(cards)] if cards else []
    return Finding("Sound", State.OK, "; ".join(listed + ["a tone was played"] * played))


def _cards(listed: str) -> list[str]:
    """`Headphones` for `card 0: Headphones [bcm2835 Headphones], device 0: …`."""
    return list(dict.fromkeys(re.findall(r"^card \d+: (\w+)", listed, flags=re.MULTILINE)))


def gpio(machine: Machine) -> Iterator[Finding]:
    if not any(name.startswith("gpiochip") for name in machine.devices):
        yield Finding("GPIO", State.ABSENT, "no pins")
        return
    module = machine.modules.get("gpiozero")
    if module is None and not machine.is_pi:
        yield Finding("GPIO", State.ABSENT, "no gpiozero")
    elif module is None:
        advice = "for lamps and buttons: sudo apt install python3-gpiozero python3-lgpio"
        yield Finding("GPIO", State.ADVICE, "no gpiozero", advice)
    else:
        cure = "sudo apt install --reinstall python3-gpiozero python3-lgpio"
        finding = _module("GPIO", module, cure)
        yield replace(finding, found=f"gpiozero {finding.found}")


def rights(machine: Machine) -> Iterator[Finding]:
    """Members of a group may use its devices; a new member only after logging in again."""
    with_pins = machine.is_pi or "gpiozero" in machine.modules
    closed = {
        each.group: name
        for name, each in machine.devices.items()
        if not each.usable and (with_pins or not name.startswith("gpiochip"))
    }
    for group, name in sorted(closed.items()):
        found = f"this user may not use /dev/{name}"
        if group in ("", "root"):
            yield Finding("Rights", State.ADVICE, found, "ask who looks after this computer")
        else:
            advice = f'sudo usermod -aG {group} "$USER", then log out and in again'
            yield Finding("Rights", State.WRONG, found, advice)
    if machine.devices and not closed:
        groups = sorted({each.group for each in machine.devices.values()} - {"", "root"})
        yield Finding("Rights", State.OK, f"devices of {', '.join(groups) or 'root'} can be used")


def power(machine: Machine) -> Iterator[Finding]:
    flags = THROTTLED.search(machine.throttled or "")
    if flags is None:
        found = "vcgencmd says nothing" if machine.is_pi else "no Raspberry Pi"
        state = State.ADVICE if machine.is_pi else State.ABSENT
        advice = "be a member of the group video to ask it" if machine.is_pi else ""
        yield Finding("Power", state, found, advice)
        return
    bits = int(flags[1], 16)
    supply = "use the official power supply, and a short thick cable"
    cooling = "give it air or a cooler"
    slow = CAPPED | SLOWED | WARM
    if bits & UNDER_VOLTAGE:
        yield Finding("Power", State.WRONG, "the voltage is too low at this moment", supply)
    elif bits & slow:
        yield Finding("Power", State.WRONG, "it is too hot and runs slowly", cooling)
    elif bits & UNDER_VOLTAGE << HAPPENED:
        yield Finding("Power", State.ADVICE, "the voltage has been too low", supply)
    elif bits & slow << HAPPENED:
        yield Finding("Power", State.ADVICE, "it was too hot and ran slowly", cooling)
    else:
        yield Finding("Power", State.OK, "has been sound since the start")


def heat(machine: Machine) -> Iterator[Finding]:
    if machine.celsius is not None and machine.celsius >= HOT_C:
        found = f"the processor has {machine.celsius:.0f} °C"
        yield Finding("Heat", State.ADVICE, found, "give it air or a cooler")


def memory(machine: Machine) -> Iterator[Finding]:
    if machine.memory_mb is None:
        yield Finding("Memory", State.ABSENT, "nobody here knows how much")
    elif machine.memory_mb < LEAST_MEMORY_MB:
        advice = "use a computer with 512 MB or more"
        yield Finding("Memory", State.WRONG, f"{machine.memory_mb} MB", advice)
    else:
        yield Finding("Memory", State.OK, f"{machine.memory_mb / 1024:.1f} GB")


def disk(machine: Machine) -> Iterator[Finding]:
    free = f"{machine.free_mb / 1024:.1f} GB are free for games"
    if not machine.writable:
        advice = "choose another `folder` under [games], or give this user the right to write"
        yield Finding("Disk", State.WRONG, "no game can be written to its folder", advice)
    elif machine.free_mb < TOO_LITTLE_MB:
        yield Finding("Disk", State.WRONG, f"{machine.free_mb} MB are free for games", "make room")
    elif machine.free_mb < LITTLE_MB:
        advice = "make room: pictures of incidents stop first"
        yield Finding("Disk", State.ADVICE, f"{machine.free_mb} MB are free for games", advice)
    else:
        yield Finding("Disk", State.OK, free)


def overlay(machine: Machine) -> Iterator[Finding]:
    if is_lost_at_power_off(machine.games, machine.mounts, machine.command_line):
        found = "the games are kept in memory only: they are lost when the power goes"
        advice = "set `folder` under [games] to a USB stick or a partition that is written to"
        yield Finding("Records", State.WRONG, found, advice)
    else:
        yield Finding("Records", State.OK, "outlast the power")


def clock(machine: Machine) -> Iterator[Finding]:
    if machine.synchronized is None:
        yield Finding("Clock", State.ABSENT, "nobody here knows whether it is right")
    elif machine.synchronized:
        yield Finding("Clock", State.OK, "set by the network")
    else:
        advice = "connect it to a network, or mind that the games' dates may be wrong"
        yield Finding("Clock", State.ADVICE, "not set by the network", advice)


def settings(machine: Machine) -> Iterator[Finding]:
    for problem in machine.settings:
        advice = (
            "mend it; meanwhile a service runs with its last good copy, `referee watch` not at all"
        )
        yield Finding("Settings", State.WRONG, problem, advice)
    if not machine.settings:
        yield Finding("Settings", State.OK, "can be read")


def calibration(machine: Machine) -> Iterator[Finding]:
    if machine.calibration:
        advice = "make another with `referee calibrate`"
        yield Finding("Calibration", State.WRONG, machine.calibration, advice)
    elif machine.calibration == "":
        yield Finding("Calibration", State.OK, "can be read")


CHECKS: tuple[Check, ...] = (
    *(python, opencv, picamera2, cameras, sound, gpio, rights, power, heat),
    *(memory, disk, overlay, clock, settings, calibration),
)


def examine(machine: Machine) -> list[Finding]:
    """All findings, in the order in which people look for them."""
    return [finding for check in CHECKS for finding in check(machine)]


def cameras_of(machine: Machine) -> list[Camera]:
    """The cameras, told by their kind alone."""
    return [replace(each, source=kind(each.source)) for each in machine.cameras]

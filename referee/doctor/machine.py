"""One computer as a record: what was found on it, raw. The checks alone judge it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Module:
    """What came of importing a module."""

    version: str = ""
    error: str = ""
    """The last line of what went wrong; empty when it can be used."""


@dataclass(frozen=True)
class Device:
    """A file in /dev."""

    usable: bool
    """Whether this user may read and write it."""
    group: str = ""
    """Whose members may."""


@dataclass(frozen=True)
class Picture:
    """A test frame and what it looks like."""

    width: int
    height: int
    rate: float | None
    """Pictures a second, those given again among them; None of a recording."""
    brightness: float
    """Mean grey, 0 to 255."""
    contrast: float
    """Standard deviation of the greys."""
    board: bool
    """Whether the eye finds a board in it."""
    search_ms: float
    """What that search took."""
    still: float = 0.0
    """The share of frames that the camera gave again because it saw nothing new."""


@dataclass(frozen=True)
class Camera:
    """One source and its test frame, or why there is none."""

    source: str
    picture: Picture | None = None
    error: str = ""
    asked: bool = True
    """Whether somebody named it; else it was only looked whether it is there."""
    told: tuple[str, ...] = ()
    """What its backend said of it: `it does not let its focus be held`."""


@dataclass(frozen=True)
class Machine:
    """What was found. The defaults are a computer that is sound, and no Raspberry Pi."""

    python: tuple[int, int, int] = (3, 11, 2)
    architecture: str = "x86_64"
    system: str = "Debian GNU/Linux 12 (bookworm)"
    model: str = ""
    """`Raspberry Pi 4 Model B Rev 1.4`; empty where the computer does not say."""
    memory_mb: int | None = 4096
    modules: Mapping[str, Module] = field(default_factory=dict)
    """By name; those that are not installed are missing."""
    devices: Mapping[str, Device] = field(default_factory=dict)
    """By path below /dev, of cameras, sound and GPIO."""
    cameras: tuple[Camera, ...] = ()
    programs: frozenset[str] = frozenset()
    """Of those that the referee may call, the ones that are installed."""
    cards: str | None = None
    """What `aplay -l` prints; None without it."""
    tone: str | None = None
    """What came of playing a tone: empty when it was played, None when nobody asked for one."""
    throttled: str | None = None
    """What `vcgencmd get_throttled` prints; None where there is no such program."""
    celsius: float | None = None
    """Of the processor."""
    free_mb: int = 8192
    """Where the games are kept."""
    games: str = "/home/games"
    """That folder, for the checks alone: it may tell a name."""
    writable: bool = True
    """Whether a game can be written there."""
    mounts: str = "/dev/sda1 / ext4 rw,relatime 0 0\n"
    """/proc/mounts."""
    command_line: str = ""
    """The words of /proc/cmdline that matter, see `mounts.switches`."""
    synchronized: bool | None = None
    """Whether the network sets the clock; None when that is not known."""
    settings: tuple[str, ...] = ()
    """What is wrong in the files of settings."""
    calibration: str | None = None
    """What is wrong with the calibration; empty when nothing is, None when none is set."""
    reading_ms: float | None = None
    """A warp to 512x512 and its conversion to Lab: the unit in which the eye's speed is told."""

    @property
    def is_pi(self) -> bool:
        return self.model.startswith("Raspberry Pi")

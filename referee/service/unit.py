"""The unit that systemd is given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

NAME = "referee.service"
MARK = "# Written by `referee service install`; `referee service remove` takes it away."
GROUPS = ("video", "audio", "gpio", "render", "input")
"""Whose members may use cameras, sound, pins and keypads. A unit that names one which does not
exist cannot start."""
START_S = 120
"""Until the first good picture: a camera may take half a minute to settle."""
STOP_S = 90
"""For the last sentence, a driver that hangs, and a full disk on which the game's end is to be
written: somebody may make room."""


@dataclass(frozen=True)
class Plan:
    """What a unit must know of the computer."""

    program: Sequence[str]
    """The command to run, and its arguments."""
    folders: Sequence[Path]
    """What is written to; the first one is where it runs."""
    user: str | None = None
    """Whose service it is: of the system, under this name; None is one of the user's own."""
    groups: Sequence[str] = ()
    watchdog_s: int = 60
    restart_s: int = 15
    memory_mb: int = 512


def unit(plan: Plan) -> str:
    """The unit as a file."""
    return "\n".join((*_HEAD, *_service(plan), *_walls(plan), *_tail(plan))) + "\n"


_HEAD = (
    MARK,
    "[Unit]",
    "Description=Draughts referee",
    "After=sound.target network.target",
    "# A camera may be plugged in again after an hour: it never gives up for good.",
    "StartLimitIntervalSec=0",
    "",
)


def _service(plan: Plan) -> Iterator[str]:
    yield "[Service]"
    yield "Type=notify"
    yield "NotifyAccess=main"
    yield f"ExecStart={' '.join(map(quoted, plan.program))}"
    if plan.user:
        yield f"User={plan.user}"
        if plan.groups:
            yield f"SupplementaryGroups={' '.join(plan.groups)}"
    yield f"WorkingDirectory={_unspecified(str(plan.folders[0]))}"
    yield "Environment=PYTHONUNBUFFERED=1 PYTHONFAULTHANDLER=1"
    yield "Restart=on-failure"
    yield f"RestartSec={plan.restart_s}"
    yield "# What a program returns that was asked to end."
    yield "SuccessExitStatus=143"
    yield f"TimeoutStartSec={START_S}"
    yield f"TimeoutStopSec={STOP_S}"
    yield "# The referee notices by itself, after half a minute, that it is stuck; this is for the"
    yield "# case that it cannot even do that."
    yield f"WatchdogSec={plan.watchdog_s}"
    yield "# The loudspeaker may finish its sentence."
    yield "KillMode=mixed"
    yield f"MemoryMax={plan.memory_mb}M"
    yield ""


def _walls(plan: Plan) -> Iterator[str]:
    """What the service cannot do. Devices are left open: the paths of cameras differ from model
    to model, and a referee without its camera is none."""
    if plan.user:
        yield f"ReadWritePaths={' '.join(_word(str(folder)) for folder in plan.folders)}"
        yield from _SYSTEM_WALLS
    yield from _WALLS


_SYSTEM_WALLS = (
    "ProtectSystem=strict",
    "ProtectHome=read-only",
    "PrivateTmp=yes",
    "PrivateMounts=yes",
    "ProtectProc=invisible",
    "ProtectControlGroups=yes",
    "ProtectKernelModules=yes",
    "ProtectKernelTunables=yes",
    "ProtectKernelLogs=yes",
    "ProtectHostname=yes",
    "CapabilityBoundingSet=",
    "AmbientCapabilities=",
)
"""These need a manager with the rights of the system: a user's own cannot set them all. Without
`ProtectClock`, which brings a list of allowed devices with it, and no camera is on that."""
_WALLS = (
    "NoNewPrivileges=yes",
    "RestrictNamespaces=yes",
    "RestrictRealtime=yes",
    "RestrictSUIDSGID=yes",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
    "LockPersonality=yes",
    "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service",
    "SystemCallErrorNumber=EPERM",
    "UMask=0077",
)


def _tail(plan: Plan) -> Iterator[str]:
    yield ""
    yield "[Install]"
    yield f"WantedBy={'multi-user.target' if plan.user else 'default.target'}"


def quoted(word: str) -> str:
    """A word of a command as systemd reads it again."""
    return _word(word.replace("$", "$$"))


def _word(word: str) -> str:
    """The same of a list that is no command: there `$` names no variable."""
    text = _unspecified(word.replace("\\", "\\\\").replace('"', '\\"'))
    plain = text and not set(text) & set(" \t'\"\\;")
    return text if plain else f'"{text}"'


def _unspecified(text: str) -> str:
    """A text in which `%` begins no specifier."""
    return text.replace("%", "%%")

"""Whether what is written somewhere outlasts the power."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

MEMORY = ("tmpfs", "ramfs")
SWITCHES = ("boot=overlay", "overlayroot=tmpfs")
"""How raspi-config has the kernel start with changes kept in memory: older systems and newer."""


@dataclass(frozen=True)
class Mount:
    """A line of /proc/mounts."""

    point: PurePosixPath
    kind: str
    options: tuple[str, ...]

    @property
    def upper(self) -> PurePosixPath | None:
        """Where an overlay keeps what is changed."""
        for option in self.options:
            name, _, place = option.partition("=")
            if name == "upperdir":
                return PurePosixPath(place)
        return None


def is_lost_at_power_off(folder: str, mounts: str, command_line: str) -> bool:
    """Whether a folder lies in memory, or on an overlay whose changes do."""
    table = _parsed(mounts)
    mount = _mount_of(PurePosixPath(folder), table)
    if mount is None:
        return False
    if mount.kind in MEMORY:
        return True
    if mount.kind != "overlay":
        return False
    # Containers have overlays too, whose changes lie on a disk.
    switched = bool(switches(command_line))
    upper = _mount_of(mount.upper, table) if mount.upper else None
    return switched or (upper is not None and upper.kind in MEMORY)


def switches(command_line: str) -> str:
    """Of the kernel's command line, the words that lay an overlay over everything.

    Others may tell addresses and names.
    """
    return " ".join(word for word in command_line.split() if word.startswith(SWITCHES))


def _parsed(mounts: str) -> list[Mount]:
    rows = (line.split() for line in mounts.splitlines())
    return [
        Mount(PurePosixPath(row[1].replace("\\040", " ")), row[2], tuple(row[3].split(",")))
        for row in rows
        if len(row) >= 4
    ]


def _mount_of(folder: PurePosixPath, table: list[Mount]) -> Mount | None:
    """The mount that a folder lies on: the longest, and of equals the last."""
    holding = [mount for mount in reversed(table) if folder.is_relative_to(mount.point)]
    return max(holding, key=lambda mount: len(mount.point.parts), default=None)

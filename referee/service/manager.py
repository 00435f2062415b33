"""Handing the unit to systemd, asking how it does, and taking it away."""

from __future__ import annotations

import grp
import os
import pwd
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardware.folders import Base, base_folder
from referee.errors import InputError
from referee.journal.whole import write_whole
from referee.service.unit import GROUPS, MARK, NAME, Plan, unit
from referee.settings.knobs import Settings

SYSTEM = Path("/etc/systemd/system")
RUNNING = Path("/run/systemd/system")
"""Is there where systemd runs the computer."""
PATIENCE_S = 90.0
FACTS = ("LoadState", "ActiveState", "SubState", "StatusText", "NRestarts", "ActiveEnterTimestamp")

Run = Callable[[Sequence[str]], "Answer"]


@dataclass(frozen=True)
class Answer:
    """What a program said."""

    status: int
    text: str = ""


def run(words: Sequence[str]) -> Answer:
    """A program's answer, its complaints included."""
    try:
        done = subprocess.run(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            text=True, timeout=PATIENCE_S, errors="replace",
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return Answer(127, str(error))
    return Answer(done.returncode, done.stdout.strip())


@dataclass(frozen=True)
class Manager:
    """The systemd of the computer, or that of one user."""

    system: bool
    call: Run = run

    @property
    def path(self) -> Path:
        """Where the unit lies."""
        if self.system:
            return SYSTEM / NAME
        return base_folder(Base.CONFIG) / "systemd" / "user" / NAME

    def install(self, wanted: Plan, owner: Account | None) -> None:
        """Make its folders, write the unit, start it, and have it started with the computer.
        InputError, before anything is made, where that cannot be."""
        self._need_systemd()
        if self.system and os.geteuid():
            raise InputError("a service of the system is installed with sudo")
        self._need_own()
        make_folders(wanted.folders, owner)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self.path, unit(wanted))
        # A unit that others cannot read cannot be looked at by them either.
        self.path.chmod(0o644)
        self._do("daemon-reload")
        self._do("enable", NAME)
        self._do("restart", "--no-block", NAME)

    def remove(self) -> None:
        """End the service and take its unit away; InputError when there is none of ours."""
        if not self.path.exists():
            raise InputError(f"there is no {self.path}; nothing is installed")
        self._need_own()
        self._need_systemd()
        self._do("disable", "--now", NAME)
        self.path.unlink()
        self._do("daemon-reload")

    def facts(self) -> dict[str, str]:
        """What systemd knows of the service; empty where it cannot be asked."""
        words = [f"--property={','.join(FACTS)}"]
        answer = self.call([*self._systemctl(), "show", *words, NAME])
        if answer.status:
            return {}
        pairs = (line.partition("=") for line in answer.text.splitlines())
        return {name: value for name, _, value in pairs if name in FACTS}

    def linger(self) -> str:
        """Have the user's services started with the computer; why that failed, or nothing."""
        answer = self.call(["loginctl", "enable-linger"])
        return "" if answer.status == 0 else answer.text

    def _systemctl(self) -> list[str]:
        return ["systemctl"] if self.system else ["systemctl", "--user"]

    def _do(self, *words: str) -> None:
        answer = self.call([*self._systemctl(), *words])
        if answer.status:
            said = answer.text.splitlines()[-1:] or ["it gave no reason"]
            raise InputError(f"systemctl {words[0]} failed: {said[0]}")

    def _need_own(self) -> None:
        """What somebody else has written there is not ours to replace."""
        if self.path.exists() and MARK not in self.path.read_text(errors="replace"):
            raise InputError(f"{self.path} was not written by `referee service`; look at it first")

    def _need_systemd(self) -> None:
        if not RUNNING.is_dir():
            raise InputError("this computer is not run by systemd; see --print for what is wanted")


@dataclass(frozen=True)
class Account:
    """Somebody with a home."""

    name: str
    number: int
    group: int
    home: Path


def account(name: str) -> Account:
    """InputError when there is nobody of that name, or it is root, whom a camera need not have."""
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        raise InputError(f"there is no user {name}") from None
    if entry.pw_uid == 0:
        raise InputError("the referee needs no root: name a user with --run-as")
    return Account(name, entry.pw_uid, entry.pw_gid, Path(entry.pw_dir))


def plan(settings: Settings, config: Path | None, owner: Account | None) -> Plan:
    """What the unit must know; the service of the system belongs to `owner`."""
    chosen = [] if config is None else ["--config", str(config.absolute())]
    wish = settings.service
    return Plan(
        program=[sys.executable, "-m", "referee", "service", "run", *chosen],
        folders=folders(settings, owner.home if owner else None),
        user=owner.name if owner else None,
        groups=[name for name in GROUPS if _exists(name)],
        watchdog_s=wish.watchdog_s,
        restart_s=wish.restart_s,
        memory_mb=wish.memory_mb,
    )


def folders(settings: Settings, home: Path | None) -> list[Path]:
    """All that is written to: games and what is kept of settings, cameras, and of the voice."""
    own = [base_folder(base, home) / "referee" for base in (Base.DATA, Base.STATE, Base.CACHE)]
    return own + ([settings.games.folder] if settings.games.folder else [])


def make_folders(wanted: Sequence[Path], owner: Account | None) -> None:
    """Make what is missing, and give it to its owner."""
    for folder in wanted:
        missing = [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if owner:
            for path in missing:
                os.chown(path, owner.number, owner.group)


def _exists(group: str) -> bool:
    try:
        grp.getgrnam(group)
    except KeyError:
        return False
    return True

"""`referee service`: the referee as a service of systemd, started with the computer."""

from __future__ import annotations

import argparse
import os
from getpass import getuser
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from referee.errors import InputError
from referee.service.manager import SYSTEM, Manager, account, plan
from referee.service.unit import NAME, unit
from referee.verbs import terminal
from referee.verbs.settings import add_config, holding, sound_readings

ACTIONS = ("install", "status", "remove", "run")
WORDS = {
    "active": ("✓", "green", "is running"),
    "activating": ("…", "yellow", "is starting, or waits for its camera"),
    "failed": ("✗", "bold red", "has failed"),
    "inactive": ("–", "dim", "is not running"),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", metavar="ACTION", choices=ACTIONS, help=f"{', '.join(ACTIONS[:3])}, or run"
        " (what the service itself does)",
    )  # fmt: skip
    parser.add_argument(
        "--system", action="store_true", help="a service of the system, not of this user"
    )
    parser.add_argument(
        "--run-as", metavar="USER", help="whose rights a service of the system has (default: yours)"
    )
    parser.add_argument(
        "--print", dest="only_print", action="store_true", help="print the unit, install nothing"
    )
    add_config(parser)
    parser.add_argument("--json", action="store_true", help="say what is found as JSON")


def run(options: argparse.Namespace) -> int:
    match options.action:
        case "install":
            return _install(options)
        case "status":
            return _status(options)
        case "remove":
            return _remove(options)
    from referee.verbs.serving import serve

    return serve(options)


def _install(options: argparse.Namespace) -> int:
    owner = account(_owner(options.run_as)) if options.system else None
    readings = sound_readings(options.config, owner.home if owner else None)
    settings = holding(readings, {}).settings
    wanted = plan(settings, options.config, owner)
    if options.only_print:
        print(unit(wanted), end="")
        return 0
    manager = Manager(options.system)
    manager.install(wanted, owner)
    if not options.system:
        _tell_lingering(manager.linger())
    console = terminal.console()
    console.print(f"[green]✓[/] {manager.path} is installed and starts", soft_wrap=True)
    source = settings.camera.source or "the first camera it finds (`source` under [camera])"
    console.print(f"  it watches {source}", soft_wrap=True, markup=False)
    console.print(f"  how it does: referee service status; journalctl {_journal(options)}")
    return 0


def _owner(named: str | None) -> str:
    """Whose rights the service has: who typed sudo, if nobody was named."""
    return named or os.environ.get("SUDO_USER") or getuser()


def _journal(options: argparse.Namespace) -> str:
    return f"-u {NAME}" if options.system else f"--user -u {NAME}"


def _tell_lingering(trouble: str) -> None:
    if trouble:
        terminal.complain(
            "it starts when you log in; to have it start with the computer:"
            ' sudo loginctl enable-linger "$USER"'
        )


def _remove(options: argparse.Namespace) -> int:
    manager = _installed(options)
    manager.remove()
    terminal.console().print(
        f"[green]✓[/] {manager.path} is gone; games and settings stay", soft_wrap=True
    )
    return 0


def _installed(options: argparse.Namespace) -> Manager:
    """The user's service if there is one, else that of the system."""
    own = Manager(system=False)
    return own if own.path.exists() and not options.system else Manager(system=True)


def _status(options: argparse.Namespace) -> int:
    """0 when it runs."""
    manager = _installed(options)
    if not manager.path.exists():
        raise InputError(f"no service is installed, neither in {SYSTEM} nor of this user")
    facts = manager.facts()
    state = facts.get("ActiveState", "")
    if options.json:
        terminal.emit(
            {
                "unit": str(manager.path),
                "state": state or None,
                "status": facts.get("StatusText") or None,
                "since": facts.get("ActiveEnterTimestamp") or None,
                "restarts": int(facts["NRestarts"]) if facts.get("NRestarts") else None,
            }
        )
    else:
        _show(terminal.console(), manager.path, state, facts)
    return 0 if state == "active" else 1


def _show(console: Console, path: Path, state: str, facts: dict[str, str]) -> None:
    sign, style, words = WORDS.get(state, ("?", "yellow", "is in a state that nobody tells"))
    console.print(Text.assemble((sign, style), f" The referee {words}."))
    table = Table.grid(padding=(0, 2))
    rows = {
        "It says": facts.get("StatusText"),
        "Since": facts.get("ActiveEnterTimestamp"),
        "Restarts": facts.get("NRestarts"),
        "Unit": str(path),
    }
    for name, value in rows.items():
        if value:
            table.add_row(Text(f"  {name}", "dim"), Text(value))
    console.print(table)

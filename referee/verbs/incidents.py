"""`referee incidents`: what went wrong in a kept game, and the pictures of it."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from referee.desk import clock
from referee.errors import InputError
from referee.journal.evidence import PAGE, erase
from referee.journal.incidents import Incident, incidents
from referee.journal.journal import is_in_use
from referee.verbs import terminal
from referee.verbs.games import add_game, found, sound_entries
from referee.verbs.wording import language_kept


def arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--erase", metavar="NUMBER", type=int, help="erase the pictures of this incident"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per incident")


def run(options: argparse.Namespace) -> int:
    """1 when the journal or a picture of it is damaged."""
    folder = found(options)
    erasing = options.erase is not None
    watched = erasing and is_in_use(folder)  # asked first: the game may end while it is read
    findings = sound_entries(folder)
    language = language_kept(folder, findings.entries)
    all_of_them = incidents(folder, findings.entries, language=language)
    if erasing:
        incident = _chosen(all_of_them, options.erase)
        if watched and not incident.pictures:
            raise InputError(
                f"there are no pictures of incident {incident.number} yet; they may still be"
                " written: ask again when the game is not watched any more"
            )
        _erase(folder, incident, options.json)
        return 0
    console = terminal.report()
    for incident in all_of_them:
        if options.json:
            terminal.emit(incident.record())
        else:
            _show(console, incident)
    if not all_of_them and not options.json:
        console.print(f"{folder.name}: nothing went wrong", soft_wrap=True)
    states = {picture.state for incident in all_of_them for picture in incident.pictures}
    return 1 if findings.problems or states & {"missing", "changed"} else 0


def _erase(folder: Path, incident: Incident, as_json: bool) -> None:
    """Erase what is left of an incident's pictures, and say what went. What is missing is not said
    to be erased, in the journal neither."""
    files = [each.path for each in incident.pictures if each.state not in ("erased", "missing")]
    missing = [each.path for each in incident.pictures if each.state == "missing"]
    pages = [folder / PAGE] if files + missing and (folder / PAGE).exists() else []
    if files + pages:
        erase(folder, files)
    if as_json:
        told = {"erased": [*map(str, files + pages)], "missing": [*map(str, missing)]}
        terminal.emit({"incident": incident.number, **told})
        return
    if not files + missing:
        terminal.complain(f"there are no pictures of incident {incident.number}")
    _tell("missing already", missing)
    more = ", which showed them; `referee export` makes it anew" if pages else ""
    _tell("erased", files + pages, more)


def _tell(what: str, files: list[Path], more: str = "") -> None:
    """A line of what became of files, if there are any."""
    if files:
        names = ", ".join(file.name for file in files)
        terminal.report().print(f"{what}: {names}{more}", soft_wrap=True, markup=False)


def _chosen(all_of_them: list[Incident], number: int) -> Incident:
    for incident in all_of_them:
        if incident.number == number:
            return incident
    raise InputError(f"there is no incident {number}; there are {len(all_of_them)}")


def _show(console: Console, incident: Incident) -> None:
    time, side = clock(incident.event["time_ms"]), f" ({incident.side})" if incident.side else ""
    after = f" after {incident.after}" if incident.after else ""
    end = f", {incident.end}"
    if incident.end_ms is not None:
        end += f" at {clock(incident.end_ms)}"
    console.print(
        f"[bold]{incident.number}.[/] {time}  {incident.title}{side}{after}{end}", soft_wrap=True
    )
    if incident.said:
        console.print(f"   {escape(incident.said)}", soft_wrap=True)
    for picture in incident.pictures:
        state = "" if picture.state == "kept" else f" [bold yellow]({picture.state})[/]"
        console.print(f"   [dim]{escape(str(picture.path))}[/]{state}", soft_wrap=True)

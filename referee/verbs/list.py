"""`referee list`: the games that are kept in a folder."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from rich.progress import track
from rich.table import Column, Table
from rich.text import Text

from referee.journal.coding import JournalError
from referee.journal.export import Story, story
from referee.journal.salvage import read
from referee.journal.shelf import Shelf
from referee.verbs import terminal
from referee.verbs.games import add_games
from referee.verbs.settings import settings

UNREADABLE = "nothing of it can be read"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_games(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object per game")


def run(options: argparse.Namespace) -> int:
    """1 when a game is damaged or cannot be read, or there is none."""
    shelf = Shelf(settings(options).games.folder)
    folders = shelf.games()
    if not folders:
        terminal.complain(shelf.emptiness())
        return 1
    told = dict(_read(folders))
    if options.json:
        for folder, game in told.items():
            terminal.emit(record(folder, game))
    else:
        _show(told)
    damage = [(folder, each) for folder, game in told.items() if game for each in game.problems]
    for folder, sentence in damage:
        terminal.complain(f"{folder.name}: {sentence}")
    return 1 if damage or None in told.values() else 0


def _read(folders: list[Path]) -> Iterator[tuple[Path, Story | None]]:
    """The games, oldest first; None of one of which nothing can be read."""
    console = terminal.console()
    hidden = not console.is_terminal
    for folder in track(folders, "Reading", console=console, transient=True, disable=hidden):
        try:
            found = read(folder)
            sound = found.entries
            yield folder, story(folder, sound, found.problems) if sound else None
        except (JournalError, OSError):
            yield folder, None


def record(folder: Path, game: Story | None) -> dict[str, object]:
    """A game as plain values for JSON; only its name where nothing of it can be read."""
    if game is None:
        return {"game": folder.name, "problem": UNREADABLE}
    said = game.game.heading
    return {
        "game": folder.name,
        "begun": game.begun_at,
        "event": said.get("Event", ""),
        "round": said.get("Round", ""),
        "red": game.seats[0],
        "white": game.seats[1],
        "moves": len(game.moves),
        "result": game.result,
        "incidents": len(game.incidents),
    }


def _show(told: dict[Path, Story | None]) -> None:
    name = Column("Game", no_wrap=True)  # it is what other commands take
    table = Table(name, "Event, round", "Players", "Moves", "Result", "Incidents")
    for folder, game in told.items():
        table.add_row(folder.name, *(_cells(game) if game else (UNREADABLE,)))
    terminal.report().print(table)


def _cells(game: Story) -> tuple[str | Text, ...]:
    said = game.game.heading
    event = ", ".join(filter(None, (said.get("Event"), said.get("Round"))))
    players = " – ".join(game.seats) if any(game.seats) else ""
    counts = str(len(game.moves)), game.result, str(len(game.incidents) or "")
    return Text(event), Text(players), *counts

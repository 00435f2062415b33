"""What the commands about kept games have in common."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from referee import scoresheet
from referee.game import Game
from referee.journal.chain import Entry
from referee.journal.coding import JournalError
from referee.journal.folding import day_begun
from referee.journal.salvage import Findings, read
from referee.journal.shelf import LATEST, Shelf, load_record, load_source
from referee.scoresheet import Scoresheet, tags
from referee.verbs import terminal
from referee.verbs.settings import add_config, add_knob, settings


def add_games(parser: argparse.ArgumentParser) -> None:
    add_knob(parser, "--games", "games.folder", "FOLDER")
    add_config(parser)


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game",
        metavar="GAME",
        help=f"a game's name, its folder, `{LATEST}`, or `{LATEST}-1` for the one before",
    )
    add_games(parser)


def found(options: argparse.Namespace) -> Path:
    """The folder of the game that was asked for, by a path that ends in its name."""
    folder = Shelf(settings(options).games.folder).find(options.game)
    return folder.resolve() if folder.name in ("", "..") else folder


def tags_of(folder: Path, entries: Sequence[Entry]) -> dict[str, str]:
    """What stands above the moves in the record of a kept game, beside what people have said."""
    return tags(load_source(folder), day_begun(entries))


def sheet_again(folder: Path, entries: Sequence[Entry], game: Game) -> Scoresheet:
    """Where the record of a kept game goes on, as far as that has got."""
    return scoresheet.again(load_record(folder), folder, game.records(tags_of(folder, entries)))


def sound_entries(folder: Path) -> Findings:
    """What a journal still tells; every damage is told on the standard error.

    JournalError when nothing can be read.
    """
    findings = read(folder)
    if not findings.entries:
        problems = "; ".join(findings.problems) or "it holds no entry"
        raise JournalError(f"nothing of the game in {folder} can be read: {problems}")
    tell_findings(folder, findings)
    return findings


def tell_findings(folder: Path, findings: Findings) -> None:
    """Every damage of a journal, a sentence each."""
    for sentence in (*findings.problems, *findings.notes):
        terminal.complain(f"{folder.name}: {sentence}")

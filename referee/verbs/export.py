"""`referee export`: a kept game as PDN, JSON and a page to print."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable
from pathlib import Path

from referee.errors import InputError
from referee.journal.export import Story, as_json, pdn, story
from referee.journal.report import report
from referee.journal.whole import write_whole
from referee.scoresheet import holds_only, put_aside
from referee.verbs import terminal
from referee.verbs.games import add_game, found, sound_entries
from referee.verbs.wording import language_kept

FORMATS: dict[str, Callable[[Story], str]] = {
    "pdn": pdn,
    "json": lambda told: json.dumps(as_json(told), ensure_ascii=False, indent=1) + "\n",
    "html": report,
}
BEGINNING = 1 << 16
"""Bytes of a file among which its marks must be."""
MARKS = {
    "pdn": rb'\[Event "\?"\]\r?\n\[Date ".*"\]\r?\n\[Black ".*"\]\r?\n\[White ',
    "json": rb'\{\s*"game": (?s:.*)"exported_with": ',
    "html": rb"<!doctype html>\s(?s:.*)default-src 'none'; img-src data:",
}
"""How what is written here begins, or while a game is watched, and nothing else. A record that
somebody has entered the event in is his own; one of an event that the referee was told begins with
the same lines as the new one."""
PROBLEM = {"json": '"problems": [\n', "html": '<p class="damage">'}
"""What an export of a damaged journal says."""
HEAD_LINES = 4
"""From the event to the names of the players."""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        type=Path,
        help=f"one file; its ending says what: {', '.join('.' + name for name in FORMATS)}"
        " (default: all three, beside the journal)",
    )
    parser.add_argument("--json", action="store_true", help="say as JSON what was written")


def run(options: argparse.Namespace) -> int:
    """1 when the journal is damaged; what is sound is written all the same."""
    folder = found(options)
    findings = sound_entries(folder)
    language = language_kept(folder, findings.entries)
    told = story(folder, findings.entries, findings.problems, language)
    files = _files(folder, options.output, told)
    for name, path in files.items():
        if path.is_file() and not _is_of_game(path, name, told, by_name=bool(options.output)):
            put_aside(path)
        write_whole(path, FORMATS[name](told))
    if options.json:
        terminal.emit({"game": folder.name, "files": [str(path) for path in files.values()]})
    else:
        for path in files.values():
            terminal.report().print(str(path), soft_wrap=True, markup=False)
    return 1 if findings.problems else 0


def _files(folder: Path, output: Path | None, told: Story) -> dict[str, Path]:
    """What is written where."""
    if output is None:
        return {name: folder / f"game.{name}" for name in FORMATS}
    name = output.suffix.lower().removeprefix(".")
    if name not in FORMATS:
        raise InputError(f"{output} should end in {', '.join('.' + each for each in FORMATS)}")
    if output.exists() and not _is_export(output, name, told):
        raise InputError(f"{output} holds something else than an export; give another file with -o")
    return {name: output}


def _is_of_game(path: Path, name: str, told: Story, by_name: bool) -> bool:
    """Whether a file holds nothing but this game, perhaps as it stood before: not that of a journal
    which was whole, where it is damaged now."""
    if name == "pdn":
        return holds_only(path, told.game.records(told.tags(), told.language), by_name)
    text = path.read_text(encoding="utf-8", errors="replace")
    spoilt = told.problems and PROBLEM[name] not in text
    return not text or (told.name in text and not spoilt)


def _is_export(path: Path, name: str, told: Story) -> bool:
    """Whether a file is one that an export may replace: an older one, or one of nothing."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        beginning = file.read(BEGINNING)
    if not beginning.strip() or re.match(MARKS[name], beginning):
        return True
    return name == "pdn" and _head(beginning.decode(errors="replace")) == _head(pdn(told))


def _head(text: str) -> list[str]:
    return text.splitlines()[:HEAD_LINES]

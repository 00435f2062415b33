"""`referee config`: the settings that hold, and where each was set."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from referee.settings.clashes import clashes
from referee.settings.effective import DEFAULT, Effective, settle
from referee.settings.example import example
from referee.settings.files import read_all, usual_places
from referee.settings.knobs import KNOBS, Value
from referee.settings.values import bounds_of, plain, written
from referee.verbs import terminal
from referee.verbs.settings import add_config


def arguments(parser: argparse.ArgumentParser) -> None:
    add_config(parser)
    parser.add_argument(
        "--example", action="store_true", help="print a file with everything that can be set"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per setting")


def run(options: argparse.Namespace) -> int:
    """1 when something in a file is wrong; what is sound holds."""
    if options.example:
        print(example(), end="")
        return 0
    readings = read_all(options.config)
    holding = settle(readings, {})
    problems = [problem for reading in readings for problem in reading.problems]
    problems += clashes(holding.settings)
    if options.json:
        _emit(holding, problems)
    else:
        files = [str(reading.path) for reading in readings if reading.data]
        nowhere = f"nothing in {options.config}" if options.config else _nowhere()
        _show(terminal.report(), holding, ", ".join(files) or nowhere)
    for problem in problems:
        terminal.complain(problem)
    return 1 if problems else 0


def _emit(holding: Effective, problems: Iterable[str]) -> None:
    for key, given in holding.given.items():
        terminal.emit(
            {
                "key": key,
                "value": plain(given.value),
                "from": given.origin,
                "unit": KNOBS[key].about.unit or None,
                "may_be": bounds_of(KNOBS[key]) or None,
                "about": KNOBS[key].about.sentence,
            }
        )
    for problem in problems:
        terminal.emit({"problem": problem})


def _nowhere() -> str:
    return f"none of {' and '.join(map(str, usual_places()))}"


def _show(console: Console, holding: Effective, read: str) -> None:
    table = Table.grid(padding=(0, 2))
    for _ in range(3):
        table.add_column(overflow="fold")
    section = ""
    for key, given in holding.given.items():
        knob = KNOBS[key]
        if knob.section != section:
            section = knob.section
            if table.row_count:
                table.add_row()
            table.add_row(Text(f"[{section}]", "bold"))
        usual = given.origin == DEFAULT
        style = "dim" if usual else ""
        table.add_row(
            Text(f"  {knob.name}", style), _value(given.value, knob.about.unit, style),
            Text("" if usual else given.origin, "dim"),
        )  # fmt: skip
    console.print(table)
    console.print(f"\nRead: {escape(read)}", soft_wrap=True)


def _value(value: Value, unit: str, style: str) -> Text:
    if value is None:
        return Text("–", "dim")
    return Text.assemble((written(value), style), (f" {unit}" if unit else "", "dim"))

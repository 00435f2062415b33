"""`referee replay`: feed a kept game's inputs again and print every difference."""

from __future__ import annotations

import argparse

from rich.markup import escape

from referee.journal.folding import Difference, Replay
from referee.verbs import terminal
from referee.verbs.games import add_game, found, sound_entries

LONGEST = 400
"""Signs of an entry that are shown to people; a program gets all."""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object per difference")


def run(options: argparse.Namespace) -> int:
    """0 when every entry is sound and every event is confirmed, byte for byte."""
    folder = found(options)
    findings = sound_entries(folder)
    replay, differences = Replay(findings.entries), 0
    for difference in replay:
        differences += 1
        _tell(difference, options.json)
    summary = {
        "game": folder.name,
        "entries": len(findings.entries),
        "inputs": replay.fed,
        "events": replay.caused,
        "differences": differences,
        "foreign_states": replay.foreign,
        "problems": list(findings.problems),
    }
    _sum_up(summary, options.json)
    return 1 if differences or findings.problems else 0


def _tell(difference: Difference, as_json: bool) -> None:
    if as_json:
        terminal.emit(
            {
                "entry": difference.entry,
                "recorded": difference.recorded,
                "replayed": difference.replayed,
            }
        )
        return
    console = terminal.report()
    console.print(f"[bold yellow]entry {difference.entry}[/]", soft_wrap=True)
    for word, text in (("recorded", difference.recorded), ("replayed", difference.replayed)):
        console.print(f"  {word}  {escape(text[:LONGEST])}", soft_wrap=True)


def _sum_up(summary: dict[str, object], as_json: bool) -> None:
    if as_json:
        terminal.emit(summary)
        return
    count = summary["differences"]
    differences = "no difference" if count == 0 else f"{count} differences"
    foreign = summary["foreign_states"]
    more = f"; {foreign} states are of another version and were not compared" if foreign else ""
    terminal.report().print(
        f"{summary['game']}: {summary['inputs']} inputs in {summary['entries']} entries,"
        f" {summary['events']} events, {differences}{more}",
        soft_wrap=True,
    )

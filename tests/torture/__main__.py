"""`make torture`: does every fault as often as it is worth, and prints what came of it."""

from __future__ import annotations

import argparse
import importlib
import tempfile
from contextlib import nullcontext
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.torture.cures import UNCURED
from tests.torture.tally import Tally

KINDS = {
    "kills": 1_000,
    "powercuts": 1_000,
    "damages": 2_000,
    "full_disks": 400,
    "clocks": 200,
    "cameras": 120,
    "malformed": 10_000,
    "starts": 2_000,
    "soak": 1_000,
}
"""How often each is done."""


def main() -> int:
    options = _arguments()
    console = Console()
    columns = (TextColumn("{task.description:<12}"), BarColumn(), MofNCompleteColumn())
    tallies = []
    # Without a thread of its own: some of what follows forks.
    with Progress(*columns, TimeElapsedColumn(), console=console, auto_refresh=False) as progress:
        for kind in options.only or KINDS:
            tries = options.tries or KINDS[kind]
            with UNCURED[kind]() if options.without_cure else nullcontext():
                tallies.append(_done(kind, tries, options.seed, progress))
    console.print(table(tallies))
    for tally in tallies:
        for sentence in tally.wrong[:10]:
            console.print(f"{tally.kind}: {sentence}", markup=False)
    return 0 if all(tally.sound for tally in tallies) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, help="of each kind (default: see KINDS)")
    parser.add_argument(
        "--without-cure", action="store_true", help="take out what helps: it must be found out"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=KINDS)
    return parser.parse_args()


def _done(kind: str, tries: int, seed: int, progress: Progress) -> Tally:
    module = importlib.import_module(f"tests.torture.{kind}")
    task = progress.add_task(kind, total=tries)

    def tick() -> None:
        progress.advance(task)
        progress.refresh()

    with tempfile.TemporaryDirectory(prefix="referee-torture-") as room:
        tally: Tally = module.run(tries, seed, Path(room), tick)
    return tally


def table(tallies: list[Tally]) -> Table:
    """A row per kind of fault."""
    drawn = Table("fault", title="What the referee was put through")
    headings = ("tries", "events lost", "holes", "reports given", "return, s", "")
    for heading in headings:
        drawn.add_column(heading, justify="right")
    for tally in tallies:
        drawn.add_row(*row(tally), style=None if tally.sound else "bold red")
    return drawn


def row(tally: Tally) -> tuple[str, ...]:
    """One row as text."""
    if tally.skipped:
        return (tally.kind, "0", "–", "–", "–", "–", f"SKIPPED: {tally.skipped}")
    remark = f"{len(tally.wrong)} wrong" if tally.wrong else tally.remark
    returned = f"{tally.resume_s:.2f}" if tally.resume_s else "–"
    reports = f"{tally.given} of {tally.due}"
    kept = (str(tally.tries), str(tally.lost), str(tally.holes), reports, returned, remark)
    return (tally.kind, *kept)


if __name__ == "__main__":
    raise SystemExit(main())

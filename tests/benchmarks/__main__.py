"""`make bench`: how accurate and how fast the referee is, beside what it should reach.

Everything is measured on data that tuning never saw, or says so. `BENCH=full` takes hours.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import sys
from collections.abc import Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tests.benchmarks.cases import unusable
from tests.benchmarks.groups import ALONE, GROUPS, begin, one
from tests.benchmarks.report import Section, drawn, missed, unmeasured
from tests.benchmarks.wanted import Wanted

WIDTH = 170
CORES = 2
UNMEASURED, UNUSABLE = 1, 2
"""How the program ends where something that has a goal was not measured, which no missed goal does,
and where nothing can be measured as it was asked for."""


def main() -> None:
    options = _arguments()
    wanted = _wanted(options)
    if complaint := wanted.photographs and unusable(wanted.photographs):
        print(complaint, file=sys.stderr)
        sys.exit(UNUSABLE)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    console = Console(width=WIDTH)
    console.print(
        f"OpenCV {cv2.__version__}, numpy {np.__version__}, Python {platform.python_version()},"
        f" {platform.machine()}, one thread in each of {CORES} processes"
    )
    sections = list(_measured(console, options.only or list(GROUPS), wanted))
    console.print()
    short = missed(sections)
    total = sum(row.goal is not None for section in sections for row in section.rows)
    console.print(f"{len(short)} of {total} targets are missed:")
    for line in short:
        console.print(f"  {line}", markup=False, highlight=False)
    if unmeasured(sections):
        sys.exit(UNMEASURED)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photographs", type=Path, help="a folder with labels.json")
    parser.add_argument("--full", action="store_true", help="many more of everything")
    parser.add_argument("--no-boards", type=int, help="how many pictures without a whole board")
    parser.add_argument("--games", type=int, help="how many games drawn anew")
    parser.add_argument("--second", type=int, help="how many films of the second maker")
    parser.add_argument("--only", action="append", choices=GROUPS, help="this group of rows")
    return parser.parse_args()


def _wanted(options: argparse.Namespace) -> Wanted:
    usual = (Wanted.full if options.full else Wanted)(options.photographs)
    names = "no_boards", "games", "second"
    asked = {name: getattr(options, name) for name in names}
    return replace(usual, **{name: number for name, number in asked.items() if number})


def _measured(console: Console, names: list[str], wanted: Wanted) -> Iterable[Section]:
    """Prints each group's tables as soon as they and those before are complete."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    context = multiprocessing.get_context("spawn")
    with (
        Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as progress,
        ProcessPoolExecutor(CORES, context, begin) as pool,
    ):
        waiting = {name: _sent(pool, progress, name, wanted) for name in names if name != ALONE}
        for name in names:
            futures = waiting.get(name) or _sent(pool, progress, name, wanted)
            for section in GROUPS[name].sections([future.result() for future in futures]):
                progress.console.print()
                progress.console.print(drawn(section))
                for note in section.notes:
                    progress.console.print(note, markup=False, highlight=False)
                yield section


def _sent(
    pool: ProcessPoolExecutor, progress: Progress, name: str, wanted: Wanted
) -> list[Future[Any]]:
    jobs = GROUPS[name].jobs(wanted)
    bar = progress.add_task(GROUPS[name].TITLE, total=len(jobs))
    futures = [pool.submit(one, name, job) for job in jobs]
    for future in futures:
        future.add_done_callback(lambda _: progress.advance(bar))
    return futures


if __name__ == "__main__":
    main()

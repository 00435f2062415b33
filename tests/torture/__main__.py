"""`make torture`: does every fault as often as it is worth, and prints what came of it.

Each piece runs in a process of its own, as many at once as there are cores. What is done is kept
in a file until all is: a run that was broken off goes on.
"""

from __future__ import annotations

import argparse
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table

from tests.torture.cures import UNCURED
from tests.torture.tally import Tally

PROJECT = Path(__file__).parents[2]
KINDS = {
    "kills": (1_000, 100),
    "powercuts": (1_000, 100),
    "cameras": (120, 12),
    "soak": (1_000, 1_000),
    "malformed": (10_000, 2_500),
    "damages": (2_000, 250),
    "full_disks": (400, 400),
    "starts": (2_000, 250),
    "clocks": (200, 50),
}
"""How often each is done, and how often in one piece. The dear ones come first."""
INTERRUPTED = 130
FAREWELL_S = 10
UNFINISHED = Path("out/torture.jsonl")


@dataclass(frozen=True)
class Piece:
    """Some tries of one kind."""

    kind: str
    tries: int
    seed: int


class Running:
    """A piece in its process."""

    def __init__(self, piece: Piece, room: Path, more: Sequence[str]) -> None:
        words = [piece.kind, str(piece.tries), str(piece.seed), str(room), *more]
        self.piece = piece
        self._said, self._dots = b"", 0
        self._complaints = room / f"{piece.kind}-{piece.seed}.complaints"
        with self._complaints.open("wb") as complaints:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.torture.piece", *words],
                cwd=PROJECT,
                stdout=subprocess.PIPE,
                stderr=complaints,
                stdin=subprocess.DEVNULL,
            )
        assert self._process.stdout is not None
        self.output = self._process.stdout

    def hear(self) -> int | None:
        """How many more tries are done; None at the end."""
        new = os.read(self.output.fileno(), 1 << 16)
        if not new:
            return None
        self._said += new
        dots, self._dots = self._dots, self._said.partition(b"\n")[0].count(b".")
        return self._dots - dots

    def tally(self) -> Tally:
        """What came of it, once it has ended."""
        status = self._process.wait()
        self.output.close()
        try:
            return Tally.of(json.loads(self._said.splitlines()[-1]))
        except (ValueError, IndexError, TypeError):
            reason = self._complaints.read_text(errors="replace")[-600:]
            return Tally(self.piece.kind, wrong=[f"ended with status {status}: {reason}"])

    def stop(self) -> None:
        """As by Ctrl-C: what is mounted must be let go of."""
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(FAREWELL_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def main() -> int:
    options = _arguments()
    console = Console()
    todo = list(pieces(options.only or list(KINDS), options.tries, options.seed))
    if options.anew:
        options.unfinished.unlink(missing_ok=True)
    done = known(options.unfinished, todo)
    if done:
        console.print(f"{len(done)} of {len(todo)} pieces were done before; --anew forgets them")
    more = ["--without-cure"] if options.without_cure else []
    with _room(options.room) as room, _progress(console) as progress:
        tasks = _tasks(todo, done, progress)
        left = [piece for piece in todo if piece not in done]
        try:
            for piece, tally in _run(left, options.jobs, Path(room), more, progress, tasks):
                done[piece] = tally
                # What died on its way is tried again by the next run.
                if tally.tries and not more:
                    keep(options.unfinished, piece, tally)
        except KeyboardInterrupt:
            progress.stop()
    tallies = joined([done[piece] for piece in todo if piece in done])
    _show(console, tallies)
    if len(done) < len(todo):
        console.print(f"broken off after {len(done)} of {len(todo)} pieces; the next run goes on")
        return INTERRUPTED
    options.unfinished.unlink(missing_ok=True)
    return 0 if all(tally.sound for tally in tallies) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, help="of each kind (default: see KINDS)")
    parser.add_argument(
        "--without-cure", action="store_true", help="take out what helps: it must be found out"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=KINDS)
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="at once")
    parser.add_argument("--room", type=Path, help="a folder for what is made (default: none stays)")
    parser.add_argument("--unfinished", type=Path, default=UNFINISHED, help="what was done before")
    parser.add_argument("--anew", action="store_true", help="forget what was done before")
    options = parser.parse_args()
    if options.without_cure and not set(options.only or KINDS) <= set(UNCURED):
        parser.error(f"there are cures to take out of {', '.join(UNCURED)}; name them with --only")
    return options


def pieces(kinds: Sequence[str], tries: int | None, seed: int) -> Iterator[Piece]:
    """What is to be done; each piece has a seed of its own."""
    for kind in kinds:
        usual, size = KINDS[kind]
        wanted = tries or usual
        for first in range(0, wanted, size):
            yield Piece(kind, min(size, wanted - first), seed + first)


def _room(folder: Path | None) -> tempfile.TemporaryDirectory[str] | _Kept:
    return _Kept(folder) if folder else tempfile.TemporaryDirectory(prefix="referee-torture-")


class _Kept:
    """A folder that stays."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()

    def __enter__(self) -> str:
        self._folder.mkdir(parents=True, exist_ok=True)
        return str(self._folder)

    def __exit__(self, *_: object) -> None:
        pass


# --- what was done before -------------------------------------------------------------------


def known(file: Path, todo: Sequence[Piece]) -> dict[Piece, Tally]:
    if not file.exists():
        return {}
    records = map(json.loads, file.read_text().splitlines())
    before = {Piece(**record["piece"]): Tally.of(record["tally"]) for record in records}
    return {piece: before[piece] for piece in todo if piece in before}


def keep(file: Path, piece: Piece, tally: Tally) -> None:
    file.parent.mkdir(exist_ok=True)
    with file.open("a") as lines:
        lines.write(json.dumps({"piece": asdict(piece), "tally": tally.record()}) + "\n")


# --- doing it -------------------------------------------------------------------------------


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description:<12}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TimeElapsedColumn(), console=console)


def _tasks(
    todo: Sequence[Piece], done: dict[Piece, Tally], progress: Progress
) -> dict[str, TaskID]:
    """A bar for each kind."""
    totals: dict[str, int] = defaultdict(int)
    before: dict[str, int] = defaultdict(int)
    for piece in todo:
        totals[piece.kind] += piece.tries
        before[piece.kind] += piece.tries if piece in done else 0
    return {
        kind: progress.add_task(kind, total=total, completed=before[kind])
        for kind, total in totals.items()
    }


def _run(
    left: list[Piece],
    jobs: int,
    room: Path,
    more: Sequence[str],
    progress: Progress,
    tasks: dict[str, TaskID],
) -> Iterator[tuple[Piece, Tally]]:
    """Do some pieces, so many at once; each with what came of it."""
    waiting, selector = list(left), selectors.DefaultSelector()
    try:
        while waiting or selector.get_map():
            while waiting and len(selector.get_map()) < jobs:
                running = Running(waiting.pop(0), room, more)
                selector.register(running.output, selectors.EVENT_READ, running)
            for key, _ in selector.select():
                running = key.data
                heard = running.hear()
                if heard is None:
                    selector.unregister(running.output)
                    yield running.piece, running.tally()
                else:
                    progress.advance(tasks[running.piece.kind], heard)
    finally:
        for key in list(selector.get_map().values()):
            key.data.stop()


# --- what came of it ------------------------------------------------------------------------


def joined(tallies: Sequence[Tally]) -> list[Tally]:
    """One for each kind."""
    kinds: dict[str, Tally] = {}
    for tally in tallies:
        kinds[tally.kind] = kinds[tally.kind].joined(tally) if tally.kind in kinds else tally
    return list(kinds.values())


def _show(console: Console, tallies: Sequence[Tally]) -> None:
    console.print(table(tallies))
    for tally in tallies:
        if tally.met:
            met = ", ".join(f"{number} {what}" for what, number in tally.met.most_common())
            console.print(f"{tally.kind}: {met}")
        for sentence in tally.wrong[:10]:
            console.print(f"{tally.kind}: {sentence}", markup=False)


def table(tallies: Sequence[Tally]) -> Table:
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

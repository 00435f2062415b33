"""Many games one after another in one process, at speed: memory and file handles stay flat."""

from __future__ import annotations

import gc
import os
import shutil
from pathlib import Path

from referee import game as games
from referee.journal.folding import Replay
from referee.journal.keeper import Keeper
from referee.journal.salvage import read
from referee.journal.shelf import Shelf
from tests.plays import played
from tests.torture.tally import Tally, Tick

WARM = 0.2
"""The share of the games after which memory must not grow any more."""
GROWTH_BYTES = 8 << 20
PLIES = 8


def run(tries: int, seed: int, room: Path, tick: Tick) -> Tally:
    """Keep so many games."""
    tally = Tally("soak")
    warm = memory = handles = 0
    for number in range(tries):
        _keep(room / "games", seed + number, tally, check=number % 20 == 0)
        tally.tries += 1
        memory, handles = _memory(), len(os.listdir("/proc/self/fd"))
        if number == round(WARM * tries):
            gc.collect()
            warm, first_handles = _memory(), handles
        tick()
    if memory - warm > GROWTH_BYTES:
        tally.wrong.append(f"memory grew by {(memory - warm) >> 20} MB")
    if handles > first_handles:
        tally.wrong.append(f"file handles grew by {handles - first_handles}")
    tally.remark = f"{(memory - warm) / (1 << 20):+.1f} MB, {handles - first_handles:+} handles"
    return tally


def _keep(shelf: Path, seed: int, tally: Tally, check: bool) -> None:
    keeper, game, told = Keeper(Shelf(shelf), "source", 14), games.begin(), 0
    for given in played(seed, PLIES):
        game, events = keeper.feed(game, given)
        told += len(events)
    told += len(keeper.close())
    assert keeper.folder is not None
    tally.lost += game.count - told
    if check:
        findings = read(keeper.folder)
        tally.holes += len(list(Replay(findings.entries))) + len(findings.problems)
    shutil.rmtree(keeper.folder)


def _memory() -> int:
    """Bytes in use now, not at the worst moment."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")

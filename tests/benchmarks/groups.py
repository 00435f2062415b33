"""All groups of rows, and what another process needs to measure one job of a group.

They are not in `__main__`, which such a process does not import.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import cv2

from tests.benchmarks import (
    astride,
    games,
    hands,
    known_sets,
    mishaps,
    no_boards,
    others,
    pi,
    search,
    second_maker,
    simulated,
    squares,
    times,
    voice,
)
from tests.benchmarks.report import Section
from tests.benchmarks.wanted import Wanted


class Group(Protocol):
    """Rows that are measured together; each module imported here is one."""

    @property
    def TITLE(self) -> str: ...

    def jobs(self, wanted: Wanted) -> Sequence[Any]: ...

    def measure(self, job: Any) -> Any: ...

    def sections(self, results: Iterable[Any]) -> list[Section]: ...


GROUPS: dict[str, Group] = {
    "search": search,
    "no_boards": no_boards,
    "squares": squares,
    "known_sets": known_sets,
    "astride": astride,
    "hands": hands,
    "mishaps": mishaps,
    "games": games,
    "second": second_maker,
    "others": others,
    "simulated": simulated,
    "voice": voice,
    "pi": pi,
    "times": times,
}
ALONE = "times"
"""Runs when all else has ended."""


def begin() -> None:
    """Prepare a process: each keeps to one core."""
    cv2.setNumThreads(1)


def one(name: str, job: object) -> object:
    """Measure one job."""
    return GROUPS[name].measure(job)

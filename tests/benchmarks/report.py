"""Rows of figures beside what they should reach, and the one printer of their tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from rich.table import Table as RichTable

MORE = "... "
"""A row begins so that tells more of what stands above it."""
NOT_MEASURED = "not measured"
DIGITS = {"a second": 0, "%": 2, "px": 2, "ms": 1, "s": 2, "times": 2, "MB": 0, "square": 3, "": 0}
"""Behind the point, by unit."""


@dataclass(frozen=True)
class Goal:
    """What a figure should reach."""

    limit: float
    at_least: bool = False

    def shortfall(self, value: float) -> float:
        """By how much the figure misses it; 0 when it does not."""
        return max(0.0, self.limit - value if self.at_least else value - self.limit)


def at_most(limit: float) -> Goal:
    return Goal(limit)


def at_least(limit: float) -> Goal:
    return Goal(limit, at_least=True)


@dataclass(frozen=True)
class Row:
    """One figure."""

    what: str
    data: str
    """On what it was measured."""
    value: float | None
    """In `unit`; None when there was nothing to measure."""
    unit: str = ""
    goal: Goal | None = None
    detail: str = ""
    """Of how many, or the spread."""
    peer: str = ""
    """What others reach in the same run."""
    lacking: str = NOT_MEASURED
    """What is printed where there is no value."""

    @property
    def missed_by(self) -> float:
        """In `unit`; 0 when there is no goal or it is reached."""
        if self.value is None or self.goal is None:
            return 0.0
        return self.goal.shortfall(self.value)

    @property
    def unmeasured(self) -> bool:
        """Whether nobody can tell that its goal is reached."""
        return self.value is None and self.goal is not None


@dataclass(frozen=True)
class Section:
    """Rows that belong together."""

    title: str
    rows: Sequence[Row]
    notes: Sequence[str] = ()
    """Printed below as they are."""


def share(
    what: str, data: str, part: int, whole: int, goal: Goal | None = None, peer: str = ""
) -> Row:
    """So many of so many, in per cent."""
    value = 100 * part / whole if whole else None
    return Row(what, data, value, "%", goal, f"{part} of {whole}", peer)


def some_of(what: str, data: str, part: int, whole: int, goal: Goal | None = None) -> list[Row]:
    """The same of what is known to be there; no row where there is nothing of it to be found."""
    return [share(what, data, part, whole, goal)] if whole else []


def count(what: str, data: str, part: int, whole: int, goal: Goal | None = None) -> Row:
    """How often something happened that should happen that often."""
    return Row(what, data, part if whole else None, "", goal, f"of {whole}")


def middle(
    what: str,
    data: str,
    values: Sequence[float],
    unit: str,
    goal: Goal | None = None,
    peer: str = "",
) -> Row:
    """The median, with the value below which nine in ten lie."""
    if not values:
        return Row(what, data, None, unit, goal, peer=peer)
    spread = f"p90 {_digits(float(np.percentile(values, 90)), unit)}, n {len(values)}"
    return Row(what, data, float(np.median(values)), unit, goal, spread, peer)


def longest(
    what: str, data: str, values: Sequence[float], unit: str, goal: Goal | None = None
) -> Row:
    """The largest value."""
    largest = float(max(values)) if values else None
    return Row(what, data, largest, unit, goal, f"n {len(values)}")


# --- Adding up -----------------------------------------------------------------------------


class Grouped(Protocol):
    """What is, or is of, one of many pictures or films."""

    @property
    def group(self) -> str: ...


Of = TypeVar("Of", bound=Grouped)


def by_group(results: Iterable[Of]) -> dict[str, list[Of]]:
    """By their group, in the order in which groups come."""
    groups: dict[str, list[Of]] = {}
    for result in results:
        groups.setdefault(result.group, []).append(result)
    return groups


def total(results: Iterable[object], count: str) -> int:
    """The sum of a count that each result has."""
    return sum(getattr(result, count) for result in results)


# --- Printing ------------------------------------------------------------------------------


def drawn(section: Section) -> RichTable:
    """The section as a table."""
    table = RichTable(title=section.title, title_justify="left", title_style="bold", expand=True)
    for head, width in (("What", 5), ("On", 4), ("Measured", 5), ("To reach", 2)):
        table.add_column(head, ratio=width)
    table.add_column("Reached?", ratio=2)
    table.add_column("Others in the same run", ratio=5)
    for row in section.rows:
        table.add_row(row.what, row.data, _measured(row), _wanted(row), _verdict(row), row.peer)
    return table


def missed(sections: Sequence[Section]) -> list[str]:
    """A sentence for each target that was not reached, or of which nobody knows."""
    return [
        f"{name} ({row.data}): {_measured(row)}" + ("" if row.unmeasured else f", {_verdict(row)}")
        for section in sections
        for name, row in _named(section.rows)
        if row.missed_by > 0 or row.unmeasured
    ]


def unmeasured(sections: Sequence[Section]) -> bool:
    """Whether something has a goal and was not measured."""
    return any(row.unmeasured for section in sections for row in section.rows)


def _named(rows: Sequence[Row]) -> Iterator[tuple[str, Row]]:
    """Rows by names that tell of what they are, where "..." stands for the name above."""
    above = ""
    for row in rows:
        if row.what.startswith(MORE):
            yield f"{above}, {row.what.removeprefix(MORE)}", row
        else:
            above = row.what
            yield row.what, row


def _measured(row: Row) -> str:
    if row.value is None:
        return row.lacking
    detail = f" ({row.detail})" if row.detail else ""
    return _with_unit(row.value, row.unit) + detail


def _wanted(row: Row) -> str:
    if row.goal is None:
        return "–"
    sign = "≥" if row.goal.at_least else "≤"
    return f"{sign} {_short(row.goal.limit, row.unit)}"


def _verdict(row: Row) -> str:
    if row.goal is None:
        return "–"
    if row.value is None:
        return NOT_MEASURED
    if row.missed_by == 0:
        return "yes"
    return f"short by {_with_unit(row.missed_by, row.unit)}"


def _with_unit(value: float, unit: str) -> str:
    return f"{_digits(value, unit)} {unit}".strip()


def _short(value: float, unit: str) -> str:
    return f"{value:g} {unit}".strip()


def _digits(value: float, unit: str) -> str:
    return f"{value:.{DIGITS[unit]}f}"

"""Real sets once they are known: learnt from a photograph of the starting position, read in others.

What of a set is in a folder, in whatever light and from wherever it was taken, is read with what
each photograph of its starting position has taught. The evidence counts, without what a game
knows of its pieces: for it a king is as likely as a man.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from calibration.saved import Calibration
from referee.board import START
from referee.eye.eye import Eye
from referee.eye.first_sight import calibrate
from referee.eye.orientation import dark_cells
from referee.eye.picture import read_picture
from referee.observation import HIDDEN, Row
from tests.benchmarks.astride import off_squares
from tests.benchmarks.cases import PHOTOGRAPHS, Picture, Source, opened, photographs
from tests.benchmarks.peers import nearest
from tests.benchmarks.report import Row as Figure
from tests.benchmarks.report import Section, at_least, at_most, share, total
from tests.benchmarks.squares import best, rank
from tests.benchmarks.wanted import Wanted

TITLE = "real sets, known"
SET = "source", "square_colours", "disc_colours"
"""What photographs of one set have in common among their labels."""
FOUND, MISREAD, NOT_SEEN = at_least(97.0), at_most(0.2), at_most(3.0)
SURE = 1.5
"""Nats from which evidence is plain: then the other is less than a quarter as likely."""


@dataclass(frozen=True)
class Job:
    """A photograph of a set's starting position, and the set's others."""

    first: Source
    others: tuple[Source, ...]


@dataclass
class Known:
    """What was read of a set with what one photograph taught."""

    calibrated: bool = False
    others: int = 0
    pictures: int = 0
    """Of the others those in which the board was found."""
    astray: int = 0
    """Of these those in which a disc is said to lie off its square."""
    squares: int = 0
    unseen: int = 0
    misread: int = 0
    """Rank apart."""
    men: int = 0
    """Men whose place and side are right ..."""
    kinglike: int = 0
    plainly_kinglike: int = 0


def jobs(wanted: Wanted) -> Sequence[Job]:
    """One for each photograph that shows the starting position of a set with others."""
    sets: dict[str, list[Source]] = {}
    for source in photographs(wanted.photographs) if wanted.photographs else ():
        label = json.loads(source.label)
        name = json.dumps([label.get(field) for field in SET])
        sets.setdefault(name, []).append(source)
    return [
        Job(first, others)
        for members in sets.values()
        for first in members
        if _shows_start(opened(first))
        and (others := tuple(source for source in members if source != first))
    ]


def _shows_start(picture: Picture) -> bool:
    ways = (np.rot90(picture.cells, quarters) for quarters in range(4))
    return any(dark_cells("".join(way.ravel())) == START for way in ways)


def measure(job: Job) -> Known:
    """Learn the set from its one photograph and read the others."""
    known, learnt = Known(others=len(job.others)), calibrate(opened(job.first).image)
    if isinstance(learnt, Calibration):
        known.calibrated = True
        for source in job.others:
            _read(known, learnt, opened(source))
    return known


def _read(known: Known, learnt: Calibration, picture: Picture) -> None:
    view = read_picture(picture.image).view
    if view is None:
        return
    known.pictures += 1
    quarters, _ = nearest(view.corners(), picture.corners)
    due = dark_cells("".join(np.rot90(picture.cells, quarters).ravel()))
    seen = Eye(replace(learnt, view=view)).observe(picture.image, 0)
    known.astray += any(off_squares(seen))
    for sign, row in zip(due, seen.evidence, strict=True):
        if sign != "?":
            _score(known, sign, row)


def _score(known: Known, sign: str, row: Row) -> None:
    known.squares += 1
    if row == HIDDEN:
        known.unseen += 1
    elif best(row).lower() != sign.lower():
        known.misread += 1
    elif sign in "rw":
        known.men += 1
        known.kinglike += rank(row) > 0
        known.plainly_kinglike += rank(row) > SURE


def sections(results: Iterable[Known]) -> list[Section]:
    """One table, if there are photographs."""
    everything = list(results)
    if not everything:
        return []
    of = partial(total, everything)
    on, data = PHOTOGRAPHS, f"{PHOTOGRAPHS}, read {of('pictures')} times"
    men, squares = of("men"), of("squares")
    rows: list[Figure] = [
        share("starting position calibrated", on, of("calibrated"), len(everything), FOUND),
        share("board found in the others", on, of("pictures"), of("others"), FOUND),
        share("squares misread, rank apart", data, of("misread"), squares, MISREAD),
        share("squares not seen", data, of("unseen"), squares, NOT_SEEN),
        share("men who look kings", data, of("kinglike"), men),
        share("... plainly", data, of("plainly_kinglike"), men),
        share("readings with a disc off its square", data, of("astray"), of("pictures")),
    ]
    return [Section("Real sets once they are known, in whatever light", rows)]

"""Discs left half over the edge of their square, or where four cells meet: are they told of?

Fresh scenes. The starting position gives the calibration. Then some men are gone, one of those left
lies astride, and one picture is read by an eye that has seen nothing since. In others two men on
squares that meet at a corner are put so close together that they nearly touch over it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from calibration.saved import Calibration
from referee.board import SQUARES, Side, cell_of, side_of
from referee.eye.eye import Eye
from referee.eye.first_sight import calibrate
from referee.eye.patches import Floats
from referee.observation import Observation
from referee.tracking.loose import FAR_OFF
from referee.tracking.places import aside
from sample_images.scene import Disc, Scene
from tests.benchmarks.cases import FRESH, opening, photographed
from tests.benchmarks.report import Row as Figure
from tests.benchmarks.report import Section, at_least, at_most, share
from tests.benchmarks.squares import best
from tests.benchmarks.wanted import Wanted

TITLE = "discs left astride"
FIRST = FRESH + 700_000
KEPT = 0.6
"""Share of the men that are still there."""
OVER_EDGE, CARELESS = (0.42, 0.5), (0.2, 0.28)
"""Squares from the middle of its own, along a side or along each of two, at which a man lies
astride, and straight from it at which he is carelessly put."""
FREE = 0.75
"""Squares to the next man, at least."""
NEARLY = 0.3
"""Squares from where it lies within which it must be said to lie."""
TOGETHER, GAP, SHARE = "close together", 0.02, (0.3, 0.7)
"""Two men on squares that meet at a corner; the squares that are left between them at least, and
the part of the way that one of them is pushed."""
WAYS = {"over an edge": ((1, 0), (-1, 0), (0, 1), (0, -1)), "at a crossing": ((1, 1), (-1, 1))}
"""Directions in which men are pushed, x and y."""


@dataclass(frozen=True)
class Lying:
    """One man in one picture."""

    how: str
    astride: bool
    told: bool
    """Whether it is said to lie off its square, whose it is and where."""
    others: int
    """Discs that are said to lie off their squares, and do not."""


def jobs(wanted: Wanted) -> Sequence[int]:
    """A seed for each board."""
    return [FIRST + number for number in range(wanted.tables)]


def measure(seed: int) -> list[Lying]:
    """Push men of one board about, one after the other."""
    first, rng = opening(seed), np.random.default_rng(seed)
    known = calibrate(photographed(first))
    if not isinstance(known, Calibration):
        return []
    kept = replace(first, discs=tuple(d for d in first.discs if rng.random() < KEPT))
    pushed = [
        _lying(known, kept, number, man, how, astride)
        for how in WAYS
        for astride, by in ((True, OVER_EDGE), (False, _careless(how)))
        for number, man in islice(_pushed(kept, how, by, rng), 1)
    ]
    return pushed + [_close(known, pair) for pair in islice(_pairs(kept, rng), 2)]


def _careless(how: str) -> tuple[float, float]:
    """How far a man is put carelessly along each side that he is pushed along."""
    sides = np.hypot(*WAYS[how][0])
    return CARELESS[0] / sides, CARELESS[1] / sides


def _pushed(
    scene: Scene, how: str, by: tuple[float, float], rng: np.random.Generator
) -> Iterator[tuple[int, Disc]]:
    """The men that can be pushed so without lying on others, in random order."""
    for number in rng.permutation(len(scene.discs)).tolist():
        man, way = scene.discs[number], rng.choice(WAYS[how])
        x, y = np.floor([man.x, man.y]) + 0.5 + rng.uniform(*by) * way
        rest = (d for other, d in enumerate(scene.discs) if other != number)
        if min(x, y) > 0.5 and max(x, y) < 7.5 and all(_apart(d, x, y) >= FREE for d in rest):
            yield number, replace(man, x=float(x), y=float(y))


def _apart(disc: Disc, x: float, y: float) -> float:
    return float(np.hypot(disc.x - x, disc.y - y))


def _pairs(scene: Scene, rng: np.random.Generator) -> Iterator[Scene]:
    """The scene with two men close together over a corner, other ones each time."""
    for number in rng.permutation(len(scene.discs)).tolist():
        man, rest = scene.discs[number], (*scene.discs[:number], *scene.discs[number + 1 :])
        here = np.floor([man.x, man.y]) + 0.5
        for other in rest:
            there = np.floor([other.x, other.y]) + 0.5
            if np.abs(there - here).tolist() == [1, 1]:
                way = (there - here) * (1 - np.sqrt(0.5) * (man.radius + other.radius + GAP))
                share = rng.uniform(*SHARE)
                pair = _pushed_by(man, share * way), _pushed_by(other, (share - 1) * way)
                third = [disc for disc in rest if disc is not other]
                if all(_apart(d, m.x, m.y) >= FREE for m in pair for d in third):
                    yield replace(scene, discs=(*pair, *third))
                    break


def _pushed_by(disc: Disc, way: Floats) -> Disc:
    """A disc as far from the middle of its square, but no farther than careless people put it."""
    x, y = np.floor([disc.x, disc.y]) + 0.5 + np.clip(way, -CARELESS[1], CARELESS[1])
    return replace(disc, x=float(x), y=float(y))


def _close(known: Calibration, scene: Scene) -> Lying:
    seen = Eye(known).observe(photographed(scene), 0)
    return Lying(TOGETHER, False, any(disc.astride for disc in seen.loose), 0)


def _lying(
    known: Calibration, scene: Scene, number: int, man: Disc, how: str, astride: bool
) -> Lying:
    discs = (*scene.discs[:number], man, *scene.discs[number + 1 :])
    seen = Eye(known).observe(photographed(replace(scene, discs=discs)), 0)
    places = list(off_squares(seen))
    mine = [side for side, x, y in places if _apart(man, x, y) <= NEARLY]
    return Lying(how, astride, man.side in mine, len(places) - len(mine))


def off_squares(seen: Observation) -> Iterator[tuple[Side, float, float]]:
    """The discs that are said to lie off their squares, and where."""
    for disc in seen.loose:
        middle = 1.0 if disc.astride else 0.5
        yield disc.side, disc.cell[1] + middle, disc.cell[0] + middle
    for square, row, offset in zip(SQUARES, seen.evidence, seen.offsets, strict=True):
        side = side_of(best(row))
        if side and aside(offset) >= FAR_OFF:
            down, across = cell_of(square)
            assert offset is not None
            yield side, across + 0.5 + offset[0] / 1000, down + 0.5 + offset[1] / 1000


def sections(results: Iterable[list[Lying]]) -> list[Section]:
    """How many are told of, and how many wrongly."""
    boards = list(results)
    known = sum(bool(men) for men in boards)
    calibrated = share(
        "starting position calibrated", "fresh seeds", known, len(boards), at_least(99)
    )
    lying = [man for men in boards for man in men]
    return [Section("Discs left astride", [calibrated, *_rows(lying)])]


def _rows(lying: list[Lying]) -> Iterator[Figure]:
    data = "fresh seeds, one frame"
    for how in WAYS:
        astride = [man for man in lying if man.how == how and man.astride]
        told = sum(man.told for man in astride)
        yield share(f"told of, {how}", data, told, len(astride), at_least(95.0))
    together = [pair for pair in lying if pair.how == TOGETHER]
    told = sum(pair.told for pair in together)
    name = "one told of where two lie close together over a corner"
    yield share(name, data, told, len(together), at_most(1.0))
    careless = [man for man in lying if not man.astride and man.how != TOGETHER]
    told = sum(man.told for man in careless)
    yield share("told of, though but put carelessly", data, told, len(careless), at_most(1.0))
    others = sum(man.others > 0 for man in lying)
    yield share("pictures in which another is told of", data, others, len(lying), at_most(0.1))

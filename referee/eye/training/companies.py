"""Discs of drawn pictures as the eye sees them, with their truth: what the comparer learns from.

Each board is seen in two lights and with several sets. In each light the starting position tells
how thick the discs look, as a calibration does; then pieces stand anywhere. The reader and the
ranker look at these pictures as they do at any.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.model import View
from referee.board import APPEARANCES, EMPTY, START, Side
from referee.eye import comparer
from referee.eye.first_sight import looks_of_sides
from referee.eye.glance import read_all
from referee.eye.light import IS_DARK
from referee.eye.patches import Floats
from referee.eye.reader import KING, MAN, THICKNESSES, Cells
from referee.eye.stacks import thickness_of
from referee.eye.training import examples, tracings
from sample_images.draw import drawn, exposed
from sample_images.scene import Disc, Scene, in_light_of, laid_out
from sample_images.sensor import Sensor, metered_gain, photograph, refiled
from sample_images.variety import random_scene

SETS = 3
"""On each board, in both lights."""
SHARES = {EMPTY: 0.3, "r": 0.2, "R": 0.15, "w": 0.2, "W": 0.15}
"""How often each appearance stands on a dark square: pictures with fewer kings are made of these
by leaving some out."""
SLOPPY = (0.02, 0.06, 0.09)
"""Squares by which pieces miss the middle of theirs, one of them in each picture."""
KNOCKED = 0.25
"""Share of the pictures in which discs lie between squares."""
HELD = 0.7
"""Share of the pictures with the exposure that the starting position had."""
FEWEST = 3
"""Discs without which a picture tells nothing."""


@dataclass(frozen=True)
class Companies:
    """n discs, those of one picture one after the other."""

    picture: NDArray[np.int64]
    """(n,): its number, different for all pictures of all boards."""
    ranks: Floats
    impressions: Floats
    """(n, 2, LEVELS) and (n, IMPRESSION), see `Cells`."""
    king: NDArray[np.bool_]
    white: NDArray[np.bool_]
    """(n,): whether it is a king, and whether it is of the lighter side."""
    told: Floats
    """(n, 2): how thick the men of its side look in the starting position, in squares, in this
    light and in the other one."""
    wall_px: Floats
    """(n,): by how many pixels a king is taller than a man there."""


def companies_of(seed: int) -> tuple[Companies]:
    """All discs of the pictures of one board, from a seed."""
    rng = np.random.default_rng(seed)
    base = examples.recoloured(examples.reduced(random_scene(seed, contents="start")), rng)
    base = replace(base, hands=(), captured=())
    lights = (base, in_light_of(base, random_scene(seed + 500_009)))
    view = examples.nearly(base.view, rng)
    pictures: list[Companies] = []
    for number in range(SETS):
        other = random_scene(seed + 1_000_003 * (number + 1), contents="middle")
        thickness = float(np.exp(rng.uniform(*np.log(THICKNESSES[[0, -1]]))))
        same = rng.random() < 0.5
        measures = (
            base.discs[0].radius if same else float(rng.uniform(*examples.RADII)),
            thickness,
        )
        look = examples.dressed(base.board, other.look, rng)
        dressed = [replace(light, look=look) for light in lights]
        pictures += _of_one_set(dressed, measures, other.sensor, view, rng)
    numbered = [
        replace(one, picture=one.picture + 100 * seed + number)
        for number, one in enumerate(pictures)
    ]
    return (examples.joined(numbered),)


def _of_one_set(
    lights: list[Scene],
    measures: tuple[float, float],
    sensor: Sensor,
    view: View,
    rng: np.random.Generator,
) -> Iterator[Companies]:
    """Two pictures, one in each light, but for those on which hardly a disc is found."""
    seen: list[Companies | None] = []
    told: list[tuple[float, float] | None] = []
    for scene in lights:
        start = replace(scene, discs=laid_out(START, measures, rng))
        light = drawn(start)
        gain = exposed(light)
        first = _read(light, sensor, gain, view, rng)
        told.append(_thicknesses(first))
        radius = float(np.median(first.radii[_is_disc(first)])) if told[-1] else None
        mixed = replace(scene, discs=_any_discs(measures, rng))
        light = drawn(mixed)
        gain = gain if rng.random() < HELD else metered_gain(light)
        cells = _read(light, sensor, gain, view, rng, radius)
        seen.append(_with_truth(cells, mixed))
    for number, company in enumerate(seen):
        here, there = told[number], told[1 - number]
        if company is not None and here is not None and there is not None:
            side = company.white.astype(int)
            known = np.stack([np.array(here)[side], np.array(there)[side]], axis=1)
            yield replace(company, told=known.astype(np.float32))


def traced_companies_of(folder: Path, seed: int) -> tuple[Companies]:
    """All discs of the pictures of one board that was traced.

    How thick a set's discs look is told by those of the other picture in the same light, and of
    one in the other light.
    """
    seen = {
        (tracing.set, tracing.light, number % tracings.SETUPS): _with_truth(
            read_all(tracing.image, tracing.view)[2], tracing.scene
        )
        for number, tracing in enumerate(tracings.kept(seed, folder))
    }
    pictures = [
        replace(company, told=np.column_stack([_looks(same, company), _looks(other, company)]))
        for (of_set, light, setup), company in seen.items()
        if company
        and (same := seen[of_set, light, 1 - setup])
        and (other := seen[of_set, 1 - light, setup])
    ]
    numbered = [
        replace(one, picture=one.picture + 100 * (tracings.FIRST + seed) + number)
        for number, one in enumerate(pictures)
    ]
    return (examples.joined(numbered),)


def _looks(known: Companies, company: Companies) -> Floats:
    """(n,): how thick the discs of each one's side look among discs whose truth is known."""
    setup = "".join(APPEARANCES[1 + 2 * w + k] for w, k in np.c_[known.white, known.king])
    sides = looks_of_sides(known.ranks, setup, thickness_of(known.ranks, setup))
    return np.array(sides, np.float32)[company.white.astype(int)]


def _any_discs(measures: tuple[float, float], rng: np.random.Generator) -> tuple[Disc, ...]:
    setup = "".join(rng.choice(list(SHARES), 32, p=list(SHARES.values())))
    discs = laid_out(setup, measures, rng, float(rng.choice(SLOPPY)))
    return examples.knocked(discs, rng) if rng.random() < KNOCKED else discs


def _read(
    light: Floats,
    sensor: Sensor,
    gain: float,
    view: View,
    rng: np.random.Generator,
    radius: float | None = None,
) -> Cells:
    """What the eye reads on a photograph of this light, filed and seen from a view."""
    image = refiled(photograph(light, sensor, gain, rng), sensor.jpeg_quality)
    return read_all(image, view, radius)[2]


def _is_disc(cells: Cells) -> NDArray[np.bool_]:
    return np.exp(np.logaddexp(cells.kinds[:, MAN], cells.kinds[:, KING])) > comparer.SEEN


def _thicknesses(first: Cells) -> tuple[float, float] | None:
    """How thick the men of the darker and of the lighter side look, as a calibration has it."""
    ranks, there = first.ranks[IS_DARK], _is_disc(first)[IS_DARK]
    if there.sum() < len(START.replace(EMPTY, "")) / 2:
        return None
    return looks_of_sides(ranks, START, thickness_of(ranks, START))


def _with_truth(cells: Cells, scene: Scene) -> Companies | None:
    """The discs that are seen where some are, if there are some."""
    pieces = {examples.cell_of(piece[0]): piece for piece in examples.stacks(scene.discs)}
    which = [int(cell) for cell in np.flatnonzero(_is_disc(cells)) if int(cell) in pieces]
    if len(which) < FEWEST:
        return None
    feet = [pieces[cell][0] for cell in which]
    man, king = (
        scene.view.project(np.array([(foot.x, foot.y, high * foot.thickness) for foot in feet]))
        for high in (1, 2)
    )
    return Companies(
        np.zeros(len(which), np.int64),
        cells.ranks[which],
        cells.impressions[which],
        np.array([len(pieces[cell]) > 1 for cell in which]),
        np.array([foot.side is Side.WHITE for foot in feet]),
        np.zeros((len(which), 2), np.float32),
        np.linalg.norm(king - man, axis=1).astype(np.float32),
    )

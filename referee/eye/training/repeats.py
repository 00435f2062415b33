"""Pieces that are seen several times where they stand, a disc having come, or gone, or neither
between: what the recaller learns from.

A hand that puts a disc on a piece shifts it a little, and the light is no more quite the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.board import EMPTY, SQUARES, Side, cell_of
from referee.eye.patches import Floats
from referee.eye.reader import THICKNESSES
from referee.eye.training import examples, tracings
from referee.eye.training.examples import BORDER, Discs
from sample_images.draw import drawn, exposed
from sample_images.rays import Window
from sample_images.scene import Disc, DiscLook, Hand, Scene, piece, sloppy
from sample_images.sensor import metered_gain, photograph, refiled
from sample_images.variety import random_scene

FIRST = 40_000
"""Seeds of these boards begin here: the other networks learn from none of them."""
SETS, PICTURES = 2, 5
"""On each board, and of each set."""
THERE, KING, WITH_HAND = 0.75, 0.4, 0.3
"""Shares of the pieces that are there in a picture, of the kings among them, and of the pictures
in which a hand is over the board."""
SLOPPY, SHIFTED = (0.03, 0.07, 0.1), (0.0, 0.01, 0.03, 0.06)
"""Squares by which pieces miss the middle of theirs, and by which they are shifted from picture to
picture, one of them in each set."""
TURNED = 0.15
"""Share of the pieces that are turned from picture to picture, or other ones of their side."""
ROOM = 100
"""Numbers for the places of one set in one light."""
UNSTEADY = 0.05
"""By which a camera's exposure of the same light varies, in nats, as a standard deviation."""


Picture = Callable[[Scene], tuple[Floats, Floats, Window | None]]
"""Linear light of a scene, the shares (64,) of cells that hands cover, and the part of the picture
that there is, if that is not all."""
Camera = Callable[[Scene], Picture]
"""For scenes in which nothing but pieces and hands moves."""
Shaped = Callable[[DiscLook, np.random.Generator], DiscLook]


@dataclass(frozen=True)
class Repeats(Discs):
    """Portraits of n discs: those of one place are of one piece of one set in one light."""

    place: NDArray[np.int64]
    """(n,): its number, different for all boards."""


def set_of(place: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n,): a number for the side of the set whose pieces stand on these places, in one light."""
    return 2 * (place // (2 * ROOM)) + place % 2


def repeats_of(seed: int) -> tuple[Repeats]:
    """The discs of one board, from a seed counted from `FIRST`."""
    scene = examples.reduced(random_scene(FIRST + seed, contents="start"))
    return (met_again(scene, FIRST + seed),)


def met_again(scene: Scene, seed: int, border: int = BORDER) -> Repeats:
    """The discs of several sets on a scene's board, drawn, with so many pixels around them."""
    return _repeats(scene, seed, _drawn, lambda look, rng: look, border)


def traced_repeats_of(folder: Path, seed: int) -> tuple[Repeats]:
    """The discs of two boards: one that was traced for all, of which pieces seldom stand where
    one of their side stands in the other picture as well, and one that is traced for this."""
    parts = []
    for tracing in tracings.kept(seed, folder):
        discs = examples.seen_on(tracing.image, tracing.view, tracing.scene, tracing.hidden)[1]
        number = (tracings.FIRST + seed) * 10 + tracing.set * 2 + tracing.light
        parts.append(_placed(discs, tracing.scene, tracing.hidden, ROOM * number))
    own = tracings.FIRST + FIRST + seed
    scene = tracings.affordable(tracings.tilted(own))
    own_parts = _repeats(scene, own, _traced, tracings.shaped, BORDER)
    return (examples.joined([*parts, own_parts]),)


def _repeats(scene: Scene, seed: int, camera: Camera, shaped: Shaped, border: int) -> Repeats:
    """The discs of several sets on one board in one light."""
    rng = np.random.default_rng((seed, SETS))
    base = replace(examples.recoloured(scene, rng), hands=(), captured=())
    base, parts = examples.numbered(base, rng), []
    for number in range(SETS):
        other = random_scene(seed + 1_000_003 * (number + 1), contents="middle")
        look = shaped(examples.dressed(base.board, other.look, rng), rng)
        measures = (
            base.discs[0].radius if rng.random() < 0.5 else float(rng.uniform(*examples.RADII)),
            float(np.exp(rng.uniform(*np.log(THICKNESSES[[0, -1]])))),
        )
        shown = replace(base, look=look, sensor=other.sensor)
        first = ROOM * (seed * SETS + number)
        pictures = _pictures(shown, measures, other.hands, rng, camera(shown), border)
        parts += [_placed(*one, first) for one in pictures]
    repeats: Repeats = examples.joined(parts)
    return repeats


def _drawn(_: Scene) -> Picture:
    return lambda shown: (drawn(shown), examples.hidden_shares(shown), None)


def _traced(scene: Scene) -> Picture:
    from sample_images.blender.tracer import Tracer  # few have Blender

    tracer, window = Tracer(scene), tracings.window_of(scene.view)

    def picture(shown: Scene) -> tuple[Floats, Floats, Window | None]:
        tracer.move(shown.discs, shown.hands)
        arms = (tracer.arms() / 255).astype(np.float32)
        return tracer.light(window), examples.shares_hidden_by(arms, scene.view), window

    return picture


def _placed(discs: Discs, scene: Scene, hidden: Floats, first: int) -> Repeats:
    """Portraits with their places, counted from the `first`: on one cell, two for both sides."""
    feet = [p[0] for p in examples.stacks(scene.discs)]
    seen = [foot for foot in feet if hidden[examples.cell_of(foot)] <= examples.COVERED]
    places = [first * 2 + 2 * examples.cell_of(f) + (f.side is Side.WHITE) for f in seen]
    columns = {field.name: getattr(discs, field.name) for field in fields(Discs)}
    return Repeats(**columns, place=np.array(places, np.int64))


def _pictures(
    scene: Scene,
    measures: tuple[float, float],
    hands: tuple[Hand, ...],
    rng: np.random.Generator,
    picture: Picture,
    border: int,
) -> Iterator[tuple[Discs, Scene, Floats]]:
    """The discs of each picture of one set, with what is hidden."""
    view, gain = examples.nearly(scene.view, rng), 0.0
    signs = rng.choice([EMPTY, "r", "w"], 32, p=(0.1, 0.45, 0.45))
    steady, shifted = float(rng.choice(SLOPPY)), float(rng.choice(SHIFTED))
    askew = float(rng.choice(examples.CROWNS))
    stood = [
        _standing(square, str(sign), measures, steady, askew, rng)
        for square, sign in zip(SQUARES, signs, strict=True)
        if sign != EMPTY
    ]
    for _ in range(PICTURES):
        discs = tuple(d for whole in stood for d in _met_again(whole, shifted, rng))
        shown = replace(scene, discs=discs, hands=hands if rng.random() < WITH_HAND else ())
        light, hidden, window = picture(shown)
        gain = gain or (metered_gain(light) if window is None else exposed(light[window]))
        image = photograph(light, scene.sensor, gain * np.exp(rng.normal(0, UNSTEADY)), rng)
        image = refiled(image, scene.sensor.jpeg_quality)
        yield examples.seen_on(image, view, shown, hidden, border)[1], shown, hidden


def _standing(
    square: int,
    sign: str,
    measures: tuple[float, float],
    sigma: float,
    askew: float,
    rng: np.random.Generator,
) -> tuple[Disc, ...]:
    """A king: all discs that the piece on a square ever has."""
    (row, column), (dx, dy) = cell_of(square), sloppy(rng, sigma)
    return piece(column + 0.5 + dx, row + 0.5 + dy, sign.upper(), measures, rng, askew)


def _met_again(discs: tuple[Disc, ...], sigma: float, rng: np.random.Generator) -> tuple[Disc, ...]:
    """A piece as a picture has it: as a king or a man, shifted, sometimes turned, or gone."""
    if rng.random() > THERE:
        return ()
    (dx, dy), seed = sloppy(rng, sigma), int(rng.integers(1 << 30))
    turned = rng.random() < TURNED
    met = [replace(d, x=d.x + dx, y=d.y + dy, seed=seed if turned else d.seed) for d in discs]
    return tuple(met if rng.random() < KING else met[:1])

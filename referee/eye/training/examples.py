"""Cells of drawn scenes with their truth: what the reader learns from.

Every example goes the whole way that a picture goes: lens, light, noise, JPEG, and a board
located not quite exactly. Setups are denser and richer in kings than games are, some discs lie on
light cells, and discs of every thickness are equally common, because the reader has to judge each
cell by its look alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from calibration.model import Pose, View
from referee.board import EMPTY, START, Side
from referee.eye.features import pattern
from referee.eye.light import Light, corners_of, measure_light
from referee.eye.patches import CELLS, Floats, PatchMap, in_patch
from referee.eye.portraits import Portraitist
from referee.eye.reader import HIDDEN, THICKNESSES
from sample_images.arms import draw_hand
from sample_images.draw import drawn
from sample_images.scene import Board, Colour, Disc, DiscLook, Scene, laid_out, scaled
from sample_images.sensor import Sensor, metered_gain, photograph, refiled
from sample_images.variety import random_scene

Kind = TypeVar("Kind", bound=Any)

VARIANTS = 8
"""Pictures of one board in one light: drawing the board itself is the slow part."""
LONGEST_PX = 1280
"""Of a picture, as most cameras are set."""
RECOLOURED = 0.6
"""Share of the scenes whose set is given other colours, so that none is learnt by heart."""
ALIKE = 0.4
"""Share of those in which a side's discs have nearly the colour of the squares under them."""
SHARES = {EMPTY: 0.4, "r": 0.175, "R": 0.125, "w": 0.175, "W": 0.125}
"""How often each appearance stands on a dark square of a random setup."""
RADII = (0.265, 0.42)
"""Of discs, in squares, where they are not those of the board's own set."""
CROWNS = (0.02, 0.035, 0.07, 0.1)
"""Squares by which the upper discs of kings lie off the lower ones, as a standard deviation: one of
them in each setup. Who crowns in haste puts the disc down as it comes."""
POSE_SIGMA = 0.012
"""Squares by which a located board is off, so that the reader learns to bear it."""
COVERED, CLEAR = 0.2, 0.08
"""A cell counts as hidden above the first share of its disc's place, as seen below the second."""
PRINTED = 983
"""A number for what is drawn of the squares' numbers."""
NUMBERED, HEIGHTS = 0.3, (0.15, 0.6)
"""Share of the boards whose squares are numbered, and how high the numbers are, in squares."""
KNOCKED, ASKEW = 0.5, 0.15
"""The share of the setups in which discs lie between squares, and of their discs that do."""
NEAREST, FURTHEST = 0.2, 0.75
"""Squares by which such a disc is off."""
EDGE = 0.06
"""Squares from a cell's edge within which it is no matter on which side of it a disc lies."""
BORDER = 5
"""Pixels around a portrait, a fifth of a radius: by as much it is shifted in training."""
UNCLEAR = -1
"""The kind of a cell that is neither, and teaches nothing."""


@dataclass(frozen=True)
class Discs:
    """Portraits of n discs with their truth."""

    pixels: NDArray[np.uint8]
    """(n, HEIGHT + 2 BORDER, WIDTH + 2 BORDER, 3), blue green red."""
    light: Floats
    """(n, 3): log colour of light squares there."""
    lean: Floats
    radius: Floats
    """(n,), see `Portraits`."""
    king: NDArray[np.bool_]
    thickness: Floats
    """(n,): of one disc, in squares."""


@dataclass(frozen=True)
class Cells:
    """n cells with their truth."""

    pixels: NDArray[np.uint8]
    """(n, SIZE, SIZE, 3), blue green red."""
    plan: NDArray[np.int8]
    """(n, SIZE, SIZE), see `features.pattern`."""
    tone: Floats
    """(n, 6): log colour of light squares there, then the contrast of dark ones."""
    lean: Floats
    """(n, 2), see `Patches.lean`."""
    kind: NDArray[np.int64]
    """(n,): a kind of `reader`, `EMPTY` to `HIDDEN`, or `UNCLEAR`."""
    white: Floats
    """(n,): 1 where the disc is of the lighter side."""
    centre: Floats
    """(n, 2): of the disc from the cell's, (right, down) in the patch."""
    thickness: Floats
    """(n,): of one disc of the set, in squares."""
    radius: Floats
    """(n,): the same."""


def joined(parts: Sequence[Kind]) -> Kind:
    """Examples of one kind, one after the other."""
    kind = type(parts[0])
    return kind(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(kind)))


def examples_of(seed: int) -> tuple[Cells, Discs]:
    """All cells of the pictures of one board, and its discs closer, from a seed."""
    rng = np.random.default_rng(seed)
    base = recoloured(reduced(random_scene(seed)), rng)
    base = numbered(base, np.random.default_rng((seed, PRINTED)))
    seen = [_seen(*variant, rng) for variant in _variants(base, seed, rng)]
    return joined([cells for cells, _ in seen]), joined([discs for _, discs in seen])


def _variants(base: Scene, seed: int, rng: np.random.Generator) -> Iterator[tuple[Scene, Sensor]]:
    """Other setups, hands and cameras' moods on one board in one light."""
    first = base.discs[0] if base.discs else Disc(0, 0, Side.RED)
    for number in range(VARIANTS):
        other = random_scene(seed + 1_000_003 * (number + 1), contents="middle")
        thickness = float(np.exp(rng.uniform(*np.log(THICKNESSES[[0, -1]]))))
        discs = random_discs((first.radius, thickness), rng)
        hands = other.hands if number else base.hands
        if rng.random() < 0.15:
            hands = (*hands, *random_scene(seed + 777 * number).hands)
        look = dressed(base.board, other.look, rng)
        yield replace(base, look=look, discs=discs, hands=hands), other.sensor


def reduced(scene: Scene) -> Scene:
    """The scene before a camera of at most `LONGEST_PX`."""
    lens = scene.view.lens
    scale = min(1.0, LONGEST_PX / max(lens.width, lens.height))
    return replace(scene, view=scaled(scene.view, scale))


def recoloured(scene: Scene, rng: np.random.Generator) -> Scene:
    """The scene with squares in colours of no particular board."""
    if rng.random() > RECOLOURED:
        return scene
    dark, light = _colour(rng, 0.06, 0.5), _colour(rng, 0.5, 0.95)
    return replace(scene, board=replace(scene.board, dark=dark, light=light))


def numbered(scene: Scene, rng: np.random.Generator) -> Scene:
    """The scene with numbers printed on its squares, sometimes."""
    height, aside = float(rng.uniform(*HEIGHTS)), bool(rng.random() < 0.4)
    if rng.random() > NUMBERED:
        return scene
    height = height / 2 if aside else height
    return replace(scene, board=replace(scene.board, numerals=height, numerals_aside=aside))


def dressed(board: Board, look: DiscLook, rng: np.random.Generator) -> DiscLook:
    """A set in colours of no particular set, often nearly those of the squares."""
    if rng.random() > RECOLOURED:
        return look
    red = _near(board.dark, rng) if rng.random() < ALIKE else _colour(rng, 0.06, 0.6)
    white = _near(board.light, rng) if rng.random() < ALIKE else _colour(rng, 0.4, 0.97)
    if luminance(red) > luminance(white):
        red, white = white, red
    return replace(look, red=red, white=white)


def _colour(rng: np.random.Generator, darkest: float, lightest: float) -> Colour:
    hue, saturation = rng.uniform(0, 180), 255 * rng.uniform(0, 0.85) ** 1.5
    value = 255 * rng.uniform(darkest, lightest)
    pixel = np.array([[[hue, saturation, value]]], dtype=np.uint8)
    red, green, blue = (int(v) for v in cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0])
    return red, green, blue


def _near(colour: Colour, rng: np.random.Generator) -> Colour:
    factor = rng.uniform(0.75, 1.35)
    red, green, blue = (
        int(np.clip(channel * factor + rng.normal(0, 8), 4, 252)) for channel in colour
    )
    return red, green, blue


def luminance(colour: Colour) -> float:
    """Brightness of a colour on a screen, 0 to 255."""
    return float(np.dot(colour, (0.299, 0.587, 0.114)))


def random_discs(measures: tuple[float, float], rng: np.random.Generator) -> tuple[Disc, ...]:
    """Pieces anywhere, of this radius and thickness: richer in kings than games are."""
    kind = rng.random()
    mixed = "".join(rng.choice(list(SHARES), 32, p=list(SHARES.values())))
    setup = START if kind < 0.15 else mixed
    sloppy, askew = float(rng.choice([0.02, 0.06, 0.09])), float(rng.choice(CROWNS))
    discs = laid_out(setup, measures, rng, sloppy, askew)
    discs = _moved_to_light(discs, rng) if kind > 0.7 else discs
    return knocked(discs, rng) if rng.random() < KNOCKED else discs


def _moved_to_light(discs: tuple[Disc, ...], rng: np.random.Generator) -> tuple[Disc, ...]:
    """Some rows one cell aside, kings whole; what would leave the board stays away."""
    rows = {row: int(rng.choice([-1, 0, 1])) for row in range(8)}
    moved = [replace(disc, x=disc.x + rows[int(np.clip(disc.y, 0, 7.99))]) for disc in discs]
    return tuple(disc for disc in moved if 0.2 < disc.x < 7.8)


def knocked(discs: tuple[Disc, ...], rng: np.random.Generator) -> tuple[Disc, ...]:
    """Some discs, kings whole, between squares, as far as the others leave them room."""
    pieces = stacks(discs)
    for number, piece in enumerate(pieces):
        if rng.random() > ASKEW:
            continue
        far, angle = rng.uniform(NEAREST, FURTHEST), rng.uniform(0, 2 * np.pi)
        x, y = far * np.cos(angle), far * np.sin(angle)
        moved = [replace(disc, x=disc.x + x, y=disc.y + y) for disc in piece]
        others = [other[0] for other in pieces if other is not piece]
        if _has_room(moved[0], others):
            pieces[number] = moved
    return tuple(disc for piece in pieces for disc in piece)


def _has_room(disc: Disc, others: list[Disc]) -> bool:
    apart = [np.hypot(disc.x - other.x, disc.y - other.y) for other in others]
    on_board = all(0.1 < place < 7.9 for place in (disc.x, disc.y))
    return on_board and min(apart, default=8.0) > 2 * disc.radius


def stacks(discs: Sequence[Disc]) -> list[list[Disc]]:
    """The discs that lie on the board, each with the one on it, if there is one."""
    return [
        [foot, *(d for d in discs if d.z > 0 and np.hypot(d.x - foot.x, d.y - foot.y) < d.radius)]
        for foot in discs
        if foot.z == 0
    ]


# --- From a scene to cells ----------------------------------------------------------------


def _seen(scene: Scene, sensor: Sensor, rng: np.random.Generator) -> tuple[Cells, Discs]:
    light = drawn(scene)
    image = photograph(light, sensor, metered_gain(light), rng)
    view = nearly(scene.view, rng)
    return seen_on(refiled(image, sensor.jpeg_quality), view, scene, hidden_shares(scene))


def seen_on(
    image: Image, view: View, scene: Scene, hidden: Floats, border: int = BORDER
) -> tuple[Cells, Discs]:
    """All cells of a picture of a scene, taken for seen from `view`, and its discs closer, with so
    many pixels around.

    `hidden` (64,) as `hidden_shares` has it.
    """
    chart = PatchMap.of(view)
    patches = chart.cut(chart.reduced(image))
    measured = measure_light(corners_of(patches))
    kind, white, centre = _truth(scene, chart, hidden)
    cells = Cells(
        patches.pixels,
        pattern(patches.points).astype(np.int8),
        np.column_stack([measured.light, np.tile(measured.contrast, (64, 1))]),
        patches.lean,
        kind,
        white,
        centre,
        np.full(64, scene.discs[0].thickness, np.float32),
        np.full(64, scene.discs[0].radius, np.float32),
    )
    return cells, _portrayed(image, view, scene, hidden, measured, border)


def _portrayed(
    image: Image, view: View, scene: Scene, hidden: Floats, measured: Light, border: int
) -> Discs:
    """Every disc that is seen at least for the most part."""
    pieces = [p for p in stacks(scene.discs) if hidden[cell_of(p[0])] <= COVERED]
    feet = [piece[0] for piece in pieces]
    which = np.array([cell_of(disc) for disc in feet], np.intp)
    centres = np.array([(disc.x, disc.y) for disc in feet], float).reshape(-1, 2)
    radii = np.array([disc.radius for disc in feet], np.float32)
    drawn_close = Portraitist.of(view).draw(image, which, centres, radii, border)
    return Discs(
        drawn_close.pixels,
        measured.light[which],
        drawn_close.lean,
        radii,
        np.array([len(piece) > 1 for piece in pieces], bool),
        np.array([disc.thickness for disc in feet], np.float32),
    )


def cell_of(disc: Disc) -> int:
    """The one of the 64 cells on which a disc's middle lies."""
    return 8 * int(disc.y) + int(disc.x)


def nearly(view: View, rng: np.random.Generator) -> View:
    """The view as a locator would give it."""
    rotation = np.array(view.pose.rotation) + rng.normal(0, POSE_SIGMA / 8, 3)
    shift = rng.normal(0, POSE_SIGMA, 3) * [1, 1, 3]
    translation = np.array(view.pose.translation) + shift
    return View(view.lens, Pose(tuple(map(float, rotation)), tuple(map(float, translation))))  # type: ignore[arg-type]


def _truth(
    scene: Scene, chart: PatchMap, hidden: Floats
) -> tuple[NDArray[np.int64], Floats, Floats]:
    kind, white, centre = np.zeros(64, np.int64), np.zeros(64, np.float32), np.zeros((64, 2))
    pieces = stacks(scene.discs)
    for piece in pieces:
        foot = piece[0]
        cell = cell_of(foot)
        kind[cell] = len(piece)
        white[cell] = foot.side is Side.WHITE
        centre[cell] = in_patch(chart.points[cell][None], np.array([[foot.x, foot.y]]))[0]
    kind[[cell for piece in pieces for cell in _beside(piece[0])]] = UNCLEAR
    kind[(hidden > CLEAR) & (hidden <= COVERED)] = UNCLEAR
    kind[hidden > COVERED] = HIDDEN
    return kind, white, centre.astype(np.float32)


def _beside(disc: Disc) -> set[int]:
    """The cells on both sides of an edge on which the disc's centre lies, if it does."""
    steps = (-EDGE, EDGE)
    cells = {8 * int(disc.y + down) + int(disc.x + right) for down in steps for right in steps}
    return cells if len(cells) > 1 else set()


def hidden_shares(scene: Scene) -> Floats:
    """(64,): the share of each cell's middle that hands and what they hold cover."""
    return shares_hidden_by(_cover(scene), scene.view)


def shares_hidden_by(cover: Floats, view: View) -> Floats:
    """The same from the picture of what is in front, (height, width): 1 there, 0 elsewhere."""
    angles = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)]) * 0.3
    steps = np.concatenate([0.4 * circle, circle])
    middles = np.array([[(c + 0.5 + x, r + 0.5 + y, 0.1) for x, y in steps] for r, c in CELLS])
    pixels = view.project(middles.reshape(-1, 3)).round().astype(int)
    columns, rows = np.clip(pixels, 0, np.array(cover.shape[::-1]) - 1).T
    return np.asarray(cover[rows, columns].reshape(64, -1).mean(axis=1), np.float32)


def _cover(scene: Scene) -> Floats:
    """(height, width): 1 where a hand or what it holds is in front of everything else."""
    size = (scene.view.lens.height, scene.view.lens.width)
    whole = (slice(None), slice(None))
    backs = [np.full((*size, 3), level, np.float32) for level in (0.0, 1.0)]
    for back in backs:
        for hand in scene.hands:
            draw_hand(back, scene, hand, whole)
    cover = 1.0 - (backs[1] - backs[0])[..., 0]
    for disc in (disc for hand in scene.hands for disc in hand.held):
        _fill_disc(cover, scene.view, disc)
    return cover


def _fill_disc(cover: Floats, view: View, disc: Disc) -> None:
    turns = np.linspace(0, 2 * np.pi, 24)
    circle = np.column_stack([np.cos(turns), np.sin(turns)]) * disc.radius + [disc.x, disc.y]
    both = [np.column_stack([circle, np.full(24, z)]) for z in (disc.z, disc.top)]
    outline = cv2.convexHull(view.project(np.concatenate(both)).astype(np.float32))
    cv2.fillConvexPoly(cover, outline.astype(np.int32), 1.0)

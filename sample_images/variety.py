"""Scenes drawn at random from a seed: sets, cameras, lights, placement, hands and clutter.

Half of the scenes show the official set of the WCDF, green and buff with red and white discs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.model import Lens, View
from referee.board import EMPTY, START, Side, cell_of, is_king
from sample_images.pinhole import shown_by
from sample_images.scene import (
    TABLE_HALF,
    THINGS,
    Board,
    Colour,
    Disc,
    DiscLook,
    Hand,
    Lamp,
    Scene,
    Shade,
    Table,
    Thing,
    Tint,
    camera_axes,
    eye_of,
    framed,
    laid_out,
    point,
    reaching,
    thing,
)
from sample_images.sensor import Sensor

T = TypeVar("T")


EDGES, ROUND = 977, 0.8
"""A number for what is drawn of the discs' edges, and the share of the sets with round ones."""


@dataclass(frozen=True)
class Optics:
    """A kind of camera."""

    field_degrees: tuple[float, float]
    """Horizontal angle of view, from and to."""
    k1: tuple[float, float]
    sizes: tuple[tuple[int, int], ...]
    electrons: tuple[float, float]
    """At full scale, see `Sensor`."""
    blur_px: tuple[float, float]


OPTICS = {
    "pi3": Optics(
        (64, 67),
        (-0.04, 0.03),
        ((1280, 720), (1536, 864), (1920, 1080)),
        (3000, 9000),
        (0.5, 0.9),
    ),
    "pi3wide": Optics(
        (96, 102), (-0.25, -0.04), ((1280, 720), (1536, 864)), (2500, 8000), (0.6, 1.1)
    ),
    "hq": Optics((44, 60), (-0.12, 0.02), ((1280, 960), (1332, 990)), (5000, 15000), (0.5, 1.0)),
    "webcam": Optics((58, 74), (-0.10, 0.05), ((640, 480), (1280, 720)), (1500, 5000), (0.7, 1.4)),
    "phone": Optics(
        (60, 70),
        (-0.03, 0.03),
        ((1600, 1200), (1200, 1600), (1920, 1080)),
        (5000, 15000),
        (0.5, 0.9),
    ),
}
"""Pi Camera 3 (66°), its wide version (102°), the HQ camera with 6 mm lenses, webcams, phones."""

FOLD_SAFETY = 0.93
"""How near the corner of a picture may come to where a barrel lens would fold back on itself."""


def lens_of(optics: Optics, rng: np.random.Generator) -> Lens:
    """A lens of this kind. Strong barrels get a narrower field, as one radial term needs."""
    width, height = choose(optics.sizes, rng)
    k1 = float(rng.uniform(*optics.k1))
    edge = np.tan(np.radians(rng.uniform(*optics.field_degrees)) / 2)
    diagonal = np.hypot(width, height) / 2
    if k1 >= 0:
        return Lens(width, height, float(width / 2 / (edge * (1 + k1 * edge**2))), k1)
    fold = (-3 * k1) ** -0.5  # where r (1 + k1 r²) stops growing
    reached = min(edge, fold)
    focal = width / 2 / (reached * (1 + k1 * reached**2))
    return Lens(width, height, float(max(focal, diagonal / (FOLD_SAFETY * fold * 2 / 3))), k1)


# --- Sets ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Family:
    """A kind of board and set."""

    boards: tuple[tuple[Colour, Colour], ...]
    """Dark and light squares."""
    discs: tuple[tuple[Colour, Colour], ...]
    """Darker and lighter side."""
    textures: tuple[str, ...]
    radius: tuple[float, float]
    thickness: tuple[float, float]
    wood_discs: bool = False
    share: float = 0.1
    """Of the scenes drawn when no family is asked for."""


FAMILIES = {
    "official": Family(
        (
            ((30, 95, 60), (230, 215, 170)),
            ((40, 110, 65), (240, 232, 205)),
            ((25, 80, 50), (225, 205, 150)),
        ),
        (
            ((170, 25, 30), (235, 230, 215)),
            ((150, 20, 25), (245, 240, 230)),
            ((190, 35, 35), (240, 225, 180)),
        ),
        ("print", "vinyl", "wood", "cloth"),
        (0.265, 0.335),
        (0.09, 0.17),
        share=0.5,
    ),
    "wood": Family(
        (
            ((110, 65, 35), (215, 175, 120)),
            ((75, 45, 30), (225, 195, 145)),
            ((35, 28, 25), (225, 190, 140)),
        ),
        (
            ((60, 35, 25), (215, 180, 130)),
            ((35, 30, 28), (205, 160, 105)),
            ((110, 35, 25), (220, 190, 145)),
        ),
        ("wood",),
        (0.33, 0.42),
        (0.14, 0.26),
        wood_discs=True,
        share=0.14,
    ),
    "blackwhite": Family(
        (((28, 28, 30), (235, 235, 232)), ((45, 45, 48), (225, 222, 215))),
        (
            ((25, 25, 27), (235, 232, 225)),
            ((165, 25, 25), (240, 238, 230)),
            ((30, 60, 140), (240, 240, 240)),
        ),
        ("print", "vinyl"),
        (0.3, 0.42),
        (0.1, 0.25),
        share=0.09,
    ),
    "redblack": Family(
        (((30, 28, 28), (168, 42, 38)), ((25, 25, 25), (180, 62, 48))),
        (((22, 22, 24), (200, 40, 35)), ((25, 25, 25), (225, 220, 205))),
        ("print",),
        (0.34, 0.42),
        (0.12, 0.24),
        share=0.09,
    ),
    "browncream": Family(
        (((115, 60, 45), (225, 210, 180)), ((130, 75, 50), (235, 222, 195))),
        (((30, 28, 28), (225, 215, 165)), ((90, 40, 30), (235, 225, 200))),
        ("print", "wood", "vinyl"),
        (0.3, 0.4),
        (0.12, 0.3),
        share=0.09,
    ),
    "blue": Family(
        (((40, 75, 130), (225, 228, 230)), ((60, 95, 115), (230, 225, 205))),
        (((150, 25, 30), (240, 235, 225)), ((25, 28, 35), (230, 190, 60))),
        ("vinyl", "print", "cloth"),
        (0.28, 0.4),
        (0.1, 0.3),
        share=0.09,
    ),
}
"""Official measures are discs of 1 1/8-1 1/4 in, 3/16-5/16 in thick (WCDF 2.2); others go to
0.85 squares across and 0.3 thick. In the red and black set the black squares are played on."""

CONTENTS = ("empty", "start", "middle", "endgame")
LIGHTS = ("daylight", "lamp", "two lamps", "hard", "player", "glare", "dim")


def _jitter(colour: Colour, rng: np.random.Generator, amount: float = 8.0) -> Colour:
    red, green, blue = (int(np.clip(channel + rng.normal(0, amount), 5, 250)) for channel in colour)
    return red, green, blue


def choose(options: Sequence[T], rng: np.random.Generator) -> T:
    """One of them, each as likely as any other."""
    return options[int(rng.integers(len(options)))]


def random_setup(contents: str, rng: np.random.Generator) -> str:
    """A setup of this kind, see `CONTENTS`; not always one that a game can reach."""
    if contents == "empty":
        return EMPTY * 32
    if contents == "start":
        return START
    men = (5, 11) if contents == "middle" else (1, 5)
    kings = 0.08 if contents == "middle" else 0.5
    squares = [EMPTY] * 32
    for side in Side:
        # Men stand thicker towards home, and never on the row where they would be crowned.
        home = np.array([1.0 / (1 + abs(cell_of(s)[0] - 7 + side.king_row)) for s in range(1, 33)])
        free = np.array([sign == EMPTY for sign in squares])
        chance = home * free
        count = int(rng.integers(men[0], men[1] + 1))
        for index in rng.choice(32, count, replace=False, p=chance / chance.sum()):
            far = cell_of(int(index) + 1)[0] == side.king_row
            squares[index] = side.king if far or rng.random() < kings else side.man
    return "".join(squares)


# --- A scene from a seed -------------------------------------------------------------------


def random_scene(
    seed: int,
    family: str | None = None,
    contents: str | None = None,
    light: str | None = None,
) -> Scene:
    """A scene with everything drawn from the seed that is not given.

    `family` is one of `FAMILIES`, `contents` of `CONTENTS`, `light` of `LIGHTS`. The
    same arguments give the same scene.
    """
    # Drawn also where it is given: else all that is drawn after it would be another scene's.
    rng = np.random.default_rng(seed)
    names = list(FAMILIES)
    shares = np.array([kind.share for kind in FAMILIES.values()])
    any_family = names[int(rng.choice(len(names), p=shares / shares.sum()))]
    family = family or any_family
    kind = FAMILIES[family]
    board = _random_board(kind, rng)
    look = replace(_random_look(kind, rng), edge=_random_edge(seed))
    measures = (float(rng.uniform(*kind.radius)), float(rng.uniform(*kind.thickness)))
    any_contents = CONTENTS[int(rng.choice(len(CONTENTS), p=(0.08, 0.27, 0.4, 0.25)))]
    setup = random_setup(contents or any_contents, rng)
    discs = laid_out(setup, measures, rng)
    optics = OPTICS[choose(list(OPTICS), rng)]
    view = random_view(optics, board.margin, rng)
    any_light = choose(LIGHTS, rng)
    light = light or any_light
    lamps, ambient, tone = _random_light(light, view, rng)
    hands = _random_hands(measures, discs, rng)
    things = [*_random_things(board, rng), *_random_players(view, hands, rng)]
    things = [thing for thing in things if _aside(thing, board, view)]
    captured = _random_captured(setup, measures, board, rng)
    return Scene(
        board,
        look,
        view,
        discs,
        captured=_lying(captured, things, view),
        hands=hands,
        things=tuple(things),
        table=_random_table(rng),
        lamps=lamps,
        shades=(_random_shade(rng),) if light == "player" else (),
        ambient=ambient,
        ambient_colour=tone,
        sensor=_random_sensor(optics, light, rng),
        family=family,
        light=light,
        seed=seed,
    )


def _random_board(kind: Family, rng: np.random.Generator) -> Board:
    dark, light = choose(kind.boards, rng)
    framed_in_wood = rng.random() < 0.35
    border = float(rng.choice([0.05, 0.25, 0.45, 0.7]))
    lined = rng.random() < 0.3 and border > 0.2
    texture = choose(kind.textures, rng)
    natural = WOODS if texture == "wood" else (dark, dark, light, (28, 28, 28), *WOODS[:2])
    return Board(
        _jitter(dark, rng),
        _jitter(light, rng),
        texture=texture,
        seed=int(rng.integers(1 << 30)),
        border=border,
        border_colour=_jitter(choose(natural, rng), rng, 3),
        line=float(rng.uniform(0.03, 0.08)) if lined else 0.0,
        line_colour=_jitter(choose((light, dark), rng), rng, 3),
        frame=float(rng.uniform(0.3, 0.7)) if framed_in_wood else 0.0,
        frame_height=float(rng.uniform(0.02, 0.25)) if framed_in_wood else 0.0,
        frame_colour=_jitter(choose(WOODS, rng), rng, 3),
        thickness=float(rng.uniform(0.03, 0.5)),
        gloss=float(rng.uniform(0, 0.6)),
        wear=float(rng.uniform(0, 1) ** 2),
        fold=float(rng.uniform(0.015, 0.05)) if rng.random() < 0.3 else 0.0,
        fold_along_row=bool(rng.random() < 0.7),
    )


WOODS: tuple[Colour, ...] = (
    (70, 42, 25),
    (40, 30, 25),
    (120, 80, 45),
    (165, 120, 75),
    (200, 165, 115),
)
"""Stained oak, wenge, walnut, cherry, beech: what borders and frames are made of."""


def _random_look(kind: Family, rng: np.random.Generator) -> DiscLook:
    red, white = choose(kind.discs, rng)
    return DiscLook(
        _jitter(red, rng, 6),
        _jitter(white, rng, 6),
        wood=kind.wood_discs,
        rim=float(rng.choice([0.0, 0.12, 0.2, 0.28])),
        grooves=int(rng.integers(0, 5)),
        emblem=bool(rng.random() < 0.35),
        gloss=float(rng.uniform(0.05, 0.6)),
    )


def _random_edge(seed: int) -> float:
    """Sharp or round, of a seed's own: nothing else in the scene depends on it."""
    rng = np.random.default_rng((seed, EDGES))
    return float(rng.uniform(0.05, 0.3)) if rng.random() < ROUND else 0.0


def random_view(optics: Optics, margin: float, rng: np.random.Generator) -> View:
    """A camera of this kind, mostly near a player's side, 0-65 degrees off the normal."""
    lens = lens_of(optics, rng)
    tilt = float(rng.uniform(0, 65))
    side = float(rng.choice([0, 180, 90, 270], p=[0.45, 0.3, 0.15, 0.1]))
    anywhere = rng.random() < 0.2
    azimuth = float(rng.uniform(0, 360) if anywhere else side + rng.normal(0, 14))
    roll = float(rng.normal(0, 2.5))
    aim = tuple(4.0 + rng.normal(0, 0.3, 2))
    slack = float(1.02 + rng.exponential(0.12))
    return framed(lens, tilt, azimuth, roll, (aim[0], aim[1]), margin, slack)


def _random_light(
    light: str, view: View, rng: np.random.Generator
) -> tuple[tuple[Lamp, ...], float, Tint]:
    """Lamps, ambient strength and its colour; together they make about 1."""
    around = float(rng.uniform(0, 2 * np.pi))
    height = float(rng.uniform(*LAMP_HEIGHTS))

    def lamp(low: float, size: float, strength: float, colour: Tint, turn: float = 0.0) -> Lamp:
        """One at `low` squares from the board's normal for each square of height.

        `size` is its radius if it hung at the least height.
        """
        up = min(height, FARTHEST_LAMP / max(low, 0.1))
        x = 4 + up * low * np.cos(around + turn)
        y = 4 + up * low * np.sin(around + turn)
        return Lamp((float(x), float(y), up), size * up / LAMP_HEIGHTS[0], strength, colour)

    warm = (1.1, 1.0, float(rng.uniform(0.76, 0.94)))
    cool = (float(rng.uniform(0.88, 1.0)), 1.0, 1.1)
    slant = float(rng.uniform(0.3, 1.1))
    if light == "daylight":
        direct = float(rng.uniform(0.3, 0.65))
        return (lamp(slant + 0.5, 8, direct, cool),), 1 - direct, (1.0, 1.0, 1.04)
    if light == "two lamps":
        first = float(rng.uniform(0.25, 0.5))
        other = lamp(slant * 0.7, 1.5, 0.7 - first, cool, float(rng.uniform(1.5, 4.5)))
        return (lamp(slant, 2.0, first, warm), other), 0.3, (1.0, 1.0, 1.0)
    if light in ("hard", "player"):
        size = 0.25 if light == "hard" else 2.5
        return (lamp(slant, size, 0.7, (1.05, 1.0, 0.92)),), 0.3, (0.93, 1.0, 1.1)
    if light == "glare":
        return (_mirrored_lamp(view, rng),), 0.4, (1.0, 1.0, 1.0)
    return (lamp(slant, 1.8, 0.65, warm),), 0.35, warm


LAMP_HEIGHTS = (16.0, 36.0)
"""Above the board, in squares: from a reading lamp to a ceiling."""
FARTHEST_LAMP = 48.0
"""From the board's normal, in squares: lamps hang inside the room."""


def _mirrored_lamp(view: View, rng: np.random.Generator) -> Lamp:
    """One whose mirror image in the board the camera sees somewhere on the squares."""
    eye = eye_of(view)
    spot = np.array([*rng.uniform(2, 6, 2), 0.0])
    ray = spot - eye
    bounced = spot + ray * [1, 1, -1] / abs(ray[2]) * 16.0
    return Lamp(point(bounced), float(rng.uniform(1.0, 2.5)), 0.6, (1.03, 1.0, 0.95))


def _random_shade(rng: np.random.Generator) -> Shade:
    """The outline of a head and shoulders between a lamp and one edge of the board."""
    x, edge = float(rng.uniform(0, 8)), choose((-3.0, 11.0), rng)
    towards = 1.0 if edge < 0 else -1.0
    deep = float(rng.uniform(2.5, 6.5))
    flat = (
        (-3.5, -2.0),
        (-2.8, 0.4),
        (-0.9, 0.6),
        (-0.9, 1.9),
        (0.0, 2.4),
        (0.9, 1.9),
        (0.9, 0.6),
        (2.8, 0.4),
        (3.5, -2.0),
    )
    corners = tuple((x + a, edge + towards * (deep + b), 2.0) for a, b in flat)
    return Shade(corners, float(rng.uniform(0.2, 0.9)))


def _random_hands(
    measures: tuple[float, float], discs: tuple[Disc, ...], rng: np.random.Generator
) -> tuple[Hand, ...]:
    """None in most scenes; otherwise one arm over the board, sometimes with a disc."""
    if rng.random() > 0.25:
        return ()
    side = choose(tuple(Side), rng)
    x, y = (float(v) for v in rng.uniform(0.5, 7.5, 2))
    z = max((disc.top for disc in discs), default=0.0) + float(rng.uniform(0.1, 0.9))
    carries = rng.random() < 0.5
    held = (Disc(x, y, side, *measures, z - measures[1] / 2, int(rng.integers(1 << 30))),)
    return (
        reaching(
            side,
            (x, y, z + 0.1),
            left=bool(rng.random() < 0.2),
            size=float(rng.uniform(0.85, 1.15)),
            skin=_jitter(choose(SKINS, rng), rng),
            sleeve=_jitter(choose(SLEEVES, rng), rng),
            pinch=1.0 if carries else float(rng.uniform(0, 1)),
            held=held if carries else (),
        ),
    )


SKINS: tuple[Colour, ...] = (
    (224, 172, 145),
    (205, 150, 120),
    (160, 108, 78),
    (110, 72, 50),
    (235, 190, 165),
)
SLEEVES: tuple[Colour, ...] = (
    (60, 70, 110),
    (35, 35, 40),
    (200, 200, 205),
    (130, 40, 40),
    (90, 110, 85),
    (165, 30, 35),
    (236, 234, 228),
    (40, 110, 65),
)
"""The last three are those of the official set: red and white discs on green."""


def _random_captured(
    setup: str, measures: tuple[float, float], board: Board, rng: np.random.Generator
) -> list[Disc]:
    """The men that are missing, on the table beside the board; not always all of them."""
    captured: list[Disc] = []
    if setup == EMPTY * 32:
        return captured
    for side in Side:
        lost = 12 - sum(1 + is_king(sign) for sign in setup if side.owns(sign))
        lost -= int(rng.integers(0, 3))
        spots = choose((_heap, _heap, _piles, _row), rng)(max(0, lost), measures[0], rng)
        turn = float(rng.choice([0, 90, 180, 270], p=[0.35, 0.15, 0.35, 0.15]))
        for along, away, level in spots:
            x, y = _round_the_board(along, board.margin + measures[0] + 0.25 + away, turn)
            z = level * measures[1] - board.thickness
            captured.append(Disc(x, y, side, *measures, z, int(rng.integers(1 << 30))))
    return captured


def _round_the_board(along: float, away: float, turn: float) -> tuple[float, float]:
    """A point of the plane, given along and away from the side that `turn` degrees lead to."""
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    out = 4.0 + away
    return float(4 + out * cos - along * sin), float(4 + out * sin + along * cos)


Spot = tuple[float, float, int]
"""Along and away from a side of the board, in squares, and how many discs lie below."""


def _heap(count: int, radius: float, rng: np.random.Generator) -> list[Spot]:
    """Pushed together by hand: no order, some touching, a few on top of others."""
    along, away = float(rng.uniform(-3.5, 3.5)), float(rng.uniform(0, 1.2))
    spots: list[Spot] = []
    spread = 0.6
    while len(spots) < count:
        spot = (along + rng.normal(0, 1.4 * spread), away + abs(rng.normal(0, spread)))
        near = [s for s in spots if np.hypot(s[0] - spot[0], s[1] - spot[1]) < 2.02 * radius]
        if not near:
            spots.append((*spot, 0))
        elif len(near) == 1 and rng.random() < 0.15:
            spots.append(_upon(near[0], radius, rng))
        spread *= 1.05
    return spots


def _upon(below: Spot, radius: float, rng: np.random.Generator) -> Spot:
    """On top of another disc, so near its middle that it lies flat."""
    dx, dy = rng.uniform(-0.25, 0.25, 2) * radius
    return below[0] + float(dx), below[1] + float(dy), below[2] + 1


def _piles(count: int, radius: float, rng: np.random.Generator) -> list[Spot]:
    """A few piles close to each other, none quite straight."""
    along, away = float(rng.uniform(-3.5, 2.5)), float(rng.uniform(0, 1.5))
    spots: list[Spot] = []
    while len(spots) < count:
        spot: Spot = (along, away + float(rng.normal(0, 0.08)), 0)
        for _ in range(int(rng.integers(1, PILE + 1))):
            spots.append(spot)
            spot = _upon(spot, 0.4 * radius, rng)
        along += radius * float(rng.uniform(2.1, 2.8))
    return spots[:count]


PILE = 4
"""Most discs of a pile of captured ones."""


def _row(count: int, radius: float, rng: np.random.Generator) -> list[Spot]:
    """One beside the other, in the order in which they were taken."""
    along, away = float(rng.uniform(-4.5, 0)), float(rng.uniform(0, 1))
    spots: list[Spot] = []
    for _ in range(count):
        spots.append((along, away + float(rng.normal(0, 0.15)), 0))
        along += radius * float(rng.uniform(2.05, 3.2))
    return spots


def _lying(captured: list[Disc], things: Sequence[Thing], view: View) -> tuple[Disc, ...]:
    """Those that lie on the table or each other, in nobody's way; a disc comes after its foot."""
    kept: list[Disc] = []
    for disc in captured:
        near = [d for d in kept if np.hypot(d.x - disc.x, d.y - disc.y) < 2 * disc.radius]
        borne = any(abs(d.top - disc.z) < disc.thickness / 2 for d in near)
        blocked = any(abs(d.z - disc.z) < disc.thickness / 2 for d in near)
        lies = borne or all(disc.z <= other.z for other in captured)
        if lies and not blocked and _beside(disc, things) and _harmless(disc, view):
            kept.append(disc)
    return tuple(kept)


def _beside(disc: Disc, things: Sequence[Thing]) -> bool:
    """Whether a disc lies on the table and under none of the things on it."""
    on_table = abs(disc.x - 4) < TABLE_HALF[0] and abs(disc.y - 4) < TABLE_HALF[1]
    return on_table and all(
        np.hypot(disc.x - thing.x, disc.y - thing.y)
        > disc.radius + np.hypot(thing.length, thing.width) / 2
        for thing in things
    )


def _harmless(disc: Disc, view: View) -> bool:
    """Whether a disc beside the board is clear of the camera's foot and hides no square."""
    eye = eye_of(view)
    share = eye[2] / (eye[2] - disc.top)
    spot = eye[:2] + (np.array([disc.x, disc.y]) - eye[:2]) * share
    hides = np.abs(spot - 4).max() < 4 + disc.radius * share
    return not hides and _before_lens(np.array([[disc.x, disc.y, disc.z]]), view)


PAPER: Colour = (235, 235, 230)
THING_CHANCE = 0.4
"""For each kind of thing, that one is put down; some of those turn out to be in the way."""
THING_COLOURS: tuple[Colour, ...] = (PAPER, (40, 40, 45), (150, 60, 50), (70, 95, 140))


def _random_things(board: Board, rng: np.random.Generator) -> tuple[Thing, ...]:
    """A few things round the board, none nearer than its edge."""
    things = []
    for kind, (length, width, _) in THINGS.items():
        if rng.random() > THING_CHANCE:
            continue
        away = board.margin + np.hypot(length, width) / 2 + float(rng.uniform(0.6, 2.5))
        along = float(rng.uniform(-1, 9))
        x, y = choose(((along, -away), (along, 8 + away), (-away, along), (8 + away, along)), rng)
        colour = _jitter(choose((PAPER,) if kind == "sheet" else THING_COLOURS, rng), rng)
        angle = float(rng.normal(0, 0.25) + rng.choice([0, np.pi / 2]))
        things.append(thing(kind, x, y, angle, colour, int(rng.integers(1 << 30))))
    return tuple(things)


def things_beside(board: Board, view: View, seed: int) -> tuple[Thing, ...]:
    """A few things round the board that do not hide it from this camera."""
    found = _random_things(board, np.random.default_rng(seed))
    return tuple(thing for thing in found if _aside(thing, board, view))


PLAYERS = 0.45
"""Chance that somebody sits at a player's side of the table."""
LEANING = 0.3
"""How far a chest reaches over the table's edge, in squares."""
CHEST_SIZE = (8.0, 4.2, 6.0)
"""Width, depth and height above the table of a seated player, in squares."""


def _random_players(view: View, hands: tuple[Hand, ...], rng: np.random.Generator) -> list[Thing]:
    """Those who sit at the table, as far as the picture ends below their heads."""
    bodies = []
    for side, towards in ((Side.RED, -1), (Side.WHITE, 1)):
        clothes = [hand.sleeve for hand in hands if hand.side is side]
        colour = clothes[0] if clothes else _jitter(choose(SLEEVES, rng), rng)
        x, angle = float(rng.normal(4, 0.8)), float(rng.normal(0, 0.12))
        y = 4 + towards * (TABLE_HALF[1] + CHEST_SIZE[1] / 2 - LEANING)
        sits = rng.random() < PLAYERS or bool(clothes)
        body = Thing("body", x, y, *CHEST_SIZE, angle, colour, int(rng.integers(1 << 30)))
        if sits and _headless(body, view):
            bodies.append(body)
    return bodies


def _headless(body: Thing, view: View) -> bool:
    """Whether the neck of a seated player is out of the picture."""
    neck = np.array([[body.x, body.y, body.height]])
    if (neck @ camera_axes(view)[2] + view.pose.translation[2] < LEAST_DEPTH).any():
        return True
    x, y = view.project(neck)[0]
    return not (0 < x < view.lens.width and 0 < y < view.lens.height)


def _aside(thing: Thing, board: Board, view: View) -> bool:
    """Whether a thing neither hides the board nor stands at the camera's foot."""
    half = np.hypot(thing.length, thing.width) / 2
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    heights = (-board.thickness, thing.height - board.thickness)
    box = np.array([(thing.x + a * half, thing.y + b * half, z) for a, b in signs for z in heights])
    edge = 4 + board.margin
    levels = (0.0, board.frame_height)
    rim = np.array([(4 + a * edge, 4 + b * edge, z) for a, b in signs for z in levels])
    on_table = (np.abs(box[:, :2] - 4) < TABLE_HALF).all() or thing.kind == "body"
    if not (on_table and _before_lens(box, view)):
        return False
    mine, boards = (cv2.convexHull(view.project(p).astype(np.float32)) for p in (box, rim))
    overlap, _ = cv2.intersectConvexConvex(mine, boards)
    return bool(overlap <= 0)


def _before_lens(points: NDArray[np.float64], view: View) -> bool:
    """Whether all points (n, 3) lie where the lens shows them."""
    return bool(shown_by(view, points, LEAST_DEPTH).all())


LEAST_DEPTH = 2.0
"""Squares before the camera within which nothing stands."""


TABLES: dict[str, tuple[Colour, ...]] = {
    "wood": (
        (150, 110, 75),
        (95, 65, 45),
        (190, 160, 120),
        (215, 190, 155),
        (125, 80, 60),
        (140, 125, 108),
    ),
    "cloth": (
        (205, 205, 200),
        (60, 80, 68),
        (180, 165, 140),
        (110, 50, 50),
        (70, 80, 110),
        (228, 222, 210),
    ),
    "plain": (
        (228, 226, 220),
        (175, 172, 165),
        (70, 70, 75),
        (195, 180, 155),
        (130, 138, 142),
    ),
}
"""Colours that each kind of table has."""


def _random_table(rng: np.random.Generator) -> Table:
    texture = choose(("wood", "wood", "cloth", "plain"), rng)
    return Table(
        _jitter(choose(TABLES[texture], rng), rng, 5),
        texture,
        int(rng.integers(1 << 30)),
        _jitter(choose(FLOORS, rng), rng, 5),
    )


FLOORS: tuple[Colour, ...] = ((65, 62, 58), (120, 90, 62), (95, 98, 104), (165, 155, 142))
"""Dark lino, boards, carpet, tiles."""


def _random_sensor(optics: Optics, light: str, rng: np.random.Generator) -> Sensor:
    dim = light == "dim"
    red, blue = (float(v) for v in np.clip(1 + rng.normal(0, 0.035, 2), 0.85, 1.15))
    return Sensor(
        defocus_px=float(rng.uniform(*optics.blur_px)),
        motion_px=(float(rng.normal(0, 2)), float(rng.normal(0, 2)))
        if rng.random() < 0.08
        else (0.0, 0.0),
        stops=float(rng.uniform(-1.8, -0.8) if dim else rng.uniform(-0.5, 0.6)),
        white_balance=(red, 1.0, blue),
        electrons=float(rng.uniform(*optics.electrons) * (0.3 if dim else 1.0)),
        vignette=float(rng.uniform(0.02, 0.3)),
        contrast=float(rng.uniform(0.05, 0.6)),
        sharpening=float(rng.uniform(0, 0.6)),
        jpeg_quality=int(rng.integers(70, 96)),
    )

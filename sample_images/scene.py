"""What stands before the camera: board, discs, hands, things beside them, light and lens.

A scene is a plain description that any renderer can follow; it holds no pixels. Lengths are in
squares and points in the board plane of `calibration.model`: origin at the outer corner next to
squares 1 and 5, x along the row, y towards White, z up from the playing surface. That frame is
left-handed; a renderer with a right-handed one mirrors y or z. The table lies at
`-board.thickness`. Colours are (red, green, blue), 0-255 as on a screen (sRGB), as they look
under white light of strength 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.model import Lens, Pose, View
from referee.board import EMPTY, Side, cell_of, is_king, side_of
from sample_images.sensor import Sensor

Colour = tuple[int, int, int]
Tint = tuple[float, float, float]
"""Red, green, blue factors in linear light; 1 is white."""
Point = tuple[float, float, float]

SQUARE_MM = 50.0
"""An official square is 1 7/8 to 2 1/8 in (WCDF 1.2), 48 to 54 mm; scales hands and clutter."""


@dataclass(frozen=True)
class Board:
    """The board's material."""

    dark: Colour
    light: Colour
    texture: str = "print"
    """`print`, `wood`, `vinyl` or `cloth`: how each square varies."""
    seed: int = 0
    border: float = 0.4
    """Width of the flat margin round the playing area."""
    border_colour: Colour = (60, 40, 25)
    line: float = 0.0
    """Width of the line printed round the playing area, 0 for none."""
    line_colour: Colour = (220, 210, 180)
    frame: float = 0.0
    """Width of the raised frame outside the margin, 0 for none."""
    frame_height: float = 0.0
    frame_colour: Colour = (90, 60, 35)
    thickness: float = 0.2
    """From the table to the playing surface."""
    gloss: float = 0.1
    """0 is cloth, 1 a varnished mirror."""
    wear: float = 0.0
    """0 is new; 1 shows scratches and rubbed patches everywhere."""
    fold: float = 0.0
    """Width of the groove where the board folds, 0 for none."""
    fold_along_row: bool = True
    """The groove runs between rows 4 and 5; otherwise between columns 4 and 5."""
    numerals: float = 0.0
    """Height of the numbers printed on the dark squares, in squares, 0 for none."""
    numerals_aside: bool = False
    """They stand in the squares' corners, otherwise in the middle."""

    @property
    def margin(self) -> float:
        """From the playing area to the board's outer edge."""
        return self.border + self.frame


@dataclass(frozen=True)
class DiscLook:
    """What all discs of a set have in common."""

    red: Colour
    """Of the darker side, which moves first."""
    white: Colour
    wood: bool = False
    """Grain on the faces; otherwise plain plastic."""
    rim: float = 0.2
    """Width of the raised rim as a share of the radius, 0 for a flat face."""
    grooves: int = 2
    """Concentric grooves inside the rim."""
    emblem: bool = False
    """A crown embossed on the face. Says nothing about kings: those are two discs."""
    gloss: float = 0.3
    edge: float = 0.0
    """How much of the edges above and below is cut off, as a share of the thickness: round edges
    make discs look thinner than they are, and kings less so."""
    dish: float = 0.0
    """How much lower the face's middle is than its rim, as a share of the thickness; higher if
    negative. This and the next two are only traced, not drawn."""
    waist: float = 0.0
    """Depth of a groove round the wall, as a share of the thickness: such a man looks like two
    discs."""
    ribs: int = 0
    """On the wall, to grip the disc by."""

    def colour(self, side: Side) -> Colour:
        return self.red if side is Side.RED else self.white


@dataclass(frozen=True)
class Disc:
    """One disc, lying flat. A king is two of them, the upper not quite above the lower."""

    x: float
    y: float
    side: Side
    radius: float = 0.31
    thickness: float = 0.13
    z: float = 0.0
    """Of its lower face."""
    seed: int = 0
    """Of its grain, its shade and how its emblem is turned."""

    @property
    def top(self) -> float:
        return self.z + self.thickness


@dataclass(frozen=True)
class Limb:
    """A chain of balls joined by cones: a finger, a palm bone, a forearm, a sleeve."""

    points: tuple[Point, ...]
    radii: tuple[float, ...]
    sleeve: bool = False
    """Cloth; otherwise skin."""


@dataclass(frozen=True)
class Hand:
    """A player's arm from the elbow, outside the board, to the fingertips."""

    side: Side | None
    """Whose arm; None for a stranger's."""
    elbow: Point
    wrist: Point
    tip: Point
    """Where thumb and forefinger meet."""
    skin: Colour = (205, 150, 120)
    sleeve: Colour = (60, 70, 110)
    cuff: float = 0.6
    """Share of the forearm, from the elbow, that the sleeve covers."""
    size: float = 1.0
    """1 is a grown hand over squares of `SQUARE_MM`."""
    pinch: float = 1.0
    """1 with thumb and forefinger closed on a disc, 0 with fingers stretched."""
    left: bool = False
    held: tuple[Disc, ...] = ()
    """What it carries, lower disc first, where it is now."""

    def limbs(self) -> tuple[Limb, ...]:
        """The arm as balls and cones, as it is drawn and as it throws shadows."""
        return (*_forearm(self), *_palm(self), *_fingers(self), _thumb(self))


@dataclass(frozen=True)
class Thing:
    """Something on the table that is not part of the game."""

    kind: str
    """`clock`, `cup`, `sheet`, `phone`, `pen`, `box` or `body` (a seated player's front)."""
    x: float
    y: float
    length: float
    width: float
    height: float
    angle: float = 0.0
    """Of its length against the x axis, in radians."""
    colour: Colour = (120, 120, 120)
    seed: int = 0


@dataclass(frozen=True)
class Table:
    """What the board lies on."""

    colour: Colour = (150, 110, 75)
    texture: str = "wood"
    """`wood`, `cloth` or `plain`."""
    seed: int = 0
    floor: Colour = (65, 62, 58)
    """Of what is seen beyond the table's edge."""


TABLE_HALF = (14.0, 9.0)
"""Half the table's length and width, in squares: the players sit a forearm from the board."""


@dataclass(frozen=True)
class Lamp:
    """A round source of light, a window or the sun far away."""

    position: Point
    radius: float
    """Of the source; its share of the distance decides how soft shadows are."""
    strength: float
    """What it adds to the light in the middle of the board; all sources make about 1."""
    colour: Tint = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Shade:
    """Something opaque out of the picture that keeps the lamps from the board: a player."""

    corners: tuple[Point, ...]
    """Of a flat sheet."""
    softness: float = 0.5
    """Least width of the edge of its shadow on the board."""


@dataclass(frozen=True)
class Scene:
    """Everything in one picture."""

    board: Board
    look: DiscLook
    view: View
    discs: tuple[Disc, ...] = ()
    """On or over the board, in no order."""
    captured: tuple[Disc, ...] = ()
    """Beside the board, on the table."""
    hands: tuple[Hand, ...] = ()
    things: tuple[Thing, ...] = ()
    table: Table = field(default_factory=Table)
    lamps: tuple[Lamp, ...] = (Lamp((4.0, -6.0, 14.0), 2.0, 0.6),)
    shades: tuple[Shade, ...] = ()
    ambient: float = 0.4
    """Light from everywhere, without shadow."""
    ambient_colour: Tint = (1.0, 1.0, 1.0)
    sensor: Sensor = field(default_factory=Sensor)
    family: str = ""
    light: str = ""
    """Names of the set and the light, for grouping results."""
    seed: int = 0


# --- Arms ---------------------------------------------------------------------------------

PALM_LENGTH, PALM_HALF, FOREARM = 1.75, 0.62, 0.72
"""Of a grown hand in squares: wrist to knuckles, half the width at the knuckles, half an arm."""
KNUCKLES = (-1.0, -0.35, 0.3, 0.9)
"""Of forefinger to little finger across the palm, in half widths from the thumb's side."""
FINGER_RADII = (0.19, 0.18, 0.15)
REACH = (1.0, 1.08, 1.0, 0.82)
"""Length of the four fingers against the forefinger."""


def _axes(hand: Hand) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Wrist, the unit vector to the tip in the plane, and the one towards the thumb."""
    wrist, tip = np.array(hand.wrist), np.array(hand.tip)
    ahead = (tip - wrist) * [1, 1, 0]
    ahead /= max(float(np.linalg.norm(ahead)), 1e-9)
    # Seen from above with y down, the thumb of a right hand that points ahead is on its left.
    thumb = np.array([ahead[1], -ahead[0], 0.0]) * (-1 if hand.left else 1)
    return wrist, ahead, thumb


def point(vector: Iterable[float]) -> Point:
    """Three plain numbers of a vector."""
    x, y, z = (float(v) for v in vector)
    return x, y, z


UPPER_ARM = (4.5, 2.2)
"""From the elbow back to the shoulder and up to it, in squares."""


def shoulder_of(hand: Hand) -> NDArray[np.float64]:
    """Where the arm is joined to the body, (3,)."""
    elbow, wrist = np.array(hand.elbow), np.array(hand.wrist)
    back = (elbow - wrist) * [1, 1, 0]
    back /= max(float(np.linalg.norm(back)), 1e-9)
    rise = np.array([0, 0, UPPER_ARM[1] * hand.size])
    shoulder: NDArray[np.float64] = elbow + back * UPPER_ARM[0] * hand.size + rise
    return shoulder


def _forearm(hand: Hand) -> tuple[Limb, Limb, Limb]:
    """Down from the shoulder: sleeve, bare arm, sleeve over it."""
    elbow, wrist = np.array(hand.elbow), np.array(hand.wrist)
    cuff = elbow + (wrist - elbow) * hand.cuff
    thick = FOREARM + (0.45 - FOREARM) * hand.cuff
    bare = Limb((point(cuff), point(wrist)), (thick * hand.size, 0.45 * hand.size), sleeve=False)
    cloth = Limb(
        (point(elbow), point(cuff)), (1.25 * FOREARM * hand.size, 0.72 * hand.size), sleeve=True
    )
    upper = Limb(
        (point(shoulder_of(hand)), point(elbow)),
        (1.6 * FOREARM * hand.size, 1.25 * FOREARM * hand.size),
        sleeve=True,
    )
    return upper, bare, cloth


def _knuckle(hand: Hand, finger: int) -> NDArray[np.float64]:
    wrist, ahead, thumb = _axes(hand)
    span = np.linalg.norm((np.array(hand.tip) - wrist)[:2])
    length = min(PALM_LENGTH * hand.size, 0.54 * float(span))
    back = 0.12 * KNUCKLES[finger] ** 2 * hand.size
    across = -KNUCKLES[finger] * PALM_HALF * hand.size
    rise = max(hand.tip[2] + 0.62 * hand.size, 0.5) - wrist[2]
    knuckle: NDArray[np.float64] = wrist + ahead * (length - back) + thumb * across
    knuckle[2] += rise
    return knuckle


def _palm(hand: Hand) -> tuple[Limb, ...]:
    return tuple(
        Limb(
            (hand.wrist, point(_knuckle(hand, finger))),
            (0.43 * hand.size, 0.28 * hand.size),
        )
        for finger in range(4)
    )


def _fingers(hand: Hand) -> tuple[Limb, ...]:
    """Forefinger to the tip; the others beside it, curled as far as it pinches."""
    _, ahead, thumb = _axes(hand)
    tip = np.array(hand.tip)
    limbs = []
    for finger in range(4):
        knuckle = _knuckle(hand, finger)
        aside = thumb * (-(KNUCKLES[finger] + 1) * PALM_HALF * 0.8 * hand.size)
        curl = ahead * (-0.28 * finger * hand.pinch * hand.size)
        end = knuckle + (tip + aside + curl - knuckle) * REACH[finger]
        end[2] = max(tip[2] + 0.1 + 0.12 * finger, 0.15)
        bend = (knuckle + end) / 2 + ahead * 0.18 * hand.size + [0, 0, 0.26 * hand.size]
        radii = tuple(radius * hand.size for radius in FINGER_RADII)
        limbs.append(Limb((point(knuckle), point(bend), point(end)), radii))
    return tuple(limbs)


def _thumb(hand: Hand) -> Limb:
    wrist, ahead, thumb = _axes(hand)
    tip = np.array(hand.tip)
    size = hand.size
    span = float(np.linalg.norm((tip - wrist)[:2]))
    root = wrist + (ahead * 0.15 * span) + thumb * 0.35 * size
    open_end = tip - ahead * 0.75 * size + thumb * 0.75 * size
    end = open_end + (tip + thumb * 0.3 * size - ahead * 0.3 * size - open_end) * hand.pinch
    end[2] = max(tip[2] + 0.08, 0.15)
    bend = (root + end) / 2 + thumb * 0.3 * size + [0, 0, 0.15 * size]
    radii = (0.34 * size, 0.24 * size, 0.17 * size)
    return Limb((point(root), point(bend), point(end)), radii)


HAND_LENGTH, ARM_LENGTH, SHOULDER_BACK = 3.3, 5.2, 7.0
"""Wrist to tip, elbow to wrist, and how far behind the board's edge a player sits."""


def reaching(
    side: Side,
    target: Point,
    *,
    left: bool = False,
    size: float = 1.0,
    skin: Colour = (205, 150, 120),
    sleeve: Colour = (60, 70, 110),
    pinch: float = 1.0,
    held: tuple[Disc, ...] = (),
) -> Hand:
    """The hand of a player who sits at this side's edge with its fingertips at `target`."""
    towards = 1.0 if side is Side.WHITE else -1.0
    seat = np.array([4.0 + (-1.8 if left else 1.8) * towards, 4.0 + towards * (4 + SHOULDER_BACK)])
    tip = np.array(target[:2])
    back = (seat - tip) / np.linalg.norm(seat - tip)
    wrist = tip + back * HAND_LENGTH * size
    elbow = wrist + back * ARM_LENGTH * size
    return Hand(
        side,
        (float(elbow[0]), float(elbow[1]), target[2] + 1.3 * size),
        (float(wrist[0]), float(wrist[1]), target[2] + 0.85 * size),
        target,
        skin=skin,
        sleeve=sleeve,
        size=size,
        pinch=pinch,
        left=left,
        held=held,
    )


# --- Cameras ------------------------------------------------------------------------------


def looking(
    lens: Lens,
    tilt_degrees: float,
    azimuth_degrees: float,
    distance: float,
    roll_degrees: float = 0.0,
    aim: tuple[float, float] = (4.0, 4.0),
) -> View:
    """A camera that looks at `aim` from `distance` squares away.

    Azimuth 0 stands on White's side and sees square 1 at the top left; 180 on Red's side.
    """
    tilt, azimuth, roll = np.radians([tilt_degrees, azimuth_degrees, roll_degrees])
    # In the right-handed frame (x, y, -z): right, down and forward are the camera's axes.
    right = np.array([np.cos(azimuth), -np.sin(azimuth), 0.0])
    forward = np.array(
        [-np.sin(tilt) * np.sin(azimuth), -np.sin(tilt) * np.cos(azimuth), np.cos(tilt)]
    )
    down = np.cross(forward, right)
    cos, sin = np.cos(roll), np.sin(roll)
    rotation = np.array([cos * right + sin * down, cos * down - sin * right, forward])
    translation = np.array([0.0, 0.0, distance]) - rotation @ np.array([*aim, 0.0])
    vector, _ = cv2.Rodrigues(rotation)
    return View(lens, Pose(point(vector.ravel()), point(translation)))


def outline(margin: float, step: float = 1.0) -> NDArray[np.float64]:
    """Points (n, 2) on the four sides of a square round the playing area, in no order."""
    low, high = -margin, 8 + margin
    run = np.arange(low, high + step, step).clip(low, high)
    near, far = np.full_like(run, low), np.full_like(run, high)
    return np.column_stack(
        [np.concatenate([run, far, run, near]), np.concatenate([near, run, far, run])]
    )


GAP_PX = 4
"""At least so much lies between a board that is wholly in a picture and the edges of that."""


def fits(view: View, margin: float) -> bool:
    """Whether the board with this margin is wholly in the picture."""
    pixels = view.project(outline(margin))
    size = np.array([view.lens.width, view.lens.height])
    return bool((pixels > GAP_PX).all() and (pixels < size - GAP_PX).all())


def framed(
    lens: Lens,
    tilt_degrees: float,
    azimuth_degrees: float,
    roll_degrees: float = 0.0,
    aim: tuple[float, float] = (4.0, 4.0),
    margin: float = 0.5,
    slack: float = 1.05,
) -> View:
    """The nearest such camera that has the whole board in its picture, times `slack`."""
    for distance in np.geomspace(6, 80, 120):
        view = looking(lens, tilt_degrees, azimuth_degrees, float(distance), roll_degrees, aim)
        if fits(view, margin):
            return looking(
                lens, tilt_degrees, azimuth_degrees, float(distance) * slack, roll_degrees, aim
            )
    raise ValueError(f"no camera up to 80 squares away holds the board at tilt {tilt_degrees}")


def camera_axes(view: View) -> NDArray[np.float64]:
    """Rows: the camera's right, down and forward as (x, y, z) of the board."""
    axes: NDArray[np.float64] = view.pose.rotation_matrix * [1.0, 1.0, -1.0]
    return axes


def eye_of(view: View) -> NDArray[np.float64]:
    """Where the camera is, (x, y, z) in the board plane's units."""
    pose = view.pose
    eye: NDArray[np.float64] = -pose.rotation_matrix.T @ np.array(pose.translation) * [1, 1, -1]
    return eye


# --- Putting discs down --------------------------------------------------------------------

PLACEMENT_SIGMA = 0.06
"""How sloppily discs are put down, in squares."""
CROWN_SIGMA = 0.035
"""How far the upper disc of a king lies off the lower one, in squares."""
CROWN_SLIPS = 0.18
"""And how far at most, along rows and along columns: from further off it would slip."""


def piece(
    x: float,
    y: float,
    appearance: str,
    measures: tuple[float, float],
    rng: np.random.Generator,
    askew: float = CROWN_SIGMA,
) -> tuple[Disc, ...]:
    """One disc for a man, two for a king, centred here; `measures` are radius and thickness, in
    squares, and `askew` is how far a crown lies off, as a standard deviation."""
    side = side_of(appearance)
    if side is None:
        raise ValueError(f"no piece looks like {appearance!r}")
    radius, thickness = measures
    seed = int(rng.integers(1 << 30))
    lower = Disc(x, y, side, radius, thickness, 0.0, seed)
    if not is_king(appearance):
        return (lower,)
    dx, dy = np.clip(rng.normal(0, askew, 2), -CROWN_SLIPS, CROWN_SLIPS)
    return lower, Disc(x + dx, y + dy, side, radius, thickness, thickness, seed + 1)


def sloppy(rng: np.random.Generator, sigma: float = PLACEMENT_SIGMA) -> tuple[float, float]:
    """An offset from a square's centre; the tails are cut where a centre would leave it."""
    dx, dy = np.clip(rng.normal(0, sigma, 2), -0.32, 0.32)
    return float(dx), float(dy)


def scaled(view: View, scale: float) -> View:
    """The same view in another number of pixels."""
    lens = view.lens
    size = round(lens.width * scale), round(lens.height * scale)
    smaller = replace(
        lens,
        width=size[0],
        height=size[1],
        focal_px=lens.focal_px * scale,
        offset_x=lens.offset_x * scale,
        offset_y=lens.offset_y * scale,
    )
    return replace(view, lens=smaller)


def in_light_of(scene: Scene, other: Scene) -> Scene:
    """The scene under the lamps of another."""
    return replace(
        scene,
        lamps=other.lamps,
        shades=other.shades,
        ambient=other.ambient,
        ambient_colour=other.ambient_colour,
    )


def laid_out(
    setup: str,
    measures: tuple[float, float],
    rng: np.random.Generator,
    sigma: float = PLACEMENT_SIGMA,
    askew: float = CROWN_SIGMA,
) -> tuple[Disc, ...]:
    """The discs of a setup of 32 appearances, each put down sloppily, and crowns on them."""
    discs: list[Disc] = []
    for square, appearance in enumerate(setup, start=1):
        if appearance == EMPTY:
            continue
        row, column = cell_of(square)
        dx, dy = sloppy(rng, sigma)
        discs += piece(column + 0.5 + dx, row + 0.5 + dy, appearance, measures, rng, askew)
    return tuple(discs)


# --- Things beside the board ----------------------------------------------------------------

THINGS = {
    "clock": (4.0, 1.8, 1.6),
    "cup": (1.7, 1.7, 1.9),
    "sheet": (5.9, 4.2, 0.01),
    "phone": (3.0, 1.5, 0.16),
    "pen": (2.8, 0.18, 0.18),
    "box": (4.0, 2.5, 1.0),
}
"""Length, width and height in squares of `SQUARE_MM`."""


CHEST = ((0.97, 0.0), (0.98, 1.0), (0.96, 2.0), (0.92, 3.5), (0.85, 5.0), (0.7, 6.0), (0.5, 6.5))
"""A seated player from the table's level to the shoulders: half the width as a share of half its
`length`, and height in sixths of its `height`."""


def thing(kind: str, x: float, y: float, angle: float, colour: Colour, seed: int = 0) -> Thing:
    """One of `THINGS` at its usual size."""
    length, width, height = THINGS[kind]
    return Thing(kind, x, y, length, width, height, angle, colour, seed)

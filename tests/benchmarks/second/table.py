"""The table, the board and the discs under a lamp."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.board import Side
from tests.benchmarks.second.camera import Camera, Image, Points, filled

Colour = tuple[float, float, float]
"""Blue, green, red."""
Plane = NDArray[np.float32]

ANGLES = np.linspace(0, 2 * np.pi, 48, endpoint=False)
UP = np.array([0, 0, 1.0])
SQUARE_PX, CLOTH_PX = 64, 44
"""Of a square in the drawings of board and table, before they are seen in perspective."""
CLOTH = 36
"""Squares along the edge of the table, in whose middle the board lies."""


class Set(NamedTuple):
    """Colours of squares, border and discs."""

    dark: Colour
    light: Colour
    border: Colour
    red: Colour
    white: Colour


SETS = (
    Set((62, 102, 48), (168, 212, 226), (40, 60, 90), (38, 34, 158), (205, 222, 230)),
    Set((70, 112, 60), (170, 208, 222), (45, 52, 60), (38, 36, 36), (42, 40, 182)),
    Set((48, 82, 128), (142, 188, 216), (30, 48, 78), (28, 40, 66), (160, 200, 224)),
    Set((58, 56, 54), (215, 218, 220), (60, 60, 62), (30, 29, 29), (226, 228, 230)),
    Set((40, 40, 42), (48, 44, 170), (30, 30, 30), (44, 40, 190), (214, 220, 224)),
)
"""Red and white on green, black and red on green, wood, black and white, red and white on red."""
CLOTHS = ((96, 70, 60), (150, 165, 160), (70, 110, 150), (52, 56, 64), (190, 196, 200))
RINGS = ((), ((0.86, 1.12),), ((0.82, 0.82), (0.6, 1.1), (0.3, 0.85)))
"""On the face of a disc: their radius as a share of its own, and how bright they are."""


class Disc(NamedTuple):
    """One disc at one moment."""

    side: Side
    place: tuple[float, float, float]
    """Of the middle of its lower face."""
    tint: float
    """No two of a set are quite alike."""


@dataclass(frozen=True, eq=False)
class Scenery:
    """All that stays the same in a film."""

    colours: Set
    cloth: Colour
    clutter: int
    """Things on the table; some lie below the board."""
    border: float
    height: float
    """Of the board above the table."""
    radius: float
    thickness: float
    """Of a disc."""
    rings: tuple[tuple[float, float], ...]
    lamp: Points
    shade: float
    """How much light a shadow takes."""
    soft_px: float
    glare: float
    grain: float

    def brightness(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """How much of the lamp's light comes to a place."""
        away = (np.asarray(x) - self.lamp[0]) ** 2 + (np.asarray(y) - self.lamp[1]) ** 2
        return np.asarray(0.62 + 0.45 * (self.lamp[2] ** 2 / (self.lamp[2] ** 2 + away)) ** 1.5)

    def thrown(self, place: ArrayLike, radius: float) -> Points:
        """The shadow of a level circle on the board."""
        x, y, z = np.asarray(place, float)
        far = self.lamp[2] / (self.lamp[2] - min(max(z, 0.0), 0.75 * self.lamp[2]))
        middle = self.lamp[:2] + (np.array([x, y]) - self.lamp[:2]) * far
        return ring((middle[0], middle[1], 0), radius * far)


def furnished(rng: np.random.Generator) -> Scenery:
    """Any set on any table under any lamp."""
    return Scenery(
        SETS[rng.integers(len(SETS))],
        CLOTHS[rng.integers(len(CLOTHS))],
        clutter=int(rng.integers(0, 8)),
        border=rng.uniform(0.3, 0.8),
        height=rng.uniform(0.1, 0.4),
        radius=rng.uniform(0.325, 0.42),
        thickness=rng.uniform(0.13, 0.2),
        rings=RINGS[rng.integers(len(RINGS))],
        lamp=np.array([rng.uniform(0, 8), rng.uniform(0, 8), rng.uniform(11, 16)]),
        shade=rng.uniform(0.3, 0.55),
        soft_px=rng.uniform(1, 2.5),
        glare=float(rng.choice([0, 25, 60])),
        grain=float(rng.choice([0, 3, 5])),
    )


def ring(middle: ArrayLike, radius: float) -> Points:
    """A level circle."""
    flat = np.stack([np.cos(ANGLES), np.sin(ANGLES), np.zeros(len(ANGLES))], -1)
    return np.asarray(np.asarray(middle, float) + radius * flat)


def darkened(image: Image, share: NDArray[np.floating]) -> Image:
    """The picture with so much of its light."""
    return (image * share[..., None]).astype(np.uint8)


class Table:
    """Draws boards with discs on them, as one camera sees them."""

    def __init__(self, camera: Camera, scenery: Scenery, rng: np.random.Generator) -> None:
        self.camera, self.scenery, self._rng = camera, scenery, rng
        self._bare, self._glare = self._lit(self._with_board(self._cloth()))
        self._last: tuple[tuple[Disc, ...], Image] = (), self._bare

    def with_discs(self, discs: tuple[Disc, ...]) -> Image:
        """The board with these lying on it; not to be painted on."""
        if discs != self._last[0]:
            image = darkened(self._bare, self.shadow(discs, self.scenery.soft_px))
            for disc in self.by_distance(discs):
                self.draw(image, disc)
            shine = np.clip(image + 0.5 * self._glare[..., None], 0, 255)
            self._last = discs, shine.astype(np.uint8)
        return self._last[1]

    def by_distance(self, discs: Iterable[Disc]) -> list[Disc]:
        """The furthest first; of those that lie on each other the lower."""
        return sorted(discs, key=lambda disc: self.nearness(disc))

    def nearness(self, disc: Disc) -> float:
        return 1.2 * disc.place[2] - float(np.hypot(*(self.camera.eye - disc.place)[:2]))

    def shadow(self, discs: Iterable[Disc], soft_px: float) -> Plane:
        """The share of the light that discs leave, for each pixel."""
        mask, scenery = self._mask(), self.scenery
        for disc in discs:
            places = disc.place, disc.place + scenery.thickness * UP
            edges = [scenery.thrown(place, scenery.radius) for place in places]
            filled(mask, self.camera.outline(np.concatenate(edges)), 255)
        soft = cv2.GaussianBlur(mask, (0, 0), soft_px)
        return np.asarray(1 - 0.9 * scenery.shade * soft / np.float32(255), np.float32)

    def draw(self, image: Image, disc: Disc) -> None:
        """One disc: its wall, piece by piece as the lamp falls on it, and its face."""
        scenery, camera = self.scenery, self.camera
        upper = disc.place + scenery.thickness * UP
        top = camera.pixels(ring(upper, scenery.radius))
        foot = camera.pixels(ring(disc.place, scenery.radius))
        light, sight = scenery.lamp - disc.place, camera.eye - disc.place
        bright = disc.tint * float(scenery.brightness(*disc.place[:2]))
        tone = bright * np.array(getattr(scenery.colours, disc.side.value))
        for here, angle in enumerate(ANGLES + ANGLES[1] / 2):
            facing, there = np.array([np.cos(angle), np.sin(angle)]), (here + 1) % len(ANGLES)
            if facing @ sight[:2] > 0:
                lit = 0.42 + 0.45 * max(
                    0.0, float(facing @ light[:2]) / float(np.linalg.norm(light))
                )
                corners = np.array([top[here], top[there], foot[there], foot[here]])
                filled(image, corners, lit * tone, smooth=False)
        filled(image, top, 0.97 * tone)
        for share, change in ((0.99, 1.06), *scenery.rings):
            circle = np.round(16 * camera.pixels(ring(upper, share * scenery.radius)))
            edge = np.minimum(change * tone + 4 * (change > 1), 255).tolist()
            cv2.polylines(image, [circle.astype(np.int32)], True, edge, 1, cv2.LINE_AA, 4)

    # --- Without discs -------------------------------------------------------------------

    def _mask(self) -> Image:
        return np.zeros((self.camera.height, self.camera.width), np.uint8)

    def _clouds(self, size: int, down: float, across: float) -> Plane:
        """Smooth chance over a square of so many pixels, in patches of this size."""
        rough = self._rng.standard_normal((int(size / down) + 2, int(size / across) + 2))
        cloud = cv2.resize(rough.astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
        return np.asarray(cloud[..., None], np.float32)

    def _cloth(self) -> Image:
        """The table and flat things that lie on it."""
        scenery, camera, size = self.scenery, self.camera, CLOTH_PX * CLOTH
        cloth = scenery.cloth + 6 * (self._clouds(size, 2, 2) + self._clouds(size, 60, 300))
        for _ in range(scenery.clutter):
            middle = self._rng.uniform(0, size, 2).tolist()
            length = self._rng.uniform(0.5, 3, 2) * CLOTH_PX
            box = cv2.boxPoints((middle, length.tolist(), self._rng.uniform(0, 90)))
            filled(cloth, box.astype(float), self._rng.integers(30, 220, 3))
        edge = (CLOTH - 8) / 2
        flat = np.array([[1 / CLOTH_PX, 0, -edge], [0, 1 / CLOTH_PX, -edge], [0, 0, 1]])
        seen = camera.of_plane(-scenery.height) @ flat
        wall = [0.6 * part for part in scenery.cloth]
        shape = (camera.width, camera.height)
        image = cv2.warpPerspective(np.clip(cloth, 0, 255), seen, shape, borderValue=wall)
        return np.asarray(image, np.uint8)

    def _with_board(self, image: Image) -> Image:
        """The board and its shadow on the table."""
        scenery, camera = self.scenery, self.camera
        low, high = -scenery.border, 8 + scenery.border
        top = np.array([[low, low, 0], [high, low, 0], [high, high, 0], [low, high, 0]])
        foot, mask = top - scenery.height * UP, self._mask()
        cast = scenery.lamp + (top - scenery.lamp) * (1 + scenery.height / scenery.lamp[2])
        filled(mask, camera.outline(np.concatenate([cast, foot])), 255)
        image = darkened(image, 1 - cv2.GaussianBlur(mask, (0, 0), 4) * np.float32(0.45 / 255))
        sides = camera.outline(np.concatenate([top, foot]))
        filled(image, sides, np.multiply(scenery.colours.border, 0.55))
        face, shape = self._face(), (camera.width, camera.height)
        ends = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * len(face)
        seen = cv2.getPerspectiveTransform(ends, camera.pixels(top).astype(np.float32))
        cv2.warpPerspective(face, seen, shape, image, borderMode=cv2.BORDER_TRANSPARENT)
        return image

    def _face(self) -> Image:
        """The board from above."""
        scenery, edge = self.scenery, int(self.scenery.border * SQUARE_PX)
        size = 8 * SQUARE_PX + 2 * edge
        face = np.full((size, size, 3), scenery.colours.border, np.float32)
        for row, column in np.ndindex(8, 8):
            colour = scenery.colours.dark if (row + column) % 2 else scenery.colours.light
            tile = colour + scenery.grain * self._clouds(SQUARE_PX, 4, 75)
            top, left = edge + row * SQUARE_PX, edge + column * SQUARE_PX
            face[top : top + SQUARE_PX, left : left + SQUARE_PX] = tile
        return np.clip(face, 0, 255).astype(np.uint8)

    def _lit(self, image: Image) -> tuple[Image, Plane]:
        """The table in the lamp's light, and the light of the lamp that all on it mirrors."""
        camera, scenery = self.camera, self.scenery
        down, across = np.mgrid[0 : camera.height, 0 : camera.width].astype(np.float32)
        back = np.linalg.inv(camera.of_plane())
        x, y, depth = np.tensordot(back, np.stack([across, down, np.ones_like(down)]), 1)
        x, y = x / depth, y / depth
        eye, lamp = camera.eye, scenery.lamp
        spot = eye[:2] + (lamp[:2] - eye[:2]) * eye[2] / (eye[2] + lamp[2])
        away = (x - spot[0]) ** 2 + (y - spot[1]) ** 2
        lit = np.clip(image * scenery.brightness(x, y)[..., None], 0, 255).astype(np.uint8)
        return lit, (scenery.glare * np.exp(-away / 2)).astype(np.float32)

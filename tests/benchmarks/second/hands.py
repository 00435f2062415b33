"""Hands: fingers, forearm and sleeve of tapered limbs, and the shadows of them all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import cv2
import numpy as np

from referee.board import Side
from tests.benchmarks.second.camera import Image, Points, filled
from tests.benchmarks.second.table import UP, Colour, Plane, Table, ring

SKINS = ((140, 172, 222), (120, 150, 205), (90, 118, 170), (50, 72, 112))
SLEEVES = ((60, 60, 150), (120, 60, 40), (50, 50, 55), (200, 200, 205), (90, 120, 70))
SHADES = ((1.0, 0.6), (0.9, 0.72), (0.76, 0.85), (0.6, 0.96), (0.42, 1.04), (0.22, 1.08))
"""From the edge of a limb to its brightest line: how wide, and how bright."""
CLOSE = 1.3
"""Squares before the camera; what is closer is not seen."""
COARSE = 4
"""Shadows of hands are drawn so many times smaller."""


class Person(NamedTuple):
    """Whose hand it is; each plays with one."""

    side: Side
    skin: Colour
    sleeve: Colour
    bare: float
    """The share of the forearm without a sleeve."""
    size: float
    shoulder: float
    """Squares beside the middle of the own edge."""
    left_handed: bool

    @property
    def out(self) -> int:
        """The way from the board to this person, along y."""
        return -self.side.forward


class Limb(NamedTuple):
    """Two balls and all between them."""

    start: Points
    end: Points
    thin: float
    thick: float
    colour: Colour
    blur_px: float = 5.0
    """Of its shadow, by how high it usually is."""


def invented(side: Side, rng: np.random.Generator) -> Person:
    skin, sleeve = SKINS[rng.integers(len(SKINS))], SLEEVES[rng.integers(len(SLEEVES))]
    size, shoulder = rng.uniform(0.85, 1.1), rng.uniform(-1.5, 1.5)
    bare = float(rng.choice([0.02, 0.1, 0.95]))
    return Person(side, skin, sleeve, bare, size, shoulder, bool(rng.random() < 0.15))


def hand(person: Person, tip: Points, flat: float, grip: float) -> list[Limb]:
    """The limbs of a hand, those behind first: `tip` is between finger and thumb, which are
    `grip` from it; 0 is a hand that grips, 1 one that lies `flat`."""
    size, skin = person.size, person.skin
    shoulder = np.array([4 + person.shoulder, 4 + person.out * 12.5, 6.5])
    back = (shoulder - tip) * (1, 1, 0)
    back = back / np.linalg.norm(back)
    thumb_side = np.array([-back[1], back[0], 0]) * (-1 if person.left_handed else 1)
    high = ((1 - flat) * 0.95 + flat * 0.28) * size
    wrist = tip + 2.55 * size * back + ((1 - flat) * 1.3 + flat * 0.4) * size * UP
    elbow = wrist + 4.6 * size * back + ((1 - flat) * 1.2 + flat * 0.5) * UP
    cuff, wide = wrist + (elbow - wrist) * person.bare, 0.35 * person.bare
    limbs = [
        Limb(elbow, shoulder, 0.95 * size, 1.2 * size, person.sleeve, 22),
        Limb(cuff, elbow, (0.56 + wide) * size, 0.95 * size, person.sleeve, 11),
        Limb(wrist, cuff, 0.46 * size, (0.46 + wide) * size, skin, 11),
    ]
    knuckles = [
        tip + 1.2 * size * back + across * size * thumb_side + high * UP
        for across in (0.42, 0.12, -0.2, -0.5)
    ]
    root = tip + 1.55 * size * back + 0.62 * size * thumb_side + 0.75 * high * UP
    limbs += [Limb(knuckle, wrist, 0.33 * size, 0.44 * size, skin) for knuckle in knuckles]
    limbs.append(Limb(root, wrist, 0.3 * size, 0.42 * size, skin))
    ends = (
        tip - 0.75 * grip * thumb_side - 0.45 * grip * back,
        tip - 0.2 * grip * thumb_side - 0.95 * grip * back,
        tip + size * (0.35 * back + 0.25 * UP - 0.55 * thumb_side) - 0.2 * grip * thumb_side,
        tip + size * (0.65 * back + 0.4 * UP - 0.78 * thumb_side),
    )
    for end, knuckle in reversed([*zip(ends, knuckles, strict=True)]):
        joint = (end + knuckle) / 2 + (0.42 * (1 - flat) + 0.05) * size * UP - 0.12 * size * back
        limbs.append(Limb(joint, knuckle, 0.2 * size, 0.27 * size, skin))
        limbs.append(Limb(end, joint, 0.16 * size, 0.2 * size, skin))
    thumb = tip + 0.95 * grip * thumb_side + 0.3 * grip * back
    bend = (thumb + root) / 2 + 0.22 * size * thumb_side + 0.12 * size * UP
    limbs.append(Limb(bend, root, 0.22 * size, 0.29 * size, skin))
    limbs.append(Limb(thumb, bend, 0.18 * size, 0.22 * size, skin))
    return limbs


def shadow(table: Table, limbs: list[Limb]) -> Plane:
    """The share of the light that hands leave, for each pixel."""
    camera, scenery = table.camera, table.scenery
    width, height = camera.width, camera.height
    left = np.ones((height // COARSE, width // COARSE), np.float32)
    for blur_px in {limb.blur_px for limb in limbs}:
        mask = np.zeros(left.shape, np.uint8)
        for limb in limbs:
            if limb.blur_px == blur_px:
                ends = ((limb.start, limb.thin), (limb.end, limb.thick))
                edge = np.concatenate([scenery.thrown(*end) for end in ends])
                edge = edge[camera.ahead(edge)[:, 2] > CLOSE / 2]
                if len(edge):
                    filled(mask, camera.outline(edge) / COARSE, 255)
        soft = cv2.GaussianBlur(mask, (0, 0), blur_px * height / 720 / COARSE)
        left = np.minimum(left, 1 - scenery.shade * soft / np.float32(255))
    return np.asarray(cv2.resize(left, (width, height)), np.float32)


def paint(image: Image, table: Table, limbs: list[Limb]) -> None:
    """One hand before everything else."""
    layer, mask = np.zeros_like(image), np.zeros(image.shape[:2], np.uint8)
    for limb in limbs:
        for number, (outline, tone) in enumerate(_shaded(table, limb)):
            filled(layer, outline, tone)
            if number == 0:
                filled(mask, outline, 255)
    left, top, width, height = cv2.boundingRect(mask)
    part = np.s_[top : top + height, left : left + width]
    if width:
        share = mask[part].astype(np.float32)[..., None] / 255
        # Smooth within the hand only: its edge stays sharp.
        blurred = cv2.GaussianBlur(np.dstack([layer[part] * share, share]), (0, 0), 2.2)
        skin = np.minimum(blurred[..., :3] / (blurred[..., 3:] + 1e-3), 255)
        image[part] = (image[part] * (1 - share) + skin * share).astype(np.uint8)


def _shaded(table: Table, limb: Limb) -> Iterator[tuple[Points, Points]]:
    """Outlines within each other, brighter and brighter towards the lamp."""
    camera, scenery = table.camera, table.scenery
    share = np.linspace(0, 1, 33)[:, None]
    spine = limb.start + (limb.end - limb.start) * share
    depth = camera.ahead(spine)[:, 2:]
    radius = (limb.thin + (limb.thick - limb.thin) * share) * camera.focal_px / depth
    seen = np.flatnonzero(depth > CLOSE)
    if not len(seen):
        return
    ends, middle = seen[[0, -1]], spine[seen].mean(0)
    light = scenery.lamp - middle
    start, end, near, nearer = camera.pixels(
        [*spine[ends], middle, middle + 0.2 * light / np.linalg.norm(light)]
    )
    along = (end - start) / max(1e-6, float(np.linalg.norm(end - start)))
    aside = np.array([-along[1], along[0]])
    aside *= aside @ (nearer - near) / max(1e-6, float(np.linalg.norm(nearer - near)))
    tone = np.array(limb.colour) * scenery.brightness(*middle[:2])
    circle = ring((0, 0, 0), 1)[:, :2]
    for wide, bright in SHADES:
        disc = wide * circle + 0.8 * (1 - wide) * aside
        rounds = start + radius[ends[0]] * disc, end + radius[ends[1]] * disc
        hull = cv2.convexHull(np.concatenate(rounds).astype(np.float32))
        yield np.asarray(hull[:, 0], float), bright * tone

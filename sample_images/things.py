"""Draws what lies beside the board: boxes and cups with flat sides, and what is printed on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_images.lighting import polygon_light
from sample_images.materials import linear
from sample_images.rays import Floats
from sample_images.scene import CHEST, Colour, Lamp, Scene, Thing, eye_of

Corners = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Face:
    """A flat piece of surface."""

    corners: Corners
    """(n, 3) in the board plane's units."""
    normal: tuple[float, float, float]
    colour: Colour


def draw_things(layers: list[Floats], scene: Scene) -> None:
    """Lays all things over layers of light, the ambient one first, then one for each lamp."""
    eye = eye_of(scene.view)
    faces = [face for thing in scene.things for face in _faces(scene, thing)]
    seen = [face for face in faces if (eye - face.corners[0]) @ np.array(face.normal) > 0]
    # A stable sort keeps what is printed on a face after the face itself.
    seen.sort(key=lambda face: -round(float(np.linalg.norm(face.corners.mean(axis=0) - eye)), 0))
    fineness = layers[0].shape[0] / scene.view.lens.height
    for face in seen:
        _draw_face(layers, scene, face, fineness)


def _draw_face(layers: list[Floats], scene: Scene, face: Face, fineness: float) -> None:
    pixels = (scene.view.project(face.corners) + 0.5) * fineness - 0.5
    outline = np.round(pixels).astype(np.int32)
    height, width = layers[0].shape[:2]
    left, upper = np.clip(outline.min(axis=0), 0, (width, height))
    right, lower = np.clip(outline.max(axis=0) + 1, 0, (width, height))
    mask = np.zeros((lower - upper, right - left), np.uint8)
    if not mask.size:
        return
    cv2.fillPoly(mask, [outline - [left, upper]], 255)
    inside = mask > 0
    part = slice(upper, lower), slice(left, right)
    colour = linear(face.colour)
    share = 0.6 + 0.4 * face.normal[2]
    ambient = scene.ambient * share * np.array(scene.ambient_colour, np.float32)
    layers[0][part][inside] = colour * ambient
    for lamp, layer in zip(scene.lamps, layers[1:], strict=True):
        towards = np.array(lamp.position) - face.corners.mean(axis=0)
        facing = max(float(towards @ np.array(face.normal)), 0.0) / max(towards[2], 1.0)
        layer[part][inside] = colour * np.array(lamp.colour, np.float32) * lamp.strength * facing


def _faces(scene: Scene, thing: Thing) -> list[Face]:
    z = -scene.board.thickness
    if thing.kind == "cup":
        return _cup(thing, z)
    if thing.kind == "body":
        return _body(thing, z)
    top = _quad(thing, (-1, -1), (1, 1), z + thing.height)
    body = [*_walls(thing, z), Face(top, (0.0, 0.0, 1.0), thing.colour)]
    printed = {"clock": _dials, "sheet": _lines, "phone": _screen}.get(thing.kind)
    return body + (printed(thing, z + thing.height + 1e-3) if printed else [])


def _place(thing: Thing, places: Iterable[tuple[float, float]], z: float) -> Corners:
    """Board points of places given in half lengths and half widths of the thing."""
    local = np.array(list(places)) * [thing.length / 2, thing.width / 2]
    cos, sin = np.cos(thing.angle), np.sin(thing.angle)
    turned = local @ np.array([[cos, sin], [-sin, cos]]) + [thing.x, thing.y]
    return np.column_stack([turned, np.full(len(turned), z)])


def _quad(thing: Thing, low: tuple[float, float], high: tuple[float, float], z: float) -> Corners:
    return _place(thing, (low, (high[0], low[1]), high, (low[0], high[1])), z)


def _ring(thing: Thing) -> list[tuple[float, float]]:
    """The outline in half lengths and half widths, turning one way."""
    if thing.kind not in ("cup", "body"):
        return [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    sides = 28 if thing.kind == "cup" else BODY_SIDES
    turns = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    return [(float(np.cos(t)), float(np.sin(t))) for t in turns]


def _cup(thing: Thing, z: float) -> list[Face]:
    ring = _ring(thing)
    rim, drink = _place(thing, ring, z + thing.height), [(0.86 * a, 0.86 * b) for a, b in ring]
    upright = (0.0, 0.0, 1.0)
    return [
        *_walls(thing, z),
        Face(rim, upright, thing.colour),
        Face(_place(thing, drink, z + thing.height + 1e-3), upright, (60, 38, 25)),
    ]


BODY_SIDES, BODY_LEVELS = 60, 14
"""Flat pieces of a chest round and up: too many to be told apart."""


def _body(thing: Thing, z: float) -> list[Face]:
    """A seated player's chest and shoulders, ring above ring."""
    ring = _ring(thing)
    wide, up = np.array(CHEST).T
    heights = np.linspace(up[0], up[-1], BODY_LEVELS)
    levels = [
        _place(thing, [(share * a, share * b) for a, b in ring], z + height * thing.height / 6)
        for share, height in zip(np.interp(heights, up, wide), heights, strict=True)
    ]
    walls = [
        _slanting(low[[i, i - 1]], high[[i - 1, i]], thing)
        for low, high in pairwise(levels)
        for i in range(len(ring))
    ]
    return [*walls, Face(levels[-1], (0.0, 0.0, 1.0), thing.colour)]


def _slanting(low: Corners, high: Corners, thing: Thing) -> Face:
    """A piece of a round thing's outside between two edges that run opposite ways."""
    corners = np.concatenate([low, high])
    across = np.cross(corners[1] - corners[0], corners[2] - corners[1])
    across *= np.sign(across @ (corners.mean(axis=0) - [thing.x, thing.y, corners[0, 2]])) or 1.0
    x, y, up = (float(v) for v in across / np.linalg.norm(across))
    return Face(corners, (x, y, up), thing.colour)


def _dials(thing: Thing, z: float) -> list[Face]:
    """A chess clock seen from above: two buttons and its two bright displays."""
    upright = (0.0, 0.0, 1.0)
    return [
        Face(_quad(thing, (a, -0.7), (a + 0.7, 0.2), z), upright, (190, 200, 180))
        for a in (-0.85, 0.15)
    ] + [
        Face(_quad(thing, (a, 0.5), (a + 0.5, 0.85), z), upright, (30, 30, 32))
        for a in (-0.75, 0.25)
    ]


def _lines(thing: Thing, z: float) -> list[Face]:
    """The lines of a score sheet, some written on."""
    rng = np.random.default_rng(thing.seed)
    faces = []
    for row in np.linspace(-0.8, 0.9, 14):
        faces.append(
            Face(_quad(thing, (-0.85, row), (0.85, row + 0.012), z), (0, 0, 1), (120, 125, 140))
        )
        if rng.random() < 0.6:
            end = float(rng.uniform(-0.5, 0.2))
            faces.append(
                Face(
                    _quad(thing, (-0.8, row - 0.06), (end, row - 0.025), z), (0, 0, 1), (50, 55, 95)
                )
            )
    return faces


def _screen(thing: Thing, z: float) -> list[Face]:
    return [Face(_quad(thing, (-0.94, -0.9), (0.94, 0.9), z), (0.0, 0.0, 1.0), (14, 15, 20))]


def _walls(thing: Thing, z: float) -> list[Face]:
    """The upright sides."""
    low = _place(thing, _ring(thing), z)
    high = low + np.array([0, 0, thing.height])
    middle = low.mean(axis=0)
    faces = []
    for i in range(len(low)):
        j = (i + 1) % len(low)
        out = (low[i] + low[j]) / 2 - middle
        edge = low[j] - low[i]
        across = np.array([edge[1], -edge[0], 0.0]) / np.linalg.norm(edge)
        across *= np.sign(across @ out) or 1.0
        normal = (float(across[0]), float(across[1]), 0.0)
        faces.append(Face(np.array([low[i], low[j], high[j], high[i]]), normal, thing.colour))
    return faces


def thing_shadow(scene: Scene, lamp: Lamp, thing: Thing, points: Floats) -> Floats:
    """Light left, 0 to 1, behind a thing on the table."""
    if thing.height < 0.05:
        return np.ones(points.shape[:2], np.float32)
    foot = _place(thing, _ring(thing), 0.0)[:, :2]
    lamp_xy, lamp_z = np.array(lamp.position[:2]), lamp.position[2]
    grow = lamp_z / (lamp_z - min(thing.height, 0.8 * lamp_z))
    head = lamp_xy + (foot - lamp_xy) * grow
    hull = cv2.convexHull(np.concatenate([foot, head]).astype(np.float32))[:, 0]
    return polygon_light(points, hull.astype(np.float64), max(0.05, 0.5 * lamp.radius * (grow - 1)))

"""Solids as vertices and faces, before any renderer: turned pieces, boxes, tubes, rods.

Right-handed frame with z up; lengths in squares.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sample_images.scene import DiscLook

Vector = NDArray[Any]
"""(3,) of float."""

DISC_SEGMENTS = 72
"""Round enough that no corner of the outline is a quarter of a pixel off at 80 px a square."""
ROD_SEGMENTS = 16
LOOSE_EDGE = 0.16
"""Width of a disc's bevel as a share of its thickness, where its set has no other."""
RIB = 0.035
"""Depth of a rib, as a share of the radius."""
WALL = 0.96
"""Share of the radius beyond which a disc is wall, and may have ribs."""


@dataclass(frozen=True)
class Solid:
    """A surface of polygons."""

    vertices: tuple[tuple[float, float, float], ...]
    faces: tuple[tuple[int, ...], ...]


def joined(solids: Sequence[Solid]) -> Solid:
    """All of them in one."""
    vertices: list[tuple[float, float, float]] = []
    faces: list[tuple[int, ...]] = []
    for solid in solids:
        first = len(vertices)
        vertices += solid.vertices
        faces += [tuple(first + index for index in face) for face in solid.faces]
    return Solid(tuple(vertices), tuple(faces))


def turned(profile: Sequence[tuple[float, float]], segments: int = DISC_SEGMENTS) -> Solid:
    """A profile of (radius, height) from the foot's centre to the top's, turned about z."""
    vertices = []
    for radius, height in profile:
        for turn in np.linspace(0, 2 * math.pi, segments, endpoint=False):
            vertices.append((radius * math.cos(turn), radius * math.sin(turn), height))
    return Solid(tuple(vertices), tuple(_ring_faces(len(profile), segments)))


def _ring_faces(rings: int, segments: int) -> list[tuple[int, ...]]:
    """Quads between rings of vertices, and a lid at either end."""
    faces = [
        (
            ring * segments + place,
            ring * segments + (place + 1) % segments,
            (ring + 1) * segments + (place + 1) % segments,
            (ring + 1) * segments + place,
        )
        for ring in range(rings - 1)
        for place in range(segments)
    ]
    last = (rings - 1) * segments
    lids = [tuple(reversed(range(segments))), tuple(range(last, last + segments))]
    return [*faces, *lids]


def disc_of(radius: float, thickness: float, look: DiscLook) -> Solid:
    """A disc of this set, without its emblem."""
    profile = disc_profile(radius, thickness, look)
    if not look.ribs:
        return turned(profile)
    # Two of three steps round the wall are a rib, the third is the gap before the next.
    solid, segments = turned(profile, 3 * look.ribs), 3 * look.ribs
    vertices = [
        (x * (1 - RIB), y * (1 - RIB), z)
        if place % segments % 3 == 0 and math.hypot(x, y) > WALL * radius
        else (x, y, z)
        for place, (x, y, z) in enumerate(solid.vertices)
    ]
    return Solid(tuple(vertices), solid.faces)


def disc_profile(radius: float, thickness: float, look: DiscLook) -> list[tuple[float, float]]:
    """Profile of a disc: bevelled edges, a raised rim, concentric grooves in a sunken face."""
    edge = (look.edge or LOOSE_EDGE) * thickness
    profile = [(1e-4, 0.0), (radius - edge, 0.0)]
    for turn in np.linspace(0, math.pi / 2, 4)[1:]:
        profile.append((radius - edge * (1 - math.sin(turn)), edge * (1 - math.cos(turn))))
    if look.waist:
        deep = radius - look.waist * thickness
        profile += [(radius, 0.4 * thickness), (deep, 0.5 * thickness), (radius, 0.6 * thickness)]
    for turn in np.linspace(0, math.pi / 2, 4):
        profile.append(
            (radius - edge * (1 - math.cos(turn)), thickness - edge * (1 - math.sin(turn)))
        )
    face = _face_profile(radius - edge, thickness, look.rim * radius, look.grooves)
    deepest = look.dish * thickness
    return [*profile, *((r, z - deepest * (1 - (r / (radius - edge)) ** 2)) for r, z in face)]


def _face_profile(
    radius: float, thickness: float, rim: float, grooves: int
) -> list[tuple[float, float]]:
    """From the edge of the top to its centre, going inwards."""
    profile: list[tuple[float, float]] = []
    level, inner = thickness, radius
    if rim > 0:
        level, inner = thickness * 0.86, radius - rim
        profile += [(inner, thickness), (inner - 0.14 * thickness, level)]
        inner -= 0.14 * thickness
    width, depth = 0.035 * radius, 0.12 * thickness
    for groove in range(grooves):
        at = inner * (1 - (groove + 1) / (grooves + 1.5))
        profile += [(at + width, level), (at, level - depth), (at - width, level)]
    middle = profile[-1][0] if profile else radius
    return [*profile, (middle / 2, level), (1e-4, level)]


def crown_outline(radius: float) -> list[tuple[float, float]]:
    """A crown with five points inside a circle, counter-clockwise."""
    points = [(-0.62, -0.5), (0.62, -0.5)]
    for place in range(5):
        x = 0.8 - 0.4 * place
        points.append((x, 0.45 + 0.12 * (place % 2 == 0) - 0.12 * abs(x)))
        if place < 4:
            points.append((x - 0.2, -0.05))
    return [(x * radius, y * radius) for x, y in points]


def prism(outline: Sequence[tuple[float, float]], low: float, high: float) -> Solid:
    """A flat outline, counter-clockwise, raised from `low` to `high`."""
    count = len(outline)
    vertices = [(x, y, z) for z in (low, high) for x, y in outline]
    walls = [(i, (i + 1) % count, count + (i + 1) % count, count + i) for i in range(count)]
    lids = [tuple(reversed(range(count))), tuple(range(count, 2 * count))]
    return Solid(tuple(vertices), (*walls, *lids))


def box(low: Sequence[float], high: Sequence[float]) -> Solid:
    """A brick between two opposite corners."""
    outline = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
    return prism(outline, low[2], high[2])


def _frame_along(axis: Vector) -> tuple[Vector, Vector]:
    """Two unit vectors across an axis."""
    helper = (
        np.array([0.0, 0.0, 1.0])
        if abs(axis[2]) < 0.9 * np.linalg.norm(axis)
        else (np.array([1.0, 0.0, 0.0]))
    )
    first = np.cross(axis, helper)
    first /= np.linalg.norm(first)
    second = np.cross(axis, first)
    return first, second / np.linalg.norm(second)


def rod(start: Vector, end: Vector, radii: tuple[float, float]) -> Solid:
    """Two balls and the cone that joins them."""
    axis = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
    across = _frame_along(axis)
    rings = []
    for centre, radius, turns in (
        (start, radii[0], np.linspace(-math.pi / 2, 0, 6)),
        (end, radii[1], np.linspace(0, math.pi / 2, 6)),
    ):
        for turn in turns:
            wide = max(radius * math.cos(turn), 1e-4)
            rings.append((centre + axis * radius * math.sin(turn), wide))
    return _tube(rings, across)


def _tube(rings: Sequence[tuple[Vector, float]], across: tuple[Vector, Vector]) -> Solid:
    vertices = []
    for centre, radius in rings:
        for turn in np.linspace(0, 2 * math.pi, ROD_SEGMENTS, endpoint=False):
            place = centre + radius * (math.cos(turn) * across[0] + math.sin(turn) * across[1])
            vertices.append(tuple(float(v) for v in place))
    return Solid(tuple(vertices), tuple(_ring_faces(len(rings), ROD_SEGMENTS)))  # type: ignore[arg-type]


def sleeve(path: Sequence[Vector], radii: Sequence[float], random: np.random.Generator) -> Solid:
    """A tube of cloth along a path, open at the last end where the hand comes out, in folds."""
    rings, segments = 70, 56
    knots = np.linspace(0, 1, len(path))
    shares = np.linspace(0, 1, rings)
    centres = np.column_stack([np.interp(shares, knots, np.array(path)[:, a]) for a in range(3)])
    wide = np.interp(shares, knots, radii)
    axis = centres[-1] - centres[0]
    first, second = _frame_along(axis)
    turns = np.linspace(0, 2 * math.pi, segments, endpoint=False)
    swell = 1 + _folds(shares, turns, random)
    swell[-3:] = 1 + 0.04 * np.array([[0.3], [1.0], [0.2]])  # the hem
    around = np.cos(turns)[:, None] * first + np.sin(turns)[:, None] * second
    places = centres[:, None] + wide[:, None, None] * swell[..., None] * around
    vertices = tuple((float(x), float(y), float(z)) for x, y, z in places.reshape(-1, 3))
    # Without its last lid: one looks into the cuff.
    return Solid(vertices, tuple(_ring_faces(rings, segments)[:-1]))


def _folds(shares: Vector, turns: Vector, random: np.random.Generator) -> Vector:
    """Slanting creases that fade in and out, deepest at the bend of the elbow."""
    folds = np.zeros((len(shares), len(turns)))
    for _ in range(14):
        count, slant = random.uniform(9, 26), random.uniform(-2.0, 2.0)
        middle, spread = random.uniform(0, 1), random.uniform(0.06, 0.2)
        side, phase = random.uniform(0, 2 * math.pi), random.uniform(0, 2 * math.pi)
        wave = np.sin(2 * math.pi * count * shares[:, None] / 3 + slant * turns * 1.0 + phase)
        part = np.exp(-(((shares - middle) / spread) ** 2))[:, None]
        folds += part * (0.5 + 0.5 * np.cos(turns - side)) * wave
    return 0.055 * folds

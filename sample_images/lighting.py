"""Lamps, shadows and highlights on surfaces seen from above.

Shadows are found on the plane where they fall: a disc throws the hull of two circles, a finger
that of a chain of balls, each with an edge as wide as the lamp's size and its height make it.
"""

# NumPy's own types forget what mixed arithmetic returns.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import itertools
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_images.rays import Floats, Rays
from sample_images.scene import Disc, Hand, Lamp, Point, Scene, Shade

LEAST_PENUMBRA = 0.012
"""Half width in squares of the sharpest edge of a shadow."""
Ball = tuple[float, float, float, float]
"""Centre x, y, z and radius, in squares."""


def smooth(distance: Floats, half_width: Floats | float) -> Floats:
    """1 well below zero, 0 well above, with a smooth step between."""
    share = np.clip(0.5 - distance / (2 * half_width), 0, 1)
    return (share * share * (3 - 2 * share)).astype(np.float32)


def received(lamp: Lamp, points: Floats, z: float, slope: tuple[Floats, Floats] | None) -> Floats:
    """Light (h, w, 3) on a level surface, or one that rises by `slope` towards x and y."""
    towards = np.array(lamp.position, dtype=np.float32)
    dx, dy, dz = towards[0] - points[..., 0], towards[1] - points[..., 1], towards[2] - z
    distance = np.sqrt(dx * dx + dy * dy + dz * dz)
    facing = dz / distance
    if slope is not None:
        steep = np.sqrt(1 + slope[0] ** 2 + slope[1] ** 2)
        facing = np.maximum((dz - slope[0] * dx - slope[1] * dy) / (distance * steep), 0)
    middle = towards - np.array([4, 4, 0], dtype=np.float32)
    usual = middle[2] / np.linalg.norm(middle) ** 3
    level = lamp.strength * facing / (distance**2 * usual)
    return level[..., None] * np.array(lamp.colour, dtype=np.float32)


def mirrored(
    lamp: Lamp, rays: Rays, points: Floats, z: float, gloss: float,
    slope: tuple[Floats, Floats] | None = None,
) -> Floats:  # fmt: skip
    """The lamp's reflection (h, w, 3) in a surface of this gloss, 0 to 1."""
    to_lamp = _unit(points, z, np.array(lamp.position))
    to_eye = _unit(points, z, rays.eye)
    half = to_lamp + to_eye
    if slope is None:
        tangent = (half[..., 0] ** 2 + half[..., 1] ** 2) / half[..., 2] ** 2
    else:
        rise_x, rise_y = half[..., 0] / half[..., 2], half[..., 1] / half[..., 2]
        tangent = (rise_x + slope[0]) ** 2 + (rise_y + slope[1]) ** 2
    rough = 0.32 - 0.26 * gloss + lamp.radius / 40
    lobe = np.exp(-tangent / rough**2) / rough**2
    level = 0.05 * gloss * lamp.strength * lobe
    return level[..., None] * np.array(lamp.colour, dtype=np.float32)


def _unit(points: Floats, z: float, target: NDArray[np.float64]) -> Floats:
    flat = target[:2].astype(np.float32) - points
    rise = np.full((*points.shape[:2], 1), target[2] - z, dtype=np.float32)
    vectors = np.concatenate([flat, rise], axis=2)
    return vectors / np.linalg.norm(vectors, axis=2, keepdims=True)


# --- Shadows -------------------------------------------------------------------------------


def thrown(lamp: Lamp, ball: Ball, z: float = 0.0) -> tuple[float, float, float, float]:
    """A level circle's shadow on the plane at z: centre x, y, radius, half its edge's width."""
    x, y, height, radius = ball
    lamp_x, lamp_y, lamp_z = lamp.position
    above = min(height - z, 0.9 * (lamp_z - z))
    grow = (lamp_z - z) / (lamp_z - z - above)
    edge = max(lamp.radius * (grow - 1), LEAST_PENUMBRA)
    return lamp_x + (x - lamp_x) * grow, lamp_y + (y - lamp_y) * grow, radius * grow, edge


def cone_distance(
    x: Floats, y: Floats, first: tuple[float, ...], last: tuple[float, ...]
) -> tuple[Floats, Floats]:
    """Distance of points from the hull of two circles (x, y, radius), and the share along it."""
    run_x, run_y = last[0] - first[0], last[1] - first[1]
    length = max(run_x**2 + run_y**2, 1e-9)
    share = np.clip(((x - first[0]) * run_x + (y - first[1]) * run_y) / length, 0, 1)
    away = np.hypot(x - first[0] - share * run_x, y - first[1] - share * run_y)
    return away - (first[2] + share * (last[2] - first[2])), share


def cone_shadow(points: Floats, lamp: Lamp, first: Ball, last: Ball, z: float = 0.0) -> Floats:
    """Light left, 0 to 1, behind two balls and the cone between them."""
    start, end = thrown(lamp, first, z), thrown(lamp, last, z)
    distance, share = cone_distance(points[..., 0], points[..., 1], start, end)
    return 1 - smooth(distance, start[3] + share * (end[3] - start[3]))


def disc_balls(disc: Disc) -> tuple[Ball, Ball]:
    return (
        (disc.x, disc.y, disc.z, disc.radius),
        (disc.x, disc.y, disc.top, disc.radius),
    )


def hand_balls(hand: Hand) -> list[tuple[Ball, Ball]]:
    """The cones of an arm, as pairs of balls."""
    cones = []
    for limb in hand.limbs():
        balls = [(*point, radius) for point, radius in zip(limb.points, limb.radii, strict=True)]
        cones += list(itertools.pairwise(balls))
    return cones


def shade_shadow(points: Floats, lamp: Lamp, shade: Shade) -> Floats:
    """Light left behind a player who sits between lamp and board."""
    lamp_x, lamp_y, lamp_z = lamp.position
    outline = []
    for x, y, z in shade.corners:
        grow = lamp_z / (lamp_z - z)
        outline.append((lamp_x + (x - lamp_x) * grow, lamp_y + (y - lamp_y) * grow))
    return polygon_light(points, np.array(outline), shade.softness)


def polygon_light(points: Floats, outline: NDArray[np.float64], softness: float) -> Floats:
    """1 outside, 0 inside a polygon of the plane; the edge is about twice `softness` wide."""
    canvas, low, scale = _soft_polygon(tuple(map(tuple, outline)), softness)
    columns, rows = ((points[..., axis] - low) * scale for axis in (0, 1))
    found = cv2.remap(
        canvas, columns.astype(np.float32), rows.astype(np.float32), cv2.INTER_LINEAR, borderValue=1
    )
    return np.asarray(found, dtype=np.float32)


@lru_cache(maxsize=8)
def _soft_polygon(
    outline: tuple[tuple[float, ...], ...], softness: float
) -> tuple[Floats, float, float]:
    low, side, scale = -12.0, 640, 20.0
    canvas = np.ones((side, side), dtype=np.float32)
    pixels = (np.array(outline) - low) * scale
    cv2.fillPoly(canvas, [np.round(pixels).astype(np.int32)], 0.0)
    blurred = cv2.GaussianBlur(canvas, (0, 0), softness * scale)
    return np.asarray(blurred, dtype=np.float32), low, scale


def square_distance(points: Floats, half: float) -> Floats:
    """Distance of points outside (or, negative, inside) a square about the board's middle."""
    x, y = np.abs(points[..., 0] - 4) - half, np.abs(points[..., 1] - 4) - half
    outside = np.hypot(np.maximum(x, 0), np.maximum(y, 0))
    return (outside + np.minimum(np.maximum(x, y), 0)).astype(np.float32)


def towards_lamp(lamp: Lamp, points: Floats, z: float, height: float) -> tuple[Floats, float]:
    """Where the way from points at z to the lamp passes `height`, and half the blur there."""
    share = np.float32((height - z) / (lamp.position[2] - z))
    centre = np.array(lamp.position[:2], dtype=np.float32)
    return points + (centre - points) * share, max(lamp.radius * float(share), LEAST_PENUMBRA)


def frame_shadow(scene: Scene, lamp: Lamp, points: Floats) -> Floats:
    """Light left on the flat of the board inside its raised frame."""
    board = scene.board
    if board.frame <= 0:
        return np.ones(points.shape[:2], dtype=np.float32)
    above, blur = towards_lamp(lamp, points, 0.0, board.frame_height)
    return smooth(square_distance(above, 4 + board.border), blur)


def board_shadow(scene: Scene, lamp: Lamp, points: Floats) -> Floats:
    """Light left on the table beside the board."""
    board = scene.board
    z, top = -board.thickness, board.frame_height if board.frame > 0 else 0.0
    light = np.ones(points.shape[:2], dtype=np.float32)
    for height in np.linspace(z, top, 4)[1:]:
        above, blur = towards_lamp(lamp, points, z, float(height))
        light = np.minimum(light, 1 - smooth(square_distance(above, 4 + board.margin), blur))
    return light


def reach_of(lamps: tuple[Lamp, ...], balls: list[Ball]) -> list[Point]:
    """Points of the plane that bound the shadows of balls."""
    bounds = []
    for lamp in lamps:
        for ball in balls:
            x, y, radius, edge = thrown(lamp, ball)
            reach = radius + edge
            bounds += [(x + a * reach, y + b * reach, 0.0) for a in (-1, 1) for b in (-1, 1)]
    return bounds

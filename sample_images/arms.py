"""Draws an arm: balls and cones seen by the camera, melted into one skin and one sleeve."""

# NumPy's own types forget what mixed arithmetic returns.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.model import View
from sample_images.lighting import Ball, cone_distance
from sample_images.materials import linear, noise
from sample_images.pinhole import shown_by
from sample_images.rays import Floats, Window
from sample_images.scene import Hand, Limb, Scene, camera_axes
from sample_images.sensor import streak

MELT = 6.0
"""How sharply the nearer of two overlapping limbs wins, per square of depth."""
DEEPEST, FAINTEST = 12.0, np.float32(1e-36)
"""Squares of depth over which limbs are compared, and a weight below the least such one."""
NEAREST = 1.0
"""Squares before the camera, within which an arm is not drawn."""
CUTS = 33
"""Places at which a limb that leaves what the lens shows may be cut off."""
SCATTER = 0.35
"""Skin passes light round its edges: the share by which its shading is softened."""


@dataclass(frozen=True)
class Cone:
    """Two balls in the picture and what joins them."""

    ends: tuple[tuple[float, ...], tuple[float, ...]]
    """Centre x, y and radius in pixels, of either ball."""
    depths: tuple[float, float]
    """From the camera along its axis, in squares."""
    px: float
    """Pixels for one square there."""
    sleeve: bool
    nail: bool
    """The last joint of a finger."""


def draw_hand(
    picture: Floats, scene: Scene, hand: Hand, window: Window, way: tuple[float, float] = (0, 0)
) -> None:
    """Lays an arm over a window of the picture, smeared along its way in pixels."""
    corner = (window[1].start or 0, window[0].start or 0)
    cones = [cone for limb in hand.limbs() for cone in _cones(scene.view, limb)]
    room = int(np.ceil(np.hypot(*way) / 2)) + 2
    bounds = _bounds(cones, corner, picture.shape, room)
    if bounds is None:
        return
    part, origin = bounds
    body = _melted(cones, origin, picture[part].shape[:2])
    cover = body.cover[..., None]
    colour = _coloured(hand, body, origin) * _light(scene, hand, body) * cover
    if np.hypot(*way) >= 1:
        colour, cover = (np.maximum(cv2.filter2D(c, -1, streak(way)), 0) for c in (colour, cover))
    picture[part] = picture[part] * (1 - cover.reshape(*cover.shape[:2], 1)) + colour


def _cones(view: View, limb: Limb) -> list[Cone]:
    """The parts of a limb that the lens shows, from its first point on."""
    cones = []
    joints = list(zip(limb.points, limb.radii, strict=True))
    for place, (first, last) in enumerate(pairwise(joints), start=1):
        ends = _shown(view, (*first[0], first[1]), (*last[0], last[1]))
        if ends is not None:
            nail = len(joints) == 3 and place == 2
            cones.append(_cone(view, ends, sleeve=limb.sleeve, nail=nail))
    return cones


def _cone(view: View, ends: NDArray[np.float64], *, sleeve: bool, nail: bool) -> Cone:
    """The cone between two balls, rows of (x, y, z, radius) in squares."""
    points, radii = ends[:, :3], ends[:, 3]
    depths = points @ camera_axes(view)[2] + view.pose.translation[2]
    scales = view.lens.focal_px / depths
    first, last = (
        (float(x), float(y), float(radius))
        for (x, y), radius in zip(view.project(points), radii * scales, strict=True)
    )
    near, far = (float(depth) for depth in depths)
    return Cone((first, last), (near, far), float(scales[0]), sleeve, nail)


def _shown(view: View, first: Ball, last: Ball) -> NDArray[np.float64] | None:
    """The two balls, (2, 4), the one that the lens does not show drawn up to where it does.

    None if it shows neither: what is behind the camera is not in the picture.
    """
    ends = np.array([first, last], float)
    shown = shown_by(view, ends[:, :3], NEAREST)
    if shown.all():
        return ends
    if not shown.any():
        return None
    steps = np.linspace(0, 1, CUTS)[:, None]
    along = ends[shown.argmax()] * (1 - steps) + ends[shown.argmin()] * steps
    ends[shown.argmin()] = along[shown_by(view, along[:, :3], NEAREST)][-1]
    return ends


def _bounds(
    cones: list[Cone], corner: tuple[int, int], shape: tuple[int, ...], room: int = 2
) -> tuple[Window, tuple[int, int]] | None:
    """The part of the window that the cones cover, and its first pixel in the whole picture.

    `room` is how many pixels it is larger on each side.
    """
    if not cones:
        return None
    ends = np.array([end for cone in cones for end in cone.ends])
    low = np.floor((ends[:, :2] - ends[:, 2:]).min(axis=0)).astype(int) - room - corner
    high = np.ceil((ends[:, :2] + ends[:, 2:]).max(axis=0)).astype(int) + room + 1 - corner
    left, top = (max(0, int(v)) for v in low)
    right, bottom = min(int(high[0]), shape[1]), min(int(high[1]), shape[0])
    if left >= right or top >= bottom:
        return None
    return (slice(top, bottom), slice(left, right)), (left + corner[0], top + corner[1])


@dataclass(frozen=True, eq=False)
class Body:
    """The arm as the camera sees it, in each pixel."""

    cover: Floats
    """Share of the pixel, (h, w)."""
    normal: Floats
    """In the camera's frame: right, down, towards the camera; (h, w, 3)."""
    sleeve: Floats
    """1 cloth, 0 skin."""
    nail: Floats


def _melted(cones: list[Cone], origin: tuple[int, int], shape: tuple[int, ...]) -> Body:
    cover = np.zeros(shape, np.float32)
    total = np.full(shape, FAINTEST, np.float32)
    normal = np.zeros((*shape, 3), np.float32)
    sleeve, nail = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    nearest = min(min(cone.depths) - cone.ends[0][2] / cone.px for cone in cones)
    for cone in cones:
        bounds = _bounds([cone], origin, shape)
        if bounds is None:
            continue
        part, first = bounds
        seen, facing, depth, tip = _one(cone, first, cover[part].shape)
        weight = np.exp(-MELT * np.clip(depth - nearest, 0, DEEPEST)) * seen
        cover[part] = np.maximum(cover[part], seen)
        total[part] += weight
        normal[part] += weight[..., None] * facing
        sleeve[part] += weight * cone.sleeve
        nail[part] += weight * tip
    normal /= np.maximum(total, FAINTEST)[..., None]
    normal /= np.maximum(np.linalg.norm(normal, axis=2, keepdims=True), 1e-3)
    return Body(cover, normal, sleeve / total, nail / total)


def _one(
    cone: Cone, origin: tuple[int, int], shape: tuple[int, ...]
) -> tuple[Floats, Floats, Floats, Floats]:
    """Coverage, normal, depth and closeness to the finger's end of one cone, over its window."""
    rows, columns = np.indices(shape, dtype=np.float32)
    x, y = columns + origin[0], rows + origin[1]
    first, last = cone.ends
    distance, share = cone_distance(x, y, first, last)
    radius = first[2] + share * (last[2] - first[2])
    seen = np.clip(0.5 - distance, 0, 1)
    right = (x - first[0] - share * (last[0] - first[0])) / radius
    down = (y - first[1] - share * (last[1] - first[1])) / radius
    towards = np.sqrt(np.clip(1 - right**2 - down**2, 0.01, 1))
    depth = cone.depths[0] + share * (cone.depths[1] - cone.depths[0])
    depth = depth - towards * radius / cone.px
    tip = np.clip((share - 0.72) * 6, 0, 1) * (towards > 0.75) if cone.nail else np.zeros(shape)
    return seen, np.dstack([right, down, towards]), depth, tip.astype(np.float32)


def _coloured(hand: Hand, body: Body, origin: tuple[int, int]) -> Floats:
    rows, columns = map(np.asarray, np.indices(body.cover.shape, dtype=np.float32))
    mottled = noise(columns + origin[0], rows + origin[1], 60.0, 11)
    skin = linear(hand.skin) * np.exp(0.06 * mottled)[..., None]
    # Blood shows where skin is thin: towards the edges of fingers; nails are paler.
    thin = (1 - body.normal[..., 2])[..., None]
    skin = skin * (1 - thin * np.array([0.1, 0.3, 0.35], np.float32))
    skin = skin * (1 + body.nail[..., None] * np.array([0.12, 0.1, 0.12], np.float32))
    folds = noise((columns + origin[0]) * 1.0, (rows + origin[1]) * 0.6, 90.0, 23)
    cloth = linear(hand.sleeve) * np.exp(0.14 * folds)[..., None]
    share = body.sleeve[..., None]
    return (skin * (1 - share) + cloth * share).astype(np.float32)


def _light(scene: Scene, hand: Hand, body: Body) -> Floats:
    """Light on the arm; its own shadow on itself is left out."""
    axes = camera_axes(scene.view) * np.array([[1.0], [1.0], [-1.0]])
    normal = body.normal @ axes.astype(np.float32)
    upward = 0.55 + 0.45 * normal[..., 2]
    shut = 0.45 + 0.55 * body.normal[..., 2]
    light = (scene.ambient * upward * shut)[..., None] * np.array(scene.ambient_colour, np.float32)
    for lamp in scene.lamps:
        towards: NDArray[np.float64] = np.array(lamp.position) - np.array(hand.wrist)
        height = towards[2] / np.linalg.norm(towards)
        facing = normal @ (towards / np.linalg.norm(towards)).astype(np.float32)
        wrapped = np.clip((facing + SCATTER) / (1 + SCATTER), 0, 1)
        level = lamp.strength / max(height, 0.3) * wrapped * (0.6 + 0.4 * shut)
        light = light + level[..., None] * np.array(lamp.colour, np.float32)
    return light.astype(np.float32)


def arm_mask(scene: Scene, hand: Hand) -> NDArray[np.uint8]:
    """255 where the arm is in the picture, (height, width)."""
    mask = np.zeros((scene.view.lens.height, scene.view.lens.width), np.uint8)
    for limb in hand.limbs():
        for cone in _cones(scene.view, limb):
            cv2.fillConvexPoly(mask, _hull(cone), 255)
    return mask


def _hull(cone: Cone) -> NDArray[np.int32]:
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = np.column_stack([np.cos(turns), np.sin(turns)])
    points = np.concatenate([circle * end[2] + end[:2] for end in cone.ends])
    hull = cv2.convexHull(np.round(points).astype(np.int32))
    return np.asarray(hull, dtype=np.int32)

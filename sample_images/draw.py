"""Draws a scene: board, discs with their height, shadows, hands, clutter, in linear light.

Every pixel's ray is followed to the planes it meets, so lens and perspective are exact. Edges are
smoothed by how much of a pixel they cross. The picture can be drawn window by window, which
makes a video cheap: only what changed is drawn anew.
"""

# NumPy's own types forget what mixed arithmetic returns.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.model import View
from sample_images import lighting, materials
from sample_images.arms import draw_hand
from sample_images.lighting import smooth
from sample_images.rays import Floats, Rays, Window, rays_of
from sample_images.scene import TABLE_HALF, Disc, DiscLook, Hand, Lamp, Point, Scene
from sample_images.sensor import Image, jpeg, metered_gain, photograph
from sample_images.things import draw_things, thing_shadow

CONTACT = 0.35
"""Share of the ambient light lost where a disc touches the board."""
CONTACT_REACH = 0.09
"""How far from the disc that darkness fades, in squares."""
SPARED = 0.95
"""Where the brightest hundredth of the picture comes to lie, linear."""
FAR_AWAY = 1e6
"""Pixels beyond which a shadow may end anywhere: a low lamp throws it to infinity."""
EVERYWHERE: Window = (slice(None), slice(None))


def still(scene: Scene, seed: int | None = None) -> Image:
    """The photograph of a scene, before JPEG; the noise comes from `seed` (the scene's own)."""
    rng = np.random.default_rng(scene.seed if seed is None else seed)
    light = drawn(scene)
    return photograph(light, scene.sensor, exposed(light), rng)


def exposed(light: Floats) -> float:
    """The gain of an automatic exposure that spares the brightest surfaces."""
    brightest = float(np.percentile(light[::4, ::4, 1], 99))
    return min(metered_gain(light), SPARED / max(brightest, 1e-6))


def compressed(scene: Scene, image: Image) -> bytes:
    """The photograph as the scene's camera would file it."""
    return jpeg(image, scene.sensor.jpeg_quality)


Arms = tuple[Hand, ...]


def drawn(scene: Scene, window: Window = EVERYWHERE, swept: Sequence[Arms] = ()) -> Floats:
    """Linear light (h, w, 3), red green blue, of the whole picture or of a window of it.

    `swept` are places that the scene's hands pass while the shutter is open, the first and the
    last among them: hands and what they hold are smeared along these. Their shadows, which are
    soft, are not.
    """
    rays = rays_of(scene.view).within(window)
    ground = _ground(_bare(scene)).within(window)
    cast = [_hands_light(scene, lamp, rays) for lamp in scene.lamps]
    picture = _lit_ground(scene, rays, ground, cast)
    for disc in _far_to_near(scene, rays):
        _draw_disc(picture, scene, disc, rays, cast)
    if any(hand.held for hand in scene.hands):
        places = [_with_held(picture, scene, arms, rays, cast) for arms in swept or [scene.hands]]
        picture = np.asarray(np.mean(places, axis=0, dtype=np.float32))
    for number, hand in enumerate(scene.hands):
        way = _way(scene.view, swept[0][number], swept[-1][number]) if swept else (0.0, 0.0)
        draw_hand(picture, scene, hand, window, way)
    return picture


def _with_held(picture: Floats, scene: Scene, arms: Arms, rays: Rays, cast: list[Floats]) -> Floats:
    """A copy of the picture with what these hands hold laid over it."""
    copy, there = picture.copy(), replace(scene, hands=arms)
    for disc in sorted((disc for hand in arms for disc in hand.held), key=lambda d: d.z):
        _draw_disc(copy, there, disc, rays, cast)
    return copy


def _way(view: View, first: Hand, last: Hand) -> tuple[float, float]:
    """How far a hand's tip moves in the picture, in pixels to the right and down."""
    start, end = view.project(np.array([first.tip, last.tip]))
    return float(end[0] - start[0]), float(end[1] - start[1])


def _far_to_near(scene: Scene, rays: Rays) -> list[Disc]:
    """The lying discs in the order in which they hide each other.

    A pile is as far away as its lowest disc: the upper one of a king may lie nearer or farther,
    and is on top all the same.
    """
    lying = [*scene.discs, *scene.captured]

    def place(disc: Disc) -> tuple[float, float]:
        below = (d for d in lying if np.hypot(d.x - disc.x, d.y - disc.y) < disc.radius)
        foot = min(below, key=lambda d: d.z)
        return -float(np.hypot(foot.x - rays.eye[0], foot.y - rays.eye[1])), disc.z

    return sorted(lying, key=place)


# --- What never moves ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Ground:
    """Table, board and clutter without shadows of discs and hands."""

    ambient: Floats
    """What the light from everywhere makes of it, (h, w, 3)."""
    lamps: tuple[Floats, ...]
    """What each lamp makes of it, (h, w, 3)."""

    def within(self, window: Window) -> Ground:
        return Ground(self.ambient[window], tuple(lamp[window] for lamp in self.lamps))


NO_SET = DiscLook((0, 0, 0), (0, 0, 0))


def _bare(scene: Scene) -> Scene:
    """The scene with all that can move taken away, as a key for what can be kept."""
    return replace(scene, look=NO_SET, discs=(), captured=(), hands=(), seed=0, family="", light="")


@lru_cache(maxsize=2)
def _ground(scene: Scene) -> Ground:
    """Drawn twice as fine as the picture, since squares and grain have hard edges."""
    rays = rays_of(scene.view, 2)
    height, width = scene.view.lens.height, scene.view.lens.width
    layers = _ground_layers(scene, rays)
    parts = [cv2.resize(layer, (width, height), interpolation=cv2.INTER_AREA) for layer in layers]
    return Ground(parts[0], tuple(parts[1:]))


def _ground_layers(scene: Scene, rays: Rays) -> list[Floats]:
    """Ambient and one layer for each lamp."""
    surface = _surfaces(scene, rays)
    ambient = scene.ambient * np.array(scene.ambient_colour, dtype=np.float32)
    layers = [(surface.colour * surface.open[..., None] * ambient).astype(np.float32)]
    for lamp in scene.lamps:
        layers.append(_lamp_layer(scene, lamp, rays, surface))
    draw_things(layers, scene)
    return layers


@dataclass(frozen=True, eq=False)
class Surface:
    """What the ground is made of at each pixel."""

    colour: Floats
    """(h, w, 3)."""
    points: Floats
    """Where, in the plane, (h, w, 2)."""
    on_board: NDArray[np.bool_]
    on_flat: NDArray[np.bool_]
    """Inside the frame, at height 0."""
    facing: Floats
    """Share of a level surface's light that it takes: walls take less."""
    open: Floats
    """Share of the ambient light that reaches it."""


def _surfaces(scene: Scene, rays: Rays) -> Surface:
    board = scene.board
    outer, inner = 4 + board.margin, 4 + board.border
    raised = board.frame_height if board.frame > 0 else 0.0
    flat, table, top = rays.at(0.0), rays.at(-board.thickness), rays.at(raised)
    on_top = np.maximum(*_apart(top)) < outer
    in_frame = on_top & (np.maximum(*_apart(top)) >= inner)
    on_flat = on_top & ~in_frame & (np.maximum(*_apart(flat)) < inner)
    inner_wall = on_top & ~in_frame & ~on_flat
    outer_wall = ~on_top & _meets_square(top, table, outer)
    on_board = on_top | outer_wall
    points = np.where(in_frame[..., None], top, np.where(on_board[..., None], flat, table))
    colour = np.where(on_flat[..., None], materials.board_colour(board, flat), 0.0)
    wood = _frame_colour(scene, top)
    solid = in_frame | inner_wall | outer_wall
    colour = np.where(solid[..., None], wood, colour)
    colour = np.where(on_board[..., None], colour, _table_colour(scene, table))
    walls = inner_wall | outer_wall
    beside = np.maximum(lighting.square_distance(table, outer), 0)
    shut = 0.45 * np.exp(-beside / 0.25) * ~on_board * min(1.0, board.thickness * 4)
    return Surface(
        colour.astype(np.float32), points.astype(np.float32), on_board, on_flat,
        np.where(walls, 0.45, 1.0).astype(np.float32),
        np.where(walls, 0.6, 1 - shut).astype(np.float32),
    )  # fmt: skip


def _apart(points: Floats) -> tuple[Floats, Floats]:
    return np.abs(points[..., 0] - 4), np.abs(points[..., 1] - 4)


def _meets_square(above: Floats, below: Floats, half: float) -> NDArray[np.bool_]:
    """Whether the way from one point to the other crosses a square about the board's middle."""
    run = below - above
    run = np.where(np.abs(run) < 1e-6, np.float32(1e-6), run)
    first, second = (4 - half - above) / run, (4 + half - above) / run
    enter = np.minimum(first, second).max(axis=2)
    leave = np.maximum(first, second).min(axis=2)
    return np.asarray((enter <= leave) & (leave >= 0) & (enter <= 1))


def _frame_colour(scene: Scene, points: Floats) -> Floats:
    """Mitred wood: the grain follows each side of the frame."""
    board = scene.board
    apart_x, apart_y = _apart(points)
    along = np.where(apart_x > apart_y, points[..., 1], points[..., 0])
    across = np.where(apart_x > apart_y, points[..., 0], points[..., 1])
    colour = board.frame_colour if board.frame > 0 else board.border_colour
    lines = 0.12 * materials.grain(along, across, board.seed + 9)
    mitre = np.abs(apart_x - apart_y) < 0.015
    return (materials.linear(colour) * np.exp(lines - 0.5 * mitre)[..., None]).astype(np.float32)


def _table_colour(scene: Scene, points: Floats) -> Floats:
    apart_x, apart_y = _apart(points)
    on_table = (apart_x < TABLE_HALF[0]) & (apart_y < TABLE_HALF[1])
    colour = materials.table_colour(scene.table, points)
    # The floor lies deep in the shadow of the table and those who sit at it.
    return np.where(on_table[..., None], colour, 0.5 * materials.linear(scene.table.floor))


def _lamp_layer(scene: Scene, lamp: Lamp, rays: Rays, surface: Surface) -> Floats:
    board = scene.board
    points = surface.points
    light = lighting.received(lamp, points, 0.0, None) * surface.facing[..., None]
    kept = np.where(
        surface.on_flat,
        lighting.frame_shadow(scene, lamp, points),
        np.where(surface.on_board, 1.0, lighting.board_shadow(scene, lamp, points)),
    )
    for shade in scene.shades:
        kept = kept * lighting.shade_shadow(points, lamp, shade)
    for thing in scene.things:
        kept = kept * thing_shadow(scene, lamp, thing, points)
    gloss = np.where(surface.on_board, board.gloss, 0.15)[..., None]
    shine = lighting.mirrored(lamp, rays, points, 0.0, board.gloss) * (gloss > 0.2)
    return ((surface.colour * light + shine) * kept[..., None]).astype(np.float32)


# --- Shadows that move ---------------------------------------------------------------------


def _hands_light(scene: Scene, lamp: Lamp, rays: Rays) -> Floats:
    """What hands leave of a lamp's light, (h, w), found at half the size since it is soft."""
    height, width = rays.ground.shape[:2]
    light = np.ones(((height + 1) // 2, (width + 1) // 2), dtype=np.float32)
    points = rays.ground[::2, ::2]
    for hand in scene.hands:
        for first, last in [*lighting.hand_balls(hand), *map(lighting.disc_balls, hand.held)]:
            light *= lighting.cone_shadow(points, lamp, first, last)
    if not scene.hands:
        return np.ones((height, width), dtype=np.float32)
    return np.asarray(cv2.resize(light, (width, height)), dtype=np.float32)


def _lit_ground(scene: Scene, rays: Rays, ground: Ground, cast: list[Floats]) -> Floats:
    picture = ground.ambient.copy()
    kept = [light.copy() for light in cast]
    for disc in (*scene.discs, *scene.captured):
        _shadow_disc(scene, disc, rays, picture, kept)
    for hand in scene.hands:
        _shut_ambient(picture, rays, hand)
    for lamp_layer, light in zip(ground.lamps, kept, strict=True):
        picture += lamp_layer * light[..., None]
    return picture


def _shadow_disc(scene: Scene, disc: Disc, rays: Rays, picture: Floats, kept: list[Floats]) -> None:
    """Darkens ambient light round the disc's foot and takes each lamp's light behind it."""
    base = -scene.board.thickness if disc in scene.captured else 0.0
    first, last = lighting.disc_balls(disc)
    around = [(disc.x, disc.y, disc.radius + 3 * CONTACT_REACH)]
    for lamp in scene.lamps:
        x, y, radius, edge = lighting.thrown(lamp, last, base)
        around.append((x, y, radius + edge))
    part = rays.around(around, base)
    if part is None:
        return
    points = rays.within(part).at(base)
    away = np.hypot(points[..., 0] - disc.x, points[..., 1] - disc.y) - disc.radius
    if disc.z - base < disc.thickness / 2:
        picture[part] *= (1 - CONTACT * np.exp(-np.maximum(away, 0) / CONTACT_REACH))[..., None]
    for lamp, light in zip(scene.lamps, kept, strict=True):
        light[part] *= lighting.cone_shadow(points, lamp, first, last, base)


def _shut_ambient(picture: Floats, rays: Rays, hand: Hand) -> None:
    """A hand near the board also keeps away some light from everywhere."""
    points = rays.ground[::2, ::2]
    light = np.ones(points.shape[:2], dtype=np.float32)
    for first, last in lighting.hand_balls(hand):
        ends = ((*ball[:2], ball[3]) for ball in (first, last))
        distance, share = lighting.cone_distance(points[..., 0], points[..., 1], *ends)
        height = first[2] + share * (last[2] - first[2])
        light *= 1 - 0.25 * smooth(distance, 0.15 + 0.6 * height) / (1 + height)
    size = picture.shape[1], picture.shape[0]
    picture *= np.asarray(cv2.resize(np.maximum(light, 0.5), size), dtype=np.float32)[..., None]


# --- Discs ---------------------------------------------------------------------------------


def _draw_disc(picture: Floats, scene: Scene, disc: Disc, rays: Rays, cast: list[Floats]) -> None:
    """Lays wall and face of a disc over the picture."""
    above = rays.around([(disc.x, disc.y, disc.radius)], disc.top)
    below = rays.around([(disc.x, disc.y, disc.radius)], disc.z)
    if above is None or below is None:
        return
    part = _union(above, below)
    near = rays.within(part)
    edge = scene.look.edge * disc.thickness
    high, low = near.at(disc.top - edge), near.at(disc.z + edge)
    in_hand = any(disc in hand.held for hand in scene.hands)
    shadows = [np.ones(high.shape[:2], np.float32) if in_hand else c[part] for c in cast]
    body, hit, share = _cylinder(disc, high, low)
    wall = _wall_light(scene, disc, hit, share, shadows)
    patch = picture[part]
    body = np.minimum(body, _beyond(disc, near.at(disc.z), edge))
    patch += (wall - patch) * _coverage(body)[..., None]
    for deep in (edge, 0.0) if edge else (0.0,):
        points = near.at(disc.top - deep)
        face = _face_light(scene, disc, near, points, shadows)
        over = _beyond(disc, points, edge - deep)
        patch += (face - patch) * _coverage(over)[..., None]


def _beyond(disc: Disc, points: Floats, edge: float) -> Floats:
    """By how much points at one height lie outside the disc, whose edge is cut off there."""
    return np.asarray(
        np.hypot(points[..., 0] - disc.x, points[..., 1] - disc.y) - (disc.radius - edge),
        np.float32,
    )


def _union(first: Window, second: Window) -> Window:
    rows, columns = (
        slice(min(a.start, b.start), max(a.stop, b.stop))
        for a, b in zip(first, second, strict=True)
    )
    return rows, columns


def _coverage(distance: Floats) -> Floats:
    """Share of each pixel that lies below distance 0, from how fast the distance changes."""
    if min(distance.shape) < 2:
        return (distance < 0).astype(np.float32)
    down, right = np.gradient(distance)
    return np.clip(0.5 - distance / np.maximum(np.hypot(down, right), 1e-6), 0, 1)


def _cylinder(disc: Disc, top: Floats, foot: Floats) -> tuple[Floats, Floats, Floats]:
    """Distance of each ray from the disc, where it enters the wall, and how far down (0-1)."""
    start = top - np.array([disc.x, disc.y], dtype=np.float32)
    run = foot - top
    square = np.maximum((run**2).sum(axis=2), 1e-9)
    nearest = np.clip(-(start * run).sum(axis=2) / square, 0, 1)
    away = np.linalg.norm(start + run * nearest[..., None], axis=2)
    half = (start * run).sum(axis=2)
    inside = np.maximum(half**2 - square * ((start**2).sum(axis=2) - disc.radius**2), 0)
    enter = np.clip((-half - np.sqrt(inside)) / square, 0, 1)
    return away - disc.radius, start + run * enter[..., None], enter


def _disc_colour(scene: Scene, disc: Disc) -> Floats:
    """No two discs of a set are quite alike."""
    rng = np.random.default_rng(disc.seed)
    shade = rng.normal(0, 0.08 if scene.look.wood else 0.03)
    return materials.linear(scene.look.colour(disc.side)) * np.float32(np.exp(shade))


def _wall_light(
    scene: Scene, disc: Disc, hit: Floats, share: Floats, shadows: list[Floats]
) -> Floats:
    out = hit / disc.radius
    height = disc.z + (1 - share) * disc.thickness
    # The foot stands in its own shadow, and so does the seam between the discs of a king.
    dim = 1 - 0.5 * np.exp(-(1 - share) * disc.thickness / 0.03)
    light = scene.ambient * 0.6 * np.array(scene.ambient_colour, np.float32) * dim[..., None]
    for lamp, kept in zip(scene.lamps, shadows, strict=True):
        towards = np.array(lamp.position) - [disc.x, disc.y, 0.0]
        towards /= np.linalg.norm(towards)
        facing = np.clip(out[..., 0] * towards[0] + out[..., 1] * towards[1], 0, 1)
        level = lamp.strength * facing / towards[2] * kept
        light = light + level[..., None] * np.array(lamp.colour, np.float32)
    edge = 1 + 0.25 * np.exp(-(disc.top - height) / 0.02)
    return (_disc_colour(scene, disc) * light * edge[..., None]).astype(np.float32)


def _face_light(
    scene: Scene, disc: Disc, rays: Rays, points: Floats, shadows: list[Floats]
) -> Floats:
    u, v = ((points[..., axis] - c) / disc.radius for axis, c in ((0, disc.x), (1, disc.y)))
    across = np.hypot(*np.gradient(u)) if min(u.shape) > 1 else np.full_like(u, 0.05)
    slope = _face_slope(scene, disc, u, v, float(np.median(across)))
    colour = _disc_colour(scene, disc) * _face_pattern(scene, disc, u, v)[..., None]
    hollow = np.clip(1 - 0.18 * np.hypot(*slope), 0.6, 1)[..., None]
    light = scene.ambient * np.array(scene.ambient_colour, np.float32) * hollow
    shine = np.zeros_like(colour)
    for lamp, kept in zip(scene.lamps, shadows, strict=True):
        level = lighting.received(lamp, points, disc.top, slope)
        light = light + level * kept[..., None]
        bright = lighting.mirrored(lamp, rays, points, disc.top, scene.look.gloss, slope)
        shine = shine + bright * kept[..., None]
    for shade in scene.shades:
        dark = lighting.shade_shadow(points, scene.lamps[0], shade)[..., None]
        light, shine = scene.ambient + (light - scene.ambient) * dark, shine * dark
    return (colour * light + shine).astype(np.float32)


def _face_slope(
    scene: Scene, disc: Disc, u: Floats, v: Floats, pixel: float
) -> tuple[Floats, Floats]:
    """How the face rises towards x and y: bevelled edge, rim, grooves, emblem.

    `pixel` is a pixel's width in radii: finer features are flattened, as their light averages.
    """
    look = scene.look
    radius = np.hypot(u, v)

    def step(at: float, height: float, width: float) -> Floats:
        wide = max(width, pixel)
        return (height / wide * np.exp(-(((radius - at) / wide) ** 2))).astype(np.float32)

    bevel = max(0.05, look.edge * disc.thickness / disc.radius / 2)
    outward = -1.2 * smooth(1 - bevel - radius, bevel)
    if look.rim > 0:
        outward = outward + step(1 - look.rim, 0.035, 0.04)
    for groove in range(look.grooves):
        at = (1 - look.rim) * (groove + 1) / (look.grooves + 1.2)
        outward = outward - step(at - 0.022, 0.014, 0.02) + step(at + 0.022, 0.014, 0.02)
    unit = np.maximum(radius, 1e-3)
    rise_x, rise_y = outward * u / unit, outward * v / unit
    if look.emblem:
        turn = (disc.seed % 628) / 100
        cos, sin = np.cos(turn), np.sin(turn)
        a, b = (cos * u + sin * v).astype(np.float32), (cos * v - sin * u).astype(np.float32)
        rise_a, rise_b = materials.emblem_slope(a, b)
        rise_x = rise_x + 3 * (cos * rise_a - sin * rise_b)
        rise_y = rise_y + 3 * (sin * rise_a + cos * rise_b)
    return rise_x.astype(np.float32), rise_y.astype(np.float32)


def _face_pattern(scene: Scene, disc: Disc, u: Floats, v: Floats) -> Floats:
    turn = (disc.seed % 628) / 100
    along, across = np.cos(turn) * u + np.sin(turn) * v, np.cos(turn) * v - np.sin(turn) * u
    if scene.look.wood:
        lines = 0.13 * materials.grain(along + disc.seed % 50, across * 0.4, disc.seed)
        return np.exp(lines).astype(np.float32)
    return np.exp(0.025 * materials.noise(along + 5, across + 5, 2.0, disc.seed)).astype(np.float32)


# --- What changes between two frames --------------------------------------------------------


def changed_window(scene: Scene, discs: tuple[Disc, ...], hands: tuple[Hand, ...]) -> Window | None:
    """The part of the picture that these discs and hands, with their shadows, can touch."""
    balls = [ball for disc in discs for ball in lighting.disc_balls(disc)]
    for hand in hands:
        balls += [ball for cone in lighting.hand_balls(hand) for ball in cone]
        balls += [ball for disc in hand.held for ball in lighting.disc_balls(disc)]
    if not balls:
        return None
    bounds: list[Point] = lighting.reach_of(scene.lamps, balls)
    for x, y, z, radius in balls:
        # The contact shadow reaches a little beyond the disc itself.
        reach = radius + 3 * CONTACT_REACH
        bounds += [(x + a * reach, y + b * reach, z) for a in (-1, 1) for b in (-1, 1)]
    pixels = scene.view.project(np.array(bounds))
    return clipped(pixels, scene.view.lens.width, scene.view.lens.height)


def clipped(pixels: NDArray[np.float64], width: int, height: int) -> Window | None:
    """The part of a picture of this size that holds some pixels (number, 2), if any is in it."""
    pixels = np.clip(pixels, -FAR_AWAY, FAR_AWAY)
    left, upper = np.floor(pixels.min(axis=0)).astype(int) - 4
    right, lower = np.ceil(pixels.max(axis=0)).astype(int) + 5
    rows = slice(max(0, int(upper)), min(height, int(lower)))
    columns = slice(max(0, int(left)), min(width, int(right)))
    if rows.start >= rows.stop or columns.start >= columns.stop:
        return None
    return rows, columns

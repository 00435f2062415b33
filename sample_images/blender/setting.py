"""Builds a scene in Blender: board, discs, things, lamps and the camera.

Blender's frame is right-handed: its y is the board plane's y with the other sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import bpy
import mathutils
import numpy as np
from numpy.typing import NDArray

from calibration.model import View
from referee.board import SQUARES, Side, cell_of
from sample_images.blender import surfaces
from sample_images.blender.shapes import (
    Solid,
    box,
    crown_outline,
    disc_of,
    joined,
    prism,
    turned,
)
from sample_images.materials import numeral_place
from sample_images.pinhole import pinhole_size
from sample_images.scene import (
    CHEST,
    TABLE_HALF,
    Board,
    Disc,
    DiscLook,
    Lamp,
    Point,
    Scene,
    Shade,
    Table,
    Thing,
)

FLOOR_PLANK, TABLE_PLANK = 2.8, 2.2
"""Width of the boards of floor and table, in squares."""
FLOOR_DROP, ROOM_RADIUS, ROOM_HEIGHT = 14.5, 55.0, 50.0
SMOOTH_BELOW = math.radians(32)
"""Edges flatter than this are shaded as if they were round."""
DIGIT, WIDE = 0.69, 0.8
"""Height of a digit of Blender's own font, in its size, and its width, in its height."""
GROOVE_DEPTH = 0.06
"""Of the fold of a folding board."""


def placed(point: Iterable[float]) -> tuple[float, float, float]:
    """A point of the board plane in Blender's frame."""
    x, y, z = (float(v) for v in point)
    return x, -y, z


def add(name: str, solid: Solid, material: Any, at: Point = (0, 0, 0), turn: float = 0.0) -> Any:
    """Puts a solid on the stage, its own frame at `at` in the board plane."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(solid.vertices, [], solid.faces)
    mesh.shade_smooth()
    mesh.set_sharp_from_angle(angle=SMOOTH_BELOW)
    mesh.materials.append(material)
    return show(name, mesh, at, turn)


def show(name: str, mesh: Any, at: Point = (0, 0, 0), turn: float = 0.0) -> Any:
    """Puts a mesh, which several objects may share, on the stage."""
    thing = bpy.data.objects.new(name, mesh)
    thing.location = placed(at)
    thing.rotation_euler = (0.0, 0.0, -turn)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def bevelled(thing: Any, width: float) -> Any:
    """Rounds the edges of an object."""
    modifier = thing.modifiers.new("bevel", "BEVEL")
    modifier.width, modifier.segments = width, 2
    return thing


# --- The board -----------------------------------------------------------------------------


def add_board(board: Board) -> None:
    """Squares, border, line, frame and the body under them."""
    rng = np.random.default_rng(board.seed)
    for name, colour, parity in (("light", board.light, 0), ("dark", board.dark, 1)):
        material = surfaces.square(name, colour, board.texture, board.gloss, board.wear)
        _add_squares(board, parity, material, rng)
    if board.numerals:
        _add_numerals(board)
    _add_border(board)
    edge = board.margin
    body = box((-edge, -8 - edge, -board.thickness), (8 + edge, edge, -GROOVE_DEPTH / 2))
    trim = board.frame_colour if board.frame else board.border_colour
    bevelled(add("body", body, surfaces.plain("body", trim, 0.6)), 0.01)
    _add_frame(board)


def _lines(board: Board, across: bool) -> list[tuple[float, float]]:
    """From and to of the eight rows or columns; the two at the fold are a little narrower."""
    runs = [(float(i), float(i + 1)) for i in range(8)]
    if board.fold and board.fold_along_row == across:
        runs[3], runs[4] = (3.0, 4 - board.fold / 2), (4 + board.fold / 2, 5.0)
    return runs


def _add_squares(board: Board, parity: int, material: Any, rng: np.random.Generator) -> None:
    rows, columns = _lines(board, True), _lines(board, False)
    quads = [
        _quad(columns[column], rows[row])
        for row in range(8)
        for column in range(8)
        if (row + column) % 2 == parity
    ]
    thing = add(f"squares {parity}", joined(quads), material)
    spread = {"wood": 0.09, "print": 0.012}.get(board.texture, 0.02)
    tones = np.exp(rng.normal(0, spread, len(quads)))
    shifts = (
        rng.uniform(-20, 20, (len(quads), 3))
        if board.texture == "wood"
        else np.zeros((len(quads), 3))
    )
    thing.data.attributes.new("tone", "FLOAT", "FACE").data.foreach_set("value", tones)
    shift = thing.data.attributes.new("shift", "FLOAT_VECTOR", "FACE")
    shift.data.foreach_set("vector", shifts.ravel())


def _add_numerals(board: Board) -> None:
    """The numbers of the squares as White reads them, a hair above the board."""
    ink = surfaces.plain("ink", board.light, 0.8)
    for square in SQUARES:
        row, column = cell_of(square)
        curve = bpy.data.curves.new("numeral", "FONT")
        curve.body, curve.size = str(square), board.numerals / DIGIT
        curve.materials.append(ink)
        wide = DIGIT * curve.size * WIDE * len(curve.body)
        x, y = numeral_place(wide, board.numerals, board.numerals_aside)
        show("numeral", curve, (column + x, row + y, 0.0008))


def _quad(xs: tuple[float, float], ys: tuple[float, float], z: float = 0.0) -> Solid:
    corners = [(xs[0], ys[1]), (xs[1], ys[1]), (xs[1], ys[0]), (xs[0], ys[0])]
    return Solid(tuple(placed((x, y, z)) for x, y in corners), ((0, 1, 2, 3),))


def _ring(inner: float, outer: float, z: float = 0.0) -> Solid:
    """A flat ring between two distances from the playing area."""
    i, o = inner, outer
    return joined(
        [
            _quad((-o, 8 + o), (-o, -i), z),
            _quad((-o, 8 + o), (8 + i, 8 + o), z),
            _quad((-o, -i), (-i, 8 + i), z),
            _quad((8 + i, 8 + o), (-i, 8 + i), z),
        ]
    )


def _add_border(board: Board) -> None:
    gloss, wear = board.gloss, board.wear
    border = surfaces.square("border", board.border_colour, board.texture, gloss, wear)
    parts = [_ring(board.line, board.border)] if board.border > board.line else []
    things = [add("border", joined(parts), border)] if parts else []
    if board.line:
        ink = surfaces.square("line", board.line_colour, "print", gloss, wear)
        things.append(add("line", _ring(0.0, board.line), ink))
    for thing in things:
        faces = len(thing.data.polygons)
        thing.data.attributes.new("tone", "FLOAT", "FACE").data.foreach_set("value", [1.0] * faces)
    if board.fold:
        _add_fold(board)


def _add_fold(board: Board) -> None:
    """The dark bottom of the groove, a little above the border that it crosses."""
    reach, half = board.border, board.fold / 2
    dark = surfaces.plain("groove", (22, 18, 15), 0.9)
    along, across = (-reach, 8 + reach), (4 - half, 4 + half)
    spans = (along, across) if board.fold_along_row else (across, along)
    add("groove", _quad(*spans, z=-GROOVE_DEPTH / 3), dark)
    for low, high in ((-reach, 0.0), (8.0, 8 + reach)):
        end = (low, high)
        pair = (end, across) if board.fold_along_row else (across, end)
        add("groove end", _quad(*pair, z=0.0006), dark)


def _add_frame(board: Board) -> None:
    """Four mitred beams; the grain follows each."""
    if board.frame <= 0:
        return
    inner, outer = 4 + board.border, 4 + board.margin
    beam = prism(
        [(-inner, -inner), (-outer, -outer), (outer, -outer), (inner, -inner)],
        -board.thickness,
        max(board.frame_height, 0.004),
    )
    material = surfaces.wood("frame", board.frame_colour, board.gloss)
    for quarter in range(4):
        side = add("beam", beam, material, (4.0, 4.0, 0.0), quarter * math.pi / 2)
        bevelled(side, min(0.03, 0.4 * board.frame))


# --- Discs ---------------------------------------------------------------------------------


class Pieces:
    """The discs of one set: their meshes are made once."""

    def __init__(self, look: DiscLook) -> None:
        self._look = look
        self._meshes: dict[tuple[float, float, str], Any] = {}

    def add(self, disc: Disc) -> Any:
        """Puts a disc on the stage."""
        rng = np.random.default_rng(disc.seed)
        turn = float(rng.uniform(0, 2 * math.pi))
        thing = show("disc", self._mesh(disc), (disc.x, disc.y, disc.z), turn)
        shade = math.exp(float(rng.normal(0, 0.08 if self._look.wood else 0.03)))
        thing.color = (shade, *(float(v) for v in rng.uniform(0, 9, 2)), 1.0)
        return thing

    def _mesh(self, disc: Disc) -> Any:
        key = disc.radius, disc.thickness, disc.side.value
        if key not in self._meshes:
            self._meshes[key] = self._made(disc)
        return self._meshes[key]

    def _made(self, disc: Disc) -> Any:
        look = self._look
        solid = disc_of(disc.radius, disc.thickness, look)
        if look.emblem:
            low = disc.thickness * ((0.84 if look.rim else 0.98) - look.dish)
            crown = crown_outline(disc.radius * (1 - look.rim) * 0.72)
            solid = joined([solid, prism(crown, low, low + 0.1 * disc.thickness)])
        mesh = bpy.data.meshes.new(f"disc {disc.side.value}")
        mesh.from_pydata(solid.vertices, [], solid.faces)
        mesh.shade_smooth()
        mesh.set_sharp_from_angle(angle=SMOOTH_BELOW)
        colour = look.colour(disc.side)
        mesh.materials.append(surfaces.disc(disc.side.value, colour, look.wood, look.gloss))
        return mesh


# --- The room ------------------------------------------------------------------------------


def add_room(scene: Scene) -> None:
    """Table, floor and walls; these light nothing and throw no shadow."""
    z = -scene.board.thickness
    across, along = TABLE_HALF
    top = box((4 - across, -4 - along, z - 0.6), (4 + across, -4 + along, z))
    bevelled(add("table", top, _table_surface(scene.table)), 0.08)
    rng = np.random.default_rng(scene.table.seed)
    floor = _quad((-ROOM_RADIUS, ROOM_RADIUS), (-ROOM_RADIUS, ROOM_RADIUS))
    timber = surfaces.wood("floor", scene.table.floor, 0.5, plank=FLOOR_PLANK)
    add("floor", floor, timber, (4, 4, z - FLOOR_DROP), float(rng.uniform(0, math.pi)))
    _add_walls(z - FLOOR_DROP, rng)
    _add_chairs(scene, rng)


def _table_surface(table: Table) -> Any:
    if table.texture == "wood":
        return surfaces.wood("table", table.colour, 0.5, plank=TABLE_PLANK)
    if table.texture == "cloth":
        return surfaces.cloth("table", table.colour, creases=0.05)
    return surfaces.plain("table", table.colour, 0.4)


def _add_walls(low: float, rng: np.random.Generator) -> None:
    high, tone = low + ROOM_HEIGHT, int(rng.integers(120, 215))
    quads = []
    turns = np.linspace(0, 2 * math.pi, 5) + rng.uniform(0, 1.5)
    for first, last in pairwise(turns):
        ends = [(ROOM_RADIUS * math.cos(t), ROOM_RADIUS * math.sin(t)) for t in (first, last)]
        corners = [(*ends[0], low), (*ends[1], low), (*ends[1], high), (*ends[0], high)]
        quads.append(Solid(tuple(corners), ((0, 1, 2, 3),)))
    walls = add("walls", joined(quads), surfaces.plain("walls", (tone, tone, tone - 8), 0.9))
    parts = [walls, *_add_windows(turns, low, rng)]
    for part in parts:
        # They light nothing: all the light of a scene comes from its lamps and from everywhere.
        part.visible_shadow = part.visible_diffuse = False


def _add_windows(turns: NDArray[np.float64], low: float, rng: np.random.Generator) -> list[Any]:
    """On each wall a skirting board, and a bright window, a picture or nothing."""
    frame = surfaces.plain("trim", (225, 222, 214), 0.5)
    pane = surfaces.glowing("pane", (225, 235, 255), float(rng.uniform(1.0, 2.5)))
    dull = surfaces.wood("picture", (95, 80, 70), 0.6)
    parts = []
    for first, last in pairwise(turns):
        middle, half = (first + last) / 2, abs(math.sin((last - first) / 2)) * ROOM_RADIUS
        away = ROOM_RADIUS * math.cos((last - first) / 2)
        at = (away * math.cos(middle), -away * math.sin(middle), low)
        turn = -middle
        parts.append(add("skirting", box((-0.6, -half, 0), (-0.2, half, 3.0)), frame, at, turn))
        kind = rng.choice(["window", "picture", "bare"], p=[0.45, 0.3, 0.25])
        if kind != "bare":
            place, wide = float(rng.uniform(-0.3, 0.3)) * half, float(rng.uniform(8, 16))
            foot, high = (18.0, 44.0) if kind == "window" else (26.0, 40.0)
            edge = box((-0.5, place - wide - 1, foot - 1), (-0.1, place + wide + 1, high + 1))
            inside = [
                box((-0.8, place + a, foot), (-0.3, place + b, high))
                for a, b in ((-wide, -0.6), (0.6, wide))
            ]
            inner = pane if kind == "window" else dull
            parts += [add("rim", edge, frame, at, turn), add(kind, joined(inside), inner, at, turn)]
    return parts


def _add_chairs(scene: Scene, rng: np.random.Generator) -> None:
    """Where nobody sits there is a chair, pushed back a little."""
    z = -scene.board.thickness
    taken = {thing.y > 4 for thing in scene.things if thing.kind == "body"}
    taken |= {hand.side is Side.WHITE for hand in scene.hands}
    for near in (False, True):
        if near in taken or rng.random() < 0.3:
            continue
        turn = float(rng.normal(0, 0.2)) + (math.pi if near else 0.0)
        away = TABLE_HALF[1] + float(rng.uniform(2.5, 6.0))
        at = (float(rng.normal(4, 1.5)), 4 + (away if near else -away), z - FLOOR_DROP)
        material = surfaces.wood("chair", (int(rng.integers(50, 150)), 55, 38), 0.4)
        bevelled(add("chair", _chair(), material, at, turn), 0.15)


def _chair() -> Solid:
    """Seat, four legs and a back of slats; its back towards y in Blender's frame."""
    seat = box((-4.2, -4.2, 8.2), (4.2, 4.2, 9.0))
    legs = [box((x, y, 0), (x + 0.7, y + 0.7, 8.2)) for x in (-4, 3.3) for y in (-4, 3.3)]
    slats = [box((-3.8, 3.6, up), (3.8, 4.1, up + 1.6)) for up in (11.0, 14.0, 17.0)]
    posts = [box((x, 3.5, 9), (x + 0.7, 4.2, 18.8)) for x in (-4.2, 3.5)]
    return joined([seat, *legs, *slats, *posts])


def add_thing(scene: Scene, thing: Thing) -> None:
    """One of the things beside the board."""
    maker = {
        "cup": _cup,
        "sheet": _sheet,
        "clock": _clock,
        "phone": _phone,
        "pen": _pen,
        "body": _body,
    }.get(thing.kind, _box)
    maker(thing, (thing.x, thing.y, -scene.board.thickness))


def _brick(thing: Thing, at: Point, material: Any, edge: float) -> Any:
    half = thing.length / 2, thing.width / 2
    solid = box((-half[0], -half[1], 0.0), (*half, thing.height))
    return bevelled(add(thing.kind, solid, material, at, thing.angle), edge)


def _box(thing: Thing, at: Point) -> None:
    _brick(thing, at, surfaces.wood("box", thing.colour), 0.04)


def _cup(thing: Thing, at: Point) -> None:
    radius, height = thing.length / 2 * 0.8, thing.height
    outer = [(1e-4, 0.0), (radius * 0.8, 0.0), (radius, 0.25 * height), (radius, height)]
    inner = [(0.9 * radius, height), (0.9 * radius, 0.4 * height), (1e-4, 0.35 * height)]
    add("cup", turned(outer + inner, 64), surfaces.plain("cup", thing.colour, 0.15), at)
    drink = turned([(1e-4, 0.0), (0.9 * radius, 0.0), (0.9 * radius, 0.01), (1e-4, 0.01)], 48)
    coffee = surfaces.plain("drink", (52, 30, 18), 0.05)
    add("drink", drink, coffee, (at[0], at[1], at[2] + 0.82 * height))
    mesh = bpy.data.curves.new("handle", "CURVE")
    mesh.dimensions, mesh.bevel_depth = "3D", 0.09 * radius / 0.7
    line = mesh.splines.new("BEZIER")
    line.bezier_points.add(2)
    shape = ((0.95, 0.25), (1.6, 0.52), (0.95, 0.8))
    for knot, (out, up) in zip(line.bezier_points, shape, strict=True):
        knot.co = (out * radius, 0.0, up * height)
        knot.handle_left_type = knot.handle_right_type = "AUTO"
    mesh.materials.append(bpy.data.materials["cup"])
    show("handle", mesh, at, thing.angle)


def _sheet(thing: Thing, at: Point) -> None:
    """A score sheet: ruled, partly written."""
    _brick(thing, at, surfaces.plain("paper", (238, 236, 228), 0.8), 0.001)
    rng = np.random.default_rng(thing.seed)
    top = thing.height + 0.002
    half = thing.length / 2, thing.width / 2
    rules, ink = [], []
    for share in np.linspace(-0.8, 0.9, 20):
        y = share * half[1]
        rules.append(_quad((-0.9 * half[0], 0.9 * half[0]), (y, y + 0.012), top))
        for start in np.arange(-0.85, rng.uniform(-0.8, 0.9), 0.16):
            for stroke in rng.uniform(0, 0.11, 4):
                x = (start + stroke) * half[0]
                ink.append(_quad((x, x + 0.03), (y - 0.12, y - rng.uniform(0.02, 0.06)), top))
    add("rules", joined(rules), surfaces.plain("rule", (130, 140, 165), 0.8), at, thing.angle)
    if ink:
        add("ink", joined(ink), surfaces.plain("ink", (35, 40, 90), 0.8), at, thing.angle)


def _clock(thing: Thing, at: Point) -> None:
    """A chess clock with two displays and a rocker."""
    _brick(thing, at, surfaces.plain("case", thing.colour, 0.35), 0.12)
    pale = surfaces.plain("display", (150, 165, 145), 0.1)
    half = thing.length / 2, thing.width / 2
    for side in (-1, 1):
        low, high = sorted((side * 0.12 * half[0], side * 0.85 * half[0]))
        dial = box((low, -0.75 * half[1], 0), (high, 0.1 * half[1], thing.height + 0.01))
        add("display", dial, pale, at, thing.angle)
    bar = box(
        (-0.8 * half[0], 0.35 * half[1], thing.height - 0.05),
        (0.8 * half[0], 0.8 * half[1], thing.height + 0.18),
    )
    rocker = add("rocker", bar, surfaces.plain("rocker", (205, 200, 190), 0.4), at, thing.angle)
    rocker.rotation_euler[1] = 0.06
    bevelled(rocker, 0.05)


def _phone(thing: Thing, at: Point) -> None:
    _brick(thing, at, surfaces.plain("phone", thing.colour, 0.3), 0.06)
    half = 0.95 * thing.length / 2, 0.92 * thing.width / 2
    glass = box((-half[0], -half[1], thing.height), (*half, thing.height + 0.008))
    add("glass", glass, surfaces.glass_screen("glass"), at, thing.angle)


def _pen(thing: Thing, at: Point) -> None:
    radius = thing.width / 2
    shape = [
        (1e-4, 0),
        (0.3 * radius, 0),
        (radius, 0.15 * thing.length),
        (radius, thing.length),
        (1e-4, thing.length),
    ]
    pen = add(
        "pen",
        turned(shape, 20),
        surfaces.plain("pen", thing.colour, 0.25),
        (at[0], at[1], at[2] + radius),
    )
    pen.rotation_euler = (0.0, math.pi / 2, -thing.angle)


def _body(thing: Thing, at: Point) -> None:
    """A seated player's chest, from below the table's edge."""
    half = thing.length / 2
    shape = [(1e-4, -6.0), (0.9, -5.5), *CHEST, (1e-4, 6.8)]
    chest = turned([(wide * half, up * thing.height / 6) for wide, up in shape], 48)
    body = add("chest", chest, surfaces.cloth("shirt", thing.colour, creases=0.14), at, thing.angle)
    body.scale = (1.0, thing.width / thing.length, 1.0)


# --- Light and camera ----------------------------------------------------------------------


def add_lamp(lamp: Lamp) -> None:
    """A round lamp that faces the board and adds `strength` in its middle."""
    light = bpy.data.lights.new("lamp", "AREA")
    light.shape, light.size = "DISK", 2 * lamp.radius
    away = np.array(lamp.position) - [4, 4, 0]
    distance = float(np.linalg.norm(away))
    facing = max(float(away[2]) / distance, 0.05)
    # A lamp of P watts gives an even surface the radiance P cos / (pi d)^2, if it is small.
    light.energy = lamp.strength * (math.pi**2) * (distance**2 + lamp.radius**2) / facing
    light.color = lamp.colour
    thing = show("lamp", light, lamp.position)
    thing.visible_camera = False
    aim(thing, (4.0, 4.0, 0.0))


def aim(thing: Any, target: Point) -> None:
    """Turns an object so that its own -z looks at a point."""
    way = mathutils.Vector(placed(target)) - thing.location
    thing.rotation_euler = way.to_track_quat("-Z", "Y").to_euler()


def add_shade(shade: Shade) -> None:
    """A sheet that is seen by nothing but the light."""
    corners = tuple(placed(corner) for corner in shade.corners)
    sheet = Solid(corners, (tuple(range(len(corners))),))
    thing = add("shade", sheet, surfaces.plain("shade", (40, 40, 40)))
    thing.visible_camera = thing.visible_glossy = thing.visible_diffuse = False


def light_from_everywhere(strength: float, colour: Sequence[float]) -> None:
    """The same from every side."""
    world = bpy.data.worlds.new("world")
    world.use_nodes = True
    bpy.context.scene.world = world
    background = world.node_tree.nodes["Background"]
    background.inputs[0].default_value = (*colour, 1.0)
    background.inputs[1].default_value = strength


def add_camera(view: View) -> None:
    """A pinhole with the view's pose and focal length, large enough for its lens."""
    width, height = pinhole_size(view.lens)
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit, camera.sensor_width = "HORIZONTAL", 36.0
    camera.lens = view.lens.focal_px * camera.sensor_width / width
    camera.clip_start, camera.clip_end = 0.05, 500.0
    thing = bpy.data.objects.new("camera", camera)
    # OpenCV looks along +z with y down, Blender along -z with y up; so do their boards differ.
    flip = np.diag([1.0, -1.0, -1.0])
    turned_pose = np.eye(4)
    turned_pose[:3, :3] = flip @ view.pose.rotation_matrix @ flip
    turned_pose[:3, 3] = flip @ np.array(view.pose.translation)
    thing.matrix_world = mathutils.Matrix(np.linalg.inv(turned_pose).tolist())
    stage = bpy.context.scene
    stage.collection.objects.link(thing)
    stage.camera = thing
    stage.render.resolution_x, stage.render.resolution_y = width, height
    stage.render.resolution_percentage = 100

"""Traces scenes with Cycles: linear light, and a mask of what an arm hides."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy
import cv2
import mathutils
import numpy as np
from numpy.typing import NDArray

from sample_images.blender import flesh, setting
from sample_images.blender.setting import placed
from sample_images.pinhole import distort, pinhole_window, shown_by
from sample_images.rays import Window
from sample_images.scene import Disc, Hand, Point, Scene
from sample_images.sensor import Light

Mask = NDArray[np.uint8]
"""255 where something is in the way, (height, width)."""

SAMPLES, SWEPT_SAMPLES = 3, 6
"""For each pixel, before denoising; more could hardly be told apart after it. A moving hand needs
more of them, as each shows it in another place."""
BOUNCES = 2
NEAREST = 0.1
"""Squares before the camera; what is nearer is beside the picture or fills it."""
FIREFLY = 12.0
"""Brighter indirect light is cut, or single pixels stay white after denoising."""


class Tracer:
    """A scene built once, in which discs and hands come and go."""

    def __init__(self, scene: Scene, threads: int = 1) -> None:
        """Builds all of the scene that does not move."""
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self._view = scene.view
        setting.add_room(scene)
        setting.add_board(scene.board)
        self._pieces = setting.Pieces(scene.look)
        for thing in scene.things:
            setting.add_thing(scene, thing)
        for lamp in scene.lamps:
            setting.add_lamp(lamp)
        for shade in scene.shades:
            setting.add_shade(shade)
        setting.light_from_everywhere(scene.ambient, scene.ambient_colour)
        setting.add_camera(scene.view)
        _settings(scene.seed, threads)
        self._lying: list[Any] = []
        self._arms: list[Any] = []

    def move(
        self, discs: tuple[Disc, ...], hands: tuple[Hand, ...], sweep: Point = (0.0, 0.0, 0.0)
    ) -> None:
        """Takes away all discs and hands and puts these there.

        Hands and what they hold move by `sweep` while the shutter is open, half of it before
        and half after the place where they are.
        """
        _remove([*self._lying, *self._arms])
        self._lying = [self._pieces.add(disc) for disc in discs]
        self._arms = []
        for hand in hands:
            self._arms += flesh.add_hand(hand)
            self._arms += [self._pieces.add(disc) for disc in hand.held]
        for thing in self._arms:
            _swept(thing, sweep)
        bpy.context.scene.render.use_motion_blur = any(sweep)
        bpy.context.scene.cycles.samples = SWEPT_SAMPLES if any(sweep) else SAMPLES
        bpy.context.view_layer.update()

    def light(self, window: Window | None = None) -> Light:
        """Linear light (h, w, 3) through the scene's lens; black outside the window."""
        render = bpy.context.scene.render
        render.use_border = window is not None
        if window is not None:
            left, right, low, high = pinhole_window(self._view.lens, window)
            render.border_min_x, render.border_max_x = left, right
            render.border_min_y, render.border_max_y = low, high
        return distort(_rendered(), self._view.lens)

    def arms(self) -> Mask:
        """Where hands, sleeves and what they hold are in the picture."""
        mask = np.zeros((self._view.lens.height, self._view.lens.width), np.uint8)
        for thing in self._arms:
            points = _points(thing)
            pixels, seen = self._view.project(points), shown_by(self._view, points, NEAREST)
            for face in thing.data.polygons:
                corners = list(face.vertices)
                if seen[corners].all():
                    outline = np.round(pixels[corners]).astype(np.int32)
                    cv2.fillConvexPoly(mask, outline, 255)
        return mask

    def arm_points(self) -> NDArray[np.float64]:
        """Vertices of the hands in the board plane's frame, (n, 3)."""
        return np.concatenate([_points(thing) for thing in self._arms])


def traced(scene: Scene, threads: int = 1, sweep: Point = (0.0, 0.0, 0.0)) -> tuple[Light, Mask]:
    """A whole scene's light, and where an arm is in the way; see `Tracer.move` for `sweep`."""
    tracer = Tracer(scene, threads)
    tracer.move((*scene.discs, *scene.captured), scene.hands, sweep)
    return tracer.light(), tracer.arms()


def _swept(thing: Any, sweep: Point) -> None:
    """Lets an object pass through its place, straight and evenly."""
    if not any(sweep):
        return
    # The shutter is open for half a frame, so a whole one takes it twice as far.
    middle, way = thing.location.copy(), mathutils.Vector(placed(sweep)) * 2
    frame = bpy.context.scene.frame_current
    for step in (-1, 1):
        thing.location = middle + way * step
        thing.keyframe_insert("location", frame=frame + step)
    for curve in thing.animation_data.action.fcurves:
        for knot in curve.keyframe_points:
            knot.interpolation = "LINEAR"
    bpy.context.scene.frame_set(frame)


def _points(thing: Any) -> NDArray[np.float64]:
    """The vertices of an object in the board plane's frame."""
    matrix = np.array(thing.matrix_world)
    places = flesh.vertices_of(thing.data) @ matrix[:3, :3].T + matrix[:3, 3]
    return np.asarray(places * [1.0, -1.0, 1.0])


def _remove(things: list[Any]) -> None:
    for thing in things:
        mesh = thing.data
        bpy.data.objects.remove(thing)
        if mesh.users == 0 and not mesh.name.startswith("disc"):
            bpy.data.meshes.remove(mesh)
    for material in [m for m in bpy.data.materials if m.users == 0]:
        bpy.data.materials.remove(material)


def _settings(seed: int, threads: int) -> None:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    cycles = scene.cycles
    cycles.device, cycles.seed = "CPU", seed % (1 << 31)
    cycles.use_adaptive_sampling = False
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
    cycles.denoising_prefilter, cycles.denoising_quality = "NONE", "BALANCED"
    cycles.max_bounces = cycles.diffuse_bounces = cycles.glossy_bounces = BOUNCES
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = FIREFLY
    cycles.pixel_filter_type, cycles.filter_width = "BLACKMAN_HARRIS", 1.3
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "16"


@contextmanager
def _silence() -> Iterator[None]:
    """Keeps Blender, which tells each step on the standard output, from doing so."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def _rendered() -> Light:
    """The pinhole's picture, (height, width, 3), top row first."""
    render = bpy.context.scene.render
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "light.exr"
        render.filepath = str(path)
        with _silence():
            bpy.ops.render.render(write_still=True)
        picture = bpy.data.images.load(str(path))
        picture.colorspace_settings.name = "Non-Color"
        width, height = picture.size
        flat = np.empty(width * height * 4, dtype=np.float32)
        picture.pixels.foreach_get(flat)
        bpy.data.images.remove(picture)
    return np.ascontiguousarray(flat.reshape(height, width, 4)[::-1, :, :3])

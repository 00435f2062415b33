"""Builds a player's arm in Blender: bones melted into one skin, nails, a sleeve in folds."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from sample_images.blender import anatomy, surfaces
from sample_images.blender.setting import add, placed
from sample_images.blender.shapes import Solid, joined, rod, sleeve
from sample_images.scene import Hand, shoulder_of

VOXEL = 0.035
"""Of the skin, in squares: a fingertip is about seven of them wide."""
SMOOTHINGS = 14


def add_hand(hand: Hand) -> list[Any]:
    """Puts an arm on the stage; answers the objects that hide what lies behind them."""
    tone = surfaces.skin("skin", hand.skin)
    parts = [_skin(hand, tone), *_nails(hand), _sleeve(hand)]
    return parts


def _skin(hand: Hand, tone: Any) -> Any:
    rods = [
        rod(np.array(placed(bone.start)), np.array(placed(bone.end)), bone.radii)
        for bone in anatomy.bones(hand)
    ]
    arm = add("arm", joined(rods), tone)
    melt = arm.modifiers.new("melt", "REMESH")
    melt.mode, melt.voxel_size, melt.use_smooth_shade = "VOXEL", VOXEL * hand.size, True
    soften = arm.modifiers.new("soften", "SMOOTH")
    soften.factor, soften.iterations = 0.5, SMOOTHINGS
    _apply(arm)
    _blush(arm.data, hand)
    return arm


def _apply(thing: Any) -> None:
    """Replaces an object's mesh by what its modifiers make of it."""
    graph = bpy.context.evaluated_depsgraph_get()
    mesh = bpy.data.meshes.new_from_object(thing.evaluated_get(graph))
    thing.modifiers.clear()
    thing.data = mesh
    mesh.shade_smooth()


def vertices_of(mesh: Any) -> NDArray[np.float64]:
    """Of a Blender mesh, (n, 3)."""
    flat = np.empty(3 * len(mesh.vertices))
    mesh.vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3)


def _blush(mesh: Any, hand: Hand) -> None:
    """Redder skin near fingertips and joints."""
    places = vertices_of(mesh)
    red = np.zeros(len(places))
    for chain in anatomy.finger_joints(hand).values():
        for joint, much in zip(chain[1:], (0.35, 0.3, 0.35, 0.75), strict=False):
            away = np.linalg.norm(places - placed(joint), axis=1)
            red = np.maximum(red, much * np.exp(-((away / (0.3 * hand.size)) ** 2)))
    mesh.attributes.new("blush", "FLOAT", "POINT").data.foreach_set("value", red)


def _nails(hand: Hand) -> list[Any]:
    pale = tuple(int(0.68 * channel + 0.32 * 240) for channel in hand.skin)
    gloss = surfaces.plain("nail", (pale[0], int(pale[1] * 0.93), int(pale[2] * 0.93)), 0.28)
    return [add("nail", _nail(nail), gloss) for nail in anatomy.nails(hand)]


def _nail(nail: anatomy.Nail) -> Solid:
    """A curved plate, longer than wide."""
    place, ahead, up = (np.array(placed(v)) for v in (nail.place, nail.ahead, nail.up))
    aside = np.cross(ahead, up)
    steps = np.linspace(-1, 1, 9)
    vertices = []
    for along in steps:
        for across in steps:
            wide = 0.8 * np.sqrt(max(1 - along**4 * 0.7, 0.0))
            drop = 0.28 * across**2 + 0.1 * along**2
            vertices.append(place + nail.half * (ahead * along + aside * across * wide - up * drop))
    faces = tuple(
        (row * 9 + col, row * 9 + col + 1, row * 9 + col + 10, row * 9 + col + 9)
        for row in range(8)
        for col in range(8)
    )
    return Solid(tuple(tuple(float(v) for v in vertex) for vertex in vertices), faces)  # type: ignore[misc]


def _sleeve(hand: Hand) -> Any:
    """From the shoulder over the elbow to the cuff."""
    elbow, wrist = np.array(hand.elbow), np.array(hand.wrist)
    cuff = elbow + (wrist - elbow) * hand.cuff
    path = [np.array(placed(v)) for v in (shoulder_of(hand), elbow, cuff)]
    radii = [1.25 * hand.size, 1.02 * hand.size, 0.74 * hand.size]
    seed = int(abs(hand.elbow[0]) * 1000) % 97
    tube = sleeve(path, radii, np.random.default_rng(seed))
    cloth = surfaces.cloth("sleeve", hand.sleeve, 36.0, creases=0.22 * hand.size)
    return add("sleeve", tube, cloth)

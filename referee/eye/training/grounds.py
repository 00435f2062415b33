"""Pieces that are seen several times where they stand, with the ground around them: from these the
network of `shadows` learns.

Most of the boards are seen from nearly above: from there the ground tells the most.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.eye.patches import Floats, lean_in_plane
from referee.eye.portraits import Portraits
from referee.eye.shadows import BORDER, ground_of
from referee.eye.training import examples, repeats
from sample_images.scene import Scene
from sample_images.variety import random_scene

FIRST = 600_000
"""Seeds of these boards begin here: no other network learns from any of them."""
ASLANT, SHARE = 0.5, 0.25
"""How much pieces lean on a board that is seen from far aside, and the share of these that is
drawn: about what there is of the others."""


@dataclass(frozen=True)
class Grounds:
    """n discs: those of one place are of one piece of one set in one light."""

    pixels: NDArray[np.uint8]
    """(n, HEIGHT, WIDTH, 3), of the disc itself, blue green red."""
    ground: Floats
    """(n, RINGS, WAYS), see `shadows.ground_of`."""
    light: Floats
    lean: Floats
    radius: Floats
    king: NDArray[np.bool_]
    thickness: Floats
    place: NDArray[np.int64]
    """See `Repeats`."""


def chosen(count: int) -> list[int]:
    """Numbers of boards to be drawn, of so many: all that are seen from nearly above, and some."""
    return [number for number in range(count) if _is_chosen(FIRST + number)]


def _is_chosen(seed: int) -> bool:
    leans = np.linalg.norm(lean_in_plane(_scene(seed).view), axis=1)
    return bool(np.median(leans) <= ASLANT or np.random.default_rng(seed).random() <= SHARE)


def _scene(seed: int) -> Scene:
    return examples.reduced(random_scene(repeats.FIRST + seed, contents="start"))


def grounds_of(number: int) -> tuple[Grounds]:
    """The discs of one board, its seed counted from `FIRST`."""
    seed = FIRST + number
    seen = repeats.met_again(_scene(seed), repeats.FIRST + seed, BORDER)
    portraits = Portraits(seen.pixels, seen.lean, seen.radius)
    pixels, ground = portraits.without(BORDER).pixels, ground_of(portraits, seen.light)
    truth = seen.king, seen.thickness, seen.place
    return (Grounds(pixels, ground, seen.light, seen.lean, seen.radius, *truth),)

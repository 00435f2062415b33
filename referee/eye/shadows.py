"""Has a piece a disc more, or less, than before a hand was at it? The ground around it tells, too.

From nearly straight above the wall of a disc is hardly seen, and what looks at the disc itself has
little to go by. But two discs throw twice the shadow of one. So what the ground has lost of its
light now is set beside what it had lost before, ring by ring around the piece. Lamps stand
anywhere: the network is the same all around. Run by OpenCV's `dnn`.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.eye.light import logarithm
from referee.eye.network import Network
from referee.eye.patches import Floats
from referee.eye.portraits import ABOVE, ASIDE, PIXELS_A_RADIUS, Portraits
from referee.eye.ranker import BRIGHTEST, FAINTEST
from referee.eye.recaller import LESS, MORE, SAME

BORDER = 26
"""Pixels around a portrait, about a radius: so far the shadow of two discs mostly falls."""
RINGS, WAYS = 16, 48
"""Circles around a piece, and points of each, the first of them where the piece leans to."""
NEAREST, FURTHEST = 0.75, 2.2
"""Radii of the first ring and of the last, in those of the disc."""
OVERLAP = 6
"""Points by which the network's input goes on beyond its first and before its last way: as many as
its convolutions lose of it."""
CHANNELS = 4
"""The ground before, its change since, how much each way leans, and how far out each ring is."""
UTMOST = 1.5
"""Nats within which changes are kept."""
OUTSIDE = 4
"""The first ring that surely lies outside of the disc, though it is a little askew."""


def ground_of(portraits: Portraits, light: Floats) -> Floats:
    """(n, RINGS, WAYS): log brightness around the discs on portraits with a `BORDER`.

    `light` (n, 3) is the log colour that a bare light square would have at each disc.
    """
    if len(portraits.pixels) == 0:
        return np.zeros((0, RINGS, WAYS), np.float32)
    log = logarithm(np.stack([_half(one) for one in portraits.pixels]))
    grey = np.clip(log - light[:, None, None, :], FAINTEST, BRIGHTEST).mean(axis=-1)
    parts = [share * grey[:, down, right] for share, down, right in _points()]
    return np.asarray(np.sum(parts, axis=0), np.float32)


def _half(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    small = cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


@cache
def _points() -> tuple[tuple[Floats, NDArray[np.intp], NDArray[np.intp]], ...]:
    """Of all points of all rings the pixels around them, with their shares."""
    way = np.arange(WAYS) * (2 * np.pi / WAYS)
    ring = np.linspace(NEAREST, FURTHEST, RINGS)[:, None] * PIXELS_A_RADIUS / 2
    right = (BORDER + ASIDE * PIXELS_A_RADIUS - 1) / 2 + ring * np.sin(way)
    down = (BORDER + ABOVE * PIXELS_A_RADIUS - 1) / 2 - ring * np.cos(way)
    left, top = np.floor(right).astype(np.intp), np.floor(down).astype(np.intp)
    across, along = (right - left).astype(np.float32), (down - top).astype(np.float32)
    return (
        ((1 - along) * (1 - across), top, left),
        ((1 - along) * across, top, left + 1),
        (along * (1 - across), top + 1, left),
        (along * across, top + 1, left + 1),
    )


class Shadows(Network):
    """The network."""

    FILE = "shadows.onnx"
    BATCH = 8
    """Pairs judged at once."""

    def compare(self, before: Floats, after: Floats, lean: Floats) -> Floats:
        """(n, 2): how much likelier the ground makes a disc more, and one less, than neither, in
        nats beyond what the recaller says.

        Both (n, RINGS, WAYS) are as `ground_of` has them, `lean` (n,) as `Portraits` has it.
        """
        scores = self.scores(pair(before, after, lean))
        return np.asarray(scores[:, [MORE, LESS]] - scores[:, [SAME]], np.float32)


def sway(before: Floats, after: Floats) -> Floats:
    """(n,): by how much a tenth of the ground around each piece at least has changed, in nats."""
    change = after - before
    change = np.abs(change - np.median(change, axis=(1, 2), keepdims=True))
    return np.asarray(np.percentile(change[:, OUTSIDE:], 90, axis=(1, 2)), np.float32)


def pair(before: Floats, after: Floats, lean: Floats) -> Floats:
    """(n, CHANNELS, RINGS, WAYS + 2 OVERLAP): what the network is given.

    That all the ground has become brighter or darker is no matter.
    """
    change = np.clip(after - before, -UTMOST, UTMOST)
    change -= np.median(change, axis=(1, 2), keepdims=True)
    leaning = np.cos(np.arange(WAYS) * (2 * np.pi / WAYS)) * lean[:, None, None]
    far = np.linspace(NEAREST, FURTHEST, RINGS)[:, None] - (NEAREST + FURTHEST) / 2
    shape = before.shape
    channels = (before, 2 * change, np.broadcast_to(leaning, shape), np.broadcast_to(far, shape))
    whole = np.stack(channels, axis=1).astype(np.float32)
    return np.concatenate([whole[..., -OVERLAP:], whole, whole[..., :OVERLAP]], axis=-1)

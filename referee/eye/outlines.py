"""How high a disc stands, by where its colour ends: no network, so it errs elsewhere than one.

In a portrait what stands up leans to the top. There the upper disc of a king comes out behind where
a man ends, and lies where a man leaves the board in view. So the colour of that crescent is
compared with the disc's own, and with what lies around the disc, lit or in its shadow. Where these
are alike all around little is told; a dark rim behind a dark man alone may pass for a disc.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Levels, Mask
from referee.eye.patches import Floats
from referee.eye.portraits import ABOVE, HEIGHT, PIXELS_A_RADIUS, WIDTH, Portraits
from referee.eye.stacks import man_chances

SAMPLES = 48
"""Pixels looked at of a crescent, of a disc and of what is around it."""
NEAREST = 2
"""So many of the others may be nearer: single pixels prove nothing."""
ALIKE = 5.0
"""Colours nearer than this, in CIE Lab, are not told apart."""
SHADOW = 0.5
"""What a disc's shadow leaves of the light."""
STEPS = 32
"""Outlines are drawn for heights of so many parts of a radius."""
HIGHEST = ABOVE / 2 - 0.51
"""Radii by which a disc may lean, so that a king is whole in its portrait."""
WITHIN, OUTSIDE = 0.88, 1.1
"""Radii of an upper disc and of a man that leave out what a misplaced centre would blur..."""
BODY, AROUND = 0.8, 1.18
"""...and of what certainly is disc, and what is none."""
USUAL, FEW = -1.4, 1.5
"""What the outline of a man says where nothing is known of the set, which counts as so many men."""
WEIGHT, BETWEEN = 3.0, 0.6
"""Nats a disc is a king by, for how much more its outline says than those of men, and where that is
as likely of either."""
LEAST, MOST = -1.0, 2.5
"""The least and the most by which an outline differs from those of men."""
PLAIN = -0.4
"""What an outline must say for itself to be a king's, however little those of men say: before a
rim of nearly the disc's colour it says about nothing."""


def outline_odds(told: Floats, odds: Levels, side: Levels, presence: Levels) -> Levels:
    """Log-odds (n,) for kings by what outlines (n,) have `told`, set beside those of the picture's
    other men; 0 where nothing was told.

    `odds` (n,) are those of a king by all else, `side` (n,) for the lighter side, `presence` (n,)
    is the probability of a disc.
    """
    seen = ~np.isnan(told)
    said = np.where(seen, told, 0.0)
    men = seen * presence * man_chances(odds)
    mates = men * ((side > 0)[:, None] == (side > 0)[None, :])
    np.fill_diagonal(mates, 0.0)
    usual = (mates @ said + FEW * USUAL) / (mates.sum(axis=1) + FEW)
    lead = np.clip(said - usual, LEAST, MOST) - BETWEEN
    plain = np.maximum(said - PLAIN, LEAST - BETWEEN)
    return np.asarray(np.where(seen, WEIGHT * np.minimum(lead, plain), 0.0), np.float64)


def outlines(portraits: Portraits, thickness: float) -> Floats:
    """(n,): how much rather the crescent has the disc's colour than the board's, as a logarithm:
    about -1.4 for a man, 0.7 for a king; NaN where a king stands hardly out behind a man.

    `thickness` is that of the set's discs, in squares.
    """
    told = np.full(len(portraits.pixels), np.nan, np.float32)
    heights = np.minimum(portraits.lean * thickness / portraits.radius, HIGHEST)
    places = [_places(round(STEPS * height)) for height in heights.tolist()]
    seen = [number for number, place in enumerate(places) if place is not None]
    if seen:
        flat = portraits.pixels.reshape(len(told), -1, 3)
        where = np.stack([place for place in places if place is not None])
        told[seen] = _compared(np.stack([flat[n][w] for n, w in zip(seen, where, strict=True)]))
    return told


def _compared(looked_at: NDArray[np.uint8]) -> Floats:
    """(m,) of pixels (m, 3 * SAMPLES, 3) of crescents, discs and what is around them."""
    shaded = (SHADOW * looked_at[:, 2 * SAMPLES :]).astype(np.uint8)
    pixels = np.concatenate([looked_at, shaded], axis=1).astype(np.float32) / 255
    lab: Floats = cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB).astype(np.float32)
    crescents, discs, board = np.split(lab, (SAMPLES, 2 * SAMPLES), axis=1)
    to_disc, to_board = (_distances(crescents, others) for others in (discs, board))
    lead = np.log(to_board + ALIKE) - np.log(to_disc + ALIKE)
    return np.asarray(lead.mean(axis=1), np.float32)


def _distances(colours: Floats, others: Floats) -> Floats:
    """(m, a): of colours (m, a, 3) from those (m, b, 3) that they are among."""
    apart = np.square(colours[:, :, None] - others[:, None]).sum(axis=3)
    apart.partition(NEAREST, axis=2)
    return np.asarray(np.sqrt(apart[:, :, NEAREST]), np.float32)


@cache
def _places(height: int) -> NDArray[np.intp] | None:
    """(3 * SAMPLES,): the pixels that are looked at where a disc leans by so many `STEPS`."""
    lean = height / STEPS
    crescent = _upright(2 * lean, 2 * lean, WITHIN) & ~_upright(0.0, lean, OUTSIDE)
    if crescent.sum() < SAMPLES:
        return None
    body, around = _upright(lean, lean, BODY), ~_upright(0.0, 2 * lean, AROUND)
    return np.concatenate([_some(mask) for mask in (crescent, body, around)])


def _upright(low: float, high: float, radius: float) -> Mask:
    """Where a disc shows that reaches from one height to another, in radii."""
    down, right = np.mgrid[0:HEIGHT, 0:WIDTH] + 0.5
    up = ABOVE - down / PIXELS_A_RADIUS
    aside = (right - WIDTH / 2) / PIXELS_A_RADIUS
    return np.asarray(aside**2 + (up - np.clip(up, low, high)) ** 2 <= radius**2)


def _some(mask: Mask) -> NDArray[np.intp]:
    """`SAMPLES` pixels spread over a mask."""
    all_of_it = np.flatnonzero(mask)
    return all_of_it[np.linspace(0, len(all_of_it) - 1, SAMPLES).round().astype(np.intp)]

"""Does a disc stand where it stood, while a hand is at it?

A hand comes from above: of what it takes up it mostly leaves in view the part of the foot that is
nearest to the camera. Where the bare square shows there, the disc is in the air, or elsewhere.
Hands and sleeves may have the colour of squares: what lies beyond the edge of the square must be
seen there as before, too.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Levels, Mask
from calibration.model import View
from referee.eye.light import logarithm
from referee.eye.patches import CELLS, CENTRES, Floats

WAYS = np.deg2rad(np.arange(-75, 76, 10))
"""From the middle of a disc to its edge, as seen from the one that leads to the camera."""
INSIDE, OUTSIDE = (0.7, 0.8, 0.9), (1.14, 1.22, 1.3)
"""Points of each way on the disc and on the ground before it, in its radii..."""
BEYOND = (0.06, 0.12, 0.18)
"""...and on the light square there, in squares from the edge."""
IN, OUT, FAR = range(3)
"""These three bands, of three points each on every way."""
EACH = len(WAYS), 3, 3
"""Of every disc: ways, bands, points."""
MARGIN = 0.485
"""Squares from its middle up to which it is surely its own ground: its edge may be a little off."""
LEVEL = 1e-6
"""What leads to an edge by less along a way never comes to it, and what leans by less stands."""
BESIDE = (0, 1, -1, 2, -2)
"""Ways on whose light square it is seen whether a hand is there, the nearest first: towards its
corners a square has none."""
TELLS = 0.35
"""Nats by which a disc differs from the ground, and that from the light square, at least, all
three colours together: less tells nothing."""
GROUND, DISC = 0.3, 0.7
"""What is seen differs from the ground by so much of that at most, and from the disc at least."""
DARKER, BRIGHTER = -1.0, 0.5
"""Nats by which the shadow of a hand may change the colours, all alike..."""
TINTED, MORE_SO = 0.15, 0.5
"""...and one more than another, with so much of that."""
FEWEST = 5
"""Ways side by side that must show the ground [in 12 films of others, before hard shadows were
thought of, so did 17 of 33 pieces that were touched and put back, and none of some 9,900 that a
hand was near]."""
MOST = 2
"""Discs that one hand may have taken up; what seems to bare more is something else."""


class Footing:
    """Of the discs on one board, picture by picture."""

    def __init__(self) -> None:
        self._known, self._stale = np.zeros(64, bool), np.zeros(64, bool)
        self._points = np.zeros((64, *EACH, 2))
        """In the plane..."""
        self._counts = np.zeros((64, *EACH), bool)
        """...and whether they are to be looked at."""
        self._colours = np.zeros((64, *EACH[:2], 3), np.float32)
        """(64, WAYS, bands, blue green red): log colours when no hand was over the board."""

    def stale(self) -> NDArray[np.intp]:
        """The cells that a hand has been near since it was kept in mind what stands there."""
        return np.flatnonzero(self._stale)

    def forget(self, cells: NDArray[np.intp]) -> None:
        """Nothing is known of these any more."""
        self._known[cells] = self._stale[cells] = False

    def keep(
        self,
        image: Image,
        view: View,
        cells: NDArray[np.intp],
        feet: Levels,
        lean: Levels,
        radius: float,
    ) -> None:
        """Keep in mind how the discs on these cells (n,) stand, no hand being over the board; their
        feet (n, 2) lie in the plane, and what stands up leans along `lean` (n, 2)."""
        if not len(cells):
            return  # OpenCV refuses to draw nothing
        near = -lean / np.maximum(np.linalg.norm(lean, axis=1, keepdims=True), LEVEL)
        self._points[cells], self._counts[cells] = _laid_out(cells, feet, near, radius)
        self._colours[cells] = self._seen(image, view, cells)
        self._known[cells] = True

    def left(self, image: Image, view: View, near: Mask) -> NDArray[np.intp]:
        """The cells among those that a hand is near (64,) whose discs are not where they stood."""
        self._stale |= near
        cells = np.flatnonzero(near & self._known)
        if not len(cells):
            return cells
        counted = np.asarray(self._counts[cells].any(axis=-1), np.bool_)
        bare = _shows_ground(self._colours[cells], self._seen(image, view, cells), counted)
        left = cells[_longest(bare) >= FEWEST]
        return left if len(left) <= MOST else left[:0]

    def _seen(self, image: Image, view: View, cells: NDArray[np.intp]) -> Floats:
        """(n, WAYS, bands, 3): the mean log colours at the points that count."""
        points, counts = self._points[cells], self._counts[cells]
        places = view.project(points.reshape(-1, 2)).astype(np.float32).reshape(-1, len(WAYS), 2)
        pixels = cv2.remap(image, places[..., 0], places[..., 1], cv2.INTER_LINEAR)
        colours = logarithm(np.asarray(pixels, np.uint8)).reshape(*counts.shape, 3)
        shares = counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1)
        return np.asarray((colours * shares[..., None]).sum(axis=-2), np.float32)


def _laid_out(
    cells: NDArray[np.intp], feet: Levels, near: Levels, radius: float
) -> tuple[Levels, Mask]:
    """The points (n, *EACH, 2) of discs, and which of them count, (n, *EACH)."""
    aside = np.column_stack([-near[:, 1], near[:, 0]])
    ways = np.cos(WAYS)[:, None] * near[:, None] + np.sin(WAYS)[:, None] * aside[:, None]
    centres = CENTRES[cells][:, None]
    reach = np.empty((len(cells), *EACH))
    reach[:, :, [IN, OUT]] = radius * np.array([INSIDE, OUTSIDE])
    reach[:, :, FAR] = _to_edge(feet[:, None] - centres, ways)[..., None] + np.array(BEYOND)
    points = feet[:, None, None, None] + reach[..., None] * ways[:, :, None, None]
    counts = np.abs(points - centres[:, None, None]).max(axis=-1) < MARGIN
    counts[:, :, FAR] = _is_light(points[:, :, FAR], cells)
    return points, counts


def _is_light(points: Levels, cells: NDArray[np.intp]) -> Mask:
    """(n, ...): whether points (n, ..., 2) lie on cells of the board of the other colour than these
    (n,)."""
    own = np.array(CELLS)[cells].sum(axis=1)[:, None, None]
    on_board = ((points > 0) & (points < 8)).all(axis=-1)
    return np.asarray(((np.floor(points).sum(axis=-1) - own) % 2 == 1) & on_board, np.bool_)


def _to_edge(start: Levels, ways: Levels) -> Levels:
    """How far it is from points within a square, (n, 1, 2) from its middle, to its edge, in squares
    along ways (n, WAYS, 2)."""
    steps = np.where(np.abs(ways) < LEVEL, LEVEL, ways)
    return np.asarray(((0.5 * np.sign(steps) - start) / steps).min(axis=-1), np.float64)


def _shows_ground(before: Floats, now: Floats, counted: Mask) -> Mask:
    """(n, WAYS): where the ground shows inside of a disc's foot, all colours being (n, WAYS, bands,
    3)."""
    disc, ground = before[:, :, IN], before[:, :, OUT]
    shade, far_shade = now[:, :, OUT] - ground, now[:, :, FAR] - before[:, :, FAR]
    step = _norm(disc - ground)
    from_ground = _norm(now[:, :, IN] - now[:, :, OUT])
    from_disc = _norm(now[:, :, IN] - disc - shade)
    bare = (step >= TELLS) & (from_ground <= GROUND * step) & (from_disc >= DISC * step)
    bare &= ~_is_shade(now[:, :, IN] - disc)  # a hard shadow may end right before the foot
    far_step = np.where(counted[..., FAR], _norm(before[:, :, FAR] - ground), 0.0)
    open_there = (_norm(far_shade - shade) <= GROUND * far_step) & _is_shade(far_shade)
    told = far_step >= TELLS
    return bare & counted[..., OUT] & _is_shade(shade) & _nearest(open_there, told)


def _norm(colours: Floats) -> Floats:
    return np.asarray(np.linalg.norm(colours, axis=-1), np.float32)


def _is_shade(change: Floats) -> Mask:
    """Whether light may have changed colours so, (..., 3)."""
    mean, spread = change.mean(axis=-1), np.ptp(change, axis=-1)
    alike = spread <= TINTED + MORE_SO * np.abs(mean)
    return np.asarray(alike & (mean > DARKER) & (mean < BRIGHTER), np.bool_)


def _nearest(said: Mask, told: Mask) -> Mask:
    """(n, WAYS): what is said on each way, or on the nearest beside it on which it is told; False
    where that is told on none."""
    ways, nearest = np.arange(len(WAYS)), np.zeros_like(said)
    for step in reversed(BESIDE):
        there = ways + step
        within = (there >= 0) & (there < len(WAYS))
        told_there = within & told[:, np.where(within, there, 0)]
        nearest = np.where(told_there, said[:, np.where(within, there, 0)], nearest)
    return nearest


def _longest(bare: Mask) -> NDArray[np.intp]:
    """(n,): how many ways side by side are bare."""
    longest = run = np.zeros(len(bare), np.intp)
    for way in bare.T:
        run = (run + 1) * way
        longest = np.maximum(longest, run)
    return longest

"""Arms over the board's rims: whose edge a hand comes from.

An arm crosses the strip just outside the playing area, which nothing else does for long. What
lies there without an arm is remembered, so that a captured disc put down counts for a moment only.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from calibration.arrays import Image, Levels, Mask
from calibration.model import View
from referee.board import Side
from referee.eye.light import logarithm
from referee.eye.patches import Floats

DEPTHS = (0.15, 0.4, 0.65)
"""Squares outside the playing area at which a strip is looked at..."""
BEYOND = (1.0, 1.35)
"""...and further out, where an arm that comes from there must be seen too: fingertips that reach
over the board from the other side end before."""
FURTHER = (1.8, 2.3)
"""...and where one is seen still that lies there, but no captured disc, nor two side by side."""
OUT = DEPTHS + BEYOND + FURTHER
RIM, OUTSIDE = slice(len(DEPTHS)), slice(len(DEPTHS), len(DEPTHS + BEYOND))
AWAY = slice(OUTSIDE.stop, None)
"""Where each of them is found among all depths."""
PLACES = 4
"""Places along each square of a strip..."""
ASIDE = 6
"""...and beyond each corner of the board, where an arm passes that reaches in over its side."""
COLUMNS = 8 * PLACES + 2 * ASIDE
BOARD = slice(ASIDE, -ASIDE)
"""The places along the board itself."""
FINE = 4
"""Pixels across and along that make one place together: one alone is mostly noise."""
CHANGED = 0.18
"""Log colour by which a place differs when something covers it."""
SHADE, DIMMED = 0.06, 0.7
"""By so little the colours differ in how much a shadow has changed them [0.03 at most by those that
pass in two films of others], and so much it may: a sleeve seldom has the very colour of what lies
beneath it."""
ARM = 3
"""Places in a row that an arm covers at least: three quarters of a square."""
SLANT = 6
"""Places by which an arm may be aside there."""
TOGETHER = np.ones((1, 2), np.uint8)
"""Places in a row that anything that moves there changes; noise changes one now and then."""
REST_MS = 1_500
"""What has lain on a rim for so long without any motion belongs there..."""
ARM_REST_MS = 6_000
"""...but what reaches in from far outside: a hand that rests there, or holds a man, has moved by
then."""
PAUSE_MS = 150
"""Before anything has lain so long at some place, what has not moved there for this time is held to
belong there: in the first picture a hand may just be leaving that has set up the pieces."""
MOTION = 0.06
"""Log colour by which a place changes from frame to frame when something moves there."""
NOISE = 4.0
"""... and how many times as much as most places do: in dim light all of them change by more."""
PLAYERS = (Side.RED, Side.WHITE)
THEIRS = slice(len(PLAYERS))
"""The players' edges among all four: then come the board's sides, the left one as White sees it
first."""
EDGES = len(PLAYERS) + 2
SIDES, NEAREST = slice(len(PLAYERS), EDGES), 0
"""These two, and the strip that lies nearest to the board."""
HALF = PLACES // 2
"""Of the places along a square something that lies beside it covers so many at least."""


class Rims:
    """Watches the strips at the four edges from one view."""

    def __init__(self, view: View) -> None:
        self._usual: Floats | None = None
        self._former: Floats | None = None
        """What lay there before what usually lies there now. Where that shows again no arm has
        come: a hand may have gone that had rested there."""
        self._looks: deque[tuple[int, Floats]] = deque()
        self._moved_ms = np.zeros((EDGES, COLUMNS), np.int64)
        self._rested = np.zeros((EDGES, COLUMNS), np.bool_)
        self._reaching = np.zeros((EDGES, COLUMNS), np.bool_)
        """Where an arm covered a rim that was seen to come from far outside."""
        self._crossed: dict[Side, int] = {}
        self.around: tuple[Side, ...] = ()
        """The players whose arm was seen last, over their rim or passing beside it."""
        self.ring: Mask = np.zeros((10, 10), np.bool_)
        """What was covered then of the cells that would lie around the board; others are False."""
        self.follow(view)

    def follow(self, view: View) -> None:
        """Look from a view that differs a little, and remember what lies there as before."""
        points = _strips()
        pixels = view.project(points.reshape(-1, 2)).reshape(*points.shape[:2], 2)
        size = np.array([view.lens.width, view.lens.height])
        seen = np.asarray(((pixels >= 0) & (pixels <= size - 1)).all(axis=-1), np.float32)
        share = _places(seen[..., None])
        self._inside = share[..., 0] > 0.99
        x, y = np.moveaxis(pixels.astype(np.float32), -1, 0)
        self._maps = np.ascontiguousarray(x), np.ascontiguousarray(y)

    def arms(self, image: Image, time_ms: int, uncovered: bool) -> dict[Side, int]:
        """The players whose rim an arm covers in a picture (height, width, 3) from this view, and
        since when.

        `uncovered`: no hand is seen over the squares, so that what lies on a rim may belong there.
        """
        seen = cv2.remap(image, *self._maps, cv2.INTER_LINEAR)
        now = logarithm(_places(seen.astype(np.float32)))
        self._moved_ms[self._moves(now)] = time_ms
        self._note(now, time_ms)
        if uncovered:
            still_ms = time_ms - self._moved_ms
            rest_ms = np.where(self._reaching, ARM_REST_MS, REST_MS)
            rest = (still_ms > rest_ms) & self._steady(now)
            self._learn(now, rest | (~self._rested & (still_ms > PAUSE_MS)))
            self._rested |= rest
        if self._usual is None or self._former is None:
            return {}
        change = self._changes(now, self._usual)
        changed = np.abs(change).max(axis=-1) > CHANGED
        changed &= self._change(now, self._former) > CHANGED
        solid = changed & ~_is_shade(change)
        rims = self._most(solid)
        arms = self._arms(rims, solid)
        if not arms and not uncovered:  # that of the hand may be in a sleeve like a shadow
            solid, rims = changed, self._most(changed)
            arms = self._arms(rims, solid)
        self.ring, self.around = _ring(rims), tuple(arms)
        self._reaching = self._from_afar(arms, rims, solid)
        crossed = [side for side, rim in arms.items() if _longest(rim[BOARD]) >= ARM]
        if not crossed and len(arms) == 1 and self._reaches_in(solid):
            crossed = list(arms)  # round the corner of the board
        self._crossed = {side: self._crossed.get(side, time_ms) for side in crossed}
        return self._crossed

    def _arms(self, rims: Mask, changed: Mask) -> dict[Side, Mask]:
        """The players whose arm is seen, over their rim or beside it, and the places (COLUMNS,)
        that it covers, from where (EDGES, COLUMNS) and (EDGES, depths, COLUMNS) things changed."""
        outside = (changed | ~self._inside)[:, OUTSIDE]
        return {
            side: rim
            for side, rim, beyond in zip(PLAYERS, rims[THEIRS], outside[THEIRS], strict=True)
            if _longest(rim) >= ARM and _comes_from(rim, beyond)
        }

    def _from_afar(self, arms: dict[Side, Mask], rims: Mask, changed: Mask) -> Mask:
        """(EDGES, COLUMNS): the places that arms cover which are seen to come from far outside, and
        what is covered along the board's sides meanwhile, from where (EDGES, COLUMNS) and (EDGES,
        depths, COLUMNS) things changed."""
        away, reaching = (changed & self._inside)[:, AWAY], np.zeros((EDGES, COLUMNS), np.bool_)
        for side, rim in arms.items():
            edge = PLAYERS.index(side)
            reaching[edge] = rim & _comes_from(rim, away[edge])
        if reaching.any():
            reaching[SIDES] = rims[SIDES]
        return reaching

    def _reaches_in(self, changed: Mask) -> bool:
        """Whether an arm lies at the very edge of one of the board's sides, by where (EDGES,
        depths, COLUMNS) something has changed."""
        at_edge = (changed & self._inside)[SIDES, NEAREST, BOARD]
        return any(_longest(edge) >= ARM for edge in at_edge)

    def _note(self, now: Floats, time_ms: int) -> None:
        """Keep the looks of the last `REST_MS`, and the last one before these."""
        self._looks.append((time_ms, now))
        while len(self._looks) > 1 and self._looks[1][0] <= time_ms - REST_MS:
            self._looks.popleft()

    def _steady(self, now: Floats) -> Mask:
        """(EDGES, COLUMNS): where nothing has come or gone lately, however slowly."""
        return ~self._most(self._change(now, self._looks[0][1]) > CHANGED / 2)

    def _learn(self, now: Floats, rest: Mask) -> None:
        """Remember what lies at some places (EDGES, COLUMNS), at first everywhere, and what lay
        there before."""
        if self._usual is None or self._former is None:
            self._usual = self._former = now
            return
        again = rest & (~self._differs(now, self._former) | ~self._rested)
        other = rest & self._differs(now, self._usual) & ~again
        self._former = _put(self._usual, other, _put(now, again, self._former))
        self._usual = _put(now, rest, self._usual)

    def _differs(self, now: Floats, before: Floats) -> Mask:
        """(EDGES, COLUMNS): where something else lies than before."""
        return self._most(self._change(now, before) > CHANGED)

    def _moves(self, now: Floats) -> Mask:
        """(EDGES, COLUMNS): where something has moved since the frame before."""
        if not self._looks:
            return np.ones((EDGES, COLUMNS), np.bool_)
        change = self._change(now, self._looks[-1][1])
        near = self._inside[THEIRS, RIM]
        usual = float(np.median(change[THEIRS, RIM][near])) if near.any() else 0.0
        moving = self._most(change > max(MOTION, NOISE * usual)).astype(np.uint8)
        return cv2.morphologyEx(moving, cv2.MORPH_OPEN, TOGETHER).astype(np.bool_)

    def _change(self, now: Floats, before: Floats) -> Floats:
        """(EDGES, depths, COLUMNS): by how much each place has changed, light apart."""
        return np.asarray(np.abs(self._changes(now, before)).max(axis=-1), np.float32)

    def _changes(self, now: Floats, before: Floats) -> Floats:
        """The same, (EDGES, depths, COLUMNS, 3), for each colour, brighter or darker."""
        change = now - before
        near = self._inside[THEIRS, RIM]
        if near.any():
            change -= np.median(change[THEIRS, RIM][near], axis=0)
        return change

    def _most(self, large: Mask) -> Mask:
        """(EDGES, COLUMNS): whether most of the places seen on the rim are large."""
        seen, inside = (large & self._inside)[:, RIM], self._inside[:, RIM]
        return np.asarray(2 * seen.sum(axis=1) > np.maximum(inside.sum(axis=1), 1))


def _is_shade(change: Floats) -> Mask:
    """(EDGES, depths, COLUMNS): where all colours have changed alike, as by a shadow that comes or
    goes; from how much each has, (EDGES, depths, COLUMNS, 3), in log colour."""
    shade = change.mean(axis=-1)
    tint = np.abs(change - shade[..., None]).max(axis=-1)
    return np.asarray((tint <= SHADE) & (np.abs(shade) <= DIMMED))


def _strips() -> Levels:
    """(EDGES * depths * FINE, COLUMNS * FINE, 2): board points along all edges."""
    along = (np.arange(COLUMNS * FINE) + 0.5) / (PLACES * FINE) - ASIDE / PLACES
    spread = (np.arange(FINE) - (FINE - 1) / 2) / (PLACES * FINE)
    away = np.add.outer(np.array(OUT), spread).ravel()
    along, across = np.meshgrid(along, np.concatenate([-away, 8 + away]))
    return np.concatenate([np.dstack([along, across]), np.dstack([across, along])])


def _places(fine: Floats) -> Floats:
    """(EDGES, depths, COLUMNS, channels): means of the pixels that make a place together."""
    shape = (EDGES, len(OUT), FINE, COLUMNS, FINE, fine.shape[-1])
    return np.asarray(fine.reshape(shape).mean(axis=(2, 4)), np.float32)


def _put(what: Floats, where: Mask, otherwise: Floats) -> Floats:
    """One look at some places (EDGES, COLUMNS), and another at the others."""
    return np.where(where[:, None, :, None], what, otherwise)


def _ring(rims: Mask) -> Mask:
    """(10, 10): the cells around the board that are covered, from the places (EDGES, COLUMNS)."""
    ring = np.zeros((10, 10), np.bool_)
    beside = rims[:, BOARD].reshape(EDGES, 8, PLACES).sum(axis=2) >= HALF
    ring[0, 1:-1], ring[-1, 1:-1], ring[1:-1, 0], ring[1:-1, -1] = beside
    corners = [[_longest(rim[:ASIDE]), _longest(rim[-ASIDE:])] for rim in rims[THEIRS]]
    ring[np.ix_([0, -1], [0, -1])] = np.array(corners) >= ARM
    return ring


def _longest(covered: Mask) -> int:
    """The longest run of covered places."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], covered.astype(int), [0]])))
    return int((edges[1::2] - edges[::2]).max(initial=0))


def _comes_from(rim: Mask, outside: Mask) -> bool:
    """Whether what covers a rim (COLUMNS,) reaches on outwards (depths, COLUMNS)."""
    around = cv2.dilate(rim.astype(np.uint8)[None], np.ones((1, 2 * SLANT + 1), np.uint8))[0] > 0
    return all(_longest(covered & around) >= ARM for covered in outside)

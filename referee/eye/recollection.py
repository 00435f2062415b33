"""What the eye keeps in mind of each piece, to tell whether a hand put a disc on it or took one.

Of every piece that no hand is near a portrait is kept. Once a hand has been there, the piece as it
stands now is set beside it, until it has rested for a while; a piece that has come, beside the one
of its side that has gone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Mask
from referee.eye.patches import Floats
from referee.eye.portraits import HEIGHT, WIDTH, Portraits
from referee.eye.ranker import CHANNELS, LEAN, likeness
from referee.eye.recaller import Recaller
from referee.eye.shadows import BORDER, RINGS, WAYS, Shadows, ground_of, sway
from referee.observation import Recalled
from referee.sight import NEVER

SETTLED_MS = 1_500
"""A piece that no hand has been near for so long stands as the next hand will find it."""
OFTEN, AGAIN_MS, LAST = 5, 200, 1 / 3
"""So often a piece is looked at after a hand has left it, at least so long apart, and so much the
last look counts at least: a hand that has just left still throws its shadow."""
SUREST = 12.0
"""Nats that both portraits can say, with the ground around them."""
RELIT = 0.1
"""So much the ground has changed, by `sway`, around half of the pieces that no hand was near where
the light is another: then the shadow of a piece does not tell its discs [in fourteen films it is
below 0.08 at 19 of 20 times, and mostly 0.13 to 0.29 where a scene is drawn in another light]."""

DAPPLED, DAPPLED_MS = 0.75, 3_000
"""Where so large a share of the pieces has come to look otherwise, with no hand over the board, in
the last so many milliseconds without one, light plays on them, as through leaves: then the ground
around a piece does not tell either [under leaves it is 0.86 at the median; in five films with sun,
clouds and lamps 0.62 at most, 99 times of 100]."""
HALF_BELIEVED = 0.5
"""So much less pieces say then [one that nothing had been done to said 469 centinats]."""
AT_MOST_MS = 500
"""So much one frame without a hand counts at most: hands may have been there since the last one."""


@dataclass(frozen=True)
class Looks:
    """How n pieces look, and the ground around them."""

    pieces: Floats
    """(n, CHANNELS, HEIGHT, WIDTH), see `likeness`."""
    grounds: Floats
    """(n, RINGS, WAYS), see `ground_of`."""

    @staticmethod
    def unknown(count: int) -> Looks:
        """Of so many, what is to be filled in."""
        shapes = (count, CHANNELS, HEIGHT, WIDTH), (count, RINGS, WAYS)
        return Looks(*(np.zeros(shape, np.float32) for shape in shapes))

    @staticmethod
    def of(portraits: Portraits, light: Floats) -> Looks:
        """From portraits with the `BORDER` of `shadows`, and the light (n, 3) there."""
        return Looks(likeness(portraits.without(BORDER), light), ground_of(portraits, light))

    def __getitem__(self, which: NDArray[np.intp] | Mask) -> Looks:
        return Looks(self.pieces[which], self.grounds[which])

    def put(self, which: NDArray[np.intp], looks: Looks) -> None:
        """Fill these in."""
        self.pieces[which], self.grounds[which] = looks.pieces, looks.grounds


def compared(before: Looks, after: Looks, relit: bool) -> Floats:
    """(n, 2): how much likelier it is that pieces have a disc more, or less, than neither, in nats:
    by their own looks and, in the same light, by the ground around them."""
    by_looks = Recaller.shipped().compare(before.pieces, after.pieces)
    if relit:
        return by_looks
    lean = before.pieces[:, LEAN, 0, 0]
    return by_looks + Shadows.shipped().compare(before.grounds, after.grounds, lean)


class Recollection:
    """Of the pieces on one board, picture by picture."""

    def __init__(self) -> None:
        self._looks = Looks.unknown(64)
        self._known, self._touched = np.zeros(64, bool), np.zeros(64, bool)
        self._lighter = np.zeros(64, bool)
        self._calm = np.zeros((64, RINGS, WAYS), np.float32)
        """The ground around pieces when last none was touched."""
        self._sways = np.full(64, np.nan, np.float32)
        """How it has changed since around those that have not been touched."""
        self._peace_ms, self._peaceful_ms = 0, NEVER
        """For how long no hand has been over the board in all, and when last."""
        self._flickered_ms = np.full(64, -DAPPLED_MS, np.int64)
        """When a cell last came to look otherwise then, by the time without hands alone."""
        self._bare = np.zeros(64, bool)
        """Cells that were seen bare, and nothing is known of what has come to them since."""
        self._kept_ms, self._unrest_ms, self._since_ms, self._told_ms, self._came_ms = (
            np.full(64, NEVER, np.int64) for _ in range(5)
        )
        self._odds, self._times = np.zeros((64, 2)), np.zeros(64, np.int64)
        self._gone: dict[bool, tuple[Looks, int]] = {}
        """The looks of the last piece of each side that has gone since the hands came, and when
        it was kept."""

    def mind_unrest(self, cells: Mask, time_ms: int) -> None:
        """A hand is near these cells (64,), or they look otherwise all of a sudden."""
        self._touched |= cells
        self._sways[cells] = np.nan
        self._unrest_ms[cells] = time_ms
        self._times[cells] = 0

    def mind_gone(self, cells: NDArray[np.intp]) -> None:
        """Nothing stands on these cells any more, and no hand is near them."""
        for cell in cells[self._known[cells]].tolist():
            looks = self._looks[np.array([cell])]
            self._gone[bool(self._lighter[cell])] = looks, int(self._kept_ms[cell])
        self._known[cells] = self._touched[cells] = False
        self._sways[cells] = np.nan
        self._bare[cells] = True
        self._came_ms[cells] = NEVER
        self._times[cells] = 0

    def unsettled(self, time_ms: int) -> Mask:
        """(64,): the cells whose pieces are to be looked at again: what was told of them is fresh,
        or they came before it was seen which one has gone."""
        told = self._known & self._touched & (self._times > 0) & (self._times < OFTEN)
        again = told & (self._told_ms <= time_ms - AGAIN_MS)
        return np.asarray(again | (self._bare & bool(self._gone)), np.bool_)

    def unkept(self, time_ms: int) -> Mask:
        """(64,): the cells whose pieces can be kept in mind, if no hand is over the board."""
        fresh = self._touched | ~self._known
        return np.asarray(fresh & self._has_settled(time_ms), np.bool_)

    def _has_settled(self, time_ms: int) -> Mask:
        return np.asarray(self._unrest_ms <= time_ms - SETTLED_MS, np.bool_)

    def recall(self, cells: NDArray[np.intp], now: Looks, lighter: Mask, time_ms: int) -> None:
        """Set the pieces that a hand was at beside what is known of them; `now` is how those on
        these cells (n,) look, `lighter` (n,) tells their sides."""
        self.mind_gone(cells[self._known[cells] & (self._lighter[cells] != lighter)])
        self._lighter[cells] = lighter
        self._mind_light(cells, now)
        come = cells[self._bare[cells]]
        self._came_ms[come[self._came_ms[come] == NEVER]] = time_ms
        for cell in come.tolist():
            self._mind_come(cell)
        again = self._known[cells] & self._touched[cells]
        if not again.any():
            return
        cells, now = cells[again], now[again]
        dappled = self._is_dappled()
        odds = compared(self._looks[cells], now, dappled or self._is_relit())
        odds *= HALF_BELIEVED if dappled else 1
        share = np.maximum(1 / (1 + self._times[cells]), LAST)
        self._odds[cells] += share[:, None] * (np.clip(odds, -SUREST, SUREST) - self._odds[cells])
        self._times[cells] += 1
        self._since_ms[cells], self._told_ms[cells] = self._kept_ms[cells], time_ms

    def _mind_light(self, cells: NDArray[np.intp], now: Looks) -> None:
        """See how the ground has changed around those of these pieces that are untouched."""
        known = ~np.isnan(self._sways[cells])
        if known.any():
            self._sways[cells[known]] = sway(self._calm[cells[known]], now.grounds[known])

    def _is_relit(self) -> bool:
        """Whether the light is another than when last no piece was touched."""
        known = self._sways[~np.isnan(self._sways)]
        return known.size > 0 and float(np.median(known)) > RELIT

    def _is_dappled(self) -> bool:
        """Whether light plays on the pieces."""
        lately = self._flickered_ms[self._known] > self._peace_ms - DAPPLED_MS
        return lately.size > 0 and float(lately.mean()) > DAPPLED

    def _mind_come(self, cell: int) -> None:
        """A piece has come to a cell: the last one of its side that has gone, unless that was seen
        elsewhere since, as one that is jumped by the reply."""
        side = bool(self._lighter[cell])
        looks, kept_ms = self._gone.get(side, (None, NEVER))
        if looks is None or kept_ms > self._came_ms[cell]:
            return
        del self._gone[side]
        self._looks.put(np.array([cell]), looks)
        self._kept_ms[cell] = kept_ms
        self._known[cell] = self._touched[cell] = True
        self._bare[cell] = False

    def keep(self, cells: NDArray[np.intp], now: Looks, time_ms: int) -> None:
        """Keep in mind how the pieces look that stand as the next hand will find them, none being
        over the board."""
        rests = (~self._touched | self._has_settled(time_ms))[cells]
        rested = cells[rests]
        self._looks.put(rested, now[rests])
        self._known[rested] = True
        self._kept_ms[rested] = time_ms
        self._touched[rested] = self._bare[rested] = False
        if not self._touched.any():
            self._calm[rested], self._sways[rested] = now.grounds[rests], 0.0

    def mind_peace(self, changed: Mask, time_ms: int) -> None:
        """No hand is about: nothing is under way, and what has changed, (64,), is the light."""
        self._gone.clear()
        self._peace_ms += min(time_ms - self._peaceful_ms, AT_MOST_MS)
        self._peaceful_ms = time_ms
        self._flickered_ms[changed] = self._peace_ms

    def recalled(self) -> list[Recalled | None]:
        """Of each of the 64 cells."""
        said = np.round(100 * self._odds).astype(int).tolist()
        told = zip(said, self._since_ms.tolist(), self._times.tolist(), strict=True)
        return [
            Recalled(more, less, since_ms) if times else None
            for (more, less), since_ms, times in told
        ]

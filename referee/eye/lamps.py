"""Lamps that are mirrored in bare squares: these look hidden then, as by a hand, but none is there.

A square in which a lamp is mirrored shows the piece that stands on it; it is when that has gone
that it shows nothing. A hand that rests on a few squares looks like that for a while, so what is
hidden is a lamp's only where it was in the first picture, or for long with no arm about.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Mask
from referee.eye.arm import BESIDE, COVERED, FEW, LYING_MS, NOWHERE, grown, is_lamp, patches_of
from referee.eye.patches import Floats

MOST_LAMPS = 8
"""Cells that lamps may hide from the first, anywhere: a set is learnt when the hands are off."""
BARE = 0.05
"""Probability of a disc below which a cell that is not hidden is bare: no lamp is mirrored there
any more."""
SHOWN_MS = 1_000
"""A cell that shows for less between has been covered all the while: what lies at the edge of one,
or is mirrored in it, hides it now and then."""


class Covering:
    """For how long cells have been covered."""

    def __init__(self) -> None:
        self._since_ms = np.full(64, -1, np.int64)
        self._seen_ms = np.full(64, -SHOWN_MS, np.int64)

    def lasts(self, hidden: Floats, time_ms: int) -> NDArray[np.int64]:
        """(64,): for how long each cell has been, in milliseconds, from the probability (64,) of
        each to be hidden now."""
        covered = hidden > COVERED
        self._seen_ms[covered] = time_ms
        shown = ~covered & (time_ms - self._seen_ms >= SHOWN_MS)
        self._since_ms[shown | (self._since_ms < 0)] = time_ms
        return time_ms - self._since_ms


def lamps_of(hidden: Floats, before: Mask | None) -> Mask:
    """(64,): the cells that lamps have hidden in all pictures of a view, from the probability (64,)
    of each to be hidden and the cells of the picture before; None with the first one."""
    if before is not None:
        return before & (hidden > BESIDE)
    covered = (hidden > COVERED).reshape(8, 8)
    few = covered.sum() <= MOST_LAMPS
    return grown(covered, hidden.reshape(8, 8)).ravel() if few else NOWHERE


class Lamps:
    """Follows the cells that lamps hide in one view."""

    def __init__(self, first: Mask | None = None) -> None:
        """`first` (64,) are those that they hide from the first; None before the first picture."""
        self._first = first
        self._later = NOWHERE

    @property
    def cells(self) -> Mask:
        """(64,): the cells that they hide when these are bare."""
        return self._later if self._first is None else self._first | self._later

    def mind(
        self, hidden: Floats, hidden_ms: NDArray[np.int64], presence: Floats, arms: bool
    ) -> None:
        """Learn from the probability (64,) of each cell to be hidden and to hold a disc, for how
        long it has been hidden, in milliseconds, and whether there are arms about."""
        self._first = lamps_of(hidden, self._first)
        lying = (hidden > COVERED) & (hidden_ms >= LYING_MS)
        new = lying if not arms and lying.sum() <= FEW else NOWHERE
        bare = (hidden <= BESIDE) & (presence < BARE)
        self._later = (self._later & ~bare) | new

    def mirrored(self, hidden: Floats) -> Mask:
        """(64,): the cells that surely are hidden by lamps and by nothing else: what is hidden in
        the first picture may be so by a hand that has just set up the pieces."""
        seen, later = hidden.reshape(8, 8), self._later.reshape(8, 8)
        first = (NOWHERE if self._first is None else self._first).reshape(8, 8)
        found = np.zeros((8, 8), np.bool_)
        for cells in patches_of(seen > COVERED):
            if (cells & later).any() and is_lamp(cells, seen, first, later):
                found |= cells
        return found.ravel()

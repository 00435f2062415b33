"""Discs that lie astride the crossing at which four cells meet.

From none of the four is such a disc told for sure: it lies far from the middle of each, and the
reader may take it for nothing, or for a piece that stands there. But it reads the crossing as it
does a cell, if that is looked at like one. It may also see a disc there between two others, or in
the mere chequers of a board; so only those crossings are looked at where no cell has a disc of its
own, and some tell of one all the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Levels
from calibration.model import View
from referee.eye.features import features
from referee.eye.light import Light
from referee.eye.patches import CENTRES, Patches, PatchMap, in_plane
from referee.eye.reader import Cells, Reader
from referee.eye.sides import disc_colours

TOLD = 0.5
"""So many discs the cells around must tell of in all. Small discs they may not tell of, but without
this bare crossings of some boards would count too: of those up to 0.97 has been said."""
LIKELY = 0.8
"""Probability from which a disc lies at a crossing, when that is looked at."""
OFF_SQUARE = 0.4
"""Squares from the middle of every cell, across or along, at which it lies then."""
OWN = ((0.9, 0.35), (0.3, 0.15))
"""Probability from which a cell has a disc of its own, if that lies no farther from its middle."""

CROSSINGS = np.array([(x, y) for y in range(1, 8) for x in range(1, 8)], float)
"""(49, 2) on the board."""
AROUND = np.array(
    [[8 * r + c for r in (y - 1, y) for c in (x - 1, x)] for y in range(1, 8) for x in range(1, 8)]
)
"""(49, 4): the cells that meet there, of 64."""


class BoardCrossings:
    """What lies at the crossings of the board, seen from one view."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._chart: PatchMap | None = None
        self._feet = CROSSINGS.copy()
        self._news = np.ones(len(CROSSINGS), bool)
        self.cells = Cells.blank(len(CROSSINGS))
        """How each crossing was read last."""
        self.colours = np.zeros((len(CROSSINGS), 3), np.float32)
        """Of the disc that was read there, as `disc_colours` has them."""

    def look_from(self, view: View) -> None:
        """The same, seen from another view."""
        self._view, self._chart = view, None

    def mind(self, which: NDArray[np.intp]) -> None:
        """Some of the 64 cells have been read anew: what lies at their crossings may be other."""
        self._news |= np.isin(AROUND, which).any(axis=1)

    def look(self, reduced: Image, light: Light, chances: Levels, feet: Levels) -> NDArray[np.intp]:
        """The crossings at which discs lie astride, of 49.

        `chances` (64,) are the probabilities of discs on the cells, `feet` (64, 2) where these lie
        on the board, in squares.
        """
        away = np.abs(feet - CENTRES).max(axis=1)
        own = np.any([(chances >= least) & (away < most) for least, most in OWN], axis=0)
        free = ~own[AROUND].any(axis=1) & (chances[AROUND].sum(axis=1) >= TOLD)
        self._read(np.flatnonzero(free & self._news), reduced, light)
        self._news &= ~free
        found = self.cells.presence >= LIKELY
        off = np.abs(self._feet[:, None] - CENTRES[AROUND]).max(axis=2).min(axis=1)
        return np.flatnonzero(free & found & (off >= OFF_SQUARE))

    def _read(self, which: NDArray[np.intp], reduced: Image, light: Light) -> None:
        if not len(which):
            return
        self._chart = self._chart or PatchMap.of(self._view, CROSSINGS)
        cut = self._chart.cut(reduced, which)
        patches = Patches(AROUND[which, 0], cut.pixels, cut.lean, cut.points)
        cells = Reader.shipped().read(features(patches, light))
        self.cells.put(which, cells)
        self.colours[which] = disc_colours(patches, light, cells.spots, np.zeros(len(which), bool))
        self._feet[which] = in_plane(cut.points, cells.centres)

"""Discs that lie astride: half on each of two cells, or where four meet.

From none of these cells is such a disc told for sure: it lies far from the middle of each, and the
reader may take it for nothing, or for a piece that stands there. But it reads the place between
cells as it does a cell, if that is looked at like one. It may also see a disc there in the mere
chequers of a board; so only those places are looked at towards which some cell sees a disc lean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Levels
from calibration.model import View
from referee.eye.light import IS_DARK
from referee.eye.patches import ALL, CENTRES, Floats, Patches, PatchMap, in_plane
from referee.eye.reader import Cells

AT_CROSSING, ON_EDGE = (0.4, 0.3), (0.33, 0.9)
"""Squares from the middle of every cell, across or along, at which a disc lies there, and
probability from which, when that place is looked at."""
NEAR = 0.3
"""Squares from the middle of that place, across and along, within which it lies there."""
NEARER = 0.1
"""By so much nearer to a crossing than to the middle of an edge a disc lies at the crossing that is
read at both."""
OWN = 0.9
"""Probability from which a cell has a disc of its own."""
CLOSEST = 0.65
"""Squares between the middles of two discs: one that is read nearer to the disc of a cell is no
other, but that one's upper disc."""
LEANING, FAR = 0.15, 0.35
"""Squares towards an edge at which the square sees a disc that lies there, and from which it need
not be so sure, nor sure at all where both cells see it so: the reader has learnt of none that lies
farther off, and puts it nearer."""
OWN_LEANING = 0.28
"""Squares towards an edge up to which a disc that the square is sure of lies where that sees it: at
the edge, which is looked at from another side, a king may be taken for a man farther off [of 72
that were touched in films of others two, which the square saw 0.24 off, were read 0.34 and 0.38 off
there; of 18 that were left on edges the square saw none nearer than 0.37]."""
TOLD = 0.05
"""So many discs the cells around a crossing must tell of that lean towards it: of bare crossings up
to 0.97 has been said..."""
AGREEING = 2
"""...or so many of these cells see a disc lean towards it, be it ever so faint."""
SURE, FAINT = 0.4, 0.02
"""Probability of a disc that the square at an edge must tell of; and the one that is enough where
it sees that far off, or the cell beyond tells of it as well [which told of 0.002 at most at bare
edges that looked like discs]."""

Indices = NDArray[np.intp]
Look = Callable[[Patches], tuple[Cells, Floats]]
"""Reads some patches: what lies there, and the colours (n, 3) of the discs."""


def _crossings() -> Iterator[tuple[tuple[float, float], list[int]]]:
    """Where four cells meet, and which these are."""
    for y in range(1, 8):
        for x in range(1, 8):
            yield (x, y), [8 * row + column for row in (y - 1, y) for column in (x - 1, x)]


def _edges() -> Iterator[tuple[tuple[float, float], list[int]]]:
    """Where a dark and a light cell meet, and which these are."""
    for dark in np.flatnonzero(IS_DARK).tolist():
        row, column = divmod(dark, 8)
        for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
            if 0 <= row + down < 8 and 0 <= column + right < 8:
                x, y = column + (1 + right) / 2, row + (1 + down) / 2
                yield (x, y), [dark, dark + 8 * down + right]


CROSSINGS = np.array([place for place, _ in _crossings()], float)
"""(49, 2) on the board."""
AROUND = np.array([cells for _, cells in _crossings()])
"""(49, 4): the cells that meet there, of 64."""
OUTWARDS = np.array([[1, 1], [-1, 1], [1, -1], [-1, -1]])
"""(4, 2): the directions in which a crossing lies from their middles."""
DIAGONALS = np.array([[0, 3], [1, 2]])
"""(2, 2): which of the four lie opposite each other; one pair is dark, the other light."""
EDGES = np.array([place for place, _ in _edges()], float)
"""(112, 2): the middles of the edges between two cells, on the board."""
BESIDE = np.array([cells for _, cells in _edges()])
"""(112, 2): the dark cell and the light one, of 64."""
TOWARDS = 2 * (EDGES - CENTRES[BESIDE[:, 0]])
"""(112, 2): the direction in which the edge lies from the dark cell's middle."""


class Between:
    """What lies at some places between the cells of a board, seen from one view."""

    def __init__(
        self, view: View, places: Levels, around: Indices, off: float, likely: float
    ) -> None:
        """`places` (n, 2) are points of the board, `around` (n, m) the cells that meet there, of
        whose middles discs lie so far `off`; they must be so `likely` there."""
        self._view = view
        self._chart: PatchMap | None = None
        self._places, self._around, self._off, self._likely = places, around, off, likely
        self._news = np.ones(len(places), bool)
        self.feet = places.copy()
        """(n, 2): where the disc that was read at each place lies on the board."""
        self.cells = Cells.blank(len(places))
        """How each place was read last."""
        self.colours = np.zeros((len(places), 3), np.float32)
        """Of the disc that was read there, as `disc_colours` has them."""

    def look_from(self, view: View) -> None:
        """The same, seen from another view."""
        self._view, self._chart = view, None

    def mind(self, which: Indices) -> None:
        """Some of the 64 cells have been read anew: what lies between them may be other."""
        self._news |= np.isin(self._around, which).any(axis=1)

    def found(self, places: NDArray[np.bool_], reduced: Image, look: Look) -> Indices:
        """Those of these places (n,) at which discs lie."""
        self._read(np.flatnonzero(places & self._news), reduced, look)
        self._news &= ~places
        off = np.abs(self.feet[:, None] - CENTRES[self._around]).max(axis=2).min(axis=1)
        near = self.astray <= NEAR
        lying = (self.cells.presence >= self._likely) & (off >= self._off)
        return np.flatnonzero(places & near & lying)

    @property
    def astray(self) -> Floats:
        """(n,): how far from each place the disc lies that was read there, in squares."""
        return np.asarray(np.abs(self.feet - self._places).max(axis=1))

    def put(self, which: Indices, cells: Cells, colours: Floats) -> tuple[Cells, Floats]:
        """What was read of the 64 cells, and their discs' colours (64, 3); of the first cell that
        meets at each of these places what was read there."""
        cells, colours, first = cells.taken(ALL), colours.copy(), self._around[which, 0]
        cells.put(first, self.cells.taken(which))
        colours[first] = self.colours[which]
        return cells, colours

    def _read(self, which: Indices, reduced: Image, look: Look) -> None:
        if not len(which):
            return
        self._chart = self._chart or PatchMap.of(self._view, self._places)
        cut = self._chart.cut(reduced, which)
        patches = Patches(self._around[which, 0], cut.pixels, cut.lean, cut.points)
        cells, self.colours[which] = look(patches)
        self.cells.put(which, cells)
        self.feet[which] = in_plane(cut.points, cells.centres)


def at_crossings(chances: Levels, feet: Levels) -> NDArray[np.bool_]:
    """Whether a disc may lie at each of the 49 crossings.

    `chances` (64,) are the probabilities of discs on the cells, `feet` (64, 2) where these lie
    on the board, in squares.
    """
    leans = _leans(feet)
    leaning = leans >= LEANING
    told = np.where(leaning, chances[AROUND], 0.0)
    has_own = (chances[AROUND] >= OWN) & (leans < FAR)
    plainly = ~(has_own & leaning).any(axis=1) & (told.sum(axis=1) >= TOLD)
    # Two discs that lie close together over a crossing look like one that lies there.
    two = has_own[:, DIAGONALS].all(axis=2).any(axis=1)
    return np.asarray((plainly | (leaning.sum(axis=1) >= AGREEING)) & ~two)


def _leans(feet: Levels) -> Floats:
    """How far discs of the cells around each crossing lie towards it, (49, 4), in squares."""
    return np.asarray(((feet - CENTRES)[AROUND] * OUTWARDS).min(axis=2))


def of_their_own(chances: Levels, feet: Levels) -> NDArray[np.bool_]:
    """Which of the cells around each crossing have a disc that does not even lean towards it,
    (49, 4); see `at_crossings`."""
    return np.asarray((chances[AROUND] >= OWN) & (_leans(feet) < LEANING))


def are_others(
    crossings: Indices, at: Levels, own: NDArray[np.bool_], feet: Levels
) -> NDArray[np.bool_]:
    """Whether the discs read `at` places (n, 2) near some crossings are none of those that the
    cells around have of their `own` (49, 4); `feet` as `at_crossings` has them."""
    gaps = np.linalg.norm(at[:, None] - feet[AROUND[crossings]], axis=2)
    return np.asarray(~(own[crossings] & (gaps < CLOSEST)).any(axis=1))


def on_edges(chances: Levels, feet: Levels) -> NDArray[np.bool_]:
    """Whether a disc may lie on each of the 112 edges; see `at_crossings`."""
    dark, light = chances[BESIDE].T
    leans, back = ((feet - CENTRES)[BESIDE] * np.stack([TOWARDS, -TOWARDS], 1)).sum(axis=2).T
    told = (dark >= SURE) | ((dark >= FAINT) & ((leans >= FAR) | (light >= FAINT)))
    own = (dark >= OWN) & (leans < OWN_LEANING)
    plainly = told & (leans >= LEANING) & (light < OWN) & ~own
    return np.asarray(plainly | (np.minimum(leans, back) >= FAR))


class Astride:
    """The discs that lie between the cells of a board, followed from frame to frame."""

    def __init__(self, view: View) -> None:
        self._crossings = Between(view, CROSSINGS, AROUND, *AT_CROSSING)
        self._edges = Between(view, EDGES, BESIDE, *ON_EDGE)
        self._at = self._on = np.zeros(0, np.intp)
        self._own = np.zeros(AROUND.shape, bool)
        """See `of_their_own`, when they were looked for."""

    def look_from(self, view: View) -> None:
        """The same, seen from another view."""
        self._crossings.look_from(view)
        self._edges.look_from(view)

    def mind(self, which: Indices) -> None:
        """Some of the 64 cells have been read anew: what lies between them may be other."""
        self._crossings.mind(which)
        self._edges.mind(which)

    def look(self, reduced: Image, chances: Levels, feet: Levels, look: Look) -> None:
        """Look for them while nobody is at the board; see `at_crossings`."""
        on = self._edges.found(on_edges(chances, feet), reduced, look)
        at = self._crossings.found(at_crossings(chances, feet), reduced, look)
        self._on, at = self._told_apart(on, at)
        self._own = of_their_own(chances, feet)
        self._at = at[are_others(at, self._crossings.feet[at], self._own, feet)]

    def _told_apart(self, on: Indices, at: Indices) -> tuple[Indices, Indices]:
        """The same edges and crossings, but of a disc that was read at both only the one whose
        middle it lies nearer to; it is the edge's unless that is clear."""
        of_one = (AROUND[at][:, None, :] == BESIDE[on, 0][None, :, None]).any(axis=2)
        nearer = self._crossings.astray[at][:, None] + NEARER < self._edges.astray[on]
        return on[~(of_one & nearer).any(axis=0)], at[~(of_one & ~nearer).any(axis=1)]

    def forget_near(self, near: NDArray[np.bool_]) -> None:
        """An arm is at these of the 64 cells: pieces are on their way, and fingers lie there."""
        self._on = self._on[~near[BESIDE[self._on]].any(axis=1)]
        self._at = self._at[~near[AROUND[self._at]].any(axis=1)]

    def vacant(self) -> Indices:
        """The cells on which nothing lies because a disc does at one of their corners, and they
        have none besides."""
        return np.unique(AROUND[self._at][~self._own[self._at]])

    def overhung(self) -> Indices:
        """The light cells over whose edge a disc lies that is told of as the dark cell's."""
        return np.asarray(BESIDE[self._on, 1])

    def read_on_edges(
        self, cells: Cells, colours: Floats, feet: Levels
    ) -> tuple[Cells, Floats, Levels]:
        """What was read of the 64 cells, their discs' colours and places on the board; of a dark
        cell whose disc lies on its edge what was read there."""
        dark, feet = BESIDE[self._on, 0], feet.copy()
        feet[dark] = self._edges.feet[self._on]
        return *self._edges.put(self._on, cells, colours), feet

    def read_at_crossings(self, cells: Cells, colours: Floats) -> tuple[Indices, Cells, Floats]:
        """The first cell of each crossing at which a disc lies, and what was read of all 64 cells
        and their colours; of those first ones what was read at the crossing."""
        return AROUND[self._at, 0], *self._crossings.put(self._at, cells, colours)

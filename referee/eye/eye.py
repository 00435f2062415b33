"""The eye that watches a game: one observation a frame, from a calibrated view.

Most frames look like the one before and are answered by it (see `stillness`). In the others only
cells whose pixels changed are read anew, and a few more in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Levels, Mask
from calibration.drift import Drift, DriftMeter
from calibration.model import View
from calibration.saved import Calibration
from referee.board import SQUARES, START, only
from referee.eye.arm import (
    LASTING_MS,
    NOWHERE,
    Reach,
    hands_over,
    is_over,
    near_arms,
)
from referee.eye.astride import Astride
from referee.eye.evidence import evidence_rows, owner_of, sides_of
from referee.eye.features import features
from referee.eye.footing import Footing
from referee.eye.found_again import find_again, is_set_up_about, is_turned_about
from referee.eye.lamps import Covering, Lamps
from referee.eye.light import (
    CORNER_COLUMNS,
    CORNER_ROWS,
    DARK_CELLS,
    IS_DARK,
    LIGHT_CELLS,
    Light,
    measure_light,
)
from referee.eye.liveliness import Liveliness
from referee.eye.patches import ALL, CELLS, CENTRES, SIZE, Floats, Patches, PatchMap, in_plane
from referee.eye.portraits import Portraitist
from referee.eye.reader import HIDDEN, Cells, Reader
from referee.eye.recollection import Looks, Recollection
from referee.eye.rims import Rims
from referee.eye.second_look import look_again
from referee.eye.shadows import BORDER
from referee.eye.sides import disc_colours
from referee.eye.stacks import king_odds
from referee.eye.stillness import Stillness
from referee.eye.upper_discs import upper_discs
from referee.observation import (
    ALL_HIDDEN,
    Hand,
    LooseDisc,
    Observation,
    Place,
    Row,
    Visibility,
    certain,
)

SPARSE = 5
"""Every so many pixels of a patch, across and down, are compared with the last reading."""
SPARSE_PIXELS = np.meshgrid(np.arange(0, SIZE, SPARSE), np.arange(0, SIZE, SPARSE), indexing="ij")
CHANGED = 3.0
"""Grey levels of difference, beyond twice the picture's noise, from which a cell is read anew."""
QUIETEST = 10
"""Per cent of the cells that tell the noise of the picture: an arm and its shadow change most."""
LOUDER, NOISIER = 2.0, 1.0
"""Times the noise of the look before, and grey levels more, from which it is none: all that is in
the picture is another."""
ROUND_MS = 3_200
"""In which every cell is read anew whatever it looks like: no misreading stays for long."""
DARK = 12.0
"""Mean grey level of the board below which nothing can be read."""
FADED, TRACE = 0.35, 0.1
"""Share of the squares' contrast at calibration below which something covers them all, and the
one below which there is nothing left that could be out of focus."""
LOST = 0.2
"""Share of edges below which the board is not where it was."""
BLURRED, SHAPELESS = 0.3, 0.2
"""Share of the sharpness in focus, above that of a picture without any detail, below which the
camera is out of focus."""
BUMP = 0.01
"""Squares of drift from which the view is corrected: a pixel or less, and more than the passing
arm of a player makes it seem (0.009 at most in our films)."""
HARMLESS = 0.03
"""Squares of drift up to which what was read stays true: on a shaky stand, to read all cells anew
at every tremble would leave no time for the moves."""
HEALABLE = 0.5
"""Share of edges that must be seen to believe a drift: an arm over the board shifts the rest."""
PARTLY = 0.6
"""Share of their greatest step that the plainest edges keep while an arm leaves some of the board
in view: before a cap, in fog and out of focus all of them fade."""
PATIENCE_MS = 1_000
"""For so long an arm may hide most of the board before the eye counts as blind."""
LOST_MS, SEARCH_MS = 500, 1_500
"""A board that has not been seen for so long is searched for, and again after so long: a search
takes as long as many frames."""
ON_SQUARE = 0.37
"""Squares from the middle of its own up to which a disc is kept in mind as it looks: half on
another it looks as if it had more discs, or fewer, once it is put right."""
THERE = 0.5
"""Probability of a disc from which it is kept in mind as a piece, and below which that has gone."""
LOOSE = 0.9
"""Probability from which a disc on a light cell is reported."""
BEHIND: Row = (0, -200, -200, -200, -200)
"""What is said of a square over which a king's upper disc shows: of a piece on it more would."""

VACANT: Row = (0, -600, -600, -600, -600)
"""The same of a square beside which a disc lies astride: of pieces on it, that none is there."""


class Eye:
    """Reads the frames of one camera, in order."""

    def __init__(self, calibration: Calibration) -> None:
        self._learnt = calibration
        self._liveliness = Liveliness()
        self._sharpest = self._plainest = 0.0
        self._stood: Observation | None = None
        self._searched_ms = 0
        self._lamps, self._mirrored = Lamps(), NOWHERE
        self._seen: Observation | None = None
        self._astride = Astride(calibration.view)
        self._read_ms = self._clear_ms = 0
        self._look_from(calibration.view)
        self._forget()

    def _look_from(self, view: View) -> None:
        self.view, self._calibration = view, self._learnt.seen_from(view)
        self._chart = PatchMap.of(view)
        self._portraitist = Portraitist.of(view)
        self._astride.look_from(view)
        self._corners = self._chart.sampler(CORNER_ROWS, CORNER_COLUMNS)
        self._sparse = self._chart.sampler(*SPARSE_PIXELS)
        self._drift = DriftMeter(view, self._calibration.axis)
        self._stillness = Stillness(view)

    def _forget(self) -> None:
        self._rims, self._reach = Rims(self.view), Reach()
        self._recollection = Recollection()
        self._forget_cells()

    def _forget_cells(self) -> None:
        self._last: Floats | None = None
        self._astride = Astride(self.view)
        self._lit = np.zeros((64, 3), np.float32)
        self._noise = 0.0
        self._cells = Cells.blank(64)
        self._colours = np.zeros((64, 3), np.float32)
        self._footing, self._left = Footing(), ALL[:0]
        self._arms: tuple[Hand, ...] = ()
        self._covering = Covering()
        self._near = self._changed = NOWHERE

    def observe(self, image: Image, time_ms: int, still: bool = False) -> Observation:
        """What this frame says, (height, width, 3) blue green red of the calibrated size.

        `still` when the camera itself gives an image again because nothing is new.
        """
        if not still and self._liveliness.frozen(image, time_ms):
            return _blind(time_ms, Visibility.FROZEN)
        if self._seen is not None and self._stillness.still(image, time_ms):
            return replace(self._seen, time_ms=time_ms, shift=0)
        seen = self._look(image, time_ms)
        self._seen = seen if seen.visibility is Visibility.CLEAR else None
        return seen

    def _look(self, image: Image, time_ms: int) -> Observation:
        """With care."""
        drift = self._drift.measure(image)
        self._plainest = max(self._plainest, drift.plainest)
        shift = self._heal(drift)
        reduced = self._chart.reduced(image)
        light = measure_light(self._corners.look(reduced))
        sparse = self._sparse.look(reduced).astype(np.float32)
        state = self._state(float(sparse.mean()), light, drift)
        if state is not Visibility.CLEAR:
            found = self._search(image, time_ms) if state is not Visibility.DARK else None
            if found is not None:
                return found
            if self._is_behind_arm(state, drift, time_ms):
                return _behind(self._arms, time_ms)
            return _blind(time_ms, state)
        which = self._due(sparse, light, time_ms)
        self._read(which, image, reduced, light)
        hidden, hidden_ms = self._hidden_by_hands(time_ms)
        self._near = near_arms(hidden)
        arms = self._rims.arms(image, time_ms, uncovered=not is_over(hidden, hidden_ms))
        owner = self._reach.owner(hidden, self._rims.around, time_ms, self._rims.ring)
        self._arms = hands_over(hidden, arms, hidden_ms >= LASTING_MS, owner, self._lamps.cells)
        self._clear_ms = time_ms
        self._recall(which, image, light, time_ms)
        self._mind_footing(which, image)
        tops = self._tops()
        self._mind_astride(image, reduced, light, tops)
        seen = self._observation(time_ms, shift, tops)
        if self._is_about(seen):
            return self._look_anew(self.view.turned(2), image, time_ms)
        self._stood = self._stood if self._arms else seen
        return seen

    def _is_about(self, seen: Observation) -> bool:
        """Whether all that stands there stands the other way round."""
        if self._stood is not None and is_turned_about(self._stood.evidence, seen.evidence):
            return True
        return not seen.hands and is_set_up_about(seen.evidence)

    def _hidden_by_hands(self, time_ms: int) -> tuple[Floats, NDArray[np.int64]]:
        """(64,): how likely each cell is hidden, but for those that lamps alone hide, and for how
        long it has been, in milliseconds."""
        hidden = np.exp(self._cells.kinds[:, HIDDEN])
        hidden_ms = self._covering.lasts(hidden, time_ms)
        self._lamps.mind(hidden, hidden_ms, self._cells.presence, bool(self._rims.around))
        self._mirrored = self._lamps.mirrored(hidden)
        return np.where(self._mirrored, 0, hidden).astype(np.float32), hidden_ms

    def _search(self, image: Image, time_ms: int) -> Observation | None:
        """Look elsewhere for a board that has been gone for a while."""
        gone = time_ms - self._clear_ms >= LOST_MS and time_ms - self._searched_ms >= SEARCH_MS
        if self._stood is None or not gone:
            return None
        self._searched_ms = time_ms
        stood = self._stood.evidence, certain(START)
        view = find_again(image, self._learnt, stood, partial(self._seen_from, image))
        return self._look_anew(view, image, time_ms) if view else None

    def _look_anew(self, view: View, image: Image, time_ms: int) -> Observation:
        """What the picture says from a view that has nothing to do with the last one."""
        shift = self._drift.shift(view)
        self._look_from(view)
        self._forget()
        self._lamps = Lamps(NOWHERE)  # a hand may be there that has moved it
        # Nothing to compare with: what is read from the new view stands.
        stood, self._stood = self._stood, None
        seen = self._look(image, time_ms)
        self._stood = self._stood or stood
        return replace(seen, shift=round(1000 * shift))

    def _seen_from(self, image: Image, view: View) -> tuple[Row, ...]:
        """The evidence of a picture, if the board is there."""
        return Eye(self._learnt.seen_from(view)).observe(image, 0).evidence

    def _heal(self, drift: Drift) -> int:
        """Follow a board or camera that moved; the shift in 1/1000 square."""
        if drift.view is None or drift.seen < HEALABLE or drift.shift < BUMP:
            return 0
        self._look_from(drift.view)
        if drift.shift > HARMLESS:
            self._forget_cells()
        self._rims.follow(drift.view)  # a hand that is there at this moment does not belong there
        return round(1000 * drift.shift)

    def _state(self, brightness: float, light: Light, drift: Drift) -> Visibility:
        if brightness < DARK:
            return Visibility.DARK
        due = np.linalg.norm(self._calibration.palette.bare.mean)
        contrast = np.linalg.norm(light.contrast) / due
        if contrast > TRACE and self._is_blurred(drift.sharpness):
            return Visibility.BLURRED
        if contrast < FADED:
            return Visibility.COVERED
        return Visibility.LOST if drift.seen < LOST else Visibility.CLEAR

    def _is_blurred(self, sharpness: float) -> bool:
        self._sharpest = max(self._sharpest, sharpness)
        return sharpness - SHAPELESS < BLURRED * (self._sharpest - SHAPELESS)

    def _is_behind_arm(self, state: Visibility, drift: Drift, time_ms: int) -> bool:
        """Whether it is an arm that leaves too little of the board to judge by."""
        arm = bool(self._arms) or drift.plainest > PARTLY * self._plainest
        lately = time_ms - self._clear_ms <= PATIENCE_MS
        return arm and lately and state in (Visibility.COVERED, Visibility.BLURRED)

    def _read(self, which: NDArray[np.intp], image: Image, reduced: Image, light: Light) -> None:
        """Read some cells anew into what is known of all."""
        cells, self._colours[which] = self._closely(image, light, self._chart.cut(reduced, which))
        self._cells.put(which, cells)
        self._astride.mind(which)

    def _closely(self, image: Image, light: Light, patches: Patches) -> tuple[Cells, Floats]:
        """What is read of some patches, and the colours (n, 3) of the discs there."""
        first, known = Reader.shipped().read(features(patches, light)), self._calibration
        cells = look_again(
            image, self._portraitist, patches, first, light, known.radius, known.thickness
        )
        kings = king_odds(cells.ranks, known.thickness) > 0
        return cells, disc_colours(patches, light, cells.spots, kings)

    def _recall(self, which: NDArray[np.intp], image: Image, light: Light, time_ms: int) -> None:
        """Set the pieces that were read now beside what is known of them."""
        recollection = self._recollection
        recollection.mind_unrest(self._near | self._changed, time_ms)
        alone = not self._is_reached_over()
        wanted = recollection.unsettled(time_ms)
        wanted |= alone & recollection.unkept(time_ms)
        which = np.union1d(which, np.flatnonzero(wanted))
        which = which[~self._near[which]]
        there = self._cells.presence[which] > THERE
        recollection.mind_gone(which[~there])
        cells = which[there]
        feet = in_plane(self._chart.points[cells], self._cells.centres[cells])
        radii = np.full(len(cells), self._calibration.radius, np.float32)
        portraits = self._portraitist.draw(image, cells, feet, radii, BORDER)
        now = Looks.of(portraits, light.light[cells])
        lighter = sides_of(self._cells, self._colours, self._calibration)[cells] > 0
        recollection.recall(cells, now, lighter, time_ms)
        if alone:
            on_square = np.abs(feet - CENTRES[cells]).max(axis=1) <= ON_SQUARE
            recollection.keep(cells[on_square], now[on_square], time_ms)
        if not self._arms:
            recollection.mind_peace(self._changed & ~self._near, time_ms)

    def _is_reached_over(self) -> bool:
        """Whether an arm covers a square, and does not only cross the rim."""
        return any(arm.squares for arm in self._arms)

    def _mind_footing(self, which: NDArray[np.intp], image: Image) -> None:
        """See which discs are not where they stood; once no hand is over the board, how those stand
        that were read now or that one was near."""
        if self._is_reached_over():
            self._left = self._footing.left(image, self.view, self._near)
            return
        self._left, which = ALL[:0], np.union1d(which, self._footing.stale())
        self._footing.forget(which)
        cells = which[IS_DARK[which] & (self._cells.presence[which] > THERE)]
        feet, lean = self._feet()[cells], self._portraitist.lean[cells]
        self._footing.keep(image, self.view, cells, feet, lean, self._calibration.radius)

    def _due(self, sparse: Floats, light: Light, time_ms: int) -> NDArray[np.intp]:
        """The cells to be read now: those that changed since, or just before, when something that
        moved may have covered half of them; those whose turn it is, and those at which an arm was,
        for it may have left them."""
        lately, self._changed = self._changed, np.zeros(64, bool)
        if self._last is None:
            return self._taken_for_new(ALL, sparse, light)
        as_lit = self._last * np.exp(light.light - self._lit)[:, None, None]
        difference = np.sqrt(np.square(sparse - as_lit).mean(axis=(1, 2, 3)))
        before, self._noise = self._noise, float(np.percentile(difference, QUIETEST))
        if self._noise > LOUDER * before + NOISIER:
            return self._taken_for_new(ALL, sparse, light)
        self._changed = difference > CHANGED + 2 * self._noise
        stirred = np.flatnonzero(self._changed | lately | self._near)
        which = np.union1d(stirred, self._in_turn(time_ms))
        return self._taken_for_new(which, sparse, light)

    def _taken_for_new(
        self, which: NDArray[np.intp], sparse: Floats, light: Light
    ) -> NDArray[np.intp]:
        """The same cells, whose looks and light are kept to compare the next picture with."""
        if self._last is None:
            self._last = np.empty_like(sparse)
        self._last[which], self._lit[which] = sparse[which], light.light[which]
        return which

    def _in_turn(self, time_ms: int) -> NDArray[np.intp]:
        """The cells whose turn came since the last reading."""
        first, last = (64 * ms // ROUND_MS for ms in (self._read_ms, time_ms))
        self._read_ms = time_ms
        return np.arange(first, min(last, first + 64)) % 64

    def _mind_astride(self, image: Image, reduced: Image, light: Light, tops: Mask) -> None:
        """Look for discs that lie between cells."""
        if self._arms:
            self._astride.forget_near(self._near)
        else:
            chances = np.where(tops, 0.0, self._cells.presence)
            look = partial(self._closely, image, light)
            self._astride.look(reduced, chances, self._feet(), look)

    def _feet(self) -> Levels:
        """(64, 2): where the discs of the cells lie on the board."""
        return in_plane(self._chart.points, self._cells.centres)

    def _tops(self) -> Mask:
        """(64,): over which cells upper discs of kings show."""
        heights = 2 * min(self._calibration.thicknesses) * self._portraitist.lean
        return upper_discs(self._cells.kinds, self._feet(), CENTRES, heights, IS_DARK)

    def _observation(self, time_ms: int, shift: int, tops: Mask) -> Observation:
        cells, colours, feet = self._astride.read_on_edges(self._cells, self._colours, self._feet())
        rows, sides = evidence_rows(cells, colours, self._calibration, self._mirrored)
        chances = np.where(tops, 0.0, cells.presence)
        offsets, recalled = _offsets(feet, chances), self._recollection.recalled()
        said = dict.fromkeys(self._astride.vacant(), VACANT)
        said |= dict.fromkeys(np.flatnonzero(tops), BEHIND)
        return Observation(
            time_ms,
            tuple(said.get(cell, rows[cell]) for cell in DARK_CELLS),
            hands=self._arms,
            loose=(*self._loose(sides, offsets), *self._loose_at_crossings()),
            offsets=tuple(offsets[cell] for cell in DARK_CELLS),
            recalled=tuple(recalled[cell] for cell in DARK_CELLS),
            lifted=tuple(s for s in SQUARES if DARK_CELLS[s - 1] in self._left),
            shift=shift,
        )

    def _loose(self, sides: Floats, offsets: list[Place]) -> Iterator[LooseDisc]:
        """The discs that lie on light cells, and not astride."""
        told = np.union1d(self._astride.vacant(), self._astride.overhung())
        for cell in np.setdiff1d(LIGHT_CELLS, told):
            if place := offsets[cell]:
                owner = owner_of(sides[cell], self._calibration)
                yield LooseDisc(CELLS[cell], owner, place=place)

    def _loose_at_crossings(self) -> Iterator[LooseDisc]:
        """The discs that lie at crossings; whose they are is told as of discs on cells there."""
        which, cells, colours = self._astride.read_at_crossings(self._cells, self._colours)
        lighter = sides_of(cells, colours, self._calibration) if len(which) else ()
        for cell in which:
            yield LooseDisc(CELLS[cell], owner_of(lighter[cell], self._calibration), astride=True)


def _offsets(feet: Levels, chances: Levels) -> list[Place]:
    """Of each disc's centre from its cell's, in 1/1000 square of the board plane."""
    steps = 1000 * (feet - CENTRES)
    return [
        (round(x), round(y)) if chances[cell] >= LOOSE else None
        for cell, (x, y) in enumerate(steps.tolist())
    ]


def _behind(arms: tuple[Hand, ...], time_ms: int) -> Observation:
    """Nothing but these arms is seen."""
    side = only({arm.side for arm in arms})
    return Observation(time_ms, ALL_HIDDEN, hands=(Hand(side, tuple(SQUARES)),))


def _blind(time_ms: int, state: Visibility) -> Observation:
    return Observation(time_ms, ALL_HIDDEN, visibility=state)

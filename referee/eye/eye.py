"""The eye that watches a game: one observation a frame, from a calibrated view.

Most frames look like the one before, so only cells whose pixels changed are read anew, and a few
others in turn: a still board costs a copy of its pixels, not a reading.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.drift import Drift, DriftMeter
from calibration.model import View
from calibration.saved import Calibration
from referee.board import Side, square_at
from referee.eye.arm import hands_over
from referee.eye.evidence import evidence_rows
from referee.eye.features import features
from referee.eye.light import Light, measure_light
from referee.eye.patches import CELLS, PIXELS_A_SQUARE, Floats, Image, Patches, PatchMap
from referee.eye.reader import HIDDEN, KING, MAN, Cells, Reader
from referee.eye.sides import disc_colours
from referee.observation import HIDDEN as HIDDEN_ROW
from referee.observation import LooseDisc, Observation
from referee.observation import View as State

SPARSE = 4
"""Every so many pixels of a patch, across and down, are compared with the last reading."""
CHANGED = 3.0
"""Grey levels of mean difference, beyond the picture's noise, from which a cell is read anew."""
IN_TURN = 4
"""Cells read anew in every frame whatever they look like: no misreading stays for long."""
DARK = 12.0
"""Mean grey level of the board below which nothing can be read."""
FADED = 0.35
"""Share of the squares' contrast at calibration below which something covers them all."""
LOST = 0.2
"""Share of edges below which the board is not where it was."""
BUMP = 0.02
"""Squares of drift from which the view is corrected: a reader bears less without harm."""
HEALABLE = 0.5
"""Share of edges that must be seen to believe a drift: an arm over the board shifts the rest."""
LOOSE = 0.9
"""Probability from which a disc on a light cell is reported."""

DARK_CELLS = [8 * row + column for row, column in CELLS if square_at(row, column)]


class Eye:
    """Reads the frames of one camera, in order."""

    def __init__(self, calibration: Calibration, reader: Reader | None = None) -> None:
        self._calibration = calibration
        self._reader = reader or Reader.shipped()
        self._turn = 0
        self._look_from(calibration.view)

    def _look_from(self, view: View) -> None:
        self.view = view
        self._chart = PatchMap.of(view)
        self._drift = DriftMeter(view, self._calibration.axis)
        self._last: Floats | None = None
        self._cells = Cells.blank(64)
        self._colours = np.zeros((64, 3), np.float32)

    def observe(self, image: Image, time_ms: int) -> Observation:
        """What this frame says, (height, width, 3) blue green red of the calibrated size."""
        drift = self._drift.measure(image)
        shift = self._heal(drift)
        patches = self._chart.cut(image)
        light = measure_light(patches)
        state = self._state(patches, light, drift)
        if state is not State.CLEAR:
            return Observation(time_ms, (HIDDEN_ROW,) * 32, view=state)
        self._read(patches, light)
        return self._observation(time_ms, shift)

    def _heal(self, drift: Drift) -> int:
        """Follow a board or camera that moved; the shift in 1/1000 square."""
        if drift.view is None or drift.seen < HEALABLE or drift.shift < BUMP:
            return 0
        self._look_from(drift.view)
        return round(1000 * drift.shift)

    def _state(self, patches: Patches, light: Light, drift: Drift) -> State:
        if float(patches.pixels[:, ::8, ::8].mean()) < DARK:
            return State.DARK
        due = np.linalg.norm(self._calibration.palette.bare.mean)
        if np.linalg.norm(light.contrast) < FADED * due:
            return State.COVERED
        return State.LOST if drift.seen < LOST else State.CLEAR

    def _read(self, patches: Patches, light: Light) -> None:
        """Read the cells that changed, and a few in turn, into what is known of all."""
        sparse = patches.pixels[:, ::SPARSE, ::SPARSE].astype(np.float32)
        which = self._changed(sparse)
        read = self._reader.read(features(patches, light, which))
        self._cells.kinds[which] = read.kinds
        self._cells.whiteness[which] = read.whiteness
        self._cells.centres[which] = read.centres
        self._cells.heights[which] = read.heights
        self._colours[which] = disc_colours(patches, light, self._cells.centres)[which]
        assert self._last is not None
        self._last[which] = sparse[which]

    def _changed(self, sparse: Floats) -> NDArray[np.intp]:
        if self._last is None:
            self._last = np.zeros_like(sparse)
            return np.arange(64)
        difference = np.abs(sparse - self._last).mean(axis=(1, 2, 3))
        changed = difference > CHANGED + 2 * float(np.median(difference))
        self._turn = (self._turn + IN_TURN) % 64
        changed[self._turn : self._turn + IN_TURN] = True
        return np.flatnonzero(changed)

    def _observation(self, time_ms: int, shift: int) -> Observation:
        rows, sides = evidence_rows(self._cells, self._colours, self._chart.lean, self._calibration)
        hidden = np.exp(self._cells.kinds[:, HIDDEN])
        return Observation(
            time_ms,
            tuple(rows[cell] for cell in DARK_CELLS),
            hands=hands_over(hidden),
            loose=self._loose(sides),
            offsets=tuple(self._offset(cell) for cell in DARK_CELLS),
            shift=shift,
        )

    def _disc_chance(self, cell: int) -> float:
        return float(np.exp(self._cells.kinds[cell, [MAN, KING]]).sum())

    def _loose(self, sides: Floats) -> tuple[LooseDisc, ...]:
        light = [cell for cell in range(64) if cell not in DARK_CELLS]
        return tuple(
            LooseDisc(CELLS[cell], Side.WHITE if sides[cell] > 0 else Side.RED)
            for cell in light
            if self._disc_chance(cell) > LOOSE
        )

    def _offset(self, cell: int) -> tuple[int, int] | None:
        """The disc's centre from the square's, in 1/1000 square of the board plane."""
        if self._disc_chance(cell) < LOOSE:
            return None
        points = self._chart.points[cell]
        right, down = points[0, 1] - points[0, 0], points[1, 0] - points[0, 0]
        x, y = (self._cells.centres[cell] @ np.array([right, down])) * PIXELS_A_SQUARE
        return round(1000 * float(x)), round(1000 * float(y))

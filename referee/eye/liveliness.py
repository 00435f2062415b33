"""A camera that hangs repeats its last frame to the bit; a real one adds fresh noise to each.

Some recordings repeat frames all the time, or whenever nothing moves, so only a camera that never
did so before is believed to hang, and only once. This serves recordings of such a camera; a live
one is watched, and opened again, by `hardware.cameras.lasting`.
"""

from __future__ import annotations

import numpy as np

from calibration.arrays import Image

SPARSE_ROWS, SPARSE_COLUMNS = 15, 11
"""Every so many pixels are compared."""
LIVELY_FRAMES = 20
"""Frames that must differ from the one before until a repetition counts."""
FROZEN_MS = 250
"""How long the same frame must come again; people are told when it goes on."""


class Liveliness:
    """Follows the frames of one camera."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._changed_ms = 0
        self._changes = 0
        self._repeats_by_habit = False
        self._hung = False

    def frozen(self, image: Image, time_ms: int) -> bool:
        """Whether the camera hangs, after this frame (height, width, 3) at a time in ms."""
        sparse = image[::SPARSE_ROWS, ::SPARSE_COLUMNS]
        if self._last is None or not np.array_equal(sparse, self._last):
            self._repeats_by_habit |= self._hung
            self._last = sparse.copy()
            self._changed_ms = time_ms
            self._changes += 1
            return False
        self._repeats_by_habit |= self._changes < LIVELY_FRAMES
        still = time_ms - self._changed_ms >= FROZEN_MS
        self._hung = still and not self._repeats_by_habit
        return self._hung

"""Is anything new in this frame? A glance at few of its pixels tells, before any work is done.

Most frames of a game show a board at which somebody thinks. Such a frame is answered by what was
seen last; only every so often is a still board looked at with care, for what is too small to be
noticed in passing.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.arrays import Image
from calibration.model import View

MARGIN = 0.15
"""Share of the board's height and width around it that is compared as well: arms come over it."""
PLACES = 64
"""Compared in a row and in a column: six for each square's width."""
NOISE, LEAST = 6.0, 20.0
"""A place has changed from so many times the usual difference and so many grey levels, green and
red together; by the latter all of them change when a lamp is switched."""
FEW = 5
"""Changed places that noise may cause: a disc covers a dozen."""
SEEN = slice(1, 3)
"""The channels compared: green and red. A red disc may be as green as a brown square, and blue is
the noisiest one of a camera."""
SOON_MS, STILL_MS = 200, 800
"""A board is looked at with care so soon after something new was seen, for that look may have
caught a hand or the board in motion; then after twice as long each time, and at least so often."""


class Stillness:
    """Compares the frames of one view with the last one that was looked at with care."""

    def __init__(self, view: View) -> None:
        corners = view.corners()
        low, high = corners.min(axis=0), corners.max(axis=0)
        more = MARGIN * (high - low)
        size = np.array([view.lens.width, view.lens.height])
        first = np.clip(low - more, 0, size - 1).astype(int)
        last = np.clip(high + more, 1, size).astype(int)
        step = np.maximum(1, (last - first) // PLACES)
        columns, rows = (slice(first[i], last[i], step[i]) for i in (0, 1))
        self._where = rows, columns, SEEN
        self._last: Image | None = None
        self._looked_ms, self._wait_ms = 0, SOON_MS

    def still(self, image: Image, time_ms: int) -> bool:
        """Whether the frame shows what the last one did that was not still."""
        now = np.ascontiguousarray(image[self._where])
        new = self._last is None or _differ(now, self._last)
        if not new and time_ms - self._looked_ms < self._wait_ms:
            return True
        self._wait_ms = SOON_MS if new else min(2 * self._wait_ms, STILL_MS)
        self._last, self._looked_ms = now, time_ms
        return False


def _differ(now: Image, last: Image) -> bool:
    green, red = cv2.split(cv2.absdiff(now, last))
    change = cv2.add(green, red)
    usual = float(np.median(change))
    changed = int((change > max(LEAST, NOISE * usual)).sum())
    return changed > FEW or usual > LEAST

"""Is a picture worth its conversion? A small second stream of the same moment tells beforehand.

Each place is compared with what it was when a picture was last taken whole, not a moment ago: what
creeps adds up. Colours count too: a red disc may be as bright as the green square it stands on.
In a picture noisier than the gate bears, every picture is taken: that costs time, nothing else.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.pixels import planes

SHARE = 4
"""So many times as wide and high as the small stream's pictures are those of the other."""
CHANGED = 3
"""By more levels of 255 than these one place must differ, 8x8 pixels of the whole picture. The
noise of a camera, 2 to 3 levels a pixel, is 0.5 over such a place; a disc that goes changes a
hundred of them by tens of levels."""
KEPT_NS = 400_000_000
"""After so long a picture is taken whole whatever it shows: for what is smaller still, and because
only its noise shows that a camera lives."""

Plane = NDArray[np.uint8]


class Gate:
    """Follows the small pictures of one camera."""

    def __init__(self, layout: str, size: tuple[int, int]) -> None:
        """As the camera says of the small stream."""
        self._layout, self._size = layout, size
        self._taken: tuple[Plane, Plane] | None = None
        self._taken_ns = 0

    def still(self, small: Plane, time_ns: int) -> bool:
        """Whether the picture taken last serves for this one too; if not, take this one."""
        places = self._places(small)
        # Not since a clock that stands or jumps, either.
        fresh = 0 < time_ns - self._taken_ns < KEPT_NS
        if self._taken is not None and fresh and not _differ(places, self._taken):
            return True
        self._taken, self._taken_ns = places, time_ns
        return False

    def _places(self, small: Plane) -> tuple[Plane, Plane]:
        bright, colours = planes(small, self._layout, self._size)
        half = (self._size[0] // 2, self._size[1] // 2)
        halved = cv2.resize(bright, half, interpolation=cv2.INTER_AREA)
        return np.asarray(halved, np.uint8), np.ascontiguousarray(colours)


def _differ(now: tuple[Plane, Plane], taken: tuple[Plane, Plane]) -> bool:
    pairs = zip(now, taken, strict=True)
    return any(cv2.norm(one, other, cv2.NORM_INF) > CHANGED for one, other in pairs)

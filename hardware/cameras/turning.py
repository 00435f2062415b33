"""The pictures of a folder, turned over by whoever looks at them.

They carry no clock, and may be the frames of a film as well as one photograph after each move. So
each is looked at until it is understood, and the next one waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from hardware.camera import Frame

AGAIN_MS = 250
"""A picture is looked at again after so long."""
LONGEST_MS = 5_000
"""A picture that is not understood by then will not be."""


class Turning:
    """Passes frames on; one that waits comes again until it is understood."""

    def __init__(self, understood: Callable[[], bool]) -> None:
        """`understood` tells it of the last frame that was passed on."""
        self._understood = understood
        self.spent_ms = 0
        """How much later than by its source's clock the last frame came."""

    def over(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """The frames, later by all that was spent on those before."""
        for frame in frames:
            yield self._late(frame)
            if frame.waits:
                yield from self._again(frame)

    def _again(self, frame: Frame) -> Iterator[Frame]:
        """The same picture: once in any case, for a single look is easily mistaken."""
        for _ in range(0, LONGEST_MS, AGAIN_MS):
            self.spent_ms += AGAIN_MS
            yield replace(self._late(frame), still=True)
            if self._understood():
                return

    def _late(self, frame: Frame) -> Frame:
        return replace(frame, time_ms=frame.time_ms + self.spent_ms)

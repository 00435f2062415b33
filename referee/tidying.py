"""Python's tidying up, kept for moments in which nobody waits for a move.

Left to itself Python looks for circles of forgotten objects whenever enough new ones have been
made, which is in the busiest frames, and looks through everything that the program holds: that
takes longer than such a frame does.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

EVERY_MS = 2_000
"""So long at least lies between two times."""
LATEST_MS = 30_000
"""After so long there is no waiting for a quiet moment."""


class Tidying:
    """When to tidy up; time comes in with the frames."""

    def __init__(self) -> None:
        self._tidied_ms: int | None = None

    def after_frame(self, time_ms: int, quiet: bool) -> bool:
        """Tidy up after a frame if it is time. What is kept then is not looked through again."""
        if self._tidied_ms is None:
            self._tidied_ms = time_ms
        waited = time_ms - self._tidied_ms
        if waited < (EVERY_MS if quiet else LATEST_MS):
            return False
        self._tidied_ms = time_ms
        gc.collect()
        gc.freeze()
        return True


@contextmanager
def tidying() -> Iterator[Tidying]:
    """Python tidies up only when told to, until this is left."""
    enabled = gc.isenabled()
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield Tidying()
    finally:
        gc.unfreeze()
        if enabled:
            gc.enable()

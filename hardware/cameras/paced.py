"""Recordings at their own speed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from hardware.camera import Frame


def paced(frames: Iterable[Frame]) -> Iterator[Frame]:
    """The frames, none earlier after the first than it was taken."""
    begin_s: float | None = None
    for frame in frames:
        taken_s, now_s = frame.time_ms / 1000, time.monotonic()
        if begin_s is None:
            begin_s = now_s - taken_s
        time.sleep(max(0.0, begin_s + taken_s - now_s))
        yield frame

"""Ends a referee that is stuck, so that whoever supervises it can start it again."""

from __future__ import annotations

import faulthandler
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from types import FrameType

from hardware.camera import Frame

STUCK_S = 30.0
"""No frame takes so long, blind ones included; the search for the board takes a second or two."""
STATUS = 75
"""What `sysexits.h` calls a temporary failure: try again."""
LAST_RESORT = 1.5
"""So many times as long, and the kernel ends the program by its alarm clock. A driver that hangs
while it holds Python's lock stops every thread, this watchdog's too."""


def watched_over(
    frames: Iterable[Frame], stuck_s: float = STUCK_S, farewell: Callable[[], None] = lambda: None
) -> Iterator[Frame]:
    """The frames as they are; the program ends when nobody comes for the next one any more, with
    a `farewell` that must not be left out. The journal needs none: `referee resume` goes on.
    """
    heart = _Heart(stuck_s, farewell)
    heart.beat()
    threading.Thread(target=heart.watch, daemon=True).start()
    try:
        for frame in frames:
            heart.beat()
            yield frame
            heart.beat()
    finally:
        heart.stop()


class _Heart:
    def __init__(self, stuck_s: float, farewell: Callable[[], None]) -> None:
        self._stuck_s, self._farewell = stuck_s, farewell
        self._beat_s = time.monotonic()
        self._stopped = threading.Event()
        self._usual = signal.getsignal(signal.SIGTSTP)
        """What Ctrl-Z does besides."""
        is_main = threading.current_thread() is threading.main_thread()
        self._minds_stops = is_main and self._usual not in (None, signal.SIG_IGN)
        if self._minds_stops:
            signal.signal(signal.SIGTSTP, self._rest)

    def beat(self) -> None:
        self._beat_s = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, LAST_RESORT * self._stuck_s)

    def stop(self) -> None:
        self._stopped.set()
        signal.setitimer(signal.ITIMER_REAL, 0)
        if self._minds_stops:
            signal.signal(signal.SIGTSTP, self._usual)

    def _rest(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-Z: who is stopped is not stuck."""
        self._beat_s = math.inf
        signal.setitimer(signal.ITIMER_REAL, 0)
        if callable(self._usual):
            self._usual(number, frame)
        else:
            stop_here(number)
        signal.signal(number, self._rest)
        self.beat()

    def watch(self) -> None:
        while not self._stopped.wait(self._stuck_s / 10):
            if time.monotonic() - self._beat_s > self._stuck_s:
                print("referee: I am stuck and end; go on with referee resume", file=sys.stderr)
                faulthandler.dump_traceback(all_threads=True)
                self._farewell()
                os._exit(STATUS)


def stop_here(number: int) -> None:
    """Have a signal stop the program, as if nobody minded it, until somebody continues it."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)

"""A live camera that outlasts its cable: what fails is opened again, and meanwhile it is said."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from queue import Empty, Full, Queue

import numpy as np

from hardware.camera import Camera, CameraError, CameraHung, Frame, Image, borrowed_frames

STALE_S = 1.0
"""Without a new picture for so long the camera is blind. People must hear of it within two
seconds, and the game waits for some of them to be sure; a camera of one frame a second is not."""
TICK_S = 0.1
"""Between two frames that only say that there is no picture."""
FROZEN_S = 5.0
"""A camera that gives the same pixels for so long is opened again: no sensor is without noise."""
HUNG_S = 45.0
"""A camera that neither gives pictures nor fails for so long can be helped from outside only."""
BACKOFF_S = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Between two attempts to open it; the last one again and again."""
SPARSE = 16
"""Every so many pixels are compared."""
LOST, FROZEN = "lost", "frozen"
Box = Queue[Frame | CameraError]


def lasting(camera: Camera) -> Camera:
    """The camera itself when it is a recording; else one that is opened again when it fails."""
    return camera if camera.length_ms is not None else Lasting(camera)


class Lasting:
    """Never ends and never lags; between pictures its frames are `blind`."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera

    @property
    def length_ms(self) -> int | None:
        return None

    def frames(self) -> Iterator[Frame]:
        """New pictures as they come; blind frames while there are none.

        CameraError when the camera cannot be opened at first, CameraHung when it hangs for good.
        """
        pump = _Pump(self._camera)
        thread = threading.Thread(target=pump.run, daemon=True)
        thread.start()
        try:
            yield from _Timing(pump).frames()
        finally:
            pump.stop.set()
            thread.join(timeout=STALE_S)


@dataclass
class _Pump:
    """Empties the camera in a thread of its own and opens it anew when it fails."""

    camera: Camera
    box: Box = field(default_factory=lambda: Queue(maxsize=1))
    stop: threading.Event = field(default_factory=threading.Event)
    again: threading.Event = field(default_factory=threading.Event)
    """Set to have the camera opened anew though it has not failed."""
    alive_s: float = field(default_factory=time.monotonic)
    """When the camera last gave a picture, failed or was waited for."""

    def run(self) -> None:
        tries = 0
        while not self.stop.is_set():
            try:
                for frame in self._pictures():
                    tries = 0
                    self._offer(frame)
                error = CameraError("the camera has ended")
            except CameraError as failure:
                error = failure
            except Exception as failure:  # of a driver: it is opened again like one that says so
                error = CameraError(f"the camera fails: {failure}")
            self._offer(error)
            self._wait(BACKOFF_S[min(tries, len(BACKOFF_S) - 1)])
            tries += 1

    def _pictures(self) -> Iterator[Frame]:
        self.again.clear()  # this is the opening that was asked for
        with borrowed_frames(self.camera) as frames:
            for frame in frames:
                self.alive_s = time.monotonic()
                if self.stop.is_set() or self.again.is_set():
                    return
                yield frame

    def _wait(self, seconds: float) -> None:
        end_s = time.monotonic() + seconds
        while time.monotonic() < end_s and not self.stop.wait(TICK_S):
            self.alive_s = time.monotonic()

    def _offer(self, news: Frame | CameraError) -> None:
        """Newest wins: a slow reader skips."""
        while not self.stop.is_set():
            try:
                self.box.put_nowait(news)
                return
            except Full:
                try:
                    self.box.get_nowait()
                except Empty:
                    continue


class _Timing:
    """One row of times over all openings of the camera, and what is new in its pictures."""

    def __init__(self, pump: _Pump) -> None:
        self._pump = pump
        self._last: Frame | None = None
        self._pixels: Image | None = None
        self._new_s = self._any_s = time.monotonic()
        """When the last new picture came, and the last one at all."""
        self._begin_s: float | None = None
        self._asked_s = 0.0

    def frames(self) -> Iterator[Frame]:
        while True:
            try:
                news = self._pump.box.get(timeout=TICK_S)
            except Empty:
                news = None
            if isinstance(news, CameraHung) or (
                isinstance(news, CameraError) and self._last is None
            ):
                raise news
            if isinstance(news, Frame) and self._is_of_now(news):
                yield self._timed(news)
            elif time.monotonic() - self._new_s >= STALE_S:
                self._give_up_what_hangs()
                if self._last is not None:
                    blind = self._blind()
                    if blind.blind == FROZEN:  # one that is lost is opened anew without being told
                        self._demand_another()
                    yield blind

    def _is_of_now(self, frame: Frame) -> bool:
        """Whether it shows this moment: by new pixels, or by a camera that has compared, which
        counts only as long as there were new ones lately."""
        now_s = self._any_s = time.monotonic()
        pixels = frame.image[::SPARSE, ::SPARSE]
        if self._pixels is None or not np.array_equal(pixels, self._pixels):
            self._pixels, self._new_s = pixels.copy(), now_s
            return True
        return frame.still and now_s - self._new_s < STALE_S

    def _timed(self, frame: Frame) -> Frame:
        least_ms = self._last.time_ms + 1 if self._last else 0
        self._last = replace(frame, time_ms=max(least_ms, self._now_ms()))
        return self._last

    def _now_ms(self) -> int:
        """Since the first picture."""
        now_s = time.monotonic()
        self._begin_s = now_s if self._begin_s is None else self._begin_s
        return round(1000 * (now_s - self._begin_s))

    def _blind(self) -> Frame:
        assert self._last is not None
        why = FROZEN if time.monotonic() - self._any_s < STALE_S else LOST
        time_ms = max(self._last.time_ms, self._now_ms())
        return replace(self._last, time_ms=time_ms, blind=why, still=False)

    def _give_up_what_hangs(self) -> None:
        if time.monotonic() - self._pump.alive_s > HUNG_S:
            raise CameraHung("the camera hangs; pull it out, put it back and start again")

    def _demand_another(self) -> None:
        """Have a frozen camera opened anew."""
        now_s = time.monotonic()
        if now_s - max(self._new_s, self._asked_s) >= FROZEN_S:
            self._asked_s = now_s
            self._pump.again.set()

"""What a service tells systemd, by datagrams to the socket that it names (sd_notify(3))."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator, Mapping
from types import TracebackType

from hardware.camera import Camera, Frame

READY, ALIVE, STOPPING = "READY=1", "WATCHDOG=1", "STOPPING=1"
SHARE = 4
"""So many times within its patience the watchdog is told that all is well."""
PATIENCE_S = 1.0
"""Beginning and end must be heard; for the rest a game does not wait until somebody listens."""
LONGEST = 200
"""Signs of a status."""


class Supervisor:
    """Whoever has started us and wants to hear; to be used in a `with`. Perhaps nobody."""

    def __init__(self, address: str | None = None, patience_s: float | None = None) -> None:
        """`address` is a path, or begins with `@` where it is in no file system. Without a
        `patience_s` nobody waits for a sign of life."""
        self._address = address
        self._beat_s = patience_s / SHARE if patience_s else None
        self._told_s = float("-inf")
        self._ready, self._status = False, ""

    @staticmethod
    def of(environment: Mapping[str, str] = os.environ) -> Supervisor:
        """The supervisor that the environment names."""
        mine = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        microseconds = environment.get("WATCHDOG_USEC", "")
        patience_s = int(microseconds) / 1e6 if mine and microseconds.isdecimal() else None
        return Supervisor(environment.get("NOTIFY_SOCKET") or None, patience_s)

    def ready(self) -> None:
        """The first good picture has come."""
        if not self._ready:
            self._ready = self._tell(READY, PATIENCE_S)

    def alive(self) -> None:
        """The referee has come for another picture; told now and then only."""
        now_s = time.monotonic()
        due = self._beat_s is not None and now_s - self._told_s >= self._beat_s
        if due and self._tell(ALIVE):
            self._told_s = now_s

    def status(self, text: str) -> None:
        """What `systemctl status` shows; told when it is another."""
        if text != self._status and self._tell(f"STATUS={' '.join(text.split())[:LONGEST]}"):
            self._status = text

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._tell(STOPPING, PATIENCE_S)

    def _tell(self, message: str, patience_s: float = 0.0) -> bool:
        """Whether it was told, or there is nobody to tell."""
        if self._address is None:
            return True
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
                line.settimeout(patience_s)
                line.sendto(message.encode(), address)
        except OSError:
            return False
        return True


class Supervised:
    """A camera whose supervisor hears of each picture that is fetched.

    From nowhere else: a referee that is stuck fetches none.
    """

    def __init__(self, camera: Camera, supervisor: Supervisor) -> None:
        self._camera, self._supervisor = camera, supervisor

    @property
    def length_ms(self) -> int | None:
        return self._camera.length_ms

    def frames(self) -> Iterator[Frame]:
        for frame in self._camera.frames():
            if not frame.blind:
                self._supervisor.ready()
            self._supervisor.alive()
            yield frame

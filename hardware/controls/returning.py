"""Buttons on a cable: what is pulled out is opened again once it is back."""

from __future__ import annotations

import time
from collections.abc import Callable

from hardware.panel import Button, Lamps, Panel, PanelError

BACKOFF_S = (0.5, 1.0, 2.0, 4.0)
"""Between two attempts to open it, the last one again and again: as long as people will wait who
have just put it back. An attempt that fails takes no time."""


class Returning:
    """A panel that has buttons only; nothing here raises or waits."""

    def __init__(self, opened: Callable[[], Panel], tell: Callable[[str], None]) -> None:
        """`opened` raises PanelError while there is none; `tell` hears when it goes and returns."""
        self._opened, self._tell = opened, tell
        self._panel: Panel | None = None
        self._tries, self._next_s = 0, 0.0

    def presses(self) -> list[Button]:
        try:
            return self._open().presses() if self._panel or self._is_due() else []
        except PanelError as error:
            self._miss(error)
            return []

    def show(self, lamps: Lamps) -> None:
        """There are no lamps."""

    def beep(self, times: int) -> None:
        """There is no buzzer."""

    def close(self) -> None:
        if self._panel:
            self._panel.close()
        self._panel = None

    def _is_due(self) -> bool:
        return time.monotonic() >= self._next_s

    def _open(self) -> Panel:
        if self._panel is None:
            self._panel = self._opened()
            if self._tries:
                self._tell("the keypad is back")
            self._tries = 0
        return self._panel

    def _miss(self, error: PanelError) -> None:
        self.close()
        if not self._tries:
            self._tell(f"{error}; the game goes on without, until it is plugged in")
        self._next_s = time.monotonic() + BACKOFF_S[min(self._tries, len(BACKOFF_S) - 1)]
        self._tries += 1

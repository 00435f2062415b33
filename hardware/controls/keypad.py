"""A USB keypad as a panel of buttons, read from the kernel's input device.

It needs no library, and no terminal in front: the keys are taken from the terminal meanwhile.
"""

from __future__ import annotations

import fcntl
import os
import struct
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from hardware.panel import HELD, HOLD_S, Button, Lamps, PanelError

EVENT = struct.Struct("llHHi")
"""`struct input_event` of linux/input.h: seconds, microseconds, type, code, value."""
KEY, RELEASED, PRESSED = 1, 0, 1
"""Type of a key's events (EV_KEY) and two of its values; 2 is the repetition of a held key."""
LOST = (0, 3)
"""Type and code of SYN_DROPPED: events are missing, perhaps that a key was let go."""
GRAB = 0x40044590
"""EVIOCGRAB of linux/input.h: nobody else gets the events."""
KEYS: Mapping[int, Button] = {
    79: Button.ADJUSTING,
    80: Button.CLOCK_RED,
    81: Button.CLOCK_WHITE,
    75: Button.CLAIM,
    76: Button.CONFIRM,
} | {
    2: Button.ADJUSTING,
    3: Button.CLOCK_RED,
    4: Button.CLOCK_WHITE,
    5: Button.CLAIM,
    6: Button.CONFIRM,
}
"""KEY_KP1 to KEY_KP5 of a number pad, KEY_1 to KEY_5 of a keyboard."""
MOST_BYTES = 64 * EVENT.size
"""Read at once: some ten presses."""


class Keypad:
    """Has buttons only."""

    def __init__(self, path: Path, hold_s: float = HOLD_S) -> None:
        """`path` like `/dev/input/by-id/usb-…-event-kbd`. PanelError when it cannot be read."""
        self._path, self._hold_s = path, hold_s
        self._since: dict[Button, float] = {}
        """When a button that must be held went down."""
        self._rest = b""
        try:
            self._device = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        except OSError as error:
            raise PanelError(f"there is no keypad {path}: {_reason(error)}") from None
        with suppress(OSError):  # the keys are read all the same
            fcntl.ioctl(self._device, GRAB, 1)

    def presses(self) -> list[Button]:
        pressed = []
        for kind, code, value in self._events():
            if (kind, code) == LOST:
                self._since.clear()
            button = KEYS.get(code) if kind == KEY else None
            if button in HELD:
                self._note(button, value)
            elif button and value == PRESSED:
                pressed.append(button)
        return pressed + self._held()

    def show(self, lamps: Lamps) -> None:
        """There are no lamps."""

    def beep(self, times: int) -> None:
        """There is no buzzer."""

    def close(self) -> None:
        with suppress(OSError):
            os.close(self._device)

    def _events(self) -> list[tuple[int, int, int]]:
        """Type, code and value of what the kernel has for us."""
        try:
            self._rest += os.read(self._device, MOST_BYTES)
        except BlockingIOError:
            return []
        except OSError as error:
            raise PanelError(f"the keypad {self._path} has gone: {_reason(error)}") from None
        whole = len(self._rest) // EVENT.size * EVENT.size
        events, self._rest = self._rest[:whole], self._rest[whole:]
        return [fields[2:] for fields in EVENT.iter_unpack(events)]

    def _note(self, button: Button, value: int) -> None:
        if value == PRESSED:
            self._since[button] = time.monotonic()
        elif value == RELEASED:
            self._since.pop(button, None)

    def _held(self) -> list[Button]:
        """What has been held long enough by now; once each."""
        end_s = time.monotonic() - self._hold_s
        held = [button for button, since_s in self._since.items() if since_s <= end_s]
        for button in held:
            del self._since[button]
        return held


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()

"""A panel on the pins of a Raspberry Pi, by gpiozero, which is imported here and nowhere else.

Its callbacks run in threads of its own: they note the press and do nothing else.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from hardware.panel import HELD, HOLD_S, Button, Lamps, PanelError, Presses

BOUNCE_S = 0.05
"""A contact that has closed opens and closes again for a few milliseconds."""
BEEP_S, PAUSE_S = 0.1, 0.1
"""How long the buzzer sounds, and is silent between two beeps."""


@dataclass(frozen=True)
class Pins:
    """GPIO numbers, not those of the plug; 0, which is reserved, where nothing is fitted.

    They leave free what sound boards, displays and consoles use: I2C, SPI0, the serial port and
    I2S (18 to 21).
    """

    lamp_red: int = 17
    lamp_white: int = 27
    lamp_offence: int = 22
    buzzer: int = 23
    adjusting: int = 5
    clock_red: int = 6
    clock_white: int = 13
    claim: int = 16
    confirm: int = 26

    def of(self, button: Button) -> int:
        """The pin of a button."""
        pin: int = getattr(self, button.value)
        return pin


class GpioPanel:
    """Lamps and buzzer between pin and ground, buttons too: pressed is low."""

    def __init__(self, pins: Pins | None = None, hold_s: float = HOLD_S) -> None:
        """PanelError when there are no pins here, or two things want the same one."""
        pins = pins or Pins()
        self._presses = Presses()
        self._hold_s = hold_s
        self._devices: list[Any] = []
        with _told(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # one sentence tells of all the ways that failed
            try:
                self._open(pins)
            except BaseException:
                self.close()
                raise

    def presses(self) -> list[Button]:
        return self._presses.taken()

    def show(self, lamps: Lamps) -> None:
        with _told():
            _light(self._red, lamps.red)
            _light(self._white, lamps.white)
            _light(self._offence, lamps.offence)

    def beep(self, times: int) -> None:
        with _told():
            if self._buzzer:
                self._buzzer.beep(BEEP_S, PAUSE_S, times)

    def close(self) -> None:
        for device in self._devices:
            with suppress(Exception):  # it may have gone
                if hasattr(device, "off"):
                    device.off()
                device.close()

    def _open(self, pins: Pins) -> None:
        # lgpio leaves a pipe in the working directory, which may be anybody's.
        os.environ.setdefault("LG_WD", tempfile.gettempdir())
        from gpiozero import LED, Buzzer

        self._red = self._fitted(LED, pins.lamp_red)
        self._white = self._fitted(LED, pins.lamp_white)
        self._offence = self._fitted(LED, pins.lamp_offence)
        self._buzzer = self._fitted(Buzzer, pins.buzzer)
        for button in Button:
            self._open_button(button, pins.of(button))

    def _open_button(self, button: Button, pin: int) -> None:
        from gpiozero import Button as Contact

        contact = self._fitted(partial(Contact, bounce_time=BOUNCE_S, hold_time=self._hold_s), pin)
        if contact:
            noted = "when_held" if button in HELD else "when_pressed"
            setattr(contact, noted, partial(self._presses.put, button))

    def _fitted(self, kind: Any, pin: int) -> Any:
        """The device on a pin; None where nothing is fitted."""
        if not pin:
            return None
        device = kind(pin)
        self._devices.append(device)
        return device


def _light(lamp: Any, lit: bool) -> None:
    if lamp:
        lamp.value = lit


@contextmanager
def _told() -> Iterator[None]:
    """Each library for the pins has a family of errors of its own; here they are one."""
    try:
        yield
    except ImportError as error:  # gpiozero's failure to find pins is one, too
        raise PanelError(
            f"there is no panel ({_sentence(error)}); it needs a Raspberry Pi, and:"
            " sudo apt install python3-gpiozero python3-lgpio"
        ) from None
    except Exception as error:
        raise PanelError(f"the panel fails: {_sentence(error)}") from None


def _sentence(error: Exception) -> str:
    return str(error).rstrip("!.") or type(error).__name__

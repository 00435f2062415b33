"""The one door to the panels."""

from __future__ import annotations

from pathlib import Path

from hardware.controls.gpio import GpioPanel, Pins
from hardware.controls.keypad import Keypad
from hardware.panel import HOLD_S, Panel

OFF, GPIO = "off", "gpio"


def open_panel(kind: str, *, pins: Pins | None = None, hold_s: float = HOLD_S) -> Panel | None:
    """The panel on the pins for `gpio`, else the keypad of that path; None for `off`.

    PanelError when there is none.
    """
    if kind == OFF:
        return None
    return GpioPanel(pins, hold_s) if kind == GPIO else Keypad(Path(kind), hold_s)

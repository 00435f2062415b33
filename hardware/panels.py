"""The one door to the panels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from hardware.controls.gpio import GpioPanel, Pins
from hardware.controls.keypad import Keypad
from hardware.controls.returning import Returning
from hardware.panel import HOLD_S, Panel

OFF, GPIO = "off", "gpio"


def open_panel(
    kind: str,
    tell: Callable[[str], None],
    *,
    pins: Pins | None = None,
    hold_s: float = HOLD_S,
) -> Panel | None:
    """The panel on the pins for `gpio`, else the keypad of that path; None for `off`.

    PanelError when there are no such pins. A keypad may come and go; `tell` hears of it.
    """
    if kind == OFF:
        return None
    if kind == GPIO:
        return GpioPanel(pins, hold_s)
    return Returning(partial(Keypad, Path(kind), hold_s), tell)

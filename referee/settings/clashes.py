"""Settings that are right each for itself, and cannot hold together."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import fields

from hardware.controls.gpio import Pins
from hardware.panels import GPIO
from referee.settings.knobs import PanelSettings, Settings


def clashes(settings: Settings) -> tuple[str, ...]:
    """What is wrong, a sentence each."""
    return _shared_pins(settings.panel) if settings.panel.kind == GPIO else ()


def _shared_pins(panel: PanelSettings) -> tuple[str, ...]:
    fitted = defaultdict[int, list[str]](list)
    for each in fields(Pins):
        fitted[getattr(panel, each.name)].append(each.name)
    return tuple(
        f"[panel] {' and '.join(names)} have the same pin, {pin};"
        " give each its own, or 0 to what is not fitted"
        for pin, names in sorted(fitted.items())
        if pin and len(names) > 1
    )

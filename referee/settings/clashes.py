"""Settings that are right each for itself, and cannot hold together."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import fields

from hardware.controls.gpio import Pins
from hardware.panels import GPIO
from referee.clock import parse_setting
from referee.profiles import PROFILES
from referee.settings.knobs import PanelSettings, RulesSettings, Settings


def clashes(settings: Settings) -> tuple[str, ...]:
    """What is wrong, a sentence each."""
    pins = _shared_pins(settings.panel) if settings.panel.kind == GPIO else ()
    return pins + _useless_clock(settings.rules)


def _useless_clock(rules: RulesSettings) -> tuple[str, ...]:
    profile = PROFILES[rules.profile]
    if profile.time or not rules.clock or parse_setting(rules.clock) is None:
        return ()
    return (
        f"[rules] the rules {profile.name} say nothing of clocks;"
        " set clock to off, or another profile",
    )


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

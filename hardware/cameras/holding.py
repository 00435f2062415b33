"""Exposure, white balance and focus of libcamera's cameras: let go, found, held.

A square's look then changes only when something on the board does. The names are those of
libcamera's controls; what a module does not offer is left out (only some can focus).
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from hardware.cameras.memory import Number

Numbers = dict[str, Number]
Facts = Mapping[str, Any]
"""What a camera says about one picture."""

HELD = {
    "ExposureTime": "exposure",
    "AnalogueGain": "gain",
    "ColourGains": "white balance",
    "LensPosition": "focus",
}
"""What is read from a picture's facts and then set for all others, times in microseconds; and what
people call it."""
MANUAL, AUTO, START, SCANNING = 0, 1, 0, 1
"""libcamera's numbers for the ways to focus, for a search and for being at it."""
BY_HAND = {"AeEnable": False, "AwbEnable": False, "AfMode": MANUAL}
BY_ITSELF = {
    "AeEnable": True,
    "AwbEnable": True,
    "ExposureTime": 0,  # none: picamera2 hands it back to the camera
    "AnalogueGain": 0.0,
    "AfMode": AUTO,
    "AfTrigger": START,
}
NEARLY = 0.1
"""An exposure that lacks so little of a half-wave is made longer: no frame is too short for it."""
OFF_BY = 0.05
"""The share by which a number may miss what was set: sensors count exposure in lines."""


def held(numbers: Numbers) -> dict[str, Any]:
    """The controls that hold these numbers."""
    return BY_HAND | numbers


def numbers_of(facts: Facts) -> Numbers:
    """What the camera has settled on."""
    return {name: facts[name] for name in HELD if name in facts}


def without_flicker(numbers: Numbers, mains_hz: int, gains: tuple[float, float]) -> Numbers:
    """As bright, but exposed for whole half-waves of the mains: each picture sees as much light.

    Unchanged in light too bright or too dim for that, with the least and most gain there is.
    """
    exposure_us, gain = numbers.get("ExposureTime"), numbers.get("AnalogueGain")
    if not isinstance(exposure_us, int) or not isinstance(gain, (int, float)):
        return numbers
    half_wave_us = 1_000_000 / (2 * mains_hz)
    half_waves = max(1, int(exposure_us / half_wave_us + NEARLY))
    steady_us = round(half_waves * half_wave_us)
    steady_gain = gain * exposure_us / steady_us
    if not gains[0] <= steady_gain <= gains[1]:
        return numbers
    return numbers | {"ExposureTime": steady_us, "AnalogueGain": steady_gain}


def is_searching(facts: Facts) -> bool:
    """Whether the lens is still looking for the focus."""
    return facts.get("AfState") == SCANNING


def is_obeyed(numbers: Numbers, facts: Facts) -> bool:
    """Whether a picture was taken with these numbers, as far as it says so."""
    return all(
        abs(facts[name] - number) <= OFF_BY * abs(number)
        for name, number in numbers.items()
        if name in facts and isinstance(number, (int, float))
    )


def offered(controls: dict[str, Any], offer: Container[str]) -> dict[str, Any]:
    """Those controls that the camera knows."""
    return {name: value for name, value in controls.items() if name in offer}

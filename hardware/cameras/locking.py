"""Exposure, white balance and focus of USB cameras: let go, found, held.

Drivers may ignore what they are told, so each property is read back. The names and numbers are
OpenCV's, which are Video4Linux's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2


@dataclass(frozen=True)
class Lock:
    """One thing that a camera does by itself unless it is told a number."""

    name: str
    mode: int
    """The property that says who chooses the number."""
    by_itself: float
    by_hand: float
    value: int
    """The property with the number itself."""


EXPOSURE = Lock("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, 3, 1, cv2.CAP_PROP_EXPOSURE)
WHITE_BALANCE = Lock("white balance", cv2.CAP_PROP_AUTO_WB, 1, 0, cv2.CAP_PROP_WB_TEMPERATURE)
FOCUS = Lock("focus", cv2.CAP_PROP_AUTOFOCUS, 1, 0, cv2.CAP_PROP_FOCUS)
LOCKS = (EXPOSURE, WHITE_BALANCE, FOCUS)
NOT_OFFERED = -1
"""OpenCV's answer for a property that the driver does not have."""
Values = dict[str, float]
"""Numbers by the names of their locks."""


def let_go(capture: cv2.VideoCapture) -> None:
    """The camera chooses by itself."""
    for lock in LOCKS:
        capture.set(lock.mode, lock.by_itself)


def found(capture: cv2.VideoCapture) -> Values:
    """What the camera has chosen, as far as it says."""
    values = {lock.name: capture.get(lock.value) for lock in LOCKS}
    return {name: value for name, value in values.items() if value != NOT_OFFERED}


def hold(capture: cv2.VideoCapture, values: Mapping[str, float]) -> Values:
    """Set the numbers, and give those that were obeyed; the rest is left to the camera."""
    return {lock.name: values[lock.name] for lock in LOCKS if _obeys(capture, lock, values)}


def _obeys(capture: cv2.VideoCapture, lock: Lock, values: Mapping[str, float]) -> bool:
    if lock.name not in values:
        return False
    value = values[lock.name]
    capture.set(lock.mode, lock.by_hand)
    capture.set(lock.value, value)
    if capture.get(lock.mode) == lock.by_hand and capture.get(lock.value) == value:
        return True
    capture.set(lock.mode, lock.by_itself)
    return False

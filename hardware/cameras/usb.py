"""A USB camera, by Video4Linux on Linux."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import cv2

from hardware.camera import CameraError, Frame, Image, Wishes
from hardware.cameras.capture import next_image
from hardware.cameras.locking import EXPOSURE, LOCKS, Values, found, hold, let_go
from hardware.cameras.newest import newest_frames
from hardware.cameras.pixels import brightness, is_as_bright

logger = logging.getLogger(__name__)

BY_ID = Path("/dev/v4l/by-id")
"""Where Linux lists cameras by maker, model and serial number: a number may be another camera's
after a restart."""
PICTURES = "-video-index0"
"""Ends the name of the device that gives pictures; others of the same camera describe them."""
UNCHANGED = 1.25
"""The factor up to which the picture may change when the exposure is held. Some drivers tell
another exposure than the one they use; holding that would leave the board dark."""
TAKING_EFFECT = 5
"""Pictures after which a held exposure shows."""


class UsbCamera:
    """The camera of a number, as the system counts, or of a part of its name in /dev/v4l/by-id.

    Exposure, white balance and focus are settled once and then held, where its driver obeys.
    """

    def __init__(self, name: str, wishes: Wishes | None = None) -> None:
        self._name = name
        self._wishes = wishes or Wishes()
        self._held: Values | None = None
        self._told: set[str] = set()

    @property
    def length_ms(self) -> int | None:
        return None

    def frames(self) -> Iterator[Frame]:
        return newest_frames(self._open(), f"usb:{self._name}")

    def _open(self) -> cv2.VideoCapture:
        system = cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY
        capture = cv2.VideoCapture(_device(self._name), system)
        if not capture.isOpened():
            raise CameraError(f"there is no camera at usb:{self._name}; {_present()}")
        try:
            self._ask_for_size(capture)
            self._hold(capture)
        except BaseException:
            capture.release()
            raise
        return capture

    def _ask_for_size(self, capture: cv2.VideoCapture) -> None:
        wishes = self._wishes
        # The format before the size: uncompressed, USB 2 carries 720p only a few times a second.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, wishes.width)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, wishes.height)
        capture.set(cv2.CAP_PROP_FPS, wishes.rate)
        got = [capture.get(cv2.CAP_PROP_FRAME_WIDTH), capture.get(cv2.CAP_PROP_FRAME_HEIGHT)]
        if got != [wishes.width, wishes.height]:
            size = "x".join(str(round(side)) for side in got)
            self._tell(f"gives {size} in place of {wishes.width}x{wishes.height}")

    def _hold(self, capture: cv2.VideoCapture) -> None:
        """What was held before this opening, or what the camera chooses now."""
        if self._held is None:
            let_go(capture)
            before = self._settled_brightness(capture)
            held = hold(capture, found(capture))
            after = self._brightness_after(capture, TAKING_EFFECT)
            if not is_as_bright(before, after, UNCHANGED):
                capture.set(EXPOSURE.mode, EXPOSURE.by_itself)
                held.pop(EXPOSURE.name, None)
            self._held = held  # only now it is known that the picture has not gone dark
        else:
            hold(capture, self._held)
        free = [lock.name for lock in LOCKS if lock.name not in self._held]
        if free:
            self._tell(f"does not let its {' and '.join(free)} be held")

    def _settled_brightness(self, capture: cv2.VideoCapture) -> float:
        end_s = time.monotonic() + self._wishes.settle_s
        level = self._brightness_after(capture, 1)
        while time.monotonic() < end_s:
            level = self._brightness_after(capture, 1)
        return level

    def _brightness_after(self, capture: cv2.VideoCapture, pictures: int) -> float:
        image: Image | None = None
        for _ in range(pictures):
            image = next_image(capture)
            if image is None:
                raise CameraError(f"usb:{self._name} gives no picture; try another USB port")
        assert image is not None
        return brightness(image)

    def _tell(self, what: str) -> None:
        """Once, however often the camera is opened."""
        if what not in self._told:
            self._told.add(what)
            logger.warning("usb:%s %s", self._name, what)


def _device(name: str) -> int | str:
    """What OpenCV opens: looked up anew each time, for the cable may be in another socket now."""
    if name.isdecimal():
        return int(name)
    named = [path for path in _listed() if name in path.name]
    if len(named) != 1:
        which = "several cameras" if named else "no camera"
        raise CameraError(f"usb:{name} names {which}; {_present()}")
    return str(named[0])


def _listed() -> list[Path]:
    return sorted(path for path in BY_ID.glob(f"*{PICTURES}"))


def _present() -> str:
    names = [path.name.removesuffix(PICTURES) for path in _listed()]
    if names:
        return f"the system lists {', '.join(names)}"
    devices = sorted(path.name for path in Path("/dev").glob("video*"))
    if not devices:
        return "plug one in (the system shows no /dev/video*)"
    return f"the system shows {', '.join(devices)}: try their numbers"

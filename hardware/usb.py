"""A USB camera, by Video4Linux on Linux."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import cv2

from hardware.camera import CameraError, Frame
from hardware.newest import newest_frames

WIDTH, HEIGHT = 1280, 720


class UsbCamera:
    """Camera `number` as the system counts them."""

    def __init__(self, number: int) -> None:
        self._number = number

    @property
    def length_ms(self) -> int | None:
        return None

    def frames(self) -> Iterator[Frame]:
        return newest_frames(self._open(), f"usb:{self._number}")

    def _open(self) -> cv2.VideoCapture:
        system = cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY
        capture = cv2.VideoCapture(self._number, system)
        if not capture.isOpened():
            raise CameraError(f"there is no camera at usb:{self._number}; {_present()}")
        # The format before the size: uncompressed, USB 2 carries 720p only a few times a second.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
        return capture


def _present() -> str:
    devices = sorted(path.name for path in Path("/dev").glob("video*"))
    if not devices:
        return "plug one in (the system shows no /dev/video*)"
    return f"the system shows {', '.join(devices)}: try their numbers"

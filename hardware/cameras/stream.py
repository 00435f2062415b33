"""A camera with an address: a network camera, or a telephone with a camera app."""

from __future__ import annotations

import os
from collections.abc import Iterator

import cv2

from hardware.camera import CameraError, Frame
from hardware.cameras.capture import recorded_frames
from hardware.cameras.newest import newest_frames

OPEN_MS, READ_MS = 8000, 8000
"""How long a silent server is waited for; by itself OpenCV waits for half a minute."""


class Stream:
    """What comes from an address: newest picture first from a camera, all of a recording, which is
    played again and again where a camera is expected."""

    def __init__(self, address: str) -> None:
        self._address = address

    @property
    def length_ms(self) -> int | None:
        return None

    def frames(self) -> Iterator[Frame]:
        capture = self._open()
        if capture.get(cv2.CAP_PROP_FRAME_COUNT) > 0:
            return recorded_frames(capture)
        return newest_frames(capture, self._address)

    def _open(self) -> cv2.VideoCapture:
        # Some versions of OpenCV would take UDP, which tears pictures where a packet is lost.
        os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", "rtsp_transport;tcp")
        patience = (
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
            OPEN_MS,
            cv2.CAP_PROP_READ_TIMEOUT_MSEC,
            READ_MS,
        )
        capture = cv2.VideoCapture(self._address, cv2.CAP_FFMPEG, patience)
        if not capture.isOpened():
            raise CameraError(f"nothing answers at {self._address}; open it in a browser to try")
        return capture

"""A video file as a camera: every frame, at the time the file gives it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2

from hardware.camera import CameraError, Frame
from hardware.cameras.capture import length_ms_of, rate_of, recorded_frames

CUT_SHORT = 0.9
"""The share of its declared length below which a video has been cut off. Files round, and many
estimate their length; none of those errs by a tenth."""
COUNTED = {".mp4", ".m4v", ".mov"}
"""The files that list every frame they have: these err by a frame."""


class Video:
    """The frames of one file; its own clock, whatever its rate."""

    def __init__(self, path: Path) -> None:
        """Looks into the file at once: CameraError when it is not a video."""
        self._path = path
        capture = self._open()
        self._length_ms = length_ms_of(capture)
        self._step_ms = 1000 / rate_of(capture)
        capture.release()

    @property
    def length_ms(self) -> int:
        return self._length_ms

    def frames(self) -> Iterator[Frame]:
        """All frames; CameraError after the last one if there should be many more."""
        end_ms = -1
        for frame in recorded_frames(self._open()):
            end_ms = frame.time_ms
            yield frame
        if end_ms < 0:
            raise CameraError(f"{self._path} holds no picture that can be read")
        share = 1 if self._path.suffix.lower() in COUNTED else CUT_SHORT
        if self._length_ms and end_ms < share * self._length_ms - 1000 - self._step_ms:
            raise CameraError(
                f"{self._path} can be read only up to {end_ms / 1000:.1f} s"
                f" of its {self._length_ms / 1000:.1f} s; copy or record it again"
            )

    def _open(self) -> cv2.VideoCapture:
        try:
            self._path.open("rb").close()
        except OSError as error:
            raise CameraError(f"{self._path} cannot be read: {error.strerror}") from None
        # By its whole path: what stands before a colon in a name is taken for a kind of address.
        capture = cv2.VideoCapture(str(self._path.absolute()))
        if not capture.isOpened():
            raise CameraError(f"{self._path} is not a video that OpenCV can read")
        return capture

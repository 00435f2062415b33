"""What the backends that go through OpenCV's `VideoCapture` have in common."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from hardware.camera import Frame, Image

USUAL_RATE = 25.0
"""Frames a second where the source gives no believable rate."""
RATES = (0.1, 1000.0)
"""What is believed; some files give 0, others the ticks of their clock."""


def next_image(capture: cv2.VideoCapture) -> Image | None:
    """The next picture, waiting for it; None when there is none any more."""
    read, image = capture.read()
    # A stream that ends within a picture answers with True and no picture.
    return np.asarray(image, np.uint8) if read and image is not None else None


def recorded_frames(capture: cv2.VideoCapture) -> Iterator[Frame]:
    """Every frame of a recording, the first at 0 ms; releases it at the end."""
    step_ms = 1000 / rate_of(capture)
    time_ms = -step_ms
    first_ms: float | None = None
    try:
        while (image := next_image(capture)) is not None:
            stamp_ms = capture.get(cv2.CAP_PROP_POS_MSEC)
            first_ms = stamp_ms if first_ms is None else first_ms
            # Some containers stamp every frame 0 and some jump back; then the rate carries on.
            since_ms = stamp_ms - first_ms
            time_ms = since_ms if since_ms > time_ms else time_ms + step_ms
            yield Frame(image, round(time_ms))
    finally:
        capture.release()


def rate_of(capture: cv2.VideoCapture) -> float:
    """Frames a second."""
    rate = float(capture.get(cv2.CAP_PROP_FPS))
    return rate if RATES[0] <= rate <= RATES[1] else USUAL_RATE


def length_ms_of(capture: cv2.VideoCapture) -> int:
    """How long a recording is; 0 where it does not say, as one without a container."""
    count = capture.get(cv2.CAP_PROP_FRAME_COUNT)
    return round(1000 * count / rate_of(capture)) if count > 0 else 0

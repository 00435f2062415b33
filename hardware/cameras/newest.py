"""Newest frame wins: a thread empties a live device, so that a slow reader skips and never lags."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, Queue

import cv2

from hardware.camera import CameraError, Frame, Image
from hardware.cameras.capture import next_image

SILENCE_S = 10.0
"""After so long without a picture the device is taken for gone."""

Box = Queue[tuple[float, Image | None]]
"""Room for one picture and when it came, in seconds; None instead of a picture ends it all."""


def newest_frames(capture: cv2.VideoCapture, name: str) -> Iterator[Frame]:
    """The newest picture each time one is asked for, timed as it arrives.

    The device is read and released in a thread of its own, which ends with the iterator.
    CameraError when the device stops giving pictures.
    """
    box: Box = Queue(maxsize=1)
    stop = threading.Event()
    thread = threading.Thread(target=_fill, args=(box, stop, capture), daemon=True)
    thread.start()
    try:
        yield from _timed(box, name)
    finally:
        stop.set()
        thread.join(timeout=SILENCE_S)


def _fill(box: Box, stop: threading.Event, capture: cv2.VideoCapture) -> None:
    try:
        while not stop.is_set() and (image := next_image(capture)) is not None:
            _offer(box, image)
    finally:
        _offer(box, None)
        capture.release()


def _offer(box: Box, image: Image | None) -> None:
    """Put a picture in place of one that nobody fetched; only one thread may do so."""
    with suppress(Empty):
        box.get_nowait()
    box.put_nowait((time.monotonic(), image))


def _timed(box: Box, name: str) -> Iterator[Frame]:
    first: float | None = None
    while True:
        try:
            taken, image = box.get(timeout=SILENCE_S)
        except Empty:
            raise CameraError(f"{name} has given no picture for {SILENCE_S:.0f} s") from None
        if image is None:
            raise CameraError(f"{name} has stopped giving pictures; look at its cable or network")
        first = taken if first is None else first
        yield Frame(image, round(1000 * (taken - first)))

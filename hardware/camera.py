"""The seam to every camera: something that yields frames and can be closed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hardware.cameras.memory import state_folder

Image = NDArray[np.uint8]
"""(height, width, 3), blue green red, as `cv2.imread` gives it."""


MOST_PIXELS = 50_000_000
"""Of a picture file that is read; telephones take 48 million. `referee look` takes 350 MB of memory
for one of these, and a file of some kilobytes may claim to be gigabytes of picture."""


class CameraError(RuntimeError):
    """The camera, file or folder cannot be opened or has gone; the message says what to do."""


class CameraHung(CameraError):
    """The camera's driver does not come back: only another start of the program can help."""


@dataclass(frozen=True)
class Wishes:
    """What a live camera is asked for; what it does not grant it says in a sentence."""

    width: int = 1280
    height: int = 720
    """In pixels, both even."""
    rate: float = 30.0
    """Frames a second."""
    mains_hz: int = 50
    """Of the mains that feed the lamps, 50 or 60: they flicker twice as often. A USB camera chooses
    its exposure by itself, and is not told."""
    settle_s: float = 2.0
    """What exposure, white balance and focus are given to settle before they are held."""
    memory: Path | None = field(default_factory=state_folder)
    """The folder that keeps the numbers they settled on for the next start; None keeps none."""


@dataclass(frozen=True)
class Frame:
    """One picture and when it was taken."""

    image: Image
    time_ms: int
    """Since the first frame, by the source's own clock."""
    blind: str = ""
    """Why there is no picture now, `lost` or `frozen`; then the image is the last one again."""
    still: bool = False
    """The camera compared and found nothing new: the image, taken a moment ago, serves again."""
    waits: bool = False
    """It has no time of its own: the next one comes when it has been understood."""


class Camera(Protocol):
    """A source of frames."""

    def frames(self) -> Iterator[Frame]:
        """Frames in order of time, until the source ends; raises CameraError if it fails.

        Closing the iterator (or leaving it) releases the device.
        """
        ...

    @property
    def length_ms(self) -> int | None:
        """How long the source is, for a progress bar; 0 where a recording does not say, None when
        it does not end by itself."""
        ...


@contextmanager
def borrowed_frames(camera: Camera) -> Iterator[Iterator[Frame]]:
    """The frames of a camera for the time of a `with`; the device is released at its end."""
    frames = camera.frames()
    try:
        yield frames
    finally:
        close = getattr(frames, "close", None)
        if close:
            close()

"""A camera made of prepared pictures, to which anything can happen that happens to real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import cv2
import numpy as np

from hardware.camera import CameraError, Frame, Image

Pictures = Iterable[tuple[int, Image]]
"""Times in ms and pictures, in order."""

COVERED_LEVEL = 6
"""Grey of a picture taken behind a hand, 0 to 255."""


class FakeCamera:
    """Plays pictures as frames. The verbs below act from the next frame on.

    camera = FakeCamera([(0, picture), (100, picture)])
    camera.cover()
    dark = next(camera.frames())
    """

    def __init__(
        self, pictures: Pictures | Callable[[], Pictures], length_ms: int | None = None
    ) -> None:
        """A callable is asked for fresh pictures each time the frames are."""
        self._pictures = pictures
        self._length_ms = length_ms
        self._covered = False
        self._unplugged = False
        self._frozen = False
        self._light = 1.0
        self._shift_px = (0, 0)

    @property
    def length_ms(self) -> int | None:
        return self._length_ms

    def cover(self) -> None:
        """A hand comes before the lens."""
        self._covered = True

    def uncover(self) -> None:
        """The hand goes away."""
        self._covered = False

    def unplug(self) -> None:
        """The cable is pulled out: the next frame is a CameraError."""
        self._unplugged = True

    def plug_in(self) -> None:
        """The cable is put back; ask for the frames again."""
        self._unplugged = False

    def freeze(self) -> None:
        """The same picture comes again and again, as from a hung driver."""
        self._frozen = True

    def thaw(self) -> None:
        """The pictures go on."""
        self._frozen = False

    def bump(self, right_px: int, down_px: int) -> None:
        """Someone knocks the stand: the picture is shifted by so much more."""
        right, down = self._shift_px
        self._shift_px = (right + right_px, down + down_px)

    def dim(self, factor: float) -> None:
        """The light becomes so many times as strong as at the beginning."""
        self._light = factor

    def frames(self) -> Iterator[Frame]:
        """The pictures as frames; CameraError once unplugged."""
        shown: Image | None = None
        for time_ms, picture in self._pictures() if callable(self._pictures) else self._pictures:
            if self._unplugged:
                raise CameraError("the fake camera is unplugged; plug it in")
            if shown is None or not self._frozen:
                shown = self._seen(picture)
            yield Frame(shown, time_ms)

    def _seen(self, picture: Image) -> Image:
        if self._covered:
            return np.full_like(picture, COVERED_LEVEL)
        if self._light != 1.0:
            picture = np.clip(picture * self._light, 0, 255).astype(np.uint8)
        return self._shifted(picture) if any(self._shift_px) else picture

    def _shifted(self, picture: Image) -> Image:
        right, down = self._shift_px
        move = np.array([[1.0, 0.0, right], [0.0, 1.0, down]])
        height, width = picture.shape[:2]
        moved = cv2.warpAffine(picture, move, (width, height), borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(moved, dtype=np.uint8)

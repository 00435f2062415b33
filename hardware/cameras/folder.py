"""A folder of pictures as a camera: its pictures in the order of their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from hardware.camera import CameraError, Frame
from hardware.cameras.pictures import load_picture

PICTURES = {".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"}
STEP_MS = 250
"""From the last look at a picture to the next one. They carry no clock that survives copying:
frames of a film were taken more closely, photographs at leisure."""


class Folder:
    """The pictures of one folder, `frame-2` before `frame-10`; other files are passed over."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pictures = self._list()

    @property
    def length_ms(self) -> int | None:
        return STEP_MS * len(self._pictures)

    def frames(self) -> Iterator[Frame]:
        for number, picture in enumerate(self._pictures):
            image = load_picture(picture)
            if image is None:
                raise CameraError(f"{picture} cannot be read as a picture; mend or remove it")
            yield Frame(image, number * STEP_MS, waits=True)

    def _list(self) -> list[Path]:
        try:
            files = list(self._path.iterdir())
        except OSError as error:
            raise CameraError(f"{self._path} cannot be read: {error.strerror}") from None
        pictures = [file for file in files if file.suffix.lower() in PICTURES]
        if not pictures:
            raise CameraError(f"{self._path} holds no picture ({' '.join(sorted(PICTURES))})")
        return sorted(pictures, key=_natural)


def _natural(path: Path) -> list[tuple[int, str]]:
    """A key by which numbers in names sort by value."""
    parts = re.findall(r"[0-9]+|[^0-9]+", path.name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]

"""A folder of pictures as a camera: its pictures in the order of their names; or a single one."""

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
            yield _frame(picture, number * STEP_MS)

    def _list(self) -> list[Path]:
        try:
            files = list(self._path.iterdir())
        except OSError as error:
            raise CameraError(f"{self._path} cannot be read: {error.strerror}") from None
        pictures = [file for file in files if _may_be_picture(file)]
        if not pictures:
            raise CameraError(f"{self._path} holds no picture ({' '.join(sorted(PICTURES))})")
        return sorted(pictures, key=_natural)


class SinglePicture:
    """One picture, which a camera would show once: turned as its camera was held."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def length_ms(self) -> int | None:
        return STEP_MS

    def frames(self) -> Iterator[Frame]:
        yield _frame(self._path, 0)


def _frame(picture: Path, time_ms: int) -> Frame:
    """CameraError when it is no picture."""
    try:
        image = load_picture(picture)
    except OSError as error:
        raise CameraError(f"{picture} cannot be read: {error.strerror}") from None
    if image is None:
        raise CameraError(f"{picture} cannot be read as a picture; mend or remove it")
    return Frame(image, time_ms, waits=True)


def _may_be_picture(file: Path) -> bool:
    """Whether a file is called as pictures are; not what systems hide beside them."""
    hidden = file.name.startswith(".")
    return file.suffix.lower() in PICTURES and not hidden and file.is_file()


def _natural(path: Path) -> list[tuple[int, str]]:
    """A key by which numbers in names sort by value."""
    parts = re.findall(r"[0-9]+|[^0-9]+", path.name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]

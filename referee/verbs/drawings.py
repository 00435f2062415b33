"""The pictures that commands draw: where they go, never over what a command looks at."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import chain, count
from pathlib import Path

import cv2

from hardware.camera import Image
from referee.errors import InputError


def places(overlay: Path, pictures: Sequence[Path]) -> list[Path]:
    """Where what is drawn over each picture goes: the name itself, or with the names of several
    pictures added, and numbers to names that are alike. InputError over one of the pictures."""
    if not overlay.name:
        raise InputError("--overlay needs the name of a file, such as seen.png")
    if len(pictures) == 1:
        taken = [overlay]
    else:
        taken = []
        for picture in pictures:
            taken.append(_free(overlay.with_stem(f"{overlay.stem}-{picture.stem}"), taken))
    for place in taken:
        spare(place, pictures)
    return taken


def _free(wanted: Path, taken: list[Path]) -> Path:
    numbered = (wanted.with_stem(f"{wanted.stem}-{number}") for number in count(2))
    return next(place for place in chain([wanted], numbered) if place not in taken)


def spare(place: Path, watched: Iterable[Path]) -> None:
    """InputError when something drawn there would replace what is looked at."""
    if any(_is_same(place, path) for path in watched):
        raise InputError(f"the drawing would replace {place}; give it another name")


def files_of(source: str) -> list[Path]:
    """The files that a source is, as far as it is any."""
    path = Path(source)
    return list(path.iterdir()) if path.is_dir() else [path]


def _is_same(one: Path, other: Path) -> bool:
    exist = os.path.exists(one) and os.path.exists(other)
    return one == other or (exist and one.samefile(other))


def write_image(path: Path, image: Image) -> None:
    """Write a picture; InputError when the name or the place does not allow it."""
    try:
        # Not `imwrite`: names that are no text in UTF-8 end the program there.
        _, drawn = cv2.imencode(path.suffix, image)
        path.write_bytes(drawn.tobytes())
    except (cv2.error, OSError):
        raise InputError(
            f"{path} cannot be written; give a name such as seen.png in a folder that exists"
            " and may be written to"
        ) from None

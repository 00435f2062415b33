"""Lists of what the pictures of a set look like, to tell whether a set was made rightly.

OpenCV's versions differ by a grey level here and there and compress a little differently, so
pictures are compared by the mean grey of 16 × 12 blocks. A list is a text file: a comment, then a
line for each picture with tabs between

    file    `aside` or `-`    time in ms, of a film    blocks row by row, two hex digits each
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_images.sensor import Image

ACROSS, DOWN = 16, 12
TOLERANCE = 4
"""Grey levels by which a block may differ. Half a disc in a wrong place differs by more."""
SAMPLE_MS = 5000
"""Between the frames of a film that are compared."""
ASIDE = "aside"


@dataclass(frozen=True)
class Line:
    """What one picture should look like."""

    file: str
    kept_aside: bool
    time_ms: int
    blocks: bytes


def blocks_of(image: Image) -> bytes:
    """Mean grey of each block, row by row."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    means = cv2.resize(grey, (ACROSS, DOWN), interpolation=cv2.INTER_AREA)
    return bytes(means)


def difference(first: bytes, second: bytes) -> int:
    """The largest one between two pictures' blocks, in grey levels."""
    levels: list[NDArray[np.int16]] = [
        np.frombuffer(blocks, np.uint8).astype(np.int16) for blocks in (first, second)
    ]
    return int(np.abs(levels[0] - levels[1]).max())


def looks(path: Path) -> Iterator[tuple[int, bytes]]:
    """(time in ms, blocks) of a picture, or of a film's frames every `SAMPLE_MS`.

    OSError if it cannot be read.
    """
    if path.suffix != ".mp4":
        image = cv2.imread(str(path))
        if image is None:
            raise OSError(f"{path} cannot be read as a picture")
        yield 0, blocks_of(np.asarray(image, np.uint8))
        return
    capture = cv2.VideoCapture(str(path))
    try:
        yield from _sampled(capture)
    finally:
        capture.release()


def _sampled(capture: cv2.VideoCapture) -> Iterator[tuple[int, bytes]]:
    step_ms = round(1000 / capture.get(cv2.CAP_PROP_FPS))
    number, due = 0, 0
    while capture.grab():
        if number * step_ms >= due:
            _, image = capture.retrieve()
            yield number * step_ms, blocks_of(np.asarray(image, np.uint8))
            due += SAMPLE_MS
        number += 1


def write(path: Path, title: str, lines: Iterable[Line]) -> None:
    """Writes a list; `title` is its comment."""
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = [
        f"{line.file}\t{ASIDE if line.kept_aside else '-'}\t{line.time_ms}\t{line.blocks.hex()}"
        for line in lines
    ]
    path.write_text("\n".join([f"# {title}", *texts]) + "\n", encoding="utf-8")


def read(path: Path) -> tuple[Line, ...]:
    """Reads a list; OSError or ValueError if there is none."""
    found = []
    for text in path.read_text(encoding="utf-8").splitlines():
        if not text.startswith("#"):
            file, aside, time_ms, blocks = text.split("\t")
            found.append(Line(file, aside == ASIDE, int(time_ms), bytes.fromhex(blocks)))
    return tuple(found)


def compared(root: Path, lines: Iterable[Line]) -> dict[str, int | None]:
    """For each file of a list, how far the one in a folder is off; None if it is not there.

    A film that is too short is off by 255.
    """
    wanted: dict[str, list[Line]] = {}
    for line in lines:
        wanted.setdefault(line.file, []).append(line)
    return {file: _off(root / file, told) for file, told in wanted.items()}


def _off(path: Path, told: list[Line]) -> int | None:
    if not path.exists():
        return None
    last = max(line.time_ms for line in told)
    seen: dict[int, bytes] = {}
    for time_ms, blocks in looks(path):
        seen[time_ms] = blocks
        if time_ms >= last:
            break
    return max(
        difference(line.blocks, seen[line.time_ms]) if line.time_ms in seen else 255
        for line in told
    )

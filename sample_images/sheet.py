"""A contact sheet: many pictures at a glance, side by side.

python -m sample_images.sheet FOLDER OUT.jpg
python -m sample_images.sheet FOLDER OUT.jpg --truth    # with what is true drawn over it
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from referee.board import Side
from sample_images import truth
from sample_images.sensor import Image

COLUMNS, WIDTH, HEIGHT = 6, 400, 300
"""Pictures in a row, and the largest size of each in pixels."""
GREY, YELLOW = (40, 40, 40), (0, 255, 255)
MARKS = {Side.RED: (255, 255, 0), Side.WHITE: (255, 0, 255)}
"""Blue green red of what is drawn over the discs: seen on either side's colour."""


def sheet(pictures: Sequence[tuple[str, Image]], columns: int = COLUMNS) -> Image:
    """Named pictures in rows, each made as large as it fits without being cropped."""
    tiles = [_tile(name, picture) for name, picture in pictures]
    blank = np.full((HEIGHT, WIDTH, 3), GREY, np.uint8)
    tiles += [blank] * (-len(tiles) % columns)
    rows = [np.hstack(tiles[i : i + columns]) for i in range(0, len(tiles), columns)]
    return np.vstack(rows)


def _tile(name: str, picture: Image) -> Image:
    scale = min(WIDTH / picture.shape[1], HEIGHT / picture.shape[0])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    tile = np.full((HEIGHT, WIDTH, 3), GREY, np.uint8)
    tile[: small.shape[0], : small.shape[1]] = small
    cv2.putText(tile, name, (4, HEIGHT - 6), cv2.FONT_HERSHEY_SIMPLEX, 0.45, YELLOW, 1)
    return tile


def marked(picture: Image, recording: truth.Recording) -> Image:
    """A copy with the outline of the board and the top of every disc as the truth has them."""
    copy, frame = picture.copy(), recording.frames[0]
    turns = np.linspace(0, 2 * np.pi, 33)
    ring = np.column_stack([np.cos(turns), np.sin(turns), np.zeros(33)]) * recording.radius
    outlines = [(frame.view.corners(), YELLOW)]
    for x, y, z, side in frame.discs:
        rim = frame.view.project(ring + np.array([x, y, z + recording.thickness]))
        outlines.append((rim, MARKS[side]))
    for outline, colour in outlines:
        pixels = np.round(outline * 16).astype(np.int32)
        cv2.polylines(copy, [pixels], True, colour, 1, cv2.LINE_AA, shift=4)
    return copy


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes the sheet of all JPEG pictures in a folder, by name."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--truth", action="store_true", help="mark the board and the discs")
    parser.add_argument("--columns", type=int, default=COLUMNS)
    options = parser.parse_args(arguments)
    pictures = {path.name: _read(path) for path in sorted(options.folder.glob("*.jpg"))}
    if not pictures:
        parser.error(f"no JPEG pictures in {options.folder}")
    if options.truth:
        told = [r for path in options.folder.glob("*truth.json") for r in truth.read(path)]
        pictures |= {r.file: marked(pictures[r.file], r) for r in told if r.file in pictures}
    cv2.imwrite(str(options.out), sheet(list(pictures.items()), options.columns))


def _read(path: Path) -> Image:
    picture = cv2.imread(str(path))
    if picture is None:
        raise OSError(f"{path} cannot be read as a picture")
    return np.asarray(picture, dtype=np.uint8)


if __name__ == "__main__":
    main()

"""Pictures and videos with known truth, from our own files and from a folder of photographs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sample_images import truth
from sample_images.truth import Recording

SAMPLES = Path(truth.__file__).parent
MADE = SAMPLES / "made"
"""What people make for themselves with the generator; not part of the project."""
PICTURES = {".jpg", ".jpeg", ".png"}
FILM_FOLDERS = {"incidents", "games"}
"""Where every film has a truth file of its own; they are one group."""
LABEL_SIGNS = str.maketrans("dDlL", "rRwW")
"""Photographs are labelled by darker and lighter side."""


@dataclass(frozen=True)
class Picture:
    """One picture and what is true in it."""

    path: Path
    group: str
    corners: NDArray[np.float64]
    """(4, 2), outer corners in pixels, clockwise."""
    cells: NDArray[np.str_]
    """(8, 8) of `.rRwW?` as seen from the first corner; `?` is not scored."""
    numbered: bool
    """Whether the first corner is the one next to squares 1 and 5."""


@dataclass(frozen=True)
class Video:
    """One recorded game and what should be said of it."""

    path: Path
    group: str
    recording: Recording


def own_pictures() -> Iterator[Picture]:
    """The pictures of `sample_images`, those kept aside in a group of their own."""
    for path, group, recording in _recordings():
        if path.suffix in PICTURES:
            frame = recording.frames[0]
            cells = _grid(frame.cells)
            for row, column in map(truth.cell_of, frame.hidden):
                cells[row, column] = "?"
            yield Picture(path, group, frame.view.corners(), cells, True)


def own_videos() -> Iterator[Video]:
    """The recorded games of `sample_images`."""
    for path, group, recording in _recordings():
        if path.suffix not in PICTURES:
            yield Video(path, group, recording)


def photographs(folder: Path) -> Iterator[Picture]:
    """Labelled photographs: `labels.json` lists `file`, `corners` and `cells` of `.dDlL?`."""
    for label in json.loads((folder / "labels.json").read_text(encoding="utf-8")):
        cells = _grid([row.translate(LABEL_SIGNS) for row in label["cells"]])
        corners = np.array(label["corners"], float)
        yield Picture(folder / label["file"], "photographs", corners, cells, False)


def _recordings() -> Iterator[tuple[Path, str, Recording]]:
    """Each recording with its file and its group."""
    for file in sorted(SAMPLES.rglob("*truth.json")):
        if MADE in file.parents:
            continue
        folder = file.parent.name
        own = file.name.removesuffix("truth.json").rstrip(".")
        name = folder if folder in FILM_FOLDERS or not own else own
        for recording in truth.read(file):
            path = file.parent / recording.file
            if path.exists():
                yield path, f"{name}, kept aside" if recording.kept_aside else name, recording


def _grid(rows: tuple[str, ...] | list[str]) -> NDArray[np.str_]:
    return np.array([list(row) for row in rows])

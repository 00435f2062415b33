"""Pictures and films with known truth: our own files, scenes from fresh seeds, photographs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_images import truth
from sample_images.draw import still
from sample_images.scene import Scene, scaled
from sample_images.sensor import refiled
from sample_images.truth import FrameTruth, Recording
from sample_images.variety import random_scene

Image = NDArray[np.uint8]

SAMPLES = Path(truth.__file__).parent
MADE = SAMPLES / "made"
"""What people make for themselves with the generator; not part of the project."""
PICTURES = {".jpg", ".jpeg", ".png"}
FILM_FOLDERS = {"incidents", "games", "traced"}
"""Films in each of them are one group."""
LABEL_SIGNS = str.maketrans("dDlL", "rRwW")
"""Photographs are labelled by darker and lighter side."""
FRESH = 7_310_000
"""First seed of the scenes that are drawn for the benchmark alone: far from every seed that
pictures of the project, the reader's examples or experiments come from."""
LONGEST_PX = 1280
"""Of a drawn picture: what cameras give, and a quarter of the time that the largest take."""
PHOTOGRAPHS = "photographs"
LABELS, SIGNS = "labels.json", set(".dDlL?")
PAGE = "tests/benchmarks/README.md"


@dataclass(frozen=True)
class Source:
    """A picture that can be opened, in another process too."""

    group: str
    path: Path | None = None
    seed: int = 0
    """Of a scene to be drawn, where there is no file."""
    recording: Recording | None = None
    label: str = ""
    """JSON of a photograph's label."""


@dataclass(frozen=True)
class Picture:
    """One picture and what is true in it."""

    image: Image
    corners: NDArray[np.float64]
    """(4, 2), outer corners in pixels, clockwise."""
    cells: NDArray[np.str_]
    """(8, 8) of `.rRwW?` as seen from the first corner; `?` is not scored."""
    hidden: tuple[tuple[int, int], ...] = ()
    """The dark cells (row, column) that an arm hides."""
    exact: bool = True
    """Whether the corners are known better than they can be measured."""


@dataclass(frozen=True)
class Film:
    """One recorded game and what is true in it."""

    path: Path
    group: str
    recording: Recording


# --- What there is -------------------------------------------------------------------------


def pictures(fresh: int, folder: Path | None) -> list[Source]:
    """Our own pictures, those kept aside in groups of their own, fresh ones and photographs."""
    found = [
        Source(group, path, recording=recording)
        for path, group, recording in _recordings()
        if path.suffix in PICTURES
    ]
    found += [Source("fresh seeds", seed=FRESH + number) for number in range(fresh)]
    return found + (list(photographs(folder)) if folder else [])


def films() -> list[Film]:
    """The recorded games and incidents that come with the project."""
    return [
        Film(path, group, recording)
        for path, group, recording in _recordings()
        if path.suffix not in PICTURES
    ]


def _recordings() -> Iterator[tuple[Path, str, Recording]]:
    """Each recording that is there, with its file and its group."""
    for file in sorted(SAMPLES.rglob("*truth.json")):
        if MADE in file.parents:
            continue
        for recording in truth.read(file):
            path = file.parent / recording.file
            if path.exists():
                yield path, _group(path, recording), recording


def _group(path: Path, recording: Recording) -> str:
    if path.suffix in PICTURES:
        kind = "path-traced" if path.name.startswith("rendered") else "drawn"
    else:
        kind = path.parent.name if path.parent.name in FILM_FOLDERS else path.stem
    return f"{kind}, {'kept aside' if recording.kept_aside else 'not kept aside'}"


def unusable(folder: Path) -> str:
    """What is wrong with a folder of photographs, and what to do; empty where nothing is."""
    file = folder / LABELS
    if not file.is_file():
        return f"{file} is missing: name a folder that has one, as {PAGE} tells."
    try:
        labels = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        return f"{file} is not JSON ({error}): write it as {PAGE} tells."
    if not isinstance(labels, list):
        return f"{file} is no list: write it as {PAGE} tells."
    wrong = (_wrong(folder, label) for label in labels)
    return next((f"{file}: {what}." for what in wrong if what), "")


def _wrong(folder: Path, label: Any) -> str:
    """What is wrong with one label, and what to do."""
    if not (isinstance(label, dict) and isinstance(label.get("file"), str)):
        return f"a label names no file; give it one, as {PAGE} tells"
    name = label["file"]
    if not (folder / name).is_file():
        return f"{name} is missing; put it into the folder, or take its label out"
    if not cv2.haveImageReader(str(folder / name)):
        return f"{name} is no picture that can be read; save it as JPEG or PNG"
    corners, cells = label.get("corners"), label.get("cells")
    if np.shape(np.array(corners, object)) != (4, 2):
        return f"{name} has no four corners; give them as {PAGE} tells"
    rows = cells if isinstance(cells, list) and len(cells) == 8 else [""]
    if not all(isinstance(row, str) and len(row) == 8 and set(row) <= SIGNS for row in rows):
        return f"{name} has no eight rows of eight cells; give them as {PAGE} tells"
    return ""


def photographs(folder: Path) -> Iterator[Source]:
    """`labels.json` lists `file`, `corners` and `cells` of `.dDlL?`."""
    for label in json.loads((folder / LABELS).read_text(encoding="utf-8")):
        yield Source(PHOTOGRAPHS, folder / label["file"], label=json.dumps(label))


# --- Opening -------------------------------------------------------------------------------


def opened(source: Source) -> Picture:
    """The picture and its truth."""
    if source.path is None:
        scene = small(random_scene(source.seed))
        return _of_truth(photographed(scene), truth.frame_truth(scene))
    image = np.asarray(cv2.imread(str(source.path)), np.uint8)
    if source.recording:
        return _of_truth(image, source.recording.frames[0])
    label = json.loads(source.label)
    rows = [row.translate(LABEL_SIGNS) for row in label["cells"]]
    return Picture(image, np.array(label["corners"], float), _grid(rows), exact=False)


def _of_truth(image: Image, frame: FrameTruth) -> Picture:
    cells = _grid(frame.cells)
    hidden = tuple(map(truth.cell_of, frame.hidden))
    for cell in hidden:
        cells[cell] = "?"
    if frame.hands:
        # The truth does not tell which of the light cells an arm covers.
        cells[np.add.outer(np.arange(8), np.arange(8)) % 2 == 0] = "?"
    return Picture(image, frame.view.corners(), cells, hidden)


def _grid(rows: tuple[str, ...] | list[str]) -> NDArray[np.str_]:
    return np.array([list(row) for row in rows])


def small(scene: Scene, longest: int = LONGEST_PX) -> Scene:
    """The same scene in a picture of at most this size."""
    lens = scene.view.lens
    scale = min(1.0, longest / max(lens.width, lens.height))
    return replace(scene, view=scaled(scene.view, scale))


def opening(seed: int) -> Scene:
    """A board in the starting position, without hands."""
    return replace(small(random_scene(seed, contents="start")), hands=())


def photographed(scene: Scene) -> Image:
    """The scene as its camera would file it."""
    return refiled(still(scene), scene.sensor.jpeg_quality)


def square_px(corners: NDArray[np.float64]) -> float:
    """Length of a square's side in a picture with these outer corners."""
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    return float(sides.mean()) / 8

"""What is true in a picture or a video, and the one format in which it is written down.

A truth file is JSON:

    {"format": "draughts-truth", "version": 1, "recordings": [recording, ...]}

A *recording* is one picture or one video, named by `file` relative to the truth file. It has
the keys of `Recording`; its `frames` hold those of `FrameTruth`. In all frames after the first,
a key that is missing has the value it had in the frame before. Side is `red`, `white` or null;
lengths are in squares of the board plane (see `calibration.model`), pixels count from 0.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.model import Lens, Pose, View
from referee.board import EMPTY, SQUARES, Side, cell_of
from sample_images.arms import arm_mask
from sample_images.scene import Disc, Scene

FORMAT, VERSION = "draughts-truth", 1
HIDDEN_SHARE = 30
"""Per cent of a square behind an arm from which on it counts as hidden."""

RestingDisc = tuple[float, float, float, Side]
"""x, y and height of the middle of the lower face, and whose it is."""


@dataclass(frozen=True)
class FrameTruth:
    """What is true in one frame."""

    time_ms: int
    view: View
    """Keys `width height focal_px k1 rotation translation`; also writes `corners`."""
    cells: tuple[str, ...]
    """Eight strings of eight signs of `.rRwW`; the first is by corner 0, squares 1 and 5."""
    discs: tuple[RestingDisc, ...]
    """On the board; a king is two, lower first."""
    held: tuple[RestingDisc, ...] = ()
    """In a hand."""
    covered: tuple[tuple[int, int], ...] = ()
    """(square, per cent of it behind an arm), for dark squares with at least 1 %."""
    hands: tuple[Side | None, ...] = ()
    """Whose arms are in the picture; None is a stranger's or unknown."""
    sight: str = "clear"
    """`clear`, or `covered` or `dark` when the whole lens is."""
    lamps: float = 1.0
    """How many times as bright the lamps are as at first; `Recording.light` says which they are."""

    @property
    def hidden(self) -> tuple[int, ...]:
        """The dark squares that an arm hides, ascending."""
        return tuple(square for square, share in self.covered if share >= HIDDEN_SHARE)

    @property
    def setup(self) -> str:
        """The 32 appearances, square 1 first."""
        places = map(cell_of, SQUARES)
        return "".join(self.cells[row][column] for row, column in places)


@dataclass(frozen=True)
class Expected:
    """An event that a referee should report."""

    name: str
    """`ready played crowned irregular restored not_watching watching moved touched lingering`,
    and what people say: `adjusting` before the touch, `take_back` before the board is put back."""
    time_ms: int
    """When the hand had left the board."""
    side: Side | None = None
    move: str = ""
    """Of `played`, in numbers: `11-15`, `22x15x8`."""
    fen: str = ""
    """Of `played` and `take_back`: the position after it."""
    kind: str = ""
    """Of `irregular`: the kind of offence. Of `touched`: `lifted` or `shifted`."""
    squares: tuple[int, ...] = ()
    """Of `irregular crowned touched lingering`: the squares that matter."""


@dataclass(frozen=True)
class Recording:
    """A picture or a video and all that is true in it."""

    file: str
    frames: tuple[FrameTruth, ...]
    radius: float
    """Of a disc, in squares."""
    thickness: float
    family: str = ""
    """Of the set, see `sample_images.variety.FAMILIES`."""
    light: str = ""
    official: bool = False
    """Whether set and board have the official colours and measures."""
    seed: int = 0
    kept_aside: bool = False
    """Never to be used for tuning."""
    start: str = ""
    """FEN of the position in which a video begins; empty for the usual one and for pictures."""
    events: tuple[Expected, ...] = ()
    notes: str = ""


# --- From a scene --------------------------------------------------------------------------


def frame_truth(scene: Scene, time_ms: int = 0, sight: str = "clear") -> FrameTruth:
    """What is true in the picture of a scene."""
    return FrameTruth(
        time_ms,
        scene.view,
        cells_of(scene.discs),
        tuple(map(_resting, sorted(scene.discs, key=lambda d: (d.z, d.y, d.x)))),
        tuple(_resting(disc) for hand in scene.hands for disc in hand.held),
        covered_squares(scene),
        tuple(hand.side for hand in scene.hands),
        sight,
    )


def recording_of(scene: Scene, file: str, **more: Any) -> Recording:
    """The truth of one picture; `more` are further fields of `Recording`."""
    discs = (*scene.discs, *scene.captured)
    return Recording(
        file,
        (frame_truth(scene),),
        discs[0].radius if discs else 0.0,
        discs[0].thickness if discs else 0.0,
        scene.family,
        scene.light,
        scene.family == "official",
        scene.seed,
        **more,
    )


def _resting(disc: Disc) -> RestingDisc:
    return round(disc.x, 3), round(disc.y, 3), round(disc.z, 3), disc.side


def cells_of(discs: Iterable[Disc]) -> tuple[str, ...]:
    """What each cell looks like when all discs on the board are these, by their centres."""
    cells = [[EMPTY] * 8 for _ in range(8)]
    for disc in sorted(discs, key=lambda d: d.z):
        column, row = int(np.floor(disc.x)), int(np.floor(disc.y))
        if not (0 <= row < 8 and 0 <= column < 8):
            continue
        if cells[row][column] == EMPTY:
            cells[row][column] = disc.side.man
        elif disc.z >= disc.thickness / 2:
            cells[row][column] = cells[row][column].upper()
    return tuple(map("".join, cells))


def covered_squares(scene: Scene) -> tuple[tuple[int, int], ...]:
    """(square, per cent of it behind an arm), dark squares only."""
    if not scene.hands:
        return ()
    mask = np.zeros((scene.view.lens.height, scene.view.lens.width), np.uint8)
    for hand in scene.hands:
        mask |= arm_mask(scene, hand)
    return covered_by(mask, scene.view)


def covered_by(mask: NDArray[np.uint8], view: View) -> tuple[tuple[int, int], ...]:
    """(square, per cent of it behind a mask of the picture's size), dark squares only."""
    places = (np.arange(8) + 0.5) / 8
    grid = np.array([(x, y) for y in places for x in places])
    shares = []
    for square in SQUARES:
        row, column = cell_of(square)
        pixels = np.round(view.project(grid + np.array([column, row]))).astype(int)
        inside = (pixels >= 0).all(axis=1) & (pixels < mask.shape[::-1]).all(axis=1)
        hits = mask[pixels[inside, 1], pixels[inside, 0]] > 0
        share = round(100 * float(hits.sum()) / len(grid))
        if share:
            shares.append((square, share))
    return tuple(shares)


# --- Writing and reading -------------------------------------------------------------------


def write(path: Path, recordings: Iterable[Recording]) -> None:
    """Writes a truth file, one line for each frame and event."""
    lines = ",\n".join(_recording_json(recording) for recording in recordings)
    head = f'{{"format": "{FORMAT}", "version": {VERSION}, "recordings": [\n'
    path.write_text(head + lines + "\n]}\n", encoding="utf-8")


def read(path: Path) -> tuple[Recording, ...]:
    """Reads a truth file; ValueError says what is wrong with it."""
    data = json.loads(path.read_text(encoding="utf-8"))
    found = (data.get("format"), data.get("version"))
    if found != (FORMAT, VERSION):
        raise ValueError(f"{path}: expected {FORMAT} version {VERSION}, found {found}")
    return tuple(_recording_from(entry) for entry in data["recordings"])


def _recording_json(recording: Recording) -> str:
    plain = {
        "file": recording.file,
        "family": recording.family,
        "light": recording.light,
        "official": recording.official,
        "seed": recording.seed,
        "kept_aside": recording.kept_aside,
        "start": recording.start,
        "radius": round(recording.radius, 4),
        "thickness": round(recording.thickness, 4),
        "notes": recording.notes,
    }
    head = json.dumps(plain)[:-1]
    events = ",\n  ".join(json.dumps(_event_json(event)) for event in recording.events)
    frames = ",\n  ".join(map(json.dumps, _frames_json(recording.frames)))
    return f'{head},\n "events": [{events}],\n "frames": [\n  {frames}]}}'


def _frames_json(frames: tuple[FrameTruth, ...]) -> Iterable[dict[str, Any]]:
    before: dict[str, Any] = {}
    for frame in frames:
        now = _frame_json(frame)
        yield {key: value for key, value in now.items() if before.get(key, ...) != value}
        before = now


def _frame_json(frame: FrameTruth) -> dict[str, Any]:
    lens, pose = frame.view.lens, frame.view.pose
    return {
        "time_ms": frame.time_ms,
        "width": lens.width,
        "height": lens.height,
        "focal_px": lens.focal_px,
        "k1": lens.k1,
        "rotation": list(pose.rotation),
        "translation": list(pose.translation),
        "corners": frame.view.corners().round(3).tolist(),
        "cells": list(frame.cells),
        "discs": [[x, y, z, side.value] for x, y, z, side in frame.discs],
        "held": [[x, y, z, side.value] for x, y, z, side in frame.held],
        "covered": [list(pair) for pair in frame.covered],
        "hands": [side.value if side else None for side in frame.hands],
        "sight": frame.sight,
        "lamps": frame.lamps,
    }


def _event_json(event: Expected) -> dict[str, Any]:
    plain: dict[str, Any] = {"name": event.name, "time_ms": event.time_ms}
    if event.side:
        plain["side"] = event.side.value
    plain |= {key: getattr(event, key) for key in ("move", "fen", "kind") if getattr(event, key)}
    if event.squares:
        plain["squares"] = list(event.squares)
    return plain


def _recording_from(entry: dict[str, Any]) -> Recording:
    state: dict[str, Any] = {}
    frames = []
    for change in entry["frames"]:
        state = state | change
        frames.append(_frame_from(state))
    events = tuple(_event_from(event) for event in entry["events"])
    rest = {key: value for key, value in entry.items() if key not in ("frames", "events")}
    return Recording(frames=tuple(frames), events=events, **rest)


def _frame_from(state: dict[str, Any]) -> FrameTruth:
    lens = Lens(state["width"], state["height"], state["focal_px"], state["k1"])
    pose = Pose(tuple(state["rotation"]), tuple(state["translation"]))
    return FrameTruth(
        state["time_ms"],
        View(lens, pose),
        tuple(state["cells"]),
        tuple((x, y, z, Side(side)) for x, y, z, side in state["discs"]),
        tuple((x, y, z, Side(side)) for x, y, z, side in state["held"]),
        tuple((square, share) for square, share in state["covered"]),
        tuple(Side(side) if side else None for side in state["hands"]),
        state["sight"],
        state.get("lamps", 1.0),
    )


def _event_from(entry: dict[str, Any]) -> Expected:
    side = entry.get("side")
    return Expected(
        entry["name"],
        entry["time_ms"],
        Side(side) if side else None,
        entry.get("move", ""),
        entry.get("fen", ""),
        entry.get("kind", ""),
        tuple(entry.get("squares", ())),
    )

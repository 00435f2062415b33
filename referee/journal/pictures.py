"""The last seconds of the board in small pictures, and what is written of them at an incident.

The board alone is kept: what lies beside it is blackened before a picture is stored anywhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.model import View
from hardware.camera import Image
from referee.board import cell_of
from referee.journal.avi import avi

WIDTH = 640
"""Pixels across of what is kept."""
QUALITY = 80
SHOT_MS = 200
"""Between two pictures that are kept."""
CLIP_MS = 6_000
"""How much is remembered: about 30 pictures of 40 kB."""
RIM = 0.4
"""Squares around the board that are kept too: a disc on the edge leans out of it."""
MARK = (0, 170, 255)
"""Orange, blue green red."""


@dataclass(frozen=True)
class Snapshot:
    """One small picture of the board."""

    time_ms: int
    jpeg: bytes
    crop: Crop


@dataclass(frozen=True)
class Crop:
    """Which part of a camera's picture is kept, and how small."""

    view: View
    left: int
    top: int
    right: int
    bottom: int

    @staticmethod
    def around(view: View) -> Crop:
        """The board as it lies in the picture, with its rim."""
        points = view.project(_outline())
        left, top = np.floor(points.min(axis=0)).astype(int)
        right, bottom = np.ceil(points.max(axis=0)).astype(int)
        width, height = view.lens.width, view.lens.height
        return Crop(
            view,
            *(int(np.clip(value, 0, limit)) for value, limit in ((left, width), (top, height))),
            *(int(np.clip(value, 0, limit)) for value, limit in ((right, width), (bottom, height))),
        )

    @property
    def scale(self) -> float:
        return min(1.0, WIDTH / max(1, self.right - self.left))

    def to_kept(self, points: np.ndarray) -> np.ndarray:
        """Pixels of the kept picture for points of the board plane."""
        pixels = (self.view.project(points) - [self.left, self.top]) * self.scale
        return np.round(pixels).astype(np.int32)

    def cut(self, image: Image) -> Image:
        """The kept part, small, black outside of the board."""
        part = image[self.top : self.bottom, self.left : self.right]
        size = (
            max(1, round(part.shape[1] * self.scale)),
            max(1, round(part.shape[0] * self.scale)),
        )
        small = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
        mask = np.zeros(small.shape[:2], np.uint8)
        cv2.fillPoly(mask, [self.to_kept(_outline())], 255)
        small[mask == 0] = 0
        return np.asarray(small, np.uint8)


def _outline() -> np.ndarray:
    near, far = -RIM, 8 + RIM
    return np.array([(near, near), (far, near), (far, far), (near, far)], float)


class Ring:
    """The newest pictures, in memory only."""

    def __init__(self) -> None:
        self._snapshots: deque[Snapshot] = deque()
        self._crop: Crop | None = None

    def see(self, image: Image, time_ms: int, view: View) -> None:
        """Keep a picture if it is time for one; old ones fall out."""
        if self._snapshots and 0 <= time_ms - self._snapshots[-1].time_ms < SHOT_MS:
            return
        if self._crop is None or self._crop.view is not view:
            self._crop = Crop.around(view)
        jpeg = _encoded(self._crop.cut(image))
        self._snapshots.append(Snapshot(time_ms, jpeg, self._crop))
        while not 0 <= time_ms - self._snapshots[0].time_ms <= CLIP_MS:
            self._snapshots.popleft()

    @property
    def newest(self) -> Snapshot | None:
        return self._snapshots[-1] if self._snapshots else None

    def at(self, time_ms: int) -> Snapshot | None:
        """The picture nearest to a time."""
        near = sorted(self._snapshots, key=lambda snapshot: abs(snapshot.time_ms - time_ms))
        return near[0] if near else None

    def clip(self) -> bytes:
        """What is remembered, as a film."""
        height, width = _decoded(self._snapshots[-1].jpeg).shape[:2]
        return avi(
            [snapshot.jpeg for snapshot in self._snapshots], (width, height), 1000 // SHOT_MS
        )


def marked(snapshot: Snapshot, squares: Sequence[int]) -> bytes:
    """The picture as JPEG with some squares drawn around."""
    image = _decoded(snapshot.jpeg)
    for square in squares:
        row, column = cell_of(square)
        corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
        outline = snapshot.crop.to_kept(np.array(corners, float))
        cv2.polylines(image, [outline], True, (0, 0, 0), 4, cv2.LINE_AA)
        cv2.polylines(image, [outline], True, MARK, 2, cv2.LINE_AA)
    return _encoded(image)


def _encoded(image: Image) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def _decoded(jpeg: bytes) -> Image:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)

"""OpenCV's own board detectors on the same pictures, as a yardstick for the time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2

from tests.benchmarks.cases import Picture

INNER = (7, 7)
"""The inner crossings of eight by eight squares."""
MOST_PICTURES = 12
"""Of a group, evenly chosen: the thorough detector takes seconds where it finds nothing."""
THOROUGH = cv2.CALIB_CB_EXHAUSTIVE | cv2.CALIB_CB_ACCURACY | cv2.CALIB_CB_NORMALIZE_IMAGE

PEERS: dict[str, Callable[[cv2.typing.MatLike], bool]] = {
    "findChessboardCornersSB, thorough": lambda grey: bool(
        cv2.findChessboardCornersSB(grey, INNER, flags=THOROUGH)[0]
    ),
    "findChessboardCorners": lambda grey: bool(cv2.findChessboardCorners(grey, INNER)[0]),
}


@dataclass
class PeerScore:
    """What a detector did on a group of pictures."""

    ms: list[float] = field(default_factory=list)
    found: int = 0


def measure_peers(pictures: Sequence[Picture]) -> dict[str, dict[str, PeerScore]]:
    """A score for each group and peer."""
    groups: dict[str, list[Picture]] = {}
    for picture in pictures:
        groups.setdefault(picture.group, []).append(picture)
    return {group: _measure(_some(members)) for group, members in groups.items()}


def _some(pictures: list[Picture]) -> list[Picture]:
    step = -(-len(pictures) // MOST_PICTURES)
    return pictures[::step]


def _measure(pictures: list[Picture]) -> dict[str, PeerScore]:
    scores = {name: PeerScore() for name in PEERS}
    for picture in pictures:
        grey = cv2.imread(str(picture.path), cv2.IMREAD_GRAYSCALE)
        for name, detect in PEERS.items():
            start = time.perf_counter()
            scores[name].found += detect(grey)
            scores[name].ms.append((time.perf_counter() - start) * 1000)
    return scores

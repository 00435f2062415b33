"""How well single pictures are read: is the board found, where, and what lies on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.eye.picture import Reading, read_picture
from tests.benchmarks.cases import Picture

WRONG_BOARD = 0.5
"""A corner further off than this many squares belongs to another board than the true one."""


@dataclass
class Score:
    """What a group of pictures adds up to."""

    pictures: int = 0
    found: int = 0
    wrong: int = 0
    """Found, and not where the board is: silently wrong."""
    turned: int = 0
    """Numbered from another corner than the true one, where that is known."""
    corners_px: list[float] = field(default_factory=list)
    """Error of the worst corner of each board found."""
    cells: int = 0
    """Scored cells of the boards found."""
    errors: int = 0
    """Cells read as empty, red or white that are something else."""
    unread: int = 0
    pieces: int = 0
    """Pieces whose place and side are right."""
    ranks: int = 0
    """... of them taken for a king or a man wrongly."""
    kings: int = 0
    """True kings among those pieces."""
    kings_seen: int = 0
    ms: dict[str, list[float]] = field(default_factory=dict)
    """Milliseconds of each picture per stage."""


def score_pictures(pictures: Iterable[Picture]) -> dict[str, Score]:
    """A score per group; the reading of one more picture comes first, to warm the caches."""
    scores: dict[str, Score] = {}
    for picture in pictures:
        image = cv2.imread(str(picture.path))
        if not scores:
            read_picture(image)
        score = scores.setdefault(picture.group, Score())
        score.pictures += 1
        reading = read_picture(image)
        for stage, spent in reading.ms.items():
            score.ms.setdefault(stage, []).append(spent)
        if reading.found:
            _add(score, picture, reading)
    return scores


def _add(score: Score, picture: Picture, reading: Reading) -> None:
    score.found += 1
    assert reading.view is not None
    corners = reading.view.corners()
    quarters, error_px = _correspondence(corners, picture.corners)
    side = np.linalg.norm(picture.corners - np.roll(picture.corners, 1, axis=0), axis=1).mean() / 8
    if error_px > WRONG_BOARD * side:
        score.wrong += 1
        return
    score.corners_px.append(error_px)
    score.turned += picture.numbered and quarters != 0
    cells = np.array([list(row) for row in reading.cells])
    _add_cells(score, np.rot90(cells, -quarters), picture.cells)


def _correspondence(ours: NDArray[np.float64], true: NDArray[np.float64]) -> tuple[int, float]:
    """The k for which our corner i is the true corner i + k, and the worst corner's error."""
    errors = [
        float(np.linalg.norm(ours - np.roll(true, -k, axis=0), axis=1).max()) for k in range(4)
    ]
    best = int(np.argmin(errors))
    return best, errors[best]


def _add_cells(score: Score, seen: NDArray[np.str_], true: NDArray[np.str_]) -> None:
    for sign, due in zip(seen.ravel(), true.ravel(), strict=True):
        if due == "?":
            continue
        score.cells += 1
        if sign == "?":
            score.unread += 1
        elif sign.lower() != due.lower():
            score.errors += 1
        elif due != ".":
            score.pieces += 1
            score.ranks += bool(sign != due)
            score.kings += bool(due.isupper())
            score.kings_seen += bool(due.isupper() and sign.isupper())

"""Reading a single picture with nothing known before: find the board, read it, turn it round."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from calibration.arrays import Image, Levels, Mask
from calibration.locate import Refusal, locate
from calibration.model import View
from referee.board import UNSEEN, side_of
from referee.eye.glance import SEEN, look_closely
from referee.eye.orientation import orient, turned
from referee.eye.reader import Cells
from referee.eye.stacks import FAINT_PX, PLAIN_PX, likely_thickness, walls_px
from referee.rules import MEN_EACH

MANY_UNREAD = 8
"""With more unread cells than this people should know, not just count question marks."""
BY_RARITY = 0.93
"""The most that is known of a rank that cannot be seen: of the pieces in all positions of sixty
tournament games 7 in 100 are kings."""
USUAL_RADIUS, USUAL_THICKNESS = 0.31, 0.13
"""Of official discs, in squares (WCDF 2.2)."""


@dataclass(frozen=True)
class Reading:
    """What a picture shows, or why it could not be read."""

    found: bool
    reason: str | None = None
    """Why no board was found."""
    view: View | None = None
    """Numbered so that corner 0 is next to squares 1 and 5."""
    cells: tuple[str, ...] = ()
    """Eight rows of eight signs of `.rRwW?`."""
    confidence: tuple[float, ...] = ()
    """64 probabilities, row by row; 0 for a `?`, and no more than `BY_RARITY` of a piece whose rank
    cannot be seen."""
    corner_sigma: float | None = None
    """Standard deviation of the least certain outer corner, in squares; None without a board."""
    radius: float = USUAL_RADIUS
    thickness: float = USUAL_THICKNESS
    """Of a disc, in squares, as far as the picture tells."""
    problems: tuple[str, ...] = ()
    """What people should know, a sentence each."""
    ms: dict[str, float] = field(default_factory=dict)
    """Milliseconds per stage."""


def read_picture(image: Image) -> Reading:
    """Find and read the board in a picture, (height, width, 3) blue green red."""
    ms: dict[str, float] = {}
    with _timed(ms, "locate"):
        located = locate(image)
    if isinstance(located, Refusal):
        return Reading(False, reason=located.reason, problems=(located.reason,), ms=ms)
    with _timed(ms, "read"):
        close = look_closely(image, located.view)
        glance = close.glance
        radius, thickness = _measures(close.cells)
        signs = glance.signs()
        way = orient(signs)
    order = _order(way.quarters)
    signs, confidence = turned(signs, way.quarters), glance.confidence()[order]
    view = located.view.turned(way.quarters)
    walls = np.where(_is_piece(signs), walls_px(view, thickness), np.inf)
    confidence = np.where(walls < FAINT_PX, np.minimum(confidence, BY_RARITY), confidence)
    return Reading(
        True,
        view=view,
        cells=tuple(signs[row : row + 8] for row in range(0, 64, 8)),
        confidence=tuple(round(float(c), 4) for c in confidence),
        corner_sigma=round(located.corner_sigma, 4),
        radius=radius,
        thickness=thickness,
        problems=(*_problems(signs, way.problem), *_unseen_ranks(walls)),
        ms=ms,
    )


def _measures(cells: Cells) -> tuple[float, float]:
    """Radius and thickness of the discs; usual ones where there are none."""
    presence = cells.presence.astype(float)
    discs = presence > SEEN
    if not discs.any():
        return USUAL_RADIUS, USUAL_THICKNESS
    return float(np.median(cells.radii[discs])), likely_thickness(cells.ranks, presence)


def _order(quarters: int) -> list[int]:
    """Old indices of the 64 cells in the order of the turned numbering."""
    return [ord(sign) for sign in turned("".join(map(chr, range(64))), quarters)]


def _problems(signs: str, way: str | None) -> Iterator[str]:
    if way:
        yield way
    for name, letter in (("Red", "r"), ("White", "w")):
        count = signs.lower().count(letter)
        if count > MEN_EACH:
            yield f"{count} pieces look like {name}'s, a side has {MEN_EACH}"
    unread = signs.count(UNSEEN)
    if unread > MANY_UNREAD:
        yield f"{unread} of the 64 cells are hidden or cannot be read"


def _is_piece(signs: str) -> Mask:
    """(n,): where pieces are read."""
    return np.array([side_of(sign) is not None for sign in signs])


def _unseen_ranks(walls: Levels) -> Iterator[str]:
    """`walls` (64,) are how many pixels high those of pieces are, infinity where there is none."""
    if faint := (walls < PLAIN_PX).sum():
        pieces = np.isfinite(walls).sum()
        yield (
            f"on {faint} of the {pieces} squares with pieces a king shows faintly or not at all"
            " from here: a king may be called a man"
        )


@contextmanager
def _timed(ms: dict[str, float], stage: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    ms[stage] = round((time.perf_counter() - start) * 1000, 2)

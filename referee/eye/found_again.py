"""A board that was pushed or turned further than its edges can be followed: where is it now?

It is searched for as at first sight. Which of its two numberings holds, the pieces tell: they were
pushed along with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from calibration.arrays import Image
from calibration.drift import DriftMeter
from calibration.locate import Refusal, locate
from calibration.model import Pose, View
from calibration.saved import Calibration
from referee.board import APPEARANCES, START
from referee.observation import HIDDEN, Row, certain

MOST_CHANGED = 6
"""Squares that may look otherwise than before: what two moves change, or slid at the push."""
FEWEST_SEEN = 20
"""Squares that must have been seen before and now."""
ABOUT = certain(START[::-1])
"""The starting position, seen from the other side."""
GRID = np.array([(x, y, 0.0) for y in range(9) for x in range(9)])
"""Of the board plane, where the lens that is known is laid over the view that was found."""


def find_again(
    image: Image,
    known: Calibration,
    setups: Sequence[Sequence[Row]],
    read: Callable[[View], Sequence[Row]],
) -> View | None:
    """The view of the board in a picture (height, width, 3); None when there is none that shows
    one of some setups, such as what stood there before, each 32 rows of evidence.

    `read` gives the same of this picture when the board is seen so.
    """
    located = locate(image)
    if isinstance(located, Refusal):
        return None
    odd = int(np.dot(located.axis, known.axis) < 0)
    views = [_through(known, image, located.view.turned(odd + half)) for half in (0, 2)]
    seen = [read(view) for view in views]
    fewest_changes = [min(changes(before, now) for before in setups) for now in seen]
    fewest, _, view = min(
        zip(fewest_changes, map(known.view.swing, views), views, strict=True),
        key=lambda found: found[:2],
    )
    return view if fewest <= MOST_CHANGED else None


def is_turned_about(before: Sequence[Row], now: Sequence[Row]) -> bool:
    """Whether the board lies where it lay, but the other way round. It does not where an arm hides
    too much to say that it no longer lies as it did."""
    stays = changes(before, now)
    return len(before) > stays > MOST_CHANGED >= changes(before, now[::-1])


def is_set_up_about(now: Sequence[Row]) -> bool:
    """Whether the starting position stands the other way round: the players have changed colours,
    not places. In a game no men get there."""
    return HIDDEN not in now and changes(ABOUT, now) == 0


def _through(known: Calibration, image: Image, found: View) -> View:
    """The same through the lens that is known, exactly."""
    lens = known.view.lens
    points = found.project(GRID)
    _, rotation, translation = cv2.solvePnP(GRID, points, lens.matrix, lens.distortion)
    view = View(lens, Pose.of(np.concatenate([rotation, translation]).ravel()))
    return DriftMeter(view, known.axis).measure(image).view or view


def changes(before: Sequence[Row], now: Sequence[Row]) -> int:
    """On how many squares somebody else stands; all where too few are seen."""
    pairs = [pair for pair in zip(before, now, strict=True) if HIDDEN not in pair]
    if len(pairs) < FEWEST_SEEN:
        return len(before)
    return sum(_occupant(old) != _occupant(new) for old, new in pairs)


def _occupant(row: Row) -> str:
    return APPEARANCES[row.index(max(row))].lower()

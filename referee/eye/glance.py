"""One look at a board whose place is known: every cell read once, the set's colours unknown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Image, Levels
from calibration.model import View
from referee.board import APPEARANCES, UNSEEN
from referee.eye.comparer import Comparer
from referee.eye.features import features
from referee.eye.light import IS_DARK, Light, corners_of, measure_light
from referee.eye.patches import Floats, Patches, PatchMap
from referee.eye.portraits import Portraitist
from referee.eye.rarity import beside, rarity
from referee.eye.reader import EMPTY, HIDDEN, KING, MAN, Cells, Reader
from referee.eye.second_look import look_again
from referee.eye.sides import disc_colours, disc_nats, divide
from referee.eye.stacks import unknown_odds

SEEN = 0.5
"""A cell is read when it is more likely seen than hidden."""
READABLE = 0.55
"""And when one appearance is likelier than this."""


@dataclass(frozen=True)
class BoardGlance:
    """The 64 cells of one picture, row by row as the view numbers them."""

    appearances: Floats
    """(64, 5): probability of each of `APPEARANCES`, given that the cell is seen."""
    hidden: Floats
    """(64,): probability that a hand or something else covers the cell."""

    def signs(self) -> str:
        """64 appearances, `?` for cells that cannot be read."""
        best = self.appearances.argmax(axis=1)
        sure = (self.hidden < SEEN) & (self.appearances.max(axis=1) > READABLE)
        return "".join(APPEARANCES[b] if s else UNSEEN for b, s in zip(best, sure, strict=True))

    def confidence(self) -> Floats:
        """(64,): probability of the answer that `signs` gives; 0 for `?`."""
        likely = self.appearances.max(axis=1) * (1.0 - self.hidden)
        readable = np.array([sign != UNSEEN for sign in self.signs()])
        return np.where(readable, likely, 0.0).astype(np.float32)


@dataclass(frozen=True)
class CloseLook:
    """A glance with all that led to it."""

    patches: Patches
    light: Light
    cells: Cells
    glance: BoardGlance


def look_closely(image: Image, view: View) -> CloseLook:
    """Read all cells of a picture taken from a view."""
    patches, light, cells = read_all(image, view)
    return CloseLook(patches, light, cells, judge(patches, light, cells))


def read_all(image: Image, view: View, radius: float | None = None) -> tuple[Patches, Light, Cells]:
    """The 64 cells of a picture taken from a view, read and looked at again, and what they were
    read from. `radius` is that of the set's discs, in squares, where it is known."""
    chart = PatchMap.of(view)
    patches = chart.cut(chart.reduced(image))
    light = measure_light(corners_of(patches))
    first = Reader.shipped().read(features(patches, light))
    return patches, light, look_again(image, Portraitist.of(view), patches, first, light, radius)


def judge(patches: Patches, light: Light, cells: Cells) -> BoardGlance:
    """Part the discs of a picture into two sides and put all probabilities together."""
    kinds = np.exp(cells.kinds.astype(float))
    presence = kinds[:, MAN] + kinds[:, KING]
    kings = unknown_odds(cells.ranks, presence) > 0
    colours = disc_colours(patches, light, cells.spots, kings)
    squares = light.light.mean(axis=0).astype(float)
    sides = divide(colours, squares, presence, cells.whiteness.astype(float))
    bare = np.where(IS_DARK[:, None], light.contrast, np.float32(0))[patches.which]
    presence, empty = _weighed(presence, kinds[:, EMPTY], disc_nats(colours, bare, sides))
    white = 1.0 / (1.0 + np.exp(-sides.whiteness))
    king = _king_chances(cells, sides.whiteness, presence)
    seen = np.maximum(1.0 - kinds[:, HIDDEN], 1e-6)
    appearances = [
        empty,
        *(presence * side * rank for side in (1 - white, white) for rank in (1 - king, king)),
    ]
    return BoardGlance(
        (np.column_stack(appearances) / seen[:, None]).astype(np.float32),
        np.asarray(kinds[:, HIDDEN], np.float32),
    )


def _weighed(disc: Levels, empty: Levels, nats: Levels) -> tuple[Levels, Levels]:
    """Two probabilities (n,) whose sums stay what they are, the first so many nats likelier."""
    either, likelier = disc + empty, disc * np.exp(nats)
    share = likelier / np.maximum(likelier + empty, 1e-12)
    return either * share, either * (1.0 - share)


def _king_chances(cells: Cells, whiteness: Levels, presence: Levels) -> Levels:
    """Probability (n,) that each disc is a king: as it looks, and beside the others."""
    odds = unknown_odds(cells.ranks, presence)
    odds += Comparer.shipped().corrections(cells, odds, whiteness, presence)
    odds += beside(odds, whiteness > 0, presence)
    return np.asarray(1.0 / (1.0 + np.exp(-odds - rarity(odds, presence))), np.float64)

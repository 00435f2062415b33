"""One look at a board whose place is known: every cell read once, the set's colours unknown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.board import APPEARANCES, UNSEEN
from referee.eye.features import features
from referee.eye.light import Light, measure_light
from referee.eye.patches import Floats, Image, Patches, PatchMap
from referee.eye.reader import EMPTY, HIDDEN, KING, MAN, Cells, Reader
from referee.eye.sides import disc_colours, divide

RARE = 2.0
"""Nats by which kings are rarer in games than among the examples the reader learnt from."""
CROWD = 10
"""With so many discs on the board most of them are men, whatever they look like from here."""
MAN_LOOKS = -2.0
"""Log-odds for a king that most men stay below where a camera can tell the two apart."""

SEEN = 0.5
"""A cell is read when it is more likely seen than hidden."""
READABLE = 0.55
"""And when one appearance is likelier than this."""


@dataclass(frozen=True)
class Glance:
    """The 64 cells of one picture, row by row as the view numbers them."""

    appearances: Floats
    """(64, 5): probability of each of `APPEARANCES`, given that the cell is seen."""
    hidden: Floats
    """(64,): probability that a hand or something else covers the cell."""
    separation: float
    """How far apart the two colours of discs are, see `Sides`; 0 when one side only was seen."""

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
    glance: Glance


def look_closely(image: Image, chart: PatchMap, reader: Reader) -> CloseLook:
    """Read all cells of a picture taken from the view that the chart was made for."""
    patches = chart.cut(image)
    light = measure_light(patches)
    cells = reader.read(features(patches, light))
    return CloseLook(patches, light, cells, judge(patches, light, cells))


def judge(patches: Patches, light: Light, cells: Cells) -> Glance:
    """Part the discs of a picture into two sides and put all probabilities together."""
    kinds = np.exp(_with_fewer_kings(cells.kinds))
    presence = kinds[:, MAN] + kinds[:, KING]
    colours = disc_colours(patches, light, cells.centres)
    sides = divide(colours, presence.astype(float), cells.whiteness.astype(float))
    white = 1.0 / (1.0 + np.exp(-sides.whiteness))
    seen = np.maximum(1.0 - kinds[:, HIDDEN], 1e-6)
    appearances = np.column_stack(
        [
            kinds[:, EMPTY],
            kinds[:, MAN] * (1 - white),
            kinds[:, KING] * (1 - white),
            kinds[:, MAN] * white,
            kinds[:, KING] * white,
        ]
    )
    return Glance(
        (appearances / seen[:, None]).astype(np.float32), kinds[:, HIDDEN], sides.separation
    )


def _with_fewer_kings(kinds: Floats) -> Floats:
    """Log-probabilities (64, 4) of the kinds, for a game instead of the reader's school.

    Seen from nearly overhead all discs may look like kings: the crowd tells what men look like.
    """
    discs = np.flatnonzero(np.exp(kinds[:, [MAN, KING]]).sum(axis=1) > SEEN)
    looks = kinds[discs, KING] - kinds[discs, MAN]
    doubt = max(0.0, float(np.median(looks)) - MAN_LOOKS) if len(discs) >= CROWD else 0.0
    rarer = kinds.astype(float).copy()
    rarer[:, KING] -= RARE + doubt
    total = np.logaddexp(rarer[:, MAN], rarer[:, KING])
    before = np.logaddexp(kinds[:, MAN], kinds[:, KING])
    rarer[:, [MAN, KING]] += (before - total)[:, None]
    return rarer.astype(np.float32)

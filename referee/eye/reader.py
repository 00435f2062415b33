"""The learned reader: what lies on a cell, from its patch alone.

A small network, run by OpenCV's own `dnn`. It knows no set by its colours: it says whether a
disc lies there, one or two high and how thick, and where its centre is; whose disc that is, it
only guesses, and the picture as a whole decides (see `sides` and `stacks`).
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Array
from referee.eye.network import Network, log_sum
from referee.eye.patches import Floats

EMPTY, MAN, KING, HIDDEN = range(4)
THINNEST, DOUBLING, LEVELS = 0.075, 6, 13
THICKNESSES = THINNEST * 2.0 ** (np.arange(LEVELS) / DOUBLING)
"""Of one disc, in squares: official ones have 0.09 to 0.17 (WCDF 2.2), others up to 0.3."""
PLACES = 2 * LEVELS
"""A man or a king of each thickness: what the network tells of a disc."""
IMPRESSION = 98
"""Numbers that the second look has in mind of a disc before it decides: 96 of its network, the lean
and the radius, see `Ranked`."""
LIKELY = 0.3
"""Probability of a disc below which hardly one lies there."""


@dataclass(frozen=True)
class Cells:
    """What the reader makes of n cells."""

    kinds: Floats
    """(n, 4): log-probability of `EMPTY`, `MAN`, `KING` and `HIDDEN`."""
    whiteness: Floats
    """(n,): log-odds that a disc there is of the lighter side, from its look alone."""
    centres: Floats
    """(n, 2): a disc's centre from the cell's, (right, down) in the patch, in squares."""
    radii: Floats
    """(n,): a disc's radius, in squares."""
    ranks: Floats
    """(n, 2, LEVELS): log-probability that it is a man, or a king, of each of `THICKNESSES`,
    given that a disc lies there."""
    impressions: Floats
    """(n, IMPRESSION): how a disc looks from closer by; 0 where none was looked at."""
    outlines: Floats
    """(n,): what its outline says, see `outlines`; NaN where nothing."""

    @staticmethod
    def blank(count: int) -> Cells:
        """Room for the readings of `count` cells."""
        shapes: list[tuple[int, ...]] = [(count, 4), (count,), (count, 2), (count,)]
        shapes += [(count, 2, LEVELS), (count, IMPRESSION), (count,)]
        cells = Cells(*(np.zeros(shape, np.float32) for shape in shapes))
        cells.outlines.fill(np.nan)
        return cells

    @property
    def presence(self) -> Array:
        """(n,): probability that a disc lies there."""
        return np.asarray(np.exp(self.kinds[:, [MAN, KING]]).sum(axis=1))

    @property
    def spots(self) -> Floats:
        """(n, 2): where a disc's colour is looked for: about its centre, but in the middle of a
        cell on which hardly one lies, for there the network's centre is anything."""
        likely = log_sum(self.kinds[:, [MAN, KING]]) > np.log(LIKELY)
        return np.where(likely[:, None], self.centres, np.float32(0))

    def taken(self, which: NDArray[np.intp]) -> Cells:
        """The readings of these alone."""
        return Cells(*(getattr(self, column.name)[which] for column in fields(Cells)))

    def put(self, which: NDArray[np.intp], cells: Cells) -> None:
        """Take these cells' readings from others."""
        for column in fields(Cells):
            getattr(self, column.name)[which] = getattr(cells, column.name)


class Reader(Network):
    """The network."""

    FILE = "reader.onnx"
    BATCH = 16
    """Cells read at once."""

    def read(self, features: Floats) -> Cells:
        """Read (n, CHANNELS, SIZE, SIZE) features."""
        if len(features) == 0:
            return Cells.blank(0)
        return cells_of(self.scores(features))


def cells_of(scores: Floats) -> Cells:
    """Of scores (n, 2 + PLACES + 4): bare, hidden, discs, whiteness, centre and radius."""
    answers = scores[:, : 2 + PLACES]
    answers = answers - log_sum(answers)[:, None]
    bare, hidden, discs = answers[:, 0], answers[:, 1], answers[:, 2:]
    ranks = discs.reshape(-1, 2, LEVELS)
    kinds = np.column_stack([bare, log_sum(ranks[:, 0]), log_sum(ranks[:, 1]), hidden])
    return Cells(
        kinds,
        scores[:, 2 + PLACES],
        scores[:, 3 + PLACES : 5 + PLACES],
        scores[:, 5 + PLACES],
        ranks - log_sum(discs)[:, None, None],
        np.zeros((len(scores), IMPRESSION), np.float32),
        np.full(len(scores), np.nan, np.float32),
    )

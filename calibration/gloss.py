"""A lamp that is mirrored in the discs, more here than there, and in both sides' discs alike.

It adds light to what is seen of a disc. How much, a smooth field over the board tells, learnt
from discs whose sides are known; without it a side's discs look as different from each other as
the two sides do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Levels, Mask
from calibration.palette import Colour, Palette, Tone

FEWEST = 6
"""Discs of a side from which a field can be learnt."""
STIFFNESS = 0.05
"""Weight of a flat field against each disc: what one disc alone shows is no lamp."""
DIMMEST = 0.02
"""Of a light square's light: the least that is left of a disc's colour without the lamp."""
PLAIN, HELPS = 20.0, 1.3
"""Spreads between the sides that need no help, and how many times as many a field must make them
to be believed."""


@dataclass(frozen=True)
class Gloss:
    """The field, and how both sides' discs look where it is evened out over the board."""

    added: tuple[Colour, ...]
    """For each of the terms of a place, in shares of a light square's light."""
    darker: Tone
    lighter: Tone

    @staticmethod
    def learn(colours: Levels, cells: NDArray[np.intp], lighter: Mask) -> Gloss | None:
        """From the log colours (n, 3) of discs on some of the 64 cells, whose sides are known;
        None where there are too few of them, or one looks the other side's all the same."""
        if min(lighter.sum(), (~lighter).sum()) < FEWEST:
            return None
        terms = np.column_stack([~lighter, lighter, TERMS[cells]]).astype(float)
        stiffness = np.diag([0.0, 0.0, *[STIFFNESS * len(cells)] * TERMS.shape[1]])
        field = np.linalg.solve(terms.T @ terms + stiffness, terms.T @ np.exp(colours))[2:]
        evened = _evened(colours, TERMS[cells] @ field)
        added = tuple((float(b), float(g), float(r)) for b, g, r in field)
        gloss = Gloss(added, Tone.of(evened[~lighter]), Tone.of(evened[lighter]))
        odds = gloss.lighter.log_likelihood(evened) - gloss.darker.log_likelihood(evened)
        return gloss if np.array_equal(odds > 0, lighter) else None

    def turned(self) -> Gloss:
        """The same lamp, which stays where it is, when the cells are counted from the other end."""
        field = np.array(self.added) * ABOUT[:, None]
        added = tuple((float(b), float(g), float(r)) for b, g, r in field)
        return replace(self, added=added)

    def evened(self, colours: Levels) -> Levels:
        """Log colours (64, 3) of discs as they would be if the lamp were mirrored alike in all."""
        return _evened(colours, TERMS @ np.array(self.added))

    def palette(self, plain: Palette) -> Palette:
        """What tells the evened colours apart."""
        return replace(plain, darker=self.darker, lighter=self.lighter)

    def helps(self, plain: Palette) -> bool:
        """Whether the sides are clearly further apart than without."""
        before = plain.separation()
        return before < PLAIN and self.palette(plain).separation() > HELPS * before


def _evened(colours: Levels, added: Levels) -> Levels:
    return np.asarray(np.log(np.maximum(np.exp(colours) - added, DIMMEST)), np.float64)


def _terms() -> Levels:
    """(64, 5): terms of second order of each cell's place, none of which adds light to the whole
    board."""
    right, down = np.meshgrid(np.linspace(-1, 1, 8), np.linspace(-1, 1, 8))
    x, y = right.ravel(), down.ravel()
    terms = np.column_stack([x, y, x * y, x * x, y * y])
    return np.asarray(terms - terms.mean(axis=0), np.float64)


TERMS = _terms()
ABOUT = np.array([-1, -1, 1, 1, 1])
"""What becomes of each term on a board that is turned about."""

"""The colours of one set, learnt from squares whose contents are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import LUMINANCE

Levels = NDArray[np.float64]
Colour = tuple[float, float, float]

LEAST_SPREAD = 0.05
"""Log colour: a set is never so even that its discs look alike in every light."""
TAIL = 4.0
"""Degrees of freedom of the colour model: glare makes rare, large misses."""


@dataclass(frozen=True)
class Tone:
    """One kind of surface in log colour (blue, green, red), relative to the light squares."""

    mean: Colour
    spread: Colour
    """Standard deviation of each channel from disc to disc."""

    @staticmethod
    def of(samples: Levels) -> Tone:
        """Learn from samples (n, 3), n of one or more."""
        mean = np.median(samples, axis=0)
        spread = np.maximum(1.48 * np.median(np.abs(samples - mean), axis=0), LEAST_SPREAD)
        return Tone(_colour(mean), _colour(spread))

    def log_likelihood(self, samples: Levels) -> Levels:
        """(n,) nats of samples (n, 3), up to a constant common to all tones."""
        spread = np.array(self.spread)
        scaled = (((samples - np.array(self.mean)) / spread) ** 2).sum(axis=1)
        nats: Levels = -0.5 * (TAIL + 3) * np.log1p(scaled / TAIL) - np.log(spread).sum()
        return nats


@dataclass(frozen=True)
class Palette:
    """What tells the sides of a set apart, and discs from bare squares."""

    bare: Tone
    """Dark squares with nothing on them."""
    darker: Tone
    """Faces of the darker side's discs."""
    lighter: Tone

    @staticmethod
    def learn(colours: Levels, labels: Sequence[str]) -> Palette | None:
        """From colours (n, 3) labelled `bare`, `darker` or `lighter`; None if one is missing."""
        names = np.array(labels)
        groups = [colours[names == name] for name in ("bare", "darker", "lighter")]
        if any(len(group) == 0 for group in groups):
            return None
        return Palette(*(Tone.of(group) for group in groups))

    def separation(self) -> float:
        """How many spreads lie between the two sides' colours: below 3 they look alike."""
        spread = np.maximum(self.darker.spread, self.lighter.spread)
        apart = (np.array(self.lighter.mean) - np.array(self.darker.mean)) / spread
        return float(np.linalg.norm(apart))

    def lighter_by(self) -> float:
        """Natural logarithm of how many times as bright the lighter side's discs are."""
        darker, lighter = (float(np.exp(t.mean) @ LUMINANCE) for t in (self.darker, self.lighter))
        return float(np.log(lighter / darker))


def _colour(values: Levels) -> Colour:
    blue, green, red = (float(value) for value in values)
    return blue, green, red

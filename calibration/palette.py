"""The colours of one set, learnt from squares whose contents are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import LUMINANCE, Levels

Colour = tuple[float, float, float]

LEAST_SPREAD = 0.05
"""Log colour: a set is never so even that its discs look alike in every light."""
TAIL = 4.0
"""Degrees of freedom of the colour model: glare makes rare, large misses."""
FAMILIAR = 4.0
"""Discs that on average lie no further from their side's colour, in spreads, lie in a light like
that in which the set was learnt."""
DRIFT, OTHER_SPREAD = 0.7, 0.12
"""Log colour by which another light changes the look of a side, by gloss above all, and by which
the discs of one side then differ."""
ROUNDS = 6
"""In which the colours of both sides and who is of which settle."""
ODD, ODD_SPREAD = 0.1, 0.15
"""Share of the discs in a light of their own, and by how much log colour they then miss what is
expected of them there."""
LAMPS, BRIGHTEST = np.array([0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8]), 1.1
"""What a lamp that is mirrored in a disc adds to its colour, and the brightest that a camera shows,
in shares of a light square's light."""
SHADES = np.array([0.1, 0.2, 0.35, 0.5, 0.7, 0.9])
"""Log colour by which a disc in shade is darker."""


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

    def brightness(self) -> float:
        """How bright it is to people, where a light square is 1."""
        return float(np.exp(self.mean) @ LUMINANCE)

    def log_likelihood(self, samples: Levels) -> Levels:
        """(n,) nats of samples (n, 3), up to a constant common to all tones."""
        return _nats(self.squares(samples), self.spread)

    def in_any_light(self, samples: Levels) -> Levels:
        """The same where a lamp may be mirrored in it, or something keep the light off."""
        away = (samples - self._in_odd_lights()[:, None]) / ODD_SPREAD
        odd = _nats((away**2).sum(axis=2), (ODD_SPREAD,) * 3)
        odd = np.logaddexp.reduce(odd + np.log(ODD / len(odd)), axis=0)
        return np.asarray(np.logaddexp(self.log_likelihood(samples), odd), np.float64)

    def _in_odd_lights(self) -> Levels:
        """(n, 3): how it looks with each of `LAMPS`, and in each of `SHADES`."""
        mean = np.array(self.mean)
        share = np.exp(mean)
        lit = np.minimum(share + LAMPS[:, None], np.maximum(share, BRIGHTEST))
        return np.concatenate([np.log(lit), mean - SHADES[:, None]])

    def squares(self, samples: Levels) -> Levels:
        """(n,) squared distances of samples (n, 3), in spreads."""
        away = (samples - np.array(self.mean)) / np.array(self.spread)
        return np.asarray((away**2).sum(axis=1), np.float64)

    def drawn_to(self, samples: Levels, shares: Levels) -> Tone:
        """The same surface in another light, of which these samples (n, 3) are seen, each with
        the probability (n,) that it shows this surface."""
        weights, mean = shares / OTHER_SPREAD**2, np.array(self.mean)
        mean = (weights @ samples + mean / DRIFT**2) / (weights.sum() + 1 / DRIFT**2)
        return Tone(_colour(mean), (OTHER_SPREAD,) * 3)

    def drift_from(self, other: Tone) -> float:
        """Nats by which it is unlikely to have become this from another."""
        return 0.5 * float((((np.array(self.mean) - np.array(other.mean)) / DRIFT) ** 2).sum())


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

    def in_light_of(self, discs: Levels, guess: Levels) -> Palette:
        """The palette of the light in which these discs (n, 3) lie, itself if it is that of the
        light in which it was learnt: a lamp that is mirrored in dark discs makes them all pale.

        `guess` (n,) are log-odds for the lighter side from elsewhere; they only suggest.
        """
        if self.is_familiar(discs):
            return self
        others = (self._adapted(discs, odds) for odds in (self.side_odds(discs), guess))
        return max((self, *others), key=lambda one: one._fit(discs) - one._drift(self))

    def plain_odds(self, discs: Levels) -> Levels:
        """(n,) nats for the lighter side of discs (n, 3) that all lie in the same light."""
        return self.lighter.log_likelihood(discs) - self.darker.log_likelihood(discs)

    def side_odds(self, discs: Levels) -> Levels:
        """The same of discs of which some have a lamp mirrored in them, or lie in shade."""
        return self.lighter.in_any_light(discs) - self.darker.in_any_light(discs)

    def _adapted(self, discs: Levels, odds: Levels) -> Palette:
        palette = self
        for _ in range(ROUNDS):
            lighter = 1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0)))
            palette = replace(
                palette,
                darker=self.darker.drawn_to(discs, 1.0 - lighter),
                lighter=self.lighter.drawn_to(discs, lighter),
            )
            odds = palette.side_odds(discs)
        return palette

    def is_familiar(self, discs: Levels) -> bool:
        """Whether these discs (n, 3) lie in a light like that in which the set was learnt."""
        if len(discs) == 0:
            return True
        nearest = np.minimum(self.darker.squares(discs), self.lighter.squares(discs))
        return bool(nearest.mean() <= FAMILIAR**2)

    def _fit(self, discs: Levels) -> float:
        """Nats of discs of either side, up to a constant for each."""
        both = self.darker.in_any_light(discs), self.lighter.in_any_light(discs)
        return float(np.logaddexp(*both).sum())

    def _drift(self, other: Palette) -> float:
        return self.darker.drift_from(other.darker) + self.lighter.drift_from(other.lighter)

    def separation(self) -> float:
        """How many spreads lie between the two sides' colours: below 3 they look alike."""
        spread = np.maximum(self.darker.spread, self.lighter.spread)
        apart = (np.array(self.lighter.mean) - np.array(self.darker.mean)) / spread
        return float(np.linalg.norm(apart))

    def lighter_by(self) -> float:
        """Natural logarithm of how many times as bright the lighter side's discs are."""
        return float(np.log(self.lighter.brightness() / self.darker.brightness()))


def _nats(squares: Levels, spread: Colour) -> Levels:
    """Log-likelihood of samples so many squared spreads away, up to a constant."""
    nats = -0.5 * (TAIL + 3) * np.log1p(squares / TAIL)
    return np.asarray(nats - np.log(spread).sum(), np.float64)


def _colour(values: Levels) -> Colour:
    blue, green, red = (float(value) for value in values)
    return blue, green, red

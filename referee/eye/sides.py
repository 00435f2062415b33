"""Whose disc is it? The two colours of a set, found in the picture itself.

A learned reader has seen other sets than this one. But the discs of one picture come in just
two colours, so two clusters of disc colours, each relative to the light squares beside it,
tell the sides apart better than any memory.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import LUMINANCE
from referee.eye.light import Light, logarithm
from referee.eye.patches import LEFT, PIXELS_A_SQUARE, SIZE, TOP, Floats, Patches
from referee.eye.reader import KING, MAN, Cells

MAN_HEIGHT, KING_HEIGHT = 0.15, 0.35
"""Where the colour of a disc is sampled, in squares above the board: near the top of a man, and of
a king, whose shaded wall and crease lie where a man's face would."""
SAMPLE_RADIUS = 0.2
"""Of the sampled part of a disc's face; discs are 0.26 square or more in radius."""

TINT = 30
"""Per cent of the sampled pixels that are darker than what counts as a disc's colour: a lamp that
is mirrored in its face only brightens it."""

ROUNDS = 12
SPREAD = 0.12
"""Log colour by which discs of one side differ in one picture (shade, grain, glare)."""
APART = 4.0
"""Two clusters nearer than this many spreads may be one colour in uneven light."""
SUREST = 9.0
"""Log-odds that colour alone can reach: a disc of the one side may lie in odd light."""
EVEN, TIED = 0.3, 0.1
"""Natural logarithm of brightness by which two sides must differ: glare adds as much to one. Sides
that differ by less than the latter are told by their tint: beside black, blue or green discs red
ones are those of the lighter side."""
CONTRADICTED = 2.0
"""Sides that differ by less are the other way round if the reader's log-odds for them are, by so
much."""
REMEMBERED = 0.3
"""Weight of the reader's own guess beside the clusters."""
UNSURE = 3.0
"""Log-odds beyond which the reader's guess does not count: it has not seen this set."""

Levels = NDArray[np.float64]


@dataclass(frozen=True)
class Sides:
    """How the discs of one picture divide."""

    whiteness: Levels
    """(n,): log-odds that each cell's disc is of the lighter side."""
    separation: float
    """Distance of the two colours in spreads; 0 when one side only was seen."""


def disc_colours(patches: Patches, light: Light, cells: Cells) -> Floats:
    """(n, 3): log colour, less the local light, of the upper face of what lies on each cell."""
    kings = cells.kinds[:, KING] > cells.kinds[:, MAN]
    up = patches.lean * np.where(kings, KING_HEIGHT, MAN_HEIGHT)[:, None]
    centres = cells.centres
    right = (centres[:, 0] + up[:, 0] - LEFT) * PIXELS_A_SQUARE - 0.5
    down = (centres[:, 1] - up[:, 1] - TOP) * PIXELS_A_SQUARE - 0.5
    rows = np.clip(np.round(down[:, None] + DISC_STEPS[:, 1]), 0, SIZE - 1).astype(int)
    columns = np.clip(np.round(right[:, None] + DISC_STEPS[:, 0]), 0, SIZE - 1).astype(int)
    samples = patches.pixels[np.arange(len(rows))[:, None], rows, columns]
    return np.asarray(
        np.percentile(logarithm(samples), TINT, axis=1) - light.light[patches.which], np.float32
    )


def divide(colours: Floats, squares: Levels, presence: Levels, guess: Levels) -> Sides:
    """Part discs into two sides by log colour (n, 3), relative to that of the light squares, (3,).

    Which side is the brighter one is judged with `squares` added: beside red squares, which are
    nearly black in blue and green, grey discs would outshine red ones. If neither is, their tint
    tells.
    `presence` (n,) is the probability that a disc is there at all, `guess` (n,) the reader's
    log-odds for the lighter side, which decides only where the colours do not.
    """
    partings = [_parted(colours, presence, share) for share in _first_shares(colours, guess)]
    means = max(partings, key=lambda pair: _fit(colours, presence, *pair))
    darker, lighter = sorted(means, key=lambda mean: _luminance(mean + squares))
    brighter_by = np.log(_luminance(lighter + squares) / _luminance(darker + squares))
    if brighter_by < TIED:
        darker, lighter = sorted(means, key=_warmth)
    separation = float(np.linalg.norm(lighter - darker)) / SPREAD
    if separation < APART:
        return Sides(np.clip(guess, -UNSURE, UNSURE), 0.0)
    if brighter_by < EVEN and _is_swapped(colours, presence, guess, darker, lighter):
        darker, lighter = lighter, darker
    odds = np.clip(_log_odds(colours, darker, lighter), -SUREST, SUREST)
    return Sides(odds + REMEMBERED * np.clip(guess, -UNSURE, UNSURE), separation)


def _is_swapped(
    colours: Floats, presence: Levels, guess: Levels, darker: Levels, lighter: Levels
) -> bool:
    """Whether the reader, which knows lamps mirrored in dark discs, takes the brighter cluster
    for the darker side's."""
    share = 1.0 / (1.0 + np.exp(-_log_odds(colours, darker, lighter)))
    of_lighter, of_darker = (
        np.average(guess, weights=presence * weight + 1e-9) for weight in (share, 1.0 - share)
    )
    return bool(of_lighter < of_darker - CONTRADICTED)


def _first_shares(colours: Floats, guess: Levels) -> tuple[Levels, Levels, Levels]:
    """Probabilities (n,) of the lighter side to begin with: as guessed, by brightness, by hue."""
    brightness = colours.sum(axis=1)
    hue = colours[:, 2] - colours[:, 0]
    bright, warm = ((value > np.median(value)).astype(float) for value in (brightness, hue))
    return 1.0 / (1.0 + np.exp(-guess)), bright, warm


def _parted(colours: Floats, presence: Levels, share: Levels) -> tuple[Levels, Levels]:
    """Two clusters' colours, from first shares."""
    means = [colours.mean(axis=0).astype(float)] * 2
    for _ in range(ROUNDS):
        means = [_mean(colours, presence * weight) for weight in (1.0 - share, share)]
        share = 1.0 / (1.0 + np.exp(-_log_odds(colours, *means)))
    return means[0], means[1]


def _fit(colours: Floats, presence: Levels, darker: Levels, lighter: Levels) -> float:
    """Log-likelihood of the discs' colours under two clusters, up to a constant."""
    terms = [-2.0 * np.log1p(_squares(colours, mean) / 4.0) for mean in (darker, lighter)]
    return float((presence * np.logaddexp(*terms)).sum())


def _warmth(log_colour: Levels) -> float:
    """How much redder than blue a log colour (blue, green, red) is."""
    return float(log_colour[2] - log_colour[0])


def _luminance(log_colour: Levels) -> float:
    """Brightness, up to a factor, of a log colour (blue, green, red)."""
    return float(np.exp(log_colour) @ LUMINANCE)


def _mean(colours: Floats, weights: Levels) -> Levels:
    total = max(float(weights.sum()), 1e-6)
    mean: Levels = (colours * weights[:, None]).sum(axis=0) / total
    return mean


def _log_odds(colours: Floats, darker: Levels, lighter: Levels) -> Levels:
    """Of the lighter cluster, both round with the same spread and long tails."""
    to_darker, to_lighter = (_squares(colours, mean) for mean in (darker, lighter))
    odds: Levels = 2.0 * (np.log1p(to_darker / 4.0) - np.log1p(to_lighter / 4.0))
    return odds


def _squares(colours: Floats, mean: Levels) -> Levels:
    """(n,) squared distances from a mean, in spreads."""
    squares: Levels = ((colours - mean) ** 2).sum(axis=1) / SPREAD**2
    return squares


def _disc_steps() -> Levels:
    """(n, 2): pixel steps that fill a circle of the sampled radius."""
    reach = int(np.ceil(SAMPLE_RADIUS * PIXELS_A_SQUARE))
    right, down = np.meshgrid(range(-reach, reach + 1), range(-reach, reach + 1))
    inside = np.hypot(right, down) <= SAMPLE_RADIUS * PIXELS_A_SQUARE
    return np.column_stack([right[inside], down[inside]]).astype(float)


DISC_STEPS = _disc_steps()

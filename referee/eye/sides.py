"""Whose disc is it? The two colours of a set, found in the picture itself.

A learned reader has seen other sets than this one. But the discs of one picture come in just
two colours, so these tell the sides apart better than any memory. A lamp that is mirrored in a
disc adds its light to all channels alike, more to one disc than to the next: a side is what one
pure colour and some glare make.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import LUMINANCE, Levels, Mask
from calibration.palette import Palette
from referee.eye.light import Light, logarithm
from referee.eye.patches import LEFT, PIXELS_A_SQUARE, SIZE, TOP, Floats, Patches

MAN_HEIGHT, KING_HEIGHT = 0.15, 0.35
"""Where the colour of a disc is sampled, in squares above the board: near the top of a man, and of
a king, whose shaded wall and crease lie where a man's face would."""
SAMPLE_RADIUS = 0.2
"""Of the sampled part of a disc's face; discs are 0.26 square or more in radius."""

TINT = 30
"""Per cent of the sampled pixels that are darker than what counts as a disc's colour: a lamp that
is mirrored in its face only brightens it."""

SPREAD = 0.12
"""Log colour by which discs of one side differ in one picture (shade, grain)."""
GLARES = np.concatenate([[0.0], np.geomspace(0.01, 1.0, 16)])
"""Amounts of mirrored light that are tried, in the brightness of a light square."""
USUAL_GLARE = 0.12
"""The amount that makes a disc as unlike its pure colour as one spread does."""
APART = 3.0
"""Pure colours nearer than this many spreads, glare apart, may be one colour in uneven light."""
SUREST = 9.0
"""Log-odds that colour alone can reach: a disc of the one side may lie in odd light."""
EVEN, TIED = 0.3, 0.1
"""Natural logarithm of brightness by which two sides must differ: glare adds as much to one. Sides
that differ by less than the latter are told by their tint: beside black, blue or green discs red
ones are those of the lighter side."""
LIGHT = 0.6
"""Brightness, where a light square is 1, from which the lighter discs are light ones: the red ones
of a red and black set are at 0.35 or so."""
CONTRADICTED = 2.0
"""Sides that differ by less are the other way round if the reader's log-odds for them are, by so
much."""
REMEMBERED = 0.7
"""Weight of the reader's own guess beside the colours: it often errs on all discs alike."""
UNSURE = 3.0
"""Log-odds beyond which the reader's guess does not count: it has not seen this set."""
USUAL_SHADE = 0.3
"""Log brightness by which shade makes a bare square differ."""
OF_DISC, OF_DISC_LIMIT = 1.0, 4.0
"""Weight of the colours for whether a disc is there, and the most they may say, in nats: what is
printed on a square may look like a disc, and lies on the square's own colour."""


@dataclass(frozen=True)
class Sides:
    """How the discs of one picture divide."""

    whiteness: Levels
    """(n,): log-odds that each cell's disc is of the lighter side."""
    separation: float
    """Distance of the two pure colours in spreads, glare apart; 0 when one side only was seen."""
    familiar: Levels | None
    """(n,): log-likelihood, up to a constant, of each cell's colour as one of the two; None where
    there are too few discs to tell."""


def disc_colours(patches: Patches, light: Light, centres: Floats, kings: Mask) -> Floats:
    """(n, 3): log colour, less the local light, of the upper face of what lies around each centre
    (n, 2), or lies there upon another disc, where `kings` (n,) are."""
    up = patches.lean * np.where(kings, KING_HEIGHT, MAN_HEIGHT)[:, None]
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
    unparted = np.clip(guess, -UNSURE, UNSURE)
    discs = np.flatnonzero(presence > 0.5)
    if len(discs) < 2:
        return Sides(unparted, 0.0, None)
    seen = colours.astype(float) + squares
    distances = _distances(seen - np.log(_luminance(squares)), discs)
    pair = _purest(distances, presence)
    familiar = _likelihoods(distances[:, pair].min(axis=1))
    darker, lighter = sorted(pair, key=lambda side: _luminance(seen[discs[side]]))
    brighter_by = np.log(_luminance(seen[discs[lighter]]) / _luminance(seen[discs[darker]]))
    if brighter_by < TIED:
        darker, lighter = sorted(pair, key=lambda side: _warmth(colours[discs[side]]))
    separation = min(distances[discs[lighter], darker], distances[discs[darker], lighter]) ** 0.5
    if separation < APART:
        return Sides(unparted, 0.0, familiar)
    odds = _likelihoods(distances[:, lighter]) - _likelihoods(distances[:, darker])
    if brighter_by < EVEN and _is_swapped(odds, presence, guess):
        odds = -odds
    whiteness = np.clip(odds, -SUREST, SUREST) + REMEMBERED * unparted
    return Sides(whiteness, float(separation), familiar)


def are_light_and_dark(palette: Palette) -> bool:
    """Whether a set has light discs and dark ones, and so tells that the dark ones begin. Of
    others either may."""
    return palette.lighter_by() > EVEN and palette.lighter.brightness() >= LIGHT


def disc_nats(colours: Floats, bare: Floats, sides: Sides) -> Levels:
    """What the colours (n, 3) say for a disc, in nats (n,), where a bare square is of the log
    colour `bare` (n, 3), perhaps in shade."""
    if sides.familiar is None:
        return np.zeros(len(colours))
    differs = colours.astype(float) - bare
    steadiness = 3 / SPREAD**2 + 1 / USUAL_SHADE**2
    shade = differs.sum(axis=1) / SPREAD**2 / steadiness
    squares = ((differs - shade[:, None]) ** 2).sum(axis=1) / SPREAD**2 + (shade / USUAL_SHADE) ** 2
    nats = OF_DISC * (sides.familiar - _likelihoods(squares))
    return np.asarray(np.clip(nats, -OF_DISC_LIMIT, OF_DISC_LIMIT), np.float64)


def _distances(seen: Levels, discs: NDArray[np.intp]) -> Levels:
    """(n, k): squared distances in spreads of log colours (n, 3), in the brightness of a light
    square, from that of each of the `discs` (k,) with whatever glare brings it nearest."""
    pure = np.exp(seen[discs])
    glossy = np.log(pure[:, None] + GLARES[:, None])
    squares = ((seen[:, None, None] - glossy) ** 2).sum(axis=3) / SPREAD**2
    nearest: Levels = (squares + (GLARES / USUAL_GLARE) ** 2).min(axis=2)
    return nearest


def _purest(distances: Levels, presence: Levels) -> tuple[int, int]:
    """Which two of the k discs' colours explain all discs best, with squared distances (n, k)."""
    likely = _likelihoods(distances)
    fits = np.einsum("n,nij->ij", presence, np.logaddexp(likely[:, :, None], likely[:, None]))
    first, second = np.unravel_index(np.argmax(fits), fits.shape)
    return int(first), int(second)


def _likelihoods(distances: Levels) -> Levels:
    """Log-likelihoods, up to a constant, by squared distances in spreads: with long tails."""
    return np.asarray(-2.0 * np.log1p(distances / 4.0))


def _is_swapped(odds: Levels, presence: Levels, guess: Levels) -> bool:
    """Whether the reader, which knows lamps mirrored in dark discs, takes the brighter discs
    for the darker side's."""
    share = 1.0 / (1.0 + np.exp(-odds))
    of_lighter, of_darker = (
        np.average(guess, weights=presence * weight + 1e-9) for weight in (share, 1.0 - share)
    )
    return bool(of_lighter < of_darker - CONTRADICTED)


def _warmth(log_colour: Levels | Floats) -> float:
    """How much redder than blue a log colour (blue, green, red) is."""
    return float(log_colour[2] - log_colour[0])


def _luminance(log_colour: Levels) -> float:
    """Brightness, up to a factor, of a log colour (blue, green, red)."""
    return float(np.exp(log_colour) @ LUMINANCE)


def _disc_steps() -> Levels:
    """(n, 2): pixel steps that fill a circle of the sampled radius."""
    reach = int(np.ceil(SAMPLE_RADIUS * PIXELS_A_SQUARE))
    right, down = np.meshgrid(range(-reach, reach + 1), range(-reach, reach + 1))
    inside = np.hypot(right, down) <= SAMPLE_RADIUS * PIXELS_A_SQUARE
    return np.column_stack([right[inside], down[inside]]).astype(float)


DISC_STEPS = _disc_steps()

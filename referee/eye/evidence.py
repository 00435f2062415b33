"""From readings to evidence: what the network saw and what the set's colours say, in centinats."""

from __future__ import annotations

import numpy as np

from calibration.arrays import Levels, Mask
from calibration.palette import Palette
from calibration.saved import Calibration
from referee.board import Side
from referee.eye.comparer import Comparer
from referee.eye.outlines import outline_odds
from referee.eye.patches import Floats
from referee.eye.reader import EMPTY, HIDDEN, KING, MAN, Cells
from referee.eye.stacks import king_odds, thickness_in_picture
from referee.observation import HIDDEN as HIDDEN_ROW
from referee.observation import Row

SEEN = 0.5
"""A cell is judged when it is more likely seen than hidden."""
TEMPER = 0.7
"""Weight of the network's log-odds: on sets it never saw it is surer than it should be."""
COLOUR_OF_DISC = 0.5
COLOUR_LIMIT = 4.0
"""Weight of the colours for whether a disc is there, and the most they may say, in nats: bare
squares and discs of one colour are told apart by their look."""
SIDE_LIMIT, OTHER_SIDE_LIMIT = 9.0, 4.0
"""The most that colour may say about the side, in nats, and in another light than that in which
the set was learnt."""
LOOKS_OF_SIDE, BRIGHTER_BY = (0.3, 1.0), (0.3, 1.0)
"""Weight of the network's guess at the side, which knows lamps mirrored in dark discs, beside the
colours of this very set: by how much the one side's are brighter, as a natural logarithm."""
LOOK_LIMIT = 8.0
"""The most that the network may say about the side, in nats, before it is weighed."""
BESIDE_OUTLINES = 0.85
"""Weight of what the networks say of a disc whose outline is seen."""
FLOOR = -1200
"""Centinats: no single frame may rule anything out."""
MIRRORED = -200
"""The same where a lamp hides what may be there: nobody is accused of that alone."""


def evidence_rows(
    cells: Cells, colours: Floats, calibration: Calibration, mirrored: Mask | None = None
) -> tuple[tuple[Row, ...], Floats]:
    """n rows of evidence, and the log-odds (n,) for the lighter side of a disc there.

    Of cells that only a lamp hides, which is `mirrored` (n,) in them, it is told that they are bare
    if they look so.

    The rows are of the game's sides, whichever of them has the lighter discs.
    `colours` (n, 3) as `disc_colours` has them; of all 64 cells, in order, where the calibration
    has a gloss.
    """
    samples = colours.astype(float)
    palette, discs, colour = _in_this_light(cells, samples, calibration)
    bare = palette.bare.in_any_light(samples)
    darker, lighter = (tone.in_any_light(discs) for tone in (palette.darker, palette.lighter))
    weight = np.interp(calibration.palette.lighter_by(), BRIGHTER_BY, LOOKS_OF_SIDE)
    look = weight * np.clip(cells.whiteness, -LOOK_LIMIT, LOOK_LIMIT)
    side = colour + look
    disc = np.logaddexp(darker, lighter) - np.log(2)
    of_disc = np.clip(COLOUR_OF_DISC * (disc - bare), -COLOUR_LIMIT, COLOUR_LIMIT)
    empty = TEMPER * cells.kinds[:, EMPTY]
    piece = TEMPER * np.logaddexp(cells.kinds[:, MAN], cells.kinds[:, KING]) + of_disc
    odds = king_odds_of_sides(cells, side, calibration)
    sides = -np.logaddexp(0, side), -np.logaddexp(0, -side)
    ranked = [
        piece + of_side - np.logaddexp(0, rank)
        for of_side, king in zip(sides, odds, strict=True)
        for rank in (king, -king)
    ]
    if calibration.lighter_begins:
        ranked = [*ranked[2:], *ranked[:2]]
    nats = np.column_stack([empty, *ranked])
    hidden = np.exp(cells.kinds[:, HIDDEN]) > SEEN
    lamps = np.zeros(len(hidden), np.bool_) if mirrored is None else mirrored
    return tuple(map(_row, nats, hidden, lamps)), side.astype(np.float32)


def sides_of(cells: Cells, colours: Floats, calibration: Calibration) -> Levels:
    """Log-odds (n,) that discs there are of the lighter side, by their colours alone."""
    return _in_this_light(cells, colours.astype(float), calibration)[2]


def owner_of(lighter: float, calibration: Calibration) -> Side:
    """Whose a disc is that is the lighter side's with these log-odds."""
    return Side.RED if (lighter > 0) == calibration.lighter_begins else Side.WHITE


def king_odds_of_sides(
    cells: Cells, side: Levels, calibration: Calibration
) -> tuple[Levels, Levels]:
    """Log-odds (n,) for a king if the disc is of the darker side, and of the lighter one: as thick
    as it looks, beside the others of the picture, beside how the set's men have looked, and by how
    high its outline reaches.

    `side` (n,) are log-odds for the lighter side.
    """
    presence = cells.presence
    of_sides = presence * (side <= 0), presence * (side > 0)
    darker, lighter = (
        king_odds(cells.ranks, thickness_in_picture(cells.ranks, of_side, learnt))
        for of_side, learnt in zip(of_sides, calibration.thicknesses, strict=True)
    )
    odds = np.where(side > 0, lighter, darker)
    added = Comparer.shipped().corrections(cells, odds, side, presence)
    outlined = outline_odds(cells.outlines, odds + added, side, presence)
    trust = np.where(np.isnan(cells.outlines), 1.0, BESIDE_OUTLINES)
    of_darker, of_lighter = (outlined - kinglike for kinglike in calibration.kinglike)
    return trust * (darker + added) + of_darker, trust * (lighter + added) + of_lighter


def _in_this_light(
    cells: Cells, samples: Levels, calibration: Calibration
) -> tuple[Palette, Levels, Levels]:
    """The set's colours in the light of this picture, the samples as they compare with those of
    discs, and what they then say, in nats (n,) for the lighter side."""
    seen = cells.presence > SEEN
    learnt, gloss = calibration.palette, calibration.gloss
    if gloss is not None:
        evened, palette = gloss.evened(samples), calibration.evened
        if palette.is_familiar(evened[seen]):
            return palette, evened, np.clip(palette.plain_odds(evened), -SIDE_LIMIT, SIDE_LIMIT)
    palette = learnt.in_light_of(samples[seen], cells.whiteness[seen].astype(float))
    most = SIDE_LIMIT if palette is learnt else OTHER_SIDE_LIMIT
    return palette, samples, np.clip(palette.side_odds(samples), -most, most)


def _row(nats: Floats, hidden: bool, mirrored: bool) -> Row:
    if hidden and not (mirrored and nats[0] == nats.max()):
        return HIDDEN_ROW
    least = MIRRORED if hidden else FLOOR
    relative = np.maximum(np.rint(100 * (nats - nats.max())), least).astype(int)
    empty, red, red_king, white, white_king = relative.tolist()
    return empty, red, red_king, white, white_king

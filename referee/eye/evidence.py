"""From readings to evidence: what the network saw and what the set's colours say, in centinats."""

from __future__ import annotations

import numpy as np

from calibration.saved import Calibration
from referee.eye.patches import Floats
from referee.eye.reader import EMPTY, HIDDEN, KING, MAN, Cells
from referee.eye.stacks import king_odds
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
SIDE_LIMIT = 9.0
"""The most that colour may say about the side, in nats."""
LOOK_OF_SIDE = 0.3
"""Weight of the network's guess at the side beside the colours learnt from this very set."""
FLOOR = -1200
"""Centinats: no single frame may rule anything out."""


def evidence_rows(
    cells: Cells, colours: Floats, calibration: Calibration
) -> tuple[tuple[Row, ...], Floats]:
    """n rows of evidence, and the log-odds (n,) for the lighter side of a disc there.

    `colours` (n, 3) as `disc_colours` has them.
    """
    palette = calibration.palette
    samples = colours.astype(float)
    bare, darker, lighter = (
        tone.log_likelihood(samples) for tone in (palette.bare, palette.darker, palette.lighter)
    )
    side = np.clip(lighter - darker, -SIDE_LIMIT, SIDE_LIMIT) + LOOK_OF_SIDE * cells.whiteness
    disc = np.logaddexp(darker, lighter) - np.log(2)
    presence = np.clip(COLOUR_OF_DISC * (disc - bare), -COLOUR_LIMIT, COLOUR_LIMIT)
    empty = TEMPER * cells.kinds[:, EMPTY]
    piece = TEMPER * np.logaddexp(cells.kinds[:, MAN], cells.kinds[:, KING]) + presence
    odds = king_odds(cells.ranks, calibration.thickness)
    man, king = -np.logaddexp(0, odds), -np.logaddexp(0, -odds)
    red, white = -np.logaddexp(0, side), -np.logaddexp(0, -side)
    ranked = [piece + colour + rank for colour in (red, white) for rank in (man, king)]
    nats = np.column_stack([empty, *ranked])
    hidden = np.exp(cells.kinds[:, HIDDEN]) > SEEN
    return tuple(map(_row, nats, hidden)), side.astype(np.float32)


def _row(nats: Floats, hidden: bool) -> Row:
    if hidden:
        return HIDDEN_ROW
    relative = np.maximum(np.rint(100 * (nats - nats.max())), FLOOR).astype(int)
    empty, red, red_king, white, white_king = relative.tolist()
    return empty, red, red_king, white, white_king

"""Man or king by comparison: each disc is set beside the others of the same picture.

How high a disc's wall looks depends on its edge, on its shade and on the light, and the ranker may
take all discs of a set for too thin or too thick. What it has in mind of a disc differs less from
what it has of the men beside it, in the same light, than from what a king would give it.
"""

from __future__ import annotations

import numpy as np

from calibration.arrays import Levels, Mask
from referee.eye.network import Network
from referee.eye.patches import Floats
from referee.eye.reader import IMPRESSION, PLACES, Cells
from referee.eye.stacks import man_chances

LOOK = PLACES + IMPRESSION
INPUTS = 3 * LOOK + 3
"""A disc, the mean man of its side, the mean man, how many there are of both, and its odds."""
FAINTEST = -12.0
"""Nats: what is less likely is as unlikely as that."""
FEW, MANY = 4.0, 6.0
"""So many men of a side, and of both, make as good a mean as any number."""
ALONE = 3.0
"""Below so many men of a side its mean is in part that of both sides."""
NATS = np.float32(1 / 4), np.float32(1 / 3)
"""Scale of log-probabilities and of odds among the inputs, about that of the others."""
LEAST = 1e-3
"""Weight of what is no man, so that there is a mean where all are kings."""
SEEN = 0.5
"""A disc is compared where one is more likely than none."""
WEIGHT = 0.5
"""Of what the network says: men of real sets, on photographs, differ more than drawn ones do."""


class Comparer(Network):
    """The network."""

    FILE = "comparer.onnx"
    BATCH = 64
    """All cells of a picture at once."""

    def corrections(
        self, cells: Cells, odds: Levels, whiteness: Levels, presence: Levels
    ) -> Levels:
        """What is to be added to log-odds (n,) that each disc is a king, in nats.

        `whiteness` (n,) are log-odds for the lighter side, `presence` (n,) the probability of a
        disc. Nothing is added where the second look saw none.
        """
        there = np.flatnonzero((cells.impressions[:, -1] > 0) & (presence > SEEN))
        added = np.zeros(len(odds), np.float64)
        if len(there):
            seen = looks(cells.ranks[there], cells.impressions[there])
            inputs = np.zeros((len(odds), INPUTS), np.float32)
            inputs[there] = company(seen, odds[there], whiteness[there] > 0)
            # All rows at once: another number of them in each picture takes much longer.
            added[there] = WEIGHT * self.scores(inputs)[there, 0]
        return added


def looks(ranks: Floats, impressions: Floats) -> Floats:
    """(n, LOOK): all that is known of each disc by itself."""
    logs = np.maximum(ranks.reshape(len(ranks), -1), FAINTEST) * NATS[0]
    return np.column_stack([logs, impressions]).astype(np.float32)


def company(seen: Floats, odds: Levels, lighter: Mask) -> Floats:
    """(n, INPUTS): what the network is given of the discs (n, LOOK) of one picture.

    `odds` (n,) are those of a king so far, `lighter` (n,) tells the sides.
    """
    man = LEAST + man_chances(odds)
    of_side = lighter[:, None] == lighter[None, :]
    count = of_side @ man
    mean = man @ seen / man.sum()
    share = np.minimum(1.0, count / ALONE)[:, None]
    mine = share * ((of_side * man) @ seen) / count[:, None] + (1.0 - share) * mean
    of_mine, of_all = np.minimum(count, FEW) / FEW, np.full(len(odds), min(man.sum(), MANY) / MANY)
    everybody = np.broadcast_to(mean, seen.shape)
    columns = [seen, mine, everybody, of_mine, of_all, odds * NATS[1]]
    return np.column_stack(columns).astype(np.float32)

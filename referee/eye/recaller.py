"""Has a piece a disc more, or less, than before a hand was at it? It is told by both portraits.

How high a piece looks depends on its set and on the light; whether it looks higher than it did a
moment ago, where it stands or where it came from, in the same light, depends on them less. Run by
OpenCV's `dnn`.
"""

from __future__ import annotations

import numpy as np

from referee.eye.network import Network
from referee.eye.patches import Floats
from referee.eye.ranker import CHANNELS as OF_ONE

CHANNELS = 2 * OF_ONE - 1
"""Of a portrait before, but for its radius, then of one after."""
SAME, MORE, LESS = range(3)
ANSWERS = 3


class Recaller(Network):
    """The network."""

    FILE = "recaller.onnx"
    BATCH = 4
    """Pairs judged at once."""

    def compare(self, before: Floats, after: Floats) -> Floats:
        """(n, 2): how much likelier a disc more, and one less, is than neither, in nats.

        Both (n, 5, HEIGHT, WIDTH) are as `likeness` has them.
        """
        scores = self.scores(pair(before, after))
        return np.asarray(scores[:, [MORE, LESS]] - scores[:, [SAME]], np.float32)


def pair(before: Floats, after: Floats) -> Floats:
    """(n, CHANNELS, HEIGHT, WIDTH): what the network is given."""
    return np.concatenate([before[:, :-1], after], axis=1)

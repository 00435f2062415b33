"""Training of what compares the ground around pieces: from pairs of pictures to `shadows.onnx`."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import track
from torch import nn

from referee.eye.patches import Floats
from referee.eye.portraits import PIXELS_A_RADIUS, Portraits
from referee.eye.ranker import likeness
from referee.eye.recaller import ANSWERS, LESS, MORE, SAME, Recaller
from referee.eye.shadows import CHANNELS, OVERLAP, RINGS, WAYS, pair
from referee.eye.training.grounds import Grounds
from referee.eye.training.likeness import Course, teach
from referee.eye.training.recalling import companions, shares
from referee.eye.training.repeats import set_of

BATCH, RATE, WEIGHT_DECAY = 128, 3e-3, 2e-2
PAIRS = 30
"""Of one place, and of one side of one set, at most."""
TOLD = 0.7
"""Share of the pairs of which it is told, while it learns, what the recaller says: it is to say
what that does not, and to know the ground by itself."""
GRAIN = 0.02
"""Log brightness, one sigma, by which grounds vary while it learns."""
SPARED = 0.3
"""Share of the seen that is withheld then."""
WIDTH = 16
"""Channels of the first convolutions."""


class Around(nn.Module):
    """Four convolutions that are the same in every way, and two layers for all ways together."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            *_convolution(CHANNELS, WIDTH),
            *_convolution(WIDTH, WIDTH),
            nn.MaxPool2d(2),
            *_convolution(WIDTH, 2 * WIDTH),
            *_convolution(2 * WIDTH, 2 * WIDTH),
        )
        self.mean, self.most = nn.AvgPool2d((1, WAYS // 2)), nn.MaxPool2d((1, WAYS // 2))
        self.judge = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(SPARED),
            nn.Linear(2 * 2 * WIDTH * (RINGS // 2), 2 * WIDTH),
            nn.ReLU(),
            nn.Linear(2 * WIDTH, ANSWERS),
        )

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        ways = self.look(seen)
        scores: torch.Tensor = self.judge(torch.cat([self.mean(ways), self.most(ways)], dim=1))
        return scores


def _convolution(inputs: int, outputs: int) -> tuple[nn.Module, ...]:
    """It loses a point at either end of a ring, which the overlap makes good."""
    layer = nn.Conv2d(inputs, outputs, 3, padding=(1, 0), bias=False)
    return layer, nn.BatchNorm2d(outputs), nn.ReLU()


class Pairs:
    """Pairs of looks at one piece, or at two of one side of one set."""

    def __init__(self, grounds: Grounds, seed: int) -> None:
        self.grounds, self.pairs = grounds, _drawn_by_lot(grounds.place, seed)
        kings = grounds.king.astype(int)
        discs = kings[self.pairs[:, 1]] - kings[self.pairs[:, 0]]
        self.answers = np.array([SAME, MORE, LESS])[discs]
        self.recalled = _recalled(grounds, self.pairs)

    def inputs(self, which: NDArray[np.intp], rng: np.random.Generator | None = None) -> Floats:
        """(n, CHANNELS, RINGS, ...), varied by `rng` if one is given: turned about, as lamps may
        stand anywhere, and mirrored."""
        before, after = (self.grounds.ground[self.pairs[which, i]] for i in (0, 1))
        lean = self.grounds.lean[self.pairs[which, 0]]
        if rng is None:
            return pair(before, after, lean)
        before, after = (one + rng.normal(0, GRAIN, one.shape) for one in (before, after))
        seen = pair(before, after, lean)[..., OVERLAP:-OVERLAP]
        seen = seen[..., ::-1] if rng.random() < 0.5 else seen
        turned = np.roll(seen, int(rng.integers(WAYS)), axis=-1)
        return np.concatenate([turned[..., -OVERLAP:], turned, turned[..., :OVERLAP]], axis=-1)


def _drawn_by_lot(place: NDArray[np.int64], seed: int) -> NDArray[np.intp]:
    """(n, 2): pairs of one place, and of one side of one set, as many as there are discs."""
    rng = np.random.default_rng(seed)
    groups = companions(place) + companions(set_of(place))
    lots = [rng.choice(g, 2, replace=False) for g in groups for _ in range(min(len(g), PAIRS))]
    return np.array(lots, np.intp)


def _recalled(grounds: Grounds, pairs: NDArray[np.intp]) -> Floats:
    """(n, ANSWERS): the scores that the shipped recaller gives each pair."""
    scores = np.zeros((len(pairs), ANSWERS), np.float32)
    for first in track(range(0, len(pairs), BATCH), "what the recaller says"):
        part = slice(first, first + BATCH)
        before, after = (
            likeness(
                Portraits(grounds.pixels[which], grounds.lean[which], grounds.radius[which]),
                grounds.light[which],
            )
            for which in pairs[part].T
        )
        scores[part, [MORE, LESS]] = Recaller.shipped().compare(before, after)
    return scores


def fit(grounds: Grounds, epochs: int, seed: int) -> Around:
    """Train a network from nothing."""
    torch.manual_seed(seed)
    network, pairs = Around(), Pairs(grounds, seed)

    def loss(which: NDArray[np.intp], rng: np.random.Generator) -> torch.Tensor:
        told = pairs.recalled[which] * (rng.random((len(which), 1)) < TOLD)
        scores = network(torch.from_numpy(pairs.inputs(which, rng)))
        known = scores + torch.from_numpy(told.astype(np.float32))
        return nn.functional.cross_entropy(known, torch.from_numpy(pairs.answers[which]))

    return teach(
        network,
        Course("pairs of grounds", epochs, RATE, BATCH, seed, WEIGHT_DECAY),
        np.arange(len(pairs.pairs)),
        loss,
    )


def judge(network: Around, grounds: Grounds) -> dict[str, float]:
    """Shares of changes that are found, and of unchanged pieces told to have changed, by a wall's
    pixels in a portrait: by the recaller, and by both."""
    pairs, judged = Pairs(grounds, 0), dict[str, float]()
    scores = _scores(network, pairs)
    wall = grounds.thickness * grounds.lean / grounds.radius * PIXELS_A_RADIUS
    of_pair = wall[pairs.pairs[:, 0]]
    for name, said in (("recaller", pairs.recalled), ("both", pairs.recalled + scores)):
        judged |= shares(name, of_pair, said, pairs.answers)
    return judged


def _scores(network: Around, pairs: Pairs) -> Floats:
    """(n, ANSWERS): what the network adds to what the recaller says."""
    parts = np.array_split(np.arange(len(pairs.pairs)), 1 + len(pairs.pairs) // BATCH)
    with torch.no_grad():
        seen = [network(torch.from_numpy(pairs.inputs(part))).numpy() for part in parts]
    return np.concatenate(seen)

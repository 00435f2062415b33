"""Training of the comparer: from discs among others to `comparer.onnx`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from calibration.arrays import Levels
from referee.eye.comparer import INPUTS, WEIGHT, company, looks
from referee.eye.patches import Floats
from referee.eye.stacks import king_odds, unknown_odds
from referee.eye.training.companies import Companies

EPOCHS, BATCH, RATE = 4, 256, 2e-3
WIDTH, SPARED, BLUR = 96, 0.3, 0.15
"""Of the layers; the share of their numbers, and of half as many inputs, that is withheld at
random; and the noise on the inputs, in spreads."""
ROUNDS = 5
"""How often every picture is seen in an epoch's worth of companies, each time with other discs."""
FEWEST_KINGS, MOST_KINGS = 0.02, 0.5
"""Share of kings in a picture; games have few."""
ENDGAMES, FEW = 0.2, (2, 8)
"""Share of the pictures of which but a few discs are left, whatever they are, and how many."""
UNKNOWN, SAME, OTHER = range(3)
"""Nothing is known of the set; or it is, from the same light; or from another."""


@dataclass(frozen=True)
class Compared:
    """n discs as the comparer is given them."""

    inputs: Floats
    """(n, INPUTS)"""
    odds: Floats
    """(n,): nats for a king that are to be corrected."""
    king: Floats
    """(n,): 0 or 1."""
    wall_px: Floats


class Correcting(nn.Module):
    """Three layers behind the scales of the inputs."""

    def __init__(self, inputs: Floats) -> None:
        super().__init__()
        self.middle = nn.Parameter(torch.from_numpy(inputs.mean(axis=0)), requires_grad=False)
        spread = torch.from_numpy(inputs.std(axis=0) + 1e-3)
        self.per_spread = nn.Parameter(1.0 / spread, requires_grad=False)
        self.layers = nn.Sequential(
            nn.Dropout(SPARED / 2),
            nn.Linear(INPUTS, WIDTH),
            nn.ReLU(),
            nn.Dropout(SPARED),
            nn.Linear(WIDTH, WIDTH),
            nn.ReLU(),
            nn.Dropout(SPARED),
            nn.Linear(WIDTH, 1),
        )

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        scaled = (inputs - self.middle) * self.per_spread
        if self.training:
            scaled = scaled + BLUR * torch.randn_like(scaled)
        nats: torch.Tensor = self.layers(scaled)
        return nats


def fit(companies: Companies, seed: int) -> Correcting:
    """Train from nothing."""
    torch.manual_seed(seed)
    learnt = examples_of(companies, seed, ROUNDS)
    network = Correcting(learnt.inputs)
    inputs, odds, king = map(torch.from_numpy, (learnt.inputs, learnt.odds, learnt.king))
    share = float(learnt.king.mean())
    usual = float(np.log(share / (1.0 - share)))
    steps = EPOCHS * (len(king) // BATCH)
    descent = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-2)
    pace = torch.optim.lr_scheduler.OneCycleLR(descent, RATE, total_steps=steps + 1)
    network.train()
    for _ in range(EPOCHS):
        order = torch.randperm(len(king))[: len(king) // BATCH * BATCH]
        for which in order.reshape(-1, BATCH):
            nats = network(inputs[which])[:, 0] + odds[which] + usual
            doubt = nn.functional.binary_cross_entropy_with_logits(nats, king[which])
            descent.zero_grad()
            doubt.backward()
            descent.step()
            pace.step()
    return network.eval()


def examples_of(companies: Companies, seed: int, rounds: int) -> Compared:
    """Pictures with some of their discs, in turn of sets that are known and of others."""
    rng = np.random.default_rng(seed)
    everything = looks(companies.ranks, companies.impressions)
    starts = np.flatnonzero(np.diff(companies.picture, prepend=-1))
    pictures = np.split(np.arange(len(companies.picture)), starts[1:])
    parts = [
        part
        for _ in range(rounds)
        for picture in pictures
        if (part := _part(companies, everything, picture, _known(rng), rng)) is not None
    ]
    inputs, odds, which = (np.concatenate(column) for column in zip(*parts, strict=True))
    king, wall = companies.king[which], companies.wall_px[which]
    return Compared(inputs, odds.astype(np.float32), king.astype(np.float32), wall)


def _known(rng: np.random.Generator) -> int:
    """What is known of the set of a picture."""
    return int(rng.integers(UNKNOWN, OTHER + 1))


def _part(
    companies: Companies,
    everything: Floats,
    picture: NDArray[np.intp],
    known: int,
    rng: np.random.Generator,
) -> tuple[Floats, Levels, NDArray[np.intp]] | None:
    """Inputs, odds and numbers of some discs of a picture; None of too few."""
    which = picture[_kept(companies.king[picture], rng)]
    if len(which) < FEW[0]:
        return None
    odds = _odds(companies, which, known)
    return company(everything[which], odds, companies.white[which]), odds, which


def _kept(king: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.intp]:
    """Which discs of a picture are left when enough kings have gone, or all but a few discs."""
    if rng.random() < ENDGAMES:
        return rng.permutation(len(king))[: rng.integers(*FEW)]
    share = rng.uniform(FEWEST_KINGS, MOST_KINGS)
    kings = rng.binomial(int((~king).sum()) + 1, share) / (1.0 - share)
    chosen = rng.permutation(np.flatnonzero(king))[: int(kings)]
    return np.sort(np.concatenate([np.flatnonzero(~king), chosen]))


def _odds(companies: Companies, which: NDArray[np.intp], known: int) -> Levels:
    """For a king, as the eye has them where nothing is known of the set, or its thickness is."""
    ranks = companies.ranks[which]
    if known != UNKNOWN:
        return king_odds(ranks, companies.told[which, known - SAME])
    return unknown_odds(ranks, np.ones(len(which)))


def judge(network: Correcting, companies: Companies) -> dict[str, float]:
    """Shares of men and kings mistaken before and after, by a wall's pixels in the picture."""
    seen = examples_of(companies, 0, 1)
    with torch.no_grad():
        added = network(torch.from_numpy(seen.inputs)).numpy()[:, 0]
    after = seen.odds + WEIGHT * added
    errors = {"discs": float(len(after))}
    for name, odds in (("before", seen.odds), ("after", after)):
        wrong = (odds > 0) != (seen.king > 0.5)
        errors[name] = float(wrong.mean())
        for low, high in ((0, 2), (2, 4), (4, 999)):
            here = (seen.wall_px >= low) & (seen.wall_px < high)
            errors[f"{name}, wall {low}-{high} px"] = float(wrong[here].mean())
    return errors

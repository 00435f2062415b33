"""Training of the ranker: from portraits of drawn discs to `ranker.onnx`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from referee.eye.light import logarithm
from referee.eye.patches import Floats
from referee.eye.portraits import ABOVE, BELOW, HEIGHT, PIXELS_A_RADIUS, WIDTH
from referee.eye.ranker import BRIGHTEST, CHANNELS, FAINTEST, OUTPUTS, normalised
from referee.eye.reader import LEVELS, PLACES
from referee.eye.stacks import king_odds, levels_of
from referee.eye.training.examples import BORDER, Discs
from referee.eye.training.likeness import Course, Network, grain, teach

BATCH = 128
RATE, SECOND_RATE, FURTHER_RATE = 2e-3, 1e-3, 5e-4
SHIFT, SCALE, TURN = 0.09, 0.06, 0.04
"""Radii (one sigma), share and radians (at most) by which a portrait may miss its disc."""
COARSE, COARSENESS = 0.3, (0.3, 0.9)
"""Share of the batches seen as in a picture of few pixels, and how few for each of a portrait."""
TONE_SIGMA = 0.08
"""Log colour by which the light on a disc may be misjudged."""
RANK_WEIGHT = 1.0
"""Of man or king when the thickness is known, against both unknown."""
MISS_WEIGHT = 6.0
"""Radii of error in the place of the foot against nats of doubt about the disc."""
FOOT = np.array([0.0, (ABOVE - BELOW) / 2]) * PIXELS_A_RADIUS
"""Pixels (right, down) from the middle of a portrait to the disc's foot."""


class Telling(nn.Module):
    """A trained network that also tells from what it has made its scores, see `Ranker`."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.look, self.mind, self.say = network.look, network.judge[:-1], network.judge[-1]

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        mind = self.mind(self.look(seen))
        return torch.cat([self.say(mind), mind], dim=1)


def fit(discs: Discs, epochs: int, seed: int, file: bytes | None = None) -> Network:
    """Train a network from nothing, in long steps first, then in shorter ones; or one that a file
    of it knows further, in short ones."""
    torch.manual_seed(seed)
    network = Network(CHANNELS, HEIGHT, WIDTH, OUTPUTS, spared=0.3)
    network = network.to(memory_format=torch.channels_last)
    courses = [
        Course("discs", epochs, RATE, BATCH, seed),
        Course("discs again", epochs // 2, SECOND_RATE, BATCH, seed + 1),
    ]
    if file is not None:
        network, courses = (
            network.taught(file),
            [Course("discs", epochs, FURTHER_RATE, BATCH, seed)],
        )
    everything = np.arange(len(discs.king))
    for course in courses:
        teach(network, course, everything, lambda which, rng: _loss(network, discs, which, rng))
    return network


def _loss(
    network: Network, discs: Discs, which: NDArray[np.intp], rng: np.random.Generator
) -> torch.Tensor:
    seen, misses = inputs(discs, which, rng)
    scores = network(seen)
    low, share = _levels(discs.thickness[which])
    king = torch.from_numpy(discs.king[which])
    rows = torch.arange(len(which))
    logs = torch.log_softmax(scores[:, :PLACES], dim=1).reshape(-1, 2, LEVELS)
    there = logs[rows, king.long()]
    both = (1 - share) * there[rows, low] + share * there[rows, low + 1]
    odds = logs[:, 1] - logs[:, 0]
    known = (1 - share) * odds[rows, low] + share * odds[rows, low + 1]
    rank = nn.functional.binary_cross_entropy_with_logits(known, king.float())
    miss = (scores[:, PLACES:] - misses).abs().sum(dim=1).mean()
    return rank * RANK_WEIGHT + miss * MISS_WEIGHT - both.mean()


def _levels(thickness: Floats) -> tuple[torch.Tensor, torch.Tensor]:
    """See `stacks.levels_of`."""
    low, on = levels_of(thickness)
    return torch.from_numpy(low), torch.from_numpy(on.astype(np.float32))


def inputs(
    discs: Discs, which: NDArray[np.intp], rng: np.random.Generator | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """(n, CHANNELS, HEIGHT, WIDTH) of some discs, varied by `rng` if one is given, and by how
    many radii (right, up) each then misses its disc, (n, 2)."""
    pixels = torch.from_numpy(discs.pixels[which]).permute(0, 3, 1, 2).float()
    light, lean = discs.light[which], discs.lean[which]
    radius, misses = discs.radius[which], np.zeros((len(which), 2), np.float32)
    seen = pixels[:, :, BORDER:-BORDER, BORDER:-BORDER]
    if rng is not None:
        scale = 1 + rng.uniform(-SCALE, SCALE, len(which)).astype(np.float32)
        (seen, misses), radius = _nudged(pixels, scale, rng), radius * scale
        seen = coarse(seen, rng.uniform(*COARSENESS)) if rng.random() < COARSE else seen
    log = logarithm(np.ascontiguousarray(seen.permute(0, 2, 3, 1).numpy()))
    if rng is not None:
        light = light + rng.normal(0, TONE_SIGMA, (len(which), 1)).astype(np.float32)
        light = light + rng.normal(0, TONE_SIGMA / 3, (len(which), 3)).astype(np.float32)
        log = log + grain(log.shape, rng)
        colours = rng.permutation(3)
        log, light = log[..., colours], light[:, colours]
    out = np.empty((len(which), HEIGHT, WIDTH, CHANNELS), np.float32)
    out[..., :3] = np.clip(log - light[:, None, None, :], FAINTEST, BRIGHTEST)
    out[..., 3], out[..., 4] = lean[:, None, None], radius[:, None, None]
    return torch.from_numpy(out).permute(0, 3, 1, 2), torch.from_numpy(misses)


def _nudged(
    pixels: torch.Tensor, scale: Floats, rng: np.random.Generator
) -> tuple[torch.Tensor, Floats]:
    """Portraits cut from larger ones, each a little aside, turned, larger, and half of them
    mirrored; and by how many radii (right, up) each misses its disc."""
    to = nudges(scale, SHIFT, rng)
    feet = np.linalg.solve(to[:, :, :2], (FOOT - to[:, :, 2])[:, :, None])[:, :, 0] - FOOT
    return cut(pixels, to), (feet * [1, -1] / PIXELS_A_RADIUS).astype(np.float32)


def nudges(scale: Floats, shift: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Maps (n, 2, 3) from a portrait's pixels to those of a larger one, both counted from the
    middle: `scale` (n,) as large, turned, half of them mirrored, and so many radii aside."""
    count = len(scale)
    turn = rng.uniform(-TURN, TURN, count)
    mirror = rng.choice([-1.0, 1.0], count)
    to = np.zeros((count, 2, 3))
    to[:, 0, 0], to[:, 0, 1] = mirror * scale * np.cos(turn), np.sin(turn)
    to[:, 1, 0], to[:, 1, 1] = -mirror * np.sin(turn), scale * np.cos(turn)
    to[:, :, 2] = aside(count, shift, rng)
    return to


def aside(count: int, shift: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """(count, 2): pixels by which portraits are cut so many radii, one sigma, aside."""
    return np.clip(rng.normal(0, shift, (count, 2)), -3 * shift, 3 * shift) * PIXELS_A_RADIUS


def cut(pixels: torch.Tensor, to: NDArray[np.float64]) -> torch.Tensor:
    """Portraits (n, channels, HEIGHT, WIDTH) from larger ones, by the maps of `nudges`."""
    count, channels, high, wide = pixels.shape
    grid = nn.functional.affine_grid(
        torch.from_numpy(_in_halves(to, (wide, high))), [count, channels, HEIGHT, WIDTH], False
    )
    return nn.functional.grid_sample(
        pixels, grid, mode="bilinear", padding_mode="border", align_corners=False
    )


def _in_halves(to: NDArray[np.float64], size: tuple[int, int]) -> Floats:
    """Maps (n, 2, 3) from a portrait's pixels to those of a larger one of this size, both counted
    from the middle, as maps between shares of half the sizes."""
    larger = np.array(size, float)[None, :, None]
    return np.asarray(to * [WIDTH, HEIGHT, 2] / larger, np.float32)


def coarse(seen: torch.Tensor, fineness: float) -> torch.Tensor:
    size = (round(HEIGHT * fineness), round(WIDTH * fineness))
    few = nn.functional.interpolate(seen, size=size, mode="area")
    return nn.functional.interpolate(few, size=(HEIGHT, WIDTH), mode="bilinear")


def scores(network: Network, discs: Discs) -> Iterator[Floats]:
    """The network's log-probabilities (n, 2, LEVELS), in pieces."""
    everything = np.arange(len(discs.king))
    with torch.no_grad():
        for first in range(0, len(everything), 512):
            seen, _ = inputs(discs, everything[first : first + 512])
            yield normalised(network(seen).numpy()[:, :PLACES])


def judge(network: Network, discs: Discs) -> dict[str, float]:
    """Shares of men and kings mistaken, the thickness known, by a wall's pixels in a portrait."""
    odds = king_odds(np.concatenate(list(scores(network, discs))), discs.thickness)
    wrong = (odds > 0) != discs.king
    wall = discs.thickness * discs.lean / discs.radius * PIXELS_A_RADIUS
    errors = {"discs": float(len(wrong)), "mistaken": float(wrong.mean())}
    for low, high in ((0, 2), (2, 4), (4, 6), (6, 10), (10, 99)):
        here = (wall >= low) & (wall < high)
        errors[f"wall {low}-{high} px"] = float(wrong[here].mean()) if here.any() else float("nan")
    return errors

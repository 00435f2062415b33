"""Training of the recaller: from pairs of portraits of one piece to `recaller.onnx`."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from referee.eye.light import logarithm
from referee.eye.patches import Floats
from referee.eye.portraits import HEIGHT, PIXELS_A_RADIUS, WIDTH
from referee.eye.ranker import BRIGHTEST, FAINTEST
from referee.eye.recaller import ANSWERS, CHANNELS, LESS, MORE, SAME
from referee.eye.training.discs import (
    COARSE,
    COARSENESS,
    SCALE,
    TONE_SIGMA,
    aside,
    coarse,
    cut,
    nudges,
)
from referee.eye.training.examples import BORDER
from referee.eye.training.likeness import Course, Network, grain, teach
from referee.eye.training.repeats import Repeats, set_of

BATCH, RATE, FURTHER_RATE = 128, 2e-3, 5e-4
SHIFT = 0.07
"""Radii, one sigma, by which each portrait may miss its disc, and both together as well."""
MOVED = 0.4
"""Share of the pieces that are met again on another square."""
TELLING = 3.0
"""Nats from which a change counts as told when the network is judged."""
WALLS = (0, 2), (2, 4), (4, 6), (6, 10), (10, 99)
"""Pixels of a portrait by which pieces are parted then."""


def fit(repeats: Repeats, epochs: int, seed: int, file: bytes | None = None) -> Network:
    """Train a network from nothing, or one that a file of it knows further, in shorter steps."""
    torch.manual_seed(seed)
    network = Network(CHANNELS, HEIGHT, WIDTH, ANSWERS, spared=0.3)
    network = network if file is None else network.taught(file)
    network = network.to(memory_format=torch.channels_last)
    there, elsewhere = alike(repeats.place), alike(set_of(repeats.place))

    def loss(which: NDArray[np.intp], rng: np.random.Generator) -> torch.Tensor:
        moved = rng.random(len(which)) < MOVED
        after = np.array(
            [
                _another(elsewhere[i] if far or i not in there else there[i], i, rng)
                for i, far in zip(which.tolist(), moved, strict=True)
            ]
        )
        seen = inputs(repeats, which, after, rng)
        return nn.functional.cross_entropy(network(seen), answers(repeats, which, after))

    met_again = np.array(sorted(elsewhere))
    rate = RATE if file is None else FURTHER_RATE
    return teach(network, Course("pairs", epochs, rate, BATCH, seed), met_again, loss)


def alike(groups: NDArray[np.int64]) -> dict[int, NDArray[np.intp]]:
    """All discs of its group for each disc that is not alone in it."""
    return {int(i): of_one for of_one in companions(groups) for i in of_one}


def companions(groups: NDArray[np.int64]) -> list[NDArray[np.intp]]:
    """The discs of each group, by the numbers (n,) of all discs' groups, but for those alone."""
    order = np.argsort(groups, kind="stable")
    parted = np.split(order, np.flatnonzero(np.diff(groups[order])) + 1)
    return [of_one for of_one in parted if len(of_one) > 1]


def _another(of_one: NDArray[np.intp], than: int, rng: np.random.Generator) -> int:
    number = int(rng.integers(len(of_one) - 1))
    return int(of_one[number] if of_one[number] != than else of_one[-1])


def answers(repeats: Repeats, before: NDArray[np.intp], after: NDArray[np.intp]) -> torch.Tensor:
    """(n,): which answer is true of each pair."""
    discs = repeats.king[after].astype(int) - repeats.king[before].astype(int)
    return torch.from_numpy(np.array([SAME, MORE, LESS])[discs])


def inputs(
    repeats: Repeats,
    before: NDArray[np.intp],
    after: NDArray[np.intp],
    rng: np.random.Generator | None = None,
) -> torch.Tensor:
    """(n, CHANNELS, HEIGHT, WIDTH) of some pairs, varied by `rng` if one is given."""
    both = before, after
    whole = [_whole(repeats, which) for which in both]
    lights, radius = [repeats.light[which] for which in both], repeats.radius[before]
    if rng is None:
        seen = [one[:, :, BORDER:-BORDER, BORDER:-BORDER] for one in whole]
    else:
        scale = 1 + rng.uniform(-SCALE, SCALE, len(before)).astype(np.float32)
        seen, radius = _nudged(whole, scale, rng), radius * scale
        tone = rng.normal(0, TONE_SIGMA, (len(before), 1)).astype(np.float32)
        lights = [light + tone + _tint(len(before), rng) for light in lights]
    out = np.empty((len(before), HEIGHT, WIDTH, CHANNELS), np.float32)
    for number, (which, one, light) in enumerate(zip(both, seen, lights, strict=True)):
        first = 4 * number
        out[..., first : first + 3] = _tones(one, light, rng)
        out[..., first + 3] = repeats.lean[which][:, None, None]
    out[..., -1] = radius[:, None, None]
    if rng is not None:
        colours = rng.permutation(3)
        out = out.take([*colours, 3, *(4 + colours), 7, 8], axis=-1)
    return torch.from_numpy(out).permute(0, 3, 1, 2)


def _nudged(
    whole: list[torch.Tensor], scale: Floats, rng: np.random.Generator
) -> list[torch.Tensor]:
    """Both portraits of each pair cut out alike, but for a little, and some coarse."""
    to = nudges(scale, SHIFT, rng)
    seen = [cut(one, _further(to, rng)) for one in whole]
    return [coarse(one, rng.uniform(*COARSENESS)) if rng.random() < COARSE else one for one in seen]


def _tones(seen: torch.Tensor, light: Floats, rng: np.random.Generator | None) -> Floats:
    """(n, HEIGHT, WIDTH, 3): the colours of portraits beside the light."""
    log = logarithm(np.ascontiguousarray(seen.permute(0, 2, 3, 1).numpy()))
    log = log if rng is None else log + grain(log.shape, rng)
    return np.clip(log - light[:, None, None, :], FAINTEST, BRIGHTEST)


def _whole(repeats: Repeats, which: NDArray[np.intp]) -> torch.Tensor:
    return torch.from_numpy(repeats.pixels[which]).permute(0, 3, 1, 2).float()


def _further(to: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """The same nudges, each a little more aside."""
    more = to.copy()
    more[:, :, 2] += aside(len(to), SHIFT, rng)
    return more


def _tint(count: int, rng: np.random.Generator) -> Floats:
    return rng.normal(0, TONE_SIGMA / 3, (count, 3)).astype(np.float32)


def judge(network: Network, repeats: Repeats) -> dict[str, float]:
    """Shares of changes that are found, and of unchanged pieces told to have changed, where they
    stand and elsewhere, by a wall's pixels in a portrait."""
    rng, judged = np.random.default_rng(0), dict[str, float]()
    for where, groups in (("there", repeats.place), ("elsewhere", set_of(repeats.place))):
        others = alike(groups)
        before = np.array(sorted(others))
        after = np.array([_another(others[i], i, rng) for i in before.tolist()])
        truth = answers(repeats, before, after).numpy()
        wall = (repeats.thickness * repeats.lean / repeats.radius * PIXELS_A_RADIUS)[before]
        judged |= shares(where, wall, _scores(network, repeats, before, after), truth)
    return judged


def shares(name: str, wall: Floats, scores: Floats, truth: NDArray[np.int64]) -> dict[str, float]:
    """Of pairs with walls (n,) of so many pixels, by their scores (n, ANSWERS): the shares of
    changes that are found, and of unchanged pieces told to have changed."""
    plain = scores.max(axis=1) - scores[:, SAME] > TELLING
    told, judged = np.where(plain, scores.argmax(axis=1), SAME), dict[str, float]()
    for low, high in WALLS:
        here = (wall >= low) & (wall < high)
        same, changed = here & (truth == SAME), here & (truth != SAME)
        judged[f"{name}, wall {low}-{high} px, found"] = _share(told[changed] == truth[changed])
        judged[f"{name}, wall {low}-{high} px, false"] = _share(told[same] != SAME)
    return judged


def _share(of: NDArray[np.bool_]) -> float:
    return float(of.mean()) if of.size else float("nan")


def _scores(
    network: Network, repeats: Repeats, before: NDArray[np.intp], after: NDArray[np.intp]
) -> Floats:
    """(n, ANSWERS): what the network says of each pair."""
    with torch.no_grad():
        return np.concatenate(
            [
                network(inputs(repeats, before[i : i + 512], after[i : i + 512])).numpy()
                for i in range(0, len(before), 512)
            ]
        )

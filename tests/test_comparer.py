"""Discs beside others of the same picture, and the examples that the comparer learns from."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from referee.board import is_king
from referee.eye.comparer import INPUTS, LOOK, Comparer, company, looks
from referee.eye.glance import CloseLook, look_closely
from referee.eye.light import DARK_CELLS
from referee.eye.reader import IMPRESSION, LEVELS, Cells
from referee.eye.stacks import king_odds
from referee.eye.training import companies
from sample_images.draw import drawn, exposed
from sample_images.scene import laid_out
from sample_images.sensor import photograph
from sample_images.variety import random_scene

SETUP = "rrRrrrrr" + "rR" + "." * 12 + "ww" + "wwwwwWww"
PIECES = [cell for cell, sign in zip(DARK_CELLS, SETUP, strict=True) if sign != "."]
KINGS = np.array([is_king(sign) for sign in SETUP if sign != "."])
ROUND = 0.3
"""Of a disc's height on each edge: such discs look a third thinner than they are."""


@cache
def _look() -> CloseLook:
    """At thick discs with round edges, from 35 to 45 degrees."""
    for seed in range(100):
        scene = random_scene(seed, "official", "start", "daylight")
        if 35 < scene.view.tilt_degrees() < 45:
            measures = (scene.discs[0].radius, 0.17)
            discs = laid_out(SETUP, measures, np.random.default_rng(2))
            look = replace(scene.look, edge=ROUND)
            scene = replace(scene, look=look, discs=discs, hands=())
            light = drawn(scene)
            rng = np.random.default_rng(2)
            return look_closely(photograph(light, scene.sensor, exposed(light), rng), scene.view)
    raise AssertionError("no such scene")


def _some(count: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    return rng.normal(0, 1, (count, LOOK)).astype(np.float32), np.arange(count) % 2 == 0


def _corrections(cells: Cells, thickness: float) -> np.ndarray:
    odds = king_odds(cells.ranks, thickness)
    side = np.array([-1.0 if cell < 32 else 1.0 for cell in range(64)])
    presence = np.isin(np.arange(64), PIECES).astype(float)
    return Comparer.shipped().corrections(cells, odds, side, presence)


def test_kings_of_a_set_told_to_be_thicker_than_it_is_are_told_by_the_men_beside_them() -> None:
    cells, thickness = _look().cells, 0.24
    odds = king_odds(cells.ranks, thickness)
    before, after = (
        ((nats[PIECES] > 0) != KINGS).sum()
        for nats in (odds, odds + _corrections(cells, thickness))
    )
    assert after < before


def test_what_nobody_has_looked_at_from_closer_by_is_not_corrected() -> None:
    cells = _look().cells
    bare = [cell for cell in range(64) if cell not in PIECES]
    added = _corrections(cells, 0.15)
    assert (added[bare] == 0).all()
    assert (added[PIECES] != 0).all()
    blank = replace(cells, impressions=np.zeros_like(cells.impressions))
    assert (_corrections(blank, 0.15) == 0).all()


def test_the_order_of_the_discs_is_no_matter() -> None:
    seen, lighter = _some(12)
    odds, order = np.linspace(-3, 3, 12), np.random.default_rng(3).permutation(12)
    there = company(seen, odds, lighter)[order]
    assert np.allclose(there, company(seen[order], odds[order], lighter[order]), atol=1e-5)


def test_the_mean_man_of_a_side_is_made_of_its_men() -> None:
    seen, lighter = _some(12)
    odds = np.full(12, -20.0)
    odds[[0, 1]] = 20.0  # a king of each side
    inputs = company(seen, odds, lighter)
    assert inputs.shape == (12, INPUTS)
    men = [number for number in range(2, 12) if lighter[number]]
    assert np.allclose(inputs[0, LOOK : 2 * LOOK], seen[men].mean(axis=0), atol=0.01)


def test_a_man_alone_is_compared_with_those_of_the_other_side_as_well() -> None:
    seen, _ = _some(5)
    alone = np.array([True, False, False, False, False])
    mine = company(seen, np.full(5, -20.0), alone)[0, LOOK : 2 * LOOK]
    assert np.allclose(mine, seen[0] / 3 + 2 / 3 * seen.mean(axis=0), atol=0.01)


def test_a_look_is_what_the_ranker_says_and_what_it_has_in_mind() -> None:
    ranks = np.full((2, 2, LEVELS), -30.0, np.float32)
    seen = looks(ranks, np.ones((2, IMPRESSION), np.float32))
    assert seen.shape == (2, LOOK)
    assert seen[:, : 2 * LEVELS].min() == -3.0, "what is unlikely is no more so than that"


def test_companies_agree_with_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(companies, "SETS", 1)
    (seen,) = companies.companies_of(3)
    assert len(set(seen.picture.tolist())) == 2, "one in each light"
    assert 0.2 < seen.king.mean() < 0.7
    for picture in set(seen.picture.tolist()):
        here = seen.picture == picture
        assert len(np.unique(seen.told[here], axis=0)) == 2, "each side looks thick in its own way"
    assert (seen.wall_px > 0).all()
    assert (seen.impressions[:, -1] > 0).all()

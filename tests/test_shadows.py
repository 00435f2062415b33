"""What the ground around a piece tells of the discs on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.eye.light import corners_of, measure_light
from referee.eye.patches import Floats, PatchMap, lean_in_plane
from referee.eye.portraits import Portraitist
from referee.eye.shadows import BORDER, FURTHEST, NEAREST, RINGS, WAYS, Shadows, ground_of
from referee.eye.training import grounds, repeats
from sample_images.draw import still
from sample_images.scene import Disc, Scene
from sample_images.variety import random_scene

CELL = 8 * 2 + 5
"""On which the man stands who is looked at."""


def from_above(seed: int, light: str) -> Scene:
    scene = replace(random_scene(seed, contents="start", light=light), hands=())
    assert np.median(np.linalg.norm(lean_in_plane(scene.view), axis=1)) < 0.3
    return scene


def with_a_crown(scene: Scene) -> Scene:
    man = man_of(scene)
    crown = replace(man, z=man.top, x=man.x + 0.02, seed=man.seed + 1)
    return replace(scene, discs=(*scene.discs, crown))


def man_of(scene: Scene) -> Disc:
    return next(disc for disc in scene.discs if 8 * int(disc.y) + int(disc.x) == CELL)


def ground(scene: Scene) -> Floats:
    """(1, RINGS, WAYS) around the man as the eye sees it."""
    image, chart, man = still(scene), PatchMap.of(scene.view), man_of(scene)
    light = measure_light(corners_of(chart.cut(chart.reduced(image)))).light[[CELL]]
    feet, radii = np.array([[man.x, man.y]]), np.array([man.radius], np.float32)
    drawn = Portraitist.of(scene.view).draw(image, np.array([CELL]), feet, radii, BORDER)
    return ground_of(drawn, light)


def said(before: Floats, after: Floats, lean: float = 0.2) -> Floats:
    """(2,): nats for a disc more, and for one less."""
    leans = np.array([lean], np.float32)
    return np.asarray(Shadows.shipped().compare(before, after, leans)[0])


@pytest.mark.parametrize("seed", [6, 9, 21])
def test_a_disc_that_has_come_or_gone_is_told_by_its_shadow(seed: int) -> None:
    scene = from_above(seed, "hard")
    man, king = ground(scene), ground(with_a_crown(scene))
    assert said(man, king)[0] > 2 > -2 > said(man, man)[0]
    assert said(king, man)[1] > 2 > -2 > said(king, king)[1]


def test_it_is_no_matter_where_the_lamp_stands() -> None:
    rng = np.random.default_rng(1)
    before, after = rng.normal(-0.5, 0.2, (2, 1, RINGS, WAYS)).astype(np.float32)
    turned = said(np.roll(before, 14, axis=-1), np.roll(after, 14, axis=-1), lean=0)
    assert turned == pytest.approx(said(before, after, lean=0), abs=1e-3)


def test_it_is_no_matter_that_all_the_ground_has_become_brighter() -> None:
    rng = np.random.default_rng(2)
    before, after = rng.normal(-0.5, 0.2, (2, 1, RINGS, WAYS)).astype(np.float32)
    assert said(before, after + 0.2) == pytest.approx(said(before, after), abs=1e-3)


def test_the_rings_lie_around_the_disc() -> None:
    scene = from_above(6, "hard")
    seen = ground(scene)[0]
    assert seen.shape == (RINGS, WAYS)
    edge = int((1 - NEAREST) / (FURTHEST - NEAREST) * (RINGS - 1))
    within, outside = seen[:edge].mean(axis=0), seen[edge + 2]
    assert (np.abs(within - outside) > 0.2).mean() > 0.6, "but for its shadow"


def test_grounds_are_seen_again_on_boards_that_are_learnt_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(repeats, "PICTURES", 2)
    monkeypatch.setattr(repeats, "SETS", 1)
    (number, *_) = grounds.chosen(10)
    (seen,) = grounds.grounds_of(number)
    assert seen.ground.shape == (len(seen.king), RINGS, WAYS)
    assert len(np.unique(seen.place)) < len(seen.place)

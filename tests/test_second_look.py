"""Discs looked at once more, and the examples that the networks learn from."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.arrays import Image
from referee.eye.features import features
from referee.eye.glance import look_closely
from referee.eye.light import DARK_CELLS, corners_of, measure_light
from referee.eye.patches import PatchMap, in_patch, in_plane
from referee.eye.portraits import HEIGHT, WIDTH, Portraitist
from referee.eye.reader import HIDDEN, KING, MAN, Reader
from referee.eye.second_look import look_again
from referee.eye.stacks import king_odds, thickness_of
from referee.eye.training import examples
from sample_images.draw import drawn, exposed
from sample_images.scene import Disc, Scene, laid_out
from sample_images.sensor import photograph
from sample_images.variety import random_scene

KINGS = "r" * 6 + "R" * 6 + "." * 8 + "W" * 6 + "w" * 6
PIECES = [cell for cell, sign in zip(DARK_CELLS, KINGS, strict=True) if sign != "."]


@cache
def _scene() -> Scene:
    """An official set of sharp edges, half of it kings, seen from 35 to 45 degrees."""
    for seed in range(100):
        scene = random_scene(seed, "official", "start", "daylight")
        if 35 < scene.view.tilt_degrees() < 45:
            measures = (scene.discs[0].radius, scene.discs[0].thickness)
            discs = laid_out(KINGS, measures, np.random.default_rng(1))
            look = replace(scene.look, edge=0.0)
            return replace(scene, look=look, discs=discs, hands=())
    raise AssertionError("no such scene")


@cache
def _image() -> Image:
    light = drawn(_scene())
    return photograph(light, _scene().sensor, exposed(light), np.random.default_rng(1))


def test_the_second_look_changes_nothing_but_the_ranks_and_places_of_discs() -> None:
    view = _scene().view
    patches = PatchMap.of(view).cut(PatchMap.of(view).reduced(_image()))
    light = measure_light(corners_of(patches))
    first = Reader.shipped().read(features(patches, light))
    second = look_again(_image(), Portraitist.of(view), patches, first, light)
    bare = [cell for cell in range(64) if cell not in PIECES]
    assert np.array_equal(first.ranks[bare], second.ranks[bare])
    assert not np.isclose(first.ranks[PIECES], second.ranks[PIECES]).any(axis=(1, 2)).all()
    presence = [
        np.logaddexp(cells.kinds[:, MAN], cells.kinds[:, KING]) for cells in (first, second)
    ]
    assert np.allclose(*presence, atol=1e-4)
    assert np.array_equal(first.kinds[:, HIDDEN], second.kinds[:, HIDDEN])
    assert np.array_equal(first.centres[bare], second.centres[bare])
    due = np.array([(disc.x, disc.y) for disc in sorted(_scene().discs, key=_cell) if disc.z == 0])
    missed = [
        np.linalg.norm(in_plane(patches.points[PIECES], cells.centres[PIECES]) - due, axis=1).mean()
        for cells in (first, second)
    ]
    assert missed[1] < missed[0]


def _cell(disc: Disc) -> int:
    return 8 * int(disc.y) + int(disc.x)


def test_places_in_a_patch_and_in_the_plane_are_the_same() -> None:
    points = PatchMap.of(_scene().view).points
    steps = np.random.default_rng(1).uniform(-0.5, 0.5, (64, 2))
    assert np.allclose(in_patch(points, in_plane(points, steps)), steps, atol=1e-4)


def test_kings_are_told_from_men_once_these_tell_how_thick_discs_look() -> None:
    ranks = look_closely(_image(), _scene().view).cells.ranks
    men = KINGS.replace("R", ".").replace("W", ".")
    odds = king_odds(ranks[PIECES], thickness_of(ranks[DARK_CELLS], men))
    assert [bool(one > 0) for one in odds] == [sign.isupper() for sign in KINGS if sign != "."]


def test_examples_agree_with_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples, "VARIANTS", 1)
    cells, discs = examples.examples_of(7)
    whole = (cells.kind == MAN) | (cells.kind == KING)
    assert whole.sum() > 5
    assert len(discs.king) >= whole.sum(), "and those that are hidden by less than a third"
    assert discs.king.sum() >= (cells.kind == KING).sum() > 0
    border = 2 * examples.BORDER
    assert discs.pixels.shape[1:] == (HEIGHT + border, WIDTH + border, 3)
    assert np.ptp(discs.thickness) == 0, "all discs of a set are equally thick"


def test_discs_knocked_off_their_squares_keep_clear_of_each_other_and_kings_stay_whole() -> None:
    discs = _scene().discs
    knocked = examples.knocked(discs, np.random.default_rng(3))
    before, after = examples.stacks(discs), examples.stacks(knocked)
    assert [len(piece) for piece in after] == [len(piece) for piece in before]
    far = [np.hypot(b[0].x - a[0].x, b[0].y - a[0].y) for a, b in zip(before, after, strict=True)]
    moved = [piece for piece, way in zip(after, far, strict=True) if way > 0]
    assert 0 < len(moved) < len(after)
    for foot, *others in moved:
        assert all((disc.x - foot.x) ** 2 + (disc.y - foot.y) ** 2 < 0.2**2 for disc in others)
        near = [p[0] for p in after if p[0] is not foot]
        assert min(np.hypot(foot.x - d.x, foot.y - d.y) for d in near) > 2 * foot.radius


@pytest.mark.parametrize(("x", "unclear"), [(3.5, 0), (3.98, 2), (4.03, 2), (4.1, 0)])
def test_a_disc_on_an_edge_says_nothing_of_the_cells_on_both_sides(x: float, unclear: int) -> None:
    scene = _scene()
    foot = replace(scene.discs[0], x=x, y=2.5, z=0.0)
    chart = PatchMap.of(scene.view)
    kind, *_ = examples._truth(replace(scene, discs=(foot,)), chart, np.zeros(64))
    assert (kind == examples.UNCLEAR).sum() == unclear
    assert (kind == MAN).sum() == (not unclear)


def test_discs_with_round_edges_show_less_of_themselves() -> None:
    scene = _scene()
    bare = drawn(replace(scene, discs=()))
    sharp, round_ = (
        (np.abs(drawn(replace(scene, look=replace(scene.look, edge=edge))) - bare) > 0.1).sum()
        for edge in (0.0, 0.3)
    )
    assert 0.8 * sharp < round_ < 0.99 * sharp


def test_a_colour_is_looked_for_where_a_disc_lies_or_else_in_the_middle_of_the_cell() -> None:
    cells = look_closely(_image(), _scene().view).cells
    bare = [cell for cell in range(64) if cell not in PIECES]
    assert np.array_equal(cells.spots[PIECES], cells.centres[PIECES])
    assert cells.centres[bare].any()
    assert not cells.spots[bare].any()

"""Discs that lie on the edges between cells, or where four meet, on drawn boards."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.arrays import Image, Levels
from calibration.saved import Calibration
from referee.board import Side
from referee.eye import eye as eye_room
from referee.eye.astride import (
    CROSSINGS,
    EDGES,
    are_others,
    at_crossings,
    of_their_own,
    on_edges,
)
from referee.eye.eye import VACANT, Eye
from referee.eye.first_sight import calibrate
from referee.eye.patches import CENTRES
from referee.observation import Hand, LooseDisc, Observation
from referee.tracking.loose import FAR_OFF
from referee.tracking.places import aside
from sample_images.draw import still
from sample_images.scene import Scene
from sample_images.variety import random_scene

SEED = 41_000_102
OVER_AN_EDGE = (0.47, 0.02), (-0.44, 0.03), (0.05, 0.45), (0.0, -0.42), (0.0, 0.5)
CELL_OF_11 = np.arange(64) == 8 * 2 + 5


@cache
def _set() -> tuple[Scene, Calibration]:
    scene = replace(random_scene(SEED, contents="start"), hands=())
    return scene, calibrate(still(scene))


def _picture(x: float, y: float, of_10: tuple[float, float] = (3.5, 2.5)) -> Image:
    """The board when the man on 11, whose square has its middle at (5.5, 2.5), lies there, and the
    one on 10 elsewhere, too."""
    scene, _ = _set()
    lying = {(5, 2): (x, y), (3, 2): of_10}
    places = ((d, lying.get((int(d.x), int(d.y)), (d.x, d.y))) for d in scene.discs)
    discs = tuple(replace(disc, x=x, y=y) for disc, (x, y) in places)
    return still(replace(scene, discs=discs), SEED + 1)


def _seen(x: float, y: float, of_10: tuple[float, float] = (3.5, 2.5)) -> Observation:
    return Eye(_set()[1]).observe(_picture(x, y, of_10), 0)


@pytest.mark.parametrize(
    ("place", "cell"), [((5.0, 3.0), (2, 4)), ((6.03, 2.96), (2, 5))], ids=["left", "right"]
)
def test_a_man_half_on_each_of_two_squares_is_on_neither(place, cell) -> None:
    seen = _seen(*place)
    assert seen.loose == (LooseDisc(cell, Side.RED, astride=True),)
    assert seen.evidence[11 - 1] == VACANT


def test_a_square_beside_it_keeps_its_own_man() -> None:
    seen = _seen(5.0, 3.0, of_10=(4.45, 3.55))
    assert [disc.cell for disc in seen.loose] == [(2, 4)]
    assert max(seen.evidence[15 - 1][1:3]) == 0


@pytest.mark.parametrize("of_10", [(4.68, 3.32), (4.75, 3.25)])
def test_two_men_close_together_over_a_corner_are_on_their_squares(
    of_10: tuple[float, float],
) -> None:
    seen = _seen(5.26, 2.74, of_10)
    assert not seen.loose
    assert [max(seen.evidence[square - 1][1:3]) for square in (11, 15)] == [0, 0]


@pytest.mark.parametrize("place", [(5.2, 2.8), (5.78, 2.75), (5.5, 2.5)])
def test_a_man_put_down_without_care_is_on_his_square(place) -> None:
    seen = _seen(*place)
    assert not seen.loose
    assert seen.evidence[11 - 1][1] == 0


@pytest.mark.parametrize("way", OVER_AN_EDGE, ids=str)
def test_a_man_half_over_an_edge_is_said_to_lie_there(way: tuple[float, float]) -> None:
    seen = _seen(5.5 + way[0], 2.5 + way[1])
    off = seen.offsets[11 - 1]
    assert max(seen.evidence[11 - 1][1:3]) == 0
    assert not seen.loose
    assert off is not None
    assert np.abs(np.array(off) / 1000 - way).max() < 0.08


@pytest.mark.parametrize("way", [(0.0, 1.0), (-0.1, 0.85)], ids=str)
def test_where_on_a_light_cell_a_man_lies_is_told(way: tuple[float, float]) -> None:
    x, y = 5.5 + way[0], 2.5 + way[1]
    (disc,) = _seen(x, y).loose
    assert replace(disc, place=None) == LooseDisc((3, 5), Side.RED)
    assert disc.place is not None
    assert np.abs(np.array(disc.place) / 1000 - (x - 5.5, y - 3.5)).max() < 0.08


@pytest.mark.parametrize("way", [(0.25, 0.0), (-0.1, 0.26), (0.2, -0.2)], ids=str)
def test_one_that_is_only_put_carelessly_is_not_said_to_lie_off(way: tuple[float, float]) -> None:
    seen = _seen(5.5 + way[0], 2.5 + way[1])
    assert not seen.loose
    assert 0 < aside(seen.offsets[11 - 1]) < FAR_OFF


@pytest.mark.parametrize(
    ("own", "read", "is_other"),
    [
        ((6.5, 1.64), (6.7, 1.1), False),
        ((6.35, 1.75), (6.9, 1.0), True),
        ((6.85, 1.15), (6.9, 1.05), True),
    ],
    ids=["its upper disc", "one beside it", "itself"],
)
def test_the_upper_disc_of_a_king_lies_at_no_crossing_behind_him(own, read, is_other) -> None:
    chances, feet = np.zeros(64), CENTRES.copy()
    chances[8 * 1 + 6], feet[8 * 1 + 6] = 1.0, own
    crossing = np.flatnonzero((CROSSINGS == (7, 1)).all(axis=1))
    mine = of_their_own(chances, feet)
    assert are_others(crossing, np.array([read]), mine, feet).tolist() == [is_other]


def _leaning(cells: dict[tuple[int, int], tuple[float, float, float]]) -> tuple[Levels, Levels]:
    """The probabilities of discs on the cells, and where they lie, as these cells see it."""
    chances, feet = np.zeros(64), CENTRES.copy()
    for (row, column), (chance, x, y) in cells.items():
        chances[8 * row + column], feet[8 * row + column] = chance, (x, y)
    return chances, feet


@pytest.mark.parametrize(
    ("cells", "may"),
    [
        ({(5, 2): (0.001, 2.8, 5.8), (5, 3): (0.001, 3.2, 5.77), (6, 3): (1.0, 3.5, 6.5)}, True),
        ({(5, 2): (0.001, 2.8, 5.8), (6, 3): (1.0, 3.5, 6.5)}, False),
        ({(5, 2): (0.9, 2.7, 5.7), (6, 3): (1.0, 3.5, 6.5)}, False),
        ({(5, 2): (1.0, 2.7, 5.7), (6, 3): (1.0, 3.2, 6.3)}, False),
        ({(5, 2): (1.0, 2.9, 5.9), (5, 3): (0.001, 3.2, 5.77), (6, 3): (1.0, 3.5, 6.5)}, True),
    ],
    ids=["two cells see it faintly", "one does", "one has it", "each has one", "one beside it"],
)
def test_a_crossing_is_looked_at_towards_which_cells_see_a_disc_lean(cells, may: bool) -> None:
    assert at_crossings(*_leaning(cells))[(CROSSINGS == (3, 6)).all(axis=1)].item() == may


@pytest.mark.parametrize(
    ("dark", "light", "may"),
    [
        ((0.125, 5.9, 6.44), (0.984, 6.01, 6.52), True),
        ((0.009, 5.87, 6.43), (0.367, 6.0, 6.49), True),
        ((0.125, 5.9, 6.44), (0.984, 6.4, 6.5), False),
        ((0.009, 5.6, 6.43), (0.367, 6.0, 6.49), False),
        ((0.95, 5.8, 6.43), (0.001, 6.3, 6.5), True),
        ((0.95, 5.74, 6.43), (0.001, 6.3, 6.5), False),
        ((0.85, 5.74, 6.43), (0.001, 6.3, 6.5), True),
    ],
    ids=[
        "the light one is sure",
        "neither is",
        "the light one has it",
        "the dark one bare",
        "the dark one has it far off",
        "the dark one has it",
        "the dark one may have it",
    ],
)
def test_an_edge_is_looked_at_where_its_cells_see_a_disc_on_it(dark, light, may: bool) -> None:
    edge = np.flatnonzero((EDGES == (6, 6.5)).all(axis=1))
    assert on_edges(*_leaning({(6, 5): dark, (6, 6): light}))[edge].any() == may


def test_nothing_lies_where_the_chequers_alone_look_like_a_disc() -> None:
    scene = replace(random_scene(41_000_107, contents="start"), hands=())
    calibration = calibrate(still(scene))
    bare = still(replace(scene, discs=scene.discs[18:24]), 41_001_107)
    seen = Eye(calibration).observe(bare, 0)
    assert not seen.loose


def test_it_lies_there_while_a_hand_is_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    image, eye = _picture(5.0, 3.0), Eye(_set()[1])
    before = eye.observe(image, 0)
    hands = (Hand(Side.WHITE, (29, 30)),)
    monkeypatch.setattr(eye_room, "hands_over", lambda *_: hands)
    image[-40:] //= 2  # a picture with nothing new is answered from the last look
    seen = eye.observe(image, 100)
    assert (seen.hands, seen.loose) == (hands, before.loose)
    monkeypatch.setattr(eye_room, "near_arms", lambda _: CELL_OF_11)
    image[-80:] //= 2
    assert not eye.observe(image, 200).loose

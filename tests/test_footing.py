"""Whether a disc stands where it stood is seen at its foot, while a hand is at it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.arrays import Image
from calibration.saved import Calibration
from referee.eye.eye import Eye
from referee.eye.first_sight import calibrate
from referee.eye.footing import Footing
from referee.eye.light import IS_DARK
from referee.eye.patches import lean_in_plane
from sample_images.draw import still
from sample_images.scene import Disc, Hand, Scene
from sample_images.variety import random_scene

CELL = 8 * 5 + 2
"""On which the man stands who is looked at..."""
SCENE = replace(random_scene(24, contents="start"), hands=())
NEAR = np.ones(64, bool)


def cell_of(disc: Disc) -> int:
    return 8 * int(disc.y) + int(disc.x)


def kept(scene: Scene, image: Image | None = None) -> Footing:
    """What is known of a scene in which no hand is, or of that scene in another picture."""
    footing, discs = Footing(), scene.discs
    cells = np.array([cell_of(disc) for disc in discs])
    feet = np.array([[disc.x, disc.y] for disc in discs])
    leans = lean_in_plane(scene.view)[cells]
    image = still(scene) if image is None else image
    footing.keep(image, scene.view, cells, feet, leans, discs[0].radius)
    return footing


def lifting(scene: Scene, *cells: int, height: float = 0.5) -> Scene:
    discs = (
        replace(disc, z=disc.z + height) if cell_of(disc) in cells else disc for disc in scene.discs
    )
    return replace(scene, discs=tuple(discs))


def left(image: Image, scene: Scene = SCENE) -> list[int]:
    return list(map(int, kept(scene).left(image, scene.view, NEAR)))


def painted(image: Image, reach: float, colour: tuple[float, ...], nearest: float = -9.0) -> Image:
    """The picture with a patch so many squares around the man's foot, but for what is nearer to the
    camera by more than `nearest` squares."""
    lean = lean_in_plane(SCENE.view)[CELL]
    up = lean / np.linalg.norm(lean)
    aside = np.array([-up[1], up[0]])
    (foot,) = (np.array([disc.x, disc.y]) for disc in SCENE.discs if cell_of(disc) == CELL)
    low = max(-reach, nearest)
    corners = [
        foot + x * aside + y * up for x, y in ((-reach, low), (reach, low), (reach, 3), (-reach, 3))
    ]
    pixels = SCENE.view.project(np.array(corners)).round().astype(np.int32)
    return np.asarray(cv2.fillConvexPoly(image.copy(), pixels, colour), np.uint8)


def test_the_scene_is_seen_aslant() -> None:
    assert 0.4 < np.linalg.norm(lean_in_plane(SCENE.view)[CELL]) < 1.2
    assert CELL in {cell_of(disc) for disc in SCENE.discs}
    assert IS_DARK[CELL]


def test_a_disc_that_stands_has_not_left() -> None:
    assert left(still(SCENE)) == []


def test_a_disc_in_the_air_has_left() -> None:
    assert left(still(lifting(SCENE, CELL))) == [CELL]


def test_a_disc_hardly_raised_is_not_seen_to_have_left() -> None:
    assert left(still(lifting(SCENE, CELL, height=0.03))) == []


def test_nothing_is_said_of_a_disc_that_no_hand_is_near() -> None:
    far = NEAR.copy()
    far[CELL] = False
    assert len(kept(SCENE).left(still(lifting(SCENE, CELL)), SCENE.view, far)) == 0


def test_one_that_is_seen_from_straight_above_is_not_seen_to_leave() -> None:
    """Nothing leans there: no part of its foot is the nearest."""
    footing, cell = Footing(), np.array([CELL])
    feet = np.array([[CELL % 8 + 0.5, CELL // 8 + 0.5]])
    footing.keep(still(SCENE), SCENE.view, cell, feet, np.zeros((1, 2)), 0.3)
    assert len(footing.left(still(lifting(SCENE, CELL)), SCENE.view, NEAR)) == 0


def test_nothing_is_said_of_a_disc_that_is_forgotten() -> None:
    footing = kept(SCENE)
    footing.forget(np.array([CELL]))
    assert len(footing.left(still(lifting(SCENE, CELL)), SCENE.view, NEAR)) == 0


def test_where_a_hand_was_near_it_is_to_be_looked_anew() -> None:
    footing, near = kept(SCENE), np.zeros(64, bool)
    near[[CELL, CELL + 2]] = True
    assert not len(footing.stale())
    footing.left(still(SCENE), SCENE.view, near)
    assert footing.stale().tolist() == [CELL, CELL + 2]
    footing.forget(np.array([CELL]))
    assert footing.stale().tolist() == [CELL + 2]


def test_a_hand_that_holds_it_may_hide_the_rest_of_it() -> None:
    image = painted(still(lifting(SCENE, CELL)), 0.4, (120, 160, 200), nearest=0.1)
    assert left(image) == [CELL]


@pytest.mark.parametrize("lifted", [False, True])
def test_the_shadow_of_a_hand_is_no_matter(lifted: bool) -> None:
    scene = lifting(SCENE, CELL) if lifted else SCENE
    image = still(scene)
    shade = painted(np.full_like(image, 255), 1.5, (150, 150, 150)) / 255.0
    assert left((image * shade).astype(np.uint8)) == ([CELL] if lifted else [])


@pytest.mark.parametrize(
    ("blue_green_red", "told"),
    [
        pytest.param((0.6, 0.1, 0.4), [CELL], id="of another colour"),
        pytest.param((0.4, 0.4, 0.4), [], id="but somewhat lighter"),
    ],
)
def test_a_disc_that_differs_by_its_light_alone_may_be_in_a_hard_shadow(
    blue_green_red: tuple[float, float, float], told: list[int]
) -> None:
    def paler(scene: Scene) -> Image:
        grey = still(scene).mean(axis=2, keepdims=True)
        return np.asarray(128 * (grey / 128) ** np.array(blue_green_red), np.uint8)

    footing = kept(SCENE, paler(SCENE))
    assert list(footing.left(paler(SCENE), SCENE.view, NEAR)) == []
    assert list(footing.left(paler(lifting(SCENE, CELL)), SCENE.view, NEAR)) == told


def test_a_hand_of_the_colour_of_the_square_lifts_nothing() -> None:
    """All is hidden by it, the light squares around as well."""
    ground = still(lifting(SCENE, CELL))
    (foot,) = SCENE.view.project(np.array([[CELL % 8 + 0.5, CELL // 8 + 0.5]])).round().astype(int)
    colour = tuple(map(float, ground[foot[1], foot[0]]))
    image = painted(still(SCENE), 1.2, colour)
    assert left(image) == []


def test_so_many_at_once_are_no_hand_s_doing() -> None:
    cells = [8 * 5 + column for column in (0, 2, 4)]
    assert left(still(lifting(SCENE, *cells))) == []
    assert left(still(lifting(SCENE, *cells[:2]))) == sorted(cells[:2])


def with_a_hand(scene: Scene, short: float = 0.0) -> Scene:
    """A hand over the farther half of the man's square, or so many squares short of that, from the
    far side of the board."""
    lean = lean_in_plane(scene.view)[CELL]
    foot, up = np.array([CELL % 8 + 0.5, CELL // 8 + 0.5]), lean / np.linalg.norm(lean)

    def at(reach: float, z: float) -> tuple[float, float, float]:
        x, y = foot + (reach + short) * up
        return float(x), float(y), z

    return replace(scene, hands=(Hand(None, at(9, 2), at(3.2, 1.2), at(0.3, 0.6)),))


def without(scene: Scene) -> Scene:
    discs = (disc for disc in scene.discs if cell_of(disc) != CELL)
    return replace(scene, discs=tuple(discs))


def watching() -> Eye:
    """An eye that has seen the scene."""
    known = calibrate(still(SCENE))
    assert isinstance(known, Calibration)
    eye = Eye(known)
    assert eye.observe(still(SCENE), 0).lifted == ()
    return eye


def test_the_eye_looks_at_what_a_hand_is_at() -> None:
    eye = watching()
    for ms, scene, lifted in (
        (100, SCENE, ()),
        (200, lifting(SCENE, CELL), (22,)),
        (300, SCENE, ()),
        (400, lifting(SCENE, CELL), (22,)),
    ):
        seen = eye.observe(still(with_a_hand(scene)), ms)
        assert (bool(seen.hands), seen.lifted) == (True, lifted)
    assert eye.observe(still(SCENE), 500).lifted == ()


def test_it_looks_anew_at_how_discs_stand_once_the_hand_has_gone() -> None:
    """Another hand comes where the first has taken a disc off, and gone on over other squares."""
    eye, bare = watching(), without(SCENE)
    assert eye.observe(still(with_a_hand(bare)), 100).lifted == (22,)
    assert eye.observe(still(with_a_hand(bare, short=1.5)), 200).hands
    assert not eye.observe(still(bare), 300).hands
    assert eye.observe(still(with_a_hand(bare)), 400).lifted == ()

"""The light on the board, and the colours of the two sides in it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.arrays import LUMINANCE, Image, Levels
from calibration.locate import Located, locate
from calibration.model import View
from calibration.saved import Calibration
from referee.board import START
from referee.eye import first_sight
from referee.eye.glance import look_closely
from referee.eye.light import IS_DARK, Light, corners_of, measure_light
from referee.eye.patches import CELLS, PatchMap
from referee.eye.reader import KING, MAN
from referee.eye.sides import disc_colours, disc_nats, divide
from sample_images.draw import drawn, exposed
from sample_images.sensor import photograph
from sample_images.variety import random_scene
from tests.boards import draw_board, view_from

# --- Light ----------------------------------------------------------------------------------


def _light(view: View, image: Image) -> Light:
    return measure_light(corners_of(PatchMap.of(view).cut(image)))


def test_a_gradient_of_light_is_measured_and_discs_do_not_disturb_it() -> None:
    view = view_from(25)
    image = draw_board(view, START, noise=0)
    fading = np.linspace(1.0, 0.5, image.shape[1])[None, :, None]
    light = _light(view, (image * fading).astype(np.uint8))
    even = _light(view, image)
    assert np.abs(light.contrast - even.contrast).max() < 0.06
    lost = (even.light - light.light).mean(axis=1).reshape(8, 8)
    assert (np.diff(lost, axis=1) > 0).all()


# --- Sides ----------------------------------------------------------------------------------

LIGHT_SQUARE = np.array([170.0, 200.0, 210.0])
BUFF = np.log(LIGHT_SQUARE)
YELLOW = [30, 150, 190]


def test_two_colours_never_seen_before_are_told_apart_even_against_the_readers_guess() -> None:
    rng = np.random.default_rng(1)
    dark, light = np.array([-1.0, -1.5, -0.5]), np.array([0.0, -0.2, -0.9])
    colours = np.concatenate([rng.normal(mean, 0.08, (12, 3)) for mean in (dark, light)])
    guess = np.repeat([-0.5, 0.5], 12)
    guess[3] = 2.0
    sides = divide(colours.astype(np.float32), BUFF, np.ones(24), guess)
    assert (sides.whiteness[:12] < 0).all()
    assert (sides.whiteness[12:] > 0).all()


CENTRED, NO_KING = np.zeros((64, 2), np.float32), np.zeros(64, np.bool_)


def _with_faces(
    view: View, image: Image, height: float, colour: tuple[int, int, int], share: float = 1.0
) -> Image:
    """Discs' faces at this height, in squares, over all cells, or the left `share` of each."""
    seen, round_about = image.copy(), np.linspace(0, 2 * np.pi, 40)
    for row, column in CELLS:
        across = 0.5 + 0.35 * np.cos(round_about), 0.5 + 0.35 * np.sin(round_about)
        right = column + np.minimum(across[0], 0.15 + 0.7 * share)
        face = np.column_stack([right, row + across[1], np.full(40, height)])
        cv2.fillPoly(seen, [np.round(view.project(face)).astype(np.int32)], colour)
    return seen


def test_a_lamp_in_most_of_a_face_leaves_its_colour() -> None:
    view = view_from(25)
    plain = _with_faces(view, draw_board(view, noise=0), 0.15, (40, 40, 160))
    mirrored = _with_faces(view, plain, 0.15, (200, 205, 210), share=0.55)
    light = _light(view, plain)
    patches = [PatchMap.of(view).cut(image) for image in (plain, mirrored)]
    red, glossy = (disc_colours(patch, light, CENTRED, NO_KING) for patch in patches)
    assert np.abs(red - glossy).max() < 0.1


def test_a_king_has_the_colour_of_its_upper_disc() -> None:
    view = view_from(45)
    board = draw_board(view, noise=0)
    wall = _with_faces(view, board, 0.15, (20, 20, 60))
    king = _with_faces(view, wall, 0.45, (220, 225, 230))
    patches, light = PatchMap.of(view).cut(king), _light(view, board)
    as_king, as_man = (disc_colours(patches, light, CENTRED, rank) for rank in (~NO_KING, NO_KING))
    assert as_king.mean() > as_man.mean() + 0.5


def test_a_man_of_a_known_setup_has_a_mans_colour_though_he_looks_a_king() -> None:
    image = draw_board(view_from(45), START)
    located = locate(image)
    assert isinstance(located, Located)
    board = located.turned(2)
    close = look_closely(image, board.view)
    kinds = close.cells.kinds.copy()
    kinds[:, [MAN, KING]] = kinds[:, [KING, MAN]]
    mistaken = replace(close, cells=replace(close.cells, kinds=kinds))
    plain, learnt = (first_sight.learnt_from(board, of, START) for of in (close, mistaken))
    assert isinstance(plain, Calibration)
    assert isinstance(learnt, Calibration)
    assert learnt.palette == plain.palette


@pytest.mark.parametrize("swap", [False, True])
def test_of_sides_of_one_brightness_the_redder_is_the_lighter(swap: bool) -> None:
    blue, red = np.log([190.0, 90.0, 60.0]), np.log([50.0, 65.0, 155.0])
    red += np.log(np.exp(blue) @ LUMINANCE) - np.log(np.exp(red) @ LUMINANCE)
    means = np.repeat([red, blue] if swap else [blue, red], 12, axis=0) - BUFF
    brighter = np.where(np.arange(24)[:, None] < 12, 0.02, 0.0)
    colours = (means + brighter).astype(np.float32)
    sides = divide(colours, BUFF, np.ones(24), np.zeros(24))
    assert ((sides.whiteness > 0) == (np.repeat([swap, not swap], 12))).all()


@pytest.mark.parametrize(("gloss", "guessed", "swapped"), [(0.0, 2.5, True), (0.6, 2.5, False)])
def test_sides_of_one_brightness_are_the_readers_to_tell(
    gloss: float, guessed: float, swapped: bool
) -> None:
    rng = np.random.default_rng(3)
    red, grey = np.array([-0.6, -0.5, -0.1]), np.array([-0.2, -0.2, -0.4]) + gloss
    means = np.where(np.arange(24)[:, None] < 12, red, grey)
    colours = (means + rng.normal(0, 0.04, (24, 3))).astype(np.float32)
    guess = np.repeat([guessed, -guessed], 12)
    sides = divide(colours, BUFF, np.ones(24), guess)
    assert (sides.whiteness[:12] > 0).all() == swapped


def test_black_discs_that_mirror_a_lamp_are_not_the_lighter_ones_for_a_board_being_red() -> None:
    """Beside squares that are nearly black in blue and green, grey looks brighter than red."""
    rng = np.random.default_rng(4)
    scarlet = np.log(np.array([40.0, 36.0, 245.0]))
    black, red = np.log(np.array([[100.0, 96.0, 95.0], [76.0, 82.0, 228.0]])) - scarlet
    means = np.where(np.arange(24)[:, None] < 12, black, red)
    colours = (means + rng.normal(0, 0.04, (24, 3))).astype(np.float32)
    guess = np.repeat([-3.8, -2.4], 12)
    sides = divide(colours, scarlet, np.ones(24), guess)
    assert (sides.whiteness[:12] < 0).all()
    assert (sides.whiteness[12:] > 0).all()


def _mirrored(colour: tuple[float, float, float], amounts: list[float]) -> Levels:
    """(n, 3): log colours of discs that add so much of a lamp; a light square's light is 1."""
    lamp = np.array(amounts)[:, None] * LIGHT_SQUARE
    return np.log(np.array(colour) + lamp) - BUFF


def test_a_lamp_mirrored_in_one_sides_discs_does_not_make_two_sides_of_them() -> None:
    reds = _mirrored((20, 20, 90), [0.0, 0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.3, 0.4, 0.5, 0.5])
    whites = _mirrored((190, 200, 205), [0.0, 0.05] * 6)
    colours = np.concatenate([reds, whites]).astype(np.float32)
    sides = divide(colours, BUFF, np.ones(24), np.zeros(24))
    assert (sides.whiteness[:12] < 0).all()
    assert (sides.whiteness[12:] > 0).all()


def test_one_sides_discs_are_not_parted_by_a_lamp() -> None:
    reds = _mirrored((20, 20, 90), [0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5])
    sides = divide(reds.astype(np.float32), BUFF, np.ones(8), np.full(8, -1.0))
    assert sides.whiteness.tolist() == [-1.0] * 8
    assert sides.separation == 0


def test_what_is_printed_on_a_square_has_no_discs_colour() -> None:
    blue, red, yellow = (np.log(colour) - BUFF for colour in ([95, 35, 20], [30, 20, 150], YELLOW))
    colours = np.concatenate([np.tile(c, (8, 1)) for c in (red, yellow, blue)]).astype(np.float32)
    presence = np.repeat([1.0, 1.0, 0.7], 8)
    sides = divide(colours, BUFF, presence, np.zeros(24))
    bare = np.tile(blue, (24, 1)).astype(np.float32)
    in_shade = disc_nats(colours - 0.3, bare, sides)
    for nats in (disc_nats(colours, bare, sides), in_shade):
        assert (nats[:16] > 0.5).all()
        assert (nats[16:] < -0.5).all()
    assert not disc_nats(colours, bare, divide(colours, BUFF, np.zeros(24), np.zeros(24))).any()


def _with_numerals(view: View, image: Image, rows: range) -> Image:
    """White numerals in the middle of the dark squares of these rows."""
    seen, side = image.astype(float), 64
    frame = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    for number, (row, column) in enumerate(CELLS):
        if IS_DARK[number] and row in rows:
            glyph = np.zeros((side, side), np.uint8)
            cv2.putText(glyph, str(number), (8, 45), 0, 1.1, 255, 4, cv2.LINE_AA)
            place = np.column_stack([frame / side + (column, row), np.zeros(4)])
            onto = cv2.getPerspectiveTransform(frame, view.project(place).astype(np.float32))
            ink = cv2.warpPerspective(glyph, onto, image.shape[1::-1])[..., None]
            seen += ink / 255 * (np.array([190.0, 230.0, 240.0]) - seen)
    return seen.astype(np.uint8)


def test_a_numeral_printed_on_a_square_is_no_disc() -> None:
    view = view_from(25)
    numbered = _with_numerals(view, draw_board(view, START), range(3, 5))
    assert look_closely(numbered, view).glance.signs()[24:40] == "." * 16


@pytest.mark.parametrize("height", [0.2, 0.3])
def test_numbers_in_the_middle_of_the_squares_are_no_discs(height: float) -> None:
    scene = random_scene(31_000_000, "official", "start", "daylight")
    board = replace(scene.board, numerals=height)
    light = drawn(replace(scene, board=board, hands=()))
    image = photograph(light, scene.sensor, exposed(light), np.random.default_rng(0))
    signs = look_closely(image, scene.view).glance.signs()
    assert signs[24:40] == "." * 16
    assert signs.count(".") == 40


@pytest.mark.parametrize(("guessed", "told"), [(-3.0, False), (3.0, True)])
def test_a_disc_in_between_is_whose_the_reader_takes_it_for(guessed: float, told: bool) -> None:
    reds, whites = np.full((8, 3), -2.0), np.full((8, 3), 0.0)
    colours = np.concatenate([reds, whites, [[-0.4, -0.4, -0.4]]]).astype(np.float32)
    guess = np.concatenate([np.zeros(16), [guessed]])
    assert (divide(colours, BUFF, np.ones(17), guess).whiteness[-1] > 0) == told


def test_one_colour_alone_is_not_split_in_two() -> None:
    rng = np.random.default_rng(2)
    colours = rng.normal(-0.5, 0.05, (10, 3)).astype(np.float32)
    sides = divide(colours, BUFF, np.ones(10), np.linspace(-1, 1, 10))
    assert sides.whiteness.tolist() == np.linspace(-1, 1, 10).tolist()

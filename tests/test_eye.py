"""The eye on small drawn boards, and its parts on numbers worked out by hand."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.arrays import LUMINANCE, Image, Levels
from calibration.locate import Located, Refusal, locate
from calibration.model import Lens
from calibration.model import View as BoardView
from calibration.palette import Palette, Tone
from calibration.saved import Calibration, CalibrationError
from hardware.camera import Frame
from referee.board import EMPTY, START, Side
from referee.board import replace as replaced
from referee.events import Event
from referee.eye import first_sight
from referee.eye.arm import Reach, hands_over, lamps_of
from referee.eye.evidence import evidence_rows
from referee.eye.eye import Eye
from referee.eye.first_sight import calibrate
from referee.eye.glance import look_closely
from referee.eye.light import IS_DARK, Light, corners_of, measure_light
from referee.eye.orientation import dark_cells, orient, turned
from referee.eye.overlay import draw_reading
from referee.eye.patches import CELLS, CENTRES, LEFT, PIXELS_A_SQUARE, SIZE, TOP, Floats, PatchMap
from referee.eye.picture import Reading, read_picture
from referee.eye.reader import EMPTY as BARE
from referee.eye.reader import HIDDEN, KING, MAN, THICKNESSES, Cells, Reader
from referee.eye.rims import Rims
from referee.eye.sides import disc_colours, disc_nats, divide
from referee.eye.stacks import king_chances, king_odds, thickness_of
from referee.game import Game, Input, begin
from referee.observation import HIDDEN as HIDDEN_ROW
from referee.observation import Observation, View
from referee.verbs.calibrate import record
from referee.watching import follow
from sample_images.draw import drawn, exposed
from sample_images.sensor import photograph
from sample_images.variety import random_scene
from tests.boards import draw_board, view_from

SIXTY_FOUR = "".join(START[4 * (i // 8) + i % 8 // 2] if IS_DARK[i] else EMPTY for i in range(64))


# --- Patches --------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [0, 30, 90, 200])
def test_the_middle_of_a_patch_lies_over_its_cell(turn: float) -> None:
    chart = PatchMap.of(view_from(35, turn))
    column = round(-LEFT * PIXELS_A_SQUARE - 0.5)
    row = round(-TOP * PIXELS_A_SQUARE - 0.5)
    middles = chart.points[:, row, column]
    assert np.abs(middles - CENTRES).max() < 1 / PIXELS_A_SQUARE


@pytest.mark.parametrize("turn", [0, 45, 100, 180, 275])
def test_whatever_stands_up_leans_towards_the_top_of_a_patch(turn: float) -> None:
    view = view_from(40, turn)
    chart = PatchMap.of(view)
    for cell, (row, column) in enumerate(CELLS):
        raised = view.project(np.array([[column + 0.5, row + 0.5, 0.2]]))
        shadow = view.to_plane(raised)[0]
        steps = (chart.points[cell] - shadow).reshape(-1, 2)
        below = int(np.abs(steps).sum(axis=1).argmin()) // SIZE
        assert below <= -TOP * PIXELS_A_SQUARE


def test_a_patch_shows_the_colour_of_its_cell() -> None:
    view = view_from(20)
    patches = PatchMap.of(view).cut(draw_board(view))
    middle = patches.pixels[:, SIZE // 2, SIZE // 2].astype(float).mean(axis=1)
    assert middle[IS_DARK].max() < middle[~IS_DARK].min()


# --- Light ----------------------------------------------------------------------------------


def _light(view: BoardView, image: Image) -> Light:
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
    view: BoardView, image: Image, height: float, colour: tuple[int, int, int], share: float = 1.0
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


def _with_numerals(view: BoardView, image: Image, rows: range) -> Image:
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


# --- Orientation ----------------------------------------------------------------------------


@pytest.mark.parametrize("quarters", range(4))
def test_the_start_is_turned_upright_whichever_way_it_is_seen(quarters: int) -> None:
    seen = turned(SIXTY_FOUR, -quarters % 4)
    way = orient(seen)
    assert turned(seen, way.quarters) == SIXTY_FOUR
    assert way.problem is None


def test_a_board_with_men_of_one_side_only_says_that_it_cannot_tell() -> None:
    problem = orient(SIXTY_FOUR.replace("w", EMPTY)).problem
    assert problem is not None
    assert "both sides" in problem


def test_men_that_would_stand_on_their_king_row_turn_the_board() -> None:
    board = [EMPTY] * 64
    board[62] = "r"  # (7, 6), where a red man would have been crowned
    board[33] = "w"
    assert orient("".join(board)).quarters == 2


def test_dark_cells_come_in_the_order_of_the_squares() -> None:
    assert dark_cells(SIXTY_FOUR) == START


# --- Hands ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "side"),
    [
        pytest.param(range(5), Side.RED, id="over the edge of squares 1 to 4"),
        pytest.param(range(4, 8), Side.WHITE, id="over the edge of squares 29 to 32"),
        pytest.param(range(8), None, id="over both"),
    ],
)
def test_the_edge_an_arm_comes_over_names_its_player(rows: range, side: Side | None) -> None:
    hidden = np.zeros((8, 8), np.float32)
    hidden[list(rows), 3:5] = 0.9
    (hand,) = hands_over(hidden.ravel())
    assert hand.side is side
    assert len(hand.squares) == len(rows)


# --- Evidence -------------------------------------------------------------------------------

TONES = Palette(
    bare=Tone((-1.0, -0.6, -1.0), (0.06, 0.06, 0.06)),
    darker=Tone((-1.4, -1.6, -0.3), (0.06, 0.06, 0.06)),
    lighter=Tone((0.0, 0.0, 0.0), (0.06, 0.06, 0.06)),
)
CALIBRATION = Calibration(view_from(30), TONES)


def _ranks(stack: float, doubt: float = 0.5) -> Floats:
    """What a reader makes of a stack (height in squares) whose seam it does not see."""
    levels = np.log(np.stack([THICKNESSES, 2 * THICKNESSES]))
    logs = -0.5 * ((levels - np.log(stack)) / (0.1 + doubt)) ** 2
    return np.asarray(logs - np.log(np.exp(logs).sum()), np.float32)[None]


def _reading(kind: int, odds: float = 6.0) -> Cells:
    cells = Cells.blank(1)
    cells.kinds[0] = -odds
    cells.kinds[0, kind] = -0.01
    stack = CALIBRATION.thickness * (2 if kind == KING else 1)
    cells.ranks[0] = _ranks(stack, doubt=0.1)[0]
    return cells


@pytest.mark.parametrize(
    ("kind", "tone", "best"),
    [
        (BARE, TONES.bare, ".rRwW".index(".")),
        (MAN, TONES.darker, ".rRwW".index("r")),
        (KING, TONES.darker, ".rRwW".index("R")),
        (MAN, TONES.lighter, ".rRwW".index("w")),
        (KING, TONES.lighter, ".rRwW".index("W")),
    ],
)
def test_evidence_follows_the_reader_and_the_colours(kind: int, tone: Tone, best: int) -> None:
    colours = np.array([tone.mean], np.float32)
    rows, _ = evidence_rows(_reading(kind), colours, CALIBRATION)
    assert rows[0][best] == 0
    assert max(value for sign, value in enumerate(rows[0]) if sign != best) < -200


def test_discs_that_a_lamp_makes_pale_stay_with_their_side() -> None:
    white = np.repeat([False, True], 6)
    cells = Cells.blank(12)
    cells.kinds[:] = -6.0
    cells.kinds[:, MAN] = -0.01
    cells.ranks[:] = _ranks(CALIBRATION.thickness, doubt=0.1)
    cells.whiteness[:] = np.where(white, 4.0, -2.0)
    pale = np.add(TONES.darker.mean, (1.0, 1.2, 0.0))
    colours = np.where(white[:, None], TONES.lighter.mean, pale).astype(np.float32)
    rows, _ = evidence_rows(cells, colours, CALIBRATION)
    assert [".rRwW"[row.index(0)] for row in rows] == ["r"] * 6 + ["w"] * 6


def test_a_bare_square_in_the_sun_is_no_disc() -> None:
    """The network saw that nothing lies there, if not very surely."""
    colours = np.add([TONES.bare.mean], 0.5).astype(np.float32)
    rows, _ = evidence_rows(_reading(BARE, odds=3.0), colours, CALIBRATION)
    assert rows[0][".rRwW".index(".")] == 0


def test_a_hidden_cell_says_nothing() -> None:
    colours = np.zeros((1, 3), np.float32)
    rows, _ = evidence_rows(_reading(HIDDEN), colours, CALIBRATION)
    assert rows == (HIDDEN_ROW,)


def test_a_stack_as_high_as_a_man_of_thick_discs_is_no_king() -> None:
    colours = np.array([TONES.darker.mean], np.float32)
    thick = replace(CALIBRATION, thickness=2 * CALIBRATION.thickness)
    rows, _ = evidence_rows(_reading(KING), colours, thick)
    assert ".rRwW"[rows[0].index(0)] == "r"


def test_discs_that_all_look_thicker_than_learnt_are_thought_as_thick() -> None:
    cells = Cells.blank(12)
    cells.kinds[:] = -6.0
    cells.kinds[:, MAN] = -0.01
    heights = np.array([1.5] * 11 + [3.0]) * CALIBRATION.thickness
    cells.ranks[:] = np.concatenate([_ranks(height, doubt=0.1) for height in heights])
    colours = np.tile(np.array(TONES.darker.mean, np.float32), (12, 1))
    rows, _ = evidence_rows(cells, colours, CALIBRATION)
    assert "".join(".rRwW"[row.index(0)] for row in rows) == "r" * 11 + "R"


def test_a_stack_whose_height_is_not_seen_is_neither_man_nor_king() -> None:
    unseen, seen = (king_odds(_ranks(0.3, doubt), 0.15)[0] for doubt in (5.0, 0.1))
    assert abs(unseen) < 1.0 < 3.0 < seen


def test_discs_are_as_thick_as_most_stacks_are_high() -> None:
    ranks = np.concatenate([_ranks(0.13, 0.1)] * 8 + [_ranks(0.26, 0.1)] * 3)
    chances = king_chances(ranks, np.ones(len(ranks)))
    assert (chances[:8] < 0.1).all()
    assert (chances[8:] > 0.7).all()


def test_each_side_is_measured_by_how_thick_its_own_men_look() -> None:
    """Dark discs look thicker with the shadow at their feet: one such is no king."""
    ranks, dark = _ranks(0.2, 0.1), np.array([TONES.darker.mean], np.float32)
    cells = Cells.blank(1)
    cells.kinds[0], cells.ranks[:] = -6.0, ranks
    cells.kinds[0, MAN] = -0.01
    plain = replace(CALIBRATION, thickness=0.13)
    for known, best in ((plain, "R"), (replace(plain, looks=(0.18, 0.13)), "r")):
        rows, _ = evidence_rows(cells, dark, known)
        assert ".rRwW"[rows[0].index(0)] == best


def test_men_of_a_set_that_look_kings_make_kings_of_its_side_doubtful() -> None:
    colours = np.array([TONES.darker.mean], np.float32)
    for kinglike, best in (((0.0, 9.0), "R"), ((9.0, 0.0), "r")):
        known = replace(CALIBRATION, kinglike=kinglike)
        rows, _ = evidence_rows(_reading(KING), colours, known)
        assert ".rRwW"[rows[0].index(0)] == best


@pytest.mark.parametrize(("stack", "kinglike"), [(1.0, False), (1.8, True)])
def test_men_who_look_kings_at_set_up_are_remembered(stack: float, kinglike: bool) -> None:
    """The red ones here: as high as White's at first, then nearly as two of these."""
    image = draw_board(view_from(45), START)
    located = locate(image)
    assert isinstance(located, Located)
    board = located.turned(2)
    close = look_closely(image, board.view)
    ranks = close.cells.ranks.copy()
    ranks[:] = _ranks(0.13, doubt=0.1)
    red = np.flatnonzero(IS_DARK)[:12]
    ranks[red[:6]] = _ranks(0.13 * stack, doubt=0.1)
    seen = replace(close, cells=replace(close.cells, ranks=ranks))
    learnt = first_sight.learnt_from(board, seen, START)
    assert isinstance(learnt, Calibration)
    assert (learnt.kinglike[0] > 0) == kinglike
    assert learnt.kinglike[1] == 0


def test_men_and_kings_of_a_known_setup_tell_the_thickness() -> None:
    ranks = np.concatenate([_ranks(0.13, 0.1), _ranks(0.26, 0.1)])
    assert abs(thickness_of(ranks, "rW") - 0.13) < 0.01


def _with_bar(image: Image, first: tuple[float, float], last: tuple[float, float]) -> Image:
    """The picture with an arm over it, between two points of the board plane."""
    view = view_from(25)
    ends = view.project(np.array([first, last], float)).round().astype(int)
    start, end = ((int(x), int(y)) for x, y in ends)
    return np.asarray(cv2.line(image.copy(), start, end, (120, 160, 200), 50), np.uint8)


@pytest.mark.parametrize(
    ("first", "side"), [((4.0, 12.0), Side.WHITE), ((4.0, -4.0), Side.RED), ((-4.0, 4.0), None)]
)
def test_an_arm_belongs_to_the_player_whose_rim_it_crosses(
    first: tuple[float, float], side: Side | None
) -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    assert not rims.arms(board, 0, True)
    arms = rims.arms(_with_bar(board, first, (4.0, 4.0)), 100, False)
    assert list(arms) == ([side] if side else [])


def test_fingertips_that_reach_over_the_far_rim_come_from_the_near_one() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    assert not rims.arms(board, 0, True)
    for end, sides in ((-0.5, [Side.WHITE]), (-4.0, [Side.RED, Side.WHITE])):
        arms = rims.arms(_with_bar(board, (4.0, 12.0), (4.0, end)), 100, False)
        assert list(arms) == sides


def test_where_no_players_rim_is_in_the_picture_no_arm_is_seen_over_one() -> None:
    view = view_from(0, distance=9.0)
    rims, board = Rims(view), draw_board(view, START)
    assert not any(rims.arms(board, time_ms, True) for time_ms in range(0, 1_000, 100))


def _reaching(rows: slice) -> Floats:
    hidden = np.zeros((8, 8), np.float32)
    hidden[rows, 3:5] = 1.0
    return hidden.ravel()


def test_an_arm_that_is_no_longer_over_its_own_rim_is_still_its_players() -> None:
    """Held high it is seen over the far rows alone, and its fingers over the far rim."""
    reach = Reach()
    assert reach.owner(_reaching(slice(3, 8)), [Side.WHITE], 100) is Side.WHITE
    assert reach.owner(_reaching(slice(1, 6)), [], 200) is Side.WHITE
    assert reach.owner(_reaching(slice(0, 4)), [Side.RED], 300) is Side.WHITE
    hands = hands_over(_reaching(slice(0, 4)), {Side.RED: 300}, owner=Side.WHITE)
    assert [hand.side for hand in hands] == [Side.WHITE]


@pytest.mark.parametrize(("rows", "time_ms"), [(slice(0, 2), 200), (slice(1, 6), 1_300)])
def test_another_arm_elsewhere_or_much_later_is_its_own_players(rows: slice, time_ms: int) -> None:
    reach = Reach()
    reach.owner(_reaching(slice(3, 8)), [Side.WHITE], 100)
    assert reach.owner(_reaching(rows), [Side.RED], time_ms) is Side.RED


def test_a_hand_at_rest_on_its_rim_is_not_the_one_that_comes_from_the_other() -> None:
    rests = np.zeros((10, 10), np.bool_)
    rests[9, 6:8] = True
    both = rests.copy()
    both[0, 3:6] = True
    reach, nobody = Reach(), np.zeros(64)
    reach.owner(_reaching(slice(5, 8)), [Side.WHITE], 0, rests)
    for time_ms in range(100, 1_500, 100):
        assert reach.owner(nobody, [Side.WHITE], time_ms, rests) is Side.WHITE
    assert (
        reach.owner(_reaching(slice(0, 4)), [Side.RED, Side.WHITE], 1_500, both) is not Side.WHITE
    )


def test_an_arm_that_alone_is_seen_for_a_while_is_its_own_players() -> None:
    reach, there = Reach(), _reaching(slice(2, 6))
    reach.owner(there, [Side.WHITE], 100)
    owners = [reach.owner(there, [Side.RED], time_ms) for time_ms in (200, 300, 400)]
    assert owners == [Side.WHITE, Side.WHITE, Side.RED]


def test_an_arm_that_passes_beside_its_own_rim_is_known_but_is_not_over_it() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    assert not rims.arms(board, 0, True)
    assert not rims.arms(_with_bar(board, (-0.9, 12.0), (-0.9, 4.0)), 100, False)
    assert rims.around == (Side.WHITE,)


def test_an_arm_that_reaches_in_round_the_corner_is_over_the_board() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    assert not rims.arms(board, 0, True)
    around = _with_bar(board, (-1.6, 12.0), (-0.9, 5.0))
    assert not rims.arms(around, 100, False)
    assert list(rims.arms(_with_bar(around, (-0.9, 5.0), (0.0, 4.5)), 200, False)) == [Side.WHITE]


def test_what_is_covered_around_the_board_is_known() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    rims.arms(board, 0, True)
    assert not rims.ring.any()
    rims.arms(_with_bar(board, (-0.4, 12.0), (-0.4, 2.5)), 100, False)
    assert rims.ring[4:10, 0].all()
    assert not rims.ring[:3].any()
    assert not rims.ring[:, 3:].any()


def test_two_ends_of_an_arm_that_hang_together_beside_the_board_are_one_arm() -> None:
    ends, ring = np.zeros((8, 8), np.float32), np.zeros((10, 10), np.bool_)
    ends[7, 0] = ends[0, :2] = 1.0
    ring[2:, 0] = ring[9, 1] = True
    hidden = ends.ravel()
    alone, joined = Reach(), Reach()
    for reach in (alone, joined):
        assert reach.owner(_reaching(slice(6, 8)), [Side.WHITE], 100) is Side.WHITE
    assert alone.owner(hidden, [Side.RED, Side.WHITE], 200) is None
    ring[1, 0] = True
    wide = np.zeros((8, 8), np.float32)
    wide[7, :5] = wide[0, :2] = 1.0
    assert joined.owner(wide.ravel(), [Side.RED, Side.WHITE], 200, ring) is Side.WHITE
    assert joined.owner(hidden, [Side.RED], 300, ring) is Side.WHITE
    assert joined.owner(hidden, [Side.RED], 900, ring) is Side.WHITE


@pytest.mark.parametrize(
    ("beside", "side"),
    [(slice(2, 10), Side.WHITE), (slice(0, 4), None), (slice(2, 5), None), (slice(0, 0), None)],
)
def test_an_arm_comes_from_where_it_lies_beside_the_board(beside: slice, side: Side | None) -> None:
    """A hand over Red's rows has come in over the side, and crosses nobody's rim."""
    hidden, ring = np.zeros((8, 8), np.float32), np.zeros((10, 10), np.bool_)
    hidden[1:3, 0] = 1.0
    ring[beside, 0] = True
    assert Reach().owner(hidden.ravel(), [], 100, ring) is side
    turned = np.ascontiguousarray(ring[::-1, ::-1])
    other = Reach().owner(hidden.ravel()[::-1], [], 100, turned)
    assert other is (side.other if side else None)


@pytest.mark.parametrize(
    ("rim", "arms", "side"),
    [
        (slice(0, 4), [Side.RED, Side.WHITE], Side.RED),
        (slice(5, 8), [Side.RED, Side.WHITE], Side.WHITE),
        (slice(0, 4), [], Side.WHITE),
    ],
)
def test_a_shadow_beside_the_board_owns_no_arm_that_has_come_over_the_other_rim(
    rim: slice, arms: list[Side], side: Side
) -> None:
    """Somebody passes while Red's hand comes in, and darkens a side and White's rim. Where Red's
    hand rests apart, or fingertips alone reach over his rim, it is White's arm that lies there."""
    hidden, ring = np.zeros((8, 8), np.float32), np.zeros((10, 10), np.bool_)
    hidden[:2, 1] = 1.0
    ring[1:, 0] = ring[9, 1:4] = ring[0, rim] = True
    since = dict.fromkeys(arms, 100)
    owner = Reach().owner(hidden.ravel(), since, 300, ring)
    assert [hand.side for hand in hands_over(hidden.ravel(), since, owner=owner)] == [side]
    turned = np.ascontiguousarray(ring[::-1, ::-1])
    other = Reach().owner(hidden.ravel()[::-1], since, 300, turned)
    assert other is (owner.other if owner else None)


def test_an_arm_that_comes_slowly_is_not_learnt_and_leaves_none_behind() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    box = _with_bar(board, (3.0, 8.9), (5.0, 8.9))
    for time_ms in range(0, 2_000, 100):
        assert not rims.arms(board, time_ms, True)
    for step in range(60):  # so little in each frame that nothing seems to move
        faded = cv2.addWeighted(box, step / 60, board, 1 - step / 60, 0)
        rims.arms(faded, 2_000 + 20 * step, True)
    assert list(rims.arms(box, 3_200, True)) == [Side.WHITE]
    assert not rims.arms(board, 3_300, True)


def test_what_stays_on_a_rim_without_motion_is_no_arm() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    box = _with_bar(board, (3.0, 8.9), (5.0, 8.9))
    assert not rims.arms(board, 0, True)
    assert list(rims.arms(box, 100, True)) == [Side.WHITE]
    assert not rims.arms(box, 3_000, True)
    assert not rims.arms(box, 3_100, True)


def test_what_is_put_down_on_a_rim_belongs_there_though_play_goes_on_elsewhere() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    box = _with_bar(board, (0.5, 8.9), (2.5, 8.9))
    for time_ms in range(0, 2_000, 100):
        assert not rims.arms(board, time_ms, True)
    for time_ms in range(2_100, 4_100, 200):
        place = 3.5 + time_ms % 400 / 100
        busy = _with_bar(box, (place, -4.0), (place, -0.2))
        assert Side.RED in rims.arms(busy, time_ms, True)
    assert list(rims.arms(busy, 4_200, True)) == [Side.RED]


def test_a_hand_that_has_rested_on_a_rim_leaves_no_arm_behind() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    hand = _with_bar(board, (4.0, 12.0), (4.0, 8.4))
    for time_ms in range(0, 2_000, 100):
        rims.arms(board, time_ms, True)
    told = [bool(rims.arms(hand, time_ms, True)) for time_ms in range(2_000, 4_000, 100)]
    assert told[0]
    assert not told[-1]
    assert not rims.arms(board, 4_000, True)
    assert list(rims.arms(_with_bar(board, (2.0, 12.0), (2.0, 8.4)), 4_100, True)) == [Side.WHITE]


def test_a_hand_over_a_rim_is_seen_though_the_camera_was_just_pushed() -> None:
    view = view_from(25)
    calibration = calibrate(draw_board(view, START), START)
    assert isinstance(calibration, Calibration)
    eye = Eye(calibration)
    for time_ms in range(0, 2_500, 100):
        eye.observe(draw_board(view, START, seed=time_ms), time_ms)
    hand = _with_bar(draw_board(view, START), (4.0, 12.0), (4.0, 8.4))
    pushed = np.roll(hand, (4, 5), axis=(0, 1))
    seen = [eye.observe(pushed + np.uint8(n % 2), 2_500 + 100 * n) for n in range(3)]
    assert seen[0].shift > 30
    assert [hand.side for hand in seen[-1].hands] == [Side.WHITE]


def test_noise_on_the_rims_is_no_motion() -> None:
    rims = Rims(view_from(25))
    boards = [draw_board(view_from(25), START, noise=25.0, seed=i) // 3 for i in range(20)]
    assert not rims.arms(boards[0], 0, True)
    boxes = [_with_bar(board, (3.0, 8.6), (5.0, 8.6)) for board in boards]
    arms = [rims.arms(box, 100 * i, True) for i, box in enumerate(boxes[1:], start=1)]
    assert list(arms[0]) == [Side.WHITE]
    assert not arms[-1]


def test_a_hand_that_leaves_the_rim_after_the_first_picture_is_forgotten_at_once() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    hand = _with_bar(board, (4.0, 12.0), (4.0, 8.4))
    rims.arms(hand, 0, True)
    assert list(rims.arms(board, 100, True)) == [Side.WHITE]
    rims.arms(board, 200, True)
    assert not rims.arms(board, 300, True)
    for time_ms in range(400, 2_000, 100):
        assert not rims.arms(board, time_ms, True)
    for time_ms in range(2_000, 3_000, 100):  # what comes later is an arm until it has rested
        assert list(rims.arms(hand, time_ms, True)) == [Side.WHITE]


def test_what_a_rim_looks_like_is_learnt_when_no_hand_is_there() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    assert not rims.arms(_with_bar(board, (4.0, 12.0), (4.0, 4.0)), 0, False)
    assert not rims.arms(board, 100, True)
    assert list(rims.arms(_with_bar(board, (4.0, 12.0), (4.0, 4.0)), 200, False)) == [Side.WHITE]


def test_a_hand_over_the_far_rows_is_named_by_the_rim_it_came_over() -> None:
    hidden = np.zeros((8, 8), np.float32)
    hidden[:3, 3:5] = 1.0
    assert hands_over(hidden.ravel())[0].side is Side.RED
    assert hands_over(hidden.ravel(), {Side.WHITE: 0})[0].side is Side.WHITE


def test_a_hand_may_cover_what_lies_beside_it_and_is_perhaps_hidden() -> None:
    hidden = np.zeros((8, 8), np.float32)
    hidden[5:, 4] = 0.9
    assert hands_over(hidden.ravel())[0].squares == (23, 31)
    hidden[5, 3] = hidden[4, 5] = hidden[4, 1] = 0.1  # square 19 and, apart from the arm, 17
    assert hands_over(hidden.ravel())[0].squares == (19, 23, 31)
    hidden[4, 5] = 0.002
    assert hands_over(hidden.ravel())[0].squares == (23, 31)


@pytest.mark.parametrize(
    ("since", "side"),
    [
        ({Side.RED: 300, Side.WHITE: 100}, Side.WHITE),
        ({Side.RED: 100, Side.WHITE: 300}, Side.RED),
        ({Side.RED: 100, Side.WHITE: 100}, None),
    ],
)
def test_an_arm_that_reaches_right_across_is_one_hand(
    since: dict[Side, int], side: Side | None
) -> None:
    hidden = np.ones((8, 8), np.float32)
    hidden[:, :4] = hidden[:, 6:] = 0.0
    hidden[3] = 0.0  # where the sleeve ends a row of cells is thought to be in view
    hands = hands_over(hidden.ravel(), since)
    assert [(hand.side, len(hand.squares)) for hand in hands] == [(side, 7)]


def test_a_few_cells_that_a_lamp_hides_at_the_edge_are_no_hand_for_long() -> None:
    hidden = np.zeros((8, 8), np.float32)
    hidden[6, 2:5] = hidden[7, 4] = 1.0
    assert hands_over(hidden.ravel())[0].squares == (26, 31)
    assert hands_over(hidden.ravel(), {}, hidden.ravel() > 0) == ()
    assert hands_over(hidden.ravel(), {Side.WHITE: 0}, hidden.ravel() > 0)[0].squares == (26, 31)
    hidden[5, 2:5] = 1.0
    assert len(hands_over(hidden.ravel(), {}, hidden.ravel() > 0)) == 1


def test_what_hides_cells_from_the_first_is_no_hand_until_it_grows() -> None:
    _, calibration = _calibrated()
    board = draw_board(view_from(25), START)
    lamp, arm = (_with_bar(board, (4.0, 8.0), (4.0, end)) for end in (5.5, 3.0))
    eye = Eye(calibration)
    hands = [eye.observe(image, 100 * i).hands for i, image in enumerate((lamp, lamp, arm, lamp))]
    assert [bool(seen) for seen in hands] == [False, False, True, False]
    known = Eye(calibration)
    known.observe(board, 0)
    assert known.observe(lamp, 100).hands


@pytest.mark.parametrize(("hides", "hands"), [(0.7, 0), (0.97, 1)])
def test_a_square_left_bare_beside_a_lamp_is_no_hand(hides: float, hands: int) -> None:
    """Its light, too, is mirrored there, if faintly; what an arm covers shows nothing."""
    hidden = np.zeros(64, np.float32)
    hidden[[52, 60]] = 0.99, 0.8
    lamps = lamps_of(hidden, None)
    hidden[51] = hides
    assert len(hands_over(hidden, lamps=lamps)) == hands
    assert len(hands_over(hidden)) == 1


def test_a_lamp_that_has_gone_is_forgotten() -> None:
    hidden = np.zeros(64, np.float32)
    hidden[[31, 39]] = 1.0
    lamps = lamps_of(hidden, None)
    assert lamps_of(hidden, lamps)[[31, 39]].all()
    gone = lamps_of(np.zeros(64, np.float32), lamps)
    assert not lamps_of(hidden, gone).any()
    assert not lamps_of(np.ones(64, np.float32), None).any()


def test_two_hands_on_one_file_are_two() -> None:
    hidden = np.zeros((8, 8), np.float32)
    hidden[[0, 1, 2, 5, 6, 7], 4] = 1.0
    hands = hands_over(hidden.ravel(), {Side.RED: 300, Side.WHITE: 100})
    assert [hand.side for hand in hands] == [Side.RED, Side.WHITE]


def test_the_rim_that_was_crossed_first_is_remembered() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    assert not rims.arms(board, 0, True)
    rims.arms(_with_bar(board, (4.0, 12.0), (4.0, 4.0)), 100, False)
    across = _with_bar(board, (4.0, 12.0), (4.0, -1.5))
    assert rims.arms(across, 200, False) == {Side.RED: 200, Side.WHITE: 100}


def test_what_is_hidden_amid_the_board_without_an_arm_is_no_hand() -> None:
    hidden = np.zeros((8, 8), np.float32)
    hidden[3, 3:5] = 1.0
    assert hands_over(hidden.ravel()) == ()
    assert hands_over(hidden.ravel(), {Side.RED: 0})[0].side is Side.RED


def test_a_strangers_hand_comes_over_the_boards_side() -> None:
    hidden = np.zeros((8, 8), np.float32)
    hidden[3, :4] = 1.0
    assert [hand.side for hand in hands_over(hidden.ravel())] == [None]


# --- The whole way --------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [0, 90, 180])
def test_a_picture_of_the_start_is_read_whole(turn: float) -> None:
    view = view_from(25, turn)
    reading = read_picture(draw_board(view, START))
    assert reading.found
    assert "".join(reading.cells) == SIXTY_FOUR
    assert reading.view is not None
    assert np.abs(reading.view.corners() - view.corners()).max() < 2.0


def test_where_no_king_could_be_seen_it_is_told_and_nothing_is_called_certain() -> None:
    above = read_picture(draw_board(view_from(2), START))
    (told,) = above.problems
    assert told.startswith("on 24 of the 24 squares with pieces a king shows faintly or not at all")
    pieces = [c for c, s in zip(above.confidence, SIXTY_FOUR, strict=True) if s != EMPTY]
    assert max(pieces) == 0.93
    assert max(above.confidence) > 0.99  # bare squares are seen from anywhere
    near = read_picture(draw_board(view_from(45, lens=Lens(1920, 1440, 1600.0)), START))
    assert near.problems == ()
    assert near.corner_sigma is not None
    assert 0 < near.corner_sigma < 0.1


@pytest.mark.parametrize(("confidence", "marked"), [(0.95, False), (0.85, True)])
def test_a_doubtful_square_is_marked_in_yellow_though_it_is_empty(
    confidence: float, marked: bool
) -> None:
    view, plain = view_from(25), np.zeros((720, 960, 3), np.uint8)
    certain_of = [1.0] * 64
    certain_of[8 * 3 + 0] = confidence  # square 13
    reading = Reading(True, view=view, cells=("." * 8,) * 8, confidence=tuple(certain_of))
    blue, green, red = np.moveaxis(draw_reading(plain, reading).astype(int), -1, 0)
    yellow = np.minimum(red, green) - blue > 60  # thin strokes are mixed with what is under them
    assert yellow.any() == marked


def test_a_black_picture_is_refused_with_a_reason() -> None:
    reading = read_picture(np.zeros((480, 640, 3), np.uint8))
    assert not reading.found
    assert reading.reason


@pytest.mark.parametrize(("reach", "learns"), [(5.0, True), (2.0, False)])
def test_a_set_is_learnt_though_a_lamp_or_fingertips_hide_some_of_it(
    reach: float, learns: bool
) -> None:
    board = draw_board(view_from(25), START)
    found = calibrate(_with_bar(board, (4.0, 12.0), (4.0, reach)))
    assert isinstance(found, Calibration) is learns
    assert learns or (isinstance(found, Refusal) and "hidden" in found.reason)


def test_nothing_is_learnt_from_a_square_that_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    learnt: list[list[str]] = []
    learn = Palette.learn

    def noted(colours: np.ndarray, labels: list[str]) -> Palette | None:
        assert len(colours) == len(labels)
        learnt.append(labels)
        return learn(colours, labels)

    monkeypatch.setattr(Palette, "learn", staticmethod(noted))
    board = draw_board(view_from(25), START)
    assert isinstance(calibrate(board), Calibration)
    assert isinstance(calibrate(_with_bar(board, (4.0, 12.0), (4.0, 5.0))), Calibration)
    assert [len(labels) for labels in learnt] == [32, 29]


def test_calibration_refuses_another_position_and_names_the_squares() -> None:
    view = view_from(25)
    missing = START[:8] + "...." + START[12:]
    refusal = calibrate(draw_board(view, missing))
    assert isinstance(refusal, Refusal)
    assert "9, 10, 11, 12" in refusal.reason


@pytest.mark.parametrize(
    ("setup", "wrong"),
    [
        (START, ()),
        (replaced(START, {11: "."}), (11,)),
        (replaced(START, {11: ".", 15: "r"}), (11, 15)),
        (replaced(START, {11: "w", 22: "."}), (11, 22)),
    ],
)
def test_once_the_set_is_learnt_squares_that_are_not_as_they_should_be_are_named_and_left_out(
    setup: str, wrong: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    learnt: list[int] = []
    learn = Palette.learn

    def noted(colours: np.ndarray, labels: list[str]) -> Palette | None:
        learnt.append(len(labels))
        return learn(colours, labels)

    monkeypatch.setattr(Palette, "learn", staticmethod(noted))
    image = draw_board(view_from(25), setup)
    known = calibrate(image)
    assert isinstance(known, Calibration)
    assert first_sight.contradicting(image, known, START) == wrong
    assert learnt[-1] == 32 - len(wrong)


def test_a_board_laid_a_quarter_turn_wrong_is_named() -> None:
    in_a_mirror = np.ascontiguousarray(draw_board(view_from(25), START)[:, ::-1])
    refusal = calibrate(in_a_mirror)
    assert isinstance(refusal, Refusal)
    assert "dark corner" in refusal.reason


def _calibrated() -> tuple[Eye, Calibration]:
    calibration = calibrate(draw_board(view_from(25), START))
    assert isinstance(calibration, Calibration)
    return Eye(calibration), calibration


def _look(eye: Eye, setup: str, time_ms: int) -> str:
    seen = eye.observe(draw_board(view_from(25), setup, seed=time_ms), time_ms)
    assert seen.view is View.CLEAR
    return _sides(seen)


def _sides(seen: Observation) -> str:
    return "".join(".rRwW"[row.index(0)].lower() for row in seen.evidence)


def test_a_camera_without_pictures_is_told_from_a_board_that_is_gone() -> None:
    image, views = draw_board(view_from(25), START), list[View]()

    def feed(game: Game, given: Input) -> tuple[Game, tuple[Event, ...]]:
        assert isinstance(given, Observation)
        views.append(given.view)
        return game, ()

    frames = [Frame(image, 0), Frame(image, 100, "lost"), Frame(image, 200, "frozen")]
    list(follow(frames, begin(), _calibrated()[1], feed))
    assert views == [View.CLEAR, View.NO_PICTURE, View.FROZEN]


def test_the_eye_follows_a_move() -> None:
    eye, _ = _calibrated()
    moved = START[:10] + "." + START[11:14] + "r" + START[15:]
    assert _look(eye, START, 0) == START
    assert _look(eye, moved, 100) == moved


def test_a_square_that_is_emptied_while_a_shadow_falls_on_the_board_is_read_at_once() -> None:
    eye, _ = _calibrated()
    assert _look(eye, START, 0) == START
    emptied = START[:20] + "." + START[21:]
    shaded = draw_board(view_from(25), emptied)
    shaded[:, : int(0.6 * shaded.shape[1])] //= 2
    assert eye.observe(shaded, 100).evidence[20][0] == 0


@pytest.mark.parametrize("factor", [0.85, 1.15], ids=["darker", "brighter"])
def test_another_picture_in_another_light_is_read_whole_at_once(factor: float) -> None:
    eye, calibration = _calibrated()
    _look(eye, START, 0)
    other = "." * 9 + "rwRW..rwr..wRr.W" + "." * 7
    lit = np.clip(draw_board(view_from(25), other, seed=4) * factor, 0, 255).astype(np.uint8)
    assert eye.observe(lit, 100).evidence == Eye(calibration).observe(lit, 100).evidence


def test_a_move_is_seen_at_once_while_the_exposure_drifts() -> None:
    eye, _ = _calibrated()
    moved = START[:10] + "." + START[11:14] + "r" + START[15:]
    for step, setup in enumerate([START] * 19 + [moved]):
        picture = draw_board(view_from(25), setup, seed=step) * (1 - 0.012 * step)
        seen = eye.observe(picture.astype(np.uint8), 60 * step)
    assert _sides(seen) == moved


def test_a_covered_camera_is_not_watching() -> None:
    eye, _ = _calibrated()
    grey = np.full((720, 960, 3), 90, np.uint8)
    assert eye.observe(grey, 0).view is View.COVERED
    assert eye.observe(grey // 20, 100).view is View.DARK


def test_a_camera_out_of_focus_is_not_watching_until_it_is_sharp_again() -> None:
    eye, _ = _calibrated()
    sharp = draw_board(view_from(25), START)
    soft = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 6), np.uint8)
    states = [eye.observe(image, 100 * i).view for i, image in enumerate((sharp, soft, sharp))]
    assert states == [View.CLEAR, View.BLURRED, View.CLEAR]


def _hang(eye: Eye, lively: int) -> list[View]:
    """What an eye says of a camera that hangs after so many frames, for a second."""
    frames = [draw_board(view_from(25), START, seed=i) for i in range(3)]
    shown = [frames[i % 3] for i in range(lively)] + [frames[lively % 3]] * 11
    return [eye.observe(image, 100 * i).view for i, image in enumerate(shown)][lively:]


def test_a_camera_that_hangs_is_not_watching_within_a_second() -> None:
    eye, _ = _calibrated()
    states = _hang(eye, lively=24)
    assert states[0] is View.CLEAR
    assert states[-1] is View.FROZEN
    assert eye.observe(draw_board(view_from(25), START, seed=9), 9_000).view is View.CLEAR


def test_a_camera_that_says_that_nothing_is_new_does_not_hang() -> None:
    eye, _ = _calibrated()
    frames = [draw_board(view_from(25), START, seed=i) for i in range(3)]
    for i in range(24):
        eye.observe(frames[i % 3], 100 * i)
    states = [eye.observe(frames[2], 2400 + 100 * i, still=True).view for i in range(9)]
    assert set(states) == {View.CLEAR}


def test_a_recording_that_repeats_its_frames_is_not_taken_for_a_camera_that_hangs() -> None:
    eye, _ = _calibrated()
    assert View.FROZEN not in _hang(eye, lively=2)


def test_a_bump_is_measured_and_healed() -> None:
    eye, calibration = _calibrated()
    pushed = np.roll(draw_board(view_from(25), START), 9, axis=1)
    assert eye.observe(pushed, 0).shift > 50
    assert eye.observe(pushed, 100).shift == 0
    assert np.abs(eye.view.corners() - calibration.view.corners() - [9, 0]).max() < 1.0


def test_a_tremble_is_followed_without_reading_the_board_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    eye, _ = _calibrated()
    image = draw_board(view_from(25), START)
    eye.observe(image, 0)
    read, counts = Reader.read, list[int]()

    def counted(reader: Reader, seen: Floats) -> Cells:
        counts.append(len(seen))
        return read(reader, seen)

    monkeypatch.setattr(Reader, "read", counted)
    assert eye.observe(np.roll(image, 1, axis=1), 100).shift > 0
    assert sum(counts) < 32


def test_a_calibration_survives_its_file(tmp_path: Path) -> None:
    _, calibration = _calibrated()
    calibration.save(tmp_path / "board.json")
    assert Calibration.load(tmp_path / "board.json") == calibration


def test_one_changed_digit_of_a_calibration_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    _calibrated()[1].save(path)
    text = path.read_text()
    place = text.index("0.", text.index("translation")) + 2
    path.write_text(text[:place] + str(9 - int(text[place])) + text[place + 1 :])
    with pytest.raises(CalibrationError):
        Calibration.load(path)


def test_a_calibration_of_the_version_without_a_checksum_is_read(tmp_path: Path) -> None:
    path, calibration = tmp_path / "board.json", _calibrated()[1]
    calibration.save(path)
    record = json.loads(path.read_text())
    del record["sum"]
    path.write_text(json.dumps({**record, "version": 2}))
    assert Calibration.load(path) == calibration
    nan = float("nan")
    view, palette = record["view"], record["palette"]
    for wrong in (
        {"view": {**view, "lens": {**view["lens"], "width": nan}}},
        {"view": {**view, "lens": {**view["lens"], "focal_px": nan}}},
        {"thickness": nan},
        {"radius": -0.3},
        {"palette": {**palette, "bare": {**palette["bare"], "spread": [0, 0, 0]}}},
    ):
        path.write_text(json.dumps({**record, "version": 2, **wrong}))
        with pytest.raises(CalibrationError):
            Calibration.load(path)


def test_a_file_that_tells_no_thickness_of_each_side_has_one_for_both(tmp_path: Path) -> None:
    path, calibration = tmp_path / "board.json", _calibrated()[1]
    assert calibration.looks is not None
    assert min(calibration.thicknesses) >= calibration.thickness
    calibration.save(path)
    record = json.loads(path.read_text())
    del record["sum"], record["looks"]
    path.write_text(json.dumps({**record, "version": 2}))
    assert Calibration.load(path).thicknesses == (calibration.thickness,) * 2
    for looks in ([0.1], [0.1, -0.1], [0.1, float("inf")]):
        path.write_text(json.dumps({**record, "version": 2, "looks": looks}))
        with pytest.raises(CalibrationError):
            Calibration.load(path)


def test_a_file_that_tells_nothing_of_men_who_look_kings_has_none(tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    calibration = replace(_calibrated()[1], kinglike=(1.5, 0.0))
    calibration.save(path)
    assert Calibration.load(path) == calibration
    record = json.loads(path.read_text())
    del record["sum"], record["kinglike"]
    path.write_text(json.dumps({**record, "version": 2}))
    assert Calibration.load(path).kinglike == (0.0, 0.0)
    path.write_text(json.dumps({**record, "version": 2, "kinglike": [-1.0, 0.0]}))
    with pytest.raises(CalibrationError):
        Calibration.load(path)


@pytest.mark.parametrize(
    ("kinglike", "told"),
    [((0.5, 0.0), []), ((1.5, 0.0), ["darker"]), ((0.8, 0.9), ["darker", "lighter"])],
)
def test_people_are_told_of_men_who_look_kings(
    kinglike: tuple[float, float], told: list[str], tmp_path: Path
) -> None:
    known = replace(_calibrated()[1], kinglike=kinglike)
    problems = record(known, tmp_path / "board.json")["problems"]
    assert isinstance(problems, list)
    assert re.findall(r"the men of the (\w+) side look much like kings", str(problems)) == told


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "7", "[" * 9_000, '{"version": 1}', '{"version": 9}', "\x00"]
)
def test_another_file_is_no_calibration(tmp_path: Path, text: str) -> None:
    path = tmp_path / "board.json"
    path.write_text(text)
    with pytest.raises(CalibrationError, match="referee calibrate"):
        Calibration.load(path)

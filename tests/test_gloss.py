"""A lamp mirrored in the discs of a set, more here than there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from calibration.arrays import Image
from calibration.gloss import Gloss
from calibration.locate import Refusal
from calibration.model import View
from calibration.palette import Palette
from calibration.saved import Calibration, CalibrationError
from referee import board
from referee.board import SQUARES, START, cell_of
from referee.eye.eye import Eye
from referee.eye.first_sight import calibrate
from referee.eye.light import DARK_CELLS
from referee.observation import Row
from referee.tracking.waiting import READY_FAINT
from referee.verbs.calibrate import record
from sample_images.play import pictures, prepare
from sample_images.script import parse
from tests.boards import draw_board, view_from

BLACK, YELLOW, BARE = (-1.6, -1.9, -1.75), (-0.1, -0.2, -0.05), (-1.2, -1.3, -1.0)
DUE = np.array([{"r": -1, "w": 1, ".": 0}[sign] for sign in START])
LAMP = """
set wood
camera pi3wide 20.4 220.7
size 640 360
light dim
table cloth
rate 5
pace 1.32
seed 6721005

wait 1
9-14
22-18
"""
"""A lamp makes the black discs of one edge as pale as the others."""


def _board(strength: float, due: np.ndarray = DUE) -> np.ndarray:
    """(64, 3) log colours of the 32 squares; the lamp is mirrored in the right edge's discs."""
    rng = np.random.default_rng(1)
    plain = np.exp(np.array([BARE, YELLOW, BLACK])[due] + rng.normal(0, 0.04, (32, 3)))
    column = np.array([cell_of(square)[1] for square in SQUARES])
    mirrored = strength * (column / 7.0) ** 2 * (due != 0)
    colours = np.zeros((64, 3))
    colours[DARK_CELLS] = np.log(plain + mirrored[:, None])
    return colours


def _learnt(colours: np.ndarray, due: np.ndarray = DUE) -> Gloss | None:
    return Gloss.learn(colours[DARK_CELLS][due != 0], DARK_CELLS[due != 0], due[due != 0] > 0)


def _plain(colours: np.ndarray) -> Palette:
    palette = Palette.learn(
        colours[DARK_CELLS], np.array(["bare", "lighter", "darker"])[DUE].tolist()
    )
    assert palette is not None
    return palette


def test_the_lamp_taken_off_the_sides_lie_far_apart() -> None:
    colours = _board(0.8)
    plain, gloss = _plain(colours), _learnt(colours)
    assert gloss is not None
    assert gloss.helps(plain)
    assert gloss.palette(plain).separation() > 3 * plain.separation()


def test_it_holds_where_no_disc_of_that_side_has_been() -> None:
    """Red's men have come to White's end of the board, and White's to Red's."""
    colours = _board(0.8)
    gloss = _learnt(colours)
    assert gloss is not None
    swapped = gloss.evened(_board(0.8, -DUE))[DARK_CELLS][DUE != 0]
    odds = gloss.palette(_plain(colours)).side_odds(swapped)
    assert np.array_equal(odds > 0, DUE[DUE != 0] < 0)


def test_without_a_lamp_it_is_no_help() -> None:
    colours = _board(0.0)
    gloss = _learnt(colours)
    assert gloss is None or not gloss.helps(_plain(colours))


@pytest.mark.parametrize("squares", [(12, 21), (4, 12, 21, 29), (9, 10, 11, 12)])
def test_discs_of_the_wrong_side_are_not_taken_for_a_lamp(squares: tuple[int, ...]) -> None:
    due = DUE.copy()
    due[[square - 1 for square in squares]] *= -1
    assert _learnt(_board(0.8, due)) is None


def test_from_few_discs_nothing_is_learnt() -> None:
    few = np.where(np.arange(32) % 4 == 0, DUE, 0)
    assert _learnt(_board(0.8), few) is None


@cache
def _pictures() -> list[Image]:
    return [image for _, image in pictures(prepare(parse(LAMP)))]


def _wrong(known: Calibration, image: Image) -> int:
    """How many squares are read otherwise than they are after 9-14 and 22-18, ranks aside."""
    due = board.replace(START, {9: ".", 14: "r", 22: ".", 18: "w"})
    return _misread(Eye(known).observe(image, 0).evidence, due)


def _misread(rows: Sequence[Row], due: str) -> int:
    seen = [".rrww"[max(range(5), key=row.__getitem__)] for row in rows]
    return sum(sign != other for sign, other in zip(seen, due, strict=True))


def test_a_game_under_such_a_lamp_is_learnt_and_read() -> None:
    seen = _pictures()
    known = calibrate(seen[2])
    assert isinstance(known, Calibration)
    assert _wrong(known, seen[-1]) == 0
    assert _wrong(replace(known, gloss=None), seen[-1]) > 0


def test_the_lamp_stays_where_it_is_when_the_board_is_numbered_from_its_other_end() -> None:
    seen = _pictures()
    known = calibrate(seen[2])
    assert isinstance(known, Calibration)
    about = known.seen_from(known.view.turned(2))
    eye = Eye(about)
    assert _misread(eye.observe(seen[2], 0).evidence, START) == 0  # it has turned itself back
    assert eye.view.swing(known.view) < 0.1
    assert about.seen_from(known.view).gloss == known.gloss
    assert known.seen_from(known.view.slid(0.3, 0.2)).gloss == known.gloss


def _with_a_lamp(picture: Image, view: View, squares: tuple[int, ...]) -> Image:
    """The picture with a white lamp mirrored in the middle of these squares' discs alone."""
    lit = picture.astype(float)
    down, right = np.mgrid[: picture.shape[0], : picture.shape[1]]
    for row, column in map(cell_of, squares):
        middle, aside = view.project(
            np.array([[column + 0.5, row + 0.5], [column + 0.9, row + 0.5]])
        )
        away = 0.4 * np.hypot(*(np.dstack([right, down]) - middle).T).T
        away /= np.linalg.norm(aside - middle)
        lit += 150 * ((away < 0.36) * np.exp(-((away / 0.22) ** 2)))[..., None]
    return np.clip(lit, 0, 255).astype(np.uint8)


def test_a_start_is_learnt_though_a_lamp_is_mirrored_in_some_discs_of_a_side() -> None:
    view, dazzled = view_from(25), (5, 6, 10, 11)
    picture = _with_a_lamp(draw_board(view, START), view, dazzled)
    known = calibrate(picture)
    assert isinstance(known, Calibration)
    assert known.gloss is None
    rows = Eye(known).observe(picture, 0).evidence
    assert all(max(red, king) > -READY_FAINT for _, red, king, _, _ in rows[:12])


def test_a_start_with_discs_of_the_wrong_side_is_refused() -> None:
    wrong = board.replace(START, {5: "w", 6: "w", 10: "w", 11: "w"})
    refusal = calibrate(draw_board(view_from(25), wrong))
    assert isinstance(refusal, Refusal)
    assert "5, 6, 10, 11" in refusal.reason


def test_what_was_learnt_is_kept_in_the_file(tmp_path: Path) -> None:
    known = calibrate(_pictures()[2])
    assert isinstance(known, Calibration)
    assert known.gloss is not None
    path = tmp_path / "calibration.json"
    known.save(path)
    assert Calibration.load(path) == known
    (told,) = (text for text in record(known, path)["problems"] if "lamp" in text)
    assert told.startswith("a lamp is mirrored in the discs")


def test_a_field_of_another_size_is_no_calibration(tmp_path: Path) -> None:
    known = calibrate(_pictures()[2])
    assert isinstance(known, Calibration)
    assert known.gloss is not None
    path = tmp_path / "calibration.json"
    replace(known, gloss=replace(known.gloss, added=known.gloss.added[1:])).save(path)
    with pytest.raises(CalibrationError):
        Calibration.load(path)

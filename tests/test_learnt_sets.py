"""A set that is learnt from the first position, and the file that keeps it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.locate import Refusal
from calibration.palette import Palette
from calibration.saved import Calibration, CalibrationError
from hardware.camera import Frame
from referee.board import START
from referee.board import replace as replaced
from referee.eye import first_sight
from referee.eye.first_sight import calibrate
from referee.verbs.calibrate import record
from referee.verbs.calibrations import fitting
from tests.boards import draw_board, view_from
from tests.eyes import calibrated, with_bar


@pytest.mark.parametrize(("reach", "learns"), [(5.0, True), (2.0, False)])
def test_a_set_is_learnt_though_a_lamp_or_fingertips_hide_some_of_it(
    reach: float, learns: bool
) -> None:
    board = draw_board(view_from(25), START)
    found = calibrate(with_bar(board, (4.0, 12.0), (4.0, reach)))
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
    assert isinstance(calibrate(with_bar(board, (4.0, 12.0), (4.0, 5.0))), Calibration)
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


def test_a_calibration_survives_its_file(tmp_path: Path) -> None:
    _, calibration = calibrated()
    calibration.save(tmp_path / "board.json")
    assert Calibration.load(tmp_path / "board.json") == calibration


def test_one_changed_digit_of_a_calibration_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    calibrated()[1].save(path)
    text = path.read_text()
    place = text.index("0.", text.index("translation")) + 2
    path.write_text(text[:place] + str(9 - int(text[place])) + text[place + 1 :])
    with pytest.raises(CalibrationError):
        Calibration.load(path)


def test_a_calibration_of_the_version_without_a_checksum_is_read(tmp_path: Path) -> None:
    path, calibration = tmp_path / "board.json", calibrated()[1]
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
        {"view": {**view, "pose": {**view["pose"], "translation": [1e300, 0, 1]}}},
        {"view": {**view, "pose": {**view["pose"], "translation": [0, 0, 0]}}},
        {"thickness": nan},
        {"radius": -0.3},
        {"palette": {**palette, "bare": {**palette["bare"], "spread": [0, 0, 0]}}},
    ):
        path.write_text(json.dumps({**record, "version": 2, **wrong}))
        with pytest.raises(CalibrationError):
            Calibration.load(path)


@pytest.mark.parametrize("larger", [0.5, 1.0, 2.0])
def test_pictures_of_another_size_are_looked_at_as_they_are(larger: float) -> None:
    """Not made as small as those in which the board was found."""
    image, known = draw_board(view_from(25), START), calibrated()[1]
    seen = cv2.resize(image, None, fx=larger, fy=larger, interpolation=cv2.INTER_AREA)
    _, calibration = fitting(iter([Frame(seen, 0)]), known, pytest.fail)
    assert calibration is not None
    lens = calibration.view.lens
    assert (lens.height, lens.width) == seen.shape[:2]
    drawn = larger * (known.view.corners() + 0.5) - 0.5
    assert np.abs(calibration.view.corners() - drawn).max() < 0.01


def test_a_file_that_tells_no_thickness_of_each_side_has_one_for_both(tmp_path: Path) -> None:
    path, calibration = tmp_path / "board.json", calibrated()[1]
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
    calibration = replace(calibrated()[1], kinglike=(1.5, 0.0))
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
    known = replace(calibrated()[1], kinglike=kinglike)
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

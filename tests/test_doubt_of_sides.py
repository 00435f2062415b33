"""Two sides that glare makes equally bright."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.locate import Refusal
from calibration.palette import Palette, Tone
from calibration.saved import Calibration
from referee.board import START
from referee.eye import first_sight
from referee.eye.eye import Eye
from referee.eye.first_sight import calibrate
from referee.eye.glance import BoardGlance
from referee.eye.light import DARK_CELLS
from referee.eye.sides import EVEN, are_light_and_dark
from referee.verbs.calibrations import doubt_of_sides
from tests.boards import draw_board, view_from

SPREAD = (0.1, 0.1, 0.1)


def brightness(brighter: float) -> Palette:
    """Its lighter side is so many times as bright."""
    grey = float(np.log(0.4))
    darker, lighter = (Tone((v, v, v), SPREAD) for v in (grey, grey + float(np.log(brighter))))
    return Palette(Tone((-2.0, -2.0, -2.0), SPREAD), darker, lighter)


def _calibration(turn: float, brighter: float) -> Calibration:
    known = calibrate(draw_board(view_from(25, turn), START))
    assert isinstance(known, Calibration)
    return replace(known, palette=brightness(brighter))


def test_brightness_is_that_of_people_not_of_one_colour() -> None:
    red, green = (float(np.log(v)) for v in (0.3, 0.6))
    reddish, greenish = Tone((red, red, green), SPREAD), Tone((red, green, red), SPREAD)
    palette = Palette(reddish, reddish, greenish)
    assert palette.lighter_by() == pytest.approx(np.log(0.4761 / 0.3897), rel=1e-3)


def test_a_set_that_is_told_apart_by_brightness_leaves_no_doubt() -> None:
    assert doubt_of_sides(_calibration(0, brighter=np.exp(EVEN + 0.1))) is None


@pytest.mark.parametrize(
    ("dark", "light", "told"),
    [(0.4, 1.0, True), (0.2, 0.65, True), (0.1, 0.35, False), (0.7, 0.9, False)],
)
def test_only_light_discs_beside_dark_ones_tell_who_begins(
    dark: float, light: float, told: bool
) -> None:
    """Red ones beside black do not, nor gold ones beside silver."""
    darker, lighter = (Tone((v, v, v), SPREAD) for v in (float(np.log(x)) for x in (dark, light)))
    palette = Palette(Tone((-2.0, -2.0, -2.0), SPREAD), darker, lighter)
    assert are_light_and_dark(palette) is told


@pytest.mark.parametrize(
    ("turn", "place"), [(0, "top"), (90, "right"), (180, "bottom"), (270, "left")]
)
def test_sides_of_one_brightness_are_told_of_with_the_place(turn: float, place: str) -> None:
    doubt = doubt_of_sides(_calibration(turn, brighter=1.1))
    assert doubt is not None
    assert f"at the {place} of the picture" in doubt
    assert "Red" not in doubt


@pytest.mark.parametrize(("least", "told"), [(1.0, True), (1e3, False)])
def test_colours_that_lie_near_each_other_do_where_every_disc_looks_its_own_sides(
    monkeypatch: pytest.MonkeyPatch, least: float, told: bool
) -> None:
    """A window that is mirrored in some discs moves all channels of their colour together."""
    monkeypatch.setattr(first_sight, "ALIKE", 1e3)
    monkeypatch.setattr(first_sight, "SLIGHT", least)
    found = calibrate(draw_board(view_from(25), START))
    assert isinstance(found, Calibration) is told
    assert told or (isinstance(found, Refusal) and "look alike" in found.reason)


@pytest.mark.parametrize("turn", [0, 180])
def test_discs_that_all_look_one_sides_at_first_are_told_by_the_colours_of_their_places(
    monkeypatch: pytest.MonkeyPatch, turn: float
) -> None:
    """Grey ones on a black board look light, wherever the camera stands."""
    look_all_light(monkeypatch)
    image = draw_board(view_from(25, turn), START)
    known = calibrate(image)
    assert isinstance(known, Calibration)
    seen = Eye(known).observe(image, 0)
    assert "".join(".rRwW"[row.index(0)].lower() for row in seen.evidence) == START


def test_colours_that_are_not_those_of_the_places_are_not_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    look_all_light(monkeypatch)
    mixed = START.translate(str.maketrans("rw", "wr"))[:5] + START[5:]
    refusal = calibrate(draw_board(view_from(25), mixed))
    assert isinstance(refusal, Refusal)
    assert "does not stand on it yet" in refusal.reason


def look_all_light(monkeypatch: pytest.MonkeyPatch) -> None:
    told = BoardGlance.signs
    monkeypatch.setattr(BoardGlance, "signs", lambda glance: told(glance).replace("r", "w"))


@pytest.mark.parametrize(("lighter", "told"), [(-4.0, True), (-9.0, False)])
def test_a_king_may_look_the_other_sides_where_men_tell_the_colours(
    monkeypatch: pytest.MonkeyPatch, lighter: float, told: bool
) -> None:
    """Of thick discs far away nothing but walls may be cut out, which may be of another colour."""
    setup = "WWWWrrrr................wwwwwwww"
    look_all_light(monkeypatch)
    rows = first_sight.evidence_rows
    kings = DARK_CELLS[:4]

    def looking(*given: object) -> tuple[object, np.ndarray]:
        found, nats = rows(*given)  # type: ignore[arg-type]
        nats = nats.copy()
        nats[kings] = lighter
        return found, nats

    monkeypatch.setattr(first_sight, "evidence_rows", looking)
    found = calibrate(draw_board(view_from(25), setup.lower()), setup)
    assert isinstance(found, Calibration) is told, found

"""The colours of a set, and what becomes of them in another light."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.palette import Palette, Tone

SPREAD = (0.05, 0.05, 0.05)
BLACK, YELLOW = (-1.6, -1.9, -1.75), (-0.5, -0.2, -0.05)
LEARNT = Palette(Tone((-2.1, -2.0, -1.2), SPREAD), Tone(BLACK, SPREAD), Tone(YELLOW, SPREAD))
SIDES = np.repeat([-1.0, 1.0], [7, 5])


def _discs(gloss: float, seed: int = 1) -> np.ndarray:
    """Seven black and five yellow discs, the black ones paler by so much."""
    rng = np.random.default_rng(seed)
    means = np.where(SIDES[:, None] < 0, np.array(BLACK) + gloss, YELLOW)
    return np.asarray(means + rng.normal(0, 0.05, (len(SIDES), 3)), float)


def test_in_the_light_in_which_it_was_learnt_it_stays_as_it_is() -> None:
    assert LEARNT.in_light_of(_discs(0.0), SIDES) is LEARNT
    assert LEARNT.in_light_of(np.zeros((0, 3)), np.zeros(0)) is LEARNT


@pytest.mark.parametrize("hint", [0.0, 3.0])
def test_a_lamp_mirrored_in_the_black_discs_makes_them_no_yellow_ones(hint: float) -> None:
    discs = _discs(1.1)
    assert (np.sign(LEARNT.plain_odds(discs)) != SIDES).any()
    adapted = LEARNT.in_light_of(discs, hint * SIDES)
    assert (np.sign(adapted.side_odds(discs)) == SIDES).all()


def test_the_discs_of_one_side_are_not_parted() -> None:
    yellow = _discs(0.0)[SIDES > 0] + 0.3
    adapted = LEARNT.in_light_of(yellow, np.ones(len(yellow)))
    assert (adapted.side_odds(yellow) > 0).all()


def test_a_wrong_hint_swaps_no_sides() -> None:
    discs = _discs(0.5)
    adapted = LEARNT.in_light_of(discs, -5 * SIDES)
    assert (np.sign(adapted.side_odds(discs)) == SIDES).all()


@pytest.mark.parametrize("lamp", [0.3, 0.5, 0.7])
def test_a_lamp_mirrored_in_one_disc_leaves_its_side_open(lamp: float) -> None:
    dazzled = np.log(np.minimum(np.exp([BLACK]) + lamp, 1.1))
    assert LEARNT.plain_odds(dazzled)[0] > 3.0
    assert LEARNT.side_odds(dazzled)[0] < 1.0


def test_a_disc_in_shade_is_not_the_darker_sides() -> None:
    shaded = np.array([YELLOW]) - 0.9
    assert LEARNT.plain_odds(shaded)[0] < -1.0
    assert LEARNT.side_odds(shaded)[0] > 1.0


def test_a_disc_that_looks_its_side_is_told_all_the_same() -> None:
    assert (SIDES * LEARNT.side_odds(_discs(0.0)) > 5.0).all()

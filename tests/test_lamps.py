"""Lamps that are mirrored in bare squares, which look hidden then."""

from __future__ import annotations

import numpy as np
import pytest

from referee.eye.arm import FEW, LYING_MS, NOWHERE
from referee.eye.lamps import SHOWN_MS, Covering, Lamps

BARE = np.zeros(64, np.float32)
LATELY = np.zeros(64, np.int64)
LONG = np.full(64, LYING_MS, np.int64)


def _hidden(*cells: int) -> np.ndarray:
    hidden = BARE.copy()
    hidden[list(cells)] = 0.99
    return hidden


def _seen(lamps: Lamps, *cells: int) -> list[int]:
    return np.flatnonzero(lamps.mirrored(_hidden(*cells))).tolist()


def _without() -> Lamps:
    lamps = Lamps()
    lamps.mind(BARE, LATELY, BARE, arms=False)
    return lamps


def test_what_a_square_shows_nothing_of_for_long_is_a_lamp() -> None:
    lamps = _without()
    lamps.mind(_hidden(30), LATELY, BARE, arms=False)
    assert _seen(lamps, 30) == []
    lamps.mind(_hidden(30), LONG, BARE, arms=False)
    assert _seen(lamps, 30) == [30]
    assert _seen(lamps, 30, 31, 32, 39, 47) == [], "all that hangs together there is a hand"
    assert _seen(lamps, 30, 12) == [30], "a hand elsewhere is another matter"


@pytest.mark.parametrize(("cells", "arms"), [([30], True), (range(FEW + 1), False)])
def test_a_hand_that_rests_there_is_none(cells, arms: bool) -> None:
    lamps = _without()
    lamps.mind(_hidden(*cells), LONG, BARE, arms)
    assert _seen(lamps, *cells) == []


def test_it_is_known_again_when_the_piece_has_gone_that_hid_it() -> None:
    lamps, disc = _without(), BARE.copy()
    disc[30] = 1.0
    lamps.mind(_hidden(30), LONG, BARE, arms=False)
    lamps.mind(BARE, LATELY, disc, arms=False)
    assert _seen(lamps, 30) == [30]
    lamps.mind(BARE, LATELY, BARE, arms=False)
    assert _seen(lamps, 30) == [], "seen bare, it is no more"


def test_what_is_hidden_in_the_first_picture_is_a_lamp_for_sure_only_after_a_while() -> None:
    lamps = Lamps()
    lamps.mind(_hidden(30, 31), LATELY, BARE, arms=False)
    assert np.flatnonzero(lamps.cells).tolist() == [30, 31]
    assert _seen(lamps, 30, 31) == []
    lamps.mind(
        _hidden(30, 31), np.where(BARE + np.arange(64) == 30, LONG, LATELY), BARE, arms=False
    )
    assert _seen(lamps, 30, 31) == [30, 31], "what hangs together with it is one lamp"
    moved = Lamps(NOWHERE)
    moved.mind(_hidden(30), LATELY, BARE, arms=False)
    assert not moved.cells.any(), "a hand may be there that has moved the board"


@pytest.mark.parametrize(("shown_ms", "lasts"), [(SHOWN_MS - 100, 4_900), (SHOWN_MS + 100, 900)])
def test_what_shows_for_a_moment_is_covered_all_the_while(shown_ms: int, lasts: int) -> None:
    covering, shown_at = Covering(), range(3_000, 3_000 + shown_ms, 100)
    told = [
        covering.lasts(BARE if time_ms in shown_at else _hidden(39), time_ms)[[39, 40]].tolist()
        for time_ms in range(0, 5_000, 100)
    ]
    assert told[20] == [2_000, 0]
    assert told[-1] == [lasts, 0]

"""How common kings are in a picture of which nothing is known."""

from __future__ import annotations

import numpy as np
import pytest

from referee.eye.rarity import beside, rarity

THERE = 0.99


def pieces(odds: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """64 cells, discs that look kings so much on the first of them."""
    presence = np.zeros(64)
    presence[: len(odds)] = THERE
    return np.array(odds + [0.0] * (64 - len(odds))), presence


def rare(odds: list[float]) -> np.ndarray:
    return rarity(*pieces(odds))[: len(odds)]


class TestRarity:
    def test_kings_are_commoner_the_fewer_pieces_there_are(self):
        first = [rare([0.0] * pieces)[0] for pieces in (24, 18, 12, 8)]
        assert first == sorted(first)
        assert first[0] < -5.0 < -1.5 < first[-1]

    def test_plain_kings_make_others_likelier(self):
        assert rare([0.5, 6.0, 6.0] + [-4.0] * 12)[0] > rare([0.5] + [-4.0] * 14)[0] + 1.0

    def test_a_piece_says_nothing_of_itself(self):
        assert rare([0.0] + [-3.0] * 11)[0] == pytest.approx(rare([7.0] + [-3.0] * 11)[0])

    def test_an_empty_board(self):
        assert np.isfinite(rarity(*pieces([]))).all()


class TestBeside:
    def test_where_men_are_plain_what_is_doubtful_is_none(self):
        odds, presence = pieces([0.0] + [-5.0] * 6)
        assert beside(odds, np.ones(64, np.bool_), presence)[0] == pytest.approx(1.5)

    def test_where_they_are_not_it_may_be(self):
        odds, presence = pieces([2.0] + [0.0] * 6)
        assert beside(odds, np.ones(64, np.bool_), presence)[0] == pytest.approx(0.0)

    def test_men_of_its_own_side_count_first(self):
        odds, presence = pieces([0.0] + [-5.0] * 4 + [0.0] * 4)
        lighter = np.array([True] * 5 + [False] * 59)
        assert beside(odds, lighter, presence)[0] == pytest.approx(1.5)

    def test_alone_it_hears_nothing(self):
        odds, presence = pieces([1.0])
        assert beside(odds, np.ones(64, np.bool_), presence)[0] == 0.0

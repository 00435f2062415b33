"""The second maker of films: the same for the same seed, true by the rules, and on its own."""

from __future__ import annotations

import ast
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from referee.board import EMPTY, SQUARES, cell_of
from referee.rules import Position, after, lawful_moves
from tests.benchmarks import second
from tests.benchmarks.second.film import Film
from tests.benchmarks.second.games import OFFENCES, TAKEN_BACK, Staged, staged
from tests.test_imports import imported, within

PACKAGE = sorted(Path(second.__file__).parent.glob("*.py"))


def shots(game: Staged) -> list[np.ndarray]:
    """Its first pictures, and what the camera sees every second while two moves are made."""
    film = Film(game.stage, np.random.default_rng(1))
    seconds = np.arange(4.5, game.seconds)
    return [image for _, image in islice(game.pictures(), 5)] + [*map(film.light, seconds)]


def lying(game: Staged) -> str:
    """The setup of the discs on the stage when the film ends."""
    discs, carried = game.stage.discs_at(game.seconds)
    assert not carried
    cells = [(int(disc.place[1] // 1), int(disc.place[0] // 1), disc.side.man) for disc in discs]
    piles = {
        square: [man for *cell, man in cells if (*cell,) == cell_of(square)] for square in SQUARES
    }
    return "".join(
        EMPTY if not pile else pile[0].upper() if len(pile) > 1 else pile[0]
        for pile in piles.values()
    )


def test_a_film_is_the_same_for_the_same_seed() -> None:
    games = [staged(3, 2, ()) for _ in range(2)]
    one, other = map(shots, games)
    assert games[0].moves == games[1].moves
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
    assert not np.array_equal(one[-1], one[len(one) // 2])
    assert not np.array_equal(one[0], shots(staged(4, 2, ()))[0])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("deeds", [(), OFFENCES, (TAKEN_BACK,)], ids=["none", "offences", "back"])
def test_what_is_said_to_be_played_is_lawful_and_lies_on_the_board(
    seed: int, deeds: tuple[str, ...]
) -> None:
    game = staged(seed, 12, deeds)
    position = Position.start()
    for move in game.moves:
        assert move in lawful_moves(position)
        position = after(position, move)
    awaited = {move.end for move in game.moves[-1:] if move.crowns}
    shown = "".join(
        sign.lower() if square in awaited else sign for square, sign in enumerate(position.setup, 1)
    )
    assert lying(game) == shown


def test_everything_wrong_is_done_once_and_put_right() -> None:
    deeds = [deed for seed in range(10) for deed in staged(seed, 16, OFFENCES).deeds]
    assert {deed.kind for deed in deeds} == set(OFFENCES)
    assert all(deed.from_ms < deed.left_ms < deed.until_ms for deed in deeds)
    assert len(deeds) >= 40


def test_it_takes_nothing_from_the_first_maker() -> None:
    allowed = {"__future__", "bisect", "collections", "dataclasses", "typing", "cv2", "numpy"}
    allowed |= {"referee.board", "referee.rules", second.__name__}
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE]
    assert [name for tree in trees for name in imported(tree) if not within(name, allowed)] == []

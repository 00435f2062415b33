"""A seeded slice of the simulated games; the long run is `python -m referee.simulation`."""

from __future__ import annotations

import random

from referee.rules import play
from referee.simulation.eye import Eye, Sharpness
from referee.simulation.games import stage_game
from referee.simulation.score import Score, referee_game


def test_a_few_games_are_followed_without_a_fault() -> None:
    score = Score()
    for seed in (11_000_033, 11_000_034):
        score.add(referee_game(seed, forget=0.0, plies=20)[3])
    assert score.plies == 40
    assert score.right == score.plies
    assert not score.false


def test_offences_are_staged_and_most_are_found() -> None:
    score = Score()
    for seed in (21, 22, 23):
        score.add(referee_game(seed, forget=0.25, plies=12)[3])
    assert score.staged.total() >= 4
    assert score.found.total() >= 0.8 * score.staged.total()
    assert len(score.false) <= 1


def test_what_is_staged_is_a_lawful_game() -> None:
    scene = stage_game(random.Random(3), forget=0.1)
    position = scene.first
    for move, _ in scene.plies:
        position = play(position, move)
    assert scene.offences


def test_the_same_seed_shows_the_same_game() -> None:
    def seen() -> list[object]:
        rng = random.Random(4)
        scene = stage_game(rng, forget=0.05)
        eye = Eye(scene, Sharpness.draw(rng), rng)
        return [observation for observation, _ in zip(eye.observations(), range(200), strict=False)]

    assert seen() == seen()

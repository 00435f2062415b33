"""The command `python -m referee.simulation`."""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from time import process_time

from referee.simulation.eye import Sharpness
from referee.simulation.games import FORGET, MOST_PLIES, seed_of
from referee.simulation.people import Habits
from referee.simulation.score import Score, referee_game, table


def main() -> None:
    parser = argparse.ArgumentParser(description="Referee simulated games and count what is right.")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--offences", type=float, default=FORGET, help="share of plies with an offence"
    )
    parser.add_argument(
        "--blitz", action="store_true", help="every second reply before the other hand is away"
    )
    parser.add_argument(
        "--filmed", action="store_true", help="an eye as films have it, and not up to twice as bad"
    )
    parser.add_argument(
        "--restless",
        action="store_true",
        help="people who take moves back, and others who reach in",
    )
    parser.add_argument("--jobs", type=int, default=1, help="games played at the same time")
    parser.add_argument("--show", action="store_true", help="print each fault and its seed")
    options = parser.parse_args()
    seeds = [seed_of(options.seed, number) for number in range(options.games)]
    score = Score()
    with ProcessPoolExecutor(options.jobs) as workers:
        one = partial(_one, options.offences, options.blitz, options.filmed, options.restless)
        for score_of_one in workers.map(one, seeds, chunksize=4):
            score.add(score_of_one)
    print(table(score))
    if options.show:
        print("\n".join((*score.wrong, *score.false, *score.charged)))


def _one(offences: float, blitz: bool, filmed: bool, restless: bool, seed: int) -> Score:
    eye_of = Sharpness.filmed if filmed else Sharpness.draw
    people_of = Habits.restless if restless else Habits.draw
    return referee_game(seed, offences, blitz, MOST_PLIES, process_time, eye_of, people_of)


if __name__ == "__main__":
    main()

"""The benchmark draws what nothing else has drawn, not even another group of its own, and counts
rightly what is told of films by others."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from referee.board import Side
from referee.events import Event, Irregular, Irregularity
from referee.rules import Position
from tests.benchmarks import others
from tests.benchmarks.cases import FRESH
from tests.benchmarks.groups import GROUPS
from tests.benchmarks.wanted import Wanted

ROOM = 100_000
"""More seeds than any group takes, those of hands and of changed boards among them."""


def test_no_two_groups_draw_from_the_same_seeds() -> None:
    firsts = [vars(group)["FIRST"] for group in GROUPS.values() if "FIRST" in vars(group)]
    seeds = sorted([FRESH, *firsts])
    assert [pair for pair in pairwise(seeds) if pair[1] - pair[0] < ROOM] == []


def told(kind: Irregularity, side: Side | None, time_ms: int) -> Irregular:
    return Irregular(time_ms, kind, side, (11, 16), ())


def score_of(*events: Event) -> others.Score:
    """Red commits an illegal step from 10 s until 15 s, and takes a lawful move back at 30 s."""
    offence = others.Deed(Side.RED, (11, 16), 10_000, 15_000, "illegal_step")
    back = others.Deed(Side.RED, (9, 14), 30_000, 34_000, others.TAKEN_BACK)
    return others.scored(
        "", others.Truth(Position.start(), (), (), (offence,), (), (back,)), [*events]
    )


@pytest.mark.parametrize(
    ("kind", "side", "time_ms", "told_misnamed_false"),
    [
        (Irregularity.ILLEGAL_STEP, Side.RED, 11_000, (1, 0, 0)),
        (Irregularity.ILLEGAL_STEP, None, 11_000, (1, 0, 0)),
        (Irregularity.ILLEGAL_STEP, Side.WHITE, 11_000, (0, 0, 1)),
        (Irregularity.UPSET, Side.RED, 11_000, (0, 1, 0)),
        (Irregularity.ILLEGAL_STEP, Side.RED, 17_000, (0, 0, 1)),
        (Irregularity.PIECE_DISPLACED, Side.RED, 31_000, (0, 0, 0)),
        (Irregularity.PIECE_DISPLACED, Side.WHITE, 31_000, (0, 0, 1)),
    ],
)
def test_who_is_told_of_what_he_has_not_done_is_accused_falsely(
    kind: Irregularity, side: Side | None, time_ms: int, told_misnamed_false: tuple[int, int, int]
) -> None:
    score = score_of(told(kind, side, time_ms))
    assert (score.told, score.misnamed, score.accusations_false) == told_misnamed_false


def test_of_each_film_by_others_it_is_kept_what_was_seen() -> None:
    films = others.jobs(Wanted())
    assert [film.with_suffix(others.SEEN) for film in films] == sorted(
        others.FOLDER.glob(f"*{others.SEEN}")
    )
    assert {len(others.truth_of(film).offences) > 0 for film in films} == {True}
    first = next(others.observations(films[0]))
    assert len(first.evidence) == 32


PROJECT = Path(__file__).parents[1]


def later_games(page: str, heading: str, table_seed: int) -> tuple[int, int]:
    """Plies and false accusations of the simulated games from seeds behind that of the table."""
    _, rows = page.split(f"| version | {heading} |")
    plies, false = 0, 0
    for row in rows.split("\n\n")[0].splitlines()[2:]:
        cells = [cell.strip(" *") for cell in row.strip("|").split("|")]
        seeds = [int(seed) for seed in re.findall(r"\b99\d{5}\b", cells[1])]
        if min(seeds, default=0) > table_seed:
            plies += int(cells[3].split(" of ")[1].replace(",", ""))
            false += int(cells[-1])
    return plies, false


def test_no_row_of_simulated_games_is_left_out_of_what_the_readme_counts() -> None:
    page = (PROJECT / "tests/benchmarks/README.md").read_text(encoding="utf-8")
    front = (PROJECT / "README.md").read_text(encoding="utf-8")
    for heading, seed in (("up to twice as bad", 9977700), ("as on film", 9977600)):
        plies, false = later_games(page, heading, seed)
        assert f"later **{false}** in {plies:,}" in front

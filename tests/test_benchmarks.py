"""The benchmark draws what nothing else has drawn, not even another group of its own, and counts
rightly what is told of films by others."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from referee.board import Side
from referee.events import (
    Conduct,
    Event,
    Irregular,
    Irregularity,
    Proposed,
    Ruling,
    Touch,
    Touched,
    Unsure,
    Verdict,
    phrase,
)
from referee.rules import Position
from referee.simulation.deeds import Deed, unfounded
from sample_images.truth import Expected
from tests.benchmarks import games, others, second_maker
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
    offence = Deed(Side.RED, (11, 16), 10_000, 15_000, "illegal_step")
    back = Deed(Side.RED, (), 30_000, 34_000, others.TAKEN_BACK)
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


@pytest.mark.parametrize(
    ("kind", "made_ms", "due_ms"),
    [
        ("jumped_piece_left", 9_000, 13_000),
        ("own_piece_removed", 9_200, 13_000),
        ("wrong_turn", 9_000, 9_000),
        ("jumped_piece_left", 6_000, 9_000),
    ],
)
def test_a_move_beside_which_something_was_done_wrong_is_due_when_that_is_put_right(
    tmp_path: Path, kind: str, made_ms: int, due_ms: int
) -> None:
    film = tmp_path / "film.json"
    ply = {"ms": 9_000, "side": "red", "move": "11-15"}
    offence = {
        "kind": kind,
        "side": "red",
        "squares": [11],
        "made_ms": made_ms,
        "mended_ms": 13_000,
    }
    quiet: dict[str, list[object]] = {"touches": [], "taken_back": []}
    film.write_text(json.dumps({"start": "", "plies": [ply], "offences": [offence]} | quiet))
    assert others.truth_of(film).left_ms == (due_ms,)


def test_what_is_told_of_quite_other_squares_is_of_no_offence_of_films_by_others() -> None:
    score = score_of(Irregular(11_000, Irregularity.ILLEGAL_STEP, Side.RED, (1, 32), ()))
    assert (score.told, score.misnamed, score.accusations_false) == (0, 0, 1)


def test_of_each_film_by_others_it_is_kept_what_was_seen() -> None:
    films = others.jobs(Wanted())
    assert [film.with_suffix(others.SEEN) for film in films] == sorted(
        others.FOLDER.glob(f"*{others.SEEN}")
    )
    assert {len(others.truth_of(film).offences) > 0 for film in films} == {True}
    first = next(others.observations(films[0]))
    assert len(first.evidence) == 32


def charge(
    conduct: Conduct, side: Side, square: int | None, time_ms: int, verdict: Verdict
) -> Proposed:
    said = phrase(conduct.value, side=side, square=square)
    return Proposed(time_ms, conduct, verdict, side, "", "", said, 0)


def touched(side: Side, square: int, time_ms: int) -> Proposed:
    return charge(Conduct.TOUCHED_OFF_TURN, side, square, time_ms, Verdict.WARNING)


STEP = (
    Expected("irregular", 11_000, Side.RED, kind="illegal_step", squares=(11, 16)),
    Expected("restored", 15_000),
    Expected("touched", 30_000, Side.WHITE, kind="lifted", squares=(21,)),
)
"""Red commits an illegal step and puts it right; later White touches a piece."""


def of_film(*events: Event) -> games.Score:
    score = games.Score("")
    games._score_offences(score, STEP, [*events])
    return score


@pytest.mark.parametrize(
    ("side", "squares", "time_ms", "found_false"),
    [
        (Side.RED, (11, 16), 11_500, (1, 0)),
        (Side.RED, (16,), 11_500, (1, 0)),
        (None, (11, 16), 11_500, (1, 0)),
        (Side.WHITE, (11, 16), 11_500, (0, 1)),
        (Side.RED, (1, 32), 11_500, (0, 1)),
        (Side.RED, (11, 16), 17_000, (0, 1)),
    ],
)
def test_of_every_maker_of_films_who_and_where_must_be_right(
    side: Side | None, squares: tuple[int, ...], time_ms: int, found_false: tuple[int, int]
) -> None:
    claim = Irregular(time_ms, Irregularity.ILLEGAL_STEP, side, squares, ())
    score = of_film(claim)
    assert (score.offences_found, score.accusations_false) == found_false
    other = of_second_maker(claim)
    assert (other.found, other.accusations_false) == found_false


def test_an_offence_of_a_film_that_is_told_under_another_name_is_not_found() -> None:
    score = of_film(Irregular(11_500, Irregularity.OFF_SQUARE, None, (11,), ()))
    assert (score.offences_found, score.misnamed, score.accusations_false) == (0, 1, 0)


def of_second_maker(*events: Event) -> second_maker.Score:
    deed = second_maker.games.Deed("illegal_step", 1, Side.RED, 9_000, 11_000, 15_000, (11, 16))
    staged = second_maker.Staged((), (deed,), None, 0.0, 0)  # type: ignore[arg-type]
    return second_maker._scored("", staged, [*events])


def test_each_false_accusation_of_one_frame_counts() -> None:
    kinds = Irregularity.UPSET, Irregularity.PIECE_ADDED
    claims = [Irregular(30_000, kind, Side.WHITE, (3, 4), ()) for kind in kinds]
    assert of_second_maker(*claims).accusations_false == 2


@pytest.mark.parametrize(
    ("event", "false"),
    [
        (touched(Side.WHITE, 21, 31_000), 0),
        (touched(Side.WHITE, 22, 31_000), 1),
        (touched(Side.RED, 21, 31_000), 1),
        (touched(Side.WHITE, 21, 60_000), 1),
        (touched(Side.RED, 11, 16_000), 0),
        (Ruling(5_000, Verdict.FORFEIT, Side.RED, "", "", 0), 1),
        (Ruling(5_000, Verdict.WARNING, Side.RED, "", "", 0), 1),
        (Ruling(5_000, Verdict.NOTICE, Side.RED, "", "", 0), 0),
    ],
)
def test_what_is_proposed_or_ruled_of_who_has_done_nothing_is_false(
    event: Event, false: int
) -> None:
    assert of_film(event).charges_false == false


def test_a_piece_that_was_not_the_first_to_be_touched_is_falsely_called_so() -> None:
    deed = Deed(Side.RED, (10, 14, 7), 28_000, 34_000, "own_piece_removed", first=10)
    first, other = (
        charge(Conduct.TOUCHED_OTHER, Side.RED, square, 36_000, Verdict.WARNING)
        for square in (10, 7)
    )
    assert unfounded([first, other], [deed]) == [other]


def test_a_touch_may_be_ruled_on_long_after_it_with_the_next_move() -> None:
    late, deed = touched(Side.WHITE, 21, 60_000), Deed(Side.WHITE, (21,), 29_000, 30_000)
    seen = Touched(31_000, Side.WHITE, 21, Touch.LIFTED, 29_500)
    assert unfounded([late], [deed]) == [late]
    assert unfounded([seen, late], [deed]) == []


def test_a_ruling_that_comes_with_an_accusation_is_counted_with_it() -> None:
    claim = Irregular(50_000, Irregularity.UPSET, Side.RED, (1, 2), ())
    ruling = Ruling(50_000, Verdict.WARNING, Side.RED, "", "", 0)
    score = of_film(claim, ruling)
    assert (score.accusations_false, score.charges_false) == (1, 0)


def test_touches_are_told_of_films_too() -> None:
    seen = Touched(31_000, Side.WHITE, 21, Touch.LIFTED, 29_500)
    assert [of_film(*told).touches_told for told in ((), (seen,))] == [0, 1]
    assert of_film().touches == 1


def test_a_question_costs_the_column_without_questions_alone() -> None:
    scores = [of_second_maker(), of_second_maker(Unsure(20_000, ())), score_of(Unsure(20_000, ()))]
    assert [(s.unaided, s.unasked) for s in scores] == [(True, True), (True, False), (True, False)]


PROJECT = Path(__file__).parents[1]


def former_games(page: str, heading: str, first_seed: int) -> tuple[int, int]:
    """Plies and false accusations of the simulated games drawn from this seed on, before those of
    the table: the rows are the latest first, and seeds once went up from row to row."""
    _, rows = page.split(f"| version | {heading} |")
    plies, false = 0, 0
    for row in rows.split("\n\n")[0].splitlines()[2:]:
        cells = [cell.strip(" *") for cell in row.strip("|").split("|")]
        seeds = [int(seed) for seed in re.findall(r"\b99\d{5}\b", cells[1])]
        if seeds and min(seeds) < first_seed:
            break
        plies += int(cells[3].split(" of ")[1].replace(",", ""))
        false += int(cells[-1])
    return plies, false


def test_no_row_of_simulated_games_is_left_out_of_what_the_readme_counts() -> None:
    page = (PROJECT / "tests/benchmarks/README.md").read_text(encoding="utf-8")
    front = (PROJECT / "README.md").read_text(encoding="utf-8")
    for heading, seed in (("up to twice as bad", 9977700), ("as on film", 9977600)):
        plies, false = former_games(page, heading, seed)
        assert f"before **{false}** in {plies:,}" in front

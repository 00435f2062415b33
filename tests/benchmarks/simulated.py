"""Games without pixels: how often the tracker and the arbiter are right, and how soon."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from referee.events import Irregularity
from referee.simulation.eye import Sharpness
from referee.simulation.games import FORGET, MOST_PLIES, seed_of
from referee.simulation.score import Score, referee_game
from tests.benchmarks.report import Goal, Row, Section, at_least, at_most, count, share
from tests.benchmarks.wanted import Wanted

TITLE = "games without pixels"
EYES = {
    "eye as on film": (9_965_000, Sharpness.filmed),
    "eye up to twice as bad": (9_945_000, Sharpness.draw),
}
"""Each with the run of `python -m referee.simulation` whose first games it looks at."""
WHOLE, PLIES, FOUND, EACH_KIND = at_least(99.0), at_least(99.95), at_least(98.0), at_least(95.0)
NONE = at_most(0)
FALSE = at_most(1.0)
"""In 100,000 plies."""
MOVE_MS, OFFENCE_MS = at_most(400.0), at_most(1_200.0)
"""After the hand has left."""


@dataclass(frozen=True)
class Job:
    """One game, and the eye that looks at it."""

    eye: str
    number: int


def jobs(wanted: Wanted) -> Sequence[Job]:
    """As many games before each eye."""
    return [Job(eye, number) for eye in EYES for number in range(wanted.simulated)]


def measure(job: Job) -> tuple[str, Score]:
    """Referee one game."""
    run, eye_of = EYES[job.eye]
    seed = seed_of(run, job.number)
    return job.eye, referee_game(seed, FORGET, False, MOST_PLIES, None, eye_of)


def sections(results: Iterable[tuple[str, Score]]) -> list[Section]:
    """One table for each eye."""
    totals: dict[str, Score] = {}
    for eye, score in results:
        totals.setdefault(eye, Score()).add(score)
    return [
        Section(f"Games without pixels, {eye}", list(_rows(f"{score.games} games, {eye}", score)))
        for eye, score in totals.items()
    ]


def _rows(data: str, score: Score) -> Iterator[Row]:
    yield share("games without one correction", data, score.perfect, score.games, WHOLE)
    yield share("... nor one question", data, score.unasked, score.games)
    yield share("plies right", data, score.right, score.plies, PLIES)
    yield count("plies invented", data, score.invented, score.plies, NONE)
    yield share("plies before the first wrong one of a game", data, score.until_wrong, score.plies)
    yield from _offences(data, score)
    yield _of_plies("false accusations in 100,000 plies", data, len(score.false), score.plies)
    charged = len(score.charged)
    yield _of_plies("proposed or ruled falsely in 100,000 plies", data, charged, score.plies)
    yield from _touches(data, score)
    yield from delays("a move announced after", data, score.move_delays, MOVE_MS)
    yield from delays("an offence announced after", data, score.accuse_delays, OFFENCE_MS)


def _offences(data: str, score: Score) -> Iterator[Row]:
    found, staged = score.found.total(), score.staged.total()
    yield share("offences found", data, found, staged, FOUND)
    for kind in Irregularity:
        name = f"... {kind.value.replace('_', ' ')}"
        if score.staged[kind]:
            yield share(name, data, score.found[kind], score.staged[kind], EACH_KIND)
        else:
            yield Row(name, data, None, lacking="not staged")


def _of_plies(what: str, data: str, number: int, plies: int) -> Row:
    rate = 100_000 * number / plies if plies else None
    return Row(what, data, rate, "", FALSE, f"{number} in {plies}")


def _touches(data: str, score: Score) -> Iterator[Row]:
    """Of pieces touched and put back, and of hands that stay."""
    for what, words in (
        ("touches told", ("lifted", "shifted")),
        ("hands that stay told", ("lingering",)),
    ):
        of = {
            part: sum(score.handled[f"{word}{part}"] for word in words)
            for part in ("", " found", " false")
        }
        yield share(what, data, of[" found"], of[""])
        yield count("... that were none", data, of[" false"], score.plies)


def delays(what: str, data: str, taken: list[int], goal: Goal) -> Iterator[Row]:
    """The median, and what 19 of 20 take at most."""
    ordered = sorted(taken)
    for name, share_of in ((what, 0.5), ("... 19 of 20", 0.95)):
        value = float(ordered[int(share_of * len(ordered))]) if ordered else None
        yield Row(name, data, value, "ms", goal, f"n {len(ordered)}")

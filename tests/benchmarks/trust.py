"""Whether evidence means what it says: of squares called 90 % sure, nine in ten must be so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from referee.board import EMPTY, is_king, side_of
from referee.observation import Row
from tests.benchmarks.report import Row as Figure
from tests.benchmarks.report import Section, at_most

EDGES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0001)
"""Between the bins of how sure an answer is."""
ERROR = at_most(2.0)
BAR = 40
"""Signs of a bar that means always right."""

Numbers = NDArray[np.float64]
Answers = tuple[Numbers, NDArray[np.bool_]]
"""How sure each answer to a question with two answers is (n,), and whether it was right."""


def section(pairs: Sequence[tuple[str, Row]]) -> Section:
    """Of squares that were seen: what stood there, and the evidence of one frame."""
    questions = {
        "occupied or empty": occupancy(pairs),
        "red or white": sides([pair for pair in pairs if side_of(pair[0])]),
        "man or king": ranks([pair for pair in pairs if side_of(pair[0])]),
    }
    rows = [
        Figure(
            f"expected calibration error: {name}",
            "fresh seeds, one frame",
            calibration_error(answers),
            "%",
            ERROR,
            f"n {len(answers[0])}",
        )
        for name, answers in questions.items()
    ]
    notes = [line for name, answers in questions.items() for line in _diagram(name, answers)]
    return Section("Reliability: as sure as right", rows, notes)


def occupancy(pairs: Sequence[tuple[str, Row]]) -> Answers:
    chances = _chances(pairs)
    return _answers(1 - chances[:, 0], [due != EMPTY for due, _ in pairs])


def sides(pairs: Sequence[tuple[str, Row]]) -> Answers:
    chances = _chances(pairs)
    white, red = chances[:, 3:].sum(axis=1), chances[:, 1:3].sum(axis=1)
    return _answers(white / np.maximum(white + red, 1e-12), [due in "wW" for due, _ in pairs])


def ranks(pairs: Sequence[tuple[str, Row]]) -> Answers:
    chances = _chances(pairs)
    king, man = chances[:, [2, 4]].sum(axis=1), chances[:, [1, 3]].sum(axis=1)
    return _answers(king / np.maximum(king + man, 1e-12), [is_king(due) for due, _ in pairs])


def _chances(pairs: Sequence[tuple[str, Row]]) -> Numbers:
    """(n, 5): the evidence as probabilities when all appearances are equally likely before."""
    nats = np.array([row for _, row in pairs], float).reshape(-1, 5) / 100
    chances = np.exp(nats - nats.max(axis=1, initial=-np.inf, keepdims=True))
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))


def _answers(chance: Numbers, due: Sequence[bool]) -> Answers:
    return np.maximum(chance, 1 - chance), (chance > 0.5) == np.array(due, bool)


def _bins(answers: Answers) -> Iterator[tuple[float, float, int, float, float]]:
    """For each bin that holds something: its edges, how many, how sure, how often right."""
    sure, right = answers
    for low, high in pairwise(EDGES):
        inside = (sure >= low) & (sure < high)
        if inside.any():
            yield (
                low,
                high,
                int(inside.sum()),
                float(sure[inside].mean()),
                float(right[inside].mean()),
            )


def calibration_error(answers: Answers) -> float | None:
    """Mean difference of how sure and how often right, in per cent; None without answers."""
    total = len(answers[0])
    if not total:
        return None
    return 100 * sum(n * abs(sure - right) for _, _, n, sure, right in _bins(answers)) / total


def _diagram(name: str, answers: Answers) -> Iterator[str]:
    """A bar for each bin: how often right, with a mark where it should end."""
    yield name
    for low, high, number, sure, right in _bins(answers):
        due = min(BAR - 1, round(sure * BAR))
        bar = list("█" * round(right * BAR) + "·" * (BAR - round(right * BAR)))
        bar[due] = "|"
        span = f"{100 * low:5.1f}-{min(100 * high, 100):5.1f} %"
        yield f"  {span} {''.join(bar)} right {100 * right:5.1f} % of {number}"

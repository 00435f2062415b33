"""What the benchmark prints: nothing that has a goal may look well because it was not measured."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.events import Irregularity
from referee.simulation import score as simulation
from tests.benchmarks import (
    __main__ as command,
)
from tests.benchmarks import (
    astride,
    known_sets,
    mishaps,
    others,
    search,
    simulated,
    times,
    voice,
)
from tests.benchmarks.cases import unusable
from tests.benchmarks.report import Row, Section, at_least, drawn, missed, share, unmeasured

COSTS = times.Costs(3.7, tuple(times.Cost(n, 0.1, 0.05) for n in "abcd"), 1.0, [1.0], None)
UNREAD = search.Sight("fresh seeds", True, 50.0, found=True, right=True, corner_px=0.1)
READ_ONCE = known_sets.Known(True, others=20, pictures=1, squares=32, men=12)
CONTENT = mishaps.Ordeal(pushes=[mishaps.Push(1, True, 100)])


@pytest.mark.parametrize(
    ("sections", "told"),
    [
        (lambda: mishaps.sections([mishaps.Ordeal("no board")] * 3), "calibrated"),
        (lambda: mishaps.sections([mishaps.Ordeal("no board"), CONTENT]), "calibrated"),
        (lambda: astride.sections([[]] * 24), "calibrated"),
        (lambda: others.sections([]), "plies right"),
        (lambda: times.sections([COSTS]), "peak memory"),
        (lambda: known_sets.sections([known_sets.Known()] * 6), "calibrated"),
        (lambda: known_sets.sections([READ_ONCE]), "board found in the others"),
        (lambda: search.sections([UNREAD] * 10), "boards found that are read"),
    ],
)
def test_what_was_refused_or_not_read_is_missed(
    sections: Callable[[], list[Section]], told: str
) -> None:
    assert any(told in line for line in missed(sections()))


def test_a_voice_without_its_programs_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voice, "PROGRAMS", ("no-such-program",))
    short = missed(voice.sections([None]))
    assert len(short) == 2
    assert all("no-such-program" in line for line in short)


def test_what_has_a_goal_and_was_not_measured_is_missed() -> None:
    rows = [Row("a", "b", None, "%", at_least(1)), Row("c", "d", None), share("e", "f", 1, 1)]
    section = Section("", rows)
    assert missed([section]) == ["a (b): not measured"]
    assert unmeasured([section])
    assert not unmeasured([Section("", rows[1:])])


def test_a_miss_names_the_row_that_it_tells_more_of() -> None:
    rows = [
        *simulated.delays("a move announced after", "x", [500], simulated.MOVE_MS),
        *simulated.delays("an offence announced after", "x", [1_500], simulated.OFFENCE_MS),
    ]
    names = [line.split(" (")[0] for line in missed([Section("", rows)])]
    assert names == [
        "a move announced after",
        "a move announced after, 19 of 20",
        "an offence announced after",
        "an offence announced after, 19 of 20",
    ]


@pytest.mark.parametrize(("value", "status"), [(None, command.UNMEASURED), (0.0, None)])
def test_only_what_was_not_measured_is_an_exit_status(
    monkeypatch: pytest.MonkeyPatch, value: float | None, status: int | None
) -> None:
    row = Row("a", "b", value, "%", at_least(1))
    monkeypatch.setattr(command, "_measured", lambda *_: [Section("", [row])])
    monkeypatch.setattr(sys, "argv", ["benchmarks"])
    if status is None:
        command.main()
        return
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == status


def label(**changes: object) -> dict[str, object]:
    plain = {"file": "a.png", "corners": [[0, 0], [9, 0], [9, 9], [0, 9]], "cells": ["." * 8] * 8}
    return plain | changes


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ([label()], ""),
        (None, "labels.json is missing"),
        ("[", "is not JSON"),
        ({}, "is no list"),
        ([{}], "names no file"),
        ([label(), label(file="gone.png")], "gone.png is missing"),
        ([label(file="labels.json")], "labels.json is no picture"),
        ([label(corners=[[0, 0]])], "a.png has no four corners"),
        ([label(cells=["." * 8] * 7)], "a.png has no eight rows"),
        ([label(cells=["x" * 8] * 8)], "a.png has no eight rows"),
    ],
)
def test_a_folder_of_photographs_that_cannot_be_used_is_refused_in_a_sentence(
    tmp_path: Path, labels: object, told: str
) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((9, 9, 3), np.uint8))
    if labels is not None:
        text = labels if isinstance(labels, str) else json.dumps(labels)
        (tmp_path / "labels.json").write_text(text)
    said = unusable(tmp_path)
    assert told in said
    assert bool(said) == bool(told)
    assert "\n" not in said


def test_nothing_is_measured_where_the_photographs_are_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "_measured", lambda *_: pytest.fail("it was measured"))
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--photographs", "/nowhere"])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == command.UNUSABLE
    assert "/nowhere/labels.json is missing" in capsys.readouterr().err


def test_simulated_offences_tell_what_was_not_staged() -> None:
    kind = Irregularity.ILLEGAL_STEP
    score = simulation.Score(games=1, plies=10, right=10)
    score.staged[kind], score.found[kind] = 4, 4
    score.handled.update({"lifted": 2, "lifted found": 1, "shifted": 3, "shifted found": 2})
    (section,) = simulated.sections([("eye as on film", score)])
    rows = {row.what: row for row in section.rows}
    assert rows["offences found"].detail == "4 of 4"
    assert rows["... upset"].lacking == "not staged"
    assert rows["touches told"].detail == "3 of 5"
    assert drawn(section).row_count == len(section.rows)
    lines = simulation.table(score).splitlines()
    assert any(line.split() == ["upset", "not", "staged"] for line in lines)
    assert any(line.split()[:6] == ["all", "these", "offences", "4", "of", "4"] for line in lines)

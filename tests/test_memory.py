"""What the tracker remembers between two frames."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from referee.sight import Sight
from referee.tracking.memory import Tracker, amended
from referee.tracking.notes import Doubt
from tests.table import ready


def test_amending_sets_what_replacing_does() -> None:
    tracker = ready().game.tracker
    news = {
        "doubt": Doubt(asked=True, squares=(11, 15)),
        "leftover": 3,
        "sight": Sight(time_ms=9_000),
    }
    assert amended(tracker, **news) == replace(tracker, **news) != tracker
    assert vars(amended(tracker)).keys() == {field.name for field in fields(Tracker)}


def test_nothing_is_amended_that_there_is_not() -> None:
    with pytest.raises(AssertionError):
        amended(ready().game.tracker, doubtful=True)

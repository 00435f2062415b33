"""Settings for the whole suite."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import settings

# A failing test must fail again, and a busy machine must not fail any.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def games_apart(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Whatever a test watches is kept in a folder of its own, never in the user's, and the user's
    settings do not hold."""
    folder = tmp_path_factory.mktemp("share")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    return folder / "referee" / "games"


@pytest.fixture(autouse=True)
def one_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Days are those of one place, wherever the suite runs."""
    monkeypatch.setenv("TZ", "UTC0")
    time.tzset()

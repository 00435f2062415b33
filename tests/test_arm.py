"""How two readings of one picture are compared; the emulation itself is run by `make test-arm`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.arm.compare import differences, main

HERE: dict[str, Any] = {
    "found": True,
    "cells": [".r.r.r.r", *["........"] * 6, "w.w.w.W."],
    "confidence": [0.5] * 32,
    "corners": [[0.0, 0.0], [80.0, 0.0], [80.0, 80.0], [0.0, 80.0]],
}


@pytest.fixture
def compared(tmp_path: Path) -> Any:
    def compare(there: dict[str, Any]) -> int:
        for name, reading in (("here", HERE), ("there", there)):
            (tmp_path / name).write_text(json.dumps(reading))
        return main([str(tmp_path / "here"), str(tmp_path / "there")])

    return compare


def test_the_largest_differences_are_told(
    capsys: pytest.CaptureFixture[str], compared: Any
) -> None:
    corners = [[0.0, 0.25], *HERE["corners"][1:]]
    there = HERE | {"confidence": [0.5] * 31 + [0.4], "corners": corners}
    assert differences(HERE, there) == (0, pytest.approx(0.1), 0.25)
    assert compared(there) == 0
    assert "64 of 64 cells are read alike" in capsys.readouterr().out


def test_a_king_that_was_a_man_is_a_failure(compared: Any) -> None:
    assert compared(HERE | {"cells": [*HERE["cells"][:7], "w.w.w.w."]}) == 1


def test_a_board_not_found_is_a_failure(compared: Any) -> None:
    assert compared({"found": False, "cells": None, "confidence": None, "corners": None}) == 1

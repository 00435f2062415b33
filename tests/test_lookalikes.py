"""Terminals and files that cannot show every sign."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Literal

import pytest
from rich.console import Console
from rich.text import Text

import referee
from referee.board import START
from referee.terminal_board import cells_of, draw_board, has_colours
from referee.verbs import terminal
from referee.verbs.lookalikes import LIKE, use_lookalikes

SOURCES = Path(referee.__file__).parent


@pytest.fixture
def printed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> io.TextIOWrapper:
    """The standard output, in the encoding of the parameter."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=request.param, newline="\n")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        use_lookalikes()
    return stream


def text_of(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode(stream.encoding)


@pytest.mark.parametrize("printed", ["ascii", "latin-1"], indirect=True)
def test_a_board_has_its_discs_and_kings(printed: io.TextIOWrapper) -> None:
    setup = "R" + START[1:]
    console = Console(file=printed, width=80, color_system=None)
    console.print(draw_board(cells_of(setup)))
    lines = text_of(printed).splitlines()
    assert lines[0] == "    (KK)" + 3 * "    (  )"
    assert lines[1] == "    (  )" + 3 * "    (__)"
    assert lines[7] == "13      14      15      16      "[:32]


@pytest.mark.parametrize("printed", ["ascii", "utf-8"], indirect=True)
@pytest.mark.parametrize(("system", "first"), [(None, "    (RR)"), ("truecolor", "    ")])
def test_without_colours_a_disc_has_its_sign(
    printed: io.TextIOWrapper, system: Literal["truecolor"] | None, first: str
) -> None:
    console = Console(file=printed, width=80, color_system=system, force_terminal=True)
    setup, coloured = "R" + START[1:], has_colours(console)
    console.print(draw_board(cells_of(setup), coloured=coloured))
    line = Text.from_ansi(text_of(printed).splitlines()[0]).plain
    assert line.startswith(first)
    assert ("(rr)" in line) == (system is None)


@pytest.mark.parametrize("printed", ["utf-8"], indirect=True)
def test_where_every_sign_is_nothing_is_replaced(printed: io.TextIOWrapper) -> None:
    printed.write("".join(LIKE))
    assert text_of(printed) == "".join(LIKE)


@pytest.mark.parametrize("printed", ["ascii"], indirect=True)
def test_words_stay_words(printed: io.TextIOWrapper) -> None:
    printed.write("Weiß rückt; Zoë – 75° ☃")
    assert text_of(printed) == "Weiss rueckt; Zoe - 75 degrees ?"


@pytest.mark.parametrize("printed", ["latin-1"], indirect=True)
def test_what_can_be_shown_is_left(printed: io.TextIOWrapper) -> None:
    printed.write("rückt → 75°")
    assert text_of(printed) == "rückt > 75°"


@pytest.mark.parametrize("printed", ["ascii", "utf-8"], indirect=True)
def test_programs_lose_nothing(printed: io.TextIOWrapper) -> None:
    with redirect_stdout(printed):
        terminal.emit({"said": "Weiß rückt ☃"})
    assert json.loads(text_of(printed)) == {"said": "Weiß rückt ☃"}


def test_every_sign_that_the_referee_prints_has_one_alike() -> None:
    used = set("".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py")))
    assert {sign for sign in used if not sign.isascii()} <= set(LIKE)

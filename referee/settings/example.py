"""A commented file that is valid as it stands and changes nothing."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from referee.settings.knobs import KNOBS, SECTIONS, Knob
from referee.settings.values import bounds_of, written

HEAD = """\
# Settings of the draughts referee. Take the # from a line to set it. Looked for in
# /etc/referee.toml and ~/.config/referee/referee.toml, whose values win; options of a command
# win over both. `referee config` shows what holds.
"""
WIDTH = 96


def example() -> str:
    """All knobs, each behind a #, with what it is for and what it may be."""
    return "\n".join([HEAD, *_lines()])


def _lines() -> Iterator[str]:
    for section, purpose in SECTIONS.items():
        yield f"[{section}]  # {purpose}"
        for knob in KNOBS.values():
            if knob.section == section:
                yield _comment(f"{knob.about.sentence}{_range(knob)}")
                yield f"#{knob.name} = {written(_value(knob))}"
        yield ""


def _comment(sentence: str) -> str:
    return textwrap.fill(sentence, WIDTH, initial_indent="# ", subsequent_indent="# ")


def _value(knob: Knob) -> str | int | float:
    value = knob.about.example if knob.default is None else knob.default
    assert value is not None, f"{knob.key} lacks an example"
    return str(value) if not isinstance(value, (int, float)) else value


def _range(knob: Knob) -> str:
    bounds = bounds_of(knob)
    return f" ({bounds})" if bounds else ""

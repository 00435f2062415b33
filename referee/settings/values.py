"""Whether a value may stand where it stands; from text to values and back."""

from __future__ import annotations

import json
from pathlib import Path

from hardware.sources import is_stored
from referee.commands import LONGEST
from referee.settings.knobs import Knob, Value

KINDS = {
    str: "a text in quotes",
    int: "a whole number",
    float: "a number",
    Path: "a path in quotes",
}
SHOWN = 40
"""Signs of a wrong value that are shown."""


def checked(knob: Knob, raw: object, folder: Path, home: Path | None = None) -> Value:
    """The value of a knob; ValueError, with what it must be, when it may not stand there.

    Paths that are not full begin in `folder`, those with `~` in `home`, if that is another user's.
    """
    if knob.kind in (int, float):
        return _number(knob, raw)
    text = _text(knob, raw)
    if knob.about.is_source and is_stored(text):
        return str(_path(text, folder, home))
    return _path(text, folder, home) if knob.kind is Path else text


def _number(knob: Knob, raw: object) -> int | float:
    kinds = (int, float) if knob.kind is float else (int,)
    if isinstance(raw, bool) or not isinstance(raw, kinds):
        raise ValueError(f"must be {KINDS[knob.kind]}, not {shown(raw)}")
    if knob.about.choices and raw not in knob.about.choices:
        raise ValueError(f"must be {_one_of(knob)}, not {shown(raw)}")
    least, most = knob.about.bounds or (raw, raw)
    # Written so that a number which is none, `nan`, does not pass.
    if not least <= raw <= most:
        raise ValueError(f"must be {bounds_of(knob)}, not {shown(raw)}")
    if knob.about.check:
        knob.about.check(raw)
    return raw


def _text(knob: Knob, raw: object) -> str:
    # A whole number without quotes, as of a round, can mean one text only.
    is_number = isinstance(raw, int) and not isinstance(raw, bool)
    text = str(raw) if is_number or isinstance(raw, Path) else raw
    if not isinstance(text, str):
        raise ValueError(f"must be {KINDS[knob.kind]}, not {shown(raw)}")
    if not text.strip() or len(text) > LONGEST or not text.isprintable():
        raise ValueError(f"must be one line of 1 to {LONGEST} signs, not {shown(raw)}")
    if knob.about.choices and text not in knob.about.choices:
        raise ValueError(f"must be {_one_of(knob)}, not {shown(raw)}")
    if knob.about.check:
        knob.about.check(text)
    return text


def _path(text: str, folder: Path, home: Path | None) -> Path:
    path = Path(text)
    if home and path.parts[:1] == ("~",):
        return home.joinpath(*path.parts[1:])
    try:
        return folder / path.expanduser()
    except RuntimeError:
        raise ValueError(f"names somebody's home that is not known: {shown(text)}") from None


def _one_of(knob: Knob) -> str:
    *others, last = map(str, knob.about.choices)
    return f"{', '.join(others)} or {last}"


def bounds_of(knob: Knob) -> str:
    """`0 to 3650 days`; empty where there are none."""
    if knob.about.bounds is None:
        return _one_of(knob) if knob.about.choices else ""
    least, most = knob.about.bounds
    return f"{least:g} to {most:g} {knob.about.unit}".strip()


def written(value: Value) -> str:
    """A value as it stands in a file."""
    if isinstance(value, (str, Path)):
        return json.dumps(str(value), ensure_ascii=False)
    return str(value)


def plain(value: Value) -> str | int | float | None:
    """A value as JSON knows it."""
    return str(value) if isinstance(value, Path) else value


def shown(raw: object) -> str:
    """What somebody wrote, for a sentence about it."""
    if isinstance(raw, (dict, list)):
        return "a section" if isinstance(raw, dict) else "a list"
    text = json.dumps(raw, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"

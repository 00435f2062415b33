"""The settings that hold: the files' in place of the defaults, the command line's before all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from referee.errors import InputError
from referee.settings.files import Given, Reading
from referee.settings.knobs import KNOBS, Settings, Value, settings_of
from referee.settings.values import checked

DEFAULT = "default"
TYPED = "command line"


@dataclass(frozen=True)
class Effective:
    """What holds, and why."""

    settings: Settings
    given: Mapping[str, Given]
    """Every knob's value and origin by `section.name`: DEFAULT, `file:line` or TYPED."""


def settle(readings: Iterable[Reading], typed: Mapping[str, Value]) -> Effective:
    """The later reading wins; InputError when what was typed may not stand there."""
    given = {key: Given(knob.default, DEFAULT) for key, knob in KNOBS.items()}
    for reading in readings:
        given |= reading.given
    for key, value in typed.items():
        given[key] = Given(_typed(key, value), TYPED)
    return Effective(settings_of({key: one.value for key, one in given.items()}), given)


def _typed(key: str, value: Value) -> Value:
    try:
        return checked(KNOBS[key], value, Path())
    except ValueError as error:
        knob = KNOBS[key]
        raise InputError(f"{knob.section} {knob.name}: {error}") from None

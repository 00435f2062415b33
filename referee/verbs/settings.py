"""Options that set a knob, and the settings that hold once all is read."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path

from referee.errors import InputError
from referee.settings.clashes import clashes
from referee.settings.effective import Effective, settle
from referee.settings.files import Reading, read_all
from referee.settings.knobs import KNOBS, Settings, Value
from referee.settings.last_good import recovered
from referee.verbs import terminal


def add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="the settings; else /etc/referee.toml and ~/.config/referee/referee.toml",
    )


def add_knob(
    parser: argparse.ArgumentParser,
    option: str,
    key: str,
    metavar: str,
    nargs: str | None = None,
    otherwise: str = "",
) -> None:
    """An option, or an argument, that sets the knob `key` for this once. `otherwise` is what holds
    without it, where that is not the knob's default."""
    knob = KNOBS[key]
    sentence = knob.about.sentence
    choices = knob.about.choices or None
    listed = [", ".join(map(str, choices))] if choices else []
    default = [f"default {knob.default}"] if knob.default is not None else []
    if otherwise:
        sentence, default = sentence.partition(";")[0], [otherwise]
    more = f" ({'; '.join(listed + default)})" if listed + default else ""
    text = f"{sentence[0].lower()}{sentence[1:].removesuffix('.')}{more}"
    if option.startswith("-"):
        parser.add_argument(
            option, dest=key, metavar=metavar, type=knob.kind, choices=choices, help=text
        )
    else:
        parser.add_argument(key, metavar=metavar, nargs=nargs, help=text)


def typed(options: argparse.Namespace) -> dict[str, Value]:
    """The knobs that were set on the command line."""
    return {
        key: value for key, value in vars(options).items() if key in KNOBS and value is not None
    }


def sound_readings(chosen: Path | None, home: Path | None = None) -> tuple[Reading, ...]:
    """What the files say; InputError when one of them is wrong."""
    readings = read_all(chosen, home)
    complaints = [reading.complaint for reading in readings if reading.problems]
    if complaints:
        raise InputError("; ".join(complaints))
    return readings


def holding(readings: Iterable[Reading], typed: Mapping[str, Value]) -> Effective:
    """What holds; InputError when it cannot hold together, or what was typed is wrong."""
    found = settle(readings, typed)
    if wrong := clashes(found.settings):
        raise InputError("; ".join(wrong))
    return found


def effective(options: argparse.Namespace) -> Effective:
    """What holds for this command; InputError when a file or an option is wrong."""
    return holding(sound_readings(options.config), typed(options))


def recovered_settings(options: argparse.Namespace, copies: Path) -> Settings:
    """What holds where nobody can mend a file: its last good copy, and people are told once."""
    readings = []
    for reading in read_all(options.config):
        sound, told = recovered(reading, copies)
        readings.append(sound)
        if told:
            terminal.complain(told)
    found = settle(readings, typed(options)).settings
    for wrong in clashes(found):
        terminal.complain(wrong)
    return found


def settings(options: argparse.Namespace) -> Settings:
    """The settings alone."""
    return effective(options).settings

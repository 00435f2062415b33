"""Everything that can be set, declared once: unit, bounds, default and what it is for."""

# ruff: noqa: RUF009 - `knob` makes a field, like `dataclasses.field`.

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

from hardware.controls.gpio import Pins
from hardware.panel import HOLD_S
from referee.announcements import LANGUAGES
from referee.clock import parse_setting
from referee.colours import parse_sides
from referee.english import ENGLISH
from referee.profiles import PROFILES, WCDF

Value = str | int | float | Path | None
DARKER, LIGHTER = "darker", "lighter"
MOST_PINS = 27
"""The last GPIO number on the plug of a Raspberry Pi."""


@dataclass(frozen=True)
class About:
    """What a knob is for, and what it may be set to."""

    sentence: str
    unit: str = ""
    bounds: tuple[float, float] | None = None
    """The least and the most."""
    choices: tuple[str | int, ...] = ()
    example: str | int | None = None
    """What stands in an example file where there is no default."""
    check: Callable[[Any], object] | None = None
    """Raises ValueError, with a sentence, for a value that cannot be meant."""
    is_source: bool = False
    """Whether a text may be the path of what is watched."""


def knob(default: Value, sentence: str, **more: Any) -> Any:
    """A field of a section; `more` is the rest of `About`."""
    return field(default=default, metadata={"about": About(sentence, **more)})


def _even(pixels: int) -> None:
    if pixels % 2:
        raise ValueError("must be even")


def _panel(kind: str) -> None:
    if kind not in ("off", "gpio") and not kind.startswith("/"):
        raise ValueError("must be off, gpio or a full path such as /dev/input/by-id/keypad")


def _closed(program: str) -> None:
    try:
        shlex.split(program)
    except ValueError:
        raise ValueError("must not leave a quote open") from None


@dataclass(frozen=True)
class CameraSettings:
    """What is watched."""

    source: str | None = knob(
        None,
        "What is watched: pi:0, usb:0, an address, a file, a folder or fake:NAME, a drawn game.",
        example="usb:0",
        is_source=True,
    )
    width: int = knob(
        1280, "How wide pictures of a live camera are.", unit="px", bounds=(320, 4608), check=_even
    )
    height: int = knob(
        720, "How high pictures of a live camera are.", unit="px", bounds=(240, 2592), check=_even
    )
    rate: float = knob(30.0, "How many pictures it is asked for.", unit="a second", bounds=(1, 120))
    mains_hz: int = knob(
        50, "The mains that feed the lamps, which flicker; in America 60.", unit="Hz",
        choices=(50, 60),
    )  # fmt: skip
    settle_s: float = knob(
        2.0,
        "What exposure, colours and focus are given before they are held.",
        unit="seconds",
        bounds=(0, 10),
    )
    calibration: Path | None = knob(
        None,
        "The file of `referee calibrate`; without it the board is found anew in each game.",
        example="board.json",
    )


@dataclass(frozen=True)
class RulesSettings:
    """How the game is judged, and in what words."""

    profile: str = knob(WCDF.name, "The rules; `referee rules` shows them.", choices=(*PROFILES,))
    sides: str | None = knob(
        None,
        "What the sides are called: the colour of the discs that begin, then of the others; else as"
        " the rules call them.",
        example="black,red",
        check=parse_sides,
    )
    begins: str | None = knob(
        None,
        "Which discs begin; else as the first position tells, and the darker ones where it does"
        " not.",
        choices=(DARKER, LIGHTER),
        example=LIGHTER,
    )
    language: str = knob(ENGLISH.code, "The language of what is announced.", choices=(*LANGUAGES,))
    clock: str | None = knob(
        None,
        "The clock: 30/60 (moves/minutes), 5+1 (a move) or off; else as the rules say.",
        example="off",
        check=parse_setting,
    )

    @property
    def lighter_begins(self) -> bool | None:
        """Whether the lighter discs begin; None where that is not set."""
        return None if self.begins is None else self.begins == LIGHTER


@dataclass(frozen=True)
class GamesSettings:
    """What is kept."""

    folder: Path | None = knob(
        None,
        "Where the games are kept, a folder each; else ~/.local/share/referee/games.",
        example="~/games",
    )
    pictures_days: int = knob(
        14,
        "How long pictures of incidents are kept; with 0 none are taken.",
        unit="days",
        bounds=(0, 3650),
    )
    event: str | None = knob(
        None,
        "What the games are a part of, for their records: a tournament, a match.",
        example="Club evening",
    )
    site: str | None = knob(
        None,
        "Where they are played, for their records; else what is watched stands there.",
        example="Vienna",
    )
    round: str | None = knob(
        None, "Which round of the event it is, for the records of its games.", example="1"
    )


@dataclass(frozen=True)
class VoiceSettings:
    """What is heard."""

    speak: str = knob(
        "live",
        "When the referee speaks: live, that is while a camera is watched and not with"
        " recordings; always, with recordings too, which are then watched at their own speed;"
        " or never, without any sound.",
        choices=("live", "always", "never"),
    )
    say: str | None = knob(
        None,
        "A program that speaks its last argument, in place of espeak-ng.",
        example="spd-say --wait",
        check=_closed,
    )
    device: str | None = knob(
        None,
        "The loudspeaker, an ALSA device; `aplay -L` lists them.",
        example="plughw:CARD=Headphones",
    )
    volume: int = knob(
        100,
        "How loud espeak-ng speaks; 100 is loud without clipping.",
        unit="per cent",
        bounds=(0, 100),
    )


PINS = Pins()


def pin(default: int, what: str) -> int:
    """A field that says where something is fitted."""
    number: int = knob(
        default,
        f"The pin of {what}, by its GPIO number; 0 where there is none.",
        bounds=(0, MOST_PINS),
    )
    return number


@dataclass(frozen=True)
class PanelSettings:
    """Lamps and buttons beside the board."""

    kind: str = knob(
        "off",
        "The panel: off, gpio (on a Raspberry Pi's pins) or the path of a USB keypad.",
        check=_panel,
    )
    hold_s: float = knob(
        HOLD_S, "How long claim and confirm must be held.", unit="seconds", bounds=(0.5, 10)
    )
    lamp_red: int = pin(PINS.lamp_red, "the lamp for Red's turn")
    lamp_white: int = pin(PINS.lamp_white, "the lamp for White's turn")
    lamp_offence: int = pin(PINS.lamp_offence, "the lamp for a board that is not in order")
    buzzer: int = pin(PINS.buzzer, "the buzzer")
    adjusting: int = pin(PINS.adjusting, "the button adjusting")
    clock_red: int = pin(PINS.clock_red, "Red's button of the clock")
    clock_white: int = pin(PINS.clock_white, "White's button of the clock")
    claim: int = pin(PINS.claim, "the button claim")
    confirm: int = pin(PINS.confirm, "the arbiter's button confirm")


@dataclass(frozen=True)
class ServiceSettings:
    """How the service is looked after; takes effect when it is installed again."""

    watchdog_s: int = knob(
        60,
        "After so long without a sign of life it is ended and started again.",
        unit="seconds",
        bounds=(45, 600),
    )
    restart_s: int = knob(
        15,
        "How long it waits before it is started again, when it failed or has no camera.",
        unit="seconds",
        bounds=(1, 600),
    )
    memory_mb: int = knob(
        512, "What it may use at most; then it is started again.", unit="MB", bounds=(256, 8192)
    )


@dataclass(frozen=True)
class Settings:
    """All of it, a section each."""

    camera: CameraSettings = CameraSettings()
    rules: RulesSettings = RulesSettings()
    games: GamesSettings = GamesSettings()
    voice: VoiceSettings = VoiceSettings()
    panel: PanelSettings = PanelSettings()
    service: ServiceSettings = ServiceSettings()


@dataclass(frozen=True)
class Knob:
    """One thing that can be set."""

    section: str
    name: str
    kind: type
    """What its values are, if there is one: str, int, float or Path."""
    default: Value
    about: About

    @property
    def key(self) -> str:
        return f"{self.section}.{self.name}"


def _kind(hint: Any) -> type:
    """The type itself, or what it is where None stands for not being set."""
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    kind: type = next(each for each in kinds if each is not type(None))
    return kind


def _knobs() -> Mapping[str, Knob]:
    found = {}
    for section, holder in get_type_hints(Settings).items():
        hints = get_type_hints(holder)
        for each in fields(holder):
            kind, default = _kind(hints[each.name]), getattr(holder, each.name)
            one = Knob(section, each.name, kind, default, each.metadata["about"])
            found[one.key] = one
    return found


SECTIONS: Mapping[str, str] = {
    section: (holder.__doc__ or "") for section, holder in get_type_hints(Settings).items()
}
"""The sections of a file and what each is about."""
KNOBS = _knobs()
"""All knobs by `section.name`, in the order of an example file."""


def settings_of(values: Mapping[str, Value]) -> Settings:
    """The settings with some values by `section.name` in place of the defaults."""
    return Settings(
        **{
            section: holder(**_within(section, values))
            for section, holder in get_type_hints(Settings).items()
        }
    )


def _within(section: str, values: Mapping[str, Value]) -> dict[str, Any]:
    """The values of one section by their bare names."""
    return {
        knob.name: values[key]
        for key, knob in KNOBS.items()
        if knob.section == section and key in values
    }

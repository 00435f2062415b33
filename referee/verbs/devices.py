"""The voice and the panel beside the board: their options, and opening what is wanted.

Neither stops a game: what is missing is told in a sentence, and the text goes on alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, fields, replace

from hardware.camera import Camera
from hardware.controls.gpio import Pins
from hardware.panel import PanelError
from hardware.panels import open_panel
from hardware.voice import Voice, VoiceError
from hardware.voices import open_voice
from referee.errors import InputError
from referee.language import Language
from referee.settings.knobs import Settings
from referee.signals import Signals
from referee.verbs.settings import add_knob

SPEAK, SAY = "voice.speak", "voice.say"
LIVE, ALWAYS, NEVER = "live", "always", "never"

Tell = Callable[[str], None]


def add_devices(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--voice",
        dest=SPEAK,
        action="store_const",
        const=ALWAYS,
        help="speak though it is a recording, which is then watched at its own speed",
    )
    which.add_argument(
        "--mute", dest=SPEAK, action="store_const", const=NEVER, help="make no sound at all"
    )
    which.add_argument(
        "--say",
        dest=SAY,
        metavar="PROGRAM",
        action=_Say,
        help="a program that speaks its last argument; it is --voice too",
    )
    add_knob(parser, "--sound-device", "voice.device", "DEVICE")
    add_knob(parser, "--volume", "voice.volume", "PERCENT")
    add_knob(parser, "--panel", "panel.kind", "PANEL")


class _Say(argparse.Action):
    """Who names a program wants to hear it, though it is a recording."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        setattr(namespace, SAY, values)
        setattr(namespace, SPEAK, ALWAYS)


@dataclass(frozen=True)
class Devices:
    """What opens the devices, when there is somebody to tell of their failures."""

    voice: Callable[[Tell], Voice | None]
    signals: Callable[[Tell], Signals]


def devices_from(chosen: Settings, camera: Camera) -> Devices:
    """The devices that are wanted for a camera."""
    wish, live = chosen.voice.speak, camera.length_ms is None
    speaks = wish == ALWAYS or (wish == LIVE and live)
    return Devices(
        voice=lambda tell: _opened_voice(chosen, tell) if speaks else None,
        signals=lambda tell: _opened_signals(chosen, tell),
    )


def speaking(chosen: Settings, language: Language) -> Settings:
    """The settings with the voice of a language, which may be that of a kept game."""
    return replace(chosen, rules=replace(chosen.rules, language=language.code))


def _opened_voice(chosen: Settings, tell: Tell) -> Voice | None:
    """InputError only for a program that was named."""
    wish = chosen.voice
    try:
        return open_voice(
            tell,
            program=wish.say,
            voice=chosen.rules.language,
            device=wish.device,
            volume=wish.volume,
        )
    except VoiceError as error:
        if wish.say:
            raise InputError(str(error)) from None
        tell(str(error))
        return None


def _opened_signals(chosen: Settings, tell: Tell) -> Signals:
    wish = chosen.panel
    pins = Pins(**{pin.name: getattr(wish, pin.name) for pin in fields(Pins)})
    try:
        panel = open_panel(wish.kind, tell, pins=pins, hold_s=wish.hold_s)
    except PanelError as error:
        tell(str(error))
        panel = None
    return Signals(panel, tell, chosen.voice.speak == NEVER)

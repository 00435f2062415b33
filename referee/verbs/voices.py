"""The options of the voice, and the voice that they ask for."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from hardware.camera import Camera
from hardware.voice import Voice, VoiceError
from hardware.voices import open_voice
from referee.errors import InputError
from referee.settings.knobs import Settings
from referee.verbs.settings import add_knob

SPEAK, SAY = "voice.speak", "voice.say"
LIVE, ALWAYS, NEVER = "live", "always", "never"

Tell = Callable[[str], None]
OpenVoice = Callable[[Tell], Voice | None]
"""Opens the voice that is wanted; what keeps it from being heard is told then and later."""


def add_voice(parser: argparse.ArgumentParser) -> None:
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
    parser.add_argument(
        "--say",
        dest=SAY,
        metavar="PROGRAM",
        action=_Say,
        help="a program that speaks its last argument; it is --voice too",
    )
    add_knob(parser, "--sound-device", "voice.device", "DEVICE")
    add_knob(parser, "--volume", "voice.volume", "PERCENT")


class _Say(argparse.Action):
    """Who names a program wants to hear it."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        setattr(namespace, SAY, values)
        setattr(namespace, SPEAK, getattr(namespace, SPEAK) or ALWAYS)


def nobody(_tell: Tell) -> Voice | None:
    """No voice at all."""
    return None


def voice_from(chosen: Settings, camera: Camera) -> OpenVoice:
    """The voice that is wanted for a camera. Where programs are missing the text goes on alone;
    InputError only for a program that was named."""
    wish, live = chosen.voice, camera.length_ms is None
    if wish.speak == NEVER or not (live or wish.speak == ALWAYS):
        return nobody

    def opened(tell: Tell) -> Voice | None:
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

    return opened

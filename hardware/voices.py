"""The one door to the voices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hardware.speech.cache import Cache, usual_folder
from hardware.speech.espeak import Espeak, missing, player
from hardware.voice import Program, Speaker, Voice, VoiceError


def open_voice(
    tell: Callable[[str], None],
    *,
    program: str | None = None,
    voice: str = "en",
    device: str | None = None,
    volume: int = 100,
    cache: Path | None = None,
) -> Voice:
    """The voice of a program of one's own, else that of espeak-ng through the loudspeaker.

    `voice` is a language or another of `espeak-ng --voices`, `device` an ALSA device, `volume`
    per cent. `tell` is given a sentence when nothing can be heard any more. VoiceError says at
    once which programs are missing.
    """
    if program is not None:
        return Speaker(Program(program), tell)
    command = player(device)
    if advice := missing(command):
        raise VoiceError(advice)
    kept = Cache(cache or usual_folder("voice"))
    return Speaker(Espeak(command, kept, voice, volume), tell)

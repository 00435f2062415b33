"""Three short sounds and the silence before them, as the samples of a WAV file.

They are made of plain tones, so there is nothing to ship and nothing to license.
"""

from __future__ import annotations

import io
import math
import wave
from array import array
from collections.abc import Iterator
from enum import Enum
from functools import cache

RATE = 22_050
"""Samples a second of a sound without words; that of espeak-ng's own voices."""
LEAD_S = 0.3
"""Silence first: loudspeakers on HDMI, USB and Bluetooth swallow the beginning."""
GAP_S = 0.12
"""Between a sound and the words."""
FADE_S = 0.01
"""At both ends of a tone, or it clicks."""
LOUDEST = 0.3
"""Of full scale, about -10 dBFS: no louder than the words."""
SAMPLE_BYTES = 2


class Sound(Enum):
    """What is heard before the words, told apart by their number and direction."""

    MOVE = ((880, 0.07),)
    """One short high tone."""
    OFFENCE = ((440, 0.16), (294, 0.26))
    """Two tones that fall."""
    UNSURE = ((440, 0.1), (554, 0.1), (740, 0.16))
    """Three tones that rise, like a question."""


def composed(words: bytes | None, sound: Sound | None, volume: int = 100) -> bytes:
    """A WAV file: silence, the sound, the words (a WAV file of 16 bits, mono).

    `volume` in per cent is that of the sound. wave.Error when the words are no such file.
    """
    rate, spoken = _read(words) if words is not None else (RATE, b"")
    parts = [bytes(SAMPLE_BYTES * round(LEAD_S * rate))]
    if sound:
        parts += [_tones(sound, rate, volume), bytes(SAMPLE_BYTES * round(GAP_S * rate))]
    return _written(rate, b"".join([*parts, spoken]))


def length_s(wav: bytes) -> float:
    """How long a WAV file sounds; wave.Error when it is none, or not whole."""
    rate, samples = _read(wav)
    return len(samples) / SAMPLE_BYTES / rate


def _read(wav: bytes) -> tuple[int, bytes]:
    try:
        with wave.open(io.BytesIO(wav)) as file:
            if (file.getnchannels(), file.getsampwidth()) != (1, SAMPLE_BYTES):
                raise wave.Error("the words are not one channel of 16 bits")
            samples = file.readframes(file.getnframes())
            if len(samples) != SAMPLE_BYTES * file.getnframes():
                raise wave.Error("the end is missing")
            return file.getframerate(), samples
    except EOFError:
        raise wave.Error("the beginning is missing") from None


def _written(rate: int, samples: bytes) -> bytes:
    target = io.BytesIO()
    with wave.open(target, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(SAMPLE_BYTES)
        file.setframerate(rate)
        file.writeframes(samples)
    return target.getvalue()


@cache
def _tones(sound: Sound, rate: int, volume: int) -> bytes:
    peak = 32_767 * LOUDEST * volume / 100
    tones = (_tone(hertz, seconds, rate) for hertz, seconds in sound.value)
    return array("h", (round(peak * height) for tone in tones for height in tone)).tobytes()


def _tone(hertz: float, seconds: float, rate: int) -> Iterator[float]:
    """Heights from -1 to 1; it fades in, and out over all its length like something struck."""
    count, fade = round(seconds * rate), FADE_S * rate
    for number in range(count):
        left = (count - number) / count
        edge = min(1.0, number / fade, (count - number) / fade)
        yield edge * left * math.sin(math.tau * hertz * number / rate)

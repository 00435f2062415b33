"""Words by espeak-ng, kept as WAV files and played by a program of their own.

espeak-ng never plays by itself: without a sound card it says nothing and reports success.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import wave
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hardware.speech.cache import Cache
from hardware.speech.sounds import composed, length_s
from hardware.voice import Performance, Utterance, VoiceError

ESPEAK = "espeak-ng"
WORDS_PER_MINUTE = 150
"""Slower than its usual 175: numbers of squares must be understood in a full hall."""
LOUD = 85
"""espeak-ng's amplitude for all of our volume: at its usual 100 some German sentences reach full
scale, at this none of 310 in both languages comes nearer than 0.8 dB."""
SYNTHESIS_S = 5.0
"""A long sentence takes a fiftieth of it here."""
SLACK_S = 3.0
"""How much longer than its sound a player may run."""
MOST_SIGNS = 500
"""Of a sentence; players' names are as long as people type them."""
FORMAT = 1
"""Raised when the same words would make another file."""


class Espeak:
    """A mouth; which player takes the files is not its business."""

    def __init__(
        self, player: Sequence[str], cache: Cache, voice: str = "en", volume: int = 100
    ) -> None:
        """`player` is a command that plays the file that is its last argument; `voice` is one of
        `espeak-ng --voices`; `volume` is per cent of what is loud without clipping."""
        self._player, self._cache = list(player), cache
        self._voice, self._volume = voice, volume

    def performance(self, said: Utterance) -> Performance:
        path, seconds = self._file(said)
        return Performance([*self._player, str(path)], seconds + SLACK_S)

    def _file(self, said: Utterance) -> tuple[Path, float]:
        """The WAV file and how long it sounds; made when it is not there or not whole."""
        name = self._name(said)
        path = self._cache.found(name)
        try:
            if path:
                return path, length_s(path.read_bytes())
        except (OSError, wave.Error):
            pass  # cut off by a power cut, or tidied away just now
        try:
            made = composed(self._words(said.words), said.sound, self._volume)
            return self._cache.keep(name, made), length_s(made)
        except (OSError, wave.Error) as error:
            raise VoiceError(f"no words can be made: {error}") from None

    def _name(self, said: Utterance) -> str:
        sound = said.sound.name if said.sound else ""
        made_of = (FORMAT, self._voice, self._volume, WORDS_PER_MINUTE, sound, said.words)
        return hashlib.sha256(repr(made_of).encode()).hexdigest()[:32] + ".wav"

    def _words(self, words: str) -> bytes | None:
        if not words:
            return None
        with TemporaryDirectory() as folder:
            path = Path(folder, "words.wav")
            _run(self._arguments(path), words[:MOST_SIGNS])
            return path.read_bytes()

    def _arguments(self, path: Path) -> list[str]:
        pace, loud = str(WORDS_PER_MINUTE), str(LOUD * self._volume // 100)
        return ["-v", self._voice, "-s", pace, "-a", loud, "-w", str(path), "--stdin"]


def _run(arguments: list[str], words: str) -> None:
    """The words go in as text, so that none of them can be an option."""
    command = [ESPEAK, *arguments]
    try:
        done = subprocess.run(
            command, input=words.encode(), capture_output=True, timeout=SYNTHESIS_S
        )
    except subprocess.TimeoutExpired:
        raise VoiceError(f"{ESPEAK} hangs; nothing was heard") from None
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().split("\n")[0]
        raise VoiceError(f"{ESPEAK} cannot speak: {reason or f'status {done.returncode}'}")


# --- players --------------------------------------------------------------------------------

PACKAGES = {ESPEAK: "espeak-ng", "aplay": "alsa-utils"}
"""Where Debian has the programs."""


def player(device: str | None = None) -> list[str]:
    """The command that plays a file: on an ALSA device where one is named (`aplay -L` lists
    them), else with the desktop's PipeWire, else on ALSA's default."""
    if device is None and shutil.which("pw-play") and _has_session():
        return ["pw-play"]
    return ["aplay", "-q", *(("-D", device) if device else ())]


def missing(command: Sequence[str]) -> str | None:
    """What to install when a program is missing, as a sentence; None when all are there."""
    programs = [name for name in (ESPEAK, command[0]) if shutil.which(name) is None]
    if not programs:
        return None
    return f"there is no voice; for one: sudo apt install {' '.join(map(_package, programs))}"


def _package(program: str) -> str:
    return PACKAGES[program]


def _has_session() -> bool:
    """Whether PipeWire runs for this user: a service of the system does not see that of a desk."""
    folder = os.environ.get("PIPEWIRE_RUNTIME_DIR") or os.environ.get("XDG_RUNTIME_DIR")
    return folder is not None and Path(folder, "pipewire-0").exists()

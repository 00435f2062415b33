"""A voice: any program that speaks the sentence it is given as its last argument.

    espeak-ng -v en        piper-say        spd-say --wait

Nothing is queued here: who speaks asks `is_free` first.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess

LAST_WORDS_S = 10.0
"""At the end a sentence that is being spoken may finish for so long."""


class VoiceError(Exception):
    """There is no such program."""


class Voice:
    """Speaks one sentence at a time, without making anybody wait."""

    def __init__(self, command: str) -> None:
        """`command` is a program and its arguments, as in a shell. VoiceError if there is none."""
        self._command = shlex.split(command)
        if not self._command or shutil.which(self._command[0]) is None:
            raise VoiceError(f"there is no program {command!r} to speak with")
        self._speaking: subprocess.Popen[bytes] | None = None

    @property
    def is_free(self) -> bool:
        """Whether the last sentence is over."""
        return self._speaking is None or self._speaking.poll() is not None

    def say(self, sentence: str) -> None:
        """Begin to speak; does not wait for the end. Only when `is_free`."""
        nothing = subprocess.DEVNULL
        self._speaking = subprocess.Popen(
            [*self._command, sentence], stdin=nothing, stdout=nothing, stderr=nothing
        )

    def close(self) -> None:
        """Let the last sentence finish, but not for ever."""
        if self._speaking is None:
            return
        try:
            self._speaking.wait(LAST_WORDS_S)
        except subprocess.TimeoutExpired:
            self._speaking.kill()
            self._speaking.wait()

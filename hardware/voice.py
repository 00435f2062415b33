"""The seam to every voice: it says one thing at a time and makes nobody wait.

A `Mouth` knows which program makes words heard; `Speaker` runs it beside the game, ends it when it
hangs and cuts it off when something else must be said. What is said when is not decided here.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, Protocol

from hardware.speech.sounds import Sound

LAST_WORDS_S = 10.0
"""At the end what is being said may finish for so long."""
LONGEST_S = 30.0
"""A program of one's own may speak for so long."""
KILLED_S = 1.0
"""So soon a killed program is gone, unless the sound card holds it."""
MOST_BYTES, MOST_SIGNS = 8192, 200
"""Of what a program complains, read and passed on."""


class VoiceError(Exception):
    """Nothing can be heard; the message is a sentence and says what to do."""


@dataclass(frozen=True)
class Utterance:
    """What is to be heard."""

    words: str
    sound: Sound | None = None
    """Heard before the words, where the voice can."""


@dataclass(frozen=True)
class Performance:
    """A program that makes an utterance heard."""

    command: Sequence[str]
    longest_s: float
    """So long it may run; a player that hangs is ended then."""


class Mouth(Protocol):
    """A way of making words heard."""

    def performance(self, said: Utterance) -> Performance:
        """The program for it; may take a moment to prepare. VoiceError when it cannot be."""
        ...


class Voice(Protocol):
    """Says one utterance at a time."""

    @property
    def is_free(self) -> bool:
        """Whether the last utterance is over."""
        ...

    def say(self, said: Utterance) -> None:
        """Begin at once and return at once; what is being said is cut off."""
        ...

    def wait(self) -> None:
        """Let what is being said finish, but not for ever."""
        ...

    def close(self) -> None:
        """Be silent for good."""
        ...


class Program:
    """Any program that speaks its last argument: `espeak-ng -v en`, `spd-say --wait`. It is given
    no sounds."""

    def __init__(self, command: str) -> None:
        """`command` is a program and its arguments, as in a shell. VoiceError if there is none, or
        a quote is left open."""
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise VoiceError(f"{command!r} is no program to speak with: {error}") from None
        if not self._command or shutil.which(self._command[0]) is None:
            raise VoiceError(f"there is no program {command!r} to speak with")

    def performance(self, said: Utterance) -> Performance:
        words = said.words.lstrip("-")  # a player's name may not become an option
        return Performance([*self._command, words], LONGEST_S)


class Speaker:
    """The voice that comes out of a mouth, in a thread of its own."""

    def __init__(self, mouth: Mouth, tell: Callable[[str], None]) -> None:
        """`tell` is given a sentence, in that thread, when nothing can be heard any more."""
        self._mouth, self._tell = mouth, tell
        self._complaint = ""
        self._turn = threading.Condition()
        self._next: Utterance | None = None
        self._busy = self._closing = False
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def is_free(self) -> bool:
        return self._next is None and not self._busy

    def say(self, said: Utterance) -> None:
        with self._turn:
            self._next = said
            self._hush()
            self._turn.notify_all()

    def wait(self) -> None:
        with self._turn:
            self._turn.wait_for(lambda: self.is_free, LAST_WORDS_S)

    def close(self) -> None:
        with self._turn:
            self._next, self._closing = None, True
            self._hush()
            self._turn.notify_all()
        self._thread.join(KILLED_S)

    def _hush(self) -> None:
        if self._process:
            _kill(self._process)

    def _run(self) -> None:
        while (said := self._given()) is not None:
            try:
                self._perform(said)
                self._complaint = ""
            except VoiceError as error:
                self._complain(str(error))
            except OSError as error:
                self._complain(f"nothing is heard: {error.strerror or error}")

    def _given(self) -> Utterance | None:
        """What is to be said next, as soon as there is something; None at the end."""
        with self._turn:
            self._busy = False
            self._turn.notify_all()
            self._turn.wait_for(lambda: self._next is not None or self._closing)
            said, self._next = self._next, None
            self._busy = said is not None
            return said

    def _complain(self, sentence: str) -> None:
        """Once, until something has been heard again or it is another matter."""
        if sentence != self._complaint:
            self._complaint = sentence
            self._tell(sentence)

    def _perform(self, said: Utterance) -> None:
        performance = self._mouth.performance(said)
        program = performance.command[0]
        with TemporaryFile() as errors:
            process = self._started(performance, errors)
            if process is None:
                return
            try:
                status = process.wait(performance.longest_s)
            except subprocess.TimeoutExpired:
                _kill(process)
                raise VoiceError(f"{program} hangs; nothing was heard for a while") from None
            finally:
                self._ended(process)
            if status not in (0, -signal.SIGKILL):
                raise VoiceError(f"nothing is heard, {program} says: {_last_line(errors, status)}")

    def _started(
        self, performance: Performance, errors: IO[bytes]
    ) -> subprocess.Popen[bytes] | None:
        """The program running; None when something else is to be said by now."""
        nothing = subprocess.DEVNULL
        with self._turn:
            if self._next is not None or self._closing:
                return None
            try:
                self._process = subprocess.Popen(
                    performance.command,
                    stdin=nothing,
                    stdout=nothing,
                    stderr=errors,
                    start_new_session=True,  # Ctrl-C is ours; what it starts ends with it
                )
            except OSError as error:
                name = performance.command[0]
                raise VoiceError(f"{name} cannot be run: {error.strerror or error}") from None
            return self._process

    def _ended(self, process: subprocess.Popen[bytes]) -> None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(KILLED_S)
        with self._turn:
            self._process = None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program and whatever it has started."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _last_line(errors: IO[bytes], status: int) -> str:
    """What a program complained of in the end; libraries have their say before."""
    errors.seek(0)
    lines = errors.read(MOST_BYTES).decode(errors="replace").strip().split("\n")
    return lines[-1][:MOST_SIGNS] or f"status {status}"

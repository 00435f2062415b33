"""A terminal's keyboard where the desk draws its board: every drawing would wipe what the terminal
echoes. So it echoes nothing, letters come one by one, and the desk shows what they make."""

from __future__ import annotations

import codecs
import os
import re
import signal
import termios
import threading
import tty
from collections.abc import Iterator
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any

from referee.notation import decode
from referee.watchdog import stop_here

KEY = re.compile(rb"\x1b\[\[?[ -?]*[@-~]|\x1bO[@-~]|.", re.DOTALL)
"""What one key sends: most of them a byte, arrows and their like several behind an escape."""
BEGUN_KEY = re.compile(rb"\x1b(?:\[[ -?]{,20}|O)?\Z")
ENTER, END = (b"\n", b"\r"), b"\x04"
BACKSPACE, CTRL_U, CTRL_W = (b"\x7f", b"\x08"), b"\x15", b"\x17"
LAST_LETTER = re.compile(rb"(?:[\xc0-\xff][\x80-\xbf]*|.)\Z", re.DOTALL)
LAST_WORD = re.compile(rb"[^ ]* *\Z")
LONGEST = 4096
"""Bytes of a line, as a terminal has it: what comes behind them is left out."""


class Line:
    """What is being typed, edited as a terminal edits it."""

    def __init__(self) -> None:
        self._typed = b""
        self._key = b""
        """The beginning of a key of which the rest has not come."""
        self.is_last = False
        """Whether Ctrl-D has said, at the beginning of a line, that no more will come."""

    @property
    def text(self) -> str:
        """As far as it can be read: a letter may come in pieces."""
        try:
            return codecs.getincrementaldecoder("utf-8")().decode(self._typed)
        except UnicodeDecodeError:
            return decode(self._typed)

    def take(self, new: bytes) -> Iterator[str]:
        """The lines that are finished with some more bytes."""
        new = self._key + new
        begun = BEGUN_KEY.search(new)
        self._key = begun[0] if begun else b""
        for key in KEY.findall(new, 0, len(new) - len(self._key)):
            if key in ENTER:
                yield self.finish()
            elif key == END and not self._typed:
                self.is_last = True
                return
            else:
                self._press(key)

    def finish(self) -> str:
        """The line as it is; another begins."""
        line, self._typed = self._typed, b""
        return decode(line)

    def _press(self, key: bytes) -> None:
        if key in BACKSPACE:
            self._typed = LAST_LETTER.sub(b"", self._typed)
        elif key == CTRL_W:
            self._typed = LAST_WORD.sub(b"", self._typed, count=1)
        elif key == CTRL_U:
            self._typed = b""
        elif key == b"\t" or (len(key) == 1 and key >= b" "):
            self._typed = (self._typed + key.replace(b"\t", b" "))[:LONGEST]


class Keyboard:
    """Keeps a terminal from echoing; to be used in a `with`, which leaves it as it was."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._before: list[Any] | None = None
        """How the terminal was found, while it is held."""
        self._minds_stops = False

    def __enter__(self) -> Keyboard:
        if threading.current_thread() is threading.main_thread():
            self._minds_stops = signal.getsignal(signal.SIGTSTP) == signal.SIG_DFL
        if self._minds_stops:
            signal.signal(signal.SIGTSTP, self._stop)
        self.hold()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()
        if self._minds_stops:
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)

    def hold(self) -> None:
        """Have no echo, and letters one by one. To be asked for again and again: a job may come
        back from the background, and its shell have set the terminal meanwhile."""
        if not is_ours(self._terminal):
            return
        with suppress(termios.error):
            found = termios.tcgetattr(self._terminal)
            if found[tty.LFLAG] & (termios.ECHO | termios.ICANON):
                self._before = found
                tty.setcbreak(self._terminal, termios.TCSANOW)

    def release(self) -> None:
        """Leave the terminal as it was found, unless the program is in the background: there it is
        the shell's."""
        before, self._before = self._before, None
        if before and is_ours(self._terminal):
            with suppress(termios.error):
                termios.tcsetattr(self._terminal, termios.TCSANOW, before)

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        """Ctrl-Z: the shell gets its terminal back before the program stops."""
        self.release()
        stop_here(number)
        signal.signal(number, self._stop)


def is_ours(terminal: int) -> bool:
    """Whether the program may read a terminal, and set it. A job in the background may not."""
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False

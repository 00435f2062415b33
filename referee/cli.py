"""The command line: `referee VERB …`.

What a command is asked for goes to the standard output, also as JSON, one object a line; what is
going on, and every problem, to the standard error.
Exit status: 0 fine, 1 something wrong was found, 2 bad use or unreadable input, 75 stuck and to be
started again, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import FrameType

from hardware.camera import MOST_PIXELS, CameraError, CameraHung
from referee import __version__, watchdog
from referee.errors import RefereeError
from referee.verbs import terminal
from referee.verbs.lookalikes import use_lookalikes

VERBS = {
    "look": "read pictures of a board",
    "calibrate": "find the board and the colours of its set, and keep them in a file",
    "watch": "follow a game, announce offences and keep its record",
    "resume": "go on with a game after a power cut",
    "say": "say to a kept game what nobody has said, as its result",
    "list": "list the games that are kept",
    "replay": "feed a kept game again and print every difference",
    "export": "write a kept game as PDN, JSON and a page to print",
    "incidents": "list what went wrong in a kept game, with its pictures",
    "check": "say whether recorded games are lawful, and where they stop being so",
    "rules": "show a rules profile: what follows from which offence",
    "config": "show the settings that hold, and where each was set",
    "doctor": "look whether this computer has what the referee needs",
    "service": "have the referee started with the computer, and started again",
}

FINE, WRONG, UNREADABLE = 0, 1, 2
FAREWELL_S = 10
"""What the end may take when a driver hangs."""
SIGNALLED = 128
"""What shells add to the number of the signal that ended a program."""


class _Stopped(BaseException):
    """A signal asked the program to end; everything opened is closed on the way out."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = SIGNALLED + number


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments say and return the exit status."""
    _quieten_opencv()
    _replace_closed()
    use_lookalikes()
    try:
        with _stoppable():
            return _run(sys.argv[1:] if arguments is None else list(arguments))
    except CameraHung as error:
        terminal.complain(f"{error}; go on with referee resume")
        # What hangs may hold the program at its end too; then the kernel ends it.
        signal.alarm(FAREWELL_S)
        return watchdog.STATUS
    except (RefereeError, CameraError) as error:
        terminal.complain(str(error))
        return UNREADABLE
    except BrokenPipeError:
        terminal.forget(sys.stdout)
        return SIGNALLED + signal.SIGPIPE
    except OSError as error:
        terminal.complain(terminal.reason(error))
        return UNREADABLE
    except _Stopped as stop:
        return stop.status
    finally:
        _flush_errors()


def _run(arguments: list[str]) -> int:
    verb = next((word for word in arguments if word in VERBS), None)
    options = _parser(verb).parse_args(arguments)
    status: int = import_module(f"referee.verbs.{options.verb}").run(options)
    return status


def _parser(chosen: str | None) -> argparse.ArgumentParser:
    """The parser of everything; only the chosen verb is imported, for OpenCV takes its time."""
    parser = argparse.ArgumentParser(
        prog="referee",
        description="A camera referee for English draughts on a real board.",
        epilog="Exit status: 0 fine, 1 something wrong was found, 2 bad use or unreadable input.",
    )
    parser.add_argument("--version", action="version", version=f"referee {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, purpose in VERBS.items():
        verb = verbs.add_parser(
            name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}."
        )
        if name == chosen:
            import_module(f"referee.verbs.{name}").arguments(verb)
    return parser


def _quieten_opencv() -> None:
    """Errors are told in our own words; OpenCV and FFmpeg would add theirs. And no picture may
    be larger than is sane; `hardware.cameras.pictures` knows what it overlooks. Before importing
    it."""
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let Ctrl-C and polite requests to end unwind the program, once: impatience hurts nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    wanted = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, _stop) for number in wanted}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, _frame: FrameType | None) -> None:
    for other in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(other, signal.SIG_IGN)
    raise _Stopped(number)


def _replace_closed() -> None:
    """On a stream that the shell has closed nothing is heard, and what is said is lost. No file
    that is opened later takes its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - until the end


def _flush_errors() -> None:
    """That people do not hear of it any more makes nothing fail."""
    try:
        sys.stderr.flush()
    except OSError:
        terminal.forget(sys.stderr)

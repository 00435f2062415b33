"""What is typed at a terminal while the board is drawn there: edited, shown, and without echo."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import termios
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from referee import cli, game
from referee.events import Seated
from referee.verbs import keyboard
from referee.verbs.keyboard import LONGEST, Keyboard, Line
from referee.verbs.typed import Typed

PROJECT = Path(__file__).parents[1]
PATIENCE_S = 60
SCRIPT = """set official
camera pi3 37 5
size 640 360
light two-lamps
rate 3
seed 7
wait 1
11-15
wait 600
"""
Begin = Callable[..., subprocess.Popen[bytes]]
IN_A_SESSION_OF_ITS_OWN = (
    "import fcntl, sys, termios\nfcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
    "from referee import cli\nsys.exit(cli.main(sys.argv[1:]))"
)


@pytest.mark.parametrize(
    ("pieces", "lines", "text"),
    [
        pytest.param([b"cor", b"rect"], [], "correct", id="letters"),
        pytest.param([b"back\nstart\rcla"], ["back", "start"], "cla", id="enter"),
        pytest.param([b"bakc\x7f\x08ck\n"], ["back"], "", id="backspace"),
        pytest.param([b"\x7f\x17\x15x"], [], "x", id="nothing-to-erase"),
        pytest.param([b"Jos\xc3", b"\xa9"], [], "José", id="letter-in-pieces"),
        pytest.param([b"Jos\xc3"], [], "Jos", id="half-a-letter"),
        pytest.param(["Joséß".encode(), b"\x7f\x7f"], [], "Jos", id="backspace-takes-letters"),
        pytest.param([b"correct 11-15  \x17"], [], "correct ", id="word"),
        pytest.param([b"correct 11-15\x15back"], [], "back", id="line"),
        pytest.param([b"b\x1b[Aa\x1b[1;5Dc\x1bOPk\x1b[3~"], [], "back", id="arrows"),
        pytest.param([b"ba\x1b", b"[", b"Ack", b"\x1b"], [], "back", id="arrow-in-pieces"),
        pytest.param([b"\x1b", b"back"], [], "back", id="escape"),
        pytest.param([b"result\t1-0\a\0"], [], "result 1-0", id="other-keys"),
        pytest.param([b"Jos\xe9, M\xfcller\n"], ["José, Müller"], "", id="latin-1"),
        pytest.param([b"M\xfcllr\x7fer"], [], "Müller", id="latin-1-unfinished"),
        pytest.param([b"Jos\xe9\x7f"], [], "Jos", id="latin-1-erased"),
    ],
)
def test_keys_edit_the_line(pieces: list[bytes], lines: list[str], text: str) -> None:
    line = Line()
    assert [each for piece in pieces for each in line.take(piece)] == lines
    assert line.text == text
    assert not line.is_last


@pytest.mark.parametrize(("key", "sign"), [(b"x", "x"), (b"\t", " ")])
def test_what_lies_on_the_keyboard_makes_no_endless_line(key: bytes, sign: str) -> None:
    line = Line()
    assert not [*line.take(key * 10_000)]
    assert [*line.take(b"\nback\n")] == [sign * LONGEST, "back"]


def test_control_d_is_the_end_at_the_beginning_of_a_line_only() -> None:
    line = Line()
    assert [*line.take(b"ba\x04ck\n")] == ["back"]
    assert not line.is_last
    assert [*line.take(b"start\n\x04back\n")] == ["start"]
    assert line.is_last


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    """A terminal: where somebody types, and where that is read."""
    pair = os.openpty()
    yield pair
    for end in pair:
        os.close(end)


def press(ends: tuple[int, int], keys: bytes) -> None:
    """Type something, and wait until it has come."""
    os.write(ends[0], keys)
    assert select.select([ends[1]], [], [], PATIENCE_S)[0]


def echoes(terminal: int) -> bool:
    attributes = termios.tcgetattr(terminal)[tty.LFLAG]
    assert bool(attributes & termios.ECHO) is bool(attributes & termios.ICANON)
    return bool(attributes & termios.ECHO)


class TestKeyboard:
    @pytest.fixture(autouse=True)
    def in_front(self, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
        """Whether the program is in the foreground of the terminal; so it begins."""
        front = [True]
        monkeypatch.setattr(keyboard, "is_ours", lambda _: front[-1])
        monkeypatch.setattr("referee.verbs.typed.is_ours", lambda _: front[-1])
        return front

    def test_the_terminal_is_silent_meanwhile_and_then_as_it_was(
        self, ends: tuple[int, int]
    ) -> None:
        before = termios.tcgetattr(ends[1])
        with suppress(KeyboardInterrupt), Keyboard(ends[1]):
            assert not echoes(ends[1])
            raise KeyboardInterrupt
        assert termios.tcgetattr(ends[1]) == before

    def test_a_job_in_the_background_touches_no_terminal(
        self, ends: tuple[int, int], in_front: list[bool]
    ) -> None:
        in_front.append(False)
        with Keyboard(ends[1]) as kept:
            assert echoes(ends[1])
            in_front.append(True)
            kept.hold()
            assert not echoes(ends[1])
            in_front.append(False)
        assert not echoes(ends[1])  # it is the shell's, which sets it

    def test_a_program_that_is_stopped_gives_the_terminal_back(
        self, ends: tuple[int, int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        kill, found = os.kill, []

        def stopping(process: int, number: int) -> None:
            found.append((number, signal.getsignal(number), echoes(ends[1])))

        with Keyboard(ends[1]) as kept:
            monkeypatch.setattr(os, "kill", stopping)
            kill(os.getpid(), signal.SIGTSTP)
            assert found == [(signal.SIGTSTP, signal.SIG_DFL, True)]
            kept.hold()
            assert not echoes(ends[1])
            kill(os.getpid(), signal.SIGTSTP)
            assert len(found) == 2
        assert signal.getsignal(signal.SIGTSTP) == signal.SIG_DFL
        assert echoes(ends[1])

    def test_who_types_sees_it_where_the_echo_is_left_out(
        self, ends: tuple[int, int], in_front: list[bool]
    ) -> None:
        said: list[str] = []
        typed = Typed(game.feed, said.append, source=ends[1])
        assert typed.typing() is None
        with typed.unechoed(False):
            assert typed.typing() is None
        with typed.unechoed(True):
            assert typed.typing() == ""
            press(ends, b"help\ncorr")
            typed.hear()
            assert [text.split()[0] for text in said] == ["start"]
            assert typed.typing() == "corr"
            in_front.append(False)
            assert typed.typing() is None
            in_front.append(True)
            press(ends, b"\x15\x04")
            typed.hear()
            assert typed.typing() is None
            typed.release()
            assert echoes(ends[1])

    def test_what_is_typed_before_there_is_a_game_is_answered_and_waits(
        self, ends: tuple[int, int]
    ) -> None:
        said: list[str] = []
        typed = Typed(game.feed, said.append, source=ends[1])
        with typed.unechoed(True):
            press(ends, b"seats Anna, Ben\nseets Anna\nhelp\n")
            typed.hear()
            waits, wrong, manual = said
            assert waits == "seats Anna, Ben waits until I have found the board"
            assert "seets" in wrong
            assert manual.startswith("start")
            _, events = typed.obey(game.begin(), 0)
        assert [type(event) for event in events] == [Seated]
        assert len(said) == 3

    def test_a_pipe_has_no_echo_to_leave_out(self) -> None:
        ends = os.pipe()
        typed = Typed(game.feed, pytest.fail, source=ends[0])
        with typed.unechoed(True):
            os.write(ends[1], b"help\n")
            typed.hear()
            assert (typed.typing(), typed.has_more) == (None, True)
        for end in ends:
            os.close(end)


class Screen:
    """What a program writes to its terminal, colours left out."""

    def __init__(self, end: int) -> None:
        self._end, self._written = end, b""

    def wait_for(self, text: str) -> str:
        """All that is written until a text has come."""
        latest_s = time.monotonic() + PATIENCE_S
        while text not in self._text():
            left_s = latest_s - time.monotonic()
            assert left_s > 0, self._text()
            assert select.select([self._end], [], [], left_s)[0], self._text()
            self._written += os.read(self._end, 65536)
        written, self._written = self._text(), b""
        return written

    def _text(self) -> str:
        return re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", self._written.decode(errors="replace"))


@pytest.fixture
def begun(ends: tuple[int, int], tmp_path: Path) -> Iterator[Begin]:
    """Begins to watch a game at the terminal, which is left at the end."""
    (tmp_path / "long.script").write_text(SCRIPT)
    termios.tcsetwinsize(ends[1], (24, 80))
    processes: list[subprocess.Popen[bytes]] = []

    def begun(*options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", IN_A_SESSION_OF_ITS_OWN, "watch", "fake:long.script"]
        process = subprocess.Popen(
            [*command, *options],
            stdin=ends[1], stdout=ends[1], stderr=ends[1],
            env=os.environ | {"TERM": "xterm", "PYTHONPATH": str(PROJECT)},
            cwd=tmp_path,
            start_new_session=True,
        )  # fmt: skip
        processes.append(process)
        return process

    yield begun
    for process in processes:
        process.kill()
        process.wait()


def test_who_types_under_the_live_board_sees_it(ends: tuple[int, int], begun: Begin) -> None:
    before = termios.tcgetattr(ends[1])
    process, screen = begun(), Screen(ends[0])
    screen.wait_for("> help lists what can be typed")
    os.write(ends[0], b"seats An")
    screen.wait_for("> seats An")
    assert not echoes(ends[1])
    os.write(ends[0], b"na, Ben\n")
    screen.wait_for("Anna has Red, Ben has White")
    screen.wait_for("> help lists what can be typed")
    os.write(ends[0], b"\x03")
    assert re.search(r"of 10:\d\d[^>]*The game", screen.wait_for("The game"))
    assert process.wait(PATIENCE_S) == cli.SIGNALLED + signal.SIGINT
    assert termios.tcgetattr(ends[1]) == before


def test_who_types_where_programs_alone_are_served_is_answered(
    ends: tuple[int, int], begun: Begin
) -> None:
    begun("--json")
    screen = Screen(ends[0])
    screen.wait_for('"event": "ready"')
    assert echoes(ends[1])
    os.write(ends[0], b"help\ndance\n")
    assert "give up" in screen.wait_for("there is no command dance")

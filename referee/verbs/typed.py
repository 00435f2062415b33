"""Commands that come while a game is watched: typed, a line each, or from the panel's buttons."""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from referee.commands import ENDING, Command, Word, manual, parse
from referee.english import ENGLISH
from referee.errors import NotationError
from referee.events import Event
from referee.game import Game, Input, Step
from referee.language import Language, reason_in
from referee.signals import Signals
from referee.verbs.keyboard import Keyboard, Line, is_ours

STDIN = 0
MOST_BYTES = 4096
"""Read at once; what is left waits for the next frame."""
HELP = "help", "hilfe", "?"
END = "quit", "exit"
"""What people type who want to end; nobody is to end a game by a slip of the hand."""
PUT_BY = "{} waits until I have found the board"
KEYBOARD, PANEL = "keyboard", "panel"
"""What commands carry with them, by what they were said with."""

Feed = Callable[[Game, Input], Step]


class Typed:
    """Feeds the game what was said before each of its inputs, with that input's time.

    There is no thread: between two frames the standard input is asked whether it has something.
    """

    def __init__(
        self,
        feed: Feed,
        tell: Callable[[str], None],
        first: Iterable[str] = (),
        source: int | None = STDIN,
        signals: Signals | None = None,
        language: Language = ENGLISH,
    ) -> None:
        """`tell` says a sentence, or the list of commands, to whoever types. `first` are lines
        to begin with; `signals` those of the panel. People name the players as in `language`, and
        are answered in it."""
        self._feed, self._tell = feed, tell
        self._waiting = list(first)
        self._source = source
        self._signals = signals or Signals(None, tell)
        self._language = language
        self._line = Line()
        self._keyboard: Keyboard | None = None

    def feed(self, game: Game, given: Input) -> Step:
        """One step of the game, commands first."""
        game, found = self.obey(game, given.time_ms)
        for line in self._signals.lines():
            game, events = self._obey(game, line, given.time_ms, PANEL)
            self._signals.answer(events)
            found += events
        game, events = self._feed(game, given)
        return game, (*found, *events)

    @contextmanager
    def unechoed(self, wanted: bool) -> Iterator[None]:
        """Where wanted, have `typing` tell what is typed at a terminal, in place of its echo."""
        if not wanted or self._source is None or not os.isatty(self._source):
            yield
            return
        with Keyboard(self._source) as self._keyboard:
            try:
                yield
            finally:
                self._keyboard = None

    def release(self) -> None:
        """Leave the terminal as it was; at a sudden end, for which no `with` is left."""
        if self._keyboard:
            self._keyboard.release()

    def typing(self) -> str | None:
        """The line that is being typed; None where nothing can be, or the terminal echoes it."""
        if self._keyboard is None or self._source is None or not is_ours(self._source):
            return None
        return self._line.text

    def hear(self) -> None:
        """Take what is typed before there is a game to say it of: help needs none, and the rest
        waits for one."""
        for line in self._lines() if self._keyboard else ():
            if self._understood(line, 0, KEYBOARD, self._language):
                self._waiting.append(line)
                self._answer(PUT_BY.format(line))

    def obey(self, game: Game, time_ms: int) -> Step:
        """The game after the lines that have come."""
        found: tuple[Event, ...] = ()
        self._waiting += self._lines()
        while self._waiting:
            line = self._waiting.pop(0)
            game, events = self._obey(game, line, time_ms, KEYBOARD, self._language)
            found += events
        return game, found

    @property
    def has_more(self) -> bool:
        """Whether there are lines that have not been obeyed, or may be."""
        return bool(self._waiting) or (self._source is not None and _has_input(self._source))

    def _obey(
        self, game: Game, line: str, time_ms: int, origin: str, language: Language = ENGLISH
    ) -> Step:
        command = self._understood(line, time_ms, origin, language)
        if command is None:
            return game, ()
        if answer := _needless(game, command):
            self._answer(answer)
        return self._feed(game, command)

    def _understood(
        self, line: str, time_ms: int, origin: str, language: Language
    ) -> Command | None:
        """The command of a line; None, and an answer, where it asks for help or says none."""
        try:
            if is_help(line):
                self._tell(manual(language.sides))
            elif line.lower() in END:
                self._answer(ENDING)
            else:
                return parse(line, time_ms, origin, language.sides, language.names)
        except NotationError as error:
            self._answer(str(error))
        return None

    def _answer(self, sentence: str) -> None:
        self._tell(reason_in(sentence, self._language))

    def _lines(self) -> Iterator[str]:
        if self._keyboard:
            self._keyboard.hold()
        if self._source is None or not _has_input(self._source):
            return
        new = _read(self._source)
        lines = [*self._line.take(new)] if new else [self._line.finish()]
        if not new or self._line.is_last:
            self._source = None
        yield from filter(None, map(str.strip, lines))


def is_help(line: str) -> bool:
    """Whether a line, which is not empty, asks what can be said."""
    return line.split()[0].lower() in HELP


def _needless(game: Game, command: Command) -> str:
    """What to answer to a command that changes nothing; empty for any other."""
    paused = game.tracker.paused
    if command.word is Word.PAUSE and paused:
        return "I am looking away already"
    return "I am looking already" if command.word is Word.RESUME and not paused else ""


def _read(source: int) -> bytes:
    """What can be read now; nothing at the end, or when the terminal has gone."""
    try:
        return os.read(source, MOST_BYTES)
    except OSError:
        return b""


def _has_input(source: int) -> bool:
    """Whether something can be read now."""
    if os.isatty(source) and not is_ours(source):
        return False
    try:
        return bool(select.select([source], [], [], 0)[0])
    except (OSError, ValueError):
        return False

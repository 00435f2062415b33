"""`referee say`: what nobody has said of a game while it was watched, as its result."""

from __future__ import annotations

import argparse
from dataclasses import replace

from referee.announcer import announce, is_aloud
from referee.commands import Command, Word, manual, parse
from referee.errors import InputError
from referee.events import Event, Refused
from referee.game import Game, Step
from referee.journal.folding import fold
from referee.journal.journal import Journal
from referee.journal.recorder import Recorder
from referee.language import Language
from referee.verbs import terminal
from referee.verbs.games import add_game, found, sheet_again, sound_entries, tags_of, tell_findings
from referee.verbs.typed import KEYBOARD, is_help
from referee.verbs.wording import as_json, language_told

OF_A_BOARD = (
    Word.START,
    Word.SET_POSITION,
    Word.ADJUSTING,
    Word.CLOCK,
    Word.PRESS,
    Word.PAUSE,
    Word.RESUME,
)
"""What is said of a board that is watched, and of no game that was."""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "lines", metavar="LINE", nargs="+", help="as it is typed in a game, such as 'result 1-0'"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per event")


def run(options: argparse.Namespace) -> int:
    """1 when something of it was not possible, or the journal is damaged."""
    folder = found(options)
    if any(line.strip() and is_help(line) for line in options.lines):  # also while it is watched
        sides = language_told(folder, sound_entries(folder).entries).sides
        terminal.report().print(manual(sides), markup=False, soft_wrap=True)
        return 0
    journal, findings = Journal.reopen(folder)
    try:
        tell_findings(folder, findings)
        game, language = fold(findings.entries), language_told(folder, findings.entries)
        commands = [_command(line, game, language) for line in options.lines]
        sheet = sheet_again(folder, findings.entries, game)
        game, events = _said(game, commands, Recorder(journal))
    finally:
        journal.close()
    for event in events:
        _tell(event, game, language, options.json)
    sheet.save(*game.records(tags_of(folder, findings.entries), language))
    if not options.json:
        terminal.console().print(f"Record {sheet.path}", markup=False, soft_wrap=True)
    refused = any(isinstance(event, Refused) for event in events)
    return 1 if refused or findings.problems else 0


def _command(line: str, game: Game, language: Language) -> Command:
    """A line as a command to the game, when it was last seen; NotationError or InputError."""
    if not line.strip():
        raise InputError("an empty line says nothing; give one such as 'result 1-0'")
    now_ms = max(0, game.tracker.now)
    command = parse(line, now_ms, KEYBOARD, language.sides, language.names)
    if command.word in OF_A_BOARD:
        raise InputError(f"{line} can be said of a game that is watched only")
    return replace(command, afterwards=True)


def _said(game: Game, commands: list[Command], recorder: Recorder) -> Step:
    """The game after the commands, and what they cause, on the disk before it is told."""
    events: tuple[Event, ...] = ()
    for command in commands:
        game, caused = recorder.feed(game, command)
        events += caused
    return game, events + recorder.close()


def _tell(event: Event, game: Game, language: Language, json: bool) -> None:
    said = announce(event, language)
    if json:
        terminal.emit(as_json(event, said, is_aloud(said, game.arbiter.profile) if said else False))
    elif said:
        terminal.console().print(said.text, markup=False, soft_wrap=True)

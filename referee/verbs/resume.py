"""`referee resume`: go on with a kept game after a power cut or a stop."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from calibration.locate import Refusal
from calibration.saved import Calibration
from hardware.camera import Camera, Frame, borrowed_frames
from hardware.sources import is_stored
from referee import notation
from referee.announcer import Announcement, announce, is_aloud
from referee.colours import Sides, players
from referee.commands import USAGES, Command, Word, manual, parse
from referee.english import ENGLISH
from referee.errors import InputError, NotationError
from referee.events import Event, Refused
from referee.eye.first_sight import ways_of
from referee.journal.chain import Entry
from referee.journal.coding import command_of
from referee.journal.folding import day_begun, events, fold
from referee.journal.journal import Journal
from referee.journal.keeper import Keeper
from referee.journal.salvage import Findings
from referee.journal.shelf import CALIBRATION, Shelf, load_place, load_source, note_source
from referee.language import called, reason_in
from referee.resuming import GAP_MS, Sighting, beyond, differing, later, look, with_ranks
from referee.rules import Position
from referee.scoresheet import Scoresheet, named
from referee.standing import Standing
from referee.terminal_board import cells_of, draw_board, has_colours
from referee.tracker import Phase
from referee.verbs import terminal
from referee.verbs.calibrations import last_good, load
from referee.verbs.devices import Devices, add_devices, devices_from, speaking
from referee.verbs.games import add_game, found, sheet_again, tell_findings
from referee.verbs.settings import add_knob, settings, typed
from referee.verbs.sources import game_camera
from referee.verbs.typed import KEYBOARD, STDIN, is_help
from referee.verbs.watch import Looks, Watch
from referee.verbs.wording import as_json, language_again
from referee.watching import first_calibration, is_size_of

QUESTION = """The board is not as the record says. Type
  record        the record is right: put the board right, or play on from it
  11-15 23-19   these moves were made meanwhile
  {players:<12}  the board is right, and it is this player's turn
  stop          to leave the game as it is"""
RECORD, STOP = "record", "stop"
MOST_SIGNS = 400


def arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "camera.source", metavar="SOURCE", nargs="?", help="the camera, if it is another one now"
    )
    parser.add_argument("--pdn", metavar="FILE", type=Path, help="the record; else where it was")
    add_knob(parser, "--calibration", "camera.calibration", "FILE", otherwise="else the game's own")
    add_knob(parser, "--pictures", "games.pictures_days", "DAYS")
    add_knob(parser, "--sides", "rules.sides", "FIRST,SECOND", otherwise="else as before")
    add_knob(parser, "--language", "rules.language", "LANGUAGE", otherwise="else as before")
    add_devices(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object per event")


def run(options: argparse.Namespace) -> int:
    folder = found(options)
    chosen = settings(options)
    source = typed(options).get("camera.source") or _kept_source(folder) or chosen.camera.source
    if source is None:
        raise InputError(f"it is not known what {folder.name} was watched with; name a SOURCE")
    if Path(str(source)).is_dir():
        raise InputError(
            "the pictures of a folder have no clock to go on by; watch them from the first:"
            f" referee watch {source}"
        )
    # A file that is set for all games is older than the game's own.
    place = typed(options).get("camera.calibration")
    calibration = load(place) if isinstance(place, Path) else None
    camera = game_camera(str(source), chosen)
    sheet = named(options.pdn) if options.pdn else None
    journal, findings = Journal.reopen(folder)
    try:
        tell_findings(folder, findings)
        language = language_again(chosen.rules, folder, findings.entries, typed(options))
        shelf, days = Shelf(folder.parent), chosen.games.pictures_days
        keeper = Keeper(shelf, str(source), days, language)
        keeper.go_on(folder, journal, resumed=True)
        devices = devices_from(speaking(chosen, language), camera)
        title = typed(options).get("camera.source") or load_source(folder) or source
        looks = Looks(str(title), language, options.json)
        return Return(looks, camera, keeper, sheet, findings, devices, calibration).go()
    finally:
        journal.close()


def _kept_source(folder: Path) -> str | None:
    """What the game was watched with, if that is known; InputError for a file that has gone."""
    source = load_place(folder)
    if source and is_stored(source) and not Path(source).exists():
        raise InputError(f"there is no {source} any more; name the SOURCE behind the game")
    return source


@dataclass
class GoingOn:
    """A camera that has been looked through already."""

    rest: Iterator[Frame]
    length_ms: int | None

    def frames(self) -> Iterator[Frame]:
        return self.rest


class Return:
    """From the journal to the board and on with the game."""

    def __init__(
        self,
        looks: Looks,
        camera: Camera,
        keeper: Keeper,
        sheet: Scoresheet | None,
        findings: Findings,
        devices: Devices,
        calibration: Calibration | None = None,
    ) -> None:
        """`keeper` has begun to go on with the game. Without a `sheet` the record goes on where it
        was. `calibration` is a newer one than its own, which tells which discs have begun."""
        assert keeper.folder is not None
        self._looks, self._camera, self._keeper = looks, camera, keeper
        own = last_good(keeper.folder / CALIBRATION)
        newer = calibration.begun_by(own.lighter_begins) if calibration and own else calibration
        self._known = newer or own
        self._devices = devices
        self._english = called(ENGLISH, looks.language.sides)
        self._console = terminal.console()
        self._findings = findings
        self._game = fold(findings.entries)
        self._sheet = sheet or sheet_again(keeper.folder, findings.entries, self._game)
        self._standing = Standing(self._game.tracker.first)
        for event in events(findings.entries):
            self._standing = self._standing.after(event)

    def go(self) -> int:
        """1 when the board and the record could not be brought together."""
        self._say_again()
        last_ms = max(0, self._game.tracker.now)
        with borrowed_frames(self._camera) as frames:
            if self._camera.length_ms is not None:
                # Nobody can have played on a recording meanwhile.
                self._enter(None)
                return self._watch(beyond(frames, last_ms), self._known)
            frames = later(frames, last_ms + GAP_MS)
            calibration = self._calibrated(frames)
            sighting = look(frames, calibration)
            self._enter(sighting)
            self._look_away(last_ms)
            agreed = self._agreed(sighting, frames, calibration)
            # Searching, looking and asking took their time, which is nobody's either.
            return self._watch(later(frames, last_ms + GAP_MS), agreed) if agreed else 1

    def _say_again(self) -> None:
        """The last thing that happened: the end may have come before it was announced."""
        last = [entry for entry in self._findings.entries if '"events":' in entry.text][-1:]
        for event in events(last):
            said = self._tell(event, again=True)
            if said:
                self._console.print(f"Before: {said.text}", markup=False, soft_wrap=True)

    def _look_away(self, last_ms: int) -> None:
        """For the game the referee has looked away since the last thing it saw. Where people had
        told it to, it goes on looking away."""
        told_to = was_told_to_look_away(self._findings.entries)
        if self._game.tracker.phase is Phase.PLAYING and not told_to:
            self._feed(Command(last_ms, Word.PAUSE))
            self._feed(Command(last_ms + GAP_MS, Word.RESUME))

    def _calibrated(self, frames: Iterator[Frame]) -> Calibration:
        """Where the board is: as it was, or searched anew with what should stand on it."""
        if self._known and is_size_of(next(frames), self._known):
            return self._known
        found = self._first_calibration(frames)
        if isinstance(found, Refusal):
            raise InputError(f"the board is not found: {found.reason}; set it up as recorded")
        calibration, _ = found
        return calibration

    def _first_calibration(
        self, frames: Iterator[Frame], *others: str
    ) -> tuple[Calibration, Frame] | Refusal:
        """The first that shows the board as recorded, or another setup. Where that does not tell
        which discs begin, those do that were known to."""
        setup = self._game.position.setup
        ways = ways_of(None, self._known)
        return first_calibration(frames, setup, *others, ways=ways, tell=self._say)

    def _say(self, event: Event) -> None:
        said = self._tell(event)
        if said:
            self._console.print(said.text, markup=False, soft_wrap=True)

    def _enter(self, sighting: Sighting | None) -> None:
        """Say in the journal that the referee was away."""
        seen = sighting.setup if sighting else None
        self._keeper.note("resumed", {"entries": len(self._findings.entries), "seen": seen})

    def _feed(self, command: Command) -> tuple[Event, ...]:
        self._game, caused = self._keeper.feed(self._game, command)
        for event in caused:
            self._standing = self._standing.after(event)
            self._tell(event)
        return caused

    def _tell(self, event: Event, **more: bool) -> Announcement | None:
        """Tell programs, with `more` keys; how the event is announced."""
        said = announce(event, self._looks.language)
        aloud = said is not None and is_aloud(said, self._game.arbiter.profile)
        if self._looks.as_json:
            terminal.emit_of_game(as_json(event, said, aloud) | more)
        return said

    def _agreed(
        self, sighting: Sighting, frames: Iterator[Frame], calibration: Calibration
    ) -> Calibration | None:
        """Where the board is, once the game can go on: it is as recorded, or a person has
        decided. None when it cannot; `frames` would show more."""
        while wrong := self._differing(sighting):
            self._show(sighting, wrong)
            answer = _read_line()
            if answer is None or answer.lower() == STOP:
                return None
            if answer.lower() == RECORD:
                return calibration
            if answer:
                self._obey(answer, sighting)
        return calibration

    def _differing(self, sighting: Sighting) -> tuple[int, ...]:
        """The squares that a person must decide about, while the game goes on."""
        if self._game.tracker.phase is not Phase.PLAYING:
            return ()
        return differing(self._game.position.setup, sighting.setup)

    def _show(self, sighting: Sighting, wrong: tuple[int, ...]) -> None:
        """Both diagrams and the question."""
        position = self._game.position
        if self._looks.as_json:
            terminal.emit_of_game(
                {
                    "time_ms": self._game.tracker.now,
                    "event": "different",
                    "squares": list(wrong),
                    "record": position.setup,
                    "board": sighting.setup,
                }
            )
        sides = self._looks.language.sides
        _draw(self._console, position.setup, sighting.setup, wrong, sides)

    def _obey(self, answer: str, sighting: Sighting) -> None:
        if is_help(answer):
            self._console.print(manual(self._looks.language.sides), markup=False)
            return
        try:
            for event in self._feed(self._command(answer, sighting)):
                if isinstance(event, Refused):
                    raise NotationError(reason_in(event.reason, self._english))
        except NotationError as error:
            self._console.print(str(error), markup=False, soft_wrap=True)

    def _command(self, answer: str, sighting: Sighting) -> Command:
        now_ms, language = self._game.tracker.now, self._looks.language
        turn = players(language.sides, language.names).get(answer.casefold())
        if turn is None:
            known = answer.split()[0].lower() in USAGES
            line = answer if known else f"overrule {answer}"
            return parse(line, now_ms, KEYBOARD, language.sides, language.names)
        setup = with_ranks(sighting.setup, self._game.position.setup)
        fen = notation.fen(Position(setup, turn))
        return Command(now_ms, Word.CORRECT, None, fen, KEYBOARD)

    def _watch(self, frames: Iterator[Frame], calibration: Calibration | None) -> int:
        assert self._keeper.folder is not None
        if self._looks.title != load_source(self._keeper.folder):
            note_source(self._keeper.folder, self._looks.title)
        camera = GoingOn(frames, self._camera.length_ms)
        watch = Watch(
            self._looks,
            camera,
            self._game,
            self._sheet,
            self._keeper,
            self._devices,
            self._standing,
            begun_on=day_begun(self._findings.entries),
        )
        watch.follow(calibration)
        return watch.status()


def was_told_to_look_away(entries: Sequence[Entry]) -> bool:
    """Whether somebody said `pause`, and nobody `resume` since. The pauses of our own returns have
    no origin: a second power cut may have come before they ended."""
    for entry in reversed(entries):
        if '"kind":"said"' in entry.text:
            command = command_of(entry.body()["command"])
            if command.word in (Word.PAUSE, Word.RESUME):
                return command.word is Word.PAUSE and bool(command.origin)
    return False


def _draw(console: Console, record: str, board: str, wrong: tuple[int, ...], sides: Sides) -> None:
    both = Table.grid(padding=(0, 4))
    both.add_row("the record says", "I see")
    coloured = has_colours(console)
    both.add_row(
        *(draw_board(cells_of(setup), (), wrong, coloured, sides) for setup in (record, board))
    )
    console.print(Padding(both, (1, 0, 1, 1)))
    console.print(QUESTION.format(players=" or ".join(sides)), markup=False)


def _read_line() -> str | None:
    """A line from the standard input, and not a byte more: the rest is for the game. What it holds
    beyond so many signs is left out."""
    line = b""
    while True:
        try:
            sign = os.read(STDIN, 1)
        except OSError:
            return None
        if sign == b"\n":
            break
        if not sign:
            return notation.decode(line).strip() or None
        line = (line + sign)[:MOST_SIGNS]
    return notation.decode(line).strip()

"""`referee watch`: follow a game, announce what happens and keep its record."""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from calibration.saved import Calibration
from hardware.camera import Camera, Frame, borrowed_frames
from hardware.cameras.paced import paced
from hardware.cameras.turning import Turning
from referee.announcer import announce, is_aloud
from referee.clock import OFF
from referee.desk import Desk, summary
from referee.english import ENGLISH
from referee.errors import InputError
from referee.events import (
    Corrected,
    Event,
    Headed,
    Irregular,
    Irregularity,
    NotWatching,
    Played,
    Ready,
    Result,
    Seated,
    Started,
    Waiting,
    Watching,
    Withdrawn,
)
from referee.eye.first_sight import tells_who_begins
from referee.eye.sides import are_light_and_dark
from referee.game import Game, Input, begin
from referee.game import Step as Fed
from referee.journal.condition import NotRecorded, NotRecording
from referee.journal.folding import BEGINNINGS
from referee.journal.journal import TimeSource, day_of
from referee.journal.keeper import Keeper
from referee.journal.shelf import Shelf
from referee.language import Language, called
from referee.next_game import with_next_games
from referee.notation import parse_fen
from referee.profiles import PROFILES
from referee.rules import Position, has_no_move
from referee.scoresheet import USUAL_NAME, Scoresheet, named, tags, unnamed
from referee.settings.knobs import DARKER, LIGHTER, Settings
from referee.speaking import Speaking
from referee.standing import Standing
from referee.tidying import tidying
from referee.tracking.let_stand import is_unresolved
from referee.verbs import terminal
from referee.verbs.calibrations import doubt_of_sides, fitting, load
from referee.verbs.devices import Devices, add_devices, devices_from
from referee.verbs.games import add_games
from referee.verbs.settings import add_knob, settings
from referee.verbs.sheets import Sheets
from referee.verbs.sources import add_source, game_camera, source_of
from referee.verbs.typed import Typed
from referee.verbs.wording import as_json, language_of
from referee.watchdog import watched_over
from referee.watching import Step, follow, is_understood

RECORDED = (Ready, Played, Withdrawn, Corrected, Seated, Headed, Result)
"""The events after which the record is another."""
LAST_STEPS = 100
"""So often the input is asked after the last frame: it may be without end."""
LEARNT_ANEW = (
    "the board or the set is another than in the calibration: both are learnt anew from the"
    " first position"
)

NOT_LONG = "The first position has not stood there for long enough"
NO_GAME = (
    "no game began. {}. Set up the first position and take the hands away for a second, or name"
    " another with watch --start"
)
OTHER_BEGINS = "if it is the {0} discs that begin in this set, start again with --begins {0}"
PLAY_ON = "if it is the {0} discs that begin in this set, play on: the record follows the answer"
OTHERS_BEGAN = "the {0} discs have begun, and so they count; say --begins {0}"
WHO_MOVES_BEGINS = (
    "this set does not tell by light and dark discs which side begins: it is the one that moves"
    " first, unless you say --begins darker or --begins lighter"
)
UNWRITTEN = "referee export writes it from the journal"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_source(parser)
    add_knob(parser, "--calibration", "camera.calibration", "FILE")
    add_knob(parser, "--rules", "rules.profile", "PROFILE")
    add_knob(parser, "--sides", "rules.sides", "FIRST,SECOND")
    add_knob(parser, "--begins", "rules.begins", "DISCS")
    parser.add_argument(
        "--pdn", metavar="FILE", type=Path, help=f"the record; else {USUAL_NAME} or a number more"
    )
    add_games(parser)
    add_knob(parser, "--pictures", "games.pictures_days", "DAYS")
    add_knob(parser, "--event", "games.event", "NAME")
    add_knob(parser, "--site", "games.site", "NAME")
    add_knob(parser, "--round", "games.round", "NUMBER")
    add_knob(parser, "--clock", "rules.clock", "TIME")
    add_knob(parser, "--language", "rules.language", "LANGUAGE")
    add_devices(parser)
    parser.add_argument("--start", metavar="FEN", help="the first position, if not the usual one")
    parser.add_argument("--json", action="store_true", help="one JSON object per event")


def run(options: argparse.Namespace) -> int:
    chosen = settings(options)
    source = source_of(chosen)
    first = _first(options.start)
    calibration = load(chosen.camera.calibration) if chosen.camera.calibration else None
    sheet = named(options.pdn) if options.pdn else unnamed()
    camera = game_camera(source, chosen)
    devices = devices_from(chosen, camera)
    profile = PROFILES[chosen.rules.profile]
    language = language_of(chosen.rules, profile)
    shelf, days = Shelf(chosen.games.folder), chosen.games.pictures_days
    keeper = Keeper(shelf, source, days, language)
    looks = Looks(source, language, options.json)
    game, words = begin(first, profile), first_words(chosen, source)
    watch = Watch(looks, camera, game, sheet, keeper, devices, first_words=words)
    watch.follow(calibration, chosen.rules.lighter_begins)
    return watch.status()


def first_words(settings: Settings, source: str) -> list[str]:
    """What is set of the clock, where the rules know of any, and of the event, the site and the
    round, as it would be typed."""
    rules, games = settings.rules, settings.games
    timeless = OFF if Path(source).is_dir() else None  # pictures of a folder tell no time
    clock = (rules.clock or timeless) if PROFILES[rules.profile].time else None
    said = {"clock": clock, "event": games.event, "site": games.site, "round": games.round}
    return [f"{name} {text}" for name, text in said.items() if text]


def _first(fen: str | None) -> Position:
    """The first position; NotationError or InputError."""
    position = Position.start() if fen is None else parse_fen(fen)
    if has_no_move(position):
        raise InputError(f"nobody can move from the position {fen}; give another with --start")
    return position


@dataclass(frozen=True)
class Looks:
    """How a game is shown."""

    title: str
    """What is watched."""
    language: Language
    """In which it is announced; on the desk the sides are called as in it."""
    as_json: bool = False


class Watch:
    """Games from the first frame of one to the record of the last."""

    def __init__(
        self,
        looks: Looks,
        camera: Camera,
        game: Game,
        sheet: Scoresheet,
        keeper: Keeper,
        devices: Devices,
        standing: Standing | None = None,
        first_words: Sequence[str] = (),
        begun_on: str = "",
    ) -> None:
        """`standing` when the game has begun already, and `begun_on` the day of that;
        `first_words` are said before it goes on."""
        self._json = looks.as_json
        self._language = looks.language
        self._english = called(ENGLISH, looks.language.sides)
        self._console = console_beside(looks.as_json)
        self._camera = camera
        self._sheets = Sheets(sheet, self._answer)
        self._game = game
        """As it is now, whether that has been told or not."""
        self._ended: deque[Game] = deque()
        """Games behind which another has begun, of which that has not been told yet."""
        self._begins_said = False
        """Whether somebody has said which discs begin."""
        self._seen = False
        self._hindered: Event | None = None
        """Why the game has not begun, if that has been told since the board was found."""
        self._turning = Turning(lambda: is_understood(self._step.game))
        self._keeper, self._folder = keeper, keeper.folder
        self._voice = devices.voice(self._answer)
        self._speaking = Speaking(self._voice, self._language)
        self._signals = devices.signals(self._answer)
        feed = with_next_games(self._feed)
        self._typed = Typed(
            feed, self._answer, first_words, signals=self._signals, language=self._language
        )
        self._step = Step(max(0, game.tracker.now), game)
        self._standing = standing or Standing(game.position)
        self._desk = Desk(
            self._console,
            looks.title,
            self._standing,
            camera.length_ms,
            self._english,
            typing=self._typed.typing,
        )
        self._title, self._begun_on = looks.title, begun_on

    def follow(self, calibration: Calibration | None, lighter_begins: bool | None = None) -> None:
        """Watch to the end; the record is kept whatever ends it."""
        self._begins_said = lighter_begins is not None
        if self._game.begun:
            self._save(self._game)
        try:
            self._signals.show(self._standing)
            with (
                self._desk,
                self._typed.unechoed(self._desk.is_redrawn),
                borrowed_frames(self._camera) as frames,
                tidying() as tidy,
            ):
                watched = watched_over(self._at_their_pace(frames), farewell=self._typed.release)
                passing = self._keeper.passing(watched)
                passing, calibration = fitting(passing, calibration, tell=self._answer)
                game, feed = self._step.game, self._typed.feed
                for step in follow(passing, game, calibration, feed, lighter_begins):
                    self._take(step)
                    tidy.after_frame(step.time_ms, step.quiet)
                self._hear_out()
            self._speaking.finish()
        finally:
            self._close()
        if not self._standing.ready:
            terminal.complain(self._why_no_game())

    def _at_their_pace(self, frames: Iterator[Frame]) -> Iterator[Frame]:
        """A picture without a clock is looked at until it is understood; a recording that is
        spoken of is not hurried through."""
        recorded = self._camera.length_ms is not None
        frames = self._turning.over(frames)
        return paced(frames) if self._voice and recorded else frames

    def status(self) -> int:
        """0 when a game was recorded and its board is in order."""
        if self._sheets.fault or not self._standing.ready:
            return 1
        return 1 if is_unresolved(self._step.game.tracker) else 0

    def _feed(self, game: Game, given: Input) -> Fed:
        """A step of the game; one that ends with it is remembered as it was."""
        after, events = self._keeper.feed(game, given)
        self._folder = self._folder or self._keeper.folder
        if game.begun and not after.begun:
            self._ended.append(game)
        self._game = after
        return after, events

    def _take(self, step: Step) -> None:
        if step.calibration:
            if not self._step.calibrated:
                self._hindered = None
            self._mind_set(step.calibration)
        self._step, self._seen = step, True
        if not step.calibrated:
            self._signals.lines()  # pressed before there was a game: forgotten
            self._typed.hear()
        for event in step.events:
            self._tell(event)
        if step.game.begun and any(isinstance(event, RECORDED) for event in step.events):
            self._save(step.game)
        self._desk.tick(step.time_ms - self._turning.spent_ms, step.game.clock)
        self._speaking.go_on(step.time_ms)
        if step.calibration:
            self._keeper.look(step.time_ms, step.calibration, step.game, step.events)

    def _hear_out(self) -> None:
        """Obey what has been said since the last frame: no other comes. Where the board was never
        seen there is no game to say it of."""
        for _ in range(LAST_STEPS):
            if self._keeper.folder is None or not self._typed.has_more:
                return
            game, events = self._typed.obey(self._step.game, self._step.time_ms)
            self._take(replace(self._step, game=game, events=events))

    def _why_no_game(self) -> str:
        """What was seen in place of one, and what to do."""
        said = announce(self._hindered, self._english) if self._hindered else None
        return NO_GAME.format(said.text if said else NOT_LONG)

    def _mind_set(self, calibration: Calibration) -> None:
        """Tell of a set that is learnt anew, and of what is open about any that is new."""
        before = self._step.calibration
        if before and before.lighter_begins is not calibration.lighter_begins:
            self._answer(OTHERS_BEGAN.format(_brightness(calibration.lighter_begins)))
        if before and before.palette is calibration.palette:
            return
        if before:
            self._answer(LEARNT_ANEW)
        is_open = self._is_untold() and not self._begins_said
        if is_open and not are_light_and_dark(calibration.evened):
            self._answer(WHO_MOVES_BEGINS)
        elif doubt := doubt_of_sides(calibration):
            self._answer(doubt)

    def _answer(self, text: str) -> None:
        """Say something to whoever types, also beside what programs are served with."""
        console = terminal.console() if self._console.quiet else self._console
        console.print(text, markup=False, soft_wrap=True)

    def _tell(self, event: Event) -> None:
        if isinstance(event, Started) and self._standing.ready:
            self._turn_page()
        by_hand = isinstance(event, Corrected) and not self._standing.ready
        if by_hand or isinstance(event, BEGINNINGS):
            self._begun_on = day_of(TimeSource().label())
        self._standing = self._standing.after(event)
        if isinstance(event, NotWatching | Watching | Waiting):
            self._hindered = None if isinstance(event, Watching) else event
        self._mind_beginner(event)
        said = announce(event, self._language)
        aloud = said is not None and is_aloud(said, self._step.game.arbiter.profile)
        if self._json:
            terminal.emit_of_game(as_json(event, said, aloud))
        self._desk.show(self._standing, said)
        if isinstance(event, NotRecording | NotRecorded):
            self._answer(event.reason)  # for the log; nobody needs to hear it
        self._signals.show(self._standing, said)
        self._speaking.hear(event, said if aloud else None)

    def _mind_beginner(self, event: Event) -> None:
        """Tell how to say which discs begin where the first move is made by the others, and the
        first position could not tell."""
        off_turn = isinstance(event, Irregular) and event.kind is Irregularity.WRONG_TURN
        known = self._step.calibration
        if off_turn and known and self._is_untold():
            advice = OTHER_BEGINS if self._begins_said else PLAY_ON
            self._answer(advice.format(_brightness(not known.lighter_begins)))

    def _is_untold(self) -> bool:
        """Whether neither the position nor a move tells which discs begin."""
        setup = self._step.game.position.setup
        return not self._standing.moves and not tells_who_begins(setup)

    def _turn_page(self) -> None:
        """Write the game down that has ended, and take a sheet for the next one."""
        self._save(self._ended.popleft())
        former, self._folder = self._folder, self._keeper.folder
        self._sheets.turn(former, self._folder)

    def _save(self, game: Game) -> None:
        parts = game.records(tags(self._title, self._begun_on), self._language)
        self._sheets.save(parts, self._folder)

    def _close(self) -> None:
        try:
            self._keeper.close(self._tell)
        finally:
            self._speaking.close()
            self._signals.close()
            while self._ended:
                self._turn_page()
            if self._game.begun:
                self._save(self._game)
            self._sheets.write()
        if self._seen or self._standing.ready:
            told = summary(self._standing, self._step.time_ms, self._sheets.written, self._english)
            self._console.print(told)
        if fault := self._sheets.fault:
            terminal.complain(f"{terminal.reason(fault)}; {UNWRITTEN}")


def _brightness(lighter: bool) -> str:
    return LIGHTER if lighter else DARKER


def console_beside(as_json: bool) -> Console:
    """Where people watch; where programs do on the same terminal, they alone are served."""
    console = terminal.console()
    console.quiet = as_json and console.is_terminal and Console().is_terminal
    return console

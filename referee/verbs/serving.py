"""What `referee service run` does: watches with nobody at a keyboard, from one start to the next.

A game that was left in the middle goes on once the board is as it was recorded; a new one begins
when the starting position is set up. No broken file, missing loudspeaker or old game prevents it.
"""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from calibration.locate import Refusal
from calibration.saved import Calibration
from hardware.camera import Camera, Frame, borrowed_frames
from hardware.voice import Voice
from referee.announcer import announce
from referee.board import START
from referee.errors import InputError
from referee.events import Otherwise
from referee.game import begin
from referee.journal.journal import Journal
from referee.journal.keeper import Keeper
from referee.journal.shelf import Shelf, usual_folder
from referee.language import Language
from referee.profiles import PROFILES
from referee.resuming import Sighting, differing, look
from referee.scoresheet import unnamed
from referee.service.steward import Steward, unfinished
from referee.service.supervisor import Supervised, Supervisor
from referee.settings.knobs import Settings
from referee.speaking import utterance
from referee.tracker import Phase
from referee.verbs import terminal
from referee.verbs.calibrations import load_or_search
from referee.verbs.devices import Devices, Tell, devices_from, speaking
from referee.verbs.games import tell_findings
from referee.verbs.resume import GoingOn, Return
from referee.verbs.settings import recovered_settings
from referee.verbs.sources import game_camera
from referee.verbs.watch import Looks, Watch, first_words
from referee.verbs.wording import language_again, language_of
from referee.watching import is_size_of

COPIES = "last-good"
"""The folder of the last good settings, beside the games."""
SEARCHED_MS = 5_000
"""So long the board is searched before it is looked at again where it was."""
LOOKING = "looking for the board; set up the starting position"


def serve(options: argparse.Namespace) -> int:
    """Watch until asked to end; the status of the last game."""
    settings = recovered_settings(options, usual_folder().parent / COPIES)
    source = settings.camera.source or usual_source()
    with Supervisor.of() as supervisor:
        camera = Supervised(game_camera(source, settings), supervisor)
        supervisor.status(LOOKING)
        return _Service(settings, source, camera, supervisor, options.json).run()


def usual_source() -> str:
    """What is watched where nobody has said: the camera on a Raspberry Pi's own connector."""
    return "pi:0" if importlib.util.find_spec("picamera2") else "usb:0"


class _Service:
    """One start of the service."""

    def __init__(
        self,
        settings: Settings,
        source: str,
        camera: Camera,
        supervisor: Supervisor,
        as_json: bool,
    ) -> None:
        self._settings, self._camera, self._supervisor = settings, camera, supervisor
        rules = settings.rules
        self._looks = Looks(source, language_of(rules, PROFILES[rules.profile]), as_json)
        self._shelf = Shelf(settings.games.folder)
        self._devices = forgiving(devices_from(settings, camera))

    def run(self) -> int:
        folder = unfinished(self._shelf)
        status = self._go_on(folder) if folder else None
        return self._begin() if status is None else status

    def _go_on(self, folder: Path) -> int | None:
        """Go on with a game; None when its players have begun another."""
        journal, findings = Journal.reopen(folder)
        try:
            tell_findings(folder, findings)
            language = language_again(self._settings.rules, folder, findings.entries, {})
            looks, keeper = replace(self._looks, language=language), self._keeper(language)
            keeper.go_on(folder, journal, resumed=True)
            devices = forgiving(devices_from(speaking(self._settings, language), self._camera))
            again = _Unattended(looks, self._camera, keeper, None, findings, devices).watched_by(
                self._supervisor
            )
            status = again.go()
            return None if again.is_set_up_anew else status
        finally:
            journal.close()

    def _begin(self) -> int:
        """Wait for the starting position and watch the games that follow."""
        rules, place = self._settings.rules, self._settings.camera.calibration
        words = first_words(self._settings, self._looks.title)
        keeper = self._keeper(self._looks.language)
        sheet = unnamed(self._shelf.folder / "game.pdn")
        game = begin(profile=PROFILES[rules.profile])
        with borrowed_frames(self._camera) as frames:
            known = load_or_search(place) if place else None
            camera = GoingOn(frames, self._camera.length_ms)
            watch = Watch(
                self._looks, camera, game, sheet, keeper, self._devices, first_words=words
            )
            watch.follow(known, rules.lighter_begins)
            return watch.status()

    def _keeper(self, language: Language) -> Keeper:
        days = self._settings.games.pictures_days
        return Steward(self._shelf, self._looks.title, days, self._supervisor, language)


class _Unattended(Return):
    """Back to a game with nobody to ask: it waits until the board answers by itself."""

    is_set_up_anew = False
    """Whether the starting position was found in place of the game."""
    _supervisor = Supervisor()

    def watched_by(self, supervisor: Supervisor) -> _Unattended:
        """The same, with somebody who is told what is waited for."""
        self._supervisor = supervisor
        return self

    def _calibrated(self, frames: Iterator[Frame]) -> Calibration:
        if self._known and is_size_of(next(frames), self._known):
            return self._known
        return self._searched(frames)

    def _searched(self, frames: Iterator[Frame]) -> Calibration:
        """Where the board is, with the game or a new one on it."""
        found = self._first_calibration(frames, START)
        if isinstance(found, Refusal):
            raise InputError(f"the board is not found: {found.reason}")
        return found[0]

    def _agreed(
        self, sighting: Sighting, frames: Iterator[Frame], calibration: Calibration
    ) -> Calibration | None:
        if self._game.tracker.phase is not Phase.PLAYING:
            return calibration
        recorded, told = self._game.position.setup, False
        while wrong := _wrong(recorded, sighting):
            if not _wrong(START, sighting):
                self.is_set_up_anew = True
                return None
            if sighting.calm and not told:
                self._ask(wrong)
                told = True
            elif not sighting.calm:
                calibration = self._found_again(frames, calibration)
            if next(frames, None) is None:
                return None
            sighting = look(frames, calibration)
        return calibration

    def _ask(self, wrong: tuple[int, ...]) -> None:
        """Say, once and aloud, that the board is not as it was."""
        squares = ", ".join(map(str, wrong))
        self._supervisor.status(f"the board is not as recorded: look at {squares}")
        terminal.complain(
            f"the board is not as recorded: look at {squares}; put it back to go on,"
            " or set up the starting position for a new game"
        )
        said = announce(Otherwise(self._game.tracker.now, wrong), self._looks.language)
        voice = self._devices.voice(terminal.complain)
        if voice and said:
            voice.say(utterance(said, self._looks.language))
            voice.wait()
            voice.close()

    def _found_again(self, frames: Iterator[Frame], known: Calibration) -> Calibration:
        """Where the board is, if it or the camera has been moved; else where it was."""
        first = next(frames, None)
        if first is None:
            return known
        soon = takewhile(lambda frame: frame.time_ms < first.time_ms + SEARCHED_MS, frames)
        found = self._first_calibration(soon, START)
        return known if isinstance(found, Refusal) else found[0]


def _wrong(expected: str, sighting: Sighting) -> tuple[int, ...]:
    """The squares that differ; all of them when the board was not seen."""
    return differing(expected, sighting.setup) if sighting.calm else tuple(range(1, 33))


def forgiving(devices: Devices) -> Devices:
    """The same devices; a program that was named and is missing is told of, and all is silent."""

    def voice(tell: Tell) -> Voice | None:
        try:
            return devices.voice(tell)
        except InputError as error:
            tell(str(error))
            return None

    return replace(devices, voice=voice)

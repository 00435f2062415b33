"""Following a game: frames go in, what happened comes out, one step per frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Image
from calibration.drift import DriftMeter
from calibration.locate import Refusal
from calibration.model import View
from calibration.saved import Calibration
from hardware.camera import Frame
from referee.beginners import Beginners
from referee.events import Event, NotWatching
from referee.eye.eye import Eye
from referee.eye.first_sight import EITHER, TOLERATED, Ways, calibrate, tells_who_begins, ways_of
from referee.eye.found_again import changes, find_again
from referee.eye.sides import are_light_and_dark
from referee.game import Game, Input, feed
from referee.observation import ALL_HIDDEN, Observation, Row, Visibility, certain
from referee.rules import Position, after, lawful_moves
from referee.tracker import Phase

SEARCH_MS = 500
"""Between two searches for the board; each takes longer than most frames last."""
PATIENCE_MS = 2000
"""Between two reports that the board has not been found, and searches where it was known."""
PORED_MS = 5_000
"""What explains a board best for so long will not be bettered by more of the same."""


@dataclass(frozen=True)
class Step:
    """The game after one frame."""

    time_ms: int
    game: Game
    events: tuple[Event, ...] = ()
    """What this frame has settled."""
    calibration: Calibration | None = None
    """Where the board is now; None until that is known."""

    @property
    def calibrated(self) -> bool:
        return self.calibration is not None

    @property
    def quiet(self) -> bool:
        """Whether nothing happens: no hand is at the board, and nothing was to be told."""
        return not self.events and self.game.tracker.sight.hands_off_ms() > 0


Feed = Callable[[Game, Input], tuple[Game, tuple[Event, ...]]]
"""One step of the game; the journal's writes it down too."""


def follow(
    frames: Iterable[Frame],
    game: Game,
    calibration: Calibration | None = None,
    feed: Feed = feed,
    lighter_begins: bool | None = None,
) -> Iterator[Step]:
    """Watch a game. Without a calibration the first frames that show its first position give it,
    as they give another in place of one that does not fit. Whether the lighter discs begin these
    tell, unless it is said, or else both players by their first moves.

    Keeps no frame. Frames of another size than the calibration's are made as large; those of
    another shape show nothing.
    """
    watching = _Watching(game, feed, lighter_begins)
    if calibration and lighter_begins is not None:
        calibration = calibration.begun_by(lighter_begins)
    if calibration:
        watching.see_by(calibration)
    return map(watching.step, frames)


class _Watching:
    """A game, and the eye that sees it once the board is found."""

    def __init__(self, game: Game, feed: Feed, lighter_begins: bool | None) -> None:
        self._game, self._feed = game, feed
        setup = game.position.setup
        later = () if game.tracker.plies else _after_replies(game.position)
        self._search = _Search(ways_of(lighter_begins), setup, later=later)
        self._trial = _Trial(game, later, lighter_begins)
        known = lighter_begins is not None or tells_who_begins(setup)
        self._beginners = Beginners(game, known)
        self._by: tuple[Calibration, Eye] | None = None

    def see_by(self, calibration: Calibration) -> tuple[Calibration, Eye]:
        """Look with this calibration from now on."""
        self._by = calibration, Eye(calibration)
        return self._by

    def step(self, frame: Frame) -> Step:
        """The game after one frame more."""
        if self._by is None:
            found, events = self._search.attempt(frame)
            if found is None:
                return Step(frame.time_ms, self._game, events)
            self.see_by(found)
        assert self._by is not None
        seen = self._look(_fitted(frame, self._by[0]), *self._by)
        self._game, events = self._feed(self._game, seen)
        events += self._righted(seen, *self._by)
        calibration, eye = self._by
        return Step(frame.time_ms, self._game, events, calibration.seen_from(eye.view))

    def _look(self, frame: Frame, known: Calibration, eye: Eye) -> Observation:
        """What a frame says, also where it takes another calibration than the known one."""
        seen = _seen(eye, frame, known)
        found = self._trial.instead(known, frame, seen, self._game)
        if found is None:
            return seen
        shift = DriftMeter(eye.view).shift(found.view)
        found, eye = self.see_by(found)
        return replace(_seen(eye, frame, found), shift=round(1000 * shift))

    def _righted(self, seen: Observation, known: Calibration, eye: Eye) -> tuple[Event, ...]:
        """What comes of it where the other discs are found to begin than was thought."""
        light_and_dark = are_light_and_dark(known.evened)
        righting = self._beginners.set_right(self._game, seen, light_and_dark)
        if righting is None:
            return ()
        self._game, events = self._feed(self._game, righting)
        self.see_by(known.seen_from(eye.view).begun_by(not known.lighter_begins))
        return events


def _after_replies(position: Position) -> tuple[str, ...]:
    """What may stand on the board once a move has been made and answered, before it was seen."""
    moved = (after(position, move) for move in lawful_moves(position))
    return tuple(after(it, reply).setup for it in moved for reply in lawful_moves(it))


def first_calibration(
    frames: Iterable[Frame],
    setup: str,
    *others: str,
    ways: Ways = EITHER,
    tell: Callable[[Event], object] | None = None,
) -> tuple[Calibration, Frame] | Refusal:
    """The calibration from the first frame that shows one of the setups; else why the last frame
    did not. Who waits for a live camera hears meanwhile why none has."""
    search = _Search(ways, setup, *others)
    for frame in frames:
        calibration, reports = search.attempt(frame)
        if calibration:
            return calibration, frame
        for report in reports:
            if tell:
                tell(report)
    return Refusal(search.reason)


class _Search:
    """The search for a board that shows one of some setups, now and then instead of on every
    frame."""

    def __init__(self, ways: Ways, *setups: str, later: Sequence[str] = ()) -> None:
        """Either of the setups is looked for, or one of those that may stand `later`."""
        self._ways, self._setups, self._later = ways, setups, later
        self._next_ms = 0
        self._told_ms = -PATIENCE_MS
        self.reason = "no picture was seen"

    def attempt(self, frame: Frame) -> tuple[Calibration | None, tuple[Event, ...]]:
        """What a frame gives, and a report if there is something new to tell."""
        if frame.blind:
            return None, self._report(frame.time_ms, "the camera gives no picture")
        if frame.time_ms < self._next_ms:
            return None, ()
        self._next_ms = frame.time_ms + SEARCH_MS
        reason = ""
        for setup in self._setups:
            found = calibrate(frame.image, setup, self._ways, self._later)
            if not isinstance(found, Refusal):
                return found, ()
            reason = found.reason
        return None, self._report(frame.time_ms, reason)

    def _report(self, time_ms: int, reason: str) -> tuple[Event, ...]:
        if reason == self.reason or time_ms - self._told_ms < PATIENCE_MS:
            return ()
        self.reason, self._told_ms = reason, time_ms
        return (NotWatching(time_ms, reason),)


class _Trial:
    """Of a calibration until the board has been seen with it as it should stand: the one that was
    kept may be of another place, or of another board or set."""

    def __init__(self, game: Game, later: Sequence[str], lighter_begins: bool | None) -> None:
        self._plies, self._setup = game.tracker.plies, game.position.setup
        self._later, self._lighter_begins = later, lighter_begins
        self._passed = False
        self._next_ms = 0

    def instead(
        self, known: Calibration, frame: Frame, seen: Observation, game: Game
    ) -> Calibration | None:
        """What fits a frame that `known` does not fit: the same from elsewhere, or, while the game
        waits, what the frame tells of another set; else None."""
        if self._passed or frame.blind:
            return None
        stands = changes(certain(self._setup), seen.evidence) <= TOLERATED
        self._passed = stands or game.tracker.plies != self._plies
        if self._passed or frame.time_ms < self._next_ms:
            return None
        self._next_ms = frame.time_ms + PATIENCE_MS
        if found := _from_elsewhere(known, frame, self._setup):
            return found
        if game.tracker.phase is not Phase.WAITING:
            return None
        ways = ways_of(self._lighter_begins, known)
        learnt = calibrate(frame.image, self._setup, ways, self._later)
        return None if isinstance(learnt, Refusal) else learnt


def _from_elsewhere(known: Calibration, frame: Frame, setup: str) -> Calibration | None:
    """The same set and lens where a board with them shows the setup."""
    if not is_size_of(frame, known):
        return None

    def read(view: View) -> tuple[Row, ...]:
        return Eye(known.seen_from(view)).observe(frame.image, 0).evidence

    view = find_again(frame.image, known, [certain(setup)], read)
    return known.seen_from(view) if view else None


def _seen(eye: Eye, frame: Frame, calibration: Calibration) -> Observation:
    """What a frame says; nothing at all when the camera is blind or its pictures have changed."""
    if frame.blind:
        frozen = frame.blind == Visibility.FROZEN.value
        visibility = Visibility.FROZEN if frozen else Visibility.NO_PICTURE
        return Observation(frame.time_ms, ALL_HIDDEN, visibility=visibility)
    if not is_size_of(frame, calibration):
        return Observation(frame.time_ms, ALL_HIDDEN, visibility=Visibility.RESHAPED)
    return eye.observe(frame.image, frame.time_ms, frame.still)


def _fitted(frame: Frame, calibration: Calibration) -> Frame:
    image = fitted(frame.image, calibration)
    return frame if image is None or image is frame.image else replace(frame, image=image)


def fitted(image: Image, calibration: Calibration) -> Image | None:
    """A picture as large as those of the calibration, where it has their shape: a camera that comes
    back may have chosen another size. None where it has another shape."""
    height, width = image.shape[:2]
    lens = calibration.view.lens
    if (height, width) == (lens.height, lens.width):
        return image
    if abs(height * lens.width - width * lens.height) > width:
        return None
    way = cv2.INTER_AREA if width > lens.width else cv2.INTER_LINEAR
    size = lens.width, lens.height
    return np.asarray(cv2.resize(image, size, interpolation=way), np.uint8)


def is_size_of(frame: Frame, calibration: Calibration) -> bool:
    """Whether a frame has the size of the calibration's."""
    lens = calibration.view.lens
    return frame.image.shape[:2] == (lens.height, lens.width)


def is_understood(game: Game) -> bool:
    """Whether to look at the same picture for longer would tell no more: the board is in order, or
    a hand is still at it, or what explains it best has done so for long."""
    tracker = game.tracker
    if tracker.phase is Phase.OVER or tracker.paused or tracker.dark.said:
        return True
    under_hands = not tracker.sight.hands_off_ms()
    in_order = tracker.phase is Phase.PLAYING and tracker.settled_ms == tracker.now
    return in_order or under_hands or tracker.guess_age >= PORED_MS

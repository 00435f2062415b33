"""The game's step with its journal: what an input caused is on the disk before it is returned."""

from __future__ import annotations

import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from referee import __version__, notation
from referee.commands import Command
from referee.events import Event
from referee.game import Game, Input, Step, feed
from referee.journal.coding import JournalError, StepWriter, plain
from referee.journal.condition import NotRecorded, NotRecording, Recording, hindrance_of
from referee.journal.journal import Journal, zone_here

FORMAT = 1
BATCH_MS = 1_000
"""What was only seen, and caused nothing, waits so long at most to be written: a card is spared
thirty commits a second, and a power cut costs a second of looking, never an announcement."""
STATE_INPUTS = 300
"""After so many inputs the whole game is written down too, so that going on after a power cut
need not feed hours again. So many take a second here and some on a small machine; a game written
down whole comes to about ten kilobytes."""
MOST_WAITING = 3_600
"""Batches kept in memory while the disk takes nothing: an hour."""
RETRY_MS = 1_000
LAST_TRIES, LAST_WAIT_S = 240, 0.25
"""The end of a game on a full disk is tried to be written for a minute, in which somebody can make
room. Systemd's patience is longer."""
Waiting = tuple[str, dict[str, Any]]
Fault = OSError | sqlite3.Error


def begun(game: Game, name: str) -> dict[str, Any]:
    """What a journal's first entry holds."""
    return {
        "format": FORMAT,
        "software": __version__,
        "game": name,
        "zone": zone_here(),
        "fen": notation.fen(game.position),
        "profile": game.arbiter.profile.name,
    }


def following(former: Game) -> dict[str, Any]:
    """What the first entry holds besides of a game that follows another: what it takes from that,
    in a form that other versions can read."""
    setting = former.clock.setting if former.clock else None
    players = {"players": plain(former.players), "next_players": plain(former.next_players)}
    whether = {
        "paused": former.tracker.paused,
        "unseen": former.tracker.dark.said,
        "left_open": former.leaves_open,
    }
    heading = {"heading": dict(former.heading)}
    return {"former": {**players, **heading, "clock": plain(setting), **whether}}


class Recorder:
    """Feeds a game and keeps its journal. `feed` stands in for `referee.game.feed`."""

    def __init__(
        self,
        journal: Journal,
        make_room: Callable[[], None] = lambda: None,
        resumed: bool = False,
    ) -> None:
        """`make_room` is called once when the disk is full. A game that is resumed is written
        down whole at once: the next power cut need not feed again what this one did."""
        self._journal = journal
        self._make_room = make_room
        self._steps = StepWriter()
        self._waiting: deque[Waiting] = deque()
        self._held: list[Event] = []
        """What may not be announced yet."""
        self._inputs = STATE_INPUTS if resumed else 0
        self._game: Game | None = None
        self._fault: Fault | None = None
        """Why nothing can be written."""
        self._half_fault: str | None = None
        self._retry_ms = 0

    @property
    def sound(self) -> bool:
        """Whether everything that was to be written has been."""
        return not self._waiting

    def feed(self, game: Game, given: Input) -> Step:
        """The game after one more input, and the events that may be announced now."""
        if isinstance(given, Command):
            self._game = game
            self._close_batch(())  # a state behind it is of the game before the command
        game, events = feed(game, given)
        self._game = game
        self._inputs += 1
        self._held += events
        if isinstance(given, Command):
            self._put("said", {"command": given.record()}, events)
        else:
            self._steps.add(given)
            if events or self._steps.span_ms >= BATCH_MS:
                self._close_batch(events)
        return game, self._released(given.time_ms)

    def note(self, kind: str, body: dict[str, Any]) -> None:
        """Enter something that is no input; it is written with the next batch at the latest."""
        self._close_batch(())
        self._waiting.append((kind, body))
        if self._fault is None:
            self._try()

    def settle(self) -> bool:
        """Write what waits at once; whether the disk has taken all of it."""
        self._close_batch(())
        return self._fault is None and self._try() is None

    def close(self, tell: Callable[[Event], None] = lambda event: None) -> tuple[Event, ...]:
        """Write what is left, with patience, and close the journal; what was held back until now.

        `tell` hears of each event at once: people must know of a full disk while there is time.
        What no patience helped to write is not announced: the last event says so.
        """
        told: list[Event] = []
        try:
            for event in self._last_events():
                told.append(event)
                tell(event)
        finally:
            self._journal.close()
        return tuple(told)

    def _last_events(self) -> Iterator[Event]:
        self._close_batch(())
        yield from self._released(self._retry_ms)
        for _ in range(LAST_TRIES):
            if self.sound:
                return
            time.sleep(LAST_WAIT_S)
            yield from self._released(self._retry_ms)
        if self._fault is not None:
            why = str(self._fault), hindrance_of(self._fault)
            yield NotRecorded(self._retry_ms, *why, len(self._held))

    def _put(self, kind: str, body: dict[str, Any], events: tuple[Event, ...]) -> None:
        told = {"events": [event.record() for event in events]} if events else {}
        self._waiting.append((kind, {**body, **told}))

    def _close_batch(self, events: tuple[Event, ...]) -> None:
        if self._steps:
            self._put("seen", {"steps": self._steps.take()}, events)
            if self._inputs >= STATE_INPUTS:
                self._put("state", {"game": plain(self._game)}, ())
                self._steps, self._inputs = StepWriter(), 0

    def _released(self, now_ms: int) -> tuple[Event, ...]:
        """Write what waits and give free what it held back."""
        if self._waiting and (self._fault is None or now_ms >= self._retry_ms):
            self._retry_ms = now_ms + RETRY_MS
            if fault := self._try():
                return self._failed(fault, now_ms)
        if self._waiting:
            return ()
        condition = self._condition(now_ms)
        events, self._held = tuple(self._held), []
        return (*condition, *events)

    def _try(self) -> Fault | None:
        """Write all that waits, in order; why that was not possible."""
        try:
            while self._waiting:
                self._journal.append(*self._waiting[0])
                self._waiting.popleft()
        except (OSError, sqlite3.Error) as error:
            return error
        return None

    def _failed(self, fault: Fault, now_ms: int) -> tuple[Event, ...]:
        if self._fault is None:
            self._make_room()
            if self._try() is None:
                return self._released(now_ms)
        if len(self._waiting) > MOST_WAITING:
            raise JournalError(f"the game could not be written for an hour: {fault}")
        first, self._fault = self._fault is None, fault
        return (NotRecording(now_ms, str(fault), hindrance_of(fault)),) if first else ()

    def _condition(self, now_ms: int) -> tuple[Event, ...]:
        """What has changed in how the record is kept."""
        half = self._journal.fault
        news = self._fault is not None or half != self._half_fault
        self._fault, self._half_fault = None, half
        return (Recording(now_ms, half or ""),) if news else ()

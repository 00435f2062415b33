"""An arbiter for tests that is told what happens: no board is looked at."""

from __future__ import annotations

from referee.arbiter import Arbiter, Judged, begin
from referee.board import Side
from referee.events import (
    Conduct,
    Crowned,
    Event,
    Irregular,
    Irregularity,
    Lingering,
    Played,
    Proposed,
    Ruling,
    Touch,
    Touched,
)
from referee.notation import fen, move_text, parse_fen, parse_move
from referee.profiles import WCDF, Profile
from referee.rules import Position, after
from referee.ruling import conduct, convictions, course, offences
from referee.tracking.memory import lawful_texts

FREE = parse_fen("B:W21,32:B9,11,1")
"""Red may step with any of three men."""
BOUND = parse_fen("B:W18,32:B14,1")
"""Red must take 14x23; 1 may not move."""
KINGS = parse_fen("B:WK32,12:BK1,21")
"""A king and a blocked-free man of each side."""


class Desk:
    """An arbiter that is told what happens, one second after another."""

    def __init__(self, position: Position, profile: Profile = WCDF) -> None:
        self.arbiter = begin(Arbiter(profile), position)
        self.position, self.time_ms, self.number = position, 0, 0
        self.said: list[Event] = []

    def _heard(self, judged: Judged) -> list[Event]:
        self.arbiter, events = judged
        for event in events:
            self.number += 1
            if isinstance(event, Proposed):
                self.arbiter = convictions.proposed(self.arbiter, event)
        self.said += events
        return list(events)

    def _later(self, ms: int = 1_000) -> int:
        self.time_ms += ms
        self.number += 1
        return self.time_ms

    def touch(self, side: Side | None, square: int, begun_ms: int = 0) -> list[Event]:
        """`begun_ms` before it was put back."""
        now = self._later()
        event = Touched(now, side, square, Touch.LIFTED, now - begun_ms)
        return self._heard(conduct.touched(self.arbiter, event, self.number, self.position))

    def crown(self, by: Side, square: int, ms: int = 1_000) -> list[Event]:
        event = Crowned(self._later(ms), square, by)
        return self._heard(conduct.crowned(self.arbiter, event, self.number, self.position))

    def linger(self, side: Side, square: int) -> list[Event]:
        event = Lingering(self._later(), side, square, self.time_ms - 5_000)
        return self._heard(conduct.lingering(self.arbiter, event, self.number))

    def play(self, text: str, ms: int = 5_000) -> list[Event]:
        move = parse_move(self.position, text)
        side, name = self.position.turn, move_text(self.position, move)
        self.position = after(self.position, move)
        event = Played(self._later(ms), side, name, fen(self.position))
        return self._heard(course.played(self.arbiter, event, self.number, move, self.position))

    def err(self, kind: Irregularity, side: Side | None, squares: tuple[int, ...]) -> list[Event]:
        lawful = lawful_texts(self.position)
        event = Irregular(self._later(), kind, side, squares, lawful)
        return self._heard(offences.irregular(self.arbiter, event, self.number, self.position))

    def mend(self) -> None:
        self.arbiter = convictions.in_order(self.arbiter)

    def wait(self, ms: int) -> list[Event]:
        return self._heard(conduct.waited(self.arbiter, self._later(ms)))

    def confirm(self) -> Ruling:
        found = convictions.proposal(self.arbiter, "")
        assert found
        now = self._later()
        (ruling,) = self._heard(convictions.confirmed(self.arbiter, found, now, self.number))
        assert isinstance(ruling, Ruling)
        return ruling


def charged_with(events: list[Event]) -> list[Conduct]:
    return [event.conduct for event in events if isinstance(event, Proposed)]

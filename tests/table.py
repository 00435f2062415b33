"""A table for tests of the game: hands and pieces in words, a clear eye, no pictures."""

from __future__ import annotations

from collections.abc import Iterable

from referee import game as games
from referee.board import SQUARES, START, Side, replace
from referee.commands import Command, Word
from referee.events import Event, Irregular, Played, Result, Ruling, Touched
from referee.notation import parse_fen
from referee.observation import Hand, LooseDisc, Observation, Recalled, Row, Visibility, certain
from referee.profiles import WCDF, Profile
from referee.rules import Position

RED, WHITE = Side.RED, Side.WHITE
MULTI = "B:W14,22,32:B9,1"
"""Red must take 9x18x25, over 14 and 22."""
SINGLE = "B:W15,32:B11,8,1"
"""Red must take 11x18."""
CROWNING = "B:W12,21:B26,9"
"""Red goes 26-30 or 26-31; White answers with 12-8 or 21-17."""


class Table:
    """A board in front of a camera, and the referee that looks at it."""

    def __init__(
        self, position: Position | None = None, profile: Profile = WCDF, frame_ms: int = 50
    ) -> None:
        self.game = games.begin(position, profile)
        self.setup = position.setup if position else START
        self.frame_ms, self.time_ms = frame_ms, 0
        self.strength = 800
        self.misread: dict[int, Row] = {}
        """What the eye says of some squares, whatever lies there."""
        self.visibility, self.shift = Visibility.CLEAR, 0
        self.loose: tuple[LooseDisc, ...] = ()
        self.offsets: dict[int, tuple[int, int]] = {}
        """Where discs lie on their squares, in 1/1000 square; the others in the middle..."""
        self.unplaced: set[int] = set()
        """...but for those of which that is not seen."""
        self.recalled: dict[int, Recalled] = {}
        """Pieces beside how they looked before; of the others nothing is known."""
        self.lifted: tuple[int, ...] = ()
        """Where discs are seen not to stand where they stood, under hands too."""
        self.events: list[Event] = []

    def rest(self, ms: int, *hands: Hand) -> list[Event]:
        """Time goes by; what happened meanwhile."""
        before = len(self.events)
        for _ in range(ms // self.frame_ms):
            self.time_ms += self.frame_ms
            covered = {square for hand in hands for square in hand.squares}
            seen = replace(self.setup, dict.fromkeys(covered, "?"))
            evidence = self._evidence(seen)
            self._feed(
                Observation(
                    self.time_ms,
                    evidence,
                    hands,
                    self.loose,
                    tuple(self._offset(seen, square) for square in SQUARES),
                    self.visibility,
                    self.shift,
                    tuple(self.recalled.get(square) for square in SQUARES),
                    self.lifted,
                )
            )
        return self.events[before:]

    def _evidence(self, seen: str) -> tuple[Row, ...]:
        rows = zip(SQUARES, seen, certain(seen, self.strength), strict=True)
        return tuple(
            self.misread.get(square, row) if sign != "?" else row for square, sign, row in rows
        )

    def _offset(self, seen: str, square: int) -> tuple[int, int] | None:
        unseen = seen[square - 1] in ".?" or square in self.unplaced
        return None if unseen else self.offsets.get(square, (0, 0))

    def _feed(self, given: games.Input) -> None:
        self.game, events = games.feed(self.game, given)
        self.events += events

    def say(self, word: Word, side: Side | None = None, text: str = "") -> list[Event]:
        """A person speaks; what it caused."""
        before = len(self.events)
        self._feed(Command(self.time_ms, word, side, text))
        return self.events[before:]

    def reach(self, side: Side | None, squares: Iterable[int], ms: int = 300) -> None:
        """A hand over some squares; None where it is not told whose."""
        self.rest(ms, Hand(side, tuple(sorted(squares))))

    def change(
        self,
        side: Side | None,
        changes: dict[int, str],
        ms: int = 2_000,
        over: Iterable[int] = (),
    ) -> list[Event]:
        """A hand changes some squares, its arm being `over` others, and leaves; what happened from
        then on."""
        before, under = len(self.events), {*changes, *over}
        self.reach(side, under)
        self.setup = replace(self.setup, changes)
        self.reach(side, under, 200)
        self.rest(ms)
        return self.events[before:]


def ready(position: Position | None = None, **options: object) -> Table:
    """A table on which the game has begun."""
    table = Table(position, **options)  # type: ignore[arg-type]
    table.rest(1_500)
    assert table.game.begun
    return table


def at_fen(text: str, **options: object) -> Table:
    return ready(parse_fen(text), **options)


def touch_moved() -> Table:
    """Red has touched 11 and played 9-14, which a person has had taken back."""
    table = ready()
    table.change(RED, {11: "."}, 800)
    table.change(RED, {11: "r"})
    table.change(RED, {9: ".", 14: "r"})
    table.say(Word.CONFIRM)
    return table


def wronged() -> Table:
    """Red has made a move, and may claim the game: White has gone too far twice, and back."""
    table = ready()
    table.change(RED, {11: ".", 15: "r"})
    for _ in range(2):
        table.change(WHITE, {23: ".", 16: "w"}, 3_000)
        table.change(WHITE, {16: ".", 23: "w"}, 3_000)
    return table


def moves(events: Iterable[Event]) -> list[str]:
    return [event.move for event in events if isinstance(event, Played)]


def kinds(events: Iterable[Event]) -> list[str]:
    return [event.kind.value for event in events if isinstance(event, Irregular)]


def irregular(events: Iterable[Event]) -> list[Irregular]:
    return [event for event in events if isinstance(event, Irregular)]


def touches(table: Table) -> list[Touched]:
    return [event for event in table.events if isinstance(event, Touched)]


def results(table: Table) -> list[str]:
    return [event.result for event in table.events if isinstance(event, Result)]


def rulings(events: Iterable[Event]) -> list[Ruling]:
    return [event for event in events if isinstance(event, Ruling)]


def names(events: Iterable[Event]) -> list[str]:
    return [event.name for event in events]


class Lifting:
    """For tests in which Red lifts pieces and puts them back."""

    def lift(self, table: Table, square: int) -> None:
        table.reach(RED, {square})
        table.setup = replace(table.setup, {square: "."})
        table.reach(RED, {20}, 500)
        table.reach(RED, {square})
        table.setup = replace(table.setup, {square: "r"})
        table.reach(RED, {square}, 200)


class Clocked:
    """For tests in which a clock runs."""

    def table(self, text: str, profile: Profile = WCDF) -> Table:
        table = ready(profile=profile)
        assert names(table.say(Word.CLOCK, text=text)) == ["clock_set"]
        table.frame_ms = 1_000
        return table

    def spent_ms(self, table: Table) -> int:
        clock = table.game.clock
        assert clock is not None
        return clock.spent_ms(RED, table.time_ms)

"""The game as far as it has been seen, and the steps that all of it shares: counting events,
refusing, ending."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from referee import clock as clocks
from referee import notation
from referee.announcements import reason_of, say_reason
from referee.arbiter import Arbiter
from referee.board import Side
from referee.clock import Clock
from referee.commands import Command
from referee.english import ENGLISH
from referee.events import (
    Corrected,
    Event,
    Irregular,
    Phrase,
    Played,
    Proposed,
    Refused,
    Result,
    Ruling,
    Unsure,
    Verdict,
    Withdrawn,
)
from referee.language import Language
from referee.notation import DRAW, PLAYER_TAGS, WINS
from referee.observation import Observation
from referee.rules import Line, Position, captures
from referee.ruling import convictions, ends, lessons
from referee.tracker import Phase, Tracker
from referee.tracking.memory import contradictions

TAKEN_BACK = 4
"""So few moves may be taken back one by one: a game of no more is begun anew."""
CONTINUED = "Continued in the next game, from a position set by hand"


@dataclass(frozen=True)
class Part:
    """Moves in a row, until a person set another position."""

    first: Position
    """The position before them."""
    plies: Line
    arbiter: Arbiter
    """As he was when the other position was set: it may be taken back."""


@dataclass(frozen=True)
class Offer:
    """A draw that a player has offered."""

    side: Side
    since: int
    """How many moves there were when he did."""


@dataclass(frozen=True)
class Answer:
    """A move by which a player declined a draw."""

    ply: int
    """How many moves there were with it."""
    offer: Offer
    first: bool
    """Whether none of his who had offered it had been declined before."""


@dataclass(frozen=True)
class Game:
    """A game of draughts on a real board, as far as it has been seen."""

    tracker: Tracker = field(default_factory=Tracker)
    arbiter: Arbiter = field(default_factory=Arbiter)
    count: int = 0
    """How many events there have been: the number of the next one."""
    result: Result | None = None
    offer: Offer | None = None
    """The draw that has been offered and not been answered, in words or by a move."""
    answered: Answer | None = None
    """The last move that answered an offer."""
    clock: Clock | None = None
    begun: bool = False
    """Whether the first position has stood on the board."""
    players: tuple[str, str] | None = None
    """Who plays Red and who White."""
    next_players: tuple[str, str] | None = None
    """Who will play them in the next game, if that was said after the end."""
    heading: Mapping[str, str] = field(default_factory=dict)
    """What people have said of the event, the site and the round, by the tags of PDN. It holds for
    the games that follow too."""
    question: Unsure | None = None
    """What the referee has asked and nobody has answered."""
    unadvised: int | None = None
    """The number of the event behind which it is yet to be told what must be captured: people have
    corrected the record, and the board has yet to show that."""
    former: tuple[Part, ...] = ()
    """What had been played, if anything, when a person set another position: no move leads from one
    to the next."""
    left_open: bool = False
    """Whether nobody has ended what was played before this game began."""

    @property
    def position(self) -> Position:
        """The last position that lawful moves, or a person, led to."""
        return self.tracker.position

    @property
    def moves(self) -> Line:
        """All lawful moves of the record since a position was last set, each once, in order."""
        return self.tracker.plies

    @property
    def played(self) -> tuple[Part, ...]:
        """The parts of the record before the last: each has moves."""
        return tuple(part for part in self.former if part.plies)

    @property
    def lengths(self) -> tuple[int, ...]:
        """How many moves each part of the record has; only the last may have none."""
        return (*(len(part.plies) for part in self.played), len(self.moves))

    def record(
        self, tags: dict[str, str] | None = None, language: Language = ENGLISH
    ) -> notation.Game:
        """The game as it is written to PDN, from the position that was last set, with why it ended
        in the words of a language."""
        result = self.result.result if self.result else notation.UNFINISHED
        names = dict(zip(PLAYER_TAGS.values(), self.players or (), strict=False))
        headed = {**(tags or {}), **names, **self.heading}
        why = self._why_ended(language)
        return notation.Game(headed, self.tracker.first, self.moves, result, why)

    @property
    def is_past(self) -> bool:
        """Whether a game that begins now is the next one: this one is over, or was ended by nobody
        though more was played than may have been taken back. Else it is begun anew."""
        return self.result is not None or sum(self.lengths) > TAKEN_BACK

    @property
    def leaves_open(self) -> bool:
        """Whether what was played has no end: in this game, or before it where nothing was,
        or but a false start."""
        return self.result is None if any(self.lengths) and self.is_past else self.left_open

    @property
    def is_played_out(self) -> bool:
        """Whether it is over because a player has no move left."""
        return self.result is not None and self.result.phrase[:1] in ends.PLAYED_OUT

    def _why_ended(self, language: Language) -> dict[int, str]:
        """Why it ended, as a comment behind the last move; nothing where the moves tell it, or a
        person has entered the result."""
        if self.result is None or self.is_played_out or self.result.phrase[:1] == ("entered",):
            return {}
        return {len(self.moves): reason_of(self.result, language)}

    def records(
        self, tags: dict[str, str] | None = None, language: Language = ENGLISH
    ) -> tuple[notation.Game, ...]:
        """The whole game as it is written to PDN: each part is a game of its own."""
        last = self.record(tags, language)
        former = (
            notation.Game(last.tags, part.first, part.plies, comments={len(part.plies): CONTINUED})
            for part in self.played
        )
        return (*former, last)


Input = Observation | Command
Step = tuple[Game, tuple[Event, ...]]


def tracker_from(before: Tracker, position: Position) -> Tracker:
    """A tracker that waits for a position, with what the other one sees at the moment, under the
    same rules; it looks away for as long as that was told to."""
    return Tracker(
        position,
        first=position,
        found=before.found if before.phase is Phase.WAITING else before.position.setup,
        sight=before.sight,
        lingering_ms=before.lingering_ms,
        thinking_ms=before.thinking_ms,
        crown_first=before.crown_first,
        paused=before.paused,
        dark=before.dark.going_on(),
    )


def numbered(game: Game, events: tuple[Event, ...], number: int) -> Step:
    """The game that remembers its proposals by the numbers of their events, from `number` on."""
    arbiter, noted = game.arbiter, list[Event]()
    for place, event in enumerate(events, start=number):
        if isinstance(event, Proposed):
            event = replace(event, number=place)
            arbiter = convictions.proposed(arbiter, event)
        noted.append(event)
    return replace(game, arbiter=arbiter), tuple(noted)


def retold(game: Game, events: tuple[Event, ...], time_ms: int) -> Step:
    """Tell again, by their numbers, the proposals of which something else follows, a warning having
    been overruled."""
    waiting = {p: convictions.renewed(game.arbiter, p) for p in game.arbiter.proposals}
    told = tuple(replace(now, time_ms=time_ms) for p, now in waiting.items() if now != p)
    if not told:
        return game, events
    proposals = (*(p for p, now in waiting.items() if now == p), *told)
    game = replace(game, arbiter=replace(game.arbiter, proposals=proposals))
    game, told_again = counted(game, *told)
    return game, events + told_again


def advised(game: Game, events: tuple[Event, ...]) -> Step:
    """In a lesson: what must be captured where these events, the last there have been, have led;
    nothing while they leave the board to be put right or asked about. Where people have corrected
    the record it is told once the board shows that: see `advised_late`."""
    first = game.count - len(events)
    led = (n for n, event in enumerate(events, first) if isinstance(event, _LEADING))
    number = max(led, default=None)
    open_ends = events if number is None else events[number - first :]
    if number is None or game.result or any(map(_is_open, open_ends)):
        return game, events
    if any(isinstance(event, Corrected) for event in events) and not _shows_captures(game):
        return replace(game, unadvised=number), events
    game, advice = _advice(game, events[-1].time_ms, number)
    return game, events + advice


def advised_late(game: Game, time_ms: int) -> Step:
    """In a lesson: what must be captured since people have corrected the record, as soon as the
    board shows the pieces."""
    tracker, number = game.tracker, game.unadvised
    if number is None or game.result or tracker.incident or tracker.doubt.asked:
        return game, ()
    in_view = tracker.sight.visible(_over(game))
    return _advice(game, time_ms, number) if in_view and _shows_captures(game) else (game, ())


def _advice(game: Game, time_ms: int, number: int) -> Step:
    game = replace(game, unadvised=None)
    return counted(game, *lessons.advice(game.arbiter, time_ms, number))


def _shows_captures(game: Game) -> bool:
    """Whether no square that a capture comes over looks otherwise than the record has it."""
    wrong = (square for square, _ in contradictions(game.tracker))
    return set(_over(game)).isdisjoint(wrong)


def _over(game: Game) -> tuple[int, ...]:
    """The squares that captures come over."""
    return tuple({square for move in captures(game.position) for square in move.squares})


_LEADING = (Played, Withdrawn, Corrected)
"""After which other moves are lawful."""


def _is_open(event: Event) -> bool:
    return isinstance(event, Irregular) or (isinstance(event, Unsure) and not event.is_of_the_way)


def open_question(game: Game) -> Unsure | None:
    """The question that can still be answered when more has been played: that for the way there."""
    return game.question if game.question and game.question.is_of_the_way else None


def finished(game: Game, ruling: Ruling) -> Step:
    """The end of the game that a ruling makes."""
    result = WINS[ruling.side] if ruling.verdict is Verdict.WIN and ruling.side else DRAW
    event = Result(ruling.time_ms, result, ruling.text, ruling.phrase, ruling.rule)
    return ended(game, event), (event, ruling)


def ended(game: Game, result: Result) -> Game:
    """The game that a result has ended; its clock stands. What is open stays so, for a person may
    take the end back."""
    over = replace(game.tracker, phase=Phase.OVER)
    clock = clocks.stop(game.clock, result.time_ms) if game.clock else None
    game = replace(game, tracker=over, result=result, clock=clock, question=open_question(game))
    return replace(game, left_open=False)


def counted(game: Game, *events: Event) -> Step:
    """The game after some more events, which have taken their numbers."""
    return replace(game, count=game.count + len(events)), events


def refuse(game: Game, command: Command, reason: Phrase | str) -> Step:
    """`reason` is a phrase, or English words that there is no phrase for."""
    said, text = (reason, say_reason(reason)) if isinstance(reason, tuple) else ((), reason)
    return counted(game, Refused(command.time_ms, command.name, text, said))


def ended_by(game: Game, ruling: Ruling) -> Step:
    """`finished`, with its events counted."""
    game, events = finished(game, ruling)
    return counted(game, *events)

"""What the tracker remembers between two frames."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import NamedTuple

from referee.board import SQUARES, Side, at, side_of
from referee.deeds import Deed, Groups
from referee.events import Event, Irregular, Irregularity, Played, Touch
from referee.hypotheses import Hypothesis
from referee.notation import fen, move_text
from referee.observation import LooseDisc
from referee.rules import Move, Position, after, lawful_moves
from referee.sight import GROUP_OF, NEVER, Sight

QUIET_MS = 300
"""How long a board must look as expected before that is believed."""
HANDS_OFF_MS = 600
"""No accusation before the hands have been away so long."""
ADJUSTING_MS = 15_000
MOST_HIDDEN = 2
"""A board lies open when no more squares are hidden: the whole of it can be judged."""


class Phase(Enum):
    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True)
class Guess:
    """The best explanation so far and since when it has been that."""

    best: Hypothesis
    since_ms: int
    first_since_ms: int
    """Since when its first move has been the first move."""


@dataclass(frozen=True)
class Incident:
    """An irregularity that has been announced and not been put right."""

    kind: Irregularity
    changes: Groups


@dataclass(frozen=True)
class Loose:
    """A disc on a light cell, and when it was first and last seen there."""

    disc: LooseDisc
    since_ms: int
    seen_ms: int


@dataclass(frozen=True)
class Touching:
    """A piece that was seen out of its place; it counts once it is back."""

    square: int
    how: Touch
    side: Side | None
    since_ms: int
    ripe: bool = False
    """Whether it lasted long enough to be no slip of the eye."""


Line = tuple[Move, ...]
"""A row of lawful moves."""


class Charge(NamedTuple):
    """What a row of moves has been charged for a square that looks otherwise than it has it."""

    square: int
    cost: int
    """In centinats."""
    early: bool
    """Whether that was before its last move, which then cannot explain it."""


@dataclass(frozen=True)
class Rival:
    """Lawful moves since the last sure position that may be what has been played."""

    moves: Line = ()
    against: int = 0
    """How much more the looks since then have said against it than against the best."""
    charges: tuple[Charge, ...] = ()
    """For the squares that still look wrong."""

    @property
    def standing(self) -> int:
        """How much the board, as it is, says against it."""
        return sum([charge.cost for charge in self.charges])


Shown = tuple[int, bool] | None
"""Who was last seen on a square and whether at rest, not in passing; None before it was seen."""


@dataclass(frozen=True)
class Bare:
    """A man that awaits its crown."""

    square: int
    seen_ms: int
    """The time of the frame before."""
    looks: int = 0
    """How much a king it has looked lately, since a hand was there if one was, in centinats."""
    known_ms: int = 0
    """For how long it has been seen so."""
    visited_ms: int | None = None
    """When the first hand since its arrival came over it..."""
    before: int = 0
    """...and how much a king it looked until then."""


Place = tuple[int, int] | None
"""Where a disc lies on its square, (x, y) in 1/1000 square."""


@dataclass(frozen=True)
class Tracker:
    """All that is remembered between two frames."""

    position: Position = field(default_factory=Position.start)
    plies: tuple[Move, ...] = ()
    first: Position = field(default_factory=Position.start)
    """The position before the first of the plies."""
    phase: Phase = Phase.WAITING
    uncrowned: frozenset[int] = frozenset()
    """Squares of kings that have not been seen with a crown."""
    sight: Sight = field(default_factory=Sight)
    settled_ms: int = NEVER
    """When the board last stood as expected with no hand over it, or a move was made."""
    played_ms: int = NEVER
    """When the last move was announced."""
    quiet_ms: int | None = None
    """Since when the board has looked as expected; None while it does not."""
    guess: Guess | None = None
    lines: tuple[Line, ...] = ()
    """Rows of lawful moves that have been seen in part while hands hid the rest: with quick
    replies the board may not lie open between two moves."""
    sure: int = 0
    """How many of the plies are beyond doubt; they are never withdrawn."""
    rivals: tuple[Rival, ...] = ()
    """What may have been played since, likeliest first; empty before anything was seen."""
    known: tuple[Shown, ...] = (None,) * len(SQUARES)
    looked_ms: int = NEVER
    """When a square last looked otherwise than before."""
    led_ms: int = NEVER
    """Since when the first of the rivals has been the first."""
    bare: Bare | None = None
    """The man that awaits its crown."""
    incident: Incident | None = None
    asked: bool = False
    """Whether this position's doubt has been announced."""
    adjusting_ms: int = NEVER
    """When a player last said so; it holds until the board has settled again."""
    blind_ms: int | None = None
    blind_said: bool = False
    paused: bool = False
    """A person has told the referee to look away."""
    seeing_ms: int | None = None
    gap_ms: int = 0
    """How long the last blindness lasted, if something changed in it and no move was seen since."""
    shift_said: bool = False
    loose: tuple[Loose, ...] = ()
    crowns: tuple[tuple[int, int], ...] = ()
    """Men that look kings, (square, since when)."""
    manlike: frozenset[int] = frozenset()
    """Squares whose man has been clearly seen to be one since it came there."""
    touching: tuple[Touching, ...] = ()
    places: tuple[Place, ...] = (None,) * len(SQUARES)
    """Where the discs lay when the board was last in order."""
    waited: tuple[int, ...] | None = None
    """The squares last announced as missing."""

    @property
    def now(self) -> int:
        return self.sight.time_ms

    @property
    def is_adjusting(self) -> bool:
        """Whether a player has said that he only puts pieces straight (4.1)."""
        return self.now - self.adjusting_ms < ADJUSTING_MS

    @property
    def guess_age(self) -> int:
        """For how long the best explanation has been the same."""
        return self.now - self.guess.since_ms if self.guess else 0


Step = tuple[Tracker, tuple[Event, ...]]


def noted(tracker: Tracker, **news: object) -> Tracker:
    """The tracker with some fields set anew; itself where they are so already, which is usual."""
    if all(getattr(tracker, name) == value for name, value in news.items()):
        return tracker
    return replace(tracker, **news)  # type: ignore[arg-type]


def contradictions(tracker: Tracker) -> Groups:
    """The visible squares that look as if another occupant stood there."""
    return tuple(
        [
            (square, glance.group)
            for square, glance, piece in zip(
                SQUARES, tracker.sight.squares, tracker.position.setup, strict=True
            )
            if glance.group != GROUP_OF[piece] and glance.visible
        ]
    )


def lies_open(tracker: Tracker) -> bool:
    """Whether nearly the whole board is in view."""
    return sum(not glance.visible for glance in tracker.sight.squares) <= MOST_HIDDEN


def king_looks(tracker: Tracker, square: int) -> int:
    """How much a king rather than a man its piece looks; 0 while somebody else stands there."""
    glance = tracker.sight.at(square)
    side = side_of(at(tracker.position.setup, square))
    if side is None or glance.group != GROUP_OF[side.man]:
        return 0
    return glance.rank(side)


def played_event(tracker: Tracker, move: Move) -> Played:
    """The announcement of a move from the tracker's position."""
    position = tracker.position
    text = move_text(position, move)
    return Played(tracker.now, position.turn, text, fen(after(position, move)))


def advance(tracker: Tracker, move: Move) -> Tracker:
    """The tracker after a lawful move."""
    uncrowned = tracker.uncrowned - {*move.captured, move.start}
    if move.crowns or move.start in tracker.uncrowned:
        uncrowned |= {move.end}
    return replace(
        tracker,
        position=after(tracker.position, move),
        plies=(*tracker.plies, move),
        uncrowned=uncrowned,
        settled_ms=tracker.now,
        played_ms=tracker.now,
        quiet_ms=None,
        guess=None,
        lines=tuple(line[1:] for line in tracker.lines if line[0] == move and line[1:]),
        incident=None,
        asked=False,
        gap_ms=0,
        crowns=(),
        bare=None,
        manlike=tracker.manlike - {*move.captured, *move.path},
    )


def told_apart(line: Line) -> tuple[object, ...]:
    """What tells rows of moves apart; the order of the jumps in a capture is no matter."""
    return tuple([(move.start, move.end, frozenset(move.captured)) for move in line])


def lawful_texts(position: Position) -> tuple[str, ...]:
    """The lawful moves as they are announced."""
    return tuple(move_text(position, move) for move in lawful_moves(position))


def accuse(tracker: Tracker, deed: Deed, changes: Groups) -> Step:
    """The tracker with an incident, and its announcement."""
    event = Irregular(
        tracker.now, deed.kind, deed.side, deed.squares, lawful_texts(tracker.position)
    )
    return replace(tracker, incident=Incident(deed.kind, changes)), (event,)


def named(tracker: Tracker, deed: Deed) -> Deed:
    """The deed with what the hands add to it: who, and so perhaps another name."""
    hands = tracker.sight.sides_since(tracker.settled_ms)
    culprit = next(iter(hands)) if len(hands) == 1 else None
    if culprit is None:
        return deed
    if deed.kind is Irregularity.WRONG_TURN and culprit is tracker.position.turn:
        return deed._replace(kind=Irregularity.PIECE_DISPLACED, side=culprit)
    return deed if deed.side else deed._replace(side=culprit)

"""What the tracker remembers between two frames."""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TypeVar

from referee.board import SQUARES, Side, at, side_of
from referee.deeds import Deed, Groups, squares_of
from referee.events import Event, Irregular
from referee.observation import HIDDEN, LooseDisc, certain
from referee.rules import Line, Move, Position, lawful_moves
from referee.sight import GROUP_OF, NEVER, Sight
from referee.tracking.notes import (
    Adjusting,
    Bump,
    Caught,
    Correction,
    Crowning,
    Darkness,
    Doubt,
    Guess,
    Handled,
    Incident,
    Landed,
    Loose,
    Ranks,
    Rivalry,
)

Note = TypeVar("Note")

QUIET_MS = 300
"""How long a board must look as expected before that is believed."""
HANDS_OFF_MS = 600
"""No accusation before the hands have been away so long."""
ACCUSE_MARGIN = 300
"""The lead that an offence must have over all other explanations, in centinats."""
ERRS_MS = 5_000
"""The eye errs for a few seconds at a time. For so long a disc that is not plain must have lain
where it has stepped to or been added, and a square have been bare that no hand was near."""
AWAY_MS = 400
"""A hand that has not been seen for so long has left."""
ADJUSTING_MS, LONGEST_ADJUSTING_MS = 15_000, 60_000
"""For so long who has said that he puts pieces straight may let the board wait, and be at it."""
MOST_HIDDEN = 2
"""A board lies open when no more squares are hidden: the whole of it can be judged."""


class Phase(Enum):
    WAITING = "waiting"
    """For the first position."""
    PLAYING = "playing"
    RETURNING = "returning"
    """A person has taken a move back that may still lie on the board."""
    OVER = "over"


@dataclass(frozen=True)
class Tracker:
    """All that is remembered between two frames."""

    position: Position = field(default_factory=Position.start)
    plies: Line = ()
    first: Position = field(default_factory=Position.start)
    """The position before the first of the plies."""
    found: str | None = None
    """The setup of another game that may still stand on the board, from before this one began."""
    passed: tuple[Position, ...] = ()
    """The positions before each of the plies: what a frame costs must not grow with the record."""
    lingering_ms: int = 0
    """So long a hand may stay over the piece it has moved, as the profile has it."""
    thinking_ms: int = 0
    """So long a player may think with a piece in his hand; that too."""
    crown_first: bool = True
    """Whether a reply waits for the crown of a new king; that too."""
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
    stood_ms: int | None = None
    """Since when the first position has stood, before the game begins; None while it does not."""
    guess: Guess | None = None
    lines: tuple[Line, ...] = ()
    """Rows of lawful moves that have been seen in part while hands hid the rest: with quick
    replies the board may not lie open between two moves."""
    rivalry: Rivalry = field(default_factory=Rivalry)
    deaf: tuple[tuple[int, int], ...] = ()
    """Squares that had looked as if a piece stood there long before it came, (square, since): a
    lamp is mirrored in them, and as long as they look so they say nothing."""
    caught: Caught | None = None
    """What was done to the board since it was last in order, by whom that was plain."""
    incident: Incident | None = None
    leftover: int = 0
    """How many plies there were when one was what was left of an irregular board: to put that back
    as well is no offence."""
    doubt: Doubt = field(default_factory=Doubt)
    correction: Correction = field(default_factory=Correction)
    adjusting: Adjusting = field(default_factory=Adjusting)
    paused: bool = False
    """A person has told the referee to look away."""
    dark: Darkness = field(default_factory=Darkness)
    bump: Bump = field(default_factory=Bump)
    loose: tuple[Loose, ...] = ()
    glints: tuple[tuple[LooseDisc, int], ...] = ()
    """What was light on a light cell, though it looked like a disc, and when it last did."""
    crowning: Crowning = field(default_factory=Crowning)
    ranks: Ranks = field(default_factory=Ranks)
    handled: Handled = field(default_factory=Handled)
    landed: Landed | None = None
    """The piece that was moved last, while the hand is still there."""
    clung_ms: int = NEVER
    """Until when a hand has been at the piece that was moved last, without leaving it."""
    mended_ms: int = NEVER
    """When what the last mover did besides his move was last put right."""
    waited: tuple[int, ...] | None = None
    """The squares last announced as missing."""

    @property
    def now(self) -> int:
        return self.sight.time_ms

    @property
    def last(self) -> Move | None:
        """The last move of the record."""
        return self.plies[-1] if self.plies else None

    def piece(self, square: int) -> str:
        """What stands on a square by the record."""
        return at(self.position.setup, square)

    def position_after(self, count: int) -> Position:
        """The position after so many of the plies."""
        return self.position if count == len(self.plies) else self.passed[count]

    @property
    def is_adjusting(self) -> bool:
        """Whether a player has said that he only puts pieces straight (4.1), and is at it, or is
        waited for."""
        if self.now - self.adjusting.said_ms >= LONGEST_ADJUSTING_MS:
            return False
        sight = self.sight
        unnamed_ms = sight.hand_ms if sight.unnamed else NEVER
        at_it_ms = max((unnamed_ms, *map(sight.hand_of_ms, self.adjusting.by)))
        return self.now - max(self.adjusting.said_ms, at_it_ms) < ADJUSTING_MS

    def is_excused(self, side: Side | None) -> bool:
        """Whether a player's touches do not count: he has said so himself (4.1), or the hand may
        be that of him who has."""
        return self.is_adjusting and (side is None or side in self.adjusting.by)

    def was_excused(self, side: Side | None, time_ms: int) -> bool:
        """The same of what he did at a time since, though the board waits no longer."""
        said = 0 <= time_ms - self.adjusting.said_ms < LONGEST_ADJUSTING_MS
        return said and (side is None or side in self.adjusting.by)

    @property
    def is_under_way(self) -> bool:
        """Whether the game has begun and is not over."""
        return self.phase in (Phase.PLAYING, Phase.RETURNING)

    @property
    def guess_age(self) -> int:
        """For how long the best explanation has been the same."""
        return self.now - self.guess.since_ms if self.guess else 0


Step = tuple[Tracker, tuple[Event, ...]]


def noted(tracker: Tracker, **news: object) -> Tracker:
    """The tracker with some fields set anew; itself where they are so already, which is usual."""
    if all(getattr(tracker, name) == value for name, value in news.items()):
        return tracker
    return amended(tracker, **news)


def amended(tracker: Tracker, **news: object) -> Tracker:
    """The same as `replace`, for what every frame does: that looks at each of the fields, and was
    a fifth of the work."""
    now = copy(tracker)
    assert news.keys() <= vars(now).keys()
    vars(now).update(news)
    return now


def contradictions(tracker: Tracker) -> Groups:
    """The visible squares that look as if another occupant stood there."""
    return differing(tracker.sight, tracker.position)


def wrong_squares(tracker: Tracker) -> tuple[int, ...]:
    """The same, without who seems to stand there."""
    return squares_of(contradictions(tracker))


def differing(sight: Sight, position: Position) -> Groups:
    """The visible squares that look otherwise than in a position, ranks aside."""
    return tuple(
        [
            (square, glance.group)
            for square, glance, piece in zip(SQUARES, sight.squares, position.setup, strict=True)
            if glance.group != GROUP_OF[piece] and glance.visible
        ]
    )


def adjusting(tracker: Tracker, time_ms: int, side: Side | None) -> Tracker:
    """The tracker when a player says that he only puts pieces straight (4.1), or somebody does."""
    before = tracker.adjusting.by if tracker.is_adjusting else frozenset()
    said = frozenset({side} if side else Side)
    return replace(tracker, adjusting=Adjusting(time_ms, before | said))


def returning(tracker: Tracker, moves: Line) -> Tracker:
    """The tracker when a person has taken moves back, until the board shows that. What they have
    changed on it, and what is changed now, is seen together."""
    squares = {square for move in moves for square in move.squares}
    since_ms = min(tracker.sight.at(square).turned_ms for square in squares)
    correction = replace(tracker.correction, taken_back=moves)
    return replace(tracker, phase=Phase.RETURNING, correction=correction, settled_ms=since_ms)


def asked_about(tracker: Tracker, squares: tuple[int, ...]) -> Tracker:
    """The tracker when people are asked what lies there, these squares looking wrong."""
    return replace(tracker, doubt=replace(tracker.doubt, asked=True, squares=squares))


def forget_touches(tracker: Tracker) -> Tracker:
    """What was handled to put the board right, or in a move, was not merely touched."""
    return replace(tracker, handled=Handled(wavering=tracker.handled.wavering))


def reply_to_arrival(tracker: Tracker) -> Move | None:
    """The last move, if it has answered a man's arrival on his king-row who had not plainly been
    crowned: it is taken back where he was not (3.9), which the eye need not have seen."""
    return tracker.last if tracker.crowning.hasty else None


def is_otherwise(tracker: Tracker) -> bool:
    """Whether the board still shows what people were told when they corrected the record: the eye
    errs there, or it is not put right yet."""
    return not set(tracker.correction.differs).isdisjoint(contradictions(tracker))


def shows(tracker: Tracker, position: Position, but: Collection[int] = ()) -> bool:
    """Whether the whole board is in view and looks as in a position, ranks aside, and `but` for
    some squares."""
    otherwise = squares_of(differing(tracker.sight, position))
    return tracker.sight.visible(tuple(SQUARES)) and set(otherwise) <= set(but)


def lies_open(tracker: Tracker) -> bool:
    """Whether nearly the whole board is in view."""
    return sum(not glance.visible for glance in tracker.sight.squares) <= MOST_HIDDEN


def is_left_of_doubt(tracker: Tracker, squares: Collection[int]) -> bool:
    """Whether these are part of what the referee has asked about, or partly, and most of that looks
    right again: it is put right."""
    now, doubted = set(squares), set(tracker.doubt.squares)
    right = doubted.difference(wrong_squares(tracker))
    most = 2 * len(right) >= len(doubted) and not now.isdisjoint(doubted)
    return tracker.doubt.asked and (now < doubted or most)


def awaited_crown(tracker: Tracker) -> int | None:
    """Where the last move made a king whose crown has not been seen."""
    last = tracker.last
    return last.end if last and last.crowns and last.end in tracker.uncrowned else None


def king_looks(tracker: Tracker, square: int) -> int:
    """How much a king rather than a man its piece looks; 0 while somebody else stands there."""
    glance, piece = tracker.sight.at(square), tracker.piece(square)
    side = side_of(piece)
    return glance.rank(side) if side and glance.group == GROUP_OF[piece] else 0


def heard(tracker: Tracker, beside: Collection[int] = ()) -> Sight:
    """The sight without what deaf squares say, and as if the pieces that lie `beside` their squares
    stood there."""
    deaf = [square for square, ms in tracker.deaf if tracker.sight.at(square).turned_ms == ms]
    if not deaf and not beside:
        return tracker.sight
    said = dict.fromkeys(deaf, HIDDEN)
    said |= {square: certain(tracker.piece(square))[0] for square in beside}
    squares = tuple(
        glance._replace(row=said.get(square, glance.row))
        for square, glance in zip(SQUARES, tracker.sight.squares, strict=True)
    )
    return replace(tracker.sight, squares=squares)


def without(
    notes: tuple[tuple[int, Note], ...], squares: Collection[int]
) -> tuple[tuple[int, Note], ...]:
    """Those of other squares; what is noted of each is no matter."""
    return tuple((square, note) for square, note in notes if square not in squares)


def lawful_texts(position: Position) -> tuple[str, ...]:
    """The lawful moves as they are announced, captures jump by jump: people may stand in the middle
    of one."""
    return tuple(str(move) for move in lawful_moves(position))


def is_mended(tracker: Tracker) -> bool:
    """Whether what was announced lies no more, though something else may be wrong by now: he who
    was told to put it right has done so."""
    incident = tracker.incident
    if incident is None or not incident.changes or tracker.loose:
        return False
    told = incident.changed
    return tracker.sight.visible(told) and set(told).isdisjoint(wrong_squares(tracker))


def accuse(tracker: Tracker, deed: Deed, changes: Groups) -> Step:
    """The tracker with an incident, and its announcement."""
    lawful = lawful_texts(tracker.position)
    event = Irregular(tracker.now, deed.kind, deed.side, deed.concerned, lawful)
    incident = Incident(deed.kind, changes, tracker.now, side=deed.side, squares=deed.squares)
    return replace(tracker, incident=incident), (event,)

"""What happened: facts about the board, and the rulings that the rules make of them.

Every event knows its time and turns itself into a plain record, one JSON object per event:
`{"time_ms": 61200, "event": "played", "side": "red", "move": "11-15", "fen": "W:…"}`.
The number of an event is its place in the game's list of events, counted from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import Enum
from typing import ClassVar

from referee.board import Side


class Irregularity(Enum):
    """The ways in which a board can differ from what the rules allow."""

    WRONG_TURN = "wrong_turn"
    CAPTURE_MISSED = "capture_missed"
    CAPTURE_UNFINISHED = "capture_unfinished"
    JUMPED_PIECE_LEFT = "jumped_piece_left"
    OWN_PIECE_REMOVED = "own_piece_removed"
    WRONG_PIECE_REMOVED = "wrong_piece_removed"
    ILLEGAL_STEP = "illegal_step"
    PIECE_ADDED = "piece_added"
    PIECE_REMOVED = "piece_removed"
    PIECE_DISPLACED = "piece_displaced"
    CROWN_MISSING = "crown_missing"
    CROWN_UNEARNED = "crown_unearned"
    CROWN_REMOVED = "crown_removed"
    OFF_SQUARE = "off_square"
    UPSET = "upset"


class Touch(Enum):
    """What was done to a piece that stands on its square again."""

    LIFTED = "lifted"
    SHIFTED = "shifted"
    """Pushed off the middle of its square and not lifted."""


class Conduct(Enum):
    """What a player can do wrong that the board does not show by itself."""

    TOUCHED_OTHER = "touched_other"
    """He moved another piece than the one he touched first."""
    TOUCHED_UNPLAYABLE = "touched_unplayable"
    """He touched a piece that he cannot move: blocked, bound by a capture, or the other's."""
    TOUCHED_OFF_TURN = "touched_off_turn"
    HAND_LINGERING = "hand_lingering"
    NOT_PUT_RIGHT = "not_put_right"
    """He was told to put the board right and has not."""
    OTHER_PIECE_PLAYED = "other_piece_played"
    """He took an incorrect move back and played with another piece, though the same could."""
    CROWNED_BY_OWNER = "crowned_by_owner"
    """He crowned his own man; that is the opponent's part."""


class Verdict(Enum):
    """What a ruling demands, from a remark to the end of the game."""

    NOTICE = "notice"
    WARNING = "warning"
    RESTORE = "restore"
    FORFEIT = "forfeit"
    DRAW_CLAIMABLE = "draw_claimable"
    DRAW = "draw"
    WIN = "win"


Phrase = tuple[str, ...]
"""Something to be said, before it is put into the words of a language: what the sentence is
called in every catalogue, then what fills its gaps as `name=value`; several values are joined
by commas. `("capture_missed", "side=white", "start=21", "lawful=22x15,22x13")`"""

Value = str | int | Side | Sequence[int] | Sequence[str] | None


def phrase(key: str, **values: Value) -> Phrase:
    """A phrase; a value of None is none."""
    return key, *(f"{name}={_word(value)}" for name, value in values.items() if value is not None)


def _word(value: Value) -> str:
    if isinstance(value, Side):
        return value.value
    if isinstance(value, (str, int)):
        return str(value)
    return ",".join(map(str, value or ()))


@dataclass(frozen=True)
class Event:
    """A fact, at a time."""

    name: ClassVar[str]

    time_ms: int
    """The time of the input that settled the matter."""

    def record(self) -> dict[str, object]:
        """The event as plain values for JSON: sides and kinds as words, tuples as lists."""
        values = {field.name: _plain(getattr(self, field.name)) for field in fields(self)}
        return {"time_ms": values.pop("time_ms"), "event": self.name, **values}


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True)
class Started(Event):
    """A person began a new game, from the position of `fen`."""

    name: ClassVar[str] = "started"

    fen: str


@dataclass(frozen=True)
class Seated(Event):
    """A person said who plays."""

    name: ClassVar[str] = "seated"

    red: str
    white: str
    next_game: bool = False
    """Whether the game is over: they will sit so in the next one."""


@dataclass(frozen=True)
class Headed(Event):
    """A person said what stands above the record: the event, the site or the round."""

    name: ClassVar[str] = "headed"

    tag: str
    """`Event`, `Site` or `Round`, as PDN calls it."""
    text: str


@dataclass(frozen=True)
class Ready(Event):
    """The first position stands on the board and the game can begin."""

    name: ClassVar[str] = "ready"


@dataclass(frozen=True)
class Waiting(Event):
    """The board rests but does not show the first position."""

    name: ClassVar[str] = "waiting"

    missing: tuple[int, ...]
    """The squares that differ, ascending."""


@dataclass(frozen=True)
class Otherwise(Event):
    """The board rests but is not as a person has corrected the record."""

    name: ClassVar[str] = "otherwise"

    squares: tuple[int, ...]
    """Those that differ, ascending."""


@dataclass(frozen=True)
class Played(Event):
    """A lawful move was made."""

    name: ClassVar[str] = "played"

    side: Side
    move: str
    """`11-15`, `18x9`; the full path where two squares would be ambiguous."""
    fen: str
    """The position after the move."""


@dataclass(frozen=True)
class Withdrawn(Event):
    """The referee takes back moves it announced, because what followed proves them wrong.

    The moves that were really made follow as `Played`, or an `Unsure` does; nothing does where
    the pieces of a capture have been put back.
    """

    name: ClassVar[str] = "withdrawn"

    undone: tuple[str, ...]
    """The moves taken out of the record, last first, each as it was announced."""
    fen: str
    """The position from which the game goes on."""


@dataclass(frozen=True)
class Touched(Event):
    """A piece was touched and stands where it stood (WCDF 4.2, 4.3, 4.6); not by who adjusts.

    Said once the board is in order again or the next move is played, whichever comes first.
    """

    name: ClassVar[str] = "touched"

    side: Side | None
    """Whose arm was over the piece; None where that cannot be told."""
    square: int
    how: Touch
    touched_ms: int
    """When it was first seen out of its place; beside a move, when a hand came to hide it."""
    beside: bool = False
    """Whether that was done by the hand that made a move, and nobody could see whether before it or
    after it: it is told as evidence, and no rule is applied to it."""

    def record(self) -> dict[str, object]:
        """The same; `beside` stands there only where it holds, as journals had none before."""
        plain = super().record()
        return plain if self.beside else {k: v for k, v in plain.items() if k != "beside"}


@dataclass(frozen=True)
class Held(Event):
    """The player to move has taken up a piece of his and holds it; told of in lessons only."""

    name: ClassVar[str] = "held"

    side: Side
    square: int
    since_ms: int
    """When its square was first seen bare."""


@dataclass(frozen=True)
class Lingering(Event):
    """A hand has stayed over the piece it has moved although the move is complete (4.8)."""

    name: ClassVar[str] = "lingering"

    side: Side
    square: int
    """Where the moved piece stands."""
    since_ms: int
    """When the move was complete."""


@dataclass(frozen=True)
class Crowned(Event):
    """A man that had reached its king-row got its second disc (WCDF 3.9)."""

    name: ClassVar[str] = "crowned"

    square: int
    by: Side | None = None
    """Whose hand alone was about; None where that cannot be told."""


@dataclass(frozen=True)
class Irregular(Event):
    """The board rests in a state that no lawful move leads to. The position does not advance."""

    name: ClassVar[str] = "irregular"

    kind: Irregularity
    side: Side | None
    """Who did it; None where that cannot be told."""
    squares: tuple[int, ...]
    """The squares concerned: where the moving piece started first, where it ended next."""
    lawful: tuple[str, ...]
    """The lawful moves that were open."""


@dataclass(frozen=True)
class Restored(Event):
    """An irregularity was put right."""

    name: ClassVar[str] = "restored"


@dataclass(frozen=True)
class NotWatching(Event):
    """The camera does not see the board; nothing is ruled until `Watching`."""

    name: ClassVar[str] = "not_watching"

    reason: str


@dataclass(frozen=True)
class Watching(Event):
    """The board is seen again."""

    name: ClassVar[str] = "watching"


@dataclass(frozen=True)
class Moved(Event):
    """The board or the camera was bumped."""

    name: ClassVar[str] = "moved"

    shift: int
    """How far, in 1/1000 square."""


@dataclass(frozen=True)
class Unsure(Event):
    """The board rests, differs from the position, and no explanation is certain enough; or moves
    have been taken back for another; or there is more than one way to where the board is."""

    name: ClassVar[str] = "unsure"

    candidates: tuple[str, ...]
    """The lawful moves that would explain it, best first; may be empty."""
    squares: tuple[int, ...] = ()
    """Those that look otherwise than they should."""
    ply: int | None = None
    """How many moves of the record come before the candidates, the first of which is on record;
    None where they go on from its end."""
    instead: bool = False
    """Whether the first candidate was made in place of the second, which had been complete."""

    @property
    def is_of_the_way(self) -> bool:
        """Whether it only asks how the board came to be as recorded: the game can go on."""
        return self.ply is not None and not self.squares


@dataclass(frozen=True)
class Corrected(Event):
    """A person put the record right."""

    name: ClassVar[str] = "corrected"

    undone: tuple[str, ...]
    """The moves taken out of the record, last first, each as it was announced."""
    fen: str
    """The position from which the game goes on."""
    reopened: str | None = None
    """The result that does not hold any more, as in PDN; None where the game had not ended."""
    turn: Side | None = None
    """Whose turn it is on a board that was let stand as it lay; None for any other correction."""
    overruled: tuple[int, ...] = ()
    """The numbers of the events the rulings on which were taken back and count for nothing."""
    against: Side | None = None
    """The player whom they were against; None where there are none, or of both."""


@dataclass(frozen=True)
class DrawOffered(Event):
    """A player offered a draw (WCDF 7.1); it stands until he is answered or moves are made."""

    name: ClassVar[str] = "draw_offered"

    side: Side


@dataclass(frozen=True)
class DrawDeclined(Event):
    """The offered draw was declined."""

    name: ClassVar[str] = "draw_declined"

    side: Side


@dataclass(frozen=True)
class CountRequested(Event):
    """A player whose draw was declined has the other's moves counted (WCDF 7.2)."""

    name: ClassVar[str] = "count_requested"

    side: Side
    """Who wants the draw; the other is the attacker."""


@dataclass(frozen=True)
class Strengthened(Event):
    """A person says that the attacker's position has become stronger (WCDF 7.2a)."""

    name: ClassVar[str] = "strengthened"


@dataclass(frozen=True)
class Adjusting(Event):
    """A player puts pieces properly on their squares: his touches do not count (WCDF 4.1)."""

    name: ClassVar[str] = "adjusting"

    side: Side | None
    """None where it was not told who: then nobody's count."""


@dataclass(frozen=True)
class ClockSet(Event):
    """A person set the clock; `limits` is as typed, `off` for none."""

    name: ClassVar[str] = "clock_set"

    limits: str


@dataclass(frozen=True)
class ClockHeld(Event):
    """The referee cannot follow the game: until he can, nobody's time runs."""

    name: ClassVar[str] = "clock_held"


@dataclass(frozen=True)
class TimeOver(Event):
    """A player's time has run out."""

    name: ClassVar[str] = "time_over"

    side: Side
    grace_ms: int
    """How long he may still take by grace; 0 when that is over too."""


@dataclass(frozen=True)
class Proposed(Event):
    """A ruling that waits for a person to confirm or dismiss it, by the number of this event."""

    name: ClassVar[str] = "proposed"

    conduct: Conduct
    verdict: Verdict
    """What would follow now."""
    side: Side
    rule: str
    text: str
    phrase: Phrase
    cause: int
    """The number of the event that is the evidence."""
    number: int = 0
    """Its own number, by which it is confirmed or dismissed, also when it is told again with
    another verdict."""
    ply: int = 0
    """How many moves there were with the one that it takes back; 0 where it takes none back."""

    @property
    def squares(self) -> tuple[int, ...]:
        """The square of the piece it is about, if it is about one."""
        values = dict(part.split("=", 1) for part in self.phrase[1:])
        return (int(values["square"]),) if "square" in values else ()


@dataclass(frozen=True)
class Dismissed(Event):
    """A person dropped a proposed ruling."""

    name: ClassVar[str] = "dismissed"

    proposal: int
    """The number of the event that proposed it."""


@dataclass(frozen=True)
class Refused(Event):
    """A person's command that could not be carried out."""

    name: ClassVar[str] = "refused"

    command: str
    reason: str
    phrase: Phrase = ()
    """The reason for those who do not read English; empty where there is none."""


@dataclass(frozen=True)
class Result(Event):
    """The game has ended."""

    name: ClassVar[str] = "result"

    result: str
    """`1-0` Red won, `0-1` White won, `1/2-1/2`, or `*` for a game broken off."""
    reason: str
    """In English, with the rule."""
    phrase: Phrase = ()
    """The reason in no language; `entered` where a person entered the result."""
    rule: str = ""


@dataclass(frozen=True)
class Ruling(Event):
    """What the rules profile makes of another event. The machine proposes; people decide."""

    name: ClassVar[str] = "ruling"

    verdict: Verdict
    side: Side | None
    """The player concerned."""
    rule: str
    """Where it is written: `WCDF 4.4`; empty where the document does not say it."""
    text: str
    """What happened, by which rule, what follows and what to do now: short English sentences."""
    cause: int
    """The number of the event that caused it."""
    phrase: Phrase = ()
    """What the text says, before it is put into the words of a language."""

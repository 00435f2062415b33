"""What an arbiter remembers of a game, to say what the rules make of it. The machine proposes;
people decide.

Pure: each function of `referee.ruling` gives the arbiter after an event, and what it says of it.
`number` is always the number of the event that is judged, `position` the one it happened in.
Rulings that rest on a touch are proposals until a person confirms them, unless the profile says
otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from referee.announcements import in_words
from referee.board import Side
from referee.events import Phrase, Proposed, Ruling, Touched, Verdict
from referee.history import History
from referee.profiles import WCDF, Profile
from referee.rules import Move, Position


@dataclass(frozen=True)
class Contact:
    """A touch, and the number of the event that told of it."""

    event: Touched
    number: int


@dataclass(frozen=True)
class Warned:
    """A player who was told to put the board right."""

    side: Side
    since_ms: int
    number: int
    ruling: Ruling
    """By which he was told."""
    untidy: bool = False
    """Whether he has made no move that he would have to retract."""


@dataclass(frozen=True)
class Conviction:
    """An offence that a player was counted for."""

    side: Side
    group: str
    number: int
    """The number of the event that was ruled on."""
    told: int
    """The number of the event with which he was told so."""
    again: bool = False
    """Whether it was told of by another name before, and counted then."""


OVERTIME = "overtime"
"""The group of the convictions of those whose time is over."""


@dataclass(frozen=True)
class Claim:
    """What a player may claim."""

    side: Side | None
    """Who; None for either."""
    wins: bool
    """Whether the claim wins the game; else it draws it."""
    rule: str
    offence: Conviction | None = None
    """What it rests on, if that is an offence, or that time is over."""
    since: int = 0
    """How many moves there were when it arose."""
    waived: int | None = None
    """How many moves there were with the one by which the player waived it."""


@dataclass(frozen=True)
class Tally:
    """A count of the attacker's moves."""

    claimant: Side
    """Who wants the draw."""
    since: int
    """How many moves of the game had been made when it began."""


@dataclass(frozen=True)
class Arbiter:
    """A profile and what has to be remembered to apply it."""

    profile: Profile = WCDF
    convictions: tuple[Conviction, ...] = ()
    """All that has been counted in this game and stands."""
    disorder: tuple[int, ...] = ()
    """The numbers of the events that have told of the board since it was last in order."""
    counted: tuple[Conviction, ...] = ()
    """What has been counted for them: one act is one offence."""
    overtime: tuple[Conviction, ...] = ()
    """For each player the last that his time was said to be over, also where it was overruled."""
    lately: tuple[Conviction, ...] = ()
    """What the last act was that was counted, also when the board is in order again: it can be
    overruled."""
    history: History = field(default_factory=lambda: History(Position.start()))
    contact: Contact | None = None
    """The piece of his own that the player to move touched first."""
    misplayed: int | None = None
    """The number of the event that told of a piece which he touched and cannot play: what he
    touches in one play is one offence."""
    told: int | None = None
    """In a lesson: where the piece stands, or stood, of which was told where it may go."""
    lingered: frozenset[Side] = frozenset()
    """In a lesson: who has been told not to leave his hand there."""
    guided: bool = False
    """Whether the player to move has been shown what to play: he did something wrong and was told,
    or another hand plays it for him."""
    praised: frozenset[Move] = frozenset()
    """The moves that have been praised: put back and played again they are not found anew."""
    uncrowned: int | None = None
    """Where a man stands that the last move has made a king, until his crown is seen."""
    crowned_ms: int | None = None
    """When it was."""
    entered: bool = False
    """Whether a person enters the moves that are judged: nobody makes them on the board."""
    early: Contact | None = None
    """A touch off turn, or one after a move that has not been announced yet."""
    retracted: int | None = None
    """Where the piece stands whose incorrect move the player to move took back."""
    warned: Warned | None = None
    proposals: tuple[Proposed, ...] = ()
    """What waits for a person."""
    claims: tuple[Claim, ...] = ()
    declined: frozenset[Side] = frozenset()
    """Whose offer of a draw has been declined in this game."""
    tally: Tally | None = None

    def count(self, side: Side, group: str, before: int | None = None) -> int:
        """How often a player has offended so far, or was told so before an event."""
        known = (c for c in self.convictions if (c.side, c.group) == (side, group))
        return sum(not c.again and (before is None or c.told < before) for c in known)


Judged = tuple[Arbiter, tuple[Ruling | Proposed, ...]]
"""The arbiter after an event, and what it says of that."""


def begin(arbiter: Arbiter, position: Position) -> Arbiter:
    """The arbiter at the start of a game from a position; offences are forgotten."""
    return Arbiter(arbiter.profile, history=History(position))


def ruled(
    time_ms: int, verdict: Verdict, side: Side | None, rule: str, said: Phrase, cause: int
) -> Ruling:
    """A ruling, with its words in English."""
    ruling = Ruling(time_ms, verdict, side, rule, "", cause, said)
    return replace(ruling, text=in_words(ruling))

"""Rules profiles: which offence has which consequence, as data.

Rule numbers are those of each document's own sections. Where WCDF 4.7 and 4.9 say "immediately
forfeit the game for the same offense", that is read as the second offence, like 4.3 and 4.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from enum import Enum

from referee.clock import MINUTE_MS
from referee.colours import BLACK_AND_RED, BLACK_AND_WHITE, RED_AND_WHITE, Sides
from referee.events import Conduct, Verdict
from referee.events import Irregularity as Kind

NOTICE, WARNING, RESTORE = Verdict.NOTICE, Verdict.WARNING, Verdict.RESTORE
FORFEIT, CLAIMABLE = Verdict.FORFEIT, Verdict.DRAW_CLAIMABLE


class Case(Enum):
    """What a document may write of in another place than of the rest of an offence; of several that
    hold the first."""

    BEGINNING = "of_beginning"
    """The first move of a game."""
    CROWNING = "of_crowning"
    """Men that become kings."""
    LIGHT = "of_light_squares"
    """Pieces that are put on them."""
    PLAIN = "of_plain_moves"
    """The other player's pieces that come off beside a move that captures nothing."""
    KINGS_JUMP = "of_kings_jumps"
    JUMP = "of_jumps"
    KING = "of_kings"


@dataclass(frozen=True)
class Offence:
    """What an irregularity costs."""

    rule: str
    """Where it is written; empty where it is not."""
    group: str
    """Offences of one group are counted together, per player and game."""
    verdicts: tuple[Verdict, ...]
    """For the first, second, ... time; the last one stands for all further times."""
    elsewhere: Mapping[Case, str] = field(default_factory=dict)
    """What is written in other places, or (empty) in none."""

    def section(self, cases: Set[Case]) -> str:
        """Where it is written, all of these being the case."""
        return next(
            (self.elsewhere[c] for c in Case if c in cases & self.elsewhere.keys()), self.rule
        )

    def verdict(self, time: int) -> Verdict:
        """The verdict of the `time`-th offence, from 1."""
        return self.verdicts[min(time, len(self.verdicts)) - 1]


@dataclass(frozen=True)
class Repetition:
    """What the same position with the same side to move means."""

    rule: str
    verdicts: Mapping[int, Verdict]
    """By the number of times it has stood on the board."""


@dataclass(frozen=True)
class NoProgress:
    """What a long row of moves without a capture or a crowning means."""

    rule: str
    moves: int
    """Of each player."""


@dataclass(frozen=True)
class MoveCount:
    """The count of the attacker's moves that the other player may ask for."""

    rule: str
    over_rule: str
    """Where it is written that the count has an end."""
    moves: int


@dataclass(frozen=True)
class TimeRule:
    """What follows when a player's time is over."""

    per_move: str
    """The rule of a clock with a limit for each move."""
    period: str
    """The rule of a clock with so many moves in so much time."""
    verdict: Verdict
    """FORFEIT: the other player may claim the game. WIN: it is lost at once. NOTICE: neither."""
    usual: str | None = None
    """How the clock is set when nobody sets it, as typed."""
    exceeded: str = ""
    """Where it is written what follows when the limit for a move is exceeded, if elsewhere."""
    grace: str = ""
    """The rule of grace behind that limit; empty where the document knows none."""
    single: str = ""
    """The rule that gives a capture with one way only a minute; empty where none does."""

    def of(self, per_move: bool, final: bool) -> str:
        """The rule of a limit that has passed, of either clock; with grace there is a `final` one
        behind it."""
        if not per_move:
            return self.period
        return (self.exceeded or self.per_move) if final else self.grace


@dataclass(frozen=True)
class Lesson:
    """What a teacher says before anybody errs, and the rules he explains."""

    capture: str
    step: str
    kings_step: str
    crown: str


class Aloud(Enum):
    """What is said at the board and not on the desk alone."""

    MOVES = "moves"
    NOTES = "notes"
    DOUBT = "doubt"
    """That the referee does not see or is not sure."""
    RULINGS = "rulings"


@dataclass(frozen=True)
class Profile:
    """A set of rules as the arbiter applies it."""

    name: str
    title: str
    offences: Mapping[Kind, Offence]
    lost: str
    """The rule by which a player without a move has lost."""
    resigned: str = ""
    """The rule of giving up; empty where the document has none."""
    agreed: str = ""
    """The rule of the draw by agreement; empty where the document has none."""
    conduct: Mapping[Conduct, Offence] = field(default_factory=dict)
    """Offences that the board does not show; those that are missing are none."""
    proposes: bool = True
    """Whether a person has to confirm what rests on a touch."""
    lingering_ms: int = 1_800
    """So long a hand may stay over the piece it has moved: what "immediately" means in WCDF 4.8."""
    thinking_ms: int = 2_900
    """So long a piece may be in the hand of the player to move, beside the board, before it is told
    to be missing: he may think so with it."""
    crown_first: bool = True
    """Whether a new king must be crowned before the reply to the move that made it."""
    patience_ms: int = MINUTE_MS
    """So long a board may stay as it is after a player was told to put it right."""
    forfeited: str = ""
    """The rule by which a claimed forfeit ends the game; empty where nobody forfeits."""
    repetition: Repetition | None = None
    no_progress: NoProgress | None = None
    count: MoveCount | None = None
    time: TimeRule | None = None
    colours: str | None = None
    """The rule by which players change colours after a game."""
    lesson: Lesson | None = None
    aloud: frozenset[Aloud] = frozenset({Aloud.NOTES, Aloud.DOUBT, Aloud.RULINGS})
    sides: Sides = RED_AND_WHITE
    """What its document calls the side that begins, and the other."""


def _restoring(rule: str) -> dict[Kind, Offence]:
    """Disorder on the board that is put right without blaming anybody."""
    kinds = (Kind.PIECE_ADDED, Kind.PIECE_REMOVED, Kind.PIECE_DISPLACED, Kind.UPSET)
    return {kind: Offence(rule, "disorder", (RESTORE,)) for kind in kinds}


def _retracting(verdicts: tuple[Verdict, ...], rules: Mapping[Kind, str]) -> dict[Kind, Offence]:
    """Moves that are taken back; all but those out of turn are one group."""
    return {
        kind: Offence(
            rule, "out of turn" if kind is Kind.WRONG_TURN else "impossible move", verdicts
        )
        for kind, rule in rules.items()
    }


_WCDF_CONDUCT = {
    Conduct.TOUCHED_OTHER: Offence("WCDF 4.2, 4.9", "touch-move", (WARNING, FORFEIT)),
    Conduct.TOUCHED_UNPLAYABLE: Offence("WCDF 4.3", "impossible move", (WARNING, FORFEIT)),
    Conduct.NOT_PUT_RIGHT: Offence("WCDF 4.5", "refusal", (FORFEIT,)),
    Conduct.TOUCHED_OFF_TURN: Offence("WCDF 4.6", "off-turn touch", (WARNING, FORFEIT)),
    Conduct.HAND_LINGERING: Offence("WCDF 4.8", "lingering hand", (WARNING, FORFEIT)),
    Conduct.CROWNED_BY_OWNER: Offence("WCDF 3.9", "tidiness", (NOTICE,)),
}
WCDF = Profile(
    name="wcdf",
    title="World Checkers/Draughts Federation",
    offences=_retracting(
        (WARNING, FORFEIT),
        {
            Kind.WRONG_TURN: "WCDF 4.7",
            Kind.CAPTURE_MISSED: "WCDF 4.3",
            Kind.CAPTURE_UNFINISHED: "WCDF 4.4",
            Kind.OWN_PIECE_REMOVED: "WCDF 4.4",
        },
    )
    | _restoring("WCDF 4.1")
    | {
        Kind.WRONG_PIECE_REMOVED: Offence(
            "WCDF 4.4", "impossible move", (WARNING, FORFEIT), {Case.PLAIN: "WCDF 4.3"}
        ),
        Kind.ILLEGAL_STEP: Offence(
            "WCDF 4.3", "impossible move", (WARNING, FORFEIT), {Case.LIGHT: "WCDF 3.3, 4.3"}
        ),
        Kind.JUMPED_PIECE_LEFT: Offence("WCDF 3.7", "tidiness", (NOTICE,)),
        Kind.CROWN_MISSING: Offence("WCDF 3.9", "tidiness", (NOTICE,)),
        Kind.CROWN_UNEARNED: Offence("WCDF 3.8", "disorder", (RESTORE,)),
        Kind.CROWN_REMOVED: Offence("WCDF 3.9", "disorder", (RESTORE,)),
        Kind.OFF_SQUARE: Offence("WCDF 3.3", "disorder", (RESTORE,)),
    },
    lost="WCDF 6.2",
    resigned="WCDF 6.1",
    agreed="WCDF 7.1",
    conduct=_WCDF_CONDUCT,
    forfeited="WCDF 6.3",
    repetition=Repetition("WCDF 7.4", {2: NOTICE, 3: NOTICE}),
    count=MoveCount("WCDF 7.2", "WCDF 7.3", 40),
    time=TimeRule(
        "WCDF 5.1",
        "WCDF 5.3",
        FORFEIT,
        usual="5+1",
        exceeded="WCDF 5.2",
        grace="WCDF 5.1",
        single="WCDF 5.1",
    ),
    colours="WCDF 3.1",
    aloud=frozenset({Aloud.RULINGS}),
)


def _by_one_rule(document: str, rules: Mapping[str, str]) -> dict[Kind, Offence]:
    """The offences of a document that only has wrong moves taken back.

    `rules` gives the section on the board, turns, steps, compulsory captures and crowning; and on
    who begins, dark squares, jumps, jumps in a row, what is taken off, kings' steps, their second
    discs and that crowning ends the turn, where these have another. One is empty where the document
    does not say so.
    """

    def place(matter: str, usual: str = "") -> str:
        """Where a matter stands: by itself, or with the one that it usually stands with."""
        section = rules[matter if matter in rules else usual]
        return f"{document} {section}" if section else ""

    def places(matters: Mapping[Case, str]) -> dict[Case, str]:
        return {case: place(matter) for case, matter in matters.items() if matter in rules}

    squares = place("squares", "board")
    retracted = _retracting(
        (RESTORE,),
        {
            Kind.WRONG_TURN: place("turn"),
            Kind.CAPTURE_MISSED: place("capture"),
            Kind.CAPTURE_UNFINISHED: place("jumps", "capture"),
            Kind.OWN_PIECE_REMOVED: place("taken", "capture"),
            Kind.WRONG_PIECE_REMOVED: place("taken", "capture"),
            Kind.ILLEGAL_STEP: place("step"),
            Kind.CROWN_UNEARNED: place("crown"),
            Kind.OFF_SQUARE: squares,
        },
    )
    elsewhere = {
        Kind.WRONG_TURN: places({Case.BEGINNING: "begins"}),
        Kind.ILLEGAL_STEP: {
            Case.CROWNING: place("stops", "crown"),
            Case.LIGHT: squares,
            **places({Case.JUMP: "jump", Case.KING: "kings"}),
        },
    }
    discs = place("discs", "crown")
    return (
        {k: replace(each, elsewhere=elsewhere.get(k, {})) for k, each in retracted.items()}
        | _restoring(place("board"))
        | {
            Kind.CROWN_REMOVED: Offence(discs, "disorder", (RESTORE,)),
            Kind.JUMPED_PIECE_LEFT: Offence(place("jumps", "capture"), "tidiness", (NOTICE,)),
            Kind.CROWN_MISSING: Offence(discs, "tidiness", (NOTICE,)),
        }
    )


US = Profile(
    name="us",
    title="Official US checkers rules",
    offences=_by_one_rule(
        "US",
        {
            "board": "I",
            "turn": "II",
            "step": "IV",
            "kings": "VI",
            "crown": "V",
            "capture": "VII",
        },
    ),
    lost="US III",
    conduct={
        Conduct.OTHER_PIECE_PLAYED: Offence("US VII", "same piece", (RESTORE,)),
        Conduct.CROWNED_BY_OWNER: Offence("US V", "tidiness", (NOTICE,)),
    },
    time=TimeRule("US VIII", "US VIII", Verdict.WIN),
    sides=BLACK_AND_WHITE,
)
ONLINE25 = Profile(
    name="online25",
    title="Online rules with 25 moves without progress",
    offences=_by_one_rule(
        "online",
        {
            "board": "board",
            "turn": "",
            "begins": "board",
            "step": "moving",
            "kings": "king",
            "squares": "moving",
            "crown": "king",
            "discs": "",
            "stops": "",
            "capture": "moving",
        },
    ),
    lost="online end",
    resigned="online end",
    agreed="online draw",
    no_progress=NoProgress("online draw", 25),
    crown_first=False,
)
PLAIN = Profile(
    name="plain",
    title="The game of checkers, general rules",
    offences=_by_one_rule(
        "rules",
        {
            "board": "general",
            "turn": "general",
            "begins": "",
            "step": "moves",
            "crown": "king",
            "capture": "moves",
        },
    ),
    lost="rules end",
    conduct={Conduct.CROWNED_BY_OWNER: Offence("rules king", "tidiness", (NOTICE,))},
    crown_first=False,
)
GUIDE = Profile(
    name="guide",
    title="A guide to American checkers",
    offences=_by_one_rule(
        "guide",
        {
            "board": "1",
            "turn": "",
            "begins": "reference",
            "step": "2",
            "jump": "3",
            "kings": "6",
            "crown": "6",
            "capture": "4",
            "jumps": "5",
            "taken": "3",
        },
    ),
    lost="guide 7",
    agreed="guide 8",
    repetition=Repetition("guide 8", {3: CLAIMABLE}),
    no_progress=NoProgress("guide 8", 40),
    time=TimeRule("guide 7", "guide 7", Verdict.WIN),
    sides=BLACK_AND_RED,
    crown_first=False,
)


def _instead(offence: Offence, verdict: Verdict, *harder: Verdict) -> Offence:
    """The same offence with a verdict in place of harder ones; of all where none is named."""
    softened = (verdict if not harder or v in harder else v for v in offence.verdicts)
    return replace(offence, verdicts=tuple(dict.fromkeys(softened)))


CLUB = replace(
    WCDF,
    name="club",
    title="Club evening: WCDF, but nobody forfeits",
    offences={kind: _instead(offence, WARNING, FORFEIT) for kind, offence in WCDF.offences.items()},
    conduct={kind: _instead(offence, WARNING, FORFEIT) for kind, offence in WCDF.conduct.items()},
    forfeited="",
    time=TimeRule("WCDF 5.1", "WCDF 5.3", NOTICE, usual="5+1", grace="WCDF 5.1", single="WCDF 5.1"),
    aloud=frozenset({Aloud.NOTES, Aloud.DOUBT, Aloud.RULINGS}),
)
_EXPLAINED = {
    Kind.WRONG_TURN: "WCDF 3.2",
    Kind.CAPTURE_MISSED: "WCDF 3.7",
    Kind.CAPTURE_UNFINISHED: "WCDF 3.7",
    Kind.OWN_PIECE_REMOVED: "WCDF 3.5",
    Kind.WRONG_PIECE_REMOVED: "WCDF 3.5",
    Kind.ILLEGAL_STEP: "WCDF 3.4",
}
"""What a pupil has to know, where WCDF is cited for what follows."""
_STEPS_EXPLAINED = {
    Case.CROWNING: "WCDF 3.8",
    Case.LIGHT: "WCDF 3.3",
    Case.KINGS_JUMP: "WCDF 3.11",
    Case.JUMP: "WCDF 3.5",
    Case.KING: "WCDF 3.10",
}


def _explained(kind: Kind, offence: Offence) -> Offence:
    """The same offence, a word and nothing more."""
    elsewhere = _STEPS_EXPLAINED if kind is Kind.ILLEGAL_STEP else {}
    told = replace(offence, rule=_EXPLAINED.get(kind, offence.rule), elsewhere=elsewhere)
    return _instead(told, NOTICE)


LESSONS = replace(
    WCDF,
    name="lessons",
    title="Lessons: everything is explained, nothing is punished",
    offences={kind: _explained(kind, offence) for kind, offence in WCDF.offences.items()},
    conduct={
        kind: _instead(offence, NOTICE)
        for kind, offence in WCDF.conduct.items()
        # A pupil may think again, and he who does not put the board right is told once more how.
        if kind not in (Conduct.TOUCHED_OTHER, Conduct.NOT_PUT_RIGHT)
    },
    proposes=False,
    thinking_ms=15_000,
    forfeited="",
    time=TimeRule("WCDF 5.1", "WCDF 5.3", NOTICE, grace="WCDF 5.1", single="WCDF 5.1"),
    lesson=Lesson("WCDF 3.7", step="WCDF 3.4", kings_step="WCDF 3.10", crown="WCDF 3.9"),
    aloud=frozenset(Aloud),
)

PROFILES = {profile.name: profile for profile in (WCDF, US, ONLINE25, PLAIN, GUIDE, CLUB, LESSONS)}

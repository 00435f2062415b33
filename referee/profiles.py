"""Rules profiles: which offence has which consequence, as data.

Rule numbers are those of each document's own sections. Where WCDF 4.7 and 4.9 say "immediately
forfeit the game for the same offense", that is read as the second offence, like 4.3 and 4.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.events import Irregularity as Kind
from referee.events import Verdict

NOTICE, WARNING, RESTORE = Verdict.NOTICE, Verdict.WARNING, Verdict.RESTORE
FORFEIT, CLAIMABLE = Verdict.FORFEIT, Verdict.DRAW_CLAIMABLE


@dataclass(frozen=True)
class Offence:
    """What an irregularity costs."""

    rule: str
    group: str
    """Offences of one group are counted together, per player and game."""
    verdicts: tuple[Verdict, ...]
    """For the first, second, ... time; the last one stands for all further times."""

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
    """What a long row of moves without progress means."""

    rule: str
    moves: int
    """Of each player."""
    man_moves_count: bool
    """Whether a man's advance is progress; captures and crownings always are."""


@dataclass(frozen=True)
class Profile:
    """A set of rules as the arbiter applies it."""

    name: str
    title: str
    offences: Mapping[Kind, Offence]
    lost: str
    """The rule by which a player without a move has lost."""
    resigned: str
    agreed: str
    """The rule of the draw by agreement."""
    repetition: Repetition | None = None
    no_progress: NoProgress | None = None
    hints: bool = False
    """Whether a compulsory capture is announced before anyone errs, as in a lesson."""


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
            Kind.WRONG_PIECE_REMOVED: "WCDF 4.4",
            Kind.ILLEGAL_STEP: "WCDF 4.3",
        },
    )
    | _restoring("WCDF 4.1")
    | {
        Kind.JUMPED_PIECE_LEFT: Offence("WCDF 3.7", "tidiness", (NOTICE,)),
        Kind.CROWN_MISSING: Offence("WCDF 3.9", "tidiness", (NOTICE,)),
        Kind.CROWN_UNEARNED: Offence("WCDF 3.8", "disorder", (RESTORE,)),
        Kind.OFF_SQUARE: Offence("WCDF 3.3", "disorder", (RESTORE,)),
    },
    lost="WCDF 6.2",
    resigned="WCDF 6.1",
    agreed="WCDF 7.1",
    repetition=Repetition("WCDF 7.4", {2: NOTICE, 3: NOTICE}),
)


def _by_one_rule(document: str, rules: Mapping[str, str]) -> dict[Kind, Offence]:
    """The offences of a document that only has wrong moves taken back.

    `rules` gives the section on turns, steps, captures, removal and crowning.
    """
    sections = {
        Kind.WRONG_TURN: rules["turn"],
        Kind.CAPTURE_MISSED: rules["capture"],
        Kind.CAPTURE_UNFINISHED: rules["capture"],
        Kind.OWN_PIECE_REMOVED: rules["capture"],
        Kind.WRONG_PIECE_REMOVED: rules["capture"],
        Kind.ILLEGAL_STEP: rules["step"],
        Kind.CROWN_UNEARNED: rules["crown"],
        Kind.OFF_SQUARE: rules["board"],
    }
    retracted = _retracting((RESTORE,), {k: f"{document} {s}" for k, s in sections.items()})
    reminders = {
        Kind.JUMPED_PIECE_LEFT: Offence(f"{document} {rules['capture']}", "tidiness", (NOTICE,)),
        Kind.CROWN_MISSING: Offence(f"{document} {rules['crown']}", "tidiness", (NOTICE,)),
    }
    return retracted | _restoring(f"{document} {rules['board']}") | reminders


US = Profile(
    name="us",
    title="Official US checkers rules",
    offences=_by_one_rule(
        "US", {"board": "I", "turn": "II", "step": "IV", "crown": "V", "capture": "VII"}
    ),
    lost="US III",
    resigned="US III",
    agreed="US III",
)
ONLINE25 = Profile(
    name="online25",
    title="Online rules with 25 moves without progress",
    offences=_by_one_rule(
        "online",
        {
            "board": "board",
            "turn": "board",
            "step": "moving",
            "crown": "king",
            "capture": "capturing",
        },
    ),
    lost="online end",
    resigned="online end",
    agreed="online draw",
    no_progress=NoProgress("online draw", 25, man_moves_count=False),
)
PLAIN = Profile(
    name="plain",
    title="The game of checkers, general rules",
    offences=_by_one_rule(
        "rules",
        {
            "board": "general",
            "turn": "general",
            "step": "moves",
            "crown": "king",
            "capture": "moves",
        },
    ),
    lost="rules end",
    resigned="rules end",
    agreed="rules end",
)
_GUIDE_OFFENCES = _by_one_rule(
    "guide", {"board": "1", "turn": "2", "step": "3", "crown": "6", "capture": "4"}
)
GUIDE = Profile(
    name="guide",
    title="A guide to American checkers",
    offences=_GUIDE_OFFENCES,
    lost="guide 7",
    resigned="guide 7",
    agreed="guide 8",
    repetition=Repetition("guide 8", {3: CLAIMABLE}),
    no_progress=NoProgress("guide 8", 40, man_moves_count=False),
)
CLUB = Profile(
    name="club",
    title="Club evening: WCDF, but nobody forfeits",
    offences={
        kind: Offence(
            offence.rule,
            offence.group,
            tuple(WARNING if verdict is FORFEIT else verdict for verdict in offence.verdicts),
        )
        for kind, offence in WCDF.offences.items()
    },
    lost=WCDF.lost,
    resigned=WCDF.resigned,
    agreed=WCDF.agreed,
    repetition=Repetition("WCDF 7.4", {2: NOTICE, 3: CLAIMABLE}),
)
LESSONS = Profile(
    name="lessons",
    title="Lessons: everything is explained, nothing is punished",
    offences={
        kind: Offence(offence.rule, offence.group, (NOTICE,))
        for kind, offence in WCDF.offences.items()
    },
    lost=WCDF.lost,
    resigned=WCDF.resigned,
    agreed=WCDF.agreed,
    repetition=WCDF.repetition,
    hints=True,
)

PROFILES = {profile.name: profile for profile in (WCDF, US, ONLINE25, PLAIN, GUIDE, CLUB, LESSONS)}

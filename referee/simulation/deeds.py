"""What people do, and whether what is proposed or ruled against one of them rests on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.board import Side
from referee.events import Conduct, Event, Irregular, Played, Proposed, Ruling, Touched, Verdict

EARLY_MS, LATE_MS = 1_000, 1_000
"""So long before a deed begins, and after it is put right, it may be told."""
AROUND_MS = 6_000
"""So long before and after an offence pieces are handled on its account."""
RULED_MS = 12_000
"""So long after that what follows from it may be ruled: some of it waits for the next move."""
ACCUSES = {Verdict.WARNING, Verdict.RESTORE, Verdict.FORFEIT}
FIRST = {Conduct.TOUCHED_OTHER, Conduct.OTHER_PIECE_PLAYED}
"""What says with which piece a player has to move: the one he touched first."""
Charge = Proposed | Ruling
"""What the rules make of what was seen."""


@dataclass(frozen=True)
class Deed:
    """An offence, a move that was taken back, or a touch, of which `kind` is empty."""

    side: Side | None
    """None where it is nobody's, as when pieces were knocked about."""
    squares: tuple[int, ...]
    """Empty where whatever is said is true of it."""
    from_ms: int
    until_ms: int
    kind: str = ""
    first: int | None = None
    """Where the piece stood that was touched first; None where that is not written down."""


def lasts(deed: Deed, time_ms: int, late_ms: int) -> bool:
    """Whether a deed may be told at a time, and until so long after it."""
    return deed.from_ms - EARLY_MS <= time_ms <= deed.until_ms + late_ms


def concerns(deed: Deed, side: Side | None, squares: Sequence[int]) -> bool:
    """Whether what is told of a player and of squares, if it names any, is of his deed."""
    somewhere = not (squares and deed.squares) or not set(squares).isdisjoint(deed.squares)
    return somewhere and (side is deed.side or None in (side, deed.side))


def unfounded(events: Sequence[Event], deeds: Sequence[Deed]) -> list[Charge]:
    """What is proposed, or ruled, of who has done nothing at that square around that time."""
    return [
        charge
        for charge in _charges(events)
        if not any(_rests_on(deed, charge, _seen_ms(charge, events)) for deed in deeds)
    ]


def _charges(events: Sequence[Event]) -> list[Charge]:
    """Rulings and proposals against somebody, but for those that come with a claim: they are true
    where it is, and it is counted itself."""
    claims = {(event.time_ms, event.side) for event in events if isinstance(event, Irregular)}
    return [
        event
        for event in events
        if isinstance(event, (Proposed, Ruling))
        if event.verdict in ACCUSES and (event.time_ms, event.side) not in claims
    ]


def _rests_on(deed: Deed, charge: Charge, seen_ms: int) -> bool:
    first = isinstance(charge, Proposed) and charge.conduct in FIRST and deed.first
    named = replace(deed, squares=(first,)) if first else deed
    return lasts(deed, seen_ms, RULED_MS) and concerns(named, charge.side, _squares(charge))


def _squares(charge: Charge) -> tuple[int, ...]:
    return charge.squares if isinstance(charge, Proposed) else ()


def _seen_ms(charge: Charge, events: Sequence[Event]) -> int:
    """When that was seen of which a charge is made: it may be told with the next move only."""
    for event in reversed(_lately(charge, events)):
        if isinstance(event, (Touched, Irregular)) and event.side is charge.side:
            squares = (event.square,) if isinstance(event, Touched) else event.squares
            if not set(squares).isdisjoint(_squares(charge)):
                return event.touched_ms if isinstance(event, Touched) else event.time_ms
    return charge.time_ms


def _lately(charge: Charge, events: Sequence[Event]) -> list[Event]:
    """What was told since the last move but one before a charge."""
    told = [event for event in events if event.time_ms <= charge.time_ms]
    moves = [n for n, e in enumerate(told) if isinstance(e, Played) and e.time_ms < charge.time_ms]
    return told[moves[-2] :] if len(moves) > 1 else told

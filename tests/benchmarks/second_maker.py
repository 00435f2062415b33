"""Films of the second maker from the first frame to the record, each drawn while it is watched.

Those in which a move is taken back have rows of their own: by the rules it stands, and the referee
cannot know which of the two moves people will go on with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from hardware.camera import Frame
from referee.events import Event, Irregular, Proposed, Ready, Ruling, Unsure, Verdict, Withdrawn
from referee.game import begin
from referee.rules import Position
from referee.simulation.score import agreeing
from referee.watching import follow
from tests.benchmarks.cases import FRESH
from tests.benchmarks.games import LATE_MS, seen_paths, tells
from tests.benchmarks.report import Row, Section, at_least, at_most, by_group, count, share, total
from tests.benchmarks.second.games import OFFENCES, TAKEN_BACK, Deed, Staged, staged
from tests.benchmarks.wanted import Wanted

TITLE = "films of the second maker"
FIRST = FRESH + 400_000
PLIES = 16
NONE_BACK, ONE_BACK = "fresh seeds", "a move taken back"
EVERY = 4
"""One film in so many shows a move that is taken back; each of the others, two offences."""
ACCUSES = {Verdict.WARNING, Verdict.RESTORE, Verdict.FORFEIT}


@dataclass
class Score:
    """What one film adds up to."""

    group: str
    ready: bool
    """Whether the referee found the board in its first position."""
    plies: int
    right: int
    invented: int
    unaided: bool
    """Whether all is right, and nothing was withdrawn or asked about."""
    offences: int
    found: int
    accusations_false: int
    taken_back: int
    recorded: int
    """So many of the moves played in place of those."""


def jobs(wanted: Wanted) -> Sequence[int]:
    """Numbers of films."""
    return range(wanted.second)


def measure(job: int) -> Score:
    """Watch a film as `referee watch` does."""
    game = staged(FIRST + job, PLIES, _deeds(job))
    frames = (Frame(image, time_ms) for time_ms, image in game.pictures())
    events = [event for step in follow(frames, begin()) for event in step.events]
    return _scored(ONE_BACK if _deeds(job) == (TAKEN_BACK,) else NONE_BACK, game, events)


def _deeds(job: int) -> tuple[str, ...]:
    """Films in a row show all there are."""
    if job % EVERY == EVERY - 1:
        return (TAKEN_BACK,)
    return OFFENCES[job % len(OFFENCES)], OFFENCES[(job + 2) % len(OFFENCES)]


def _scored(group: str, game: Staged, events: list[Event]) -> Score:
    true, seen = [str(move) for move in game.moves], seen_paths(Position.start(), events)
    offences = [deed for deed in game.deeds if deed.kind != TAKEN_BACK]
    backs = [deed for deed in game.deeds if deed.kind == TAKEN_BACK]
    told = [event for deed in offences if (event := _told(deed, events))]
    right = agreeing(true, seen)
    return Score(
        group,
        ready=any(isinstance(event, Ready) for event in events),
        plies=len(true),
        right=right,
        invented=len(seen) - right,
        unaided=true == seen and not any(isinstance(e, (Withdrawn, Unsure)) for e in events),
        offences=len(offences),
        found=len(told),
        accusations_false=len(_false(game.deeds, events) - {event.time_ms for event in told}),
        taken_back=len(backs),
        recorded=sum(true[: deed.ply + 1] == seen[: deed.ply + 1] for deed in backs),
    )


def _told(deed: Deed, events: list[Event]) -> Irregular | None:
    """What the referee said of an offence."""
    reported = (event for event in events if isinstance(event, Irregular))
    return next((event for event in reported if tells(event, deed.kind, deed.left_ms)), None)


def _false(deeds: tuple[Deed, ...], events: list[Event]) -> set[int]:
    """When somebody was accused who had done nothing wrong, or nobody can tell who."""
    return {
        event.time_ms
        for event in events
        if isinstance(event, (Irregular, Proposed))
        or (isinstance(event, Ruling) and event.verdict in ACCUSES)
        if not any(
            deed.side is event.side and deed.from_ms <= event.time_ms <= deed.until_ms + LATE_MS
            for deed in deeds
        )
    }


def sections(scores: Iterable[Score]) -> list[Section]:
    """Films without and with a move that was taken back."""
    groups = by_group(scores)
    rows = [row for group in (NONE_BACK, ONE_BACK) for row in _rows(group, groups.get(group, []))]
    return [Section("Films of the second maker, from pixels to the record", rows)]


def _rows(group: str, some: list[Score]) -> list[Row]:
    of = partial(total, some)

    def part(what: str, name: str, whole: int, least: float) -> Row:
        return share(what, group, of(name), whole, at_least(least))

    plies = of("plies")
    rows = [
        part("films begun", "ready", len(some), 100),
        part("plies right", "right", plies, 99.95),
        count("plies invented", group, of("invented"), plies, at_most(0)),
    ]
    if group == ONE_BACK:
        rows.append(part("take-backs recorded", "recorded", of("taken_back"), 98))
    else:
        rows.append(part("games without one correction", "unaided", len(some), 99))
        rows.append(part("offences found", "found", of("offences"), 98))
    return [*rows, count("false accusations", group, of("accusations_false"), plies, at_most(0))]

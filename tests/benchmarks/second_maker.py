"""Films of the second maker from the first frame to the record, each drawn while it is watched.

Those in which a move is taken back have rows of their own: by the rules it stands, and the referee
cannot know which of the two moves people will go on with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from hardware.camera import Frame
from referee.events import Event, Irregular, Ready
from referee.game import begin
from referee.rules import Position
from referee.simulation.deeds import Deed, unfounded
from referee.simulation.score import agreeing
from referee.watching import follow
from tests.benchmarks.cases import FRESH
from tests.benchmarks.claims import is_of, tells
from tests.benchmarks.games import ASKS, seen_paths
from tests.benchmarks.report import (
    Row,
    Section,
    at_least,
    at_most,
    by_group,
    count,
    share,
    some_of,
    total,
)
from tests.benchmarks.second import games
from tests.benchmarks.second.games import OFFENCES, TAKEN_BACK, Staged, staged
from tests.benchmarks.wanted import Wanted

TITLE = "films of the second maker"
FIRST = FRESH + 400_000
PLIES = 16
NONE_BACK, ONE_BACK = "fresh seeds", "a move taken back"
EVERY = 4
"""One film in so many shows a move that is taken back; each of the others, two offences."""


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
    """Whether the record is the game, and nobody is accused falsely."""
    unasked: bool
    """... and nothing is asked or withdrawn."""
    offences: int
    found: int
    accusations_false: int
    charges_false: int
    """Proposals and rulings, but for those that come with an accusation."""
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
    deeds = [_of_film(deed) for deed in game.deeds]
    offences = [deed for deed in deeds if deed.kind != TAKEN_BACK]
    backs = [deed for deed in game.deeds if deed.kind == TAKEN_BACK]
    claims = [event for event in events if isinstance(event, Irregular)]
    false = [claim for claim in claims if not any(is_of(claim, deed) for deed in deeds)]
    right, unaided = agreeing(true, seen), true == seen and not false
    return Score(
        group,
        ready=any(isinstance(event, Ready) for event in events),
        plies=len(true),
        right=right,
        invented=len(seen) - right,
        unaided=unaided,
        unasked=unaided and not any(isinstance(event, ASKS) for event in events),
        offences=len(offences),
        found=sum(any(tells(claim, deed) for claim in claims) for deed in offences),
        accusations_false=len(false),
        charges_false=len(unfounded(events, deeds)),
        taken_back=len(backs),
        recorded=sum(true[: deed.ply + 1] == seen[: deed.ply + 1] for deed in backs),
    )


def _of_film(deed: games.Deed) -> Deed:
    """The same as a deed of any film. A move that was taken back stands, and whatever is said of
    it, and of the other one, is true."""
    if deed.kind == TAKEN_BACK:
        return Deed(deed.side, (), deed.from_ms, deed.until_ms, deed.kind)
    first, *_ = deed.squares
    return Deed(deed.side, deed.squares, deed.from_ms, deed.until_ms, deed.kind, first)


def sections(scores: Iterable[Score]) -> list[Section]:
    """Films without and with a move that was taken back."""
    rows = [row for group, some in by_group(scores).items() for row in _rows(group, some)]
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
        backs = of("recorded"), of("taken_back")
        rows += some_of("take-backs recorded", group, *backs, at_least(98))
    else:
        rows.append(part("games without one correction", "unaided", len(some), 99))
        rows.append(part("... nor one question", "unasked", len(some), 99))
        offences = of("found"), of("offences")
        rows += some_of("offences found", group, *offences, at_least(98))
    return [
        *rows,
        count("false accusations", group, of("accusations_false"), plies, at_most(0)),
        count("proposed or ruled falsely", group, of("charges_false"), plies, at_most(0)),
    ]

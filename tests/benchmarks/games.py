"""Games and incidents from the first frame to the record: recorded ones, and games drawn anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from hardware.camera import Frame, borrowed_frames
from hardware.sources import open_camera
from referee.events import (
    Corrected,
    Event,
    Irregular,
    Lingering,
    Played,
    Touched,
    Unsure,
    Withdrawn,
)
from referee.game import begin
from referee.notation import parse_fen, parse_move
from referee.rules import Position
from referee.simulation.deeds import Deed, unfounded
from referee.simulation.score import agreeing
from referee.watching import follow
from sample_images.invent import invented_anywhere
from sample_images.play import pictures, prepare
from sample_images.script import parse
from sample_images.truth import Expected
from tests.benchmarks.cases import FRESH, Film, films
from tests.benchmarks.claims import STAYS, is_about, is_of, tells
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
from tests.benchmarks.wanted import Wanted

TITLE = "games and incidents"
BEFORE_MS, STAYED_MS, AFTER_MS = 2_000, 6_000, 12_000
"""How long before a hand has left it may have been at the piece, also where it stays, and how long
after that an offence may be reported that is not put right before."""
HANDLED = {"touched", STAYS}
WORDS = {"adjusting", "take_back"}
"""What somebody says: whatever that player does next belongs to it."""
ASKS = (Unsure, Withdrawn)
"""What a person is asked about, or has been told and is not to believe any more."""
FIRST = FRESH + 300_000
PLIES = 24
"""Of a game drawn anew."""


@dataclass(frozen=True)
class Drawn:
    """A game that is invented and drawn while it is watched."""

    seed: int


@dataclass
class Score:
    """What one film adds up to."""

    group: str
    plies: int = 0
    plies_right: int = 0
    plies_invented: int = 0
    offences: int = 0
    offences_found: int = 0
    misnamed: int = 0
    """Offences told under another name only."""
    accusations_false: int = 0
    charges_false: int = 0
    """Proposals and rulings, but for those that come with an accusation."""
    touches: int = 0
    """Pieces touched and put back, and hands that stay ..."""
    touches_told: int = 0


def jobs(wanted: Wanted) -> Sequence[Film | Drawn]:
    """Every film there is, and games from fresh seeds."""
    return [*films(), *map(Drawn, range(FIRST, FIRST + wanted.games))]


def measure(job: Film | Drawn) -> Score:
    """Watch a film as `referee watch` does."""
    return _drawn(job.seed) if isinstance(job, Drawn) else _recorded(job)


def _recorded(film: Film) -> Score:
    first = parse_fen(film.recording.start) if film.recording.start else Position.start()
    with borrowed_frames(open_camera(str(film.path))) as frames:
        return _scored(film.group, frames, first, film.recording.events)


def _drawn(seed: int) -> Score:
    play = prepare(parse(invented_anywhere(seed, PLIES)))
    frames = (Frame(image, time_ms) for time_ms, image in pictures(play))
    return _scored("fresh seeds", frames, play.timeline.script.start, play.timeline.events)


def _scored(
    group: str, frames: Iterable[Frame], first: Position, expected: tuple[Expected, ...]
) -> Score:
    score = Score(group)
    events = [event for step in follow(frames, begin(first)) for event in step.events]
    _score_plies(score, first, expected, events)
    _score_offences(score, expected, events)
    return score


def _score_plies(
    score: Score, first: Position, expected: tuple[Expected, ...], events: list[Event]
) -> None:
    true, seen = _true_paths(first, expected), seen_paths(first, events)
    right = agreeing(true, seen)
    score.plies, score.plies_right, score.plies_invented = len(true), right, len(seen) - right


def _true_paths(position: Position, expected: tuple[Expected, ...]) -> list[str]:
    """Moves by their full paths, however they are written; without those taken back."""
    paths = list[str]()
    for event in expected:
        if event.name == "played":
            paths.append(str(parse_move(position, event.move)))
        elif event.name == "take_back":
            paths.pop()
        position = parse_fen(event.fen) if event.fen else position
    return paths


def seen_paths(position: Position, events: list[Event]) -> list[str]:
    """The same of what was announced; without what was withdrawn."""
    return [path for path, _ in seen_moves(position, events)]


def seen_moves(position: Position, events: list[Event]) -> list[tuple[str, int]]:
    """The paths of the moves on record, and when each was announced."""
    moves: list[tuple[str, int]] = []
    for event in events:
        if isinstance(event, Played):
            moves.append((str(parse_move(position, event.move)), event.time_ms))
            position = parse_fen(event.fen)
        elif isinstance(event, (Withdrawn, Corrected)):
            del moves[len(moves) - len(event.undone) :]
            position = parse_fen(event.fen)
    return moves


def _score_offences(score: Score, expected: tuple[Expected, ...], events: list[Event]) -> None:
    deeds = _deeds(expected)
    claims = [event for event in events if isinstance(event, Irregular)]
    offences = [deed for event, deed in deeds if event.name == "irregular"]
    found = [offence for offence in offences if any(tells(c, offence) for c in claims)]
    others = [offence for offence in offences if offence not in found]
    score.offences, score.offences_found = len(offences), len(found)
    score.misnamed = sum(any(is_of(c, offence) for c in claims) for offence in others)
    score.accusations_false = sum(not any(is_of(c, o) for o in offences) for c in claims)
    score.charges_false = len(unfounded(events, [deed for _, deed in deeds]))
    touches = [deed for event, deed in deeds if event.name in HANDLED]
    handled = [event for event in events if isinstance(event, (Touched, Lingering))]
    score.touches = len(touches)
    score.touches_told = sum(any(is_about(h, touch) for h in handled) for touch in touches)


def _deeds(expected: tuple[Expected, ...]) -> list[tuple[Expected, Deed]]:
    """What is done in a film, each with the event that is due."""
    restored = [event.time_ms for event in expected if event.name == "restored"]
    return [
        (event, _deed(event, restored))
        for event in expected
        if event.name in {"irregular", *HANDLED, *WORDS}
    ]


def _deed(event: Expected, restored: list[int]) -> Deed:
    side, squares, until = event.side, event.squares, event.time_ms
    if event.name in WORDS:
        return Deed(side, (), until, until + AFTER_MS)
    if event.name == STAYS:
        return Deed(side, squares, until - STAYED_MS, until, STAYS)
    since = until - BEFORE_MS
    if event.name != "irregular":
        return Deed(side, squares, since, until, first=squares[0])
    until = next((ms for ms in restored if ms > until), until + AFTER_MS)
    # The man that waits for his crown is named before the reply.
    first = squares[1 if event.kind == "crown_missing" else 0] if side else None
    return Deed(side, squares, since, until, event.kind, first)


def sections(scores: Iterable[Score]) -> list[Section]:
    """A block of rows for films kept aside, one for the others."""
    rows = [row for group, some in sorted(by_group(scores).items()) for row in _rows(group, some)]
    return [Section("Games and incidents, from pixels to the record", rows)]


def _rows(group: str, some: list[Score]) -> list[Row]:
    of = partial(total, some)
    plies, offences = of("plies"), of("offences")
    return [
        share("plies right", group, of("plies_right"), plies, at_least(99.95)),
        count("plies invented", group, of("plies_invented"), plies, at_most(0)),
        *some_of("offences found", group, of("offences_found"), offences, at_least(98)),
        *some_of("... under another name", group, of("misnamed"), offences),
        count("false accusations", group, of("accusations_false"), plies, at_most(0)),
        count("proposed or ruled falsely", group, of("charges_false"), plies, at_most(0)),
        *some_of("touches told", group, of("touches_told"), of("touches")),
    ]

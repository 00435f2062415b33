"""Recorded games and incidents from the first frame to the record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from hardware.camera import borrowed_frames
from hardware.sources import open_camera
from referee.events import Corrected, Event, Irregular, Played, Withdrawn
from referee.game import begin
from referee.notation import parse_fen, parse_move
from referee.rules import Position
from referee.watching import follow
from sample_images.truth import Expected, Recording
from tests.benchmarks.cases import Film, films
from tests.benchmarks.report import Row, Section, at_least, at_most, count, share
from tests.benchmarks.wanted import Wanted

TITLE = "games and incidents"
EARLY_MS, LATE_MS = 3_000, 12_000
"""How long before and after the hand has left an offence may be reported and count as found."""


@dataclass
class Score:
    """What one film adds up to."""

    group: str
    plies: int = 0
    plies_right: int = 0
    plies_invented: int = 0
    offences: int = 0
    offences_found: int = 0
    accusations_false: int = 0


def jobs(wanted: Wanted) -> Sequence[Film]:
    """Every film there is."""
    del wanted
    return films()


def measure(film: Film) -> Score:
    """Watch a film as `referee watch` does."""
    score = Score(film.group)
    with borrowed_frames(open_camera(str(film.path))) as frames:
        steps = follow(frames, begin(_first(film.recording)))
        events = [event for step in steps for event in step.events]
    _score_plies(score, film.recording, events)
    _score_offences(score, film.recording.events, events)
    return score


def _first(recording: Recording) -> Position:
    """The position in which the film begins."""
    return parse_fen(recording.start) if recording.start else Position.start()


def _score_plies(score: Score, recording: Recording, events: list[Event]) -> None:
    true = _true_paths(recording)
    seen = _seen_paths(_first(recording), events)
    blocks = SequenceMatcher(None, true, seen, autojunk=False).get_matching_blocks()
    right = sum(block.size for block in blocks)
    score.plies, score.plies_right, score.plies_invented = len(true), right, len(seen) - right


def _true_paths(recording: Recording) -> list[str]:
    """Moves by their full paths, however they are written; without those taken back."""
    position, paths = _first(recording), list[str]()
    for event in recording.events:
        if event.name == "played":
            paths.append(str(parse_move(position, event.move)))
        elif event.name == "take_back":
            paths.pop()
        position = parse_fen(event.fen) if event.fen else position
    return paths


def _seen_paths(position: Position, events: list[Event]) -> list[str]:
    """The same of what was announced; without what was withdrawn."""
    paths: list[str] = []
    for event in events:
        if isinstance(event, Played):
            paths.append(str(parse_move(position, event.move)))
            position = parse_fen(event.fen)
        elif isinstance(event, (Withdrawn, Corrected)):
            del paths[len(paths) - len(event.undone) :]
            position = parse_fen(event.fen)
    return paths


def _score_offences(score: Score, expected: tuple[Expected, ...], events: list[Event]) -> None:
    reported = [event for event in events if isinstance(event, Irregular)]
    offences = [event for event in expected if event.name == "irregular"]
    score.offences = len(offences)
    for offence in offences:
        match = next((event for event in reported if _matches(event, offence)), None)
        if match:
            reported.remove(match)
            score.offences_found += 1
    score.accusations_false = len(reported)


def _matches(event: Irregular, offence: Expected) -> bool:
    near = -EARLY_MS <= event.time_ms - offence.time_ms <= LATE_MS
    return near and event.kind.value == offence.kind


def sections(scores: Iterable[Score]) -> list[Section]:
    """A block of rows for films kept aside, one for the others."""
    groups: dict[str, list[Score]] = {}
    for score in scores:
        groups.setdefault(score.group, []).append(score)
    rows = [row for group, some in sorted(groups.items()) for row in _rows(group, some)]
    return [Section("Games and incidents, from pixels to the record", rows)]


def _rows(group: str, some: list[Score]) -> list[Row]:
    def total(name: str) -> int:
        return sum(getattr(score, name) for score in some)

    return [
        share("plies right", group, total("plies_right"), total("plies"), at_least(99.95)),
        count("plies invented", group, total("plies_invented"), total("plies"), at_most(0)),
        share("offences found", group, total("offences_found"), total("offences"), at_least(98)),
        count("false accusations", group, total("accusations_false"), total("plies"), at_most(0)),
    ]

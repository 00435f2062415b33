"""How well recorded games are followed, and what each frame costs."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from hardware.camera import Frame
from hardware.sources import open_camera
from referee.events import Corrected, Event, Irregular, Played, Withdrawn
from referee.game import begin
from referee.notation import parse_fen, parse_move
from referee.rules import Position
from referee.watching import follow
from sample_images.truth import Expected, Recording
from tests.benchmarks.cases import Video

EARLY_MS, LATE_MS = 3_000, 12_000
"""How long before and after the hand has left an offence may be reported and count as found."""


@dataclass
class GameScore:
    """What a group of games adds up to."""

    plies: int = 0
    plies_right: int = 0
    plies_invented: int = 0
    offences: int = 0
    offences_found: int = 0
    accusations_false: int = 0
    frame_ms: list[float] = field(default_factory=list)
    """From having a frame to knowing what it means, once the board is known."""


def score_games(videos: Iterable[Video]) -> dict[str, GameScore]:
    """A score per group."""
    scores: dict[str, GameScore] = {}
    for video in videos:
        score = scores.setdefault(video.group, GameScore())
        events = _watched(video, score)
        _score_plies(score, video.recording, events)
        _score_offences(score, video.recording.events, events)
    return scores


def _watched(video: Video, score: GameScore) -> list[Event]:
    clock = _Clock(open_camera(str(video.path)).frames())
    events: list[Event] = []
    known = False
    for step in follow(clock.frames(), begin(_start(video.recording))):
        if known:
            score.frame_ms.append(clock.since_ms())
        known = step.calibrated
        events += step.events
    return events


class _Clock:
    """Measures from the moment a frame is handed out."""

    def __init__(self, frames: Iterator[Frame]) -> None:
        self._frames = frames
        self._start = 0.0

    def frames(self) -> Iterator[Frame]:
        for frame in self._frames:
            self._start = time.perf_counter()
            yield frame

    def since_ms(self) -> float:
        return (time.perf_counter() - self._start) * 1000


def _start(recording: Recording) -> Position:
    return parse_fen(recording.start) if recording.start else Position.start()


def _score_plies(score: GameScore, recording: Recording, events: list[Event]) -> None:
    true = _true_paths(recording)
    seen = _seen_paths(_start(recording), events)
    blocks = SequenceMatcher(None, true, seen, autojunk=False).get_matching_blocks()
    right = sum(block.size for block in blocks)
    score.plies += len(true)
    score.plies_right += right
    score.plies_invented += len(seen) - right


def _true_paths(recording: Recording) -> list[str]:
    """Moves by their full paths, however they are written; without those taken back."""
    position, paths = _start(recording), list[str]()
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


def _score_offences(score: GameScore, expected: tuple[Expected, ...], events: list[Event]) -> None:
    reported = [event for event in events if isinstance(event, Irregular)]
    offences = [event for event in expected if event.name == "irregular"]
    score.offences += len(offences)
    for offence in offences:
        match = next((event for event in reported if _matches(event, offence)), None)
        if match:
            reported.remove(match)
            score.offences_found += 1
    score.accusations_false += len(reported)


def _matches(event: Irregular, offence: Expected) -> bool:
    near = -EARLY_MS <= event.time_ms - offence.time_ms <= LATE_MS
    return near and event.kind.value == offence.kind

"""How well recorded games are followed, and what each frame costs."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from hardware.camera import Frame
from hardware.sources import open_camera
from referee.events import Event, Irregular, Played
from referee.game import begin
from referee.notation import parse_move
from referee.rules import Position, play
from referee.watching import follow
from sample_images.truth import Expected
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
        _score_plies(score, video.recording.events, events)
        _score_offences(score, video.recording.events, events)
    return scores


def _watched(video: Video, score: GameScore) -> list[Event]:
    clock = _Clock(open_camera(str(video.path)).frames())
    events: list[Event] = []
    known = False
    for step in follow(clock.frames(), begin()):
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


def _score_plies(score: GameScore, expected: tuple[Expected, ...], events: list[Event]) -> None:
    true = _paths([event.move for event in expected if event.name == "played"])
    seen = _paths([event.move for event in events if isinstance(event, Played)])
    blocks = SequenceMatcher(None, true, seen, autojunk=False).get_matching_blocks()
    right = sum(block.size for block in blocks)
    score.plies += len(true)
    score.plies_right += right
    score.plies_invented += len(seen) - right


def _paths(moves: list[str]) -> list[str]:
    """Moves by their full paths, however they are written."""
    position, paths = Position.start(), []
    for text in moves:
        move = parse_move(position, text)
        position = play(position, move)
        paths.append(str(move))
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

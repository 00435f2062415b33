"""Faults of the camera in the middle of a game: no verdict while blind, and none of its making."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from calibration.saved import Calibration
from hardware.camera import Frame
from hardware.cameras.lasting import FROZEN, LOST, STALE_S
from hardware.cameras.video import Video
from referee import game as games
from referee.events import Event, NotWatching, Played, Watching
from referee.watching import follow
from tests.torture.kills import prepare
from tests.torture.tally import Tally, Tick

TOLD_MS = 2_000
"""By then people must know that nobody is watching."""
TICK_MS = 250
ACCUSING = {"irregular", "ruling", "proposed", "withdrawn"}
LENGTHS_MS = (500, 1_500, 3_000, 10_000, 60_000)


@dataclass(frozen=True)
class Fault:
    """What befalls the camera, and when."""

    kind: str
    begin_ms: int
    length_ms: int

    @property
    def end_ms(self) -> int:
        return self.begin_ms + self.length_ms


def run(tries: int, seed: int, room: Path, tick: Tick) -> Tally:
    """Disturb so many games."""
    tally, rng = Tally("camera faults"), random.Random(seed)
    stage = prepare(room)
    frames = list(Video(stage.film).frames())
    calibration = Calibration.load(stage.calibration)
    truth = _moves(_watched(frames, calibration))
    for number in range(tries):
        kind = list(FAULTS)[number % len(FAULTS)]
        begin_ms = rng.randrange(2_000, frames[-1].time_ms - TOLD_MS)
        fault = Fault(kind, begin_ms, rng.choice(LENGTHS_MS))
        events = _watched(list(FAULTS[kind](frames, fault)), calibration)
        _check(events, fault, truth, tally)
        tally.tries += 1
        tick()
    return tally


def _watched(frames: Sequence[Frame], calibration: Calibration) -> list[Event]:
    steps = follow(frames, games.begin(), calibration)
    return [event for step in steps for event in step.events]


def _moves(events: Sequence[Event]) -> list[str]:
    return [event.move for event in events if isinstance(event, Played)]


def _check(events: list[Event], fault: Fault, truth: list[str], tally: Tally) -> None:
    moves = _moves(events)
    if moves != truth[: len(moves)]:
        tally.wrong.append(f"{fault}: {moves} for {truth}")
    if fault.kind in ("slow", "half"):
        return
    told = [e.time_ms for e in events if isinstance(e, NotWatching) and e.time_ms >= fault.begin_ms]
    if fault.length_ms > TOLD_MS:
        tally.due += 1
        tally.given += bool(told) and told[0] <= fault.begin_ms + TOLD_MS
        seeing = any(isinstance(e, Watching) and e.time_ms > fault.end_ms for e in events)
        tally.due += 1
        tally.given += seeing
    if told:
        blind = [e for e in events if told[0] < e.time_ms < fault.end_ms and e.name in ACCUSING]
        tally.wrong += [f"{fault}: {event.name} while blind" for event in blind]


# --- the faults -----------------------------------------------------------------------------


def _paused(frames: Sequence[Frame], fault: Fault, blind: str) -> Iterator[Frame]:
    """Nobody plays meanwhile; the camera says nothing at first, then that it is blind."""
    last = frames[0]
    for frame in frames:
        if frame.time_ms < fault.begin_ms:
            last = frame
            yield frame
            continue
        if last.time_ms < fault.begin_ms:
            first_ms = fault.begin_ms + round(1000 * STALE_S)
            for time_ms in range(first_ms, fault.end_ms, TICK_MS):
                yield replace(last, time_ms=time_ms, blind=blind)
        last = frame
        yield replace(frame, time_ms=frame.time_ms + fault.length_ms)


def _unplugged(frames: Sequence[Frame], fault: Fault) -> Iterator[Frame]:
    yield from _paused(frames, fault, LOST)


def _frozen(frames: Sequence[Frame], fault: Fault) -> Iterator[Frame]:
    yield from _paused(frames, fault, FROZEN)


def _shown(frames: Sequence[Frame], fault: Fault, image: np.ndarray) -> Iterator[Frame]:
    """Nobody plays while the camera shows something else."""
    frames_before = [frame for frame in frames if frame.time_ms < fault.begin_ms]
    yield from frames_before
    for time_ms in range(fault.begin_ms, fault.end_ms, TICK_MS):
        yield Frame(image, time_ms)
    for frame in frames[len(frames_before) :]:
        yield replace(frame, time_ms=frame.time_ms + fault.length_ms)


def _blank(frames: Sequence[Frame], fault: Fault) -> Iterator[Frame]:
    level = 0 if fault.begin_ms % 2 else 128
    yield from _shown(frames, fault, np.full_like(frames[0].image, level))


def _other_size(frames: Sequence[Frame], fault: Fault) -> Iterator[Frame]:
    yield from _shown(frames, fault, cv2.resize(frames[0].image, (320, 240)))


def _half(frames: Sequence[Frame], fault: Fault) -> Iterator[Frame]:
    """The lower half of each picture does not arrive."""
    for frame in frames:
        image = frame.image
        if fault.begin_ms <= frame.time_ms < fault.end_ms:
            image = image.copy()
            image[image.shape[0] // 2 :] = 128
        yield replace(frame, image=image)


def _slow(frames: Sequence[Frame], fault: Fault) -> Iterator[Frame]:
    """One picture a second for a while, and the players play on."""
    due_ms = 0
    for frame in frames:
        if fault.begin_ms <= frame.time_ms < fault.end_ms:
            if frame.time_ms < due_ms:
                continue
            due_ms = frame.time_ms + 1_000
        yield frame


FAULTS = {
    "unplugged": _unplugged,
    "frozen": _frozen,
    "blank": _blank,
    "other size": _other_size,
    "half": _half,
    "slow": _slow,
}

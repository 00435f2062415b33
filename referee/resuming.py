"""Going on with a game after a gap: what the journal says stands on the board, and what does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from calibration.saved import Calibration
from hardware.camera import Frame
from referee.board import APPEARANCES, SQUARES, UNSEEN, at, is_king, side_of
from referee.eye.eye import Eye
from referee.observation import Observation, Visibility
from referee.tracking.let_stand import is_now_king

LOOK_MS = 800
"""How long a clear view is looked at before it is believed."""
PATIENCE_MS = 15_000
"""How long hands are waited for."""
GAP_MS = 1_000
"""What the game's time goes on by. How long the referee was away is unknown where there is no
clock that can be trusted; nobody's thinking is counted meanwhile."""
SURE = 100
"""Centinats by which the likeliest appearance must lead to be taken for what stands there."""


@dataclass(frozen=True)
class Sighting:
    """What a look at the board gave."""

    setup: str
    """32 appearances, `?` where nothing is sure."""
    calm: bool
    """Whether it lay open, without hands, for long enough."""


def later(frames: Iterable[Frame], start_ms: int) -> Iterator[Frame]:
    """Frames of a live camera as if they came after `start_ms`."""
    shift_ms: int | None = None
    for frame in frames:
        shift_ms = start_ms - frame.time_ms if shift_ms is None else shift_ms
        yield replace(frame, time_ms=frame.time_ms + shift_ms)


def beyond(frames: Iterable[Frame], time_ms: int) -> Iterator[Frame]:
    """The frames of a recording that have not been seen yet."""
    return (frame for frame in frames if frame.time_ms > time_ms)


def look(frames: Iterator[Frame], calibration: Calibration) -> Sighting:
    """Look until the board has lain open for a moment, or patience ends."""
    eye = Eye(calibration)
    seen: list[Observation] = []
    first_ms: int | None = None
    for frame in frames:
        first_ms = frame.time_ms if first_ms is None else first_ms
        now = eye.observe(frame.image, frame.time_ms, frame.still)
        calm = now.visibility is Visibility.CLEAR and not now.hands and not frame.blind
        seen = [*seen, now] if calm else []
        if seen and frame.time_ms - seen[0].time_ms >= LOOK_MS:
            return Sighting(_setup(seen), calm=True)
        if frame.time_ms - first_ms >= PATIENCE_MS:
            break
    return Sighting(_setup(seen), calm=False)


def _setup(seen: list[Observation]) -> str:
    """The likeliest appearance of each square over all looks."""
    return "".join(_likeliest([each.evidence[square - 1] for each in seen]) for square in SQUARES)


def _likeliest(rows: list[tuple[int, ...]]) -> str:
    if not rows:
        return UNSEEN
    sums = [sum(column) for column in zip(*rows, strict=True)]
    best, second = sorted(range(len(sums)), key=sums.__getitem__, reverse=True)[:2]
    sure = sums[best] - sums[second] >= SURE or _same_side(best, second)
    return APPEARANCES[best] if sure else UNSEEN


def _same_side(one: int, other: int) -> bool:
    """Man or king is no matter here: the record knows it better than any eye."""
    return side_of(APPEARANCES[one]) is side_of(APPEARANCES[other])


def differing(expected: str, seen: str) -> tuple[int, ...]:
    """The squares on which somebody else stands than the record says, ranks aside."""
    return tuple(
        square
        for square in SQUARES
        if at(seen, square) != UNSEEN
        and side_of(at(seen, square)) is not side_of(at(expected, square))
    )


def with_ranks(seen: str, expected: str) -> str:
    """The board as it lies, with what the record knows of ranks, and for what was not seen."""
    left = [at(expected, square) for square in differing(expected, seen)]
    pairs = zip(SQUARES, expected, seen, strict=True)
    return "".join(_with_rank(square, old, new, left) for square, old, new in pairs)


def _with_rank(square: int, old: str, new: str, left: list[str]) -> str:
    side = side_of(new)
    if new == UNSEEN or side is side_of(old):
        return old
    if side is None:
        return new
    return side.king if is_now_king(side, square, left, is_king(new)) else side.man

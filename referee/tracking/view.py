"""Whether the board is seen: darkness, pauses, bumps."""

from __future__ import annotations

from dataclasses import replace

from referee.events import Moved, NotWatching, Watching
from referee.looking import darken, forget
from referee.observation import Observation
from referee.tracking.memory import Step, Tracker, contradictions, forget_touches, noted

BLIND_MS, SEEING_MS = 700, 300
"""For so long nothing must be seen, or the board again, before people are told."""
SHIFT_MOVED, SHIFT_HEALED, SHIFT_BAD = 50, 25, 150
"""In 1/1000 square: announced from, forgotten below, evidence not trusted from."""
CALM_MS, FARTHER = 60_000, 150
"""A board that has moved is told of again when it has lain still for so long, or lies so many per
cent farther off than was told: a stand that trembles is told of once."""


def blinded(tracker: Tracker, now: int, reason: str) -> Step:
    """One more frame that shows nothing."""
    since = tracker.blind_ms if tracker.blind_ms is not None else now
    tracker = replace(tracker, blind_ms=since, seeing_ms=None, sight=darken(tracker.sight, now))
    if tracker.blind_said or now - since < BLIND_MS:
        return tracker, ()
    return _unseeing(replace(tracker, blind_said=True), now), (NotWatching(now, reason),)


def _unseeing(tracker: Tracker, now: int) -> Tracker:
    """What was on its way is forgotten, but for the position; also where the discs lay: what is
    touched meanwhile nobody sees."""
    unseeing = replace(tracker, sight=forget(tracker.sight, now), guess=None, quiet_ms=None)
    return forget_touches(unseeing)


def see_again(tracker: Tracker) -> Step:
    """One more frame that shows the board."""
    if tracker.blind_ms is None:
        return tracker, ()
    if not tracker.blind_said:
        return replace(tracker, blind_ms=None), ()
    if tracker.seeing_ms is None:
        return replace(tracker, seeing_ms=tracker.now), ()
    if tracker.now - tracker.seeing_ms < SEEING_MS:
        return tracker, ()
    whole = all(glance.visible for glance in tracker.sight.squares)
    changed = bool(contradictions(tracker)) or not whole  # perhaps under a hand
    gap = tracker.seeing_ms - tracker.blind_ms if changed else 0
    seeing = replace(tracker, blind_ms=None, blind_said=False, seeing_ms=None)
    return replace(seeing, gap_ms=gap, gap_end_ms=tracker.now), (Watching(tracker.now),)


def pause(tracker: Tracker, time_ms: int) -> Step:
    """Look away until told to resume; what is done meanwhile is nobody's offence."""
    if tracker.paused:
        return tracker, ()
    said = tracker.blind_said
    tracker = _unseeing(replace(tracker, paused=True), max(tracker.now, time_ms))
    since = tracker.blind_ms if tracker.blind_ms is not None else time_ms
    tracker = replace(tracker, blind_ms=since, blind_said=True, seeing_ms=None)
    return tracker, () if said else (NotWatching(time_ms, "paused"),)


def resume(tracker: Tracker) -> Tracker:
    """Look again; `Watching` follows once the view has been clear for a moment."""
    return replace(tracker, paused=False)


def mind_bump(tracker: Tracker, seen: Observation) -> Step:
    """Tell that the board was moved in the picture: once, where it goes on trembling."""
    if seen.shift < SHIFT_MOVED:
        return noted(tracker, shift_said=tracker.shift_said and seen.shift >= SHIFT_HEALED), ()
    calm = seen.time_ms - tracker.shifted_ms >= CALM_MS
    told = 0 if calm else tracker.shift_told
    said = tracker.shift_said or 100 * seen.shift < FARTHER * told
    tracker = replace(tracker, shift_said=True, shifted_ms=seen.time_ms)
    if said:
        return tracker, ()
    return replace(tracker, shift_told=seen.shift), (Moved(seen.time_ms, seen.shift),)

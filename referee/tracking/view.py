"""Whether the board is seen: darkness, pauses, bumps."""

from __future__ import annotations

from dataclasses import replace

from referee.events import Moved, NotWatching, Watching
from referee.looking import darken, forget
from referee.observation import Observation
from referee.tracking.memory import Step, Tracker, contradictions, forget_touches, noted
from referee.tracking.notes import Bump, Darkness

BLIND_MS, SEEING_MS = 700, 300
"""For so long nothing must be seen, or the board again, before people are told."""
SHIFT_MOVED, SHIFT_HEALED, SHIFT_BAD = 50, 25, 150
"""In 1/1000 square: announced from, forgotten below, evidence not trusted from."""
CALM_MS, FARTHER = 60_000, 150
"""A board that has moved is told of again when it has lain still for so long, or lies so many per
cent farther off than was told: a stand that trembles is told of once."""


def blinded(tracker: Tracker, now: int, reason: str) -> Step:
    """One more frame that shows nothing."""
    since = tracker.dark.since_ms if tracker.dark.since_ms is not None else now
    dark = replace(tracker.dark, since_ms=since, seeing_ms=None)
    tracker = replace(tracker, dark=dark, sight=darken(tracker.sight, now))
    if dark.said or now - since < BLIND_MS:
        return tracker, ()
    said = replace(tracker, dark=replace(dark, said=True))
    return _unseeing(said, now), (NotWatching(now, reason),)


def _unseeing(tracker: Tracker, now: int) -> Tracker:
    """What was on its way is forgotten, but for the position; also where the discs lay: what is
    touched meanwhile nobody sees."""
    unseeing = replace(tracker, sight=forget(tracker.sight, now), guess=None, quiet_ms=None)
    return forget_touches(unseeing)


def see_again(tracker: Tracker) -> Step:
    """One more frame that shows the board."""
    dark = tracker.dark
    if dark.since_ms is None:
        return tracker, ()
    if not dark.said:
        return replace(tracker, dark=replace(dark, since_ms=None)), ()
    if dark.seeing_ms is None:
        return replace(tracker, dark=replace(dark, seeing_ms=tracker.now)), ()
    if tracker.now - dark.seeing_ms < SEEING_MS:
        return tracker, ()
    whole = all(glance.visible for glance in tracker.sight.squares)
    changed = bool(contradictions(tracker)) or not whole  # perhaps under a hand
    gap_ms = dark.seeing_ms - dark.since_ms if changed else 0
    over = Darkness(gap_ms=gap_ms, ended_ms=tracker.now)
    return replace(tracker, dark=over), (Watching(tracker.now),)


def pause(tracker: Tracker, time_ms: int) -> Step:
    """Look away until told to resume; what is done meanwhile is nobody's offence."""
    if tracker.paused:
        return tracker, ()
    before = tracker.dark
    since = before.since_ms if before.since_ms is not None else time_ms
    dark = replace(before, since_ms=since, said=True, seeing_ms=None)
    tracker = _unseeing(replace(tracker, paused=True, dark=dark), max(tracker.now, time_ms))
    return tracker, () if before.said else (NotWatching(time_ms, "paused"),)


def resume(tracker: Tracker) -> Tracker:
    """Look again; `Watching` follows once the view has been clear for a moment."""
    return replace(tracker, paused=False)


def mind_bump(tracker: Tracker, seen: Observation) -> Step:
    """Tell that the board was moved in the picture: once, where it goes on trembling."""
    bump = tracker.bump
    if seen.shift < SHIFT_MOVED:
        said = bump.said and seen.shift >= SHIFT_HEALED
        return noted(tracker, bump=replace(bump, said=said)), ()
    calm = seen.time_ms - bump.seen_ms >= CALM_MS
    told = 0 if calm else bump.told
    if bump.said or 100 * seen.shift < FARTHER * told:
        return replace(tracker, bump=Bump(True, bump.told, seen.time_ms)), ()
    bump = Bump(True, seen.shift, seen.time_ms)
    return replace(tracker, bump=bump), (Moved(seen.time_ms, seen.shift),)

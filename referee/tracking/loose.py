"""Discs that lie on light cells."""

from __future__ import annotations

from dataclasses import replace

from referee.board import Side, at, side_of
from referee.deeds import Deed
from referee.events import Irregularity
from referee.explanation import Explanation
from referee.observation import Observation
from referee.tracking.memory import HANDS_OFF_MS, Loose, Step, Tracker, accuse, named
from referee.tracking.offences import ACCUSE_SQUARE

LOOSE_MS = 700
LOOSE_GAP_MS = 400
STRAY_MS = 2_500
"""A disc on a light cell that is missing nowhere must lie longer: it may be something else."""


def loose_now(before: tuple[Loose, ...], seen: Observation) -> tuple[Loose, ...]:
    """The loose discs after one more frame; hands and short gaps do not end them."""
    known = {loose.disc: loose for loose in before}
    now = seen.time_ms
    fresh = {disc: Loose(disc, now, now) for disc in seen.loose}
    for disc, loose in known.items():
        if disc in fresh:
            fresh[disc] = replace(loose, seen_ms=now)
        elif seen.hands or now - loose.seen_ms <= LOOSE_GAP_MS:
            fresh[disc] = loose
    return tuple(fresh.values())


def is_stray(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether the best explanation is a missing piece and a disc of its side lies loose."""
    deed = explanation.best.deed
    return bool(
        tracker.loose
        and deed
        and deed.kind in (Irregularity.PIECE_REMOVED, Irregularity.OFF_SQUARE)
        and not explanation.best.moves
        and explanation.weakest(explanation.best.squares) >= ACCUSE_SQUARE
        and any(
            loose.disc.side is side_of(at(tracker.position.setup, deed.squares[0]))
            for loose in tracker.loose
        )
    )


def mind_loose(tracker: Tracker) -> Step:
    """A disc that rests on a light cell, where nothing may stand (3.3)."""
    missing = tracker.guess.best.squares if tracker.guess else ()
    patience = LOOSE_MS if missing else STRAY_MS
    lying = any(tracker.now - loose.since_ms >= patience for loose in tracker.loose)
    off = tracker.sight.hands_off_ms() >= max(HANDS_OFF_MS, patience)
    changes = tracker.guess.best.changes if tracker.guess else ()
    known = tracker.incident is not None and (
        tracker.incident.changes == changes or tracker.incident.kind is Irregularity.OFF_SQUARE
    )
    if known or not lying or not off or tracker.is_adjusting or tracker.shift_said:
        return tracker, ()
    deed = Deed(Irregularity.OFF_SQUARE, _owner(tracker, missing), missing, changes)
    return accuse(tracker, named(tracker, deed), changes)


def _owner(tracker: Tracker, missing: tuple[int, ...]) -> Side | None:
    return side_of(at(tracker.position.setup, missing[0])) if missing else None

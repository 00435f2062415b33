"""The board beside a record that people have corrected."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.events import Otherwise
from referee.tracking.let_stand import is_in_plain_view
from referee.tracking.making import play
from referee.tracking.memory import Phase, Step, Tracker, contradictions, wrong_squares
from referee.tracking.moves import explained, playable

GONE_ON_MS = 800
"""So long the board must lie still, explained by no move that was made meanwhile, until it is told
to be otherwise than people have said."""


def compared(tracker: Tracker, time_ms: int) -> Step:
    """Tell where the board is otherwise than people have corrected the record; if it is not in
    plain view, as soon as it is."""
    if tracker.phase is not Phase.PLAYING:
        return tracker, ()
    if not is_in_plain_view(tracker):
        return _corrected(tracker, unchecked=True), ()
    differs = contradictions(tracker)
    told = (Otherwise(time_ms, wrong_squares(tracker)),) if differs else ()
    return _corrected(tracker, unchecked=False, differs=differs), told


def _corrected(tracker: Tracker, **news: Any) -> Tracker:
    """The tracker with something else noted of what people have corrected."""
    return replace(tracker, correction=replace(tracker.correction, **news))


def check(tracker: Tracker) -> Step:
    """Compare them if that has not been done yet. Until then nobody has touched or moved anything
    that the record does not have; but people may have gone on from it."""
    wrong = wrong_squares(tracker)
    if wrong:
        tracker, explanation = explained(tracker)
        if count := playable(tracker, explanation):
            return play(_corrected(tracker, unchecked=False), explanation.best.moves[:count])
        if tracker.sight.still_ms(wrong) < GONE_ON_MS:
            return tracker, ()
    return compared(tracker, tracker.now)

"""When the referee asks."""

from __future__ import annotations

from dataclasses import replace

from referee.events import Irregularity, Unsure
from referee.explanation import Explanation
from referee.notation import move_texts
from referee.tracking.memory import HANDS_OFF_MS, Step, Tracker, contradictions
from referee.tracking.offences import ripens

UNSURE_MS = 3_500
LOST_MS = 10_000
"""After so long without a board in order the question cannot wait for a rest."""
UNSURE_WITHIN = 600
FEWEST_PLAYED = 4
"""Squares that two moves change."""
CLEARLY = 600
"""A board that speaks so much for another position is asked about even if one square denies it."""


def ask(tracker: Tracker, explanation: Explanation) -> Step:
    """Say once that the board rests and nothing explains it well enough."""
    played_on = _is_played_on(tracker)
    if (tracker.incident and not played_on) or tracker.asked or tracker.is_adjusting:
        return tracker, ()
    squares = explanation.best.squares
    denied = explanation.weakest(squares) <= 0 and explanation.score < CLEARLY
    doubtful = squares and not denied
    if not doubtful or not (_rests(tracker, squares) or _goes_on(tracker)):
        return tracker, ()
    if ripens(tracker, explanation):
        return tracker, ()
    candidates = tuple(
        " ".join(move_texts(tracker.position, hypothesis.moves))
        for hypothesis in explanation.lawful(UNSURE_WITHIN)
    )
    wrong = tuple(square for square, _ in contradictions(tracker))
    return replace(tracker, asked=True, doubted=wrong), (Unsure(tracker.now, candidates, wrong),)


def _is_played_on(tracker: Tracker) -> bool:
    """Whether both players have gone on with a board that is not in order: more of it is changed
    than what was announced."""
    incident = tracker.incident
    if incident is None or incident.kind is Irregularity.UPSET:
        return False
    known = {square for square, _ in incident.changes}
    more = {square for square, _ in contradictions(tracker)} - known
    return len(more) >= FEWEST_PLAYED and len(tracker.sight.sides_since(incident.told_ms)) > 1


def _rests(tracker: Tracker, squares: tuple[int, ...]) -> bool:
    sight = tracker.sight
    return min(sight.rested_ms(squares), sight.hands_off_ms()) >= UNSURE_MS


def _goes_on(tracker: Tracker) -> bool:
    """Whether people play on and have not been followed for long."""
    since = tracker.now - tracker.settled_ms
    return since >= LOST_MS and tracker.sight.hands_off_ms() >= HANDS_OFF_MS

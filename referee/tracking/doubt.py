"""When the referee asks."""

from __future__ import annotations

from referee.board import Side
from referee.events import Irregularity, Unsure
from referee.explanation import Explanation
from referee.notation import move_texts
from referee.order import out_of_order
from referee.rules import Line
from referee.tracking.memory import (
    HANDS_OFF_MS,
    Step,
    Tracker,
    asked_about,
    contradictions,
    is_mended,
    wrong_squares,
)
from referee.tracking.notes import Incident
from referee.tracking.offences import ripens
from referee.tracking.record import told_apart
from referee.tracking.rivals import beyond, going_on, likely
from referee.tracking.second_thoughts import is_being_undone

UNSURE_MS = 3_500
"""For so long the board must rest before people are asked."""
LOST_MS = 10_000
"""After so long without a board in order the question cannot wait for a rest."""
UNSURE_WITHIN = 600
"""Lawful moves that explain the board so nearly as well are named when people are asked."""
ONE_MOVE, FEWEST_PLAYED = 2, 4
"""Squares that one move changes at least, and two."""
CLEARLY = 600
"""A board that speaks so much for another position is asked about even if one square denies it."""


def ask(tracker: Tracker, explanation: Explanation) -> Step:
    """Say once that the board rests and nothing explains it well enough."""
    open_still = tracker.incident and not (is_mended(tracker) or _is_played_on(tracker))
    if open_still or tracker.doubt.asked or tracker.is_adjusting:
        return tracker, ()
    if _is_told(tracker):
        return tracker, ()
    squares = explanation.best.changed
    denied = explanation.weakest(squares) <= 0 and explanation.score < CLEARLY
    doubtful = squares and not denied
    if not squares and _left_lying(tracker):
        return _asked(tracker, ())
    if not doubtful or not (tracker.sight.still_ms(squares) >= UNSURE_MS or _goes_on(tracker)):
        return tracker, ()
    if ripens(tracker, explanation) or is_being_undone(tracker, explanation):
        return tracker, ()
    return _asked(tracker, _candidates(tracker, explanation))


def _asked(tracker: Tracker, candidates: tuple[str, ...]) -> Step:
    wrong = wrong_squares(tracker)
    return asked_about(tracker, wrong), (Unsure(tracker.now, candidates, wrong),)


def _left_lying(tracker: Tracker) -> bool:
    """Whether a square has plainly looked otherwise for long since a hand was there, and was not
    asked about: people have played on beside it, and so nothing explains it any more."""
    since_ms = tracker.now - LOST_MS
    lying = (s for s in wrong_squares(tracker) if s not in tracker.doubt.squares)
    return tracker.sight.hands_off_ms() >= HANDS_OFF_MS and any(
        glance.bared and glance.turned_ms <= since_ms and glance.gap() >= CLEARLY
        for glance in map(tracker.sight.at, lying)
    )


def _is_told(tracker: Tracker) -> bool:
    """Whether the board is otherwise than a person has corrected the record, as people were told,
    and nothing has come about since that there is to ask about."""
    return set(contradictions(tracker)) <= set(tracker.correction.differs)


def _candidates(tracker: Tracker, explanation: Explanation) -> tuple[str, ...]:
    """The moves that may have been played, likeliest first: none that were seen to lie there in
    another order."""
    near = likely(tracker)
    rows = [hypothesis.moves for hypothesis in explanation.lawful(UNSURE_WITHIN)]
    rows += [beyond(tracker, row) for row in going_on(tracker) if row in near]
    kept: dict[tuple[object, ...], Line] = {}
    for row in rows:
        kept.setdefault(told_apart(row), row)
    return tuple(
        " ".join(move_texts(tracker.position, row))
        for row in kept.values()
        if row and not out_of_order(tracker.sight, row)
    )


def follows(tracker: Tracker) -> bool:
    """Whether the referee knows how the game stands: he sees the board, has no question open, and
    people have not gone on where he cannot."""
    if tracker.dark.said or tracker.doubt.asked:
        return False
    incident = tracker.incident
    return incident is None or not (_is_upset(incident) or _has_gone_on(tracker, incident))


def awaits_the_other(tracker: Tracker) -> bool:
    """Whether the player who is not to move has been told to put the board right: until he has, the
    other cannot go on."""
    incident = tracker.incident
    return incident is not None and incident.side is tracker.position.turn.other


def _is_upset(incident: Incident) -> bool:
    return incident.kind is Irregularity.UPSET


def _has_gone_on(tracker: Tracker, incident: Incident) -> bool:
    """Whether the other player has gone on with a board that is not in order."""
    others = frozenset({incident.side.other} if incident.side else Side)
    gone_on = others <= tracker.sight.sides_since(incident.told_ms)
    return gone_on and _more(tracker, incident) >= ONE_MOVE


def _is_played_on(tracker: Tracker) -> bool:
    """Whether both players have gone on with a board that is not in order: more of it is changed
    than what was announced."""
    incident = tracker.incident
    if incident is None or _is_upset(incident):
        return False
    both = len(tracker.sight.sides_since(incident.told_ms)) > 1
    return both and _more(tracker, incident) >= FEWEST_PLAYED


def _more(tracker: Tracker, incident: Incident) -> int:
    """How many squares look wrong that did not when the irregularity was announced."""
    known = set(incident.changed)
    return len(set(wrong_squares(tracker)) - known)


def _goes_on(tracker: Tracker) -> bool:
    """Whether people play on and have not been followed for long."""
    since = tracker.now - tracker.settled_ms
    return since >= LOST_MS and tracker.sight.hands_off_ms() >= HANDS_OFF_MS

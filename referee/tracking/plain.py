"""How plainly a square is seen."""

from __future__ import annotations

from collections.abc import Iterable

from referee.sight import EMPTY_GROUP, Glance
from referee.tracking.memory import Tracker

PLAIN_PER_CENT = 75
"""How clearly a square must be seen to be plain, in per cent of the usual: of those that players'
moves had changed on film 95 % were."""
ALIKE = 5
"""Squares that look alike tell what is usual for them, if there are so many."""


def is_plain(tracker: Tracker, square: int) -> bool:
    """Whether a square is seen nearly as clearly as others where the same side stands, or nobody;
    as those where anybody does, where these are few, or else as all others."""
    glance, sight = tracker.sight.at(square), tracker.sight
    bare = glance.group == EMPTY_GROUP
    usual = (
        _usual(other for other in sight.squares if other.group == glance.group)
        or _usual(other for other in sight.squares if (other.group == EMPTY_GROUP) is bare)
        or sight.usual_gap
    )
    return usual is not None and 100 * glance.spoke >= PLAIN_PER_CENT * usual


def lies_plainly(tracker: Tracker, square: int) -> bool:
    """Whether a disc is seen there nearly as clearly as others are, whosever it is: what has gone
    elsewhere tells the colour of what has come."""
    sight = tracker.sight
    discs = [glance for glance in sight.squares if glance.visible and glance.group != EMPTY_GROUP]
    usual = _median(map(_taken, discs)) or sight.usual_gap
    return usual is not None and 100 * _taken(sight.at(square)) >= PLAIN_PER_CENT * usual


def _taken(glance: Glance) -> int:
    """How much likelier than nothing a disc is, in centinats."""
    empty, red, white = glance.weights()
    return max(red, white) - empty


def _usual(glances: Iterable[Glance]) -> int:
    """How clearly squares that look alike are seen; 0 if they are few."""
    return _median(glance.spoke for glance in glances)


def _median(values: Iterable[int]) -> int:
    """The middle one; 0 if they are few."""
    ranked = sorted(values)
    return ranked[len(ranked) // 2] if len(ranked) >= ALIKE else 0

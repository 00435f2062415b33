"""Pieces touched and put back (4.2, 4.3, 4.6), and hands that stay after a move (4.8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.board import SQUARES, at
from referee.deeds import Groups
from referee.events import Event, Lingering, Touch, Touched
from referee.explanation import typical_gap
from referee.rules import Move
from referee.sight import EMPTY_GROUP, GROUP_OF
from referee.tracking.memory import QUIET_MS, Place, Step, Touching, Tracker, contradictions, noted

LIFTED_MS = 200
"""So long the square of a lifted piece must have been seen empty."""
CLEAR = 65
"""Per cent of what the usual square says, which an empty square must say: reflections say less."""
PUSHED = 100
"""So far a disc must lie from where it lay, in 1/1000 square: the eye measures to about 5, and
a disc that an arm brushes past hardly moves."""
LINGERING_MS = 1_800
"""A hand that stays over the moved piece so long is no longer putting it down."""


def mind_lifted(tracker: Tracker) -> Tracker:
    """Note the pieces that are off their squares by a hand's doing."""
    empty = tuple(square for square, group in contradictions(tracker) if group == EMPTY_GROUP)
    if not empty or tracker.incident:
        return tracker
    known = {t.square: t for t in tracker.touching}
    for square in empty:
        glance = tracker.sight.at(square)
        if glance.touched and not tracker.is_adjusting:
            begun = Touching(square, Touch.LIFTED, glance.arm, glance.turned_ms)
            known[square] = _ripened(tracker, known.get(square, begun))
    return noted(tracker, touching=tuple(known.values()))


def forget_touches(tracker: Tracker) -> Tracker:
    """What was handled to put the board right, or in a move, was not merely touched."""
    return replace(tracker, touching=(), places=(None,) * len(SQUARES))


def _ripened(tracker: Tracker, touching: Touching) -> Touching:
    glance = tracker.sight.at(touching.square)
    weights = glance.weights()
    expected = GROUP_OF[at(tracker.position.setup, touching.square)]
    clear = 100 * (weights[EMPTY_GROUP] - weights[expected]) >= CLEAR * typical_gap(tracker.sight)
    seen = tracker.now - max(glance.turned_ms, glance.uncovered_ms)
    return touching if touching.ripe else replace(touching, ripe=clear and seen >= LIFTED_MS)


def _is_back(tracker: Tracker, square: int) -> bool:
    glance = tracker.sight.at(square)
    return glance.visible and glance.group == GROUP_OF[at(tracker.position.setup, square)]


def put_back(tracker: Tracker) -> Step:
    """The board is in order again: what was touched, and where the discs lie now."""
    if tracker.sight.hands_off_ms() < QUIET_MS:
        return tracker, ()
    lifted = tuple(t for t in tracker.touching if t.ripe and _is_back(tracker, t.square))
    pushed = tuple(_pushed(tracker)) if tracker.now - tracker.played_ms >= QUIET_MS else ()
    apart = tuple(t for t in pushed if t.square not in {t.square for t in lifted})
    tracker = noted(tracker, touching=(), places=_places(tracker))
    if tracker.is_adjusting or tracker.incident:
        return tracker, ()
    return tracker, tuple(_touched(tracker, touching) for touching in (*lifted, *apart))


def _pushed(tracker: Tracker) -> Iterator[Touching]:
    """The discs that a hand has moved on their squares, no move having been made."""
    sight = tracker.sight
    for square, old, new in zip(SQUARES, tracker.places, sight.offsets, strict=True):
        glance = sight.at(square)
        if _apart(old, new) >= PUSHED and glance.near_ms > tracker.played_ms and glance.visible:
            yield Touching(square, Touch.SHIFTED, glance.arm, glance.near_ms, ripe=True)


def _apart(old: Place, new: Place) -> int:
    if old is None or new is None:
        return 0
    return max(abs(old[0] - new[0]), abs(old[1] - new[1]))


def _places(tracker: Tracker) -> tuple[Place, ...]:
    """Where the discs lie; what a frame does not tell is kept while the piece stands."""
    sight, setup = tracker.sight, tracker.position.setup
    return tuple(
        None if setup[square - 1] == "." else (new or old)
        for square, old, new in zip(SQUARES, tracker.places, sight.offsets, strict=True)
    )


def _touched(tracker: Tracker, touching: Touching) -> Touched:
    return Touched(tracker.now, touching.side, touching.square, touching.how, touching.since_ms)


def touched_before(tracker: Tracker, move: Move, changes: Groups) -> tuple[Event, ...]:
    """The pieces touched and put back before a move by another one."""
    if tracker.is_adjusting or tracker.incident:
        return ()
    moved = {*move.path, *move.captured, *(square for square, _ in changes)}
    return tuple(
        _touched(tracker, touching)
        for touching in tracker.touching
        if touching.ripe and touching.square not in moved and _is_back(tracker, touching.square)
    )


def lingered(tracker: Tracker, move: Move) -> tuple[Event, ...]:
    """Whether the hand stayed over a piece that it had moved with a plain move."""
    end, start = tracker.sight.at(move.end), tracker.sight.at(move.start)
    since = max(end.hidden_ms, start.turned_ms)
    if move.is_capture or end.covered_ms - since < LINGERING_MS or end.arm is None:
        return ()
    if end.arm is not tracker.position.turn:
        return ()
    return (Lingering(tracker.now, end.arm, move.end, since),)

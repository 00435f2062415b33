"""Where the discs lie on their squares, and how far one must lie elsewhere to have been pushed."""

from __future__ import annotations

from math import isqrt

from referee.board import SQUARES
from referee.observation import Place
from referee.tracking.memory import Tracker

PUSHED = 100
"""So far a disc must lie from where it lay, in 1/1000 square: the eye measures to about 5, but what
the last shadow of a hand and low cameras do is more [in 130 films of others 16 discs that were
pushed lay 94 to 179 off, a dozen that were not, and seemed to be, 65 to 96], and a disc that an arm
brushes past hardly moves..."""
NUDGED = 35
"""...or so far, if a hand ended over it for `HANDLED_MS`, and what nobody was at hardly wavers
[so lay in 165 films of others 37 of 63 discs that were touched, and 4 of some 7,500 that arms had
covered; `PUSHED` off lay 24 and 1; of 140 touched in 196 films 71 are told of, and 12 that were
none]."""
HANDLED_MS = 700
"""So long a hand stays at least over what it takes up and puts back."""
STRAIGHTENED = (50, 45), (40, 20)
"""A disc so near the middle of its square, in 1/1000 square, that lay so much farther from it has
been put straight, and is not called touched though nobody has said that he does so (4.1) [of 56
that were put straight in films of others, and seemed pushed, 54 lie so, and 11 of 90 that were
touched]."""
WAVERING = 2
"""So many times as far as discs waver at which nobody was it must lie off then."""
WAVERED = 10
"""So many discs must have been seen not to be handled before it is known how they waver..."""
REMEMBERED = 200
"""...and so many are kept in mind."""
OFTEN = 95
"""Per cent of them that waver less."""


def apart(old: Place, new: Place) -> int:
    """How far two places are from each other, in 1/1000 square; 0 where one is not known."""
    if old is None or new is None:
        return 0
    return max(abs(old[0] - new[0]), abs(old[1] - new[1]))


def off_middle(place: Place) -> int:
    """How far a disc lies from the middle of its square, along the side along which it lies
    farther, in 1/1000 square; 0 if that is unknown."""
    return apart(place, (0, 0))


def aside(place: Place) -> int:
    """How far a disc's middle lies from that of its square, along both its sides at once, in 1/1000
    square; 0 if that is unknown."""
    return 0 if place is None else isqrt(place[0] ** 2 + place[1] ** 2)


def sticks_out(place: Place) -> int:
    """The same as far as it puts a disc over the edge of its square: what lies off towards a corner
    is less over either edge than what lies as far off towards one."""
    return 0 if place is None else max(off_middle(place), 7 * aside(place) // 8)


def is_straightened(tracker: Tracker, square: int) -> bool:
    """Whether a disc has come to lie in the middle of its square, which it did not when the board
    was last in order."""
    old, new = tracker.handled.places[square - 1], tracker.sight.offsets[square - 1]
    if old is None or new is None:
        return False
    lies = off_middle(new)
    return any(lies <= most and off_middle(old) - lies >= by for most, by in STRAIGHTENED)


def seem_apart(tracker: Tracker, square: int) -> int:
    """How far a disc seems to lie from where it lay when the board was last in order."""
    return apart(tracker.handled.places[square - 1], tracker.sight.offsets[square - 1])


def wavering(tracker: Tracker) -> tuple[int, ...]:
    """See `Handled.wavering`; for the first frame in which the board is in order after a hand was
    there."""
    sight = tracker.sight
    if sight.hand_ms < tracker.settled_ms:
        return tracker.handled.wavering
    calm = (
        seem_apart(tracker, square)
        for square in SQUARES
        if sight.at(square).near_ms < tracker.settled_ms
        and tracker.handled.places[square - 1] is not None
        and sight.offsets[square - 1] is not None
    )
    return (*tracker.handled.wavering, *calm)[-REMEMBERED:]


def is_pushed(tracker: Tracker, square: int, off: int) -> bool:
    """Whether the disc on a square lies so far from where it lay that it was pushed."""
    return off >= NUDGED and off >= _least_push(tracker, square)


def _least_push(tracker: Tracker, square: int) -> int:
    seen = sorted(tracker.handled.wavering)
    if len(seen) < WAVERED or not _was_handled(tracker, square):
        return PUSHED
    return min(PUSHED, max(NUDGED, WAVERING * seen[len(seen) * OFTEN // 100]))


def _was_handled(tracker: Tracker, square: int) -> bool:
    """Whether a hand that hid a disc has ended there for long, and no hand of the other player's
    was near since: else it was on its way. It may have gone on to move another piece."""
    glance = tracker.sight.at(square)
    alone = glance.arm is not None and glance.over is not glance.arm.other and not glance.both
    return alone and glance.dwelt_ms >= HANDLED_MS

"""What has been seen lately: the evidence of several frames in one, and what the hands did.

Times are milliseconds, never frames: the same game may arrive at 3 or at 60 frames a second.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from referee.board import APPEARANCES, SQUARES, Side, cell_of, side_of
from referee.observation import HIDDEN, Recalled, Row

REACH_MS, HIDDEN_REACH_MS = 300, 500
"""A square that changes within this time after a hand was over it, changed by that hand; or one
that comes into view changed, for the last that hides it may be fingers that nobody has seen."""
SLOW_FRAME_MS = 250
"""At a slower pace the hand may be missed on the very square: any hand lately will do."""
FLICKER_MS = 200
"""A square in view for less between two hands has not really been seen."""
UNREAD_MS = 600
"""A square that shows nothing so long after the last hand near it is one that cannot be read."""
VISIT_MS = 300
"""A player's hand that has not been seen for longer has been away."""
FEWEST_SQUARES = 12
"""With fewer squares in view their median says little."""
NEVER = -1_000_000
"""Longer before the first frame than anything is waited for."""


def _around(square: int) -> tuple[int, ...]:
    row, column = cell_of(square)
    cells = ((other, *cell_of(other)) for other in SQUARES)
    return tuple(other for other, r, c in cells if abs(r - row) + abs(c - column) == 2)


NEIGHBOURS = {square: _around(square) for square in SQUARES}
"""Those around a square, also across the light squares beside it: a hand may hide one of these."""

EMPTY_GROUP, RED_GROUP, WHITE_GROUP = range(3)
"""Who stands on a square, whatever the rank: the history knows the kings better than an eye."""
GROUP_OF = {
    sign: {None: EMPTY_GROUP, Side.RED: RED_GROUP, Side.WHITE: WHITE_GROUP}[side_of(sign)]
    for sign in APPEARANCES
}


class Glance(NamedTuple):
    """What is believed of one square; a tuple, because 32 are made for every frame."""

    row: Row = HIDDEN
    """Averaged evidence; it fades towards zeros while the square is hidden."""
    group: int = EMPTY_GROUP
    """Its likeliest occupant when it was last visible."""
    turned_ms: int = NEVER
    """Since when the occupant has looked so."""
    touched: bool = True
    """Whether a hand was near when it changed; True before anything is known."""
    attended: bool = True
    """Whether a hand was anywhere over the board when it changed."""
    reached: bool = True
    """Whether one had been near before it changed, and not only after."""
    bared: bool = True
    """Whether it had been hidden until just before it changed."""
    covered_ms: int = NEVER
    """When it was last hidden: the end of its last covering, or now."""
    near_ms: int = NEVER
    """When it or a neighbour was last hidden: the outline of a hand is not exact."""
    uncovered_ms: int = NEVER
    """When it last came into view."""
    visible: bool = False
    """Whether the last frame showed it."""
    stacked: bool = False
    """Whether its piece looks a king rather than a man."""
    stacked_ms: int = NEVER
    """Since when it has looked so."""
    stacked_touched: bool = True
    """Whether a hand was there when that changed."""
    fickle_ms: int = NEVER
    """When its rank last seemed to change without a hand: the eye cannot be trusted there."""
    hidden_ms: int = NEVER
    """When that covering began, if it had been in view for more than a flicker before."""
    dwelt_ms: int = 0
    """For how long in all a hand has ended over it, and not reached farther, in that covering."""
    held_ms: int = NEVER
    """Until when its last piece was seen on it, if only for a flicker."""
    slipped_ms: int = NEVER
    """When its occupant last seemed to change with no hand about: so the eye errs there."""
    arm: Side | None = None
    """Whose hand was near last; None where that could not be told."""
    over: Side | None = None
    """Whose hand hid it first when it was last hidden."""
    both: bool = False
    """Whether the other player's hid it too before it was seen again."""
    changed_by: Side | None = None
    """Whose hand was there when its occupant last changed; None where that could not be told."""
    shared: bool = False
    """Whether both players' hands may have changed it: each had hidden it."""
    stood_ms: int = NEVER
    """Since when the occupant has stood there, though an arm, or what it carried, may have looked
    like somebody else meanwhile."""
    before: tuple[int, Side | None, int] = (EMPTY_GROUP, None, NEVER)
    """Its occupant until then, whose hand had brought that about, and when."""
    spoke: int = 0
    """How clearly its occupant has been seen while it rested, in centinats."""
    fell: int = 0
    """How clearly the occupant before that had been, if a hand that covered the square took it."""

    def weights(self) -> tuple[int, int, int]:
        """The evidence for empty, red and white, ranks aside."""
        empty, man, king, other_man, other_king = self.row
        return (
            empty,
            man if man > king else king,
            other_man if other_man > other_king else other_king,
        )

    def gap(self) -> int:
        """How strongly the best occupant is preferred to the next."""
        _, second, best = sorted(self.weights())
        return best - second

    def rank(self, side: Side) -> int:
        """How much likelier a king of this side is than a man, in centinats."""
        offset = 1 if side is Side.RED else 3
        return self.row[offset + 1] - self.row[offset]


class Visit(NamedTuple):
    """When a player's hand was last at the board."""

    seen_ms: int = NEVER
    """When it was last seen."""
    came_ms: int = NEVER
    """Since when it had been there."""
    before_ms: int = NEVER
    """When it was last seen before that."""

    def was_between(self, since_ms: int, until_ms: int) -> bool:
        """Whether it was there between two times, as far as these tell."""
        lately = self.seen_ms >= since_ms and self.came_ms <= until_ms
        return lately or self.before_ms >= since_ms

    def going_on(self, now: int, pace: int) -> Visit:
        """The same when the hand is seen now, a frame coming every so often."""
        if now - self.seen_ms <= max(VISIT_MS, 3 * pace // 2):
            return self._replace(seen_ms=now)
        return Visit(now, now, self.seen_ms)


AWAY = Visit()
"""Of a player whose hand has not been seen."""


@dataclass(frozen=True)
class Sight:
    """What is believed of the whole board."""

    time_ms: int = NEVER
    squares: tuple[Glance, ...] = (Glance(),) * len(SQUARES)
    hand_ms: int = NEVER
    """When a hand was last seen anywhere."""
    red: Visit = AWAY
    white: Visit = AWAY
    """The players' last visits, as far as it was told whose hand was there."""
    offsets: tuple[tuple[int, int] | None, ...] = (None,) * len(SQUARES)
    """Where the discs lie on their squares, as the last frame has it."""
    recalled: tuple[Recalled | None, ...] = (None,) * len(SQUARES)
    """The pieces beside how they looked before a hand was at them, the same."""
    lifted: tuple[tuple[int, int], ...] = ()
    """The squares whose disc is not where it stood, though they may be hidden, and since when that
    has been seen: (square, since)."""

    def at(self, square: int) -> Glance:
        return self.squares[square - 1]

    def believed(self, *told: int) -> Sight:
        """The same when people are told who stands on some squares: that is no arm that only looks
        like somebody, or like nobody."""
        squares = list(self.squares)
        for square in told:
            glance = self.at(square)
            now = glance.group, glance.changed_by, glance.stood_ms
            squares[square - 1] = glance._replace(before=now)
        return replace(self, squares=tuple(squares))

    @cached_property
    def usual_gap(self) -> int | None:
        """How strongly the median square in view prefers its best occupant to the next, in
        centinats; None where few squares are in view."""
        gaps = sorted(glance.gap() for glance in self.squares if glance.visible)
        return gaps[len(gaps) // 2] if len(gaps) >= FEWEST_SQUARES else None

    def hands_off_ms(self) -> int:
        """For how long no hand has been seen."""
        return self.time_ms - self.hand_ms

    def clear_ms(self, squares: tuple[int, ...]) -> int:
        """For how long none of the squares has been hidden; of none, ever since."""
        return self.time_ms - max((self.at(s).covered_ms for s in squares), default=NEVER)

    def rested_ms(self, squares: tuple[int, ...]) -> int:
        """For how long all of the squares have been in view without a change; none, ever since."""
        last = (max(self.at(s).uncovered_ms, self.at(s).turned_ms) for s in squares)
        return self.time_ms - max(last, default=NEVER)

    def still_ms(self, squares: tuple[int, ...]) -> int:
        """For how long all of the squares have rested and no hand has been about."""
        return min(self.hands_off_ms(), self.rested_ms(squares))

    def visible(self, squares: tuple[int, ...]) -> bool:
        return all(self.at(square).visible for square in squares)

    def readable(self, squares: tuple[int, ...]) -> bool:
        """Whether the squares are in view, but for such as say nothing though no hand is near."""
        near_ms = self.time_ms - UNREAD_MS
        return all(self.at(s).visible or self.at(s).near_ms <= near_ms for s in squares)

    @property
    def named_ms(self) -> int:
        """When a hand was last seen of which it was told whose it is."""
        return max(self.red.seen_ms, self.white.seen_ms)

    @property
    def unnamed(self) -> bool:
        """Whether a hand was seen last of which it was not told whose it is."""
        return self.hand_ms > self.named_ms

    def visit(self, side: Side) -> Visit:
        """A player's last visit."""
        return self.red if side is Side.RED else self.white

    def hand_of_ms(self, side: Side) -> int:
        """When a player's hand was last seen."""
        return self.visit(side).seen_ms

    def sides_since(self, time_ms: int) -> frozenset[Side]:
        """Whose hands have been seen since a time."""
        return frozenset(side for side in Side if self.hand_of_ms(side) >= time_ms)

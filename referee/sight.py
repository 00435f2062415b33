"""What has been seen lately: the evidence of several frames in one, and what the hands did.

Times are milliseconds, never frames: the same game may arrive at 3 or at 60 frames a second.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from referee.board import APPEARANCES, SQUARES, Side, cell_of, side_of
from referee.observation import HIDDEN, Hand, Observation, Row

MEMORY_MS = 120
"""Evidence is averaged over about this time: longer than one flicker, shorter than a move."""
CONTRAST = 60
"""Centinats by which another occupant must look likelier before a square counts as changed."""
SPOKEN_MS = 400
"""A square at rest for so long is heard as clearly as it ever will be."""
REACH_MS = 500
"""A square that changes within this time after a hand was over it, changed by that hand."""
SLOW_FRAME_MS = 250
"""At a slower pace the hand may be missed on the very square: any hand lately will do."""
FLICKER_MS = 200
"""A square in view for less between two hands has not really been seen."""
UNREAD_MS = 600
"""A square that shows nothing so long after the last hand near it is one that cannot be read."""
PATCH = 3
"""So many hidden squares at once are taken for a hand that was not recognised."""
UNREADABLE_MS = 10_000
"""What has been hidden for longer is no hand but a square that says nothing, as in a reflection."""
VISIT_MS = 300
"""A player's hand that has not been seen for longer has been away."""
NEVER = -1_000_000


def _around(square: int) -> tuple[int, ...]:
    row, column = cell_of(square)
    cells = ((other, *cell_of(other)) for other in SQUARES)
    return tuple(other for other, r, c in cells if abs(r - row) + abs(c - column) == 2)


NEIGHBOURS = {square: _around(square) for square in SQUARES}
"""Those around a square, also across the light squares beside it: a hand may hide one of these."""
EDGES = {side: tuple(s for s in SQUARES if cell_of(s)[0] == side.other.king_row) for side in Side}

EMPTY_GROUP, RED_GROUP, WHITE_GROUP = range(3)
"""Who stands on a square, whatever the rank: the history knows the kings better than an eye."""
GROUPS = tuple(
    {None: EMPTY_GROUP, Side.RED: RED_GROUP, Side.WHITE: WHITE_GROUP}[side_of(appearance)]
    for appearance in APPEARANCES
)
GROUP_OF = dict(zip(APPEARANCES, GROUPS, strict=True))


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
    """When it was last hidden."""
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
    """When it was last hidden after having been in view for more than a flicker."""
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

    def at(self, square: int) -> Glance:
        return self.squares[square - 1]

    def hands_off_ms(self) -> int:
        """For how long no hand has been seen."""
        return self.time_ms - self.hand_ms

    def clear_ms(self, squares: tuple[int, ...]) -> int:
        """For how long none of the squares has been hidden."""
        return self.time_ms - max(self.at(square).covered_ms for square in squares)

    def rested_ms(self, squares: tuple[int, ...]) -> int:
        """For how long all of the squares have been in view without a change."""
        last = (max(self.at(s).uncovered_ms, self.at(s).turned_ms) for s in squares)
        return self.time_ms - max(last)

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


class _Moment(NamedTuple):
    """What is the same for all squares of a frame."""

    now: int
    weight: int
    """Of the new evidence, in thousandths."""
    reach_ms: int
    """A hand that was near since then may have changed a square now."""
    lately_ms: int
    """The same at any pace."""
    shown_ms: int
    """What came into view since then has only flickered."""
    attended: bool


def look(sight: Sight, seen: Observation) -> Sight:
    """The sight after one more frame."""
    pace = seen.time_ms - sight.time_ms
    covered = {square for hand in seen.hands for square in hand.squares}
    since_ms = seen.time_ms - UNREADABLE_MS
    hidden = tuple(
        s for s in seen.hidden if sight.at(s).visible or sight.at(s).hidden_ms > since_ms
    )
    near = _near(seen.hands, hidden)
    hand_ms = seen.time_ms if seen.hands else sight.hand_ms
    moment = _moment(seen.time_ms, pace, hand_ms)
    squares = tuple(
        [
            _glance(
                _reached(old, moment, near[square]) if square in near else old,
                HIDDEN if square in covered else row,
                moment,
            )
            for square, old, row in zip(SQUARES, sight.squares, seen.evidence, strict=True)
        ]
    )
    if seen.hands:
        squares = _contested(_attended(squares, seen.time_ms), seen.hands)
    return Sight(
        seen.time_ms,
        squares,
        hand_ms,
        _visit(seen, Side.RED, sight.red, pace),
        _visit(seen, Side.WHITE, sight.white, pace),
        seen.offsets,
    )


def _moment(now: int, pace: int, hand_ms: int) -> _Moment:
    """That of a frame so long after the last, a hand having last been seen at `hand_ms`."""
    slow = pace >= SLOW_FRAME_MS and hand_ms >= now - 2 * max(pace, REACH_MS)
    lately_ms = now - max(REACH_MS, 2 * pace)
    return _Moment(
        now,
        weight=1000 * pace // (MEMORY_MS + pace),
        reach_ms=NEVER if slow else lately_ms,
        lately_ms=lately_ms,
        shown_ms=now - max(FLICKER_MS, 3 * pace // 2),
        attended=hand_ms >= lately_ms,
    )


def _attended(squares: tuple[Glance, ...], now: int) -> tuple[Glance, ...]:
    """A hand is seen somewhere: it may have been missed when a square changed just before."""
    if all(glance.attended for glance in squares):
        return squares
    return tuple(
        [
            glance
            if glance.attended or now - glance.turned_ms > REACH_MS
            else glance._replace(attended=True)
            for glance in squares
        ]
    )


def _contested(squares: tuple[Glance, ...], hands: tuple[Hand, ...]) -> tuple[Glance, ...]:
    """Both players' hands hide a square at once: either may be what changes it."""
    under = [{s for hand in hands if hand.side is side for s in hand.squares} for side in Side]
    both = set.intersection(*under)
    if not both:
        return squares
    return tuple(
        [
            glance._replace(both=True) if square in both else glance
            for square, glance in zip(SQUARES, squares, strict=True)
        ]
    )


def _edge(side: Side | None) -> tuple[int, ...]:
    """The row of squares next to a player."""
    return EDGES[side] if side else ()


def _near(hands: tuple[Hand, ...], hidden: tuple[int, ...]) -> dict[int, Side | None]:
    """The squares that a hand may have reached, and whose: his first who hides the square itself.
    A patch of hidden squares is a hand too, and a hand that hides no square stands at its player's
    edge."""
    near: dict[int, Side | None] = {}
    arms = [(hand.squares or _edge(hand.side), hand.side) for hand in hands]
    if len(hidden) >= PATCH:
        arms.insert(0, (hidden, None))
    for squares, side in arms:
        for square in squares:
            near |= dict.fromkeys((square, *NEIGHBOURS[square]), side)
    for hand in hands:
        near |= dict.fromkeys(hand.squares, hand.side)
    return near


def _visit(seen: Observation, side: Side, before: Visit, pace: int) -> Visit:
    there = any(hand.side is side for hand in seen.hands)
    return before.going_on(seen.time_ms, pace) if there else before


def _reached(old: Glance, moment: _Moment, arm: Side | None) -> Glance:
    """A hand is near: it may be what changed the square just now."""
    now = moment.now
    touched = old.touched or now - old.turned_ms <= REACH_MS
    stacked = old.stacked_touched or now - old.stacked_ms <= REACH_MS
    late = arm if now - old.turned_ms <= REACH_MS and not old.shared else None
    same = old.near_ms >= moment.lately_ms
    return old._replace(
        near_ms=now,
        touched=touched,
        stacked_touched=stacked,
        arm=arm or (old.arm if same else None),
        changed_by=old.changed_by or late,
    )


def _glance(old: Glance, row: Row, moment: _Moment) -> Glance:
    if row == HIDDEN:
        return _hidden(old, moment)
    if old.visible and old.row == row:
        return old if old.spoke else _heard(old, moment.now)
    uncovered = old.uncovered_ms if old.visible else moment.now
    blended = _blend(old.row, row, moment.weight)
    fresh = old._replace(row=blended, uncovered_ms=uncovered, visible=True)
    weights, reached = fresh.weights(), old.near_ms >= moment.reach_ms
    best = max(weights)
    if best > weights[old.group] + CONTRAST:
        fresh = _turned(fresh, weights.index(best), reached, moment)
    else:
        fresh = _heard(fresh, moment.now)
    return _with_stack(fresh, moment.now, reached)


def _heard(glance: Glance, now: int) -> Glance:
    """Note how clearly the occupant is seen, once it has been at rest."""
    if now - max(glance.uncovered_ms, glance.turned_ms) < SPOKEN_MS:
        return glance
    _, second, best = sorted(glance.weights())
    return glance._replace(spoke=max(1, best - second))


def _hidden(old: Glance, moment: _Moment) -> Glance:
    anew = old.visible and old.uncovered_ms < moment.shown_ms
    hidden = moment.now if anew else old.hidden_ms
    held = moment.now if old.visible and old.group != EMPTY_GROUP else old.held_ms
    over = old.arm if old.visible else old.over or old.arm
    return old._replace(
        row=_blend(old.row, HIDDEN, moment.weight),
        covered_ms=moment.now,
        hidden_ms=hidden,
        held_ms=held,
        visible=False,
        over=over,
        both=not old.visible and (old.both or old.arm not in (None, over)),
    )


def _turned(glance: Glance, group: int, reached: bool, moment: _Moment) -> Glance:
    """Somebody else seems to stand there from now on."""
    bared = glance.covered_ms >= moment.lately_ms
    by, stood_ms = _whose(glance, bared, moment), moment.now
    former, formerly_by, formerly_ms = glance.before
    if group == former and not glance.spoke:  # an arm over it has looked like somebody meanwhile
        by, stood_ms = formerly_by or by, formerly_ms
    return glance._replace(
        group=group,
        turned_ms=moment.now,
        touched=reached,
        reached=reached,
        bared=bared,
        changed_by=by,
        shared=bared and glance.both,
        stood_ms=stood_ms,
        before=(glance.group, glance.changed_by, glance.stood_ms),
        attended=reached or moment.attended,
        slipped_ms=glance.slipped_ms if reached or moment.attended else moment.now,
        spoke=0,
        fell=glance.spoke if moment.now - glance.covered_ms <= REACH_MS else 0,
    )


def _whose(glance: Glance, bared: bool, moment: _Moment) -> Side | None:
    """Whose hand has changed a square: the one that hid it until just now, or is near; where it has
    been seen since and the other one was near then, either may have."""
    if not bared:
        return glance.arm if glance.near_ms >= moment.lately_ms else None
    seen_since = moment.now > glance.uncovered_ms and glance.near_ms >= glance.uncovered_ms
    other = seen_since and glance.arm not in (None, glance.over)
    return None if glance.both or other else glance.over or glance.arm


def _with_stack(glance: Glance, now: int, reached: bool) -> Glance:
    """Note when a man begins to look a king, or a king a man."""
    if glance.group == EMPTY_GROUP:
        return glance
    rank = glance.rank(Side.RED if glance.group == RED_GROUP else Side.WHITE)
    if abs(rank) <= CONTRAST or glance.stacked == (rank > 0):
        return glance
    fickle = glance.fickle_ms if reached else now
    return glance._replace(
        stacked=rank > 0, stacked_ms=now, stacked_touched=reached, fickle_ms=fickle
    )


def _blend(old: Row, new: Row, weight: int) -> Row:
    if old == new:
        return old
    a, b, c, d, e = old
    v, w, x, y, z = new
    return (
        a + (v - a) * weight // 1000,
        b + (w - b) * weight // 1000,
        c + (x - c) * weight // 1000,
        d + (y - d) * weight // 1000,
        e + (z - e) * weight // 1000,
    )


def darken(sight: Sight, time_ms: int) -> Sight:
    """The sight after a frame that shows nothing: a hand may be anywhere."""
    squares = tuple([glance._replace(near_ms=time_ms) for glance in sight.squares])
    return replace(sight, time_ms=time_ms, squares=squares)


def forget(sight: Sight, time_ms: int) -> Sight:
    """The sight after a time without any: nothing is known, and any square may have changed."""
    squares = tuple(
        glance._replace(row=HIDDEN, touched=True, covered_ms=time_ms, visible=False)
        for glance in sight.squares
    )
    return replace(sight, time_ms=time_ms, squares=squares)

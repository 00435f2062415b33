"""What one more frame changes of what is believed of the board."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from referee.board import SQUARES, Side, cell_of, only
from referee.observation import HIDDEN, Hand, Observation, Row
from referee.sight import (
    EMPTY_GROUP,
    FLICKER_MS,
    HIDDEN_REACH_MS,
    NEIGHBOURS,
    NEVER,
    REACH_MS,
    RED_GROUP,
    SLOW_FRAME_MS,
    Glance,
    Sight,
    Visit,
)

MEMORY_MS = 120
"""Evidence is averaged over about this time: longer than one flicker, shorter than a move."""
CONTRAST = 60
"""Centinats by which another occupant must look likelier before a square counts as changed."""
SPOKEN_MS = 400
"""A square at rest for so long is heard as clearly as it ever will be."""
PATCH = 3
"""So many hidden squares at once are taken for a hand that was not recognised."""
UNREADABLE_MS = 10_000
"""What has been hidden for longer is no hand but a square that says nothing, as in a reflection."""
FINGERS = 2
"""Rows by which a hand comes over more than what it handles."""
FAR_ROWS = 6
"""Rows from its player's edge from which on no arm can be that hides nothing on its way there."""
ARM_ROWS = 3
"""An arm that hides so many rows from an edge on comes from there, whatever else is not told."""
EDGES = {side: tuple(s for s in SQUARES if cell_of(s)[0] == side.other.king_row) for side in Side}


class _Moment(NamedTuple):
    """What is the same for all squares of a frame."""

    now: int
    weight: int
    """Of the new evidence, in thousandths."""
    reach_ms: int
    """A hand that was near since then may have changed a square now."""
    hidden_reach_ms: int
    """The same of a square that was hidden until now."""
    lately_ms: int
    """The same at any pace."""
    shown_ms: int
    """What came into view since then has only flickered."""
    attended: bool


def look(sight: Sight, seen: Observation) -> Sight:
    """The sight after one more frame."""
    seen = replace(seen, hands=tuple(map(_credibly_named, seen.hands)))
    pace = seen.time_ms - sight.time_ms
    covered = {square for hand in seen.hands for square in hand.squares}
    since_ms = seen.time_ms - UNREADABLE_MS
    hidden = tuple(
        s for s in seen.hidden if sight.at(s).visible or sight.at(s).hidden_ms > since_ms
    )
    near, strange = _near(seen.hands, hidden), _strange(seen.hands)
    hand_ms = seen.time_ms if seen.hands else sight.hand_ms
    moment = _moment(seen.time_ms, pace, hand_ms)
    squares = tuple(
        [
            _glance(
                _reached(old, moment, near[square], strange.get(square)) if square in near else old,
                HIDDEN if square in covered else row,
                moment,
            )
            for square, old, row in zip(SQUARES, sight.squares, seen.evidence, strict=True)
        ]
    )
    if seen.hands:
        squares = _contested(_attended(squares, seen.time_ms), seen.hands)
        squares = _dwelt(squares, _under_fingers(seen.hands), pace)
    return Sight(
        seen.time_ms,
        squares,
        hand_ms,
        _visit(seen, Side.RED, sight.red, pace),
        _visit(seen, Side.WHITE, sight.white, pace),
        seen.offsets,
        seen.recalled,
        _lifted(sight, seen),
    )


def _lifted(sight: Sight, seen: Observation) -> tuple[tuple[int, int], ...]:
    """See `Sight.lifted`."""
    since = dict(sight.lifted)
    return tuple((square, since.get(square, seen.time_ms)) for square in seen.lifted)


def _credibly_named(hand: Hand) -> Hand:
    """A hand without a name where it could not be that player's: his arm comes over his own edge
    [of 21,800 named hands in films seven were seen so far away alone]."""
    if hand.side is None or not hand.squares:
        return hand
    own_row = hand.side.other.king_row
    nearest = min(abs(cell_of(square)[0] - own_row) for square in hand.squares)
    return hand if nearest < FAR_ROWS else Hand(None, hand.squares)


def _moment(now: int, pace: int, hand_ms: int) -> _Moment:
    """That of a frame so long after the last, a hand having last been seen at `hand_ms`."""
    slow = pace >= SLOW_FRAME_MS and hand_ms >= now - 2 * max(pace, REACH_MS)
    lately_ms = now - max(REACH_MS, 2 * pace)
    return _Moment(
        now,
        weight=1000 * pace // (MEMORY_MS + pace),
        reach_ms=NEVER if slow else lately_ms,
        hidden_reach_ms=NEVER if slow else min(lately_ms, now - HIDDEN_REACH_MS),
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


def _dwelt(squares: tuple[Glance, ...], under: set[int], pace: int) -> tuple[Glance, ...]:
    """The squares after one more frame, `pace` milliseconds long, in which hands end over some."""
    return tuple(
        [
            glance._replace(dwelt_ms=glance.dwelt_ms + pace) if square in under else glance
            for square, glance in zip(SQUARES, squares, strict=True)
        ]
    )


def _under_fingers(hands: tuple[Hand, ...]) -> set[int]:
    """The squares that hands hide where they end, farthest from their players; all else is under an
    arm."""
    under = set[int]()
    for hand in hands:
        if hand.side and hand.squares:
            rows = {square: hand.side.forward * cell_of(square)[0] for square in hand.squares}
            farthest = max(rows.values())
            under |= {square for square, row in rows.items() if row >= farthest - FINGERS}
    return under


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


def _strange(hands: tuple[Hand, ...]) -> dict[int, Side]:
    """The squares under a hand of which it is not told whose it is, and whose it is not: a player
    whose hand is the only one seen elsewhere, or over from whose edge no such arm comes."""
    elsewhere = only({hand.side for hand in hands if hand.side})
    nameless = (hand for hand in hands if hand.side is None)
    strangers = ((hand, elsewhere or _comes_to(hand)) for hand in nameless)
    return {square: side for hand, side in strangers if side for square in hand.squares}


def _comes_to(hand: Hand) -> Side | None:
    """The player at whom a hand points that lies over the board from the other one's edge on."""
    rows = {cell_of(square)[0] for square in hand.squares}
    if len(rows) < ARM_ROWS:
        return None
    return only(
        {side for side in Side if side.king_row in rows and side.other.king_row not in rows}
    )


def _visit(seen: Observation, side: Side, before: Visit, pace: int) -> Visit:
    there = any(hand.side is side for hand in seen.hands)
    return before.going_on(seen.time_ms, pace) if there else before


def _reached(
    old: Glance, moment: _Moment, arm: Side | None, elsewhere: Side | None = None
) -> Glance:
    """A hand is near: it may be what changed the square just now. Who has his hand `elsewhere` has
    not his here as well."""
    now = moment.now
    touched = old.touched or now - old.turned_ms <= REACH_MS
    stacked = old.stacked_touched or now - old.stacked_ms <= REACH_MS
    late = arm if now - old.turned_ms <= REACH_MS and not old.shared else None
    same = old.near_ms >= moment.lately_ms
    return old._replace(
        near_ms=now,
        touched=touched,
        stacked_touched=stacked,
        arm=arm or (old.arm if same and old.arm is not elsewhere else None),
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
    reach_ms = moment.reach_ms if old.visible else moment.hidden_reach_ms
    weights, reached = fresh.weights(), old.near_ms >= reach_ms
    best = max(weights)
    if best > weights[old.group] + CONTRAST:
        fresh = _turned(fresh, weights.index(best), reached, moment)
    else:
        fresh = _heard(_brought(fresh) if uncovered == moment.now else fresh, moment.now)
    return _with_stack(fresh, moment.now, reached)


def _brought(glance: Glance) -> Glance:
    """A square that comes into view with the occupant that it seemed to have got just before it was
    hidden: the hand that hid it has brought him, before anybody saw that hand."""
    if glance.bared or glance.spoke or glance.hidden_ms - glance.turned_ms > REACH_MS:
        return glance
    by = None if glance.both else glance.over
    return glance._replace(bared=True, touched=True, changed_by=by, shared=glance.both)


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
        dwelt_ms=0 if anew else old.dwelt_ms,
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
    was_in_view = glance.uncovered_ms < moment.now and glance.group != EMPTY_GROUP
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
        held_ms=moment.now if was_in_view else glance.held_ms,
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
    """The sight after a frame that shows nothing: a hand may be anywhere, and anybody's."""
    squares = tuple([glance._replace(near_ms=time_ms, arm=None) for glance in sight.squares])
    return replace(sight, time_ms=time_ms, squares=squares)


def forget(sight: Sight, time_ms: int) -> Sight:
    """The sight after a time without any: nothing is known, and any square may have changed."""
    squares = tuple(
        glance._replace(row=HIDDEN, touched=True, covered_ms=time_ms, visible=False, arm=None)
        for glance in sight.squares
    )
    return replace(sight, time_ms=time_ms, squares=squares)

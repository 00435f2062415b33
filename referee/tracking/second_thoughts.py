"""Taking moves back that what followed proves wrong.

Moves may be announced while hands hide a part of the board. Until the whole board has lain open
and borne them out they can still be mistaken: when the board then rests, all of it in view, and
other lawful moves from the last sure position lead to exactly what is seen, those were played.
Quick replies may also have been missed altogether; then a single row of moves must lead there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.board import EMPTY, SQUARES, Side, at, is_king
from referee.events import Event, Unsure, Withdrawn
from referee.explanation import Explanation
from referee.notation import fen, move_text
from referee.rules import Move, Position, after, lawful_moves
from referee.sight import EMPTY_GROUP, GROUP_OF
from referee.tracking.memory import (
    HANDS_OFF_MS,
    Step,
    Tracker,
    advance,
    contradictions,
    played_event,
)

RESTED_MS = 500
"""How long the board must have contradicted the record before it is reconsidered: before anyone
could be accused of what may be the referee's own mistake."""
CLEARLY = 300
"""How much every contradicting square must say for what it shows, in centinats."""
FURTHEST = 4
"""So many moves at most are sought: more could lead nearly anywhere."""

Line = tuple[Move, ...]


def reconsider(tracker: Tracker, explanation: Explanation) -> Step:
    """Withdraw unsure moves if others lead to the board as it is and the record does not."""
    wrong = contradictions(tracker)
    lawful = explanation.best.moves and not explanation.best.deed
    if lawful or tracker.weighed == wrong or not _is_time(tracker):
        return tracker, ()
    tracker = replace(tracker, weighed=wrong)
    base = _at_ply(tracker, max(tracker.sure, len(tracker.plies) - FURTHEST + 1))
    lines = _shortest(base.position, tuple(g.group for g in tracker.sight.squares))
    missed_only = base.plies == tracker.plies
    if not lines or (missed_only and not _both_have_moved(tracker, lines)):
        return tracker, ()
    return _replayed(tracker, base, _shared(lines), lines)


def _both_have_moved(tracker: Tracker, lines: list[Line]) -> bool:
    """Whether both players' pieces show one single row of moves: else it would be a guess."""
    setup, squares = tracker.position.setup, tracker.sight.squares
    before = [GROUP_OF[piece] for piece in setup]
    moved = {old for old, glance in zip(before, squares, strict=True) if glance.group != old}
    return len(lines) == 1 and {GROUP_OF["r"], GROUP_OF["w"]} <= moved


def _is_time(tracker: Tracker) -> bool:
    sight = tracker.sight
    both = len(sight.sides_since(tracker.settled_ms)) == len(Side)
    return (
        (both or len(tracker.plies) > tracker.sure)
        and not tracker.incident
        and not tracker.is_adjusting
        and not tracker.gap_ms
        and min(sight.hands_off_ms() - HANDS_OFF_MS, tracker.guess_age - RESTED_MS) >= 0
        and sight.visible(tuple(SQUARES))
        and all(_speaks(tracker, square) for square, _ in contradictions(tracker))
    )


def _speaks(tracker: Tracker, square: int) -> bool:
    weights = tracker.sight.at(square).weights()
    expected = GROUP_OF[at(tracker.position.setup, square)]
    return max(weights) - weights[expected] >= CLEARLY


def _at_ply(tracker: Tracker, count: int) -> Tracker:
    """The tracker as it was after so many plies; kings that have gone astray count as crowned."""
    position = tracker.first
    for move in tracker.plies[:count]:
        position = after(position, move)
    still = {s for s in tracker.uncrowned if is_king(at(position.setup, s))}
    return replace(
        tracker,
        position=position,
        plies=tracker.plies[:count],
        uncrowned=frozenset(still),
        lines=(),
        guess=None,
        asked=False,
    )


def _shortest(position: Position, seen: tuple[int, ...]) -> list[Line]:
    """The shortest rows of lawful moves to a board that looks so, ranks aside."""
    for depth in range(1, FURTHEST + 1):
        lines = {_told_apart(line): line for line in _ways(position, seen, depth)}
        if lines:
            return list(lines.values())
    return []


def _told_apart(line: Line) -> tuple[object, ...]:
    return tuple((m.start, m.end, frozenset(m.captured)) for m in line)


def _ways(position: Position, seen: tuple[int, ...], depth: int) -> Iterator[Line]:
    """A move changes two squares and one more for every piece it takes."""
    setup = position.setup
    differing = sum(GROUP_OF[piece] != group for piece, group in zip(setup, seen, strict=True))
    lost = seen.count(EMPTY_GROUP) - setup.count(EMPTY)
    if lost < 0 or differing > 2 * depth + lost:
        return
    if depth == 0:
        yield ()
        return
    for move in lawful_moves(position):
        for rest in _ways(after(position, move), seen, depth - 1):
            yield (move, *rest)


def _shared(lines: list[Line]) -> Line:
    """The moves that all of the lines begin with."""
    shared = []
    for moves in zip(*lines, strict=True):
        if len({_told_apart((move,)) for move in moves}) > 1:
            break
        shared.append(moves[0])
    return tuple(shared)


def _replayed(tracker: Tracker, base: Tracker, shared: Line, lines: list[Line]) -> Step:
    kept = 0
    gone = tracker.plies[len(base.plies) :]
    while gone[kept : kept + 1] and gone[kept : kept + 1] == shared[kept : kept + 1]:
        kept += 1
    after_kept = _at_ply(tracker, len(base.plies) + kept)
    undone = _texts(after_kept.position, gone[kept:])
    events: list[Event] = []
    if undone:
        events.append(Withdrawn(tracker.now, undone[::-1], fen(after_kept.position)))
    now = after_kept
    for move in shared[kept:]:
        events.append(played_event(now, move))
        now = advance(now, move)
    if len(lines) > 1:
        rest = [" ".join(_texts(now.position, line[len(shared) :])) for line in lines]
        events.append(Unsure(now.now, tuple(rest)))
        now = replace(now, asked=True)
    return (now, tuple(events)) if events else (tracker, ())


def _texts(position: Position, moves: Line) -> tuple[str, ...]:
    texts = []
    for move in moves:
        texts.append(move_text(position, move))
        position = after(position, move)
    return tuple(texts)

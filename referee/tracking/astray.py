"""Finding the way back into a game that the record has lost.

Where nothing explains the board the referee asks, and people who do not answer play on. Each board
that then lies still is compared with what lawful play leads to, also from some moves back: a row of
moves that several of them bear out, one after the other, is what has been played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.board import side_of
from referee.rules import Line, Move, Position
from referee.tracking.instead import MOST_UNDONE, followed, leaving
from referee.tracking.memory import (
    QUIET_MS,
    Step,
    Tracker,
    contradictions,
    differing,
    lies_open,
    wrong_squares,
)
from referee.tracking.notes import Astray, Way
from referee.tracking.record import reached

MOST_BACK = 10
"""So many of the last moves may have been shown on the board only, and put back, at most."""
MOST_OTHERWISE = 9
"""Squares at most that change between two boards that lie still: by a move and its answer."""
BORNE_OUT = 3
"""A row of moves is followed when it leads to so many boards that lay still."""
MOST_WAYS = 32
"""Where more are open nothing is known."""


def mind_astray(tracker: Tracker) -> Step:
    """Compare a board that lies still with what may have been played, and follow the one row of
    moves that enough of them have borne out."""
    shown, before = contradictions(tracker), tracker.doubt.astray
    if not _is_lost(tracker) or (before and before.shown == shown):
        return tracker, ()
    # People may have put back all that the first boards showed, and begin anew.
    known = dict.fromkeys((*(before.ways if before else ()), *_beginnings(tracker)))
    ways = tuple(further for way in known for further in _going_on(tracker, way))
    borne_out = tuple(way for way in ways if way.borne_out >= BORNE_OUT)
    found = _near(borne_out) or borne_out
    if len(found) == 1:
        return followed(tracker, found[0].undone, found[0].line)
    open_ways = next((few for few in (ways, _near(ways)) if len(few) <= MOST_WAYS), ())
    astray = Astray(shown, open_ways)
    return replace(tracker, doubt=replace(tracker.doubt, astray=astray)), ()


def _near(ways: tuple[Way, ...]) -> tuple[Way, ...]:
    """Those that begin no farther back than people usually take moves back: they are likelier."""
    return tuple(way for way in ways if way.undone <= MOST_UNDONE)


def _is_lost(tracker: Tracker) -> bool:
    """Whether the referee has spoken of the board, and it lies still and open."""
    told = tracker.doubt.asked or tracker.incident
    if not told or tracker.is_adjusting or not lies_open(tracker):
        return False
    return tracker.sight.still_ms(wrong_squares(tracker)) >= QUIET_MS


def _beginnings(tracker: Tracker) -> tuple[Way, ...]:
    return tuple(Way(undone) for undone in range(min(MOST_BACK, len(tracker.plies)) + 1))


def _going_on(tracker: Tracker, way: Way) -> Iterator[Way]:
    """A way with the moves that lead on from it to the board, whichever they may be; as it is where
    none do, for the board may not be in order just now."""
    position = reached(tracker.position_after(len(tracker.plies) - way.undone), way.line)
    if not differing(tracker.sight, position):
        yield replace(way, borne_out=max(1, way.borne_out))
        return
    lines = [line for line in _leading(tracker, position) if _may_go_on(tracker, way, line)]
    for line in lines:
        yield Way(way.undone, way.line + line, way.borne_out + 1)
    if not lines:
        yield way


def _leading(tracker: Tracker, position: Position) -> Iterator[Line]:
    """The move, or the move and its answer, by which a position becomes what the board shows."""
    if len(differing(tracker.sight, position)) > MOST_OTHERWISE:
        return
    for first in leaving(tracker, position):
        answered = reached(position, (first,))
        if not differing(tracker.sight, answered):
            yield (first,)
            continue
        for second in leaving(tracker, answered):
            if not differing(tracker.sight, reached(answered, (second,))):
                yield (first, second)


def _may_go_on(tracker: Tracker, way: Way, line: Line) -> bool:
    """Whether a way may go on so: what was not made is not made again, and once a board has borne
    it out each move is made by its own player, as far as hands tell."""
    if not way.borne_out:
        return not way.undone or line[0] != tracker.plies[-way.undone]
    return all(_is_by_its_player(tracker, move) for move in line)


def _is_by_its_player(tracker: Tracker, move: Move) -> bool:
    return tracker.sight.at(move.end).changed_by in (side_of(move.piece), None)

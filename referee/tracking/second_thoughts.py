"""Following what has been played where the record cannot: moves missed, moves mistaken.

The rivals of the record have been weighed by all that was seen since the last sure position. When
one has led for long enough and the board bears it out, the record follows it, and moves that are
not part of it are taken back.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from referee.board import Side
from referee.deeds import Groups, occupants, squares_of
from referee.events import Unsure
from referee.explanation import Explanation
from referee.hypotheses import group_changes
from referee.order import out_of_order
from referee.rules import Line, Move
from referee.sight import EMPTY_GROUP, GROUP_OF
from referee.tracking.crowns import crown_allows
from referee.tracking.hands import who_may_have_moved
from referee.tracking.kinds import LONELY
from referee.tracking.making import gone_on, is_guessed, which_way
from referee.tracking.memory import (
    QUIET_MS,
    Step,
    Tracker,
    asked_about,
    contradictions,
    forget_touches,
    is_left_of_doubt,
    is_otherwise,
    lies_open,
)
from referee.tracking.moves import (
    PUT_RIGHT_OPEN_MS,
    errs_about_jumped,
    is_partly_put_right,
    otherwise_below,
)
from referee.tracking.notes import Rival
from referee.tracking.record import made, reached, settled, when_made, withdrawn
from referee.tracking.rivals import (
    AHEAD_OF_RECORD,
    came_back_unseen,
    going_on,
    is_by_one_hand,
    likely,
    overtaken,
    round_trips,
    shared,
    since_sure,
    sure_position,
    was_given_up,
)

UNDONE_MS = 800
"""How long a board must rest as it was before a capture until the capture is taken back."""
UNDONE_SQUARE = 300
"""How clearly each piece must be seen that stands there again, in centinats."""
LED_MS = 500
"""How long a row of moves must have been the likeliest..."""
LED_ALONE_MS = 1_600
"""...and if it adds one move only, or takes some back: by then one that is seen has been told."""
ANSWERED = 2
"""A move made in place of another, and the answer to it, by which both players have settled which
of them it is."""


def reconsider(tracker: Tracker) -> Step:
    """Take back and add moves when another row than the record is clearly what was played."""
    if not _is_time(tracker):
        return tracker, ()
    record = since_sure(tracker)
    believed, near = _believed(tracker, record)
    kept = len(shared([record, believed]))
    more = len(believed) - len(record)
    # Once another move lies there instead, none that is seen is told before it has been answered.
    alone = not tracker.doubt.instead and (more == 1 or more < 0)
    patience = LED_ALONE_MS if alone else LED_MS
    if kept == len(believed) == len(record) or not _is_over(tracker, believed[kept:], patience):
        return tracker, ()
    if kept < len(record):
        before = sure_position(tracker)
        if reached(before, believed) == reached(before, record):  # the board will never tell which
            return tracker, ()
        told = tracker.doubt.instead or tracker.incident
        if told and not _is_answered(tracker, believed[kept:]):
            return tracker, ()  # the referee asks, or has told
    elif not _may_follow(tracker, believed[kept:]):
        return tracker, ()
    return _replayed(tracker, kept, believed, near)


def mind_round_trip(tracker: Tracker) -> Step:
    """Follow kings that were seen to go to and fro before any of it was told: the board is as it
    was. How they went, and whether, is asked; behind an offence it has been put right instead."""
    trips = round_trips(tracker)
    if not trips or tracker.incident:
        return tracker, ()
    followed = was_given_up(tracker) and not came_back_unseen(tracker, trips[0])
    last, count = tracker.plies[-1:], max(0, len(tracker.plies) - 1)
    if not (followed or last):  # a question names what is on record first
        return tracker, ()
    rows = [(*last, *trip) for trip in trips]
    if last:
        rows.insert(len(trips) if followed else 0, last)
    fork = tracker.position_after(count)
    now, events = made(forget_touches(tracker), trips[0] if followed else ())
    return settled(now), (*events, which_way(tracker.now, fork, rows, count))


def _is_answered(tracker: Tracker, moves: Line) -> bool:
    """Whether what was made in place of the last moves has been answered: by the other player's
    hand, where people have not been told of it."""
    told = tracker.incident is not None or tracker.doubt.asked
    by_both = told or len(who_may_have_moved(tracker)) == len(Side)
    return tracker.doubt.instead is not None and len(moves) >= ANSWERED and by_both


def _may_follow(tracker: Tracker, moves: Line) -> bool:
    """Whether moves may be added: they lay there one after the other, no crown is owed, the end of
    one alone is not seen without the piece, and no hand has left another square changed or made the
    other player's move; nothing is put right, and nothing is more likely an offence that one player
    alone can have committed."""
    if is_partly_put_right(tracker) or out_of_order(tracker.sight, moves):
        return False
    if errs_about_jumped(tracker, moves) or came_back_unseen(tracker, moves):
        return False
    changes = _changes(tracker, moves)
    changed = squares_of(changes)
    below = otherwise_below(tracker, changes) if len(moves) == 1 else ()
    if any(glance.bared for glance in below):
        return False
    if is_left_of_doubt(tracker, changed) and tracker.sight.hands_off_ms() < PUT_RIGHT_OPEN_MS:
        return False
    if _is_rather_an_offence(tracker, moves):
        return False
    arrived = len(moves) > 1 or _stands_there(tracker, moves[0])
    return arrived and crown_allows(tracker, moves)


def _is_rather_an_offence(tracker: Tracker, moves: Line) -> bool:
    """Whether an offence explains better what one player alone can have done, or one who is still
    to put something right, or has taken off a single piece, would have made several moves."""
    deed = tracker.guess.best.kind if tracker.guess else None
    by_one_hand, several = is_by_one_hand(tracker, moves), len(moves) > 1
    if (tracker.incident or deed in LONELY) and several and by_one_hand:
        return True
    # No other row could be believed, though a hand was missed.
    missed = len(tracker.rivalry.rows) == 1 and not by_one_hand
    seen_apart = missed and _lay_apart(tracker, moves)
    by_one = not several or (len(who_may_have_moved(tracker)) == 1 and not seen_apart)
    return by_one and deed is not None


def _lay_apart(tracker: Tracker, moves: Line) -> bool:
    """Whether each of some moves lay there before the next was made, as far as squares tell that
    have not changed again; of three moves and more they tell of two at least."""
    made_ms = []
    for number, move in enumerate(moves, start=1):
        again = {square for later in moves[number:] for square in occupants(later)}
        if own := occupants(move).keys() - again:
            made_ms.append(max(tracker.sight.at(square).stood_ms for square in own))
    apart = all(later - ms >= QUIET_MS for ms, later in pairwise(made_ms))
    return len(made_ms) >= min(2, len(moves) - 1) and apart


def _stands_there(tracker: Tracker, move: Move) -> bool:
    glance = tracker.sight.at(move.end)
    return not glance.visible or glance.group == GROUP_OF[move.piece]


def _changes(tracker: Tracker, moves: Line) -> Groups:
    """Where other pieces stand after some moves."""
    return group_changes(tracker.position.setup, reached(tracker.position, moves).setup)


def _is_time(tracker: Tracker) -> bool:
    """Whether nothing else is going on that has to be waited for, such as a capture put back, or an
    irregular board that has been put right: it looks as the record has it."""
    if not overtaken(tracker) or tracker.is_adjusting or tracker.loose:
        return False
    if tracker.incident and not contradictions(tracker):
        return False
    return not _lies_undone(tracker) or _stood_ms(tracker) >= UNDONE_MS


def _is_over(tracker: Tracker, moves: Line, patience: int) -> bool:
    """Whether the last of the moves lies in view, finished, and has been likely for so long."""
    squares = moves[-1].squares if moves else ()
    lies_there = not squares or (
        tracker.sight.readable(squares) and tracker.sight.rested_ms(squares) >= patience
    )
    return lies_there and tracker.now - tracker.rivalry.led_ms >= patience


def _believed(tracker: Tracker, record: Line) -> tuple[Line, list[Rival]]:
    """The moves that all likely rows begin with, and these rows; the record where it is likely,
    and the likeliest row where all lead to the same position another way."""
    near = likely(tracker)
    if tracker.doubt.instead:  # the last of the record has been seen to go back
        return _in_common(tracker, near), near
    agreeing = going_on(tracker)
    agreeing = [row for row in agreeing if _keeps_order(tracker, row, record)] or agreeing
    if any(rival in near for rival in agreeing):
        near = [rival for rival in near if rival in agreeing]
    elif any(rival.against < AHEAD_OF_RECORD for rival in agreeing):
        return record, agreeing
    else:
        near = _nearest(near, record)
    return _in_common(tracker, near), near


def _in_common(tracker: Tracker, near: list[Rival]) -> Line:
    """What some rows begin with, or the first of them where all lead to the same position."""
    rows = [rival.moves for rival in near]
    common = shared(rows)
    part = all(len(row) > len(common) for row in rows)
    meet = len({reached(sure_position(tracker), row) for row in rows}) == 1
    return rows[0] if part and meet else common


def _keeps_order(tracker: Tracker, row: Rival, record: Line) -> bool:
    """Whether what a row adds to the record was not seen to lie there in another order."""
    return not out_of_order(tracker.sight, row.moves[len(record) :])


def _nearest(rivals: list[Rival], record: Line) -> list[Rival]:
    """Those that share most with the record: what was announced is not doubted without need."""
    agreeing = [len(shared([rival.moves, record])) for rival in rivals]
    most = max(agreeing)
    return [rival for rival, count in zip(rivals, agreeing, strict=True) if count == most]


def mind_undone(tracker: Tracker, explanation: Explanation) -> Step:
    """Take back the last capture when all its pieces stand again where they stood before it.

    No play leads back there. Either the referee has been wrong, as where a piece that was taken
    off besides was not missed, or the players have thought better of it. A plain move is taken back
    if it was what was left of an irregular board that they have gone on to put right.
    """
    if not _looks_undone(tracker, explanation) or not _stands_undone(tracker):
        return tracker, ()
    now, events = withdrawn(tracker, len(tracker.plies) - 1)
    return forget_touches(settled(replace(now, incident=None))), events


def is_being_undone(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether the last capture, or a move that was left over, may be about to be taken back:
    nothing else looks wrong, and it has not stood so for long enough."""
    return _looks_undone(tracker, explanation) and _stood_ms(tracker) < UNDONE_MS


def _looks_undone(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether the pieces of the last move stand again where they stood, each clearly seen."""
    return _lies_undone(tracker) and all(
        explanation.says(*change) >= UNDONE_SQUARE for change in _put_back(tracker)
    )


def _lies_undone(tracker: Tracker) -> bool:
    """Whether all that has come to look wrong since the last move, a capture or what was left over,
    is that its pieces stand again where they stood before it; not where a person has entered it,
    and it does not lie on the board yet."""
    left_over = len(tracker.plies) == tracker.leftover
    if not tracker.last or not (tracker.last.captured or left_over) or is_otherwise(tracker):
        return False
    wrong, undoing, sight = set(contradictions(tracker)), set(_undoing(tracker)), tracker.sight
    since = {change for change in wrong if sight.at(change[0]).turned_ms >= tracker.played_ms}
    return _put_back(tracker) <= wrong and since <= undoing


def _put_back(tracker: Tracker) -> set[tuple[int, int]]:
    """The pieces that stand again where they stood before the last move."""
    return {change for change in _undoing(tracker) if change[1] != EMPTY_GROUP}


def _undoing(tracker: Tracker) -> Groups:
    """What changes when the last move is taken back."""
    before = tracker.position_after(len(tracker.plies) - 1)
    return group_changes(tracker.position.setup, before.setup)


def _stands_undone(tracker: Tracker) -> bool:
    """Whether the squares of the last move have been seen for long enough, without hands."""
    squares = (*squares_of(_undoing(tracker)), *tracker.plies[-1].path)
    in_view = tracker.sight.visible(squares) and lies_open(tracker)
    return in_view and _stood_ms(tracker) >= UNDONE_MS


def _stood_ms(tracker: Tracker) -> int:
    """For how long the squares of the last move have been in view without a hand or a change."""
    squares = squares_of(_undoing(tracker))
    return tracker.sight.still_ms(squares)


def _replayed(tracker: Tracker, kept: int, believed: Line, near: list[Rival]) -> Step:
    count, added = tracker.rivalry.sure + kept, believed[kept:]
    now, back = withdrawn(tracker, count) if count < len(tracker.plies) else (tracker, ())
    fork = now.position
    now = replace(forget_touches(now), incident=None)
    now, forth = made(now, added, when_made(now, added) if added else None)
    now, events = gone_on(tracker, now, (*back, *forth))
    rows = [rival.moves for rival in near]
    if believed != shared(rows):
        return now, (*events, _which_way(now, rows))
    if is_guessed(tracker, added):
        return now, (*events, which_way(now.now, fork, [added], count))
    if added:
        return now, events
    question = which_way(now.now, now.position, [row[kept:] for row in rows])
    return asked_about(now, now.doubt.squares), (*events, question)


def _which_way(tracker: Tracker, rows: list[Line]) -> Unsure:
    """The question by which of some rows since the last sure position this one was reached."""
    common = shared(rows)
    fork = reached(sure_position(tracker), common)
    ways = (row[len(common) :] for row in rows)
    return which_way(tracker.now, fork, ways, tracker.rivalry.sure + len(common))

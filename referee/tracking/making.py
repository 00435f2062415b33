"""Moves that are certain are made, with all that is told of when that happens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.events import Event, Restored, Unsure
from referee.notation import move_texts
from referee.rules import Line, Position
from referee.tracking.crowns import crown_missing_event, crown_wanted_event, lacks_crown, still_bare
from referee.tracking.lingering import landed
from referee.tracking.memory import Step, Tracker, asked_about, lies_open, wrong_squares
from referee.tracking.record import made, told_apart, when_made
from referee.tracking.rivals import trusted, was_given_up, ways
from referee.tracking.touches import laid_down, touched_before

LONG_ROW = 3
"""Of so many moves at once some were not seen themselves."""


def play(tracker: Tracker, moves: Line) -> Step:
    """The tracker after some moves, with all that was held back until one was certain.

    Of several ways to the same position the likeliest is taken, and the others are asked about.
    One move or two have been seen themselves; which way a longer row went the rivals know better.
    A longer row through a time in which the board was not seen is asked about itself.
    """
    likely = ways(tracker, moves)
    if len(moves) < LONG_ROW and not was_given_up(tracker):
        likely = [moves, *(way for way in likely if told_apart(way) != told_apart(moves))]
    played, events = _played(tracker, likely[0])
    if len(likely) > 1 or is_guessed(tracker, moves):
        events += (which_way(tracker.now, tracker.position, likely, len(tracker.plies)),)
    return played, events


def is_guessed(tracker: Tracker, moves: Line) -> bool:
    """Whether some of so many moves were made while the board was not seen."""
    return len(moves) >= LONG_ROW and tracker.dark.gap_ms > 0


def which_way(time_ms: int, fork: Position, rows: Iterable[Line], ply: int | None = None) -> Unsure:
    """The question which of some rows leads on from a position, which the record has after so many
    plies; None where none of them is on record."""
    texts = tuple(" ".join(move_texts(fork, row)) for row in rows)
    return Unsure(time_ms, texts, ply=ply)


def _played(tracker: Tracker, moves: Line) -> Step:
    events: tuple[Event, ...] = ()
    before, uncrowned_first = tracker, len(moves) > 1 or not tracker.crown_first
    if tracker.incident is None and uncrowned_first and lacks_crown(tracker, moves[0]):
        events += (crown_missing_event(tracker, moves[0]),)
        tracker = replace(tracker, crowning=replace(tracker.crowning, bare=None))
    changes = tracker.guess.best.changes if tracker.guess else ()
    touches = touched_before(tracker, moves, changes)
    events += touches
    piece = landed(tracker, moves[0]) if len(moves) == 1 else None
    tracker = replace(laid_down(tracker, moves, [touch.square for touch in touches]), landed=piece)
    tracker, played = made(tracker, moves, when_made(tracker, moves))
    events += played
    if before.incident is not None and lies_open(tracker):
        alone = len(moves) == 1  # else the last of them is the reply to what was left over
        tracker = replace(trusted(tracker), leftover=len(tracker.plies) if alone else 0)
    return gone_on(before, tracker, events)


def gone_on(before: Tracker, now: Tracker, events: tuple[Event, ...]) -> Step:
    """Moves with what is to be said of the incident before them: the board is in order, or what
    both players have let lie is asked about, or a crown that they have forgotten once more."""
    incident = before.incident
    if incident is None:
        return now, events
    bare = still_bare(before)
    if bare is not None and bare in now.uncrowned:
        return now, (*events, crown_wanted_event(now, bare, now.plies[len(before.plies)]))
    turned = {square: now.sight.at(square).turned_ms for square in wrong_squares(now)}
    let_lie = (s for s, ms in turned.items() if s in incident.squares and ms <= incident.told_ms)
    left = tuple(let_lie)
    if not left:
        return now, (Restored(now.now), *events)
    return asked_about(now, left), (*events, Unsure(now.now, (), left))

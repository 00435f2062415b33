"""A move that is complete and is taken back all the same, another being made in its place.

By the rules it stands, and to touch a piece then is to touch it off turn (WCDF 4.6, 4.8); people
who play for fun do so all the same. The referee asks which of the two moves it is; when the other
player has answered the second one, both have settled that themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.board import Side
from referee.events import Unsure, Withdrawn
from referee.notation import fen, move_text
from referee.rules import Move, Position, after, lawful_moves
from referee.sight import EMPTY_GROUP, GROUP_OF
from referee.tracking.memory import (
    QUIET_MS,
    Step,
    Tracker,
    advance,
    contradictions,
    hand_has_stayed,
    played_event,
    reached,
    settled,
    shows,
    who_moved,
)
from referee.tracking.notes import Line
from referee.tracking.rivals import overtaken
from referee.tracking.second_thoughts import at_ply
from referee.tracking.touches import forget_touches

INSTEAD_MS = 800
"""How long the board must lie still and open, before it is asked about and before it is settled."""
FEWEST = 3
"""Squares at least that look otherwise when one move has gone back and another been made."""
FURTHEST = 2
"""So many answers at most may have been given while the board never lay still."""


def mind_instead(tracker: Tracker) -> Step | None:
    """Ask which move it is, or follow the second one when that has been answered; None where no
    move has been taken back for another."""
    if tracker.instead:
        return _settled_by_play(tracker) if _lies_still(tracker) else (tracker, ())
    if move := _went_elsewhere(tracker):
        return _followed(tracker, (move,))
    if not _may_be_replaced(tracker):
        return None
    move = _in_its_place(tracker)
    return _asked(tracker, move) if move else _answered_at_once(tracker)


def _went_elsewhere(tracker: Tracker) -> Move | None:
    """The move that was made in place of the last one, if that was believed of a square which only
    looked so while the piece was in the hand: it lies elsewhere now."""
    if not tracker.plies or tracker.incident or not _lies_still(tracker):
        return None
    last, sight, wrong = tracker.plies[-1], tracker.sight, dict(contradictions(tracker))
    if last.captured or not _was_never_there(tracker, wrong.pop(last.end, None)):
        return None
    if len(wrong) != 1:
        return None
    ((square, group),) = wrong.items()
    if not sight.at(square).touched or sight.at(square).changed_by is tracker.position.turn:
        return None
    moves = (m for m in lawful_moves(_before(tracker)) if (m.start, m.end) == (last.start, square))
    return next((m for m in moves if not m.captured and GROUP_OF[m.piece] == group), None)


def _was_never_there(tracker: Tracker, now: int | None) -> bool:
    """Whether the piece moved last has not been left where it was believed to be: the square had
    looked so before it was taken up, or has come to look bare (`now` says who seems to stand there)
    before any hand came, or under the one that had brought it and has stayed since."""
    last, sight = tracker.plies[-1], tracker.sight
    if now is None:
        return sight.at(last.end).turned_ms < sight.at(last.start).turned_ms - QUIET_MS
    gone_before = not sight.at(last.end).reached
    return now == EMPTY_GROUP and (gone_before or hand_has_stayed(tracker))


def _lies_still(tracker: Tracker) -> bool:
    squares = tuple(square for square, _ in contradictions(tracker))
    quiet_ms = min(tracker.sight.hands_off_ms(), tracker.sight.rested_ms(squares))
    return quiet_ms >= INSTEAD_MS and not tracker.is_adjusting


def _may_be_replaced(tracker: Tracker) -> bool:
    """Whether hands have changed enough, among them perhaps that of the last mover, and not by
    lawful moves that nobody has told of yet; his piece no longer looks as he has put it."""
    squares = {square for square, _ in contradictions(tracker)}
    last = tracker.plies[-1] if tracker.plies else None
    return (
        last is not None
        and not squares.isdisjoint((last.start, last.end))
        and len(squares) >= FEWEST - bool(tracker.incident)
        and not _is_others_offence(tracker)
        and all(tracker.sight.at(square).touched for square in squares)
        and tracker.position.turn.other in who_moved(tracker)
        and _lies_still(tracker)
        and not overtaken(tracker)
    )


def _is_others_offence(tracker: Tracker) -> bool:
    """Whether the board is not in order by the other player's doing: when both go on all the same
    it is not for the last move that another was made."""
    incident = tracker.incident
    return incident is not None and incident.side is tracker.position.turn


def _in_its_place(tracker: Tracker) -> Move | None:
    """The lawful move that the board shows instead of the last one."""
    before = _before(tracker)
    last = after(before, tracker.plies[-1])
    changed = {tracker.plies[-1].end, *_otherwise(tracker, tracker.position)}
    for move in lawful_moves(before):
        if move.end not in changed:
            continue
        now = after(before, move)
        if now.setup != last.setup and shows(tracker, now):
            return move
    return None


def _answered_at_once(tracker: Tracker) -> Step | None:
    """The tracker when the second move was answered before the board lay still: both players have
    had their hands there."""
    if len(who_moved(tracker)) < len(Side):
        return None
    for move in lawful_moves(_before(tracker)):
        other = replace(tracker, instead=(move,))
        if move != tracker.plies[-1] and len(lying_instead(other)) > 1:
            return _settled_by_play(other)
    return None


def _before(tracker: Tracker) -> Position:
    """The position before the last move."""
    return reached(tracker.first, tracker.plies[:-1])


def _asked(tracker: Tracker, move: Move) -> Step:
    before, squares = _before(tracker), tuple(square for square, _ in contradictions(tracker))
    texts = move_text(before, tracker.plies[-1]), move_text(before, move)
    event = Unsure(tracker.now, texts, squares, len(tracker.plies) - 1)
    return replace(tracker, asked=True, doubted=squares, instead=(move,)), (event,)


def lying_instead(tracker: Tracker) -> Line:
    """The second move, with the answers to it, if that is what the board shows."""
    before, lines = _before(tracker), (tracker.instead, *_answers(tracker))
    return next((line for line in lines if shows(tracker, reached(before, line))), ())


def _settled_by_play(tracker: Tracker) -> Step:
    """The tracker when the second move has been answered: it is what was played."""
    line = lying_instead(tracker)
    return _followed(tracker, line) if len(line) > len(tracker.instead) else (tracker, ())


def _followed(tracker: Tracker, line: Line) -> Step:
    """The tracker when the last move was not made, but others were."""
    before = _before(tracker)
    undone = move_text(before, tracker.plies[-1])
    now = forget_touches(at_ply(tracker, len(tracker.plies) - 1))
    events = [Withdrawn(tracker.now, (undone,), fen(before))]
    played = []
    for move in line:
        played.append(played_event(now, move))
        now = advance(now, move)
    return settled(now), (*events, *played)


def _answers(tracker: Tracker) -> Iterator[Line]:
    """The second move with one answer, and with more."""
    before, lines = _before(tracker), [tracker.instead]
    for _ in range(FURTHEST):
        lines = [(*line, m) for line in lines for m in _going_on(tracker, reached(before, line))]
        yield from lines


def _going_on(tracker: Tracker, position: Position) -> Iterator[Move]:
    """The lawful moves of pieces that have left their squares: of many kings few have."""
    left = _otherwise(tracker, position)
    return (move for move in lawful_moves(position) if move.start in left or move.is_capture)


def _otherwise(tracker: Tracker, position: Position) -> set[int]:
    """The squares that look otherwise than in a position."""
    return {square for square, _ in contradictions(replace(tracker, position=position))}

"""What a teacher says, who explains everything and punishes nothing."""

from __future__ import annotations

from dataclasses import replace

from referee.arbiter import Arbiter, Judged, ruled
from referee.board import at, is_king
from referee.events import Held, Phrase, Played, Ruling, Touched, Verdict, phrase
from referee.rules import Line, Move, Position, captures, has_no_move, lawful_moves

PRAISED = 2
"""From so many pieces taken in one move on it is praised."""


def taught(
    arbiter: Arbiter, event: Played, number: int, move: Move, praises: bool
) -> tuple[Ruling, ...]:
    """What a teacher says of a move, which he `praises` if there was anything to find."""
    lesson = arbiter.profile.lesson
    if lesson is None:
        return ()
    said: list[tuple[str, Phrase]] = []
    if praises and _is_found(arbiter, move):
        said.append(("", phrase("praise", side=event.side, n=len(move.captured))))
    if move.crowns and not has_no_move(arbiter.history.now):
        said.append((lesson.crown, phrase("crown_now", side=event.side, square=move.end)))
    return tuple(
        ruled(event.time_ms, Verdict.NOTICE, event.side, rule, words, number)
        for rule, words in said
    )


def _is_found(arbiter: Arbiter, move: Move) -> bool:
    """Whether a move of several jumps is to the credit of the player who has made it: what he must
    capture is told him before, so there was nothing to find where it was all that he could do."""
    several = len(move.captured) >= PRAISED and not arbiter.entered
    found = several and move not in arbiter.praised
    return found and len(lawful_moves(arbiter.history.without(1).now)) > 1


def explained(arbiter: Arbiter, event: Touched | Held, number: int, position: Position) -> Judged:
    """In a lesson: where a piece may go that its player has touched, or which may go instead. Of
    the same piece it is told once, until he touches another."""
    lesson, square = arbiter.profile.lesson, event.square
    if lesson is None or arbiter.told == square:
        return arbiter, ()
    key, choice = _told_of(lawful_moves(position), square)
    king = arbiter.uncrowned
    said = phrase(key + ("_crowning" if king else ""), square=square, choice=choice, king=king)
    step = lesson.kings_step if is_king(at(position.setup, square)) else lesson.step
    rule = lesson.capture if captures(position) else step
    ruling = ruled(event.time_ms, Verdict.NOTICE, position.turn, rule, said, number)
    return replace(arbiter, told=square), (ruling,)


def _told_of(moves: Line, square: int) -> tuple[str, tuple[str, ...]]:
    """Which phrase tells where the piece on a square may go, with where: by the whole way if there
    are several jumps, or else where it comes to; or that it may not, with those that may."""
    own = [move for move in moves if move.start == square]
    if any(len(move.captured) > 1 for move in own):
        return "may_jump", tuple(map(str, own))
    squares = dict.fromkeys(move.end for move in own) or dict.fromkeys(move.start for move in moves)
    return "may_go" if own else "cannot_go", tuple(map(str, squares))


def advice(arbiter: Arbiter, time_ms: int, number: int) -> tuple[Ruling, ...]:
    """In a lesson: which captures the player to move must choose from."""
    lesson, now = arbiter.profile.lesson, arbiter.history.now
    due = [str(capture) for capture in captures(now)]
    if lesson is None or not due:
        return ()
    said = phrase("must_capture", side=now.turn, captures=due)
    return (ruled(time_ms, Verdict.NOTICE, now.turn, lesson.capture, said, number),)

"""When a lawful move is certain, and what is remembered of those seen in part."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

from referee.board import SQUARES, Side
from referee.deeds import Groups, occupants, squares_of
from referee.events import Irregularity
from referee.explanation import Explanation, explain
from referee.hypotheses import Hypothesis, group_changes
from referee.order import EARLY_MS, out_of_order
from referee.rules import Line, Move
from referee.sight import EMPTY_GROUP, GROUP_OF, Glance
from referee.tracking.crowns import crown_allows
from referee.tracking.hands import who_may_have_moved
from referee.tracking.kinds import SIMPLE
from referee.tracking.loose import are_knocked_over, lying_beside
from referee.tracking.memory import (
    ERRS_MS,
    QUIET_MS,
    Tracker,
    contradictions,
    heard,
    is_left_of_doubt,
    lies_open,
    noted,
)
from referee.tracking.notes import Guess
from referee.tracking.plain import is_plain
from referee.tracking.record import reached, told_apart
from referee.tracking.rivals import begins_likely, is_left_behind, leading
from referee.weights import FULL, LASTING

PLAY_MS = 160
"""How long the squares of a lawful move must agree when no hand is seen."""
PLAY_UNDER_HAND_MS = 350
"""The same while the next player's hand is over other squares already."""
PLAY_UNDER_OWN_HAND_MS = 1_500
"""The same while the mover's hand, or one that cannot be told from it, is still about: he may
not have finished."""
PUT_RIGHT_MS, PUT_RIGHT_OPEN_MS = 3_000, 800
"""How long it must be the best explanation while an irregular board is being put right, with hands
about and without: it may be what is left of it when the first piece is back, and the next thing to
go back itself."""
PLAY_MARGIN = 200
"""The lead that a lawful move must have over all that begins otherwise."""
PLAY_SQUARE, PLAY_FAINT_SQUARE = 200, 120
"""How much every changed square must say at least for a lawful move, in centinats; less is
enough, as of squares where no hand was noticed, when the board has lain open for long."""
PLAY_FAINT_MS = 1_000
PLAY_BLIND_SQUARE, PLAY_BLIND_MARGIN = -120, 300
PLAY_BLIND_MS, PLAY_BLIND_LINE_MS = 1_500, 500
"""One square left empty may say nothing, as under a reflection, when all others speak, the board
has lain open for long, less long if further moves bear the first ones out, and nothing else
explains it nearly as well."""
PLAY_DENIED_SQUARE, PLAY_DENIED_MARGIN, PLAY_DENIED_MS = -300, 500, 3_000
"""The same of one that speaks against it, as one in which a lamp is mirrored: the longer the board
has lain open, the less."""
PLAY_REMOVED_MS = 3_000
"""After so long a jumped piece that may still stand in a reflection has been taken off: it would
speak up."""
MISREAD_MS = 3_200
"""For so long with no hand about nobody holds a piece in the middle of a capture."""
LEFT_OVER = 350
"""A square that says so much for a change which the moves do not explain forbids them."""
GLIMPSE_MS, GLIMPSE_MARGIN = 100, 100
"""For how long a row of moves must have been the best explanation to be remembered as seen in part,
and by what lead."""
LINES = 6
"""How many rows of moves seen in part are remembered, the newest."""
LINE_LENGTH = 10
"""The most moves of one."""


def explained(tracker: Tracker) -> tuple[Tracker, Explanation]:
    """What may explain the board, the likeliest being noted. Pieces that lie beside their squares
    have gone nowhere else."""
    hands, since_ms = who_may_have_moved(tracker), tracker.settled_ms - QUIET_MS
    explanation = max(
        (
            explain(tracker.position, heard(tracker, beside), tracker.lines, hands, since_ms)
            for beside in lying_beside(tracker)
        ),
        key=attrgetter("score"),
    )
    return noted(tracker, guess=_guess(tracker, explanation.best)), explanation


def _guess(tracker: Tracker, best: Hypothesis) -> Guess:
    """The best explanation with its age. A deed that has come into view only as the record changed
    is as old as it has lain there."""
    old, now = tracker.guess, tracker.now
    if old is None:
        stood_ms = tracker.sight.still_ms(best.changed) if best.deed else 0
        return Guess(best, now - stood_ms, now)
    if old.best == best:
        return old
    if _is_called_alike(old.best, best):
        return replace(old, best=best)
    same_start = old.best.moves[:1] == best.moves[:1]
    return Guess(best, now, old.first_since_ms if same_start else now)


def _is_called_alike(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether the same would be said of both: one square of upset pieces more or less, or of jumped
    ones, is the same."""
    mine, its = one.deed, other.deed
    if mine is None or its is None or one.moves != other.moves:
        return False
    upset = mine.kind is its.kind is Irregularity.UPSET
    return upset or (mine.kind, mine.side, mine.squares) == (its.kind, its.side, its.squares)


def playable(tracker: Tracker, explanation: Explanation) -> int:
    """How many moves of the best explanation are certain now."""
    moves = explanation.best.moves
    if moves and _may_lie_loose(tracker, moves[0]):
        return 0
    if are_knocked_over(tracker):
        return 0
    if tracker.doubt.instead and is_left_behind(tracker):  # what has gone back did not go on
        return 0
    for count in range(len(moves), 0, -1):
        if (
            begins_likely(tracker, moves[:count])
            and _settled(tracker, explanation, count)
            and _lead(tracker, explanation, count) >= PLAY_MARGIN
        ):
            return count if crown_allows(tracker, moves[:count]) else 0
    return 0


def _may_lie_loose(tracker: Tracker, move: Move) -> bool:
    """Whether a disc on a light cell may be the one that was moved: what is seen there beside the
    moved one, plainly on its new square, is something else."""
    if not any(loose.disc.side is tracker.position.turn for loose in tracker.loose):
        return False
    glance = tracker.sight.at(move.end)
    arrived = glance.visible and glance.turned_ms > tracker.played_ms
    return not (arrived and glance.group == GROUP_OF[move.piece] and glance.spoke >= PLAY_SQUARE)


def _lead(tracker: Tracker, explanation: Explanation, count: int) -> int:
    """By how much nothing else explains the board as well as the first moves."""
    best, sight = explanation.best, tracker.sight
    removed = min(sight.hands_off_ms(), sight.clear_ms(best.changed)) >= PLAY_REMOVED_MS
    scores = (
        score
        for score, other in explanation.rivals(count)
        if not (removed and _is_left_by(best, other)) and not _has_added(tracker, best, other)
    )
    return explanation.score - max(scores, default=-FULL)


def _is_left_by(best: Hypothesis, other: Hypothesis) -> bool:
    """Whether the other is the same capture, with a jumped piece left standing."""
    left = other.kind is Irregularity.JUMPED_PIECE_LEFT
    return left and set(other.changes) < set(best.changes)


def _has_added(tracker: Tracker, best: Hypothesis, other: Hypothesis) -> bool:
    """Whether by the other the piece went where one is but faintly seen, and that which plainly
    stands where it may go as well is one more."""
    deed, (move, *_) = other.deed, best.moves
    if deed is None or deed.kind is not Irregularity.PIECE_ADDED or deed.squares != (move.end,):
        return False
    elsewhere = {(m.start, m.end) for m in other.moves} - {(move.start, move.end)}
    faint = not any(is_plain(tracker, end) for _, end in elsewhere)
    return bool(elsewhere) and faint and is_plain(tracker, move.end)


def _settled(tracker: Tracker, explanation: Explanation, count: int) -> bool:
    """Whether the squares of the first moves have rested long enough, and say so clearly."""
    guess, best = tracker.guess, explanation.best
    assert guess is not None
    since = guess.first_since_ms if count == 1 else guess.since_ms
    squares = _shown(tracker, best, count)
    turn = tracker.position.turn
    patience = _patience(tracker, turn if count % 2 else turn.other)
    return bool(
        squares
        and not is_partly_put_right(tracker)
        and not _leaves_wrong(tracker, squares)
        and not errs_about_jumped(tracker, best.moves)
        and not out_of_order(tracker.sight, best.moves)
        and tracker.now - since >= patience
        and tracker.sight.rested_ms(squares) >= patience
        and _is_clear(tracker, explanation, squares)
        and not _left_over(tracker, explanation)
        and (count == 1 or lies_open(tracker))
        and not otherwise_below(tracker, best.changes)
    )


def is_partly_put_right(tracker: Tracker) -> bool:
    """Whether part of an irregular board, or of one that was asked about, is back, and the rest may
    follow."""
    if tracker.guess is None:
        return False
    best, incident = tracker.guess.best, tracker.incident
    wrong = incident.changed if incident else tracker.doubt.squares
    left = _is_left(tracker, best.changes) or _is_left(tracker, contradictions(tracker))
    if not (left or is_left_of_doubt(tracker, best.changed)):
        return False
    age_ms = min(tracker.guess_age, tracker.sight.rested_ms(wrong))
    return age_ms < PUT_RIGHT_MS and min(age_ms, tracker.sight.hands_off_ms()) < PUT_RIGHT_OPEN_MS


def _is_left(tracker: Tracker, changes: Groups) -> bool:
    """Whether these, which look wrong, are part of what was announced."""
    incident = tracker.incident
    return incident is not None and set(changes) < set(incident.changes)


def _leaves_wrong(tracker: Tracker, squares: tuple[int, ...]) -> bool:
    """Whether a square still looks as wrong as when an irregularity was announced, and is none of
    the move's: what people have not put right yet was not played later."""
    wrong = set(tracker.incident.changes) if tracker.incident else set()
    return any(square not in squares for square, _ in wrong.intersection(contradictions(tracker)))


def errs_about_jumped(tracker: Tracker, moves: Line) -> bool:
    """Whether a jumped piece seems to have become one of the captor's just now, no hand being near:
    that it has been taken off is not seen there."""
    jumped = {square for move in moves for square in move.captured}
    return any(
        group not in (EMPTY_GROUP, GROUP_OF[tracker.piece(square)])
        and not tracker.sight.at(square).touched
        and tracker.now - tracker.sight.at(square).turned_ms < ERRS_MS
        for square, group in contradictions(tracker)
        if square in jumped
    )


def mind_left_over(tracker: Tracker, explanation: Explanation) -> Tracker:
    """Note when all that is left of an irregular board is a lawful move, and nobody is at it:
    whoever comes now does something else than put it right."""
    incident, left = tracker.incident, explanation.best
    if (
        incident is None
        or left.deed is not None
        or len(left.moves) != 1
        or not _is_left(tracker, left.changes)
        or min(tracker.guess_age, tracker.sight.hands_off_ms()) < QUIET_MS
        or not lies_open(tracker)
    ):
        return tracker
    return replace(tracker, incident=replace(incident, left_ms=tracker.now))


def _is_clear(tracker: Tracker, explanation: Explanation, squares: tuple[int, ...]) -> bool:
    """Whether the changed squares say enough for the moves."""
    sight = tracker.sight
    open_ms = sight.still_ms(squares)
    least = PLAY_FAINT_SQUARE if open_ms >= PLAY_FAINT_MS else PLAY_SQUARE
    return explanation.weakest(squares) >= least or _is_clear_but_one(tracker, explanation, squares)


def _is_clear_but_one(tracker: Tracker, explanation: Explanation, squares: tuple[int, ...]) -> bool:
    """Whether all but the one that says least say enough, and that one may be silent: nobody
    stands there, or it is not in view. A disc speaks up even in a reflection, and where it does not
    that is waited for."""
    sight = tracker.sight
    changes = (change for change in explanation.best.changes if change[0] in squares)
    (silent, group), *others = sorted(changes, key=lambda change: explanation.says(*change))
    said = explanation.said(squares)
    if not others or said[1] < PLAY_SQUARE:
        return False
    if group != EMPTY_GROUP and sight.at(silent).visible:
        return len(others) > 1 and _is_misread(tracker, silent)
    lead = _lead(tracker, explanation, 1)
    blind_ms = PLAY_BLIND_LINE_MS if len(explanation.best.moves) > 2 else PLAY_BLIND_MS
    open_ms = sight.still_ms(squares)
    if said[0] >= PLAY_BLIND_SQUARE and lead >= PLAY_BLIND_MARGIN and open_ms >= blind_ms:
        return True
    still_ms = sight.still_ms(squares_of(tuple(others)))  # the other may flicker
    open_ms = min(still_ms, sight.clear_ms((silent,)))
    denied = said[0] >= PLAY_DENIED_SQUARE and lead >= PLAY_DENIED_MARGIN
    return denied and open_ms >= PLAY_DENIED_MS


def _is_misread(tracker: Tracker, square: int) -> bool:
    """Whether a square has looked otherwise for so long, and so faintly, that the eye errs there:
    the piece is not in a hand any more."""
    sight = tracker.sight
    open_ms = min(sight.hands_off_ms(), sight.clear_ms((square,)))
    return open_ms >= MISREAD_MS and not is_plain(tracker, square)


def _left_over(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether a square in view has clearly changed that the best explanation does not touch. One
    that no hand was near is a slip of the eye, unless many are."""
    claimed = explanation.best.changed
    return any(
        explanation.denies(square) > (LEFT_OVER if tracker.sight.at(square).touched else LASTING)
        for square in SQUARES
        if square not in claimed
    )


def _shown(tracker: Tracker, best: Hypothesis, count: int) -> tuple[int, ...]:
    """The squares that must show the first moves; none if what came after has hidden them or led
    back there, but for a deed that tells of the move before it."""
    if _led_back(tracker, best.moves[:count]):
        return ()
    if count == len(best.moves) and best.deed is None:
        return best.changed
    position = tracker.position
    changes = group_changes(position.setup, reached(position, best.moves[:count]).setup)
    if set(changes) <= set(best.changes):
        return squares_of(changes)
    return best.changed if _tells_of_move(tracker, best) else ()


def _led_back(tracker: Tracker, moves: Line) -> bool:
    """Whether the likeliest row goes on from some moves back to squares of theirs: these tell of
    what came after."""
    row, count = leading(tracker), len(moves)
    if told_apart(row[:count]) != told_apart(moves):
        return False
    again = {square for move in row[count:] for square in occupants(move)}
    return not again.isdisjoint(square for move in moves for square in occupants(move))


def _tells_of_move(tracker: Tracker, best: Hypothesis) -> bool:
    """Whether the player whose turn it was has made one move, and what the other has then done
    wrong, or he himself by moving on behind a capture, has changed its squares again: no simpler
    deed leaves the board so."""
    deed, turn = best.deed, tracker.position.turn
    if deed is None or len(best.moves) != 1 or deed.kind in SIMPLE:
        return False
    if _has_never_come(tracker, best.moves[0]):
        return False
    on = best.moves[0].is_capture and deed.kind is Irregularity.WRONG_TURN
    return (on or deed.side is not turn) and turn in who_may_have_moved(tracker)


def _has_never_come(tracker: Tracker, move: Move) -> bool:
    """Whether the square where a move ends was still seen bare when that from which it goes had
    been so for a while, until the hand came that has changed it since."""
    start, end = tracker.sight.at(move.start), tracker.sight.at(move.end)
    former, _, formerly_ms = end.before
    until_ms = end.hidden_ms if end.bared else end.turned_ms
    bare = former == start.group == EMPTY_GROUP and formerly_ms < start.turned_ms
    return bare and until_ms - start.turned_ms >= EARLY_MS


def otherwise_below(tracker: Tracker, changes: Groups) -> tuple[Glance, ...]:
    """The squares that a hand has covered since the last move and that last looked, for more than a
    flicker, otherwise than changes elsewhere have it, a hand having been at them."""
    claimed = dict(changes)
    return tuple(
        glance
        for square, glance, piece in zip(
            SQUARES, tracker.sight.squares, tracker.position.setup, strict=True
        )
        if not glance.visible
        and square not in claimed
        and glance.group != GROUP_OF[piece]
        and glance.touched
        and glance.hidden_ms > max(glance.turned_ms, tracker.played_ms)
    )


def _patience(tracker: Tracker, mover: Side) -> int:
    """How long a move must rest, by whose hands are still there."""
    sight = tracker.sight
    if sight.hands_off_ms() >= PLAY_MS:
        return PLAY_MS
    hands = sight.sides_since(tracker.now - PLAY_MS)
    return PLAY_UNDER_HAND_MS if hands == {mover.other} else PLAY_UNDER_OWN_HAND_MS


def glimpse(tracker: Tracker, explanation: Explanation) -> Tracker:
    """Remember moves that have been seen in part, to start from when more is seen."""
    for line in (explanation.best.moves[:1], explanation.best.moves):
        tracker = _glimpsed(tracker, explanation, line)
    return tracker


def _glimpsed(tracker: Tracker, explanation: Explanation, line: Line) -> Tracker:
    guess = tracker.guess
    assert guess is not None
    since = guess.since_ms if line == explanation.best.moves else guess.first_since_ms
    known = not line or line in tracker.lines or len(line) > LINE_LENGTH
    if known or tracker.now - since < GLIMPSE_MS or explanation.margin(len(line)) < GLIMPSE_MARGIN:
        return tracker
    return replace(tracker, lines=(*tracker.lines, line)[-LINES:])

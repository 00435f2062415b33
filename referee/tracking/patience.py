"""When a deed is finished: hands have left, and nothing more is to come."""

from __future__ import annotations

from referee.board import only, side_of
from referee.deeds import Deed, choices
from referee.events import Irregularity
from referee.hypotheses import Hypothesis
from referee.rules import Position, after
from referee.sight import EMPTY_GROUP, GROUP_OF
from referee.tracking.culprits import caught_at, charged
from referee.tracking.kinds import BY_ONE_DISC, BY_ONE_PIECE, LONELY
from referee.tracking.memory import ERRS_MS, HANDS_OFF_MS, Tracker, is_left_of_doubt
from referee.tracking.notes import Incident
from referee.tracking.plain import is_plain, lies_plainly
from referee.tracking.rivals import since_sure

NO_SLIP = 600
"""What a square says on which the eye does not slip."""
ARM_REST_MS = 2_500
"""An arm that lies elsewhere on the board does not protect anyone for ever."""
HELD_MS = 15_000
"""The same while a piece is missing: a player may think with his man in his hand."""
THINKING_MS = 2_900
"""The same of a piece that may have been carried on, or be answered with, the hand being gone."""
CLEAR_MS = 1_600
"""So long a disc that a hand has brought is waited for that is clearly seen, but not as plainly as
others: nobody holds it beside the board for longer while the eye errs so much."""
ANSWER_MS = 1_600
"""So long a man is perhaps in the hand of the player who answers with him."""
RESTORING_MS = 8_000
"""While an irregular board is being put back piece by piece nothing new is said for so long."""
DOUBTFUL_MS = 2_600
"""Most slips of the eye last no longer, nor does it take longer to see that other moves were made
than was thought: less plainly seen squares are waited for so long, and moves that are not sure."""


def patience_with(tracker: Tracker, deed: Deed) -> int:
    """How long a deed must rest: as long as its kind asks for, or whatever else it may be."""
    others = (_answer_ms, _doubtful_ms, thinking_ms, _erring_ms, _left_behind_ms, _unsure_ms)
    return max(deed.patience_ms, *(wait_ms(tracker, deed) for wait_ms in others))


def thinking_ms(tracker: Tracker, deed: Deed) -> int:
    """For how long a man that its player may play, and that the other one has not taken up, is
    perhaps in his hand beside the board."""
    if deed.kind is not Irregularity.PIECE_REMOVED:
        return 0
    position = tracker.position
    starts = {move.start for move in choices(position).lawful}
    by_other = (tracker.sight.at(s).changed_by is position.turn.other for s in deed.squares)
    return tracker.thinking_ms if starts.issuperset(deed.squares) and not any(by_other) else 0


def _erring_ms(tracker: Tracker, deed: Deed) -> int:
    """For how long the eye may see a disc where none is, or miss one that no hand was near: not for
    so long where a hand covered the squares that a piece has left and come to, and less long where
    one is clearly seen there, be it a piece too many."""
    if deed.kind is Irregularity.PIECE_REMOVED:
        return 0 if all(tracker.sight.at(s).touched for s in deed.squares) else ERRS_MS
    come = (square for square, group in deed.changes if group != EMPTY_GROUP)
    if deed.kind not in BY_ONE_DISC or all(lies_plainly(tracker, square) for square in come):
        return 0
    glances = [tracker.sight.at(square) for square in deed.changed]
    if not all(glance.bared for glance in glances):
        return ERRS_MS
    if all(glance.gap() >= NO_SLIP for glance in glances):
        return CLEAR_MS
    return THINKING_MS if deed.kind in BY_ONE_PIECE else ERRS_MS


def _left_behind_ms(tracker: Tracker, deed: Deed) -> int:
    """For how long a man whom a lawful move may have brought there may seem, to an eye that errs,
    to stand where it began as well."""
    if deed.kind is not Irregularity.PIECE_ADDED:
        return 0
    starts = (
        move.start
        for move in choices(tracker.position).lawful
        if deed.changes == ((move.end, GROUP_OF[move.piece]),)
    )
    return 0 if all(lies_plainly(tracker, start) for start in starts) else ERRS_MS


def _unsure_ms(tracker: Tracker, deed: Deed) -> int:
    """For how long a piece too many may be one that has moved, the last moves having been others
    than was thought."""
    added = deed.kind is Irregularity.PIECE_ADDED
    return DOUBTFUL_MS if added and since_sure(tracker) else 0


def _doubtful_ms(tracker: Tracker, deed: Deed) -> int:
    """For how long the eye may be wrong about a square that seems bare, where a deed hangs on a
    single one."""
    left = (square for square, group in deed.changes if group == EMPTY_GROUP)
    doubtful = not all(is_plain(tracker, square) for square in left)
    return DOUBTFUL_MS if deed.kind in LONELY and doubtful else 0


def _answer_ms(tracker: Tracker, deed: Deed) -> int:
    """For how long the other player may be answering with a piece that seems to be taken off: for
    longer where it was not seen that the offender's hand took it."""
    if not _may_answer(tracker.position, deed):
        return 0
    taken_by = tracker.sight.at(deed.squares[-1]).changed_by
    return ANSWER_MS if taken_by is deed.side else THINKING_MS


def _may_answer(position: Position, deed: Deed) -> bool:
    """Whether the piece that seems to be taken off beside a lawful move may be in the hand of the
    other player, who answers with it before the move was told."""
    if deed.kind is not Irregularity.WRONG_PIECE_REMOVED or len(deed.squares) != 3:
        return False
    start, end, other = deed.squares
    return any(
        reply.start == other
        for move in choices(position).lawful
        if (move.start, move.end) == (start, end)
        for reply in choices(after(position, move)).lawful
    )


def _restoring_ms(tracker: Tracker, incident: Incident, best: Hypothesis) -> int:
    """For how long this may be what is left of an incident, of which a hand may hide some more: not
    for so long where a hand has taken what it had left alone."""
    before, now = set(incident.changes), set(best.changes)
    if now.isdisjoint(before):
        return 0
    # Whoever sets up upset pieces again commits no offence with those that still lie about.
    if now < before or incident.kind is Irregularity.UPSET:
        return RESTORING_MS
    if best.kind is not incident.kind:
        return 0
    known = {square for square, _ in before}
    others = (tracker.sight.at(square) for square, _ in now - before if square not in known)
    anew = any(glance.bared and glance.turned_ms > incident.told_ms for glance in others)
    return THINKING_MS if anew else RESTORING_MS


def _hands_off_ms(tracker: Tracker, best: Hypothesis) -> int:
    """For how long no hand has been seen that may be at this deed: the other player's is not, where
    only the offender's own has changed the squares and nobody else could finish what he began."""
    sight = tracker.sight
    if best.kind not in BY_ONE_DISC or sight.unnamed:
        return sight.hands_off_ms()
    side = only({sight.at(square).changed_by for square in best.changed})
    return sight.time_ms - sight.hand_of_ms(side) if side else sight.hands_off_ms()


def rested(tracker: Tracker, best: Hypothesis, patience_ms: int) -> bool:
    """Whether the hands have left and the scene has stood as it is for long enough."""
    if tracker.incident:
        patience_ms = _restoring_ms(tracker, tracker.incident, best) or patience_ms
    if is_left_of_doubt(tracker, best.changed) and tracker.sight.hands_off_ms() < RESTORING_MS:
        return False
    squares = best.changed
    in_hand = _may_be_in_hand(tracker, best)
    lain = not in_hand and _has_lain(tracker, best, patience_ms)
    away = _hands_off_ms(tracker, best) >= max(HANDS_OFF_MS, 0 if lain else patience_ms)
    seen_ms = min(tracker.sight.clear_ms(squares), tracker.sight.rested_ms(squares))
    elsewhere = seen_ms >= patience_ms + (HELD_MS if in_hand else ARM_REST_MS)
    stood = lain or tracker.guess_age >= patience_ms
    return stood and (away or elsewhere) and tracker.sight.visible(squares)


def _may_be_in_hand(tracker: Tracker, best: Hypothesis) -> bool:
    """Whether a missing piece may be in the hand that is seen: its own player's, or that of whoever
    captures it, as far as it is told whose has taken it; or that of a captor who has taken off the
    jumped ones first."""
    if best.deed is None:
        return False
    if best.kind is not Irregularity.PIECE_REMOVED:
        return _is_all_of_a_capture(tracker.position, best)
    taker, squares = charged(tracker, best).side, set(best.changed)
    owners = {side_of(tracker.piece(square)) for square in squares}
    captured = {s for move in choices(tracker.position).captures for s in move.captured}
    return taker is None or taker in owners or not captured.isdisjoint(squares)


def _is_all_of_a_capture(position: Position, best: Hypothesis) -> bool:
    """Whether the captor and pieces that he may jump are off the board, and nothing else is."""
    squares = set(best.changed)
    bare = all(group == EMPTY_GROUP for _, group in best.changes)
    captures = (move for move in choices(position).captures if move.start in squares)
    fits = any(squares <= {move.start, *move.captured} for move in captures)
    return bare and len(squares) > 1 and fits


def _has_lain(tracker: Tracker, best: Hypothesis, patience_ms: int) -> bool:
    """Whether a deed has lain there for long enough, though hands have come that have not put it
    right, as to point at it: a captor who comes again takes off what he has jumped, one by one."""
    caught = caught_at(tracker, best)
    if caught is None or tracker.incident or tracker.now - caught.since_ms < patience_ms:
        return False
    side = caught.deed.side
    comes = side is None or tracker.sight.hand_of_ms(side) > caught.since_ms
    return not (caught.deed.kind is Irregularity.JUMPED_PIECE_LEFT and comes)

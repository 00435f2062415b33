"""Waiting for a position to stand on the board: the first, or that before a move taken back."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from referee.board import SQUARES
from referee.deeds import Groups, squares_of
from referee.events import Otherwise, Ready, Waiting
from referee.hypotheses import Hypothesis
from referee.rules import MEN_EACH, Line, after
from referee.sight import GROUP_OF, NEVER
from referee.tracking.hands import who_may_have_moved
from referee.tracking.making import play
from referee.tracking.memory import QUIET_MS, Phase, Step, Tracker, contradictions
from referee.tracking.moves import PUT_RIGHT_OPEN_MS, explained, glimpse, playable
from referee.tracking.plain import is_plain
from referee.weights import place, weigh

READY_MS = 500
"""How long the first position must stand without hands..."""
UNTOUCHED_MS = 1_500
"""...or with hands about that cover none of it, when nothing has changed for so long."""
READY_SLIGHT, READY_FAINT, READY_FAINT_MS = 200, 350, 1_500
"""How much a square may say against it, in centinats: that little, or so much if it stands so long;
a lamp's reflection will not go away by waiting."""
READY_SPARE = 500
"""The same of one alone on which a disc too many is seen, all of its side standing elsewhere: a set
has no more."""
BEGUN_MS = 10_000
"""For so long after the first position has stood whole the first move is known, hands about."""
FOUND_MS = 200
"""It has stood whole for so long, and not for `READY_MS`, where every square was as it should be
and no hand has been seen yet."""
LATE_MS, LATE_REPLIED_MS = 3_000, 1_000
"""So long the first move must lie open that was made before the position was seen, or it and the
reply: a man left a step ahead may be about to be set up."""
WAITING_MS = 3_000
"""A board that rests so long and is not the position is being waited for aloud."""


def wait(tracker: Tracker) -> Step:
    """Until the first position stands, settled and whole, or that before a move which was taken
    back, nothing is ruled."""
    wrong = _missing(tracker)
    hidden = not tracker.sight.readable(tuple(SQUARES))
    untouched = tracker.sight.rested_ms(tuple(SQUARES)) >= UNTOUCHED_MS
    tracker = _mind_standing(tracker)
    if wrong or hidden or (tracker.sight.hands_off_ms() < QUIET_MS and not untouched):
        tracker, events = _begun(tracker)
        return (tracker, events) if events else _wait_longer(tracker, wrong)
    since = tracker.quiet_ms if tracker.quiet_ms is not None else tracker.now
    tracker = replace(tracker, quiet_ms=since)
    patience = READY_FAINT_MS if _against(tracker) > READY_SLIGHT else READY_MS
    if tracker.now - since < patience:
        return tracker, ()
    return _playing(replace(tracker, settled_ms=tracker.now)), (Ready(tracker.now),)


def _mind_standing(tracker: Tracker) -> Tracker:
    """Note when the position stands whole, in view, and has done so for a moment; one square that
    is not seen plainly may look otherwise, as one in which a lamp is mirrored."""
    wrong = contradictions(tracker)
    slips = len(wrong) <= 1 and not any(is_plain(tracker, square) for square, _ in wrong)
    if not slips or not tracker.sight.visible(tuple(SQUARES)):
        return replace(tracker, stood_ms=None)
    since = tracker.stood_ms if tracker.stood_ms is not None else tracker.now
    found = not wrong and tracker.sight.hand_ms == NEVER
    long = tracker.now - since >= (FOUND_MS if found else READY_MS)
    return replace(tracker, stood_ms=since, settled_ms=tracker.now if long else tracker.settled_ms)


def _playing(tracker: Tracker) -> Tracker:
    correction = replace(tracker.correction, taken_back=())
    return replace(tracker, phase=Phase.PLAYING, correction=correction)


def _begun(tracker: Tracker) -> Step:
    """The first moves, if it is plain that they have been made: hands that have set up the pieces
    may not have been away for long before. So for the move that is made in one go with taking
    another back, and the reply."""
    if not contradictions(tracker):
        return tracker, ()
    tracker, explanation = explained(tracker)
    tracker = glimpse(tracker, explanation)
    moves = explanation.best.moves[: playable(tracker, explanation)]
    if not moves or not _is_plain(tracker, explanation.best, moves):
        return tracker, ()
    tracker, events = play(_playing(tracker), moves)
    return tracker, (Ready(tracker.now), *events)


def _is_plain(tracker: Tracker, best: Hypothesis, moves: Line) -> bool:
    """Whether some moves, the first of the best explanation, have begun the game, or go on with it
    in place of those taken back."""
    if tracker.phase is Phase.RETURNING:
        return _is_another(tracker, moves)
    lately = tracker.now - tracker.settled_ms <= BEGUN_MS
    return best.deed is None and (lately or _is_late(tracker, best, moves))


def _is_late(tracker: Tracker, best: Hypothesis, moves: Line) -> bool:
    """Whether some moves lie open that were made before the first position was seen: all of the
    best explanation, the whole board is in view, and it is not what the game before has left."""
    sight = tracker.sight
    if reduce(after, moves, tracker.position).setup == tracker.found:
        return False
    patience = LATE_REPLIED_MS if len(moves) > 1 else LATE_MS
    open_ms = min(sight.hands_off_ms(), tracker.guess_age)
    whole = moves == best.moves and sight.readable(tuple(SQUARES))
    return whole and open_ms >= patience


def _is_another(tracker: Tracker, moves: Line) -> bool:
    """Whether the first of some moves is not the one that was taken back, and nobody may be about
    to put more of that back; not where both have played on."""
    open_ms = min(tracker.guess_age, tracker.sight.hands_off_ms())
    by_both = len(moves) > 1 and len(who_may_have_moved(tracker)) > 1
    if not moves or (open_ms < PUT_RIGHT_OPEN_MS and not by_both):
        return False
    position, back = tracker.position, tracker.correction.taken_back
    return after(position, moves[0]).setup != after(position, back[0]).setup


def _missing(tracker: Tracker) -> tuple[int, ...]:
    """The squares that are not as in the first position, if any clearly is not."""
    wrong = contradictions(tracker)
    clearly = _against(tracker) > (READY_SPARE if _is_spare(tracker, wrong) else READY_FAINT)
    return squares_of(wrong) if clearly else ()


def _is_spare(tracker: Tracker, wrong: Groups) -> bool:
    """Whether all that looks wrong is one disc more than a side of a set has."""
    groups = [GROUP_OF[piece] for piece in tracker.position.setup]
    return len(wrong) == 1 and groups.count(wrong[0][1]) == MEN_EACH


def _against(tracker: Tracker) -> int:
    """How much the square says that contradicts the position most."""
    wrong = contradictions(tracker)
    weights = weigh(tracker.position, tracker.sight) if wrong else []
    return max((weights[place(square, group)] for square, group in wrong), default=0)


def _wait_longer(tracker: Tracker, wrong: tuple[int, ...]) -> Step:
    tracker = replace(tracker, quiet_ms=None)
    sight = tracker.sight
    if not wrong or wrong == tracker.waited or sight.hands_off_ms() < WAITING_MS:
        return tracker, ()
    if any(tracker.now - sight.at(square).turned_ms < WAITING_MS for square in wrong):
        return tracker, ()
    event = Otherwise if tracker.phase is Phase.RETURNING else Waiting
    return replace(tracker, waited=wrong), (event(tracker.now, wrong),)

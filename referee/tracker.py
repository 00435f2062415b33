"""From observations to events: what was played, what is irregular, what is only on its way.

One pure step, `observe(tracker, observation) -> (tracker, events)`. The position advances by
lawful moves alone. A lawful move is announced at a modest margin; a player is accused at a far
higher one, after the hands have left and the board has rested; between the two it asks.
"""

from __future__ import annotations

from dataclasses import replace

from referee.board import SQUARES
from referee.deeds import Groups
from referee.events import Irregularity, Otherwise, Ready, Restored, Waiting
from referee.explanation import Explanation, explain
from referee.looking import look
from referee.observation import Observation, View
from referee.rules import MEN_EACH, Line, Position, after
from referee.sight import GROUP_OF, NEVER
from referee.tracking.crowns import mind_crowns, mind_held, mind_owed
from referee.tracking.culprits import catch, charged
from referee.tracking.doubt import ask, awaits_the_other, follows
from referee.tracking.hands import has_adjusted, who_moved
from referee.tracking.instead import mind_instead
from referee.tracking.lingering import mind_hand, mind_lingering
from referee.tracking.loose import is_stray, loose_now, mind_loose
from referee.tracking.memory import (
    QUIET_MS,
    Phase,
    Step,
    Tracker,
    accuse,
    adjusting,
    contradictions,
    heard,
    noted,
    shows,
    without,
)
from referee.tracking.moves import (
    PUT_RIGHT_OPEN_MS,
    glimpse,
    guess,
    mind_left_over,
    play,
    playable,
)
from referee.tracking.offences import is_offence
from referee.tracking.patience import has_rested
from referee.tracking.plain import is_plain
from referee.tracking.ranks import mind_altered, mind_ranks
from referee.tracking.record import advance, played_event, settled
from referee.tracking.rivals import compete
from referee.tracking.second_thoughts import is_being_undone, mind_undone, reconsider
from referee.tracking.touches import forget_touches, mind_lifted, put_back, rests_but_for_slips
from referee.tracking.view import SHIFT_BAD, blinded, mind_shift, pause, resume, see_again
from referee.weights import place, weigh

__all__ = [
    "Phase",
    "Tracker",
    "adjusting",
    "advance",
    "awaits_the_other",
    "follows",
    "observe",
    "pause",
    "played_event",
    "resume",
]

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
ADJUSTED_MS = 2_000
"""Who puts several pieces straight takes his hand away between them for less."""
WAITING_MS = 3_000
"""A board that rests so long and is not the position is being waited for aloud."""


def observe(tracker: Tracker, seen: Observation) -> Step:
    """The tracker after one more frame, and what became certain with it.

    Frames that do not advance the time are ignored.
    """
    if seen.time_ms <= tracker.now:
        return tracker, ()
    if tracker.paused:
        return replace(tracker, sight=replace(tracker.sight, time_ms=seen.time_ms)), ()
    if seen.view is not View.CLEAR:
        return blinded(tracker, seen.time_ms, seen.view.value)
    tracker, events = mind_shift(tracker, seen)
    sight = look(tracker.sight, seen)
    tracker = replace(tracker, sight=sight, loose=loose_now(tracker.loose, sight, seen))
    tracker, more = see_again(tracker)
    events += more
    if tracker.blind_said or seen.shift >= SHIFT_BAD:
        return tracker, events
    tracker, more = _PHASES[tracker.phase](tracker)
    return tracker, events + more


def _wait(tracker: Tracker) -> Step:
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
    long = tracker.now - since >= READY_MS
    return replace(tracker, stood_ms=since, settled_ms=tracker.now if long else tracker.settled_ms)


def _playing(tracker: Tracker) -> Tracker:
    return replace(tracker, phase=Phase.PLAYING, taken_back=())


def _begun(tracker: Tracker) -> Step:
    """The first move, if it is plain that it has been made: hands that have set up the pieces may
    not have been away for long before. So for the move that is made in one go with taking another
    back, and the reply."""
    returning = tracker.phase is Phase.RETURNING
    lately = tracker.now - tracker.settled_ms <= BEGUN_MS
    if not contradictions(tracker) or not (returning or lately):
        return tracker, ()
    tracker, explanation = _explained(tracker)
    moves = explanation.best.moves[: playable(tracker, explanation)]
    plain = _is_another(tracker, moves) if returning else len(explanation.best.moves) == 1
    if not moves or not plain:
        return tracker, ()
    tracker, events = play(_playing(tracker), moves)
    return tracker, (Ready(tracker.now), *events)


def _is_another(tracker: Tracker, moves: Line) -> bool:
    """Whether the first of some moves is not the one that was taken back, and nobody may be about
    to put more of that back; not where both have played on."""
    open_ms = min(tracker.guess_age, tracker.sight.hands_off_ms())
    by_both = len(moves) > 1 and len(who_moved(tracker)) > 1
    if not moves or (open_ms < PUT_RIGHT_OPEN_MS and not by_both):
        return False
    position = tracker.position
    return after(position, moves[0]).setup != after(position, tracker.taken_back[0]).setup


def _missing(tracker: Tracker) -> tuple[int, ...]:
    """The squares that are not as in the first position, if any clearly is not."""
    wrong = contradictions(tracker)
    clearly = _against(tracker) > (READY_SPARE if _is_spare(tracker, wrong) else READY_FAINT)
    return tuple(square for square, _ in wrong) if clearly else ()


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


def _follow(tracker: Tracker) -> Step:
    tracker, events = mind_crowns(mind_ranks(mind_hand(tracker)))
    tracker = compete(mind_lifted(tracker))
    tracker, more = (_puzzle if contradictions(tracker) else _rest)(tracker)
    if not more and not tracker.instead:
        tracker, more = reconsider(tracker)
    tracker, lingering = mind_lingering(tracker)
    return tracker, events + more + lingering


def _rest(tracker: Tracker) -> Step:
    """The board looks as it should."""
    since = tracker.quiet_ms if tracker.quiet_ms is not None else tracker.now
    tracker = noted(tracker, quiet_ms=since, guess=None)
    if tracker.now - since < QUIET_MS:
        return tracker, ()
    if tracker.instead:
        tracker = forget_touches(tracker)  # the moves have been put back, with all their pieces
    tracker, events = put_back(tracker)
    for mind in (mind_loose, mind_altered, mind_owed, _restored):
        tracker, more = mind(tracker)
        events += more
        if more:
            break
    return _in_order(tracker), events


def _in_order(tracker: Tracker) -> Tracker:
    """Nothing is on its way while the hands are off and the board is as it should be."""
    sight = tracker.sight
    if sight.hands_off_ms() < QUIET_MS or tracker.loose:
        return tracker
    return replace(
        tracker,
        settled_ms=tracker.now,
        asked=False,
        instead=None,
        caught=None,
        gap_ms=0,
        lines=(),
        adjusting_ms=NEVER if _is_adjusted(tracker) else tracker.adjusting_ms,
    )


def _is_adjusted(tracker: Tracker) -> bool:
    """Whether who said that he puts pieces straight has done so, and goes on to no other."""
    return has_adjusted(tracker) and tracker.sight.hands_off_ms() >= ADJUSTED_MS


def _restored(tracker: Tracker) -> Step:
    incident, quiet = tracker.incident, tracker.sight.hands_off_ms() >= QUIET_MS
    if incident is None and quiet and (tracker.differs or tracker.asked):
        return replace(tracker, differs=(), asked=False), (Restored(tracker.now),)
    if incident is None or tracker.loose or tracker.altered:
        return tracker, ()
    if not tracker.sight.visible(tuple(square for square, _ in incident.changes)):
        return tracker, ()
    # The eye may see the rank of a piece wrongly from where it stands, also when it is right again.
    handled = {square for square, _ in incident.changes}
    calm = replace(tracker, incident=None, ranked=without(tracker.ranked, handled))
    return forget_touches(settled(calm)), (Restored(tracker.now),)


def _puzzle(tracker: Tracker) -> Step:
    """The board does not look as it should: find out why, and wait, play, accuse or ask."""
    if instead := mind_instead(tracker):
        return instead
    tracker, explanation = _explained(noted(tracker, quiet_ms=None))
    count = playable(tracker, explanation)
    if count:
        return play(tracker, explanation.best.moves[:count])
    tracker = glimpse(mind_left_over(tracker, explanation), explanation)
    if is_stray(tracker, explanation):
        return mind_loose(tracker)
    if _is_set_up(tracker, explanation):
        return tracker, ()
    for mind in (mind_undone, _accused, _touched, mind_held, ask):
        tracker, events = mind(tracker, explanation)
        if events:
            return tracker, events
    # A square that is misread, and explained by nothing, says nothing about the other pieces.
    return (tracker, ()) if explanation.best.squares else mind_altered(tracker)


def _is_set_up(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether all pieces stand where a game begins: nobody upsets them into that, and when it has
    stood for long enough it is the next game."""
    upset = explanation.best.kind is Irregularity.UPSET
    return upset and shows(tracker, Position.start())


def _explained(tracker: Tracker) -> tuple[Tracker, Explanation]:
    """What may explain the board, the likeliest being noted."""
    explanation = explain(
        tracker.position,
        heard(tracker),
        tracker.lines,
        who_moved(tracker),
        tracker.settled_ms - QUIET_MS,
    )
    return noted(tracker, guess=guess(tracker, explanation.best)), explanation


def _accused(tracker: Tracker, explanation: Explanation) -> Step:
    deed = explanation.best.deed
    if deed is None or is_being_undone(tracker, explanation):
        return tracker, ()
    if not is_offence(tracker, explanation):
        return tracker, ()
    best = explanation.best
    tracker = catch(tracker, best)
    if not has_rested(tracker, best):
        return tracker, ()
    return accuse(tracker, charged(tracker, best), best.changes)


def _touched(tracker: Tracker, explanation: Explanation) -> Step:
    """What was touched is told although the eye errs on some square."""
    errs = rests_but_for_slips(tracker, contradictions(tracker))
    return put_back(tracker) if errs else (tracker, ())


def _over(tracker: Tracker) -> Step:
    return tracker, ()


_PHASES = {
    Phase.WAITING: _wait,
    Phase.PLAYING: _follow,
    Phase.RETURNING: _wait,
    Phase.OVER: _over,
}

"""From observations to events: what was played, what is irregular, what is only on its way.

One pure step, `observe(tracker, observation) -> (tracker, events)`. The position advances by
lawful moves alone. A lawful move is announced at a modest margin; a player is accused at a higher
one, and not before the hands have left and the board has rested; between the two it asks.
"""

from __future__ import annotations

from dataclasses import replace

from referee.board import Side
from referee.events import Irregularity, Restored
from referee.explanation import Explanation
from referee.looking import look
from referee.observation import Observation, Visibility
from referee.rules import Position
from referee.tracking.altered import mind_altered
from referee.tracking.astray import mind_astray
from referee.tracking.checking import check
from referee.tracking.crowns import mind_crowns, mind_held, mind_owed
from referee.tracking.culprits import answerable, catch
from referee.tracking.doubt import ask
from referee.tracking.glints import mind_glints
from referee.tracking.hands import has_adjusted, has_been_answered
from referee.tracking.heights import heights
from referee.tracking.instead import compete_instead, is_return_hidden, mind_instead
from referee.tracking.lingering import mind_hand, mind_lingering
from referee.tracking.loose import is_stray, loose_now, mind_loose
from referee.tracking.making import play
from referee.tracking.memory import (
    QUIET_MS,
    Phase,
    Step,
    Tracker,
    accuse,
    amended,
    contradictions,
    forget_touches,
    noted,
    shows,
    without,
)
from referee.tracking.moves import explained, glimpse, mind_left_over, playable
from referee.tracking.notes import Adjusting, Doubt
from referee.tracking.offences import is_offence
from referee.tracking.patience import patience_with, rested
from referee.tracking.ranks import mind_ranks
from referee.tracking.record import settled
from referee.tracking.rivals import compete
from referee.tracking.second_thoughts import (
    is_being_undone,
    mind_round_trip,
    mind_undone,
    reconsider,
)
from referee.tracking.touches import mind_lifted, mind_shifted, put_back, rests_but_for_slips
from referee.tracking.view import SHIFT_BAD, blinded, mind_bump, see_again
from referee.tracking.waiting import wait

__all__ = ["Phase", "Tracker", "observe"]

ADJUSTED_MS = 2_000
"""Who puts several pieces straight takes his hand away between them for less."""


def observe(tracker: Tracker, seen: Observation) -> Step:
    """The tracker after one more frame, and what became certain with it.

    Frames that do not advance the time are ignored.
    """
    if seen.time_ms <= tracker.now:
        return tracker, ()
    if tracker.paused:
        return replace(tracker, sight=replace(tracker.sight, time_ms=seen.time_ms)), ()
    if seen.visibility is not Visibility.CLEAR:
        return blinded(tracker, seen.time_ms, seen.visibility.value)
    tracker, events = mind_bump(tracker, seen)
    sight, recalled = look(tracker.sight, seen), tracker.sight.recalled
    lay, lie = tracker.loose, loose_now(tracker, sight, seen)
    tracker = mind_glints(amended(tracker, sight=sight, loose=lie), lay)
    ranks = replace(tracker.ranks, heights=heights(tracker, recalled))
    tracker = noted(tracker, ranks=ranks)
    tracker, more = see_again(tracker)
    events += more
    if tracker.dark.said or seen.shift >= SHIFT_BAD:
        return tracker, events
    tracker, more = _PHASES[tracker.phase](tracker)
    return tracker, events + more


def _follow(tracker: Tracker) -> Step:
    if tracker.correction.unchecked:
        return check(tracker)
    if tracker.is_adjusting and has_been_answered(tracker):
        tracker = replace(tracker, adjusting=Adjusting())
    tracker, events = mind_crowns(mind_ranks(mind_hand(tracker)))
    tracker = compete(mind_shifted(mind_lifted(tracker)))
    tracker, more = (_puzzle if contradictions(tracker) else _rest)(tracker)
    if not more:
        tracker, more = reconsider(tracker)
    tracker, lingering = mind_lingering(tracker)
    return tracker, events + more + lingering


def _rest(tracker: Tracker) -> Step:
    """The board looks as it should."""
    since = tracker.quiet_ms if tracker.quiet_ms is not None else tracker.now
    tracker = noted(tracker, quiet_ms=since, guess=None)
    if tracker.now - since < QUIET_MS:
        return tracker, ()
    if tracker.doubt.instead:
        tracker = forget_touches(tracker)  # the moves have been put back, with all their pieces
    tracker, trip = mind_round_trip(tracker)
    tracker, events = put_back(tracker)
    events = trip + events
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
    return amended(
        tracker,
        settled_ms=tracker.now,
        doubt=Doubt(),
        caught=None,
        dark=replace(tracker.dark, gap_ms=0),
        lines=(),
        adjusting=Adjusting() if _is_adjusted(tracker) else tracker.adjusting,
    )


def _is_adjusted(tracker: Tracker) -> bool:
    """Whether who said that he puts pieces straight has done so, and goes on to no other."""
    return has_adjusted(tracker) and tracker.sight.hands_off_ms() >= ADJUSTED_MS


def _restored(tracker: Tracker) -> Step:
    incident, quiet = tracker.incident, tracker.sight.hands_off_ms() >= QUIET_MS
    if incident is None and quiet and (tracker.correction.differs or tracker.doubt.asked):
        agreed = replace(tracker.correction, differs=())
        answered = replace(tracker.doubt, asked=False)
        return replace(tracker, correction=agreed, doubt=answered), (Restored(tracker.now),)
    if incident is None or tracker.loose or tracker.ranks.altered:
        return tracker, ()
    if not tracker.sight.visible(incident.changed) or is_return_hidden(tracker):
        return tracker, ()
    if _is_at_it(tracker, incident.side):
        return tracker, ()
    # The eye may see the rank of a piece wrongly from where it stands, also when it is right again.
    handled, ranks = set(incident.changed), tracker.ranks
    ranked, looked = without(ranks.ranked, handled), without(ranks.looked, handled)
    by_mover = incident.side is not tracker.position.turn
    calm = replace(
        tracker,
        incident=None,
        correction=replace(tracker.correction, differs=()),
        ranks=replace(ranks, ranked=ranked, looked=looked),
        mended_ms=tracker.now if by_mover else tracker.mended_ms,
    )
    return forget_touches(settled(calm)), (Restored(tracker.now),)


def _is_at_it(tracker: Tracker, side: Side | None) -> bool:
    """Whether a player who puts the board right, or somebody, has his hand there still: he may not
    be done."""
    hand_ms = tracker.sight.hand_of_ms(side) if side else tracker.sight.hand_ms
    return tracker.now - hand_ms < QUIET_MS


def _puzzle(tracker: Tracker) -> Step:
    """The board does not look as it should: find out why, and wait, play, accuse or ask."""
    if instead := mind_instead(tracker):
        tracker, events = instead
        return instead if events else _besides(tracker)
    tracker, explanation = explained(noted(tracker, quiet_ms=None))
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
    tracker, events = mind_astray(tracker)
    if events:
        return tracker, events
    # A square that is misread, and explained by nothing, says nothing about the other pieces.
    if explanation.best.changed:
        return tracker, ()
    tracker, events = mind_loose(tracker)
    return (tracker, events) if events else mind_altered(tracker)


def _besides(tracker: Tracker) -> Step:
    """The tracker while it is open which of two moves was made: discs that lie off their squares,
    or have come on pieces or gone from them, are told of all the same."""
    minds = (mind_loose, mind_altered, mind_astray) if tracker.doubt.asked else (mind_astray,)
    for mind in minds:
        tracker, events = mind(tracker)
        if events:
            return tracker, events
    return tracker, ()


def _is_set_up(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether all pieces stand where a game begins: nobody upsets them into that, and when it has
    stood for long enough it is the next game."""
    upset = explanation.best.kind is Irregularity.UPSET
    return upset and shows(tracker, Position.start())


def _accused(tracker: Tracker, explanation: Explanation) -> Step:
    deed = explanation.best.deed
    if deed is None or is_being_undone(tracker, explanation):
        return tracker, ()
    if not is_offence(tracker, explanation):
        return tracker, ()
    best = explanation.best
    tracker = catch(tracker, best)
    if not rested(tracker, best, patience_with(tracker, deed)):
        return tracker, ()
    tracker, events = accuse(tracker, answerable(tracker, best), best.changes)
    return compete_instead(tracker), events


def _touched(tracker: Tracker, explanation: Explanation) -> Step:
    """What was touched is told although the eye errs on some square."""
    errs = rests_but_for_slips(tracker, contradictions(tracker))
    return put_back(tracker) if errs else (tracker, ())


def _over(tracker: Tracker) -> Step:
    return tracker, ()


_PHASES = {
    Phase.WAITING: wait,
    Phase.PLAYING: _follow,
    Phase.RETURNING: wait,
    Phase.OVER: _over,
}

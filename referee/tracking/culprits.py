"""Whose a deed is, as far as hands tell."""

from __future__ import annotations

from dataclasses import replace

from referee.board import SQUARES, Side, at, only
from referee.deeds import HANDLED, Deed, choices, removal_kind
from referee.events import Irregularity
from referee.explanation import Explanation
from referee.hypotheses import Hypothesis
from referee.sight import EMPTY_GROUP, GROUP_OF, NEVER, REACH_MS, Glance
from referee.tracking.hands import who_acted
from referee.tracking.kinds import BY_ONE_PIECE, LONELY, UNFOLLOWED
from referee.tracking.memory import QUIET_MS, Tracker, is_mended
from referee.tracking.notes import Caught
from referee.weights import UPSET_SQUARES

CAPTURING_MS = 5_000
"""So long after a capture was told its player may still be taking pieces off..."""
AGAIN_MS = 1_500
"""...whose hand has come back for that by then [16 players in films came 200 to 1,100 ms after]."""
SURE_MARGIN, SURE_MARGIN_OF_ONE = 700, 550
"""The lead that disorder on few squares, or on one, which cannot say more, must have when both
players have had their hands on the board: all others clearly say that nothing else was moved."""
OUGHT_TO_MOVE = Irregularity.ILLEGAL_STEP, Irregularity.CAPTURE_MISSED
"""What he does whose turn it is; where the other's hand alone was there, that moved his piece."""
GONE_MS = 1_000
"""So long after his hand has left nobody has changed what another hand was at."""
SUDDEN_MS, AT_ONCE_MS = 2_500, 600
"""In so short a time nobody makes more than two moves, which are recognised, or more than one."""


def catch(tracker: Tracker, best: Hypothesis) -> Tracker:
    """Note whose deed it is, which is certain now: whoever points at it later, before it has lain
    there for long enough to be told, has not done it."""
    assert best.deed is not None
    stood_ms = min(tracker.guess_age, tracker.sight.hands_off_ms())
    if stood_ms < QUIET_MS or caught_at(tracker, best):
        return tracker
    since_ms = tracker.now - stood_ms
    caught = Caught(tracker.position, best, named(tracker, best.deed), since_ms)
    return replace(tracker, caught=caught)


def caught_at(tracker: Tracker, best: Hypothesis) -> Caught | None:
    """What has been told before of whose deed it is, if that has."""
    caught = tracker.caught
    known = caught is not None and (caught.position, caught.best) == (tracker.position, best)
    return caught if known else None


def charged(tracker: Tracker, best: Hypothesis) -> Deed:
    """The deed of the best explanation with its author's name, as far as it is told whose it is."""
    assert best.deed is not None
    caught = caught_at(tracker, best)
    return caught.deed if caught else named(tracker, best.deed)


def answerable(tracker: Tracker, best: Hypothesis) -> Deed:
    """The same, with nobody's name where a piece was handled by a player who has said that he only
    puts pieces straight (4.1): also the other's, and off turn."""
    deed = charged(tracker, best)
    excused = deed.kind in HANDLED and all(
        tracker.was_excused(deed.side, tracker.sight.at(square).turned_ms)
        for square in deed.squares
    )
    return deed._replace(side=None) if excused else deed


def is_by_hands(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether the hands that were seen may have done the deed, and one player's alone, where it
    must be one player's: a capture that was answered took two."""
    best = explanation.best
    assert best.deed is not None
    deed, culprit = best.deed, named(tracker, best.deed).side
    if deed.kind in UNFOLLOWED and _lost_track(tracker, explanation):
        return False
    if culprit and not _is_handed(tracker, deed):
        return False
    captured = deed.kind is Irregularity.JUMPED_PIECE_LEFT  # by nobody else's hand
    by_two = deed.side and culprit and not _by_one_hand(tracker, explanation, culprit)
    if by_two and not best.moves and not captured:
        return False
    return not (deed.kind in LONELY and _is_of_other(tracker, deed, culprit))


def _is_handed(tracker: Tracker, deed: Deed) -> bool:
    """Whether a hand was seen that may have done it, since the board was in order or at the squares
    when they changed: a move may have been held back meanwhile. Else the referee asks."""
    sight = tracker.sight
    at_them = all(sight.at(square).touched for square in deed.changed)
    return sight.hand_ms >= tracker.settled_ms or at_them


def _lost_track(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether both players may have gone on playing without being followed; not where one of them
    has put right what was announced, and one square was laid bare meanwhile."""
    both = len(who_acted(tracker)) > 1
    best = explanation.best
    if _is_sudden(tracker, explanation) or _was_taken_meanwhile(tracker, best):
        return False
    if _was_carried(tracker, best):
        return False
    margin = SURE_MARGIN_OF_ONE if len(best.changes) == 1 else SURE_MARGIN
    few = len(best.changes) < UPSET_SQUARES and explanation.margin() >= margin
    return both and (not few or _king_was_handled(tracker))


def _was_carried(tracker: Tracker, best: Hypothesis) -> bool:
    """Whether a piece was seen where it stood until just before it was seen where it lies: nobody
    makes more than one move in that time, and this is none."""
    if best.kind is not Irregularity.PIECE_DISPLACED:
        return False
    left = [tracker.sight.at(s).held_ms for s, group in best.changes if group == EMPTY_GROUP]
    come = [tracker.sight.at(s).turned_ms for s, group in best.changes if group != EMPTY_GROUP]
    return len(left) == len(come) == 1 and come[0] - left[0] <= AT_ONCE_MS


def _was_taken_meanwhile(tracker: Tracker, best: Hypothesis) -> bool:
    squares = best.changed
    return (
        is_mended(tracker)
        and best.kind is Irregularity.PIECE_REMOVED
        and len(squares) == 1
        and tracker.sight.at(squares[0]).bared
    )


def _is_sudden(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether one hand has upset more at a time than anybody can play, whoever has come since: soon
    after the board was in order, or so nearly at once that it need not have been seen everywhere.
    """
    if explanation.best.kind is not Irregularity.UPSET or explanation.margin() < SURE_MARGIN:
        return False
    glances = [tracker.sight.at(square) for square in explanation.best.changed]
    soon = [g.changed_by for g in glances if g.turned_ms <= tracker.settled_ms + SUDDEN_MS]
    at_once = (
        [g.changed_by for g in glances if 0 <= g.turned_ms - first.turned_ms <= AT_ONCE_MS]
        for first in glances
    )
    by_one = max(map(soon.count, soon), default=0)
    fallen = max(len(by) - min(map(by.count, Side)) for by in at_once)  # not by the other hand
    return max(by_one, fallen) >= UPSET_SQUARES


def _king_was_handled(tracker: Tracker) -> bool:
    """Whether a king of the player to move may have gone and come back unseen: not where the other
    player's hand alone was near it."""
    setup, turn = tracker.position.setup, tracker.position.turn
    kings = (tracker.sight.at(s) for s in SQUARES if at(setup, s) == turn.king)
    others = turn.other, False
    return any(
        king.near_ms >= tracker.settled_ms and (king.arm, king.both) != others for king in kings
    )


def _by_one_hand(tracker: Tracker, explanation: Explanation, side: Side) -> bool:
    """Whether the other player has kept away, or his hand was last at none of the squares: what two
    have done, one of them perhaps rightly, is not one deed. He may point at a piece that was moved
    before anybody has seen it where it lies."""
    since = tracker.settled_ms + QUIET_MS  # by then the hand has left that made the move before
    glances = [tracker.sight.at(square) for square in explanation.best.changed]
    turn = tracker.position.turn
    # He may have handled the other's men, who then comes to point at them.
    if side is not turn and any(glance.changed_by is turn for glance in glances):
        return False
    if side.other not in tracker.sight.sides_since(since):
        return True
    if any(_lay_there_before(glance, side) for glance in glances):
        return False
    step = explanation.best.kind in BY_ONE_PIECE
    taken_by_other = (g.bared and g.changed_by is side.other for g in glances)
    if step and any(taken_by_other):  # who comes later may point at it
        return False
    carried = step and any(glance.changed_by is side for glance in glances)
    return all(
        side in (glance.changed_by, glance.arm) or glance.arm is None or (carried and glance.shared)
        for glance in glances
        if glance.near_ms >= since
    )


def _lay_there_before(glance: Glance, side: Side) -> bool:
    """Whether what the other player's hand has left on a square was seen there before this one's
    came over it."""
    seen_ms = glance.hidden_ms - glance.turned_ms
    return glance.changed_by is side.other and glance.over is side and seen_ms >= REACH_MS


def _is_of_other(tracker: Tracker, deed: Deed, culprit: Side | None) -> bool:
    """Whether the square that a deed hangs on changed under the other player's hand: one that hid
    it, or was near before the offender's came."""
    glance = tracker.sight.at(deed.squares[-1])
    if culprit is None or glance.changed_by is not culprit.other:
        return False
    visit = tracker.sight.visit(culprit)
    was_there = visit.was_between(tracker.settled_ms, glance.turned_ms + REACH_MS)
    return glance.bared or not was_there


def named(tracker: Tracker, deed: Deed) -> Deed:
    """The deed with what the hands add to it: who, and so perhaps another name. Whoever upset the
    pieces, nobody is punished for it (4.1), and in the tangle hands are easily mistaken. Nobody has
    moved a piece, by name, whose hand was not told where hands are: the other may have, as soon as
    his own move was made and before that was told."""
    if deed.kind is Irregularity.UPSET:
        return deed
    hands = who_acted(tracker)
    culprit = only(hands)
    if deed.kind is Irregularity.PIECE_REMOVED and _ends_capture(tracker, deed, hands):
        return _of_captor(tracker, deed)
    unseen = not hands and tracker.sight.named_ms > NEVER
    if mover := _moved_by(tracker, deed, culprit, unseen):
        return deed._replace(kind=Irregularity.PIECE_DISPLACED, side=mover)
    by_one = deed.side is not None and _all_by(tracker, deed, deed.side)
    if deed.kind in BY_ONE_PIECE and unseen and not by_one:
        return deed._replace(side=None)
    if deed.side or culprit is None or not _is_sole(tracker, deed, culprit):
        return deed
    return deed._replace(side=culprit)


def _of_captor(tracker: Tracker, deed: Deed) -> Deed:
    """What a player has taken off who had just captured: one of his own, where there is any."""
    turn = tracker.position.turn
    pieces = [tracker.piece(square) for square in deed.squares]
    piece = next((piece for piece in pieces if turn.owns(piece)), pieces[0])
    return deed._replace(kind=removal_kind(turn.other, piece), side=turn.other)


def _moved_by(tracker: Tracker, deed: Deed, culprit: Side | None, unseen: bool) -> Side | None:
    """Who has moved a piece that is not his, where it seems that its own player has moved it."""
    turn = tracker.position.turn
    if deed.kind is Irregularity.WRONG_TURN and (culprit is turn or _all_by(tracker, deed, turn)):
        return turn
    by_other = (unseen or culprit is turn.other) and _all_by(tracker, deed, turn.other)
    return turn.other if deed.kind in OUGHT_TO_MOVE and by_other else None


def _is_sole(tracker: Tracker, deed: Deed, culprit: Side) -> bool:
    """Whether nobody else can have done it whose hand might not have been seen, or came later."""
    if _is_either_ones(tracker, deed) or _went_on_first(tracker, deed):
        return False
    pushed = deed.kind is Irregularity.OFF_SQUARE and not _was_last_near(tracker, deed, culprit)
    return not pushed and not _was_gone(tracker, deed, culprit)


def _was_last_near(tracker: Tracker, deed: Deed, culprit: Side) -> bool:
    """Whether no other player's hand came near the squares after his: while a move is asked for
    the board counts as last changed by that, and a piece that is pushed aside stays on its square.
    """
    return all(tracker.sight.at(square).arm in (culprit, None) for square in deed.squares)


def _was_gone(tracker: Tracker, deed: Deed, culprit: Side) -> bool:
    """Whether a hand that nobody could name has changed one of the squares, when the player's own
    had long left."""
    visit = tracker.sight.visit(culprit)
    return any(
        glance.bared
        and glance.changed_by is None
        and not visit.was_between(glance.turned_ms - GONE_MS, glance.turned_ms)
        for glance in (tracker.sight.at(square) for square in deed.changed)
    )


def _went_on_first(tracker: Tracker, deed: Deed) -> bool:
    """Whether a piece that is missing had first come to where a move of it ends, which was not told
    of: whose hand was at the square that it left says nothing of who has taken it off."""
    if deed.kind is not Irregularity.PIECE_REMOVED:
        return False
    return any(_has_gone_on(tracker, square) for square in deed.squares)


def _has_gone_on(tracker: Tracker, start: int) -> bool:
    """Whether a piece has come from its square to where a move of it ends, and gone from there."""
    sight = tracker.sight
    left_ms, group = sight.at(start).turned_ms, GROUP_OF[tracker.piece(start)]
    ends = (m.end for m in choices(tracker.position).lawful if m.start == start)
    before = (sight.at(end).before for end in ends if sight.at(end).group == EMPTY_GROUP)
    return any(stood == group and since_ms >= left_ms for stood, _, since_ms in before)


def _is_either_ones(tracker: Tracker, deed: Deed) -> bool:
    """Whether both players' hands hid all that a deed has changed: the one that came to point at it
    may have been seen last."""
    return all(tracker.sight.at(square).shared for square in deed.changed)


def _ends_capture(tracker: Tracker, deed: Deed, hands: frozenset[Side]) -> bool:
    """Whether who has made the last move, a capture, has taken a piece off with what he jumped or
    just after it (4.4): no other hand has been there, and his has not come again long after."""
    captor, glances = tracker.position.turn.other, [tracker.sight.at(s) for s in deed.squares]
    if tracker.sight.visit(captor).came_ms - tracker.played_ms > AGAIN_MS:
        return False
    captured = tracker.last is not None and tracker.last.is_capture
    lately = all(glance.turned_ms - tracker.played_ms <= CAPTURING_MS for glance in glances)
    by_him = hands <= {captor} and all(glance.changed_by is captor for glance in glances)
    return captured and lately and by_him


def _all_by(tracker: Tracker, deed: Deed, side: Side) -> bool:
    """Whether a player's hand has changed all squares of a deed."""
    return all(tracker.sight.at(square).changed_by is side for square in deed.changed)

"""Whose hands have been about, and so whose doing a change is."""

from __future__ import annotations

from referee.board import Side
from referee.sight import NEVER
from referee.tracking.memory import AWAY_MS, QUIET_MS, Tracker, contradictions, wrong_squares


def _changed_ms(tracker: Tracker) -> int:
    """When the board last changed that does not look as it should; now, if not all is in view."""
    glances = tracker.sight.squares
    wrong = contradictions(tracker) if all(glance.visible for glance in glances) else ()
    return max((glances[square - 1].turned_ms for square, _ in wrong), default=tracker.now)


def has_adjusted(tracker: Tracker) -> bool:
    """Whether a hand has been there since a player said that he puts pieces straight, and may be
    his."""
    sight, since_ms = tracker.sight, tracker.adjusting.said_ms + 1
    named = sight.sides_since(since_ms)
    unnamed = sight.hand_ms >= since_ms and sight.unnamed
    return unnamed or bool(named & tracker.adjusting.by)


def has_been_answered(tracker: Tracker) -> bool:
    """Whether the other player's hand has changed the board since he who puts pieces straight has
    been there: they play on, whether they can be followed or not."""
    others, since_ms = frozenset(Side) - tracker.adjusting.by, tracker.adjusting.said_ms
    glances = (tracker.sight.at(square) for square in wrong_squares(tracker))
    changed = (g for g in glances if g.turned_ms > since_ms and g.changed_by in others)
    return has_adjusted(tracker) and any(changed)


def who_may_have_moved(tracker: Tracker) -> frozenset[Side]:
    """Who may have moved since the board was last in order: both, unless hands tell."""
    sight = tracker.sight
    acted = who_acted(tracker)
    unknown = not acted or sight.unnamed or tracker.dark.gap_ms
    return frozenset(Side) if unknown else acted


def who_acted(tracker: Tracker) -> frozenset[Side]:
    """Whose hands have been seen from when the board was last in order until it last changed: a
    hand that comes when all is as it is now has not done it, nor has the one that is just leaving
    the move before."""
    incident, turn = tracker.incident, tracker.position.turn
    order_ms = max(tracker.settled_ms, incident.left_ms if incident else NEVER)
    since = {turn: order_ms - QUIET_MS, turn.other: order_ms + QUIET_MS}
    sight, until_ms = tracker.sight, _changed_ms(tracker)
    return frozenset(s for s in Side if sight.visit(s).was_between(since[s], until_ms))


def are_told_apart(tracker: Tracker) -> bool:
    """Whether the players' hands are: that of the player who is not to move has been seen, and none
    lately of which it was not told whose it is. Else it may have been there."""
    sight = tracker.sight
    return not sight.unnamed and sight.hand_of_ms(tracker.position.turn.other) > NEVER


def has_changed_all(tracker: Tracker) -> bool:
    """Whether the hand of the player to move alone has been there, and changed all that looks
    wrong."""
    changed_by = {tracker.sight.at(square).changed_by for square in wrong_squares(tracker)}
    by_mover = who_acted(tracker) == changed_by == {tracker.position.turn}
    return by_mover and are_told_apart(tracker)


def _hand_has_stayed(tracker: Tracker) -> bool:
    """Whether the hand that made the last move was at its piece when that was told, and until the
    piece was gone: before it leaves it may go on with the move."""
    gone_ms = tracker.sight.at(tracker.plies[-1].end).turned_ms
    return tracker.clung_ms > tracker.played_ms and gone_ms - tracker.clung_ms <= AWAY_MS


def was_never_left(tracker: Tracker) -> bool:
    """Whether the piece moved last was never left where it was believed to be: it was gone before
    a hand came, or with the one that had brought it and has stayed since."""
    glance = tracker.sight.at(tracker.plies[-1].end)
    came = glance.reached or glance.hidden_ms > tracker.played_ms
    return not came or _hand_has_stayed(tracker)

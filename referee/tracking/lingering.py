"""Hands that stay on the piece that they have moved (4.8)."""

from __future__ import annotations

from dataclasses import replace

from referee.board import SQUARES, Side, cell_of
from referee.events import Lingering
from referee.rules import Move
from referee.sight import EMPTY_GROUP, NEIGHBOURS, NEVER, Sight
from referee.tracking.memory import AWAY_MS, Step, Tracker, noted
from referee.tracking.notes import Landed

LINGERING_GAP_MS = 600
"""For so long a hand may be missed and still be the same, if any hand is seen."""
LEANED_OVER = 16
"""Squares hidden since a piece came, from which on somebody has leant over the board: no hand that
stays hides so many."""
BEYOND = 2
"""So many rows beyond a square, within as many columns, a hand does not hide that is at a piece
there: people who think hold it over the board."""
SAME_TIME_MS = 250
"""Two squares that come into view so close together were freed by the same hand."""


def landed(tracker: Tracker, move: Move) -> Landed | None:
    """What is to be watched after a plain move: a hand that takes pieces off has a reason to stay,
    and so has one that puts the board right.

    The piece came when a hand covered its square, or when it left the one that it stood on, if
    that was in view; at the latest when it was first seen there, if only between the fingers.
    """
    sight, side = tracker.sight, tracker.position.turn
    end, start = sight.at(move.end), sight.at(move.start)
    if move.is_capture or tracker.incident or tracker.dark.gap_ms:
        return None
    together = end.visible and end.uncovered_ms - start.turned_ms <= SAME_TIME_MS
    if end.turned_ms - end.uncovered_ms > SAME_TIME_MS:
        since_ms = end.turned_ms
    elif together:
        since_ms = end.hidden_ms if end.hidden_ms > tracker.played_ms else end.turned_ms
    else:
        since_ms = max(end.hidden_ms, start.turned_ms)
        if end.turned_ms > end.hidden_ms:
            since_ms = min(since_ms, end.turned_ms)
    # It may have hovered there before: as long as it comes over more squares it is on its way, or
    # reaches farther, or the piece is seen, between the fingers, where it came from.
    on_its_way = (sight.at(near).hidden_ms for near in NEIGHBOURS[move.end])
    since_ms = max(since_ms, start.held_ms, _reached_farther_ms(sight, move.end, side), *on_its_way)
    return Landed(move.end, side, since_ms, _stayed_ms(sight, move.end, side, since_ms))


def _reached_farther_ms(sight: Sight, square: int, side: Side) -> int:
    """When a hand last hid a square so far beyond this one that it had nothing to do here."""
    row, column = cell_of(square)
    cells = ((cell_of(s), sight.at(s).covered_ms) for s in SQUARES)
    beyond = (ms for (r, c), ms in cells if (r - row) * side.forward >= BEYOND >= abs(c - column))
    return max(beyond, default=NEVER)


def _over_ms(sight: Sight, square: int) -> int:
    """When a hand last hid a square, or two of those around it: at the edge of the board it may
    rest beside it. A square that says nothing is hidden by no hand."""
    beside = sorted(sight.at(near).covered_ms for near in NEIGHBOURS[square])
    return min(max(sight.at(square).covered_ms, beside[-2]), sight.at(square).near_ms)


def _stayed_ms(sight: Sight, square: int, side: Side, since_ms: int) -> int:
    """Until when the hand has stayed over its piece."""
    end, over_ms = sight.at(square), _over_ms(sight, square)
    if end.arm is side:
        # Where the other hand has come and gone since, this one has come back for something else.
        answered = since_ms < sight.hand_of_ms(side.other) < over_ms
        return since_ms if answered else over_ms
    stayed_ms = min(over_ms, sight.hand_of_ms(side))
    return max(since_ms, stayed_ms) if end.hidden_ms <= since_ms else since_ms


def mind_hand(tracker: Tracker) -> Tracker:
    """Note for how long a hand stays at the piece that was moved last."""
    if not tracker.last:
        return tracker
    near_ms = tracker.sight.at(tracker.last.end).near_ms
    stays = near_ms - tracker.clung_ms <= AWAY_MS
    return noted(tracker, clung_ms=near_ms) if stays else tracker


def mind_lingering(tracker: Tracker) -> Step:
    """A hand that stays on the piece it has moved (4.8)."""
    piece = tracker.landed
    if piece is None:
        return tracker, ()
    hidden = sum(glance.covered_ms >= piece.since_ms for glance in tracker.sight.squares)
    if hidden >= LEANED_OVER:
        return noted(tracker, landed=None), ()
    glance = tracker.sight.at(piece.square)
    if glance.group == EMPTY_GROUP and glance.visible and tracker.now > glance.turned_ms:
        return noted(tracker, landed=None), ()  # it is not there any more
    over_ms = _over_ms(tracker.sight, piece.square)
    if glance.arm is piece.side and 0 < over_ms - piece.hand_ms <= LINGERING_GAP_MS:
        piece = replace(piece, hand_ms=over_ms)
    if piece.hand_ms - piece.since_ms >= tracker.lingering_ms:
        said = Lingering(tracker.now, piece.side, piece.square, piece.since_ms)
        return replace(tracker, landed=None), (said,)
    away = tracker.sight.hands_off_ms() >= AWAY_MS
    gone = away or tracker.now - piece.hand_ms > LINGERING_GAP_MS
    return noted(tracker, landed=None if gone else piece), ()

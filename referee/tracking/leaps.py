"""How far the look of a piece leaps when a disc is put on it or taken off.

It is told by the rank alone, of which `ranks` asks what it is, and this how far it leaps: an eye to
which the men and kings of a set look alike, or all of them kings, sees that as well.
"""

from __future__ import annotations

from referee.board import Side, is_king
from referee.sight import EMPTY_GROUP, GROUP_OF, Glance
from referee.tracking.heights import seems_changed
from referee.tracking.memory import Tracker, king_looks
from referee.tracking.notes import Looked

SAME_LOOK = 120
"""A second disc changes the look of a man by more."""
LEAPT, LEAPT_BESIDE = 450, 800
"""By so much a look changes by nothing but another disc, whatever rank it tells, and so much says
it too where the hand was not seen to cover the piece. Of 24,219 pieces over or beside which a hand
passed in 206 films of others one in a hundred looked otherwise by 176 afterwards and one in a
thousand by 330; five by more than 434, of which four were played or covered again at once..."""
TURNED = 350
"""...and so much where it then looks of the other rank: of such pieces no more changed by this
than by the first."""
TOLD_TOO = 200
"""...and so much where the piece also looks rather changed than not beside how it looked before:
of 9,868 pieces that hands had passed one looked otherwise by this and said so."""
STILL = 200
"""So plainly a piece looks of its own rank, in centinats, that none is told to be of the other for
a leap of its look, only for its portrait, and where a hand was over it, whose fingers may hide the
lower disc of a king. All of 152 that had got a disc, or lost one, in films looked at most 39 of
their own; two men that had been pushed to the middle of their squares looked one by 304 and 455,
after 1110 and 810."""
OF_ITS_RANK = 500
"""So plainly a piece looks of its own rank, before and after, that no disc has come or gone,
however much its look leaps."""
PLAINLY_SEEN = 400
"""How clearly a piece must be seen for a leap of its look to say anything."""
PEACE_MS = 1_000
"""For so long no hand is near a piece that nobody can be changing."""
CROWN_REACH_MS = 1_000
"""A second disc is put on and taken off by a hand that covers the square; else the eye has
slipped..."""
LOOK_ERRS_MS = 4_500
"""...as it does for a few seconds at most."""
CAME_LEAPT, LEAPT_BY = 600, 1_100
"""What a man must look who has come as a king, and how much more a king than where he came from:
of men that moved in films by others none did that without a second disc."""


def looked(tracker: Tracker) -> tuple[tuple[int, Looked], ...]:
    """See `Ranks.looked`; as an altered piece looks it did not before."""
    known, altered = dict(tracker.ranks.looked), dict(tracker.ranks.altered)
    latest_ms = tracker.now - PEACE_MS
    glances = zip(tracker.position.setup, tracker.sight.squares, strict=True)
    for square, (piece, glance) in enumerate(glances, start=1):
        if piece not in "rwRW" or not glance.visible:
            continue
        if glance.group == EMPTY_GROUP:
            if square in known:
                known[square] = known[square]._replace(stands=False)
        elif max(glance.near_ms, glance.uncovered_ms) <= latest_ms and square not in altered:
            looks = glance.rank(Side.RED if piece in "rR" else Side.WHITE)
            before = known.get(square)
            if (before is None or before.king != looks) and _stands_clearly(glance, piece):
                known[square] = _looked_so(looks, before, is_king(piece))
    return tuple(known.items())


def _looked_so(looks: int, before: Looked | None, king: bool) -> Looked:
    """What is known of a piece, a `king` or none, that looks so much a king at last."""
    if before is None or not before.stands:
        return Looked(looks, looks)
    return Looked(looks, min(looks, before.nearest) if king else max(looks, before.nearest))


def _stands_clearly(glance: Glance, piece: str) -> bool:
    """Whether a piece is clearly seen to stand there: one that is on its way looks of no rank."""
    group, weights = GROUP_OF[piece], glance.weights()
    others = max(weight for other, weight in enumerate(weights) if other != group)
    return glance.visible and weights[group] - others >= PLAINLY_SEEN


def leapt_by_hand(tracker: Tracker, square: int) -> bool:
    """Whether a piece looks so much more, or less, a king since a hand was at it where it stands
    that a disc must have been put on or taken off, whatever rank it looks."""
    before, piece = dict(tracker.ranks.looked).get(square), tracker.piece(square)
    if before is None or not before.stands or not _stands_clearly(tracker.sight.at(square), piece):
        return False
    other, leap = of_other_rank(tracker, square), leap_of(tracker, square)
    if other < -STILL:
        return False
    least = TURNED if other >= 0 else LEAPT
    least = TOLD_TOO if seems_changed(tracker, square) else least
    return leap >= least and _was_at_hand(tracker, square, leap)


def came_leaping(looks: int, before: int) -> bool:
    """Whether a man who looked `before` where he came from looks so much more a king by now that he
    must have got a disc on his way, in centinats."""
    return looks >= CAME_LEAPT and looks - before >= LEAPT_BY


def leap_of(tracker: Tracker, square: int) -> int:
    """By how much more a piece looks of the other rank than it did where it stands, in centinats;
    0 where that is not known."""
    before = dict(tracker.ranks.looked).get(square)
    sign = -1 if is_king(tracker.piece(square)) else 1
    return of_other_rank(tracker, square) - sign * before.nearest if before else 0


def of_other_rank(tracker: Tracker, square: int) -> int:
    """How much a piece looks of the other rank than its own, in centinats."""
    looks = king_looks(tracker, square)
    return -looks if is_king(tracker.piece(square)) else looks


def _was_at_hand(tracker: Tracker, square: int, leap: int) -> bool:
    """Whether a hand was at a piece just before its look leapt so far, and since the last move."""
    glance = tracker.sight.at(square)
    altered_ms = dict(tracker.ranks.altered).get(square, tracker.now)
    hand_ms = glance.near_ms if leap >= LEAPT_BESIDE else glance.covered_ms
    return hand_ms >= max(altered_ms - CROWN_REACH_MS, lain_ms(tracker) + 1)


def lain_ms(tracker: Tracker) -> int:
    """Since when the last move has lain there, as far as that is seen: what a hand changes later is
    none of it, though it was not told yet."""
    last = tracker.last
    if last is None:
        return tracker.played_ms
    end = tracker.sight.at(last.end)
    seen = end.visible and end.group == GROUP_OF[last.piece]
    return min(tracker.played_ms, end.stood_ms) if seen else tracker.played_ms


def turned_by(tracker: Tracker, square: int) -> int:
    """By how much otherwise a piece looks than when it last looked what it is, in centinats; 0
    where it has not looked that where it stands."""
    before = dict(tracker.ranks.ranked).get(square)
    return 0 if before is None else abs(king_looks(tracker, square) - before)


def has_leapt(tracker: Tracker, square: int) -> bool:
    """Whether a piece that has looked what it is looks so much otherwise by now as only another
    disc that comes or goes makes it look, though perhaps not enough to tell of it; not one that has
    plainly looked of its rank all along, as a king may that is pushed."""
    now, by = king_looks(tracker, square), turned_by(tracker, square)
    before = dict(tracker.ranks.ranked).get(square, now)
    king = is_king(tracker.piece(square))
    least = min(before, now) if king else -max(before, now)
    return by >= LEAPT and least < OF_ITS_RANK

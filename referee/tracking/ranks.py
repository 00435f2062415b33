"""Which pieces look what they are, and whether this eye tells kings from men at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from referee.board import is_king, side_of
from referee.sight import GROUP_OF
from referee.tracking.heights import alike
from referee.tracking.leaps import PEACE_MS, looked
from referee.tracking.memory import QUIET_MS, Tracker, king_looks, noted, without, wrong_squares
from referee.tracking.notes import Ranked

RANK_TOLD = 150
"""So clearly the median piece must look its rank before anyone is accused by a rank."""
RANKS_APART = 400
"""So far kings must look from men where the median piece does not: in some light all men look half
kings."""
RANKED, RANKED_MS = 200, PEACE_MS
"""What a piece must look its rank, in centinats, and for how long, before it can look the other one
all of a sudden..."""
CLEARLY_RANKED, CLEARLY_RANKED_MS = 300, 300
"""...and one that looks it so clearly: less long, as a man may be crowned as soon as he has
moved."""


def mind_ranks(tracker: Tracker) -> Tracker:
    """Note which pieces look what they are."""
    ranks, ranked = tracker.ranks, _ranked(tracker)
    known = dict((*ranks.came, *ranks.ranked))
    known |= {square: _weaker(looks, known.get(square, looks)) for square, looks in _faint(tracker)}
    came = without(tuple(known.items()), dict(ranked))
    ranks = replace(ranks, ranked=ranked, came=came, looked=looked(tracker), alike=alike(tracker))
    return noted(tracker, ranks=ranks)


def _faint(tracker: Tracker) -> Iterable[tuple[int, int]]:
    """How the pieces look, no hand being about, that look what they are, if but faintly."""
    if tracker.quiet_ms is None:
        return
    known = dict(tracker.ranks.ranked)
    for square, piece in enumerate(tracker.position.setup, start=1):
        if piece in "rwRW" and square not in known and _is_at_peace(tracker, square):
            glance = tracker.sight.at(square)
            if glance.visible and glance.stacked is is_king(piece):
                yield square, king_looks(tracker, square)


def _ranked(tracker: Tracker) -> Ranked:
    """The pieces that have looked what they are for a while, since they came there, and how clearly
    they have at least."""
    ranked = tracker.ranks.ranked
    known = dict(ranked)
    left = {s for s in wrong_squares(tracker) if tracker.sight.rested_ms((s,)) >= QUIET_MS}
    if left & known.keys():
        return without(ranked, left)
    fresh = {
        square: king_looks(tracker, square)
        for square, glance in enumerate(tracker.sight.squares, start=1)
        if glance.visible
        and (piece := tracker.piece(square)) in "rwRW"
        and glance.stacked is is_king(piece)
        and (_is_at_peace if square in known else _is_ranked)(tracker, square)
    }
    fresh = {square: _weaker(looks, known.get(square, looks)) for square, looks in fresh.items()}
    return ranked if fresh.items() <= known.items() else tuple((known | fresh).items())


def _weaker(looks: int, before: int) -> int:
    """Of two looks that tell the same rank the one that tells it less: an eye that wavers so much
    may waver as much again."""
    return min(looks, before, key=abs)


def _is_ranked(tracker: Tracker, square: int) -> bool:
    """Whether a piece has clearly looked its rank for a while, the board being in order."""
    if tracker.quiet_ms is None:
        return False
    glance, clearly = tracker.sight.at(square), abs(king_looks(tracker, square))
    since_ms = max(glance.uncovered_ms, glance.stacked_ms, tracker.quiet_ms)
    least_ms = CLEARLY_RANKED_MS if clearly >= CLEARLY_RANKED else RANKED_MS
    return clearly >= RANKED and tracker.now - since_ms >= least_ms


def _is_at_peace(tracker: Tracker, square: int) -> bool:
    """Whether nobody can be changing its rank: as it looks now, though that be less clearly, it
    looked before the next hand comes."""
    glance, sight = tracker.sight.at(square), tracker.sight
    since_ms = max(glance.uncovered_ms, glance.stacked_ms, sight.hand_ms)
    return tracker.now - since_ms >= RANKED_MS


def tells_rank(tracker: Tracker, doubted: Collection[int] = ()) -> bool:
    """Whether this eye tells kings from men at all: most pieces, but for those that are doubted,
    clearly look what they are; or kings do, and men look otherwise by far."""
    unknown = tracker.uncrowned.union(doubted)
    men, kings = list[int](), list[int]()
    for square, piece in enumerate(tracker.position.setup, start=1):
        glance = tracker.sight.at(square)
        stands = side_of(piece) and glance.visible and glance.group == GROUP_OF[piece]
        if stands and square not in unknown:
            (kings if is_king(piece) else men).append(king_looks(tracker, square))
    if _middle([*kings, *(-looks for looks in men)]) >= RANK_TOLD:
        return True
    crowned, bare = _middle(kings), _middle(men)
    return bool(men) and crowned >= RANK_TOLD and crowned - bare >= RANKS_APART


def plainest_king(tracker: Tracker) -> int:
    """How much a king the one looks that looks it most; 0 where none is in view."""
    kings = (
        king_looks(tracker, square)
        for square, piece in enumerate(tracker.position.setup, start=1)
        if is_king(piece) and square not in tracker.uncrowned and tracker.sight.at(square).visible
    )
    return max(kings, default=0)


def _middle(looks: list[int]) -> int:
    return sorted(looks)[len(looks) // 2] if looks else 0

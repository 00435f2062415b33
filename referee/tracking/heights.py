"""How many discs each piece has, by how it looks beside how it looked before a hand was at it.

It is told by portraits, and so by what has been added, not by the rank: an eye to which the men and
kings of a set look alike, or all of them kings, sees that as well.
"""

from __future__ import annotations

from operator import itemgetter

from referee.board import SQUARES, is_king, side_of
from referee.observation import Recalled
from referee.rules import Move
from referee.tracking.memory import Tracker, awaited_crown, without
from referee.tracking.notes import UNTOLD, Height

CHANGED = 300
"""So much likelier it must be, in centinats, that a disc has come, or gone, than that none has; or,
where none has, than that one has."""
REMEMBERED = 4
"""So many changes of a piece are kept in mind: it is never set beside an older look."""
SAME = 300
"""So much likelier it must be, in centinats, that a piece has as many discs as before for its rank
not to be heard: of 13 that had another number in films of others none was taken for the same at
all, and on path-traced boards one of a hundred for so much."""
ALIKE = 500
"""The same of one that has come from another square, for it to say something of the next hand."""

Heights = tuple[tuple[int, Height], ...]


def heights(tracker: Tracker, before: tuple[Recalled | None, ...]) -> Heights:
    """See `Ranks.heights`; `before` is what was recalled of the pieces a frame ago."""
    if tracker.sight.recalled == before:
        return tracker.ranks.heights
    known = dict(tracker.ranks.heights)
    for square, old, new in zip(SQUARES, before, tracker.sight.recalled, strict=True):
        if new is not None and new != old and side_of(tracker.piece(square)):
            seen = _seen(known.get(square), new, tracker.now, _due(tracker, square))
            if seen is not None:
                known[square] = seen
    return tuple(known.items())


def _seen(height: Height | None, recalled: Recalled, now: int, due: int) -> Height | None:
    """The height after another look; None of a piece of which no other was ever seen than `due`."""
    stood = height or Height(((recalled.since_ms, due),))
    seen = _after(stood, recalled, now, due)
    return height if seen == stood else seen


def _after(height: Height, recalled: Recalled, now: int, due: int) -> Height:
    """The same after another look. What is not plain leaves it untold how many discs it has; but
    where they were not as many as are `due`, it may well be put right."""
    times = [discs for since_ms, discs in height.seen if since_ms <= recalled.since_ms]
    stood = times[-1] if times else height.seen[0][1]
    likely, plain = _likely(stood, recalled)
    if not plain and height.discs in (due, UNTOLD):
        likely = UNTOLD
    elif not plain and likely != due:
        return height
    open_anew = likely == UNTOLD and not plain and height.since_ms <= recalled.since_ms
    if likely == height.discs and not open_anew:
        return height
    return Height((*height.seen, (now, likely))[-REMEMBERED:])


def _likely(stood: int, recalled: Recalled) -> tuple[int, bool]:
    """How many discs a piece has that had so many, if that was told; and whether it is plain."""
    changed, change = max((2, recalled.more), (1, recalled.less), key=itemgetter(1))
    if stood != UNTOLD:  # a man has no disc to lose, and a king can get none
        changed, change = (2, recalled.more) if stood == 1 else (1, recalled.less)
    return changed if change > 0 else stood, abs(change) >= CHANGED


def _due(tracker: Tracker, square: int) -> int:
    """How many discs a piece has by the record."""
    wears = is_king(tracker.piece(square)) and square not in tracker.uncrowned
    return 2 if wears else 1


def moved(tracker: Tracker, move: Move) -> Heights:
    """The heights when a move has been made, before it is in the record. What was wrong with the
    piece where it stood has been told there, and may have been put right on the way."""
    others = without(tracker.ranks.heights, move.squares)
    recalled = tracker.sight.recalled[move.end - 1]
    if recalled is None:
        return others
    seen = _seen(None, recalled, tracker.now, _due(tracker, move.start))
    return others if seen is None else (*others, (move.end, seen))


def grown(tracker: Tracker, square: int) -> int:
    """How many discs more a piece was seen to have, or less, than it has by the record."""
    height = dict(tracker.ranks.heights).get(square)
    return height.discs - _due(tracker, square) if height and height.discs != UNTOLD else 0


def is_unchanged(tracker: Tracker, square: int, least: int) -> bool:
    """Whether a piece has as many discs as before the last hand, and not plainly others than by the
    record: that is at `least` so much likelier, in centinats, than that it has not."""
    changed = _changed(tracker, square)
    return changed is not None and changed <= -least and not grown(tracker, square)


def untold_since(tracker: Tracker, square: int) -> int | None:
    """Since when it is not told how many discs a piece has, though it was looked at beside how it
    looked before: since the last visit that left that open."""
    height = dict(tracker.ranks.heights).get(square)
    return height.since_ms if height and height.discs == UNTOLD else None


def alike(tracker: Tracker) -> tuple[tuple[int, int], ...]:
    """See `Ranks.alike`."""
    known, sight = dict(tracker.ranks.alike), tracker.sight
    for square, glance, recalled in zip(SQUARES, sight.squares, sight.recalled, strict=True):
        if recalled is None or recalled.since_ms >= glance.stood_ms:
            continue
        if side_of(tracker.piece(square)) and is_unchanged(tracker, square, ALIKE):
            known[square] = recalled.since_ms
    return tuple(known.items())


def was_alike(tracker: Tracker, square: int) -> bool:
    """Whether a piece is set beside how it looked where it came from, and plainly had as many discs
    as there until the last hand was at it: of where it stands that says as much as of there."""
    recalled = tracker.sight.recalled[square - 1]
    return recalled is not None and dict(tracker.ranks.alike).get(square) == recalled.since_ms


def seems_changed(tracker: Tracker, square: int, least: int = 0) -> bool:
    """Whether a piece rather has another number of discs than before the last hand than not: that
    is `least` so much likelier, in centinats."""
    changed = _changed(tracker, square)
    return changed is not None and changed >= least


def looks_the_same(tracker: Tracker, square: int) -> bool:
    """Whether a piece surely looks as before the last hand, whatever rank it looks: the eye errs
    about that for a while."""
    changed = _changed(tracker, square)
    return changed is not None and changed <= -SAME


def _changed(tracker: Tracker, square: int) -> int | None:
    """How much likelier it is, in centinats, that the disc has come or gone that can have."""
    recalled = tracker.sight.recalled[square - 1]
    if recalled is None:
        return None
    if may_wear_unseen(tracker, square):
        return max(recalled.more, recalled.less)
    return recalled.more if _due(tracker, square) == 1 else recalled.less


def may_wear_unseen(tracker: Tracker, square: int) -> bool:
    """Whether a king there may wear a crown that was never seen: he has been answered."""
    return square in tracker.uncrowned and square != awaited_crown(tracker)

"""Second discs that come or go where a piece stands: no move puts one on or takes one off there.

The eye errs about ranks, and always in the same way while a piece stands where it is. So a piece
is never accused by its looks alone: it must have looked what it is, and look otherwise since a
hand was there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.board import Side, is_king, only
from referee.deeds import Deed
from referee.events import Irregularity
from referee.rules import STEPS
from referee.sight import NEVER, Glance
from referee.tracking.heights import (
    grown,
    looks_the_same,
    may_wear_unseen,
    seems_changed,
    was_alike,
)
from referee.tracking.leaps import (
    CROWN_REACH_MS,
    LEAPT_BESIDE,
    LOOK_ERRS_MS,
    SAME_LOOK,
    STILL,
    TOLD_TOO,
    came_leaping,
    lain_ms,
    leap_of,
    leapt_by_hand,
    of_other_rank,
    turned_by,
)
from referee.tracking.loose import lying_aside, seen_twice
from referee.tracking.memory import HANDS_OFF_MS, Step, Tracker, accuse, king_looks, noted
from referee.tracking.notes import Crown
from referee.tracking.places import PUSHED, apart, off_middle
from referee.tracking.ranks import RANKED_MS, tells_rank

UNEARNED_CROWN = 200
"""What a man must look, in centinats, to have got a crown that no move has earned, if a hand was
but beside him: those that nobody has crowned hardly reach 150 in films..."""
LEANING, CROWNED_BY = 50, 400
"""...or so, if one was seen to cover him; and in any case so much more a king than before."""
CAME_CROWNED = 650
"""The same of one that has not been seen to be a man where it stands."""
CROWN_GONE, UNCROWNED_BY = -250, 500
"""What a king must look, and how much less a king than before, to have lost its upper disc..."""
HARDLY_GONE, FAR_UNCROWNED_BY = -100, 800
"""...or so, if it looks so much less one."""
ALTERED_MS, UNCOVERED_MS = 1_000, LOOK_ERRS_MS
"""For how long a piece must look so, and where no hand has been seen to cover it."""
SURELY_CHANGED, LOOKS_SO = 600, 100
"""So much likelier both looks of a piece must say that it has changed before anyone is accused by
that alone, or its rank must look changed by so much as well: of 9,868 pieces that hands had passed
none said 200 without having changed; of 32,558 in later films 26 said so, and 14 of them 300; of
12,666 with the ground around them heard 14 and six, and one, a king pushed askew, 850; of 21,272
later ones four said 300, and one of these 508. In those 76 films no less is told than by 500."""
THOUGH_PUSHED = 1_000
"""The same of a king that was pushed as well."""
DENIES = 400
"""A piece that looks its own rank by so much has got or lost no disc, whatever its portraits say:
see `STILL`; of one that looked so by 780 they said 670 without a disc having come."""
SETTLED_MS = 500
"""A look that a hand has covered is as it will be by then."""
TOGETHER_MS = 2_000
"""Pieces of which several seem to have got, or lost, a disc in so short a time are seen otherwise
by a camera that looks for its focus, or in another light."""
KEPT_MS = 1_500
"""A piece has stood for so long at the least when the eye keeps in mind how it looks there: what is
told sooner is told by how it looked elsewhere."""
ASIDE = 150
"""1/1000 squares from the middle of its square at which a disc may lie half on another cell: there
it looks higher, or lower, than it is."""
FICKLE_MS = 120_000
"""For so long a square is not trusted on which the rank has changed without a hand."""


def mind_altered(tracker: Tracker) -> Step:
    """A man away from his king-row that has got a second disc, or a king that has lost its own
    (3.9: both discs move together)."""
    altered, known, places = tuple(_since(tracker)), dict(tracker.ranks.lay), tracker.handled.places
    lay = tuple((square, known.get(square, places[square - 1])) for square, _ in altered)
    tracker = noted(tracker, ranks=replace(tracker.ranks, altered=altered, lay=lay))
    if tracker.sight.hands_off_ms() < HANDS_OFF_MS:
        return tracker, ()
    beside = (*seen_twice(tracker), *lying_aside(tracker))
    ripe = [
        square
        for square, ms in tracker.ranks.altered
        if tracker.now - ms >= _patience(tracker, square)
        and not _is_denied(tracker, square)
        and not _misleads(tracker, square)
        and not _is_askew(tracker, square)
        and not _may_stand_behind(tracker, square)
        and square not in beside
    ]
    if ripe and not tells_rank(tracker, ripe):
        ripe = [square for square in ripe if _changed_by_hand(tracker, square)]
    if not ripe or tracker.incident or tracker.is_adjusting:
        return tracker, ()
    bare = tuple(square for square in ripe if _is_king(tracker, square))
    kind = Irregularity.CROWN_REMOVED if bare else Irregularity.CROWN_UNEARNED
    squares = bare or tuple(ripe)
    changes = tuple((square, tracker.sight.at(square).group) for square in squares)
    side = only({_who_altered(tracker, square) for square in squares})
    return accuse(tracker, Deed(kind, side, squares, ()), changes)


def _is_denied(tracker: Tracker, square: int) -> bool:
    """Whether a piece surely looks as before the last hand, and its rank has not leapt to the other
    one, farther than an eye ever errs."""
    leap = max(leap_of(tracker, square), turned_by(tracker, square))
    far = leap >= LEAPT_BESIDE and of_other_rank(tracker, square) >= 0
    return looks_the_same(tracker, square) and not far and not _is_recalled_bare(tracker, square)


def _is_recalled_bare(tracker: Tracker, square: int) -> bool:
    """Whether a king is set beside how he looked before he was crowned: he has not been seen at
    peace since."""
    crown, recalled = dict(tracker.ranks.crowned).get(square), tracker.sight.recalled[square - 1]
    return crown is not None and recalled is not None and recalled.since_ms < crown.since_ms


def _misleads(tracker: Tracker, square: int) -> bool:
    """Whether a piece may look of the other rank only because of where it lies, or that is not
    plain: what is told by how it looked before does not hang on that."""
    offset = tracker.sight.offsets[square - 1]
    aside = offset is None or off_middle(offset) >= ASIDE
    return aside and not grown(tracker, square)


def _is_askew(tracker: Tracker, square: int) -> bool:
    """Whether a king was pushed as well, so that his discs may lie askew and look like one, and
    throw a shadow like one's, and it is not quite sure that he has lost one [in 72 films of others
    who took a disc off moved the other by 64 at most; of three kings put askew, 111 to 198 from
    where they lay, whose portraits said so by -365, 120 and 400, one's with his shadow by 850, it
    was told that they had]."""
    lay, now = dict(tracker.ranks.lay).get(square), tracker.sight.offsets[square - 1]
    pushed = _is_king(tracker, square) and apart(lay, now) >= PUSHED
    recalled = tracker.sight.recalled[square - 1] is not None
    return pushed and recalled and not seems_changed(tracker, square, THOUGH_PUSHED)


def _may_stand_behind(tracker: Tracker, square: int) -> bool:
    """Whether another king may hide from the camera the lower disc of one who seems to have lost
    his upper one: they stand side by side, and he has not been seen so before, nor looked a king
    so."""
    if not _is_king(tracker, square):
        return False
    kept, glance = tracker.sight.recalled[square - 1], tracker.sight.at(square)
    known = (kept.since_ms if kept is not None else NEVER, _turned_ms(glance) - SETTLED_MS)
    since_ms = max(ms if ms > glance.stood_ms else NEVER for ms in known)
    beside = (near for near in STEPS["R"][square] if is_king(tracker.piece(near)))
    return any(tracker.sight.at(near).stood_ms > since_ms for near in beside)


def _turned_ms(glance: Glance) -> int:
    """When a king came to look a man whom a hand had hidden; never, if he looks none."""
    hidden = glance.stacked_touched and glance.hidden_ms <= glance.stacked_ms
    return glance.stacked_ms if hidden and not glance.stacked else NEVER


def _who_altered(tracker: Tracker, square: int) -> Side | None:
    """Whose hand hid a piece just before it came to look of the other rank, the other player's
    having been away for so long that it was seen before how it looked; nobody's after a dark, nor
    where it has been kept in mind since how it looked."""
    sight, glance = tracker.sight, tracker.sight.at(square)
    side, kept = glance.over, sight.recalled[square - 1]
    if side is None or glance.arm is not side or glance.both or sight.unnamed:
        return None
    if kept is not None and kept.since_ms > glance.hidden_ms:
        return None
    hidden_ms, since_ms = glance.hidden_ms, dict(tracker.ranks.altered)[square]
    alone = sight.hand_of_ms(side.other) < hidden_ms - RANKED_MS
    last = glance.covered_ms <= sight.hand_of_ms(side)
    there = last and sight.visit(side).was_between(hidden_ms, hidden_ms)
    turned = hidden_ms <= glance.stacked_ms or _changed_by_hand(tracker, square)
    before = since_ms < hidden_ms or _looked_so_before(tracker, square)
    return side if alone and there and turned and not before else None


def _looked_so_before(tracker: Tracker, square: int) -> bool:
    """Whether a piece that had looked what it is came to look of the other rank just before it was
    last hidden: by a hand that was not seen, or by a slip of the eye."""
    glance, before = tracker.sight.at(square), dict(tracker.ranks.looked).get(square)
    king = _is_king(tracker, square)
    if before is None or (before.nearest > 0) is not king or glance.stacked is king:
        return False
    return 0 < glance.hidden_ms - glance.stacked_ms <= LOOK_ERRS_MS


def _changed_by_hand(tracker: Tracker, square: int) -> bool:
    """Whether it is told without its rank that a disc was put on a piece, or taken off."""
    changed = grown(tracker, square) or leapt_by_hand(tracker, square)
    return bool(changed) or _has_lost_unseen(tracker, square)


def _since(tracker: Tracker) -> Iterable[tuple[int, int]]:
    """The squares whose pieces have come to look of the other rank, and since when; a hand that
    hides one does not end it."""
    now, known = set(_altered(tracker)), dict(tracker.ranks.altered)
    for square in sorted(now | known.keys()):
        if square in now or not tracker.sight.at(square).visible:
            yield square, known.get(square, tracker.now)


def _patience(tracker: Tracker, square: int) -> int:
    """For how long a piece must look so, in milliseconds; one that has come so was in a hand."""
    if grown(tracker, square):
        return ALTERED_MS
    glance = tracker.sight.at(square)
    by_hand = glance.covered_ms <= tracker.sight.hand_ms  # not by the dark, after which eyes err
    covered = by_hand and glance.covered_ms >= _reached_ms(tracker, glance)
    stood = square in dict(tracker.ranks.ranked)
    return UNCOVERED_MS if stood and not covered else ALTERED_MS


def _altered(tracker: Tracker) -> Iterable[int]:
    """The squares whose pieces have got, or lost, a disc; one that awaits its crown has none to
    lose."""
    by_portraits = (square for square, _ in tracker.ranks.heights if _has_grown(tracker, square))
    squares = (*by_portraits, *_looks_altered(tracker))
    yield from (square for square in squares if square not in tracker.uncrowned)
    yield from (square for square in tracker.uncrowned if _has_lost_unseen(tracker, square))


def _has_lost_unseen(tracker: Tracker, square: int) -> bool:
    """Whether a king has plainly lost a crown that was never seen, since a hand covered him."""
    if not may_wear_unseen(tracker, square) or not tracker.sight.at(square).visible:
        return False
    glance, kept = tracker.sight.at(square), tracker.sight.recalled[square - 1]
    here = kept is not None and glance.covered_ms > kept.since_ms > glance.stood_ms
    if here and seems_changed(tracker, square, THOUGH_PUSHED):
        return True
    return leapt_by_hand(tracker, square) and leap_of(tracker, square) >= LEAPT_BESIDE


def _has_grown(tracker: Tracker, square: int) -> bool:
    """Whether a piece has got, or lost, a disc by how it looks beside how it looked before."""
    if not grown(tracker, square) or _looks_still_so(tracker, square):
        return False
    since_ms = dict(tracker.ranks.heights)[square].since_ms
    others = [other for at, other in tracker.ranks.heights if at != square and grown(tracker, at)]
    if any(abs(other.since_ms - since_ms) <= TOGETHER_MS for other in others):
        return False
    if _came_so(tracker, square) and not _looks_so_by_hand(tracker, square):
        return _has_grown_since_it_came(tracker, square)
    if square in dict(tracker.ranks.altered) or seems_changed(tracker, square, SURELY_CHANGED):
        return True
    rested = tracker.now - tracker.sight.at(square).uncovered_ms >= SETTLED_MS
    fresh = tracker.now - since_ms <= LOOK_ERRS_MS
    return fresh and rested and leap_of(tracker, square) >= LOOKS_SO


def _looks_still_so(tracker: Tracker, square: int) -> bool:
    """Whether a piece plainly looks of its own rank, and no hand has hidden it since it was last
    seen otherwise than now, or it does not look changed any more: under a hand it may have. None
    has that looks so very plainly, where the eye tells ranks."""
    looks = of_other_rank(tracker, square)
    if looks < -DENIES and tells_rank(tracker, (square,)):
        return True
    *_, (before_ms, _), (told_ms, _) = dict(tracker.ranks.heights)[square].seen
    recalled = tracker.sight.recalled[square - 1]
    hidden = tracker.sight.at(square).covered_ms >= before_ms
    beside_former = recalled is not None and recalled.since_ms < told_ms
    changed = not beside_former or seems_changed(tracker, square, TOLD_TOO)
    return looks < -STILL and not (hidden and changed)


def _came_so(tracker: Tracker, square: int) -> bool:
    """Whether how many discs a piece has was told beside how it looked on another square, which
    tells less."""
    told_ms = dict(tracker.ranks.heights)[square].since_ms
    recalled = tracker.sight.recalled[square - 1]
    stood_ms = tracker.sight.at(square).stood_ms
    beside_another = recalled is not None and recalled.since_ms < stood_ms
    return beside_another or told_ms < stood_ms + KEPT_MS


def _has_grown_since_it_came(tracker: Tracker, square: int) -> bool:
    """Whether a piece is plainly no more what it plainly was when it had come, beside how it looked
    on another square; or less plainly, and looks of the other rank."""
    turned = of_other_rank(tracker, square) >= 0
    changed = turned or seems_changed(tracker, square, SURELY_CHANGED)
    return changed and was_alike(tracker, square)


def _looks_so_by_hand(tracker: Tracker, square: int) -> bool:
    """Whether a piece looks of the other rank, and has done so since the hand left it that brought
    it."""
    glance = tracker.sight.at(square)
    came = tracker.now - glance.stood_ms <= LOOK_ERRS_MS
    at_once = glance.stacked_ms - glance.near_ms <= CROWN_REACH_MS
    known = (came and at_once) or square in dict(tracker.ranks.altered)
    return known and of_other_rank(tracker, square) >= UNEARNED_CROWN


def _looks_altered(tracker: Tracker) -> Iterable[int]:
    """Those whose pieces look otherwise than they did."""
    for square, before in tracker.ranks.ranked:
        by_hand = _uncrowned_by_hand if _is_king(tracker, square) else _crowned_by_hand
        if by_hand(tracker, square, before):
            yield square
    for square, before in tracker.ranks.came:
        if not _is_king(tracker, square) and _crowned_on_its_way(tracker, square, before):
            yield square
    yield from (s for s, crown in tracker.ranks.crowned if _uncrowned_at_once(tracker, s, crown))
    known, reached_ms = dict(tracker.ranks.altered), tracker.now - CROWN_REACH_MS
    for square, _ in tracker.ranks.looked:
        at_hand = square in known or tracker.sight.at(square).near_ms >= reached_ms
        if at_hand and leapt_by_hand(tracker, square):
            yield square


def _is_king(tracker: Tracker, square: int) -> bool:
    return is_king(tracker.piece(square))


def _crowned_on_its_way(tracker: Tracker, square: int, before: int) -> bool:
    """Whether a man who looked one where he stood has moved and come as a king: the hand that moved
    him has put the disc on, and no other need have been there."""
    looks = king_looks(tracker, square)
    moved = square in {move.end for move in tracker.plies[-2:]}
    wavers = _wavers(tracker, tracker.sight.at(square))
    plainly = looks >= CAME_CROWNED and looks - before >= CROWNED_BY
    return moved and not wavers and (plainly or came_leaping(looks, before))


def _crowned_by_hand(tracker: Tracker, square: int, before: int) -> bool:
    """Whether a man looks crowned, and a hand may have put a disc on him: it was beside him, and
    over him if he does not clearly look it, when the look changed and since the last move."""
    glance, looks = tracker.sight.at(square), king_looks(tracker, square)
    since_ms = _reached_ms(tracker, glance)
    if _wavers(tracker, glance) or not glance.stacked_touched or glance.near_ms < since_ms:
        return False
    if not _is_news(tracker, square):
        return False
    # What errs about a man errs about him crowned as well: the change says more than the look.
    covered = glance.covered_ms >= since_ms
    return looks - before >= CROWNED_BY and looks >= (LEANING if covered else UNEARNED_CROWN)


def _uncrowned_by_hand(tracker: Tracker, square: int, before: int) -> bool:
    """Whether a king looks a man since a hand was at it, and looked a king before. That the rank of
    another piece has wavered there does not matter: of this one it is known."""
    glance, looks = tracker.sight.at(square), king_looks(tracker, square)
    wavered = _wavers(tracker, glance) and glance.fickle_ms >= glance.stood_ms
    if wavered or not glance.stacked_touched or glance.stacked:
        return False
    touched = glance.near_ms >= _reached_ms(tracker, glance) and _is_news(tracker, square)
    gone = looks <= CROWN_GONE and before - looks >= UNCROWNED_BY
    leapt = looks <= HARDLY_GONE and before - looks >= FAR_UNCROWNED_BY
    return touched and (gone or leapt)


def _uncrowned_at_once(tracker: Tracker, square: int, crown: Crown) -> bool:
    """Whether a king looks in every way as before he was crowned, since a hand has hid him again:
    the disc that plainly changed his look is off."""
    glance, recalled = tracker.sight.at(square), tracker.sight.recalled[square - 1]
    if recalled is None or not _is_recalled_bare(tracker, square):
        return False
    hidden = glance.covered_ms > max(crown.since_ms, lain_ms(tracker))
    as_before = king_looks(tracker, square) <= crown.bare + SAME_LOOK
    plainly = crown.worn >= crown.bare + UNCROWNED_BY
    return hidden and as_before and plainly and recalled.more <= -SURELY_CHANGED


def _is_news(tracker: Tracker, square: int) -> bool:
    """Whether a piece has come to look so since the last move: no hand that comes later has changed
    what looked so before."""
    since_ms = tracker.sight.at(square).stacked_ms
    return since_ms > lain_ms(tracker) or square in dict(tracker.ranks.altered)


def _reached_ms(tracker: Tracker, glance: Glance) -> int:
    """From when on a hand at the square may have changed the piece's rank."""
    return max(glance.stacked_ms - CROWN_REACH_MS, lain_ms(tracker) + 1)


def _wavers(tracker: Tracker, glance: Glance) -> bool:
    """Whether the rank of a piece on the square has seemed to change without a hand."""
    return tracker.now - glance.fickle_ms < FICKLE_MS

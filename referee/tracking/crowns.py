"""Second discs: put on, owed, and put on where nobody has earned one."""

from __future__ import annotations

from dataclasses import replace

from referee.board import is_king, side_of
from referee.deeds import Deed
from referee.events import Crowned, Irregular, Irregularity
from referee.explanation import Explanation
from referee.rules import Move
from referee.tracking.memory import (
    HANDS_OFF_MS,
    Bare,
    Incident,
    Step,
    Tracker,
    accuse,
    king_looks,
    lawful_texts,
)
from referee.tracking.offences import ACCUSE_MARGIN, rested

CROWN_SEEN_MS = 160
CROWN_SEEN = 200
CROWN_DOUBT = -100
CROWN_MISSING = -300
"""How much a piece must look a king rather than a man, in centinats."""
REPLY_MS = 700
"""A hand takes so long at most from where it enters to the piece that it moves."""
SAME_LOOK = 120
"""A second disc changes the look of a man by more."""
CROWN_MISSING_MS = 900
CROWN_DOUBT_MS = 1_500
UNEARNED_CROWN = 250
UNEARNED_MS = 1_000
CROWN_REACH_MS = 1_000
"""A second disc is put on by a hand that covers the square; else the eye has slipped."""
MANLIKE, MANLIKE_MS = -200, 1_000
"""What a man must look, and for how long, before he can look crowned all of a sudden."""
FICKLE_MS = 120_000
"""For so long a square is not trusted on which the rank has changed without a hand."""


def mind_crowns(tracker: Tracker) -> Step:
    """Notice the second disc on a man that had reached its king-row (3.9)."""
    tracker = replace(tracker, manlike=_manlike(tracker), bare=_bare(tracker))
    seen = tuple(
        square
        for square in sorted(tracker.uncrowned)
        if tracker.sight.at(square).visible
        and king_looks(tracker, square) >= CROWN_SEEN
        and tracker.sight.clear_ms((square,)) >= CROWN_SEEN_MS
    )
    if not seen:
        return tracker, ()
    tracker = replace(tracker, uncrowned=tracker.uncrowned - set(seen))
    return tracker, tuple(Crowned(tracker.now, square) for square in seen)


def _bare(tracker: Tracker) -> Bare | None:
    """How the man that awaits its crown looked as long as no hand had been there."""
    square = _awaited_crown(tracker)
    if square is None:
        return None
    glance, bare = tracker.sight.at(square), tracker.bare
    if glance.hidden_ms > tracker.played_ms:
        first = bare is not None and bare.visited_ms is None
        return replace(bare, visited_ms=glance.hidden_ms) if bare and first else bare
    steady = glance.visible and tracker.sight.clear_ms((square,)) >= CROWN_SEEN_MS
    return Bare(square, king_looks(tracker, square)) if steady else bare


def _manlike(tracker: Tracker) -> frozenset[int]:
    """The squares whose man has looked one for a while, since it came there."""
    if tracker.quiet_ms is None:
        return tracker.manlike
    now, setup = tracker.now, tracker.position.setup
    fresh = {
        square
        for square, glance in enumerate(tracker.sight.squares, start=1)
        if glance.visible
        and not glance.stacked
        and setup[square - 1] in "rw"
        and now - max(glance.uncovered_ms, glance.stacked_ms, tracker.quiet_ms) >= MANLIKE_MS
        and king_looks(tracker, square) <= MANLIKE
    }
    return tracker.manlike | fresh if fresh - tracker.manlike else tracker.manlike


def crown_allows(tracker: Tracker, moves: tuple[Move, ...]) -> bool:
    """A reply is held while the man just arrived clearly lacks its crown (3.9)."""
    square = _awaited_crown(tracker)
    if square is None or square in moves[0].captured or len(moves) > 1:
        return True
    if tracker.incident and tracker.incident.kind is Irregularity.CROWN_MISSING:
        return False
    looks = king_looks(tracker, square)
    if looks > CROWN_DOUBT:
        return tracker.sight.at(square).visible or tracker.guess_age >= CROWN_DOUBT_MS
    patient = tracker.guess_age >= CROWN_DOUBT_MS
    return patient and (looks > CROWN_MISSING or not _is_bare(tracker, moves[0]))


def _awaited_crown(tracker: Tracker) -> int | None:
    """Where the last move made a king whose crown has not been seen."""
    if not tracker.plies or not tracker.plies[-1].crowns:
        return None
    square = tracker.plies[-1].end
    return square if square in tracker.uncrowned else None


def _visited(tracker: Tracker) -> bool:
    """Whether a hand has been there since the man arrived: it may have put the disc on."""
    square = _awaited_crown(tracker)
    return square is not None and tracker.sight.at(square).hidden_ms > tracker.played_ms


def crown_lacks(tracker: Tracker, reply: Move) -> bool:
    """Whether a man that arrived with the last move is answered without having been crowned."""
    square = _awaited_crown(tracker)
    return (
        square is not None
        and square not in reply.captured
        and tracker.sight.at(square).visible
        and king_looks(tracker, square) <= CROWN_MISSING
        and _is_bare(tracker, reply)
    )


def _is_bare(tracker: Tracker, reply: Move) -> bool:
    """Whether no hand can have crowned the man before the reply: none has been there, or only the
    one that replied, and the man looks as it did.

    Whether one disc or two lie there an eye may see wrongly from one place for ever; that
    nothing has changed it sees rightly."""
    bare = tracker.bare
    if bare is None or bare.visited_ms is None:
        return not _visited(tracker)
    start = tracker.sight.at(reply.start)
    began_ms = min(start.turned_ms, max(start.hidden_ms, start.near_ms - REPLY_MS))
    same = king_looks(tracker, bare.square) <= bare.looks + SAME_LOOK
    return same and bare.visited_ms >= began_ms - REPLY_MS


def crown_missing(tracker: Tracker, reply: Move) -> Irregular:
    """The announcement of a reply made before the crown was put on."""
    square = _awaited_crown(tracker)
    assert square is not None
    return Irregular(
        tracker.now,
        Irregularity.CROWN_MISSING,
        tracker.position.turn,
        (square, reply.start, reply.end),
        lawful_texts(tracker.position),
    )


def mind_held(tracker: Tracker, explanation: Explanation) -> Step:
    """Announce a reply made before the crown was put on; it is held, not illegal (3.9)."""
    best = explanation.best
    if len(best.moves) != 1 or best.deed or not crown_lacks(tracker, best.moves[0]):
        return tracker, ()
    known = tracker.incident is not None and tracker.incident.changes == best.changes
    if known or explanation.margin(1) < ACCUSE_MARGIN:
        return tracker, ()
    if not rested(tracker, best, CROWN_MISSING_MS):
        return tracker, ()
    incident = Incident(Irregularity.CROWN_MISSING, best.changes)
    return replace(tracker, incident=incident), (crown_missing(tracker, best.moves[0]),)


def mind_unearned(tracker: Tracker) -> Step:
    """A man away from its king-row that has got a second disc."""
    if tracker.sight.hands_off_ms() < HANDS_OFF_MS:
        return tracker, ()
    since = dict(tracker.crowns)
    crowns = tuple(
        (square, since.get(square, tracker.now))
        for square, piece in enumerate(tracker.position.setup, start=1)
        if side_of(piece)
        and not is_king(piece)
        and tracker.sight.at(square).visible
        and king_looks(tracker, square) >= UNEARNED_CROWN
        and _crowned_by_hand(tracker, square)
    )
    tracker = replace(tracker, crowns=crowns)
    ripe = tuple(square for square, began in crowns if tracker.now - began >= UNEARNED_MS)
    if not ripe or tracker.incident or tracker.is_adjusting:
        return tracker, ()
    deed = Deed(Irregularity.CROWN_UNEARNED, None, ripe, ())
    return accuse(tracker, deed, ())


def _crowned_by_hand(tracker: Tracker, square: int) -> bool:
    """Whether a hand may have put a disc on a man that was known to be one: it covered the very
    square when the look changed, made no move then, and the eye does not waver there."""
    glance = tracker.sight.at(square)
    return (
        square in tracker.manlike
        and glance.stacked_touched
        and glance.covered_ms >= glance.stacked_ms - CROWN_REACH_MS
        and glance.hidden_ms > tracker.played_ms
        and tracker.now - glance.fickle_ms >= FICKLE_MS
    )

"""The crowns that moves have earned: put on, or owed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from referee.board import Side
from referee.events import Crowned, Irregular, Irregularity
from referee.explanation import Explanation
from referee.rules import Line, Move
from referee.sight import NEVER, SLOW_FRAME_MS
from referee.tracking.heights import CHANGED, grown, is_unchanged, untold_since
from referee.tracking.leaps import LEAPT, SAME_LOOK
from referee.tracking.memory import (
    ACCUSE_MARGIN,
    HANDS_OFF_MS,
    QUIET_MS,
    Step,
    Tracker,
    awaited_crown,
    king_looks,
    lawful_texts,
    noted,
    without,
)
from referee.tracking.notes import Bare, Crown, Incident
from referee.tracking.patience import rested
from referee.tracking.ranks import plainest_king, tells_rank

CROWN_SEEN, CROWN_SEEN_MS = 200, 160
"""What a man must look, in centinats, and for how long, to have been crowned..."""
CROWN_BESIDE_MS = 1_500
"""...and for how long while a hand is beside it, whose fingers may look like a disc."""
CROWN_DOUBT = -100
"""A man in view that looks more a king than this, in centinats, may have his crown."""
MORE_A_KING = 25
"""By more the look of such a man changes only if something does [39 by a crown that was seen from 8
degrees]."""
CROWN_MISSING = -150
"""What a man who lacks it looks at most."""
HARDLY_A_MAN = 100
"""The same where he looks as he did where he came from: in some light all men look half kings."""
CROWN_MISSING_UNSEEN = -300
"""The same where a hand may have crowned him between two frames."""
REPLY_MS = 200
"""A hand takes so long at most from where it enters to the piece that it moves: one that was over
the man for longer before it moved another may have crowned him."""
LOOKED_MS = 700
"""For so long the man must have been seen."""
PLAINLY = -450
"""What a man looks who plainly is one, whatever hand has passed over him: of 235 men crowned in
films none looked so afterwards, and one less than -300."""
CROWN_LOOK = 220
"""What fingers have put on that hardly hid him changes it by more: of 235 men crowned in films
one looked otherwise by less, and one in fifty by less than 409."""
SURELY = 500
"""By so much more likely than not, in centinats, a man whom somebody is accused of not having
crowned must have no disc more: of 24 crowned ones in films, as few as 246 and 343 said so of two,
in pictures from nearly straight above."""
PLAINLY_SAME = -700
"""What portraits say of a man, in centinats, whom a second disc cannot have changed by little [of
86 pieces in 76 films of others that had got or lost one they said 366 at least]."""
LEAPT_TO, LEAPT_FROM = 400, 800
"""What a man must look, and by how much more a king than where he came from, for portraits not to
be believed which say that he has no disc more."""
BOTH_SAY, EACH_SAYS = -550, -100
"""What rank and portraits must say together and each for itself, in centinats, to tell that a man
has no second disc."""
CROWN_MISSING_MS = 1_100
"""For so long the reply must have rested before anyone is told that the crown is missing: who lays
it beside the board has his hand off to fetch it [in 76 films of others the same are told as by
1,500, and no player more is accused; of those who had replied one had the disc in his hand after
1,400 ms, one after 1,600]."""
CROWN_DOUBT_MS = 1_500
"""After so long a reply is played though the crown was not seen."""


def mind_crowns(tracker: Tracker) -> Step:
    """Notice the second disc on a man that had reached its king-row (3.9)."""
    tracker = noted(tracker, crowning=replace(tracker.crowning, bare=_bare(tracker)))
    seen = tuple(
        square
        for square in sorted(tracker.uncrowned)
        if tracker.sight.at(square).visible
        and _shows_crown(tracker, square)
        and _is_seen_well(tracker, square)
    )
    if not seen:
        return tracker, ()
    ranks = replace(
        tracker.ranks,
        crowned=(*without(tracker.ranks.crowned, seen), *_crowns(tracker, seen)),
        heights=without(tracker.ranks.heights, seen),
    )
    tracker = replace(tracker, uncrowned=tracker.uncrowned - set(seen), ranks=ranks)
    return tracker, tuple(Crowned(tracker.now, square) for square in seen)


def _crowns(tracker: Tracker, seen: Iterable[int]) -> Iterator[tuple[int, Crown]]:
    """How those looked who are seen to be crowned now, and looked men where they stand."""
    looked = dict(tracker.ranks.looked)
    for square in seen:
        if square in looked:
            yield square, Crown(tracker.now, looked[square].nearest, king_looks(tracker, square))


def _shows_crown(tracker: Tracker, square: int) -> bool:
    """Whether a man that awaits his crown looks a king, and not as he did before; or has plainly
    got a second disc, but for one who plainly looks a man, as he did where he came from."""
    least, bare = CROWN_SEEN, tracker.crowning.bare
    if grown(tracker, square):
        looks = king_looks(tracker, square)
        came = None if bare is None or bare.square != square else bare.came
        return came is None or looks > min(PLAINLY, came + CROWN_LOOK)
    if bare is not None and bare.square == square and bare.misread is not None:
        least = max(least, bare.misread + SAME_LOOK)
    return king_looks(tracker, square) >= least and not _is_as_he_came(tracker, square)


def _is_as_he_came(tracker: Tracker, square: int) -> bool:
    """Whether a man on his king-row surely has no disc more than where he came from, whatever rank
    that looks, and his look has not leapt since a hand was there."""
    bare, recalled = tracker.crowning.bare, tracker.sight.recalled[square - 1]
    if bare is None or bare.square != square or recalled is None:
        return False
    if not is_unchanged(tracker, square, SURELY):
        return False
    if _has_leapt(bare, king_looks(tracker, square)):
        return False  # nobody is accused where rank and portraits plainly contradict each other
    came_from = recalled.since_ms < tracker.sight.at(square).stood_ms
    if not came_from and not _was_kept_bare(tracker, bare, recalled.since_ms):
        return False
    return bare.visited_ms is None or king_looks(tracker, square) <= bare.before + SAME_LOOK


def _has_leapt(bare: Bare, looks: int) -> bool:
    """Whether a man plainly looks a king who looked none by far where he came from."""
    return bare.came is not None and looks >= LEAPT_TO and looks - bare.came >= LEAPT_FROM


def _both_say_bare(tracker: Tracker, bare: Bare) -> bool:
    """Whether rank and portraits tell together that a man has not been crowned: he looks one, and
    no more a king than where he came from, and beside how he looked there nothing has come."""
    glance, recalled = tracker.sight.at(bare.square), tracker.sight.recalled[bare.square - 1]
    if recalled is None or recalled.since_ms >= min(glance.stood_ms, tracker.played_ms):
        return False
    looks = max(bare.looks, king_looks(tracker, bare.square))
    same = bare.came is None or looks <= bare.came + SAME_LOOK
    each = bare.known_ms >= LOOKED_MS and max(looks, recalled.more) <= EACH_SAYS
    return same and each and bare.looks + recalled.more <= BOTH_SAY


def _is_surely_bare(tracker: Tracker, bare: Bare) -> bool:
    same = _is_as_he_came(tracker, bare.square) and not _has_come_to_look_a_king(tracker, bare)
    return same or _both_say_bare(tracker, bare)


def _has_come_to_look_a_king(tracker: Tracker, bare: Bare) -> bool:
    """Whether a man looked one until a hand came over him, and looks a king since, or one more than
    before where ranks hardly differ: a thin disc, or one that is seen from nearly straight above,
    may change his portrait by little, but not by next to nothing."""
    looks, recalled = king_looks(tracker, bare.square), tracker.sight.recalled[bare.square - 1]
    same = recalled is not None and recalled.more <= PLAINLY_SAME
    more = looks > max(CROWN_DOUBT, bare.before + MORE_A_KING) and not same
    return bare.visited_ms is not None and bare.before < 0 and (looks > 0 or more)


def _was_kept_bare(tracker: Tracker, bare: Bare, kept_ms: int) -> bool:
    """Whether a portrait on his king-row shows a man who has not been crowned: no hand had come to
    him by then, and he surely had no disc more than where he came from, or else seemed to have
    none, and none that hardly hid him has perhaps put one on."""
    if bare.visited_ms is not None and kept_ms >= bare.visited_ms:
        return False
    if bare.misread is not None:
        return True
    if bare.unseen or bare.returned or bare.more >= 0:
        return False
    untold_ms = untold_since(tracker, bare.square)
    told = untold_ms is None or untold_ms <= tracker.played_ms
    return told and tracker.played_ms <= kept_ms


def _is_seen_well(tracker: Tracker, square: int) -> bool:
    """Whether a crown that shows on a square is no finger."""
    glance, clear_ms = tracker.sight.at(square), tracker.sight.clear_ms((square,))
    if tracker.now - glance.near_ms >= QUIET_MS:
        return clear_ms >= CROWN_SEEN_MS
    return glance.stacked and min(clear_ms, tracker.now - glance.stacked_ms) >= CROWN_BESIDE_MS


def _bare(tracker: Tracker) -> Bare | None:
    """How the man that awaits its crown has looked, before and since a hand was there."""
    square, bare = awaited_crown(tracker), tracker.crowning.bare
    if square is None or bare is None:
        return None
    glance, now = tracker.sight.at(square), tracker.now
    beside = tracker.sight.recalled[square - 1]
    if beside is not None and beside.since_ms < glance.stood_ms:
        bare = replace(bare, more=beside.more)
    if _is_as_he_came(tracker, square):
        bare = _found_bare(bare, king_looks(tracker, square), now)
    if now - bare.seen_ms > SLOW_FRAME_MS:  # no hand puts a disc on in less
        bare = replace(bare, unseen=True)
    hidden = glance.hidden_ms > max(tracker.played_ms, bare.bare_ms)
    if hidden and bare.visited_ms is None:
        return _visited(bare, glance.hidden_ms, now)
    if not glance.visible or tracker.sight.clear_ms((square,)) < CROWN_SEEN_MS:
        return replace(bare, seen_ms=now)
    looks = king_looks(tracker, square)
    leaps = looks > max(bare.least + CROWN_LOOK, PLAINLY) and bare.known_ms >= LOOKED_MS
    about = now - glance.near_ms < HANDS_OFF_MS
    if leaps and about and bare.visited_ms is None:  # by fingers, which need not hide him
        return _visited(bare, now, now)
    return _looked_at(bare, looks, now)


def _found_bare(bare: Bare, looks: int, now: int) -> Bare:
    """The same when he surely has no disc more than where he came from: a hand that was over him
    before he was first seen has not crowned him, nor has one since which he has looked a man for a
    while."""
    found = replace(bare, misread=looks)
    seen = bare.known_ms >= LOOKED_MS and bare.looks <= CROWN_MISSING
    if bare.visited_ms is None or (bare.visited_ms != NEVER and not seen):
        return found
    return replace(found, visited_ms=None, bare_ms=now)


def _visited(bare: Bare, came_ms: int, now: int) -> Bare:
    """The same when a hand has come over the man: how he looks is to be seen anew."""
    return replace(bare, seen_ms=now, looks=0, known_ms=0, visited_ms=came_ms, before=bare.looks)


def _looked_at(bare: Bare, looks: int, now: int) -> Bare:
    """The mean of the last second or so: single readings of a rank waver."""
    pace = now - bare.seen_ms
    known = min(bare.known_ms, LOOKED_MS)
    mean = (bare.looks * known + looks * pace) // (known + pace) if pace else looks
    least = min(bare.least, mean) if known >= LOOKED_MS else bare.least
    return replace(bare, seen_ms=now, looks=mean, known_ms=bare.known_ms + pace, least=least)


def crown_allows(tracker: Tracker, moves: Line) -> bool:
    """A reply is held while the man just arrived clearly lacks its crown (3.9), where that comes
    first."""
    square = awaited_crown(tracker)
    if not tracker.crown_first or square is None:
        return True
    if square in moves[0].captured or len(moves) > 1:
        return True
    looks, bare = king_looks(tracker, square), tracker.crowning.bare
    if tracker.incident and tracker.incident.kind is Irregularity.CROWN_MISSING:
        crowned = looks > PLAINLY  # else whoever has been at him has but pointed
        return crowned and _was_seen_to(tracker, square, tracker.incident.told_ms)
    if bare is not None and (
        (_lacks(tracker, bare, looks) and _is_bare(tracker, bare, moves[0]))
        or _is_surely_bare(tracker, bare)
    ):
        return False
    visible = tracker.sight.at(square).visible
    return tracker.guess_age >= CROWN_DOUBT_MS or (looks > CROWN_DOUBT and visible)


def _lacks(tracker: Tracker, bare: Bare, looks: int) -> bool:
    """Whether the man looks one clearly enough, for what hands may have done to him, or did as they
    brought him; or as he did where he came from, though that be hardly a man, where kings look
    otherwise by far. Who surely was bare, and whom no hand has hidden since, is not doubted for a
    portrait alone; but nobody lacks it who surely has got a disc where he stands, or seems to have
    been given one."""
    if _seems_crowned(bare) or _has_got_one(tracker, bare.square):
        return False
    known = bare.misread is not None and bare.visited_ms is None
    if bare.returned or (bare.more > 0 and not known):
        return looks <= PLAINLY
    same = bare.came is not None and looks <= bare.came + SAME_LOOK
    if bare.unseen:
        return looks <= (CROWN_MISSING if same else CROWN_MISSING_UNSEEN)
    hardly = same and looks <= HARDLY_A_MAN and plainest_king(tracker) - looks >= LEAPT
    return looks <= CROWN_MISSING or hardly


def _has_got_one(tracker: Tracker, square: int) -> bool:
    """Whether a man surely has a disc more than he had on his king-row before, whatever his rank
    looks."""
    recalled, stood_ms = tracker.sight.recalled[square - 1], tracker.sight.at(square).stood_ms
    return recalled is not None and recalled.more >= SURELY and recalled.since_ms > stood_ms


def _seems_crowned(bare: Bare) -> bool:
    """Whether it is not told any more, since a hand hid him, that a man has no disc more than where
    he came from, who surely had none before."""
    return bare.misread is not None and bare.visited_ms is not None and bare.more > -CHANGED


def _was_seen_to(tracker: Tracker, square: int, told_ms: int) -> bool:
    """Whether a hand has been at the man since people were told to crown him: then they have, also
    where the eye cannot see it."""
    glance = tracker.sight.at(square)
    return glance.hidden_ms > told_ms and tracker.sight.clear_ms((square,)) >= CROWN_DOUBT_MS


def still_bare(tracker: Tracker) -> int | None:
    """Where the man stands whom people were told to crown, if he plainly looks one and no hand has
    been seen at him since."""
    square, incident = awaited_crown(tracker), tracker.incident
    if square is None or incident is None or incident.kind is not Irregularity.CROWN_MISSING:
        return None
    plain = king_looks(tracker, square) <= PLAINLY
    return square if plain and not _was_seen_to(tracker, square, incident.told_ms) else None


def lacks_crown(tracker: Tracker, reply: Move) -> bool:
    """Whether a man that arrived with the last move is answered without having been crowned."""
    square, bare = awaited_crown(tracker), tracker.crowning.bare
    if square is None or bare is None or square in reply.captured:
        return False
    if not tracker.sight.at(square).visible or bare.known_ms < LOOKED_MS:
        return False
    if _is_surely_bare(tracker, bare):
        return True
    if not (tells_rank(tracker) or is_unchanged(tracker, square, CHANGED)):
        return False
    return _lacks(tracker, bare, bare.looks) and _is_bare(tracker, bare, reply)


def _is_bare(tracker: Tracker, bare: Bare, reply: Move) -> bool:
    """Whether no hand can have crowned the man before the reply: none has been there, or only the
    one that replied, and the man looks as it did.

    Whether one disc or two lie there an eye may see wrongly from one place for ever; that
    nothing has changed it sees rightly, and where it is plainly a man it sees that as well: there
    a second disc would have changed how he looked, if it were but where he came from."""
    reached = tracker.sight.at(bare.square).near_ms > tracker.played_ms
    if reached and bare.looks > max(bare.least + CROWN_LOOK, PLAINLY):
        return False  # fingers that crown him need not hide him, but are beside him
    if bare.visited_ms is None:
        return True
    start = tracker.sight.at(reply.start)
    began_ms = min(start.hidden_ms, start.turned_ms)  # whichever showed first that it was taken
    if began_ms < bare.visited_ms - REPLY_MS:  # it was not seen to cover the piece that it moved
        began_ms = min(start.turned_ms, max(began_ms, start.near_ms - REPLY_MS))
    alone = bare.visited_ms >= began_ms - REPLY_MS
    return _looks_as_before(bare) and (_is_plainly_a_man(bare) or alone)


def _looks_as_before(bare: Bare) -> bool:
    return bare.looks <= bare.before + (CROWN_LOOK if _is_plainly_a_man(bare) else SAME_LOOK)


def _is_plainly_a_man(bare: Bare) -> bool:
    """Whether he plainly looks a man, and did before."""
    return max(bare.looks, bare.before) <= PLAINLY


def crown_missing_event(tracker: Tracker, reply: Move) -> Irregular:
    """The announcement of a reply made before the crown was put on."""
    square = awaited_crown(tracker)
    assert square is not None
    return _uncrowned(tracker, square, tracker.position.turn, reply)


def _uncrowned(tracker: Tracker, square: int, side: Side | None, reply: Move) -> Irregular:
    """The announcement; who replied is to blame only where the crown comes first."""
    squares, lawful = (square, reply.start, reply.end), lawful_texts(tracker.position)
    blamed = side if tracker.crown_first else None
    return Irregular(tracker.now, Irregularity.CROWN_MISSING, blamed, squares, lawful)


def crown_wanted_event(tracker: Tracker, square: int, reply: Move) -> Irregular:
    """The announcement that a man still has no crown, though both players have been told and have
    gone on."""
    return _uncrowned(tracker, square, None, reply)


def mind_owed(tracker: Tracker) -> Step:
    """Announce a reply made before the crown was put on, when it has been played: the hand that
    made it was over the man on its way, and he plainly looks one still."""
    owed, now = tracker.crowning.owed, tracker.now
    if owed is None or tracker.sight.hands_off_ms() < HANDS_OFF_MS:
        return tracker, ()
    if owed.square not in tracker.uncrowned or owed.known_ms >= LOOKED_MS:
        return _owing(tracker, None), ()
    if not tracker.sight.at(owed.square).visible:
        return _owing(tracker, replace(owed, seen_ms=now)), ()
    owed = _looked_at(owed, king_looks(tracker, owed.square), now)
    tracker = _owing(tracker, owed)
    if not _still_lacks(tracker, owed) or owed.known_ms < LOOKED_MS:
        return tracker, ()
    if tracker.incident or tracker.is_adjusting or not tells_rank(tracker):
        return tracker, ()
    reply, turn = tracker.plies[-1], tracker.position.turn.other
    return tracker, (_uncrowned(tracker, owed.square, turn, reply),)


def _owing(tracker: Tracker, owed: Bare | None) -> Tracker:
    return replace(tracker, crowning=replace(tracker.crowning, owed=owed))


def _still_lacks(tracker: Tracker, owed: Bare) -> bool:
    """Whether a man that was answered has no crown: he plainly looks one, as he did before, or rank
    and portraits tell it together."""
    elsewhere = owed.visited_ms == NEVER  # that is where he was seen before
    plain = _is_plainly_a_man(owed) and (_looks_as_before(owed) or not elsewhere)
    return (plain and not _seems_crowned(owed)) or _both_say_bare(tracker, owed)


def mind_held(tracker: Tracker, explanation: Explanation) -> Step:
    """Announce a reply made before the crown was put on; it is held, not illegal (3.9)."""
    best = explanation.best
    if not tracker.crown_first or len(best.moves) != 1 or best.deed:
        return tracker, ()
    if not lacks_crown(tracker, best.moves[0]):
        return tracker, ()
    known = tracker.incident is not None and tracker.incident.changes == best.changes
    if known or explanation.margin(1) < ACCUSE_MARGIN:
        return tracker, ()
    if not rested(tracker, best, CROWN_MISSING_MS):
        return tracker, ()
    incident = Incident(Irregularity.CROWN_MISSING, best.changes, tracker.now)
    return replace(tracker, incident=incident), (crown_missing_event(tracker, best.moves[0]),)

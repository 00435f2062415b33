"""Pieces touched and put back (4.2, 4.3, 4.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

from referee.board import EMPTY, SQUARES, Side, cell_of, only
from referee.deeds import Groups, squares_of
from referee.events import Touch, Touched
from referee.observation import Place
from referee.rules import Line, Move, lawful_moves
from referee.sight import EMPTY_GROUP, GROUP_OF, NEIGHBOURS, NEVER
from referee.tracking.leaps import has_leapt, of_other_rank
from referee.tracking.memory import (
    QUIET_MS,
    Step,
    Tracker,
    contradictions,
    lies_open,
    noted,
    reply_to_arrival,
)
from referee.tracking.notes import Handled, Shifted, Touching
from referee.tracking.places import (
    NUDGED,
    PUSHED,
    apart,
    is_pushed,
    is_straightened,
    seem_apart,
    wavering,
)
from referee.tracking.rivals import likely
from referee.weights import UPSET_SQUARES, typical_gap

LIFTED_MS = 200
"""So long the square of a lifted piece must have been seen empty..."""
IN_HAND_MS = 300
"""...and so long it must have been seen, below a hand, not to stand there: a sleeve whose shade is
like the square's lies there for a moment."""
CLEAR = 65
"""Per cent of what the usual square says, which an empty square must say: reflections say less."""
TAKEN_UP_MS = 1_000
"""Who plays puts his piece down sooner than this after its square is bare; who thinks holds it."""
ARM_WIDTH = 2
"""Columns beside a hand over which its arm may come."""
SAME_PLACE = 15
"""A disc that was really lifted is put back elsewhere by more, in 1/1000 square."""
PUSHED_MS = 300
"""So long a disc must lie elsewhere: fingertips that come over it show another place of it for a
moment."""
MOVED = 32
"""By less it is no other place; nor is one that a shadow before the hand shows for a moment."""
OTHER_RANK = 200
"""What a piece clearly looks of the other rank, in centinats."""


def mind_lifted(tracker: Tracker) -> Tracker:
    """Note the pieces that are off their squares by a hand's doing."""
    empty = tuple(square for square, group in contradictions(tracker) if group == EMPTY_GROUP)
    if not (empty or tracker.sight.lifted) or _is_in_disorder(tracker):
        return tracker
    known = {t.square: t for t in tracker.handled.touching}
    for touching in _under_hands(tracker):
        since_ms = min(touching.since_ms, known.get(touching.square, touching).since_ms)
        known[touching.square] = replace(touching, since_ms=since_ms)
    for square in empty:
        glance = tracker.sight.at(square)
        by = _handler(tracker, square)
        seen = glance.turned_ms > tracker.dark.ended_ms  # else it was off when sight came back
        excused = tracker.is_excused(by) or _lies_under(tracker, square)
        if seen and glance.touched and not excused:
            begun = Touching(square, Touch.LIFTED, by, glance.turned_ms)
            known[square] = _ripened(tracker, known.get(square, begun))
    return _handled(tracker, touching=tuple(known.values()))


def _under_hands(tracker: Tracker) -> Iterator[Touching]:
    """The pieces that are seen not to stand where they stood, though a hand is at them."""
    for square, since_ms in tracker.sight.lifted:
        by = _handler(tracker, square)
        lasts = tracker.now - since_ms >= IN_HAND_MS
        if lasts and tracker.piece(square) != EMPTY and not tracker.is_excused(by):
            yield Touching(square, Touch.LIFTED, by, since_ms, ripe=True, plain=True)


def _handled(tracker: Tracker, **news: Any) -> Tracker:
    """The tracker with something else noted of what is handled."""
    return noted(tracker, handled=replace(tracker.handled, **news))


def mind_shifted(tracker: Tracker) -> Tracker:
    """Note the discs that a hand has left elsewhere on their squares, while it is still about or
    its move has not been told."""
    if _is_in_disorder(tracker):
        return _handled(tracker, shifted=())
    if tracker.sight.hands_off_ms() >= QUIET_MS:
        return tracker
    handled = tracker.handled
    known = {shifted.square: shifted for shifted in handled.shifted}
    before = dict(handled.pushed)  # these lay elsewhere before the hand came
    for square, old, new in zip(SQUARES, handled.places, tracker.sight.offsets, strict=True):
        glance = tracker.sight.at(square)
        if old is None or new is None or square in before or not _looks_itself(tracker, square):
            continue
        if glance.near_ms < tracker.settled_ms:  # the eye alone has seen it elsewhere
            continue
        if apart(old, new) < NUDGED or square in tracker.uncrowned or glance.both:
            known.pop(square, None)
        elif square not in known or apart(known[square].place, new) >= MOVED:
            known.pop(square, None)
            # For how long a hand ended over one not covered since is of a visit before.
            off, covered = apart(old, new), glance.covered_ms > tracker.settled_ms
            pushed = off >= PUSHED or (covered and is_pushed(tracker, square, off))
            if pushed and not is_straightened(tracker, square):
                known[square] = Shifted(square, new, _handler(tracker, square), tracker.now)
    return _handled(tracker, shifted=tuple(known.values()))


def _is_in_disorder(tracker: Tracker) -> bool:
    """Whether the board is not in order, or not yet as people have corrected the record, or nobody
    knows what has upset it: pieces are handled to put that right."""
    upset = tracker.doubt.asked and len(tracker.doubt.squares) >= UPSET_SQUARES
    return tracker.incident is not None or bool(tracker.correction.differs) or upset


def _lies_under(tracker: Tracker, square: int) -> bool:
    """Whether all around a square is hidden: then it is the sleeve over it that looks so bare."""
    return not any(tracker.sight.at(near).visible for near in NEIGHBOURS[square])


def _handler(tracker: Tracker, square: int) -> Side | None:
    """Whose hand has been at a square: the one near it, or the only one about."""
    glance = tracker.sight.at(square)
    if glance.near_ms >= tracker.settled_ms:
        return glance.arm
    return only(tracker.sight.sides_since(tracker.settled_ms))


def held(tracker: Tracker) -> Touching | None:
    """The piece that the player to move has taken up, all else standing as it did, while it is seen
    not to stand where it may go: under a hand it may have been put down there."""
    wrong = contradictions(tracker)
    if len(wrong) != 1 or not _is_watched(tracker):
        return None
    ((square, _),) = wrong
    glance, turn = tracker.sight.at(square), tracker.position.turn
    if tracker.now - glance.turned_ms < TAKEN_UP_MS or not _ways_are_seen(tracker, square):
        return None
    own = turn.owns(tracker.piece(square))
    lifted = (t for t in tracker.handled.touching if own and t.square == square)
    return next((t for t in lifted if t.ripe and t.side is turn), None)


def _ways_are_seen(tracker: Tracker, square: int) -> bool:
    """Whether all is in view that a piece comes over and takes; of one that cannot move the whole
    board, for it may be anywhere."""
    moves = [move for move in lawful_moves(tracker.position) if move.start == square]
    over = {s for move in moves for s in move.squares}
    return tracker.sight.visible(tuple(over)) if moves else lies_open(tracker)


def _is_watched(tracker: Tracker) -> bool:
    """Whether the board is seen and nothing is open on it."""
    unseen = tracker.paused or tracker.dark.since_ms is not None
    return not (unseen or tracker.incident or tracker.doubt.asked or tracker.loose)


def laid_down(tracker: Tracker, moves: Line, told: Collection[int]) -> Tracker:
    """The same at lawful moves, after which the other discs lie where they lie now: where that is
    not where they lay before, or a hand is near, the eye may be misled, and it is not known. Of
    some it has been `told` that they were touched before."""
    moved, since_ms = set(moves[-1].squares), tracker.now - QUIET_MS
    sight = tracker.sight
    places = tuple(
        new if square not in moved and _is_told(old, new, glance.near_ms < since_ms) else None
        for square, old, new, glance in zip(
            SQUARES, tracker.handled.places, sight.offsets, sight.squares, strict=True
        )
    )
    brushed = _brushed(tracker, moves, told)
    return replace(tracker, handled=Handled(places, wavering(tracker), brushed=brushed))


def _brushed(tracker: Tracker, moves: Line, told: Collection[int]) -> tuple[Shifted, ...]:
    """See `Handled.brushed`, when moves are made: the discs that still lie elsewhere since those
    before, and those that do since the board was last in order."""
    handled, moved = tracker.handled, {square for move in moves for square in move.squares}
    known = tuple(s for s in handled.brushed if s.square not in moved and _lies_at(tracker, s))
    elsewhere = _elsewhere(tracker)
    if 2 * len(elsewhere) > sum(place is not None for place in handled.places):
        return known  # the board or the camera was pushed
    others = elsewhere.difference(moved, told, (shifted.square for shifted in known))
    glances = ((square, tracker.sight.at(square)) for square in sorted(others))
    return known + tuple(
        Shifted(square, place, glance.arm, glance.hidden_ms)
        for square, glance in glances
        if glance.covered_ms > tracker.settled_ms
        and not glance.both
        and seem_apart(tracker, square) >= PUSHED
        and not is_straightened(tracker, square)
        and (place := tracker.sight.offsets[square - 1])
    )


def _lies_at(tracker: Tracker, shifted: Shifted) -> bool:
    """Whether a disc lies where it had come to lie, as far as that is seen."""
    return apart(shifted.place, tracker.sight.offsets[shifted.square - 1]) < MOVED


def _still_brushed(tracker: Tracker) -> tuple[Touching, ...]:
    """What was pushed with a move, now that the disc is seen to lie there still."""
    return tuple(
        Touching(each.square, Touch.SHIFTED, each.side, each.since_ms, ripe=True, beside=True)
        for each in tracker.handled.brushed
        if tracker.sight.offsets[each.square - 1] is not None
        and _lies_at(tracker, each)
        and _looks_itself(tracker, each.square)
    )


def _is_told(old: Place, new: Place, free: bool) -> bool:
    """Whether a disc lies where it lay before, or else is seen with no hand near it."""
    return free if old is None else apart(old, new) < MOVED


def _ripened(tracker: Tracker, touching: Touching) -> Touching:
    glance = tracker.sight.at(touching.square)
    empty, *pieces = glance.weights()
    clear = 100 * (empty - max(pieces)) >= CLEAR * typical_gap(tracker.sight)
    since_ms = max(glance.turned_ms, glance.uncovered_ms)
    ripe = touching.ripe or (clear and tracker.now - since_ms >= LIFTED_MS)
    apart_ms = tracker.now - max(since_ms, glance.near_ms)
    plain = clear and apart_ms >= LIFTED_MS and not _is_reached_over(tracker, touching)
    return replace(touching, ripe=ripe, plain=touching.plain or plain)


def _is_reached_over(tracker: Tracker, touching: Touching) -> bool:
    """Whether a hand is farther from its player's edge than the square, so that an arm which the
    eye does not notice may lie over that."""
    row, column = cell_of(touching.square)
    away = {side.forward for side in ((touching.side,) if touching.side else Side)}
    hidden = (cell_of(s) for s in SQUARES if tracker.sight.at(s).covered_ms == tracker.now)
    return any(
        abs(c - column) <= ARM_WIDTH and (r - row) * step > 0 for r, c in hidden for step in away
    )


def _is_back(tracker: Tracker, square: int) -> bool:
    glance = tracker.sight.at(square)
    return glance.visible and glance.group == GROUP_OF[tracker.piece(square)]


def rests_but_for_slips(tracker: Tracker, wrong: Groups) -> bool:
    """Whether the board is in order but for squares that look wrong since no hand was about."""
    slips = {square for square, _ in wrong if not tracker.sight.at(square).attended}
    others = tuple(square for square in SQUARES if square not in slips)
    return len(slips) == len(wrong) and tracker.sight.rested_ms(others) >= QUIET_MS


def put_back(tracker: Tracker) -> Step:
    """The board is in order again: what was touched, and where the discs lie now."""
    if tracker.sight.hands_off_ms() < QUIET_MS:
        return _interrupted(tracker), ()
    if _is_in_disorder(tracker):
        return _handled(tracker, touching=(), pushed=(), places=_places(tracker)), ()
    tracker = _handled(tracker, wavering=wavering(tracker))
    lifted = tuple(
        touching
        for touching in tracker.handled.touching
        if _counts(tracker, touching)
        and _is_back(tracker, touching.square)
        and not _goes_round(tracker, touching)
    )
    since, up = dict(tracker.handled.pushed), {touching.square for touching in lifted}
    moved = _elsewhere(tracker) - up
    far = {
        square
        for square in moved
        if is_pushed(tracker, square, seem_apart(tracker, square))
        and not is_straightened(tracker, square)
    }
    seen = {square: since.get(square, tracker.now) for square in moved}
    waiting = {square: ms for square, ms in seen.items() if tracker.now - ms < PUSHED_MS}
    told = *lifted, *_pushed(tracker, far - waiting.keys()), *_still_brushed(tracker)
    tracker = _handled(
        tracker,
        touching=(),
        pushed=tuple(waiting.items()),
        shifted=tuple(_bared_elsewhere(tracker, waiting)),
        brushed=(),
        places=_places(tracker, waiting),
    )
    return tracker, tuple(_touched(tracker, touching) for touching in told)


def _interrupted(tracker: Tracker) -> Tracker:
    """A hand has come before it was certain where some discs lie: that is not known, but of those
    that had lain where they lay since the hand before it; this one has moved them before it was
    seen. Those that the hand before has bared elsewhere it has moved."""
    if not tracker.handled.pushed:
        return tracker
    since_ms = _before_this_hand_ms(tracker) + QUIET_MS + PUSHED_MS
    bared = {shifted.square for shifted in tracker.handled.shifted}
    late = (square for square, ms in tracker.handled.pushed if ms <= since_ms)
    unknown = [square for square in late if square not in bared]
    return _handled(tracker, pushed=(), places=_forgotten(tracker, unknown))


def _bared_elsewhere(tracker: Tracker, squares: Collection[int]) -> Iterator[Shifted]:
    """The discs on these that lay elsewhere as soon as the hand which had hidden them was off."""
    for shifted in tracker.handled.shifted:
        hidden_ms = tracker.sight.at(shifted.square).covered_ms
        if shifted.square in squares and 0 <= shifted.since_ms - hidden_ms <= QUIET_MS:
            yield shifted


def _before_this_hand_ms(tracker: Tracker) -> int:
    """When a hand was last seen before the one that has just come; now where it has no name."""
    if tracker.sight.unnamed:
        return tracker.now
    visits = (tracker.sight.visit(side) for side in Side)
    return max(v.before_ms if v.seen_ms == tracker.now else v.seen_ms for v in visits)


def _forgotten(tracker: Tracker, squares: Collection[int]) -> tuple[Place, ...]:
    """Where the discs lay, but for those on some squares."""
    places = enumerate(tracker.handled.places, start=1)
    return tuple(None if square in squares else place for square, place in places)


def _counts(tracker: Tracker, touching: Touching) -> bool:
    """Whether a touch was no slip of the eye, and none of a player who puts pieces straight, or who
    takes back his reply until a king is crowned."""
    lifted = touching.plain or not _lies_as_before(tracker, touching.square)
    excused = tracker.is_excused(touching.side) or _takes_reply_back(tracker, touching)
    return touching.ripe and lifted and not excused


def _takes_reply_back(tracker: Tracker, touching: Touching) -> bool:
    reply = reply_to_arrival(tracker)
    mover = tracker.position.turn.other
    return reply is not None and touching.square == reply.end and touching.side is mover


def _lies_as_before(tracker: Tracker, square: int) -> bool:
    """Whether a disc lies exactly where it lay when the board was last in order."""
    old, new = tracker.handled.places[square - 1], tracker.sight.offsets[square - 1]
    return None not in (old, new) and apart(old, new) <= SAME_PLACE


def _goes_round(tracker: Tracker, touching: Touching) -> bool:
    """Whether a king is led around only now, to end where it began: its capture was known as soon
    as the jumped pieces were off."""
    last = tracker.last
    around = last is not None and last.start == last.end == touching.square
    return around and touching.side is tracker.position.turn.other


def _elsewhere(tracker: Tracker) -> frozenset[int]:
    """The squares whose disc seems to lie elsewhere on them, where that may be a touch: a new king
    may have been given his second disc, and so may a piece that looks heaped, or have lost it,
    though it is too faint to be told of. One that lies half off its square is told of as that."""
    off = {loose.square for loose in tracker.loose}
    return frozenset(
        square
        for square in SQUARES
        if seem_apart(tracker, square) >= MOVED
        and square not in tracker.uncrowned
        and square not in off
        and not has_leapt(tracker, square)
        and not tracker.is_excused(tracker.sight.at(square).arm)
        and _looks_itself(tracker, square)
    )


def _looks_itself(tracker: Tracker, square: int) -> bool:
    """Whether a piece is back and has not come to look clearly of the other rank: with a finger
    over it a disc shows another place, and often another rank."""
    glance = tracker.sight.at(square)
    altered = (
        of_other_rank(tracker, square) >= OTHER_RANK
        and glance.stacked_ms > glance.turned_ms + QUIET_MS
    )
    return _is_back(tracker, square) and not altered


def _pushed(tracker: Tracker, squares: Collection[int]) -> tuple[Touching, ...]:
    """The discs among these that a hand has moved, no move having been made."""
    if tracker.now - tracker.played_ms < QUIET_MS:
        return ()
    shifted = (each for each in tracker.handled.shifted if _lies_at(tracker, each))
    known = {each.square: (each.side, each.since_ms) for each in shifted}
    glances = ((square, tracker.sight.at(square)) for square in sorted(squares))
    return tuple(
        Touching(square, Touch.SHIFTED, *known.get(square, (glance.arm, glance.near_ms)), ripe=True)
        for square, glance in glances
        if glance.near_ms > tracker.played_ms
    )


def _places(tracker: Tracker, waiting: Collection[int] = ()) -> tuple[Place, ...]:
    """Where the discs lie; what a frame does not tell is kept while the piece stands, and where
    those lay that have perhaps been pushed. Of one that looks heaped, or bared, it is not known."""
    setup = tracker.position.setup
    unknown = {s for s in SQUARES if setup[s - 1] == "." or has_leapt(tracker, s)}
    news = zip(SQUARES, tracker.handled.places, tracker.sight.offsets, strict=True)
    return tuple(
        None
        if square in unknown
        else new
        if new and square not in waiting and _looks_itself(tracker, square)
        else old
        for square, old, new in news
    )


def _touched(tracker: Tracker, touching: Touching) -> Touched:
    return Touched(
        tracker.now,
        touching.side,
        touching.square,
        touching.how,
        touching.since_ms,
        touching.beside,
    )


def touched_before(tracker: Tracker, moves: Line, changes: Groups) -> tuple[Touched, ...]:
    """The pieces touched and put back before moves by others; more of these may have been made
    already than are told of now. What was taken up when the moved piece had left was touched later.
    """
    if _is_in_disorder(tracker):
        return ()
    until_ms = _stood_until_ms(tracker, moves[0])
    moved = set(squares_of(changes))
    made = {*moves, *(move for rival in likely(tracker) for move in rival.moves)}
    moved.update(square for move in made for square in move.squares)
    lifted = {
        touching.square: touching
        for touching in tracker.handled.touching
        if _counts(tracker, touching)
        and touching.square not in moved
        and touching.since_ms <= until_ms
        and _is_back(tracker, touching.square)
    }
    pushed = {t.square: t for t in _shifted_before(tracker, moves[0]) if t.square not in moved}
    return tuple(_touched(tracker, touching) for touching in (pushed | lifted).values())


def _shifted_before(tracker: Tracker, move: Move) -> Iterable[Touching]:
    """The discs that lay elsewhere on their squares before the move was made, and lie there now:
    the hand touched these first."""
    until_ms = min(_unmade_ms(tracker, move), tracker.now - PUSHED_MS)
    for square, place, side, since_ms in tracker.handled.shifted:
        new = tracker.sight.offsets[square - 1]
        stays = new is not None and apart(place, new) < MOVED and _looks_itself(tracker, square)
        if stays and since_ms <= until_ms and not tracker.is_excused(side):
            yield Touching(square, Touch.SHIFTED, side, since_ms, ripe=True)


def _stood_until_ms(tracker: Tracker, move: Move) -> int:
    """Until when the piece of a move was not taken up, as far as that was seen."""
    start = tracker.sight.at(move.start)
    left = start.visible and start.group == EMPTY_GROUP
    return start.turned_ms if left else _unmade_ms(tracker, move)


def _unmade_ms(tracker: Tracker, move: Move) -> int:
    """Until when a move was seen not to have been made: its piece stood, or its end was free."""
    start, end = tracker.sight.at(move.start), tracker.sight.at(move.end)
    free_ms = end.hidden_ms if end.turned_ms >= end.hidden_ms else NEVER
    return max(start.held_ms, free_ms)

"""Discs that lie on light cells, astride two squares, or half off the square they are on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.board import SQUARES, Cell, Side, cell_of, side_of
from referee.deeds import Deed, Groups, choices, squares_of
from referee.events import Irregularity
from referee.explanation import Explanation
from referee.observation import LooseDisc, Observation, Place
from referee.rules import Position
from referee.sight import EMPTY_GROUP, GROUP_OF, Sight
from referee.tracking.culprits import named
from referee.tracking.hands import has_changed_all
from referee.tracking.heights import grown
from referee.tracking.kinds import TAKEN_OFF
from referee.tracking.memory import HANDS_OFF_MS, Step, Tracker, accuse, contradictions, without
from referee.tracking.notes import Loose
from referee.tracking.places import apart, aside, off_middle, sticks_out
from referee.weights import fall, typical_gap

LOOSE_MS, LOOSE_GAP_MS = 700, 400
"""For so long a disc must lie beside its square before it is told of, and may be unseen between."""
AT_RIM_MS = 1_000
"""A hand that has covered no square for so long rests at the rim, and puts nothing right."""
VACANT = 30
"""Per cent of what the usual square says, which the square must say that a disc has left: the disc
that lies beside bears witness too, whether a hand was seen or not."""
FAR_ASIDE = 250
"""1/1000 squares from the middle of its square at which a piece that looks of the other rank lies
on the next one as well: there it looks higher, or lower, than it is."""
SHOVED = 150
"""By so much at least it has been pushed then: another disc on it shows another place of it."""
FAR_OFF, STILL_OFF = 330, 300
"""So far over the edge a disc that a hand has left there lies off its square, and goes on lying off
it [in 72 films of others two that belonged there were seen 297 and 332 off, and one on which a disc
had been laid 395, others less than 290; of 40 that were left off it all but one lay 340 off]."""
ON_LIGHT = 250
"""So near the middle of a light cell, in 1/1000 square, a disc has been put there: pushed aside it
stays nearer to its square [of 43 that were pushed in films of others one lay 520 off, the others
less], and but for the most careless people put them down nearer to the middle."""
STRAY_MS = 6_000
"""A disc on a light cell that is missing nowhere must lie longer: it may be something else."""
TWICE_MS = 1_000
"""What comes to look otherwise and what comes to lie loose in so short a time is one thing."""
BROUGHT_MS = 1_000
"""How long ago a hand may have left a disc that is missing nowhere when it comes into view."""
LAIN_MS = 300
"""A disc that is carried over a cell is seen there for less."""
DISCS_ABOUT = (Irregularity.OFF_SQUARE, Irregularity.UPSET)
"""Once people have been told of these nothing more is said of discs that lie about."""
MOST_WAYS = 6
"""In so many ways at most loose discs are put down to the squares beside them: each is weighed."""
STAYED_MS = 1_200
"""A hand that stays for so long beside a disc at the board's edge may hold it over the rim..."""
STILL_HELD_MS = 15_000
"""...also for so long after it was last seen: one that keeps quite still is taken for a part of the
rim."""


def loose_now(tracker: Tracker, sight: Sight, seen: Observation) -> tuple[Loose, ...]:
    """The loose discs after one more frame; a hand over them and short gaps do not end them. One
    that lies astride belongs on a square there, or it is light and shadow. One that lies off its
    square so since before anybody came is left in peace."""
    known = {loose.disc: loose for loose in tracker.loose}
    now, fresh = seen.time_ms, dict[LooseDisc, Loose]()
    for lying in seen.loose:
        if not lying.astride or _belongs_beside(lying, tracker.position, sight):
            disc = replace(lying, place=None)  # it is the same one though its place wavers
            fresh[disc] = Loose(disc, now, now, _is_brought(disc, sight), lying.place)
    for disc in _off_squares(tracker, sight, seen):
        fresh[disc] = Loose(disc, now, now, brought=True)
    for disc, loose in known.items():
        if disc in fresh:
            fresh[disc] = replace(loose, seen_ms=now, place=fresh[disc].place)
        elif now - loose.seen_ms <= LOOSE_GAP_MS or _is_covered(disc, seen):
            fresh[disc] = loose
        elif any(_is_same(other, loose) for other in fresh):
            fresh[disc] = replace(loose, seen_ms=now)
    return tuple(fresh.values())


def _is_same(disc: LooseDisc, off: Loose) -> bool:
    """Whether a disc that seems to lie astride now is one that lies half off its square."""
    beside = off.square is not None and _is_beside(disc, off.square)
    return beside and disc.astride and disc.side is off.disc.side


def _off_squares(tracker: Tracker, sight: Sight, seen: Observation) -> Iterator[LooseDisc]:
    """The pieces that a hand has left half off their squares."""
    known = {loose.disc for loose in tracker.loose}
    for square, offset in zip(SQUARES, seen.offsets, strict=True):
        piece, glance, off = tracker.piece(square), sight.at(square), sticks_out(offset)
        side = side_of(piece)
        stands = glance.visible and glance.group == GROUP_OF[piece]
        if side is None or not stands or off < STILL_OFF:
            continue
        disc = LooseDisc(cell_of(square), side)
        if disc in known or (off >= FAR_OFF and _was_put_off(tracker, square, disc, sight)):
            yield disc


def _was_put_off(tracker: Tracker, square: int, disc: LooseDisc, sight: Sight) -> bool:
    """Whether a hand has just pushed a piece that did not lie off its square before, or it was
    moved last and is seen only now where it lies."""
    lay, last = _lay(tracker, square), tracker.last
    if lay is None and last is not None and last.end == square:
        return True
    pushed = lay is None or apart(lay, sight.offsets[square - 1]) >= SHOVED
    return _is_brought(disc, sight) and sticks_out(lay) < STILL_OFF and pushed


def _is_covered(disc: LooseDisc, seen: Observation) -> bool:
    """Whether a hand is over a square beside the disc, and so perhaps over the disc."""
    return any(_is_beside(disc, square) for hand in seen.hands for square in hand.squares)


def _belongs_beside(disc: LooseDisc, position: Position, sight: Sight) -> bool:
    """Whether a piece of its side has its place right beside it, or may have gone there: a move of
    one that has left its square ends there."""
    pieces = enumerate(position.setup, start=1)
    own = [square for square, piece in pieces if side_of(piece) is disc.side]
    moves = choices(position).lawful if position.turn is disc.side else ()
    ends = (move.end for move in moves if sight.at(move.start).group == EMPTY_GROUP)
    return any(_is_beside(disc, square) for square in (*own, *ends))


def _is_beside(disc: LooseDisc, square: int) -> bool:
    """Whether a disc lies right beside a square, or off it."""
    row, column = cell_of(square)
    down, right = row - disc.cell[0], column - disc.cell[1]
    return {down, right} <= {0, 1} if disc.astride else abs(down) + abs(right) <= 1


def _is_brought(disc: LooseDisc, sight: Sight) -> bool:
    """Whether a hand has just been at a square beside the disc."""
    return was_near(disc, sight, sight.time_ms - BROUGHT_MS)


def was_near(disc: LooseDisc, sight: Sight, since_ms: int) -> bool:
    """Whether a hand has been at a square beside the disc since a time."""
    beside = (square for square in SQUARES if _is_beside(disc, square))
    return any(sight.at(square).near_ms >= since_ms for square in beside)


def misses_one(tracker: Tracker, side: Side) -> bool:
    """Whether a piece of a side has clearly gone from its square."""
    return any(side_of(tracker.piece(square)) is side for square in _missing(tracker))


def is_stray(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether pieces are missing and nothing else, and discs of their side lie loose; or one that
    seems to have been taken off lies beside its square, whatever was moved besides, or several
    lie beside theirs or were knocked over."""
    best = explanation.best
    if _are_several_beside(tracker) or _are_shoved(tracker) or are_knocked_over(tracker):
        return True
    if best.deed and best.deed.kind in TAKEN_OFF and best.deed.squares[-1] in _beside(tracker):
        return True
    explained = best.kind is None or best.kind in TAKEN_OFF
    sides = {loose.disc.side for loose in tracker.loose if loose.square is None}
    missing = _missing(tracker)
    return bool(
        explained
        and not best.moves
        and missing
        and len(missing) == len(_wrong(tracker))
        and {side_of(tracker.piece(square)) for square in missing} <= sides
    )


def _are_shoved(tracker: Tracker) -> bool:
    """Whether several pieces have gone from their squares, and one of them lies right beside its
    own: the others may lie where the eye does not see them. Nobody has moved any, or what was seen
    to come lies half off, and more have gone than a move and one pushed aside; or two have come so
    at once, which nobody moves."""
    come = [square for square, group in _wrong(tracker) if group != EMPTY_GROUP]
    gone = len(_wrong(tracker)) - len(come)
    half_off = all(_lies_half_off(tracker, square) for square in come)
    several = gone > 1 + len(come) or gone > len(come) > 1
    return several and half_off and bool(_beside(tracker))


def _lies_half_off(tracker: Tracker, square: int) -> bool:
    place = tracker.sight.offsets[square - 1]
    return place is not None and off_middle(place) >= FAR_OFF


def are_knocked_over(tracker: Tracker) -> bool:
    """Whether discs lie about, and one player's hand has done what else might be moves of both."""
    by_both = tracker.guess is not None and len(tracker.guess.best.moves) > 1
    return by_both and bool(tracker.loose) and has_changed_all(tracker)


def _wrong(tracker: Tracker) -> Groups:
    """The squares that look wrong, but for those of moves that people are asked about."""
    wrong, doubt = contradictions(tracker), tracker.doubt
    return without(wrong, doubt.squares) if doubt.instead and doubt.asked else wrong


def _missing(tracker: Tracker) -> tuple[int, ...]:
    """The squares that clearly look as if their piece had left them."""
    wrong = _wrong(tracker)
    if not wrong:
        return ()
    least, usual = VACANT * typical_gap(tracker.sight), tracker.sight.usual_gap
    vacant = []
    for square, group in wrong:
        glance = tracker.sight.at(square)
        weights = glance.weights()
        expected = GROUP_OF[tracker.piece(square)]
        says = weights[EMPTY_GROUP] - max(weights[1:]) + fall(glance, expected, usual)
        if group == EMPTY_GROUP and 100 * says >= least:
            vacant.append(square)
    return tuple(vacant)


def _beside(tracker: Tracker) -> tuple[int, ...]:
    """The squares from which a piece is missing that lies on a light cell right beside, also where
    another has been pushed to its place."""
    lying = [loose.disc for loose in tracker.loose]
    gone = {*_missing(tracker), *(s for s, group in _wrong(tracker) if group != EMPTY_GROUP)}
    return tuple(s for s in sorted(gone) if any(_has_left(tracker, s, d) for d in lying))


def lying_beside(tracker: Tracker) -> tuple[tuple[int, ...], ...]:
    """The ways in which discs that lie loose may be those that have left squares right beside them,
    and so have gone nowhere else: the squares of each. Where there are very many it is one, that
    they are none."""
    ways: set[frozenset[int]] = {frozenset()}
    missing = _missing(tracker) if tracker.loose else ()
    for loose in tracker.loose:
        lain = loose.seen_ms - loose.since_ms >= LAIN_MS
        if loose.square is None and loose.brought and lain:
            left = [square for square in missing if _has_left(tracker, square, loose.disc)]
            ways = {way | {s} for way in ways for s in left if s not in way} or ways
    if len(ways) > MOST_WAYS:
        return ((),)
    return tuple(tuple(sorted(way)) for way in sorted(ways, key=sorted))


def _has_left(tracker: Tracker, square: int, disc: LooseDisc) -> bool:
    """Whether a disc may be the one that has its place on a square."""
    return disc.side is side_of(tracker.piece(square)) and _is_beside(disc, square)


def _are_several_beside(tracker: Tracker) -> bool:
    """Whether several discs lie beside squares from which their pieces are missing, or half off
    their own."""
    if len(tracker.loose) < 2:
        return False
    beside, off_square = _beside(tracker), _off_square(tracker)
    lying = {x.disc for x in tracker.loose if any(_has_left(tracker, s, x.disc) for s in beside)}
    return min(len(beside), len(lying)) + len(off_square) > 1


def _off_square(tracker: Tracker) -> tuple[int, ...]:
    """The squares whose pieces lie half off them."""
    return tuple(loose.square for loose in tracker.loose if loose.square)


def seen_twice(tracker: Tracker) -> tuple[int, ...]:
    """The squares whose pieces have come to look of the other rank as a disc of their side came to
    lie right beside: it is they that lie there, half on their squares."""
    return tuple(
        square
        for square, since_ms in tracker.ranks.altered
        if any(
            loose.disc.side is side_of(tracker.piece(square))
            and _is_beside(loose.disc, square)
            and abs(loose.since_ms - since_ms) <= TWICE_MS
            for loose in tracker.loose
        )
    )


def lying_aside(tracker: Tracker) -> tuple[int, ...]:
    """The squares whose pieces have come to look of the other rank as they came to lie far from the
    middle."""
    squares = (square for square, _ in tracker.ranks.altered)
    places = ((s, _lay(tracker, s), tracker.sight.offsets[s - 1]) for s in squares)
    return tuple(
        square
        for square, lay, lies in places
        if off_middle(lies) >= FAR_ASIDE and (lay is None or apart(lay, lies) >= SHOVED)
    )


def _lay(tracker: Tracker, square: int) -> Place:
    """Where a piece lay when the board was last in order; or before it came to look of the other
    rank, since when that is not known."""
    return tracker.handled.places[square - 1] or dict(tracker.ranks.lay).get(square)


def _is_outermost(cell: Cell) -> bool:
    return not {0, 7}.isdisjoint(cell)


def _is_at_rim(tracker: Tracker, loose: Loose) -> bool:
    """Whether a disc may be seen over the rim: not one that is half off its square inwards."""
    (row, column), square = loose.disc.cell, loose.square
    place = tracker.sight.offsets[square - 1] if square else None
    if place is None:
        return _is_outermost(loose.disc.cell)
    return any(
        (at == 0 and off < 0) or (at == 7 and off > 0)
        for at, off in ((column, place[0]), (row, place[1]))
    )


def _may_be_held(tracker: Tracker, loose: Loose) -> bool:
    """Whether a disc at an edge of the board may be in the hand of a player who thinks."""
    at_edge = _is_at_rim(tracker, loose)
    hand = tracker.sight.visit(loose.disc.side)
    stayed_ms = hand.seen_ms - loose.since_ms if hand.came_ms <= loose.since_ms else 0
    return at_edge and stayed_ms >= STAYED_MS


def mind_loose(tracker: Tracker) -> Step:
    """Tell of discs that lie off their squares (3.3): of one as off its square, or as a step if who
    moves has put it on a light cell, of several as upset, for nobody puts down two at once."""
    squares = _left_squares(tracker)
    changes = tuple((square, EMPTY_GROUP) for square in squares)
    if _is_known(tracker, changes) or tracker.is_adjusting or tracker.bump.said:
        return tracker, ()
    patience = LOOSE_MS if squares else STRAY_MS
    if not _have_lain(tracker, squares, patience) or not _are_left(tracker, squares, patience):
        return tracker, ()
    kind = Irregularity.UPSET if len(squares) > 1 else Irregularity.OFF_SQUARE
    deed = named(tracker, Deed(kind, None, squares, changes))
    if _was_put_on_light(tracker, deed):
        deed = deed._replace(kind=Irregularity.ILLEGAL_STEP)
    elif kind is Irregularity.OFF_SQUARE:
        deed = deed._replace(squares=_meant(tracker, squares))
    return accuse(tracker, deed, changes)


def _meant(tracker: Tracker, squares: tuple[int, ...]) -> tuple[int, ...]:
    """Where a disc is to lie that has left its square: where the one move of it ends that it lies
    beside, if it was carried away for that, else where it was."""
    if len(squares) != 1 or len(tracker.loose) != 1:
        return squares
    (start,), (lying,) = squares, tracker.loose
    if _is_beside(lying.disc, start):
        return squares
    moves = (m for m in choices(tracker.position).lawful if m.start == start)
    ends = {move.end for move in moves if _is_beside(lying.disc, move.end)}
    return tuple(ends) if len(ends) == 1 else squares


def _left_squares(tracker: Tracker) -> tuple[int, ...]:
    """The squares whose pieces lie off them; none where what lies about is missing nowhere."""
    missing = _missing(tracker)
    if _are_shoved(tracker):
        missing = tuple(square for square, group in _wrong(tracker) if group == EMPTY_GROUP)
    elif are_knocked_over(tracker):
        missing = squares_of(_wrong(tracker))
    elif len(missing) < len(_wrong(tracker)):  # a piece that was moved left its square too
        missing = _beside(tracker)
    off_square = _off_square(tracker)
    if missing and off_square:  # the same hand has knocked at all of them
        return tuple(sorted({*missing, *off_square}))
    return missing or seen_twice(tracker) or _grown_aside(tracker) or off_square


def _grown_aside(tracker: Tracker) -> tuple[int, ...]:
    """The squares far from whose middles pieces lie that have got, or lost, a disc."""
    return tuple(square for square in lying_aside(tracker) if grown(tracker, square))


def _is_known(tracker: Tracker, changes: Groups) -> bool:
    """Whether people have been told of this, or of other discs that lie about."""
    incident = tracker.incident
    if incident is None:
        return False
    return incident.changes == changes or incident.kind in DISCS_ABOUT


def _have_lain(tracker: Tracker, squares: tuple[int, ...], patience: int) -> bool:
    """Whether a disc has lain off one of the squares for so long, in ms; where it is missing
    nowhere, one that was brought."""
    if squares and squares == _grown_aside(tracker):
        return True
    return any(
        tracker.now - loose.since_ms >= patience and (squares or loose.brought)
        for loose in tracker.loose
    )


def _are_left(tracker: Tracker, squares: tuple[int, ...], patience: int) -> bool:
    """Whether hands have been away for so long, in ms, be it at the rim, or for much longer where
    one may hold the disc: nobody holds one who has left another lying, nor two at once. What rests
    at the rim may hide half of a disc that lies there."""
    away_ms = tracker.sight.hands_off_ms()
    cells = [cell_of(s) for s in squares] + [loose.disc.cell for loose in tracker.loose]
    if len(squares) > 1 or not any(map(_is_outermost, cells)):
        away_ms = max(away_ms, tracker.sight.clear_ms(tuple(SQUARES)) - AT_RIM_MS)
    held = len(squares) <= 1 and bool(tracker.loose)
    held = held and all(_may_be_held(tracker, loose) for loose in tracker.loose)
    return away_ms >= max(HANDS_OFF_MS, STILL_HELD_MS if held else patience)


def _was_put_on_light(tracker: Tracker, deed: Deed) -> bool:
    """Whether who moves has moved his piece to a light cell, and not only pushed it aside: he alone
    was there, and it lies so near the middle of the cell as people put down what they move (3.3).
    """
    one = len(deed.squares) == len(tracker.loose) == 1
    if not one or tracker.incident or tracker.doubt.instead:
        return False
    (square,), (loose,), turn = deed.squares, tracker.loose, tracker.position.turn
    glance = tracker.sight.at(square)
    his = deed.side is turn and turn.owns(tracker.piece(square)) and loose.disc.side is turn
    by_him = glance.changed_by is turn and not glance.shared and loose.brought
    on_light = loose.place is not None and aside(loose.place) <= ON_LIGHT
    return his and by_him and on_light

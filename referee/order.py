"""What was there before what: the squares tell when they changed, and moves follow each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.board import Side, side_of
from referee.deeds import Deed, occupants
from referee.rules import Move
from referee.sight import EMPTY_GROUP, FLICKER_MS, GROUP_OF, NEVER, Glance, Sight

EARLY_MS = 300
"""A change that lay there so long before another was made has not followed it."""
APART_MS = 300
"""What lies so long between two changes was not done in one sweep."""
COVERED_MS = 1_500
"""A hand covers a square for so long at most before it shows what was done there."""


def out_of_order(sight: Sight, moves: Sequence[Move], deed: tuple[int, ...] = ()) -> int:
    """How many of the moves, or whether the deed on these squares after them, lay there before the
    one was made that they are to have followed. Jumped pieces may be taken off later than that."""
    rows = [move.squares for move in moves] + ([deed] if deed else [])
    early = int(_was_there_before(sight, moves)) if moves else 0
    for number, row in enumerate(rows[1:], start=1):
        before = _all(rows[:number])
        made_ms = _made_ms(sight, moves[number - 1], changed_later=rows[number:])
        since_ms = max(_since(sight, square, square in before) for square in row)
        if number < len(moves):
            if _is_hidden(sight, moves, number, made_ms):
                continue
            since_ms = min(since_ms, _done_ms(sight, moves[number], before))
        early += since_ms < made_ms - EARLY_MS or _was_nowhere(sight, moves[number - 1 :])
    return early


def _all(rows: Iterable[tuple[int, ...]]) -> set[int]:
    return {square for row in rows for square in row}


def _made_ms(sight: Sight, move: Move, changed_later: Iterable[tuple[int, ...]]) -> int:
    """Until when a move had surely not been made, by those of its squares that nothing changed
    later; where there is none, since when its piece had left."""
    own, later = side_of(move.piece), _all(changed_later)
    seen = [_not_before(sight, s, group, own) for s, group in _left(move) if s not in later]
    return max(seen, default=_taken_up_ms(sight, move) or NEVER)


def _done_ms(sight: Sight, move: Move, before: set[int]) -> int:
    """When a move was plainly made that followed others, which changed the squares `before`; now
    where nothing tells."""
    taken_up_ms = _taken_up_ms(sight, move) or sight.time_ms
    return taken_up_ms if move.end in before else min(taken_up_ms, _arrived(sight, move))


def _is_hidden(sight: Sight, moves: Sequence[Move], number: int, made_ms: int) -> bool:
    """Whether the piece of a move came by an earlier one, below hands since that was made, and went
    to where a later one has changed the square again: nothing is left to tell by."""
    move = moves[number]
    came = any(former.end == move.start for former in moves[:number])
    again = any(move.end in later.squares for later in moves[number + 1 :])
    return came and again and sight.at(move.start).covered_ms >= made_ms - EARLY_MS


def _taken_up_ms(sight: Sight, move: Move) -> int | None:
    """When the piece of a move was taken up that has come back to where it began; None where that
    was not seen, as of one that has stood there since the board first was."""
    start = sight.at(move.start)
    former, _, formerly_ms = start.before
    was_bare = former == EMPTY_GROUP and formerly_ms > NEVER
    back = start.visible and start.group == GROUP_OF[move.piece]
    return formerly_ms if was_bare and back else None


def _arrived(sight: Sight, move: Move) -> int:
    """Since when a piece plainly stands where a move ends, or did until a hand hid it, if one has
    brought it there: whatever its first square looks like, that was when the move was made. Else
    now."""
    end = sight.at(move.end)
    brought = end.reached and end.group == GROUP_OF[move.piece]
    told = brought and move.start != move.end and _speaks_up(sight, end)
    return end.stood_ms if told else sight.time_ms


def _speaks_up(sight: Sight, glance: Glance) -> bool:
    """Whether a square speaks so clearly that no lamp is mirrored in it."""
    return 2 * glance.spoke >= (sight.usual_gap or 0)


def _was_there_before(sight: Sight, moves: Sequence[Move]) -> bool:
    """Whether what seems to stand at the first move's end came to look so while the piece was still
    seen where that move begins: nothing stands in two places.

    If no hand had brought it, one that has covered it since may have. If one had, and the move has
    not been answered twice, the piece may lie on both squares, being pushed from one to the other;
    and what stood at the end before the piece came to where it begins has left since.
    """
    move, *later = moves
    if {move.start, move.end} & {square for other in later for square in occupants(other)}:
        return False
    start, end = sight.at(move.start), sight.at(move.end)
    if end.reached:
        untold = len(later) < 2 or end.stood_ms < start.before[2]
    else:
        untold = end.covered_ms > end.turned_ms
    if untold:
        return False
    group = GROUP_OF[move.piece]
    seen = start.group == EMPTY_GROUP and end.group == group and start.visible and end.visible
    left_ms = _not_before(sight, move.start, group, side_of(move.piece))
    return seen and end.stood_ms < left_ms - EARLY_MS


def left_later(sight: Sight, deed: Deed) -> bool:
    """Whether the piece of the move beside which another one of its side was taken off was still
    seen where that begins when the other had left: people put down what they have taken up first.
    """
    start, _, other = (sight.at(square) for square in deed.squares[:3])
    bare = start.group == other.group == EMPTY_GROUP
    return bare and other.visible and start.held_ms > other.turned_ms + EARLY_MS


def _was_nowhere(sight: Sight, moves: Sequence[Move]) -> bool:
    """Whether the piece moved first, which goes on two moves later, was seen at neither of its two
    ends when the piece that was moved between had already been taken up. A square in which a lamp
    is mirrored may look bare though it stood there."""
    if len(moves) < 3 or moves[2].start != moves[0].end:
        return False
    again = {square for move in moves[2:] for square in occupants(move)}
    start, reply, stop, end = (
        sight.at(square) for square in (moves[0].start, moves[1].start, moves[0].end, moves[2].end)
    )
    if again & {moves[0].start, moves[1].start} or stop.group != EMPTY_GROUP:
        return False
    gone_ms, ms = start.stood_ms, reply.stood_ms
    nowhere = max(gone_ms, stop.turned_ms) < ms - EARLY_MS and ms < end.stood_ms - EARLY_MS
    in_view = _was_in_view(stop, ms) and _was_in_view(end, ms)
    return nowhere and in_view and _speaks_up(sight, stop)


def _was_in_view(glance: Glance, ms: int) -> bool:
    return glance.visible and not glance.hidden_ms <= ms <= glance.covered_ms


def lay_apart(sight: Sight, moves: Sequence[Move], deed: Deed) -> bool:
    """Whether all of the moves lay there for a while before anything of the deed was done."""
    done = set(deed.changed)
    moved = {square for move in moves for square in move.squares} - done
    seen = all(sight.at(square).visible for square in (*moved, *done))
    if not moved or not seen:
        return False
    last_ms = max(sight.at(square).turned_ms for square in moved)
    return last_ms <= min(sight.at(square).turned_ms for square in done) - APART_MS


def _since(sight: Sight, square: int, changed: bool) -> int:
    """Since when a square looks as it does; if it has been changed before, what it looked like
    meanwhile was no arm. One that cannot be read just now, no hand being near, looks as it did."""
    glance = sight.at(square)
    since_ms = glance.turned_ms if changed else glance.stood_ms
    return since_ms if glance.visible or glance.near_ms < glance.hidden_ms else sight.time_ms


def _left(move: Move) -> Iterator[tuple[int, int]]:
    """The squares of a move's path, and who stood on each before it."""
    yield move.start, GROUP_OF[move.piece]
    yield from ((square, EMPTY_GROUP) for square in move.path[1:])


def _not_before(sight: Sight, square: int, group: int, mover: Side | None) -> int:
    """Until when a square was seen as it was before the mover changed it, with this occupant; a
    hand that has come over it since takes nothing of that away, and who else seemed to stand there
    for a while was a slip. Where it came to look so by no hand of his, the eye had erred."""
    glance = sight.at(square)
    if not glance.touched or glance.changed_by not in (mover, None):
        return NEVER
    former, _, formerly_ms = glance.before
    stood_ms = glance.stood_ms if former == group else min(glance.stood_ms, formerly_ms)
    if glance.hidden_ms > stood_ms:
        return stood_ms - COVERED_MS
    seen = stood_ms - glance.uncovered_ms > FLICKER_MS
    return stood_ms if seen else glance.hidden_ms

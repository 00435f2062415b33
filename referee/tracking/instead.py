"""Moves that are complete and are taken back all the same, another being made in their place.

By the rules they stand, and to touch a piece then is to touch it off turn (WCDF 4.6, 4.8); people
who play for fun do so all the same. Where nothing else is open the new move goes on record, and the
referee asks which of the two it is. Else it only asks; when the other player has answered the new
one, both have settled that themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from referee.board import EMPTY, Side, difference
from referee.deeds import Groups, squares_of
from referee.events import Restored, Unsure
from referee.order import out_of_order
from referee.rules import Line, Move, Position, lawful_moves
from referee.sight import EMPTY_GROUP, GROUP_OF
from referee.tracking.hands import has_adjusted, was_never_left, who_may_have_moved
from referee.tracking.making import which_way
from referee.tracking.memory import (
    QUIET_MS,
    Step,
    Tracker,
    asked_about,
    contradictions,
    differing,
    forget_touches,
    is_otherwise,
    shows,
    wrong_squares,
)
from referee.tracking.notes import Instead, Rival
from referee.tracking.record import made, reached, settled, withdrawn
from referee.tracking.rivals import came_back_unseen, is_played_on, overtaken

INSTEAD_MS = 800
"""How long the board must lie still and open, before it is asked about and before it is settled."""
BACK_MS = 150
"""How long a move that has gone back must lie so at the least: people play another at once."""
MOST_UNDONE = 4
"""So many moves at most go back in one go, or ago the record has gone wrong."""
FEWEST = 3
"""Squares at least that look otherwise when one move has gone back and another been made..."""
MOST = 9
"""...and at most from where they were taken back to, by a move and its answers."""
MOST_SINCE = 3
"""Squares at most that somebody has changed since the mover had made another move."""
FURTHEST = 3
"""So many answers at most may have been given while the board never lay still."""
WRONGED_MS = 1_800
"""For so long what is no answer must have lain there: that of a slow hand may be half made."""
TAKEN_MS = 3_000
"""Nobody has the other player's piece in his hand for so long who puts it back for him."""


def mind_instead(tracker: Tracker) -> Step | None:
    """Ask which moves it is, or follow the new one when that has been answered; None where no
    move has been taken back for another."""
    still = _lies_still(tracker)
    if tracker.doubt.instead and tracker.doubt.instead.line:
        return _settled_by_play(tracker, tracker.doubt.instead) if still else (tracker, ())
    if not tracker.doubt.instead and _went_back(tracker) and not is_played_on(tracker):
        return _competing(tracker, Instead(1, ())), ()
    if not still:
        return None
    if move := _went_elsewhere(tracker):
        return followed(tracker, 1, (move,))
    return _another(tracker)


def _went_back(tracker: Tracker) -> bool:
    """Whether the last move has gone back, or its piece on to where another move of it ends: that
    may be made in its place, and be answered before the board lies still."""
    if tracker.last is None:
        return False
    squares = set(wrong_squares(tracker))
    if tracker.sight.rested_ms(tuple(squares)) < BACK_MS:
        return False
    gone = _seems(tracker, _before(tracker)) or _was_moved_on(tracker, squares)
    return gone or _was_made_instead(tracker, tracker.last, squares)


def _was_made_instead(tracker: Tracker, last: Move, squares: set[int]) -> bool:
    """Whether the mover's own hand has put the piece of the last move back, and made another move
    already."""
    mover, before = tracker.position.turn.other, _before(tracker)
    by_him = all(tracker.sight.at(square).changed_by is mover for square in squares)
    if not by_him or not {last.start, last.end} <= squares:
        return False
    others = (move for move in leaving(tracker, before) if move != last)
    return any(_seems(tracker, reached(before, (move,))) for move in others)


def _competing(tracker: Tracker, instead: Instead) -> Tracker:
    """The tracker with what the board shows in place of the last moves: what follows upon that
    competes with them from now on."""
    fork = len(tracker.plies) - instead.undone
    rows = Rival(tracker.plies[fork:]), Rival()
    rivalry = replace(tracker.rivalry, sure=fork, rows=rows)
    return replace(tracker, doubt=replace(tracker.doubt, instead=instead), rivalry=rivalry)


def compete_instead(tracker: Tracker) -> Tracker:
    """The tracker when people have just been told of something: if it is the last move gone back,
    or another in its place, they may play on from that at once."""
    last = tracker.last
    if tracker.doubt.instead or last is None:
        return tracker
    before = _before(tracker)
    lines = ((), *((move,) for move in leaving(tracker, before) if move != last))
    lying = (Instead(1, line) for line in lines if _seems(tracker, reached(before, line)))
    instead = next(lying, None)
    return _competing(tracker, instead) if instead else tracker


def _seems(tracker: Tracker, position: Position) -> bool:
    """Whether the board may be as in a position: it is where that differs from the record, and
    nothing in view speaks against it."""
    changed = difference(tracker.position.setup, position.setup)
    return tracker.sight.visible(changed) and not differing(tracker.sight, position)


def is_return_hidden(tracker: Tracker) -> bool:
    """Whether it is not seen just now if the moves that had gone back lie there again."""
    undone = tracker.plies[-tracker.doubt.instead.undone :] if tracker.doubt.instead else ()
    return not tracker.sight.visible(tuple(square for move in undone for square in move.squares))


def _another(tracker: Tracker) -> Step | None:
    """The tracker when another move lies there instead of the last, answered or not."""
    if not _may_be_replaced(tracker):
        return None
    return _asked(tracker) or _answered_at_once(tracker)


def _went_elsewhere(tracker: Tracker) -> Move | None:
    """The move that was made in place of the last one, if that was believed of a square which only
    looked so while the piece was in the hand: it lies elsewhere now."""
    if not tracker.plies or tracker.incident:
        return None
    last, sight, wrong = tracker.plies[-1], tracker.sight, dict(contradictions(tracker))
    there = wrong.pop(last.end, None)
    if last.captured or not _was_never_there(tracker, there) or len(wrong) != 1:
        return None
    ((square, group),) = wrong.items()
    if not sight.at(square).touched or sight.at(square).changed_by is tracker.position.turn:
        return None
    if there is None and _looked_so_before(tracker, square):
        return None  # else each of the two would be told in place of the other for ever
    moves = (m for m in lawful_moves(_before(tracker)) if (m.start, m.end) == (last.start, square))
    return next((m for m in moves if not m.captured and GROUP_OF[m.piece] == group), None)


def _was_never_there(tracker: Tracker, now: int | None) -> bool:
    """Whether the piece moved last has not been left where it was believed to be: the square had
    looked so before it was taken up, or has come to look bare (`now` says who seems to stand there)
    though nobody else has been at it."""
    if now is None:
        return _looked_so_before(tracker, tracker.plies[-1].end)
    return now == EMPTY_GROUP and was_never_left(tracker)


def _looked_so_before(tracker: Tracker, square: int) -> bool:
    """Whether a square has looked as it does since before the piece moved last was taken up."""
    taken_ms = tracker.sight.at(tracker.plies[-1].start).turned_ms
    return tracker.sight.at(square).turned_ms < taken_ms - QUIET_MS


def _lies_still(tracker: Tracker) -> bool:
    """Whether all hands are off for long enough, and nobody is yet to put pieces straight who has
    said so: while a question is open the board is never in order, which would end that."""
    still_ms = tracker.sight.still_ms(wrong_squares(tracker))
    is_open = not tracker.is_adjusting or has_adjusted(tracker)
    return still_ms >= INSTEAD_MS and is_open


def _may_be_replaced(tracker: Tracker) -> bool:
    """Whether hands have changed enough, among them perhaps that of the last mover, not by lawful
    moves that nobody has told of yet, which take the other player's hand too, nor before people
    corrected the record; his piece no longer looks as he has put it."""
    squares, last = set(wrong_squares(tracker)) - _slips(tracker), tracker.last
    movers, mover = who_may_have_moved(tracker), tracker.position.turn.other
    return (
        last is not None
        and not squares.isdisjoint((last.start, last.end))
        and (len(squares) >= FEWEST - bool(tracker.incident) or _was_moved_on(tracker, squares))
        and all(tracker.sight.at(square).touched for square in squares)
        and mover in movers
        and (tracker.doubt.instead is not None or movers == {mover} or not overtaken(tracker))
        and not is_otherwise(tracker)
        and not any(_lies_there(tracker, more) for more in _answers(tracker, Instead(0, ())))
    )


def _was_moved_on(tracker: Tracker, squares: set[int]) -> bool:
    """Whether the mover's own hand has put the piece of the last move where another move of it
    ends: by that alone the two differ. Of a move that has not been made for sure, or gone back, it
    may be that this one was made from the first."""
    if not tracker.doubt.instead and tracker.rivalry.sure < len(tracker.plies):
        return False
    (*_, last), mover = tracker.plies, tracker.position.turn.other
    others = (move for move in lawful_moves(_before(tracker)) if move.start == last.start)
    by_him = all(tracker.sight.at(square).changed_by is mover for square in squares)
    ends = {other.end for other in others} - {last.end}
    return by_him and any(squares == {last.end, end} for end in ends)


def _undone(tracker: Tracker) -> Iterator[int]:
    """How many of the last moves may have gone back, few first: none that play could lead back to,
    as where kings go to and fro, nor what one player alone has done while the board was not in
    order by the other's doing, who has gone on all the same."""
    incident, plies = tracker.incident, tracker.plies
    others_offence = incident is not None and incident.side is tracker.position.turn
    for undone in range(1, min(MOST_UNDONE, len(plies)) + 1):
        for_good = any(move.is_for_good for move in plies[-undone:])
        differs = len(_otherwise(tracker, _before(tracker, undone)))
        if differs <= MOST and (for_good if undone > 1 else not others_offence):
            yield undone


def _in_their_place(tracker: Tracker) -> Iterator[Instead]:
    """The lawful moves that the board may show instead of the last ones."""
    for undone in _undone(tracker):
        before = _before(tracker, undone)
        for move in leaving(tracker, before):
            if move != tracker.plies[-undone]:
                yield Instead(undone, (move,))


def _before(tracker: Tracker, undone: int = 1) -> Position:
    """The position before the last moves."""
    return tracker.position_after(len(tracker.plies) - undone)


def _asked(tracker: Tracker) -> Step | None:
    """The tracker when another move lies there instead, of which people are asked: on record where
    it is made in place of one move alone, and nothing else is open."""
    others = tuple(_in_their_place(tracker))
    if _is_only_taken_back(tracker):
        of_last = [other for other in others if other.undone == 1]
        lying = (o for lies in (_lies_there, _lay_there) for o in of_last if lies(tracker, o))
        if instead := next(lying, None):
            return _put_on_record(tracker, instead.line)
    instead = next((other for other in others if _lies_there(tracker, other)), None)
    if instead is None:
        return None
    slips, rows = _slips(tracker), (tracker.plies[-instead.undone :], instead.line)
    squares = tuple(square for square in wrong_squares(tracker) if square not in slips)
    question = replace(_which(tracker, instead.undone, rows), squares=squares)
    return asked_about(_competing(tracker, instead), squares), (question,)


def _which(tracker: Tracker, undone: int, rows: tuple[Line, Line]) -> Unsure:
    """The question which of two rows was played, one of them the last moves on record, so many."""
    before, kept = _before(tracker, undone), len(tracker.plies) - undone
    return which_way(tracker.now, before, rows, kept)


def _is_only_taken_back(tracker: Tracker) -> bool:
    """Whether nothing is open but perhaps that the last move has gone back, which people were told
    of as something that was done to its piece."""
    incident, (*_, last) = tracker.incident, tracker.plies
    return incident is None or set(incident.changed) <= set(last.squares)


def _put_on_record(tracker: Tracker, line: Line) -> Step:
    """The tracker when the mover has made another move, nothing else being open: what the players
    do next is judged behind that, and people are asked which of the two it is."""
    question = replace(_which(tracker, 1, (line, tracker.plies[-1:])), instead=True)
    restored = (Restored(tracker.now),) if tracker.incident else ()
    made_ms = _turned_ms(tracker, line[-1].squares)
    now, events = followed(replace(tracker, incident=None), 1, line, made_ms)
    return now, (*restored, *events, question)


def _turned_ms(tracker: Tracker, squares: Iterable[int]) -> int:
    """Since when all of the squares look as they do."""
    return max(tracker.sight.at(square).turned_ms for square in squares)


def _lies_there(tracker: Tracker, instead: Instead) -> bool:
    position = reached(_before(tracker, instead.undone), instead.line)
    return shows(tracker, position, but=_slips(tracker))


def _lay_there(tracker: Tracker, instead: Instead) -> bool:
    """Whether the mover's own hand had made it, and somebody has changed a few squares since, which
    is no answer: that is to be judged behind it."""
    position, sight = reached(_before(tracker, instead.undone), instead.line), tracker.sight
    made = difference(tracker.position.setup, position.setup)
    since = squares_of(differing(sight, position))
    mover, made_ms = tracker.position.turn.other, _turned_ms(tracker, made)
    return (
        0 < len(since) <= MOST_SINCE
        and all(sight.at(s).changed_by is mover for s in made)
        and all(sight.at(s).turned_ms > made_ms for s in since)
        and sight.visible(made)
        and not any(_lies_there(tracker, answered) for answered in _answers(tracker, instead))
    )


def _slips(tracker: Tracker) -> frozenset[int]:
    """The square on which somebody seems to stand where nobody does, no hand having been near, if
    that is but one."""
    bare = [s for s in wrong_squares(tracker) if tracker.piece(s) == EMPTY]
    slips = [square for square in bare if not tracker.sight.at(square).touched]
    return frozenset(slips if len(slips) == 1 else ())


def _answered_at_once(tracker: Tracker) -> Step | None:
    """The tracker when the new move was answered before the board lay still: both players have had
    their hands there. The old one was not made all the same, later on, nor do others only lead to
    where the board lay before it, nor lay they there in another order, nor has a piece of which
    nobody saw that it left gone and come back."""
    if len(who_may_have_moved(tracker)) < len(Side):
        return None
    lain = {_before(tracker, undone).setup for undone in _undone(tracker)}
    answered = (
        other
        for each in _in_their_place(tracker)
        for other in _answers(tracker, each)
        if tracker.plies[-other.undone] not in other.line
        and reached(_before(tracker, other.undone), other.line).setup not in lain
        and not out_of_order(tracker.sight, other.line)
        and not came_back_unseen(tracker, other.line)
    )
    lying = next((other for other in answered if _lies_there(tracker, other)), None)
    return followed(tracker, lying.undone, lying.line) if lying else None


def lying_instead(tracker: Tracker) -> Instead | None:
    """The new move, with the answers to it, if that is what the board shows."""
    if tracker.doubt.instead is None:
        return None
    rows = (tracker.doubt.instead, *_answers(tracker, tracker.doubt.instead))
    return next((row for row in rows if _lies_there(tracker, row)), None)


def _settled_by_play(tracker: Tracker, instead: Instead) -> Step:
    """The tracker when the new move has been answered, be it unlawfully: it is what was played.
    Where it has gone back as well, a third may lie there."""
    lying = lying_instead(tracker)
    if lying == instead:
        return tracker, ()
    if lying:
        return followed(tracker, lying.undone, lying.line)
    if another := _another(tracker):
        return another
    stood_ms = _wronged_ms(tracker, instead)
    if stood_ms is None:
        return tracker, ()
    return followed(tracker, instead.undone, instead.line, stood_ms)


def _wronged_ms(tracker: Tracker, instead: Instead) -> int | None:
    """Since when the new move has lain there, if somebody has changed since what nobody who puts it
    back would, nor has been told of: that is to be judged behind it. Else None."""
    before = _before(tracker, instead.undone)
    told = tracker.incident.changes if tracker.incident else ()
    changed = differing(tracker.sight, reached(before, instead.line))
    if not changed:
        return None  # the new move lies there, but a square elsewhere cannot be seen
    as_before = {
        square
        for square, group in changed
        for earlier in (before, tracker.position)
        if GROUP_OF[earlier.setup[square - 1]] == group
    }
    sight, squares = tracker.sight, squares_of(changed)
    goes_back = not as_before.isdisjoint(instead.line[-1].squares)
    put_back = as_before >= set(squares) and not _has_taken(tracker, before.turn.other, changed)
    if set(changed) <= set(told) or goes_back or put_back:
        return None
    if not all(sight.at(s).touched for s in squares) or sight.still_ms(squares) < WRONGED_MS:
        return None
    return _turned_ms(tracker, instead.line[-1].squares)


def _has_taken(tracker: Tracker, side: Side, changes: Groups) -> bool:
    """Whether all that has changed is that a player has taken pieces off, and for longer than who
    puts them elsewhere."""
    sight = tracker.sight
    taken = all(g == EMPTY_GROUP and sight.at(s).changed_by is side for s, g in changes)
    return taken and sight.still_ms(squares_of(changes)) >= TAKEN_MS


def followed(tracker: Tracker, undone: int, line: Line, made_ms: int | None = None) -> Step:
    """The tracker when the last moves were not made, so many, but others were: just now, or since
    `made_ms`."""
    now, back = withdrawn(tracker, len(tracker.plies) - undone)
    now, forth = made(forget_touches(now), line, made_ms)
    return settled(now), (*back, *forth)


def _answers(tracker: Tracker, instead: Instead) -> Iterator[Instead]:
    """The new move with one answer, and with more."""
    before, lines = _before(tracker, instead.undone), [instead.line]
    for _ in range(FURTHEST):
        lines = [(*line, m) for line in lines for m in leaving(tracker, reached(before, line))]
        yield from (replace(instead, line=line) for line in lines)


def leaving(tracker: Tracker, position: Position) -> Iterator[Move]:
    """The lawful moves of pieces that have left their squares: of many kings few have."""
    left = _otherwise(tracker, position)
    return (move for move in lawful_moves(position) if move.start in left or move.is_capture)


def _otherwise(tracker: Tracker, position: Position) -> set[int]:
    """The squares that look otherwise than in a position."""
    return set(squares_of(differing(tracker.sight, position)))

"""What a move, or a row of moves, changes of what is remembered, and what taking some back does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from referee.board import at, is_king
from referee.events import Event, Played, Withdrawn
from referee.notation import fen, move_text, move_texts
from referee.rules import Line, Move, Position, after
from referee.sight import EMPTY_GROUP, GROUP_OF, NEVER
from referee.tracking.hands import has_adjusted
from referee.tracking.heights import moved
from referee.tracking.memory import QUIET_MS, Step, Tracker, differing, king_looks, without
from referee.tracking.notes import Adjusting, Bare, Correction, Crowning, Loose, Ranked, Ranks

CROWNED_MS = 900
"""A hand that stays at a square for so long may have put down two discs, one after the other."""
ALONE_MS, LAYING_MS = 500, 400
"""Who brings a man to his king-row, leaves him alone for so long and comes back over him for so
long, has crowned him himself [so were 16 in films of others; of the men that were not crowned five
had his own player's hand over them again, after a capture or sooner]."""
PLAINLY_CROWNED = 200
"""What a king looks at least, in centinats, of whom it is believed that he has his crown, though
somebody does as if he had none."""
DEAF_MS = 1_000
"""A square that looked so already for so long when a piece was taken up shows something else."""


def played_event(tracker: Tracker, move: Move) -> Played:
    """The announcement of a move from the tracker's position."""
    position = tracker.position
    text = move_text(position, move)
    return Played(tracker.now, position.turn, text, fen(after(position, move)))


def advance(tracker: Tracker, move: Move, made_ms: int | None = None) -> Tracker:
    """The tracker after a lawful move, made at the time `made_ms`, or just now."""
    uncrowned = tracker.uncrowned - {*move.captured, move.start}
    if move.crowns or move.start in tracker.uncrowned:
        uncrowned |= {move.end}
    return replace(
        tracker,
        position=after(tracker.position, move),
        plies=(*tracker.plies, move),
        sight=tracker.sight.believed(move.start, move.end),
        passed=(*tracker.passed, tracker.position),
        uncrowned=uncrowned,
        settled_ms=tracker.now if made_ms is None else made_ms,
        played_ms=tracker.now,
        clung_ms=tracker.sight.at(move.end).near_ms,
        adjusting=Adjusting() if has_adjusted(tracker) else tracker.adjusting,
        quiet_ms=None,
        guess=None,
        lines=tuple(line[1:] for line in tracker.lines if line[0] == move and line[1:]),
        incident=None,
        doubt=tracker.doubt.over(),
        correction=_corrected(tracker.correction, move),
        loose=_left_loose(tracker),
        crowning=_crowning(tracker, move),
        deaf=_deaf(tracker, move),
        ranks=_ranks(tracker, move),
    )


def _corrected(correction: Correction, move: Move) -> Correction:
    return replace(correction, differs=without(correction.differs, move.squares))


def _crowning(tracker: Tracker, move: Move) -> Crowning:
    arrived = move.crowns and not _is_laid(tracker, move)
    bare = _arrived(tracker, move) if arrived else None
    return Crowning(bare, _owed(tracker), _is_hasty(tracker))


def _ranks(tracker: Tracker, move: Move) -> Ranks:
    ranks, squares = tracker.ranks, move.squares
    return Ranks(
        ranked=without(ranks.ranked, squares),
        came=_came(ranks, move),
        looked=without(ranks.looked, squares),
        crowned=without(ranks.crowned, squares),
        heights=moved(tracker, move),
        alike=without(ranks.alike, squares),
        lay=without(ranks.lay, squares),
    )


def made(tracker: Tracker, moves: Line, made_ms: int | None = None) -> Step:
    """The tracker after some lawful moves, each announced."""
    events: list[Event] = []
    for move in moves:
        events.append(played_event(tracker, move))
        tracker = advance(tracker, move, made_ms)
    return tracker, tuple(events)


def _deaf(tracker: Tracker, move: Move) -> tuple[tuple[int, int], ...]:
    """See `Tracker.deaf`."""
    start, end = tracker.sight.at(move.start), tracker.sight.at(move.end)
    others = tuple(entry for entry in tracker.deaf if entry[0] != move.end)
    looked = end.visible and end.group == GROUP_OF[move.piece]
    left = start.group == EMPTY_GROUP  # else it has turned once more since the piece left it
    before = looked and end.turned_ms < start.turned_ms - DEAF_MS and move.start != move.end
    return (*others, (move.end, end.turned_ms)) if left and before else others


def _came(ranks: Ranks, move: Move) -> Ranked:
    """See `Ranks.came`."""
    looked, others = _ranked_as(ranks, move.start), without(ranks.came, move.squares)
    return others if looked is None or move.crowns else (*others, (move.end, looked))


def _ranked_as(ranks: Ranks, square: int) -> int | None:
    """How the piece on a square has looked, if its rank has been seen."""
    return dict((*ranks.came, *ranks.ranked)).get(square)


def _arrived(tracker: Tracker, move: Move) -> Bare:
    """A man just announced. The opponent's hand may have crowned him before that, or his own
    player's, if it has come back over him or has stayed for so long; or one that was not seen,
    where he looked somebody else for a moment."""
    glance, opponent = tracker.sight.at(move.end), tracker.position.turn.other
    stayed_ms = max(glance.near_ms, glance.turned_ms) - glance.hidden_ms
    visited = glance.both or glance.over is opponent
    looked = dict(tracker.ranks.looked).get(move.start)
    came = looked.king if looked else None
    return Bare(
        move.end,
        tracker.now,
        visited_ms=NEVER if visited else None,
        before=(visited and (_ranked_as(tracker.ranks, move.start) or came)) or 0,
        came=came,
        unseen=stayed_ms >= CROWNED_MS or glance.turned_ms > glance.stood_ms,
        returned=glance.covered_ms > glance.turned_ms,
    )


def _is_laid(tracker: Tracker, move: Move) -> bool:
    """Whether a man has been crowned by the hand that brought him, though the eye may not see it:
    it has come back to lay the disc on him, and not for what he captured."""
    glance = tracker.sight.at(move.end)
    own = glance.over is tracker.position.turn and not glance.both
    alone_ms, laying_ms = glance.hidden_ms - glance.turned_ms, glance.dwelt_ms
    return not move.is_capture and own and alone_ms >= ALONE_MS and laying_ms >= LAYING_MS


def _owed(tracker: Tracker) -> Bare | None:
    """The man that awaited its crown, when the reply is made; not where people were told of him."""
    bare = tracker.crowning.bare
    return bare.answered(tracker.now) if bare and not tracker.incident else None


def _left_loose(tracker: Tracker) -> tuple[Loose, ...]:
    """The loose discs but those half off their squares: who plays on has let them lie."""
    return tuple(loose for loose in tracker.loose if loose.square is None)


def _is_hasty(tracker: Tracker) -> bool:
    """Whether the reply that is made now may have to be taken back: the man who arrived with the
    last move was not seen to be crowned, or does not look it."""
    last = tracker.last
    if last is None or not last.crowns:
        return False
    return last.end in tracker.uncrowned or king_looks(tracker, last.end) < PLAINLY_CROWNED


def at_ply(tracker: Tracker, count: int) -> Tracker:
    """The tracker as it was after so many plies; kings that have gone astray count as crowned. What
    was noted of a move that is taken back accuses nobody: he who made it did something else."""
    position = tracker.position_after(count)
    still = {s for s in tracker.uncrowned if is_king(at(position.setup, s))}
    return replace(
        tracker,
        position=position,
        plies=tracker.plies[:count],
        passed=tracker.passed[:count],
        uncrowned=frozenset(still),
        leftover=0,
        crowning=Crowning(),
        ranks=replace(tracker.ranks, altered=(), lay=(), crowned=(), heights=(), alike=()),
        landed=None,
        lines=(),
        guess=None,
        doubt=tracker.doubt.over(),
    )


def withdrawn(tracker: Tracker, count: int) -> Step:
    """The tracker as it was after so many plies, the later ones announced as taken back."""
    now, undone = at_ply(tracker, count), tracker.plies[count:]
    texts = move_texts(now.position, undone)[::-1]
    return now, (Withdrawn(tracker.now, texts, fen(now.position)),) if undone else ()


@lru_cache(maxsize=512)
def reached(position: Position, moves: Line) -> Position:
    """The position after some moves, however many."""
    for move in moves:
        position = after(position, move)
    return position


def when_made(tracker: Tracker, moves: Line) -> int:
    """When a row of moves was made: just now, unless the opponent of the last mover has had his
    hand on the board since their squares look so. What he did then is yet to be explained, but for
    what has put the board right."""
    if tracker.incident and tracker.sight.hands_off_ms() >= QUIET_MS:
        return tracker.now
    last, turn = moves[-1], tracker.position.turn
    glances = (tracker.sight.at(square) for square in (last.start, last.end, *last.captured))
    came = max(glance.turned_ms for glance in glances) + QUIET_MS
    replied = tracker.sight.hand_of_ms(turn.other if len(moves) % 2 else turn) > came
    made_ms = max(tracker.settled_ms, came) if replied else tracker.now
    return min([made_ms, *_gone_on(tracker, moves)])


def _gone_on(tracker: Tracker, moves: Line) -> Iterator[int]:
    """When hands have changed squares that some moves do not explain, since an arm came to hide
    these: others may have been made meanwhile."""
    path = (square for move in moves for square in move.path)
    since_ms = max(tracker.settled_ms, min(tracker.sight.at(square).hidden_ms for square in path))
    for square, _ in differing(tracker.sight, reached(tracker.position, moves)):
        glance = tracker.sight.at(square)
        if glance.bared and glance.turned_ms > since_ms:
            yield glance.turned_ms


def settled(tracker: Tracker) -> Tracker:
    """The tracker when people have put the board back: the record is right, and what was seen
    while they did so was no play."""
    rivalry = replace(tracker.rivalry, sure=len(tracker.plies), rows=())
    return replace(tracker, rivalry=rivalry, lines=())


def told_apart(line: Line) -> tuple[object, ...]:
    """What tells rows of moves apart; the order of the jumps in a capture is no matter."""
    return tuple([(move.start, move.end, frozenset(move.captured)) for move in line])

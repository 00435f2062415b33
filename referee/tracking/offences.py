"""When a player is accused, and of what."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from referee.board import SQUARES, at, side_of
from referee.deeds import Deed, against, choices, occupants
from referee.events import Irregularity
from referee.explanation import Explanation
from referee.hypotheses import Hypothesis, group_changes
from referee.rules import Line, Position
from referee.sight import EMPTY_GROUP, GROUP_OF
from referee.tracking.culprits import caught_at, charged, is_by_hands
from referee.tracking.hands import are_told_apart, was_never_left, who_acted
from referee.tracking.kinds import (
    BESIDE_A_MOVE,
    BY_ONE_PIECE,
    DISORDER,
    LONELY,
    NO_PLAY,
    UNDER_A_HAND,
    UNFOLLOWED,
)
from referee.tracking.memory import (
    ACCUSE_MARGIN,
    ERRS_MS,
    Tracker,
    contradictions,
    is_otherwise,
    lies_open,
    reply_to_arrival,
    wrong_squares,
)
from referee.tracking.patience import ARM_REST_MS, NO_SLIP, patience_with, thinking_ms
from referee.tracking.plain import is_plain, lies_plainly
from referee.tracking.record import reached
from referee.tracking.rivals import (
    explained_by_play,
    going_on,
    is_all_by_mover,
    is_by_one_hand,
    is_taken_back,
    likely,
    overtaken,
    since_sure,
)

BLAMELESS_MARGIN = 200
"""The lead that is enough to say that the board is in disorder, which nobody is punished for."""
NAMED_MARGIN = 100
"""The lead over another name for what the same player did."""
ACCUSE_SQUARE = 300
"""How much every square must say that tells an offence from what is none, in centinats."""
ADDED_SQUARE = 500
"""The same for a piece too many: squares that are misread speak more faintly."""
LOST_TRACK_MS = 2_000
"""After so long without sight anything may have been played, and taken off by anybody: nobody is
accused of disorder, nor of what hangs on one square."""
PLAYED_ON = 600
"""Nobody is accused while moves that were missed explain the board better, though it says so much
against them: less than a square that is clearly seen."""
DOUBTED_MS = 3_000
"""What has changed so long before belongs to what was asked about."""
MOST_BACK = 2
"""So many moves people take back at most in one go, it being known to be no disorder."""
BOTH_BACK_MS = 10_000
"""Who has put back one piece of two that he had moved at once puts the other one back sooner."""
SLIPPED_MS = 10_000
"""For so long nothing is made to hang on a square that has changed without a hand."""


def is_offence(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether the best explanation is a deed that is certain and not yet announced, and it is told
    whose, as far as that matters."""
    if not _is_certain_deed(tracker, explanation):
        return False
    if caught_at(tracker, explanation.best):
        return _is_certain(explanation, by_one=True)
    by_one = len(who_acted(tracker)) == 1
    return is_by_hands(tracker, explanation) and _is_certain(explanation, by_one)


def ripens(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether such a deed has only yet to rest: there is nothing to ask until it has. Where it is
    seen too faintly to be told soon the question may come first."""
    deed = explanation.best.deed
    if deed is None or not is_offence(tracker, explanation):
        return False
    patience = patience_with(tracker, deed)
    soon = patience < ERRS_MS or patience == thinking_ms(tracker, deed)
    return soon and tracker.guess_age <= patience + ARM_REST_MS


def _is_certain_deed(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether the best explanation is a deed, as far as the board tells, and not yet announced."""
    best = explanation.best
    deed = best.deed
    answered = bool(best.moves)  # a capture that was answered took two hands, and two moves
    if deed is None or (answered and deed.kind is not Irregularity.JUMPED_PIECE_LEFT):
        return False
    if tracker.bump.said or _is_of_adjusting(tracker, charged(tracker, best)):
        return False
    if is_otherwise(tracker) or _was_doubted(tracker, deed):
        return False
    led = overtaken(tracker, PLAYED_ON) and not is_taken_back(tracker)
    played_on = (led or explained_by_play(tracker)) and not answered
    if played_on and not (deed.kind in NO_PLAY and _is_no_play(tracker, deed)):
        return False
    if len(tracker.plies) > tracker.rivalry.sure and not lies_open(tracker):
        return False
    if tracker.incident is not None and tracker.incident.changes == best.changes:
        return False
    if _leaves_some(tracker, explanation):
        return False
    return not any(deed.kind in kinds and excuse(tracker, deed) for kinds, excuse in _EXCUSES)


def _is_of_adjusting(tracker: Tracker, deed: Deed) -> bool:
    """Whether it may come of putting pieces straight, as a player has said that he does: that is no
    leave to move (4.1)."""
    return deed.kind in (*DISORDER, *LONELY) and tracker.is_excused(deed.side)


def _is_of_gap(tracker: Tracker, deed: Deed) -> bool:
    """Whether some of a deed may have been done while nothing was seen for long: one of its squares
    has not been seen since as it was before."""
    end_ms = tracker.dark.ended_ms
    seen = (
        glance.turned_ms > end_ms and (glance.uncovered_ms <= end_ms or glance.hidden_ms > end_ms)
        for glance in (tracker.sight.at(square) for square in deed.changed)
    )
    return tracker.dark.gap_ms >= LOST_TRACK_MS and not all(seen)


def _leaves_some(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether a hand has clearly changed a square besides, which the deed does not explain."""
    explained = set(explanation.best.changed)
    return any(
        explanation.says(square, group) >= NO_SLIP and tracker.sight.at(square).touched
        for square, group in contradictions(tracker)
        if square not in explained and not _only_looks_so(tracker, square, group)
    )


def _only_looks_so(tracker: Tracker, square: int, group: int) -> bool:
    """Whether a piece can but look the other side's, as none of theirs has left its square."""
    own = side_of(tracker.piece(square))
    if own is None or group != GROUP_OF[own.other.man]:
        return False
    left = (side_of(tracker.piece(s)) for s, now in contradictions(tracker) if now == EMPTY_GROUP)
    return own.other not in left


def _is_no_play(tracker: Tracker, deed: Deed) -> bool:
    """Whether what the board may have come about by is no play: one player's hand made it all, or
    it is only the move beside which a square plainly looks otherwise."""
    if deed.kind not in BESIDE_A_MOVE and not are_told_apart(tracker):
        return False
    record = since_sure(tracker)
    rows = [row.moves for row in likely(tracker)]
    return all(
        row[: len(record)] == record and _is_of_deed(tracker, deed, row[len(record) :])
        for row in rows
    )


def _is_of_deed(tracker: Tracker, deed: Deed, moves: Line) -> bool:
    """Whether some moves are no play, but a deed or part of it."""
    ends = [(move.start, move.end) for move in moves]
    if ends == [deed.squares[:2]] and _is_plain_beside(tracker, deed):
        return True
    return is_by_one_hand(tracker, moves) or is_all_by_mover(tracker, moves)


def _is_plain_beside(tracker: Tracker, deed: Deed) -> bool:
    """Whether the squares beside a move that a deed hangs on plainly look so: of a jumped piece
    that it is still there, whosever it looks."""
    if deed.kind is not Irregularity.JUMPED_PIECE_LEFT:
        return is_plain(tracker, deed.squares[-1])
    return all(is_plain(tracker, s) or lies_plainly(tracker, s) for s in deed.squares[2:])


def _was_doubted(tracker: Tracker, deed: Deed) -> bool:
    """Whether one of its squares had been asked about before another of them changed: what the eye
    sees there has nothing to do with it."""
    doubt = tracker.doubt
    turned = {square: tracker.sight.at(square).turned_ms for square in deed.changed}
    doubted = [ms for square, ms in turned.items() if square in doubt.squares]
    return doubt.asked and bool(doubted) and max(turned.values()) - min(doubted) > DOUBTED_MS


def _is_certain(explanation: Explanation, by_one: bool) -> bool:
    """Whether the squares that speak up are clearly against all explanations that acquit.

    Of two names for what the same player did, who alone had his hand there, the likelier will do.
    """
    best = explanation.best
    assert best.deed is not None
    kind = best.deed.kind
    added = kind is Irregularity.PIECE_ADDED
    margin = BLAMELESS_MARGIN if kind in DISORDER and not added else ACCUSE_MARGIN
    least = ADDED_SQUARE if added else ACCUSE_SQUARE
    others = explanation.ranking[1:]
    return all(
        explanation.score - score >= NAMED_MARGIN
        for score, other in others
        if not _is_named_alike(best, other)
    ) and all(
        explanation.clear_lead(score, other, least) >= margin
        for score, other in others
        if _acquits(best, other, by_one)
    )


def _is_named_alike(best: Hypothesis, other: Hypothesis) -> bool:
    """Whether what is said of the best hypothesis holds by the other one too, as when it is only
    not seen whether a second jumped man was taken off."""
    mine, its = best.deed, other.deed
    if mine is None or its is None or best.moves != other.moves:
        return False
    return (mine.kind, mine.side) == (its.kind, its.side) and set(mine.squares) <= set(its.squares)


def _acquits(best: Hypothesis, other: Hypothesis, by_one: bool) -> bool:
    """Whether by the other hypothesis nothing unlawful was done, or by another player, as far as
    hands do not tell that one of them has done it all."""
    assert best.deed is not None
    if other.deed is None:
        return True
    if other.deed.side is None:
        return best.deed.side is not None and not by_one
    return best.deed.side not in (None, other.deed.side)


def _may_have_moved_unseen(tracker: Tracker, _: Deed) -> bool:
    """Whether the player whose turn it is has had his hand on the board since the last move, and a
    piece of his that is not plainly seen may have gone to a square that cannot be read."""
    sight, since_ms = tracker.sight, tracker.played_ms
    return sight.hand_of_ms(tracker.position.turn) > since_ms and any(
        not sight.at(move.end).visible
        and not (sight.at(move.start).visible and is_plain(tracker, move.start))
        and min(sight.at(move.start).near_ms, sight.at(move.end).near_ms) > since_ms
        for move in choices(tracker.position).lawful
    )


def _may_have_gone_back(tracker: Tracker, deed: Deed) -> bool:
    """Whether the piece that moved last was seen to leave where that move ended, and has not gone
    on: its player may have taken the move back before he made this one, though a hand hides that
    now."""
    ends = {move.end for move in tracker.plies[-1:]}.difference(deed.squares)
    return any(tracker.sight.at(end).group == EMPTY_GROUP for end in ends)


def _is_no_one_piece(tracker: Tracker, deed: Deed) -> bool:
    """Whether what has come is not what has gone: it may be a lawful move and a slip."""
    setup = tracker.position.setup
    gone = [GROUP_OF[at(setup, square)] for square, group in deed.changes if group == EMPTY_GROUP]
    come = [group for _, group in deed.changes if group != EMPTY_GROUP]
    return len(gone) != 1 or gone != come


def _takes_capture_back(tracker: Tracker, deed: Deed) -> bool:
    """Whether a piece goes back where it captured from, and what it jumped may lie there still, for
    its square looks so or is not plainly bare: its player has put himself right, whatever the eye
    sees there."""
    last = tracker.last
    if last is None or deed.squares[:2] != (last.end, last.start):
        return False
    wrong = wrong_squares(tracker)
    return any(square in wrong or not is_plain(tracker, square) for square in last.captured)


def _takes_reply_back(tracker: Tracker, deed: Deed) -> bool:
    """Whether the reply to a man's arrival on his king-row goes back where it came from."""
    reply = reply_to_arrival(tracker)
    return reply is not None and deed.squares[:2] == (reply.end, reply.start)


def _takes_all_back(tracker: Tracker, deed: Deed) -> bool:
    """Whether who has put his offence right takes up the piece of his move before it as well, or
    has when that was asked about, or takes back that move as soon as he has been told: who has
    moved two pieces at once may put both back."""
    last, incident = tracker.last, tracker.incident
    if last is None:
        return False
    back = deed.squares[:2] == (last.end, last.start)
    if incident is None:
        lately = tracker.mended_ms > max(tracker.played_ms, tracker.now - BOTH_BACK_MS)
        return back and lately
    if incident.side is tracker.position.turn:
        return False
    # Not `is_mended`: the hand that puts them back hides the squares.
    mended = set(incident.changed).isdisjoint(wrong_squares(tracker))
    asked = tracker.doubt.asked and set(deed.squares) <= set(tracker.doubt.squares)
    return back or ((mended or asked) and deed.squares[0] == last.end)


def _is_move_and_slip(tracker: Tracker, deed: Deed) -> bool:
    """Whether all but one of the changes are just those of a lawful move, of taking the last moves
    back, or of moves that nobody has seen in a dark, as far as its squares are in view."""
    setup, changes = tracker.position.setup, set(deed.changes)
    plays = [set(against(setup, occupants(move))) for move in choices(tracker.position).lawful]
    others = (*_lately(tracker), *_unseen(tracker))
    plays += (set(group_changes(setup, other.setup)) for other in others)
    seen = ({change for change in play if tracker.sight.at(change[0]).visible} for play in plays)
    return any(play <= changes and len(changes - play) <= 1 for play in seen)


def _lately(tracker: Tracker) -> Iterator[Position]:
    """The positions before the last moves."""
    for count in range(1, min(MOST_BACK, len(tracker.plies)) + 1):
        yield tracker.position_after(len(tracker.plies) - count)


def _unseen(tracker: Tracker) -> Iterator[Position]:
    """The positions that moves may have led to while nothing was seen."""
    count = len(since_sure(tracker))
    for row in going_on(tracker) if tracker.dark.gap_ms else ():
        yield reached(tracker.position, row.moves[count:])


def _slips(tracker: Tracker, deed: Deed) -> bool:
    """Whether the eye has erred lately on the square that a deed hangs on; not where that plainly
    looks so since a hand has hidden it."""
    square = deed.squares[-1]
    glance = tracker.sight.at(square)
    erred = tracker.now - glance.slipped_ms <= SLIPPED_MS
    return erred and not (glance.bared and is_plain(tracker, square))


def _may_be_mended(tracker: Tracker, deed: Deed) -> bool:
    """Whether somebody has been at the square that a deed hangs on since it was asked about: it may
    be right again, though it looks as before."""
    square, doubt = deed.squares[-1], tracker.doubt
    glance = tracker.sight.at(square)
    return doubt.asked and square in doubt.squares and glance.covered_ms > glance.turned_ms


def _came_back(tracker: Tracker, deed: Deed) -> bool:
    """Whether a jumped man who seems to be left has been taken off, and his square was bare until
    the other player's hand came: then his man stands there who has answered."""
    left = (tracker.sight.at(square) for square in deed.squares[2:])
    return any(
        glance.changed_by is not deed.side
        and glance.before[:2] == (EMPTY_GROUP, deed.side)
        and glance.before[2] > tracker.played_ms
        for glance in left
    )


def _came_by_no_hand(tracker: Tracker, deed: Deed) -> bool:
    """Whether no hand had hidden the square that a deed hangs on until it changed; fingers that
    were there only between two frames have left it plain."""
    glance = tracker.sight.at(deed.squares[-1])
    return not (glance.bared or (glance.reached and is_plain(tracker, deed.squares[-1])))


def _is_no_move_yet(tracker: Tracker, deed: Deed) -> bool:
    """Whether the piece moved last has not been carried from where it was believed to be; not where
    the other player's hand has hidden its new square until it lay there."""
    last, (start, end) = tracker.last, deed.squares[:2]
    if last is None or last.end != start or not was_never_left(tracker):
        return False
    arrived = tracker.sight.at(end)
    return arrived.changed_by is not tracker.position.turn or not arrived.bared or arrived.shared


def _may_have_come(tracker: Tracker, deed: Deed) -> bool:
    """Whether a man too many may have come from a square that is hidden, and on which none of his
    side has been seen since: then he is none too many."""
    came_ms = {group: tracker.sight.at(square).turned_ms for square, group in deed.changes}
    glances = ((GROUP_OF[tracker.piece(s)], tracker.sight.at(s)) for s in SQUARES)
    return any(
        group in came_ms and not glance.visible and glance.held_ms < came_ms[group]
        for group, glance in glances
    )


_EXCUSES: tuple[tuple[tuple[Irregularity, ...], Callable[[Tracker, Deed], bool]], ...] = (
    ((*UNFOLLOWED, *LONELY), _is_of_gap),
    ((Irregularity.PIECE_DISPLACED,), _is_no_one_piece),
    ((Irregularity.PIECE_DISPLACED,), _takes_capture_back),
    ((Irregularity.UPSET,), _is_move_and_slip),
    ((Irregularity.JUMPED_PIECE_LEFT,), _came_back),
    ((Irregularity.PIECE_ADDED,), _may_have_come),
    (LONELY, _slips),
    (LONELY, _may_be_mended),
    (BY_ONE_PIECE, _is_no_move_yet),
    (BY_ONE_PIECE, _takes_reply_back),
    (BY_ONE_PIECE, _takes_all_back),
    ((Irregularity.WRONG_TURN,), _may_have_moved_unseen),
    ((Irregularity.WRONG_TURN,), _may_have_gone_back),
    (UNDER_A_HAND, _came_by_no_hand),
)
"""By what else a board may look like deeds of these families: then nobody is accused."""

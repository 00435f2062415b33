"""When a player is accused, and of what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from referee.board import SQUARES, Side, at
from referee.deeds import Deed, against, choices, occupants
from referee.events import Irregularity
from referee.explanation import Explanation
from referee.hypotheses import Hypothesis, group_changes
from referee.rules import Position, after
from referee.sight import EMPTY_GROUP, GROUP_OF, REACH_MS, Glance
from referee.tracking.memory import (
    HANDS_OFF_MS,
    QUIET_MS,
    Tracker,
    changed_ms,
    contradictions,
    hand_has_stayed,
    is_left_of_doubt,
    is_otherwise,
    lies_open,
    named,
    who_acted,
)
from referee.tracking.notes import Caught, Incident
from referee.tracking.rivals import is_by_one_hand, likely, overtaken, reached, since_sure
from referee.weights import UPSET_SQUARES, usual_gap

BLAMELESS_MARGIN = 200
"""The lead that is enough to say that the board is in disorder, which nobody is punished for."""
ACCUSE_MARGIN = 300
NO_SLIP = 600
"""What a square says on which the eye does not slip."""
SURE_MARGIN = 700
"""The same for disorder on few squares when both players have had their hands on the board: all
others clearly say that nothing else was moved."""
NAMED_MARGIN = 100
"""The lead over another name for what the same player did."""
ACCUSE_SQUARE = 300
"""How much every square must say that tells an offence from what is none, in centinats."""
ADDED_SQUARE = 500
"""The same for a piece too many: squares that are misread speak more faintly."""
ARM_REST_MS = 2_500
"""An arm that lies elsewhere on the board does not protect anyone for ever."""
HELD_MS = 15_000
"""The same while a piece is missing: a player may think with his man in his hand..."""
THINKING_MS = 2_900
"""...and with his hand beside the board, if not for so long."""
ANSWER_MS = 1_600
"""So long a man is perhaps in the hand of the player who answers with him."""
RESTORING_MS = 8_000
"""While an irregular board is being put back piece by piece nothing new is said for so long."""
LOST_TRACK_MS = 2_000
"""After so long without sight anything may have been played: nobody is accused of disorder."""
DISORDER = (
    Irregularity.UPSET,
    Irregularity.PIECE_DISPLACED,
    Irregularity.PIECE_ADDED,
    Irregularity.PIECE_REMOVED,
)
UNFOLLOWED = (
    Irregularity.UPSET,
    Irregularity.PIECE_DISPLACED,
    Irregularity.PIECE_REMOVED,
    Irregularity.WRONG_TURN,
)
"""What moves that were not followed leave behind just as well: then the referee asks. They bring
no piece more to the board."""
LONELY = (
    Irregularity.PIECE_ADDED,
    Irregularity.PIECE_REMOVED,
    Irregularity.OWN_PIECE_REMOVED,
    Irregularity.WRONG_PIECE_REMOVED,
)
"""What hangs on a single square, the last of the deed's."""
UNDER_A_HAND = (
    Irregularity.PIECE_ADDED,
    Irregularity.OWN_PIECE_REMOVED,
    Irregularity.WRONG_PIECE_REMOVED,
)
"""What is believed only if a hand had hidden the last of the deed's squares until it changed, or if
that square is as plain as others: one beside a hand may look like anything for a while."""
PLAIN = 75
"""How clearly a square must be seen to be plain, in per cent of the usual: of those that players'
moves had changed on film 95 % were."""
ALIKE = 5
"""Squares that look alike tell what is usual for them, if there are so many."""
STEPS = (
    Irregularity.WRONG_TURN,
    Irregularity.CAPTURE_MISSED,
    Irregularity.ILLEGAL_STEP,
    Irregularity.PIECE_DISPLACED,
)
"""What one piece alone has done."""
FAINT_DISC_MS = 5_000
"""For so long a disc that is not plain must have lain where it has stepped to or been added: the
eye may take something else for one for a few seconds."""
ALONE = (
    Irregularity.WRONG_TURN,
    Irregularity.CAPTURE_MISSED,
    Irregularity.ILLEGAL_STEP,
    Irregularity.PIECE_DISPLACED,
)
"""What is done once the offender's hand has left, though the other player points at it."""
PLAYED_ON = 600
"""Nobody is accused while moves that were missed explain the board better, though it says so much
against them: less than a square that is clearly seen."""
DOUBTED_MS = 3_000
"""What has changed so long before belongs to what was asked about."""
SUDDEN_MS = 2_500
"""Nobody makes more than two moves in so short a time, and two are recognised."""
TAKEN_BACK = 2
"""So many moves people take back at most in one go, it being known to be no disorder."""
SLIPPED_MS = 10_000
"""For so long nothing is made to hang on a square that has changed without a hand."""


def is_offence(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether the best explanation is a deed that is certain and not yet announced, and it is told
    whose, as far as that matters."""
    if not _is_certain_deed(tracker, explanation):
        return False
    if is_caught(tracker, explanation.best):
        return _is_certain(explanation, by_one=True)
    by_one = len(who_acted(tracker, changed_ms(tracker))) == 1
    return _is_by_hands(tracker, explanation) and _is_certain(explanation, by_one)


def has_rested(tracker: Tracker, best: Hypothesis) -> bool:
    """Whether the deed of the best explanation is finished."""
    return best.deed is not None and rested(tracker, best, _patience(tracker, best.deed))


def ripens(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether such a deed has only yet to rest: there is nothing to ask until it has. Where it is
    seen too faintly to be told soon the question may come first."""
    deed = explanation.best.deed
    if deed is None or not is_offence(tracker, explanation):
        return False
    patience = _patience(tracker, deed)
    return patience < FAINT_DISC_MS and tracker.guess_age <= patience + ARM_REST_MS


def catch(tracker: Tracker, best: Hypothesis) -> Tracker:
    """Note whose deed it is, which is certain now: whoever points at it later, before it has lain
    there for long enough to be told, has not done it."""
    assert best.deed is not None
    stood_ms = min(tracker.guess_age, tracker.sight.hands_off_ms())
    if stood_ms < QUIET_MS or is_caught(tracker, best):
        return tracker
    caught = Caught(tracker.position, best, named(tracker, best.deed))
    return replace(tracker, caught=caught)


def is_caught(tracker: Tracker, best: Hypothesis) -> bool:
    """Whether it has been told before whose deed it is."""
    caught = tracker.caught
    return caught is not None and (caught.position, caught.best) == (tracker.position, best)


def charged(tracker: Tracker, best: Hypothesis) -> Deed:
    """The deed of the best explanation with its author's name, as far as it is told whose it is."""
    assert best.deed is not None
    if tracker.caught is not None and is_caught(tracker, best):
        return tracker.caught.deed
    return named(tracker, best.deed)


def _is_certain_deed(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether the best explanation is a deed, as far as the board tells, and not yet announced."""
    best = explanation.best
    deed = best.deed
    answered = bool(best.moves)  # a capture that was answered took two hands, and two moves
    if deed is None or (answered and deed.kind is not Irregularity.JUMPED_PIECE_LEFT):
        return False
    if tracker.is_excused(charged(tracker, best).side) or tracker.shift_said:
        return False
    if is_otherwise(tracker) or _was_doubted(tracker, deed):
        return False
    played_on = overtaken(tracker, PLAYED_ON) and not answered
    if played_on and not (deed.kind in LONELY and _is_no_play(tracker)):
        return False
    if len(tracker.plies) > tracker.sure and not lies_open(tracker):
        return False
    if tracker.incident is not None and tracker.incident.changes == best.changes:
        return False
    if _leaves_some(tracker, explanation):
        return False
    if deed.kind in (*DISORDER, *UNFOLLOWED) and tracker.gap_ms >= LOST_TRACK_MS:
        return False
    if deed.kind is Irregularity.PIECE_DISPLACED and not _is_one_piece(tracker, best):
        return False
    if deed.kind is Irregularity.UPSET and _is_move_and_slip(tracker, best):
        return False
    if deed.kind in LONELY and _slips(tracker, deed):
        return False
    if deed.kind in STEPS and _is_no_move_yet(tracker, deed.squares[0]):
        return False
    return deed.kind not in UNDER_A_HAND or _came_by_hand(tracker, deed.squares[-1])


def _is_by_hands(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether the hands that were seen may have done the deed, and one player's alone, where it
    must be one player's: a capture that was answered took two."""
    best = explanation.best
    assert best.deed is not None
    deed, culprit = best.deed, named(tracker, best.deed).side
    if deed.kind in UNFOLLOWED and _lost_track(tracker, explanation):
        return False
    if culprit and not _is_handed(tracker, deed):
        return False
    by_two = deed.side and culprit and not _by_one_hand(tracker, explanation, culprit)
    if by_two and not best.moves:
        return False
    return not (deed.kind in LONELY and _is_of_other(tracker, deed, culprit))


def _leaves_some(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether a hand has clearly changed a square besides, which the deed does not explain."""
    explained = set(explanation.best.squares)
    return any(
        explanation.weights[3 * square - 3 + group] >= NO_SLIP and tracker.sight.at(square).touched
        for square, group in contradictions(tracker)
        if square not in explained
    )


def _is_no_play(tracker: Tracker) -> bool:
    """Whether what the board may have come about by is no play: one player's hand made it all."""
    record, rows = since_sure(tracker), likely(tracker)
    return all(
        row.moves[: len(record)] == record and is_by_one_hand(tracker, row.moves[len(record) :])
        for row in rows
    )


def _was_doubted(tracker: Tracker, deed: Deed) -> bool:
    """Whether one of its squares had been asked about before another of them changed: what the eye
    sees there has nothing to do with it."""
    turned = {square: tracker.sight.at(square).turned_ms for square, _ in deed.changes}
    doubted = [ms for square, ms in turned.items() if square in tracker.doubted]
    return tracker.asked and bool(doubted) and max(turned.values()) - min(doubted) > DOUBTED_MS


def _is_handed(tracker: Tracker, deed: Deed) -> bool:
    """Whether a hand was seen that may have done it, since the board was in order or at the squares
    when they changed: a move may have been held back meanwhile. Else the referee asks."""
    sight = tracker.sight
    at_them = all(sight.at(square).touched for square, _ in deed.changes)
    return sight.hand_ms >= tracker.settled_ms or at_them


def _patience(tracker: Tracker, deed: Deed) -> int:
    """How long a deed must rest: a man that its player may play, and has taken up himself, is
    perhaps in his hand beside the board, also where the eye faintly sees one elsewhere."""
    square, position = deed.squares[0], tracker.position
    thinks = (
        deed.kind is Irregularity.PIECE_REMOVED
        and tracker.sight.at(square).changed_by is position.turn
        and any(move.start == square for move in choices(position).lawful)
    )
    come = (square for square, group in deed.changes if group != EMPTY_GROUP)
    by_discs = deed.kind in (*STEPS, Irregularity.PIECE_ADDED)
    faint = by_discs and not all(_lies_plainly(tracker, square) for square in come)
    patience = max(deed.patience_ms, _answer_ms(tracker, deed))
    return max(patience, THINKING_MS if thinks else 0, FAINT_DISC_MS if faint else 0)


def _answer_ms(tracker: Tracker, deed: Deed) -> int:
    """For how long the other player may be answering with a piece that seems to be taken off: for
    longer where it was not seen that the offender's hand took it."""
    if not _may_answer(tracker.position, deed):
        return 0
    taken_by = tracker.sight.at(deed.squares[-1]).changed_by
    return ANSWER_MS if taken_by is deed.side else THINKING_MS


def _may_answer(position: Position, deed: Deed) -> bool:
    """Whether the piece that seems to be taken off beside a lawful move may be in the hand of the
    other player, who answers with it before the move was told."""
    if deed.kind is not Irregularity.WRONG_PIECE_REMOVED or len(deed.squares) != 3:
        return False
    start, end, other = deed.squares
    return any(
        reply.start == other
        for move in choices(position).lawful
        if (move.start, move.end) == (start, end)
        for reply in choices(after(position, move)).lawful
    )


def _is_plain(tracker: Tracker, square: int) -> bool:
    """Whether a square is seen nearly as clearly as others where the same side stands, or nobody;
    as those where anybody does, where these are few, or else as all others."""
    glance, sight = tracker.sight.at(square), tracker.sight
    bare = glance.group == EMPTY_GROUP
    usual = (
        _usual(other for other in sight.squares if other.group == glance.group)
        or _usual(other for other in sight.squares if (other.group == EMPTY_GROUP) is bare)
        or usual_gap(sight)
    )
    return usual is not None and 100 * glance.spoke >= PLAIN * usual


def _lies_plainly(tracker: Tracker, square: int) -> bool:
    """Whether a disc is seen there nearly as clearly as others are, whosever it is: what has gone
    elsewhere tells the colour of what has come."""
    sight = tracker.sight
    discs = [glance for glance in sight.squares if glance.visible and glance.group != EMPTY_GROUP]
    usual = _median(map(_taken, discs)) or usual_gap(sight)
    return usual is not None and 100 * _taken(sight.at(square)) >= PLAIN * usual


def _taken(glance: Glance) -> int:
    """How much likelier than nothing a disc is, in centinats."""
    empty, red, white = glance.weights()
    return max(red, white) - empty


def _usual(glances: Iterable[Glance]) -> int:
    """How clearly squares that look alike are seen; 0 if they are few."""
    return _median(glance.spoke for glance in glances)


def _median(values: Iterable[int]) -> int:
    """The middle one; 0 if they are few."""
    ranked = sorted(values)
    return ranked[len(ranked) // 2] if len(ranked) >= ALIKE else 0


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
    return explanation.margin() >= NAMED_MARGIN and all(
        explanation.clear_lead(score, other, least) >= margin
        for score, other in explanation.ranking[1:]
        if _acquits(best, other, by_one)
    )


def _acquits(best: Hypothesis, other: Hypothesis, by_one: bool) -> bool:
    """Whether by the other hypothesis nothing unlawful was done, or by another player, as far as
    hands do not tell that one of them has done it all."""
    assert best.deed is not None
    if other.deed is None:
        return True
    if other.deed.side is None:
        return best.deed.side is not None and not by_one
    return best.deed.side not in (None, other.deed.side)


def _is_one_piece(tracker: Tracker, best: Hypothesis) -> bool:
    """Whether what has come is what has gone; else it may be a lawful move and a slip."""
    setup = tracker.position.setup
    gone = [GROUP_OF[at(setup, square)] for square, group in best.changes if group == EMPTY_GROUP]
    come = [group for _, group in best.changes if group != EMPTY_GROUP]
    return len(gone) == 1 and gone == come


def _is_move_and_slip(tracker: Tracker, best: Hypothesis) -> bool:
    """Whether all but one of the changes are just those of a lawful move, or of taking the last
    moves back."""
    setup, changes = tracker.position.setup, set(best.changes)
    plays = [set(against(setup, occupants(move))) for move in choices(tracker.position).lawful]
    plays += (set(group_changes(setup, former.setup)) for former in _lately(tracker))
    return any(play <= changes and len(changes - play) <= 1 for play in plays)


def _lately(tracker: Tracker) -> Iterator[Position]:
    """The positions before the last moves."""
    for count in range(1, min(TAKEN_BACK, len(tracker.plies)) + 1):
        yield reached(tracker.first, tracker.plies[:-count])


def _lost_track(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether both players may have gone on playing without being followed."""
    both = len(who_acted(tracker, changed_ms(tracker))) > 1
    if _is_sudden(tracker, explanation):
        return False
    few = len(explanation.best.changes) < UPSET_SQUARES and explanation.margin() >= SURE_MARGIN
    return both and (not few or _king_was_handled(tracker))


def _is_sudden(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether one hand has upset more at a time than anybody can play, whoever has come since."""
    glances = [tracker.sight.at(square) for square in explanation.best.squares]
    soon = [g.changed_by for g in glances if g.turned_ms <= tracker.settled_ms + SUDDEN_MS]
    deed = explanation.best.deed
    upset = deed is not None and deed.kind is Irregularity.UPSET
    at_once = max(map(soon.count, soon), default=0) >= UPSET_SQUARES
    return upset and at_once and explanation.margin() >= SURE_MARGIN


def _king_was_handled(tracker: Tracker) -> bool:
    """Whether a king of the player to move may have gone and come back unseen."""
    setup, turn = tracker.position.setup, tracker.position.turn
    kings = (square for square in SQUARES if at(setup, square) == turn.king)
    return any(tracker.sight.at(square).near_ms >= tracker.settled_ms for square in kings)


def _by_one_hand(tracker: Tracker, explanation: Explanation, side: Side) -> bool:
    """Whether the other player has kept away, or his hand was last at none of the squares: what two
    have done, one of them perhaps rightly, is not one deed. He may point at a piece that was moved
    before anybody has seen it where it lies."""
    since = tracker.settled_ms + QUIET_MS  # by then the hand has left that made the move before
    deed = explanation.best.deed
    glances = [tracker.sight.at(square) for square in explanation.best.squares]
    turn = tracker.position.turn
    # He may have handled the other's men, who then comes to point at them.
    if side is not turn and any(glance.changed_by is turn for glance in glances):
        return False
    if side.other not in tracker.sight.sides_since(since):
        return True
    step = deed is not None and deed.kind in STEPS
    carried = step and any(glance.changed_by is side for glance in glances)
    return all(
        side in (glance.changed_by, glance.arm) or glance.arm is None or (carried and glance.shared)
        for glance in glances
        if glance.near_ms >= since
    )


def _slips(tracker: Tracker, deed: Deed) -> bool:
    """Whether the eye has erred lately on the square that a deed hangs on; not where that plainly
    looks so since a hand has hidden it."""
    square = deed.squares[-1]
    glance = tracker.sight.at(square)
    erred = tracker.now - glance.slipped_ms <= SLIPPED_MS
    return erred and not (glance.bared and _is_plain(tracker, square))


def _is_of_other(tracker: Tracker, deed: Deed, culprit: Side | None) -> bool:
    """Whether the square that a deed hangs on changed under the other player's hand: one that hid
    it, or was near before the offender's came."""
    glance = tracker.sight.at(deed.squares[-1])
    if culprit is None or glance.changed_by is not culprit.other:
        return False
    visit = tracker.sight.visit(culprit)
    was_there = visit.was_between(tracker.settled_ms, glance.turned_ms + REACH_MS)
    return glance.bared or not was_there


def _came_by_hand(tracker: Tracker, square: int) -> bool:
    """Whether a hand had hidden a square until it changed; fingers that were there only between
    two frames have left it plain."""
    glance = tracker.sight.at(square)
    return glance.bared or (glance.reached and _is_plain(tracker, square))


def _is_no_move_yet(tracker: Tracker, square: int) -> bool:
    """Whether the piece moved last has not been carried from where it was believed to be, being
    gone before a hand came, or by the hand that had brought it and has not left since."""
    moved_to = tracker.plies[-1].end if tracker.plies else None
    gone_before = not tracker.sight.at(square).reached
    return square == moved_to and (gone_before or hand_has_stayed(tracker))


def _is_left_of(incident: Incident, best: Hypothesis) -> bool:
    """Whether this is what is left of an incident, of which a hand may hide some more."""
    before, now = set(incident.changes), set(best.changes)
    alike = best.deed is not None and best.deed.kind is incident.kind
    # Whoever sets up upset pieces again commits no offence with those that still lie about.
    alike = alike or incident.kind is Irregularity.UPSET
    return now < before or (alike and not now.isdisjoint(before))


def _is_held(best: Hypothesis) -> bool:
    """Whether the piece that is gone may be in the hand that is seen."""
    return best.deed is not None and best.deed.kind is Irregularity.PIECE_REMOVED


def _hands_off_ms(tracker: Tracker, best: Hypothesis) -> int:
    """For how long no hand has been seen that may be at this deed: the other player's is not, where
    only the offender's own has changed the squares and nobody else could finish what he began."""
    sight, deed = tracker.sight, best.deed
    known_ms = sight.named_ms
    if deed is None or deed.kind not in ALONE or known_ms < sight.hand_ms:
        return sight.hands_off_ms()
    hands = {sight.at(square).changed_by for square in best.squares}
    side = next(iter(hands)) if len(hands) == 1 else None
    return sight.time_ms - sight.hand_of_ms(side) if side else sight.hands_off_ms()


def rested(tracker: Tracker, best: Hypothesis, patience_ms: int) -> bool:
    """Whether the hands have left and the scene has stood as it is for long enough."""
    if tracker.incident and _is_left_of(tracker.incident, best):
        patience_ms = RESTORING_MS
    if is_left_of_doubt(tracker, best.squares) and tracker.sight.hands_off_ms() < RESTORING_MS:
        return False
    squares = best.squares
    away = _hands_off_ms(tracker, best) >= max(HANDS_OFF_MS, patience_ms)
    seen_ms = min(tracker.sight.clear_ms(squares), tracker.sight.rested_ms(squares))
    elsewhere = seen_ms >= patience_ms + (HELD_MS if _is_held(best) else ARM_REST_MS)
    stood = tracker.guess_age >= patience_ms
    return stood and (away or elsewhere) and tracker.sight.visible(squares)

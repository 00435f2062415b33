"""From observations to events: what was played, what is irregular, what is only on its way.

One pure step, `observe(tracker, observation) -> (tracker, events)`. The position advances by
lawful moves alone. A lawful move is announced at a modest margin; a player is accused at a far
higher one, after the hands have left and the board has rested; between the two it asks.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from referee.board import SQUARES, Side, at, is_king, side_of
from referee.deeds import Deed, Groups
from referee.events import (
    Crowned,
    Event,
    Irregular,
    Irregularity,
    Moved,
    NotWatching,
    Played,
    Ready,
    Restored,
    Unsure,
    Waiting,
    Watching,
)
from referee.explanation import Explanation, explain
from referee.hypotheses import Hypothesis, group_changes
from referee.notation import fen, move_text
from referee.observation import LooseDisc, Observation, View
from referee.rules import Move, Position, after, lawful_moves
from referee.sight import GROUP_OF, NEVER, Glance, Sight, forget, look

READY_MS = 500
"""How long the first position must stand without hands."""
WAITING_MS = 3_000
"""A board that rests so long and is not the first position is being waited for aloud."""
PLAY_MS = 160
"""How long the squares of a lawful move must agree when no hand is seen."""
PLAY_UNDER_HAND_MS = 350
"""The same while the next player's hand is over other squares already."""
PLAY_UNDER_OWN_HAND_MS = 1_500
"""The same while the mover's hand is still about: he may not have finished."""
PLAY_MARGIN = 200
PLAY_SQUARE, PLAY_FAINT_SQUARE = 220, 120
"""How much every changed square must say at least for a lawful move, in centinats; less is
enough, as of squares where no hand was noticed, when the board has lain open for long."""
PLAY_FAINT_MS = 1_000
MOST_HIDDEN = 2
"""Several moves at once are taken only from a board that lies open but for so many squares."""
GLIMPSE_MS = 100
GLIMPSE_MARGIN = 100
LINES = 6
"""How many rows of moves seen in part are remembered, the newest."""
LINE_LENGTH = 10
ACCUSE_MARGIN = 300
ACCUSE_SQUARE = 300
"""How much every single changed square must say before anyone is accused, in centinats."""
HANDS_OFF_MS = 600
"""No accusation before the hands have been away so long."""
ARM_REST_MS = 2_500
"""An arm that lies elsewhere on the board does not protect anyone for ever."""
QUIET_MS = 300
"""How long a board must look as expected before that is believed."""
UNSURE_MS = 3_500
UNSURE_WITHIN = 600
RESTORING_MS = 8_000
"""While an irregular board is being put back piece by piece nothing new is said for so long."""
BLIND_MS = 700
SEEING_MS = 300
LOST_TRACK_MS = 2_000
"""After so long without sight anything may have been played: no more accusing of upsets."""
SHIFT_MOVED, SHIFT_HEALED, SHIFT_BAD = 50, 25, 150
"""In 1/1000 square: announced from, forgotten below, evidence not trusted from."""
CROWN_SEEN = 200
CROWN_DOUBT = -100
CROWN_MISSING = -300
"""How much a piece must look a king rather than a man, in centinats."""
CROWN_MISSING_MS = 900
CROWN_DOUBT_MS = 1_500
UNEARNED_CROWN = 250
UNEARNED_MS = 1_000
CROWN_REACH_MS = 1_000
"""A second disc is put on by a hand that covers the square; else the eye has slipped."""
LOOSE_MS = 700
LOOSE_GAP_MS = 400
STRAY_MS = 2_500
"""A disc on a light cell that is missing nowhere must lie longer: it may be something else."""
ADJUSTING_MS = 15_000


class Phase(Enum):
    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True)
class Guess:
    """The best explanation so far and since when it has been that."""

    best: Hypothesis
    since_ms: int
    first_since_ms: int
    """Since when its first move has been the first move."""


@dataclass(frozen=True)
class Incident:
    """An irregularity that has been announced and not been put right."""

    kind: Irregularity
    changes: Groups


@dataclass(frozen=True)
class Loose:
    """A disc on a light cell, and when it was first and last seen there."""

    disc: LooseDisc
    since_ms: int
    seen_ms: int


@dataclass(frozen=True)
class Tracker:
    """All that is remembered between two frames."""

    position: Position = field(default_factory=Position.start)
    plies: tuple[Move, ...] = ()
    first: Position = field(default_factory=Position.start)
    """The position before the first of the plies."""
    phase: Phase = Phase.WAITING
    uncrowned: frozenset[int] = frozenset()
    """Squares of kings that have not been seen with a crown."""
    sight: Sight = field(default_factory=Sight)
    settled_ms: int = NEVER
    """When the board last stood as expected with no hand over it, or a move was made."""
    quiet_ms: int | None = None
    """Since when the board has looked as expected; None while it does not."""
    guess: Guess | None = None
    lines: tuple[tuple[Move, ...], ...] = ()
    """Rows of lawful moves that have been seen in part while hands hid the rest: with quick
    replies the board may not lie open between two moves."""
    incident: Incident | None = None
    asked: bool = False
    """Whether this position's doubt has been announced."""
    adjusting_ms: int = NEVER
    """When a player last said so; it holds until the board has settled again."""
    blind_ms: int | None = None
    blind_said: bool = False
    paused: bool = False
    """A person has told the referee to look away."""
    seeing_ms: int | None = None
    gap_ms: int = 0
    """How long the last blindness lasted, if no move was seen since."""
    shift_said: bool = False
    loose: tuple[Loose, ...] = ()
    crowns: tuple[tuple[int, int], ...] = ()
    """Men that look kings, (square, since when)."""
    waited: tuple[int, ...] | None = None
    """The squares last announced as missing."""

    @property
    def now(self) -> int:
        return self.sight.time_ms


Step = tuple[Tracker, tuple[Event, ...]]


def observe(tracker: Tracker, seen: Observation) -> Step:
    """The tracker after one more frame, and what became certain with it.

    Frames that do not advance the time are ignored.
    """
    if seen.time_ms <= tracker.now:
        return tracker, ()
    if tracker.paused:
        return replace(tracker, sight=replace(tracker.sight, time_ms=seen.time_ms)), ()
    if seen.view is not View.CLEAR:
        return _blind(tracker, seen.time_ms, seen.view.value)
    tracker, events = _mind_shift(tracker, seen)
    tracker = replace(
        tracker, sight=look(tracker.sight, seen), loose=_loose_now(tracker.loose, seen)
    )
    tracker, more = _see_again(tracker)
    events += more
    if tracker.blind_said or seen.shift >= SHIFT_BAD:
        return tracker, events
    tracker, more = _PHASES[tracker.phase](tracker)
    return tracker, events + more


# --- the view -------------------------------------------------------------------------------


def _blind(tracker: Tracker, now: int, reason: str) -> Step:
    since = tracker.blind_ms if tracker.blind_ms is not None else now
    tracker = replace(
        tracker, blind_ms=since, seeing_ms=None, sight=replace(tracker.sight, time_ms=now)
    )
    if tracker.blind_said or now - since < BLIND_MS:
        return tracker, ()
    sight = forget(tracker.sight, now)
    tracker = replace(tracker, blind_said=True, sight=sight, guess=None, quiet_ms=None)
    return tracker, (NotWatching(now, reason),)


def _see_again(tracker: Tracker) -> Step:
    if tracker.blind_ms is None:
        return tracker, ()
    if not tracker.blind_said:
        return replace(tracker, blind_ms=None), ()
    if tracker.seeing_ms is None:
        return replace(tracker, seeing_ms=tracker.now), ()
    if tracker.now - tracker.seeing_ms < SEEING_MS:
        return tracker, ()
    gap = tracker.seeing_ms - tracker.blind_ms
    seeing = replace(tracker, blind_ms=None, blind_said=False, seeing_ms=None, gap_ms=gap)
    return seeing, (Watching(tracker.now),)


def pause(tracker: Tracker, time_ms: int) -> Step:
    """Look away until told to resume; what is done meanwhile is nobody's offence."""
    if tracker.paused:
        return tracker, ()
    sight = forget(tracker.sight, max(tracker.now, time_ms))
    said = tracker.blind_said
    tracker = replace(tracker, paused=True, sight=sight, guess=None, quiet_ms=None)
    since = tracker.blind_ms if tracker.blind_ms is not None else time_ms
    tracker = replace(tracker, blind_ms=since, blind_said=True, seeing_ms=None)
    return tracker, () if said else (NotWatching(time_ms, "paused"),)


def resume(tracker: Tracker, time_ms: int) -> Step:
    """Look again; `Watching` follows once the view has been clear for a moment."""
    return replace(tracker, paused=False), ()


def _mind_shift(tracker: Tracker, seen: Observation) -> Step:
    if tracker.shift_said:
        return replace(tracker, shift_said=seen.shift >= SHIFT_HEALED), ()
    if seen.shift < SHIFT_MOVED:
        return tracker, ()
    return replace(tracker, shift_said=True), (Moved(seen.time_ms, seen.shift),)


def _loose_now(before: tuple[Loose, ...], seen: Observation) -> tuple[Loose, ...]:
    known = {loose.disc: loose for loose in before}
    now = seen.time_ms
    fresh = {disc: Loose(disc, now, now) for disc in seen.loose}
    for disc, loose in known.items():
        if disc in fresh:
            fresh[disc] = replace(loose, seen_ms=now)
        elif seen.hands or now - loose.seen_ms <= LOOSE_GAP_MS:
            fresh[disc] = loose
    return tuple(fresh.values())


# --- before the game ------------------------------------------------------------------------


def _wait(tracker: Tracker) -> Step:
    """Until the first position stands, settled and whole, nothing is ruled."""
    wrong = tuple(square for square, _ in _contradictions(tracker))
    hidden = not tracker.sight.visible(tuple(SQUARES))
    if wrong or hidden or tracker.sight.hands_off_ms() < QUIET_MS:
        return _wait_longer(tracker, wrong)
    since = tracker.quiet_ms if tracker.quiet_ms is not None else tracker.now
    tracker = replace(tracker, quiet_ms=since)
    if tracker.now - since < READY_MS:
        return tracker, ()
    playing = replace(tracker, phase=Phase.PLAYING, settled_ms=tracker.now)
    return playing, (Ready(tracker.now),)


def _wait_longer(tracker: Tracker, wrong: tuple[int, ...]) -> Step:
    tracker = replace(tracker, quiet_ms=None)
    sight = tracker.sight
    if not wrong or wrong == tracker.waited or sight.hands_off_ms() < WAITING_MS:
        return tracker, ()
    if any(tracker.now - sight.at(square).turned_ms < WAITING_MS for square in wrong):
        return tracker, ()
    return replace(tracker, waited=wrong), (Waiting(tracker.now, wrong),)


def _contradictions(tracker: Tracker) -> Groups:
    """The visible squares that look as if another occupant stood there."""
    return tuple(
        (square, glance.group)
        for square, glance, piece in zip(
            SQUARES, tracker.sight.squares, tracker.position.setup, strict=True
        )
        if glance.group != GROUP_OF[piece] and glance.visible
    )


# --- the game -------------------------------------------------------------------------------


def _follow(tracker: Tracker) -> Step:
    tracker, events = _mind_crowns(tracker)
    if _contradictions(tracker):
        tracker, more = _puzzle(tracker)
    else:
        tracker, more = _rest(tracker)
    return tracker, events + more


def _mind_crowns(tracker: Tracker) -> Step:
    """Notice the second disc on a man that had reached its king-row (3.9)."""
    seen = tuple(
        square
        for square in sorted(tracker.uncrowned)
        if tracker.sight.at(square).visible
        and _king_looks(tracker, square) >= CROWN_SEEN
        and tracker.sight.clear_ms((square,)) >= PLAY_MS
    )
    if not seen:
        return tracker, ()
    tracker = replace(tracker, uncrowned=tracker.uncrowned - set(seen))
    return tracker, tuple(Crowned(tracker.now, square) for square in seen)


def _king_looks(tracker: Tracker, square: int) -> int:
    """How much a king rather than a man its piece looks; 0 while somebody else stands there."""
    glance = tracker.sight.at(square)
    side = side_of(at(tracker.position.setup, square))
    if side is None or glance.group != GROUP_OF[side.man]:
        return 0
    return glance.rank(side)


def _rest(tracker: Tracker) -> Step:
    """The board looks as it should."""
    since = tracker.quiet_ms if tracker.quiet_ms is not None else tracker.now
    tracker = replace(tracker, quiet_ms=since, guess=None)
    if tracker.now - since < QUIET_MS:
        return tracker, ()
    tracker, events = _mind_loose(tracker)
    if not events:
        tracker, events = _mind_unearned(tracker)
    if not events:
        tracker, events = _restored(tracker)
    if tracker.sight.hands_off_ms() >= QUIET_MS and not tracker.loose:
        tracker = replace(tracker, settled_ms=tracker.now, asked=False, gap_ms=0, lines=())
        tracker = _adjusted(tracker)
    return tracker, events


def _adjusted(tracker: Tracker) -> Tracker:
    """The adjusting is over once hands were there and have left an orderly board."""
    over = tracker.sight.hand_ms > tracker.adjusting_ms
    return replace(tracker, adjusting_ms=NEVER) if over else tracker


def _restored(tracker: Tracker) -> Step:
    incident = tracker.incident
    if incident is None or tracker.loose or tracker.crowns:
        return tracker, ()
    if not tracker.sight.visible(tuple(square for square, _ in incident.changes)):
        return tracker, ()
    return replace(tracker, incident=None), (Restored(tracker.now),)


def _puzzle(tracker: Tracker) -> Step:
    """The board does not look as it should: find out why, and wait, play, accuse or ask."""
    tracker = replace(tracker, quiet_ms=None)
    explanation = explain(tracker.position, tracker.sight, tracker.lines, _hands(tracker))
    tracker = replace(tracker, guess=_guess(tracker, explanation.best))
    count = _playable(tracker, explanation)
    if count:
        return _play(tracker, explanation.best.moves[:count])
    tracker = _glimpse(tracker, explanation)
    if _stray(tracker, explanation):
        return _mind_loose(tracker)
    if _accusable(tracker, explanation):
        deed = explanation.best.deed
        assert deed is not None
        return _accuse(tracker, _named(tracker, deed), explanation.best.changes)
    return _ask(tracker, explanation)


def _hands(tracker: Tracker) -> frozenset[Side]:
    """Who may have moved since the board was last in order: both, unless hands tell."""
    sight = tracker.sight
    seen = sight.sides_since(tracker.settled_ms - QUIET_MS)
    named = max(sight.red_hand_ms, sight.white_hand_ms)
    unknown = not seen or named < sight.hand_ms or tracker.gap_ms
    return frozenset(Side) if unknown else seen


def _guess(tracker: Tracker, best: Hypothesis) -> Guess:
    old, now = tracker.guess, tracker.now
    if old is None:
        return Guess(best, now, now)
    if old.best == best:
        return old
    same_start = old.best.moves[:1] == best.moves[:1]
    return Guess(best, now, old.first_since_ms if same_start else now)


# --- lawful moves ---------------------------------------------------------------------------


def _playable(tracker: Tracker, explanation: Explanation) -> int:
    """How many moves of the best explanation are certain now."""
    moves = explanation.best.moves
    if any(loose.disc.side is tracker.position.turn for loose in tracker.loose):
        return 0
    for count in range(len(moves), 0, -1):
        if _settled(tracker, explanation, count) and explanation.margin(count) >= PLAY_MARGIN:
            return count if _crown_allows(tracker, moves[:count]) else 0
    return 0


def _settled(tracker: Tracker, explanation: Explanation, count: int) -> bool:
    """Whether the squares of the first moves are in view and have rested long enough."""
    guess, best = tracker.guess, explanation.best
    assert guess is not None
    since = guess.first_since_ms if count == 1 else guess.since_ms
    squares = _shown(tracker.position, best, count)
    turn = tracker.position.turn
    patience = _patience(tracker, turn if count % 2 else turn.other)
    return bool(
        squares
        and tracker.now - since >= patience
        and tracker.sight.visible(squares)
        and tracker.sight.rested_ms(squares) >= patience
        and explanation.weakest(squares) >= _least(tracker, squares)
        and (count == 1 or _lies_open(tracker))
        and not _contradicted_below(tracker, best)
    )


def _least(tracker: Tracker, squares: tuple[int, ...]) -> int:
    sight = tracker.sight
    long_open = min(sight.hands_off_ms(), sight.rested_ms(squares)) >= PLAY_FAINT_MS
    return PLAY_FAINT_SQUARE if long_open else PLAY_SQUARE


def _lies_open(tracker: Tracker) -> bool:
    return sum(not glance.visible for glance in tracker.sight.squares) <= MOST_HIDDEN


def _shown(position: Position, best: Hypothesis, count: int) -> tuple[int, ...]:
    """The squares that must show the first moves; none if what came after has hidden them."""
    if count == len(best.moves) and best.deed is None:
        return best.squares
    now = position
    for move in best.moves[:count]:
        now = after(now, move)
    changes = group_changes(position.setup, now.setup)
    return tuple(s for s, _ in changes) if set(changes) <= set(best.changes) else ()


def _contradicted_below(tracker: Tracker, best: Hypothesis) -> bool:
    """Whether a square now under a hand last looked otherwise than the hypothesis has it."""
    claimed = dict(best.changes)
    return any(
        not glance.visible and square not in claimed and glance.group != GROUP_OF[piece]
        for square, glance, piece in zip(
            SQUARES, tracker.sight.squares, tracker.position.setup, strict=True
        )
    )


def _patience(tracker: Tracker, mover: Side) -> int:
    """How long a move must rest, by whose hands are still there."""
    sight = tracker.sight
    if sight.hands_off_ms() >= PLAY_MS:
        return PLAY_MS
    mine = mover in sight.sides_since(tracker.now - PLAY_MS)
    return PLAY_UNDER_OWN_HAND_MS if mine else PLAY_UNDER_HAND_MS


def _glimpse(tracker: Tracker, explanation: Explanation) -> Tracker:
    """Remember moves that have been seen in part, to start from when more is seen."""
    line = explanation.best.moves
    known = not line or line in tracker.lines or len(line) > LINE_LENGTH
    if known or _guess_age(tracker) < GLIMPSE_MS or explanation.margin(len(line)) < GLIMPSE_MARGIN:
        return tracker
    return replace(tracker, lines=(*tracker.lines, line)[-LINES:])


def _crown_allows(tracker: Tracker, moves: tuple[Move, ...]) -> bool:
    """A reply is held while the man just arrived clearly lacks its crown (3.9)."""
    square = _awaited_crown(tracker)
    if square is None or square in moves[0].captured or len(moves) > 1:
        return True
    if tracker.incident and tracker.incident.kind is Irregularity.CROWN_MISSING:
        return False
    looks = _king_looks(tracker, square)
    if looks > CROWN_DOUBT:
        return tracker.sight.at(square).visible or _guess_age(tracker) >= CROWN_DOUBT_MS
    return looks > CROWN_MISSING and _guess_age(tracker) >= CROWN_DOUBT_MS


def _guess_age(tracker: Tracker) -> int:
    assert tracker.guess is not None
    return tracker.now - tracker.guess.since_ms


def _awaited_crown(tracker: Tracker) -> int | None:
    """Where the last move made a king whose crown has not been seen."""
    if not tracker.plies or not tracker.plies[-1].crowns:
        return None
    square = tracker.plies[-1].end
    return square if square in tracker.uncrowned else None


def _play(tracker: Tracker, moves: tuple[Move, ...]) -> Step:
    events: tuple[Event, ...] = ()
    if tracker.incident is not None:
        events += (Restored(tracker.now),)
    elif len(moves) > 1 and _crown_lacks(tracker, moves[0]):
        events += (_crown_missing(tracker, moves[0]),)
    for move in moves:
        played = advance(tracker, move)
        events += (played_event(tracker, move),)
        tracker = played
    return tracker, events


def played_event(tracker: Tracker, move: Move) -> Played:
    """The announcement of a move from the tracker's position."""
    position = tracker.position
    text = move_text(position, move)
    return Played(tracker.now, position.turn, text, fen(after(position, move)))


def advance(tracker: Tracker, move: Move) -> Tracker:
    """The tracker after a lawful move."""
    uncrowned = tracker.uncrowned - {*move.captured, move.start}
    if move.crowns or move.start in tracker.uncrowned:
        uncrowned |= {move.end}
    return replace(
        tracker,
        position=after(tracker.position, move),
        plies=(*tracker.plies, move),
        uncrowned=uncrowned,
        settled_ms=tracker.now,
        quiet_ms=None,
        guess=None,
        lines=tuple(line[1:] for line in tracker.lines if line[0] == move and line[1:]),
        incident=None,
        asked=False,
        gap_ms=0,
        crowns=(),
    )


# --- offences -------------------------------------------------------------------------------


def _accusable(tracker: Tracker, explanation: Explanation) -> bool:
    best = explanation.best
    deed = best.deed
    if deed is None or best.moves or _adjusting(tracker) or tracker.shift_said:
        return False
    if tracker.incident is not None and tracker.incident.changes == best.changes:
        return False
    if deed.kind is Irregularity.UPSET and _lost_track(tracker):
        return False
    certain = (
        explanation.margin() >= ACCUSE_MARGIN and explanation.weakest(best.squares) >= ACCUSE_SQUARE
    )
    return certain and _rested(tracker, best, deed.patience_ms)


def _lost_track(tracker: Tracker) -> bool:
    """Whether both players may have gone on playing without being followed."""
    both = len(tracker.sight.sides_since(tracker.settled_ms)) > 1
    return both or tracker.gap_ms >= LOST_TRACK_MS


def _adjusting(tracker: Tracker) -> bool:
    return tracker.now - tracker.adjusting_ms < ADJUSTING_MS


def _rested(tracker: Tracker, best: Hypothesis, patience_ms: int) -> bool:
    """Whether the hands have left and the scene has stood as it is for long enough."""
    if tracker.incident and set(best.changes) < set(tracker.incident.changes):
        patience_ms = RESTORING_MS
    squares = best.squares
    off = tracker.sight.hands_off_ms()
    away = off >= max(HANDS_OFF_MS, patience_ms)
    elsewhere = tracker.sight.clear_ms(squares) >= patience_ms + ARM_REST_MS
    stood = _guess_age(tracker) >= patience_ms
    return stood and (away or elsewhere) and tracker.sight.visible(squares)


def _named(tracker: Tracker, deed: Deed) -> Deed:
    """The deed with what the hands add to it: who, and so perhaps another name."""
    hands = tracker.sight.sides_since(tracker.settled_ms)
    culprit = next(iter(hands)) if len(hands) == 1 else None
    if culprit is None:
        return deed
    if deed.kind is Irregularity.WRONG_TURN and culprit is tracker.position.turn:
        return deed._replace(kind=Irregularity.PIECE_DISPLACED, side=culprit)
    return deed if deed.side else deed._replace(side=culprit)


def _accuse(tracker: Tracker, deed: Deed, changes: Groups) -> Step:
    event = Irregular(
        tracker.now, deed.kind, deed.side, deed.squares, lawful_texts(tracker.position)
    )
    return replace(tracker, incident=Incident(deed.kind, changes)), (event,)


def lawful_texts(position: Position) -> tuple[str, ...]:
    """The lawful moves as they are announced."""
    return tuple(move_text(position, move) for move in lawful_moves(position))


def _crown_lacks(tracker: Tracker, reply: Move) -> bool:
    square = _awaited_crown(tracker)
    return (
        square is not None
        and square not in reply.captured
        and tracker.sight.at(square).visible
        and _king_looks(tracker, square) <= CROWN_MISSING
    )


def _crown_missing(tracker: Tracker, reply: Move) -> Irregular:
    square = _awaited_crown(tracker)
    assert square is not None
    return Irregular(
        tracker.now,
        Irregularity.CROWN_MISSING,
        tracker.position.turn,
        (square, reply.start, reply.end),
        lawful_texts(tracker.position),
    )


def _mind_held(tracker: Tracker, explanation: Explanation) -> Step:
    """Announce a reply made before the crown was put on; it is held, not illegal (3.9)."""
    best = explanation.best
    if len(best.moves) != 1 or best.deed or not _crown_lacks(tracker, best.moves[0]):
        return tracker, ()
    known = tracker.incident is not None and tracker.incident.changes == best.changes
    if known or explanation.margin(1) < ACCUSE_MARGIN:
        return tracker, ()
    if not _rested(tracker, best, CROWN_MISSING_MS):
        return tracker, ()
    incident = Incident(Irregularity.CROWN_MISSING, best.changes)
    return replace(tracker, incident=incident), (_crown_missing(tracker, best.moves[0]),)


def _mind_unearned(tracker: Tracker) -> Step:
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
        and _king_looks(tracker, square) >= UNEARNED_CROWN
        and _crowned_by_hand(tracker.sight.at(square))
    )
    tracker = replace(tracker, crowns=crowns)
    ripe = tuple(square for square, began in crowns if tracker.now - began >= UNEARNED_MS)
    if not ripe or tracker.incident or _adjusting(tracker):
        return tracker, ()
    deed = Deed(Irregularity.CROWN_UNEARNED, None, ripe, ())
    return _accuse(tracker, deed, ())


def _crowned_by_hand(glance: Glance) -> bool:
    """Whether the square itself was covered when its man began to look a king."""
    return glance.stacked_touched and glance.covered_ms >= glance.stacked_ms - CROWN_REACH_MS


def _stray(tracker: Tracker, explanation: Explanation) -> bool:
    """Whether the best explanation is a missing piece and a disc of its side lies loose."""
    deed = explanation.best.deed
    return bool(
        tracker.loose
        and deed
        and deed.kind in (Irregularity.PIECE_REMOVED, Irregularity.OFF_SQUARE)
        and not explanation.best.moves
        and explanation.weakest(explanation.best.squares) >= ACCUSE_SQUARE
        and any(
            loose.disc.side is side_of(at(tracker.position.setup, deed.squares[0]))
            for loose in tracker.loose
        )
    )


def _mind_loose(tracker: Tracker) -> Step:
    """A disc that rests on a light cell, where nothing may stand (3.3)."""
    missing = tracker.guess.best.squares if tracker.guess else ()
    patience = LOOSE_MS if missing else STRAY_MS
    lying = any(tracker.now - loose.since_ms >= patience for loose in tracker.loose)
    off = tracker.sight.hands_off_ms() >= max(HANDS_OFF_MS, patience)
    changes = tracker.guess.best.changes if tracker.guess else ()
    known = tracker.incident is not None and tracker.incident.changes == changes
    if known or not lying or not off or _adjusting(tracker) or tracker.shift_said:
        return tracker, ()
    deed = Deed(Irregularity.OFF_SQUARE, _owner(tracker, missing), missing, changes)
    return _accuse(tracker, _named(tracker, deed), changes)


def _owner(tracker: Tracker, missing: tuple[int, ...]) -> Side | None:
    return side_of(at(tracker.position.setup, missing[0])) if missing else None


# --- doubt ----------------------------------------------------------------------------------


def _ask(tracker: Tracker, explanation: Explanation) -> Step:
    """Neither certain enough to play nor to accuse: hold a reply, or say so once, or wait."""
    tracker, events = _mind_held(tracker, explanation)
    if events or tracker.incident or tracker.asked or _adjusting(tracker):
        return tracker, events
    squares = explanation.best.squares
    doubtful = squares and explanation.weakest(squares) > 0
    old = _guess_age(tracker) >= UNSURE_MS and tracker.sight.hands_off_ms() >= UNSURE_MS
    if not doubtful or not old:
        return tracker, ()
    candidates = tuple(
        " ".join(_texts(tracker.position, hypothesis.moves))
        for hypothesis in explanation.lawful(UNSURE_WITHIN)
    )
    return replace(tracker, asked=True), (Unsure(tracker.now, candidates),)


def _texts(position: Position, moves: tuple[Move, ...]) -> list[str]:
    texts = []
    for move in moves:
        texts.append(move_text(position, move))
        position = after(position, move)
    return texts


def _over(tracker: Tracker) -> Step:
    return tracker, ()


_PHASES = {Phase.WAITING: _wait, Phase.PLAYING: _follow, Phase.OVER: _over}

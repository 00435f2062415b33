"""What the rules make of an event. The machine proposes; people decide.

Pure: each function gives the arbiter after an event, and what it says of it. `number` is always
the number of the event that is judged, `position` the one it happened in. Rulings that rest on a
touch are proposals until a person confirms them, unless the profile says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from referee import announcements
from referee.announcements import in_words
from referee.board import EMPTY, Side, at, is_king, side_of
from referee.clock import MINUTE_MS
from referee.events import (
    Conduct,
    Crowned,
    Event,
    Held,
    Irregular,
    Irregularity,
    Lingering,
    Phrase,
    Played,
    Proposed,
    Ruling,
    TimeOver,
    Touch,
    Touched,
    Verdict,
    phrase,
)
from referee.history import History, restarts
from referee.notation import move_text
from referee.profiles import WCDF, Offence, Profile, Repetition
from referee.rules import Fault, Move, Position, captures, has_no_move, lawful_moves, why_not

SETTLING_MS = 1_500
"""A touch so shortly before the other player's move was announced came after that move."""
TOLD_EVERY = 10
"""How many counted moves lie between two announcements of the count."""
TAKES_BACK = (Conduct.TOUCHED_OTHER, Conduct.OTHER_PIECE_PLAYED)
"""The offences whose move is taken back when the ruling stands."""


@dataclass(frozen=True)
class Contact:
    """A touch, and the number of the event that told of it."""

    event: Touched
    number: int


@dataclass(frozen=True)
class Warned:
    """A player who was told to put the board right."""

    side: Side
    since_ms: int
    number: int


@dataclass(frozen=True)
class Conviction:
    """An offence that a player was counted for."""

    side: Side
    group: str
    number: int
    """The number of the event that was ruled on."""
    again: bool = False
    """Whether it was told of by another name before, and counted then."""


@dataclass(frozen=True)
class Claim:
    """What a player may claim."""

    side: Side | None
    """Who; None for either."""
    wins: bool
    """Whether the claim wins the game; else it draws it."""
    rule: str
    offence: Conviction | None = None
    """What it rests on, if that is an offence; a win without one is claimed on time."""
    since: int = 0
    """How many moves there were when it arose."""
    waived: int | None = None
    """How many moves there were with the one by which the player waived it."""


@dataclass(frozen=True)
class Tally:
    """A count of the attacker's moves."""

    claimant: Side
    """Who wants the draw."""
    since: int
    """How many moves of the game had been made when it began."""


@dataclass(frozen=True)
class Arbiter:
    """A profile and what has to be remembered to apply it."""

    profile: Profile = WCDF
    convictions: tuple[Conviction, ...] = ()
    """All that has been counted in this game and stands."""
    disorder: tuple[int, ...] = ()
    """The numbers of the events that have told of the board since it was last in order."""
    counted: tuple[Conviction, ...] = ()
    """What has been counted for them: one act is one offence."""
    lately: tuple[Conviction, ...] = ()
    """What the last act was that was counted, also when the board is in order again: it can be
    overruled."""
    history: History = field(default_factory=lambda: History(Position.start()))
    contact: Contact | None = None
    """The piece of his own that the player to move touched first."""
    misplayed: int | None = None
    """The number of the event that told of a piece which he touched and cannot play: what he
    touches in one play is one offence."""
    told: int | None = None
    """In a lesson: where the piece stands, or stood, of which was told where it may go."""
    early: Contact | None = None
    """A touch off turn, or one after a move that has not been announced yet."""
    retracted: int | None = None
    """Where the piece stands whose incorrect move the player to move took back."""
    warned: Warned | None = None
    proposals: tuple[Proposed, ...] = ()
    """What waits for a person."""
    claims: tuple[Claim, ...] = ()
    declined: frozenset[Side] = frozenset()
    """Whose offer of a draw has been declined in this game."""
    tally: Tally | None = None

    def count(self, side: Side, group: str) -> int:
        """How often a player has offended so far."""
        known = (c for c in self.convictions if (c.side, c.group) == (side, group))
        return sum(not each.again for each in known)


Judged = tuple[Arbiter, tuple[Event, ...]]
Judgement = tuple[Arbiter, tuple[Ruling | Proposed, ...]]


def begin(arbiter: Arbiter, position: Position) -> Arbiter:
    """The arbiter at the start of a game from a position; offences are forgotten."""
    return Arbiter(arbiter.profile, history=History(position))


def _ruling(
    time_ms: int, verdict: Verdict, side: Side | None, rule: str, said: Phrase, cause: int
) -> Ruling:
    ruling = Ruling(time_ms, verdict, side, rule, "", cause, said)
    return replace(ruling, text=in_words(ruling))


# --- offences on the board ------------------------------------------------------------------


def irregular(arbiter: Arbiter, event: Irregular, number: int, position: Position) -> Judgement:
    """The ruling on an irregularity; `position` is the one that was irregularly left."""
    stands = announcements.move_stands(event)
    kind = Irregularity.PIECE_REMOVED if stands else event.kind
    offence = arbiter.profile.offences[kind]
    known = arbiter.warned is not None and arbiter.warned.side is event.side
    arbiter = replace(arbiter, disorder=(*arbiter.disorder, number))
    arbiter, verdict = _verdict(arbiter, offence, event.side, number)
    arbiter = _retracting(_warned(arbiter, event, number, position), event, position)
    said = announcements.irregular(event, position, _bound(arbiter, position))
    rule = _section(offence, event, position)
    ruling = _ruling(event.time_ms, verdict, event.side, rule, said, number)
    arbiter, touched = (arbiter, ()) if known else _handled(arbiter, event, number, position)
    return arbiter, (ruling, *touched)


def _section(offence: Offence, event: Irregular, position: Position) -> str:
    """Where an offence is written, which for a king's move may be elsewhere, or for that of a man
    who becomes one."""
    if event.kind is not Irregularity.ILLEGAL_STEP:
        return offence.rule
    start, end = event.squares[:2]
    if is_king(at(position.setup, start)):
        return offence.of_kings or offence.rule
    crowned = why_not(position, start, end) is Fault.KING_ROW
    return offence.of_crowning if crowned and offence.of_crowning is not None else offence.rule


def _verdict(
    arbiter: Arbiter, offence: Offence, side: Side | None, number: int
) -> tuple[Arbiter, Verdict]:
    if side is None:
        blameless = offence.verdict(1)
        return arbiter, Verdict.RESTORE if blameless is Verdict.WARNING else blameless
    again = any((c.side, c.group) == (side, offence.group) for c in arbiter.counted)
    return _convicted(arbiter, offence, Conviction(side, offence.group, number, again), number)


def _is_counted(offence: Offence) -> bool:
    """Whether an offence ever has a worse consequence than a word."""
    return not {Verdict.WARNING, Verdict.FORFEIT}.isdisjoint(offence.verdicts)


def _convicted(
    arbiter: Arbiter, offence: Offence, conviction: Conviction, evidence: int
) -> tuple[Arbiter, Verdict]:
    """Count an offence; the other player may claim a game that is forfeited. `evidence` is the
    number of the event that shows it: with all that his disorder shows it is one act."""
    if not _is_counted(offence):
        return arbiter, offence.verdict(1)
    side, former = conviction.side, arbiter.counted
    arbiter = replace(arbiter, convictions=(*arbiter.convictions, conviction), lately=(conviction,))
    if evidence in arbiter.disorder:
        act = (*(each for each in former if each.side is side), conviction)
        arbiter = replace(arbiter, counted=(*former, conviction), lately=act)
    verdict = offence.verdict(arbiter.count(side, offence.group))
    if verdict is not Verdict.FORFEIT or conviction.again:
        return arbiter, verdict
    made = len(arbiter.history.plies)
    claim = Claim(side.other, True, arbiter.profile.forfeited, conviction, made)
    return replace(arbiter, claims=(*arbiter.claims, claim)), verdict


def _may_think(event: Irregular, position: Position) -> bool:
    """Whether the player to move may have the missing man in his hand: that costs him his own time
    and is no refusal."""
    if event.kind is not Irregularity.PIECE_REMOVED or event.side is not position.turn:
        return False
    return position.turn.owns(at(position.setup, event.squares[0]))


def _warned(arbiter: Arbiter, event: Irregular, number: int, position: Position) -> Arbiter:
    """Remember who has to put the board right, and since when."""
    if event.side is None or Conduct.NOT_PUT_RIGHT not in arbiter.profile.conduct:
        return arbiter
    if event.kind in (Irregularity.CROWN_MISSING, Irregularity.JUMPED_PIECE_LEFT):
        return arbiter
    if _may_think(event, position):
        return arbiter
    return replace(arbiter, warned=Warned(event.side, event.time_ms, number))


_MOVED = (
    Irregularity.ILLEGAL_STEP,
    Irregularity.CAPTURE_MISSED,
    Irregularity.CAPTURE_UNFINISHED,
)
_PERHAPS_MOVED = (Irregularity.OWN_PIECE_REMOVED, Irregularity.WRONG_PIECE_REMOVED)


def _retracting(arbiter: Arbiter, event: Irregular, position: Position) -> Arbiter:
    """Remember the piece of an incorrect move, if it has a correct one, or the one touched before
    it."""
    removing = event.kind in _PERHAPS_MOVED and announcements.is_moving(event, position)
    if arbiter.retracted or not (removing or event.kind in _MOVED):
        return arbiter
    due = _bound(arbiter, position) or event.squares[0]
    return replace(arbiter, retracted=due) if _playable(position, due) else arbiter


def _bound(arbiter: Arbiter, position: Position) -> int | None:
    """Where the piece stands that has to make the next move: that of the incorrect move that was
    taken back (US VII), or the one touched first (4.2); None where none has to, or can."""
    rules = arbiter.profile.conduct
    touch = arbiter.contact.event.square if arbiter.contact else None
    due = None
    if Conduct.TOUCHED_OTHER in rules:
        due = arbiter.retracted or touch
    elif Conduct.OTHER_PIECE_PLAYED in rules:
        due = arbiter.retracted
    return due if due and _playable(position, due) else None


def _playable(position: Position, square: int) -> bool:
    return any(move.start == square for move in lawful_moves(position))


def in_order(arbiter: Arbiter) -> Arbiter:
    """The arbiter once the board is in order again: the next offence is a new one, and nobody
    refuses any more to put it right."""
    proposals = tuple(p for p in arbiter.proposals if p.conduct is not Conduct.NOT_PUT_RIGHT)
    return replace(arbiter, disorder=(), counted=(), warned=None, proposals=proposals)


def forgiven(arbiter: Arbiter) -> Arbiter:
    """The arbiter after a person put right the record, or let the board stand, and so what has been
    counted for that. What was counted before it was last in order has nothing to do with it, nor
    what the other player has done since."""
    return _forgiven(arbiter, arbiter.counted)


def overruled(arbiter: Arbiter) -> Arbiter:
    """The arbiter after a person overruled the last act that was counted, and what followed."""
    return _forgiven(arbiter, arbiter.lately)


def taken_back(before: Arbiter, now: Arbiter) -> tuple[int, ...]:
    """The numbers of the events the rulings on which do not stand any more."""
    return tuple(each.number for each in before.convictions if each not in now.convictions)


def _forgiven(arbiter: Arbiter, offences: tuple[Conviction, ...]) -> Arbiter:
    proposals = tuple(p for p in arbiter.proposals if p.cause not in arbiter.disorder)
    return replace(
        in_order(replace(arbiter, proposals=proposals)),
        convictions=tuple(each for each in arbiter.convictions if each not in offences),
        claims=tuple(each for each in arbiter.claims if each.offence not in offences),
        lately=tuple(each for each in arbiter.lately if each not in offences),
        retracted=None,
    )


# --- conduct: touches, hands, refusals ------------------------------------------------------


def touched(arbiter: Arbiter, event: Touched, number: int, position: Position) -> Judged:
    """What a touch means (4.2, 4.3, 4.6). Who cannot be named is not accused."""
    contact = Contact(event, number)
    if event.side is None or _crowning(arbiter, event):
        return arbiter, ()
    if event.side is not position.turn:
        return replace(arbiter, early=arbiter.early or contact), ()
    return _touched_on_turn(arbiter, contact, position)


def _crowning(arbiter: Arbiter, event: Touched) -> bool:
    """Whether the touched piece is the new king, which the other player crowns (3.9)."""
    move = arbiter.history.last
    return move is not None and move.crowns and event.square == move.end


def _touched_on_turn(arbiter: Arbiter, contact: Contact, position: Position) -> Judged:
    """Of his own pieces the first one counts (4.2), of the other's any (4.3)."""
    square = contact.event.square
    own = position.turn.owns(at(position.setup, square))
    if own and arbiter.profile.lesson:
        return explained(arbiter, contact.event, contact.number, position)
    if _to_be_taken(position, square) or (own and arbiter.contact):
        return arbiter, ()
    arbiter = replace(arbiter, contact=contact) if own else arbiter
    if arbiter.misplayed is not None or _playable(position, square):
        return arbiter, ()
    return _unplayable_touch(arbiter, contact, position)


def _unplayable_touch(arbiter: Arbiter, contact: Contact, position: Position) -> Judgement:
    side, square = position.turn, contact.event.square
    due = _bound(arbiter, position)
    moves = [move for move in lawful_moves(position) if due in (None, move.start)]
    lawful = [move_text(position, move) for move in moves]
    said = phrase(Conduct.TOUCHED_UNPLAYABLE.value, side=side, square=square, lawful=lawful)
    arbiter = replace(arbiter, misplayed=contact.number)
    return _charged(arbiter, Conduct.TOUCHED_UNPLAYABLE, contact, side, said)


def _to_be_taken(position: Position, square: int) -> bool:
    """Whether a capture takes the piece, so that it may be touched to be removed."""
    return any(square in move.captured for move in captures(position))


_HANDLED = (Irregularity.PIECE_DISPLACED, Irregularity.PIECE_REMOVED)
"""What nobody does to a piece without touching it. That a disc lies beside its square, or is upset,
an arm may have done."""


def _handled(arbiter: Arbiter, event: Irregular, number: int, position: Position) -> Judgement:
    """What it means that a piece was moved or taken off that is not the player's to move: the
    other's (4.3), or any off turn (4.6). It stays a proposal, for nothing but whose hand was about
    tells who it was. An own piece may be in the hand of a player who thinks."""
    if event.side is None or event.kind not in _HANDLED:
        return arbiter, ()
    square = event.squares[0]
    touch = Touched(event.time_ms, event.side, square, Touch.LIFTED, event.time_ms)
    if _crowning(arbiter, touch):
        return arbiter, ()
    if event.side is not position.turn:
        return _off_turn_touch(arbiter, Contact(touch, number))
    if event.side.owns(at(position.setup, square)) or _to_be_taken(position, square):
        return arbiter, ()
    return _unplayable_touch(arbiter, Contact(touch, number), position)


def _charged(
    arbiter: Arbiter, conduct: Conduct, evidence: Contact, side: Side, said: Phrase
) -> Judgement:
    return _charge(arbiter, conduct, side, said, evidence.event.time_ms, evidence.number)


def _charge(
    arbiter: Arbiter, conduct: Conduct, side: Side, said: Phrase, time_ms: int, number: int
) -> Judgement:
    """Propose a ruling, or make it where the profile asks nobody."""
    offence = arbiter.profile.conduct.get(conduct)
    if offence is None:
        return arbiter, ()
    verdict = offence.verdict(arbiter.count(side, offence.group) + 1)
    if arbiter.profile.proposes and verdict is not Verdict.NOTICE:
        proposed = Proposed(time_ms, conduct, verdict, side, offence.rule, "", said, number)
        return arbiter, (replace(proposed, text=in_words(proposed)),)
    arbiter, verdict = _convicted(arbiter, offence, Conviction(side, offence.group, number), number)
    return arbiter, (_ruling(time_ms, verdict, side, offence.rule, said, number),)


def lingering(arbiter: Arbiter, event: Lingering, number: int) -> Judged:
    """What a hand means that stays on the piece it has moved (4.8)."""
    said = phrase(Conduct.HAND_LINGERING.value, side=event.side, square=event.square)
    conduct = Conduct.HAND_LINGERING
    return _charge(arbiter, conduct, event.side, said, event.time_ms, number)


def crowned(arbiter: Arbiter, event: Crowned, number: int, position: Position) -> Judged:
    """What it means by whose hand a man was crowned (3.9)."""
    owner = side_of(at(position.setup, event.square))
    if event.by is None or event.by is not owner:
        return arbiter, ()
    said = phrase(Conduct.CROWNED_BY_OWNER.value, side=owner, square=event.square)
    return _charge(arbiter, Conduct.CROWNED_BY_OWNER, owner, said, event.time_ms, number)


def waited(arbiter: Arbiter, time_ms: int) -> Judged:
    """What has become certain by the mere passing of time."""
    arbiter, found = _off_turn(arbiter, time_ms) if arbiter.early else (arbiter, ())
    warned = arbiter.warned
    if warned is None or time_ms - warned.since_ms < arbiter.profile.patience_ms:
        return arbiter, found
    arbiter = replace(arbiter, warned=None)
    said = phrase(Conduct.NOT_PUT_RIGHT.value, side=warned.side)
    arbiter, more = _charge(
        arbiter, Conduct.NOT_PUT_RIGHT, warned.side, said, time_ms, warned.number
    )
    return arbiter, found + more


def unseen(arbiter: Arbiter, time_ms: int) -> Arbiter:
    """The arbiter while the game is not followed: the board may be put right behind his back."""
    return replace(arbiter, warned=arbiter.warned and replace(arbiter.warned, since_ms=time_ms))


def _off_turn(arbiter: Arbiter, time_ms: int) -> Judged:
    early = arbiter.early
    if early is None or time_ms - early.event.time_ms < SETTLING_MS:
        return arbiter, ()
    return _off_turn_touch(replace(arbiter, early=None), early)


def _off_turn_touch(arbiter: Arbiter, contact: Contact) -> Judgement:
    side = contact.event.side
    assert side is not None
    said = phrase(Conduct.TOUCHED_OFF_TURN.value, side=side, square=contact.event.square)
    return _charged(arbiter, Conduct.TOUCHED_OFF_TURN, contact, side, said)


def proposed(arbiter: Arbiter, event: Proposed) -> Arbiter:
    """The arbiter that waits for what a person says to a proposal."""
    return replace(arbiter, proposals=(*arbiter.proposals, event))


def proposal(arbiter: Arbiter, text: str) -> Proposed | None:
    """The proposal with a number, or the latest."""
    fitting = (p for p in reversed(arbiter.proposals) if text in ("", str(p.number)))
    return next(fitting, None)


def dismissed(arbiter: Arbiter, event: Proposed) -> Arbiter:
    """The arbiter after a proposal was dropped, or became a ruling. With one about a touch that
    cannot be played the play begins anew (4.3)."""
    proposals = tuple(p for p in arbiter.proposals if p != event)
    arbiter = replace(arbiter, proposals=proposals)
    if arbiter.misplayed != event.cause:
        return arbiter
    first = arbiter.contact
    anew = first is None or first.number == event.cause
    return replace(arbiter, misplayed=None, contact=None if anew else first)


def retracting(arbiter: Arbiter, event: Proposed) -> Arbiter:
    """The arbiter after the move was taken back that a confirmed proposal is about: the piece that
    it names has to be moved now (4.2, US VII). What else lies wrong has another board to go back
    to than its player was told."""
    return replace(arbiter, retracted=next(iter(event.squares), None), warned=None)


def confirmed(arbiter: Arbiter, event: Proposed, time_ms: int) -> Judged:
    """The ruling that was proposed, with what follows by now."""
    offence = arbiter.profile.conduct[event.conduct]
    conviction = Conviction(event.side, offence.group, event.number)
    arbiter = dismissed(arbiter, event)
    arbiter, verdict = _convicted(arbiter, offence, conviction, event.cause)
    return arbiter, (_ruling(time_ms, verdict, event.side, event.rule, event.phrase, event.number),)


# --- moves ----------------------------------------------------------------------------------


def played(arbiter: Arbiter, event: Played, number: int, move: Move, now: Position) -> Judged:
    """What there is to say of a lawful move, which led to the position `now`."""
    arbiter, found = _first_touched(arbiter, event, number, move)
    arbiter = _moved(in_order(arbiter), event.side, move, now)
    arbiter, more = _early_touch(arbiter, event)
    draws = (
        *_repetition(arbiter, event, number),
        *_progress(arbiter, event, number),
        *_tallied(arbiter, event, number, move),
    )
    return arbiter, (*found, *more, *draws, *_taught(arbiter, event, number, move))


def _moved(arbiter: Arbiter, side: Side, move: Move, now: Position) -> Arbiter:
    """A move waives the mover's claims that arose before it; a move that might have been taken back
    stands."""
    history = arbiter.history.with_ply(move, now)
    made = len(history.plies)
    claims = tuple(
        replace(claim, waived=made)
        if claim.side is side and claim.waived is None and claim.since < made
        else claim
        for claim in arbiter.claims
    )
    proposals = tuple(p for p in arbiter.proposals if p.conduct not in TAKES_BACK)
    return replace(
        arbiter,
        claims=claims,
        proposals=proposals,
        history=history,
        contact=None,
        misplayed=None,
        told=None,
        retracted=None,
    )


def _first_touched(arbiter: Arbiter, event: Played, number: int, move: Move) -> Judged:
    """Whether another piece had to be moved: the first one touched, or the one retracted."""
    due = _bound(arbiter, arbiter.history.now)
    if due in (None, move.start):
        return arbiter, ()
    by_touch = Conduct.TOUCHED_OTHER in arbiter.profile.conduct
    conduct = Conduct.TOUCHED_OTHER if by_touch else Conduct.OTHER_PIECE_PLAYED
    said = phrase(conduct.value, side=event.side, square=due, move=event.move)
    return _charge(arbiter, conduct, event.side, said, event.time_ms, number)


def _early_touch(arbiter: Arbiter, event: Played) -> Judged:
    """A touch by the player who did not move: off turn, or the beginning of his own turn."""
    early = arbiter.early
    if early is None:
        return arbiter, ()
    arbiter = replace(arbiter, early=None)
    if event.time_ms - early.event.touched_ms < SETTLING_MS:
        return _touched_on_turn(arbiter, early, arbiter.history.now)
    return _off_turn_touch(arbiter, early)


def undone(arbiter: Arbiter, plies: int, again: int = 0) -> Arbiter:
    """The arbiter after some moves were taken out of the record: they have waived no claim.

    In their place `again` others go on record at once: what arose, or was asked for, behind those
    came behind these too.
    """
    kept, tally = arbiter.history.without(plies), arbiter.tally
    made = len(kept.plies)
    claims = tuple(
        replace(
            claim,
            since=min(claim.since, made + again),
            waived=None if claim.waived and claim.waived > made else claim.waived,
        )
        for claim in arbiter.claims
    )
    proposals = tuple(p for p in arbiter.proposals if p.conduct not in TAKES_BACK)
    return replace(
        arbiter,
        history=kept,
        claims=claims,
        tally=tally and replace(tally, since=min(tally.since, made + again)),
        contact=None,
        misplayed=None,
        told=None,
        early=None,
        retracted=None,
        proposals=proposals,
    )


def gone_on(arbiter: Arbiter, position: Position) -> Arbiter:
    """The arbiter that goes on from a position that a person has set: no move before it can be
    taken back any more, and a count of moves begins anew."""
    arbiter = undone(arbiter, 0)
    claims = tuple(replace(claim, since=0) for claim in arbiter.claims if claim.waived is None)
    tally = replace(arbiter.tally, since=0) if arbiter.tally else None
    return replace(arbiter, history=History(position), claims=claims, tally=tally)


# --- draws ----------------------------------------------------------------------------------


def _repetition(arbiter: Arbiter, event: Played, number: int) -> tuple[Ruling, ...]:
    """Say it when a position stands oftener than any since the last capture or man's move."""
    rule, times = arbiter.profile.repetition, arbiter.history.times()
    if rule is None or times not in rule.verdicts or not arbiter.history.is_oftenest():
        return ()
    verdict = rule.verdicts[times]
    key = "repeated" if verdict is Verdict.DRAW_CLAIMABLE else "see_saw"
    said = phrase(key, nth=times)
    return (_ruling(event.time_ms, verdict, None, rule.rule, said, number),)


def _progress(arbiter: Arbiter, event: Played, number: int) -> tuple[Ruling, ...]:
    rule = arbiter.profile.no_progress
    if rule is None or arbiter.history.idle(rule.man_moves_count) != 2 * rule.moves:
        return ()
    said = phrase("no_progress", n=rule.moves)
    return (_ruling(event.time_ms, Verdict.DRAW_CLAIMABLE, None, rule.rule, said, number),)


def declined(arbiter: Arbiter, side: Side) -> Arbiter:
    """The arbiter after the draw that a player offered was declined."""
    return replace(arbiter, declined=arbiter.declined | {side})


def not_declined(arbiter: Arbiter, side: Side) -> Arbiter:
    """The arbiter when the move that declined the draw of a player turns out never to have been."""
    return replace(arbiter, declined=arbiter.declined - {side})


def counting(arbiter: Arbiter, side: Side, time_ms: int, number: int) -> Judged | str:
    """The count that a player asks for (7.2), or the key of the reason why there is none."""
    rule = arbiter.profile.count
    if rule is None:
        return "no_count"
    if arbiter.tally:  # only 7.2 a to c begin it again
        return "counting" if tallied(arbiter) < rule.moves else "count_due"
    if side not in arbiter.declined:
        return "not_declined"
    said = phrase("count_started", side=side.other, of=rule.moves)
    arbiter = replace(arbiter, tally=Tally(side, len(arbiter.history.plies)))
    return arbiter, (_ruling(time_ms, Verdict.NOTICE, side, rule.rule, said, number),)


def tallied(arbiter: Arbiter) -> int:
    """How many moves of the attacker are counted."""
    tally = arbiter.tally
    return arbiter.history.counted(tally.claimant.other, tally.since) if tally else 0


def _tallied(arbiter: Arbiter, event: Played, number: int, move: Move) -> tuple[Ruling, ...]:
    """What the count has come to with a move, where that is worth a word."""
    rule, tally, cause = arbiter.profile.count, arbiter.tally, restarts(move)
    if rule is None or tally is None:
        return ()
    if cause:
        counted = tallied(replace(arbiter, history=arbiter.history.without(1)))
        return (_restarted(arbiter, event.time_ms, cause, number),) if counted else ()
    moves = tallied(arbiter)
    if event.side is tally.claimant or moves > rule.moves or moves % TOLD_EVERY:
        return ()
    complete = moves == rule.moves
    said = phrase(
        "count_complete" if complete else "counted", side=event.side, n=moves, of=rule.moves
    )
    verdict = Verdict.DRAW_CLAIMABLE if complete else Verdict.NOTICE
    return (_ruling(event.time_ms, verdict, tally.claimant, rule.rule, said, number),)


def _restarted(arbiter: Arbiter, time_ms: int, cause: str, number: int) -> Ruling:
    rule, tally = arbiter.profile.count, arbiter.tally
    assert rule is not None
    assert tally is not None
    said = phrase("count_restarted", of=rule.moves, cause=cause)
    return _ruling(time_ms, Verdict.NOTICE, tally.claimant, rule.rule, said, number)


def strengthened(arbiter: Arbiter, time_ms: int, number: int) -> Judged | str:
    """The count begins again (7.2a), or is over when it was complete (7.3); else why not."""
    rule, tally = arbiter.profile.count, arbiter.tally
    if rule is None or tally is None:
        return "nothing_counted"
    if tallied(arbiter) < rule.moves:
        ruling = _restarted(arbiter, time_ms, "conceded", number)
        again = replace(tally, since=len(arbiter.history.plies))
        return replace(arbiter, tally=again), (ruling,)
    attacker = tally.claimant.other
    said = phrase("count_over", side=attacker)
    ruling = _ruling(time_ms, Verdict.NOTICE, attacker, rule.over_rule, said, number)
    return replace(arbiter, tally=None), (ruling,)


# --- claims ---------------------------------------------------------------------------------


def open_claims(arbiter: Arbiter) -> tuple[Claim, ...]:
    """All that may be claimed now: forfeits, and draws while the position stands."""
    standing = (claim for claim in arbiter.claims if claim.waived is None)
    return (*standing, *_draw_claims(arbiter))


def _draw_claims(arbiter: Arbiter) -> list[Claim]:
    profile, claims = arbiter.profile, []
    repetition, progress, count = profile.repetition, profile.no_progress, profile.count
    history = arbiter.history
    if repetition and _claimable(repetition, history.times()):
        claims.append(Claim(None, False, repetition.rule))
    if progress and history.idle(progress.man_moves_count) >= 2 * progress.moves:
        claims.append(Claim(None, False, progress.rule))
    if count and arbiter.tally and tallied(arbiter) >= count.moves:
        claims.append(Claim(arbiter.tally.claimant, False, count.rule))
    return claims


def _claimable(rule: Repetition, times: int) -> bool:
    """Whether a draw may be claimed; the verdict of the most times stands for all further."""
    verdict = rule.verdicts.get(min(times, max(rule.verdicts)))
    return verdict is Verdict.DRAW_CLAIMABLE


def claim(arbiter: Arbiter, side: Side | None) -> Claim | str:
    """What a player, or one of them, may claim, a win before a draw; or why nothing."""
    fitting = [c for c in open_claims(arbiter) if side is None or c.side in (None, side)]
    if not fitting:
        return "nothing_to_claim"
    wins = {c.side for c in fitting if c.wins}
    return "claim_of_whom" if len(wins) > 1 else fitting[0]


# --- time -----------------------------------------------------------------------------------


def time_over(arbiter: Arbiter, event: TimeOver, number: int, rule: str) -> Judged:
    """What follows when a limit has passed, by the rule of the clock in use (5.1-5.3)."""
    time = arbiter.profile.time
    if time is None:
        return arbiter, ()
    if event.grace_ms:
        minutes = -(-event.grace_ms // MINUTE_MS)
        said = phrase("grace", side=event.side, minutes=minutes)
        verdict = Verdict.NOTICE
    else:
        said, verdict = phrase("time_over", side=event.side), time.verdict
    if verdict is Verdict.FORFEIT:
        made = len(arbiter.history.plies)
        won = Claim(event.side.other, True, arbiter.profile.forfeited, since=made)
        arbiter = replace(arbiter, claims=(*arbiter.claims, won))
    return arbiter, (_ruling(event.time_ms, verdict, event.side, rule, said, number),)


# --- lessons --------------------------------------------------------------------------------

PRAISED = 2
"""From so many pieces taken in one move on it is praised."""


def _taught(arbiter: Arbiter, event: Played, number: int, move: Move) -> tuple[Ruling, ...]:
    """What a teacher says of a move, and before the next one."""
    lesson = arbiter.profile.lesson
    if lesson is None:
        return ()
    said: list[tuple[str, Phrase]] = []
    if len(move.captured) >= PRAISED:
        said.append((lesson.jumps, phrase("praise", side=event.side, n=len(move.captured))))
    if move.crowns and not has_no_move(arbiter.history.now):
        said.append((lesson.crown, phrase("crown_now", side=event.side, square=move.end)))
    of_move = tuple(
        _ruling(event.time_ms, Verdict.NOTICE, event.side, rule, words, number)
        for rule, words in said
    )
    return of_move + advice(arbiter, event.time_ms, number)


def explained(arbiter: Arbiter, event: Touched | Held, number: int, position: Position) -> Judged:
    """In a lesson: where a piece may go that its player has touched, or which may go instead. Of
    the same piece it is told once, until he touches another."""
    lesson, square = arbiter.profile.lesson, event.square
    if lesson is None or arbiter.told == square:
        return arbiter, ()
    moves = lawful_moves(position)
    ends = tuple(dict.fromkeys(move.end for move in moves if move.start == square))
    starts = tuple(dict.fromkeys(move.start for move in moves))
    key, choice = ("may_go", ends) if ends else ("cannot_go", starts)
    said = phrase(key, square=square, choice=choice)
    rule = lesson.capture if captures(position) else lesson.step
    ruling = _ruling(event.time_ms, Verdict.NOTICE, position.turn, rule, said, number)
    return replace(arbiter, told=square), (ruling,)


def advice(arbiter: Arbiter, time_ms: int, number: int) -> tuple[Ruling, ...]:
    """In a lesson: which captures the player to move must choose from."""
    lesson, now = arbiter.profile.lesson, arbiter.history.now
    due = [move_text(now, capture) for capture in captures(now)]
    if lesson is None or not due:
        return ()
    said = phrase("must_capture", side=now.turn, choice=due)
    return (_ruling(time_ms, Verdict.NOTICE, now.turn, lesson.capture, said, number),)


# --- ends -----------------------------------------------------------------------------------


def lost(arbiter: Arbiter, time_ms: int, position: Position, number: int) -> Ruling:
    """The ruling on a position whose side to move has no move (6.2)."""
    side = position.turn
    has_pieces = any(side.owns(piece) for piece in position.setup if piece != EMPTY)
    key = "blocked" if has_pieces else "bare"
    return _won(time_ms, key, side, arbiter.profile.lost, number)


def _won(time_ms: int, key: str, loser: Side, rule: str, number: int) -> Ruling:
    said = phrase(key, side=loser)
    return _ruling(time_ms, Verdict.WIN, loser.other, rule, said, number)


def resigned(arbiter: Arbiter, time_ms: int, side: Side, number: int) -> Ruling:
    """The ruling on a player who gives up (6.1)."""
    return _won(time_ms, "resigned", side, arbiter.profile.resigned, number)


def agreed(arbiter: Arbiter, time_ms: int, number: int) -> Ruling:
    """The ruling on an agreed draw (7.1)."""
    rule = arbiter.profile.agreed
    return _ruling(time_ms, Verdict.DRAW, None, rule, phrase("agreed"), number)


def claimed_for(arbiter: Arbiter, claim: Claim) -> Arbiter:
    """The arbiter after a game was claimed for an offence: that is what can be overruled now."""
    if claim.offence is None or claim.offence in arbiter.lately:
        return arbiter
    return replace(arbiter, lately=(claim.offence,))


def granted(claimed: Claim, time_ms: int, side: Side | None, number: int) -> Ruling:
    """The ruling on a claim: the game is won or drawn."""
    winner = claimed.side or side
    if claimed.wins and winner:
        key = "forfeited" if claimed.offence else "time_lost"
        return _won(time_ms, key, winner.other, claimed.rule, number)
    said = phrase("draw_claimed")
    return _ruling(time_ms, Verdict.DRAW, None, claimed.rule, said, number)


def flagged(rule: str, time_ms: int, side: Side, number: int) -> Ruling:
    """The ruling on a player whose time is over where that loses the game at once."""
    return _won(time_ms, "time_lost", side, rule, number)


def next_game(
    arbiter: Arbiter, players: tuple[str, str] | None, time_ms: int, number: int
) -> tuple[Ruling, ...]:
    """The reminder that colours alternate (3.1)."""
    rule = arbiter.profile.colours
    if rule is None:
        return ()
    red, white = players or (None, None)
    key = "change_colours_named" if players else "change_colours"
    said = phrase(key, red=red, white=white)
    return (_ruling(time_ms, Verdict.NOTICE, None, rule, said, number),)

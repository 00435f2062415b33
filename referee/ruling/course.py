"""The course of the game: moves that go on record and off it, and positions that people set."""

from __future__ import annotations

from dataclasses import replace

from referee.arbiter import Arbiter, Judged
from referee.board import Side
from referee.events import Conduct, Played, Proposed, phrase
from referee.rules import Move, Position
from referee.ruling import draws
from referee.ruling.bound import bound
from referee.ruling.conduct import early_touch
from referee.ruling.convictions import charge, in_order, outlasting, without_order
from referee.ruling.lessons import taught


def played(arbiter: Arbiter, event: Played, number: int, move: Move, now: Position) -> Judged:
    """What there is to say of a lawful move, which led to the position `now`."""
    arbiter, found = _first_touched(arbiter, event, number, move)
    praises = not arbiter.guided
    arbiter = _moved(in_order(arbiter), event.side, move, now)
    arbiter, more = early_touch(arbiter, event)
    of_draws = draws.after_move(arbiter, event, number, move)
    told = taught(arbiter, event, number, move, praises)
    if any(ruling.phrase[0] == "praise" for ruling in told):
        arbiter = replace(arbiter, praised=arbiter.praised | {move})
    return arbiter, (*found, *more, *of_draws, *told)


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
    proposals = outlasting(arbiter)
    return replace(
        arbiter,
        claims=claims,
        proposals=tuple(replace(p, phrase=without_order(p.phrase)) for p in proposals),
        history=history,
        contact=None,
        misplayed=None,
        told=None,
        guided=False,
        uncrowned=move.end if move.crowns else None,
        crowned_ms=None,
        retracted=None,
    )


def _first_touched(arbiter: Arbiter, event: Played, number: int, move: Move) -> Judged:
    """Whether another piece had to be moved: the first one touched, or the one retracted."""
    due = bound(arbiter, arbiter.history.now)
    if due in (None, move.start):
        return arbiter, ()
    by_touch = Conduct.TOUCHED_OTHER in arbiter.profile.conduct
    conduct = Conduct.TOUCHED_OTHER if by_touch else Conduct.OTHER_PIECE_PLAYED
    said = phrase(conduct.value, side=event.side, square=due, move=event.move)
    arbiter, found = charge(arbiter, conduct, event.side, said, event.time_ms, number)
    ply = len(arbiter.history.plies) + 1
    return arbiter, tuple(
        replace(each, ply=ply) if isinstance(each, Proposed) else each for each in found
    )


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
    proposals = tuple(p for p in arbiter.proposals if p.ply <= made)
    return replace(
        arbiter,
        history=kept,
        claims=claims,
        tally=tally and replace(tally, since=min(tally.since, made + again)),
        contact=None,
        misplayed=None,
        told=None,
        guided=False,
        uncrowned=None,
        crowned_ms=None,
        early=None,
        retracted=None,
        proposals=proposals,
    )


def gone_on(arbiter: Arbiter, position: Position) -> Arbiter:
    """The arbiter that goes on from a position that a person has set: no move before it can be
    taken back any more. Counts go on if he has only put kings elsewhere, or nothing; else they
    begin anew."""
    arbiter = undone(arbiter, 0)
    claims = tuple(replace(claim, since=0) for claim in arbiter.claims if claim.waived is None)
    former, tally = arbiter.history, arbiter.tally
    tally = tally and replace(tally, since=tally.since - len(former.plies))
    return replace(
        arbiter,
        history=former.gone_on(position),
        claims=claims,
        proposals=tuple(replace(p, ply=0) for p in outlasting(arbiter)),
        tally=tally,
    )

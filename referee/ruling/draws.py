"""Positions that come again, moves that bring nothing, and the count that a player asks for."""

from __future__ import annotations

from dataclasses import replace

from referee.arbiter import Arbiter, Judged, Tally, ruled
from referee.board import Side
from referee.events import Played, Ruling, Verdict, phrase
from referee.history import restarts
from referee.rules import Move

TOLD_EVERY = 10
"""How many counted moves lie between two announcements of the count."""


def after_move(arbiter: Arbiter, event: Played, number: int, move: Move) -> tuple[Ruling, ...]:
    """What there is to say of draws when a move has been made."""
    return (
        *_repetition(arbiter, event, number),
        *_progress(arbiter, event, number),
        *_tallied(arbiter, event, number, move),
    )


def _repetition(arbiter: Arbiter, event: Played, number: int) -> tuple[Ruling, ...]:
    """Say it when a position stands again, once for each see-saw and not of all its positions."""
    rule, times = arbiter.profile.repetition, arbiter.history.times()
    if rule is None or times not in rule.verdicts or not arbiter.history.is_oftenest():
        return ()
    verdict = rule.verdicts[times]
    key = "repeated" if verdict is Verdict.DRAW_CLAIMABLE else "see_saw"
    said = phrase(key, nth=times)
    return (ruled(event.time_ms, verdict, None, rule.rule, said, number),)


def _progress(arbiter: Arbiter, event: Played, number: int) -> tuple[Ruling, ...]:
    rule = arbiter.profile.no_progress
    if rule is None or arbiter.history.idle() != 2 * rule.moves:
        return ()
    said = phrase("no_progress", n=rule.moves)
    return (ruled(event.time_ms, Verdict.DRAW_CLAIMABLE, None, rule.rule, said, number),)


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
    return arbiter, (ruled(time_ms, Verdict.NOTICE, side, rule.rule, said, number),)


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
    return (ruled(event.time_ms, verdict, tally.claimant, rule.rule, said, number),)


def _restarted(arbiter: Arbiter, time_ms: int, cause: str, number: int) -> Ruling:
    rule, tally = arbiter.profile.count, arbiter.tally
    assert rule is not None
    assert tally is not None
    said = phrase("count_restarted", of=rule.moves, cause=cause)
    return ruled(time_ms, Verdict.NOTICE, tally.claimant, rule.rule, said, number)


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
    ruling = ruled(time_ms, Verdict.NOTICE, attacker, rule.over_rule, said, number)
    return replace(arbiter, tally=None), (ruling,)

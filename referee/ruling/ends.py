"""How a game ends, and what follows when a limit of time has passed."""

from __future__ import annotations

from dataclasses import replace

from referee.arbiter import OVERTIME, Arbiter, Claim, Conviction, Judged, ruled
from referee.board import Side
from referee.clock import MINUTE_MS
from referee.events import Ruling, TimeOver, Verdict, phrase
from referee.rules import Position

PLAYED_OUT = (("blocked",), ("bare",))
"""What the phrases begin with of ends for want of a move."""


def lost(arbiter: Arbiter, time_ms: int, position: Position, number: int) -> Ruling:
    """The ruling on a position whose side to move has no move (6.2)."""
    side = position.turn
    has_pieces = any(side.owns(piece) for piece in position.setup)
    key = "blocked" if has_pieces else "bare"
    return _won(time_ms, key, side, arbiter.profile.lost, number)


def _won(time_ms: int, key: str, loser: Side, rule: str, number: int) -> Ruling:
    said = phrase(key, side=loser)
    return ruled(time_ms, Verdict.WIN, loser.other, rule, said, number)


def resigned(arbiter: Arbiter, time_ms: int, side: Side, number: int) -> Ruling:
    """The ruling on a player who gives up (6.1)."""
    return _won(time_ms, "resigned", side, arbiter.profile.resigned, number)


def agreed(arbiter: Arbiter, time_ms: int, number: int) -> Ruling:
    """The ruling on an agreed draw (7.1)."""
    rule = arbiter.profile.agreed
    return ruled(time_ms, Verdict.DRAW, None, rule, phrase("agreed"), number)


def granted(claimed: Claim, time_ms: int, number: int) -> Ruling:
    """The ruling on a claim: the game is won or drawn."""
    if claimed.wins and claimed.side:
        on_time = claimed.offence is not None and claimed.offence.group == OVERTIME
        key = "time_lost" if on_time else "forfeited"
        return _won(time_ms, key, claimed.side.other, claimed.rule, number)
    said = phrase("draw_claimed")
    return ruled(time_ms, Verdict.DRAW, None, claimed.rule, said, number)


def flagged(rule: str, time_ms: int, side: Side, number: int) -> Ruling:
    """The ruling on a player whose time is over where that loses the game at once."""
    return _won(time_ms, "time_lost", side, rule, number)


def time_over(arbiter: Arbiter, event: TimeOver, number: int, rule: str, had_grace: bool) -> Judged:
    """What follows when a limit has passed, by the rule of the clock in use (5.1-5.3), perhaps that
    of the grace which the player had."""
    time = arbiter.profile.time
    if time is None:
        return arbiter, ()
    if event.grace_ms:
        minutes = -(-event.grace_ms // MINUTE_MS)
        said = phrase("grace", side=event.side, minutes=minutes)
        verdict = Verdict.NOTICE
    else:
        key = "grace_over" if had_grace else "time_over"
        said, verdict = phrase(key, side=event.side), time.verdict
        arbiter = claimable(overtime(arbiter, event.side, number), event.side)
    return arbiter, (ruled(event.time_ms, verdict, event.side, rule, said, number),)


def overtime(arbiter: Arbiter, side: Side, number: int) -> Arbiter:
    """The arbiter who has said with an event that a player's time is over: that can be overruled
    like what is counted against him."""
    conviction = Conviction(side, OVERTIME, number, told=number)
    others = (each for each in arbiter.overtime if each.side is not side)
    return replace(
        arbiter,
        convictions=(*arbiter.convictions, conviction),
        overtime=(*others, conviction),
        lately=(conviction,),
    )


def standing_overtime(arbiter: Arbiter, side: Side) -> Conviction | None:
    """That a player's time was last said to be over, unless it was overruled."""
    return next((c for c in arbiter.overtime if c.side is side and c in arbiter.convictions), None)


def claimable(arbiter: Arbiter, side: Side) -> Arbiter:
    """The arbiter while a player's time is over, where the other one may claim the game for that.
    He waives it by moving, and may again when that player is to move in the same period; not where
    it was overruled that it is over."""
    time = arbiter.profile.time
    over = standing_overtime(arbiter, side)
    if time is None or time.verdict is not Verdict.FORFEIT or over is None:
        return arbiter
    made = len(arbiter.history.plies)
    won = Claim(side.other, True, arbiter.profile.forfeited, over, made)
    return replace(arbiter, claims=(*arbiter.claims, won))


def with_other_clock(arbiter: Arbiter) -> Arbiter:
    """The arbiter of a game whose clock was set anew: nobody's time is over by that one."""

    def is_of_clock(each: Conviction | None) -> bool:
        return each is not None and each.group == OVERTIME

    return replace(
        arbiter,
        claims=tuple(c for c in arbiter.claims if not is_of_clock(c.offence)),
        convictions=tuple(c for c in arbiter.convictions if not is_of_clock(c)),
        lately=tuple(c for c in arbiter.lately if not is_of_clock(c)),
        overtime=(),
    )


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
    return (ruled(time_ms, Verdict.NOTICE, None, rule, said, number),)

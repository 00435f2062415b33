"""What the passing of time alone brings, and how the clock follows the game."""

from __future__ import annotations

from dataclasses import replace

from referee import clock as clocks
from referee.board import Side
from referee.clock import Clock, PerMove
from referee.events import ClockHeld, Event, TimeOver, Verdict
from referee.playing.state import Game, Step, counted, finished, numbered
from referee.rules import Position, captures
from referee.ruling import conduct, ends
from referee.sight import NEVER
from referee.tracker import Tracker
from referee.tracking.doubt import awaits_the_other, follows
from referee.tracking.memory import contradictions, is_mended

TOLD_MS = 3_000
"""So long after the hand has left a move is told at the latest, or it was none."""


def waited(game: Game, time_ms: int) -> Step:
    """What the passing of time alone has brought: limits, refusals, touches off turn; nothing while
    the referee does not follow the game, and no limit while the other player has the board to put
    right. After the end it brings nothing any more."""
    events: tuple[Event, ...] = ()
    if game.result:
        return game, ()
    followed = follows(game.tracker)
    if not followed or is_mended(game.tracker):  # what else is wrong is nobody's refusal
        game = replace(game, arbiter=conduct.unseen(game.arbiter, time_ms))
    if not followed:
        return _clock_held(game, time_ms), ()
    if game.arbiter.warned or game.arbiter.early:
        arbiter, events = conduct.waited(game.arbiter, time_ms)
        game, events = numbered(replace(game, arbiter=arbiter), events, game.count)
        game, events = counted(game, *events)
    if awaits_the_other(game.tracker):
        return _clock_held(game, time_ms), events
    if game.clock and _is_pressed_in_vain(game, game.clock):
        game = replace(game, clock=clocks.unpressed(game.clock, time_ms))
    game, more = _clock_ticked(game, time_ms)
    return game, events + more


def _clock_held(game: Game, time_ms: int) -> Game:
    """Stop the clock at `time_ms`, or since when nothing is seen: what passes now is nobody's. With
    a button it is the players' own and runs on; what runs out meanwhile is told afterwards."""
    clock, blind_ms = game.clock, game.tracker.dark.since_ms
    if clock is None or clock.setting.by_button:
        return game
    return replace(game, clock=clocks.stop(clock, time_ms if blind_ms is None else blind_ms))


def _is_pressed_in_vain(game: Game, clock: Clock) -> bool:
    """Whether the time of the player who has to wait runs, for the other has pressed the button and
    made no move, or one that he was told to take back."""
    tracker = game.tracker
    if clock.press is None or clock.side is not tracker.position.turn.other:
        return False
    incident = tracker.incident
    told = incident is not None and incident.side is tracker.position.turn
    stands = tracker.settled_ms == tracker.now
    return told or (stands and tracker.now - clock.press.at_ms >= clocks.VAIN_MS)


def told_of_clock(game: Game, time_ms: int) -> tuple[Event, ...]:
    """What to add for the players when the referee says that he does not follow."""
    clock = game.clock
    if clock is None or clock.side is None or clock.setting.by_button or game.result:
        return ()
    return (ClockHeld(time_ms),)


def _clock_ticked(game: Game, time_ms: int) -> Step:
    """The clock runs, also one that has been held, until somebody's time is over."""
    if game.clock is None:
        return game, ()
    clock = clocks.resume(game.clock, time_ms)
    ticked, expiry = clocks.tick(clock, _used_until_ms(game.tracker, clock, time_ms))
    if expiry and clock.press and expiry.side is not game.position.turn:
        return replace(game, clock=clock), ()  # told when it is known that it is his turn
    game = replace(game, clock=ticked)
    if expiry is None:
        return game, ()
    if expiry.again and not _is_lost_at_once(game, expiry.side):
        return replace(game, arbiter=ends.claimable(game.arbiter, expiry.side)), ()
    return _time_over(game, TimeOver(time_ms, expiry.side, expiry.grace_ms))


def _is_lost_at_once(game: Game, side: Side) -> bool:
    """Whether a player loses when his time is over, also at a move behind an end that was taken
    back; not where it was overruled that it is over."""
    rule = game.arbiter.profile.time
    stands = ends.standing_overtime(game.arbiter, side) is not None
    return rule is not None and rule.verdict is Verdict.WIN and stands


def _used_until_ms(tracker: Tracker, clock: Clock, time_ms: int) -> int:
    """Until when the time of the player to move has surely run: a move from which his hand has gone
    is complete, though it be told only in a moment."""
    left_ms = tracker.sight.hand_of_ms(clock.side) if clock.side else NEVER
    lately = max(clock.since_ms or 0, time_ms - TOLD_MS) < left_ms < time_ms
    by_hand = not clock.setting.by_button
    return left_ms if by_hand and lately and contradictions(tracker) else time_ms


def _time_over(game: Game, event: TimeOver) -> Step:
    profile_rule, number = game.arbiter.profile.time, game.count
    assert profile_rule is not None
    assert game.clock is not None
    per_move = isinstance(game.clock.setting.limits, PerMove)
    rule = profile_rule.of(per_move, final=not event.grace_ms)
    had_grace = len(set(game.clock.limits_ms(event.side))) > 1
    if profile_rule.verdict is Verdict.WIN and not event.grace_ms:
        lost = ends.flagged(rule, event.time_ms, event.side, number + 1)
        game = replace(game, arbiter=ends.overtime(game.arbiter, event.side, number))
        game, end = finished(game, lost)
        return counted(game, event, *end)
    arbiter, caused = ends.time_over(game.arbiter, event, number, rule, had_grace)
    return counted(replace(game, arbiter=arbiter), event, *caused)


def clock_started(game: Game, position: Position, time_ms: int) -> Game:
    """The game whose clock, if it has one, runs for the player to move in a position from now on,
    or when the pause is over, or the end of the game is taken back."""
    if game.clock is None:
        return game
    clock = clocks.start(game.clock, position.turn, time_ms, one_capture(position))
    if game.tracker.paused or game.result:
        clock = clocks.stop(clock, time_ms)
    return replace(game, clock=clock)


def clock_turned(game: Game, position: Position, time_ms: int, undone: int = 0) -> Game:
    """The clock after `undone` moves left the record; the game goes on from `position`, even one
    that was over, but not before the end of a pause."""
    if game.clock is None:
        return game
    turned = clocks.turned(game.clock, position.turn, time_ms, one_capture(position), undone)
    if game.result and not game.tracker.paused:
        turned = clocks.resume(turned, time_ms)
    return replace(game, clock=turned)


def clock_kept(game: Game, before: Game, time_ms: int) -> Game:
    """The game with the clock as it was `before` a correction that leaves the turn to whose it was.
    Where he had another time than was thought, it is not over."""
    if before.clock is None:
        return game
    game = replace(game, clock=clock_turned(before, game.position, time_ms).clock)
    if game.clock and not clocks.is_limited_alike(game.clock, before.clock):
        game = replace(game, arbiter=ends.with_other_clock(game.arbiter))
    return game


def one_capture(position: Position) -> bool:
    """Whether the player to move has one capture only; clocks may give it a time of its own."""
    return len(captures(position)) == 1

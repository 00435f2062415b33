"""The time of the two players: told, never read from anywhere.

A clock is set by a `Setting`, started at the first position, switched when a move is complete and
asked with `tick` whether somebody's time has run out. All times are milliseconds on the clock of
the observations.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from referee.board import Side
from referee.errors import NotationError

MINUTE_MS = 60_000
VAIN_MS = 3_000
"""So long after the button was pressed the move for which it was is told, or there was none."""
OFF = "off"


@dataclass(frozen=True)
class PerMove:
    """So much time for each move, and grace behind it (WCDF 5.1)."""

    ms: int
    grace_ms: int
    single_ms: int
    """For a capture that can be made in one way only."""
    single_grace_ms: int


@dataclass(frozen=True)
class Period:
    """So many moves in so much time, again and again (WCDF 5.3, US VIII)."""

    moves: int
    ms: int
    carries: bool = True
    """Whether time that was left is kept for the next period."""


Limits = PerMove | Period
INFORMAL = PerMove(5 * MINUTE_MS, MINUTE_MS, MINUTE_MS, MINUTE_MS)


@dataclass(frozen=True)
class Setting:
    """How a clock is used."""

    limits: Limits
    by_button: bool = False
    """Whether a move is complete when the button is pressed, not when the hand leaves."""


_SETTING = re.compile(
    r"(?P<minutes>\d{1,3})\+(?P<grace>\d{1,2})|(?P<moves>\d{1,3})/(?P<period>\d{1,3})"
)


def parse_setting(text: str, single: bool = True) -> Setting | None:
    """`5+1`, `30/60` (moves/minutes), perhaps with `reset` and `button` behind; None for `off`.

    `5+1` is the informal rule: a single capture has one minute, and the same grace, unless `single`
    says that it has what any move has. With `reset` time that is left at the end of a period is
    lost. NotationError for anything else.
    """
    words = text.lower().split()
    if words == [OFF]:
        return None
    found = _SETTING.fullmatch(words[0]) if words else None
    limits = _limits({k: int(v) for k, v in found.groupdict().items() if v}) if found else None
    if limits is None or not set(words[1:]) <= {"reset", "button"}:
        raise NotationError(
            "a clock is set as 5+1 or 30/60 (moves/minutes), also with reset or button, or off"
        )
    if "reset" in words[1:]:
        if not isinstance(limits, Period):
            raise NotationError("only periods can be reset")
        limits = replace(limits, carries=False)
    if isinstance(limits, PerMove) and not single:
        limits = replace(limits, single_ms=limits.ms)
    return Setting(limits, "button" in words[1:])


def _limits(numbers: dict[str, int]) -> Limits | None:
    if not all(number for name, number in numbers.items() if name != "grace"):
        return None
    if "moves" in numbers:
        return Period(numbers["moves"], numbers["period"] * MINUTE_MS)
    ms, grace_ms = numbers["minutes"] * MINUTE_MS, numbers.get("grace", 0) * MINUTE_MS
    return PerMove(ms, grace_ms, INFORMAL.single_ms, grace_ms)


@dataclass(frozen=True)
class Hand:
    """One player's side of the clock."""

    spent_ms: int = 0
    """On the moves that are complete, and on this one before the last pause."""
    moves: int = 0
    """Complete, in the game."""
    ended: tuple[tuple[int, bool], ...] = ()
    """What had been spent when each period ended, and whether it had been announced that it was
    over."""
    told: int = 0
    """How many of this move's limits have been announced."""
    flagged: bool = False
    """Whether it has been announced at any move that the time of this period is over."""
    took: tuple[tuple[int, int], ...] = ()
    """Where each move has its own time: what those that are complete took, and how many of their
    limits had been announced. With a button the players alone say what a move took."""


@dataclass(frozen=True)
class Press:
    """The button, pressed by a player of whom no move has been told yet: what each of them had used
    until then."""

    at_ms: int
    presser: Hand
    other: Hand


@dataclass(frozen=True)
class Expiry:
    """A player's time has run out; `grace_ms` is what is left by grace."""

    side: Side
    grace_ms: int
    again: bool = False
    """Whether that was announced at an earlier move of the same period."""


@dataclass(frozen=True)
class Clock:
    """Both players' time."""

    setting: Setting
    red: Hand = Hand()
    white: Hand = Hand()
    side: Side | None = None
    """Whose time runs, or will when it is resumed; None before the game."""
    since_ms: int | None = None
    """Since when it runs; None while it is stopped."""
    single: bool = False
    """Whether the move that is due is a capture with one way only."""
    press: Press | None = None
    """For a move that has not been told yet. The time is the other player's, or the presser's again
    when it is known that he made none."""

    def of(self, side: Side) -> Hand:
        return self.red if side is Side.RED else self.white

    def spent_ms(self, side: Side, now_ms: int) -> int:
        """What a player has used of his present limit."""
        spent_ms = self.of(side).spent_ms
        if side is not self.side or self.since_ms is None:
            return spent_ms
        return spent_ms + max(0, now_ms - self.since_ms)

    def limits_ms(self, side: Side) -> tuple[int, ...]:
        """The ends of a player's time, ascending; the last one is final."""
        limits = self.setting.limits
        if isinstance(limits, Period):
            periods = self.of(side).moves // limits.moves + 1 if limits.carries else 1
            return (periods * limits.ms,)
        if self.single and side is self.side:
            return (limits.single_ms, limits.single_ms + limits.single_grace_ms)
        return (limits.ms, limits.ms + limits.grace_ms)

    def left_ms(self, side: Side, now_ms: int) -> int:
        """What a player has left, grace apart; negative when it is over."""
        return self.limits_ms(side)[0] - self.spent_ms(side, now_ms)


def start(clock: Clock, side: Side, now_ms: int, single: bool = False) -> Clock:
    """The clock with a player's time running from now."""
    return replace(clock, side=side, since_ms=now_ms, single=single)


def stop(clock: Clock, now_ms: int) -> Clock:
    """The clock, paused or at the end."""
    if clock.side is None:
        return clock
    spent = clock.spent_ms(clock.side, now_ms)
    hand = replace(clock.of(clock.side), spent_ms=spent)
    return replace(_with(clock, clock.side, hand), since_ms=None)


def resume(clock: Clock, now_ms: int) -> Clock:
    """The clock, running again for the same player."""
    running = clock.side is None or clock.since_ms is not None
    return clock if running else replace(clock, since_ms=now_ms)


def complete(clock: Clock, at_ms: int, single: bool) -> Clock:
    """The clock after a move that was complete at a time: the other player's time runs.

    `single` says whether the reply is a capture with one way only.
    """
    side = clock.side
    if side is None:
        return clock
    took = clock.spent_ms(side, at_ms), clock.of(side).told
    clock = _counted(pressed(clock, at_ms, single), side)
    if isinstance(clock.setting.limits, Period):
        return clock
    hand = clock.of(side)
    return _with(clock, side, replace(hand, took=(*hand.took, took)))


def pressed(clock: Clock, at_ms: int, single: bool, untold: bool = False) -> Clock:
    """The clock when its button is pressed: the other player's time runs. Whether a move was made
    is told apart; one of which nothing is known yet is `untold`."""
    side = clock.side
    if side is None:
        return clock
    running = clock.since_ms is not None
    clock = stop(clock, at_ms)
    press = Press(at_ms, clock.of(side), clock.of(side.other)) if untold else None
    clock = _at_next_move(clock, side)
    since_ms = at_ms if running else None
    return replace(clock, side=side.other, since_ms=since_ms, single=single, press=press)


def unpressed(clock: Clock, at_ms: int) -> Clock:
    """The clock whose button was pressed for no move: the time since is the presser's, and runs on
    for him until he makes one, for which the button is pressed already."""
    press, other = clock.press, clock.side
    if press is None or other is None:
        return clock
    since_ms = clock.since_ms if clock.since_ms is None else at_ms
    meanwhile = clock.spent_ms(other, at_ms) - press.other.spent_ms
    presser = replace(press.presser, spent_ms=press.presser.spent_ms + meanwhile)
    clock = _with(_with(clock, other, press.other), other.other, presser)
    return replace(clock, side=other.other, since_ms=since_ms)


def _at_next_move(clock: Clock, side: Side) -> Clock:
    """The clock that has announced nothing of a player's next move, which may have its own time."""
    hand = replace(clock.of(side), told=0)
    per_move = isinstance(clock.setting.limits, PerMove)
    return _with(clock, side, replace(hand, spent_ms=0) if per_move else hand)


def told(clock: Clock, mover: Side, at_ms: int, single: bool) -> Clock:
    """The clock with a button when a move is told, be it before that is pressed or after: it counts
    now, and it is known what is due. Where it was pressed long before, the move was made later."""
    press = clock.press
    if press and clock.side is mover.other and at_ms - press.at_ms > VAIN_MS:
        clock = unpressed(clock, at_ms)
    if press and clock.side is mover:
        clock = pressed(clock, at_ms, single)
    clock = replace(clock, press=None)
    running = clock.side is mover and clock.since_ms is not None
    clock = _counted(stop(clock, at_ms) if running else clock, mover)
    if running:
        return resume(clock, at_ms)
    return replace(clock, single=single) if clock.side is mover.other else clock


def _counted(clock: Clock, side: Side) -> Clock:
    """The clock with one more move of a player, the last of a period perhaps."""
    limits, hand = clock.setting.limits, clock.of(side)
    hand = replace(hand, moves=hand.moves + 1)
    if isinstance(limits, Period) and hand.moves % limits.moves == 0:
        ended = (*hand.ended, (hand.spent_ms, hand.flagged))
        spent_ms = hand.spent_ms if limits.carries else 0
        hand = replace(hand, spent_ms=spent_ms, flagged=False, ended=ended)
    return _with(clock, side, hand)


def _without_one(limits: Limits, hand: Hand) -> Hand:
    """A hand's time when its last move is taken back: that took what it took. Where it has its own
    time, what was announced of that is not announced again."""
    if isinstance(limits, PerMove):
        *took, (spent_ms, told) = hand.took or ((0, 0),)
        return Hand(spent_ms, max(0, hand.moves - 1), told=told, took=tuple(took))
    if not hand.moves:
        return hand
    one_less = replace(hand, moves=hand.moves - 1)
    if hand.moves % limits.moves or not hand.ended:
        return one_less
    *ended, (former_ms, flagged) = hand.ended
    spent_ms = hand.spent_ms + (0 if limits.carries else former_ms)
    return replace(one_less, spent_ms=spent_ms, flagged=flagged, ended=tuple(ended))


def turned(clock: Clock, side: Side, now_ms: int, single: bool, undone: int = 0) -> Clock:
    """The clock after a correction that took some moves back and gave the turn to a player.

    The moves are made again; the time that they took stays used. Where each move has its own, the
    player to move has what he had left for it, and the other begins his next one anew. Whose time
    runs on a clock with a button the players alone say, who press it.
    """
    running, before = clock.since_ms is not None, clock
    clock = stop(clock, now_ms)
    for number in range(undone):
        mover = side if number % 2 == 0 else side.other
        clock = _with(clock, mover, _without_one(clock.setting.limits, clock.of(mover)))
    if not clock.setting.by_button:
        clock = replace(clock, side=side)
    due = side if undone and isinstance(clock.setting.limits, PerMove) else clock.side
    clock = _at_next_move(clock, due.other) if due else clock
    clock = replace(clock, single=single and clock.side is side, press=None)
    if not undone and clock.side is before.side and not is_limited_alike(clock, before):
        clock = _limited_anew(clock)
    return resume(clock, now_ms) if running else clock


def is_limited_alike(clock: Clock, before: Clock) -> bool:
    """Whether the same limits hold for the move that is due as was thought `before`."""
    side = clock.side
    return side is None or clock.limits_ms(side) == before.limits_ms(side)


def _limited_anew(clock: Clock) -> Clock:
    """The clock when other limits hold for the move that is due than was thought: they are
    announced anew, and nobody loses by the last of them before he was told of the first."""
    side = clock.side
    assert side is not None
    hand, (first_ms, *_) = clock.of(side), clock.limits_ms(side)
    return _with(clock, side, replace(hand, told=0, spent_ms=min(hand.spent_ms, first_ms)))


def _with(clock: Clock, side: Side, hand: Hand) -> Clock:
    return replace(clock, red=hand) if side is Side.RED else replace(clock, white=hand)


def tick(clock: Clock, now_ms: int) -> tuple[Clock, Expiry | None]:
    """The clock, and the limit that has passed since the last tick, if one has."""
    side = clock.side
    if side is None:
        return clock, None
    spent, limits = clock.spent_ms(side, now_ms), clock.limits_ms(side)
    passed = sum(spent >= limit for limit in limits)
    hand = clock.of(side)
    if passed <= hand.told:
        return clock, None
    flagged = isinstance(clock.setting.limits, Period)
    clock = _with(clock, side, replace(hand, told=passed, flagged=flagged))
    return clock, Expiry(side, limits[-1] - limits[passed - 1], hand.flagged)

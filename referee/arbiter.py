"""What the rules make of an event. The machine proposes; people decide.

Pure: `rule(arbiter, event, number, position)` gives the arbiter after it and its rulings.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee import announcements
from referee.board import EMPTY, Side, is_king
from referee.events import Irregular, Irregularity, Played, Ruling, Verdict
from referee.notation import move_text
from referee.profiles import WCDF, Offence, Profile
from referee.rules import Move, Position, lawful_moves

Count = tuple[Side, str, int]


@dataclass(frozen=True)
class Arbiter:
    """A profile and what has to be remembered to apply it."""

    profile: Profile = WCDF
    counts: tuple[Count, ...] = ()
    """How often each player has offended in each group."""
    counted: tuple[tuple[Side, str], ...] = ()
    """What has been counted since the board was last in order: one act is one offence."""
    repeatable: tuple[Position, ...] = ()
    """The positions since the last move that cannot be undone."""
    idle_plies: int = 0
    """Moves since the last progress, of both players together."""

    def count(self, side: Side, group: str) -> int:
        """How often a player has offended so far."""
        return next((n for s, g, n in self.counts if (s, g) == (side, group)), 0)


Judged = tuple[Arbiter, tuple[Ruling, ...]]


def begin(arbiter: Arbiter, position: Position) -> Arbiter:
    """The arbiter at the start of a game from a position; offences are forgotten."""
    return Arbiter(arbiter.profile, repeatable=(position,))


def irregular(arbiter: Arbiter, event: Irregular, number: int, position: Position) -> Judged:
    """The ruling on an irregularity; `position` is the one that was irregularly left."""
    offence = arbiter.profile.offences[event.kind]
    arbiter, verdict = _verdict(arbiter, offence, event.side)
    text = announcements.irregular(event, position, verdict)
    return arbiter, (Ruling(event.time_ms, verdict, event.side, offence.rule, text, number),)


def _verdict(arbiter: Arbiter, offence: Offence, side: Side | None) -> tuple[Arbiter, Verdict]:
    if side is None:
        blameless = offence.verdict(1)
        return arbiter, Verdict.RESTORE if blameless is Verdict.WARNING else blameless
    known = (side, offence.group) in arbiter.counted
    times = arbiter.count(side, offence.group) + (0 if known else 1)
    others = tuple(c for c in arbiter.counts if c[:2] != (side, offence.group))
    counted = arbiter.counted if known else (*arbiter.counted, (side, offence.group))
    after = replace(arbiter, counts=(*others, (side, offence.group, times)), counted=counted)
    return after, offence.verdict(times)


def in_order(arbiter: Arbiter) -> Arbiter:
    """The arbiter once the board is in order again: the next offence is a new one."""
    return replace(arbiter, counted=())


def played(arbiter: Arbiter, event: Played, number: int, move: Move, now: Position) -> Judged:
    """The rulings on a lawful move, which led to the position `now`: draws in sight, hints."""
    man = not is_king(move.piece)
    since = () if move.is_capture or man else arbiter.repeatable
    arbiter = replace(
        in_order(arbiter), repeatable=(*since, now), idle_plies=_idle(arbiter, move, man)
    )
    rulings = (*_repetition(arbiter, event, number), *_progress(arbiter, event, number))
    return arbiter, (*rulings, *_hint(arbiter, event, number, now))


def _idle(arbiter: Arbiter, move: Move, man: bool) -> int:
    rule = arbiter.profile.no_progress
    advance = man and rule is not None and rule.man_moves_count
    return 0 if move.is_capture or move.crowns or advance else arbiter.idle_plies + 1


def _repetition(arbiter: Arbiter, event: Played, number: int) -> tuple[Ruling, ...]:
    rule = arbiter.profile.repetition
    times = arbiter.repeatable.count(arbiter.repeatable[-1])
    if rule is None or times not in rule.verdicts:
        return ()
    verdict = rule.verdicts[times]
    text = announcements.repeated(times, verdict)
    return (Ruling(event.time_ms, verdict, None, rule.rule, text, number),)


def _progress(arbiter: Arbiter, event: Played, number: int) -> tuple[Ruling, ...]:
    rule = arbiter.profile.no_progress
    if rule is None or arbiter.idle_plies != 2 * rule.moves:
        return ()
    text = announcements.no_progress(rule.moves)
    return (Ruling(event.time_ms, Verdict.DRAW_CLAIMABLE, None, rule.rule, text, number),)


def _hint(arbiter: Arbiter, event: Played, number: int, now: Position) -> tuple[Ruling, ...]:
    lawful = lawful_moves(now)
    if not arbiter.profile.hints or not lawful or not lawful[0].is_capture:
        return ()
    offence = arbiter.profile.offences[Irregularity.CAPTURE_MISSED]
    text = announcements.must_capture(now.turn, [move_text(now, move) for move in lawful])
    return (Ruling(event.time_ms, Verdict.NOTICE, now.turn, offence.rule, text, number),)


def lost(arbiter: Arbiter, time_ms: int, position: Position, number: int) -> Ruling:
    """The ruling on a position whose side to move has no move (6.2)."""
    side = position.turn
    has_pieces = any(side.owns(piece) for piece in position.setup if piece != EMPTY)
    text = announcements.lost(side, has_pieces)
    return Ruling(time_ms, Verdict.WIN, side.other, arbiter.profile.lost, text, number)


def resigned(arbiter: Arbiter, time_ms: int, side: Side, number: int) -> Ruling:
    """The ruling on a player who gives up (6.1)."""
    text = announcements.resigned(side)
    return Ruling(time_ms, Verdict.WIN, side.other, arbiter.profile.resigned, text, number)


def agreed(arbiter: Arbiter, time_ms: int, number: int) -> Ruling:
    """The ruling on an agreed draw (7.1)."""
    rule = arbiter.profile.agreed
    return Ruling(time_ms, Verdict.DRAW, None, rule, announcements.AGREED, number)

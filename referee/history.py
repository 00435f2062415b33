"""The moves of a game so far, and what the rules of draws count in them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import takewhile

from referee.board import EMPTY, Side, is_king, side_of
from referee.rules import Move, Position

Ply = tuple[Move, Position]
"""A move and the position it led to."""


@dataclass(frozen=True)
class History:
    """A first position and the moves from it."""

    first: Position
    plies: tuple[Ply, ...] = ()
    earlier: tuple[Ply, ...] = ()
    """Those before a position that a person set, where they count still: the last of them led to
    the first position, as he says."""
    origin: Position | None = None
    """The position before the earlier ones; None where there are none."""

    @property
    def now(self) -> Position:
        return self.plies[-1][1] if self.plies else self.first

    @property
    def last(self) -> Move | None:
        return self.plies[-1][0] if self.plies else None

    def with_ply(self, move: Move, position: Position) -> History:
        """The history with one more move."""
        return replace(self, plies=(*self.plies, (move, position)))

    def without(self, plies: int) -> History:
        """The history without its last moves."""
        return replace(self, plies=self.plies[: max(0, len(self.plies) - plies)])

    def gone_on(self, position: Position) -> History:
        """The history that goes on from a position which a person has set. Where every piece is
        there still and no man has another place, what was counted before counts on."""
        counted = self._counted
        if not counted or _unmoved(position) != _unmoved(self.now):
            return History(position)
        earlier = (*counted[:-1], (counted[-1][0], position))
        return History(position, earlier=earlier, origin=self.origin or self.first)

    @property
    def _counted(self) -> tuple[Ply, ...]:
        return self.earlier + self.plies

    def repeatable(self) -> list[Position]:
        """The positions since the last move that cannot be undone, the present one last."""
        run = []
        for move, position in reversed(self._counted):
            run.append(position)
            if move.is_for_good:
                return run[::-1]
        return [self.origin or self.first, *run[::-1]]

    def times(self) -> int:
        """How often the present position has stood, the same side to move."""
        run = self.repeatable()
        return run.count(run[-1])

    def is_oftenest(self) -> bool:
        """Whether nothing that has stood since the present position last did has stood as often:
        one position of a see-saw is."""
        *before, now = self.repeatable()
        times = Counter(before)
        since = takewhile(lambda position: position != now, reversed(before))
        return times[now] + 1 > max((times[position] for position in since), default=0)

    def idle(self) -> int:
        """Moves of both players since the last capture or crowning."""
        idle = 0
        for move, _ in reversed(self._counted):
            if move.is_capture or move.crowns:
                break
            idle += 1
        return idle

    def counted(self, attacker: Side, since: int) -> int:
        """The attacker's moves since the `since`-th move, and since the count began again; below 0
        are those before the first position."""
        moves = 0
        for move, _ in self._counted[max(0, len(self.earlier) + since) :]:
            moves = 0 if restarts(move) else moves + (side_of(move.piece) is attacker)
        return moves


def _unmoved(position: Position) -> tuple[str, int, int]:
    """What no king's move changes: where men stand, and how many kings each side has."""
    setup = position.setup
    red, white = (setup.count(side.king) for side in Side)
    return "".join(EMPTY if is_king(piece) else piece for piece in setup), red, white


def restarts(move: Move) -> str | None:
    """Why a count of moves begins again (WCDF 7.2b, c); None if it goes on."""
    if move.is_capture:
        return "captured"
    return None if is_king(move.piece) else "man_advanced"

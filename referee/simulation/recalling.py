"""What a simulated eye makes of pieces beside how they looked before a hand was at them.

The real one is `referee.eye.recollection`: what is compared, and when, is the same here.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from random import Random

from referee.board import EMPTY, SQUARES, Side, is_king, side_of
from referee.observation import Recalled
from referee.rules import STEPS

SETTLED_MS = 1_500
"""As in the real eye."""
CHANGED, SAME, UNLIKE = (1_400, 450), (-1_500, 520), (-700, 0)
"""What the eye says of a piece whose discs have changed, of one whose have not, and of the change
that no piece can have undergone, in centinats: the mean and the standard deviation before it is
cut at `UTMOST` [in 76 films of others: of 86 that had got or lost a disc two in three said the
utmost, and none less than 366; of 21,272 that hands had been at one in ten said more than -910,
one in a hundred more than -210, one in a thousand more than 40, and none more than 508]."""
CHANGED_ON_ITS_WAY, SAME_ON_ITS_WAY = (720, 400), (-1_100, 470)
"""The same of a piece that has come to another square [of 51 men in these films that were crowned
where they had come to half said more than 737, and none less than -92; of 2,714 moved pieces half
said more than -1140, one in a hundred more than -8, one in a thousand more than 380, and none more
than 403]."""
UTMOST = 1_200
"""As in the real eye."""
NOTHING = -80
"""What it says where it sees nothing: seldom has a disc come."""


@dataclass(frozen=True)
class Kept:
    """How a piece looked, where and when."""

    square: int
    piece: str
    time_ms: int


class Recalling:
    """One eye's."""

    def __init__(self, share: float, rng: Random) -> None:
        """`share` is how strongly it speaks, set beside the eye of those films."""
        self.share, self.rng = share, rng
        self.kept: dict[int, Kept] = {}
        self.gone: dict[Side, Kept] = {}
        self.near_ms: dict[int, int] = {}
        """When a hand was last near the pieces that have been touched since they were kept."""
        self.bare: set[int] = set()
        """Squares that have been seen bare and have no piece of which anything is known."""
        self.came_ms: dict[int, int] = {}
        """When a piece was first seen on these."""
        self.said: dict[int, Recalled] = {}
        self.pieces: dict[int, str] = {}

    def look(
        self, now: int, setup: str, hidden: Collection[int], alone: bool
    ) -> tuple[Recalled | None, ...]:
        """What is recalled of each square in a frame; `alone` when no hand is over the board."""
        near = {square for under in hidden for square in (under, *STEPS["R"][under])}
        for square in near:
            self.near_ms[square] = now
            self.said.pop(square, None)
        seen = [(s, piece) for s, piece in zip(SQUARES, setup, strict=True) if s not in near]
        for square, piece in seen:
            self._mind_change(now, square, piece)
        for square, piece in seen:
            self._mind(now, square, piece, alone)
        if alone:
            self.gone.clear()
        return tuple(self.said.get(square) for square in SQUARES)

    def _mind_change(self, now: int, square: int, piece: str) -> None:
        """A hand that was not seen there may have changed the piece."""
        if self.pieces.get(square) != piece:
            self.pieces[square] = piece
            self.near_ms[square] = now
            self.said.pop(square, None)
        kept, side = self.kept.get(square), side_of(piece)
        if kept and (piece == EMPTY or (side and side_of(kept.piece) is not side)):
            self._leave(square, kept)

    def _mind(self, now: int, square: int, piece: str, alone: bool) -> None:
        kept, side = self.kept.get(square), side_of(piece)
        if side is None:
            self.bare.add(square)
            self.came_ms.pop(square, None)
            return
        came_ms = self.came_ms.setdefault(square, now)
        gone = self.gone.get(side)
        if square in self.bare and gone and gone.time_ms <= came_ms:
            kept = self.kept[square] = self.gone.pop(side)
        if kept:
            self.bare.discard(square)
        touched_ms = self.near_ms.get(square)
        if kept and touched_ms is not None and square not in self.said:
            self.said[square] = self._compared(kept, square, piece)
        if alone and (touched_ms is None or now - touched_ms >= SETTLED_MS):
            self.kept[square] = Kept(square, piece, now)
            self.near_ms.pop(square, None)

    def _leave(self, square: int, kept: Kept) -> None:
        """A piece stands no more on a square."""
        side = side_of(kept.piece)
        if side is not None:
            self.gone[side] = kept
        del self.kept[square]
        self.said.pop(square, None)
        self.near_ms.pop(square, None)

    def _compared(self, kept: Kept, square: int, piece: str) -> Recalled:
        discs = is_king(piece) - is_king(kept.piece)
        changed, same = CHANGED, SAME
        if kept.square != square:
            changed, same = CHANGED_ON_ITS_WAY, SAME_ON_ITS_WAY
        likely, other = (changed, UNLIKE) if discs else (same, same)
        more, less = (likely, other) if discs >= 0 else (other, likely)
        return Recalled(self._odds(more), self._odds(less), kept.time_ms)

    def _odds(self, usual: tuple[int, int]) -> int:
        mean, sigma = usual
        odds = NOTHING + self.share * (self.rng.gauss(mean, sigma) - NOTHING)
        return round(max(-UTMOST, min(odds, UTMOST)))

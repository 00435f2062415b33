"""What one frame says about the board: the only thing that passes from the eye to the game.

All numbers are integers, so that a recorded game replays bit for bit on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from referee.board import APPEARANCES, SQUARES, Cell, Side

Row = tuple[int, int, int, int, int]
"""Log-likelihood of each of `APPEARANCES` in centinats (1/100 nat); the best one is 0."""

Place = tuple[int, int] | None
"""Where a disc lies on its cell: its centre from that of the cell, (x, y) in 1/1000 square; None
where that is unknown."""

HIDDEN: Row = (0, 0, 0, 0, 0)
"""The evidence of a square that was not seen: every appearance is as likely as any other."""

ALL_HIDDEN = (HIDDEN,) * len(SQUARES)
"""The evidence of a board of which nothing was seen."""


class Visibility(Enum):
    """Whether the camera sees the board at all."""

    CLEAR = "clear"
    COVERED = "covered"
    DARK = "dark"
    BLURRED = "blurred"
    FROZEN = "frozen"
    LOST = "lost"
    """It does not lie where it was."""
    RESHAPED = "reshaped"
    """The pictures have another shape than those in which it was found."""
    NO_PICTURE = "no picture"


@dataclass(frozen=True)
class Hand:
    """An arm or another foreign thing over the board."""

    side: Side | None
    """The player from whose edge it enters; None where that cannot be told."""
    squares: tuple[int, ...]
    """The dark squares it covers, ascending."""

    def turned_about(self) -> Hand:
        """See `Observation.turned_about`."""
        return Hand(self.side and self.side.other, _squares_about(self.squares))


@dataclass(frozen=True)
class LooseDisc:
    """A disc that does not lie on a dark square, or only half."""

    cell: Cell
    """The cell under its centre; the first of the four where it lies astride."""
    side: Side
    astride: bool = False
    """Whether it lies where four cells meet, half on each of two squares."""
    place: Place = None
    """Of its centre from that of its cell; None of one that lies astride."""

    def turned_about(self) -> LooseDisc:
        """See `Observation.turned_about`."""
        row, column = self.cell
        last = 6 if self.astride else 7  # of four cells the first is the last then
        cell, place = (last - row, last - column), _turned(self.place)
        return LooseDisc(cell, self.side.other, self.astride, place)


class Recalled(NamedTuple):
    """A piece beside how it looked before a hand was last at it, or moved it there: how much
    likelier it is that it has another number of discs since than the same, in centinats."""

    more: int
    """That it has one more."""
    less: int
    """That it has one less."""
    since_ms: int
    """When it looked so before."""


@dataclass(frozen=True)
class Observation:
    """One frame, read."""

    time_ms: int
    """Since the first frame, by the source's own clock."""
    evidence: tuple[Row, ...]
    """32 rows, square 1 first."""
    hands: tuple[Hand, ...] = ()
    loose: tuple[LooseDisc, ...] = ()
    offsets: tuple[Place, ...] = (None,) * 32
    """Disc centre from the square's centre."""
    visibility: Visibility = Visibility.CLEAR
    shift: int = 0
    """How far the board has moved in the picture since the calibration, in 1/1000 square."""
    recalled: tuple[Recalled | None, ...] = (None,) * 32
    """None where a hand is near, where none has been, and where it is not known what stood."""
    lifted: tuple[int, ...] = ()
    """The squares whose disc is seen not to be where it stood, though a hand may hide the square,
    ascending."""

    def __post_init__(self) -> None:
        if len(self.evidence) != len(SQUARES):
            raise ValueError(f"evidence has {len(self.evidence)} rows, a board has 32 squares")

    def turned_about(self) -> Observation:
        """What the frame says where the other player's discs begin: he sits where the one sat that
        did, and square 1 is where 32 was."""
        return replace(
            self,
            evidence=tuple((e, c, d, a, b) for e, a, b, c, d in reversed(self.evidence)),
            hands=tuple(hand.turned_about() for hand in self.hands),
            loose=tuple(disc.turned_about() for disc in self.loose),
            offsets=tuple(map(_turned, reversed(self.offsets))),
            recalled=self.recalled[::-1],
            lifted=_squares_about(self.lifted),
        )

    @property
    def hidden(self) -> tuple[int, ...]:
        """The squares that were not seen, ascending."""
        return tuple(s for s in SQUARES if self.evidence[s - 1] == HIDDEN)


def _squares_about(squares: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(len(SQUARES) + 1 - square for square in reversed(squares))


def _turned(place: Place) -> Place:
    return place and (-place[0], -place[1])


def certain(setup: str, centinats: int = 800) -> tuple[Row, ...]:
    """Evidence of an eye that sees `setup` clearly; `?` squares are hidden.

    The other appearances are `centinats` less likely than the one seen.
    """
    return tuple(_certain_row(appearance, centinats) for appearance in setup)


def _certain_row(appearance: str, centinats: int) -> Row:
    if appearance not in APPEARANCES:
        return HIDDEN
    empty, man, king, other_man, other_king = (
        0 if appearance == sign else -centinats for sign in APPEARANCES
    )
    return empty, man, king, other_man, other_king

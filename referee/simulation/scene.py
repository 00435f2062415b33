"""What happens on one simulated board, in time: pieces, hands, and what a referee should find."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from referee.board import EMPTY, SQUARES, START, Side, at, cell_of, replace, side_of, square_at
from referee.commands import Command
from referee.events import Irregularity, Touch
from referee.observation import LooseDisc
from referee.rules import Move, Position

NOT_YET = 1 << 40
"""A time that no game reaches."""


@dataclass(frozen=True)
class Reach:
    """A hand over some squares for a time."""

    since_ms: int
    until_ms: int
    side: Side | None
    """None for a third person's."""
    squares: frozenset[int]
    tip: int
    """The square under the fingers."""
    held: str = EMPTY
    """The piece in the fingers."""


@dataclass(frozen=True)
class Offence:
    """An irregularity that was staged, and when the board lay open for it."""

    kind: Irregularity
    side: Side
    left_ms: int
    """When the hand had left."""
    mended_ms: int
    """When the hand came back to put it right."""
    square: int = 0
    """Where a crown is missing, unearned or gone."""
    squares: tuple[int, ...] = ()
    """Where the board was not as it should be."""


@dataclass(frozen=True)
class Handling:
    """A piece touched and put back, or a hand that stays on it after the move (how is None)."""

    side: Side
    square: int
    how: Touch | None
    since_ms: int
    until_ms: int


@dataclass(frozen=True)
class Shift:
    """A disc that from a time on lies elsewhere on its square."""

    time_ms: int
    square: int
    offset: tuple[int, int] | None
    """In 1/1000 square; (0, 0) is where it lay before, None a little nearer to the middle."""


@dataclass
class Scene:
    """The truth of a simulated game."""

    rng: Random
    first: Position = field(default_factory=Position.start)
    setup: str = START
    """As it looks at the end of what has been staged so far."""
    time_ms: int = 1_500
    changes: list[tuple[int, str]] = field(default_factory=lambda: [(0, START)])
    """From each time on, how the board looks. A `?` looks like nothing in particular."""
    reaches: list[Reach] = field(default_factory=list)
    loose: list[tuple[int, int, LooseDisc]] = field(default_factory=list)
    """Discs on light cells, from and until when."""
    blind: list[tuple[int, int]] = field(default_factory=list)
    bumps: list[tuple[int, int, int]] = field(default_factory=list)
    """From, until, and how far the board has moved in the picture, in 1/1000 square."""
    shifts: list[Shift] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    plies: list[tuple[Move, int]] = field(default_factory=list)
    """Each lawful move with the time when the hand had left its squares."""
    offences: list[Offence] = field(default_factory=list)
    regrets: list[Offence] = field(default_factory=list)
    """Moves that were let go of and taken back for another: they stand, which may be told."""
    handlings: list[Handling] = field(default_factory=list)
    begun: list[Handling] = field(default_factory=list)
    """Pieces lifted and put back by the player who then moves them, which is nobody's offence."""

    @classmethod
    def begin(cls, rng: Random, first: Position) -> Scene:
        """A board on which the first position stands."""
        return cls(rng, first, first.setup, changes=[(0, first.setup)])

    def wait(self, shortest_ms: int, longest_ms: int) -> None:
        self.time_ms += self.rng.randint(shortest_ms, longest_ms)

    def put(self, changes: dict[int, str]) -> None:
        """From now on the board looks otherwise."""
        self.setup = replace(self.setup, changes)
        self.changes.append((self.time_ms, self.setup))

    def drop(self, disc: LooseDisc) -> None:
        """From now on a disc lies beside its square, until it is picked up."""
        self.loose.append((self.time_ms, NOT_YET, disc))

    def pick_up(self) -> None:
        """No disc lies beside its square any longer."""
        self.loose = [(since, min(until, self.time_ms), disc) for since, until, disc in self.loose]

    def hand(
        self, side: Side | None, square: int, shortest_ms: int, longest_ms: int, held: str = EMPTY
    ) -> None:
        """A hand over a square for a while."""
        began = self.time_ms
        self.wait(shortest_ms, longest_ms)
        lean = self.rng.choice((-1, 0, 0, 1))
        squares = frozenset(arm(side, square, lean) if side else arm_from_aside(square, lean))
        self.reaches.append(Reach(began, self.time_ms, side, squares, square, held))

    def pieces(self, side: Side) -> list[int]:
        """The squares of one player's pieces."""
        return [s for s in SQUARES if side_of(at(self.setup, s)) is side]


def arm(side: Side, square: int, lean: int) -> Iterator[int]:
    """The squares under a hand at a square and its arm, from that player's edge."""
    row, column = cell_of(square)
    step = -side.forward
    yield square
    for distance in range(1, 8):
        for width in (0, 1 if lean >= 0 else -1):
            under = square_at(row + step * distance, column + width + lean * distance // 3)
            if under is not None:
                yield under


def arm_from_aside(square: int, lean: int) -> Iterator[int]:
    """The squares under a third person's hand and arm, from the edge on the left."""
    row, column = cell_of(square)
    yield square
    for distance in range(1, column + 1):
        for width in (0, 1 if lean >= 0 else -1):
            under = square_at(row + width + lean * distance // 3, column - distance)
            if under is not None:
                yield under


def carry(scene: Scene, side: Side, start: int, end: int, slide: bool) -> None:
    """A piece goes from one square to another in somebody's hand, which stays over the end."""
    piece = at(scene.setup, start)
    scene.hand(side, start, 120, 300)
    if slide:
        both = scene.rng.choice((piece, EMPTY))
        scene.put({start: both, end: both})
        scene.hand(side, start, 60, 200)
    scene.put({start: EMPTY})
    scene.hand(side, end, 150, 500, held=piece)
    scene.put({start: EMPTY, end: piece})
    scene.hand(side, end, 60, 250)


def lift(scene: Scene, side: Side | None, square: int) -> None:
    """A hand takes a piece off the board."""
    piece = at(scene.setup, square)
    scene.hand(side, square, 120, 350)
    scene.put({square: EMPTY})
    scene.hand(side, square, 60, 200, held=piece)


def lay(scene: Scene, side: Side | None, square: int, piece: str) -> None:
    """A hand puts a piece on a square, or a crown on a man."""
    scene.hand(side, square, 150, 400, held=piece)
    scene.put({square: piece})
    scene.hand(side, square, 60, 250)

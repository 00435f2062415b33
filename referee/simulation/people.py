"""What the players of a simulated game do: moves, crowns, second thoughts and fidgeting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from referee.board import EMPTY, SQUARES, Side, at
from referee.commands import Command, Word
from referee.events import Touch
from referee.rules import Move, Position
from referee.simulation.scene import Handling, Scene, Shift, carry, lay, lift


@dataclass(frozen=True)
class Habits:
    """How the two players of one game behave. What they never do throws no dice, so that games
    drawn without it are as they were before people could do it."""

    think_ms: tuple[int, int]
    """Shortest and longest pause before a move."""
    quick: float
    """The share of replies begun while the other hand is still there."""
    hover: float
    """The share of moves that begin with a hand over the board and away again."""
    leave_jumped: float
    """The share of captures whose jumped pieces are taken off with the hand leaving between."""
    slide: float
    """The share of moves slid over the board, half on two squares for a moment."""
    crown_late: float
    """The share of crownings that take a second visit of the hand."""
    crown_own: float
    """The share of crownings by the player whose man it is, which is the other one's duty."""
    reconsider: float
    """The share of moves that are first begun otherwise, the hand staying on the piece."""
    fidget: float
    """The share of plies before which a piece is touched and put back."""
    linger: float
    """The share of moves after which the hand stays on the piece."""
    hold: float
    """The share of moves before which a man is held in the hand, over the board or beside it."""
    point: float
    """The share of offences to which the other player points, and of those that he puts right."""
    forget: float
    """The share of plies with an offence."""
    regret: float = 0.0
    """The share of moves before which another one is made, let go of and taken back."""
    aside: float = 0.0
    """The share of moves before which a third person's arm is over the board."""
    rest: float = 0.0
    """The share of moves during which the other player's arm lies on his edge of the board."""
    lean: float = 0.0
    """The share of moves before which somebody's head is over his edge of the board."""
    straighten: float = 0.0
    """The share of moves before which a disc is put straighter."""
    helped: float = 0.0
    """The share of captures whose jumped pieces the other player takes off."""
    again: float = 0.0
    """The share of offences that others put right, and of those that another one follows."""

    @classmethod
    def draw(cls, rng: Random, forget: float, blitz: bool) -> Habits:
        fast = rng.random() < 0.3
        quick = rng.uniform(0, 0.2 if fast else 0.05)
        return cls(
            (300, 1_200) if fast else (600, 4_000),
            rng.uniform(0.2, 0.6) if blitz else quick,
            hover=rng.uniform(0, 0.15),
            leave_jumped=rng.uniform(0, 0.4),
            slide=rng.uniform(0, 0.5),
            crown_late=rng.uniform(0, 0.5),
            crown_own=rng.choice((0, 0, 0.3)),
            reconsider=rng.choice((0, 0, 0.05)),
            fidget=rng.choice((0, 0, 0.05)),
            linger=rng.choice((0, 0, 0.05)),
            hold=rng.choice((0, 0, 0.05)),
            point=rng.choice((0, 0.3)),
            forget=forget,
        )

    @property
    def is_restless(self) -> bool:
        """Whether they do anything of what the module `restless` is about."""
        return any((self.regret, self.aside, self.rest, self.lean, self.straighten))

    @classmethod
    def restless(cls, rng: Random, forget: float, blitz: bool) -> Habits:
        """The same, of people who do what the module `restless` is about."""
        return replace(
            cls.draw(rng, forget, blitz),
            regret=rng.choice((0.02, 0.05, 0.1)),
            aside=rng.choice((0.0, 0.02, 0.05)),
            rest=rng.choice((0.0, 0.05, 0.2)),
            lean=rng.choice((0.0, 0.02)),
            straighten=rng.choice((0.0, 0.02, 0.1)),
            helped=rng.choice((0.0, 0.0, 0.3)),
            again=rng.choice((0.0, 0.2)),
        )


def perform(scene: Scene, side: Side, move: Move, habits: Habits) -> None:
    """A lawful move as a hand makes it."""
    rng = scene.rng
    if rng.random() < habits.hover:
        scene.hand(side, rng.choice(SQUARES), 200, 900)
        scene.wait(100, 700)
    for start, end in pairwise(move.path):
        carry(scene, side, start, end, rng.random() < habits.slide)
    leaves = rng.random() < habits.leave_jumped
    by = side.other if habits.helped and rng.random() < habits.helped else side
    for square in move.captured:
        if leaves:
            scene.wait(150, 900)
        lift(scene, by, square)


def stage_move(scene: Scene, position: Position, move: Move, habits: Habits) -> None:
    """A lawful move with all that belongs to it, the opponent's crowning included."""
    rng = scene.rng
    if not move.captured and rng.random() < habits.reconsider:
        _begin_otherwise(scene, position, move)
    if not move.captured and rng.random() < habits.hold:
        _hold(scene, position.turn, move)
    else:
        perform(scene, position.turn, move, habits)
    if not move.captured and rng.random() < habits.linger:
        _stay(scene, position.turn, move.end)
    scene.plies.append((move, scene.time_ms))
    if move.crowns:
        if rng.random() < habits.crown_late:
            scene.wait(400, 2_500)
        own = rng.random() < habits.crown_own
        crown(scene, position.turn if own else position.turn.other, move.end)


def crown(scene: Scene, side: Side, square: int) -> None:
    """The second disc is put on."""
    lay(scene, side, square, at(scene.setup, square).upper())


def uncrown(scene: Scene, side: Side, square: int) -> None:
    """The second disc is taken off."""
    king = at(scene.setup, square)
    scene.hand(side, square, 120, 350)
    scene.put({square: king.lower()})
    scene.hand(side, square, 60, 200, held=king.lower())


def _begin_otherwise(scene: Scene, position: Position, move: Move) -> None:
    """The piece is held over another square, which it may touch, and goes back."""
    side, piece, since = position.turn, move.piece, scene.time_ms
    scene.hand(side, move.start, 120, 300)
    scene.put({move.start: EMPTY})
    ends = [s for s in SQUARES if at(scene.setup, s) == EMPTY]
    end = scene.rng.choice(ends)
    scene.hand(side, end, 150, 400, held=piece)
    if scene.rng.random() < 0.5:
        scene.put({end: piece})
        scene.hand(side, end, 200, 700)
        scene.put({end: EMPTY})
    scene.hand(side, move.start, 100, 300, held=piece)
    scene.put({move.start: piece})
    scene.hand(side, move.start, 60, 300)
    scene.begun.append(Handling(side, move.start, Touch.LIFTED, since, scene.time_ms))


def _hold(scene: Scene, side: Side, move: Move) -> None:
    """The piece is taken up, and played when its player has thought."""
    scene.hand(side, move.start, 120, 300)
    scene.put({move.start: EMPTY})
    if scene.rng.random() < 0.5:
        scene.hand(side, scene.rng.choice(SQUARES), 1_500, 5_000, held=move.piece)
    else:
        scene.wait(800, 2_500)
    lay(scene, side, move.end, move.piece)


def put_back(scene: Scene, side: Side | None, before: str) -> None:
    """One piece after the other, so that no piece is ever on the board twice."""
    wrong = [s for s in SQUARES if at(scene.setup, s) != at(before, s)]
    for square in sorted(wrong, key=lambda s: at(before, s) != EMPTY):
        if at(before, square) == EMPTY:
            lift(scene, side, square)
    for square in wrong:
        if at(before, square) != EMPTY:
            lay(scene, side, square, at(before, square))


def point(scene: Scene, side: Side, squares: tuple[int, ...]) -> None:
    """A finger shows what is wrong."""
    scene.wait(100, 900)
    scene.hand(side, scene.rng.choice(squares), 500, 2_000)


def _stay(scene: Scene, side: Side, square: int) -> None:
    """The hand does not leave the piece it has moved."""
    since = scene.time_ms
    scene.hand(side, square, 2_500, 4_000)
    scene.handlings.append(Handling(side, square, None, since, scene.time_ms))


def fidget(scene: Scene, side: Side) -> None:
    """A piece is lifted or pushed, put back, and nothing comes of it; sometimes announced."""
    square = scene.rng.choice(scene.pieces(side))
    adjusting = scene.rng.random() < 0.3
    if adjusting:
        scene.commands.append(Command(scene.time_ms, Word.ADJUSTING, side))
        scene.wait(300, 1_000)
    since = scene.time_ms
    how = scene.rng.choice(tuple(Touch))
    _FIDGETS[how](scene, side, square)
    if not adjusting:
        scene.handlings.append(Handling(side, square, how, since, scene.time_ms))
    scene.wait(700, 1_500)


def _lift_and_put_back(scene: Scene, side: Side, square: int) -> None:
    piece = at(scene.setup, square)
    away = scene.rng.choice([s for s in SQUARES if abs(s - square) > 4])
    scene.hand(side, square, 120, 300)
    scene.put({square: EMPTY})
    scene.hand(side, away, 500, 1_200)
    scene.hand(side, square, 150, 300, held=piece)
    scene.put({square: piece})
    scene.hand(side, square, 60, 250)


def _push(scene: Scene, side: Side, square: int) -> None:
    scene.hand(side, square, 200, 500)
    x, y = scene.rng.choice((-1, 1)), scene.rng.choice((-1, 1))
    offset = x * scene.rng.randint(120, 260), y * scene.rng.randint(120, 260)
    scene.shifts.append(Shift(scene.time_ms, square, offset))
    scene.hand(side, square, 60, 200)
    scene.wait(700, 2_000)


_FIDGETS = {Touch.LIFTED: _lift_and_put_back, Touch.SHIFTED: _push}

"""What restless people do beside their moves: they change their minds, rest an arm on the board,
lean over it, put discs straight, and others reach in. None of it is staged as an offence."""

from __future__ import annotations

from referee.board import SQUARES, Side, cell_of, difference
from referee.events import Irregularity
from referee.rules import Move, Position, lawful_moves
from referee.simulation.people import Habits, perform, put_back, stage_move
from referee.simulation.scene import Offence, Reach, Scene, Shift

TOLD_MS = 3_000
"""So long after the other one was made a move that was taken back may be told of: hands that hover
over the board delay that."""
LEANT_ROWS = 2
"""So many rows a head hides that leans over them."""


def fuss(scene: Scene, side: Side, habits: Habits) -> None:
    """What is done before a player moves."""
    dice = scene.rng.random
    if dice() < habits.aside:
        scene.hand(None, scene.rng.choice(SQUARES), 400, 2_500)
        scene.wait(0, 800)
    if dice() < habits.lean:
        _lean(scene, scene.rng.choice((side, side.other)))
    if dice() < habits.straighten:
        _straighten(scene, side)
    if dice() < habits.rest:
        _rest(scene, side.other)


def change_mind(scene: Scene, position: Position, move: Move, habits: Habits) -> None:
    """Another move is made, the hand leaves, comes back, takes it back and makes this one."""
    side, rng, before = position.turn, scene.rng, scene.setup
    others = [m for m in lawful_moves(position) if m.end != move.end and not m.crowns]
    same = [m for m in others if m.start == move.start]
    if not others:
        stage_move(scene, position, move, habits)
        return
    perform(scene, side, rng.choice(same if same and rng.random() < 0.5 else others), habits)
    left, changed = scene.time_ms, difference(before, scene.setup)
    scene.wait(300, 4_000)
    put_back(scene, side, before)
    scene.wait(0, 1_500)
    stage_move(scene, position, move, habits)
    kind, until = Irregularity.WRONG_TURN, scene.time_ms + TOLD_MS
    scene.regrets.append(Offence(kind, side, left, until, squares=changed))


def _lean(scene: Scene, side: Side) -> None:
    """A head is over the rows next to its player."""
    began, squares = scene.time_ms, _edge(side, LEANT_ROWS)
    scene.wait(500, 1_500)
    scene.reaches.append(Reach(began, scene.time_ms, side, squares, min(squares)))


def _rest(scene: Scene, side: Side) -> None:
    """An arm comes to lie on the outermost squares, and stays while the other one moves."""
    begin = scene.rng.randrange(6)
    squares = frozenset(s for s in _edge(side, 1) if begin <= cell_of(s)[1] <= begin + 3)
    until = scene.time_ms + scene.rng.randint(1_500, 6_000)
    scene.reaches.append(Reach(scene.time_ms, until, side, squares, min(squares)))


def _edge(side: Side, rows: int) -> frozenset[int]:
    """The squares of the rows next to a player."""
    return frozenset(s for s in SQUARES if abs(cell_of(s)[0] - side.king_row) >= 8 - rows)


def _straighten(scene: Scene, side: Side) -> None:
    """A disc is put a little nearer to the middle of its square, without a word."""
    square = scene.rng.choice(scene.pieces(side))
    scene.hand(side, square, 300, 700)
    scene.shifts.append(Shift(scene.time_ms, square, None))
    scene.hand(side, square, 60, 200)
    scene.wait(300, 1_500)

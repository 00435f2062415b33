"""Offences as people commit them, and how they put them right."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random

from referee.board import EMPTY, SQUARES, Cell, Side, at, cell_of, difference, square_at
from referee.events import Irregularity
from referee.observation import LooseDisc
from referee.rules import (
    Fault,
    Move,
    Position,
    captures,
    lawful_moves,
    plain_moves,
    unfinished,
    why_not,
)
from referee.simulation.people import Habits, crown, perform, point, put_back, uncrown
from referee.simulation.scene import Offence, Scene, carry, lay, lift


def mended(scene: Scene, side: Side, kind: Irregularity, before: str, habits: Habits) -> None:
    """Everybody looks at the board, somebody may point; then one of them puts everything back."""
    left = scene.time_ms
    wrong = difference(before, scene.setup)
    if scene.rng.random() < habits.point:
        point(scene, side.other, wrong)
    scene.wait(3_600, 6_000)
    ranked = [s for s in wrong if at(scene.setup, s).upper() == at(before, s).upper()]
    square = ranked[0] if ranked else 0
    scene.offences.append(Offence(kind, side, left, scene.time_ms, square, wrong))
    scene.pick_up()
    by = side.other if scene.rng.random() < habits.point else side
    put_back(scene, None if habits.again and scene.rng.random() < habits.again else by, before)
    scene.wait(400, 1_500)


def _choice(rng: Random, moves: tuple[Move, ...]) -> Move | None:
    return rng.choice(moves) if moves else None


def _jump(scene: Scene, side: Side, move: Move) -> None:
    """A piece goes along its path; what it jumps stays."""
    for start, end in pairwise(move.path):
        carry(scene, side, start, end, False)


def _wrong_turn(scene: Scene, position: Position, habits: Habits) -> bool:
    waiting = Position(position.setup, position.turn.other)
    move = _choice(scene.rng, lawful_moves(waiting))
    if move is None:
        return False
    perform(scene, waiting.turn, move, habits)
    return True


def _capture_missed(scene: Scene, position: Position, habits: Habits) -> bool:
    move = _choice(scene.rng, plain_moves(position)) if captures(position) else None
    if move is None:
        return False
    carry(scene, position.turn, move.start, move.end, scene.rng.random() < habits.slide)
    return True


def _capture_unfinished(scene: Scene, position: Position, habits: Habits) -> bool:
    move = _choice(scene.rng, unfinished(position))
    if move is None:
        return False
    _jump(scene, position.turn, move)
    if scene.rng.random() < 0.8:
        for square in move.captured:
            lift(scene, position.turn, square)
    return True


def _jumped_piece_left(scene: Scene, position: Position, habits: Habits) -> bool:
    move = _choice(scene.rng, captures(position))
    if move is None or move.crowns:
        return False
    _jump(scene, position.turn, move)
    for square in move.captured[1:]:
        lift(scene, position.turn, square)
    return True


def _illegal_step(scene: Scene, position: Position, habits: Habits) -> bool:
    start = scene.rng.choice(scene.pieces(position.turn))
    row, column = cell_of(start)
    near = [
        square_at(row + down, column + right)
        for down, right in ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, -2), (0, 2), (2, 0), (-2, 0))
    ]
    ends = [s for s in near if s and _impossible(position, start, s)]
    if not ends:
        return False
    carry(scene, position.turn, start, scene.rng.choice(ends), False)
    return True


def _impossible(position: Position, start: int, end: int) -> bool:
    if at(position.setup, end) != EMPTY:
        return False
    fault = why_not(position, start, end)
    return fault in (Fault.BACKWARD, Fault.OWN_BETWEEN, Fault.NONE_BETWEEN, Fault.DISTANCE)


def _piece_removed(scene: Scene, position: Position, habits: Habits) -> bool:
    """A piece leaves the board that nobody is about to jump."""
    doomed = {square for move in captures(position) for square in move.captured}
    squares = [s for s in SQUARES if at(position.setup, s) != EMPTY and s not in doomed]
    if not squares:
        return False
    lift(scene, position.turn, scene.rng.choice(squares))
    return True


def _own_piece_removed(scene: Scene, position: Position, habits: Habits) -> bool:
    return _with_extra(scene, position, position.turn, habits)


def _wrong_piece_removed(scene: Scene, position: Position, habits: Habits) -> bool:
    return _with_extra(scene, position, position.turn.other, habits)


def _with_extra(scene: Scene, position: Position, owner: Side, habits: Habits) -> bool:
    """A capture after which one piece of `owner` is missing too that was not jumped."""
    move = _choice(scene.rng, captures(position))
    if move is None or move.crowns:
        return False
    others = [s for s in scene.pieces(owner) if s not in move.squares]
    if not others:
        return False
    _jump(scene, position.turn, move)
    for square in (*move.captured, scene.rng.choice(others)):
        lift(scene, position.turn, square)
    return True


def _piece_added(scene: Scene, position: Position, habits: Habits) -> bool:
    empty = [s for s in SQUARES if at(position.setup, s) == EMPTY]
    side = scene.rng.choice(tuple(Side))
    rows = [s for s in empty if cell_of(s)[0] != side.king_row]
    if not rows:
        return False
    lay(scene, position.turn, scene.rng.choice(rows), side.man)
    return True


def _piece_displaced(scene: Scene, position: Position, habits: Habits) -> bool:
    """A piece of the player who has to wait goes where it could, were it his turn, or never could;
    it is the other one who moves it."""
    waiting = position.turn.other
    turned = Position(position.setup, waiting)
    steps = plain_moves(turned)
    if steps and scene.rng.random() < 0.5:
        move = scene.rng.choice(steps)
        carry(scene, position.turn, move.start, move.end, scene.rng.random() < habits.slide)
        return True
    start = scene.rng.choice(scene.pieces(waiting))
    row = cell_of(start)[0]
    ends = [s for s in SQUARES if _impossible(turned, start, s) and abs(cell_of(s)[0] - row) != 2]
    if not ends:
        return False
    carry(scene, position.turn, start, scene.rng.choice(ends), False)
    return True


def _off_square(scene: Scene, position: Position, habits: Habits) -> bool:
    square = scene.rng.choice(scene.pieces(position.turn))
    row, column = cell_of(square)
    cell: Cell = (row, column + 1 if column < 7 else column - 1)
    lift(scene, position.turn, square)
    scene.drop(LooseDisc(cell, position.turn))
    return True


def _upset(scene: Scene, position: Position, habits: Habits) -> bool:
    pieces = [s for s in SQUARES if at(scene.setup, s) != EMPTY]
    gone = scene.rng.sample(pieces, min(len(pieces), 5))
    if len(gone) < 5:
        return False
    scene.hand(position.turn, gone[0], 300, 600)
    empty = [s for s in SQUARES if at(scene.setup, s) == EMPTY]
    rolled = scene.rng.sample(empty, scene.rng.randint(0, 2))
    come = {end: at(scene.setup, start) for start, end in zip(gone, rolled, strict=False)}
    scene.put(dict.fromkeys(gone, EMPTY) | come)
    scene.hand(position.turn, gone[0], 100, 300)
    return True


def _crown_unearned(scene: Scene, position: Position, habits: Habits) -> bool:
    men = [s for s in SQUARES if at(scene.setup, s) in "rw"]
    if not men:
        return False
    square = scene.rng.choice(men)
    crown(scene, position.turn, square)
    return True


def _crown_removed(scene: Scene, position: Position, habits: Habits) -> bool:
    """Somebody takes a second disc for a captured one."""
    kings = [s for s in SQUARES if at(scene.setup, s) in "RW"]
    if not kings:
        return False
    uncrown(scene, position.turn, scene.rng.choice(kings))
    return True


STAGED: dict[Irregularity, Callable[[Scene, Position, Habits], bool]] = {
    Irregularity.WRONG_TURN: _wrong_turn,
    Irregularity.CAPTURE_MISSED: _capture_missed,
    Irregularity.CAPTURE_UNFINISHED: _capture_unfinished,
    Irregularity.JUMPED_PIECE_LEFT: _jumped_piece_left,
    Irregularity.ILLEGAL_STEP: _illegal_step,
    Irregularity.OWN_PIECE_REMOVED: _own_piece_removed,
    Irregularity.WRONG_PIECE_REMOVED: _wrong_piece_removed,
    Irregularity.PIECE_REMOVED: _piece_removed,
    Irregularity.PIECE_ADDED: _piece_added,
    Irregularity.PIECE_DISPLACED: _piece_displaced,
    Irregularity.OFF_SQUARE: _off_square,
    Irregularity.CROWN_UNEARNED: _crown_unearned,
    Irregularity.CROWN_REMOVED: _crown_removed,
    Irregularity.UPSET: _upset,
}


def stage_offence(scene: Scene, position: Position, habits: Habits) -> None:
    """One offence of a kind that the position allows, and its mending."""
    before = scene.setup
    possible = _special(position) or list(STAGED)
    kind = scene.rng.choice(possible)
    if STAGED[kind](scene, position, habits):
        side = position.turn.other if kind is Irregularity.WRONG_TURN else position.turn
        mended(scene, side, kind, before, habits)


def _special(position: Position) -> list[Irregularity]:
    """The kinds that only few positions allow, where this is one."""
    kinds = []
    if unfinished(position):
        kinds.append(Irregularity.CAPTURE_UNFINISHED)
    if captures(position):
        kinds += [Irregularity.CAPTURE_MISSED, Irregularity.JUMPED_PIECE_LEFT]
        kinds += [Irregularity.OWN_PIECE_REMOVED, Irregularity.WRONG_PIECE_REMOVED]
    return kinds

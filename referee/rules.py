"""The rules of English draughts: positions, lawful moves and what they lead to.

Rule numbers are those of the World Checkers Draughts Federation (WCDF).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from referee.board import (
    APPEARANCES,
    EMPTY,
    SQUARES,
    START,
    Side,
    at,
    cell_of,
    crowned,
    is_king,
    replace,
    side_of,
    square_at,
)
from referee.errors import IllegalMove

MEN_EACH = 12


@dataclass(frozen=True, slots=True)
class Position:
    """A setup as the rules see it. Construction checks nothing; `problems` does."""

    setup: str
    """32 appearances without `?`; a man that waits for its crown is a king here."""
    turn: Side

    @classmethod
    def start(cls) -> Position:
        """The twelve men of each side on their first three rows, Red to move (2.3, 3.2)."""
        return cls(START, Side.RED)

    def problems(self) -> tuple[str, ...]:
        """Everything that keeps this from being a position, in words; empty if nothing does."""
        if len(self.setup) != len(SQUARES):
            return (f"a setup has 32 squares, not {len(self.setup)}",)
        if not any(map(side_of, self.setup)):
            return ("there is no piece on the board",)
        by_square = (_square_problem(square, at(self.setup, square)) for square in SQUARES)
        by_side = (_side_problem(self.setup, side) for side in Side)
        return tuple(problem for problem in (*by_square, *by_side) if problem)


def _square_problem(square: int, appearance: str) -> str | None:
    if appearance not in APPEARANCES:
        return f"square {square} has the unknown sign {appearance!r}"
    side = side_of(appearance)
    if side and appearance == side.man and cell_of(square)[0] == side.king_row:
        return f"the {side.value} man on {square} stands on its king-row and must be a king"
    return None


def _side_problem(setup: str, side: Side) -> str | None:
    count = sum(side.owns(appearance) for appearance in setup)
    return f"{side.value} has {count} pieces, 12 at most are possible" if count > MEN_EACH else None


@dataclass(frozen=True, slots=True)
class Move:
    """One move of one piece, all its jumps included."""

    path: tuple[int, ...]
    """The squares it stands on, first to last."""
    captured: tuple[int, ...]
    """The squares it jumps, in order; empty for a plain move."""
    piece: str
    """Its appearance before the move."""

    @property
    def start(self) -> int:
        return self.path[0]

    @property
    def end(self) -> int:
        return self.path[-1]

    @property
    def squares(self) -> tuple[int, ...]:
        """All that it comes over: where it stands on its way, and what it jumps."""
        return (*self.path, *self.captured)

    @property
    def is_capture(self) -> bool:
        return bool(self.captured)

    @property
    def crowns(self) -> bool:
        """Whether a man reaches the king-row and becomes a king (3.8)."""
        side = side_of(self.piece)
        return side is not None and not is_king(self.piece) and _row(self.end) == side.king_row

    @property
    def is_for_good(self) -> bool:
        """Whether no play leads back to before it: a capture, or a man's move."""
        return self.is_capture or not is_king(self.piece)

    def __str__(self) -> str:
        """The full path: `11-15`, `11x18x25`."""
        return ("x" if self.captured else "-").join(map(str, self.path))


Line = tuple[Move, ...]
"""A row of lawful moves, each from where the one before it led to."""


def _row(square: int) -> int:
    return cell_of(square)[0]


Jump = tuple[int, int]
"""The square jumped and the square landed on."""


def _directions(piece: str) -> tuple[int, ...]:
    """The row steps of a piece: men go forward only (3.4), kings both ways (3.10)."""
    side = side_of(piece)
    assert side is not None
    return (-1, 1) if is_king(piece) else (side.forward,)


def _neighbours(piece: str, square: int, distance: int) -> Iterator[int | None]:
    row, column = cell_of(square)
    for down in _directions(piece):
        for right in (-1, 1):
            yield square_at(row + distance * down, column + distance * right)


def _steps(piece: str, square: int) -> tuple[int, ...]:
    return tuple(sorted(s for s in _neighbours(piece, square, 1) if s is not None))


def _jumps(piece: str, square: int) -> tuple[Jump, ...]:
    pairs = zip(_neighbours(piece, square, 1), _neighbours(piece, square, 2), strict=True)
    return tuple(sorted((over, to) for over, to in pairs if over is not None and to is not None))


PIECES = "rRwW"
STEPS = {piece: {s: _steps(piece, s) for s in SQUARES} for piece in PIECES}
"""Where a piece can step from a square of an empty board."""
JUMPS = {piece: {s: _jumps(piece, s) for s in SQUARES} for piece in PIECES}
"""Over what and to where a piece can jump from a square. A man on its king-row has none, so a
man that arrives there stops without further ado (3.8)."""
ENEMIES = {"r": "wW", "R": "wW", "w": "rR", "W": "rR"}


def _own_pieces(position: Position) -> Iterator[tuple[int, str]]:
    own = position.turn.man + position.turn.king
    return ((s, piece) for s, piece in enumerate(position.setup, start=1) if piece in own)


def plain_moves(position: Position) -> tuple[Move, ...]:
    """The steps to empty squares (3.4, 3.10), whether or not a capture forbids them."""
    setup = position.setup
    return tuple(
        Move((square, to), (), piece)
        for square, piece in _own_pieces(position)
        for to in STEPS[piece][square]
        if setup[to - 1] == EMPTY
    )


def captures(position: Position) -> tuple[Move, ...]:
    """All finished captures (3.5, 3.6, 3.11); two orders of the same jumps are two moves."""
    return tuple(
        move
        for square, piece in _own_pieces(position)
        if _onward(position.setup, piece, (square,), ())
        for move in _finished(position.setup, piece, (square,), ())
    )


def _finished(
    setup: str, piece: str, path: tuple[int, ...], captured: tuple[int, ...]
) -> Iterator[Move]:
    onward = _onward(setup, piece, path, captured)
    if not onward:
        yield Move(path, captured, piece)
    for over, to in onward:
        yield from _finished(setup, piece, (*path, to), (*captured, over))


def _onward(setup: str, piece: str, path: tuple[int, ...], captured: tuple[int, ...]) -> list[Jump]:
    """The next jumps. No piece is jumped twice, and the mover's own first square is free."""
    enemies = ENEMIES[piece]
    return [
        (over, to)
        for over, to in JUMPS[piece][path[-1]]
        if setup[over - 1] in enemies
        and (setup[to - 1] == EMPTY or to == path[0])
        and over not in captured
    ]


def lawful_moves(position: Position) -> tuple[Move, ...]:
    """The captures if there are any, for capturing is compulsory (3.7); else the plain moves."""
    return captures(position) or plain_moves(position)


def has_no_move(position: Position) -> bool:
    """Whether the side to move has lost, all its pieces being taken or blocked (6.2)."""
    return not lawful_moves(position)


def play(position: Position, move: Move) -> Position:
    """The position after a lawful move; IllegalMove for any other."""
    if move not in lawful_moves(position):
        raise refusal(position, str(move), move.start, move.end)
    return after(position, move)


def refusal(position: Position, text: str, start: int, end: int) -> IllegalMove:
    """The error for the unlawful move `text` from `start` to `end`: why, and what is lawful."""
    fault = why_not(position, start, end)
    reason = fault.value if fault else "it does not take that way"
    choice = ", ".join(map(str, lawful_moves(position))) or "none"
    return IllegalMove(
        f"{text} is not lawful for {position.turn.value}: {reason}; lawful moves: {choice}"
    )


def after(position: Position, move: Move) -> Position:
    """The position after a move: jumped pieces gone, the arrival crowned, the other side to move.

    Does not check whether the move is lawful.
    """
    arrived = crowned(move.piece) if move.crowns else move.piece
    changes = dict.fromkeys((*move.captured, move.start), EMPTY) | {move.end: arrived}
    return Position(replace(position.setup, changes), position.turn.other)


def unfinished(position: Position) -> tuple[Move, ...]:
    """The captures broken off although they could go on, which 3.6 and 3.12 forbid; each once."""
    return tuple(
        dict.fromkeys(
            Move(move.path[: jumps + 1], move.captured[:jumps], move.piece)
            for move in captures(position)
            for jumps in range(1, len(move.captured))
        )
    )


class Fault(Enum):
    """Why a piece may not go from one square to another."""

    NO_PIECE = "there is no piece on the first square"
    WRONG_TURN = "it is the other side's turn"
    OCCUPIED = "the last square is occupied"
    CAPTURE_MISSED = "there is a capture, and capturing is compulsory"
    CAPTURE_UNFINISHED = "the capture can go on and must be finished"
    KING_ROW = "a capture ends where a man becomes a king"
    BACKWARD = "a man moves forward only"
    OWN_BETWEEN = "no piece jumps over one of its own side"
    NONE_BETWEEN = "there is no piece between to jump over"
    DISTANCE = "no piece reaches that square"


def why_not(position: Position, start: int, end: int) -> Fault | None:
    """Why no lawful move goes from `start` to `end`, the first reason that holds; None if one does.

    What only a king could do there, or begin to, is BACKWARD, or KING_ROW if the man would have
    become one on the way (3.8); a jump over nobody, or one's own piece (3.5), is NONE_BETWEEN or
    OWN_BETWEEN, any other way that leads nowhere DISTANCE.
    """
    piece = at(position.setup, start)
    if _goes(lawful_moves(position), start, end):
        return None
    if piece == EMPTY:
        return Fault.NO_PIECE
    if not position.turn.owns(piece):
        return Fault.WRONG_TURN
    if start != end and at(position.setup, end) != EMPTY:
        return Fault.OCCUPIED
    return _fault_of_way(position, start, end)


def _fault_of_way(position: Position, start: int, end: int) -> Fault:
    if _goes(unfinished(position), start, end):
        return Fault.CAPTURE_UNFINISHED
    if _goes(plain_moves(position), start, end):
        return Fault.CAPTURE_MISSED
    as_king = [move for move in _as_king(position, start) if (move.start, move.end) == (start, end)]
    if any(_goes_on(move, man) for move in as_king for man in captures(position) if man.crowns):
        return Fault.KING_ROW
    return Fault.BACKWARD if as_king else _fault_of_jump(position, start, end)


def _fault_of_jump(position: Position, start: int, end: int) -> Fault:
    """Why no piece, not even a king, goes from one square to another that is bare."""
    (row, column), (to_row, to_column) = cell_of(start), cell_of(end)
    if abs(to_row - row) != 2 or abs(to_column - column) != 2:
        return Fault.DISTANCE
    between = square_at((row + to_row) // 2, (column + to_column) // 2)
    assert between is not None
    return Fault.NONE_BETWEEN if at(position.setup, between) == EMPTY else Fault.OWN_BETWEEN


def _goes_on(longer: Move, shorter: Move) -> bool:
    """Whether a capture begins with another one."""
    return longer.path[: len(shorter.path)] == shorter.path


def _goes(moves: tuple[Move, ...], start: int, end: int) -> bool:
    return any((move.start, move.end) == (start, end) for move in moves)


def _as_king(position: Position, square: int) -> tuple[Move, ...]:
    """What could be done, or begun, if the piece on a square were a king."""
    king = replace(position.setup, {square: position.turn.king})
    promoted = Position(king, position.turn)
    return plain_moves(promoted) + captures(promoted) + unfinished(promoted)

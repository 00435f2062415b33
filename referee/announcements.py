"""Rulings in English words: what happened and what to do now, in one or two short sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.board import Side, at, is_king
from referee.events import Irregular, Irregularity, Verdict
from referee.rules import Position

MOST_MOVES = 3
"""More lawful moves than this are not read out."""


def name(side: Side | None) -> str:
    """`Red`, `White`, or `Somebody`."""
    return side.value.capitalize() if side else "Somebody"


def choice(words: Sequence[object]) -> str:
    """`1`, `1 or 2`, `1, 2 or 3`."""
    return _joined(words, "or")


def listed(words: Sequence[object]) -> str:
    """`1`, `1 and 2`, `1, 2 and 3`."""
    return _joined(words, "and")


def _joined(words: Sequence[object], last: str) -> str:
    texts = [str(word) for word in words]
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {last} {texts[-1]}"


def piece_name(position: Position, square: int) -> str:
    """`man` or `king`."""
    return "king" if is_king(at(position.setup, square)) else "man"


def irregular(event: Irregular, position: Position, verdict: Verdict) -> str:
    """What an irregularity is and how it is put right; `position` is the last regular one."""
    text = _SENTENCES[event.kind](event, position)
    return f"{text} {_consequence(event.side, verdict)}".strip()


def _consequence(side: Side | None, verdict: Verdict) -> str:
    if verdict is Verdict.WARNING:
        return f"{name(side)} is warned."
    if verdict is Verdict.FORFEIT and side:
        return f"It is not the first time: {name(side.other)} may claim the game."
    return ""


def _lawful(event: Irregular) -> str:
    few = len(event.lawful) <= MOST_MOVES
    return f"play {choice(event.lawful)}" if few else "make a lawful move"


def _back(event: Irregular, position: Position) -> str:
    start = event.squares[0]
    return f"put the {piece_name(position, start)} back on {start}"


def _wrong_turn(event: Irregular, position: Position) -> str:
    return f"It is {name(position.turn)}'s turn. {name(event.side)}: {_back(event, position)}."


def _capture_missed(event: Irregular, position: Position) -> str:
    return f"{name(event.side)} must capture: {_back(event, position)} and {_lawful(event)}."


def _capture_unfinished(event: Irregular, position: Position) -> str:
    return f"{name(event.side)} must finish the capture: {_lawful(event)}."


def _jumped_piece_left(event: Irregular, position: Position) -> str:
    return f"{name(event.side)} must take the jumped {_pieces(event.squares[2:])} off the board."


def _pieces(squares: Sequence[int]) -> str:
    return f"{'piece' if len(squares) == 1 else 'pieces'} on {listed(squares)}"


def _own_piece_removed(event: Irregular, position: Position) -> str:
    return _removed_wrongly(event, "a piece of their own")


def _wrong_piece_removed(event: Irregular, position: Position) -> str:
    return _removed_wrongly(event, "a piece that was not jumped")


def _removed_wrongly(event: Irregular, what: str) -> str:
    moved = len(event.squares) > 2
    whole = f" and the move back to {event.squares[0]}" if moved else ""
    squares = event.squares[2:] if moved else event.squares
    return (
        f"{name(event.side)} took off {what}: put back the {_pieces(squares)}{whole}, "
        f"then {_lawful(event)}."
    )


def _illegal_step(event: Irregular, position: Position) -> str:
    start, end, *removed = event.squares
    also = f", and the {_pieces(removed)}" if removed else ""
    return (
        f"{start} to {end} is not a lawful move: {_back(event, position)}{also}, "
        f"and {_lawful(event)}."
    )


def _piece_added(event: Irregular, position: Position) -> str:
    return f"There is a piece too many: remove the {_pieces(event.squares)}."


def _piece_removed(event: Irregular, position: Position) -> str:
    return f"A piece is missing: put back the {_pieces(event.squares)}."


def _piece_displaced(event: Irregular, position: Position) -> str:
    ends = event.squares[1:]
    where = f" from {listed(ends)}" if ends else ""
    return f"A piece was moved: {_back(event, position)}{where}."


def _crown_missing(event: Irregular, position: Position) -> str:
    return f"Crown the man on {event.squares[0]} before you reply."


def _crown_unearned(event: Irregular, position: Position) -> str:
    return f"No man has earned a crown: take the upper disc off {listed(event.squares)}."


def _off_square(event: Irregular, position: Position) -> str:
    where = f" on {event.squares[0]}" if event.squares else ""
    return f"A disc lies off the dark squares: put it right{where}."


def _upset(event: Irregular, position: Position) -> str:
    return f"The pieces were upset: set up {listed(event.squares)} again as they were."


_SENTENCES: dict[Irregularity, Callable[[Irregular, Position], str]] = {
    Irregularity.WRONG_TURN: _wrong_turn,
    Irregularity.CAPTURE_MISSED: _capture_missed,
    Irregularity.CAPTURE_UNFINISHED: _capture_unfinished,
    Irregularity.JUMPED_PIECE_LEFT: _jumped_piece_left,
    Irregularity.OWN_PIECE_REMOVED: _own_piece_removed,
    Irregularity.WRONG_PIECE_REMOVED: _wrong_piece_removed,
    Irregularity.ILLEGAL_STEP: _illegal_step,
    Irregularity.PIECE_ADDED: _piece_added,
    Irregularity.PIECE_REMOVED: _piece_removed,
    Irregularity.PIECE_DISPLACED: _piece_displaced,
    Irregularity.CROWN_MISSING: _crown_missing,
    Irregularity.CROWN_UNEARNED: _crown_unearned,
    Irregularity.OFF_SQUARE: _off_square,
    Irregularity.UPSET: _upset,
}

_TIMES = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}


def repeated(times: int, verdict: Verdict) -> str:
    """That a position has stood before."""
    ordinal = _TIMES.get(times, f"{times}th")
    claim = " A draw may be claimed." if verdict is Verdict.DRAW_CLAIMABLE else ""
    return f"This position stands for the {ordinal} time.{claim}"


def no_progress(moves: int) -> str:
    """That nothing has happened for long."""
    return f"{moves} moves of each player without progress: a draw may be claimed."


def lost(side: Side, has_pieces: bool) -> str:
    """That a player cannot move."""
    why = "cannot move" if has_pieces else "has no piece left"
    return f"{name(side)} {why}: {name(side.other)} wins."


def resigned(side: Side) -> str:
    """That a player has given up."""
    return f"{name(side)} resigns: {name(side.other)} wins."


AGREED = "The players agree to a draw."


def must_capture(side: Side, lawful: Sequence[str]) -> str:
    """A hint before anybody errs."""
    return f"{name(side)} must capture: {choice(lawful)}."

"""`referee check`: whether recorded games are lawful, and where they stop being so."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from referee.board import Side
from referee.errors import InputError
from referee.notation import (
    PLAYER_TAGS,
    UNKNOWN,
    Failure,
    Game,
    Record,
    move_text,
    read_games,
)
from referee.rules import Position, lawful_moves
from referee.verbs import terminal


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="a PDN file")
    parser.add_argument("--json", action="store_true", help="one JSON object per game")


def run(options: argparse.Namespace) -> int:
    return max(_check(path, options.json) for path in options.files)


def _check(path: Path, as_json: bool) -> int:
    try:
        records = _read(path)
    except InputError as error:
        terminal.complain(str(error))
        return 2
    report = _report_json if as_json else _report_text
    for number, record in enumerate(records, start=1):
        report(path, number, record)
    return 1 if any(record.failure for record in records) else 0


def _read(path: Path) -> tuple[Record, ...]:
    """The games of a file; InputError when it holds none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(terminal.reason(error)) from None
    records = read_games(data)
    if not records:
        raise InputError(f"{path} holds no game; give a file of draughts games in PDN")
    return records


def _report_json(path: Path, number: int, record: Record) -> None:
    game, failure = record.game, record.failure
    terminal.emit(
        {
            "file": str(path),
            "game": number,
            "lawful": failure is None,
            "moves": len(game.moves),
            "result": game.result,
            "failure": _failure_record(game, failure) if failure else None,
        }
    )


def _failure_record(game: Game, failure: Failure) -> dict[str, object]:
    position = _last_position(game)
    return {
        "move": _move_number(game, failure.ply) if failure.ply else None,
        "side": position.turn.value if failure.ply else None,
        "line": failure.line,
        "token": failure.token,
        "reason": str(failure.error),
        "lawful_moves": _choice(position) if failure.ply else [],
    }


def _report_text(path: Path, number: int, record: Record) -> None:
    game, failure = record.game, record.failure
    console = terminal.report()
    names = map(game.tags.get, PLAYER_TAGS.values())
    players = " – ".join(name for name in names if name and name != UNKNOWN)
    title = f"{path}, game {number}{f' ({players})' if players else ''}"
    if failure is None:
        console.print(
            f"[green]✓[/] {escape(title)}: lawful, {_plies(game)}, {game.result}", soft_wrap=True
        )
    else:
        console.print(
            f"[red]✗[/] {escape(title)}: stops being lawful in line {failure.line}", soft_wrap=True
        )
        _explain(console, game, failure)


def _explain(console: Console, game: Game, failure: Failure) -> None:
    reason = str(failure.error)
    if failure.token not in reason:
        reason = f"{failure.token}: {reason}"
    if failure.ply:
        side = _last_position(game).turn.value.capitalize()
        reason = f"move {_move_number(game, failure.ply)} of {side}: {reason}"
    console.print(f"  {escape(reason)}", soft_wrap=True)


def _plies(game: Game) -> str:
    return f"{len(game.moves)} move{'' if len(game.moves) == 1 else 's'}"


def _last_position(game: Game) -> Position:
    return game.positions()[-1]


def _choice(position: Position) -> list[str]:
    return [move_text(position, move) for move in lawful_moves(position)]


def _move_number(game: Game, ply: int) -> int:
    """The number that a ply carries in the score: one for a move of each side."""
    skipped = 0 if game.start.turn is Side.RED else 1
    return (ply - 1 + skipped) // 2 + 1

"""`referee look`: what lies on the board in each picture."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from rich.markup import escape

from hardware.camera import CameraError, Image
from hardware.cameras.pictures import load_picture
from referee.board import SQUARES, UNSEEN, Side, at, cell_of
from referee.errors import InputError
from referee.eye.overlay import draw_reading
from referee.eye.picture import Reading, read_picture
from referee.notation import fen
from referee.rules import Position
from referee.terminal_board import draw_board, has_colours
from referee.verbs import terminal
from referee.verbs.drawings import places, write_image

T = TypeVar("T")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("images", metavar="IMAGE", nargs="+", type=Path, help="a picture file")
    parser.add_argument("--json", action="store_true", help="one JSON object per picture")
    parser.add_argument(
        "--overlay",
        metavar="OUT.png",
        type=Path,
        help="draw what was seen over the picture; with several pictures, their names are added",
    )


def run(options: argparse.Namespace) -> int:
    pictures: list[Path] = options.images
    drawn: Sequence[Path | None] = [None] * len(pictures)
    if options.overlay:
        drawn = places(options.overlay, pictures)
    return max(_look(*pair, options.json) for pair in zip(pictures, drawn, strict=True))


def _look(path: Path, drawn: Path | None, as_json: bool) -> int:
    """The status of one picture; what is wrong with it does not stop the others."""
    try:
        image = read_image(path)
    except InputError as error:
        if as_json:
            terminal.emit(record(path, Reading(False, problems=(str(error),))))
        terminal.complain(str(error))
        return 2
    reading = read_picture(image)
    try:
        if as_json:
            terminal.emit(record(path, reading))
        else:
            _show(path, reading)
        if drawn:
            write_image(drawn, draw_reading(image, reading))
    except InputError as error:
        terminal.complain(str(error))
        return 2
    return 0 if reading.found else 1


def read_image(path: Path) -> Image:
    """A picture (height, width, 3) in blue, green, red; InputError when there is none to be had."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; give the pictures in it, such as {path}/*.jpg")
    try:
        image = load_picture(path)
    except OSError as error:
        raise InputError(terminal.reason(error)) from None
    except CameraError as error:
        raise InputError(str(error)) from None
    if image is None:
        raise InputError(f"{path} is not a picture that OpenCV can read; give another file")
    return image


def record(path: Path, reading: Reading) -> dict[str, object]:
    """A reading as plain values for JSON; what is not known is null."""
    return {
        "image": str(path),
        "found": reading.found,
        "corners": reading.view.corners().round(2).tolist() if reading.view else None,
        "corner_sigma": reading.corner_sigma,
        "cells": list(reading.cells) or None,
        "squares": squares_of(reading) or None,
        "fen": fen_of(reading),
        "confidence": [_at(reading.confidence, square) for square in SQUARES]
        if reading.found
        else None,
        "problems": list(reading.problems),
        "ms": reading.ms,
    }


def squares_of(reading: Reading) -> str:
    """The signs of squares 1 to 32; empty when no board was found."""
    return "".join(_at("".join(reading.cells), square) for square in SQUARES if reading.found)


def fen_of(reading: Reading) -> str | None:
    """The setup as FEN with Red to move, which no picture can tell; None if a square is hidden."""
    setup = squares_of(reading)
    return fen(Position(setup, Side.RED)) if setup and UNSEEN not in setup else None


def _at(values: Sequence[T], square: int) -> T:
    row, column = cell_of(square)
    return values[8 * row + column]


def _hidden(reading: Reading) -> str:
    setup = squares_of(reading)
    return ", ".join(str(square) for square in SQUARES if at(setup, square) == UNSEEN)


def _show(path: Path, reading: Reading) -> None:
    console = terminal.report()
    spent = f"{sum(reading.ms.values()):.0f} ms"
    verdict = "" if reading.found else "[red]no board[/], "
    console.print(f"[bold]{escape(str(path))}[/]: {verdict}{spent}", soft_wrap=True)
    if reading.found:
        board = draw_board(reading.cells, coloured=has_colours(console))
        console.print(board, soft_wrap=True)
        console.print(fen_of(reading) or f"Hidden: {_hidden(reading)}", soft_wrap=True)
    for problem in reading.problems:
        console.print(f"[yellow]![/] {escape(problem)}", soft_wrap=True)

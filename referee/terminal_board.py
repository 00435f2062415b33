"""A draughts board in the terminal: green and buff, discs two lines high, kings with a crown."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.console import Console
from rich.text import Text

from referee.board import EMPTY, SQUARES, UNSEEN, Side, cell_of, is_king, side_of, square_at
from referee.colours import RED_AND_WHITE, Sides, colour_of, initials

LIGHT, DARK, MARKED, WRONG = "#d9cfa3", "#3e6b48", "#7f9a4b", "#a8501f"
"""Backgrounds: light square, dark square, one of the last move, one that is not as it should be."""
INKS = {
    "red": "#c8281e",
    "white": "#f5f2e6",
    "black": "#161412",
    "yellow": "#f4e04d",
    "green": "#a4e873",
    "blue": "#2c62d6",
    "brown": "#5f3413",
    "dark": "#2b2724",
    "light": "#efe3c2",
}
CROWN = "#e0a91b"
"""The golden middle of a king..."""
CROWNS = {"yellow": "#8a5a12"}
"""...and where gold would not be seen."""
NUMBER, QUESTION = "#8fb096", "#e8e8e8"


def cells_of(setup: str) -> tuple[str, ...]:
    """Eight rows of eight signs for 32 appearances."""
    rows = [[EMPTY] * 8 for _ in range(8)]
    for square in SQUARES:
        row, column = cell_of(square)
        rows[row][column] = setup[square - 1]
    return tuple("".join(row) for row in rows)


def has_colours(console: Console) -> bool:
    """Whether people can tell red from white there."""
    return console.color_system is not None and not console.no_color


def draw_board(
    cells: Sequence[str],
    marked: Collection[int] = (),
    wrong: Collection[int] = (),
    coloured: bool = True,
    sides: Sides = RED_AND_WHITE,
) -> Text:
    """Eight rows of eight signs of `.rRwW?` as 16 lines of 32 characters, as the side sees them
    that replies. `sides` are the colours of the discs.

    Without colours, discs have their first letters on them, those of kings capital.
    """
    lines = []
    for row in range(8):
        for half in (0, 1):
            line = Text()
            for column, sign in enumerate(cells[row]):
                square = square_at(row, column)
                background = _background(square, marked, wrong)
                side = side_of(sign)
                if side is None:
                    text, ink = _flat(sign, half, square)
                    line.append(text, f"{ink} on {background}")
                elif coloured:
                    _draw(line, is_king(sign), half, colour_of(side, sides), background)
                else:
                    line.append(f"({_letter(sign, side, sides) * 2})" if half == 0 else "    ")
            lines.append(line)
    return Text("\n").join(lines)


def _background(square: int | None, marked: Collection[int], wrong: Collection[int]) -> str:
    if square is None:
        return LIGHT
    if square in wrong:
        return WRONG
    return MARKED if square in marked else DARK


def _draw(line: Text, king: bool, half: int, colour: str, background: str) -> None:
    """Append one half of one disc's cell, four characters."""
    ink, crown = INKS[colour], CROWNS.get(colour, CROWN)
    left, right = ("▗", "▖") if half == 0 else ("▝", "▘")
    line.append(left, f"{ink} on {background}")
    if king:
        line.append("▄▄" if half == 0 else "▀▀", f"{crown} on {ink}")
    elif half == 0:
        line.append("▆▆", f"{ink} on {background}")
    else:
        line.append("▂▂", f"{background} on {ink}")
    line.append(right, f"{ink} on {background}")


def _letter(sign: str, side: Side, sides: Sides) -> str:
    """The first letter of a disc's colour; its sign where both colours begin alike."""
    letters = dict(zip(Side, initials(sides), strict=False))
    letter = letters.get(side, side.man)
    return letter.upper() if is_king(sign) else letter


def _flat(sign: str, half: int, square: int | None) -> tuple[str, str]:
    if sign == UNSEEN:
        return (" ?? ", QUESTION) if half == 0 else ("    ", QUESTION)
    number = f"{square}" if square and half == 1 else ""
    return f"{number:<4}", NUMBER

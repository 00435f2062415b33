"""What the two sides are called: the colours of the set that lies on the board.

The game itself knows no colours but its own: there `red` is the side that begins and `white` the
other, whatever their discs look like. People are told of them, and tell of them, by these.
"""

from __future__ import annotations

from referee.board import Side

Sides = tuple[str, str]
"""The colour of the side that begins, and the other's."""

COLOURS = ("red", "white", "black", "yellow", "green", "blue", "brown", "dark", "light")
RED_AND_WHITE: Sides = (Side.RED.value, Side.WHITE.value)
BLACK_AND_WHITE: Sides = ("black", "white")
BLACK_AND_RED: Sides = ("black", "red")


def parse_sides(text: str) -> Sides:
    """The colours in `black,red`; ValueError where they are not two known ones."""
    first, _, other = (word.strip() for word in text.lower().partition(","))
    if first == other or not {first, other} <= set(COLOURS):
        known = ", ".join(COLOURS)
        raise ValueError(f"must be two different ones of {known}, such as black,red, not {text!r}")
    return first, other


def written_sides(sides: Sides) -> str:
    """What `parse_sides` reads."""
    return ",".join(sides)


def colour_of(side: Side, sides: Sides) -> str:
    """By which colour a side is called."""
    return sides[tuple(Side).index(side)]


def initials(sides: Sides) -> tuple[str, ...]:
    """The first letters of both, where these differ."""
    letters = tuple(colour[0] for colour in sides)
    return letters if len(set(letters)) > 1 else ()


def players(sides: Sides, names: Sides | None = None) -> dict[str, Side]:
    """Whom a typed word means: the colours, also by the `names` that they have in a language, their
    first letters, and the game's own words unless one of these is here a colour of the other side.
    What may mean either means nobody: of Gelb and Grün neither is `g`, though one is green."""
    own, called = _words(RED_AND_WHITE), _words(sides, names or sides)
    contradicted = any(called.get(word, side) is not side for word, side in own.items())
    return called if contradicted else called | own


def _words(*called: Sides) -> dict[str, Side]:
    meant: dict[str, set[Side]] = {}
    for names in called:
        for side, name in zip(Side, names, strict=True):
            for word in (name.casefold(), name[0].casefold()):
                meant.setdefault(word, set()).add(side)
    return {word: side for word, (side, *others) in meant.items() if not others}

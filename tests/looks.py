"""What an eye says of squares: rows of evidence for tests in which it reads them wrongly."""

from __future__ import annotations

from referee.board import Side
from referee.observation import Row
from tests.table import RED

EMPTY_LOOKING, RED_LOOKING = (0, -500, -500, -500, -500), (-240, 0, -100, -700, -700)
EMPTY_CLEARLY = (0, -700, -700, -700, -700)
RED_CLEARLY, WHITE_CLEARLY = (-700, 0, -100, -700, -700), (-700, -700, -700, 0, -100)
"""What the eye says of a square that it reads wrongly, clearly and under a reflection."""


def man_looking(king: int, side: Side = RED) -> Row:
    """A piece that looks so much more a king than a man, in centinats."""
    man, crowned = min(0, -king), min(0, king)
    return (-800, man, crowned, -800, -800) if side is RED else (-800, -800, -800, man, crowned)

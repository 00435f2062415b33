"""The seam to every panel: lamps, a buzzer and buttons beside the board.

What a button means and when a lamp is lit is not decided here.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

MOST_PRESSES = 16
"""That wait; more is a child at play, and the oldest are forgotten."""
HOLD_S = 2.0
"""So long a button with consequences must be held: nobody does that by leaning on it."""


class PanelError(Exception):
    """There is no such panel, or it has gone; the message is a sentence and says what to do."""


class Button(Enum):
    """What is written beside the buttons."""

    ADJUSTING = "adjusting"
    CLOCK_RED = "clock_red"
    CLOCK_WHITE = "clock_white"
    CLAIM = "claim"
    CONFIRM = "confirm"


HELD = (Button.CLAIM, Button.CONFIRM)
"""Those that must be held: what they do ends games and punishes."""


@dataclass(frozen=True)
class Lamps:
    """Which lamps are lit."""

    red: bool = False
    white: bool = False
    offence: bool = False


class Panel(Protocol):
    """A panel, or a part of one: what it lacks does nothing."""

    def presses(self) -> list[Button]:
        """What was pressed since the last call, in order; waits for nothing. PanelError."""
        ...

    def show(self, lamps: Lamps) -> None:
        """Light these lamps and no others. PanelError."""
        ...

    def beep(self, times: int) -> None:
        """Sound the buzzer shortly so many times; does not wait. PanelError."""
        ...

    def close(self) -> None:
        """Everything off."""
        ...


class Presses:
    """Where another thread puts what was pressed."""

    def __init__(self) -> None:
        self._waiting: deque[Button] = deque(maxlen=MOST_PRESSES)

    def put(self, button: Button) -> None:
        self._waiting.append(button)

    def taken(self) -> list[Button]:
        """All there are; they wait no longer."""
        taken = []
        while self._waiting:
            taken.append(self._waiting.popleft())
        return taken

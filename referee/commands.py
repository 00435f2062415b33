"""What people tell the referee, beside what the camera sees."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.board import Side


class Word(Enum):
    """The commands there are, and what their text holds."""

    START = "start"
    """Begin a new game from the starting position."""
    SET_POSITION = "set_position"
    """Begin from a position; its text is a FEN."""
    ADJUSTING = "adjusting"
    """A player said "I am adjusting" (WCDF 4.1)."""
    RESIGN = "resign"
    """A player gives up (6.1)."""
    OFFER_DRAW = "offer_draw"
    ACCEPT_DRAW = "accept_draw"
    DECLINE_DRAW = "decline_draw"
    CORRECT = "correct"
    """Put the record right: no text takes the last move back, a text of moves plays them in
    its place, a FEN sets the position and keeps the record."""
    OVERRULE = "overrule"
    """Let the irregular board stand as it is: the irregularity is dropped, a text of moves is
    played from the position."""
    RESULT = "result"
    """End the game; its text is `1-0`, `0-1`, `1/2-1/2` or `*`."""
    PAUSE = "pause"
    RESUME = "resume"


@dataclass(frozen=True)
class Command:
    """One word of a person."""

    time_ms: int
    """On the clock of the observations."""
    word: Word
    side: Side | None = None
    """The player who speaks, for `adjusting`, `resign` and draws."""
    text: str = ""
    """See `Word`."""

    def record(self) -> dict[str, object]:
        """The command as plain values for JSON."""
        side = self.side.value if self.side else None
        return {
            "time_ms": self.time_ms,
            "command": self.word.value,
            "side": side,
            "text": self.text,
        }

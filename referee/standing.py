"""Where a game stands, told from its events alone: what a desk or a page shows."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from referee import events
from referee.board import Side
from referee.events import Event
from referee.notation import parse_fen
from referee.rules import Position


@dataclass(frozen=True)
class Standing:
    """The game after some events."""

    position: Position
    moves: tuple[tuple[Side, str], ...] = ()
    offences: tuple[events.Irregular, ...] = ()
    """All there were, put right or not."""
    ready: bool = False
    """Whether the first position was ever seen."""
    marked: tuple[int, ...] = ()
    """The squares of the last move."""
    wrong: tuple[int, ...] = ()
    """The squares that keep the game from going on."""
    trouble: str | None = None
    """Why the game cannot go on; None when it can."""
    result: events.Result | None = None

    def after(self, event: Event) -> Standing:
        """The standing after one more event."""
        match event:
            case events.Started():
                return Standing(parse_fen(event.fen))
            case events.Ready():
                return replace(self, ready=True, trouble=None)
            case events.Played():
                return self._played(event)
            case events.Irregular():
                offences = (*self.offences, event)
                words = event.kind.value.replace("_", " ")
                return replace(self, offences=offences, wrong=event.squares, trouble=words)
            case events.Unsure():
                return replace(self, trouble="not sure what was played")
            case events.Otherwise():
                return replace(self, wrong=event.squares, trouble="not as recorded")
            case events.NotWatching():
                return replace(self, trouble="cannot see the board")
            case events.Restored() | events.Watching():
                return replace(self, wrong=(), trouble=None)
            case events.Corrected() | events.Withdrawn():
                return self._corrected(event)
            case events.Result():
                return replace(self, result=event)
        return self

    def _played(self, event: events.Played) -> Standing:
        return replace(
            self,
            ready=True,
            position=parse_fen(event.fen),
            moves=(*self.moves, (event.side, event.move)),
            marked=_squares(event.move),
            wrong=(),
            trouble=None,
        )

    def _corrected(self, event: events.Corrected | events.Withdrawn) -> Standing:
        kept = self.moves[: len(self.moves) - len(event.undone)]
        position = parse_fen(event.fen)
        reopened = isinstance(event, events.Corrected) and event.reopened
        return replace(
            self,
            ready=True,
            position=position,
            moves=kept,
            marked=(),
            wrong=(),
            trouble=None,
            result=None if reopened else self.result,
        )


def _squares(move: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"[0-9]+", move)))

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
    disorder: str | None = None
    """Why the game could not go on if the board was seen; None when it could."""
    unseen: bool = False
    """Whether the board is not watched, or cannot be."""
    result: events.Result | None = None

    @property
    def trouble(self) -> str | None:
        """Why the game cannot go on; None when it can."""
        return "cannot see the board" if self.unseen else self.disorder

    def after(self, event: Event) -> Standing:
        """The standing after one more event."""
        match event:
            case events.Started():
                return Standing(parse_fen(event.fen), unseen=self.unseen)
            case events.Ready():
                return replace(self, ready=True, disorder=None, unseen=False)
            case events.Played():
                return self._played(event)
            case events.Irregular():
                offences = (*self.offences, event)
                words = event.kind.value.replace("_", " ")
                return replace(self, offences=offences, wrong=event.squares, disorder=words)
            case events.Unsure(is_of_the_way=False):
                return replace(self, disorder="not sure what was played")
            case events.Otherwise():
                return replace(self, wrong=event.squares, disorder="not as recorded")
            case events.NotWatching() | events.Watching():
                return replace(self, unseen=isinstance(event, events.NotWatching))
            case events.Restored():
                return replace(self, wrong=(), disorder=None, unseen=False)
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
            disorder=None,
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
            disorder=None,
            result=None if reopened else self.result,
        )


def _squares(move: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"[0-9]+", move)))

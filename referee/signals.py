"""What the panel beside the board shows of a game, and what its buttons say to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hardware.panel import Button, Lamps, Panel, PanelError
from referee.announcer import Announcement, Tone
from referee.board import Side
from referee.events import Event, Refused
from referee.profiles import Aloud
from referee.standing import Standing

LINES = {
    Button.ADJUSTING: "adjusting",
    Button.CLOCK_RED: "press red",
    Button.CLOCK_WHITE: "press white",
    Button.CLAIM: "claim",
    Button.CONFIRM: "confirm",
}
"""What a button says, as it would be typed where the sides are called as the game knows them."""
HEARD, OFFENCE, REFUSED = 1, 2, 3
"""How often the buzzer sounds."""


class Signals:
    """Between the game and a panel, which may be missing, or go; the game goes on without."""

    def __init__(
        self, panel: Panel | None, tell: Callable[[str], None], is_mute: bool = False
    ) -> None:
        """`tell` is given a sentence when the panel goes. When mute the buzzer is not used."""
        self._panel, self._tell, self._mute = panel, tell, is_mute
        self._shown: Lamps | None = None

    def lines(self) -> list[str]:
        """What was pressed since the last call, as commands."""
        pressed: list[Button] = []
        self._try(lambda panel: pressed.extend(panel.presses()))
        return [LINES[button] for button in pressed]

    def answer(self, events: Iterable[Event]) -> None:
        """Tell who has pressed a button that it was heard, or that it is not possible."""
        self._beep(REFUSED if any(isinstance(event, Refused) for event in events) else HEARD)

    def show(self, standing: Standing, said: Announcement | None = None) -> None:
        """Show where the game stands; `said` is what was announced just now."""
        lamps = lamps_of(standing)
        if lamps != self._shown:
            self._try(lambda panel: panel.show(lamps))
        self._shown = lamps
        if said and (said.tone, said.kind) == (Tone.TROUBLE, Aloud.RULINGS):
            self._beep(OFFENCE)

    def close(self) -> None:
        """Everything off."""
        if self._panel:
            self._panel.close()

    def _beep(self, times: int) -> None:
        if not self._mute:
            self._try(lambda panel: panel.beep(times))

    def _try(self, use: Callable[[Panel], None]) -> None:
        if self._panel is None:
            return
        try:
            use(self._panel)
        except PanelError as error:
            self._tell(f"{error}; the game goes on without")
            self._panel.close()
            self._panel = None


def lamps_of(standing: Standing) -> Lamps:
    """Whose turn it is, and whether something keeps the game from going on."""
    if standing.result:
        return Lamps()
    turn = standing.position.turn if standing.ready else None
    return Lamps(turn is Side.RED, turn is Side.WHITE, standing.trouble is not None)

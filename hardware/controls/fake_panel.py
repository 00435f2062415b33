"""A panel whose buttons a test presses and whose lamps it sees."""

from __future__ import annotations

from hardware.panel import Button, Lamps, PanelError, Presses


class FakePanel:
    """Keeps what it shows; can be pulled out."""

    def __init__(self) -> None:
        self.lamps = Lamps()
        self.beeps: list[int] = []
        self.plugged = True
        self._presses = Presses()

    def press(self, *buttons: Button) -> None:
        """One after the other, each as long as it takes."""
        for button in buttons:
            self._presses.put(button)

    def pull_out(self) -> None:
        """From now on nothing works."""
        self.plugged = False

    def presses(self) -> list[Button]:
        self._touch()
        return self._presses.taken()

    def show(self, lamps: Lamps) -> None:
        self._touch()
        self.lamps = lamps

    def beep(self, times: int) -> None:
        self._touch()
        self.beeps.append(times)

    def close(self) -> None:
        self.lamps = Lamps()

    def _touch(self) -> None:
        if not self.plugged:
            raise PanelError("the panel fails: it was pulled out")

"""A voice that remembers what it was given and speaks as long as a test wants."""

from __future__ import annotations

from hardware.voice import Utterance


class FakeVoice:
    """Is busy from `say` to `finish`."""

    def __init__(self) -> None:
        self.heard: list[Utterance] = []
        """What was said to its end."""
        self.cut: list[Utterance] = []
        """What was cut off."""
        self._saying: Utterance | None = None

    @property
    def is_free(self) -> bool:
        return self._saying is None

    def say(self, said: Utterance) -> None:
        self.close()
        self._saying = said

    def finish(self) -> None:
        """Come to the end of what is being said."""
        if self._saying:
            self.heard.append(self._saying)
        self._saying = None

    wait = finish

    def close(self) -> None:
        if self._saying:
            self.cut.append(self._saying)
        self._saying = None

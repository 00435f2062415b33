"""What the voice at the board says of a game, and which sound goes before it."""

from __future__ import annotations

from hardware.speech.sounds import Sound
from hardware.voice import Utterance, Voice
from referee.announcer import Announcement, Speech, Tone
from referee.events import Event
from referee.language import Language, aloud
from referee.profiles import Aloud

SOUNDS = {
    (Tone.MOVE, Aloud.MOVES): Sound.MOVE,
    (Tone.TROUBLE, Aloud.RULINGS): Sound.OFFENCE,
    (Tone.TROUBLE, Aloud.DOUBT): Sound.UNSURE,
}
"""By how an announcement is meant and what it is about; the others have none."""


class Speaking:
    """Between the game and a voice, which may be missing."""

    def __init__(self, voice: Voice | None, language: Language) -> None:
        self._voice, self._language = voice, language
        self._speech = Speech()

    def hear(self, event: Event, said: Announcement | None) -> None:
        """What an event makes of what waits; `said` is what is to be said aloud of it."""
        self._speech = self._speech.after(event)
        if said:
            self._speech = self._speech.with_one(said)

    def go_on(self, time_ms: int) -> None:
        """Give the voice what is next. To be called with every frame; waits for nothing."""
        if self._voice is None:
            return
        self._say(self._speech.at(time_ms, self._voice.is_free))

    def finish(self) -> None:
        """Let what is being said come to its end, and then the last ruling or result."""
        if self._voice:
            self._voice.wait()
            self._say(self._speech.last_words())
            self._voice.wait()

    def _say(self, said: Announcement | None) -> None:
        if self._voice and said:
            self._voice.say(utterance(said, self._language))
            self._speech = self._speech.begun()

    def close(self) -> None:
        """Be silent."""
        if self._voice:
            self._voice.close()


def utterance(said: Announcement, language: Language) -> Utterance:
    """An announcement as it is heard."""
    sound = SOUNDS.get((said.tone, said.kind)) if said.kind else None
    return Utterance(aloud(said.text, language), sound)

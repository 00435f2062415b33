"""What the voice at the board says of a game, and which sound goes before it."""

from __future__ import annotations

from hardware.speech.sounds import Sound
from hardware.voice import Utterance, Voice
from referee.announcer import WEIGHTS, Announcement, Said, Speech, Tone, still_true
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
        self._news: Said = ()
        """What the frame has brought so far."""

    def hear(self, event: Event, said: Announcement | None) -> None:
        """What an event makes of what waits; `said` is what is to be said aloud of it."""
        self._speech = self._speech.after(event)
        self._news = still_true(self._news, event)
        if said:
            self._news = (*self._news, said)

    def go_on(self, time_ms: int) -> None:
        """Give the voice what is next. To be called with every frame; waits for nothing."""
        self._speech, self._news = self._speech.with_news(self._news), ()
        if self._voice:
            self._say(self._speech.at(time_ms, self._voice.is_free))

    def finish(self) -> None:
        """Let what is being said come to its end, and then the last ruling or result."""
        if self._voice:
            self._voice.wait()
            self._say(self._speech.last_words())
            self._voice.wait()

    def _say(self, said: Said) -> None:
        if self._voice and said:
            self._voice.say(in_one_breath(said, self._language))
            self._speech = self._speech.begun(said)

    def close(self) -> None:
        """Be silent."""
        if self._voice:
            self._voice.close()


def in_one_breath(said: Said, language: Language) -> Utterance:
    """What belongs together as it is heard, behind the sound of the weightiest that has one."""
    by_weight = sorted(said, key=lambda each: -WEIGHTS[each.tone])
    sounds = (utterance(each, language).sound for each in by_weight)
    words = _in_a_row([utterance(each, language).words for each in said])
    return Utterance(words, next(filter(None, sounds), None))


def _in_a_row(texts: list[str]) -> str:
    """Sentences one behind the other; what only says what happened has no full stop of its own."""
    *before, last = texts
    ended = (text if text.endswith((".", "?", "!")) else f"{text}." for text in before)
    return " ".join((*ended, last))


def utterance(said: Announcement, language: Language) -> Utterance:
    """An announcement as it is heard."""
    sound = SOUNDS.get((said.tone, said.kind)) if said.kind else None
    return Utterance(aloud(said.text, language), sound)

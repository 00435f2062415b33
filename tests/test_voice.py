"""The voice says one thing at a time, is cut off, and makes nobody wait."""

from __future__ import annotations

import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware import voice as voices
from hardware.speech.fake_voice import FakeVoice
from hardware.speech.sounds import Sound
from hardware.voice import Performance, Program, Speaker, Utterance, Voice, VoiceError

PATIENCE_S = 20.0
FOREVER = "time.sleep(600)"


class Script:
    """A mouth that speaks with a few lines of Python; the words are `words`."""

    def __init__(self, folder: Path, code: str, longest_s: float = PATIENCE_S) -> None:
        self.heard = folder / "heard"
        self._code = (
            f"import sys, time; words = sys.argv[1]; heard = open({str(self.heard)!r}, 'a')"
            f"\nprint(words, 'begun', file=heard, flush=True)\n{code}"
        )
        self.longest_s = longest_s

    def performance(self, said: Utterance) -> Performance:
        return Performance([sys.executable, "-c", self._code, said.words], self.longest_s)

    def lines(self) -> list[str]:
        return self.heard.read_text().splitlines() if self.heard.exists() else []


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not done() and time.monotonic() < end:
        time.sleep(0.005)
    assert done()


def has_ended(process: str) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] == "Z"
    except OSError:
        return True


Speak = Callable[..., Speaker]


@pytest.fixture
def told() -> list[str]:
    """What people were told."""
    return []


@pytest.fixture
def speak(told: list[str]) -> Iterator[Speak]:
    """Makes speakers, which are closed at the end."""
    made: list[Speaker] = []

    def new(mouth: voices.Mouth) -> Speaker:
        made.append(Speaker(mouth, told.append))
        return made[-1]

    yield new
    for speaker in made:
        speaker.close()


class TestSpeaker:
    def test_it_is_busy_until_its_words_are_over(self, speak: Speak, tmp_path: Path) -> None:
        script = Script(tmp_path, "time.sleep(1); print(words, 'ended', file=heard)")
        speaker = speak(script)
        assert speaker.is_free
        speaker.say(Utterance("a long sentence"))
        assert not speaker.is_free
        speaker.wait()
        assert speaker.is_free
        assert script.lines() == ["a long sentence begun", "a long sentence ended"]

    def test_what_is_being_said_is_cut_off_with_all_it_has_started(
        self, speak: Speak, told: list[str], tmp_path: Path
    ) -> None:
        child = f"[sys.executable, '-c', 'import time; {FOREVER}']"
        start = f"p = subprocess.Popen({child}); print(p.pid, file=heard, flush=True); p.wait()"
        script = Script(tmp_path, f"import subprocess\nif words == 'one': {start}")
        speaker = speak(script)
        speaker.say(Utterance("one"))
        until(lambda: len(script.lines()) == 2)
        speaker.say(Utterance("two"))
        speaker.wait()
        begun, child_id, second = script.lines()
        assert (begun, second) == ("one begun", "two begun")
        until(lambda: has_ended(child_id))
        assert told == []

    def test_only_the_last_of_many_at_once_is_said(self, speak: Speak, tmp_path: Path) -> None:
        script = Script(tmp_path, "")
        slow = threading.Event()

        class Slow:
            def performance(self, said: Utterance) -> Performance:
                slow.wait(PATIENCE_S)
                return script.performance(said)

        speaker = speak(Slow())
        for number in range(5):
            speaker.say(Utterance(str(number)))
        slow.set()
        speaker.wait()
        assert script.lines() == ["4 begun"]

    def test_a_player_that_hangs_is_ended_and_told_of_once(
        self, speak: Speak, told: list[str], tmp_path: Path
    ) -> None:
        script = Script(tmp_path, FOREVER, longest_s=0.5)
        speaker = speak(script)
        for words in ("one", "two"):
            speaker.say(Utterance(words))
            speaker.wait()
            assert speaker.is_free
        assert told == [f"{sys.executable} hangs; nothing was heard for a while"]

    def test_a_failure_is_told_with_its_reason_and_again_after_it_was_mended(
        self, speak: Speak, told: list[str], tmp_path: Path
    ) -> None:
        speaker = speak(Script(tmp_path, "sys.exit('lib: x\\n' + words if words[0] == 'n' else 0)"))
        for words in ("no card", "no card", "found", "no card"):
            speaker.say(Utterance(words))
            speaker.wait()
        assert told == [f"nothing is heard, {sys.executable} says: no card"] * 2

    def test_a_program_that_has_gone_is_told_of(self, speak: Speak, told: list[str]) -> None:
        class Gone:
            def performance(self, said: Utterance) -> Performance:
                return Performance(["/nowhere/player"], PATIENCE_S)

        speaker = speak(Gone())
        speaker.say(Utterance("one"))
        speaker.wait()
        assert told == ["/nowhere/player cannot be run: No such file or directory"]

    def test_a_full_disk_is_told_of_and_over_when_there_is_room(
        self, speak: Speak, told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full() -> None:
            raise OSError(28, "No space left on device")

        script = Script(tmp_path, "")
        speaker = speak(script)
        with monkeypatch.context() as patch:
            patch.setattr(voices, "TemporaryFile", full)
            speaker.say(Utterance("one"))
            speaker.wait()
        speaker.say(Utterance("two"))
        speaker.wait()
        assert told == ["nothing is heard: No space left on device"]
        assert script.lines() == ["two begun"]

    def test_closing_does_not_wait(self, speak: Speak, tmp_path: Path) -> None:
        script = Script(tmp_path, FOREVER)
        speaker = speak(script)
        speaker.say(Utterance("endless"))
        until(lambda: script.lines() == ["endless begun"])
        speaker.close()
        until(lambda: not any(thread is speaker._thread for thread in threading.enumerate()))

    def test_waiting_for_the_end_has_an_end(
        self, speak: Speak, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(voices, "LAST_WORDS_S", 0.1)
        speaker = speak(Script(tmp_path, FOREVER))
        speaker.say(Utterance("endless"))
        speaker.wait()
        assert not speaker.is_free


class TestProgram:
    @pytest.mark.parametrize("sentence", ['it\'s "22x15"; rm $HOME', "Weiß", "-v", "a\nb"])
    def test_a_sentence_is_one_argument_and_no_option(self, sentence: str) -> None:
        program = Program(f"{shlex.quote(sys.executable)} 'a b' -c")
        said = program.performance(Utterance(sentence, Sound.MOVE))
        assert said.command == [sys.executable, "a b", "-c", sentence.lstrip("-")]

    @pytest.mark.parametrize("command", ["", "no-such-program-anywhere -v en", 'espeak-ng "x'])
    def test_a_program_that_is_missing_is_told_at_once(self, command: str) -> None:
        with pytest.raises(VoiceError, match="no program"):
            Program(command)


@pytest.fixture(params=["speaker", "fake"])
def any_voice(
    request: pytest.FixtureRequest, speak: Speak, tmp_path: Path
) -> tuple[Voice, Callable[[], None]]:
    """Every voice, and what brings its words to their end."""
    if request.param == "speaker":
        speaker = speak(Script(tmp_path, "time.sleep(1)"))
        return speaker, speaker.wait
    fake = FakeVoice()
    return fake, fake.finish


class TestEveryVoice:
    def test_it_is_free_before_and_after(self, any_voice: tuple[Voice, Callable[[], None]]) -> None:
        voice, end = any_voice
        assert voice.is_free
        voice.say(Utterance("one"))
        assert not voice.is_free
        end()
        assert voice.is_free

    def test_it_may_be_closed_at_any_time(
        self, any_voice: tuple[Voice, Callable[[], None]]
    ) -> None:
        voice, _ = any_voice
        voice.say(Utterance("one"))
        voice.close()
        voice.close()
        until(lambda: voice.is_free)

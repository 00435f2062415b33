"""The real espeak-ng and the real aplay, into a sound card that is a file.

ALSA's `file` device takes what a loudspeaker would, and keeps it.
"""

from __future__ import annotations

import math
import os
import shutil
import wave
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.speech import espeak
from hardware.speech.cache import Cache
from hardware.speech.espeak import Espeak, missing, player
from hardware.speech.sounds import Sound, composed, length_s
from hardware.voice import Speaker, Utterance, Voice, VoiceError
from hardware.voices import open_voice

PROGRAMS = ("espeak-ng", "aplay")
MISSING = [name for name in PROGRAMS if shutil.which(name) is None]
heard = pytest.mark.skipif(
    bool(MISSING), reason=f"NOT TESTED WITHOUT {' AND '.join(MISSING)}: NO SPEECH IS HEARD"
)
FULL_SCALE = 32_768
LEAD_S = 0.3
"""So much loudspeakers on cables and radio swallow."""
QUIET = 33
"""Of full scale 32768, -60 dBFS: nothing that is heard."""
RULING = "White must capture. White is warned. Put the man back on 21 and play: 22 jumps to 15."


def samples(path: Path) -> tuple[int, array[int]]:
    """Samples a second, and the samples."""
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        return file.getframerate(), array("h", file.readframes(file.getnframes()))


def peak_db(heights: array[int]) -> float:
    return 20 * math.log10(max(map(abs, heights)) / FULL_SCALE)


def rms_db(heights: array[int]) -> float:
    return 10 * math.log10(sum(height**2 for height in heights) / len(heights) / FULL_SCALE**2)


@pytest.fixture
def loudspeaker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the sound card gets."""
    captured, settings = tmp_path / "captured.wav", tmp_path / "asound.conf"
    settings.write_text(
        f'pcm.!default {{ type file file "{captured}" format "wav" slave.pcm {{ type null }} }}\n'
        f'pcm.hall {{ type file file "{tmp_path / "hall.wav"}" format "wav"'
        " slave.pcm { type null } }\n"
    )
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(settings))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    return captured


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def voice(loudspeaker: Path, told: list[str], tmp_path: Path) -> Iterator[Voice]:
    voice = open_voice(told.append, cache=tmp_path / "cache")
    yield voice
    voice.close()
    assert told == []


def say(voice: Voice, words: str, sound: Sound | None = None) -> None:
    voice.say(Utterance(words, sound))
    voice.wait()
    assert voice.is_free


@heard
class TestHeard:
    @pytest.mark.parametrize("sound", [None, *Sound])
    def test_a_sentence_is_loud_and_does_not_clip(
        self, sound: Sound | None, voice: Voice, loudspeaker: Path
    ) -> None:
        say(voice, RULING, sound)
        rate, heights = samples(loudspeaker)
        assert peak_db(heights) < 0
        assert -25 < rms_db(heights) < -15
        assert 5 < len(heights) / rate < 12

    @pytest.mark.parametrize(
        "words",
        [
            "11 hat geantwortet, ohne zu krönen. Kröne zuerst den Stein auf 11.",
            "Die erste Stellung steht noch nicht: schau auf die Felder 3, 11 und 22",
        ],
    )
    def test_nor_do_the_loudest_german_sentences(
        self, words: str, loudspeaker: Path, told: list[str], tmp_path: Path
    ) -> None:
        voice = open_voice(told.append, cache=tmp_path / "cache", voice="de")
        say(voice, words)
        voice.close()
        assert rms_db(samples(loudspeaker)[1]) > -25
        assert peak_db(samples(loudspeaker)[1]) < -0.5

    def test_silence_comes_first_then_the_sound_then_the_words(
        self, voice: Voice, loudspeaker: Path
    ) -> None:
        say(voice, "Red 11 to 15", Sound.OFFENCE)
        rate, heights = samples(loudspeaker)
        alone = composed(None, Sound.OFFENCE)
        lead, end = round(LEAD_S * rate), round(length_s(alone) * rate)
        assert not any(heights[:lead])
        assert peak_db(heights[lead:end]) > -15
        assert rms_db(heights[end:]) > -25

    def test_a_move_takes_two_seconds(self, voice: Voice, loudspeaker: Path) -> None:
        say(voice, "Red 11 to 15", Sound.MOVE)
        rate, heights = samples(loudspeaker)
        assert 1 < len(heights) / rate < 3

    def test_sentences_are_played_one_after_the_other(
        self, voice: Voice, loudspeaker: Path
    ) -> None:
        lengths = []
        for words in ("Red 11 to 15", RULING):
            say(voice, words)
            lengths.append(len(samples(loudspeaker)[1]))
        assert lengths[1] > 3 * lengths[0]

    def test_half_the_volume_is_quieter(
        self, loudspeaker: Path, told: list[str], tmp_path: Path
    ) -> None:
        loud = []
        for volume in (100, 50, 0):
            voice = open_voice(told.append, cache=tmp_path / "cache", volume=volume)
            say(voice, "Red 11 to 15", Sound.MOVE)
            loud.append(max(map(abs, samples(loudspeaker)[1])))
            voice.close()
        assert loud[0] > 1.5 * loud[1] > 0
        assert loud[2] < QUIET

    def test_german_sounds_other_than_english(
        self, loudspeaker: Path, told: list[str], tmp_path: Path
    ) -> None:
        spoken = []
        for language in ("en", "de"):
            voice = open_voice(told.append, cache=tmp_path / "cache", voice=language)
            say(voice, "Rot 11 nach 15")
            spoken.append(loudspeaker.read_bytes())
            voice.close()
        assert spoken[0] != spoken[1]
        assert told == []

    def test_the_device_is_ones_own_choice(
        self, loudspeaker: Path, told: list[str], tmp_path: Path
    ) -> None:
        voice = open_voice(told.append, cache=tmp_path / "cache", device="hall")
        say(voice, "Red 11 to 15")
        voice.close()
        assert (tmp_path / "hall.wav").exists()
        assert not loudspeaker.exists()

    def test_a_device_that_is_not_there_is_told_of_once(
        self, loudspeaker: Path, told: list[str], tmp_path: Path
    ) -> None:
        voice = open_voice(told.append, cache=tmp_path / "cache", device="nowhere")
        say(voice, "Red 11 to 15")
        say(voice, "White 22 to 18")
        voice.close()
        assert len(told) == 1
        assert told[0].startswith("nothing is heard, aplay says: aplay: main")
        assert "audio open error" in told[0]

    def test_a_voice_that_is_not_there_is_told_of(
        self, loudspeaker: Path, told: list[str], tmp_path: Path
    ) -> None:
        voice = open_voice(told.append, cache=tmp_path / "cache", voice="tlh-nowhere")
        say(voice, "Red 11 to 15")
        voice.close()
        assert [sentence.startswith("espeak-ng cannot speak") for sentence in told] == [True]

    @pytest.mark.parametrize("words", ["--version", "-w /dev/full", "[[nonsense]] <b>", "Weiß, Ďž"])
    def test_no_words_can_be_anything_but_words(
        self, words: str, voice: Voice, loudspeaker: Path
    ) -> None:
        say(voice, words)
        assert max(map(abs, samples(loudspeaker)[1])) > QUIET

    def test_an_endless_name_is_cut_short(self, voice: Voice, tmp_path: Path) -> None:
        say(voice, "Anna " * 10_000)
        (made,) = (tmp_path / "cache").iterdir()
        assert length_s(made.read_bytes()) < 60


@heard
class TestKept:
    @pytest.fixture
    def mouth(self, tmp_path: Path) -> Espeak:
        return Espeak(["aplay"], Cache(tmp_path / "cache"))

    def test_a_sentence_is_made_once(self, mouth: Espeak, monkeypatch: pytest.MonkeyPatch) -> None:
        first = mouth.performance(Utterance("Red 11 to 15"))
        monkeypatch.setattr(espeak, "ESPEAK", "no-such-program-anywhere")
        assert mouth.performance(Utterance("Red 11 to 15")) == first

    def test_other_words_sounds_voices_and_volumes_are_other_files(self, tmp_path: Path) -> None:
        cache = Cache(tmp_path / "cache")
        mouths = [Espeak(["aplay"], cache, "en"), Espeak(["aplay"], cache, "de")]
        mouths.append(Espeak(["aplay"], cache, "en", 50))
        said = [Utterance("Rot 1"), Utterance("Rot 2"), Utterance("Rot 1", Sound.MOVE)]
        files = {mouth.performance(each).command[-1] for mouth in mouths for each in said}
        assert len(files) == 9

    @pytest.mark.parametrize("left", [0, 30, 500])
    def test_a_file_cut_short_is_made_anew(self, left: int, mouth: Espeak) -> None:
        said = Utterance("Red 11 to 15")
        path = Path(mouth.performance(said).command[-1])
        whole = path.read_bytes()
        path.write_bytes(whole[:left])
        mouth.performance(said)
        assert path.read_bytes() == whole

    def test_a_full_disk_is_told_of(
        self, told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: object) -> Path:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Cache, "keep", full)
        speaker = Speaker(Espeak(["aplay"], Cache(tmp_path)), told.append)
        say(speaker, "Red 11 to 15")
        speaker.close()
        assert told == ["no words can be made: [Errno 28] No space left on device"]


class TestCache:
    def test_the_least_used_go_first(self, tmp_path: Path) -> None:
        cache = Cache(tmp_path, most_bytes=25)
        for number, name in enumerate(("a", "b")):
            os.utime(cache.keep(name, bytes(10)), (number, number))
        assert cache.found("a")  # used now, so b is older
        cache.keep("c", bytes(10))
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "c"]

    def test_the_newest_stays_whatever_its_size(self, tmp_path: Path) -> None:
        cache = Cache(tmp_path, most_bytes=25)
        cache.keep("a", bytes(10))
        cache.keep("b", bytes(100))
        assert [path.name for path in tmp_path.iterdir()] == ["b"]

    def test_a_folder_that_cannot_be_is_replaced(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        cache = Cache(tmp_path / "file" / "cache")
        assert cache.keep("a", b"1").read_bytes() == b"1"
        shutil.rmtree(cache.folder)


class TestSounds:
    @pytest.mark.parametrize("sound", Sound)
    def test_a_sound_is_short_audible_and_not_loud(self, sound: Sound, tmp_path: Path) -> None:
        wav = tmp_path / "sound.wav"
        wav.write_bytes(composed(None, sound))
        rate, heights = samples(wav)
        assert LEAD_S < len(heights) / rate < LEAD_S + 0.6
        assert -15 < peak_db(heights) < -6

    def test_sounds_differ(self) -> None:
        assert len({composed(None, sound) for sound in Sound}) == len(Sound)

    @pytest.mark.parametrize("wav", [b"", b"RIFF", composed(None, Sound.MOVE)[:-2]])
    def test_what_is_no_whole_file_is_refused(self, wav: bytes) -> None:
        with pytest.raises(wave.Error):
            length_s(wav)


class TestPrograms:
    @pytest.fixture
    def path(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """The only folder in which programs are looked for."""
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
        return tmp_path

    def install(self, path: Path, *names: str) -> None:
        for name in names:
            (path / name).touch(mode=0o700)

    def test_nothing_there_is_one_sentence(self, path: Path) -> None:
        with pytest.raises(VoiceError, match=r"sudo apt install espeak-ng alsa-utils$"):
            open_voice(pytest.fail)

    def test_only_what_is_missing_is_named(self, path: Path) -> None:
        self.install(path, "espeak-ng")
        advice = missing(player())
        assert advice is not None
        assert advice.endswith("install alsa-utils")

    def test_a_desktop_plays_by_pipewire_where_no_device_is_named(self, path: Path) -> None:
        self.install(path, "pw-play", "aplay", "espeak-ng")
        assert player() == ["aplay", "-q"]  # no session
        (path / "pipewire-0").touch()
        assert player() == ["pw-play"]
        assert player("hw:1") == ["aplay", "-q", "-D", "hw:1"]
        assert missing(player()) is None

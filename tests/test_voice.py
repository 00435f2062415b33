"""The voice speaks what it is given, one sentence at a time, and waits for nobody."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from hardware import voice as voices
from hardware.voice import Voice, VoiceError

PATIENCE_S = 20.0


def speaker(folder: Path, code: str) -> str:
    """A program that appends what it is told to say to `heard`."""
    program = folder / "speak.py"
    program.write_text(f"import sys, time\n{code}\nopen(sys.argv[1], 'a').write(sys.argv[2])\n")
    return f"{sys.executable} '{program}' '{folder / 'heard'}'"


def wait_until_free(voice: Voice) -> None:
    end = time.monotonic() + PATIENCE_S
    while not voice.is_free and time.monotonic() < end:
        time.sleep(0.01)


def test_a_sentence_is_one_argument_whatever_is_in_it(tmp_path: Path) -> None:
    voice = Voice(speaker(tmp_path, ""))
    sentence = "Red must capture: 15x22 or '11x18'; $HOME (WCDF 3.7)."
    assert voice.is_free
    voice.say(sentence)
    wait_until_free(voice)
    assert voice.is_free
    assert (tmp_path / "heard").read_text() == sentence


def test_it_is_not_free_while_it_speaks(tmp_path: Path) -> None:
    voice = Voice(speaker(tmp_path, "sys.stdin.read(); time.sleep(0.5)"))
    voice.say("a long sentence")
    assert not voice.is_free
    voice.close()
    assert (tmp_path / "heard").read_text() == "a long sentence"


def test_a_program_that_never_ends_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voices, "LAST_WORDS_S", 0.1)
    voice = Voice(speaker(tmp_path, "time.sleep(600)"))
    voice.say("endless")
    voice.close()
    assert voice.is_free
    assert not (tmp_path / "heard").exists()


@pytest.mark.parametrize("command", ["", "no-such-program-anywhere -v en"])
def test_a_program_that_is_missing_is_told_at_once(command: str) -> None:
    with pytest.raises(VoiceError, match="no program"):
        Voice(command)


def test_closing_a_voice_that_never_spoke(tmp_path: Path) -> None:
    Voice(sys.executable).close()

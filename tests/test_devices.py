"""Who speaks when: cameras do, recordings only when asked, and nothing that is missing matters."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hardware.camera import Frame
from hardware.cameras.paced import paced
from hardware.controls.fake_panel import FakePanel
from hardware.controls.gpio import Pins
from hardware.panel import PanelError
from hardware.speech.fake_voice import FakeVoice
from hardware.voice import VoiceError
from referee.errors import InputError
from referee.german import GERMAN
from referee.settings.knobs import KNOBS, PanelSettings, Settings, VoiceSettings
from referee.verbs import devices
from referee.verbs.devices import Devices, add_devices, devices_from, speaking
from referee.verbs.settings import add_config, settings

PROGRAM = "spd-say --wait"


@dataclass
class Source:
    """A recording of some length, or a live camera."""

    length_ms: int | None

    def frames(self) -> Iterator[Frame]:
        return iter(())


LIVE, RECORDED = Source(None), Source(60_000)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What voices and panels were opened with; they are fakes."""
    asked: list[dict[str, Any]] = []

    def voice(_tell: Callable[[str], None], **wish: Any) -> FakeVoice:
        asked.append(wish)
        return FakeVoice()

    def panel(kind: str, _tell: Callable[[str], None], **wish: Any) -> FakePanel | None:
        asked.append({"kind": kind, **wish})
        return FakePanel() if kind != "off" else None

    monkeypatch.setattr(devices, "open_voice", voice)
    monkeypatch.setattr(devices, "open_panel", panel)
    return asked


def wanted(source: Source, *words: str, file: Path | None = None) -> Devices:
    parser = argparse.ArgumentParser()
    add_config(parser)
    add_devices(parser)
    config = ["--config", str(file)] if file else []
    return devices_from(settings(parser.parse_args([*config, *words])), source)


def test_a_kept_game_is_spoken_in_its_own_language(monkeypatch: pytest.MonkeyPatch) -> None:
    voices: list[str] = []
    monkeypatch.setattr(devices, "open_voice", lambda *_, **wish: voices.append(wish["voice"]))
    chosen = Settings(voice=VoiceSettings(speak="always"))
    devices_from(speaking(chosen, GERMAN), Source(None)).voice(print)
    assert voices == ["de"]


class TestVoice:
    @pytest.mark.parametrize(
        ("source", "words", "speaks"),
        [
            pytest.param(LIVE, [], True, id="camera"),
            pytest.param(RECORDED, [], False, id="recording"),
            pytest.param(RECORDED, ["--voice"], True, id="recording-asked"),
            pytest.param(RECORDED, ["--say", PROGRAM], True, id="recording-program"),
            pytest.param(LIVE, ["--mute"], False, id="mute"),
        ],
    )
    def test_cameras_speak_and_recordings_when_asked(
        self, source: Source, words: list[str], speaks: bool, opened: list[dict[str, Any]]
    ) -> None:
        assert (wanted(source, *words).voice(pytest.fail) is not None) == speaks
        assert bool(opened) == speaks

    @pytest.mark.parametrize("words", [["--mute", "--say", "x"], ["--say", "x", "--mute"]])
    def test_nobody_wants_a_program_and_no_sound(
        self, words: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit):
            wanted(LIVE, *words)
        assert "not allowed with argument" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("source", "speak", "speaks"),
        [(LIVE, "never", False), (RECORDED, "always", True), (RECORDED, "live", False)],
    )
    def test_a_file_decides_for_good(
        self,
        source: Source,
        speak: str,
        speaks: bool,
        opened: list[dict[str, Any]],
        tmp_path: Path,
    ) -> None:
        file = tmp_path / "referee.toml"
        file.write_text(f'[voice]\nspeak = "{speak}"\nsay = "{PROGRAM}"\n')
        assert (wanted(source, file=file).voice(pytest.fail) is not None) == speaks

    def test_the_voice_is_as_it_was_asked_for(self, opened: list[dict[str, Any]]) -> None:
        wanted(LIVE, "--sound-device", "hw:1", "--volume", "70").voice(pytest.fail)
        assert opened == [{"program": None, "voice": "en", "device": "hw:1", "volume": 70}]

    def test_without_programs_it_is_a_sentence_and_no_voice(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        told: list[str] = []
        assert wanted(LIVE).voice(told.append) is None
        assert told == ["there is no voice; for one: sudo apt install espeak-ng alsa-utils"]

    def test_a_program_that_was_named_must_be_there(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def gone(*_: Any, **__: Any) -> None:
            raise VoiceError("there is no program")

        monkeypatch.setattr(devices, "open_voice", gone)
        with pytest.raises(InputError, match="there is no program"):
            wanted(LIVE, "--say", PROGRAM).voice(pytest.fail)


class TestPanel:
    def test_it_is_off_until_asked_for(self, opened: list[dict[str, Any]]) -> None:
        wanted(LIVE).signals(pytest.fail)
        assert opened[0]["kind"] == "off"

    def test_pins_come_from_the_file(self, opened: list[dict[str, Any]], tmp_path: Path) -> None:
        file = tmp_path / "referee.toml"
        file.write_text('[panel]\nkind = "gpio"\nbuzzer = 0\nclaim = 25\nhold_s = 1\n')
        wanted(LIVE, file=file).signals(pytest.fail)
        assert opened == [{"kind": "gpio", "pins": Pins(buzzer=0, claim=25), "hold_s": 1}]

    def test_the_settings_have_the_pins_of_the_panel(self) -> None:
        usual = PanelSettings()
        for name in Pins.__dataclass_fields__:
            assert getattr(usual, name) == getattr(Pins(), name)
            assert f"panel.{name}" in KNOBS

    def test_one_that_is_missing_is_a_sentence_and_the_game_goes_on(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def gone(*_: Any, **__: Any) -> None:
            raise PanelError("there is no panel")

        monkeypatch.setattr(devices, "open_panel", gone)
        told: list[str] = []
        signals = wanted(LIVE, "--panel", "gpio").signals(told.append)
        assert signals.lines() == []
        assert told == ["there is no panel"]


def test_a_recording_at_its_own_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = [50.0], list[float]()

    def sleep(seconds: float) -> None:
        slept.append(round(seconds, 3))
        now[0] += seconds

    monkeypatch.setattr(time, "sleep", sleep)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    image = np.zeros((1, 1, 3), np.uint8)
    given = [Frame(image, time_ms) for time_ms in (40, 140, 240, 340)]
    for frame in paced(given):
        now[0] += 0.25 if frame.time_ms == 140 else 0.03  # one look takes long
    assert slept == [0.0, 0.07, 0.0, 0.0]

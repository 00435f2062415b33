"""Whole games through the real picamera2, which only `make test-pi` has."""

from __future__ import annotations

import itertools
import json
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sample_images
from hardware.camera import Frame, Image, Wishes, borrowed_frames
from hardware.cameras import gate
from hardware.cameras.holding import BY_HAND, BY_ITSELF, HELD, SCANNING
from hardware.cameras.pi import PiCamera
from hardware.sources import open_camera
from referee import cli
from referee.events import Irregular, Played
from referee.game import begin
from referee.notation import write_pdn
from referee.watching import follow
from sample_images.truth import read

if "VIRTUAL_CAMERA" not in os.environ:
    pytest.skip("needs make test-pi", allow_module_level=True)

import libcamera

from tests.pi import virtual

FOLDER = Path(sample_images.__file__).parent
REEL = 150
"""Pictures that the virtual camera is given at once: it holds them in memory, 5 MB each."""
STEP_MS = 125
"""Between two pictures of the film."""
WISHES = Wishes(memory=None)


def film() -> Iterator[Frame]:
    with borrowed_frames(open_camera(str(FOLDER / "demo.mp4"))) as frames:
        yield from frames


class Camera(virtual.Triggered):
    step_ms = STEP_MS


def by_the_camera(pictures: Iterator[Image]) -> Iterator[Frame]:
    """The pictures as pi:0 gives them, a reel after the other."""
    for start_ms in itertools.count(0, REEL * STEP_MS):
        reel = list(itertools.islice(pictures, REEL))
        if not reel:
            return
        virtual.show(reel)
        with borrowed_frames(PiCamera(0, WISHES)) as frames:
            for frame in itertools.islice(frames, len(reel)):
                yield replace(frame, time_ms=start_ms + frame.time_ms)


def test_a_whole_game_is_recorded_as_from_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    virtual.install(monkeypatch, Camera)
    steps = list(follow(by_the_camera(frame.image for frame in film()), begin()))
    kept = (FOLDER / "demo.pdn").read_text(encoding="utf-8")
    assert write_pdn(steps[-1].game.record({"Event": "demo"})) == kept
    events = [event for step in steps for event in step.events]
    (truth,) = read(FOLDER / "demo.truth.json")
    assert [event.fen for event in events if isinstance(event, Played)] == [
        event.fen for event in truth.events if event.name == "played"
    ]
    assert [(event.kind.value, event.side) for event in events if isinstance(event, Irregular)] == [
        (event.kind, event.side) for event in truth.events if event.name == "irregular"
    ]


def test_a_board_at_which_somebody_thinks_is_hardly_converted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    virtual.install(monkeypatch, virtual.Triggered)
    first, rng = next(film()).image, np.random.default_rng(1)
    shots = [np.clip(first + rng.normal(0, 2, first.shape), 0, 255) for _ in range(30)]
    virtual.show([shot.astype(np.uint8) for shot in shots])
    with borrowed_frames(PiCamera(0, WISHES)) as frames:
        stills = [frame.still for frame in itertools.islice(frames, 30)]
    assert stills.count(False) <= 4


class Live(Camera):
    """As fast as the film; somebody types Ctrl-C as soon as there is a record."""

    record = Path()
    patience_s = 200

    def start_(self) -> None:
        self.end_s = time.monotonic() + self.patience_s
        super().start_()

    def capture_request(self, wait: float) -> object:
        time.sleep(STEP_MS / 1000)
        if self.record.exists() or time.monotonic() > self.end_s:
            os.kill(os.getpid(), signal.SIGINT)
        return super().capture_request(wait=wait)


def test_watch_begins_a_game_live(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Live.record = tmp_path / "game.pdn"
    virtual.install(monkeypatch, Live)
    virtual.show([frame.image for frame in itertools.islice(film(), 16)])
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    status = cli.main(["watch", "pi:0", "--json", "--pdn", str(Live.record)])
    assert status == cli.SIGNALLED + signal.SIGINT
    events = [json.loads(line)["event"] for line in capsys.readouterr().out.splitlines()]
    assert "ready" in events


def test_controls_are_called_as_libcamera_calls_them() -> None:
    names = {name for name in dir(libcamera.controls) if not name.startswith("_")}
    assert {*HELD, *BY_HAND, *BY_ITSELF, "FrameDurationLimits"} <= names
    controls = libcamera.controls
    assert int(controls.AfModeEnum.Manual) == BY_HAND["AfMode"]
    assert int(controls.AfModeEnum.Auto) == BY_ITSELF["AfMode"]
    assert int(controls.AfTriggerEnum.Start) == BY_ITSELF["AfTrigger"]
    assert int(controls.AfStateEnum.Scanning) == SCANNING


def speed(pictures: list[Image]) -> tuple[str, float, float]:
    """The size of a picture, how many come in a second, and milliseconds of this thread each."""
    virtual.show(pictures)
    with borrowed_frames(PiCamera(0, WISHES)) as frames:
        height, width = next(frames).image.shape[:2]
        start_s, start_cpu_s = time.perf_counter(), time.thread_time()
        count = sum(1 for _ in itertools.islice(frames, 500))
        own_ms = 1000 * (time.thread_time() - start_cpu_s) / count
        return f"{width}x{height}", count / (time.perf_counter() - start_s), own_ms


def test_speed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Recorded, not judged: the virtual camera gives pictures as fast as it is asked."""
    virtual.install(monkeypatch, virtual.Picamera2)
    reel = [frame.image for frame in itertools.islice(film(), 10)]
    _, _, still_ms = speed(reel[:1])
    monkeypatch.setattr(gate, "KEPT_NS", 0)
    size, rate, own_ms = speed(reel)
    with capsys.disabled():
        print(
            f"\npi:0 by picamera2 at {size}, NV12 to BGR: {rate:.0f} frames a second,"
            f" {own_ms:.2f} ms of this thread's time each, {still_ms:.2f} ms if nothing is new"
        )
    assert still_ms < own_ms

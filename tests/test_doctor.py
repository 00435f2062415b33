"""The doctor: each thing that can be wrong, once; what is not there is no illness."""

from __future__ import annotations

import itertools
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera import CameraError
from hardware.cameras.fake import FakeCamera
from referee import cli
from referee.doctor import trying
from referee.doctor.checks import CHECKS, State, examine
from referee.doctor.machine import Camera, Device, Machine, Module, Picture
from referee.doctor.mounts import is_lost_at_power_off, switches
from referee.doctor.probing import Answer, Computer, Looked, modules, probe, sources
from referee.doctor.report import report, scrub
from referee.settings.files import Reading
from referee.settings.knobs import CameraSettings, GamesSettings, Settings
from tests.test_cli import complaint, lines

PROJECT = Path(__file__).parents[1]
CLASH = (
    "ValueError: numpy.dtype size changed, may indicate binary incompatibility."
    " Expected 96 from C header, got 88 from PyObject"
)
MODULES = {name: Module("1.0") for name in ("numpy", "cv2", "simplejpeg", "picamera2", "gpiozero")}
FRAME = Picture(1280, 720, 29.6, 120.0, 50.0, True, 90.0)
CARDS = (
    "**** List ****\ncard 0: Headphones [bcm2835 Headphones], device 0: x\ncard 1: vc4hdmi [y]\n"
)
PI = Machine(
    architecture="aarch64",
    model="Raspberry Pi 4 Model B Rev 1.4",
    modules=MODULES,
    devices={
        "video0": Device(True, "video"),
        "gpiochip0": Device(True, "gpio"),
        "snd/pcmC0D0p": Device(True, "audio"),
    },
    cameras=(Camera("pi:0", FRAME),),
    programs=frozenset({"aplay", "espeak-ng"}),
    cards=CARDS,
    throttled="throttled=0x0\n",
    celsius=48.3,
    synchronized=True,
    calibration="",
)
LAPTOP = Machine(modules={name: Module("1.0") for name in ("numpy", "cv2")})
USB = Camera("usb:0", FRAME)


def by_matter(machine: Machine):
    return {finding.matter: finding for finding in examine(machine)}


class TestChecks:
    def test_a_sound_raspberry_pi_has_nothing(self):
        assert {finding.state for finding in examine(PI)} == {State.OK}
        assert not any(finding.advice for finding in examine(PI))

    def test_a_laptop_lacks_much_and_nothing_is_wrong(self):
        states = {matter: finding.state for matter, finding in by_matter(LAPTOP).items()}
        absent = {matter for matter, state in states.items() if state is State.ABSENT}
        assert absent == {"picamera2", "Camera", "Sound", "GPIO", "Power", "Clock"}
        assert set(states.values()) == {State.ABSENT, State.OK}

    def test_every_check_is_made(self):
        assert len(CHECKS) == len({check.__name__ for check in CHECKS})
        matters = {finding.matter for finding in examine(replace(PI, celsius=90.0))}
        assert len(matters) >= len(CHECKS)

    @pytest.mark.parametrize(
        ("machine", "matter", "state", "advice"),
        [
            pytest.param(
                replace(PI, python=(3, 9, 2)), "Python", State.WRONG, "3.11", id="old-python"
            ),
            pytest.param(
                replace(PI, architecture="armv7l"), "Python", State.ADVICE, "64-bit", id="32-bit"
            ),
            pytest.param(
                replace(PI, modules={}), "numpy", State.WRONG, "make demo", id="no-numpy"
            ),
            pytest.param(
                replace(PI, modules={**MODULES, "cv2": Module(error="ImportError: libGL.so.1: x")}),
                "OpenCV", State.WRONG, "apt install libgl1", id="no-libgl",
            ),
            pytest.param(
                replace(PI, modules={**MODULES, "simplejpeg": Module(error=CLASH)}),
                "picamera2", State.WRONG, "'numpy<2' 'opencv-python<4.12'", id="clash",
            ),
            pytest.param(
                replace(PI, modules={**MODULES, "picamera2": Module(error="No module 'pykms'")}),
                "picamera2", State.WRONG, "--reinstall python3-picamera2", id="bad-picamera2",
            ),
            pytest.param(
                replace(PI, modules=LAPTOP.modules), "picamera2", State.ADVICE,
                "apt install python3-picamera2", id="no-picamera2",
            ),
            pytest.param(
                replace(PI, cameras=()), "Camera", State.ADVICE, "plug a camera in", id="no-camera"
            ),
            pytest.param(
                replace(PI, cameras=(Camera("usb:3", error="there is no camera; plug one in"),)),
                "Camera usb:3", State.WRONG, "plug one in", id="named-camera-missing",
            ),
            pytest.param(
                replace(PI, cameras=(Camera("usb:C920", error="it gives no picture"),)),
                "Camera usb:C920", State.WRONG, "cable and power", id="silent-camera",
            ),
            pytest.param(
                replace(PI, cameras=(Camera("usb:HD-3000", error="it gives no picture"),)),
                "Camera usb:…", State.WRONG, "cable and power", id="long-name",
            ),
            pytest.param(
                replace(PI, cards="", tone=""), "Sound", State.OK, "", id="tone-in-the-air"
            ),
            pytest.param(
                replace(PI, cards="", tone="it failed"), "Sound", State.WRONG,
                "plug a loudspeaker in", id="nothing-to-play-it",
            ),
            pytest.param(
                replace(LAPTOP, devices=PI.devices | {"gpiochip0": Device(False, "root")}),
                "Rights", State.OK, "", id="pins-of-a-laptop",
            ),
            pytest.param(
                replace(PI, cameras=(Camera("a.jpg", error="it holds no picture"),)),
                "Camera of a file", State.WRONG, "name another SOURCE", id="no-video",
            ),
            pytest.param(
                replace(PI, cameras=(Camera("pi:0", error="x", asked=False), USB)),
                "Camera pi:0", State.ABSENT, "", id="another-camera-is-there",
            ),
            pytest.param(
                replace(PI, cameras=(Camera("usb:0", replace(FRAME, contrast=2.0)),)),
                "Camera usb:0", State.WRONG, "cap", id="cap-on",
            ),
            pytest.param(
                replace(PI, cameras=(Camera("usb:0", replace(FRAME, brightness=20.0)),)),
                "Camera usb:0", State.ADVICE, "more light", id="dark",
            ),
            pytest.param(
                replace(PI, cameras=(Camera("usb:0", replace(FRAME, brightness=240.0)),)),
                "Camera usb:0", State.ADVICE, "less light", id="glaring",
            ),
            pytest.param(
                replace(PI, cameras=(Camera("usb:0", replace(FRAME, rate=1.5)),)),
                "Camera usb:0", State.ADVICE, "cable", id="slow-camera",
            ),
            pytest.param(
                replace(PI, cards=None), "Sound", State.ADVICE, "alsa-utils", id="no-aplay"
            ),
            pytest.param(
                replace(PI, cards="aplay: no soundcards found"), "Sound", State.ABSENT,
                "USB loudspeaker", id="no-loudspeaker",
            ),
            pytest.param(
                replace(PI, tone="audio open error: Device or resource busy"), "Sound",
                State.WRONG, "aplay -L", id="no-tone",
            ),
            pytest.param(
                replace(PI, programs=frozenset({"aplay"})), "Voice", State.ADVICE,
                "apt install espeak-ng", id="no-espeak",
            ),
            pytest.param(
                replace(PI, modules={k: v for k, v in MODULES.items() if k != "gpiozero"}),
                "GPIO", State.ADVICE, "python3-gpiozero", id="no-gpiozero",
            ),
            pytest.param(
                replace(PI, modules={**MODULES, "gpiozero": Module(error="broken")}),
                "GPIO", State.WRONG, "--reinstall python3-gpiozero", id="bad-gpiozero",
            ),
            pytest.param(
                replace(PI, devices={**PI.devices, "video0": Device(False, "video")}),
                "Rights", State.WRONG, "usermod -aG video", id="not-in-group",
            ),
            pytest.param(
                replace(PI, devices={"video0": Device(False, "root")}), "Rights", State.ADVICE,
                "looks after", id="device-of-root",
            ),
            pytest.param(
                replace(PI, throttled="throttled=0x50005"), "Power", State.WRONG,
                "power supply", id="under-voltage",
            ),
            pytest.param(
                replace(PI, throttled="throttled=0x50004"), "Power", State.WRONG, "cooler",
                id="slowed-now-and-low-before",
            ),
            pytest.param(
                replace(PI, throttled="throttled=0x50000"), "Power", State.ADVICE,
                "power supply", id="was-under-voltage",
            ),
            pytest.param(
                replace(PI, throttled="throttled=0x4"), "Power", State.WRONG, "cooler", id="slowed"
            ),
            pytest.param(
                replace(PI, throttled="throttled=0x80000"), "Power", State.ADVICE, "cooler",
                id="was-warm",
            ),
            pytest.param(
                replace(PI, throttled="VCHI initialization failed"), "Power", State.ADVICE,
                "group video", id="no-answer-of-vcgencmd",
            ),
            pytest.param(replace(PI, celsius=83.0), "Heat", State.ADVICE, "cooler", id="hot"),
            pytest.param(
                replace(PI, memory_mb=200), "Memory", State.WRONG, "512 MB", id="little-memory"
            ),
            pytest.param(
                replace(PI, free_mb=900), "Disk", State.ADVICE, "make room", id="little-disk"
            ),
            pytest.param(replace(PI, free_mb=10), "Disk", State.WRONG, "make room", id="no-disk"),
            pytest.param(
                replace(PI, writable=False), "Disk", State.WRONG, "folder", id="read-only"
            ),
            pytest.param(
                replace(PI, mounts="overlay / overlay rw,upperdir=/o/u 0 0\nt /o tmpfs rw 0 0"),
                "Records", State.WRONG, "USB stick", id="overlay",
            ),
            pytest.param(
                replace(PI, synchronized=False), "Clock", State.ADVICE, "network", id="clock"
            ),
            pytest.param(
                replace(PI, settings=("/etc/referee.toml:3: [games] has no foldr",)), "Settings",
                State.WRONG, "last good copy", id="settings",
            ),
            pytest.param(
                replace(PI, calibration="board.json is no calibration file"), "Calibration",
                State.WRONG, "referee calibrate", id="calibration",
            ),
        ],
    )  # fmt: skip
    def test_what_is_wrong_is_found_and_cured(self, machine, matter, state, advice):
        finding = by_matter(machine)[matter]
        assert finding.state is state
        assert advice in finding.advice
        assert finding.found

    def test_one_fault_is_told_once(self):
        hurt = examine(replace(PI, throttled="throttled=0x50005", free_mb=10))
        assert [each.matter for each in hurt if each.state is not State.OK] == ["Power", "Disk"]


ROOT = "/dev/mmcblk0p2 / ext4 rw 0 0\nproc /proc proc rw 0 0\n"
OVERLAY = (
    "overlay / overlay rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay 0 0\n"
    "tmpfs-root /media/root-rw tmpfs rw 0 0\n"
)
DOCKER = "overlay / overlay rw,upperdir=/var/lib/docker/overlay2/f0/diff 0 0\n"
STICK = "/dev/sda1 /media/my\\040stick vfat rw 0 0\n"


@pytest.mark.parametrize(
    ("folder", "mounts", "command_line", "lost"),
    [
        pytest.param("/home/a/games", ROOT, "", False, id="card"),
        pytest.param("/home/a/games", OVERLAY, "", True, id="overlay"),
        pytest.param("/home/a/games", DOCKER, "", False, id="container"),
        pytest.param("/home/a/games", DOCKER, "quiet boot=overlay", True, id="older-switch"),
        pytest.param("/home/a/games", DOCKER, "overlayroot=tmpfs:x", True, id="newer-switch"),
        pytest.param("/home/a/games", DOCKER, "overlayroot=disabled", False, id="switched-off"),
        pytest.param("/media/my stick/games", OVERLAY + STICK, "", False, id="stick"),
        pytest.param("/media/my stick 2", OVERLAY + STICK, "", True, id="beside-the-stick"),
        pytest.param("/tmp/games", ROOT + "tmpfs /tmp tmpfs rw 0 0\n", "", True, id="memory"),
        pytest.param("/tmp/x", "a /tmp tmpfs rw 0 0\nb /tmp ext4 rw 0 0\n", "", False, id="last"),
        pytest.param("/home", "", "", False, id="nothing-known"),
    ],
)
def test_games_that_are_lost_at_power_off_are_noticed(folder, mounts, command_line, lost):
    assert is_lost_at_power_off(folder, mounts, command_line) is lost


class Scripted(Computer):
    """A computer whose files lie in a folder and whose programs answer as told."""

    def __init__(self, root: Path, **answers: Answer) -> None:
        super().__init__(root)
        self.answers = answers

    def put(self, path: str, text: str = "") -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def run(self, *words: str) -> Answer | None:
        return self.answers.get(words[0])

    def has(self, program: str) -> bool:
        return program in self.answers


@pytest.fixture
def pi(tmp_path):
    computer = Scripted(
        tmp_path,
        aplay=Answer(0, CARDS),
        vcgencmd=Answer(0, "throttled=0x50000\n"),
        timedatectl=Answer(0, "no\n"),
    )
    computer.put("proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    computer.put("proc/meminfo", "MemTotal:        1917056 kB\nMemFree: 3 kB\n")
    computer.put("proc/mounts", ROOT)
    computer.put("etc/os-release", 'NAME="x"\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n')
    computer.put("sys/class/thermal/thermal_zone0/temp", "51100\n")
    for device in ("video0", "gpiochip4", "snd/controlC0", "null"):
        computer.put(f"dev/{device}")
    return computer


class TestProbing:
    def test_a_computer_becomes_a_record(self, pi, tmp_path):
        settings = Settings(games=GamesSettings(folder=tmp_path / "not" / "yet"))
        machine = probe(pi, Looked(settings, [Reading(Path("x"), {}, ("x:1: no",))]))
        assert machine.is_pi
        assert machine.model.endswith("1.0")
        assert machine.memory_mb == 1872
        assert machine.system == "Debian GNU/Linux 13 (trixie)"
        assert (machine.celsius, machine.synchronized) == (51.1, False)
        assert set(machine.devices) == {"video0", "gpiochip4", "snd/controlC0"}
        assert machine.programs == {"aplay"}
        assert (machine.free_mb > 0, machine.writable) == (True, True)
        assert machine.settings == ("x:1: no",)
        assert by_matter(machine)["Power"].state is State.ADVICE

    def test_an_empty_computer_becomes_one_too(self, tmp_path):
        machine = probe(Scripted(tmp_path), Looked())
        assert (machine.is_pi, machine.cards, machine.throttled) == (False, None, None)
        assert (machine.synchronized, machine.celsius, machine.devices) == (None, None, {})
        examine(machine)

    def test_games_below_a_folder_that_may_not_be_entered_cannot_be_written(
        self, pi, tmp_path, monkeypatch
    ):
        def refused(path):
            raise PermissionError

        monkeypatch.setattr(Path, "exists", refused)
        settings = Settings(games=GamesSettings(folder=tmp_path / "not" / "yet"))
        assert probe(pi, Looked(settings)).free_mb > 0

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may use every device")
    def test_a_closed_device_is_noticed(self, pi):
        (pi.root / "dev" / "video0").chmod(0)
        assert not probe(pi, Looked()).devices["video0"].usable

    @pytest.mark.parametrize(
        ("known", "links", "expected"),
        [
            pytest.param(MODULES, {}, ["pi:0"], id="ribbon"),
            pytest.param(MODULES, {"cam-video-index0": "video9"}, ["pi:0", "usb:9"], id="both"),
            pytest.param({}, {}, ["usb:0"], id="laptop"),
            pytest.param(
                {"picamera2": Module(error="x")}, {}, [], id="a-pi-has-video0-without-camera"
            ),
        ],
    )
    def test_every_camera_that_may_be_there_is_tried(self, pi, known, links, expected):
        for name, target in links.items():
            pi.put(f"dev/{target}")
            (pi.root / "dev/v4l/by-id").mkdir(parents=True)
            (pi.root / "dev/v4l/by-id" / name).symlink_to(f"../../{target}")
        assert list(sources(pi, Settings(), known)) == expected
        asked = Settings(camera=CameraSettings(source="usb:7"))
        assert list(sources(pi, asked, known)) == ["usb:7"]

    def test_a_program_that_hangs_or_is_missing_says_nothing(self, monkeypatch):
        monkeypatch.setattr("referee.doctor.probing.PATIENCE_S", 0.1)
        assert Computer().run("sleep", "30") is None
        assert Computer().run("no-such-program-anywhere") is None

    def test_one_that_takes_very_long_is_not_said_to_crash(self, tmp_path):
        known = modules(Scripted(tmp_path))
        assert {module.error for module in known.values()} == {"it does not load within a minute"}

    def test_modules_that_clash_or_crash_are_told(self, tmp_path, monkeypatch):
        (tmp_path / "simplejpeg.py").write_text(f"raise ValueError({CLASH[12:]!r})")
        (tmp_path / "picamera2.py").write_text("import simplejpeg")
        (tmp_path / "gpiozero.py").write_text("import os\nos.abort()")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        known = modules(Computer())
        assert known["numpy"].version == np.__version__
        assert known["simplejpeg"].error == CLASH
        assert known["gpiozero"].error == "it takes Python down with it"
        found = by_matter(replace(PI, modules=known))["picamera2"]
        assert "simplejpeg" in found.found
        assert "numpy<2" in found.advice


def picture(level=None):
    if level is not None:
        return np.full((90, 160, 3), level, np.uint8)
    return np.random.default_rng(3).integers(0, 255, (90, 160, 3)).astype(np.uint8)


def live():
    for number in itertools.count():
        time.sleep(0.01)
        yield 10 * number, picture(number % 200)


class TestTrying:
    def test_a_live_camera_is_looked_at_for_a_while(self, monkeypatch):
        monkeypatch.setattr(trying, "LOOK_S", 0.3)
        camera, image = trying.try_camera("usb:0", lambda source: FakeCamera(live))
        assert image.shape == (90, 160, 3)
        seen = camera.picture
        assert (seen.width, seen.height, seen.board) == (160, 90, False)
        assert 1 < seen.rate <= 100
        assert seen.contrast == 0

    def test_what_a_camera_says_of_itself_is_a_finding(self, monkeypatch):
        monkeypatch.setattr(trying, "LOOK_S", 0.1)

        class Telling(FakeCamera):
            def frames(self):
                logging.getLogger("hardware.cameras.pi").info("pi:0 shows half of it")
                for frame in super().frames():
                    yield replace(frame, still=frame.time_ms > 0)

        camera, _ = trying.try_camera("pi:0", lambda source: Telling(live))
        assert camera.told == ("it shows half of it",)
        assert camera.picture.still > 0.5
        found = {each.matter: each for each in examine(Machine(cameras=(camera,)))}
        assert found["Camera pi:0"].found.endswith("; it shows no board; it shows half of it")
        logging.getLogger("hardware.cameras.pi").info("unheard")
        assert camera.told == ("it shows half of it",)

    def test_of_a_recording_one_picture_is_enough(self):
        pictures = [(0, picture()), (100, picture(3))]
        camera, image = trying.try_camera("x.mp4", lambda source: FakeCamera(pictures, 200))
        assert (image == pictures[0][1]).all()
        assert camera.picture.rate is None
        assert camera.picture.brightness == pytest.approx(127, abs=5)

    def test_a_camera_that_is_not_there_says_why(self):
        def opened(source):
            raise CameraError("there is no camera; plug one in")

        camera, image = trying.try_camera("usb:0", opened)
        assert (camera.error, image) == ("there is no camera; plug one in", None)

    def test_a_driver_that_raises_what_it_likes_is_told_of(self):
        def opened(source):
            raise ValueError("no such plane")

        camera, _ = trying.try_camera("usb:0", opened)
        assert camera.error == "it fails: no such plane"

    def test_a_camera_without_pictures_is_one_that_fails(self):
        camera, _ = trying.try_camera("usb:0", lambda source: FakeCamera([]))
        assert camera.error == "it gives no picture"

    def test_a_camera_that_hangs_does_not_keep_the_doctor(self):
        hang = threading.Event()

        def pictures():
            hang.wait(20)
            return iter(())

        camera, _ = trying.try_camera("usb:0", lambda s: FakeCamera(pictures), patience_s=0.1)
        hang.set()
        assert "hangs" in camera.error

    def test_a_camera_is_closed_when_the_doctor_is_interrupted(self):
        class Interrupted(Exception):
            pass

        def interrupt(number, frame):
            raise Interrupted

        closed = []

        class Closing(FakeCamera):
            def frames(self):
                signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
                try:
                    yield from super().frames()
                finally:
                    closed.append(True)

        before = signal.signal(signal.SIGUSR1, interrupt)
        try:
            with pytest.raises(Interrupted):
                trying.try_camera("usb:0", lambda source: Closing(live))
        finally:
            signal.signal(signal.SIGUSR1, before)
        assert closed == [True]

    @pytest.fixture
    def aplay(self, tmp_path, monkeypatch):
        """A stand-in for the player, which says what it is told to."""

        def put(script):
            (tmp_path / "aplay").write_text(f"#!/bin/sh\n{script}\n")
            (tmp_path / "aplay").chmod(0o755)

        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
        monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
        return put

    def test_a_tone_is_played_on_the_device(self, aplay, tmp_path):
        aplay(f'echo "$@" > {tmp_path}/heard; cat "$4" > {tmp_path}/heard.wav')
        assert trying.try_tone("plughw:1") == ""
        assert "-D plughw:1" in (tmp_path / "heard").read_text()
        assert (tmp_path / "heard.wav").read_bytes()[:4] == b"RIFF"

    def test_a_tone_that_fails_says_why(self, aplay, monkeypatch):
        aplay("echo one >&2; echo 'audio open error' >&2; exit 1")
        assert trying.try_tone(None) == "audio open error"
        monkeypatch.setattr(trying, "TONE_S", 0.1)
        aplay("exec sleep 30")
        assert "does not answer" in trying.try_tone(None)

    def test_without_a_player_there_is_no_tone(self, tmp_path, monkeypatch):
        monkeypatch.setenv("PATH", str(tmp_path))
        assert trying.try_tone("x") == "there is no aplay"

    def test_a_calibration_is_tried(self, tmp_path):
        assert trying.try_calibration(None) is None
        (tmp_path / "board.json").write_text("{}")
        assert "no calibration file" in trying.try_calibration(tmp_path / "board.json")

    def test_the_unit_of_speed_is_measured(self):
        assert 0 < trying.time_reading() < 1000


class TestReport:
    def test_no_name_is_in_it(self, monkeypatch, tmp_path):
        monkeypatch.setenv("HOME", "/home/annabel")
        monkeypatch.setenv("SUDO_USER", "benedict")
        monkeypatch.setattr("referee.doctor.report.getuser", lambda: "annabel")
        monkeypatch.setattr("socket.gethostname", lambda: "annabels-pi")
        private = replace(
            PI,
            games="/media/annabel/stick/games",
            mounts="/dev/sda1 /media/annabel ext4 rw 0 0",
            settings=("/home/annabel/.config/referee/referee.toml:3: [camera] is wrong",),
            calibration="/home/benedict/board.json is no calibration file",
            cameras=(
                Camera("http://annabel:secret@10.0.0.9/video", FRAME),
                Camera(
                    "/home/annabel/film.mp4", error="/home/annabel/film.mp4 cannot be opened; x"
                ),
                Camera("rtsp://ben:pw@cam", error="nothing answers at rtsp://ben:pw@cam; try"),
            ),
            modules={
                **MODULES,
                "cv2": Module(error="annabels-pi: /run/media/benedict/x.so /opt/cellar/y"),
            },
        )
        text = json.dumps(report(private, examine(private)))
        for name in ("annabel", "benedict", "secret", "10.0.0.9", "pw", "stick", "film", "cellar"):
            assert name not in text.lower(), name
        assert "Raspberry Pi 4 Model B" in text
        assert '"reading_ms"' in text
        assert '"search_ms": 90.0' in text

    def test_a_short_name_is_taken_out_as_a_word_only(self):
        assert scrub(["Raspberry Pi, pi:0 of pi"], {"pi": "USER"}) == [
            "Raspberry Pi, USER:0 of USER"
        ]


class TestVerb:
    @pytest.fixture
    def here(self, tmp_path, monkeypatch):
        """A folder of our own, and a laptop without anything."""
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("referee.verbs.doctor.Computer", lambda: Scripted(tmp_path))
        known = {name: Module("1.0") for name in ("numpy", "cv2")}
        monkeypatch.setattr("referee.verbs.doctor.modules", lambda computer: known)
        return tmp_path

    def test_people_read_it_on_the_standard_output(self, here, capsys):
        assert cli.main(["doctor"]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert "✓  numpy" in out
        assert "–  GPIO" in out
        assert out.rstrip().endswith("Nothing is wrong.")
        assert list(here.iterdir()) == []

    def test_what_is_wrong_makes_the_status_1(self, here, capsys):
        assert cli.main(["doctor", "nowhere.mp4", "--json"]) == 1
        findings = {line["matter"]: line for line in lines(capsys.readouterr().out)}
        assert findings["Camera of a file"]["state"] == "wrong"
        assert findings["Camera of a file"]["found"].startswith("there is no nowhere.mp4")

    def test_a_source_that_is_none_is_bad_use(self, here, capsys):
        assert cli.main(["doctor", ""]) == 2
        assert "camera source: must be one line" in complaint(capsys)

    def test_a_test_frame_is_written(self, here, capsys):
        (here / "pictures").mkdir()
        cv2.imwrite(str(here / "pictures" / "a.png"), picture())
        assert cli.main(["doctor", "pictures", "--frame", "seen.png"]) == 0
        assert (cv2.imread("seen.png") == picture()).all()
        assert "The test frame is seen.png" in capsys.readouterr().err

    def test_a_frame_without_a_place_stops_nothing(self, here, capsys):
        (here / "pictures").mkdir()
        cv2.imwrite(str(here / "pictures" / "a.png"), picture())
        asked = ["doctor", "pictures", "--json", "--frame", "no/seen.png"]
        assert cli.main([*asked, "--report", "report.json"]) == 2
        out, err = capsys.readouterr()
        assert "no/seen.png cannot be written" in err
        assert lines(out)
        assert (here / "report.json").exists()

    def test_a_frame_that_nobody_named_is_no_fault(self, here, capsys):
        (here / "pictures").mkdir()
        (here / "test-frame.jpg").mkdir()
        cv2.imwrite(str(here / "pictures" / "a.png"), picture())
        assert cli.main(["doctor", "pictures"]) == 0
        assert "test-frame.jpg cannot be written" in capsys.readouterr().err

    def test_a_frame_never_replaces_what_is_looked_at(self, here, capsys):
        (here / "pictures").mkdir()
        cv2.imwrite(str(here / "pictures" / "a.png"), picture())
        before = (here / "pictures" / "a.png").read_bytes()
        assert cli.main(["doctor", "pictures", "--frame", "pictures/a.png"]) == 2
        assert "would replace pictures/a.png" in capsys.readouterr().err
        assert (here / "pictures" / "a.png").read_bytes() == before

    def test_the_report_is_written_and_explained(self, here, capsys):
        assert cli.main(["doctor", "--report", "report.json"]) == 0
        written = json.loads((here / "report.json").read_text())
        assert written["referee"] == cli.__version__
        assert {finding["matter"] for finding in written["findings"]} >= {"Python", "Disk"}
        assert written["machine"]["reading_ms"] > 0
        assert "It holds no names" in capsys.readouterr().err

    def test_a_folder_is_no_place_for_the_report(self, here, capsys):
        assert cli.main(["doctor", "--json", "--report", "."]) == 2
        assert "referee: ." in capsys.readouterr().err
        assert list(here.iterdir()) == []

    def test_a_broken_file_of_settings_is_a_finding(self, here, capsys):
        (here / "x.toml").write_text("[camra]")
        assert cli.main(["doctor", "--config", "x.toml", "--json"]) == 1
        findings = {line["matter"]: line for line in lines(capsys.readouterr().out)}
        assert "did you mean [camera]?" in findings["Settings"]["found"]

    def test_an_opencv_that_is_broken_is_a_finding_too(self, tmp_path):
        (tmp_path / "cv2.py").write_text("raise ImportError('libGL.so.1: cannot open')")
        env = {**os.environ, "PYTHONPATH": f"{tmp_path}:{PROJECT}"}
        words = [sys.executable, "-m", "referee", "doctor", "--json"]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env=env)
        assert done.returncode == 1
        findings = {line["matter"]: line for line in lines(done.stdout)}
        assert "apt install libgl1" in findings["OpenCV"]["advice"]


def test_of_the_kernels_words_only_those_that_matter_are_told():
    line = "root=PARTUUID=1a2b nfsroot=192.168.1.20:/pi boot=overlay systemd.hostname=annas-pi"
    assert switches(line) == "boot=overlay"

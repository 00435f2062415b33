"""Cameras that fail and come back, and a referee that is stuck."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from hardware.camera import CameraError, CameraHung, Frame
from hardware.cameras import lasting
from hardware.cameras.fake import FakeCamera
from referee import watchdog


def noise(seed):
    return np.random.default_rng(seed).integers(0, 255, (48, 64, 3)).astype(np.uint8)


def noisy():
    """A sensor: 100 pictures a second, no two alike."""
    for number in itertools.count():
        time.sleep(0.01)
        yield 10 * number, noise(number)


class Comparing:
    """Gives a picture again as often as not; when frozen it takes the same one every time."""

    length_ms = None

    def __init__(self, frozen=False):
        self.frozen = frozen

    def frames(self):
        for number in itertools.count():
            time.sleep(0.01)
            image = noise(0 if self.frozen else number // 2)
            yield Frame(image, 10 * number, still=number % 2 > 0)


@pytest.fixture
def quick(monkeypatch):
    """The same camera in a quicker world."""
    for name, value in {"STALE_S": 0.1, "TICK_S": 0.01, "FROZEN_S": 0.3}.items():
        monkeypatch.setattr(lasting, name, value)
    monkeypatch.setattr(lasting, "BACKOFF_S", (0.02, 0.05))


def until(frames, wanted, most=5_000):
    """The frames up to the first that is wanted."""
    seen = []
    for frame in itertools.islice(frames, most):
        seen.append(frame)
        if wanted(frame):
            return seen
    raise AssertionError("it never came")


class TestLasting:
    def test_a_recording_is_left_alone(self):
        camera = FakeCamera([(0, noise(1))], length_ms=1)
        assert lasting.lasting(camera) is camera

    def test_a_cable_is_pulled_out_and_put_back(self, quick):
        camera = FakeCamera(noisy)
        frames = lasting.lasting(camera).frames()
        seen = until(frames, lambda frame: frame.time_ms > 50)
        camera.unplug()
        seen += until(frames, lambda frame: frame.blind == "lost")
        camera.plug_in()
        seen += until(frames, lambda frame: not frame.blind)
        frames.close()
        times = [frame.time_ms for frame in seen]
        assert times == sorted(times)
        assert times[-1] - times[0] >= 100

    def test_it_comes_back_after_a_pause_longer_than_one_that_is_frozen_is_given(
        self, quick, monkeypatch
    ):
        monkeypatch.setattr(lasting, "BACKOFF_S", (0.6,))
        camera = FakeCamera(noisy)
        frames = lasting.lasting(camera).frames()
        until(frames, lambda frame: frame.time_ms > 50)
        camera.unplug()
        until(frames, lambda frame: frame.blind == "lost")
        until(frames, lambda frame: frame.time_ms > 800)
        camera.plug_in()
        until(frames, lambda frame: not frame.blind, most=1_000)
        frames.close()

    def test_a_driver_that_raises_what_it_likes_is_opened_again(self, quick):
        opened = []

        def pictures():
            opened.append(1)
            yield from itertools.islice(noisy(), 10)
            raise ValueError("no such plane")

        frames = lasting.lasting(FakeCamera(pictures)).frames()
        until(frames, lambda frame: len(opened) > 1 and not frame.blind)
        frames.close()

    def test_the_same_pixels_are_no_picture(self, quick):
        camera = FakeCamera(noisy)
        frames = lasting.lasting(camera).frames()
        until(frames, lambda frame: frame.time_ms > 50)
        camera.freeze()
        until(frames, lambda frame: frame.blind == "frozen")
        camera.thaw()
        until(frames, lambda frame: not frame.blind)
        frames.close()

    def test_a_camera_that_finds_nothing_new_is_believed(self, quick):
        frames = lasting.lasting(Comparing()).frames()
        seen = list(itertools.islice(frames, 50))
        frames.close()
        assert not any(frame.blind for frame in seen)
        assert any(frame.still for frame in seen)
        times = [frame.time_ms for frame in seen]
        assert all(one < other for one, other in itertools.pairwise(times))

    def test_but_not_without_a_fresh_picture_now_and_then(self, quick):
        frames = lasting.lasting(Comparing(frozen=True)).frames()
        seen = until(frames, lambda frame: frame.blind == "frozen")
        frames.close()
        assert any(frame.still for frame in seen)
        assert not seen[-1].still

    def test_a_frozen_camera_is_opened_anew(self, quick):
        opened = []

        def pictures():
            opened.append(1)
            first = noise(len(opened))
            return ((0, first) for _ in noisy())

        frames = lasting.lasting(FakeCamera(pictures)).frames()
        until(frames, lambda frame: len(opened) > 1 and not frame.blind)
        frames.close()

    def test_it_is_tried_less_and_less_often(self, quick):
        camera, tries = FakeCamera(noisy), []
        frames = lasting.lasting(camera).frames()
        until(frames, lambda frame: frame.time_ms > 50)
        pump = camera.frames
        camera.frames = lambda: tries.append(time.monotonic()) or pump()
        camera.unplug()
        until(frames, lambda frame: len(tries) > 4)
        frames.close()
        assert min(np.diff(tries)[1:]) >= 0.05

    def test_a_camera_that_never_was_is_an_error(self, quick):
        camera = FakeCamera(noisy)
        camera.unplug()
        with pytest.raises(CameraError, match="unplugged"):
            next(lasting.lasting(camera).frames())

    @pytest.mark.parametrize("shown", [0, 10])
    def test_a_camera_that_hangs_is_given_up(self, quick, monkeypatch, shown):
        monkeypatch.setattr(lasting, "HUNG_S", 0.5)
        hang = threading.Event()

        def pictures():
            yield from itertools.islice(noisy(), shown)
            hang.wait(20)

        frames = lasting.lasting(FakeCamera(pictures)).frames()
        with pytest.raises(CameraHung, match="hangs"):
            until(frames, lambda frame: False)
        hang.set()

    def test_a_camera_that_cannot_be_closed_is_not_opened_again(self, quick):
        opened = []

        def pictures():
            opened.append(1)
            yield from itertools.islice(noisy(), 5)
            raise CameraHung("it cannot be closed")

        with pytest.raises(CameraHung, match="closed"):
            until(lasting.lasting(FakeCamera(pictures)).frames(), lambda frame: False)
        assert len(opened) == 1


class TestWatchdog:
    def test_a_referee_that_is_stuck_ends_for_its_supervisor(self):
        code = (
            "import time\nfrom hardware.camera import Frame\nfrom referee import watchdog\n"
            "def farewell(): print('farewell', flush=True)\n"
            "watched = watchdog.watched_over([Frame(None, 0)], 0.2, farewell)\n"
            "for _ in watched: time.sleep(60)"
        )
        ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert ended.returncode == watchdog.STATUS
        assert "referee resume" in ended.stderr
        assert ended.stdout == "farewell\n"

    @pytest.mark.parametrize("usual", ["", "signal.signal(signal.SIGTSTP, stop)"])
    def test_who_stopped_it_finds_it_alive_however_late(self, usual):
        code = (
            "import os, signal, time\nfrom hardware.camera import Frame\n"
            "from referee import watchdog\n"
            "def stop(number, frame): os.kill(os.getpid(), signal.SIGSTOP)\n"
            f"{usual}\n"
            "for _ in watchdog.watched_over([Frame(None, 0)], 0.4):\n"
            "    for again in range(2):\n"
            "        os.kill(os.getpid(), signal.SIGTSTP)\n"
            "        time.sleep(0.01)"
        )
        # A group of its own: one that nobody could continue would not be stopped.
        running = subprocess.Popen([sys.executable, "-c", code], process_group=0)
        for _ in range(2):
            _, status = os.waitpid(running.pid, os.WUNTRACED)
            assert os.WIFSTOPPED(status), status
            time.sleep(1)
            os.kill(running.pid, signal.SIGCONT)
        assert running.wait() == 0

    def test_a_driver_that_stops_all_of_python_does_not_stop_the_kernel(self):
        code = (
            "import ctypes\nfrom hardware.camera import Frame\nfrom referee import watchdog\n"
            "sleep = ctypes.PyDLL(None).sleep  # a PyDLL keeps Python's lock\n"
            "for _ in watchdog.watched_over([Frame(None, 0)], stuck_s=0.2): sleep(60)"
        )
        ended = subprocess.run([sys.executable, "-c", code], timeout=30)
        assert ended.returncode == -signal.SIGALRM

    def test_a_camera_that_hangs_ends_the_program_for_another_start(self, tmp_path):
        code = (
            "import atexit, sys, threading, time\n"
            "from hardware.camera import CameraHung\nfrom referee import cli\n"
            "from referee.verbs import watch\n"
            "def hung(options): raise CameraHung('pi:0 cannot be closed')\n"
            "watch.run, cli.FAREWELL_S = hung, 1\n"
            "status = cli.main(['watch', 'pi:0'])\n"
            "print(status, flush=True)\n"
            "atexit.register(time.sleep, 60)\n"
            "sys.exit(status)"
        )
        ended = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=30
        )
        assert ended.stdout.split() == [str(watchdog.STATUS)]
        assert "go on with referee resume" in ended.stderr
        assert ended.returncode == -signal.SIGALRM

    def test_one_that_is_not_goes_on(self):
        frames = [Frame(noise(n), n) for n in range(30)]
        assert list(watchdog.watched_over(frames)) == frames

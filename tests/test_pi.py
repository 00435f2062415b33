"""The camera on the Raspberry Pi's own connector.

The first class runs against a stand-in for picamera2, and by `make test-pi` against the real one.
"""

from __future__ import annotations

import atexit
import gc
import json
import logging
import os
import sys
import threading
from itertools import islice, pairwise

import numpy as np
import pytest

from hardware.camera import CameraError, CameraHung, Wishes
from hardware.cameras import pi
from hardware.cameras.holding import without_flicker
from hardware.cameras.pi import PiCamera
from hardware.cameras.pixels import bgr
from hardware.cameras.sensor import widest
from tests.pi import stand_in
from tests.pi.stand_in import MODES_2, MODES_3, MODULE_2, MODULE_3, NOTHING, Module

SMALL = Wishes(width=640, height=360, memory=None)
CORNERS = {(0, 0): (255, 0, 0), (0, 1): (0, 255, 0), (1, 0): (0, 0, 255), (1, 1): (120, 60, 200)}
"""Row, column and colour: blue, green, red and one of all three."""


def coloured_corners():
    quarters = [
        [np.full((180, 320, 3), CORNERS[row, column], np.uint8) for column in (0, 1)]
        for row in (0, 1)
    ]
    return np.vstack([np.hstack(row) for row in quarters])


def assert_corners(image, off_by=12):
    height, width = image.shape[:2]
    for (row, column), colour in CORNERS.items():
        middle = image[height // 4 + row * height // 2, width // 4 + column * width // 2]
        assert np.abs(middle.astype(int) - colour).max() <= off_by, (row, column, middle)


class StandIn:
    """A camera that offers as little as the virtual one does."""

    def __init__(self, monkeypatch):
        self.module = Module(NOTHING, layout="NV12")
        monkeypatch.setitem(sys.modules, "picamera2", self.module.picamera2())

    def show(self, pictures):
        self.module.pictures = pictures

    def stick(self):
        self.module.stuck = True

    def unstick(self):
        self.module.stuck = False

    def deafen(self):
        self.module.deaf.set()
        return self.module.deaf.clear


class Virtual:
    """The real library."""

    def __init__(self, monkeypatch):
        from tests.pi import virtual

        class Camera(virtual.Triggered):
            pass

        self.camera, self.virtual = Camera, virtual
        virtual.install(monkeypatch, Camera)

    def show(self, pictures):
        self.virtual.show(pictures)

    def stick(self):
        self.camera.stuck = True

    def unstick(self):
        self.camera.stuck = False

    def deafen(self):
        """The thread that answers for the camera is busy with something else."""
        woken = threading.Event()
        start = self.camera.start

        def start_deaf(camera):
            start(camera)
            camera.pre_callback = lambda _: woken.wait(30)

        self.camera.start = start_deaf
        return woken.set


LIBRARIES = [pytest.param(StandIn, id="stand-in"), pytest.param(Virtual, id="real")]


class TestBoth:
    @pytest.fixture(params=LIBRARIES if "VIRTUAL_CAMERA" in os.environ else LIBRARIES[:1])
    def library(self, request, monkeypatch):
        library = request.param(monkeypatch)
        library.show([coloured_corners()] * 4)
        return library

    def test_colours_are_the_right_way_round(self, library):
        frames = PiCamera(0, SMALL).frames()
        image = next(frames).image
        frames.close()
        assert image.shape == (360, 640, 3)
        assert image.dtype == np.uint8
        assert image.flags.c_contiguous
        assert_corners(image)

    def test_time_is_that_of_the_sensor(self, library):
        frames = PiCamera(0, SMALL).frames()
        times = [frame.time_ms for frame in islice(frames, 10)]
        frames.close()
        assert times[0] == 0
        assert set(np.diff(times)) <= {33, 34}

    def test_a_still_picture_is_given_again_but_not_for_long(self, library):
        frames = PiCamera(0, SMALL).frames()
        shown = list(islice(frames, 40))
        frames.close()
        whole = [frame.time_ms for frame in shown if not frame.still]
        assert 3 <= len(whole) <= 4
        assert max(np.diff(whole)) <= 434
        for one, other in pairwise(shown):
            assert (one.image is other.image) == other.still

    def test_a_change_of_a_few_places_is_never_missed(self, library):
        touched, where = coloured_corners(), np.s_[264:280, 440:456]
        touched[where] += 16
        library.show([coloured_corners(), touched] * 4)
        frames = PiCamera(0, SMALL).frames()
        shown = list(islice(frames, 8))
        frames.close()
        assert not any(frame.still for frame in shown)
        levels = [frame.image[where].mean() for frame in shown]
        assert np.abs(np.abs(np.diff(levels)) - 16).max() < 4

    def test_it_is_given_back(self, library):
        camera = PiCamera(0, SMALL)
        for _ in range(3):
            frames = camera.frames()
            assert_corners(next(frames).image)
            frames.close()

    def test_one_that_is_in_use_says_so(self, library):
        frames = PiCamera(0, SMALL).frames()
        next(frames)
        with pytest.raises(CameraError, match="if no other program uses it"):
            next(PiCamera(0, SMALL).frames())
        frames.close()

    def test_a_camera_too_many_says_how_many_there_are(self, library):
        with pytest.raises(CameraError, match=r"no pi:1: the system sees 1 camera"):
            PiCamera(1, SMALL)

    def test_another_size_is_told(self, library, caplog):
        frames = PiCamera(0, Wishes(width=1000, height=700, memory=None)).frames()
        image = next(frames).image
        frames.close()
        assert image.shape == (720, 1280, 3)
        assert_corners(image)
        assert "pi:0 gives 1280x720 in place of 1000x700" in caplog.messages

    def test_what_cannot_be_held_is_told_once(self, library, caplog):
        camera = PiCamera(0, SMALL)
        for _ in range(2):
            frames = camera.frames()
            next(frames)
            frames.close()
        told = "exposure and gain and white balance and focus"
        assert caplog.messages == [f"pi:0 does not let its {told} be held"]

    def test_one_that_gives_no_picture_is_given_up_and_given_back(self, library, monkeypatch):
        monkeypatch.setattr(pi, "WAIT_S", 0.3)
        library.stick()
        for _ in range(2):
            with pytest.raises(CameraError, match="ribbon cable") as failed:
                next(PiCamera(0, SMALL).frames())
            assert not isinstance(failed.value, CameraHung)

    def test_it_is_opened_anew_once_then_another_start_must_help(self, library, monkeypatch):
        monkeypatch.setattr(pi, "WAIT_S", 0.3)
        camera = PiCamera(0, SMALL)
        for _ in range(2):  # a failure after pictures is a first one again
            frames = camera.frames()
            next(frames)
            library.stick()
            with pytest.raises(CameraError, match="ribbon cable") as failed:
                next(frames)
            assert not isinstance(failed.value, CameraHung)
            library.unstick()
        library.stick()
        with pytest.raises(CameraHung, match="opening it again did not help"):
            next(camera.frames())

    def test_one_that_cannot_be_closed_is_told_from_all_others(self, library, monkeypatch):
        monkeypatch.setattr(pi, "WAIT_S", 0.3)
        monkeypatch.setattr(pi, "CLOSE_S", 0.3)
        wake = library.deafen()
        not_at_the_end = []
        gc.collect()  # cameras of earlier tests would close themselves just now
        monkeypatch.setattr(atexit, "unregister", not_at_the_end.append)
        frames = PiCamera(0, SMALL).frames()
        with pytest.raises(CameraHung, match="cannot be closed"):
            frames.close() if next(frames) else None
        told = len(not_at_the_end)
        wake()
        assert told == 1  # the program's end will not wait for it
        for thread in threading.enumerate():
            if thread.name == "closing pi:0":
                thread.join(10)


@pytest.fixture
def plugged(monkeypatch):
    """A way to plug in a module."""

    def plug(module):
        monkeypatch.setitem(sys.modules, "picamera2", module.picamera2())
        return module

    return plug


@pytest.fixture(autouse=True)
def told(caplog):
    """A camera that the doctor has given up, in another test, may still have all of it heard."""
    caplog.set_level(logging.WARNING, "hardware.cameras")


@pytest.fixture
def asked(tmp_path):
    return Wishes(width=640, height=360, memory=tmp_path / "state")


def first_of(wishes):
    """The first picture of a new start of the program."""
    frames = PiCamera(0, wishes).frames()
    frame = next(frames)
    frames.close()
    return frame


class TestSettling:
    def test_exposure_and_colours_are_held_once_they_have_settled(self, plugged, asked):
        module = plugged(Module(MODULE_2))
        frame = first_of(asked)
        (camera,) = module.openings
        values = camera.values
        assert camera.requests[-1].number * stand_in.FRAME_NS >= asked.settle_s * 1e9
        assert frame.time_ms == 0
        assert not values["AeEnable"]
        assert not values["AwbEnable"]
        assert values["ColourGains"] == (1.5, 1.8)
        assert abs(frame.image.mean() - 100) < 3

    def test_lamps_do_not_flicker_in_it(self, plugged, asked):
        module = plugged(Module(MODULE_2))
        first_of(asked)
        values = module.openings[0].values
        assert values["ExposureTime"] == 10_000
        assert values["AnalogueGain"] == pytest.approx(3.4)

    def test_the_lens_is_waited_for_and_held(self, plugged, asked):
        module = plugged(Module(MODULE_3))
        module.focus_takes = 90
        first_of(asked)
        (camera,) = module.openings
        assert camera.values["AfMode"] == 0
        assert camera.values["LensPosition"] == 2.5
        assert len(camera.requests) > 90

    def test_a_lens_that_never_finds_is_not_waited_for_for_ever(self, plugged, asked):
        module = plugged(Module(MODULE_3))
        module.focus_takes = 10_000
        first_of(asked)
        seconds = len(module.openings[0].requests) * stand_in.FRAME_NS / 1e9
        assert asked.settle_s < seconds < asked.settle_s + pi.SEARCH_S + 0.5
        assert module.openings[0].values["AfMode"] == 0

    def test_a_sensor_whose_clock_stands_still_is_not_waited_for_for_ever(
        self, plugged, asked, monkeypatch
    ):
        module = plugged(Module(MODULE_2))
        monkeypatch.setattr(stand_in, "FRAME_NS", 0)
        first_of(asked)
        assert len(module.openings[0].requests) < 500

    def test_the_next_start_begins_with_the_numbers(self, plugged, asked):
        module = plugged(Module(MODULE_3))
        before = first_of(asked)
        after = first_of(asked)
        second = module.openings[1]
        assert len(second.requests) == 1
        assert np.array_equal(before.image, after.image)
        assert second.configuration["controls"]["ExposureTime"] == 10_000
        assert second.configuration["controls"]["LensPosition"] == 2.5

    def test_reopening_keeps_them_whatever_the_light(self, plugged, asked):
        module = plugged(Module(MODULE_2))
        camera = PiCamera(0, asked)
        for light in (1.0, 0.5):
            module.light = light
            frames = camera.frames()
            image = next(frames).image
            frames.close()
        assert abs(image.mean() - 50) < 3

    @pytest.mark.parametrize("light", [0.5, 2.2])
    def test_in_another_light_they_are_found_anew(self, plugged, asked, light):
        module = plugged(Module(MODULE_2))
        first_of(asked)
        module.light = light
        assert abs(first_of(asked).image.mean() - 100) < 3
        assert abs(first_of(asked).image.mean() - 100) < 3
        assert len(module.openings[2].requests) == 1

    @pytest.mark.parametrize(
        "spoilt",
        ["", "[]", "{", '{"camera": "imx708 /base/i2c@0", "brightness": 9, "numbers": {"x": "y"}}'],
    )
    def test_a_spoilt_file_is_as_good_as_none(self, plugged, asked, spoilt):
        asked.memory.mkdir()
        (asked.memory / "pi-0.json").write_text(spoilt)
        plugged(Module(MODULE_2))
        assert abs(first_of(asked).image.mean() - 100) < 3
        assert json.loads((asked.memory / "pi-0.json").read_text())["brightness"] > 90

    def test_the_numbers_of_another_camera_do_not_count(self, plugged, asked):
        module = plugged(Module(MODULE_2))
        first_of(asked)
        path = asked.memory / "pi-0.json"
        path.write_text(path.read_text().replace("imx708", "imx219"))
        first_of(asked)
        assert len(module.openings[1].requests) > 50

    def test_a_folder_that_cannot_be_written_is_told(self, plugged, tmp_path, caplog):
        (tmp_path / "file").write_text("no folder")
        plugged(Module(MODULE_2))
        first_of(Wishes(width=640, height=360, memory=tmp_path / "file"))
        assert any("cannot be kept" in message for message in caplog.messages)

    def test_a_module_with_a_fixed_lens_is_told_from_one_without(self, plugged, asked, caplog):
        plugged(Module(MODULE_2))
        first_of(asked)
        assert caplog.messages == ["pi:0 does not let its focus be held"]
        caplog.clear()
        plugged(Module(MODULE_3))
        first_of(asked)
        assert caplog.messages == []

    def test_only_what_is_new_is_copied(self, plugged, asked):
        module = plugged(Module(MODULE_3))
        frames = PiCamera(0, asked).frames()
        next(frames)
        before = len(module.openings[0].requests)
        stills = [frame.still for frame in islice(frames, 40)]
        frames.close()
        taken = [request.taken for request in module.openings[0].requests[before:]]
        assert taken == [["lores"] if still else ["lores", "main"] for still in stills]
        assert stills.count(False) <= 4

    def test_every_picture_is_returned(self, plugged, asked):
        module = plugged(Module(MODULE_3))
        first_of(asked)
        assert all(request.released for request in module.openings[0].requests)
        assert not module.busy


class TestSensor:
    def test_all_of_it_is_read(self, plugged, asked, caplog):
        caplog.set_level(logging.INFO, "hardware.cameras")
        module = plugged(Module(MODULE_3))
        first_of(asked)
        sensor = module.openings[0].configuration["sensor"]
        assert sensor == {"output_size": (2304, 1296), "bit_depth": 10}
        assert "pi:0 shows 100% of its sensor's width" in caplog.messages

    def test_its_modes_are_tried_once(self, plugged, asked):
        module = plugged(Module(MODULE_3))
        camera = PiCamera(0, asked)
        for _ in range(2):
            frames = camera.frames()
            next(frames)
            frames.close()
        assert module.tried == 1
        assert module.openings[1].configuration["sensor"]["output_size"] == (2304, 1296)

    @pytest.mark.parametrize("modes", [None, []], ids=["no-memory", "none"])
    def test_without_modes_it_is_read_as_the_system_likes_and_people_are_told(
        self, plugged, asked, modes, caplog
    ):
        module = plugged(Module(MODULE_3))
        module.modes = modes
        first_of(asked)
        assert module.openings[0].configuration["sensor"] == {}
        assert "pi:0 shows 67% of its sensor's width" in caplog.messages

    @pytest.mark.parametrize(
        ("modes", "size", "rate", "best"),
        [
            pytest.param(MODES_3, (1280, 720), 30, (2304, 1296), id="module-3"),
            pytest.param(MODES_3, (1280, 720), 10, (2304, 1296), id="no-larger-than-needed"),
            pytest.param(MODES_3, (4608, 2592), 10, (4608, 2592), id="as-large-as-needed"),
            pytest.param(MODES_3, (1280, 720), 100, (1536, 864), id="quick"),
            pytest.param(MODES_3, (1280, 720), 200, (2304, 1296), id="none-so-quick"),
            pytest.param(MODES_2, (1280, 720), 30, (1640, 1232), id="module-2"),
        ],
    )
    def test_the_widest_mode_that_is_quick_enough(self, modes, size, rate, best):
        assert widest(modes, size, rate)["size"] == best

    def test_the_finest_of_equal_modes(self):
        assert widest(MODES_2, (1280, 720), 30)["bit_depth"] == 10

    def test_cameras_that_are_no_chips_have_none(self):
        assert widest([{"format": "NV12"}], (1280, 720), 30) is None


@pytest.mark.parametrize(
    ("exposure", "gain", "mains", "expected"),
    [
        pytest.param(33_000, 2.0, 50, (30_000, 2.2), id="three"),
        pytest.param(19_500, 2.0, 50, (20_000, 1.95), id="nearly-two"),
        pytest.param(5_000, 4.0, 50, (10_000, 2.0), id="lengthened"),
        pytest.param(5_000, 1.5, 50, (5_000, 1.5), id="too-bright"),
        pytest.param(18_000, 12.0, 50, (18_000, 12.0), id="too-dim"),
        pytest.param(17_000, 2.0, 60, (16_667, 2.04), id="sixty"),
    ],
)
def test_exposures_are_whole_half_waves(exposure, gain, mains, expected):
    numbers = {"ExposureTime": exposure, "AnalogueGain": gain, "ColourGains": (1.0, 2.0)}
    steady = without_flicker(numbers, mains, (1.0, 16.0))
    assert steady["ExposureTime"] == expected[0]
    assert steady["AnalogueGain"] == pytest.approx(expected[1], rel=0.001)
    assert steady["ColourGains"] == (1.0, 2.0)


class TestPixels:
    @pytest.mark.parametrize("layout", ["RGB888", "BGR888", "XBGR8888", "YUV420", "NV12"])
    @pytest.mark.parametrize("padding", [0, 64])
    def test_every_layout_gives_the_same_picture(self, layout, padding):
        picture = coloured_corners()
        image = bgr(stand_in.laid_out(picture, layout, padding), layout, 640)
        assert image.shape == picture.shape
        assert image.flags.c_contiguous
        assert_corners(image, off_by=4)

    def test_another_layout_is_told(self):
        with pytest.raises(CameraError, match="gives MJPEG"):
            bgr(np.zeros((4, 4), np.uint8), "MJPEG", 4)


def test_libcamera_is_kept_quiet_but_not_deaf(plugged, asked, monkeypatch):
    monkeypatch.delenv("LIBCAMERA_LOG_LEVELS", raising=False)
    plugged(Module(NOTHING))
    first_of(asked)
    assert os.environ["LIBCAMERA_LOG_LEVELS"] == "*:FATAL"
    assert logging.getLogger("hardware.cameras.pi").isEnabledFor(logging.WARNING)

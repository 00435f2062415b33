"""USB cameras, against a stand-in for their drivers: they obey, or say they do, or do not."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from hardware.camera import CameraError, Wishes
from hardware.cameras import usb
from hardware.sources import open_camera

QUICK = Wishes(settle_s=0.0)
EXPOSURE = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE)
WHITE_BALANCE = (cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_WB_TEMPERATURE)
FOCUS = (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS)
SIZE = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
AUTOMATIC = 3
MANUAL = 1


class Driver:
    """A camera and what Video4Linux tells of it; it outlives its openings."""

    def __init__(self):
        self.values = dict(zip(SIZE, (640, 480), strict=True))
        self.values |= {EXPOSURE[0]: AUTOMATIC, EXPOSURE[1]: 250}
        self.values |= {WHITE_BALANCE[0]: 1, WHITE_BALANCE[1]: 4600, FOCUS[0]: 1, FOCUS[1]: 30}
        self.ignores, self.lacks = set(), set()
        self.used_exposure = 250
        """What the picture is taken with while it is automatic."""
        self.told, self.opened, self.ends = [], [], False
        self.ends_when_held = False

    def capture(self, device, system):
        self.opened.append(device)
        return Capture(self)

    def level(self):
        manual = self.values[EXPOSURE[0]] == MANUAL
        return min(255, (self.values[EXPOSURE[1]] if manual else self.used_exposure) * 0.4)


class Capture:
    """`cv2.VideoCapture`."""

    def __init__(self, driver):
        self.driver, self.numbers, self.released = driver, itertools.count(), False

    def isOpened(self):
        return True

    def set(self, name, value):
        self.driver.told.append(name)
        if name in self.driver.lacks | self.driver.ignores:
            return name in self.driver.ignores  # it says so
        self.driver.values[name] = value
        return True

    def get(self, name):
        return -1.0 if name in self.driver.lacks else float(self.driver.values.get(name, -1))

    def read(self):
        held = self.driver.values[EXPOSURE[0]] == MANUAL
        if self.driver.ends or (held and self.driver.ends_when_held):
            return False, None
        width, height = (int(self.get(side)) for side in SIZE)
        image = np.full((height, width, 3), self.driver.level(), np.uint8)
        image[0, 0] = next(self.numbers) % 256
        return True, image

    def release(self):
        self.released = True


@pytest.fixture
def driver(monkeypatch):
    driver = Driver()
    monkeypatch.setattr(usb.cv2, "VideoCapture", driver.capture)
    return driver


def first_of(camera):
    frames = camera.frames()
    frame = next(frames)
    frames.close()
    return frame


def test_what_the_camera_chose_is_held(driver, caplog):
    assert first_of(open_camera("usb:0", QUICK)).image.shape == (720, 1280, 3)
    assert driver.values[EXPOSURE[0]] == MANUAL
    assert driver.values[EXPOSURE[1]] == 250
    assert (driver.values[WHITE_BALANCE[0]], driver.values[WHITE_BALANCE[1]]) == (0, 4600)
    assert (driver.values[FOCUS[0]], driver.values[FOCUS[1]]) == (0, 30)
    assert caplog.messages == []


def test_the_format_is_asked_for_before_the_size(driver):
    first_of(open_camera("usb:0", QUICK))
    assert driver.told.index(cv2.CAP_PROP_FOURCC) < driver.told.index(cv2.CAP_PROP_FRAME_WIDTH)


def test_the_same_numbers_hold_after_the_cable_was_out(driver):
    camera = open_camera("usb:0", QUICK)
    first_of(camera)
    driver.values |= {EXPOSURE[0]: AUTOMATIC, EXPOSURE[1]: 90, FOCUS[1]: 5}
    first_of(camera)
    assert (driver.values[EXPOSURE[0]], driver.values[EXPOSURE[1]]) == (MANUAL, 250)
    assert driver.values[FOCUS[1]] == 30


def test_another_start_settles_anew(driver):
    first_of(open_camera("usb:0", QUICK))
    driver.values |= {EXPOSURE[1]: 120}
    driver.used_exposure = 120
    first_of(open_camera("usb:0", QUICK))
    assert driver.values[EXPOSURE[1]] == 120


@pytest.mark.parametrize("way", ["ignores", "lacks"])
def test_what_does_not_obey_is_told_once_and_left_alone(driver, caplog, way):
    setattr(driver, way, {FOCUS[0], EXPOSURE[1]})
    driver.values[EXPOSURE[1]] = 251
    camera = open_camera("usb:0", QUICK)
    first_of(camera)
    first_of(camera)
    expected = ["focus"] if way == "ignores" else ["exposure", "focus"]
    assert caplog.messages == [f"usb:0 does not let its {' and '.join(expected)} be held"]
    assert driver.values[WHITE_BALANCE[0]] == 0


def test_an_exposure_that_darkens_the_board_is_not_held(driver, caplog):
    driver.used_exposure = 500  # and the driver still tells 250
    frame = first_of(open_camera("usb:0", QUICK))
    assert driver.values[EXPOSURE[0]] == AUTOMATIC
    assert frame.image[300, 300, 0] == 200
    assert caplog.messages == ["usb:0 does not let its exposure be held"]


def test_nor_is_one_whose_effect_was_not_seen(driver):
    driver.used_exposure = 500
    camera = open_camera("usb:0", QUICK)
    driver.ends_when_held = True
    with pytest.raises(CameraError):
        first_of(camera)
    driver.ends_when_held = False
    assert first_of(camera).image[300, 300, 0] == 200


def test_another_size_is_told(driver, caplog):
    driver.ignores = set(SIZE)
    assert first_of(open_camera("usb:0", QUICK)).image.shape == (480, 640, 3)
    assert caplog.messages == ["usb:0 gives 640x480 in place of 1280x720"]


def test_one_that_gives_no_picture_is_told(driver):
    driver.ends = True
    with pytest.raises(CameraError, match="another USB port"):
        next(open_camera("usb:0", QUICK).frames())


class TestNames:
    @pytest.fixture(autouse=True)
    def listed(self, tmp_path, monkeypatch):
        monkeypatch.setattr(usb, "BY_ID", tmp_path)
        for name in ("usb-046d_HD_Pro_C920_1A2B", "usb-Sonix_Board_Cam_01"):
            (tmp_path / f"{name}-video-index0").touch()
            (tmp_path / f"{name}-video-index1").touch()

    def test_a_part_of_a_name_is_enough(self, driver, tmp_path):
        first_of(open_camera("usb:C920", QUICK))
        assert driver.opened == [f"{tmp_path}/usb-046d_HD_Pro_C920_1A2B-video-index0"]

    def test_a_number_is_a_number(self, driver):
        first_of(open_camera("usb:2", QUICK))
        assert driver.opened == [2]

    @pytest.mark.parametrize(("name", "said"), [("usb-", "several cameras"), ("Logi", "no camera")])
    def test_a_name_must_be_one_camera(self, driver, name, said):
        with pytest.raises(CameraError, match=f"names {said}; the system lists .*C920_1A2B, "):
            next(open_camera(f"usb:{name}", QUICK).frames())

"""A stand-in for picamera2 that keeps the real one's rules, as far as the backend leans on them.

The same tests run against both (`tests/test_pi.py`), so that it cannot drift from the real one.
"""

from __future__ import annotations

import threading
import types
from concurrent.futures import CancelledError

import cv2
import numpy as np

FRAME_NS = 33_333_333
SETTLING = 15
"""Pictures that automatic exposure takes."""
DELAY = 3
"""Pictures after which controls take effect."""
ENOUGH_LIGHT = 34_000.0
"""Microseconds of exposure times gain that show things as they are in light of strength 1."""
SIZES = [(640, 360), (1280, 720)]
SMALL_SIZES = [(160, 90), (320, 180), SIZES[-1]]
LIMITS = {
    "FrameDurationLimits": (33_333, 33_333, None),
    "AeEnable": (False, True, None),
    "ExposureTime": (29, 120_000, 20_000),
    "AnalogueGain": (1.0, 16.0, 1.0),
    "AwbEnable": (False, True, None),
    "ColourGains": (0.0, 32.0, None),
    "ScalerCrop": ((0, 0, 128, 128), (0, 0, 4608, 2592), (0, 0, 4608, 2592)),
}
FOCUS = {"AfMode": (0, 2, 0), "AfTrigger": (0, 1, 0), "LensPosition": (0.0, 32.0, 1.0)}
MODULE_2 = LIMITS
MODULE_3 = LIMITS | FOCUS
NOTHING = {"FrameDurationLimits": LIMITS["FrameDurationLimits"]}


def mode(size, fps, crop, bit_depth=10):
    """As picamera2 tells of it, as far as anybody reads it."""
    return {"size": size, "fps": fps, "crop_limits": crop, "bit_depth": bit_depth}


MODES_3 = [
    mode((1536, 864), 120.13, (768, 432, 3072, 1728)),
    mode((2304, 1296), 56.03, (0, 0, 4608, 2592)),
    mode((4608, 2592), 14.35, (0, 0, 4608, 2592)),
]
"""Of Camera Module 3, the middle of the sensor first."""
MODES_2 = [
    mode(size, fps, crop, depth)
    for depth in (10, 8)
    for size, fps, crop in (
        ((640, 480), 206.65, (1000, 752, 1280, 960)),
        ((1640, 1232), 41.85, (0, 0, 3280, 2464)),
        ((1920, 1080), 47.57, (680, 692, 1920, 1080)),
        ((3280, 2464), 21.19, (0, 0, 3280, 2464)),
    )
]
"""Of Camera Module 2, each in two depths."""


class Module:
    """The glass and the chip: what stays when the camera is closed."""

    def __init__(self, offers, layout="RGB888", padding=0):
        self.offers, self.layout, self.padding = offers, layout, padding
        self.pictures = [np.full((360, 640, 3), 100, np.uint8)]
        """Seen one after the other, round and round."""
        self.light = 1.0
        self.focus_takes = 30
        """Pictures."""
        self.modes = MODES_3
        self.busy = self.stuck = False
        self.tried = 0
        """How often the modes were, which takes a while."""
        self.deaf = threading.Event()
        """While it is set, nothing answers any more, not even to being closed."""
        self.openings = []

    def picamera2(self):
        """What `import picamera2` gives."""
        module = types.ModuleType("picamera2")
        module.Picamera2 = lambda number: Picamera2(self, number)
        module.Picamera2.global_camera_info = lambda: [{"Model": "imx708", "Id": "/base/i2c@0"}]
        return module


class Picamera2:
    def __init__(self, module, number):
        if module.busy:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.module, module.busy = module, True
        self.requests, self.waiting, self.delayed = [], [], []
        self.values = {"AeEnable": True, "AwbEnable": True, "AfMode": 0}
        self.automatic_since, self.focusing_since = 0, None
        self.lens = 1.0
        self.cancelled = threading.Event()
        module.openings.append(self)

    @property
    def camera_controls(self):
        return self.module.offers

    @property
    def camera_properties(self):
        return {"PixelArraySize": (4608, 2592)} if "ScalerCrop" in self.module.offers else {}

    @property
    def sensor_modes(self):
        """The real one tries them, which a camera without a crop does not survive."""
        assert "ScalerCrop" in self.module.offers
        if self.module.modes is None:
            raise RuntimeError("cannot allocate memory")
        self.module.tried += 1
        return self.module.modes

    def create_video_configuration(self, main, lores, sensor, controls, buffer_count, queue):
        assert buffer_count > 1
        assert not queue
        streams = {"main": dict(main), "lores": dict(lores)}
        return streams | {"sensor": sensor, "controls": controls}

    def configure(self, configuration):
        self.configuration = configuration
        for name, sizes in (("main", SIZES), ("lores", SMALL_SIZES)):
            stream = configuration[name]
            stream["size"] = stream["size"] if stream["size"] in sizes else sizes[-1]
        configuration["main"]["format"] = self.module.layout
        if self.module.layout == "NV12":
            configuration["lores"]["format"] = "NV12"
        self._obey(configuration["controls"])

    def camera_configuration(self):
        return self.configuration

    def start(self):
        pass

    def set_controls(self, controls):
        for name in controls:
            if name not in self.module.offers:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.delayed.append((len(self.requests) + DELAY, controls))

    def capture_request(self, wait):
        if self.module.stuck:
            self.waiting.append("capture")
            raise TimeoutError
        for due, controls in self.delayed:
            if due == len(self.requests):
                self._obey(controls)
        self.requests.append(Request(self, len(self.requests)))
        return self.requests[-1]

    def cancel_all_and_flush(self):
        self.waiting = []

    def close(self):
        # A job that was given up is still the first in the queue: the end waits behind it.
        while self.waiting or self.module.deaf.is_set():
            if self.cancelled.wait(0.01):
                raise CancelledError
        self.module.busy = False

    def _obey(self, controls):
        if controls.get("AeEnable"):
            self.automatic_since = len(self.requests)
        if controls.get("AfTrigger") == 0 and controls.get("AfMode") == 1:
            self.focusing_since = len(self.requests)
        self.values |= controls
        self.lens = controls.get("LensPosition", self.lens)

    def facts(self, number):
        exposure, gain = self._exposure(number)
        facts = {
            "ExposureTime": exposure,
            "AnalogueGain": gain,
            "ColourGains": (1.5, 1.8) if self.values["AwbEnable"] else self.values["ColourGains"],
            "LensPosition": self._lens(number),
        }
        facts = {name: value for name, value in facts.items() if name in self.module.offers}
        if "AfMode" in self.module.offers:
            facts["AfState"] = self._af_state(number)
        if "ScalerCrop" in self.module.offers:
            facts["ScalerCrop"] = self._crop()
        return facts | {"SensorTimestamp": 7_000_000_000 + number * FRAME_NS}

    def _crop(self):
        """Left alone it is the mode that is nearest in size."""
        asked = self.configuration["sensor"].get("output_size", MODES_3[0]["size"])
        return next(mode["crop_limits"] for mode in MODES_3 if mode["size"] == asked)

    def _exposure(self, number):
        if not self.values["AeEnable"]:
            return self.values["ExposureTime"], self.values["AnalogueGain"]
        if number - self.automatic_since < SETTLING:
            return 33_000, 8.0
        return 17_000, ENOUGH_LIGHT / 17_000 / self.module.light

    def _lens(self, number):
        return 2.5 if self._af_state(number) == 2 else self.lens

    def _af_state(self, number):
        """0 idle, 1 searching, 2 found."""
        if self.focusing_since is None or self.values["AfMode"] != 1:
            return 0
        return 1 if number - self.focusing_since < self.module.focus_takes else 2

    def brightness(self, number):
        if "ExposureTime" not in self.module.offers:
            return self.module.light
        exposure, gain = self._exposure(number)
        return exposure * gain * self.module.light / ENOUGH_LIGHT


class Request:
    def __init__(self, camera, number):
        self.camera, self.number, self.released = camera, number, False
        self.taken = []
        """The streams that were copied."""
        self.values = camera.facts(number)
        self.level = camera.brightness(number)

    def make_array(self, stream):
        assert not self.released
        self.taken.append(stream)
        asked = self.camera.configuration[stream]
        way = cv2.INTER_NEAREST if stream == "main" else cv2.INTER_AREA
        shown = self.camera.module.pictures
        picture = cv2.resize(shown[self.number % len(shown)], asked["size"], interpolation=way)
        lit = np.clip(picture * self.level, 0, 255).astype(np.uint8)
        return laid_out(lit, asked["format"], self.camera.module.padding)

    def get_metadata(self):
        assert not self.released
        return self.values

    def release(self):
        assert not self.released
        self.released = True


def laid_out(picture, layout, padding):
    """Blue, green, red as picamera2's `make_array` would give it; only planes keep their
    padding."""
    if layout in ("RGB888", "BGR888"):
        return picture if layout == "RGB888" else picture[:, :, ::-1].copy()
    if layout == "XBGR8888":
        return cv2.cvtColor(picture, cv2.COLOR_BGR2RGBA)
    height, width = picture.shape[:2]
    planes = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)
    bright, rest = planes[:height], planes[height:].reshape(2, height // 2, width // 2)
    if layout == "NV12":
        pairs = np.stack([rest[0], rest[1]], axis=2).reshape(height // 2, width)
        return np.vstack([bright, pairs])
    assert layout == "YUV420"
    wide = np.pad(bright, ((0, 0), (0, padding)))
    narrow = [np.pad(plane, ((0, 0), (0, padding // 2))) for plane in rest]
    return np.vstack([wide, np.vstack(narrow).reshape(height // 2, width + padding)])

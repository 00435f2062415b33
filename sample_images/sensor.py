"""What a camera does to the light behind its lens: blur, sensor, processing, JPEG.

Both makers of pictures hand over linear light, so that blur, noise and clipping happen where
they happen in a camera: before the tone curve. Every chance is drawn from a generator that is
passed in.
"""

# NumPy's own types forget what mixed arithmetic returns.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Light = NDArray[Any]
"""Of float32, (height, width, 3), red green blue, linear, 0 is black and nothing is too bright."""
Image = NDArray[np.uint8]
"""(height, width, 3), blue green red."""

MIDDLE_GREY = 0.26
"""Linear level at which an automatic exposure puts the middle of the picture; with a board there
the whole comes out about as bright as photographs of boards do."""
FULL, ZERO = 65535, 4096
"""The sensor's numbers for full scale and for no light at all."""
BLACK = ZERO / (FULL - ZERO)


@dataclass(frozen=True)
class Sensor:
    """One camera with its settings."""

    defocus_px: float = 0.6
    """Standard deviation of the blur; 0.5 is what a sharp lens leaves."""
    motion_px: tuple[float, float] = (0.0, 0.0)
    """How far the picture moves while the shutter is open."""
    stops: float = 0.0
    """Exposure above (or below) what the automatic would choose."""
    white_balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Gains of red, green, blue left after the camera's own white balance."""
    electrons: float = 6000.0
    """At full scale; the fewer, the more shot noise (dim light at a high gain)."""
    read_noise: float = 6.0
    """Electrons."""
    vignette: float = 0.15
    """Loss of light in the corners."""
    contrast: float = 0.25
    """Share of an S-curve laid over the plain tone curve."""
    saturation: float = 1.05
    sharpening: float = 0.4
    """As cameras do by themselves, with its halo."""
    jpeg_quality: int = 92


def metered_gain(light: Light) -> float:
    """The gain by which an automatic exposure brings the picture's middle to middle grey."""
    height, width = light.shape[:2]
    middle = light[height // 5 : -height // 5, width // 5 : -width // 5]
    return MIDDLE_GREY / max(float(np.mean(_luminance(middle))), 1e-9)


def _luminance(light: Light) -> Light:
    return (light @ np.array([0.2126, 0.7152, 0.0722], dtype=np.float32)).astype(np.float32)


def photograph(light: Light, sensor: Sensor, gain: float, random: np.random.Generator) -> Image:
    """The picture that the camera gives of `light`, before JPEG."""
    seen = _blurred(light, sensor) * vignette_of(light, sensor.vignette)
    gains = np.array(sensor.white_balance, dtype=np.float32) * gain * 2.0**sensor.stops
    noisy = _counted(seen * gains, sensor, random)
    developed = _toned(_saturated(_demosaiced(noisy), sensor.saturation), sensor.contrast)
    sharp = _sharpened(developed, sensor.sharpening)
    return np.ascontiguousarray(np.rint(sharp * 255).astype(np.uint8)[:, :, ::-1])


FLICKER_HZ, CLOCK = 100.0, 1.003
"""Of a lamp on the mains, and how fast a camera's clock runs against it: the bands creep."""
READOUT_MS = 25.0
"""From the first row of a picture to the last: a rolling shutter reads them in turn."""
GAMMA = 2.2


def flickered(image: Image, depth: float, time_ms: int) -> Image:
    """The picture, developed already, under lamps that flicker by a share of their light."""
    rows = np.arange(len(image)) / len(image)
    seconds = (time_ms + READOUT_MS * rows) * CLOCK / 1000
    light = 1 + depth * np.sin(2 * np.pi * FLICKER_HZ * seconds)
    lit = image * (light ** (1 / GAMMA))[:, None, None]
    return np.clip(np.rint(lit), 0, 255).astype(np.uint8)


def _blurred(light: Light, sensor: Sensor) -> Light:
    picture = light
    if sensor.defocus_px > 0:
        picture = cv2.GaussianBlur(picture, (0, 0), sensor.defocus_px)
    length = math.hypot(*sensor.motion_px)
    if length >= 1:
        # A large kernel goes through Fourier's transform, which leaves traces below zero.
        picture = np.maximum(cv2.filter2D(picture, -1, streak(sensor.motion_px)), 0)
    return picture


def streak(motion_px: tuple[float, float]) -> Light:
    """The kernel of a straight, even movement, centred so that nothing is displaced."""
    half = math.ceil(max(map(abs, motion_px)) / 2) + 1
    kernel = np.zeros((2 * half + 1, 2 * half + 1), dtype=np.float32)
    for part in np.linspace(-0.5, 0.5, 8 * half + 1):
        x, y = half + part * motion_px[0], half + part * motion_px[1]
        kernel[round(y), round(x)] += 1
    return (kernel / kernel.sum()).astype(np.float32)


def vignette_of(light: Light, loss: float) -> Light:
    """The share of light that reaches each pixel of such a picture, (height, width, 1)."""
    height, width = light.shape[:2]
    y, x = np.ogrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    return (1 - loss * (x**2 + y**2) / 2).astype(np.float32)[:, :, None]


def _counted(light: Light, sensor: Sensor, random: np.random.Generator) -> NDArray[np.uint16]:
    """Electrons behind a Bayer filter, clipped at full scale, as 16 bit numbers (height, width)."""
    height, width = light.shape[:2]
    mosaic = light[:, :, 1].copy()
    mosaic[0::2, 0::2] = light[0::2, 0::2, 0]
    mosaic[1::2, 1::2] = light[1::2, 1::2, 2]
    spread = np.sqrt(mosaic * sensor.electrons + sensor.read_noise**2) / sensor.electrons
    mosaic += spread * random.standard_normal((height, width), dtype=np.float32)
    # A black level above zero, as in cameras, or noise in the dark would be cut off at one side.
    return np.rint(np.clip(mosaic, -BLACK, 1) * (FULL - ZERO) + ZERO).astype(np.uint16)


def _demosaiced(mosaic: NDArray[np.uint16]) -> Light:
    colours = cv2.cvtColor(mosaic, cv2.COLOR_BayerRGGB2RGB).astype(np.float32)
    return np.clip((colours - ZERO) / (FULL - ZERO), 0, 1).astype(np.float32)


def _saturated(light: Light, saturation: float) -> Light:
    grey = _luminance(light)[:, :, None]
    return np.clip(grey + (light - grey) * saturation, 0, 1).astype(np.float32)


def _toned(light: Light, contrast: float) -> Light:
    """The sRGB curve (IEC 61966-2-1) with a share of an S-curve."""
    plain = np.where(light < 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    bent = plain * plain * (3 - 2 * plain)
    return ((1 - contrast) * plain + contrast * bent).astype(np.float32)


def _sharpened(picture: Light, amount: float) -> Light:
    soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
    return np.clip(picture + amount * (picture - soft), 0, 1).astype(np.float32)


def refiled(image: Image, quality: int) -> Image:
    """The picture as it is read again from a JPEG file."""
    filed = np.frombuffer(jpeg(image, quality), np.uint8)
    return np.asarray(cv2.imdecode(filed, cv2.IMREAD_COLOR), np.uint8)


def jpeg(image: Image, quality: int) -> bytes:
    """The picture as a JPEG file."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("the picture cannot be written as JPEG")
    return bytes(data)

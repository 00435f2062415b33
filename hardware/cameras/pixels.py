"""Pictures as a camera's chip lays them out, turned into blue, green, red; how bright they are."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera import CameraError, Image

CONVERSIONS: dict[str, int | None] = {
    "RGB888": None,  # libcamera names the bytes backwards: in memory blue comes first
    "BGR888": cv2.COLOR_RGB2BGR,
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
}
"""By libcamera's name of the layout."""
PLANAR = ("YUV420", "NV12")
"""Those that keep brightness and colours apart."""
SPARSE = 8
"""Every so many pixels count for the brightness."""


def bgr(pixels: NDArray[np.uint8], layout: str, width: int) -> Image:
    """A picture (height, width, 3) from the rows of one, which may be longer than the picture is
    wide. CameraError for a layout that is not known."""
    if layout not in CONVERSIONS:
        known = ", ".join(CONVERSIONS)
        raise CameraError(f"the camera gives {layout}; only {known} are understood")
    conversion = CONVERSIONS[layout]
    picture = pixels if conversion is None else cv2.cvtColor(pixels, conversion)
    return np.ascontiguousarray(picture[:, :width], dtype=np.uint8)


def planes(
    pixels: NDArray[np.uint8], layout: str, size: tuple[int, int]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Brightness (height, width), and colours at half the resolution, of a picture in one of
    `PLANAR`, whose rows may be longer than it is wide. CameraError for another layout."""
    if layout not in PLANAR:
        raise CameraError(f"the camera gives {layout}; only {', '.join(PLANAR)} are understood")
    width, height = size
    colours = pixels[height : height * 3 // 2]
    if layout == "YUV420":  # one plane after the other, their rows half as long
        return pixels[:height, :width], colours.reshape(height, -1)[:, : width // 2]
    return pixels[:height, :width], colours[:, :width]


def brightness(image: Image) -> float:
    """Mean level, 0 to 255."""
    return float(image[::SPARSE, ::SPARSE].mean())


def is_as_bright(one: float, other: float, factor: float) -> bool:
    """Whether two brightnesses differ by no more than a factor; a level more or less is no matter
    in the dark."""
    low, high = sorted((one + 1, other + 1))
    return high <= factor * low

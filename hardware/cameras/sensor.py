"""Which pixels of a sensor are read: all of them, where that is quick enough.

Left to itself libcamera picks the mode whose size is nearest to the picture's; for a small picture
that may be the middle of the sensor only, as if the lens were a longer one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Mode = Mapping[str, Any]
"""What picamera2 says about one way to read the sensor."""


def widest(modes: Iterable[Mode], size: tuple[int, int], rate: float) -> Mode | None:
    """The mode that reads most of the sensor, of those as quick as `rate` frames a second; None
    when there are none to choose from.

    Of several it is the smallest that is no smaller than the picture, in its finest shades.
    """

    def rank(mode: Mode) -> tuple[float, ...]:
        width, height = mode["size"]
        area = mode["crop_limits"][2] * mode["crop_limits"][3]
        large = width >= size[0] and height >= size[1]
        return round(mode["fps"]) >= rate, area, large, -width * height, mode["bit_depth"]

    return max((mode for mode in modes if "crop_limits" in mode), key=rank, default=None)


def share_seen(facts: Mapping[str, Any], properties: Mapping[str, Any]) -> float | None:
    """Of the sensor's width, what a picture shows; None when the camera does not say."""
    crop, whole = facts.get("ScalerCrop"), properties.get("PixelArraySize")
    return crop[2] / whole[0] if crop and whole else None

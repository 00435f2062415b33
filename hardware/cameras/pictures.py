"""Reading a picture file that anybody may have made."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from hardware.camera import Image

PNG = b"\x89PNG\r\n\x1a\n"
SIZE = slice(16, 24)
"""Where a PNG file tells its width and height."""
MOST_PIXELS = 20_000_000
"""Of a picture that is read: a file of some kilobytes may claim to be gigabytes of picture."""

MOST_BYTES = 100_000_000
"""Of such a file: twenty million pixels take no more in any of its forms."""


def load_picture(path: Path) -> Image | None:
    """A picture (height, width, 3) in blue, green, red; None when it is none, or too large.

    OpenCV's own limit, `OPENCV_IO_MAX_IMAGE_PIXELS`, is the caller's to set. OSError when the file
    cannot be read.
    """
    with path.open("rb") as file:
        filed = file.read(MOST_BYTES)
    # OpenCV 5 makes room for what a damaged PNG claims before it looks at its own limit.
    if not filed or (filed.startswith(PNG) and _pixels(filed[SIZE]) > MOST_PIXELS):
        return None
    try:
        # Not `imread`: names that are no text in UTF-8 end the program there.
        image = cv2.imdecode(np.frombuffer(filed, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


def _pixels(size: bytes) -> int:
    return int.from_bytes(size[:4], "big") * int.from_bytes(size[4:], "big")

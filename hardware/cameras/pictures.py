"""Reading a picture file that anybody may have made."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from hardware.camera import MOST_PIXELS, CameraError, Image

PNG = b"\x89PNG\r\n\x1a\n"
SIZE = slice(16, 24)
"""Where a PNG file tells its width and height."""
MOST_BYTES = 4 * MOST_PIXELS
"""Of such a file: so much the largest picture takes without any compression."""
TOO_LARGE = "CV_IO_MAX_IMAGE"
"""What OpenCV's own complaint names when a picture is larger than it may be."""


def load_picture(path: Path) -> Image | None:
    """A picture (height, width, 3) in blue, green, red; None when it is none.

    OpenCV's own limit, `OPENCV_IO_MAX_IMAGE_PIXELS`, is the caller's to set. CameraError when the
    picture is too large, OSError when the file cannot be read.
    """
    with path.open("rb") as file:
        filed = file.read(MOST_BYTES + 1)
    if not filed:
        return None
    # OpenCV 5 makes room for what a damaged PNG claims before it looks at its own limit.
    if len(filed) > MOST_BYTES or (filed.startswith(PNG) and _pixels(filed[SIZE]) > MOST_PIXELS):
        raise _too_large(path)
    try:
        # Not `imread`: names that are no text in UTF-8 end the program there.
        image = cv2.imdecode(np.frombuffer(filed, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        if TOO_LARGE in str(error):
            raise _too_large(path) from None
        return None
    return None if image is None else np.asarray(image, np.uint8)


def _too_large(path: Path) -> CameraError:
    most = f"{MOST_PIXELS // 1_000_000} megapixels or {MOST_BYTES // 1_000_000} MB"
    return CameraError(f"{path} is larger than {most}; scale it down")


def _pixels(size: bytes) -> int:
    return int.from_bytes(size[:4], "big") * int.from_bytes(size[4:], "big")

"""What this room and the eye call their arrays, and how colours are told by brightness."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
"""Numbers of any kind."""

Levels = NDArray[np.float64]
"""Numbers of double precision."""

Mask = NDArray[np.bool_]
"""Which of a number of things are meant."""

Image = NDArray[np.uint8]
"""(height, width, 3), blue green red, as `cv2.imread` gives it."""

LUMINANCE = (0.114, 0.587, 0.299)
"""Weights of blue, green and red in what people take for brightness (ITU-R BT.601)."""

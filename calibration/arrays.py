"""What the modules of this room call their arrays; shapes and units are in the docstrings."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
"""Numbers of any kind."""

Mask = NDArray[np.bool_]
"""Which of a number of things are meant."""

Image = NDArray[np.uint8]
"""(height, width, 3), blue green red, as `cv2.imread` gives it."""

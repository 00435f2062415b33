"""What the reader is given of each cell: its patch, in colours relative to the board's own."""

from __future__ import annotations

import numpy as np

from referee.eye.light import Light, logarithm
from referee.eye.patches import SIZE, Floats, Patches

CHANNELS = 9
"""3 log colour, 3 log colour less that of the bare board, 1 the board's pattern, 2 the lean."""

FAINTEST, BRIGHTEST = -3.0, 1.5
"""Log colours relative to the light squares are kept within these."""


def pattern(points: Floats) -> Floats:
    """The bare board at board points (..., 2): 1 on dark squares, 0 on light, -1 outside."""
    x, y = points[..., 0], points[..., 1]
    dark = (np.floor(x) + np.floor(y)) % 2
    inside = (x >= 0) & (x < 8) & (y >= 0) & (y < 8)
    return np.where(inside, dark, -1.0).astype(np.float32)


def features(patches: Patches, light: Light) -> Floats:
    """(n, CHANNELS, SIZE, SIZE) of n patches."""
    log = logarithm(patches.pixels) - light.light[patches.which][:, None, None, :]
    raw = np.clip(log, FAINTEST, BRIGHTEST)
    plan = pattern(patches.points)
    bare = np.maximum(plan, 0.0)[..., None] * light.contrast
    out = np.empty((len(patches.which), CHANNELS, SIZE, SIZE), dtype=np.float32)
    out[:, 0:3] = np.moveaxis(raw, -1, 1)
    out[:, 3:6] = np.moveaxis(raw - bare, -1, 1)
    out[:, 6] = plan
    out[:, 7:9] = patches.lean[:, :, None, None]
    return out

"""What a camera settled on, kept from one start to the next."""

from __future__ import annotations

import json
import logging
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hardware.folders import Base, base_folder

logger = logging.getLogger(__name__)

MOST_BYTES = 10_000
"""Such a file is some hundred bytes; anything longer is another."""
Number = float | tuple[float, ...]


@dataclass(frozen=True)
class Settled:
    """The numbers of one camera in one light."""

    camera: str
    """Model and place: another camera has other numbers."""
    brightness: float
    """Mean level of the picture they give, 0 to 255: in another light they no longer fit."""
    numbers: dict[str, Number]
    """By the camera's own names."""


def state_folder() -> Path:
    """Where programs keep what they would rather not lose, but can find again."""
    return base_folder(Base.STATE) / "referee"


def recall(path: Path, camera: str) -> Settled | None:
    """What was kept of this camera; None when nothing was, or nothing that can be read."""
    try:
        with path.open("rb") as file:
            settled = _settled(json.loads(file.read(MOST_BYTES)))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return settled if settled.camera == camera else None


def keep(path: Path, settled: Settled) -> None:
    """Write it down in one step; a folder that cannot be written is told and otherwise borne."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{path.name}.new")
        with new.open("w", encoding="utf-8") as file:
            json.dump(asdict(settled), file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        logger.warning("the camera's numbers cannot be kept in %s: %s", path, error.strerror)


def _settled(read: dict[str, Any]) -> Settled:
    numbers = {str(name): _number(value) for name, value in read["numbers"].items()}
    return Settled(str(read["camera"]), float(read["brightness"]), numbers)


def _number(value: object) -> Number:
    if isinstance(value, list):
        return tuple(float(one) for one in value)
    if isinstance(value, (int, float)):
        return value
    raise ValueError(f"{value!r} is no number")

"""Calibration files, the last good one before a damaged one, and what a calibration leaves open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import numpy as np

from calibration.saved import Calibration, CalibrationError, former
from hardware.camera import Frame
from referee.errors import InputError
from referee.eye.sides import EVEN
from referee.settings.knobs import DARKER, LIGHTER
from referee.verbs import terminal
from referee.watching import fitted


def doubt_of_sides(calibration: Calibration) -> str | None:
    """What people should know when the side that begins may be the other one; else None."""
    if calibration.evened.lighter_by() > EVEN:
        return None
    lens = calibration.view.lens
    x, y = calibration.view.project(np.array([[4.0, 1.5]]))[0]
    across, along = x - lens.width / 2, y - lens.height / 2
    if abs(across) > abs(along):
        place = "left" if across < 0 else "right"
    else:
        place = "top" if along < 0 else "bottom"
    begins, other = (LIGHTER, DARKER) if calibration.lighter_begins else (DARKER, LIGHTER)
    return (
        f"both sides look equally bright here, and the {begins} begins: it is taken to be that at"
        f" the {place} of the picture; if that is wrong, turn the light away from the board, or"
        f" say --begins {other}"
    )


def load(path: Path) -> Calibration:
    """The calibration in a file, or in the one it replaced; InputError when neither is any."""
    try:
        return Calibration.load(path)
    except CalibrationError as error:
        known = _quiet(former(path))
        if known is None:
            raise InputError(str(error)) from None
        told = error if isinstance(error.__cause__, OSError) else f"{path} is damaged"
        terminal.complain(f"{told}; the calibration before it is used")
        return known


def load_or_search(path: Path) -> Calibration | None:
    """The same where nobody can mend the file; None, and told, when the board must be searched."""
    try:
        return load(path)
    except InputError as error:
        terminal.complain(f"{error}; until then the board is searched for")
        return None


def last_good(path: Path) -> Calibration | None:
    """The same where a search can stand in: None when neither is any."""
    return _quiet(path) or _quiet(former(path))


def fitting(
    frames: Iterator[Frame], known: Calibration | None, tell: Callable[[str], None]
) -> tuple[Iterator[Frame], Calibration | None]:
    """All the frames, and the calibration as it is for pictures of their size; told where it is of
    another shape, and the board must be searched."""
    first = next(frames, None)
    if first is None:
        return frames, known
    if known and fitted(first.image, known) is None:
        tell("the calibration is of pictures of another shape: the board is looked for")
        known = None
    if known:
        height, width = first.image.shape[:2]
        known = known.seen_from(known.view.of_size(width, height))
    return chain([first], frames), known


def _quiet(path: Path) -> Calibration | None:
    try:
        return Calibration.load(path)
    except CalibrationError:
        return None

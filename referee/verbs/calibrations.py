"""Reading calibration files: the file itself, or the last good one before it."""

from __future__ import annotations

from pathlib import Path

from calibration.saved import Calibration, CalibrationError, former
from referee.errors import InputError
from referee.verbs import terminal


def load(path: Path) -> Calibration:
    """The calibration in a file, or in the one it replaced; InputError when neither is any."""
    try:
        return Calibration.load(path)
    except CalibrationError as error:
        known = _quiet(former(path))
        if known is None:
            raise InputError(str(error)) from None
        terminal.complain(f"{path} is damaged; the calibration before it is used")
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


def _quiet(path: Path) -> Calibration | None:
    try:
        return Calibration.load(path)
    except CalibrationError:
        return None

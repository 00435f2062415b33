"""What is known of one camera, one board and one set, and its file."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass, replace
from math import isfinite, pi
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.arrays import LUMINANCE
from calibration.gloss import TERMS, Gloss
from calibration.model import Lens, Pose, View
from calibration.palette import Palette, Tone

VERSION = 3
UNSUMMED = 2
"""A version whose files carry no checksum; they are read as they are."""

FARTHEST_PX = 1e6
"""No corner of a board that is seen lies farther from that of the picture."""
BEGINNING = 1 << 16
"""Bytes of a file by which it is known; ours are of a few kilobytes."""
KEYS = (b'"view"', b'"lens"')
"""What stands first in every file of ours."""
BLANK = b"\0 \t\r\n"
"""What a power cut may leave of a file."""

MALFORMED = (
    *(ValueError, LookupError, TypeError, AttributeError),
    *(ArithmeticError, RecursionError),
)
"""What another content than `save` wrote can lead to."""


class CalibrationError(ValueError):
    """A calibration file that cannot be used; the message says why."""


@dataclass(frozen=True)
class Calibration:
    """Enough to read any later picture of the same board, camera and set."""

    view: View
    """Numbered as the game: corner 0 is next to squares 1 and 5."""
    palette: Palette
    thickness: float = 0.15
    """Of one disc, in squares, as the reader sees it from here."""
    radius: float = 0.31
    """Of a disc, in squares."""
    axis: tuple[float, float, float] = LUMINANCE
    """Blue, green, red from dark to light squares, along which edges are looked for."""
    gloss: Gloss | None = None
    """A lamp in the discs, where taking it off tells the sides better apart."""
    looks: tuple[float, float] | None = None
    """How thick discs of the darker and of the lighter side look, in squares, and no thinner than
    the set: a dark wall and the shadow at its foot are hard to tell apart. None where it has not
    been measured, as in files of before."""
    kinglike: tuple[float, float] = (0.0, 0.0)
    """By how many nats the men of the darker and of the lighter side look kings: more than nothing
    of sets that the networks do not know."""
    lighter_begins: bool = False
    """Whether the discs of the side that begins are the lighter ones, not the darker as usual."""

    def seen_from(self, view: View) -> Calibration:
        """The same set where the board is seen from another view. A lamp that is mirrored in the
        discs does not turn about with the board, or with its numbers."""
        gloss = self.gloss
        if gloss is not None and self.view.swing(view) > pi / 2:
            gloss = gloss.turned()
        return replace(self, view=view, gloss=gloss)

    def begun_by(self, lighter: bool) -> Calibration:
        """The same set whose lighter discs begin, or whose darker ones do: these had stood on
        squares 1 to 12."""
        if lighter is self.lighter_begins:
            return self
        about = self.seen_from(self.view.turned(2))
        return replace(about, lighter_begins=lighter)

    @property
    def thicknesses(self) -> tuple[float, float]:
        """Of a disc of the darker and of the lighter side, in squares, to tell kings by."""
        return self.looks or (self.thickness, self.thickness)

    @property
    def evened(self) -> Palette:
        """What tells the sides apart, the lamp taken off."""
        return self.gloss.palette(self.palette) if self.gloss else self.palette

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all; a sound one that it replaces stays beside it.

        Whatever the file is, it is replaced: ask `is_calibration` before, where a person has named
        it. OSError names the file where it cannot be written.
        """
        content = {"version": VERSION, **asdict(self)}
        text = json.dumps({**content, "sum": _sum(content)}, indent=1)
        half = path.with_name(f".{path.name}.part")
        try:
            with half.open("w", encoding="utf-8") as file:
                file.write(text + "\n")
                file.flush()
                os.fsync(file.fileno())
            with suppress(OSError, CalibrationError):
                Calibration.load(path)
                path.replace(former(path))
            half.replace(path)
        except OSError as error:
            with suppress(OSError):
                half.unlink(missing_ok=True)
            error.filename = str(path)  # nobody knows the other name
            raise

    @staticmethod
    def load(path: Path) -> Calibration:
        """Read a file that `save` wrote; CalibrationError when it is no such file."""
        try:
            return _parse(json.loads(path.read_text(encoding="utf-8")))
        except OSError as error:
            raise CalibrationError(f"cannot read {path}: {error.strerror}") from error
        except MALFORMED as error:
            raise CalibrationError(
                f"{path} is no calibration file: make one with `referee calibrate`"
            ) from error


def is_calibration(path: Path) -> bool:
    """Whether a file is one that `save` wrote, sound or damaged, or holds nothing at all."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        beginning = file.read(BEGINNING)
    ours = beginning.lstrip().startswith(b"{") and all(key in beginning for key in KEYS)
    return ours or not beginning.strip(BLANK)


def former(path: Path) -> Path:
    """Where the calibration is kept that a newer one has replaced."""
    return path.parent / f"{path.name}.former"


def _parse(record: dict[str, Any]) -> Calibration:
    told = record.pop("sum", None)
    if record["version"] != (VERSION if told else UNSUMMED):
        raise ValueError("another version")
    # One digit that a card has lost makes another board, which nobody would notice.
    if told and told != _sum(record):
        raise ValueError("damaged")
    return Calibration(
        _view(**record["view"]),
        Palette(**{name: _tone(tone) for name, tone in record["palette"].items()}),
        _measure(record["thickness"]),
        _measure(record["radius"]),
        _three(record["axis"]),
        _gloss(record.get("gloss")),
        _thicknesses(record.get("looks")),
        _nats(record.get("kinglike", (0.0, 0.0))),
        _yes_or_no(record.get("lighter_begins", False)),
    )


def _sum(content: dict[str, Any]) -> str:
    """A checksum that does not depend on how the file is laid out."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _view(lens: dict[str, Any], pose: dict[str, Any]) -> View:
    view = View(_lens(lens), Pose(**{name: _three(vector) for name, vector in pose.items()}))
    corners = view.corners()
    if not np.isfinite(corners).all() or abs(corners).max() > FARTHEST_PX:
        raise ValueError("no board is seen there")
    if not cv2.isContourConvex(corners.astype(np.float32)):
        raise ValueError("no board looks like that")
    return view


def _lens(record: dict[str, Any]) -> Lens:
    lens = Lens(**record)
    if not all(isinstance(value, (int, float)) and isfinite(value) for value in astuple(lens)):
        raise ValueError("not a number")
    if not (isinstance(lens.width, int) and isinstance(lens.height, int)):
        raise ValueError("not a number of pixels")
    if min(lens.width, lens.height, lens.focal_px) <= 0:
        raise ValueError("nothing can be seen through that")
    return lens


def _tone(record: dict[str, Any]) -> Tone:
    return Tone(_three(record["mean"]), _spread(record["spread"]))


def _spread(values: list[float]) -> tuple[float, float, float]:
    spread = _three(values)
    if min(spread) <= 0:
        raise ValueError("colours spread at least a little")
    return spread


def _measure(value: float) -> float:
    """Of a disc, in squares."""
    if not 0 < float(value) < 1:
        raise ValueError("no disc measures that")
    return float(value)


def _gloss(record: dict[str, Any] | None) -> Gloss | None:
    if record is None:
        return None
    added = tuple(_three(colour) for colour in record["added"])
    if len(added) != TERMS.shape[1]:
        raise ValueError("another field")
    return Gloss(added, _tone(record["darker"]), _tone(record["lighter"]))


def _thicknesses(values: list[float] | None) -> tuple[float, float] | None:
    if values is None:
        return None
    first, second = _nats(values)
    if min(first, second) == 0:
        raise ValueError("no thickness")
    return first, second


def _nats(values: Sequence[float]) -> tuple[float, float]:
    first, second = (float(value) for value in values)
    if not (isfinite(first + second) and min(first, second) >= 0):
        raise ValueError("no number, or below zero")
    return first, second


def _yes_or_no(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("neither true nor false")
    return value


def _three(values: list[float]) -> tuple[float, float, float]:
    first, second, third = (float(value) for value in values)
    if not isfinite(first + second + third):
        raise ValueError("not a number")
    return first, second, third

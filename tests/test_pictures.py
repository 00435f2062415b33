"""Picture files that anybody may have made."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.cameras.pictures import load_picture

PICTURE = np.full((20, 30, 3), (10, 120, 240), np.uint8)


def _filed(kind: str) -> bytes:
    return cv2.imencode(kind, PICTURE)[1].tobytes()


@pytest.mark.parametrize("name", [b"board.png", b"br\xe4tt \xff.png"], ids=["usual", "no text"])
def test_a_picture_is_read_whatever_its_name(name: bytes, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(name)
    path.write_bytes(_filed(".png"))
    read = load_picture(path)
    assert read is not None
    assert np.array_equal(read, PICTURE)


@pytest.mark.parametrize(
    "content", [b"", b"no picture", _filed(".png")[:40]], ids=["empty", "text", "cut"]
)
def test_what_is_no_picture_is_none(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "board.png"
    path.write_bytes(content)
    assert load_picture(path) is None

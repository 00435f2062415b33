"""Picture files that anybody may have made."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera import MOST_PIXELS, CameraError
from hardware.cameras import pictures
from hardware.cameras.folder import Folder
from hardware.cameras.pictures import load_picture

PROJECT = Path(__file__).parents[1]
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


SIDE = 1 + int(MOST_PIXELS**0.5)


@pytest.mark.parametrize("kind", [".jpg", ".png", ".bmp", ".webp"])
def test_a_picture_that_is_too_large_is_told_from_what_is_none(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"huge{kind}"
    path.write_bytes(cv2.imencode(kind, np.zeros((SIDE, SIDE), np.uint8))[1].tobytes())
    # OpenCV takes its limit from the environment once, when it is imported.
    for asked in (["look", "--json", str(path)], ["watch", str(tmp_path), "--mute"]):
        done = subprocess.run(
            [sys.executable, "-m", "referee", *asked], capture_output=True, text=True, cwd=PROJECT
        )
        assert done.returncode == 2
        assert f"referee: {path} is larger than 50 megapixels or 200 MB; scale" in done.stderr


def test_a_file_that_is_too_large_is_not_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "board.png"
    path.write_bytes(_filed(".png"))
    monkeypatch.setattr(pictures, "MOST_BYTES", len(_filed(".png")) - 1)
    with pytest.raises(CameraError, match="scale it down"):
        load_picture(path)
    with pytest.raises(CameraError, match="scale it down"):
        next(Folder(tmp_path).frames())
    monkeypatch.setattr(pictures, "MOST_BYTES", len(_filed(".png")))
    assert load_picture(path) is not None


def test_a_photograph_of_a_telephone_is_read(tmp_path: Path) -> None:
    path = tmp_path / "board.jpg"
    path.write_bytes(cv2.imencode(".jpg", np.zeros((6000, 8000), np.uint8))[1].tobytes())
    asked = [sys.executable, "-m", "referee", "look", "--json", str(path)]
    done = subprocess.run(asked, capture_output=True, text=True, cwd=PROJECT)
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads(done.stdout)["found"] is False

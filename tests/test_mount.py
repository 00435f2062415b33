"""The mount that the drawings and tables show is the one that the referee's own lens model sees."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

import hardware
from calibration.model import Lens, Pose, View
from hardware.drawings.draw import drawings
from hardware.drawings.mount import (
    ASPECT,
    BORDER,
    CAMERAS,
    DISC,
    FILLED,
    HEIGHT_PX,
    ROOM,
    TILTS,
    Mount,
    distances,
    sizes,
)
from referee.eye.patches import CELLS
from referee.eye.stacks import walls_px

FOLDER = Path(hardware.__file__).parent
MOUNTS = [Mount(camera, tilt) for camera in CAMERAS for tilt in TILTS]


def view_of(mount: Mount) -> View:
    """The board seen by that camera, columns running away from it."""
    tilt, aim = np.radians(mount.tilt), mount.aim
    lens = Lens(round(HEIGHT_PX * ASPECT), HEIGHT_PX, mount.focal_px)
    # Right in the picture is along the table; down in it comes nearer, and downwards.
    right, down = np.array([1.0, 0, 0]), np.array([0, np.cos(aim), np.sin(aim)])
    rotation = np.array([right, down, np.cross(right, down)])
    eye = np.array([4, 4 + mount.distance * np.sin(tilt), -mount.distance * np.cos(tilt)])
    turned, _ = cv2.Rodrigues(rotation)
    return View(lens, Pose(tuple(turned.ravel().tolist()), tuple((-rotation @ eye).tolist())))


@pytest.mark.parametrize("mount", MOUNTS)
def test_the_board_fills_the_picture_as_said_and_is_in_the_middle(mount: Mount) -> None:
    view = view_of(mount)
    corners = view.corners()
    low, high = corners[:, 1].min(), corners[:, 1].max()
    near = np.array([[-BORDER, 8 + BORDER], [8 + BORDER, 8 + BORDER]])
    (left, _), (right, _) = view.project(near)
    filled, width = (high - low) / HEIGHT_PX, (right - left) / (HEIGHT_PX * ASPECT)
    assert max(filled / FILLED, width / ROOM) == pytest.approx(1, abs=0.001)
    assert (high + low) / 2 == pytest.approx((HEIGHT_PX - 1) / 2, abs=0.5)
    assert view.tilt_degrees() == pytest.approx(mount.tilt, abs=0.1)


@pytest.mark.parametrize("mount", MOUNTS[:3])
def test_discs_are_as_high_as_the_eye_reckons(mount: Mount) -> None:
    walls = walls_px(view_of(mount), DISC)
    middle = [cell for cell, (_, column) in enumerate(CELLS) if column in (3, 4)]
    for cell in middle:
        x = CELLS[cell][0] + 0.5 - 4
        assert walls[cell] == pytest.approx(mount.wall_px(x), rel=0.02)


def test_the_drawings_are_those_of_today() -> None:
    for name, drawing in drawings():
        kept = (FOLDER / "drawings" / name).read_text(encoding="utf-8")
        ElementTree.fromstring(kept)
        assert kept == drawing, "python -m hardware.drawings.draw"


def test_the_tables_are_in_the_text() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert "\n".join(distances()) in text
    assert "\n".join(sizes()) in text

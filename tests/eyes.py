"""An eye for tests that has learnt a drawn board, and arms drawn over that."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.arrays import Image
from calibration.saved import Calibration
from referee.board import EMPTY, START
from referee.eye.eye import Eye
from referee.eye.first_sight import calibrate
from referee.eye.light import IS_DARK
from tests.boards import draw_board, view_from

SIXTY_FOUR = "".join(START[4 * (i // 8) + i % 8 // 2] if IS_DARK[i] else EMPTY for i in range(64))


def calibrated() -> tuple[Eye, Calibration]:
    calibration = calibrate(draw_board(view_from(25), START))
    assert isinstance(calibration, Calibration)
    return Eye(calibration), calibration


def with_bar(image: Image, first: tuple[float, float], last: tuple[float, float]) -> Image:
    """The picture with an arm over it, between two points of the board plane."""
    view = view_from(25)
    ends = view.project(np.array([first, last], float)).round().astype(int)
    start, end = ((int(x), int(y)) for x, y in ends)
    return np.asarray(cv2.line(image.copy(), start, end, (120, 160, 200), 50), np.uint8)

"""Other detectors on the same pictures: OpenCV's two for chessboards, and its ArUco markers."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.cases import Image, Picture, square_px

Points = NDArray[np.float64]

INNER = (7, 7)
"""The inner crossings of eight by eight squares."""
THOROUGH = cv2.CALIB_CB_EXHAUSTIVE | cv2.CALIB_CB_ACCURACY | cv2.CALIB_CB_NORMALIZE_IMAGE
RIGHT = 0.5
"""Squares by which the worst corner of the right board may be off."""
MARKED = ((0, 0), (0, 7), (7, 7), (7, 0))
"""Cells over which a marker is pasted, with numbers 0 to 3."""
MARKER_PX, QUIET_PX = 64, 8
"""Of a marker before it is seen in perspective, and of the white around it."""
OUTER = np.array([[0, 0], [8, 0], [8, 8], [0, 8]], float)


@dataclass(frozen=True)
class Found:
    """What one detector made of one picture."""

    ms: float
    corners: Points | None
    """(4, 2), outer corners, in any numbering; None when nothing was found."""

    def error_px(self, true: Points) -> float | None:
        """Of the worst corner, in the nearest numbering."""
        return None if self.corners is None else nearest(self.corners, true)[1]


def nearest(ours: Points, true: Points) -> tuple[int, float]:
    """The k for which our corner i is the true corner i + k, and the worst corner's error."""
    errors = [
        float(np.linalg.norm(ours - np.roll(true, -k, axis=0), axis=1).max()) for k in range(4)
    ]
    best = int(np.argmin(errors))
    return best, errors[best]


def is_right(error_px: float, true: Points) -> bool:
    """Whether a board found with this error is the true one."""
    return error_px <= RIGHT * square_px(true)


def chessboards(image: Image) -> dict[str, Found]:
    """What OpenCV's detectors of chessboards find in a picture."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    return {name: _timed(detect, grey) for name, detect in CHESSBOARDS.items()}


def _timed(detect: Callable[[Image], Points | None], image: Image) -> Found:
    start = time.process_time()
    corners = detect(image)
    return Found((time.process_time() - start) * 1000, corners)


def _thorough(grey: Image) -> Points | None:
    found, crossings = cv2.findChessboardCornersSB(grey, INNER, flags=THOROUGH)
    return _outer(crossings) if found else None


def _usual(grey: Image) -> Points | None:
    found, crossings = cv2.findChessboardCorners(grey, INNER)
    return _outer(crossings) if found else None


CHESSBOARDS: dict[str, Callable[[Image], Points | None]] = {
    "ChessboardCornersSB": _thorough,
    "ChessboardCorners": _usual,
}


def _outer(crossings: cv2.typing.MatLike) -> Points:
    """The outer corners, clockwise, from the 49 inner crossings."""
    grid = np.array([(x, y) for y in range(1, 8) for x in range(1, 8)], float)
    to_picture, _ = cv2.findHomography(grid, np.asarray(crossings, float).reshape(-1, 2))
    return _clockwise(_through(to_picture, OUTER))


def _through(homography: cv2.typing.MatLike, points: Points) -> Points:
    return np.asarray(cv2.perspectiveTransform(points[None], homography)[0], float)


def _clockwise(corners: Points) -> Points:
    area = cv2.contourArea(corners.astype(np.float32), oriented=True)
    return corners if area > 0 else corners[::-1]


# --- ArUco ---------------------------------------------------------------------------------


def aruco(picture: Picture) -> Found | None:
    """The board told by four markers pasted over its corner cells; None without ArUco."""
    if not hasattr(cv2, "aruco") or not hasattr(cv2.aruco, "ArucoDetector"):
        return None
    kind = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(kind, settings)
    marked = _marked(picture, kind)
    grey = np.asarray(cv2.cvtColor(marked, cv2.COLOR_BGR2GRAY), np.uint8)
    start = time.process_time()
    quads, numbers, _ = detector.detectMarkers(grey)
    corners = _from_markers(quads, [] if numbers is None else numbers.ravel().tolist())
    return Found((time.process_time() - start) * 1000, corners)


def _marked(picture: Picture, kind: cv2.aruco.Dictionary) -> Image:
    image = picture.image.copy()
    to_picture = cv2.getPerspectiveTransform(
        OUTER.astype(np.float32), picture.corners.astype(np.float32)
    )
    side = MARKER_PX + 2 * QUIET_PX
    for number, (row, column) in enumerate(MARKED):
        card = np.full((side, side), 255, np.uint8)
        inner = slice(QUIET_PX, QUIET_PX + MARKER_PX)
        card[inner, inner] = cv2.aruco.generateImageMarker(kind, number, MARKER_PX)
        _paste(image, card, to_picture @ _scaled(1 / side, column, row))
    return image


def _scaled(scale: float, x: float, y: float) -> Points:
    """From pixels of a card to the plane: whole numbers are the middles of pixels."""
    half = scale / 2
    return np.array([[scale, 0, x + half], [0, scale, y + half], [0, 0, 1]])


def _paste(image: Image, card: Image, to_picture: Points) -> None:
    size = (image.shape[1], image.shape[0])
    cover = cv2.warpPerspective(np.ones_like(card) * 255, to_picture, size, flags=cv2.INTER_AREA)
    seen = cv2.warpPerspective(card, to_picture, size, flags=cv2.INTER_AREA)
    there = cover > 127
    image[there] = seen[there][:, None]


def _from_markers(quads: cv2.typing.MatLike, numbers: list[int]) -> Points | None:
    wanted = [(quad, MARKED[n]) for quad, n in zip(quads, numbers, strict=True) if n < len(MARKED)]
    if len(wanted) < len(MARKED):
        return None
    edge = QUIET_PX / (MARKER_PX + 2 * QUIET_PX)
    square = np.array([[edge, edge], [1 - edge, edge], [1 - edge, 1 - edge], [edge, 1 - edge]])
    plane = np.concatenate([square + np.array([column, row]) for _, (row, column) in wanted])
    seen = np.concatenate([np.asarray(quad, float).reshape(4, 2) for quad, _ in wanted])
    to_picture, _ = cv2.findHomography(plane, seen)
    return _through(to_picture, OUTER)

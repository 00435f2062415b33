"""Where the board is and through what lens it is seen: pinhole camera, one radial term.

Board plane: units of one square, origin at the outer corner next to squares 1 and 5, x along
the row (to squares 4), y down the columns (to square 29), z above the board, towards the
camera. Pixel centres have whole coordinates, as in OpenCV.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Levels

SIDE = 8
"""Squares along the side of a board."""
OUTER_CORNERS = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], dtype=float)
"""Corners of the playing area in the board plane, clockwise as seen in a picture."""
MIDDLE = OUTER_CORNERS.mean(axis=0)[None]


def square_px(corners: Levels) -> float:
    """Mean length of a square's side in a picture, from the outer corners (4, 2) of its board."""
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean() / SIDE)


@dataclass(frozen=True)
class Lens:
    """A pinhole with square pixels and one radial distortion term (OpenCV's k1)."""

    width: int
    """Of the picture, in pixels."""
    height: int
    focal_px: float
    k1: float = 0.0
    offset_x: float = 0.0
    """Pixels from the picture's centre to the optical axis; not 0 in pictures that were cut."""
    offset_y: float = 0.0

    @property
    def matrix(self) -> Levels:
        """The 3x3 camera matrix."""
        cx = (self.width - 1) / 2 + self.offset_x
        cy = (self.height - 1) / 2 + self.offset_y
        return np.array([[self.focal_px, 0, cx], [0, self.focal_px, cy], [0, 0, 1]])

    @property
    def distortion(self) -> Levels:
        return np.array([self.k1, 0.0, 0.0, 0.0])

    def of_size(self, width: int, height: int) -> Lens:
        """The same in pictures of another size and the same shape."""
        larger = width / self.width
        offset = self.offset_x * larger, self.offset_y * larger
        return Lens(width, height, self.focal_px * larger, self.k1, *offset)


@dataclass(frozen=True)
class Pose:
    """The board in the camera's frame, lengths in squares."""

    rotation: tuple[float, float, float]
    """Rodrigues vector from board to camera; z of the board points *towards* the camera."""
    translation: tuple[float, float, float]

    @staticmethod
    def of(values: Levels) -> Pose:
        """From six numbers, the rotation first."""
        rx, ry, rz, tx, ty, tz = (float(value) for value in values)
        return Pose((rx, ry, rz), (tx, ty, tz))

    @property
    def rotation_matrix(self) -> Levels:
        """The rotation from board to camera, (3, 3)."""
        return np.asarray(cv2.Rodrigues(np.array(self.rotation))[0])


@dataclass(frozen=True)
class View:
    """A lens and the pose of the board before it: maps board points to pixels and back."""

    lens: Lens
    pose: Pose

    def project(self, points: Levels) -> Levels:
        """Pixels (n, 2) of board points (n, 2) in the plane or (n, 3) above it."""
        points = np.asarray(points, dtype=float)
        if len(points) == 0:
            return np.zeros((0, 2))  # OpenCV refuses to project nothing
        if points.shape[1] == 2:
            points = np.column_stack([points, np.zeros(len(points))])
        # z grows towards the camera while x, y follow the picture: the board's frame is
        # left-handed, OpenCV's is not, so z changes its sign here and nowhere else.
        flipped = points * [1.0, 1.0, -1.0]
        pixels, _ = cv2.projectPoints(
            flipped.reshape(-1, 1, 3),
            np.array(self.pose.rotation),
            np.array(self.pose.translation),
            self.lens.matrix,
            self.lens.distortion,
        )
        return np.asarray(pixels, dtype=float).reshape(-1, 2)

    def corners(self) -> Levels:
        """The outer corners (4, 2) in pixels: next to square 1, 4, 32 and 29."""
        return self.project(OUTER_CORNERS)

    def to_plane(self, pixels: Levels) -> Levels:
        """Board points (n, 2) that appear at pixels (n, 2)."""
        pixels = np.asarray(pixels, dtype=float).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(pixels, self.lens.matrix, self.lens.distortion).reshape(-1, 2)
        rotation = self.pose.rotation_matrix
        plane = np.column_stack([rotation[:, 0], rotation[:, 1], self.pose.translation])
        board = np.linalg.solve(plane, np.column_stack([rays, np.ones(len(rays))]).T).T
        return board[:, :2] / board[:, 2:]

    def tilt_degrees(self) -> float:
        """Angle between the board's normal and the line from its centre to the camera."""
        rotation = self.pose.rotation_matrix
        centre = rotation @ np.array([4.0, 4.0, 0.0]) + np.array(self.pose.translation)
        cosine = float(rotation[:, 2] @ centre / np.linalg.norm(centre))
        return float(np.degrees(np.arccos(np.clip(abs(cosine), 0.0, 1.0))))

    def slid(self, x: float, y: float) -> View:
        """The view after the board has slid by so many squares in its own plane."""
        moved = self.pose.rotation_matrix @ np.array([x, y, 0.0])
        translation = np.array(self.pose.translation) + moved
        return View(self.lens, Pose.of(np.concatenate([self.pose.rotation, translation])))

    def of_size(self, width: int, height: int) -> View:
        """The same in pictures of another size and the same shape."""
        return View(self.lens.of_size(width, height), self.pose)

    def swing(self, other: View) -> float:
        """By what angle the board lies turned in the picture of another view, 0 to pi radians."""
        ways = [view.corners()[0] - view.project(MIDDLE)[0] for view in (self, other)]
        cosine = ways[0] @ ways[1] / (np.linalg.norm(ways[0]) * np.linalg.norm(ways[1]))
        return float(np.arccos(np.clip(cosine, -1.0, 1.0)))

    def turned(self, quarters: int) -> View:
        """The same view numbered anew: after one quarter the old corner 1 is corner 0."""
        rotation = self.pose.rotation_matrix
        translation = np.array(self.pose.translation)
        for _ in range(quarters % 4):
            translation = rotation @ np.array([8.0, 0.0, 0.0]) + translation
            rotation = rotation @ np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
        vector = np.ravel(cv2.Rodrigues(rotation)[0])
        return View(self.lens, Pose.of(np.concatenate([vector, translation])))

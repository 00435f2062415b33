"""Close pictures of discs, upright and all of one size, in which a king is told from a man.

A portrait shows the plane of the board around one disc, turned so that what stands up leans
exactly to the top, its size measured in radii of the disc. It keeps all pixels that a picture of
1280x720 has: the wall of a disc is a few of them high.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image, Levels
from calibration.model import View
from referee.eye.patches import Floats, halved, halvings, lean_in_plane

WIDTH, HEIGHT = 64, 96
"""Of a portrait, in pixels."""
ASIDE, ABOVE, BELOW = 1.25, 2.5, 1.25
"""What it shows around the centre of the disc's foot, in radii."""
PIXELS_A_RADIUS = WIDTH / (2 * ASIDE)
PIXELS_A_SQUARE = 80
"""About; a radius is a third of a square."""


@dataclass(frozen=True)
class Portraits:
    """n discs of one picture."""

    pixels: NDArray[np.uint8]
    """(n, HEIGHT, WIDTH, 3), blue green red."""
    lean: Floats
    """(n,): by how many squares a point one square above the board is displaced in its plane."""
    radius: Floats
    """(n,): of the discs, in squares."""

    def without(self, border: int) -> Portraits:
        """The same without the border that they were drawn with."""
        return replace(self, pixels=self.pixels[:, border:-border, border:-border])


@dataclass(frozen=True)
class Portraitist:
    """Draws portraits from the pictures of one view."""

    view: View
    lean: Levels
    """(64, 2): displacement in the plane for a square of height, at each cell."""
    halvings: int

    @staticmethod
    def of(view: View) -> Portraitist:
        return Portraitist(view, lean_in_plane(view), halvings(view, PIXELS_A_SQUARE))

    def draw(
        self,
        image: Image,
        which: NDArray[np.intp],
        centres: Levels,
        radii: Floats,
        border: int = 0,
    ) -> Portraits:
        """Of the discs on these cells, (n,), whose feet have their centres (n, 2) in the plane.

        A border of so many pixels more all around is for those who shift them afterwards.
        """
        seen = halved(image, self.halvings)
        size = (WIDTH + 2 * border, HEIGHT + 2 * border)
        corners = self._corners(which, centres, radii, border)
        frame = np.array([[0, 0], [size[0], 0], list(size), [0, size[1]]], np.float32) - 0.5
        pixels = np.zeros((len(which), size[1], size[0], 3), np.uint8)
        for number, quad in enumerate(corners):
            to_portrait = cv2.getPerspectiveTransform(quad.astype(np.float32), frame)
            cv2.warpPerspective(
                seen, to_portrait, size, pixels[number], borderMode=cv2.BORDER_REPLICATE
            )
        lean = np.linalg.norm(self.lean[which], axis=1)
        return Portraits(pixels, lean.astype(np.float32), np.asarray(radii, np.float32))

    def moved(
        self, which: NDArray[np.intp], centres: Levels, radii: Floats, steps: Levels | Floats
    ) -> Levels:
        """Points (n, 2) of the plane so many radii (right, up) of portraits away, (n, 2)."""
        up = self.lean[which] / np.linalg.norm(self.lean[which], axis=1)[:, None]
        right = np.column_stack([-up[:, 1], up[:, 0]])
        way = steps[:, :1] * right + steps[:, 1:] * up
        return np.asarray(centres + np.asarray(radii)[:, None] * way, np.float64)

    def _corners(
        self, which: NDArray[np.intp], centres: Levels, radii: Floats, border: int
    ) -> Levels:
        """(n, 4, 2): where each portrait's corners are in the halved picture, clockwise."""
        more = border / PIXELS_A_RADIUS
        aside, above, below = ASIDE + more, ABOVE + more, BELOW + more
        steps = [(-aside, above), (aside, above), (aside, -below), (-aside, -below)]
        points = np.stack(
            [self.moved(which, centres, radii, np.array([step])) for step in steps], axis=1
        )
        pixels = self.view.project(points.reshape(-1, 2)).reshape(-1, 4, 2)
        return (pixels + 0.5) * 0.5**self.halvings - 0.5

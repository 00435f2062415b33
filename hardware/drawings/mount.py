"""Where a camera stands over a board, and how large everything then is in its picture.

A section through the board's middle, camera to the right. Lengths in squares unless they say
otherwise; x is 0 at the board's middle and grows towards the camera, z is up.
`python -m hardware.drawings.mount` prints the tables of `hardware/README.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import atan, atan2, cos, hypot, radians, sin, tan

EDGE = 4.0
"""From the middle of the playing area to its edge."""
FILLED = 0.85
"""Of the picture's height by the playing area: room for the frame and for a bump."""
BORDER = 0.5
"""The board's frame, which must be inside the picture too."""
ROOM = 0.98
"""Of the picture's width by the board with its frame, at most."""
ASPECT = 16 / 9
HEIGHT_PX = 720
DISC = 1 / 8
"""Thickness of a disc: 1/4 inch on squares of 2 inches, the middle of what is official."""
TILTS = (30, 40, 50)
"""Degrees from straight above that suit; the middle one is drawn."""
BOARDS_CM = (36, 43)
"""Playing areas: 14 inches, a usual board; 17 inches, squares of 2 1/8, the largest official."""


@dataclass(frozen=True)
class Camera:
    name: str
    across: float
    """Degrees that a picture of 16:9 shows from left to right, in the mode that is used."""


CAMERAS = (
    Camera("Camera Module 3", 66.0),
    Camera("Camera Module 2", 62.2),
    Camera("HQ Camera, 6 mm lens", 55.3),
    Camera("USB camera of 70° across", 70.0),
)
"""Makers' figures for the whole width of the sensor, which is what is asked for."""


@dataclass(frozen=True)
class Mount:
    """A camera so far away that the board fills `FILLED` of its picture's height, or its near side
    all of the width."""

    camera: Camera
    tilt: float
    """Degrees from straight above, of the line from the board's middle to the camera."""

    @cached_property
    def half_field(self) -> float:
        """Angle from the picture's middle to its upper edge."""
        return atan(tan(radians(self.camera.across) / 2) / ASPECT)

    @cached_property
    def distance(self) -> float:
        """From the board's middle to the lens."""
        near, far = EDGE, 100 * EDGE
        for _ in range(60):
            middle = (near + far) / 2
            near, far = (near, middle) if self._is_inside(middle) else (middle, far)
        return far

    def _is_inside(self, distance: float) -> bool:
        """Whether the picture takes the board in from so far away."""
        aside, up = distance * sin(radians(self.tilt)), distance * cos(radians(self.tilt))
        first, last = atan2(aside - EDGE, up), atan2(aside + EDGE, up)
        if last - first > 2 * atan(FILLED * tan(self.half_field)):
            return False
        side = EDGE + BORDER
        depth = hypot(aside - side, up) * cos(atan2(aside - side, up) - (first + last) / 2)
        return side / depth <= ROOM * ASPECT * tan(self.half_field)

    @property
    def aside(self) -> float:
        """How far the lens is from the board's middle, along the table."""
        return self.distance * sin(radians(self.tilt))

    @property
    def up(self) -> float:
        """How far the lens is above the board."""
        return self.distance * cos(radians(self.tilt))

    def angle_to(self, x: float, z: float = 0.0) -> float:
        """Between straight down and the line from the lens to a point."""
        return atan2(self.aside - x, self.up - z)

    @property
    def aim(self) -> float:
        """The angle at which the camera looks, both edges being as far from the picture's."""
        return (self.angle_to(-EDGE) + self.angle_to(EDGE)) / 2

    @property
    def focal_px(self) -> float:
        return HEIGHT_PX / 2 / tan(self.half_field)

    def line(self, x: float, z: float = 0.0) -> float:
        """Pixels by which a point is above the picture's middle."""
        return self.focal_px * tan(self.angle_to(x, z) - self.aim)

    def square_px(self, x: float) -> float:
        """Width of a square in pixels, in the row at `x`."""
        away = hypot(self.aside - x, self.up)
        return self.focal_px / (away * cos(self.angle_to(x) - self.aim))

    def wall_px(self, x: float) -> float:
        """By how many pixels a king is taller than a man, in the row at `x`."""
        return self.line(x, 2 * DISC) - self.line(x, DISC)


def distances() -> Iterator[str]:
    """For each camera how far it is from the middle of a board, in cm."""
    small, large = BOARDS_CM
    yield (
        "| camera | across | 30° | 40° | 50° | at 40°: up, aside |" + f" board of {large} cm, 40° |"
    )
    yield "|---|---|---|---|---|---|---|"
    for camera in CAMERAS:
        mounts = [Mount(camera, tilt) for tilt in TILTS]
        away = " | ".join(f"{mount.distance * small / 8:.0f}" for mount in mounts)
        drawn = mounts[1]
        yield (
            f"| {camera.name} | {camera.across:.0f}° | {away} |"
            f" {drawn.up * small / 8:.0f}, {drawn.aside * small / 8:.0f} |"
            f" {drawn.distance * large / 8:.0f} ({drawn.up * large / 8:.0f},"
            f" {drawn.aside * large / 8:.0f}) |"
        )


def sizes() -> Iterator[str]:
    """For each tilt how large squares and discs are in a picture of 1280x720."""
    yield "| tilt | a square is wide: far row, near row | a disc's wall is high: far, near |"
    yield "|---|---|---|"
    for tilt in TILTS:
        mount = Mount(CAMERAS[0], tilt)
        wide = f"{mount.square_px(0.5 - EDGE):.0f}, {mount.square_px(EDGE - 0.5):.0f}"
        high = f"{mount.wall_px(0.5 - EDGE):.1f}, {mount.wall_px(EDGE - 0.5):.1f}"
        yield f"| {tilt}° | {wide} px | {high} px |"


def mirrored(mount: Mount, z: float) -> tuple[float, float]:
    """At a height, from where to where a lamp would be seen in a board that mirrors."""
    return -EDGE - z * tan(mount.angle_to(-EDGE)), EDGE - z * tan(mount.angle_to(EDGE))


if __name__ == "__main__":
    print(*distances(), "", *sizes(), sep="\n")

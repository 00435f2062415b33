"""Draw the mount: `python -m hardware.drawings.draw` writes the SVG files beside it.

Every length and angle is reckoned by `mount`; only the looks are settled here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import cos, degrees, hypot, radians, sin
from pathlib import Path

from hardware.drawings.mount import CAMERAS, DISC, EDGE, HEIGHT_PX, TILTS, Mount, mirrored

Point = tuple[float, float]

FOLDER = Path(__file__).parent
BOARD_CM = 36
INK, FAINT, PAPER = "#2b2a28", "#8a857c", "#fbf9f4"
TABLE, WOOD, GREEN, BUFF = "#c9a87c", "#7a5230", "#2f6f4a", "#efe4c4"
RED, WHITE = "#b3262c", "#fbf6e9"
SIGHT, GOOD, BAD, LIGHT = "#3d74b8", "#3f9b57", "#cf4436", "#f2b632"
FONT = "font-family=\"'DejaVu Sans', Verdana, sans-serif\""
RADIUS = 0.3
"""Of a disc, in squares."""


def centimetres(squares: float) -> str:
    return f"{squares * BOARD_CM / 8:.0f} cm"


# --- SVG ------------------------------------------------------------------------------------


def sheet(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    """A whole drawing on paper of its own, legible on any page."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {FONT}>\n'
        f"<title>{title}</title>\n"
        f'<rect width="{width}" height="{height}" rx="14" fill="{PAPER}"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def polygon(points: Iterable[Point], fill: str, opacity: float = 1.0) -> str:
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polygon points="{corners}" fill="{fill}" fill-opacity="{opacity}"/>'


def line(start: Point, end: Point, colour: str = INK, width: float = 1.5, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
        f' stroke="{colour}" stroke-width="{width}" stroke-linecap="round"{dashed}/>'
    )


def box(corner: Point, size: Point, fill: str, round_by: float = 0.0, edge: str = "none") -> str:
    return (
        f'<rect x="{corner[0]:.1f}" y="{corner[1]:.1f}" width="{size[0]:.1f}"'
        f' height="{size[1]:.1f}" rx="{round_by}" fill="{fill}" stroke="{edge}"/>'
    )


def text(
    place: Point, words: str, colour: str = INK, size: int = 15, anchor: str = "middle"
) -> str:
    return (
        f'<text x="{place[0]:.1f}" y="{place[1]:.1f}" fill="{colour}" font-size="{size}"'
        f' text-anchor="{anchor}">{words}</text>'
    )


def arrow(start: Point, end: Point) -> Iterator[str]:
    """A measure: a line with a head at both ends."""
    yield line(start, end, INK, 1.3)
    long = hypot(end[0] - start[0], end[1] - start[1])
    along = (end[0] - start[0]) / long, (end[1] - start[1]) / long
    for tip, sign in ((start, 1), (end, -1)):
        back = tip[0] + sign * 9 * along[0], tip[1] + sign * 9 * along[1]
        side = 3.2 * along[1], -3.2 * along[0]
        wings = (back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1])
        yield polygon((tip, *wings), INK)


# --- From the side --------------------------------------------------------------------------

SCALE = 26.0
"""Pixels of the drawing to a square."""
MIDDLE: Point = (425.0, 560.0)
"""Where the board's middle is drawn."""


def at(x: float, z: float) -> Point:
    return MIDDLE[0] + SCALE * x, MIDDLE[1] - SCALE * z


def around(distance: float, tilt: float) -> Point:
    """At a distance from the board's middle, so many degrees from straight above it."""
    return at(distance * sin(radians(tilt)), distance * cos(radians(tilt)))


def side_view(mount: Mount) -> str:
    parts = [
        *no_lamp(mount),
        *lamp(),
        *sight(mount),
        *good_tilts(mount),
        *table_and_board(),
        *camera_and_stand(mount),
        *measures(mount),
    ]
    return sheet(960, 660, "The mount from the side, as a player sees it", parts)


def no_lamp(mount: Mount) -> Iterator[str]:
    """Where the board, as a mirror, would show a lamp to the camera."""
    top = 15.5
    left, right = mirrored(mount, top)
    yield polygon((at(-EDGE, 0), at(EDGE, 0), at(right, top), at(left, top)), BAD, 0.10)
    for foot, head in ((-EDGE, left), (EDGE, right)):
        yield line(at(foot, 0), at(head, top), BAD, 1.2, "3 6")
    x, y = at((mirrored(mount, 11.6)[0] + mirrored(mount, 11.6)[1]) / 2, 11.6)
    yield text((x, y), "no lamp, no window here:", BAD)
    yield text((x, y + 20), "the board would mirror it", BAD)
    yield text((x, y + 40), "into the camera", BAD)


def lamp() -> Iterator[str]:
    """A wide lamp, above and on the camera's side."""
    x, z = 4.6, 18.0
    yield polygon((at(x - 2.6, z), at(x + 2.6, z), at(EDGE + 1, 0), at(-EDGE - 1, 0)), LIGHT, 0.13)
    yield line(at(x, z + 2.3), at(x, z + 0.9), INK, 2)
    shade = at(x - 1.4, z + 1.0), at(x + 1.4, z + 1.0), at(x + 2.7, z), at(x - 2.7, z)
    yield polygon(shade, "#57534c")
    yield box(at(x - 2.6, z), (5.2 * SCALE, 5), LIGHT, 2.5)
    yield text((at(x + 3.1, z + 0.55)), "lamp: wide and white, above,", INK, 15, "start")
    yield text((at(x + 3.1, z - 0.2)), "or behind the camera", INK, 15, "start")


def sight(mount: Mount) -> Iterator[str]:
    """What the picture takes in, and in it the board."""
    lens = at(mount.aside, mount.up)

    def foot(angle: float) -> Point:
        return at(mount.aside - mount.up * sin(angle) / cos(angle), 0)

    whole = foot(mount.aim - mount.half_field), foot(mount.aim + mount.half_field)
    yield polygon((lens, *whole), SIGHT, 0.10)
    for end in whole:
        yield line(lens, end, SIGHT, 1.2)
    yield polygon((lens, at(EDGE, 0), at(-EDGE, 0)), SIGHT, 0.13)
    yield line(lens, at(0, 0), SIGHT, 1.5, "9 5")


def good_tilts(mount: Mount) -> Iterator[str]:
    """The fan of tilts that suit, each with its angle."""
    inner, outer = 0.8 * mount.distance, 0.92 * mount.distance
    steps = range(TILTS[0], TILTS[-1] + 1, 2)
    rim = [around(outer, t) for t in steps] + [around(inner, t) for t in reversed(steps)]
    yield polygon(rim, GOOD, 0.85)
    for tilt, beside, colour in zip(TILTS, (-3.4, 0, 3.2), (GOOD, PAPER, GOOD), strict=True):
        yield text(_lower(around((inner + outer) / 2, tilt + beside)), f"{tilt}°", colour, 14)
    yield line(at(0, 0.4), at(0, 10.2), FAINT, 1.2, "2 5")
    arc = " ".join(f"{x:.1f},{y:.1f}" for x, y in (around(4.4, t) for t in range(0, 41, 2)))
    yield f'<polyline points="{arc}" fill="none" stroke="{INK}" stroke-width="1.3"/>'
    yield text(_lower(around(5.0, mount.tilt / 2)), "tilt", INK, 14)


def _lower(place: Point) -> Point:
    """Where the foot of small letters is that are centred on a place."""
    return place[0], place[1] + 5


def table_and_board() -> Iterator[str]:
    yield box(at(-16.4, -0.5), (32.8 * SCALE, 12), TABLE, 3)
    yield box(at(-EDGE - 0.6, 0), ((2 * EDGE + 1.2) * SCALE, 0.5 * SCALE), WOOD, 2)
    for number in range(8):
        fill = GREEN if number % 2 else BUFF
        yield box(at(number - EDGE, 0.0), (SCALE, 0.16 * SCALE), fill)
    for x, colour, discs in ((-3, RED, 1), (-1, RED, 2), (2, WHITE, 1), (3, WHITE, 2)):
        for disc in range(discs):
            corner = at(x + 0.5 - 0.36, (disc + 1) * 1.7 * DISC)
            yield box(corner, (0.72 * SCALE, 1.6 * DISC * SCALE), colour, 1.5, INK)


def camera_and_stand(mount: Mount) -> Iterator[str]:
    """A post clamped to the table, an arm, the camera turned to the board."""
    post, top = mount.aside + 4.7, mount.up + 0.75
    yield box(at(post - 0.16, top), (0.32 * SCALE, (top + 0.5) * SCALE), "#6b675f", 3)
    yield box(at(post - 0.6, -0.2), (1.2 * SCALE, 0.3 * SCALE), "#57534c", 2)
    yield box(at(post - 0.6, -0.95), (1.2 * SCALE, 0.22 * SCALE), "#57534c", 2)
    yield box(at(mount.aside + 0.5, top - 0.12), (4.3 * SCALE, 0.26 * SCALE), "#6b675f", 3)
    x, y = at(mount.aside, mount.up)
    yield (
        f'<g transform="translate({x:.1f} {y:.1f}) rotate({degrees(mount.aim):.1f})">'
        f'<rect x="-17" y="-25" width="34" height="18" rx="3" fill="#2f7d4f" stroke="{INK}"/>'
        f'<rect x="-8" y="-8" width="16" height="9" rx="2" fill="{INK}"/>'
        f'<rect x="-5" y="0" width="10" height="3" rx="1" fill="{SIGHT}"/></g>'
    )
    yield text(at(post + 0.5, top + 0.3), "camera, fixed", INK, 15, "start")
    yield text(at(post + 0.5, 4.2), "stand, clamped", INK, 15, "start")
    yield text(at(post + 0.5, 3.45), "to the table", INK, 15, "start")


def measures(mount: Mount) -> Iterator[str]:
    """The lengths, for a board of `BOARD_CM`."""
    away = around(mount.distance * 0.62, mount.tilt)
    yield (
        f'<g transform="translate({away[0]:.1f} {away[1]:.1f}) rotate({mount.tilt - 90:.1f})">'
        f"{text((0, -8), centimetres(mount.distance), SIGHT, 17)}</g>"
    )
    right = mount.aside + 1.5
    yield from arrow(at(right, 0), at(right, mount.up))
    yield text(at(right + 0.3, mount.up / 2), centimetres(mount.up), INK, 17, "start")
    low = -1.55
    for x in (-EDGE, EDGE):
        yield line(at(x, -0.7), at(x, low - 0.25), FAINT, 1)
    yield from arrow(at(-EDGE, low), at(EDGE, low))
    yield text(at(0, low - 0.75), f"playing area {BOARD_CM} cm", INK, 15)
    low = -2.9
    yield line(at(0, -2.5), at(0, low - 0.2), FAINT, 1)
    yield line(at(mount.aside, mount.up - 0.4), at(mount.aside, low - 0.2), FAINT, 1, "2 5")
    yield from arrow(at(0, low), at(mount.aside, low))
    yield text(at(mount.aside / 2 + 1.9, low + 0.3), centimetres(mount.aside), INK, 17)


# --- What the camera sees -------------------------------------------------------------------

FRAME = 292.0, 292.0 * 9 / 16
"""A picture, in pixels of the drawing."""
STEPS = 24
"""Corners of a disc's outline."""


def pictures() -> str:
    """The same board at each tilt, filling the picture as it should."""
    parts = []
    for number, tilt in enumerate(TILTS):
        mount = Mount(CAMERAS[0], tilt)
        parts += [
            f'<g transform="translate({21 + number * 313} 20)">',
            *picture(mount),
            *caption(mount),
            "</g>",
        ]
    return sheet(960, 262, "What the camera sees at 30, 40 and 50 degrees", parts)


def seen(mount: Mount, x: float, y: float, z: float = 0.0) -> Point:
    """Where a point shows; y runs along the table, from one player to the other."""
    scale = FRAME[1] / HEIGHT_PX
    away = hypot(mount.aside - x, mount.up - z)
    depth = away * cos(mount.angle_to(x, z) - mount.aim)
    return (
        FRAME[0] / 2 + scale * mount.focal_px * y / depth,
        FRAME[1] / 2 - scale * mount.line(x, z),
    )


def picture(mount: Mount) -> Iterator[str]:
    yield box((0, 0), FRAME, "#d8c6a3", 5)
    frame = EDGE + 0.3
    corners = ((-frame, -frame), (-frame, frame), (frame, frame), (frame, -frame))
    yield polygon((seen(mount, x, y) for x, y in corners), WOOD)
    for row in range(8):
        for column in range(8):
            x, y = row - EDGE, column - EDGE
            corners = ((x, y), (x, y + 1), (x + 1, y + 1), (x + 1, y))
            fill = BUFF if (row + column) % 2 else GREEN
            yield polygon((seen(mount, *corner) for corner in corners), fill)
    for row in range(8):
        for column in range(8):
            if (row + column) % 2 == 0 and column not in (3, 4):
                yield from stack(mount, row, column, kings=(column in (1, 6)))


def stack(mount: Mount, row: int, column: int, kings: bool) -> Iterator[str]:
    """A man, or a king of two discs, on a square."""
    colour, shade = (RED, "#7c171c") if column < 4 else (WHITE, "#cdbf9d")
    for disc in range(2 if kings else 1):
        x, y = row + 0.5 - EDGE, column + 0.5 - EDGE
        foot, head = (list(ring(mount, x, y, (disc + k) * DISC)) for k in (0, 1))
        yield polygon(hull(foot + head), shade)
        yield polygon(head, colour)


def ring(mount: Mount, x: float, y: float, z: float) -> Iterator[Point]:
    for step in range(STEPS):
        angle = radians(360 * step / STEPS)
        yield seen(mount, x + RADIUS * cos(angle), y + RADIUS * sin(angle), z)


def hull(points: list[Point]) -> list[Point]:
    """The outline around some points, from the leftmost on."""

    def half(ordered: list[Point]) -> list[Point]:
        kept: list[Point] = []
        for x, y in ordered:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], (x, y)) <= 0:
                kept.pop()
            kept.append((x, y))
        return kept[:-1]

    return half(sorted(points)) + half(sorted(points, reverse=True))


def _turn(a: Point, b: Point, c: Point) -> float:
    """Positive where the way from a by b to c turns left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def caption(mount: Mount) -> Iterator[str]:
    walls = sorted(mount.wall_px(x) for x in (0.5 - EDGE, EDGE - 0.5))
    middle = FRAME[0] / 2
    yield text((middle, FRAME[1] + 30), f"tilt {mount.tilt}°", INK, 17)
    high = f"a disc is {walls[0]:.0f} to {walls[1]:.0f} pixels high"
    yield text((middle, FRAME[1] + 54), high, FAINT, 14)


def drawings() -> Iterator[tuple[str, str]]:
    """The name of each file, and what is in it."""
    yield "side.svg", side_view(Mount(CAMERAS[0], TILTS[1]))
    yield "pictures.svg", pictures()


def main() -> None:
    for name, drawing in drawings():
        (FOLDER / name).write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Which 8x8 squares of a lattice are the board: tests of every node and edge in the picture.

Nothing here trusts the list of crossings that led to the lattice. Every node and edge of the grid
is looked up in the picture itself, along the colour axis from the board's dark to its light
squares, and every window of 8x8 squares is scored. What proves a board is the *margin* of the
best window over the second best: a grid that goes on, or one with a hidden row, has none.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Array, Mask
from calibration.mapping import Mapping
from calibration.model import SIDE

ARM_REACH = np.array(
    [[0.08, 0.08], [0.08, 0.17], [0.17, 0.08], [0.08, 0.27], [0.27, 0.08], [0.17, 0.17]]
)
"""Where the corner of a square is sampled, from its node inwards: clear of a disc's rim."""
QUADRANTS = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
"""The squares around a node, in order around it."""
CLEAR_ARM, WEAK_ARM = 0.4, 0.15
"""A crossing has three arms above the first and none below the second, in units of contrast."""

ALONG_EDGE = np.array([0.07, 0.13, 0.19, 0.25, 0.75, 0.81, 0.87, 0.93])
"""Where an edge is sampled: a disc in the middle of its square does not reach there."""
ACROSS_EDGE = 0.09
"""How far to either side of it."""
EDGE_STEP = 0.4
"""The step across an edge that counts, in units of contrast: more than shadows on a frame make."""

UNIT_SPREAD = 1.5
"""Squares over which the contrast unit is smoothed: glare weakens a part of the board."""
SEARCH = 9
"""Squares around the lattice's extent in which nodes are looked for."""
BEYOND_PX = 2.0
"""A node so little outside the picture is looked up all the same, where the picture ends."""
OUTSIDE_TOLERANCE = 0.15
"""Squares by which a corner may lie outside the picture: 7x7 crossings place it all the same."""


@dataclass(frozen=True)
class Contrast:
    """How light and dark squares differ, and by how much in which part of the grid."""

    axis: Array
    """(3,) unit vector in (log) colour; along it a square of even u + v minus an odd one is > 0."""
    nodes: Array
    """(n, 2) grid nodes at which the difference was measured."""
    steps: Array
    """(n,) the differences along the axis."""

    @property
    def unit(self) -> float:
        """The typical difference."""
        return float(np.median(self.steps))

    def unit_at(self, points: Array) -> Array:
        """The difference (n,) to expect at grid points (n, 2)."""
        distance = ((points[:, None] - self.nodes[None]) ** 2).sum(axis=2)
        weight = np.exp(-distance / (2 * UNIT_SPREAD**2))
        steps = np.clip(self.steps, 0.3 * self.unit, 2 * self.unit)
        # Far from all measured nodes the typical difference takes over.
        return np.asarray((weight @ steps + 0.5 * self.unit) / (weight.sum(axis=1) + 0.5))


@dataclass(frozen=True)
class Grid:
    """What was seen at every node and edge of the part of the lattice that was looked at."""

    origin: tuple[int, int]
    """Grid coordinates (u, v) of the arrays' first entry; arrays are indexed [v, u]."""
    crossing: Array
    """1 where four squares meet."""
    along_u: Array
    """Share of the edge from node (u, v) to (u + 1, v) that was seen, 0 to 1."""
    along_v: Array
    """Share of the edge from node (u, v) to (u, v + 1) that was seen, 0 to 1."""


@dataclass(frozen=True)
class Window:
    """The best 8x8 squares of a grid, and what speaks against them."""

    origin: tuple[int, int]
    """Grid coordinates of its first corner."""
    score: float
    margin: float
    """Score over that of the second best window."""
    crossings: int
    """Of its 49 inner nodes."""
    edges: float
    """Share of its 112 inner edges that was seen."""
    border_crossings: int
    """On the border line that has most of them; a board has none there."""
    outside: float
    """Share of the edges that go on beyond the side where most do."""
    weakest_row: float
    """Share of the edges seen between the squares of the weakest outer row."""


def measure_contrast(picture: Array, mapping: Mapping, nodes: Array) -> Contrast:
    """The colour axis and contrast of a grid, from the nodes (n, 2) known to be crossings."""
    corners = _quadrant_means(picture, mapping, nodes)
    saddle = (corners[:, 0] + corners[:, 2] - corners[:, 1] - corners[:, 3]) / 2
    signed = saddle * _sign(nodes)[:, None]
    typical = np.median(signed, axis=0)
    axis = typical / max(float(np.linalg.norm(typical)), 1e-6)
    return Contrast(axis.astype(np.float32), nodes.astype(float), signed @ axis)


def look(picture: Array, mapping: Mapping, contrast: Contrast) -> Grid:
    """Test every node and edge around the contrast's nodes in a (log) colour picture."""
    plane = cv2.transform(picture, contrast.axis[None])
    low = contrast.nodes.min(axis=0).astype(int) - SEARCH
    high = contrast.nodes.max(axis=0).astype(int) + SEARCH
    u, v = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1))
    nodes = np.column_stack([u.ravel(), v.ravel()])
    crossing = np.zeros(len(nodes))
    along_u, along_v = np.zeros(len(nodes)), np.zeros(len(nodes))
    seen = _in_picture(mapping.project(nodes.astype(float)), plane)
    units = contrast.unit_at(nodes[seen].astype(float))
    crossing[seen] = _crossing_test(plane, mapping, nodes[seen], units)
    along_u[seen] = _edge_test(plane, mapping, nodes[seen], units, (1, 0))
    along_v[seen] = _edge_test(plane, mapping, nodes[seen], units, (0, 1))
    shape = u.shape
    return Grid(
        (int(low[0]), int(low[1])),
        crossing.reshape(shape),
        along_u.reshape(shape),
        along_v.reshape(shape),
    )


def best_window(grid: Grid) -> Window:
    """The 8x8 squares that look most like a whole board."""
    inner = _box(grid.crossing[1:, 1:], SIDE - 1, SIDE - 1)
    around = _box(grid.crossing, SIDE + 1, SIDE + 1)
    inner_u = _box(grid.along_u[1:, :], SIDE - 1, SIDE)
    inner_v = _box(grid.along_v[:, 1:], SIDE, SIDE - 1)
    sides = _outside_edges(grid)
    rows, columns = (min(s) for s in zip(*(a.shape for a in (around, *sides)), strict=True))

    def cut(values: Array) -> Array:
        return values[:rows, :columns]

    inner, around = cut(inner), cut(around)
    # Outside edges exist from the second window on; a frame of zeros was put around the grid.
    edges = cut(inner_u) + cut(inner_v) - sum(cut(side) for side in sides)
    score = inner - (around - inner) + 0.5 * edges
    first = int(score.argmax())
    v, u = divmod(first, columns)
    second = np.partition(score.ravel(), -2)[-2]
    return _describe(grid, u, v, float(score[v, u]), float(score[v, u] - second))


def seen_crossings(grid: Grid, window: Window) -> Array:
    """The grid nodes (n, 2) inside a window where four squares were seen to meet."""
    u, v = np.meshgrid(np.arange(1, SIDE), np.arange(1, SIDE))
    nodes = np.column_stack([u.ravel(), v.ravel()]) + np.array(window.origin)
    index = nodes - np.array(grid.origin)
    return np.asarray(nodes[grid.crossing[index[:, 1], index[:, 0]] > 0])


def _outside_edges(grid: Grid) -> tuple[Array, Array, Array, Array]:
    """Per window: the seven edges that go on beyond its left, right, upper and lower side."""
    padded_u = np.pad(grid.along_u, ((0, 0), (1, SIDE + 1)))
    padded_v = np.pad(grid.along_v, ((1, SIDE + 1), (0, 0)))
    left = _box(padded_u[1:, :], SIDE - 1, 1)
    right = _box(padded_u[1:, SIDE + 1 :], SIDE - 1, 1)
    upper = _box(padded_v[:, 1:], 1, SIDE - 1)
    lower = _box(padded_v[SIDE + 1 :, 1:], 1, SIDE - 1)
    return left, right, upper, lower


def _describe(grid: Grid, u: int, v: int, score: float, margin: float) -> Window:
    end_u, end_v = u + SIDE, v + SIDE
    within = slice(1, SIDE)
    cross = grid.crossing[v : end_v + 1, u : end_u + 1]
    rows = grid.along_u[v + 1 : end_v, :]
    columns = grid.along_v[:, u + 1 : end_u]
    borders = (cross[0], cross[-1], cross[:, 0], cross[:, -1])
    outer = (rows[:, u], rows[:, end_u - 1], columns[v], columns[end_v - 1])
    beyond = (rows[:, u - 1], rows[:, end_u], columns[v - 1], columns[end_v])
    inner_edges = rows[:, u:end_u].sum() + columns[v:end_v].sum()
    return Window(
        (u + grid.origin[0], v + grid.origin[1]),
        score,
        margin,
        int(cross[within, within].sum()),
        float(inner_edges) / (2 * SIDE * (SIDE - 1)),
        int(max(border[within].sum() for border in borders)),
        float(max(edge.mean() for edge in beyond)),
        float(min(edge.mean() for edge in outer)),
    )


def _box(values: Array, height: int, width: int) -> Array:
    """Sums over all height x width windows."""
    sums: Array = np.pad(values, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    rows: Array = sums[height:] - sums[:-height]
    return np.asarray(rows[:, width:] - rows[:, :-width])


def _crossing_test(plane: Array, mapping: Mapping, nodes: Array, units: Array) -> Mask:
    """Whether four squares meet at each node: at a border one arm is missing."""
    corners = _quadrant_means(plane, mapping, nodes)
    turned = np.array([1, -1, 1, -1]) * (corners - np.roll(corners, -1, axis=1))
    arms = np.sort(turned * (_sign(nodes) / units)[:, None], axis=1)
    return (arms[:, 1] > CLEAR_ARM) & (arms[:, 0] > WEAK_ARM)


def _edge_test(
    plane: Array,
    mapping: Mapping,
    nodes: Array,
    units: Array,
    direction: tuple[int, int],
) -> Array:
    """The share (n,) of each edge from a node in a direction that separates light from dark."""
    along = np.array(direction, dtype=float)
    aside = along[::-1]
    on_edge = nodes[:, None] + ALONG_EDGE[None, :, None] * along
    there = sample(plane, mapping, on_edge + ACROSS_EDGE * aside)
    here = sample(plane, mapping, on_edge - ACROSS_EDGE * aside)
    step = (there - here) * (_sign(nodes) / units)[:, None]
    return np.asarray((step > EDGE_STEP).mean(axis=1))


def _quadrant_means(picture: Array, mapping: Mapping, nodes: Array) -> Array:
    """(n, 4) or (n, 4, channels): mean colour of the corners of the four squares at each node."""
    reach = QUADRANTS[:, None] * ARM_REACH[None]
    return np.asarray(sample(picture, mapping, nodes[:, None, None] + reach[None]).mean(axis=2))


def sample(picture: Array, mapping: Mapping, points: Array) -> Array:
    """Values (..., channels) of a picture at grid points (..., 2)."""
    pixels = mapping.project(points.reshape(-1, 2)).astype(np.float32)
    x, y = (axis.reshape(len(points), -1) for axis in pixels.T)
    values = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return values.astype(float).reshape(*points.shape[:-1], *picture.shape[2:])


def _sign(nodes: Array) -> Array:
    """+1 where u + v is even, -1 where it is odd."""
    return np.asarray(1.0 - 2.0 * (nodes.sum(axis=1) % 2))


def _in_picture(pixels: Array, picture: Array) -> Mask:
    height, width = picture.shape[:2]
    limit = np.array([width - 1, height - 1]) + BEYOND_PX
    return np.asarray(((pixels >= -BEYOND_PX) & (pixels <= limit)).all(axis=1))

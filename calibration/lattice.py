"""From crossings to lattices: chains of squares whose crossings alternate as on a board.

Along any line of a board the light squares change sides at every crossing, so the line that is
`rising` at one crossing is `falling` at the next. Clutter hardly ever keeps that up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Array, Mask
from calibration.crossings import Crossings

SINE = float(np.sin(np.radians(13)))
"""How far a neighbour may lie off the line that leads to it."""
SHORTEST_PX = 8.0
"""Squares smaller than this cannot be told from texture."""
SEEDS = 60
"""Quads that are tried; on a board that can be read the first usually succeeds."""
FULL = 36
"""Nodes at which a lattice is surely a board's and no other seed need be tried."""
FEWEST = 12
"""Nodes below which four crossings met by chance."""
WIDEST = 12
"""Nodes on either side of the seed that are looked for; a board has nine in a row."""
FIRST_REACH, LATER_REACH = 0.22, 0.15
"""How far from its predicted place a node is accepted, in squares; later the lattice is known."""
MOST_ROUNDS = 14
"""Of growth; a board has grown after five."""


@dataclass(frozen=True)
class Lattice:
    """Crossings that have found their places in one plane grid."""

    nodes: Array
    """(n, 2) whole grid coordinates; the origin is arbitrary."""
    points: Array
    """(n, 2) pixels."""
    homography: Array
    """(3, 3) from grid to pixels."""

    def __len__(self) -> int:
        return len(self.nodes)


def grow_lattices(crossings: Crossings) -> list[Lattice]:
    """The best lattices among the crossings, at most three, largest first."""
    lattices: list[Lattice] = []
    for seed in seeds(crossings):
        if _already_in(seed, crossings, lattices):
            continue
        lattice = grow(crossings, seed)
        if len(lattice) >= FEWEST:
            lattices.append(lattice)
        if len(lattice) >= FULL:
            break
    return sorted(lattices, key=len, reverse=True)[:3]


def _already_in(seed: Array, crossings: Crossings, lattices: list[Lattice]) -> bool:
    """Whether a lattice already holds this quad: it would only grow the same one again."""
    corner = crossings.points[seed[0]]
    return any(
        len(lattice) >= FEWEST and np.abs(lattice.points - corner).sum(axis=1).min() < 1
        for lattice in lattices
    )


def seeds(crossings: Crossings) -> Iterator[Array]:
    """Quads of four linked crossings, (4,) indices in order around the square, best first."""
    if len(crossings) < 4:
        return
    quads = _quads(crossings)
    if len(quads) == 0:
        return
    # A quad of a board shares its corners with other quads, a chance one does not.
    votes = np.bincount(quads.ravel(), minlength=len(crossings))[quads].sum(axis=1)
    order = np.argsort(-votes, kind="stable")
    yield from quads[order[:SEEDS]]


def _quads(crossings: Crossings) -> Array:
    """Squares (n, 4): a crossing, the next on its rising line, opposite, next on its falling."""
    rising, falling = _links(crossings)
    found = []
    for a, b, c, d in np.ndindex(2, 2, 2, 2):
        start = np.arange(len(crossings))
        along, aside = rising[a], falling[b]
        # Behind a neighbour the line to it is the other kind, so its crossing line is this kind.
        corner = np.where(along >= 0, rising[c][along], -1)
        same = np.where(aside >= 0, falling[d][aside], -2)
        hit = (corner == same) & (corner >= 0)
        found.append(np.column_stack([start, along, corner, aside])[hit])
    quads = np.concatenate(found)
    return quads[_is_square_like(crossings.points[quads])]


def _links(crossings: Crossings) -> tuple[list[Array], list[Array]]:
    """For either sense along the rising and the falling line: index of the neighbour, or -1."""
    step = crossings.points[None] - crossings.points[:, None]
    length = np.hypot(step[..., 0], step[..., 1])
    near = length >= SHORTEST_PX

    def off_line(lines: Array) -> Mask:
        across = lines[:, :1] * step[..., 1] - lines[:, 1:] * step[..., 0]
        return np.asarray(np.abs(across) < SINE * length)

    on_rising, on_falling = off_line(crossings.rising), off_line(crossings.falling)
    rising = _nearest(step, length, near & on_rising & on_falling.T, crossings.rising)
    falling = _nearest(step, length, near & on_falling & on_rising.T, crossings.falling)
    return rising, falling


def _nearest(step: Array, length: Array, allowed: Mask, lines: Array) -> list[Array]:
    forward = lines[:, :1] * step[..., 0] + lines[:, 1:] * step[..., 1] > 0
    each = np.arange(len(lines))
    chosen = []
    for sense in (forward, ~forward):
        distance = np.where(allowed & sense, length, np.inf)
        nearest = distance.argmin(axis=1)
        chosen.append(np.where(np.isfinite(distance[each, nearest]), nearest, -1))
    return chosen


def _is_square_like(corners: Array) -> Mask:
    """Whether quads (n, 4, 2) are convex and their opposite sides similar."""
    sides = np.roll(corners, -1, axis=1) - corners
    following = np.roll(sides, -1, axis=1)
    turns = sides[..., 0] * following[..., 1] - sides[..., 1] * following[..., 0]
    convex = (turns > 0).all(axis=1) | (turns < 0).all(axis=1)
    lengths = np.hypot(sides[..., 0], sides[..., 1])
    opposite = lengths < 1.5 * np.roll(lengths, 2, axis=1)
    # Neighbouring sides may differ more: a flat view squeezes one direction.
    beside = lengths < 4.0 * np.roll(lengths, 1, axis=1)
    return np.asarray(convex & opposite.all(axis=1) & beside.all(axis=1))


def grow(crossings: Crossings, seed: Array) -> Lattice:
    """The lattice that grows from four crossings around one square."""
    unit_square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    homography = cv2.getPerspectiveTransform(
        unit_square.astype(np.float32), crossings.points[seed].astype(np.float32)
    )
    lattice = Lattice(unit_square, crossings.points[seed], homography)
    for turn in range(MOST_ROUNDS):
        grown = _grown(crossings, lattice, FIRST_REACH if turn < 2 else LATER_REACH)
        if grown is None or len(grown) < len(lattice) or _same(grown, lattice):
            break
        lattice = grown
    return lattice


def _same(one: Lattice, other: Lattice) -> bool:
    return len(one) == len(other) and bool((one.nodes == other.nodes).all())


def _grown(crossings: Crossings, lattice: Lattice, reach: float) -> Lattice | None:
    """The lattice with the nodes around it added, refitted; None when it falls apart."""
    nodes = _nodes_around(lattice)
    places, along_u, along_v = predicted(lattice.homography, nodes)
    spacing = np.minimum(np.hypot(*along_u.T), np.hypot(*along_v.T))
    reached = np.where(spacing >= SHORTEST_PX / 2, reach * spacing, 0.0)
    node, crossing, squared = _pairs_within(places, crossings.points, reached)
    even = nodes[node].sum(axis=1) % 2 == 0
    along_rising = np.where(even[:, None], along_u[node], along_v[node])
    along_falling = np.where(even[:, None], along_v[node], along_u[node])
    fits = _parallel(along_rising, crossings.rising[crossing])
    fits &= _parallel(along_falling, crossings.falling[crossing])
    node, crossing = _nearest_of_each(node[fits], crossing[fits], squared[fits])
    return _fit(nodes[node], crossings.points[crossing], spacing[node])


def _pairs_within(places: Array, points: Array, reached: Array) -> tuple[Array, Array, Array]:
    """Indices of a place and a point no farther from it than it reaches; how far, squared."""
    across, down = (points[None, :, i] - places[:, None, i] for i in (0, 1))
    squared = across**2 + down**2
    place, point = np.nonzero(squared < reached[:, None] ** 2)
    return place, point, squared[place, point]


def _nearest_of_each(node: Array, crossing: Array, squared: Array) -> tuple[Array, Array]:
    """Of pairs, only the nearest crossing of each node."""
    order = np.lexsort((squared, node))
    node, first = np.unique(node[order], return_index=True)
    return node, crossing[order][first]


def _nodes_around(lattice: Lattice) -> Array:
    """All nodes within the lattice's extent and one row around it."""
    low = np.maximum(lattice.nodes.min(axis=0) - 1, -WIDEST)
    high = np.minimum(lattice.nodes.max(axis=0) + 1, WIDEST)
    u, v = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1))
    return np.column_stack([u.ravel(), v.ravel()])


def predicted(homography: Array, nodes: Array) -> tuple[Array, Array, Array]:
    """Pixels of the nodes, and one square's step from each along u and along v."""
    raised = np.column_stack([nodes, np.ones(len(nodes))]) @ homography.T
    depth = np.where(np.abs(raised[:, 2:]) < 1e-9, 1e-9, raised[:, 2:])
    places = raised[:, :2] / depth
    along_u = (homography[:2, 0] - places * homography[2, 0]) / depth
    along_v = (homography[:2, 1] - places * homography[2, 1]) / depth
    return places, along_u, along_v


def _parallel(steps: Array, lines: Array) -> Mask:
    """(n,): whether each line runs along its step."""
    across = np.abs(steps[:, 0] * lines[:, 1] - steps[:, 1] * lines[:, 0])
    return np.asarray(across < 1.5 * SINE * np.hypot(steps[:, 0], steps[:, 1]))


def _fit(nodes: Array, points: Array, spacing: Array) -> Lattice | None:
    if len(nodes) < 4:
        return None
    tolerance = float(np.median(spacing)) * 0.12
    cv2.setRNGSeed(0)
    homography, inside = cv2.findHomography(nodes.astype(float), points, cv2.RANSAC, tolerance)
    if homography is None:
        return None
    kept = inside.ravel().astype(bool)
    if kept.sum() < 4:
        return None
    return Lattice(nodes[kept], points[kept], homography)

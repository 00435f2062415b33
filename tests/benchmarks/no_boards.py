"""Pictures without one whole board of 8x8 squares, made of pieces of our pictures from a seed.

Whatever board is found in one of them is wrong, and nobody would notice: the most costly error.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.locate import Located, locate
from calibration.model import Lens
from tests.benchmarks.cases import Image, Picture, Source, opened, pictures
from tests.benchmarks.peers import chessboards
from tests.benchmarks.report import Row, Section, at_most, longest, middle, share
from tests.benchmarks.wanted import Wanted
from tests.boards import view_from

TITLE = "pictures without a board"
CELL_PX = 48
"""Of a square in a board laid anew."""
WIDTH, HEIGHT = 1280, 720
GRIDS = (
    (10, 10),
    (12, 12),
    (9, 9),
    (8, 9),
    (9, 8),
    (8, 10),
    (7, 8),
    (8, 7),
    (7, 7),
    (6, 8),
    (8, 16),
)
"""Columns and rows of boards that are none of ours."""
SEARCH_MS = at_most(1000.0)
"""A refusal tries every way of seeing a board before it says no."""


@dataclass(frozen=True)
class Job:
    kind: str
    seed: int
    source: Source
    """A picture with a board, of which pieces are taken."""
    with_peers: bool


@dataclass(frozen=True)
class Answer:
    """What was made of one of them."""

    kind: str
    found: bool
    search_ms: float
    peers: dict[str, bool]
    """By detector: whether it found something."""


def jobs(wanted: Wanted) -> Sequence[Job]:
    """As many of each kind, from pictures taken in turn."""
    sources = [
        source
        for source in pictures(0, None)
        if source.recording and not source.recording.frames[0].hands
    ]
    kinds = list(MAKERS)
    rounds = max(1, wanted.no_boards // (2 * wanted.peer_pictures))
    return [
        Job(
            kinds[n % len(kinds)], n, sources[(7 * n) % len(sources)], n // len(kinds) % rounds == 0
        )
        for n in range(wanted.no_boards)
    ]


def measure(job: Job) -> Answer:
    """Make the picture and look for a board in it."""
    image = MAKERS[job.kind](job.source, np.random.default_rng(job.seed))
    start = time.process_time()
    located = locate(image)
    spent_ms = (time.process_time() - start) * 1000
    found = chessboards(image) if job.with_peers else {}
    others = {name: look.corners is not None for name, look in found.items()}
    return Answer(job.kind, isinstance(located, Located), spent_ms, others)


def sections(answers: Iterable[Answer]) -> list[Section]:
    """Boards found where there is none, by kind."""
    everything = list(answers)
    rows = [_row("any of these", everything)]
    rows += [_row(kind, [a for a in everything if a.kind == kind]) for kind in MAKERS]
    times = [answer.search_ms for answer in everything]
    rows.append(middle("search until the refusal", "any of these", times, "ms"))
    rows.append(longest("... the longest", "any of these", times, "ms", SEARCH_MS))
    return [Section("Pictures without one whole board of 8x8", rows)]


def _row(kind: str, answers: list[Answer]) -> Row:
    found = sum(answer.found for answer in answers)
    names = dict.fromkeys(name for answer in answers for name in answer.peers)
    asked = [answer for answer in answers if answer.peers]
    peer = "\n".join(
        f"{name}: {sum(a.peers[name] for a in asked)} of {len(asked)}" for name in names
    )
    return share("board found all the same", kind, found, len(answers), at_most(0.0), peer)


# --- Making them ---------------------------------------------------------------------------

Rng = np.random.Generator
Points = NDArray[np.float64]


def _cut_off(source: Source, rng: Rng) -> Image:
    """The picture ends half a square to four squares inside the board."""
    picture = opened(source)
    low, high = picture.corners.min(axis=0), picture.corners.max(axis=0)
    inward = rng.uniform(0.5, 4) / 8 * (high - low)
    side = int(rng.integers(4))
    height, width = picture.image.shape[:2]
    left, top, right, bottom = 0, 0, width, height
    if side == 0:
        left = int(low[0] + inward[0])
    elif side == 1:
        right = int(high[0] - inward[0])
    elif side == 2:
        top = int(low[1] + inward[1])
    else:
        bottom = int(high[1] - inward[1])
    return np.ascontiguousarray(picture.image[top:bottom, left:right])


def _other_grid(source: Source, rng: Rng) -> Image:
    """A board of another size, laid of the squares of this one."""
    columns, rows = GRIDS[int(rng.integers(len(GRIDS)))]
    return _on_table(_laid(opened(source), columns, rows, rng), rng)


def _two_boards(source: Source, rng: Rng) -> Image:
    """Two of them side by side, or one above the other."""
    boards = [_on_table(_laid(opened(source), 8, 8, rng), rng) for _ in range(2)]
    join = np.hstack if rng.random() < 0.5 else np.vstack
    return np.asarray(join(boards), np.uint8)


def _covered(source: Source, rng: Rng) -> Image:
    """A cloth or a book lies over at least the outer row of one side, whole."""
    picture = opened(source)
    near, far = -2.0, float(rng.uniform(1.2, 6))
    cover = np.array([[near, near], [10, near], [10, far], [near, far]])
    to_picture = cv2.getPerspectiveTransform(_square(0, 8), picture.corners.astype(np.float32))
    corners = _turned(cover, int(rng.integers(4)))
    outline = cv2.perspectiveTransform(corners[None], to_picture)[0]
    mask = np.zeros(picture.image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [outline.round().astype(np.int32)], 255)
    return np.where(mask[..., None] > 0, _texture(picture.image.shape, rng), picture.image)


def _screen(source: Source, rng: Rng) -> Image:
    """A screen with tables and puzzles, seen a little from the side."""
    del source
    return _on_table(PAGES[int(rng.integers(len(PAGES)))](rng), rng)


def _clutter(source: Source, rng: Rng) -> Image:
    """Discs, papers and bits of the picture, strewn about."""
    picture = opened(source)
    table = _texture((HEIGHT, WIDTH, 3), rng)
    for _ in range(int(rng.integers(5, 30))):
        x, y = int(rng.integers(WIDTH)), int(rng.integers(HEIGHT))
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        if rng.random() < 0.5:
            cv2.circle(table, (x, y), int(rng.integers(10, 60)), colour, -1, cv2.LINE_AA)
        else:
            size = float(rng.integers(40, 300)), float(rng.integers(40, 200))
            box = cv2.boxPoints(((float(x), float(y)), size, float(rng.uniform(0, 180))))
            cv2.fillPoly(table, [box.astype(np.int32)], colour, cv2.LINE_AA)
    _strew(table, _laid(picture, 2, 3, rng), rng)
    return _grainy(table, rng)


MAKERS: dict[str, Callable[[Source, Rng], Image]] = {
    "cut off by the picture": _cut_off,
    "10x10 and other grids": _other_grid,
    "two boards": _two_boards,
    "rows covered": _covered,
    "screens": _screen,
    "clutter": _clutter,
}


# --- Pieces --------------------------------------------------------------------------------


def _square(low: float, high: float) -> NDArray[np.float32]:
    return np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)


def _turned(points: Points, quarters: int) -> Points:
    for _ in range(quarters):
        points = np.column_stack([8 - points[:, 1], points[:, 0]])
    return points


def _laid(picture: Picture, columns: int, rows: int, rng: Rng) -> Image:
    """A flat board of so many squares, each one of the picture's own, at random."""
    flat = _flattened(picture)
    board = np.empty((rows * CELL_PX, columns * CELL_PX, 3), np.uint8)
    for row, column in np.ndindex(rows, columns):
        parity = (row + column) % 2
        r = int(rng.integers(8))
        c = 2 * int(rng.integers(4)) + (r + parity) % 2
        board[_part(row), _part(column)] = flat[_part(r), _part(c)]
    return board


def _part(number: int) -> slice:
    return slice(number * CELL_PX, (number + 1) * CELL_PX)


def _flattened(picture: Picture) -> Image:
    """The board of a picture from straight above."""
    side = 8 * CELL_PX
    corners = picture.corners.astype(np.float32)
    to_flat = cv2.getPerspectiveTransform(corners, _square(-0.5, side - 0.5))
    return np.asarray(cv2.warpPerspective(picture.image, to_flat, (side, side)), np.uint8)


def _on_table(flat: Image, rng: Rng) -> Image:
    """Something flat on a table, whole in the picture, from a random place."""
    rows, columns = flat.shape[0] / CELL_PX, flat.shape[1] / CELL_PX
    lens = Lens(WIDTH, HEIGHT, float(rng.uniform(800, 1300)))
    view = view_from(float(rng.uniform(0, 45)), float(rng.uniform(0, 360)), 15.0, lens)
    half = np.array([columns, rows]) / max(columns, rows) * 4
    corners = view.project(4 + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half)
    room = np.abs(corners - [WIDTH / 2, HEIGHT / 2]) / [WIDTH / 2, HEIGHT / 2]
    corners = (corners - corners.mean(axis=0)) * rng.uniform(0.7, 0.95) / max(room.max(), 1)
    corners += [WIDTH / 2, HEIGHT / 2]
    height, width = flat.shape[:2]
    outline = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    to_picture = cv2.getPerspectiveTransform(outline, corners.astype(np.float32))
    table = _texture((HEIGHT, WIDTH, 3), rng)
    size = (WIDTH, HEIGHT)
    cv2.warpPerspective(flat, to_picture, size, table, borderMode=cv2.BORDER_TRANSPARENT)
    return _grainy(table, rng)


def _texture(shape: Sequence[int], rng: Rng) -> Image:
    """A table: one colour, cloudy and grained."""
    height, width = shape[:2]
    clouds = rng.normal(0, 1, (height // 24 + 1, width // 24 + 1)).astype(np.float32)
    smooth = cv2.resize(clouds, (width, height), interpolation=cv2.INTER_CUBIC)
    colour = rng.uniform(30, 220, 3)
    return np.clip(colour + 8 * smooth[..., None], 0, 255).astype(np.uint8)


def _grainy(image: Image, rng: Rng) -> Image:
    soft = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.5, 1.2)))
    grain = rng.normal(0, rng.uniform(1, 5), image.shape)
    return np.clip(soft + grain, 0, 255).astype(np.uint8)


def _strew(table: Image, piece: Image, rng: Rng) -> None:
    """A few copies of a small piece of board, none beside another."""
    height, width = piece.shape[:2]
    for x in range(0, WIDTH - 2 * width, 3 * width):
        if rng.random() < 0.5:
            y = int(rng.integers(0, HEIGHT - height))
            table[y : y + height, x : x + width] = piece


def _sheet(columns: int, rows: int, rng: Rng) -> Image:
    """Lines between cells, some of them filled."""
    page = np.full((rows * CELL_PX, columns * CELL_PX, 3), 250, np.uint8)
    for row, column in np.ndindex(rows, columns):
        if rng.random() < 0.15:
            page[_part(row), _part(column)] = rng.integers(120, 240, 3)
    page[::CELL_PX] = page[:, ::CELL_PX] = 90
    return page


def _spreadsheet(rng: Rng) -> Image:
    return _sheet(int(rng.integers(6, 18)), int(rng.integers(6, 14)), rng)


def _striped_table(rng: Rng) -> Image:
    page = _sheet(12, 9, rng)
    for row in range(0, 9, 2):
        page[_part(row)] = page[_part(row)] // 2 + 90
    return page


def _crossword(rng: Rng) -> Image:
    side = int(rng.integers(9, 16))
    black = rng.random((side, side)) < 0.4
    cells = np.where(black, 20, 245).astype(np.uint8)
    page = cv2.resize(cells, None, fx=CELL_PX, fy=CELL_PX, interpolation=cv2.INTER_NEAREST)
    page[::CELL_PX] = page[:, ::CELL_PX] = 20
    return np.asarray(cv2.cvtColor(page, cv2.COLOR_GRAY2BGR), np.uint8)


def _transparency(rng: Rng) -> Image:
    """The small chequers behind a picture that is nowhere opaque, 16 or more across."""
    across, down = int(rng.integers(16, 30)), int(rng.integers(16, 20))
    cells = (np.add.outer(np.arange(down), np.arange(across)) % 2 * 50 + 200).astype(np.uint8)
    page = cv2.resize(cells, None, fx=CELL_PX, fy=CELL_PX, interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.cvtColor(page, cv2.COLOR_GRAY2BGR), np.uint8)


PAGES: tuple[Callable[[Rng], Image], ...] = (
    _spreadsheet,
    _striped_table,
    _crossword,
    _transparency,
)

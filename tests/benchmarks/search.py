"""Single pictures with nothing known before: is the board found, how exactly, and read how well."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from calibration.locate import Located, locate
from referee.eye.picture import read_picture
from tests.benchmarks.cases import (
    PHOTOGRAPHS,
    Picture,
    Source,
    opened,
    pictures,
    square_px,
)
from tests.benchmarks.peers import Found, Points, aruco, chessboards, is_right, nearest
from tests.benchmarks.report import (
    Goal,
    Row,
    Section,
    at_least,
    at_most,
    by_group,
    longest,
    middle,
    share,
    total,
)
from tests.benchmarks.wanted import Wanted

TITLE = "single pictures"
FOUND, FOUND_IN_PHOTOGRAPHS = at_least(99.5), at_least(97.0)
CORNER_PX, WORSE_CORNERS_PX = at_most(0.35), at_most(0.7)
CELLS, CELLS_OF_PHOTOGRAPHS = at_most(0.5), at_most(2.0)
READ, NOT_READ = at_least(99.5), at_most(3.0)
"""More than the best of others reach: 93 % of boards found (LiveChess2FEN), 0.79 px
(`findChessboardCornersSB`), 0.09 % of squares misread with corners given (chesscog)."""
SEARCH_MS, LONGEST_MS = at_most(150.0), at_most(1000.0)
"""Nobody should wait at set-up."""
WRONG_WAY = "numbered from a wrong corner, no doubt told"
DOUBT = "way round"
"""In what people are told when the pieces do not say where square 1 is."""
WITHIN_ONE, WITHIN_TWO = at_least(63.0), at_least(98.0)
"""Share of a round normal error within one and two of its standard deviations."""
Look = tuple[Found, Points]
"""What another detector found in a picture, and the true corners."""


@dataclass
class Sight:
    """What was made of one picture."""

    group: str
    exact: bool
    search_ms: float
    found: bool = False
    right: bool = False
    turned: bool = False
    """Numbered from another corner than the true one, without a word of doubt about it."""
    corner_px: float = 0.0
    """Of the worst corner, when right."""
    sigmas: list[float] = field(default_factory=list)
    """Errors of the four corners in units of the uncertainty that was reported."""
    read: bool = False
    """Whether there is a reading of it too."""
    scored: int = 0
    misread: int = 0
    unread: int = 0
    hidden: int = 0
    hidden_known: int = 0
    discs: int = 0
    """Pieces whose place and side are right ..."""
    ranks_wrong: int = 0
    kings: int = 0
    kings_seen: int = 0
    peers: dict[str, Look] = field(default_factory=dict)
    """By detector."""


@dataclass(frozen=True)
class Job:
    """A picture, and whether the other detectors look at it too."""

    source: Source
    with_peers: bool


def jobs(wanted: Wanted) -> Sequence[Job]:
    """All pictures; the others, which take seconds, see some of each group."""
    found = []
    for members in by_group(pictures(wanted.fresh_pictures, wanted.photographs)).values():
        step = -(-len(members) // wanted.peer_pictures)
        found += [Job(source, i % step == 0) for i, source in enumerate(members)]
    return found


def measure(job: Job) -> Sight:
    """Look at one picture."""
    picture = opened(job.source)
    start = time.process_time()
    located = locate(picture.image)
    spent_ms = (time.process_time() - start) * 1000
    sight = Sight(job.source.group, picture.exact, spent_ms)
    if isinstance(located, Located):
        _judge(sight, picture, located)
    if job.with_peers:
        others = chessboards(picture.image)
        if picture.exact and (marked := aruco(picture)):
            others |= {"ArUco, 4 markers pasted in": marked}
        sight.peers = {name: (found, picture.corners) for name, found in others.items()}
    return sight


def _judge(sight: Sight, picture: Picture, located: Located) -> None:
    sight.found = True
    corners = located.view.corners()
    shift, sight.corner_px = nearest(corners, picture.corners)
    sight.right = is_right(sight.corner_px, picture.corners)
    if not sight.right:
        return
    errors = np.linalg.norm(corners - np.roll(picture.corners, -shift, axis=0), axis=1)
    sigma_px = located.corner_sigma * square_px(picture.corners)
    sight.sigmas = [float(error) for error in errors / sigma_px]
    _read(sight, picture)


def _read(sight: Sight, picture: Picture) -> None:
    reading = read_picture(picture.image)
    if reading.view is None:
        return
    sight.read = True
    quarters, _ = nearest(reading.view.corners(), picture.corners)
    doubted = any(DOUBT in problem for problem in reading.problems)
    sight.turned = picture.exact and quarters != 0 and not doubted
    seen = np.rot90(np.array([list(row) for row in reading.cells]), -quarters)
    sight.hidden = len(picture.hidden)
    for sign, due in zip(seen.ravel(), picture.cells.ravel(), strict=True):
        if due != "?":
            _score(sight, str(sign), str(due))
    sight.hidden_known = sum(bool(seen[cell] == "?") for cell in picture.hidden)


def _score(sight: Sight, sign: str, due: str) -> None:
    sight.scored += 1
    if sign == "?":
        sight.unread += 1
    elif sign.lower() != due.lower():
        sight.misread += 1
    elif due != ".":
        sight.discs += 1
        sight.ranks_wrong += sign != due
        sight.kings += due.isupper()
        sight.kings_seen += due.isupper() and sign.isupper()


# --- The rows ------------------------------------------------------------------------------


def sections(sights: Iterable[Sight]) -> list[Section]:
    """One table for the board, one for the cells."""
    groups = by_group(sights)
    where = [row for group, some in groups.items() for row in _board_rows(group, some)]
    what = [row for group, some in groups.items() for row in _cell_rows(group, some)]
    return [
        Section("Finding the board in one picture, nothing known", where),
        Section("Reading its 64 cells, nothing known", what),
    ]


def _board_rows(group: str, sights: list[Sight]) -> list[Row]:
    right = [sight for sight in sights if sight.right]
    exact = [sight for sight in right if sight.exact]
    wrong = sum(sight.found and not sight.right for sight in sights)
    found = FOUND_IN_PHOTOGRAPHS if group == PHOTOGRAPHS else FOUND
    times = [sight.search_ms for sight in sights]
    rows = [
        share("board found", group, len(right), len(sights), found, _peers_found(sights)),
        share("silently wrong", group, wrong, len(sights), at_most(0.0), _peers_wrong(sights)),
        *_corners(group, right),
        middle("first search", group, times, "ms", SEARCH_MS, _peers_ms(sights)),
        longest("... the longest", group, times, "ms", LONGEST_MS),
    ]
    if exact:
        sigmas = [value for sight in exact for value in sight.sigmas]
        rows += [_within(group, sigmas, 1, WITHIN_ONE), _within(group, sigmas, 2, WITHIN_TWO)]
        rows.append(share(WRONG_WAY, group, total(exact, "turned"), len(exact), at_most(0.0)))
    return rows


def _corners(group: str, right: list[Sight]) -> tuple[Row, Row]:
    """Labels of photographs are no better than a few pixels: no target can be tried on them."""
    usual, most = (None, None) if group == PHOTOGRAPHS else (CORNER_PX, WORSE_CORNERS_PX)
    worst = [sight.corner_px for sight in right]
    nine = float(np.percentile(worst, 90)) if worst else None
    return (
        middle("worst corner", group, worst, "px", usual, _peers_px(right)),
        Row("... of nine pictures in ten", group, nine, "px", most, f"n {len(worst)}"),
    )


def _within(group: str, sigmas: list[float], most: int, goal: Goal) -> Row:
    inside = sum(value <= most for value in sigmas)
    return share(f"corners within {most} of their sigma", group, inside, len(sigmas), goal)


def _cell_rows(group: str, sights: list[Sight]) -> list[Row]:
    of = partial(total, sights)
    goal = CELLS_OF_PHOTOGRAPHS if group == PHOTOGRAPHS else CELLS
    wrong = of("misread") + of("ranks_wrong")
    rows = [
        share("boards found that are read", group, of("read"), of("right"), READ),
        share("cells misread, rank and all", group, wrong, of("scored"), goal),
        share("... rank apart", group, of("misread"), of("scored"), goal),
        share("cells not read", group, of("unread"), of("scored"), NOT_READ),
        share("king or man mistaken", group, of("ranks_wrong"), of("discs")),
    ]
    if of("kings"):
        rows.append(share("kings seen as kings", group, of("kings_seen"), of("kings")))
    if of("hidden"):
        known = of("hidden_known"), of("hidden")
        rows.append(share("squares behind an arm not read", group, *known, at_least(98.0)))
    return rows


# --- The others ----------------------------------------------------------------------------


def _told(sights: Iterable[Sight], tell: Callable[[list[Look]], str]) -> str:
    """What there is to tell of each of the others, a line each."""
    looks: dict[str, list[Look]] = {}
    for sight in sights:
        for name, look in sight.peers.items():
            looks.setdefault(name, []).append(look)
    return "\n".join(f"{name}: {tell(some)}" for name, some in looks.items())


def _error(look: Look) -> float | None:
    """In pixels, of a board that is the right one."""
    found, true = look
    error = found.error_px(true)
    return error if error is not None and is_right(error, true) else None


def _peers_found(sights: list[Sight]) -> str:
    def tell(looks: list[Look]) -> str:
        return f"{sum(_error(look) is not None for look in looks)} of {len(looks)}"

    return _told(sights, tell)


def _peers_wrong(sights: list[Sight]) -> str:
    def tell(looks: list[Look]) -> str:
        wrong = sum(look[0].corners is not None and _error(look) is None for look in looks)
        return f"{wrong} of {len(looks)}"

    return _told(sights, tell)


def _peers_px(sights: list[Sight]) -> str:
    def tell(looks: list[Look]) -> str:
        errors = [error for look in looks if (error := _error(look)) is not None]
        return f"{np.median(errors):.2f} px" if errors else "–"

    return _told(sights, tell)


def _peers_ms(sights: list[Sight]) -> str:
    def tell(looks: list[Look]) -> str:
        return f"{np.median([found.ms for found, _ in looks]):.0f} ms"

    return _told(sights, tell)

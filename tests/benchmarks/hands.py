"""Hands in films with known truth: noticed, whose they are, what they hide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from calibration.locate import Refusal
from hardware.camera import borrowed_frames
from hardware.sources import open_camera
from referee.board import SQUARES, Side, cell_of
from referee.eye.eye import Eye
from referee.eye.first_sight import calibrate
from referee.observation import Observation
from sample_images.truth import FrameTruth
from tests.benchmarks.cases import Film, films
from tests.benchmarks.report import Row, Section, at_least, at_most, by_group, share, total
from tests.benchmarks.squares import MOSTLY
from tests.benchmarks.wanted import Wanted

TITLE = "hands in films"
ATTEMPTS = 20
"""Frames from which a calibration is tried before a film is given up."""
NOTICED, FALSE_ALARM = at_least(99.5), at_most(1.0)
KNOWN, NEEDLESS = at_least(98.0), at_most(1.0)
SIDE_TOLD, SIDE_WRONG = at_least(99.0), at_most(0.5)


@dataclass
class Watched:
    """What was made of one film, frame by frame."""

    group: str
    films: int = 1
    unreadable: int = 0
    """1 when no frame gave a calibration."""
    arms: int = 0
    """Frames in which an arm hides a square ..."""
    noticed: int = 0
    quiet: int = 0
    """... and frames without any arm, before a clear lens."""
    alarms: int = 0
    hidden: int = 0
    """Squares that an arm hides, over all frames ..."""
    known: int = 0
    mostly: int = 0
    """... covers by more than half ..."""
    mostly_known: int = 0
    bare: int = 0
    """... and those that none touches while one is there."""
    needless: int = 0
    at_rim: int = 0
    """Frames in which just one player's arm comes over that player's edge of the board ..."""
    side_right: int = 0
    side_wrong: int = 0


def jobs(wanted: Wanted) -> Sequence[Film]:
    """Every film there is."""
    del wanted
    return films()


def measure(film: Film) -> Watched:
    """Follow a film with the eye alone."""
    watched = Watched(film.group)
    truths = {frame.time_ms: frame for frame in film.recording.frames}
    eye: Eye | None = None
    with borrowed_frames(open_camera(str(film.path))) as frames:
        for number, frame in enumerate(frames):
            truth = truths[min(truths, key=lambda time_ms: abs(time_ms - frame.time_ms))]
            if eye is None:
                found = calibrate(frame.image, truth.setup)
                eye = None if isinstance(found, Refusal) else Eye(found)
                if eye is None and number >= ATTEMPTS:
                    watched.unreadable = 1
                    break
            if eye is not None:
                _score(watched, truth, eye.observe(frame.image, frame.time_ms))
    return watched


def _score(watched: Watched, truth: FrameTruth, seen: Observation) -> None:
    if truth.sight != "clear":
        return
    if truth.hidden:
        watched.arms += 1
        watched.noticed += bool(seen.hands)
        _score_squares(watched, truth, seen)
        _score_side(watched, truth, seen)
    elif not truth.hands:
        watched.quiet += 1
        watched.alarms += bool(seen.hands)


def _score_squares(watched: Watched, truth: FrameTruth, seen: Observation) -> None:
    marked = set(seen.hidden).union(*(hand.squares for hand in seen.hands))
    mostly = {square for square, share in truth.covered if share > MOSTLY}
    watched.mostly += len(mostly)
    watched.mostly_known += len(marked & mostly)
    bare = set(SQUARES) - {square for square, _ in truth.covered}
    watched.hidden += len(truth.hidden)
    watched.known += len(marked.intersection(truth.hidden))
    watched.bare += len(bare)
    watched.needless += len(marked & bare)


def _score_side(watched: Watched, truth: FrameTruth, seen: Observation) -> None:
    """Only where the truth is plain: one arm, which covers squares of its owner's own row."""
    if len(truth.hands) != 1 or truth.hands[0] is None:
        return
    owner = truth.hands[0]
    edge = 0 if owner is Side.RED else 7
    if not any(cell_of(square)[0] == edge for square in truth.hidden):
        return
    told = {hand.side for hand in seen.hands} - {None}
    watched.at_rim += 1
    watched.side_right += told == {owner}
    watched.side_wrong += owner.other in told


def sections(results: Iterable[Watched]) -> list[Section]:
    """A block of rows for films kept aside, one for the others."""
    rows = [row for group, some in sorted(by_group(results).items()) for row in _rows(group, some)]
    return [Section("Hands, frame by frame", rows)]


def _rows(group: str, some: list[Watched]) -> list[Row]:
    of = partial(total, some)
    mostly = f"... covered by more than {MOSTLY} %"
    return [
        share("films calibrated", group, len(some) - of("unreadable"), len(some), at_least(100)),
        share("arm noticed", group, of("noticed"), of("arms"), NOTICED),
        share("arm seen where none is", group, of("alarms"), of("quiet"), FALSE_ALARM),
        share("hidden squares known", group, of("known"), of("hidden"), KNOWN),
        share(mostly, group, of("mostly_known"), of("mostly"), KNOWN),
        share("seen taken for hidden", group, of("needless"), of("bare"), NEEDLESS),
        share("whose arm, over its own rim", group, of("side_right"), of("at_rim"), SIDE_TOLD),
        share("... the other player's", group, of("side_wrong"), of("at_rim"), SIDE_WRONG),
    ]

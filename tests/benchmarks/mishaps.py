"""What befalls cameras: pushed, covered, in the dark, out of focus, hung, and lamps switched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count as count_from
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.locate import Refusal
from calibration.model import Lens, Pose, View
from calibration.saved import Calibration
from hardware.camera import Frame
from hardware.cameras.fake import FakeCamera
from referee.board import START
from referee.events import Irregular, NotWatching, Played, Ruling, Watching
from referee.eye.eye import Eye
from referee.eye.first_sight import calibrate
from referee.game import begin
from referee.watching import follow
from sample_images.draw import drawn, exposed
from sample_images.scene import Scene
from sample_images.sensor import photograph
from tests.benchmarks.cases import FRESH, Image, opening, square_px
from tests.benchmarks.report import Row, Section, at_least, at_most, count, longest, share
from tests.benchmarks.wanted import Wanted

TITLE = "mishaps"
Maps = NDArray[np.float32]
FIRST = FRESH + 200_000
GRAINS = 5
"""Pictures of the same still scene, each with its own noise, that come in turn."""
FRAME_MS = 100
BEFORE_MS, DURING_MS, AFTER_MS = 4_000, 4_000, 4_000
"""A camera is believed to hang only after it has shown for a while that it does not."""
PUSHES_PX = (1, 2, 3, 5, 8, 12, 20, 30)
DIRECTIONS = 3
COARSE = 8
HEALED_PX, FOUND_PX = 1.0, 2.0
"""Worst corner of the view from which on a push is made good: one that was followed, and one after
which the board was searched for, whose true place is known from the scene."""
QUIET_MS, PUSHED_MS = 500, 2_000
"""Before a push, and until it must be made good."""
SHOVES = {
    "turned 10-180°": ((10.0, 0.0, 0.0), (35.0, 0.0, 0.0), (90.0, 0.0, 0.0), (170.0, 0.0, 0.0)),
    "1-2 squares": ((0.0, 1.0, 0.0), (0.0, -1.0, 1.0), (0.0, 1.5, 0.5), (0.0, 0.0, -2.0)),
}
"""Degrees that the board is turned on the table, and squares (right, down) that it is pushed."""
BLUR = 0.25
"""Standard deviation of a picture out of focus, in squares."""
ALL = at_least(100.0)
NOT_WATCHING_S, FROZEN_S, WATCHING_S = at_most(1.0), at_most(1.0), at_most(1.0)


@dataclass(frozen=True)
class Push:
    """One bump of the camera."""

    pixels: int
    noticed: bool
    """In the first frame after it."""
    healed_ms: int | None
    """None when it never was."""


@dataclass(frozen=True)
class Shove:
    """One push or turn of the board that its edges cannot be followed through."""

    kind: str
    healed_ms: int | None
    """None when it never was."""
    ruled: int
    """Rulings, moves and accusations from then on."""


@dataclass(frozen=True)
class Blindness:
    """One spell in which the board cannot be seen."""

    kind: str
    gone_ms: int | None
    """From its beginning to the announcement; None when there was none."""
    back_ms: int | None
    """From its end to the announcement; None when there was none."""
    ruled: int
    """Rulings, moves and accusations from its beginning to its end."""


@dataclass
class Ordeal:
    """All that befell one camera."""

    refused: str = ""
    pushes: list[Push] = field(default_factory=list)
    shoves: list[Shove] = field(default_factory=list)
    spells: list[Blindness] = field(default_factory=list)


def jobs(wanted: Wanted) -> Sequence[int]:
    """A seed for each camera and board; the board stays in the picture when it is pushed."""
    seeds = (seed for seed in count_from(FIRST) if _has_room(opening(seed)))
    return list(islice(seeds, wanted.mishaps))


def measure(seed: int) -> Ordeal:
    """All mishaps before one board in the starting position."""
    scene = opening(seed)
    shots = _shots(scene)
    ordeal = Ordeal()
    known = calibrate(shots[0], START)
    if isinstance(known, Refusal):
        ordeal.refused = known.reason
        return ordeal
    angles = np.arange(DIRECTIONS) * 2 * np.pi / DIRECTIONS + 0.4 * seed
    ways = [(px, float(angle)) for px in PUSHES_PX for angle in angles]
    ordeal.pushes = [_pushed(known, scene.view, shots, *way) for way in ways]
    ordeal.shoves = [
        _shoved(known, shots, replace(scene, view=view), kind)
        for kind, ways in SHOVES.items()
        for view in (_laid(scene.view, *way) for way in ways)
        if _room(view) > 0
    ]
    ordeal.spells = [_blinded(known, shots, kind) for kind in KINDS]
    return ordeal


def _has_room(scene: Scene) -> bool:
    return _room(scene.view) > max(PUSHES_PX)


def _room(view: View) -> float:
    """Pixels between the board and the nearest side of the picture."""
    corners, lens = view.corners(), view.lens
    return float(min(corners.min(), (np.array([lens.width, lens.height]) - corners).min()))


def _shots(scene: Scene) -> list[Image]:
    light = drawn(scene)
    gain, rng = exposed(light), np.random.default_rng(scene.seed)
    return [photograph(light, scene.sensor, gain, rng) for _ in range(GRAINS)]


def _in_turn(shots: list[Image], length_ms: int) -> Iterator[tuple[int, Image]]:
    for number, time_ms in enumerate(range(0, length_ms, FRAME_MS)):
        yield time_ms, shots[number % len(shots)]


# --- Pushes --------------------------------------------------------------------------------


def _pushed(known: Calibration, view: View, shots: list[Image], pixels: int, angle: float) -> Push:
    """Half a second of peace, then a push and `PUSHED_MS` of peace again."""
    way = pixels * float(np.cos(angle)), pixels * float(np.sin(angle))
    after, maps = _turned(view, *way)
    slid = [np.asarray(cv2.remap(shot, *maps, cv2.INTER_LINEAR), np.uint8) for shot in shots]
    eye = Eye(known)
    for time_ms, image in _in_turn(shots, QUIET_MS):
        eye.observe(image, time_ms)
    true = eye.view.corners() + after.corners() - view.corners()
    noticed, healed_ms = False, None
    for time_ms, image in _in_turn(slid, PUSHED_MS):
        seen = eye.observe(image, QUIET_MS + time_ms)
        noticed |= time_ms == 0 and seen.shift > 0
        off_px = float(np.linalg.norm(eye.view.corners() - true, axis=1).max())
        if healed_ms is None and off_px <= HEALED_PX:
            healed_ms = time_ms + FRAME_MS
    return Push(pixels, noticed, healed_ms)


def _turned(view: View, right_px: float, down_px: float) -> tuple[View, tuple[Maps, Maps]]:
    """The view of a camera turned so that its middle slides so far, and the maps of its picture."""
    lens = view.lens
    spin = np.array([-down_px / lens.focal_px, right_px / lens.focal_px, 0.0])
    turn = np.asarray(cv2.Rodrigues(spin)[0])
    rotation = turn @ view.pose.rotation_matrix
    place = turn @ np.array(view.pose.translation)
    pose = Pose.of(np.concatenate([np.ravel(cv2.Rodrigues(rotation)[0]), place]))
    return View(lens, pose), _sources(lens, turn)


def _sources(lens: Lens, turn: NDArray[np.float64]) -> tuple[Maps, Maps]:
    """Where each pixel of a camera that was turned lay before."""
    # Exact on every eighth pixel and linear between: the lens bends little over that.
    across, down = (np.arange(0, length + COARSE, COARSE) for length in (lens.width, lens.height))
    pixels = np.dstack(np.meshgrid(across, down)).reshape(-1, 1, 2).astype(float)
    rays = cv2.undistortPoints(pixels, lens.matrix, lens.distortion, R=turn.T)
    ahead = cv2.convertPointsToHomogeneous(rays)
    none = np.zeros(3)
    source, _ = cv2.projectPoints(ahead, none, none, lens.matrix, lens.distortion)
    coarse = source.reshape(len(down), len(across), 2).astype(np.float32)
    columns, rows = np.meshgrid(np.arange(lens.width), np.arange(lens.height))
    places = [(part / COARSE).astype(np.float32) for part in (columns, rows)]
    fine = cv2.remap(coarse, places[0], places[1], cv2.INTER_LINEAR)
    return fine[..., 0].copy(), fine[..., 1].copy()


def _shoved(known: Calibration, shots: list[Image], scene: Scene, kind: str) -> Shove:
    """Peace, then the board lies elsewhere, as `scene` has it, and there is peace again."""
    before = [Frame(image, time_ms) for time_ms, image in _in_turn(shots, PUSHED_MS)]
    after = [
        Frame(image, PUSHED_MS + time_ms) for time_ms, image in _in_turn(_shots(scene), PUSHED_MS)
    ]
    healed_ms, ruled = None, 0
    for step in follow([*before, *after], begin(), known):
        ruled += sum(isinstance(event, (Ruling, Played, Irregular)) for event in step.events)
        view = step.calibration.view if step.calibration else known.view
        off_px = float(np.linalg.norm(view.corners() - scene.view.corners(), axis=1).max())
        if healed_ms is None and off_px <= FOUND_PX:
            healed_ms = step.time_ms + FRAME_MS - PUSHED_MS
    return Shove(kind, healed_ms, ruled)


def _laid(view: View, degrees: float, right: float, down: float) -> View:
    """The view of a board that was turned on the table about its middle and then pushed."""
    rotation = view.pose.rotation_matrix
    turn = np.asarray(cv2.Rodrigues(np.array([0.0, 0.0, np.radians(degrees)]))[0])
    middle = np.array([4.0, 4.0, 0.0])
    moved = rotation @ (middle + np.array([right, down, 0.0]) - turn @ middle)
    vector = np.ravel(cv2.Rodrigues(rotation @ turn)[0])
    place = np.array(view.pose.translation) + moved
    return View(view.lens, Pose.of(np.concatenate([vector, place])))


# --- Spells of blindness -------------------------------------------------------------------

KINDS = ("covered", "dark", "out of focus", "frozen", "lamps to a third")


def _blinded(known: Calibration, shots: list[Image], kind: str) -> Blindness:
    """Watch a game that rests before, during and after a spell."""
    end_ms = BEFORE_MS + DURING_MS
    frames = _with_spell(shots, kind, square_px(known.view.corners()))
    events = [event for step in follow(frames, begin(), known) for event in step.events]
    gone = [e.time_ms for e in events if isinstance(e, NotWatching) and e.time_ms >= BEFORE_MS]
    back = [e.time_ms for e in events if isinstance(e, Watching) and e.time_ms >= end_ms]
    ruled = [
        event
        for event in events
        if isinstance(event, (Ruling, Played, Irregular)) and event.time_ms >= BEFORE_MS
    ]
    first_gone = gone[0] - BEFORE_MS if gone else None
    return Blindness(kind, first_gone, back[0] - end_ms if back else None, len(ruled))


def _with_spell(shots: list[Image], kind: str, square: float) -> Iterator[Frame]:
    camera = FakeCamera(_in_turn(shots, BEFORE_MS + DURING_MS + AFTER_MS))
    begin_it, end_it = _verbs(camera, kind)
    for frame in camera.frames():
        blind = BEFORE_MS <= frame.time_ms < BEFORE_MS + DURING_MS
        if blind and kind == "out of focus":
            soft = cv2.GaussianBlur(frame.image, (0, 0), BLUR * square)
            yield Frame(np.asarray(soft, np.uint8), frame.time_ms)
        else:
            yield frame
        if frame.time_ms == BEFORE_MS - FRAME_MS:
            begin_it()
        elif frame.time_ms == BEFORE_MS + DURING_MS - FRAME_MS:
            end_it()


def _verbs(camera: FakeCamera, kind: str) -> tuple[Callable[[], None], Callable[[], None]]:
    """What begins a spell, and what ends it."""
    return {
        "covered": (camera.cover, camera.uncover),
        "dark": (lambda: camera.dim(0.02), lambda: camera.dim(1.0)),
        "out of focus": (lambda: None, lambda: None),
        "frozen": (camera.freeze, camera.thaw),
        "lamps to a third": (lambda: camera.dim(0.33), lambda: camera.dim(1.0)),
    }[kind]


# --- The rows ------------------------------------------------------------------------------


def sections(ordeals: Iterable[Ordeal]) -> list[Section]:
    """One table for pushes of the camera, one for those of the board, one for blindness."""
    asked = list(ordeals)
    everything = [ordeal for ordeal in asked if not ordeal.refused]
    pushes = [push for ordeal in everything for push in ordeal.pushes]
    spells = [spell for ordeal in everything for spell in ordeal.spells]
    bumps = [share("starting position calibrated", "fresh seeds", len(everything), len(asked), ALL)]
    bumps += [row for low, high in ((1, 1), (2, 5), (8, 30)) for row in _bumps(pushes, low, high)]
    blind = [row for kind in KINDS for row in _blind(spells, kind)]
    return [
        Section("A push of the camera, the starting position on the board", bumps),
        Section(
            "The board pushed or turned, further than its edges can be followed",
            [row for kind in SHOVES for row in _shoves(everything, kind)],
        ),
        Section("Spells in which the board cannot be seen", blind),
    ]


def _bumps(pushes: list[Push], low: int, high: int) -> list[Row]:
    here = [push for push in pushes if low <= push.pixels <= high]
    data = f"{low} px" if low == high else f"{low}-{high} px"
    healed = [push.healed_ms for push in here if push.healed_ms is not None]
    return [
        share("noticed in the next frame", data, sum(p.noticed for p in here), len(here), ALL),
        share("made good within 2 s", data, len(healed), len(here), ALL),
        longest("... the longest", data, [float(ms) for ms in healed], "ms", at_most(PUSHED_MS)),
    ]


def _shoves(ordeals: list[Ordeal], kind: str) -> list[Row]:
    here = [shove for ordeal in ordeals for shove in ordeal.shoves if shove.kind == kind]
    healed = [float(shove.healed_ms) for shove in here if shove.healed_ms is not None]
    ruled = sum(shove.ruled for shove in here)
    return [
        share("made good within 2 s", kind, len(healed), len(here), ALL),
        longest("... the longest", kind, healed, "ms", at_most(PUSHED_MS)),
        count("rulings, moves, accusations", kind, ruled, len(here), at_most(0)),
    ]


def _blind(spells: list[Blindness], kind: str) -> list[Row]:
    here = [spell for spell in spells if spell.kind == kind]
    ruled = count(
        "rulings, moves, accusations", kind, sum(s.ruled for s in here), len(here), at_most(0)
    )
    if kind == KINDS[-1]:
        lost = sum(spell.gone_ms is not None and spell.back_ms is None for spell in here)
        return [ruled, count("never watched again", kind, lost, len(here), at_most(0))]
    goal = FROZEN_S if kind == "frozen" else NOT_WATCHING_S
    gone = [spell.gone_ms for spell in here if spell.gone_ms is not None]
    back = [spell.back_ms for spell in here if spell.back_ms is not None]
    return [
        share("not watching announced", kind, len(gone), len(here), ALL),
        longest("... after, the longest", kind, [ms / 1000 for ms in gone], "s", goal),
        ruled,
        share("watching again announced", kind, len(back), len(here), ALL),
        longest("... after, the longest", kind, [ms / 1000 for ms in back], "s", WATCHING_S),
    ]

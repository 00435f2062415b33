"""Turns a timeline into scenes, pictures and truth, frame by frame."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.model import Lens
from referee.board import Side
from referee.notation import fen
from referee.rules import Position
from sample_images.draw import Arms, changed_window, drawn, exposed
from sample_images.people import BARE, CUFF, HAIRS, Person, from_seat, leaning
from sample_images.rays import Floats, Window
from sample_images.scene import Disc, Hand, Scene, Thing, framed
from sample_images.script import CLOTHS, Script, load
from sample_images.sensor import Image, flickered, photograph, vignette_of
from sample_images.stage import BUMP_MS, LEAN_MS, Carry, Key, Timeline, Visit, play_script
from sample_images.truth import FrameTruth, Recording, frame_truth
from sample_images.variety import (
    FAMILIES,
    OPTICS,
    SKINS,
    SLEEVES,
    choose,
    lens_of,
    random_scene,
    things_beside,
)

SCRIPTS = Path(__file__).parent / "scripts"
COVERED_LEVEL, DARK_LEVEL = 0.03, 0.004
"""Linear light that passes a hand on the lens, and what is left in a dark room."""


@dataclass(frozen=True)
class Play:
    """A script ready to be seen."""

    timeline: Timeline
    stage: Scene
    """Board, camera and light, without discs and hands."""
    measures: tuple[float, float]
    """A disc's radius and thickness."""

    @property
    def times_ms(self) -> range:
        """Of the frames."""
        return range(0, self.timeline.length_ms + 1, round(1000 / self.timeline.script.rate))

    def scene_at(self, time_ms: int) -> Scene:
        """What stands before the camera at this time."""
        resting, captured = _resting(self, _changes_before(self.timeline, time_ms))
        view = self.stage.view.slid(*_shift_at(self.timeline, time_ms))
        hands = self.hands_at(time_ms)
        scene = replace(self.stage, discs=resting, captured=captured, hands=hands, view=view)
        factor = _lamps_at(self.timeline, time_ms)
        return scene if factor == 1 else _lit(scene, factor)

    def hands_at(self, time_ms: float) -> tuple[Hand, ...]:
        """Who has an arm over the table at this time, and those who lean over the board."""
        return _leaning_at(self, time_ms) + tuple(
            _hand_at(self, visit, time_ms)
            for visit in self.timeline.visits
            if visit.keys[0].time_ms < time_ms < visit.keys[-1].time_ms
        )

    def sight_at(self, time_ms: int) -> str:
        """`clear`, `covered` or `dark`."""
        spans = (s for start, end, s in self.timeline.blind if start <= time_ms < end)
        return next(spans, "clear")


def prepare(script: Script) -> Play:
    """The scene and the timeline of a script; ScriptError if the rules forbid it."""
    rng = np.random.default_rng(script.seed)
    drawn_scene = random_scene(script.seed, script.family, "empty", script.light)
    width, height = script.size
    optics = replace(OPTICS[script.optics], sizes=((width, height),))
    lens: Lens = lens_of(optics, rng)
    board = drawn_scene.board
    view = framed(lens, script.tilt, script.azimuth, margin=board.margin + 0.35, slack=1.03)
    sensor = replace(drawn_scene.sensor, electrons=script.electrons, motion_px=(0.0, 0.0))
    table = replace(drawn_scene.table, texture=script.table)
    things = _clear_of_trays(things_beside(board, view, script.seed)) if script.things else ()
    scene = replace(drawn_scene, view=view, hands=(), things=things, table=table, sensor=sensor)
    measures = script.measures or random_measures(script.family, rng)
    return Play(play_script(script, board, measures), scene, measures)


def _clear_of_trays(things: tuple[Thing, ...]) -> tuple[Thing, ...]:
    """Those of the things that do not lie where captured discs go."""
    return tuple(
        thing
        for thing in things
        if all(
            np.hypot(thing.x - x, thing.y - y) > TRAY_ROOM + np.hypot(thing.length, thing.width) / 2
            for x, y in TRAYS
        )
    )


TRAYS = ((10.0, 5.4), (-2.0, 2.6))
"""About the middle of the captured red and white discs, and how much room they take."""
TRAY_ROOM = 2.6


def random_measures(family: str, rng: np.random.Generator) -> tuple[float, float]:
    """Radius and thickness of a set of this family."""
    kind = FAMILIES[family]
    return float(rng.uniform(*kind.radius)), float(rng.uniform(*kind.thickness))


# --- Discs and hands at a time -------------------------------------------------------------


@lru_cache(maxsize=8)
def _change_times(timeline: Timeline) -> tuple[int, ...]:
    return tuple(sorted({time for rests in timeline.rests for time, _ in rests}))


def _changes_before(timeline: Timeline, time_ms: int) -> int:
    return bisect_right(_change_times(timeline), time_ms)


@lru_cache(maxsize=16)
def _resting(play: Play, changes: int) -> tuple[tuple[Disc, ...], tuple[Disc, ...]]:
    """Discs on the board and on the table after so many changes."""
    times = _change_times(play.timeline)
    now = times[changes - 1] if changes else -1
    lying = []
    for rests in play.timeline.rests:
        last = [disc for time, disc in rests if time <= now]
        if last and last[-1]:
            lying.append(last[-1])
    on_board = tuple(disc for disc in lying if disc.z >= 0)
    return on_board, tuple(disc for disc in lying if disc.z < 0)


def _hand_at(play: Play, visit: Visit, time_ms: float) -> Hand:
    x, y, z, pinch = _between(visit.keys, time_ms)
    held = next((c for c in visit.carries if c.from_ms <= time_ms < c.to_ms), None)
    person = _person(play.timeline.script, visit.side)
    return from_seat(
        visit.seat,
        visit.side,
        (x, y, z + 0.05),
        person,
        pinch=pinch,
        held=_carried(held, x, y, z) if held else (),
    )


@lru_cache(maxsize=8)
def _person(script: Script, side: Side | None) -> Person:
    """The same every time this player, or the stranger, comes."""
    rng = np.random.default_rng([script.seed, list(Side).index(side) if side else len(Side)])
    size = float(rng.uniform(0.9, 1.1))
    skin = choose(SKINS, rng)
    sleeve = choose(SLEEVES, rng)
    hair = choose(HAIRS, rng)
    if script.sleeves is None or side is None:
        return Person(size, skin, sleeve, CUFF, hair)
    name = script.sleeves[list(Side).index(side)]
    return Person(size, skin, CLOTHS[name], BARE if name == "bare" else CUFF, hair)


def _leaning_at(play: Play, time_ms: float) -> tuple[Hand, ...]:
    return tuple(
        leaning(side, _person(play.timeline.script, side), _gently(share))
        for start, end, side in play.timeline.leans
        if (share := min(time_ms - start, end - time_ms, LEAN_MS) / LEAN_MS) > 0
    )


def _carried(carry: Carry, x: float, y: float, z: float) -> tuple[Disc, ...]:
    foot = z - carry.height
    return tuple(replace(d, x=x + d.x, y=y + d.y, z=foot + d.z) for d in carry.discs)


def _gently(share: float) -> float:
    """The share of a way that starts and stops gently."""
    return share * share * (3 - 2 * share)


def _between(keys: tuple[Key, ...], time_ms: float) -> tuple[float, float, float, float]:
    """The hand's tip and pinch at a time; it starts and stops gently at each key."""
    for first, last in pairwise(keys):
        if time_ms <= last.time_ms:
            gentle = _gently((time_ms - first.time_ms) / max(1, last.time_ms - first.time_ms))
            start = np.array([first.x, first.y, first.z, first.pinch])
            end = np.array([last.x, last.y, last.z, last.pinch])
            x, y, z, pinch = (float(v) for v in start + gentle * (end - start))
            return x, y, z, pinch
    last = keys[-1]
    return last.x, last.y, last.z, last.pinch


# --- Camera and light at a time ------------------------------------------------------------


def _shift_at(timeline: Timeline, time_ms: int) -> tuple[float, float]:
    dx = dy = 0.0
    for start, right, down in timeline.shifts:
        share = min(max((time_ms - start) / BUMP_MS, 0.0), 1.0)
        dx, dy = dx + share * right, dy + share * down
    return dx, dy


def _lamps_at(timeline: Timeline, time_ms: int) -> float:
    factors = [factor for start, factor in timeline.lamps if start <= time_ms]
    return factors[-1] if factors else 1.0


def _lit(scene: Scene, factor: float) -> Scene:
    lamps = tuple(replace(lamp, strength=lamp.strength * factor) for lamp in scene.lamps)
    return replace(scene, lamps=lamps)


# --- Pictures ------------------------------------------------------------------------------


GRAINS, TILE_PX = 8, 64
"""Pictures kept of an unchanged scene, each with noise of its own, and the side of the tiles in
which they are mixed."""
BLEED_PX = 8
"""How far blur, demosaicing and sharpening carry a pixel's light; even, as the Bayer filter is."""
SHUTTER_MS = 16
"""How long the shutter is open: what moves is smeared along its way."""
SMEAR_PX, MOST_PLACES = 6.0, 5
"""How far apart are the places over which a hand is smeared, and how many there are at most."""


class Film:
    """Takes one picture after the other and draws only what has changed since.

    The exposure is that of the first picture, as of a camera that has been locked. Two pictures
    of an unchanged scene differ by noise only. Each tile of them is one of `GRAINS` that were
    developed beforehand, chosen by chance and never the same twice running.
    """

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._of: Scene | None = None
        self._light: Floats = np.zeros((0, 0, 3), np.float32)
        """Of the scene without hands, as it leaves the lens."""
        self._fall = self._light
        """The share of light that reaches each pixel, (height, width, 1)."""
        self._grains: list[Image] = []
        self._shown: NDArray[np.int64] = np.zeros((0, 0), np.int64)
        """Which grain each tile showed last."""
        self._gain = 1.0

    def take(self, scene: Scene, sight: str = "clear", swept: Sequence[Arms] = ()) -> Image:
        """The picture of a scene; `sight` is that of `FrameTruth`, `swept` that of `drawn`."""
        self._settle(replace(scene, hands=()))
        if sight != "clear":
            return self._developed(scene, _behind(self._light, sight))
        picture = self._grainy()
        hands = [*scene.hands, *(hand for arms in swept for hand in arms)]
        window = changed_window(scene, (), tuple(hands))
        if window is not None:
            light = self._light.copy()
            light[window] = drawn(scene, window, swept) * self._fall[window]
            self._paste([picture], scene, light, window)
        return picture

    def _grainy(self) -> Image:
        """A picture of the scene without hands, like no other."""
        height, width = self._light.shape[:2]
        if not self._shown.size:
            self._shown = np.zeros((-(-height // TILE_PX), -(-width // TILE_PX)), np.int64)
        steps = self._rng.integers(1, GRAINS, self._shown.shape)
        self._shown = (self._shown + steps) % GRAINS
        picture = np.empty_like(self._grains[0])
        for (row, column), grain in np.ndenumerate(self._shown):
            tile = (
                slice(row * TILE_PX, (row + 1) * TILE_PX),
                slice(column * TILE_PX, (column + 1) * TILE_PX),
            )
            picture[tile] = self._grains[grain][tile]
        return picture

    def _settle(self, still: Scene) -> None:
        """Brings light and grains up to what lies on the board now."""
        if self._of is None or _elsewhere(self._of, still):
            self._light = drawn(still)
            if self._of is None:
                self._gain = exposed(self._light)
            self._fall = vignette_of(self._light, still.sensor.vignette)
            self._light = self._light * self._fall
            self._grains = [self._developed(still, self._light) for _ in range(GRAINS)]
        elif still != self._of:
            window = changed_window(still, _changed(self._of, still), ())
            if window is not None:
                self._light[window] = drawn(still, window) * self._fall[window]
                self._paste(self._grains, still, self._light, window)
        self._of = still

    def _developed(self, scene: Scene, light: Floats) -> Image:
        sensor = replace(scene.sensor, vignette=0.0)
        return photograph(light, sensor, self._gain, self._rng)

    def _paste(self, pictures: list[Image], scene: Scene, light: Floats, window: Window) -> None:
        """Develops a window, and as much round it as its light reaches, into each picture."""
        outer = _grown(window, 2 * BLEED_PX, light.shape)
        inner = _grown(window, BLEED_PX, light.shape)
        rows, columns = (
            slice(i.start - o.start, i.stop - o.start) for i, o in zip(inner, outer, strict=True)
        )
        for picture in pictures:
            picture[inner] = self._developed(scene, light[outer])[rows, columns]


def _grown(window: Window, by: int, shape: tuple[int, ...]) -> Window:
    """The window with a margin, beginning on an even row and column."""
    rows, columns = (
        slice(max(0, part.start - by) // 2 * 2, min(size, part.stop + by))
        for part, size in zip(window, shape, strict=False)
    )
    return rows, columns


def _elsewhere(before: Scene, now: Scene) -> bool:
    """Whether more than the discs has changed."""
    return replace(before, discs=(), captured=()) != replace(now, discs=(), captured=())


def _changed(before: Scene, now: Scene) -> tuple[Disc, ...]:
    old = {*before.discs, *before.captured}
    new = {*now.discs, *now.captured}
    return tuple(old ^ new)


def _behind(light: Floats, sight: str) -> Floats:
    """What is left of the light in a dark room, or behind a hand: reddish, without detail."""
    if sight == "dark":
        return light * np.float32(DARK_LEVEL)
    mean = light.mean(axis=(0, 1)) * np.array([1.6, 0.7, 0.6], np.float32) * COVERED_LEVEL
    rows = np.linspace(0.7, 1.3, light.shape[0], dtype=np.float32)[:, None, None]
    return np.ascontiguousarray(np.broadcast_to(mean * rows, light.shape), dtype=np.float32)


def pictures(play: Play) -> Iterator[tuple[int, Image]]:
    """(time in ms, picture) of each frame."""
    film = Film(play.timeline.script.seed)
    for time_ms in play.times_ms:
        scene = play.scene_at(time_ms)
        picture = film.take(scene, play.sight_at(time_ms), _swept(play, scene, time_ms))
        flicker = play.timeline.script.flicker
        yield time_ms, flickered(picture, flicker, time_ms) if flicker else picture


def _swept(play: Play, scene: Scene, time_ms: int) -> list[Arms]:
    """The places of the hands while the shutter is open; none where they move too little."""
    ends = [play.hands_at(time_ms + part * SHUTTER_MS) for part in (-0.5, 0.5)]
    if not (scene.hands and len(ends[0]) == len(ends[1]) == len(scene.hands)):
        return []
    tips = [scene.view.project(np.array([hand.tip for hand in arms])) for arms in ends]
    way = float(np.linalg.norm(tips[1] - tips[0], axis=1).max())
    places = min(1 + int(way / SMEAR_PX), MOST_PLACES)
    if places == 1:
        return []
    parts = np.linspace(-0.5, 0.5, places)
    return [play.hands_at(time_ms + float(part) * SHUTTER_MS) for part in parts]


def truths(play: Play) -> Iterator[FrameTruth]:
    """What is true in each frame."""
    for time_ms in play.times_ms:
        frame = frame_truth(play.scene_at(time_ms), time_ms, play.sight_at(time_ms))
        yield replace(frame, lamps=_lamps_at(play.timeline, time_ms))


def recording(play: Play, file: str, notes: str = "") -> Recording:
    """The whole truth of a script's recording."""
    script = play.timeline.script
    radius, thickness = play.measures
    return Recording(
        file,
        tuple(truths(play)),
        radius,
        thickness,
        script.family,
        script.light,
        script.family == "official",
        script.seed,
        script.kept_aside,
        "" if script.start == Position.start() else fen(script.start),
        play.timeline.events,
        notes,
    )


@contextmanager
def film_writer(play: Play, path: Path) -> Iterator[cv2.VideoWriter]:
    """A film file that takes a play's pictures; OSError if it cannot be written.

    MPEG-4, part 2: the one codec that every OpenCV wheel both writes and reads.
    """
    lens, codec = play.stage.view.lens, cv2.VideoWriter.fourcc(*"mp4v")
    size = lens.width, lens.height
    writer = cv2.VideoWriter(str(path), codec, play.timeline.script.rate, size)
    if not writer.isOpened():
        raise OSError(f"{path} cannot be written as a video")
    try:
        yield writer
    finally:
        writer.release()


def names() -> tuple[str, ...]:
    """The scripts that come with the package."""
    return tuple(sorted(path.stem for path in SCRIPTS.glob("*.script")))


def open_script(name: str) -> tuple[Iterator[tuple[int, Image]], int]:
    """The pictures of a script with their times in ms, and its length in ms.

    `name` is one of `names()` or the path of a script; ScriptError or OSError if it is neither.
    The same script gives the same pictures.
    """
    path = Path(name) if name.endswith(".script") else SCRIPTS / f"{name}.script"
    play = prepare(load(path))
    return pictures(play), play.timeline.length_ms

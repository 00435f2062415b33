"""Where hands and discs are at any time: moved while a film is planned, read while it is drawn."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from referee.board import START, Side, cell_of, side_of
from tests.benchmarks.second.camera import Points
from tests.benchmarks.second.hands import Person
from tests.benchmarks.second.table import UP, Disc, Scenery


class Hold(NamedTuple):
    """Where a disc is from a time on."""

    time: float
    place: Points | None
    """Of its lower face; None out of the picture."""
    hand: Side | None = None
    """Whose hand it goes with from there."""


def centre(square: int) -> Points:
    row, column = cell_of(square)
    return np.array([column + 0.5, row + 0.5, 0])


class Stage:
    """Times are in seconds. A hand's place is that of the upper face of what it holds."""

    def __init__(
        self, scenery: Scenery, people: dict[Side, Person], rng: np.random.Generator
    ) -> None:
        self.scenery, self.people, self.rng = scenery, people, rng
        self.ways = {hand: [(0.0, self.away(hand))] for hand in Side}
        self.sides: list[Side] = []
        self.tints: list[float] = []
        self.tracks: list[list[Hold]] = []
        self.on: dict[int, list[int]] = {}
        """The discs on a square, the lower first."""
        for square, appearance in enumerate(START, 1):
            if side := side_of(appearance):
                self.on[square] = [self.add(side, self.spot(square))]

    def add(self, side: Side, place: Points | None = None) -> int:
        """One more disc."""
        self.sides.append(side)
        self.tints.append(float(self.rng.normal(1, 0.025)))
        self.tracks.append([Hold(0.0, place)])
        return len(self.sides) - 1

    def spot(self, square: int) -> Points:
        """Nobody puts a man right in the middle."""
        return centre(square) + self.rng.uniform(-0.06, 0.06, 3) * (1, 1, 0)

    def away(self, hand: Side) -> Points:
        """Where a hand is not in the picture."""
        out = self.people[hand].out
        return np.array([4 + out * 1.8, 4 + out * 10.5, -0.2])

    # --- Moving ------------------------------------------------------------------------

    def now(self, hand: Side) -> float:
        return self.ways[hand][-1][0]

    def where(self, hand: Side) -> Points:
        return self.ways[hand][-1][1]

    def go(self, hand: Side, place: ArrayLike, seconds: float) -> float:
        self.ways[hand].append((self.now(hand) + seconds, np.asarray(place, float)))
        return self.now(hand)

    def rise(self, hand: Side, height: float, seconds: float) -> None:
        self.go(hand, self.where(hand) + height * UP, seconds)

    def wait(self, hand: Side, seconds: float) -> float:
        return self.go(hand, self.where(hand), seconds)

    def wake(self, hand: Side, time: float) -> None:
        """The hand stays where it is until then."""
        self.wait(hand, max(0.02, time - self.now(hand)))

    def grip(self, hand: Side, discs: Sequence[int], pace: float) -> float:
        """Take these, the lowest first, where they lie or from out of the picture."""
        thickness = self.scenery.thickness
        top = self.tracks[discs[-1]][-1].place
        if top is None:
            if np.hypot(*(self.where(hand) - self.away(hand))[:2]) > 0.1:
                self.leave(hand, pace)
            below = self.where(hand) - thickness * UP
            places = [below - thickness * n * UP for n in reversed(range(len(discs)))]
        else:
            top = top + thickness * UP
            far = float(np.hypot(*(self.where(hand) - top)[:2]))
            self.go(hand, top + 0.9 * UP, max(0.14, 0.075 * far**0.75) * pace + 0.02)
            self.go(hand, top, 0.13 * pace)
            places = [p for disc in discs if (p := self.tracks[disc][-1].place) is not None]
        time = self.wait(hand, 0.08 * pace + 0.02)
        for disc, place in zip(discs, places, strict=True):
            self.tracks[disc].append(Hold(time, place, hand))
        return time

    def put(
        self, hand: Side, discs: Sequence[int], place: Points, pace: float, slides: bool = False
    ) -> None:
        """Carry them there, or push them."""
        thickness = self.scenery.thickness
        top = place + thickness * len(discs) * UP
        far = float(np.hypot(*(self.where(hand) - top)[:2]))
        if slides:
            self.go(hand, top, max(0.2, 0.16 * far**0.7) * pace)
        else:
            lift = self.rng.uniform(0.45, 0.7) * UP
            self.go(hand, self.where(hand) + lift, 0.11 * pace)
            self.go(hand, top + lift, max(0.13, 0.12 * far**0.7) * pace)
            self.go(hand, top, 0.11 * pace)
        time = self.wait(hand, 0.06 * pace + 0.02)
        for number, disc in enumerate(discs):
            self.tracks[disc].append(Hold(time, place + number * thickness * UP))
        self.rise(hand, 0.45, 0.1 * pace)

    def remove(self, hand: Side, discs: Sequence[int], pace: float) -> None:
        """Carry what is held out of the picture."""
        self.rise(hand, 0.5, 0.11 * pace)
        time = self.leave(hand, pace)
        for disc in discs:
            self.tracks[disc].append(Hold(time, None))

    def leave(self, hand: Side, pace: float, place: Points | None = None) -> float:
        place = self.away(hand) if place is None else place
        far = float(np.hypot(*(self.where(hand) - place)[:2]))
        return self.go(hand, place, max(0.2, 0.09 * far**0.75) * pace + 0.05)

    # --- Reading -----------------------------------------------------------------------

    def hand_at(self, hand: Side, time: float) -> Points:
        """Hands set off and arrive softly."""
        way = self.ways[hand]
        number = bisect_right(way, time, key=lambda point: point[0])
        (begun, start), (ended, end) = way[number - 1], way[min(number, len(way) - 1)]
        share = (time - begun) / (ended - begun) if ended > begun else 0.0
        return start + (end - start) * share**3 * (10 - 15 * share + 6 * share**2)

    def is_away(self, hand: Side, time: float) -> bool:
        return float(np.linalg.norm(self.hand_at(hand, time) - self.away(hand))) < 0.02

    def discs_at(self, time: float) -> tuple[tuple[Disc, ...], tuple[Disc, ...]]:
        """Those that lie, and those that are carried."""
        lying, carried = list[Disc](), list[Disc]()
        for side, tint, track in zip(self.sides, self.tints, self.tracks, strict=True):
            hold = track[bisect_right(track, time, key=lambda hold: hold.time) - 1]
            if hold.place is None:
                continue
            place = hold.place
            if hold.hand:
                place = place + self.hand_at(hold.hand, time) - self.hand_at(hold.hand, hold.time)
            disc = Disc(side, (float(place[0]), float(place[1]), float(place[2])), tint)
            (carried if hold.hand else lying).append(disc)
        return tuple(lying), tuple(carried)

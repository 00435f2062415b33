"""The bones of a hand that takes, holds or lets go of a disc, in squares of the board plane."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sample_images.scene import SQUARE_MM, Hand

Vector = NDArray[Any]
"""(3,) of float."""

WRIST_BACK, WRIST_UP = 148.0, 66.0
"""Where the wrist of the posture below lies behind and above the fingertips."""

FINGERS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "fore": ((-62, 20, 70), (-22, 19, 68), (-1, 11, 40), (13, 5, 14), (17, 3, 2)),
    "middle": ((-60, -2, 74), (-18, -4, 70), (4, -6, 42), (16, -7, 16), (19, -8, 3)),
    "ring": ((-66, -23, 70), (-26, -25, 66), (-6, -26, 42), (-8, -26, 20), (-16, -24, 11)),
    "little": ((-76, -41, 62), (-44, -46, 58), (-27, -47, 42), (-28, -45, 24), (-36, -42, 15)),
}
"""Of a hand that pinches: base of the finger, its three joints and the tip, in millimetres as
(ahead, towards the thumb, up) from the point where thumb and forefinger meet."""
OPEN_FINGERS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "fore": ((-62, 22, 62), (-22, 26, 62), (14, 28, 44), (33, 28, 26), (43, 28, 14)),
    "middle": ((-60, 0, 66), (-18, 1, 66), (22, 2, 47), (44, 2, 27), (55, 2, 14)),
    "ring": ((-66, -22, 62), (-26, -26, 61), (11, -27, 43), (32, -28, 25), (42, -28, 13)),
    "little": ((-76, -40, 54), (-44, -50, 52), (-18, -55, 37), (-2, -57, 23), (6, -58, 14)),
}
"""The same with the fingers stretched."""
THUMB = ((-118, 30, 52), (-76, 48, 46), (-44, 38, 26), (-17, 12, 4))
OPEN_THUMB = ((-118, 30, 52), (-78, 54, 44), (-44, 60, 28), (-14, 58, 14))
"""Wrist joint, knuckle, joint and tip."""
FINGER_RADII = (11.5, 10.0, 8.8, 7.8, 6.2)
THUMB_RADII = (17.0, 13.0, 11.0, 8.0)
THINNER = {"fore": 1.0, "middle": 1.03, "ring": 0.96, "little": 0.84}


@dataclass(frozen=True)
class Bone:
    """A ball at either end and what joins them."""

    start: Vector
    end: Vector
    radii: tuple[float, float]


@dataclass(frozen=True)
class Nail:
    """A fingernail: where, which way it points, which way it faces, half its length."""

    place: Vector
    ahead: Vector
    up: Vector
    half: float


@dataclass(frozen=True)
class Frame:
    """Where a hand's own directions point in the board plane."""

    tip: Vector
    ahead: Vector
    thumb: Vector
    mm: float
    """Squares for one millimetre of a grown hand."""
    stretch: float
    """Of the hand along its length, to reach its wrist."""
    lift: float
    """What the wrist lies higher than in the posture, in squares."""

    def place(self, bone: Iterable[float]) -> Vector:
        """The point (ahead, thumb, up) in millimetres as a point of the board plane."""
        ahead, thumb, up = bone
        share = min(max(-ahead / WRIST_BACK, 0.0), 1.2)
        flat = self.tip + (self.ahead * ahead * self.stretch + self.thumb * thumb) * self.mm
        return np.asarray(flat + np.array([0, 0, up * self.mm + self.lift * share]))


def frame_of(hand: Hand) -> Frame:
    """The frame of a hand from its wrist, tip and size."""
    tip, wrist = np.array(hand.tip), np.array(hand.wrist)
    run = (tip - wrist) * [1, 1, 0]
    span = max(float(np.linalg.norm(run)), 1e-6)
    ahead = run / span
    # Seen from above with y down, a right hand that points ahead has its thumb on the left.
    thumb = np.array([ahead[1], -ahead[0], 0.0]) * (-1 if hand.left else 1)
    mm = hand.size / SQUARE_MM
    lift = float(wrist[2] - tip[2]) - WRIST_UP * mm
    return Frame(tip, ahead, thumb, mm, span / (WRIST_BACK * mm), lift)


def _between(closed: Iterable[float], opened: Iterable[float], pinch: float) -> Vector:
    return np.array(list(closed)) * pinch + np.array(list(opened)) * (1 - pinch)


def finger_joints(hand: Hand) -> dict[str, list[Vector]]:
    """Of each finger and the thumb, from its root to its tip, in the board plane."""
    frame = frame_of(hand)
    habit = habit_of(hand)
    joints = {}
    for name, closed in FINGERS.items():
        pinch = hand.pinch * (1 - habit.loose.get(name, 0.0))
        pairs = zip(closed, OPEN_FINGERS[name], strict=True)
        # The forefinger stays on what it pinches.
        off = habit.off * (1 - hand.pinch if name == "fore" else 1.0)
        bones = [_between(*pair, pinch) * habit.fan + off for pair in pairs]
        joints[name] = [frame.place(bone) for bone in bones]
        joints[name] = _widened(joints[name], name, hand, frame)
    pairs = zip(THUMB, OPEN_THUMB, strict=True)
    joints["thumb"] = [frame.place(_between(*pair, hand.pinch)) for pair in pairs]
    joints["thumb"] = _widened(joints["thumb"], "thumb", hand, frame)
    return joints


@dataclass(frozen=True)
class Habit:
    """How one person holds the hand; no two do it alike."""

    off: Vector
    """Of all fingers that hold nothing, in millimetres."""
    fan: Vector
    """Factors of (ahead, towards the thumb, up): fingers close together or spread."""
    loose: dict[str, float]
    """How far fingers that hold nothing are stretched, 0 to 1."""


def habit_of(hand: Hand) -> Habit:
    """The same for a person as long as the hand is in the picture."""
    random = np.random.default_rng([round(hand.size * 1e4), *hand.skin, *hand.sleeve])
    off = random.normal(0, 2.0, 3) * [1, 1, 0]
    fan = np.array([1.0, float(random.uniform(0.85, 1.12)), 1.0])
    middle, ring, little = (float(share) for share in random.uniform(0, 0.9, 3) ** 2)
    return Habit(off, fan, {"middle": 0.5 * middle, "ring": ring, "little": max(ring, little)})


def _widened(joints: list[Vector], name: str, hand: Hand, frame: Frame) -> list[Vector]:
    """Tips moved out to the rim of the disc that they hold."""
    grip = 17.0 * frame.mm  # half of what the posture above holds
    if not hand.held or name in ("ring", "little"):
        return joints
    more = hand.held[0].radius - grip
    out = frame.ahead * (-1.0 if name == "thumb" else 1.0)
    count = len(joints) - 1
    return [joint + out * more * (i / count) ** 2 for i, joint in enumerate(joints)]


def bones(hand: Hand) -> list[Bone]:
    """Fingers, palm and forearm as balls and cones that melt into one skin."""
    frame, joints = frame_of(hand), finger_joints(hand)
    parts = [*_palm(hand, frame, joints), *_forearm(hand, frame)]
    for name, chain in joints.items():
        radii = THUMB_RADII if name == "thumb" else FINGER_RADII
        scale = frame.mm * THINNER.get(name, 1.0)
        pairs = zip(chain, chain[1:], radii, radii[1:], strict=False)
        parts += [Bone(a, b, (first * scale, last * scale)) for a, b, first, last in pairs]
    return parts


def _palm(hand: Hand, frame: Frame, joints: dict[str, list[Vector]]) -> list[Bone]:
    parts = []
    for name, across in (("fore", 13.0), ("middle", 5.0), ("ring", -5.0), ("little", -13.0)):
        root = frame.place((-WRIST_BACK, across, WRIST_UP))
        parts.append(Bone(root, joints[name][0], (16 * frame.mm, 13.5 * frame.mm)))
        under = np.array([0, 0, -9 * frame.mm])
        parts.append(Bone(root + under, joints[name][0] + under, (14 * frame.mm, 11 * frame.mm)))
    for first, last in pairwise(("fore", "middle", "ring", "little")):
        # Flesh between the bones of the palm, or they would stand out like the ribs of a fan.
        start, end = (
            (joints[first][i] + joints[last][i]) / 2 - [0, 0, 2 * frame.mm] for i in (0, 1)
        )
        root = frame.place((-WRIST_BACK, 0, WRIST_UP - 2))
        knuckle = start * 0.75 + end * 0.25
        parts.append(Bone(root, knuckle, (17 * frame.mm, 10.5 * frame.mm)))
    web = joints["fore"][0] * 0.7 + joints["thumb"][1] * 0.3
    parts.append(Bone(joints["thumb"][0], web, (15 * frame.mm, 9 * frame.mm)))
    return parts


def _forearm(hand: Hand, frame: Frame) -> list[Bone]:
    """As far as it can be seen: what the sleeve holds would come through its folds."""
    wrist, elbow = np.array(hand.wrist), np.array(hand.elbow)
    bare = min(1.0, 1.0 - hand.cuff + 0.08)
    end = wrist + (elbow - wrist) * bare
    thick = 18 + 13 * bare
    parts = []
    for across in (-1.0, 0.0, 1.0):
        aside = frame.thumb * across * frame.mm
        radii = 18 * frame.mm, thick * frame.mm
        parts.append(Bone(wrist + aside * 10, end + aside * 11, radii))
    return parts


def nails(hand: Hand) -> list[Nail]:
    """Of all fingers and the thumb."""
    frame, found = frame_of(hand), []
    for name, chain in finger_joints(hand).items():
        radii = THUMB_RADII if name == "thumb" else FINGER_RADII
        scale = frame.mm * THINNER.get(name, 1.0)
        along = chain[-1] - chain[-2]
        along /= np.linalg.norm(along)
        back = frame.ahead if name != "thumb" else frame.thumb + frame.ahead * 0.3
        back = back + np.array([0, 0, 0.6])
        up = back - along * float(back @ along)
        up /= np.linalg.norm(up)
        place = chain[-1] + along * radii[-1] * scale * 0.05 + up * radii[-1] * scale * 0.78
        found.append(Nail(place, along, up, 6.0 * scale))
    return found

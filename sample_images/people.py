"""Those who sit round the board: whose arm it is, from where it comes, and heads that bend over.

What a picture needs of them is a `Hand`, so that every renderer and the truth treat them alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.board import Side
from sample_images.scene import Colour, Disc, Hand, Limb, Point, reaching

CUFF, BARE = 0.6, 0.12
"""Share of the forearm that a long sleeve and a rolled-up one cover."""
HAIRS: tuple[Colour, ...] = ((45, 32, 25), (20, 18, 18), (110, 75, 45), (150, 148, 145))
"""Brown, black, fair, grey: what the camera sees of a head from above."""
QUARTERS = {"white": 0, "left": 1, "red": 2, "right": 3}
"""Turns of 90 degrees from White's seat, the way the clock goes as White sees it."""


@dataclass(frozen=True)
class Person:
    """What somebody looks like."""

    size: float
    skin: Colour
    sleeve: Colour
    cuff: float
    hair: Colour


def from_seat(
    seat: str,
    side: Side | None,
    tip: Point,
    person: Person,
    *,
    pinch: float = 1.0,
    held: tuple[Disc, ...] = (),
) -> Hand:
    """The right hand, with its fingertips at `tip`, of who sits at this of the four `QUARTERS`."""
    turns = QUARTERS[seat]
    hand = reaching(
        Side.WHITE,
        turned(tip, -turns),
        size=person.size,
        skin=person.skin,
        sleeve=person.sleeve,
        pinch=pinch,
        held=held,
    )
    return replace(
        hand,
        side=side,
        elbow=turned(hand.elbow, turns),
        wrist=turned(hand.wrist, turns),
        tip=tip,
        cuff=person.cuff,
    )


def turned(place: Point, quarters: int) -> Point:
    """A point turned about the middle of the board, the way the clock goes as White sees it."""
    x, y, z = place[0] - 4, place[1] - 4, place[2]
    for _ in range(quarters % 4):
        x, y = -y, x
    return 4 + x, 4 + y, z


# --- Bending over the board ----------------------------------------------------------------

BACK = 7.0
"""How far back, in squares, head and shoulders are before and after."""
HEAD: Point = (4.0, 6.0, 4.6)
SHOULDER: Point = (7.2, 9.4, 3.6)
ELBOW: Point = (8.2, 8.2, 1.0)
FIST: Point = (5.2, 7.4, 0.7)
"""Of White bent over his back rows, his right side; the left mirrors it."""


@dataclass(frozen=True)
class Leaner(Hand):
    """Head, shoulders and folded arms of somebody who looks at the board from near.

    `tip` is the middle of the head, `skin` the colour of the hair. All limbs but the head are
    in sleeves.
    """

    def limbs(self) -> tuple[Limb, ...]:
        turns = QUARTERS["red"] if self.side is Side.RED else QUARTERS["white"]
        back = turned(self.tip, -turns)[1] - HEAD[1]

        def at(place: Point, mirrored: bool = False) -> Point:
            x = 8 - place[0] if mirrored else place[0]
            return turned((x, place[1] + back, place[2]), turns)

        size = self.size
        nape = (HEAD[0], HEAD[1] + 0.9, HEAD[2] - 0.2)
        head = Limb((at(HEAD), at(nape)), (1.5 * size, 1.25 * size))
        shoulders = Limb((at(SHOULDER), at(SHOULDER, True)), (1.3 * size,) * 2, sleeve=True)
        arms = [
            Limb(
                tuple(at(place, mirrored) for place in (SHOULDER, ELBOW, FIST)),
                (1.0 * size, 0.7 * size, 0.5 * size),
                sleeve=True,
            )
            for mirrored in (False, True)
        ]
        return head, shoulders, *arms


def leaning(side: Side, person: Person, share: float) -> Leaner:
    """A player bent over the board; with a share of 0 he sits back, with 1 he is all there."""
    turns = QUARTERS["red"] if side is Side.RED else QUARTERS["white"]
    back = BACK * (1 - share)
    head = turned((HEAD[0], HEAD[1] + back, HEAD[2]), turns)
    chest = turned((4.0, SHOULDER[1] + back, SHOULDER[2]), turns)
    return Leaner(
        side, chest, chest, head, skin=person.hair, sleeve=person.sleeve, size=person.size
    )

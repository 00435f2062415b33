"""A camera and all that goes wrong with it.

Errors last, as those of a real eye do: a reading is kept for some frames, a piece that looks the
wrong rank from one place looks so as long as it stands there, glare stays for minutes, a hand is
missed for several frames on end, the fingers' square is often not seen as hidden. How strong they
are was taken from films, read by the real eye (in brackets below), and each is drawn up to about
twice as bad; squares are misread, and lamps mirrored in them, far more often.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from referee.board import APPEARANCES, EMPTY, SQUARES, Side, at, is_king, side_of
from referee.observation import ALL_HIDDEN, HIDDEN, Hand, Observation, Row, Visibility
from referee.rules import STEPS
from referee.simulation.recalling import Recalling
from referee.simulation.scene import Handling, Reach, Scene

NOISE_WIDTH = 2.45
"""Two uniform numbers spread so far have a standard deviation of one."""
RENEWED = 6
"""Squares whose reading changes a little from frame to frame; the others are as before."""
WRONGLY = 0.5
"""How strongly the other rank may speak, as a share of the right one [men 0.4 at most]."""
UNHIDDEN, UNNOTICED = 0.08, 0.01
"""The shares of reaches of which the fingers' square is read all the same, and of which it and its
neighbours are [of 581 squares that changed in the films 7 were never hidden, 1 nor a neighbour]."""
RANKS = (190, 25), (350, 30), (600, 45), (850, 45)
"""How far man and king are apart on film, and how much a reading wavers, in centinats: on some all
pieces are plain, on others few are [of 76 films of others seven in ten more than 250, half 540,
three in ten 750; how far a piece seems apart wavers by 35 where that is less than 270, by 59 where
it is more than 600: as much as two readings of 25, and of 42, do from each other]."""
WELL = 600
"""So far apart they are, in centinats, where an eye that is worse recalls as well as on film; one
that could not tell them apart would recall half as well."""
SLOWEST_MS = 200
"""No frame of a film comes later than so after the one before [in three of 195; in one 250]."""
FILMS = 15
"""In one film of so many lamps are mirrored, and in another one squares are misread..."""
FAINT_SQUARES = 5
"""...so many with a lamp in them..."""
MISREADS = 0.05
"""...and so often per square and minute [26 times for half a second and more in 536 minutes of 195
films, in 12 of them, no hand having been near; 14 times in 78 minutes of squares at rest, whether
or not one had; never for as long as ten seconds]."""
FAINT_EMPTY, FAINT_PIECE = (0.15, 0.35, 0.6, 0.75), 0.8
"""How strongly such a square speaks when it is empty, and when a piece stands on it, as a share of
the others [0.14, 0.15, 0.59, 0.76 and 0.84; 0.89 at least]."""
PUT_BACK, PUT_BACK_MS = 90, 10_000
"""How much otherwise a piece looks its rank, in centinats, that is put back where it stood within
this time [of 155 that were taken up half look otherwise by 47, one in ten by 157, one by 416]."""
ON_SQUARE = 210
"""So far from its middle along each side, in 1/1000 square, people push a piece at most that they
leave on its square: over a corner it then lies less off than what is told of."""
STRAIGHTER = 40
"""By so much at the most, in 1/1000 square, people put a disc nearer to the middle of it."""
PLACING, JITTER = 60, 4
"""How exactly people place discs and the eye measures that, in 1/1000 square [60, 3]."""

UNCROWNING = 3
"""So many times less than that the lower disc is pushed where the upper one is taken off [by 64 at
most in 72 films]."""


@dataclass(frozen=True)
class Sharpness:
    """How well the eye sees one game."""

    frame_ms: int
    """Milliseconds from one frame to the next [100 to 125 in 165 of 195 films]."""
    strength: int
    """Centinats between the right occupant and the next [median 1100]."""
    rank: int
    """Centinats between man and king; little where the tilt is small [of 800 pieces one in ten less
    than 240, half 590 and more; of 27 films seven less than 480 in the median]."""
    wrong_rank: float
    """The share of pieces that look the other rank from where they stand [men 0.01]."""
    noise: int
    """The standard deviation of a reading, in centinats [44 in the median]."""
    misreads: float
    """Wrong readings that last for seconds, per square and minute [0.002 to 0.006]."""
    glare: int
    """Squares that look wrong for half a minute and more, at about a third of the strength [none in
    195 films]."""
    glimpses: float
    """The share of hand frames in which the piece in the hand is read as standing nearby [0.14]."""
    hand_missed: float
    """The share of time in which a hand that hides squares is not noticed [0.01]."""
    side_missed: float
    """The share of reaches whose side is not told, and a tenth as often told wrongly [0.02]."""
    faint: int
    """Squares in which a lamp is mirrored [in one film of fifteen]."""
    recall: float
    """How strongly speaks what it recalls of a piece, as a share of the films'."""

    @classmethod
    def draw(cls, rng: Random) -> Sharpness:
        return cls(
            rng.choice((50, 100, 100, 125, 125, 150, 200, 333)),
            rng.choice((600, 800, 1_000, 1_100, 1_200)),
            rank := rng.choice((95, 150, 300, 400, 600)),
            rng.choice((0.0, 0.02, 0.06)),
            rng.choice((30, 60, 100)),
            rng.choice((0.0, 0.05, 0.2)),
            rng.choice((0, 0, 0, 1)),
            rng.choice((0.0, 0.1, 0.3)),
            rng.choice((0.0, 0.01, 0.02, 0.05)),
            rng.choice((0.0, 0.02, 0.05)),
            rng.choice((0, 0, FAINT_SQUARES)),
            recall=(1 + rank / WELL) / 2,
        )

    @classmethod
    def filmed(cls, rng: Random) -> Sharpness:
        """As the films have it, where they tell; else drawn."""
        drawn, (rank, noise), film = cls.draw(rng), rng.choice(RANKS), rng.randrange(FILMS)
        return replace(
            drawn,
            frame_ms=min(drawn.frame_ms, SLOWEST_MS),
            strength=1_100,
            rank=rank,
            wrong_rank=0.02,
            noise=noise,
            misreads=MISREADS if film == 1 else 0.0,
            glare=0,
            glimpses=0.14,
            hand_missed=0.01,
            side_missed=0.02,
            faint=FAINT_SQUARES if film == 0 else 0,
            recall=1.0,
        )


@dataclass(frozen=True)
class Misread:
    """A square that looks wrong for a while, whatever stands on it."""

    since_ms: int
    until_ms: int
    square: int
    looks: str
    strength: int


class Eye:
    """A camera. One per game."""

    def __init__(self, scene: Scene, sharpness: Sharpness, rng: Random) -> None:
        self.scene, self.sharpness, self.rng = scene, sharpness, rng
        self.faint = {rng.choice(SQUARES): rng.choice(FAINT_EMPTY) for _ in range(sharpness.faint)}
        self.misreads = sorted(self._misreads(), key=lambda m: m.since_ms)
        self.reaches = sorted(scene.reaches, key=lambda reach: reach.since_ms)
        self.told = {id(reach): self._told(reach) for reach in self.reaches}
        self.unhidden = {id(reach): self._unhidden(reach) for reach in self.reaches}
        # Dice of its own: all else in a game that a seed draws is as it was before.
        self.recalling = Recalling(sharpness.recall, Random(scene.time_ms))
        self.missed_until: dict[Side | None, int] = dict.fromkeys((*Side, None), 0)
        self.change, self.shift, self.reach, self.misread = 0, 0, 0, 0
        self.setup = scene.changes[0][1]
        self.ranks = [0] * len(SQUARES)
        self.left: dict[tuple[int, str], tuple[int, int]] = {}
        """When which piece was taken from which square, and how it looked its rank there."""
        self.keys: list[tuple[str, int]] = [("", 0)] * len(SQUARES)
        self.rows: list[Row] = [HIDDEN] * len(SQUARES)
        self.places: list[tuple[int, int]] = [(0, 0)] * len(SQUARES)
        for square in SQUARES:
            self._settle(0, square, self.setup[square - 1])

    def _told(self, reach: Reach) -> Side | None:
        """Whose hand the eye takes this for."""
        chance = self.rng.random()
        if reach.side is None:
            return self.rng.choice(tuple(Side)) if chance < self.sharpness.side_missed else None
        if chance < self.sharpness.side_missed / 10:
            return reach.side.other
        return None if chance < self.sharpness.side_missed else reach.side

    def _unhidden(self, reach: Reach) -> set[int]:
        """The squares of a reach that the eye does not take for hidden: fingers are narrow."""
        chance = self.rng.random()
        if chance < UNNOTICED:
            return {reach.tip, *STEPS["R"][reach.tip]}
        return {reach.tip} if chance < UNHIDDEN else set()

    def _misreads(self) -> Iterator[Misread]:
        minutes = self.scene.time_ms / 60_000
        for _ in range(round(self.sharpness.misreads * minutes * len(SQUARES))):
            lasts = self.rng.choice((150, 400, 1_000, 2_000, 4_000))
            yield self._draw_misread(lasts, self.rng.uniform(0.2, 0.55))
        for _ in range(round(self.sharpness.glare * max(1, minutes / 3))):
            yield self._draw_misread(self.rng.randint(20_000, 60_000), 0.3)

    def _draw_misread(self, lasts_ms: int, share: float) -> Misread:
        since = self.rng.randrange(self.scene.time_ms)
        looks = self.rng.choice(APPEARANCES + "?")
        strength = round(self.sharpness.strength * share)
        return Misread(since, since + lasts_ms, self.rng.choice(SQUARES), looks, strength)

    def bared_ms(self, handling: Handling) -> int:
        """For how long in all the square of a lifted piece lay empty with no arm over it."""
        square, shown = handling.square, 0
        for (since, setup), (until, _) in pairwise(self.scene.changes):
            if at(setup, square) == EMPTY:
                since, until = max(since, handling.since_ms), min(until, handling.until_ms)
                shown += max(0, until - since - self._covered_ms(square, since, until))
        return shown

    def _covered_ms(self, square: int, since: int, until: int) -> int:
        return sum(
            max(0, min(until, reach.until_ms) - max(since, reach.since_ms))
            for reach in self.reaches
            if square in reach.squares and square not in self.unhidden[id(reach)]
        )

    def observations(self) -> Iterator[Observation]:
        """The whole game, frame by frame."""
        now = 0
        while now < self.scene.time_ms:
            now += round(self.sharpness.frame_ms * self.rng.uniform(0.8, 1.2)) or 1
            yield self._look(now)

    def _look(self, now: int) -> Observation:
        self._advance(now)
        if any(since <= now < until for since, until in self.scene.blind):
            return Observation(now, ALL_HIDDEN, visibility=Visibility.DARK)
        shift = max(
            (by for since, until, by in self.scene.bumps if since <= now < until), default=0
        )
        hands, hidden, strange = self._hands(now)
        rows = self._rows(now, moved=shift > 150)
        for square, row in strange.items():
            rows[square - 1] = row
        for square in hidden:
            rows[square - 1] = HIDDEN
        loose = tuple(d for since, until, d in self.scene.loose if since <= now < until)
        offsets = tuple(self._offset(square, rows[square - 1]) for square in SQUARES)
        seen = loose if not hidden else ()
        recalled = self.recalling.look(now, self.setup, hidden, not hands)
        return Observation(now, tuple(rows), hands, seen, offsets, shift=shift, recalled=recalled)

    def _advance(self, now: int) -> None:
        """Take in what has happened on the board since the frame before."""
        changes, shifts = self.scene.changes, self.scene.shifts
        while self.change + 1 < len(changes) and changes[self.change + 1][0] <= now:
            self.change += 1
            before, self.setup = self.setup, changes[self.change][1]
            for square, old, new in zip(SQUARES, before, self.setup, strict=True):
                if old != new:
                    self.left[square, old] = now, self.ranks[square - 1]
                    self._settle(now, square, new, old)
        while self.shift < len(shifts) and shifts[self.shift].time_ms <= now:
            shift = shifts[self.shift]
            (x, y), offset = self.places[shift.square - 1], shift.offset
            pushed = offset and (_pushed(x, offset[0]), _pushed(y, offset[1]))
            self.places[shift.square - 1] = pushed or (_straighter(x), _straighter(y))
            self.shift += 1

    def _settle(self, now: int, square: int, appearance: str, before: str = EMPTY) -> None:
        """A piece begins to stand on a square: how its rank looks from there, and where it is."""
        if appearance != EMPTY:
            self.ranks[square - 1] = self._rank(now, square, appearance)
        if appearance.islower() or appearance == EMPTY:
            place = round(self.rng.gauss(0, PLACING)), round(self.rng.gauss(0, PLACING))
            self.places[square - 1] = (
                self._uncrowned(square, place) if is_king(before) and appearance != EMPTY else place
            )

    def _uncrowned(self, square: int, push: tuple[int, int]) -> tuple[int, int]:
        """Where a king's lower disc lies when the upper one has been taken off."""
        x, y = self.places[square - 1]
        return x + push[0] // UNCROWNING, y + push[1] // UNCROWNING

    def _rank(self, now: int, square: int, appearance: str) -> int:
        """How much it looks its rank, in centinats."""
        random, sharp = self.rng.random, self.sharpness
        left_ms, before = self.left.get((square, appearance), (-PUT_BACK_MS, 0))
        if now - left_ms < PUT_BACK_MS:
            return min(before + round(self.rng.gauss(0, PUT_BACK)), sharp.strength)
        wrong = random() < sharp.wrong_rank
        share = -WRONGLY * random() if wrong else 0.3 + random()
        return round(min(sharp.rank * share, sharp.strength))

    def _offset(self, square: int, row: Row) -> tuple[int, int] | None:
        if row == HIDDEN or self.setup[square - 1] in ".?":
            return None
        (x, y), random = self.places[square - 1], self.rng.random
        return x + round(JITTER * (random() - 0.5)), y + round(JITTER * (random() - 0.5))

    def _rows(self, now: int, moved: bool) -> list[Row]:
        """What every square says; a few say it anew."""
        random = self.rng.random
        wrong = self._wrong_now(now)
        renewed = {int(random() * 32) for _ in range(RENEWED)}
        for place, appearance in enumerate(self.setup):
            key = appearance, 0
            if moved:
                key = self.rng.choice(APPEARANCES), 200
            elif place + 1 in wrong:
                misread = wrong[place + 1]
                key = misread.looks, misread.strength
            if key != self.keys[place] or place in renewed:
                self.keys[place] = key
                self.rows[place] = self._row(place, *key)
        return list(self.rows)

    def _wrong_now(self, now: int) -> dict[int, Misread]:
        misreads = self.misreads
        while self.misread < len(misreads) and misreads[self.misread].until_ms <= now:
            self.misread += 1
        wrong = {}
        for misread in misreads[self.misread :]:
            if misread.since_ms > now:
                break
            if now < misread.until_ms:
                wrong[misread.square] = misread
        return wrong

    def _row(self, place: int, appearance: str, strength: int) -> Row:
        if appearance == "?":
            return HIDDEN
        full = strength or round(self.sharpness.strength * self._share(place + 1, appearance))
        return self._evidence(appearance, full, min(self.ranks[place], full))

    def _share(self, square: int, appearance: str) -> float:
        """How strongly a square speaks."""
        if square not in self.faint:
            return 1.0
        return self.faint[square] if appearance == EMPTY else FAINT_PIECE

    def _evidence(self, appearance: str, strength: int, rank: int) -> Row:
        """An appearance is so much likelier than another side's or none, and than its own side's
        other rank."""
        noise, random = self.sharpness.noise, self.rng.random
        side = side_of(appearance)
        same, other = min(0, rank), min(0, -rank)
        values = [
            (same if sign == appearance else other if side and side_of(sign) is side else -strength)
            + round(noise * NOISE_WIDTH * (random() + random() - 1))
            for sign in APPEARANCES
        ]
        best = max(values)
        empty, man, king, other_man, other_king = (v - best for v in values)
        return (empty, man, king, other_man, other_king)

    def _hands(self, now: int) -> tuple[tuple[Hand, ...], set[int], dict[int, Row]]:
        """The hands noticed, the squares hidden, and those that look strange beside a hand."""
        hands, hidden, strange = [], set[int](), dict[int, Row]()
        while self.reach < len(self.reaches) and self.reaches[self.reach].until_ms <= now:
            self.reach += 1
        for reach in self.reaches[self.reach :]:
            if reach.since_ms > now:
                break
            if now >= reach.until_ms:
                continue
            self._show_held(reach, strange)
            if self._missed(reach.side, now):
                self._show_arm(reach, hidden, strange)
                continue
            shown = self.unhidden[id(reach)]
            squares = {s for s in reach.squares if s not in shown and self.rng.random() < 0.97}
            hands.append(Hand(self.told[id(reach)], tuple(sorted(squares))))
            hidden |= squares
        return tuple(hands), hidden, strange

    def _show_held(self, reach: Reach, strange: dict[int, Row]) -> None:
        """The piece in the hand looks as if it stood on a square beside the arm."""
        if reach.held == EMPTY or self.rng.random() >= self.sharpness.glimpses:
            return
        near = [s for under in reach.squares for s in STEPS["R"][under] if s not in reach.squares]
        if near:
            place = self.rng.choice(near)
            strange[place] = self._evidence(reach.held, self.sharpness.strength, 0)

    def _show_arm(self, reach: Reach, hidden: set[int], strange: dict[int, Row]) -> None:
        """Under an arm that is not noticed most squares say nothing, and some anything."""
        for square in reach.squares:
            chance = self.rng.random()
            if chance < 0.6:
                hidden.add(square)
            elif chance < 0.8:
                looks, strength = self.rng.choice(APPEARANCES), self.sharpness.strength
                strange[square] = self._evidence(looks, strength, 0)

    def _missed(self, side: Side | None, now: int) -> bool:
        """Missing a hand lasts 50 to 400 ms."""
        if now < self.missed_until[side]:
            return True
        share = self.sharpness.hand_missed * self.sharpness.frame_ms / 200
        if self.rng.random() < share:
            self.missed_until[side] = now + self.rng.randint(50, 400)
            return True
        return False


def _pushed(place: int, by: int) -> int:
    """Where a piece lies that was pushed so far, along one side of its square: back if that would
    have it leave the square, and less far if that would too."""
    pushed = place + by if abs(place + by) <= ON_SQUARE else place - by
    return max(-ON_SQUARE, min(ON_SQUARE, pushed))


def _straighter(place: int) -> int:
    """Where a piece lies that was put nearer to the middle of its square, along one side of it."""
    return max(0, place - STRAIGHTER) if place > 0 else min(0, place + STRAIGHTER)

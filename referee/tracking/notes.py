"""What the tracker notes of single matters: guesses, incidents, touches, rows of moves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from referee.board import SQUARES, Side, square_at
from referee.deeds import Deed, Groups, squares_of
from referee.events import Irregularity, Touch
from referee.hypotheses import Hypothesis
from referee.observation import LooseDisc, Place
from referee.rules import Line, Position
from referee.sight import NEVER


@dataclass(frozen=True)
class Guess:
    """The best explanation so far and since when it has been that."""

    best: Hypothesis
    since_ms: int
    first_since_ms: int
    """Since when its first move has been the first move."""


@dataclass(frozen=True)
class Incident:
    """An irregularity that has been announced and not been put right."""

    kind: Irregularity
    changes: Groups
    told_ms: int
    """When it was announced."""
    left_ms: int = NEVER
    """When a lawful move was last all that was left of it."""
    side: Side | None = None
    """Whose doing it is, if that is known."""
    squares: tuple[int, ...] = ()
    """Where it happened, also what has not changed there."""

    @property
    def changed(self) -> tuple[int, ...]:
        return squares_of(self.changes)


@dataclass(frozen=True)
class Caught:
    """A deed that hands told the author of, before others came to point at it."""

    position: Position
    best: Hypothesis
    deed: Deed
    """The same with his name."""
    since_ms: int
    """Since when it has lain there."""


@dataclass(frozen=True)
class Loose:
    """A disc that lies loose, and when it was first and last seen there."""

    disc: LooseDisc
    """Without its place."""
    since_ms: int
    seen_ms: int
    brought: bool
    """Whether a hand was beside the cell just before: what nobody brought may be a shadow."""
    place: Place = None
    """Where on its cell it was last seen."""

    @property
    def square(self) -> int | None:
        """The square that it lies half off; None of one on a light cell, or astride."""
        return None if self.disc.astride else square_at(*self.disc.cell)


@dataclass(frozen=True)
class Touching:
    """A piece that was seen out of its place; it counts once it is back."""

    square: int
    how: Touch
    side: Side | None
    since_ms: int
    ripe: bool = False
    """Whether it lasted long enough to be no slip of the eye."""
    plain: bool = False
    """Whether the square was seen so with no hand beside it: what looks bare beside one may be the
    hand itself."""
    beside: bool = False
    """Whether the hand also made a move meanwhile, and it hid which came first."""


class Looked(NamedTuple):
    """How a piece looked where it stood, no hand being near."""

    king: int
    """How much a king rather than a man, in centinats, lately..."""
    nearest: int
    """...and when it looked the other rank most: it may waver as much again."""
    stands: bool = True
    """Whether its square has not been seen bare since: put back it may look otherwise."""


class Crown(NamedTuple):
    """A man that was crowned where he stands, and how much a king he looked, in centinats."""

    since_ms: int
    bare: int
    """Before he was..."""
    worn: int
    """...and when that was seen."""


UNTOLD = 0
"""Discs of a piece of which it is not plain whether it has as many as before."""


@dataclass(frozen=True)
class Height:
    """How many discs a piece was seen to have, beside how it looked before."""

    seen: tuple[tuple[int, int], ...]
    """From which times on how many, (since, discs)."""

    @property
    def discs(self) -> int:
        return self.seen[-1][1]

    @property
    def since_ms(self) -> int:
        """Since when it has had so many."""
        return self.seen[-1][0]


class Shifted(NamedTuple):
    """A disc that has come to lie elsewhere on its square while a hand was about."""

    square: int
    place: tuple[int, int]
    """Where it lies now, (x, y) in 1/1000 square."""
    side: Side | None
    """Whose hand was at it, if that is known."""
    since_ms: int


@dataclass(frozen=True)
class Instead:
    """What the board shows in place of the last moves."""

    undone: int
    """How many of them have gone back."""
    line: Line
    """The move that has been made in their place, perhaps with answers; none was yet, and nothing
    has been asked, where it is empty."""


@dataclass(frozen=True)
class Way:
    """A way on from some moves back, where the record has lost the game."""

    undone: int
    """So many of the last moves were not made."""
    line: Line = ()
    """What was played in their place, and since."""
    borne_out: int = 0
    """To how many of the boards that lay still it has led."""


@dataclass(frozen=True)
class Astray:
    """Ways on since the record has lost the game, and the board they were last compared with."""

    shown: Groups
    ways: tuple[Way, ...]


class Charge(NamedTuple):
    """What a row of moves has been charged for a square that looks otherwise than it has it."""

    square: int
    cost: int
    """In centinats."""
    shows: int
    """Who seems to stand there."""
    early: bool
    """Whether that was before its last move, which then cannot explain it."""


@dataclass(frozen=True)
class Rival:
    """Lawful moves since the last sure position that may be what has been played."""

    moves: Line = ()
    against: int = 0
    """How much more the looks since then have said against it than against the best."""
    charges: tuple[Charge, ...] = ()
    """For the squares that still look wrong."""

    @property
    def standing(self) -> int:
        """How much the board, as it is, says against it."""
        return sum([charge.cost for charge in self.charges])


Shown = tuple[int, int] | None
"""Who was last seen on a square and how: in passing (0), at rest (1) or for long (2); None before
it was seen."""


@dataclass(frozen=True)
class Bare:
    """A man that awaits its crown."""

    square: int
    seen_ms: int
    """The time of the frame before."""
    looks: int = 0
    """How much a king it has looked lately, since a hand was there if one was, in centinats."""
    known_ms: int = 0
    """For how long it has been seen so."""
    visited_ms: int | None = None
    """When the first hand came over it since its arrival, or since `bare_ms`..."""
    before: int = 0
    """...and how much a king it looked until then; if that was as it came, where it came from."""
    came: int | None = None
    """How much a king it looked where it came from, if that was seen."""
    more: int = 0
    """How much likelier it is than not that it has a disc more than where it came from, by its
    portraits, in centinats; 0 where none was told."""
    least: int = 0
    """How much a king it has looked when it looked most a man, for a while."""
    unseen: bool = False
    """Whether a hand may have crowned it between two frames that came late, or as it brought it."""
    returned: bool = False
    """Whether his own player's hand came back over him before the move was told."""
    misread: int | None = None
    """How much a king it looked when it surely had no disc more than where it came from."""
    bare_ms: int = NEVER
    """When that was seen after a hand had been over it."""

    def answered(self, now: int) -> Bare:
        """The same when the reply is made: how it looks is to be seen anew. Until then it looked as
        it came where it has not been seen alone."""
        answered = replace(self, seen_ms=now, looks=0, known_ms=0)
        if self.visited_ms is not None:
            return answered
        if not self.known_ms and self.came is not None:
            return replace(answered, before=self.came, visited_ms=NEVER)
        return replace(answered, before=self.looks)


@dataclass(frozen=True)
class Landed:
    """A piece that a plain move has brought to its square, and the hand that may not leave it."""

    square: int
    side: Side
    since_ms: int
    """When it came there, as far as that was seen."""
    hand_ms: int
    """When the mover's hand was last seen near it."""


Ranked = tuple[tuple[int, int], ...]
"""Squares, and how much a king rather than a man the piece there looks, in centinats."""


@dataclass(frozen=True)
class Rivalry:
    """What may have been played since the last position that is beyond doubt."""

    sure: int = 0
    """How many of the plies are beyond doubt; they are never withdrawn."""
    rows: tuple[Rival, ...] = ()
    """Likeliest first; empty before anything was seen."""
    known: tuple[Shown, ...] = (None,) * len(SQUARES)
    """How each square has last shown itself, as the rows were told."""
    looked_ms: int = NEVER
    """When a square last looked otherwise than before."""
    led_ms: int = NEVER
    """Since when the first of the rows has been the first."""
    ousted: int | None = None
    """How long the record was when it was last so unlikely that it was given up as a row."""


@dataclass(frozen=True)
class Doubt:
    """What is open on the board, and what people were asked about it."""

    asked: bool = False
    """Whether this position's doubt has been announced."""
    squares: tuple[int, ...] = ()
    """The squares that looked wrong when it was."""
    instead: Instead | None = None
    """The move that the board shows in place of the last ones, when that has been asked about."""
    astray: Astray | None = None
    """What may have been played since the referee has lost the game; None while he follows it."""

    def over(self) -> Doubt:
        """When a move has been made: what was asked about is not asked about again."""
        return Doubt(squares=self.squares)


@dataclass(frozen=True)
class Correction:
    """What people have corrected in the record, of which the board is yet to show something."""

    taken_back: Line = ()
    """The moves that are to go back on the board, in the order in which they were made."""
    differs: Groups = ()
    """What the board shows otherwise than the record now has it, as people were told."""
    unchecked: bool = False
    """Whether they have corrected it while the board was not in plain view: it is yet to be
    compared."""


@dataclass(frozen=True)
class Adjusting:
    """That a player has said that he only puts pieces straight (4.1)."""

    said_ms: int = NEVER
    """When that was last said; it holds until the board has settled again."""
    by: frozenset[Side] = frozenset()
    """Who said so; both where it was not told who."""


@dataclass(frozen=True)
class Darkness:
    """Whether the board is seen, and since when."""

    since_ms: int | None = None
    """Since when nothing is seen, or it was but lately; None while the board is."""
    said: bool = False
    """Whether people have been told so."""
    seeing_ms: int | None = None
    """Since when the board is seen again, before people are told."""
    gap_ms: int = 0
    """How long the last blindness lasted, if something may have changed in it and the board has not
    been in order since."""
    ended_ms: int = NEVER
    """When it was known that it was over."""

    def going_on(self) -> Darkness:
        """Without what is remembered of former ones."""
        return replace(self, gap_ms=0, ended_ms=NEVER)


@dataclass(frozen=True)
class Bump:
    """Whether the board lies elsewhere in the picture than it did."""

    said: bool = False
    """Whether people have been told so."""
    told: int = 0
    """How far away it lay when they were told, in 1/1000 square."""
    seen_ms: int = NEVER
    """When it was last seen to have moved."""


@dataclass(frozen=True)
class Crowning:
    """The men who have come to the king-row with the last moves, and their second discs."""

    bare: Bare | None = None
    """The man that awaits its crown."""
    owed: Bare | None = None
    """The same when the reply has been made, which is the last of the plies."""
    hasty: bool = False
    """Whether that reply was made before its crown was plainly seen, if it was seen at all."""


@dataclass(frozen=True)
class Ranks:
    """What the eye has shown of who is a man and who is a king."""

    ranked: Ranked = ()
    """The pieces that have clearly been seen to be what they are since they came where they stand,
    and how clearly they have at least looked so."""
    came: Ranked = ()
    """The same of those that have looked so but faintly where they stand, or only where they were
    taken up."""
    looked: tuple[tuple[int, Looked], ...] = ()
    """How each piece last looked while no hand was near, whatever rank that tells."""
    crowned: tuple[tuple[int, Crown], ...] = ()
    heights: tuple[tuple[int, Height], ...] = ()
    """How many discs pieces have of which another number was seen once than by the record."""
    alike: tuple[tuple[int, int], ...] = ()
    """The pieces that plainly had as many, where they have come to, as they had elsewhere; and when
    it was that they were seen there, (square, then)."""
    altered: tuple[tuple[int, int], ...] = ()
    """Men that have come to look kings and kings that have come to look men, (square, since)..."""
    lay: tuple[tuple[int, Place], ...] = ()
    """...and where they lay before that."""


@dataclass(frozen=True)
class Handled:
    """Where the discs lay when the board was last in order, and what hands have done to them
    since."""

    places: tuple[Place, ...] = (None,) * len(SQUARES)
    """Where the discs lay."""
    wavering: tuple[int, ...] = ()
    """How far discs at which nobody was have seemed to lie elsewhere since, in 1/1000 square."""
    touching: tuple[Touching, ...] = ()
    pushed: tuple[tuple[int, int], ...] = ()
    """Discs that seem to lie elsewhere on their squares, no hand being about, (square, since)."""
    shifted: tuple[Shifted, ...] = ()
    """Discs that lie elsewhere on their squares than then, while a hand is about or its move has
    not been told, or until it is certain that they lie there."""
    brushed: tuple[Shifted, ...] = ()
    """Discs that have come to lie elsewhere, since a hand hid them that made the last moves."""

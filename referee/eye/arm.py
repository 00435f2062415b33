"""Hands over the board, from the cells that cannot be seen and the rims that arms cross."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Mask
from referee.board import Side, square_at
from referee.eye.patches import Floats
from referee.observation import Hand

NOBODY: Mapping[Side, int] = {}
NOWHERE = np.zeros(64, np.bool_)
"""No arm on the rims, and no cell that has been hidden for long."""
NOTHING_AROUND = np.zeros((10, 10), np.bool_)
"""No cell covered around the board."""
CLEARLY = 3
"""Cells by which an arm beside the board reaches further from its hand towards its player."""
COVERED = 0.5
"""Probability from which a cell counts as covered..."""
BESIDE = 0.005
"""...and one next to such a cell of an arm: what an arm covers hangs together, and in part a cell
is covered more often than the network, which sees each by itself, would have it."""
SURELY = 0.9
"""Probability that a cell of an arm hardly stays below, unless it lies at the arm's edge."""
FEW = 4
"""Cells that a lamp may hide at a player's edge."""
LASTING_MS = 3_000
"""So few that have been hidden for so long, no arm being seen on the rims, are no hand."""
LYING_MS = 6_000
"""So few that have been hidden for so long are hidden by what lies there, as a captured disc at the
very edge of the board: a hand that rests on them has moved by then."""
HELD_MS = 1_000
"""For so long an arm is known again that has been seen to cross a rim and no longer does..."""
ALONE_MS = 250
"""...unless the other player's arm alone has been seen for longer than this."""
KEPT = 3
"""One in so many cells of an arm that moves was covered in the frame before, or lies next to those:
at five pictures a second a hand crosses half the board between two."""


class Reach:
    """Follows an arm that reaches so far, or so high, that it is no longer seen over its own rim,
    and perhaps over the other player's."""

    def __init__(self) -> None:
        self._covered: Mask = np.zeros((8, 8), np.bool_)
        self._owner: Side | None = None
        self._crossed_ms = self._apart_ms = 0

    def owner(
        self, hidden: Floats, arms: Collection[Side], time_ms: int, ring: Mask = NOTHING_AROUND
    ) -> Side | None:
        """Whose arm all is that hides cells, if that is known, from the probability (64,) of each
        to be hidden, the players whose arms are seen over their rims, or beside them, and the
        cells around the board that are covered, see `Rims.ring`: what hangs together there is one
        arm, though only its ends are over the board."""
        covered = (hidden > COVERED).reshape(8, 8)
        whole = _with_ring(covered, ring)
        one = len(whole) <= 1
        arm = whole[0] if one and whole else NOTHING_AROUND
        # Over both players' edges it may have come from either, whichever rim it is seen over.
        across = one and bool(covered[0].any() and covered[-1].any())
        if self._owner in arms or not arms or across or _is_from(arm, self._owner):
            self._apart_ms = time_ms
        if not (one and self._is_same(covered, arms, time_ms)):
            self._owner = None
        if self._owner is None and one:
            self._owner = next(iter(arms)) if len(arms) == 1 else _beside(arm, arms)
        if self._owner in arms or across or _is_from(arm, self._owner):
            self._crossed_ms = self._apart_ms = time_ms
        self._covered = covered
        return self._owner

    def _is_same(self, covered: Mask, arms: Collection[Side], time_ms: int) -> bool:
        """Whether it is the arm of the frame before: it was over its rim lately, the other's has
        not been seen alone for long, and what it covers lies about where it did."""
        if time_ms - self._crossed_ms > HELD_MS or time_ms - self._apart_ms > ALONE_MS:
            return False
        if not self._covered.any():
            # A hand that covers nothing yet may go anywhere, but it rests where the rims show two:
            # whose hand has come over the board these tell if they can.
            return bool(covered.any()) and not arms
        near = covered & _around(self._covered)
        return bool(KEPT * near.sum() >= covered.sum() > 0)


def is_over(hidden: Floats, hidden_ms: NDArray[np.int64]) -> bool:
    """Whether a hand covers any cell, from the probability (64,) of each to be hidden, and for how
    long each has been, in milliseconds: no hand are few for `LYING_MS`."""
    covered = hidden > COVERED
    lying = covered & (hidden_ms >= LYING_MS)
    return bool((covered & ~lying).any() or lying.sum() > FEW)


def near_arms(hidden: Floats) -> Mask:
    """(64,): the cells that are covered and those next to them, from the probability (64,) of each
    to be hidden: what an arm lies beside is read less well."""
    return _around((hidden > COVERED).reshape(8, 8)).ravel()


def hands_over(
    hidden: Floats,
    arms: Mapping[Side, int] = NOBODY,
    lasting: Mask = NOWHERE,
    owner: Side | None = None,
    lamps: Mask = NOWHERE,
) -> tuple[Hand, ...]:
    """The hands that cover cells, from the probability (64,) of each cell to be hidden.

    `arms` are the players whose rim an arm crosses, and since when; one that covers no cell yet is
    a hand too. Without an arm, a patch amid the board is no hand: discs that lie between cells look
    like it; nor are a few cells that have been hidden for `LASTING_MS`, see `lasting` (64,), nor
    those that `lamps` (64,) hide, see `Lamps`, with what is hidden faintly beside them.
    `owner` is whose arm all of it is, see `Reach`.
    """
    covered = (hidden > COVERED).reshape(8, 8)
    if not covered.any():
        return tuple(Hand(side, ()) for side in arms)
    patches = patches_of(covered)
    if len(arms) > 1:
        patches = _joined(covered, patches)
    seen = hidden.reshape(8, 8)
    still, mirrored = lasting.reshape(8, 8), lamps.reshape(8, 8)
    return tuple(
        _hand(cells, grown(cells, seen), arms, owner)
        for cells in patches
        if arms or (_at_edge(cells) and not is_lamp(cells, seen, still, mirrored))
    )


def patches_of(covered: Mask) -> list[Mask]:
    """The cells (8, 8) that hang together, patch by patch."""
    count, labels = cv2.connectedComponents(covered.astype(np.uint8), connectivity=8)
    return [labels == label for label in range(1, count)]


def _with_ring(covered: Mask, ring: Mask) -> list[Mask]:
    """The cells (10, 10) of and around the board that hang together but for gaps of one, where some
    are the board's."""
    whole = ring.copy()
    whole[1:-1, 1:-1] = covered
    closed = cv2.dilate(whole.astype(np.uint8), np.ones((2, 2), np.uint8)) > 0
    patches = [cells & whole for cells in patches_of(closed)]
    return [cells for cells in patches if cells[1:-1, 1:-1].any()]


def _is_from(arm: Mask, side: Side | None) -> bool:
    """Whether an arm (10, 10) covers more around a player's half of the board than around the
    other's."""
    around = arm.copy()
    around[1:-1, 1:-1] = False
    at_red, at_white = int(around[:5].sum()), int(around[5:].sum())
    return side is (Side.RED if at_red > at_white else Side.WHITE) and at_red != at_white


def _beside(arm: Mask, arms: Collection[Side]) -> Side | None:
    """The player from whose corner an arm (10, 10) comes along a side of the board: it lies beside
    it from there to the hand, and not much further. Nobody where it lies on the other's rim and his
    arm is seen: that has come in there, and what hangs together with it may be a shadow."""
    hand = np.flatnonzero(arm[1:-1, 1:-1].any(axis=1)) + 1
    beside = np.flatnonzero(arm[:, [0, -1]].any(axis=1))
    if not len(beside):
        return None
    red_by, white_by = int(hand[0] - beside[0]), int(beside[-1] - hand[-1])
    if abs(red_by - white_by) < CLEARLY:
        return None
    side, opposite = (Side.RED, -1) if red_by > white_by else (Side.WHITE, 0)
    return None if side.other in arms and arm[opposite, 1:-1].any() else side


def _joined(covered: Mask, patches: list[Mask]) -> list[Mask]:
    """The same, all that reaches from rim to rim with a gap of one row at most being one patch: an
    arm that reaches right across the board covers both rims."""
    below = covered.copy()
    below[1:] |= covered[:-1]
    across = [whole for whole in patches_of(below) if whole[0].any() and covered[7][whole[7]].any()]
    apart = [cells for cells in patches if not any((cells & whole).any() for whole in across)]
    return [*(whole & covered for whole in across), *apart]


def _at_edge(cells: Mask) -> bool:
    """Whether any of the cells (8, 8) lies where an arm comes over the board's edge."""
    return bool(cells[[0, -1]].any() or cells[:, [0, -1]].any())


def is_lamp(cells: Mask, hidden: Floats, lasting: Mask, lamps: Mask) -> bool:
    """Whether `lamps` that are mirrored in them may hide the cells rather than a hand, and faintly
    the squares beside, which pieces have left bare; of others, few that have been `lasting`. All
    are (8, 8)."""
    others = cells & ~lamps
    faint = _around(lamps) & (hidden < SURELY)
    return bool(others.sum() <= FEW and (lasting | faint)[others].all())


def _around(cells: Mask) -> Mask:
    """Cells and those next to them, also across corners."""
    return cv2.dilate(cells.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0


def grown(cells: Mask, hidden: Floats) -> Mask:
    """An arm's cells (8, 8) and those beside them that it may cover in part."""
    return cells | (_around(cells) & (hidden > BESIDE))


def _hand(cells: Mask, whole: Mask, arms: Mapping[Side, int], owner: Side | None) -> Hand:
    """The hand that surely covers `cells` (8, 8), and with its edges the `whole`."""
    places = np.argwhere(whole)
    squares = (square_at(int(row), int(column)) for row, column in places)
    one = len(arms) == 1 or _is_across(cells)
    side = owner or (_first(arms) if one else None) or _side(cells)
    return Hand(side, tuple(sorted(s for s in squares if s is not None)))


def _is_across(cells: Mask) -> bool:
    return bool(cells[0].any() and cells[7].any())


def _first(arms: Mapping[Side, int]) -> Side | None:
    """Whose arm crossed a rim first: it entered by its own, and covers the other's only later."""
    first = [side for side, since_ms in arms.items() if since_ms == min(arms.values())]
    return first[0] if len(first) == 1 else None


def _side(cells: Mask) -> Side | None:
    """The player over whose edge the arm comes: Red sits behind row 0, White behind row 7."""
    at_red, at_white = int(cells[0].sum()), int(cells[7].sum())
    if at_red == at_white:
        return None
    return Side.RED if at_red > at_white else Side.WHITE

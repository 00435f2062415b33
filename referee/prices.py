"""What hypotheses pay for what they take for granted: hands nobody saw, changes left over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.board import SQUARES, Side
from referee.events import Irregularity
from referee.hypotheses import Hypothesis
from referee.order import left_later, out_of_order
from referee.rules import Position
from referee.sight import GROUP_OF, Sight
from referee.weights import LASTING, three_of

UNTOUCHED_COST = 150
"""What a deed pays for every square that no hand was near: it is done by a hand. That holds for
squares that cannot be read too, on which anything might stand."""
UNEXPLAINED_COST = 150
"""What every hypothesis pays for each square that has clearly changed by a hand and that it leaves
as it was: the rest would be a second accident."""
UNHANDED_COST = 500
"""What each of several moves pays, or a deed after one, whose player's hand has not been seen: of a
single move it need not have been."""
EARLY_COST = 1_000
"""What a move pays, or a deed, that lay there before the move that it is to have followed."""
LATER_COST = 150
"""What tells two pieces apart that have both left, one for the square where one stands now."""


@dataclass(frozen=True)
class Prices:
    """What has been seen that makes hypotheses likely or not, whatever the squares say."""

    turn: Side
    hands: frozenset[Side]
    """The players who may have moved."""
    untouched: frozenset[int]
    """The squares that have changed without a hand near them, or may have, not being seen."""
    clear: frozenset[int]
    """The squares that have changed more clearly than any that no hand was near."""
    sight: Sight

    def of(self, hypothesis: Hypothesis) -> int:
        """The price of a hypothesis, in centinats."""
        left = len(self.clear.difference(hypothesis.changed)) if self.clear else 0
        price = self._unhanded(hypothesis) + self._unreached(hypothesis) + UNEXPLAINED_COST * left
        return price + EARLY_COST * self._early(hypothesis) + self._later(hypothesis)

    def _early(self, hypothesis: Hypothesis) -> int:
        """How many moves, or deeds, lay there before the move that they are to have followed."""
        moves, deed = hypothesis.moves, hypothesis.deed
        if not moves:
            return 0
        done = deed.changed if deed else ()
        return out_of_order(self.sight, moves, done)

    def _later(self, hypothesis: Hypothesis) -> int:
        """What it pays if of two pieces that have left it has that move which left last."""
        deed = hypothesis.deed
        if deed is None or deed.kind is not Irregularity.OWN_PIECE_REMOVED:
            return 0
        return LATER_COST if left_later(self.sight, deed) else 0

    def _unreached(self, hypothesis: Hypothesis) -> int:
        if not self.untouched or hypothesis.deed is None:
            return 0
        return UNTOUCHED_COST * len(self.untouched.intersection(hypothesis.changed))

    def _unhanded(self, hypothesis: Hypothesis) -> int:
        """For moves, and a deed after them, by a player whose hand has not been seen."""
        count, deed = len(hypothesis.moves), hypothesis.deed
        if len(self.hands) == 2 or not count:
            return 0
        unhanded = int(deed is not None and deed.side not in (None, *self.hands))
        if count > 1:
            unhanded += (count + 1) // 2 if self.turn not in self.hands else 0
            unhanded += count // 2 if self.turn.other not in self.hands else 0
        return UNHANDED_COST * unhanded


def prices(
    position: Position, sight: Sight, weights: Sequence[int], hands: frozenset[Side], since_ms: int
) -> Prices:
    """The prices since the time `since_ms`, when the board was in order."""
    clear = frozenset(s for s in SQUARES if max(three_of(weights, s)) > LASTING)
    return Prices(position.turn, hands, _untouched(position, sight, since_ms), clear, sight)


def _untouched(position: Position, sight: Sight, since_ms: int) -> frozenset[int]:
    return frozenset(
        square
        for square, glance, piece in zip(SQUARES, sight.squares, position.setup, strict=True)
        if (
            not glance.touched
            if glance.visible and glance.group != GROUP_OF[piece]
            else glance.near_ms < since_ms
        )
    )

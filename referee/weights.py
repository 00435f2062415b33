"""What the squares say of their occupants, as numbers that can be added up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.rules import Position
from referee.sight import EMPTY_GROUP, GROUP_OF, NEVER, Glance, Sight

TYPICAL = 800
"""Evidence is scaled so that the median square speaks for its occupant with so many centinats:
how boldly an eye speaks differs from eye to eye and from light to light."""
FAINTEST, BOLDEST = 300, 1_600
"""The scaling is held within these medians: an eye that hardly sees must not shout."""
FULL = 900
"""The most that one square can say, in centinats: no single square decides everything."""
FAR, FAR_MS = 250, 1_000
"""The most that a square can say at first for a change when a hand was about, but not near it:
fingers reach further than an eye sees the hand, and a hand disturbs the light."""
FAINT = 150
"""The most that a square can say for a change when no hand had been about."""
STALE_MS = 1_500
"""A square that looked otherwise for so long already when the board was last in order, or a move
was made, was a slip of the eye then and says no more now."""
FAINT_MS = 4_000
"""A hand may have been missed: after this time even such a change counts..."""
LASTING = 500
"""...but for no more than this."""
UPSET_SQUARES = 4
"""From so many unexplained squares on the pieces are upset; so many clear changes at once are
no slips of the eye, whether or not a hand was seen."""

Weights = list[int]
"""32 x 3 centinats for empty, red and white, against the expected occupant; square 1 first."""


def place(square: int, group: int) -> int:
    """Where in weights stands what a square says for an occupant."""
    return 3 * square - 3 + group


def three_of(weights: Sequence[int], square: int) -> Sequence[int]:
    """What a square says for nobody, for Red and for White."""
    return weights[3 * square - 3 : 3 * square]


def weigh(position: Position, sight: Sight, since_ms: int = NEVER) -> Weights:
    """What each square says for each occupant against the one that should be there.

    The board was in order at the time `since_ms`.
    """
    weights: Weights = []
    usual = sight.usual_gap
    expected = [GROUP_OF[appearance] for appearance in position.setup]
    half = _scale(usual) // 2
    changed = sum(
        glance.visible and glance.group != group and glance.gap() >= half
        for glance, group in zip(sight.squares, expected, strict=True)
    )
    for glance, group in zip(sight.squares, expected, strict=True):
        most = FULL if changed >= UPSET_SQUARES else _most(glance, sight.time_ms)
        if glance.turned_ms < since_ms - STALE_MS:
            most = 0
        weights += _square_weights(glance, group, most, usual)
    return weights


def claims(
    position: Position, sight: Sight, most: Iterable[int]
) -> tuple[tuple[int, int, int], ...]:
    """What each square says against nobody's, Red's and White's standing there, in centinats.

    `most` is for each square the most that it may say, 0 for one that is not in view; it may say
    less if it looks otherwise than in the position and no hand was there.
    """
    usual, now = sight.usual_gap, sight.time_ms
    return tuple(
        [
            _against(
                glance,
                GROUP_OF[piece],
                limit if glance.group == GROUP_OF[piece] else min(limit, _most(glance, now)),
                usual,
            )
            for glance, piece, limit in zip(sight.squares, position.setup, most, strict=True)
        ]
    )


def _against(glance: Glance, expected: int, most: int, usual: int | None) -> tuple[int, int, int]:
    if not most:
        return (0, 0, 0)
    weights, typical = glance.weights(), _scale(usual)
    shown = weights[glance.group] + fall(glance, expected, usual)
    gaps = [0 if w == weights[glance.group] else shown - w for w in weights]
    empty, red, white = (max(0, min(most, gap * TYPICAL // typical)) for gap in gaps)
    return empty, red, white


def typical_gap(sight: Sight) -> int:
    """What evidence is scaled by: the usual gap, within bounds."""
    return _scale(sight.usual_gap)


def _scale(usual: int | None) -> int:
    return TYPICAL if usual is None else max(FAINTEST, min(BOLDEST, usual))


def _square_weights(glance: Glance, expected: int, most: int, usual: int | None) -> Iterable[int]:
    if not glance.visible:
        return (0, 0, 0)
    weights, typical = glance.weights(), _scale(usual)
    base = weights[expected]
    gaps = [w - base for w in weights]
    gaps[EMPTY_GROUP] += fall(glance, expected, usual)
    return (max(-FULL, min(most, gap * TYPICAL // typical)) for gap in gaps)


def fall(glance: Glance, expected: int, usual: int | None) -> int:
    """What an empty square says besides, if a hand has been there and a piece spoke up before.

    Under a reflection a square may say little of nobody's standing there, but a disc is seen as
    clearly as elsewhere: that it is no longer is what tells. `usual` is what other squares say
    now: an eye that has grown weak hears nothing fall silent.
    """
    if (
        usual is None
        or not glance.touched
        or glance.group != EMPTY_GROUP
        or expected == EMPTY_GROUP
    ):
        return 0
    weights = glance.weights()
    return max(0, (min(glance.fell, usual) - weights[EMPTY_GROUP] + weights[expected]) // 3)


def _most(glance: Glance, now: int) -> int:
    since_ms = now - glance.turned_ms
    if glance.touched or (glance.attended and since_ms > FAR_MS):
        return FULL
    if since_ms > FAINT_MS:
        return LASTING
    return FAR if glance.attended else FAINT

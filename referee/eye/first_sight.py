"""The first sight of a game: find the board, and learn the set from squares known beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.arrays import Image, Levels, Mask
from calibration.gloss import Gloss
from calibration.locate import Located, Refusal, locate
from calibration.palette import Palette
from calibration.saved import Calibration
from referee.board import (
    APPEARANCES,
    EMPTY,
    SQUARES,
    START,
    UNSEEN,
    Side,
    exchanged,
    is_king,
    side_of,
)
from referee.eye.arm import COVERED
from referee.eye.evidence import evidence_rows, king_odds_of_sides
from referee.eye.glance import BoardGlance, CloseLook, look_closely
from referee.eye.light import DARK_CELLS
from referee.eye.orientation import count_discs, dark_cells, turned
from referee.eye.patches import Floats
from referee.eye.sides import disc_colours
from referee.eye.stacks import thickness_of
from referee.observation import Row

TOLERATED = 2
"""Squares of a known setup that may be misread before anything is learnt of the set."""
MOST_HIDDEN = 6
"""Cells that a lamp, or fingertips, may hide: nothing is learnt from them."""
MANY = 8
"""More wrong squares than this are not named one by one, nor laid to a lamp alone: there all discs
must plainly look their own side's in the colours learnt."""
SLIGHT = 1.0
"""Nats by which a disc may look the other side's and be that of its place all the same, and by
which all must look their own side's where the colours alone would not tell."""
TALL = 5.0
"""Nats by which a king may look the other side's besides: of a thick set, seen from aside, what is
cut out around his square shows but the walls of his discs, which may be of another colour."""
SIDEWAYS = (
    "the board lies a quarter turn wrong (each player has the dark corner on the left), or the"
    " camera mirrors its picture"
)
"""WCDF 1.3. A picture of the one looks as a mirrored one of a board that lies right."""
ALIKE = 3.0
"""Spreads between the two sides' colours below which they cannot be told apart safely."""
PLAINLY = 300
"""Centinats from which a square that is read with what was learnt contradicts the setup. On drawn
starts right squares do by less than 50, and wrong ones by 650 and more."""
MEN = Side.RED.man, Side.WHITE.man
Ways = tuple[bool, ...]
"""Whether the lighter discs begin: what may be, the likelier first."""
EITHER: Ways = (False, True)


def ways_of(lighter_begins: bool | None, known: Calibration | None = None) -> Ways:
    """What may be: as somebody has said, or what the position tells. Where it tells nothing, as the
    usual one, which looks the same from the other side, it is as was known."""
    if lighter_begins is not None:
        return (lighter_begins,)
    return tuple(reversed(EITHER)) if known and known.lighter_begins else EITHER


def tells_who_begins(setup: str) -> bool:
    """Whether a setup shows which discs begin: it looks otherwise from the other side."""
    return exchanged(setup)[::-1] != setup


def calibrate(
    image: Image, setup: str = START, ways: Ways = EITHER, later: Sequence[str] = ()
) -> Calibration | Refusal:
    """Find the board on which `setup` stands, or one of those that may stand `later`, and learn its
    colours.

    The image is (height, width, 3) of 8-bit blue, green, red. A refusal says in one sentence
    what is in the way: no board, pieces missing, colours too much alike.
    """
    located = locate(image)
    if isinstance(located, Refusal):
        return located
    glance = look_closely(image, located.view).glance
    if not tells_who_begins(setup):
        ways = ways[:1]
    found = _learn_one_way(image, located, glance, setup, ways)
    if isinstance(found, Refusal) and (other := _better(glance.signs(), setup, ways, later)):
        learnt = _learn_one_way(image, located, glance, other, ways)
        return learnt if isinstance(learnt, Calibration) else found
    return found


def _better(signs: str, setup: str, ways: Ways, later: Sequence[str]) -> str | None:
    """Of the setups that may stand later that which fits 64 cells best, if it does so better."""

    def wrong(setup: str) -> int:
        return min(_fewest_wrong(signs, _as_seen(setup, way)) for way in ways)

    best = min(later, key=wrong, default=setup)
    return best if wrong(best) < wrong(setup) else None


def _learn_one_way(
    image: Image, located: Located, glance: BoardGlance, setup: str, ways: Ways
) -> Calibration | Refusal:
    """Learn the set on a located board of which a glance was taken, and that shows `setup` one way
    round or another. Of the ways that may be, that which fits better is tried before; a refusal is
    its."""
    signs = glance.signs()
    dues = {way: _as_seen(setup, way) for way in ways}
    refusals = []
    for way in sorted(ways, key=lambda way: _fewest_wrong(signs, dues[way])):
        for quarters in _turns(signs, dues[way]):
            found = _learn(image, located.turned(quarters), glance, quarters, dues[way])
            if isinstance(found, Calibration):
                return replace(found, lighter_begins=way)
            refusals.append(found)
    return refusals[0]


def _as_seen(setup: str, lighter_begins: bool) -> str:
    """A setup in which Red's are the darker discs."""
    return exchanged(setup) if lighter_begins else setup


def _turns(signs: str, setup: str) -> tuple[int, ...]:
    """The turns after which a setup may lie on 64 cells that look so, in quarters: that which fits
    best, and the other way round where discs lie as they should but too many look one side's."""
    best = min(range(4), key=lambda turn: _mismatch(turned(signs, turn), setup))
    about = (best + 2) % 4
    as_seen, as_seen_about = (dark_cells(turned(signs, turn)) for turn in (best, about))
    doubtful = len(_wrong(as_seen, setup)) > TOLERATED
    return (best, about) if doubtful and _only_sides(as_seen_about, setup) else (best,)


def _learn(
    image: Image, board: Located, glance: BoardGlance, quarters: int, setup: str
) -> Calibration | Refusal:
    """The same of a board of which a glance was taken before it was turned by so many quarters, and
    of a setup in which Red's are the darker discs."""
    signs = glance.signs()
    seen = dark_cells(turned(signs, quarters))
    wrong = _wrong(seen, setup)
    doubtful = len(wrong) > TOLERATED
    if doubtful and not _only_sides(seen, setup):
        return Refusal(SIDEWAYS if _lies_sideways(signs, setup) else _not_yet(wrong, setup))
    if _hidden(glance).sum() > MOST_HIDDEN:
        return Refusal("part of the board is hidden by a hand, or by a lamp that is mirrored in it")
    close = look_closely(image, board.view)
    hidden = _hidden(close.glance)[DARK_CELLS]
    shown = "".join(UNSEEN if h else s for h, s in zip(hidden, setup, strict=True))
    learnt = learnt_from(board, close, shown)
    if isinstance(learnt, Refusal):
        return learnt
    least = _least_told(learnt, close, shown)
    needed = SLIGHT if len(wrong) > MANY else -SLIGHT
    if doubtful and (least <= needed or learnt.evened.lighter_by() <= 0):
        return Refusal(_not_yet(wrong, setup))
    if learnt.evened.separation() < ALIKE and least < SLIGHT:
        return Refusal("the two sides look alike in this light: add light or turn the lamp away")
    unlike = _contradicting(learnt, close, shown)
    return learnt_from(board, close, _without(shown, unlike)) if unlike else learnt


def contradicting(image: Image, known: Calibration, setup: str) -> tuple[int, ...]:
    """The squares of a picture (height, width, 3) that plainly are not as in the setup, read with
    what was learnt: far less is misread than at first sight."""
    return _contradicting(known, look_closely(image, known.view), setup)


def _contradicting(known: Calibration, close: CloseLook, setup: str) -> tuple[int, ...]:
    rows, _ = evidence_rows(close.cells, _colours(close, setup), known)
    return tuple(
        square
        for square, cell, due in zip(SQUARES, DARK_CELLS, setup, strict=True)
        if due != UNSEEN and _against(rows[cell], due) > PLAINLY
    )


def _without(setup: str, squares: tuple[int, ...]) -> str:
    """The setup of which some squares say nothing."""
    return "".join(UNSEEN if s in squares else sign for s, sign in zip(SQUARES, setup, strict=True))


def _against(row: Row, due: str) -> int:
    """By how many centinats somebody else stands there, ranks aside; 0 where nothing is seen."""
    return -max(
        nats for nats, sign in zip(row, APPEARANCES, strict=True) if sign.lower() == due.lower()
    )


def _wrong(seen: str, setup: str) -> list[int]:
    """The squares whose readings speak against a setup."""
    return [s for s in SQUARES if not _agrees(seen[s - 1], setup[s - 1])]


def _only_sides(seen: str, setup: str) -> bool:
    """Whether discs lie where they should and just some look the other side's: a lamp that is
    mirrored in them does that, and so do dark discs that are pale beside the board's squares."""
    return all(EMPTY not in (seen[s - 1], setup[s - 1]) for s in _wrong(seen, setup))


def _least_told(learnt: Calibration, close: CloseLook, setup: str) -> float:
    """How much the disc that looks its own side's least does so, in nats, in the colours learnt;
    where men tell these colours, kings may look so by `TALL` less."""
    colours = _colours(close, setup)
    _, lighter = evidence_rows(close.cells, colours, learnt)
    tall = TALL if set(MEN) <= set(setup) else 0.0
    return min(
        float(nats if side_of(sign) is Side.WHITE else -nats) + tall * is_king(sign)
        for nats, sign in zip(lighter[DARK_CELLS], setup, strict=True)
        if side_of(sign)
    )


def _fewest_wrong(signs: str, setup: str) -> int:
    """How many of 64 cells speak against a setup, the board turned as it fits best."""
    return min(_mismatch(turned(signs, turn), setup) for turn in range(4))


def _mismatch(signs: str, setup: str) -> int:
    """How many of 64 cells speak against a setup; light cells should be bare."""
    dark = dark_cells(signs)
    light = count_discs(signs) - count_discs(dark)
    return light + sum(not _agrees(sign, due) for sign, due in zip(dark, setup, strict=True))


def _agrees(seen: str, due: str) -> bool:
    """Whether a reading may be of this appearance; kings and men look alike at first sight."""
    return seen == UNSEEN or seen.lower() == due.lower()


def _lies_sideways(signs: str, setup: str) -> bool:
    """Whether the setup stands on the dark squares of a board laid a quarter turn wrong.

    Players then have their dark corner on the right: everything is mirrored.
    """
    mirrored = "".join(signs[8 * column + row] for row in range(8) for column in range(8))
    either = setup, exchanged(setup)
    wrong = (_mismatch(turned(mirrored, turn), due) for turn in (0, 2) for due in either)
    return min(wrong) <= TOLERATED


def _hidden(glance: BoardGlance) -> Mask:
    """(64,): the cells that say nothing."""
    return np.asarray(glance.hidden > COVERED, np.bool_)


def _not_yet(wrong: list[int], setup: str) -> str:
    if len(wrong) > MANY:
        usual = setup in (START, exchanged(START))
        name = "the starting position" if usual else "the position to start from"
        return f"a board was found, but {name} does not stand on it yet"
    squares = ", ".join(map(str, wrong))
    return f"not ready yet: look at square{'s' * (len(wrong) > 1)} {squares}"


def learnt_from(board: Located, close: CloseLook, setup: str) -> Calibration | Refusal:
    """What is learnt from the squares of a known setup; nothing from those that are `UNSEEN`."""
    colours = _colours(close, setup)[DARK_CELLS].astype(float)
    shown = [sign != UNSEEN for sign in setup]
    names = [_name(appearance) for appearance in setup if appearance != UNSEEN]
    palette = Palette.learn(colours[shown], names)
    if palette is None:
        return Refusal(
            "colours are learnt from discs of both sides and bare squares: show them all"
        )
    gloss = _gloss(colours, setup, palette)
    ranks = close.cells.ranks[DARK_CELLS]
    thickness = thickness_of(ranks, setup)
    radius = float(np.median(close.cells.radii[DARK_CELLS][_discs(setup)]))
    looks = looks_of_sides(ranks, setup, thickness)
    learnt = Calibration(
        board.view, palette, round(thickness, 4), round(radius, 4), board.axis, gloss, looks
    )
    return replace(learnt, kinglike=_kinglike(learnt, close, setup))


def _kinglike(learnt: Calibration, close: CloseLook, setup: str) -> tuple[float, float]:
    """By how many nats the known men of either side look kings.

    How much likelier a king would look so is one in the mean of all men, if what the networks say
    is true of the set. It is less of few men: the mean is made by the rare ones.
    """
    _, side = evidence_rows(close.cells, _colours(close, setup), learnt)
    odds = king_odds_of_sides(close.cells, side.astype(float), learnt)
    darker, lighter = (
        _least_taken_off(nats[DARK_CELLS][[sign == man for sign in setup]])
        for nats, man in zip(odds, MEN, strict=True)
    )
    return darker, lighter


def _least_taken_off(odds: Levels) -> float:
    """What makes men no likelier kings than they may look, who look so with these odds (n,)."""
    return round(max(0.0, float(np.log(np.exp(odds).mean()))), 2) if len(odds) else 0.0


def _colours(close: CloseLook, setup: str) -> Floats:
    """(64, 3): log colour of the upper face of what is known to stand on each cell."""
    kings = np.zeros(64, np.bool_)
    kings[DARK_CELLS] = [is_king(sign) for sign in setup]
    return disc_colours(close.patches, close.light, close.cells.spots, kings)


def looks_of_sides(ranks: Floats, setup: str, thickness: float) -> tuple[float, float]:
    """How thick discs of the darker and of the lighter side look, in squares, from `Cells.ranks`
    (32, 2, LEVELS) of a known setup and the thickness that all together tell.

    None counts as thinner than the set: round edges and pale rims make men look thin, and kings,
    which have them but once, less so.
    """
    of_sides = (
        "".join(sign if side_of(sign) is side else EMPTY for sign in setup)
        for side in (Side.RED, Side.WHITE)
    )
    darker, lighter = (max(thickness, thickness_of(ranks, of_side)) for of_side in of_sides)
    return round(darker, 4), round(lighter, 4)


def _gloss(colours: Levels, setup: str, plain: Palette) -> Gloss | None:
    """The lamp that is mirrored in the discs, if taking it off helps."""
    discs = _discs(setup)
    lighter = np.array([side_of(sign) is Side.WHITE for sign in setup])[discs]
    gloss = Gloss.learn(colours[discs], DARK_CELLS[discs], lighter)
    return gloss if gloss and gloss.helps(plain) else None


def _discs(setup: str) -> Mask:
    """(32,): the squares on which discs are seen to lie."""
    return np.array([side_of(sign) is not None for sign in setup])


def _name(appearance: str) -> str:
    side = side_of(appearance)
    if side is None:
        return "bare"
    return "darker" if side is Side.RED else "lighter"

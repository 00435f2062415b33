"""What a square says of the pieces that may lie on it, by the reader and by colours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.locate import Located, locate
from calibration.palette import Palette, Tone
from calibration.saved import Calibration
from referee.board import START
from referee.eye import first_sight
from referee.eye.evidence import MIRRORED, evidence_rows
from referee.eye.glance import look_closely
from referee.eye.light import IS_DARK
from referee.eye.patches import Floats
from referee.eye.reader import EMPTY as BARE
from referee.eye.reader import HIDDEN, KING, MAN, THICKNESSES, Cells
from referee.eye.stacks import king_chances, king_odds, thickness_of
from referee.observation import HIDDEN as HIDDEN_ROW
from tests.boards import draw_board, view_from

TONES = Palette(
    bare=Tone((-1.0, -0.6, -1.0), (0.06, 0.06, 0.06)),
    darker=Tone((-1.4, -1.6, -0.3), (0.06, 0.06, 0.06)),
    lighter=Tone((0.0, 0.0, 0.0), (0.06, 0.06, 0.06)),
)
CALIBRATION = Calibration(view_from(30), TONES)


def _ranks(stack: float, doubt: float = 0.5) -> Floats:
    """What a reader makes of a stack (height in squares) whose seam it does not see."""
    levels = np.log(np.stack([THICKNESSES, 2 * THICKNESSES]))
    logs = -0.5 * ((levels - np.log(stack)) / (0.1 + doubt)) ** 2
    return np.asarray(logs - np.log(np.exp(logs).sum()), np.float32)[None]


def _reading(kind: int, odds: float = 6.0) -> Cells:
    cells = Cells.blank(1)
    cells.kinds[0] = -odds
    cells.kinds[0, kind] = -0.01
    stack = CALIBRATION.thickness * (2 if kind == KING else 1)
    cells.ranks[0] = _ranks(stack, doubt=0.1)[0]
    return cells


@pytest.mark.parametrize(
    ("kind", "tone", "best"),
    [
        (BARE, TONES.bare, ".rRwW".index(".")),
        (MAN, TONES.darker, ".rRwW".index("r")),
        (KING, TONES.darker, ".rRwW".index("R")),
        (MAN, TONES.lighter, ".rRwW".index("w")),
        (KING, TONES.lighter, ".rRwW".index("W")),
    ],
)
def test_evidence_follows_the_reader_and_the_colours(kind: int, tone: Tone, best: int) -> None:
    colours = np.array([tone.mean], np.float32)
    rows, _ = evidence_rows(_reading(kind), colours, CALIBRATION)
    assert rows[0][best] == 0
    assert max(value for sign, value in enumerate(rows[0]) if sign != best) < -200


def test_discs_that_a_lamp_makes_pale_stay_with_their_side() -> None:
    white = np.repeat([False, True], 6)
    cells = Cells.blank(12)
    cells.kinds[:] = -6.0
    cells.kinds[:, MAN] = -0.01
    cells.ranks[:] = _ranks(CALIBRATION.thickness, doubt=0.1)
    cells.whiteness[:] = np.where(white, 4.0, -2.0)
    pale = np.add(TONES.darker.mean, (1.0, 1.2, 0.0))
    colours = np.where(white[:, None], TONES.lighter.mean, pale).astype(np.float32)
    rows, _ = evidence_rows(cells, colours, CALIBRATION)
    assert [".rRwW"[row.index(0)] for row in rows] == ["r"] * 6 + ["w"] * 6


def test_a_bare_square_in_the_sun_is_no_disc() -> None:
    """The network saw that nothing lies there, if not very surely."""
    colours = np.add([TONES.bare.mean], 0.5).astype(np.float32)
    rows, _ = evidence_rows(_reading(BARE, odds=3.0), colours, CALIBRATION)
    assert rows[0][".rRwW".index(".")] == 0


def test_a_hidden_cell_says_nothing() -> None:
    colours = np.zeros((1, 3), np.float32)
    rows, _ = evidence_rows(_reading(HIDDEN), colours, CALIBRATION)
    assert rows == (HIDDEN_ROW,)


@pytest.mark.parametrize(
    ("kind", "tone", "told"), [(BARE, TONES.bare, True), (MAN, TONES.lighter, False)]
)
def test_one_that_a_lamp_hides_tells_faintly_that_it_is_bare(
    kind: int, tone: Tone, told: bool
) -> None:
    cells, colours = _reading(HIDDEN, odds=9.0), np.array([tone.mean], np.float32)
    cells.kinds[0, kind] = -2.0
    (row,), _ = evidence_rows(cells, colours, CALIBRATION, np.array([True]))
    assert row == ((0, MIRRORED, MIRRORED, MIRRORED, MIRRORED) if told else HIDDEN_ROW)
    (row,), _ = evidence_rows(cells, colours, CALIBRATION)
    assert row == HIDDEN_ROW


def test_a_stack_as_high_as_a_man_of_thick_discs_is_no_king() -> None:
    colours = np.array([TONES.darker.mean], np.float32)
    thick = replace(CALIBRATION, thickness=2 * CALIBRATION.thickness)
    rows, _ = evidence_rows(_reading(KING), colours, thick)
    assert ".rRwW"[rows[0].index(0)] == "r"


def test_discs_that_all_look_thicker_than_learnt_are_thought_as_thick() -> None:
    cells = Cells.blank(12)
    cells.kinds[:] = -6.0
    cells.kinds[:, MAN] = -0.01
    heights = np.array([1.5] * 11 + [3.0]) * CALIBRATION.thickness
    cells.ranks[:] = np.concatenate([_ranks(height, doubt=0.1) for height in heights])
    colours = np.tile(np.array(TONES.darker.mean, np.float32), (12, 1))
    rows, _ = evidence_rows(cells, colours, CALIBRATION)
    assert "".join(".rRwW"[row.index(0)] for row in rows) == "r" * 11 + "R"


def test_a_stack_whose_height_is_not_seen_is_neither_man_nor_king() -> None:
    unseen, seen = (king_odds(_ranks(0.3, doubt), 0.15)[0] for doubt in (5.0, 0.1))
    assert abs(unseen) < 1.0 < 3.0 < seen


def test_discs_are_as_thick_as_most_stacks_are_high() -> None:
    ranks = np.concatenate([_ranks(0.13, 0.1)] * 8 + [_ranks(0.26, 0.1)] * 3)
    chances = king_chances(ranks, np.ones(len(ranks)))
    assert (chances[:8] < 0.1).all()
    assert (chances[8:] > 0.7).all()


def test_each_side_is_measured_by_how_thick_its_own_men_look() -> None:
    """Dark discs look thicker with the shadow at their feet: one such is no king."""
    ranks, dark = _ranks(0.2, 0.1), np.array([TONES.darker.mean], np.float32)
    cells = Cells.blank(1)
    cells.kinds[0], cells.ranks[:] = -6.0, ranks
    cells.kinds[0, MAN] = -0.01
    plain = replace(CALIBRATION, thickness=0.13)
    for known, best in ((plain, "R"), (replace(plain, looks=(0.18, 0.13)), "r")):
        rows, _ = evidence_rows(cells, dark, known)
        assert ".rRwW"[rows[0].index(0)] == best


def test_men_of_a_set_that_look_kings_make_kings_of_its_side_doubtful() -> None:
    colours = np.array([TONES.darker.mean], np.float32)
    for kinglike, best in (((0.0, 9.0), "R"), ((9.0, 0.0), "r")):
        known = replace(CALIBRATION, kinglike=kinglike)
        rows, _ = evidence_rows(_reading(KING), colours, known)
        assert ".rRwW"[rows[0].index(0)] == best


@pytest.mark.parametrize(("stack", "kinglike"), [(1.0, False), (1.8, True)])
def test_men_who_look_kings_at_set_up_are_remembered(stack: float, kinglike: bool) -> None:
    """The red ones here: as high as White's at first, then nearly as two of these."""
    image = draw_board(view_from(45), START)
    located = locate(image)
    assert isinstance(located, Located)
    board = located.turned(2)
    close = look_closely(image, board.view)
    ranks = close.cells.ranks.copy()
    ranks[:] = _ranks(0.13, doubt=0.1)
    red = np.flatnonzero(IS_DARK)[:12]
    ranks[red[:6]] = _ranks(0.13 * stack, doubt=0.1)
    seen = replace(close, cells=replace(close.cells, ranks=ranks))
    learnt = first_sight.learnt_from(board, seen, START)
    assert isinstance(learnt, Calibration)
    assert (learnt.kinglike[0] > 0) == kinglike
    assert learnt.kinglike[1] == 0


def test_men_and_kings_of_a_known_setup_tell_the_thickness() -> None:
    ranks = np.concatenate([_ranks(0.13, 0.1), _ranks(0.26, 0.1)])
    assert abs(thickness_of(ranks, "rW") - 0.13) < 0.01

"""Pieces beside how they looked before a hand was at them, and the examples that this is learnt
from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from referee.board import Side
from referee.eye.eye import Eye
from referee.eye.first_sight import calibrate
from referee.eye.patches import Floats
from referee.eye.recaller import Recaller
from referee.eye.recollection import AT_MOST_MS, DAPPLED_MS, SETTLED_MS, Looks, Recollection
from referee.eye.shadows import WAYS, Shadows
from referee.eye.training import repeats
from referee.observation import Recalled
from referee.tracking.altered import KEPT_MS
from sample_images.draw import still
from sample_images.scene import reaching
from sample_images.variety import random_scene


class Board:
    """Pieces by their cells: what stands there is one number, and its likeness is full of it."""

    def __init__(self) -> None:
        self.recollection, self.time_ms = Recollection(), 0

    def look(
        self,
        pieces: dict[int, float],
        *near: int,
        after_ms: int = 2_000,
        light: float = 0.0,
        changed: Iterable[int] = (),
    ) -> None:
        """A picture in which a hand is near some cells; negative numbers are the darker side's.

        A third of the ground is so bright beside the rest, and some cells have just `changed`.
        """
        self.time_ms += after_ms
        unrest = np.isin(np.arange(64), near)
        self.recollection.mind_unrest(unrest, self.time_ms)
        gone = [cell for cell in range(64) if cell not in pieces and cell not in near]
        self.recollection.mind_gone(np.array(gone, np.intp))
        cells = np.array([cell for cell in sorted(pieces) if cell not in near], np.intp)
        values = np.array([pieces[cell] for cell in cells.tolist()], np.float32)
        now = Looks.unknown(len(cells))
        now.pieces[:] = np.abs(values)[:, None, None, None]
        now.grounds[..., : WAYS // 3] = light
        self.recollection.recall(cells, now, values > 0, self.time_ms)
        if not near:
            self.recollection.keep(cells, now, self.time_ms)
            flickers = np.isin(np.arange(64), [*changed])
            self.recollection.mind_peace(flickers, self.time_ms)

    def recalled(self, cell: int) -> Recalled | None:
        return self.recollection.recalled()[cell]


class Difference:
    """Says by how much what is seen differs from what was kept."""

    def compare(self, before: Floats, after: Floats) -> Floats:
        more = (after - before)[:, 0, 0, 0]
        return np.stack([more, -more], axis=1)


class Brightness:
    """Says by how much the ground has become brighter at its brightest."""

    def compare(self, before: Floats, after: Floats, lean: Floats) -> Floats:
        more = (after - before).max(axis=(1, 2))
        return np.stack([more, -more], axis=1)


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Board:
    monkeypatch.setattr(Recaller, "shipped", Difference)
    monkeypatch.setattr(Shadows, "shipped", Brightness)
    return Board()


def test_a_piece_is_set_beside_how_it_looked_before_the_hand_came(board: Board) -> None:
    board.look({9: 1.0})
    assert board.recalled(9) is None
    board.look({9: 1.0}, 9)
    assert board.recalled(9) is None
    board.look({9: 3.0})
    assert board.recalled(9) == Recalled(200, -200, 2_000)


def test_what_several_pictures_say_is_their_mean(board: Board) -> None:
    board.look({9: 1.0})
    board.look({9: 1.0}, 9)
    board.look({9: 3.0}, after_ms=100)
    board.look({9: 4.0}, after_ms=100)
    assert board.recalled(9) == Recalled(250, -250, 2_000)


def test_a_piece_that_has_settled_is_what_the_next_hand_finds(board: Board) -> None:
    board.look({9: 1.0})
    board.look({9: 1.0}, 9)
    board.look({9: 3.0}, after_ms=SETTLED_MS)
    settled_ms = board.time_ms
    board.look({9: 3.0}, 9)
    board.look({9: 3.5})
    assert board.recalled(9) == Recalled(50, -50, settled_ms)


def test_between_two_hands_that_follow_each_other_no_piece_settles(board: Board) -> None:
    board.look({9: 1.0})
    for _ in range(2):
        board.look({9: 1.0}, 9, after_ms=100)
        board.look({9: 3.0}, after_ms=100)
    assert board.recalled(9) == Recalled(200, -200, 2_000)


def test_while_a_hand_is_over_the_board_no_piece_settles(board: Board) -> None:
    board.look({9: 1.0})
    board.look({9: 1.0}, 9)
    board.look({9: 3.0}, 40)
    board.look({9: 3.0}, 9)
    board.look({9: 3.0})
    assert board.recalled(9) == Recalled(200, -200, 2_000)


def test_a_piece_that_has_moved_is_set_beside_how_it_looked_where_it_came_from(
    board: Board,
) -> None:
    board.look({9: 1.0, 20: -5.0})
    board.look({9: 1.0, 20: -5.0}, 9, 18)
    board.look({18: 3.0, 20: -5.0})
    assert board.recalled(18) == Recalled(200, -200, 2_000)
    assert board.recalled(9) is None


def test_a_piece_of_the_other_side_is_another_piece(board: Board) -> None:
    board.look({9: 1.0})
    board.look({9: 1.0}, 9)
    board.look({9: -3.0})
    assert board.recalled(9) is None


def test_what_left_the_board_under_another_hand_has_not_come_back(board: Board) -> None:
    board.look({9: 1.0, 40: 5.0})
    board.look({9: 1.0, 40: 5.0}, 40)
    board.look({9: 1.0})
    board.look({9: 1.0}, 9, 18)
    board.look({9: 1.0, 18: 3.0})
    assert board.recalled(18) is None


def test_a_piece_that_is_seen_to_have_come_before_it_has_gone_is_looked_at_again(
    board: Board,
) -> None:
    board.look({9: 1.0})
    board.look({9: 1.0}, 9, 18)
    board.look({18: 3.0}, 9)
    assert not board.recollection.unsettled(board.time_ms)[18]
    board.recollection.mind_gone(np.array([9], np.intp))
    assert board.recollection.unsettled(board.time_ms)[18]
    board.look({18: 3.0})
    assert board.recalled(18) == Recalled(200, -200, 2_000)


def test_a_piece_is_not_the_one_that_was_seen_elsewhere_since_it_came(board: Board) -> None:
    board.look({20: 5.0})
    board.look({20: 5.0}, 18)
    for near in ((40,), (), (20,)):
        board.look({18: 3.0, 20: 5.0}, *near, after_ms=100)
    board.look({18: 3.0}, 40, after_ms=100)
    assert board.recalled(18) is None


def test_a_piece_is_kept_as_soon_as_it_has_settled(board: Board) -> None:
    board.look({9: 1.0, 20: 1.0})
    board.look({9: 1.0, 20: 1.0}, 9)
    waits = [board.recollection.unkept(board.time_ms + ms) for ms in (SETTLED_MS - 1, SETTLED_MS)]
    assert [one[[9, 20]].tolist() for one in waits] == [[False, False], [True, False]]
    board.look({9: 1.0, 20: 1.0})
    assert not board.recollection.unkept(board.time_ms)[9]


def test_no_two_pictures_say_more_than_so_much(board: Board) -> None:
    board.look({9: 1.0})
    board.look({9: 1.0}, 9)
    board.look({9: 100.0})
    assert board.recalled(9) == Recalled(1200, -1200, 2_000)


def test_what_the_ground_says_is_added(board: Board) -> None:
    board.look({9: 1.0})
    board.look({9: 1.0}, 9)
    board.look({9: 3.0}, light=1.5)
    assert board.recalled(9) == Recalled(350, -350, 2_000)


def test_in_another_light_the_ground_is_not_heard(board: Board) -> None:
    board.look({9: 1.0, 20: 1.0, 40: 1.0})
    board.look({9: 1.0, 20: 1.0, 40: 1.0}, 9)
    board.look({9: 3.0, 20: 1.0, 40: 1.0}, light=1.5)
    assert board.recalled(9) == Recalled(200, -200, 2_000)


@pytest.mark.parametrize(
    ("changed", "ago_ms", "said"),
    [
        pytest.param((9, 20, 27, 29), 0, 100, id="everywhere"),
        pytest.param((9, 20, 27), 0, 205, id="at three of four"),
        pytest.param((9, 20, 27, 29), DAPPLED_MS, 205, id="before"),
    ],
)
def test_where_light_plays_on_the_pieces_they_say_half_and_the_ground_nothing(
    board: Board, changed: tuple[int, ...], ago_ms: int, said: int
) -> None:
    pieces = {9: 1.0, 20: 1.0, 27: 1.0, 29: 1.0}
    board.look(pieces)
    board.look(pieces, changed=changed)
    for _ in range(ago_ms // AT_MOST_MS):
        board.look(pieces, after_ms=AT_MOST_MS)
    board.look(pieces, 9)
    board.look(pieces | {9: 3.0}, light=0.05)
    recalled = board.recalled(9)
    assert recalled is not None
    assert recalled.more == said


def test_where_the_light_has_changed_while_nobody_was_there_it_is_heard(board: Board) -> None:
    board.look({9: 1.0, 20: 1.0, 40: 1.0})
    board.look({9: 1.0, 20: 1.0, 40: 1.0}, light=1.5)
    board.look({9: 1.0, 20: 1.0, 40: 1.0}, 9, light=1.5, after_ms=100)
    board.look({9: 3.0, 20: 1.0, 40: 1.0}, light=1.55, after_ms=100)
    assert board.recalled(9) == Recalled(205, -205, 4_000)


def test_pieces_of_drawn_boards_are_met_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeats, "PICTURES", 3)
    monkeypatch.setattr(repeats, "SETS", 1)
    (seen,) = repeats.repeats_of(3)
    places, times = np.unique(seen.place, return_counts=True)
    assert times.max() == 3
    assert (times > 1).mean() > 0.5
    ranks = [set(seen.king[seen.place == place].tolist()) for place in places]
    assert {True, False} in ranks, "some have got a disc, or lost one"
    assert len(set(repeats.set_of(seen.place).tolist())) == 2, "both sides of one set"


def test_the_sides_of_sets_on_boards_are_told_apart_by_their_places() -> None:
    places = np.array([0, 1, 126, 127, 200, 201])
    assert repeats.set_of(places).tolist() == [0, 1, 0, 1, 2, 3]


def test_the_eye_tells_a_disc_that_has_come_or_gone_from_none() -> None:
    scene = replace(random_scene(41_000_102, contents="start"), hands=())
    man = next(disc for disc in scene.discs if (int(disc.x), int(disc.y)) == (5, 2))
    crown = replace(man, z=man.top, x=man.x + 0.02, seed=man.seed + 1)
    eye = Eye(calibrate(still(scene)))
    hand, crowned = reaching(Side.RED, (5.5, 2.5, 0.4)), (*scene.discs, crown)
    looks = (
        (scene.discs, ()),
        (crowned, (hand,)),
        (crowned, ()),
        (crowned, ()),
        (crowned, (hand,)),
        (scene.discs, ()),
    )
    seen = [
        eye.observe(still(replace(scene, discs=discs, hands=hands), number), 4_000 * number)
        for number, (discs, hands) in enumerate(looks)
    ]
    assert seen[1].recalled[11 - 1] is None
    come, gone = (seen[number].recalled[11 - 1] for number in (2, 5))
    assert come is not None
    assert gone is not None
    assert come.more > 0 > come.less
    assert gone.less > 0 > gone.more
    assert (come.since_ms, gone.since_ms) == (0, 12_000)


def test_a_disc_is_not_kept_in_mind_as_it_looks_half_off_its_square() -> None:
    """Put right it is set beside how it looked before it was pushed."""
    scene = replace(random_scene(41_000_102, contents="start"), hands=())
    man = next(disc for disc in scene.discs if (int(disc.x), int(disc.y)) == (5, 2))
    eye = Eye(calibrate(still(scene)))
    hand = reaching(Side.RED, (5.5, 2.5, 0.4))
    off = tuple(replace(man, y=man.y + 0.43) if disc is man else disc for disc in scene.discs)
    looks = (
        (scene.discs, ()),
        (off, (hand,)),
        (off, ()),
        (off, ()),
        (off, (hand,)),
        (scene.discs, ()),
    )
    seen = [
        eye.observe(still(replace(scene, discs=discs, hands=hands), number), 4_000 * number)
        for number, (discs, hands) in enumerate(looks)
    ]
    beside = seen[-1].recalled[11 - 1]
    assert beside is not None
    assert beside.since_ms == 0


def test_no_portrait_is_kept_sooner_than_the_tracker_counts_on() -> None:
    """What it takes for told beside another square's look must have been."""
    assert KEPT_MS <= SETTLED_MS

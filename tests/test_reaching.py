"""Hands and arms that reach over the board, and whose they are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.saved import Calibration
from referee.board import START, Side
from referee.eye.arm import FEW, LYING_MS, Reach, hands_over, is_over
from referee.eye.eye import Eye
from referee.eye.first_sight import calibrate
from referee.eye.lamps import lamps_of
from referee.eye.patches import Floats
from referee.eye.rims import ARM_REST_MS, REST_MS, Rims
from tests.boards import draw_board, view_from
from tests.eyes import calibrated, with_bar


@pytest.mark.parametrize(
    ("rows", "side"),
    [
        pytest.param(range(5), Side.RED, id="over the edge of squares 1 to 4"),
        pytest.param(range(4, 8), Side.WHITE, id="over the edge of squares 29 to 32"),
        pytest.param(range(8), None, id="over both"),
    ],
)
def test_the_edge_an_arm_comes_over_names_its_player(rows: range, side: Side | None) -> None:
    hidden = np.zeros((8, 8), np.float32)
    hidden[list(rows), 3:5] = 0.9
    (hand,) = hands_over(hidden.ravel())
    assert hand.side is side
    assert len(hand.squares) == len(rows)


@pytest.mark.parametrize(
    ("first", "side"), [((4.0, 12.0), Side.WHITE), ((4.0, -4.0), Side.RED), ((-4.0, 4.0), None)]
)
def test_an_arm_belongs_to_the_player_whose_rim_it_crosses(
    first: tuple[float, float], side: Side | None
) -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    assert not rims.arms(board, 0, True)
    arms = rims.arms(with_bar(board, first, (4.0, 4.0)), 100, False)
    assert list(arms) == ([side] if side else [])


@pytest.mark.parametrize(
    ("cells", "ms", "is_hand"),
    [(1, LYING_MS, False), (1, LYING_MS - 1, True), (FEW + 1, LYING_MS, True)],
)
def test_few_cells_that_have_been_hidden_for_long_are_under_no_hand(
    cells: int, ms: int, is_hand: bool
) -> None:
    hidden = np.zeros(64, np.float32)
    hidden[:cells] = 0.9
    assert is_over(hidden, np.where(hidden, ms, 0)) is is_hand


def test_what_lies_half_on_the_edge_of_the_board_is_a_hand_for_some_seconds_only() -> None:
    """As a captured disc does that lies on the rim and hides a corner."""
    (eye, _), noise = calibrated(), np.random.default_rng(5)
    bare = draw_board(view_from(25), START)
    hands = []
    for time_ms in range(0, 12_000, 250):
        board = bare if time_ms < 2_000 else with_bar(bare, (7.5, -1.7), (7.2, 0.9))
        seen = noise.integers(-3, 4, board.shape) + board
        hands.append(bool(eye.observe(np.clip(seen, 0, 255).astype(np.uint8), time_ms).hands))
    assert not any(hands[:8])
    assert all(hands[8:24])
    assert not any(hands[-4:])


def test_fingertips_that_reach_over_the_far_rim_come_from_the_near_one() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    assert not rims.arms(board, 0, True)
    for end, sides in ((-0.5, [Side.WHITE]), (-4.0, [Side.RED, Side.WHITE])):
        arms = rims.arms(with_bar(board, (4.0, 12.0), (4.0, end)), 100, False)
        assert list(arms) == sides


@pytest.mark.parametrize(("colour", "seen"), [((0.7, 0.7, 0.7), []), ((0.6, 0.7, 0.9), [Side.RED])])
def test_a_shadow_over_a_rim_is_no_arm_while_no_hand_is_over_the_board(
    colour: tuple[float, float, float], seen: list[Side]
) -> None:
    """A sleeve has another colour than what lies beneath it; or so a hand is over the board."""
    view = view_from(25)
    rims, board = Rims(view), draw_board(view, START)
    assert not rims.arms(board, 0, True)
    corners = view.project(np.array([[2.0, 0.0], [6.0, 0.0], [6.0, -2.5], [2.0, -2.5]]))
    covered = cv2.fillConvexPoly(np.zeros(board.shape[:2], np.uint8), corners.astype(np.int32), 1)
    dimmed = np.where(covered[..., None] > 0, board * np.array(colour), board).astype(np.uint8)
    assert list(rims.arms(dimmed, 100, uncovered=True)) == seen
    assert list(rims.arms(dimmed, 200, uncovered=False)) == [Side.RED]


def test_where_no_players_rim_is_in_the_picture_no_arm_is_seen_over_one() -> None:
    view = view_from(0, distance=9.0)
    rims, board = Rims(view), draw_board(view, START)
    assert not any(rims.arms(board, time_ms, True) for time_ms in range(0, 1_000, 100))


def _reaching(rows: slice) -> Floats:
    hidden = np.zeros((8, 8), np.float32)
    hidden[rows, 3:5] = 1.0
    return hidden.ravel()


def test_an_arm_that_is_no_longer_over_its_own_rim_is_still_its_players() -> None:
    """Held high it is seen over the far rows alone, and its fingers over the far rim."""
    reach = Reach()
    assert reach.owner(_reaching(slice(3, 8)), [Side.WHITE], 100) is Side.WHITE
    assert reach.owner(_reaching(slice(1, 6)), [], 200) is Side.WHITE
    assert reach.owner(_reaching(slice(0, 4)), [Side.RED], 300) is Side.WHITE
    hands = hands_over(_reaching(slice(0, 4)), {Side.RED: 300}, owner=Side.WHITE)
    assert [hand.side for hand in hands] == [Side.WHITE]


@pytest.mark.parametrize(("rows", "time_ms"), [(slice(0, 2), 200), (slice(1, 6), 1_300)])
def test_another_arm_elsewhere_or_much_later_is_its_own_players(rows: slice, time_ms: int) -> None:
    reach = Reach()
    reach.owner(_reaching(slice(3, 8)), [Side.WHITE], 100)
    assert reach.owner(_reaching(rows), [Side.RED], time_ms) is Side.RED


def test_a_hand_at_rest_on_its_rim_is_not_the_one_that_comes_from_the_other() -> None:
    rests = np.zeros((10, 10), np.bool_)
    rests[9, 6:8] = True
    both = rests.copy()
    both[0, 3:6] = True
    reach, nobody = Reach(), np.zeros(64)
    reach.owner(_reaching(slice(5, 8)), [Side.WHITE], 0, rests)
    for time_ms in range(100, 1_500, 100):
        assert reach.owner(nobody, [Side.WHITE], time_ms, rests) is Side.WHITE
    assert (
        reach.owner(_reaching(slice(0, 4)), [Side.RED, Side.WHITE], 1_500, both) is not Side.WHITE
    )


def test_an_arm_that_alone_is_seen_for_a_while_is_its_own_players() -> None:
    reach, there = Reach(), _reaching(slice(2, 6))
    reach.owner(there, [Side.WHITE], 100)
    owners = [reach.owner(there, [Side.RED], time_ms) for time_ms in (200, 300, 400)]
    assert owners == [Side.WHITE, Side.WHITE, Side.RED]


def test_but_not_one_that_lies_right_across_the_board_and_has_come_from_the_other_side() -> None:
    """A sleeve of the table's colour is not seen over its own rim, where fingers are over the far
    one."""
    reach, across = Reach(), _reaching(slice(0, 8))
    reach.owner(_reaching(slice(4, 8)), [Side.WHITE], 100)
    owners = {reach.owner(across, [Side.RED], time_ms) for time_ms in range(200, 2_000, 100)}
    assert owners == {Side.WHITE}


def test_an_arm_that_passes_beside_its_own_rim_is_known_but_is_not_over_it() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    assert not rims.arms(board, 0, True)
    assert not rims.arms(with_bar(board, (-0.9, 12.0), (-0.9, 4.0)), 100, False)
    assert rims.around == (Side.WHITE,)


def test_an_arm_that_reaches_in_round_the_corner_is_over_the_board() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    assert not rims.arms(board, 0, True)
    around = with_bar(board, (-1.6, 12.0), (-0.9, 5.0))
    assert not rims.arms(around, 100, False)
    assert list(rims.arms(with_bar(around, (-0.9, 5.0), (0.0, 4.5)), 200, False)) == [Side.WHITE]


def test_what_is_covered_around_the_board_is_known() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    rims.arms(board, 0, True)
    assert not rims.ring.any()
    rims.arms(with_bar(board, (-0.4, 12.0), (-0.4, 2.5)), 100, False)
    assert rims.ring[4:10, 0].all()
    assert not rims.ring[:3].any()
    assert not rims.ring[:, 3:].any()


def test_two_ends_of_an_arm_that_hang_together_beside_the_board_are_one_arm() -> None:
    ends, ring = np.zeros((8, 8), np.float32), np.zeros((10, 10), np.bool_)
    ends[7, 0] = ends[0, :2] = 1.0
    ring[2:, 0] = ring[9, 1] = True
    hidden = ends.ravel()
    alone, joined = Reach(), Reach()
    for reach in (alone, joined):
        assert reach.owner(_reaching(slice(6, 8)), [Side.WHITE], 100) is Side.WHITE
    assert alone.owner(hidden, [Side.RED, Side.WHITE], 200) is None
    ring[1, 0] = True
    wide = np.zeros((8, 8), np.float32)
    wide[7, :5] = wide[0, :2] = 1.0
    assert joined.owner(wide.ravel(), [Side.RED, Side.WHITE], 200, ring) is Side.WHITE
    assert joined.owner(hidden, [Side.RED], 300, ring) is Side.WHITE
    assert joined.owner(hidden, [Side.RED], 900, ring) is Side.WHITE


@pytest.mark.parametrize(
    ("beside", "side"),
    [(slice(2, 10), Side.WHITE), (slice(0, 4), None), (slice(2, 5), None), (slice(0, 0), None)],
)
def test_an_arm_comes_from_where_it_lies_beside_the_board(beside: slice, side: Side | None) -> None:
    """A hand over Red's rows has come in over the side, and crosses nobody's rim."""
    hidden, ring = np.zeros((8, 8), np.float32), np.zeros((10, 10), np.bool_)
    hidden[1:3, 0] = 1.0
    ring[beside, 0] = True
    assert Reach().owner(hidden.ravel(), [], 100, ring) is side
    turned = np.ascontiguousarray(ring[::-1, ::-1])
    other = Reach().owner(hidden.ravel()[::-1], [], 100, turned)
    assert other is (side.other if side else None)


@pytest.mark.parametrize(
    ("rim", "arms", "side"),
    [
        (slice(0, 4), [Side.RED, Side.WHITE], Side.RED),
        (slice(5, 8), [Side.RED, Side.WHITE], Side.WHITE),
        (slice(0, 4), [], Side.WHITE),
    ],
)
def test_a_shadow_beside_the_board_owns_no_arm_that_has_come_over_the_other_rim(
    rim: slice, arms: list[Side], side: Side
) -> None:
    """Somebody passes while Red's hand comes in, and darkens a side and White's rim. Where Red's
    hand rests apart, or fingertips alone reach over his rim, it is White's arm that lies there."""
    hidden, ring = np.zeros((8, 8), np.float32), np.zeros((10, 10), np.bool_)
    hidden[:2, 1] = 1.0
    ring[1:, 0] = ring[9, 1:4] = ring[0, rim] = True
    since = dict.fromkeys(arms, 100)
    owner = Reach().owner(hidden.ravel(), since, 300, ring)
    assert [hand.side for hand in hands_over(hidden.ravel(), since, owner=owner)] == [side]
    turned = np.ascontiguousarray(ring[::-1, ::-1])
    other = Reach().owner(hidden.ravel()[::-1], since, 300, turned)
    assert other is (owner.other if owner else None)


def test_an_arm_that_comes_slowly_is_not_learnt_and_leaves_none_behind() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    box = with_bar(board, (3.0, 8.9), (5.0, 8.9))
    for time_ms in range(0, 2_000, 100):
        assert not rims.arms(board, time_ms, True)
    for step in range(60):  # so little in each frame that nothing seems to move
        faded = cv2.addWeighted(box, step / 60, board, 1 - step / 60, 0)
        rims.arms(faded, 2_000 + 20 * step, True)
    assert list(rims.arms(box, 3_200, True)) == [Side.WHITE]
    assert not rims.arms(board, 3_300, True)


def test_what_stays_on_a_rim_without_motion_is_no_arm() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    box = with_bar(board, (3.0, 8.9), (5.0, 8.9))
    assert not rims.arms(board, 0, True)
    assert list(rims.arms(box, 100, True)) == [Side.WHITE]
    assert not rims.arms(box, 3_000, True)
    assert not rims.arms(box, 3_100, True)


def test_what_is_put_down_on_a_rim_belongs_there_though_play_goes_on_elsewhere() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    box = with_bar(board, (0.5, 8.9), (2.5, 8.9))
    for time_ms in range(0, 2_000, 100):
        assert not rims.arms(board, time_ms, True)
    for time_ms in range(2_100, 4_100, 200):
        place = 3.5 + time_ms % 400 / 100
        busy = with_bar(box, (place, -4.0), (place, -0.2))
        assert Side.RED in rims.arms(busy, time_ms, True)
    assert list(rims.arms(busy, 4_200, True)) == [Side.RED]


def test_a_hand_that_has_rested_on_a_rim_leaves_no_arm_behind() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    hand = with_bar(board, (4.0, 12.0), (4.0, 8.4))
    for time_ms in range(0, 2_000, 100):
        rims.arms(board, time_ms, True)
    told = [bool(rims.arms(hand, time_ms, True)) for time_ms in range(2_000, 8_500, 100)]
    assert told[0]
    assert not told[-1]
    assert not rims.arms(board, 8_500, True)
    assert list(rims.arms(with_bar(board, (2.0, 12.0), (2.0, 8.4)), 8_600, True)) == [Side.WHITE]


@pytest.mark.parametrize(
    ("from_", "rests_ms"),
    [
        pytest.param(12.0, ARM_REST_MS, id="an arm"),
        pytest.param(9.3, REST_MS, id="what ends beside the board"),
    ],
)
def test_what_reaches_in_from_far_outside_rests_for_longer_until_it_belongs_there(
    from_: float, rests_ms: int
) -> None:
    """A hand that holds a man beside the board may keep still for seconds."""
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    there = with_bar(board, (4.0, from_), (4.0, 8.4))
    for time_ms in range(0, 2_000, 100):
        assert not rims.arms(board, time_ms, True)
    seen = [t for t in range(0, 9_000, 100) if rims.arms(there, 2_000 + t, True)]
    assert seen[-1] in range(rests_ms, rests_ms + 200)


def test_an_arm_that_lies_still_along_a_side_is_its_players_when_it_comes_over_the_squares() -> (
    None
):
    rims, reach, board = Rims(view_from(25)), Reach(), draw_board(view_from(25), START)
    lying = with_bar(board, (-0.7, 12.0), (-0.7, 1.0))
    for time_ms in range(0, 2_000, 100):
        rims.arms(board, time_ms, True)
    for time_ms in range(2_000, 5_000, 100):
        rims.arms(lying, time_ms, True)
        owner = reach.owner(np.zeros(64, np.float32), rims.around, time_ms, rims.ring)
        assert owner is Side.WHITE
    assert rims.ring[2:10, 0].all()
    over, hidden = with_bar(lying, (-0.7, 1.0), (0.6, 1.0)), np.zeros((8, 8), np.float32)
    hidden[:2, 0] = 1.0
    rims.arms(over, 5_000, False)
    assert reach.owner(hidden.ravel(), rims.around, 5_000, rims.ring) is Side.WHITE


def test_a_hand_over_a_rim_is_seen_though_the_camera_was_just_pushed() -> None:
    view = view_from(25)
    calibration = calibrate(draw_board(view, START), START)
    assert isinstance(calibration, Calibration)
    eye = Eye(calibration)
    for time_ms in range(0, 2_500, 100):
        eye.observe(draw_board(view, START, seed=time_ms), time_ms)
    hand = with_bar(draw_board(view, START), (4.0, 12.0), (4.0, 8.4))
    pushed = np.roll(hand, (4, 5), axis=(0, 1))
    seen = [eye.observe(pushed + np.uint8(n % 2), 2_500 + 100 * n) for n in range(3)]
    assert seen[0].shift > 30
    assert [hand.side for hand in seen[-1].hands] == [Side.WHITE]


def test_noise_on_the_rims_is_no_motion() -> None:
    rims = Rims(view_from(25))
    boards = [draw_board(view_from(25), START, noise=25.0, seed=i) // 3 for i in range(20)]
    assert not rims.arms(boards[0], 0, True)
    boxes = [with_bar(board, (3.0, 8.6), (5.0, 8.6)) for board in boards]
    arms = [rims.arms(box, 100 * i, True) for i, box in enumerate(boxes[1:], start=1)]
    assert list(arms[0]) == [Side.WHITE]
    assert not arms[-1]


def test_a_hand_that_leaves_the_rim_after_the_first_picture_is_forgotten_at_once() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    hand = with_bar(board, (4.0, 12.0), (4.0, 8.4))
    rims.arms(hand, 0, True)
    assert list(rims.arms(board, 100, True)) == [Side.WHITE]
    rims.arms(board, 200, True)
    assert not rims.arms(board, 300, True)
    for time_ms in range(400, 2_000, 100):
        assert not rims.arms(board, time_ms, True)
    for time_ms in range(2_000, 3_000, 100):  # what comes later is an arm until it has rested
        assert list(rims.arms(hand, time_ms, True)) == [Side.WHITE]


def test_what_a_rim_looks_like_is_learnt_when_no_hand_is_there() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    assert not rims.arms(with_bar(board, (4.0, 12.0), (4.0, 4.0)), 0, False)
    assert not rims.arms(board, 100, True)
    assert list(rims.arms(with_bar(board, (4.0, 12.0), (4.0, 4.0)), 200, False)) == [Side.WHITE]


def test_a_hand_over_the_far_rows_is_named_by_the_rim_it_came_over() -> None:
    hidden = np.zeros((8, 8), np.float32)
    hidden[:3, 3:5] = 1.0
    assert hands_over(hidden.ravel())[0].side is Side.RED
    assert hands_over(hidden.ravel(), {Side.WHITE: 0})[0].side is Side.WHITE


def test_a_hand_may_cover_what_lies_beside_it_and_is_perhaps_hidden() -> None:
    hidden = np.zeros((8, 8), np.float32)
    hidden[5:, 4] = 0.9
    assert hands_over(hidden.ravel())[0].squares == (23, 31)
    hidden[5, 3] = hidden[4, 5] = hidden[4, 1] = 0.1  # square 19 and, apart from the arm, 17
    assert hands_over(hidden.ravel())[0].squares == (19, 23, 31)
    hidden[4, 5] = 0.002
    assert hands_over(hidden.ravel())[0].squares == (23, 31)


@pytest.mark.parametrize(
    ("since", "side"),
    [
        ({Side.RED: 300, Side.WHITE: 100}, Side.WHITE),
        ({Side.RED: 100, Side.WHITE: 300}, Side.RED),
        ({Side.RED: 100, Side.WHITE: 100}, None),
    ],
)
def test_an_arm_that_reaches_right_across_is_one_hand(
    since: dict[Side, int], side: Side | None
) -> None:
    hidden = np.ones((8, 8), np.float32)
    hidden[:, :4] = hidden[:, 6:] = 0.0
    hidden[3] = 0.0  # where the sleeve ends a row of cells is thought to be in view
    hands = hands_over(hidden.ravel(), since)
    assert [(hand.side, len(hand.squares)) for hand in hands] == [(side, 7)]


def test_a_few_cells_that_a_lamp_hides_at_the_edge_are_no_hand_for_long() -> None:
    hidden = np.zeros((8, 8), np.float32)
    hidden[6, 2:5] = hidden[7, 4] = 1.0
    assert hands_over(hidden.ravel())[0].squares == (26, 31)
    assert hands_over(hidden.ravel(), {}, hidden.ravel() > 0) == ()
    assert hands_over(hidden.ravel(), {Side.WHITE: 0}, hidden.ravel() > 0)[0].squares == (26, 31)
    hidden[5, 2:5] = 1.0
    assert len(hands_over(hidden.ravel(), {}, hidden.ravel() > 0)) == 1


def test_what_hides_cells_from_the_first_is_no_hand_until_it_grows() -> None:
    _, calibration = calibrated()
    board = draw_board(view_from(25), START)
    lamp, arm = (with_bar(board, (4.0, 8.0), (4.0, end)) for end in (5.5, 3.0))
    eye = Eye(calibration)
    hands = [eye.observe(image, 100 * i).hands for i, image in enumerate((lamp, lamp, arm, lamp))]
    assert [bool(seen) for seen in hands] == [False, False, True, False]
    known = Eye(calibration)
    known.observe(board, 0)
    assert known.observe(lamp, 100).hands


@pytest.mark.parametrize(("hides", "hands"), [(0.7, 0), (0.97, 1)])
def test_a_square_left_bare_beside_a_lamp_is_no_hand(hides: float, hands: int) -> None:
    """Its light, too, is mirrored there, if faintly; what an arm covers shows nothing."""
    hidden = np.zeros(64, np.float32)
    hidden[[52, 60]] = 0.99, 0.8
    lamps = lamps_of(hidden, None)
    hidden[51] = hides
    assert len(hands_over(hidden, lamps=lamps)) == hands
    assert len(hands_over(hidden)) == 1


def test_a_lamp_that_has_gone_is_forgotten() -> None:
    hidden = np.zeros(64, np.float32)
    hidden[[31, 39]] = 1.0
    lamps = lamps_of(hidden, None)
    assert lamps_of(hidden, lamps)[[31, 39]].all()
    gone = lamps_of(np.zeros(64, np.float32), lamps)
    assert not lamps_of(hidden, gone).any()
    assert not lamps_of(np.ones(64, np.float32), None).any()


def test_two_hands_on_one_file_are_two() -> None:
    hidden = np.zeros((8, 8), np.float32)
    hidden[[0, 1, 2, 5, 6, 7], 4] = 1.0
    hands = hands_over(hidden.ravel(), {Side.RED: 300, Side.WHITE: 100})
    assert [hand.side for hand in hands] == [Side.RED, Side.WHITE]


def test_the_rim_that_was_crossed_first_is_remembered() -> None:
    rims = Rims(view_from(25))
    board = draw_board(view_from(25), START)
    assert not rims.arms(board, 0, True)
    rims.arms(with_bar(board, (4.0, 12.0), (4.0, 4.0)), 100, False)
    across = with_bar(board, (4.0, 12.0), (4.0, -1.5))
    assert rims.arms(across, 200, False) == {Side.RED: 200, Side.WHITE: 100}


def test_what_is_hidden_amid_the_board_without_an_arm_is_no_hand() -> None:
    hidden = np.zeros((8, 8), np.float32)
    hidden[3, 3:5] = 1.0
    assert hands_over(hidden.ravel()) == ()
    assert hands_over(hidden.ravel(), {Side.RED: 0})[0].side is Side.RED


def test_a_strangers_hand_comes_over_the_boards_side() -> None:
    hidden = np.zeros((8, 8), np.float32)
    hidden[3, :4] = 1.0
    assert [hand.side for hand in hands_over(hidden.ravel())] == [None]

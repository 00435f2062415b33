"""Discs that come and go, told by how a piece looks beside how it looked before."""

from __future__ import annotations

import pytest

from referee.board import at, is_king, replace, side_of
from referee.events import Crowned, Irregular
from referee.notation import parse_fen
from referee.observation import HIDDEN, Hand, Recalled
from tests.looks import man_looking
from tests.table import RED, WHITE, Table, at_fen, kinds, moves, names

SAME = -600
CROWNING = "B:W12,21,32:B26,1,2,9"
UNREAD = (0, 0, 0, 0, 0)


def _beside(table: Table, square: int, more: int, less: int, since_ms: int) -> None:
    table.recalled[square] = Recalled(more, less, since_ms)


def _faint(table: Table, *squares: int) -> Table:
    """The table whose pieces on these squares look what they are, but not so plainly that nothing
    could be said against it."""
    for square in squares:
        piece = at(table.setup, square)
        looks = 300 if is_king(piece) else -300
        table.misread[square] = man_looking(looks, side_of(piece) or RED)
    return table


def _visited(table: Table, square: int, more: int, less: int, ms: int = 4_000) -> list[str]:
    """A hand has been at a piece, which says so much beside how it looked before; what was told."""
    since_ms = table.time_ms
    table.recalled.pop(square, None)
    table.reach(RED, {square}, 500)
    _beside(table, square, more, less, since_ms)
    return names(table.rest(ms))


@pytest.mark.parametrize(
    ("more", "leap", "told"),
    [
        (620, 0, ["crown_unearned"]),
        (580, 0, []),
        (580, 110, ["crown_unearned"]),
        (580, 90, []),
        (280, 110, []),
    ],
)
def test_a_man_who_has_a_disc_more_than_before_is_told_of_whatever_he_looks(
    more: int, leap: int, told: list[str]
) -> None:
    """Where that is not quite plain, if he also looks more a king than he did."""
    table = Table()
    table.misread = {11: man_looking(-300)}
    table.rest(3_000)
    table.misread = {11: man_looking(-300 + leap)}
    _visited(table, 11, more, SAME)
    assert kinds(table.events) == told
    sides = [event.side for event in table.events if isinstance(event, Irregular)]
    assert sides == [RED] * len(told)


def test_so_is_one_while_it_is_open_which_of_two_moves_was_made() -> None:
    table = Table()
    table.misread = {28: man_looking(-300, WHITE)}
    table.rest(3_000)
    table.change(RED, {11: ".", 15: "r"})
    table.change(WHITE, {23: ".", 19: "w"})
    table.change(WHITE, {19: ".", 23: "w"}, 600)
    table.change(WHITE, {23: ".", 18: "w"}, 3_000)
    assert "unsure" in names(table.events)
    before = len(kinds(table.events))
    _visited(table, 28, 600, SAME)
    assert kinds(table.events)[before:] == ["crown_unearned"]


@pytest.mark.parametrize(
    ("looks", "told"), [(-390, ["crown_unearned"]), (-410, [])], ids=["rather a man", "a man"]
)
@pytest.mark.parametrize("tells", [True, False])
def test_nobody_has_crowned_a_man_who_plainly_looks_one(
    looks: int, tells: bool, told: list[str]
) -> None:
    """Unless in this light the eye takes all pieces for men."""
    table = at_fen("B:W32,28:B11,1,2")
    if not tells:
        table.misread = dict.fromkeys((1, 2), man_looking(50)) | {
            square: man_looking(50, WHITE) for square in (28, 32)
        }
    table.misread[11] = man_looking(looks)
    table.rest(3_000)
    _visited(table, 11, 700, SAME)
    assert kinds(table.events) == (told if tells else ["crown_unearned"])


@pytest.mark.parametrize(("left", "told"), [(230, ["crown_unearned"]), (60, [])])
def test_a_disc_too_many_that_was_seen_under_the_hand_must_show_when_it_has_left(
    left: int, told: list[str]
) -> None:
    """Of a man who plainly looks one: he was put to the middle of his square."""
    table = Table()
    table.misread = {11: man_looking(-390)}
    table.rest(3_000)
    since_ms = table.time_ms
    table.reach(RED, {11}, 500)
    _beside(table, 11, 630, SAME, since_ms)
    table.rest(400, Hand(RED, ()))
    _beside(table, 11, left, SAME, since_ms)
    table.rest(4_000)
    assert kinds(table.events) == told


def test_a_king_who_has_a_disc_less_than_before_has_lost_his_crown() -> None:
    table = _faint(at_fen("W:WK14,32:B1,2,3,4"), 14)
    _visited(table, 14, SAME, 520)
    assert kinds(table.events) == ["crown_removed"]


def test_a_man_can_lose_no_disc_and_a_king_get_none() -> None:
    table = at_fen("W:WK14,32:B1,2,3,4")
    _visited(table, 14, 600, SAME)
    _visited(table, 3, SAME, 600)
    assert not kinds(table.events)


def test_a_disc_too_many_stays_one_while_other_hands_pass() -> None:
    table = _faint(Table(), 11)
    table.rest(3_000)
    _visited(table, 11, 600, SAME)
    assert not _visited(table, 11, SAME, SAME), "as before, which was one too many"
    assert not _visited(table, 11, -200, 150)[1:], "this is not plain, but likely enough"
    assert names(table.events)[-1] == "restored"


def test_a_disc_that_is_taken_off_at_once_is_set_beside_the_look_before_it_came() -> None:
    table = _faint(Table(), 11)
    table.rest(3_000)
    since_ms = table.time_ms
    _visited(table, 11, 600, SAME)
    table.recalled.pop(11)
    table.reach(RED, {11}, 500)
    _beside(table, 11, SAME, SAME, since_ms)
    assert names(table.rest(2_000)) == ["restored"]


@pytest.mark.parametrize(("over", "told"), [(True, ["crown_removed"]), (False, [])])
def test_fingers_on_the_rim_before_a_king_have_not_taken_his_crown(
    over: bool, told: list[str]
) -> None:
    """They hide his lower disc; he plainly looks a king all the while."""
    table = at_fen("W:WK3,14,32:B1,2,12")
    table.misread = {3: (-1200, -1200, -1200, -1000, 0)}
    table.rest(3_000)
    table.reach(RED, {3} if over else (), 500)
    table.misread = {3: (-1200, -1200, -1200, -340, 0)}
    _beside(table, 3, -1_100, 960, table.time_ms - 1_000)
    table.reach(RED, (), 1_500)
    table.rest(2_000)
    assert kinds(table.events) == told


def test_several_pieces_that_seem_to_have_a_disc_more_at_once_are_out_of_focus() -> None:
    table = _faint(Table(), 10, 11)
    table.rest(3_000)
    table.reach(RED, {10, 11}, 500)
    for square in (10, 11):
        _beside(table, square, 600, SAME, table.time_ms)
    table.rest(3_000)
    assert not kinds(table.events)
    _beside(table, 10, SAME, SAME, 3_000)
    table.rest(3_000)
    assert kinds(table.events) == ["crown_unearned"]


@pytest.mark.parametrize(("after_ms", "told"), [(1_900, []), (2_100, ["crown_unearned"])])
def test_not_where_one_seems_so_long_after_the_other(after_ms: int, told: list[str]) -> None:
    """A hand stays over the board until then, and nothing is told before it has left."""
    table = _faint(Table(), 10, 11)
    table.rest(3_000)
    table.reach(RED, {10, 11}, 500)
    for square in (10, 11):
        _beside(table, square, 600, SAME, table.time_ms - 600)
        table.rest(after_ms if square == 10 else 300, Hand(RED, (1,)))
    table.rest(3_000)
    assert kinds(table.events) == told


def test_a_man_is_crowned_who_has_a_disc_more_though_he_looks_a_man() -> None:
    """Unless he looks one more plainly than any who was crowned."""
    table = at_fen(CROWNING)
    table.misread = {31: man_looking(-400)}
    table.change(RED, {26: ".", 31: "r"}, 3_000)
    _visited(table, 31, 600, SAME)
    assert [event.square for event in table.events if isinstance(event, Crowned)] == [31]


@pytest.mark.parametrize(
    ("came", "odds", "told"),
    [(500, SAME, ["crown_missing"]), (500, -100, []), (-290, SAME, ["crown_missing"])],
)
def test_a_man_who_looks_a_king_but_as_he_did_where_he_came_from_lacks_his_crown(
    came: int, odds: int, told: list[str]
) -> None:
    """Nor need he have looked one there by far so much."""
    table = at_fen(CROWNING)
    table.misread = {26: man_looking(came)}
    table.rest(2_000)
    since_ms = table.time_ms
    table.misread = {31: man_looking(500)}
    _beside(table, 31, odds, odds, since_ms)
    table.change(RED, {26: ".", 31: "r"}, 3_000)
    assert ("crowned" in names(table.events)) == (not told)
    assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == told


@pytest.mark.parametrize(("looks", "came"), [(500, -310), (600, -700)])
def test_none_lacks_his_crown_whose_portrait_is_contradicted_by_how_he_looks(
    looks: int, came: int
) -> None:
    table = at_fen(CROWNING)
    table.misread = {26: man_looking(came)}
    table.rest(2_000)
    since_ms = table.time_ms
    table.misread = {31: man_looking(looks)}
    _beside(table, 31, SAME, SAME, since_ms)
    table.change(RED, {26: ".", 31: "r"}, 3_000)
    assert not kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000))


def test_nor_is_he_crowned_when_a_hand_that_is_near_leaves_only_his_look() -> None:
    table = at_fen(CROWNING)
    since_ms = table.time_ms
    table.misread = {31: man_looking(300)}
    _beside(table, 31, SAME, SAME, since_ms)
    table.change(RED, {26: ".", 31: "r"})
    table.recalled.pop(31)
    table.reach(WHITE, {12}, 500)
    assert "crowned" not in names(table.events)
    table.setup = replace(table.setup, {12: ".", 8: "w"})
    table.reach(WHITE, {8, 12})
    _beside(table, 31, SAME, SAME, since_ms)
    table.rest(4_000)
    assert kinds(table.events) == ["crown_missing"]


def test_who_was_told_to_crown_a_man_has_done_it_when_he_has_been_at_him() -> None:
    """Also where it cannot be seen: then both portraits err."""
    table = at_fen(CROWNING)
    _beside(table, 31, SAME, SAME, table.time_ms)
    table.change(RED, {26: ".", 31: "r"}, 3_000)
    table.change(WHITE, {12: ".", 8: "w"}, 4_000)
    table.recalled.clear()
    table.misread = {31: man_looking(200)}
    table.reach(WHITE, {31}, 1_000)
    _beside(table, 31, SAME, SAME, table.time_ms - 3_000)
    table.rest(6_000)
    assert moves(table.events) == ["26-31", "12-8"]


@pytest.mark.parametrize(
    ("more", "looks", "told"),
    [(620, 220, ["crown_unearned"]), (280, 220, []), (900, 180, [])],
    ids=["plainly", "less", "hardly a king by his look"],
)
def test_a_disc_that_came_with_the_move_is_seen_beside_the_look_before_it(
    more: int, looks: int, told: list[str]
) -> None:
    table = Table()
    table.rest(3_000)
    table.misread = {15: man_looking(looks)}
    _beside(table, 15, more, SAME, table.time_ms)
    table.change(RED, {11: ".", 15: "r"}, 4_000)
    assert moves(table.events) == ["11-15"]
    assert kinds(table.events) == told


def test_what_was_wrong_with_a_piece_that_has_moved_may_have_been_put_right_on_the_way() -> None:
    table = _faint(at_fen("B:W22,30,32:BK15,1,2"), 15)
    _visited(table, 15, SAME, 600)
    assert kinds(table.events) == ["crown_removed"]
    table.misread.clear()
    table.recalled.clear()
    table.change(RED, {15: ".", 18: "R"}, 4_000)
    assert moves(table.events) == ["15-18"]
    assert not table.game.tracker.ranks.heights
    assert len(kinds(table.events)) == 1


@pytest.mark.parametrize(("odds", "told"), [(0, ["crown_unearned"]), (-1, [])])
def test_a_smaller_leap_is_enough_where_the_piece_rather_looks_changed(
    odds: int, told: list[str]
) -> None:
    table = Table()
    table.misread = {11: man_looking(-100)}
    table.rest(3_000)
    table.misread = {11: man_looking(110)}
    _visited(table, 11, odds, SAME)
    assert kinds(table.events) == told


def test_a_piece_that_is_captured_leaves_no_height() -> None:
    table = at_fen("B:W15,21,32:B10,1,2")
    table.rest(2_000)
    _visited(table, 15, 600, SAME, 200)
    assert [square for square, _ in table.game.tracker.ranks.heights] == [15]
    table.recalled.clear()
    table.change(RED, {10: ".", 15: ".", 19: "r"}, 3_000)
    assert not table.game.tracker.ranks.heights


def test_a_man_whose_look_has_leapt_may_have_been_crowned_though_he_seems_as_he_came() -> None:
    table = at_fen(CROWNING)
    table.misread = {31: man_looking(-400)}
    table.change(RED, {26: ".", 31: "r"}, 3_000)
    table.misread = {31: man_looking(400)}
    _visited(table, 31, SAME, SAME)
    assert [event.square for event in table.events if isinstance(event, Crowned)] == [31]


def test_what_is_seen_beside_a_look_that_was_not_plain_says_nothing_of_the_crown() -> None:
    """That he may have been crowned since he came was not plain; now he looks as he did then."""
    table = at_fen(CROWNING)
    table.misread = {31: man_looking(-250)}
    table.change(RED, {26: ".", 31: "r"}, 3_000)
    _visited(table, 31, 150, SAME)
    table.recalled[31] = Recalled(-700, -700, table.time_ms)
    assert not kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000))


@pytest.mark.parametrize(("odds", "told"), [(-520, ["crown_missing"]), (-480, [])])
def test_a_man_who_looks_as_before_the_hand_that_replied_passed_him_lacks_his_crown(
    odds: int, told: list[str]
) -> None:
    """That he has come without one was not plain, but nobody was at him then."""
    assert kinds(_replied_over(_arrived(), odds).events) == told


def test_fingers_that_hardly_hid_him_may_have_crowned_him_before_that() -> None:
    table = _arrived()
    _beside(table, 31, 150, SAME, table.time_ms)
    table.rest(2_000)
    assert not kinds(_replied_over(table, -700).events)


@pytest.mark.parametrize(("came", "told"), [(SAME, ["crown_missing"]), (40, [])])
def test_nor_was_he_bare_who_perhaps_has_come_with_his_crown(came: int, told: list[str]) -> None:
    table = at_fen(CROWNING)
    table.misread = {31: man_looking(-120)}
    _beside(table, 31, came, SAME, table.time_ms)
    table.change(RED, {26: ".", 31: "r"}, 3_000)
    assert kinds(_replied_over(table, -700).events) == told


@pytest.mark.parametrize(
    ("came", "looks", "told"),
    [
        (-40, -200, ["crown_missing"]),
        (40, -200, []),
        (40, -460, ["crown_missing"]),
    ],
)
def test_then_he_must_plainly_look_a_man(came: int, looks: int, told: list[str]) -> None:
    table = at_fen(CROWNING)
    table.misread = {31: man_looking(looks)}
    _beside(table, 31, came, SAME, table.time_ms)
    table.change(RED, {26: ".", 31: "r"}, 3_000)
    assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == told


def test_a_portrait_that_was_kept_before_the_move_was_told_may_show_the_crown() -> None:
    table = at_fen(CROWNING)
    table.misread = {31: man_looking(-50)}
    table.change(RED, {26: ".", 31: "r"}, 100)
    kept_ms = table.time_ms
    table.rest(3_000)
    table.reach(WHITE, {12, 31})
    table.setup = replace(table.setup, {12: ".", 8: "w"})
    table.reach(WHITE, {8, 12, 31})
    _beside(table, 31, -700, SAME, kept_ms)
    table.rest(4_000)
    assert not kinds(table.events)


@pytest.mark.parametrize(("odds", "told"), [(-520, ["crown_missing"]), (-480, [])])
def test_a_hand_over_him_before_he_was_seen_has_not_crowned_him_if_he_looks_as_he_came(
    odds: int, told: list[str]
) -> None:
    """So it is found out before the hand comes that passes him and replies."""
    table = at_fen(CROWNING)
    table.misread = {26: man_looking(-350)}
    table.rest(2_000)
    kept_ms = table.time_ms
    table.reach(RED, {26, 31})
    table.setup = replace(table.setup, {26: ".", 31: "r"})
    table.misread = {31: man_looking(-350)}
    table.reach(RED, {31, 26})
    table.reach(WHITE, {31})
    _beside(table, 31, odds, SAME, kept_ms)
    table.rest(2_000)
    assert kinds(_replied_over(table, -700).events) == told


@pytest.mark.parametrize(
    ("looks", "odds", "told"),
    [
        (-500, None, ["crown_missing"]),
        (-400, None, []),
        (-250, -320, ["crown_missing"]),
        (-250, -280, []),
    ],
)
def test_a_man_who_was_answered_at_once_lacks_his_crown(
    looks: int, odds: int | None, told: list[str]
) -> None:
    """It was not seen in time that he had left his square, and both moves are told together: he
    plainly looks a man as where he came from, or rank and portraits say it."""
    table = at_fen(CROWNING)
    table.misread = {26: man_looking(looks)}
    table.rest(2_000)
    kept_ms = table.time_ms
    table.misread = {26: UNREAD, 31: man_looking(looks)}
    table.change(RED, {26: ".", 31: "r"}, 100)
    table.change(WHITE, {12: ".", 8: "w"}, 700)
    if odds is not None:
        _beside(table, 31, odds, SAME, kept_ms)
    del table.misread[26]
    table.rest(4_000)
    assert moves(table.events) == ["26-31", "12-8"]
    assert kinds(table.events) == told


def _arrived() -> Table:
    table = at_fen(CROWNING)
    table.misread = {31: man_looking(-50)}
    _beside(table, 31, -150, SAME, table.time_ms)
    table.change(RED, {26: ".", 31: "r"}, 3_000)
    return table


def _replied_over(table: Table, odds: int) -> Table:
    """A hand passes the man on 31 and replies: he looks as before by so much."""
    since_ms = table.time_ms
    table.recalled.pop(31)
    table.reach(WHITE, {12, 31})
    table.setup = replace(table.setup, {12: ".", 8: "w"})
    table.reach(WHITE, {8, 12, 31})
    _beside(table, 31, odds, SAME, since_ms)
    table.rest(4_000)
    return table


def test_a_look_that_leaps_much_later_does_not_confirm_what_was_not_plain() -> None:
    """A hand is beside the piece, with its shadow."""
    table = Table()
    table.misread = {11: man_looking(-300)}
    table.rest(3_000)
    _visited(table, 11, 400, SAME, 6_000)
    table.misread = {11: man_looking(-180)}
    table.rest(800, Hand(RED, (7,)))
    table.rest(3_000)
    assert not kinds(table.events)


def test_a_man_has_no_disc_to_lose() -> None:
    """Nor does it count how likely that would be."""
    table = _faint(Table(), 11)
    table.rest(3_000)
    _visited(table, 11, 600, 900)
    assert kinds(table.events) == ["crown_unearned"]


@pytest.mark.parametrize(
    ("odds", "looks", "told"),
    [(-320, 350, []), (-280, 350, ["crown_unearned"]), (-320, 450, ["crown_unearned"])],
)
def test_a_rank_is_not_heard_of_a_piece_that_surely_looks_as_before(
    odds: int, looks: int, told: list[str]
) -> None:
    """Unless that leaps so far as no eye errs."""
    table = Table()
    table.misread = {11: man_looking(-400)}
    table.rest(3_000)
    table.misread = {11: man_looking(looks)}
    _visited(table, 11, odds, odds)
    assert kinds(table.events) == told


@pytest.mark.parametrize(("looks", "told"), [(100, []), (-100, ["crown_removed"])])
def test_nor_is_one_that_leaps_so_far_and_is_the_same_still(looks: int, told: list[str]) -> None:
    table = Table(parse_fen("B:W21,22:BK11,K32"))
    table.strength = 950
    table.rest(3_000)
    table.misread = {11: man_looking(looks)}
    _visited(table, 11, -900, -900)
    assert kinds(table.events) == told


@pytest.mark.parametrize(("looks_ms", "told"), [(1_000, ["crown_unearned"]), (3_000, [])])
def test_nor_one_that_comes_long_after_the_hand_that_brought_the_piece(
    looks_ms: int, told: list[str]
) -> None:
    table = Table()
    table.rest(3_000)
    table.misread = {15: man_looking(0)}
    _beside(table, 15, 900, SAME, table.time_ms)
    table.change(RED, {11: ".", 15: "r"}, looks_ms - 500)
    table.misread = {15: man_looking(300)}
    table.rest(4_000)
    table.reach(WHITE, {19}, 200)
    table.rest(3_000)
    assert kinds(table.events) == told


@pytest.mark.parametrize(("odds", "told"), [(-300, ["crown_missing"]), (-290, [])])
def test_where_few_pieces_tell_their_ranks_a_man_who_looks_one_must_look_as_he_came(
    odds: int, told: list[str]
) -> None:
    table = at_fen("B:W12:B26")
    table.misread = {8: man_looking(0, WHITE), 12: man_looking(0, WHITE), 31: man_looking(-400)}
    _beside(table, 31, odds, SAME, table.time_ms)
    table.change(RED, {26: ".", 31: "r"}, 3_000)
    del table.misread[12]
    assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == told


@pytest.mark.parametrize(("passed", "told"), [(12, ["crown_missing"]), (27, [])])
def test_a_look_that_leaps_far_from_any_hand_crowns_nobody(passed: int, told: list[str]) -> None:
    """Whoever is near the man need not hide him to put a disc on him."""
    table = at_fen(CROWNING)
    table.misread = {31: man_looking(-400)}
    table.change(RED, {26: ".", 31: "r"}, 3_000)
    table.misread = {31: man_looking(-150)}
    table.reach(WHITE, {12, passed}, 500)
    table.setup = replace(table.setup, {12: ".", 8: "w"})
    table.reach(WHITE, {8, 12})
    table.rest(4_000)
    assert kinds(table.events) == told


@pytest.mark.parametrize(
    ("place", "more", "told"),
    [
        ((50, -171), -150, []),
        ((50, -140), -150, ["crown_unearned"]),
        ((50, -171), 620, ["crown_unearned"]),
    ],
)
def test_the_rank_of_a_man_far_from_the_middle_of_his_square_accuses_nobody(
    place: tuple[int, int], more: int, told: list[str]
) -> None:
    """He may lie half on another cell: it must be told beside how he looked before."""
    table = Table()
    table.misread = {11: man_looking(-450)}
    table.rest(3_000)
    table.misread, table.offsets = {11: man_looking(120)}, {11: place}
    _visited(table, 11, more, SAME)
    assert kinds(table.events) == told


@pytest.mark.parametrize(("came", "told"), [(-520, ["crown_missing"]), (-480, [])])
def test_who_looked_as_where_he_came_from_was_bare_though_his_own_hand_came_back(
    came: int, told: list[str]
) -> None:
    """Red's hand is over the man again before his move is told; then White's passes him."""
    table = at_fen(CROWNING)
    since_ms = table.time_ms
    table.misread = {31: man_looking(-170)}
    table.reach(RED, {26, 31})
    table.setup = replace(table.setup, {26: ".", 31: "r"})
    table.reach(RED, {26, 31})
    table.rest(100, Hand(RED, (27,)))
    table.reach(RED, {31})
    _beside(table, 31, came, SAME, since_ms)
    table.rest(3_000)
    assert kinds(_replied_over(table, -1_000).events) == told


def test_a_disc_that_seemed_to_come_with_the_move_is_not_told_when_another_hand_passes() -> None:
    """The man has plainly looked one meanwhile."""
    table = Table()
    table.rest(3_000)
    _beside(table, 15, 900, SAME, table.time_ms)
    table.change(RED, {11: ".", 15: "r"}, 3_000)
    _visited(table, 15, -700, SAME)
    assert moves(table.events) == ["11-15"]
    assert not kinds(table.events)


def test_nor_is_one_of_which_it_was_told_late_that_the_piece_has_come() -> None:
    """Red's man has long stood on 15 when his move is told, and is seen beside how he looked on
    11."""
    table = Table()
    table.rest(3_000)
    _beside(table, 15, 900, SAME, table.time_ms)
    table.misread = {11: HIDDEN}
    table.change(RED, {11: ".", 15: "r"}, 800)
    assert not moves(table.events)
    table.rest(4_000)
    assert moves(table.events) == ["11-15"]
    assert not kinds(table.events)


@pytest.mark.parametrize(
    ("looks", "odds", "told"),
    [
        (-300, -270, ["crown_missing"]),
        (-300, -230, []),
        (-440, -90, []),
        (-90, -480, []),
    ],
)
def test_a_man_lacks_his_crown_where_rank_and_portraits_say_so_together(
    looks: int, odds: int, told: list[str]
) -> None:
    """Though a hand that did not reply was over him."""
    table = at_fen(CROWNING)
    table.misread = {26: man_looking(looks)}
    table.rest(3_000)
    since_ms, table.misread = table.time_ms, {31: man_looking(looks)}
    table.change(RED, {26: ".", 31: "r"}, 1_000)
    table.reach(WHITE, {31}, 500)
    _beside(table, 31, odds, SAME, since_ms)
    table.rest(1_000)
    assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == told


def test_a_portrait_kept_before_anybody_came_shows_a_man_who_lacks_his_crown() -> None:
    table = at_fen(CROWNING)
    _beside(table, 31, SAME, SAME, table.time_ms)
    table.misread = {31: man_looking(-90)}
    table.change(RED, {26: ".", 31: "r"}, 2_000)
    _beside(table, 31, SAME, SAME, table.time_ms)
    table.rest(2_000)
    assert kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000)) == ["crown_missing"]


def test_but_not_where_none_has_shown_him_before_who_may_have_come_with_his_crown() -> None:
    """Red has laid the disc on him in the half second before he was seen."""
    table = at_fen(CROWNING)
    table.misread = {31: man_looking(190)}
    table.change(RED, {26: ".", 31: "r"}, 500)
    _beside(table, 31, -800, SAME, table.time_ms)
    assert not kinds(table.change(WHITE, {12: ".", 8: "w"}, 4_000))


def test_a_man_who_awaits_his_crown_cannot_have_lost_it() -> None:
    """He looked a king for a while when he came."""
    table = at_fen(CROWNING)
    since_ms = table.time_ms
    table.misread = {31: man_looking(120)}
    table.change(RED, {26: ".", 31: "r"}, 2_000)
    table.misread = {31: man_looking(-500)}
    table.reach(WHITE, {31}, 500)
    _beside(table, 31, -90, -300, since_ms)
    table.rest(4_000)
    assert not kinds(table.events)

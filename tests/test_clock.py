"""The players' time: limits, grace, periods, pauses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import clock as clocks
from referee.board import Side
from referee.clock import INFORMAL, MINUTE_MS, Clock, Expiry, Period, PerMove, Setting
from referee.errors import NotationError

RED, WHITE = Side.RED, Side.WHITE


def minutes(count: float) -> int:
    return int(count * MINUTE_MS)


def running(limits: PerMove | Period, single: bool = False) -> Clock:
    return clocks.start(Clock(Setting(limits)), RED, 0, single)


class TestPerMove:
    def test_five_minutes_and_one_of_grace(self) -> None:
        clock, early = clocks.tick(running(INFORMAL), minutes(5) - 1)
        assert early is None
        clock, first = clocks.tick(clock, minutes(5))
        assert first == Expiry(RED, minutes(1))
        clock, again = clocks.tick(clock, minutes(5.5))
        assert again is None
        clock, last = clocks.tick(clock, minutes(6))
        assert last == Expiry(RED, 0)
        assert clocks.tick(clock, minutes(60))[1] is None

    def test_a_single_capture_has_a_minute(self) -> None:
        _, expiry = clocks.tick(running(INFORMAL, single=True), minutes(1))
        assert expiry == Expiry(RED, minutes(1))

    def test_each_move_has_its_own_time(self) -> None:
        clock = clocks.complete(running(INFORMAL), minutes(4), False)
        assert clock.left_ms(WHITE, minutes(6)) == minutes(3)
        clock = clocks.complete(clock, minutes(7), True)
        assert clock.left_ms(RED, minutes(7)) == minutes(1)

    @pytest.mark.parametrize(("undone", "left"), [(1, 2), (2, 3), (3, 4)])
    def test_a_move_that_is_made_again_has_what_was_left_for_it(
        self, undone: int, left: int
    ) -> None:
        clock = running(INFORMAL)
        for now in (1, 3, 6):
            clock = clocks.complete(clock, minutes(now), False)
        turn = RED if undone % 2 else WHITE
        clock = clocks.turned(clock, turn, minutes(10), False, undone)
        assert (clock.side, clock.left_ms(turn, minutes(10))) == (turn, minutes(left))
        clock = clocks.complete(clock, minutes(11), False)
        assert clock.left_ms(turn.other, minutes(11)) == minutes(5), "the reply begins anew"

    def test_it_has_no_second_grace(self) -> None:
        clock, _ = clocks.tick(running(INFORMAL), minutes(5.5))
        clock = clocks.complete(clock, minutes(5.5), False)
        clock = clocks.turned(clock, RED, minutes(7), False, undone=1)
        clock, early = clocks.tick(clock, minutes(7.5) - 1)
        assert early is None
        assert clocks.tick(clock, minutes(7.5))[1] == Expiry(RED, 0)

    def test_a_move_from_before_the_clock_was_set_begins_anew(self) -> None:
        clock = clocks.turned(running(INFORMAL), RED, minutes(4), False, undone=2)
        assert clock.left_ms(RED, minutes(4)) == minutes(5)

    def test_who_loses_the_turn_begins_his_next_move_anew(self) -> None:
        clock = clocks.turned(running(INFORMAL), WHITE, minutes(4), False)
        assert clock.left_ms(WHITE, minutes(4)) == minutes(5)
        clock = clocks.complete(clock, minutes(5), False)
        assert clock.left_ms(RED, minutes(5)) == minutes(5)

    def test_who_keeps_it_has_what_is_left(self) -> None:
        clock = clocks.turned(running(INFORMAL), RED, minutes(4), False)
        assert clock.left_ms(RED, minutes(4)) == minutes(1)

    @pytest.mark.parametrize("grace_told", [False, True])
    def test_nobody_loses_by_a_time_that_he_was_not_told_of(self, grace_told: bool) -> None:
        """He had five minutes, until it was said that he has but one capture; he has his grace."""
        clock, _ = clocks.tick(running(INFORMAL), minutes(5.5 if grace_told else 3))
        clock = clocks.turned(clock, RED, minutes(5.5), single=True)
        clock, first = clocks.tick(clock, minutes(5.5))
        assert first == Expiry(RED, minutes(1))
        assert clocks.tick(clock, minutes(6.5) - 1)[1] is None
        assert clocks.tick(clock, minutes(6.5))[1] == Expiry(RED, 0)

    def test_grace_is_told_again_when_a_single_capture_was_none(self) -> None:
        clock, _ = clocks.tick(running(INFORMAL, single=True), minutes(1.5))
        clock = clocks.turned(clock, RED, minutes(1.5), single=False)
        assert clocks.tick(clock, minutes(5) - 1)[1] is None
        assert clocks.tick(clock, minutes(5))[1] == Expiry(RED, minutes(1))

    def test_with_a_button_both_limits_are_told_again(self) -> None:
        clock = clocks.start(Clock(Setting(INFORMAL, by_button=True)), RED, 0)
        clock = clocks.told(clock, RED, minutes(1), False)
        clock, _ = clocks.tick(clock, minutes(5))
        clock = clocks.turned(clock, RED, minutes(5), False, undone=1)
        clock, early = clocks.tick(clock, minutes(10) - 1)
        assert early is None
        assert clocks.tick(clock, minutes(10))[1] == Expiry(RED, minutes(1))

    def test_who_keeps_it_is_not_told_again_what_has_passed(self) -> None:
        clock, _ = clocks.tick(running(INFORMAL), minutes(5))
        clock = clocks.turned(clock, RED, minutes(5), False)
        assert clocks.tick(clock, minutes(5.5))[1] is None

    @pytest.mark.parametrize("turned", [True, False])
    def test_what_has_passed_of_a_players_time_is_told_of_the_others_too(
        self, turned: bool
    ) -> None:
        clock, _ = clocks.tick(running(INFORMAL), minutes(5))
        if turned:
            clock = clocks.turned(clock, WHITE, minutes(5), False)
        else:
            clock = clocks.complete(clock, minutes(5), False)
        assert clocks.tick(clock, minutes(10))[1] == Expiry(WHITE, minutes(1))

    def test_who_has_the_turn_has_a_minute_for_a_single_capture_after_a_correction(self) -> None:
        clock = clocks.turned(running(INFORMAL), WHITE, minutes(4), True)
        assert clock.left_ms(WHITE, minutes(4)) == minutes(1)

    def test_not_whose_button_was_pressed_for_a_move_that_is_no_more(self) -> None:
        clock = clocks.start(Clock(Setting(INFORMAL, by_button=True)), RED, 0)
        clock = clocks.told(clocks.pressed(clock, 0, False), RED, 0, False)
        clock = clocks.turned(clock, RED, 0, True, undone=1)
        assert clock.left_ms(WHITE, 0) == minutes(5)

    def test_a_late_tick_tells_of_the_last_limit_at_once(self) -> None:
        assert clocks.tick(running(INFORMAL), minutes(9))[1] == Expiry(RED, 0)


class TestPeriods:
    def played(self, limits: Period, each: float, moves: int) -> Clock:
        """Both players take so many minutes for each of their moves."""
        clock = running(limits)
        for ply in range(2 * moves):
            clock = clocks.complete(clock, minutes(each * (ply + 1)), False)
        return clock

    def test_time_runs_over_all_moves_of_a_period(self) -> None:
        clock = self.played(Period(30, minutes(60)), 2, 10)
        assert clock.left_ms(RED, minutes(40)) == minutes(40)
        assert clocks.tick(clock, minutes(80) - 1)[1] is None
        assert clocks.tick(clock, minutes(80))[1] == Expiry(RED, 0)

    def test_time_left_is_kept_for_the_next_period(self) -> None:
        clock = self.played(Period(24, minutes(60)), 2, 24)
        assert clock.left_ms(RED, minutes(96)) == minutes(60 + 12)

    @pytest.mark.parametrize("carries", [True, False])
    def test_it_is_known_at_the_next_move_that_its_end_was_told(self, carries: bool) -> None:
        clock = running(Period(2, minutes(10), carries))
        clock, first = clocks.tick(clock, minutes(11))
        assert first == Expiry(RED, 0)
        for now in (11, 12):
            clock = clocks.complete(clock, minutes(now), False)
        clock, second = clocks.tick(clock, minutes(12))
        assert second == Expiry(RED, 0, again=True)
        for now in (12, 13):
            clock = clocks.complete(clock, minutes(now), False)
        clock, other = clocks.tick(clock, minutes(40))
        assert other == Expiry(RED, 0), "that is the next period"

    def test_or_is_lost(self) -> None:
        clock = self.played(Period(24, minutes(60), carries=False), 2, 24)
        assert clock.left_ms(RED, minutes(96)) == minutes(60)


def test_a_pause_costs_nobody_anything() -> None:
    clock = clocks.stop(running(INFORMAL), minutes(2))
    assert clocks.tick(clock, minutes(50))[1] is None
    clock = clocks.resume(clock, minutes(50))
    assert clock.left_ms(RED, minutes(51)) == minutes(2)


def test_in_a_pause_nothing_runs_for_anybody() -> None:
    """Neither by the button nor by a move that is told or taken back."""
    clock = clocks.stop(running(INFORMAL), minutes(2))
    turned = clocks.turned(clock, RED, minutes(3), False)
    assert turned.left_ms(RED, minutes(9)) == minutes(3)
    told = clocks.told(clock, RED, minutes(3), True)
    assert told.left_ms(RED, minutes(9)) == minutes(3), "not the minute that the reply has"
    pressed = clocks.pressed(told, minutes(4), False)
    assert pressed.left_ms(WHITE, minutes(9)) == minutes(5)


def test_who_is_stopped_for_a_time_before_his_own_gains_nothing() -> None:
    clock = clocks.stop(clocks.start(Clock(Setting(INFORMAL)), RED, minutes(2)), minutes(1))
    assert clock.left_ms(RED, minutes(9)) == minutes(5)


def test_a_clock_that_was_never_started_does_not_run() -> None:
    clock = Clock(Setting(INFORMAL))
    assert clocks.resume(clock, 0) == clock
    assert clocks.tick(clock, minutes(99))[1] is None
    assert clocks.complete(clock, 5, False) == clock


def test_a_correction_gives_no_time_back() -> None:
    clock = clocks.complete(running(Period(30, minutes(60))), minutes(3), False)
    clock = clocks.turned(clock, RED, minutes(4), False)
    assert clock.left_ms(RED, minutes(4)) == minutes(57)
    assert clock.left_ms(WHITE, minutes(4)) == minutes(59)


def test_moves_that_are_taken_back_are_not_counted() -> None:
    clock = running(Period(2, minutes(10)))
    for ply in range(5):
        clock = clocks.complete(clock, minutes(ply + 1), False)
    assert (clock.red.moves, clock.white.moves) == (3, 2)
    clock = clocks.turned(clock, RED, minutes(6), False, undone=3)
    assert (clock.red.moves, clock.white.moves) == (1, 1)
    assert clock.side is RED


def test_the_last_move_of_a_period_gives_its_time_back_to_that_period() -> None:
    clock = running(Period(2, minutes(10), carries=False))
    for now in (1, 2, 9):
        clock = clocks.complete(clock, minutes(now), False)
    assert clock.left_ms(RED, minutes(9)) == minutes(10), "a new period"
    clock = clocks.turned(clock, RED, minutes(9), False, undone=1)
    assert clock.left_ms(RED, minutes(9)) == minutes(2)


def test_a_move_inside_a_period_gives_back_nothing_of_the_one_before() -> None:
    clock = running(Period(2, minutes(10), carries=False))
    for now in (1, 2, 4, 5, 9):
        clock = clocks.complete(clock, minutes(now), False)
    clock = clocks.turned(clock, RED, minutes(9), False, undone=1)
    assert clock.left_ms(RED, minutes(9)) == minutes(6)
    clock = clocks.turned(clock, RED, minutes(9), False, undone=2)
    assert clock.left_ms(RED, minutes(9)) == minutes(3), "the period before, and what came behind"


def test_moves_from_before_the_clock_was_set_are_not_counted_when_they_go_back() -> None:
    clock = clocks.turned(running(Period(2, minutes(10))), WHITE, minutes(1), False, undone=1)
    assert (clock.red.moves, clock.white.moves) == (0, 0)
    assert clock.left_ms(WHITE, minutes(1)) == minutes(10)


def test_a_correction_presses_no_button() -> None:
    clock = clocks.start(Clock(Setting(Period(30, minutes(60)), by_button=True)), RED, 0)
    clock = clocks.told(clocks.pressed(clock, minutes(1), False), RED, minutes(1), False)
    clock = clocks.turned(clock, RED, minutes(2), False, undone=1)
    assert (clock.side, clock.red.moves) == (WHITE, 0)
    assert clock.left_ms(RED, minutes(9)) == minutes(59)
    assert clock.left_ms(WHITE, minutes(9)) == minutes(52)


@pytest.mark.parametrize("first", ["press", "tell"])
def test_with_a_button_a_move_counts_when_it_is_told(first: str) -> None:
    """Be that before the button is pressed or after; a new period has what is left of the time."""
    clock = running(Period(1, minutes(10), carries=False))
    if first == "press":
        clock = clocks.pressed(clock, minutes(3), False)
        assert clock.red.moves == 0
        clock = clocks.told(clock, RED, minutes(4), True)
        spent = 0
    else:
        clock = clocks.told(clock, RED, minutes(3), True)
        clock = clocks.pressed(clock, minutes(4), True)
        spent = minutes(1)
    assert (clock.red.spent_ms, clock.red.moves) == (spent, 1)
    assert (clock.side, clock.single, clock.white.moves) == (WHITE, True, 0)


def test_each_move_has_its_time_when_the_button_is_pressed() -> None:
    clock = clocks.told(running(INFORMAL), RED, minutes(3), False)
    assert clock.left_ms(RED, minutes(4)) == minutes(1)
    clock = clocks.pressed(clock, minutes(4), False)
    assert clock.left_ms(RED, minutes(4)) == minutes(5)
    assert clock.left_ms(WHITE, minutes(6)) == minutes(3)


@pytest.mark.parametrize(
    ("text", "setting"),
    [
        pytest.param("5+1", Setting(INFORMAL), id="informal"),
        pytest.param("30/60", Setting(Period(30, minutes(60))), id="tournament"),
        pytest.param("5+0", Setting(PerMove(minutes(5), 0, minutes(1), 0)), id="no grace"),
        pytest.param("24/60 reset", Setting(Period(24, minutes(60), False)), id="reset"),
        pytest.param(
            "24/60 reset button", Setting(Period(24, minutes(60), False), True), id="both"
        ),
        pytest.param("30/60 button", Setting(Period(30, minutes(60)), True), id="button"),
        pytest.param("off", None, id="off"),
    ],
)
def test_settings_are_read(text: str, setting: Setting | None) -> None:
    assert clocks.parse_setting(text) == setting


def test_a_capture_with_one_way_may_have_what_any_move_has() -> None:
    setting = clocks.parse_setting("3+1", single=False)
    assert setting == Setting(PerMove(minutes(3), MINUTE_MS, minutes(3), MINUTE_MS))


@pytest.mark.parametrize("text", ["", "soon", "0/60", "30/0", "0+1", "5+1 reset", "5+1 loud", "5"])
def test_nonsense_is_no_setting(text: str) -> None:
    with pytest.raises(NotationError):
        clocks.parse_setting(text)


@given(
    st.lists(st.integers(0, 5 * MINUTE_MS), max_size=80),
    st.sampled_from([Period(3, minutes(4)), Period(3, minutes(4), False), INFORMAL]),
)
def test_no_time_is_lost_or_made(takes: list[int], limits: PerMove | Period) -> None:
    """However the moves take their time, what carries adds up to the time that went by."""
    clock, now = running(limits), 0
    for take in takes:
        now += take
        clock = clocks.complete(clock, now, False)
    assert clock.red.moves + clock.white.moves == len(takes)
    carried = isinstance(limits, Period) and limits.carries
    total = sum(clock.spent_ms(side, now) for side in Side)
    assert total == now if carried else total <= now


def test_moves_taken_back_over_two_periods_have_taken_what_they_took() -> None:
    now_ms, clock = 0, running(Period(1, minutes(5), carries=False))
    for took_ms in (10_000, 1_000, 60_000, 1_000):
        now_ms += took_ms
        clock = clocks.complete(clock, now_ms, single=False)
    clock = clocks.turned(clock, RED, now_ms, single=False, undone=4)
    assert (clock.red.spent_ms, clock.white.spent_ms) == (70_000, 2_000)

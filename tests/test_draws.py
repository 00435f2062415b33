"""Counts, draws by repetition and by idle moves, and what may be claimed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.arbiter import Arbiter, Claim, Judged
from referee.board import Side
from referee.events import Irregularity, Ruling, Verdict
from referee.history import History, restarts
from referee.notation import parse_fen
from referee.profiles import CLUB, GUIDE, LESSONS, ONLINE25, PROFILES, US, WCDF, Profile
from referee.rules import Position, after, lawful_moves
from referee.ruling import claims, course, draws, ends
from tests.arbiters import BOUND, KINGS, Desk
from tests.strategies import played_positions
from tests.table import RED, WHITE


class TestCount:
    def desk(self) -> Desk:
        desk = Desk(KINGS)
        desk.arbiter = draws.declined(desk.arbiter, WHITE)
        return desk

    def request(self, desk: Desk, side: Side = WHITE) -> Judged | str:
        answer = draws.counting(desk.arbiter, side, desk._later(), desk.number)
        if not isinstance(answer, str):
            desk._heard(answer)
        return answer

    def shuffle(self, desk: Desk, plies: int) -> list[str]:
        said = []
        for ply in range(plies):
            events = desk.play(("1-5", "32-28", "5-1", "28-32")[ply % 4])
            said += [e.phrase[0] for e in events if isinstance(e, Ruling) and "count" in e.rule]
            said += [e.phrase[0] for e in events if isinstance(e, Ruling) and e.rule == "WCDF 7.2"]
        return said

    def test_it_needs_a_declined_offer_and_a_rule(self) -> None:
        desk = Desk(KINGS)
        assert self.request(desk) == "not_declined"
        assert self.request(Desk(KINGS, US)) == "no_count"
        assert self.request(self.desk(), RED) == "not_declined"

    def test_only_the_attacker_is_counted_from_his_first_move_on(self) -> None:
        desk = self.desk()
        self.request(desk)
        desk.play("1-5")
        assert draws.tallied(desk.arbiter) == 1
        desk.play("32-28")
        assert draws.tallied(desk.arbiter) == 1
        desk.play("5-1")
        assert draws.tallied(desk.arbiter) == 2

    def test_at_forty_the_draw_may_be_claimed_by_who_asked(self) -> None:
        desk = self.desk()
        self.request(desk)
        assert self.shuffle(desk, 76) == ["counted"] * 3
        assert claims.claim(desk.arbiter, WHITE) == "nothing_to_claim"
        assert self.shuffle(desk, 4) == ["count_complete"]
        verdicts = [event.verdict for event in desk.said if isinstance(event, Ruling)]
        assert verdicts[-4:] == [*[Verdict.NOTICE] * 3, Verdict.DRAW_CLAIMABLE]
        assert claims.claim(desk.arbiter, RED) == "nothing_to_claim"
        claim = claims.claim(desk.arbiter, WHITE)
        assert isinstance(claim, Claim)
        assert not claim.wins
        assert ends.granted(claim, 0, 0).verdict is Verdict.DRAW

    def test_further_moves_are_not_told(self) -> None:
        desk = self.desk()
        self.request(desk)
        self.shuffle(desk, 80)
        assert self.shuffle(desk, 20) == []

    def test_nor_a_new_beginning_where_none_was_counted(self) -> None:
        desk = self.desk()
        self.request(desk)
        assert desk.play("21-25") == []

    @pytest.mark.parametrize("text", ["21-25", "1-5"])
    def test_a_man_that_advances_begins_it_again(self, text: str) -> None:
        desk = self.desk()
        self.request(desk)
        self.shuffle(desk, 4)
        desk.play(text)
        again = draws.tallied(desk.arbiter)
        assert again == (0 if text == "21-25" else 3)

    def test_so_does_the_other_sides_man(self) -> None:
        desk = self.desk()
        self.request(desk)
        desk.play("1-5")
        (ruling,) = desk.play("12-8")
        assert isinstance(ruling, Ruling)
        assert ruling.phrase == ("count_restarted", "of=40", "cause=man_advanced")
        assert draws.tallied(desk.arbiter) == 0

    @pytest.mark.parametrize("side", [WHITE, RED])
    def test_nobody_begins_it_again_by_asking(self, side: Side) -> None:
        desk = self.desk()
        self.request(desk)
        self.shuffle(desk, 20)
        desk.arbiter = draws.declined(desk.arbiter, RED)
        assert self.request(desk, side) == "counting"
        assert draws.tallied(desk.arbiter) == 10

    @pytest.mark.parametrize("side", [WHITE, RED])
    def test_nor_once_it_is_complete(self, side: Side) -> None:
        desk = self.desk()
        self.request(desk)
        self.shuffle(desk, 80)
        desk.arbiter = draws.declined(desk.arbiter, RED)
        assert self.request(desk, side) == "count_due"
        assert isinstance(claims.claim(desk.arbiter, WHITE), Claim)
        desk._heard(draws.strengthened(desk.arbiter, 0, 0))  # type: ignore[arg-type]
        assert not isinstance(self.request(desk, side), str)

    def test_a_move_taken_back_after_the_request_counts_when_it_is_made_anew(self) -> None:
        desk = self.desk()
        before = desk.position
        desk.play("1-5")
        self.request(desk)
        desk.arbiter, desk.position = course.undone(desk.arbiter, 1), before
        desk.play("1-6")
        assert draws.tallied(desk.arbiter) == 1

    def test_one_that_is_corrected_does_not(self) -> None:
        desk = self.desk()
        before = desk.position
        desk.play("1-5")
        self.request(desk)
        desk.arbiter, desk.position = course.undone(desk.arbiter, 1, again=1), before
        desk.play("1-6")
        assert draws.tallied(desk.arbiter) == 0

    @pytest.mark.parametrize(
        ("fen", "kept"),
        [
            pytest.param("B:WK32,12:BK1,21", 20, id="itself"),
            pytest.param("B:WK28,12:BK1,21", 20, id="king-elsewhere"),
            pytest.param("W:WK32,12:BK1,21", 20, id="other-turn"),
            pytest.param("B:WK32,12:BK1,25", 0, id="man-elsewhere"),
            pytest.param("B:WK32,12:BK1,K21", 0, id="king-for-man"),
            pytest.param("B:WK32,K3,12:BK1,21", 0, id="one-king-more"),
            pytest.param("B:WK32,12:BK1", 0, id="man-gone"),
        ],
    )
    def test_a_position_that_a_person_sets_keeps_it_where_only_kings_stand_elsewhere(
        self, fen: str, kept: int
    ) -> None:
        desk = self.desk()
        self.request(desk)
        self.shuffle(desk, 40)
        desk.arbiter = course.gone_on(desk.arbiter, parse_fen(fen))
        assert draws.tallied(desk.arbiter) == kept

    def test_what_follows_a_set_position_is_counted_on_and_taken_back_as_ever(self) -> None:
        desk = self.desk()
        desk.play("1-6")
        desk.play("32-27")
        desk.play("6-1")
        desk.play("27-32")
        self.request(desk)
        self.shuffle(desk, 40)
        for _ in range(2):
            desk.arbiter = course.gone_on(desk.arbiter, desk.position)
            self.shuffle(desk, 4)
        assert draws.tallied(desk.arbiter) == 24
        desk.arbiter = course.undone(desk.arbiter, 4)
        assert draws.tallied(desk.arbiter) == 22
        assert desk.arbiter.history.plies == ()

    def test_progress_that_is_conceded_begins_it_again(self) -> None:
        desk = self.desk()
        assert draws.strengthened(desk.arbiter, 0, 0) == "nothing_counted"
        self.request(desk)
        self.shuffle(desk, 40)
        desk._heard(draws.strengthened(desk.arbiter, 0, 0))  # type: ignore[arg-type]
        assert draws.tallied(desk.arbiter) == 0
        self.shuffle(desk, 80)
        assert draws.tallied(desk.arbiter) == 40
        desk._heard(draws.strengthened(desk.arbiter, 0, 0))  # type: ignore[arg-type]
        assert desk.arbiter.tally is None

    @given(st.integers(0, 40), st.integers(0, 120))
    def test_the_count_is_what_a_slow_count_is(self, seed: int, since: int) -> None:
        history, positions = History(Position.start()), played_positions(seed)
        previous = next(positions)
        for _ in range(120):
            now = next(positions)
            if now == Position.start() or not lawful_moves(previous):
                break
            move = next(m for m in lawful_moves(previous) if after(previous, m) == now)
            history, previous = history.with_ply(move, now), now
        slow = 0
        for number, (move, position) in enumerate(history.plies):
            if number >= since and restarts(move):
                slow = 0
            elif number >= since and position.turn is WHITE:
                slow += 1
        assert history.counted(RED, since) == slow


class TestDrawClaims:
    def play(self, desk: Desk, plies: int) -> None:
        for ply in range(plies):
            desk.play(("1-5", "32-28", "5-1", "28-32")[ply % 4])

    def test_a_third_time_may_be_claimed_while_it_stands(self) -> None:
        desk = Desk(KINGS, GUIDE)
        self.play(desk, 7)
        assert claims.claim(desk.arbiter, RED) == "nothing_to_claim"
        (ruling,) = desk.play("28-32")
        assert isinstance(ruling, Ruling)
        assert ruling.phrase == ("repeated", "nth=3")
        assert isinstance(claims.claim(desk.arbiter, RED), Claim)
        desk.play("21-25")
        assert claims.claim(desk.arbiter, RED) == "nothing_to_claim"

    def test_so_may_a_fourth(self) -> None:
        desk = Desk(KINGS, GUIDE)
        self.play(desk, 12)
        assert desk.arbiter.history.times() == 4
        assert isinstance(claims.claim(desk.arbiter, RED), Claim)

    def test_idle_moves_may_be_claimed_until_something_happens(self) -> None:
        desk = Desk(KINGS, ONLINE25)
        self.play(desk, 49)
        assert claims.claim(desk.arbiter, None) == "nothing_to_claim"
        desk.play("32-28")
        assert isinstance(claims.claim(desk.arbiter, None), Claim)

    def test_no_more_when_the_game_is_won(self) -> None:
        desk = Desk(KINGS, ONLINE25)
        self.play(desk, 50)
        assert claims.claim(desk.arbiter, None, over=True) == "nothing_to_claim"

    def test_so_they_may_after_a_position_that_a_person_has_set(self) -> None:
        desk = Desk(KINGS, ONLINE25)
        self.play(desk, 48)
        desk.arbiter = course.gone_on(desk.arbiter, desk.position)
        assert claims.claim(desk.arbiter, None) == "nothing_to_claim"
        self.play(desk, 2)
        assert isinstance(claims.claim(desk.arbiter, None), Claim)

    def test_a_position_stands_oftener_after_it_was_set_to_what_it_was(self) -> None:
        desk = Desk(KINGS, GUIDE)
        self.play(desk, 4)
        desk.arbiter = course.gone_on(desk.arbiter, desk.position)
        assert desk.arbiter.history.times() == 2
        self.play(desk, 4)
        assert isinstance(claims.claim(desk.arbiter, RED), Claim)

    def test_one_that_was_not_there_has_not_stood(self) -> None:
        """A person says that the king went to 27 and not to 28."""
        desk = Desk(KINGS, GUIDE)
        for text in ("1-5", "32-28"):
            desk.play(text)
        desk.position = parse_fen("B:WK27,12:BK5,21")
        desk.arbiter = course.gone_on(desk.arbiter, desk.position)
        for text in ("5-1", "27-32", "1-5", "32-28"):
            desk.play(text)
        assert desk.arbiter.history.times() == 1

    def test_a_mans_move_is_no_progress_there(self) -> None:
        desk = Desk(KINGS, ONLINE25)
        desk.play("21-25")
        desk.play("32-28")
        assert desk.arbiter.history.idle() == 2

    @pytest.mark.parametrize("profile", [WCDF, CLUB, LESSONS])
    def test_the_federation_lets_repetition_be_pointed_out_only(self, profile: Profile) -> None:
        desk = Desk(KINGS, profile)
        self.play(desk, 24)
        assert claims.claim(desk.arbiter, None) == "nothing_to_claim"
        told = [event.text for event in desk.said if isinstance(event, Ruling)]
        assert told == [
            f"This position stands for the {time} time (WCDF 7.4). A draw may be suggested."
            for time in ("second", "third")
        ]

    @pytest.mark.parametrize(("profile", "told"), [(WCDF, ["second", "third"]), (GUIDE, ["third"])])
    def test_a_new_attack_may_lead_to_a_new_see_saw(
        self, profile: Profile, told: list[str]
    ) -> None:
        desk = Desk(parse_fen("B:WK31,K32:BK1,K4"), profile)
        for text in (
            *("1-6", "31-26", "6-1", "26-31") * 3,
            *("4-8", "32-27", "8-11", "27-24"),
            *("11-15", "24-20", "15-11", "20-24") * 3,
        ):
            desk.play(text)
        said = [event.text.split()[5] for event in desk.said if isinstance(event, Ruling)]
        assert said == told * 2

    def test_a_draw_of_a_club_is_by_the_count_that_was_complete(self) -> None:
        desk = Desk(KINGS, CLUB)
        desk.arbiter = draws.declined(desk.arbiter, WHITE)
        counting = draws.counting(desk.arbiter, WHITE, 0, 0)
        assert not isinstance(counting, str)
        desk._heard(counting)
        self.play(desk, 80)
        claim = claims.claim(desk.arbiter, None)
        assert isinstance(claim, Claim)
        assert (claim.side, claim.rule) == (WHITE, "WCDF 7.2")

    @pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
    def test_one_king_against_one_is_no_draw_by_itself(self, profile: Profile) -> None:
        desk = Desk(parse_fen("B:WK32:BK1"), profile)
        desk.play("1-5")
        assert claims.claim(desk.arbiter, None) == "nothing_to_claim"
        assert desk.said == []

    def test_moves_taken_back_are_not_counted(self) -> None:
        desk = Desk(KINGS, GUIDE)
        self.play(desk, 8)
        desk.arbiter = course.undone(desk.arbiter, 1)
        assert claims.claim(desk.arbiter, None) == "nothing_to_claim"


def test_both_may_have_something_to_claim() -> None:
    both = tuple(Claim(side, True, "WCDF 6.3") for side in Side)
    arbiter = replace(Arbiter(), claims=both)
    assert claims.claim(arbiter, None) == "claim_of_whom"
    assert claims.claim(arbiter, RED) == both[0]


def test_a_win_is_claimed_before_a_draw() -> None:
    win, draw = Claim(RED, True, "WCDF 6.3"), Claim(RED, False, "WCDF 7.2")
    assert claims.claim(replace(Arbiter(), claims=(win, draw)), None) == win


@pytest.mark.parametrize("whose", [WHITE, None])
def test_nobody_who_claims_a_draw_gives_the_other_player_a_win(whose: Side | None) -> None:
    win, draw = Claim(RED, True, "WCDF 6.3"), Claim(whose, False, "WCDF 7.2")
    arbiter = replace(Arbiter(), claims=(win, draw))
    assert claims.claim(arbiter, None) == "claim_of_whom"
    assert claims.claim(arbiter, WHITE) == draw
    assert claims.claim(arbiter, RED) == win


def test_a_game_claimed_on_time_leaves_the_last_warning_to_be_overruled() -> None:
    desk = Desk(BOUND)
    desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
    on_time = Claim(WHITE, True, "WCDF 6.3")
    assert claims.claimed_for(desk.arbiter, on_time) == desk.arbiter

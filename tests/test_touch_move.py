"""Pieces that are touched, and have to be moved."""

from __future__ import annotations

import pytest

from referee import announcements
from referee.announcer import announce
from referee.events import (
    Conduct,
    Irregularity,
    Lingering,
    Proposed,
    Ruling,
    Touch,
    Touched,
    Verdict,
)
from referee.notation import parse_fen
from referee.profiles import GUIDE, LESSONS, ONLINE25, PROFILES, US, Profile
from referee.ruling import claims, conduct, convictions, course
from referee.ruling.conduct import SETTLING_MS
from tests.arbiters import BOUND, FREE, Desk, charged_with
from tests.table import RED, WHITE


class TestTouchMove:
    def test_another_piece_than_the_first_touched(self) -> None:
        desk = Desk(FREE)
        assert desk.touch(RED, 11) == []
        assert desk.touch(RED, 1) == []
        (proposed,) = desk.play("9-14")
        assert isinstance(proposed, Proposed)
        assert (proposed.conduct, proposed.rule) == (Conduct.TOUCHED_OTHER, "WCDF 4.2, 4.9")
        assert "Take 9-14 back and move 11." in proposed.text

    def test_the_first_touched_piece_may_be_moved(self) -> None:
        desk = Desk(FREE)
        desk.touch(RED, 11)
        assert desk.play("11-15") == []

    def answered(self) -> Desk:
        desk = Desk(FREE)
        desk.touch(RED, 11)
        assert desk.play("9-14")
        desk.play("21-17")
        return desk

    def test_a_move_that_was_answered_stands_and_the_warning_is_still_proposed(self) -> None:
        desk = self.answered()
        (proposed,) = desk.arbiter.proposals
        assert not convictions.takes_back(desk.arbiter, proposed)
        ruling = desk.confirm()
        assert ruling.text == "Red touched 11 first (WCDF 4.2, 4.9). Red is warned."
        assert desk.arbiter.count(RED, "touch-move") == 1

    def test_it_does_not_when_the_answer_is_taken_off_the_record(self) -> None:
        desk = self.answered()
        desk.arbiter = course.undone(desk.arbiter, 1)
        (proposed,) = desk.arbiter.proposals
        assert convictions.takes_back(desk.arbiter, proposed)
        assert desk.confirm().text.endswith("Take 9-14 back and move 11.")

    def test_nothing_is_proposed_of_one_that_is_taken_off_with_the_answer(self) -> None:
        assert course.undone(self.answered().arbiter, 2).proposals == ()

    def test_a_position_that_a_person_sets_is_an_answer_too(self) -> None:
        desk = Desk(FREE)
        desk.touch(RED, 11)
        desk.play("9-14")
        desk.arbiter = course.gone_on(desk.arbiter, desk.position)
        assert desk.confirm().text == "Red touched 11 first (WCDF 4.2, 4.9). Red is warned."

    def test_one_that_is_taken_back_has_not_to_be_taken_back_again(self) -> None:
        desk = Desk(FREE)
        desk.touch(RED, 11)
        assert desk.play("9-14")
        assert course.undone(desk.arbiter, 1).proposals == ()

    def test_a_touch_counts_for_its_own_turn_only(self) -> None:
        desk = Desk(FREE)
        desk.touch(RED, 11)
        desk.play("11-15")
        desk.play("21-17")
        assert desk.play("9-14") == []

    def test_another_does_in_the_next(self) -> None:
        desk = Desk(FREE)
        desk.touch(RED, 11)
        desk.play("11-15")
        desk.play("21-17")
        desk.touch(RED, 1)
        assert charged_with(desk.play("9-14")) == [Conduct.TOUCHED_OTHER]

    def test_so_does_one_that_cannot_be_played(self) -> None:
        desk = Desk(FREE)
        desk.touch(RED, 21)
        desk.play("11-15")
        desk.play("21-17")
        assert charged_with(desk.touch(RED, 32)) == [Conduct.TOUCHED_UNPLAYABLE]

    def test_a_piece_bound_by_a_capture_elsewhere(self) -> None:
        desk = Desk(BOUND)
        assert charged_with(desk.touch(RED, 1)) == [Conduct.TOUCHED_UNPLAYABLE]
        assert desk.play("14x23") == []

    def test_a_piece_of_the_other_player(self) -> None:
        assert charged_with(Desk(FREE).touch(RED, 21)) == [Conduct.TOUCHED_UNPLAYABLE]

    def test_also_after_one_of_his_own(self) -> None:
        desk = Desk(FREE)
        assert desk.touch(RED, 11) == []
        assert charged_with(desk.touch(RED, 21)) == [Conduct.TOUCHED_UNPLAYABLE]
        assert charged_with(desk.play("9-14")) == [Conduct.TOUCHED_OTHER]

    def test_before_which_it_is_not_the_piece_that_has_to_be_moved(self) -> None:
        desk = Desk(FREE)
        desk.touch(RED, 21)
        assert desk.touch(RED, 11) == []
        assert charged_with(desk.play("9-14")) == [Conduct.TOUCHED_OTHER]

    def test_what_is_touched_in_one_play_is_one_offence(self) -> None:
        desk = Desk(BOUND)
        assert charged_with(desk.touch(RED, 1)) == [Conduct.TOUCHED_UNPLAYABLE]
        assert desk.touch(RED, 32) + desk.touch(RED, 1) == []

    @pytest.mark.parametrize("square", [1, 32])
    def test_once_it_is_confirmed_the_play_begins_anew(self, square: int) -> None:
        desk = Desk(BOUND)
        desk.touch(RED, 1)
        assert desk.confirm().verdict is Verdict.WARNING
        (second,) = desk.touch(RED, square)
        assert isinstance(second, Proposed)
        assert second.verdict is Verdict.FORFEIT

    def test_so_it_does_when_it_is_dismissed(self) -> None:
        desk = Desk(FREE)
        desk.touch(RED, 21)
        (proposed,) = desk.arbiter.proposals
        desk.arbiter = convictions.dismissed(desk.arbiter, proposed)
        assert charged_with(desk.touch(RED, 32)) == [Conduct.TOUCHED_UNPLAYABLE]

    def test_not_with_one_that_was_touched_before_it(self) -> None:
        desk = Desk(FREE)
        desk.touch(RED, 11)
        desk.touch(RED, 21)
        desk.confirm()
        assert charged_with(desk.play("9-14")) == [Conduct.TOUCHED_OTHER]

    def test_nor_when_something_else_is_dismissed(self) -> None:
        desk = Desk(FREE)
        desk.touch(RED, 21)
        lingering = Lingering(desk._later(), RED, 15, 0)
        desk._heard(conduct.lingering(desk.arbiter, lingering, desk.number))
        touched, lingered = desk.arbiter.proposals
        desk.arbiter = convictions.dismissed(desk.arbiter, lingered)
        assert desk.arbiter.proposals == (touched,)
        assert desk.touch(RED, 32) == []

    def test_an_own_piece_that_is_stuck_may_be_touched_after_another(self) -> None:
        """Only the first has to be moved (4.2)."""
        desk = Desk(BOUND)
        assert desk.touch(RED, 14) + desk.touch(RED, 1) == []

    def test_a_piece_that_is_to_be_taken_may_be_touched(self) -> None:
        desk = Desk(BOUND)
        assert desk.touch(RED, 18) == []
        assert desk.arbiter.contact is None

    def test_the_new_king_may_be_touched_to_crown_it(self) -> None:
        desk = Desk(parse_fen("B:W21:B27"))
        desk.play("27-32")
        assert desk.touch(WHITE, 32) == []
        assert desk.wait(10_000) == []

    def test_its_owner_may_not_touch_it_when_it_has_its_crown(self) -> None:
        desk = Desk(parse_fen("B:W21:B27"))
        desk.play("27-32")
        assert desk.touch(RED, 32) + desk.wait(10_000) == []
        desk.crown(WHITE, 32)
        assert desk.touch(WHITE, 32) == []
        assert charged_with(desk.touch(RED, 32) + desk.wait(10_000)) == [Conduct.TOUCHED_OFF_TURN]

    def test_nor_is_he_charged_who_took_it_up_to_crown_it(self) -> None:
        desk = Desk(parse_fen("B:W21:B27"))
        desk.play("27-32")
        desk.crown(RED, 32, 500)
        told = desk.touch(RED, 32, begun_ms=1_200) + desk.wait(10_000)
        assert Conduct.TOUCHED_OFF_TURN not in charged_with(told)

    def test_nobody_is_accused_who_cannot_be_named(self) -> None:
        desk = Desk(FREE)
        assert desk.touch(None, 21) == []
        assert desk.play("9-14") == []

    @pytest.mark.parametrize("profile", [US, ONLINE25, GUIDE, PROFILES["plain"]])
    def test_rules_without_touch_move_say_nothing(self, profile: Profile) -> None:
        desk = Desk(FREE, profile)
        assert desk.touch(RED, 11) + desk.touch(RED, 21) + desk.touch(WHITE, 9) == []
        assert desk.play("9-14") + desk.wait(60_000) == []


class TestConfirmedLate:
    """What was to be done at once is not said again when the game has gone on."""

    def test_a_piece_that_could_not_be_played(self) -> None:
        desk = Desk(BOUND)
        desk.touch(RED, 1)
        desk.play("14x23")
        ruling = desk.confirm()
        assert ruling.text.startswith("Red touched 1, which cannot be played")
        assert ruling.text.endswith("Red is warned.")

    def test_a_hand_that_stayed(self) -> None:
        desk = Desk(FREE)
        desk.play("11-15")
        desk.linger(RED, 15)
        desk.play("21-17")
        assert desk.confirm().text == "Red's hand stayed on 15 (WCDF 4.8). Red is warned."

    def test_before_that_it_is(self) -> None:
        desk = Desk(BOUND)
        desk.touch(RED, 1)
        assert desk.confirm().text.endswith("Leave it and play 14x23.")


class TestWarnedFirst:
    """Nobody forfeits for what he did before he was warned (WCDF 4.3, 4.6)."""

    def test_two_touches_before_a_warning_are_two_warnings(self) -> None:
        desk = Desk(FREE)
        for square in (21, 32):
            desk.touch(WHITE, square)
            (proposed,) = desk.wait(SETTLING_MS)
            assert isinstance(proposed, Proposed)
            assert proposed.verdict is Verdict.WARNING
        assert [desk.confirm().verdict for _ in range(2)] == [Verdict.WARNING] * 2
        assert claims.claim(desk.arbiter, RED) == "nothing_to_claim"

    def test_the_next_touch_forfeits(self) -> None:
        desk = Desk(FREE)
        for square in (21, 32):
            desk.touch(WHITE, square)
            desk.wait(SETTLING_MS)
        desk.confirm()
        desk.confirm()
        desk.touch(WHITE, 21)
        desk.wait(SETTLING_MS)
        assert desk.confirm().verdict is Verdict.FORFEIT

    def test_a_touch_is_confirmed_after_a_wrong_move_was_warned_of(self) -> None:
        desk = Desk(BOUND)
        desk.touch(RED, 1)
        (warned, *_) = desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
        assert isinstance(warned, Ruling)
        assert (warned.verdict, desk.confirm().verdict) == (Verdict.WARNING, Verdict.WARNING)
        assert claims.claim(desk.arbiter, WHITE) == "nothing_to_claim"
        desk.mend()
        (again, *_) = desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
        assert isinstance(again, Ruling)
        assert again.verdict is Verdict.FORFEIT


class TestTakenBack:
    """What a player has begun to do counts no more when the move before it is taken back."""

    def taken_back(self, desk: Desk, plies: int = 1) -> Desk:
        desk.arbiter = course.undone(desk.arbiter, plies)
        desk.position = desk.arbiter.history.now
        return desk

    def test_neither_the_piece_that_he_touched_first(self) -> None:
        desk = Desk(FREE)
        desk.play("11-15")
        desk.touch(WHITE, 32)
        self.taken_back(desk).touch(RED, 11)
        assert charged_with(desk.play("9-14")) == [Conduct.TOUCHED_OTHER]

    def test_nor_the_one_of_his_incorrect_move(self) -> None:
        desk = Desk(FREE)
        desk.play("11-15")
        desk.err(Irregularity.ILLEGAL_STEP, WHITE, (21, 14))
        self.taken_back(desk).touch(RED, 11)
        assert charged_with(desk.play("9-14")) == [Conduct.TOUCHED_OTHER]

    def test_nor_one_that_he_cannot_play(self) -> None:
        desk = Desk(FREE)
        desk.play("11-15")
        desk.touch(WHITE, 9)
        assert charged_with(self.taken_back(desk).touch(RED, 21)) == [Conduct.TOUCHED_UNPLAYABLE]

    def test_nor_a_touch_off_turn_by_the_player_whose_turn_it_is_again(self) -> None:
        desk = Desk(FREE)
        desk.play("11-15")
        desk.touch(RED, 9)
        assert self.taken_back(desk).wait(10_000) == []

    def test_a_pupil_is_told_again_where_his_piece_may_go(self) -> None:
        desk = Desk(FREE, LESSONS)
        desk.play("11-15")
        desk.play("21-17")
        desk.touch(RED, 9)
        assert self.taken_back(desk, 2).touch(RED, 9)

    def test_and_of_no_king_to_be_crowned(self) -> None:
        desk = Desk(parse_fen("B:W21:B27"), LESSONS)
        desk.play("27-32")
        (ruling,) = self.taken_back(desk).touch(RED, 27)
        assert isinstance(ruling, Ruling)
        assert ruling.text == "27 may go to 31 or 32 (WCDF 3.4)."


class TestOffTurn:
    def test_a_touch_off_turn_is_proposed_once_no_move_explains_it(self) -> None:
        desk = Desk(FREE)
        assert desk.touch(WHITE, 21) == []
        assert desk.wait(SETTLING_MS - 1) == []
        assert charged_with(desk.wait(1)) == [Conduct.TOUCHED_OFF_TURN]
        assert desk.wait(60_000) == []

    def test_a_touch_right_before_the_announced_move_began_the_own_turn(self) -> None:
        desk = Desk(FREE)
        desk.touch(WHITE, 21)
        assert desk.play("11-15", ms=200) == []
        assert desk.arbiter.contact is not None
        assert charged_with(desk.play("32-27")) == [Conduct.TOUCHED_OTHER]

    def test_a_touch_long_before_the_move_did_not(self) -> None:
        desk = Desk(FREE)
        desk.touch(WHITE, 21)
        assert charged_with(desk.play("11-15", ms=5_000)) == [Conduct.TOUCHED_OFF_TURN]


def test_in_german_no_touched_king_is_called_a_man() -> None:
    (proposed,) = Desk(parse_fen("B:W18,32:BK14,K1,9")).touch(RED, 1)
    assert isinstance(proposed, Proposed)
    said = announcements.in_words(proposed, announcements.LANGUAGES["de"])
    assert "Stein" not in said
    assert "Lass 1 stehen und spiele 14x23." in said
    for beside, what in ((False, "berührt"), (True, "neben einem Zug verschoben")):
        event = Touched(0, RED, 1, Touch.LIFTED, 0, beside)
        touched = announce(event, announcements.LANGUAGES["de"])
        assert touched is not None
        assert touched.text == f"Die Scheibe auf 1 wurde {what}"

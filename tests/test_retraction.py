"""Incorrect moves that are to be put right, and warnings that are overruled or waived."""

from __future__ import annotations

import pytest

from referee import announcements
from referee.arbiter import Claim
from referee.board import Side
from referee.events import Conduct, Irregularity, Lingering, Proposed, Ruling, Verdict
from referee.notation import parse_fen
from referee.profiles import US, WCDF, Profile
from referee.ruling import claims, conduct, convictions, course
from tests.arbiters import BOUND, FREE, Desk, charged_with
from tests.table import RED, WHITE, rulings


class TestRetraction:
    def test_a_player_who_does_not_put_it_right(self) -> None:
        desk = Desk(BOUND)
        desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
        assert desk.wait(WCDF.patience_ms - 1) == []
        (proposed,) = desk.wait(1)
        assert isinstance(proposed, Proposed)
        assert (proposed.verdict, proposed.rule) == (Verdict.FORFEIT, "WCDF 4.5")
        assert desk.wait(600_000) == []

    def test_one_who_does_after_all(self) -> None:
        desk = Desk(BOUND)
        desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
        desk.wait(WCDF.patience_ms)
        desk.mend()
        assert desk.arbiter.proposals == ()

    def test_nobody_does_where_the_board_lies_otherwise_by_now(self) -> None:
        desk = Desk(BOUND)
        desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
        desk.err(Irregularity.PIECE_DISPLACED, None, (32, 28))
        assert desk.wait(WCDF.patience_ms) == []

    @pytest.mark.parametrize(
        "kind",
        [Irregularity.JUMPED_PIECE_LEFT, Irregularity.CROWN_MISSING, Irregularity.CROWN_UNEARNED],
    )
    def test_who_is_but_reminded_does_not_refuse(self, kind: Irregularity) -> None:
        desk = Desk(BOUND)
        desk.err(kind, RED, (14, 23, 18))
        assert desk.wait(WCDF.patience_ms) == []

    def test_who_thinks_with_his_man_in_his_hand_does_not(self) -> None:
        desk = Desk(FREE)
        desk.err(Irregularity.PIECE_REMOVED, RED, (11,))
        assert desk.wait(WCDF.patience_ms) == []

    @pytest.mark.parametrize(
        ("kind", "side", "squares"),
        [
            (Irregularity.PIECE_REMOVED, WHITE, (11,)),
            (Irregularity.PIECE_REMOVED, RED, (21,)),
            (Irregularity.PIECE_REMOVED, RED, (11, 21)),
            (Irregularity.OFF_SQUARE, RED, (11,)),
        ],
    )
    def test_nor_who_has_made_no_move_to_retract_but_he_is_told_again(
        self, kind: Irregularity, side: Side, squares: tuple[int, ...]
    ) -> None:
        desk = Desk(FREE)
        (told,) = rulings(desk.err(kind, side, squares))
        again = desk.wait(WCDF.patience_ms)
        assert [(e.verdict, e.phrase) for e in rulings(again)] == [(told.verdict, told.phrase)]
        assert told.verdict is Verdict.RESTORE
        assert not charged_with(again)
        assert desk.wait(10 * WCDF.patience_ms) == []

    def test_who_errs_anew_before_he_has_put_that_right_has_no_more_time_for_it(self) -> None:
        desk = Desk(BOUND)
        desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
        assert desk.wait(WCDF.patience_ms - 5_000) == []
        desk.err(Irregularity.ILLEGAL_STEP, RED, (1, 9))
        desk.err(Irregularity.PIECE_REMOVED, RED, (21,))
        assert charged_with(desk.wait(5_000)) == [Conduct.NOT_PUT_RIGHT]

    def test_one_who_does(self) -> None:
        desk = Desk(BOUND)
        desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
        desk.mend()
        assert desk.wait(600_000) == []

    def test_the_correct_move_is_made_with_the_same_piece(self) -> None:
        desk = Desk(FREE, US)
        desk.err(Irregularity.ILLEGAL_STEP, RED, (11, 20))
        desk.mend()
        (proposed,) = desk.play("9-14")
        assert isinstance(proposed, Proposed)
        assert (proposed.conduct, proposed.rule) == (Conduct.OTHER_PIECE_PLAYED, "US VII")
        desk.play("21-17")
        assert desk.arbiter.proposals == (), "nothing but taking it back would follow"

    @pytest.mark.parametrize("profile", [WCDF, US])
    @pytest.mark.parametrize(
        ("white", "kind", "squares", "told"),
        [
            ("18,16,32", Irregularity.CAPTURE_MISSED, (14, 17), "play 14x23."),
            ("18,26,16,32", Irregularity.CAPTURE_UNFINISHED, (14, 23), "Now play 14x23x30."),
            (
                "18,16,32",
                Irregularity.WRONG_PIECE_REMOVED,
                (14, 23, 32),
                "Put the man back on 14, also the piece on 32, then play 14x23.",
            ),
        ],
    )
    def test_what_the_player_is_told_to_play_is_what_he_may_play(
        self,
        white: str,
        kind: Irregularity,
        squares: tuple[int, ...],
        told: str,
        profile: Profile,
    ) -> None:
        desk = Desk(parse_fen(f"B:W{white}:B14,12,1"), profile)
        (ruling,) = desk.err(kind, RED, squares)
        assert isinstance(ruling, Ruling)
        assert ruling.text.endswith(told)
        desk.mend()
        assert len(charged_with(desk.play("12x19"))) == 1

    def test_the_piece_of_the_incorrect_move_is_free_once_it_has_moved(self) -> None:
        desk = Desk(FREE)
        desk.err(Irregularity.ILLEGAL_STEP, RED, (11, 20))
        desk.mend()
        desk.play("11-15")
        desk.play("21-17")
        desk.touch(RED, 1)
        assert charged_with(desk.play("9-14")) == [Conduct.TOUCHED_OTHER]

    def test_the_piece_touched_before_the_incorrect_move_comes_first(self) -> None:
        desk = Desk(parse_fen("B:W18,16,32:B14,12,1"))
        desk.touch(RED, 12)
        (ruling,) = desk.err(Irregularity.CAPTURE_MISSED, RED, (14, 17))
        assert isinstance(ruling, Ruling)
        assert ruling.text.endswith("Put the man back on 14 and play 12x19.")
        desk.mend()
        assert desk.play("12x19") == []

    def test_a_capture_that_another_piece_had_to_make_is_retracted(self) -> None:
        """To finish it would be against 4.2, and to play the other one as the board lies, upset."""
        desk = Desk(parse_fen("B:W14,23,24,32:B9,20,1"))
        desk.touch(RED, 20)
        (ruling,) = desk.err(Irregularity.CAPTURE_UNFINISHED, RED, (9, 18, 14))
        assert isinstance(ruling, Ruling)
        assert ruling.text == (
            "Red has not finished the capture (WCDF 4.4). Red is warned. Put the man back on 9,"
            " also the piece on 14. The piece on 20 must move: play 20x27."
        )
        desk.mend()
        assert desk.play("20x27") == []

    def test_the_piece_to_move_is_named_where_another_has_to_go_back(self) -> None:
        desk = Desk(parse_fen("B:W21,32:B9,12,1"))
        desk.touch(RED, 12)
        (ruling,) = desk.err(Irregularity.ILLEGAL_STEP, RED, (9, 18))
        assert isinstance(ruling, Ruling)
        assert ruling.text.endswith("Put the man back on 9. The piece on 12 must move: play 12-16.")
        german = announcements.in_words(ruling, announcements.LANGUAGES["de"])
        assert german.endswith("Der Stein auf 12 muss ziehen: spiele 12-16.")
        desk.mend()
        assert desk.play("12-16") == []

    def test_a_touch_after_it_names_the_piece_to_move_only(self) -> None:
        desk = Desk(parse_fen("B:W18,16,32:B14,12,1"))
        desk.err(Irregularity.CAPTURE_MISSED, RED, (14, 17))
        desk.mend()
        (proposed,) = desk.touch(RED, 1)
        assert isinstance(proposed, Proposed)
        assert proposed.text.endswith("Leave it and play 14x23.")

    def test_if_it_has_one(self) -> None:
        desk = Desk(BOUND, US)
        desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
        desk.mend()
        assert desk.play("14x23") == []

    def test_one_that_has_none_does_not_hide_the_piece_touched_then(self) -> None:
        desk = Desk(parse_fen("B:W18,16,32:B14,12,1"))
        desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
        desk.mend()
        desk.touch(RED, 14)
        assert charged_with(desk.play("12x19")) == [Conduct.TOUCHED_OTHER]

    def test_who_has_lost_a_piece_to_the_captor_need_not_move_it(self) -> None:
        desk = Desk(parse_fen("W:W21,32:B9,1"))
        desk.err(Irregularity.WRONG_PIECE_REMOVED, RED, (32,))
        desk.mend()
        assert desk.play("21-17") == []

    def test_nor_a_player_one_of_those_that_were_upset(self) -> None:
        desk = Desk(FREE)
        desk.err(Irregularity.UPSET, None, (11, 15, 16, 18))
        desk.mend()
        assert desk.play("9-14") == []

    def test_nor_who_was_overruled_the_piece_of_his_move(self) -> None:
        desk = Desk(FREE)
        desk.err(Irregularity.ILLEGAL_STEP, RED, (11, 20))
        desk.arbiter = convictions.overruled(desk.arbiter)
        assert desk.play("9-14") == []

    def test_overruling_takes_the_warning_back(self) -> None:
        desk = Desk(BOUND)
        desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
        desk.mend()
        (second,) = desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 6))
        assert isinstance(second, Ruling)
        assert second.verdict is Verdict.FORFEIT
        desk.arbiter = convictions.forgiven(desk.arbiter)
        assert desk.arbiter.count(RED, "impossible move") == 1
        assert claims.claim(desk.arbiter, WHITE) == "nothing_to_claim"

    def test_nothing_is_taken_back_twice_and_no_notice_is(self) -> None:
        desk = Desk(BOUND)
        for squares in ((1, 5), (1, 6)):
            desk.err(Irregularity.CAPTURE_MISSED, RED, squares)
            desk.mend()
        desk.err(Irregularity.JUMPED_PIECE_LEFT, RED, (14, 23, 18))
        desk.mend()
        for _ in range(2):
            desk.arbiter = convictions.overruled(desk.arbiter)
            assert desk.arbiter.count(RED, "impossible move") == 1

    def test_what_is_corrected_later_leaves_it_to_be_taken_back(self) -> None:
        desk = Desk(BOUND)
        desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
        desk.mend()
        desk.arbiter = convictions.overruled(convictions.forgiven(desk.arbiter))
        assert desk.arbiter.count(RED, "impossible move") == 0

    def test_what_is_confirmed_late_is_no_part_of_the_next_act(self) -> None:
        desk = Desk(FREE)
        desk.err(Irregularity.PIECE_REMOVED, RED, (21,))
        desk.mend()
        desk.confirm()
        (second,) = desk.err(Irregularity.ILLEGAL_STEP, RED, (11, 20))
        assert isinstance(second, Ruling)
        assert second.verdict is Verdict.FORFEIT

    def test_what_is_told_by_another_name_is_claimed_once(self) -> None:
        desk = Desk(BOUND)
        desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
        desk.mend()
        desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
        desk.err(Irregularity.ILLEGAL_STEP, RED, (1, 10))
        (claim,) = claims.open_claims(desk.arbiter)
        assert claim.offence in desk.arbiter.convictions

    def test_an_act_that_was_claimed_is_overruled_whole(self) -> None:
        desk = Desk(BOUND)
        for squares in ((1, 5), (1, 6)):
            desk.mend()
            desk.err(Irregularity.CAPTURE_MISSED, RED, squares)
        desk.wait(WCDF.patience_ms)
        desk.confirm()
        claim = claims.claim(desk.arbiter, WHITE)
        assert isinstance(claim, Claim)
        desk.arbiter = convictions.overruled(claims.claimed_for(desk.arbiter, claim))
        assert desk.arbiter.count(RED, "refusal") == 0

    def test_an_act_is_one_players(self) -> None:
        desk = Desk(BOUND)
        desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
        desk.err(Irregularity.WRONG_TURN, WHITE, (32, 28))
        assert desk.arbiter.count(WHITE, "out of turn") == 1
        desk.arbiter = convictions.overruled(desk.arbiter)
        assert desk.arbiter.count(RED, "impossible move") == 1
        assert desk.arbiter.count(WHITE, "out of turn") == 0

    def test_what_followed_from_it_is_overruled_too(self) -> None:
        desk = Desk(BOUND)
        desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
        desk.wait(WCDF.patience_ms)
        desk.confirm()
        desk.arbiter = convictions.overruled(desk.arbiter)
        assert desk.arbiter.convictions == ()
        assert claims.claim(desk.arbiter, WHITE) == "nothing_to_claim"

    def test_what_was_counted_for_something_else_is_no_part_of_the_act(self) -> None:
        desk = Desk(BOUND)
        lingering = Lingering(desk._later(), RED, 15, 0)
        desk._heard(conduct.lingering(desk.arbiter, lingering, desk.number))
        desk.err(Irregularity.CAPTURE_MISSED, RED, (1, 5))
        desk.confirm()
        desk.arbiter = convictions.forgiven(desk.arbiter)
        assert desk.arbiter.count(RED, "impossible move") == 0
        assert desk.arbiter.count(RED, "lingering hand") == 1

    def test_a_move_waives_what_could_be_claimed(self) -> None:
        desk = Desk(BOUND)
        for squares in ((1, 5), (1, 6)):
            desk.err(Irregularity.CAPTURE_MISSED, RED, squares)
            desk.mend()
        assert isinstance(claims.claim(desk.arbiter, None), Claim)
        desk.play("14x23")
        assert isinstance(claims.claim(desk.arbiter, WHITE), Claim)
        desk.play("32-28")
        assert claims.claim(desk.arbiter, WHITE) == "nothing_to_claim"

    def waived(self) -> Desk:
        """White moved on, though he could have claimed the game."""
        desk = Desk(BOUND)
        for squares in ((1, 5), (1, 6)):
            desk.err(Irregularity.CAPTURE_MISSED, RED, squares)
            desk.mend()
        for text in ("14x23", "32-28", "23-26"):
            desk.play(text)
        return desk

    @pytest.mark.parametrize(("undone", "stands"), [(1, False), (2, True), (3, True)])
    def test_unless_that_is_taken_back(self, undone: int, stands: bool) -> None:
        desk = self.waived()
        desk.arbiter = course.undone(desk.arbiter, undone)
        assert isinstance(claims.claim(desk.arbiter, WHITE), Claim) is stands

    def test_which_a_later_move_does_not_do_again(self) -> None:
        desk = self.waived()
        desk.play("28-24")
        desk.arbiter = course.undone(desk.arbiter, 1)
        assert claims.claim(desk.arbiter, WHITE) == "nothing_to_claim"

    def test_what_a_set_position_has_left_behind_comes_back_with_no_move(self) -> None:
        desk = self.waived()
        desk.arbiter = course.gone_on(desk.arbiter, FREE)
        desk.position = FREE
        desk.play("11-15")
        desk.arbiter = course.undone(desk.arbiter, 1)
        assert claims.claim(desk.arbiter, WHITE) == "nothing_to_claim"

    def test_what_could_be_claimed_there_can_be_until_he_moves(self) -> None:
        desk = Desk(FREE)
        for text in ("11-15", "21-17", "15-18"):
            desk.play(text)
        for _ in range(2):
            desk.err(Irregularity.ILLEGAL_STEP, WHITE, (17, 10))
            desk.mend()
        desk.arbiter = course.gone_on(desk.arbiter, desk.position)
        assert isinstance(claims.claim(desk.arbiter, RED), Claim)
        desk.play("32-28")
        desk.play("18-23")
        assert claims.claim(desk.arbiter, RED) == "nothing_to_claim"

    def test_a_claim_that_was_waived_goes_with_its_offence(self) -> None:
        desk = self.waived()
        desk.arbiter = course.undone(convictions.overruled(desk.arbiter), 2)
        assert claims.claim(desk.arbiter, WHITE) == "nothing_to_claim"

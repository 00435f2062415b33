"""What the arbiter makes of touches, hands, refusals, counts and claims: no board is looked at."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import announcements
from referee.announcer import announce
from referee.arbiter import Arbiter, Claim, Judged, begin
from referee.board import Side
from referee.events import (
    Conduct,
    Crowned,
    Event,
    Irregular,
    Irregularity,
    Lingering,
    Played,
    Proposed,
    Ruling,
    TimeOver,
    Touch,
    Touched,
    Verdict,
)
from referee.history import History, restarts
from referee.notation import fen, move_text, parse_fen, parse_move
from referee.profiles import CLUB, GUIDE, LESSONS, ONLINE25, PROFILES, US, WCDF, Profile
from referee.rules import Position, after, lawful_moves
from referee.ruling import claims, conduct, convictions, course, draws, ends, lessons, offences
from referee.ruling.conduct import SETTLING_MS
from referee.tracking.memory import lawful_texts
from tests.strategies import played_positions

RED, WHITE = Side.RED, Side.WHITE
FREE = parse_fen("B:W21,32:B9,11,1")
"""Red may step with any of three men."""
BOUND = parse_fen("B:W18,32:B14,1")
"""Red must take 14x23; 1 may not move."""


class Desk:
    """An arbiter that is told what happens, one second after another."""

    def __init__(self, position: Position, profile: Profile = WCDF) -> None:
        self.arbiter = begin(Arbiter(profile), position)
        self.position, self.time_ms, self.number = position, 0, 0
        self.said: list[Event] = []

    def _heard(self, judged: Judged) -> list[Event]:
        self.arbiter, events = judged
        for event in events:
            self.number += 1
            if isinstance(event, Proposed):
                self.arbiter = convictions.proposed(self.arbiter, event)
        self.said += events
        return list(events)

    def _later(self, ms: int = 1_000) -> int:
        self.time_ms += ms
        self.number += 1
        return self.time_ms

    def touch(self, side: Side | None, square: int, begun_ms: int = 0) -> list[Event]:
        """`begun_ms` before it was put back."""
        now = self._later()
        event = Touched(now, side, square, Touch.LIFTED, now - begun_ms)
        return self._heard(conduct.touched(self.arbiter, event, self.number, self.position))

    def crown(self, by: Side, square: int, ms: int = 1_000) -> list[Event]:
        event = Crowned(self._later(ms), square, by)
        return self._heard(conduct.crowned(self.arbiter, event, self.number, self.position))

    def linger(self, side: Side, square: int) -> list[Event]:
        event = Lingering(self._later(), side, square, self.time_ms - 5_000)
        return self._heard(conduct.lingering(self.arbiter, event, self.number))

    def play(self, text: str, ms: int = 5_000) -> list[Event]:
        move = parse_move(self.position, text)
        side, name = self.position.turn, move_text(self.position, move)
        self.position = after(self.position, move)
        event = Played(self._later(ms), side, name, fen(self.position))
        return self._heard(course.played(self.arbiter, event, self.number, move, self.position))

    def err(self, kind: Irregularity, side: Side | None, squares: tuple[int, ...]) -> list[Event]:
        lawful = lawful_texts(self.position)
        event = Irregular(self._later(), kind, side, squares, lawful)
        return self._heard(offences.irregular(self.arbiter, event, self.number, self.position))

    def mend(self) -> None:
        self.arbiter = convictions.in_order(self.arbiter)

    def wait(self, ms: int) -> list[Event]:
        return self._heard(conduct.waited(self.arbiter, self._later(ms)))

    def confirm(self) -> Ruling:
        found = convictions.proposal(self.arbiter, "")
        assert found
        now = self._later()
        (ruling,) = self._heard(convictions.confirmed(self.arbiter, found, now, self.number))
        assert isinstance(ruling, Ruling)
        return ruling


def charged_with(events: list[Event]) -> list[Conduct]:
    return [event.conduct for event in events if isinstance(event, Proposed)]


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


class TestHandled:
    """A piece that was moved or taken off was touched."""

    @pytest.mark.parametrize(
        ("kind", "squares"),
        [(Irregularity.PIECE_DISPLACED, (21, 17)), (Irregularity.PIECE_REMOVED, (21,))],
    )
    def test_a_piece_of_the_other_player(
        self, kind: Irregularity, squares: tuple[int, ...]
    ) -> None:
        desk = Desk(FREE)
        ruling, proposed = desk.err(kind, RED, squares)
        assert isinstance(ruling, Ruling)
        assert ruling.verdict is Verdict.RESTORE
        assert isinstance(proposed, Proposed)
        assert (proposed.side, proposed.verdict, proposed.rule) == (
            RED,
            Verdict.WARNING,
            "WCDF 4.3",
        )
        assert desk.confirm().verdict is Verdict.WARNING
        desk.mend()
        desk.err(kind, RED, squares)
        assert desk.confirm().verdict is Verdict.FORFEIT
        assert isinstance(claims.claim(desk.arbiter, WHITE), Claim)

    @pytest.mark.parametrize("side", Side)
    def test_he_is_told_once_what_to_do_with_it(self, side: Side) -> None:
        desk = Desk(FREE)
        ruling, proposed = desk.err(Irregularity.PIECE_DISPLACED, side, (21, 17))
        assert isinstance(ruling, Ruling)
        assert ruling.text.endswith("Put the man back from 17 on 21.")
        assert isinstance(proposed, Proposed)
        assert "Leave" not in proposed.text
        assert desk.confirm().text.endswith("is warned.")

    def test_it_is_one_kind_with_other_impossible_moves(self) -> None:
        desk = Desk(FREE)
        desk.err(Irregularity.ILLEGAL_STEP, RED, (11, 20))
        desk.mend()
        _, proposed = desk.err(Irregularity.PIECE_REMOVED, RED, (21,))
        assert isinstance(proposed, Proposed)
        assert proposed.verdict is Verdict.FORFEIT

    @pytest.mark.parametrize("square", [21, 9])
    def test_any_piece_off_turn(self, square: int) -> None:
        desk = Desk(FREE)
        _, proposed = desk.err(Irregularity.PIECE_REMOVED, WHITE, (square,))
        assert isinstance(proposed, Proposed)
        assert (proposed.side, proposed.rule) == (WHITE, "WCDF 4.6")

    def test_one_act_is_proposed_once(self) -> None:
        desk = Desk(FREE)
        desk.err(Irregularity.PIECE_REMOVED, RED, (21,))
        assert charged_with(desk.err(Irregularity.PIECE_DISPLACED, RED, (21, 17))) == []

    def test_what_the_other_player_does_meanwhile_is_another_act(self) -> None:
        desk = Desk(FREE)
        desk.err(Irregularity.ILLEGAL_STEP, RED, (11, 20))
        told = desk.err(Irregularity.PIECE_REMOVED, WHITE, (9,))
        assert charged_with(told) == [Conduct.TOUCHED_OFF_TURN]

    @pytest.mark.parametrize(
        ("position", "side", "square"),
        [
            (FREE, None, 21),  # nobody can be named
            (FREE, RED, 11),  # an own piece, perhaps in the hand of a player who thinks
            (BOUND, RED, 18),  # the piece that is to be taken
        ],
    )
    def test_nobody_is_accused(self, position: Position, side: Side | None, square: int) -> None:
        assert charged_with(Desk(position).err(Irregularity.PIECE_REMOVED, side, (square,))) == []

    @pytest.mark.parametrize(
        ("first", "move", "charged"),
        [
            (None, "9-14", [Conduct.TOUCHED_OTHER]),
            (None, "11-15", []),
            (1, "1-6", []),
            (1, "11-15", [Conduct.TOUCHED_OTHER]),
        ],
    )
    def test_an_own_man_who_was_long_in_the_hand_has_to_be_played(
        self, first: int | None, move: str, charged: list[Conduct]
    ) -> None:
        """Unless another was touched before."""
        desk = Desk(FREE)
        if first:
            desk.touch(RED, first)
        desk.err(Irregularity.PIECE_REMOVED, RED, (11,))
        desk.mend()
        assert charged_with(desk.play(move)) == charged

    def test_a_new_king_may_be_taken_up_to_crown_it(self) -> None:
        desk = Desk(parse_fen("B:W21:B27"))
        desk.play("27-32")
        assert charged_with(desk.err(Irregularity.PIECE_REMOVED, WHITE, (32,))) == []

    def test_pieces_that_were_upset_accuse_nobody(self) -> None:
        assert charged_with(Desk(FREE).err(Irregularity.UPSET, RED, (21, 32, 1))) == []

    @pytest.mark.parametrize("profile", [US, ONLINE25, GUIDE, PROFILES["plain"]])
    def test_rules_without_touches_say_nothing(self, profile: Profile) -> None:
        assert charged_with(Desk(FREE, profile).err(Irregularity.PIECE_REMOVED, RED, (21,))) == []

    @pytest.mark.parametrize(
        ("kind", "side", "squares", "told"),
        [
            (Irregularity.PIECE_REMOVED, RED, (21,), "Put back the piece on 21."),
            (Irregularity.PIECE_DISPLACED, WHITE, (9, 13), "Put the man back from 13 on 9."),
        ],
    )
    def test_a_pupil_gets_one_order(
        self, kind: Irregularity, side: Side, squares: tuple[int, ...], told: str
    ) -> None:
        (ruling,) = Desk(FREE, LESSONS).err(kind, side, squares)
        assert isinstance(ruling, Ruling)
        assert ruling.text.endswith(told)

    def test_a_club_evening_warns(self) -> None:
        desk = Desk(FREE, CLUB)
        for _ in range(2):
            desk.err(Irregularity.PIECE_REMOVED, RED, (21,))
            assert desk.confirm().verdict is Verdict.WARNING
            desk.mend()

    def test_overruling_drops_the_proposal(self) -> None:
        desk = Desk(FREE)
        desk.err(Irregularity.PIECE_REMOVED, RED, (21,))
        desk.arbiter = convictions.forgiven(desk.arbiter)
        assert convictions.proposal(desk.arbiter, "") is None


class TestHands:
    def test_a_second_lingering_hand_lets_the_game_be_claimed(self) -> None:
        desk = Desk(FREE)
        assert charged_with(desk.linger(RED, 15)) == [Conduct.HAND_LINGERING]
        assert claims.claim(desk.arbiter, WHITE) == "nothing_to_claim"
        assert desk.confirm().verdict is Verdict.WARNING
        (second,) = desk.linger(RED, 15)
        assert isinstance(second, Proposed)
        assert second.verdict is Verdict.FORFEIT
        assert desk.confirm().verdict is Verdict.FORFEIT
        claim = claims.claim(desk.arbiter, WHITE)
        assert isinstance(claim, Claim)
        assert (claim.side, claim.wins) == (WHITE, True)

    def test_what_nobody_confirms_is_not_counted(self) -> None:
        desk = Desk(FREE)
        for _ in range(5):
            (proposed,) = desk.linger(RED, 15)
            assert isinstance(proposed, Proposed)
            assert proposed.verdict is Verdict.WARNING

    def test_lessons_tell_at_once_and_warn_nobody(self) -> None:
        (ruling,) = Desk(FREE, LESSONS).linger(RED, 15)
        assert isinstance(ruling, Ruling)
        assert ruling.verdict is Verdict.NOTICE

    def test_a_club_evening_never_forfeits(self) -> None:
        desk = Desk(FREE, CLUB)
        for _ in range(4):
            desk.linger(RED, 15)
            assert desk.confirm().verdict is Verdict.WARNING

    @pytest.mark.parametrize(("by", "told"), [(RED, 1), (WHITE, 0), (None, 0)])
    def test_the_opponent_crowns(self, by: Side | None, told: int) -> None:
        desk = Desk(parse_fen("B:W21:B27"))
        desk.play("27-32")
        event = Crowned(desk._later(), 32, by)
        said = desk._heard(conduct.crowned(desk.arbiter, event, desk.number, desk.position))
        assert len(said) == told
        assert all(isinstance(one, Ruling) and one.rule == "WCDF 3.9" for one in said)


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
            (Irregularity.OFF_SQUARE, RED, (11,)),
        ],
    )
    def test_who_has_no_man_of_his_to_play_in_it_does(
        self, kind: Irregularity, side: Side, squares: tuple[int, ...]
    ) -> None:
        desk = Desk(FREE)
        desk.err(kind, side, squares)
        assert charged_with(desk.wait(WCDF.patience_ms)) == [Conduct.NOT_PUT_RIGHT]

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
            ("18,26,16,32", Irregularity.CAPTURE_UNFINISHED, (14, 23), "Now play 14x30."),
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


KINGS = parse_fen("B:WK32,12:BK1,21")
"""A king and a blocked-free man of each side."""


def test_in_german_no_touched_king_is_called_a_man() -> None:
    (proposed,) = Desk(parse_fen("B:W18,32:BK14,K1,9")).touch(RED, 1)
    assert isinstance(proposed, Proposed)
    said = announcements.in_words(proposed, announcements.LANGUAGES["de"])
    assert "Stein" not in said
    assert "Lass 1 stehen, spiele 14x23." in said
    touched = announce(Touched(0, RED, 1, Touch.LIFTED, 0), announcements.LANGUAGES["de"])
    assert touched is not None
    assert touched.text == "1 wurde berührt"


class TestCount:
    def desk(self, profile: Profile = WCDF) -> Desk:
        desk = Desk(KINGS, profile)
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
        assert desk.arbiter.history.idle(man_moves_count=False) == 2
        assert desk.arbiter.history.idle(man_moves_count=True) == 1

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


@pytest.mark.parametrize(("fen", "how"), [("W:W29:B25,22", "blocked"), ("W:W:B25", "bare")])
def test_a_player_without_a_move_may_have_pieces(fen: str, how: str) -> None:
    assert ends.lost(Arbiter(), 0, parse_fen(fen), 0).phrase[0] == how


def test_only_the_federation_has_the_players_change_colours() -> None:
    assert ends.next_game(Arbiter(WCDF), None, 0, 0)
    assert not ends.next_game(Arbiter(US), None, 0, 0)


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


class TestTime:
    def over(self, grace_ms: int, profile: Profile = WCDF) -> tuple[Arbiter, Event]:
        arbiter, (ruling,) = ends.time_over(
            Arbiter(profile), TimeOver(0, RED, grace_ms), 0, "WCDF 5.1", had_grace=True
        )
        return arbiter, ruling

    def test_grace_is_announced_first(self) -> None:
        arbiter, ruling = self.over(60_000)
        assert isinstance(ruling, Ruling)
        assert ruling.text == "Red's time is over (WCDF 5.1). 1 minute more by grace."
        assert arbiter.claims == ()

    def test_then_the_game_may_be_claimed(self) -> None:
        arbiter, _ = self.over(0)
        claim = claims.claim(arbiter, None)
        assert isinstance(claim, Claim)
        assert claim.side is WHITE

    def test_a_club_only_tells(self) -> None:
        arbiter, ruling = self.over(0, CLUB)
        assert isinstance(ruling, Ruling)
        assert (ruling.verdict, arbiter.claims) == (Verdict.NOTICE, ())


class TestLessons:
    @pytest.mark.parametrize(
        ("fen", "english", "german"),
        [
            (
                "W:W22,26,K23:B17,18,1",
                "White must capture: 22x13, 22x15 or 23x21 (WCDF 3.7).",
                "Weiß muss schlagen: 22x13, 22x15 oder 23x21 (WCDF 3.7).",
            ),
            (
                "B:W14,15,22,23,6,7,26:BK18,1,K10",
                "Red must capture: 10x3, 10x17, 10x19 or another (WCDF 3.7).",
                "Rot muss schlagen: 10x3, 10x17, 10x19 oder anders (WCDF 3.7).",
            ),
        ],
    )
    def test_of_many_captures_a_few_are_told(self, fen: str, english: str, german: str) -> None:
        (told,) = lessons.advice(Desk(parse_fen(fen), LESSONS).arbiter, 0, 0)
        assert told.text == english
        assert announcements.in_words(told, announcements.LANGUAGES["de"]) == german

    def test_where_a_touched_piece_may_go(self) -> None:
        (ruling,) = Desk(FREE, LESSONS).touch(RED, 11)
        assert isinstance(ruling, Ruling)
        assert ruling.text == "11 may go to 15 or 16 (WCDF 3.4)."

    def test_where_a_king_may(self) -> None:
        (ruling,) = Desk(parse_fen("B:W32:BK1"), LESSONS).touch(RED, 1)
        assert isinstance(ruling, Ruling)
        assert ruling.text == "1 may go to 5 or 6 (WCDF 3.10)."

    def test_what_has_to_be_taken(self) -> None:
        (ruling,) = Desk(BOUND, LESSONS).touch(RED, 1)
        assert isinstance(ruling, Ruling)
        assert ruling.text == "1 cannot move now (WCDF 3.7). Move 14 instead."

    def test_after_a_move_that_makes_no_king_nobody_is_crowned(self) -> None:
        desk = Desk(FREE, LESSONS)
        desk.play("11-15")
        (ruling,) = desk.touch(WHITE, 21)
        assert isinstance(ruling, Ruling)
        assert ruling.text == "21 may go to 17 (WCDF 3.4)."

    def test_of_each_piece_anew_but_of_the_same_once(self) -> None:
        desk = Desk(parse_fen("B:W21,32:B1,5,9"), LESSONS)
        told = [desk.touch(RED, square) for square in (9, 9, 5, 9)]
        assert [[event.record()["text"] for event in events] for events in told] == [
            ["9 may go to 13 or 14 (WCDF 3.4)."],
            [],
            ["5 cannot move now (WCDF 3.4). Move 1 or 9 instead."],
            ["9 may go to 13 or 14 (WCDF 3.4)."],
        ]

    def test_and_after_a_move_too(self) -> None:
        desk = Desk(FREE, LESSONS)
        assert desk.touch(RED, 11)
        desk.play("9-14")
        desk.play("32-28")
        assert desk.touch(RED, 11)

    def test_the_other_players_piece_is_still_his(self) -> None:
        (ruling,) = Desk(FREE, LESSONS).touch(RED, 21)
        assert isinstance(ruling, Ruling)
        assert ruling.text.startswith("Red touched 21, which cannot be played")

    def test_what_is_to_be_put_right_is_told_again_and_refused_by_nobody(self) -> None:
        desk = Desk(FREE, LESSONS)
        (told,) = desk.err(Irregularity.ILLEGAL_STEP, RED, (11, 19))
        assert isinstance(told, Ruling)
        assert desk.wait(LESSONS.patience_ms - 1) == []
        (again,) = desk.wait(1)
        assert again == replace(told, time_ms=again.time_ms)
        assert told.text.endswith("Put the man back on 11 and make a lawful move.")
        assert desk.wait(10 * LESSONS.patience_ms) == []

    def test_nothing_is_told_again_of_a_board_in_order(self) -> None:
        desk = Desk(FREE, LESSONS)
        desk.err(Irregularity.ILLEGAL_STEP, RED, (11, 19))
        desk.mend()
        assert desk.wait(10 * LESSONS.patience_ms) == []

    def test_a_pupil_may_think_again(self) -> None:
        desk = Desk(FREE, LESSONS)
        desk.touch(RED, 11)
        assert desk.play("9-14") == []

    def test_a_double_jump_is_praised(self) -> None:
        desk = Desk(parse_fen("B:W18,27,17,5:B14"), LESSONS)
        texts = [event.text for event in desk.play("14x23x32") if isinstance(event, Ruling)]
        assert texts == [
            "Well found, 2 pieces in one move.",
            "Red has a new king on 32 (WCDF 3.9). White crowns it before the reply.",
        ]

    def test_not_one_that_he_was_told_to_finish(self) -> None:
        desk = Desk(parse_fen("B:W18,27,17,5:B14"), LESSONS)
        desk.err(Irregularity.CAPTURE_UNFINISHED, RED, (14, 23, 18))
        desk.mend()
        assert "Well found" not in str(desk.play("14x23x32"))
        desk.play("5-1")
        assert not desk.arbiter.guided

    def test_what_the_other_does_wrong_takes_no_praise_away(self) -> None:
        desk = Desk(parse_fen("B:W18,27,17,5:B14"), LESSONS)
        desk.err(Irregularity.WRONG_TURN, WHITE, (5, 1))
        desk.mend()
        assert "Well found" in str(desk.play("14x23x32"))

    def test_not_one_that_was_all_he_could_do(self) -> None:
        desk = Desk(parse_fen("B:W18,27,5:B14,1"), LESSONS)
        assert "Well found" not in str(desk.play("14x23x32"))

    @pytest.mark.parametrize(
        ("fen", "move"),
        [
            pytest.param("B:W26:BK1,22", "22x31", id="no piece"),
            pytest.param("B:W29:BK25,K22,27", "27-32", id="no move"),
        ],
    )
    def test_nobody_crowns_who_has_no_reply(self, fen: str, move: str) -> None:
        assert Desk(parse_fen(fen), LESSONS).play(move) == []

    def test_elsewhere_nothing_is_said(self) -> None:
        assert Desk(parse_fen("B:W18,27,5:B14")).play("14x23x32") == []


@given(st.integers(0, 200), st.sampled_from(list(PROFILES.values())))
def test_random_games_are_never_ended_by_the_arbiter(seed: int, profile: Profile) -> None:
    """Whatever is played: no forfeit, no draw, and every ruling names its rule in its text; praise
    has none."""
    desk, rng = Desk(Position.start(), profile), random.Random(seed)
    for _ in range(80):
        if moves := lawful_moves(desk.position):
            desk.play(str(rng.choice(moves)))
    for event in desk.said:
        assert isinstance(event, Ruling)
        assert event.verdict in (Verdict.NOTICE, Verdict.DRAW_CLAIMABLE)
        assert f"({event.rule})" in event.text or event.phrase[0] == "praise"

"""What the arbiter makes of pieces that are handled and of hands: no board is looked at."""

from __future__ import annotations

import pytest

from referee.arbiter import Claim
from referee.board import Side
from referee.events import Conduct, Crowned, Irregularity, Proposed, Ruling, Verdict
from referee.notation import parse_fen
from referee.profiles import CLUB, GUIDE, LESSONS, ONLINE25, PROFILES, US, Profile
from referee.rules import Position
from referee.ruling import claims, conduct, convictions
from tests.arbiters import BOUND, FREE, Desk, charged_with
from tests.table import RED, WHITE


class TestHandled:
    """A piece that was moved or taken off was touched."""

    def test_a_piece_put_on_anothers_square_was(self) -> None:
        told = Desk(FREE).err(Irregularity.PIECE_DISPLACED, RED, (21, 11))
        assert charged_with(told) == [Conduct.TOUCHED_UNPLAYABLE]

    @pytest.mark.parametrize("squares", [(11, 21), (21, 11)])
    def test_pieces_of_both_players_do_not_tell_which_was(self, squares: tuple[int, ...]) -> None:
        assert charged_with(Desk(FREE).err(Irregularity.PIECE_REMOVED, RED, squares)) == []

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
        assert ruling.text.endswith("Put the man on 17 back on 21.")
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
            (Irregularity.PIECE_DISPLACED, WHITE, (9, 13), "Put the man on 13 back on 9."),
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

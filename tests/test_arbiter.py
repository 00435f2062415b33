"""What the profiles make of offences, ends, repetitions and idle kings."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.arbiter import Arbiter, Claim, begin
from referee.board import Side
from referee.events import Event, Irregular, Irregularity, Played, Ruling, TimeOver, Verdict
from referee.notation import fen, move_text, parse_fen, parse_move
from referee.profiles import CLUB, GUIDE, LESSONS, ONLINE25, PLAIN, PROFILES, US, WCDF, Profile
from referee.rules import Position, after, lawful_moves
from referee.ruling import claims, ends
from referee.ruling.convictions import in_order
from referee.ruling.course import played
from referee.ruling.ends import agreed, resigned
from referee.ruling.offences import irregular
from tests.arbiters import Desk
from tests.table import RED, WHITE

CAPTURE = parse_fen("W:W22,21:B18,1")


def offence(
    kind: Irregularity, side: Side | None, squares: tuple[int, ...] = (21, 17)
) -> Irregular:
    return Irregular(1_000, kind, side, squares, ("22x15",))


def judge(
    arbiter: Arbiter, kind: Irregularity, side: Side | None = Side.WHITE
) -> tuple[Arbiter, Verdict, str]:
    number = 7 + 2 * len(arbiter.convictions)
    arbiter, (ruling,) = irregular(arbiter, offence(kind, side), number, CAPTURE)
    assert ruling.cause == number
    return arbiter, ruling.verdict, ruling.text


def shuffled(profile: Profile, times: int) -> list[tuple[int, Verdict]]:
    """Two kings go to and fro: the ply and the verdict of each ruling."""
    position = parse_fen("B:WK32:BK1")
    arbiter, found = begin(Arbiter(profile), position), []
    for ply in range(times):
        text = ("1-5", "32-28", "5-1", "28-32")[ply % 4]
        move = parse_move(position, text)
        now = after(position, move)
        event = Played(ply, position.turn, move_text(position, move), fen(now))
        arbiter, rulings = played(arbiter, event, ply, move, now)
        found += [(ply + 1, ruling.verdict) for ruling in rulings]
        position = now
    return found


class TestOffences:
    def test_first_a_warning_then_a_claim(self) -> None:
        arbiter, first, text = judge(begin(Arbiter(), CAPTURE), Irregularity.CAPTURE_MISSED)
        assert (first, text) == (
            Verdict.WARNING,
            "White must capture (WCDF 4.3). White is warned."
            " Put the man back on 21 and play 22x15.",
        )
        _, second, text = judge(in_order(arbiter), Irregularity.CAPTURE_UNFINISHED)
        assert second is Verdict.FORFEIT
        assert "Red may claim the game." in text

    def test_players_and_groups_are_counted_apart(self) -> None:
        arbiter, _, _ = judge(begin(Arbiter(), CAPTURE), Irregularity.CAPTURE_MISSED)
        arbiter, verdict, _ = judge(in_order(arbiter), Irregularity.ILLEGAL_STEP, Side.RED)
        assert verdict is Verdict.WARNING
        _, verdict, _ = judge(in_order(arbiter), Irregularity.WRONG_TURN)
        assert verdict is Verdict.WARNING

    def test_one_act_is_one_offence(self) -> None:
        arbiter, _, _ = judge(begin(Arbiter(), CAPTURE), Irregularity.CAPTURE_MISSED)
        arbiter, verdict, _ = judge(arbiter, Irregularity.ILLEGAL_STEP)
        assert verdict is Verdict.RESTORE
        _, verdict, _ = judge(in_order(arbiter), Irregularity.ILLEGAL_STEP)
        assert verdict is Verdict.FORFEIT

    def test_nobody_is_warned_for_what_nobody_is_known_to_have_done(self) -> None:
        _, verdict, _ = judge(Arbiter(), Irregularity.PIECE_DISPLACED, None)
        assert verdict is Verdict.RESTORE
        _, verdict, _ = judge(Arbiter(), Irregularity.WRONG_TURN, None)
        assert verdict is Verdict.RESTORE
        _, verdict, _ = judge(Arbiter(), Irregularity.JUMPED_PIECE_LEFT, None)
        assert verdict is Verdict.NOTICE

    @pytest.mark.parametrize("profile", [US, ONLINE25, CLUB, LESSONS])
    def test_only_the_tournament_lets_forfeits_be_claimed(self, profile: Profile) -> None:
        arbiter = begin(Arbiter(profile), CAPTURE)
        for _ in range(4):
            arbiter, verdict, _ = judge(in_order(arbiter), Irregularity.CAPTURE_MISSED)
            assert verdict is not Verdict.FORFEIT

    @pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
    def test_every_profile_has_a_rule_and_a_sentence_for_everything(self, profile: Profile) -> None:
        """Two documents do not say that the players move in turn; one knows no second disc."""
        untold = [Irregularity.WRONG_TURN] if profile in (ONLINE25, GUIDE) else []
        if profile is ONLINE25:
            untold += [Irregularity.CROWN_MISSING, Irregularity.CROWN_REMOVED]
        for kind in Irregularity:
            squares = (21, 17, 18) if kind is not Irregularity.OFF_SQUARE else (21,)
            event = offence(kind, Side.WHITE, squares)
            _, (ruling,) = irregular(begin(Arbiter(profile), CAPTURE), event, 0, CAPTURE)
            assert bool(ruling.rule) is (kind not in untold)
            assert ruling.text.endswith(".")
            assert "None" not in ruling.text

    def test_rule_numbers_of_the_federation(self) -> None:
        rules = {kind.value: offence.rule for kind, offence in WCDF.offences.items()}
        assert rules["capture_unfinished"] == "WCDF 4.4"
        assert rules["wrong_turn"] == "WCDF 4.7"
        assert rules["crown_missing"] == "WCDF 3.9"
        assert rules["jumped_piece_left"] == "WCDF 3.7"

    @pytest.mark.parametrize(
        ("profile", "kind", "rule"),
        [
            (GUIDE, Irregularity.CAPTURE_MISSED, "guide 4"),
            (GUIDE, Irregularity.CAPTURE_UNFINISHED, "guide 5"),
            (GUIDE, Irregularity.JUMPED_PIECE_LEFT, "guide 5"),
            (GUIDE, Irregularity.WRONG_PIECE_REMOVED, "guide 3"),
            (US, Irregularity.CAPTURE_UNFINISHED, "US VII"),
            (ONLINE25, Irregularity.JUMPED_PIECE_LEFT, "online, moving"),
            (ONLINE25, Irregularity.OFF_SQUARE, "online, moving"),
        ],
    )
    def test_the_section_that_says_it(
        self, profile: Profile, kind: Irregularity, rule: str
    ) -> None:
        assert f"({rule})." in judge(begin(Arbiter(profile), CAPTURE), kind)[2]

    @pytest.mark.parametrize(
        ("profile", "of_man", "of_king"),
        [
            (US, "US IV", "US VI"),
            (ONLINE25, "online moving", "online king"),
            (PLAIN, "rules moves", "rules moves"),
            (GUIDE, "guide 2", "guide 6"),
            (WCDF, "WCDF 4.3", "WCDF 4.3"),
            (LESSONS, "WCDF 3.4", "WCDF 3.10"),
        ],
    )
    def test_steps_of_kings_have_sections_of_their_own(
        self, profile: Profile, of_man: str, of_king: str
    ) -> None:
        position = parse_fen("W:W22,K21:B1")
        for start, rule in ((22, of_man), (21, of_king)):
            event = offence(Irregularity.ILLEGAL_STEP, Side.WHITE, (start, 5))
            _, (ruling,) = irregular(begin(Arbiter(profile), position), event, 0, position)
            assert ruling.rule == rule

    @pytest.mark.parametrize(
        ("profile", "rule"),
        [
            (WCDF, "WCDF 4.3"),
            (US, "US V"),
            (ONLINE25, ""),
            (PLAIN, "rules king"),
            (GUIDE, "guide 6"),
            (LESSONS, "WCDF 3.8"),
        ],
    )
    def test_jumping_on_out_of_the_king_row_has_one_where_it_is_written(
        self, profile: Profile, rule: str
    ) -> None:
        position = parse_fen("B:W26,27,10:B22,1")
        event = offence(Irregularity.ILLEGAL_STEP, Side.RED, (22, 24, 26, 27))
        _, (ruling,) = irregular(begin(Arbiter(profile), position), event, 0, position)
        assert ruling.rule == rule
        assert "a man that becomes a king stops there" in ruling.text

    @pytest.mark.parametrize(
        ("profile", "of_man", "of_king"),
        [
            (US, "US IV", "US VI"),
            (ONLINE25, "online moving", "online king"),
            (GUIDE, "guide 3", "guide 3"),
            (WCDF, "WCDF 4.3", "WCDF 4.3"),
            (LESSONS, "WCDF 3.5", "WCDF 3.11"),
        ],
    )
    @pytest.mark.parametrize(
        ("fen", "squares"),
        [
            pytest.param("W:W{},32:B18,15,1", (22, 11, 18, 15), id="two-in-one-hop"),
            pytest.param("W:W{},18,32:B1", (22, 15), id="over-its-own-that-stays"),
        ],
    )
    def test_so_have_jumps(
        self, profile: Profile, of_man: str, of_king: str, fen: str, squares: tuple[int, ...]
    ) -> None:
        for piece, rule in (("22", of_man), ("K22", of_king)):
            position = parse_fen(fen.format(piece))
            event = offence(Irregularity.ILLEGAL_STEP, Side.WHITE, squares)
            _, (ruling,) = irregular(begin(Arbiter(profile), position), event, 0, position)
            assert ruling.rule == rule

    @pytest.mark.parametrize(
        ("profile", "first", "later"),
        [
            (WCDF, "WCDF 4.7", "WCDF 4.7"),
            (US, "US II", "US II"),
            (ONLINE25, "online board", ""),
            (PLAIN, "", "rules general"),
            (GUIDE, "guide reference", ""),
            (LESSONS, "WCDF 3.2", "WCDF 3.2"),
        ],
    )
    def test_who_begins_is_not_everywhere_written_where_turns_are(
        self, profile: Profile, first: str, later: str
    ) -> None:
        start = Position.start()
        later_on = parse_fen("B:W22,32:B9,1")
        for position, rule in ((start, first), (later_on, later)):
            event = offence(Irregularity.WRONG_TURN, Side.WHITE, (22, 18))
            _, (ruling,) = irregular(begin(Arbiter(profile), position), event, 0, position)
            assert ruling.rule == rule

    def test_a_pupil_is_told_the_rule_that_explains(self) -> None:
        rules = {kind.value: offence.rule for kind, offence in LESSONS.offences.items()}
        assert rules["capture_missed"] == "WCDF 3.7"
        assert rules["capture_unfinished"] == "WCDF 3.7"
        assert rules["wrong_piece_removed"] == "WCDF 3.5"


class TestEnds:
    """Giving up and agreeing hold everywhere; only what is written is cited."""

    @pytest.mark.parametrize(
        ("profile", "said"),
        [
            (WCDF, "Red resigns (WCDF 6.1). White wins."),
            (US, "Red resigns. White wins."),
            (ONLINE25, "Red resigns (online, end). White wins."),
            (PLAIN, "Red resigns. White wins."),
            (GUIDE, "Red resigns. White wins."),
        ],
    )
    def test_giving_up(self, profile: Profile, said: str) -> None:
        assert resigned(Arbiter(profile), 0, Side.RED, 0).text == said

    @pytest.mark.parametrize(
        ("profile", "rule"),
        [
            (WCDF, "WCDF 7.1"),
            (US, ""),
            (ONLINE25, "online draw"),
            (PLAIN, ""),
            (GUIDE, "guide 8"),
        ],
    )
    def test_agreeing(self, profile: Profile, rule: str) -> None:
        ruling = agreed(Arbiter(profile), 0, 0)
        said = f" ({rule.replace('online ', 'online, ')})" if rule else ""
        assert (ruling.rule, ruling.text) == (
            rule,
            f"The players agree{said}. The game is drawn.",
        )


@pytest.mark.parametrize(("fen", "how"), [("W:W29:B25,22", "blocked"), ("W:W:B25", "bare")])
def test_a_player_without_a_move_may_have_pieces(fen: str, how: str) -> None:
    assert ends.lost(Arbiter(), 0, parse_fen(fen), 0).phrase[0] == how


def test_only_the_federation_has_the_players_change_colours() -> None:
    assert ends.next_game(Arbiter(WCDF), None, 0, 0)
    assert not ends.next_game(Arbiter(US), None, 0, 0)


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


class TestDraws:
    def test_repetition_is_pointed_out_twice(self) -> None:
        assert shuffled(WCDF, 12) == [(4, Verdict.NOTICE), (8, Verdict.NOTICE)]

    def test_the_guide_lets_the_third_time_be_claimed(self) -> None:
        assert shuffled(GUIDE, 8) == [(8, Verdict.DRAW_CLAIMABLE)]

    def test_twenty_five_idle_moves_of_each_player(self) -> None:
        assert shuffled(ONLINE25, 60) == [(50, Verdict.DRAW_CLAIMABLE)]

    def test_no_draw_is_automatic(self) -> None:
        for profile in PROFILES.values():
            assert all(verdict is not Verdict.DRAW for _, verdict in shuffled(profile, 120))


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

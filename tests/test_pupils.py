"""What the arbiter tells pupils: no board is looked at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee import announcements
from referee.events import Irregularity, Ruling
from referee.notation import parse_fen
from referee.profiles import LESSONS
from referee.ruling import lessons
from tests.arbiters import BOUND, FREE, Desk
from tests.table import RED, WHITE


class TestLessons:
    @pytest.mark.parametrize(
        ("fen", "english", "german"),
        [
            (
                "W:W22,26,K23:B17,18,1",
                "White must capture: 22x13, 22x15 or 23x14x21 (WCDF 3.7).",
                "Weiß muss schlagen: 22x13, 22x15 oder 23x14x21 (WCDF 3.7).",
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

    @pytest.mark.parametrize(
        ("fen", "square", "told"),
        [
            ("B:W6,7,14,15:BK2", 2, "2 may jump 2x9x18x11x2 or 2x11x18x9x2 (WCDF 3.7)."),
            ("B:W14,23,32:B9,1", 9, "9 may jump 9x18x27 (WCDF 3.7)."),
            ("B:W14,32:B9,1", 9, "9 may go to 18 (WCDF 3.7)."),
        ],
    )
    def test_by_which_way_where_there_are_several_jumps(
        self, fen: str, square: int, told: str
    ) -> None:
        (ruling,) = Desk(parse_fen(fen), LESSONS).touch(RED, square)
        assert isinstance(ruling, Ruling)
        assert ruling.text == told

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

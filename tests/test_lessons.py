"""What pupils are told in lessons."""

from __future__ import annotations

from typing import ClassVar

import pytest

from referee.announcements import LANGUAGES, in_words
from referee.board import Side, replace
from referee.commands import Word
from referee.events import Event
from referee.notation import parse_fen
from referee.observation import Visibility
from referee.profiles import LESSONS, PROFILES, WCDF, Profile
from tests.table import RED, WHITE, Table, moves, names, ready, rulings


class TestHeld:
    """In a lesson a pupil is told where the piece in his hand may go."""

    def lift(self, square: int, ms: int, profile: Profile = LESSONS, fen: str = "") -> Table:
        table = ready(parse_fen(fen) if fen else None, profile=profile)
        table.events.clear()
        table.change(RED, {square: "."}, ms)
        return table

    def texts(self, table: Table) -> list[str]:
        return [ruling.text for ruling in rulings(table.events)]

    def test_while_he_holds_it(self) -> None:
        table = self.lift(11, 1_500)
        assert names(table.events) == ["held", "ruling"]
        assert self.texts(table) == ["11 may go to 15 or 16 (WCDF 3.4)."]

    def test_that_it_cannot_move_and_what_can(self) -> None:
        told = ["1 cannot move now (WCDF 3.4). Move 9, 10, 11 or 12 instead."]
        assert self.texts(self.lift(1, 1_500)) == told

    def test_over_the_board_as_well(self) -> None:
        table = ready(profile=LESSONS)
        table.reach(RED, {11, 15})
        table.setup = replace(table.setup, {11: "."})
        table.reach(RED, {11, 15}, 200)
        table.reach(RED, {18, 22}, 1_500)
        assert self.texts(table) == ["11 may go to 15 or 16 (WCDF 3.4)."]

    def test_but_not_over_where_it_may_stand_already(self) -> None:
        table = ready(profile=LESSONS)
        table.reach(RED, {11, 15})
        table.setup = replace(table.setup, {11: ".", 15: "r"})
        table.reach(RED, {11, 15}, 200)
        table.reach(RED, {15, 18}, 1_500)
        assert "held" not in names(table.events)

    def test_once_of_one_piece_and_anew_of_another(self) -> None:
        table = self.lift(11, 2_000)
        table.change(RED, {11: "r"})
        assert len(rulings(table.events)) == 1
        table.change(RED, {9: "."}, 1_500)
        assert self.texts(table)[1:] == ["9 may go to 13 or 14 (WCDF 3.4)."]
        table.change(RED, {9: "r"})
        table.change(RED, {11: "."}, 1_500)
        assert len(rulings(table.events)) == 3

    def test_the_cause_is_the_number_of_its_event(self) -> None:
        table = ready(profile=LESSONS)
        table.change(RED, {11: "."}, 1_500)
        (ruling,) = rulings(table.events)
        assert table.events[ruling.cause].name == "held"

    def test_nothing_is_said_of_who_plays_at_once(self) -> None:
        table = self.lift(11, 300)
        table.change(RED, {15: "r"})
        assert names(table.events) == ["played"]

    def test_nor_in_the_middle_of_a_capture(self) -> None:
        table = self.lift(14, 300, fen="B:W17,25,12:B14,1,5")
        table.change(RED, {17: "."}, 1_500)
        assert "held" not in names(table.events)

    def test_nor_of_a_hand_that_is_not_the_movers(self) -> None:
        table = ready(profile=LESSONS)
        table.change(WHITE, {22: "."}, 1_500)
        table.change(WHITE, {22: "w", 11: "."}, 1_500)
        assert "held" not in names(table.events)

    def test_nor_to_those_who_only_put_pieces_straight(self) -> None:
        table = ready(profile=LESSONS)
        table.say(Word.ADJUSTING, RED)
        table.change(RED, {11: "."}, 1_500)
        assert "held" not in names(table.events)

    def test_nor_while_nobody_sees_the_board(self) -> None:
        table = self.lift(11, 300)
        table.visibility = Visibility.COVERED
        table.rest(3_000)
        assert "held" not in names(table.events)

    @pytest.mark.parametrize("profile", [p for p in PROFILES.values() if p is not LESSONS])
    def test_nor_where_no_lesson_is(self, profile: Profile) -> None:
        assert names(self.lift(11, 1_500, profile).events) == []


def test_a_lesson_that_begins_with_a_capture_says_so() -> None:
    for profile, texts in ((LESSONS, ["Red must capture: 14x23 (WCDF 3.7)."]), (WCDF, [])):
        table = ready(parse_fen("B:W18,32:B14,1"), profile=profile)
        assert [ruling.text for ruling in rulings(table.events)] == texts


@pytest.mark.parametrize("profile", [LESSONS, WCDF])
@pytest.mark.parametrize(
    ("text", "due"),
    [
        pytest.param("", "White must capture: 25x18 or 26x17 (WCDF 3.7).", id="back"),
        pytest.param("B:W18,32:B14,1", "Red must capture: 14x23 (WCDF 3.7).", id="position"),
        pytest.param("25x18", "", id="other-move"),
    ],
)
def test_in_a_lesson_that_goes_on_with_a_capture_it_is_told_again(
    text: str, due: str, profile: Profile
) -> None:
    """And not before the board shows what people have said."""
    table = ready(profile=profile)
    table.say(Word.OVERRULE, text="11-15 22-18 15x22 26x17")
    assert not rulings(table.say(Word.CORRECT, text=text))
    table.setup = table.game.position.setup
    events = table.rest(2_000)
    told = [ruling for ruling in rulings(events) if ruling.phrase[0] == "must_capture"]
    assert [ruling.text for ruling in told] == ([due] if due and profile is LESSONS else [])
    assert all(table.events[ruling.cause].name == "corrected" for ruling in told)
    assert not rulings(table.rest(5_000))


def test_what_looks_otherwise_elsewhere_does_not_hold_it_back() -> None:
    table = ready(profile=LESSONS)
    table.change(RED, {11: ".", 15: "r"})
    table.change(WHITE, {22: ".", 18: "w"})
    table.misread = {3: (0, -600, -600, -600, -600)}
    table.rest(600)
    told = rulings(table.say(Word.CORRECT, text="22-18"))
    assert [ruling.text for ruling in told] == ["Red must capture: 15x22 (WCDF 3.7)."]


def test_nor_does_a_hand_that_makes_the_moves_as_they_are_typed() -> None:
    table = ready(profile=LESSONS)
    table.reach(RED, {11, 15})
    assert not rulings(table.say(Word.OVERRULE, text="11-15 22-18"))
    for changes in ({11: ".", 15: "r"}, {22: ".", 18: "w"}):
        table.setup = replace(table.setup, changes)
        table.reach(RED, {11, 15, 18, 22}, 600)
    told = rulings(table.rest(3_000))
    assert [ruling.text for ruling in told] == ["Red must capture: 15x22 (WCDF 3.7)."]


def test_where_the_board_shows_it_already_it_is_told_at_once() -> None:
    table = ready(profile=LESSONS)
    table.change(RED, {11: ".", 15: "r"})
    table.change(WHITE, {22: ".", 18: "w"})
    table.change(RED, {15: ".", 22: "r", 18: "."})
    table.setup = replace(table.setup, {15: "r", 22: ".", 18: "w"})
    table.rest(600)
    told = rulings(table.say(Word.CORRECT))
    assert [ruling.text for ruling in told] == ["Red must capture: 15x22 (WCDF 3.7)."]


class TestAdvice:
    """In a lesson what must be captured is told behind what has happened, of where it has led."""

    def told(self, events: list[Event]) -> list[str]:
        return [r.text for r in rulings(events) if r.phrase[0] == "must_capture"]

    @pytest.mark.parametrize("profile", [LESSONS, WCDF])
    def test_after_a_move(self, profile: Profile) -> None:
        table = ready(parse_fen("B:W22,21:B1,14"), profile=profile)
        events = table.change(RED, {14: ".", 18: "r"})
        due = ["White must capture: 22x15 (WCDF 3.7)."] if profile is LESSONS else []
        assert self.told(events) == due
        numbers = [r.cause for r in rulings(events)]
        assert all(table.events[number].name == "played" for number in numbers)

    def test_after_one_that_is_taken_off_the_record(self) -> None:
        table = ready(parse_fen("W:W22,26,K23:B17,18,1"), profile=LESSONS)
        assert self.told(table.change(WHITE, {22: ".", 17: ".", 13: "w"}, 1_500)) == [
            "Red must capture: 18x27 (WCDF 3.7)."
        ]
        events = table.change(WHITE, {13: ".", 22: "w", 17: "r"}, 4_000)
        assert names(events) == ["withdrawn", "ruling"]
        assert self.told(events) == ["White must capture: 22x13, 22x15 or 23x14x21 (WCDF 3.7)."]
        (ruling,) = rulings(events)
        assert table.events[ruling.cause].name == "withdrawn"

    def test_not_of_a_move_that_has_been_made_already(self) -> None:
        """Red has answered 10-7, which was held until he takes up his new king."""
        table = ready(parse_fen("B:W32,10,20,K3:B22,26,2,12"), profile=LESSONS)
        table.change(RED, {26: ".", 31: "r"})
        table.change(WHITE, {10: ".", 7: "w"}, 3_000)
        events = table.change(RED, {2: ".", 7: ".", 11: "r"}, 2_500)
        assert moves(events) == ["10-7", "2x11"]
        assert self.told(events) == []

    def test_once_of_several_moves_that_a_person_enters(self) -> None:
        table = ready(profile=LESSONS)
        table.setup = replace(table.setup, {11: ".", 22: "r"})
        table.rest(600)
        events = table.say(Word.OVERRULE, text="11-15 22-18 15x22")
        assert self.told(events) == ["White must capture: 25x18 or 26x17 (WCDF 3.7)."]
        (ruling,) = rulings(events)
        assert table.events[ruling.cause].record()["move"] == "15x22"

    @pytest.mark.parametrize(
        ("white", "english", "german"),
        [
            pytest.param(
                "32,10,20,K3",
                "32 may go to 27 or 28 (WCDF 3.4). First crown the man on 31.",
                "32 darf nach 27 oder 28 (WCDF 3.4). Kröne zuerst den Stein auf 31.",
                id="may",
            ),
            pytest.param(
                "32,10,27,28",
                "32 cannot move now (WCDF 3.4). First crown the man on 31, then move 10, 27 or 28.",
                "32 kann jetzt nicht ziehen (WCDF 3.4)."
                " Kröne zuerst den Stein auf 31 und ziehe dann mit 10, 27 oder 28.",
                id="cannot",
            ),
        ],
    )
    def test_what_to_do_first_where_a_crown_is_awaited(
        self, white: str, english: str, german: str
    ) -> None:
        table = ready(parse_fen(f"B:W{white}:B22,26,2,12"), profile=LESSONS)
        table.change(RED, {26: ".", 31: "r"})
        (ruling,) = rulings(table.change(WHITE, {32: "."}, 1_500))
        assert ruling.text == english
        assert in_words(ruling, LANGUAGES["de"]) == german
        table.change(WHITE, {32: "w"})
        table.change(WHITE, {31: "R"}, 2_500)
        table.change(WHITE, {10: "."}, 1_500)
        assert rulings(table.events)[-1].text == "10 may go to 6 or 7 (WCDF 3.4)."


class TestPraise:
    """It is for what a pupil finds himself."""

    START = parse_fen("B:W18,26,17,5,32:B14")
    FOUND: ClassVar = {14: ".", 18: ".", 26: ".", 30: "r"}

    def is_praised(self, table: Table, side: Side = RED) -> bool:
        made = rulings(table.change(side, self.FOUND, 4_000))
        return "praise" in [ruling.phrase[0] for ruling in made]

    def test_though_he_holds_the_piece_for_long(self) -> None:
        table = ready(self.START, profile=LESSONS)
        table.change(RED, {14: "."}, 6_000)
        assert "irregular" not in names(table.events)
        assert self.is_praised(table)

    def test_not_for_what_the_teacher_has_played_for_him(self) -> None:
        assert not self.is_praised(ready(self.START, profile=LESSONS), WHITE)

    def test_once_though_it_is_put_back_and_played_again(self) -> None:
        table = ready(self.START, profile=LESSONS)
        assert self.is_praised(table)
        back = {square: self.START.setup[square - 1] for square in self.FOUND}
        assert "withdrawn" in names(table.change(RED, back, 4_000))
        assert not self.is_praised(table)


def test_each_player_is_told_once_to_take_his_hand_away() -> None:
    table = ready(profile=LESSONS)
    for side, start, end in ((RED, 11, 15), (WHITE, 23, 19), (RED, 8, 11), (WHITE, 22, 17)):
        table.reach(side, {start})
        piece = table.setup[start - 1]
        table.setup = replace(table.setup, {start: ".", end: piece})
        table.reach(side, {end}, 2_500)
        table.rest(1_000)
    assert names(table.events).count("lingering") == 4
    told = [ruling for ruling in rulings(table.events) if ruling.rule == "WCDF 4.8"]
    assert [ruling.side for ruling in told] == [RED, WHITE]


def test_who_never_puts_his_piece_down_is_told_in_the_end() -> None:
    table = ready(profile=LESSONS)
    table.change(RED, {11: "."}, 20_000)
    assert names(table.events)[1:] == ["held", "ruling", "irregular", "ruling"]


def test_no_move_that_a_person_enters_is_praised() -> None:
    position = parse_fen("B:W18,26,17,5,32:B14")
    table = ready(position, profile=LESSONS)
    made = table.change(RED, {14: ".", 18: ".", 26: ".", 30: "r"}, 4_000)
    assert "praise" in [ruling.phrase[0] for ruling in rulings(made)]
    for entered in (
        table.say(Word.CORRECT, text="14x30"),
        ready(position, profile=LESSONS).say(Word.OVERRULE, text="14x30"),
    ):
        assert moves(entered) == ["14x30"]
        assert "praise" not in [ruling.phrase[0] for ruling in rulings(entered)]

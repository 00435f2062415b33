"""What is said at the board and when: nothing stale, nothing that waits behind another."""

from __future__ import annotations

import pytest

from hardware.speech.fake_voice import FakeVoice
from hardware.speech.sounds import Sound
from hardware.voice import Utterance
from referee import events
from referee.announcements import LANGUAGES
from referee.announcer import announce, is_aloud
from referee.board import Side
from referee.english import ENGLISH
from referee.events import Event, Verdict
from referee.game import Input
from referee.language import aloud
from referee.notation import parse_fen
from referee.profiles import GUIDE, LESSONS, ONLINE25, PLAIN, Profile
from referee.rules import Position
from referee.speaking import Speaking, utterance
from tests import table as tables

LATER_MS = 100


def played(move: str, time_ms: int = 0) -> Event:
    return events.Played(time_ms, Side.RED, move, "")


def reminder() -> Event:
    said = ("must_capture", "side=red", "captures=15x24")
    return events.Ruling(0, Verdict.NOTICE, Side.RED, "WCDF 3.7", "in English", 0, said)


def ruling(verdict: Verdict, time_ms: int = 0) -> Event:
    said = ("wrong_turn", "turn=white", "piece=man", "start=15")
    return events.Ruling(time_ms, verdict, Side.RED, "WCDF 4.7", "in English", 0, said)


WARNING = "It is White's turn (WCDF 4.7). Red is warned. Put the man back on 15."
RESTORE = "It is White's turn (WCDF 4.7). Put the man back on 15."
DOUBT = "I am not sure what was played: was it 11 to 15?"


class Table:
    """A game whose every announcement is said aloud."""

    def __init__(self) -> None:
        self.voice = FakeVoice()
        self.speaking = Speaking(self.voice, ENGLISH)

    def happens(self, *happened: Event) -> None:
        """Events of one frame."""
        for event in happened:
            self.speaking.hear(event, announce(event))
        self.speaking.go_on(happened[-1].time_ms)

    def frame(self, time_ms: int) -> None:
        self.speaking.go_on(time_ms)

    def heard(self) -> list[str]:
        self.voice.finish()
        return [said.words for said in self.voice.heard]


@pytest.fixture
def table() -> Table:
    return Table()


class TestSpeaking:
    def test_a_move_is_said_at_once(self, table: Table) -> None:
        table.happens(played("11-15"))
        assert table.heard() == ["Red 11 to 15"]

    def test_of_moves_in_quick_play_the_newest_waits(self, table: Table) -> None:
        for number, move in enumerate(("11-15", "8-11", "4-8")):
            table.happens(played(move, number * LATER_MS))
        table.voice.finish()
        table.frame(1_000)
        assert table.heard() == ["Red 11 to 15", "Red 4 to 8"]

    def test_an_offence_cuts_off_a_move(self, table: Table) -> None:
        table.happens(played("11-15"))
        table.happens(ruling(Verdict.WARNING, LATER_MS))
        assert [said.words for said in table.voice.cut] == ["Red 11 to 15"]
        assert table.heard() == [WARNING]

    def test_in_lessons_it_does_so_too(self, table: Table) -> None:
        table.happens(played("11-15"))
        table.happens(ruling(Verdict.NOTICE, LATER_MS))
        assert len(table.voice.cut) == 1

    def test_a_move_cuts_nothing_off(self, table: Table) -> None:
        table.happens(ruling(Verdict.WARNING))
        table.happens(played("11-15", LATER_MS))
        assert table.voice.cut == []

    def test_the_end_does_not_cut_off_a_ruling(self, table: Table) -> None:
        table.happens(ruling(Verdict.WARNING))
        table.happens(events.Result(LATER_MS, "0-1", "", ("resigned", "side=red"), "WCDF 6.1"))
        assert table.voice.cut == []
        table.voice.finish()
        table.frame(10_000)
        assert table.heard() == [WARNING, "Red resigns (WCDF 6.1). White wins."]

    def test_an_order_that_is_settled_is_cut_off_by_what_comes_next(self, table: Table) -> None:
        table.happens(ruling(Verdict.RESTORE))
        table.happens(events.Restored(LATER_MS))
        assert len(table.voice.cut) == 1
        assert table.heard() == ["The board is in order again; go on"]

    def test_one_that_is_not_is_said_to_its_end(self, table: Table) -> None:
        table.happens(ruling(Verdict.RESTORE))
        table.happens(events.Watching(LATER_MS))
        assert table.voice.cut == []

    @pytest.mark.parametrize(
        ("first", "then"),
        [
            pytest.param(events.Unsure(0, ("11-15",)), played("11-15"), id="doubt-played"),
            pytest.param(events.NotWatching(0, "dark"), events.Watching(0), id="blind"),
            pytest.param(ruling(Verdict.RESTORE), events.Restored(0), id="restored"),
            pytest.param(reminder(), played("11-15"), id="reminder"),
            pytest.param(ruling(Verdict.NOTICE), events.Restored(0), id="lesson"),
            pytest.param(events.Waiting(0, (3,)), events.Ready(0), id="ready"),
            pytest.param(played("11-15"), events.Corrected(0, ("11-15",), ""), id="taken-back"),
        ],
    )
    def test_what_is_settled_while_it_waits_is_not_said(
        self, first: Event, then: Event, table: Table
    ) -> None:
        table.happens(ruling(Verdict.WARNING))
        table.happens(first)
        table.happens(then)
        table.voice.finish()
        table.frame(LATER_MS)
        news = announce(then)
        assert news is not None
        assert table.heard() == [WARNING, aloud(news.text, ENGLISH)]

    def test_a_warning_counts_though_the_board_is_in_order_again(self, table: Table) -> None:
        table.happens(events.Unsure(0, ("11-15",)))
        table.happens(ruling(Verdict.WARNING))
        table.happens(events.Restored(LATER_MS))
        assert [said.words for said in table.voice.cut] == [DOUBT], "the doubt is settled"
        assert table.heard() == [WARNING]

    def test_what_has_become_stale_is_not_said(self, table: Table) -> None:
        table.happens(ruling(Verdict.WARNING))
        table.happens(played("11-15"))
        table.voice.finish()
        table.frame(3_001)
        assert table.heard() == [WARNING]

    def test_the_last_words_are_said_at_the_end(self, table: Table) -> None:
        table.happens(ruling(Verdict.WARNING))
        table.happens(events.Result(0, "0-1", "", ("resigned", "side=red"), "WCDF 6.1"))
        table.speaking.finish()
        assert [said.words[:11] for said in table.voice.heard] == ["It is White", "Red resigns"]

    def test_but_no_move_that_nobody_waits_for(self, table: Table) -> None:
        table.happens(ruling(Verdict.WARNING))
        table.happens(played("11-15"))
        table.speaking.finish()
        assert table.heard() == [WARNING]

    def test_what_is_for_the_desk_alone_is_not_heard(self, table: Table) -> None:
        table.speaking.hear(played("11-15"), None)
        table.frame(0)
        assert table.heard() == []

    def test_without_a_voice_nothing_happens(self) -> None:
        speaking = Speaking(None, ENGLISH)
        event = played("11-15")
        speaking.hear(event, announce(event))
        speaking.go_on(0)
        speaking.finish()
        speaking.close()


class Heard(tables.Table):
    """A board at which all is explained, if the rules are not others, and how that sounds."""

    def __init__(self, position: Position | None = None, profile: Profile = LESSONS) -> None:
        super().__init__(position, profile)
        self.voice = FakeVoice()
        self.speaking = Speaking(self.voice, ENGLISH)

    def _feed(self, given: Input) -> None:
        before = len(self.events)
        super()._feed(given)
        for event in self.events[before:]:
            said = announce(event)
            aloud_here = said is not None and is_aloud(said, self.game.arbiter.profile)
            self.speaking.hear(event, said if aloud_here else None)
        self.speaking.go_on(self.time_ms)

    def heard(self) -> list[Utterance]:
        """What was said since the last call, nothing being said any more."""
        self.voice.finish()
        said = list(self.voice.heard)
        self.voice.heard.clear()
        return said


class TestOneFrame:
    """What one frame has brought is said in one breath."""

    def begun(self, fen: str, profile: Profile = LESSONS) -> Heard:
        lesson = Heard(parse_fen(fen), profile)
        lesson.rest(1_500)
        lesson.heard()
        return lesson

    def test_a_move_the_praise_and_the_new_king(self) -> None:
        lesson = self.begun("B:W17,18,25,12:B14,1,5")
        lesson.change(tables.RED, {14: ".", 17: ".", 25: ".", 30: "r"}, 3_500)
        assert lesson.heard() == [
            Utterance(
                "Red 14 jumps to 30. Well found, 2 pieces in one move."
                " Red has a new king on 30 (WCDF 3.9). White crowns it before the reply.",
                Sound.MOVE,
            )
        ]

    def test_a_move_and_what_must_be_captured_next(self) -> None:
        lesson = self.begun("W:W22,25,29:B15,1")
        lesson.change(tables.WHITE, {22: ".", 18: "w"})
        told = "White 22 to 18. Red must capture: 15 jumps to 22 (WCDF 3.7)."
        assert lesson.heard() == [Utterance(told, Sound.MOVE)]
        lesson.change(tables.RED, {15: ".", 18: ".", 22: "r"})
        told = "Red 15 jumps to 22. White must capture: 25 jumps to 18 (WCDF 3.7)."
        assert lesson.heard() == [Utterance(told, Sound.MOVE)]

    def test_a_move_and_the_end(self) -> None:
        lesson = self.begun("B:W18:B14")
        lesson.change(tables.RED, {14: ".", 18: ".", 23: "r"})
        told = "Red 14 jumps to 23. White has no piece left (WCDF 6.2). Red wins."
        assert lesson.heard() == [Utterance(told, Sound.MOVE)]

    @pytest.mark.parametrize("profile", [ONLINE25, PLAIN, GUIDE], ids=lambda each: each.name)
    def test_a_crown_is_called_for_though_the_reply_stands(self, profile: Profile) -> None:
        table = self.begun("B:W10,29,28:B26,1,2", profile)
        table.change(tables.RED, {26: ".", 31: "r"}, 1_500)
        table.change(tables.WHITE, {29: ".", 25: "w"}, 6_000)
        (called,) = table.heard()
        assert called.words.startswith("The new king on 31 has no second disc")
        assert called.words.endswith("Put one on.")

    def test_not_when_it_has_been_put_on_while_the_call_waits(self, table: Table) -> None:
        said = ("crown_wanted", "square=31")
        wanted = events.Ruling(0, Verdict.NOTICE, None, "guide 6", "in English", 0, said)
        table.happens(ruling(Verdict.WARNING))
        table.happens(wanted, played("29-25"))
        table.happens(events.Crowned(LATER_MS, 31))
        table.voice.finish()
        table.frame(LATER_MS)
        assert table.heard() == [WARNING, "King on 31"]

    def test_what_has_become_stale_of_it_is_left_out(self, table: Table) -> None:
        table.happens(ruling(Verdict.WARNING))
        table.happens(played("11-15"), reminder())
        table.voice.finish()
        table.frame(3_001)
        assert table.heard() == [WARNING, "Red must capture: 15 jumps to 24 (WCDF 3.7)."]

    def test_what_is_settled_in_the_same_frame_is_left_out(self, table: Table) -> None:
        table.happens(events.Unsure(0, ("11-15",)), played("11-15"))
        assert table.heard() == ["Red 11 to 15"]

    def test_so_is_what_was_to_be_captured_after_a_move_that_is_taken_off(
        self, table: Table
    ) -> None:
        table.happens(reminder(), events.Withdrawn(0, ("22-18",), ""))
        assert table.heard() == ["I take 22 to 18 off the record"]

    def test_all_of_it_waits_and_all_of_it_gives_way(self, table: Table) -> None:
        table.happens(ruling(Verdict.WARNING))
        table.happens(played("11-15"), events.Crowned(0, 15))
        table.happens(played("8-11", LATER_MS), events.Crowned(LATER_MS, 11))
        table.voice.finish()
        table.frame(2 * LATER_MS)
        assert table.heard() == [WARNING, "Red 8 to 11. King on 11"]

    def test_an_offence_in_it_cuts_in(self, table: Table) -> None:
        table.happens(played("11-15"))
        table.happens(played("8-11", LATER_MS), ruling(Verdict.WARNING, LATER_MS))
        assert [said.words for said in table.voice.cut] == ["Red 11 to 15"]
        table.voice.finish()
        assert table.voice.heard == [Utterance(f"Red 8 to 11. {WARNING}", Sound.OFFENCE)]


class TestUtterance:
    @pytest.mark.parametrize(
        ("event", "sound"),
        [
            (played("11-15"), Sound.MOVE),
            (ruling(Verdict.WARNING), Sound.OFFENCE),
            (events.Unsure(0, ()), Sound.UNSURE),
            (ruling(Verdict.NOTICE), Sound.OFFENCE),
            (reminder(), None),
            (events.Ready(0), None),
        ],
    )
    def test_the_sound_tells_what_comes(self, event: Event, sound: Sound | None) -> None:
        said = announce(event)
        assert said is not None
        assert utterance(said, ENGLISH).sound is sound

    @pytest.mark.parametrize(
        ("text", "english", "german"),
        [
            ("Red 11-15", "Red 11 to 15", "Red 11 nach 15"),
            (
                "22x15x8, 22x13",
                "22 jumps to 15 and on to 8, 22 jumps to 13",
                "22 springt auf 15 und weiter auf 8, 22 springt auf 13",
            ),
            (
                "Put it back and play 22x15 or 9-14, then play 9-14.",
                "Put it back and play: 22 jumps to 15 or 9 to 14, then play 9 to 14.",
                None,
            ),
            (
                "18x9x2x11 or 2-6",
                "18 jumps to 9 and on to 2 and on to 11 or 2 to 6",
                "18 springt auf 9 und weiter auf 2 und weiter auf 11 or 2 nach 6",
            ),
            ("Rash. Take 11x18 back.", "Rash. Take 11 to 18 back.", "Rash. Take 11 nach 18 back."),
            ("9 may jump 9x18x25", "9 may jump 9 to 18 and on to 25", None),
            (
                "10 must move: play 10x17 or 10x19.",
                "10 must move: 10 jumps to 17 or 10 jumps to 19.",
                None,
            ),
            ("10 must move: play 10-14.", "10 must move: play 10 to 14.", None),
            ("1-0: by Red", "Red wins: by Red", "Rot gewinnt: by Red"),
            ("1/2-1/2: agreed", "A draw: agreed", "Remis: agreed"),
            (
                "1-0: White resigns (WCDF 6.1). Red wins.",
                "White resigns (WCDF 6.1). Red wins.",
                "White resigns (WCDF 6.1). Red wins.",
            ),
            ("30/60, 5+1, WCDF 4.7, 2026-11", None, None),
        ],
    )
    def test_moves_and_results_are_words(
        self, text: str, english: str | None, german: str | None
    ) -> None:
        assert aloud(text, ENGLISH) == (english or text)
        if german:
            assert aloud(text, LANGUAGES["de"]) == german

    def test_what_is_to_be_played_is_a_sentence_in_german_too(self) -> None:
        said = aloud("Stelle den Stein auf 21 zurück und spiele 22x15.", LANGUAGES["de"])
        assert said == "Stelle den Stein auf 21 zurück und spiele: 22 springt auf 15."
        said = aloud("Der Stein auf 22 muss ziehen: spiele 22x15x8.", LANGUAGES["de"])
        assert said == "Der Stein auf 22 muss ziehen: 22 springt auf 15 und weiter auf 8."

    def test_words_and_sound_go_together(self) -> None:
        said = announce(played("11-15"))
        assert said is not None
        assert utterance(said, ENGLISH) == Utterance("Red 11 to 15", Sound.MOVE)

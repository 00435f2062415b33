"""What people see and hear: standings, announcements, the desk and the score sheet."""

from __future__ import annotations

import errno
import io
import os
import re
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

import referee.desk
from referee import clock as clocks
from referee import events as happened
from referee import scoresheet
from referee.announcements import LANGUAGES
from referee.announcer import Announcement, Speech, Tone, announce, is_aloud, still_true
from referee.board import START, Side
from referee.clock import Clock, Period, Setting
from referee.colours import RED_AND_WHITE
from referee.desk import Desk, clock, left, score_lines, summary
from referee.english import ENGLISH
from referee.errors import InputError
from referee.journal import condition
from referee.journal.journal import day_of
from referee.language import called
from referee.notation import Game, fen, parse_move, parse_pdn
from referee.observation import Visibility
from referee.profiles import LESSONS, WCDF, Aloud
from referee.rules import Position, play
from referee.scoresheet import Scoresheet, named, tags, unnamed
from referee.standing import Standing
from referee.terminal_board import INKS, cells_of, draw_board
from referee.verbs import terminal

BLACK_AND_RED = ("black", "red")


def played(*texts, position=None):
    """The events of some moves, one each second."""
    position = position or Position.start()
    events = []
    for text in texts:
        side = position.turn
        position = play(position, parse_move(position, text))
        events.append(happened.Played(1000 * len(events), side, text, fen(position)))
    return events


def after(*events, standing=None):
    standing = standing or Standing(Position.start())
    for event in events:
        standing = standing.after(event)
    return standing


MISSED = happened.Irregular(
    9000, happened.Irregularity.CAPTURE_MISSED, Side.RED, (4, 8), ("15x24",)
)

SAID = [
    (happened.Seated(1, "Anna", "Ben"), "Anna has Red, Ben has White"),
    (happened.Seated(1, "Anna", "Ben", True), "In the next game Anna has Red and Ben White"),
    (happened.Headed(1, "Event", "Club, 1=2"), "The event is Club, 1=2"),
    (happened.Headed(1, "Site", "Vienna"), "The site is Vienna"),
    (happened.Headed(1, "Round", "2"), "The round is 2"),
    (
        happened.Waiting(1, (9, 11)),
        "The first position is not set up yet: look at squares 9 and 11",
    ),
    (
        happened.Otherwise(1, (9, 11)),
        "The board is not as the record has it now: look at squares 9 and 11",
    ),
    (happened.Crowned(1, 30), "King on 30"),
    (happened.Touched(1, Side.RED, 11, happened.Touch.LIFTED, 0), "The piece on 11 was touched"),
    (happened.Lingering(1, Side.RED, 15, 0), "Red's hand has stayed on 15"),
    (happened.Withdrawn(1, ("22-18", "11-15"), ""), "I take 22-18 and 11-15 off the record"),
    (
        happened.Unsure(1, ("11-15", "11-16"), (15, 16)),
        "I am not sure what was played: was it 11-15 or 11-16?",
    ),
    (happened.Unsure(1, ()), "I am not sure what was played; please tell me"),
    (happened.Unsure(1, (), (9, 11)), "I am not sure what happened: look at squares 9 and 11"),
    (
        happened.Unsure(1, ("22-18", "23-19"), (18, 19), 1),
        "Was it 22-18 or 23-19? The first is on record, the second lies on the board",
    ),
    (
        happened.Unsure(1, ("8-3 3-8", "8-12 12-8"), ply=0),
        "I have not seen the way there: was it 8-3 3-8 or 8-12 12-8? The first is on record",
    ),
    (happened.Corrected(1, (), ""), "The record is in order"),
    (happened.Corrected(1, ("11-15",), ""), "The record goes on without 11-15"),
    (
        happened.Corrected(1, ("11-15",), "", overruled=(3,), against=Side.WHITE),
        "The record goes on without 11-15, and the last ruling against White is taken back",
    ),
    (
        happened.Corrected(1, ("22-18", "11-15"), "", overruled=(3, 5)),
        "The record goes on without 22-18 and 11-15, and the last ruling is taken back",
    ),
    (
        happened.Corrected(1, (), "", turn=Side.WHITE),
        "The board stands as it is, it is White's turn",
    ),
    (happened.DrawOffered(1, Side.RED), "Red offers a draw"),
    (happened.DrawDeclined(1, Side.WHITE), "White declines the draw"),
    (happened.CountRequested(1, Side.RED), "Red asks for the count of moves"),
    (happened.Adjusting(1, Side.RED), "Red is adjusting: touches by Red do not count"),
    (happened.Adjusting(1, None), "Adjusting: touches do not count"),
    (happened.ClockSet(1, "30/60"), "The clock is set: 30/60"),
    (happened.ClockSet(1, "off"), "There is no clock"),
    (happened.Result(1, "1-0", "in English", ("entered",)), "1-0: entered by a person. Red wins."),
    (
        happened.Result(1, "1/2-1/2", "in English", ("entered",)),
        "1/2-1/2: entered by a person. A draw.",
    ),
    (
        condition.NotRecording(1, "[Errno 28] No space left", condition.Hindrance.FULL),
        "The game cannot be written down: the disk is full, make room. "
        "Until that changes I announce nothing, write the moves yourselves",
    ),
    (
        condition.NotRecorded(1, "disk I/O error", condition.Hindrance.FAILING, 3),
        "The end of the game could not be written down: the disk fails. It stands in the PDN alone",
    ),
    (condition.Recording(1, ""), "The game is written down again"),
    (condition.Recording(1, "it is late"), "The game is written down again, but it is late"),
]
"""What people are told of events, each with what tells it from others of its kind."""


class TestStanding:
    @pytest.mark.parametrize(
        "said",
        [
            happened.Corrected(5_000, (), fen(Position.start())),
            played("11-15")[0],
            happened.Started(5_000, fen(Position.start())),
        ],
    )
    def test_what_people_say_makes_nobody_see_the_board(self, said):
        unseen = after(happened.NotWatching(4_000, "paused"), said)
        assert unseen.trouble == "cannot see the board"
        assert unseen.after(happened.Watching(9_000)).trouble is None

    def test_moves_move_the_pieces(self):
        standing = after(happened.Ready(0), *played("11-15", "23-19"))
        assert standing.ready
        assert standing.position.setup == "rrrrrrrrrr.r..r...w.ww.wwwwwwwww"
        assert standing.moves == ((Side.RED, "11-15"), (Side.WHITE, "23-19"))
        assert standing.marked == (23, 19)

    def test_an_offence_stands_until_it_is_put_right(self):
        standing = after(*played("11-15"), MISSED)
        assert (standing.trouble, standing.wrong) == ("capture missed", (4, 8))
        standing = after(happened.Restored(9500), standing=standing)
        assert (standing.trouble, standing.wrong) == (None, ())
        assert standing.offences == (MISSED,)

    def test_also_where_the_board_was_not_seen_meanwhile(self):
        standing = after(*played("11-15"), MISSED, happened.NotWatching(9000, "dark"))
        assert (standing.trouble, standing.wrong) == ("cannot see the board", (4, 8))
        standing = after(happened.Watching(9500), standing=standing)
        assert (standing.trouble, standing.wrong) == ("capture missed", (4, 8))

    def test_which_way_it_was_holds_up_nothing(self):
        way = happened.Unsure(4000, ("11-15 23-19", "11-16 23-19"), ply=0)
        assert after(*played("11-15"), way).trouble is None
        assert after(*played("11-15"), replace(way, squares=(11,))).trouble

    def test_a_correction_takes_moves_back(self):
        moves = played("11-15", "23-19")
        standing = after(*moves, happened.Corrected(5000, ("23-19",), moves[0].fen))
        assert standing.moves == ((Side.RED, "11-15"),)
        assert standing.position.turn is Side.WHITE

    def test_a_correction_takes_back_the_end_too(self):
        drawn = happened.Result(5000, "1/2-1/2", "The players agree.")
        corrected = happened.Corrected(6000, (), "W:W32:B1")
        assert after(drawn, corrected).result is drawn
        assert after(drawn, replace(corrected, reopened="1/2-1/2")).result is None


class TestAnnouncer:
    def test_every_event_is_known(self):
        """Either it is announced, or on purpose only its ruling is."""
        unsaid = {happened.Irregular, happened.TimeOver, happened.Held}
        kinds = set(happened.Event.__subclasses__()) - {happened.Ruling}
        samples = [_sample(kind) for kind in kinds - unsaid]
        assert [event.name for event in samples if announce(event) is None] == []

    @pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
    def test_every_event_is_said_whole_in_every_language(self, language):
        for kind in set(happened.Event.__subclasses__()):
            said = announce(_sample(kind), language)
            assert said is None or not re.search("[{}_]|None", said.text), said

    @pytest.mark.parametrize(("event", "text"), SAID)
    def test_what_there_is_to_tell_is_said(self, event, text):
        assert announce(event).text == text

    def test_what_stands_above_the_record_is_for_the_desk_alone(self):
        said = announce(happened.Headed(1, "Round", "2"), LANGUAGES["de"])
        assert (said.text, said.tone, said.kind) == ("Die Runde ist 2", Tone.NOTE, None)

    def test_what_may_be_claimed_is_no_trouble(self):
        claimable = happened.Verdict.DRAW_CLAIMABLE
        ruling = happened.Ruling(1, claimable, Side.RED, "WCDF 7.4", "", 0, ("repeated", "nth=3"))
        assert announce(ruling).tone is Tone.NOTE

    def test_a_proposal_says_its_number(self):
        rule, said = "WCDF 4.5", ("not_put_right", "side=red")
        conduct, verdict = happened.Conduct.NOT_PUT_RIGHT, happened.Verdict.WARNING
        proposed = happened.Proposed(1, conduct, verdict, Side.RED, rule, "", said, 0, number=7)
        assert announce(proposed).text == (
            "Proposed: Red does not put the board right (WCDF 4.5). If confirmed: Red is warned. "
            "Type: confirm 7, or dismiss 7"
        )

    def test_why_the_board_is_not_seen_is_said_in_words(self):
        german = LANGUAGES["de"].words
        assert [view for view in Visibility if view.value not in german] == [Visibility.CLEAR]
        gone = happened.NotWatching(0, Visibility.LOST.value)
        assert announce(gone).text == "I cannot see the board: it is not where it was"

    def test_a_refusal_names_the_command_as_it_is_typed(self):
        refused = happened.Refused(0, "offer_draw", "in English", ("who",))
        assert announce(refused).text == "offer is not possible: say which player"
        assert announce(refused, LANGUAGES["de"]).text == "offer geht nicht: sage, welcher Spieler"

    def test_a_ruling_speaks_for_its_offence(self):
        assert announce(MISSED) is None
        text = "Red does not put the board right (WCDF 4.5). Red is warned."
        said = announce(warning(Side.RED))
        assert (said.text, said.tone) == (text, Tone.TROUBLE)

    def test_the_end_is_announced_once(self):
        ruling = happened.Ruling(1, happened.Verdict.WIN, Side.RED, "WCDF 6.2", "Red wins.", 0)
        assert announce(ruling) is None
        assert announce(happened.Result(1, "1-0", "Red wins.")).text == "1-0: Red wins."

    @pytest.mark.parametrize(
        ("result", "alone", "with_a_move"),
        [
            (
                "1/2-1/2",
                "The draw is taken back: the game goes on",
                "The draw is taken back, and 11-15 too",
            ),
            (
                "0-1",
                "White's win is taken back: the game goes on",
                "White's win is taken back, and 11-15 too",
            ),
            ("*", "The game goes on", "The game goes on without 11-15"),
        ],
    )
    def test_a_correction_says_that_the_end_is_taken_back(self, result, alone, with_a_move):
        assert announce(happened.Corrected(1, (), "W:W32:B1", result)).text == alone
        of_both = happened.Corrected(1, ("11-15",), "W:W32:B1", result)
        assert announce(of_both).text == with_a_move


class TestAloud:
    def heard(self, profile, *events):
        said = [announce(event) for event in events]
        return [a.text for a in said if a and is_aloud(a, profile)]

    def test_a_tournament_is_silent_until_there_is_something_to_rule(self):
        moves = played("11-15", "23-19")
        doubt = happened.Unsure(1, ("11-15",))
        texts = self.heard(WCDF, happened.Ready(0), *moves, doubt, MISSED, warning(Side.RED))
        assert len(texts) == 1
        assert "WCDF 4.5" in texts[0]

    def test_what_was_said_aloud_is_taken_back_aloud(self):
        back = happened.Corrected(1, (), "W:W32:B1", overruled=(3,))
        assert self.heard(WCDF, back) == ["The last ruling is taken back"]
        won = happened.Corrected(1, (), "W:W32:B1", "1-0")
        assert self.heard(WCDF, won) == ["Red's win is taken back: the game goes on"]
        moves = happened.Corrected(1, ("11-15",), "W:W32:B1")
        assert self.heard(WCDF, moves) == []

    def test_in_lessons_all_is_said_but_what_a_person_has_to_decide(self):
        proposal = happened.Proposed(
            1, happened.Conduct.HAND_LINGERING, happened.Verdict.WARNING, Side.RED, "WCDF 4.8",
            "", ("hand_lingering", "side=red", "square=3"), 0,
        )  # fmt: skip
        assert len(self.heard(LESSONS, happened.Ready(0), *played("11-15"))) == 2
        assert self.heard(LESSONS, proposal) == []

    @pytest.mark.parametrize(
        ("names", "tone", "kind"),
        [
            ("played crowned", Tone.MOVE, Aloud.MOVES),
            ("unsure withdrawn otherwise not_watching", Tone.TROUBLE, Aloud.DOUBT),
            ("watching", Tone.NOTE, Aloud.DOUBT),
            ("not_recording not_recorded", Tone.TROUBLE, Aloud.RULINGS),
            ("result", Tone.END, Aloud.RULINGS),
            ("touched lingering refused dismissed", Tone.NOTE, None),
            ("ready waiting corrected draw_offered clock_set", Tone.NOTE, Aloud.NOTES),
        ],
    )
    def test_each_event_is_of_a_sort_and_has_a_weight(self, names, tone, kind):
        said = [announce(SAMPLES[name]) for name in names.split()]
        assert {(each.tone, each.kind) for each in said} == {(tone, kind)}

    @pytest.mark.parametrize(
        ("name", "settling"),
        [
            ("played", "withdrawn corrected started"),
            ("unsure", "restored played corrected started result withdrawn irregular"),
            ("otherwise", "restored played corrected started result irregular"),
            ("waiting", "ready"),
            ("not_watching", "watching"),
            ("not_recording", "recording"),
            ("crowned", ""),
            ("result", "started"),
        ],
    )
    def test_what_makes_it_old_news(self, name, settling):
        said = (announce(SAMPLES[name]),)
        settled = {event.name for event in SAMPLES.values() if not still_true(said, event)}
        assert settled == set(settling.split())

    @pytest.mark.parametrize(
        ("verdict", "said", "settling"),
        [
            ("notice", ("piece_removed",), "restored played corrected started withdrawn"),
            ("restore", ("piece_removed",), "restored played corrected started result"),
            ("notice", ("crown_wanted",), "crowned corrected started withdrawn"),
            ("notice", ("crown_now",), "crowned corrected started withdrawn"),
            ("warning", ("piece_removed",), "started"),
            ("forfeit", ("piece_removed",), "started"),
        ],
    )
    def test_what_makes_a_ruling_old_news(self, verdict, said, settling):
        rule = happened.Verdict(verdict), Side.RED, "WCDF 4.4", "", 0, said
        ruling = (announce(happened.Ruling(1, *rule)),)
        settled = {event.name for event in SAMPLES.values() if not still_true(ruling, event)}
        assert settled == set(settling.split())

    def test_what_was_overruled_or_taken_back_is_not_said_any_more(self):
        warned = happened.Verdict.WARNING, Side.RED, "WCDF 4.4", "", 0, ("piece_removed",)
        said = announce(happened.Ruling(1, *warned)), announce(SAMPLES["result"])
        correction = happened.Corrected(2, (), "")
        assert still_true(said, correction) == said
        assert still_true(said, replace(correction, overruled=(1,))) == said[1:]
        assert still_true(said, replace(correction, reopened="0-1")) == said[:1]


class TestSpeech:
    def said(self, tone, time_ms):
        return Announcement(time_ms, tone, f"{tone.value} {time_ms}")

    def test_only_the_newest_waits(self):
        speech = Speech()
        for time_ms in (0, 100, 200):
            speech = speech.with_news((self.said(Tone.MOVE, time_ms),))
        assert [each.text for each in speech.at(300, True)] == ["move 200"]

    def test_a_ruling_is_not_pushed_out_by_a_move(self):
        speech = Speech((self.said(Tone.TROUBLE, 0),)).with_news((self.said(Tone.MOVE, 100),))
        assert [each.tone for each in speech.at(200, True)] == [Tone.TROUBLE]

    def test_unless_it_is_stale(self):
        speech = Speech((self.said(Tone.TROUBLE, 0),)).with_news((self.said(Tone.MOVE, 60_000),))
        assert [each.tone for each in speech.at(60_000, True)] == [Tone.MOVE]

    def test_what_is_stale_is_not_said(self):
        move, note = self.said(Tone.MOVE, 0), self.said(Tone.NOTE, 0)
        speech = Speech((move, note))
        assert speech.at(3_000, True) == (move, note)
        assert speech.at(3_001, True) == (note,)
        assert speech.at(6_001, True) == ()
        assert Speech().at(0, True) == ()


def warning(side, time_ms=1):
    said = ("not_put_right", f"side={side.value}")
    return happened.Ruling(
        time_ms, happened.Verdict.WARNING, side, "WCDF 4.5", "in English", 0, said
    )


VALUES = {
    "side": Side.RED, "move": "11-15", "fen": "", "square": 3, "missing": (3,), "squares": (3,),
    "reason": "fog", "hindrance": condition.Hindrance.FULL, "shift": 60,
    "candidates": ("11-15",), "instead": False, "undone": (), "command": "resign",
    "result": "1-0", "kind": happened.Irregularity.UPSET, "lawful": (), "time_ms": 0,
    "how": happened.Touch.LIFTED, "since_ms": 0, "touched_ms": 0,
    "beside": False,
    "red": "Anna", "white": "Ben", "next_game": True, "by": None,
    "limits": "5+1", "grace_ms": 0, "proposal": 3,
    "conduct": happened.Conduct.HAND_LINGERING, "verdict": happened.Verdict.WARNING,
    "rule": "WCDF 4.8", "text": "", "cause": 0, "number": 7, "held": 0, "reopened": None,
    "phrase": ("hand_lingering", "side=red", "square=3"), "ply": None, "turn": Side.RED,
    "overruled": (), "against": None, "tag": "Site",
}  # fmt: skip


def _sample(kind):
    return kind(**{name: VALUES[name] for name in kind.__dataclass_fields__ if name != "name"})


SAMPLES = {kind.name: _sample(kind) for kind in happened.Event.__subclasses__()}


class TestBoard:
    def test_sixteen_lines_of_thirty_two(self):
        lines = draw_board(cells_of(START)).plain.split("\n")
        assert [len(line) for line in lines] == [32] * 16

    def test_empty_squares_show_their_numbers(self):
        words = draw_board(cells_of(START)).plain.split()
        assert [word for word in words if word.isdecimal()] == [str(n) for n in range(13, 21)]

    def test_a_king_looks_another_than_a_man(self):
        man, king = (draw_board(cells_of(sign + START[1:])).plain for sign in "rR")
        assert man != king

    def test_an_unseen_square_is_marked(self):
        assert "??" in draw_board(cells_of("?" + START[1:])).plain

    @pytest.mark.parametrize(
        ("sides", "first", "second"),
        [
            pytest.param(RED_AND_WHITE, "r", "w", id="red-white"),
            pytest.param(BLACK_AND_RED, "b", "r", id="black-red"),
            pytest.param(("black", "brown"), "r", "w", id="both-begin-alike"),
        ],
    )
    def test_without_colours_discs_have_the_letters_of_theirs(self, sides, first, second):
        setup = START[:11] + "R" + START[12:]
        text = draw_board(cells_of(setup), coloured=False, sides=sides).plain
        assert text.count(f"({first * 2})") == 11
        assert text.count(f"({first.upper() * 2})") == 1
        assert text.count(f"({second * 2})") == 12

    def test_discs_are_drawn_in_the_colours_of_the_set(self):
        def inks(sides):
            drawn = draw_board(cells_of(START), sides=sides)
            return {ink for span in drawn.spans for ink in INKS.values() if ink in str(span.style)}

        assert inks(BLACK_AND_RED) == {INKS["black"], INKS["red"]}
        assert inks(RED_AND_WHITE) == {INKS["red"], INKS["white"]}


class TestDesk:
    def printed(self, terminal, width=90, height=40):
        console = Console(file=io.StringIO(), force_terminal=terminal, width=width, height=height)
        standing = Standing(Position.start())
        with Desk(console, "game.mp4", standing, 10_000) as desk:
            for event in (happened.Ready(0), *played("11-15", "23-19"), MISSED):
                standing = standing.after(event)
                desk.show(standing, announce(event))
                desk.tick(event.time_ms)
        return console.file.getvalue()

    def test_a_log_has_a_line_for_each_announcement(self):
        lines = self.printed(terminal=False).splitlines()
        assert [line.split()[-1] for line in lines[1:]] == ["11-15", "23-19"]
        assert all(line.strip() for line in lines)

    @pytest.mark.parametrize(("width", "height"), [(50, 40), (90, 19)])
    def test_a_terminal_too_small_for_the_board_is_like_a_log(self, width, height):
        printed = self.printed(terminal=True, width=width, height=height)
        text = re.sub(r"\x1b\[[0-9;]*m", "", printed)
        assert text == self.printed(terminal=False)

    def test_a_terminal_shows_the_board_and_the_progress(self):
        text = self.printed(terminal=True)
        assert "capture missed" in text
        assert "0:09 of 0:10" in text

    def test_what_programs_read_goes_past_the_board(self, capsys):
        console = Console(file=io.StringIO(), force_terminal=True, width=90, height=40)
        with Desk(console, "game.mp4", Standing(Position.start())):
            terminal.emit({"event": "ready"})
        assert capsys.readouterr().out == '{"event": "ready"}\n'
        assert "ready" not in console.file.getvalue()

    def test_where_programs_alone_are_served_no_board_holds_words_back(self, capsys):
        console = Console(file=io.StringIO(), force_terminal=True, width=90, height=40, quiet=True)
        with Desk(console, "game.mp4", Standing(Position.start())):
            terminal.complain("the disk is full")
        assert capsys.readouterr().err == "referee: the disk is full\n"

    @pytest.mark.parametrize(
        ("typing", "shown"),
        [
            ("", "0:09\n > help lists what can be typed\n"),
            ("correct 11-1", "0:09\n > correct 11-1 \n"),
            ("a\x9b31mb", "0:09\n > a 31mb \n"),
            (f"seats {'Jo' * 50}", f"0:09\n > {'oJ' * 27}o \n"),
            (f"seats {'漢' * 50}", f"0:09\n > {'漢' * 27} \n"),
            (None, "0:09\n"),
        ],
    )
    def test_what_is_typed_stands_under_the_board(self, typing, shown):
        file = io.StringIO()
        console = Console(file=file, force_terminal=True, color_system=None, width=60, height=20)
        with Desk(console, "x", Standing(Position.start()), typing=lambda: typing) as desk:
            desk.tick(9_000)
        text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", file.getvalue())
        lines = [line.rstrip() for line in text.splitlines()[-len(shown.splitlines()) :]]
        assert lines == [line.rstrip() for line in f" watching for {shown}".splitlines()]

    @pytest.mark.parametrize(
        ("settings", "is_redrawn"),
        [
            ({}, True),
            ({"width": 50}, False),
            ({"force_terminal": False}, False),
            ({"force_interactive": False}, False),
            ({"quiet": True}, False),
        ],
    )
    def test_what_is_typed_is_wiped_only_by_a_board_that_is_drawn(self, settings, is_redrawn):
        usual = {"force_terminal": True, "width": 90, "height": 40}
        console = Console(file=io.StringIO(), **usual | settings)
        assert Desk(console, "game.mp4", Standing(Position.start())).is_redrawn is is_redrawn

    @pytest.mark.parametrize(
        ("events", "told"),
        [
            ((), "… looking for the board"),
            ((happened.Ready(0),), "● Red to move"),
            ((happened.Ready(0), *played("11-15", "23-19")), "1.  11-15  23-19"),
            ((happened.Ready(0), MISSED), "▲ capture missed"),
            ((happened.Ready(0), happened.Result(9_000, "1-0", "Red wins.")), "■ 1-0, Red wins "),
            ((happened.Ready(0), happened.Result(9_000, "1-0", "Red wins.")), "0:09  ■ 1-0: Red"),
            ((), "watching for 0:09"),
        ],
    )
    def test_beside_the_board_stands_how_it_is_with_the_game(self, events, told):
        file = io.StringIO()
        console = Console(file=file, force_terminal=True, color_system=None, width=90, height=40)
        with Desk(console, "game.mp4", Standing(Position.start())) as desk:
            for number in range(len(events)):
                desk.show(after(*events[: number + 1]), announce(events[number]))
            desk.tick(9_000)
        assert told in file.getvalue()

    def test_a_terminal_is_not_drawn_with_every_frame(self, monkeypatch):
        passed_s = [1.0]
        monkeypatch.setattr(referee.desk, "time", SimpleNamespace(monotonic=lambda: passed_s[-1]))
        console = Console(file=io.StringIO(), force_terminal=True, width=90, height=40)
        drawn = []
        with Desk(console, "game.mp4", Standing(Position.start()), 60_000) as desk:
            for second in range(5):
                desk.tick(1_000 * second)
                drawn.append(f"0:0{second} of 1:00" in console.file.getvalue())
                passed_s.append(passed_s[-1] + 0.15)
            assert drawn == [True, False, True, False, True]
            desk.show(after(happened.Ready(0), *played("11-15")), None)
            assert "White to move" in console.file.getvalue()

    def test_the_clock_tells_what_is_left(self):
        times = clocks.start(Clock(Setting(Period(30, 3_600_000))), Side.RED, 0)
        assert left(times, 19_000) == "Red 59:41  White 1:00:00"
        assert left(times, 4_000_000) == "Red 0:00  White 1:00:00"
        assert left(None, 0) == ""
        english = called(ENGLISH, BLACK_AND_RED)
        assert left(times, 19_000, english) == "Black 59:41  Red 1:00:00"

    def test_only_who_has_to_capture_has_the_time_for_that(self):
        times = clocks.start(Clock(Setting(clocks.INFORMAL)), Side.RED, 0, single=True)
        assert left(times, 1_000) == "Red 0:59  White 5:00"

    def test_it_calls_the_sides_by_the_colours_of_the_set(self):
        console = Console(file=io.StringIO(), force_terminal=True, width=90, height=40)
        standing = after(happened.Ready(0), *played("11-15"))
        language = called(ENGLISH, BLACK_AND_RED)
        with Desk(console, "game.mp4", standing, language=language) as desk:
            times = clocks.start(Clock(Setting(Period(30, 3_600_000))), Side.RED, 0)
            desk.tick(19_000, times)
            desk.show(standing, None)
        assert "Black 59:41  Red 1:00:00" in console.file.getvalue()
        assert "Red to move" in console.file.getvalue()
        assert "White" not in console.file.getvalue()

    def test_the_summary_names_offences_and_record(self):
        console = Console(file=io.StringIO(), width=90)
        console.print(summary(after(*played("11-15"), MISSED), 65_000, ["game.pdn"]))
        text = console.file.getvalue()
        assert all(part in text for part in ("capture missed (Red)", "game.pdn", "1:05"))
        english = called(ENGLISH, BLACK_AND_RED)
        console.print(summary(after(*played("11-15"), MISSED), 65_000, ["x.pdn"], english))
        assert "capture missed (Black)" in console.file.getvalue()

    def test_the_summary_says_who_has_won_by_the_colours_of_the_set(self):
        console = Console(file=io.StringIO(), width=90)
        resigned = happened.phrase("resigned", side=Side.RED)
        told = "Red resigns (WCDF 6.1). White wins."
        lost = happened.Result(5_000, "0-1", told, resigned, "WCDF 6.1")
        entered = happened.Result(5_000, "1-0", "in English", ("entered",))
        german = LANGUAGES["de"]
        for end, language in (
            (lost, ENGLISH),
            (lost, called(ENGLISH, BLACK_AND_RED)),
            (entered, called(ENGLISH, BLACK_AND_RED)),
            (entered, called(german, BLACK_AND_RED)),
        ):
            console.print(summary(after(*played("11-15"), end), 6_000, ["x.pdn"], language))
        assert f"0-1, {told}" in console.file.getvalue()
        assert "0-1, Black resigns (WCDF 6.1). Red wins." in console.file.getvalue()
        assert "1-0, entered by a person. Black wins." in console.file.getvalue()
        assert "1-0, von Hand eingetragen. Schwarz gewinnt." in console.file.getvalue()

    def test_the_score_begins_with_white_where_white_does(self):
        position = Position(START, Side.WHITE)
        moves = played("22-18", "11-15", position=position)
        assert score_lines(after(*moves, standing=Standing(position))) == [
            (1, "…", "22-18"),
            (2, "11-15", ""),
        ]

    def test_the_score_loses_no_move_where_white_plays_twice_after_a_correction(self):
        standing = after(*played("11-15", "22-18"))
        standing = replace(standing, moves=(*standing.moves, (Side.WHITE, "24-20")))
        assert score_lines(standing) == [(1, "11-15", "22-18"), (2, "…", "24-20")]

    @pytest.mark.parametrize(
        ("time_ms", "text"), [(0, "0:00"), (65_999, "1:05"), (3_600_000, "1:00:00")]
    )
    def test_times_read_as_on_a_clock(self, time_ms, text):
        assert clock(time_ms) == text


class TestScoresheet:
    @pytest.fixture(autouse=True)
    def in_a_folder(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)

    def test_another_game_is_never_overwritten(self, tmp_path):
        for _ in range(3):
            unnamed().save(Game())
        names = sorted(path.name for path in tmp_path.iterdir())
        assert names == ["game-2.pdn", "game-3.pdn", "game.pdn"]

    def test_of_two_sheets_that_wanted_one_name_each_has_its_own(self, tmp_path):
        sheets = [unnamed(), unnamed()]
        for _ in range(2):
            for event, sheet in zip(("Club", "Home"), sheets, strict=True):
                sheet.save(Game({"Event": event}))
        texts = [(tmp_path / name).read_text() for name in ("game.pdn", "game-2.pdn")]
        assert ["Club" in text for text in texts] == [True, False]
        assert [sheet.path.name for sheet in sheets] == ["game.pdn", "game-2.pdn"]

    @pytest.mark.parametrize(("place", "what"), [(os, "fsync"), (Path, "replace")])
    def test_what_fails_leaves_no_half_a_file(self, place, what, tmp_path, monkeypatch):
        def failing(*_arguments):
            raise OSError(errno.ENOSPC, "No space left on device")

        sheet = named(tmp_path / "club.pdn")
        with monkeypatch.context() as patch:
            patch.setattr(place, what, failing)
            with pytest.raises(OSError, match=r"No space.*club\.pdn"):
                sheet.save(Game())
        assert list(tmp_path.iterdir()) == []

    def test_a_sheet_that_nothing_is_written_on_takes_no_name(self, tmp_path):
        unnamed()
        assert list(tmp_path.iterdir()) == []

    def test_a_name_on_a_full_disk_stays_free(self, tmp_path, monkeypatch):
        def full(path, text):
            raise OSError(errno.ENOSPC, "No space left on device", str(path))

        sheet = unnamed()
        with monkeypatch.context() as patch:
            patch.setattr(scoresheet, "write_whole", full)
            with pytest.raises(OSError, match="No space"):
                sheet.save(Game())
        assert list(tmp_path.iterdir()) == []
        sheet.save(Game())
        assert [path.name for path in tmp_path.iterdir()] == ["game.pdn"]

    @pytest.mark.parametrize(
        ("there", "names"),
        [
            ([], ["game.pdn", "game-2.pdn", "game-3.pdn", "game-4.pdn"]),
            (["game.pdn"], ["game-2.pdn", "game-3.pdn", "game-4.pdn", "game-5.pdn"]),
        ],
    )
    def test_the_games_of_an_evening_are_numbered(self, there, names, tmp_path):
        for name in there:
            (tmp_path / name).write_text("an older game")
        sheets = [unnamed()]
        for _ in range(3):
            sheets[-1].save(Game())
            sheets.append(sheets[-1].next())
        sheets[-1].save(Game())
        assert [sheet.path.name for sheet in sheets] == names

    def test_so_are_those_behind_one_that_was_named(self, tmp_path):
        first = named(tmp_path / "club.pdn")
        first.save(Game())
        second = first.next()
        second.save(Game())
        third = second.next()
        third.save(Game())
        assert [second.path.name, third.path.name] == ["club-2.pdn", "club-3.pdn"]

    def test_a_name_that_was_given_is_used(self, tmp_path):
        path = tmp_path / "club.pdn"
        path.write_text("an older game")
        Scoresheet(path, own=True).save(Game({"Event": "Club"}))
        (record,) = parse_pdn(path.read_text())
        assert record.game.tags == {"Event": "Club"}
        assert list(tmp_path.iterdir()) == [path]

    def test_games_in_a_file_that_was_named_are_kept_beside_it(self, tmp_path):
        path = tmp_path / "club.pdn"
        for event in ("1989", "1990", "1991"):
            sheet = named(path)
            for _ in range(2):
                sheet.save(Game({"Event": event}))
        texts = {file.name: file.read_text() for file in tmp_path.iterdir()}
        kept = {"club.pdn": "1991", "club.pdn~": "1989", "club-2.pdn~": "1990"}
        assert texts.keys() == kept.keys()
        assert all(event in texts[name] for name, event in kept.items())

    def test_a_game_in_it_stays_until_there_is_another(self, tmp_path):
        path = tmp_path / "club.pdn"
        path.write_text("1. 11-15 *")
        named(path)
        assert list(tmp_path.iterdir()) == [path]
        assert path.read_text() == "1. 11-15 *"

    @pytest.mark.parametrize("content", [b"Dear diary, nobody came.\n", b"\xff\xd8\xff\0"])
    def test_what_is_no_game_is_never_replaced(self, content, tmp_path):
        path = tmp_path / "club.pdn"
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"else than a game; give another file with --pdn"):
            named(path)

    @pytest.mark.parametrize("content", [None, b"", b"\n"])
    def test_a_file_that_holds_nothing_may_be_named(self, content, tmp_path):
        path = tmp_path / "club.pdn"
        if content is not None:
            path.write_bytes(content)
        named(path).save(Game({"Event": "Club"}))
        assert "Club" in path.read_text()

    def test_what_else_has_the_name_beside_it_stays_too(self, tmp_path):
        path, notes = tmp_path / "club.pdn", tmp_path / "club.pdn~"
        path.write_text("1. 11-15 *")
        notes.write_text("who brings the clocks")
        named(path).save(Game({"Event": "Club"}))
        assert notes.read_text() == "who brings the clocks"
        assert (tmp_path / "club-2.pdn~").read_text() == "1. 11-15 *"

    @pytest.mark.parametrize("older", [False, True])
    def test_two_games_of_one_name_have_a_file_each(self, older, tmp_path):
        """Neither has known of the other when it was named."""
        path = tmp_path / "club.pdn"
        if older:
            named(path).save(Game({"Event": "1989"}))
        sheets = [named(path), named(path)]
        for _ in range(2):
            for sheet, event in zip(sheets, ("1990", "1991"), strict=True):
                sheet.save(Game({"Event": event}))
        kept = [(sheet.path.name, sheet.path.read_text()) for sheet in sheets]
        assert [name for name, _ in kept] == ["club.pdn", "club-2.pdn"]
        assert ["1990" in kept[0][1], "1991" in kept[1][1]] == [True, True]
        if older:
            assert "1989" in (tmp_path / "club.pdn~").read_text()

    def test_a_failure_leaves_the_older_game(self, tmp_path):
        path = tmp_path / "club.pdn"
        sheet = Scoresheet(path)
        sheet.save(Game({"Event": "Club"}))
        before = path.read_text()
        with pytest.raises(ValueError, match="a result is one of"):
            sheet.save(Game(result="perhaps"))
        assert path.read_text() == before
        assert list(tmp_path.iterdir()) == [path]

    @pytest.mark.parametrize("name", ["nowhere/game.pdn", "."])
    def test_a_place_that_cannot_be_written_is_refused_at_once(self, name, tmp_path):
        with pytest.raises(InputError, match="give another file with --pdn"):
            named(tmp_path / name)

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_a_folder_without_rights_is_refused_at_once(self, tmp_path):
        tmp_path.chmod(0o500)
        with pytest.raises(InputError):
            named(tmp_path / "game.pdn")


class TestTags:
    def test_a_record_says_the_day_and_leaves_names_to_the_game(self):
        assert tags("usb:0", "2026-11-21") == {
            **{"Event": "?", "Site": "usb:0", "Date": "2026.11.21", "Black": "?", "White": "?"}
        }

    @pytest.mark.parametrize(("zone", "day"), [("EST5", "2026-11-20"), ("JST-9", "2026-11-21")])
    def test_the_day_is_that_of_the_place(self, zone, day, monkeypatch):
        with monkeypatch.context() as patch:
            patch.setenv("TZ", zone)
            time.tzset()
            told = day_of("2026-11-21T02:30:00Z")
        time.tzset()
        assert told == day
        assert day_of("2026-11-21T02:30:00Z", "-05:00") == "2026-11-20"

    @pytest.mark.parametrize("label", ["", "yesterday"])
    def test_what_is_not_known_is_written_so(self, label):
        assert tags(None, day_of(label)) | {"Event": ""} == {
            **{"Event": "", "Site": "?", "Date": "????.??.??", "Black": "?", "White": "?"}
        }

    @pytest.mark.parametrize(
        ("source", "site"),
        [
            ("rtsp://anna:secret@camera/live", "rtsp://camera/live"),
            ("http://camera:8080/video?token=secret", "http://camera:8080/video"),
            ("games/who?.mp4", "games/who?.mp4"),
        ],
    )
    def test_a_record_tells_no_password(self, source, site):
        assert tags(source, "")["Site"] == site

"""The next game, begun by setting up its pieces."""

from __future__ import annotations

import errno
import gc
import os
import re
import sqlite3
from pathlib import Path
from typing import ClassVar

import cv2
import pytest

from referee import cli, scoresheet
from referee.board import SQUARES, START, replace
from referee.commands import Command, Word
from referee.events import Irregular, Irregularity, Ready, Refused, Result, Ruling, Started
from referee.game import begin, feed
from referee.journal import journal as journals
from referee.journal import keeper as keepers
from referee.journal import recorder
from referee.journal.chain import next_entry
from referee.journal.condition import Hindrance, NotRecording
from referee.journal.export import Story, story
from referee.journal.folding import Replay, first_game, fold
from referee.journal.journal import Journal
from referee.journal.keeper import Keeper
from referee.journal.salvage import read
from referee.journal.shelf import NAME, Shelf, load_source
from referee.next_game import is_set_up, with_next_games
from referee.notation import fen, parse_fen
from referee.observation import Visibility
from referee.playing.state import ended
from referee.profiles import PROFILES
from referee.rules import Position
from referee.verbs import watch
from referee.verbs.typed import Typed
from tests.boards import draw_board, view_from
from tests.table import RED, WHITE, Table

STEP = with_next_games(feed)
PLAYED = ((9, 13), (24, 20), (10, 14), (23, 19), (6, 10))


class Evening(Table):
    """A table at which one game follows another."""

    def _feed(self, given) -> None:
        self.game, events = STEP(self.game, given)
        self.events += events


@pytest.fixture
def table():
    return Evening()


def play(table: Table, plies: int) -> Table:
    table.rest(1_500)
    for ply, (start, end) in enumerate(PLAYED[:plies]):
        side = WHITE if ply % 2 else RED
        table.change(side, {start: ".", end: side.man})
    assert len(table.game.moves) == plies
    return table


def set_up(table: Table, ms: int) -> list[str]:
    """By hands over everything; what happens until so long after them."""
    wrong = {s: START[s - 1] for s in SQUARES if START[s - 1] != table.setup[s - 1]}
    table.change(RED, wrong, ms=200)
    return [event.name for event in table.rest(ms)]


def test_after_a_game_that_is_over_it_begins_at_once(table):
    play(table, 2).say(Word.RESIGN, RED)
    assert set_up(table, 1_500)[:1] == ["started"]
    assert (table.game.result, table.game.moves, table.game.begun) == (None, (), True)


def test_after_a_game_that_nobody_ended_too(table):
    names = set_up(play(table, 5), 1_500)
    assert names.count("started") == 1
    assert (table.game.moves, table.game.begun) == ((), True)


def test_after_one_that_went_on_from_the_board_as_it_lay_too(table):
    play(table, 5).say(Word.SEATS, text="Anna, Ben")
    table.change(RED, {12: ".", 18: "r"}, 4_000)
    table.say(Word.OVERRULE, text="white")
    assert (table.game.moves, table.game.begun) == ((), True)
    assert set_up(table, 15_000).count("started") == 1
    assert table.game.players == ("Ben", "Anna")


def test_after_a_position_from_which_nobody_has_moved_too():
    table = Evening(parse_fen("B:W18,32:B14,1"))
    table.rest(1_500)
    assert set_up(table, 15_000).count("started") == 1
    assert play(table, 2).game.tracker.first == Position.start()


def test_colours_change_after_a_game_that_nobody_ended(table):
    table.rest(1_500)
    table.say(Word.SEATS, text="Anna, Ben")
    names = set_up(play(table, 5), 1_500)
    assert names[:2] == ["started", "ruling"]
    assert table.game.players == ("Ben", "Anna")
    (reminder,) = [event for event in table.events if isinstance(event, Ruling)]
    assert reminder.text == "The next game begins (WCDF 3.1). Ben has Red now and Anna White."


@pytest.mark.parametrize("name", ["us", "plain"])
def test_players_keep_their_colours_where_no_rule_has_them_change(name):
    table = Evening(profile=PROFILES[name])
    table.rest(1_500)
    table.say(Word.SEATS, text="Anna, Ben")
    assert "ruling" not in set_up(play(table, 5), 1_500)
    assert table.game.players == ("Anna", "Ben")


ENDS = [
    pytest.param(Word.RESIGN, RED, "", id="resign"),
    pytest.param(Word.ACCEPT_DRAW, WHITE, "", id="accept"),
    pytest.param(Word.CLAIM, RED, "", id="claim"),
    pytest.param(Word.RESULT, None, "1-0", id="result"),
]
"""What ends a game."""


@pytest.mark.parametrize(("word", "side", "text"), ENDS)
def test_what_may_be_said_of_the_last_game_does_not_end_the_next(table, word, side, text):
    set_up(play(table, 5), 1_500)
    table.say(Word.OFFER_DRAW, RED)
    (refused,) = table.say(word, side, text)
    assert isinstance(refused, Refused)
    assert "this game has no move yet, and the last one no result" in refused.reason
    table.change(RED, {11: ".", 15: "r"})
    assert "the last one no result" not in getattr(table.say(word, side, text)[0], "reason", "")


def test_nor_one_that_is_begun_again(table):
    set_up(play(table, 5), 1_500)
    table.say(Word.START)
    table.rest(1_500)
    assert isinstance(table.say(Word.RESULT, text="0-1")[0], Refused)
    assert table.game.result is None


def test_a_game_behind_one_that_was_ended_may_end_without_a_move(table):
    play(table, 5).say(Word.RESIGN, RED)
    set_up(table, 1_500)
    assert table.say(Word.RESULT, text="1-0")[0].name == "result"


def test_an_end_without_a_move_leaves_no_game_open(table):
    set_up(play(table, 5), 1_500)
    table.game = ended(table.game, Result(table.time_ms, "0-1", "Red's time is over"))
    table.say(Word.START)
    table.rest(1_500)
    assert table.say(Word.RESULT, text="1-0")[0].name == "result"


def test_names_said_after_the_end_are_those_of_the_next_game(table):
    table.rest(1_500)
    table.say(Word.SEATS, text="Anna, Ben")
    play(table, 5).say(Word.RESIGN, RED)
    table.say(Word.SEATS, text="Ben, Carl")
    assert table.game.record().tags["Black"] == "Anna"
    set_up(table, 1_500)
    assert table.game.players == ("Ben", "Carl")
    assert table.game.next_players is None


def test_names_first_said_after_the_end_are_those_of_the_game(table):
    play(table, 5).say(Word.RESIGN, RED)
    table.say(Word.SEATS, text="Anna, Ben")
    assert table.game.record().tags["Black"] == "Anna"
    set_up(table, 1_500)
    assert table.game.players == ("Ben", "Anna")


def test_a_game_of_a_few_moves_is_begun_anew_as_it_was(table):
    table.rest(1_500)
    table.say(Word.SEATS, text="Anna, Ben")
    names = set_up(play(table, 4), 6_000)
    assert names[:1] == ["started"]
    assert "ruling" not in names
    assert table.game.players == ("Anna", "Ben")


SHORT = (
    (RED, {11: ".", 15: "r"}),
    (WHITE, {22: ".", 18: "w"}),
    (RED, {15: ".", 18: ".", 22: "r"}),
    (WHITE, {25: ".", 22: ".", 18: "w"}),
    (RED, {10: ".", 14: "r"}),
)
"""Few squares are otherwise after this game."""


@pytest.mark.parametrize("hands", [True, False])
def test_pieces_that_are_set_up_have_not_been_upset(table, hands):
    table.rest(1_500)
    for side, changes in SHORT:
        table.change(side, changes)
    assert len(table.game.moves) == len(SHORT)
    before = len(table.events)
    if hands:
        set_up(table, 6_000)
    else:
        table.setup = START
        table.rest(6_000)
    assert [event.name for event in table.events[before:]] == ["started", "ruling", "ready"]


def test_so_few_moves_may_be_taken_back_that_it_must_stand_for_a_while(table):
    play(table, 2)
    table.setup = START  # by magic: no hand was seen
    assert "started" not in [event.name for event in table.rest(3_000)]
    assert [event.name for event in table.rest(2_000)].count("started") == 1


def test_what_a_person_has_corrected_may_be_set_up_on_the_board(table):
    table.rest(10_000)
    table.say(Word.CORRECT, text="11-15")
    assert "started" not in [event.name for event in table.rest(3_500)]
    table.change(RED, {11: ".", 15: "r"})
    table.change(WHITE, {22: ".", 18: "w"})
    assert "started" not in [event.name for event in table.events]
    assert len(table.game.moves) == 2


def test_a_first_position_that_a_person_has_set_is_no_next_game(table):
    play(table, 5).say(Word.CORRECT, text=fen(Position.start()))
    table.setup = START
    assert "started" not in [event.name for event in table.rest(10_000)]


def test_a_result_without_a_move_is_not_swept_away_in_the_same_moment(table):
    table.rest(10_000)
    table.say(Word.RESULT, text="1-0")
    assert table.rest(300) == []
    assert table.say(Word.CORRECT)[0].name == "corrected"
    assert "started" not in [event.name for event in table.rest(10_000)]


def test_a_fresh_game_is_not_begun_again_and_again(table):
    table.rest(20_000)
    assert [event.name for event in table.events] == ["ready"]


def test_a_game_that_has_not_begun_or_goes_on_is_not_followed_by_another(table):
    assert not is_set_up(begin())
    assert not is_set_up(play(table, 5).game)


def test_a_board_that_is_partly_hidden_is_no_new_game(table):
    play(table, 5).setup = replace(START, {17: "?"})
    assert "started" not in [event.name for event in table.rest(20_000)]


def test_while_the_referee_looks_away_nothing_begins(table):
    play(table, 5).say(Word.PAUSE)
    assert "started" not in set_up(table, 6_000)


def test_the_board_is_named_as_what_gave_the_command():
    given = []

    def noting(game, one):
        given.append(one)
        return feed(game, one)

    class Noting(Table):
        def _feed(self, one) -> None:
            self.game = with_next_games(noting)(self.game, one)[0]

    set_up(play(Noting(), 5), 1_500)
    assert [one.origin for one in given if isinstance(one, Command)] == ["board"]


def photographs(folder: Path, *setups: str) -> str:
    """A folder that shows a board, one photograph after the other."""
    for number, shown in enumerate(setups):
        picture = draw_board(view_from(25), shown, seed=number)
        cv2.imwrite(str(folder / f"{number:02}.png"), picture)
    return str(folder)


def test_each_game_that_is_watched_has_a_record_of_its_own(tmp_path):
    """One photograph after each move is enough."""
    setups, setup = [START], START
    for ply, (start, end) in enumerate(PLAYED):
        setup = replace(setup, {start: ".", end: "rw"[ply % 2]})
        setups.append(setup)
    source = photographs(tmp_path, *setups, START, replace(START, {11: ".", 15: "r"}))
    pdn = tmp_path / "games" / "evening.pdn"
    pdn.parent.mkdir()
    asked = ["--pdn", str(pdn), "--games", str(tmp_path / "kept"), "--json"]
    assert cli.main(["watch", source, *asked]) == 0
    kept = Shelf(tmp_path / "kept").games()
    assert [len(told(folder).moves) for folder in kept] == [5, 1]
    assert all((folder / "calibration.json").exists() for folder in kept)
    assert "10-14 23-19" in pdn.read_text()
    assert "1. 11-15 *" in pdn.with_stem("evening-2").read_text()


class Speaker(Typed):
    """Somebody who types some lines as soon as the game has begun, or even before."""

    lines: ClassVar[list[str]] = []
    early = False

    def feed(self, game, given):
        if game.begun or self.early:
            self._waiting += self.lines
            self.lines.clear()
        return super().feed(game, given)


@pytest.fixture
def watched(tmp_path, monkeypatch):
    """The records of games, at the beginning of the first of which somebody types something."""

    def watched(*typed: str) -> dict[str, str]:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(watch, "Typed", Speaker)
        monkeypatch.setattr(Speaker, "lines", list(typed))
        source = photographs(tmp_path, START, START)
        cli.main(["watch", source, "--games", str(tmp_path / "kept"), "--json"])
        return {path.name: path.read_text() for path in tmp_path.glob("*.pdn")}

    return watched


@pytest.mark.parametrize(
    ("typed", "record"),
    [
        (["offer red", "accept white"], "1/2-1/2\n"),
        (["offer red", "accept white", "start"], "1/2-1/2\n"),
        (["correct 11-15 22-18", "start"], "1. 11-15 22-18 *\n"),
    ],
)
def test_a_game_that_ends_as_the_next_begins_keeps_its_record(typed, record, watched):
    assert watched(*typed)["game.pdn"].endswith(record)


def test_a_game_that_a_person_begins_has_a_date(watched, monkeypatch):
    monkeypatch.setattr(Speaker, "early", True)
    record = watched("correct 11-15")["game.pdn"]
    assert "1. 11-15 *" in record
    assert re.search(r'Date "\d{4}\.\d\d\.\d\d"', record)


def test_what_is_said_of_the_event_when_all_is_over_is_in_the_record(watched):
    record = watched("correct 11-15", "resign white", "site Vienna", "round 2")["game.pdn"]
    assert record.startswith('[Event "?"]')
    assert '[Site "Vienna"]\n[Result "1-0"]\n[Round "2"]\n' in record


def test_it_is_in_the_record_at_once(watched, monkeypatch):
    rounds = []
    monkeypatch.setattr(
        scoresheet.Scoresheet, "save", lambda _, game: rounds.append(game.tags.get("Round"))
    )
    watched("round 2")
    *before, said, at_the_end = rounds
    assert (set(before), said, at_the_end) == ({None}, "2", "2")


def test_the_next_record_has_the_event_too(watched):
    records = watched("correct 11-15 22-18", 'event The "Club"', "resign red", "start")
    assert records.keys() == {"game.pdn", "game-2.pdn"}
    for record in records.values():
        assert record.startswith('[Event "The \\"Club\\""]\n')
        assert "Round" not in record


def test_a_game_that_does_not_begin_has_no_record(watched):
    records = watched("position W:W30:B3", "seats Anna, Ben")
    assert records.keys() == {"game.pdn"}
    assert "Anna" not in records["game.pdn"]


@pytest.mark.parametrize("failures", [3, 1_000])
def test_what_a_full_disk_held_back_is_in_the_record_of_its_game(
    failures, watched, monkeypatch, capsys
):
    """Also where the disk has no room to the end: then it is in the record alone."""
    write, full, held = Journal.append, [True] * failures, []

    def append(journal, kind, body):
        held.extend([True] * (kind == "said" and body["command"]["command"] == "correct"))
        if held and full and full.pop():
            raise sqlite3.OperationalError("database or disk is full")
        return write(journal, kind, body)

    monkeypatch.setattr(Journal, "append", append)
    monkeypatch.setattr(recorder, "LAST_WAIT_S", 0)
    records = watched("correct 11-15 22-18", "start")
    assert records["game.pdn"].endswith("1. 11-15 22-18 *\n")
    assert "\ndatabase or disk is full\n" in capsys.readouterr().err


def test_records_that_could_not_be_written_are_written_in_order(watched, monkeypatch, capsys):
    write, full = scoresheet.write_whole, [True] * 4

    def write_whole(path, text):
        if full:
            full.pop()
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        write(path, text)

    monkeypatch.setattr(scoresheet, "write_whole", write_whole)
    records = watched("correct 11-15", "start")
    assert records.keys() == {"game.pdn", "game-2.pdn"}
    assert records["game.pdn"].endswith("1. 11-15 *\n")
    assert not full


# --- a folder for each game -------------------------------------------------------------------


class Kept(Table):
    """A table whose games are kept."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.shelf = Shelf(folder)
        self.keeper = Keeper(self.shelf, "a test", days=0)
        self._step = with_next_games(self.keeper.feed)
        self.folders: list[Path] = []
        """Of the games, in order."""

    def _feed(self, given) -> None:
        self.game, events = self._step(self.game, given)
        self.events += events
        assert self.keeper.folder
        if self.keeper.folder not in self.folders:
            self.folders.append(self.keeper.folder)

    def closed(self) -> list[Path]:
        """The folders of all games, which are sound."""
        self.events += self.keeper.close()
        assert self.folders == self.shelf.games()
        for folder in self.folders:
            findings = read(folder)
            assert not findings.problems
            assert not list(Replay(findings.entries))
            assert load_source(folder) == "a test"
        assert fold(read(self.folders[-1]).entries) == self.game
        return self.folders


def test_games_begun_in_one_second_stand_in_order(tmp_path):
    folders = [Shelf(tmp_path).new_folder() for _ in range(200)]
    assert folders == sorted(folders)
    assert all(NAME.fullmatch(folder.name) for folder in folders)


@pytest.fixture
def kept(tmp_path):
    return Kept(tmp_path)


def told(folder: Path) -> Story:
    return story(folder, read(folder).entries)


def seated(table: Table, plies: int) -> Table:
    table.rest(1_500)
    table.say(Word.SEATS, text="Anna, Ben")
    table.say(Word.CLOCK, text="30/60 reset")
    return play(table, plies)


def test_each_game_has_a_folder_of_its_own(kept):
    set_up(seated(kept, 5), 1_500)
    kept.change(RED, {11: ".", 15: "r"})
    first, second = map(told, kept.closed())
    assert ([len(each.moves) for each in (first, second)]) == [5, 1]
    assert (first.seats, second.seats) == (("Anna", "Ben"), ("Ben", "Anna"))
    assert [event["event"] for event in second.events][:3] == ["started", "ruling", "ready"]


def test_it_is_the_same_game_as_where_none_is_kept(table, kept):
    for each in (table, kept):
        set_up(seated(each, 5), 1_500)
        each.change(RED, {11: ".", 15: "r"})
    assert [event.name for event in kept.events] == [event.name for event in table.events]
    times = [[event.time_ms for event in each.events] for each in (kept, table)]
    assert times[0] == times[1]
    assert kept.game.clock == table.game.clock
    assert kept.game.players == table.game.players
    assert kept.game.count < table.game.count


@pytest.mark.parametrize(
    ("word", "text"), [(Word.START, ""), (Word.SET_POSITION, "B:W21-32:B1-12")]
)
def test_what_is_typed_begins_one_too(kept, word, text):
    seated(kept, 2).say(Word.RESIGN, RED)
    kept.say(word, text=text)
    first, second = map(told, kept.closed())
    assert (first.result, len(first.moves), first.seats) == ("0-1", 2, ("Anna", "Ben"))
    assert (second.result, len(second.moves), second.seats) == ("*", 0, ("Ben", "Anna"))


def test_names_said_after_the_end_are_those_of_the_next_folder(kept):
    seated(kept, 2).say(Word.RESIGN, RED)
    kept.say(Word.SEATS, text="Ben, Carl")
    kept.say(Word.START)
    first, second = map(told, kept.closed())
    assert (first.seats, second.seats) == (("Anna", "Ben"), ("Ben", "Carl"))


def headed(table: Table) -> dict[str, str]:
    """Say all that may stand above the record, and what that is there."""
    said = {"Event": "Club evening", "Site": "Vienna", "Round": "2"}
    for tag, text in said.items():
        table.say(Word(tag.lower()), text=text)
    return said


def test_the_event_and_the_site_are_those_of_the_next_folder_too(kept):
    said = headed(seated(kept, 5))
    set_up(kept, 1_500)
    kept.say(Word.ROUND, text="3")
    first, second = (told(folder).game.record().tags for folder in kept.closed())
    assert said.items() <= first.items()
    assert (said | {"Round": "3"}).items() <= second.items()


def test_a_journal_of_older_versions_knows_of_none(kept):
    headed(seated(kept, 5))
    set_up(kept, 1_500)
    entry, *_ = read(kept.closed()[-1]).entries
    body = entry.body()
    assert first_game([entry]).heading == body["former"].pop("heading")
    older = first_game([next_entry(None, "begun", body["at"], body)])
    assert (older.players, dict(older.heading)) == (("Anna", "Ben"), {})


@pytest.mark.parametrize(("is_over", "answer"), [(False, "refused"), (True, "result")])
def test_whether_the_last_game_was_ended_is_known_in_the_next_folder(kept, is_over, answer):
    seated(kept, 5)
    if is_over:
        kept.say(Word.RESIGN, RED)
    set_up(kept, 1_500)
    assert kept.say(Word.RESULT, text="1-0")[0].name == answer
    assert len(kept.closed()) == 2


def test_a_pause_lasts_into_the_next_folder(table, kept):
    for each in (table, kept):
        seated(each, 2).say(Word.RESIGN, RED)
        each.say(Word.PAUSE)
        each.say(Word.START)
        each.setup = START
        assert each.rest(5_000) == []
        each.say(Word.RESUME)
        assert [event.name for event in each.rest(2_000)] == ["watching", "ready"]
    assert len(kept.closed()) == 2


@pytest.mark.parametrize("blind_ms", [0, 800, 3_000], ids=["pause", "covered", "covered-for-long"])
def test_that_the_board_is_seen_again_is_told_in_the_next_folder(table, kept, blind_ms):
    for each in (table, kept):
        seated(each, 2).say(Word.RESIGN, RED)
        if blind_ms:
            each.visibility = Visibility.COVERED
            each.rest(blind_ms)
        else:
            each.say(Word.PAUSE)
            each.say(Word.RESUME)
        assert each.events[-1].name == "not_watching"
        begun = each.say(Word.START)
        assert not {"watching", "not_watching"} & {event.name for event in begun}
        each.visibility, each.setup = Visibility.CLEAR, START
        assert [event.name for event in each.rest(2_000)] == ["watching", "ready"]
    assert len(kept.closed()) == 2


def test_a_proposal_and_a_ruling_are_called_by_their_numbers_in_the_new_journal(kept):
    set_up(seated(kept, 5), 1_500)
    kept.change(WHITE, {22: ".", 18: "w"}, 3_000)
    second = told(kept.closed()[-1])
    (incident,) = second.incidents
    assert (incident.number, incident.title, incident.rulings != []) == (1, "wrong turn", True)
    for ruling in (event for event in second.events if event["event"] == "ruling"):
        assert second.events[ruling["cause"]]["event"] in ("started", "irregular")


def test_a_picture_is_called_by_the_number_of_its_event_in_the_new_journal():
    started, irregular = (
        Started(2, fen(Position.start())),
        Irregular(2, Irregularity.UPSET, None, (), ()),
    )
    caused = (irregular, NotRecording(2, "full", Hindrance.FULL), Ready(2), started, irregular)
    assert keepers._of_last_game(caused) == [started, irregular]
    assert keepers._of_last_game(caused[:3]) == [irregular, Ready(2)]


def test_before_anything_was_played_the_journal_goes_on(kept):
    kept.say(Word.START)
    kept.say(Word.RESULT, text="*")
    kept.say(Word.START)
    kept.rest(1_500)
    kept.say(Word.START)
    assert len(kept.closed()) == 1


def test_after_a_false_start_too(kept):
    set_up(seated(kept, 4), 6_000)
    (folder,) = kept.closed()
    assert (told(folder).moves, told(folder).seats) == ((), ("Anna", "Ben"))


def test_which_nobody_has_to_end(kept):
    set_up(seated(kept, 4), 6_000)
    assert kept.say(Word.RESIGN, RED)[0].name == "result"


def test_what_is_no_position_begins_nothing(kept):
    seated(kept, 5).say(Word.SET_POSITION, text="B:W99:B1")
    (folder,) = kept.closed()
    assert len(told(folder).moves) == 5


@pytest.mark.parametrize("error", [OSError("no room"), sqlite3.OperationalError("full")])
def test_where_no_folder_can_be_made_the_journal_goes_on(kept, monkeypatch, error):
    seated(kept, 5)

    def failing(folder, clock=None):
        folder.mkdir()
        raise error

    monkeypatch.setattr(keepers.Journal, "create", failing)
    set_up(kept, 1_500)
    kept.change(RED, {11: ".", 15: "r"})
    (folder,) = kept.closed()
    assert [move.text for move in told(folder).moves] == ["11-15"]


@pytest.mark.parametrize("place", [(keepers, "save_source"), (journals, "TextCopy")])
def test_nor_is_anything_of_it_left_open(place, kept, monkeypatch):
    def failing(*_):
        raise OSError("no room")

    seated(kept, 5)
    monkeypatch.setattr(*place, failing)
    gc.collect()  # what other tests have left is not counted
    before = os.listdir("/proc/self/fd")
    set_up(kept, 1_500)
    gc.collect()
    assert os.listdir("/proc/self/fd") == before
    assert len(kept.closed()) == 1


def test_while_the_disk_is_full_the_journal_goes_on(kept, monkeypatch):
    seated(kept, 5)
    write, full = Journal.append, [True]

    def append(journal, *entry):
        if full:
            raise sqlite3.OperationalError("database or disk is full")
        return write(journal, *entry)

    monkeypatch.setattr(Journal, "append", append)
    set_up(kept, 1_500)
    assert "started" not in [event.name for event in kept.events]
    full.clear()
    kept.rest(3_000)
    assert [event.name for event in kept.events].count("started") == 1
    assert len(kept.closed()) == 1


def test_a_power_cut_before_the_first_word_of_a_game_leaves_one_that_can_begin(kept, tmp_path):
    seated(kept, 5)
    set_up(kept, 1_500)
    entries = read(kept.closed()[-1]).entries
    game = fold(entries[:1])
    assert (game.players, game.begun, game.is_past) == (("Anna", "Ben"), True, True)

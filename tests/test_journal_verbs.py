"""What people get from a kept game: replays, exports, incidents and their pictures."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import sqlite3
import time
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee import cli
from referee import game as games
from referee.board import START, Side
from referee.commands import Command, Word, parse
from referee.english import ENGLISH
from referee.events import Conduct, Proposed, Unsure, Verdict, phrase
from referee.journal import evidence, export, pictures
from referee.journal.avi import avi
from referee.journal.chain import next_entry
from referee.journal.coding import line_of
from referee.journal.evidence import Witness, tidy
from referee.journal.folding import begun_at, day_begun, fold
from referee.journal.incidents import Incident, incidents
from referee.journal.journal import Journal
from referee.journal.pictures import Crop, Ring, marked
from referee.journal.recorder import Recorder, begun
from referee.journal.remarks import remarks
from referee.journal.report import report
from referee.journal.salvage import read
from referee.journal.shelf import note_record, save_source
from referee.language import called
from referee.notation import Game, fen, move_texts, parse_move, parse_pdn, write_pdn
from referee.profiles import PROFILES
from referee.rules import Position
from referee.scoresheet import tags
from referee.settings.knobs import RulesSettings
from referee.terminal_board import INKS
from referee.verbs.export import FORMATS
from referee.verbs.games import sheet_again
from referee.verbs.wording import language_again, language_kept
from tests.boards import draw_board, view_from
from tests.plays import Play, played, recorded
from tests.table import RED, WHITE, Table

VIEW = view_from()
NAME = "20261121-120000-abcdef"
SETTING = np.array([80, 20, 200], np.uint8)
"""Pixels beside the board: somebody's shirt."""
BLACK_AND_RED = ("black", "red")
DOUBLE = ("9-13", "22-18", "6-9", "25-22", "13-17", "22x6")
"""Moves that end with two jumps, `22x13x6`, where one might have been made."""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one game that holds incidents and their pictures."""
    folder = tmp_path_factory.mktemp("games")
    image = draw_board(VIEW, START)
    game, ring = games.begin(), Ring()
    journal = Journal.create(folder / NAME)
    journal.append("begun", begun(game, NAME))
    recorder = Recorder(journal)
    witness = Witness(folder / NAME, recorder.note)
    for given in played(0):
        game, events = recorder.feed(game, given)
        if not isinstance(given, Command):
            ring.see(image, given.time_ms, VIEW)
            witness.take(events, game.count - len(events), ring, given.time_ms)
    witness.finish(ring)
    recorder.close()
    return folder


@pytest.fixture
def kept(shelf: Path, tmp_path: Path) -> Path:
    """A copy of that folder to do anything to."""
    return Path(shutil.copytree(shelf, tmp_path / "games"))


def run(*arguments: object) -> int:
    return cli.main([str(argument) for argument in arguments])


def line(*texts: str) -> Play:
    """A game of these moves."""
    play = Play(1)
    for text in texts:
        play.move(parse_move(play.position, text))
    return play


def said(play: Play, word: Word, text: str = "", side: Side | None = None) -> None:
    """Somebody says something at the end of what was played."""
    play.inputs.append(Command(play.inputs[-1].time_ms, word, side, text, "keyboard"))


def begin_again(play: Play, *texts: str) -> None:
    """The pieces are set up, somebody says so, and these moves are made."""
    said(play, Word.START)
    play.position = Position.start()
    play.rest(2_000)
    for text in texts:
        play.move(parse_move(play.position, text))


def denied(*anything: object) -> None:
    raise PermissionError(13, "Permission denied")


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


class TestReplay:
    def test_every_event_is_confirmed(self, shelf, capsys):
        assert run("replay", "last", "--games", shelf, "--json") == 0
        (summary,) = lines(capsys)
        assert (summary["differences"], summary["problems"]) == (0, [])
        assert summary["inputs"] == len(played(0))

    def test_no_picture_library_is_needed(self, shelf):
        """The same replay must come out on another machine with another OpenCV, or with none."""
        code = (
            "import sys; sys.modules['cv2'] = sys.modules['numpy'] = None\n"
            "from pathlib import Path\n"
            "from referee.journal.folding import Replay, fold\n"
            "from referee.journal.salvage import read\n"
            f"entries = read(Path({str(shelf / NAME)!r})).entries\n"
            "fold(entries); sys.exit(len(list(Replay(entries))))"
        )
        assert os.spawnl(os.P_WAIT, cli.sys.executable, "python", "-c", code) == 0

    def test_a_game_that_is_not_there_says_which_are(self, shelf, capsys):
        assert run("replay", "20000101-000000-000000", "--games", shelf) == 2
        assert NAME in capsys.readouterr().err

    @pytest.mark.parametrize("place", [".", "evidence/.."])
    def test_a_place_that_is_no_name_is_called_as_the_game(self, place, kept, monkeypatch, capsys):
        (kept / NAME / "journal.txt").write_text("nothing")
        monkeypatch.chdir(kept / NAME)
        assert run("incidents", place) == 1
        assert f"referee: {NAME}: journal.txt" in capsys.readouterr().err

    @pytest.mark.parametrize("name", ["../../etc", "a\0b", "x" * 300, "CON", "\u202e"])
    def test_strange_names_are_no_games(self, name, shelf, capsys):
        assert run("replay", name, "--games", shelf) == 2
        assert "there is no game" in capsys.readouterr().err


class TestList:
    def test_the_games_are_listed_with_what_is_known_of_them(self, tmp_path, capsys):
        play = line("11-15", "23-18")
        said(play, Word.EVENT, "[Club] evening")
        said(play, Word.SEATS, "Anna, Ben")
        recorded(tmp_path / NAME, play.inputs)
        recorded(tmp_path / "20261121-130000-abcdef", line().inputs)
        assert run("list", "--games", tmp_path, "--json") == 0
        first, second = lines(capsys)
        assert (first["game"], first["event"], first["red"], first["white"], first["moves"]) == (
            (NAME, "[Club] evening", "Anna", "Ben", 2)
        )
        assert (second["moves"], second["result"], second["incidents"]) == (0, "*", 0)
        assert run("list", "--games", tmp_path) == 0
        told = capsys.readouterr().out
        assert NAME in told
        assert "[Club]" in told

    def test_damage_is_told_and_the_rest_is_listed(self, tmp_path, capsys):
        recorded(tmp_path / NAME, line("11-15").inputs)
        text = tmp_path / NAME / "journal.txt"
        text.write_bytes(text.read_bytes().replace(b"11-15", b"11-16"))
        assert run("list", "--games", tmp_path) == 1
        out, err = capsys.readouterr()
        assert NAME in out
        assert f"referee: {NAME}: journal.txt" in err

    def test_one_that_cannot_be_read_is_told_of_beside_the_others(self, tmp_path, capsys):
        recorded(tmp_path / NAME, line("11-15").inputs)
        broken = tmp_path / "20261121-130000-abcdef"
        broken.mkdir()
        (broken / "journal.txt").write_text("nothing")
        assert run("list", "--games", tmp_path, "--json") == 1
        sound, other = lines(capsys)
        assert (sound["moves"], other["problem"]) == (1, "nothing of it can be read")

    @pytest.mark.parametrize("harm", ["numbers", "pipe"])
    def test_what_is_no_journal_hides_no_other(self, harm, tmp_path, capsys):
        recorded(tmp_path / NAME, line("11-15").inputs)
        other = tmp_path / "20261121-130000-abcdef"
        other.mkdir()
        if harm == "pipe":
            os.mkfifo(other / "journal.txt")
        with closing(sqlite3.connect(other / "journal.sqlite")) as database:
            database.execute("CREATE TABLE entry (number TEXT, text TEXT, hash TEXT)")
            database.execute("INSERT INTO entry VALUES ('first', '', '')")
            database.commit()
        assert run("list", "--games", tmp_path, "--json") == 1
        sound, foreign = lines(capsys)
        assert (sound["moves"], foreign["problem"]) == (1, "nothing of it can be read")

    def test_one_that_may_not_be_looked_into_is_listed(self, tmp_path, monkeypatch, capsys):
        other = tmp_path / NAME
        other.mkdir()
        with monkeypatch.context() as patch:
            patch.setattr(Path, "is_file", denied)
            patch.setattr(Path, "read_bytes", denied)
            patch.setattr(shutil, "copyfile", denied)
            assert run("list", "--games", tmp_path, "--json") == 1
        assert lines(capsys) == [{"game": NAME, "problem": "nothing of it can be read"}]

    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("", "holds no game yet; `referee watch` makes them"),
            ("hh", "; `referee watch` makes it"),
            ("file", "cannot be read: Not a directory; give another with --games"),
        ],
    )
    def test_where_there_is_none_it_is_said_what_makes_them(self, name, said, tmp_path, capsys):
        (tmp_path / "file").touch()
        for asked in (["list"], ["export", "last"]):
            assert run(*asked, "--games", tmp_path / name) > 0
            assert said in capsys.readouterr().err

    def test_names_are_listed_as_they_were_said(self, tmp_path, capsys):
        play = line("11-15")
        said(play, Word.EVENT, "[red] Cup \\")
        recorded(tmp_path / NAME, play.inputs)
        assert run("list", "--games", tmp_path) == 0
        assert "[red] Cup \\ " in capsys.readouterr().out


class TestSay:
    """What people say of a game that is not watched any more."""

    @pytest.fixture
    def left(self, tmp_path: Path) -> Path:
        """A game that was left without a result, and behind it one that has just begun."""
        recorded(tmp_path / NAME, line("11-15", "23-18").inputs)
        recorded(tmp_path / "20261121-130000-abcdef", line().inputs)
        return tmp_path

    def test_a_result_that_was_forgotten_is_in_the_record(self, left, capsys):
        assert run("say", "last-1", "seats Anna, Ben", "result 1-0", "--games", left) == 0
        assert "Red wins" in capsys.readouterr().err
        (record,) = parse_pdn((left / NAME / "game.pdn").read_text())
        game = record.game
        assert (game.tags["Black"], game.result, len(game.moves)) == ("Anna", "1-0", 2)
        assert run("replay", NAME, "--games", left) == 0

    def test_the_record_has_it_where_it_was_written(self, left, tmp_path, capsys):
        pdn = tmp_path / "game-3.pdn"
        save_source(left / NAME, "usb:0")
        entries = read(left / NAME).entries
        pdn.write_text(write_pdn(fold(entries).record(tags("usb:0", day_begun(entries)))))
        note_record(left / NAME, pdn)
        assert run("say", NAME, "result 0-1", "--games", left) == 0
        assert parse_pdn(pdn.read_text())[0].game.result == "0-1"
        assert (left / NAME / "source.json").stat().st_mode & 0o077 == 0
        entries = read(left / NAME).entries
        assert sheet_again(left / NAME, entries, fold(entries)).next().path.stem == "game"

    @pytest.fixture
    def written(self, left, tmp_path) -> tuple[Path, Game]:
        """Where the record of the game was written, and what stands there."""
        pdn, entries = tmp_path / "game-3.pdn", read(left / NAME).entries
        save_source(left / NAME, "usb:0")
        game = fold(entries).record(tags("usb:0", day_begun(entries)))
        pdn.write_text(write_pdn(game))
        note_record(left / NAME, pdn)
        return pdn, game

    def test_moves_that_are_in_no_journal_any_more_are_kept(self, written, left):
        pdn, game = written
        longer = dataclasses.replace(
            game, moves=(*game.moves, parse_move(game.positions()[-1], "8-11"))
        )
        pdn.write_text(write_pdn(longer))
        assert run("say", NAME, "result 0-1", "--games", left) == 0
        assert parse_pdn(pdn.read_text())[0].game.result == "0-1"
        assert parse_pdn(pdn.with_name("game-3.pdn~").read_text())[0].game.moves == longer.moves

    @pytest.mark.parametrize("changes", [{"comments": {1: "well played"}}, {"result": "1-0"}])
    def test_what_a_person_has_written_there_stays(self, changes, written, left):
        pdn, game = written
        pdn.write_text(theirs := write_pdn(dataclasses.replace(game, **changes)))
        assert run("say", NAME, "result 0-1", "--games", left) == 0
        assert pdn.read_text() == theirs
        assert parse_pdn((left / NAME / "game.pdn").read_text())[0].game.result == "0-1"

    def test_the_day_is_that_of_the_place_where_it_was_watched(self, written, left, monkeypatch):
        pdn, game = written
        for zone in ("XXX-14", "XXX12"):
            with monkeypatch.context() as patch:
                patch.setenv("TZ", zone)
                time.tzset()
                assert run("say", NAME, f"site {zone}", "--games", left) == 0
            time.tzset()
            told = parse_pdn(pdn.read_text())[0].game.tags
            assert (told["Site"], told["Date"]) == (zone, game.tags["Date"])

    def test_names_are_put_right_after_the_end(self, left, capsys):
        assert run("say", NAME, "seats Ana, Ben", "result 1-0", "--games", left) == 0
        assert run("say", NAME, "seats Anna, Ben", "--games", left) == 0
        assert "Anna has Red, Ben has White" in capsys.readouterr().err
        (record,) = parse_pdn((left / NAME / "game.pdn").read_text())
        assert (record.game.tags["Black"], record.game.result) == ("Anna", "1-0")
        assert run("replay", NAME, "--games", left) == 0

    def test_sides_are_called_as_the_game_called_them(self, left, capsys):
        save_source(left / NAME, "usb:0", BLACK_AND_RED)
        assert run("say", NAME, "resign red", "--games", left, "--json") == 0
        assert [event["result"] for event in lines(capsys) if event["event"] == "result"] == ["1-0"]

    def test_the_record_stays_in_the_language_in_which_the_game_was_told(self, left):
        save_source(left / NAME, "usb:0", BLACK_AND_RED, "de")
        assert run("say", NAME, "resign red", "--games", left) == 0
        assert "Rot gibt auf" in (left / NAME / "game.pdn").read_text()

    def test_help_says_what_can_be_said_also_while_it_is_watched(self, left, capsys):
        journal, _ = Journal.reopen(left / NAME)
        assert run("say", NAME, "help", "--games", left) == 0
        journal.close()
        assert "resign" in capsys.readouterr().out
        assert not (left / NAME / "game.pdn").exists()

    def test_what_is_not_possible_is_told(self, left, capsys):
        assert run("say", NAME, "accept", "--games", left) == 1
        assert "the other player has not offered a draw" in capsys.readouterr().err

    @pytest.mark.parametrize(
        "word",
        ["start", "position B:W18:B14", "adjusting", "clock 5+1", "pause", "press red", "dance"],
    )
    def test_nothing_is_entered_that_says_nothing_of_it(self, word, left, capsys):
        before = (left / NAME / "journal.txt").read_bytes()
        assert run("say", NAME, "result 1-0", word, "--games", left) == 2
        assert word.split()[0] in capsys.readouterr().err
        assert (left / NAME / "journal.txt").read_bytes() == before

    def test_nobody_enters_anything_while_it_is_watched(self, left, capsys):
        journal, _ = Journal.reopen(left / NAME)
        assert run("say", NAME, "result 1-0", "--games", left) == 2
        journal.close()
        assert "another program" in capsys.readouterr().err

    def test_there_are_no_games_before_the_first(self, left, capsys):
        assert run("say", "last-2", "result 1-0", "--games", left) == 2
        assert f"the first game in {left} is {NAME}" in capsys.readouterr().err


def kept_story(folder: Path, play: Play, *changes: tuple[str, str]) -> export.Story:
    """What the journal of a game tells, with another text in some places."""
    recorded(folder / NAME, play.inputs)
    entries = list(read(folder / NAME).entries)
    for old, new in changes:
        assert any(old in entry.text for entry in entries)
        entries = [
            dataclasses.replace(entry, text=entry.text.replace(old, new)) for entry in entries
        ]
    return export.story(folder / NAME, entries)


def texts_of(told: export.Story) -> list[str]:
    """The moves of the record, which are those of the game."""
    texts = [move.text for move in told.moves]
    records = told.game.records()
    assert texts == [text for game in records for text in move_texts(game.start, game.moves)]
    return texts


class TestExport:
    def test_three_files_beside_the_journal(self, kept, capsys):
        assert run("export", NAME, "--games", kept, "--json") == 0
        (said,) = lines(capsys)
        assert [Path(file).name for file in said["files"]] == [
            *("game.pdn", "game.json", "game.html")
        ]

    def test_the_pdn_is_the_game_with_times_and_incidents(self, kept, tmp_path):
        target = tmp_path / "out.pdn"
        assert run("export", NAME, "--games", kept, "-o", target) == 0
        (record,) = parse_pdn(target.read_text())
        told = export.story(kept / NAME, read(kept / NAME).entries)
        assert record.failure is None
        assert record.game.moves == told.game.moves
        comments = record.game.comments
        assert all(":" in comments[ply] for ply in range(1, len(record.game.moves) + 1))
        assert sum("wrong turn" in comment for comment in comments.values()) == 2

    def test_the_json_tells_all(self, kept, tmp_path):
        target = tmp_path / "out.json"
        assert run("export", NAME, "--games", kept, "-o", target) == 0
        told = json.loads(target.read_text())
        assert len(told["moves"]) == 12
        assert [each["end"] for each in told["incidents"]] == ["put right", "put right"]
        assert told["head"] == read(kept / NAME).entries[-1].hash

    def test_the_page_is_whole_and_shows_the_incidents(self, kept, tmp_path):
        target = tmp_path / "out.html"
        assert run("export", NAME, "--games", kept, "-o", target) == 0
        page = target.read_text()
        assert page.count("<img ") == 4
        assert 'src="http' not in page
        assert page.count("Wrong turn") == 2

    def test_what_was_played_before_a_position_was_set_is_in_all_of_them(self, tmp_path):
        play = Play(1)
        for _ in range(4):
            play.random_ply(blunders=0)
        set_by_hand = fen(play.position)
        play.inputs.append(Command(play.inputs[-1].time_ms, Word.CORRECT, None, set_by_hand))
        for _ in range(3):
            play.random_ply(blunders=0)
        game, _ = recorded(tmp_path / NAME, play.inputs)
        assert run("export", NAME, "--games", tmp_path) == 0
        texts = {name: (tmp_path / NAME / f"game.{name}").read_text() for name in FORMATS}
        before, now = (record.game for record in parse_pdn(texts["pdn"]))
        assert (len(before.moves), len(now.moves)) == (4, 3)
        assert before.moves == game.former[0].plies
        assert sorted(before.comments) == [1, 2, 3, 4]
        assert before.comments[4].endswith(games.CONTINUED)
        assert sorted(now.comments) == [1, 2, 3]
        told = json.loads(texts["json"])
        assert len(told["moves"]) == 7
        assert told["set"] == [{"moves": 4, "fen": set_by_hand}]
        assert told["start"] == fen(Position.start())
        assert texts["html"].count("<div>1. ") == 2

    def test_two_jumps_that_were_taken_back_are_in_none_of_them(self, tmp_path):
        play = line(*DOUBLE)
        said(play, Word.CORRECT, "21x14")
        told = kept_story(tmp_path, play)
        assert texts_of(told) == [*DOUBLE[:-1], "21x14"]
        assert told.moves[0].time_ms < told.moves[1].time_ms
        assert told.moves[-1].time_ms == play.inputs[-1].time_ms

    def test_nor_where_nothing_is_played_in_their_place(self, tmp_path):
        play = line(*DOUBLE)
        said(play, Word.CORRECT)
        assert texts_of(kept_story(tmp_path, play)) == list(DOUBLE[:-1])

    def test_nor_where_an_older_version_wrote_down_their_whole_path(self, tmp_path):
        play = line(*DOUBLE)
        said(play, Word.CORRECT)
        told = kept_story(tmp_path, play, ('"undone":["22x6"]', '"undone":["22x13x6"]'))
        assert told.events[-1]["undone"] == ["22x13x6"]
        assert texts_of(told) == list(DOUBLE[:-1])

    def test_a_position_that_was_taken_back_is_in_none_of_them(self, tmp_path):
        play = line(*DOUBLE)
        said(play, Word.CORRECT, "W:W22:B15")
        said(play, Word.CORRECT)
        told = kept_story(tmp_path, play)
        assert [len(part) for part in told.parts] == [6]
        assert export.as_json(told)["set"] == []
        assert texts_of(told) == list(DOUBLE)

    def test_an_incident_stands_behind_the_last_move_that_is_on_record(self, tmp_path):
        play = line(*DOUBLE)
        said(play, Word.CORRECT)
        play.position = line(*DOUBLE[:-1]).position
        play.rest(2_000)
        play.blunder(parse_move(Position(play.position.setup, Side.RED), "11-16"))
        (incident,) = kept_story(tmp_path, play).incidents
        assert (incident.title, incident.after) == ("wrong turn", "13-17")

    def test_players_who_have_changed_colours_stand_where_they_sit_now(self, tmp_path):
        play = line("11-15")
        said(play, Word.SEATS, "Anna, Ben")
        said(play, Word.RESIGN, side=Side.RED)
        said(play, Word.START)
        told = kept_story(tmp_path, play)
        assert export.as_json(told)["red"] == told.tags()["Black"] == "Ben"

    def test_what_was_said_of_the_event_is_in_all_of_them(self, tmp_path):
        play = line("11-15")
        said(play, Word.RESIGN, side=Side.RED)
        said(play, Word.EVENT, 'The "Club" {1}')
        said(play, Word.ROUND, "2")
        said(play, Word.SITE, "<Wien>")
        told = kept_story(tmp_path, play)
        (record,) = parse_pdn(export.pdn(told))
        heading = {"Event": 'The "Club" {1}', "Site": "<Wien>", "Round": "2"}
        assert heading.items() <= record.game.tags.items()
        assert '\n[Site "<Wien>"]\n[Result "0-1"]\n[Round "2"]\n' in export.pdn(told)
        kept = export.as_json(told)
        assert [kept[key.lower()] for key in heading] == list(heading.values())
        assert "<p>The &quot;Club&quot; {1}, &lt;Wien&gt;, round 2</p>" in report(told)

    def test_where_nothing_was_said_of_it_they_are_as_ever(self, tmp_path):
        play = line("11-15")
        said(play, Word.SITE, "Vienna")
        assert "<p>Vienna</p>" in report(kept_story(tmp_path / "said", play))
        told = kept_story(tmp_path, line("11-15"))
        assert export.pdn(told).startswith('[Event "?"]')
        assert '[Site "?"]' in export.pdn(told)
        assert "Round" not in export.pdn(told)
        assert {export.as_json(told)[key] for key in ("event", "site", "round")} == {""}
        assert "</h1><span" in report(told)

    def test_an_incident_that_is_only_named_ends_with_a_full_stop(self, tmp_path):
        doubt = Incident(1, Unsure(5_000, (), (21,)).record(), "", ENGLISH)
        assert export.sentence(doubt) == "0:00:05 unsure. Stands"

    def test_of_two_games_in_a_journal_the_last_is_told_alone(self, tmp_path):
        play = line("11-15")
        play.blunder(parse_move(Position(play.position.setup, Side.RED), "12-16"))
        said(play, Word.SEATS, "Anna, Ben")
        said(play, Word.RESIGN, side=Side.WHITE)
        begin_again(play, "9-13", "22-18")
        play.blunder(parse_move(Position(play.position.setup, Side.WHITE), "24-20"))
        told = kept_story(tmp_path, play)
        assert texts_of(told) == ["9-13", "22-18"]
        assert told.seats == ("Ben", "Anna")
        (incident,) = told.incidents
        assert (incident.side, incident.number, incident.after) == ("White", 2, "22-18")
        assert [remark.text for remark in told.remarks] == ["keyboard: start"]
        assert export.pdn(told).count("wrong turn") == report(told).count("Wrong turn") == 1

    def test_one_that_nobody_ended_is_another_game_too(self, tmp_path):
        play = line(*DOUBLE)
        said(play, Word.SEATS, "Anna, Ben")
        begin_again(play, "9-14")
        told = kept_story(tmp_path, play)
        assert (texts_of(told), told.seats) == (["9-14"], ("Ben", "Anna"))
        assert [remark.text for remark in told.remarks] == ["keyboard: start"]

    def test_one_that_went_on_after_its_end_is_the_same(self, tmp_path):
        play = line("11-15")
        said(play, Word.RESIGN, side=Side.WHITE)
        said(play, Word.CORRECT, "9-14")
        begin_again(play, "9-13")
        told = kept_story(tmp_path, play)
        assert texts_of(told) == ["9-13"]
        assert len(told.remarks) == 3

    def test_why_it_ended_where_nobody_has_moved_since_a_position_was_set(self, tmp_path):
        play = line("11-15")
        said(play, Word.CORRECT, "B:W18,21,30:B15,1,K32")
        said(play, Word.RESIGN, side=Side.WHITE)
        _, last = parse_pdn(export.pdn(kept_story(tmp_path, play)))
        assert last.game.comments == {0: "White resigns (WCDF 6.1). Red wins."}

    def test_a_false_start_belongs_to_its_game(self, tmp_path):
        play = line("11-15")
        play.blunder(parse_move(Position(play.position.setup, Side.RED), "12-16"))
        said(play, Word.SEATS, "Anna, Ben")
        begin_again(play, "9-14")
        told = kept_story(tmp_path, play)
        assert (texts_of(told), told.seats) == (["9-14"], ("Anna", "Ben"))
        assert [incident.side for incident in told.incidents] == ["Red"]
        assert len(told.remarks) == 2

    def test_names_are_data(self, kept):
        told = export.story(kept / NAME, read(kept / NAME).entries)
        nasty = ('"><script>alert(1)</script>', '] } {x "\\../../etc')
        told = dataclasses.replace(told, seats=nasty)
        assert "<script" not in report(told)
        (record,) = parse_pdn(export.pdn(told))
        assert record.failure is None
        assert record.game.tags["White"] == nasty[1]

    def test_a_place_that_is_not_there_is_named_as_it_was_given(self, kept, capsys):
        assert run("export", NAME, "--games", kept, "-o", "nowhere/game.pdn") == 2
        assert capsys.readouterr().err.startswith("referee: nowhere/game.pdn cannot be used")

    @pytest.mark.parametrize("ending", FORMATS)
    def test_an_export_goes_in_place_of_another(self, ending, kept):
        target = kept / f"out.{ending}"
        target.touch()
        for _ in range(2):
            assert run("export", NAME, "--games", kept, "-o", target) == 0
            assert target.stat().st_size

    @pytest.mark.parametrize(("seats", "status"), [("Anna, Ben", 0), ("Anna, Carl", 2)])
    def test_with_an_event_it_goes_in_place_of_one_that_begins_alike(
        self, seats, status, tmp_path, capsys
    ):
        target = tmp_path / "out.pdn"
        for name, players, moves in (
            ("first", "Anna, Ben", ["11-15"]),
            ("second", seats, ["11-15", "22-18"]),
        ):
            play = line(*moves)
            said(play, Word.EVENT, "Club evening")
            said(play, Word.SEATS, players)
            recorded(tmp_path / name, play.inputs)
        assert run("export", tmp_path / "first", "-o", target) == 0
        before = target.read_text()
        assert run("export", tmp_path / "second", "-o", target) == status
        assert ("something else than an export" in capsys.readouterr().err) == (status == 2)
        assert (target.read_text() == before) == (status == 2)

    @pytest.mark.parametrize(
        ("ending", "mark"), [("pdn", "9-13"), ("json", "table-one"), ("html", "table-one")]
    )
    def test_another_game_is_kept_beside_it(self, ending, mark, tmp_path):
        target = tmp_path / f"out.{ending}"
        recorded(tmp_path / "table-one", line("9-13").inputs)
        recorded(tmp_path / "table-two", line("11-15").inputs)
        for name in ("table-one", "table-two", "table-two"):
            assert run("export", tmp_path / name, "-o", target) == 0
        (other,) = tmp_path.glob(f"*.{ending}~*")
        assert mark in other.read_text()
        assert mark not in target.read_text()

    @pytest.mark.parametrize("others", ["behind", "more"])
    def test_a_file_that_holds_more_is_kept_beside_it(self, others, tmp_path):
        """Other games, or moves of this one that are in no journal any more."""
        target, game = tmp_path / "all.pdn", line("11-15", "23-18")
        recorded(tmp_path / "table-one", game.inputs)
        assert run("export", tmp_path / "table-one", "-o", target) == 0
        text = target.read_text()
        more = text + text if others == "behind" else text.replace(" *\n", " 2. 8-11 *\n")
        target.write_text(more)
        assert run("export", tmp_path / "table-one", "-o", target) == 0
        assert target.read_text() == text
        assert (tmp_path / "all.pdn~").read_text() == more

    def test_an_export_of_other_names_goes_in_place_of_that_in_its_folder(self, tmp_path):
        recorded(tmp_path / NAME, line("11-15").inputs)
        save_source(tmp_path / NAME, "usb:0")
        entries, elsewhere = read(tmp_path / NAME).entries, tmp_path / "out.pdn"
        elsewhere.write_text(write_pdn(fold(entries).record(tags("usb:0", day_begun(entries)))))
        note_record(tmp_path / NAME, elsewhere)
        assert run("export", NAME, "--games", tmp_path) == 0
        assert run("say", NAME, "seats Anna, Ben", "event Cup", "--games", tmp_path) == 0
        assert run("export", NAME, "--games", tmp_path) == 0
        assert not [*(tmp_path / NAME).glob("*~*")]
        assert "Anna" in (tmp_path / NAME / "game.pdn").read_text()

    def test_what_was_exported_before_the_journal_was_damaged_is_kept(self, kept):
        assert run("export", NAME, "--games", kept) == 0
        for copy in ("journal.txt", "journal.sqlite"):
            path = kept / NAME / copy
            os.truncate(path, path.stat().st_size // 3)
        for _ in range(2):
            assert run("export", NAME, "--games", kept) == 1
        names = sorted(path.name for path in (kept / NAME).glob("game.*"))
        assert names == [f"game.{ending}{mark}" for ending in sorted(FORMATS) for mark in ("", "~")]

    def test_it_goes_in_place_of_a_record_too(self, kept):
        target = kept / "game.pdn"
        target.write_text(write_pdn(Game(tags("usb:0", ""))))
        assert run("export", NAME, "--games", kept, "-o", target) == 0
        assert "wrong turn" in target.read_text()

    @pytest.mark.parametrize(
        ("ending", "text"),
        [
            ("pdn", "my notes"),
            ("pdn", '[Event "Club evening"]\n[Site "?"]\n\n1. 11-15 *\n'),
            ("json", '{"corners": []}'),
            ("html", "<!doctype html>\n<p>My page"),
        ],
    )
    def test_nothing_else_is_replaced(self, ending, text, kept, capsys):
        target = kept / f"mine.{ending}"
        target.write_text(text)
        assert run("export", NAME, "--games", kept, "-o", target) == 2
        assert "something else than an export; give another file" in capsys.readouterr().err
        assert target.read_text() == text

    def test_an_unknown_ending_says_which_there_are(self, kept, capsys):
        assert run("export", NAME, "--games", kept, "-o", "game.doc") == 2
        assert ".pdn, .json, .html" in capsys.readouterr().err


class Noted(Table):
    """A table on which the game has begun, and of which all that is seen and said is noted."""

    def __init__(self) -> None:
        super().__init__()
        self.inputs: list[games.Input] = []
        self.rest(1_500)

    def _feed(self, given: games.Input) -> None:
        self.inputs.append(given)
        super()._feed(given)

    def incidents(self, folder: Path) -> list[Incident]:
        recorded(folder, self.inputs)
        return incidents(folder, read(folder).entries)


class TestIncidents:
    def test_they_are_listed_with_their_pictures(self, shelf, capsys):
        assert run("incidents", NAME, "--games", shelf, "--json") == 0
        first, second = lines(capsys)
        assert [first["kind"], second["kind"]] == ["wrong_turn", "wrong_turn"]
        assert first["end_ms"] > first["time_ms"]
        whats = [(picture["what"], picture["state"]) for picture in first["pictures"]]
        assert whats == [("before", "kept"), ("after", "kept"), ("clip", "kept")]

    def test_erasing_leaves_the_chain_whole(self, kept, capsys):
        assert run("incidents", NAME, "--games", kept, "--erase", 1) == 0
        capsys.readouterr()
        assert run("incidents", NAME, "--games", kept, "--json") == 0
        first, second = lines(capsys)
        assert {picture["state"] for picture in first["pictures"]} == {"erased"}
        assert {picture["state"] for picture in second["pictures"]} == {"kept"}
        assert not any(Path(picture["file"]).exists() for picture in first["pictures"])
        assert run("replay", NAME, "--games", kept) == 0

    def test_the_page_that_shows_them_is_erased_too(self, kept, capsys):
        assert run("export", NAME, "--games", kept) == 0
        assert (kept / NAME / "game.html").exists()
        assert run("incidents", NAME, "--games", kept, "--erase", 1) == 0
        assert not (kept / NAME / "game.html").exists()
        assert "erased: " in (told := capsys.readouterr().out)
        assert "game.html" in told

    def test_programs_are_told_what_was_erased(self, kept, capsys):
        run("export", NAME, "--games", kept, "-o", kept / NAME / "game.html")
        capsys.readouterr()
        for pictures_and_page in (4, 0):
            assert run("incidents", NAME, "--games", kept, "--erase", 1, "--json") == 0
            (told,) = lines(capsys)
            assert (told["incident"], len(told["erased"])) == (1, pictures_and_page)
            assert not any(Path(file).exists() for file in told["erased"])

    def test_nothing_is_erased_twice(self, kept, capsys):
        run("incidents", NAME, "--games", kept, "--erase", 1)
        entries = len(read(kept / NAME).entries)
        assert run("incidents", NAME, "--games", kept, "--erase", 1) == 0
        assert "no pictures of incident 1" in capsys.readouterr().err
        assert len(read(kept / NAME).entries) == entries

    def test_what_is_missing_already_is_not_told_as_erased(self, kept, capsys):
        missing, *others = sorted((kept / NAME / "evidence").iterdir())[:3]
        missing.unlink()
        assert run("incidents", NAME, "--games", kept, "--erase", 1) == 0
        told = capsys.readouterr().out
        assert f"erased: {', '.join(file.name for file in others)}\n" in told
        assert f"missing already: {missing.name}\n" in told
        assert run("incidents", NAME, "--games", kept, "--erase", 1, "--json") == 0
        assert lines(capsys) == [{"incident": 1, "erased": [], "missing": [str(missing)]}]
        assert run("incidents", NAME, "--games", kept) == 1

    def test_nor_are_those_that_may_still_be_written(self, kept, capsys):
        play = line("11-15")
        play.blunder(parse_move(Position(play.position.setup, Side.RED), "12-16"))
        recorded(kept / "young" / NAME, play.inputs)
        journal, _ = Journal.reopen(kept / "young" / NAME)
        assert run("incidents", kept / "young" / NAME, "--erase", 1) == 2
        told = capsys.readouterr().err
        assert "no pictures of incident 1 yet; they may still be written" in told
        journal.close()
        assert run("incidents", kept / "young" / NAME, "--erase", 1) == 0
        assert "there are no pictures of incident 1\n" in capsys.readouterr().err

    def test_a_changed_picture_is_noticed(self, kept, capsys):
        (kept / NAME / "evidence").iterdir().__next__().write_bytes(b"another")
        assert run("incidents", NAME, "--games", kept) == 1
        assert "(changed)" in capsys.readouterr().out

    def test_a_forged_name_leads_nowhere(self, kept):
        entries = list(read(kept / NAME).entries)
        place = next(n for n, entry in enumerate(entries) if entry.kind == "evidence")
        text = entries[place].text.replace("-before.jpg", "/../../../x.jpg")
        entries[place] = dataclasses.replace(entries[place], text=text)
        for incident in incidents(kept / NAME, entries):
            for picture in incident.pictures:
                assert picture.path.parent == kept / NAME / "evidence"

    def test_a_warning_that_was_overruled_stands_as_such(self, tmp_path):
        table = Noted()
        for word in (Word.OVERRULE, Word.CLAIM):
            table.change(WHITE, {22: ".", 18: "w"}, 3_000)
            table.change(WHITE, {18: ".", 22: "w"}, 2_000)
            table.say(word, Side.RED)
        ends = [incident.end for incident in table.incidents(tmp_path / NAME)]
        assert ends == ["overruled by a person", "put right"]

    def test_one_that_was_let_stand_is_overruled_too(self, tmp_path):
        table = Noted()
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.say(Word.OVERRULE)
        (incident,) = table.incidents(tmp_path / NAME)
        assert incident.end == "overruled by a person"

    def test_time_that_is_over_is_one_whatever_happens_on_the_board(self, tmp_path):
        table = Noted()
        table.change(RED, {11: ".", 15: "r"})
        table.frame_ms = 1_000
        table.rest(370_000)
        table.frame_ms = 50
        table.change(WHITE, {22: ".", 18: "w"})
        (over,) = table.incidents(tmp_path / "before")
        assert (over.title, over.side, over.end) == ("time over", "White", "stands")
        assert over.text == "White's time and grace are over (WCDF 5.2). Red may claim the game."
        table.say(Word.OVERRULE)
        (over,) = table.incidents(tmp_path / "then")
        assert over.end == "overruled by a person"

    def test_an_earlier_one_stands_when_a_disorder_is_let_stand(self, tmp_path):
        table = Noted()
        table.change(WHITE, {22: ".", 18: "w"}, 3_000)
        table.change(WHITE, {18: ".", 22: "w"}, 2_000)
        table.change(RED, {2: "."}, 6_000)
        table.say(Word.OVERRULE)
        warned, disorder = table.incidents(tmp_path / NAME)
        assert table.game.arbiter.count(WHITE, "out of turn") == 1
        assert (warned.end, disorder.end) == ("put right", "settled by a person")

    @pytest.mark.parametrize("word", [Word.OVERRULE, Word.CORRECT])
    def test_all_that_is_taken_back_is_told_as_such(self, tmp_path, word):
        """The step and the refusal to put it right."""
        table = Noted()
        table.frame_ms = 200
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {22: ".", 14: "w"}, 63_000)
        table.say(Word.CONFIRM)
        table.say(word, text="" if word is Word.OVERRULE else "11-16")
        assert table.game.arbiter.convictions == ()
        ends = [(each.title, each.end) for each in table.incidents(tmp_path / NAME)]
        assert ends == [
            ("illegal step", "overruled by a person"),
            ("not put right", "overruled by a person"),
        ]

    def test_of_an_older_journal_the_last_warning_is(self, kept):
        """Its corrections do not say what they took back."""
        entries = list(read(kept / NAME).entries)
        said = {"event": "corrected", "time_ms": 99_000, "undone": [], "fen": "", "reopened": None}
        body = {"kind": "said", "command": {"command": "overrule"}, "events": [said]}
        entries.append(dataclasses.replace(entries[-1], text=line_of(body)))
        ends = [each.end for each in incidents(kept / NAME, entries)]
        assert ends == ["put right", "overruled by a person"]

    def test_there_is_no_such_incident(self, kept, capsys):
        assert run("incidents", NAME, "--games", kept, "--erase", 9) == 2
        assert "there are 2" in capsys.readouterr().err


class TestTidying:
    def age(self, shelf: Path, days: int) -> None:
        for file in (shelf / NAME / "evidence").iterdir():
            os.utime(file, (0, file.stat().st_mtime - days * evidence.DAY_S))

    def test_old_pictures_go(self, kept):
        self.age(kept, 15)
        assert len(tidy([kept / NAME], 14)) == 6
        assert list((kept / NAME / "evidence").iterdir()) == []
        assert read(kept / NAME).problems == ()

    def test_young_ones_stay(self, kept):
        self.age(kept, 13)
        assert tidy([kept / NAME], 14) == []

    def test_the_quota_is_kept(self, kept):
        assert len(tidy([kept / NAME], 14, quota_bytes=1000)) == 6

    def test_a_game_in_use_is_left_alone(self, kept):
        self.age(kept, 15)
        journal, _ = Journal.reopen(kept / NAME)
        assert tidy([kept / NAME], 14) == []
        journal.close()


class TestPictures:
    def test_nothing_beside_the_board_is_kept(self):
        image = np.broadcast_to(SETTING, (720, 960, 3)).copy()
        outline = VIEW.project(pictures._outline()).astype(np.int32)
        cv2.fillPoly(image, [outline], (0, 0, 0))
        kept = Crop.around(VIEW).cut(image)
        assert (kept > 40).mean() < 0.01
        assert max(kept.shape) <= pictures.WIDTH

    def test_the_ring_forgets(self):
        ring, image = Ring(), draw_board(VIEW, START)
        for time_ms in range(0, 20_000, 100):
            ring.see(image, time_ms, VIEW)
        times = [snapshot.time_ms for snapshot in ring._snapshots]
        assert times == list(range(13_800, 19_801, 200))
        assert sum(len(snapshot.jpeg) for snapshot in ring._snapshots) < 3_000_000

    def test_squares_are_drawn_around(self):
        ring = Ring()
        ring.see(np.full((720, 960, 3), 90, np.uint8), 0, VIEW)
        snapshot = ring.newest
        plain, drawn = (
            cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).astype(int)
            for jpeg in (snapshot.jpeg, marked(snapshot, (1,)))
        )
        changed = np.argwhere(np.abs(plain - drawn).max(axis=2) > 60)[:, ::-1]
        where = Crop.around(VIEW).to_kept(np.array([[1.0, 0.0], [2.0, 1.0]]))
        assert np.abs(changed.min(axis=0) - where.min(axis=0)).max() < 12
        assert np.abs(changed.max(axis=0) - where.max(axis=0)).max() < 12

    def test_a_film_is_read_by_others(self, tmp_path):
        shots = [cv2.imencode(".jpg", np.full((48, 64, 3), 10 * n, np.uint8))[1].tobytes()
                 for n in range(7)]  # fmt: skip
        path = tmp_path / "clip.avi"
        path.write_bytes(avi(shots, (64, 48), 5))
        capture = cv2.VideoCapture(str(path))
        levels = []
        while (answer := capture.read())[0]:
            levels.append(int(answer[1].mean()))
        assert np.abs(np.array(levels) - 10 * np.arange(7)).max() <= 2
        assert capture.get(cv2.CAP_PROP_FPS) == 5

    def test_a_full_disk_costs_the_pictures_only(self, tmp_path, monkeypatch):
        monkeypatch.setattr(evidence, "ROOM_BYTES", 1 << 60)
        noted = []
        witness = Witness(tmp_path, lambda kind, body: noted.append((kind, body)))
        ring = Ring()
        ring.see(draw_board(VIEW, START), 0, VIEW)
        witness._open = evidence.Occasion(3, 0, (1,), None)
        witness.finish(ring)
        ((kind, body),) = noted
        assert (kind, body["files"], "full" in body["problem"]) == ("evidence", [], True)

    def test_the_picture_of_a_proposal_marks_the_piece(self, tmp_path):
        said = phrase("touched_unplayable", side=Side.RED, square=14, lawful=("9-13", "5-9"))
        conduct = Conduct.TOUCHED_UNPLAYABLE
        proposal = Proposed(0, conduct, Verdict.WARNING, Side.RED, "WCDF 4.3", "", said, 0)
        witness = Witness(tmp_path, lambda kind, body: None)
        witness.take((proposal,), 0, Ring(), 0)
        assert witness._open.squares == (14,)

    def test_a_proposal_that_is_told_again_has_its_pictures(self, tmp_path):
        said = phrase("touched_other_only", side=Side.RED, square=14)
        conduct = Conduct.TOUCHED_OTHER
        again = Proposed(0, conduct, Verdict.WARNING, Side.RED, "WCDF 4.2", "", said, 2, number=3)
        witness = Witness(tmp_path, lambda kind, body: None)
        witness.take((again,), 7, Ring(), 0)
        assert witness._open is None

    def test_the_hash_is_that_of_the_file(self, shelf):
        for entry in read(shelf / NAME).entries:
            for file in entry.body().get("files", ()):
                data = (shelf / NAME / "evidence" / file["name"]).read_bytes()
                assert sha256(data).hexdigest() == file["sha256"]


PROPOSED = {
    **{"event": "proposed", "time_ms": 1_000, "conduct": "touched_other", "side": "white"},
    **{"text": "Proposed: so it might be.", "rule": "WCDF 4.2", "number": 0, "cause": 0},
}
PLAYED = {"event": "played", "time_ms": 2_000, "move": "11-15", "side": "red", "fen": ""}
RULING = {"event": "ruling", "time_ms": 3_000, "cause": 0, "text": "So it is.", "rule": "x"}


class TestWhoDecided:
    """A game's events written by hand: what a person made of a proposal, and what he said."""

    def only(self, *records: dict):
        entry = next_entry(None, "seen", "2026-11-21T15:26:36Z", {"events": list(records)})
        (incident,) = incidents(Path("nowhere"), [entry])
        return incident

    def test_what_nobody_confirmed_accuses_nobody(self):
        incident = self.only(PROPOSED, PLAYED)
        assert (incident.end, incident.end_ms) == ("nobody has decided", None)
        assert incident.text == "Proposed: so it might be."

    def test_what_was_confirmed_is_a_ruling(self):
        incident = self.only(PROPOSED, PLAYED, RULING)
        assert (incident.end, incident.end_ms) == ("confirmed", 3_000)
        assert incident.text == "So it is."

    def test_what_was_dismissed_says_so(self):
        dismissed = {"event": "dismissed", "time_ms": 3_000, "proposal": 0}
        incident = self.only(PROPOSED, PLAYED, dismissed)
        assert (incident.end, incident.end_ms) == ("dismissed", 3_000)

    def test_what_is_told_again_is_the_same_proposal(self):
        again = PROPOSED | {"time_ms": 2_500, "text": "Proposed: so it might be by now."}
        incident = self.only(PROPOSED, PLAYED, again)
        assert (incident.number, incident.event["time_ms"]) == (1, 1_000)
        assert incident.text == "Proposed: so it might be by now."

    def test_what_people_said_is_on_the_page(self):
        said = Command(5_000, Word.CORRECT, None, "11-15", "keyboard").record()
        own = Command(6_000, Word.PAUSE).record()
        entries = [
            next_entry(None, "said", "2026-11-21T15:26:36Z", {"command": said}),
            next_entry(None, "said", "2026-11-21T15:26:37Z", {"command": own}),
            next_entry(None, "resumed", "2026-11-21T15:30:00Z", {"entries": 2, "seen": None}),
        ]
        first, second = remarks(entries)
        assert (first.time_ms, first.text) == (5_000, "keyboard: correct 11-15")
        assert (second.time_ms, second.text.split()[-1]) == (6_000, "2026-11-21T15:30:00Z")

    @pytest.mark.parametrize("line", ["back", "correct 11-15", "position B:W18:B14", "offer red"])
    def test_they_are_shown_as_they_typed_it(self, line):
        said = parse(line, 5_000, "keyboard").record()
        (remark,) = remarks([next_entry(None, "said", "2026-11-21T15:26:36Z", {"command": said})])
        assert remark.text == remark.said == f"keyboard: {line}"


class TestBeginning:
    def test_a_game_begins_with_its_first_position(self):
        told = [[], [{"event": "ready"}], [{"event": "played"}], [{"event": "started"}], []]
        entries = [
            next_entry(None, "seen", f"2026-11-2{day}T15:26:36Z", {"events": events})
            for day, events in enumerate(told)
        ]
        assert [begun_at(entries[:length])[8:10] for length in range(1, 6)] == [
            *("20", "21", "21", "23", "23")
        ]


class TestThePage:
    def test_there_is_room_to_sign_and_a_code_to_compare(self, kept):
        told = export.story(kept / NAME, read(kept / NAME).entries)
        page = report(told)
        assert "<div>Arbiter</div>" in page
        assert told.head[:16] in page
        assert "<h1>Red – White</h1>" in page

    def test_what_parts_the_score_keeps_to_its_column(self, tmp_path):
        play = line("11-15")
        said(play, Word.CORRECT, "W:W21:B14")
        page = report(kept_story(tmp_path / NAME, play))
        assert '<div class="set">From a position set by hand:</div>' in page
        assert "\n.score .set { white-space: normal;" in page


class TestTheSides:
    """A game whose set is black and red: the side that replies is called Red."""

    @pytest.fixture
    def folder(self, tmp_path) -> Path:
        """That of the game, which was played by Anna and Ben, and in which Anna resigned."""
        play = line("11-15")
        play.blunder(parse_move(Position(play.position.setup, Side.RED), "12-16"))
        said(play, Word.SEATS, "Anna, Ben")
        said(play, Word.OVERRULE, "white")
        said(play, Word.SET_POSITION, "W:W21:B14,17")
        said(play, Word.SET_POSITION, "W:W1:B14")
        said(play, Word.RESIGN, side=Side.RED)
        recorded(tmp_path / NAME, play.inputs)
        save_source(tmp_path / NAME, "usb:0", ("black", "red"))
        return tmp_path / NAME

    def exported(self, folder: Path, ending: str) -> str:
        target = folder / f"out.{ending}"
        assert run("export", folder, "-o", target) == 0
        return target.read_text()

    def test_the_page_says_who_plays_what(self, folder):
        page = self.exported(folder, "html")
        assert "<h1>Anna – Ben</h1>" in page
        assert ">Black: Anna – Red: Ben, begun " in page
        assert "<div>Black</div><div>Red</div><div>Arbiter</div>" in page

    def test_where_nobody_was_seated_it_says_the_colours(self, kept):
        save_source(kept / NAME, "usb:0", ("black", "red"))
        page = self.exported(kept / NAME, "html")
        assert "<h1>Black – Red</h1>" in page
        assert ">Black – Red, begun " in page

    def test_so_does_all_that_it_tells(self, folder):
        page = self.exported(folder, "html")
        assert "</b>, Black – " in page
        assert "It is Red&#x27;s turn (WCDF 4.7). Black is warned." in page
        assert "Black resigns (WCDF 6.1). Red wins." in page
        assert "keyboard: overrule red" in page
        assert "keyboard: resign black" in page
        assert "refused: Red, whose turn it is there, has no move" in page
        assert "refused: Red&#x27;s man on 1 stands on its king-row" in page
        assert "White" not in page

    def test_its_discs_have_the_colours_of_the_set(self, folder):
        page = self.exported(folder, "html")
        assert page.count(f'fill="{INKS["black"]}"') == page.count(f'fill="{INKS["red"]}"') == 12
        assert INKS["white"] not in page

    def test_the_comments_of_the_pdn_say_it_and_its_tags_do_not(self, folder):
        (record,) = parse_pdn(self.exported(folder, "pdn"))
        assert "wrong turn (Black): It is Red's turn" in record.game.comments[1]
        assert (record.game.tags["Black"], record.game.tags["White"]) == ("Anna", "Ben")

    def test_so_does_the_end(self, folder):
        (record,) = parse_pdn(self.exported(folder, "pdn"))
        last = record.game.comments[len(record.game.moves)]
        assert "Black resigns (WCDF 6.1). Red wins." in last

    def test_the_json_knows_no_names(self, folder):
        told = self.exported(folder, "json")
        save_source(folder, "usb:0")
        assert told == self.exported(folder, "json")

    def test_incidents_are_listed_with_them(self, folder, capsys):
        assert run("incidents", folder) == 0
        told = capsys.readouterr().out
        assert "wrong turn (Black) after 11-15" in told
        assert "It is Red's turn (WCDF 4.7). Black is warned." in told

    def test_but_not_for_programs(self, folder, capsys):
        assert run("incidents", folder, "--json") == 0
        (told,) = lines(capsys)
        assert told["side"] == "red"
        assert told["text"].startswith("It is White's turn (WCDF 4.7). Red is warned.")

    @pytest.mark.parametrize("more", [{}, {"phrase": ["a_word_of_old", "side=white"]}])
    def test_what_cannot_be_said_again_is_told_as_it_was(self, more):
        entry = next_entry(None, "seen", "2026-11-21T15:26:36Z", {"events": [PROPOSED | more]})
        (incident,) = incidents(Path("nowhere"), [entry], language=called(ENGLISH, BLACK_AND_RED))
        assert (incident.side, incident.said) == ("Red", PROPOSED["text"])

    def test_a_proposal_is_said_again_too(self):
        text = phrase("touched_other", side=Side.WHITE, square=22, move="23-19")
        proposed = PROPOSED | {"phrase": list(text), "verdict": "warning"}
        entry = next_entry(None, "seen", "2026-11-21T15:26:36Z", {"events": [proposed]})
        (incident,) = incidents(Path("nowhere"), [entry], language=called(ENGLISH, BLACK_AND_RED))
        assert incident.said.startswith("Proposed: Red touched 22 first (WCDF 4.2).")

    @pytest.mark.parametrize(("noted", "code"), [("de", "de"), ("xx", "en"), (None, "en")])
    def test_it_is_gone_on_with_in_the_same_language(self, tmp_path, noted, code):
        entry = next_entry(None, "begun", "2026-11-21T15:26:36Z", begun(games.begin(), NAME))
        save_source(tmp_path, "usb:0", BLACK_AND_RED, noted)
        told = language_again(RulesSettings(), tmp_path, [entry], {})
        assert (told.code, told.sides) == (code, BLACK_AND_RED)
        german = language_again(RulesSettings(), tmp_path, [entry], {"rules.language": "de"})
        assert german.code == "de"

    def test_an_older_game_has_those_of_its_rules(self, tmp_path):
        body = begun(games.begin(profile=PROFILES["us"]), NAME)
        entry = next_entry(None, "begun", "2026-11-21T15:26:36Z", body)
        assert language_kept(tmp_path, [entry]).sides == ("black", "white")
        save_source(tmp_path, "usb:0", BLACK_AND_RED)
        assert language_kept(tmp_path, [entry]).sides == BLACK_AND_RED

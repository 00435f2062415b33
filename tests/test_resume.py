"""Going on with a game after a power cut: fold, look, and go on or ask."""

from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import pytest

from hardware.camera import Frame
from hardware.cameras.video import Video
from referee import cli
from referee.board import START, Side, replace
from referee.colours import RED_AND_WHITE
from referee.commands import Command, Word
from referee.journal.folding import fold
from referee.journal.journal import TimeSource
from referee.journal.remarks import remarks
from referee.journal.salvage import read
from referee.journal.shelf import SOURCE, load_source, save_source
from referee.notation import fen, parse_fen, parse_pdn
from referee.resuming import LOOK_MS, differing, with_ranks
from referee.rules import Position
from referee.settings.knobs import RulesSettings
from referee.verbs import resume
from referee.verbs.typed import Typed
from referee.verbs.wording import language_again
from sample_images import play
from tests.test_cli import STAGE

ENDINGS = {"first": "wait 1", "both": "23-19\nwait 1", "other": "22-18\nwait 6"}


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A game that breaks off after a move, the same going on, and another second move."""
    folder = tmp_path_factory.mktemp("films")
    for name, ending in ENDINGS.items():
        script = folder / f"{name}.script"
        script.write_text(f"{STAGE}{ending}\n")
        writer = cv2.VideoWriter(
            str(folder / f"{name}.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 3, (640, 360)
        )
        for _, picture in play.open_script(str(script))[0]:
            writer.write(picture)
        writer.release()
    return {name: folder / f"{name}.avi" for name in ENDINGS}


@pytest.fixture
def broken_off(films, tmp_path, capsys) -> Path:
    """The folder of the games, one of which broke off after its first move, its clock running."""
    games = tmp_path / "games"
    arguments = ["--games", str(games), "--pdn", str(tmp_path / "x.pdn"), "--json"]
    arguments += ["--clock", "30/60"]
    assert cli.main(["watch", str(films["first"]), *arguments]) == 0
    capsys.readouterr()
    return games


@pytest.fixture
def live(monkeypatch):
    """The film is a camera, and the person at the board types some lines."""
    left: list[str] = []
    monkeypatch.setattr(resume, "game_camera", lambda source, settings: Live(Path(source)))
    monkeypatch.setattr(resume, "_read_line", lambda: left.pop(0) if left else None)
    return lambda *lines: left.extend(lines)


class Live:
    """What a camera shows now; nobody knows for how long."""

    length_ms = None
    LENGTH_MS = 19 * 333

    def __init__(self, path: Path) -> None:
        self._path = path

    def frames(self):
        """The last pictures of a film, the first of them for a while, as time goes by."""
        pictures = [frame.image for frame in Video(self._path).frames()]
        for number, image in enumerate([pictures[-1]] * 20):
            yield Frame(image, 333 * number)


def going_on(games, film, capsys):
    arguments = ["--games", str(games), "--json", "--mute"]
    status = cli.main(["resume", "last", str(film), *arguments])
    out, err = capsys.readouterr()
    events = [json.loads(line) for line in out.splitlines()]
    assert [event.get("move") for event in events if event.get("again")] == ["11-15"]
    return status, [event for event in events if not event.get("again")], err


def only(games: Path) -> Path:
    (folder,) = (path for path in games.iterdir() if path.is_dir())
    return folder


class TestResume:
    def test_a_recording_goes_on_where_it_was_left(self, broken_off, films, capsys):
        status, events, _ = going_on(broken_off, films["both"], capsys)
        assert (status, [event["event"] for event in events]) == (0, ["played"])
        (record,) = parse_pdn((broken_off.parent / "x.pdn").read_text())
        assert [str(move) for move in record.game.moves] == ["11-15", "23-19"]
        assert cli.main(["replay", "last", "--games", str(broken_off)]) == 0

    def test_the_record_goes_on_where_it_was_after_another_source(self, broken_off, films, capsys):
        """Of another camera, which is the game's from then on."""
        going_on(broken_off, films["both"], capsys)
        said = ["say", "last", "result 1-0", "--games", str(broken_off)]
        assert cli.main(said) == 0
        (record,) = parse_pdn((broken_off.parent / "x.pdn").read_text())
        assert (record.game.result, record.game.tags["Site"]) == ("1-0", str(films["both"]))

    @pytest.mark.parametrize(("old", "new"), [('"?"', '"Club"'), ("11-15", "12-16")])
    def test_a_record_that_a_person_has_changed_is_left_as_it_is(
        self, old, new, broken_off, films, capsys
    ):
        record = broken_off.parent / "x.pdn"
        changed = record.read_text().replace(old, new, 1)
        record.write_text(changed)
        going_on(broken_off, films["both"], capsys)
        assert record.read_text() == changed
        assert "23-19" in (only(broken_off) / "game.pdn").read_text()

    def test_the_record_keeps_the_day_on_which_the_game_began(
        self, broken_off, films, monkeypatch, capsys
    ):
        monkeypatch.setattr(TimeSource, "label", lambda _: "2099-01-01T00:00:00Z")
        going_on(broken_off, films["both"], capsys)
        (record,) = parse_pdn((broken_off.parent / "x.pdn").read_text())
        assert record.game.tags["Date"][:4] not in ("2099", "????")

    def test_the_record_is_of_the_event_that_was_said(self, broken_off, films, monkeypatch, capsys):
        monkeypatch.setattr(Typed, "_lines", lambda typed: lines and [lines.pop()])
        lines = ["event Club evening"]
        for film in ("first", "both"):
            cli.main(["resume", "last", str(films[film]), "--games", str(broken_off)])
        assert "Before: The event is Club evening" in capsys.readouterr().err
        (record,) = parse_pdn((broken_off.parent / "x.pdn").read_text())
        assert record.game.tags["Event"] == "Club evening"
        assert [str(move) for move in record.game.moves] == ["11-15", "23-19"]

    def test_the_next_game_has_its_record_in_its_own_folder(
        self, broken_off, films, capsys, monkeypatch
    ):
        (broken_off.parent / "x.pdn").unlink()
        position = Position(replace(START, {11: ".", 15: "r", 22: ".", 18: "w"}), Side.RED)
        lines = ["resign red", f"position {fen(position)}"]
        monkeypatch.setattr(Typed, "_lines", lambda typed: [lines.pop(0)] if lines else [])
        going_on(broken_off, films["other"], capsys)
        first, second = sorted(path for path in broken_off.iterdir() if path.is_dir())
        records = {path.parent: path for path in broken_off.rglob("*.pdn")}
        assert records.keys() == {first, second}
        former, later = (parse_pdn(records[path].read_text())[0].game for path in (first, second))
        assert (former.result, list(map(str, former.moves))) == ("0-1", ["11-15"])
        assert (later.result, later.start) == ("*", position)

    def test_what_is_said_at_the_end_of_a_recording_is_obeyed(
        self, broken_off, films, capsys, monkeypatch
    ):
        lines = ["seats Anna, Ben", "result 1-0", "start", "seats Carl, Dora"]
        monkeypatch.setattr(Typed, "_lines", lambda typed: [lines.pop(0)] if lines else [])
        status, events, _ = going_on(broken_off, films["first"], capsys)
        told = ["seated", "result", "started", "seated"]
        assert [event["event"] for event in events if event["event"] != "ruling"] == told
        assert status == 1  # the next game has not begun
        first = min(path for path in broken_off.iterdir() if path.is_dir())
        (record,) = parse_pdn((broken_off.parent / "x.pdn").read_text())
        tags = record.game.tags
        assert (tags["Black"], record.game.result, len(record.game.moves)) == ("Anna", "1-0", 1)
        assert cli.main(["replay", first.name, "--games", str(broken_off)]) == 0

    def test_a_recording_is_found_from_any_folder(self, films, tmp_path, capsys, monkeypatch):
        games = ["--games", str(tmp_path / "games"), "--json", "--mute"]
        monkeypatch.chdir(films["first"].parent)
        assert cli.main(["watch", "first.avi", *games, "--pdn", str(tmp_path / "x.pdn")]) == 0
        assert load_source(only(tmp_path / "games")) == "first.avi"
        monkeypatch.chdir(tmp_path)
        assert cli.main(["resume", "last", *games]) == 0
        assert '[Site "first.avi"]' in (tmp_path / "x.pdn").read_text()

    def test_a_recording_that_has_gone_is_asked_for(self, broken_off, tmp_path, capsys):
        save_source(only(broken_off), str(tmp_path / "lent.avi"))
        assert cli.main(["resume", "last", "--games", str(broken_off)]) == 2
        told = f"there is no {tmp_path / 'lent.avi'} any more; name the SOURCE behind the game"
        assert capsys.readouterr().err == f"referee: {told}\n"

    def test_a_single_picture_shows_no_game(self, broken_off, tmp_path, capsys):
        picture = tmp_path / "board.png"
        picture.touch()
        assert cli.main(["resume", "last", str(picture), "--games", str(broken_off)]) == 2
        assert f"{picture} is a single picture" in capsys.readouterr().err

    def test_another_file_in_the_place_of_the_record_is_refused(
        self, broken_off, films, tmp_path, capsys
    ):
        diary = tmp_path / "diary.txt"
        diary.write_text("Dear diary, nobody came to the club.\n")
        asked = ["resume", "last", str(films["both"]), "--games", str(broken_off)]
        assert cli.main([*asked, "--pdn", str(diary)]) == 2
        assert "give another file with --pdn" in capsys.readouterr().err
        assert "nobody came" in diary.read_text()

    def test_a_board_as_recorded_goes_on(self, broken_off, films, live, capsys):
        status, events, _ = going_on(broken_off, films["first"], capsys)
        assert (status, [event["event"] for event in events]) == (0, ["not_watching", "watching"])
        assert cli.main(["replay", "last", "--games", str(broken_off)]) == 0

    def test_another_board_is_shown_and_asked_about(self, broken_off, films, live, capsys):
        live()
        status, events, err = going_on(broken_off, films["other"], capsys)
        assert status == 1
        assert events[-1]["event"] == "different"
        assert events[-1]["squares"] == [18, 22]
        assert "the record says" in err
        assert "(rr)" in err

    def test_the_moves_meanwhile_can_be_told(self, broken_off, films, live, capsys):
        live("22-11", "22-18")
        status, events, err = going_on(broken_off, films["other"], capsys)
        moves = [event["move"] for event in events if event["event"] == "played"]
        assert (status, moves) == (0, ["22-18"])
        assert "22-11" in err
        said = [remark.text for remark in remarks(read(only(broken_off)).entries)]
        assert "keyboard: overrule 22-18" in said
        assert cli.main(["replay", "last", "--games", str(broken_off)]) == 0

    def test_the_board_can_be_right(self, broken_off, films, live, capsys):
        live("red")
        status, events, _ = going_on(broken_off, films["other"], capsys)
        assert status == 0
        (corrected,) = (event for event in events if event["event"] == "corrected")
        assert corrected["fen"].startswith("B:")
        (different,) = (event for event in events if event["event"] == "different")
        game = fold(read(only(broken_off)).entries)
        assert differing(game.position.setup, different["board"]) == ()
        before, now = parse_pdn((broken_off.parent / "x.pdn").read_text())
        assert [str(move) for move in before.game.moves] == ["11-15"]
        assert (now.game.start, now.game.moves) == (game.position, ())

    def test_the_record_can_be_right(self, broken_off, films, live, capsys):
        live("record")
        status, events, _ = going_on(broken_off, films["other"], capsys)
        # What lies there is a lawful move, and nobody has put it back.
        assert (status, events[-1]["event"]) == (0, "played")

    def test_all_events_have_their_words(self, broken_off, films, live, capsys):
        live("22-18")
        arguments = ["--games", str(broken_off), "--json", "--mute"]
        assert cli.main(["resume", "last", str(films["other"]), *arguments]) == 0
        events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        told = [(event["said"], event["aloud"]) for event in events if event["event"] == "played"]
        assert told == [("Red 11-15", False), ("White 22-18", False)]
        (away,) = (event for event in events if event["event"] == "not_watching")
        assert (away["said"], away["aloud"]) == ("I cannot see the board: paused", False)

    def test_an_empty_answer_is_asked_again(self, broken_off, films, live, capsys):
        live("", "record")
        _, events, _ = going_on(broken_off, films["other"], capsys)
        answered = ("different", "refused", "corrected")
        told = [event["event"] for event in events if event["event"] in answered]
        assert told == ["different", "different"]

    def test_it_can_be_asked_what_can_be_said(self, broken_off, films, live, capsys):
        live("help", "record")
        _, events, err = going_on(broken_off, films["other"], capsys)
        assert "take the last move back" in err
        assert "refused" not in [event["event"] for event in events]

    def test_the_game_can_have_ended_meanwhile(self, broken_off, films, live, capsys):
        live("result 1/2-1/2")
        _, events, _ = going_on(broken_off, films["other"], capsys)
        assert [event["result"] for event in events if event["event"] == "result"] == ["1/2-1/2"]
        assert parse_pdn((broken_off.parent / "x.pdn").read_text())[0].game.result == "1/2-1/2"

    def test_a_damaged_journal_is_mended_and_told(self, broken_off, films, capsys):
        database = only(broken_off) / "journal.sqlite"
        database.write_bytes(database.read_bytes()[:5000])
        status, events, err = going_on(broken_off, films["both"], capsys)
        assert (status, events[-1]["move"]) == (0, "23-19")
        assert "journal.sqlite is damaged" in err
        assert (only(broken_off) / "damaged-1" / "journal.sqlite").exists()
        assert cli.main(["replay", "last", "--games", str(broken_off)]) == 0

    def test_a_damaged_calibration_is_searched_anew(self, broken_off, films, live, capsys):
        (only(broken_off) / "calibration.json").write_text("{")
        status, events, _ = going_on(broken_off, films["first"], capsys)
        assert (status, [event["event"] for event in events]) == (0, ["not_watching", "watching"])

    def test_two_programs_do_not_write_one_game(self, broken_off, films, capsys):
        journal, _ = resume.Journal.reopen(only(broken_off))
        status = cli.main(["resume", "last", str(films["both"]), "--games", str(broken_off)])
        err = capsys.readouterr().err
        journal.close()
        assert status == 2
        assert "another program" in err


class TestTheSides:
    """The game was begun as one of Black and Red."""

    @pytest.fixture
    def black_and_red(self, films, tmp_path, capsys) -> Path:
        games = tmp_path / "coloured"
        arguments = ["--games", str(games), "--pdn", str(tmp_path / "y.pdn"), "--json"]
        assert cli.main(["watch", str(films["first"]), *arguments, "--sides", "black,red"]) == 0
        out, _ = capsys.readouterr()
        (move,) = (event for event in map(json.loads, out.splitlines()) if "move" in event)
        assert (move["side"], move["said"]) == ("red", "Black 11-15")
        return games

    def test_they_keep_their_names(self, black_and_red, films, monkeypatch, tmp_path, capsys):
        config = tmp_path / "referee.toml"
        config.write_text("[rules]\nsides = 'white,black'\n")
        arguments = ["--games", str(black_and_red), "--json", "--config", str(config)]
        assert cli.main(["resume", "last", str(films["both"]), *arguments]) == 0
        out, err = capsys.readouterr()
        assert "Before: Black 11-15" in err
        again, move = (json.loads(line) for line in out.splitlines())
        assert (again["side"], again["again"]) == ("red", True)
        assert (move["side"], move["said"]) == ("white", "Red 23-19")
        (record,) = parse_pdn((black_and_red.parent / "y.pdn").read_text())
        assert record.game.result == "*"

    def test_the_next_game_has_them_too(self, black_and_red, films, monkeypatch):
        kept = []

        class Spy(resume.Keeper):
            def __init__(self, shelf, source, days, language):
                super().__init__(shelf, source, days, language)
                kept.append(language.sides)

        monkeypatch.setattr(resume, "Keeper", Spy)
        arguments = ["--games", str(black_and_red), "--json"]
        assert cli.main(["resume", "last", str(films["both"]), *arguments]) == 0
        assert kept == [("black", "red")]

    def test_other_names_may_be_typed(self, black_and_red, films, capsys):
        arguments = ["--games", str(black_and_red), "--json", "--sides", "blue,yellow"]
        assert cli.main(["resume", "last", str(films["both"]), *arguments]) == 0
        assert json.loads(capsys.readouterr().out.splitlines()[-1])["said"] == "Yellow 23-19"

    def test_the_question_and_its_answer_have_them(self, black_and_red, films, live, capsys):
        live("white", "red")
        status, events, err = going_on(black_and_red, films["other"], capsys)
        assert status == 0
        assert "  black or red  the board is right" in err
        assert "overrule is said like this: overrule [11-15|red]" in err
        (corrected,) = (event for event in events if event["event"] == "corrected")
        assert corrected["fen"].startswith("W:")

    def test_an_older_game_has_those_of_its_rules(self, black_and_red):
        folder = only(black_and_red)
        (folder / SOURCE).write_text('{"source": "usb:0"}')
        entries = read(folder).entries
        rules = RulesSettings(profile="us")
        assert language_again(rules, folder, entries, {}).sides == RED_AND_WHITE
        typed = {"rules.sides": "blue,yellow"}
        assert language_again(rules, folder, entries, typed).sides == ("blue", "yellow")
        set_for_all = RulesSettings(sides="dark,light")
        assert language_again(set_for_all, folder, entries, {}).sides == ("dark", "light")


class TestTheClock:
    """White's time runs when the power is cut."""

    def test_it_goes_on_where_it_was(self, broken_off, films, live, capsys):
        before = fold(read(only(broken_off)).entries)
        going_on(broken_off, films["first"], capsys)
        after = fold(read(only(broken_off)).entries)
        assert after.clock.side is before.clock.side is Side.WHITE
        assert after.clock.since_ms is not None
        assert after.clock.red == before.clock.red

    def test_what_looking_and_asking_takes_is_counted_for_nobody(
        self, broken_off, films, live, capsys
    ):
        before = fold(read(only(broken_off)).entries)
        going_on(broken_off, films["first"], capsys)
        after = fold(read(only(broken_off)).entries)
        watched_ms = after.tracker.now - seen_again_ms(only(broken_off))
        assert 4_000 < watched_ms < Live.LENGTH_MS - LOOK_MS
        assert spent_ms(after) - spent_ms(before) == watched_ms

    def test_a_recording_has_no_gap(self, broken_off, films, capsys):
        going_on(broken_off, films["both"], capsys)
        bodies = [entry.body() for entry in read(only(broken_off)).entries]
        game = fold(read(only(broken_off)).entries)
        (ready_ms,) = (
            e["time_ms"] for b in bodies for e in b.get("events", ()) if "ready" in str(e)
        )
        spent = game.clock.spent_ms(Side.RED, game.tracker.now) + spent_ms(game)
        assert spent == game.tracker.now - ready_ms

    def test_a_pause_that_was_asked_for_lasts(self, broken_off, films, live, capsys):
        journal, findings = resume.Journal.reopen(only(broken_off))
        now_ms = fold(findings.entries).tracker.now
        for word in (Word.PAUSE, Word.RESUME, Word.PAUSE):
            command = Command(now_ms, word, None, "", "keyboard")
            journal.append("said", {"command": command.record()})
        journal.close()
        going_on(broken_off, films["first"], capsys)
        game = fold(read(only(broken_off)).entries)
        assert game.tracker.paused
        assert game.clock.since_ms is None

    def test_a_second_power_cut_makes_no_pause(self, broken_off, films, live, capsys):
        journal, findings = resume.Journal.reopen(only(broken_off))
        pause = Command(fold(findings.entries).tracker.now, Word.PAUSE)
        journal.append("said", {"command": pause.record()})
        journal.close()
        going_on(broken_off, films["first"], capsys)
        assert not fold(read(only(broken_off)).entries).tracker.paused


def seen_again_ms(folder: Path) -> int:
    """When the referee said that it sees the board again."""
    happened = [e for entry in read(folder).entries for e in entry.body().get("events", ())]
    (at_ms,) = (event["time_ms"] for event in happened if event["event"] == "watching")
    return at_ms


def spent_ms(game) -> int:
    return game.clock.spent_ms(Side.WHITE, game.tracker.now)


class TestLooking:
    def test_ranks_are_no_difference(self):
        assert differing("r" * 32, "R" * 32) == ()

    def test_unseen_squares_are_none(self):
        assert differing(START, "?" * 32) == ()

    def test_the_record_fills_in_what_is_not_seen(self):
        kings = replace(START, {1: "R", 32: "W"})
        seen = replace(START, {2: "?", 12: ".", 16: "r"})
        assert with_ranks(seen, kings) == replace(kings, {12: ".", 16: "r"})

    @pytest.mark.parametrize(
        ("record", "meanwhile", "board"),
        [
            ("B:W12,21:B26,9", {26: ".", 31: "r"}, "W:W12,21:BK31,9"),
            ("W:WK10,21:B9,1", {10: ".", 15: "w"}, "W:WK15,21:B9,1"),
            ("W:WK10,12:B9,1", {10: ".", 15: "W", 12: ".", 8: "w"}, "W:WK15,8:B9,1"),
        ],
    )
    def test_the_pieces_that_have_left_tell_the_ranks_of_those_that_have_come(
        self, record, meanwhile, board
    ):
        known = parse_fen(record).setup
        assert with_ranks(replace(known, meanwhile), known) == parse_fen(board).setup


def test_the_answer_takes_no_more_than_its_line(monkeypatch):
    reader, writer = os.pipe()
    os.write(writer, b" 11-15 23-19 \nresign red\n")
    os.close(writer)
    monkeypatch.setattr(resume, "STDIN", reader)
    assert resume._read_line() == "11-15 23-19"
    assert os.read(reader, 100) == b"resign red\n"
    assert resume._read_line() is None

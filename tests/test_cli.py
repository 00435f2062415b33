"""The command line as a stranger uses it: what it prints where, and with which status it ends."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import cv2
import numpy as np
import pytest
from rich.console import Console

from referee import cli, scoresheet
from referee.board import START
from referee.board import replace as replaced
from referee.eye.picture import Reading
from referee.journal.journal import TimeSource
from referee.notation import parse_pdn
from referee.profiles import PROFILES, Case
from referee.terminal_board import cells_of
from referee.verbs import look
from referee.verbs.look import fen_of, squares_of
from sample_images import play
from sample_images.script import load
from tests.boards import draw_board, view_from

PROJECT = Path(__file__).parents[1]
GAME = """[Event "Club"]
[Black "Anderson"]
[White "Wyllie"]

1. 11-15 23-19 2. 8-11 22-17 *
"""


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def complaint(capsys):
    """The one sentence on the standard error; there must be no more than it."""
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("referee: ")
    assert err.count("\n") == 1
    return err


class TestHelp:
    def test_the_version_is_that_of_the_package(self, capsys):
        with pytest.raises(SystemExit) as end:
            cli.main(["--version"])
        assert end.value.code == 0
        assert capsys.readouterr().out == f"referee {cli.__version__}\n"

    @pytest.mark.parametrize("verb", cli.VERBS)
    def test_every_verb_explains_itself(self, verb, capsys):
        with pytest.raises(SystemExit) as end:
            cli.main([verb, "-h"])
        assert end.value.code == 0
        purpose = cli.VERBS[verb]
        explained = " ".join(capsys.readouterr().out.split())
        assert f"{purpose[0].upper()}{purpose[1:]}." in explained

    def test_resume_promises_what_the_game_has(self, capsys):
        with pytest.raises(SystemExit):
            cli.main(["resume", "-h"])
        explained = " ".join(capsys.readouterr().out.split())
        assert "the language of what is announced (en, de; else as before)" in explained
        assert "the discs that begin, then of the others (else as before)" in explained
        assert "the file of `referee calibrate` (else the game's own)" in explained
        assert "default en" not in explained

    @pytest.mark.parametrize("arguments", [[], ["dance"], ["check"], ["check", "--jsn", "x"]])
    def test_bad_use_ends_with_2(self, arguments, capsys):
        with pytest.raises(SystemExit) as end:
            cli.main(arguments)
        assert end.value.code == 2
        assert capsys.readouterr().err.startswith("usage: referee")

    def test_help_does_not_wait_for_opencv(self):
        code = (
            "import sys\nfrom referee import cli\n"
            "try: cli.main(['-h'])\nexcept SystemExit: pass\n"
            "sys.exit('cv2' in sys.modules)"
        )
        assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0


class TestCheck:
    @pytest.fixture
    def pdn(self, tmp_path):
        def write(text, name="game.pdn"):
            path = tmp_path / name
            path.write_text(text)
            return str(path)

        return write

    def test_a_lawful_game(self, pdn, capsys):
        assert cli.main(["check", "--json", pdn(GAME)]) == 0
        (game,) = lines(capsys.readouterr().out)
        assert (game["lawful"], game["moves"], game["failure"]) == (True, 4, None)

    def test_players_whom_nobody_has_named_are_not_named(self, pdn, capsys):
        text = GAME.replace("Anderson", "?").replace("Wyllie", "?")
        assert cli.main(["check", pdn(text)]) == 0
        assert "game 1: lawful" in " ".join(capsys.readouterr().out.split())

    def test_it_says_where_a_game_stops_being_lawful(self, pdn, capsys):
        assert cli.main(["check", "--json", pdn(GAME.replace("22-17", "19-15"))]) == 1
        (game,) = lines(capsys.readouterr().out)
        failure = game["failure"]
        assert (game["lawful"], game["moves"]) == (False, 3)
        assert (failure["move"], failure["side"], failure["line"]) == (2, "white", 5)
        assert failure["token"] == "19-15"
        assert "22-17" in failure["lawful_moves"]

    def test_people_read_it_on_the_standard_output(self, pdn, capsys):
        assert cli.main(["check", pdn(GAME), pdn(GAME.replace("8-11", "8-12"), "bad.pdn")]) == 1
        out, err = capsys.readouterr()
        assert err == ""
        assert "Anderson – Wyllie" in out
        assert "move 2 of Red: 8-12 is not lawful" in out

    def test_the_other_files_are_checked_when_one_is_missing(self, pdn, capsys):
        assert cli.main(["check", "--json", "nowhere.pdn", pdn(GAME)]) == 2
        out, err = capsys.readouterr()
        assert err == "referee: nowhere.pdn cannot be used: no such file or directory\n"
        assert len(lines(out)) == 1

    def test_a_game_is_one_though_its_first_move_is_unlawful(self, tmp_path, capsys):
        path = tmp_path / "game.pdn"
        path.write_text("1. 23-19 11-15 2. 22-18 *\n")
        assert cli.main(["check", "--json", str(path)]) == 1
        (told,) = lines(capsys.readouterr().out)
        assert (told["lawful"], told["moves"], told["failure"]["token"]) == (False, 0, "23-19")

    @pytest.mark.parametrize(
        "content",
        [
            pytest.param(b"", id="empty"),
            pytest.param(b"Dear diary, nobody came to the club.\n", id="prose"),
            pytest.param(b"The club is open from 10-12.\n", id="hours"),
            pytest.param(b"2026-11-26 Nobody came.\n", id="date"),
            pytest.param(b'[camera]\nname = "C920"\n[Site]\nclub = true\n', id="settings"),
            pytest.param(b"- [x] milk\n- [ ] discs\n[Rules](RULES.md)\n", id="list"),
            pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00\x00", id="picture"),
        ],
    )
    def test_what_holds_no_game_says_so(self, content, tmp_path, capsys):
        path = tmp_path / "game.pdn"
        path.write_bytes(content)
        assert cli.main(["check", str(path)]) == 2
        assert "holds no game" in complaint(capsys)

    @pytest.mark.parametrize(
        ("tag", "reason"),
        [
            pytest.param('[GameType "20"]', "GameType 20 is not English draughts", id="type"),
            pytest.param('[FEN "W:W99:B1"]', "99 is not within 1 to 32", id="fen"),
        ],
    )
    def test_a_first_tag_that_is_at_fault_is_told(self, tag, reason, pdn, capsys):
        assert cli.main(["check", "--json", pdn(f"{tag}\n1. 11-15 *\n")]) == 1
        (game,) = lines(capsys.readouterr().out)
        assert game["failure"]["move"] is None
        assert reason in game["failure"]["reason"]

    @pytest.mark.parametrize("tag", ['[FEN "B:W32:B1"]', '[GameType "21"]', '[Result "1-0"]'])
    def test_a_tag_alone_makes_a_game(self, tag, pdn, capsys):
        assert cli.main(["check", "--json", pdn(f"{tag}\n*\n")]) == 0
        (game,) = lines(capsys.readouterr().out)
        assert (game["lawful"], game["moves"]) == (True, 0)

    def test_a_folder_is_no_game(self, tmp_path, capsys):
        assert cli.main(["check", str(tmp_path)]) == 2
        assert "is a directory" in complaint(capsys)

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
    def test_a_file_without_rights_says_so(self, pdn, capsys):
        path = pdn(GAME)
        os.chmod(path, 0)
        assert cli.main(["check", path]) == 2
        assert "permission denied" in complaint(capsys)


@pytest.mark.parametrize("form", [["--json"], []], ids=["programs", "people"])
def test_a_reader_that_leaves_early_is_no_accident(form, tmp_path):
    path = tmp_path / "games.pdn"
    path.write_text((GAME + "\n") * 3000)
    command = [sys.executable, "-m", "referee", "check", *form, str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=PROJECT, text=True
    ) as process:
        assert "1" in process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=60) == cli.SIGNALLED + signal.SIGPIPE


@pytest.mark.parametrize("begun_as", ["module", "script"])
@pytest.mark.parametrize("imported", ["numpy", "rich", "referee.verbs.check"])
def test_ctrl_c_ends_quietly_also_while_modules_are_imported(imported, begun_as):
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    module, function = settings["project"]["scripts"]["referee"].split(":")
    begin = {
        "module": "import runpy; runpy.run_module('referee', run_name='__main__')",
        "script": f"from {module} import {function}; sys.exit({function}())",
    }
    code = (
        "import os, signal, sys\n"
        "class Impatient:\n"
        "    def find_spec(name, *_):\n"
        f"        if name == {imported!r}: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Impatient)\n"
        f"sys.argv = ['referee', 'check', 'game.pdn']\n{begin[begun_as]}"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=PROJECT, text=True)
    assert (done.returncode, done.stderr) == (cli.SIGNALLED + signal.SIGINT, "")


@pytest.mark.parametrize("closed", [">&-", "2>&-"])
def test_a_stream_that_the_shell_has_closed_is_no_accident(closed, tmp_path):
    (tmp_path / "game.pdn").write_text(GAME)
    command = f"{sys.executable} -m referee check --json {tmp_path / 'game.pdn'} {closed}"
    done = subprocess.run(command, shell=True, capture_output=True, cwd=PROJECT, text=True)
    assert (done.returncode, done.stderr) == (0, "")


# --- Pictures and games, drawn small and slow so that they are quick to watch -----------------

STAGE = """set official
camera pi3 37 5
size 640 360
light two-lamps
rate 3
seed 7
wait 1
11-15
"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """A lawful game, one that ends with an offence, one that does not end."""
    folder = tmp_path_factory.mktemp("scripts")
    endings = {"lawful": "23-19\nwait 1", "offence": "out-of-turn 9-13\nwait 4", "long": "wait 600"}
    for name, ending in endings.items():
        (folder / f"{name}.script").write_text(f"{STAGE}{ending}\n")
    return folder


def film(script, path):
    """A script as a video file."""
    pictures, _ = play.open_script(str(script))
    return filmed((picture for _, picture in pictures), path)


def filmed(pictures, path):
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 3, (640, 360))
    for picture in pictures:
        writer.write(picture)
    writer.release()
    return path


@pytest.fixture(scope="module")
def recording(scripts, tmp_path_factory):
    return film(scripts / "lawful.script", tmp_path_factory.mktemp("video") / "game.avi")


@pytest.fixture(scope="module")
def offence(scripts, tmp_path_factory):
    return film(scripts / "offence.script", tmp_path_factory.mktemp("video") / "offence.avi")


@pytest.fixture(scope="module")
def photograph(scripts, tmp_path_factory):
    """The starting position."""
    pictures, _ = play.open_script(str(scripts / "lawful.script"))
    path = tmp_path_factory.mktemp("pictures") / "board.png"
    cv2.imwrite(str(path), next(pictures)[1])
    return path


@pytest.fixture(scope="module")
def black(tmp_path_factory):
    path = tmp_path_factory.mktemp("pictures") / "black.png"
    cv2.imwrite(str(path), np.zeros((360, 640, 3), np.uint8))
    return path


def assert_seen(signs, truth):
    """Nothing is misread and little is left unread."""
    assert len(signs) == len(truth)
    assert all(sign in ("?", due) for sign, due in zip(signs, truth, strict=True))
    assert signs.count("?") <= 2


class TestLook:
    @pytest.mark.parametrize(
        ("setup", "fen"),
        [
            pytest.param("R" + "." * 30 + "w", "B:W32:BK1", id="all-seen"),
            pytest.param("R" + "." * 30 + "?", None, id="one-hidden"),
        ],
    )
    def test_a_fen_is_given_only_when_all_is_seen(self, setup, fen):
        reading = Reading(True, cells=cells_of(setup), confidence=(1.0,) * 64)
        assert (squares_of(reading), fen_of(reading)) == (setup, fen)

    def test_a_board_is_read_square_by_square(self, photograph, scripts, capsys):
        assert cli.main(["look", "--json", str(photograph)]) == 0
        (seen,) = lines(capsys.readouterr().out)
        view = play.prepare(load(scripts / "lawful.script")).stage.view
        assert list(seen) == [
            *("image", "found", "corners", "corner_sigma", "cells", "squares", "fen"),
            *("confidence", "problems", "ms"),
        ]
        assert seen["found"] is True
        assert np.abs(np.array(seen["corners"]) - view.corners()).max() < 5
        assert 0 < seen["corner_sigma"] < 0.1
        assert_seen(seen["squares"], START)
        assert_seen("".join(seen["cells"]), "".join(cells_of(START)))
        assert len(seen["confidence"]) == 32
        assert all(0 <= value <= 1 for value in seen["confidence"])
        assert all(spent >= 0 for spent in seen["ms"].values())

    def test_no_board_is_an_answer_with_a_reason(self, black, capsys):
        assert cli.main(["look", "--json", str(black)]) == 1
        (seen,) = lines(capsys.readouterr().out)
        assert seen["found"] is False
        assert "dark" in seen["problems"][0]
        unknown = ("corners", "corner_sigma", "cells", "squares", "fen", "confidence")
        assert [seen[key] for key in unknown] == [None] * 6

    def test_people_see_a_board(self, photograph, capsys):
        assert cli.main(["look", str(photograph)]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert "(rr)" in out

    def test_people_are_told_of_hidden_squares_by_their_numbers(
        self, photograph, monkeypatch, capsys
    ):
        setup = replaced(START, {3: "?", 17: "?"})
        told = "2 squares cannot be read"
        reading = Reading(True, cells=cells_of(setup), confidence=(1.0,) * 64, problems=(told,))
        monkeypatch.setattr(look, "read_picture", lambda image: reading)
        assert cli.main(["look", str(photograph)]) == 0
        said = capsys.readouterr().out.splitlines()
        assert said[-2:] == ["Hidden: 3, 17", f"! {told}"]

    def test_what_was_seen_is_drawn_over_the_picture(self, photograph, black, tmp_path, capsys):
        drawn = tmp_path / "seen.png"
        assert cli.main(["look", str(photograph), str(black), "--overlay", str(drawn)]) == 1
        for name, plain in (("seen-board.png", photograph), ("seen-black.png", black)):
            before, after = cv2.imread(str(plain)), cv2.imread(str(tmp_path / name))
            assert before.shape == after.shape
            assert (before != after).any()

    def test_an_overlay_without_a_place_says_so(self, photograph, tmp_path, capsys):
        target = str(tmp_path / "nowhere" / "seen.png")
        assert cli.main(["look", "--json", str(photograph), "--overlay", target]) == 2
        assert "cannot be written" in capsys.readouterr().err

    def test_an_overlay_without_a_place_does_not_stop_the_others(self, black, tmp_path, capsys):
        target = str(tmp_path / "nowhere" / "seen.png")
        assert cli.main(["look", "--json", str(black), str(black), "--overlay", target]) == 2
        assert len(lines(capsys.readouterr().out)) == 2

    @pytest.mark.parametrize("others", [[], ["board.png", "board.png"]], ids=["one", "several"])
    def test_an_overlay_never_replaces_a_picture(
        self, others, black, tmp_path, monkeypatch, capsys
    ):
        monkeypatch.chdir(tmp_path)
        for name in ("board.png", "seen-board.png"):
            shutil.copy(black, name)
        target = "seen.png" if others else "./seen-board.png"
        assert cli.main(["look", "seen-board.png", *others, "--overlay", target]) == 2
        assert "would replace seen-board.png" in complaint(capsys)
        assert Path("seen-board.png").read_bytes() == black.read_bytes()

    def test_pictures_of_one_name_have_an_overlay_each(self, black, tmp_path, capsys):
        pictures = [tmp_path / folder / "a.png" for folder in ("one", "two")]
        for picture in pictures:
            picture.parent.mkdir()
            shutil.copy(black, picture)
        cli.main(["look", *map(str, pictures), "--overlay", str(tmp_path / "seen.png")])
        assert {path.name for path in tmp_path.glob("*.png")} == {"seen-a.png", "seen-a-2.png"}

    def test_an_overlay_without_a_name_says_so(self, black, capsys):
        assert cli.main(["look", str(black), str(black), "--overlay", ""]) == 2
        assert "seen.png" in complaint(capsys)

    def test_a_text_is_no_picture(self, tmp_path, capsys):
        path = tmp_path / "board.png"
        path.write_text("a drawing of a board\n")
        assert cli.main(["look", str(path)]) == 2
        assert "is not a picture" in complaint(capsys)

    def test_a_folder_is_no_picture(self, tmp_path, capsys):
        assert cli.main(["look", str(tmp_path)]) == 2
        assert f"give the pictures in it, such as {tmp_path}/*.jpg" in complaint(capsys)

    @pytest.mark.skipif(sys.platform == "darwin", reason="names are text there")
    def test_an_overlay_may_have_any_name(self, black, tmp_path, capsys):
        drawn = tmp_path / os.fsdecode(b"sch\xf6n.png")
        assert cli.main(["look", "--json", str(black), "--overlay", str(drawn)]) == 1
        assert drawn.read_bytes().startswith(b"\x89PNG")

    @pytest.mark.parametrize("columns", [0, 20])
    def test_a_board_is_whole_whatever_the_terminal_says(
        self, columns, photograph, monkeypatch, capsys
    ):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert cli.main(["look", str(photograph)]) == 0
        assert "    (rr)    (rr)    (rr)    (rr)\n" in capsys.readouterr().out

    def test_a_missing_picture_does_not_stop_the_others(self, black, capsys):
        assert cli.main(["look", "--json", "nowhere.png", str(black)]) == 2
        out, err = capsys.readouterr()
        missing, seen = lines(out)
        assert (missing["image"], missing["found"]) == ("nowhere.png", False)
        assert "no such file" in missing["problems"][0]
        assert seen["image"] == str(black)
        assert err == "referee: nowhere.png cannot be used: no such file or directory\n"


class TestCalibrate:
    def test_a_calibration_serves_to_watch(self, recording, tmp_path, capsys):
        file = tmp_path / "board.json"
        assert cli.main(["calibrate", str(recording), "-o", str(file), "--json"]) == 0
        (found,) = lines(capsys.readouterr().out)
        assert (found["found"], found["file"], len(found["corners"])) == (True, str(file), 4)
        assert found["tilt"] == pytest.approx(37, abs=2)
        pdn = str(tmp_path / "game.pdn")
        watch = ["watch", str(recording), "--calibration", str(file), "--pdn", pdn, "--json"]
        assert cli.main(watch) == 0
        assert names(capsys.readouterr().out) == ["ready", "played", "played"]

    @pytest.mark.parametrize(
        ("alter", "is_told"),
        [
            pytest.param(lambda image: cv2.resize(image, None, fx=0.8, fy=0.8), False, id="size"),
            pytest.param(lambda image: cv2.resize(image, None, fx=0.5, fy=0.5), False, id="half"),
            pytest.param(lambda image: image[:, 8:], True, id="shape"),
        ],
    )
    def test_one_of_other_pictures_is_fitted_or_gives_way(
        self, alter, is_told, recording, tmp_path, capsys
    ):
        picture, file = tmp_path / "start.png", tmp_path / "board.json"
        _, first = cv2.VideoCapture(str(recording)).read()
        cv2.imwrite(str(picture), alter(first))
        assert cli.main(["calibrate", str(picture), "-o", str(file), "--json"]) == 0
        capsys.readouterr()
        pdn = str(tmp_path / "game.pdn")
        watch = ["watch", str(recording), "--calibration", str(file), "--pdn", pdn, "--json"]
        assert cli.main(watch) == 0
        out, err = capsys.readouterr()
        assert names(out) == ["ready", "played", "played"]
        assert ("of another shape: the board is looked for" in err) == is_told

    def test_the_proof_shows_where_the_discs_must_stand(self, recording, tmp_path, capsys):
        proof, file = tmp_path / "proof.png", tmp_path / "board.json"
        asked = ["calibrate", str(recording), "-o", str(file), "--overlay", str(proof)]
        assert cli.main(asked) == 0
        assert str(proof) in capsys.readouterr().err.replace("\n", "")
        drawn = cv2.imread(str(proof))
        _, first = cv2.VideoCapture(str(recording)).read()
        changed = np.abs(drawn.astype(int) - first).max(axis=2) > 40
        assert 0.01 < changed.mean() < 0.3

    def test_pieces_that_are_missing_or_astray_are_named(self, tmp_path, capsys):
        picture, file = tmp_path / "start.png", tmp_path / "board.json"
        cv2.imwrite(str(picture), draw_board(view_from(40), replaced(START, {11: ".", 15: "r"})))
        assert cli.main(["calibrate", str(picture), "-o", str(file), "--json"]) == 0
        (found,) = lines(capsys.readouterr().out)
        told = "look at squares 11 and 15: they are not as in the starting position"
        assert found["problems"][0] == told
        cv2.imwrite(str(picture), draw_board(view_from(40), replaced(START, {11: "."})))
        assert cli.main(["calibrate", str(picture), "-o", str(file)]) == 0
        told = "look at square 11: it is not as in the starting position"
        assert told in capsys.readouterr().err.replace("\n", "")

    def test_people_see_how_far_the_search_has_come(self, recording, tmp_path, monkeypatch):
        seen = io.StringIO()
        console = Console(file=seen, force_terminal=True, width=80)
        monkeypatch.setattr("referee.verbs.terminal.console", lambda: console)
        asked = ["calibrate", str(recording), "-o", str(tmp_path / "b.json")]
        assert cli.main([*asked, "--start", "W:W32:B1"]) == 1
        assert "searching for the board" in seen.getvalue()
        assert re.search(r"0:0[1-9] of 0:[0-9]{2}", seen.getvalue())

    def test_a_position_that_does_not_stand_there_is_refused(self, recording, tmp_path, capsys):
        asked = ["calibrate", str(recording), "-o", str(tmp_path / "b.json")]
        assert cli.main([*asked, "--start", "W:W27,32:B3,K20"]) == 1
        assert "does not show that position" in complaint(capsys)

    @pytest.mark.parametrize(
        "content", [b"", b"\0" * 99, b"damaged"], ids=["empty", "blank", "cut"]
    )
    def test_a_damaged_calibration_is_replaced(self, content, recording, tmp_path, capsys):
        file = tmp_path / "board.json"
        assert cli.main(["calibrate", str(recording), "-o", str(file)]) == 0
        sound = file.read_bytes()
        file.write_bytes(sound[:300] if content == b"damaged" else content)
        assert cli.main(["calibrate", str(recording), "-o", str(file)]) == 0
        assert file.read_bytes() == sound
        assert not file.with_name(".board.json.part").exists()

    def test_the_one_before_stands_in_and_it_is_said_why(self, recording, tmp_path, capsys):
        file = tmp_path / "board.json"
        for _ in range(2):
            assert cli.main(["calibrate", str(recording), "-o", str(file)]) == 0
        file.unlink()
        capsys.readouterr()
        games = ["--games", str(tmp_path), "--pdn", str(tmp_path / "x.pdn"), "--mute"]
        assert cli.main(["watch", str(recording), "--calibration", str(file), *games]) == 0
        told = f"cannot read {file}: No such file or directory; the calibration before it is used"
        assert told in capsys.readouterr().err

    @pytest.mark.parametrize(
        "content", [b"Dear diary\n", b'{"name": "Anna"}', b"\xff\xd8\xff view lens"]
    )
    def test_what_is_no_calibration_is_never_replaced(self, content, recording, tmp_path, capsys):
        file = tmp_path / "diary"
        file.write_bytes(content)
        assert cli.main(["calibrate", str(recording), "-o", str(file)]) == 2
        assert f"{file} is no calibration; give another file with -o" in complaint(capsys)
        assert file.read_bytes() == content

    @pytest.mark.parametrize("folder", [False, True], ids=["picture", "folder"])
    def test_the_proof_never_replaces_the_source(self, folder, photograph, tmp_path, capsys):
        source = Path(shutil.copy(photograph, tmp_path / "board.png"))
        asked = ["calibrate", str(tmp_path if folder else source), "-o", str(tmp_path / "b.json")]
        assert cli.main([*asked, "--overlay", str(source)]) == 2
        assert "would replace" in complaint(capsys)
        assert source.read_bytes() == photograph.read_bytes()

    def test_the_proof_never_replaces_the_calibration(self, photograph, tmp_path, capsys):
        asked = ["calibrate", str(photograph), "-o", str(tmp_path / "b.png")]
        assert cli.main([*asked, "--overlay", str(tmp_path / "b.png")]) == 2
        assert "would replace" in complaint(capsys)

    def test_what_was_found_is_told_though_the_proof_fails(self, recording, tmp_path, capsys):
        file = str(tmp_path / "board.json")
        asked = ["calibrate", str(recording), "-o", file, "--json", "--overlay", "nowhere/p.png"]
        assert cli.main(asked) == 2
        out, err = capsys.readouterr()
        assert [found["file"] for found in lines(out)] == [file]
        assert "nowhere/p.png cannot be written" in err

    def test_a_place_that_is_not_there_is_named_as_it_was_given(self, recording, capsys):
        assert cli.main(["calibrate", str(recording), "-o", "nowhere/board.json"]) == 2
        assert complaint(capsys).startswith("referee: nowhere/board.json cannot be used: no such")

    @pytest.mark.parametrize("verb", ["calibrate", "watch"])
    def test_a_start_that_is_empty_is_no_position(self, verb, recording, tmp_path, capsys):
        place = ["-o", "b.json"] if verb == "calibrate" else ["--games", "games"]
        words = [str(tmp_path / word) if word[0] != "-" else word for word in place]
        assert cli.main([verb, str(recording), *words, "--start", ""]) == 2
        assert "the side to move is W or B" in complaint(capsys)

    def test_a_source_without_a_board_says_why(self, black, tmp_path, capsys):
        file = tmp_path / "board.json"
        assert cli.main(["calibrate", str(black.parent), "-o", str(file), "--json"]) == 1
        out, err = capsys.readouterr()
        assert lines(out)[0]["found"] is False
        assert "too dark" in err
        assert not file.exists()

    def test_a_file_that_is_no_calibration_says_so(self, recording, black, capsys):
        assert cli.main(["watch", str(recording), "--calibration", str(black)]) == 2
        assert "referee calibrate" in complaint(capsys)

    def test_a_folder_is_no_calibration(self, recording, capsys):
        assert cli.main(["watch", str(recording), "--calibration", "."]) == 2
        assert "cannot read ." in complaint(capsys)


def names(out):
    return [event["event"] for event in lines(out)]


def failing(monkeypatch, times):
    """Have so many writings of a record fail."""
    write, full = scoresheet.write_whole, [True] * times

    def write_whole(path, text):
        if full:
            full.pop()
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        write(path, text)

    monkeypatch.setattr(scoresheet, "write_whole", write_whole)


class TestWatch:
    def test_a_game_is_followed_and_recorded(self, recording, tmp_path, capsys):
        pdn = tmp_path / "game.pdn"
        assert cli.main(["watch", str(recording), "--pdn", str(pdn), "--json"]) == 0
        out, err = capsys.readouterr()
        events = lines(out)
        assert names(out) == ["ready", "played", "played"]
        assert [event.get("move") for event in events] == [None, "11-15", "23-19"]
        times = [event["time_ms"] for event in events]
        assert times == sorted(times)
        assert "Moves     2" in err
        (record,) = parse_pdn(pdn.read_text())
        assert record.failure is None
        assert [str(move) for move in record.game.moves] == ["11-15", "23-19"]

    def test_its_record_and_its_export_have_the_same_tags(
        self, recording, tmp_path, monkeypatch, capsys
    ):
        monkeypatch.setattr(TimeSource, "label", lambda _: "2026-11-21T23:59:59Z")
        watched, games = tmp_path / "game.pdn", str(tmp_path / "games")
        cli.main(["watch", str(recording), "--pdn", str(watched), "--games", games])
        cli.main(["export", "last", "--games", games, "-o", str(tmp_path / "exported.pdn")])
        tags = [
            parse_pdn(path.read_text())[0].game.tags
            for path in (watched, tmp_path / "exported.pdn")
        ]
        assert tags[0] == tags[1]
        assert tags[0]["Date"] == "2026.11.21"
        assert tags[0]["Site"] == str(recording)

    def test_another_file_in_the_place_of_the_record_is_refused(self, recording, tmp_path, capsys):
        diary = tmp_path / "diary.txt"
        diary.write_text("Dear diary, nobody came to the club.\n")
        assert cli.main(["watch", str(recording), "--pdn", str(diary)]) == 2
        assert "give another file with --pdn" in complaint(capsys)
        assert "nobody came" in diary.read_text()

    def test_a_record_that_cannot_be_written_for_a_while_stops_no_game(
        self, recording, tmp_path, monkeypatch, capsys
    ):
        failing(monkeypatch, times=2)
        pdn = tmp_path / "game.pdn"
        assert cli.main(["watch", str(recording), "--pdn", str(pdn), "--json"]) == 0
        out, err = capsys.readouterr()
        assert names(out) == ["ready", "played", "played"]
        assert err.count("game.pdn cannot be used: no space left on device; the game goes on") == 1
        (record,) = parse_pdn(pdn.read_text())
        assert [str(move) for move in record.game.moves] == ["11-15", "23-19"]

    def test_one_that_cannot_be_written_to_the_end_is_in_the_journal(
        self, recording, tmp_path, monkeypatch, capsys
    ):
        pdn, games = tmp_path / "game.pdn", str(tmp_path / "games")
        with monkeypatch.context() as patch:
            failing(patch, times=100)
            asked = ["watch", str(recording), "--pdn", str(pdn), "--games", games, "--json"]
            assert cli.main(asked) == 1
        out, err = capsys.readouterr()
        assert names(out) == ["ready", "played", "played"]
        assert err.count("the game goes on") == 1
        assert err.endswith("; referee export writes it from the journal\n")
        assert not pdn.exists()
        assert cli.main(["export", "last", "--games", games, "-o", str(pdn)]) == 0
        (record,) = parse_pdn(pdn.read_text())
        assert [str(move) for move in record.game.moves] == ["11-15", "23-19"]

    def test_an_offence_that_stands_ends_with_1(self, offence, tmp_path, capsys):
        pdn = str(tmp_path / "game.pdn")
        assert cli.main(["watch", str(offence), "--pdn", pdn, "--json"]) == 1
        out, err = capsys.readouterr()
        assert names(out)[-2:] == ["irregular", "ruling"]
        assert lines(out)[-1]["rule"] == "WCDF 4.7"
        assert "wrong turn (Red)" in err

    def test_the_profile_decides_what_follows(self, offence, tmp_path, capsys):
        pdn = str(tmp_path / "game.pdn")
        cli.main(["watch", str(offence), "--pdn", pdn, "--json", "--rules", "lessons"])
        assert lines(capsys.readouterr().out)[-1]["verdict"] == "notice"

    def test_rules_without_clocks_are_told_of_none(self, scripts, tmp_path, capsys):
        source, pdn = f"fake:{scripts / 'lawful.script'}", str(tmp_path / "game.pdn")
        arguments = ["--json", "--rules", "plain", "--clock", "off"]
        assert cli.main(["watch", source, "--pdn", pdn, *arguments]) == 0
        assert names(capsys.readouterr().out) == ["ready", "played", "played"]

    def test_what_is_set_of_the_event_is_said_at_once(self, recording, tmp_path, capsys):
        pdn, file = tmp_path / "game.pdn", tmp_path / "x.toml"
        file.write_text("[games]\nevent = 'The  \"Club\"'\nround = '2'\n")
        options = ["--config", str(file), "--site", "Vienna", "--round", "3", "--json"]
        assert cli.main(["watch", str(recording), "--pdn", str(pdn), *options]) == 0
        out, err = capsys.readouterr()
        assert names(out) == ["headed"] * 3 + ["ready", "played", "played"]
        assert not any(line["aloud"] for line in lines(out)[:3])
        assert "The site is Vienna" in err
        (record,) = parse_pdn(pdn.read_text())
        said = {"Event": 'The "Club"', "Site": "Vienna", "Round": "3"}
        assert said.items() <= record.game.tags.items()

    def test_a_game_that_never_begins_ends_with_1(self, black, tmp_path, monkeypatch, capsys):
        monkeypatch.chdir(tmp_path)
        assert cli.main(["watch", str(black.parent), "--json"]) == 1
        out, err = capsys.readouterr()
        assert names(out) == ["not_watching"]
        assert "no game was seen" in err
        assert "no game began. I cannot see the board: the picture is too dark to see a" in err
        assert list(tmp_path.iterdir()) == []

    def test_a_single_picture_shows_no_game(self, photograph, capsys):
        assert cli.main(["watch", str(photograph)]) == 2
        told = complaint(capsys)
        assert told.startswith(f"referee: {photograph} is a single picture")
        assert told.endswith("or read it with referee look\n")

    def test_the_end_says_what_was_missing_in_the_first_position(
        self, recording, tmp_path, monkeypatch, capsys
    ):
        monkeypatch.chdir(tmp_path)
        men = "W:W21,22,23,24,25,26,27,28,29,30:B1,2,3,4,5,6,7,8,9,10,11,12"
        headers, _, _ = STAGE.partition("wait")
        Path("lacking.script").write_text(f"{headers}start {men}\nwait 5\n")
        video = film("lacking.script", tmp_path / "lacking.avi")
        cli.main(["calibrate", str(recording), "-o", "board.json"])
        assert cli.main(["watch", str(video), "--calibration", "board.json", "--json"]) == 1
        out, err = capsys.readouterr()
        assert names(out)[-1] == "waiting"
        assert "no game began. The first position is not set up yet: look at squares 31" in err

    def test_what_was_in_the_way_before_the_board_was_found_is_not_told_at_the_end(
        self, black, photograph, tmp_path, monkeypatch, capsys
    ):
        monkeypatch.chdir(tmp_path)
        dark, board = (cv2.imread(str(path)) for path in (black, photograph))
        video = filmed([dark, dark, board], tmp_path / "short.avi")
        assert cli.main(["watch", str(video), "--json"]) == 1
        out, err = capsys.readouterr()
        assert names(out) == ["not_watching"]
        assert "no game began. The first position has not stood there for long enough. Set" in err

    def test_where_nothing_was_seen_nothing_is_summed_up(self, tmp_path, monkeypatch, capsys):
        monkeypatch.chdir(tmp_path)
        Path("board.jpg").write_text("a drawing of a board")
        assert cli.main(["watch", "board.jpg"]) == 2
        assert "board.jpg" in complaint(capsys)

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            pytest.param(["nowhere.mp4"], r"there is no nowhere.mp4", id="no-source"),
            pytest.param(["fake:nobody"], r"no script 'nobody'", id="no-script"),
            pytest.param(["fake:demo", "--start", "W:B"], r"list", id="no-position"),
            pytest.param(["fake:demo", "--pdn", "no/where.pdn"], r"--pdn", id="no-place"),
            pytest.param(["fake:demo", "--calibration", "no.json"], r"no.json", id="no-file"),
            pytest.param(["fake:demo", "--clock", "soon"], r"30/60", id="no-clock"),
            pytest.param(["fake:demo", "--say", "nobody"], r"no program", id="no-voice"),
        ],
    )
    def test_bad_input_gets_one_sentence(self, arguments, said, capsys):
        assert cli.main(["watch", *arguments]) == 2
        assert said in complaint(capsys)

    @pytest.mark.parametrize("kind", ["closed", "full"])
    def test_a_log_that_takes_no_more_ends_no_game(self, kind, recording, tmp_path):
        pdn = tmp_path / "game.pdn"
        command = [sys.executable, "-m", "referee", "watch", str(recording), "--pdn", str(pdn)]
        reader, log = os.pipe()
        os.close(reader)
        with open(log, "w") if kind == "closed" else Path("/dev/full").open("w") as err:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stderr=err, cwd=PROJECT, timeout=120
            )
        assert done.returncode == 0
        (record,) = parse_pdn(pdn.read_text())
        assert [str(move) for move in record.game.moves] == ["11-15", "23-19"]

    def test_events_that_cannot_be_written_end_no_game(self, recording, tmp_path):
        pdn = tmp_path / "game.pdn"
        command = [sys.executable, "-m", "referee", "watch", str(recording), "--json"]
        with Path("/dev/full").open("w") as out:
            done = subprocess.run(
                [*command, "--pdn", str(pdn)], stdin=subprocess.DEVNULL, stdout=out,
                stderr=subprocess.PIPE, cwd=PROJECT, text=True, timeout=120,
            )  # fmt: skip
        assert done.returncode == 0
        assert done.stderr.count("no space left on device; the game goes on") == 1
        (record,) = parse_pdn(pdn.read_text())
        assert [str(move) for move in record.game.moves] == ["11-15", "23-19"]

    def test_a_film_is_not_read_for_commands_where_nothing_can_be_typed(self, recording, tmp_path):
        command = f"{sys.executable} -m referee watch {recording} --json <&-"
        done = subprocess.run(
            [*("bash", "-c", f"{command} --pdn {tmp_path / 'game.pdn'}")],
            capture_output=True, cwd=PROJECT, text=True, timeout=120,
        )  # fmt: skip
        assert (done.returncode, names(done.stdout)) == (0, ["ready", "played", "played"])
        assert "there is no command" not in done.stderr

    def test_impatience_does_not_cost_the_record(self, scripts, tmp_path):
        pdn = tmp_path / "game.pdn"
        source = f"fake:{scripts / 'long.script'}"
        command = [sys.executable, "-m", "referee", "watch", source, "--pdn", str(pdn), "--json"]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=PROJECT, text=True
        ) as process:
            while json.loads(process.stdout.readline())["event"] != "played":
                pass
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        assert process.returncode == cli.SIGNALLED + signal.SIGINT
        assert "Traceback" not in err
        (record,) = parse_pdn(pdn.read_text())
        assert [str(move) for move in record.game.moves] == ["11-15"]


def test_people_speak_and_are_spoken_to_while_it_watches(recording, tmp_path):
    """Commands come in on the standard input; what is said aloud goes to a program."""
    pdn, heard = tmp_path / "game.pdn", tmp_path / "heard"
    program = tmp_path / "speak.py"
    program.write_text(f"import sys\nopen({str(heard)!r}, 'a').write(sys.argv[1] + '\\n')\n")
    command = [sys.executable, "-m", "referee", "watch", str(recording), "--pdn", str(pdn)]
    options = ["--json", "--rules", "lessons", "--language", "de", "--clock", "30/60"]
    said = subprocess.run(
        [*command, *options, "--say", f"{sys.executable} {program}"],
        input="seats Anna, Ben\ndance\n",
        capture_output=True,
        cwd=PROJECT,
        text=True,
        timeout=120,
    )
    assert said.returncode == 0
    assert names(said.stdout) == ["clock_set", "seated", "ready", "played", "played"]
    assert lines(said.stdout)[1]["said"] == "Anna hat Rot, Ben hat Weiß"
    assert "den Befehl dance gibt es nicht; help zeigt alle" in said.stderr
    (record,) = parse_pdn(pdn.read_text())
    assert record.game.tags["White"] == "Ben"
    assert "\n" in heard.read_text()


class TestRules:
    def test_each_profile_has_a_table(self, capsys):
        for name, profile in PROFILES.items():
            assert cli.main(["rules", name]) == 0
            assert profile.title.split(":")[0] in capsys.readouterr().out

    def test_programs_get_an_offence_a_line(self, capsys):
        assert cli.main(["rules", "wcdf", "--json"]) == 0
        rows = lines(capsys.readouterr().out)
        by_name = {line["offence"]: line for line in rows if "offence" in line}
        assert by_name["capture_missed"]["verdicts"] == ["warning", "forfeit"]
        assert by_name["touched_other"]["proposed"] is True
        assert {"matter": "resignation", "rule": "WCDF 6.1", "setting": "lost"}.items() <= next(
            line.items() for line in rows if line.get("matter") == "resignation"
        )

    @pytest.mark.parametrize(
        ("name", "told"),
        [
            ("us", "Black begins, White replies"),
            ("guide", "Black begins, Red replies"),
            ("wcdf", "Red begins, White replies"),
        ],
    )
    def test_the_sides_have_the_names_of_the_document(self, name, told, capsys):
        cli.main(["rules", name])
        assert told in capsys.readouterr().out

    def test_what_is_written_elsewhere_or_nowhere_is_told(self, capsys):
        cli.main(["rules", "online25", "--json"])
        rows = lines(capsys.readouterr().out)
        told = {row["offence"]: row for row in rows if "offence" in row}
        assert (
            told["wrong_turn"] | {"rule": "", "of_beginning": "online board"}
            == (told["wrong_turn"])
        )
        assert told["illegal_step"]["of_crowning"] == ""
        assert told["illegal_step"]["of_kings"] == "online king"
        cli.main(["rules", "guide"])
        shown = capsys.readouterr().out
        assert "–, of beginning" in shown
        page = (PROJECT / "referee" / "COMMANDS.md").read_text(encoding="utf-8")
        assert set(re.findall(r"`(of_\w+)`", page)) == {case.value for case in Case}

    @pytest.mark.parametrize(
        ("name", "within"),
        [("wcdf", ["within 60 seconds"]), ("club", ["within 60 seconds"]), ("us", [])],
    )
    def test_how_long_the_board_may_lie_wrong_is_told(self, name, within, capsys):
        cli.main(["rules", name, "--json"])
        rows = lines(capsys.readouterr().out)
        matter = "putting the board right"
        assert [row["setting"] for row in rows if row.get("matter") == matter] == within

    @pytest.mark.parametrize("name", ["club", "lessons"])
    def test_nobody_claims_a_forfeit_where_nobody_forfeits(self, name, capsys):
        cli.main(["rules", name])
        told = capsys.readouterr().out
        assert "resignation" in told
        assert "6.3" not in told

    def test_the_table_has_all_that_a_profile_holds(self, capsys):
        for name, profile in PROFILES.items():
            cli.main(["rules", name])
            shown = capsys.readouterr().out.replace("\n", " ")
            held = [profile.repetition, profile.no_progress, profile.count]
            rules = [part.rule for part in held if part]
            rules += [offence.rule for offence in profile.conduct.values()]
            if time := profile.time:
                rules += [time.per_move, time.period, time.exceeded, time.grace, time.single]
            assert [rule for rule in rules if rule not in shown] == []

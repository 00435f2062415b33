"""The command line as a stranger uses it: what it prints where, and with which status it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from referee import cli

PROJECT = Path(__file__).parents[1]
GAME = """[Event "Club"]
[Black "Anderson"]
[White "Wyllie"]

1. 11-15 23-19 2. 8-11 22-17 *
"""


def referee(*arguments, **options):
    """Run it as a program of its own."""
    return subprocess.run(
        [sys.executable, "-m", "referee", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=PROJECT,
        timeout=60,
        **options,
    )


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
        assert cli.VERBS[verb].capitalize() in " ".join(capsys.readouterr().out.split())

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

    def test_it_says_where_a_game_stops_being_lawful(self, pdn, capsys):
        assert cli.main(["check", "--json", pdn(GAME.replace("22-17", "19-15"))]) == 1
        (game,) = lines(capsys.readouterr().out)
        failure = game["failure"]
        assert (game["lawful"], game["moves"]) == (False, 3)
        assert (failure["move"], failure["side"], failure["line"]) == (2, "white", 5)
        assert failure["token"] == "19-15"
        assert "22-17" in failure["lawful_moves"]

    def test_people_read_it_on_the_standard_error(self, pdn, capsys):
        assert cli.main(["check", pdn(GAME), pdn(GAME.replace("8-11", "8-12"), "bad.pdn")]) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert "Anderson – Wyllie" in err
        assert "move 2 of Red: 8-12 is not lawful" in err

    def test_the_other_files_are_checked_when_one_is_missing(self, pdn, capsys):
        assert cli.main(["check", "--json", "nowhere.pdn", pdn(GAME)]) == 2
        out, err = capsys.readouterr()
        assert err == "referee: nowhere.pdn cannot be used: no such file or directory\n"
        assert len(lines(out)) == 1

    @pytest.mark.parametrize(
        "content",
        [
            pytest.param(b"", id="empty"),
            pytest.param(b"Dear diary, nobody came to the club.\n", id="prose"),
            pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00\x00", id="picture"),
        ],
    )
    def test_what_holds_no_game_says_so(self, content, tmp_path, capsys):
        path = tmp_path / "game.pdn"
        path.write_bytes(content)
        assert cli.main(["check", str(path)]) == 2
        assert "holds no game" in complaint(capsys)

    def test_a_folder_is_no_game(self, tmp_path, capsys):
        assert cli.main(["check", str(tmp_path)]) == 2
        assert "is a directory" in complaint(capsys)

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
    def test_a_file_without_rights_says_so(self, pdn, capsys):
        path = pdn(GAME)
        os.chmod(path, 0)
        assert cli.main(["check", path]) == 2
        assert "permission denied" in complaint(capsys)


def test_a_reader_that_leaves_early_is_no_accident(tmp_path):
    path = tmp_path / "games.pdn"
    path.write_text((GAME + "\n") * 3000)
    command = [sys.executable, "-m", "referee", "check", "--json", str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=PROJECT, text=True
    ) as process:
        assert json.loads(process.stdout.readline())["game"] == 1
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=60) == cli.SIGNALLED + signal.SIGPIPE

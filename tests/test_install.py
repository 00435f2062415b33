"""The two commands of the README: what sets the environment up, and when it is set up anew."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from referee import cli
from referee.events import Event
from referee.journal.condition import Recording

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (PROJECT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, flags=re.MULTILINE))


def code(text):
    return set(re.findall(r"`([^`]+)`", text))


def commands_of(text):
    return set(re.findall(r"(?:^|`)make ([a-z-]+)", text, flags=re.MULTILINE))


class TestWords:
    def test_the_readme_names_only_commands_that_exist(self):
        assert {"demo", "test", "check", "bench"} <= commands_of(README) <= TARGETS

    def test_what_is_run_before_a_change_is_taken_in_stands_in_the_readme(self):
        steps = (PROJECT / ".ci" / "run").read_text(encoding="utf-8")
        assert "test" in commands_of(steps)
        assert commands_of(steps) <= commands_of(README)

    def test_every_verb_stands_in_the_readme(self):
        assert set(re.findall(r"^### `referee (\w+)", README, flags=re.MULTILINE)) == set(cli.VERBS)

    def test_every_option_stands_in_the_readme(self, capsys):
        for verb in cli.VERBS:
            with pytest.raises(SystemExit):
                cli.main([verb, "-h"])
            options = set(re.findall(r"--[a-z]+", capsys.readouterr().out)) - {"--help"}
            (heading,) = re.findall(rf"^### `referee {verb}.*$", README, flags=re.MULTILINE)
            assert set(re.findall(r"--[a-z]+", heading)) == options

    def test_what_excludes_each_other_stands_so_in_the_readme(self, capsys):
        alternatives = r"\[[^][]* \| [^][]*\]"
        for verb in cli.VERBS:
            with pytest.raises(SystemExit):
                cli.main([verb, "-h"])
            usage = " ".join(capsys.readouterr().out.split())
            (heading,) = re.findall(rf"^### `referee {verb}.*$", README, flags=re.MULTILINE)
            assert re.findall(alternatives, heading) == re.findall(alternatives, usage)

    def test_every_event_stands_in_the_readme_with_its_keys(self):
        table = README.split("| event | its keys |")[1].split("\n\n")[0]
        rows = re.findall(r"^\| (`.*`) \| (.*) \|$", table, flags=re.MULTILINE)
        keys = {name: code(told) for names, told in rows for name in code(names)}
        assert Recording in Event.__subclasses__()
        for kind in Event.__subclasses__():
            own = {field.name for field in dataclasses.fields(kind)} - {"time_ms"}
            assert own == keys[kind.name] - {"confirm 36"}, kind.name

    def test_links_and_pictures_lead_somewhere(self):
        targets = re.findall(r"\]\((?!http)([^)#]+)\)", README)
        assert [target for target in targets if not (PROJECT / target).exists()] == []

    def test_nothing_but_these_is_needed_to_run(self):
        project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        names = {re.match(r"[\w-]+", wanted).group() for wanted in project["dependencies"]}
        assert names == {"numpy", "opencv-python", "rich"}


class TestEnvironment:
    """`make --dry-run` against an environment of our own making."""

    @pytest.fixture
    def venv(self, tmp_path):
        """One that looks complete."""
        folder = tmp_path / "venv"
        (folder / "bin").mkdir(parents=True)
        python(folder, "echo sound")
        for stamp in (".ready", ".ready-dev"):
            (folder / stamp).touch()
        return folder

    def steps(self, venv, target="test"):
        command = ["make", "--dry-run", "--no-print-directory", f"VENV={venv}", target]
        environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
        done = subprocess.run(
            command, cwd=PROJECT, capture_output=True, text=True, check=True, env=environment
        )
        return done.stdout

    def test_a_sound_one_is_used_as_it_is(self, venv):
        assert self.steps(venv) == f"{venv}/bin/python -m pytest -n auto\n"

    def test_a_changed_project_makes_it_anew(self, venv):
        os.utime(venv / ".ready", (0, 0))
        assert "-m venv --clear" in self.steps(venv)

    def test_a_half_made_one_is_made_anew(self, venv):
        (venv / ".ready").unlink()
        assert "-m venv --clear" in self.steps(venv)

    @pytest.mark.parametrize("fault", ["exit 1", "echo unsound"])
    def test_a_broken_one_is_made_anew(self, venv, fault):
        python(venv, fault)
        assert "-m venv --clear" in self.steps(venv)
        assert not (venv / ".ready").exists()

    def test_a_missing_one_is_made(self, tmp_path):
        assert "-m venv --clear" in self.steps(tmp_path / "venv")

    def test_the_demo_needs_no_tools_of_developers(self, venv):
        (venv / ".ready-dev").unlink()
        assert "pip" not in self.steps(venv, "demo")
        assert "pip" in self.steps(venv, "test")


def python(venv, script):
    """Put a stand-in for Python into an environment."""
    program = venv / "bin" / "python"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)

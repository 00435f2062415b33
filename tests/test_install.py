"""What the pages tell, and what sets the environment up, and when it is set up anew."""

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
PAGES = (
    "README.md",
    "referee/COMMANDS.md",
    "tests/benchmarks/README.md",
    "tests/benchmarks/FILMS_BY_OTHERS.md",
    "tests/torture/README.md",
)


def read(page):
    return (PROJECT / page).read_text(encoding="utf-8")


README, COMMANDS = read("README.md"), read("referee/COMMANDS.md")
MAKEFILE = (PROJECT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, flags=re.MULTILINE))


def code(text):
    return set(re.findall(r"`([^`]+)`", text))


def commands_of(text):
    return set(re.findall(r"(?:^|`)make ([a-z-]+)", text, flags=re.MULTILINE))


def prose(text):
    """A page without its blocks of code, in which # is no heading."""
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def links_of(text):
    """Targets of links and pictures, those of the web apart."""
    return re.findall(r"\]\((?!https?:)([^)\s]+)\)", prose(text))


def anchors_of(text):
    """What a link may name behind #: headings, as GitHub names them, and places named by hand."""
    anchors = set(re.findall(r'<a id="([^"]+)">', text))
    for heading in re.findall(r"^#+ (.*)$", prose(text), flags=re.MULTILINE):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w -]", "", plain).replace(" ", "-")
        taken = sum(
            re.fullmatch(rf"{re.escape(name)}(-\d+)?", known) is not None for known in anchors
        )
        anchors.add(f"{name}-{taken}" if taken else name)
    return anchors


def is_there(page, target):
    """Whether a link of a page leads to a file, and to a place in it."""
    name, _, anchor = target.partition("#")
    path = PROJECT / page if not name else (PROJECT / page).parent / name
    return path.exists() and (not anchor or anchor in anchors_of(path.read_text(encoding="utf-8")))


class TestWords:
    def test_the_readme_names_only_commands_that_exist(self):
        assert {"demo", "test", "check", "bench"} <= commands_of(README) <= TARGETS

    @pytest.mark.parametrize("page", PAGES)
    def test_pages_name_only_commands_that_exist(self, page):
        assert commands_of(read(page)) <= TARGETS

    def test_what_is_run_before_a_change_is_taken_in_stands_in_the_readme(self):
        steps = (PROJECT / ".ci" / "run").read_text(encoding="utf-8")
        assert "test" in commands_of(steps)
        assert commands_of(steps) <= commands_of(README)

    def test_every_verb_stands_in_the_reference(self):
        told = re.findall(r"^### `referee (\w+)", COMMANDS, flags=re.MULTILINE)
        assert sorted(told) == sorted(cli.VERBS)

    def test_every_verb_stands_in_the_readme_and_leads_to_the_reference(self):
        rows = re.findall(
            r"^\| \[`referee (\w+)`\]\(referee/COMMANDS\.md#(\w+)\)", README, flags=re.MULTILINE
        )
        assert sorted(rows) == sorted((verb, verb) for verb in cli.VERBS)

    def test_every_verb_has_an_anchor_before_its_heading(self):
        places = re.findall(
            r'^<a id="(\w+)"></a>\n\n### `referee (\w+)', COMMANDS, flags=re.MULTILINE
        )
        assert sorted(places) == sorted((verb, verb) for verb in cli.VERBS)

    def test_every_option_stands_in_the_reference(self, capsys):
        for verb in cli.VERBS:
            with pytest.raises(SystemExit):
                cli.main([verb, "-h"])
            options = set(re.findall(r"--[a-z]+", capsys.readouterr().out)) - {"--help"}
            (heading,) = re.findall(rf"^### `referee {verb}.*$", COMMANDS, flags=re.MULTILINE)
            assert set(re.findall(r"--[a-z]+", heading)) == options

    def test_what_excludes_each_other_stands_so_in_the_reference(self, capsys):
        alternatives = r"\[[^][]* \| [^][]*\]"
        for verb in cli.VERBS:
            with pytest.raises(SystemExit):
                cli.main([verb, "-h"])
            usage = " ".join(capsys.readouterr().out.split())
            (heading,) = re.findall(rf"^### `referee {verb}.*$", COMMANDS, flags=re.MULTILINE)
            assert re.findall(alternatives, heading) == re.findall(alternatives, usage)

    def test_every_event_stands_in_the_reference_with_its_keys(self):
        table = COMMANDS.split("| event | its keys |")[1].split("\n\n")[0]
        rows = re.findall(r"^\| (`.*`) \| (.*) \|$", table, flags=re.MULTILINE)
        keys = {name: code(told) for names, told in rows for name in code(names)}
        assert Recording in Event.__subclasses__()
        for kind in Event.__subclasses__():
            own = {field.name for field in dataclasses.fields(kind)} - {"time_ms"}
            assert own == keys[kind.name] - {"confirm 36"}, kind.name

    @pytest.mark.parametrize("page", PAGES)
    def test_links_and_pictures_lead_somewhere(self, page):
        targets = links_of(read(page))
        assert targets
        assert [target for target in targets if not is_there(page, target)] == []

    def test_a_link_that_leads_nowhere_is_seen(self):
        assert is_there("README.md", "hardware/README.md#panel")
        assert is_there("hardware/README.md", "#panel")
        assert is_there("README.md", "#the-rules")
        assert not is_there("README.md", "hardware/README.md#no-such-place")
        assert not is_there("README.md", "#no-such-place")
        assert not is_there("README.md", "no-such-page.md")

    def test_headings_are_named_as_on_github(self):
        text = "# A `b --c [--d]`\n## Twice\n```sh\n# no heading\n```\n## Twice\n"
        text += '<a id="by-hand"></a>\n'
        assert anchors_of(text) == {"a-b---c---d", "twice", "twice-1", "by-hand"}

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

    def test_what_looks_at_pictures_is_run_with_the_oldest_libraries_where_it_is_short(self, venv):
        run = set(re.findall(r"tests/test_(\w+\.py)", self.steps(venv, "test-old")))
        (named,) = re.findall(r"^LONG := .*?test_, (.*?)\)$", MAKEFILE, re.MULTILINE | re.DOTALL)
        long = set(re.findall(r"\w+\.py", named))
        assert {"demo.py", "eye.py", "render.py", "fake.py"} <= run
        assert not run & (long | {"rules.py"})
        assert all((PROJECT / "tests" / f"test_{name}").exists() for name in long)

    def test_the_demo_needs_no_tools_of_developers(self, venv):
        (venv / ".ready-dev").unlink()
        assert "pip" not in self.steps(venv, "demo")
        assert "pip" in self.steps(venv, "test")


def python(venv, script):
    """Put a stand-in for Python into an environment."""
    program = venv / "bin" / "python"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)

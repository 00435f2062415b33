"""Who may import whom, stated as rules and checked on every module of the program.

The core of `referee` needs no camera, clock, file or array library. `calibration` and `hardware`
know neither each other nor the game. The game and its edges are on top.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("referee", "calibration", "hardware", "sample_images")
PROGRAM = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))

CORE = {
    f"referee.{name}"
    for name in (
        *("board", "rules", "notation", "errors", "observation", "events", "tracker"),
        *("sight", "looking", "deeds", "tracking", "hypotheses", "explanation", "commands"),
        *("weights", "prices", "order", "disorder"),
        *("clock", "arbiter", "ruling", "game", "playing", "profiles", "announcements", "colours"),
        *("language", "english", "german", "history", "next_game", "beginners"),
    )
}
PURE = {
    *("__future__", "bisect", "collections", "copy", "dataclasses", "enum", "fractions"),
    *("functools", "heapq", "itertools", "math", "operator", "re", "string", "textwrap"),
    *("types", "typing"),
}
"""What the core may take from the standard library: nothing that reads, writes, waits or rolls
dice."""
OPTIONAL = {"picamera2", "gpiozero"}
"""Not on every machine: `hardware` imports them late, and nobody else does."""
TRAINING = {"referee.eye.training"}
"""What is never run beside a board, and draws what it learns from."""
OUTSIDE = {"open", "input", "print", "exec", "eval", "__import__"}
"""Built-in functions that reach out of the program."""


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(tree: ast.AST) -> Iterator[str]:
    """Dotted names, `from a import b` as `a.b`; a relative import begins with a dot."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (f"{node.module}." if node.module else "")
            yield from (base + alias.name for alias in node.names)


def within(name: str, modules: set[str]) -> bool:
    return any(name == module or name.startswith(module + ".") for module in modules)


def offences(module: str, source: str) -> list[str]:
    """What a module imports or calls against the rules."""
    tree = ast.parse(source)
    names = list(imported(tree))
    found = [name for name in names if not may_import(module, name)]
    found += [name for name in module_level(tree) if within(name, late_for(module))]
    if within(module, CORE):
        found += called(tree) & OUTSIDE
    return found


def may_import(module: str, name: str) -> bool:
    room = module.split(".")[0]
    if within(name, {"tests"}) or name.startswith("."):
        return False
    if within(module, CORE):
        return within(name, CORE | PURE)
    if room in ("calibration", "hardware"):
        return not within(name, set(ROOMS) - {room})
    if room == "sample_images":
        return not within(name, {"hardware"}) and (
            not within(name, {"referee", "calibration"})
            or within(name, CORE | {"calibration.model"})
        )
    return not within(name, OPTIONAL)


def late_for(module: str) -> set[str]:
    """What a module may import within its functions at most."""
    draws = not within(module, {"referee"}) or within(module, TRAINING)
    return OPTIONAL if draws else OPTIONAL | {"sample_images"}


def module_level(tree: ast.Module) -> list[str]:
    """What is imported as soon as the module is."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, functions)
        for node in ast.walk(function)
    }
    outer = [node for node in ast.walk(tree) if id(node) not in inside]
    return [
        name
        for node in outer
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in imported(node)
    ]


def called(tree: ast.AST) -> set[str]:
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return {function.id for function in calls if isinstance(function, ast.Name)}


@pytest.mark.parametrize("path", PROGRAM, ids=module_name)
def test_modules_keep_the_import_rule(path: Path) -> None:
    assert offences(module_name(path), path.read_text(encoding="utf-8")) == []


def test_the_core_is_what_the_page_says() -> None:
    page = (ROOT / "referee" / "README.md").read_text(encoding="utf-8")
    (row,) = re.findall(r"^\| core \| (.*?) \|", page, flags=re.MULTILINE)
    named = {f"referee.{name.rstrip('/')}" for name in re.findall(r"`([^`]+)`", row)}
    assert named == CORE


@pytest.mark.parametrize(
    "room",
    ["referee/eye", "referee/journal", "referee/playing", "referee/ruling", "referee/tracking"],
)
def test_every_module_of_a_room_stands_on_the_page(room: str) -> None:
    page = (ROOT / "referee" / "README.md").read_text(encoding="utf-8")
    modules = {path.stem for path in (ROOT / room).glob("*.py")} - {"__init__"}
    assert {name for name in modules if f"`{name}`" not in page} == set()


@pytest.mark.parametrize("room", ["playing", "ruling", "tracking"])
def test_each_module_of_a_room_imports_only_those_that_the_page_has_before_it(room: str) -> None:
    page = (ROOT / "referee" / "README.md").read_text(encoding="utf-8")
    (paragraph,) = (part for part in page.split("\n\n") if f"rooms of `{room}/`" in part)
    paths = [ROOT / "referee" / room / f"{name}.py" for name in re.findall(r"`(\w+)`", paragraph)]
    paths = [path for path in paths if path.exists()]
    for place, path in enumerate(paths):
        later = {module_name(other) for other in paths[place:]}
        names = imported(ast.parse(path.read_text(encoding="utf-8")))
        assert [name for name in names if within(name, later)] == [], path


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_looked_at(room: str) -> None:
    assert any(within(module_name(path), {room}) for path in PROGRAM)


@pytest.mark.parametrize(
    ("module", "source", "offence"),
    [
        pytest.param("referee.rules", "import time", "time", id="core-and-clock"),
        pytest.param("referee.rules", "import os.path", "os.path", id="core-and-files"),
        pytest.param("referee.tracker.costs", "import numpy as np", "numpy", id="core-and-numpy"),
        pytest.param(
            "referee.game",
            "from pathlib import Path",
            "pathlib.Path",
            id="core-and-paths",
        ),
        pytest.param(
            "referee.game",
            "def f():\n    from referee import eye",
            "referee.eye",
            id="core-and-edge-even-late",
        ),
        pytest.param("referee.game", "print('x')", "print", id="core-prints"),
        pytest.param("referee.game", "from . import rules", ".rules", id="relative"),
        pytest.param(
            "hardware.cameras.usb", "import calibration", "calibration", id="hardware-looks-up"
        ),
        pytest.param(
            "calibration.locate",
            "from referee.board import Side",
            "referee.board.Side",
            id="calibration-knows-the-game",
        ),
        pytest.param(
            "sample_images.scene",
            "from calibration.locate import x",
            "calibration.locate.x",
            id="sample-images-search",
        ),
        pytest.param(
            "referee.cli", "import sample_images.scene", "sample_images.scene", id="drawings-early"
        ),
        pytest.param("referee.cli", "import tests.strategies", "tests.strategies", id="tests"),
        pytest.param(
            "hardware.cameras.pi", "import picamera2", "picamera2", id="picamera2-at-module-level"
        ),
        pytest.param("hardware.controls.gpio", "import gpiozero", "gpiozero", id="gpiozero-early"),
        pytest.param(
            "referee.cli",
            "def f():\n    import picamera2",
            "picamera2",
            id="picamera2-outside-hardware",
        ),
    ],
)
def test_the_rule_finds(module: str, source: str, offence: str) -> None:
    assert offences(module, source) == [offence]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        pytest.param("referee.rules", "from referee import board\nimport re", id="core"),
        pytest.param("referee.cli", "import os, cv2, calibration, hardware", id="edge"),
        pytest.param(
            "hardware.cameras.pi", "def f():\n    from picamera2 import Picamera2", id="late"
        ),
        pytest.param(
            "referee.verbs.sources",
            "def f():\n    from sample_images import play",
            id="drawings-late",
        ),
        pytest.param("referee.eye.training.examples", "import sample_images.draw", id="training"),
        pytest.param(
            "sample_images.scene",
            "from calibration.model import View\nfrom referee.board import Side",
            id="sample-images",
        ),
    ],
)
def test_the_rule_allows(module: str, source: str) -> None:
    assert offences(module, source) == []

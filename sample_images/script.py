"""The language of scripts: what happens in a game or an incident, one deed a line.

    # a comment
    set official              headers: what stands there and who looks on
    camera pi3 36 4           kind, tilt and azimuth in degrees
    seed 12
    wait 2                    then deeds, in order
    11-15                     a lawful move of the side to move
    refuse 24-20              an offence
    restore                   ... put right

`HEADERS` and `VERBS` list every word with what must follow it. Moves are checked against the
rules when the script is played (see `sample_images.play`), not here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.board import SQUARES, Side
from referee.errors import RefereeError
from referee.notation import parse_fen
from referee.rules import Position
from sample_images.variety import FAMILIES, LIGHTS, OPTICS


class ScriptError(ValueError):
    """A script that cannot be used; `problems` holds every reason with its line."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True)
class Step:
    """One line of a script."""

    line: int
    """From 1."""
    verb: str
    words: tuple[Any, ...]
    """As `VERBS` says: sides, squares, numbers, and moves as their squares."""


@dataclass(frozen=True)
class Script:
    """A whole script."""

    name: str
    steps: tuple[Step, ...]
    family: str = "official"
    optics: str = "pi3"
    tilt: float = 36.0
    azimuth: float = 4.0
    """In degrees; 0 looks from White's side."""
    size: tuple[int, int] = (1280, 720)
    light: str = "two lamps"
    rate: int = 10
    """Frames a second."""
    pace: float = 1.0
    """How brisk the players are; 2 is twice as fast."""
    seed: int = 1
    start: Position = field(default_factory=Position.start)
    table: str = "wood"
    electrons: float = 8000.0
    """Of the sensor at full scale: the more, the less noise."""
    kept_aside: bool = False
    measures: tuple[float, float] | None = None
    """A disc's radius and thickness in squares; None draws them from the seed."""
    sleeves: tuple[str, str] | None = None
    """Of Red and White, see `CLOTHS`; None draws them from the seed."""
    flicker: float = 0.0
    """The share by which the lamps' light goes up and down with the mains."""
    things: bool = False
    """Clock, cup, score sheet and the like stand round the board."""


CLOTHS = {
    "red": (165, 30, 35),
    "white": (235, 233, 228),
    "green": (45, 110, 65),
    "navy": (45, 55, 95),
    "black": (30, 30, 34),
    "grey": (140, 140, 145),
    "buff": (225, 205, 160),
    "bare": (60, 70, 110),
}
"""Sleeves by name; with `bare` they end above the elbow."""


def _move(word: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\d+([-x]\d+)+", word):
        raise ValueError(f"{word!r} is not a move such as 11-15 or 15x22x29")
    squares = tuple(map(int, re.split("[-x]", word)))
    return tuple(_square(str(square)) for square in squares)


def _square(word: str) -> int:
    if not word.isdecimal() or int(word) not in SQUARES:
        raise ValueError(f"{word!r} is not a square, 1 to 32")
    return int(word)


def _side(word: str) -> Side:
    try:
        return Side(word)
    except ValueError:
        raise ValueError(f"{word!r} is not a side, red or white") from None


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise ValueError(f"{word!r} is not a number") from None


def _whole(word: str) -> int:
    if not word.isdecimal():
        raise ValueError(f"{word!r} is not a whole number")
    return int(word)


def _one_of(*names: str) -> Callable[[str], str]:
    def read(word: str) -> str:
        if word not in names:
            raise ValueError(f"{word!r} is not one of {', '.join(names)}")
        return word

    return read


Reader = Callable[[str], Any]
"""Turns a word into its value; ValueError says what is wrong with it."""

HEADERS: dict[str, tuple[Reader, ...]] = {
    "set": (_one_of(*FAMILIES),),
    "camera": (_one_of(*OPTICS), _number, _number),
    "size": (_whole, _whole),
    "light": (_one_of(*(name.replace(" ", "-") for name in LIGHTS)),),
    "rate": (_whole,),
    "pace": (_number,),
    "seed": (_whole,),
    "start": (str,),
    "table": (_one_of("wood", "cloth", "plain"),),
    "electrons": (_number,),
    "measures": (_number, _number),
    "sleeves": (_one_of(*CLOTHS), _one_of(*CLOTHS)),  # Red's, White's
    "flicker": (_number,),
    "things": (),
    "kept-aside": (),
}
"""What may stand before the first deed, each at most once."""

VERBS: dict[str, tuple[Reader, ...]] = {
    # lawful play
    "wait": (_number,),  # seconds
    "play": (_move,),  # a line that is only a move means this
    "both": (_move, _move),  # two moves within a second
    "drag": (_move,),  # a step that is slid along the board
    "linger": (_move, _number),  # the hand stays on the piece, seconds
    "wrong-side": (_move,),  # the mover reaches over from the other side
    "meanwhile": (_move, _square),  # the opponent's hand is over this square at the same time
    "self-crowned": (_move,),  # a man arrives and its own player crowns it
    "take-back": (),  # the players agree to undo the last move
    # offences
    "refuse": (_move,),  # a plain move while a capture is open
    "stop": (_move,),  # a capture broken off
    "backward": (_move,),  # a man goes back
    "stray": (_move,),  # a distance that no piece has
    "out-of-turn": (_move,),
    "leave": (_move,),  # a capture whose jumped pieces stay
    "rob": (_move, _square),  # a move, and this piece taken that was not jumped
    "remove": (_side, _square),  # who takes which piece away
    "add": (_side, _square),  # who puts one of his men where
    "displace": (_side, _move),  # who moves any piece where
    "uncrowned": (_move, _move),  # a man arrives, and the reply comes without crowning it
    "unearned": (_square,),  # the other one crowns a man of the side to move
    "unstack": (_side, _square),  # who takes the upper disc off which king
    "off-square": (_square, _one_of("up", "down", "left", "right")),  # onto a light square
    "astride": (_square, _one_of("up", "down", "left", "right")),  # half onto one
    "upset": (_square, _whole),  # so many pieces round a square are knocked about
    # putting right
    "restore": (),
    "crown": (_square,),  # late
    # no offences
    "adjust": (_side, _square),  # with the words "I am adjusting"
    "adjust-two": (_side, _square, _square),  # both lifted at once
    "touch": (_side, _square),  # lifted and put back without a word
    "hover": (_side, _square),
    "stranger": (_square,),  # somebody reaches over the board from beside it
    "lean": (_side, _number),  # head and shoulders over the board, seconds
    "nudge": (_side, _square, _number, _number),  # by so many squares right and down
    # the camera and the light
    "bump": (_number, _number),  # the board moves in the picture by so many squares
    "cover": (_number,),  # a hand on the lens, seconds
    "dark": (_number,),  # the light goes out, seconds
    "lamps": (_number,),  # from now on so many times as bright
}
"""What can happen, and the words that each verb needs. Directions are White's view."""


def load(path: Path) -> Script:
    """Reads a script file; ScriptError lists all that is wrong with it."""
    try:
        return parse(path.read_text(encoding="utf-8"), path.stem)
    except ScriptError as error:
        raise ScriptError(*(f"{path.name}: {problem}" for problem in error.problems)) from None


def parse(text: str, name: str = "script") -> Script:
    """Reads a script; ScriptError lists all that is wrong with it, each with its line."""
    headers: dict[str, tuple[Any, ...]] = {}
    steps: list[Step] = []
    problems: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            _take(number, words, headers, steps)
        except (ValueError, RefereeError) as error:
            problems.append(f"line {number}: {error}")
    if not problems and not steps:
        problems.append("nothing happens: there is no deed in it")
    if problems:
        raise ScriptError(*problems)
    return _script(name, headers, tuple(steps))


def _take(
    line: int, words: list[str], headers: dict[str, tuple[Any, ...]], steps: list[Step]
) -> None:
    name = words[0]
    if name in HEADERS:
        if steps:
            raise ValueError(f"{name!r} must stand before the first deed")
        if name in headers:
            raise ValueError(f"{name!r} stands there twice")
        headers[name] = _read(name, HEADERS[name], words[1:])
        if name == "start":
            parse_fen(words[1])
    elif name in VERBS:
        steps.append(Step(line, name, _read(name, VERBS[name], words[1:])))
    elif name[0].isdigit():
        steps.append(Step(line, "play", _read("a move", (_move,), words)))
    else:
        raise ValueError(f"nobody knows what {name!r} means")


def _read(name: str, readers: tuple[Reader, ...], words: list[str]) -> tuple[Any, ...]:
    if len(words) != len(readers):
        raise ValueError(f"{name} needs {len(readers)} word(s), here are {len(words)}")
    return tuple(reader(word) for reader, word in zip(readers, words, strict=True))


def _script(name: str, headers: dict[str, tuple[Any, ...]], steps: tuple[Step, ...]) -> Script:
    def of(key: str, usual: Any) -> Any:
        return headers[key][0] if key in headers else usual

    optics, tilt, azimuth = headers.get("camera", ("pi3", 36.0, 4.0))
    width, height = headers.get("size", (1280, 720))
    fen = headers.get("start")
    return Script(
        name,
        steps,
        of("set", "official"),
        optics,
        tilt,
        azimuth,
        (width, height),
        of("light", "two-lamps").replace("-", " "),
        of("rate", 10),
        of("pace", 1.0),
        of("seed", 1),
        parse_fen(fen[0]) if fen else Position.start(),
        of("table", "wood"),
        of("electrons", 8000.0),
        "kept-aside" in headers,
        headers.get("measures"),
        headers.get("sleeves"),
        of("flicker", 0.0),
        "things" in headers,
    )

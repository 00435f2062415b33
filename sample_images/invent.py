"""Games and incidents made up from a seed, and the settings in which they are seen.

Players choose at random, with a liking for captures and kings, so that games come to an end. All
functions give the text of a script; the same arguments give the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from referee.board import SQUARES, Side, at, cell_of, is_king, side_of
from referee.notation import fen
from referee.rules import Move, Position, after, captures, lawful_moves, plain_moves, unfinished
from sample_images.script import CLOTHS, HEADERS
from sample_images.variety import FAMILIES, LIGHTS, OPTICS, choose

OFFENCE_CHANCE = 0.12
"""That a move of an invented game is preceded by an offence."""
OFFICIAL_CHANCE = 0.5
SETTLED = 5
"""An incident within so many plies is shown from the start of its game; else from just before."""
SIZES = ((640, 360), (640, 360), (800, 600), (960, 540), (960, 540), (1280, 720))
RATES = (3, 5, 8)
AZIMUTHS = (0, 0, 90, 180, 180, 270)
"""Where and how games are filmed anywhere."""
LONGEST = 200
"""Plies after which a game in search of an incident is given up."""


@dataclass(frozen=True)
class Manner:
    """How a film is taken and how briskly it is played in."""

    size: tuple[int, int] = (1280, 720)
    rate: int = 10
    """Frames a second."""
    pace: tuple[float, float] = (0.7, 1.2)
    """From and to."""


def invented_game(seed: int, manner: Manner = Manner(), plies: int = 100) -> str:
    """A game to its end, or to so many plies, with offences here and there."""
    rng = np.random.default_rng(seed)
    head = _setting(rng, seed, manner)
    return _text([f"# Invented from seed {seed}.", *head, "", "wait 2", *_game(rng, plies)])


def invented_anywhere(seed: int, plies: int) -> str:
    """The same as people may film it: with any camera, light and place at the table, a tilt that
    they were advised against, few pictures a second."""
    rng = np.random.default_rng([seed, 1])
    manner = Manner(choose(SIZES, rng), int(rng.choice(RATES)), (0.9, 1.6))
    azimuth = float(rng.choice(AZIMUTHS)) + float(rng.normal(0, 15))
    anywhere = {
        "camera": f"{rng.choice(list(OPTICS))} {rng.uniform(12, 56):.1f} {azimuth:.1f}",
        "light": str(rng.choice(LIGHTS)).replace(" ", "-"),
    }
    lines = invented_game(seed, manner, plies).splitlines()
    words = (line.split(" ")[0] for line in lines)
    changed = (
        f"{word} {anywhere[word]}" if word in anywhere else line
        for word, line in zip(words, lines, strict=True)
    )
    return "\n".join(changed) + "\n"


def invented_incident(seed: int, kind: str, manner: Manner = Manner()) -> str:
    """An incident of one of the `INCIDENTS` in the middle of some game."""
    rng = np.random.default_rng(seed)
    head = [f"# {kind}, invented from seed {seed}.", *_setting(rng, seed, manner)]
    before, lines, position = _found(kind, rng)
    played = [str(move) for move in before]
    if len(before) > SETTLED:
        first = Position.start()
        for move in before[:-1]:
            first = after(first, move)
        head.append(f"start {fen(first)}")
        played = played[-1:]
    reply = str(_chosen(lawful_moves(position), rng)) if lawful_moves(position) else "wait 1"
    return _text([*head, "", "wait 2", *played, *lines, reply])


def varied(text: str, seed: int, manner: Manner = Manner()) -> str:
    """What happens in another script, seen in another setting."""
    kept = [line for line in text.splitlines() if _is_deed(line)]
    return _text([*_setting(np.random.default_rng(seed), seed, manner), *kept])


def _is_deed(line: str) -> bool:
    """Whether a line is a comment, a deed or the position in which it happens."""
    word = (line.split() or [""])[0]
    return word == "start" or word not in HEADERS


def _text(lines: list[str]) -> str:
    return "\n".join([*lines, "wait 1"]) + "\n"


def _setting(rng: np.random.Generator, seed: int, manner: Manner) -> list[str]:
    others = [name for name in FAMILIES if name != "official"]
    family = "official" if rng.random() < OFFICIAL_CHANCE else str(rng.choice(others))
    azimuth = float(rng.choice([0, 180])) + float(rng.normal(0, 6))
    sleeves = rng.choice(list(CLOTHS), 2)
    lines = [
        f"set {family}",
        f"camera {rng.choice(['pi3', 'pi3', 'hq', 'phone', 'webcam'])} "
        f"{rng.uniform(15, 50):.1f} {azimuth:.1f}",
        f"size {manner.size[0]} {manner.size[1]}",
        f"light {rng.choice(['two-lamps', 'lamp', 'daylight', 'hard', 'player'])}",
        f"table {rng.choice(['wood', 'cloth', 'plain'])}",
        f"rate {manner.rate}",
        f"pace {rng.uniform(*manner.pace):.2f}",
        f"sleeves {sleeves[0]} {sleeves[1]}",
        f"seed {seed}",
    ]
    return [*lines, "things"] if rng.random() < 0.5 else lines


# --- Games ---------------------------------------------------------------------------------


def _game(rng: np.random.Generator, plies: int) -> list[str]:
    position, lines = Position.start(), []
    for _ in range(plies):
        moves = lawful_moves(position)
        if not moves:
            break
        if rng.random() < OFFENCE_CHANCE:
            kind = str(rng.choice(RESTORED))
            found = [first for first, *_ in INCIDENTS[kind](position)]
            lines += [choose(found, rng), "restore"] if found else []
        move = _chosen(moves, rng)
        lines.append(str(move))
        position = after(position, move)
    return lines


def _chosen(moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
    """Mostly the longest capture or a step towards a king, so that games come to something."""
    worth = np.array([2.0 * len(m.captured) + 1.0 * m.crowns for m in moves])
    chance = np.exp(worth)
    return moves[int(rng.choice(len(moves), p=chance / chance.sum()))]


def _found(kind: str, rng: np.random.Generator) -> tuple[list[Move], tuple[str, ...], Position]:
    """The moves before an incident, its lines and the position after it."""
    while True:
        position, before = Position.start(), list[Move]()
        earliest = int(rng.choice([2, 3, 10, 20]))
        while lawful_moves(position) and len(before) < LONGEST:
            options = list(INCIDENTS[kind](position)) if len(before) >= earliest else []
            if options:
                lines = choose(options, rng)
                return before, lines, _through(position, lines)
            before.append(_chosen(lawful_moves(position), rng))
            position = after(position, before[-1])


def _through(position: Position, lines: tuple[str, ...]) -> Position:
    """The position after the lawful moves in these lines."""
    if any(line in ("restore", "take-back") for line in lines):
        return position
    for word in " ".join(lines).split():
        named = {str(move): move for move in lawful_moves(position)}
        if word in named:
            position = after(position, named[word])
    return position


# --- Incidents -----------------------------------------------------------------------------

Lines = Iterator[tuple[str, ...]]
"""Ways in which something can happen in a position, each as lines of a script."""


def _refuse(position: Position) -> Lines:
    for move in plain_moves(position) if captures(position) else ():
        yield f"refuse {move}", "restore"


def _stop(position: Position) -> Lines:
    for move in unfinished(position):
        yield f"stop {move}", "restore"


def _backward(position: Position) -> Lines:
    for start, end in _ways(position, position.turn, (1,)):
        down = cell_of(end)[0] - cell_of(start)[0]
        if down == -position.turn.forward and not is_king(at(position.setup, start)):
            yield f"backward {start}-{end}", "restore"


def _stray(position: Position) -> Lines:
    for start, end in _ways(position, position.turn, (2, 3)):
        jumps = {(move.start, move.end) for move in (*captures(position), *unfinished(position))}
        if (start, end) not in jumps:
            yield f"stray {start}-{end}", "restore"


def _displace(position: Position) -> Lines:
    side = position.turn.other
    jumps = {(m.start, m.end) for m in captures(Position(position.setup, side))}
    for start, end in _ways(position, side, (2, 3)):
        if (start, end) not in jumps:
            yield f"displace {side.value} {start}-{end}", "restore"


def _ways(position: Position, side: Side, lengths: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """From each piece of a side to free squares so many diagonal steps away."""
    for start in SQUARES:
        for end in SQUARES if side.owns(at(position.setup, start)) else ():
            down, across = (abs(a - b) for a, b in zip(cell_of(start), cell_of(end), strict=True))
            if down == across and down in lengths and at(position.setup, end) == ".":
                yield start, end


def _out_of_turn(position: Position) -> Lines:
    for move in plain_moves(Position(position.setup, position.turn.other)):
        yield f"out-of-turn {move}", "restore"


def _leave(position: Position) -> Lines:
    for move in captures(position):
        yield f"leave {move}", "restore"


def _rob(position: Position) -> Lines:
    for move in lawful_moves(position):
        for victim in SQUARES:
            if at(position.setup, victim) != "." and victim not in (*move.captured, *move.path):
                yield f"rob {move} {victim}", "restore"


def _on_each(verb: str, free: bool = False) -> Callable[[Position], Lines]:
    """A deed by the owner of each piece, or on each free square by either side."""

    def lines(position: Position) -> Lines:
        for square in SQUARES:
            owner = side_of(at(position.setup, square))
            sides = (tuple(Side) if owner is None else ()) if free else (owner,)
            for side in filter(None, sides):
                yield f"{verb} {side.value} {square}", *_remedy(verb)

    return lines


def _remedy(verb: str) -> tuple[str, ...]:
    return ("restore",) if verb in RESTORED else ()


def _unearned(position: Position) -> Lines:
    for square in SQUARES:
        if at(position.setup, square) == position.turn.man:
            yield f"unearned {square}", "restore"


def _unstack(position: Position) -> Lines:
    for square in SQUARES:
        if at(position.setup, square) in "RW":
            yield f"unstack {position.turn.value} {square}", "restore"


def _off_square(position: Position) -> Lines:
    for square in SQUARES:
        row, column = cell_of(square)
        ways = {"up": row > 0, "down": row < 7, "left": column > 0, "right": column < 7}
        for way in ways if position.turn.owns(at(position.setup, square)) else ():
            if ways[way]:
                yield f"off-square {square} {way}", "restore"


def _upset(position: Position) -> Lines:
    if sum(sign != "." for sign in position.setup) >= 4:
        for square in (10, 11, 14, 15, 18, 19, 22, 23):
            yield f"upset {square} 4", "restore"


def _uncrowned(position: Position) -> Lines:
    for move in lawful_moves(position):
        if move.crowns:
            for reply in lawful_moves(after(position, move)):
                if move.end not in (*reply.path, *reply.captured):
                    yield f"uncrowned {move} {reply}", f"crown {move.end}"


def _self_crowned(position: Position) -> Lines:
    for move in lawful_moves(position):
        if move.crowns:
            yield (f"self-crowned {move}",)


def _with_move(form: str) -> Callable[[Position], Lines]:
    """A lawful move made in some manner."""

    def lines(position: Position) -> Lines:
        for move in lawful_moves(position):
            yield (form.format(move),)

    return lines


def _drag(position: Position) -> Lines:
    for move in () if captures(position) else plain_moves(position):
        yield (f"drag {move}",)


def _both(position: Position) -> Lines:
    for move in lawful_moves(position):
        for reply in lawful_moves(after(position, move)):
            yield (f"both {move} {reply}",)


def _take_back(position: Position) -> Lines:
    for move in lawful_moves(position):
        yield f"{move}", "take-back"


def _adjust_two(position: Position) -> Lines:
    own = [square for square in SQUARES if position.turn.owns(at(position.setup, square))]
    for first, second in pairwise(own):
        yield (f"adjust-two {position.turn.value} {first} {second}",)


def _always(*lines: str) -> Callable[[Position], Lines]:
    return lambda _: iter([lines])


RESTORED = (
    "refuse", "stop", "backward", "stray", "out-of-turn", "leave", "rob", "remove", "add",
    "displace", "unearned", "unstack", "off-square", "upset",
)  # fmt: skip
"""Offences that are put right by restoring the board."""

INCIDENTS: dict[str, Callable[[Position], Lines]] = {
    "refuse": _refuse, "stop": _stop, "backward": _backward, "stray": _stray,
    "out-of-turn": _out_of_turn, "leave": _leave, "rob": _rob,
    "remove": _on_each("remove"), "add": _on_each("add", free=True), "displace": _displace,
    "uncrowned": _uncrowned, "unearned": _unearned, "unstack": _unstack,
    "off-square": _off_square,
    "upset": _upset, "self-crowned": _self_crowned, "drag": _drag, "both": _both,
    "linger": _with_move("linger {} 3"), "wrong-side": _with_move("wrong-side {}"),
    "meanwhile": _with_move("meanwhile {} 18"), "take-back": _take_back,
    "adjust": _on_each("adjust"), "adjust-two": _adjust_two, "touch": _on_each("touch"),
    "hover": _on_each("hover"), "stranger": _always("stranger 15"),
    "lean": _always("lean white 2.5", "lean red 2.5"), "bump": _always("bump 0.25 -0.15"),
    "cover": _always("cover 2"), "dark": _always("dark 2"), "lamps": _always("lamps 0.6"),
}  # fmt: skip
"""What can happen, by the verb of `sample_images.script.VERBS`."""

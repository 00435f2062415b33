"""Games made up by players who choose at random, with offences here and there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from referee.board import SQUARES, at, cell_of, is_king
from referee.rules import Move, Position, after, captures, lawful_moves, plain_moves, unfinished

OFFENCE_CHANCE = 0.12
"""That a move is preceded by an offence, where one is possible."""


def invented_script(seed: int, plies: int = 40, family: str = "official") -> str:
    """The text of a script: a game of at most so many plies in a random scene.

    The same seed gives the same text. A game may end sooner, when a side cannot move.
    """
    rng = np.random.default_rng(seed)
    optics = str(rng.choice(["pi3", "pi3", "hq", "phone", "webcam"]))
    light = str(rng.choice(["two-lamps", "lamp", "daylight", "hard", "player"]))
    azimuth = float(rng.choice([0, 180])) + float(rng.normal(0, 6))
    lines = [
        f"# Invented from seed {seed}.",
        f"set {family}",
        f"camera {optics} {rng.uniform(15, 50):.1f} {azimuth:.1f}",
        f"light {light}",
        f"table {rng.choice(['wood', 'cloth', 'plain'])}",
        f"pace {rng.uniform(0.7, 1.2):.2f}",
        f"seed {seed}",
        "",
        "wait 2",
        *_game(rng, plies),
        "wait 1",
    ]
    return "\n".join(lines) + "\n"


def _game(rng: np.random.Generator, plies: int) -> Iterator[str]:
    position = Position.start()
    for _ in range(plies):
        moves = lawful_moves(position)
        if not moves:
            return
        offences = _offences(position)
        if offences and rng.random() < OFFENCE_CHANCE:
            yield offences[int(rng.integers(len(offences)))]
            yield "restore"
        move = _chosen(moves, rng)
        yield str(move)
        position = after(position, move)


def _chosen(moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
    """Mostly the longest capture or a step towards a king, so that games come to something."""
    worth = np.array([2.0 * len(m.captured) + 1.0 * m.crowns for m in moves])
    chance = np.exp(worth)
    return moves[int(rng.choice(len(moves), p=chance / chance.sum()))]


def _offences(position: Position) -> list[str]:
    """All that could go wrong here, as lines of a script."""
    waiting = Position(position.setup, position.turn.other)
    lines = [f"out-of-turn {m}" for m in plain_moves(waiting)[:2]]
    lines += [f"stop {m}" for m in unfinished(position)]
    if captures(position):
        lines += [f"refuse {m}" for m in plain_moves(position)[:3]]
        lines += [f"leave {m}" for m in captures(position)]
    lines += [f"backward {start}-{end}" for start, end in _steps_back(position)][:2]
    return lines


def _steps_back(position: Position) -> Iterator[tuple[int, int]]:
    """Where a man of the side to move could wrongly step back."""
    lawful = {(move.start, move.end) for move in plain_moves(position)}
    for start in SQUARES:
        piece = at(position.setup, start)
        if not position.turn.owns(piece) or is_king(piece):
            continue
        for end in SQUARES:
            down = cell_of(end)[0] - cell_of(start)[0]
            across = abs(cell_of(end)[1] - cell_of(start)[1])
            free = at(position.setup, end) == "."
            if (
                free
                and (down, across) == (-position.turn.forward, 1)
                and (start, end) not in lawful
            ):
                yield start, end

"""Positions and games for tests: seeded random ones, and hypothesis strategies."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hypothesis import assume
from hypothesis import strategies as st

from referee.board import EMPTY, SQUARES, Side, cell_of, replace
from referee.notation import DRAW, RESULTS, Game
from referee.rules import MEN_EACH, Move, Position, after, lawful_moves


def setup(drawing: str) -> str:
    """The setup drawn as eight lines of eight signs, as White sees the board."""
    lines = drawing.strip("\n").splitlines()
    cells = [line.ljust(8) for line in lines]
    assert len(cells) == 8, "a board has eight rows"
    return "".join(cells[row][column] for row, column in map(cell_of, SQUARES))


def played_positions(seed: int) -> Iterator[Position]:
    """Endless positions from games of random lawful moves."""
    rng = random.Random(seed)
    position = Position.start()
    while True:
        yield position
        moves = lawful_moves(position)
        position = after(position, rng.choice(moves)) if moves else Position.start()


def placed_positions(seed: int) -> Iterator[Position]:
    """Endless positions with pieces put down at random, most of them kings."""
    rng = random.Random(seed)
    while True:
        red, white = rng.randint(1, MEN_EACH), rng.randint(1, MEN_EACH)
        owners = [Side.RED] * red + [Side.WHITE] * white
        squares = rng.sample(SQUARES, len(owners))
        pieces = {
            square: _piece(side, square, rng.random() < 0.6)
            for side, square in zip(owners, squares, strict=True)
        }
        yield Position(replace(EMPTY * 32, pieces), rng.choice(list(Side)))


def _piece(side: Side, square: int, king: bool) -> str:
    must_be_king = cell_of(square)[0] == side.king_row
    return side.king if king or must_be_king else side.man


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any position that the rules accept, blocked and one-sided ones included."""
    pieces = {}
    for side in Side:
        free = [square for square in SQUARES if square not in pieces]
        for square in draw(st.lists(st.sampled_from(free), max_size=MEN_EACH, unique=True)):
            pieces[square] = _piece(side, square, draw(st.booleans()))
    assume(pieces)
    return Position(replace(EMPTY * 32, pieces), draw(st.sampled_from(Side)))


words = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="{}"), min_size=1)
phrases = st.lists(words, min_size=1, max_size=30).map(" ".join)
tag_names = st.sampled_from(["Event", "Date", "Black", "White", "Site", "Round", "Annotator"])


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Games of up to 60 moves with tags and comments, from any position."""
    start = draw(st.just(Position.start()) | positions())
    moves = tuple(_moves(start, draw(st.integers(0, 60)), draw(st.randoms(use_true_random=False))))
    comments = draw(st.dictionaries(st.integers(0, len(moves)), phrases, max_size=4))
    tags = draw(st.dictionaries(tag_names, phrases))
    return Game(tags, start, moves, draw(st.sampled_from(RESULTS) | st.just(DRAW)), comments)


def _moves(position: Position, plies: int, rng: random.Random) -> Iterator[Move]:
    for _ in range(plies):
        choice = lawful_moves(position)
        if not choice:
            return
        move = rng.choice(choice)
        yield move
        position = after(position, move)

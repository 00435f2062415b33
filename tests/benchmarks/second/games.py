"""Games that people play before the camera, and what is true in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from referee.board import Side, at, replace, side_of
from referee.rules import Move, Position, after, lawful_moves, plain_moves
from tests.benchmarks.second import hands
from tests.benchmarks.second.camera import Image, Points
from tests.benchmarks.second.film import Film
from tests.benchmarks.second.stage import Stage, centre
from tests.benchmarks.second.table import UP, furnished

STEPS = ("wrong_turn", "capture_missed", "illegal_step")
"""A piece is put where it may not go."""
OFFENCES = (*STEPS, "jumped_piece_left", "wrong_piece_removed")
AT_CAPTURES = ("capture_missed", "jumped_piece_left", "wrong_piece_removed")
TAKEN_BACK = "taken_back"
"""A move that was complete; by the rules it stands."""
EARLIEST = 3
"""Plies that are played before anybody does anything wrong."""
TRIES = 150
"""Games from which the one with most crowns and captures is played."""
BEFORE_S, AFTER_S = 4.0, 4.0
"""How long the board lies still at either end of a film."""


@dataclass(frozen=True)
class Deed:
    """Something that somebody did wrong and put right, or a move that was taken back."""

    kind: str
    ply: int
    side: Side
    from_ms: int
    left_ms: int
    """When the hand had left the board after it."""
    until_ms: int
    """When all was put right."""
    squares: tuple[int, ...]
    """Where the piece that was moved stood and was put, and what was taken off or left."""


@dataclass(frozen=True)
class Staged:
    """A game, what is true in it, and the stage on which it is played."""

    moves: tuple[Move, ...]
    deeds: tuple[Deed, ...]
    stage: Stage
    seconds: float
    seed: int

    def pictures(self) -> Iterator[tuple[int, Image]]:
        """The film, each picture with its time in milliseconds."""
        return Film(self.stage, np.random.default_rng([self.seed, 1])).pictures(self.seconds)


def staged(seed: int, plies: int, deeds: Sequence[str]) -> Staged:
    """A game of so many plies, with those of the deeds for which there was an occasion."""
    game = _Game(seed, plies, deeds)
    for ply, move in enumerate(game.moves):
        game.play(ply, move)
    return Staged(game.moves, tuple(game.done), game.stage, game.time + AFTER_S, seed)


def _choice(rng: np.random.Generator, moves: Sequence[Move]) -> Move:
    return moves[int(rng.integers(len(moves)))]


def _eventful(seed: int, plies: int) -> tuple[Move, ...]:
    """The game of some at random that has most to see."""
    best, most = tuple[Move, ...](), -1.0
    for number in range(TRIES):
        moves = _at_random(np.random.default_rng([seed, 2, number]), plies)
        crowns = sum(move.crowns for move in moves[:-2])
        worth = 10 * crowns + sum(len(move.captured) for move in moves) + 100 * len(moves)
        best, most = (moves, worth) if worth > most else (best, most)
    return best


def _at_random(rng: np.random.Generator, plies: int) -> tuple[Move, ...]:
    position, moves = Position.start(), list[Move]()
    while len(moves) < plies and (lawful := lawful_moves(position)):
        moves.append(_choice(rng, [move for move in lawful if move.crowns] or lawful))
        position = after(position, moves[-1])
    return tuple(moves)


class _Game:
    """Two people with their habits."""

    def __init__(self, seed: int, plies: int, deeds: Sequence[str]) -> None:
        self.rng = rng = np.random.default_rng(seed)
        people = {side: hands.invented(side, rng) for side in Side}
        self.stage = Stage(furnished(rng), people, rng)
        self.moves = _eventful(seed, plies)
        self.done: list[Deed] = []
        self.time = BEFORE_S
        self._open = list(deeds)
        self._position, self._ply = Position.start(), 0
        self._slowness = {side: rng.uniform(0.55, 1.3) for side in Side}
        self._thought_s = {side: rng.uniform(0.3, 1.8) for side in Side}
        self._slides = {side: float(rng.choice([0, 0.15, 0.8])) for side in Side}
        self._tidy = {side: bool(rng.integers(2)) for side in Side}
        """Who lays captured men beside the board; the other takes them off the table."""
        self._captured: dict[Side, list[int]] = {side: [] for side in Side}
        """By this side."""
        self._rows = dict.fromkeys(Side, 0)
        self._uncrowned: list[int] = []

    def play(self, ply: int, move: Move) -> None:
        """One ply, with all that people do before and after it."""
        self._ply = ply
        hand = self._position.turn
        pace = self._pace(hand)
        self.stage.wake(hand, self.time + self._pause(hand))
        deed = self._occasion(move)
        if deed in STEPS:
            self._step_wrongly(deed)
        self._crown(hand, pace)
        self._dally(hand, move)
        if deed == TAKEN_BACK:
            self._undo(deed, hand, _choice(self.rng, self._others(move)), pace)
        self._carry(hand, move, pace)
        if deed in OFFENCES[len(STEPS) :]:
            self._take_off_wrongly(deed, hand, move, pace)
        else:
            for square in move.captured:
                self._discard(hand, square, pace)
        if move.crowns:
            self._uncrowned.append(move.end)
        self._withdraw(hand, pace)
        self._position = after(self._position, move)

    # --- What everybody does -------------------------------------------------------------

    def _pace(self, side: Side) -> float:
        return self._slowness[side] * self.rng.uniform(0.85, 1.25)

    def _pause(self, side: Side) -> float:
        """Thought; now and then the answer comes before the other hand is gone."""
        if self._ply and not self._uncrowned and self.rng.random() < 0.12:
            return -0.25
        return self._thought_s[side] * self.rng.uniform(0.4, 1.8) + 0.2

    def _edge(self, side: Side) -> Points:
        """A place to rest a hand, before the own edge of the board."""
        scenery, out = self.stage.scenery, self.stage.people[side].out
        across = self.rng.uniform(-3.5, 3.5)
        return np.array([4 + across, 4 + out * (4.9 + scenery.border), 0.25 - scenery.height])

    def _dally(self, hand: Side, move: Move) -> None:
        """Some hover over the man, rest at the edge, or point at others first."""
        stage, rng = self.stage, self.rng
        habit = rng.random()
        if habit < 0.1:
            over = centre(move.start) + rng.uniform(0.6, 1.3) * UP
            stage.go(hand, over, 0.5)
            stage.wait(hand, rng.uniform(0.5, 2))
        elif habit < 0.18:
            stage.go(hand, self._edge(hand), 0.5)
            stage.wait(hand, rng.uniform(0.8, 2))
        elif habit < 0.26:
            for square in rng.choice(list(stage.on), 2):
                height = len(stage.on[int(square)]) * stage.scenery.thickness + 0.35
                stage.go(hand, centre(int(square)) + height * UP, 0.45)
                stage.wait(hand, rng.uniform(0.2, 0.7))

    def _carry(self, hand: Side, move: Move, pace: float) -> float:
        """A piece along its path; when it was taken up."""
        stage, discs = self.stage, self.stage.on.pop(move.start)
        begun = stage.grip(hand, discs, pace)
        for square in move.path[1:-1]:
            top = centre(square) + stage.scenery.thickness * len(discs) * UP
            stage.rise(hand, 0.6, 0.1 * pace)
            stage.go(hand, top + 0.6 * UP, 0.22 * pace)
            stage.go(hand, top + 0.05 * UP, 0.12 * pace)
        slides = not move.is_capture and self.rng.random() < self._slides[hand]
        stage.put(hand, discs, stage.spot(move.end), pace, slides)
        stage.on[move.end] = discs
        return begun

    def _discard(self, hand: Side, square: int, pace: float) -> list[int]:
        """Take a captured piece off the board."""
        stage, discs = self.stage, self.stage.on.pop(square)
        stage.grip(hand, discs, pace)
        if self._tidy[hand]:
            count = self._rows[hand]
            self._rows[hand] += 1
            out, scenery = stage.people[hand].out, stage.scenery
            x = 4 + out * (4.9 + scenery.border + 0.95 * (count // 6))
            y = 4 + out * (4.2 - 0.95 * (count % 6))
            stage.put(hand, discs, np.array([x, y, -scenery.height]), pace)
        else:
            stage.remove(hand, discs, pace)
        self._captured[hand] += discs
        return discs

    def _crown(self, hand: Side, pace: float) -> None:
        """The opponent's man that has reached his king-row gets a disc of his colour."""
        stage, taken = self.stage, self._captured[hand]
        for square in self._uncrowned:
            man = stage.on[square][0]
            crown = taken.pop() if taken else stage.add(stage.sides[man])
            stage.grip(hand, [crown], pace)
            below = stage.tracks[man][-1].place
            assert below is not None
            aside = self.rng.normal(0, 0.02, 3) * (1, 1, 0) + stage.scenery.thickness * UP
            stage.put(hand, [crown], below + aside, pace)
            stage.on[square].append(crown)
        self._uncrowned = []

    def _withdraw(self, hand: Side, pace: float) -> None:
        """Away, or to rest at the edge."""
        rests = self.rng.random() < 0.12
        self.time = self.stage.leave(hand, pace, self._edge(hand) if rests else None)

    # --- What nobody should do -----------------------------------------------------------

    def _occasion(self, move: Move) -> str | None:
        """Something to do wrong before or with this move; each is done once."""
        if not EARLIEST <= self._ply < len(self.moves) - 2 or self._uncrowned:
            return None
        deed = next((deed for deed in self._open if self._fits(deed, move)), None)
        if deed:
            self._open.remove(deed)
        return deed

    def _fits(self, deed: str, move: Move) -> bool:
        if move.is_capture != (deed in AT_CAPTURES):
            return False
        if deed in STEPS:
            return bool(self._steps(deed))
        return deed != TAKEN_BACK or bool(self._others(move))

    def _steps(self, deed: str) -> list[Move]:
        """All with which this deed can be done."""
        position = self._position
        turn = position.turn.other if deed == "wrong_turn" else position.turn
        plain = plain_moves(Position(position.setup, turn))
        if deed != "illegal_step":
            return [move for move in plain if not move.crowns]
        men = [square for square in self.stage.on if at(position.setup, square) == turn.man]
        kings = [Position(replace(position.setup, {square: turn.king}), turn) for square in men]
        ways = {move.path for move in plain}
        return [
            move
            for square, king in zip(men, kings, strict=True)
            for move in plain_moves(king)
            if move.start == square and move.path not in ways
        ]

    def _others(self, move: Move) -> list[Move]:
        lawful = lawful_moves(self._position)
        return [other for other in lawful if other != move and not other.crowns]

    def _step_wrongly(self, deed: str) -> None:
        turn = self._position.turn
        hand = turn.other if deed == "wrong_turn" else turn
        pace = self._pace(hand)
        self.stage.wake(hand, self.time + 0.6)
        self._undo(deed, hand, _choice(self.rng, self._steps(deed)), pace)
        self.stage.wake(turn, self.stage.leave(hand, pace) + 0.3)

    def _undo(self, deed: str, hand: Side, step: Move, pace: float) -> None:
        """Make a step and go, come again after a while and put it back."""
        stage = self.stage
        begun, left = self._carry(hand, step, pace), stage.leave(hand, pace)
        stage.wait(hand, self.rng.uniform(1, 2) if deed == TAKEN_BACK else self.rng.uniform(3, 4))
        discs = stage.on.pop(step.end)
        stage.grip(hand, discs, pace)
        stage.put(hand, discs, stage.spot(step.start), pace)
        stage.on[step.start] = discs
        self._note(deed, hand, step.path, begun, left, stage.wait(hand, 0.3))

    def _take_off_wrongly(self, deed: str, hand: Side, move: Move, pace: float) -> None:
        """One of the captured men stays, or another goes in his place, until that is seen."""
        stage, kept = self.stage, move.captured[-1]
        begun = stage.now(hand)
        for square in move.captured[:-1]:
            self._discard(hand, square, pace)
        wrong, discs = 0, list[int]()
        if deed == "wrong_piece_removed":
            wrong = self._neighbour(kept)
            discs = self._discard(hand, wrong, pace)
        left = stage.leave(hand, pace)
        stage.wait(hand, self.rng.uniform(3, 4))
        if discs:
            del self._captured[hand][-len(discs) :]
            stage.grip(hand, discs, pace)
            stage.put(hand, discs, stage.spot(wrong), pace)
            stage.on[wrong] = discs
        self._discard(hand, kept, pace)
        squares = *move.path, *move.captured, *([wrong] if wrong else [])
        self._note(deed, hand, squares, begun, left, stage.now(hand))

    def _neighbour(self, square: int) -> int:
        """The nearest piece of the same side."""
        setup, way = self._position.setup, centre(square)
        side = side_of(at(setup, square))
        others = [n for n in self.stage.on if side_of(at(setup, n)) == side and n != square]
        return min(others, key=lambda other: float(np.linalg.norm(centre(other) - way)))

    def _note(self, kind: str, side: Side, squares: tuple[int, ...], *times: float) -> None:
        from_ms, left_ms, until_ms = (round(1000 * time) for time in times)
        self.done.append(Deed(kind, self._ply, side, from_ms, left_ms, until_ms, squares))

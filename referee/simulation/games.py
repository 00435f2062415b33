"""Whole games: lawful moves at random with everything that people do beside them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from referee.events import Irregularity
from referee.rules import Move, Position, after, lawful_moves
from referee.simulation.offences import stage_offence
from referee.simulation.people import Habits, crown, fidget, perform, stage_move
from referee.simulation.restless import change_mind, fuss
from referee.simulation.scene import Offence, Scene

MOST_PLIES = 120
FORGET = 0.04
"""The usual share of plies with an offence."""
STRIDE = 1_000_003
PeopleOf = Callable[[Random, float, bool], Habits]
"""How the players behave, of whom a share forgets the rules, in a game that may be a quick one."""


def seed_of(run: int, number: int) -> int:
    """The seed of a game of a run; two runs share no game."""
    return STRIDE * run + number


def stage_reply_before_crown(
    scene: Scene, position: Position, move: Move, habits: Habits
) -> Position:
    """A man arrives, the opponent replies, and crowns only when told to. Returns the position."""
    perform(scene, position.turn, move, habits)
    scene.plies.append((move, scene.time_ms))
    scene.wait(600, 1_500)
    middle = after(position, move)
    replies = [m for m in lawful_moves(middle) if move.end not in m.captured and not m.crowns]
    if not replies:
        crown(scene, middle.turn, move.end)
        return middle
    reply = scene.rng.choice(replies)
    perform(scene, middle.turn, reply, habits)
    left = scene.time_ms
    scene.wait(3_600, 6_000)
    kind = Irregularity.CROWN_MISSING
    squares = move.end, reply.start, reply.end
    scene.offences.append(Offence(kind, middle.turn, left, scene.time_ms, move.end, squares))
    crown(scene, middle.turn, move.end)
    scene.plies.append((reply, scene.time_ms))
    scene.wait(800, 1_500)
    return after(middle, reply)


def stage_game(
    rng: Random,
    forget: float,
    blitz: bool = False,
    plies: int = MOST_PLIES,
    people_of: PeopleOf = Habits.draw,
) -> Scene:
    """A random lawful game with everything that people do beside it."""
    position = _first_position(rng)
    scene, habits = Scene.begin(rng, position), people_of(rng, forget, blitz)
    while len(scene.plies) < plies and (moves := lawful_moves(position)):
        if rng.random() < habits.forget:
            scene.wait(700, 2_000)
            stage_offence(scene, position, habits)
            if habits.again and rng.random() < habits.again:
                stage_offence(scene, position, habits)
        _pause(scene, habits)
        if habits.is_restless:
            fuss(scene, position.turn, habits)
        if rng.random() < habits.fidget:
            fidget(scene, position.turn)
        move = rng.choice(moves)
        if move.crowns and rng.random() < 4 * habits.forget:
            position = stage_reply_before_crown(scene, position, move, habits)
            continue
        # Only the reply settles which of two moves stands.
        answered = len(scene.plies) + 1 < plies and lawful_moves(after(position, move))
        regretted = answered and habits.regret and rng.random() < habits.regret
        (change_mind if regretted else stage_move)(scene, position, move, habits)
        position = after(position, move)
    scene.wait(5_000, 6_000)
    return scene


def _first_position(rng: Random) -> Position:
    """Mostly the usual one; else a ballot of three moves, or the middle of a game."""
    position = Position.start()
    for _ in range(rng.choice((0, 0, 0, 0, 3, 40))):
        moves = lawful_moves(position)
        if moves:
            position = after(position, rng.choice(moves))
    return position


def _pause(scene: Scene, habits: Habits) -> None:
    """Thinking; or the other hand comes before this one is away; now and then it gets dark, or
    the board is pushed."""
    rng = scene.rng
    if rng.random() < habits.quick:
        scene.time_ms -= rng.randint(0, 150)
        return
    if rng.random() < 0.01:
        scene.wait(900, 1_500)
        scene.blind.append((scene.time_ms, scene.time_ms + rng.randint(300, 3_000)))
    if rng.random() < 0.005:
        scene.wait(900, 1_500)
        until = scene.time_ms + rng.randint(300, 1_500)
        scene.bumps.append((scene.time_ms, until, rng.randint(60, 500)))
        scene.time_ms = until
    scene.wait(*habits.think_ms)

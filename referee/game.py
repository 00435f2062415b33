"""The game: one pure step from an input to what it caused.

    game = Game()
    game, events = feed(game, observation_or_command)

Nothing here reads a clock, a file or a camera; time is in the inputs. The same inputs give the
same events on every machine.
"""

from __future__ import annotations

from dataclasses import replace

from referee import arbiter as arbiters
from referee import clock as clocks
from referee.arbiter import Arbiter
from referee.clock import Clock
from referee.commands import Command
from referee.playing.judging import judged, lesson
from referee.playing.state import (
    CONTINUED,
    TAKEN_BACK,
    Game,
    Input,
    Part,
    Step,
    advised,
    advised_late,
    retold,
    tracker_from,
)
from referee.playing.timekeeping import waited
from referee.playing.words import COMMANDS
from referee.profiles import WCDF, Profile, TimeRule
from referee.rules import Position
from referee.tracker import Tracker, observe

__all__ = ["CONTINUED", "TAKEN_BACK", "Game", "Input", "Part", "Step", "begin", "feed"]


def begin(position: Position | None = None, profile: Profile = WCDF) -> Game:
    """A game about to begin; it waits until its first position stands on the board."""
    first = position or Position.start()
    arbiter = arbiters.begin(Arbiter(profile), first)
    rules = Tracker(
        lingering_ms=profile.lingering_ms,
        thinking_ms=profile.thinking_ms,
        crown_first=profile.crown_first,
    )
    tracker = tracker_from(rules, first)
    return Game(tracker, arbiter, clock=_usual_clock(profile.time))


def _usual_clock(rule: TimeRule | None) -> Clock | None:
    setting = clocks.parse_setting(rule.usual) if rule and rule.usual else None
    return Clock(setting) if setting else None


def feed(game: Game, given: Input) -> Step:
    """The game after one more input, and all events it caused, rulings behind their causes."""
    if isinstance(given, Command):
        return retold(*COMMANDS[given.word](game, given), given.time_ms)
    before = game.tracker
    tracker, events = observe(before, given)
    game = replace(game, tracker=tracker)
    game, events = advised(*judged(game, before, events)) if events else (game, ())
    game, late = advised_late(game, given.time_ms)
    game, taught = lesson(game, given.time_ms)
    game, more = waited(game, given.time_ms)
    return game, events + late + taught + more

"""From a journal's entries back to the game: to go on with it, or to check every step of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.clock import Clock, Setting
from referee.events import Event, Ready, Result, Started
from referee.game import TAKEN_BACK, Game, Input, begin, feed
from referee.journal.chain import Entry
from referee.journal.coding import (
    JournalError,
    StepReader,
    command_of,
    event_of,
    line_of,
    plain,
    value_of,
)
from referee.journal.journal import day_of
from referee.journal.recorder import FORMAT
from referee.notation import UNFINISHED, parse_fen
from referee.profiles import PROFILES, Profile
from referee.tracker import Phase
from referee.tracking.view import pause, resume

Body = dict[str, Any]
BEGINNINGS = (Started, Ready)
"""The events with which a game begins: the later of them is its beginning."""


@dataclass(frozen=True)
class Difference:
    """An entry that a replay does not confirm."""

    entry: int
    recorded: str
    """The events of the entry, or its state, as one line of JSON."""
    replayed: str


def first_game(entries: Sequence[Entry]) -> Game:
    """The game as it was when its journal began."""
    profile, body = profile_of(entries), entries[0].body()
    game = begin(parse_fen(body["fen"]), profile)
    return _behind(game, body["former"]) if "former" in body else game


def profile_of(entries: Sequence[Entry]) -> Profile:
    """The rules by which the game is played."""
    body = entries[0].body()
    if body["kind"] != "begun" or body["format"] != FORMAT:
        raise JournalError("the journal is of another version; read it with that version")
    if body["profile"] not in PROFILES:
        raise JournalError(f"the rules profile {body['profile']!r} of the game is not known here")
    return PROFILES[body["profile"]]


def _behind(game: Game, former: Body) -> Game:
    """A game that is over, and from which the next one takes what it took from the former."""
    setting: Setting | None = value_of(Setting | None, former["clock"])
    tracker, paused = replace(game.tracker, phase=Phase.OVER), former.get("paused", False)
    if former.get("unseen", paused):
        tracker, _ = pause(tracker, 0)
    return replace(
        game,
        tracker=tracker if paused else resume(tracker),
        result=Result(0, UNFINISHED, ""),
        clock=Clock(setting) if setting else None,
        players=value_of(tuple[str, str] | None, former["players"]),
        next_players=value_of(tuple[str, str] | None, former.get("next_players")),
        heading=former.get("heading", {}),
        begun=True,
        left_open=former.get("left_open", False),
    )


def inputs(entries: Iterable[Entry]) -> Iterator[tuple[int, Body, tuple[Input, ...]]]:
    """Each entry's number and content, and the inputs in it.

    Observations may be read from the first entry on, or from behind a state.
    """
    steps = StepReader()
    for entry in entries:
        body = _read(entry)
        if body["kind"] in ("state", "resumed"):
            steps = StepReader()
        if body["kind"] == "said":
            yield entry.number, body, (command_of(body["command"]),)
        else:
            yield entry.number, body, tuple(steps.read(body.get("steps", ())))


def _read(entry: Entry) -> Body:
    body = entry.body()
    return body if "kind" in body else {**body, "kind": ""}


def events(entries: Iterable[Entry]) -> Iterator[Event]:
    """All events of the record, in order."""
    for entry in entries:
        for record in entry.body().get("events", ()):
            yield event_of(record)


def begun_at(entries: Sequence[Entry]) -> str:
    """When the last game of a journal began, by the label of its entry; else the journal itself."""
    names = {kind.name for kind in BEGINNINGS}
    for entry in reversed(entries):
        body = entry.body()
        if any(record["event"] in names for record in body.get("events", ())):
            return str(body["at"])
    return str(entries[0].body().get("at", ""))


def day_begun(entries: Sequence[Entry]) -> str:
    """`2026-11-21`: which day it was then where the game was watched, wherever that is read. Older
    journals do not say where that was."""
    return day_of(begun_at(entries), str(entries[0].body().get("zone", "")))


def last_game(entries: Sequence[Entry]) -> int:
    """The place of the entry with which the game on record began: 0 where none was before it. A
    false start belongs to its game."""
    first, moves, over = 0, list[Body](), False
    for place, entry in enumerate(entries):
        for event in entry.body().get("events", ()):
            if event["event"] == "started" and (over or len(moves) > TAKEN_BACK):
                first = place
            over = _is_over(over, event)
            keep_moves(moves, event)
    return first


def _is_over(over: bool, event: Body) -> bool:
    if event["event"] == "started" or event.get("reopened"):
        return False
    return over or event["event"] == "result"


def keep_moves(moves: list[Body], event: Body) -> None:
    """Make of the moves on record, each as it was announced, those behind one more event.

    What is undone is counted, not compared: older versions wrote the whole path of a capture there.
    """
    if event["event"] == "started":
        moves.clear()
    if undone := event.get("undone"):
        del moves[-len(undone) :]
    if event["event"] == "played":
        moves.append(event)


def fold(entries: Sequence[Entry]) -> Game:
    """The game after all entries: from the last state that can be read, or from the beginning."""
    for place in reversed(range(len(entries))):
        if '"kind":"state"' in entries[place].text:
            game = _state(entries[place])
            if game is not None:
                return _fed(game, entries[place:])
    return _fed(first_game(entries), entries)


def _state(entry: Entry) -> Game | None:
    """The game in an entry; None when another version wrote it."""
    return _state_of(entry.body())


def _state_of(body: Body) -> Game | None:
    try:
        game = value_of(Game, body["game"])
    except (ValueError, TypeError, KeyError):
        return None
    return game if isinstance(game, Game) else None


def _fed(game: Game, entries: Iterable[Entry]) -> Game:
    for _, _, given in inputs(entries):
        for each in given:
            game, _ = feed(game, each)
    return game


@dataclass
class Replay:
    """A journal fed again from its beginning; iterate over it for the differences."""

    entries: Sequence[Entry]
    fed: int = 0
    """Inputs so far."""
    caused: int = 0
    """Events so far."""
    foreign: int = 0
    """Whole games so far that another version wrote down in its own way: they cannot be compared,
    what was announced can."""

    def __iter__(self) -> Iterator[Difference]:
        game = first_game(self.entries)
        for number, body, given in inputs(self.entries):
            happened: list[Event] = []
            for each in given:
                game, more = feed(game, each)
                happened += more
            self.fed += len(given)
            self.caused += len(happened)
            if body["kind"] == "state" and _state_of(body) is None:
                self.foreign += 1
                continue
            recorded, replayed = _content(body, game, happened)
            if recorded != replayed:
                yield Difference(number, recorded, replayed)


def _content(body: Body, game: Game, happened: Sequence[Event]) -> tuple[str, str]:
    """What an entry says came out, and what did."""
    if body["kind"] == "state":
        return line_of({"game": body["game"]}), line_of({"game": plain(game)})
    recorded = body.get("events", []) if body["kind"] in ("seen", "said") else []
    return (
        line_of({"events": recorded}),
        line_of({"events": [event.record() for event in happened]}),
    )

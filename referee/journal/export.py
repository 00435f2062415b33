"""A kept game for others: as PDN with the times and the incidents in comments, and as JSON."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from referee import __version__, notation
from referee.announcements import name, reason_of
from referee.board import Side
from referee.english import ENGLISH
from referee.game import Game
from referee.journal.chain import Entry
from referee.journal.folding import begun_at, day_begun, fold, keep_moves, last_game
from referee.journal.incidents import Incident, incidents, numbered
from referee.journal.remarks import Remark, remarks
from referee.journal.shelf import load_source
from referee.language import Language
from referee.notation import PLAYER_TAGS, write_pdn
from referee.scoresheet import tags

Record = dict[str, Any]


@dataclass(frozen=True)
class Move:
    """One move of the record and when it was announced."""

    side: str
    text: str
    time_ms: int
    fen: str


@dataclass(frozen=True)
class Story:
    """All that a journal tells of the game on record. Where another game is before it, the events
    alone are of both: they call each other by their numbers."""

    name: str
    begun: Record
    game: Game
    moves: tuple[Move, ...]
    """Those of the record; what was taken back is not among them."""
    incidents: tuple[Incident, ...]
    events: tuple[Record, ...]
    begun_at: str
    """`2026-11-21T15:26:36Z`, when the game began that is on record now."""
    date: str
    """`2026-11-21`, which day that was where it was watched."""
    source: str | None
    """What it was watched with, where that is known."""
    seats: tuple[str, str]
    """The names of who begins and of the other, or empty."""
    head: str
    """The hash of the last entry: whoever knows it can tell whether the journal is the same."""
    problems: tuple[str, ...]
    remarks: tuple[Remark, ...]
    """What people said, and when nobody watched."""
    language: Language
    """In which people are told of it; JSON and the tags of PDN know none."""

    @property
    def result(self) -> str:
        return self.game.result.result if self.game.result else notation.UNFINISHED

    @property
    def reason(self) -> str:
        """Why it has ended, or that it has not."""
        ended = self.game.result
        return reason_of(ended, self.language) if ended else "not finished"

    @property
    def colours(self) -> tuple[str, ...]:
        """What the sides are called, the one that begins first."""
        return tuple(name(side, self.language) for side in Side)

    @property
    def parts(self) -> tuple[tuple[Move, ...], ...]:
        """The moves, parted where a person set another position."""
        ends = list(accumulate(self.game.lengths))
        return tuple(self.moves[start:end] for start, end in pairwise((0, *ends)))

    def tags(self) -> dict[str, str]:
        """What stands above the moves in PDN, where the side that begins is called Black."""
        names = zip(PLAYER_TAGS.values(), self.seats, strict=True)
        return tags(self.source, self.date) | {tag: name for tag, name in names if name}


def story(
    folder: Path,
    entries: Sequence[Entry],
    problems: Sequence[str] = (),
    language: Language = ENGLISH,
) -> Story:
    """Everything about a game, from the sound entries of its journal."""
    game, since = fold(entries), last_game(entries)
    events = tuple(event for _, event in numbered(entries))
    return Story(
        str(entries[0].body()["game"]),
        entries[0].body(),
        game,
        _moves(events),
        tuple(incidents(folder, entries, since, language)),
        events,
        begun_at(entries),
        day_begun(entries),
        load_source(folder),
        game.players or ("", ""),
        entries[-1].hash,
        tuple(problems),
        tuple(remarks(entries[since:], language)),
        language,
    )


def _moves(events: Sequence[Record]) -> tuple[Move, ...]:
    kept: list[Record] = []
    for event in events:
        keep_moves(kept, event)
    return tuple(
        Move(event["side"], event["move"], event["time_ms"], event["fen"]) for event in kept
    )


def clock_text(time_ms: int) -> str:
    """`0:01:05`, as PDN programs write times."""
    minutes, seconds = divmod(max(0, time_ms) // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


# --- PDN ------------------------------------------------------------------------------------


def pdn(told: Story) -> str:
    """The game in PDN; programs that know no comments read the moves alone."""
    games, before = [], 0
    comments = _comments(told)
    for game in told.game.records(told.tags(), told.language):
        # What happened before the first move of a part is told behind the last of the one before.
        first = 1 if before else 0
        told_of = {ply: comments.get(before + ply) for ply in range(first, len(game.moves) + 1)}
        own = {
            ply: "; ".join(filter(None, (told_of.get(ply), game.comments.get(ply))))
            for ply in sorted({*told_of, *game.comments})
        }
        games.append(write_pdn(replace(game, comments=own)))
        before += len(game.moves)
    return "\n".join(games)


def _comments(told: Story) -> dict[int, str]:
    comments: dict[int, list[str]] = defaultdict(list)
    for ply, move in enumerate(told.moves, start=1):
        comments[ply].append(clock_text(move.time_ms))
    for incident in told.incidents:
        comments[_place(told, incident)].append(sentence(incident))
    return {ply: "; ".join(said) for ply, said in comments.items()}


def _place(told: Story, incident: Incident) -> int:
    """Behind how many moves of the record an incident happened."""
    time_ms = incident.event["time_ms"]
    return sum(move.time_ms <= time_ms for move in told.moves)


def sentence(incident: Incident) -> str:
    """`0:00:45 wrong turn (Red): It is White's turn. Put right at 0:00:52`."""
    side = f" ({incident.side})" if incident.side else ""
    text = f": {incident.said}" if incident.said else "."
    end = incident.end.capitalize()
    if incident.end_ms is not None:
        end += f" at {clock_text(incident.end_ms)}"
    time = clock_text(incident.event["time_ms"])
    return f"{time} {incident.title}{side}{text} {end}"


# --- JSON -----------------------------------------------------------------------------------


def as_json(told: Story) -> Record:
    """The whole game as one JSON object."""
    game = told.game
    firsts = [*(part.first for part in game.played), game.tracker.first]
    behind = accumulate(game.lengths[:-1])
    return {
        "game": told.name,
        "date": told.date,
        "software": told.begun["software"],
        "exported_with": __version__,
        "profile": told.begun["profile"],
        "red": told.seats[0],
        "white": told.seats[1],
        "event": game.heading.get("Event", ""),
        "site": game.heading.get("Site", ""),
        "round": game.heading.get("Round", ""),
        "result": told.result,
        "start": notation.fen(firsts[0]),
        "position": notation.fen(told.game.position),
        "moves": [
            {"side": move.side, "move": move.text, "time_ms": move.time_ms, "fen": move.fen}
            for move in told.moves
        ],
        "set": [
            {"moves": moves, "fen": notation.fen(first)}
            for moves, first in zip(behind, firsts[1:], strict=True)
        ],
        "incidents": [incident.record() for incident in told.incidents],
        "remarks": [{"time_ms": remark.time_ms, "text": remark.text} for remark in told.remarks],
        "events": list(told.events),
        "head": told.head,
        "problems": list(told.problems),
    }

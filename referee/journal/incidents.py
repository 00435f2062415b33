"""What went wrong in a kept game: each incident with its rulings, its end and its pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from referee.announcements import in_words, name
from referee.board import Side
from referee.commands import Word
from referee.english import ENGLISH
from referee.events import Proposed, Ruling, TimeOver, Verdict
from referee.journal.chain import Entry
from referee.journal.coding import event_of
from referee.journal.evidence import FOLDER, INCIDENTS
from referee.journal.folding import keep_moves
from referee.language import Language

ENDS = {"restored": "put right", "corrected": "settled by a person", "played": "played on"}
STANDS = "stands"
OVERRULED = "overruled by a person"
UNDECIDED = "nobody has decided"
"""How a proposal ends that was neither confirmed nor dismissed."""
TIME_OVER = TimeOver.name
"""An incident where the other player may claim the game for it; where it is lost, that is its end.
"""
COUNTED = (Verdict.WARNING.value, Verdict.FORFEIT.value)
"""What a person may overrule."""
Record = dict[str, Any]


@dataclass
class Picture:
    """A file of evidence, and what became of it."""

    path: Path
    what: str
    state: str
    """`kept`, `erased`, `missing` or `changed`."""


@dataclass
class Incident:
    """One thing that went wrong."""

    number: int
    """From 1, for people."""
    event: Record
    """As it was announced."""
    after: str
    """The move before it, or empty."""
    language: Language = ENGLISH
    """In which people are told of it; `record` knows no language."""
    rulings: list[Record] = field(default_factory=list)
    end: str = STANDS
    end_ms: int | None = None
    pictures: list[Picture] = field(default_factory=list)

    @property
    def title(self) -> str:
        """`capture missed`."""
        kind = self.event.get("kind") or self.event.get("conduct") or self.event["event"]
        return str(kind).replace("_", " ")

    @property
    def side(self) -> str:
        """What the player is called, or empty."""
        side = self.event.get("side")
        return name(Side(side), self.language) if side else ""

    @property
    def text(self) -> str:
        """What was written down about it. A proposal that nobody confirmed accuses nobody."""
        return " ".join(filter(None, (each.get("text", "") for each in self._told)))

    @property
    def said(self) -> str:
        """The same in the words of the language."""
        return " ".join(filter(None, (_in_words(each, self.language) for each in self._told)))

    @property
    def _told(self) -> list[Record]:
        return self.rulings or [self.event]

    @property
    def is_proposal(self) -> bool:
        """Whether a person has to decide."""
        return bool(self.event["event"] == "proposed")

    @property
    def is_of_time(self) -> bool:
        """Whether a player's time was over: nothing on the board makes up for that."""
        return bool(self.event["event"] == TIME_OVER)

    @property
    def is_counted(self) -> bool:
        """Whether it counts against a player: he has been warned of it, and nobody overruled it."""
        verdicts = {ruling["verdict"] for ruling in self.rulings}
        return self.end != OVERRULED and not verdicts.isdisjoint(COUNTED)

    def told_again(self, event: Record) -> None:
        """Note what follows from a proposal by now."""
        self.event = event | {"time_ms": self.event["time_ms"]}

    def ended(self, end: str, event: Record) -> None:
        """Note how it ended."""
        self.end, self.end_ms = end, event["time_ms"]

    def record(self) -> Record:
        """For JSON."""
        return {
            "incident": self.number,
            "time_ms": self.event["time_ms"],
            "kind": self.title.replace(" ", "_"),
            "side": self.event.get("side"),
            "squares": self.event.get("squares", []),
            "after": self.after,
            "text": self.text,
            "rules": [ruling["rule"] for ruling in self.rulings],
            "end": self.end,
            "end_ms": self.end_ms,
            "pictures": [
                {"file": str(picture.path), "what": picture.what, "state": picture.state}
                for picture in self.pictures
            ],
        }


def _in_words(record: Record, language: Language) -> str:
    """What a ruling or a proposal says; as it was written down where an older version kept no
    phrase, or one that is not known any more."""
    key, *_ = record.get("phrase") or ("",)
    event = event_of(record) if key in language.sentences else None
    if isinstance(event, Ruling | Proposed):
        return in_words(event, language)
    return str(record.get("text", ""))


def numbered(entries: Sequence[Entry]) -> Iterator[tuple[int, Record]]:
    """All events of a journal as records, counted as the game counts them."""
    yield from ((number, event) for number, event, _ in _caused(entries))


def _caused(entries: Sequence[Entry]) -> Iterator[tuple[int, Record, str]]:
    """The same, each with the command that caused it, or nothing."""
    bodies = (entry.body() for entry in entries)
    caused = (
        (event, str(body.get("command", {}).get("command", "")))
        for body in bodies
        for event in body.get("events", ())
    )
    yield from ((number, *each) for number, each in enumerate(caused))


def incidents(
    folder: Path, entries: Sequence[Entry], since: int = 0, language: Language = ENGLISH
) -> list[Incident]:
    """All incidents of a journal, in order, or those from an entry on, numbered as in all of it."""
    found: dict[int, Incident] = {}
    moves: list[Record] = []
    over: dict[int, Record] = {}
    for number, event, command in _caused(entries):
        _end(found, event)
        if event["event"] == "corrected":
            _overrule(found, event, command)
        keep_moves(moves, event)
        if event["event"] == "proposed" and event.get("number") in found:
            found[event["number"]].told_again(event)
        elif event["event"] in INCIDENTS:
            found[number] = _incident(len(found) + 1, event, moves, language)
        elif event["event"] == TIME_OVER and not event["grace_ms"]:
            over[number] = event
        elif event["event"] == "ruling" and event["cause"] in over:
            overtime = over.pop(event["cause"])
            found[event["cause"]] = _incident(len(found) + 1, overtime, moves, language)
        _decide(found, event)
    _add_pictures(folder, entries, found)
    first = sum(1 for _ in numbered(entries[:since]))
    return [incident for number, incident in found.items() if number >= first]


def _incident(number: int, event: Record, moves: Sequence[Record], language: Language) -> Incident:
    after = moves[-1]["move"] if moves else ""
    end = UNDECIDED if event["event"] == "proposed" else STANDS
    return Incident(number, event, after, language, end=end)


def _overrule(found: dict[int, Incident], event: Record, command: str) -> None:
    """Note which warnings do not hold any more. Older versions did not write that down: there
    `overrule` takes the last one back."""
    counted = (number for number in reversed(found) if found[number].is_counted)
    last = [*counted][:1] if command == Word.OVERRULE.value else []
    for number in event.get("overruled", last):
        if number in found:
            found[number].ended(OVERRULED, event)


def _decide(found: dict[int, Incident], event: Record) -> None:
    """Note what was ruled, and what a person made of a proposal."""
    if event["event"] == "ruling" and event["cause"] in found:
        incident = found[event["cause"]]
        incident.rulings.append(event)
        if incident.is_proposal:
            incident.ended("confirmed", event)
    if event["event"] == "dismissed" and event["proposal"] in found:
        found[event["proposal"]].ended("dismissed", event)


def _end(found: dict[int, Incident], event: Record) -> None:
    """Note how the last incident on the board ended; proposals end by what people decide."""
    of_board = (each for each in reversed(found.values()) if not each.is_proposal)
    last = next((each for each in of_board if not each.is_of_time), None)
    if last and last.end_ms is None and event["event"] in ENDS:
        last.ended(ENDS[event["event"]], event)


def _add_pictures(folder: Path, entries: Sequence[Entry], found: dict[int, Incident]) -> None:
    bodies = [entry.body() for entry in entries if entry.kind in ("evidence", "erased")]
    erased = {name for body in bodies if body["kind"] == "erased" for name in body["files"]}
    for body in bodies:
        if body["kind"] == "evidence" and body["event"] in found:
            found[body["event"]].pictures = [
                _picture(folder / FOLDER, file, erased) for file in body["files"]
            ]


def _picture(folder: Path, file: Record, erased: set[str]) -> Picture:
    # The name comes from a file that anybody could have written: it may not lead elsewhere.
    path = folder / Path(file["name"]).name
    if path.name in erased:
        return Picture(path, file["what"], "erased")
    try:
        digest = sha256(path.read_bytes()).hexdigest()
    except OSError:
        return Picture(path, file["what"], "missing")
    return Picture(path, file["what"], "kept" if digest == file["sha256"] else "changed")

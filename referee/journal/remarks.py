"""What a journal tells beside moves and incidents: what people said, and when nobody watched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from referee.announcer import refusal_of
from referee.board import Side
from referee.colours import RED_AND_WHITE, Sides, colour_of
from referee.commands import TYPED, Word
from referee.english import ENGLISH
from referee.events import Refused
from referee.journal.chain import Entry
from referee.journal.coding import command_of, event_of
from referee.language import Language

Body = dict[str, Any]


@dataclass(frozen=True)
class Remark:
    """One line for those who sign the record."""

    time_ms: int
    """On the clock of the game; of what came between two inputs, that of the one before."""
    text: str
    """For JSON, with the sides as the game knows them."""
    said: str
    """For people, with the sides as they were called."""


def remarks(entries: Sequence[Entry], language: Language = ENGLISH) -> Iterator[Remark]:
    """All of them, in order."""
    now_ms = 0
    for entry in entries:
        body = entry.body()
        if body["kind"] == "said":
            command = body["command"]
            now_ms = command["time_ms"]
            if command.get("origin"):
                yield Remark(now_ms, _said(command), _said(command, language.sides))
        elif text := _of_the_record(body):
            yield Remark(now_ms, text, text)
        for event in body.get("events", ()):
            now_ms = event["time_ms"]
            if text := _of_the_view(event):
                yield Remark(now_ms, text, _refusal(event, language) or text)


def _said(command: Body, sides: Sides = RED_AND_WHITE) -> str:
    """`keyboard: correct 11-15`, as it was said."""
    side, text = command["side"], command["text"]
    if command["command"] == Word.OVERRULE.value:
        text = _called(text, sides)
    name = command_of(command).name
    words = (TYPED.get(name, name), _called(side, sides), text)
    return f"{command['origin']}: {' '.join(filter(None, words))}"


def _called(word: str | None, sides: Sides) -> str | None:
    """A player by his colour; any other word as it is."""
    return colour_of(Side(word), sides) if word in RED_AND_WHITE else word


def _of_the_record(body: Body) -> str:
    """What befell the referee itself."""
    match body["kind"]:
        case "resumed":
            return f"the referee had been stopped or without power; it went on at {body['at']}"
        case "mended":
            return f"the journal was damaged and mended: {'; '.join(body['problems'])}"
        case "erased":
            return f"pictures were erased: {', '.join(body['files'])}"
    return ""


def _of_the_view(event: Body) -> str:
    match event["event"]:
        case "not_watching":
            return f"not watching ({event['reason']})"
        case "watching":
            return "watching again"
        case "moved":
            return "the board or the camera was moved"
        case "refused":
            return f"refused: {event['reason']}"
    return ""


def _refusal(event: Body, language: Language) -> str:
    """A refusal in a language; empty for any other event."""
    refused = event_of(event) if event["event"] == Refused.name else None
    return f"refused: {refusal_of(refused, language)}" if isinstance(refused, Refused) else ""

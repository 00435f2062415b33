"""What a journal tells beside moves and incidents: what people said, and when nobody watched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from referee.journal.chain import Entry

Body = dict[str, Any]


@dataclass(frozen=True)
class Remark:
    """One line for those who sign the record."""

    time_ms: int
    """On the clock of the game; of what came between two inputs, that of the one before."""
    text: str


def remarks(entries: Sequence[Entry]) -> Iterator[Remark]:
    """All of them, in order."""
    now_ms = 0
    for entry in entries:
        body = entry.body()
        if body["kind"] == "said":
            command = body["command"]
            now_ms = command["time_ms"]
            if command.get("origin"):
                yield Remark(now_ms, _said(command))
        elif text := _of_the_record(body):
            yield Remark(now_ms, text)
        for event in body.get("events", ()):
            now_ms = event["time_ms"]
            if text := _of_the_view(event):
                yield Remark(now_ms, text)


def _said(command: Body) -> str:
    """`keyboard: correct 11-15`, as it was said."""
    words = (command["command"].replace("_", " "), command["side"], command["text"])
    return f"{command['origin']}: {' '.join(filter(None, words))}"


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

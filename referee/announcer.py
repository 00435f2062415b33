"""Events in words, as they are announced to the people at the board."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee import events
from referee.announcements import choice, listed, name
from referee.events import Event
from referee.journal import condition


class Tone(Enum):
    """How an announcement is meant."""

    MOVE = "move"
    NOTE = "note"
    TROUBLE = "trouble"
    """Something must be done before the game goes on."""
    END = "end"


@dataclass(frozen=True)
class Announcement:
    """One or two sentences, at a time."""

    time_ms: int
    tone: Tone
    text: str


def announce(event: Event) -> Announcement | None:
    """The announcement of an event; None for one that only its ruling speaks of."""
    said = _said(event)
    return Announcement(event.time_ms, *said) if said else None


def _said(event: Event) -> tuple[Tone, str] | None:
    match event:
        case events.Played():
            return Tone.MOVE, f"{name(event.side)} {event.move}"
        case events.Crowned():
            return Tone.MOVE, f"King on {event.square}"
        case events.Ruling(verdict=events.Verdict.WIN | events.Verdict.DRAW):
            return None  # the result has said so already
        case events.Ruling():
            return _RULING_TONES.get(event.verdict, Tone.TROUBLE), event.text
        case events.Result():
            return Tone.END, f"{event.result}: {event.reason}"
        case events.Unsure():
            return Tone.TROUBLE, f"I am not sure what was played{_question(event.candidates)}"
        case events.Withdrawn():
            return Tone.TROUBLE, f"I was wrong: I take back {listed(event.undone)}"
        case condition.NotRecording():
            return Tone.TROUBLE, (
                f"The game cannot be written down ({event.reason}): make room on the disk; until"
                " then I announce nothing, write the moves yourselves"
            )
        case events.NotWatching():
            return Tone.TROUBLE, f"I cannot see the board: {event.reason}"
    note = _note(event)
    return (Tone.NOTE, note) if note else None


def _note(event: Event) -> str | None:
    match event:
        case events.Ready():
            return "The first position is on the board; the game can begin"
        case events.Waiting():
            return f"The first position is not set up yet: look at {_squares(event.missing)}"
        case events.Moved():
            return "The board or the camera was moved; I have followed it"
        case events.Restored():
            return "The board is in order again; go on"
        case condition.Recording():
            return f"The game is written down again{f', but {event.reason}' * bool(event.reason)}"
        case events.Watching():
            return "I see the board again"
        case events.Touched():
            return f"The piece on {event.square} was touched"
        case events.Lingering():
            return f"{name(event.side)}'s hand is still on {event.square}"
        case events.Corrected():
            return "The record has been corrected"
        case events.DrawOffered():
            return f"{name(event.side)} offers a draw"
        case events.DrawDeclined():
            return f"{name(event.side)} declines the draw"
        case events.Refused():
            return f"{event.command} is not possible: {event.reason}"
    return None


_RULING_TONES = {
    events.Verdict.NOTICE: Tone.NOTE,
    events.Verdict.DRAW_CLAIMABLE: Tone.NOTE,
}


def _question(candidates: tuple[str, ...]) -> str:
    return f": was it {choice(candidates)}?" if candidates else "; please tell me"


def _squares(squares: tuple[int, ...]) -> str:
    return ("square " if len(squares) == 1 else "squares ") + listed(squares)

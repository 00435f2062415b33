"""What people tell the referee, beside what the camera sees.

A `Command` is an input of the game like an observation; `parse` reads one from a line of words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from referee.board import Side
from referee.colours import RED_AND_WHITE, Sides, players
from referee.errors import NotationError

BOARD = "board"
"""The origin of a command that nobody has spoken: the board itself gave it."""


class Word(Enum):
    """The commands there are, and what their text holds."""

    START = "start"
    """Begin a new game from the starting position."""
    SEATS = "seats"
    """Who plays; its text is `RED, WHITE`."""
    EVENT = "event"
    """What the game is a part of: a tournament, a match, an evening of the club."""
    SITE = "site"
    """Where it is played."""
    ROUND = "round"
    """Which round of the event it belongs to."""
    SET_POSITION = "set_position"
    """Begin from a position; its text is a FEN."""
    ADJUSTING = "adjusting"
    """A player said "I am adjusting" (WCDF 4.1)."""
    RESIGN = "resign"
    """A player gives up (6.1)."""
    OFFER_DRAW = "offer_draw"
    ACCEPT_DRAW = "accept_draw"
    DECLINE_DRAW = "decline_draw"
    REQUEST_COUNT = "request_count"
    """A player whose draw was declined has the other's moves counted (7.2)."""
    STRENGTHENED = "strengthened"
    """The attacker's position has become stronger: the count begins again, or is over (7.2a)."""
    CLAIM = "claim"
    """A player claims the draw or the game that he may claim."""
    CONFIRM = "confirm"
    """A person lets a proposed ruling stand; its text is the number of the proposal or empty."""
    DISMISS = "dismiss"
    """A person drops a proposed ruling; its text as for `confirm`."""
    CORRECT = "correct"
    """Put the record right: no text takes the last move back, a text of moves plays them in
    its place, a FEN sets the position to go on from; what was played before it is kept."""
    CHOOSE = "choose"
    """Answer the referee's doubt; its text is a number in the list of candidates, from 1."""
    OVERRULE = "overrule"
    """Let the irregular board stand as it is: the irregularity and what followed from it are
    dropped; a text of moves is played from the position, that of a player has him to move. Where
    the board is in order what was ruled last is taken back."""
    RESULT = "result"
    """End the game; its text is `1-0`, `0-1`, `1/2-1/2` or `*`."""
    CLOCK = "clock"
    """Set the clock; its text is read by `clock.parse_setting`, `off` takes it away."""
    PRESS = "press"
    """A player has pressed the button of the clock: his move is complete."""
    PAUSE = "pause"
    RESUME = "resume"


@dataclass(frozen=True)
class Command:
    """One word of a person."""

    time_ms: int
    """On the clock of the observations."""
    word: Word
    side: Side | None = None
    """The player who speaks, for `adjusting`, `resign`, draws, claims and the clock's button."""
    text: str = ""
    """See `Word`."""
    origin: str = ""
    """What it was said by: `keyboard`, a button, a page; empty where nobody noted it."""
    afterwards: bool = False
    """Whether it is said of a kept game, behind which no other one begins on that board."""

    @property
    def name(self) -> str:
        """What it is called in an answer: its word, but `back` where nothing is put in place of the
        move that is taken back."""
        takes_back = self.word is Word.CORRECT and not self.text
        return "back" if takes_back else self.word.value

    def record(self) -> dict[str, object]:
        """The command as plain values for JSON."""
        side = self.side.value if self.side else None
        said: dict[str, object] = {
            "time_ms": self.time_ms,
            "command": self.word.value,
            "side": side,
            "text": self.text,
            "origin": self.origin,
        }
        return said | ({"afterwards": True} if self.afterwards else {})


class Part(Enum):
    """Whether a command has a part behind its word."""

    NO = "no"
    MAY = "may"
    MUST = "must"


@dataclass(frozen=True)
class Usage:
    """How a command is typed."""

    word: Word
    meaning: str
    """With the names of the sides as in an example, here capital."""
    side: Part = Part.NO
    text: Part = Part.NO
    example: str = ""
    """What may stand behind the word; `{first}` is the side that begins, `{second}` the other."""

    def said(self, name: str, sides: Sides) -> str:
        """The command as it is typed, `name` and an example, with the colours of the set."""
        first, second = sides
        return f"{name} {self.example.format(first=first, second=second)}".rstrip()


USAGES = {
    "start": Usage(Word.START, "begin a new game"),
    "seats": Usage(Word.SEATS, "say who plays", text=Part.MUST, example="ANNA, BEN"),
    "event": Usage(Word.EVENT, "say what the game is a part of", text=Part.MUST, example="NAME"),
    "site": Usage(Word.SITE, "say where it is played", text=Part.MUST, example="NAME"),
    "round": Usage(Word.ROUND, "say which round it is", text=Part.MUST, example="NUMBER"),
    "position": Usage(
        Word.SET_POSITION, "begin from a position", text=Part.MUST, example="B:W18:B14"
    ),
    "adjusting": Usage(Word.ADJUSTING, "touches do not count now", Part.MAY, example="[{first}]"),
    "offer": Usage(Word.OFFER_DRAW, "offer a draw", Part.MUST, example="{first}"),
    "accept": Usage(Word.ACCEPT_DRAW, "accept the draw", Part.MAY, example="[{second}]"),
    "decline": Usage(Word.DECLINE_DRAW, "decline the draw", Part.MAY, example="[{second}]"),
    "count": Usage(
        Word.REQUEST_COUNT, "have the other's moves counted", Part.MUST, example="{first}"
    ),
    "stronger": Usage(Word.STRENGTHENED, "the attacker has made progress: count anew"),
    "claim": Usage(Word.CLAIM, "claim what may be claimed", Part.MAY, example="[{first}]"),
    "confirm": Usage(
        Word.CONFIRM, "let a proposed ruling stand", text=Part.MAY, example="[NUMBER]"
    ),
    "dismiss": Usage(Word.DISMISS, "drop a proposed ruling", text=Part.MAY, example="[NUMBER]"),
    "resign": Usage(Word.RESIGN, "give up", Part.MUST, example="{second}"),
    "choose": Usage(
        Word.CHOOSE, "say which of the moves asked about it was", text=Part.MUST, example="1"
    ),
    "correct": Usage(
        Word.CORRECT,
        "play other moves in place of the last, or go on from a position",
        text=Part.MUST,
        example="11-15",
    ),
    "back": Usage(Word.CORRECT, "take the last move back"),
    "overrule": Usage(
        Word.OVERRULE,
        "let the board stand, perhaps as a move, or take the last ruling back",
        text=Part.MAY,
        example="[11-15|{second}]",
    ),
    "result": Usage(
        Word.RESULT,
        "end the game: 1-0 is {first}'s win, 0-1 {second}'s, 1/2-1/2 a draw, * broken off",
        text=Part.MUST,
        example="1-0",
    ),
    "clock": Usage(
        Word.CLOCK,
        "set the clock: 5+1 for each move, moves/minutes, or off",
        text=Part.MUST,
        example="30/60",
    ),
    "press": Usage(Word.PRESS, "press the button of the clock", Part.MUST, example="{first}"),
    "pause": Usage(Word.PAUSE, "look away"),
    "resume": Usage(Word.RESUME, "look again"),
}
"""What can be typed, by its first word."""

LONGEST = 400
"""Signs of a name."""
NAMES = (Word.SEATS, Word.EVENT, Word.SITE, Word.ROUND)
"""The words behind which names stand."""
SHOWN = 40
"""Signs of an unknown command that are shown."""

ENDING = "Ctrl-C ends the watching, and the record is kept"
"""What there is no command for."""

TYPED = {usage.word.value: name for name, usage in reversed(USAGES.items())}
"""How a command is typed, by the value of its word; of several ways the first."""

SIDES = players(RED_AND_WHITE)
"""The players as the game itself knows them, by the words in the text of a command."""


def parse(
    line: str,
    time_ms: int,
    origin: str = "",
    sides: Sides = RED_AND_WHITE,
    names: Sides | None = None,
) -> Command:
    """The command in a line; NotationError with a sentence for what is none. People name the
    players by `sides`, or by the `names` that these have in their language, and the command has
    them as the game knows them. Signs that cannot be printed, such as an arrow key sends, are left
    out: they are in no name."""
    printable = ("".join(filter(str.isprintable, word)) for word in line.split())
    name, *rest = [*filter(None, printable)] or ["?"]
    usage = USAGES.get(name.lower())
    if usage is None:
        shown = name if len(name) <= SHOWN else f"{name[:SHOWN]}…"
        raise NotationError(f"there is no command {shown}; help lists them")
    misused = NotationError(f"{name} is said like this: {usage.said(name, sides)}")
    known, side = players(sides, names), None
    if usage.side is not Part.NO and rest:
        side = known.get(rest.pop(0).casefold())
        if side is None:
            raise misused
    said = " ".join(rest)
    missing = (usage.side is Part.MUST and side is None) or (usage.text is Part.MUST and not said)
    if missing or (said and usage.text is Part.NO):
        raise misused
    if usage.word in NAMES and len(said) > LONGEST:
        raise NotationError(f"{name} takes at most {LONGEST} signs, not {len(said)}")
    text = _with_player(said, known) if usage.word is Word.OVERRULE else said
    if text is None:
        raise misused
    return Command(time_ms, usage.word, side, text, origin)


def _with_player(text: str, known: Mapping[str, Side]) -> str | None:
    """A text that may be a player, who is put as the game knows him; None for one who is a player
    to the game, and nobody here."""
    word = text.casefold()
    if word in known:
        return known[word].value
    return None if word in SIDES else text


def manual(sides: Sides = RED_AND_WHITE) -> str:
    """All commands, a line each, and how to end."""
    first, second = (side.capitalize() for side in sides)
    lines = (
        f"{usage.said(name, sides):<24} {usage.meaning.format(first=first, second=second)}"
        for name, usage in USAGES.items()
    )
    return "\n".join((*lines, ENDING))

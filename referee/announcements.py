"""What there is to say about a board that is not in order, and the languages it is said in."""

from __future__ import annotations

from collections.abc import Sequence

from referee.board import EMPTY, Side, at, is_king
from referee.english import ENGLISH
from referee.events import (
    Irregular,
    Irregularity,
    Phrase,
    Proposed,
    Result,
    Ruling,
    Verdict,
    phrase,
)
from referee.german import GERMAN
from referee.language import Language, proposed, ruled, say
from referee.rules import Fault, Move, Position, captures, why_not

LANGUAGES = {language.code: language for language in (ENGLISH, GERMAN)}


def name(side: Side | None, language: Language = ENGLISH) -> str:
    """`Red`, `White`, or `Somebody`."""
    return language.words[side.value if side else "somebody"]


def in_words(ruling: Ruling | Proposed, language: Language = ENGLISH) -> str:
    """A ruling, or the proposal of one, in the words of a language."""
    if isinstance(ruling, Proposed):
        return proposed(ruling.phrase, ruling.rule, ruling.verdict, ruling.side, language)
    return ruled(ruling.phrase, ruling.rule, ruling.verdict, ruling.side, language)


def reason_of(event: Result, language: Language = ENGLISH) -> str:
    """Why the game has ended, in words; of a result that a person entered also whose win it is."""
    if event.phrase == phrase("entered"):
        return say(phrase("entered_so", outcome=event.result), language)
    if not event.rule:
        return say(event.phrase, language) if event.phrase else event.reason
    return ruled(event.phrase, event.rule, Verdict.WIN, None, language)


def say_reason(reason: Phrase) -> str:
    """A phrase in English."""
    return say(reason, ENGLISH)


def irregular(event: Irregular, position: Position, due: int | None = None) -> Phrase:
    """What an irregularity is and how it is put right; `position` is the last regular one.

    `due` is the square of the piece that has to be moved now, where there is one (4.2, US VII):
    no other's moves are named.
    """
    squares = event.squares
    lawful = tuple(text for text in event.lawful if due in (None, _starts(text)))
    match event.kind:
        case Irregularity.OWN_PIECE_REMOVED | Irregularity.WRONG_PIECE_REMOVED:
            return _removed(event, position, lawful)
        case Irregularity.ILLEGAL_STEP:
            return _illegal_step(event, position, due, lawful)
        case Irregularity.CAPTURE_UNFINISHED:
            return _unfinished(event, position, due, lawful)
        case Irregularity.WRONG_TURN | Irregularity.CAPTURE_MISSED:
            return _not_to_be_made(event, position, lawful)
        case Irregularity.PIECE_DISPLACED:
            return _displaced(position, squares)
        case Irregularity.UPSET:
            return _upset(position, squares)
        case Irregularity.OFF_SQUARE if not squares:
            return phrase("off_square_somewhere")
        case Irregularity.OFF_SQUARE:
            return phrase("off_square", square=squares[0])
        case Irregularity.CROWN_MISSING if event.side is None:
            return phrase("crown_wanted", square=squares[0])
    gone = squares[2:] if event.kind is Irregularity.JUMPED_PIECE_LEFT else squares
    several = "_several" if event.kind in _SEVERAL and len(squares) > 1 else ""
    key = event.kind.value + several
    return phrase(key, side=event.side, square=squares[0], pieces=gone, listed=squares)


def _not_to_be_made(event: Irregular, position: Position, lawful: Sequence[str]) -> Phrase:
    """A move as there are, but not now: off turn, or though there is a capture."""
    players = {"side": event.side, "turn": position.turn}
    off = event.squares[2:] if event.kind is Irregularity.WRONG_TURN else ()
    key = event.kind.value + ("_removing" if off else "")
    moved = _moved(position, event.squares)
    return phrase(key, **players, pieces=off or None, lawful=lawful, **moved)


def _upset(position: Position, squares: Sequence[int]) -> Phrase:
    """What stood there is to stand there again; where more has come than gone, the rest goes."""
    stood = sorted(s for s in squares if at(position.setup, s) != EMPTY)
    come = sorted(set(squares) - set(stood))
    key = Irregularity.UPSET.value + ("_one" if len(stood) == 1 else "")
    if stood and len(come) > len(stood):
        return phrase(key + "_adding", listed=stood, pieces=come)
    return phrase(key, listed=stood or squares)


_SEVERAL = (
    Irregularity.PIECE_ADDED,
    Irregularity.PIECE_REMOVED,
    Irregularity.CROWN_UNEARNED,
    Irregularity.CROWN_REMOVED,
)


def _moved(position: Position, squares: Sequence[int]) -> dict[str, str | int]:
    """The piece that moved and where it belongs."""
    start = squares[0]
    return {"piece": "king" if is_king(at(position.setup, start)) else "man", "start": start}


def _gone(position: Position, squares: Sequence[int]) -> tuple[int, ...]:
    """Where pieces have left the board: those taken off, and the one that stood where the moved
    piece was put."""
    stood = (s for s in squares[1:2] if s != squares[0] and at(position.setup, s) != EMPTY)
    return (*stood, *squares[2:])


def plain_move(event: Irregular) -> str | None:
    """The lawful plain move that an irregularity began with, beside which pieces came off."""
    move = "-".join(map(str, event.squares[:2]))
    return move if move in event.lawful else None


def move_stands(event: Irregular) -> str | None:
    """The lawful plain move beside which a piece of its own player has left the board. That was not
    removed in capturing (WCDF 4.4): a sleeve may have done it."""
    return plain_move(event) if event.kind is Irregularity.OWN_PIECE_REMOVED else None


def is_moving(event: Irregular, position: Position) -> bool:
    """Whether a piece was moved from the first of the squares to the second, which nobody stood on,
    and not only some taken off."""
    start, end = (*event.squares, *event.squares)[:2]
    return len(event.squares) > 2 and (start == end or at(position.setup, end) == EMPTY)


def is_on_light(event: Irregular) -> bool:
    """Whether a piece was moved to a light square, which has no number (WCDF 3.3)."""
    return event.kind is Irregularity.ILLEGAL_STEP and len(event.squares) == 1


def _removed(event: Irregular, position: Position, lawful: Sequence[str]) -> Phrase:
    """Pieces taken off wrongly, perhaps by a move, whose ends then come first."""
    moving, stands = is_moving(event, position), move_stands(event)
    goes_back = moving and not stands and event.squares[0] != event.squares[1]
    moved: dict[str, str | int] = _moved(position, event.squares) if goes_back else {}
    after = event.side is position.turn.other  # the capture was complete, and stands
    way = "_after" if after else "_beside" if stands else "_moving" if goes_back else ""
    # Beside a move one is taken off wrongly; what was jumped goes back with it.
    several = "_several" if len(event.squares) > 1 and not moving else ""
    return phrase(
        event.kind.value + way + several,
        side=event.side,
        move=stands,
        pieces=sorted(event.squares[2:] if moving else event.squares),
        lawful=lawful,
        **moved,
    )


def _displaced(position: Position, squares: Sequence[int]) -> Phrase:
    gone, end = _gone(position, squares), squares[1:2]
    key = "piece_displaced" + ("_to" if end else "") + ("_removing" if gone else "")
    moved = _moved(position, squares)
    return phrase(key, listed=end or None, pieces=gone or None, **moved)


def _illegal_step(
    event: Irregular, position: Position, due: int | None, lawful: Sequence[str]
) -> Phrase:
    if is_on_light(event):
        key, players = "illegal_step_on_light", _moved(position, event.squares)
        return phrase(key + ("_due" if due else ""), due=due, lawful=lawful, **players)
    start, end = event.squares[:2]
    gone = _gone(position, event.squares)
    return phrase(
        event.kind.value + ("_removing" if gone else "") + ("_due" if due else ""),
        end=end,
        why=_why(position, start, end, gone),
        pieces=gone or None,
        due=due,
        lawful=lawful,
        **_moved(position, event.squares),
    )


def _unfinished(
    event: Irregular, position: Position, due: int | None, lawful: Sequence[str]
) -> Phrase:
    """A capture that was broken off: the piece that has begun it goes on, which is the duty of the
    player to move whoever's hand it was. Where another one has to be moved (4.2) it cannot be
    finished, but is retracted (4.4)."""
    start, _, *removed = event.squares
    if due in (None, start):
        going_on = _going_on(position, event.squares)
        return phrase(event.kind.value, side=position.turn, lawful=going_on)
    return phrase(
        event.kind.value + ("_removing" if removed else "") + "_due",
        side=event.side,
        pieces=removed or None,
        due=due,
        lawful=lawful,
        **_moved(position, event.squares),
    )


def _going_on(position: Position, squares: Sequence[int]) -> tuple[str, ...]:
    """The captures by which a piece goes on from where it has come to, some pieces taken off."""
    start, place, *removed = squares
    moves = [move for move in captures(position) if move.start == start]
    return tuple(str(move) for move in moves if _comes_by(move, place, set(removed)))


def _comes_by(move: Move, place: int, removed: set[int]) -> bool:
    """Whether a capture passes a square when it has jumped these pieces, perhaps others too."""
    inner = enumerate(move.path[1:-1], start=1)
    return any(square == place and removed <= {*move.captured[:n]} for n, square in inner)


def _starts(move: str) -> int:
    """The square from which a move in words goes: 11 of `11-15` and of `11x18`."""
    return int(move.replace("x", "-").split("-")[0])


def _why(position: Position, start: int, end: int, removed: Sequence[int]) -> str:
    """The name of the reason; what both ends would allow was jumped another way than there is."""
    fault = why_not(position, start, end)
    if fault is Fault.DISTANCE and removed:
        return "long_jump"
    return fault.name.lower() if fault else "way"

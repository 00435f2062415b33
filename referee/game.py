"""The game: one pure step from an input to what it caused.

    game = Game()
    game, events = feed(game, observation_or_command)

Nothing here reads a clock, a file or a camera; time is in the inputs. The same inputs give the
same events on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from referee import arbiter as rulings
from referee import notation
from referee.arbiter import Arbiter
from referee.board import SQUARES, Side, at, is_king
from referee.commands import Command, Word
from referee.errors import RefereeError
from referee.events import (
    Corrected,
    DrawDeclined,
    DrawOffered,
    Event,
    Irregular,
    Played,
    Refused,
    Restored,
    Result,
)
from referee.observation import Observation
from referee.profiles import WCDF, Profile
from referee.rules import Move, Position, after, has_no_move
from referee.tracker import Phase, Tracker, advance, observe, pause, played_event, resume

WON = {Side.RED: "1-0", Side.WHITE: "0-1"}
DRAWN = "1/2-1/2"
RESULTS = (*WON.values(), DRAWN, notation.UNFINISHED)


@dataclass(frozen=True)
class Game:
    """A game of draughts on a real board, as far as it has been seen."""

    tracker: Tracker = field(default_factory=Tracker)
    arbiter: Arbiter = field(default_factory=Arbiter)
    count: int = 0
    """How many events there have been: the number of the next one."""
    result: Result | None = None
    offer: Side | None = None
    """Who has offered a draw that has not been answered."""

    @property
    def position(self) -> Position:
        """The last position that lawful moves, or a person, led to."""
        return self.tracker.position

    @property
    def moves(self) -> tuple[Move, ...]:
        """All lawful moves of the record, each once, in order."""
        return self.tracker.plies

    def record(self, tags: dict[str, str] | None = None) -> notation.Game:
        """The game as it is written to PDN."""
        result = self.result.result if self.result else notation.UNFINISHED
        return notation.Game(tags or {}, self.tracker.first, self.moves, result)


Input = Observation | Command
Step = tuple[Game, tuple[Event, ...]]


def begin(position: Position | None = None, profile: Profile = WCDF) -> Game:
    """A game about to begin; it waits until its first position stands on the board."""
    first = position or Position.start()
    arbiter = rulings.begin(Arbiter(profile), first)
    return Game(_tracker_from(Tracker(), first), arbiter)


def _tracker_from(before: Tracker, position: Position) -> Tracker:
    """A tracker that waits for a position, with what the other one sees at the moment."""
    return Tracker(position=position, first=position, sight=before.sight)


def feed(game: Game, given: Input) -> Step:
    """The game after one more input, and all events it caused, rulings behind their causes."""
    if isinstance(given, Command):
        return _COMMANDS[given.word](game, given)
    before = game.tracker
    tracker, events = observe(before, given)
    game = replace(game, tracker=tracker)
    return _judged(game, before, events) if events else (game, ())


def _judged(game: Game, before: Tracker, events: tuple[Event, ...]) -> Step:
    """Add the rulings to what the tracker has found."""
    position, moves = before.position, iter(game.tracker.plies[len(before.plies) :])
    out: list[Event] = []
    for event in events:
        if isinstance(event, Played):
            move = next(moves)
            position = after(position, move)
            game, caused = _judge_played(game, event, move, position)
        else:
            game, caused = _judge(game, event, position)
        game = replace(game, count=game.count + 1 + len(caused))
        out += (event, *caused)
    return game, tuple(out)


def _judge(game: Game, event: Event, position: Position) -> Step:
    if isinstance(event, Restored):
        return replace(game, arbiter=rulings.in_order(game.arbiter)), ()
    if not isinstance(event, Irregular):
        return game, ()
    arbiter, caused = rulings.irregular(game.arbiter, event, game.count, position)
    return replace(game, arbiter=arbiter), caused


def _judge_played(game: Game, event: Played, move: Move, now: Position) -> Step:
    arbiter, caused = rulings.played(game.arbiter, event, game.count, move, now)
    game = replace(game, arbiter=arbiter, offer=None)
    if not has_no_move(now):
        return game, caused
    number = game.count + 1 + len(caused)
    ruling = rulings.lost(arbiter, event.time_ms, now, number)
    result = Result(event.time_ms, WON[now.turn.other], ruling.text)
    return _ended(game, result), (*caused, result, ruling)


def _ended(game: Game, result: Result) -> Game:
    over = replace(game.tracker, phase=Phase.OVER)
    return replace(game, tracker=over, result=result, offer=None)


# --- commands -------------------------------------------------------------------------------


def _counted(game: Game, *events: Event) -> Step:
    return replace(game, count=game.count + len(events)), events


def _refuse(game: Game, command: Command, reason: str) -> Step:
    return _counted(game, Refused(command.time_ms, command.word.value, reason))


def _start(game: Game, command: Command) -> Step:
    return _from(game, command, Position.start())


def _set_position(game: Game, command: Command) -> Step:
    try:
        position = notation.parse_fen(command.text)
    except RefereeError as error:
        return _refuse(game, command, str(error))
    return _from(game, command, position)


def _from(game: Game, command: Command, position: Position) -> Step:
    """A new game from a position; the numbering of events goes on."""
    fresh = begin(position, game.arbiter.profile)
    tracker = _tracker_from(game.tracker, position)
    return replace(fresh, tracker=tracker, count=game.count), ()


def _adjusting(game: Game, command: Command) -> Step:
    tracker = replace(game.tracker, adjusting_ms=command.time_ms)
    return replace(game, tracker=tracker), ()


def _resign(game: Game, command: Command) -> Step:
    if command.side is None:
        return _refuse(game, command, "it must be said who resigns")
    if game.result:
        return _refuse(game, command, "the game is over")
    ruling = rulings.resigned(game.arbiter, command.time_ms, command.side, game.count)
    result = Result(command.time_ms, WON[command.side.other], ruling.text)
    return _counted(_ended(game, result), result, ruling)


def _offer_draw(game: Game, command: Command) -> Step:
    if command.side is None:
        return _refuse(game, command, "it must be said who offers the draw")
    if game.result:
        return _refuse(game, command, "the game is over")
    if game.offer is command.side.other:
        return _accept_draw(game, command)
    return _counted(replace(game, offer=command.side), DrawOffered(command.time_ms, command.side))


def _accept_draw(game: Game, command: Command) -> Step:
    if game.offer is None or game.offer is command.side:
        return _refuse(game, command, "no draw has been offered by the other player")
    ruling = rulings.agreed(game.arbiter, command.time_ms, game.count)
    result = Result(command.time_ms, DRAWN, ruling.text)
    return _counted(_ended(game, result), result, ruling)


def _decline_draw(game: Game, command: Command) -> Step:
    if game.offer is None:
        return _refuse(game, command, "no draw has been offered")
    side = game.offer.other
    return _counted(replace(game, offer=None), DrawDeclined(command.time_ms, side))


def _result(game: Game, command: Command) -> Step:
    if command.text not in RESULTS:
        return _refuse(game, command, f"a result is one of {', '.join(RESULTS)}")
    result = Result(command.time_ms, command.text, "entered by a person")
    return _counted(_ended(game, result), result)


def _correct(game: Game, command: Command) -> Step:
    """Take the last move back and play others, or go on from a position."""
    try:
        if ":" in command.text:
            return _corrected_to(game, command, notation.parse_fen(command.text))
        return _corrected_by(game, command, command.text.split(), undo=1)
    except RefereeError as error:
        return _refuse(game, command, str(error))


def _overrule(game: Game, command: Command) -> Step:
    try:
        return _corrected_by(game, command, command.text.split(), undo=0)
    except RefereeError as error:
        return _refuse(game, command, str(error))


def _corrected_to(game: Game, command: Command, position: Position) -> Step:
    """The record before a set position cannot be joined to it: a new record begins there."""
    tracker = replace(_tracker_from(game.tracker, position), phase=Phase.PLAYING)
    arbiter = replace(game.arbiter, repeatable=(position,), counted=(), idle_plies=0)
    game = replace(game, tracker=tracker, arbiter=arbiter, result=None)
    return _counted(game, Corrected(command.time_ms, (), notation.fen(position)))


def _corrected_by(game: Game, command: Command, texts: list[str], undo: int) -> Step:
    """Undo some moves and play others. NotationError, IllegalMove or AmbiguousMove."""
    kept, undone = _split(game, undo)
    tracker = _replayed(game.tracker, kept)
    moves = _parsed(tracker.position, texts)
    undone_texts = tuple(map(str, reversed(undone)))
    corrected = Corrected(command.time_ms, undone_texts, notation.fen(tracker.position))
    arbiter = replace(rulings.in_order(game.arbiter), repeatable=(tracker.position,))
    game = replace(game, tracker=tracker, arbiter=arbiter, result=None, count=game.count + 1)
    events: list[Event] = [corrected]
    for move in moves:
        before = game.tracker
        played = replace(played_event(before, move), time_ms=command.time_ms)
        game = replace(game, tracker=advance(before, move))
        game, more = _judged(game, before, (played,))
        events += more
    return game, tuple(events)


def _split(game: Game, undo: int) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
    moves = game.moves
    middle = max(0, len(moves) - undo)
    return moves[:middle], moves[middle:]


def _replayed(tracker: Tracker, moves: tuple[Move, ...]) -> Tracker:
    """A tracker that has seen these moves from the first position of the record."""
    fresh = replace(_tracker_from(tracker, tracker.first), phase=Phase.PLAYING)
    for move in moves:
        fresh = advance(fresh, move)
    still = frozenset(s for s in SQUARES if is_king(at(fresh.position.setup, s)))
    return replace(fresh, uncrowned=fresh.uncrowned & tracker.uncrowned & still)


def _parsed(position: Position, texts: list[str]) -> tuple[Move, ...]:
    moves = []
    for text in texts:
        move = notation.parse_move(position, text)
        moves.append(move)
        position = after(position, move)
    return tuple(moves)


def _pause(game: Game, command: Command) -> Step:
    tracker, events = pause(game.tracker, command.time_ms)
    return _counted(replace(game, tracker=tracker), *events)


def _resume(game: Game, command: Command) -> Step:
    tracker, events = resume(game.tracker, command.time_ms)
    return _counted(replace(game, tracker=tracker), *events)


_COMMANDS: dict[Word, Callable[[Game, Command], Step]] = {
    Word.START: _start,
    Word.SET_POSITION: _set_position,
    Word.ADJUSTING: _adjusting,
    Word.RESIGN: _resign,
    Word.OFFER_DRAW: _offer_draw,
    Word.ACCEPT_DRAW: _accept_draw,
    Word.DECLINE_DRAW: _decline_draw,
    Word.CORRECT: _correct,
    Word.OVERRULE: _overrule,
    Word.RESULT: _result,
    Word.PAUSE: _pause,
    Word.RESUME: _resume,
}

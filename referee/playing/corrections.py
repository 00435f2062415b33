"""What people put right: moves taken back, played or chosen, positions set, warnings overruled,
boards let stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps

from referee import notation
from referee.board import SQUARES, Side, at, is_king
from referee.commands import BOARD, SIDES, Command
from referee.errors import RefereeError
from referee.events import Corrected, Event, Refused, Result, Unsure, phrase
from referee.playing.judging import judged, unanswered
from referee.playing.state import (
    Game,
    Part,
    Step,
    advised,
    counted,
    ended,
    ended_by,
    refuse,
    tracker_from,
)
from referee.playing.timekeeping import clock_kept, clock_started, clock_turned
from referee.rules import Line, Position, after, has_no_move, lawful_moves
from referee.ruling import conduct, convictions, course, ends
from referee.tracker import Phase, Tracker
from referee.tracking.checking import compared
from referee.tracking.instead import lying_instead
from referee.tracking.let_stand import (
    as_it_lies,
    is_disputed,
    is_in_plain_view,
    is_told_of,
    lying_before,
)
from referee.tracking.memory import contradictions, returning, shows
from referee.tracking.record import advance, played_event, reached, settled
from referee.tracking.rivals import shared, trusted

Correction = Callable[[Game, Command], Step]


def _telling(correction: Correction) -> Correction:
    """The same, telling which rulings it has taken back."""

    @wraps(correction)
    def told(before: Game, command: Command) -> Step:
        game, events = correction(before, command)
        was, now = before.arbiter, game.arbiter
        return game, tuple(
            convictions.quashed(was, now, event) if isinstance(event, Corrected) else event
            for event in events
        )

    return told


@_telling
def correct(game: Game, command: Command) -> Step:
    """Take the last move back and play others, or go on from a position. An end that no move has
    made is taken back before any move is; so is a position that was set, behind which there is no
    move yet."""
    if not command.text and game.result and not has_no_move(game.position):
        return _end_taken_back(game, command)
    if not command.text and game.former and not game.moves:
        return _compared(*_position_taken_back(game, command))
    try:
        if notation.is_fen(command.text):
            step = _corrected_to(game, command, notation.parse_fen(command.text))
        else:
            step = corrected_by(game, command, notation.typed_moves(command.text), undo=1)
    except RefereeError as error:
        return refuse(game, command, str(error))
    if command.origin == BOARD:  # which is read from the other side from the next frame on
        game, events = step
        unchecked = replace(game.tracker.correction, unchecked=True)
        return replace(game, tracker=replace(game.tracker, correction=unchecked)), events
    return _compared(*step)


def _end_taken_back(game: Game, command: Command) -> Step:
    """Take back the end that words or the time have made. All else stays as it was, also what is to
    be put right on the board."""
    before = game.tracker
    tracker = replace(_replayed(before, game.moves), incident=before.incident)
    if back := before.correction.taken_back:
        tracker = returning(tracker, back)
    position = tracker.position
    corrected = Corrected(command.time_ms, (), notation.fen(position), _result_of(game))
    game = clock_turned(game, position, command.time_ms)
    arbiter = conduct.unseen(game.arbiter, command.time_ms)
    game = replace(game, tracker=tracker, arbiter=arbiter, result=None)
    return _compared(*advised(*counted(game, corrected)))


def _position_taken_back(game: Game, command: Command) -> Step:
    """Go on from where the last moves had led before a person set another position. Who was to put
    something right then has the time for it anew."""
    *former, part = game.former
    tracker = _replayed(game.tracker, part.plies, part.first)
    corrected = Corrected(command.time_ms, (), notation.fen(tracker.position), _result_of(game))
    game = clock_turned(game, tracker.position, command.time_ms)
    arbiter = convictions.regained(part.arbiter, game.arbiter)
    arbiter = conduct.unseen(arbiter, command.time_ms)
    game = replace(game, tracker=tracker, arbiter=arbiter, former=tuple(former))
    return advised(*counted(replace(game, result=None, question=None), corrected))


def _compared(game: Game, events: tuple[Event, ...]) -> Step:
    """A step that a person has made, and whether the board shows otherwise than he has said; where
    he was refused nothing is said."""
    if isinstance(events[-1], Refused):
        return game, events
    tracker, otherwise = compared(game.tracker, events[-1].time_ms)
    game, otherwise = counted(replace(game, tracker=tracker), *otherwise)
    return game, (*events, *otherwise)


@_telling
def overrule(game: Game, command: Command) -> Step:
    """Play moves from the position, or go on from the board as it lies. Where that is in order the
    last ruling is taken back."""
    turn = SIDES.get(command.text.lower())
    if turn or (not command.text and _may_let_stand(game)):
        return _let_stand(game, command, turn)
    if not command.text:
        return _overrule_lately(game, command)
    try:
        moves = notation.typed_moves(command.text)
        return _compared(*corrected_by(game, command, moves, undo=0))
    except RefereeError as error:
        return refuse(game, command, str(error))


def _may_let_stand(game: Game) -> bool:
    """Whether the board is not as it should be, or cannot be seen where something is to be put
    right on it; also at the end of a game that was claimed for that."""
    tracker = game.tracker
    if is_told_of(tracker) and not is_in_plain_view(tracker):
        return True
    return is_disputed(tracker) or (_is_lost_by_ruling(game) and bool(contradictions(tracker)))


def _lying(tracker: Tracker) -> Line:
    """The moves that were taken back, perhaps with a reply, or the move that was held or asked
    about, if the board shows them."""
    position = reached(tracker.position, tracker.correction.taken_back)
    replies = ((move,) for move in lawful_moves(position))
    lines = (tracker.correction.taken_back + more for more in ((), *replies))
    return next((line for line in lines if shows(tracker, reached(tracker.position, line))), ())


def _played_after_all(game: Game, command: Command, moves: Line) -> Step:
    """Play moves that lie on the board. Where they had been taken back for a warning, or the game
    was claimed meanwhile, that does not hold any more."""
    retracted = game.tracker.correction.taken_back and game.arbiter.retracted
    if retracted or _is_lost_by_ruling(game):
        game = replace(game, arbiter=convictions.overruled(game.arbiter))
    return corrected_by(game, command, [*map(str, moves)], undo=0)


def _overrule_lately(game: Game, command: Command) -> Step:
    """Take the last ruling back, and what followed from it: also the end of the game, if the other
    player has claimed it for that, or it was lost by that at once."""
    if not game.arbiter.lately:
        reason = "overruled" if game.arbiter.convictions else "nothing_ruled"
        return refuse(game, command, phrase(reason))
    claimed = _is_lost_by_ruling(game)
    game = replace(game, arbiter=convictions.overruled(game.arbiter))
    if claimed:
        return _record_kept(game, command)
    return counted(game, Corrected(command.time_ms, (), notation.fen(game.position)))


def _is_lost_by_ruling(game: Game) -> bool:
    """Whether the game was claimed for an offence, or is lost on time: what is overruled first."""
    return game.result is not None and game.result.phrase[:1] in (("forfeited",), ("time_lost",))


def _let_stand(game: Game, command: Command, turn: Side | None) -> Step:
    """Go on from the board as it lies, where a player is named with him to move."""
    if not is_in_plain_view(game.tracker):
        return refuse(game, command, phrase("not_plain"))
    if not turn and (moves := _lying(game.tracker)):
        return _played_after_all(game, command, moves)
    if not turn and (instead := lying_instead(game.tracker)):
        return corrected_by(game, command, [*map(str, instead.line)], undo=instead.undone)
    if not turn and (undone := lying_before(game.tracker)):
        return corrected_by(game, command, [], undo=undone)
    position = as_it_lies(game.tracker)
    position = replace(position, turn=turn or position.turn)
    if problems := position.problems():
        return refuse(game, command, "; ".join(problems))
    if _is_lost_by_ruling(game):
        game = replace(game, arbiter=convictions.overruled(game.arbiter))
    if position == game.position:  # no square differs: what lies wrong is left to lie
        game, (corrected, *end) = _record_kept(game, command)
    else:
        game, (corrected, *end) = _corrected_to(game, command, position)
    assert isinstance(corrected, Corrected)
    return game, (replace(corrected, turn=position.turn), *end)


@_telling
def choose(game: Game, command: Command) -> Step:
    """Play the moves that the referee asked about, by their place in its list, and again what has
    been played since; what is on record already stays there."""
    asked = game.question or Unsure(command.time_ms, ())
    choice = {str(place): text for place, text in enumerate(asked.candidates, start=1)}
    if command.text not in choice:
        return refuse(game, command, phrase("not_asked"))
    texts = choice[command.text].split()
    if asked.ply is None:
        return _compared(*corrected_by(game, command, texts, undo=0))
    since = game.moves[asked.ply :]
    texts += map(str, since[len(asked.candidates[0].split()) :])
    chosen = _parsed(game.tracker.position_after(asked.ply), texts)
    kept = len(shared([chosen, since]))
    step = corrected_by(game, command, texts[kept:], undo=len(since) - kept)
    return _compared(*(_end_kept(*step, game.result) if asked.is_of_the_way else step))


def _end_kept(game: Game, events: tuple[Event, ...], result: Result | None) -> Step:
    """A step that has only changed how the board came to be as it is: the end stands that words or
    the time have made."""
    if result is None or game.result:
        return game, events
    told = (replace(e, reopened=None) if isinstance(e, Corrected) else e for e in events)
    return ended(game, result), tuple(told)


def _corrected_to(game: Game, command: Command, position: Position) -> Step:
    """The record before a set position cannot be joined to it: a new part begins there."""
    former = (*game.former, Part(game.tracker.first, game.moves, game.arbiter))
    tracker = _gone_on(game.tracker, position)
    arbiter = course.gone_on(convictions.forgiven(game.arbiter), position)
    game, reopened = clock_turned(game, position, command.time_ms), _result_of(game)
    game = replace(game, tracker=tracker, arbiter=arbiter, former=former)
    offer = game.offer and replace(game.offer, since=0)
    game = replace(game, result=None, question=None, offer=offer, answered=None)
    game = _under_way(game, command.time_ms)
    corrected = Corrected(command.time_ms, (), notation.fen(position), reopened)
    step = advised(*counted(game, corrected))
    return _ended_if_played_out(*step, command.time_ms)


def _record_kept(game: Game, command: Command) -> Step:
    """Go on from the record as it is: an end that was claimed is gone, one played out stays."""
    return _ended_if_played_out(*corrected_by(game, command, [], undo=0), command.time_ms)


def _ended_if_played_out(game: Game, events: tuple[Event, ...], time_ms: int) -> Step:
    """A step that has led to a position in which there may be no move."""
    if not has_no_move(game.position):
        return game, events
    game, end = ended_by(game, ends.lost(game.arbiter, time_ms, game.position, game.count))
    return game, (*events, *end)


def corrected_by(game: Game, command: Command, texts: list[str], undo: int) -> Step:
    """Undo some moves and play others, and forgive what was counted since the board was in order.
    NotationError, IllegalMove or AmbiguousMove."""
    kept, undone = _split(game, undo)
    if undo and not (undone or texts):
        return refuse(game, command, phrase("nothing_played"))
    moves = _parsed(game.tracker.position_after(len(kept)), texts)
    game = replace(game, arbiter=convictions.forgiven(game.arbiter))
    before = game
    game, found = taken_back(game, command, undo, again=len(moves))
    events = [*found]
    for move in moves:
        tracker = game.tracker
        played = replace(played_event(tracker, move), time_ms=command.time_ms)
        advanced = advance(tracker, move)
        game = replace(game, tracker=trusted(advanced))
        game = replace(game, arbiter=replace(game.arbiter, entered=True))
        game, more = judged(game, tracker, (played,))
        events += more
    game = replace(game, arbiter=replace(game.arbiter, entered=False))
    if len(moves) == len(undone) and not game.result:  # whoever is to move has been so all along
        game = clock_kept(game, before, command.time_ms)
    return advised(game, tuple(events))


def taken_back(game: Game, command: Command, undo: int, again: int = 0) -> Step:
    """Take moves out of the record. Unless `again` others are put in their place, the game waits
    until the board shows that."""
    kept, undone = _split(game, undo)
    tracker = _replayed(game.tracker, kept)
    if undone and not again:
        tracker = returning(tracker, (*undone, *game.tracker.correction.taken_back))
    texts_undone = notation.move_texts(tracker.position, undone)[::-1]
    fen = notation.fen(tracker.position)
    corrected = Corrected(command.time_ms, texts_undone, fen, _result_of(game))
    arbiter = course.undone(game.arbiter, len(undone), again)
    game = clock_turned(game, tracker.position, command.time_ms, len(undone))
    game = replace(game, tracker=tracker, arbiter=arbiter, result=None, question=None)
    game = unanswered(game, again)
    return counted(_under_way(game, command.time_ms), corrected)


def _result_of(game: Game) -> str | None:
    return game.result.result if game.result else None


def _split(game: Game, undo: int) -> tuple[Line, Line]:
    moves = game.moves
    middle = max(0, len(moves) - undo)
    return moves[:middle], moves[middle:]


def _replayed(tracker: Tracker, moves: Line, first: Position | None = None) -> Tracker:
    """A tracker that has seen these moves from the first position of the record, or another one,
    for sure: a person says so."""
    fresh = _gone_on(tracker, first or tracker.first)
    for move in moves:
        fresh = advance(fresh, move)
    still = frozenset(s for s in SQUARES if is_king(at(fresh.position.setup, s)))
    uncrowned = fresh.uncrowned & tracker.uncrowned & still
    return settled(replace(fresh, uncrowned=uncrowned))


def _gone_on(before: Tracker, position: Position) -> Tracker:
    """A tracker that goes on from a position, from now on; it excuses who has said that he
    adjusts."""
    return replace(
        tracker_from(before, position),
        phase=Phase.PLAYING,
        settled_ms=before.now,
        adjusting=before.adjusting,
    )


def _under_way(game: Game, time_ms: int) -> Game:
    """The game has begun, for a person has said how it goes on."""
    if game.begun:
        return game
    return clock_started(replace(game, begun=True), game.position, time_ms)


def _parsed(position: Position, texts: list[str]) -> Line:
    moves = []
    for text in texts:
        move = notation.parse_move(position, text)
        moves.append(move)
        position = after(position, move)
    return tuple(moves)

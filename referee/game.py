"""The game: one pure step from an input to what it caused.

    game = Game()
    game, events = feed(game, observation_or_command)

Nothing here reads a clock, a file or a camera; time is in the inputs. The same inputs give the
same events on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from referee import arbiter as rulings
from referee import clock as clocks
from referee import notation
from referee.announcements import say_reason
from referee.arbiter import Arbiter
from referee.board import SQUARES, Side, at, is_king
from referee.clock import Clock
from referee.commands import SIDES, Command, Word
from referee.errors import RefereeError
from referee.events import (
    Adjusting,
    ClockSet,
    Corrected,
    CountRequested,
    Dismissed,
    DrawDeclined,
    DrawOffered,
    Event,
    Otherwise,
    Phrase,
    Result,
    Seated,
    Started,
    Strengthened,
    Unsure,
    phrase,
)
from referee.history import History
from referee.notation import DRAW, WINS
from referee.playing.judging import judged, lesson, unanswered
from referee.playing.state import (
    CONTINUED,
    TAKEN_BACK,
    Game,
    Input,
    Part,
    Step,
    counted,
    ended,
    ended_by,
    refuse,
    tracker_from,
)
from referee.playing.timekeeping import clock_started, clock_turned, one_capture, waited
from referee.profiles import WCDF, Profile, TimeRule
from referee.rules import Move, Position, after, has_no_move, lawful_moves
from referee.tracker import Phase, Tracker, adjusting, advance, observe, pause, played_event, resume
from referee.tracking.memory import contradictions, returning, shows
from referee.tracking.notes import Line
from referee.tracking.rivals import reached
from referee.tracking.standing import as_it_lies, is_disputed, is_plain

__all__ = ["CONTINUED", "TAKEN_BACK", "Game", "Input", "Part", "Step", "begin", "feed"]

RESULTS = (*WINS.values(), DRAW, notation.UNFINISHED)


def begin(position: Position | None = None, profile: Profile = WCDF) -> Game:
    """A game about to begin; it waits until its first position stands on the board."""
    first = position or Position.start()
    arbiter = rulings.begin(Arbiter(profile), first)
    tracker = tracker_from(Tracker(lingering_ms=profile.lingering_ms), first)
    return Game(tracker, arbiter, clock=_usual_clock(profile.time))


def _usual_clock(rule: TimeRule | None) -> Clock | None:
    setting = clocks.parse_setting(rule.usual) if rule and rule.usual else None
    return Clock(setting) if setting else None


def feed(game: Game, given: Input) -> Step:
    """The game after one more input, and all events it caused, rulings behind their causes."""
    if isinstance(given, Command):
        return _COMMANDS[given.word](game, given)
    before = game.tracker
    tracker, events = observe(before, given)
    game = replace(game, tracker=tracker)
    game, events = judged(game, before, events) if events else (game, ())
    game, taught = lesson(game, given.time_ms)
    game, more = waited(game, given.time_ms)
    return game, events + taught + more


# --- commands -------------------------------------------------------------------------------


def _speaker(game: Game, command: Command) -> Side | Phrase:
    """The player who speaks, or why he cannot say this now."""
    if command.side is None:
        return phrase("who")
    return phrase("over") if game.result else command.side


def _start(game: Game, command: Command) -> Step:
    return _from(game, command, Position.start())


def _set_position(game: Game, command: Command) -> Step:
    try:
        position = notation.parse_fen(command.text)
    except RefereeError as error:
        return refuse(game, command, str(error))
    if has_no_move(position):
        return refuse(game, command, phrase("no_move", side=position.turn))
    return _from(game, command, position)


def _from(game: Game, command: Command, position: Position) -> Step:
    """A new game from a position; the numbering of events goes on. After a game colours change
    (3.1)."""
    arbiter = rulings.begin(game.arbiter, position)
    clock = Clock(game.clock.setting) if game.clock else None
    players = game.players[::-1] if game.players and game.is_past else game.players
    fresh = Game(tracker_from(game.tracker, position), arbiter, game.count, clock=clock)
    fresh = replace(fresh, players=players)
    started = Started(command.time_ms, notation.fen(position))
    reminder = rulings.next_game(arbiter, players, command.time_ms, game.count)
    return counted(fresh, started, *(reminder if game.is_past else ()))


def _seats(game: Game, command: Command) -> Step:
    names = [name.strip() for name in command.text.split(",")]
    if len(names) != 2 or not all(names):
        return refuse(game, command, phrase("seats"))
    red, white = names
    return counted(replace(game, players=(red, white)), Seated(command.time_ms, red, white))


def _adjusting(game: Game, command: Command) -> Step:
    tracker = adjusting(game.tracker, command.time_ms, command.side)
    return counted(replace(game, tracker=tracker), Adjusting(command.time_ms, command.side))


def _resign(game: Game, command: Command) -> Step:
    side = _speaker(game, command)
    if not isinstance(side, Side):
        return refuse(game, command, side)
    ruling = rulings.resigned(game.arbiter, command.time_ms, side, game.count)
    return ended_by(game, ruling)


def _offer_draw(game: Game, command: Command) -> Step:
    side = _speaker(game, command)
    if not isinstance(side, Side):
        return refuse(game, command, side)
    if game.offer is side.other:
        return _accept_draw(game, command)
    return counted(replace(game, offer=side), DrawOffered(command.time_ms, side))


def _accept_draw(game: Game, command: Command) -> Step:
    if game.offer is None or game.offer is command.side:
        return refuse(game, command, phrase("no_offer"))
    return ended_by(game, rulings.agreed(game.arbiter, command.time_ms, game.count))


def _decline_draw(game: Game, command: Command) -> Step:
    if game.offer is None or game.offer is command.side:
        return refuse(game, command, phrase("no_offer"))
    arbiter = rulings.declined(game.arbiter, game.offer)
    event = DrawDeclined(command.time_ms, game.offer.other)
    return counted(replace(game, offer=None, arbiter=arbiter), event)


def _request_count(game: Game, command: Command) -> Step:
    side = _speaker(game, command)
    if not isinstance(side, Side):
        return refuse(game, command, side)
    counting = rulings.counting(game.arbiter, side, command.time_ms, game.count)
    return _answered(game, command, counting, CountRequested(command.time_ms, side))


def _strengthened(game: Game, command: Command) -> Step:
    answer = rulings.strengthened(game.arbiter, command.time_ms, game.count)
    return _answered(game, command, answer, Strengthened(command.time_ms))


def _answered(game: Game, command: Command, answer: rulings.Judged | str, event: Event) -> Step:
    """An event with its rulings, or a refusal for the reason that was given."""
    if isinstance(answer, str):
        return refuse(game, command, phrase(answer))
    arbiter, caused = answer
    return counted(replace(game, arbiter=arbiter), event, *caused)


def _claim(game: Game, command: Command) -> Step:
    if game.result:
        return refuse(game, command, phrase("over"))
    claim = rulings.claim(game.arbiter, command.side)
    if isinstance(claim, str):
        return refuse(game, command, phrase(claim))
    game = replace(game, arbiter=rulings.claimed(game.arbiter, claim))
    return ended_by(game, rulings.granted(claim, command.time_ms, command.side, game.count))


def _confirm(game: Game, command: Command) -> Step:
    """Let a proposal stand; a move that it takes back leaves the record too."""
    proposed = rulings.proposal(game.arbiter, command.text)
    if proposed is None:
        return refuse(game, command, phrase("nothing_proposed"))
    arbiter, caused = rulings.confirmed(game.arbiter, proposed, command.time_ms)
    game, events = counted(replace(game, arbiter=arbiter), *caused)
    if proposed.conduct not in rulings.TAKES_BACK:
        return game, events
    game, more = _corrected_by(game, command, [], undo=1)
    game = replace(game, arbiter=rulings.retracting(game.arbiter, proposed))
    return game, events + more


def _dismiss(game: Game, command: Command) -> Step:
    proposed = rulings.proposal(game.arbiter, command.text)
    if proposed is None:
        return refuse(game, command, phrase("nothing_proposed"))
    arbiter = rulings.dismissed(game.arbiter, proposed)
    return counted(replace(game, arbiter=arbiter), Dismissed(command.time_ms, proposed.number))


def _result(game: Game, command: Command) -> Step:
    if command.text not in RESULTS:
        return refuse(game, command, phrase("results", choice=RESULTS))
    said = phrase("entered")
    result = Result(command.time_ms, command.text, say_reason(said), said)
    return counted(ended(game, result), result)


def _correct(game: Game, command: Command) -> Step:
    """Take the last move back and play others, or go on from a position."""
    try:
        if ":" in command.text:
            step = _corrected_to(game, command, notation.parse_fen(command.text))
        else:
            step = _corrected_by(game, command, command.text.split(), undo=1)
    except RefereeError as error:
        return refuse(game, command, str(error))
    return _compared(*step)


def _compared(game: Game, events: tuple[Event, ...]) -> Step:
    """A step that a person has made, and whether the board shows otherwise than he has said."""
    tracker = game.tracker
    differing = contradictions(tracker) if is_plain(tracker) else ()
    if tracker.phase is not Phase.PLAYING or not differing:
        return game, events
    squares = tuple(square for square, _ in differing)
    game = replace(game, tracker=replace(tracker, differs=differing))
    game, (otherwise,) = counted(game, Otherwise(events[-1].time_ms, squares))
    return game, (*events, otherwise)


def _overrule(game: Game, command: Command) -> Step:
    """Play moves from the position, or go on from the board as it lies. Where that is in order the
    last warning is taken back."""
    turn = SIDES.get(command.text.lower())
    if turn or (not command.text and _may_let_stand(game)):
        return _let_stand(game, command, turn)
    if not command.text:
        return _overrule_lately(game, command)
    try:
        return _compared(*_corrected_by(game, command, command.text.split(), undo=0))
    except RefereeError as error:
        return refuse(game, command, str(error))


def _may_let_stand(game: Game) -> bool:
    """Whether the board is not as it should be, or cannot be seen where moves are to go back on it;
    also at the end of a game that was claimed for that."""
    tracker = game.tracker
    if tracker.taken_back and not is_plain(tracker):
        return True
    return is_disputed(tracker) or (_was_claimed(game) and bool(contradictions(tracker)))


def _lying(tracker: Tracker) -> Line:
    """The moves that were taken back, perhaps with a reply, if the board shows them still."""
    position = tracker.position
    for move in tracker.taken_back:
        position = after(position, move)
    replies = ((move,) for move in lawful_moves(position))
    lines = (tracker.taken_back + more for more in ((), *replies)) if tracker.taken_back else ()
    return next((line for line in lines if shows(tracker, reached(tracker.position, line))), ())


def _played_after_all(game: Game, command: Command, moves: Line) -> Step:
    """Let moves stand that were taken back, and take back the warning that had them taken back."""
    texts = notation.move_texts(game.position, moves)
    if game.arbiter.retracted:
        game = replace(game, arbiter=rulings.overruled(game.arbiter))
    return _corrected_by(game, command, [*texts], undo=0)


def _overrule_lately(game: Game, command: Command) -> Step:
    """Take the last warning back, and what followed from it: also the end of the game, if the
    other player has claimed it for that."""
    if not game.arbiter.lately:
        return refuse(game, command, phrase("nothing_ruled"))
    claimed = _was_claimed(game)
    game = replace(game, arbiter=rulings.overruled(game.arbiter))
    if claimed:
        return _corrected_by(game, command, [], undo=0)
    return counted(game, Corrected(command.time_ms, (), notation.fen(game.position)))


def _was_claimed(game: Game) -> bool:
    """Whether the game was claimed for the offence that was counted last."""
    result, arbiter = game.result, game.arbiter
    if result is None or "forfeited" not in result.phrase[:1]:
        return False
    by_rule = result.rule == arbiter.profile.forfeited  # else it was claimed on time
    return by_rule and any(result.result == WINS[side.other] for side, _ in arbiter.lately)


def _let_stand(game: Game, command: Command, turn: Side | None) -> Step:
    """Go on from the board as it lies, where a player is named with him to move."""
    if not is_plain(game.tracker):
        return refuse(game, command, phrase("not_plain"))
    if not turn and (moves := _lying(game.tracker)):
        return _played_after_all(game, command, moves)
    position = as_it_lies(game.tracker)
    position = replace(position, turn=turn or position.turn)
    if problems := position.problems():
        return refuse(game, command, "; ".join(problems))
    forgiven = rulings.overruled if _was_claimed(game) else rulings.let_stand
    game = replace(game, arbiter=forgiven(game.arbiter))
    game, (corrected, *end) = _corrected_to(game, command, position)
    assert isinstance(corrected, Corrected)
    return game, (replace(corrected, turn=position.turn), *end)


def _choose(game: Game, command: Command) -> Step:
    """Play the moves that the referee asked about, by their place in its list, and again what has
    been played since."""
    asked = game.question or Unsure(command.time_ms, ())
    choice = {str(place): text for place, text in enumerate(asked.candidates, start=1)}
    if command.text not in choice:
        return refuse(game, command, phrase("not_asked"))
    texts = choice[command.text].split()
    if asked.ply is None:
        return _compared(*_corrected_by(game, command, texts, undo=0))
    record = notation.move_texts(game.tracker.first, game.moves)
    texts += record[asked.ply + len(asked.candidates[0].split()) :]
    return _compared(*_corrected_by(game, command, texts, undo=len(record) - asked.ply))


def _corrected_to(game: Game, command: Command, position: Position) -> Step:
    """The record before a set position cannot be joined to it: a new part begins there."""
    part = Part(game.tracker.first, game.moves)
    former = (*game.former, part) if part.plies else game.former
    tracker = _gone_on(game.tracker, position)
    arbiter = rulings.undone(rulings.forgiven(game.arbiter), 0)
    tally = replace(arbiter.tally, since=0) if arbiter.tally else None
    arbiter = replace(arbiter, history=History(position), tally=tally)
    game, reopened = clock_turned(game, position, command.time_ms), _result_of(game)
    game = replace(game, tracker=tracker, arbiter=arbiter, former=former)
    game = replace(game, result=None, question=None, answered=None)
    game = _under_way(game, command.time_ms)
    corrected = Corrected(command.time_ms, (), notation.fen(position), reopened)
    game, events = counted(game, corrected)
    if not has_no_move(position):
        return game, events
    lost = rulings.lost(game.arbiter, command.time_ms, position, game.count - 1)
    game, end = ended_by(game, lost)
    return game, (*events, *end)


def _corrected_by(game: Game, command: Command, texts: list[str], undo: int) -> Step:
    """Undo some moves and play others. NotationError, IllegalMove or AmbiguousMove.

    Where moves are only taken back, the game waits until the board shows that.
    """
    kept, undone = _split(game, undo)
    ended = game.result is not None and not has_no_move(game.position)
    if undo and not (undone or texts or ended):
        return refuse(game, command, phrase("nothing_played"))
    tracker = _replayed(game.tracker, kept)
    moves = _parsed(tracker.position, texts)
    if undone and not moves:
        tracker = returning(tracker, (*undone, *game.tracker.taken_back))
    texts_undone = notation.move_texts(tracker.position, undone)[::-1]
    fen = notation.fen(tracker.position)
    corrected = Corrected(command.time_ms, texts_undone, fen, _result_of(game))
    arbiter = rulings.undone(rulings.forgiven(game.arbiter), len(undone))
    game = clock_turned(game, tracker.position, command.time_ms, len(undone))
    game = replace(game, tracker=tracker, arbiter=arbiter, result=None, question=None)
    game = unanswered(game) if undone else game
    game = _under_way(game, command.time_ms)
    game, found = counted(game, corrected)
    events = [*found]
    for move in moves:
        before = game.tracker
        played = replace(played_event(before, move), time_ms=command.time_ms)
        tracker = advance(before, move)
        game = replace(game, tracker=replace(tracker, sure=len(tracker.plies)))
        game, more = judged(game, before, (played,))
        events += more
    return game, tuple(events)


def _result_of(game: Game) -> str | None:
    return game.result.result if game.result else None


def _split(game: Game, undo: int) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
    moves = game.moves
    middle = max(0, len(moves) - undo)
    return moves[:middle], moves[middle:]


def _replayed(tracker: Tracker, moves: tuple[Move, ...]) -> Tracker:
    """A tracker that has seen these moves from the first position of the record, for sure: a
    person says so."""
    fresh = _gone_on(tracker, tracker.first)
    for move in moves:
        fresh = advance(fresh, move)
    still = frozenset(s for s in SQUARES if is_king(at(fresh.position.setup, s)))
    uncrowned = fresh.uncrowned & tracker.uncrowned & still
    return replace(fresh, uncrowned=uncrowned, sure=len(moves))


def _gone_on(before: Tracker, position: Position) -> Tracker:
    """A tracker that goes on from a position; it sees no more than it did, and looks away for as
    long as it was told to."""
    return replace(
        tracker_from(before, position),
        phase=Phase.PLAYING,
        paused=before.paused,
        blind_ms=before.blind_ms,
        blind_said=before.blind_said,
        seeing_ms=before.seeing_ms,
    )


def _under_way(game: Game, time_ms: int) -> Game:
    """The game has begun, for a person has said how it goes on."""
    return game if game.begun else clock_started(replace(game, begun=True), time_ms)


def _parsed(position: Position, texts: list[str]) -> tuple[Move, ...]:
    moves = []
    for text in texts:
        move = notation.parse_move(position, text)
        moves.append(move)
        position = after(position, move)
    return tuple(moves)


def _pause(game: Game, command: Command) -> Step:
    tracker, events = pause(game.tracker, command.time_ms)
    clock = clocks.stop(game.clock, command.time_ms) if game.clock else None
    return counted(replace(game, tracker=tracker, clock=clock), *events)


def _resume(game: Game, command: Command) -> Step:
    """Look again; a clock without a button goes on as soon as the board is seen."""
    tracker, events = resume(game.tracker, command.time_ms)
    clock = game.clock
    if clock and clock.setting.by_button and not game.result:
        clock = clocks.resume(clock, command.time_ms)
    return counted(replace(game, tracker=tracker, clock=clock), *events)


def _clock(game: Game, command: Command) -> Step:
    """Set the clock anew; where the game has begun it runs at once."""
    if game.arbiter.profile.time is None:
        return refuse(game, command, phrase("no_clock_rule"))
    try:
        setting = clocks.parse_setting(command.text)
    except RefereeError:
        return refuse(game, command, phrase("limits"))
    game = replace(game, clock=Clock(setting) if setting else None)
    if game.begun and not game.result:
        game = clock_started(game, command.time_ms)
    return counted(game, ClockSet(command.time_ms, command.text))


def _press(game: Game, command: Command) -> Step:
    """The button of the clock: the move of the player who pressed it is complete."""
    clock = game.clock
    if clock is None or not clock.setting.by_button:
        return refuse(game, command, phrase("no_button"))
    if clock.side is None or clock.side is not command.side:
        return refuse(game, command, phrase("not_running"))
    single = game.position.turn is clock.side.other and one_capture(game.position)
    return replace(game, clock=clocks.pressed(clock, command.time_ms, single)), ()


_COMMANDS: dict[Word, Callable[[Game, Command], Step]] = {
    Word.START: _start,
    Word.SEATS: _seats,
    Word.SET_POSITION: _set_position,
    Word.ADJUSTING: _adjusting,
    Word.RESIGN: _resign,
    Word.OFFER_DRAW: _offer_draw,
    Word.ACCEPT_DRAW: _accept_draw,
    Word.DECLINE_DRAW: _decline_draw,
    Word.REQUEST_COUNT: _request_count,
    Word.STRENGTHENED: _strengthened,
    Word.CLAIM: _claim,
    Word.CONFIRM: _confirm,
    Word.DISMISS: _dismiss,
    Word.CORRECT: _correct,
    Word.CHOOSE: _choose,
    Word.OVERRULE: _overrule,
    Word.RESULT: _result,
    Word.CLOCK: _clock,
    Word.PRESS: _press,
    Word.PAUSE: _pause,
    Word.RESUME: _resume,
}

"""What people say: a function for each command, and which word means which."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps

from referee import arbiter as arbiters
from referee import clock as clocks
from referee import notation
from referee.announcements import say_reason
from referee.board import Side
from referee.clock import Clock
from referee.commands import Command, Word
from referee.errors import RefereeError
from referee.events import (
    Adjusting,
    ClockSet,
    CountRequested,
    Dismissed,
    DrawDeclined,
    DrawOffered,
    Event,
    Headed,
    Result,
    Seated,
    Started,
    Strengthened,
    phrase,
)
from referee.notation import DRAW, WINS
from referee.playing.corrections import choose, correct, overrule, taken_back
from referee.playing.state import Game, Offer, Step, counted, ended, ended_by, refuse, tracker_from
from referee.playing.timekeeping import clock_started, one_capture
from referee.rules import Position, has_no_move
from referee.ruling import claims, convictions, draws, ends
from referee.ruling.bound import bound_by_proposal
from referee.tracking.memory import adjusting
from referee.tracking.view import pause, resume

RESULTS = (*WINS.values(), DRAW, notation.UNFINISHED)


Said = Callable[[Game, Command], Step]


def _in_play(said: Said) -> Said:
    """The same, refused before the game has begun and when it is over."""

    @wraps(said)
    def heard(game: Game, command: Command) -> Step:
        if game.result or not game.begun:
            return refuse(game, command, phrase("over" if game.result else "not_begun"))
        return said(game, command)

    return heard


def _of_this_game(said: Said) -> Said:
    """The same, refused where it may be said of the last game, too late: nobody has ended that, and
    this one has no move yet."""

    @wraps(said)
    def heard(game: Game, command: Command) -> Step:
        if game.left_open and not any(game.lengths):
            return refuse(game, command, phrase("left_open"))
        return said(game, command)

    return heard


def _until_ruled(said: Said) -> Said:
    """The same, heard also when the game is played out: the last move does not undo what was done
    wrong with it, or before."""
    in_play = _in_play(said)

    @wraps(said)
    def heard(game: Game, command: Command) -> Step:
        return said(game, command) if game.is_played_out else in_play(game, command)

    return heard


def _by_a_player(said: Callable[[Game, Command, Side], Step]) -> Said:
    """The same, refused also when nobody says who speaks."""

    @_in_play
    def heard(game: Game, command: Command) -> Step:
        if command.side is None:
            return refuse(game, command, phrase("who"))
        return said(game, command, command.side)

    return heard


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
    """A new game from a position; the numbering of events goes on. After a game colours change, if
    the rules have it so (3.1); not where a position is set up in the midst of one."""
    arbiter = arbiters.begin(game.arbiter, position)
    clock = Clock(game.clock.setting) if game.clock else None
    is_next = game.is_past and (game.result is not None or position == Position.start())
    changes = is_next and arbiter.profile.colours
    changed = game.players[::-1] if game.players and changes else game.players
    players = game.next_players or changed
    fresh = Game(tracker_from(game.tracker, position), arbiter, game.count, clock=clock)
    fresh = replace(fresh, players=players, heading=game.heading, left_open=game.leaves_open)
    started = Started(command.time_ms, notation.fen(position))
    reminder = ends.next_game(arbiter, players, command.time_ms, game.count)
    return counted(fresh, started, *(reminder if is_next else ()))


def _seats(game: Game, command: Command) -> Step:
    """Who plays; after the end, where that was known, who plays the next game if there is one."""
    names = [name.strip() for name in command.text.split(",")]
    if len(names) != 2 or not all(names):
        return refuse(game, command, phrase("seats"))
    red, white = names
    is_over = game.result is not None and game.players is not None
    is_next = is_over and not command.afterwards
    if is_next:
        game = replace(game, next_players=(red, white))
    else:
        game = replace(game, players=(red, white))
    return counted(game, Seated(command.time_ms, red, white, is_next))


def _heading(game: Game, command: Command) -> Step:
    """What stands above the record, by the tag that is called as the command; of a game that is
    over too."""
    tag = command.word.value.capitalize()
    game = replace(game, heading={**game.heading, tag: command.text})
    return counted(game, Headed(command.time_ms, tag, command.text))


def _adjusting(game: Game, command: Command) -> Step:
    tracker = adjusting(game.tracker, command.time_ms, command.side)
    return counted(replace(game, tracker=tracker), Adjusting(command.time_ms, command.side))


@_of_this_game
@_by_a_player
def _resign(game: Game, command: Command, side: Side) -> Step:
    ruling = ends.resigned(game.arbiter, command.time_ms, side, game.count)
    return ended_by(game, ruling)


@_by_a_player
def _offer_draw(game: Game, command: Command, side: Side) -> Step:
    if game.offer and game.offer.side is side.other:
        return _accept_draw(game, command)
    offer = Offer(side, len(game.moves))
    return counted(replace(game, offer=offer), DrawOffered(command.time_ms, side))


@_of_this_game
@_in_play
def _accept_draw(game: Game, command: Command) -> Step:
    if game.offer is None or game.offer.side is command.side:
        return refuse(game, command, phrase("no_offer"))
    return ended_by(game, ends.agreed(game.arbiter, command.time_ms, game.count))


@_in_play
def _decline_draw(game: Game, command: Command) -> Step:
    if game.offer is None or game.offer.side is command.side:
        return refuse(game, command, phrase("no_offer"))
    arbiter = draws.declined(game.arbiter, game.offer.side)
    event = DrawDeclined(command.time_ms, game.offer.side.other)
    return counted(replace(game, offer=None, arbiter=arbiter), event)


@_by_a_player
def _request_count(game: Game, command: Command, side: Side) -> Step:
    counting = draws.counting(game.arbiter, side, command.time_ms, game.count)
    return _answered(game, command, counting, CountRequested(command.time_ms, side))


@_in_play
def _strengthened(game: Game, command: Command) -> Step:
    answer = draws.strengthened(game.arbiter, command.time_ms, game.count)
    return _answered(game, command, answer, Strengthened(command.time_ms))


def _answered(game: Game, command: Command, answer: arbiters.Judged | str, event: Event) -> Step:
    """An event with its rulings, or a refusal for the reason that was given."""
    if isinstance(answer, str):
        return refuse(game, command, phrase(answer))
    arbiter, caused = answer
    return counted(replace(game, arbiter=arbiter), event, *caused)


@_of_this_game
@_until_ruled
def _claim(game: Game, command: Command) -> Step:
    claim = claims.claim(game.arbiter, command.side, over=game.is_played_out)
    if isinstance(claim, str):
        return refuse(game, command, phrase(claim))
    game = replace(game, arbiter=claims.claimed_for(game.arbiter, claim))
    return ended_by(game, ends.granted(claim, command.time_ms, game.count))


@_until_ruled
def _confirm(game: Game, command: Command) -> Step:
    """Let a proposal stand; a move that it takes back leaves the record too."""
    proposed = convictions.proposal(game.arbiter, command.text)
    if proposed is None:
        return refuse(game, command, phrase("nothing_proposed"))
    takes_back = convictions.takes_back(game.arbiter, proposed)
    arbiter, caused = convictions.confirmed(game.arbiter, proposed, command.time_ms, game.count)
    game, events = counted(replace(game, arbiter=arbiter), *caused)
    if not takes_back:
        return game, events
    game, more = taken_back(game, command, undo=1)
    game = replace(game, arbiter=bound_by_proposal(game.arbiter, proposed))
    return game, events + more


@_until_ruled
def _dismiss(game: Game, command: Command) -> Step:
    proposed = convictions.proposal(game.arbiter, command.text)
    if proposed is None:
        return refuse(game, command, phrase("nothing_proposed"))
    arbiter = convictions.dismissed(game.arbiter, proposed)
    return counted(replace(game, arbiter=arbiter), Dismissed(command.time_ms, proposed.number))


@_of_this_game
def _result(game: Game, command: Command) -> Step:
    if command.text not in RESULTS:
        return refuse(game, command, phrase("results", choice=RESULTS))
    if not game.begun:
        return refuse(game, command, phrase("not_begun"))
    said = phrase("entered")
    result = Result(command.time_ms, command.text, say_reason(said), said)
    return counted(ended(game, result), result)


def _pause(game: Game, command: Command) -> Step:
    tracker, events = pause(game.tracker, command.time_ms)
    clock = clocks.stop(game.clock, command.time_ms) if game.clock else None
    return counted(replace(game, tracker=tracker, clock=clock), *events)


def _resume(game: Game, command: Command) -> Step:
    """Look again; a clock without a button goes on as soon as the board is seen."""
    clock = game.clock
    if clock and clock.setting.by_button and not game.result:
        clock = clocks.resume(clock, command.time_ms)
    return replace(game, tracker=resume(game.tracker), clock=clock), ()


def _clock(game: Game, command: Command) -> Step:
    """Set the clock anew; where the game has begun it runs as soon as it may."""
    rule = game.arbiter.profile.time
    if rule is None:
        return refuse(game, command, phrase("no_clock_rule"))
    try:
        setting = clocks.parse_setting(command.text, single=bool(rule.single))
    except RefereeError as error:
        return refuse(game, command, str(error))
    arbiter = ends.with_other_clock(game.arbiter)
    game = replace(game, clock=Clock(setting) if setting else None, arbiter=arbiter)
    if game.begun:
        game = clock_started(game, game.position, command.time_ms)
    return counted(game, ClockSet(command.time_ms, command.text.lower()))


def _press(game: Game, command: Command) -> Step:
    """The button of the clock: the move of the player who pressed it is complete."""
    clock = game.clock
    if clock is None or not clock.setting.by_button:
        return refuse(game, command, phrase("no_button"))
    if game.result:
        return refuse(game, command, phrase("over"))
    turn = game.position.turn
    if clock.press and clock.side is turn and command.side is turn.other:  # the button goes back up
        return replace(game, clock=replace(clock, press=None)), ()
    if clock.side is None or clock.side is not command.side:
        return refuse(game, command, phrase("not_running"))
    untold = turn is clock.side
    single = not untold and one_capture(game.position)
    return replace(game, clock=clocks.pressed(clock, command.time_ms, single, untold)), ()


COMMANDS: dict[Word, Said] = {
    Word.START: _start,
    Word.SEATS: _seats,
    Word.EVENT: _heading,
    Word.SITE: _heading,
    Word.ROUND: _heading,
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
    Word.CORRECT: correct,
    Word.CHOOSE: choose,
    Word.OVERRULE: overrule,
    Word.RESULT: _result,
    Word.CLOCK: _clock,
    Word.PRESS: _press,
    Word.PAUSE: _pause,
    Word.RESUME: _resume,
}

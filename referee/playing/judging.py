"""What an observation brings: the rulings behind its events, and advice in a lesson."""

from __future__ import annotations

from dataclasses import replace

from referee import clock as clocks
from referee import notation
from referee.board import Side, only
from referee.events import (
    Crowned,
    Event,
    Held,
    Irregular,
    Lingering,
    NotWatching,
    Played,
    Ready,
    Restored,
    Touched,
    Unsure,
    Withdrawn,
)
from referee.playing.state import Answer, Game, Step, counted, finished, numbered, open_question
from referee.playing.timekeeping import clock_started, clock_turned, one_capture, told_of_clock
from referee.rules import Move, Position, after, has_no_move
from referee.ruling import conduct, convictions, course, draws, ends, lessons, offences
from referee.tracker import Phase, Tracker
from referee.tracking.leaps import CROWN_REACH_MS
from referee.tracking.memory import QUIET_MS
from referee.tracking.touches import held


def judged(game: Game, before: Tracker, events: tuple[Event, ...]) -> Step:
    """Add the rulings to what the tracker has found."""
    kept = len(before.plies) - sum(len(e.undone) for e in events if isinstance(e, Withdrawn))
    position, moves = before.position, iter(game.tracker.plies[kept:])
    out: list[Event] = []
    for event in events:
        if isinstance(event, Restored) and _stays_wrong(before, game.tracker, events):
            continue
        if isinstance(event, Unsure) and before.incident and _has_played(events):
            # Both have let it lie: nobody refuses to put it right.
            game = replace(game, arbiter=convictions.in_order(game.arbiter))
        event = _told(game, before, event)
        if isinstance(event, Withdrawn):
            position = notation.parse_fen(event.fen)
            again = sum(isinstance(each, Played) for each in events)
            game, caused = _judge_withdrawn(game, event, position, again)
        elif isinstance(event, Played):
            move = next(moves)
            position = after(position, move)
            game, caused = _judge_played(game, event, move, position)
        else:
            game, caused = _judge(game, event, position)
        game, caused = numbered(game, caused, game.count + 1)
        game = replace(game, count=game.count + 1 + len(caused))
        out += (event, *caused)
    return game, tuple(out)


def _stays_wrong(before: Tracker, now: Tracker, events: tuple[Event, ...]) -> bool:
    """Whether it is by a move that an irregularity is over, discs lying about as nobody may leave
    them: the game has gone on, but the board is not in order."""
    return _has_played(events) and bool(before.ranks.altered or now.loose)


def _told(game: Game, before: Tracker, event: Event) -> Event:
    """The event with what the tracker does not know: that the game has begun already, and whose
    hand it was that crowned."""
    if isinstance(event, Ready) and game.begun:
        return Restored(event.time_ms)
    if isinstance(event, Crowned):
        return replace(event, by=_crowner(before, game.tracker, event.square))
    return event


def _has_played(events: tuple[Event, ...]) -> bool:
    return any(isinstance(event, Played) for event in events)


def lesson(game: Game, time_ms: int) -> Step:
    """In a lesson: where the piece may go that its player holds in his hand."""
    tracker, arbiter = game.tracker, game.arbiter
    if arbiter.profile.lesson is None or tracker.phase is not Phase.PLAYING:
        return game, ()
    piece = held(tracker)
    if piece is None or arbiter.told == piece.square:
        return game, ()
    event = Held(time_ms, tracker.position.turn, piece.square, piece.since_ms)
    arbiter, caused = lessons.explained(arbiter, event, game.count, game.position)
    return counted(replace(game, arbiter=arbiter), event, *caused)


def _crowner(before: Tracker, now: Tracker, square: int) -> Side | None:
    """Whose hand put a crown on: the only one about since the board was last in order, if one was
    at the man when he began to look crowned, or over him later. Faint crowns are seen long after
    they were put on, and plainer in the shadow of the next hand."""
    sight, glance = now.sight, now.sight.at(square)
    if glance.near_ms < glance.stacked_ms - CROWN_REACH_MS:
        return None
    comes = now.now - glance.near_ms < QUIET_MS
    if comes and max(glance.stacked_ms, glance.covered_ms) <= before.settled_ms:
        return None
    hands = sight.sides_since(before.settled_ms + 1)
    return None if sight.unnamed else only(hands)


def _judge(game: Game, event: Event, position: Position) -> Step:
    arbiter, number = game.arbiter, game.count
    caused: tuple[Event, ...] = ()
    match event:
        case Ready():
            # Moves may be told with it, and the tracker has made them already.
            game = clock_started(replace(game, begun=True), position, event.time_ms)
            caused = lessons.advice(arbiter, event.time_ms, number)
        case Restored():
            arbiter = convictions.in_order(arbiter)
            game = replace(game, question=open_question(game))
        case Unsure():
            game = replace(game, question=event)
            caused = () if event.is_of_the_way else told_of_clock(game, event.time_ms)
        case NotWatching():
            caused = told_of_clock(game, event.time_ms)
        case Irregular():
            arbiter, caused = offences.irregular(arbiter, event, number, position)
        case Touched():
            arbiter, caused = conduct.touched(arbiter, event, number, position)
        case Lingering():
            arbiter, caused = conduct.lingering(arbiter, event, number)
        case Crowned():
            arbiter, caused = conduct.crowned(arbiter, event, number, position)
    return replace(game, arbiter=arbiter), caused


def _judge_withdrawn(game: Game, event: Withdrawn, position: Position, again: int) -> Step:
    """The game without some moves, in whose place `again` others follow."""
    undone = len(event.undone)
    arbiter = course.undone(game.arbiter, undone, again)
    game = unanswered(replace(game, arbiter=arbiter, question=None), again)
    return clock_turned(game, position, event.time_ms, undone), ()


def _judge_played(game: Game, event: Played, move: Move, now: Position) -> Step:
    glance = game.tracker.sight.at(move.end)
    by_other = glance.changed_by is event.side.other and not glance.shared
    arbiter = replace(game.arbiter, guided=game.arbiter.guided or by_other)
    arbiter, caused = course.played(arbiter, event, game.count, move, now)
    game = _offer_answered(replace(game, arbiter=arbiter), event.side)
    game = replace(game, question=open_question(game))
    if game.clock and game.clock.setting.by_button:
        clock = clocks.told(game.clock, event.side, event.time_ms, one_capture(now))
        game = replace(game, clock=clock)
    elif game.clock:
        at_ms = _left_ms(game, event)
        game = replace(game, clock=clocks.complete(game.clock, at_ms, one_capture(now)))
    if not has_no_move(now):
        return game, caused
    number = game.count + 1 + len(caused)
    game, end = finished(game, ends.lost(arbiter, event.time_ms, now, number))
    return game, (*caused, *end)


def _offer_answered(game: Game, mover: Side) -> Game:
    """Who plays on does not agree to the draw that the other player has offered (7.2)."""
    offer, arbiter = game.offer, game.arbiter
    made = len(arbiter.history.plies)
    if offer is None or offer.side is mover or offer.since >= made:
        return game
    answer = Answer(made, offer, offer.side not in arbiter.declined)
    arbiter = draws.declined(arbiter, offer.side)
    return replace(game, offer=None, answered=answer, arbiter=arbiter)


def unanswered(game: Game, again: int) -> Game:
    """The game that has forgotten the answer by a move that is not on record any more. The `again`
    moves in place of those taken out were made before an offer behind these."""
    answer, arbiter, offer = game.answered, game.arbiter, game.offer
    made = len(arbiter.history.plies)
    if answer and answer.ply > made:
        if answer.first:
            arbiter = draws.not_declined(arbiter, answer.offer.side)
        offer, answer = offer or answer.offer, None
    offer = offer and replace(offer, since=min(offer.since, made + again))
    return replace(game, offer=offer, answered=answer, arbiter=arbiter)


def _left_ms(game: Game, event: Played) -> int:
    """When the mover's hand left: his move was complete then, though not yet certain."""
    sight = game.tracker.sight
    hand_ms = sight.hand_of_ms(event.side)
    began_ms = (game.clock.since_ms if game.clock else None) or 0
    return min(event.time_ms, hand_ms) if hand_ms > began_ms else event.time_ms

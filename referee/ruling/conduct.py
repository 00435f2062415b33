"""What touches mean, lingering hands, and refusals to put the board right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.arbiter import Arbiter, Contact, Judged
from referee.board import Side, at, side_of
from referee.deeds import HANDLED
from referee.events import (
    Conduct,
    Crowned,
    Irregular,
    Irregularity,
    Lingering,
    Played,
    Touch,
    Touched,
    phrase,
)
from referee.rules import Position, captures, lawful_moves
from referee.ruling.bound import bound, playable
from referee.ruling.convictions import charge, without_order
from referee.ruling.lessons import explained

SETTLING_MS = 1_500
"""A touch so shortly before the other player's move was announced came after that move."""


def touched(arbiter: Arbiter, event: Touched, number: int, position: Position) -> Judged:
    """What a touch means (4.2, 4.3, 4.6). Who cannot be named is not accused, nor who may have
    touched the piece when he had made his move already, or with his sleeve while he did."""
    contact = Contact(event, number)
    if event.side is None or event.beside or _crowning(arbiter, event):
        return arbiter, ()
    if event.side is not position.turn:
        return replace(arbiter, early=arbiter.early or contact), ()
    return _touched_on_turn(arbiter, contact, position)


def _crowning(arbiter: Arbiter, event: Touched) -> bool:
    """Whether the touched piece is the new king, which the other player crowns (3.9). Its owner may
    have done so too, wrongly, but not when it had its crown before he touched it."""
    move, owner = arbiter.history.last, arbiter.history.now.turn.other
    if move is None or not move.crowns or event.square != move.end:
        return False
    is_crowned = arbiter.crowned_ms is not None and arbiter.crowned_ms < event.touched_ms
    return event.side is not owner or not is_crowned


def _touched_on_turn(arbiter: Arbiter, contact: Contact, position: Position) -> Judged:
    """Of his own pieces the first one counts (4.2), of the other's any (4.3)."""
    square = contact.event.square
    own = position.turn.owns(at(position.setup, square))
    if own and arbiter.profile.lesson:
        return explained(arbiter, contact.event, contact.number, position)
    if _to_be_taken(position, square) or (own and arbiter.contact):
        return arbiter, ()
    arbiter = replace(arbiter, contact=contact) if own else arbiter
    if arbiter.misplayed is not None or playable(position, square):
        return arbiter, ()
    return _unplayable_touch(arbiter, contact, position)


def _unplayable_touch(
    arbiter: Arbiter, contact: Contact, position: Position, ordered: bool = False
) -> Judged:
    due = bound(arbiter, position)
    moves = [move for move in lawful_moves(position) if due in (None, move.start)]
    lawful = [str(move) for move in moves]
    conduct = Conduct.TOUCHED_UNPLAYABLE
    arbiter = replace(arbiter, misplayed=contact.number)
    return _charged(arbiter, conduct, contact, position.turn, ordered, lawful=lawful)


def _to_be_taken(position: Position, square: int) -> bool:
    """Whether a capture takes the piece, so that it may be touched to be removed."""
    return any(square in move.captured for move in captures(position))


def handled(arbiter: Arbiter, event: Irregular, number: int, position: Position) -> Judged:
    """What it means that a piece was moved or taken off that is not the player's to move: the
    other's (4.3), or any off turn (4.6). It stays a proposal, for nothing but whose hand was about
    tells who it was. An own piece may be in the hand of a player who thinks: he must play with
    it (4.2). Where nobody is accused it means nothing: what to do with the piece has been said. Nor
    do pieces of both players: which of them he meant to touch nobody can tell."""
    if event.side is None or event.kind not in HANDLED or not arbiter.profile.proposes:
        return arbiter, ()
    square = event.squares[0]
    touch = Touched(event.time_ms, event.side, square, Touch.LIFTED, event.time_ms)
    if _crowning(arbiter, touch):
        return arbiter, ()
    contact = Contact(touch, number)
    if event.side is not position.turn:
        return _off_turn_touch(arbiter, contact, ordered=True)
    gone = event.squares if event.kind is Irregularity.PIECE_REMOVED else (square,)
    owners = {side_of(at(position.setup, each)) for each in gone}
    if len(owners) > 1:
        return arbiter, ()
    if event.side in owners:
        first = arbiter.contact or contact
        return replace(arbiter, contact=first), ()
    if _to_be_taken(position, square):
        return arbiter, ()
    return _unplayable_touch(arbiter, contact, position, ordered=True)


def early_touch(arbiter: Arbiter, event: Played) -> Judged:
    """A touch by the player who did not move: off turn, or the beginning of his own turn."""
    early = arbiter.early
    if early is None:
        return arbiter, ()
    arbiter = replace(arbiter, early=None)
    if event.time_ms - early.event.touched_ms < SETTLING_MS:
        return _touched_on_turn(arbiter, early, arbiter.history.now)
    return _off_turn_touch(arbiter, early)


def _off_turn(arbiter: Arbiter, time_ms: int) -> Judged:
    """A touch off turn, when the other player has made no move that it came after."""
    early = arbiter.early
    if early is None or time_ms - early.event.time_ms < SETTLING_MS:
        return arbiter, ()
    return _off_turn_touch(replace(arbiter, early=None), early)


def _off_turn_touch(arbiter: Arbiter, contact: Contact, ordered: bool = False) -> Judged:
    side = contact.event.side
    assert side is not None
    return _charged(arbiter, Conduct.TOUCHED_OFF_TURN, contact, side, ordered)


def _charged(
    arbiter: Arbiter,
    conduct: Conduct,
    contact: Contact,
    side: Side,
    ordered: bool,
    **more: Sequence[str],
) -> Judged:
    """`ordered` where it has been said what to do with the piece, which is not to leave it."""
    said = phrase(conduct.value, side=side, square=contact.event.square, **more)
    said = without_order(said) if ordered else said
    return charge(arbiter, conduct, side, said, contact.event.time_ms, contact.number)


def lingering(arbiter: Arbiter, event: Lingering, number: int) -> Judged:
    """What a hand means that stays on the piece it has moved (4.8). In a lesson each player is told
    once: who is slow has his hand there at every move."""
    if event.side in arbiter.lingered:
        return arbiter, ()
    if arbiter.profile.lesson:
        arbiter = replace(arbiter, lingered=arbiter.lingered | {event.side})
    conduct = Conduct.HAND_LINGERING
    said = phrase(conduct.value, side=event.side, square=event.square)
    return charge(arbiter, conduct, event.side, said, event.time_ms, number)


def crowned(arbiter: Arbiter, event: Crowned, number: int, position: Position) -> Judged:
    """What it means by whose hand a man was crowned (3.9)."""
    if event.square == arbiter.uncrowned:
        arbiter = replace(arbiter, uncrowned=None, crowned_ms=event.time_ms)
    owner = side_of(at(position.setup, event.square))
    if event.by is None or event.by is not owner:
        return arbiter, ()
    said = phrase(Conduct.CROWNED_BY_OWNER.value, side=owner, square=event.square)
    return charge(arbiter, Conduct.CROWNED_BY_OWNER, owner, said, event.time_ms, number)


def waited(arbiter: Arbiter, time_ms: int) -> Judged:
    """What has become certain by the mere passing of time."""
    arbiter, found = _off_turn(arbiter, time_ms)
    warned = arbiter.warned
    if warned is None or time_ms - warned.since_ms < arbiter.profile.patience_ms:
        return arbiter, found
    arbiter = replace(arbiter, warned=None)
    if arbiter.profile.lesson or warned.untidy:  # a pupil may not have understood; nobody refuses
        return arbiter, (*found, replace(warned.ruling, time_ms=time_ms))
    said = phrase(Conduct.NOT_PUT_RIGHT.value, side=warned.side)
    arbiter, more = charge(
        arbiter, Conduct.NOT_PUT_RIGHT, warned.side, said, time_ms, warned.number
    )
    return arbiter, found + more


def unseen(arbiter: Arbiter, time_ms: int) -> Arbiter:
    """The arbiter while the game is not followed: the board may be put right behind his back."""
    return replace(arbiter, warned=arbiter.warned and replace(arbiter.warned, since_ms=time_ms))

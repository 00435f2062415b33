"""Rows of lawful moves that compete for having been played since the last sure position.

The record is one of them. Whenever squares look otherwise than before, each row may go on by a few
moves, and pays for every square in view that does not look as it has it. An eye that errs goes on
erring, so what a square says is paid for once for as long as it says it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from referee.board import SQUARES, Side
from referee.deeds import choices, occupants
from referee.hypotheses import MOVE_COST, REPLY_COST, group_changes
from referee.order import out_of_order
from referee.rules import Line, Move, Position
from referee.sight import EMPTY_GROUP, GROUP_OF, NEVER, REACH_MS
from referee.tracking.hands import has_changed_all
from referee.tracking.memory import Tracker, amended, heard, wrong_squares
from referee.tracking.notes import Charge, Rival, Rivalry, Shown
from referee.tracking.record import reached, told_apart
from referee.weights import FULL, claims

REST_MS = 250
"""A square that has looked the same for so long has been seen, not glimpsed."""
STARED_MS = 700
"""After so long it says all that it will: it is heard once more, as evidence grows at first."""
GLIMPSED = 150
"""The most that a square says which has only been glimpsed, in centinats."""
UNHANDED_PRICE = 700
"""What a row pays for a move by a player whose hand has not been seen since the look before."""
HANDED_MS = 500
"""The hand that made a move left so long at most before that was seen."""
STANDING = 350
"""A piece that its square shows more clearly than this has not moved from there."""
FURTHEST = 3
"""So many moves at most between two looks: more could lead nearly anywhere."""
MOST_CHANGED = 9
"""Squares that three moves change; where more look wrong the board is being cleared."""
UNEXPLAINED = 1_500
"""A row does not go on by moves that leave so much of the board unexplained: pieces are upset."""
ASTRAY = 700
"""Where the board says more than this against every row, they have gone wrong from the beginning,
as behind a gap in which much was played, and what may have followed the record is tried anew."""
MOST_TRIED = 80
"""Continuations weighed between two looks at most: many kings have hundreds..."""
MOST_TRIED_ANEW = 40
"""...and of those of the record that are tried anew."""
KEPT = 8
"""How many rows are kept beside each other, the likeliest."""
OUT_OF_REACH = 1_000
"""A row that lies so far behind, further than one square can throw it, is given up."""
AHEAD = 300
"""A row this much likelier than another is believed rather than that."""
AHEAD_OF_RECORD = 600
"""What was announced is taken back only for a row that is so much likelier."""
DOUBTFUL = 300
"""The board as it is may not say more than this against a row that is believed..."""
PLAYS_ON = 3
"""...but for what squares, a single one's worth, have said before: if so many moves more are in the
row than on record, and all but one came after that."""
OPEN_MS = 3_000
"""Longer than this the eye seldom errs about a square; nobody holds a piece, no hand hides one."""

SILENT = (0, 0, 0)
"""What a square says that says nothing."""
Costs = tuple[tuple[int, int, int], ...]
"""For each square what it costs to claim that nobody, Red or White stands there."""


def compete(tracker: Tracker) -> Tracker:
    """The rivals after one more frame, if it brings news."""
    before, shown = tracker.rivalry, tuple(_shown(tracker))
    known = tuple(new or old for old, new in zip(before.known, shown, strict=True))
    if known == before.known:
        return tracker
    costs = claims(tracker.position, heard(tracker), map(_weight, shown))
    look = _Look.of(tracker, costs)
    record, found = _record(tracker, look), [*look.rows(before.rows or (Rival(),))]
    if min(row.standing for row in found) > ASTRAY:
        found += look.rows((record,), MOST_TRIED_ANEW)
    rows = _best(record, found)
    led_ms = before.led_ms if rows[0].moves == _first(tracker).moves else tracker.now
    ousted = before.ousted if _has_record(tracker, rows) else len(tracker.plies)
    rivalry = Rivalry(before.sure, rows, known, tracker.now, led_ms, ousted)
    return _agreed(amended(tracker, rivalry=rivalry))


def _first(tracker: Tracker) -> Rival:
    return tracker.rivalry.rows[0] if tracker.rivalry.rows else Rival()


def _has_record(tracker: Tracker, rows: Iterable[Rival]) -> bool:
    record = told_apart(since_sure(tracker))
    return any(told_apart(row.moves) == record for row in rows)


def _shown(tracker: Tracker) -> Iterator[Shown]:
    """How each square shows itself now. That one has come to rest after a hand is news too: until
    then it counted as glimpsed."""
    for glance in tracker.sight.squares:
        rested_ms = tracker.now - max(glance.turned_ms, glance.uncovered_ms)
        looks = (rested_ms >= REST_MS) + (rested_ms >= STARED_MS)
        yield (glance.group, looks) if glance.visible else None


def _weight(shown: Shown) -> int:
    if shown is None:
        return 0
    return FULL if shown[1] else GLIMPSED


def since_sure(tracker: Tracker) -> Line:
    """The moves of the record since the last sure position."""
    return tracker.plies[tracker.rivalry.sure :]


def overtaken(tracker: Tracker, doubtful: int = DOUBTFUL) -> bool:
    """Whether another row than the record explains the board as it is, and better.

    The board may say as much as `doubtful` against it.
    """
    rows = likely(tracker)
    return _leads(tracker) and all(_is_borne_out(tracker, row, doubtful) for row in rows)


def is_left_behind(tracker: Tracker) -> bool:
    """Whether another row than the record explains the board, or is so much likelier that this will
    be taken back."""
    behind = (row.against >= AHEAD_OF_RECORD for row in going_on(tracker))
    return overtaken(tracker) or (_leads(tracker) and all(behind))


def explained_by_play(tracker: Tracker) -> bool:
    """Whether moves that nobody has told of explain all of the board, and no worse than the
    record does; or nearly as well, if the last moves of that were others. That they were taken back
    is no play."""
    back = is_taken_back(tracker)
    if _leads(tracker) and _first(tracker).standing <= DOUBTFUL and not back:
        return True
    rows = [row for row in likely(tracker) if not (back and _is_beginning(tracker, row))]
    agreeing = going_on(tracker)
    return any(row.standing <= DOUBTFUL and row not in agreeing for row in rows)


def is_played_on(tracker: Tracker) -> bool:
    """Whether the likeliest row goes on from the record by moves that have been seen in part."""
    row = _first(tracker)
    more = told_apart(beyond(tracker, row))
    seen = any(more[: len(line)] == told_apart(line) for line in tracker.lines)
    return seen and _leads(tracker) and row in going_on(tracker)


def _is_beginning(tracker: Tracker, row: Rival) -> bool:
    return told_apart(row.moves) == told_apart(since_sure(tracker))[: len(row.moves)]


def is_taken_back(tracker: Tracker) -> bool:
    """Whether the likeliest row is the record without its last moves."""
    return _leads(tracker) and _is_beginning(tracker, _first(tracker))


def _leads(tracker: Tracker) -> bool:
    """Whether the likeliest row is another than the record, by a look since the last move."""
    other = told_apart(_first(tracker).moves) != told_apart(since_sure(tracker))
    return other and tracker.rivalry.looked_ms > tracker.played_ms


def _is_borne_out(tracker: Tracker, rival: Rival, doubtful: int) -> bool:
    """Whether the board says no more against a row, apart from what squares say, a single one's
    worth, that have looked so before people played on, or against the record when it was right."""
    former = sum(
        charge.cost
        for charge in rival.charges
        if _plays_on(tracker, rival, charge.square) or _errs_anyway(tracker, rival, charge.square)
    )
    return rival.standing - former <= doubtful and former <= FULL


def _errs_anyway(tracker: Tracker, rival: Rival, square: int) -> bool:
    """Whether a square has looked as it does since before the last move of the record, and that has
    the same there as the row; not where it has since one came there whom the row has taken."""
    sight, setup = tracker.sight, reached(sure_position(tracker), rival.moves).setup
    same = GROUP_OF[setup[square - 1]] == GROUP_OF[tracker.piece(square)]
    turned_ms = sight.at(square).turned_ms
    came = (sight.at(move.start).turned_ms for move in rival.moves if move.end == square)
    by_play = any(turned_ms >= ms - REST_MS for ms in came)
    return same and not by_play and turned_ms < tracker.played_ms


def _plays_on(tracker: Tracker, rival: Rival, square: int) -> bool:
    """Whether people have played on since a square came to look so that speaks against a row. A
    square that looks otherwise than the row leaves it tells of no move."""
    new = rival.moves[len(since_sure(tracker)) :]
    if len(new) < PLAYS_ON:
        return False
    sight, setup = tracker.sight, reached(sure_position(tracker), rival.moves).setup
    borne_out = {s for s in SQUARES if sight.at(s).group == GROUP_OF[setup[s - 1]]}
    turned = ([sight.at(s).turned_ms for s in borne_out & {m.start, m.end}] for m in new)
    ends = [max(each) for each in turned if each] or [NEVER]
    at_once = max(ends) - min(ends) <= REST_MS  # one hand has come and gone, and not several
    turned_ms = sight.at(square).turned_ms
    return not at_once and sum(ms > turned_ms + REST_MS for ms in ends) >= PLAYS_ON - 1


def likely(tracker: Tracker) -> list[Rival]:
    """The rivals that are nearly as likely as the first; where the board has lain open for long and
    bears some of them out, only these."""
    near = [rival for rival in tracker.rivalry.rows if rival.against < AHEAD]
    if len(near) < 2 or tracker.sight.hands_off_ms() < OPEN_MS:
        return near
    return [rival for rival in near if rival.standing <= DOUBTFUL] or near


def ways(tracker: Tracker, moves: Line) -> list[Line]:
    """Rows of moves after the record that end where these do, nearly as likely as the likeliest,
    it first: what nobody saw between two looks the board itself will never tell, but for what
    has lain there before what. Those come last by which a piece would have gone and come back."""
    done, end = len(since_sure(tracker)), reached(tracker.position, moves)
    against: dict[Line, int] = {}
    for rival in going_on(tracker):
        for count in range(done + 1, len(rival.moves) + 1):
            way = rival.moves[done:count]
            if reached(tracker.position, way) == end and not out_of_order(tracker.sight, way):
                against.setdefault(way, rival.against)
    least = min(against.values(), default=0)
    near = [way for way in against if against[way] < least + AHEAD]
    return sorted(near, key=lambda way: came_back_unseen(tracker, way)) or [moves]


def round_trips(tracker: Tracker) -> list[Line]:
    """Rows of moves after the record that lead back to where it ends, nearly as likely as it: kings
    have gone to and fro. The likeliest comes first."""
    more = [beyond(tracker, row) for row in going_on(tracker) if row.against < AHEAD]
    return [moves for moves in more if moves and _leads_back(tracker.position, moves)]


def _leads_back(position: Position, moves: Line) -> bool:
    """Whether the board looks the same after some moves, with the same player to move: a man who
    has been crowned meanwhile does not tell of it by where he stands."""
    after = reached(position, moves)
    return after.turn is position.turn and not group_changes(position.setup, after.setup)


def leading(tracker: Tracker) -> Line:
    """The moves by which the likeliest row goes on from the record, where that was given up."""
    row = _first(tracker)
    if not was_given_up(tracker) or row not in going_on(tracker):
        return ()
    return beyond(tracker, row)


def begins_likely(tracker: Tracker, moves: Line) -> bool:
    """Whether a likely row goes on from the record by some moves, in an order that the squares bear
    out; or the likely ones do not lead it and bear out the board, all of them."""
    near = likely(tracker)
    if not overtaken(tracker) or any(row.standing > DOUBTFUL for row in near):
        return True
    more = [beyond(tracker, row) for row in going_on(tracker) if row in near]
    agreeing = [row for row in more if not out_of_order(tracker.sight, row)]
    mine = told_apart(moves)
    return not agreeing or any(told_apart(row)[: len(mine)] == mine for row in agreeing)


def was_given_up(tracker: Tracker) -> bool:
    """Whether the record was once so unlikely, since its last move, that it was no row any more."""
    return tracker.rivalry.ousted == len(tracker.plies)


def came_back_unseen(tracker: Tracker, moves: Line) -> bool:
    """Whether by some moves a piece has gone and come back of which nobody has seen it leave. That
    explains any move off turn."""
    return any(
        later.end == move.start and not _has_left(tracker, move)
        for number, move in enumerate(moves)
        for later in moves[number + 2 :: 2]
    )


def _has_left(tracker: Tracker, move: Move) -> bool:
    """Whether the piece that stands where a move began has come there by a hand since the board was
    last in order, and not by being put back, or one like it has been seen meanwhile where the move
    ended."""
    start, end = tracker.sight.at(move.start), tracker.sight.at(move.end)
    group, incident = GROUP_OF[move.piece], tracker.incident
    seen = (end.group, end.stood_ms), (end.before[0], end.before[2])
    put_back = incident is not None and move.start in incident.changed
    back_ms = start.stood_ms if start.touched and not put_back else NEVER
    return max(back_ms, *(ms for who, ms in seen if who == group), NEVER) > tracker.settled_ms


def going_on(tracker: Tracker) -> list[Rival]:
    """The rivals that begin with the record, likeliest first."""
    record = told_apart(since_sure(tracker))
    return [r for r in tracker.rivalry.rows if told_apart(r.moves)[: len(record)] == record]


def beyond(tracker: Tracker, row: Rival) -> Line:
    """The moves that a row has more than the record, which it begins with."""
    return row.moves[len(since_sure(tracker)) :]


def is_by_one_hand(tracker: Tracker, moves: Line) -> bool:
    """Whether a square of one of the moves after the record, which no other move has, came to look
    as it does after it under the hand of the player whose move it was not. Where one person plays
    both sides that says nothing, nor where a piece was seen on its way."""
    mover = tracker.position.turn
    if not _hands_tell(tracker, moves):
        return False
    for move in moves:
        others = {square for other in moves if other != move for square in occupants(other)}
        ends = {move.start, move.end} - others
        if any(_made_by(tracker, move, square, mover.other) for square in ends):
            return True
        mover = mover.other
    return False


def is_all_by_mover(tracker: Tracker, moves: Line) -> bool:
    """Whether the hand of the player to move alone has been there and changed all, though some of
    the moves were the other's; see `is_by_one_hand`."""
    return len(moves) > 1 and has_changed_all(tracker) and _hands_tell(tracker, moves)


def _hands_tell(tracker: Tracker, moves: Line) -> bool:
    """Whether hands tell who has made some moves: no piece was seen on its way, and not one person
    plays both sides."""
    mover = tracker.position.turn
    if any(_was_seen_to_end(tracker, move) for move in moves[:-1]):
        return False
    by_both = zip(reversed(tracker.plies[-2:]), (mover, mover.other), strict=False)
    return not any(
        _made_by(tracker, move, square, side)
        for move, side in by_both
        for square in (move.start, move.end)
    )


def _was_seen_to_end(tracker: Tracker, move: Move) -> bool:
    """Whether a piece that has been taken or gone on since was seen where a move ended."""
    former, _, formerly_ms = tracker.sight.at(move.end).before
    return former == GROUP_OF[move.piece] and formerly_ms > tracker.settled_ms


def _made_by(tracker: Tracker, move: Move, square: int, side: Side) -> bool:
    """Whether a player's hand hid a square until it looked as it does after a move."""
    glance = tracker.sight.at(square)
    shows = glance.group == occupants(move)[square]
    return shows and glance.bared and glance.changed_by is side


def sure_position(tracker: Tracker) -> Position:
    """The position that is beyond doubt, from which the rivals go on."""
    return tracker.position_after(tracker.rivalry.sure)


@dataclass(frozen=True)
class _Look:
    """What one look at the board tells of the rows of moves, made ready for all of them."""

    sure: Position
    costs: Costs
    speaks: dict[int, tuple[int, int, int]]
    """The costs of the squares that speak against anybody."""
    unhanded: dict[Side, int]
    """What a move by each player costs besides, for his hand not having been seen."""
    unread: frozenset[int]
    """The squares that say nothing though no hand is near."""

    @staticmethod
    def of(tracker: Tracker, costs: Costs) -> _Look:
        speaks = {s: three for s, three in zip(SQUARES, costs, strict=True) if any(three)}
        unhanded = {side: UNHANDED_PRICE * _unhanded(tracker, side) for side in Side}
        unread = frozenset(s for s in SQUARES if _is_unread(tracker, s))
        return _Look(sure_position(tracker), costs, speaks, unhanded, unread)

    def rows(self, rivals: Iterable[Rival], left: int = MOST_TRIED) -> Iterator[Rival]:
        """All rows, and what they can go on to that explains more of the board, likely ones first;
        `left` are the continuations to be tried at most."""
        for rival in rivals:
            stays = self.gone_on(rival, ())
            yield stays
            if len(stays.charges) > MOST_CHANGED:
                continue
            lines = _lines(reached(self.sure, rival.moves), self.costs, self.unread)
            for line in islice(lines, left):
                left -= 1
                goes = self.gone_on(rival, line)
                if goes.against < stays.against and goes.standing <= UNEXPLAINED:
                    yield goes

    def gone_on(self, rival: Rival, line: Line) -> Rival:
        """A row with some more moves, and what it pays for how the board looks.

        What it has paid since its last move for squares that the new moves explain it gets back:
        they may have been made before that look.
        """
        before = reached(self.sure, rival.moves)
        now = reached(before, line)
        paid = {charge.square: charge for charge in rival.charges}
        against = rival.against + self._price(before.turn, len(line))
        charges = []
        for square in sorted(self.speaks.keys() | paid.keys()):
            three, known = self.speaks.get(square, SILENT), paid.get(square)
            old, new = GROUP_OF[before.setup[square - 1]], GROUP_OF[now.setup[square - 1]]
            if charge := _charge(square, three, new, known, bool(line)):
                said = known.cost if known and known.shows == charge.shows else 0
                against += charge.cost - said
                charges.append(charge)
            elif known and not known.early and old != new:
                against -= known.cost
        return Rival(rival.moves + line, against, tuple(charges))

    def _price(self, turn: Side, count: int) -> int:
        if not count:
            return 0
        unhanded = self.unhanded[turn] * ((count + 1) // 2)
        unhanded += self.unhanded[turn.other] * (count // 2)
        return MOVE_COST + REPLY_COST * (count - 1) + unhanded


def _charge(
    square: int, three: tuple[int, int, int], stands: int, known: Charge | None, goes_on: bool
) -> Charge | None:
    """What a row of moves has been charged in all for what a square says of who stands there in it:
    the most so far, as long as it shows the same."""
    if not any(three):
        return known and known._replace(early=known.early or goes_on)
    cost, shows = three[stands], three.index(0)
    if not cost:
        return None
    least, early = (known.cost, known.early) if known and known.shows == shows else (0, False)
    return Charge(square, max(cost, least), shows, early or goes_on)


def _record(tracker: Tracker, look: _Look) -> Rival:
    """The record; where rows begin it, as the longest of these goes on to it. Whose hands were
    about was weighed when its moves were announced."""
    record = since_sure(tracker)
    begun = [r for r in tracker.rivalry.rows if r.moves == record[: len(r.moves)]]
    origin = max(begun, key=lambda r: len(r.moves), default=Rival(record))
    weighed = replace(look, unhanded=dict.fromkeys(Side, 0))
    return weighed.gone_on(origin, record[len(origin.moves) :])


def _unhanded(tracker: Tracker, side: Side) -> bool:
    """Whether a player's hand has not been seen since the look before, nor shortly before a square
    last came to look otherwise than in the record, all hands being known. One that comes when all
    looks as it does has not made it so."""
    sight = tracker.sight
    turned = (sight.at(square).turned_ms for square in wrong_squares(tracker))
    until = max(turned, default=tracker.now)
    since = min(tracker.rivalry.looked_ms, until) - HANDED_MS
    was_there = sight.visit(side).was_between(since, until + REACH_MS)
    return not (sight.unnamed or tracker.dark.gap_ms or was_there)


def _is_unread(tracker: Tracker, square: int) -> bool:
    """Whether a square is not seen, and no hand is what hides it."""
    return not tracker.sight.at(square).visible and tracker.sight.readable((square,))


def _lines(position: Position, costs: Costs, unread: frozenset[int]) -> Iterator[Line]:
    """Rows of lawful moves each of which explains some square, or may have ended where nothing can
    be read, short ones first."""
    rows: list[Line] = [()]
    for _ in range(FURTHEST):
        rows = [
            (*row, move)
            for row in rows
            for move in choices(reached(position, row)).lawful
            if not _stands(move, costs)
            and (move.end in unread or _explains(reached(position, row), move, costs))
        ]
        yield from rows


def _stands(move: Move, costs: Costs) -> bool:
    """Whether the piece is clearly seen where a move would have it leave for good."""
    three = costs[move.start - 1]
    return (
        move.start != move.end and three[EMPTY_GROUP] > STANDING and not three[GROUP_OF[move.piece]]
    )


def _explains(position: Position, move: Move, costs: Costs) -> bool:
    """Whether a square that a move changes does not look as it does without the move."""
    setup = position.setup
    return any(costs[s - 1][GROUP_OF[setup[s - 1]]] for s in occupants(move))


def _best(record: Rival, others: Iterable[Rival]) -> tuple[Rival, ...]:
    """The best few, each row once, the first of equals; none that the board contradicts as it is
    while it bears out the record, whatever was paid for that before."""
    cheapest: dict[tuple[object, ...], Rival] = {}
    for row in (record, *others):
        key = told_apart(row.moves)
        if key not in cheapest or row.against < cheapest[key].against:
            cheapest[key] = row
    limit = record.standing + OUT_OF_REACH
    rows = [row for row in cheapest.values() if row.standing < limit]
    rows.sort(key=lambda row: row.against)
    least = rows[0].against
    near = [row for row in rows[:KEPT] if row.against - least < OUT_OF_REACH]
    return tuple(replace(row, against=row.against - least) for row in near)


def _agreed(tracker: Tracker) -> Tracker:
    """What all rivals and the record begin with is sure from now on."""
    rivalry = tracker.rivalry
    count = len(shared([since_sure(tracker), *(rival.moves for rival in rivalry.rows)]))
    if not count:
        return tracker
    rows = tuple(replace(rival, moves=rival.moves[count:]) for rival in rivalry.rows)
    return replace(tracker, rivalry=replace(rivalry, sure=rivalry.sure + count, rows=rows))


def trusted(tracker: Tracker) -> Tracker:
    """The tracker whose record is beyond doubt: of the rivals those are left that go on from it."""
    count = len(since_sure(tracker))
    rows = tuple(replace(rival, moves=rival.moves[count:]) for rival in going_on(tracker))
    return replace(tracker, rivalry=replace(tracker.rivalry, sure=len(tracker.plies), rows=rows))


def shared(rows: Iterable[Line]) -> Line:
    """The moves that all of the rows begin with."""
    common = []
    for moves in zip(*rows, strict=False):
        if len({told_apart((move,)) for move in moves}) > 1:
            break
        common.append(moves[0])
    return tuple(common)

"""Plays a script on an imaginary board: who moves which disc when, and what a referee should say.

The result is a timeline: where every disc rests from when on, the ways of the hands between, and
the expected events. `sample_images.play` turns it into scenes and pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.board import (
    SQUARES,
    Side,
    at,
    cell_of,
    is_king,
    side_of,
    square_at,
)
from referee.errors import RefereeError
from referee.notation import fen, move_text, parse_move
from referee.rules import Move, Position, after, captures, lawful_moves, plain_moves, unfinished
from sample_images.scene import CROWN_SIGMA, Board, Disc, laid_out, sloppy
from sample_images.script import Script, ScriptError, Step
from sample_images.truth import Expected

Spot = tuple[float, float]
REACH_MS, DIP_MS, LEAVE_MS = 360, 120, 340
"""A brisk player's hand: from the table's edge to above the board, down or up, and away again."""
TRAVEL_MS_PER_SQUARE, LEAST_TRAVEL_MS = 55, 150
TOUCH_MS, HOVER_MS, GRIP_MS = 70, 500, 60
THINK_MS = (350, 800)
"""Between one hand's leaving and the next one's coming, from and to."""
NOTICE_MS = (2800, 3600)
"""Before an offence is put right: somebody has to say it first."""
CARRY_HEIGHT = 0.75
"""Of a hand that travels over the board."""
TRAY_STEP, TRAY_ROWS = 0.78, 6
"""Between captured discs, or a little more than a disc where those are larger."""
SITTING_BACK = 6.5
"""How far from the board's edge a resting hand is; usually out of the picture."""
BUMP_MS, LEAN_MS = 250, 700
"""How long a knock lasts, and how long it takes to bend over the board or to sit back."""
MEANWHILE_MS = 1500
"""How long the opponent's hand stays over the board while the other one moves."""
SEATS = {"white": (0.0, 1.0), "red": (0.0, -1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
"""Where somebody sits, from the middle of the board, as White sees it."""


@dataclass(frozen=True)
class Key:
    """Where a hand is at some time."""

    time_ms: int
    x: float
    y: float
    z: float
    pinch: float


@dataclass(frozen=True)
class Carry:
    """Discs in a hand."""

    from_ms: int
    to_ms: int
    discs: tuple[Disc, ...]
    """As they lay when lifted, z counted from the lowest one's foot, x and y from its middle."""
    height: float


@dataclass(frozen=True)
class Visit:
    """One coming and going of a hand."""

    side: Side | None
    """Whose; None is a stranger's."""
    keys: tuple[Key, ...]
    carries: tuple[Carry, ...]
    seat: str
    """One of `SEATS`: from where it comes."""


Rest = tuple[int, Disc | None]
"""From this time on a disc lies here; None: in a hand."""


@dataclass(frozen=True)
class Timeline:
    """All that happens in a recording."""

    script: Script
    rests: tuple[tuple[Rest, ...], ...]
    """Of each disc, in order of time."""
    visits: tuple[Visit, ...]
    shifts: tuple[tuple[int, float, float], ...]
    """(time, right, down): from then on the board lies this far off in squares."""
    lamps: tuple[tuple[int, float], ...]
    """(time, factor): from then on the lamps are so many times as bright."""
    blind: tuple[tuple[int, int, str], ...]
    """(from, to, `covered` or `dark`)."""
    leans: tuple[tuple[int, int, Side], ...]
    """(from, to, who): somebody bends over the board, `LEAN_MS` at either end included."""
    events: tuple[Expected, ...]
    moves: tuple[Move, ...]
    """The lawful moves played."""
    length_ms: int


@dataclass(frozen=True)
class Stop:
    """One thing a hand does on its way."""

    act: str
    """`lift`, `put`, `touch`, `hover`; `grip` and `slide` lift and put without lifting."""
    spot: Spot
    discs: tuple[int, ...] = ()
    base: float = 0.0
    """Height on which they are put."""
    off: tuple[Spot, ...] = ()
    """Of each disc put, its offset from the spot."""
    stay_ms: int = 0
    """How much longer than usual the hand stays there."""


def play_script(script: Script, board: Board, measures: tuple[float, float]) -> Timeline:
    """The timeline of a script; ScriptError names the line that the rules or the board forbid.

    `measures` are a disc's radius and thickness.
    """
    stage = Stage(script, board, measures)
    for step in script.steps:
        try:
            DEEDS[step.verb](stage, step)
        except (ValueError, RefereeError) as error:
            raise ScriptError(f"line {step.line}: {error}") from None
    return stage.timeline()


class Stage:
    """The board while a script is played."""

    def __init__(self, script: Script, board: Board, measures: tuple[float, float]) -> None:
        self.script = script
        self.measures = measures
        self.margin = board.margin
        self.table = -board.thickness
        self.rng = np.random.default_rng(script.seed)
        self.time = 0
        self.position = script.start
        self.discs: list[Disc] = []
        """Each disc where it lies now, or lay last."""
        self.rests: list[list[Rest]] = []
        self.piles: dict[int, list[int]] = {square: [] for square in SQUARES}
        self.tray: list[int] = []
        """Discs on the table."""
        self.astray: set[int] = set()
        """Discs on the board and on no square of theirs."""
        self.tray_slots = dict.fromkeys(Side, 0)
        self.wanted: dict[int, list[int]] | None = None
        """The board before an offence, while one waits to be put right."""
        self.offender: Side = Side.RED
        self.pending: tuple[int, Move] | None = None
        """A square without its crown and the reply made all the same."""
        self.visits: list[Visit] = []
        self.shifts: list[tuple[int, float, float]] = []
        self.lamps: list[tuple[int, float]] = []
        self.blind: list[tuple[int, int, str]] = []
        self.leans: list[tuple[int, int, Side]] = []
        self.undo: tuple[Position, dict[int, list[int]]] | None = None
        """The board before the last move."""
        self.events = [Expected("ready", 0)]
        self.moves: list[Move] = []
        for disc in laid_out(script.start.setup, measures, self.rng):
            self._new(disc)
            square = square_at(int(disc.y), int(disc.x))
            assert square is not None
            self.piles[square].append(len(self.discs) - 1)

    def timeline(self) -> Timeline:
        return Timeline(
            self.script,
            tuple(map(tuple, self.rests)),
            tuple(self.visits),
            tuple(self.shifts),
            tuple(self.lamps),
            tuple(self.blind),
            tuple(self.leans),
            tuple(sorted(self.events, key=lambda event: event.time_ms)),
            tuple(self.moves),
            self.time,
        )

    def _new(self, disc: Disc, in_hand: bool = False) -> int:
        """The number of one more disc."""
        self.discs.append(disc)
        self.rests.append([(0, None if in_hand else disc)])
        return len(self.discs) - 1

    def lay(self, number: int, disc: Disc, time_ms: int) -> None:
        """From this time on a disc lies as `disc` does."""
        self.discs[number] = disc
        self.rests[number].append((time_ms, disc))

    def say(self, name: str, **more: Any) -> None:
        """Expect an event now."""
        self.events.append(Expected(name, self.time, **more))

    def think(self, between_ms: tuple[int, int] = THINK_MS) -> None:
        self.time += int(self.rng.uniform(*between_ms) / self.script.pace)

    # --- where things are ------------------------------------------------------------------

    def middle(self, square: int) -> Spot:
        row, column = cell_of(square)
        return column + 0.5, row + 0.5

    def spot_of(self, square: int) -> Spot:
        """Of the piece on a square, or its middle."""
        if not self.piles[square]:
            return self.middle(square)
        disc = self.discs[self.piles[square][0]]
        return disc.x, disc.y

    def piece(self, square: int) -> tuple[int, ...]:
        """The discs on a square; ValueError if there are none."""
        if not self.piles[square]:
            raise ValueError(f"there is no piece on {square}")
        return tuple(self.piles[square])

    def free_tray(self, owner: Side) -> Spot:
        """Where the next captured disc of this side goes: at its captor's right hand."""
        slot = self.tray_slots[owner]
        self.tray_slots[owner] += 1
        column, row = divmod(slot, TRAY_ROWS)
        step = max(TRAY_STEP, 2.25 * self.measures[0])
        dx, dy = self.rng.normal(0, 0.07, 2)
        out = self.margin + 0.8 + column * step + float(dx)
        along = 0.7 + row * step + float(dy)
        return (8 + out, 8 - along) if owner is Side.RED else (-out, along)

    # --- what a hand does ------------------------------------------------------------------

    def lift(self, square: int) -> Stop:
        return Stop("lift", self.spot_of(square), self.piece(square))

    def put(self, discs: tuple[int, ...], square: int) -> Stop:
        """Put a piece on a square, sloppily, on what lies there already."""
        below = self.piles[square]
        if below:
            x, y = self.spot_of(square)
            base = self.discs[below[-1]].top
            dx, dy = (float(v) for v in self.rng.normal(0, CROWN_SIGMA, 2))
        else:
            (x, y), base, (dx, dy) = self.middle(square), 0.0, sloppy(self.rng)
        return Stop("put", (x + dx, y + dy), discs, base, self._offsets(discs))

    def _offsets(self, discs: tuple[int, ...]) -> tuple[Spot, ...]:
        foot = self.discs[discs[0]]
        return tuple((self.discs[i].x - foot.x, self.discs[i].y - foot.y) for i in discs)

    def take_off(self, square: int) -> list[Stop]:
        """Put the piece on a square on the table, disc by disc if it is a king."""
        discs = reversed(self.piece(square))
        return [stop for disc in discs for stop in self.lay_aside(disc, square)]

    def lay_aside(self, disc: int, square: int) -> list[Stop]:
        """Put the uppermost disc of a piece on the table."""
        lifted = Stop("lift", self.spot_of(square), (disc,))
        self.piles[square].remove(disc)
        self.tray.append(disc)
        spot = self.free_tray(self.discs[disc].side)
        return [lifted, Stop("put", spot, (disc,), self.table, ((0.0, 0.0),))]

    def travel(self, path: tuple[int, ...]) -> list[Stop]:
        """Carry a piece along a path to an empty square, touching each on the way."""
        discs = self.piece(path[0])
        lifted = self.lift(path[0])
        self.piles[path[0]] = []
        if self.piles[path[-1]]:
            raise ValueError(f"there is a piece on {path[-1]} already")
        touched = [Stop("touch", self.middle(square)) for square in path[1:-1]]
        landed = self.put(discs, path[-1])
        self.piles[path[-1]] = list(discs)
        return [lifted, *touched, landed]

    def visit(
        self,
        side: Side | None,
        stops: list[Stop],
        start: int | None = None,
        seat: str | None = None,
    ) -> None:
        """A hand comes, does all this and leaves; the time is then when it has left.

        It comes from its own side unless `seat` says otherwise, which a stranger's must.
        """
        hand = _HandClock(self, side, self.time if start is None else start, seat)
        for stop in stops:
            hand.do(stop)
        self.time = max(self.time, hand.leave())
        self.visits.append(hand.visit())


class _HandClock:
    """One visit while it is made up."""

    def __init__(
        self, stage: Stage, side: Side | None, start: int, seat: str | None = None
    ) -> None:
        self.stage, self.side, self.time = stage, side, start
        self.seat = seat or (side or Side.WHITE).value
        out_x, out_y = SEATS[self.seat]
        away = 4 + stage.margin + SITTING_BACK
        # The right hand: with y down, it is on the right of who looks at the board's middle.
        self.home = (4 + away * out_x + 1.6 * out_y, 4 + away * out_y - 1.6 * out_x)
        self.keys = [Key(start, *self.home, 1.6, 0.3)]
        self.carries: list[Carry] = []
        self.held: tuple[int, ...] = ()
        """Discs in the hand, the lowest first."""
        self.loose: tuple[Disc, ...] = ()
        self.since = start
        """When they came together."""

    def _go(self, milliseconds: float, spot: Spot, z: float) -> None:
        self.time += int(milliseconds / self.stage.script.pace)
        pinch = 1.0 if self.held else 0.55
        self.keys.append(Key(self.time, spot[0], spot[1], z, pinch))

    def do(self, stop: Stop) -> None:
        if stop.act != "slide":
            self._approach(stop.spot)
        if stop.act == "hover":
            self._go(HOVER_MS, stop.spot, CARRY_HEIGHT * 0.8)
            self._stay(stop, CARRY_HEIGHT * 0.8)
            return
        z = self._grip(stop)
        # What is slid goes at a quarter of the speed of what is carried.
        slide_ms = self._way_ms(stop.spot, 4 * TRAVEL_MS_PER_SQUARE)
        self._go(slide_ms if stop.act == "slide" else DIP_MS, stop.spot, z)
        if stop.act in ("lift", "grip"):
            self._lift(stop.discs)
        elif stop.act in ("put", "slide"):
            self._put(stop)
        self._go(TOUCH_MS if stop.act == "touch" else GRIP_MS, stop.spot, z)
        self._stay(stop, z)
        if stop.act != "grip":
            self._go(DIP_MS * 0.8, stop.spot, CARRY_HEIGHT)

    def _stay(self, stop: Stop, z: float) -> None:
        if stop.stay_ms:
            self._go(stop.stay_ms * self.stage.script.pace, stop.spot, z)

    def _way_ms(self, spot: Spot, ms_per_square: float) -> float:
        last = self.keys[-1]
        distance = float(np.hypot(last.x - spot[0], last.y - spot[1]))
        return max(LEAST_TRAVEL_MS, ms_per_square * distance)

    def _approach(self, spot: Spot) -> None:
        travel_ms = self._way_ms(spot, TRAVEL_MS_PER_SQUARE)
        self._go(REACH_MS if len(self.keys) == 1 else travel_ms, spot, CARRY_HEIGHT)

    def _grip(self, stop: Stop) -> float:
        """Height of the fingertips on what they lift, put or touch."""
        discs = self.stage.discs
        held = sum(discs[i].thickness for i in self.held)
        if stop.act in ("lift", "grip"):
            return discs[stop.discs[-1]].top + held
        return max(stop.base, 0.0) + max(self.stage.measures[1], held)

    def _lift(self, ids: tuple[int, ...]) -> None:
        """What is in the hand already comes to lie on top."""
        self.hold((*ids, *self.held))
        for i in ids:
            self.stage.rests[i].append((self.time, None))

    def hold(self, ids: tuple[int, ...]) -> None:
        """From now on these discs are in the hand, and no others."""
        if self.held:
            height = self.loose[-1].top
            self.carries.append(Carry(self.since, self.time, self.loose, height))
        self.held, self.since = ids, self.time
        self.loose = tuple(self._stacked(ids))

    def _stacked(self, ids: tuple[int, ...]) -> Iterator[Disc]:
        """The discs one on the other, a king's as they lay, z from the lowest one's foot."""
        discs = self.stage.discs
        z = 0.0
        for i in ids:
            x, y = discs[i].x - discs[ids[0]].x, discs[i].y - discs[ids[0]].y
            together = np.hypot(x, y) < discs[i].radius
            yield replace(discs[i], x=x if together else 0.0, y=y if together else 0.0, z=z)
            z += discs[i].thickness

    def _put(self, stop: Stop) -> None:
        self.hold(tuple(i for i in self.held if i not in stop.discs))
        z = stop.base
        for i, (dx, dy) in zip(stop.discs, stop.off, strict=True):
            disc = self.stage.discs[i]
            placed = replace(disc, x=stop.spot[0] + dx, y=stop.spot[1] + dy, z=z)
            self.stage.lay(i, placed, self.time)
            z += disc.thickness

    def leave(self) -> int:
        self._go(LEAVE_MS, self.home, 1.6)
        return self.time

    def visit(self) -> Visit:
        return Visit(self.side, tuple(self.keys), tuple(self.carries), self.seat)


# --- Deeds ---------------------------------------------------------------------------------


def _capture_stops(stage: Stage, move: Move) -> list[Stop]:
    stops = stage.travel(move.path)
    for square in move.captured:
        stops += stage.take_off(square)
    return stops


def _named(position: Position, squares: tuple[int, ...], among: Iterable[Move]) -> Move:
    """The one of these moves that the squares name by its whole path or its ends."""
    found = [m for m in among if m.path == squares] or [
        m for m in among if (m.start, m.end) == (squares[0], squares[-1]) and len(squares) == 2
    ]
    if not found:
        text = "-".join(map(str, squares))
        lawful = ", ".join(map(str, lawful_moves(position)))
        raise ValueError(f"{text} does not do that here; lawful moves are {lawful}")
    return found[0]


def _lawful(stage: Stage, squares: tuple[int, ...]) -> Move:
    if stage.wanted is not None or stage.pending is not None:
        raise ValueError("the last offence has not been put right")
    return parse_move(stage.position, "-".join(map(str, squares)))


def _play(stage: Stage, step: Step) -> None:
    stage.think()
    _make(stage, _lawful(stage, step.words[0]))


def _make(
    stage: Stage,
    move: Move,
    start: int | None = None,
    crown: bool = True,
    stops: list[Stop] | None = None,
    seat: str | None = None,
) -> None:
    """A lawful move with the event it causes, and its crowning by the opponent."""
    side = stage.position.turn
    stage.undo = (stage.position, _lying(stage))
    stage.visit(side, stops or _capture_stops(stage, move), start, seat)
    _played(stage, move)
    if move.crowns and crown:
        stage.think()
        _crown_visit(stage, move.end)
        stage.say("crowned", squares=(move.end,))


def _lying(stage: Stage) -> dict[int, list[int]]:
    return {square: list(pile) for square, pile in stage.piles.items()}


def _played(stage: Stage, move: Move) -> None:
    side, text = stage.position.turn, move_text(stage.position, move)
    stage.position = after(stage.position, move)
    stage.moves.append(move)
    stage.say("played", side=side, move=text, fen=fen(stage.position))


def _crown_visit(stage: Stage, square: int, crowner: Side | None = None) -> None:
    """The opponent puts a second disc on a man: one of those he took, or one out of the box."""
    disc = stage.discs[stage.piece(square)[0]]
    taken = [i for i in stage.tray if stage.discs[i].side is disc.side]
    crowner = crowner or disc.side.other
    if taken:
        stage.tray.remove(taken[-1])
        up = Stop("lift", (stage.discs[taken[-1]].x, stage.discs[taken[-1]].y), (taken[-1],))
        stops = [up, stage.put((taken[-1],), square)]
        stage.piles[square].append(taken[-1])
        stage.visit(crowner, stops)
        return
    spare = replace(disc, x=0.0, y=0.0, z=0.0, seed=disc.seed + 1)
    _put_new(stage, crowner, spare, square)


def _put_new(stage: Stage, side: Side, disc: Disc, square: int) -> None:
    """A hand comes with a disc out of the box and puts it on a square."""
    number = stage._new(disc, in_hand=True)
    down = stage.put((number,), square)
    stage.piles[square].append(number)
    hand = _HandClock(stage, side, stage.time)
    hand.hold((number,))
    hand.do(down)
    stage.time = hand.leave()
    stage.visits.append(hand.visit())


def _both(stage: Stage, step: Step) -> None:
    """Two plies so close together that a slow eye sees only the second board."""
    stage.think()
    first, second = step.words
    _make(stage, _lawful(stage, first))
    early = stage.time - int((LEAVE_MS + REACH_MS) * 0.8 / stage.script.pace)
    _make(stage, _lawful(stage, second), early)


def _drag(stage: Stage, step: Step) -> None:
    move = _lawful(stage, step.words[0])
    if move.captured:
        raise ValueError(f"{move} is a capture, and those are not slid")
    stage.think()
    lifted, put = stage.travel(move.path)
    _make(stage, move, stops=[replace(lifted, act="grip"), replace(put, act="slide")])


def _linger(stage: Stage, step: Step) -> None:
    squares, seconds = step.words
    move = _lawful(stage, squares)
    stage.think()
    stops = _capture_stops(stage, move)
    landed = len(move.path) - 1
    stops[landed] = replace(stops[landed], stay_ms=int(1000 * seconds))
    side = stage.position.turn
    _make(stage, move, stops=stops)
    stage.say("lingering", side=side, squares=(move.end,))


def _wrong_side(stage: Stage, step: Step) -> None:
    stage.think()
    _make(stage, _lawful(stage, step.words[0]), seat=stage.position.turn.other.value)


def _meanwhile(stage: Stage, step: Step) -> None:
    """Whoever moves, the other one's hand hangs over the board until after that."""
    squares, square = step.words
    move = _lawful(stage, squares)
    stage.think()
    start = stage.time
    over = Stop("hover", stage.middle(square), stay_ms=MEANWHILE_MS)
    stage.visit(stage.position.turn.other, [over])
    _make(stage, move, start)


def _self_crowned(stage: Stage, step: Step) -> None:
    stage.think()
    move, side = _lawful(stage, step.words[0]), stage.position.turn
    if not move.crowns:
        raise ValueError(f"{move} crowns nothing")
    _make(stage, move, crown=False)
    stage.think()
    _crown_visit(stage, move.end, side)
    stage.say("crowned", squares=(move.end,))


def _take_back(stage: Stage, step: Step) -> None:
    """Somebody says so, then the mover puts every disc back where it lay before his move."""
    if stage.undo is None or stage.wanted is not None:
        raise ValueError("there is no move that can be taken back now")
    stage.position, stage.wanted = stage.undo
    stage.undo = None
    stage.moves.pop()
    stage.think(NOTICE_MS)
    stage.say("take_back", side=stage.position.turn, fen=fen(stage.position))
    _put_back(stage, stage.position.turn)


def _remember(stage: Stage, offender: Side) -> None:
    if stage.wanted is not None:
        raise ValueError("the last offence has not been put right")
    stage.wanted = _lying(stage)
    stage.offender = offender


def _offend(
    stage: Stage, side: Side, kind: str, squares: tuple[int, ...], deed: Callable[[], list[Stop]]
) -> None:
    """Something unlawful and the event it causes; the board before it is remembered."""
    stage.think()
    _remember(stage, side)
    stage.visit(side, deed())
    stage.say("irregular", side=side, kind=kind, squares=squares)
    stage.think()


def _refuse(stage: Stage, step: Step) -> None:
    position = stage.position
    if not captures(position):
        raise ValueError("no capture is open, so none can be refused")
    move = _named(position, step.words[0], plain_moves(position))
    side, ends = position.turn, (move.start, move.end)
    _offend(stage, side, "capture_missed", ends, lambda: stage.travel(move.path))


def _stop(stage: Stage, step: Step) -> None:
    position = stage.position
    move = _named(position, step.words[0], unfinished(position))
    squares = (move.start, move.end, *move.captured)
    side = position.turn
    _offend(stage, side, "capture_unfinished", squares, lambda: _capture_stops(stage, move))


def _step_of(stage: Stage, step: Step) -> tuple[int, int]:
    start, end = step.words[0][0], step.words[0][-1]
    if not stage.position.turn.owns(at(stage.position.setup, start)):
        raise ValueError(f"{stage.position.turn.value} has no piece on {start}")
    if (start, end) in {(m.start, m.end) for m in plain_moves(stage.position)}:
        raise ValueError(f"{start}-{end} is no offence of that kind")
    return start, end


def _backward(stage: Stage, step: Step) -> None:
    start, end = _step_of(stage, step)
    rows = cell_of(end)[0] - cell_of(start)[0]
    columns = abs(cell_of(end)[1] - cell_of(start)[1])
    if is_king(at(stage.position.setup, start)) or (rows, columns) != (
        -stage.position.turn.forward,
        1,
    ):
        raise ValueError(f"{start}-{end} is not one step back by a man")
    _stray(stage, step)


def _stray(stage: Stage, step: Step) -> None:
    ends = _step_of(stage, step)
    _offend(stage, stage.position.turn, "illegal_step", ends, lambda: stage.travel(ends))


def _out_of_turn(stage: Stage, step: Step) -> None:
    waiting = Position(stage.position.setup, stage.position.turn.other)
    moves = (*captures(waiting), *plain_moves(waiting))
    move = _named(waiting, step.words[0], moves)
    squares = (move.start, move.end, *move.captured)
    _offend(stage, waiting.turn, "wrong_turn", squares, lambda: _capture_stops(stage, move))


def _leave(stage: Stage, step: Step) -> None:
    move = _named(stage.position, step.words[0], captures(stage.position))
    squares = (move.start, move.end, *move.captured)
    side = stage.position.turn
    _offend(stage, side, "jumped_piece_left", squares, lambda: stage.travel(move.path))


def _rob(stage: Stage, step: Step) -> None:
    named, victim = step.words
    position = stage.position
    move = _named(position, named, lawful_moves(position))
    owner = side_of(at(position.setup, victim))
    if owner is None or victim in (*move.captured, *move.path):
        raise ValueError(f"{victim} is not a piece that this move leaves alone")
    kind = "own_piece_removed" if owner is position.turn else "wrong_piece_removed"
    squares = (move.start, move.end, victim)

    def deed() -> list[Stop]:
        return [*stage.travel(move.path), *stage.take_off(victim)]

    _offend(stage, position.turn, kind, squares, deed)


def _remove(stage: Stage, step: Step) -> None:
    side, square = step.words
    _offend(stage, side, "piece_removed", (square,), lambda: stage.take_off(square))


def _add(stage: Stage, step: Step) -> None:
    side, square = step.words
    if stage.piles[square]:
        raise ValueError(f"there is a piece on {square} already")
    stage.think()
    _remember(stage, side)
    radius, thickness = stage.measures
    spare = Disc(0.0, 0.0, side, radius, thickness, 0.0, int(stage.rng.integers(1 << 30)))
    _put_new(stage, side, spare, square)
    stage.say("irregular", side=side, kind="piece_added", squares=(square,))
    stage.think()


def _displace(stage: Stage, step: Step) -> None:
    side, squares = step.words
    start, end = squares[0], squares[-1]
    owner = side_of(at(stage.position.setup, start))
    if owner is stage.position.turn:
        raise ValueError(f"{start} belongs to the side to move: that is a move, not displacing")
    waiting = Position(stage.position.setup, stage.position.turn.other)
    if (start, end) in {(move.start, move.end) for move in plain_moves(waiting)}:
        raise ValueError(f"{start}-{end} is a move out of turn, not displacing")
    ends = (start, end)
    _offend(stage, side, "piece_displaced", ends, lambda: stage.travel(ends))


def _uncrowned(stage: Stage, step: Step) -> None:
    stage.think()
    arrival = _lawful(stage, step.words[0])
    if not arrival.crowns:
        raise ValueError(f"{arrival} crowns nothing")
    _make(stage, arrival, crown=False)
    stage.think()
    reply = _lawful(stage, step.words[1])
    if arrival.end in (*reply.path, *reply.captured):
        raise ValueError(f"{reply} concerns the man that waits for its crown")
    side = stage.position.turn
    stage.visit(side, _capture_stops(stage, reply))
    stage.pending = (arrival.end, reply)
    stage.say("irregular", side=side, kind="crown_missing", squares=(arrival.end, *reply.path))
    stage.think()


def _crown(stage: Stage, step: Step) -> None:
    if stage.pending is None or stage.pending[0] != step.words[0]:
        raise ValueError(f"no man waits for its crown on {step.words[0]}")
    square, reply = stage.pending
    stage.pending = None
    stage.think(NOTICE_MS)
    _crown_visit(stage, square)
    stage.say("crowned", squares=(square,))
    stage.say("restored")
    _played(stage, reply)


def _unearned(stage: Stage, step: Step) -> None:
    """A man of the side to move gets a crown from the other one, as kings do, whose offence it is;
    his own player takes it off again."""
    square = step.words[0]
    side = stage.position.turn
    if at(stage.position.setup, square) != side.man:
        raise ValueError(f"{side.value} has no man on {square}")
    stage.think()
    _remember(stage, side)
    _crown_visit(stage, square)
    stage.say("irregular", side=side.other, kind="crown_unearned", squares=(square,))
    stage.think()


def _unstack(stage: Stage, step: Step) -> None:
    side, square = step.words
    discs = stage.piece(square)
    if len(discs) < 2:
        raise ValueError(f"there is no king on {square}")
    _offend(stage, side, "crown_removed", (square,), lambda: stage.lay_aside(discs[-1], square))


BESIDE = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


OVER_THE_EDGE = 0.45
"""Of a square to one side: there a disc lies half on the next one."""


def _off_square(stage: Stage, step: Step) -> None:
    _put_aside(stage, step, 1.0, "illegal_step")


def _astride(stage: Stage, step: Step) -> None:
    _put_aside(stage, step, OVER_THE_EDGE, "off_square")


def _put_aside(stage: Stage, step: Step, far: float, kind: str) -> None:
    """Who is to move puts a piece down so far to one side, in squares."""
    square, way = step.words
    (x, y), (dx, dy) = stage.middle(square), BESIDE[str(way)]
    if not (0 < x + dx < 8 and 0 < y + dy < 8):
        raise ValueError(f"there is no square {way} of {square}")

    def deed() -> list[Stop]:
        discs = stage.piece(square)
        stops = [
            stage.lift(square),
            Stop("put", (x + far * dx, y + far * dy), discs, 0.0, stage._offsets(discs)),
        ]
        stage.piles[square] = []
        stage.astray.update(discs)
        return stops

    _offend(stage, stage.position.turn, kind, (square,), deed)


def _upset(stage: Stage, step: Step) -> None:
    """A sleeve sweeps over the board: pieces near a square slide off theirs."""
    centre, count = step.words
    side = stage.position.turn
    x, y = stage.middle(centre)
    standing = [s for s in SQUARES if stage.piles[s]]
    standing.sort(key=lambda s: np.hypot(stage.middle(s)[0] - x, stage.middle(s)[1] - y))
    knocked = standing[: int(count)]
    if len(knocked) < int(count):
        raise ValueError(f"there are only {len(knocked)} pieces to upset")
    stage.think()
    _remember(stage, side)
    stage.visit(side, [Stop("touch", (x, y)), Stop("touch", (x + 0.8, y))])
    when = stage.visits[-1].keys[3].time_ms
    for square in knocked:
        _slide(stage, square, when)
    stage.say("irregular", side=None, kind="upset", squares=tuple(sorted(knocked)))
    stage.think()


def _slide(stage: Stage, square: int, when: int) -> None:
    """To a free place up to 1.5 squares away, its centre on another cell."""
    ids = stage.piece(square)
    moving = stage.discs[ids[0]]
    others = [stage.discs[p[0]] for s, p in stage.piles.items() if p and s != square]
    others += [d for i, d in enumerate(stage.discs) if i in stage.astray]
    for _ in range(400):
        away, turn = stage.rng.uniform(0.6, 1.5), stage.rng.uniform(0, 2 * np.pi)
        x, y = moving.x + away * np.cos(turn), moving.y + away * np.sin(turn)
        free = all(np.hypot(x - o.x, y - o.y) > 2 * moving.radius for o in others)
        inside = 0.4 < x < 7.6 and 0.4 < y < 7.6
        if free and inside and (int(x), int(y)) != (int(moving.x), int(moving.y)):
            break
    else:
        raise ValueError(f"the piece on {square} has nowhere to slide")
    for i in ids:
        stage.lay(i, replace(stage.discs[i], x=float(x), y=float(y)), when)
        stage.astray.add(i)
    stage.piles[square] = []


def _restore(stage: Stage, step: Step) -> None:
    """The offender puts every disc back where it lay before his deed."""
    if stage.wanted is None:
        raise ValueError("there is nothing to put right")
    stage.think(NOTICE_MS)
    _put_back(stage, stage.offender)
    stage.say("restored")


def _put_back(stage: Stage, side: Side) -> None:
    """This player's hand makes the board what is wanted."""
    wanted = stage.wanted or {}
    stops: list[Stop] = []
    for square in SQUARES:
        for disc in [d for d in stage.piles[square] if d not in wanted[square]]:
            if not any(disc in pile for pile in wanted.values()):
                stops += stage.lay_aside(disc, square)
    waiting = [s for s in SQUARES if wanted[s] != stage.piles[s]]
    while waiting:
        free = next((s for s in waiting if _lacks(stage.piles[s], wanted[s])), None)
        if free is None:
            break
        stops += _fetch(stage, tuple(wanted[free][len(stage.piles[free]) :]), free)
        waiting = [s for s in SQUARES if wanted[s] != stage.piles[s]]
    stage.visit(side, stops)
    stage.wanted = None


def _lacks(pile: list[int], wanted: list[int]) -> bool:
    """Whether nothing is wrong with a pile but that discs are missing from its top."""
    return len(pile) < len(wanted) and wanted[: len(pile)] == pile


def _fetch(stage: Stage, ids: tuple[int, ...], square: int) -> list[Stop]:
    """Bring a piece back to a square, disc by disc, since a king's may lie apart."""
    stops = []
    for disc in ids:
        lying = stage.discs[disc]
        for pile in stage.piles.values():
            if disc in pile:
                pile.remove(disc)
        if disc in stage.tray:
            stage.tray.remove(disc)
            stage.tray_slots[lying.side] -= 1
        stage.astray.discard(disc)
        stops.append(Stop("lift", (lying.x, lying.y), (disc,)))
        put = stage.put((disc,), square)
        if stage.piles[square]:
            put = replace(put, spot=_above(stops, put.spot, stage), base=stage.measures[1])
        stops.append(put)
        stage.piles[square].append(disc)
    return stops


def _above(stops: list[Stop], spot: Spot, stage: Stage) -> Spot:
    """Over the disc put last, a little off."""
    below = stops[-2].spot if len(stops) >= 2 else spot
    dx, dy = stage.rng.normal(0, CROWN_SIGMA, 2)
    return below[0] + float(dx), below[1] + float(dy)


def _adjust(stage: Stage, step: Step) -> None:
    """The words come first (WCDF 4.1)."""
    stage.think()
    stage.say("adjusting", side=step.words[0])
    _handle(stage, *step.words)


def _adjust_two(stage: Stage, step: Step) -> None:
    side, first, second = step.words
    stage.think()
    stage.say("adjusting", side=side)
    lifted = [stage.lift(square) for square in (first, second)]
    for square in (first, second):
        stage.piles[square] = []
    stops = []
    for stop, square in zip(lifted, (first, second), strict=True):
        stops.append(stage.put(stop.discs, square))
        stage.piles[square] = list(stop.discs)
    # What was lifted last is at the bottom of the hand.
    stage.visit(side, [*lifted, *reversed(stops)])


def _touch(stage: Stage, step: Step) -> None:
    side, square = step.words
    stage.think()
    _handle(stage, side, square)
    stage.say("touched", side=side, kind="lifted", squares=(square,))


def _handle(stage: Stage, side: Side, square: int) -> None:
    """Lift a piece and put it back on its square."""
    discs = stage.piece(square)
    lifted = stage.lift(square)
    stage.piles[square] = []
    put = stage.put(discs, square)
    stage.piles[square] = list(discs)
    stage.visit(side, [lifted, put])


def _hover(stage: Stage, step: Step) -> None:
    side, square = step.words
    stage.think()
    stage.visit(side, [Stop("hover", stage.middle(square))])


def _stranger(stage: Stage, step: Step) -> None:
    stage.think()
    x, y = stage.middle(step.words[0])
    over = Stop("hover", (x, y), stay_ms=HOVER_MS)
    stage.visit(None, [over], seat="left" if x < 4 else "right")


def _lean(stage: Stage, step: Step) -> None:
    side, seconds = step.words
    stage.think()
    start = stage.time
    stage.time += int(1000 * seconds)
    stage.leans.append((start, stage.time, side))


def _nudge(stage: Stage, step: Step) -> None:
    side, square, dx, dy = step.words
    stage.think()
    x, y = stage.spot_of(square)
    stage.visit(side, [Stop("touch", (x, y))])
    when = stage.visits[-1].keys[3].time_ms
    for i in stage.piece(square):
        disc = stage.discs[i]
        placed = replace(disc, x=disc.x + float(dx), y=disc.y + float(dy))
        if square_at(int(placed.y), int(placed.x)) != square:
            raise ValueError(f"that would push the piece on {square} off its square")
        stage.lay(i, placed, when)
    stage.say("touched", side=side, kind="shifted", squares=(square,))


def _wait(stage: Stage, step: Step) -> None:
    stage.time += int(1000 * float(step.words[0]))


def _bump(stage: Stage, step: Step) -> None:
    dx, dy = (float(word) for word in step.words)
    stage.shifts.append((stage.time, dx, dy))
    stage.time += BUMP_MS
    stage.say("moved")


def _blind(stage: Stage, step: Step) -> None:
    sight = "covered" if step.verb == "cover" else "dark"
    start = stage.time
    stage.say("not_watching")
    _wait(stage, step)
    stage.blind.append((start, stage.time, sight))
    stage.say("watching")


def _lamps(stage: Stage, step: Step) -> None:
    stage.lamps.append((stage.time, float(step.words[0])))


DEEDS: dict[str, Callable[[Stage, Step], None]] = {
    "wait": _wait, "play": _play, "both": _both, "refuse": _refuse, "stop": _stop,
    "backward": _backward, "stray": _stray, "out-of-turn": _out_of_turn, "leave": _leave,
    "rob": _rob, "remove": _remove, "add": _add, "displace": _displace,
    "uncrowned": _uncrowned, "unearned": _unearned, "unstack": _unstack,
    "off-square": _off_square, "astride": _astride,
    "upset": _upset, "restore": _restore, "crown": _crown, "adjust": _adjust,
    "hover": _hover, "nudge": _nudge, "bump": _bump, "cover": _blind, "dark": _blind,
    "lamps": _lamps, "drag": _drag, "linger": _linger, "wrong-side": _wrong_side,
    "meanwhile": _meanwhile, "self-crowned": _self_crowned, "take-back": _take_back,
    "adjust-two": _adjust_two, "touch": _touch, "stranger": _stranger, "lean": _lean,
}  # fmt: skip
"""What each verb of `sample_images.script.VERBS` does."""

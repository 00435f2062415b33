"""Games without pixels: people with habits, an eye with faults, and a score for the referee.

    python -m referee.simulation --games 200 --seed 1

plays random lawful games move by move as hands do it, looks at them through a noisy eye at 3 to
30 frames a second, and counts what the referee got right. The truth is written down while the
scene is made; the referee sees observations only. Nothing here knows a constant of the tracker.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from referee import game as play_game
from referee.board import (
    APPEARANCES,
    EMPTY,
    SQUARES,
    START,
    Cell,
    Side,
    at,
    cell_of,
    replace,
    side_of,
    square_at,
)
from referee.events import Event, Irregular, Irregularity, Played, Unsure
from referee.observation import HIDDEN, Hand, LooseDisc, Observation, Row, View
from referee.rules import (
    Move,
    Position,
    after,
    captures,
    lawful_moves,
    plain_moves,
    unfinished,
    why_not,
)

MOST_PLIES = 120
NOISE_WIDTH = 2.45
"""Two uniform numbers spread so far have a standard deviation of one."""


# --- people ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Habits:
    """How the two players of one game behave."""

    think_ms: tuple[int, int]
    """Shortest and longest pause before a move."""
    quick: float
    """The share of replies begun while the other hand is still there."""
    hover: float
    """The share of moves that begin with a hand over the board and away again."""
    leave_jumped: float
    """The share of captures whose jumped pieces are taken off with the hand leaving between."""
    slide: float
    """The share of moves slid over the board, half on two squares for a moment."""
    crown_late: float
    """The share of crownings that take a second visit of the hand."""
    forget: float
    """The share of plies with an offence."""

    @classmethod
    def draw(cls, rng: Random, forget: float, blitz: bool) -> Habits:
        fast = rng.random() < 0.3
        quick = rng.uniform(0, 0.2 if fast else 0.05)
        return cls(
            (300, 1_200) if fast else (600, 4_000),
            rng.uniform(0.2, 0.6) if blitz else quick,
            rng.uniform(0, 0.15),
            rng.uniform(0, 0.4),
            rng.uniform(0, 0.5),
            rng.uniform(0, 0.5),
            forget,
        )


@dataclass(frozen=True)
class Reach:
    """A hand over some squares for a time."""

    since_ms: int
    until_ms: int
    side: Side
    squares: frozenset[int]


@dataclass(frozen=True)
class Offence:
    """An irregularity that was staged, and when the board lay open for it."""

    kind: Irregularity
    side: Side
    left_ms: int
    """When the hand had left."""
    mended_ms: int
    """When the hand came back to put it right."""


@dataclass
class Scene:
    """What happens on one board, in time: the truth of a simulated game."""

    rng: Random
    setup: str = START
    """As it looks at the end of what has been staged so far."""
    time_ms: int = 1_500
    changes: list[tuple[int, str]] = field(default_factory=lambda: [(0, START)])
    """From each time on, how the board looks. A `?` looks like nothing in particular."""
    reaches: list[Reach] = field(default_factory=list)
    loose: list[tuple[int, int, LooseDisc]] = field(default_factory=list)
    blind: list[tuple[int, int]] = field(default_factory=list)
    plies: list[tuple[Move, int]] = field(default_factory=list)
    """Each lawful move with the time when the hand had left its squares."""
    offences: list[Offence] = field(default_factory=list)

    def wait(self, shortest_ms: int, longest_ms: int) -> None:
        self.time_ms += self.rng.randint(shortest_ms, longest_ms)

    def put(self, changes: dict[int, str]) -> None:
        """From now on the board looks otherwise."""
        self.setup = replace(self.setup, changes)
        self.changes.append((self.time_ms, self.setup))

    def hand(self, side: Side, square: int, shortest_ms: int, longest_ms: int) -> None:
        """A hand over a square for a while."""
        began = self.time_ms
        self.wait(shortest_ms, longest_ms)
        squares = frozenset(arm(side, square, self.rng.choice((-1, 0, 0, 1))))
        self.reaches.append(Reach(began, self.time_ms, side, squares))


def arm(side: Side, square: int, lean: int) -> Iterator[int]:
    """The squares under a hand at a square and its arm, from that player's edge."""
    row, column = cell_of(square)
    step = -side.forward
    yield square
    for distance in range(1, 8):
        for width in (0, 1 if lean >= 0 else -1):
            under = square_at(row + step * distance, column + width + lean * distance // 3)
            if under is not None:
                yield under


def carry(scene: Scene, side: Side, start: int, end: int, slide: bool) -> None:
    """A piece goes from one square to another in somebody's hand, which stays over the end."""
    piece = at(scene.setup, start)
    scene.hand(side, start, 120, 300)
    if slide:
        both = scene.rng.choice((piece, EMPTY))
        scene.put({start: both, end: both})
        scene.hand(side, start, 60, 200)
    scene.put({start: EMPTY})
    scene.hand(side, end, 150, 500)
    scene.put({start: EMPTY, end: piece})
    scene.hand(side, end, 60, 250)


def lift(scene: Scene, side: Side, square: int) -> None:
    """A hand takes a piece off the board."""
    scene.hand(side, square, 120, 350)
    scene.put({square: EMPTY})
    scene.hand(side, square, 60, 200)


def lay(scene: Scene, side: Side, square: int, piece: str) -> None:
    """A hand puts a piece on a square, or a crown on a man."""
    scene.hand(side, square, 150, 400)
    scene.put({square: piece})
    scene.hand(side, square, 60, 250)


def perform(scene: Scene, side: Side, move: Move, habits: Habits) -> None:
    """A lawful move as a hand makes it."""
    rng = scene.rng
    if rng.random() < habits.hover:
        scene.hand(side, rng.choice(SQUARES), 200, 900)
        scene.wait(100, 700)
    for start, end in zip(move.path, move.path[1:], strict=False):
        carry(scene, side, start, end, rng.random() < habits.slide)
    leaves = rng.random() < habits.leave_jumped
    for square in move.captured:
        if leaves:
            scene.wait(150, 900)
        lift(scene, side, square)


def stage_move(scene: Scene, position: Position, move: Move, habits: Habits) -> None:
    """A lawful move with all that belongs to it, the opponent's crowning included."""
    perform(scene, position.turn, move, habits)
    scene.plies.append((move, scene.time_ms))
    if move.crowns:
        if scene.rng.random() < habits.crown_late:
            scene.wait(400, 2_500)
        crown(scene, position.turn.other, move.end)


def crown(scene: Scene, side: Side, square: int) -> None:
    """The opponent puts the second disc on."""
    lay(scene, side, square, at(scene.setup, square).upper())


# --- offences -------------------------------------------------------------------------------


def mended(scene: Scene, side: Side, kind: Irregularity, before: str) -> None:
    """Everybody looks at the board; then the offender puts everything back."""
    left = scene.time_ms
    scene.wait(3_600, 6_000)
    scene.offences.append(Offence(kind, side, left, scene.time_ms))
    put_back(scene, side, before)
    scene.wait(400, 1_500)


def put_back(scene: Scene, side: Side, before: str) -> None:
    """One piece after the other, so that no piece is ever on the board twice."""
    wrong = [s for s in SQUARES if at(scene.setup, s) != at(before, s)]
    for square in sorted(wrong, key=lambda s: at(before, s) != EMPTY):
        if at(before, square) == EMPTY:
            lift(scene, side, square)
    for square in wrong:
        if at(before, square) != EMPTY:
            lay(scene, side, square, at(before, square))


def _choice(rng: Random, moves: tuple[Move, ...]) -> Move | None:
    return rng.choice(moves) if moves else None


def _wrong_turn(scene: Scene, position: Position, habits: Habits) -> bool:
    waiting = Position(position.setup, position.turn.other)
    move = _choice(scene.rng, lawful_moves(waiting))
    if move is None:
        return False
    perform(scene, waiting.turn, move, habits)
    return True


def _capture_missed(scene: Scene, position: Position, habits: Habits) -> bool:
    move = _choice(scene.rng, plain_moves(position)) if captures(position) else None
    if move is None:
        return False
    carry(scene, position.turn, move.start, move.end, scene.rng.random() < habits.slide)
    return True


def _capture_unfinished(scene: Scene, position: Position, habits: Habits) -> bool:
    move = _choice(scene.rng, unfinished(position))
    if move is None:
        return False
    for start, end in zip(move.path, move.path[1:], strict=False):
        carry(scene, position.turn, start, end, False)
    if scene.rng.random() < 0.8:
        for square in move.captured:
            lift(scene, position.turn, square)
    return True


def _jumped_piece_left(scene: Scene, position: Position, habits: Habits) -> bool:
    move = _choice(scene.rng, captures(position))
    if move is None or move.crowns:
        return False
    for start, end in zip(move.path, move.path[1:], strict=False):
        carry(scene, position.turn, start, end, False)
    for square in move.captured[1:]:
        lift(scene, position.turn, square)
    return True


def _illegal_step(scene: Scene, position: Position, habits: Habits) -> bool:
    own = [s for s in SQUARES if position.turn.owns(at(position.setup, s))]
    start = scene.rng.choice(own)
    row, column = cell_of(start)
    near = [
        square_at(row + down, column + right)
        for down, right in ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, -2), (0, 2), (2, 0), (-2, 0))
    ]
    ends = [s for s in near if s and _impossible(position, start, s)]
    if not ends:
        return False
    carry(scene, position.turn, start, scene.rng.choice(ends), False)
    return True


def _impossible(position: Position, start: int, end: int) -> bool:
    if at(position.setup, end) != EMPTY:
        return False
    fault = why_not(position, start, end)
    return fault is not None and fault.name in ("BACKWARD", "DISTANCE")


def _piece_removed(scene: Scene, position: Position, side: Side, own: bool) -> bool:
    owner = side if own else side.other
    squares = [s for s in SQUARES if owner.owns(at(position.setup, s))]
    lift(scene, side, scene.rng.choice(squares))
    return True


def _own_piece_removed(scene: Scene, position: Position, habits: Habits) -> bool:
    return _with_extra(scene, position, position.turn, habits)


def _wrong_piece_removed(scene: Scene, position: Position, habits: Habits) -> bool:
    return _with_extra(scene, position, position.turn.other, habits)


def _with_extra(scene: Scene, position: Position, owner: Side, habits: Habits) -> bool:
    """A capture after which one piece of `owner` is missing too that was not jumped."""
    move = _choice(scene.rng, captures(position))
    if move is None or move.crowns:
        return False
    others = [
        s
        for s in SQUARES
        if owner.owns(at(position.setup, s)) and s not in (*move.captured, *move.path)
    ]
    if not others:
        return False
    for start, end in zip(move.path, move.path[1:], strict=False):
        carry(scene, position.turn, start, end, False)
    for square in (*move.captured, scene.rng.choice(others)):
        lift(scene, position.turn, square)
    return True


def _piece_added(scene: Scene, position: Position, habits: Habits) -> bool:
    empty = [s for s in SQUARES if at(position.setup, s) == EMPTY]
    side = scene.rng.choice(tuple(Side))
    rows = [s for s in empty if cell_of(s)[0] != side.king_row]
    if not rows:
        return False
    lay(scene, position.turn, scene.rng.choice(rows), side.man)
    return True


def _piece_displaced(scene: Scene, position: Position, habits: Habits) -> bool:
    """A piece of the player who has to wait goes where it never could."""
    waiting = position.turn.other
    turned = Position(position.setup, waiting)
    squares = [s for s in SQUARES if waiting.owns(at(position.setup, s))]
    start = scene.rng.choice(squares)
    row = cell_of(start)[0]
    ends = [s for s in SQUARES if _impossible(turned, start, s) and abs(cell_of(s)[0] - row) != 2]
    if not ends:
        return False
    carry(scene, position.turn, start, scene.rng.choice(ends), False)
    return True


def _off_square(scene: Scene, position: Position, habits: Habits) -> bool:
    own = [s for s in SQUARES if position.turn.owns(at(position.setup, s))]
    square = scene.rng.choice(own)
    row, column = cell_of(square)
    cell: Cell = (row, column + 1 if column < 7 else column - 1)
    lift(scene, position.turn, square)
    disc = LooseDisc(cell, position.turn)
    scene.loose.append((scene.time_ms, scene.time_ms + 3_500, disc))
    return True


def _upset(scene: Scene, position: Position, habits: Habits) -> bool:
    pieces = [s for s in SQUARES if at(scene.setup, s) != EMPTY]
    gone = scene.rng.sample(pieces, min(len(pieces), 5))
    if len(gone) < 5:
        return False
    scene.hand(position.turn, gone[0], 300, 600)
    scene.put(dict.fromkeys(gone, EMPTY))
    scene.hand(position.turn, gone[0], 100, 300)
    return True


def _crown_unearned(scene: Scene, position: Position, habits: Habits) -> bool:
    men = [s for s in SQUARES if at(scene.setup, s) in "rw"]
    if not men:
        return False
    square = scene.rng.choice(men)
    crown(scene, position.turn, square)
    return True


STAGED: dict[Irregularity, Callable[[Scene, Position, Habits], bool]] = {
    Irregularity.WRONG_TURN: _wrong_turn,
    Irregularity.CAPTURE_MISSED: _capture_missed,
    Irregularity.CAPTURE_UNFINISHED: _capture_unfinished,
    Irregularity.JUMPED_PIECE_LEFT: _jumped_piece_left,
    Irregularity.ILLEGAL_STEP: _illegal_step,
    Irregularity.OWN_PIECE_REMOVED: _own_piece_removed,
    Irregularity.WRONG_PIECE_REMOVED: _wrong_piece_removed,
    Irregularity.PIECE_ADDED: _piece_added,
    Irregularity.PIECE_DISPLACED: _piece_displaced,
    Irregularity.OFF_SQUARE: _off_square,
    Irregularity.CROWN_UNEARNED: _crown_unearned,
    Irregularity.UPSET: _upset,
}


def stage_offence(scene: Scene, position: Position, habits: Habits) -> None:
    """One offence of a kind that the position allows, and its mending."""
    before = scene.setup
    possible = _special(position) or list(STAGED)
    kind = scene.rng.choice(possible)
    if STAGED[kind](scene, position, habits):
        side = position.turn.other if kind is Irregularity.WRONG_TURN else position.turn
        mended(scene, side, kind, before)


def _special(position: Position) -> list[Irregularity]:
    """The kinds that only few positions allow, where this is one."""
    kinds = []
    if unfinished(position):
        kinds.append(Irregularity.CAPTURE_UNFINISHED)
    if captures(position):
        kinds += [Irregularity.CAPTURE_MISSED, Irregularity.JUMPED_PIECE_LEFT]
        kinds += [Irregularity.OWN_PIECE_REMOVED, Irregularity.WRONG_PIECE_REMOVED]
    return kinds


def stage_reply_before_crown(
    scene: Scene, position: Position, move: Move, habits: Habits
) -> Position:
    """A man arrives, the opponent replies, and crowns only when told to. Returns the position."""
    perform(scene, position.turn, move, habits)
    scene.plies.append((move, scene.time_ms))
    scene.wait(600, 1_500)
    middle = after(position, move)
    replies = [m for m in lawful_moves(middle) if move.end not in m.captured and not m.crowns]
    if not replies:
        crown(scene, middle.turn, move.end)
        return middle
    reply = scene.rng.choice(replies)
    perform(scene, middle.turn, reply, habits)
    left = scene.time_ms
    scene.wait(3_600, 6_000)
    kind = Irregularity.CROWN_MISSING
    scene.offences.append(Offence(kind, middle.turn, left, scene.time_ms))
    crown(scene, middle.turn, move.end)
    scene.plies.append((reply, scene.time_ms))
    scene.wait(800, 1_500)
    return after(middle, reply)


def stage_game(rng: Random, forget: float, blitz: bool = False, plies: int = MOST_PLIES) -> Scene:
    """A random lawful game with everything that people do beside it."""
    scene, habits, position = Scene(rng), Habits.draw(rng, forget, blitz), Position.start()
    while len(scene.plies) < plies and (moves := lawful_moves(position)):
        if rng.random() < habits.forget:
            scene.wait(700, 2_000)
            stage_offence(scene, position, habits)
        _pause(scene, habits)
        move = rng.choice(moves)
        if move.crowns and rng.random() < 4 * habits.forget:
            position = stage_reply_before_crown(scene, position, move, habits)
            continue
        stage_move(scene, position, move, habits)
        position = after(position, move)
    scene.wait(5_000, 6_000)
    return scene


def _pause(scene: Scene, habits: Habits) -> None:
    """Thinking; or the other hand comes before this one is away; now and then it gets dark."""
    if scene.rng.random() < habits.quick:
        scene.time_ms -= scene.rng.randint(0, 150)
        return
    if scene.rng.random() < 0.01:
        scene.wait(900, 1_500)
        scene.blind.append((scene.time_ms, scene.time_ms + scene.rng.randint(300, 3_000)))
    scene.wait(*habits.think_ms)


# --- the eye --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sharpness:
    """How well the eye sees one game."""

    frame_ms: int
    strength: int
    """Centinats between the right occupant and the next."""
    rank: int
    """Centinats between man and king; near 0 where the tilt is small."""
    noise: int
    misreads: float
    """Wrong readings that last for seconds, per square and minute."""
    hand_missed: float
    """The share of time in which a hand is there and not noticed."""

    @classmethod
    def draw(cls, rng: Random) -> Sharpness:
        return cls(
            rng.choice((33, 40, 66, 100, 100, 150, 200, 333)),
            rng.choice((400, 600, 800, 800, 1_000)),
            rng.choice((0, 150, 400, 600)),
            rng.choice((30, 60, 100)),
            rng.choice((0.0, 0.05, 0.2)),
            rng.choice((0.0, 0.02, 0.06)),
        )


@dataclass(frozen=True)
class Misread:
    """A square that looks wrong for a while, whatever stands on it."""

    since_ms: int
    until_ms: int
    square: int
    looks: str
    strength: int


class Eye:
    """A camera and all that goes wrong with it. One per game."""

    def __init__(self, scene: Scene, sharpness: Sharpness, rng: Random) -> None:
        self.scene, self.sharpness, self.rng = scene, sharpness, rng
        self.weak = {rng.choice(SQUARES): 0.5, rng.choice(SQUARES): 0.7}
        self.misreads = list(self._misreads())
        self.missed_until = dict.fromkeys(Side, 0)
        self.change = 0
        self.likelihoods: dict[tuple[str, int], tuple[int, ...]] = {}

    def _misreads(self) -> Iterator[Misread]:
        minutes = self.scene.time_ms / 60_000
        count = round(self.sharpness.misreads * minutes * len(SQUARES))
        for _ in range(count):
            since = self.rng.randrange(self.scene.time_ms)
            lasts = self.rng.choice((150, 400, 1_000, 2_000, 4_000))
            strength = round(self.sharpness.strength * self.rng.uniform(0.2, 0.55))
            looks = self.rng.choice(APPEARANCES + "?")
            yield Misread(since, since + lasts, self.rng.choice(SQUARES), looks, strength)

    def observations(self) -> Iterator[Observation]:
        """The whole game, frame by frame."""
        now = 0
        while now < self.scene.time_ms:
            now += round(self.sharpness.frame_ms * self.rng.uniform(0.8, 1.2)) or 1
            yield self._look(now)

    def _look(self, now: int) -> Observation:
        if any(since <= now < until for since, until in self.scene.blind):
            return Observation(now, (HIDDEN,) * 32, view=View.DARK)
        setup = self._setup(now)
        hands, hidden, strange = self._hands(now)
        wrong = {m.square: m for m in self.misreads if m.since_ms <= now < m.until_ms}
        rows = tuple(
            HIDDEN if s in hidden else self._row(s, at(setup, s), wrong.get(s), s in strange)
            for s in SQUARES
        )
        loose = tuple(d for since, until, d in self.scene.loose if since <= now < until)
        return Observation(now, rows, hands, loose if not hidden else ())

    def _setup(self, now: int) -> str:
        changes = self.scene.changes
        while self.change + 1 < len(changes) and changes[self.change + 1][0] <= now:
            self.change += 1
        return changes[self.change][1]

    def _hands(self, now: int) -> tuple[tuple[Hand, ...], set[int], set[int]]:
        """The hands noticed, the squares hidden, and those that look strange."""
        hands, hidden, strange = [], set[int](), set[int]()
        for reach in self.scene.reaches:
            if not reach.since_ms <= now < reach.until_ms:
                continue
            if self._missed(reach.side, now):
                strange |= reach.squares
                continue
            squares = {s for s in reach.squares if self.rng.random() < 0.97}
            hands.append(Hand(reach.side, tuple(sorted(squares))))
            hidden |= squares
        return tuple(hands), hidden, strange - hidden

    def _missed(self, side: Side, now: int) -> bool:
        if now < self.missed_until[side]:
            return True
        share = self.sharpness.hand_missed * self.sharpness.frame_ms / 200
        if self.rng.random() < share:
            self.missed_until[side] = now + self.rng.randint(50, 400)
            return True
        return False

    def _row(self, square: int, appearance: str, wrong: Misread | None, strange: bool) -> Row:
        strength = round(self.sharpness.strength * self.weak.get(square, 1.0))
        if strange:
            appearance = self.rng.choice((appearance, appearance, "?", *APPEARANCES))
            strength //= 2
        elif wrong:
            appearance, strength = wrong.looks, wrong.strength
        if appearance == "?":
            return HIDDEN
        return self._evidence(appearance, strength)

    def _evidence(self, appearance: str, strength: int) -> Row:
        noise, random = self.sharpness.noise, self.rng.random
        values = [
            value + round(noise * NOISE_WIDTH * (random() + random() - 1))
            for value in self._likelihoods(appearance, strength)
        ]
        best = max(values)
        empty, man, king, other_man, other_king = (v - best for v in values)
        return (empty, man, king, other_man, other_king)

    def _likelihoods(self, appearance: str, strength: int) -> tuple[int, ...]:
        """What the eye says of an appearance when nothing disturbs it."""
        key = appearance, strength
        if key not in self.likelihoods:
            near = min(self.sharpness.rank, strength)
            self.likelihoods[key] = tuple(
                0 if other == appearance else -(near if _same_side(other, appearance) else strength)
                for other in APPEARANCES
            )
        return self.likelihoods[key]


def _same_side(one: str, other: str) -> bool:
    return one != EMPTY and side_of(one) is side_of(other)


# --- the score ------------------------------------------------------------------------------


@dataclass
class Score:
    """What the referee got right in some games."""

    games: int = 0
    perfect: int = 0
    plies: int = 0
    right: int = 0
    staged: Counter[Irregularity] = field(default_factory=Counter)
    found: Counter[Irregularity] = field(default_factory=Counter)
    unreadable: int = 0
    """Offences with crowns that this eye could not see; neither expected nor counted."""
    false: list[str] = field(default_factory=list)
    unsure: int = 0
    move_delays: list[int] = field(default_factory=list)
    accuse_delays: list[int] = field(default_factory=list)

    def add(self, other: Score) -> None:
        self.games += other.games
        self.perfect += other.perfect
        self.plies += other.plies
        self.right += other.right
        self.staged += other.staged
        self.found += other.found
        self.unreadable += other.unreadable
        self.false += other.false
        self.unsure += other.unsure
        self.move_delays += other.move_delays
        self.accuse_delays += other.accuse_delays


CROWNS = (Irregularity.CROWN_MISSING, Irregularity.CROWN_UNEARNED)
READABLE_RANK = 400


def referee_game(
    seed: int, forget: float, blitz: bool = False, plies: int = MOST_PLIES
) -> tuple[Scene, Sharpness, list[Event], Score]:
    """Stage one game, show it to the referee and compare."""
    rng = Random(seed)
    scene = stage_game(rng, forget, blitz, plies)
    sharpness = Sharpness.draw(rng)
    game, events = play_game.begin(), list[Event]()
    for observation in Eye(scene, sharpness, rng).observations():
        game, more = play_game.feed(game, observation)
        events += more
    return scene, sharpness, events, _score(seed, scene, sharpness, game.moves, events)


def _score(
    seed: int, scene: Scene, sharpness: Sharpness, moves: tuple[Move, ...], events: list[Event]
) -> Score:
    score = Score(games=1, plies=len(scene.plies))
    truth = [move for move, _ in scene.plies]
    score.right = _common(truth, moves)
    _score_offences(score, seed, scene, sharpness, events)
    score.unsure = sum(isinstance(event, Unsure) for event in events)
    score.perfect = int(list(moves) == truth and not score.false)
    played = [event for event in events if isinstance(event, Played)]
    for (_, left_ms), event in zip(scene.plies[: score.right], played, strict=False):
        score.move_delays.append(event.time_ms - left_ms)
    return score


def _common(truth: list[Move], moves: tuple[Move, ...]) -> int:
    """How many moves agree from the start on: after a wrong one all others are wrong too."""
    for count, (true, move) in enumerate(zip(truth, moves, strict=False)):
        if true != move:
            return count
    return min(len(truth), len(moves))


def _score_offences(
    score: Score, seed: int, scene: Scene, sharpness: Sharpness, events: list[Event]
) -> None:
    claims = [event for event in events if isinstance(event, Irregular)]
    for offence in scene.offences:
        fitting = [c for c in claims if _fits(offence, c)]
        if offence.kind in CROWNS and sharpness.rank < READABLE_RANK:
            score.unreadable += 1
        else:
            score.staged[offence.kind] += 1
            score.found[offence.kind] += bool(fitting)
        for claim in fitting[:1]:
            score.accuse_delays.append(claim.time_ms - offence.left_ms)
            claims.remove(claim)
    score.false += [f"seed {seed}: {claim.record()}" for claim in claims]


def _fits(offence: Offence, claim: Irregular) -> bool:
    return claim.kind is offence.kind and (
        offence.left_ms - 200 <= claim.time_ms <= offence.mended_ms + 300
    )


def _table(score: Score) -> str:
    lines = [
        f"games {score.games}, without a correction {score.perfect} "
        f"({100 * score.perfect / max(1, score.games):.2f} %)",
        f"plies {score.plies}, right {score.right} "
        f"({100 * score.right / max(1, score.plies):.3f} %)",
        f"false accusations {len(score.false)}, unsure {score.unsure}",
        f"move announced after {_spread(score.move_delays)}",
        f"offence announced after {_spread(score.accuse_delays)}",
        f"crown offences the eye could not read {score.unreadable}",
    ]
    for kind in Irregularity:
        if score.staged[kind]:
            share = 100 * score.found[kind] / score.staged[kind]
            lines.append(
                f"{kind.value:22}{score.found[kind]:5} of {score.staged[kind]:5}{share:8.2f} %"
            )
    total, found = score.staged.total(), score.found.total()
    lines.append(f"{'all offences':22}{found:5} of {total:5}{100 * found / max(1, total):8.2f} %")
    return "\n".join(lines)


def _spread(delays: list[int]) -> str:
    if not delays:
        return "-"
    ordered = sorted(delays)
    middle, late = ordered[len(ordered) // 2], ordered[len(ordered) * 95 // 100]
    return f"{middle} ms median, {late} ms p95, {ordered[-1]} ms at most"


def simulate(
    games: int, seed: int, forget: float, blitz: bool = False, plies: int = MOST_PLIES
) -> Score:
    """The score over some games."""
    total = Score()
    for number in range(games):
        total.add(referee_game(1_000_003 * seed + number, forget, blitz, plies)[3])
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--offences", type=float, default=0.04, help="share of plies with an offence"
    )
    parser.add_argument(
        "--blitz", action="store_true", help="every second reply before the other hand is away"
    )
    parser.add_argument("--show", action="store_true", help="print each false accusation")
    options = parser.parse_args()
    score = simulate(options.games, options.seed, options.offences, options.blitz)
    print(_table(score))
    if options.show:
        print("\n".join(score.false))


if __name__ == "__main__":
    main()

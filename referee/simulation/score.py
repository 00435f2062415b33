"""What the referee got right in simulated games, and how fast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from heapq import merge
from random import Random

from referee import game as play_game
from referee.events import (
    Event,
    Irregular,
    Irregularity,
    Lingering,
    Played,
    Touch,
    Touched,
    Unsure,
    Withdrawn,
)
from referee.rules import Move
from referee.simulation.deeds import AROUND_MS, Deed, unfounded
from referee.simulation.eye import Eye, Sharpness
from referee.simulation.games import MOST_PLIES, PeopleOf, stage_game
from referee.simulation.people import Habits
from referee.simulation.scene import Handling, Offence, Scene
from referee.tidying import tidying

SHORTEST_MS = 250
"""A piece whose square was bare for less than this in all, or than two frames, nobody could see to
be lifted."""
Clock = Callable[[], float]
EyeOf = Callable[[Random], Sharpness]
Told = tuple[int, int, frozenset[int]]
"""A move by its first and last square and what it captures."""


@dataclass
class Score:
    """What the referee got right in some games."""

    games: int = 0
    perfect: int = 0
    """Games whose record is the game, and in which nobody is accused falsely..."""
    unasked: int = 0
    """... and nothing is asked or withdrawn either."""
    plies: int = 0
    right: int = 0
    """Plies that the record has, in their order."""
    invented: int = 0
    """Plies of the record that are none of the game's."""
    until_wrong: int = 0
    """Plies before the first one in its game that the record has otherwise, or not at all."""
    staged: Counter[Irregularity] = field(default_factory=Counter)
    found: Counter[Irregularity] = field(default_factory=Counter)
    misnamed: int = 0
    """Offences called by another name: not found, but no false accusations either."""
    false: list[str] = field(default_factory=list)
    charged: list[str] = field(default_factory=list)
    """What was proposed or ruled falsely, but for what comes with an accusation."""
    unsure: int = 0
    withdrawn: int = 0
    handled: Counter[str] = field(default_factory=Counter)
    """Touches and lingering hands by kind: `lifted`, `lifted found`, `lifted false`, ..."""
    covered: int = 0
    """Pieces lifted and put back under the arm that did it; neither expected nor counted."""
    wrong: list[str] = field(default_factory=list)
    """Games whose record is not the game."""
    move_delays: list[int] = field(default_factory=list)
    accuse_delays: list[int] = field(default_factory=list)
    frame_ms: list[float] = field(default_factory=list)
    """Time for each frame, if it was measured."""

    def add(self, other: Score) -> None:
        for name, value in vars(other).items():
            if isinstance(value, Counter):
                getattr(self, name).update(value)
            else:
                setattr(self, name, getattr(self, name) + value)


def referee_game(
    seed: int,
    forget: float,
    blitz: bool = False,
    plies: int = MOST_PLIES,
    clock: Clock | None = None,
    eye_of: EyeOf = Sharpness.draw,
    people_of: PeopleOf = Habits.draw,
) -> Score:
    """Stage one game, show it to the referee and compare; `clock` times every frame, `eye_of` tells
    how well the eye sees, `people_of` how the players behave."""
    rng = Random(seed)
    scene = stage_game(rng, forget, blitz, plies, people_of)
    eye = Eye(scene, eye_of(rng), rng)
    game, events, spent = play_game.begin(scene.first), list[Event](), list[float]()
    with tidying() as tidy:
        for given in _inputs(scene, eye):
            began = clock() if clock else 0.0
            game, more = play_game.feed(game, given)
            if clock:
                spent.append(1_000 * (clock() - began))
            events += more
            tidy.after_frame(given.time_ms, not more and game.tracker.sight.hands_off_ms() > 0)
    score = _score(seed, scene, eye, game.moves, events)
    score.frame_ms = spent
    return score


def _inputs(scene: Scene, eye: Eye) -> Iterator[play_game.Input]:
    return merge(scene.commands, eye.observations(), key=lambda given: given.time_ms)


def _score(
    seed: int, scene: Scene, eye: Eye, moves: tuple[Move, ...], events: list[Event]
) -> Score:
    true, recorded = [_told(move) for move, _ in scene.plies], [_told(move) for move in moves]
    score = Score(games=1, plies=len(true), right=agreeing(true, recorded))
    score.invented = len(recorded) - score.right
    score.until_wrong = _common(true, recorded)
    _score_offences(score, seed, scene, events)
    _score_handlings(score, scene, eye, events)
    false = unfounded(events, list(_deeds(scene)))
    score.charged = [f"seed {seed}: {charge.record()}" for charge in false]
    score.unsure = sum(isinstance(event, Unsure) for event in events)
    score.withdrawn = sum(isinstance(event, Withdrawn) for event in events)
    if recorded != true:
        first = f"right up to ply {score.until_wrong} of {len(true)}"
        score.wrong.append(f"seed {seed}: {first}, {score.right} in all")
    score.perfect = int(not score.wrong and not score.false)
    score.unasked = int(score.perfect and not score.unsure and not score.withdrawn)
    if not score.withdrawn:
        played = [event for event in events if isinstance(event, Played)]
        for (_, left_ms), event in zip(scene.plies[: score.until_wrong], played, strict=False):
            score.move_delays.append(event.time_ms - left_ms)
    return score


def agreeing(true: Sequence[Hashable], recorded: Sequence[Hashable]) -> int:
    """How many moves of a game the record has, in their order; those that are wrong or missing
    between them are what a person would have to mend."""
    blocks = SequenceMatcher(None, true, recorded, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks)


def _common(true: list[Told], recorded: list[Told]) -> int:
    """How many moves agree from the start on."""
    pairs = enumerate(zip(true, recorded, strict=False))
    return next((n for n, (one, other) in pairs if one != other), min(len(true), len(recorded)))


def _told(move: Move) -> Told:
    """The order of the jumps is no matter where it cannot be told from the board."""
    return move.start, move.end, frozenset(move.captured)


def _score_offences(score: Score, seed: int, scene: Scene, events: list[Event]) -> None:
    claims = [event for event in events if isinstance(event, Irregular)]
    for offence in scene.offences:
        fitting = [c for c in claims if _fits(offence, c)]
        score.staged[offence.kind] += 1
        score.found[offence.kind] += bool(fitting)
        for claim in fitting[:1]:
            score.accuse_delays.append(claim.time_ms - offence.left_ms)
            claims.remove(claim)
    for claim in claims:
        if any(_touches(offence, claim) for offence in scene.offences):
            score.misnamed += 1
        elif not any(_touches(regret, claim) for regret in scene.regrets):
            score.false.append(f"seed {seed}: {claim.record()}")


def _fits(offence: Offence, claim: Irregular) -> bool:
    return claim.kind is offence.kind and _touches(offence, claim)


def _is_of(offence: Offence, claim: Irregular) -> bool:
    return (
        claim.side in (None, offence.side)
        and offence.left_ms - 200 <= claim.time_ms <= offence.mended_ms + 300
    )


def _touches(offence: Offence, claim: Irregular) -> bool:
    """Whether a claim is about the squares of an offence, of whatever kind it calls it."""
    return _is_of(offence, claim) and bool(set(claim.squares) & set(offence.squares))


def _deeds(scene: Scene) -> Iterator[Deed]:
    """All upon which a proposal or a ruling may rest."""
    for offence in scene.offences:
        yield Deed(offence.side, offence.squares, offence.left_ms - AROUND_MS, offence.mended_ms)
    for regret in scene.regrets:
        yield Deed(regret.side, (), regret.left_ms - AROUND_MS, regret.mended_ms)
    for handling in (*scene.handlings, *scene.begun):
        yield Deed(handling.side, (handling.square,), handling.since_ms, handling.until_ms)


def _score_handlings(score: Score, scene: Scene, eye: Eye, events: list[Event]) -> None:
    said = [event for event in events if isinstance(event, (Touched, Lingering))]
    for handling in scene.handlings:
        word = handling.how.value if handling.how else "lingering"
        found = next((event for event in said if _is_about(event, handling)), None)
        if found:
            said.remove(found)
        if _was_covered(handling, eye):
            score.covered += 1
            continue
        score.handled[word] += 1
        score.handled[f"{word} found"] += bool(found)
    for event in said:
        if not _was_offence(event, scene) and not any(_is_about(event, h) for h in scene.begun):
            word = event.how.value if isinstance(event, Touched) else "lingering"
            score.handled[f"{word} false"] += 1


def _was_offence(event: Touched | Lingering, scene: Scene) -> bool:
    """Whether pieces were handled then to commit an offence or to put it right."""
    undone = (*scene.offences, *scene.regrets)
    return any(o.left_ms - AROUND_MS <= event.time_ms <= o.mended_ms + AROUND_MS for o in undone)


def _was_covered(handling: Handling, eye: Eye) -> bool:
    if handling.how is not Touch.LIFTED:
        return False
    return eye.bared_ms(handling) < max(SHORTEST_MS, 2 * eye.sharpness.frame_ms)


def _is_about(event: Touched | Lingering, handling: Handling) -> bool:
    """The rules make no difference between a piece that was lifted and one that was pushed."""
    how = event.how if isinstance(event, Touched) else None
    since = event.touched_ms if isinstance(event, Touched) else event.time_ms
    return (
        event.square == handling.square
        and (how is None) == (handling.how is None)
        and event.side in (None, handling.side)
        and handling.since_ms - 500 <= since <= handling.until_ms + 1_000
    )


def table(score: Score) -> str:
    """The score in lines for people."""
    lines = [
        f"games {score.games}, without a correction {score.perfect} "
        f"({100 * score.perfect / max(1, score.games):.2f} %), nor a question {score.unasked} "
        f"({100 * score.unasked / max(1, score.games):.2f} %)",
        f"plies {score.plies}, right {score.right} "
        f"({100 * score.right / max(1, score.plies):.3f} %), invented {score.invented}, "
        f"before the first wrong one of a game {score.until_wrong}",
        f"false accusations {len(score.false)}, offences called by another name {score.misnamed}, "
        f"proposed or ruled falsely {len(score.charged)}",
        f"unsure {score.unsure}, withdrawn {score.withdrawn}",
        f"move announced after {_spread(score.move_delays)}",
        f"offence announced after {_spread(score.accuse_delays)}",
        f"lifted pieces whose square lay under the arm {score.covered}",
    ]
    if score.frame_ms:
        lines.append(_frame_line(score.frame_ms))
    lines += [_line(kind.value, score.found[kind], score.staged[kind]) for kind in Irregularity]
    lines.append(_line("all these offences", score.found.total(), score.staged.total()))
    for word in ("lifted", "shifted", "lingering"):
        false = f", {score.handled[f'{word} false']} false"
        lines.append(_line(word, score.handled[f"{word} found"], score.handled[word]) + false)
    return "\n".join(lines)


def _line(name: str, found: int, staged: int) -> str:
    if not staged:
        return f"{name:22}not staged"
    return f"{name:22}{found:5} of {staged:5}{100 * found / staged:8.2f} %"


def _spread(delays: list[int]) -> str:
    if not delays:
        return "-"
    ordered = sorted(delays)
    middle, late = ordered[len(ordered) // 2], ordered[len(ordered) * 95 // 100]
    return f"{middle} ms median, {late} ms p95, {ordered[-1]} ms at most"


def _frame_line(spent: list[float]) -> str:
    ordered = sorted(spent)
    median, late = ordered[len(ordered) // 2], ordered[len(ordered) * 999 // 1_000]
    return (
        f"work per frame {median:.2f} ms median, {late:.2f} ms p99.9, "
        f"{ordered[-1]:.2f} ms at most, over {len(ordered)} frames"
    )

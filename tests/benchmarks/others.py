"""What the eye saw of films by others, fed to the game once more, beside what happens in them.

The films themselves are too large to keep; what was seen of them is kept as the journal keeps it.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from referee.beginners import Beginners
from referee.board import Side
from referee.events import Conduct, Event, Irregular, Lingering, Proposed, Touched
from referee.eye.first_sight import tells_who_begins
from referee.game import begin, feed
from referee.journal.coding import StepReader
from referee.notation import parse_fen, parse_move
from referee.observation import Observation
from referee.rules import Position, play
from referee.simulation.deeds import AROUND_MS, Charge, Deed, unfounded
from referee.simulation.score import agreeing
from tests.benchmarks.claims import is_about, is_of, tells
from tests.benchmarks.games import ASKS, seen_moves
from tests.benchmarks.report import Row, Section, at_least, at_most, by_group, count, share, total
from tests.benchmarks.simulated import MOVE_MS, OFFENCE_MS, delays
from tests.benchmarks.wanted import Wanted

TITLE = "what was seen of films by others"
FOLDER = Path(__file__).parent / "seen"
SEEN = ".steps.xz"
BESIDE_A_MOVE = {"jumped_piece_left", "own_piece_removed", "wrong_piece_removed"}
TOGETHER_MS = 300
"""Makers write down when a hand has left twice, for the move and for what it did besides: these
are less apart than so."""
TAKEN_BACK = "taken_back"
"""A move that was complete: by WCDF 4.6 and 4.8 it stands, and to take it back may be told."""


@dataclass(frozen=True)
class Truth:
    """What happens in a film."""

    first: Position
    paths: tuple[str, ...]
    """The moves by their full paths..."""
    left_ms: tuple[int, ...]
    """...and when the hand left after each, and all was right: see `_right_ms`."""
    offences: tuple[Deed, ...]
    touches: tuple[Deed, ...]
    taken_back: tuple[Deed, ...]
    """Lawful moves that were `reconsidered` in the hand, or `taken_back` after it had left them:
    they stand, by the rules, and whatever is said of that is true."""
    light_and_dark: bool = True
    """Whether the set has light discs and dark ones, so that the dark ones begin."""


@dataclass
class Score:
    """What one film adds up to."""

    group: str
    plies: int
    right: int
    invented: int
    unaided: bool
    """Whether the record is the game, and nobody is accused falsely."""
    unasked: bool
    """... and nothing is asked or withdrawn."""
    offences: int
    told: int
    misnamed: int
    """Offences told under another name only."""
    accusations_false: int
    touches: int
    touches_told: int
    touches_false: int
    charges_false: int
    """Proposals and rulings, but for those that come with an accusation."""
    move_delays: list[int]
    """From when the hand left until it was told, in ms; of moves that the record has..."""
    offence_delays: list[int]
    """...and of offences that were told."""


def jobs(wanted: Wanted) -> Sequence[Path]:
    """The truth of each film of which it is kept what was seen."""
    return sorted(FOLDER.glob("*.json"))


def measure(job: Path) -> Score:
    """Feed what was seen of a film to the game."""
    truth = truth_of(job)
    return scored(job.stem.rpartition("-")[0], truth, told(truth, observations(job)))


def told(truth: Truth, observations: Iterable[Observation]) -> list[Event]:
    """What the game tells. Where it finds that the other discs have begun the eye would look anew;
    what was seen is turned about instead."""
    game, events, turned = begin(truth.first), list[Event](), False
    beginners = Beginners(game, tells_who_begins(truth.first.setup))
    for seen in observations:
        seen = seen.turned_about() if turned else seen
        game, more = feed(game, seen)
        events += more
        if righting := beginners.set_right(game, seen, truth.light_and_dark):
            game, more = feed(game, righting)
            events += more
            turned = True
    return events


def observations(path: Path) -> Iterator[Observation]:
    """What the eye saw of the film whose truth lies at `path`."""
    with lzma.open(path.with_suffix(SEEN), "rt", encoding="ascii") as lines:
        yield from StepReader().read(map(json.loads, lines))


def truth_of(path: Path) -> Truth:
    """The truth of a film."""
    plain = json.loads(path.read_text(encoding="utf-8"))
    first = parse_fen(plain["start"]) if plain["start"] else Position.start()
    return Truth(
        first,
        _paths(first, plain["plies"]),
        tuple(_right_ms(ply["ms"], plain["offences"]) for ply in plain["plies"]),
        tuple(_deed(o, o["squares"], "made_ms", "mended_ms") for o in plain["offences"]),
        tuple(_deed(t, [t["square"]], "from_ms", "until_ms") for t in plain["touches"]),
        tuple(_deed(b, [], "from_ms", "until_ms") for b in plain["taken_back"]),
        plain.get("light_and_dark", True),
    )


def _right_ms(left_ms: int, offences: list[dict[str, Any]]) -> int:
    """When a move was complete that a hand left at this time: where something was done wrong beside
    it, when that was put right. Some makers have that time themselves."""
    mended = (
        offence["mended_ms"]
        for offence in offences
        if offence["kind"] in BESIDE_A_MOVE and abs(offence["made_ms"] - left_ms) <= TOGETHER_MS
    )
    return next(mended, left_ms)


def _deed(plain: dict[str, Any], squares: list[int], since: str, until: str) -> Deed:
    side, kind = Side(plain["side"]), plain.get("kind", "")
    return Deed(side, tuple(squares), plain[since], plain[until], kind)


def _paths(position: Position, plies: list[dict[str, Any]]) -> tuple[str, ...]:
    paths = list[str]()
    for ply in plies:
        move = parse_move(position, ply["move"])
        paths.append(str(move))
        position = play(position, move)
    return tuple(paths)


def scored(group: str, truth: Truth, events: list[Event]) -> Score:
    """What the events are worth."""
    moves = seen_moves(truth.first, events)
    seen = [path for path, _ in moves]
    right = agreeing(truth.paths, seen)
    claims = [event for event in events if isinstance(event, Irregular)]
    told = [offence for offence in truth.offences if any(tells(c, offence) for c in claims)]
    misnamed = [o for o in truth.offences if o not in told and any(is_of(c, o) for c in claims)]
    true = *truth.offences, *(back for back in truth.taken_back if back.kind == TAKEN_BACK)
    false = [c for c in claims if not any(is_of(c, deed) for deed in true)]
    handled = [event for event in events if isinstance(event, (Touched, Lingering))]
    unaided = list(truth.paths) == seen and not false
    touched = [touch for touch in truth.touches if any(is_about(h, touch) for h in handled)]
    return Score(
        group,
        plies=len(truth.paths),
        right=right,
        invented=len(seen) - right,
        unaided=unaided,
        unasked=unaided and not any(isinstance(event, ASKS) for event in events),
        offences=len(truth.offences),
        told=len(told),
        misnamed=len(misnamed),
        accusations_false=len(false),
        touches=len(truth.touches),
        touches_told=len(touched),
        touches_false=sum(_is_false(h, truth) for h in handled),
        charges_false=len(_unfounded(truth, events)),
        move_delays=_move_delays(truth, moves),
        offence_delays=[
            next(c.time_ms for c in claims if tells(c, offence)) - offence.from_ms
            for offence in told
        ],
    )


def _unfounded(truth: Truth, events: list[Event]) -> list[Charge]:
    """What is proposed or ruled falsely. Of an offence the truth has not every square at which its
    player has handled pieces, and of hands it has not how long they stay."""
    wrongs = (replace(deed, squares=()) for deed in truth.offences)
    charges = unfounded(events, (*wrongs, *truth.taken_back, *truth.touches))
    stays = Conduct.HAND_LINGERING
    return [c for c in charges if not (isinstance(c, Proposed) and c.conduct is stays)]


def _move_delays(truth: Truth, moves: list[tuple[str, int]]) -> list[int]:
    blocks = SequenceMatcher(None, truth.paths, [p for p, _ in moves], autojunk=False)
    return [
        moves[block.b + number][1] - truth.left_ms[block.a + number]
        for block in blocks.get_matching_blocks()
        for number in range(block.size)
    ]


def _is_false(handled: Touched | Lingering, truth: Truth) -> bool:
    since = handled.touched_ms if isinstance(handled, Touched) else handled.since_ms
    return not any(is_about(handled, touch) for touch in truth.touches) and not any(
        deed.from_ms - AROUND_MS <= since <= deed.until_ms + AROUND_MS
        for deed in (*truth.offences, *truth.taken_back)
    )


def sections(scores: Iterable[Score]) -> list[Section]:
    """A block of rows for each maker."""
    groups = by_group(scores) or {f"nothing in {FOLDER.name}/": []}
    rows = chain.from_iterable(_rows(group, groups[group]) for group in sorted(groups))
    return [Section("Films by others, from what was seen of them to the record", list(rows))]


def _rows(group: str, some: list[Score]) -> list[Row]:
    of = partial(total, some)
    plies, offences, touches = of("plies"), of("offences"), of("touches")
    return [
        share("plies right", group, of("right"), plies, at_least(99.95)),
        count("plies invented", group, of("invented"), plies, at_most(0)),
        share("games without one correction", group, of("unaided"), len(some), at_least(99)),
        share("... nor one question", group, of("unasked"), len(some)),
        share("offences told", group, of("told"), offences, at_least(98)),
        count("... under another name", group, of("misnamed"), offences),
        count("false accusations", group, of("accusations_false"), plies, at_most(0)),
        count("proposed or ruled falsely", group, of("charges_false"), plies, at_most(0)),
        share("touches told", group, of("touches_told"), touches),
        count("touches that were none", group, of("touches_false"), plies),
        *delays("a move announced after", group, _all(some, "move_delays"), MOVE_MS),
        *delays("an offence announced after", group, _all(some, "offence_delays"), OFFENCE_MS),
    ]


def _all(some: list[Score], name: str) -> list[int]:
    return [each for score in some for each in getattr(score, name)]

"""When the referee asks."""

from __future__ import annotations

from dataclasses import replace

from referee.events import Unsure
from referee.explanation import Explanation
from referee.notation import move_text
from referee.rules import Move, Position, after
from referee.tracking.memory import Step, Tracker

UNSURE_MS = 3_500
UNSURE_WITHIN = 600


def ask(tracker: Tracker, explanation: Explanation) -> Step:
    """Say once that the board rests and nothing explains it well enough."""
    if tracker.incident or tracker.asked or tracker.is_adjusting:
        return tracker, ()
    squares = explanation.best.squares
    doubtful = squares and explanation.weakest(squares) > 0
    old = min(tracker.guess_age, tracker.sight.hands_off_ms()) >= UNSURE_MS
    if not doubtful or not old:
        return tracker, ()
    candidates = tuple(
        " ".join(_texts(tracker.position, hypothesis.moves))
        for hypothesis in explanation.lawful(UNSURE_WITHIN)
    )
    return replace(tracker, asked=True), (Unsure(tracker.now, candidates),)


def _texts(position: Position, moves: tuple[Move, ...]) -> list[str]:
    texts = []
    for move in moves:
        texts.append(move_text(position, move))
        position = after(position, move)
    return texts

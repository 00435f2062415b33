"""`make bench`: prints an accuracy table and a table of times."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from tests.benchmarks.cases import own_pictures, own_videos, photographs
from tests.benchmarks.games import GameScore, score_games
from tests.benchmarks.peers import PeerScore, measure_peers
from tests.benchmarks.pictures import Score, score_pictures

WIDTH = 150
NOTHING = "–"


def main() -> None:
    options = _arguments()
    pictures = sorted(own_pictures(), key=lambda picture: picture.group)
    if options.photographs:
        pictures += photographs(options.photographs)
    console = Console(width=WIDTH)
    console.print(
        f"OpenCV {cv2.__version__}, numpy {np.__version__}, Python {platform.python_version()},"
        f" {platform.machine()}; {len(pictures)} pictures"
    )
    scores = score_pictures(pictures)
    games = score_games(own_videos())
    console.print(accuracy_table(scores, games))
    console.print(times_table(scores, games, measure_peers(pictures)))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photographs", type=Path, help="a folder with labels.json")
    return parser.parse_args()


def accuracy_table(scores: Mapping[str, Score], games: Mapping[str, GameScore]) -> Table:
    """A row per measure, a column per group of pictures or games."""
    table = Table("Accuracy", *scores, *games, title="How well it sees")
    for name, of_pictures in PICTURE_ROWS.items():
        cells = [of_pictures(score) for score in scores.values()]
        table.add_row(name, *cells, *(NOTHING for _ in games))
    for name, of_games in GAME_ROWS.items():
        cells = [of_games(score) for score in games.values()]
        table.add_row(name, *(NOTHING for _ in scores), *cells)
    return table


def times_table(
    scores: Mapping[str, Score],
    games: Mapping[str, GameScore],
    peers: Mapping[str, Mapping[str, PeerScore]],
) -> Table:
    """Median milliseconds per picture; for the peers also how many boards they found."""
    table = Table("Milliseconds", *scores, *games, title="How long it takes, median of one picture")
    no_game = [NOTHING for _ in games]
    for stage in dict.fromkeys(stage for score in scores.values() for stage in score.ms):
        cells = [_median(score.ms.get(stage, [])) for score in scores.values()]
        table.add_row(stage, *cells, *no_game)
    frames = [_median(game.frame_ms) for game in games.values()]
    table.add_row("a frame of a game", *(NOTHING for _ in scores), *frames)
    slow = [f"{np.percentile(game.frame_ms, 90):.1f}" for game in games.values()]
    table.add_row("... nine in ten are below", *(NOTHING for _ in scores), *slow)
    for peer in dict.fromkeys(peer for group in peers.values() for peer in group):
        rows = [peers[group][peer] for group in scores]
        cells = [f"{_median(row.ms)} ({_share(row.found, len(row.ms))})" for row in rows]
        table.add_row(f"{peer} (found)", *cells, *no_game)
    return table


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole}" if whole else NOTHING


def _percent(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.2f} %)" if whole else NOTHING


def _median(values: list[float]) -> str:
    return f"{median(values):.1f}" if values else NOTHING


def _pixels(score: Score) -> str:
    if not score.corners_px:
        return NOTHING
    return f"{median(score.corners_px):.2f} / {np.percentile(score.corners_px, 90):.2f}"


PICTURE_ROWS: dict[str, Callable[[Score], str]] = {
    "board found": lambda s: _share(s.found, s.pictures),
    "... silently wrong": lambda s: _share(s.wrong, s.found),
    "... numbered from a wrong corner": lambda s: _share(s.turned, s.found - s.wrong),
    "worst corner, px, median / p90": _pixels,
    "cells misread": lambda s: _percent(s.errors, s.cells),
    "cells not read": lambda s: _percent(s.unread, s.cells),
    "king or man mistaken": lambda s: _percent(s.ranks, s.pieces),
    "kings seen as kings": lambda s: _share(s.kings_seen, s.kings),
}
GAME_ROWS: dict[str, Callable[[GameScore], str]] = {
    "plies right": lambda g: _share(g.plies_right, g.plies),
    "plies invented": lambda g: str(g.plies_invented),
    "offences found": lambda g: _share(g.offences_found, g.offences),
    "false accusations": lambda g: str(g.accusations_false),
}

if __name__ == "__main__":
    main()

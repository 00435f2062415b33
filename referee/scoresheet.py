"""The record of a game on disk: whole or not at all, and never over another game."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path

from referee.errors import InputError
from referee.journal.whole import write_whole
from referee.notation import Game, write_pdn

USUAL_NAME = Path("game.pdn")


class Scoresheet:
    """One PDN file, written anew after every move, so that a power cut loses nothing."""

    def __init__(self, path: Path | None = None) -> None:
        """Without a name, the first free one of `game.pdn`, `game-2.pdn` … is taken.

        InputError at once, not after an hour, when nothing can be written there.
        """
        self.path = path or free_name(USUAL_NAME)
        folder = self.path.parent
        if self.path.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
            raise InputError(f"no game can be written to {self.path}; give another file with --pdn")

    def save(self, game: Game) -> None:
        """Replace the file by this game; a program or a cable that dies leaves the old one."""
        write_whole(self.path, write_pdn(game))

    def next(self) -> Scoresheet:
        """A sheet for the next game, beside this one."""
        return Scoresheet(free_name(self.path))


def free_name(wanted: Path) -> Path:
    """The name itself, or with the first number from 2 that no file has."""
    numbered = (wanted.with_stem(f"{wanted.stem}-{number}") for number in count(2))
    return wanted if not wanted.exists() else next(path for path in numbered if not path.exists())

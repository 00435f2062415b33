"""The record of a game on disk: whole or not at all, and never over another game.

Without a name it goes where nothing is yet. Where a person has named a file that holds a game, that
one is kept beside it, as editors do; a file of anything else is refused.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from itertools import count
from pathlib import Path

from referee.errors import InputError
from referee.journal.whole import write_whole
from referee.notation import PLAYER_TAGS, Game, read_games, write_pdn

USUAL_NAME = Path("game.pdn")
BEGINNING = 1 << 16
"""Bytes of a file among which a game must begin."""


class Scoresheet:
    """One PDN file, written anew after every move, so that a power cut loses nothing."""

    def __init__(self, path: Path | None = None, former: Path | None = None) -> None:
        """Without a name, the first free one of `game.pdn`, `game-2.pdn` … is taken. `former` is
        where an older file of this name goes, when there is something to write.

        InputError at once, not after an hour, when nothing can be written there.
        """
        self.path = path or free_name(USUAL_NAME)
        self._former = former
        folder = self.path.parent
        if self.path.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
            raise InputError(f"no game can be written to {self.path}; give another file with --pdn")

    def save(self, *parts: Game) -> None:
        """Replace the file by this game; a program or a cable that dies leaves the old one, if only
        where older files go."""
        text = "\n".join(map(write_pdn, parts))
        if self._former:
            with suppress(FileNotFoundError):
                self.path.replace(self._former)
            self._former = None
        write_whole(self.path, text)

    def next(self) -> Scoresheet:
        """A sheet for the next game, beside this one."""
        return Scoresheet(free_name(self.path))


def named(path: Path) -> Scoresheet:
    """A sheet that a person has named; InputError when it would replace what is no game."""
    if not path.exists() or path.is_dir():
        return Scoresheet(path)
    if not _may_go(path):
        raise InputError(f"{path} holds something else than a game; give another file with --pdn")
    former = path.with_name(f"{path.name}~")
    if former.is_dir():
        raise InputError(f"{former} must be no folder; give another file with --pdn")
    return Scoresheet(path, former)


def _may_go(path: Path) -> bool:
    """Whether a file holds a game, which is kept, or nothing."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        beginning = file.read(BEGINNING)
    return not beginning.strip() or bool(read_games(beginning))


def free_name(wanted: Path) -> Path:
    """The name itself, or with the first number from 2 that no file has."""
    numbered = (wanted.with_stem(f"{wanted.stem}-{number}") for number in count(2))
    return wanted if not wanted.exists() else next(path for path in numbered if not path.exists())


def tags(source: str | None, at: str) -> dict[str, str]:
    """What stands above the moves of every record; the names of players are the game's to add.

    `at` is when the game began, `2026-11-21T15:26:36Z`; Red is called Black in PDN.
    """
    nobody = dict.fromkeys(PLAYER_TAGS.values(), "?")
    date = at[:10].replace("-", ".")
    return {"Event": "?", "Site": _public(source or "?"), "Date": date or "????.??.??", **nobody}


def _public(source: str) -> str:
    """A source without what may be private in an address: a record is made to be given away."""
    return re.sub(r"//[^/@]*@", "//", source).partition("?")[0] if "://" in source else source

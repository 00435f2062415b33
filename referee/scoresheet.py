"""The record of a game on disk: whole or not at all, and never over another game.

Without a name it goes where nothing is yet. Where a person has named a file that holds a game, that
one is kept beside it, as editors do; a file of anything else is refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, count
from pathlib import Path

from referee.errors import InputError
from referee.journal.whole import write_whole
from referee.notation import PLAYER_TAGS, UNFINISHED, UNKNOWN, Game, read_games, write_pdn

USUAL_NAME = Path("game.pdn")
NUMBERED = re.compile(r"game-[0-9]+\.pdn")
Stamp = tuple[int, int]
"""The file itself and when it was last written, in nanoseconds."""
BEGINNING = 1 << 16
"""Bytes of a file among which a game must begin."""


class Scoresheet:
    """One PDN file, written anew after every move, so that a power cut loses nothing."""

    def __init__(
        self, name: Path, own: bool = False, path: Path | None = None, former: Stamp | None = None
    ) -> None:
        """`own` where the file of this name, or at `path`, is this game's; else it takes the first
        free one of `game.pdn`, `game-2.pdn` … when there is something to write. A `former` file
        there goes aside then, if it is still that and not what another program has written."""
        self.path = path or name
        self._name, self._former, self._own = name, former, own

    def save(self, *parts: Game) -> None:
        """Replace the file by this game; a program or a cable that dies leaves the old one, if only
        where older files go."""
        text = "\n".join(map(write_pdn, parts))
        if self._former and self._former == _stamp(self.path):
            put_aside(self.path)
        self._former = None
        if self._own:
            write_whole(self.path, text)
        else:
            self._write_first(text)

    def _write_first(self, text: str) -> None:
        """Write where nothing is, nor another program writes; what fails leaves nothing there."""
        self.path = _taken(self._name)
        try:
            write_whole(self.path, text)
        except BaseException:
            with suppress(OSError):
                self.path.unlink()
            raise
        self._own = True

    def next(self) -> Scoresheet:
        """A sheet for the next game, beside this one."""
        return Scoresheet(self._name)


def unnamed(name: Path = USUAL_NAME) -> Scoresheet:
    """A sheet that is called so, or by a number more; InputError at once, not after an hour, when
    nothing can be written there."""
    _check_folder(name)
    return Scoresheet(name)


def named(path: Path) -> Scoresheet:
    """A sheet that a person has named; InputError when it would replace what is no game, or
    nothing can be written there."""
    _check_folder(path)
    if path.exists() and not _may_go(path):
        raise InputError(f"{path} holds something else than a game; give another file with --pdn")
    return Scoresheet(path, former=_stamp(path))


def again(path: Path | None, folder: Path, parts: Sequence[Game]) -> Scoresheet:
    """The sheet of a game that is gone on with: the one it was written on, at `path`, if that still
    holds these `parts` of it, as far as they had got; else one in its `folder`. What stands there
    of moves that are in no journal, for that was damaged or could not be written, goes aside."""
    if path is None or not _is_written(path, parts):
        path = name = folder / USUAL_NAME
    else:
        name = path.with_name(USUAL_NAME.name) if NUMBERED.fullmatch(path.name) else path
    former = None if holds_only(path, parts, by_name=False) else _stamp(path)
    return Scoresheet(name, own=True, path=path, former=former)


def put_aside(path: Path) -> None:
    """Keep a file as `FILE~`, or by a number more."""
    with suppress(FileNotFoundError):
        path.replace(next(free_names(path.with_name(f"{path.name}~"))))


def holds_only(path: Path, parts: Sequence[Game], by_name: bool = True) -> bool:
    """Whether a file holds nothing but these games, as far as they had got; in their own folder
    whatever their players and their event were called then."""
    written = _games(path)
    return len(written) <= len(parts) and all(
        (_is_same(old, new) if by_name else old.start == new.start)
        and old.moves == new.moves[: len(old.moves)]
        for old, new in zip(written, parts, strict=False)
    )


def _is_written(path: Path, parts: Sequence[Game]) -> bool:
    """Whether a file holds these games, and no person's words besides: the last of them may be
    shorter there, or longer by what was not kept."""
    written = _games(path)
    if len(written) != len(parts):
        return False
    *former, (old, new) = zip(written, parts, strict=True)
    whole = all(_is_same(one, two) and one.moves == two.moves for one, two in former)
    count = min(len(old.moves), len(new.moves))
    same = _is_same(old, new) and old.moves[:count] == new.moves[:count]
    longer = len(old.moves) > count
    return whole and same and (longer or _says_no_more(old, new))


def _is_same(old: Game, new: Game) -> bool:
    """Whether two games may be one. Its day is another one elsewhere."""
    day = {"Date": ""}
    return ({**old.tags, **day}, old.start) == ({**new.tags, **day}, new.start)


def _says_no_more(old: Game, new: Game) -> bool:
    return old.result in (UNFINISHED, new.result) and old.comments.items() <= new.comments.items()


def _games(path: Path) -> list[Game]:
    """What a file holds that can be read as games."""
    try:
        return [record.game for record in read_games(path.read_bytes())]
    except OSError:
        return []


def _stamp(path: Path) -> Stamp | None:
    """What tells a file from one that has been written since; None where there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns


def _check_folder(path: Path) -> None:
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise InputError(f"no game can be written to {path}; give another file with --pdn")


def _may_go(path: Path) -> bool:
    """Whether a file holds a game, which is kept, or nothing."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        beginning = file.read(BEGINNING)
    return not beginning.strip() or bool(read_games(beginning))


def free_names(wanted: Path) -> Iterator[Path]:
    """The name itself, or with a number from 2, as far as no file has it."""
    numbered = (wanted.with_stem(f"{wanted.stem}-{number}") for number in count(2))
    return (path for path in chain([wanted], numbered) if not path.exists())


def _taken(wanted: Path) -> Path:
    """The first free name, with an empty file so that nobody else takes it; OSError."""
    for path in free_names(wanted):
        with suppress(FileExistsError):
            path.touch(exist_ok=False)
            return path
    raise AssertionError("numbers have no end")


def tags(source: str | None, date: str) -> dict[str, str]:
    """What stands above the moves of every record; the names of players are the game's to add.

    `date` is the day on which the game began, `2026-11-21`; Red is called Black in PDN.
    """
    nobody = dict.fromkeys(PLAYER_TAGS.values(), UNKNOWN)
    site = _public(source or UNKNOWN)
    return {
        "Event": UNKNOWN,
        "Site": site,
        "Date": date.replace("-", ".") or "????.??.??",
        **nobody,
    }


def _public(source: str) -> str:
    """A source without what may be private in an address: a record is made to be given away."""
    return re.sub(r"//[^/@]*@", "//", source).partition("?")[0] if "://" in source else source

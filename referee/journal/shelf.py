"""The folder of games: one folder a game, named by us; what people are called names no file."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from hardware.folders import Base, base_folder
from hardware.sources import is_stored
from referee.colours import RED_AND_WHITE, Sides, parse_sides, written_sides
from referee.errors import InputError
from referee.journal.copies import DATABASE, TEXT
from referee.journal.whole import write_whole

NAME = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}")
RESERVE = "reserve"
RESERVE_BYTES = 8 << 20
"""Kept for the journals when pictures or anything else have filled the disk: hours of play."""
SOURCE, CALIBRATION = "source.json", "calibration.json"
LATEST = "last"
EARLIER = re.compile(rf"{LATEST}(?:-([0-9]{{1,6}}))?")
"""The latest game, or one so many before it."""


class Shelf:
    """Where the games are kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or usual_folder()

    def new_folder(self) -> Path:
        """A name that no game has, for a game that begins now. Nothing is created.

        Games of one second stand in order too: microseconds, and a digit by chance.
        """
        now = datetime.now()
        return self.folder / f"{now:%Y%m%d-%H%M%S}-{now.microsecond:05x}{secrets.randbelow(16):x}"

    def prepare(self) -> None:
        """Make the folder and the reserve; InputError at once when no game can be kept there."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            probe = self.folder / f".probe-{os.getpid()}"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise InputError(
                f"no game can be kept in {self.folder}: {(error.strerror or str(error)).lower()};"
                " give another folder with --games"
            ) from None
        self._fill_reserve()

    def _fill_reserve(self) -> None:
        reserve = self.folder / RESERVE
        with suppress(OSError):
            if reserve.exists() or shutil.disk_usage(self.folder).free < 2 * RESERVE_BYTES:
                return
            with reserve.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, RESERVE_BYTES)

    def give_up_reserve(self) -> None:
        """Make room for the journal on a full disk; `prepare` fills it again."""
        with suppress(OSError):
            (self.folder / RESERVE).unlink(missing_ok=True)

    def games(self) -> list[Path]:
        """The folders of all games, oldest first."""
        with suppress(OSError):
            named = (path for path in self.folder.iterdir() if NAME.fullmatch(path.name))
            return sorted(path for path in named if is_game(path))
        return []

    def find(self, game: str) -> Path:
        """The folder of a game: its name, `last`, `last-1` for the one before, or a path.
        InputError when there is none."""
        if earlier := EARLIER.fullmatch(game):
            return self._latest(int(earlier[1] or 0))
        inside = self.folder / game if NAME.fullmatch(game) else Path(game)
        if is_game(inside):
            return inside
        raise InputError(f"there is no game {game}; {self._present()}")

    def _latest(self, before: int) -> Path:
        """The latest game, or one so many before it."""
        games = self.games()
        if not games:
            raise InputError(self.emptiness())
        if before >= len(games):
            raise InputError(f"the first game in {self.folder} is {games[0].name}")
        return games[-1 - before]

    def _present(self) -> str:
        names = [path.name for path in self.games()[-3:]]
        return f"the latest are {', '.join(names)}" if names else self.emptiness()

    def emptiness(self) -> str:
        """Why no game is found in the folder, and what to do."""
        try:
            os.listdir(self.folder)
        except FileNotFoundError:
            return f"there is no folder {self.folder}; `referee watch` makes it"
        except OSError as error:
            return f"{self.folder} cannot be read: {error.strerror}; give another with --games"
        return f"{self.folder} holds no game yet; `referee watch` makes them"


def usual_folder() -> Path:
    """`~/.local/share/referee/games`, or where the system keeps such things."""
    return base_folder(Base.DATA) / "referee" / "games"


def is_game(folder: Path) -> bool:
    """Whether a folder is a game's; one that may not be looked into may be."""
    try:
        return (folder / DATABASE).is_file() or (folder / TEXT).is_file()
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False


def save_source(
    folder: Path, source: str, sides: Sides = RED_AND_WHITE, language: str | None = None
) -> None:
    """Note what the game is watched with, a file also by its full path; apart from the journal, for
    it may hold a password. And what the sides are called, in which language, which is nothing to
    the game."""
    sides_and_language = {"sides": written_sides(sides), "language": language}
    _note(folder, _placed(source) | sides_and_language)


def _placed(source: str) -> dict[str, str | None]:
    path = str(Path(source).absolute()) if is_stored(source) else None
    return {"source": source, "path": path}


def note_record(folder: Path, record: Path) -> None:
    """Note besides where the record of the game is written, to go on with it there; a disk that
    takes no note loses no more than that."""
    _note_besides(folder, {"record": str(record.absolute())})


def note_source(folder: Path, source: str) -> None:
    """Note that the game is watched with another source now, which its record names too."""
    _note_besides(folder, _placed(source))


def _note_besides(folder: Path, more: dict[str, str | None]) -> None:
    with suppress(OSError, ValueError):
        noted: Any = json.loads((folder / SOURCE).read_text(encoding="utf-8"))
        _note(folder, dict(noted) | more)


def _note(folder: Path, noted: dict[str, Any]) -> None:
    write_whole(folder / SOURCE, json.dumps(noted) + "\n", private=True)


def load_source(folder: Path) -> str | None:
    """What the game was watched with, as it was named, if that is known."""
    return _noted(folder, "source")


def load_place(folder: Path) -> str | None:
    """The same as it is found from any folder."""
    return _noted(folder, "path") or load_source(folder)


def load_record(folder: Path) -> Path | None:
    """Where the record of the game was written last, if that is known."""
    noted = _noted(folder, "record")
    return Path(noted) if noted else None


def load_language(folder: Path) -> str | None:
    """In which language the game was told, by its code, if that is known."""
    return _noted(folder, "language")


def load_sides(folder: Path) -> str | None:
    """What the sides of the game were called, if that is known."""
    with suppress(ValueError):
        return written_sides(parse_sides(_noted(folder, "sides") or ""))
    return None


def _noted(folder: Path, key: str) -> str | None:
    with suppress(OSError, ValueError):
        record: Any = json.loads((folder / SOURCE).read_text(encoding="utf-8"))
        value = record.get(key) if isinstance(record, dict) else None
        return value if isinstance(value, str) else None
    return None

"""The sheets on which the records of games are written, one behind the other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from referee import notation
from referee.journal.shelf import note_record
from referee.scoresheet import Scoresheet
from referee.verbs import terminal

GOES_ON = "the game goes on, and the record is tried again with the next move"


class Sheets:
    """The sheet of the present game, and those before it that could not be written yet."""

    def __init__(self, sheet: Scoresheet, tell: Callable[[str], None]) -> None:
        """`tell` is given a sentence when a record cannot be written."""
        self._sheet, self._tell = sheet, tell
        self._waiting: dict[Scoresheet, tuple[tuple[notation.Game, ...], Path | None]] = {}
        """What is not yet on its sheet, in order, and in which folder its game is kept."""
        self.fault: OSError | None = None
        """Why the first of them cannot be written."""
        self.written: list[str] = []
        """The files that hold records."""

    def turn(self, former: Path | None, folder: Path | None) -> None:
        """Take a sheet for the next game, which is kept in this folder: in there, if the last one
        was in that of its game."""
        if folder is None or self._sheet.path.parent != former or former == folder:
            self._sheet = self._sheet.next()
        else:
            self._sheet = Scoresheet(folder / self._sheet.path.name, own=True)

    def save(self, parts: tuple[notation.Game, ...], folder: Path | None) -> None:
        """Write the record of the present game, which is kept in this folder."""
        self._waiting[self._sheet] = parts, folder
        self.write()

    def write(self) -> None:
        """Write what is not on its sheet. No game ends because a stick is full or pulled out: that
        is said once, and tried again with the next move. Meanwhile later records wait, so that none
        takes the name of another."""
        try:
            for sheet, (parts, folder) in tuple(self._waiting.items()):
                sheet.save(*parts)
                del self._waiting[sheet]
                if (path := str(sheet.path)) not in self.written:
                    self.written.append(path)
                    if folder:
                        note_record(folder, sheet.path)
        except OSError as error:
            if self.fault is None:
                self._tell(f"{terminal.reason(error)}; {GOES_ON}")
            self.fault = error
        else:
            self.fault = None

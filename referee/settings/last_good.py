"""The last good copy of each file, for starts at which nobody is there to mend it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from referee.journal.whole import write_whole
from referee.settings.files import Reading, parse


def recovered(reading: Reading, folder: Path) -> tuple[Reading, str]:
    """What can be gone on with, and what to tell people; a good file is copied to `folder`.

    A broken file gives way to its last good copy; without one, what is sound in it counts. An
    empty file is what a power cut leaves of one: it is broken if its copy was not empty.
    """
    copy = _copy(reading.path, folder)
    emptied = copy is not None and copy.given and not reading.data.strip()
    if not reading.problems and not emptied:
        _keep(reading, folder)
        return reading, ""
    complaint = reading.complaint or f"{reading.path} is empty"
    if copy is not None:
        return copy, f"{complaint}; the last good copy of the file is used"
    rest = "the rest of it is used" if reading.given else "nothing of it is used"
    return reading, f"{complaint}; {rest}"


def _copy(path: Path, folder: Path) -> Reading | None:
    with suppress(OSError):
        copy = parse(_place(path, folder).read_bytes(), path)
        return None if copy.problems else copy
    return None


def _keep(reading: Reading, folder: Path) -> None:
    with suppress(OSError):
        place = _place(reading.path, folder)
        if place.exists() and place.read_bytes() == reading.data:
            return
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(place, reading.data.decode("utf-8-sig"))


def _place(path: Path, folder: Path) -> Path:
    """`etc-referee.toml` for `/etc/referee.toml`."""
    return folder / "-".join(path.absolute().parts[1:])

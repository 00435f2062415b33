"""A folder of files that could be made again: the least used go when it grows too large."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from hardware.folders import Base, base_folder

MOST_BYTES = 32 << 20
"""Some 250 sentences of speech; a game has fewer."""


class Cache:
    """Files by names that say all that they were made of."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        """Where `folder` cannot be written, one for the time being takes its place."""
        self.folder, self._most_bytes = folder, most_bytes
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            self.folder = Path(tempfile.mkdtemp(prefix="referee-"))
            atexit.register(shutil.rmtree, self.folder, ignore_errors=True)

    def found(self, name: str) -> Path | None:
        """The file, which counts as used now; None when there is none."""
        path = self.folder / name
        try:
            os.utime(path)
        except OSError:
            return None
        return path

    def keep(self, name: str, content: bytes) -> Path:
        """Write a file, whole or not at all. OSError when there is no room."""
        path = self.folder / name
        half = self.folder / f"{name}.{os.getpid()}"
        try:
            half.write_bytes(content)
            half.replace(path)
        finally:
            half.unlink(missing_ok=True)
        self._trim(path)
        return path

    def _trim(self, newest: Path) -> None:
        left = self._most_bytes - newest.stat().st_size
        for _, size, path in sorted(self._others(newest), reverse=True):
            left -= size
            if left < 0:
                path.unlink(missing_ok=True)

    def _others(self, newest: Path) -> list[tuple[int, int, Path]]:
        """When each was last used, its size and its path."""
        found = []
        for path in self.folder.iterdir():
            with suppress(FileNotFoundError):  # another program tidies too
                state = path.stat()
                found.append((state.st_mtime_ns, state.st_size, path))
        return [row for row in found if row[2] != newest]


def usual_folder(name: str) -> Path:
    """The user's folder for such files."""
    return base_folder(Base.CACHE) / "referee" / name

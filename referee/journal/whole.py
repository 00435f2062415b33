"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, text: str, private: bool = False) -> None:
    """Replace a file by this text; a power cut leaves the old one or the new one. One that is
    `private` nobody else may read."""
    target = Path(os.path.realpath(path))  # where a link leads, be it to itself
    half = target.parent / f".{target.name}.part"
    try:
        if private:
            half.unlink(missing_ok=True)
            half.touch(mode=0o600)
        with half.open("w", encoding="utf-8", errors="replace") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        half.replace(target)
    except OSError as error:
        with suppress(OSError):
            half.unlink(missing_ok=True)
        error.filename = str(path)  # nobody knows the other name
        raise

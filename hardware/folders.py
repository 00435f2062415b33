"""Where this user's files belong, by the XDG base directory specification."""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path


class Base(Enum):
    """The variable that names such a folder, and what it is where that does not."""

    DATA = "XDG_DATA_HOME", ".local/share"
    CONFIG = "XDG_CONFIG_HOME", ".config"
    STATE = "XDG_STATE_HOME", ".local/state"
    CACHE = "XDG_CACHE_HOME", ".cache"


def base_folder(base: Base, home: Path | None = None) -> Path:
    """One of this user's folders, or of another's, whose variables nobody knows but his `home`. A
    variable that is empty, or a path that is relative, counts for nothing."""
    variable, usual = base.value
    given = "" if home else os.environ.get(variable, "")
    return Path(given) if os.path.isabs(given) else (home or Path.home()) / usual

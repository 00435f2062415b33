"""What can go wrong, in one place.

    RefereeError
    ├── NotationError (ValueError)   a text cannot be read, or says the impossible
    ├── IllegalMove   (ValueError)   a move that the rules do not allow
    ├── AmbiguousMove (ValueError)   a text that names several lawful moves
    └── InputError    (ValueError)   a file or an argument that cannot be used

Every error is a builtin too, so that a caller need not know this family.
"""

from __future__ import annotations


class RefereeError(Exception):
    """Anything this package raises on purpose."""


class NotationError(RefereeError, ValueError):
    """A text that cannot be read; `problems` holds every reason, not only the first."""

    def __init__(self, *problems: str) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


class IllegalMove(RefereeError, ValueError):
    """A move that the rules do not allow in its position; the message says which they do."""


class AmbiguousMove(RefereeError, ValueError):
    """A text that fits several lawful moves; the message names them by their full paths."""


class InputError(RefereeError, ValueError):
    """A file or an argument that cannot be used; the message tells a person what to do."""

"""What is printed where a terminal or a file cannot show every sign: the nearest that it can."""

from __future__ import annotations

import codecs
import sys
import unicodedata
from io import TextIOWrapper

LIKE = {
    **{"▗": "(", "▖": ")", "▝": "(", "▘": ")", "▆": " ", "▂": "_", "▄": "K", "▀": " "},  # discs
    **{"▲": "!", "■": "#", "●": "o", "·": "-", "✓": "+", "✗": "x", "→": ">"},
    **{"─": "-", "├": "|", "└": "|", "–": "-", "…": "...", "×": "x", "°": " degrees"},
    **{"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"},
}
"""One sign for one where columns must fit."""
NAME = "lookalike"


def use_lookalikes() -> None:
    """On the standard output and error, where they are not in Unicode."""
    codecs.register_error(NAME, _looking_alike)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and not is_unicode(stream.encoding):
            stream.reconfigure(errors=NAME)


def is_unicode(encoding: str) -> bool:
    """Whether it has every sign."""
    return codecs.lookup(encoding).name.startswith("utf")


def _looking_alike(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(map(_like, missing)), error.end


def _like(sign: str) -> str:
    """In ASCII: what is known to look alike, a letter without its accents, or a question mark."""
    bare = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return LIKE.get(sign) or bare or "?"

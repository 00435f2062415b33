"""Entries of a journal and the chain of hashes that joins them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from referee.journal.coding import JournalError, line_of

GENESIS = "0" * 64
"""What the first entry is joined to."""
NUMBER = "#"
"""The key of an entry's number; it sorts before all others."""
LINE = re.compile(rb'([0-9a-f]{64}) (\{"#":([0-9]{1,9}),[\x20-\x7e]*\})')


@dataclass(frozen=True)
class Entry:
    """One line of a journal."""

    number: int
    """Its place, from 0, without gaps."""
    text: str
    """A canonical JSON object; `#` is the number, `kind` what it is, `at` the wall clock."""
    hash: str
    """SHA-256 of the hash before and the text, in hexadecimal."""

    def follows(self, before: str) -> bool:
        """Whether the entry is sound and joined to the entry of that hash."""
        return self.hash == hash_of(before, self.text)

    def line(self) -> bytes:
        """The entry as a line of the text copy."""
        return f"{self.hash} {self.text}\n".encode("ascii")

    def body(self) -> dict[str, Any]:
        """What the entry holds; JournalError when that is no JSON object."""
        try:
            body = json.loads(self.text)
        except ValueError as error:
            raise JournalError(f"entry {self.number} of the journal is no JSON: {error}") from None
        if not isinstance(body, dict):
            raise JournalError(f"entry {self.number} of the journal is no JSON object")
        return body

    @property
    def kind(self) -> str:
        return str(self.body().get("kind"))


def hash_of(before: str, text: str) -> str:
    return sha256(f"{before}{text}".encode()).hexdigest()


def next_entry(last: Entry | None, kind: str, at: str, body: dict[str, Any]) -> Entry:
    """The entry after `last`, or the first."""
    number, before = (last.number + 1, last.hash) if last else (0, GENESIS)
    text = line_of({**body, NUMBER: number, "kind": kind, "at": at})
    return Entry(number, text, hash_of(before, text))


def parse_line(line: bytes) -> Entry | None:
    """The entry in a line of the text copy, without its end; None for anything else.

    Does not say whether it is joined to the entry before. The number is the one that it claims:
    a damage that splits or joins lines must not move the others.
    """
    match = LINE.fullmatch(line)
    if match is None:
        return None
    return Entry(int(match[3]), match[2].decode("ascii"), match[1].decode("ascii"))

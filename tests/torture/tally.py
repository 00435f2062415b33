"""What came of many faults of one kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Tick = Callable[[], None]
"""Called after each try."""
RESUME_S = 5.0
"""How long going on may take."""


@dataclass
class Tally:
    """One row of the table."""

    kind: str
    tries: int = 0
    lost: int = 0
    """Events that had been announced and are not in the record."""
    holes: int = 0
    """Gaps in the record, and records that a replay does not confirm."""
    due: int = 0
    """Tries that should have been reported to people."""
    given: int = 0
    """Those of them that were."""
    resume_s: float = 0.0
    """The slowest return to the game, in seconds of computing: the machine may be shared."""
    skipped: str = ""
    """Why nothing was tried."""
    wrong: list[str] = field(default_factory=list)
    """Anything else that should not be, a sentence each."""
    met: Counter[str] = field(default_factory=Counter)
    """What the faults fell into, and how often."""
    remark: str = ""

    @property
    def sound(self) -> bool:
        """Whether all is as it must be."""
        kept = self.lost == self.holes == 0 and self.due == self.given
        return kept and not self.wrong and self.resume_s <= RESUME_S

    def joined(self, other: Tally) -> Tally:
        """This and more of the same kind."""
        return Tally(
            self.kind,
            self.tries + other.tries,
            self.lost + other.lost,
            self.holes + other.holes,
            self.due + other.due,
            self.given + other.given,
            max(self.resume_s, other.resume_s),
            self.skipped or other.skipped,
            self.wrong + other.wrong,
            self.met + other.met,
            self.remark or other.remark,
        )

    def record(self) -> dict[str, Any]:
        """For JSON."""
        return {**vars(self), "met": dict(self.met)}

    @staticmethod
    def of(record: Mapping[str, Any]) -> Tally:
        """What `record` wrote."""
        return Tally(**{**record, "met": Counter(record["met"])})

"""How much is measured: by default what twenty minutes on two cores allow."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Wanted:
    """Numbers of everything that is drawn from fresh seeds."""

    photographs: Path | None = None
    """A folder with `labels.json`."""
    fresh_pictures: int = 16
    no_boards: int = 120
    """Pictures without one whole board."""
    peer_pictures: int = 6
    """Of each group, for detectors that take seconds."""
    tables: int = 24
    """Boards calibrated on their starting position and looked at in another light."""
    mishaps: int = 3
    """Boards whose camera is pushed, covered and so on."""
    games: int = 6
    """Games invented and drawn anew, offences in them: a minute of a core's time each."""
    second: int = 4
    """Films of the second maker, drawn anew: a minute of a core's time each."""
    simulated: int = 50
    """Games without pixels before each of two eyes."""
    repeats: int = 60
    """Of what is timed."""

    @staticmethod
    def full(photographs: Path | None) -> Wanted:
        """For some hours: 100,000 plies without pixels before each eye among it."""
        return Wanted(
            photographs,
            fresh_pictures=1000,
            no_boards=1000,
            peer_pictures=40,
            tables=100,
            mishaps=20,
            games=100,
            second=24,
            simulated=1640,
            repeats=300,
        )

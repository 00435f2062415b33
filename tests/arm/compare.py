"""Whether two computers read the same picture alike: `python -m tests.arm.compare HERE THERE`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any


def differences(here: dict[str, Any], there: dict[str, Any]) -> tuple[int, float, float]:
    """Of two readings by `referee look --json`: how many of the 64 cells are not the same, and the
    largest differences of a confidence and of a corner, in pixels."""
    cells = sum(
        a != b for a, b in zip("".join(here["cells"]), "".join(there["cells"]), strict=True)
    )
    return (
        cells,
        _apart(here["confidence"], there["confidence"]),
        _apart(chain(*here["corners"]), chain(*there["corners"])),
    )


def _apart(some: Iterable[float], others: Iterable[float]) -> float:
    return max(abs(a - b) for a, b in zip(some, others, strict=True))


def main(paths: list[str]) -> int:
    here, there = (json.loads(Path(path).read_text(encoding="utf-8")) for path in paths)
    if not (here["found"] and there["found"]):
        print(f"The board is found here: {here['found']}, there: {there['found']}.")
        return 1
    cells, confidence, corner = differences(here, there)
    print(
        f"{64 - cells} of 64 cells are read alike; confidences differ by {confidence:.4f} at most,"
        f" corners by {corner:.2f} px."
    )
    return 1 if cells else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""One piece of the torture, in a process of its own: `python -m tests.torture.piece`.

Prints a dot after each try and then, on a line, what came of it as JSON.
"""

from __future__ import annotations

import argparse
import importlib
import json
import shutil
from contextlib import nullcontext
from pathlib import Path

from tests.torture.cures import UNCURED


def main() -> None:
    options = _arguments()
    module = importlib.import_module(f"tests.torture.{options.kind}")
    cure = UNCURED[options.kind]() if options.without_cure else nullcontext()
    with cure:
        tally = module.run(options.tries, options.seed, _own(options), _tick)
    print("\n" + json.dumps(tally.record()), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind")
    parser.add_argument("tries", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("room", type=Path, help="a folder, which pieces may share")
    parser.add_argument("--without-cure", action="store_true")
    return parser.parse_args()


def _own(options: argparse.Namespace) -> Path:
    """This piece's own room; what several need lies beside it."""
    room: Path = options.room / f"{options.kind}-{options.seed}"
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir()
    return room


def _tick() -> None:
    print(".", end="", flush=True)


if __name__ == "__main__":
    main()

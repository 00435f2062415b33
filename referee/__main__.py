"""`referee`, and `python -m referee`. All else is imported once Ctrl-C ends the program quietly."""

from __future__ import annotations

import os
import signal
import sys

INTERRUPTED = 128 + signal.SIGINT


def main() -> int:
    """Do what the arguments say. While the rest is imported, and when all is done, nothing is open:
    there Ctrl-C ends the program at once."""
    signal.signal(signal.SIGINT, _end)
    from referee import cli

    return cli.main()


def _end(*_signal: object) -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())

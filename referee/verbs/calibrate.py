"""`referee calibrate`: find the board once and keep where it is and what its colours are."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from rich.markup import escape

from calibration.saved import Calibration
from hardware.camera import Frame, borrowed_frames
from referee.board import START
from referee.errors import InputError
from referee.verbs import terminal
from referee.verbs.sources import add_source, camera_of
from referee.watching import first_calibration

USUAL_NAME = Path("calibration.json")
LIVE_MS = 30_000
"""How long a camera may take to show the board; a recording is searched to its end."""
GOOD_TILT = (30, 50)
"""Degrees. Seen more from above, a king looks a man; more from the side, men hide squares."""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_source(parser)
    parser.add_argument(
        "-o", metavar="FILE", dest="output", type=Path, default=USUAL_NAME, help="where to keep it"
    )
    parser.add_argument("--json", action="store_true", help="say what was found as JSON")


def run(options: argparse.Namespace) -> int:
    camera = camera_of(options.source)
    with borrowed_frames(camera) as frames:
        calibration, reason = first_calibration(_limited(frames, camera.length_ms), START)
    if calibration is None:
        terminal.complain(f"{options.source} does not show the starting position: {reason}")
    else:
        _keep(calibration, options.output)
    if options.json:
        terminal.emit(record(calibration, options.output, reason))
    elif calibration:
        _show(calibration, options.output)
    return 0 if calibration else 1


def _limited(frames: Iterator[Frame], length_ms: int | None) -> Iterator[Frame]:
    if length_ms is not None:
        return frames
    return takewhile(lambda frame: frame.time_ms <= LIVE_MS, frames)


def _keep(calibration: Calibration, path: Path) -> None:
    try:
        calibration.save(path)
    except OSError as error:
        raise InputError(f"{terminal.reason(error)}; give another file with -o") from None


def record(calibration: Calibration | None, path: Path, reason: str) -> dict[str, object]:
    """What was found as plain values for JSON; what is not known is null."""
    if calibration is None:
        return {"found": False, "file": None, "corners": None, "tilt": None, "problems": [reason]}
    view = calibration.view
    return {
        "found": True,
        "file": str(path),
        "corners": view.corners().round(2).tolist(),
        "tilt": round(view.tilt_degrees(), 1),
        "problems": list(_problems(calibration)),
    }


def _problems(calibration: Calibration) -> Iterator[str]:
    tilt = calibration.view.tilt_degrees()
    if not GOOD_TILT[0] <= tilt <= GOOD_TILT[1]:
        yield (
            f"the camera looks down at {tilt:.0f} degrees from straight above;"
            f" kings are told from men best at {GOOD_TILT[0]} to {GOOD_TILT[1]}"
        )


def _show(calibration: Calibration, path: Path) -> None:
    console = terminal.console()
    tilt = calibration.view.tilt_degrees()
    console.print(f"[green]✓[/] the board is found, seen {tilt:.0f} degrees from straight above")
    console.print(f"  kept in [bold]{escape(str(path))}[/]", soft_wrap=True)
    for problem in _problems(calibration):
        console.print(f"[yellow]![/] {escape(problem)}", soft_wrap=True)

"""`referee calibrate`: find the board once and keep where it is and what its colours are."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn

from calibration.locate import Refusal
from calibration.saved import Calibration, is_calibration
from hardware.camera import Frame, borrowed_frames
from hardware.cameras.lasting import lasting
from referee.board import START
from referee.desk import BAR, clock
from referee.errors import InputError
from referee.eye.first_sight import contradicting, ways_of
from referee.eye.light import DARK_CELLS
from referee.eye.overlay import draw_calibration
from referee.eye.stacks import PLAIN_PX, walls_px
from referee.notation import parse_fen
from referee.settings.knobs import DARKER, LIGHTER
from referee.verbs import terminal
from referee.verbs.calibrations import doubt_of_sides
from referee.verbs.drawings import files_of, spare, write_image
from referee.verbs.settings import add_config, add_knob, settings
from referee.verbs.sources import add_source, camera_of, source_of, wishes_of
from referee.watching import first_calibration

USUAL_NAME = Path("calibration.json")
LIVE_MS = 30_000
"""How long a camera may take to show the board; a recording is searched to its end."""
GOOD_TILT = (30, 50)
"""Degrees. Seen more from above, a king looks a man; more from the side, men hide squares."""
OFFICIAL_RADII = (1.125 / 2.125 / 2, 1.25 / 1.875 / 2)
"""Squares: discs of 1 1/8 to 1 1/4 in on squares of 1 7/8 to 2 1/8 in (WCDF 1.2, 2.2)."""
RADIUS_ERROR = 0.03
"""Squares by which a radius may be misjudged."""
MIXED = 6.0
"""Spreads between the sides, the lamp in their discs left on, below which people are told of it."""

KINGLIKE = 0.7
"""Nats by which a side's men look kings: twice as likely, from which on people are told of it."""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_source(parser)
    parser.add_argument(
        "-o",
        metavar="FILE",
        dest="output",
        type=Path,
        help=f"where to keep it (default: as set under [camera], or {USUAL_NAME})",
    )
    parser.add_argument(
        "--start", metavar="FEN", help="the position on the board, if not the usual"
    )
    add_knob(parser, "--begins", "rules.begins", "DISCS")
    parser.add_argument(
        "--overlay", metavar="OUT.png", type=Path, help="draw the proof: where discs must stand"
    )
    add_config(parser)
    parser.add_argument("--json", action="store_true", help="say what was found as JSON")


def run(options: argparse.Namespace) -> int:
    setup = START if options.start is None else parse_fen(options.start).setup
    chosen = settings(options)
    source = source_of(chosen)
    output = options.output or chosen.camera.calibration or USUAL_NAME
    _check_places(output, options.overlay, source)
    camera = camera_of(source, wishes_of(chosen))
    if not Path(source).exists():  # a file ends by itself, also when it is one picture
        camera = lasting(camera)
    with (
        borrowed_frames(camera) as frames,
        _shown(_limited(frames, camera.length_ms), camera.length_ms or LIVE_MS) as limited,
    ):
        found = first_calibration(limited, setup, ways=ways_of(chosen.rules.lighter_begins))
    if isinstance(found, Refusal):
        return _refuse(source, found.reason, options)
    calibration, frame = found
    _keep(calibration, output)
    wrong = contradicting(frame.image, calibration, setup)
    contradictions = list(_contradictions(wrong, options))
    if options.json:
        terminal.emit(record(calibration, output, contradictions))
    else:
        _show(calibration, output, contradictions)
    if options.overlay:
        write_image(options.overlay, draw_calibration(frame.image, calibration, setup))
        _show_proof(options.overlay)
    return 0


def _check_places(output: Path, proof: Path | None, source: str) -> None:
    """InputError at once where a file that is no calibration, or the source, would be lost."""
    if output.exists() and not is_calibration(output):
        raise InputError(f"{output} is no calibration; give another file with -o")
    if proof:
        spare(proof, [output, *files_of(source)])


def _refuse(source: str, reason: str, options: argparse.Namespace) -> int:
    expected = "the starting position" if options.start is None else "that position"
    terminal.complain(f"{source} does not show {expected}: {reason}")
    if options.json:
        unknown = dict.fromkeys(("file", "corners", "tilt", "thickness", "radius", "begins"))
        terminal.emit({"found": False, **unknown, "problems": [reason]})
    return 1


def _limited(frames: Iterator[Frame], length_ms: int | None) -> Iterator[Frame]:
    if length_ms is not None:
        return frames
    return takewhile(lambda frame: frame.time_ms <= LIVE_MS, frames)


@contextmanager
def _shown(frames: Iterator[Frame], length_ms: int) -> Iterator[Iterator[Frame]]:
    """The same frames; a bar in the terminal shows how far the search has come in them."""
    console = terminal.console()
    if not console.is_interactive:
        yield frames
        return
    bar = BarColumn(complete_style=BAR)
    columns = (TextColumn("searching for the board"), bar, TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=length_ms)

        def passed() -> Iterator[Frame]:
            for frame in frames:
                far = f"{clock(frame.time_ms)} of {clock(length_ms)}"
                progress.update(task, completed=frame.time_ms, description=far)
                yield frame

        yield passed()


def _keep(calibration: Calibration, path: Path) -> None:
    try:
        calibration.save(path)
    except OSError as error:
        raise InputError(f"{terminal.reason(error)}; give another file with -o") from None


def record(
    calibration: Calibration, path: Path, contradictions: Sequence[str] = ()
) -> dict[str, object]:
    """What was found as plain values for JSON; lengths in squares, the tilt in degrees.

    `contradictions` are problems of what stands on the board.
    """
    view = calibration.view
    return {
        "found": True,
        "file": str(path),
        "corners": view.corners().round(2).tolist(),
        "tilt": round(view.tilt_degrees(), 1),
        "thickness": calibration.thickness,
        "radius": calibration.radius,
        "begins": LIGHTER if calibration.lighter_begins else DARKER,
        "problems": [*contradictions, *_problems(calibration)],
    }


def _contradictions(wrong: Sequence[int], options: argparse.Namespace) -> Iterator[str]:
    """Where pieces are missing or astray the place of the board is known all the same."""
    if wrong:
        expected = "the starting position" if options.start is None else "that position"
        *others, last = map(str, wrong)
        if others:
            yield f"look at squares {', '.join(others)} and {last}: they are not as in {expected}"
        else:
            yield f"look at square {last}: it is not as in {expected}"


def _problems(calibration: Calibration) -> Iterator[str]:
    if calibration.gloss and calibration.palette.separation() < MIXED:
        yield "a lamp is mirrored in the discs: it is allowed for, but better turned away"
    if doubt := doubt_of_sides(calibration):
        yield doubt
    tilt = calibration.view.tilt_degrees()
    if not GOOD_TILT[0] <= tilt <= GOOD_TILT[1]:
        yield (
            f"the camera looks down at {tilt:.0f} degrees from straight above;"
            f" kings are told from men best at {GOOD_TILT[0]} to {GOOD_TILT[1]}"
        )
    walls = walls_px(calibration.view, calibration.thickness)[DARK_CELLS]
    faint = int((walls < PLAIN_PX).sum())
    if faint:
        yield f"on {faint} of the 32 squares a king shows faintly or not at all from here"
    for side, nats in zip(("darker", "lighter"), calibration.kinglike, strict=True):
        if nats >= KINGLIKE:
            yield (
                f"the men of the {side} side look much like kings here: whether one is crowned"
                " will hardly be seen"
            )
    least, most = OFFICIAL_RADII
    if not least - RADIUS_ERROR < calibration.radius < most + RADIUS_ERROR:
        yield (
            f"discs are {2 * calibration.radius:.2f} of a square across; official ones"
            f" {2 * least:.2f} to {2 * most:.2f}"
        )


def _show(calibration: Calibration, file: Path, contradictions: Sequence[str]) -> None:
    console = terminal.console()
    tilt = calibration.view.tilt_degrees()
    console.print(f"[green]✓[/] the board is found, seen {tilt:.0f} degrees from straight above")
    if calibration.lighter_begins:
        console.print("  the lighter discs begin")
    console.print(f"  kept in [bold]{escape(str(file))}[/]", soft_wrap=True)
    for problem in (*contradictions, *_problems(calibration)):
        console.print(f"[yellow]![/] {escape(problem)}", soft_wrap=True)


def _show_proof(file: Path) -> None:
    terminal.console().print(f"  the proof is [bold]{escape(str(file))}[/]", soft_wrap=True)

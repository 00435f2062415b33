"""`referee doctor`: what this computer has, what it lacks, and what to do about it."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from hardware.camera import Image
from referee.doctor.checks import Finding, State, examine
from referee.doctor.machine import Camera, Machine
from referee.doctor.probing import Computer, Looked, modules, probe, sources
from referee.doctor.report import record, report
from referee.errors import InputError
from referee.journal.whole import write_whole
from referee.settings.effective import settle
from referee.settings.files import read_all
from referee.verbs import terminal
from referee.verbs.settings import add_config, typed
from referee.verbs.sources import add_source, camera_of, wishes_of

MARKS = {
    State.OK: ("✓", "green"),
    State.ADVICE: ("!", "yellow"),
    State.WRONG: ("✗", "bold red"),
    State.ABSENT: ("–", "dim"),
}
FRAME = Path("test-frame.jpg")
TOLD = """\
{path} holds the findings and the facts behind them: versions, the model of the computer, sizes,
rates, speeds. It holds no names, folders, addresses or pictures."""


@dataclass
class Frames:
    """The test frames of cameras: the first under its name, others with a number more."""

    name: Path
    written: list[Path] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """Why some were not written, a sentence each."""

    def keep(self, image: Image, source: str) -> None:
        """Write one, but never over what is looked at."""
        from referee.verbs.drawings import files_of, spare, write_image  # they need OpenCV

        number = len(self.written) + 1
        name = self.name.with_stem(f"{self.name.stem}-{number}") if number > 1 else self.name
        try:
            spare(name, files_of(source))
            write_image(name, image)
        except InputError as error:
            self.problems.append(str(error))
        else:
            self.written.append(name)


def arguments(parser: argparse.ArgumentParser) -> None:
    add_source(parser)
    parser.add_argument(
        "--frame",
        metavar="FILE",
        type=Path,
        help=f"where a test frame of the camera is written (default {FRAME})",
    )
    parser.add_argument("--tone", action="store_true", help="play a tone")
    parser.add_argument(
        "--report", metavar="FILE", type=Path, help="write what others may be sent, without names"
    )
    add_config(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object per finding")


def run(options: argparse.Namespace) -> int:
    """1 when something is wrong, 2 when a file that was named cannot be written."""
    frames = Frames(options.frame or FRAME)
    machine = _examined(options, frames)
    findings = examine(machine)
    if options.json:
        for finding in findings:
            terminal.emit(record(finding))
    else:
        _show(terminal.report(), findings)
    console = terminal.console()
    for path in frames.written:
        console.print(f"The test frame is {path}", soft_wrap=True, markup=False)
    for problem in frames.problems:
        terminal.complain(problem)
    if options.report:
        _write(options.report, machine, findings)
        console.print(TOLD.format(path=options.report), soft_wrap=True, markup=False)
    if options.frame and frames.problems:
        return 2
    return 1 if any(finding.state is State.WRONG for finding in findings) else 0


def _examined(options: argparse.Namespace, frames: Frames) -> Machine:
    """The computer as a record; test frames are written on the way."""
    computer, readings = Computer(), read_all(options.config)
    settings = settle(readings, typed(options)).settings
    known = modules(computer)
    looked = Looked(settings, readings, modules=known)
    if "cv2" not in known or known["cv2"].error:
        return probe(computer, looked)
    from referee.doctor import trying

    cameras: list[Camera] = []
    for source in sources(computer, settings, known):
        camera, image = trying.try_camera(source, partial(camera_of, wishes=wishes_of(settings)))
        cameras.append(replace(camera, asked=settings.camera.source is not None))
        if image is not None:
            frames.keep(image, source)
    looked = replace(
        looked,
        cameras=tuple(cameras),
        tone=trying.try_tone(settings.voice.device) if options.tone else None,
        calibration=trying.try_calibration(settings.camera.calibration),
        reading_ms=round(trying.time_reading(), 2),
    )
    return probe(computer, looked)


def _write(path: Path, machine: Machine, findings: list[Finding]) -> None:
    text = json.dumps(report(machine, findings), ensure_ascii=False, indent=1)
    try:
        write_whole(path, text + "\n")
    except OSError as error:
        raise InputError(terminal.reason(error)) from None


def _show(console: Console, findings: list[Finding]) -> None:
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(no_wrap=True)
    for finding in findings:
        sign, style = MARKS[finding.state]
        quiet = "dim" if finding.state is State.ABSENT else ""
        table.add_row(
            Text(sign, style), Text(finding.matter, quiet or "bold"), Text(finding.found, quiet)
        )
        if finding.advice:
            table.add_row("", "", Text(f"→ {finding.advice}", quiet or style))
    console.print(table)
    console.print(_summed_up(findings))


def _summed_up(findings: list[Finding]) -> Text:
    wrong = sum(finding.state is State.WRONG for finding in findings)
    advice = sum(finding.state is State.ADVICE for finding in findings)
    if wrong:
        things = "one thing is" if wrong == 1 else f"{wrong} things are"
        return Text(f"\n{things[0].upper()}{things[1:]} wrong.", "bold red")
    if advice:
        return Text("\nNothing is wrong; see the advice marked with !.", "yellow")
    return Text("\nNothing is wrong.", "green")

"""Makes sets of sample pictures and films with their truth.

    python -m sample_images.make demo       the demonstration game
    python -m sample_images.make standard   what comes with the project
    python -m sample_images.make drawn      400 stills, 200 incidents, 100 games, small and quick
    python -m sample_images.make large      300 stills, 41 incidents, 8 games, and path-traced ones
    python -m sample_images.make scripts    every script of an incident, as it is

Two cores are used. What is there already is not made again: a run that was broken off goes on
where it stopped. `--check` compares what was made with the set's list and makes nothing.
"""

from __future__ import annotations

import argparse
import importlib.util
import multiprocessing
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing.pool import AsyncResult, Pool
from multiprocessing.sharedctypes import SynchronizedArray
from pathlib import Path
from typing import Any, TypeAlias

import cv2
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from referee.notation import Game, write_pdn
from sample_images import likeness, truth
from sample_images.draw import compressed, still
from sample_images.play import film_writer, pictures, prepare, recording
from sample_images.scene import Scene, scaled
from sample_images.script import ScriptError, parse
from sample_images.sets import GAME_FILMS, HERE, INCIDENT_FILMS, STILLS, Film, Set, Still, sets
from sample_images.variety import random_scene

LISTS = HERE / "lists"
KINDS = (STILLS, INCIDENT_FILMS, GAME_FILMS)
CORES = 2
STILL_QUALITY = 90
"""Of the JPEG files of stills that were made smaller than their camera's picture."""
LOOK_S = 0.2
"""Between two looks at how far the other processes are."""
COLUMNS = (
    TextColumn("{task.description}"),
    BarColumn(),
    MofNCompleteColumn(),
    TimeRemainingColumn(),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Makes or checks a set; 0 when all went well."""
    options = _options(arguments)
    console = Console(stderr=True)
    wanted = sets()[options.set]
    if options.out:
        wanted = replace(wanted, root=options.out)
    wanted = replace(wanted, items=wanted.items[:: options.every])
    try:
        if options.check:
            return _check(console, wanted, options.set)
        _make(console, wanted, options.cores)
        if options.list:
            _list(wanted, options.set)
    except (ScriptError, OSError) as error:
        console.print(str(error), style="red", markup=False)
        return 1
    except KeyboardInterrupt:
        console.print("Broken off; the same command goes on from here.")
        return 130
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m sample_images.make",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("set", choices=sorted(sets()))
    parser.add_argument("--check", action="store_true", help="compare what is there with the list")
    parser.add_argument("--list", action="store_true", help="write the list anew from what is made")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth file")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="another folder for the set")
    parser.add_argument("--cores", type=int, default=CORES)
    return parser.parse_args(arguments)


# --- A set ---------------------------------------------------------------------------------


def _make(console: Console, wanted: Set, cores: int) -> None:
    _draw(console, wanted, cores)
    for folder in sorted({item.folder for item in wanted.items if isinstance(item, Still)}):
        inside = [i for i in wanted.items if isinstance(i, Still) and i.folder == folder]
        told = (_told(item) for item in inside)
        truth.write(wanted.root / folder / "truth.json", told)
    if wanted.traced:
        _trace(console, wanted, cores)


def _draw(console: Console, wanted: Set, cores: int) -> None:
    """Makes what is not there yet, each file in one of the processes, with a bar for each kind."""
    context = multiprocessing.get_context("spawn")
    done = context.Array("d", len(KINDS))
    missing = [item for item in wanted.items if not (wanted.root / item.file).exists()]
    with Progress(*COLUMNS, console=console) as progress:
        bars = {kind: _bar(progress, wanted, missing, kind) for kind in KINDS}
        if not missing:
            return
        with context.Pool(min(cores, len(missing)), _begin, (done,)) as pool:
            waiting = _sent(pool, wanted.root, missing)
            while waiting:
                time.sleep(LOOK_S)
                for kind, (bar, before) in bars.items():
                    progress.update(bar, completed=before + done[KINDS.index(kind)])
                waiting = [result for result in waiting if not _is_done(result)]
        for task in progress.tasks:
            progress.update(task.id, completed=task.total)


def _bar(
    progress: Progress, wanted: Set, missing: list[Still | Film], kind: str
) -> tuple[Any, int]:
    """A bar for one kind of file, and how many of them are there already."""
    total = sum(item.kind == kind for item in wanted.items)
    before = total - sum(item.kind == kind for item in missing)
    return progress.add_task(kind, total=total, completed=before, visible=total > 0), before


def _sent(pool: Pool, root: Path, missing: list[Still | Film]) -> list[AsyncResult[None]]:
    return [pool.apply_async(_whole, (item, root)) for item in missing]


def _is_done(result: AsyncResult[None]) -> bool:
    """Whether a file is made; raises what went wrong with it."""
    if not result.ready():
        return False
    result.get()
    return True


def _trace(console: Console, wanted: Set, cores: int) -> None:
    traced = wanted.traced
    assert traced is not None
    folder = wanted.root / traced.folder
    if importlib.util.find_spec("bpy") is None:
        there = len(list(folder.glob("rendered-*.jpg")))
        if there < traced.count:
            console.print(
                f"{traced.count - there} path-traced stills are left out: they need the extra "
                "`render` (Blender as a module, Python 3.11)."
            )
        return
    from sample_images import render

    with Progress(*COLUMNS, console=console) as progress:
        for count in progress.track(range(1, traced.count + 1), description="path-traced"):
            wish = ["--out", folder, "--first", traced.first, "--count", count]
            render.main([*map(str, wish), "--truth", traced.truth, "--threads", str(cores)])


# --- In another process --------------------------------------------------------------------

Counter: TypeAlias = "SynchronizedArray[float]"
"""How many files of each kind are made; parts of films count as parts."""


@dataclass
class _Process:
    counter: Counter | None = None


_PROCESS = _Process()


def _begin(counter: Counter) -> None:
    """Prepares a process that draws. Whoever breaks off stops the first one, which stops these."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)
    _PROCESS.counter = counter


def _count(kind: str, share: float) -> None:
    if _PROCESS.counter is not None:
        with _PROCESS.counter.get_lock():
            _PROCESS.counter[KINDS.index(kind)] += share


def _whole(item: Still | Film, root: Path) -> None:
    """Makes a file under another name first: half a file must not look like a whole one."""
    path = root / item.file
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_stem(path.stem + ".part")
    if isinstance(item, Still):
        scene = _small(random_scene(item.seed), item.longest)
        part.write_bytes(compressed(scene, still(scene)))
        _count(item.kind, 1)
    else:
        _film(item, path, part)
    part.replace(path)


def _told(item: Still) -> truth.Recording:
    scene = _small(random_scene(item.seed), item.longest)
    return truth.recording_of(scene, Path(item.file).name, kept_aside=item.kept_aside)


def _small(scene: Scene, longest: int) -> Scene:
    """The same scene with a picture of at most this size."""
    lens = scene.view.lens
    scale = min(1.0, longest / max(lens.width, lens.height))
    sensor = replace(scene.sensor, jpeg_quality=STILL_QUALITY)
    return replace(scene, view=scaled(scene.view, scale), sensor=sensor)


def _film(item: Film, path: Path, part: Path) -> None:
    """A film, its truth, the record of the game in it and, if no one else has it, its script."""
    text = item.text()
    script = replace(parse(text, path.stem), kept_aside=item.kept_aside)
    play = prepare(script)
    with film_writer(play, part) as film:
        for _, picture in pictures(play):
            film.write(picture)
            _count(item.kind, 1 / len(play.times_ms))
    truth.write(path.with_suffix(".truth.json"), [recording(play, path.name)])
    game = Game({"Event": script.name}, script.start, play.timeline.moves)
    path.with_suffix(".pdn").write_text(write_pdn(game), encoding="utf-8")
    if not item.is_shipped:
        path.with_suffix(".script").write_text(text, encoding="utf-8")


# --- Lists ---------------------------------------------------------------------------------


def _files(wanted: Set) -> dict[str, bool]:
    """Every file of a set that is a picture or a film, and whether it is kept aside."""
    files = {item.file: item.kept_aside for item in wanted.items}
    if wanted.traced:
        told = wanted.root / wanted.traced.folder / wanted.traced.truth
        for recording in truth.read(told) if told.exists() else ():
            files[str(Path(wanted.traced.folder) / recording.file)] = recording.kept_aside
    return files


def _list(wanted: Set, name: str) -> None:
    """Writes down what the set's files look like."""
    lines = [
        likeness.Line(file, kept_aside, time_ms, blocks)
        for file, kept_aside in _files(wanted).items()
        for time_ms, blocks in likeness.looks(wanted.root / file)
    ]
    title = f"What `make {name}` gives, within {likeness.TOLERANCE} grey levels; see likeness.py."
    likeness.write(LISTS / f"{name}.txt", title, lines)


def _check(console: Console, wanted: Set, name: str) -> int:
    """0 when all files of the list that are to be there are, and look as they should."""
    files = _files(wanted)
    lines = [line for line in likeness.read(LISTS / f"{name}.txt") if line.file in files]
    off = likeness.compared(wanted.root, lines)
    for file, levels in off.items():
        if levels is None:
            console.print(f"{file}: not made", markup=False)
        elif levels > likeness.TOLERANCE:
            console.print(f"{file}: {levels} grey levels off", style="red", markup=False)
    wrong = sum(levels is None or levels > likeness.TOLERANCE for levels in off.values())
    console.print(f"{len(off) - wrong} of {len(off)} listed files look as they should.")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())

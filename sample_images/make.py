"""Makes sample pictures and videos with their truth.

    python -m sample_images.make demo             the demonstration game
    python -m sample_images.make standard         the stills that come with the project
    python -m sample_images.make drawn            400 stills into sample_images/made/drawn/
    python -m sample_images.make incidents        every other script
    python -m sample_images.make games --count 5  invented games

What is there already is not made again, so a run that was broken off goes on where it stopped.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from referee.notation import Game, write_pdn
from sample_images import truth
from sample_images.draw import compressed, still
from sample_images.invent import invented_script
from sample_images.play import SCRIPTS, Play, names, pictures, prepare, recording
from sample_images.scene import Scene
from sample_images.script import ScriptError, load, parse
from sample_images.variety import random_scene

HERE = Path(__file__).parent
MADE = HERE / "made"
ASIDE = 3
"""Every third still is kept aside: never tune on it."""
STANDARD_SEED, DRAWN_SEED, GAMES_SEED = 9000, 20000, 50000
STANDARD_COUNT = 24
STANDARD_LONGER_SIDE = 1280
COLUMNS = (
    TextColumn("{task.description}"),
    BarColumn(),
    MofNCompleteColumn(),
    TimeRemainingColumn(),
)


@dataclass(frozen=True)
class Job:
    """One file to make."""

    path: Path
    make: Callable[[Path], None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Makes a set; 0 when all went well."""
    options = _options(arguments)
    console = Console(stderr=True)
    cv2.setNumThreads(1)
    try:
        SETS[options.set](options, console)
    except ScriptError as error:
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
    parser.add_argument("set", choices=sorted(SETS))
    parser.add_argument("--count", type=int, help="how many stills or games")
    parser.add_argument("--seed", type=int, default=0, help="added to the set's own seeds")
    parser.add_argument("--out", type=Path, default=MADE, help="folder for what is not shipped")
    return parser.parse_args(arguments)


def _work(console: Console, title: str, jobs: Sequence[Job]) -> None:
    """Does what is not done yet, with a bar."""
    with Progress(*COLUMNS, console=console) as progress:
        bar = progress.add_task(title, total=len(jobs))
        for job in jobs:
            if not job.path.exists():
                _whole(job)
            progress.advance(bar)


def _whole(job: Job) -> None:
    """Makes a file under another name first: half a file must not look like a whole one."""
    job.path.parent.mkdir(parents=True, exist_ok=True)
    part = job.path.with_stem(job.path.stem + ".part")
    job.make(part)
    part.replace(job.path)


# --- Stills --------------------------------------------------------------------------------


def _stills(console: Console, title: str, folder: Path, scenes: Sequence[Scene]) -> None:
    files = [folder / f"{scene.seed}.jpg" for scene in scenes]
    jobs = [Job(file, _still_job(scene)) for file, scene in zip(files, scenes, strict=True)]
    _work(console, title, jobs)
    truth.write(
        folder / "truth.json",
        (
            truth.recording_of(scene, file.name, kept_aside=scene.seed % ASIDE == 0)
            for file, scene in zip(files, scenes, strict=True)
        ),
    )


def _still_job(scene: Scene) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.write_bytes(compressed(scene, still(scene)))

    return make


def _drawn(options: argparse.Namespace, console: Console) -> None:
    first = DRAWN_SEED + options.seed
    scenes = [random_scene(seed) for seed in range(first, first + (options.count or 400))]
    _stills(console, "stills", options.out / "drawn", scenes)


def _standard(options: argparse.Namespace, console: Console) -> None:
    seeds = range(STANDARD_SEED, STANDARD_SEED + STANDARD_COUNT)
    scenes = [_small(random_scene(seed)) for seed in seeds]
    _stills(console, "standard", HERE / "standard", scenes)


def _small(scene: Scene) -> Scene:
    """The same scene with at most the shipped stills' size and quality."""
    lens = scene.view.lens
    scale = min(1.0, STANDARD_LONGER_SIDE / max(lens.width, lens.height))
    size = round(lens.width * scale), round(lens.height * scale)
    smaller = replace(lens, width=size[0], height=size[1], focal_px=lens.focal_px * scale)
    sensor = replace(scene.sensor, jpeg_quality=90)
    return replace(scene, view=replace(scene.view, lens=smaller), sensor=sensor)


# --- Videos --------------------------------------------------------------------------------


def _demo(options: argparse.Namespace, console: Console) -> None:
    _video(console, prepare(load(SCRIPTS / "demo.script")), HERE / "demo.mp4")


def _incidents(options: argparse.Namespace, console: Console) -> None:
    for name in names():
        if name != "demo":
            script = load(SCRIPTS / f"{name}.script")
            _video(console, prepare(script), options.out / "incidents" / f"{name}.mp4")


def _games(options: argparse.Namespace, console: Console) -> None:
    first = GAMES_SEED + options.seed
    for seed in range(first, first + (options.count or 3)):
        text = invented_script(seed)
        path = options.out / "games" / f"{seed}.mp4"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".script").write_text(text, encoding="utf-8")
        play = prepare(replace(parse(text, str(seed)), kept_aside=seed % ASIDE == 0))
        _video(console, play, path)


def _video(console: Console, play: Play, path: Path) -> None:
    """A video, its truth and the record of the game in it."""
    if not path.exists():
        _whole(Job(path, lambda part: _film(console, play, part, path.stem)))
    truth.write(path.with_suffix(".truth.json"), [recording(play, path.name)])
    script = play.timeline.script
    game = Game({"Event": script.name}, script.start, play.timeline.moves)
    path.with_suffix(".pdn").write_text(write_pdn(game), encoding="utf-8")


def _film(console: Console, play: Play, path: Path, title: str) -> None:
    """MPEG-4, part 2: the one codec that every OpenCV wheel both writes and reads."""
    lens = play.stage.view.lens
    codec = cv2.VideoWriter.fourcc(*"mp4v")
    rate = play.timeline.script.rate
    writer = cv2.VideoWriter(str(path), codec, rate, (lens.width, lens.height))
    if not writer.isOpened():
        raise OSError(f"{path} cannot be written as a video")
    try:
        with Progress(*COLUMNS, console=console) as progress:
            for _, picture in progress.track(
                pictures(play), total=len(play.times_ms), description=title
            ):
                writer.write(picture)
    finally:
        writer.release()


SETS: dict[str, Callable[[argparse.Namespace, Console], None]] = {
    "demo": _demo,
    "standard": _standard,
    "drawn": _drawn,
    "incidents": _incidents,
    "games": _games,
}

if __name__ == "__main__":
    raise SystemExit(main())

"""Malformed games, positions, commands, calibrations, journals and pictures, by the thousand."""

from __future__ import annotations

import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path

from tests.torture.tally import Tally, Tick

PROJECT = Path(__file__).parents[2]
CHUNK = 500
"""Tries in one process: what kills it takes no more with it."""
SLOWEST_S = 1.0
Reader = Callable[[bytes, Path], None]

PDN = b"""[Event "Club"]
[Black "Anderson"] [White "Wyllie {"]
[FEN "B:W21,K30:B1-4,K12"]
1. 11-15 23-19 {a comment} 2. 8-11! (22-17 $4) 22x15x8 3... 1-5 1/2-1/2
"""
FEN = b"W:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"
COMMANDS = b"overrule 11-15 23-19"
JOURNAL = b"".join(
    f'{n:064x} {{"#":{n},"at":"2026-11-21T15:26:36Z","kind":"note","steps":[7]}}\n'.encode()
    for n in range(5)
)


def run(tries: int, seed: int, room: Path, tick: Tick) -> Tally:
    """Read so many malformed things."""
    tally = Tally("malformed input")
    for first in range(0, tries, CHUNK):
        count = min(CHUNK, tries - first)
        words = [sys.executable, "-m", "tests.torture.malformed", str(count), str(seed + first)]
        here = tempfile.mkdtemp(dir=room)
        done = subprocess.run(
            words,
            cwd=here,
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": str(PROJECT)},
        )
        tally.tries += count
        if done.returncode:
            tally.wrong.append(f"a reader crashed: status {done.returncode} {done.stderr[-300:]}")
        else:
            tally.wrong += json.loads(done.stdout)
        tally.wrong += [f"{path} was written" for path in Path(here).iterdir()]
        for _ in range(count):
            tick()
    return tally


# --- in the other process -------------------------------------------------------------------


def main(count: int, seed: int) -> None:
    """Read some malformed things and print what went wrong, as a JSON list."""
    from referee import cli

    cli._quieten_opencv()
    readers = _readers()
    rng, wrong = random.Random(seed), list[str]()
    with tempfile.TemporaryDirectory() as room:
        for number in range(count):
            name = sorted(readers)[number % len(readers)]
            whole, read = readers[name]
            data = _spoilt(whole, rng)
            begin_s = time.process_time()
            try:
                read(data, Path(room, f"spoilt-{name}"))
            except Exception as error:
                wrong.append(f"{name}: {type(error).__name__} {error} from {data[:80]!r}")
            if time.process_time() - begin_s > SLOWEST_S:
                wrong.append(f"{name}: took {time.process_time() - begin_s:.1f} s")
    print(json.dumps(wrong))


def _readers() -> dict[str, tuple[bytes, Reader]]:
    import cv2
    import numpy as np

    drawn = np.random.default_rng(1).integers(0, 255, (60, 80, 3)).astype(np.uint8)
    png, jpeg = (cv2.imencode(ending, drawn)[1].tobytes() for ending in (".png", ".jpg"))
    return {
        "pdn": (PDN, _read_pdn),
        "fen": (FEN, _read_fen),
        "command": (COMMANDS, _read_command),
        "calibration.json": (calibration_file(), _read_calibration),
        "journal.txt": (JOURNAL, _read_journal),
        "source.json": (b'{"source": "usb:0"}', _read_source),
        "picture.png": (png, _read_picture),
        "picture.jpg": (jpeg, _read_picture),
        "referee.toml": (settings_file(), _read_settings),
        "bomb.png": (_bomb(), _read_picture),
    }


def calibration_file() -> bytes:
    """A sound calibration."""
    from calibration.model import Lens, Pose, View
    from calibration.palette import Palette, Tone
    from calibration.saved import Calibration

    tone = Tone((1.0, 2.0, 3.0), (1.0, 1.0, 1.0))
    view = View(Lens(640, 360, 500.0), Pose((0.1, 0.2, 0.3), (1.0, 2.0, 9.0)))
    names = Palette.__dataclass_fields__
    with tempfile.TemporaryDirectory() as room:
        path = Path(room, "board.json")
        Calibration(view, Palette(**dict.fromkeys(names, tone))).save(path)
        return path.read_bytes()


def settings_file() -> bytes:
    """A file that sets everything."""
    from referee.settings.example import example

    lines = example().splitlines()
    return "\n".join(line[line.startswith("#") and line[1] != " " :] for line in lines).encode()


def _bomb() -> bytes:
    """A picture of 1.2 gigabytes in a hundred bytes."""
    header = struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(100))), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _spoilt(data: bytes, rng: random.Random) -> bytes:
    """The same with a few accidents."""
    for _ in range(rng.choice((0, 1, 1, 2, 5, 20))):
        place, length = rng.randrange(len(data) + 1), rng.choice((1, 1, 2, 8, 64))
        piece = rng.choice(
            (
                b"",
                rng.randbytes(length),
                data[place : place + length] * rng.choice((2, 50)),
                bytes([rng.choice(b'(){}[]"\\:;,-x.KWB019\n\0')]) * rng.choice((1, 300)),
            )
        )
        data = data[:place] + piece + data[place + rng.choice((0, length)) :]
    return data


def _read_pdn(data: bytes, path: Path) -> None:
    from referee.notation import decode, parse_pdn

    parse_pdn(decode(data))


def _read_fen(data: bytes, path: Path) -> None:
    from referee.errors import RefereeError
    from referee.notation import parse_fen

    try:
        parse_fen(data.decode("latin-1"))
    except RefereeError:
        return


def _read_command(data: bytes, path: Path) -> None:
    from referee import game as games
    from referee.commands import parse
    from referee.errors import RefereeError

    try:
        command = parse(data.decode("latin-1"), 1)
    except RefereeError:
        return
    games.feed(games.begin(), command)


def _read_calibration(data: bytes, path: Path) -> None:
    from calibration.saved import Calibration, CalibrationError

    path.write_bytes(data)
    try:
        Calibration.load(path)
    except CalibrationError:
        return


def _read_settings(data: bytes, path: Path) -> None:
    from referee.settings.effective import settle
    from referee.settings.files import read

    path.write_bytes(data)
    reading = read(path)
    settle((reading,), {})
    for problem in reading.problems:
        assert "\n" not in problem, problem
        assert len(problem) < 1_000, problem
        assert problem.startswith(str(path)), problem


def _read_journal(data: bytes, path: Path) -> None:
    from referee.journal.salvage import read

    path.mkdir(exist_ok=True)
    (path / "journal.txt").write_bytes(data)
    read(path)


def _read_source(data: bytes, path: Path) -> None:
    from referee.journal.shelf import load_source

    path.mkdir(exist_ok=True)
    (path / "source.json").write_bytes(data)
    load_source(path)


def _read_picture(data: bytes, path: Path) -> None:
    from hardware.camera import MOST_PIXELS
    from referee.errors import InputError
    from referee.verbs.look import read_image

    path.write_bytes(data)
    try:
        image = read_image(path)
    except InputError:
        return
    assert image.size <= 3 * MOST_PIXELS


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))

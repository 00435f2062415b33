"""Trying things out: a test frame of a camera, a tone, a calibration, a little arithmetic."""

from __future__ import annotations

import logging
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration.saved import Calibration, CalibrationError
from hardware.camera import Camera as Source
from hardware.camera import CameraError, Image, borrowed_frames
from hardware.speech import espeak
from hardware.speech.sounds import Sound, composed
from referee.doctor.machine import Camera, Picture
from referee.errors import RefereeError
from referee.eye.picture import read_picture

LOOK_S = 2.0
"""How long a live camera is looked at: long enough to count its pictures."""
PATIENCE_S = 30.0
"""For a camera that neither gives a picture nor fails."""
FAREWELL_S = 2.0
"""For a camera to be closed when the doctor is interrupted."""
TONE_S = 10.0
ROUNDS = 20
SIDE = 512


def try_camera(
    source: str, opened: Callable[[str], Source], patience_s: float = PATIENCE_S
) -> tuple[Camera, Image | None]:
    """A test frame and what it looks like, or why there is none.

    In a thread: a driver that hangs must not keep the doctor. One that works is closed before the
    doctor is interrupted, for a thread in it brings the end of Python down.
    """
    box: list[tuple[Camera, Image | None]] = []
    stop, done = threading.Event(), threading.Event()

    def look() -> None:
        try:
            with _heard() as said:
                camera, image = _looked(source, opened(source), stop)
            told = tuple(sentence.replace(f"{source} ", "it ", 1) for sentence in said)
            box.append((replace(camera, told=told), image))
        except (CameraError, RefereeError) as error:
            box.append((Camera(source, error=str(error)), None))
        except Exception as error:  # of a driver: the doctor tells of it, and goes on
            box.append((Camera(source, error=f"it fails: {error}"), None))
        finally:
            done.set()

    try:
        threading.Thread(target=look, daemon=True).start()
        done.wait(patience_s)
    except BaseException:
        # Not `join`: once interrupted, it takes the thread for ended.
        stop.set()
        done.wait(FAREWELL_S)
        raise
    hung = f"the camera hangs; pull it out, put it back and try again ({patience_s:.0f} s)"
    return box[0] if box else (Camera(source, error=hung), None)


@contextmanager
def _heard() -> Iterator[list[str]]:
    """What the cameras say meanwhile, good or bad, instead of where it is said usually."""
    cameras, said = logging.getLogger("hardware.cameras"), list[str]()
    ear, level = logging.Handler(), cameras.level
    ear.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    cameras.addHandler(ear)
    cameras.setLevel(logging.INFO)
    try:
        yield said
    finally:
        cameras.removeHandler(ear)
        cameras.setLevel(level)


def _looked(source: str, camera: Source, stop: threading.Event) -> tuple[Camera, Image | None]:
    live = camera.length_ms is None
    image, count, still = None, 0, 0
    with borrowed_frames(camera) as frames:
        begin_s = time.monotonic()
        for frame in frames:
            # The first picture comes when the camera has started; only then time counts.
            begin_s = begin_s if count else time.monotonic()
            image, count, still = frame.image, count + 1, still + frame.still
            if not live or stop.is_set() or time.monotonic() - begin_s >= LOOK_S:
                break
        took_s = time.monotonic() - begin_s
    if image is None:
        return Camera(source, error="it gives no picture"), None
    rate = (count - 1) / took_s if live and count > 1 else None
    return Camera(source, replace(_described(image, rate), still=still / count)), image


def _described(image: Image, rate: float | None) -> Picture:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    height, width = grey.shape
    reading = read_picture(image)
    search_ms, found = reading.ms["locate"], reading.found
    return Picture(width, height, rate, float(grey.mean()), float(grey.std()), found, search_ms)


def try_tone(device: str | None) -> str:
    """Play three tones; why that failed, or nothing."""
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        file.write(composed(None, Sound.UNSURE))
        file.flush()
        command = [*espeak.player(device), file.name]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=TONE_S, errors="replace"
            )
        except FileNotFoundError:
            return f"there is no {command[0]}"
        except subprocess.TimeoutExpired:
            return "the loudspeaker does not answer"
    if done.returncode == 0:
        return ""
    return (done.stderr.strip().splitlines() or [f"{command[0]} failed"])[-1]


def try_calibration(path: Path | None) -> str | None:
    """What is wrong with a calibration; nothing when it is sound, None when there is none."""
    if path is None:
        return None
    try:
        Calibration.load(path)
    except CalibrationError as error:
        return str(error).partition(": ")[0]
    return ""


def time_reading() -> float:
    """Milliseconds of a warp to 512x512 and its conversion to Lab, the median of some."""
    image = np.random.default_rng(1).integers(0, 255, (720, 1280, 3)).astype(np.uint8)
    corners = np.array([[300, 100], [980, 100], [1200, 650], [80, 650]], np.float32)
    square = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    warp = cv2.getPerspectiveTransform(corners, square)
    times = []
    for _ in range(ROUNDS):
        begin_s = time.perf_counter()
        cv2.cvtColor(cv2.warpPerspective(image, warp, (SIDE, SIDE)), cv2.COLOR_BGR2LAB)
        times.append(1000 * (time.perf_counter() - begin_s))
    return float(np.median(times))

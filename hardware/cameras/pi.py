"""A camera on the Raspberry Pi's own connector, by picamera2, which comes with the system.

Its library waits for ever in several places; nothing here does. What still hangs is told as
`CameraHung`, for only a new start of the program can get the camera back.
"""

from __future__ import annotations

import atexit
import logging
import os
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

from hardware.camera import CameraError, CameraHung, Frame, Image, Wishes
from hardware.cameras.gate import SHARE, Gate
from hardware.cameras.holding import (
    BY_ITSELF,
    HELD,
    Facts,
    Numbers,
    held,
    is_obeyed,
    is_searching,
    numbers_of,
    offered,
    without_flicker,
)
from hardware.cameras.memory import Settled, keep, recall
from hardware.cameras.pixels import bgr, brightness, is_as_bright
from hardware.cameras.sensor import Mode, share_seen, widest

logger = logging.getLogger(__name__)

WAIT_S = 5.0
"""A camera that gives no picture for so long has hung, or its cable is loose."""
CLOSE_S = 5.0
"""What closing may take."""
REOPENINGS = 1
"""So often in a row opening it anew may help; what is wrong then is in this process or in the
wires, and nobody plugs such a camera in while it is on."""
BUFFERS = 4
"""One with us, one being filled, two for a busy computer."""
SEARCH_S = 5.0
"""What a lens that is still searching is given beyond the time to settle."""
MOST_OBEYING = 15
"""Pictures within which new numbers take effect; usually it is three."""
SAME_LIGHT = 1.5
"""The factor up to which kept numbers still fit: hands and pieces change the brightness of the
whole picture by less, a lamp or the sun by more."""
WISHED = HELD | {"FrameDurationLimits": "rate"}
"""What people are told of where a camera lacks the control."""
FAILURES = (RuntimeError, OSError, LookupError, CancelledError)
"""What picamera2 raises when a camera is busy, missing, or goes while it is used."""
WHOLE = 0.98
"""The share of the sensor's width from which it counts as all; sizes are rounded to some pixels."""


@dataclass(frozen=True)
class Shot:
    """One picture."""

    image: Image
    facts: Facts
    still: bool
    """The image is that of an earlier shot, from which nothing differs."""


class PiCamera:
    """Camera `number`; focus, exposure and colours are settled once and then held.

    They are held over reopening, and over restarts if `wishes.memory` says where; in clearly
    another light they are settled anew.
    """

    def __init__(self, number: int, wishes: Wishes | None = None) -> None:
        """CameraError when picamera2 is not installed or knows no such camera."""
        self._number, self._name = number, f"pi:{number}"
        self._wishes = wishes or Wishes()
        self._module = _picamera2()
        self._model = self._find()
        memory = self._wishes.memory
        self._memory = memory / f"pi-{number}.json" if memory else None
        self._settled: Settled | None = None
        self._modes: list[Mode] | None = None
        self._failures = 0
        """Since the last picture."""
        self._told: set[str] = set()

    @property
    def length_ms(self) -> int | None:
        return None

    def frames(self) -> Iterator[Frame]:
        """The newest picture each time one is asked for, by the sensor's own clock.

        CameraError when the camera fails; CameraHung when it cannot even be closed, or failed
        again after it was opened anew.
        """
        try:
            yield from self._opened_frames()
        except CameraHung:
            raise
        except CameraError as error:
            self._failures += 1
            if self._failures > REOPENINGS:
                raise CameraHung(f"{error}; opening it again did not help") from None
            raise

    def _opened_frames(self) -> Iterator[Frame]:
        try:
            self._find()  # before opening: picamera2 leaks a file each time it cannot open one
            camera = self._module.Picamera2(self._number)
            try:
                yield from _timed(self._steady(camera))
            finally:
                _close(camera, self._name)
        except CameraError:
            raise
        except FAILURES as error:
            raise CameraError(
                f"{self._name} failed ({str(error) or type(error).__name__}); if no other program"
                " uses it, check the ribbon cable and the power supply"
            ) from None

    def _find(self) -> str:
        """The camera's model and place."""
        found = self._module.Picamera2.global_camera_info()
        if self._number >= len(found):
            raise CameraError(
                f"there is no {self._name}: the system sees {len(found)} camera(s);"
                " check the ribbon cable and restart"
            )
        return f"{found[self._number]['Model']} {found[self._number]['Id']}"

    def _steady(self, camera: Any) -> Iterator[Shot]:
        """Pictures with settled numbers that are held."""
        kept = self._settled or self._recalled()
        self._start(camera, kept)
        shots = self._shots(camera)
        first = next(shots)
        if self._settled is None and not (kept and _fits(kept, first.image)):
            kept = self._settle(camera, shots)
            first = next(shots)
        self._settled, self._failures = kept, 0
        self._tell_field(share_seen(first.facts, camera.camera_properties))
        yield first
        yield from shots

    def _recalled(self) -> Settled | None:
        return recall(self._memory, self._model) if self._memory else None

    def _start(self, camera: Any, kept: Settled | None) -> None:
        wishes, offer = self._wishes, camera.camera_controls
        duration_us = round(1_000_000 / wishes.rate)
        controls = {"FrameDurationLimits": (duration_us, duration_us)}
        controls |= held(kept.numbers) if kept else {}
        camera.configure(
            camera.create_video_configuration(
                main={"size": (wishes.width, wishes.height), "format": "RGB888"},
                lores={"size": _small(wishes), "format": "YUV420"},
                sensor=self._reading(camera),
                controls=offered(controls, offer),
                buffer_count=BUFFERS,
                queue=False,  # a picture newer than the asking
            )
        )
        self._tell_missing([word for name, word in WISHED.items() if name not in offer])
        self._tell_size(camera.camera_configuration()["main"]["size"])
        camera.start()

    def _reading(self, camera: Any) -> dict[str, Any]:
        """The sensor's mode to ask for; nothing when the camera has none to choose from."""
        if "ScalerCrop" not in camera.camera_controls:
            return {}
        if self._modes is None:
            self._modes = self._found_modes(camera)
        wishes = self._wishes
        mode = widest(self._modes, (wishes.width, wishes.height), wishes.rate)
        return {"output_size": mode["size"], "bit_depth": mode["bit_depth"]} if mode else {}

    def _found_modes(self, camera: Any) -> list[Mode]:
        """picamera2 finds them by trying them all, which small computers may lack memory for."""
        try:
            return list(camera.sensor_modes)
        except (*FAILURES, AttributeError, TypeError) as error:
            self._tell(f"{self._name} does not tell its sensor's modes ({error})")
            return []

    def _shots(self, camera: Any) -> Iterator[Shot]:
        configuration = camera.camera_configuration()
        main, small = configuration["main"], configuration["lores"]
        gate = Gate(small["format"], small["size"])
        while True:
            request = self._requested(camera)
            try:
                facts = request.get_metadata()
                still = gate.still(request.make_array("lores"), facts["SensorTimestamp"])
                if not still:
                    image = bgr(request.make_array("main"), main["format"], main["size"][0])
            finally:
                request.release()
            yield Shot(image, facts, still)

    def _requested(self, camera: Any) -> Any:
        """The streams and facts of one moment; to be released."""
        try:
            return camera.capture_request(wait=WAIT_S)
        except TimeoutError:
            raise CameraError(
                f"{self._name} has given no picture for {WAIT_S:.0f} s;"
                " check the ribbon cable and the power supply"
            ) from None

    def _settle(self, camera: Any, shots: Iterator[Shot]) -> Settled | None:
        """Let the camera find its numbers and hold them; None when it lets nothing be held."""
        offer = camera.camera_controls
        if not set(HELD) & set(offer):
            return None
        camera.set_controls(offered(BY_ITSELF, offer))
        numbers = offered(numbers_of(self._found(shots)), offer)
        if "AnalogueGain" in numbers:
            numbers = without_flicker(numbers, self._wishes.mains_hz, offer["AnalogueGain"][:2])
        camera.set_controls(offered(held(numbers), offer))
        settled = Settled(self._model, self._brightness_with(numbers, shots), numbers)
        if self._memory:
            keep(self._memory, settled)
        return settled

    def _brightness_with(self, numbers: Numbers, shots: Iterator[Shot]) -> float:
        """Of the first picture that was taken with these numbers."""
        for shot in islice(shots, MOST_OBEYING):
            if is_obeyed(numbers, shot.facts):
                return brightness(shot.image)
        self._tell(f"{self._name} does not hold the exposure or focus it was set to")
        return brightness(shot.image)

    def _found(self, shots: Iterator[Shot]) -> Facts:
        """What the camera says when it has settled, or when it has had its time."""
        wishes = self._wishes
        settle_ns, longest_s = round(1e9 * wishes.settle_s), wishes.settle_s + SEARCH_S
        first_ns = None
        # Counted too, and twice as many as there should be: a sensor's clock may stand still.
        for shot in islice(shots, round(2 * wishes.rate * longest_s)):
            time_ns = shot.facts["SensorTimestamp"]
            first_ns = time_ns if first_ns is None else first_ns
            if time_ns - first_ns >= (1e9 * longest_s if is_searching(shot.facts) else settle_ns):
                break
        return shot.facts

    def _tell_missing(self, words: list[str]) -> None:
        if words:
            self._tell(f"{self._name} does not let its {' and '.join(words)} be held")

    def _tell_size(self, size: tuple[int, int]) -> None:
        wished = self._wishes.width, self._wishes.height
        if size != wished:
            got, asked = "x".join(map(str, size)), "x".join(map(str, wished))
            self._tell(f"{self._name} gives {got} in place of {asked}")

    def _tell_field(self, share: float | None) -> None:
        if share is not None:
            level = logging.INFO if share >= WHOLE else logging.WARNING
            self._tell(f"{self._name} shows {share:.0%} of its sensor's width", level)

    def _tell(self, sentence: str, level: int = logging.WARNING) -> None:
        """Once, however often the camera is opened."""
        if sentence not in self._told:
            self._told.add(sentence)
            logger.log(level, sentence)


def _picamera2() -> Any:
    # Errors are told in our own words; libcamera would add its own to them.
    os.environ.setdefault("LIBCAMERA_LOG_LEVELS", "*:FATAL")
    try:
        import picamera2
    except (ImportError, ValueError) as error:
        # ValueError: compiled against another numpy than the one that is found.
        raise CameraError(
            f"a pi camera needs picamera2 ({error}): sudo apt install python3-picamera2,"
            " then make clean, then this command again"
        ) from None
    return picamera2


def _close(camera: Any, name: str) -> None:
    """Give the camera back, within a time."""
    closed = threading.Event()

    def close() -> None:
        # A wait that ran out is still the first job in the queue; closing would wait behind it.
        camera.cancel_all_and_flush()
        with suppress(*FAILURES):
            camera.close()
            closed.set()

    threading.Thread(target=close, name=f"closing {name}", daemon=True).start()
    if not closed.wait(CLOSE_S):
        # picamera2 would wait for it once more when the program ends.
        atexit.unregister(camera.close)
        raise CameraHung(f"{name} cannot be closed; start the referee again, or the computer")


def _timed(shots: Iterator[Shot]) -> Iterator[Frame]:
    """Frames by the sensor's own clock, which counts nanoseconds."""
    first_ns = None
    for shot in shots:
        time_ns = shot.facts["SensorTimestamp"]
        first_ns = time_ns if first_ns is None else first_ns
        yield Frame(shot.image, (time_ns - first_ns) // 1_000_000, still=shot.still)


def _small(wishes: Wishes) -> tuple[int, int]:
    """The size of the second stream, both sides even."""
    return wishes.width // SHARE // 2 * 2, wishes.height // SHARE // 2 * 2


def _fits(kept: Settled, image: Image) -> bool:
    return is_as_bright(brightness(image), kept.brightness, SAME_LIGHT)

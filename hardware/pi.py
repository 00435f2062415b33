"""A camera on the Raspberry Pi's own connector, by picamera2, which comes with the system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hardware.camera import CameraError, Frame

SIZE = (1280, 720)
SETTLE_MS = 2000
"""What exposure and white balance take to settle; afterwards they are held."""
WAIT_S = 5.0
"""A camera that gives no picture for so long has hung, or its cable is loose."""
HELD = ("ExposureTime", "AnalogueGain", "ColourGains")


class PiCamera:
    """Camera `number`; focus, exposure and colours are set once and then left alone.

    The brightness of a square then changes only when something on the board does.
    """

    def __init__(self, number: int) -> None:
        """CameraError when picamera2 is not installed or knows no such camera."""
        self._number = number
        self._module = _picamera2()
        found = len(self._module.Picamera2.global_camera_info())
        if number >= found:
            raise CameraError(
                f"there is no pi:{number}: the system sees {found} camera(s);"
                " check the ribbon cable and restart"
            )

    @property
    def length_ms(self) -> int | None:
        return None

    def frames(self) -> Iterator[Frame]:
        camera = self._module.Picamera2(self._number)
        try:
            _start(camera)
            yield from _timed(_settled(self._requests(camera), camera))
        finally:
            camera.stop()
            camera.close()

    def _requests(self, camera: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
        """Pictures with what the camera says about them, each newer than the asking."""
        while True:
            try:
                request = camera.capture_request(wait=WAIT_S)
            except TimeoutError:
                raise CameraError(
                    f"pi:{self._number} has given no picture for {WAIT_S:.0f} s;"
                    " check the ribbon cable and the power supply"
                ) from None
            try:
                taken = request.make_array("main"), request.get_metadata()
            finally:
                request.release()
            yield taken


def _picamera2() -> Any:
    try:
        import picamera2
    except (ImportError, ValueError) as error:
        # ValueError: compiled against another numpy than the one that is found.
        raise CameraError(
            f"a pi camera needs picamera2 ({error}): sudo apt install python3-picamera2,"
            " then make clean, then this command again"
        ) from None
    return picamera2


def _start(camera: Any) -> None:
    # picamera2's "RGB888" lies in memory as blue, green, red.
    main = {"size": SIZE, "format": "RGB888"}
    camera.configure(camera.create_video_configuration(main=main, buffer_count=4, queue=False))
    camera.start()
    if "AfMode" in camera.camera_controls:
        # Once: a lens that keeps searching follows the hands.
        camera.autofocus_cycle()


def _settled(
    requests: Iterator[tuple[Any, dict[str, Any]]], camera: Any
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The pictures after exposure and white balance have settled and been held."""
    first = None
    for image, facts in requests:
        first = first or facts["SensorTimestamp"]
        if facts["SensorTimestamp"] - first >= SETTLE_MS * 1_000_000:
            held = {name: facts[name] for name in HELD if name in facts}
            camera.set_controls({"AeEnable": False, "AwbEnable": False, **held})
            yield image, facts
            break
    yield from requests


def _timed(requests: Iterator[tuple[Any, dict[str, Any]]]) -> Iterator[Frame]:
    """Frames by the sensor's own clock, which counts nanoseconds."""
    first = None
    for image, facts in requests:
        first = facts["SensorTimestamp"] if first is None else first
        yield Frame(image, (facts["SensorTimestamp"] - first) // 1_000_000)

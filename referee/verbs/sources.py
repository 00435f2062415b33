"""The cameras of the command line: those of `hardware` and the drawn games of `sample_images`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from hardware.camera import Camera, Frame
from hardware.sources import KINDS, open_camera
from referee.errors import InputError

FAKE = "fake:"


def add_source(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", help=f"{KINDS}, or fake:NAME, a drawn game")


def camera_of(source: str) -> Camera:
    """CameraError or InputError when there is no such camera."""
    if source.startswith(FAKE):
        return _DrawnGame(source.removeprefix(FAKE))
    return open_camera(source)


class _DrawnGame:
    """A script of `sample_images`, drawn while it is watched."""

    def __init__(self, name: str) -> None:
        from sample_images import play

        if not name.endswith(".script") and name not in play.names():
            raise InputError(f"there is no script {name!r}; there are {', '.join(play.names())}")
        try:
            self._pictures, self._length_ms = play.open_script(name)
        except (OSError, ValueError) as error:
            raise InputError(f"{name} cannot be played: {error}") from None

    @property
    def length_ms(self) -> int | None:
        return self._length_ms

    def frames(self) -> Iterator[Frame]:
        return (Frame(image, time_ms) for time_ms, image in self._pictures)

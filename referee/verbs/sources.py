"""The cameras of the command line: those of `hardware` and the drawn games of `sample_images`."""

from __future__ import annotations

import argparse

from hardware.camera import Camera, Wishes
from hardware.cameras.lasting import lasting
from hardware.sources import is_picture, open_camera
from referee.errors import InputError
from referee.settings.knobs import Settings
from referee.verbs.settings import add_knob

FAKE = "fake:"
ONE_PICTURE = (
    "{} is a single picture, in which no game can be followed: watch a video, a camera or a folder"
    " of pictures, or read it with referee look"
)


def add_source(parser: argparse.ArgumentParser) -> None:
    add_knob(parser, "source", "camera.source", "SOURCE", nargs="?")


def source_of(settings: Settings) -> str:
    """What is to be watched; InputError when nobody has said that."""
    if settings.camera.source is None:
        raise InputError("name a SOURCE, like usb:0, or set it under [camera] in referee.toml")
    return settings.camera.source


def wishes_of(settings: Settings) -> Wishes:
    """What a live camera is asked for."""
    wish = settings.camera
    return Wishes(wish.width, wish.height, wish.rate, wish.mains_hz, wish.settle_s)


def game_camera(source: str, settings: Settings) -> Camera:
    """One over a game, which is opened again while it fails; else as `camera_of`."""
    if is_picture(source):
        raise InputError(ONE_PICTURE.format(source))
    return lasting(camera_of(source, wishes_of(settings)))


def camera_of(source: str, wishes: Wishes | None = None) -> Camera:
    """CameraError or InputError when there is no such camera."""
    if source.startswith(FAKE):
        return _drawn(source.removeprefix(FAKE))
    return open_camera(source, wishes)


def _drawn(name: str) -> Camera:
    """A script of `sample_images`, drawn while it is watched."""
    from hardware.cameras.fake import FakeCamera
    from sample_images import play

    if not name.endswith(".script") and name not in play.names():
        raise InputError(f"there is no script {name!r}; there are {', '.join(play.names())}")
    try:
        return FakeCamera(*play.open_script(name))
    except (OSError, ValueError) as error:
        raise InputError(f"{name} cannot be played: {error}") from None

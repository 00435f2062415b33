"""The one door to the cameras: a name goes in, something that yields frames comes out.

    pi:0                 the first camera on the Raspberry Pi's own connector
    usb:0                the first USB camera
    http://… rtsp://…    a network or telephone camera
    game.mp4             a video file
    photographs/         a folder of pictures, in the order of their names

Each kind lives in a file of its own, which is imported only when it is asked for.
"""

from __future__ import annotations

from pathlib import Path

from hardware.camera import Camera, CameraError

KINDS = "pi:0, usb:0, an address such as http://camera/video, a video file or a folder of pictures"


def open_camera(source: str) -> Camera:
    """The camera of that name; CameraError when there is none, with what to do about it."""
    kind, _, number = source.partition(":")
    if kind in ("pi", "usb"):
        return _numbered(kind, number)
    if "://" in source:
        from hardware.stream import Stream

        return Stream(source)
    return _stored(Path(source))


def _numbered(kind: str, number: str) -> Camera:
    if not number.isdecimal():
        raise CameraError(f"{kind}:{number} names no camera; write {kind}:0 for the first one")
    if kind == "pi":
        from hardware.pi import PiCamera

        return PiCamera(int(number))
    from hardware.usb import UsbCamera

    return UsbCamera(int(number))


def _stored(path: Path) -> Camera:
    if path.is_dir():
        from hardware.folder import Folder

        return Folder(path)
    if path.exists():
        from hardware.video import Video

        return Video(path)
    raise CameraError(f"there is no {path}; a source is {KINDS}")

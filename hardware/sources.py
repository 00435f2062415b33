"""The one door to the cameras: a name goes in, something that yields frames comes out.

    pi:0                 the first camera on the Raspberry Pi's own connector
    usb:0                the first USB camera, or usb:NAME by its name in /dev/v4l/by-id
    http://… rtsp://…    a network or telephone camera
    game.mp4             a video file
    photographs/         a folder of pictures, in the order of their names
    board.jpg            a single picture

Each kind lives in a file of its own, which is imported only when it is asked for.
"""

from __future__ import annotations

from pathlib import Path

from hardware.camera import Camera, CameraError, Wishes

KINDS = "pi:0, usb:0, an address such as http://camera/video, a video file or a folder of pictures"
WIRED = ("pi", "usb")
NAMED = (*WIRED, "fake")
"""What stands before the colon of a source that is no file."""


def is_stored(source: str) -> bool:
    """Whether a source is named by its path, as files and folders are."""
    return "://" not in source and source.partition(":")[0] not in NAMED


def is_picture(source: str) -> bool:
    """Whether a source is a file whose name is that of a single picture."""
    from hardware.cameras.folder import PICTURES

    path = Path(source)
    return path.suffix.lower() in PICTURES and path.is_file()


def open_camera(source: str, wishes: Wishes | None = None) -> Camera:
    """The camera of that name; CameraError when there is none, with what to do about it.

    The wishes are for live cameras on a wire; recordings and addresses are as they are.
    """
    kind, _, name = source.partition(":")
    if kind in WIRED:
        return _wired(kind, name, wishes or Wishes())
    if "://" in source:
        from hardware.cameras.stream import Stream

        return Stream(source)
    return _stored(Path(source))


def _wired(kind: str, name: str, wishes: Wishes) -> Camera:
    if not name or (kind == "pi" and not name.isdecimal()):
        raise CameraError(f"{kind}:{name} names no camera; write {kind}:0 for the first one")
    if kind == "pi":
        from hardware.cameras.pi import PiCamera

        return PiCamera(int(name), wishes)
    from hardware.cameras.usb import UsbCamera

    return UsbCamera(name, wishes)


def _stored(path: Path) -> Camera:
    if not path.exists():
        raise CameraError(f"there is no {path}; a source is {KINDS}")
    if path.is_dir():
        from hardware.cameras.folder import Folder

        return Folder(path)
    if is_picture(str(path)):
        from hardware.cameras.folder import SinglePicture

        return SinglePicture(path)
    from hardware.cameras.video import Video

    return Video(path)

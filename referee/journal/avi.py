"""Motion JPEG in an AVI file: every picture stands alone, so that half a file is half a film."""

from __future__ import annotations

import struct
from collections.abc import Sequence

KEYFRAME = 0x10
HAS_INDEX = 0x10


def avi(pictures: Sequence[bytes], size: tuple[int, int], rate: int) -> bytes:
    """A film of JPEG pictures of one (width, height) in pixels, `rate` a second."""
    chunks = [_chunk(b"00dc", picture) for picture in pictures]
    movie = _list(b"movi", b"".join(chunks))
    parts = (_headers(pictures, size, rate), movie, _index(chunks))
    return _chunk(b"RIFF", b"AVI " + b"".join(parts))


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _list(name: bytes, data: bytes) -> bytes:
    return _chunk(b"LIST", name + data)


def _headers(pictures: Sequence[bytes], size: tuple[int, int], rate: int) -> bytes:
    width, height = size
    largest = max(map(len, pictures), default=0)
    main = struct.pack(
        "<14I",
        *(1_000_000 // rate, largest * rate, 0, HAS_INDEX, len(pictures), 0, 1, largest),
        *(width, height, 0, 0, 0, 0),
    )
    stream = struct.pack(
        "<4s4sIHHIIIIIIIIHHHH",
        *(b"vids", b"MJPG", 0, 0, 0, 0, 1, rate, 0, len(pictures), largest, 0xFFFFFFFF, 0),
        *(0, 0, width, height),
    )
    picture = struct.pack(
        "<IiiHH4sIiiII", 40, width, height, 1, 24, b"MJPG", 3 * width * height, 0, 0, 0, 0
    )
    about = _list(b"strl", _chunk(b"strh", stream) + _chunk(b"strf", picture))
    return _list(b"hdrl", _chunk(b"avih", main) + about)


def _index(chunks: Sequence[bytes]) -> bytes:
    """Where each picture lies, counted from the word `movi`."""
    rows, place = [], 4
    for chunk in chunks:
        (length,) = struct.unpack("<I", chunk[4:8])
        rows.append(struct.pack("<4sIII", b"00dc", KEYFRAME, place, length))
        place += len(chunk)
    return _chunk(b"idx1", b"".join(rows))

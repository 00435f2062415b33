"""The real picamera2 and libcamera, with libcamera's virtual camera, which shows JPEG files.

What it takes to run them on a computer without any camera: the kernel's buffers for cameras are
replaced by memory files, and the graphics library that picamera2 imports for a window by nothing.
"""

from __future__ import annotations

import mmap
import os
import shutil
import sys
import types
from pathlib import Path
from queue import SimpleQueue

import cv2
import libcamera
import numpy as np
import pytest

FRAMES = Path("/tmp/frames")
CONFIGURATION = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")
WORDS = """%YAML 1.1
---
"Board":
  supported_formats:
  - {width: 160, height: 90, frame_rates: [30]}
  - {width: 320, height: 180, frame_rates: [30]}
  - {width: 640, height: 360, frame_rates: [30]}
  - {width: 1280, height: 720, frame_rates: [30]}
  frames: {path: "/tmp/frames/"}
  location: "CameraLocationExternal"
  model: "Virtual board"
"""
REPEATS = 4
"""So often libcamera shows each picture before the next; the backend has as many buffers."""
RAW_MODES = [{"format": "NV12", "size": (1280, 720)}]
"""The virtual camera has none, and picamera2 wants one."""


class _AnyName(type):
    def __getattr__(cls, name):
        return name


pykms = types.ModuleType("pykms")
pykms.PixelFormat = _AnyName("PixelFormat", (), {})
sys.modules.setdefault("pykms", pykms)

import picamera2  # noqa: E402 - it imports pykms
from picamera2 import Picamera2  # noqa: E402
from picamera2.allocators.allocator import Allocator  # noqa: E402


class _Unsynchronised:
    """Memory files need no synchronising."""

    def __init__(self, allocator, buffer, write):
        self._memory = allocator.mapped_buffers[buffer]

    def __enter__(self):
        return self._memory

    def __exit__(self, *_):
        pass


class MemoryFiles(Allocator):
    """Buffers for pictures in NV12, the only layout that the virtual camera has."""

    def __init__(self):
        super().__init__()
        self.sync = _Unsynchronised
        self.mapped_buffers, self.frame_buffers, self.files = {}, {}, []

    def allocate(self, libcamera_config, use_case=None):
        self.close()
        for stream in libcamera_config:
            count = range(stream.buffer_count)
            self.frame_buffers[stream.stream] = [self._buffer(stream) for _ in count]

    def _buffer(self, stream):
        file = os.memfd_create("frame")
        os.ftruncate(file, stream.frame_size)
        self.files.append(file)
        bright = stream.stride * stream.size.height
        planes = [_plane(file, 0, bright), _plane(file, bright, stream.frame_size - bright)]
        buffer = libcamera.FrameBuffer(planes)
        self.mapped_buffers[buffer] = mmap.mmap(file, stream.frame_size)
        return buffer

    def buffers(self, stream):
        return self.frame_buffers[stream]

    def close(self):
        for file in self.files:
            os.close(file)
        self.mapped_buffers, self.frame_buffers, self.files = {}, {}, []


def _plane(file, offset, length):
    plane = libcamera.FrameBuffer.Plane()
    plane.fd, plane.offset, plane.length = file, offset, length
    return plane


class Shutter:
    """A libcamera camera that exposes when it is let, not whenever it has a buffer."""

    def __init__(self, camera):
        self._camera, self._buffers = camera, SimpleQueue()

    def __getattr__(self, name):
        return getattr(self._camera, name)

    def queue_request(self, request):
        self._buffers.put(request)

    def cock(self):
        """Wait for all buffers, so that nothing is on its way any more."""
        self._ready = [self._buffers.get(timeout=10) for _ in range(REPEATS)]

    def expose(self):
        """One picture, with its repetitions; only the first can be had."""
        for request in self._ready:
            self._camera.queue_request(request)


class Triggered(Picamera2):
    """Takes the next picture when one is asked for, as a camera with a trigger does.

    The virtual camera is not paced: left alone it gives a thousand pictures a second, and whoever
    looks at each for a while misses the most. Its stamps are the computer's time; here the n-th
    picture is stamped n steps of the film, which is when it was taken.
    """

    step_ms = 33
    stuck = False

    def start_(self):
        self.camera = Shutter(self.camera)
        super().start_()

    def capture_request(self, wait):
        self.camera.cock()
        # Asked for before it is exposed: a picture that nobody waits for is dropped.
        job = super().capture_request(wait=False)
        if not self.stuck:
            self.camera.expose()
        request = self.wait(job, timeout=wait)
        facts = request.get_metadata()
        number, late = divmod(request.request.sequence, REPEATS)
        assert not late
        facts["SensorTimestamp"] = number * self.step_ms * 1_000_000
        request.get_metadata = lambda: facts
        return request


def install(monkeypatch, camera):
    """Have `import picamera2` give that class of camera, over memory files."""
    # The attribute, for picamera2 makes a new one when it closes too.
    monkeypatch.setattr("picamera2.picamera2.DmaAllocator", MemoryFiles)
    monkeypatch.setattr(Picamera2, "_get_raw_modes", lambda self: RAW_MODES)
    monkeypatch.setattr(picamera2, "Picamera2", camera)


def show(pictures):
    """What the next camera that is opened sees, round and round."""
    shutil.rmtree(FRAMES, ignore_errors=True)
    FRAMES.mkdir()
    for number, picture in enumerate(pictures):
        cv2.imwrite(f"{FRAMES}/{number}.jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    CONFIGURATION.parent.mkdir(exist_ok=True)
    CONFIGURATION.write_text(WORDS)
    # libcamera reads them when it looks for cameras, which it does once while anybody uses it.
    Picamera2._cm._cms = None


def main():
    """Whether libcamera shows pictures here at all: without it nothing can be tested."""
    with pytest.MonkeyPatch.context() as patch:
        install(patch, Triggered)
        show([np.full((720, 1280, 3), 100, np.uint8)])
        with picamera2.Picamera2(0) as camera:
            camera.configure(camera.create_video_configuration(buffer_count=REPEATS, queue=False))
            camera.start()
            request = camera.capture_request(wait=20)
            assert abs(request.make_array("main")[:720].mean() - 100) < 30
            request.release()


if __name__ == "__main__":
    main()

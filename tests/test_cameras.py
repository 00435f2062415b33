"""The cameras: stored ones really, live ones against stand-ins that keep the real ones' rules."""

from __future__ import annotations

import socket
import struct
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer

import cv2
import numpy as np
import pytest

from hardware.camera import CameraError
from hardware.cameras import capture, newest, stream
from hardware.cameras.lasting import lasting
from hardware.cameras.video import Video
from hardware.sources import open_camera


def grey(level, size=(48, 64)):
    return np.full((*size, 3), level, np.uint8)


def film(path: Path, rate: float, frames: int, codec: str = "MJPG") -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), rate, (64, 48))
    for number in range(frames):
        writer.write(grey(10 * number % 256))
    writer.release()
    return path


def turned_by_a_quarter(jpeg: bytes) -> bytes:
    """A JPEG whose Exif says that the camera was held upright: orientation 6."""
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, 6, 0)
    tiff = b"MM\0*" + struct.pack(">IH", 8, 1) + entry + struct.pack(">I", 0)
    exif = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


class Tape:
    """A `VideoCapture` that plays stamps; its frames carry their number as brightness."""

    def __init__(self, stamps, rate=10.0, declared=0):
        self.stamps, self.rate, self.place, self.released = stamps, rate, -1, threading.Event()
        self.declared = declared

    def read(self):
        self.place += 1
        ends = self.place >= len(self.stamps)
        return (False, None) if ends else (True, grey(self.place % 256))

    def get(self, name):
        if name == cv2.CAP_PROP_FRAME_COUNT:
            return self.declared
        return self.rate if name == cv2.CAP_PROP_FPS else self.stamps[self.place]

    def release(self):
        self.released.set()


class TestVideo:
    @pytest.mark.parametrize("rate", [3, 10, 25, 60])
    def test_times_come_from_the_file(self, tmp_path, rate):
        camera = open_camera(str(film(tmp_path / "game.avi", rate, 13)))
        times = [frame.time_ms for frame in camera.frames()]
        assert times == [round(1000 * n / rate) for n in range(13)]
        assert camera.length_ms == round(13000 / rate)

    def test_a_recording_that_does_not_say_how_long_it_is_is_no_live_camera(self, tmp_path):
        path = tmp_path / "game.mjpeg"
        pictures = (cv2.imencode(".jpg", np.full((48, 64, 3), n, np.uint8))[1] for n in range(30))
        path.write_bytes(b"".join(picture.tobytes() for picture in pictures))
        camera = open_camera(str(path))
        assert camera.length_ms == 0
        assert lasting(camera) is camera
        assert len(list(camera.frames())) == 30

    def test_frames_come_in_order(self, tmp_path):
        frames = list(open_camera(str(film(tmp_path / "game.avi", 10, 5))).frames())
        assert [round(frame.image.mean() / 10) for frame in frames] == [0, 1, 2, 3, 4]
        assert frames[0].image.shape == (48, 64, 3)

    @pytest.mark.parametrize(
        ("stamps", "expected"),
        [
            pytest.param([0, 100, 200], [0, 100, 200], id="sound"),
            pytest.param([0, 0, 0, 0], [0, 100, 200, 300], id="always-nought"),
            pytest.param([5000, 5040, 5080], [0, 40, 80], id="begins-late"),
            pytest.param([0, 40, -9e15, 120], [0, 40, 140, 240], id="one-lost"),
            pytest.param([0, 400, 440, 1440], [0, 400, 440, 1440], id="uneven"),
        ],
    )
    def test_time_always_advances(self, stamps, expected):
        assert [frame.time_ms for frame in capture.recorded_frames(Tape(stamps))] == expected

    @pytest.mark.parametrize("rate", [0.0, 90000.0, float("nan")])
    def test_an_unbelievable_rate_is_not_believed(self, rate):
        frames = capture.recorded_frames(Tape([0, 0], rate))
        assert [frame.time_ms for frame in frames] == [0, 40]

    def test_the_file_is_released_when_the_reader_leaves(self):
        tape = Tape([0, 100, 200])
        frames = capture.recorded_frames(tape)
        next(frames)
        frames.close()
        assert tape.released.is_set()

    def test_a_video_that_breaks_off_is_read_up_to_there(self, tmp_path):
        path = film(tmp_path / "game.avi", 2, 40)
        data = path.read_bytes()
        index = data.rindex(b"idx1")
        path.write_bytes(data[: index // 2])
        frames = open_camera(str(path)).frames()
        with pytest.raises(CameraError, match="only up to"):
            [next(frames) for _ in range(41)]

    @pytest.mark.parametrize(("name", "said"), [("game.mp4", True), ("game.mkv", False)])
    def test_where_all_frames_are_counted_none_of_the_last_may_be_missing(
        self, tmp_path, monkeypatch, name, said
    ):
        """Forty seconds are declared, and thirty-seven can be read."""
        tape = Tape(list(range(0, 37_000, 1_000)), 1.0, declared=40)
        monkeypatch.setattr(Video, "_open", lambda self: tape)
        frames = Video(tmp_path / name).frames()
        assert len(list(islice(frames, 37))) == 37
        if said:
            with pytest.raises(CameraError, match=r"only up to 36\.0 s of its 40\.0 s"):
                next(frames)
        else:
            assert next(frames, None) is None

    def test_few_frames_a_second_are_no_missing_end(self, tmp_path, monkeypatch):
        tape = Tape(list(range(0, 120_000, 5_000)), 0.2, declared=24)
        monkeypatch.setattr(Video, "_open", lambda self: tape)
        assert len(list(Video(tmp_path / "slow.mp4").frames())) == 24

    @pytest.mark.parametrize("name", ["game-19:15:03.mp4", "data:game.mp4"])
    def test_a_name_may_hold_a_colon(self, name, tmp_path, monkeypatch):
        film(tmp_path / name, rate=10, frames=3, codec="mp4v")
        monkeypatch.chdir(tmp_path)
        assert len(list(open_camera(name).frames())) == 3

    def test_what_is_not_a_video_says_so(self, tmp_path):
        path = tmp_path / "notes.mp4"
        path.write_text("e4 is not a move in this game\n" * 50)
        with pytest.raises(CameraError, match=r"notes\.mp4 is not a video"):
            open_camera(str(path))


class TestFolder:
    def test_numbers_in_names_count_by_value(self, tmp_path):
        for number in (10, 2, 1):
            cv2.imwrite(str(tmp_path / f"frame-{number}.png"), grey(number))
        (tmp_path / "notes.txt").write_text("passed over")
        (tmp_path / "._frame-1.png").write_text("what a system keeps beside it")
        (tmp_path / "older.png").mkdir()
        frames = list(open_camera(str(tmp_path)).frames())
        assert [int(frame.image[0, 0, 0]) for frame in frames] == [1, 2, 10]
        assert [frame.time_ms for frame in frames] == [0, 250, 500]
        assert all(frame.waits for frame in frames)

    def test_an_empty_folder_says_so(self, tmp_path):
        with pytest.raises(CameraError, match="holds no picture"):
            open_camera(str(tmp_path))

    def test_a_spoilt_picture_is_named(self, tmp_path):
        (tmp_path / "one.png").write_text("not a picture")
        with pytest.raises(CameraError, match=r"one\.png"):
            list(open_camera(str(tmp_path)).frames())


class TestSinglePicture:
    def test_it_is_turned_as_the_camera_was_held(self, tmp_path):
        """As one in a folder is: the sizes fit together then."""
        path = tmp_path / "board.jpg"
        _, encoded = cv2.imencode(".jpg", grey(90, (40, 64)))
        path.write_bytes(turned_by_a_quarter(encoded.tobytes()))
        (alone,) = open_camera(str(path)).frames()
        (in_folder,) = open_camera(str(tmp_path)).frames()
        assert alone.image.shape == in_folder.image.shape == (64, 40, 3)

    @pytest.mark.parametrize("content", [b"", b"text"])
    def test_a_spoilt_one_is_named(self, content, tmp_path):
        path = tmp_path / "one.png"
        path.write_bytes(content)
        with pytest.raises(CameraError, match=r"one\.png cannot be read as a picture"):
            list(open_camera(str(path)).frames())


class TestNewest:
    def test_a_slow_reader_skips(self):
        tape, fetched = Tape([0] * 200), threading.Event()
        at_once = tape.read
        tape.read = lambda: at_once() if tape.place < 0 or fetched.wait(timeout=10) else None
        frames = newest.newest_frames(tape, "tape")
        assert int(next(frames).image[0, 0, 0]) == 0
        fetched.set()
        assert tape.released.wait(timeout=10)
        with pytest.raises(CameraError, match="tape has stopped"):
            next(frames)

    def test_the_device_is_released_when_the_reader_leaves(self):
        tape = Tape([0] * 100_000)
        frames = newest.newest_frames(tape, "tape")
        next(frames)
        frames.close()
        assert tape.released.is_set()

    def test_a_silent_device_is_given_up(self, monkeypatch):
        monkeypatch.setattr(newest, "SILENCE_S", 0.05)
        awake = threading.Event()
        tape = Tape([0])
        tape.read = lambda: (awake.wait(timeout=10), None)
        with pytest.raises(CameraError, match="no picture for"):
            next(newest.newest_frames(tape, "tape"))
        awake.set()


class Server(BaseHTTPRequestHandler):
    """Motion JPEG as telephones serve it."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        picture = cv2.imencode(".jpg", grey(77))[1].tobytes()
        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
        try:
            while True:
                self.wfile.write(head.encode() + picture + b"\r\n")
        except OSError:
            pass

    def log_message(self, *_):
        pass


def test_an_address_is_a_camera():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    frames = open_camera(f"http://127.0.0.1:{server.server_port}/video").frames()
    first, second = islice(frames, 2)
    frames.close()
    server.shutdown()
    server.server_close()
    assert abs(int(first.image[0, 0, 0]) - 77) <= 2
    assert first.time_ms == 0 <= second.time_ms


SDP = (
    "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=board\r\nt=0 0\r\n"
    "m=video 0 RTP/AVP 26\r\na=control:track\r\n"
)


class RtspServer(StreamRequestHandler):
    """Describes a camera and hangs up when it is to be set up."""

    def handle(self):
        while request := self._request():
            if request[0].startswith("SETUP"):
                self.server.wishes = [line for line in request if line.startswith("Transport")]
                return
            number = next(line for line in request if line.startswith("CSeq"))
            described = SDP if request[0].startswith("DESCRIBE") else ""
            head = f"RTSP/1.0 200 OK\r\n{number}\r\nContent-Type: application/sdp\r\n"
            answer = f"{head}Content-Length: {len(described)}\r\n\r\n{described}"
            self.wfile.write(answer.encode())

    def _request(self):
        lines = iter(lambda: self.rfile.readline().decode().strip(), "")
        return list(lines)


def test_rtsp_comes_by_tcp(monkeypatch):
    """By UDP, pictures arrive torn wherever the network drops a packet."""
    monkeypatch.delenv("OPENCV_FFMPEG_CAPTURE_OPTIONS", raising=False)
    with ThreadingTCPServer(("127.0.0.1", 0), RtspServer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(CameraError, match="nothing answers"):
            next(open_camera(f"rtsp://127.0.0.1:{server.server_address[1]}/live").frames())
        server.shutdown()
    assert "RTP/AVP/TCP" in server.wishes[0]


def test_a_silent_address_is_given_up(monkeypatch):
    """One that takes the call and never says a word."""
    monkeypatch.setattr(stream, "OPEN_MS", 300)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/video"
        with pytest.raises(CameraError, match="nothing answers"):
            next(open_camera(address).frames())


def test_a_dead_address_says_so():
    with pytest.raises(CameraError, match="nothing answers"):
        next(open_camera("http://127.0.0.1:9/video").frames())


@pytest.mark.parametrize(
    ("source", "said"),
    [
        pytest.param("pi:0", "apt install python3-picamera2", id="no-picamera2"),
        pytest.param("usb:", "usb:0 for the first one", id="no-number"),
        pytest.param("nowhere.mp4", r"there is no nowhere\.mp4; a source is", id="no-file"),
    ],
)
def test_a_source_that_is_not_there_says_what_to_do(source, said, monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match=said):
        open_camera(source)


def test_a_usb_camera_that_is_not_there_says_what_to_do():
    with pytest.raises(CameraError, match="there is no camera at usb:97"):
        next(open_camera("usb:97").frames())


def test_the_door_imports_only_the_backend_asked_for():
    code = (
        "import sys, hardware.sources as door\n"
        "try: door.open_camera('nowhere')\n"
        "except door.CameraError: pass\n"
        "names = 'cv2', 'picamera2', 'hardware.cameras.usb'\n"
        "print([name for name in names if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

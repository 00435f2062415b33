"""The fake camera keeps the rules of a real one, and its faults act when they are caused."""

import numpy as np
import pytest

from hardware.camera import Camera, CameraError
from hardware.cameras.fake import FakeCamera

GREY = np.full((8, 10, 3), 120, np.uint8)
SPOT = GREY.copy()
SPOT[2, 3] = 250


def camera_of(*pictures: np.ndarray) -> FakeCamera:
    return FakeCamera([(100 * i, picture) for i, picture in enumerate(pictures)], 100)


def test_is_a_camera_with_times_and_length():
    camera: Camera = camera_of(GREY, SPOT)
    frames = list(camera.frames())
    assert [frame.time_ms for frame in frames] == [0, 100]
    assert np.array_equal(frames[1].image, SPOT)
    assert camera.length_ms == 100


def test_a_callable_is_asked_anew():
    camera = FakeCamera(lambda: iter([(0, GREY)]))
    assert len(list(camera.frames())) == len(list(camera.frames())) == 1
    assert camera.length_ms is None


def test_cover_and_uncover():
    camera = camera_of(GREY, GREY, GREY)
    frames = camera.frames()
    assert next(frames).image.mean() == 120
    camera.cover()
    assert next(frames).image.max() < 20
    camera.uncover()
    assert next(frames).image.mean() == 120


def test_unplug_is_an_error_until_plugged_in():
    camera = camera_of(GREY, GREY)
    frames = camera.frames()
    next(frames)
    camera.unplug()
    with pytest.raises(CameraError, match="unplugged"):
        next(frames)
    camera.plug_in()
    assert len(list(camera.frames())) == 2


def test_bump_shifts_what_is_seen():
    camera = camera_of(SPOT)
    camera.bump(2, 1)
    image = next(camera.frames()).image
    assert tuple(np.argwhere(image[:, :, 0] == 250)[0]) == (3, 5)


def test_freeze_repeats_the_last_picture():
    camera = camera_of(GREY, SPOT, SPOT)
    frames = camera.frames()
    next(frames)
    camera.freeze()
    assert np.array_equal(next(frames).image, GREY)
    camera.thaw()
    assert np.array_equal(next(frames).image, SPOT)


def test_dim_darkens():
    camera = camera_of(GREY)
    camera.dim(0.5)
    assert next(camera.frames()).image.mean() == 60

"""The eye, from pictures to what is seen on the board."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.model import Lens
from hardware.camera import Frame
from referee.board import EMPTY, START
from referee.events import Event
from referee.eye.eye import Eye
from referee.eye.overlay import draw_reading
from referee.eye.patches import Floats
from referee.eye.picture import Reading, read_picture
from referee.eye.reader import Cells, Reader
from referee.game import Game, Input, begin
from referee.observation import Observation, Visibility
from referee.watching import follow
from tests.boards import draw_board, view_from
from tests.eyes import SIXTY_FOUR, calibrated


@pytest.mark.parametrize("turn", [0, 90, 180])
def test_a_picture_of_the_start_is_read_whole(turn: float) -> None:
    view = view_from(25, turn)
    reading = read_picture(draw_board(view, START))
    assert reading.found
    assert "".join(reading.cells) == SIXTY_FOUR
    assert reading.view is not None
    assert np.abs(reading.view.corners() - view.corners()).max() < 2.0


def test_where_no_king_could_be_seen_it_is_told_and_nothing_is_called_certain() -> None:
    above = read_picture(draw_board(view_from(2), START))
    (told,) = above.problems
    assert told.startswith("on 24 of the 24 squares with pieces a king shows faintly or not at all")
    pieces = [c for c, s in zip(above.confidence, SIXTY_FOUR, strict=True) if s != EMPTY]
    assert max(pieces) == 0.93
    assert max(above.confidence) > 0.99  # bare squares are seen from anywhere
    near = read_picture(draw_board(view_from(45, lens=Lens(1920, 1440, 1600.0)), START))
    assert near.problems == ()
    assert near.corner_sigma is not None
    assert 0 < near.corner_sigma < 0.1


@pytest.mark.parametrize(("confidence", "marked"), [(0.95, False), (0.85, True)])
def test_a_doubtful_square_is_marked_in_yellow_though_it_is_empty(
    confidence: float, marked: bool
) -> None:
    view, plain = view_from(25), np.zeros((720, 960, 3), np.uint8)
    certain_of = [1.0] * 64
    certain_of[8 * 3 + 0] = confidence  # square 13
    reading = Reading(True, view=view, cells=("." * 8,) * 8, confidence=tuple(certain_of))
    blue, green, red = np.moveaxis(draw_reading(plain, reading).astype(int), -1, 0)
    yellow = np.minimum(red, green) - blue > 60  # thin strokes are mixed with what is under them
    assert yellow.any() == marked


def test_a_black_picture_is_refused_with_a_reason() -> None:
    reading = read_picture(np.zeros((480, 640, 3), np.uint8))
    assert not reading.found
    assert reading.reason


def _look(eye: Eye, setup: str, time_ms: int) -> str:
    seen = eye.observe(draw_board(view_from(25), setup, seed=time_ms), time_ms)
    assert seen.visibility is Visibility.CLEAR
    return _sides(seen)


def _sides(seen: Observation) -> str:
    return "".join(".rRwW"[row.index(0)].lower() for row in seen.evidence)


def test_a_camera_without_pictures_is_told_from_a_board_that_is_gone() -> None:
    image, views = draw_board(view_from(25), START), list[Visibility]()

    def feed(game: Game, given: Input) -> tuple[Game, tuple[Event, ...]]:
        assert isinstance(given, Observation)
        views.append(given.visibility)
        return game, ()

    frames = [Frame(image, 0), Frame(image, 100, "lost"), Frame(image, 200, "frozen")]
    list(follow(frames, begin(), calibrated()[1], feed))
    assert views == [Visibility.CLEAR, Visibility.NO_PICTURE, Visibility.FROZEN]


def test_the_eye_follows_a_move() -> None:
    eye, _ = calibrated()
    moved = START[:10] + "." + START[11:14] + "r" + START[15:]
    assert _look(eye, START, 0) == START
    assert _look(eye, moved, 100) == moved


def test_a_square_that_is_emptied_while_a_shadow_falls_on_the_board_is_read_at_once() -> None:
    eye, _ = calibrated()
    assert _look(eye, START, 0) == START
    emptied = START[:20] + "." + START[21:]
    shaded = draw_board(view_from(25), emptied)
    shaded[:, : int(0.6 * shaded.shape[1])] //= 2
    assert eye.observe(shaded, 100).evidence[20][0] == 0


@pytest.mark.parametrize("factor", [0.85, 1.15], ids=["darker", "brighter"])
def test_another_picture_in_another_light_is_read_whole_at_once(factor: float) -> None:
    eye, calibration = calibrated()
    _look(eye, START, 0)
    other = "." * 9 + "rwRW..rwr..wRr.W" + "." * 7
    lit = np.clip(draw_board(view_from(25), other, seed=4) * factor, 0, 255).astype(np.uint8)
    assert eye.observe(lit, 100).evidence == Eye(calibration).observe(lit, 100).evidence


def test_a_move_is_seen_at_once_while_the_exposure_drifts() -> None:
    eye, _ = calibrated()
    moved = START[:10] + "." + START[11:14] + "r" + START[15:]
    for step, setup in enumerate([START] * 19 + [moved]):
        picture = draw_board(view_from(25), setup, seed=step) * (1 - 0.012 * step)
        seen = eye.observe(picture.astype(np.uint8), 60 * step)
    assert _sides(seen) == moved


def test_a_covered_camera_is_not_watching() -> None:
    eye, _ = calibrated()
    grey = np.full((720, 960, 3), 90, np.uint8)
    assert eye.observe(grey, 0).visibility is Visibility.COVERED
    assert eye.observe(grey // 20, 100).visibility is Visibility.DARK


def test_a_camera_out_of_focus_is_not_watching_until_it_is_sharp_again() -> None:
    eye, _ = calibrated()
    sharp = draw_board(view_from(25), START)
    soft = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 6), np.uint8)
    states = [
        eye.observe(image, 100 * i).visibility for i, image in enumerate((sharp, soft, sharp))
    ]
    assert states == [Visibility.CLEAR, Visibility.BLURRED, Visibility.CLEAR]


def _hang(eye: Eye, lively: int) -> list[Visibility]:
    """What an eye says of a camera that hangs after so many frames, for a second."""
    frames = [draw_board(view_from(25), START, seed=i) for i in range(3)]
    shown = [frames[i % 3] for i in range(lively)] + [frames[lively % 3]] * 11
    return [eye.observe(image, 100 * i).visibility for i, image in enumerate(shown)][lively:]


def test_a_camera_that_hangs_is_not_watching_within_a_second() -> None:
    eye, _ = calibrated()
    states = _hang(eye, lively=24)
    assert states[0] is Visibility.CLEAR
    assert states[-1] is Visibility.FROZEN
    assert (
        eye.observe(draw_board(view_from(25), START, seed=9), 9_000).visibility is Visibility.CLEAR
    )


def test_one_that_repeats_its_pictures_whenever_nothing_moves_does_not_hang_again() -> None:
    eye, _ = calibrated()
    frames = [draw_board(view_from(25), START, seed=i) for i in range(3)]
    states = []
    for rest in range(3):
        shown = [frames[(i + 1) % 3] for i in range(24)] + [frames[0]] * 11
        times = range(10_000 * rest, 10_000 * rest + 100 * len(shown), 100)
        states.append({eye.observe(s, ms).visibility for s, ms in zip(shown, times, strict=True)})
    told = {Visibility.CLEAR, Visibility.FROZEN}
    assert states == [told, {Visibility.CLEAR}, {Visibility.CLEAR}]


def test_a_camera_that_says_that_nothing_is_new_does_not_hang() -> None:
    eye, _ = calibrated()
    frames = [draw_board(view_from(25), START, seed=i) for i in range(3)]
    for i in range(24):
        eye.observe(frames[i % 3], 100 * i)
    states = [eye.observe(frames[2], 2400 + 100 * i, still=True).visibility for i in range(9)]
    assert set(states) == {Visibility.CLEAR}


def test_a_recording_that_repeats_its_frames_is_not_taken_for_a_camera_that_hangs() -> None:
    eye, _ = calibrated()
    assert Visibility.FROZEN not in _hang(eye, lively=2)


def test_a_bump_is_measured_and_healed() -> None:
    eye, calibration = calibrated()
    pushed = np.roll(draw_board(view_from(25), START), 9, axis=1)
    assert eye.observe(pushed, 0).shift > 50
    assert eye.observe(pushed, 100).shift == 0
    assert np.abs(eye.view.corners() - calibration.view.corners() - [9, 0]).max() < 1.0


def test_a_tremble_is_followed_without_reading_the_board_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    eye, _ = calibrated()
    image = draw_board(view_from(25), START)
    eye.observe(image, 0)
    read, counts = Reader.read, list[int]()

    def counted(reader: Reader, seen: Floats) -> Cells:
        counts.append(len(seen))
        return read(reader, seen)

    monkeypatch.setattr(Reader, "read", counted)
    assert eye.observe(np.roll(image, 1, axis=1), 100).shift > 0
    assert sum(counts) < 32

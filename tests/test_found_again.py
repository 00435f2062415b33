"""A board that is pushed far, or turned, while the eye looks on."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.arrays import Image
from calibration.locate import Refusal
from calibration.model import View
from calibration.saved import Calibration
from hardware.camera import Frame
from referee import watching
from referee.board import START, Side
from referee.events import Event, NotWatching
from referee.eye.eye import Eye
from referee.eye.first_sight import calibrate
from referee.eye.found_again import is_set_up_about, is_turned_about
from referee.game import Game, begin
from referee.journal.keeper import Keeper
from referee.journal.pictures import Ring
from referee.journal.shelf import Shelf
from referee.observation import HIDDEN, Observation, Visibility, certain
from referee.rules import Position
from referee.watching import Step, follow
from tests.boards import draw_board, view_from

OTHER_SQUARES = {"dark": (30, 30, 30), "light": (40, 40, 160)}
"""Of another board, on which the colours that were learnt do not hold."""
MIDGAME = "rrr.r.rr..r...w..rw....www.w.w.."
WITHIN_MS = 1_000


def calibration_from(view: View) -> Calibration:
    calibration = calibrate(draw_board(view, START), START)
    assert isinstance(calibration, Calibration)
    return calibration


def calibrated(view: View) -> Eye:
    return Eye(calibration_from(view))


def watch(eye: Eye, view: View, setup: str, first_ms: int) -> list[Observation]:
    """What the eye says for a second in which a board rests there, with noise of its own in each
    picture."""
    shots = [draw_board(view, setup, seed=seed) for seed in range(3)]
    times = range(first_ms, first_ms + WITHIN_MS, 100)
    return [eye.observe(shots[n % 3], time_ms) for n, time_ms in enumerate(times)]


def off_px(eye: Eye, truth: View) -> float:
    return float(np.linalg.norm(eye.view.corners() - truth.corners(), axis=1).max())


PUSHED = {
    "turned a little": view_from(tilt=25, turn=12),
    "turned far": view_from(tilt=25, turn=70),
    "turned about": view_from(tilt=25, turn=170),
    "a row aside": view_from(tilt=25).slid(1, 0),
    "a square aside and down, where all inner edges fit": view_from(tilt=25).slid(1, 1),
    "two rows down": view_from(tilt=25).slid(0, -2),
}


@pytest.mark.parametrize("setup", [START, MIDGAME])
@pytest.mark.parametrize("now", PUSHED.values(), ids=PUSHED)
def test_a_board_that_was_pushed_far_is_found_again_within_a_second(now: View, setup: str) -> None:
    eye = calibrated(view_from(tilt=25))
    watch(eye, view_from(tilt=25), setup, 0)
    watch(eye, now, setup, 1_000)
    assert off_px(eye, now) < 1.0
    seen = eye.observe(draw_board(now, setup, seed=7), 2_100)
    assert "".join(".rRwW"[row.index(0)].lower() for row in seen.evidence) == setup


def says_nothing(seen: Observation) -> bool:
    return len(seen.hidden) == 32


def test_until_it_is_found_nothing_is_said_of_it() -> None:
    eye = calibrated(view_from(tilt=25))
    watch(eye, view_from(tilt=25), START, 0)
    seen = watch(eye, view_from(tilt=25, turn=70), START, 1_000)
    found = next(number for number, one in enumerate(seen) if not says_nothing(one))
    assert found > 0
    assert seen[found].shift > 1_000
    assert not any(map(says_nothing, seen[found:]))


def test_another_board_is_not_taken_for_the_one_that_is_gone() -> None:
    eye = calibrated(view_from(tilt=25))
    watch(eye, view_from(tilt=25), START, 0)
    for second in (1, 2):
        seen = watch(eye, view_from(tilt=25, turn=70), MIDGAME, 1_000 * second)
        assert all(map(says_nothing, seen))
    assert seen[-1].visibility is not Visibility.CLEAR


def test_a_board_carried_away_and_set_up_for_the_next_game_is_found() -> None:
    eye, now = calibrated(view_from(tilt=25)), view_from(tilt=25, turn=70)
    watch(eye, view_from(tilt=25), MIDGAME, 0)
    watch(eye, now, START, 1_000)
    assert off_px(eye, now) < 1.0


def test_a_board_turned_about_where_it_lies_is_told_from_moves() -> None:
    before = certain(MIDGAME)
    assert is_turned_about(before, before[::-1])
    assert not is_turned_about(before, before)
    assert not is_turned_about(before, certain(MIDGAME.replace("r", "w", 1)))
    assert not is_turned_about(before, certain("?" * 20 + MIDGAME[:12]))
    few = "?" * 4 + "." * 12 + "r" + "." * 13 + "ww"
    arm = few[:20].replace("?", ".") + "?" * 12
    assert not is_turned_about(certain(few), certain(arm))  # 16 squares tell of it, turned 20


def test_a_starting_position_the_other_way_round_is_told_from_all_others() -> None:
    about = certain(START[::-1])
    assert is_set_up_about(about)
    assert not is_set_up_about(certain(START))
    assert not is_set_up_about((HIDDEN, *about[1:]))
    assert not is_set_up_about(certain("." + START[-2::-1]))


def test_players_may_change_colours_and_keep_their_places() -> None:
    view = view_from(tilt=25)
    eye = calibrated(view)
    watch(eye, view, MIDGAME, 0)
    seen = watch(eye, view, START[::-1], 1_000)[-1]
    assert "".join(".rRwW"[row.index(0)].lower() for row in seen.evidence) == START
    assert off_px(eye, view.turned(2)) < 1.0


def followed(
    known: Calibration, shots: list[Image], game: Game | None = None
) -> tuple[list[Step], list[Event]]:
    """What a second gives that begins with a kept calibration and shows these pictures in turn."""
    frames = [Frame(shots[time_ms // 100 % 3], time_ms) for time_ms in range(0, 1_000, 100)]
    steps = list(follow(frames, game or begin(), known))
    return steps, [event for step in steps for event in step.events]


@pytest.mark.parametrize("now", PUSHED.values(), ids=PUSHED)
def test_where_a_kept_calibration_does_not_fit_the_board_is_found(now: View) -> None:
    known = calibration_from(view_from(tilt=25))
    steps, events = followed(known, [draw_board(now, START, seed=seed) for seed in range(3)])
    found = steps[-1].calibration
    assert found
    assert np.abs(found.view.corners() - now.corners()).max() < 1.0
    assert found.palette is known.palette
    assert "moved" in [event.name for event in events]


def test_a_game_that_goes_on_is_found_by_its_position() -> None:
    now = view_from(tilt=25, turn=70)
    known = calibration_from(view_from(tilt=25))
    game = begin(Position(MIDGAME, Side.RED))
    steps, _ = followed(known, [draw_board(now, MIDGAME, seed=seed) for seed in range(3)], game)
    found = steps[-1].calibration
    assert found
    assert np.abs(found.view.corners() - now.corners()).max() < 1.0


@pytest.mark.parametrize("turn", [0.0, 12.0])
def test_another_board_than_that_of_the_calibration_is_learnt_anew(turn: float) -> None:
    now = view_from(tilt=25, turn=turn)
    known = calibration_from(view_from(tilt=25))
    shots = [draw_board(now, START, seed=seed, **OTHER_SQUARES) for seed in range(3)]
    steps, events = followed(known, shots)
    found = steps[-1].calibration
    assert found
    assert found.palette != known.palette
    rows = Eye(found).observe(shots[0], 0).evidence
    assert "".join(".rRwW"[row.index(0)].lower() for row in rows) == START
    assert ("moved" in [event.name for event in events]) is (turn > 0)


@pytest.mark.parametrize("scale", [0.667, 1.5])
def test_a_camera_that_gives_pictures_of_another_size_is_followed(scale: float) -> None:
    known = calibration_from(view_from(tilt=25))
    shots = [draw_board(view_from(tilt=25), START, seed=seed) for seed in range(3)]
    others = [np.asarray(cv2.resize(shot, None, fx=scale, fy=scale), np.uint8) for shot in shots]
    frames = [Frame((shots if n < 2 else others)[n % 3], 100 * n) for n in range(15)]
    steps = list(follow(frames, begin(), known))
    assert [event.name for step in steps for event in step.events] == ["ready"]
    found = steps[-1].calibration
    assert found
    assert np.abs(found.view.corners() - view_from(tilt=25).corners()).max() < 1.5


def test_of_one_that_gives_pictures_of_another_shape_that_is_said() -> None:
    known = calibration_from(view_from(tilt=25))
    shots = [draw_board(view_from(tilt=25), START, seed=seed) for seed in range(3)]
    frames = [Frame(shots[n % 3] if n < 10 else shots[n % 3][:, 40:], 100 * n) for n in range(30)]
    events = [event for step in follow(frames, begin(), known) for event in step.events]
    assert [e.reason for e in events if isinstance(e, NotWatching)] == ["reshaped"]


@pytest.mark.parametrize(
    ("width", "height", "kept"), [(960, 720, 1), (480, 360, 1), (1440, 1080, 1), (960, 540, 0)]
)
def test_pictures_for_people_are_kept_in_the_size_of_the_calibration(
    width: int, height: int, kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shapes: list[tuple[int, ...]] = []
    monkeypatch.setattr(Ring, "see", lambda _, image, *__: shapes.append(image.shape))
    keeper, game = Keeper(Shelf(tmp_path), "a camera", days=1), begin()
    game, _ = keeper.feed(game, Observation(0, certain(START)))
    frame = Frame(np.zeros((height, width, 3), np.uint8), 0)
    list(keeper.passing([frame]))
    known = calibration_from(view_from(tilt=25))
    keeper.look(0, known, game, ())
    assert shapes == [(720, 960, 3)] * kept


def test_who_waits_for_a_live_camera_hears_why_no_board_is_found() -> None:
    told: list[Event] = []
    frames = (Frame(np.full((480, 640, 3), 90, np.uint8), 500 * n) for n in range(10))
    found = watching.first_calibration(frames, START, tell=told.append)
    assert isinstance(found, Refusal)
    assert [event.reason for event in told if isinstance(event, NotWatching)] == [found.reason]


def test_a_calibration_that_fits_is_kept_whatever_happens_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known, view = calibration_from(view_from(tilt=25)), view_from(tilt=25)
    monkeypatch.setattr(watching, "find_again", lambda *_: pytest.fail("searched"))
    shots = [draw_board(view, setup, seed=1) for setup in (START, MIDGAME, MIDGAME)]
    steps, _ = followed(known, shots)
    assert all(step.calibration and step.calibration.palette is known.palette for step in steps)

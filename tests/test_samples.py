"""The sample pictures: truth against pixels, scripts against the rules, seeds against chance."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.model import Lens
from referee.board import SQUARES, START, Side, at, cell_of, side_of
from referee.events import Irregularity
from referee.notation import Game, fen, parse_pdn
from referee.rules import lawful_moves
from sample_images import truth
from sample_images.draw import still
from sample_images.invent import invented_script
from sample_images.make import main
from sample_images.play import SCRIPTS, Film, names, open_script, prepare
from sample_images.rays import rays_of
from sample_images.scene import Disc, Scene, eye_of, laid_out, looking
from sample_images.script import HEADERS, VERBS, ScriptError, load, parse
from sample_images.stage import DEEDS
from sample_images.variety import CONTENTS, FAMILIES, LIGHTS, random_scene

SAMPLES = Path(truth.__file__).parent
SMALL = Lens(320, 240, 300.0)
HEAD = "size 320 240\ntable plain\nseed 3\nmeasures 0.31 0.15\n"


def small_scene(seed: int = 1, **wishes: str) -> Scene:
    """A random scene through a small, sharp camera, without hands."""
    scene = random_scene(seed, **wishes)
    view = looking(SMALL, 30, 5, 13)
    return replace(scene, view=view, hands=(), things=())


# --- geometry ------------------------------------------------------------------------------


@pytest.mark.parametrize("k1", [-0.2, 0.0, 0.05])
def test_rays_meet_the_plane_where_the_view_says(k1):
    view = looking(Lens(320, 240, 260.0, k1), 40, 200, 16, 3.0)
    points = rays_of(view).ground[40:200:40, 40:280:40].reshape(-1, 2).astype(float)
    rows, columns = np.meshgrid(range(40, 200, 40), range(40, 280, 40), indexing="ij")
    expected = np.column_stack([columns.ravel(), rows.ravel()])
    assert np.abs(view.project(points) - expected).max() < 1e-3


def test_azimuth_0_stands_on_whites_side():
    view = looking(SMALL, 35, 0, 15)
    upper_left, upper_right, lower_right, lower_left = view.corners()
    assert upper_left[1] < lower_left[1]
    assert upper_left[0] < upper_right[0] < lower_right[0]
    assert eye_of(view)[1] > 8
    assert view.tilt_degrees() == pytest.approx(35)


def test_a_ray_at_a_height_is_seen_where_a_point_at_that_height_is():
    view = looking(SMALL, 45, 10, 14)
    x, y = rays_of(view).at(0.5)[120, 100]
    assert np.allclose(view.project(np.array([[x, y, 0.5]])), [[100, 120]], atol=1e-3)


# --- scenes --------------------------------------------------------------------------------


def test_a_seed_gives_the_same_scene_and_picture_twice():
    assert random_scene(5) == random_scene(5)
    assert random_scene(5) != random_scene(6)
    scene = small_scene(5)
    assert np.array_equal(still(scene), still(scene))
    assert not np.array_equal(still(scene, 1), still(scene, 2))


@pytest.mark.parametrize("family", FAMILIES)
def test_measures_are_those_of_the_family(family):
    kind = FAMILIES[family]
    disc = random_scene(7, family, "start").discs[0]
    assert kind.radius[0] <= disc.radius <= kind.radius[1]
    assert kind.thickness[0] <= disc.thickness <= kind.thickness[1]


def test_random_scenes_show_the_whole_board():
    for seed in range(40):
        scene = random_scene(seed)
        corners = scene.view.corners()
        size = [scene.view.lens.width, scene.view.lens.height]
        assert (corners > 0).all(), seed
        assert (corners < size).all(), seed


def test_every_wish_is_met():
    assert all(random_scene(1, light=light).light == light for light in LIGHTS)
    counts = [len(random_scene(2, contents=contents).discs) for contents in CONTENTS]
    assert counts[0] == 0
    assert counts[1] == 24


# --- truth ---------------------------------------------------------------------------------


def test_cells_tell_men_kings_and_strays():
    rng = np.random.default_rng(1)
    setup = "R" + "." * 10 + "r" + "." * 15 + "W" + "." * 4
    stray = Disc(0.5, 0.5, Side.WHITE)
    cells = truth.cells_of((*laid_out(setup, (0.3, 0.13), rng), stray))
    assert cells == ("wR......", "........", ".......r", "........",
                     "........", "........", ".......W", "........")  # fmt: skip


def test_setup_of_a_frame_reads_the_cells_by_number():
    scene = small_scene(contents="start")
    assert truth.frame_truth(scene).setup == START


def test_a_truth_file_reads_as_it_was_written(tmp_path):
    play = prepare(parse(HEAD + "11-15"))
    recording = truth.Recording(
        "a.mp4",
        tuple(truth.frame_truth(play.scene_at(t), t) for t in play.times_ms[::6]),
        0.31,
        0.15,
        kept_aside=True,
        events=play.timeline.events,
    )
    truth.write(tmp_path / "truth.json", [recording, recording])
    assert truth.read(tmp_path / "truth.json") == (recording, recording)


def test_a_foreign_file_is_refused(tmp_path):
    (tmp_path / "x.json").write_text('{"format": "other", "version": 1}')
    with pytest.raises(ValueError, match="draughts-truth"):
        truth.read(tmp_path / "x.json")


def top_colours(scene: Scene, image: np.ndarray) -> list[tuple[int, str, np.ndarray]]:
    """(square, appearance, mean colour at the middle of the top), hidden squares left out."""
    frame = truth.frame_truth(scene)
    found = []
    for square in set(SQUARES) - set(frame.hidden):
        row, column = cell_of(square)
        appearance = at(frame.setup, square)
        here = [d for d in scene.discs if (int(d.y), int(d.x)) == (row, column)]
        spot = (here[-1].x, here[-1].y, here[-1].top) if here else (column + 0.5, row + 0.5, 0.0)
        x, y = scene.view.project(np.array([spot]))[0].round().astype(int)
        found.append((square, appearance, image[y - 1 : y + 2, x - 1 : x + 2].mean(axis=(0, 1))))
    return found


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_truth_agrees_with_the_pixels(seed):
    scene = small_scene(seed, family="official", contents="middle", light="daylight")
    for square, appearance, (blue, green, red) in top_colours(scene, still(scene)):
        side = side_of(appearance)
        if side is Side.RED:
            assert red > 1.5 * max(green, blue), square
        elif side is Side.WHITE:
            assert min(red, green) > 0.7 * max(red, green, blue), square
        else:
            assert green > red, square


@pytest.mark.parametrize("off", [-0.05, 0.05])
def test_an_upper_disc_lies_on_the_lower_one_wherever_it_slid(off):
    lower = Disc(4.5, 3.5, Side.RED, 0.31, 0.15)
    upper = Disc(4.5, 3.5 + off, Side.WHITE, 0.31, 0.15, z=0.15)
    scene = replace(small_scene(family="official", light="daylight"), discs=(upper, lower))
    x, y = scene.view.project(np.array([[upper.x, upper.y, upper.top]]))[0].round().astype(int)
    blue, _, red = still(scene)[y, x].astype(float)
    assert red < 1.5 * blue


def test_an_arm_hides_what_lies_behind_it():
    play = prepare(parse(HEAD + "11-15"))
    times = [t for t in play.times_ms if play.scene_at(t).hands]
    hidden = {s for t in times for s in truth.frame_truth(play.scene_at(t)).hidden}
    assert {3, 7} & hidden  # Red reaches over his own back rows
    assert not {29, 30, 31, 32} & hidden
    assert truth.frame_truth(play.scene_at(0)).hidden == ()


# --- scripts -------------------------------------------------------------------------------


def test_every_verb_has_a_deed():
    assert set(VERBS) == set(DEEDS)
    assert not set(VERBS) & set(HEADERS)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("wait 1\njump 11-15", "line 2: nobody knows what 'jump' means", id="verb"),
        pytest.param("11-15 slowly", "a move needs 1", id="words"),
        pytest.param("11", "'11' is not a move", id="move"),
        pytest.param("11-33", "'33' is not a square", id="square"),
        pytest.param("wait long", "'long' is not a number", id="number"),
        pytest.param("remove green 3", "'green' is not a side", id="side"),
        pytest.param("set marble\n11-15", "'marble' is not one of official", id="set"),
        pytest.param("11-15\nseed 3", "must stand before the first deed", id="late header"),
        pytest.param("seed 1\nseed 2\n11-15", "stands there twice", id="twice"),
        pytest.param("start W:nonsense\n11-15", "line 1", id="fen"),
        pytest.param("# nothing", "nothing happens", id="empty"),
    ],
)
def test_a_bad_script_is_refused_with_its_line(text, complaint):
    with pytest.raises(ScriptError, match=r"line|nothing") as error:
        parse(text)
    assert complaint in str(error.value)


def test_all_problems_are_reported_at_once():
    with pytest.raises(ScriptError) as error:
        parse("jump 1\n11-99\nwait")
    assert len(error.value.problems) == 3


@pytest.mark.parametrize(
    ("deeds", "complaint"),
    [
        pytest.param("11-18", "line 5", id="unlawful move"),
        pytest.param("refuse 11-15", "no capture is open", id="nothing to refuse"),
        pytest.param("refuse 11-15\nrestore", "line 5", id="first line"),
        pytest.param("backward 11-15", "no offence of that kind", id="forward"),
        pytest.param("restore", "nothing to put right", id="nothing wrong"),
        pytest.param("out-of-turn 23-18\n11-15", "has not been put right", id="not restored"),
        pytest.param("crown 3", "no man waits", id="no crown due"),
        pytest.param("remove red 14", "no piece on 14", id="empty square"),
        pytest.param("nudge red 11 0.9 0", "off its square", id="too hard a nudge"),
        pytest.param("uncrowned 11-15 23-18", "crowns nothing", id="no arrival"),
    ],
)
def test_a_script_against_the_rules_names_its_line(deeds, complaint):
    with pytest.raises(ScriptError, match="line ") as error:
        prepare(parse(HEAD + deeds))
    assert complaint in str(error.value)


def test_the_scripts_show_every_kind_of_irregularity():
    kinds = set()
    for name in names():
        events = prepare(load(SCRIPTS / f"{name}.script")).timeline.events
        kinds |= {event.kind for event in events if event.name == "irregular"}
        assert [e.time_ms for e in events] == sorted(e.time_ms for e in events)
    assert kinds == {kind.value for kind in Irregularity}


def test_restoring_puts_every_disc_back():
    play = prepare(parse(HEAD + "11-15\n24-19\nupset 11 4\nwait 1\nrestore"))
    events = {e.name: e.time_ms for e in play.timeline.events}
    before = truth.cells_of(play.scene_at(events["played"]).discs)
    upset = truth.cells_of(play.scene_at(events["irregular"]).discs)
    after = truth.cells_of(play.scene_at(events["restored"]).discs)
    assert before == after != upset


def test_a_capture_takes_the_jumped_men_off_the_board():
    play = prepare(parse(HEAD + "11-15\n22-18\n15x22"))
    end = play.scene_at(play.timeline.length_ms)
    assert len(end.discs) == 23
    assert [disc.side for disc in end.captured] == [Side.WHITE]


def test_two_quick_plies_follow_within_a_second():
    play = prepare(parse(HEAD + "both 11-15 24-20"))
    landed = [time for rests in play.timeline.rests for time, disc in rests if disc and time > 0]
    assert len(landed) == 2
    assert landed[1] - landed[0] < 1050 or landed[0] - landed[1] < 1050


def test_invented_games_are_lawful_and_repeat():
    assert invented_script(4, plies=12) == invented_script(4, plies=12)
    timeline = prepare(parse(invented_script(4, plies=12))).timeline
    positions = Game(moves=timeline.moves).positions()
    pairs = zip(positions, timeline.moves, strict=False)
    assert all(move in lawful_moves(position) for position, move in pairs)


# --- films ---------------------------------------------------------------------------------


def test_still_frames_differ_by_noise_only_and_repeat_with_the_seed():
    play = prepare(parse(HEAD + "wait 1\n11-15"))
    film, again = Film(1), Film(1)
    first, second = (film.take(play.scene_at(t)) for t in (0, 100))
    assert not np.array_equal(first, second)
    assert np.abs(first.astype(float) - second).mean() < 6
    assert abs(first.mean() - second.mean()) < 0.3
    assert np.array_equal(first, again.take(play.scene_at(0)))


def test_a_film_drawn_in_parts_shows_the_same_as_one_drawn_whole():
    play = prepare(parse(HEAD + "electrons 1000000000\n11-15"))
    film = Film(1)
    for time_ms in play.times_ms:
        picture = film.take(play.scene_at(time_ms))
    fresh = Film(1)
    fresh.take(play.scene_at(0))
    fresh._of = None
    whole = fresh.take(play.scene_at(play.times_ms[-1]))
    assert np.abs(cv2.blur(picture, (3, 3)).astype(float) - cv2.blur(whole, (3, 3))).max() < 12


def test_a_covered_lens_sees_nothing():
    play = prepare(parse(HEAD + "cover 1\n11-15"))
    assert play.sight_at(500) == "covered"
    image = Film(1).take(play.scene_at(500), "covered")
    assert image.max() < 70


def test_a_script_opens_as_pictures_with_times(tmp_path):
    (tmp_path / "short.script").write_text(HEAD + "wait 0.2")
    stream, length_ms = open_script(str(tmp_path / "short.script"))
    taken = list(stream)
    assert [time for time, _ in taken] == [0, 100, 200]
    assert taken[0][1].shape == (240, 320, 3)
    assert length_ms == 200


# --- what is shipped -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo() -> truth.Recording:
    return truth.read(SAMPLES / "demo.truth.json")[0]


def test_the_demo_truth_is_what_its_script_gives(demo):
    timeline = prepare(load(SCRIPTS / "demo.script")).timeline
    assert demo.events == timeline.events


def test_the_demo_record_holds_the_moves_played(demo):
    record = parse_pdn((SAMPLES / "demo.pdn").read_text())[0]
    assert record.failure is None
    played = [event.fen for event in demo.events if event.name == "played"]
    assert len(played) >= 30
    assert [fen(position) for position in record.game.positions()[1:]] == played


def test_the_demo_has_its_five_offences_put_right(demo):
    kinds = [event.kind for event in demo.events if event.name == "irregular"]
    assert kinds == ["capture_missed", "wrong_turn", "illegal_step",
                     "capture_unfinished", "crown_missing"]  # fmt: skip
    names_in_order = [event.name for event in demo.events]
    assert names_in_order.count("restored") == 5
    assert names_in_order.count("crowned") == 2


def test_the_demo_video_is_there_and_shows_its_truth(demo):
    capture = cv2.VideoCapture(str(SAMPLES / "demo.mp4"))
    assert int(capture.get(cv2.CAP_PROP_FRAME_COUNT)) == len(demo.frames)
    done, image = capture.read()
    capture.release()
    assert done
    frame = demo.frames[0]
    assert image.shape[:2] == (frame.view.lens.height, frame.view.lens.width)
    for x, y, z, side in frame.discs:
        spot = frame.view.project(np.array([[x, y, z + demo.thickness]]))[0].round().astype(int)
        blue, _, red = image[spot[1], spot[0]].astype(float)
        assert (red > 1.7 * blue) == (side is Side.RED)


def test_the_demo_begins_with_two_quiet_seconds(demo):
    quiet = [frame for frame in demo.frames if frame.time_ms < 2000]
    assert len(quiet) > 10
    assert all(frame.setup == START and not frame.hands for frame in quiet)
    assert all(first.time_ms < second.time_ms for first, second in pairwise(demo.frames))


def test_standard_stills_match_their_truth():
    recordings = truth.read(SAMPLES / "standard" / "truth.json")
    assert any(recording.kept_aside for recording in recordings)
    assert len(recordings) >= 20
    for recording in recordings:
        lens = recording.frames[0].view.lens
        size = cv2.imread(str(SAMPLES / "standard" / recording.file)).shape[:2]
        assert size == (lens.height, lens.width), recording.file


# --- the command line ----------------------------------------------------------------------


def test_a_run_goes_on_where_it_stopped(tmp_path):
    wish = ["drawn", "--count", "1", "--seed", "7", "--out", str(tmp_path)]
    assert main(wish) == 0
    (picture,) = (tmp_path / "drawn").glob("*.jpg")
    (recording,) = truth.read(tmp_path / "drawn" / "truth.json")
    assert recording.file == picture.name
    made = picture.stat().st_mtime_ns
    assert main(wish) == 0
    assert picture.stat().st_mtime_ns == made


def test_an_unknown_set_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["marble"])
    assert "standard" in capsys.readouterr().err

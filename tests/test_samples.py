"""The sample pictures: truth against pixels, scripts against the rules, seeds against chance."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

import sample_images
from calibration.model import Lens
from referee.board import SQUARES, START, Side, at, cell_of, side_of
from referee.events import Irregularity
from referee.notation import Game, fen, parse_fen, parse_pdn
from referee.rules import Position, lawful_moves
from sample_images import likeness, make, truth
from sample_images.arms import arm_mask
from sample_images.draw import clipped, still
from sample_images.invent import (
    INCIDENTS,
    RATES,
    RESTORED,
    SIZES,
    Manner,
    invented_anywhere,
    invented_game,
    invented_incident,
    varied,
)
from sample_images.make import main
from sample_images.play import SCRIPTS, names, open_script, pictures, prepare, truths
from sample_images.play import Film as Footage
from sample_images.rays import rays_of
from sample_images.scene import (
    CROWN_SLIPS,
    Board,
    Disc,
    DiscLook,
    Scene,
    eye_of,
    laid_out,
    looking,
    reaching,
)
from sample_images.script import HEADERS, VERBS, ScriptError, load, parse
from sample_images.sensor import flickered
from sample_images.sets import (
    GAME_FILMS,
    INCIDENT_FILMS,
    MEDLEYS,
    SINGLE,
    STILLS,
    Film,
    Set,
    Still,
    Traced,
    sets,
)
from sample_images.stage import DEEDS, LEAN_MS
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


def test_crowns_lie_as_far_off_as_they_are_put_on_and_none_slips():
    def off(askew):
        discs = laid_out("R" * 32, (0.35, 0.15), np.random.default_rng(5), askew=askew)
        kings = zip(discs[::2], discs[1::2], strict=True)
        return np.array([(up.x - low.x, up.y - low.y) for low, up in kings])

    assert off(0.035).std() == pytest.approx(0.035, rel=0.3)
    assert off(0.1).std() == pytest.approx(0.1, rel=0.3)
    assert np.abs(off(0.1)).max() == pytest.approx(CROWN_SLIPS)


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


@pytest.mark.parametrize("name", names())
def test_an_offence_is_of_whose_hand_is_drawn(name):
    timeline = prepare(load(SCRIPTS / f"{name}.script")).timeline
    hands = {visit.keys[-1].time_ms: visit.side for visit in timeline.visits}
    offences = [event for event in timeline.events if event.name == "irregular" and event.side]
    assert [event.side for event in offences] == [hands[event.time_ms] for event in offences]


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
    assert abs(landed[1] - landed[0]) < 1050


def test_a_dragged_man_stays_on_the_board_all_the_way():
    play = prepare(parse(HEAD + "drag 11-15"))
    held = [d for t in play.times_ms for hand in play.scene_at(t).hands for d in hand.held]
    assert len(held) > 2
    assert all(disc.z == pytest.approx(0, abs=0.01) for disc in held)


def test_two_men_are_in_the_hand_at_once_and_go_back_to_their_squares():
    play = prepare(parse(HEAD + "11-15\nadjust-two white 22 23\nwait 1"))
    most = max(sum(len(h.held) for h in play.scene_at(t).hands) for t in play.times_ms)
    assert most == 2
    start, end = (play.scene_at(t).discs for t in (play.times_ms[25], play.timeline.length_ms))
    assert truth.cells_of(start) == truth.cells_of(end)


def test_a_lingering_hand_stays_on_its_piece():
    play = prepare(parse(HEAD + "linger 11-15 3"))
    over = [t for t in play.times_ms for hand in play.scene_at(t).hands
            if np.hypot(hand.tip[0] - 4.5, hand.tip[1] - 3.5) < 0.3]  # fmt: skip
    assert over[-1] - over[0] > 2500
    assert [(e.name, e.squares) for e in play.timeline.events][1:] == [
        ("played", ()), ("lingering", (15,)),
    ]  # fmt: skip


def hands_seen(deeds: str) -> list[tuple[Side | None, ...]]:
    play = prepare(parse(HEAD + deeds))
    return [truth.frame_truth(play.scene_at(t)).hands for t in play.times_ms]


def test_both_hands_can_be_over_the_board_at_once():
    assert any(set(hands) == set(Side) for hands in hands_seen("meanwhile 11-15 23"))


def test_a_stranger_belongs_to_no_side():
    assert (None,) in hands_seen("stranger 17")


@pytest.mark.parametrize(
    ("deed", "behind"),
    [pytest.param("11-15", 0, id="own side"), pytest.param("wrong-side 11-15", 8, id="other side")],
)
def test_a_hand_comes_from_where_its_owner_sits(deed, behind):
    play = prepare(parse(HEAD + deed))
    hands = [hand for t in play.times_ms for hand in play.scene_at(t).hands]
    assert {hand.side for hand in hands} == {Side.RED}
    assert all((hand.elbow[1] < 0) if behind == 0 else (hand.elbow[1] > 8) for hand in hands)


def test_a_leaning_player_hides_squares_on_his_side():
    play = prepare(parse(HEAD + "lean white 3"))
    start, end, side = play.timeline.leans[0]
    frame = truth.frame_truth(play.scene_at((start + end) // 2))
    assert len(frame.hidden) > 8
    assert frame.hands == (side,)
    assert len(frame.hidden) > len(truth.frame_truth(play.scene_at(start + LEAN_MS // 3)).hidden)
    assert truth.frame_truth(play.scene_at(play.timeline.length_ms)).hidden == ()


def test_a_move_taken_back_leaves_board_and_record_as_before():
    play = prepare(parse(HEAD + "11-15\n22-18\n15x22\ntake-back\n15x22"))
    said = next(e for e in play.timeline.events if e.name == "take_back")
    assert len(play.timeline.moves) == 3
    assert said.fen == next(e.fen for e in play.timeline.events if e.move == "22-18")


def test_whoever_crowns_the_man_it_is_a_king():
    text = "start W:W7,32:B13,28\nself-crowned 7-2\nwait 1"
    play = prepare(parse(HEAD + text))
    assert truth.frame_truth(play.scene_at(play.timeline.length_ms)).setup[1] == "W"
    assert {visit.side for visit in play.timeline.visits} == {Side.WHITE}


def test_sleeves_have_the_colours_asked_for():
    play = prepare(parse(HEAD + "sleeves red white\nmeanwhile 11-15 23"))
    hands = {h.side: h for t in play.times_ms for h in play.scene_at(t).hands}
    assert hands[Side.RED].sleeve[0] > 2 * hands[Side.RED].sleeve[1]
    assert min(hands[Side.WHITE].sleeve) > 200


def test_every_script_of_an_incident_is_in_a_set_and_short():
    assert len(SINGLE) >= 30
    for name in SINGLE:
        assert prepare(load(SCRIPTS / f"{name}.script")).timeline.length_ms < 31_000, name
    assert {f"{name}.script" for name in (*SINGLE, *MEDLEYS)} <= {p.name for p in SCRIPTS.iterdir()}


# --- what is made up -----------------------------------------------------------------------

QUICK = Manner((320, 240), 5, (2.0, 2.0))


def test_invented_games_are_lawful_and_repeat():
    text = invented_game(4, QUICK, plies=12)
    assert text == invented_game(4, QUICK, plies=12)
    timeline = prepare(parse(text)).timeline
    positions = Game(moves=timeline.moves).positions()
    pairs = zip(positions, timeline.moves, strict=False)
    assert all(move in lawful_moves(position) for position, move in pairs)


def test_games_filmed_anywhere_differ_in_all_that_may_be_wrong():
    scripts = [parse(invented_anywhere(seed, plies=2)) for seed in range(60)]
    assert invented_anywhere(3, plies=9) == invented_anywhere(3, plies=9)
    assert {script.light for script in scripts} == set(LIGHTS)
    assert {script.size for script in scripts} == set(SIZES)
    assert {script.rate for script in scripts} == set(RATES)


def test_what_is_put_right_by_restoring_can_be_invented():
    assert set(RESTORED) <= set(INCIDENTS)


@pytest.mark.parametrize("kind", INCIDENTS)
def test_invented_incidents_can_be_played(kind):
    text = invented_incident(7, kind, QUICK)
    assert kind in [step.verb for step in parse(text).steps]
    assert prepare(parse(text)).timeline.length_ms > 0


def test_a_varied_script_keeps_its_deeds_and_position():
    text = (SCRIPTS / "crown_missing.script").read_text()
    first, second = parse(text), parse(varied(text, 5, QUICK))
    assert [s.words for s in first.steps] == [s.words for s in second.steps][: len(first.steps)]
    assert first.start == second.start
    assert second.size == (320, 240)


def test_sets_are_as_large_as_they_should_be():
    counts = {
        name: [sum(item.kind == kind for item in wanted.items) for kind in
               (STILLS, INCIDENT_FILMS, GAME_FILMS)]
        for name, wanted in sets().items()
    }  # fmt: skip
    assert counts["drawn"] == [400, 200, 100]
    assert counts["large"] == [300, 41, 8]
    assert counts["standard"] == [24, 12, 2]


@pytest.mark.parametrize("name", sets())
def test_a_set_names_each_file_once_and_keeps_a_third_aside(name):
    items = sets()[name].items
    assert len({item.file for item in items}) == len(items)
    if len(items) > 3:
        assert 0.3 < sum(item.kept_aside for item in items) / len(items) < 0.37


def test_drawn_incidents_show_every_kind():
    films = [i for i in sets()["drawn"].items if isinstance(i, Film)]
    assert {f"incident {kind}" for kind in INCIDENTS} <= {film.source for film in films}


# --- films ---------------------------------------------------------------------------------


def test_still_frames_differ_by_noise_only_and_repeat_with_the_seed():
    play = prepare(parse(HEAD + "wait 1\n11-15"))
    film, again = Footage(1), Footage(1)
    first, second = (film.take(play.scene_at(t)) for t in (0, 100))
    assert not np.array_equal(first, second)
    assert np.abs(first.astype(float) - second).mean() < 6
    assert abs(first.mean() - second.mean()) < 0.3
    assert np.array_equal(first, again.take(play.scene_at(0)))


def test_a_film_drawn_in_parts_shows_the_same_as_one_drawn_whole():
    play = prepare(parse(HEAD + "electrons 1000000000\n11-15"))
    film = Footage(1)
    for time_ms in play.times_ms:
        picture = film.take(play.scene_at(time_ms))
    fresh = Footage(1)
    fresh.take(play.scene_at(0))
    fresh._of = None
    whole = fresh.take(play.scene_at(play.times_ms[-1]))
    assert np.abs(cv2.blur(picture, (3, 3)).astype(float) - cv2.blur(whole, (3, 3))).max() < 12


def test_lamps_that_flicker_lay_creeping_bands_over_the_picture():
    grey = np.full((90, 40, 3), 128, np.uint8)
    first, second = (flickered(grey, 0.15, time_ms) for time_ms in (0, 333))
    levels = first.mean((1, 2))
    assert 5 < np.ptp(levels) < 40
    assert abs(levels.mean() - 128) < 2
    assert np.abs(levels - second.mean((1, 2))).max() > 2
    plain, flickering = (
        next(pictures(prepare(parse(HEAD + more + "11-15"))))[1] for more in ("", "flicker 0.15\n")
    )
    assert 1 < np.abs(plain.astype(int) - flickering).mean() < 20


def test_truth_says_how_bright_the_lamps_are():
    play = prepare(parse(HEAD + "wait 0.3\nlamps 0.5\nwait 0.2"))
    assert [frame.lamps for frame in truths(play)] == [1, 1, 1, 0.5, 0.5, 0.5]


def test_a_covered_lens_sees_nothing():
    play = prepare(parse(HEAD + "cover 1\n11-15"))
    assert play.sight_at(500) == "covered"
    image = Footage(1).take(play.scene_at(500), "covered")
    assert image.max() < 70


def test_noise_is_never_the_same_twice_running():
    play = prepare(parse(HEAD + "wait 3"))
    film = Footage(1)
    taken = [film.take(play.scene_at(t)) for t in play.times_ms]
    first, second = taken[10][:64, :64], taken[11][:64, :64]
    assert not np.array_equal(first, second)
    assert len({picture.tobytes() for picture in taken}) == len(taken)


def test_a_hand_in_motion_is_smeared():
    play = prepare(parse(HEAD + "electrons 1000000000\n11-15"))
    hand = play.timeline.visits[0]
    moving = (hand.keys[0].time_ms + hand.keys[1].time_ms) // 2 + 60
    scene, film = play.scene_at(moving), Footage(1)
    sharp = film.take(scene)
    swept = [play.hands_at(moving - 20), play.hands_at(moving + 20)]
    smeared = film.take(scene, "clear", swept)
    arm = arm_mask(scene, scene.hands[0]) > 0
    edges = [cv2.Laplacian(image, cv2.CV_32F)[arm].std() for image in (sharp, smeared)]
    assert edges[1] < 0.9 * edges[0]


@pytest.mark.parametrize("tip", [(4.0, 7.5, 0.4), (6.5, 7.0, 0.4)])
def test_an_arm_hides_nothing_where_the_lens_does_not_show_it(tip):
    """It leads out of the picture, past the camera: a barrel lens would fold it back."""
    view = looking(Lens(160, 120, 130.0, -0.15), 0, 0, 9)
    hand = replace(reaching(Side.WHITE, tip), elbow=(tip[0], 10.0, 5.0))
    scene = Scene(Board((20, 20, 20), (25, 25, 25)), DiscLook((170, 25, 30), (235, 230, 215)), view)
    mask = arm_mask(scene, hand) > 0
    assert mask[115:].any()
    assert not mask[:60].any()


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


FILMS = sorted((SAMPLES / "standard").glob("*/*.truth.json"))


@pytest.fixture(scope="module", params=FILMS, ids=[file.name.split(".")[0] for file in FILMS])
def film(request: pytest.FixtureRequest) -> tuple[Path, truth.Recording]:
    (recording,) = truth.read(request.param)
    return request.param.parent / recording.file, recording


def test_twelve_incidents_and_two_games_are_shipped():
    assert [sum(file.parent.name == kind for file in FILMS) for kind in ("incidents", "games")] == [
        12, 2,
    ]  # fmt: skip
    aside = [truth.read(file)[0].kept_aside for file in FILMS]
    assert sum(aside) == 5


def test_the_truth_of_a_film_is_what_its_script_gives(film):
    path, recording = film
    play = prepare(load(SCRIPTS / f"{path.stem}.script"))
    assert recording.events == play.timeline.events
    assert [frame.time_ms for frame in recording.frames] == list(play.times_ms)
    assert (parse_fen(recording.start) if recording.start else Position.start()) == (
        play.timeline.script.start
    )


def test_the_record_of_a_film_holds_its_moves(film):
    path, recording = film
    (record,) = parse_pdn(path.with_suffix(".pdn").read_text())
    assert record.failure is None
    played = [event.fen for event in recording.events if event.name == "played"]
    assert [fen(position) for position in record.game.positions()[1:]] == played


def test_the_pixels_of_a_film_show_its_truth(film):
    """The top of a red and of a white disc differ, and each side's look alike."""
    path, recording = film
    capture = cv2.VideoCapture(str(path))
    assert int(capture.get(cv2.CAP_PROP_FRAME_COUNT)) == len(recording.frames)
    image = cv2.cvtColor(capture.read()[1], cv2.COLOR_BGR2Lab).astype(float)
    capture.release()
    frame = recording.frames[0]
    corners = frame.view.corners()
    assert (corners > 0).all()
    assert (corners < [frame.view.lens.width, frame.view.lens.height]).all()
    tops: dict[Side, list[np.ndarray]] = {Side.RED: [], Side.WHITE: []}
    for x, y, z, side in frame.discs:
        column, row = frame.view.project(np.array([[x, y, z + recording.thickness]]))[0].round()
        tops[side].append(image[int(row), int(column)])
    red, white = (np.median(seen, axis=0) for seen in tops.values())
    assert all(np.linalg.norm(top - red) < np.linalg.norm(top - white) for top in tops[Side.RED])
    assert all(np.linalg.norm(top - white) < np.linalg.norm(top - red) for top in tops[Side.WHITE])


def test_what_is_shipped_looks_as_its_list_says():
    lines = likeness.read(make.LISTS / "standard.txt")
    early = [line for line in lines if line.time_ms < 6000]
    assert {line.file for line in early} == {line.file for line in lines}
    off = likeness.compared(SAMPLES / "standard", early)
    assert {file: levels for file, levels in off.items() if levels is None or levels > 2} == {}
    assert {item.file for item in sets()["standard"].items} < set(off)
    assert sum(file.startswith("rendered-") for file in off) == 36


def test_the_demo_looks_as_its_list_says():
    lines = likeness.read(make.LISTS / "demo.txt")
    assert likeness.compared(SAMPLES, lines[:2])["demo.mp4"] <= 2


def test_what_is_shipped_is_not_too_large():
    files = (path for path in SAMPLES.rglob("*") if path.is_file() and path.suffix != ".pyc")
    told = [path for path in files if SAMPLES / "made" not in path.parents]
    assert sum(path.stat().st_size for path in told) < 40e6


# --- the command line ----------------------------------------------------------------------


def test_a_run_goes_on_where_it_stopped(tmp_path, monkeypatch, capsys):
    small = sets()["drawn"]
    wish = Still("stills", 20_000, 200, True), Still("stills", 20_001, 200, False)
    monkeypatch.setattr(make, "sets", lambda: {"drawn": replace(small, items=wish)})
    monkeypatch.setattr(make, "LISTS", tmp_path / "lists")
    run = ["drawn", "--out", str(tmp_path)]
    assert main([*run, "--list"]) == 0
    first, second = sorted((tmp_path / "stills").glob("*.jpg"))
    told = truth.read(tmp_path / "stills" / "truth.json")
    assert [(r.file, r.kept_aside) for r in told] == [(first.name, True), (second.name, False)]
    assert main([*run, "--check"]) == 0
    first_made, second_made = first.stat().st_mtime_ns, second.stat().st_mtime_ns
    second.unlink()
    assert main([*run, "--check"]) == 1
    assert "20001.jpg: not made" in capsys.readouterr().err
    assert main(run) == 0
    assert main([*run, "--check"]) == 0
    assert first.stat().st_mtime_ns == first_made
    assert second.stat().st_mtime_ns > second_made


def set_of_traced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, has_blender: bool) -> list[str]:
    """Runs a set of three path-traced stills; what the renderer was asked for."""
    asked: list[str] = []
    fake = SimpleNamespace(main=lambda wish: asked.append(" ".join(wish)))
    traced = Set(tmp_path, (), Traced("traced", "truth.json", 77, 3))
    monkeypatch.setattr(make, "sets", lambda: {"large": traced})
    monkeypatch.setattr(make.importlib.util, "find_spec", lambda _: has_blender or None)
    monkeypatch.setattr(sample_images, "render", fake, raising=False)
    assert main(["large"]) == 0
    return asked


def test_without_blender_a_sentence_says_what_is_left_out(tmp_path, monkeypatch, capsys):
    assert set_of_traced(monkeypatch, tmp_path, has_blender=False) == []
    assert "3 path-traced stills are left out" in capsys.readouterr().err


def test_with_blender_the_renderer_makes_one_still_after_the_other(tmp_path, monkeypatch):
    first, *_, last = set_of_traced(monkeypatch, tmp_path, has_blender=True)
    assert first.startswith(f"--out {tmp_path / 'traced'} --first 77 --count 1 ")
    assert "--count 3 --truth truth.json --threads 2" in last


def test_a_film_is_made_with_all_that_belongs_to_it(tmp_path):
    manner = Manner((160, 120), 2, (3.0, 3.0))
    film = Film("games/1.mp4", GAME_FILMS, "incident stray", 1, manner, True)
    make._whole(film, tmp_path)
    (told,) = truth.read(tmp_path / "games" / "1.truth.json")
    assert told.kept_aside
    capture = cv2.VideoCapture(str(tmp_path / "games" / told.file))
    assert int(capture.get(cv2.CAP_PROP_FRAME_COUNT)) == len(told.frames)
    (record,) = parse_pdn((tmp_path / "games" / "1.pdn").read_text())
    played = [event for event in told.events if event.name == "played"]
    assert len(record.game.moves) == len(played) > 1
    assert parse((tmp_path / "games" / "1.script").read_text()).seed == 1


def test_another_picture_is_told_from_the_one_in_the_list():
    scene = small_scene(11, family="official", contents="start", light="daylight")
    moved = (replace(scene.discs[0], y=scene.discs[0].y + 3), *scene.discs[1:])
    first, noise, second = (
        likeness.blocks_of(image)
        for image in (still(scene), still(scene, 5), still(replace(scene, discs=moved)))
    )
    assert likeness.difference(first, noise) <= 1
    assert likeness.difference(first, second) > likeness.TOLERANCE


def test_an_unknown_set_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["marble"])
    assert "standard" in capsys.readouterr().err


@pytest.mark.filterwarnings("error")
def test_a_shadow_that_ends_nowhere_reaches_to_the_edge_of_the_picture() -> None:
    window = clipped(np.array([[10.0, 20.0], [np.inf, 1e300]]), 640, 360)
    assert window == (slice(16, 360), slice(6, 640))
    assert clipped(np.array([[700.0, 20.0], [np.inf, 30.0]]), 640, 360) is None

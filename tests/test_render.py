"""The path-traced pictures: what happens behind the lens, and the solids that are traced."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.model import Lens
from referee.board import Side, cell_of
from sample_images import sheet, truth
from sample_images.blender import anatomy, shapes
from sample_images.pinhole import distort, pinhole_size, pinhole_window, shown_by
from sample_images.scene import Disc, DiscLook, looking, reaching
from sample_images.sensor import Sensor, jpeg, metered_gain, photograph
from sample_images.variety import random_scene

STANDARD = Path(truth.__file__).parent / "standard"
PLAIN = Sensor(defocus_px=0, vignette=0, contrast=0, saturation=1, sharpening=0)
NOISELESS = replace(PLAIN, electrons=1e12, read_noise=0)


def grey(level: float, size: tuple[int, int] = (64, 64)) -> np.ndarray:
    return np.full((*size, 3), level, np.float32)


def chance() -> np.random.Generator:
    return np.random.default_rng(7)


def dot(x: float, y: float, size: tuple[int, int]) -> np.ndarray:
    """A soft bright dot in a dark picture of (height, width)."""
    rows, columns = np.indices(size)
    level = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 8)
    return np.repeat(level[..., None], 3, axis=2).astype(np.float32)


def middle_of(picture: np.ndarray) -> tuple[float, float]:
    """Centre of brightness, x and y."""
    level = picture[..., 1].astype(float)
    rows, columns = np.indices(level.shape)
    return (columns * level).sum() / level.sum(), (rows * level).sum() / level.sum()


# --- the sensor ----------------------------------------------------------------------------


def test_middle_grey_is_the_srgb_level():
    picture = photograph(grey(0.2140), NOISELESS, 1.0, chance())
    assert np.abs(picture[8:-8, 8:-8].astype(int) - 127.5).max() <= 1


def test_colours_come_out_as_blue_green_red():
    red = np.zeros((32, 32, 3), np.float32)
    red[..., 0] = 1
    assert photograph(red, NOISELESS, 1.0, chance())[16, 16].tolist() == [0, 0, 255]


def test_a_stop_is_twice_the_light():
    bright = photograph(grey(0.2), NOISELESS, 1.0, chance())
    stopped = photograph(grey(0.1), replace(NOISELESS, stops=1.0), 1.0, chance())
    assert (bright == stopped).all()


def test_too_much_light_clips_at_white():
    assert photograph(grey(50.0), NOISELESS, 1.0, chance()).min() == 255


@pytest.mark.parametrize(("few", "many"), [(500.0, 2000.0), (2000.0, 8000.0)])
def test_four_times_the_electrons_halve_the_noise(few, many):
    spreads = [
        photograph(grey(0.2, (200, 200)), replace(PLAIN, electrons=n), 1.0, chance()).std()
        for n in (few, many)
    ]
    assert spreads[0] / spreads[1] == pytest.approx(2.0, rel=0.15)


def test_the_same_seed_gives_the_same_picture():
    first, second = (photograph(grey(0.2), PLAIN, 1.0, chance()) for _ in range(2))
    assert (first == second).all()
    other = photograph(grey(0.2), PLAIN, 1.0, np.random.default_rng(8))
    assert (first != other).any()


@pytest.mark.parametrize("motion", [(9.0, 0.0), (-4.0, 6.0)])
def test_motion_smears_without_displacing(motion):
    light = dot(40.0, 30.0, (60, 80))
    sharp = photograph(light, NOISELESS, 1.0, chance())
    smeared = photograph(light, replace(NOISELESS, motion_px=motion), 1.0, chance())
    assert smeared.max() < sharp.max()
    assert middle_of(smeared) == pytest.approx(middle_of(sharp), abs=0.2)


def test_corners_are_darker_with_a_vignette():
    picture = photograph(grey(0.2), replace(NOISELESS, vignette=0.4), 1.0, chance())
    assert picture[2, 2, 1] < picture[32, 32, 1] - 10


def test_a_long_motion_leaves_no_light_below_zero():
    dark = dot(40.0, 30.0, (60, 80))
    picture = photograph(dark, replace(PLAIN, motion_px=(11.0, 2.0)), 1.0, chance())
    assert picture.max() > 0  # a warning would be an error


def test_the_meter_takes_brightness_away_from_bright_scenes():
    assert metered_gain(grey(0.4)) == pytest.approx(metered_gain(grey(0.1)) / 4)


def test_jpeg_reads_back_nearly_the_same():
    picture = photograph(grey(0.2), NOISELESS, 1.0, chance())
    back = cv2.imdecode(np.frombuffer(jpeg(picture, 95), np.uint8), cv2.IMREAD_COLOR)
    assert np.abs(back.astype(int) - picture).max() <= 3


# --- from the pinhole to the lens ----------------------------------------------------------


@pytest.mark.parametrize("k1", [-0.2, -0.05, 0.0, 0.06])
def test_points_land_where_the_lens_puts_them(k1):
    lens = Lens(320, 240, 260.0, k1)
    view = looking(lens, 35, 8, 17)
    width, height = pinhole_size(lens)
    ideal = replace(view, lens=Lens(width, height, lens.focal_px))
    for corner in range(4):
        x, y = ideal.corners()[corner]
        picture = distort(dot(x, y, (height, width)), lens)
        assert middle_of(picture) == pytest.approx(view.corners()[corner], abs=0.1)


@pytest.mark.parametrize("k1", [-0.2, 0.0, 0.05])
def test_a_pinhole_window_holds_what_the_lens_sees_in_it(k1):
    lens = Lens(320, 240, 260.0, k1)
    width, height = pinhole_size(lens)
    window = slice(30, 90), slice(200, 290)
    left, right, low, high = pinhole_window(lens, window)
    kept = np.zeros((height, width, 3), np.float32)
    rows = slice(round((1 - high) * height), round((1 - low) * height))
    kept[rows, round(left * width) : round(right * width)] = 1.0
    assert distort(kept, lens)[window].min() > 0.99
    assert distort(kept, lens).mean() < 0.3


@pytest.mark.parametrize(
    ("k1", "point", "shown"),
    [
        (0.0, (4.0, 4.0, 0.0), True),
        (0.0, (4.0, 4.0, 15.0), False),  # behind the camera, in its axis
        (-0.2, (30.0, 4.0, 0.0), False),  # folds back among the squares
        (0.0, (30.0, 4.0, 0.0), True),  # beside the picture, where it should be
    ],
)
def test_a_point_that_the_lens_cannot_show_is_told(k1, point, shown):
    view = looking(Lens(320, 240, 260.0, k1), 0, 0, 14)
    assert shown_by(view, np.array([point]), 0.1).tolist() == [shown]


# --- solids --------------------------------------------------------------------------------

FLAT = DiscLook((0, 0, 0), (255, 255, 255), rim=0.0, grooves=0)
GROOVED = replace(FLAT, rim=0.2, grooves=3, edge=0.3)
RIBBED = replace(FLAT, ribs=24, waist=0.2)
DISHED = replace(FLAT, dish=0.4)


@pytest.mark.parametrize(
    "solid",
    [
        pytest.param(shapes.box((0, 0, 0), (1, 2, 3)), id="box"),
        pytest.param(shapes.disc_of(0.3, 0.13, GROOVED), id="disc"),
        pytest.param(shapes.disc_of(0.3, 0.13, RIBBED), id="ribbed disc"),
        pytest.param(shapes.prism(shapes.crown_outline(0.2), 0.0, 0.1), id="crown"),
        pytest.param(shapes.rod(np.zeros(3), np.array([0, 1.0, 1.0]), (0.2, 0.1)), id="rod"),
    ],
)
def test_solids_are_closed_and_turned_one_way(solid):
    edges = Counter()
    for face in solid.faces:
        edges.update(zip(face, (*face[1:], face[0]), strict=True))
    assert set(edges.values()) == {1}
    assert all((last, first) in edges for first, last in edges)


@pytest.mark.parametrize("look", [FLAT, GROOVED, RIBBED, DISHED])
def test_a_disc_keeps_its_measures(look):
    profile = np.array(shapes.disc_of(0.31, 0.13, look).vertices)
    assert np.hypot(profile[:, 0], profile[:, 1]).max() == pytest.approx(0.31)
    assert profile[:, 2].max() == pytest.approx(0.13)
    assert profile[:, 2].min() == 0.0


def test_a_dished_disc_is_lower_in_its_middle_and_a_ribbed_one_has_gaps():
    flat, dished, ribbed = (
        np.array(shapes.disc_of(0.3, 0.1, look).vertices) for look in (FLAT, DISHED, RIBBED)
    )
    assert flat[-1, 2] == pytest.approx(0.1)
    assert dished[-1, 2] == pytest.approx(0.1 * (1 - DISHED.dish), abs=1e-4)
    away = np.hypot(ribbed[:, 0], ribbed[:, 1])
    gaps = np.isclose(away, 0.3 * (1 - shapes.RIB)).sum()
    assert 0 < gaps < np.isclose(away, 0.3).sum()


def test_a_sleeve_is_as_wide_as_its_radii():
    path = [np.array([0.0, 0.0, 0.0]), np.array([6.0, 0.0, 0.0])]
    tube = shapes.sleeve(path, [1.0, 0.7], chance())
    across = np.linalg.norm(np.array(tube.vertices)[:, 1:], axis=1)
    assert across.min() > 0.6
    assert across.max() < 1.4


# --- hands ---------------------------------------------------------------------------------


@pytest.mark.parametrize("side", list(Side))
@pytest.mark.parametrize("left", [False, True])
def test_a_pinching_hand_holds_its_disc_between_thumb_and_forefinger(side, left):
    disc = Disc(3.0, 4.0, side, z=0.5)
    hand = reaching(side, (3.0, 4.0, 0.65), left=left, held=(disc,))
    joints = anatomy.finger_joints(hand)
    middle = (joints["fore"][-1] + joints["thumb"][-1]) / 2
    assert np.linalg.norm(middle[:2] - [3.0, 4.0]) < 0.2
    apart = np.linalg.norm((joints["fore"][-1] - joints["thumb"][-1])[:2])
    assert apart == pytest.approx(2 * disc.radius, abs=0.2)


@pytest.mark.parametrize(("left", "turn"), [(False, 1.0), (True, -1.0)])
def test_the_thumb_is_on_the_inner_side(left, turn):
    hand = reaching(Side.WHITE, (4.0, 4.0, 0.4), left=left, pinch=0.0)
    joints = anatomy.finger_joints(hand)
    # White's right hand comes from below in the plane, its thumb on the left: smaller x.
    assert (joints["little"][0] - joints["thumb"][1])[0] * turn > 0


@pytest.mark.parametrize("pinch", [0.0, 0.5, 1.0])
def test_no_finger_goes_through_the_board(pinch):
    hand = reaching(Side.RED, (2.0, 5.0, 0.35), pinch=pinch)
    lowest = min(
        min(bone.start[2] - bone.radii[0], bone.end[2] - bone.radii[1])
        for bone in anatomy.bones(hand)
    )
    assert lowest > 0


def test_the_hand_hangs_on_its_wrist():
    hand = reaching(Side.WHITE, (5.0, 2.0, 0.8), size=0.9)
    wrist = anatomy.frame_of(hand).place((-anatomy.WRIST_BACK, 0, anatomy.WRIST_UP))
    assert wrist == pytest.approx(np.array(hand.wrist), abs=0.02)


# --- what scenes hold ----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(0, 60, 6))
def test_captured_discs_lie_on_the_table_or_on_each_other(seed):
    scene = random_scene(seed, contents="endgame")
    table = -scene.board.thickness
    for disc in scene.captured:
        others = [d for d in scene.captured if d is not disc]
        near = [d for d in others if np.hypot(d.x - disc.x, d.y - disc.y) < 2 * disc.radius]
        assert disc.z == table or any(abs(d.top - disc.z) < 1e-6 for d in near)
        assert all(abs(d.z - disc.z) > 1e-6 for d in near)
        assert max(abs(disc.x - 4), abs(disc.y - 4)) > 4 + scene.board.margin + disc.radius


def test_captured_discs_hide_no_square():
    for seed in range(20):
        scene = random_scene(seed, contents="endgame")
        outline = scene.view.corners().astype(np.float32)
        for disc in scene.captured:
            (middle,) = scene.view.project(np.array([[disc.x, disc.y, disc.top]]))
            spot = float(middle[0]), float(middle[1])
            assert cv2.pointPolygonTest(outline, spot, measureDist=False) < 0, seed


def test_players_sit_at_some_tables_in_the_colour_of_their_sleeve():
    scenes = [random_scene(seed) for seed in range(60)]
    seated = [(s, t) for s in scenes for t in s.things if t.kind == "body"]
    assert 10 < len(seated) < 60
    for scene, body in seated:
        side = Side.WHITE if body.y > 4 else Side.RED
        assert all(hand.sleeve == body.colour for hand in scene.hands if hand.side is side)


# --- what is shipped -----------------------------------------------------------------------


def shipped() -> list[truth.Recording]:
    return list(truth.read(STANDARD / "rendered.truth.json"))


def bare_crossings(recording: truth.Recording) -> np.ndarray:
    """Where four squares meet and no disc or arm is near, (n, 2) in the board plane."""
    frame = recording.frames[0]
    discs = np.array([(x, y) for x, y, _, _ in (*frame.discs, *frame.held)] or [(99.0, 99.0)])
    hidden = [cell_of(square) for square, _ in frame.covered]
    covered = np.array([(column + 0.5, row + 0.5) for row, column in hidden] or [(99.0, 99.0)])
    places = np.array([(x, y) for x in range(1, 8) for y in range(1, 8)], dtype=float)

    def away(points):
        return np.linalg.norm(places[:, None] - points, axis=2).min(axis=1)

    return places[(away(discs) > recording.radius + 0.3) & (away(covered) > 1.2)]


@pytest.mark.parametrize("recording", shipped(), ids=lambda recording: recording.file)
def test_a_shipped_render_shows_the_board_where_its_truth_says(recording):
    image = cv2.imread(str(STANDARD / recording.file), cv2.IMREAD_GRAYSCALE)
    view = recording.frames[0].view
    assert image.shape == (view.lens.height, view.lens.width)
    expected = view.project(bare_crossings(recording)).astype(np.float32)
    assert len(expected) >= 4
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 40, 1e-3)
    # From a start beside them, which a search in flat paper would not leave.
    found = expected + np.array([1.5, -1.5], np.float32)
    cv2.cornerSubPix(image, found, (6, 6), (-1, -1), stop)
    assert np.median(np.linalg.norm(found - expected, axis=1)) < 0.8


@pytest.mark.parametrize("recording", shipped(), ids=lambda recording: recording.file)
def test_a_shipped_render_shows_the_discs_where_its_truth_says(recording):
    image = cv2.imread(str(STANDARD / recording.file))
    frame = recording.frames[0]
    hidden = {cell_of(square) for square, _ in frame.covered}
    tops = {(int(y), int(x)): (x, y, z, side) for x, y, z, side in frame.discs}
    colours: dict[Side, list[np.ndarray]] = {side: [] for side in Side}
    for cell, (x, y, z, side) in tops.items():
        if cell not in hidden:
            spot = frame.view.project(np.array([[x, y, z + recording.thickness]]))[0]
            column, row = spot.round().astype(int)
            colours[side].append(image[row - 1 : row + 2, column - 1 : column + 2].mean((0, 1)))
    red, white = (np.array(colours[side]) for side in (Side.RED, Side.WHITE))
    middles = [np.median(side, axis=0) for side in (red, white)]
    to_red, to_white = (
        np.linalg.norm(np.concatenate([red, white]) - middle, axis=1) for middle in middles
    )
    whites = np.arange(len(red) + len(white)) >= len(red)
    # Glare may bleach a disc or two.
    assert np.mean((to_white < to_red) == whites) >= 0.85


# --- contact sheets ------------------------------------------------------------------------


def test_a_sheet_holds_every_picture_whole(tmp_path):
    for number in range(7):
        picture = np.full((60, 20 + 30 * number, 3), (0, 40 * number, 200), np.uint8)
        cv2.imwrite(str(tmp_path / f"{number}.jpg"), picture)
    sheet.main([str(tmp_path), str(tmp_path / "sheet.png"), "--columns", "3"])
    image = cv2.imread(str(tmp_path / "sheet.png"))
    assert image.shape == (3 * sheet.HEIGHT, 3 * sheet.WIDTH, 3)
    tile = image[2 * sheet.HEIGHT :, : sheet.WIDTH]  # the seventh: 200 × 60
    assert tile[60, 390].tolist() == pytest.approx([0, 240, 200], abs=6)
    assert tile[200, 390].tolist() == list(sheet.GREY)


def test_marks_lie_on_the_discs_that_the_truth_has():
    scene = replace(random_scene(3, contents="middle"), hands=())
    lens = scene.view.lens
    blank = np.zeros((lens.height, lens.width, 3), np.uint8)
    recording = truth.recording_of(scene, "a.jpg")
    copy = sheet.marked(blank, recording)
    assert not blank.any()
    for disc in scene.discs:
        rim = [[disc.x + disc.radius, disc.y, disc.top]]
        x, y = scene.view.project(np.array(rim))[0].round().astype(int)
        assert copy[y - 2 : y + 3, x - 2 : x + 3].any()


def test_a_folder_without_pictures_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        sheet.main([str(tmp_path), str(tmp_path / "sheet.png")])
    assert "no JPEG pictures" in capsys.readouterr().err


# --- with Blender --------------------------------------------------------------------------


def test_traced_corners_are_where_the_truth_says():
    pytest.importorskip("bpy", reason="Blender as a module (the extra `render`) is not installed")
    from sample_images.blender.tracer import traced
    from sample_images.scene import Board, DiscLook, Scene

    view = looking(Lens(240, 180, 200.0, -0.08), 30, 10, 14)
    board = Board((20, 20, 20), (235, 235, 235))
    light, _ = traced(Scene(board, DiscLook((170, 25, 30), (235, 230, 215)), view))
    crossings = np.array([(x, y) for x in range(1, 8) for y in range(1, 8)], dtype=float)
    expected = view.project(crossings).astype(np.float32)
    grey_picture = np.clip(light[..., 1] * 255, 0, 255).astype(np.uint8)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 40, 1e-3)
    found = cv2.cornerSubPix(grey_picture, expected[:, None].copy(), (4, 4), (-1, -1), stop)
    assert np.median(np.abs(found[:, 0] - expected)) < 0.25


@pytest.mark.parametrize("hands", [True, False])
def test_a_patched_frame_shows_what_a_whole_render_shows(hands):
    pytest.importorskip("bpy", reason="Blender as a module (the extra `render`) is not installed")
    from sample_images.blender.tracer import Tracer
    from sample_images.play import prepare
    from sample_images.render_film import Footage
    from sample_images.script import parse

    head = "size 320 240\ntable plain\nseed 3\nmeasures 0.31 0.15\n"
    play = prepare(parse(head + "11-15\nwait 0.3"))
    reaching_in = [time for time in play.times_ms if play.scene_at(time).hands]
    scene = play.scene_at(reaching_in[len(reaching_in) // 2] if hands else play.times_ms[-1])
    footage = Footage(play.scene_at(0))
    footage.take(play.scene_at(0))
    patched, _ = footage.take(scene)
    whole = Tracer(play.scene_at(0))
    whole.move((*scene.discs, *scene.captured), scene.hands)
    soft, expected = (cv2.blur(light, (5, 5)) for light in (patched, whole.light()))
    off = np.abs(soft - expected) / (expected + 0.05)
    assert np.percentile(off, 99.9) < 0.2


@pytest.mark.parametrize("way", [(1.0, 0.0, 0.0), (0.0, 1.5, 0.0)])
def test_a_swept_hand_is_smeared_about_its_place(way):
    pytest.importorskip("bpy", reason="Blender as a module (the extra `render`) is not installed")
    from sample_images.blender.tracer import traced
    from sample_images.scene import Board, DiscLook, Scene

    view = looking(Lens(160, 120, 130.0), 20, 0, 14)
    hand = reaching(Side.WHITE, (4.0, 4.0, 0.4))
    board = Board((20, 20, 20), (25, 25, 25))
    scene = Scene(board, DiscLook((170, 25, 30), (235, 230, 215)), view, hands=(hand,))
    still, mask = traced(scene)
    moving, same = traced(scene, sweep=way)
    assert np.array_equal(mask, same)
    inside = cv2.erode(mask, np.ones((5, 5), np.uint8)) > 0
    near = (cv2.dilate(mask, np.ones((9, 9), np.uint8)) > 0) & (mask == 0)
    assert moving[near].mean() > 1.1 * still[near].mean()
    assert moving[inside].mean() == pytest.approx(still[inside].mean(), rel=0.2)


def test_an_arm_hides_nothing_where_it_is_not_seen():
    pytest.importorskip("bpy", reason="Blender as a module (the extra `render`) is not installed")
    from sample_images.blender.tracer import traced
    from sample_images.scene import Board, DiscLook, Scene

    view = looking(Lens(160, 120, 130.0, -0.1), 0, 0, 9)
    hand = reaching(Side.WHITE, (4.0, 7.0, 0.4))
    shoulder = replace(hand, elbow=(4.0, 9.0, 10.0))  # leads over the camera
    board = Board((20, 20, 20), (25, 25, 25))
    look = DiscLook((170, 25, 30), (235, 230, 215))
    scene = Scene(board, look, view, hands=(shoulder,))
    _, mask = traced(scene)
    assert mask[100:].any()
    assert not mask[:60].any()

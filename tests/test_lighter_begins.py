"""Sets in which the side that begins has the lighter discs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.arrays import Image
from calibration.locate import Refusal
from calibration.saved import Calibration, CalibrationError
from hardware.camera import Frame
from referee import cli
from referee.board import EMPTY, START, Side, exchanged
from referee.board import replace as replaced
from referee.events import Event, Moved
from referee.eye import first_sight
from referee.eye.eye import Eye
from referee.eye.first_sight import EITHER, calibrate, contradicting, tells_who_begins, ways_of
from referee.game import begin
from referee.notation import parse_pdn
from referee.observation import Hand
from referee.verbs import resume, watch
from referee.verbs.calibrations import doubt_of_sides
from referee.watching import Step, follow
from sample_images import play
from sample_images.script import parse
from tests.boards import WHITE, draw_board, view_from
from tests.test_cli import STAGE, filmed, lines, names
from tests.test_doubt_of_sides import brightness
from tests.test_found_again import MIDGAME, OTHER_SQUARES
from tests.test_resume import Live

VIEW = view_from(25)
ODDS = replaced(START, {12: EMPTY})
KINGS = "..R..w......r.....W......r...w.."
LIGHTER = ways_of(True)


def learnt(setup: str, due: str = START, ways: tuple[bool, ...] = EITHER) -> Calibration:
    known = calibrate(draw_board(VIEW, setup), due, ways)
    assert isinstance(known, Calibration)
    return known


def read(known: Calibration, setup: str) -> str:
    """What the eye sees there without turning the board about."""
    eye = Eye(known)
    seen = eye.observe(draw_board(VIEW, setup, seed=2), 0)
    assert np.abs(eye.view.corners() - known.view.corners()).max() < 1.0
    return "".join(".rRwW"[row.index(0)].lower() for row in seen.evidence)


# --- What the position tells -----------------------------------------------------------------


@pytest.mark.parametrize("due", [MIDGAME, MIDGAME[::-1], ODDS], ids=["one", "turned", "odds"])
@pytest.mark.parametrize("lighter", [False, True])
def test_a_position_tells_which_discs_begin(due: str, lighter: bool) -> None:
    on_board = exchanged(due) if lighter else due
    known = learnt(on_board, due)
    assert known.lighter_begins is lighter
    assert contradicting(draw_board(VIEW, on_board), known, due) == ()
    assert read(known, on_board) == due


def test_a_position_that_looks_the_same_from_the_other_side_tells_nothing() -> None:
    for setup in (START, START[::-1]):
        known = learnt(setup)
        assert not known.lighter_begins
        assert read(known, setup) == START


@pytest.mark.parametrize(("due", "ways"), [(START, [False]), (MIDGAME, [False, True])])
def test_only_where_the_position_can_tell_both_are_tried(
    due: str, ways: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[bool] = []

    def refused(*given: object) -> Refusal:
        tried.append(given[-1] != due)
        return Refusal("no")

    monkeypatch.setattr(first_sight, "_learn", refused)
    assert isinstance(calibrate(draw_board(VIEW, due), due), Refusal)
    assert list(dict.fromkeys(tried)) == ways


@pytest.mark.parametrize("lighter", [False, True])
def test_a_board_laid_a_quarter_turn_wrong_is_named_whichever_discs_begin(lighter: bool) -> None:
    due = replaced(START, dict.fromkeys((1, 2, 5), EMPTY))
    on_board = exchanged(due) if lighter else due
    refusal = calibrate(np.ascontiguousarray(draw_board(VIEW, on_board)[:, ::-1]), due)
    assert isinstance(refusal, Refusal)
    assert "dark corner" in refusal.reason


def test_kings_are_exchanged_as_men_are() -> None:
    assert exchanged(KINGS) == "..W..r......w.....R......w...r.."
    assert exchanged(exchanged(KINGS)) == KINGS


@pytest.mark.parametrize("lighter", [False, True])
def test_pieces_that_are_missing_are_named_whichever_discs_begin(lighter: bool) -> None:
    due = replaced(MIDGAME, dict.fromkeys((1, 2, 30), EMPTY))
    on_board = exchanged(due) if lighter else due
    refusal = calibrate(draw_board(VIEW, on_board), MIDGAME)
    assert isinstance(refusal, Refusal)
    assert refusal.reason.endswith("look at squares 1, 2, 30")


# --- What somebody says ----------------------------------------------------------------------


@pytest.mark.parametrize("setup", [START, START[::-1]])
def test_from_the_usual_start_the_lighter_begin_where_that_is_said(setup: str) -> None:
    known = learnt(setup, ways=LIGHTER)
    assert known.lighter_begins
    assert read(known, setup) == START
    about = learnt(setup).view.turned(2)
    assert np.abs(known.view.corners() - about.corners()).max() < 1.0


@pytest.mark.parametrize("lighter", [False, True])
def test_what_is_said_goes_before_what_the_position_tells(lighter: bool) -> None:
    on_board = MIDGAME if lighter else exchanged(MIDGAME)
    assert isinstance(calibrate(draw_board(VIEW, on_board), MIDGAME, ways_of(lighter)), Refusal)


def test_the_usual_start_keeps_its_name_where_the_lighter_begin() -> None:
    refusal = calibrate(draw_board(VIEW, MIDGAME), START, LIGHTER)
    assert isinstance(refusal, Refusal)
    assert "the starting position does not stand on it" in refusal.reason


def test_where_nobody_says_it_those_begin_that_were_known_to() -> None:
    known = learnt(START, ways=LIGHTER)
    assert learnt(START, ways=ways_of(None, known)).lighter_begins
    assert not learnt(MIDGAME, MIDGAME, ways_of(None, known)).lighter_begins
    assert not learnt(START, ways=ways_of(None, learnt(START))).lighter_begins
    assert not learnt(START, ways=ways_of(False, known)).lighter_begins


def steps(known: Calibration, wish: bool | None, **squares: object) -> list[Step]:
    """What comes of a second in which the usual start is seen with a kept calibration."""
    shots = [draw_board(VIEW, START, seed=seed, **squares) for seed in range(3)]  # type: ignore[arg-type]
    frames = [Frame(shots[time_ms // 100 % 3], time_ms) for time_ms in range(0, 1_000, 100)]
    return list(follow(frames, begin(), known, lighter_begins=wish))


def followed(known: Calibration, wish: bool | None, **squares: object) -> Step:
    return steps(known, wish, **squares)[-1]


def is_moved(event: Event) -> bool:
    return isinstance(event, Moved)


@pytest.mark.parametrize("wish", [False, True])
def test_what_is_said_goes_before_what_was_kept(wish: bool) -> None:
    known = learnt(START, ways=ways_of(not wish))
    found = followed(known, wish).calibration
    assert found
    assert found.palette is known.palette
    assert found.lighter_begins is wish
    assert read(found, START) == START


@pytest.mark.parametrize("lighter", [False, True])
def test_a_calibration_is_turned_about_where_the_other_discs_begin(lighter: bool) -> None:
    known = learnt(START, ways=ways_of(lighter))
    assert known.begun_by(lighter) == known
    assert read(known.begun_by(not lighter), START) == START
    moves = [step for step in steps(known, not lighter) if any(map(is_moved, step.events))]
    assert moves == [], "nobody has moved the board"


@pytest.mark.parametrize("lighter", [False, True])
def test_another_set_is_learnt_as_was_kept(lighter: bool) -> None:
    known = learnt(START, ways=ways_of(lighter))
    found = followed(known, None, **OTHER_SQUARES).calibration
    assert found
    assert found.palette != known.palette
    assert found.lighter_begins is lighter


def test_equally_bright_sides_are_told_of_with_the_option_for_the_other() -> None:
    known = replace(learnt(START), palette=brightness(1.1))
    for lighter, other in ((False, "darker"), (True, "lighter")):
        doubt = doubt_of_sides(replace(known, lighter_begins=not lighter))
        assert doubt is not None
        assert doubt.endswith(f"or say --begins {other}")


# --- What the eye says of discs --------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "astride"), [((3.5, 3.5), False), ((4.0, 4.0), True)], ids=["off", "astride"]
)
@pytest.mark.parametrize(("lighter", "side"), [(False, Side.WHITE), (True, Side.RED)])
def test_a_disc_that_lies_loose_is_its_owners(
    place: tuple[float, float], astride: bool, lighter: bool, side: Side
) -> None:
    known = learnt(START, ways=ways_of(lighter))
    setup = replaced(START, {24: EMPTY})
    loose = Eye(known).observe(with_disc(draw_board(VIEW, setup), place), 0).loose
    assert astride in {disc.astride for disc in loose}
    assert {disc.side for disc in loose} == {side}


@pytest.mark.parametrize("place", [(3.5, 3.5), (4.0, 4.0)], ids=["off", "astride"])
def test_what_is_seen_turned_about_is_what_the_other_calibration_sees(
    place: tuple[float, float],
) -> None:
    image, known = with_disc(draw_board(VIEW, ODDS), place), learnt(START)
    turned = Eye(known).observe(image, 0).turned_about()
    other = Eye(known.begun_by(lighter=True)).observe(image, 0)
    assert [row.index(0) for row in turned.evidence] == [row.index(0) for row in other.evidence]
    assert set(turned.loose) == set(other.loose)
    assert [place is None for place in turned.offsets] == [place is None for place in other.offsets]
    apart = np.array([p for p in turned.offsets if p]) - np.array([p for p in other.offsets if p])
    assert np.abs(apart).max() <= 20
    hands = (Hand(Side.RED, (1, 6, 10)), Hand(None, (32,)))
    seen = replace(turned, hands=hands, lifted=(2, 30))
    assert seen.turned_about().hands == (Hand(Side.WHITE, (23, 27, 32)), Hand(None, (1,)))
    assert seen.turned_about().lifted == (3, 31)
    assert seen.turned_about().turned_about() == seen


def with_disc(image: Image, place: tuple[float, float]) -> Image:
    """A picture with one more of the lighter discs."""
    turn = np.linspace(0, 2 * np.pi, 60)
    rim = np.array(place) + 0.38 * np.column_stack([np.cos(turn), np.sin(turn)])
    return cv2.fillPoly(image.copy(), [VIEW.project(rim).round().astype(np.int32)], WHITE)


# --- The file --------------------------------------------------------------------------------


@pytest.mark.parametrize("lighter", [False, True])
def test_a_file_tells_which_discs_begin(lighter: bool, tmp_path: Path) -> None:
    known, path = learnt(START, ways=ways_of(lighter)), tmp_path / "board.json"
    known.save(path)
    assert Calibration.load(path) == known


def test_by_a_file_of_before_the_darker_begin(tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    learnt(START).save(path)
    record = json.loads(path.read_text())
    del record["sum"], record["lighter_begins"]
    path.write_text(json.dumps({**record, "version": 2}))
    assert Calibration.load(path) == learnt(START)
    path.write_text(json.dumps({**record, "version": 2, "lighter_begins": "no"}))
    with pytest.raises(CalibrationError):
        Calibration.load(path)


# --- Whole games -----------------------------------------------------------------------------

MOVES = ["11-15", "22-18"]
"""After which the board looks the same from the other side."""


BLACK = (40, 42, 45)


def drawn(folder: Path, darker: tuple[int, int, int] | None = None) -> Path:
    """A short game in which the side that begins has the lighter discs, and puts one down on a
    light square. White ones and red ones, or those and `darker` ones."""
    played = play.prepare(parse(f"{STAGE}22-18\noff-square 9 down\nrestore\nwait 1"))
    look = played.stage.look
    lighter, other = (look.red, darker) if darker else (look.white, look.red)
    stage = replace(played.stage, look=replace(look, red=lighter, white=other))
    pictures = play.pictures(replace(played, stage=stage))
    return filmed((picture for _, picture in pictures), folder / "game.avi")


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return drawn(tmp_path_factory.mktemp("film"))


def watched(film: Path, folder: Path, *options: str) -> int:
    """The status of a game that is kept in a folder."""
    places = ["--pdn", str(folder / "game.pdn"), "--games", str(folder / "games")]
    return cli.main(["watch", str(film), "--json", *places, *options])


def assert_followed(out: str, folder: Path) -> None:
    assert names(out) == ["ready", "played", "played", "irregular", "ruling", "restored"]
    assert_recorded(out, folder)


def assert_recorded(out: str, folder: Path) -> None:
    (offence,) = (line for line in lines(out) if line["event"] == "irregular")
    assert (offence["kind"], offence["side"], offence["squares"][0]) == ("illegal_step", "red", 9)
    (record,) = parse_pdn((folder / "game.pdn").read_text())
    assert [str(move) for move in record.game.moves] == MOVES


def test_a_game_that_the_lighter_begin_is_followed(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert watched(film, tmp_path, "--begins", "lighter") == 0
    assert_followed(capsys.readouterr().out, tmp_path)


def test_without_a_word_the_lighter_have_begun_when_the_darker_answer(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert watched(film, tmp_path) == 0
    out, err = capsys.readouterr()
    told = names(out)
    begun = ["ready", "irregular", "ruling", "corrected", "played", "played"]
    assert told == [*begun, "irregular", "ruling", "restored"]
    assert lines(out)[told.index("irregular")]["kind"] == "wrong_turn"
    assert lines(out)[told.index("corrected")]["against"] == "white"
    assert "if it is the lighter discs that begin in this set, play on" in err
    assert "the lighter discs have begun, and so they count" in err
    (record,) = parse_pdn((tmp_path / "game.pdn").read_text())
    assert [str(move) for move in record.game.moves] == MOVES
    assert "{" not in (tmp_path / "game.pdn").read_text()


def test_of_a_red_and_black_set_those_begin_who_move_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody is charged with having moved out of turn, when the red ones do."""
    assert watched(drawn(tmp_path, BLACK), tmp_path) == 0
    out, err = capsys.readouterr()
    begun = ["ready", "corrected", "played", "played"]
    assert names(out) == [*begun, "irregular", "ruling", "restored"]
    assert_recorded(out, tmp_path)
    assert err.count("it is the one that moves first, unless you say --begins") == 1
    assert "the lighter discs have begun, and so they count" in err


def test_a_game_in_which_the_lighter_have_begun_goes_on_so(film: Path, tmp_path: Path) -> None:
    watched(film, tmp_path)
    (folder,) = (place for place in (tmp_path / "games").iterdir() if place.is_dir())
    assert Calibration.load(folder / "calibration.json").lighter_begins
    again = tmp_path / "again.pdn"
    assert cli.main(["export", str(folder), "-o", str(again)]) == 0
    (record,) = parse_pdn(again.read_text())
    assert [str(move) for move in record.game.moves] == MOVES


@pytest.mark.parametrize("tells", [False, True])
def test_where_the_darker_are_said_to_begin_how_to_say_otherwise_is_told(
    tells: bool,
    film: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Where the first position could not tell."""
    monkeypatch.setattr(watch, "tells_who_begins", lambda _: tells)
    watched(film, tmp_path, "--begins", "darker")
    out, err = capsys.readouterr()
    assert names(out)[:2] == ["ready", "irregular"]
    assert "corrected" not in names(out)
    assert lines(out)[1]["kind"] == "wrong_turn"
    assert err.count("start again with --begins lighter") == (not tells)


def test_the_usual_start_does_not_tell_who_begins_and_others_do() -> None:
    assert [tells_who_begins(setup) for setup in (START, MIDGAME, ODDS)] == [False, True, True]


def test_the_settings_say_it_too_and_calibrate_keeps_it(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, config = str(tmp_path / "board.json"), tmp_path / "referee.toml"
    config.write_text("[rules]\nbegins = 'lighter'\n")
    asked = ["calibrate", str(film), "-o", file, "--json"]
    assert cli.main([*asked, "--config", str(config)]) == 0
    (found,) = lines(capsys.readouterr().out)
    assert found["begins"] == "lighter"
    assert watched(film, tmp_path, "--calibration", file) == 0
    assert_followed(capsys.readouterr().out, tmp_path)


def test_the_service_is_told_by_its_settings(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "referee.toml"
    config.write_text(
        f"[camera]\nsource = {json.dumps(str(film))}\n[rules]\nbegins = 'lighter'\n"
        "[games]\nfolder = '.'\n"
    )
    assert cli.main(["service", "run", "--config", str(config), "--json"]) == 0
    assert_followed(capsys.readouterr().out, tmp_path)


def test_a_game_goes_on_with_the_discs_with_which_it_began(
    film: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    watched(film, tmp_path, "--begins", "lighter")
    (kept,) = (tmp_path / "games").glob("*/calibration.json")
    known = Calibration.load(kept)
    assert known.lighter_begins
    small = replace(known.view, lens=replace(known.view.lens, width=320))
    replace(known, view=small).save(kept)  # of other pictures: the board is searched anew
    monkeypatch.setattr(resume, "game_camera", lambda *_: Live(film))
    assert cli.main(["resume", "last", "--games", str(tmp_path / "games"), "--json"]) == 0
    assert "different" not in names(capsys.readouterr().out)
    assert np.abs(Calibration.load(kept).view.corners() - known.view.corners()).max() < 2
    assert Calibration.load(kept).lighter_begins


def test_nor_does_a_newer_calibration_have_the_others_begin(
    film: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The board looks the same from the other side, where nothing would tell."""
    file, places = str(tmp_path / "board.json"), ("--games", str(tmp_path / "games"))
    cli.main(["calibrate", str(film), "-o", file])
    watched(film, tmp_path, "--begins", "lighter", "--calibration", file)
    (kept,) = (tmp_path / "games").glob("*/calibration.json")
    before = Calibration.load(kept)
    capsys.readouterr()
    monkeypatch.setattr(resume, "game_camera", lambda *_: Live(film))
    assert cli.main(["resume", "last", *places, "--json", "--calibration", file]) == 0
    assert "touched" not in names(capsys.readouterr().out)
    now = Calibration.load(kept)
    assert now.lighter_begins
    assert np.abs(now.view.corners() - before.view.corners()).max() < 2

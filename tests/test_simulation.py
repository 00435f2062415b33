"""A seeded slice of the simulated games; the long run is `python -m referee.simulation`."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from zlib import crc32

import pytest

from referee.board import EMPTY, Side
from referee.events import Conduct, Irregular, Irregularity, Proposed, Touch, Verdict, phrase
from referee.rules import play
from referee.simulation import score as scoring
from referee.simulation.deeds import unfounded
from referee.simulation.eye import Eye, Sharpness
from referee.simulation.games import FORGET, PeopleOf, stage_game
from referee.simulation.people import Habits
from referee.simulation.scene import Handling, Offence, Scene
from referee.simulation.score import Score, agreeing, referee_game


def test_a_few_games_are_followed_without_a_fault() -> None:
    score = Score()
    for seed in (11_000_033, 11_000_034):
        score.add(referee_game(seed, forget=0.0, plies=20))
    assert score.plies == 40
    assert score.right == score.plies
    assert not score.false


def test_a_record_that_finds_its_way_back_is_wrong_only_where_it_was() -> None:
    assert agreeing("abcdef", "abxdef") == 5
    assert agreeing("abcdef", "abdef") == 5
    assert agreeing("abcdef", "xabcdefy") == 6
    assert agreeing("abcdef", "") == 0


def plies_of(seed: int, people_of: PeopleOf = Habits.draw) -> str:
    """What a seed has people play, in short: how many plies, and a sum of these and of when each
    was made. How the eye errs is not in it."""
    plies = stage_game(random.Random(seed), FORGET, people_of=people_of).plies
    told = " ".join(f"{move} {time_ms}" for move, time_ms in plies)
    return f"{len(plies)} {crc32(told.encode()):08x}"


MISREAD = [
    pytest.param(9946029838142, "120 4974c319", id="a king goes from one lamp to another"),
    pytest.param(9957529872669, "26 566270d8", id="a king is jumped where a lamp is mirrored"),
    pytest.param(9957629872905, "120 c12cbee7", id="upset pieces are put back one by one"),
    pytest.param(
        9964029892013, "119 1e8d9397", id="a capture too many goes back while a lamp hides a square"
    ),
    pytest.param(
        9964129892450,
        "93 d2089894",
        id="a king steps aside and back over a square of the last move",
    ),
    pytest.param(
        9966029898190,
        "91 791ac514",
        id="a new king is crowned by the hand that brought it, in a moment",
    ),
    pytest.param(
        9966029898115, "120 b7a516e4", id="a king is taken up again as soon as its move is told"
    ),
    pytest.param(
        9966229898630,
        "52 0b2010c8",
        id="a lamp shows a piece until the other's hand passes its square",
    ),
    pytest.param(
        9964129892314, "120 0abb02bd", id="a square beside the hand is misread for two seconds"
    ),
    pytest.param(
        9964029892076,
        "120 f8b15d95",
        id="where a king has left cannot be read as it is seen to arrive",
    ),
    pytest.param(
        9967129901307, "96 a4633380", id="a capture is put back as four unseen moves would have it"
    ),
]

FILMED = [
    pytest.param(9977229931626, "64 147a756b", id="a king that is put back is seen in the hand"),
    pytest.param(
        9977229931650, "120 8cd39eda", id="two move in the dark, and a third holds his man"
    ),
    pytest.param(9978029934092, "48 cfdc6c05", id="a man is taken up unseen to recapture"),
    pytest.param(
        9978029934212, "52 7b53b992", id="who crowned himself looks a man, but for his portrait"
    ),
    pytest.param(
        9977929933743, "40 1255078d", id="an arm at the other's edge is named the other's"
    ),
    pytest.param(
        9977629934317,
        "120 197bb76a",
        id="a king is held out of sight that an arm without a name has taken",
    ),
    pytest.param(
        9978529935573,
        "120 0fba910a",
        id="a hand comes to a man whom one that was not seen has crowned",
    ),
    pytest.param(9978229934644, "6 c88d0267", id="a king is crowned whose portrait denies it"),
]


RESTLESS = [
    pytest.param(
        2000012, "68 b73ccdc9", id="a king is moved back, elsewhere, and answered at once"
    ),
    pytest.param(
        2000022,
        "100 a232fe48",
        id="a king is moved back, elsewhere, and the answer is soon answered",
    ),
    pytest.param(2000035, "42 2d2213b7", id="a man is moved back, and another at once"),
    pytest.param(
        3000034, "45 dd292c3b", id="a capture of two is put back, and another made at once"
    ),
    pytest.param(
        10000042,
        "85 1be6cc07",
        id="a king is moved back where all kings might have gone to and fro",
    ),
    pytest.param(
        4000047, "58 a5c93129", id="two rows end alike, of which one was seen to be taken back"
    ),
    pytest.param(
        33000110, "74 177bb5de", id="a king went on unlawfully from where he was seen to lie"
    ),
    pytest.param(
        35000110,
        "50 92e8b9bd",
        id="a move was made in place of another, and much before the board lay still",
    ),
]


def misreading(rng: random.Random) -> Sharpness:
    """An eye as on film, but that frames come as slowly, readings waver as much, and squares are
    misread and glare lies on them as often, as `draw` has it."""
    again = random.Random()
    again.setstate(rng.getstate())
    drawn = Sharpness.draw(again)
    ill = {name: getattr(drawn, name) for name in ("frame_ms", "noise", "misreads", "glare")}
    return replace(Sharpness.filmed(rng), **ill)


def assert_perfect(
    seed: int,
    plies: str,
    eye_of: Callable[[random.Random], Sharpness],
    people_of: PeopleOf = Habits.draw,
) -> None:
    drawn = plies_of(seed, people_of)
    assert drawn == plies, "the simulation draws otherwise now: find this scene again"
    score = referee_game(seed, forget=FORGET, eye_of=eye_of, people_of=people_of)
    assert score.perfect, (score.wrong, score.false)


@pytest.mark.parametrize(("seed", "plies"), MISREAD)
def test_games_whose_record_broke_off_once(seed: int, plies: str) -> None:
    assert_perfect(seed, plies, misreading)


@pytest.mark.parametrize(("seed", "plies"), FILMED)
def test_games_that_broke_off_by_an_eye_that_misreads_little(seed: int, plies: str) -> None:
    assert_perfect(seed, plies, Sharpness.filmed)


@pytest.mark.parametrize(("seed", "plies"), RESTLESS)
def test_games_of_restless_people_that_were_lost(seed: int, plies: str) -> None:
    assert_perfect(seed, plies, Sharpness.filmed, Habits.restless)


def test_offences_are_staged_and_most_are_found() -> None:
    score = Score()
    for seed in (21, 22, 23):
        score.add(referee_game(seed, forget=0.25, plies=12))
    assert score.staged.total() >= 4
    assert score.found.total() >= 0.8 * score.staged.total()
    assert len(score.false) <= 1


def test_what_is_staged_is_a_lawful_game() -> None:
    scene = stage_game(random.Random(3), forget=0.1)
    position = scene.first
    for move, _ in scene.plies:
        position = play(position, move)
    assert scene.offences


def test_so_it_is_with_restless_people_though_they_take_moves_back() -> None:
    scene = stage_game(random.Random(3), forget=0.1, people_of=Habits.restless)
    position = scene.first
    for move, _ in scene.plies:
        position = play(position, move)
    assert position.setup == scene.setup
    assert scene.regrets


def test_the_same_seed_shows_the_same_game() -> None:
    def seen() -> list[object]:
        rng = random.Random(4)
        scene = stage_game(rng, forget=0.05)
        eye = Eye(scene, Sharpness.draw(rng), rng)
        return [observation for observation, _ in zip(eye.observations(), range(200), strict=False)]

    assert seen() == seen()


def lifting(shown_ms: int) -> tuple[Scene, Handling]:
    """A piece is lifted from 9, which its player's arm then leaves open for some time."""
    scene = Scene(random.Random(5))
    scene.hand(Side.RED, 9, 200, 200)
    since = scene.time_ms
    scene.put({9: EMPTY})
    scene.wait(shown_ms, shown_ms)
    scene.hand(Side.RED, 9, 300, 300, held="r")
    scene.put({9: "r"})
    scene.wait(1_000, 1_000)
    return scene, Handling(Side.RED, 9, Touch.LIFTED, since, scene.time_ms)


def test_how_long_a_lifted_piece_was_seen_to_be_off() -> None:
    for shown_ms in (0, 400):
        scene, handling = lifting(shown_ms)
        eye = Eye(scene, Sharpness.draw(scene.rng), scene.rng)
        eye.unhidden = {id(reach): set() for reach in eye.reaches}
        assert eye.bared_ms(handling) == shown_ms


def proposed(side: Side, square: int, time_ms: int) -> Proposed:
    conduct = Conduct.TOUCHED_OFF_TURN
    said = phrase(conduct.value, side=side, square=square)
    return Proposed(time_ms, conduct, Verdict.WARNING, side, "", "", said, 0)


def test_a_proposal_about_a_touch_that_nobody_made_is_false() -> None:
    scene, handling = lifting(400)
    scene.handlings.append(handling)
    true, *false = (
        proposed(side, square, handling.until_ms + late_ms)
        for side, square, late_ms in (
            (Side.RED, 9, 500),
            (Side.WHITE, 9, 500),
            (Side.RED, 10, 500),
            (Side.RED, 9, 60_000),
        )
    )
    assert unfounded([true, *false], list(scoring._deeds(scene))) == false


def test_a_claim_of_quite_other_squares_finds_no_offence() -> None:
    kind = Irregularity.ILLEGAL_STEP
    offence = Offence(kind, Side.RED, 10_000, 15_000, squares=(11, 16))
    fits = [
        scoring._fits(offence, Irregular(11_000, kind, side, squares, ()))
        for side, squares in ((Side.RED, (11, 16)), (Side.WHITE, (11, 16)), (Side.RED, (1, 32)))
    ]
    assert fits == [True, False, False]


def test_a_question_costs_a_game_without_questions() -> None:
    score = Score()
    for seed in (21, 22, 23, 9_300):
        one = referee_game(seed, forget=0.1, plies=16, people_of=Habits.restless)
        assert one.unasked == bool(one.perfect and not one.unsure and not one.withdrawn)
        score.add(one)
    assert score.unasked < score.perfect


@pytest.mark.parametrize(("away_ms", "alike"), [(3_000, True), (15_000, False)])
def test_a_piece_that_is_soon_put_back_looks_its_rank_about_as_before(
    away_ms: int, alike: bool
) -> None:
    changes = []
    for seed in range(60):
        scene, _ = lifting(away_ms)
        plain = replace(Sharpness.filmed(random.Random(seed)), rank=600, wrong_rank=0.0)
        eye = Eye(scene, plain, random.Random(seed))
        before = eye.ranks[9 - 1]
        for _ in eye.observations():
            pass
        changes.append(abs(eye.ranks[9 - 1] - before))
    assert (sorted(changes)[48] < 150) == alike


def test_a_lamp_makes_an_empty_square_faint_and_a_piece_on_it_hardly() -> None:
    scene, _ = lifting(400)
    eye = Eye(scene, Sharpness.draw(scene.rng), scene.rng)
    eye.faint = {9: 0.15}
    assert (eye._share(9, EMPTY), eye._share(10, EMPTY)) == (0.15, 1.0)
    assert eye._share(9, "r") > 0.5


def test_a_piece_that_looks_the_wrong_rank_says_no_more_of_its_owner() -> None:
    scene, _ = lifting(400)
    eye = Eye(scene, replace(Sharpness.draw(scene.rng), noise=0), scene.rng)
    assert eye._evidence("w", 500, -300) == (-500, -500, -500, -300, 0)
    assert eye._evidence("w", 500, 300) == (-500, -500, -500, 0, -300)

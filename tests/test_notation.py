"""FEN, moves and PDN: strict writers, forgiving readers, and nothing lost in between."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import notation
from referee.board import EMPTY, Side
from referee.errors import AmbiguousMove, IllegalMove, NotationError, RefereeError
from referee.notation import Game, Kind, parse_fen, parse_move, parse_pdn, tokens, write_pdn
from referee.rules import Move, Position, lawful_moves
from tests.strategies import games, positions

REAL_GAMES = (Path(__file__).parent / "data" / "games.pdn").read_bytes()
START_FEN = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


# --- FEN ------------------------------------------------------------------------------------


def test_the_start_is_written_red_as_b() -> None:
    assert notation.fen(Position.start()) == START_FEN
    assert parse_fen(START_FEN) == Position.start()


@given(positions())
def test_every_position_comes_back_from_its_fen(position: Position) -> None:
    assert parse_fen(notation.fen(position)) == position


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("W:W18,K10,K27:B12,K30", id="strict-but-unsorted"),
        pytest.param("W:B12,K30:WK10,18,K27", id="red-first"),
        pytest.param("w:wk10,18,k27:b12,k30", id="lower-case"),
        pytest.param("W:WK10,18,K27:B12,K30.", id="final-full-stop"),
        pytest.param('"W:WK10,18,K27:B12,K30"', id="quotes"),
        pytest.param(" W : W K10, 18 ,K 27 : B 12 , K30 ", id="blanks"),
        pytest.param("W:WK10,18,K27,:B12,,K30", id="stray-commas"),
        pytest.param('[FEN "W:WK10,18,K27:B12,K30"]', id="whole-tag"),
        pytest.param("Position W:WK10,018,K27:B12,K30", id="text-before-and-leading-zero"),
    ],
)
def test_fen_as_found(text: str) -> None:
    assert notation.fen(parse_fen(text)) == "W:WK10,18,K27:B12,K30"


@pytest.mark.parametrize(
    ("text", "strict"),
    [
        pytest.param("B:W21-32:B1-12", START_FEN, id="ranges"),
        pytest.param("W:B1-12:W21-32", "W" + START_FEN[1:], id="ranges-red-first"),
        pytest.param("W:WK1-3:B12", "W:WK1,K2,K3:B12", id="range-of-kings"),
        pytest.param("W:WK1-K3:B12", "W:WK1,K2,K3:B12", id="range-of-kings-said-twice"),
        pytest.param("B:WK1:B", "B:WK1:B", id="no-red-piece"),
        pytest.param("B:W:B5", "B:W:B5", id="no-white-piece"),
    ],
)
def test_fen_extensions(text: str, strict: str) -> None:
    assert notation.fen(parse_fen(text)) == strict


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("", "the side to move is W or B, not ''", id="nothing"),
        pytest.param("W::", "begins with W or B, not ''", id="no-colours"),
        pytest.param("X:W18:B1", "the side to move is W or B, not 'X'", id="unknown-turn"),
        pytest.param("BB:W18:B1", "the side to move", id="doubled-turn"),
        pytest.param("B:R18:B1", "begins with W or B, not 'R18'", id="no-r-for-red"),
        pytest.param("B:W18:B1:H0", "not 'H0'", id="a-third-list"),
        pytest.param("B:W18", "0 lists of pieces for B", id="one-list"),
        pytest.param("B:W18:W19", "2 lists of pieces for W", id="one-colour-twice"),
        pytest.param("B:W0:B1", "0 is not within 1 to 32", id="square-0"),
        pytest.param("B:W18:B33", "33 is not within 1 to 32", id="square-33"),
        pytest.param("B:W18:B30-40", "30-40 is not within", id="range-leaves-the-board"),
        pytest.param("B:W18:B9-5", "9-5 is not within", id="range-backward"),
        pytest.param("B:W18:B1,q", "'Q' is not a square", id="not-a-number"),
        pytest.param("B:W18:B1,18", "square 18 is named twice", id="both-colours"),
        pytest.param("B:W18,18:B1", "square 18 is named twice", id="one-colour"),
        pytest.param("B:W1:B5", "white man on 1 stands on its king-row", id="white-man-to-crown"),
        pytest.param("B:W18:B29", "red man on 29 stands on its king-row", id="red-man-to-crown"),
        pytest.param("B:W32:B1-13", "red has 13 pieces", id="too-many"),
    ],
)
def test_fen_refused(text: str, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_fen(text)
    assert problem in str(caught.value)


def test_fen_says_every_problem() -> None:
    with pytest.raises(ValueError, match="side to move") as caught:
        parse_fen("X:W0,18,18,1:B33,29,Z")
    assert isinstance(caught.value, NotationError)
    assert len(caught.value.problems) == 7


@given(st.text() | st.text("WBK:,-0123456789 .", max_size=40))
def test_any_text_is_a_position_or_a_notation_error(text: str) -> None:
    try:
        position = parse_fen(text)
    except NotationError:
        return
    assert not position.problems()


# --- Moves ----------------------------------------------------------------------------------

TWO_WAYS = "B:W6,7,14,15,32:B2"
DIAMOND = "B:W6,7,14,15,32:BK2"
LOOP = "B:W7,14,15,22,23:BK10"
"""A king that can jump 7 at once, or first go round 14, 22, 23 and 15 and then jump 7."""


@pytest.mark.parametrize(
    ("fen", "path", "text"),
    [
        pytest.param(START_FEN, "11-15", "11-15", id="plain"),
        pytest.param("B:W18:B14", "14x23", "14x23", id="jump"),
        pytest.param("B:W18,27:B14", "14x23x32", "14x32", id="double-jump-by-its-ends"),
        pytest.param(TWO_WAYS, "2x9x18", "2x9x18", id="two-ways-in-full"),
        pytest.param(DIAMOND, "2x9x18x11x2", "2x9x18x11x2", id="diamond-in-full"),
        pytest.param(LOOP, "10x3", "10x3", id="the-short-way"),
        pytest.param(LOOP, "10x17x26x19x10x3", "10x17x26x19x10x3", id="the-long-way-in-full"),
    ],
)
def test_moves_are_written_briefly(fen: str, path: str, text: str) -> None:
    position = parse_fen(fen)
    (move,) = (move for move in lawful_moves(position) if str(move) == path)
    assert notation.move_text(position, move) == text
    assert parse_move(position, text) == move


@given(positions())
def test_every_lawful_move_comes_back_from_its_text(position: Position) -> None:
    for move in lawful_moves(position):
        assert parse_move(position, notation.move_text(position, move)) == move
        assert parse_move(position, str(move)) == move


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("14x32", id="ends"),
        pytest.param("14x23x32", id="full-path"),
        pytest.param("14-32", id="hyphen"),
        pytest.param("14:32", id="colon"),
        pytest.param("14X32", id="capital"),
        pytest.param("14 x 32", id="blanks"),
        pytest.param("14x\n32", id="line-break"),
        pytest.param("14x23 23x32", id="jump-by-jump"),
        pytest.param("14x32!", id="strength"),
        pytest.param("14x32*", id="forced"),
        pytest.param(" 14x32 ", id="blanks-around"),
    ],
)
def test_moves_as_found(text: str) -> None:
    assert str(parse_move(parse_fen("B:W18,27:B14"), text)) == "14x23x32"


def test_a_plain_move_may_be_written_with_x() -> None:
    assert str(parse_move(Position.start(), "11x15")) == "11-15"


def test_part_of_the_way_is_enough_where_it_decides() -> None:
    position = parse_fen(DIAMOND)
    assert str(parse_move(position, "2x9x18x2")) == "2x9x18x11x2"
    with pytest.raises(AmbiguousMove, match="2x9x18x11x2 or 2x11x18x9x2"):
        parse_move(position, "2x2")


@pytest.mark.parametrize(
    ("fen", "text", "error", "message"),
    [
        pytest.param(START_FEN, "eleven", NotationError, "not a move such as", id="words"),
        pytest.param(START_FEN, "11", NotationError, "not a move", id="one-square"),
        pytest.param(START_FEN, "", NotationError, "not a move", id="nothing"),
        pytest.param(START_FEN, "11-33", NotationError, "square 33", id="square-33"),
        pytest.param(START_FEN, "99-99", NotationError, "^square 99[^;]*$", id="told-once"),
        pytest.param(START_FEN, "0-0", NotationError, "square 0", id="square-0"),
        pytest.param(START_FEN, "11-18", IllegalMove, "11-18 is not lawful for red", id="too-far"),
        pytest.param("B:W18:B1,14", "1-5", IllegalMove, "compulsory", id="capture-missed"),
        pytest.param("B:W18,27:B14", "14x23", IllegalMove, "must be finished", id="broken-off"),
        pytest.param("B:W18,27:B14", "14x24x32", IllegalMove, "that way", id="another-way"),
        pytest.param(TWO_WAYS, "2x18", AmbiguousMove, "2x9x18 or 2x11x18", id="two-ways"),
    ],
)
def test_moves_refused(fen: str, text: str, error: type[RefereeError], message: str) -> None:
    with pytest.raises(error, match=message):
        parse_move(parse_fen(fen), text)


# --- PDN ------------------------------------------------------------------------------------


def one(text: str) -> notation.Record:
    (record,) = parse_pdn(text)
    return record


def sound(text: str) -> Game:
    record = one(text)
    assert record.failure is None, str(record.failure)
    return record.game


def played(text: str) -> str:
    return " ".join(str(move) for move in sound(text).moves)


def test_real_games_are_replayed_to_their_ends() -> None:
    records = parse_pdn(notation.decode(REAL_GAMES))
    assert [record.failure for record in records] == [None] * 5
    assert [len(record.game.moves) for record in records] == [44, 44, 41, 64, 37]
    assert [record.game.result for record in records] == ["1/2-1/2", "0-1", "1-0", "0-1", "1-0"]
    assert records[0].game.tags["White"] == "Pawlek, Dennis"
    assert {move.piece for move in records[3].game.moves} == set("rRwW")
    assert max(len(move.captured) for move in records[4].game.moves) == 3


def test_real_games_come_back_from_our_pdn() -> None:
    for record in parse_pdn(notation.decode(REAL_GAMES)):
        assert sound(write_pdn(record.game)) == record.game


@given(games())
def test_every_game_comes_back_from_its_pdn(game: Game) -> None:
    assert sound(write_pdn(game)) == game


@given(st.lists(games(), max_size=4))
def test_games_in_one_text_stay_apart(several: list[Game]) -> None:
    records = parse_pdn("\n".join(map(write_pdn, several)))
    assert [record.game for record in records] == several
    assert not any(record.failure for record in records)


def test_written_pdn_line_by_line() -> None:
    start = parse_fen("W:W22,K32:B14")
    moves = (parse_move(start, "22-17"), Move((14, 21), (17,), "r"))
    game = Game({"Site": 'The "Dog"', "Event": "Final"}, start, moves, "0-1", {1: "good"})
    assert write_pdn(game).splitlines() == [
        '[Event "Final"]',
        '[Site "The \\"Dog\\""]',
        '[Result "0-1"]',
        '[GameType "21"]',
        '[SetUp "1"]',
        '[FEN "W:W22,K32:B14"]',
        "",
        "1... 22-17 {good} 2. 14x21 0-1",
    ]


def test_tags_stand_in_the_usual_order() -> None:
    names = ["ECO", "Round", "Site", "White", "Black", "Date", "Event"]
    text = write_pdn(Game(dict.fromkeys(names, "1999-01-02")))
    order = [line.split()[0][1:] for line in text.splitlines() if line.startswith("[")]
    assert order == [*notation.TAG_ORDER, "ECO"]
    assert '[Date "1999.01.02"]' in text
    assert '[Round "1999-01-02"]' in text


@given(games())
def test_lines_are_at_most_80_long(game: Game) -> None:
    body = write_pdn(game).split("\n\n", 1)[1]
    assert all(len(line) <= 80 or " " not in line for line in body.splitlines())


def test_no_word_is_broken_over_two_lines() -> None:
    comment = " ".join("a" * length + "-bcd" for length in range(2, 40))
    assert sound(write_pdn(Game(comments={0: comment}))).comments == {0: comment}


@pytest.mark.parametrize("opening", ["{", "[a ", '[a "', "{ [a "])
def test_what_nobody_closes_is_looked_for_once(opening: str) -> None:
    """From every bracket to the end and again it would take minutes."""
    pieces = list(tokens(f"1. 11-15 {{a}} {opening * 50_000}\n 22-18"))
    assert [piece.text for piece in pieces[:3]] == ["1.", "11-15", "{a}"]
    assert (pieces[-1].kind, pieces[-1].text) == (Kind.MOVE, "22-18")


def test_a_text_with_braces_is_still_one_comment() -> None:
    assert sound(write_pdn(Game(comments={0: "a {b} \n c"}))).comments == {0: "a (b) c"}


@pytest.mark.parametrize(
    ("game", "problem"),
    [
        pytest.param(Game(result="2-0"), "a result is one of 1-0, 0-1", id="result"),
        pytest.param(Game({"a b": ""}), "'a b' cannot be a tag", id="tag-with-a-blank"),
        pytest.param(Game({"FEN": ""}), "'FEN' cannot be a tag", id="tag-with-its-own-place"),
    ],
)
def test_pdn_not_written(game: Game, problem: str) -> None:
    with pytest.raises(NotationError, match=problem):
        write_pdn(game)


def test_unlawful_moves_are_not_written() -> None:
    first = lawful_moves(Position.start())[0]
    with pytest.raises(IllegalMove, match="lawful moves:"):
        write_pdn(Game(moves=(first, first)))


QUIRKS = [
    pytest.param("1. 11-15 22-18 2. 15x22 25x18 *", id="as-it-should-be"),
    pytest.param("1.11-15 22-18 2.15x22 25x18 *", id="no-blank-after-the-number"),
    pytest.param("1. 11-15 1... 22-18 2. 15x22 2. ... 25x18 *", id="dots-for-white"),
    pytest.param("1. 11-15 22-18 15x22 2. 25x18 *", id="three-plies-after-a-number"),
    pytest.param("11-15 22-18 15x22 25x18", id="no-number-no-result"),
    pytest.param("1. 11-15 22-18 2. 15-22 25-18 *", id="hyphen-for-captures"),
    pytest.param("1. 11x15 22x18 2. 15x22 25x18 *", id="x-for-plain-moves"),
    pytest.param("1. 11-15 22-18 2. 15x 22 25 x18 *", id="blank-in-a-capture"),
    pytest.param("1. 11 - 15 22 -18 2. 15 x 22 25 X 18 *", id="blanks-in-all"),
    pytest.param("1. 11-\n15 22\n-18\n2.\n15x22 25x\n18\n*", id="lines-broken-between-squares"),
    pytest.param("1. 11-15\r\n22-18 2. 15x22\r25x18 *\r\n", id="line-ends-of-other-systems"),
    pytest.param("1. 11-15! 22-18? 2. 15x22(?) 25x18 !? *", id="strengths"),
    pytest.param("1. 11-15* 22-18 2. 15x22* 25x18* *", id="forced-and-terminator"),
    pytest.param("1. 11-15 $1 22-18$2 2. 15x22 25x18 $7 *", id="numbered-signs"),
    pytest.param("1. 11-15 (1. 9-14 22-18) 22-18 2. 15x22 25x18 *", id="variation"),
    pytest.param("11-15 (9-14 (9-13 {a)} 1-0) *) 22-18 15x22 25x18", id="variation-in-another"),
    pytest.param("1. 11-15 22-18\n% 9-14 {\n2. 15x22 25x18 *", id="escaped-line"),
    pytest.param("1. 011-15 22-018 2. 15x22 25x18 *", id="leading-zeros"),
    pytest.param("1. 11–15 22-18 2. 15×22 25:18 *", id="other-signs"),
]


@pytest.mark.parametrize("text", QUIRKS)
def test_moves_of_real_files(text: str) -> None:
    assert played(text) == "11-15 22-18 15x22 25x18"


def test_comments_belong_to_the_move_before() -> None:
    game = sound("{start} 1. 11-15 {one} ; two 9-14}\n 22-18 {[%clk 0:29:41]} 15x22 {} * {end ; }")
    assert game.comments == {0: "start", 1: "one two 9-14}", 2: "[%clk 0:29:41]", 3: "end ;"}


@pytest.mark.parametrize(
    ("text", "result"),
    [
        pytest.param("11-15 1-0", "1-0", id="red-won"),
        pytest.param("11-15 0-1", "0-1", id="white-won"),
        pytest.param("11-15 1/2-1/2", "1/2-1/2", id="draw"),
        pytest.param("11-15 1/2 - 1/2", "1/2-1/2", id="draw-with-blanks"),
        pytest.param("11-15 1-1", "1/2-1/2", id="draw-by-points"),
        pytest.param("11-15 2-0", "1-0", id="red-won-by-points"),
        pytest.param("11-15 0-2", "0-1", id="white-won-by-points"),
        pytest.param("11-15 0-0", "0-0", id="both-lost"),
        pytest.param("11-15 *", "*", id="not-finished"),
        pytest.param("11-15", "*", id="nothing-said"),
        pytest.param('[Result "1-0"] 11-15', "1-0", id="in-the-tags-only"),
        pytest.param('[Result "1-0"] 11-15 *', "1-0", id="star-as-a-separator"),
        pytest.param('[Result "1-0"] 11-15 0-1', "0-1", id="after-the-moves-counts"),
        pytest.param('[Result "red"] 11-15', "*", id="unknown"),
        pytest.param("11-15 1-0 *", "1-0", id="both"),
    ],
)
def test_results(text: str, result: str) -> None:
    game = sound(text)
    assert game.result == result
    assert [str(move) for move in game.moves] == ["11-15"]


def test_a_move_that_begins_like_a_result_is_a_move() -> None:
    assert played('[FEN "B:W6:BK1"] 1-10 *') == "1x10"


def test_results_are_named_by_the_winner() -> None:
    assert notation.WINS == {Side.RED: "1-0", Side.WHITE: "0-1"}
    assert notation.PLAYER_TAGS[Side.RED] == "Black"


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        pytest.param('[Event "Final"]', "Event", "Final", id="plain"),
        pytest.param('[Event "The \\"Dog\\""]', "Event", 'The "Dog"', id="quotes-escaped"),
        pytest.param('[Event "The "Dog" cup"]', "Event", 'The "Dog" cup', id="quotes-inside"),
        pytest.param("[Event Final]", "Event", "Final", id="no-quotes"),
        pytest.param('[Event "Final]', "Event", "Final", id="one-quote"),
        pytest.param('[Event""]', "Event", "", id="empty"),
        pytest.param('[ Event  "Final" ]', "Event", "Final", id="blanks"),
        pytest.param('[Date "1841-??-??"]', "Date", "1841.??.??", id="date-of-2.0"),
        pytest.param('[Date "May 1841"]', "Date", "May 1841", id="date-in-words"),
    ],
)
def test_tags_as_found(text: str, name: str, value: str) -> None:
    assert sound(text + "\n11-15 *").tags == {name: value}


def test_a_game_from_a_fen_begins_with_white() -> None:
    game = sound('[GameType "21,B,8,8,N1,0"]\n[FEN "W:W22,K32:B14."]\n1. ... 22-17 1-0')
    assert notation.fen(game.start) == "W:W22,K32:B14"
    assert game.tags == {}
    assert str(game.moves[0]) == "22-17"


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("{only a comment}", [], id="only-a-comment"),
        pytest.param('[Event "a"]', [0], id="only-tags"),
        pytest.param("11-15 1-0 9-14 22-18 0-1", [1, 2], id="by-results-alone"),
        pytest.param('11-15 [Event "b"] 9-14', [1, 1], id="by-tags-alone"),
        pytest.param("1. 11-15 *\n\n1. 9-14 *", [1, 1], id="by-stars"),
        pytest.param("1. 11-15 1-0 {good} *", [1], id="comment-and-star-at-the-end"),
    ],
)
def test_where_games_end(text: str, moves: list[int]) -> None:
    assert [len(record.game.moves) for record in parse_pdn(text)] == moves


@pytest.mark.parametrize(
    ("text", "kind", "where", "reason"),
    [
        pytest.param("11-15\n22-18 9-14", IllegalMove, (3, 2, "9-14"), "compulsory", id="illegal"),
        pytest.param("11-15\n\n22-33", NotationError, (2, 3, "22-33"), "square 33", id="no-square"),
        pytest.param("11-15 castles", NotationError, (2, 1, "castles"), "not a move", id="word"),
        pytest.param("11-15 22", NotationError, (2, 1, "22"), "not a move", id="half-a-move"),
        pytest.param("11-15 {oh\n22-18", NotationError, (2, 1, "{"), "never closed", id="comment"),
        pytest.param("11-15 (9-14", NotationError, (2, 1, "("), "never closed", id="variation"),
        pytest.param("11-15 ) 22-18", NotationError, (2, 1, ")"), "no variation", id="bracket"),
        pytest.param(
            '11-15 /FEN "B:W1:B2"/', NotationError, (2, 1, '/FEN "B:W1:B2"/'), "anew", id="set-up"
        ),
        pytest.param(
            f'[FEN "{TWO_WAYS}"]\n2x18',
            AmbiguousMove,
            (1, 2, "2x18"),
            "2x9x18 or 2x11x18",
            id="ambiguous",
        ),
        pytest.param(
            '\n[FEN "W::"] 11-15', NotationError, (0, 2, '[FEN "W::"]'), "lists of", id="bad-fen"
        ),
        pytest.param(
            '[GameType "20"]', NotationError, (0, 1, '[GameType "20"]'), "GameType 20", id="10x10"
        ),
    ],
)
def test_where_and_why_reading_stopped(
    text: str, kind: type[RefereeError], where: tuple[int, int, str], reason: str
) -> None:
    failure = one(text).failure
    assert failure is not None
    assert (failure.ply, failure.line, failure.token) == where
    assert type(failure.error) is kind
    assert reason in str(failure)


def test_a_spoilt_game_keeps_its_beginning_and_harms_no_other() -> None:
    spoilt, good = parse_pdn('[Event "a"]\n11-15 22-18 9-14 0-1\n\n[Event "b"]\n9-14 *')
    assert [str(move) for move in spoilt.game.moves] == ["11-15", "22-18"]
    assert (spoilt.game.tags, spoilt.game.result) == ({"Event": "a"}, "0-1")
    assert spoilt.failure is not None
    assert good.failure is None
    assert len(good.game.moves) == 1


def test_a_variation_left_open_ends_with_its_game() -> None:
    spoilt, good = parse_pdn('11-15 (9-14 22-18 [Event "b"] 9-14 *')
    assert len(spoilt.game.moves) == len(good.game.moves) == 1
    assert spoilt.failure is not None
    assert spoilt.failure.token == "("


def test_failures_are_numbered_by_their_game() -> None:
    records = parse_pdn("9-14 * 9-99 * 9-14 * 9-98 *")
    assert [record.failure and record.failure.game for record in records] == [None, 2, None, 4]


def test_old_files_are_latin_1() -> None:
    assert notation.decode('[Site "Münster"]'.encode("latin-1")) == '[Site "Münster"]'
    assert notation.decode('[Site "Münster"]'.encode()) == '[Site "Münster"]'
    assert notation.decode(b'\xef\xbb\xbf[Site "a"]') == '[Site "a"]'


@given(st.text() | st.text('[]{}();%"*$!/-x.:0123456789\n WBKFENabc', max_size=80))
def test_reading_never_raises(text: str) -> None:
    for number, record in enumerate(parse_pdn(text), start=1):
        assert record.game.result in notation.RESULTS
        assert record.failure is None or record.failure.game == number


@given(st.binary())
def test_any_bytes_can_be_decoded(data: bytes) -> None:
    parse_pdn(notation.decode(data))


@given(games(), st.data())
def test_a_cut_record_is_a_sound_beginning(game: Game, data: st.DataObject) -> None:
    plain = replace(game, comments={}, tags={})
    text = write_pdn(plain)
    body = text.index("\n\n")
    cut = text[: data.draw(st.integers(body, len(text)))]
    (record,) = parse_pdn(cut)
    moves = record.game.moves
    assert moves[:-1] == plain.moves[: max(len(moves) - 1, 0)]


def test_tokens_know_kind_and_line() -> None:
    found = [(t.kind.name, t.text, t.line) for t in notation.tokens("[A 1]\n{x\ny} 1. 9-14! 1-0")]
    assert found == [
        ("TAG", "[A 1]", 1),
        ("COMMENT", "{x\ny}", 2),
        ("NUMBER", "1.", 3),
        ("MOVE", "9-14!", 3),
        ("RESULT", "1-0", 3),
    ]


def test_an_empty_board_is_written_too() -> None:
    assert notation.fen(Position(EMPTY * 32, Side.WHITE)) == "W:W:B"

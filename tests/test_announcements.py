"""What is said, in every language: catalogues that cover all, rules named, gaps filled."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from referee import announcements
from referee.announcements import LANGUAGES
from referee.announcer import announce
from referee.arbiter import Arbiter, begin
from referee.board import Side
from referee.colours import COLOURS, RED_AND_WHITE
from referee.commands import Word
from referee.english import ENGLISH
from referee.events import (
    Conduct,
    Corrected,
    Irregular,
    Irregularity,
    NotWatching,
    Proposed,
    Refused,
    Ruling,
    Seated,
    Verdict,
    phrase,
)
from referee.german import GERMAN
from referee.language import Language, aloud, called, reason_in, ruled, say
from referee.notation import parse_fen
from referee.profiles import GUIDE, ONLINE25, PROFILES, US, WCDF, Profile
from referee.rules import Fault
from referee.ruling.offences import irregular as judge
from referee.tracking.memory import lawful_texts
from referee.verbs.rules import records
from tests.table import ready

every_language = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
POSITION = parse_fen("W:W22,21,K30:B18,1")
SQUARES = {
    Irregularity.PIECE_DISPLACED: [(21,), (21, 13), (21, 1), (21, 14, 18, 1)],
    Irregularity.OFF_SQUARE: [(), (21,)],
    Irregularity.ILLEGAL_STEP: [(21, 9), (21, 9, 18), (21, 18), (30, 30), (21,)],
    Irregularity.WRONG_TURN: [(18, 14), (18, 25, 22)],
    Irregularity.OWN_PIECE_REMOVED: [(21,), (21, 30), (22, 15, 21), (21, 17, 22)],
    Irregularity.WRONG_PIECE_REMOVED: [(1,), (1, 18), (22, 15, 1)],
    Irregularity.JUMPED_PIECE_LEFT: [(22, 15, 18), (22, 8, 18, 11)],
}
"""The shapes in which an irregularity comes, where it has several."""


def gaps(text: str) -> set[str]:
    return {gap for _, gap, _, _ in string.Formatter().parse(text) if gap}


class TestCatalogues:
    @every_language
    def test_it_has_every_sentence_and_word(self, language: Language) -> None:
        assert set(language.sentences) == set(ENGLISH.sentences)
        assert set(language.consequences) == set(ENGLISH.consequences)
        assert set(language.words) >= set(ENGLISH.words)

    @every_language
    def test_its_gaps_are_those_of_the_others(self, language: Language) -> None:
        for key, parts in language.sentences.items():
            other = {"other", "side"}
            assert gaps("".join(parts)) | other == gaps("".join(ENGLISH.sentences[key])) | other

    @every_language
    def test_it_has_every_colour(self, language: Language) -> None:
        assert set(language.colours) == set(COLOURS)
        assert len(set(language.colours.values())) == len(COLOURS)

    def test_every_fault_has_words(self) -> None:
        assert {fault.name.lower() for fault in Fault} <= set(ENGLISH.words)

    def test_the_languages_differ(self) -> None:
        same = [
            key
            for key, parts in LANGUAGES["de"].sentences.items()
            if parts == ENGLISH.sentences[key]
        ]
        assert same == ["played", "result"]


def irregular(kind: Irregularity, squares: tuple[int, ...], side: Side | None) -> Irregular:
    return Irregular(1_000, kind, side, squares, ("22x15", "30-26", "30-25", "21-17"))


ROOT = Path(__file__).parent.parent
REASONS = {
    "calibration/locate.py": None,
    "referee/eye/first_sight.py": None,
    "referee/watching.py": None,
    "referee/clock.py": {"parse_setting"},
    "referee/rules.py": {"Fault", "refusal", "_square_problem", "_side_problem"},
    "referee/notation.py": {"_turn", "_setup", "_list_problems", "_pieces", "parse_move", "_path"},
}
"""Where English sentences are written that people are told as they are: in all of a module, or in
some of its functions and classes. What is raised in the others is for programmers."""


def written(path: str, names: set[str] | None) -> Iterator[str]:
    """The sentences in the source, three words at least, their gaps filled."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    rooms = [node for node in tree.body if not names or getattr(node, "name", "") in names]
    inner = list(chain.from_iterable(map(ast.walk, rooms)))
    left_out = {node.value for node in inner if isinstance(node, ast.Expr)}
    left_out |= {part for node in inner if isinstance(node, ast.JoinedStr) for part in node.values}
    if names is None:
        raised = (ast.walk(node) for node in inner if isinstance(node, ast.Raise))
        left_out |= set(chain.from_iterable(raised))
    for node in inner:
        text = filled(node) if isinstance(node, ast.expr) and node not in left_out else ""
        if re.search(r"[a-z]+,? [a-z]+,? [a-z]+", text):
            yield text


def filled(node: ast.expr) -> str:
    """The text of a constant or an f-string; an `s` in the gaps that make a plural."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.sub(r"{[a-z]+}", "left", node.value)
    text = ""
    for part in node.values if isinstance(node, ast.JoinedStr) else ():
        gap = "s" if text[-1:].isalpha() else "7"
        text += str(part.value) if isinstance(part, ast.Constant) else gap
    return text


class TestReasons:
    def test_every_sentence_has_a_german_one(self) -> None:
        found = {text for path, names in REASONS.items() for text in written(path, names)}
        assert len(found) > 35
        german = {text: reason_in(text, LANGUAGES["de"]) for text in found}
        assert [text for text in found if german[text] == text] == []
        assert [
            said for said in german.values() if re.search(r"[{}]|left|\b(the|is|of)\b", said)
        ] == []

    @every_language
    def test_no_number_of_squares_is_spoken_as_a_capture(self, language: Language) -> None:
        for text in written("calibration/locate.py", None):
            said = reason_in(text, language)
            assert aloud(said, language) == said

    def test_english_ones_stay_as_they_are(self) -> None:
        for text in ("the board runs out of the picture at the left", "12 may be 1 or 2"):
            assert reason_in(text, ENGLISH) == text

    def test_why_the_board_is_not_found(self) -> None:
        view = "the board runs out of the picture at the left"
        said = announce(NotWatching(0, view), LANGUAGES["de"])
        assert said is not None
        assert said.text == "Ich sehe das Brett nicht: das Brett ragt links aus dem Bild"

    @pytest.mark.parametrize(
        ("word", "text", "told"),
        [
            (
                Word.CORRECT,
                "hello",
                "correct geht nicht: 'hello' ist kein Zug wie 11-15 oder 18x25",
            ),
            (
                Word.OVERRULE,
                "18x27",
                "overrule geht nicht: 18x27 ist für Rot nicht erlaubt: auf dem ersten Feld steht"
                " kein Stein; erlaubt: 9x18x25, 10x17x26",
            ),
            (
                Word.CLOCK,
                "soon",
                "clock geht nicht: eine Uhr stellt man mit 5+1 oder 30/60 (Züge/Minuten), auch mit"
                " reset oder button, oder mit off",
            ),
            (
                Word.CLOCK,
                "5+1 reset",
                "clock geht nicht: reset gilt nur für Zeitabschnitte wie 30/60",
            ),
            (Word.OVERRULE, "1-40", "overrule geht nicht: Feld 40 gibt es nicht, nur 1 bis 32"),
            (
                Word.SET_POSITION,
                "B:W1:B2,2,x",
                "position geht nicht: Feld 2 ist zweimal genannt; 'X' ist kein Feld; der Stein von"
                " Weiß auf 1 steht auf seiner Damenreihe und muss eine Dame sein",
            ),
        ],
    )
    def test_why_what_was_typed_is_not_possible(self, word: Word, text: str, told: str) -> None:
        table = ready(parse_fen("B:W14,22,32:B9,10,1"))
        (refused,) = table.say(word, text=text)
        said = announce(refused, LANGUAGES["de"])
        assert said is not None
        assert said.text == told

    @every_language
    def test_a_reason_by_a_phrase_that_is_not_known_any_more(self, language: Language) -> None:
        reason = "only periods can be reset"
        said = announce(Refused(0, "clock", reason, ("limits",)), language)
        assert said is not None
        assert said.text.endswith(reason_in(reason, language))

    def test_which_of_several_moves_was_meant(self) -> None:
        said = reason_in("1x10 may be 1x5x10 or 1x6x10", LANGUAGES["de"])
        assert said == "1x10 kann 1x5x10 oder 1x6x10 sein"

    def test_an_empty_board_is_refused_in_german(self) -> None:
        (refused,) = ready().say(Word.SET_POSITION, text="B:W:B")
        assert isinstance(refused, Refused)
        said = announce(refused, LANGUAGES["de"])
        assert said is not None
        assert "auf dem Brett steht kein Stein" in said.text

    def test_each_of_several_reasons_is_told(self) -> None:
        said = reason_in("square 2 is named twice; 'X' is not a square", LANGUAGES["de"])
        assert said == "Feld 2 ist zweimal genannt; 'X' ist kein Feld"

    def test_also_where_only_the_last_is_said_otherwise(self) -> None:
        turn = "the side to move is W or B, not 'X'"
        men = "stands on its king-row and must be a king"
        said = reason_in(f"{turn}; the white man on 1 {men}", ENGLISH)
        assert said == f"{turn}; White's man on 1 {men}"

    def test_what_is_unknown_is_said_as_it_is(self) -> None:
        assert reason_in("fog; or smoke", LANGUAGES["de"]) == "fog; or smoke"


@every_language
@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_every_irregularity_is_said_whole(profile: Profile, language: Language) -> None:
    """With its rule if there is one, no gap left open, nothing that is no word, three short
    sentences at most."""
    for kind in Irregularity:
        for squares in SQUARES.get(kind, [(21, 17)]):
            for side in (Side.WHITE, None):
                event = irregular(kind, squares, side)
                _, (ruling,) = judge(begin(Arbiter(profile), POSITION), event, 0, POSITION)
                cited = language.words.get(ruling.rule, ruling.rule)
                assert (f" ({cited})." if cited else ".") in announcements.in_words(
                    ruling, language
                )
                assert_whole(announcements.in_words(ruling, language))


@every_language
@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_a_section_that_has_a_name_is_cited_by_it(profile: Profile, language: Language) -> None:
    """It would read as a part of the sentence, and in English everywhere."""
    told = {str(value) for row in records(profile) for value in row.values()}
    named = {rule for rule in told if re.fullmatch("(guide|online|rules) [a-z]+", rule)}
    assert bool(named) is (profile.name in ("online25", "plain", "guide"))
    assert named <= language.words.keys()


@pytest.mark.parametrize(
    ("code", "said"),
    [("en", "Red cannot move (rules, end)."), ("de", "Rot kann nicht ziehen (Regeln, Ende).")],
)
def test_a_name_of_a_section_stands_behind_that_of_its_document(code: str, said: str) -> None:
    lost = ruled(phrase("blocked", side=Side.RED), "rules end", Verdict.WIN, None, LANGUAGES[code])
    assert lost.startswith(said)


def test_a_clock_is_off_however_that_is_written() -> None:
    table = ready()
    (event,) = table.say(Word.CLOCK, text="OFF")
    said = announce(event)
    assert said is not None
    assert said.text == "There is no clock"


def assert_whole(text: str) -> None:
    assert not re.search(r"[{}_]|None|  | [.:,]", text)
    assert all(len(part) < 90 for part in re.split(r"(?<=[.]) (?=[A-ZÄÖÜ])", text))


@every_language
@pytest.mark.parametrize(
    ("kind", "squares"),
    [
        (Irregularity.CAPTURE_UNFINISHED, (22, 15)),
        (Irregularity.CAPTURE_UNFINISHED, (22, 15, 18)),
        (Irregularity.ILLEGAL_STEP, (22, 13)),
        (Irregularity.ILLEGAL_STEP, (22, 8, 18)),
    ],
)
def test_that_another_piece_must_move_is_said_whole(
    kind: Irregularity, squares: tuple[int, ...], language: Language
) -> None:
    said = announcements.irregular(irregular(kind, squares, Side.WHITE), POSITION, 21)
    text = say(said, language)
    assert_whole(text)
    assert "21-17" in text


@pytest.mark.parametrize(
    ("kind", "squares", "told"),
    [
        (Irregularity.PIECE_REMOVED, (20,), "A piece is missing. Put back the piece on 20."),
        (Irregularity.PIECE_REMOVED, (2, 3), "Pieces are missing. Put back the pieces on 2 and 3."),
        (
            Irregularity.PIECE_ADDED,
            (2, 3),
            "There are too many pieces. Remove the pieces on 2 and 3.",
        ),
        (
            Irregularity.CROWN_REMOVED,
            (2, 3),
            "Kings have lost their upper discs. Put them back on 2 and 3.",
        ),
        (
            Irregularity.CROWN_UNEARNED,
            (2, 3),
            "No man has earned a crown on 2 and 3. Take the upper discs off 2 and 3.",
        ),
    ],
)
def test_several_pieces_are_several(
    kind: Irregularity, squares: tuple[int, ...], told: str
) -> None:
    said = announcements.irregular(irregular(kind, squares, None), POSITION)
    assert ruled(said, "", Verdict.RESTORE, None, ENGLISH) == told


@pytest.mark.parametrize(
    ("side", "told"),
    [
        (Side.WHITE, "The last ruling against White is taken back"),
        (None, "The last ruling is taken back"),
    ],
)
def test_whose_warning_is_taken_back_is_said(side: Side | None, told: str) -> None:
    announcement = announce(Corrected(0, (), "", overruled=(7,), against=side))
    assert announcement is not None
    assert announcement.text == told


OWN, OTHERS = Irregularity.OWN_PIECE_REMOVED, Irregularity.WRONG_PIECE_REMOVED


@pytest.mark.parametrize(
    ("kind", "side", "squares", "english", "german"),
    [
        (OWN, Side.WHITE, (21, 30), "pieces of their own", "eigene Steine"),
        (OWN, Side.RED, (1,), "a piece of their own", "einen eigenen Stein"),
        (OWN, Side.RED, (1, 18), "pieces of their own", "eigene Steine"),
        (OTHERS, Side.WHITE, (1, 18), "pieces that were", "Steine weggenommen, die"),
        (OTHERS, Side.RED, (21, 22), "pieces that were", "Steine weggenommen, die"),
        # One, and the one that was jumped goes back with it.
        (OTHERS, Side.WHITE, (22, 15, 1, 18), "a piece that was", "einen Stein weggenommen, der"),
    ],
)
def test_several_pieces_taken_off_wrongly_are_several(
    kind: Irregularity, side: Side, squares: tuple[int, ...], english: str, german: str
) -> None:
    said = announcements.irregular(irregular(kind, squares, side), POSITION)
    assert f"took off {english}" in say(said, ENGLISH)
    assert f"hat {german}" in say(said, GERMAN)


@pytest.mark.parametrize(
    ("reopened", "told"),
    [
        ("0-1", "White's win is taken back: the board stands as it is, it is White's turn"),
        ("1/2-1/2", "The draw is taken back: the board stands as it is, it is White's turn"),
        ("*", "The game goes on: the board stands as it is, it is White's turn"),
    ],
)
def test_whose_turn_it_is_is_said_of_a_board_that_stands_though_the_game_had_ended(
    reopened: str, told: str
) -> None:
    announcement = announce(Corrected(0, (), "", reopened=reopened, turn=Side.WHITE))
    assert announcement is not None
    assert announcement.text == told


@pytest.mark.parametrize(
    ("board", "end", "why"),
    [
        ("B:W32:B14,18", 23, "no piece jumps over one of its own"),
        ("B:W32:B14", 23, "there is no piece to jump over"),
        ("B:W32:B14", 15, "no piece goes there"),
    ],
)
def test_whom_nobody_jumps_over_is_said(board: str, end: int, why: str) -> None:
    event = Irregular(0, Irregularity.ILLEGAL_STEP, Side.RED, (14, end), ("14-17",))
    said = say(announcements.irregular(event, parse_fen(board)), ENGLISH)
    assert said.startswith(f"14 to {end} is not lawful, {why}. ")


def test_why_a_move_was_refused_is_said() -> None:
    men = parse_fen("B:W32:B14")
    event = Irregular(0, Irregularity.ILLEGAL_STEP, Side.RED, (14, 10), ("14-17", "14-18"))
    said = announcements.irregular(event, men)
    assert say(said, ENGLISH) == (
        "14 to 10 is not lawful, a man goes forward only."
        " Put the man back on 14 and play 14-17 or 14-18."
    )
    assert "ein Stein zieht nur vorwärts" in say(said, LANGUAGES["de"])


@pytest.mark.parametrize(
    ("text", "kind", "squares", "said"),
    [
        (
            "B:W26,25,32:B23",
            Irregularity.ILLEGAL_STEP,
            (23, 21, 26, 25),
            "23 to 21 is not lawful, a man that becomes a king stops there (guide 6)."
            " Put the man back on 23, also the pieces on 26 and 25, and play 23x30.",
        ),
        (
            "B:W18,32:BK29",
            Irregularity.ILLEGAL_STEP,
            (29, 15, 18),
            "29 to 15 is not lawful, a jump goes to the square right behind a piece"
            " (guide 3). Put the king back on 29, also the piece on 18, and play 29-25.",
        ),
        (
            "W:W18,32:B14,22",
            Irregularity.WRONG_TURN,
            (14, 23, 18),
            "It is White's turn. Put the man back on 14, also the piece on 18.",
        ),
        (
            "B:W20,32:B16",
            Irregularity.ILLEGAL_STEP,
            (16, 20),
            "16 to 20 is not lawful, the square is taken (guide 2)."
            " Put the man back on 16, also the piece on 20, and play 16-19.",
        ),
        (
            "B:W22,32:B11",
            Irregularity.PIECE_DISPLACED,
            (22, 11),
            "A piece was moved (guide 1). Put the man on 11 back on 22, also the piece on 11.",
        ),
        (
            "B:W22,32:B18,1",
            Irregularity.PIECE_DISPLACED,
            (22, 15, 18),
            "A piece was moved (guide 1). Put the man on 15 back on 22, also the piece on 18.",
        ),
    ],
)
def test_what_was_taken_off_or_stood_there_goes_back_too_and_why_is_said(
    text: str, kind: Irregularity, squares: tuple[int, ...], said: str
) -> None:
    position = parse_fen(text)
    event = Irregular(0, kind, Side.RED, squares, lawful_texts(position))
    _, (ruling,) = judge(begin(Arbiter(GUIDE), position), event, 0, position)
    assert ruling.text == said


@pytest.mark.parametrize(
    ("profile", "told"),
    [
        (WCDF, "Put the man back on 14. The piece on 14 must move: play 14-17 or 14-18."),
        (US, "Put the man back on 14. The piece on 14 must move: play 14-17 or 14-18."),
        (ONLINE25, "and make a lawful move."),
    ],
)
def test_a_piece_moved_wrongly_is_the_one_to_move(profile: Profile, told: str) -> None:
    position = parse_fen("B:W32:B14,5,6")
    lawful = ("5-9", "6-9", "6-10", "14-17", "14-18")
    event = Irregular(0, Irregularity.ILLEGAL_STEP, Side.RED, (14, 10), lawful)
    _, (ruling,) = judge(begin(Arbiter(profile), position), event, 0, position)
    assert ruling.text.endswith(told)


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
@pytest.mark.parametrize(
    ("text", "squares", "told"),
    [
        pytest.param(
            "B:W14,23,24,32:B9,20,1", (9, 18, 14), "Now play 9x18x27.", id="another-piece"
        ),
        pytest.param("B:W6,7,15,32:B2", (2, 11, 7), "Now play 2x11x18.", id="another-way"),
        pytest.param("B:W6,7,15,32:B2", (2, 11), "Now play 2x11x18.", id="nothing-taken-off"),
        pytest.param(
            "B:W10,11,18,19,32:BK7,1", (7, 23, 10, 18), "Now play 7x14x23x16x7.", id="round-about"
        ),
        pytest.param("B:W14,15,23,32:B9,11", (9, 18), "Now play 9x18x27.", id="same-square"),
        pytest.param(
            "B:W6,7,14,15,23,32:B2", (2, 18, 7, 15), "Now play 2x11x18x27.", id="over-others"
        ),
    ],
)
def test_a_capture_is_finished_by_the_piece_that_has_begun_it(
    text: str, squares: tuple[int, ...], told: str, profile: Profile
) -> None:
    position = parse_fen(text)
    kind = Irregularity.CAPTURE_UNFINISHED
    event = Irregular(0, kind, Side.RED, squares, lawful_texts(position))
    _, (ruling,) = judge(begin(Arbiter(profile), position), event, 0, position)
    assert ruling.text.endswith(told)


def test_a_piece_that_cannot_move_at_all_need_not() -> None:
    position = parse_fen("B:W17,32:B14,5,6")
    event = Irregular(0, Irregularity.ILLEGAL_STEP, Side.RED, (5, 13), ("14x21",))
    _, (ruling,) = judge(begin(Arbiter(WCDF), position), event, 0, position)
    assert ruling.text.endswith("Put the man back on 5 and play 14x21.")


@every_language
def test_a_proposal_does_not_sound_as_if_it_stood(language: Language) -> None:
    said = phrase("touched_other", side=Side.WHITE, square=22, move="23-18")
    proposal = Proposed(0, Conduct.TOUCHED_OTHER, Verdict.WARNING, Side.WHITE, "x", "", said, 0)
    text, ruling = (
        announcements.in_words(each, language)
        for each in (proposal, Ruling(0, Verdict.WARNING, Side.WHITE, "x", "", 0, said))
    )
    assert text.startswith(language.words["proposed"].format(""))
    before, after = text.split(language.words["if confirmed"])
    follows = language.consequences[Verdict.WARNING].format(side=language.words["white"])
    assert follows not in before
    assert follows in after
    assert language.words["if confirmed"] not in ruling


@pytest.mark.parametrize(
    ("kind", "squares", "said"),
    [
        (Irregularity.CAPTURE_MISSED, (21, 17), "Stelle den Stein auf 21 zurück und spiele"),
        (
            Irregularity.ILLEGAL_STEP,
            (21, 9, 18),
            "Stelle den Stein auf 21 zurück, auch den Stein auf 18, und spiele",
        ),
        (Irregularity.ILLEGAL_STEP, (21,), "Stelle den Stein auf 21 zurück und spiele"),
    ],
)
def test_what_comes_last_has_an_and_before_it_in_german(
    kind: Irregularity, squares: tuple[int, ...], said: str
) -> None:
    event = replace(irregular(kind, squares, Side.WHITE), lawful=("22x15",))
    assert f"{said} 22x15." in say(announcements.irregular(event, POSITION), GERMAN)


def test_what_was_only_taken_off_was_not_moved() -> None:
    men = parse_fen("B:W6,15,24,32:B1,12")
    event = irregular(Irregularity.WRONG_PIECE_REMOVED, (6, 15, 24), Side.RED)
    assert "Put back the pieces on 6, 15 and 24, then" in say(
        announcements.irregular(event, men), ENGLISH
    )


@pytest.mark.parametrize("kind", [Irregularity.OWN_PIECE_REMOVED, Irregularity.WRONG_PIECE_REMOVED])
def test_what_was_moved_too_goes_back_as_a_piece_and_not_as_a_move(kind: Irregularity) -> None:
    men = parse_fen("B:W6,15,24,32:B1,12,K2")
    told = announcements.irregular(irregular(kind, (1, 10, 15), Side.RED), men)
    assert "Put the man back on 1, also the piece on 15, then" in say(told, ENGLISH)
    assert "Stelle den Stein auf 1 zurück, auch den Stein auf 15, dann" in say(
        told, LANGUAGES["de"]
    )


def test_upset_pieces_are_set_up_where_they_stood() -> None:
    event = Irregular(0, Irregularity.UPSET, None, (22, 9, 14, 11, 18), ())
    _, (ruling,) = judge(Arbiter(), event, 1, parse_fen("B:W22:B9,11"))
    assert ruling.text.endswith("Set up 9, 11 and 22 again as they were.")


@pytest.mark.parametrize(
    ("squares", "english", "german"),
    [
        pytest.param(
            (9, 14),
            "Set up 9 again as it was.",
            "Stelle den Stein auf 9 wieder auf wie zuvor.",
            id="one",
        ),
        pytest.param(
            (9, 17, 14),
            "Set up 9 again as it was, and remove the pieces on 14 and 17.",
            "Stelle den Stein auf 9 wieder auf wie zuvor und nimm die Steine auf 14 und 17 weg.",
            id="one-and-more-have-come",
        ),
        pytest.param(
            (9, 11, 14, 17, 18),
            "Set up 9 and 11 again as they were, and remove the pieces on 14, 17 and 18.",
            "Stelle die Steine auf 9 und 11 wieder auf wie zuvor und nimm die Steine auf 14, 17"
            " und 18 weg.",
            id="several-and-more-have-come",
        ),
    ],
)
def test_of_upset_pieces_it_is_told_how_many_stood(
    squares: tuple[int, ...], english: str, german: str
) -> None:
    event = Irregular(0, Irregularity.UPSET, None, squares, ())
    told = announcements.irregular(event, parse_fen("B:W22:B9,11"))
    assert say(told, ENGLISH).endswith(english)
    assert say(told, LANGUAGES["de"]).endswith(german)


def test_a_king_that_went_round_lies_where_he_belongs() -> None:
    round_about = parse_fen("W:WK11:B7,8,16,15,1")
    event = irregular(Irregularity.WRONG_PIECE_REMOVED, (11, 11, 1), Side.WHITE)
    said = say(announcements.irregular(event, round_about), ENGLISH)
    assert "Put back the piece on 1, then" in said


@every_language
def test_who_plays_another_piece_after_an_incorrect_move_is_named(language: Language) -> None:
    said = phrase(Conduct.OTHER_PIECE_PLAYED.value, side=Side.RED, square=11, move="9-14")
    told = ruled(said, "US VII", Verdict.RESTORE, Side.RED, called(language, US.sides))
    assert (
        told
        == {
            "en": "Black moved 11 incorrectly and must move it correctly (US VII)."
            " Take 9-14 back and move 11.",
            "de": "Schwarz hat mit 11 falsch gezogen und muss damit richtig ziehen (US VII)."
            " Nimm 9-14 zurück und ziehe mit 11.",
        }[language.code]
    )


def test_many_lawful_moves_are_not_read_out() -> None:
    event = irregular(Irregularity.CAPTURE_MISSED, (21, 17), Side.WHITE)
    text = say(announcements.irregular(event, POSITION), ENGLISH)
    assert text.endswith("Put the man back on 21 and make a lawful move.")


@every_language
def test_nobody_is_accused_by_guess(language: Language) -> None:
    event = irregular(Irregularity.OWN_PIECE_REMOVED, (21,), None)
    text = say(announcements.irregular(event, POSITION), language)
    assert text.startswith(language.words["somebody"])


@every_language
@pytest.mark.parametrize(
    ("kind", "squares"),
    [(Irregularity.CAPTURE_MISSED, (21, 17)), (Irregularity.CAPTURE_UNFINISHED, (22, 15))],
)
def test_whose_duty_a_capture_is_does_not_depend_on_whose_hand_was_seen(
    kind: Irregularity, squares: tuple[int, ...], language: Language
) -> None:
    _, (ruling,) = judge(
        begin(Arbiter(WCDF), POSITION), irregular(kind, squares, None), 0, POSITION
    )
    assert ruling.side is None
    assert ruling.verdict is Verdict.RESTORE
    assert announcements.in_words(ruling, language).startswith(language.words[Side.WHITE.value])


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "Red's hand stayed on 15. Take it off the board as soon as you have moved."),
        ("de", "Die Hand von Rot blieb auf 15. Nimm sie nach dem Zug gleich vom Brett."),
    ],
)
def test_a_hand_that_stayed_may_be_away_when_that_is_said(code: str, said: str) -> None:
    """It is told of when its move is, which is often when it leaves, and confirmed later still."""
    assert say(phrase("hand_lingering", side=Side.RED, square=15), LANGUAGES[code]) == said


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "White touched 22 off turn. Wait for your turn."),
        ("de", "Weiß hat 22 berührt und ist nicht am Zug. Warte, bis du am Zug bist."),
    ],
)
def test_who_touched_a_piece_off_turn_may_touch_it_later(code: str, said: str) -> None:
    assert say(phrase("touched_off_turn", side=Side.WHITE, square=22), LANGUAGES[code]) == said


def test_a_consequence_names_the_right_player() -> None:
    said = phrase("hand_lingering", side=Side.WHITE, square=9)
    texts = [
        ruled(said, "WCDF 4.8", Verdict.FORFEIT, Side.WHITE, language)
        for language in LANGUAGES.values()
    ]
    assert "Red may claim the game." in texts[0]
    assert "Rot darf das Spiel beanspruchen." in texts[1]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        pytest.param(
            "en",
            (
                "Black 11-15",
                "Anna has Black, Ben has Red",
                "It is Red's turn. Put the man back on 11.",
                "Black may claim the game.",
                "Black wins: agreed",
                "Red wins",
            ),
            id="English",
        ),
        pytest.param(
            "de",
            (
                "Schwarz 11-15",
                "Anna hat Schwarz, Ben hat Rot",
                "Rot ist am Zug. Stelle den Stein auf 11 zurück.",
                "Schwarz darf das Spiel beanspruchen.",
                "Schwarz gewinnt: agreed",
                "Rot gewinnt",
            ),
            id="German",
        ),
    ],
)
def test_the_sides_are_called_by_the_colours_of_the_set(code: str, said: tuple[str, ...]) -> None:
    language = called(LANGUAGES[code], ("black", "red"))
    turn = phrase("wrong_turn", turn=Side.WHITE, piece="man", start=11)
    lingering = phrase("hand_lingering", side=Side.WHITE, square=9)
    move, seats, wrong, claim, won, lost = said
    assert say(phrase("played", side=Side.RED, move="11-15"), language) == move
    assert say(phrase("seated", red="Anna", white="Ben"), language) == seats
    assert say(turn, language) == wrong
    assert claim in ruled(lingering, "WCDF 4.8", Verdict.FORFEIT, Side.WHITE, language)
    assert aloud("1-0: agreed", language) == won
    assert aloud("0-1: agreed", language) == f"{lost}: agreed"


def test_a_colour_is_the_same_word_for_whoever_has_it() -> None:
    """`red` in the game is who begins, also where the other has the red discs."""
    event = Seated(0, "Anna", "Ben")
    told = announce(event, called(ENGLISH, ("black", "red")))
    assert told is not None
    assert told.text == "Anna has Black, Ben has Red"
    reason = "the red man on 30 stands on its king-row and must be a king"
    assert reason_in(reason, called(ENGLISH, ("black", "red"))).startswith("Black's man on 30")


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_two_documents_have_colours_of_their_own(profile: Profile) -> None:
    """The guide lets Black begin, and has its reader play Red against him."""
    of_document = {"us": ("black", "white"), "guide": ("black", "red")}
    assert profile.sides == of_document.get(profile.name, RED_AND_WHITE)


@pytest.mark.parametrize(
    ("minutes", "told"), [(1, "einer Minute"), (2, "2 Minuten")], ids=["one", "several"]
)
def test_one_minute_is_a_word_in_german(minutes: int, told: str) -> None:
    """A voice reads the digit as `eins`."""
    said = say(phrase("grace", side=Side.RED, minutes=minutes), GERMAN)
    assert said == f"Die Zeit von Rot ist um. Es bleibt eine Nachfrist von {told}."


@pytest.mark.parametrize(
    ("gap", "value", "english"),
    [
        pytest.param("listed", (1, 2, 3), "1, 2 and 3", id="and"),
        pytest.param("choice", ("11-15", "9-14"), "11-15 or 9-14", id="or"),
        pytest.param("squares", (7,), "square 7", id="one"),
        pytest.param("squares", (7, 8), "squares 7 and 8", id="several"),
        pytest.param("pieces", (7, 8), "pieces on 7 and 8", id="pieces"),
        pytest.param("minutes", 1, "1 minute", id="singular"),
        pytest.param("minutes", 5, "5 minutes", id="plural"),
        pytest.param("nth", 3, "third", id="ordinal"),
        pytest.param("view", "fog over the board", "fog over the board", id="no-word-for-it"),
    ],
)
def test_gaps_are_filled_by_what_they_mean(gap: str, value: object, english: str) -> None:
    language = Language("xx", {"test": (f"{{{gap}}}", "")}, {}, ENGLISH.words)
    assert say(phrase("test", **{gap: value}), language) == english  # type: ignore[arg-type]

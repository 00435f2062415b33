"""What is said, in every language: catalogues that cover all, rules named, gaps filled."""

from __future__ import annotations

import re
import string

import pytest

from referee import announcements
from referee.announcements import LANGUAGES
from referee.arbiter import Arbiter, begin
from referee.arbiter import irregular as judge
from referee.board import Side
from referee.english import ENGLISH
from referee.events import (
    Conduct,
    Irregular,
    Irregularity,
    Proposed,
    Ruling,
    Verdict,
    phrase,
)
from referee.language import Language, ruled, say
from referee.notation import parse_fen
from referee.profiles import ONLINE25, PROFILES, US, WCDF, Profile
from referee.rules import Fault

every_language = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
POSITION = parse_fen("W:W22,21,K30:B18,1")
SQUARES = {
    Irregularity.PIECE_DISPLACED: [(21,), (21, 13)],
    Irregularity.OFF_SQUARE: [(), (21,)],
    Irregularity.ILLEGAL_STEP: [(21, 9), (21, 9, 18), (30, 30)],
    Irregularity.OWN_PIECE_REMOVED: [(21,), (22, 15, 21), (21, 17, 22)],
    Irregularity.WRONG_PIECE_REMOVED: [(1,), (22, 15, 1)],
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


@every_language
@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_every_irregularity_is_said_whole(profile: Profile, language: Language) -> None:
    """With its rule, no gap left open, nothing that is no word, three short sentences at most."""
    for kind in Irregularity:
        for squares in SQUARES.get(kind, [(21, 17)]):
            for side in (Side.WHITE, None):
                event = irregular(kind, squares, side)
                _, (ruling,) = judge(begin(Arbiter(profile), POSITION), event, 0, POSITION)
                text = announcements.in_words(ruling, language)
                assert f"({ruling.rule})." in text
                assert not re.search(r"[{}_]|None|  ", text)
                assert all(len(part) < 90 for part in re.split(r"(?<=[.]) (?=[A-ZÄÖÜ])", text))


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
    ("profile", "told"),
    [
        (WCDF, "Put the man back on 14. The same piece moves: play 14-17 or 14-18."),
        (US, "Put the man back on 14. The same piece moves: play 14-17 or 14-18."),
        (ONLINE25, "and make a lawful move."),
    ],
)
def test_a_piece_moved_wrongly_is_the_one_to_move(profile: Profile, told: str) -> None:
    position = parse_fen("B:W32:B14,5,6")
    lawful = ("5-9", "6-9", "6-10", "14-17", "14-18")
    event = Irregular(0, Irregularity.ILLEGAL_STEP, Side.RED, (14, 10), lawful)
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


def test_many_lawful_moves_are_not_read_out() -> None:
    event = irregular(Irregularity.CAPTURE_MISSED, (21, 17), Side.WHITE)
    text = say(announcements.irregular(event, POSITION), ENGLISH)
    assert text.endswith("Put the man back on 21 and make a lawful move.")


@every_language
def test_nobody_is_accused_by_guess(language: Language) -> None:
    said = phrase("capture_missed", piece="man", start=21, lawful=("22x15",))
    text = ruled(said, "WCDF 4.3", Verdict.RESTORE, None, language)
    assert text.startswith(language.words["somebody"])


def test_a_consequence_names_the_right_player() -> None:
    said = phrase("hand_lingering", side=Side.WHITE, square=9)
    texts = [
        ruled(said, "WCDF 4.8", Verdict.FORFEIT, Side.WHITE, language)
        for language in LANGUAGES.values()
    ]
    assert "Red may claim the game." in texts[0]
    assert "Rot darf das Spiel beanspruchen." in texts[1]


@pytest.mark.parametrize(
    ("gap", "value", "english"),
    [
        pytest.param("listed", (1, 2, 3), "1, 2 and 3", id="and"),
        pytest.param("choice", ("11-15", "9-14"), "11-15 or 9-14", id="or"),
        pytest.param("squares", (7,), "square 7", id="one"),
        pytest.param("squares", (7, 8), "squares 7 and 8", id="several"),
        pytest.param("pieces", (7, 8), "pieces on 7 and 8", id="pieces"),
        pytest.param("minutes", 1, "1 minute", id="singular"),
        pytest.param("nth", 3, "third", id="ordinal"),
        pytest.param("nth", 7, "7th", id="far-ordinal"),
        pytest.param("view", "fog over the board", "fog over the board", id="no-word-for-it"),
    ],
)
def test_gaps_are_filled_by_what_they_mean(gap: str, value: object, english: str) -> None:
    language = Language("xx", {"test": (f"{{{gap}}}", "")}, {}, ENGLISH.words)
    assert say(phrase("test", **{gap: value}), language) == english  # type: ignore[arg-type]

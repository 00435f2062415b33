"""What people type: read, refused in a sentence, and fed to the game before the next frame."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest

from referee import game as games
from referee.board import START, Side
from referee.colours import BLACK_AND_WHITE, RED_AND_WHITE, Sides
from referee.commands import USAGES, Command, Part, Word, manual, parse
from referee.english import ENGLISH
from referee.errors import NotationError
from referee.game import Game, Input, Step
from referee.german import GERMAN
from referee.language import called
from referee.observation import Observation, certain
from referee.signals import Signals
from referee.verbs.typed import Typed

BLACK_AND_RED = ("black", "red")
BLACK_RED = called(ENGLISH, BLACK_AND_RED)


@pytest.mark.parametrize(
    ("line", "word", "side", "text"),
    [
        pytest.param("start", Word.START, None, "", id="bare"),
        pytest.param("  RESIGN White ", Word.RESIGN, Side.WHITE, "", id="any-case"),
        pytest.param("offer r", Word.OFFER_DRAW, Side.RED, "", id="one-letter"),
        pytest.param("accept", Word.ACCEPT_DRAW, None, "", id="side-left-out"),
        pytest.param("seats Anna, Ben", Word.SEATS, None, "Anna, Ben", id="names"),
        pytest.param("event Club  evening, 3", Word.EVENT, None, "Club evening, 3", id="event"),
        pytest.param("site Vienna", Word.SITE, None, "Vienna", id="site"),
        pytest.param("round 2", Word.ROUND, None, "2", id="round"),
        pytest.param("correct 22x15 11x18", Word.CORRECT, None, "22x15 11x18", id="moves"),
        pytest.param("back", Word.CORRECT, None, "", id="take-back"),
        pytest.param("position B:W18:B14", Word.SET_POSITION, None, "B:W18:B14", id="position"),
        pytest.param("confirm 12", Word.CONFIRM, None, "12", id="number"),
        pytest.param(
            "seats An\x1bna,\tB\x07en \x00", Word.SEATS, None, "Anna, Ben", id="unprintable"
        ),
        pytest.param("\x1bback\x9b", Word.CORRECT, None, "", id="unprintable-word"),
    ],
)
def test_lines_are_read(line: str, word: Word, side: Side | None, text: str) -> None:
    assert parse(line, 700) == Command(700, word, side, text)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        pytest.param(" ", "there is no command ?; help lists them", id="nothing"),
        pytest.param("\x1b", "there is no command ?; help lists them", id="unprintable"),
        pytest.param("dance", "there is no command dance; help lists them", id="unknown"),
        pytest.param("resign", "resign is said like this: resign white", id="no-side"),
        pytest.param("resign blue", "resign is said like this: resign white", id="no-such-side"),
        pytest.param("claim blue", "claim is said like this: claim [red]", id="perhaps-a-side"),
        pytest.param("start now", "start is said like this: start", id="too-much"),
        pytest.param("result", "result is said like this: result 1-0", id="no-text"),
        pytest.param("event  ", "event is said like this: event NAME", id="no-event"),
        pytest.param("site", "site is said like this: site NAME", id="no-site"),
        pytest.param("round", "round is said like this: round NUMBER", id="no-round"),
        pytest.param(f"event {'x' * 401}", "event takes at most 400 signs, not 401", id="long"),
        pytest.param(
            "x" * 999, f"there is no command {'x' * 40}…; help lists them", id="long-unknown"
        ),
    ],
)
def test_nonsense_gets_one_sentence(line: str, said: str) -> None:
    with pytest.raises(NotationError) as error:
        parse(line, 0)
    assert str(error.value) == said


def test_every_command_of_the_game_can_be_typed() -> None:
    assert {usage.word for usage in USAGES.values()} == set(Word)


@pytest.mark.parametrize(
    ("line", "sides", "side", "text"),
    [
        pytest.param("resign black", BLACK_AND_RED, Side.RED, "", id="begins"),
        pytest.param("resign red", BLACK_AND_RED, Side.WHITE, "", id="red-replies"),
        pytest.param("resign R", BLACK_AND_RED, Side.WHITE, "", id="one-letter"),
        pytest.param("resign white", ("white", "red"), Side.RED, "", id="white-begins"),
        pytest.param("resign b", BLACK_AND_WHITE, Side.RED, "", id="document"),
        pytest.param("resign red", BLACK_AND_WHITE, Side.RED, "", id="as-the-game-has-it"),
        pytest.param("overrule red", BLACK_AND_RED, None, "white", id="overrule-red"),
        pytest.param("overrule Black", BLACK_AND_RED, None, "red", id="overrule-black"),
        pytest.param("overrule 11-15", BLACK_AND_RED, None, "11-15", id="overrule-move"),
        pytest.param("overrule", BLACK_AND_RED, None, "", id="overrule-alone"),
    ],
)
def test_players_are_typed_by_their_colours(
    line: str, sides: Sides, side: Side | None, text: str
) -> None:
    command = parse(line, 0, sides=sides)
    assert (command.side, command.text) == (side, text)


@pytest.mark.parametrize(
    ("line", "sides", "said"),
    [
        pytest.param("resign white", BLACK_AND_RED, "resign red", id="nobody-is-white"),
        pytest.param("offer w", BLACK_AND_RED, "offer black", id="one-letter"),
        pytest.param("overrule white", BLACK_AND_RED, "overrule [11-15|red]", id="overrule"),
        pytest.param("resign b", ("black", "brown"), "resign brown", id="letter-of-both"),
        pytest.param("resign black", RED_AND_WHITE, "resign white", id="red-and-white"),
    ],
)
def test_a_colour_that_nobody_has_gets_one_sentence(line: str, sides: Sides, said: str) -> None:
    with pytest.raises(NotationError) as error:
        parse(line, 0, sides=sides)
    assert str(error.value) == f"{said.split()[0]} is said like this: {said}"


@pytest.mark.parametrize(
    ("line", "sides", "side"),
    [
        pytest.param("resign Rot", RED_AND_WHITE, Side.RED, id="red"),
        pytest.param("resign weiß", RED_AND_WHITE, Side.WHITE, id="white"),
        pytest.param("resign WEISS", RED_AND_WHITE, Side.WHITE, id="capital"),
        pytest.param("resign w", RED_AND_WHITE, Side.WHITE, id="letter-of-both-languages"),
        pytest.param("resign schwarz", BLACK_AND_RED, Side.RED, id="black"),
        pytest.param("resign s", BLACK_AND_RED, Side.RED, id="its-letter"),
        pytest.param("resign b", BLACK_AND_RED, Side.RED, id="english-letter"),
        pytest.param("resign rot", BLACK_AND_RED, Side.WHITE, id="red-replies"),
        pytest.param("resign grün", ("yellow", "green"), Side.WHITE, id="green"),
        pytest.param("resign green", ("yellow", "green"), Side.WHITE, id="in-english"),
        pytest.param("resign g", ("yellow", "green"), None, id="letter-of-both-sides"),
        pytest.param("resign b", ("black", "blue"), None, id="of-both-in-english"),
        pytest.param("resign weiß", BLACK_AND_RED, None, id="nobody-is-white"),
    ],
)
def test_players_are_typed_as_they_are_called_in_a_language(
    line: str, sides: Sides, side: Side | None
) -> None:
    said: list[str] = []
    language = called(GERMAN, sides)
    typed = Typed(games.feed, said.append, first=[line], source=None, language=language)
    game, _ = typed.obey(replace(games.begin(), begun=True), 0)
    assert (game.result.result if game.result else "none") == {
        Side.RED: "0-1", Side.WHITE: "1-0", None: "none",
    }[side]  # fmt: skip
    assert bool(said) is (side is None)


def test_what_players_are_called_is_a_player_for_overrule_too() -> None:
    named = called(GERMAN, BLACK_AND_RED).names
    assert parse("overrule Schwarz", 0, sides=BLACK_AND_RED, names=named).text == "red"


@pytest.mark.parametrize("sides", [RED_AND_WHITE, BLACK_AND_RED])
@pytest.mark.parametrize("name", USAGES)
def test_every_example_is_a_command(name: str, sides: Sides) -> None:
    usage = USAGES[name]
    assert bool(usage.example) is (usage.side is not Part.NO or usage.text is not Part.NO)
    said = usage.said(name, sides)
    line = said.replace("[", "").replace("]", "").replace("NUMBER", "3")
    assert parse(line, 0, sides=sides).word is usage.word
    assert said in manual(sides)


@pytest.mark.parametrize(
    ("sides", "wins"),
    [
        pytest.param(RED_AND_WHITE, "1-0 is Red's win, 0-1 White's", id="red-white"),
        pytest.param(BLACK_AND_RED, "1-0 is Black's win, 0-1 Red's", id="black-red"),
    ],
)
def test_the_manual_says_whose_win_a_result_is(sides: Sides, wins: str) -> None:
    assert f"end the game: {wins}, 1/2-1/2 a draw" in manual(sides)


def test_the_manual_says_in_which_ways_a_clock_is_set() -> None:
    assert "set the clock: 5+1 for each move, moves/minutes, or off" in manual()


def test_the_manual_says_at_its_end_how_to_end() -> None:
    assert manual().endswith("\nCtrl-C ends the watching, and the record is kept")


class TestTyped:
    @pytest.fixture
    def pipe(self) -> Iterator[tuple[int, int]]:
        ends = os.pipe()
        yield ends
        for end in ends:
            os.close(end)

    def follow(self, typed: Typed, frames: int = 1, begun: bool = False) -> tuple[Game, list[str]]:
        game, names = replace(games.begin(), begun=begun), []
        for number in range(1, frames + 1):
            game, events = typed.feed(game, Observation(100 * number, certain(START)))
            names += [event.name for event in events]
        return game, names

    def test_what_was_typed_comes_before_the_frame_with_its_time(
        self, pipe: tuple[int, int]
    ) -> None:
        fed: list[Input] = []

        def feed(game: Game, given: Input) -> Step:
            fed.append(given)
            return games.feed(game, given)

        os.write(pipe[1], b"seats Anna, Ben\n\nresign red\nresi")
        typed = Typed(feed, pytest.fail, source=pipe[0])
        game, names = self.follow(typed, begun=True)
        assert names == ["seated", "result", "ruling"]
        os.write(pipe[1], b"gn white\n")
        typed.feed(game, Observation(200, certain(START)))
        words = [given.word.value if isinstance(given, Command) else "frame" for given in fed]
        assert words == ["seats", "resign", "frame", "resign", "frame"]
        assert [given.time_ms for given in fed] == [100, 100, 100, 200, 200]
        assert isinstance(fed[0], Command)
        assert fed[0].origin == "keyboard"

    def test_what_comes_after_the_last_frame_can_be_obeyed_too(self, pipe: tuple[int, int]) -> None:
        typed = Typed(games.feed, pytest.fail, source=pipe[0])
        game, _ = self.follow(typed, begun=True)
        assert not typed.has_more
        os.write(pipe[1], b"resign red\nstart\n")
        assert typed.has_more
        _, events = typed.obey(game, 100)
        assert [event.name for event in events] == ["result", "ruling", "started", "ruling"]
        assert not typed.has_more

    def test_the_last_line_needs_no_end(self, pipe: tuple[int, int]) -> None:
        source, end = os.pipe()
        os.write(end, b"resign red")
        os.close(end)
        typed, names = Typed(games.feed, pytest.fail, source=source), []
        game = replace(games.begin(), begun=True)
        while typed.has_more:
            game, events = typed.obey(game, 100)
            names += [event.name for event in events]
        os.close(source)
        assert names == ["result", "ruling"]

    def test_an_input_without_end_keeps_no_frame(self) -> None:
        said: list[str] = []
        with open("/dev/zero", "rb") as zeros:
            typed = Typed(games.feed, said.append, source=zeros.fileno())
            assert self.follow(typed, 8)[1] == ["ready"]

    def test_nonsense_is_answered_and_the_game_goes_on(self, pipe: tuple[int, int]) -> None:
        said: list[str] = []
        os.write(pipe[1], b"dance\nHelp correct\n\xff\xfe\nseats A, B\n")
        _, names = self.follow(Typed(games.feed, said.append, source=pipe[0]))
        assert said[0] == "there is no command dance; help lists them"
        assert said[1] == manual()
        assert len(said) == 3
        assert names == ["seated"]

    @pytest.mark.parametrize(
        ("line", "answer"),
        [
            ("foo", "den Befehl foo gibt es nicht; help zeigt alle"),
            ("resign blue", "resign sagt man so: resign white"),
            ("resume", "ich schaue schon hin"),
            ("hilfe", manual()),
            ("?", manual()),
            ("quit", "Strg-C beendet das Beobachten, und die Aufzeichnung bleibt"),
            ("EXIT", "Strg-C beendet das Beobachten, und die Aufzeichnung bleibt"),
        ],
    )
    def test_who_types_is_answered_in_his_language(self, line: str, answer: str) -> None:
        said: list[str] = []
        typed = Typed(games.feed, said.append, first=[line], source=None, language=GERMAN)
        typed.obey(games.begin(), 0)
        assert said == [answer]

    @pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
    def test_names_are_read_in_either_encoding(self, encoding: str, pipe: tuple[int, int]) -> None:
        os.write(pipe[1], "seats José, Müller\n".encode(encoding))
        game, _ = self.follow(Typed(games.feed, pytest.fail, source=pipe[0]))
        assert game.players == ("José", "Müller")

    def test_what_changes_nothing_is_answered_too(self, pipe: tuple[int, int]) -> None:
        said: list[str] = []
        os.write(pipe[1], b"resume\npause\npause\nresume\n")
        _, names = self.follow(Typed(games.feed, said.append, source=pipe[0]))
        assert said == ["I am looking already", "I am looking away already"]
        assert names == ["not_watching"]

    def test_players_are_called_as_they_are_here(self, pipe: tuple[int, int]) -> None:
        said: list[str] = []
        os.write(pipe[1], b"resign white\nhelp\nresign red\n")
        typed = Typed(games.feed, said.append, source=pipe[0], language=BLACK_RED)
        game, _ = self.follow(typed, begun=True)
        assert said == ["resign is said like this: resign red", manual(BLACK_AND_RED)]
        assert game.result is not None
        assert game.result.result == "1-0"

    def test_a_button_is_the_same_players_whatever_the_colours(
        self, pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        signals = Signals(None, pytest.fail)
        monkeypatch.setattr(signals, "lines", lambda: ["resign red"])
        typed = Typed(
            games.feed,
            pytest.fail,
            source=pipe[0],
            signals=signals,
            language=BLACK_RED,
        )
        game, _ = self.follow(typed, begun=True)
        assert game.result is not None
        assert game.result.result == "0-1"

    def test_the_end_of_the_input_is_no_command_and_no_end(self) -> None:
        source, end = os.pipe()
        os.write(end, b"seats A, B")
        os.close(end)
        typed = Typed(games.feed, pytest.fail, ["clock 5+1"], source)
        _, names = self.follow(typed, 10)
        os.close(source)
        assert names == ["clock_set", "seated", "ready"]

    def test_an_input_that_is_closed_says_nothing(self) -> None:
        source, end = os.pipe()
        os.close(source)
        os.close(end)
        assert self.follow(Typed(games.feed, pytest.fail, source=source), 8)[1] == ["ready"]

    def test_a_terminal_that_has_gone_is_an_end(self) -> None:
        source, end = os.pipe()
        os.close(source)
        typed = Typed(games.feed, pytest.fail, source=end)
        assert self.follow(typed, 8)[1] == ["ready"]
        os.close(end)

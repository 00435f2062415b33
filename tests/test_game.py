"""The whole step: pauses, the record, and that replays repeat."""

from __future__ import annotations

import dataclasses
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import game as games
from referee.announcements import LANGUAGES
from referee.announcer import announce
from referee.board import EMPTY, START, Side, replace
from referee.commands import Command, Word
from referee.events import Event, Refused, Ruling
from referee.notation import fen, parse_pdn, write_pdn
from referee.observation import Hand, Observation, certain
from referee.profiles import PROFILES, Profile
from referee.rules import Position, after, lawful_moves
from tests.table import RED, WHITE, names, ready, rulings


class TestGames:
    def test_the_players_change_colours_after_a_game(self) -> None:
        table = ready()
        assert names(table.say(Word.SEATS, text="Anna, Ben")) == ["seated"]
        assert table.game.record().tags == {"Black": "Anna", "White": "Ben"}
        table.say(Word.RESIGN, RED)
        started, reminder = table.say(Word.START)
        assert started.name == "started"
        assert isinstance(reminder, Ruling)
        assert reminder.text == "The next game begins (WCDF 3.1). Ben has Red now and Anna White."
        assert table.game.record().tags == {"Black": "Ben", "White": "Anna"}
        assert names(table.rest(1_500)) == ["ready"]

    def test_a_game_begun_anew_is_no_next_game(self) -> None:
        table = ready()
        table.say(Word.SEATS, text="Anna, Ben")
        assert names(table.say(Word.START)) == ["started"]
        assert table.game.players == ("Anna", "Ben")

    @pytest.mark.parametrize(
        ("ended", "players"), [(False, ("Anna", "Ben")), (True, ("Ben", "Anna"))]
    )
    def test_they_keep_them_where_a_position_is_set_up_in_the_midst_of_one(
        self, ended: bool, players: tuple[str, str]
    ) -> None:
        table = ready()
        table.say(Word.SEATS, text="Anna, Ben")
        table.say(Word.OVERRULE, text="11-15 23-19 8-11 22-17 9-13")
        if ended:
            table.say(Word.RESULT, text="1-0")
        events = table.say(Word.SET_POSITION, text="B:W18,27,17,5:B14")
        assert table.game.players == players
        assert names(events) == ["started", *(["ruling"] if ended else [])]

    @pytest.mark.parametrize(
        ("code", "said"),
        [
            ("en", "In the next game Ben has Red and Anna White"),
            ("de", "Im nächsten Spiel hat Ben Rot und Anna Weiß"),
        ],
    )
    def test_who_sits_where_after_the_end_is_said_of_the_next_game(
        self, code: str, said: str
    ) -> None:
        table = ready()
        table.say(Word.SEATS, text="Anna, Ben")
        table.say(Word.RESIGN, RED)
        (seated,) = table.say(Word.SEATS, text="Ben, Anna")
        announced = announce(seated, LANGUAGES[code])
        assert announced is not None
        assert announced.text == said

    def test_what_is_said_of_the_event_stands_in_the_record(self) -> None:
        table = ready()
        table.say(Word.SEATS, text="Anna, Ben")
        for word, text in ((Word.EVENT, "Club"), (Word.SITE, "Vienna"), (Word.ROUND, "2")):
            (headed,) = table.say(word, text=text)
            told = {"event": "headed", "tag": word.value.capitalize(), "text": text}
            assert headed.record() == {"time_ms": table.time_ms, **told}
        table.say(Word.EVENT, text="Club evening")
        said = {"Event": "Club evening", "Site": "Vienna", "Round": "2"}
        seats = {"Black": "Anna", "White": "Ben"}
        assert table.game.record({"Event": "?", "Site": "usb:0"}).tags == said | seats

    def test_the_record_says_nothing_of_a_round_that_nobody_named(self) -> None:
        tags = {"Event": "?", "Site": "usb:0"}
        assert ready().game.record(tags).tags == tags

    def test_it_may_be_said_after_the_end_and_stays_in_the_next_game(self) -> None:
        table = ready()
        table.say(Word.RESIGN, RED)
        for word, text in ((Word.EVENT, "Club"), (Word.SITE, "Vienna"), (Word.ROUND, "2")):
            assert names(table.say(word, text=text)) == ["headed"]
        said = {"Event": "Club", "Site": "Vienna", "Round": "2"}
        assert table.game.record().tags == said
        table.say(Word.START)
        assert table.game.record().tags == said
        table.say(Word.ROUND, text="3")
        assert table.game.record().tags == said | {"Round": "3"}

    @pytest.mark.parametrize("text", ["Anna", "Anna,", "Anna, Ben, Cleo"])
    def test_seats_need_two_names(self, text: str) -> None:
        assert isinstance(ready().say(Word.SEATS, text=text)[0], Refused)


@pytest.mark.parametrize(
    ("word", "text"), [(Word.START, ""), (Word.SET_POSITION, fen(Position.start()))]
)
def test_a_pause_outlasts_the_beginning_of_a_game(word: Word, text: str) -> None:
    table = ready()
    table.say(Word.PAUSE)
    assert names(table.say(word, text=text)) == ["started"]
    assert table.rest(5_000) == []
    table.say(Word.RESUME)
    assert names(table.rest(2_000)) == ["watching", "ready"]


def test_pausing_looks_away() -> None:
    table = ready()
    assert names(table.say(Word.PAUSE)) == ["not_watching"]
    assert not table.change(WHITE, {22: ".", 18: "w"}, 4_000)
    table.setup = START
    table.say(Word.RESUME)
    assert names(table.rest(2_000)) == ["watching"]


def test_every_ruling_names_its_cause() -> None:
    table = ready()
    table.change(WHITE, {22: ".", 18: "w"}, 3_000)
    (ruling,) = rulings(table.events)
    assert table.events[ruling.cause].name == "irregular"
    assert "It is Red's turn" in ruling.text


def test_records_are_plain() -> None:
    table = ready()
    table.change(WHITE, {22: ".", 18: "w"}, 3_000)
    ruling = next(e for e in table.events if isinstance(e, Ruling)).record()
    assert ruling["verdict"] == "warning"
    assert ruling["side"] == "white"
    assert Command(5, Word.RESIGN, Side.RED).record() == {
        "time_ms": 5,
        "command": "resign",
        "side": "red",
        "text": "",
        "origin": "",
    }


def inputs(seed: int, plies: int) -> list[Observation]:
    """A random game under hands, frame by frame."""
    rng, position, time_ms, seen = random.Random(seed), Position.start(), 0, list[Observation]()

    def show(setup: str, frames: int, hands: tuple[Hand, ...] = ()) -> None:
        nonlocal time_ms
        for _ in range(frames):
            time_ms += rng.randint(70, 130)
            seen.append(Observation(time_ms, certain(setup), hands))

    show(START, 12)
    for _ in range(plies):
        if not (lawful := lawful_moves(position)):
            break
        move = rng.choice(lawful)
        covered = {*move.path, *move.captured}
        now = after(position, move)
        hidden = replace(position.setup, dict.fromkeys(covered, "?"))
        show(hidden, 4, (Hand(position.turn, tuple(sorted(covered))),))
        show(now.setup, 8)
        position = now
    return seen


@pytest.mark.parametrize("seed", range(3))
def test_a_random_game_is_recorded_whole(seed: int) -> None:
    game, frames = games.begin(), inputs(seed, 80)
    for frame in frames:
        game, _ = games.feed(game, frame)
    assert certain(game.position.setup) == frames[-1].evidence
    text = write_pdn(game.record({"Event": "Test"}))
    (record,) = parse_pdn(text)
    assert record.failure is None
    assert record.game.moves == game.moves


def test_the_same_inputs_give_the_same_events() -> None:
    frames = inputs(5, 30)
    runs = []
    for _ in range(2):
        game, events = games.begin(), list[object]()
        for frame in frames:
            game, more = games.feed(game, frame)
            events += [event.record() for event in more]
        runs.append(events)
    assert runs[0] == runs[1]
    assert len(runs[0]) > 20


TEXTS = (
    *("", "1", "3", "11-15", "9-14 22-18", "22x15", "B:W18,32:B14,1", "W:W32:BK1", "Anna, Ben"),
    *("1-0", "5+1", "1/1 button", "1+0", "off", "x", "11-15 99-1"),
)


said = st.builds(
    Command,
    st.just(0),
    st.sampled_from(Word),
    st.sampled_from([None, *Side]),
    st.sampled_from(TEXTS),
)


@given(st.lists(said, max_size=25), st.sampled_from(list(PROFILES.values())))
def test_whatever_people_say_the_game_goes_on(words: list[Command], profile: Profile) -> None:
    """Nothing breaks, events are counted, each can be said, and the same again gives the same."""
    runs = []
    for _ in range(2):
        game, events, time_ms = games.begin(profile=profile), list[Event](), 0
        for word in words:
            for given_input in (
                *(Observation(time_ms + 250 * n, certain(game.position.setup)) for n in (1, 2, 3)),
                dataclasses.replace(word, time_ms=time_ms + 900),
            ):
                game, more = games.feed(game, given_input)
                events += more
            time_ms += 40_000
        assert game.count == len(events)
        runs.append([event.record() for event in events])
    assert runs[0] == runs[1]
    assert json.loads(json.dumps(runs[0])) == runs[0]
    for event in events:
        for language in LANGUAGES.values():
            text = announce(event, language)
            assert text is None or "{" not in text.text


def test_feeding_leaves_the_old_game_as_it_was() -> None:
    old = games.begin()
    games.feed(old, Observation(100, certain(EMPTY * 32)))
    assert old == games.begin()

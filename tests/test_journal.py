"""The journal: what is written comes back, and a game can be gone on with or played again."""

from __future__ import annotations

import errno
import sqlite3
from contextlib import closing
from dataclasses import fields, replace
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest

from referee import game as games
from referee.announcements import LANGUAGES
from referee.announcer import announce
from referee.board import START, Side
from referee.commands import Command, Word
from referee.errors import InputError
from referee.events import Event
from referee.game import Game, Input
from referee.journal import coding, recorder
from referee.journal.chain import GENESIS, next_entry, parse_line
from referee.journal.condition import Hindrance, NotRecorded, NotRecording, hindrance_of
from referee.journal.copies import Database
from referee.journal.folding import Replay, events, first_game, fold, inputs
from referee.journal.journal import Journal
from referee.journal.keeper import Keeper
from referee.journal.recorder import Recorder, begun
from referee.journal.salvage import read
from referee.journal.shelf import Shelf
from referee.journal.whole import write_whole
from referee.language import Language
from referee.notation import fen
from referee.observation import LooseDisc, Observation, Recalled, certain
from referee.profiles import PROFILES
from tests.plays import played, recorded


def example(hint: Any) -> Any:
    """Some value of a declared type."""
    parts = get_args(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return list(hint)[-1]
    if parts and get_origin(hint) is tuple:
        return tuple(example(part) for part in parts if part is not ...) * 2
    return example(parts[0]) if parts else {int: 7, str: "words", bool: True}[hint]


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Input], Game, Path]:
    given = played(3)
    folder = tmp_path_factory.mktemp("games") / "game"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recorder, "STATE_INPUTS", 100)
        game, _ = recorded(folder, given)
    return given, game, folder


class TestCoding:
    @pytest.mark.parametrize("seed", range(3))
    def test_observations_come_back_exactly(self, seed: int) -> None:
        seen = [each for each in played(seed) if isinstance(each, Observation)]
        writer, steps = coding.StepWriter(), []
        for each in seen:
            writer.add(each)
            if writer.span_ms > 700:
                steps += writer.take()
        steps += writer.take()
        assert list(coding.StepReader().read(steps)) == seen

    def test_a_disc_that_lies_astride_comes_back_in_steps_and_in_the_game(self) -> None:
        lying = (
            LooseDisc((2, 4), Side.RED, astride=True),
            LooseDisc((4, 4), Side.WHITE),
            LooseDisc((4, 6), Side.RED, place=(-120, 0)),
        )
        seen = Observation(50, certain(START), loose=lying)
        writer = coding.StepWriter()
        writer.add(seen)
        assert list(coding.StepReader().read(writer.take())) == [seen]
        game, _ = games.feed(games.begin(), seen)
        assert game.tracker.loose
        line = coding.line_of({"game": coding.plain(game)})
        assert coding.value_of(Game, coding.json.loads(line)["game"]) == game

    def test_how_pieces_look_beside_before_comes_back_in_steps_and_in_the_game(self) -> None:
        nothing = (None,) * 31
        told = Observation(50, certain(START), recalled=(*nothing, Recalled(640, -700, 20)))
        touched = Observation(90, certain(START), recalled=(*nothing, None))
        writer = coding.StepWriter()
        for seen in (told, touched):
            writer.add(seen)
        assert list(coding.StepReader().read(writer.take())) == [told, touched]
        game, _ = games.feed(games.begin(), told)
        line = coding.line_of({"game": coding.plain(game)})
        assert coding.value_of(Game, coding.json.loads(line)["game"]) == game

    def test_where_a_disc_is_seen_lifted_comes_back_in_steps_and_in_the_game(self) -> None:
        told = [
            Observation(ms, certain(START), lifted=lifted)
            for ms, lifted in ((50, (9,)), (90, (9, 22)), (130, ()))
        ]
        writer = coding.StepWriter()
        for seen in told:
            writer.add(seen)
        assert list(coding.StepReader().read(writer.take())) == told
        game, _ = games.feed(games.begin(), told[0])
        assert game.tracker.sight.lifted == ((9, 50),)
        line = coding.line_of({"game": coding.plain(game)})
        assert coding.value_of(Game, coding.json.loads(line)["game"]) == game

    def test_every_field_of_an_observation_is_written(self) -> None:
        """A field that is added to observations must be added to the journal's steps."""
        names = [field.name for field in fields(Observation)]
        known = [
            "time_ms",
            "evidence",
            "hands",
            "loose",
            "offsets",
            "visibility",
            "shift",
            "recalled",
            "lifted",
        ]
        assert names == known

    def test_a_board_at_rest_costs_a_number_a_frame(self) -> None:
        seen = replace(coding.BLANK, time_ms=5)
        writer = coding.StepWriter()
        for _ in range(100):
            seen = replace(seen, time_ms=seen.time_ms + 33)
            writer.add(seen)
        (step,) = writer.take()
        assert step == {"t": [38, *[33] * 99]}

    @pytest.mark.parametrize("name", sorted(coding._kinds()))
    def test_every_event_comes_back(self, name: str) -> None:
        kind = coding._kinds()[name]
        sample = kind(*map(example, coding._field_hints(kind)))
        line = coding.line_of(sample.record())
        assert coding.event_of(coding.json.loads(line)) == sample

    def test_an_event_of_another_version_says_so(self) -> None:
        with pytest.raises(coding.JournalError, match="version"):
            coding.event_of({"event": "castled", "time_ms": 1})

    @pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
    def test_a_whole_game_comes_back(self, profile: games.Profile) -> None:
        game = games.begin(profile=profile)
        for each in played(5):
            game, _ = games.feed(game, each)
        line = coding.line_of({"game": coding.plain(game)})
        assert coding.value_of(Game, coding.json.loads(line)["game"]) == game

    def test_a_long_game_comes_back(self) -> None:
        game = games.begin()
        for each in played(4, plies=70):
            game, _ = games.feed(game, each)
        assert len(game.moves) > 50
        line = coding.line_of({"game": coding.plain(game)})
        assert coding.value_of(Game, coding.json.loads(line)["game"]) == game

    def test_a_game_with_a_position_set_by_hand_comes_back(self) -> None:
        game = games.begin()
        for each in played(4):
            game, _ = games.feed(game, each)
        said = Command(game.tracker.now, Word.CORRECT, None, fen(game.position))
        game, _ = games.feed(game, said)
        assert game.former
        line = coding.line_of({"game": coding.plain(game)})
        assert coding.value_of(Game, coding.json.loads(line)["game"]) == game

    def test_what_cannot_be_kept_is_refused(self) -> None:
        with pytest.raises(TypeError, match="float"):
            coding.plain(0.5)


class TestChain:
    def test_a_line_is_an_entry(self, journal: tuple[list[Input], Game, Path]) -> None:
        *_, folder = journal
        lines = (folder / "journal.txt").read_bytes().splitlines()
        before = GENESIS
        for number, line in enumerate(lines):
            entry = parse_line(line)
            assert entry is not None
            assert entry.follows(before)
            assert entry.body()["#"] == number
            before = entry.hash

    @pytest.mark.parametrize(
        "line", [b"", b"{}", b"0" * 64, b"0" * 64 + b" []", b"z" * 64 + b" {}"]
    )
    def test_other_lines_are_none(self, line: bytes) -> None:
        assert parse_line(line) is None

    def test_a_changed_text_does_not_follow(self) -> None:
        entry = next_entry(None, "begun", "", {})
        assert entry.follows(GENESIS)
        assert not replace(entry, text=entry.text + " ").follows(GENESIS)
        assert not entry.follows(entry.hash)


class TestSalvage:
    def test_a_damaged_number_hurts_its_own_line_only(
        self, journal: tuple[list[Input], Game, Path], tmp_path: Path
    ) -> None:
        *_, folder = journal
        lines = (folder / "journal.txt").read_bytes().splitlines(keepends=True)
        lines[7] = lines[7].replace(b'{"#":7,', b'{"#":3,')
        (tmp_path / "journal.txt").write_bytes(b"".join(lines))
        findings = read(tmp_path)
        assert len(findings.entries) == 7
        assert findings.lost == len(lines) - 7


class TestFolding:
    def test_inputs_come_back_in_order(self, journal: tuple[list[Input], Game, Path]) -> None:
        given, _, folder = journal
        entries = read(folder).entries
        assert [each for _, _, some in inputs(entries) for each in some] == given

    def test_a_replay_confirms_everything(self, journal: tuple[list[Input], Game, Path]) -> None:
        given, game, folder = journal
        entries = read(folder).entries
        replay = Replay(entries)
        assert list(replay) == []
        assert (replay.fed, replay.caused) == (len(given), game.count)
        assert game.count > 10

    def test_a_replay_prints_what_it_does_not_confirm(
        self, journal: tuple[list[Input], Game, Path]
    ) -> None:
        *_, folder = journal
        entries = list(read(folder).entries)
        place = next(n for n, entry in enumerate(entries) if '"played"' in entry.text)
        forged = replace(entries[place], text=entries[place].text.replace('"played"', '"plaied"'))
        (difference,) = Replay([*entries[:place], forged, *entries[place + 1 :]])
        assert difference.entry == place
        assert "plaied" in difference.recorded
        assert "played" in difference.replayed

    @pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 0.97, 1.0])
    def test_a_fold_is_the_game_at_that_point(
        self, journal: tuple[list[Input], Game, Path], share: float
    ) -> None:
        *_, folder = journal
        entries = read(folder).entries
        some = entries[: max(1, round(share * len(entries)))]
        assert any(entry.kind == "state" for entry in entries)
        game = first_game(some)
        for _, _, given in inputs(some):
            for each in given:
                game, _ = games.feed(game, each)
        assert fold(some) == game

    def test_a_replay_compares_no_state_of_another_version(
        self, journal: tuple[list[Input], Game, Path]
    ) -> None:
        *_, folder = journal
        entries = read(folder).entries
        strange = [replace(e, text=e.text.replace('"game":[', '"game":[7,')) for e in entries[1:]]
        again = Replay([entries[0], *strange])
        assert list(again) == []
        assert again.foreign == sum(entry.kind == "state" for entry in entries) > 0

    def test_a_state_of_another_version_is_passed_over(
        self, journal: tuple[list[Input], Game, Path]
    ) -> None:
        _, game, folder = journal
        entries = read(folder).entries
        strange = [replace(e, text=e.text.replace('"game":[', '"game":[7,')) for e in entries[1:]]
        assert fold([entries[0], *strange]) == game


class TestRecorder:
    def test_a_command_said_when_a_state_is_due_is_fed_once(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(recorder, "STATE_INPUTS", 1)
        given = played(8, plies=5)
        given.append(Command(given[-1].time_ms, Word.CORRECT))
        game, _ = recorded(tmp_path / "game", given)
        assert [e.kind for e in read(tmp_path / "game").entries][-2:] == ["state", "said"]
        assert fold(read(tmp_path / "game").entries) == game
        assert list(Replay(read(tmp_path / "game").entries)) == []

    def test_what_is_announced_is_on_the_disk(self, tmp_path: Path) -> None:
        given = played(8, plies=5)
        game, journal = games.begin(), Journal.create(tmp_path / "game")
        journal.append("begun", begun(game, "game"))
        keeper, told = Recorder(journal), list[Event]()
        for each in given:
            game, more = keeper.feed(game, each)
            told += more
            if more:
                assert list(events(read(tmp_path / "game").entries)) == told
        assert len(told) == game.count

    def test_looking_alone_is_written_once_a_second(self, tmp_path: Path) -> None:
        seen = [replace(coding.BLANK, time_ms=33 * n) for n in range(1, 301)]
        recorded(tmp_path / "game", list(seen))
        batches = [entry for entry in read(tmp_path / "game").entries if entry.kind == "seen"]
        assert 9 <= len(batches) <= 11


class TestADiskThatTakesNothing:
    """What people are told of it; nobody is to make room on a disk that fails."""

    def test_where_no_game_can_be_begun_another_folder_may_help(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        def refuse(_: Path) -> Journal:
            raise OSError(errno.EROFS, "Read-only file system")

        monkeypatch.setattr(Journal, "create", refuse)
        keeper = Keeper(Shelf(tmp_path), "a test", days=0)
        with pytest.raises(InputError, match=r"; make room .*, or .* with --games"):
            keeper.feed(games.begin(), replace(coding.BLANK, time_ms=33))

    @pytest.mark.parametrize(
        ("number", "hindrance"),
        [
            (errno.ENOSPC, Hindrance.FULL),
            (errno.EDQUOT, Hindrance.FULL),
            (errno.EROFS, Hindrance.READ_ONLY),
            (errno.EIO, Hindrance.FAILING),
            (errno.EACCES, Hindrance.OTHER),
        ],
    )
    def test_the_system_says_what_is_wrong(self, number: int, hindrance: Hindrance) -> None:
        assert hindrance_of(OSError(number, "it is wrong")) is hindrance

    @pytest.mark.parametrize(
        ("pragma", "number", "hindrance"),
        [
            ("max_page_count=1", 2, Hindrance.FULL),
            ("query_only=ON", 2, Hindrance.READ_ONLY),
            ("query_only=OFF", 1, Hindrance.OTHER),
        ],
    )
    def test_so_does_the_database(
        self, pragma: str, number: int, hindrance: Hindrance, tmp_path: Path
    ) -> None:
        with closing(sqlite3.connect(tmp_path / "x")) as database:
            database.execute("CREATE TABLE entry(n INTEGER UNIQUE, text BLOB)")
            database.execute("INSERT INTO entry VALUES (1, '')")
            database.execute(f"PRAGMA {pragma}")
            with pytest.raises(sqlite3.Error) as caught:
                database.execute("INSERT INTO entry VALUES (?, zeroblob(99999))", [number])
        assert hindrance_of(caught.value) is hindrance

    def test_errors_without_a_number_are_others(self) -> None:
        for error in (sqlite3.ProgrammingError("it is closed"), OSError("it is wrong")):
            assert hindrance_of(error) is Hindrance.OTHER

    @pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
    @pytest.mark.parametrize("hindrance", Hindrance)
    def test_it_is_told_without_the_systems_words(
        self, hindrance: Hindrance, language: Language
    ) -> None:
        for event in (
            NotRecording(1, "[Errno 5] Input/output error", hindrance),
            NotRecorded(1, "[Errno 5] Input/output error", hindrance, 3),
        ):
            said = announce(event, language)
            assert said is not None
            assert event.reason not in said.text
            room = "Platz" in said.text or "room" in said.text
            assert room is (hindrance is Hindrance.FULL)


class TestAFullDiskAtTheEnd:
    @pytest.fixture
    def full(self, tmp_path, monkeypatch):
        """Plays a game whose disk is full from its middle on until so many seconds behind its end.
        Gives what was announced, what was told at the end and when, and the number of events."""
        waited_s = [0.0]
        monkeypatch.setattr("referee.journal.recorder.time.sleep", lambda s: waited(s))

        def waited(wait_s: float) -> None:
            waited_s[0] += wait_s

        def play(room_s: float):
            given, add, full = played(8, plies=5), Database.add, [False]

            def adding(self, *entries):
                if full[0] and waited_s[0] < room_s:
                    raise sqlite3.OperationalError("database or disk is full")
                add(self, *entries)

            monkeypatch.setattr(Database, "add", adding)
            game, journal, told = games.begin(), Journal.create(tmp_path / "game"), list[Event]()
            journal.append("begun", begun(game, "game"))
            keeper = Recorder(journal)
            for number, each in enumerate(given):
                full[0] = number >= len(given) // 2
                game, more = keeper.feed(game, each)
                told += more
            last: list[tuple[str, float]] = []
            told += keeper.close(lambda event: last.append((event.name, waited_s[0])))
            told = [e for e in told if e.name not in ("not_recording", "recording")]
            return told, last, game.count

        return play

    def test_nothing_is_lost_when_room_is_made_within_a_minute(self, full, tmp_path):
        told, last, count = full(room_s=50)
        assert len(told) == count
        assert list(events(read(tmp_path / "game").entries)) == told
        assert last[0][0] == "recording"

    def test_what_stays_unwritten_is_not_announced_and_people_are_told(self, full, tmp_path):
        told, last, count = full(room_s=1e9)
        assert [name for name, _ in last] == ["not_recorded"]
        *before, end = told
        assert end.held == count - len(before) > 0
        assert list(events(read(tmp_path / "game").entries)) == before

    def test_people_hear_of_it_while_there_is_time(self, tmp_path, monkeypatch):
        game, journal = games.begin(), Journal.create(tmp_path / "game")
        journal.append("begun", begun(game, "game"))
        keeper, told = Recorder(journal), list[str]()
        keeper.feed(game, replace(coding.BLANK, time_ms=33))
        error = sqlite3.OperationalError("database or disk is full")
        monkeypatch.setattr(Database, "add", lambda *_: (_ for _ in ()).throw(error))

        def stopped(wait_s: float) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("referee.journal.recorder.time.sleep", stopped)
        with pytest.raises(KeyboardInterrupt):
            keeper.close(lambda event: told.append(event.name))
        assert told == ["not_recording"]
        monkeypatch.undo()
        Journal.reopen(tmp_path / "game")[0].close()  # it is no longer in use


@pytest.mark.parametrize("target", ["game.pdn", "link"], ids=["a file", "itself"])
def test_a_file_is_written_where_its_link_leads(target: str, tmp_path: Path) -> None:
    link, file = tmp_path / "link", tmp_path / target
    link.symlink_to(file)
    write_whole(link, "1. 11-15 *")
    assert file.read_text() == "1. 11-15 *"
    assert link.is_symlink() is (target != "link")

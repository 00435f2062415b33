"""What can be set, where it may be set, what wins, and what is said of mistakes."""

from __future__ import annotations

import json
import tomllib
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from hardware.cameras.memory import state_folder
from hardware.speech.cache import usual_folder as voice_folder
from referee import cli
from referee.journal import shelf
from referee.service.manager import Manager, folders
from referee.settings import files
from referee.settings.clashes import clashes
from referee.settings.effective import DEFAULT, TYPED, settle
from referee.settings.example import example
from referee.settings.files import parse, read, read_all, usual_places
from referee.settings.knobs import KNOBS, SECTIONS, Settings, settings_of
from referee.settings.last_good import recovered
from referee.settings.values import bounds_of, checked, written
from tests.test_cli import complaint, lines

HERE = Path("/srv/referee.toml")


def problems(text: str) -> list[str]:
    return list(parse(text.encode(), HERE).problems)


@pytest.fixture
def places(tmp_path, monkeypatch):
    """The machine's file and the user's, neither there yet."""
    monkeypatch.setattr(files, "MACHINE", tmp_path / "etc")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    for place in usual_places():
        place.parent.mkdir(parents=True)
    return usual_places()


class TestKnobs:
    @pytest.mark.parametrize("knob", KNOBS.values(), ids=list(KNOBS))
    def test_each_is_one_sentence_with_a_default_or_an_example(self, knob):
        assert knob.about.sentence[0].isupper()
        assert knob.about.sentence.endswith(".")
        assert knob.default is not None or knob.about.example is not None

    @pytest.mark.parametrize("knob", KNOBS.values(), ids=list(KNOBS))
    def test_its_own_default_and_example_may_stand_there(self, knob):
        for value in (knob.default, knob.about.example):
            if value is not None:
                checked(knob, value, Path("/srv"))

    @pytest.mark.parametrize("knob", KNOBS.values(), ids=list(KNOBS))
    def test_a_number_has_bounds_or_choices(self, knob):
        if knob.kind in (int, float):
            assert bounds_of(knob)

    def test_all_sections_are_frozen_and_told_apart(self):
        assert set(SECTIONS) == {field.name for field in fields(Settings)}
        assert all(is_dataclass(getattr(Settings(), name)) for name in SECTIONS)
        assert all(SECTIONS.values())

    def test_defaults_are_those_of_the_dataclasses(self):
        assert settings_of({key: knob.default for key, knob in KNOBS.items()}) == Settings()


class TestFile:
    def test_values_are_read_with_their_lines(self):
        reading = parse(b"[games]\n\npictures_days = 3\n[rules]\nprofile = 'us'\n", HERE)
        assert reading.problems == ()
        days, profile = reading.given["games.pictures_days"], reading.given["rules.profile"]
        assert (days.value, days.origin) == (3, "/srv/referee.toml:3")
        assert (profile.value, profile.origin) == ("us", "/srv/referee.toml:5")

    def test_a_whole_number_where_a_text_belongs_needs_no_quotes(self):
        assert parse(b"[games]\nround = 3\n", HERE).given["games.round"].value == "3"
        (problem,) = problems("[games]\nround = true")
        assert problem.endswith(":2: [games] round: must be a text in quotes, not true")

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            pytest.param("[camra]", ":1: there is no section [camra]; did you mean [camera]?"),
            pytest.param(
                "[camera]\nsorce = 'usb:0'", ":2: [camera] has no sorce; did you mean source?"
            ),
            pytest.param(
                "[games]\n# days\npictures_days = 9999",
                ":3: [games] pictures_days: must be 0 to 3650 days, not 9999",
            ),
            pytest.param(
                "[games]\npictures_days = 2.5",
                ":2: [games] pictures_days: must be a whole number, not 2.5",
            ),
            pytest.param(
                "[games]\npictures_days = true",
                ":2: [games] pictures_days: must be a whole number, not true",
            ),
            pytest.param(
                "[rules]\nlanguage = 'fr'", ':2: [rules] language: must be en or de, not "fr"'
            ),
            pytest.param(
                "[camera]\nrate = nan", ":2: [camera] rate: must be 1 to 120 a second, not NaN"
            ),
            pytest.param("[camera]\nrate = 1e999", ":2: [camera] rate: must be 1 to 120"),
            pytest.param("[panel]\nkind = 'gpoi'", ":2: [panel] kind: must be off, gpio or a full"),
            pytest.param("[camera]\nwidth = 641", ":2: [camera] width: must be even"),
            pytest.param('[voice]\nsay = "a \\"b"', ":2: [voice] say: must not leave a quote open"),
            pytest.param("[camera]\nmains_hz = 55", ":2: [camera] mains_hz: must be 50 or 60"),
            pytest.param('[camera]\nsource = "a\\nb"', ":2: [camera] source: must be one line"),
            pytest.param("[rules]\nsides = 'black'", ":2: [rules] sides: must be two different"),
            pytest.param("[rules]\nsides = 'red,red'", ":2: [rules] sides: must be two different"),
            pytest.param(
                "[rules]\nsides = 'black,pink'",
                ":2: [rules] sides: must be two different ones of red, white, black, yellow,"
                " green, blue, brown, dark, light, such as black,red, not 'black,pink'",
            ),
            pytest.param(
                "[rules]\nclock = '30/60 reste'",
                ":2: [rules] clock: a clock is set as 5+1 or 30/60 (moves/minutes), also with"
                " reset or button, or off",
            ),
            pytest.param(
                "[camera]\nsource = ['usb:0']",
                ":2: [camera] source: must be a text in quotes, not a list",
            ),
            pytest.param(
                "[camera]\nsource = ''", ":2: [camera] source: must be one line of 1 to 400 signs"
            ),
            pytest.param("[games]\nfolder = '~nobody-here/x'", ":2: [games] folder: names"),
            pytest.param(
                "profile = 'us'",
                ":1: there is no profile outside the sections; profile belongs into [rules]",
            ),
            pytest.param("[rules]\nprofile = us", ":2: invalid value"),
            pytest.param("[rules\n", ":1: expected ']'"),
            pytest.param("camera = 3", ":1: [camera] must be a section"),
            pytest.param("rules.profile = 'us'\nrules.lang = 1", ":2: [rules] has no lang;"),
            pytest.param("\ufeff[camra]", ":1: there is no section [camra]"),
        ],
    )
    def test_a_mistake_is_named_with_its_line_and_what_was_meant(self, text, said):
        (problem,) = problems(text)
        assert problem.startswith(f"/srv/referee.toml{said}")

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            pytest.param(b"\xff\xfe", "not text in UTF-8", id="not-text"),
            pytest.param(b"[camera]\n#" + b"x" * 70_000, "longer than", id="too-long"),
            pytest.param(b"a = " + b"[" * 5_000, "too many brackets", id="too-deep"),
            pytest.param(
                b"[games]\npictures_days = " + b"9" * 5_000, "a number is too long", id="too-large"
            ),
        ],
    )
    def test_what_is_no_file_of_settings_says_why(self, data, said):
        (problem,) = parse(data, HERE).problems
        assert said in problem
        assert len(problem) < 200

    def test_every_mistake_is_named_and_the_rest_holds(self):
        reading = parse(b"[games]\npictures_days = 9999\nfoldr = 'x'\n[rules]\nprofile='us'", HERE)
        assert len(reading.problems) == 2
        assert [*reading.given] == ["rules.profile"]

    def test_a_sentence_names_some_mistakes_only(self):
        text = "".join(f"[x{number}]\n" for number in range(9))
        complaint = parse(text.encode(), HERE).complaint
        assert complaint.count("there is no section") == 3
        assert complaint.endswith("and 6 more (`referee config` lists them)")

    def test_paths_begin_in_the_folder_of_the_file(self, monkeypatch):
        monkeypatch.setenv("HOME", "/home/anna")
        text = b"[games]\nfolder = 'games'\n[camera]\ncalibration = '~/board.json'"
        values = {key: str(given.value) for key, given in parse(text, HERE).given.items()}
        assert values["games.folder"] == "/srv/games"
        assert values["camera.calibration"] == "/home/anna/board.json"

    @pytest.mark.parametrize(
        ("source", "place"),
        [
            pytest.param("film.mp4", "/srv/film.mp4", id="file"),
            pytest.param("~/film.mp4", "/home/anna/film.mp4", id="home"),
            pytest.param("/films/1.mp4", "/films/1.mp4", id="full"),
            pytest.param("usb:C920", "usb:C920", id="camera"),
            pytest.param("http://phone/video", "http://phone/video", id="address"),
            pytest.param("fake:brilliancy", "fake:brilliancy", id="drawn"),
        ],
    )
    def test_so_does_a_source_that_is_a_file(self, source, place, monkeypatch):
        monkeypatch.setenv("HOME", "/home/anna")
        reading = parse(f"[camera]\nsource = '{source}'".encode(), HERE)
        assert reading.given["camera.source"].value == place


class TestPlaces:
    def test_the_machines_comes_before_the_users_or_another_users(self, monkeypatch):
        monkeypatch.setenv("XDG_CONFIG_HOME", "/home/anna/conf")
        machine = Path("/etc/referee.toml")
        assert usual_places() == (machine, Path("/home/anna/conf/referee/referee.toml"))
        of_ben = Path("/home/ben/.config/referee/referee.toml")
        assert usual_places(Path("/home/ben")) == (machine, of_ben)
        monkeypatch.delenv("XDG_CONFIG_HOME")
        monkeypatch.setenv("HOME", "/home/anna")
        assert usual_places()[1] == Path("/home/anna/.config/referee/referee.toml")

    @pytest.mark.parametrize("given", ["", "conf", "./conf", "~/conf"])
    def test_what_is_no_absolute_path_is_no_place_for_anything(self, given, monkeypatch):
        for kind in ("DATA", "CONFIG", "STATE", "CACHE"):
            monkeypatch.setenv(f"XDG_{kind}_HOME", given)
        monkeypatch.setenv("HOME", "/home/anna")
        units = Path("/home/anna/.config/systemd/user")
        share, state, cache = (
            Path("/home/anna", *place, "referee")
            for place in ((".local", "share"), (".local", "state"), (".cache",))
        )
        assert usual_places()[1] == Path("/home/anna/.config/referee/referee.toml")
        assert shelf.usual_folder() == share / "games"
        assert (state_folder(), voice_folder("voice")) == (state, cache / "voice")
        assert Manager(system=False).path.parent == units
        assert folders(Settings(), None) == [share, state, cache]

    def test_nothing_is_needed(self, places):
        assert read_all(None) == ()
        assert settle(read_all(None), {}).settings == Settings()

    def test_the_users_file_wins_over_the_machines_key_by_key(self, places):
        machine, user = places
        machine.write_text("[rules]\nprofile = 'us'\nlanguage = 'de'")
        user.write_text("[rules]\nprofile = 'club'")
        rules = settle(read_all(None), {}).settings.rules
        assert (rules.profile, rules.language) == ("club", "de")

    def test_a_chosen_file_is_read_alone(self, places, tmp_path):
        places[0].write_text("[rules]\nprofile = 'us'")
        chosen = tmp_path / "mine.toml"
        chosen.write_text("[rules]\nlanguage = 'de'")
        rules = settle(read_all(chosen), {}).settings.rules
        assert (rules.profile, rules.language) == ("wcdf", "de")

    def test_the_current_folder_chooses_nothing(self, places, tmp_path, monkeypatch):
        (tmp_path / "referee.toml").write_text("[voice]\nsay = 'rm -rf'")
        monkeypatch.chdir(tmp_path)
        assert settle(read_all(None), {}).settings == Settings()

    def test_a_chosen_file_that_is_missing_is_a_mistake(self, tmp_path):
        (reading,) = read_all(tmp_path / "no.toml")
        assert "no such file" in reading.complaint

    def test_a_link_to_nowhere_is_a_mistake_and_not_nothing(self, places):
        places[1].symlink_to("nowhere.toml")
        assert "no such file" in read_all(None)[0].complaint

    def test_what_is_typed_wins(self, places):
        places[1].write_text("[games]\npictures_days = 3")
        holding = settle(read_all(None), {"games.pictures_days": 5})
        assert holding.settings.games.pictures_days == 5
        assert holding.given["games.pictures_days"].origin == TYPED
        assert holding.given["games.folder"].origin == DEFAULT

    def test_what_is_typed_has_bounds_too(self):
        with pytest.raises(ValueError, match="0 to 3650 days, not -1"):
            settle((), {"games.pictures_days": -1})


class TestClashes:
    @pytest.mark.parametrize(
        ("panel", "said"),
        [
            pytest.param({}, None, id="the-usual-pins"),
            pytest.param({"kind": "gpio"}, None, id="the-usual-pins-in-use"),
            pytest.param({"kind": "gpio", "claim": 17}, "lamp_red and claim have the same pin, 17"),
            pytest.param(
                {"kind": "gpio", "buzzer": 4, "claim": 4, "confirm": 4},
                "buzzer and claim and confirm have the same pin, 4",
            ),
            pytest.param({"kind": "gpio", "buzzer": 0, "claim": 0}, None, id="not-fitted"),
            pytest.param({"claim": 17}, None, id="not-used"),
        ],
    )
    def test_two_things_on_one_pin(self, panel, said):
        told = clashes(settings_of({f"panel.{name}": value for name, value in panel.items()}))
        assert [each.removeprefix("[panel] ").partition(";")[0] for each in told] == (
            [said] if said else []
        )

    def test_they_may_stand_in_two_files(self, places, capsys):
        places[0].write_text("[panel]\nbuzzer = 4")
        places[1].write_text("[panel]\nclaim = 4")
        assert cli.main(["watch", "usb:0", "--panel", "gpio"]) == 2
        assert "buzzer and claim have the same pin, 4; give each" in complaint(capsys)

    def test_they_are_told_by_the_verb(self, places, capsys):
        places[1].write_text("[panel]\nkind = 'gpio'\nclaim = 17")
        assert cli.main(["config", "--json"]) == 1
        assert "lamp_red and claim" in lines(capsys.readouterr().out)[-1]["problem"]


class TestTheClock:
    @pytest.mark.parametrize("verb", [("config",), ("watch", "usb:0")])
    def test_it_needs_rules_that_know_of_clocks(self, verb, places, capsys):
        places[0].write_text("[rules]\nprofile = 'plain'")
        places[1].write_text("[rules]\nclock = '30/60'")
        assert cli.main([*verb]) == (1 if verb == ("config",) else 2)
        told = "[rules] the rules plain say nothing of clocks; set clock to off, or another profile"
        assert capsys.readouterr().err.endswith(f"referee: {told}\n")

    @pytest.mark.parametrize(
        ("profile", "clock"), [("plain", "off"), ("plain", None), ("us", "5+1")]
    )
    def test_else_nothing_is_wrong(self, profile, clock):
        assert clashes(settings_of({"rules.profile": profile, "rules.clock": clock})) == ()


class TestLastGood:
    @pytest.fixture
    def file(self, tmp_path):
        file = tmp_path / "referee.toml"
        file.write_text("[rules]\nprofile = 'us'\n")
        return file

    @pytest.fixture
    def kept(self, file, tmp_path):
        """A start at which all was well, and the folder of its copy."""
        assert recovered(read(file), tmp_path / "copies")[1] == ""
        return tmp_path / "copies"

    def profile(self, reading):
        return settle((reading,), {}).settings.rules.profile

    @pytest.mark.parametrize(
        "content",
        [
            pytest.param("[rules\nprofile = 'club'", id="syntax"),
            pytest.param("[rules]\nprofile = 'chess'", id="value"),
            pytest.param("[rulez]\nprofile = 'club'", id="key"),
            pytest.param("\0" * 30, id="zeros"),
            pytest.param("", id="empty"),
            pytest.param("\n", id="blank"),
        ],
    )
    def test_a_broken_file_gives_way_to_its_copy(self, file, kept, content):
        file.write_text(content)
        reading, told = recovered(read(file), kept)
        assert self.profile(reading) == "us"
        assert told.startswith(str(file))
        assert told.endswith("; the last good copy of the file is used")
        # And again at the next start: the copy is not overwritten by what is broken.
        assert self.profile(recovered(read(file), kept)[0]) == "us"

    def test_a_file_that_cannot_be_read_gives_way_too(self, file, kept):
        file.unlink()
        file.mkdir()
        reading, told = recovered(read(file), kept)
        assert self.profile(reading) == "us"
        assert "is a directory" in told

    def test_a_mended_file_holds_again(self, file, kept):
        file.write_text("[rules")
        recovered(read(file), kept)
        file.write_text("[rules]\nprofile = 'club'")
        reading, told = recovered(read(file), kept)
        assert (self.profile(reading), told) == ("club", "")

    def test_without_a_copy_what_is_sound_counts(self, file, tmp_path):
        file.write_text("[rules]\nprofile = 'club'\nlanguage = 'fr'")
        reading, told = recovered(read(file), tmp_path / "none")
        assert self.profile(reading) == "club"
        assert told.endswith("the rest of it is used")

    def test_without_anything_the_defaults_hold(self, file, tmp_path):
        file.write_text("[rules")
        reading, told = recovered(read(file), tmp_path / "none")
        assert self.profile(reading) == "wcdf"
        assert told.endswith("nothing of it is used")

    def test_a_broken_copy_is_none(self, file, kept):
        (copy,) = kept.iterdir()
        copy.write_text("[rules")
        file.write_text("[rules")
        assert recovered(read(file), kept)[1].endswith("nothing of it is used")

    def test_a_folder_that_takes_no_copy_stops_nothing(self, file, tmp_path):
        (tmp_path / "copies").write_text("in the way")
        assert recovered(read(file), tmp_path / "copies") == (read(file), "")


class TestExample:
    def test_it_is_valid_and_sets_nothing(self):
        reading = parse(example().encode(), HERE)
        assert (reading.problems, dict(reading.given)) == ((), {})
        assert set(tomllib.loads(example())) == set(SECTIONS)

    def test_it_is_valid_with_everything_set_and_leaves_nothing_out(self):
        setting = "\n".join(
            line[1:] if line.startswith("#") and line[1] != " " else line
            for line in example().splitlines()
        )
        reading = parse(setting.encode(), HERE)
        assert reading.problems == ()
        assert list(reading.given) == list(KNOBS)

    def test_it_fits_into_a_terminal(self):
        assert max(map(len, example().splitlines())) <= 100

    def test_a_value_that_is_written_is_read_again(self):
        value = 'a "quoted" \\ sign, ♚ and a tab-free line'
        read_again = tomllib.loads(f"x = {written(value)}")["x"]
        assert read_again == value


class TestVerb:
    def test_it_shows_what_holds_and_why(self, places, capsys):
        places[1].write_text("[games]\npictures_days = 3")
        assert cli.main(["config"]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        (row,) = (line for line in out.splitlines() if "pictures_days" in line)
        assert "3 days" in row
        assert "home/referee/referee.toml:2" in out.replace("\n", "").replace(" ", "")

    def test_programs_get_a_setting_a_line(self, places, capsys):
        places[1].write_text("[games]\nfolder = 'x'")
        assert cli.main(["config", "--json"]) == 0
        rows = {line["key"]: line for line in lines(capsys.readouterr().out)}
        assert list(rows) == list(KNOBS)
        assert rows["games.folder"]["value"] == str(places[1].parent / "x")
        assert rows["games.folder"]["from"] == f"{places[1]}:2"
        assert rows["rules.clock"] == rows["rules.clock"] | {"value": None, "from": "default"}
        assert rows["games.pictures_days"]["may_be"] == "0 to 3650 days"

    def test_a_mistake_is_told_and_makes_the_status_1(self, places, capsys):
        places[1].write_text("[games]\npictures_days = -3\n[rules]\nprofile = 'us'")
        assert cli.main(["config", "--json"]) == 1
        out, err = capsys.readouterr()
        *rows, problem = lines(out)
        assert "0 to 3650 days" in problem["problem"]
        assert {row["key"]: row["value"] for row in rows}["rules.profile"] == "us"
        assert err.count("\n") == 1

    def test_the_example_is_a_file(self, capsys):
        assert cli.main(["config", "--example"]) == 0
        assert capsys.readouterr().out == example()

    @pytest.mark.parametrize("verb", [["watch", "usb:0"], ["replay", "last"], ["calibrate"]])
    def test_other_commands_do_nothing_with_a_broken_file(self, verb, tmp_path, capsys):
        file = tmp_path / "x.toml"
        file.write_text("[camra]")
        assert cli.main([*verb, "--config", str(file)]) == 2
        assert "did you mean [camera]?" in complaint(capsys)

    def test_a_source_must_be_named_somewhere(self, places, capsys):
        assert cli.main(["watch"]) == 2
        assert "name a SOURCE" in complaint(capsys)

    def test_what_the_file_says_is_done(self, places, tmp_path, capsys):
        places[1].write_text(f"[games]\nfolder = {json.dumps(str(tmp_path / 'club'))}")
        assert cli.main(["export", "last"]) == 2
        assert f"{tmp_path}/club; `referee watch` makes it" in complaint(capsys)


def test_a_section_that_stands_there_twice_is_told_in_our_own_words():
    (problem,) = parse(b"[camera]\nwidth = 640\n[camera]\n", Path("referee.toml")).problems
    assert problem.startswith("referee.toml:3: [camera] stands there a second time")

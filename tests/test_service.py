"""The service: what systemd hears, what it is given, and what is done with nobody there."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hardware.camera import CameraError, Frame
from hardware.cameras.fake import FakeCamera
from hardware.cameras.video import Video
from referee import cli
from referee.commands import Word
from referee.english import ENGLISH
from referee.journal.salvage import read
from referee.journal.shelf import NAME as GAME
from referee.journal.shelf import Shelf, save_source
from referee.language import called
from referee.next_game import with_next_games
from referee.notation import fen, parse_pdn
from referee.service import manager as managers
from referee.service.manager import Answer, Manager, account, folders, make_folders, plan
from referee.service.steward import Steward, status_of, unfinished
from referee.service.supervisor import Supervised, Supervisor
from referee.service.unit import MARK, Plan, quoted, unit
from referee.settings.knobs import GamesSettings, ServiceSettings, Settings
from referee.verbs import service, serving, sources
from tests.table import RED, WHITE, Table
from tests.test_cli import complaint, lines
from tests.test_resume import broken_off, films, only  # noqa: F401 - fixtures

PROJECT = Path(__file__).parents[1]
PICTURE = np.zeros((4, 4, 3), np.uint8)


class Listener:
    """The other end of the socket."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self._socket.setblocking(False)

    def heard(self) -> list[str]:
        """All that was told since the last call."""
        found = []
        while True:
            try:
                found.append(self._socket.recv(4096).decode())
            except BlockingIOError:
                return found

    def listen(self, program: subprocess.Popen) -> list[str]:
        """All that is told until the program ends; the line holds some ten messages only."""
        found = []
        while program.poll() is None:
            found += self.heard()
            time.sleep(0.002)
        return found + self.heard()

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(params=["path", "abstract"])
def listener(request, tmp_path):
    name = f"@referee-test-{os.getpid()}"
    address = str(tmp_path / "notify") if request.param == "path" else name
    with closing(Listener(address)) as listening:
        yield listening


class TestSupervisor:
    def test_it_hears_of_the_whole_life(self, listener):
        environment = {"NOTIFY_SOCKET": listener.address, "WATCHDOG_USEC": "4000"}
        with Supervisor.of(environment) as supervisor:
            supervisor.status("looking\nfor the board")
            supervisor.ready()
            supervisor.alive()
        told = ["STATUS=looking for the board", "READY=1", "WATCHDOG=1", "STOPPING=1"]
        assert listener.heard() == told

    def test_nothing_is_told_twice(self, listener):
        supervisor = Supervisor(listener.address, patience_s=1000)
        for _ in range(3):
            supervisor.ready()
            supervisor.alive()
            supervisor.status("the same")
        assert listener.heard() == ["READY=1", "WATCHDOG=1", "STATUS=the same"]

    def test_signs_of_life_come_well_within_its_patience(self, listener):
        supervisor = Supervisor(listener.address, patience_s=0.0)
        fast = Supervisor(listener.address, patience_s=1e-9)
        for _ in range(3):
            supervisor.alive()
            fast.alive()
        assert listener.heard() == ["WATCHDOG=1"] * 3

    @pytest.mark.parametrize(
        "environment",
        [
            pytest.param({}, id="nobody"),
            pytest.param({"WATCHDOG_USEC": "9", "WATCHDOG_PID": "1"}, id="for-another"),
            pytest.param({"WATCHDOG_USEC": "soon"}, id="nonsense"),
        ],
    )
    def test_nobody_waits_for_a_sign_of_life(self, listener, environment):
        supervisor = Supervisor.of({**environment, "NOTIFY_SOCKET": listener.address})
        supervisor.alive()
        assert listener.heard() == []

    def test_nobody_listens_and_nothing_happens(self, tmp_path):
        for supervisor in (Supervisor(), Supervisor(str(tmp_path / "no")), Supervisor.of({})):
            with supervisor:
                supervisor.ready()
                supervisor.status("x")

    def test_a_listener_that_does_not_read_keeps_nobody_waiting(self, listener):
        supervisor = Supervisor(listener.address, patience_s=1e-9)
        for number in range(2_000):
            supervisor.status(str(number))
        assert 0 < len(listener.heard()) < 2_000

    def test_only_a_good_picture_makes_it_ready(self, listener):
        frames = [Frame(PICTURE, 0, "lost"), Frame(PICTURE, 1), Frame(PICTURE, 2)]

        class Camera:
            length_ms = None

            def frames(self):
                return iter(frames)

        watched = Supervised(Camera(), Supervisor(listener.address, patience_s=1e-9)).frames()
        next(watched)
        assert listener.heard() == ["WATCHDOG=1"]
        next(watched)
        assert listener.heard() == ["READY=1", "WATCHDOG=1"]
        # Who fetches no picture gives no sign.
        assert listener.heard() == []
        next(watched)
        assert listener.heard() == ["WATCHDOG=1"]


SYSTEM_PLAN = Plan(
    [sys.executable, "-m", "referee", "service", "run", "--config", "/srv/my games/100%.toml"],
    [Path("/var/tmp"), Path("/var/cache")],
    user="daemon",
    groups=["video", "audio"],
)
USER_PLAN = Plan([sys.executable, "-m", "referee", "service", "run"], [Path("/var/tmp")])
ODD_FOLDERS = [Path("/srv/my games/100%"), Path("/srv/Ben's\t$1")]
needs_analyzer = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason="NO UNIT IS VERIFIED HERE: there is no systemd-analyze",
)


def analyzed(tmp_path, text, *words):
    (tmp_path / "referee.service").write_text(text)
    env = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path), "LC_ALL": "C"}
    command = ["systemd-analyze", *words, str(tmp_path / "referee.service")]
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    return done.returncode, done.stdout + done.stderr


class TestUnit:
    @needs_analyzer
    @pytest.mark.parametrize(
        ("plan", "words"),
        [
            pytest.param(SYSTEM_PLAN, ["verify"], id="system"),
            pytest.param(USER_PLAN, ["--user", "verify"], id="user"),
            pytest.param(replace(SYSTEM_PLAN, folders=ODD_FOLDERS), ["verify"], id="odd folders"),
            pytest.param(
                replace(USER_PLAN, folders=ODD_FOLDERS),
                ["--user", "verify"],
                id="user's odd folders",
            ),
        ],
    )
    def test_systemd_finds_nothing_to_say(self, plan, words, tmp_path):
        assert analyzed(tmp_path, unit(plan), *words) == (0, "")

    @needs_analyzer
    def test_systemd_finds_fault_with_a_bad_one(self, tmp_path):
        bad = unit(USER_PLAN).replace("WatchdogSec=60", "WatchdogSec=soon")
        assert "Failed to parse sec value" in analyzed(tmp_path, bad, "verify")[1]

    @needs_analyzer
    def test_it_is_walled_in(self, tmp_path):
        words = ("security", "--offline=yes", "--threshold=25")
        status, said = analyzed(tmp_path, unit(SYSTEM_PLAN), *words)
        assert status == 0, said
        bare = unit(SYSTEM_PLAN).replace("Protect", "#").replace("Restrict", "#")
        assert analyzed(tmp_path, bare, *words)[0] != 0

    def test_it_never_gives_up(self):
        text = unit(SYSTEM_PLAN)
        for line in ("Type=notify", "Restart=on-failure", "StartLimitIntervalSec=0"):
            assert f"\n{line}\n" in text
        # What ends a program by Ctrl-C or SIGTERM is no failure.
        assert f"SuccessExitStatus={cli.SIGNALLED + signal.SIGTERM}" in text

    def test_where_it_runs_is_one_path_and_not_quoted(self):
        text = unit(replace(USER_PLAN, folders=ODD_FOLDERS))
        assert "\nWorkingDirectory=/srv/my games/100%%\n" in text

    def test_cameras_and_pins_stay_open(self):
        # Each of these closes devices that are not listed, ProtectClock in passing.
        for wall in ("PrivateDevices", "DevicePolicy", "DeviceAllow", "ProtectClock"):
            assert wall not in unit(SYSTEM_PLAN)

    def test_only_what_is_written_to_can_be(self):
        assert "ReadWritePaths=/var/tmp /var/cache\n" in unit(SYSTEM_PLAN)
        text = unit(replace(SYSTEM_PLAN, folders=ODD_FOLDERS))
        assert 'ReadWritePaths="/srv/my games/100%%" "/srv/Ben\'s\t$1"\n' in text
        assert "User" not in unit(USER_PLAN)
        assert "Protect" not in unit(USER_PLAN)

    @pytest.mark.parametrize(
        ("word", "written"),
        [
            ("/opt/referee", "/opt/referee"),
            ("my games", '"my games"'),
            ("100%", "100%%"),
            ("$HOME", "$$HOME"),
            ('a"b', '"a\\"b"'),
            ("a\\b", '"a\\\\b"'),
            ("", '""'),
        ],
    )
    def test_words_are_quoted_as_systemd_reads_them(self, word, written):
        assert quoted(word) == written


class TestPlan:
    def test_the_settings_count(self, tmp_path):
        settings = Settings(
            games=GamesSettings(folder=tmp_path / "games"),
            service=ServiceSettings(watchdog_s=90, restart_s=30, memory_mb=700),
        )
        text = unit(plan(settings, Path("/srv/x.toml"), None))
        for line in ("WatchdogSec=90", "RestartSec=30", "MemoryMax=700M"):
            assert f"\n{line}\n" in text
        assert "--config /srv/x.toml\n" in text
        assert folders(settings, None)[-1] == tmp_path / "games"

    def test_its_folders_are_where_the_referee_keeps_things(self, tmp_path, monkeypatch):
        kinds = ("DATA", "STATE", "CACHE")
        for kind in kinds:
            monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
        assert folders(Settings(), None) == [tmp_path / kind / "referee" for kind in kinds]

    def test_a_group_that_does_not_exist_is_not_named(self, monkeypatch):
        monkeypatch.setattr(managers, "GROUPS", ("daemon", "no-such-group"))
        assert plan(Settings(), None, None).groups == ["daemon"]

    def test_it_belongs_to_somebody_who_is_there_and_not_to_root(self):
        assert account("daemon").name == "daemon"
        for name, said in (("root", "no root"), ("nobody-here", "no user nobody-here")):
            with pytest.raises(ValueError, match=said):
                account(name)

    def test_folders_are_made_for_their_owner(self, tmp_path, monkeypatch):
        given = []
        monkeypatch.setattr(os, "chown", lambda path, *who: given.append((path, *who)))
        make_folders([tmp_path / "a" / "b", tmp_path], managers.Account("x", 7, 8, tmp_path))
        assert (tmp_path / "a" / "b").is_dir()
        assert given == [(tmp_path / "a" / "b", 7, 8), (tmp_path / "a", 7, 8)]


@pytest.fixture
def systemd(tmp_path, monkeypatch):
    """A systemd that does nothing and remembers what it was told."""
    calls: list[str] = []
    answers: dict[str, Answer] = {}

    def call(words):
        calls.append(" ".join(words))
        return next((answers[key] for key in answers if key in calls[-1]), Answer(0))

    monkeypatch.setattr(managers, "RUNNING", tmp_path)
    monkeypatch.setattr(managers, "SYSTEM", tmp_path / "system")
    monkeypatch.setattr(service, "SYSTEM", tmp_path / "system")
    monkeypatch.setattr(service, "Manager", lambda system: Manager(system, call))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return calls, answers


USER_UNIT = Path("config/systemd/user/referee.service")


class TestVerb:
    def test_a_users_own_is_installed_and_removed(self, systemd, tmp_path, capsys):
        calls, _ = systemd
        assert cli.main(["service", "install"]) == 0
        file = tmp_path / USER_UNIT
        assert file.read_text() == unit(plan(Settings(), None, None))
        assert calls == [
            "systemctl --user daemon-reload",
            "systemctl --user enable referee.service",
            "systemctl --user restart --no-block referee.service",
            "loginctl enable-linger",
        ]
        calls.clear()
        assert cli.main(["service", "remove"]) == 0
        assert not file.exists()
        assert calls[0] == "systemctl --user disable --now referee.service"
        assert "games and settings stay" in capsys.readouterr().err

    def test_one_of_the_system_belongs_to_whoever_is_named(self, systemd, tmp_path, monkeypatch):
        calls, _ = systemd
        owner = managers.Account("daemon", 1, 1, tmp_path / "home")
        monkeypatch.setattr(service, "account", lambda name: owner)
        monkeypatch.setattr(os, "chown", lambda *who: None)
        assert cli.main(["service", "install", "--system", "--run-as", "daemon"]) == 0
        text = (tmp_path / "system" / "referee.service").read_text()
        assert "User=daemon" in text
        assert f"WorkingDirectory={tmp_path}/home/.local/share/referee" in text
        assert (tmp_path / "home/.local/share/referee").is_dir()
        assert not any("--user" in call or "linger" in call for call in calls)

    def test_the_settings_of_its_owner_count(self, systemd, tmp_path, monkeypatch, capsys):
        owner = managers.Account("daemon", 1, 1, tmp_path / "home")
        monkeypatch.setattr(service, "account", lambda name: owner)
        (tmp_path / "home/.config/referee").mkdir(parents=True)
        (tmp_path / "home/.config/referee/referee.toml").write_text("[service]\nrestart_s = 33")
        assert cli.main(["service", "install", "--system", "--print"]) == 0
        assert "RestartSec=33" in capsys.readouterr().out

    @pytest.mark.parametrize("chosen", [False, True])
    def test_what_begins_in_a_home_begins_in_its_owners(
        self, systemd, tmp_path, monkeypatch, capsys, chosen
    ):
        owner = managers.Account("daemon", 1, 1, tmp_path / "home")
        monkeypatch.setattr(service, "account", lambda name: owner)
        file = tmp_path / ("x.toml" if chosen else "home/.config/referee/referee.toml")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("[games]\nfolder = '~/games'")
        config = ["--config", str(file)] if chosen else []
        assert cli.main(["service", "install", "--system", "--print", *config]) == 0
        walls = capsys.readouterr().out
        assert f" {tmp_path}/home/games\n" in walls
        assert f" {tmp_path}/games" not in walls

    def test_printing_installs_nothing(self, systemd, tmp_path, capsys):
        calls, _ = systemd
        assert cli.main(["service", "install", "--print"]) == 0
        out, err = capsys.readouterr()
        assert (out, err) == (unit(plan(Settings(), None, None)), "")
        assert (calls, list(tmp_path.iterdir())) == ([], [])

    def test_nothing_is_installed_with_broken_settings(self, systemd, tmp_path, capsys):
        (tmp_path / "x.toml").write_text("[camra]")
        assert cli.main(["service", "install", "--config", str(tmp_path / "x.toml")]) == 2
        assert "did you mean [camera]?" in complaint(capsys)
        assert systemd[0] == []

    def test_without_lingering_it_says_when_it_starts(self, systemd, capsys):
        systemd[1]["linger"] = Answer(1, "not allowed")
        assert cli.main(["service", "install"]) == 0
        assert "sudo loginctl enable-linger" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("key", "said"), [("daemon-reload", "daemon-reload"), ("enable referee", "enable")]
    )
    def test_a_systemd_that_fails_is_told(self, systemd, capsys, key, said):
        systemd[1][key] = Answer(1, "long story\nFailed to connect to bus")
        assert cli.main(["service", "install"]) == 2
        assert f"systemctl {said} failed: Failed to connect to bus" in complaint(capsys)

    def test_somebody_elses_unit_is_left_alone(self, systemd, tmp_path, capsys):
        file = tmp_path / USER_UNIT
        file.parent.mkdir(parents=True)
        file.write_text("[Unit]\n")
        for action in ("install", "remove"):
            assert cli.main(["service", action]) == 2
            assert "was not written by" in complaint(capsys)
        assert file.read_text() == "[Unit]\n"

    def test_a_computer_without_systemd_says_so(self, systemd, monkeypatch, capsys):
        monkeypatch.setattr(managers, "RUNNING", Path("/nowhere"))
        assert cli.main(["service", "install"]) == 2
        assert "--print" in complaint(capsys)

    def test_the_systems_needs_sudo(self, systemd, tmp_path, monkeypatch, capsys):
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
        owner = managers.Account("daemon", 1, 1, tmp_path / "home")
        monkeypatch.setattr(service, "account", lambda name: owner)
        assert cli.main(["service", "install", "--system", "--run-as", "daemon"]) == 2
        assert "sudo" in complaint(capsys)
        assert list(tmp_path.iterdir()) == []

    def test_nothing_installed_is_told(self, systemd, capsys):
        for action in ("status", "remove"):
            assert cli.main(["service", action]) == 2
            assert "installed" in complaint(capsys)

    @pytest.mark.parametrize(("state", "status"), [("active", 0), ("activating", 1), ("failed", 1)])
    def test_its_state_is_told(self, systemd, tmp_path, capsys, state, status):
        (tmp_path / USER_UNIT).parent.mkdir(parents=True)
        (tmp_path / USER_UNIT).write_text(MARK)
        systemd[1]["show"] = Answer(
            0, f"ActiveState={state}\nStatusText=12 moves played\nNRestarts=2\nOther=x=y"
        )
        assert cli.main(["service", "status", "--json"]) == status
        (told,) = lines(capsys.readouterr().out)
        assert (told["state"], told["status"], told["restarts"]) == (state, "12 moves played", 2)
        assert cli.main(["service", "status"]) == status
        assert "12 moves played" in capsys.readouterr().err

    def test_a_systemd_that_does_not_answer_is_no_accident(self, systemd, tmp_path, capsys):
        (tmp_path / USER_UNIT).parent.mkdir(parents=True)
        (tmp_path / USER_UNIT).write_text(MARK)
        systemd[1]["show"] = Answer(1, "no bus")
        assert cli.main(["service", "status", "--json"]) == 1
        assert lines(capsys.readouterr().out)[0]["state"] is None


# --- what it does with nobody there ------------------------------------------------------------


class StewardTable(Table):
    """A table whose games are kept by a steward."""

    def __init__(self, steward: Steward) -> None:
        super().__init__()
        self.steward, self._step = steward, with_next_games(steward.feed)

    def _feed(self, given) -> None:
        self.game, events = self._step(self.game, given)
        self.events += events


@pytest.fixture
def table(tmp_path):
    return StewardTable(Steward(Shelf(tmp_path), "usb:0", 0, Supervisor()))


class TestSteward:
    def begun(self, table):
        table.rest(1_500)
        table.change(RED, {11: ".", 15: "r"})
        table.change(WHITE, {23: ".", 19: "w"})
        assert status_of(table.game) == "2 moves played, Red to move"
        black = called(ENGLISH, ("black", "red"))
        assert status_of(table.game, black) == "2 moves played, Black to move"
        return table

    def set_up(self, table):
        """Both players put their pieces back, hands over everything."""
        table.change(RED, {15: ".", 11: "r"}, ms=200)
        return table.change(WHITE, {19: ".", 23: "w"}, ms=6_000)

    def test_its_status_says_that_the_board_is_not_in_order(self, table):
        self.begun(table).change(RED, {1: "."}, 6_000)
        waits = "2 moves played, Red to move; the board is not in order"
        assert status_of(table.game) == waits

    def test_and_counts_the_moves_before_a_position_that_was_set(self, table):
        self.begun(table).say(Word.CORRECT, text=fen(table.game.position))
        table.rest(2_000)
        assert status_of(table.game) == "2 moves played, Red to move"

    def test_a_game_that_is_over_is_followed_by_the_next(self, table):
        self.begun(table).say(Word.RESIGN, RED)
        assert "0-1, White wins" in status_of(table.game)
        names = [event.name for event in self.set_up(table)]
        assert names.index("started") < names.index("ready")
        assert names.count("started") == 1
        assert (table.game.result, table.game.moves, table.game.begun) == (None, (), True)

    def test_what_it_has_kept_replays(self, table, tmp_path, capsys):
        self.set_up(self.begun(table))
        table.steward.close()
        assert cli.main(["replay", "last", "--games", str(tmp_path)]) == 0


class TestUnfinished:
    def test_there_is_none_where_there_are_no_games(self, tmp_path):
        assert unfinished(Shelf(tmp_path)) is None

    def test_a_game_that_was_left_is(self, broken_off):  # noqa: F811
        assert unfinished(Shelf(broken_off)) == only(broken_off)

    def test_a_game_that_was_ended_is_not(self, table, tmp_path):
        TestSteward().begun(table)
        assert unfinished(Shelf(tmp_path)) is not None
        table.say(Word.RESIGN, RED)
        table.steward.close()
        assert unfinished(Shelf(tmp_path)) is None

    def test_a_journal_that_cannot_be_read_keeps_nobody_from_playing(self, broken_off):  # noqa: F811
        for file in only(broken_off).glob("journal*"):
            file.write_bytes(b"\0" * 100)
        assert unfinished(Shelf(broken_off)) is None


class Showing:
    """A live camera that shows the end of some films, one after the other."""

    length_ms = None

    def __init__(self, *pictures) -> None:
        self._pictures = pictures

    def frames(self):
        shown = [image for image in self._pictures for _ in range(24)]
        for number, image in enumerate(shown):
            yield Frame(image, 333 * number)


def ends(film: Path):
    pictures = [frame.image for frame in Video(film).frames()]
    return pictures[0], pictures[-1]


@pytest.fixture
def served(broken_off, monkeypatch, tmp_path, capsys):  # noqa: F811
    """Runs the service before some pictures; its status, events and what people read."""

    def run(*pictures, settings="", name="x.toml", games=""):
        file = tmp_path / name
        text = f"[games]\nfolder = {json.dumps(str(broken_off))}\n{games}"
        text += "[camera]\nsource = 'usb:0'\n"
        file.write_text(text + settings)
        monkeypatch.setattr(serving, "game_camera", lambda *asked: Showing(*pictures))
        status = cli.main(["service", "run", "--config", str(file), "--json"])
        out, err = capsys.readouterr()
        events = [line for line in lines(out) if not line.get("again")]
        return status, [event["event"] for event in events], err

    return run


def games(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if GAME.fullmatch(path.name))


class TestServing:
    def test_a_board_as_recorded_goes_on(self, served, films, broken_off):  # noqa: F811
        status, events, _ = served(ends(films["first"])[1])
        assert (status, events) == (0, ["not_watching", "watching"])
        assert len(games(broken_off)) == 1

    def test_the_sides_keep_their_names(self, served, films, broken_off, monkeypatch):  # noqa: F811
        kept = []

        class Spy(Steward):
            def __init__(self, shelf, source, days, supervisor, language):
                super().__init__(shelf, source, days, supervisor, language)
                kept.append((language.code, language.sides))

        monkeypatch.setattr(serving, "Steward", Spy)
        save_source(only(broken_off), "usb:0", ("black", "red"))
        settings = "[rules]\nsides = 'white,black'\n"
        _, _, err = served(ends(films["first"])[1], settings=settings)
        assert "Before: Black 11-15" in err
        assert kept == [("en", ("black", "red"))]

    def test_another_board_is_waited_for(self, served, films, broken_off):  # noqa: F811
        as_recorded, other = ends(films["first"])[1], ends(films["other"])[1]
        status, events, err = served(other, as_recorded)
        assert (status, events) == (0, ["not_watching", "watching"])
        assert err.count("the board is not as recorded: look at 18, 22;") == 1
        assert cli.main(["replay", "last", "--games", str(broken_off)]) == 0

    def test_a_board_in_the_dark_is_waited_for(self, served, films, broken_off):  # noqa: F811
        as_recorded = ends(films["first"])[1]
        status, events, err = served(np.zeros_like(as_recorded), as_recorded)
        assert (status, events) == (0, ["not_watching", "watching"])
        assert "not as recorded" not in err
        assert cli.main(["replay", "last", "--games", str(broken_off)]) == 0

    def test_a_board_that_stays_in_the_dark_is_taken_for_nothing(self, served, films):  # noqa: F811
        dark = np.zeros_like(ends(films["first"])[1])
        assert served(*[dark] * 3)[:2] == (1, ["not_watching", "not_watching"])

    def test_nobody_is_accused_of_what_happened_meanwhile(self, served, films, broken_off):  # noqa: F811
        status, events, _ = served(ends(films["other"])[1])
        assert (status, events) == (1, ["not_watching"])
        assert not read(only(broken_off)).problems

    def test_the_starting_position_begins_a_new_game(self, served, films, broken_off):  # noqa: F811
        status, events, _ = served(ends(films["first"])[0])
        assert (status, events[-1]) == (0, "ready")
        assert len(games(broken_off)) == 2
        (record,) = parse_pdn((broken_off / "game.pdn").read_text())
        assert record.game.moves == ()

    def test_what_is_set_of_the_event_stands_in_a_new_game(self, served, films, broken_off):  # noqa: F811
        served(ends(films["first"])[0], games="event = 'Club evening'\nsite = 'Vienna'\n")
        (record,) = parse_pdn((broken_off / "game.pdn").read_text())
        assert {"Event": "Club evening", "Site": "Vienna"}.items() <= record.game.tags.items()

    @pytest.mark.parametrize("clock", ["off", "30/60"])
    def test_rules_that_say_nothing_of_clocks_are_told_of_none(self, clock, served, films):  # noqa: F811
        rules = f"[rules]\nprofile = 'online25'\nclock = '{clock}'\n"
        _, events, _ = served(ends(films["first"])[0], settings=rules)
        assert events == ["not_watching", "ready"]

    def test_a_game_that_goes_on_is_of_the_event_that_its_journal_says(self, served, films):  # noqa: F811
        _, events, _ = served(ends(films["first"])[1], games="event = 'Another'\n")
        assert events == ["not_watching", "watching"]

    def test_without_a_calibration_the_board_is_searched(self, served, films, broken_off):  # noqa: F811
        (only(broken_off) / "calibration.json").write_text("{}")
        status, events, _ = served(ends(films["first"])[1])
        assert (status, events) == (0, ["not_watching", "watching"])

    def test_a_broken_file_of_settings_gives_way(self, served, films, broken_off, capsys):  # noqa: F811
        served(ends(films["first"])[1])
        file = broken_off.parent / "x.toml"
        file.write_text("[rules\n")
        assert cli.main(["service", "run", "--config", str(file), "--json"]) == 0
        out, err = capsys.readouterr()
        # The same game in the same folder: only the copy tells where that is.
        assert [event["event"] for event in lines(out)][-1] == "watching"
        assert err.count("the last good copy of the file is used") == 1
        assert len(games(broken_off)) == 1

    def test_a_broken_calibration_is_survived(self, served, films, broken_off):  # noqa: F811
        shutil.rmtree(only(broken_off))
        (broken_off.parent / "board.json").write_text("{")
        status, events, err = served(
            ends(films["first"])[0], settings="calibration = 'board.json'\n"
        )
        assert (status, events[-1]) == (0, "ready")
        assert "until then the board is searched for" in err

    def test_a_missing_program_is_told_and_silent(self, served, films):  # noqa: F811
        status, _, err = served(
            ends(films["first"])[1], settings="[voice]\nsay = 'no-such-program'\n"
        )
        assert status == 0
        assert err.count("no-such-program") == 1

    def test_no_camera_is_a_failure_to_be_tried_again(self, monkeypatch, tmp_path, capsys):
        def missing(*asked):
            camera = FakeCamera([(0, PICTURE)])
            camera.unplug()
            return camera

        monkeypatch.setattr(sources, "camera_of", missing)
        assert cli.main(["service", "run"]) == cli.UNREADABLE
        assert "referee: the fake camera is unplugged; plug it in\n" in capsys.readouterr().err
        monkeypatch.setattr(sources, "camera_of", raising)
        assert cli.main(["service", "run"]) == cli.UNREADABLE


def raising(*asked):
    raise CameraError("there is no camera")


def test_the_real_program_tells_systemd(films, tmp_path):  # noqa: F811
    """On a short film, as systemd would start it."""
    with closing(Listener(str(tmp_path / "notify"))) as listening:
        file = tmp_path / "referee.toml"
        file.write_text(
            f"[camera]\nsource = {json.dumps(str(films['both']))}\n"
            f"[games]\nfolder = {json.dumps(str(tmp_path / 'games'))}\n"
        )
        environment = {
            **os.environ,
            "NOTIFY_SOCKET": listening.address,
            "WATCHDOG_USEC": "1000",
            "PYTHONPATH": str(PROJECT),
        }
        words = [sys.executable, "-m", "referee", "service", "run", "--config", str(file)]
        said = tmp_path / "said"
        with said.open("w") as err:
            program = subprocess.Popen(
                words, cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, stderr=err
            )
            heard = listening.listen(program)
    assert program.returncode == 0, said.read_text()
    assert heard[0].startswith("STATUS=looking for the board")
    assert heard.index("READY=1") < heard.index("WATCHDOG=1")
    assert heard.count("READY=1") == 1
    assert heard.count("WATCHDOG=1") > 3
    assert "STATUS=2 moves played, Red to move" in heard
    assert heard[-1] == "STOPPING=1"
    assert "Red 11-15" in said.read_text()

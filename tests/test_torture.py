"""A short slice of every kind of fault, and each once more with its cure taken out.

`make torture` does the same thousands of times.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from hardware.camera import Frame
from referee import cli
from referee.journal.condition import NotRecording
from referee.journal.recorder import Recorder
from tests.torture import (
    cameras,
    clocks,
    cures,
    damages,
    full_disks,
    kills,
    malformed,
    powercuts,
    soak,
    starts,
)
from tests.torture.__main__ import Piece, joined, keep, known, pieces, row
from tests.torture.tally import Tally

PROJECT = Path(__file__).parents[1]


def nothing() -> None:
    """Nobody watches the progress."""


SLICES = [
    pytest.param(damages, 24, id="damages"),
    pytest.param(full_disks, 8, id="full_disks"),
    pytest.param(clocks, 4, id="clocks"),
    pytest.param(soak, 6, id="soak"),
    pytest.param(starts, 24, id="starts"),
]


class TestSlices:
    @pytest.mark.parametrize(("module", "tries"), SLICES)
    def test_nothing_is_lost(self, module, tries, tmp_path):
        tally = module.run(tries, 3, tmp_path, nothing)
        assert tally.sound, tally
        assert tally.tries >= tries

    @pytest.mark.parametrize(("module", "tries"), SLICES)
    def test_without_the_cure_it_is_found_out(self, module, tries, tmp_path):
        with cures.UNCURED[module.__name__.rpartition(".")[2]]():
            tally = module.run(tries, 3, tmp_path, nothing)
        assert not tally.sound, tally

    def test_a_full_disk_of_which_nobody_is_told_is_found_out(self, tmp_path):
        failed = Recorder._failed

        def silent(recorder, reason, now_ms):
            events = failed(recorder, reason, now_ms)
            return tuple(event for event in events if not isinstance(event, NotRecording))

        with mock.patch.object(Recorder, "_failed", silent):
            tally = full_disks.run(8, 3, tmp_path, nothing)
        assert tally.given < tally.due


def program(kind: str, tries: int, room: Path, *more: str) -> tuple[int, str]:
    """The table's program: what forks is not done within this one, which may have threads."""
    words = [sys.executable, "-m", "tests.torture", "--only", kind, "--tries", str(tries), *more]
    words += ["--room", str(room), "--unfinished", str(room / "unfinished")]
    env = {**os.environ, "COLUMNS": "200"}
    done = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, env=env)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """What is drawn for one is there for the next."""
    return tmp_path_factory.mktemp("room")


class TestKills:
    def test_nothing_announced_is_lost(self, room):
        status, said = program("kills", 4, room)
        assert status == 0, said

    def test_without_the_cure_it_is_found_out(self, room):
        # Whoever dies before anything was said has lost nothing: so many do not all die so soon.
        status, said = program("kills", 24, room, "--without-cure")
        assert status == 1, said
        assert "ended with status" not in said

    def test_the_program_tells_where_it_was_when_it_died(self):
        with kills.Whereabouts.noted() as where:
            assert where.suits(kills.Kill(0.0))
            assert not where.suits(kills.Kill(0.0, aim=1))
            kills.Database.add(Watching(where))
            assert where.place == "between writes"


class Watching:
    """Stands in for a database."""

    def __init__(self, where):
        self._where = where

    @property
    def _connection(self):
        assert self._where.place == "in a commit"
        return mock.MagicMock()


@pytest.fixture(scope="module")
def disk(tmp_path_factory):
    """Skips, aloud, where no image can be mounted."""
    try:
        with powercuts.Disk(tmp_path_factory.mktemp("disk")) as small:
            small.empty()
    except powercuts.NoLoop as reason:
        pytest.skip(f"NO POWER IS CUT HERE: {reason}")


@pytest.mark.usefixtures("disk")
class TestPowerCuts:
    def test_nothing_announced_is_lost(self, room):
        status, said = program("powercuts", 8, room)
        assert status == 0, said

    def test_without_the_cure_it_is_found_out(self, room):
        status, said = program("powercuts", 8, room, "--without-cure")
        assert status == 1, said
        assert "ended with status" not in said


class TestMalformed:
    def test_every_reader_survives(self, tmp_path):
        tally = malformed.run(90, 3, tmp_path, nothing)
        assert tally.sound, tally

    def test_a_reader_that_does_not_is_found_out(self, monkeypatch, capsys):
        monkeypatch.setattr("referee.notation.parse_fen", lambda text: [][0])
        malformed.main(18, 1)
        assert "IndexError" in capsys.readouterr().out

    def test_a_huge_picture_is_refused_before_it_is_decoded(self, tmp_path):
        (tmp_path / "bomb.png").write_bytes(malformed._bomb())
        code = (
            "import sys; from pathlib import Path; from referee import cli\n"
            "status = cli.main(['look', 'bomb.png'])\n"
            # Unlike `ru_maxrss` this peak begins anew with the program, whoever started it.
            "peak = Path('/proc/self/status').read_text().split('VmHWM:')[1]\n"
            "print(int(peak.split()[0]) // 1024)\n"
            "sys.exit(status)"
        )
        env = {**os.environ, "PYTHONPATH": str(PROJECT)}
        words = [sys.executable, "-c", code]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env=env)
        assert done.returncode == cli.UNREADABLE
        assert "bomb.png is larger than 50 megapixels" in done.stderr
        assert int(done.stdout) < 400


class TestCameras:
    """The faults themselves; what they do to a game is seen in `make torture`."""

    FRAMES = tuple(Frame(malformed, 333 * n) for n in range(60))

    @pytest.mark.parametrize("kind", ["unplugged", "frozen"])
    def test_a_blind_camera_says_so_in_time(self, kind):
        fault = cameras.Fault(kind, 5_000, 10_000)
        frames = list(cameras.FAULTS[kind](self.FRAMES, fault))
        times = [frame.time_ms for frame in frames]
        assert times == sorted(times)
        blind = [frame.time_ms for frame in frames if frame.blind]
        assert min(blind) <= 6_000
        assert max(blind) >= 14_700
        assert len(frames) == len(self.FRAMES) + len(blind)

    def test_a_slow_camera_is_slow_for_a_while(self):
        fault = cameras.Fault("slow", 5_000, 10_000)
        times = [frame.time_ms for frame in cameras.FAULTS["slow"](self.FRAMES, fault)]
        assert 7 <= sum(5_000 <= time < 15_000 for time in times) <= 11


def test_a_tally_is_sound_only_when_all_is():
    assert Tally("x").sound
    for wrong in ({"lost": 1}, {"holes": 1}, {"due": 1}, {"wrong": ["x"]}, {"resume_s": 5.1}):
        assert not Tally("x", **wrong).sound


class TestTheTable:
    def test_pieces_make_up_what_was_asked_for(self):
        several = list(pieces(["kills", "soak"], 230, 5))
        assert [(piece.kind, piece.tries) for piece in several] == [
            *(("kills", 100), ("kills", 100), ("kills", 30), ("soak", 230))
        ]
        assert len({(piece.kind, piece.seed) for piece in several}) == 4

    def test_pieces_of_a_kind_are_one_row(self):
        one = Tally("x", tries=2, lost=1, resume_s=0.5, wrong=["a"])
        other = Tally("x", tries=3, holes=1, resume_s=0.75, wrong=["b"])
        (both,) = joined([one, other])
        assert (both.tries, both.lost, both.holes, both.resume_s) == (5, 1, 1, 0.75)
        assert both.wrong == ["a", "b"]
        assert row(both) == ("x", "5", "1", "1", "0 of 0", "0.75", "2 wrong")

    def test_a_run_that_was_broken_off_goes_on(self, tmp_path):
        done, left = Piece("kills", 100, 1), Piece("kills", 100, 101)
        tally = Tally("kill -9", tries=100, resume_s=0.5)
        tally.met["in a commit"] += 7
        keep(tmp_path / "unfinished", done, tally)
        assert known(tmp_path / "unfinished", [done, left]) == {done: tally}
        assert known(tmp_path / "none", [done]) == {}
